/**
 * A quote without the terms of contracts, for web pages that anybody can read. Prices, and the sum of the lines of a
 * price, stay the same. See docs/browser-keys.md#what-a-page-sees.
 */
import type { PriceLine } from './price/price-line.ts'
import type { RateOption } from './quote.ts'
import type { SelectedQuote } from './selection.ts'

/** Do not explain the lines of the result: their order is another one than that of `pricing`. */
export function withoutTerms({ options, declined, ...quote }: SelectedQuote): SelectedQuote {
  return {
    ...quote,
    options: options.map(withoutContract),
    declined: declined.filter(({ decline }) => decline.code !== 'NOT_ON_ACCOUNT'),
  }
}

function withoutContract({ listPriceCents: _, lines, ...option }: RateOption): RateOption {
  return { ...option, lines: withNetFreight(lines) }
}

/** Adds discounts, markups and minima of the contract to the line that they change. The freight is the first line. */
function withNetFreight([freight, ...others]: readonly PriceLine[]): readonly PriceLine[] {
  if (freight === undefined) return []
  const net: PriceLine[] = [freight]
  const addTo = (index: number, { amountCents }: PriceLine): void => {
    const line = net[index]!
    net[index] = { ...line, amountCents: line.amountCents + amountCents }
  }
  for (const line of others) {
    const { kind } = line.cause
    if (kind === 'contract' || kind === 'minimum') addTo(0, line)
    else if (kind === 'surcharge-discount') addTo(net.length - 1, line)
    else net.push(line)
  }
  return net
}
