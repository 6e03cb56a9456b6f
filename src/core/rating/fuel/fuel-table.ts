/**
 * Fuel by an index: the step table of a carrier, the values of the index, and the fuel figures that follow from them.
 * Rules: docs/fuel.md.
 */
import { formatDecimal } from '../../quantity.ts'
import type { FuelRate, FuelUnit } from '../rate-card.ts'

/** Index values, and bounds of steps, have at most 4 decimals. They are integers of ten-thousandths. */
export const INDEX_DECIMALS = 4

/** The value of an index for a day, or for the week or month that the day lies in. */
export type FuelIndexValue = {
  readonly indexCode: string
  /** 'YYYY-MM-DD'. */
  readonly day: string
  readonly valueE4: number
}

export const FUEL_PERIODS = ['week', 'month'] as const
export type FuelPeriod = (typeof FUEL_PERIODS)[number]

/** The longest publication lag, in periods. */
export const MAX_LAG = 12

/** The steps of a table: the most that are allowed. */
export const MAX_STEPS = 1_000

/**
 * How the bounds of steps are stated. `at least`: a step begins at its lower bound and ends before its upper one.
 * `over`: it begins above its lower bound and includes its upper one, as price bands do.
 */
export type StepBounds = 'at least' | 'over'

/** The fuel figure of a range of index values. An absent bound means that the range is open. */
export type FuelStep = {
  readonly lowerE4?: number
  readonly upperE4?: number
  /** As in `FuelRate`. */
  readonly rateBps: number
  /** Adds `stepRateBps` for each step above `lowerE4`: each full one with `at least`, each started one with `over`. */
  readonly stepE4?: number
  readonly stepRateBps?: number
}

/** The step table of a carrier from a day on. `code` is that of a surcharge with the method `fuel`. */
export type FuelTable = {
  readonly carrierCode: string
  readonly code: string
  readonly validFrom: string
  readonly indexCode: string
  /** Weeks begin on Monday. The figure changes on the first day of each period. */
  readonly period: FuelPeriod
  /** How many periods before the one that is priced the index value lies. */
  readonly lag: number
  readonly per?: FuelUnit
  readonly bounds: StepBounds
  /** Ascending, without gaps. */
  readonly steps: readonly FuelStep[]
}

/** The index value that a fuel figure follows from. */
export type FuelIndexReading = {
  readonly indexCode: string
  readonly valueE4: number
  /** The day of the value. */
  readonly day: string
  /** "at least 2.5 and below 2.55"; absent if the table has no step for the value. */
  readonly step?: string
  /** The first day of the period whose value is missing, if the one of an earlier period is kept. */
  readonly keptSince?: string
}

/** The fuel figure of a carrier and code from a day on, entered or from an index. */
export type FuelInForce = Omit<FuelRate, 'rateBps'> & {
  /** Undefined: there is a table, but no figure. `missing` says why, and products are not offered. */
  readonly rateBps: number | undefined
  readonly missing?: string
  readonly index?: FuelIndexReading
}

/** The largest figures that steps can lead to: 1,000%, or 10,000.00 per parcel or kilogram. */
const [MAX_PERCENT_BPS, MAX_UNIT_BPS] = [100_000, 100_000_000]

/** How many days before the missing period a value may lie that is kept instead. */
const KEPT_DAYS = 31

/** Everything that fuel figures follow from. `rates` are those that were entered. */
export type FuelSources = {
  readonly rates: readonly FuelRate[]
  readonly tables: readonly FuelTable[]
  readonly values: readonly FuelIndexValue[]
}

/**
 * The figures of all carriers by day. A figure of a table begins with each period. Entered figures and tables replace
 * each other: the one with the later first day applies, and of the same day, the entered figure.
 */
export function fuelInForce({ rates, tables, values }: FuelSources): FuelInForce[] {
  const found: FuelInForce[] = [...rates]
  for (const table of tables) {
    const isSame = (other: FuelRate | FuelTable): boolean =>
      other.carrierCode === table.carrierCode && other.code === table.code
    if (rates.some((rate) => isSame(rate) && rate.validFrom === table.validFrom)) continue
    const later = [...rates, ...tables].filter((other) => isSame(other) && other.validFrom > table.validFrom)
    const end = later.reduce((first, { validFrom }) => (validFrom < first ? validFrom : first), NEVER)
    const series = values.filter(({ indexCode }) => indexCode === table.indexCode)
    found.push(...figuresOf(table, end, series.sort(byDay)))
  }
  return found
}

const NEVER = '9999-12-31'

function byDay(a: FuelIndexValue, b: FuelIndexValue): number {
  return a.day < b.day ? -1 : a.day > b.day ? 1 : 0
}

