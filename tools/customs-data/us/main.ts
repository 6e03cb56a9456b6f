/**
 * Writes the files of the United States from a folder of published tables: the base tariff, and the lists of codes that
 * additional duties name. See docs/customs-files.md#shipped-data-sets.
 *
 *   npx tsx tools/customs-data/us/main.ts <folder>
 */
import { importedRate, writeRatesWithUnitValues } from '../tariff-rows.ts'
import { writeDutyLists } from './lists.ts'
import { readSchedule } from './schedule.ts'

const [input] = process.argv.slice(2)
if (input === undefined) throw new Error('usage: npx tsx tools/customs-data/us/main.ts <folder>')

const { schedule, measures, codeLists } = readSchedule(input)
const duties = measures.filter(
  ({ measureType, originGroup }) => measureType === 'third_country_duty' && originGroup === 'ALL',
)
const unitValues = new Map(
  duties.flatMap(({ codePrefix, unitValueAbove: above, unitValueUpTo: upTo, unitValuePer: per }) =>
    per === '' ? [] : [[codePrefix, { above, upTo, per }] as const],
  ),
)
writeRatesWithUnitValues(
  'tariff-us.csv',
  duties.map((row) => ({ code: row.codePrefix, rate: importedRate(row) })),
  'USD',
  unitValues,
)
const banded = new Set([...unitValues.keys()].map((code) => code.slice(0, 6)))
console.log(`${unitValues.size} lines of ${banded.size} subheadings name a unit value`)
writeDutyLists(input, schedule, codeLists)
