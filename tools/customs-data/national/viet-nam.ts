/**
 * Viet Nam: base rates of two trade agreements in HS 2012, which are the most-favoured-nation duties of 2012 to 2015.
 * Lines of codes that HS 2022 still has are kept. Source: annexes of the agreements with the Eurasian Union and the EU.
 */

import { groupBy } from '../../../src/core/group-by.ts'
import { readHs2022Codes } from '../../../src/reference/customs.ts'
import { sourceCell } from '../files.ts'
import { percentRate, rateKey, readTariff, type TariffRow, writeTariffFile } from '../tariff-rows.ts'
import { readCorrelation, rowsForHs2022 } from './hs2022.ts'

export function writeVietNam(folder: string): void {
  const known = readHs2022Codes()
  const lines = readTariff(folder, '2026/hs6/vn_8digit_hs2012.csv').map(
    (line): TariffRow => ({
      code: sourceCell(line, 'code'),
      rate: percentRate(sourceCell(line, 'mfn_percent')),
    }),
  )
  const current = lines.filter(({ code }) => known.has(code.slice(0, 6)))
  const rows = [...groupBy(current, ({ code }) => code.slice(0, 6))].flatMap(([code, group]) =>
    joined(code, group),
  )
  const found = [...rows, ...rowsForHs2022(readCorrelation(folder), lines)]
  writeTariffFile('tariff-vn.csv', [...found, ...headingRows(lines, found, known)])
}

const HEADING_LENGTH = 4

/** A row for each heading with one rate that has codes without a row: HS 2017 divided codes of HS 2012. */
function headingRows(
  lines: readonly TariffRow[],
  found: readonly TariffRow[],
  known: ReadonlySet<string>,
): readonly TariffRow[] {
  const present = new Set(found.map(({ code }) => code.slice(0, 6)))
  const missing = new Set(
    [...known].filter((code) => !present.has(code)).map((code) => code.slice(0, HEADING_LENGTH)),
  )
  const headings = groupBy(lines, ({ code }) => code.slice(0, HEADING_LENGTH))
  return [...headings].flatMap(([code, group]) => {
    const rows = missing.has(code) ? joined(code, group) : []
    return rows.length === 1 ? rows : []
  })
}

/** One row for six digits if all lines have the same rate, because the lines have changed since 2012. */
function joined(code: string, [first, ...others]: readonly TariffRow[]): readonly TariffRow[] {
  if (first === undefined) return []
  const isUniform = others.every(({ rate }) => rateKey(rate) === rateKey(first.rate))
  return isUniform ? [{ code, rate: first.rate, level: 'subheading' }] : [first, ...others]
}
