/**
 * The common external tariffs of West Africa (ECOWAS) and Central Africa (CEMAC) in HS 2017. Source: the electronic
 * tariff book of the AfCFTA and UNCTAD.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { groupBy } from '../../../src/core/group-by.ts'
import { sourceCell } from '../files.ts'
import { percentRate, readTariff, type TariffRow, writeTariffFile } from '../tariff-rows.ts'
import { readCorrelation, rowsForHs2022 } from './hs2022.ts'

const WEST = ['ci', 'gh', 'ng', 'sn'].map((country) => `2026/tariffs/ecowas_cet_${country}.csv`)

/** Throws if the countries of West Africa do not publish the same tariff. */
export function writeAfrica(folder: string): void {
  const [first = '', ...others] = WEST
  const text = readFileSync(join(folder, first), 'utf8')
  for (const file of others)
    if (readFileSync(join(folder, file), 'utf8') !== text) throw new Error(`${file} differs from ${first}`)
  writeCommonTariff(folder, first, 'tariff-ecowas.csv')
  writeCommonTariff(folder, '2026/tariffs/cemac_cet_cm.csv', 'tariff-cemac.csv')
}

function writeCommonTariff(folder: string, source: string, file: string): void {
  const lines = readTariff(folder, source).map((line) => ({
    published: sourceCell(line, 'code'),
    rate: percentRate(sourceCell(line, 'ad_valorem_percent')),
  }))
  const rows = [...groupBy(lines, ({ published }) => published.slice(0, NATIONAL_LENGTH))].flatMap(
    ([code, group]): readonly TariffRow[] =>
      group.map(({ published, rate }) => ({ code: group.length === 1 ? code : published, rate })),
  )
  writeTariffFile(file, [...rows, ...rowsForHs2022(readCorrelation(folder), rows)])
}

/** Digits nine and ten are zero, except where a line is divided. */
const NATIONAL_LENGTH = 8
