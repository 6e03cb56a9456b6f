/**
 * products.csv and rates.csv of a rate card. Price lists use the same cells for prices.
 * See docs/rate-card-files.md#carriers-and-products and docs/rate-card-files.md#prices.
 */
import {
  isClassPrice,
  LIST_UNITS,
  PRICING_BASES,
  PRODUCT_RECIPIENTS,
  type PriceRow,
  type PriceUnit,
  type ProductTerms,
  SCOPES,
  type Scope,
  SIDE_ROUNDINGS,
  stepPriceTenths,
} from '../../core/rating/rate-card.ts'
import { PARCEL_TYPES } from '../../core/rating/request.ts'
import {
  cellOf,
  country,
  euros,
  kilograms,
  listOf,
  mayBeEmpty,
  optional,
  optionalOr,
  rate,
  type SureCell,
  text,
  timeOfDay,
  weekdays,
  whole,
  word,
  zoneList,
} from '../import/csv-cells.ts'
import type { Fields, Report, WritableTableSpec } from '../import/csv-rows.ts'

type ScopeTerms = { readonly scope: Scope; readonly fromCountries?: readonly string[] }
type RawProduct = Omit<ProductTerms, keyof ScopeTerms> & { readonly scope: ScopeTerms }

/** products.csv */
export const PRODUCTS: WritableTableSpec<RawProduct, ProductTerms> = {
  file: 'products.csv',
  required: true,
  fields: {
    productId: whole('product_id'),
    carrierCode: text('carrier_code'),
    name: text('name'),
    serviceLevel: text('service_level'),
    parcelType: word('parcel_type', PARCEL_TYPES),
    pricingBasis: word('pricing_basis', PRICING_BASES),
    units: optional(word('units', LIST_UNITS)),
    sideRounding: optional(word('round_sides', SIDE_ROUNDINGS)),
    volumetricDivisor: optional(whole('vol_divisor')),
    kilogramsPerCubicMetre: optional(whole('kg_per_m3')),
    kilogramsPerLoadingMetre: optional(whole('kg_per_ldm')),
    volumetricPer: optional(word('vol_per', ['shipment'])),
    weightStepGrams: kilograms('round_kg'),
    heavyOverGrams: optional(kilograms('heavy_over_kg')),
    heavyStepGrams: optional(kilograms('heavy_round_kg')),
    minBilledUnitGrams: optional(kilograms('min_billed_piece_kg')),
    shipmentStepGrams: optional(kilograms('round_shipment_kg')),
    minBilledShipmentGrams: optional(kilograms('min_billed_shipment_kg')),
    deficitWeight: optional(word('deficit_weight', ['no'])),
    documentGrams: optional(kilograms('doc_unit_kg')),
    maxUnitGrams: optional(kilograms('max_piece_kg')),
    maxLengthCm: optional(whole('max_l_cm')),
    maxWidthCm: optional(whole('max_w_cm')),
    maxHeightCm: optional(whole('max_h_cm')),
    maxLengthPlusGirthCm: optional(whole('max_girth_cm')),
    maxShipmentGrams: optional(kilograms('max_shipment_kg')),
    maxUnits: optional(whole('max_pieces')),
    scope: scope('scope'),
    recipient: word('recipient', PRODUCT_RECIPIENTS),
    maxInsuredCents: optional(euros('insured_max_eur')),
    zones: optional(zoneList('zones')),
    zoneChart: optionalOr(text('zone_chart'), ''),
    areaList: optionalOr(text('area_list'), ''),
    pickupDays: optional(weekdays('pickup_days')),
    cutOffMinutes: optional(timeOfDay('cut_off')),
  },
  build({ scope, ...row }, report) {
    if (row.parcelType === 'DOC' && row.documentGrams === undefined)
      return report('doc_unit_kg', 'the weight of one document', '')
    if (row.parcelType !== 'DOC' && row.documentGrams !== undefined)
      return report('doc_unit_kg', `an empty cell: the parcel_type is ${row.parcelType}`)
    if (row.sideRounding !== undefined && row.units === undefined)
      return report('round_sides', 'an empty cell: sides are rounded to inches, and the row has no units')
    if (row.heavyOverGrams !== undefined && row.heavyStepGrams === undefined)
      return report('heavy_round_kg', 'a weight, because the row has a heavy_over_kg', '')
    if (row.heavyOverGrams === undefined && row.heavyStepGrams !== undefined)
      return report('heavy_over_kg', 'a weight, because the row has a heavy_round_kg', '')
    return { ...row, ...scope }
  },
  rawOf: ({ scope, fromCountries, ...row }) => ({
    ...row,
    scope: { scope, ...(fromCountries !== undefined && { fromCountries }) },
  }),
  columns: { fromCountries: 'scope' },
}

