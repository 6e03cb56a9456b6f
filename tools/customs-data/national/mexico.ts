/**
 * Mexico: the tariff of 2026 for the chapters that are available. Source: the law on general import and export duties.
 */

import { readHs2022Codes } from '../../../src/reference/customs.ts'
import { type SourceLine, sourceCell } from '../files.ts'
import { percentRate, type Rate, readTariff, textRate, writeTariffFile } from '../tariff-rows.ts'

export function writeMexico(folder: string): void {
  const known = readHs2022Codes()
  const rows = readTariff(folder, '2026/hs6/mx_8digit_2026-05.csv')
    .filter((line) => known.has(sourceCell(line, 'code').slice(0, 6)))
    .map((line) => ({ code: sourceCell(line, 'code'), rate: dutyOf(line) }))
  writeTariffFile('tariff-mx.csv', rows)
}

/** Codes in place of a rate. */
const MARKS: Readonly<Record<string, string>> = {
  AE: 'AE: an amount per quantity',
  AMX: 'AMX: a share of the value and an amount per quantity',
  Prohibida: 'Prohibida: the import is prohibited',
}

function dutyOf(line: SourceLine): Rate {
  const percent = sourceCell(line, 'mfn_percent')
  const mark = sourceCell(line, 'note')
  if (percent !== '') return percentRate(percent)
  if (mark === 'Ex') return percentRate('0')
  const text = MARKS[mark]
  if (text === undefined) throw new Error(`${sourceCell(line, 'code')}: unknown mark ${mark}`)
  return textRate('not_parsed', text)
}
