/**
 * Oracle for contracts by zone, weight and turnover, and for prices at a margin. It searches rows, and calculates each
 * line from the documentation. Rules: docs/rate-cards.md#contracts and #buy-and-sell.
 */
import type { ContractRow, DiscountRow, TurnoverRow } from '../../../../src/core/rating/contract.ts'
import type { MarginRow } from '../../../../src/core/rating/margin.ts'
import type { PriceCell } from '../../../../src/core/rating/price-cell.ts'
import type { RateCardContent } from '../../../../src/core/rating/rate-card.ts'
import type { Parcel } from '../../../../src/core/rating/request.ts'
import type { OracleLine } from './charges.ts'
import {
  halfUp,
  inGrams,
  type OracleProduct,
  oracleFreight,
  oracleShipmentGrams,
  oracleWeight,
} from './freight.ts'

/** What an account has agreed for a product: the rows that apply to it on the day, the narrowest and newest first. */
export type OracleAgreement = { readonly rows: readonly ContractRow[]; readonly turnoverCents: number }

/** The latest turnover with the carrier, or else with all carriers. 0 if none is known. */
export function oracleTurnover(
  turnovers: readonly TurnoverRow[],
  accountId: string | undefined,
  carrierCode: string,
  date: string,
): number {
  const begun = turnovers
    .filter((row) => row.accountId === accountId && row.validFrom <= date)
    .sort((a, b) => (a.validFrom < b.validFrom ? 1 : -1))
  const row =
    begun.find((other) => other.carrierCode === carrierCode) ??
    begun.find((other) => other.carrierCode === undefined)
  return row?.turnoverCents ?? 0
}

function holds({ zones, overGrams, upToGrams }: PriceCell, zone: number, grams: number): boolean {
  if (zones !== undefined && !zones.includes(zone)) return false
  if (grams <= overGrams && overGrams > 0) return false
  return upToGrams === undefined || grams <= upToGrams
}

function width({ zones, overGrams, upToGrams }: PriceCell): number {
  const hasBand = overGrams > 0 || upToGrams !== undefined
  if (zones === undefined) return hasBand ? 3 : 4
  return hasBand ? 1 : 2
}

type Change = { readonly bps: number; readonly source: ContractRow | DiscountRow }

/** The change of the freight or of a surcharge for a zone and a weight. */
function changeAt(
  { rows, turnoverCents }: OracleAgreement,
  appliesTo: string,
  zone: number,
  grams: number,
): Change | undefined {
  for (const row of rows) {
    const [best] = (row.discounts ?? [])
      .filter((discount) => discount.appliesTo === appliesTo && discount.turnoverCents <= turnoverCents)
      .filter((discount) => holds(discount, zone, grams))
      .sort((a, b) => width(a) - width(b) || b.turnoverCents - a.turnoverCents)
    if (best !== undefined) return { bps: best.bps, source: best }
    if (appliesTo === 'freight' && row.freightBps !== undefined) return { bps: row.freightBps, source: row }
  }
  return undefined
}

/** The lines after the freight: one for each change, then what the freight is short of the minimum. */
export function oracleFreightChanges(
  agreement: OracleAgreement,
  card: RateCardContent,
  terms: OracleProduct,
  zone: number,
  parcels: readonly Parcel[],
): readonly OracleLine[] {
  const isPerUnit = ['parcel', 'pallet-class', 'size-class'].includes(terms.pricingBasis)
  const parts = isPerUnit
    ? parcels.map((unit) => ({ grams: oracleWeight(terms, unit).chargeableGrams, units: [unit] }))
    : [{ grams: oracleShipmentGrams(terms, parcels), units: parcels }]
  const amounts = new Map<ContractRow | DiscountRow, { readonly bps: number; readonly cents: number }>()
  let freight = 0
  for (const { grams, units } of parts) {
    const cents = oracleFreight(card, terms, zone, units)
    if (typeof cents === 'string') throw new Error(`no price for a part of a priced shipment: ${cents}`)
    freight += cents
    const change = changeAt(agreement, 'freight', zone, inGrams(terms, grams))
    if (change === undefined || change.bps === 0) continue
    const known = amounts.get(change.source)?.cents ?? 0
    amounts.set(change.source, { bps: change.bps, cents: known + cents })
  }
  const lines = [...amounts.values()].map(({ bps, cents }) => ({
    item: bps < 0 ? 'Contract discount' : 'Contract surcharge',
    amountCents: halfUp(BigInt(cents) * BigInt(bps), 10_000n),
  }))
  const net = freight + lines.reduce((sum, { amountCents }) => sum + amountCents, 0)
  const minimum = agreement.rows.find(({ minimumCents }) => minimumCents !== undefined)?.minimumCents ?? 0
  return net < minimum ? [...lines, { item: 'Minimum net charge', amountCents: minimum - net }] : lines
}

/** The line after that of a surcharge. */
export function oracleSurchargeChange(
  agreement: OracleAgreement,
  terms: OracleProduct,
  zone: number,
  parcels: readonly Parcel[],
  code: string,
  line: OracleLine,
): OracleLine | undefined {
  const change = changeAt(agreement, code, zone, inGrams(terms, oracleShipmentGrams(terms, parcels)))
  if (change === undefined || change.bps === 0) return undefined
  return {
    item: `Contract ${change.bps < 0 ? 'discount' : 'surcharge'} on ${line.item}`,
    amountCents: halfUp(BigInt(line.amountCents) * BigInt(change.bps), 10_000n),
  }
}

/**
 * The margin of a product: of the rows of the account, and of those for all accounts unless `isAccountOnly`. `margins`
 * are the rows for the product.
 */
export function oracleMargin(
  margins: readonly MarginRow[],
  date: string,
  zone: number,
  grams: number,
  accountId: string | undefined,
  isAccountOnly: boolean,
): MarginRow | undefined {
  const scope = (row: MarginRow): number =>
    (row.accountId === undefined ? 10 : 0) +
    (row.productId !== undefined ? 0 : row.carrierCode !== undefined ? 1 : 2)
  const [row] = margins
    .filter((margin) => (margin.accountId === undefined ? !isAccountOnly : margin.accountId === accountId))
    .filter((margin) => margin.validFrom <= date && (margin.validTo === undefined || date < margin.validTo))
    .filter((margin) => holds(margin, zone, grams))
    .sort(
      (a, b) =>
        scope(a) - scope(b) ||
        (a.validFrom === b.validFrom ? 0 : a.validFrom < b.validFrom ? 1 : -1) ||
        width(a) - width(b),
    )
  return row
}

export function oracleSale(row: MarginRow, costCents: number): number {
  const exact = BigInt(costCents) * BigInt(10_000 + row.percentBps) + BigInt(row.amountCents) * 10_000n
  const least = row.minimumCents === 0 ? 0 : costCents + row.minimumCents
  let price = Math.max(halfUp(exact, 10_000n), least)
  if (row.endingCents !== undefined) while (price % 100 !== row.endingCents) price += 1
  return price
}
