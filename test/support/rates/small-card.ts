/** A small valid rate card with rows in every table, and functions that return copies with changed rows. */
import type {
  PriceRow,
  ProductTerms,
  RateCardContent,
  RateCardImport,
  SurchargeRow,
} from '../../../src/core/rating/rate-card.ts'

const PRODUCT: ProductTerms = {
  productId: 1,
  carrierCode: 'ring',
  name: 'Classic',
  serviceLevel: 'economy',
  parcelType: 'NONDOC',
  pricingBasis: 'parcel',
  zoneChart: '',
  areaList: '',
  zones: [0, 1, 2],
  volumetricDivisor: 5000,
  weightStepGrams: 100,
  maxUnitGrams: 31_500,
  scope: 'any',
  recipient: 'any',
}

const SURCHARGE: SurchargeRow = {
  carrierCode: 'ring',
  code: 'TOLL',
  name: 'Toll',
  reason: 'Road toll',
  phase: 'fixed',
  method: 'flat',
  amount: 21,
  minimumCents: 0,
  per: 'unit',
  trigger: 'always',
  fuelable: false,
  excludes: [],
  validFrom: '2026-01-01',
}

const SERVICE = {
  carrierCode: 'ring',
  method: 'flat',
  minimumCents: 0,
  per: 'shipment',
  fuelable: false,
  requires: [],
  excludes: [],
} as const

const bands = (productId: number, zone: number, ...prices: number[]): PriceRow[] =>
  prices.map((priceCents, band) => ({
    productId,
    zone,
    unit: 'KG',
    overGrams: band * 5000,
    upToGrams: band * 5000 + 5000,
    priceCents,
  }))

const rates = (zone: number): PriceRow[] => [
  { productId: 3, zone, unit: 'KG', overGrams: 0, upToGrams: 50_000, priceCents: 2000 },
  { productId: 3, zone, unit: 'PER100KG', overGrams: 50_000, upToGrams: 100_000, priceCents: 5000 },
  { productId: 3, zone, unit: 'PER100KG', overGrams: 100_000, upToGrams: 500_000, priceCents: 4000 },
]

const pallet = (palletClass: string, priceCents: number): PriceRow => ({
  ...{ productId: 2, zone: 0, unit: 'PALLET', palletClass, overGrams: 0, upToGrams: 0, priceCents },
})

const content: RateCardContent = {
  products: [
    PRODUCT,
    {
      productId: 2,
      carrierCode: 'dok',
      name: 'Pallet',
      serviceLevel: 'economy',
      parcelType: 'PALLET',
      pricingBasis: 'pallet-class',
      zoneChart: '',
      areaList: '',
      weightStepGrams: 1000,
      scope: 'domestic',
      recipient: 'any',
    },
    {
      productId: 3,
      carrierCode: 'dok',
      name: 'Groupage',
      serviceLevel: 'economy',
      parcelType: 'PALLET',
      pricingBasis: 'per-100kg',
      zoneChart: '',
      areaList: '',
      kilogramsPerCubicMetre: 333,
      weightStepGrams: 10_000,
      scope: 'any',
      fromCountries: ['NL'],
      recipient: 'any',
    },
  ],
  countryGroups: [
    { zoneChart: '', country: 'NL', group: 'A' },
    { zoneChart: '', country: '*', group: 'B' },
    { zoneChart: '', country: 'ES', from: '35000', to: '35999', group: 'B' },
    { zoneChart: '', country: 'ES', city: 'Las Palmas', group: 'B' },
  ],
  lanes: [
    { zoneChart: '', fromGroup: '=', toGroup: '=', zone: 0 },
    { zoneChart: '', fromGroup: 'A', toGroup: 'B', zone: 1 },
    { zoneChart: '', fromGroup: 'B', toGroup: 'A', zone: 2 },
  ],
  prices: [
    ...bands(1, 0, 500, 600, 700),
    ...bands(1, 1, 800, 900),
    ...bands(1, 2, 900, 1000),
    pallet('HALF', 6100),
    pallet('FULL', 9900),
    ...rates(0),
  ],
  palletClasses: [
    {
      ...{ carrierCode: 'dok', palletClass: 'HALF', longSideCm: 120, shortSideCm: 100 },
      ...{ maxHeightCm: 120, maxGrams: 600_000, spaces: 1 },
    },
    {
      ...{ carrierCode: 'dok', palletClass: 'FULL', longSideCm: 120, shortSideCm: 100 },
      ...{ maxHeightCm: 220, maxGrams: 1_200_000, spaces: 1 },
    },
  ],
  sizeClasses: [],
  minimumWeights: [
    { carrierCode: 'dok', name: 'Long pallet', condition: 'longest > 300 cm', weight: '500 kg' },
  ],
  areas: [
    { areaList: '', country: 'NO', from: '80', to: '99', areaClass: 'REMOTE' },
    { areaList: '', country: 'NO', from: '9170', to: '9179', areaClass: 'OVERSEAS' },
    { areaList: '', country: 'GR', city: 'Rhodes', areaClass: 'ISLAND' },
  ],
  areaTransit: (['REMOTE', 'ISLAND', 'OVERSEAS'] as const).map((areaClass) => ({
    ...{ carrierCode: '*', areaClass, extraMinDays: 1, extraMaxDays: 2 },
  })),
  surcharges: [
    { ...SURCHARGE, code: 'FUEL', phase: 'percent', method: 'fuel', amount: 0, per: 'shipment' },
    { ...SURCHARGE, code: 'OVERSIZE', phase: 'accessorial', trigger: 'longest_cm>120', excludes: ['LONG'] },
    { ...SURCHARGE, code: 'LONG', phase: 'accessorial', trigger: 'longest_cm>100', products: [1] },
    { ...SURCHARGE, trigger: 'to_group=A|B&from_country=NL' },
  ],
  services: [
    {
      ...SERVICE,
      service: 'SATURDAY',
      name: 'Saturday',
      amount: 1200,
      toCountries: ['NL'],
      requires: ['SIGNATURE'],
    },
    {
      ...SERVICE,
      service: 'SIGNATURE',
      name: 'Signature',
      amount: 150,
      per: 'unit',
      excludes: ['ADULT_SIGNATURE'],
    },
    {
      ...SERVICE,
      service: 'ADULT_SIGNATURE',
      name: 'Signature of an adult',
      method: 'formula',
      amount: 0,
      formula: 'max(4, 0.10 * billed_kg)',
      condition: 'kg <= 20',
      maxUnitGrams: 25_000,
      products: [1],
    },
  ],
  insurance: [
    { carrierCode: 'ring', freeCoverCents: 52_000, rateBps: 55, minimumCents: 250, maxValueCents: 1_300_000 },
    { carrierCode: 'dok', freeCoverCents: 10_000, rateBps: 0, minimumCents: 0, maxValueCents: 500_000 },
  ],
  insuranceBands: [
    { carrierCode: 'dok', overCents: 0, upToCents: 100_000, priceCents: 500 },
    {
      ...{ carrierCode: 'dok', overCents: 100_000, upToCents: 500_000, priceCents: 500 },
      ...{ valueStepCents: 50_000, stepPriceCents: 350 },
    },
  ],
  transit: [
    { productId: 1, zone: 0, minDays: 1, maxDays: 1 },
    { productId: 1, zone: 1, minDays: 2, maxDays: 3 },
    { productId: 1, zone: 2, minDays: 2, maxDays: 3 },
    { productId: 2, zone: 0, minDays: 1, maxDays: 1 },
    { productId: 3, zone: 0, minDays: 1, maxDays: 2 },
  ],
  laneTransit: [{ productId: 1, fromGroup: 'A', toGroup: 'B', minDays: 2, maxDays: 2 }],
  priceTerms: [{ currency: 'EUR', vatIncluded: false, roundToCents: 1, rateDays: 7 }],
  vatRates: [{ zoneChart: '', zone: 0, rateBps: 2100 }],
}

