/** A product's terms as they are compared: what each is called, and its figure in the unit of price lists. */
import { euroText, kilogramsText } from '../figure-text.ts'
import type { ProductTerms } from '../rate-card.ts'
import type { ComparedTable } from './row-changes.ts'

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
