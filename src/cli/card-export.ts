/**
 * A rate card as the CSV files it could be imported from. Decided here: every column of the format is written,
 * fuel as its own table, and a table without rows has no file unless the format requires one.
 * Source: the format described in src/reference/README.md.
 */
import { formatCents } from '../core/money.ts'
import { formatDecimal, formatKilograms } from '../core/quantity.ts'
import type {
  PlaceRange,
  PriceRow,
  ProductTerms,
  RateCardImport,
  SurchargeRow,
} from '../core/rating/rate-card.ts'

/** What a column says of a row; undefined is an empty cell. */
type Columns<Row> = Readonly<Record<string, (row: Row) => string | number | undefined>>

/** The files of a card by name. */
export function writeCardFiles({ content, ...shared }: RateCardImport): ReadonlyMap<string, string> {
  const files = new Map<string, string>()
  const write = <Row>(file: string, rows: readonly Row[], columns: Columns<Row>): void => {
    if (rows.length > 0) files.set(file, csvOf(rows, columns))
  }
  write('carriers.csv', shared.carriers, {
    carrier_code: ({ code }) => code,
    name: ({ name }) => name,
    connector: ({ connector }) => connector,
  })
  write('products.csv', content.products, PRODUCTS)
  write('country_group.csv', content.countryGroups, {
    ...PLACE,
    group: ({ group }) => group,
    zone_chart: ({ zoneChart }) => zoneChart,
  })
  write('lane_zone.csv', content.lanes, {
    from_group: ({ fromGroup }) => fromGroup,
    to_group: ({ toGroup }) => toGroup,
    zone: ({ zone }) => zone,
    zone_chart: ({ zoneChart }) => zoneChart,
  })
  write('rates.csv', content.prices, PRICES)
  write('transit.csv', content.transit, {
    product_id: ({ productId }) => productId,
    zone: ({ zone }) => zone,
    ...DAYS,
  })
  write('transit_lane.csv', content.laneTransit, {
    product_id: ({ productId }) => productId,
    from_group: ({ fromGroup }) => fromGroup,
    to_group: ({ toGroup }) => toGroup,
    ...DAYS,
  })
  write('pallet_class.csv', content.palletClasses, {
    carrier_code: ({ carrierCode }) => carrierCode,
    class: ({ palletClass }) => palletClass,
    max_footprint_cm: ({ longSideCm, shortSideCm }) => `${longSideCm}x${shortSideCm}`,
    max_height_cm: ({ maxHeightCm }) => maxHeightCm,
    max_kg: ({ maxGrams }) => formatKilograms(maxGrams),
    spaces: ({ spaces }) => spaces,
  })
  write('areas.csv', content.areas, {
    ...PLACE,
    class: ({ areaClass }) => areaClass,
    area_list: ({ areaList }) => areaList,
  })
  write('transit_area_extra.csv', content.areaTransit, {
    carrier_code: ({ carrierCode }) => carrierCode,
    class: ({ areaClass }) => areaClass,
    extra_min: ({ extraMinDays }) => extraMinDays,
    extra_max: ({ extraMaxDays }) => extraMaxDays,
  })
  write('surcharges.csv', content.surcharges, SURCHARGES)
  writeShared(write, content, shared)
  return files
}

function writeShared(
  write: <Row>(file: string, rows: readonly Row[], columns: Columns<Row>) => void,
  { insurance }: RateCardImport['content'],
  { fuel, capitals }: Omit<RateCardImport, 'content'>,
): void {
  write('fuel.csv', fuel, {
    carrier_code: ({ carrierCode }) => carrierCode,
    code: ({ code }) => code,
    valid_from: ({ validFrom }) => validFrom,
    rate_pct: ({ rateBps }) => formatDecimal(rateBps, 2),
  })
  write('insurance.csv', insurance, {
    carrier_code: ({ carrierCode }) => carrierCode,
    free_cover_eur: ({ freeCoverCents }) => formatCents(freeCoverCents),
    rate_pct_of_value: ({ rateBps }) => formatDecimal(rateBps, 2),
    min_eur: ({ minimumCents }) => formatCents(minimumCents),
    max_value_eur: ({ maxValueCents }) => formatCents(maxValueCents),
    free_cover_per: ({ freeCoverPer }) => (freeCoverPer === 'unit' ? 'parcel' : freeCoverPer),
  })
  write('capitals.csv', capitals, {
    country: ({ country }) => country,
    capital: ({ city }) => city,
    postal_code: ({ postalCode }) => postalCode,
  })
}

