/** How the tables of a rate card other than prices are compared. */
import { clockText, WEEKDAYS } from '../../clock-text.ts'
import { formatCents } from '../../money.ts'
import {
  daysText,
  kilogramsText,
  moneyText,
  percentText,
  placeText,
  weightText,
} from '../../rating/explain/figure-text.ts'
import {
  type MinimumWeightRow,
  type ProductTerms,
  type RateCardContent,
  type ServiceRow,
  type SizeClassRow,
  type SurchargeRow,
  servicePositions,
} from '../../rating/rate-card.ts'
import type { ComparedTable } from './rows.ts'

/** Returns the name of a product, or '' if neither card has it. */
export type ProductNames = (productId: number) => string

/** "1201 Classic", or "1201" if neither card has the product. */
export function productText(productId: number, names: ProductNames): string {
  return `${productId} ${names(productId)}`.trimEnd()
}

export type PlainTableName = Exclude<keyof RateCardContent, 'prices'>

type PlainTables = {
  readonly [Name in PlainTableName]: ComparedTable<RateCardContent[Name][number]>
}

/** Amounts are written in `currency`. */
export function plainTables(names: ProductNames, currency: string): PlainTables {
  const nameOf = (productId: number): string => productText(productId, names)
  const money = (cents: number): string => moneyText(cents, currency)
  return {
    products: { keyOf: ({ productId }) => nameOf(productId), fields: productFields(money) },
    countryGroups: {
      keyOf: (row) => placeText(row) + inList('zone chart', row.zoneChart),
      fields: { group: ({ group }) => group },
    },
    lanes: {
      keyOf: ({ fromGroup, toGroup, zoneChart }) =>
        `${fromGroup} to ${toGroup}${inList('zone chart', zoneChart)}`,
      fields: { zone: ({ zone }) => String(zone) },
    },
    palletClasses: {
      keyOf: ({ carrierCode, palletClass, longSideCm, shortSideCm }) =>
        `${carrierCode} ${palletClass}, ${longSideCm} x ${shortSideCm} cm`,
      fields: {
        'largest height': ({ maxHeightCm }) => `${maxHeightCm} cm`,
        'largest weight': ({ maxGrams }) => kilogramsText(maxGrams),
        spaces: ({ spaces }) => String(spaces),
      },
    },
    sizeClasses: SIZE_CLASS_TABLE,
    minimumWeights: MINIMUM_WEIGHT_TABLE,
    areas: {
      keyOf: (row) => placeText(row) + inList('area list', row.areaList),
      fields: { area: ({ areaClass }) => areaClass },
    },
    areaTransit: {
      keyOf: ({ carrierCode, areaClass }) =>
        `${carrierCode === '*' ? 'all carriers' : carrierCode}, ${areaClass}`,
      fields: { 'extra time': ({ extraMinDays, extraMaxDays }) => daysText(extraMinDays, extraMaxDays) },
    },
    surcharges: surchargeTable(money),
    services: serviceTable(money),
    ...insuranceTables(money),
    transit: {
      keyOf: ({ productId, zone }) => `${nameOf(productId)}, zone ${zone}`,
      fields: { 'transit time': ({ minDays, maxDays }) => daysText(minDays, maxDays) },
    },
    laneTransit: {
      keyOf: ({ productId, fromGroup, toGroup }) => `${nameOf(productId)}, ${fromGroup} to ${toGroup}`,
      fields: { 'transit time': ({ minDays, maxDays }) => daysText(minDays, maxDays) },
    },
    priceTerms: {
      keyOf: () => 'all amounts',
      fields: {
        currency: (terms) => terms.currency,
        'VAT included': ({ vatIncluded }) => (vatIncluded ? 'yes' : 'no'),
        'rounded to': ({ roundToCents }) => formatCents(roundToCents),
        'age of the exchange rate': ({ rateDays }) => daysText(rateDays, rateDays),
        'percentages are rounded': ({ percentagesTogether }) => (percentagesTogether ? 'together' : 'each'),
      },
    },
    vatRates: {
      keyOf: ({ zone, zoneChart }) => `zone ${zone}${inList('zone chart', zoneChart)}`,
      fields: { VAT: ({ rateBps }) => percentText(rateBps) },
    },
  }
}

/** `order` is the position among the carrier's classes, from 1. A parcel has the first class that it fits. */
type OrderedClass = SizeClassRow & { readonly order?: number }

export function withClassOrder(rows: readonly SizeClassRow[]): readonly OrderedClass[] {
  const counts = new Map<string, number>()
  return rows.map((row) => {
    const order = (counts.get(row.carrierCode) ?? 0) + 1
    counts.set(row.carrierCode, order)
    return { ...row, order }
  })
}

