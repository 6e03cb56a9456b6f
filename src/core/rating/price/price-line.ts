/** The lines of a price, each with the rule that it comes from. explain/explain.ts puts the rule into words. */

import type { Surcharge } from '../book/surcharge.ts'
import type { AgreedPercentage } from '../contract.ts'
import type { FuelInForce } from '../fuel/fuel-table.ts'
import type { PriceLineKind } from '../rate-card.ts'

/** One line of a price, rounded to the cent. Surcharges have a `reason`. */
export type PriceLine = {
  readonly kind: PriceLineKind
  readonly item: string
  readonly amountCents: number
  readonly reason?: string
  readonly cause: LineCause
}

export type LineCause =
  | { readonly kind: 'freight' }
  | { readonly kind: 'contract'; readonly change: AgreedPercentage }
  | ApplicableSurcharge
  | { readonly kind: 'insurance' }

/** A triggered surcharge with the figures that are the same for all products of its group. */
export type ApplicableSurcharge = {
  readonly kind: 'surcharge'
  readonly surcharge: Surcharge
  /** Indexes of the parcel rows that it is charged for; all rows if it is charged per shipment. */
  readonly rows: readonly number[]
  /** The number of units that it is charged for; 1 if it is charged per shipment. */
  readonly times: number
  /** The fuel figure of the day; undefined if none is set, and for other methods. */
  readonly fuel: FuelInForce | undefined
  /** The finished line of a flat surcharge, shared by all products; undefined for other methods. */
  readonly flatLine: PriceLine | undefined
}

const NO_FUEL_RATE = 'No fuel rate is set for this day'

export function surchargeLine(charge: ApplicableSurcharge, amountCents: number): PriceLine {
  const { kind, name, reason, method } = charge.surcharge
  const lacksRate = method === 'fuel' && charge.fuel === undefined
  return { kind, item: name, amountCents, reason: lacksRate ? NO_FUEL_RATE : reason, cause: charge }
}
