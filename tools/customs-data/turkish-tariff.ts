/**
 * Writes the Turkish tariff by six digits, and the additional customs duty separately. Industrial goods are subject to
 * the rates of the EU (customs union, Decision 1/95). The source has the sum of that rate and the additional duty:
 * clothing 42 = 12 + 30. Goods of the EU and of agreement partners are exempt from the additional duty, so the two must
 * be separate measures.
 *
 * They are separated if all EU lines of the code have one rate. If the EU lines differ, the additional duty is a rate
 * that is frequent elsewhere and that leaves a remainder in the range of the EU lines. If several rates qualify, one
 * that is used in the same heading is preferred, then one in the same chapter. Otherwise the whole figure is the base
 * rate, and a note says so.
 */

import type { MeasureRow } from '../../src/core/customs/data/row-types/measures.ts'
import { formatDutyRate } from '../../src/core/customs/tariff/duty-text.ts'
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
  'May contain the additional customs duty, from which goods of the EU and of agreement partners are exempt: the two could not be separated.'

type Split = { readonly base: SixDigitRate; readonly additional: SixDigitRate | undefined }

/** `totals`: the figures of the source by code, which include the additional duty. */
export function writeTurkishTariff(totals: ReadonlyMap<string, SixDigitRate>): void {
  const lines = europeanLines()
  const additional = additionalRates(totals, lines)
  const splits = [...readHs2022Codes()].map((code) => {
    const total = totals.get(code)
    const european = europeanRate(lines.get(code))
    const compound = compoundRate(lines.get(code) ?? [])
    const split =
      total === undefined
        ? withoutTotal(code, european, compound)
        : splitTotal(total, european, compound, additional(code))
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

/**
 * Lines of the EU tariff by code of HS 2022. Codes that HS 2017 lacks have one row with the range of the earlier lines.
 */
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

/**
 * The usual rate and its range; undefined if a line has anything but a percentage. The higher of equally frequent
 * rates.
 */
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

/** A rate of the EU with amounts per quantity, if all lines have the same. The source has 0% for it. */
function compoundRate(lines: readonly MeasureRow[]): SixDigitRate {
  const [first] = lines
  const isUniform =
    first !== undefined &&
    first.condition === '' &&
    lines.every(
      (row) => row.adValoremPpm === first.adValoremPpm && formatDutyRate(row) === formatDutyRate(first),
    )
  if (!isUniform)
    return { percent: '', condition: 'not_loaded', text: 'that of the EU, which has an amount per quantity' }
  const { adValoremPpm, specific, minimum, maximum } = first
  return { percent: adValoremPpm === null ? '' : percentText(adValoremPpm), specific, minimum, maximum }
}

/** An additional duty that at least this many codes have is frequent. */
const FREQUENT = 8

/**
 * The additional duties of codes for which the EU has one rate. The result gives, for a code, the rates to choose from:
 * those of its heading, of its chapter, and all frequent ones.
 */
function additionalRates(
  totals: ReadonlyMap<string, SixDigitRate>,
  lines: ReadonlyMap<string, readonly MeasureRow[]>,
): (code: string) => readonly (readonly number[])[] {
  const known = [...totals].flatMap(([code, total]) => {
    const european = europeanRate(lines.get(code))
    if (european === undefined || european.lowest !== european.highest) return []
    const ppm = totalPpm(total) - european.highest
    return ppm > TOLERANCE_PPM ? [{ code, ppm }] : []
  })
  const groups = [...groupBy(known, ({ ppm }) => ppm)]
  const frequent = new Set(groups.flatMap(([ppm, { length }]) => (length >= FREQUENT ? [ppm] : [])))
  const under = (prefix: string): readonly number[] => [
    ...new Set(known.flatMap(({ code, ppm }) => (code.startsWith(prefix) && frequent.has(ppm) ? [ppm] : []))),
  ]
  return (code) => [under(code.slice(0, 4)), under(code.slice(0, 2)), [...frequent]]
}

function totalPpm({ percent }: SixDigitRate): number {
  return Math.round(Number(percent) * 10_000)
}

/**
 * `compound`: the rate if the EU has amounts per quantity. `choices`: the narrowest group of additional duties first.
 */
function splitTotal(
  total: SixDigitRate,
  european: European | undefined,
  compound: SixDigitRate,
  choices: readonly (readonly number[])[],
): Split {
  if (european === undefined)
    return {
      base: totalPpm(total) === 0 ? compound : { ...total, note: NOT_SEPARATED },
      additional: undefined,
    }
  const { lowest, highest } = european
  const difference = totalPpm(total) - highest
  const base = baseOf(european)
  if (difference <= TOLERANCE_PPM) {
    const isBelow = totalPpm(total) < lowest - TOLERANCE_PPM
    const note = `The source of 2023 has ${total.percent}% on average.`
    return { base: isBelow ? { ...base, note } : base, additional: undefined }
  }
  if (lowest === highest) return { base, additional: { percent: percentText(difference) } }
  for (const rates of choices) {
    const [rate, ...others] = rates.filter((ppm) => {
      const rest = totalPpm(total) - ppm
      return rest >= lowest - TOLERANCE_PPM && rest <= highest + TOLERANCE_PPM
    })
    if (rate !== undefined && others.length === 0) return { base, additional: { percent: percentText(rate) } }
  }
  return { base: { ...total, note: NOT_SEPARATED }, additional: undefined }
}

/** Chapters that the source lacks: national rates, or those of the EU. The additional duty is then not known. */
function withoutTotal(code: string, european: European | undefined, compound: SixDigitRate): Split {
  const national = nationalRate(code)
  if (national !== undefined) return { base: national, additional: undefined }
  if (european === undefined) return { base: compound, additional: undefined }
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
