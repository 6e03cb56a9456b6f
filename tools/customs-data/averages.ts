/**
 * Writes averages of chapters and ranges of countries. Sources, in the folder of collected tables: averages by chapter
 * that were worked out from national tariffs (chapters_hs.csv), and averages of applied duties of all countries up to
 * 2019 (wits_all_countries_effective_to_2019.csv, WITS/TRAINS by the World Bank).
 *
 * An average is written only for chapters with a code that no tariff row covers. An average or range that is known to
 * be far too low is not written; see docs/customs-files.md#averages-and-ranges.
 */
import type { MeasureRow } from '../../src/core/customs/data/row-types/measures.ts'
import { groupBy } from '../../src/core/group-by.ts'
import { readHs2022Codes, readShippedCustomsData } from '../../src/reference/customs.ts'
import { CHAPTER_NAMES } from './chapter-names.ts'
import { ISO3_COUNTRIES } from './countries.ts'
import { readSource, type SourceLine, sourceCell, writeTable } from './files.ts'

const HEADER =
  'jurisdiction,code_prefix,ad_valorem_percent,condition,level,goods,lowest_percent,highest_percent,lines,note'

const LEVEL = 'average'
const RANGE_ONLY = 'range_only'

type Source = {
  /** The country of the source. */
  readonly country: string
  /** The tariff that the averages were worked out from; counts the codes. */
  readonly tariff: string
  /** Chapters that are left out. */
  readonly without?: readonly string[]
  readonly note?: string
}

/** Argentina reduced the duties on textiles and clothing below the common tariff. */
const ARGENTINE_REDUCTIONS = '50 51 52 53 54 55 56 57 58 59 60 61 62 63 64'.split(' ')

/** The averages that may be used, by customs area. */
const SOURCES: Readonly<Record<string, Source>> = {
  ECOWAS: { country: 'NG', tariff: 'tariffs/ecowas_cet_ng.csv' },
  CEMAC: { country: 'CM', tariff: 'tariffs/cemac_cet_cm.csv' },
  SACU: { country: 'ZA', tariff: 'tariffs/za_2026-02-13.csv', without: ['98', '99'] },
  GCC: { country: 'AE', tariff: 'hs6/ae_hs6_2023.csv', without: ['02', '22'] },
  BR: {
    country: 'BR_pre2022',
    tariff: 'tariffs/br_tec_hs2017.csv',
    note: 'Figures from before the reduction of 10% in 2022.',
  },
  CN: { country: 'CN', tariff: 'tariffs/cn_mfn_2019-06.csv' },
  JP: { country: 'JP', tariff: 'tariffs/jp_2026-07.csv' },
  VN: { country: 'VN', tariff: 'hs6/vn_8digit_hs2012.csv', note: 'Base rates of 2015.' },
  MX: {
    country: 'MX',
    tariff: 'hs6/mx_8digit_2026-05.csv',
    note: 'Figures of the lines that are loaded, of May 2026.',
  },
  IN: { country: 'IN', tariff: 'hs6/in_hs6_2023.csv' },
  AR: {
    country: 'BR_pre2022',
    tariff: 'tariffs/br_tec_hs2017.csv',
    without: ARGENTINE_REDUCTIONS,
    note: 'Figures of the common tariff of Mercosur, from before its reduction of 10% in 2022.',
  },
}

/** `folder` has the folders `groups`, `hs6` and `tariffs`. */
export function writeAverages(folder: string): void {
  const { measures } = readShippedCustomsData()
  const rows = measures.filter((row) => row.measureType === 'third_country_duty' && row.level !== 'average')
  const known = new Map(
    [...groupBy(rows, (row) => row.jurisdiction)].map(([area, list]) => [area, prefixesOf(list)]),
  )
  const uncovered = (area: string): readonly string[] =>
    [...readHs2022Codes()].filter((code) => code !== ELECTRICITY && !isCovered(known.get(area), code))
  const averages = chapterAverages(folder, uncovered)
  writeTable('averages.csv', HEADER, averages)
  const chapters = new Set(averages.map(([area = '', chapter = '']) => area + chapter))
  writeRanges(folder, (area) => uncovered(area).some((code) => !chapters.has(area + code.slice(0, 2))))
}

/** The prefixes of rows, and the six-digit codes above them: a group of lines gives its six digits a rate. */
function prefixesOf(rows: readonly MeasureRow[]): ReadonlySet<string> {
  return new Set(rows.flatMap(({ codePrefix }) => [codePrefix, codePrefix.slice(0, 6)]))
}

function isCovered(prefixes: ReadonlySet<string> | undefined, code: string): boolean {
  return prefixes !== undefined && [0, 2, 4, 6].some((length) => prefixes.has(code.slice(0, length)))
}

function chapterAverages(
  folder: string,
  uncovered: (area: string) => readonly string[],
): readonly (readonly string[])[] {
  const averages = groupBy(readSource(folder, 'groups/chapters_hs.csv'), (line) =>
    sourceCell(line, 'country'),
  )
  return Object.entries(SOURCES).flatMap(([area, { country, tariff, without = [], note = '' }]) => {
    const codes = groupBy(sixDigits(folder, tariff), (code) => code.slice(0, 2))
    const open = new Set(uncovered(area).map((code) => code.slice(0, 2)))
    return (averages.get(country) ?? []).flatMap((line) => {
      const chapter = sourceCell(line, 'group_or_code').slice('HS'.length)
      if (!open.has(chapter) || without.includes(chapter)) return []
      const [average, lowest, highest] = ['avg_mfn_percent', 'min', 'max'].map((column) =>
        trimmed(sourceCell(line, column)),
      )
      const cells = [average ?? '', '', LEVEL, CHAPTER_NAMES[chapter] ?? '', lowest ?? '', highest ?? '']
      return [[area, chapter, ...cells, String(codes.get(chapter)?.length ?? ''), note]]
    })
  })
}

