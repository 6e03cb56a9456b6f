/**
 * Where each part of a rate card lies: one table per row type, one column per field. Written as JSON that
 * PostgreSQL turns into rows of the table's own type, so that a new field is one line here.
 */
import { type Kysely, sql, type Transaction } from 'kysely'
import { compilePriceTable, type PriceTable, type ZoneColumns } from '../../core/rating/book/price-table.ts'
import type { PriceUnit, RateCardContent } from '../../core/rating/rate-card.ts'
import type { Database } from '../database/database.ts'

/** A table of rate card rows; `columns` names the column of every field. */
export type CardTable<Row> = {
  readonly table: keyof Database & string
  readonly columns: { readonly [Field in keyof Required<Row>]: string }
  /** Their order means something: `sort_no` keeps it. */
  readonly ordered?: true
  /** A field that is '' in the table where the row has none. */
  readonly blank?: string
}

type Row<Part extends keyof RateCardContent> = RateCardContent[Part][number]

/** The tables by the part of the card they hold. Products come first: others refer to them. */
export const CARD_TABLES: { readonly [Part in keyof RateCardContent]: CardTable<Row<Part>> } = {
  products: {
    table: 'product',
    columns: {
      productId: 'product_id',
      carrierCode: 'carrier_code',
      name: 'name',
      serviceLevel: 'service_level',
      parcelType: 'parcel_type',
      pricingBasis: 'pricing_basis',
      zoneChart: 'zone_chart',
      areaList: 'area_list',
      zones: 'zones',
      volumetricDivisor: 'volumetric_divisor',
      kilogramsPerCubicMetre: 'kilograms_per_cubic_metre',
      kilogramsPerLoadingMetre: 'kilograms_per_loading_metre',
      weightStepGrams: 'weight_step_grams',
      documentGrams: 'document_grams',
      maxUnitGrams: 'max_unit_grams',
      maxLengthCm: 'max_length_cm',
      maxWidthCm: 'max_width_cm',
      maxHeightCm: 'max_height_cm',
      maxLengthPlusGirthCm: 'max_length_plus_girth_cm',
      maxShipmentGrams: 'max_shipment_grams',
      maxUnits: 'max_units',
      scope: 'scope',
      fromCountries: 'from_countries',
      recipient: 'recipient',
      maxInsuredCents: 'max_insured_cents',
    },
  },
  countryGroups: {
    table: 'country_group',
    columns: {
      zoneChart: 'zone_chart',
      country: 'country',
      from: 'postal_from',
      to: 'postal_to',
      city: 'city',
      group: 'group_code',
    },
  },
  lanes: {
    table: 'lane_zone',
    columns: { zoneChart: 'zone_chart', fromGroup: 'from_group', toGroup: 'to_group', zone: 'zone' },
  },
  prices: {
    table: 'zone_price',
    columns: {
      productId: 'product_id',
      zone: 'zone',
      unit: 'unit',
      palletClass: 'pallet_class',
      overGrams: 'over_grams',
      upToGrams: 'up_to_grams',
      priceCents: 'price_cents',
      stepGrams: 'step_grams',
      stepCents: 'step_cents',
    },
    blank: 'palletClass',
  },
  palletClasses: {
    table: 'pallet_class',
    columns: {
      carrierCode: 'carrier_code',
      palletClass: 'pallet_class',
      longSideCm: 'long_side_cm',
      shortSideCm: 'short_side_cm',
      maxHeightCm: 'max_height_cm',
      maxGrams: 'max_grams',
      spaces: 'spaces',
    },
  },
  areas: {
    table: 'area',
    columns: {
      areaList: 'area_list',
      country: 'country',
      from: 'postal_from',
      to: 'postal_to',
      city: 'city',
      areaClass: 'area_class',
    },
  },
  areaTransit: {
    table: 'area_transit',
    columns: {
      carrierCode: 'carrier_code',
      areaClass: 'area_class',
      extraMinDays: 'extra_min_days',
      extraMaxDays: 'extra_max_days',
    },
  },
  // Their order is the order of the price lines.
  surcharges: {
    table: 'surcharge',
    columns: {
      carrierCode: 'carrier_code',
      code: 'surcharge_code',
      name: 'name',
      reason: 'reason',
      phase: 'phase',
      method: 'method',
      amount: 'amount',
      minimumCents: 'minimum_cents',
      per: 'per',
      trigger: 'trigger',
      fuelable: 'fuelable',
      excludes: 'excludes',
      products: 'products',
      validFrom: 'valid_from',
      validTo: 'valid_to',
    },
    ordered: true,
  },
  insurance: {
    table: 'insurance',
    columns: {
      carrierCode: 'carrier_code',
      freeCoverCents: 'free_cover_cents',
      freeCoverPer: 'free_cover_per',
      rateBps: 'rate_bps',
      minimumCents: 'minimum_cents',
      maxValueCents: 'max_value_cents',
    },
  },
  transit: {
    table: 'transit',
    columns: { productId: 'product_id', zone: 'zone', minDays: 'min_days', maxDays: 'max_days' },
  },
  laneTransit: {
    table: 'lane_transit',
    columns: {
      productId: 'product_id',
      fromGroup: 'from_group',
      toGroup: 'to_group',
      minDays: 'min_days',
      maxDays: 'max_days',
    },
  },
}

