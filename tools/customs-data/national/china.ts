/**
 * China: six-digit rates of 2023 (HS 2022). A rate is split into the lines of eight digits of 2019 (HS 2017) if their
 * average is the rate of 2023 and no goods of other codes have moved to the code. Sources: WITS/TRAINS; the Ministry of
 * Finance.
 */
import { groupBy } from '../../../src/core/group-by.ts'
import { type SourceLine, sourceCell } from '../files.ts'
import {
  percentRate,
  readTariff,
  sourceRate,
  type TariffRow,
  textRate,
  writeTariffFile,
} from '../tariff-rows.ts'
import { type Correlation, hasGained, readCorrelation } from './hs2022.ts'

export function writeChina(folder: string): void {
  const correlation = readCorrelation(folder)
  const lines = groupBy(readTariff(folder, '2026/tariffs/cn_mfn_2019-06.csv'), (line) =>
    sourceCell(line, 'code').slice(0, 6),
  )
  const rows = readTariff(folder, '2026/hs6/cn_hs6_2023.csv').flatMap((line) =>
    rowsOf(correlation, line, lines.get(sourceCell(line, 'code')) ?? []),
  )
  writeTariffFile('tariff-cn.csv', rows)
}

function rowsOf(
  correlation: Correlation,
  subheading: SourceLine,
  lines: readonly SourceLine[],
): readonly TariffRow[] {
  const code = sourceCell(subheading, 'code')
  const mark = sourceCell(subheading, 'note')
  const percent = sourceCell(subheading, 'mfn_percent')
  if (mark.startsWith('tariff quota')) return quotaRows(code, percent, lines)
  if (mark !== '') return [unknown(code, SPECIFIC)]
  const isSplit = !hasGained(correlation, code) && agree(Number(percent), lines)
  return isSplit
    ? lines.map((line) => ({ code: sourceCell(line, 'code'), rate: sourceRate(line) }))
    : [{ code, rate: percentRate(percent), level: 'subheading' }]
}

const SPECIFIC = 'an amount per kilogram or square metre'
const QUOTA = 'tariff quota; the rate outside it is not known'

function unknown(code: string, text: string): TariffRow {
  return { code, rate: textRate('not_loaded', text), level: 'subheading' }
}

/** Two decimals of a percentage: the averages are rounded. */
const ROUNDING = 0.0051

/** True if the average of the lines is the rate of 2023. A line with several rates of its own is not comparable. */
function agree(percent: number, lines: readonly SourceLine[]): boolean {
  if (lines.length === 0 || lines.some((line) => sourceCell(line, 'text') !== '')) return false
  const sum = lines.reduce((total, line) => total + Number(sourceCell(line, 'ad_valorem_percent')), 0)
  return Math.abs(sum / lines.length - percent) < ROUNDING
}

const QUOTA_NOTE = 'Within the tariff quota the rate is lower; the rate outside it is assumed.'

/**
 * The rate of 2023 is an average of the rates inside and outside the quota. The lines of 2019 have the rates outside
 * it. They are used if the average can be an average with them.
 */
function quotaRows(code: string, percent: string, lines: readonly SourceLine[]): readonly TariffRow[] {
  const outside = lines.map((line) => Number(sourceCell(line, 'ad_valorem_percent')))
  const highest = Math.max(0, ...outside)
  const isPlausible =
    Number(percent) >= highest / MAX_QUOTA_SHARE && !lines.some((line) => sourceCell(line, 'text'))
  if (lines.length === 0 || !isPlausible) return [unknown(code, QUOTA)]
  return lines.map((line) => ({
    code: sourceCell(line, 'code'),
    rate: sourceRate(line),
    note: QUOTA_NOTE,
  }))
}

/** Lines inside the quota have low rates, so the average is at least about a third of the highest rate. */
const MAX_QUOTA_SHARE = 3
