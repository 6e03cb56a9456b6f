/**
 * Writes the large files of src/reference/customs from a folder of published tables: the tariffs, the HS 2022
 * fill, code lists, the HS correlation and the tax rates. The other files there are kept by hand, since their
 * sources are texts of law; this checks that they cover what the folder names. Figures and codes are taken over,
 * remarks are written anew.
 *
 *   tsx tools/customs-data/main.ts <input folder>
 */
import { readShippedCustomsData, shippedDataSets } from '../../src/reference/customs.ts'
import { writeCodeLists, writeHsSuccessors } from './codes.ts'
import { checkCoverage } from './coverage.ts'
import { readSource, sourceCell, writeTable } from './files.ts'
import { writeTariffs } from './tariffs.ts'
import { taxRateNote } from './tax-notes.ts'

const [input] = process.argv.slice(2)
if (input === undefined) throw new Error('usage: build-customs-reference <input folder>')

writeTariffs(input)
writeCodeLists(input)
writeHsSuccessors(input)
writeTaxRates(input)
checkCoverage(input, readShippedCustomsData())

/** The tax a rate belongs to is the first one that taxes.csv has for the jurisdiction. */
function writeTaxRates(folder: string): void {
  const taxes = shippedDataSets()
    .find((set) => set.name === 'taxes')
    ?.rows() as readonly {
    readonly jurisdiction: string
    readonly tax: string
  }[]
  const rows = readSource(folder, 'vat_rates.csv').map((line) => {
    const jurisdiction = sourceCell(line, 'jurisdiction')
    const tax = taxes.find((row) => row.jurisdiction === jurisdiction)?.tax
    if (tax === undefined) throw new Error(`taxes.csv has no tax of ${jurisdiction}`)
    const columns = ['code_prefix', 'rate_percent', 'kind', 'valid_from', 'valid_to', 'confidence']
    const note = taxRateNote(jurisdiction, sourceCell(line, 'kind'), sourceCell(line, 'code_prefix'))
    return [jurisdiction, tax, ...columns.map((column) => sourceCell(line, column)), note]
  })
  const header = 'jurisdiction,tax,code_prefix,rate_percent,kind,valid_from,valid_to,confidence,note'
  writeTable('tax-rates.csv', header, rows)
}
