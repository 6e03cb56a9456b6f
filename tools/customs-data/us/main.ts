/**
 * Writes the files of the United States from a folder of published tables: the base tariff, and the lists of codes that
 * additional duties name. See docs/customs-files.md#shipped-data-sets.
 *
 *   npx tsx tools/customs-data/us/main.ts <folder>
 */
import { importedRate, writeRates } from '../tariff-rows.ts'
import { writeDutyLists } from './lists.ts'
import { readSchedule } from './schedule.ts'

const [input] = process.argv.slice(2)
if (input === undefined) throw new Error('usage: npx tsx tools/customs-data/us/main.ts <folder>')

const { schedule, measures, codeLists } = readSchedule(input)
const duties = measures.filter(
  ({ measureType, originGroup }) => measureType === 'third_country_duty' && originGroup === 'ALL',
)
writeRates(
  'tariff-us.csv',
  duties.map((row) => ({ code: row.codePrefix, rate: importedRate(row) })),
)
writeDutyLists(input, schedule, codeLists)