function scope(column: string): SureCell<ScopeTerms> {
  const countries = listOf(country(column), '')
  const parse = (value: string): ScopeTerms | undefined => {
    const named = SCOPES.find((known) => known === value)
    if (named !== undefined) return { scope: named }
    const fromCountries = value.startsWith('from:') ? countries.parse(value.slice('from:'.length)) : undefined
    return fromCountries && { scope: 'any', fromCountries }
  }
  const write = ({ scope: named, fromCountries }: ScopeTerms): string =>
    fromCountries === undefined ? named : `from:${countries.write(fromCountries)}`
  return cellOf(column, parse, `one of ${SCOPES.join(', ')}, or countries such as from:NL|BE`, write)
}

/** What a price is for. `palletClass` is present if and only if the unit is PALLET, SIZE or CLASS. */
export type UnitOfPrice = { readonly unit: PriceUnit; readonly palletClass?: string }

/** A row of rates.csv. */
export type RawPrice = {
  readonly productId: number
  readonly zone: number
  readonly unit: UnitOfPrice
  readonly overGrams?: number
  readonly upToGrams?: number
  readonly priceCents: number
  readonly stepGrams?: number
  /** Tenths of a cent. */
  readonly stepPrice?: number
}

export function unitOfPrice(column: string): SureCell<UnitOfPrice> {
  const parse = (value: string): UnitOfPrice | undefined => {
    if (value === 'KG' || value === 'PER100KG') return { unit: value }
    const [, name, palletClass] = /^([A-Z]+):\s*(\S.*)$/.exec(value) ?? []
    const unit = CLASS_UNITS.find((known) => known === name)
    return unit === undefined || palletClass === undefined ? undefined : { unit, palletClass }
  }
  const write = ({ unit, palletClass }: UnitOfPrice): string =>
    palletClass === undefined ? unit : `${unit}:${palletClass}`
  return cellOf(column, parse, 'KG, PER100KG, or a class such as PALLET:HALF, SIZE:M or CLASS:70', write)
}

const CLASS_UNITS = ['PALLET', 'SIZE', 'CLASS'] as const satisfies readonly PriceUnit[]

export const PRICE_FIELDS: Fields<RawPrice> = {
  productId: whole('product_id'),
  zone: whole('zone', 0),
  unit: unitOfPrice('unit'),
  overGrams: mayBeEmpty(kilograms('over', 0)),
  upToGrams: mayBeEmpty(kilograms('up_to')),
  priceCents: euros('price'),
  stepGrams: optional(kilograms('step')),
  stepPrice: optional(rate('step_price', 3, 0)),
}

/** Fields of a price that are read from the column of another field. */
export const PRICE_COLUMNS = { palletClass: 'unit', stepCents: 'step_price' } as const

/** rates.csv */
export const PRICES: WritableTableSpec<RawPrice, PriceRow> = {
  file: 'rates.csv',
  required: true,
  fields: PRICE_FIELDS,
  build: buildPrice,
  rawOf: cellsOfPrice,
  columns: PRICE_COLUMNS,
}

/** Builds the price of a weight band, also of a freight class, or of a pallet class or size class, without a band. */
export function buildPrice(raw: RawPrice, report: Report): PriceRow | undefined {
  const { productId, zone, priceCents, overGrams, upToGrams } = raw
  const { unit } = raw.unit
  if (isClassPrice(unit)) {
    const filled = filledBandColumn(raw)
    if (filled !== undefined) return report(filled, 'an empty cell, because a class has no weight band')
    return { productId, zone, ...raw.unit, overGrams: 0, upToGrams: 0, priceCents }
  }
  if (overGrams === undefined)
    return report('over', 'the weight at which the band begins, 0 for the first', '')
  if (upToGrams === undefined) return report('up_to', 'the weight up to which the price applies', '')
  const { stepGrams, stepPrice } = raw
  if (stepGrams === undefined && stepPrice === undefined)
    return { productId, zone, ...raw.unit, overGrams, upToGrams, priceCents }
  if (stepGrams === undefined) return report('step', 'a weight, because the row has a step_price', '')
  if (stepPrice === undefined) return report('step_price', 'a price, because the row has a step', '')
  const stepTenths = stepPrice % 10
  return {
    productId,
    zone,
    ...raw.unit,
    overGrams,
    upToGrams,
    priceCents,
    stepGrams,
    stepCents: (stepPrice - stepTenths) / 10,
    ...(stepTenths !== 0 && { stepTenths }),
  }
}

function cellsOfPrice(price: PriceRow): RawPrice {
  const { unit, palletClass, overGrams, upToGrams, stepGrams, stepCents: _, stepTenths: __, ...row } = price
  const named = { ...row, unit: { unit, ...(palletClass !== undefined && { palletClass }) } }
  if (isClassPrice(unit)) return named
  const band = { ...named, overGrams, upToGrams }
  return stepGrams === undefined ? band : { ...band, stepGrams, stepPrice: stepPriceTenths(price) }
}

function filledBandColumn(raw: RawPrice): string | undefined {
  if (raw.overGrams !== undefined && raw.overGrams > 0) return 'over'
  if (raw.upToGrams !== undefined) return 'up_to'
  if (raw.stepGrams !== undefined) return 'step'
  return raw.stepPrice === undefined ? undefined : 'step_price'
}
