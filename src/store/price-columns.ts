/**
 * Prices from the database into memory. Decided here: product by product, so that a million prices never hold the
 * service up for longer than one product takes (some milliseconds), and as texts of whole zones, since a row for
 * each price would cost ten times as much.
 */
import { type Kysely, sql } from 'kysely'
import { compilePriceTable, type PriceTable, type ZoneColumns } from '../core/rating/price-table.ts'
import type { PriceUnit } from '../core/rating/rate-card.ts'
import type { Database } from './database.ts'

/** A zone of a product as texts, numbers by commas; '' where all bands have the ordinary value. */
type ZoneTexts = {
  readonly zone: number
  readonly bands: string
  readonly cents: string
  readonly units: string
  readonly steps: string
  readonly stepCents: string
  readonly pallets: Readonly<Record<string, number>>
}

type PlainTexts = Pick<ZoneTexts, 'zone' | 'bands' | 'cents'> & { readonly isPlain: boolean }

/** What the zones of a card have in common more often than not. */
type ParsedBands = Pick<ZoneColumns, 'upToGrams' | 'units' | 'stepGrams'> & {
  /** As many as there are bands. */
  readonly zeros: readonly number[]
}

/** Reads the prices of a version, product by product. */
export function openPriceReader(
  db: Kysely<Database>,
  versionId: number,
): (productId: number) => Promise<PriceTable> {
  const parsed = new Map<string, ParsedBands>()
  return async (productId) => {
    const zones = await readZones(db, versionId, productId)
    return compilePriceTable(zones.map((texts) => columnsOf(texts, parsed)))
  }
}

/** Most products have one plain price per band; the columns for the rest would cost them three times the time. */
async function readZones(db: Kysely<Database>, versionId: number, productId: number): Promise<ZoneTexts[]> {
  const { rows } = await sql<PlainTexts>`
    select zone,
      string_agg(up_to_grams::text, ',' order by up_to_grams) as bands,
      string_agg(price_cents::text, ',' order by up_to_grams) as cents,
      bool_and(unit = 'KG' and step_grams is null) as "isPlain"
    from zone_price where version_id = ${versionId} and product_id = ${productId}
    group by zone order by zone`.execute(db)
  if (!rows.every(({ isPlain }) => isPlain)) return readUnitsAndSteps(db, versionId, productId)
  return rows.map(({ isPlain: _, ...texts }) => ({
    ...texts,
    units: '',
    steps: '',
    stepCents: '',
    pallets: {},
  }))
}

async function readUnitsAndSteps(
  db: Kysely<Database>,
  versionId: number,
  productId: number,
): Promise<ZoneTexts[]> {
  const { rows } = await sql<ZoneTexts>`
    select zone,
      coalesce(string_agg(up_to_grams::text, ',' order by up_to_grams) filter (where is_band), '') as bands,
      coalesce(string_agg(price_cents::text, ',' order by up_to_grams) filter (where is_band), '') as cents,
      coalesce(string_agg(unit, ',' order by up_to_grams) filter (where is_band), '') as units,
      coalesce(string_agg(coalesce(step_grams, 0)::text, ',' order by up_to_grams)
        filter (where is_band), '') as steps,
      coalesce(string_agg(coalesce(step_cents, 0)::text, ',' order by up_to_grams)
        filter (where is_band), '') as "stepCents",
      coalesce(json_object_agg(pallet_class, price_cents) filter (where not is_band), '{}') as pallets
    from (select *, unit <> 'PALLET' as is_band from zone_price
      where version_id = ${versionId} and product_id = ${productId}) as price
    group by zone order by zone`.execute(db)
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
    stepCents: texts.stepCents === '' ? bands.zeros : numbers(texts.stepCents),
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
