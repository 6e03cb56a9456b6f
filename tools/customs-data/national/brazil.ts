/**
 * Brazil: the common external tariff of Mercosur in HS 2017, before the general reduction of 2022. Source: the tariff
 * as published by the Brazilian foreign trade chamber.
 */
import { sourceCell } from '../files.ts'
import { percentRate, readTariff, type TariffRow, writeTariffFile } from '../tariff-rows.ts'
import { readCorrelation, rowsForHs2022 } from './hs2022.ts'

/** Rates that the reduction of 2022 did not change: free goods, and those at 35% (clothing, shoes). */
const UNCHANGED = ['0', '35']

/** Mobile telephones were one of fifteen lines, most of which were base stations and the like. */
const USUAL_LINES = { '851713': '85171231', '851714': '85171231' }

export function writeBrazil(folder: string): void {
  const rows = readTariff(folder, '2026/tariffs/br_tec_hs2017.csv').map((line): TariffRow => {
    const percent = sourceCell(line, 'ad_valorem_percent')
    // Capital goods and information technology (BK, BIT) often have lower national rates.
    const isSure = UNCHANGED.includes(percent) && sourceCell(line, 'text') === ''
    return {
      code: sourceCell(line, 'code'),
      rate: percentRate(percent),
      ...(isSure && { confidence: 'medium' }),
    }
  })
  writeTariffFile('tariff-br.csv', [...rows, ...rowsForHs2022(readCorrelation(folder), rows, USUAL_LINES)])
}
