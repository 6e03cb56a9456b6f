/**
 * Carries a tariff of HS 2017 or HS 2012 over to HS 2022. A code that only HS 2022 has gets the usual rate of the lines
 * it came from, with their range. Source of the correlation: the United Nations.
 */
import { readHs2022Codes } from '../../../src/reference/customs.ts'
import { readSource, sourceCell } from '../files.ts'
import { plainPercent, rateKey, type TariffRow } from '../tariff-rows.ts'

type Origin = { readonly code: string; readonly isMain: boolean }

/** The HS 2017 codes that each changed code of HS 2022 came from. */
export type Correlation = ReadonlyMap<string, readonly Origin[]>

export function readCorrelation(folder: string): Correlation {
  const origins = new Map<string, Origin[]>()
  for (const line of readSource(folder, 'hs2022-to-hs2017.csv')) {
    const code = sourceCell(line, 'hs2022')
    const origin = { code: sourceCell(line, 'hs2017'), isMain: sourceCell(line, 'main') === '1' }
    origins.set(code, [...(origins.get(code) ?? []), origin])
  }
  return origins
}

/** True if goods of other HS 2017 codes moved to the code. */
export function hasGained(correlation: Correlation, code: string): boolean {
  return (correlation.get(code) ?? []).some((origin) => origin.code !== code)
}

/**
 * A row for each code of HS 2022 that `rows` lack. It has the most frequent rate of the lines of its main origins, or
 * of all its origins, and of equally frequent rates the higher. Codes without a known percentage are left out.
 * `usualLines` names the line whose rate a code has instead.
 */
export function rowsForHs2022(
  correlation: Correlation,
  rows: readonly TariffRow[],
  usualLines: Readonly<Record<string, string>> = {},
): readonly TariffRow[] {
  const present = new Set(rows.map(({ code }) => code.slice(0, HS_LENGTH)))
  const linesOf = (origins: readonly Origin[]): readonly TariffRow[] =>
    rows.filter(({ code }) => origins.some((origin) => code.startsWith(origin.code)))
  return [...readHs2022Codes()]
    .filter((code) => !present.has(code))
    .sort()
    .flatMap((code) => {
      const origins = correlation.get(code) ?? []
      const named = rows.filter((row) => row.code === usualLines[code])
      const main = named.length > 0 ? named : linesOf(origins.filter(({ isMain }) => isMain))
      const all = linesOf(origins)
      const percents = all.map(({ rate }) => plainPercent(rate))
      const known = percents.filter((percent) => percent !== undefined)
      if (all.length === 0 || known.length < percents.length) return []
      const { rate, confidence } = usualRow(main.length > 0 ? main : all)
      const [lowest, highest] = [Math.min(...known), Math.max(...known)].map(String)
      const range = { lowest: lowest ?? '', highest: highest ?? '', lines: all.length }
      return [{ code, rate, level: 'subheading', range, ...(confidence && { confidence }) }]
    })
}

const HS_LENGTH = 6

function usualRow(lines: readonly TariffRow[]): TariffRow {
  const counts = new Map<string, { row: TariffRow; count: number }>()
  for (const row of lines) {
    const found = counts.get(rateKey(row.rate)) ?? { row, count: 0 }
    counts.set(rateKey(row.rate), { ...found, count: found.count + 1 })
  }
  const percentOf = (row: TariffRow): number => plainPercent(row.rate) ?? 0
  const [usual] = [...counts.values()].sort(
    (a, b) => b.count - a.count || percentOf(b.row) - percentOf(a.row),
  )
  if (usual === undefined) throw new Error('no lines')
  return usual.row
}
