/**
 * Oracle for the clearance fees of carriers: of each fee, the first row that fits.
 * Rules: docs/graphql.md#landed-cost.
 */

import type { ClearanceFeeRow } from '../../../../src/core/customs/data/row-types/fees.ts'
import { type Consignment, inEuro, unitsPerEuro } from './case.ts'
import { holds } from './code.ts'
import type { OracleEstimate } from './estimate.ts'
import { centsOf, compare, type Fraction, fraction, greater, lesser, ppm, times } from './fraction.ts'
import { isSentFrom } from './threshold.ts'

/** "clearance 850", or "clearance not computed". */
export function oracleClearanceFees(
  consignment: Consignment,
  estimate: OracleEstimate,
  [carrier, product]: readonly [carrier: string, product: string],
): readonly string[] {
  if (consignment.movement !== 'import') return []
  const fitting = consignment.rows.clearanceFees.filter(
    (row) =>
      row.enabled && row.carrier === carrier && ['', product].includes(row.product) && fits(consignment, row),
  )
  const isDue = (row: ClearanceFeeRow): boolean =>
    (row.kind === 'fixed' && !row.onlyIfCharged) || estimate.estimateCents > 0 || !estimate.complete
  const due = fitting.filter(isDue)
  return due
    .filter(({ fee }, index) => due.findIndex((row) => row.fee === fee) === index)
    .map((row) => `${row.fee} ${centsText(consignment, row, estimate)}`)
}

function fits(consignment: Consignment, row: ClearanceFeeRow): boolean {
  const { request, date, to, goodsValue } = consignment
  const places = [request.to.country, to.code, ...to.customsAreas]
  if (!holds(row, date)) return false
  if (row.recipient !== 'any' && row.recipient !== (request.recipient ?? 'individual')) return false
  if (row.destinations.length > 0 && !row.destinations.some((place) => places.includes(place))) return false
  if (row.sentFrom.length > 0 && !row.sentFrom.some((name) => isSentFrom(consignment, name))) return false
  const [above, upTo] = [row.valueAbove, row.valueUpTo].map((amount) =>
    amount === '' ? undefined : inEuro(consignment, amount, row.currency),
  )
  return !(above && compare(goodsValue, above) <= 0) && !(upTo && compare(goodsValue, upTo) > 0)
}

function centsText(
  consignment: Consignment,
  row: ClearanceFeeRow,
  { estimateCents, complete }: OracleEstimate,
): string {
  const dependsOnCharges = row.kind === 'share_of_charges' || row.onlyIfCharged
  if (dependsOnCharges && estimateCents === 0 && !complete) return 'not computed'
  if (unitsPerEuro(consignment.rows, row.currency, consignment.date) === undefined) return 'not computed'
  const amountOf = (text: string): Fraction => inEuro(consignment, text, row.currency)!
  if (row.kind === 'fixed') return String(centsOf(amountOf(row.amount)))
  let amount = times(fraction(estimateCents, 100), ppm(row.ratePpm ?? 0))
  if (row.minimum !== '') amount = greater(amount, amountOf(row.minimum))
  if (row.maximum !== '') amount = lesser(amount, amountOf(row.maximum))
  return String(centsOf(amount))
}
