/**
 * Writes the tariffs by six digits, the averages of groups of goods and the ranges of countries, from a folder with the
 * folders `hs6`, `groups` and `tariffs`. See docs/customs-files.md#six-digit-tariffs.
 *
 *   npx tsx tools/customs-data/world.ts <folder>
 */
import { join } from 'node:path'
import { writeAverages } from './averages.ts'
import { writeSixDigitTariffs } from './six-digit.ts'

const [input] = process.argv.slice(2)
if (input === undefined) throw new Error('usage: npx tsx tools/customs-data/world.ts <folder>')

writeSixDigitTariffs(join(input, 'hs6'))
writeAverages(input)
