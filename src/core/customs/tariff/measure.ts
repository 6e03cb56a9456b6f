/**
 * A duty measure, compiled from its row: which parts of its rate can be calculated, and the rate as text.
 * See docs/customs-files.md for the columns of measures.
 */
import type { MeasureRow, MeasureTypeRow } from '../data/rows.ts'
import { type Exact, exactOf, reducedFraction } from '../exact.ts'
import { type DutyParts, formatDutyRate, formatSpecific, parseDutyParts } from './duty-text.ts'
import { type OriginGroups, type OriginScope, originScopes } from './origin.ts'
import { type QuantityUnit, readQuantityUnit } from './quantity-unit.ts'

export type RatePart = {
  /** Units of the currency. */
  readonly amount: Exact
  readonly currency: string
  readonly unit: QuantityUnit
  /** "9 EUR/100 kg". */
  readonly text: string
}

/** A sum of terms. */
export type RateParts = {
  /** Share of the value; absent if there is none. */
  readonly rate?: Exact
  readonly specifics: readonly RatePart[]
  /** Terms that depend on facts that no request contains ("EA", "6% on the case"). */
  readonly open: readonly string[]
}

export type Measure = {
  readonly row: MeasureRow
  readonly type: MeasureTypeRow
  /** The name of its line. */
  readonly name: string
  readonly origins: OriginScope
  readonly base: RateParts
  readonly minimum: RateParts | undefined
  readonly maximum: RateParts | undefined
  /** True if the rate is only a share of the value. */
  readonly isShareOnly: boolean
  /** The rate as published. */
  readonly rateText: string
}

/** Objects that measures share to save memory: plain rates (a few hundred) and origin scopes. */
export type SharedParts = {
  readonly rates: Map<number, RateParts>
  readonly scopeOf: (row: MeasureRow) => OriginScope
}

export function openSharedParts(groups: OriginGroups): SharedParts {
  return { rates: new Map(), scopeOf: originScopes(groups) }
}

/** @throws Error for a rate text that cannot be parsed. Imports check rates, so this is a bug. */
export function compileMeasure(row: MeasureRow, type: MeasureTypeRow, shared: SharedParts): Measure {
  const name =
    row.agreement === '' || type.role !== 'preference' ? type.name : `${type.name} (${row.agreement})`
  const isPlain = row.specific === '' && row.minimum === '' && row.maximum === ''
  return {
    row,
    type,
    name,
    origins: shared.scopeOf(row),
    base: isPlain ? plainShare(row.adValoremPpm, shared.rates) : sumParts(row),
    minimum: boundOf(row, row.minimum),
    maximum: boundOf(row, row.maximum),
    isShareOnly: isPlain && row.adValoremPpm !== null,
    rateText: row.text === '' ? formatDutyRate(row) : row.text,
  }
}

const NOTHING: RateParts = { specifics: [], open: [] }

function plainShare(ppm: number | null, cache: Map<number, RateParts>): RateParts {
  if (ppm === null) return NOTHING
  let parts = cache.get(ppm)
  if (parts === undefined) {
    parts = { rate: rateOf(ppm), specifics: [], open: [] }
    cache.set(ppm, parts)
  }
  return parts
}

export function rateOf(ppm: number): Exact {
  return reducedFraction(ppm, 1_000_000)
}

function sumParts(row: MeasureRow): RateParts {
  const parts = row.specific === '' ? NOTHING : readParts(row, row.specific)
  return row.adValoremPpm === null ? parts : { ...parts, rate: rateOf(row.adValoremPpm) }
}

function boundOf(row: MeasureRow, text: string): RateParts | undefined {
  return text === '' ? undefined : readParts(row, text)
}

function readParts(row: MeasureRow, text: string): RateParts {
  const parts = parseDutyParts(text)
  if (parts === undefined)
    throw new Error(`duty of ${row.jurisdiction} ${row.codePrefix} not understood: ${text}`)
  return compileParts(parts)
}

function compileParts({ adValoremPpm, specifics, open }: DutyParts): RateParts {
  return {
    ...(adValoremPpm !== undefined && { rate: rateOf(adValoremPpm) }),
    specifics: specifics.map((part) => ({
      amount: exactOf(part.amountMicros, 6),
      currency: part.currency,
      unit: readQuantityUnit(part.unit),
      text: formatSpecific(part),
    })),
    open,
  }
}

/** True if the measure has a part other than a share of the value. */
export function hasOtherPart({ row }: Measure): boolean {
  return [row.specific, row.minimum, row.maximum, row.condition].some((part) => part !== '')
}

/** True if the data has the whole rate, so that a request with all quantities can be calculated. */
export function isRateKnown({ row }: Measure): boolean {
  return row.condition === ''
}
