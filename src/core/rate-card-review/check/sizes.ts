/**
 * Limits what a rates request computes for each product: surcharges, their conditions and exclusions, services, and
 * pallet classes. Each is computed for up to 99 parcel rows. See docs/limits.md#rate-cards.
 */
import { groupBy } from '../../group-by.ts'
import type { RateCardContent, SurchargeRow } from '../../rating/rate-card.ts'
import { productText, type RowOfProducts } from './card-index.ts'
import type { Reports } from './findings.ts'

/** All rows count, whatever their validity. */
export const CARD_LIMITS = {
  surchargesOfCarrier: 2_000,
  surchargesOfProduct: 500,
  servicesOfCarrier: 500,
  /** Of a service with a carrier. `availableServices` prices an option with each of them. */
  slotsOfService: 50,
  /** Codes in `excludes` of all surcharges of a product. */
  exclusionsOfProduct: 5_000,
  /** Conditions in triggers of the surcharges of a product, and names and numbers in all its expressions. */
  conditionsOfProduct: 5_000,
  palletClassesOfCarrier: 200,
  sizeClassesOfCarrier: 200,
  minimumWeightsOfCarrier: 200,
  insuranceBandsOfCarrier: 200,
} as const

export function checkSizes(content: RateCardContent, reports: Reports): void {
  checkRowsOfCarriers('surcharges', 'surcharges', CARD_LIMITS.surchargesOfCarrier, content, reports)
  checkRowsOfCarriers('services', 'services', CARD_LIMITS.servicesOfCarrier, content, reports)
  checkRowsOfCarriers('palletClasses', 'pallet classes', CARD_LIMITS.palletClassesOfCarrier, content, reports)
  checkRowsOfCarriers('sizeClasses', 'size classes', CARD_LIMITS.sizeClassesOfCarrier, content, reports)
  checkRowsOfCarriers(
    'minimumWeights',
    'smallest weights',
    CARD_LIMITS.minimumWeightsOfCarrier,
    content,
    reports,
  )
  checkRowsOfCarriers(
    'insuranceBands',
    'insurance bands',
    CARD_LIMITS.insuranceBandsOfCarrier,
    content,
    reports,
  )
  checkSurchargesOfProducts(content, reports)
}

function checkRowsOfCarriers(
  table: 'surcharges' | 'services' | 'palletClasses' | 'sizeClasses' | 'minimumWeights' | 'insuranceBands',
  what: string,
  limit: number,
  content: RateCardContent,
  { fault }: Reports,
): void {
  const listed = content[table].map(({ carrierCode }, index) => ({ carrierCode, index }))
  for (const [carrierCode, rows] of groupBy(listed, (row) => row.carrierCode)) {
    const first = rows[limit]
    if (first === undefined) continue
    const expected = `at most ${limit} ${what} of a carrier`
    const found = `${rows.length} of ${carrierCode}`
    fault(table, 'too many', { index: first.index, field: 'carrierCode', expected, found })
  }
}

/** What the surcharges and services of a product add up to. */
type Amount = { surcharges: number; exclusions: number; conditions: number }

const LIMITS_OF_PRODUCT = [
  { name: 'surcharges', limit: CARD_LIMITS.surchargesOfProduct, what: 'surcharges' },
  { name: 'exclusions', limit: CARD_LIMITS.exclusionsOfProduct, what: 'codes in excludes of the surcharges' },
  {
    name: 'conditions',
    limit: CARD_LIMITS.conditionsOfProduct,
    what: 'conditions, or names and numbers in expressions,',
  },
] as const

/**
 * Surcharges for all products of a carrier are added up once for the carrier, those for single products per product.
 */
function checkSurchargesOfProducts(
  { products, surcharges, services, sizeClasses, minimumWeights }: RateCardContent,
  { fault }: Reports,
): void {
  const ofCarrier = new Map<string, Amount>()
  const ofProduct = new Map<number, Amount>()
  const addRow = (row: RowOfProducts, amount: Amount): void => {
    if (row.products === undefined) add(ofCarrier, row.carrierCode, amount)
    else for (const productId of new Set(row.products)) add(ofProduct, productId, amount)
  }
  for (const row of surcharges) addRow(row, amountOf(row))
  for (const row of [...services, ...sizeClasses, ...minimumWeights])
    addRow(row, { surcharges: 0, exclusions: 0, conditions: conditionsIn(row) })
  products.forEach((terms, index) => {
    const amounts = [ofCarrier.get(terms.carrierCode), ofProduct.get(terms.productId)]
    for (const { name, limit, what } of LIMITS_OF_PRODUCT) {
      const total = amounts.reduce((sum, amount) => sum + (amount?.[name] ?? 0), 0)
      if (total <= limit) continue
      const expected = `at most ${limit} ${what} of a product`
      fault('products', `too many ${name}`, { index, expected, found: `${total} for ${productText(terms)}` })
    }
  })
}

function amountOf(row: SurchargeRow): Amount {
  const triggers = row.trigger.split(/[&|]/).length
  return { surcharges: 1, exclusions: row.excludes.length, conditions: triggers + conditionsIn(row) }
}

type Expressions = { readonly condition?: string; readonly formula?: string; readonly weight?: string }

function conditionsIn({ condition = '', formula = '', weight = '' }: Expressions): number {
  return wordsIn(condition) + wordsIn(formula) + wordsIn(weight)
}

function add<Key>(amounts: Map<Key, Amount>, key: Key, { surcharges, exclusions, conditions }: Amount): void {
  const amount = amounts.get(key) ?? { surcharges: 0, exclusions: 0, conditions: 0 }
  amounts.set(key, amount)
  amount.surcharges += surcharges
  amount.exclusions += exclusions
  amount.conditions += conditions
}

/** The names and numbers of an expression, which may be faulty. */
function wordsIn(expression: string): number {
  return expression.match(/[\w.]+/g)?.length ?? 0
}
