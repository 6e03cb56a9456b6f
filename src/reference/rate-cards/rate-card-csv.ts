/**
 * Reads a rate card from a folder or zip of CSV files, and writes it as CSV files. All files are read to their end, so
 * that operators see all faults at once. See docs/rate-card-files.md.
 */
import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { CardFinding, CardTableName } from '../../core/rate-card-review/check/findings.ts'
import type { FuelRate, RateCardImport } from '../../core/rating/rate-card.ts'
import {
  readTable,
  type TableReading,
  type TableSpec,
  type WritableTableSpec,
  writeTable,
} from '../import/csv-rows.ts'
import { describeImportFault, type ImportFault, nameHint } from '../import/import-fault.ts'
import {
  bytesText,
  ImportRefusal,
  MAX_CARD_ENTRIES,
  MAX_FILE_BYTES,
  readImportFile,
} from '../import/import-limits.ts'
import { declaredBytes, readZipDirectory, unpackWhole } from '../import/zip-archive.ts'
import { PRICES, PRODUCTS } from './price-files.ts'
import {
  AREA_TRANSIT,
  AREAS,
  CAPITALS,
  CARRIERS,
  COUNTRY_GROUPS,
  FUEL,
  INSURANCE,
  LANE_TRANSIT,
  LANES,
  type ListedSurcharge,
  PALLET_CLASSES,
  PRICE_TERMS,
  SURCHARGES,
  TRANSIT,
  VAT_RATES,
} from './rate-card-files.ts'
import { SERVICE_OFFERS } from './service-file.ts'

/**
 * The CSV files of a folder or zip, by name. Files of a zip may be in one folder. Workbooks are listed without their
 * bytes, so that `readRateCard` warns of them. Other files, dot files and the files that macOS adds are ignored. Throws
 * an error whose message names `location` if there are no CSV files.
 */
export function openRateCardFiles(location: string): ReadonlyMap<string, Uint8Array> {
  const files = isFolder(location) ? readFolder(location) : readZip(location)
  if (![...files.keys()].some(isCsvName)) throw new Error(`${location} has no CSV files`)
  return files
}

function isFolder(location: string): boolean {
  const stats = describingErrors(location, 'cannot be read', () =>
    statSync(location, { throwIfNoEntry: false }),
  )
  if (stats === undefined) throw new Error(`${location} does not exist`)
  return stats.isDirectory()
}

function readFolder(folder: string): Map<string, Uint8Array> {
  const entries = describingErrors(folder, 'cannot be read', () => readdirSync(folder)).sort()
  const names = entries.filter(isCsvName)
  if (names.length > MAX_CARD_ENTRIES)
    throw new Error(`${folder} has ${names.length} CSV files; the limit is ${MAX_CARD_ENTRIES}`)
  const files = new Map<string, Uint8Array>()
  let bytes = 0
  for (const name of names) {
    const file = readImportFile(path.join(folder, name))
    bytes += file.length
    if (bytes > MAX_FILE_BYTES)
      throw new Error(
        `${folder} has more than ${bytesText(MAX_FILE_BYTES)} of CSV files, which is the limit for a rate card`,
      )
    files.set(name, file)
  }
  for (const name of entries.filter(isWorkbookName)) files.set(name, NO_BYTES)
  return files
}

const NO_BYTES = new Uint8Array()

function readZip(file: string): Map<string, Uint8Array> {
  const packed = readImportFile(file)
  if (packed.subarray(0, 2).toString('latin1') !== 'PK')
    throw new Error(`${file} is neither a folder nor a zip`)
  return describingErrors(file, 'is refused', () => unpackCard(packed))
}

