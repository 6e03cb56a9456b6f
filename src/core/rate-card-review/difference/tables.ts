/** The tables of a rate card other than its prices, as they are compared. */
import {
  daysText,
  euroText,
  kilogramsText,
  percentText,
  placeText,
} from '../../rating/explain/figure-text.ts'
import type { ProductTerms, RateCardContent, SurchargeRow } from '../../rating/rate-card.ts'
import { type ComparedTable, type ProductNames, productText } from './row-changes.ts'

/** The tables that are compared row by row. */
export type PlainTableName = Exclude<keyof RateCardContent, 'prices'>

type PlainTables = {
  readonly [Name in PlainTableName]: ComparedTable<RateCardContent[Name][number]>
}

/** The tables, with products named as `names` tells. */
export function plainTables(names: ProductNames): PlainTables {
  const nameOf = (productId: number): string => productText(productId, names)
  return {
    products: { keyOf: ({ productId }) => nameOf(productId), fields: PRODUCT_FIELDS },
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
    areas: {
      keyOf: (row) => placeText(row) + inList('area list', row.areaList),
      fields: { area: ({ areaClass }) => areaClass },
    },
    areaTransit: {
      keyOf: ({ carrierCode, areaClass }) =>
        `${carrierCode === '*' ? 'all carriers' : carrierCode}, ${areaClass}`,
      fields: { 'extra time': ({ extraMinDays, extraMaxDays }) => daysText(extraMinDays, extraMaxDays) },
    },
    surcharges: SURCHARGES,
    insurance: {
      keyOf: ({ carrierCode }) => carrierCode,
      fields: {
        'free cover': ({ freeCoverCents }) => euroText(freeCoverCents),
        'free cover per': ({ freeCoverPer }) => freeCoverPer,
        rate: ({ rateBps }) => percentText(rateBps),
        minimum: ({ minimumCents }) => euroText(minimumCents),
        'highest value': ({ maxValueCents }) => euroText(maxValueCents),
      },
    },
    transit: {
      keyOf: ({ productId, zone }) => `${nameOf(productId)}, zone ${zone}`,
      fields: { 'transit time': ({ minDays, maxDays }) => daysText(minDays, maxDays) },
    },
    laneTransit: {
      keyOf: ({ productId, fromGroup, toGroup }) => `${nameOf(productId)}, ${fromGroup} to ${toGroup}`,
      fields: { 'transit time': ({ minDays, maxDays }) => daysText(minDays, maxDays) },
    },
  }
}

function inList(kind: string, name: string): string {
  return name === '' ? '' : `, ${kind} ${name}`
}

const SURCHARGES: ComparedTable<SurchargeRow> = {
  keyOf: ({ carrierCode, code, validFrom }) => `${carrierCode} ${code} from ${validFrom}`,
  fields: {
    name: ({ name }) => name,
    reason: ({ reason }) => reason,
    phase: ({ phase }) => phase,
    amount: amountText,
    minimum: ({ minimumCents }) => (minimumCents === 0 ? undefined : euroText(minimumCents)),
    per: ({ per }) => per,
    trigger: ({ trigger }) => trigger,
    fuelable: ({ fuelable }) => (fuelable ? 'yes' : 'no'),
    excludes: ({ excludes }) => (excludes.length === 0 ? undefined : excludes.toSorted().join(' ')),
    products: ({ products }) => products?.toSorted((a, b) => a - b).join(' '),
    'valid to': ({ validTo }) => validTo,
  },
}

function amountText({ method, amount }: SurchargeRow): string {
  switch (method) {
    case 'flat':
      return euroText(amount)
    case 'per_kg':
      return `${euroText(amount)} per kg`
    case 'pct':
      return percentText(amount)
    case 'fuel':
      return 'from the fuel table'
  }
}

// A product's terms as they are compared: what each is called, and its figure in the unit of price lists.

type Amount = number | undefined

const optionally =
  (textOf: (amount: number) => string) =>
  (amount: Amount): string | undefined =>
    amount === undefined ? undefined : textOf(amount)

const weight = optionally(kilogramsText)
const money = optionally(euroText)
const length = optionally((centimetres) => `${centimetres} cm`)
const plain = optionally(String)

/** What products are compared by, field by field. */
export const PRODUCT_FIELDS: ComparedTable<ProductTerms>['fields'] = {
  name: ({ name }) => name,
  carrier: ({ carrierCode }) => carrierCode,
  'service level': ({ serviceLevel }) => serviceLevel,
  'parcel type': ({ parcelType }) => parcelType,
  'pricing basis': ({ pricingBasis }) => pricingBasis,
  'zone chart': ({ zoneChart }) => (zoneChart === '' ? undefined : zoneChart),
  'area list': ({ areaList }) => (areaList === '' ? undefined : areaList),
  zones: ({ zones }) => zones?.toSorted((a, b) => a - b).join(' '),
  'volumetric divisor': ({ volumetricDivisor }) => plain(volumetricDivisor),
  'weight of a cubic metre': ({ kilogramsPerCubicMetre }) => plain(kilogramsPerCubicMetre)?.concat(' kg'),
  'weight of a loading metre': ({ kilogramsPerLoadingMetre }) =>
    plain(kilogramsPerLoadingMetre)?.concat(' kg'),
  'weight step': ({ weightStepGrams }) => weight(weightStepGrams),
  'weight of a document': ({ documentGrams }) => weight(documentGrams),
  'largest weight of a piece': ({ maxUnitGrams }) => weight(maxUnitGrams),
  'largest length': ({ maxLengthCm }) => length(maxLengthCm),
  'largest width': ({ maxWidthCm }) => length(maxWidthCm),
  'largest height': ({ maxHeightCm }) => length(maxHeightCm),
  'largest length plus girth': ({ maxLengthPlusGirthCm }) => length(maxLengthPlusGirthCm),
  'largest weight of a shipment': ({ maxShipmentGrams }) => weight(maxShipmentGrams),
  'most pieces': ({ maxUnits }) => plain(maxUnits),
  scope: ({ scope }) => scope,
  'sent from': ({ fromCountries }) => fromCountries?.toSorted().join(' '),
  recipient: ({ recipient }) => recipient,
  'highest insured value': ({ maxInsuredCents }) => money(maxInsuredCents),
}
