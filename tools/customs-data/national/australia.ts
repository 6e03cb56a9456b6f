/**
 * Australia: the general rates of 72 chapters. Excise-equivalent rates are stored as text, because they are indexed
 * twice a year. Source: the working tariff of the Australian Border Force.
 */
import { type SourceLine, sourceCell } from '../files.ts'
import { dutyRate, percentRate, type Rate, readTariff, sourceRate, writeTariffFile } from '../tariff-rows.ts'

export function writeAustralia(folder: string): void {
  const rows = readTariff(folder, '2026/tariffs/au_part_2026-04.csv').map((line) => ({
    code: sourceCell(line, 'code'),
    rate: dutyOf(line),
  }))
  writeTariffFile('tariff-au.csv', rows)
}

/** Steps of earlier years that ended in 2019. */
const STEPS_TO_FREE = /July\s*2019\s*Free$/
/** A duty per kilogram of cheese, with a lower one for developing countries. */
const PER_KILOGRAM = /^\$(\d+\.\d+)\/kg DC\$/

function dutyOf(line: SourceLine): Rate {
  const rate = sourceRate(line)
  if (STEPS_TO_FREE.test(rate.text)) return percentRate('0')
  const [, amount] = PER_KILOGRAM.exec(rate.text) ?? []
  return amount === undefined ? rate : dutyRate(`${amount} AUD/kg`, 'AUD')
}
