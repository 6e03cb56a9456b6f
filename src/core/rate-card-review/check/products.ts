/**
 * Checks the products of a card, and its tables of carriers, pallet classes, extra days of areas, capitals and fuel.
 * Each row must be unique and refer to carriers and countries that exist.
 */
import { isCountryCode } from '../../place.ts'
import { daysText, kilogramsText, weightText } from '../../rating/explain/figure-text.ts'
import type { PriceRow, ProductTerms, RateCardImport } from '../../rating/rate-card.ts'
import { type CardIndex, listText, productText } from './card-index.ts'
import { type Reports, reportDuplicates } from './findings.ts'
import { hasRatesPer100 } from './prices.ts'

/** Checks the products, except for their zones; see coverage.ts. */
export function checkProducts(
  { content, carriers }: RateCardImport,
  index: CardIndex,
  reports: Reports,
): void {
  const { fault, warn } = reports
  const { products } = content
  if (products.length === 0) fault('products', 'none', { expected: 'at least one product' })
  const known = new Set(carriers.map(({ code }) => code))
  const lists = new Set(content.areas.map(({ areaList }) => areaList))
  const unknownCarriers = new Set<string>()
  const emptyLists = new Set<string>([''])
  products.forEach((terms, row) => {
    const { productId, carrierCode, areaList } = terms
    if (index.products.get(productId) !== terms) {
      const found = `${productId} a second time`
      fault('products', 'duplicate', {
        index: row,
        field: 'productId',
        expected: 'one row for each id',
        found,
      })
    }
    if (!known.has(carrierCode) && !unknownCarriers.has(carrierCode)) {
      unknownCarriers.add(carrierCode)
      const expected = 'a carrier in the table of carriers'
      fault('products', 'carrier', { index: row, field: 'carrierCode', expected, found: carrierCode })
    }
    if (!lists.has(areaList) && !emptyLists.has(areaList)) {
      emptyLists.add(areaList)
      const expected = `areas in ${listText('area list', areaList)}, which ${productText(terms)} uses`
      warn('products', 'area list', { index: row, field: 'areaList', expected })
    }
    checkTerms(terms, row, reports)
    checkWeighing(terms, row, reports)
    checkSmallestWeights(terms, row, content.prices, index, reports)
    checkOrigins(terms, row, reports)
  })
}

const VOLUMETRIC_RULES = ['volumetricDivisor', 'kilogramsPerCubicMetre', 'kilogramsPerLoadingMetre'] as const

function checkTerms(terms: ProductTerms, index: number, { fault }: Reports): void {
  const { parcelType, pricingBasis } = terms
  const rule = VOLUMETRIC_RULES.find((name) => terms[name] !== undefined)
  if (parcelType === 'DOC' && rule !== undefined) {
    const expected = 'no volumetric rule for documents, which have no volume'
    fault('products', 'volume of documents', { index, field: rule, expected, found: String(terms[rule]) })
  }
  if (pricingBasis === 'pallet-class' && parcelType !== 'PALLET') {
    const expected = 'parcel type PALLET for a product priced by pallet class'
    fault('products', 'pallet basis', { index, field: 'parcelType', expected, found: parcelType })
  }
  if (pricingBasis === 'freight-class' && parcelType === 'DOC') {
    const expected = 'parcel type PALLET or NONDOC for a product priced by freight class'
    fault('products', 'freight basis', { index, field: 'parcelType', expected, found: parcelType })
  }
  if (terms.deficitWeight !== undefined && !hasRatesPer100(pricingBasis)) {
    const expected = 'an empty cell: only the bases per-100kg and freight-class have a deficit weight'
    fault('products', 'deficit', { index, field: 'deficitWeight', expected, found: terms.deficitWeight })
  }
}

/** Only products that price the weight of the shipment have rules for it. */
function checkWeighing(terms: ProductTerms, index: number, { fault }: Reports): void {
  const { weightStepGrams, heavyOverGrams = 0, pricingBasis, units } = terms
  if (heavyOverGrams % weightStepGrams !== 0) {
    const expected = `a multiple of the weight step, ${weightText(weightStepGrams, units)}`
    const found = weightText(heavyOverGrams, units)
    fault('products', 'heavy weight', { index, field: 'heavyOverGrams', expected, found })
  }
  if (pricingBasis === 'shipment' || pricingBasis === 'per-100kg') return
  for (const field of ['shipmentStepGrams', 'minBilledShipmentGrams'] as const) {
    const grams = terms[field]
    if (grams === undefined) continue
    const expected = `no weight of the shipment with the basis ${pricingBasis}`
    fault('products', field, { index, field, expected, found: weightText(grams, units) })
  }
}

