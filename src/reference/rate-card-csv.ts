/**
 * A rate card folder in the import format (described in this folder's README.md): kilograms, centimetres and
 * euro on paper become grams, centimetres and cents here.
 */
import type {
  AreaClass,
  CapitalRow,
  CarrierRow,
  FuelRate,
  PalletClassRow,
  PriceRow,
  ProductTerms,
  RateCard,
  SurchargeRow,
} from '../core/rating/rate-card.ts'
import { type CsvRow, readCsv } from './csv-table.ts'

const AREA_CLASSES: readonly AreaClass[] = ['NORMAL', 'REMOTE', 'ISLAND', 'OVERSEAS']

/** A carrier with the connector that speaks to it. */
export type CarrierWithConnector = CarrierRow & { readonly connector: string }

/** All that a rate card folder holds. Product rows come with their service level, which pricing does not need. */
export type RateCardFolder = {
  readonly card: Omit<RateCard, 'code' | 'versionNo' | 'validFrom' | 'validTo' | 'products'> & {
    readonly products: readonly (ProductTerms & { readonly serviceLevel: string })[]
  }
  readonly carriers: readonly CarrierWithConnector[]
  readonly fuel: readonly FuelRate[]
  readonly capitals: readonly CapitalRow[]
}

/** The demo rate book that ships with the product: all carriers and prices are invented. */
export function readDemoRateBook(): RateCardFolder {
  return readRateCardFolder(new URL('./demo-rate-book/', import.meta.url))
}

/** Reads a folder (its URL ends in a slash). Throws an error that names file, row and column of the first fault. */
export function readRateCardFolder(folder: URL): RateCardFolder {
  const read = <Row>(file: string, toRow: (row: CsvRow) => Row): Row[] =>
    readCsv(new URL(file, folder)).map(toRow)
  const surcharges = readCsv(new URL('surcharges.csv', folder))
  return {
    carriers: read('carriers.csv', (row) => ({
      code: row.text('carrier_code'),
      name: row.text('name'),
      connector: row.text('connector'),
    })),
    capitals: read('capitals.csv', (row) => ({
      country: row.text('country'),
      city: row.text('capital'),
      postalCode: row.text('postal_code', 'orEmpty'),
    })),
    fuel: surcharges.filter(isFuel).map((row) => ({
      carrierCode: row.text('carrier_code'),
      validFrom: row.text('valid_from'),
      rateBps: row.number('amount', 2),
    })),
    card: {
      products: read('products.csv', (row) => ({ ...product(row), serviceLevel: row.text('service_level') })),
      countryGroups: read('country_group.csv', (row) => ({
        country: row.text('country'),
        group: row.text('group'),
      })),
      lanes: read('lane_zone.csv', (row) => ({
        fromGroup: row.text('from_group'),
        toGroup: row.text('to_group'),
        zone: row.number('zone', 0),
      })),
      prices: read('rates.csv', price),
      palletClasses: read('pallet_class.csv', palletClass),
      areas: read('areas.csv', (row) => ({
        country: row.text('country'),
        from: row.text('from'),
        to: row.text('to'),
        areaClass: row.word('class', AREA_CLASSES),
      })),
      areaTransit: read('transit_area_extra.csv', (row) => ({
        carrierCode: row.text('carrier_code'),
        areaClass: row.word('class', AREA_CLASSES),
        extraMinDays: row.number('extra_min', 0),
        extraMaxDays: row.number('extra_max', 0),
      })),
      surcharges: surcharges.map(surcharge),
      insurance: read('insurance.csv', (row) => ({
        carrierCode: row.text('carrier_code'),
        freeCoverCents: row.number('free_cover_eur', 2),
        rateBps: row.number('rate_pct_of_value', 2),
        minimumCents: row.number('min_eur', 2),
        maxValueCents: row.number('max_value_eur', 2),
      })),
      transit: read('transit.csv', (row) => ({
        productId: row.number('product_id', 0),
        zone: row.number('zone', 0),
        minDays: row.number('min_days', 0),
        maxDays: row.number('max_days', 0),
      })),
    },
  }
}

/** Fuel is listed with the surcharges on paper; here its percentages are a dated table of their own. */
function isFuel(row: CsvRow): boolean {
  return row.text('code') === 'FUEL'
}