const kilograms = (grams: number | undefined): string | undefined =>
  grams === undefined ? undefined : formatKilograms(grams)
const euros = (cents: number | undefined): string | undefined =>
  cents === undefined ? undefined : formatCents(cents)

const PLACE = {
  country: ({ country }) => country,
  from: ({ from }) => from,
  to: ({ to }) => to,
  city: ({ city }) => city,
} satisfies Columns<PlaceRange>

const DAYS = {
  min_days: ({ minDays }) => minDays,
  max_days: ({ maxDays }) => maxDays,
} satisfies Columns<{ readonly minDays: number; readonly maxDays: number }>

const PRODUCTS: Columns<ProductTerms> = {
  product_id: ({ productId }) => productId,
  carrier_code: ({ carrierCode }) => carrierCode,
  name: ({ name }) => name,
  service_level: ({ serviceLevel }) => serviceLevel,
  parcel_type: ({ parcelType }) => parcelType,
  pricing_basis: ({ pricingBasis }) => pricingBasis,
  vol_divisor: ({ volumetricDivisor }) => volumetricDivisor,
  kg_per_m3: ({ kilogramsPerCubicMetre }) => kilogramsPerCubicMetre,
  kg_per_ldm: ({ kilogramsPerLoadingMetre }) => kilogramsPerLoadingMetre,
  round_kg: ({ weightStepGrams }) => kilograms(weightStepGrams),
  doc_unit_kg: ({ documentGrams }) => kilograms(documentGrams),
  max_piece_kg: ({ maxUnitGrams }) => kilograms(maxUnitGrams),
  max_l_cm: ({ maxLengthCm }) => maxLengthCm,
  max_w_cm: ({ maxWidthCm }) => maxWidthCm,
  max_h_cm: ({ maxHeightCm }) => maxHeightCm,
  max_girth_cm: ({ maxLengthPlusGirthCm }) => maxLengthPlusGirthCm,
  max_shipment_kg: ({ maxShipmentGrams }) => kilograms(maxShipmentGrams),
  max_pieces: ({ maxUnits }) => maxUnits,
  scope: ({ scope, fromCountries }) =>
    fromCountries === undefined ? scope : `from:${fromCountries.join('|')}`,
  recipient: ({ recipient }) => recipient,
  insured_max_eur: ({ maxInsuredCents }) => euros(maxInsuredCents),
  zones: ({ zones }) => zones?.join('|'),
  zone_chart: ({ zoneChart }) => zoneChart,
  area_list: ({ areaList }) => areaList,
}

const PRICES: Columns<PriceRow> = {
  product_id: ({ productId }) => productId,
  zone: ({ zone }) => zone,
  unit: ({ unit, palletClass }) => (palletClass === undefined ? unit : `${unit}:${palletClass}`),
  over: ({ unit, overGrams }) => (unit === 'PALLET' ? undefined : kilograms(overGrams)),
  up_to: ({ unit, upToGrams }) => (unit === 'PALLET' ? undefined : kilograms(upToGrams)),
  price: ({ priceCents }) => formatCents(priceCents),
  step: ({ stepGrams }) => kilograms(stepGrams),
  step_price: ({ stepCents }) => euros(stepCents),
}

const SURCHARGES: Columns<SurchargeRow> = {
  carrier_code: ({ carrierCode }) => carrierCode,
  code: ({ code }) => code,
  name: ({ name }) => name,
  reason: ({ reason }) => reason,
  phase: ({ phase }) => phase,
  method: ({ method }) => method,
  // Cents and basis points alike have two decimals.
  amount: ({ method, amount }) => (method === 'fuel' ? undefined : formatDecimal(amount, 2)),
  min_eur: ({ minimumCents }) => (minimumCents === 0 ? undefined : euros(minimumCents)),
  per: ({ per }) => (per === 'unit' ? 'piece' : per),
  trigger: ({ trigger }) => trigger,
  fuelable: ({ fuelable }) => (fuelable ? 'yes' : 'no'),
  excludes: ({ excludes }) => excludes.join('|'),
  products: ({ products }) => products?.join('|'),
  valid_from: ({ validFrom }) => validFrom,
  valid_to: ({ validTo }) => validTo,
}

function csvOf<Row>(rows: readonly Row[], columns: Columns<Row>): string {
  const cells = Object.values(columns)
  const lines = rows.map((row) => cells.map((cell) => quoted(String(cell(row) ?? ''))).join(','))
  return `${[Object.keys(columns).join(','), ...lines].join('\n')}\n`
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}
