/** Explains how a line of a price was converted from the amount in the rate card to euro without VAT. */

import { convert } from '../currency/conversion.ts'
import { netEuroFactor } from '../price/card-price.ts'
import type { RateOption } from '../quote.ts'
import { type AppliedRule, input } from './applied-rule.ts'
import { euroText, moneyText, percentText } from './figure-text.ts'

/** Continues the formula of a line, and its inputs. Both are empty if the card is in euro without VAT. */
export function explainConversion(
  { cardPrice, lines, pricing, priceCents }: RateOption,
  index: number,
): Pick<AppliedRule, 'formula' | 'inputs'> {
  const factor = netEuroFactor(pricing)
  if (cardPrice === undefined || factor === undefined) return { formula: '', inputs: [] }
  const { terms, rate, vatBps, totalCents } = cardPrice
  const { currency } = terms
  const cents = cardPrice.lines[index]!.amountCents
  const amount = moneyText(cents, currency)
  const isForeign = rate.currency !== 'EUR'
  const steps = [
    ...(vatBps === 0 ? [] : [`without VAT of ${percentText(vatBps)}`]),
    ...(isForeign ? [`at ${rate.unitsPerEuro} ${currency} per EUR`] : []),
  ]
  if (steps.length === 0) return { formula: '', inputs: [] }
  const difference = lines[index]!.amountCents - convert(cents, factor)
  const moved = difference > 0 ? 'up' : 'down'
  const rounding =
    difference === 0 ? 'rounded to the cent' : `rounded ${moved}, so that the lines add up to the price`
  return {
    formula: `; ${amount} ${steps.join(', ')}, ${rounding}`,
    inputs: [
      input('card amount', amount),
      ...(terms.vatIncluded ? [input('VAT included', percentText(vatBps))] : []),
      ...(isForeign
        ? [
            input('exchange rate', `${rate.unitsPerEuro} ${currency} per EUR`),
            input('exchange rate of', rate.validFrom),
          ]
        : []),
      input('card total', moneyText(totalCents, currency)),
      input('price', euroText(priceCents)),
    ],
  }
}
