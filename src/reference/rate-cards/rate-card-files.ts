/**
 * The files of a rate card and their columns, except products.csv and rates.csv, which are in price-files.ts, and
 * services.csv, which is in service-file.ts. Fuel percentages may also be listed in surcharges.csv, as carriers print
 * them. They are stored like those of fuel.csv. See docs/rate-card-files.md.
 */

import { MAX_LENGTH } from '../../core/expressions/lexer.ts'
import { DEFAULT_RATE_DAYS } from '../../core/rating/currency/conversion.ts'
import { decimalPlaces } from '../../core/rating/currency/currency-decimals.ts'
import {
  AREA_CLASSES,
  type AreaRow,
  type AreaTransitRow,
  type CapitalRow,
  type CarrierRow,
  type CountryGroupRow,
  type FuelRate,
  type InsuranceBandRow,
  type InsuranceRow,
  type LaneRow,
  type LaneTransitRow,
  type MinimumWeightRow,
  type PalletClassRow,
  type PlaceRange,
  type PriceTerms,
  type SizeClassRow,
  SURCHARGE_METHODS,
  SURCHARGE_PHASES,
  type SurchargeRow,
  type TransitRow,
  type VatRateRow,
} from '../../core/rating/rate-card.ts'
import {
  cellOf,
  choice,
  country,
  countryOrRest,
  day,
  emptyOr,
  euros,
  figure,
  footprint,
  kilograms,
  listOf,
  mayBeEmpty,
  optional,
  optionalOr,
  percent,
  rate,
  text,
  whole,
  word,
} from '../import/csv-cells.ts'
import { type Fields, plainTable, type Report, type WritableTableSpec } from '../import/csv-rows.ts'
import { COUNTED_BY } from './service-file.ts'

/** carriers.csv */
export const CARRIERS = plainTable<CarrierRow>('carriers.csv', true, {
  code: text('carrier_code'),
  name: text('name'),
  connector: text('connector'),
})

/** capitals.csv */
export const CAPITALS = plainTable<CapitalRow>('capitals.csv', false, {
  country: country('country'),
  city: text('capital'),
  postalCode: emptyOr(text('postal_code'), ''),
})

/** The columns of a part of a country. */
const RANGE = {
  from: optional(text('from')),
  to: optional(text('to')),
  city: optional(text('city')),
}

/** country_group.csv */
export const COUNTRY_GROUPS = rangeTable<CountryGroupRow>('country_group.csv', true, {
  country: countryOrRest('country'),
  group: text('group'),
  ...RANGE,
  zoneChart: optionalOr(text('zone_chart'), ''),
})

/** areas.csv */
export const AREAS = rangeTable<AreaRow>('areas.csv', false, {
  country: country('country'),
  areaClass: word('class', AREA_CLASSES),
  ...RANGE,
  areaList: optionalOr(text('area_list'), ''),
})

function rangeTable<Row extends PlaceRange>(
  file: string,
  required: boolean,
  fields: Fields<Row>,
): WritableTableSpec<Row, Row> {
  return { ...plainTable(file, required, fields), build: checkRange }
}

/** A part of a country is a postal range with both ends, or a city. */
function checkRange<Row extends PlaceRange>(row: Row, report: Report): Row | undefined {
  const { from, to, city } = row
  if (from !== undefined && to === undefined) return report('to', 'the end of the postal range', '')
  if (to !== undefined && from === undefined) return report('from', 'the beginning of the postal range', '')
  if (city !== undefined && from !== undefined)
    return report('city', 'an empty cell: the row has a postal range', city)
  return row
}

/** lane_zone.csv */
export const LANES = plainTable<LaneRow>('lane_zone.csv', true, {
  fromGroup: text('from_group'),
  toGroup: text('to_group'),
  zone: whole('zone', 0),
  zoneChart: optionalOr(text('zone_chart'), ''),
})

/** transit.csv */
export const TRANSIT = plainTable<TransitRow>('transit.csv', true, {
  productId: whole('product_id'),
  zone: whole('zone', 0),
  minDays: whole('min_days', 0),
  maxDays: whole('max_days', 0),
})

