/**
 * Rates of excise duties, compiled from their rows, and the selection of a rate by code, day and alcoholic strength.
 * See docs/customs-files.md for the columns, and docs/customs-data.md#excise.
 */
import { isInForce, latestFirst } from '../../validity.ts'
import type { ExciseRateRow } from '../data/row-types/taxes.ts'
import { compare, type Exact, exactOf } from '../exact.ts'
import { formatDutyRate, formatPercent, parseDutyParts } from './duty-text.ts'
import { compileParts, type RateParts, rateOf } from './measure.ts'
import { indexByPrefix, type PrefixIndex } from './measure-index.ts'

export type ExciseRate = {
  readonly row: ExciseRateRow
  /** The share of the retail price is an open part. */
  readonly base: RateParts
  readonly minimum: RateParts | undefined
  /** The rate as published. */
  readonly rateText: string
}

/** The rates of one jurisdiction. */
export type ExciseRates = PrefixIndex<ExciseRate>

/** @throws Error for a rate text that cannot be parsed. Imports check rates, so this is a bug. */
export function compileExciseRates(rows: readonly ExciseRateRow[]): ExciseRates {
  return indexByPrefix([...rows].sort(latestFirst).map((row) => [row.codePrefix, compileRate(row)] as const))
}

function compileRate(row: ExciseRateRow): ExciseRate {
  const { adValoremPpm, retailPricePpm, specific, minimum, text } = row
  const parts = specific === '' ? { specifics: [], open: [] } : readParts(row, specific)
  const retail = retailPricePpm === null ? '' : `${formatPercent(retailPricePpm)} of the retail price`
  const rest = formatDutyRate({ adValoremPpm, specific, minimum, maximum: '' })
  return {
    row,
    base: {
      ...parts,
      ...(adValoremPpm !== null && { rate: rateOf(adValoremPpm) }),
      open: retail === '' ? parts.open : [...parts.open, retail],
    },
    minimum: minimum === '' ? undefined : readParts(row, minimum),
    rateText: text === '' ? joined(retail, rest) : text,
  }
}

/** "16.5% of the retail price + 394.09 GBP/1000 sticks MIN 526.1 GBP/1000 sticks" */
function joined(retail: string, rest: string): string {
  if (retail === '' || rest === '') return `${retail}${rest}`
  return rest.startsWith('MIN') ? `${retail} ${rest}` : `${retail} + ${rest}`
}

function readParts({ jurisdiction, excise, codePrefix }: ExciseRateRow, text: string): RateParts {
  const parts = parseDutyParts(text)
  if (parts === undefined)
    throw new Error(`excise ${jurisdiction} ${excise} ${codePrefix} not understood: ${text}`)
  return compileParts(parts)
}

/** For each excise on a code: the rates in force with the longest prefix, which differ in strength only. */
export function excisesOn({ byPrefix, lengths }: ExciseRates, code: string, date: string): ExciseRate[][] {
  const found = new Map<string, { readonly length: number; readonly rates: ExciseRate[] }>()
  for (const length of lengths) {
    if (length > code.length) continue
    for (const rate of byPrefix.get(code.slice(0, length)) ?? []) {
      if (!isInForce(rate.row, date)) continue
      const { excise } = rate.row
      const known = found.get(excise)
      if (known === undefined) found.set(excise, { length, rates: [rate] })
      else if (known.length === length) known.rates.push(rate)
    }
  }
  return [...found.values()].map(({ rates }) => rates)
}

/**
 * The rate for goods of a strength (alcohol by volume as a fraction). 'strengthNeeded': it depends on the strength,
 * which is not known. Undefined: goods of this strength are not subject to the excise.
 */
export function rateForStrength(
  rates: readonly ExciseRate[],
  strength: Exact | undefined,
): ExciseRate | 'strengthNeeded' | undefined {
  if (strength !== undefined) return rates.find(({ row }) => hasStrength(row, strength))
  const [first] = rates
  return first !== undefined && isForAnyStrength(first.row) ? first : 'strengthNeeded'
}

function isForAnyStrength({ strengthAbovePpm, strengthUpToPpm }: ExciseRateRow): boolean {
  return strengthAbovePpm === null && strengthUpToPpm === null
}

function hasStrength({ strengthAbovePpm, strengthUpToPpm }: ExciseRateRow, strength: Exact): boolean {
  const isAbove = strengthAbovePpm === null || compare(strength, exactOf(strengthAbovePpm, 6)) > 0
  return isAbove && (strengthUpToPpm === null || compare(strength, exactOf(strengthUpToPpm, 6)) <= 0)
}
