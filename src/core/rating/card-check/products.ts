/**
 * The products of a card: each known once, sold by a carrier of the card, and with terms that go together.
 */
import { isCountryCode } from '../../place.ts'
import type { ProductTerms, RateCardImport } from '../rate-card.ts'
import { type CardIndex, listText, productText } from './card-index.ts'
import type { Reports } from './findings.ts'

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