const SIZE_CLASS_TABLE: ComparedTable<OrderedClass> = {
  keyOf: ({ carrierCode, sizeClass, products }) => `${carrierCode} ${sizeClass}${ofProducts(products)}`,
  fields: { order: ({ order }) => plain(order), condition: ({ condition }) => condition },
}

const MINIMUM_WEIGHT_TABLE: ComparedTable<MinimumWeightRow> = {
  keyOf: ({ carrierCode, name, products }) => `${carrierCode} ${name}${ofProducts(products)}`,
  fields: { condition: ({ condition }) => condition, 'smallest weight': ({ weight: text }) => text },
}

function ofProducts(products: readonly number[] | undefined): string {
  return products === undefined ? '' : ` of ${numbersText(products)}`
}

function inList(kind: string, name: string): string {
  return name === '' ? '' : `, ${kind} ${name}`
}

type MoneyText = (cents: number) => string

const insuranceTables = (money: MoneyText): Pick<PlainTables, 'insurance' | 'insuranceBands'> => ({
  insurance: {
    keyOf: ({ carrierCode }) => carrierCode,
    fields: {
      'free cover': ({ freeCoverCents }) => money(freeCoverCents),
      'free cover per': ({ freeCoverPer }) => freeCoverPer,
      rate: ({ rateBps }) => percentText(rateBps),
      minimum: ({ minimumCents }) => money(minimumCents),
      'highest value': ({ maxValueCents }) => money(maxValueCents),
    },
  },
  insuranceBands: {
    keyOf: ({ carrierCode, upToCents }) => `${carrierCode}, value up to ${formatCents(upToCents)}`,
    fields: {
      over: ({ overCents }) => money(overCents),
      premium: ({ priceCents }) => money(priceCents),
      step: ({ valueStepCents }) => optionally(money)(valueStepCents),
      'step price': ({ stepPriceCents }) => optionally(money)(stepPriceCents),
    },
  },
})

const surchargeTable = (money: MoneyText): ComparedTable<SurchargeRow> => ({
  keyOf: ({ carrierCode, code, validFrom }) => `${carrierCode} ${code} from ${validFrom}`,
  fields: {
    name: ({ name }) => name,
    reason: ({ reason }) => reason,
    phase: ({ phase }) => phase,
    amount: (row) => amountText(row, money),
    minimum: ({ minimumCents }) => (minimumCents === 0 ? undefined : money(minimumCents)),
    maximum: ({ maximumCents }) => optionally(money)(maximumCents),
    per: ({ per }) => per,
    trigger: ({ trigger }) => trigger,
    condition: ({ condition }) => condition,
    fuelable: ({ fuelable }) => (fuelable ? 'yes' : 'no'),
    excludes: ({ excludes }) => (excludes.length === 0 ? undefined : excludes.toSorted().join(' ')),
    products: ({ products }) => products?.toSorted((a, b) => a - b).join(' '),
    'valid to': ({ validTo }) => validTo,
  },
})

/** `order` as in `servicePositions`. */
type OrderedService = ServiceRow & { readonly order?: number }

export function withOrder(rows: readonly ServiceRow[]): readonly OrderedService[] {
  const positions = servicePositions(rows)
  return rows.map((row, index) => ({ ...row, order: positions[index]! }))
}

/** A service has several rows if its price depends on the product or the shipment. */
const serviceTable = (money: MoneyText): ComparedTable<OrderedService> => ({
  keyOf: ({ carrierCode, service, slot, products }) =>
    `${carrierCode} ${service}${slot === undefined ? '' : ` ${slot}`}${ofProducts(products)}`,
  fields: {
    order: ({ order }) => plain(order),
    name: ({ name }) => name,
    amount: (row) => amountText(row, money),
    minimum: ({ minimumCents }) => (minimumCents === 0 ? undefined : money(minimumCents)),
    maximum: ({ maximumCents }) => optionally(money)(maximumCents),
    per: ({ per }) => per,
    fuelable: ({ fuelable }) => (fuelable ? 'yes' : 'no'),
    from: ({ fromCountries }) => fromCountries?.toSorted().join(' '),
    to: ({ toCountries }) => toCountries?.toSorted().join(' '),
    zones: ({ zones }) => zones && numbersText(zones),
    'lowest weight of a shipment': ({ minShipmentGrams }) => weight(minShipmentGrams),
    'largest weight of a shipment': ({ maxShipmentGrams }) => weight(maxShipmentGrams),
    'largest weight of a piece': ({ maxUnitGrams }) => weight(maxUnitGrams),
    weekdays: ({ weekdays }) => weekdays?.map((day) => WEEKDAYS[day - 1]).join(' '),
    'largest amount to collect': ({ maxCollectedCents }) => optionally(money)(maxCollectedCents),
    'UN numbers': ({ unNumbers }) => unNumbers?.toSorted().join(' '),
    'refused UN numbers': ({ refusedUnNumbers }) => refusedUnNumbers?.toSorted().join(' '),
    condition: ({ condition }) => condition,
    requires: ({ requires }) => (requires.length === 0 ? undefined : requires.toSorted().join(' ')),
    excludes: ({ excludes }) => (excludes.length === 0 ? undefined : excludes.toSorted().join(' ')),
  },
})

