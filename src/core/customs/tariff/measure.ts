/**
 * A duty measure with its texts read. Decided here: what of a rate can be worked out at all, and how a rate reads.
 * Source: the measure rows; design note on customs, "Never code a tariff".
 */

import type { MeasureRow, MeasureTypeRow } from '../data/rows.ts'
import { type Exact, exactOf, reducedFraction } from '../exact.ts'
import { type DutyParts, formatDutyRate, formatSpecific, parseDutyParts } from './duty-text.ts'
import { type OriginGroups, type OriginScope, originScopes } from './origin.ts'
import { type QuantityUnit, readQuantityUnit } from './quantity-unit.ts'

/** An amount per quantity. */
export type RatePart = {
  /** Units of the currency. */
  readonly amount: Exact
  readonly currency: string
  readonly unit: QuantityUnit
  /** "9 EUR/100 kg". */
  readonly text: string
}

/** A sum of parts. */
export type RateParts = {
  /** Share of the value; absent where there is none. */
  readonly rate?: Exact
  readonly specifics: readonly RatePart[]
  /** Parts that need what no request says ("EA", "6% on the case"). */
  readonly open: readonly string[]
}

/** A measure ready for use. */
export type Measure = {
  readonly row: MeasureRow
  readonly type: MeasureTypeRow
  /** As its line is named. */
  readonly name: string
  readonly origins: OriginScope
  readonly base: RateParts
  readonly minimum: RateParts | undefined
  readonly maximum: RateParts | undefined
  /** True for a plain share of the value. */
  readonly isShareOnly: boolean
  /** The rate as published. */
  readonly rateText: string
}

/** What the measures of a set of tables share: plain rates (a few hundred figures) and scopes of origins. */
export type SharedParts = {
  readonly rates: Map<number, RateParts>
  readonly scopeOf: (row: MeasureRow) => OriginScope
}

/** Shared parts for measures that are compiled together. */
export function openSharedParts(groups: OriginGroups): SharedParts {
  return { rates: new Map(), scopeOf: originScopes(groups) }
}

/** Reads the texts of a row. Throws when one is not understood: a publication is checked before. */
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

/** Parts per million as a fraction. */
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

/** True when the measure has a part that is no share of the value. */
export function hasOtherPart({ row }: Measure): boolean {
  return [row.specific, row.minimum, row.maximum, row.condition].some((part) => part !== '')
}

/** True when the published rate says all there is to know, so that a request with quantities could be worked out. */
export function isRateKnown({ row }: Measure): boolean {
  return row.condition === ''
}
