/** What the price of one product for one request is calculated from. */
import type { ExchangeRate } from '../../customs/data/exchange-rate.ts'
import type { BookProduct } from '../book/book-product.ts'
import type { ChargeableParcel } from '../book/chargeable-weight.ts'
import type { ZonePrices } from '../book/price-table.ts'
import type { AgreedTerms } from '../contract.ts'
import type { GroupFacts, RequestFacts } from './request-facts.ts'

/** Everything that the price of a product depends on. `explainLine` reads the same object. */
export type PricingCase = {
  readonly product: BookProduct
  readonly zone: ZonePrices
  readonly zoneNumber: number
  readonly facts: RequestFacts
  readonly shared: GroupFacts
  /** One entry per parcel row, weighed by the rule of the product. */
  readonly chargeable: readonly ChargeableParcel[]
  /** The terms of the contract; undefined for the list price. */
  readonly contract: AgreedTerms | undefined
  /** The exchange rate of the card's currency. Undefined if the group has no `priceTerms`. */
  readonly rate: ExchangeRate | undefined
}

/** The step that the lines of a price are rounded to, in cents of the card's currency. */
export function roundingStep({ shared }: Pick<PricingCase, 'shared'>): number {
  return shared.group.priceTerms?.roundToCents ?? 1
}
