/**
 * A duty measure, compiled from its row: which parts of its rate can be calculated, the rate as text, and
 * whether it applies to goods of a country of origin.
 * See docs/customs-files.md for the columns of measures.
 */
import type { MeasureRow, MeasureTypeRow } from '../data/row-types/measures.ts'
import type { OriginGroupRow } from '../data/row-types/places.ts'
import { type Exact, exactOf, reducedFraction } from '../exact.ts'
import { parseEntryPrices, parseSeasons, type SeasonRate } from './conditional-rate.ts'
import {
  type DutyParts,
  type DutyRate,
  type DutyRateColumns,
  formatDutyParts,
  formatDutyRate,
  formatSpecific,
  parseDutyParts,
  type SpecificPart,
} from './duty-text.ts'
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
  /** This share, if it applies without a condition. An estimate reads nothing else of most measures. */
  readonly share: Exact | undefined
  /** The rate as published. */
  readonly rateText: string
  /** Of a seasonal duty, or a duty by entry price, whose text is understood. */
  readonly variants?: MeasureVariants
}

/** Measures that replace one measure. The day or the price of the goods decides which of them applies. */
export type MeasureVariants =
  | {
      readonly dependsOn: 'season'
      readonly seasons: readonly { readonly season: SeasonRate; readonly measure: Measure }[]
    }
  /** The highest price first. */
  | {
      readonly dependsOn: 'price'
      readonly prices: readonly { readonly price: RatePart; readonly measure: Measure }[]
    }

/** Objects that measures share to save memory: rates (a few thousand) and origin scopes. */
export type SharedParts = {
  readonly shares: Map<number, RateParts>
  /** The parts of a rate text; undefined if it cannot be parsed. */
  readonly partsOf: (text: string) => RateParts | undefined
  readonly scopeOf: (row: NamedOrigins) => OriginScope
}

export function openSharedParts(groups: OriginGroups): SharedParts {
  const parts = new Map<string, RateParts | undefined>()
  const partsOf = (text: string): RateParts | undefined => {
    if (!parts.has(text)) {
      const parsed = parseDutyParts(text)
      parts.set(text, parsed && compileParts(parsed))
    }
    return parts.get(text)
  }
  return { shares: new Map(), partsOf, scopeOf: originScopes(groups) }
}

/** @throws Error for a rate text that cannot be parsed. Imports check rates, so this is a bug. */
export function compileMeasure(row: MeasureRow, type: MeasureTypeRow, shared: SharedParts): Measure {
  const isPlain = row.specific === '' && row.minimum === '' && row.maximum === ''
  const base = isPlain ? plainShare(row.adValoremPpm, shared.shares) : sumParts(row, shared)
  const measure: Measure = {
    row,
    type,
    name: measureName(row, type),
    origins: shared.scopeOf(row),
    base,
    minimum: boundOf(row, row.minimum, shared),
    maximum: boundOf(row, row.maximum, shared),
    isShareOnly: isPlain && row.adValoremPpm !== null,
    share: isPlain && row.condition === '' ? base.rate : undefined,
    rateText: row.text === '' ? formatDutyRate(row) : row.text,
  }
  return row.condition === '' ? measure : { ...measure, ...variantsOf(row, type, shared) }
}

function variantsOf(
  row: MeasureRow,
  type: MeasureTypeRow,
  shared: SharedParts,
): { readonly variants?: MeasureVariants } {
  const variant = (rate: DutyRate, note: string): Measure =>
    compileMeasure(
      { ...row, ...rateColumns(rate), condition: '', text: '', note: joined(row.note, note) },
      type,
      shared,
    )
  if (row.condition === 'seasonal') {
    const seasons = parseSeasons(row.text)?.map((season) => ({
      season,
      measure: variant(season.rate, `Seasonal duty: ${row.text}.`),
    }))
    return seasons === undefined ? {} : { variants: { dependsOn: 'season', seasons } }
  }
  if (row.condition !== 'entry_price') return {}
  const prices = parseEntryPrices(row.text)?.map(({ price, rate }) => ({
    price: compileSpecific(price),
    measure: variant(rate, `Duty at an entry price from ${formatSpecific(price)}.`),
  }))
  return prices === undefined ? {} : { variants: { dependsOn: 'price', prices } }
}

/** True for the published measure, and for the measures of its seasons or prices. */
export function isSameOrVariant(published: Measure, measure: Measure): boolean {
  if (published === measure) return true
  const { variants } = published
  if (variants === undefined) return false
  const list = variants.dependsOn === 'season' ? variants.seasons : variants.prices
  return list.some((variant) => variant.measure === measure)
}

function joined(note: string, added: string): string {
  return note === '' ? added : `${note} ${added}`
}

