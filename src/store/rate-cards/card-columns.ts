/**
 * Reads and writes the content of rate card versions: one table per row type, one column per field. Rows are written as
 * JSON that PostgreSQL converts to the types of the table.
 */
import { type Kysely, sql, type Transaction } from 'kysely'
import type { RateCardContent } from '../../core/rating/rate-card.ts'
import type { Database } from '../database/database.ts'

export type CardTable<Row> = {
  readonly table: keyof Database & string
  /** The column of each field. */
  readonly columns: { readonly [Field in keyof Required<Row>]: string }
  /** True if the order of the rows matters; it is stored in `sort_no`. */
  readonly ordered?: true
  /** A field that is stored as '' when it is absent. */
  readonly blank?: string
}

type Row<Part extends keyof RateCardContent> = RateCardContent[Part][number]

/** The table of each part. Products come first, because other tables reference them. */
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
      units: 'list_units',
      sideRounding: 'side_rounding',
      volumetricDivisor: 'volumetric_divisor',
      kilogramsPerCubicMetre: 'kilograms_per_cubic_metre',
      kilogramsPerLoadingMetre: 'kilograms_per_loading_metre',
      volumetricPer: 'volumetric_per',
      weightStepGrams: 'weight_step_grams',
      heavyOverGrams: 'heavy_over_grams',
      heavyStepGrams: 'heavy_step_grams',
      minBilledUnitGrams: 'min_billed_unit_grams',
      shipmentStepGrams: 'shipment_step_grams',
      minBilledShipmentGrams: 'min_billed_shipment_grams',
      deficitWeight: 'deficit_weight',
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
      pickupDays: 'pickup_days',
      cutOffMinutes: 'cut_off_minutes',
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
      stepTenths: 'step_tenths',
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
  // A parcel is of the first class that it fits.
  sizeClasses: {
    table: 'size_class',
    columns: {
      carrierCode: 'carrier_code',
      sizeClass: 'size_class',
      condition: 'condition',
      products: 'products',
    },
    ordered: true,
  },
  // Explanations name the first of rows with the same weight.
  minimumWeights: {
    table: 'minimum_weight',
    columns: {
      carrierCode: 'carrier_code',
      name: 'name',
      condition: 'condition',
      weight: 'weight',
      products: 'products',
    },
    ordered: true,
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
  // Their order is the order of the price lines in a quote.
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
      maximumCents: 'maximum_cents',
      per: 'per',
      trigger: 'trigger',
      condition: 'condition',
      formula: 'formula',
      fuelable: 'fuelable',
      excludes: 'excludes',
      products: 'products',
      validFrom: 'valid_from',
      validTo: 'valid_to',
    },
    ordered: true,
  },
  // Of the rows of a service, the first one that fits applies.
  services: {
    table: 'service',
    columns: {
      carrierCode: 'carrier_code',
      service: 'service',
      name: 'name',
      method: 'method',
      amount: 'amount',
      minimumCents: 'minimum_cents',
      maximumCents: 'maximum_cents',
      per: 'per',
      formula: 'formula',
      fuelable: 'fuelable',
      products: 'products',
      fromCountries: 'from_countries',
      toCountries: 'to_countries',
      zones: 'zones',
      minShipmentGrams: 'min_shipment_grams',
      maxShipmentGrams: 'max_shipment_grams',
      maxUnitGrams: 'max_unit_grams',
      slot: 'slot',
      weekdays: 'weekdays',
      maxCollectedCents: 'max_collected_cents',
      unNumbers: 'un_numbers',
      refusedUnNumbers: 'refused_un_numbers',
      condition: 'condition',
      requires: 'requires',
      excludes: 'excludes',
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
  insuranceBands: {
    table: 'insurance_band',
    columns: {
      carrierCode: 'carrier_code',
      overCents: 'over_cents',
      upToCents: 'up_to_cents',
      priceCents: 'price_cents',
      valueStepCents: 'value_step_cents',
      stepPriceCents: 'step_price_cents',
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
  priceTerms: {
    table: 'price_terms',
    columns: {
      currency: 'currency',
      vatIncluded: 'vat_included',
      roundToCents: 'round_to_cents',
      rateDays: 'rate_days',
      percentagesTogether: 'percentages_together',
    },
  },
  vatRates: {
    table: 'vat_rate',
    columns: { zoneChart: 'zone_chart', zone: 'zone', rateBps: 'rate_bps' },
  },
}

/** Rows per fetch. Decoding them blocks the event loop for one or two milliseconds. */
const FETCH_ROWS = 2_000

/**
 * Reads one table of a version, or one product of it, through a cursor. Fields that are null in the database are
 * absent. Only rows of ordered tables are returned in a defined order. Rows that are parsed from JSON take a
 * third less memory, because they share the texts of short words.
 */
export async function readCardTable<Row extends object>(
  trx: Transaction<Database>,
  { table, columns, ordered, blank }: CardTable<Row>,
  versionId: number,
  productId?: number,
): Promise<Row[]> {
  const selected = Object.entries<string>(columns).map(([field, column]) => {
    const value = field === blank ? sql`nullif(${sql.ref(column)}, '')` : sql.ref(column)
    return sql`${value} AS ${sql.ref(field)}`
  })
  const isOfProduct = productId === undefined ? sql`` : sql` AND product_id = ${productId}`
  await sql`DECLARE card_rows NO SCROLL CURSOR FOR SELECT json_strip_nulls(row_to_json(card_row)) AS row
    FROM (SELECT ${sql.join(selected)} FROM ${sql.table(table)} WHERE version_id = ${versionId}${isOfProduct}
      ${ordered ? sql`ORDER BY sort_no` : sql``}) AS card_row`.execute(trx)
  const read: Row[] = []
  for (let fetched = FETCH_ROWS; fetched === FETCH_ROWS; ) {
    const { rows } = await sql<{ row: Row }>`FETCH ${sql.lit(FETCH_ROWS)} FROM card_rows`.execute(trx)
    for (const { row } of rows) read.push(row)
    fetched = rows.length
  }
  await sql`CLOSE card_rows`.execute(trx)
  return read
}

/** Writes rows of a version in one statement. In ordered tables, `firstNo` is the number of the first row. */
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
  await sql`INSERT INTO ${sql.table(table)} (${targets})
    SELECT ${targets} FROM json_populate_recordset(NULL::${sql.table(table)}, ${JSON.stringify(records)})
  `.execute(db)
}
