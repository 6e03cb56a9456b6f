/**
 * Reads the rate card that a command line argument names: a version in the database ("demo@2"), a price list (a file
 * that ends in ".csv", or a workbook without the sheet "products"), or a whole card: a workbook, or a folder or zip of
 * CSV files. To use a file whose name looks like a version, write "./demo@2".
 */
import { statSync } from 'node:fs'
import path from 'node:path'
import type { Kysely } from 'kysely'
import type { ConnectorTypes } from '../../carriers/registry.ts'
import { checkRateCard } from '../../core/rate-card-review/check/card-check.ts'
import type { CardFinding } from '../../core/rate-card-review/check/findings.ts'
import type { UnpricedCard } from '../../core/rate-card-review/difference/card-difference.ts'
import { versionText } from '../../core/rating/card-version.ts'
import type { FuelInForce } from '../../core/rating/fuel/fuel-table.ts'
import type { RateCardImport } from '../../core/rating/rate-card.ts'
import type { Service } from '../../core/rating/sender-service.ts'
import type { ImportFault } from '../../reference/import/import-fault.ts'
import { MAX_LAYOUT_BYTES, readImportFile } from '../../reference/import/import-limits.ts'
import { sheetNames } from '../../reference/import/workbook-sheet.ts'
import {
  inLayout,
  layoutSheet,
  type PriceTable,
  plainPrices,
  readPriceLayout,
} from '../../reference/rate-cards/price-layout.ts'
import {
  priceSheet,
  readPriceList,
  unknownProducts,
  withPrices,
} from '../../reference/rate-cards/price-list-csv.ts'
import {
  fileOfSheet,
  openRateCardFiles,
  readCardWorkbook,
  readRateCard as readFiles,
} from '../../reference/rate-cards/rate-card-csv.ts'
import type { Database } from '../../store/database/database.ts'
import { loadRateBook } from '../../store/rate-cards/rate-book.ts'
import { readRateCard, type VersionName } from '../../store/rate-cards/versions.ts'
import { parseVersionName } from '../terminal/arguments.ts'
import { ImportFaults, Refusal, refuseOnError, UsageError } from '../terminal/errors.ts'
import { isWorkbook, readTableAt, readWorkbookFile } from '../terminal/table-file.ts'

/** The option of commands that read a price list. */
export const LAYOUT_OPTION =
  'the layout of a price list that has its own column names (see docs/rate-card-files.md)'

export type CardSource = { readonly kind: 'version'; readonly version: VersionName } | FileSource
/** `files`: a whole card. */
export type FileSource = { readonly kind: 'files'; readonly location: string } | PriceListSource
/** `layout` is the file of its layout, if it has one of its own. */
export type PriceListSource = {
  readonly kind: 'price-list'
  readonly location: string
  readonly layout?: string
}

/** A rate card that was read. */
export type LoadedCard = {
  /** The name in messages: "demo@2", or the path. */
  readonly name: string
  readonly card: RateCardImport
  readonly warnings: readonly ImportFault[]
  /** A finding with its place in the files, or in the stored version. */
  locate(finding: CardFinding): ImportFault
}

/** `layout` is the file of the layout of a price list. Does not check whether the version or file exists. */
export function cardSource(word: string, layout?: string): CardSource {
  if (layout !== undefined) return { kind: 'price-list', location: word, layout }
  const version = parseVersionName(word)
  if (version !== undefined) return { kind: 'version', version }
  if (statSync(word, { throwIfNoEntry: false })?.isFile() === true && isWorkbook(word))
    return { kind: hasProducts(word) ? 'files' : 'price-list', location: word }
  const isFile = /\.csv$/i.test(word) && statSync(word, { throwIfNoEntry: false })?.isDirectory() !== true
  return { kind: isFile ? 'price-list' : 'files', location: word }
}

/** True for the sheets of a whole card. A workbook that cannot be read is refused when it is read as a card. */
function hasProducts(location: string): boolean {
  try {
    return sheetNames(readImportFile(location)).some((name) => fileOfSheet(name) === 'products.csv')
  } catch {
    return true
  }
}

/** Throws a UsageError if a version to build on is named, but none of the sources is a price list. */
export function refuseUnusedBase(base: VersionName | undefined, ...sources: readonly CardSource[]): void {
  if (base !== undefined && !sources.some(({ kind }) => kind === 'price-list'))
    throw new UsageError('--base can only be used with a price list')
}

/**
 * Reads a card. `base` is needed for a price list, and `db` for a version. Throws ImportFaults, a Refusal, or a
 * UsageError if a price list has no base.
 */
export async function readCard(
  db: Kysely<Database> | undefined,
  source: CardSource,
  base: LoadedCard | undefined,
): Promise<LoadedCard> {
  switch (source.kind) {
    case 'files':
      return readCardFiles(source.location)
    case 'price-list':
      if (base === undefined)
        throw new UsageError(`${source.location} is a price list: name the version it builds on with --base`)
      return readPricesOn(base, source)
    case 'version':
      return readCardVersion(db!, source.version)
  }
}

/** Reads a workbook, folder or zip. Throws ImportFaults, or a Refusal if it does not exist or has no tables. */
export function readCardFiles(location: string): LoadedCard {
  const { card, faults, warnings, locate } = isWorkbook(location)
    ? readCardWorkbook(readWorkbookFile(location))
    : readFiles(refuseOnError(() => openRateCardFiles(location)))
  if (card === undefined) throw new ImportFaults(faults, warnings)
  return { name: location, card, warnings, locate }
}

/** Reads a version from the database. Throws a Refusal if it does not exist. */
export async function readCardVersion(db: Kysely<Database>, version: VersionName): Promise<LoadedCard> {
  const name = versionText(version)
  const stored = await readRateCard(db, version)
  if (stored === undefined) throw new Refusal(`there is no ${name}`)
  const card = { ...stored, carriers: await carriersOf(db, stored) }
  return { name, card, warnings: [], locate: (finding) => locateStored(name, card, finding) }
}