/** The figures of a table up to `end`, exclusive. After the last value has been kept, one figure is missing. */
function figuresOf(table: FuelTable, end: string, values: readonly FuelIndexValue[]): FuelInForce[] {
  const figures: FuelInForce[] = []
  const { carrierCode, code, period, lag, per } = table
  const key = { carrierCode, code, ...(per !== undefined && { per }) }
  let next = 0
  let start = periodOf(period, table.validFrom)
  for (;;) {
    const validFrom = start < table.validFrom ? table.validFrom : start
    if (validFrom >= end) return figures
    const wanted = periodAfter(period, start, -lag)
    const after = periodAfter(period, wanted, 1)
    while (next < values.length && values[next]!.day < after) next++
    const value = values[next - 1]
    const figure = { ...key, validFrom, ...figureOf(table, value, wanted) }
    const last = figures.at(-1)
    // Of several periods without a value, the first one is enough.
    if (!isWithoutValue(figure) || last === undefined || !isWithoutValue(last)) figures.push(figure)
    if (next === values.length && isWithoutValue(figure)) return figures
    start = periodAfter(period, start, 1)
  }
}

function isWithoutValue({ missing, index }: Figure): boolean {
  return missing !== undefined && index === undefined
}

type Figure = Pick<FuelInForce, 'rateBps' | 'missing' | 'index'>

/** `value` is the latest one before the end of the period that begins on `wanted`. */
function figureOf(table: FuelTable, value: FuelIndexValue | undefined, wanted: string): Figure {
  const { indexCode, period } = table
  if (value === undefined || value.day < addDays(wanted, -KEPT_DAYS))
    return {
      rateBps: undefined,
      missing: `the index ${indexCode} has no value of the ${period} of ${wanted}`,
    }
  const { day, valueE4 } = value
  const step = table.steps.find((other) => isWithin(table.bounds, other, valueE4))
  const reading = { indexCode, valueE4, day, ...(day < wanted && { keptSince: wanted }) }
  const rateBps = step && rateIn(table.bounds, step, valueE4)
  if (
    step === undefined ||
    rateBps === undefined ||
    rateBps > (table.per === undefined ? MAX_PERCENT_BPS : MAX_UNIT_BPS)
  ) {
    const missing = `the table has no step for ${indexText(valueE4)}, the value of ${indexCode} of ${day}`
    return { rateBps: undefined, missing, index: reading }
  }
  return { rateBps, index: { ...reading, step: stepText(table.bounds, step) } }
}

function isWithin(bounds: StepBounds, { lowerE4, upperE4 }: FuelStep, valueE4: number): boolean {
  const shifted = bounds === 'over' ? valueE4 - 1 : valueE4
  return (lowerE4 === undefined || shifted >= lowerE4) && (upperE4 === undefined || shifted < upperE4)
}

function rateIn(
  bounds: StepBounds,
  { lowerE4 = 0, rateBps, stepE4, stepRateBps = 0 }: FuelStep,
  valueE4: number,
): number {
  if (stepE4 === undefined) return rateBps
  const steps = (valueE4 - lowerE4) / stepE4
  return rateBps + (bounds === 'over' ? Math.ceil(steps) : Math.floor(steps)) * stepRateBps
}

/** "at least 2.5 and below 2.55", "above 120, in started steps of 5". */
function stepText(bounds: StepBounds, { lowerE4, upperE4, stepE4 }: FuelStep): string {
  const [from, to] = bounds === 'over' ? ['above', 'up to'] : ['at least', 'below']
  const parts = [
    ...(lowerE4 === undefined ? [] : [`${from} ${indexText(lowerE4)}`]),
    ...(upperE4 === undefined ? [] : [`${to} ${indexText(upperE4)}`]),
  ]
  const range = parts.length === 0 ? 'all values' : parts.join(' and ')
  if (stepE4 === undefined) return range
  return `${range}, in ${bounds === 'over' ? 'started' : 'full'} steps of ${indexText(stepE4)}`
}

export function indexText(valueE4: number): string {
  return formatDecimal(valueE4, INDEX_DECIMALS)
}

const DAY_MS = 86_400_000

function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)
}

/** The first day of the week or month of a day. */
export function periodOf(period: FuelPeriod, day: string): string {
  if (period === 'month') return `${day.slice(0, 8)}01`
  return addDays(day, -((new Date(day).getUTCDay() + 6) % 7))
}

/** The first day of a period that is `count` periods later. */
export function periodAfter(period: FuelPeriod, start: string, count: number): string {
  if (period === 'week') return addDays(start, 7 * count)
  const date = new Date(start)
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + count, 1)).toISOString().slice(0, 10)
}