function product(row: CsvRow): ProductTerms {
  const scope = row.text('scope')
  const [, from] = /^from:(.+)$/.exec(scope) ?? []
  const basis = row.word('pricing_basis', ['shipment', 'parcel', 'pallet-class', 'per-100kg'])
  const optional = {
    volumetricDivisor: row.maybeNumber('vol_divisor', 0),
    kilogramsPerCubicMetre: row.maybeNumber('kg_per_m3', 0),
    kilogramsPerLoadingMetre: row.maybeNumber('kg_per_ldm', 0),
    documentGrams: row.maybeNumber('doc_unit_kg', 3),
    maxUnitGrams: row.maybeNumber('max_piece_kg', 3),
    maxLengthCm: row.maybeNumber('max_l_cm', 0),
    maxWidthCm: row.maybeNumber('max_w_cm', 0),
    maxHeightCm: row.maybeNumber('max_h_cm', 0),
    maxLengthPlusGirthCm: row.maybeNumber('max_girth_cm', 0),
    maxShipmentGrams: row.maybeNumber('max_shipment_kg', 3),
    maxInsuredCents: row.maybeNumber('insured_max_eur', 2),
  }
  return {
    productId: row.number('product_id', 0),
    carrierCode: row.text('carrier_code'),
    name: row.text('name'),
    parcelType: row.word('parcel_type', ['NONDOC', 'DOC', 'PALLET']),
    pricingBasis: basis,
    weightStepGrams: row.number('round_kg', 3),
    scope: from === undefined ? row.word('scope', ['any', 'domestic', 'international']) : 'any',
    recipient: row.word('recipient', ['any', 'individual', 'business']),
    ...(from !== undefined && { fromCountries: from.split('|') }),
    ...present(optional),
  }
}

/** The entries of an object that are given. */
function present<Fields extends Record<string, number | undefined>>(
  fields: Fields,
): { [Key in keyof Fields]?: number } {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given) as { [Key in keyof Fields]?: number }
}

function price(row: CsvRow): PriceRow {
  const unit = row.text('unit')
  const [, palletClassName] = /^PALLET:(.+)$/.exec(unit) ?? []
  const prices = {
    productId: row.number('product_id', 0),
    zone: row.number('zone', 0),
    priceCents: row.number('price', 2),
  }
  if (palletClassName !== undefined)
    return { ...prices, unit: 'PALLET', palletClass: palletClassName, overGrams: 0, upToGrams: 0 }
  const stepGrams = row.maybeNumber('step', 3)
  return {
    ...prices,
    unit: row.word('unit', ['KG', 'PER100KG']),
    overGrams: row.number('over', 3),
    upToGrams: row.number('up_to', 3),
    ...(stepGrams !== undefined && { stepGrams, stepCents: row.number('step_price', 2) }),
  }
}

function palletClass(row: CsvRow): PalletClassRow {
  const footprint = row.text('max_footprint_cm')
  const [, one, other] = /^(\d+)x(\d+)$/.exec(footprint) ?? []
  if (one === undefined || other === undefined)
    throw row.fault('max_footprint_cm', 'a footprint such as 120x80')
  return {
    carrierCode: row.text('carrier_code'),
    palletClass: row.text('class'),
    longSideCm: Math.max(Number(one), Number(other)),
    shortSideCm: Math.min(Number(one), Number(other)),
    maxHeightCm: row.number('max_height_cm', 0),
    maxGrams: row.number('max_kg', 3),
    spaces: row.number('spaces', 0),
  }
}

function surcharge(row: CsvRow): SurchargeRow {
  const method = row.word('method', ['flat', 'per_kg', 'pct'])
  return {
    carrierCode: row.text('carrier_code'),
    code: row.text('code'),
    name: row.text('name'),
    reason: row.text('reason'),
    phase: row.word('phase', ['accessorial', 'percent', 'fixed']),
    method: isFuel(row) ? 'fuel' : method,
    amount: isFuel(row) ? 0 : row.number('amount', 2),
    minimumCents: row.maybeNumber('min_eur', 2) ?? 0,
    per: row.word('per', ['shipment', 'piece', 'parcel', 'pallet']) === 'shipment' ? 'shipment' : 'unit',
    trigger: row.text('trigger'),
    fuelable: row.word('fuelable', ['yes', 'no']) === 'yes',
    validFrom: row.text('valid_from'),
  }
}
