/** Reads the files of `waybill fuel table set` (steps) and `waybill fuel index import` (values). See docs/fuel.md. */
import {
  type FuelIndexValue,
  type FuelStep,
  type FuelTable,
  INDEX_DECIMALS,
  indexText,
  MAX_STEPS,
} from '../../core/rating/fuel/fuel-table.ts'
import type { FuelUnit } from '../../core/rating/rate-card.ts'
import { cellOf, day, optional, percent, rate } from '../import/csv-cells.ts'
import { hasNeeded, plainTable, type Report, readTableFile, type TableSpec } from '../import/csv-rows.ts'
import type { ImportFault } from '../import/import-fault.ts'
import { atMost, figureText, MAX_FUEL_ROWS } from '../import/import-limits.ts'
import { onlySheet, type TableFile } from '../import/table-file.ts'
import type { Workbook } from '../import/workbook-sheet.ts'
import { FUEL_FIGURES, fuelFigureOf, type RawFuelFigure } from './rate-card-files.ts'

/** `rows` is undefined when there are faults. */
type Reading<Rows> = {
  readonly rows: Rows | undefined
  readonly faults: readonly ImportFault[]
  readonly warnings: readonly ImportFault[]
}

export type FuelSteps = Pick<FuelTable, 'bounds' | 'steps' | 'per'>

type RawStep = RawFuelFigure & {
  readonly atLeast?: number
  readonly below?: number
  readonly over?: number
  readonly upTo?: number
  readonly stepE4?: number
  readonly stepRate?: number
}

type ListedStep = {
  readonly bounds: FuelTable['bounds'] | undefined
  readonly per: FuelUnit | undefined
  readonly step: FuelStep
}

const STEPS: TableSpec<RawStep, ListedStep> = {
  file: 'steps',
  required: true,
  fields: {
    atLeast: optional(rate('at_least', INDEX_DECIMALS, 0)),
    below: optional(rate('below', INDEX_DECIMALS)),
    over: optional(rate('over', INDEX_DECIMALS, 0)),
    upTo: optional(rate('up_to', INDEX_DECIMALS)),
    ...FUEL_FIGURES,
    percentBps: optional(percent('rate_pct')),
    stepE4: optional(rate('step', INDEX_DECIMALS)),
    stepRate: optional(rate('step_rate', 4, 0)),
  },
  build(raw, report) {
    const found = fuelFigureOf(raw, report)
    const { atLeast, below, over, upTo, stepE4, stepRate } = raw
    const isOver = over !== undefined || upTo !== undefined
    if (isOver && (atLeast !== undefined || below !== undefined))
      return report('at_least', 'bounds in at_least and below, or in over and up_to', 'both')
    const [lowerE4, upperE4] = isOver ? [over, upTo] : [atLeast, below]
    if (lowerE4 !== undefined && upperE4 !== undefined && upperE4 <= lowerE4)
      return report(isOver ? 'up_to' : 'below', `more than ${indexText(lowerE4)}`, indexText(upperE4))
    const stepRateBps = stepRate === undefined ? undefined : stepRateOf(stepRate, found?.per, report)
    if (stepE4 === undefined && stepRate !== undefined)
      return report('step', 'a step, because of step_rate', '')
    if (stepE4 !== undefined && stepRate === undefined)
      return report('step_rate', 'a figure for each step', '')
    if (stepE4 !== undefined && lowerE4 === undefined)
      return report('step', 'an empty cell, because the row has no lower bound')
    if (found === undefined || (stepRate !== undefined && stepRateBps === undefined)) return undefined
    const bounds = lowerE4 === undefined && upperE4 === undefined ? undefined : isOver ? 'over' : 'at least'
    const step = {
      ...(lowerE4 !== undefined && { lowerE4 }),
      ...(upperE4 !== undefined && { upperE4 }),
      rateBps: found.rateBps,
      ...(stepE4 !== undefined && stepRateBps !== undefined && { stepE4, stepRateBps }),
    }
    return { bounds, per: found.per, step }
  },
}

