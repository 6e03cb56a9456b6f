/**
 * Converts rate quotes to the types of the schema. graphql-js calls fields that are functions only if they are selected.
 */
import type { QuotedProduct } from '../../core/rating/book/book-product.ts'
import type { ChargeableParcel } from '../../core/rating/book/chargeable-weight.ts'
import { describeDecline } from '../../core/rating/book/limits.ts'
import { type AppliedRule, explainLine } from '../../core/rating/explain/explain.ts'
import type { DeclinedProduct, RateOption } from '../../core/rating/quote.ts'
import { versionText } from '../../core/rating/rate-card.ts'
import { badgesOf, type RateBadge, type SelectedQuote } from '../../core/rating/selection.ts'
import { once, type Pause, presentInTurns } from '../context.ts'
import type { ResolversParentTypes } from '../generated.ts'
import { presentMoney, presentWeight, type Typed } from './typed.ts'

type Presented = ResolversParentTypes['RateQuote'] & Pick<Typed<SelectedQuote>, '__typename'>

/** Presenting a line of a price takes as much work as presenting this many parcel rows. */
const ROWS_PER_LINE = 2

export function presentQuote(quote: SelectedQuote, pause: Pause): Presented {
  const { kind, rateCardVersions, options, filteredOut, declined } = quote
  const badges = once(() => badgesOf(options))
  const linesPerOption = Math.ceil((options[0]?.chargeable.length ?? 0) / ROWS_PER_LINE)
  return {
    __typename: kind,
    rateCardVersions,
    options: () => presentInTurns(pause, options, linesPerOption, (option) => presentOption(option, badges)),
    filteredOut,
    declined: () => declined.map(presentDeclined),
  }
}

/** The badges of a quote. */
export type Badges = () => ReturnType<typeof badgesOf>

const NO_BADGES: readonly RateBadge[] = []

export function presentOption(option: RateOption, badges: Badges): ResolversParentTypes['RateOption'] {
  const { listPriceCents, transit } = option
  return {
    product: presentProduct(option.product),
    price: presentMoney(option.priceCents),
    listPrice: listPriceCents === undefined ? null : presentMoney(listPriceCents),
    rateCardVersion: versionText(option.card),
    badges: () => badges().get(option) ?? NO_BADGES,
    breakdown: () =>
      option.lines.map((line, index) => ({
        kind: line.kind,
        name: line.item,
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

function presentRule(rule: AppliedRule): ResolversParentTypes['AppliedRule'] {
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