/** transit_lane.csv */
export const LANE_TRANSIT = plainTable<LaneTransitRow>('transit_lane.csv', false, {
  productId: whole('product_id'),
  fromGroup: text('from_group'),
  toGroup: text('to_group'),
  minDays: whole('min_days', 0),
  maxDays: whole('max_days', 0),
})

/** transit_area_extra.csv */
export const AREA_TRANSIT = plainTable<AreaTransitRow>('transit_area_extra.csv', false, {
  carrierCode: text('carrier_code'),
  areaClass: word('class', AREA_CLASSES),
  extraMinDays: whole('extra_min', 0),
  extraMaxDays: whole('extra_max', 0),
})

type RawPalletClass = Omit<PalletClassRow, 'longSideCm' | 'shortSideCm'> & {
  readonly footprint: readonly [longCm: number, shortCm: number]
}

/** pallet_class.csv */
export const PALLET_CLASSES: WritableTableSpec<RawPalletClass, PalletClassRow> = {
  file: 'pallet_class.csv',
  required: false,
  fields: {
    carrierCode: text('carrier_code'),
    palletClass: text('class'),
    footprint: footprint('max_footprint_cm'),
    maxHeightCm: whole('max_height_cm'),
    maxGrams: kilograms('max_kg'),
    spaces: whole('spaces'),
  },
  build: ({ footprint: [longSideCm, shortSideCm], ...row }) => ({ ...row, longSideCm, shortSideCm }),
  rawOf: ({ longSideCm, shortSideCm, ...row }) => ({ ...row, footprint: [longSideCm, shortSideCm] }),
  columns: { longSideCm: 'max_footprint_cm', shortSideCm: 'max_footprint_cm' },
}

const PRODUCT_IDS = 'product ids such as 1101|1103'

/** size_class.csv */
export const SIZE_CLASSES = plainTable<SizeClassRow>('size_class.csv', false, {
  carrierCode: text('carrier_code'),
  sizeClass: text('class'),
  condition: text('condition', MAX_LENGTH),
  products: optional(listOf(whole('products'), PRODUCT_IDS)),
})

type RawMinimumWeight = Omit<MinimumWeightRow, 'name'> & { readonly name?: string }

/** min_weight.csv */
export const MINIMUM_WEIGHTS: WritableTableSpec<RawMinimumWeight, MinimumWeightRow> = {
  file: 'min_weight.csv',
  required: false,
  fields: {
    carrierCode: text('carrier_code'),
    name: optional(text('name')),
    condition: optional(text('condition', MAX_LENGTH)),
    weight: text('min_weight', MAX_LENGTH),
    products: optional(listOf(whole('products'), PRODUCT_IDS)),
  },
  build: ({ name, ...row }) => ({ ...row, name: name ?? 'Smallest weight' }),
  rawOf: (row) => row,
}

/** insurance.csv */
export const INSURANCE = plainTable<InsuranceRow>('insurance.csv', false, {
  carrierCode: text('carrier_code'),
  freeCoverCents: euros('free_cover_eur'),
  rateBps: percent('rate_pct_of_value'),
  minimumCents: euros('min_eur'),
  maxValueCents: euros('max_value_eur'),
  freeCoverPer: optional(choice('free_cover_per', { shipment: 'shipment', parcel: 'unit' } as const)),
})

/** insurance_band.csv */
export const INSURANCE_BANDS: WritableTableSpec<InsuranceBandRow, InsuranceBandRow> = {
  ...plainTable<InsuranceBandRow>('insurance_band.csv', false, {
    carrierCode: text('carrier_code'),
    overCents: euros('over_eur'),
    upToCents: euros('up_to_eur', 1),
    priceCents: euros('price_eur'),
    valueStepCents: optional(euros('step_eur', 1)),
    stepPriceCents: optional(euros('step_price_eur')),
  }),
  build(row, report) {
    const { valueStepCents, stepPriceCents } = row
    if (valueStepCents === undefined && stepPriceCents !== undefined)
      return report('step_eur', 'an amount, because the row has a step_price_eur', '')
    if (valueStepCents !== undefined && stepPriceCents === undefined)
      return report('step_price_eur', 'a price, because the row has a step_eur', '')
    return row
  },
}