/** Rows that come at a time: decoding them holds others up for a millisecond or two. */
const FETCH_ROWS = 2_000

/**
 * Reads the rows of a part of a version, or of one product of it, in small steps; fields whose column is null are
 * absent. Rows without an order of their own come in any.
 */
export async function readCardTable<Row extends object>(
  trx: Transaction<Database>,
  { table, columns, ordered, blank }: CardTable<Row>,
  versionId: number,
  productId?: number,
): Promise<Row[]> {
  const fields = Object.entries<string>(columns)
  const selected = fields.map(([field, column]) => sql`${sql.ref(column)} as ${sql.ref(field)}`)
  const ofProduct = productId === undefined ? sql`` : sql` and product_id = ${productId}`
  await sql`declare card_rows no scroll cursor for select ${sql.join(selected)} from ${sql.table(table)}
    where version_id = ${versionId}${ofProduct}${ordered ? sql` order by sort_no` : sql``}`.execute(trx)
  const isAbsent = (row: Record<string, unknown>, field: string): boolean =>
    row[field] === null || (field === blank && row[field] === '')
  const present: Row[] = []
  for (let fetched = FETCH_ROWS; fetched === FETCH_ROWS; ) {
    const { rows } = await sql<Record<string, unknown>>`fetch ${sql.lit(FETCH_ROWS)} from card_rows`.execute(
      trx,
    )
    for (const row of rows) {
      const given = fields.filter(([field]) => !isAbsent(row, field))
      const isWhole = given.length === fields.length
      present.push((isWhole ? row : Object.fromEntries(given.map(([field]) => [field, row[field]]))) as Row)
    }
    fetched = rows.length
  }
  await sql`close card_rows`.execute(trx)
  return present
}

/** Writes rows of a version in one statement; `firstNo` is the number of the first where their order is kept. */
export async function writeCardTable<Row extends object>(
  db: Kysely<Database>,
  { table, columns, ordered, blank }: CardTable<Row>,
  versionId: number,
  rows: readonly Row[],
  firstNo = 0,
): Promise<void> {
  const fields = Object.entries<string>(columns) as [keyof Row & string, string][]
  const records = rows.map((row, index) => {
    const record: Record<string, unknown> = { version_id: versionId }
    if (ordered) record['sort_no'] = firstNo + index
    for (const [field, column] of fields) record[column] = row[field] ?? (field === blank ? '' : undefined)
    return record
  })
  const names = ['version_id', ...(ordered ? ['sort_no'] : []), ...fields.map(([, column]) => column)]
  const targets = sql.join(names.map((name) => sql.ref(name)))
  await sql`insert into ${sql.table(table)} (${targets})
    select ${targets} from json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(records)})
  `.execute(db)
}

// Prices from the database into memory. Decided here: product by product, so that a million prices never hold the
// service up for longer than one product takes (some milliseconds), and as texts of whole zones, since a row for
// each price would cost ten times as much.

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
