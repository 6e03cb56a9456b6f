/** Converts rate quotes to the types of the schema. */

import { formatUnits } from '../../core/money.ts'
import { formatDecimal } from '../../core/quantity.ts'
import type { QuotedProduct } from '../../core/rating/book/book-product.ts'
import type { ChargeableParcel } from '../../core/rating/book/chargeable-weight.ts'
import { describeDecline } from '../../core/rating/book/limits.ts'
import { gramsOf } from '../../core/rating/book/list-units.ts'
import { versionText } from '../../core/rating/card-version.ts'
import type { AppliedRule } from '../../core/rating/explain/explain.ts'
import type { PriceInCurrency } from '../../core/rating/price/price-in-currency.ts'
import type { DeclinedProduct, RateOption } from '../../core/rating/quote.ts'
import type { badgesOf, RateBadge, SelectedQuote } from '../../core/rating/selection.ts'
import type { ResolversParentTypes } from '../generated.ts'
import { presentMoney, presentWeight, type Typed } from './typed.ts'

type Presented = ResolversParentTypes['RateQuote'] & Pick<Typed<SelectedQuote>, '__typename'>

export function presentQuote(quote: SelectedQuote): Presented {
  const { kind, rateCardVersions, filteredOut } = quote
  return { __typename: kind, rateCardVersions, filteredOut, quote }
}

/** The badges of a quote. */
export type Badges = ReturnType<typeof badgesOf>

const NO_BADGES: readonly RateBadge[] = []

export function presentOption(option: RateOption, badges: Badges): ResolversParentTypes['RateOption'] {
  const { listPriceCents, transit } = option
  return {
    product: presentProduct(option.product),
    price: presentMoney(option.priceCents),
    listPrice: listPriceCents === undefined ? null : presentMoney(listPriceCents),
    rateCardVersion: versionText(option.card),
    badges: badges.get(option) ?? NO_BADGES,
    transit: { minWorkingDays: transit.minDays, maxWorkingDays: transit.maxDays },
    option,
  }
}

export function presentConverted({
  currency,
  decimals,
  netUnits,
  grossUnits,
  vatBps,
  missing,
  exchangeRates,
}: PriceInCurrency): ResolversParentTypes['ConvertedPrice'] {
  return {
    currency,
    amount: netUnits === undefined ? null : formatUnits(netUnits, decimals),
    amountWithVat: grossUnits === undefined ? null : formatUnits(grossUnits, decimals),
    vatRatePercent: vatBps === undefined ? null : formatDecimal(vatBps, 2),
    missing,
    exchangeRates,
  }
}

export function presentLines(option: RateOption): readonly ResolversParentTypes['PriceLine'][] {
  return option.lines.map((line, index) => ({
    kind: line.kind,
    name: line.item,
    amount: presentMoney(line.amountCents),
    reason: line.reason ?? null,
    option,
    index,
  }))
}

export function presentChargeable(row: ChargeableParcel): ResolversParentTypes['ChargeableParcel'] {
  const { units } = row
  return {
    parcelIndex: row.parcelIndex,
    count: row.count,
    actual: presentWeight(row.actualGrams),
    volumetric: presentWeight(row.volumetricGrams),
    chargeable: presentWeight(gramsOf(row.chargeableGrams, units)),
    divisor: (units === undefined ? row.divisor : undefined) ?? null,
  }
}

export function presentRule(rule: AppliedRule): ResolversParentTypes['AppliedRule'] {
  const { id, card, versionNo, formula, inputs, validFrom } = rule
  return {
    ruleId: id,
    rateCardVersion: versionText({ code: card, versionNo }),
    formula,
    figures: inputs,
    validFrom,
  }
}

export function presentDeclined({
  product,
  decline,
}: DeclinedProduct): ResolversParentTypes['DeclinedProduct'] {
  const { message, limit, actual, unit } = describeDecline(decline)
  return {
    product: presentProduct(product),
    code: decline.code,
    service: ('service' in decline ? decline.service : undefined) ?? null,
    message,
    limit: limit ?? null,
    actual: actual ?? null,
    unit: unit ?? null,
  }
}

/** The quote contains the names, so no lookup is needed. */
function presentProduct(product: QuotedProduct): ResolversParentTypes['Product'] {
  const { productId, productName, carrierCode, carrierName } = product
  return { id: String(productId), name: productName, carrier: { id: carrierCode, name: carrierName } }
}
