/**
 * The formats customs data are imported from, and which of them a file is in. Decided here: a file is told by its
 * content, never by its name; reading never throws, whatever the bytes are.
 */
import { isUtf8 } from 'node:buffer'
import { readCsvTable } from '../import/csv-table.ts'
import { openFaultLog } from '../import/import-fault.ts'
import { ImportRefusal, MAX_WORKBOOK_ENTRIES } from '../import/import-limits.ts'
import { isZip, readZipDirectory, type ZipEntry } from '../import/zip-archive.ts'
import {
  type CustomsImport,
  type ImportDefaults,
  openImportTally,
  type ReadingProgress,
} from './customs-import.ts'
import { isCentralBankHeader, isPoundHeader, readExchangeRates } from './exchange-rates.ts'
import { isTaricHeader, readTaricDuties } from './published/taric-workbook.ts'
import { isUkHeader, readUkTariff } from './published/uk-csv.ts'
import { isUsitcHeader, readUsitcCsv, readUsitcJson } from './usitc/schedule-file.ts'
import { readTaxRates, readWaybillCsv, tableOfHeader } from './waybill/csv.ts'

/** What a file is read into, and what may be said about it beforehand. */
export type { CustomsImport, ImportDefaults } from './customs-import.ts'

/** The formats by their names on the command line. */
export const CUSTOMS_FORMATS = [
  'uk-csv',
  'taric-workbook',
  'usitc-json',
  'usitc-csv',
  'waybill-csv',
  'exchange-rates',
  'tax-rates',
] as const

/** A format customs data are imported from. */
export type CustomsFormat = (typeof CUSTOMS_FORMATS)[number]

type Reader = (
  fileName: string,
  bytes: Uint8Array,
  defaults: ImportDefaults,
  onProgress?: ReadingProgress,
) => CustomsImport

const READERS: Readonly<Record<CustomsFormat, Reader>> = {
  'uk-csv': readUkTariff,
  'taric-workbook': readTaricDuties,
  'usitc-json': readUsitcJson,
  'usitc-csv': readUsitcCsv,
  'waybill-csv': readWaybillCsv,
  'exchange-rates': readExchangeRates,
  'tax-rates': readTaxRates,
}

/** Reads a file. `fileName` is what faults call it; `onProgress` is told the rows read so far, and all at the end. */
export function readCustomsFile(
  format: CustomsFormat,
  fileName: string,
  bytes: Uint8Array,
  defaults: ImportDefaults,
  onProgress?: ReadingProgress,
): CustomsImport {
  const expected = contradiction(format, defaults.jurisdiction)
  if (expected === undefined) return READERS[format](fileName, bytes, defaults, onProgress)
  const tally = openImportTally(fileName, onProgress)
  tally.log.fault(undefined, undefined, expected, defaults.jurisdiction)
  return tally.finish({})
}

/** Whose figures a format holds, where its files say nothing else. */
const JURISDICTIONS: Partial<Record<CustomsFormat, readonly string[]>> = {
  // The UK Global Tariff has a column with the duty of the EU.
  'uk-csv': ['GB', 'EU'],
  'usitc-json': ['US'],
  'usitc-csv': ['US'],
}

/** What was expected in place of a jurisdiction that a format is not of. */
function contradiction(format: CustomsFormat, jurisdiction: string | undefined): string | undefined {
  const own = JURISDICTIONS[format]
  if (own === undefined || jurisdiction === undefined || own.includes(jurisdiction)) return undefined
  return `the jurisdiction ${own.join(' or ')}, for a file of the format ${format} holds its figures`
}

/** An operator may say the jurisdiction beside the file: then its column need not be there. */
const SAID_BESIDE: ImportDefaults = { dataSet: '', jurisdiction: 'XX' }

/** The format a file is in; undefined when it is none of them. */
export function detectFormat(fileName: string, bytes: Uint8Array): CustomsFormat | undefined {
  if (isZip(bytes)) return isWorkbook(bytes) ? 'taric-workbook' : undefined
  const first = firstSign(bytes)
  if (first === '[' || first === '{') return 'usitc-json'
  const header = headerOf(fileName, bytes)
  if (isUsitcHeader(header)) return 'usitc-csv'
  if (isCentralBankHeader(header) || isPoundHeader(header)) return 'exchange-rates'
  const table = tableOfHeader(header, SAID_BESIDE)
  if (table === 'exchangeRates') return 'exchange-rates'
  if (table === 'taxRates') return 'tax-rates'
  if (table !== undefined) return 'waybill-csv'
  if (isTaricHeader(header)) return 'taric-workbook'
  return isUkHeader(header) ? 'uk-csv' : undefined
}

/** Why no format was told of a file, in words that follow its name. */
export function whyUndetected(fileName: string, bytes: Uint8Array): string {
  if (isZip(bytes)) {
    const directory = directoryOf(bytes)
    return directory instanceof ImportRefusal
      ? `is refused: ${directory.message}`
      : 'is a zip file, but no Excel workbook (.xlsx)'
  }
  if (bytes.every((byte) => BLANKS.includes(byte))) return 'is empty'
  if (!isUtf8(bytes)) return 'is not in UTF-8 (in Excel: save as "CSV UTF-8")'
  const columns = headerOf(fileName, bytes).slice(0, 5).join(', ').slice(0, MAX_LISTED)
  return `has the columns ${columns}: of none of the formats that are told by themselves; --format names it`
}

/** Characters of column names that a message repeats. */
const MAX_LISTED = 200

/** Blank, tab and line ends. */
const BLANKS = [0x20, 0x09, 0x0a, 0x0d]

function isWorkbook(bytes: Uint8Array): boolean {
  const directory = directoryOf(bytes)
  return !(directory instanceof ImportRefusal) && directory.some(({ name }) => name === 'xl/workbook.xml')
}

/** The directory of a zip, or why it is refused. */
function directoryOf(bytes: Uint8Array): readonly ZipEntry[] | ImportRefusal {
  try {
    return readZipDirectory(bytes, MAX_WORKBOOK_ENTRIES)
  } catch (error) {
    if (error instanceof ImportRefusal) return error
    throw error
  }
}

function firstSign(bytes: Uint8Array): string {
  return Buffer.from(bytes.subarray(0, 256))
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trimStart()
    .charAt(0)
}

function headerOf(fileName: string, bytes: Uint8Array): readonly string[] {
  const end = bytes.subarray(0, 65_536).findIndex((byte) => byte === 0x0a || byte === 0x0d)
  const line = bytes.subarray(0, end === -1 ? 65_536 : end)
  return readCsvTable(line, openFaultLog(fileName))?.header ?? []
}
