/**
 * Writes national tariffs and their preferences in src/reference/customs from a folder of published tables. A rate that
 * is not understood is stored as published and never charged. See docs/customs-files.md#shipped-data-sets.
 *
 *   npx tsx tools/customs-data/national/main.ts <folder>
 */
import { writeAfrica } from './africa.ts'
import { writeAustralia } from './australia.ts'
import { writeBrazil } from './brazil.ts'
import { writeChina } from './china.ts'
import { writeJapan } from './japan.ts'
import { writeMexico } from './mexico.ts'
import { writeSouthernAfrica } from './southern-africa.ts'
import { writeVietNam } from './viet-nam.ts'

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('usage: npx tsx tools/customs-data/national/main.ts <folder>')

writeJapan(folder)
writeSouthernAfrica(folder)
writeChina(folder)
writeBrazil(folder)
writeAfrica(folder)
writeAustralia(folder)
writeMexico(folder)
writeVietNam(folder)