/** A product whose smallest billed weight is above the last band of a zone could not price any request there. */
function checkSmallestWeights(
  terms: ProductTerms,
  index: number,
  prices: readonly PriceRow[],
  { priced }: CardIndex,
  { fault }: Reports,
): void {
  const { productId, minBilledUnitGrams, minBilledShipmentGrams, units } = terms
  if (minBilledUnitGrams === undefined && minBilledShipmentGrams === undefined) return
  let [last, at] = [Number.POSITIVE_INFINITY, 0]
  for (const { zone, bands } of priced.get(productId)?.values() ?? []) {
    let end = 0
    for (const band of bands) end = Math.max(end, prices[band]!.upToGrams)
    if (end > 0 && end < last) [last, at] = [end, zone]
  }
  for (const field of ['minBilledUnitGrams', 'minBilledShipmentGrams'] as const) {
    const grams = terms[field] ?? 0
    if (grams <= last) continue
    const expected = `at most ${weightText(last, units)}, the end of the last weight band of ${productText(terms)} in zone ${at}`
    fault('products', `high ${field}`, { index, field, expected, found: weightText(grams, units) })
  }
}

function checkOrigins({ fromCountries = [] }: ProductTerms, index: number, { fault }: Reports): void {
  const unknown = fromCountries.filter((country) => !isCountryCode(country))
  if (unknown.length === 0) return
  const found = unknown.join(', ')
  fault('products', 'origin', { index, field: 'fromCountries', expected: 'ISO 3166-1 country codes', found })
}

/** Checks the carriers, pallet classes, extra days of areas, capitals and fuel of a card. */
export function checkReferences(
  card: RateCardImport,
  index: CardIndex,
  connectorNames: readonly string[],
  reports: Reports,
): void {
  checkSellers(card, index, connectorNames, reports)
  checkCardTables(card, reports)
  checkSharedTables(card, reports)
}

const SELLER_TABLES = [
  ...(['surcharges', 'services', 'insurance', 'insuranceBands'] as const),
  ...(['palletClasses', 'sizeClasses', 'minimumWeights', 'areaTransit'] as const),
]

/** Rows for a carrier without products in the card have no effect. Reported once for each carrier. */
function checkSellers(
  { content, carriers }: RateCardImport,
  { sellers }: CardIndex,
  connectorNames: readonly string[],
  reports: Reports,
): void {
  for (const table of SELLER_TABLES) {
    const reported = new Set<string>(table === 'areaTransit' ? ['*'] : [])
    content[table].forEach(({ carrierCode }, at) => {
      if (sellers.has(carrierCode) || reported.has(carrierCode)) return
      reported.add(carrierCode)
      const expected = 'a carrier with products in the card'
      reports.fault(table, 'carrier', { index: at, field: 'carrierCode', expected, found: carrierCode })
    })
  }
  carriers.forEach(({ code, connector }, at) => {
    if (!connectorNames.includes(connector)) {
      const expected = `one of ${connectorNames.join(', ')}; without a connector, shipments cannot be booked`
      reports.warn('carriers', 'connector', { index: at, field: 'connector', expected, found: connector })
    }
    if (sellers.has(code)) return
    const expected = `products of ${code} in the card`
    reports.warn('carriers', 'no products', { index: at, field: 'code', expected })
  })
}

function checkCardTables({ content }: RateCardImport, { fault }: Reports): void {
  const { palletClasses, areaTransit } = content
  reportDuplicates(
    fault,
    'palletClasses',
    palletClasses,
    ({ carrierCode, palletClass, longSideCm, shortSideCm, maxHeightCm, maxGrams }) =>
      `${carrierCode} ${palletClass} ${longSideCm}x${shortSideCm} cm, ${maxHeightCm} cm high, ${kilogramsText(maxGrams)}`,
    'one row for each class and size of a carrier',
  )
  reportDuplicates(
    fault,
    'areaTransit',
    areaTransit,
    ({ carrierCode, areaClass }) => `${carrierCode} ${areaClass}`,
    'one row for each carrier and area class',
  )
  areaTransit.forEach(({ extraMinDays, extraMaxDays }, index) => {
    if (extraMinDays <= extraMaxDays) return
    const expected = `at least the minimum of ${daysText(extraMinDays, extraMinDays)}`
    fault('areaTransit', 'days', { index, field: 'extraMaxDays', expected, found: `${extraMaxDays}` })
  })
}

function checkSharedTables({ carriers, capitals, fuel }: RateCardImport, { fault }: Reports): void {
  reportDuplicates(fault, 'carriers', carriers, ({ code }) => code, 'one row for each carrier')
  reportDuplicates(fault, 'capitals', capitals, ({ country }) => country, 'one capital for each country')
  capitals.forEach(({ country }, index) => {
    if (isCountryCode(country)) return
    const expected = 'an ISO 3166-1 country code'
    fault('capitals', 'country', { index, field: 'country', expected, found: country })
  })
  const known = new Set(carriers.map(({ code }) => code))
  fuel.forEach(({ carrierCode }, index) => {
    if (known.has(carrierCode)) return
    known.add(carrierCode)
    const expected = 'a carrier in the table of carriers'
    fault('fuel', 'carrier', { index, field: 'carrierCode', expected, found: carrierCode })
  })
  reportDuplicates(
    fault,
    'fuel',
    fuel,
    ({ carrierCode, code, validFrom }) => `${carrierCode} ${code} from ${validFrom}`,
    'one percentage for each carrier, code and first day',
  )
}