export const SMALL_CARD: RateCardImport = {
  content,
  carriers: [
    { code: 'ring', name: 'Ring', connector: 'sandbox' },
    { code: 'dok', name: 'Dok', connector: 'sandbox' },
  ],
  capitals: [{ country: 'NL', city: 'Amsterdam', postalCode: '1012' }],
  fuel: [{ carrierCode: 'ring', code: 'FUEL', validFrom: '2026-01-01', rateBps: 950 }],
}

type Tables = RateCardContent & Omit<RateCardImport, 'content'>
type TableName = keyof Tables

const tablesOf = (card: RateCardImport): Tables => ({ ...card.content, ...card })

/** The card with one of its tables replaced. */
export function withTable<Name extends TableName>(
  name: Name,
  rowsOf: (rows: Tables[Name]) => readonly Tables[Name][number][],
  card = SMALL_CARD,
): RateCardImport {
  const rows = rowsOf(tablesOf(card)[name])
  return name in card.content
    ? { ...card, content: { ...card.content, [name]: rows } }
    : { ...card, [name]: rows }
}

/** The card with fields of one row replaced; `undefined` removes a field. */
export function withRow<Name extends TableName>(
  name: Name,
  index: number,
  fields: { [Field in keyof Tables[Name][number]]?: Tables[Name][number][Field] | undefined },
  card = SMALL_CARD,
): RateCardImport {
  const patched = (row: Tables[Name][number]): Tables[Name][number] =>
    Object.fromEntries(
      Object.entries({ ...row, ...fields }).filter(([, value]) => value !== undefined),
    ) as Tables[Name][number]
  return withTable(name, (rows) => rows.map((row, at) => (at === index ? patched(row) : row)), card)
}

/** The card with a copy of a row added, with some fields replaced. */
export function withCopy<Name extends TableName>(
  name: Name,
  index: number,
  fields: Partial<Tables[Name][number]> = {},
  card = SMALL_CARD,
): RateCardImport {
  return withTable(name, (rows) => [...rows, { ...rows[index]!, ...fields }], card)
}

/** The card without some rows of a table. */
export function withoutRows<Name extends TableName>(
  name: Name,
  isOut: (row: Tables[Name][number]) => boolean,
  card = SMALL_CARD,
): RateCardImport {
  return withTable(name, (rows) => rows.filter((row: Tables[Name][number]) => !isOut(row)), card)
}
