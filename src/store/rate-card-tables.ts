/**
 * Where each part of a rate card lies: one table per row type, one column per field. Written and read whole,
 * as JSON that PostgreSQL turns into rows of the table's own type, so that a new field is one line here.
 */
import { type Kysely, sql } from 'kysely'
import type {
  AreaRow,
  AreaTransitRow,
  CountryGroupRow,
  InsuranceRow,
  LaneRow,
  PalletClassRow,
  PriceRow,
  ProductTerms,
  SurchargeRow,
  TransitRow,
} from '../core/rating/rate-card.ts'
import type { Database } from './database.ts'

/** A table of rate card rows; `columns` names the column of every field. */
export type CardTable<Row> = {
  readonly table: keyof Database & string
  readonly columns: { readonly [Field in keyof Required<Row>]: string }
}

/** Products come with their service level, which is kept for people and not needed for pricing. */
export type ProductRow = ProductTerms & { readonly serviceLevel: string }

/** Products; a document weight only where the parcel type is DOC. */
export const PRODUCT: CardTable<ProductRow> = {
  table: 'product',
  columns: {
    productId: 'product_id',
    carrierCode: 'carrier_code',
    name: 'name',
    serviceLevel: 'service_level',
    parcelType: 'parcel_type',
    pricingBasis: 'pricing_basis',
    volumetricDivisor: 'volumetric_divisor',
    kilogramsPerCubicMetre: 'kilograms_per_cubic_metre',
    kilogramsPerLoadingMetre: 'kilograms_per_loading_metre',
    weightStepGrams: 'weight_step_grams',
    documentGrams: 'document_grams',
    maxUnitGrams: 'max_unit_grams',
    maxLengthCm: 'max_length_cm',
    maxWidthCm: 'max_width_cm',
    maxHeightCm: 'max_height_cm',
    maxLengthPlusGirthCm: 'max_girth_cm',
    maxShipmentGrams: 'max_shipment_grams',
    scope: 'scope',
    fromCountries: 'from_countries',
    recipient: 'recipient',
    maxInsuredCents: 'max_insured_cents',
  },
}

/** Country groups. */
export const COUNTRY_GROUP: CardTable<CountryGroupRow> = {
  table: 'country_group',
  columns: { country: 'country', group: 'group_code' },
}

/** Price zones of lanes. */
export const LANE: CardTable<LaneRow> = {
  table: 'lane_zone',
  columns: { fromGroup: 'from_group', toGroup: 'to_group', zone: 'zone' },
}

/** Prices by product and zone. */
export const PRICE: CardTable<PriceRow> = {
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
}

/** Pallet classes of a carrier. */
export const PALLET_CLASS: CardTable<PalletClassRow> = {
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
}

/** Postal ranges and their area classes. */
export const AREA: CardTable<AreaRow> = {
  table: 'area',
  columns: { country: 'country', from: 'postal_from', to: 'postal_to', areaClass: 'area_class' },
}

/** Working days that area classes add. */
export const AREA_TRANSIT: CardTable<AreaTransitRow> = {
  table: 'area_transit',
  columns: {
    carrierCode: 'carrier_code',
    areaClass: 'area_class',
    extraMinDays: 'extra_min_days',
    extraMaxDays: 'extra_max_days',
  },
}

/** The order of surcharges is the order of the price lines, so each row carries its place in the list. */
export const SURCHARGE: CardTable<SurchargeRow & { readonly sortNo: number }> = {
  table: 'surcharge',
  columns: {
    sortNo: 'sort_no',
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
    validFrom: 'valid_from',
  },
}

/** Insurance terms of a carrier. */
export const INSURANCE: CardTable<InsuranceRow> = {
  table: 'insurance',
  columns: {
    carrierCode: 'carrier_code',
    freeCoverCents: 'free_cover_cents',
    rateBps: 'rate_bps',
    minimumCents: 'minimum_cents',
    maxValueCents: 'max_value_cents',
  },
}

/** Working days by product and zone. */
export const TRANSIT: CardTable<TransitRow> = {
  table: 'transit',
  columns: { productId: 'product_id', zone: 'zone', minDays: 'min_days', maxDays: 'max_days' },
}

/** Reads the rows of one card version; fields whose column is null are absent. */
export async function readCardTable<Row>(
  db: Kysely<Database>,
  { table, columns }: CardTable<Row>,
  versionId: number,
): Promise<Row[]> {
  const selected = Object.entries<string>(columns).map(
    ([field, column]) => sql`${sql.ref(column)} as ${sql.ref(field)}`,
  )
  const { rows } = await sql<Record<string, unknown>>`
    select ${sql.join(selected)} from ${sql.table(table)} where version_id = ${versionId}`.execute(db)
  return rows.map(
    (row) => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as Row,
  )
}

/** Writes rows of one card version in a single statement. */
export async function writeCardTable<Row extends object>(
  db: Kysely<Database>,
  { table, columns }: CardTable<Row>,
  versionId: number,
  rows: readonly Row[],
): Promise<void> {
  const columnOf = columns as Readonly<Record<string, string>>
  const records = rows.map((row) => {
    const named = Object.entries(row).map(([field, value]) => [columnOf[field], value])
    return { version_id: versionId, ...Object.fromEntries(named) }
  })
  const targets = [sql.ref('version_id'), ...Object.values<string>(columns).map((column) => sql.ref(column))]
  await sql`insert into ${sql.table(table)} (${sql.join(targets)})
    select ${sql.join(targets)} from json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(records)})
  `.execute(db)
}
