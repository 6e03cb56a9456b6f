/**
 * Writes the large files of src/reference/customs from a folder of published tables: tariffs, rates for HS 2022, code
 * lists, the HS correlation and tax rates. Also checks that the files maintained by hand cover the folder. Figures and
 * codes are copied; remarks are in our own words. See docs/customs-files.md#shipped-data-sets.
 *
 *   npx tsx tools/customs-data/main.ts <folder>
 */
import { readShippedCustomsData } from '../../src/reference/customs.ts'
import { addedRates } from './added-rates.ts'
import { writeCodeLists, writeHsSuccessors } from './codes.ts'
import { checkCoverage } from './coverage.ts'
import { readSource, sourceCell, writeTable } from './files.ts'
import { writeTariffs } from './tariffs.ts'
import { taxRateNote } from './tax-notes.ts'

const [input] = process.argv.slice(2)
if (input === undefined) throw new Error('usage: npx tsx tools/customs-data/main.ts <folder>')

writeTariffs(input)
writeCodeLists(input)
writeHsSuccessors(input)
writeTaxRates(input)
checkCoverage(input, readShippedCustomsData())

/** A rate belongs to the first tax of its jurisdiction in taxes.csv. */
function writeTaxRates(folder: string): void {
  const { taxes } = readShippedCustomsData()
  const lines = readSource(folder, 'vat_rates.csv')
  const rows = lines.flatMap((line, index) => {
    const jurisdiction = sourceCell(line, 'jurisdiction')
    const tax = taxes.find((row) => row.jurisdiction === jurisdiction)?.tax
    if (tax === undefined) throw new Error(`taxes.csv has no tax of ${jurisdiction}`)
    const columns = ['code_prefix', 'rate_percent', 'kind', 'valid_from', 'valid_to', 'confidence']
    const note = taxRateNote(jurisdiction, sourceCell(line, 'kind'), sourceCell(line, 'code_prefix'))
    const next = lines[index + 1]
    const isLast = next === undefined || sourceCell(next, 'jurisdiction') !== jurisdiction
    const cells = columns.map((column) => sourceCell(line, column))
    // The source names no text of an authority, which `high` needs.
    const row = [jurisdiction, tax, ...cells.map((cell) => (cell === 'high' ? 'medium' : cell)), note]
    return isLast ? [row, ...addedRates(jurisdiction)] : [row]
  })
  const header = 'jurisdiction,tax,code_prefix,rate_percent,kind,valid_from,valid_to,confidence,note'
  writeTable('tax-rates.csv', header, rows)
}
