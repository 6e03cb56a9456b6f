/** A rate quote in the schema's shape; default resolvers read it, so that pricing costs no resolver per field. */
import { describeDecline } from '../../core/rating/limits.ts'
import type { PriceLine } from '../../core/rating/price.ts'
import type { DeclinedProduct, RateOption, RateQuote } from '../../core/rating/quote.ts'
import type { QuotedProduct } from '../../core/rating/rate-book.ts'
import type { ResolversParentTypes } from '../generated.ts'
import { type Typed, typed } from '../typed.ts'
import { presentMoney, presentWeight } from './money.ts'

type Presented = ResolversParentTypes['RateQuote'] & Pick<Typed<RateQuote>, '__typename'>

/** The quote for `RatesResult`. */
export function presentQuote(quote: RateQuote): Presented {
  return typed({
    kind: quote.kind,
    tariffVersion: quote.tariffVersion,
    options: quote.options.map(presentOption),
    declined: quote.declined.map(presentDeclined),
  })
}

function presentOption(option: RateOption): ResolversParentTypes['RateOption'] {
  return {
    product: presentProduct(option.product),
    price: presentMoney(option.priceCents),
    breakdown: option.lines.map(presentLine),
    transit: { minWorkingDays: option.transit.minDays, maxWorkingDays: option.transit.maxDays },
    chargeable: option.chargeable.map((row) => ({
      parcelIndex: row.parcelIndex,
      count: row.count,
      actual: presentWeight(row.actualGrams),
      volumetric: presentWeight(row.volumetricGrams),
      chargeable: presentWeight(row.chargeableGrams),
      divisor: row.divisor ?? null,
    })),
  }
}

function presentLine({ kind, item, amountCents, reason }: PriceLine): ResolversParentTypes['PriceLine'] {
  return { kind, item, amount: presentMoney(amountCents), reason: reason ?? null }
}

function presentDeclined({ product, decline }: DeclinedProduct): ResolversParentTypes['DeclinedProduct'] {
  const { message, limit, actual } = describeDecline(decline)
  return {
    product: presentProduct(product),
    code: decline.code,
    message,
    limit: limit ?? null,
    actual: actual ?? null,
  }
}

/** The quote carries the names, so that no product and no carrier has to be looked up for an option. */
function presentProduct(named: QuotedProduct): ResolversParentTypes['Product'] {
  const { productId, productName, carrierCode, carrierName } = named
  return { id: String(productId), name: productName, carrier: { id: carrierCode, name: carrierName } }
}
