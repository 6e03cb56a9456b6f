/**
 * Reads a rate card from a folder or zip of CSV files, or from a workbook with a sheet for each file, and writes it as
 * CSV files. All tables are read to their end, so that operators see all faults at once. See docs/rate-card-files.md.
 */
import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { CardFinding, CardTableName } from '../../core/rate-card-review/check/findings.ts'
import type { FuelRate, RateCardImport } from '../../core/rating/rate-card.ts'
import {
  csvOf,
  hasNeeded,
  readMissing,
  readTableFile,
  type TableReading,
  type TableSpec,
  tableOf,
  type WrittenTable,
} from '../import/csv-rows.ts'
import { describeImportFault, type ImportFault, nameHint } from '../import/import-fault.ts'
import {
  bytesText,
  ImportRefusal,
  MAX_CARD_ENTRIES,
  MAX_FILE_BYTES,
  readImportFile,
} from '../import/import-limits.ts'
import { csvFile, sheetFile, type TableFile } from '../import/table-file.ts'
import type { Workbook } from '../import/workbook-sheet.ts'
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
  INSURANCE_BANDS,
  LANE_TRANSIT,
  LANES,
  type ListedSurcharge,
  MINIMUM_WEIGHTS,
  PALLET_CLASSES,
  PRICE_TERMS,
  SIZE_CLASSES,
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

/** The tables of a rate card, by the name of the file. */
type CardTables = {
  readonly tables: ReadonlyMap<string, TableFile>
  /** What each of them is called. */
  readonly kind: 'file' | 'sheet'
  readonly ignored: readonly ImportFault[]
}

/** Reads the files of `openRateCardFiles`. Does not throw: problems of the files are faults. */
export function readRateCard(files: ReadonlyMap<string, Uint8Array>): CardReading {
  const tables = new Map([...files].map(([name, bytes]) => [name, csvFile(name, bytes)]))
  return readTables({ tables, kind: 'file', ignored: unknownFiles([...files.keys()]) })
}

/** Reads the sheets of a workbook. Does not throw: problems of the sheets are faults. */
export function readCardWorkbook(workbook: Workbook): CardReading {
  const tables = new Map<string, TableFile>()
  const ignored: ImportFault[] = []
  const names = workbook.sheets.map(({ name }) => fileOfSheet(name))
  for (const sheet of workbook.sheets.filter(({ rows }) => rows.length > 0)) {
    const spec = SPECS.find(({ file }) => file === fileOfSheet(sheet.name))
    const missing = FILES.filter((file) => !names.includes(file)).map(sheetOfFile)
    if (spec === undefined || tables.has(spec.file))
      ignored.push({
        file: `sheet ${sheet.name}`,
        expected:
          spec === undefined
            ? `a sheet of the format${nameHint(sheet.name, missing)}; it is not read`
            : `one sheet for ${sheetOfFile(spec.file)}; this one is not read`,
      })
    else tables.set(spec.file, sheetFile(sheet, workbook, { isHeader: (names) => hasNeeded(spec, names) }))
  }
  return readTables({ tables, kind: 'sheet', ignored })
}

/** The file that a sheet stands for: rates.csv for "rates", "Rates" or "rates.csv". */
export function fileOfSheet(name: string): string {
  return `${sheetOfFile(name.trim().toLowerCase())}.csv`
}

export function sheetOfFile(file: string): string {
  return file.replace(/\.csv$/, '')
}

