/**
 * The formats of imported customs data, and how the format of a file is detected: by its content, not by its name.
 * See docs/customs-files.md.
 */
import { Buffer, isUtf8 } from 'node:buffer'
import { isDelimiterLine } from '../import/csv-format.ts'
import { readCsvTable } from '../import/csv-table.ts'
import { openFaultLog } from '../import/import-fault.ts'
import { ImportRefusal, MAX_WORKBOOK_ENTRIES } from '../import/import-limits.ts'
import { isZip, readZipDirectory, type ZipEntry } from '../import/zip-archive.ts'
import {
  type CustomsImport,
  type ImportDefaults,
  type ImportTally,
  openImportTally,
  type ReadingProgress,
} from './customs-import.ts'
import { isCentralBankHeader, isPoundHeader, readExchangeRates } from './exchange-rates.ts'
import { isAreasHeader, isAreasText, readGeographicalAreas } from './published/geographical-areas.ts'
import { isTaricHeader, readTaricDuties } from './published/taric-workbook.ts'
import { isUkHeader, readUkTariff } from './published/uk-csv.ts'
import { isUsitcHeader, readUsitcCsv, readUsitcJson } from './usitc/schedule-file.ts'
import { readTaxRates, readWaybillCsv, tableOfHeader } from './waybill/csv.ts'

export type { CustomsImport, ImportDefaults } from './customs-import.ts'

/** The formats, by their names on the command line. */
export const CUSTOMS_FORMATS = [
  'uk-csv',
  'taric-workbook',
  'usitc-json',
  'usitc-csv',
  'geographical-areas',
  'waybill-csv',
  'exchange-rates',
  'tax-rates',
] as const

export type CustomsFormat = (typeof CUSTOMS_FORMATS)[number]

type Reader = (bytes: Uint8Array, defaults: ImportDefaults, tally: ImportTally) => CustomsImport

const READERS: Readonly<Record<CustomsFormat, Reader>> = {
  'uk-csv': readUkTariff,
  'taric-workbook': readTaricDuties,
  'usitc-json': readUsitcJson,
  'usitc-csv': readUsitcCsv,
  'geographical-areas': readGeographicalAreas,
  'waybill-csv': readWaybillCsv,
  'exchange-rates': readExchangeRates,
  'tax-rates': readTaxRates,
}

/** Reads a file. `fileName` appears in faults. Does not throw: problems of the file are faults. */
export function readCustomsFile(
  format: CustomsFormat,
  fileName: string,
  bytes: Uint8Array,
  defaults: ImportDefaults,
  onProgress?: ReadingProgress,
): CustomsImport {
  const tally = openImportTally(fileName, onProgress)
  const expected = contradictionOf(format, defaults.jurisdiction)
  if (expected === undefined) return READERS[format](bytes, defaults, tally)
  tally.log.fault(undefined, undefined, expected, defaults.jurisdiction)
  return tally.finish({})
}

/** The jurisdictions of formats whose files do not name one. */
const JURISDICTIONS: Partial<Record<CustomsFormat, readonly string[]>> = {
  // The UK Global Tariff of 2020 also has the duties of the EU.
  'uk-csv': ['GB', 'EU'],
  'usitc-json': ['US'],
  'usitc-csv': ['US'],
}

/** What was expected instead of a jurisdiction that the format does not have. */
function contradictionOf(format: CustomsFormat, jurisdiction: string | undefined): string | undefined {
  const allowed = JURISDICTIONS[format]
  if (allowed === undefined || jurisdiction === undefined || allowed.includes(jurisdiction)) return undefined
  return `the jurisdiction ${allowed.join(' or ')}, because the format is ${format}`
}

/** An operator may specify the jurisdiction. Detection therefore does not require its column. */
const WITH_JURISDICTION: ImportDefaults = { dataSet: '', jurisdiction: 'XX' }

/** The format of a file; undefined if it has none of the formats. */
export function detectFormat(fileName: string, bytes: Uint8Array): CustomsFormat | undefined {
  if (isZip(bytes)) return isWorkbook(bytes) ? 'taric-workbook' : undefined
  if (isAreasText(Buffer.from(bytes.subarray(0, 4_096)).toString('utf8'))) return 'geographical-areas'
  const first = firstCharacter(bytes)
  if (first === '[' || first === '{') return 'usitc-json'
  const header = headerOf(fileName, bytes)
  if (isUsitcHeader(header)) return 'usitc-csv'
  if (isCentralBankHeader(header) || isPoundHeader(header)) return 'exchange-rates'
  const table = tableOfHeader(header, WITH_JURISDICTION)
  if (table === 'exchangeRates') return 'exchange-rates'
  if (table === 'taxRates') return 'tax-rates'
  if (table !== undefined) return 'waybill-csv'
  if (isAreasHeader(header)) return 'geographical-areas'
  if (isTaricHeader(header)) return 'taric-workbook'
  return isUkHeader(header) ? 'uk-csv' : undefined
}

/** Why no format was detected, as the predicate of a sentence about the file. */
export function whyUndetected(fileName: string, bytes: Uint8Array): string {
  if (isZip(bytes)) {
    const directory = directoryOf(bytes)
    return directory instanceof ImportRefusal
      ? `is refused: ${directory.message}`
      : 'is a zip file but not an Excel workbook (.xlsx)'
  }
  if (bytes.every((byte) => BLANKS.includes(byte))) return 'is empty'
  if (!isUtf8(bytes)) return 'is not in UTF-8 (in Excel: save as "CSV UTF-8")'
  const columns = headerOf(fileName, bytes).slice(0, 5).join(', ').slice(0, MAX_LISTED)
  return `has the columns ${columns}, which no format has: name the format with --format`
}

/** Characters of column names that a message shows. */
const MAX_LISTED = 200

/** Space, tab and line ends. */
const BLANKS = [0x20, 0x09, 0x0a, 0x0d]

function isWorkbook(bytes: Uint8Array): boolean {
  const directory = directoryOf(bytes)
  return !(directory instanceof ImportRefusal) && directory.some(({ name }) => name === 'xl/workbook.xml')
}

/** The directory of a zip, or the error if it is refused. */
function directoryOf(bytes: Uint8Array): readonly ZipEntry[] | ImportRefusal {
  try {
    return readZipDirectory(bytes, MAX_WORKBOOK_ENTRIES)
  } catch (error) {
    if (error instanceof ImportRefusal) return error
    throw error
  }
}

function firstCharacter(bytes: Uint8Array): string {
  return Buffer.from(bytes.subarray(0, 256))
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trimStart()
    .charAt(0)
}

function headerOf(fileName: string, bytes: Uint8Array): readonly string[] {
  const begin = Buffer.from(bytes.subarray(0, 65_536)).toString('utf8')
  const [line = '', next = ''] = begin.split(/\r\n|[\r\n]/, 2)
  const lines = isDelimiterLine(line) ? `${line}\n${next}` : line
  return readCsvTable(Buffer.from(lines), openFaultLog(fileName))?.header ?? []
}
