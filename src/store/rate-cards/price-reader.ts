/** Reads the prices of rate card versions as tables in memory. */
import { type Kysely, sql } from 'kysely'
import { groupBy } from '../../core/group-by.ts'
import {
  compilePriceTable,
  freightClassColumns,
  type PriceTable,
  type ZoneColumns,
} from '../../core/rating/book/price-table.ts'
import type { PriceUnit } from '../../core/rating/rate-card.ts'
import type { Database } from '../database/database.ts'

/**
 * The prices of a zone of a product, as lists separated by commas. An empty list means the default for all bands.
 * Reading one row per zone is ten times as fast as one row per price.
 */
type ZoneTexts = {
  readonly zone: number
  readonly bands: string
  readonly cents: string
  readonly units: string
  readonly steps: string
  /** In tenths of a cent. */
  readonly stepPrices: string
  readonly pallets: Readonly<Record<string, number>>
}

type PlainTexts = Pick<ZoneTexts, 'zone' | 'bands' | 'cents'> & {
  readonly isPlain: boolean
  readonly isByClass: boolean
}

/** The rates of a freight class in a zone. */
type ClassTexts = Pick<ZoneTexts, 'zone' | 'bands' | 'cents'> & { readonly name: string }

/** Parsed lists, shared by all zones with the same texts. */
type ParsedBands = Pick<ZoneColumns, 'upToGrams' | 'units' | 'stepGrams'> & {
  /** One zero per band. */
  readonly zeros: readonly number[]
}

/**
 * Reads the prices of one product at a time, so that a million prices never block the event loop for more than a few
 * milliseconds.
 */
export function openPriceReader(
  db: Kysely<Database>,
  versionId: number,
): (productId: number) => Promise<PriceTable> {
  const parsed = new Map<string, ParsedBands>()
  return async (productId) => {
    const rows = await readPlain(db, versionId, productId)
    if (rows.some(({ isByClass }) => isByClass))
      return compilePriceTable(await readFreightClasses(db, versionId, productId))
    const zones = rows.every(({ isPlain }) => isPlain)
      ? rows.map(({ zone, bands, cents }) => ({ zone, bands, cents, ...PLAIN }))
      : await readUnitsAndSteps(db, versionId, productId)
    return compilePriceTable(zones.map((texts) => columnsOf(texts, parsed)))
  }
}

/** Most products have one price per kilogram band. Reading the other columns as well takes three times as long. */
async function readPlain(db: Kysely<Database>, versionId: number, productId: number): Promise<PlainTexts[]> {
  const { rows } = await sql<PlainTexts>`
    SELECT zone,
      string_agg(up_to_grams::text, ',' ORDER BY up_to_grams) AS bands,
      string_agg(price_cents::text, ',' ORDER BY up_to_grams) AS cents,
      bool_and(unit = 'KG' AND step_grams IS NULL) AS "isPlain",
      bool_or(unit = 'CLASS') AS "isByClass"
    FROM zone_price WHERE version_id = ${versionId} AND product_id = ${productId}
    GROUP BY zone ORDER BY zone`.execute(db)
  return rows
}

const PLAIN = { units: '', steps: '', stepPrices: '', pallets: {} } as const

async function readFreightClasses(
  db: Kysely<Database>,
  versionId: number,
  productId: number,
): Promise<ZoneColumns[]> {
  const { rows } = await sql<ClassTexts>`
    SELECT zone, pallet_class AS name,
      string_agg(up_to_grams::text, ',' ORDER BY up_to_grams) AS bands,
      string_agg(price_cents::text, ',' ORDER BY up_to_grams) AS cents
    FROM zone_price WHERE version_id = ${versionId} AND product_id = ${productId}
    GROUP BY zone, pallet_class ORDER BY zone, pallet_class`.execute(db)
  return [...groupBy(rows, ({ zone }) => zone)].map(([zone, classes]) =>
    freightClassColumns(
      zone,
      classes.map(({ name, bands, cents }) => ({
        name,
        upToGrams: numbers(bands),
        rateCents: numbers(cents),
      })),
    ),
  )
}

async function readUnitsAndSteps(
  db: Kysely<Database>,
  versionId: number,
  productId: number,
): Promise<ZoneTexts[]> {
  const { rows } = await sql<ZoneTexts>`
    SELECT zone,
      coalesce(string_agg(up_to_grams::text, ',' ORDER BY up_to_grams) FILTER (WHERE is_band), '') AS bands,
      coalesce(string_agg(price_cents::text, ',' ORDER BY up_to_grams) FILTER (WHERE is_band), '') AS cents,
      coalesce(string_agg(unit, ',' ORDER BY up_to_grams) FILTER (WHERE is_band), '') AS units,
      coalesce(string_agg(coalesce(step_grams, 0)::text, ',' ORDER BY up_to_grams)
        FILTER (WHERE is_band), '') AS steps,
      coalesce(string_agg((10 * coalesce(step_cents, 0)::bigint + coalesce(step_tenths, 0))::text, ','
        ORDER BY up_to_grams) FILTER (WHERE is_band), '') AS "stepPrices",
      coalesce(json_object_agg(pallet_class, price_cents) FILTER (WHERE NOT is_band), '{}') AS pallets
    FROM (SELECT *, unit NOT IN ('PALLET', 'SIZE') AS is_band FROM zone_price
      WHERE version_id = ${versionId} AND product_id = ${productId}) AS price
    GROUP BY zone ORDER BY zone`.execute(db)
  return rows
}

function columnsOf(texts: ZoneTexts, parsed: Map<string, ParsedBands>): ZoneColumns {
  const bands = parseBands(texts, parsed)
  return {
    zone: texts.zone,
    upToGrams: bands.upToGrams,
    units: bands.units,
    priceCents: numbers(texts.cents),
    stepGrams: bands.stepGrams,
    stepTenths: texts.stepPrices === '' ? bands.zeros : numbers(texts.stepPrices),
    palletCents: new Map(Object.entries(texts.pallets)),
  }
}

function parseBands({ bands, units, steps }: ZoneTexts, parsed: Map<string, ParsedBands>): ParsedBands {
  const key = `${bands}|${units}|${steps}`
  const known = parsed.get(key)
  if (known !== undefined) return known
  const upToGrams = numbers(bands)
  const zeros = upToGrams.map(() => 0)
  const fresh: ParsedBands = {
    upToGrams,
    units: units === '' ? upToGrams.map(() => 'KG') : (units.split(',') as PriceUnit[]),
    stepGrams: steps === '' ? zeros : numbers(steps),
    zeros,
  }
  parsed.set(key, fresh)
  return fresh
}

function numbers(text: string): number[] {
  return text === '' ? [] : text.split(',').map(Number)
}
