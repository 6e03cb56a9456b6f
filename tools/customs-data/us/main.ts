/**
 * Writes the files of the United States from a folder of published tables: the base tariff, and the lists of codes that
 * additional duties name. See docs/customs-files.md#shipped-data-sets.
 *
 *   npx tsx tools/customs-data/us/main.ts <folder>
 */
import { writeDutyLists } from './lists.ts'
import { writeScheduleTables } from './tariff.ts'

const [input] = process.argv.slice(2)
if (input === undefined) throw new Error('usage: npx tsx tools/customs-data/us/main.ts <folder>')

writeScheduleTables(input)
writeDutyLists(input)
