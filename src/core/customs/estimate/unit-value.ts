/** The value of one unit of goods, which decides between lines of a tariff. See docs/customs-data.md#codes. */
import { findExchangeRate, fromEuro } from '../data/exchange-rate.ts'
import { dividedBy, type Exact, isZero } from '../exact.ts'
import type { ContentItem } from '../request.ts'
import { isOutside, type ValueBand } from '../tariff/value-band.ts'
import type { Consignment } from './consignment.ts'
import { countIn, quantitiesOf } from './quantities.ts'

/** The rows of the lines that do not cover an item. A line whose unit the request does not contain may cover it. */
export function linesLeftOut(
  { tables, date }: Consignment,
  { item, goodsValue }: { readonly item: ContentItem; readonly goodsValue: Exact },
  bands: readonly ValueBand[],
): readonly number[] {
  const quantities = quantitiesOf(item)
  const left: number[] = []
  for (const band of bands) {
    const amount = countIn(quantities, band.unit)
    const rate = findExchangeRate(tables.exchangeRates, band.currency, date)
    if (amount === undefined || isZero(amount) || rate === undefined) continue
    if (isOutside(band, fromEuro(dividedBy(goodsValue, amount), rate))) left.push(band.row)
  }
  return left
}
