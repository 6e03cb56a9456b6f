/**
 * Where a rate card comes from on a command line: a folder or a zip of CSV files, a CSV file of prices alone that
 * builds on a version, or a version in the database. Decided here: "demo@2" is a version, what ends in .csv a
 * price list, anything else a path; a file of such a name is reached with "./".
 */

import { statSync } from 'node:fs'
import path from 'node:path'
import type { Kysely } from 'kysely'
import { checkRateCard } from '../../core/rate-card-review/check/card-check.ts'
import type { CardFinding } from '../../core/rate-card-review/check/findings.ts'
import { type FuelRate, type RateCardImport, versionText } from '../../core/rating/rate-card.ts'
import type { ImportFault } from '../../reference/import/import-fault.ts'
import { readImportFile } from '../../reference/import/import-limits.ts'
import { readPriceList, unknownProducts, withPrices } from '../../reference/rate-cards/price-list-csv.ts'
import { openRateCardFiles, readRateCard as readFiles } from '../../reference/rate-cards/rate-card-csv.ts'
import type { Database } from '../../store/database/database.ts'
import { loadRateBook } from '../../store/rate-cards/rate-book.ts'
import { readRateCard, type VersionName } from '../../store/rate-cards/versions.ts'
import { parseVersionName } from '../terminal/arguments.ts'
import { CardFaults } from '../terminal/faults.ts'
import { orRefusal, Refusal } from '../terminal/output.ts'

/** What a word of a command line means. */
export type CardSource =
  | { readonly kind: 'version'; readonly version: VersionName }
  | { readonly kind: 'files'; readonly location: string }
  | { readonly kind: 'price-list'; readonly location: string }

/** A card that was read, and how to say where something in it stands. */
export type LoadedCard = {
  /** What it is called in messages: "demo@2", or the path. */
  readonly name: string
  readonly card: RateCardImport
  readonly warnings: readonly ImportFault[]
  locate(finding: CardFinding): ImportFault
}

/** Tells what a word of a command line means, without looking whether it is there. */
export function cardSource(word: string): CardSource {
  const version = parseVersionName(word)
  if (version !== undefined) return { kind: 'version', version }
  const isFile = /\.csv$/i.test(word) && statSync(word, { throwIfNoEntry: false })?.isDirectory() !== true
  return { kind: isFile ? 'price-list' : 'files', location: word }
}

/** Reads a folder or a zip. Throws CardFaults, or a Refusal when there are no such files. */
export function readCardFiles(location: string): LoadedCard {
  const { card, faults, warnings, locate } = readFiles(orRefusal(() => openRateCardFiles(location)))
  if (card === undefined) throw new CardFaults(faults, warnings)
  return { name: location, card, warnings, locate }
}

/** Reads a version. Throws a Refusal when there is none of that name. */
export async function readCardVersion(db: Kysely<Database>, version: VersionName): Promise<LoadedCard> {
  const name = versionText(version)
  const stored = await readRateCard(db, version)
  if (stored === undefined) throw new Refusal(`there is no ${name}`)
  const card = { ...stored, carriers: await carriersOf(db, stored) }
  return { name, card, warnings: [], locate: (finding) => locateStored(name, card, finding) }
}

/** Versions from before imports were kept with their carriers take them from the book as it is. */
async function carriersOf(db: Kysely<Database>, stored: RateCardImport): Promise<RateCardImport['carriers']> {
  if (stored.carriers.length > 0) return stored.carriers
  const { carriers } = await loadRateBook(db)
  const own = new Set(stored.content.products.map(({ carrierCode }) => carrierCode))
  return carriers.filter(({ code }) => own.has(code))
}

/** A stored row has no place in a file; what names it stands first among its fields. */
function locateStored(
  name: string,
  { content, ...shared }: RateCardImport,
  { table, index, field, ...said }: CardFinding,
): ImportFault {
  const row = index === undefined ? undefined : { ...content, ...shared }[table][index]
  const named = Object.entries(row ?? {})
    .filter(([, value]) => typeof value !== 'object' && value !== '')
    .map(([key, value]) => `${fieldText(key)} ${value}`)
  const file = `${name} ${table}${named.length === 0 ? '' : ` (${named.slice(0, 3).join(', ')})`}`
  return { file, ...(field !== undefined && { column: fieldText(field) }), ...said }
}

/** A field as its column is called, near enough: `upToGrams` is "up to". */
function fieldText(field: string): string {
  const words = field.replace(/(Grams|Cents|Bps|Cm)$/, '').replace(/[A-Z]/g, (letter) => ` ${letter}`)
  return words.toLowerCase()
}

/**
 * Reads a price list on top of a card. Of fuel it says nothing, so that publishing it changes none. Throws
 * CardFaults, or a Refusal when there is no such file.
 */
export function readPricesOn(base: LoadedCard, location: string): LoadedCard {
  const file = path.basename(location)
  const { rows, faults, warnings, locate } = readPriceList(
    file,
    orRefusal(() => readImportFile(location)),
  )
  if (rows === undefined) throw new CardFaults(faults, warnings)
  const unknown = unknownProducts(base.card.content, rows).map(({ index, productId }) => ({
    ...locate(index, 'productId'),
    expected: `a product of ${base.name}`,
    found: `${productId}`,
  }))
  if (unknown.length > 0) throw new CardFaults(unknown, warnings)
  const content = withPrices(base.card.content, rows)
  const firstOwn = content.prices.length - rows.length
  // Rows of the base that stay have moved up by those that went.
  const replaced = new Set(rows.map(({ productId }) => productId))
  const kept = [...base.card.content.prices.keys()].filter(
    (row) => !replaced.has(base.card.content.prices[row]!.productId),
  )
  return {
    name: location,
    card: { ...base.card, content, fuel: [] },
    warnings,
    locate(finding) {
      const { table, index, field, ...said } = finding
      if (table !== 'prices' || index === undefined) return base.locate(finding)
      if (index < firstOwn) return base.locate({ ...finding, index: kept[index] ?? index })
      return { ...locate(index - firstOwn, field), ...said }
    },
  }
}

/**
 * Checks a card as a whole and gives it back with the warnings added. `fuelInForce` are the percentages that are
 * known beside it. Throws CardFaults.
 */
export function checkCard(loaded: LoadedCard, fuelInForce: readonly FuelRate[] = []): LoadedCard {
  const { card, locate } = loaded
  const carriers = new Set(card.carriers.map(({ code }) => code))
  const keyOf = ({ carrierCode, code, validFrom }: FuelRate): string => `${carrierCode} ${code} ${validFrom}`
  const own = new Set(card.fuel.map(keyOf))
  const known = fuelInForce.filter((rate) => carriers.has(rate.carrierCode) && !own.has(keyOf(rate)))
  const findings = checkRateCard({ ...card, fuel: [...card.fuel, ...known] })
  const warnings = [...loaded.warnings, ...findings.warnings.map(locate)]
  if (findings.faults.length > 0) throw new CardFaults(findings.faults.map(locate), warnings)
  return { ...loaded, warnings }
}

/** How many rows each table of a card has, by the name of the table. */
export function rowCounts({ content, carriers, capitals, fuel }: RateCardImport): Record<string, number> {
  const tables = { carriers, ...content, fuel, capitals }
  return Object.fromEntries(Object.entries(tables).map(([name, rows]) => [name, rows.length]))
}
