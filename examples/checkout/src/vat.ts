/** What the buyer pays for shipping: with VAT if it is known; otherwise without VAT, which the text says. */
import { CURRENCY, decimal } from './catalogue.ts'
import { type Amount, centsOf } from './money.ts'
import type { ConvertedPrice, RateOption } from './waybill.ts'

export type ShippingPrice = {
  readonly amount: Amount
  /** For a text after the amount: "incl. 21% VAT" or "without VAT". */
  readonly note: string
  /** Undefined if it is not known. */
  readonly vat: { readonly percent: string; readonly cents: number } | undefined
}

export function shippingPrice({ price, priceIn }: Pick<RateOption, 'price' | 'priceIn'>): ShippingPrice {
  return withVat(price, priceIn)
}

/** `price` is without VAT. `converted` is the same price in the currency of the shop. */
export function withVat(price: Amount, converted: ConvertedPrice): ShippingPrice {
  const { currency, amount, amountWithVat, vatRatePercent } = converted
  if (amount === null || amountWithVat === null || vatRatePercent === null)
    return { amount: price, note: 'without VAT', vat: undefined }
  const gross = { currency, amount: amountWithVat }
  return {
    amount: gross,
    note: `incl. ${vatRatePercent}% VAT`,
    vat: { percent: vatRatePercent, cents: centsOf(gross) - centsOf({ currency, amount }) },
  }
}

export function euros(cents: number): Amount {
  return { amount: decimal(cents), currency: CURRENCY }
}
