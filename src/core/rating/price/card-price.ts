/**
 * The price of a product as its rate card states it, and its conversion to euro without VAT, which quotes are in.
 * Rules: docs/rate-cards.md#currency-and-vat.
 */
import type { ExchangeRate } from '../../customs/data/exchange-rate.ts'
import { convert, convertParts, type Factor, product, toEuro, withoutVat } from '../currency/conversion.ts'
import type { PriceTerms } from '../rate-card.ts'
import type { PricingCase } from './price.ts'
import type { PriceLine } from './price-line.ts'

/** A price as a rate card states it: in cents of its currency, with VAT if it includes VAT. */
export type CardPrice = {
  readonly terms: PriceTerms
  /** The rate that converts it to euro. */
  readonly rate: ExchangeRate
  /** The VAT in the amounts, in basis points; 0 if they do not include VAT. */
  readonly vatBps: number
  /** The lines of the option with their amounts in the card, in the same order. */
  readonly lines: readonly PriceLine[]
  readonly totalCents: number
}

/** Undefined if the card is in euro without VAT. */
export function cardPriceOf(pricing: PricingCase, lines: readonly PriceLine[]): CardPrice | undefined {
  const { rate, shared } = pricing
  const terms = shared.group.priceTerms
  if (rate === undefined || terms === undefined) return undefined
  return { terms, rate, vatBps: vatWithin(pricing), lines, totalCents: sumOfLines(lines) }
}

/** The VAT that the amounts of the card include, in basis points. `checkRateCard` reports zones without a rate. */
function vatWithin({ shared, zoneNumber }: PricingCase): number {
  const { priceTerms, vatRates } = shared.group
  return priceTerms?.vatIncluded === true ? (vatRates.get(zoneNumber) ?? 0) : 0
}

/** From the amounts of the card to euro without VAT; undefined if they are the same. */
export function netEuroFactor(pricing: PricingCase): Factor | undefined {
  const { rate } = pricing
  return rate && product(withoutVat(vatWithin(pricing)), toEuro(rate))
}

/** The sum of the lines in euro without VAT, rounded once, half up. */
export function netEuroSum(pricing: PricingCase, lines: readonly PriceLine[]): number {
  const factor = netEuroFactor(pricing)
  return factor === undefined ? sumOfLines(lines) : convert(sumOfLines(lines), factor)
}

/** The lines in euro without VAT. They add up to `netEuroSum`; see `convertParts`. */
export function netEuroLines(pricing: PricingCase, lines: readonly PriceLine[]): readonly PriceLine[] {
  const factor = netEuroFactor(pricing)
  if (factor === undefined) return lines
  const amounts = convertParts(
    lines.map(({ amountCents }) => amountCents),
    factor,
  )
  return lines.map((line, index) => ({ ...line, amountCents: amounts[index]! }))
}

export function sumOfLines(lines: readonly PriceLine[]): number {
  let cents = 0
  for (const { amountCents } of lines) cents += amountCents
  return cents
}