function unpackCard(packed: Uint8Array): Map<string, Uint8Array> {
  const all = readZipDirectory(packed, MAX_CARD_ENTRIES)
  const entries = all.filter(({ name }) => isCardFile(name, isCsvName))
  const folders = new Set(entries.map(({ name }) => path.posix.dirname(portable(name))))
  if (folders.size > 1)
    throw new ImportRefusal('CSV files in one folder', `several folders: ${[...folders].sort().join(', ')}`)
  const unpackedBytes = declaredBytes(entries)
  if (unpackedBytes > MAX_FILE_BYTES)
    throw new ImportRefusal(`at most ${bytesText(MAX_FILE_BYTES)} of CSV files`, bytesText(unpackedBytes))
  const files = new Map<string, Uint8Array>()
  for (const entry of entries) {
    const name = path.posix.basename(portable(entry.name))
    if (files.has(name)) throw new ImportRefusal('each file once', `two called ${name}`)
    files.set(name, unpackWhole(packed, entry))
  }
  for (const { name } of all.filter((entry) => isCardFile(entry.name, isWorkbookName)))
    files.set(path.posix.basename(portable(name)), NO_BYTES)
  return files
}

function isCardFile(name: string, isName: (file: string) => boolean): boolean {
  const parts = portable(name).split('/')
  return isName(parts.at(-1)!) && !parts.some((part) => part.startsWith('.') || part === '__MACOSX')
}

function isCsvName(name: string): boolean {
  return /\.csv$/i.test(name) && !name.startsWith('.')
}

/** A workbook of Excel or LibreOffice. "~$" begins the lock file of an open workbook. */
function isWorkbookName(name: string): boolean {
  return /\.(?:xlsx|xlsm|xls|ods)$/i.test(name) && !name.startsWith('.') && !name.startsWith('~$')
}

/** Some Windows programs write backslashes into zips. */
function portable(name: string): string {
  return name.replaceAll('\\', '/')
}

