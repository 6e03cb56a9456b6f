/**
 * Fees of carriers for clearing a shipment and for advancing its duties and taxes, from an operator's table. They
 * belong to the carrier's price, not to the duties and taxes of an authority. Of each fee of a carrier, the first row
 * that fits applies. See docs/graphql.md#landed-cost.
 */
import { type ExchangeRate, findExchangeRate, fromEuro, toEuro } from '../customs/data/exchange-rate.ts'
import type { ClearanceFeeRow } from '../customs/data/row-types/fees.ts'
import { movementBetween } from '../customs/data/territory.ts'
import type { DutiesEstimate } from '../customs/estimate/estimate.ts'
import { describeDataSet, sentences } from '../customs/estimate/explain/text.ts'
import { isSentFrom } from '../customs/estimate/route.ts'
import { centsOf, compare, type Exact, exactOf, largerOf, smallerOf, times } from '../customs/exact.ts'
import { formatPercent } from '../customs/tariff/duty-text.ts'
import { rateOf } from '../customs/tariff/measure.ts'
import { decimal } from '../quantity.ts'
import { isInForce } from '../validity.ts'

/**
 * A fee on one shipment. It is 0 and not `computed` if its currency has no exchange rate, or if it depends on charges
 * that could not be estimated.
 */
export type ClearanceFee = {
  readonly row: ClearanceFeeRow
  readonly amountCents: number
  readonly computed: boolean
  /** The rate, the data set with its date, or why there is no amount. */
  readonly description: string
}

/** The carrier's product, and the country that the goods are imported to. */
export type ClearedShipment = {
  readonly carrierCode: string
  readonly productId: string
  readonly destination: string
}

/** The fees on goods that enter the customs area of the destination. Empty for other goods. */
export function clearanceFees(duties: Duties, shipment: ClearedShipment): readonly ClearanceFee[] {
  const { consignment } = duties
  const rows = consignment.tables.clearanceFees.get(shipment.carrierCode) ?? []
  if (rows.length === 0 || movementBetween(consignment.from, consignment.to) !== 'import') return []
  const fees = new Map<string, ClearanceFee>()
  for (const row of rows) {
    if (fees.has(row.fee) || !fits(duties, shipment, row)) continue
    fees.set(row.fee, feeBy(duties, row))
  }
  return [...fees.values()]
}

type Duties = Pick<DutiesEstimate, 'consignment' | 'estimateCents' | 'complete'>

function fits(
  { consignment, estimateCents, complete }: Duties,
  { productId, destination }: ClearedShipment,
  row: ClearanceFeeRow,
): boolean {
  const { to, date, recipient } = consignment
  if (!isInForce(row, date) || (row.product !== '' && row.product !== productId)) return false
  if (row.recipient !== 'any' && row.recipient !== recipient) return false
  const places = [destination, to.code, ...to.customsAreas]
  if (row.destinations.length > 0 && !row.destinations.some((place) => places.includes(place))) return false
  if (!isSentFrom(consignment, row.sentFrom)) return false
  // If a charge could not be calculated, the fee may be due.
  if (estimateCents === 0 && complete && dependsOnCharges(row)) return false
  return isInRange(consignment, row)
}

function dependsOnCharges({ kind, onlyIfCharged }: ClearanceFeeRow): boolean {
  return kind === 'share_of_charges' || onlyIfCharged
}

/** Without an exchange rate, the bounds cannot be compared, and the fee is listed without an amount. */
function isInRange(consignment: Duties['consignment'], row: ClearanceFeeRow): boolean {
  const rate = rateFor(consignment, row)
  if (rate === undefined) return true
  const value = fromEuro(consignment.goodsValue, rate)
  if (row.valueAbove !== '' && compare(value, amountOf(row.valueAbove)) <= 0) return false
  return row.valueUpTo === '' || compare(value, amountOf(row.valueUpTo)) <= 0
}

function rateFor({ tables, date }: Duties['consignment'], row: ClearanceFeeRow): ExchangeRate | undefined {
  return findExchangeRate(tables.exchangeRates, row.currency, date)
}

function feeBy({ consignment, estimateCents, complete }: Duties, row: ClearanceFeeRow): ClearanceFee {
  const rate = rateFor(consignment, row)
  const describe = (remark: string): string =>
    sentences(`${feeText(row)}.`, remark, row.note, describeDataSet(consignment, row.dataSet, row.confidence))
  const uncharged = (reason: string): ClearanceFee => ({
    row,
    amountCents: 0,
    computed: false,
    description: describe(reason),
  })
  if (rate === undefined) return uncharged(`No exchange rate is loaded for ${row.currency}.`)
  if (estimateCents === 0 && dependsOnCharges(row))
    return uncharged('It depends on duties and taxes that could not be estimated.')
  const isTooLow = !complete && row.kind === 'share_of_charges'
  return {
    row,
    amountCents: centsOf(toEuro(amountIn(row, fromEuro(exactOf(estimateCents, 2), rate)), rate)),
    computed: true,
    description: describe(isTooLow ? 'It may be higher, because the estimate is not complete.' : ''),
  }
}

/** In the currency of the fee. `charges`: the duties and taxes. */
function amountIn({ kind, amount, ratePpm, minimum, maximum }: ClearanceFeeRow, charges: Exact): Exact {
  switch (kind) {
    case 'fixed':
      return amountOf(amount)
    case 'share_of_charges': {
      const share = times(charges, rateOf(ratePpm ?? 0))
      const raised = minimum === '' ? share : largerOf(share, amountOf(minimum))
      return maximum === '' ? raised : smallerOf(raised, amountOf(maximum))
    }
  }
}

/** "GBP 8.5"; "2.5% of the estimated duties and taxes, at least EUR 12" */
function feeText({ kind, currency, amount, ratePpm, minimum, maximum }: ClearanceFeeRow): string {
  switch (kind) {
    case 'fixed':
      return `${currency} ${amount} per shipment`
    case 'share_of_charges': {
      const least = minimum === '' ? '' : `, at least ${currency} ${minimum}`
      const most = maximum === '' ? '' : `, at most ${currency} ${maximum}`
      return `${formatPercent(ratePpm ?? 0)} of the estimated duties and taxes${least}${most}`
    }
  }
}

/** At most six decimals. */
function amountOf(text: string): Exact {
  return exactOf(decimal(text, 6), 6)
}