/** Separate, because the closure `locate` of the result would otherwise keep the content of the files in memory. */
function readEach({ tables: files, kind }: CardTables) {
  const read = <Raw, Row>(spec: TableSpec<Raw, Row>): TableReading<Row> => {
    const file = files.get(spec.file)
    if (file !== undefined) return readTableFile(spec, file)
    const named = kind === 'file' ? spec : { ...spec, file: `sheet ${sheetOfFile(spec.file)}` }
    return readMissing(named, `this ${kind}, which every rate card needs`)
  }
  const surcharges = read(SURCHARGES)
  const fuel = read(FUEL)
  return {
    carriers: read(CARRIERS),
    products: read(PRODUCTS),
    countryGroups: read(COUNTRY_GROUPS),
    lanes: read(LANES),
    prices: read(PRICES),
    transit: read(TRANSIT),
    laneTransit: read(LANE_TRANSIT),
    palletClasses: read(PALLET_CLASSES),
    sizeClasses: read(SIZE_CLASSES),
    minimumWeights: read(MINIMUM_WEIGHTS),
    areas: read(AREAS),
    areaTransit: read(AREA_TRANSIT),
    surcharges: { ...surcharges, rows: surcharges.rows.map(({ surcharge }) => surcharge) },
    services: read(SERVICE_OFFERS),
    fuel: withListedFuel(fuel, surcharges),
    insurance: read(INSURANCE),
    insuranceBands: read(INSURANCE_BANDS),
    priceTerms: read(PRICE_TERMS),
    vatRates: read(VAT_RATES),
    capitals: read(CAPITALS),
  } satisfies Record<CardTableName, TableReading<unknown>>
}

function readTables(files: CardTables): CardReading {
  const tables = readEach(files)
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
    warnings: [...logs.flatMap((log) => log.warnings()), ...files.ignored],
    locate: ({ table, index, field, ...finding }) => ({
      ...tables[table].placeOf(index, field),
      ...finding,
    }),
  }
}

/** The files of a rate card by name. Importing them gives the same card. Files without rows are left out. */
export function writeRateCard(card: RateCardImport): ReadonlyMap<string, string> {
  const tables = cardTables(card).filter(({ rows }) => rows.length > 0)
  return new Map(tables.map((table) => [table.file, csvOf(table)]))
}

/** All tables of a rate card as they are written, in the order of the format. */
export function cardTables({ content, ...shared }: RateCardImport): readonly WrittenTable[] {
  return [
    tableOf(CARRIERS, shared.carriers),
    tableOf(PRODUCTS, content.products),
    tableOf(COUNTRY_GROUPS, content.countryGroups),
    tableOf(LANES, content.lanes),
    tableOf(PRICES, content.prices),
    tableOf(TRANSIT, content.transit),
    tableOf(LANE_TRANSIT, content.laneTransit),
    tableOf(PALLET_CLASSES, content.palletClasses),
    tableOf(SIZE_CLASSES, content.sizeClasses),
    tableOf(MINIMUM_WEIGHTS, content.minimumWeights),
    tableOf(AREAS, content.areas),
    tableOf(AREA_TRANSIT, content.areaTransit),
    tableOf(
      SURCHARGES,
      content.surcharges.map((surcharge): ListedSurcharge => ({ surcharge })),
    ),
    tableOf(SERVICE_OFFERS, content.services),
    tableOf(FUEL, shared.fuel),
    tableOf(INSURANCE, content.insurance),
    tableOf(INSURANCE_BANDS, content.insuranceBands),
    tableOf(PRICE_TERMS, content.priceTerms),
    tableOf(VAT_RATES, content.vatRates),
    tableOf(CAPITALS, shared.capitals),
  ]
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

const SPECS = [
  ...[CARRIERS, PRODUCTS, COUNTRY_GROUPS, LANES, PRICES, TRANSIT, LANE_TRANSIT, PALLET_CLASSES, AREAS],
  ...[SIZE_CLASSES, MINIMUM_WEIGHTS],
  ...[
    AREA_TRANSIT,
    SURCHARGES,
    SERVICE_OFFERS,
    FUEL,
    INSURANCE,
    INSURANCE_BANDS,
    CAPITALS,
    PRICE_TERMS,
    VAT_RATES,
  ],
]
const FILES = SPECS.map(({ file }) => file)

function unknownFiles(names: readonly string[]): ImportFault[] {
  const missing = FILES.filter((file) => !names.includes(file))
  return names
    .filter((name) => !FILES.includes(name))
    .map((file) => ({
      file,
      expected: isWorkbookName(file)
        ? 'CSV files; a workbook beside them is not read (import the workbook itself)'
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