/** Adds the location to the message of an error. */
function describingErrors<Value>(location: string, failure: string, act: () => Value): Value {
  try {
    return act()
  } catch (error) {
    throw new Error(`${location} ${failure}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    })
  }
}

export type CardReading = {
  /** Undefined when there are faults. */
  readonly card: RateCardImport | undefined
  readonly faults: readonly ImportFault[]
  readonly warnings: readonly ImportFault[]
  /** A finding of the core about this card, with its place in the files. */
  locate(finding: CardFinding): ImportFault
}

/** Reads the files of `openRateCardFiles`. Does not throw: problems of the files are faults. */
export function readRateCard(files: ReadonlyMap<string, Uint8Array>): CardReading {
  const read = <Raw, Row>(spec: TableSpec<Raw, Row>): TableReading<Row> =>
    readTable(spec, files.get(spec.file))
  const surcharges = read(SURCHARGES)
  const fuel = read(FUEL)
  const tables = {
    carriers: read(CARRIERS),
    products: read(PRODUCTS),
    countryGroups: read(COUNTRY_GROUPS),
    lanes: read(LANES),
    prices: read(PRICES),
    transit: read(TRANSIT),
    laneTransit: read(LANE_TRANSIT),
    palletClasses: read(PALLET_CLASSES),
    areas: read(AREAS),
    areaTransit: read(AREA_TRANSIT),
    surcharges: { ...surcharges, rows: surcharges.rows.map(({ surcharge }) => surcharge) },
    services: read(SERVICE_OFFERS),
    fuel: withListedFuel(fuel, surcharges),
    insurance: read(INSURANCE),
    priceTerms: read(PRICE_TERMS),
    vatRates: read(VAT_RATES),
    capitals: read(CAPITALS),
  } satisfies Record<CardTableName, TableReading<unknown>>
  const logs = Object.values(tables).map(({ log }) => log)
  const faults = logs.flatMap((log) => log.faults())
  const { carriers, capitals, fuel: fuelRates, ...content } = tables
  return {
    card:
      faults.length > 0
        ? undefined
        : {
            content: rowsOf(content),
            carriers: carriers.rows,
            capitals: capitals.rows,
            fuel: fuelRates.rows,
          },
    faults,
    warnings: [...logs.flatMap((log) => log.warnings()), ...unknownFiles([...files.keys()])],
    locate: ({ table, index, field, ...finding }) => ({
      ...tables[table].placeOf(index, field),
      ...finding,
    }),
  }
}

/** The files of a rate card by name. Importing them gives the same card. Files without rows are left out. */
export function writeRateCard({ content, ...shared }: RateCardImport): ReadonlyMap<string, string> {
  const files = new Map<string, string>()
  const write = <Raw, Row>(spec: WritableTableSpec<Raw, Row>, rows: readonly Row[]): void => {
    if (rows.length > 0) files.set(spec.file, writeTable(spec, rows))
  }
  write(CARRIERS, shared.carriers)
  write(PRODUCTS, content.products)
  write(COUNTRY_GROUPS, content.countryGroups)
  write(LANES, content.lanes)
  write(PRICES, content.prices)
  write(TRANSIT, content.transit)
  write(LANE_TRANSIT, content.laneTransit)
  write(PALLET_CLASSES, content.palletClasses)
  write(AREAS, content.areas)
  write(AREA_TRANSIT, content.areaTransit)
  const surcharges = content.surcharges.map((surcharge): ListedSurcharge => ({ surcharge }))
  write(SURCHARGES, surcharges)
  write(SERVICE_OFFERS, content.services)
  write(FUEL, shared.fuel)
  write(INSURANCE, content.insurance)
  write(PRICE_TERMS, content.priceTerms)
  write(VAT_RATES, content.vatRates)
  write(CAPITALS, shared.capitals)
  return files
}

type Rows<Tables> = {
  [Name in keyof Tables]: Tables[Name] extends TableReading<infer Row> ? readonly Row[] : never
}

function rowsOf<Tables extends Readonly<Record<string, TableReading<unknown>>>>(
  tables: Tables,
): Rows<Tables> {
  return Object.fromEntries(Object.entries(tables).map(([name, { rows }]) => [name, rows])) as Rows<Tables>
}

/** The rates of fuel.csv, followed by those of surcharges.csv. `placeOf` finds each in its own file. */
function withListedFuel(
  fuel: TableReading<FuelRate>,
  surcharges: TableReading<ListedSurcharge>,
): TableReading<FuelRate> {
  const listed = surcharges.rows.flatMap(({ surcharge: { carrierCode, code, validFrom }, fuelBps }, index) =>
    fuelBps === undefined ? [] : [{ index, rate: { carrierCode, code, validFrom, rateBps: fuelBps } }],
  )
  return {
    ...fuel,
    rows: [...fuel.rows, ...listed.map(({ rate }) => rate)],
    placeOf(index, field) {
      const from = index === undefined ? undefined : listed[index - fuel.rows.length]
      if (from === undefined) return fuel.placeOf(index, field)
      return surcharges.placeOf(from.index, field === 'rateBps' ? 'amount' : field)
    },
  }
}

const FILES = [
  ...[CARRIERS, PRODUCTS, COUNTRY_GROUPS, LANES, PRICES, TRANSIT, LANE_TRANSIT, PALLET_CLASSES, AREAS],
  ...[AREA_TRANSIT, SURCHARGES, SERVICE_OFFERS, FUEL, INSURANCE, CAPITALS, PRICE_TERMS, VAT_RATES],
].map(({ file }) => file)

function unknownFiles(names: readonly string[]): ImportFault[] {
  const missing = FILES.filter((file) => !names.includes(file))
  return names
    .filter((name) => !FILES.includes(name))
    .map((file) => ({
      file,
      expected: isWorkbookName(file)
        ? 'CSV files; a workbook is not read (in Excel: save each sheet as "CSV UTF-8")'
        : `a file of the format${nameHint(file, missing)}; it is not read`,
    }))
}

/** The demo rate card, whose carriers and prices are invented. Throws if it has faults. */
export function readDemoRateBook(): RateCardImport {
  const folder = fileURLToPath(new URL('../demo-rate-book/', import.meta.url))
  const { card, faults } = readRateCard(openRateCardFiles(folder))
  if (card === undefined) throw new Error(faults.map(describeImportFault).join('\n'))
  return card
}