function rateColumns({ base, minimum, maximum }: DutyRate): DutyRateColumns {
  const { adValoremPpm, ...rest } = base
  return {
    adValoremPpm: adValoremPpm ?? null,
    specific: formatDutyParts(rest),
    minimum: minimum === undefined ? '' : formatDutyParts(minimum),
    maximum: maximum === undefined ? '' : formatDutyParts(maximum),
  }
}

function measureName({ agreement, level }: MeasureRow, { name, role }: MeasureTypeRow): string {
  if (level === 'average') return `${name} (average)`
  return agreement === '' || role !== 'preference' ? name : `${name} (${agreement})`
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

function sumParts(row: MeasureRow, shared: SharedParts): RateParts {
  const parts = row.specific === '' ? NOTHING : readParts(row, row.specific, shared)
  return row.adValoremPpm === null ? parts : { ...parts, rate: rateOf(row.adValoremPpm) }
}

function boundOf(row: MeasureRow, text: string, shared: SharedParts): RateParts | undefined {
  return text === '' ? undefined : readParts(row, text, shared)
}

function readParts(row: MeasureRow, text: string, shared: SharedParts): RateParts {
  const parts = shared.partsOf(text)
  if (parts === undefined) throw new Error(notUnderstood(row, text))
  return parts
}

export function notUnderstood({ jurisdiction, codePrefix }: MeasureRow, text: string): string {
  return `duty of ${jurisdiction} ${codePrefix} not understood: ${text}`
}

export function compileParts({ adValoremPpm, specifics, open }: DutyParts): RateParts {
  return {
    ...(adValoremPpm !== undefined && { rate: rateOf(adValoremPpm) }),
    specifics: specifics.map(compileSpecific),
    open,
  }
}

function compileSpecific(part: SpecificPart): RatePart {
  return {
    amount: exactOf(part.amountMicros, 6),
    currency: part.currency,
    unit: readQuantityUnit(part.unit),
    text: formatSpecific(part),
  }
}

/** The parts of a rate other than a share of the value. */
export const OTHER_PARTS = ['specific', 'minimum', 'maximum', 'condition'] as const

/** True for the average rate of a group of goods, which stands in for the unknown rate of a code. */
export function isAverage({ row }: Measure): boolean {
  return row.level === 'average'
}

/** True if the data has the whole rate, so that a request with all quantities can be calculated. */
export function isRateKnown({ row }: Measure): boolean {
  return row.condition === ''
}

// Origins. A row for a country is narrower than one for a group, and a group is narrower than all origins. Exclusions
// take precedence.

/** In rows: any origin. */
export const ALL_ORIGINS = 'ALL'

/** By country: the groups it belongs to. */
export type OriginGroups = ReadonlyMap<string, ReadonlySet<string>>

export function compileOriginGroups(rows: readonly OriginGroupRow[]): OriginGroups {
  const groups = new Map<string, Set<string>>()
  for (const { country, originGroup } of rows) {
    const known = groups.get(country)
    if (known === undefined) groups.set(country, new Set([originGroup]))
    else known.add(originGroup)
  }
  return groups
}

/** How narrowly a row names an origin: 3 by country, 2 by group, 1 by 'ALL', 0 not at all. */
export function originRank(groups: OriginGroups, named: string, origin: string): number {
  if (named === origin) return 3
  if (named === ALL_ORIGINS) return 1
  return groups.get(origin)?.has(named) ? 2 : 0
}

/** The origins that a measure applies to. Measures that name the same origins share one scope with its cached ranks. */
export type OriginScope = {
  readonly groups: OriginGroups
  readonly named: string
  readonly excluded: readonly string[]
  readonly ranks: Map<string, number>
}

/** The origins that a row names, and those that it excludes. */
export type NamedOrigins = Pick<MeasureRow, 'originGroup' | 'excludedOrigins'>

/** Returns the scope of a row; the same object for all rows that name the same origins. */
export function originScopes(groups: OriginGroups): (row: NamedOrigins) => OriginScope {
  const scopes = new Map<string, OriginScope>()
  return ({ originGroup, excludedOrigins }) => {
    const key = excludedOrigins.length === 0 ? originGroup : `${originGroup} ${excludedOrigins.join(' ')}`
    let scope = scopes.get(key)
    if (scope === undefined) {
      scope = { groups, named: originGroup, excluded: excludedOrigins, ranks: new Map() }
      scopes.set(key, scope)
    }
    return scope
  }
}

/** The rank of an origin (see `originRank`); 0 if the scope excludes it. */
export function scopeRank(scope: OriginScope, origin: string): number {
  let rank = scope.ranks.get(origin)
  if (rank === undefined) {
    const isExcluded = scope.excluded.some((named) => originRank(scope.groups, named, origin) > 0)
    rank = isExcluded ? 0 : originRank(scope.groups, scope.named, origin)
    scope.ranks.set(origin, rank)
  }
  return rank
}
