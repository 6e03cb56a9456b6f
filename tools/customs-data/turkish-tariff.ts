/**
 * Writes the Turkish tariff by six digits, and the additional customs duty separately. Industrial goods owe the rates of the
 * EU (customs union, Decision 1/95). The source has the sum of that rate and the additional duty: clothing 42 = 12 + 30.
 * Goods of the EU and of agreement partners do not owe the additional duty, so the two have to be separate measures.
 *
 * They are separated if all EU lines of the code have one rate. If the EU lines differ, and the figure of the source lies
 * outside their range, the whole figure is the base rate and a note says so.
 */

import type { MeasureRow } from '../../src/core/customs/data/rows.ts'
import { groupBy } from '../../src/core/group-by.ts'
import { readHs2022Codes, readShippedCustomsData } from '../../src/reference/customs.ts'
import { type SixDigitRate, writeSixDigitTariff } from './six-digit-table.ts'

/** Differences below this are rounding of the source. */
const TOLERANCE_PPM = 600

const NATIONAL_AGRICULTURE: SixDigitRate = {
  percent: '',
  condition: 'not_loaded',
  text: 'set by the national tariff on agricultural goods',
}
const NATIONAL_STEEL: SixDigitRate = {
  percent: '',
  condition: 'not_loaded',
  text: 'set by the national tariff on coal, steel and fuels',
}
const NOT_SEPARATED =
  'May contain the additional customs duty, which goods of the EU and of agreement partners do not owe: the two could not be separated.'

type Split = { readonly base: SixDigitRate; readonly additional: SixDigitRate | undefined }

/** `totals`: the figures of the source by code, which include the additional duty. */
export function writeTurkishTariff(totals: ReadonlyMap<string, SixDigitRate>): void {
  const lines = europeanLines()
  const splits = [...readHs2022Codes()].map((code) => {
    const total = totals.get(code)
    const split =
      total === undefined ? withoutTotal(code, lines.get(code)) : splitTotal(total, lines.get(code))
    return [code, split] as const
  })
  writeSixDigitTariff('tariff-tr.csv', new Map(splits.map(([code, { base }]) => [code, base])))
  writeSixDigitTariff(
    'tariff-tr-additional.csv',
    new Map(
      splits.flatMap(([code, { additional }]) => (additional === undefined ? [] : [[code, additional]])),
    ),
  )
}

/** Lines of the EU tariff by code of HS 2022. Codes that HS 2017 lacks have one row with the range of the earlier lines. */
function europeanLines(): ReadonlyMap<string, readonly MeasureRow[]> {
  const { measures } = readShippedCustomsData()
  const base = measures.filter((row) => row.jurisdiction === 'EU' && row.measureType === 'third_country_duty')
  return groupBy(base, (row) => row.codePrefix.slice(0, 6))
}

type European = {
  readonly usual: number
  readonly lowest: number
  readonly highest: number
  readonly lines: number
}

/** The usual rate and its range; undefined if a line has anything but a percentage. The higher of equally frequent rates. */
function europeanRate(lines: readonly MeasureRow[] | undefined): European | undefined {
  if (lines === undefined || !lines.every(isShareOnly)) return undefined
  const rates = lines.map((row) => row.adValoremPpm ?? 0)
  const [usual] = [...groupBy(rates, (rate) => rate)].sort(([a, x], [b, y]) => y.length - x.length || b - a)
  return {
    usual: usual?.[0] ?? 0,
    lowest: Math.min(...lines.map((row) => row.lowestPpm ?? row.adValoremPpm ?? 0)),
    highest: Math.max(...lines.map((row) => row.highestPpm ?? row.adValoremPpm ?? 0)),
    lines: Math.max(lines.length, ...lines.map((row) => row.lineCount ?? 1)),
  }
}

function isShareOnly(row: MeasureRow): boolean {
  const { specific, minimum, maximum, condition, text } = row
  return (
    row.adValoremPpm !== null && [specific, minimum, maximum, condition, text].every((cell) => cell === '')
  )
}

function splitTotal(total: SixDigitRate, lines: readonly MeasureRow[] | undefined): Split {
  const european = europeanRate(lines)
  const totalPpm = Math.round(Number(total.percent) * 10_000)
  if (european === undefined) return { base: { ...total, note: NOT_SEPARATED }, additional: undefined }
  const { lowest, highest } = european
  const difference = totalPpm - highest
  if (difference <= TOLERANCE_PPM)
    return totalPpm >= lowest - TOLERANCE_PPM
      ? { base: baseOf(european), additional: undefined }
      : {
          base: { ...baseOf(european), note: `The source of 2023 has ${total.percent}% on average.` },
          additional: undefined,
        }
  if (lowest === highest) return { base: baseOf(european), additional: { percent: percentText(difference) } }
  return { base: { ...total, note: NOT_SEPARATED }, additional: undefined }
}

/** Chapters that the source lacks: national rates, or those of the EU. The additional duty is then not known. */
function withoutTotal(code: string, lines: readonly MeasureRow[] | undefined): Split {
  const national = nationalRate(code)
  if (national !== undefined) return { base: national, additional: undefined }
  const european = europeanRate(lines)
  if (european === undefined)
    return {
      base: {
        percent: '',
        condition: 'not_loaded',
        text: 'that of the EU, which has an amount per quantity',
      },
      additional: undefined,
    }
  return {
    base: baseOf(european),
    additional: { percent: '', condition: 'not_loaded', text: 'set by national decree' },
  }
}

const LAST_AGRICULTURAL_CHAPTER = 24
const AGRICULTURAL_LINES = ['290543', '290544', '290545', '380910', '3823', '382460']
const COAL_STEEL_FUELS = ['26', '27', '72', '7301', '7302']

function nationalRate(code: string): SixDigitRate | undefined {
  const isAgricultural =
    Number(code.slice(0, 2)) <= LAST_AGRICULTURAL_CHAPTER ||
    AGRICULTURAL_LINES.some((prefix) => code.startsWith(prefix))
  if (isAgricultural) return NATIONAL_AGRICULTURE
  return COAL_STEEL_FUELS.some((prefix) => code.startsWith(prefix)) ? NATIONAL_STEEL : undefined
}

function baseOf({ usual, lowest, highest, lines }: European): SixDigitRate {
  const percent = percentText(usual)
  if (lowest === highest) return { percent }
  return { percent, lowest: percentText(lowest), highest: percentText(highest), lines: String(lines) }
}

function percentText(ppm: number): string {
  return String(ppm / 10_000)
}
