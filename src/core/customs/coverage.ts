/**
 * What the customs data contain for each country: duties by chapter, taxes, low-value rules and trade agreements, as
 * they are in force on a day. See docs/customs-coverage.md.
 */
import { COUNTRY_CODES } from '../place.ts'
import { isInForce } from '../validity.ts'
import type { CompiledCustoms } from './compiled-customs.ts'
import { agedConfidence, CONFIDENCES, lowestConfidence } from './data/edition.ts'
import { codeLength } from './data/packed-rows.ts'
import type { JurisdictionRow } from './data/row-types/places.ts'
import type { Confidence } from './data/row-types/table.ts'
import type { TaxRow } from './data/row-types/taxes.ts'
import type { DataSetRow } from './data/rows.ts'
import { customsAreaOf, findJurisdiction, tariffAreaOf } from './data/territory.ts'
import type { DutyBasis } from './estimate/duty/basis.ts'
import { findTaxRate } from './estimate/tax.ts'
import { chapterOf } from './tariff/code-run.ts'
import {
  isRowInForce,
  type MeasureStore,
  measureField,
  type RowsByRole,
  rowsByArea,
  valueIndex,
} from './tariff/measure-store.ts'

/** The postal codes of a country can have other jurisdictions; these are the data of the rest of the country. */
export type CountryCoverage = {
  /** ISO 3166-1 alpha-2. */
  readonly country: string
  readonly name: string
  readonly duties: DutyCoverage
  /** In the order of their lines. Without excise and taxes on listed goods only. */
  readonly taxes: readonly TaxCoverage[]
  /** Low-value rules that are switched on, on duty and on tax. */
  readonly dutyRules: number
  readonly taxRules: number
  /** False if it is known that low-value rules are missing. */
  readonly hasAllRules: boolean
  /** Trade agreements with at least one rate. */
  readonly agreements: number
  /** Trade agreements that are mentioned, but have no rates. */
  readonly agreementsWithoutRates: number
  /** The lowest confidence of the duties and of the standard rates of the taxes. */
  readonly confidence: Confidence
}

export type DutyCoverage = {
  /** The basis that most chapters have; of equally frequent ones, the more exact. */
  readonly basis: DutyBasis
  /** The number of chapters by the most exact basis that any of their codes has. */
  readonly chapters: Readonly<Record<DutyBasis, number>>
  /** The data sets of the duties, those with the most rows first, at most three. */
  readonly dataSets: readonly DataSetRow[]
  /** Of most of the rows with that basis. Low if a chapter has no rate, or only an average. */
  readonly confidence: Confidence
}

export type TaxCoverage = {
  readonly name: string
  readonly status: TaxRow['status']
  /** The standard rate. Undefined if none is loaded. */
  readonly ratePpm: number | undefined
  readonly confidence: Confidence
}

/** Chapters of the HS: 01 to 97, without 77. */
export const CHAPTER_COUNT = 96
const LAST_CHAPTER = 97
const RESERVED_CHAPTER = 77
const MAX_DATA_SETS = 3

/** The countries in the order of their codes, by default all. Countries that do not exist are left out. */
export function customsCoverage(
  tables: CompiledCustoms,
  date: string,
  countries: readonly string[] = COUNTRY_CODES,
): readonly CountryCoverage[] {
  const areaOf = areaReader(tables, date)
  return COUNTRY_CODES.filter((country) => countries.includes(country)).map((country) => {
    const jurisdiction = findJurisdiction(tables, { country })
    return countryCoverage(tables, country, jurisdiction, areaOf(tariffAreaOf(jurisdiction)), date)
  })
}

/** The areas of the last day, by tables. Reading 200,000 measures takes several milliseconds. */
const READERS = new WeakMap<CompiledCustoms, { readonly date: string; readonly areaOf: ReadArea }>()

type ReadArea = (area: string) => AreaCoverage

function areaReader(tables: CompiledCustoms, date: string): ReadArea {
  const cached = READERS.get(tables)
  if (cached?.date === date) return cached.areaOf
  const rows = rowsByArea(tables.measures)
  const areas = new Map<string, AreaCoverage>()
  const areaOf = (area: string): AreaCoverage => {
    const known = areas.get(area) ?? areaCoverage(tables, rows.get(area), date)
    areas.set(area, known)
    return known
  }
  READERS.set(tables, { date, areaOf })
  return areaOf
}

function countryCoverage(
  tables: CompiledCustoms,
  country: string,
  jurisdiction: JurisdictionRow,
  area: AreaCoverage,
  date: string,
): CountryCoverage {
  const taxes = taxCoverage(tables, jurisdiction.code, date)
  const rulesOn = (key: string): number =>
    (tables.thresholds.get(key) ?? []).filter(({ row }) => isInForce(row, date)).length
  return {
    country,
    name: jurisdiction.name,
    ...area,
    taxes,
    dutyRules: rulesOn(`${customsAreaOf(jurisdiction)} duty`),
    taxRules: rulesOn(`${jurisdiction.code} tax`),
    hasAllRules: jurisdiction.reliefs === 'considered',
    confidence: lowestConfidence([area.duties, ...taxes], ({ confidence }) => confidence),
  }
}