function numbersText(numbers: readonly number[]): string {
  return numbers.toSorted((a, b) => a - b).join(' ')
}

function amountText(
  { method, amount, formula }: Pick<SurchargeRow, 'method' | 'amount' | 'formula'>,
  money: MoneyText,
): string {
  switch (method) {
    case 'flat':
      return money(amount)
    case 'per_kg':
      return `${money(amount)} per kg`
    case 'pct':
      return percentText(amount)
    case 'fuel':
      return 'from the fuel table'
    case 'formula':
      return formula ?? ''
  }
}

const optionally =
  (textOf: (amount: number) => string) =>
  (amount: number | undefined): string | undefined =>
    amount === undefined ? undefined : textOf(amount)

/** Weights and lengths of a product are in the units of its price list. */
type ProductField = (terms: ProductTerms) => string | undefined

const weightOf =
  (field: WeightField): ProductField =>
  (terms) => {
    const grams = terms[field]
    return grams === undefined ? undefined : weightText(grams, terms.units)
  }

type WeightField =
  | 'weightStepGrams'
  | 'heavyOverGrams'
  | 'heavyStepGrams'
  | 'minBilledUnitGrams'
  | 'shipmentStepGrams'
  | 'minBilledShipmentGrams'
  | 'documentGrams'
  | 'maxUnitGrams'
  | 'maxShipmentGrams'

const lengthOf =
  (field: 'maxLengthCm' | 'maxWidthCm' | 'maxHeightCm' | 'maxLengthPlusGirthCm'): ProductField =>
  (terms) => {
    const length = terms[field]
    return length === undefined ? undefined : `${length} ${terms.units === undefined ? 'cm' : 'in'}`
  }

const weight = optionally(kilogramsText)
const plain = optionally(String)
const time = optionally(clockText)

const productFields = (money: MoneyText): ComparedTable<ProductTerms>['fields'] => ({
  name: ({ name }) => name,
  carrier: ({ carrierCode }) => carrierCode,
  'service level': ({ serviceLevel }) => serviceLevel,
  'parcel type': ({ parcelType }) => parcelType,
  'pricing basis': ({ pricingBasis }) => pricingBasis,
  'zone chart': ({ zoneChart }) => (zoneChart === '' ? undefined : zoneChart),
  'area list': ({ areaList }) => (areaList === '' ? undefined : areaList),
  zones: ({ zones }) => zones?.toSorted((a, b) => a - b).join(' '),
  units: ({ units }) => units,
  'rounding of sides': ({ sideRounding }) => sideRounding,
  'volumetric divisor': ({ volumetricDivisor }) => plain(volumetricDivisor),
  'weight of a cubic metre': ({ kilogramsPerCubicMetre }) => plain(kilogramsPerCubicMetre)?.concat(' kg'),
  'weight of a loading metre': ({ kilogramsPerLoadingMetre }) =>
    plain(kilogramsPerLoadingMetre)?.concat(' kg'),
  'volumetric weight per': ({ volumetricPer }) => volumetricPer,
  'weight step': weightOf('weightStepGrams'),
  'heavy above': weightOf('heavyOverGrams'),
  'step of heavy weights': weightOf('heavyStepGrams'),
  'smallest billed weight of a piece': weightOf('minBilledUnitGrams'),
  'weight step of a shipment': weightOf('shipmentStepGrams'),
  'smallest billed weight of a shipment': weightOf('minBilledShipmentGrams'),
  'deficit weight': ({ deficitWeight }) => deficitWeight,
  'weight of a document': weightOf('documentGrams'),
  'largest weight of a piece': weightOf('maxUnitGrams'),
  'largest length': lengthOf('maxLengthCm'),
  'largest width': lengthOf('maxWidthCm'),
  'largest height': lengthOf('maxHeightCm'),
  'largest length plus girth': lengthOf('maxLengthPlusGirthCm'),
  'largest weight of a shipment': weightOf('maxShipmentGrams'),
  'largest number of pieces': ({ maxUnits }) => plain(maxUnits),
  scope: ({ scope }) => scope,
  'sent from': ({ fromCountries }) => fromCountries?.toSorted().join(' '),
  recipient: ({ recipient }) => recipient,
  'highest insured value': ({ maxInsuredCents }) => optionally(money)(maxInsuredCents),
  'pick-up days': ({ pickupDays }) => pickupDays?.map((day) => WEEKDAYS[day - 1]).join(' '),
  'cut-off': ({ cutOffMinutes }) => time(cutOffMinutes),
})