/** `step_rate` is a percentage, or an amount if the row has one. */
function stepRateOf(rate: number, per: FuelUnit | undefined, report: Report): number | undefined {
  if (per !== undefined) return rate
  if (rate % 100 === 0) return rate / 100
  return report('step_rate', 'a percentage with at most 2 decimals')
}

/** The sheet of a workbook that has steps. Throws ImportRefusal if it cannot be told which sheet is meant. */
export function stepSheet(workbook: Workbook): TableFile {
  const figures = ['rate_pct', 'per_parcel', 'per_kg']
  const bounds = ['at_least', 'over']
  return onlySheet(workbook, 'at_least or over, and rate_pct', {
    isHeader: (names) =>
      figures.some((name) => names.includes(name)) && bounds.some((name) => names.includes(name)),
  })
}

/** Does not throw: problems of the file are faults. */
export function readFuelSteps(file: TableFile): Reading<FuelSteps> {
  const { rows, log, placeOf } = readTableFile(STEPS, file)
  const fault = (index: number, column: string, expected: string, found?: string): undefined =>
    log.fault(placeOf(index).row, column, expected, found)
  const bounds = rows.find((row) => row.bounds !== undefined)?.bounds ?? 'at least'
  const [lower, upper] = bounds === 'over' ? ['over', 'up_to'] : ['at_least', 'below']
  if (rows.length > MAX_STEPS)
    log.fault(undefined, undefined, atMost(MAX_STEPS, 'steps'), figureText(rows.length))
  for (const [index, { bounds: own = bounds, per, step }] of rows.entries()) {
    const before = rows[index - 1]
    const end = before?.step.upperE4
    const start = step.lowerE4 === undefined ? '' : indexText(step.lowerE4)
    if (own !== bounds) fault(index, lower, `bounds in ${lower} and ${upper}, as in the other rows`)
    else if (per !== rows[0]!.per) fault(index, 'rate_pct', 'a figure of the same kind as in the first row')
    else if (before !== undefined && end === undefined)
      fault(index - 1, upper, 'an upper bound in every row but the last', '')
    else if (end !== undefined && end !== step.lowerE4)
      fault(index, lower, `${indexText(end)}, where the row above ends`, start)
  }
  const faults = log.faults()
  const per = rows[0]?.per
  const steps = { bounds, steps: rows.map(({ step }) => step), ...(per !== undefined && { per }) }
  return { rows: faults.length > 0 ? undefined : steps, faults, warnings: log.warnings() }
}

/** The days that tables and index values may have. */
const FIRST_DAY = '2000-01-01'
const LAST_DAY = '2099-12-31'

export function isFuelDay(text: string): boolean {
  return text >= FIRST_DAY && text <= LAST_DAY
}

const VALUES = plainTable<FuelIndexValue>('values', true, {
  indexCode: cellOf(
    'index',
    (code) => (/^[a-z0-9-]{1,40}$/.test(code) ? code : undefined),
    '1 to 40 characters of a-z, 0-9 and -',
  ),
  day: day('day'),
  valueE4: rate('value', INDEX_DECIMALS),
})

export function valueSheet(workbook: Workbook): TableFile {
  return onlySheet(workbook, 'index, day and value', { isHeader: (names) => hasNeeded(VALUES, names) })
}

/** Does not throw: problems of the file are faults. */
export function readIndexValues(file: TableFile): Reading<readonly FuelIndexValue[]> {
  const seen = new Set<string>()
  const { rows, log } = readTableFile(
    {
      ...VALUES,
      build(value, report) {
        const key = `${value.indexCode} of ${value.day}`
        if (!isFuelDay(value.day)) return report('day', `a day from ${FIRST_DAY} to ${LAST_DAY}`, value.day)
        if (seen.has(key)) return report('day', 'one value for each index and day', key)
        seen.add(key)
        return value
      },
    },
    file,
  )
  if (rows.length > MAX_FUEL_ROWS)
    log.fault(undefined, undefined, atMost(MAX_FUEL_ROWS, 'rows'), figureText(rows.length))
  const faults = log.faults()
  return { rows: faults.length > 0 ? undefined : rows, faults, warnings: log.warnings() }
}