function sixDigits(folder: string, tariff: string): readonly string[] {
  const codes = readSource(folder, tariff).map((line) => sourceCell(line, 'code').slice(0, 6))
  return [...new Set(codes)].filter((code) => code.length === 6)
}

/** "13.0" as "13". */
function trimmed(percent: string): string {
  return percent === '' ? '' : String(Number(percent))
}

const ALL_GOODS = 'all goods'

/** In percent. */
type Range = { readonly range: readonly [number, number]; readonly note: string }

/** Bands of rates of which the goods are not known. A range replaces an average that is missing or far too low. */
const BANDS: Readonly<Record<string, { readonly range?: readonly [number, number]; readonly note: string }>> =
  {
    ...Object.fromEntries(
      ['KE', 'UG', 'TZ', 'RW', 'BI'].map((country) => [country, { note: 'Rates are 0%, 10%, 25% and 35%.' }]),
    ),
    ...Object.fromEntries(
      ['SS', 'CD', 'SO'].map((country) => [
        country,
        { range: [0, 35] as const, note: 'Rates of the East African Community are 0%, 10%, 25% and 35%.' },
      ]),
    ),
    NZ: { note: 'Rates are 0%, 5% and 10%.' },
    PE: { note: 'Rates are 0%, 6% and 11%.' },
    MX: {
      range: [5, 50],
      note: 'Since 2026 goods without an agreement are subject to 5% to 50% on 1,463 lines.',
    },
    SA: { range: [5, 25], note: 'Many duties were raised to between 6.5% and 25% in 2020.' },
  }

/**
 * Countries whose duties on food are amounts per quantity, and whose other duties are loaded. The average of all goods
 * is far too low for food.
 */
const HIGH_FOOD_DUTIES = ['CH', 'NO', 'IS']

/** Countries with a range in another file. */
const OTHER_RANGES = ['AU']

/** Electricity, which is not sent in parcels. Some sources lack it. */
const ELECTRICITY = '271600'

/**
 * Ranges of countries that have neither a tariff row nor an average for some code. A country without its own tariff
 * area has none.
 */
function writeRanges(folder: string, isIncomplete: (area: string) => boolean): void {
  const { jurisdictions } = readShippedCustomsData()
  const areas = new Set(jurisdictions.map((row) => row.tariffOf || (row.customsAreas[0] ?? row.code)))
  const averages = new Map(
    readSource(folder, 'groups/wits_all_countries_effective_to_2019.csv').flatMap((line) => {
      const country = ISO3_COUNTRIES[sourceCell(line, 'iso3')]
      return country === undefined ? [] : [[country, averageRange(line)] as const]
    }),
  )
  const countries = [...new Set([...averages.keys(), ...Object.keys(BANDS)])].sort()
  const rows = countries.flatMap((country) => {
    const average = averages.get(country)
    const band = BANDS[country]
    if (!areas.has(country) || !isIncomplete(country)) return []
    if ([...HIGH_FOOD_DUTIES, ...OTHER_RANGES].includes(country)) return []
    const range = band?.range ?? average?.range
    if (range === undefined) return []
    const note = [band?.range === undefined ? average?.note : undefined, band?.note]
    const cells = [...range.map(String), '', note.filter((part) => part !== undefined).join(' ')]
    return [[country, '', '', RANGE_ONLY, LEVEL, ALL_GOODS, ...cells]]
  })
  rows.push([
    'NO',
    '63',
    '',
    RANGE_ONLY,
    LEVEL,
    'household textiles',
    '0',
    '10.7',
    '',
    'Rates are 0% and 10.7%.',
  ])
  writeTable('duty-ranges.csv', HEADER, rows)
}

/** Rates up to 3000% are equivalents of amounts per quantity. Averages with them are distorted. */
const DISTORTED_MAX = 1_000
const DISTORTED_FACTOR = 2.5
const NARROW = 0.5

/**
 * From the lowest to the highest average, in percent: of all goods and of consumer goods, in the latest year and in the
 * highest year from 2014. If they are equal, the averages of capital, intermediate and raw goods count as well.
 */
function averageRange(line: SourceLine): Range | undefined {
  const numbers = (...columns: readonly string[]): readonly number[] =>
    columns.map((column) => sourceCell(line, column)).flatMap((cell) => (cell === '' ? [] : [Number(cell)]))
  const all = numbers('simple_avg_effective', 'highest_simple_avg_2014_2019')
  const [max = 0] = numbers('max')
  const consumer = numbers('consumer_last', 'consumer_highest').filter(
    (average) => max < DISTORTED_MAX || average < DISTORTED_FACTOR * Math.max(...all),
  )
  const averages = [...all, ...consumer]
  if (Math.max(...averages) - Math.min(...averages) < NARROW)
    averages.push(
      ...numbers('capital_last', 'intermediate_last', 'raw_last').filter(
        (average) => average < Math.max(...all),
      ),
    )
  const [lowest, highest] = [rounded(Math.min(...averages)), rounded(Math.max(...averages))]
  if (lowest === highest) return undefined
  const note = `Figures of ${sourceCell(line, 'last_year')} with preferences; without a preference duties are higher.`
  return { range: [lowest, highest], note }
}

function rounded(percent: number): number {
  return Math.round(percent * 10) / 10
}