/** An amount with two decimals is exact in these currencies. Rate cards cannot be in others. */
const CURRENCIES: ReadonlySet<string> = new Set(
  Intl.supportedValuesOf('currency').filter((code) => decimalPlaces(code) <= 2),
)

type RawPriceTerms = Omit<PriceTerms, 'roundToCents' | 'percentagesTogether'> & {
  readonly roundToCents?: number
  readonly isTogether?: boolean
}

/** price_terms.csv */
export const PRICE_TERMS: WritableTableSpec<RawPriceTerms, PriceTerms> = {
  file: 'price_terms.csv',
  required: false,
  fields: {
    currency: cellOf(
      'currency',
      (code) => (CURRENCIES.has(code) ? code : undefined),
      'a currency code such as GBP, of a currency with at most two decimals',
    ),
    vatIncluded: choice('vat_included', { yes: true, no: false }),
    roundToCents: optional(figure('round_to', 2)),
    rateDays: optionalOr(whole('rate_days'), DEFAULT_RATE_DAYS),
    isTogether: optional(choice('round_percentages', { each: false, together: true })),
  },
  build: ({ roundToCents, isTogether, ...row }) => ({
    ...row,
    roundToCents: roundToCents ?? (decimalPlaces(row.currency) === 0 ? 100 : 1),
    ...(isTogether === true && { percentagesTogether: true }),
  }),
  rawOf: ({ percentagesTogether, ...row }) => ({
    ...row,
    ...(percentagesTogether === true && { isTogether: true }),
  }),
  columns: { percentagesTogether: 'round_percentages' },
}

/** vat_rate.csv */
export const VAT_RATES = plainTable<VatRateRow>('vat_rate.csv', false, {
  zone: whole('zone', 0),
  rateBps: percent('rate_pct'),
  zoneChart: optionalOr(text('zone_chart'), ''),
})

/** The cells of a fuel figure, one of which is filled: a percentage, or an amount per unit with at most 4 decimals. */
export const FUEL_FIGURES = {
  percentBps: mayBeEmpty(percent('rate_pct')),
  parcelRate: optional(rate('per_parcel', 4, 0)),
  kgRate: optional(rate('per_kg', 4, 0)),
} as const

export type RawFuelFigure = {
  readonly percentBps?: number
  readonly parcelRate?: number
  readonly kgRate?: number
}

/** Undefined, after a report, unless exactly one cell is filled. */
export function fuelFigureOf(
  { percentBps, parcelRate, kgRate }: RawFuelFigure,
  report: Report,
): Pick<FuelRate, 'rateBps' | 'per'> | undefined {
  const figures: Pick<FuelRate, 'rateBps' | 'per'>[] = [
    ...(percentBps === undefined ? [] : [{ rateBps: percentBps }]),
    ...(parcelRate === undefined ? [] : [{ rateBps: parcelRate, per: 'parcel' as const }]),
    ...(kgRate === undefined ? [] : [{ rateBps: kgRate, per: 'kg' as const }]),
  ]
  if (figures.length === 1) return figures[0]
  return report(
    'rate_pct',
    'one figure: in rate_pct, per_parcel or per_kg',
    figures.length === 0 ? '' : 'several',
  )
}

function rawFuelFigure({ rateBps, per }: Pick<FuelRate, 'rateBps' | 'per'>): RawFuelFigure {
  if (per === undefined) return { percentBps: rateBps }
  return per === 'parcel' ? { parcelRate: rateBps } : { kgRate: rateBps }
}

/** fuel.csv */
export const FUEL: WritableTableSpec<Omit<FuelRate, 'rateBps' | 'per'> & RawFuelFigure, FuelRate> = {
  file: 'fuel.csv',
  required: false,
  fields: {
    carrierCode: text('carrier_code'),
    code: text('code'),
    validFrom: day('valid_from'),
    ...FUEL_FIGURES,
  },
  columns: { rateBps: 'rate_pct' },
  build({ carrierCode, code, validFrom, ...raw }, report) {
    const found = fuelFigureOf(raw, report)
    return found && { carrierCode, code, validFrom, ...found }
  },
  rawOf: ({ carrierCode, code, validFrom, ...found }) => ({
    carrierCode,
    code,
    validFrom,
    ...rawFuelFigure(found),
  }),
}