/** Versions that were stored without carriers get them from the current rate book. */
export async function carriersOf(
  db: Kysely<Database>,
  stored: UnpricedCard,
): Promise<RateCardImport['carriers']> {
  if (stored.carriers.length > 0) return stored.carriers
  const { carriers } = await loadRateBook(db)
  const codes = new Set(stored.content.products.map(({ carrierCode }) => carrierCode))
  return carriers.filter(({ code }) => codes.has(code))
}

/** Names a stored row by its first three fields, because it has no place in a file. */
function locateStored(
  name: string,
  { content, ...shared }: RateCardImport,
  { table, index, field, ...finding }: CardFinding,
): ImportFault {
  const row = index === undefined ? undefined : { ...content, ...shared }[table][index]
  const named = Object.entries(row ?? {})
    .filter(([, value]) => typeof value !== 'object' && value !== '')
    .map(([key, value]) => `${fieldText(key)} ${value}`)
  const file = `${name} ${table}${named.length === 0 ? '' : ` (${named.slice(0, 3).join(', ')})`}`
  return { file, ...(field !== undefined && { column: fieldText(field) }), ...finding }
}

/** A field name for people, without its unit: `upToGrams` is "up to". */
function fieldText(field: string): string {
  const words = field.replace(/(Grams|Cents|Bps|Cm)$/, '').replace(/[A-Z]/g, (letter) => ` ${letter}`)
  return words.toLowerCase()
}

/**
 * Reads a price list and replaces the prices of its products in `base`. The result has no fuel percentages, so
 * publishing it does not change any. Throws ImportFaults, or a Refusal if the file does not exist.
 */
export function readPricesOn(base: LoadedCard, { location, layout }: PriceListSource): LoadedCard {
  const { rows, faults, warnings, locate } = readPriceList(priceTable(location, layout))
  if (rows === undefined) throw new ImportFaults(faults, warnings)
  const unknown = unknownProducts(base.card.content, rows).map(({ index, productId }) => ({
    ...locate(index, 'productId'),
    expected: `a product of ${base.name}`,
    found: `${productId}`,
  }))
  if (unknown.length > 0) throw new ImportFaults(unknown, warnings)
  const content = withPrices(base.card.content, rows)
  const firstListed = content.prices.length - rows.length
  const replaced = new Set(rows.map(({ productId }) => productId))
  // The positions in `base` of the rows before `firstListed`.
  const basePositions = base.card.content.prices.flatMap(({ productId }, position) =>
    replaced.has(productId) ? [] : [position],
  )
  return {
    name: location,
    card: { ...base.card, content, fuel: [] },
    warnings,
    locate(finding) {
      const { table, index, field, ...rest } = finding
      if (table !== 'prices' || index === undefined) return base.locate(finding)
      if (index < firstListed) return base.locate({ ...finding, index: basePositions[index] ?? index })
      return { ...locate(index - firstListed, field), ...rest }
    },
  }
}

/** Throws ImportFaults if the layout has faults, or a Refusal if a file cannot be read. */
function priceTable(location: string, layoutFile: string | undefined): PriceTable {
  if (layoutFile === undefined) return plainPrices(readTableAt(location, priceSheet))
  const { layout, faults, warnings } = readPriceLayout(
    path.basename(layoutFile),
    refuseOnError(() => readImportFile(layoutFile, MAX_LAYOUT_BYTES)),
  )
  if (layout === undefined) throw new ImportFaults(faults, warnings)
  return inLayout(
    readTableAt(location, (workbook) => layoutSheet(workbook, layout)),
    layout,
  )
}

/**
 * Checks a card as a whole and adds the warnings. Figures of `fuelInForce` that the card does not contain are
 * checked with it. Throws ImportFaults.
 */
export function checkCard(
  loaded: LoadedCard,
  connectors: ConnectorTypes,
  fuelInForce: readonly FuelInForce[] = [],
): LoadedCard {
  const { card, locate } = loaded
  const carriers = new Set(card.carriers.map(({ code }) => code))
  const keyOf = ({ carrierCode, code, validFrom }: FuelInForce): string =>
    `${carrierCode} ${code} ${validFrom}`
  const listed = new Set(card.fuel.map(keyOf))
  const known = fuelInForce.filter((rate) => carriers.has(rate.carrierCode) && !listed.has(keyOf(rate)))
  const booked = new Map(
    [...connectors].flatMap(([name, { books, bookedServices = new Set<Service>() }]) =>
      books === true ? [[name, bookedServices] as const] : [],
    ),
  )
  const findings = checkRateCard(card, known, [...connectors.keys()], booked)
  const warnings = [...loaded.warnings, ...located(findings.warnings, locate)]
  if (findings.faults.length > 0) throw new ImportFaults(located(findings.faults, locate), warnings)
  return { ...loaded, warnings }
}

/** Findings with their places. Those that look the same are listed once: a cell of a grid has a price in every zone. */
function located(findings: readonly CardFinding[], locate: LoadedCard['locate']): ImportFault[] {
  const seen = new Set<string>()
  return findings.map(locate).filter(({ more, ...fault }) => {
    const key = JSON.stringify(fault)
    const isNew = !seen.has(key) || more !== undefined
    seen.add(key)
    return isNew
  })
}

/** The number of rows of each table of a card. */
export function rowCounts({ content, carriers, capitals, fuel }: RateCardImport): Record<string, number> {
  const tables = { carriers, ...content, fuel, capitals }
  return Object.fromEntries(Object.entries(tables).map(([name, rows]) => [name, rows.length]))
}
