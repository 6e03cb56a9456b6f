/** The lines of a price, and what each of them comes from. */

import type { Surcharge } from '../book/surcharge.ts'
import type { ContractRow } from '../contract.ts'
import type { PriceLineKind } from '../rate-card.ts'

/** One item of a price, in cents, rounded once; `reason` says why a surcharge applies. */
export type PriceLine = {
  readonly kind: PriceLineKind
  readonly item: string
  readonly amountCents: number
  readonly reason?: string
  readonly cause: LineCause
}

/** What made a price line; explain.ts puts it in words. */
export type LineCause =
  | { readonly kind: 'freight' }
  | { readonly kind: 'contract'; readonly contract: ContractRow }
  | ApplicableSurcharge
  | { readonly kind: 'insurance' }

/** A triggered surcharge with what the day settles for all products that share it. */
export type ApplicableSurcharge = {
  readonly kind: 'surcharge'
  readonly surcharge: Surcharge
  /** Indexes of the rows whose units it counts; all rows when it counts by shipment. */
  readonly rows: readonly number[]
  /** How many times it is counted: its units, or 1 by shipment. */
  readonly times: number
  /** Basis points of a percentage; undefined for fuel when no rate is set for the day. */
  readonly rateBps: number | undefined
  /** The day from which the fuel rate holds; undefined for other surcharges. */
  readonly fuelSince: string | undefined
  /** The finished line where it comes to the same for every product; undefined where a weight or price decides. */
  readonly flatLine: PriceLine | undefined
}

const NO_FUEL_RATE = 'No fuel rate is set for this day'

/** The line of a surcharge that comes to an amount. */
export function surchargeLine(charge: ApplicableSurcharge, amountCents: number): PriceLine {
  const { kind, name, reason, method } = charge.surcharge
  const isUnknown = method === 'fuel' && charge.rateBps === undefined
  return { kind, item: name, amountCents, reason: isUnknown ? NO_FUEL_RATE : reason, cause: charge }
}