/** A surcharge with this code is a fuel surcharge, even if its method is `pct`. */
const FUEL_CODE = 'FUEL'
/** A trigger may name many countries, and `excludes` many codes. */
const MAX_LIST_LENGTH = 4_000

type RawSurcharge = Omit<SurchargeRow, 'amount' | 'name' | 'trigger'> & {
  readonly amount?: number
  readonly name?: string
  readonly trigger?: string
}

/** A row of surcharges.csv. `fuelBps` is the percentage of a fuel surcharge with the method `pct`. */
export type ListedSurcharge = { readonly surcharge: SurchargeRow; readonly fuelBps?: number }

/** surcharges.csv */
export const SURCHARGES: WritableTableSpec<RawSurcharge, ListedSurcharge> = {
  file: 'surcharges.csv',
  required: false,
  fields: {
    carrierCode: text('carrier_code'),
    code: text('code'),
    name: optional(text('name')),
    reason: text('reason'),
    phase: word('phase', SURCHARGE_PHASES),
    method: word('method', SURCHARGE_METHODS),
    // Cents, cents per kilogram, or basis points: two decimals in each case.
    amount: mayBeEmpty(figure('amount', 2, 0)),
    minimumCents: optionalOr(euros('min_eur'), 0),
    maximumCents: optional(euros('max_eur', 1)),
    per: choice('per', COUNTED_BY),
    trigger: optional(text('trigger', MAX_LIST_LENGTH)),
    condition: optional(text('condition', MAX_LENGTH)),
    formula: optional(text('formula', MAX_LENGTH)),
    fuelable: choice('fuelable', { yes: true, no: false }),
    excludes: optionalOr(listOf(text('excludes'), 'surcharge codes such as HANDLING|OVERSIZE'), []),
    products: optional(listOf(whole('products'), PRODUCT_IDS)),
    validFrom: day('valid_from'),
    validTo: optional(day('valid_to')),
  },
  build(row, report) {
    const { trigger, condition, method, code } = row
    if (trigger === undefined && condition === undefined)
      return report('trigger', 'a trigger, or an expression in the column condition', '')
    if (row.formula !== undefined && method !== 'formula')
      return report('method', 'formula, because the row has a formula', method)
    if (code === FUEL_CODE || method === 'fuel') return buildFuel(row, report)
    return method === 'formula' ? buildFormula(row, report) : buildOther(row, report)
  },
  rawOf: ({ surcharge: { amount, ...row } }) =>
    row.method === 'fuel' || row.method === 'formula' ? row : { ...row, amount },
}

/** The name defaults to the reason, the trigger to `always`. */
function withDefaults({ amount: _, ...row }: RawSurcharge): Omit<SurchargeRow, 'amount'> {
  const { name, reason, trigger } = row
  return { ...row, name: name ?? reason, trigger: trigger ?? 'always' }
}

function buildFormula(row: RawSurcharge, report: Report): ListedSurcharge | undefined {
  if (row.formula === undefined) return report('formula', 'an expression, because the method is formula', '')
  if (row.amount !== undefined) return report('amount', 'an empty cell: the method is formula')
  return { surcharge: { ...withDefaults(row), amount: 0 } }
}

function buildOther(row: RawSurcharge, report: Report): ListedSurcharge | undefined {
  const { amount } = row
  if (amount === undefined) return report('amount', `an amount, because the method is ${row.method}`, '')
  return { surcharge: { ...withDefaults(row), amount } }
}

function buildFuel(row: RawSurcharge, report: Report): ListedSurcharge | undefined {
  const { method, amount } = row
  const surcharge: SurchargeRow = { ...withDefaults(row), method: 'fuel', amount: 0 }
  if (method === 'fuel') {
    if (amount === undefined) return { surcharge }
    return report('amount', 'an empty cell: with method fuel the percentages are in fuel.csv')
  }
  if (method !== 'pct') return report('method', `pct or fuel, because the code is ${FUEL_CODE}`, method)
  return { surcharge, ...(amount !== undefined && { fuelBps: amount }) }
}
