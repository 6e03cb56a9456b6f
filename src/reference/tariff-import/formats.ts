/**
 * The formats customs data are imported from, and which of them a file is in. Decided here: a file is told by its
 * content, never by its name; reading never throws, whatever the bytes are.
 */
import { readCsvTable } from '../csv-table.ts'
import { openFaultLog } from '../import-fault.ts'
import type { CustomsImport, ImportDefaults, ReadingProgress } from './customs-import.ts'
import { isCentralBankHeader, isPoundHeader, readExchangeRates } from './exchange-rates.ts'
import { isTaricHeader, readTaricDuties } from './taric-workbook.ts'
import { readTaxRates } from './tax-rates.ts'
import { isUkHeader, readUkTariff } from './uk-csv.ts'
import { isUsitcHeader, readUsitcCsv } from './usitc-csv.ts'
import { readUsitcJson } from './usitc-json.ts'
import { readWaybillCsv, tableOfHeader } from './waybill-csv.ts'
import { isZip, unzipFiles } from './workbook-xml.ts'

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
  return READERS[format](fileName, bytes, defaults, onProgress)
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

function isWorkbook(bytes: Uint8Array): boolean {
  let found = false
  unzipFiles(bytes, (name) => {
    found ||= name === 'xl/workbook.xml'
    return false
  })
  return found
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