function taxCoverage(tables: CompiledCustoms, jurisdiction: string, date: string): readonly TaxCoverage[] {
  const taxes = (tables.taxes.get(jurisdiction) ?? []).filter(
    ({ row }) => row.kind !== 'EXCISE' && row.codePrefixes.length === 0,
  )
  if (taxes.length === 0)
    return [{ name: 'Import tax', status: 'not_estimated', ratePpm: undefined, confidence: 'low' }]
  return taxes.map((tax) => {
    const { name, status } = tax.row
    const rate = status === 'levied' ? findTaxRate(tax, '', date)?.row : undefined
    const isKnown = status === 'none' || rate !== undefined
    return {
      name,
      status,
      ratePpm: rate?.ratePpm,
      confidence: agedConfidence(
        rate?.confidence ?? (isKnown ? 'medium' : 'low'),
        tables.dataSets.get((rate ?? tax.row).dataSet),
        date,
      ),
    }
  })
}

type AreaCoverage = Pick<CountryCoverage, 'duties' | 'agreements' | 'agreementsWithoutRates'>

function areaCoverage(tables: CompiledCustoms, rows: RowsByRole | undefined, date: string): AreaCoverage {
  const { measures } = tables
  const inForce = (list: readonly number[] = []): readonly number[] =>
    list.filter((row) => isRowInForce(measures, row, date))
  const preferences = inForce(rows?.preference)
  const agreement = (row: number): string => measureField(measures, 'agreement', row)
  const applied = new Set(preferences.filter((row) => isRateLoaded(measures, row)).map(agreement))
  const mentioned = new Set(preferences.map(agreement).filter((name) => !applied.has(name)))
  return {
    duties: dutyCoverage(tables, inForce([...(rows?.base ?? []), ...(rows?.average ?? [])]), date),
    agreements: applied.size,
    agreementsWithoutRates: mentioned.size,
  }
}

function isRateLoaded(measures: MeasureStore, row: number): boolean {
  const condition = measureField(measures, 'condition', row)
  return condition !== 'not_loaded' && condition !== 'range_only'
}

const BASIS_OF_LEVEL = { line: 'NATIONAL_LINE', subheading: 'SUBHEADING', average: 'GROUP_AVERAGE' } as const
/** The most exact first. */
const LOADED = ['NATIONAL_LINE', 'SUBHEADING', 'GROUP_AVERAGE'] as const
const BASES: readonly DutyBasis[] = [...LOADED, 'NOT_LOADED']

type Loaded = (typeof LOADED)[number]

function dutyCoverage(
  { measures, dataSets }: CompiledCustoms,
  rows: readonly number[],
  date: string,
): DutyCoverage {
  const bases = new Map<number, Loaded>()
  const sets = new Map<number, number>()
  const confidences = new Map<Loaded, Map<number, number>>(LOADED.map((basis) => [basis, new Map()]))
  for (const row of rows) {
    if (!isRateLoaded(measures, row)) continue
    const basis = BASIS_OF_LEVEL[measureField(measures, 'level', row)]
    for (const chapter of chaptersOf(measures.codes[row] ?? 0))
      if (
        LOADED.indexOf(basis) < LOADED.indexOf(bases.get(chapter) ?? 'GROUP_AVERAGE') ||
        !bases.has(chapter)
      )
        bases.set(chapter, basis)
    count(sets, valueIndex(measures, 'dataSet', row))
    count(confidences.get(basis)!, valueIndex(measures, 'confidence', row))
  }
  const chapters = {
    NATIONAL_LINE: 0,
    SUBHEADING: 0,
    GROUP_AVERAGE: 0,
    NOT_LOADED: CHAPTER_COUNT - bases.size,
  }
  for (const basis of bases.values()) chapters[basis] += 1
  const basis = BASES.reduce((best, other) => (chapters[other] > chapters[best] ? other : best))
  const isComplete = chapters.NOT_LOADED === 0 && chapters.GROUP_AVERAGE === 0
  const [confidence] = basis === 'NOT_LOADED' ? [] : mostFrequent(confidences.get(basis)!)
  const { dataSet, confidence: confidenceColumn } = measures.packed.columns
  const largest = mostFrequent(sets)
    .slice(0, MAX_DATA_SETS)
    .flatMap((index) => dataSets.get(String(dataSet.values[index])) ?? [])
  const usual =
    !isComplete || confidence === undefined
      ? 'low'
      : (CONFIDENCES.find((name) => name === confidenceColumn.values[confidence]) ?? 'low')
  return { basis, chapters, dataSets: largest, confidence: agedConfidence(usual, largest[0], date) }
}

/** The chapters of a code key: one, or all for the empty code. */
function chaptersOf(key: number): readonly number[] {
  if (codeLength(key) === 0) return ALL_CHAPTERS
  const chapter = chapterOf(key)
  return chapter >= 1 && chapter <= LAST_CHAPTER && chapter !== RESERVED_CHAPTER ? [chapter] : []
}

const ALL_CHAPTERS = Array.from({ length: LAST_CHAPTER }, (_, index) => index + 1).filter(
  (chapter) => chapter !== RESERVED_CHAPTER,
)

function count(counts: Map<number, number>, key: number): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

function mostFrequent(counts: ReadonlyMap<number, number>): readonly number[] {
  return [...counts].sort((a, b) => b[1] - a[1]).map(([key]) => key)
}
