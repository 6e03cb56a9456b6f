/**
 * The products of a card: each known once, sold by a carrier of the card, and with terms that go together.
 */

import { CONNECTOR_NAMES, isConnectorName } from '../../connector-names.ts'
import { isCountryCode } from '../../place.ts'
import { daysText, kilogramsText } from '../../rating/explain/figure-text.ts'
import type { ProductTerms, RateCardImport } from '../../rating/rate-card.ts'
import { type CardIndex, listText, productText } from './card-index.ts'
import { type Reports, reportDuplicates } from './findings.ts'

/** Checks the products, but for the zones they are sold in. */
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
      const expected = 'a carrier of the table of carriers'
      fault('products', 'carrier', { index: row, field: 'carrierCode', expected, found: carrierCode })
    }
    if (!lists.has(areaList) && !emptyLists.has(areaList)) {
      emptyLists.add(areaList)
      const expected = `areas in ${listText('area list', areaList)}, which ${productText(terms)} names`
      warn('products', 'area list', { index: row, field: 'areaList', expected })
    }
    checkTerms(terms, row, reports)
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
}

function checkOrigins({ fromCountries = [] }: ProductTerms, index: number, { fault }: Reports): void {
  const unknown = fromCountries.filter((country) => !isCountryCode(country))
  if (unknown.length === 0) return
  const found = unknown.join(', ')
  fault('products', 'origin', { index, field: 'fromCountries', expected: 'ISO 3166-1 country codes', found })
}

// What lies beside products and prices: carriers, pallet classes, insurance, days of areas, capitals and fuel.
// Each is known once, and speaks of carriers and countries that there are.

/** Checks the tables that only refer to others. */
export function checkReferences(card: RateCardImport, index: CardIndex, reports: Reports): void {
  checkSellers(card, index, reports)
  checkOwnTables(card, reports)
  checkSharedTables(card, reports)
}

/** A carrier that sells nothing in the card cannot charge or insure anything in it; said once for a carrier. */
function checkSellers({ content, carriers }: RateCardImport, { sellers }: CardIndex, reports: Reports): void {
  for (const table of ['surcharges', 'insurance', 'palletClasses', 'areaTransit'] as const) {
    const said = new Set<string>(table === 'areaTransit' ? ['*'] : [])
    content[table].forEach(({ carrierCode }, at) => {
      if (sellers.has(carrierCode) || said.has(carrierCode)) return
      said.add(carrierCode)
      const expected = 'a carrier with products in the card'
      reports.fault(table, 'carrier', { index: at, field: 'carrierCode', expected, found: carrierCode })
    })
  }
  carriers.forEach(({ code, connector }, at) => {
    if (!isConnectorName(connector)) {
      const expected = `one of ${CONNECTOR_NAMES.join(', ')}: without a connector nothing can be booked`
      reports.warn('carriers', 'connector', { index: at, field: 'connector', expected, found: connector })
    }
    if (sellers.has(code)) return
    const expected = `products of ${code} in the card`
    reports.warn('carriers', 'no products', { index: at, field: 'code', expected })
  })
}

function checkOwnTables({ content }: RateCardImport, { fault }: Reports): void {
  const { insurance, palletClasses, areaTransit } = content
  reportDuplicates(fault, 'insurance', insurance, (row) => row.carrierCode, 'one row for each carrier')
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
    const expected = `at least the ${daysText(extraMinDays, extraMinDays)} of the minimum`
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
    const expected = 'a carrier of the table of carriers'
    fault('fuel', 'carrier', { index, field: 'carrierCode', expected, found: carrierCode })
  })
  reportDuplicates(
    fault,
    'fuel',
    fuel,
    ({ carrierCode, code, validFrom }) => `${carrierCode} ${code} from ${validFrom}`,
    'one percentage for each code of a carrier and day it begins',
  )
}
