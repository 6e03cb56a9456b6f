/** A rate quote in the schema's shape; default resolvers read it, so that pricing costs no resolver per field. */

import type { QuotedProduct } from '../../core/rating/book/book-product.ts'
import type { ChargeableParcel } from '../../core/rating/book/chargeable-weight.ts'
import { describeDecline } from '../../core/rating/book/limits.ts'
import { type AppliedRule, explainLine } from '../../core/rating/explain/explain.ts'
import type { DeclinedProduct, RateOption } from '../../core/rating/quote.ts'
import { versionText } from '../../core/rating/rate-card.ts'
import { badgesOf, type RateBadge, type SelectedQuote } from '../../core/rating/selection.ts'
import { type Pause, presentInTurns } from '../context.ts'
import type { ResolversParentTypes } from '../generated.ts'
import { presentMoney, presentWeight, type Typed, typed } from './typed.ts'

type Presented = ResolversParentTypes['RateQuote'] & Pick<Typed<SelectedQuote>, '__typename'>

/** Parcel rows of an option that there is as much to present of as of a line. */
const ROWS_PER_LINE = 2

/** The quote for `RatesResult`. */
export function presentQuote(quote: SelectedQuote, pause: Pause): Presented {
  const { kind, tariffVersion, options, filteredOut, declined } = quote
  const badges = badgesOf(options)
  const weight = Math.ceil((options[0]?.chargeable.length ?? 0) / ROWS_PER_LINE)
  return typed({
    kind,
    tariffVersion,
    options: () =>
      presentInTurns(pause, options, weight, (option) => presentOption(option, badges.get(option) ?? [])),
    filteredOut,
    declined: declined.map(presentDeclined),
  })
}

/**
 * An option with what stands out about it. What grows with the parcel rows, or takes more work than the price did,
 * is a function: only called if asked for.
 */
export function presentOption(
  option: RateOption,
  badges: readonly RateBadge[],
): ResolversParentTypes['RateOption'] {
  const { listPriceCents, transit } = option
  return {
    product: presentProduct(option.product),
    price: presentMoney(option.priceCents),
    listPrice: listPriceCents === undefined ? null : presentMoney(listPriceCents),
    rateCard: versionText(option.card),
    badges,
    breakdown: option.lines.map((line, index) => ({
      kind: line.kind,
      item: line.item,
      amount: presentMoney(line.amountCents),
      reason: line.reason ?? null,
      rule: () => presentRule(explainLine(option, index)),
    })),
    transit: { minWorkingDays: transit.minDays, maxWorkingDays: transit.maxDays },
    chargeable: () => option.chargeable.map(presentChargeable),
  }
}

function presentChargeable(row: ChargeableParcel): ResolversParentTypes['ChargeableParcel'] {
  return {
    parcelIndex: row.parcelIndex,
    count: row.count,
    actual: presentWeight(row.actualGrams),
    volumetric: presentWeight(row.volumetricGrams),
    chargeable: presentWeight(row.chargeableGrams),
    divisor: row.divisor ?? null,
  }
}

function presentRule({ versionNo, ...rule }: AppliedRule): ResolversParentTypes['AppliedRule'] {
  return { ...rule, version: versionNo }
}

/** A product that is not offered, with the reason in words. */
export function presentDeclined({
  product,
  decline,
}: DeclinedProduct): ResolversParentTypes['DeclinedProduct'] {
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
