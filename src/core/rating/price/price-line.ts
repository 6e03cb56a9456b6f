/** The lines of a price, each with the rule that it comes from. explain/explain.ts puts the rule into words. */

import type { Surcharge } from '../book/surcharge.ts'
import type { AgreedMinimum, AgreedPercentage } from '../contract.ts'
import type { FuelInForce } from '../fuel/fuel-table.ts'
import type { PriceLineKind } from '../rate-card.ts'
import type { Service } from '../sender-service.ts'

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
  /** A change of the freight, or of the part of it that `baseCents` is. */
  | { readonly kind: 'contract'; readonly change: AgreedPercentage; readonly baseCents: number }
  /** What the freight is short of the minimum. `netCents` is the freight with its changes. */
  | { readonly kind: 'minimum'; readonly minimum: AgreedMinimum; readonly netCents: number }
  | ApplicableSurcharge
  /** A change of the surcharge whose line precedes it. */
  | {
      readonly kind: 'surcharge-discount'
      readonly change: AgreedPercentage
      readonly surcharge: Surcharge
      readonly baseCents: number
    }
  | { readonly kind: 'insurance' }
  /** The whole price of a product that is sold at a margin. Nothing here may tell its cost. */
  | SaleCause

export type SaleCause = {
  readonly kind: 'sale'
  /** The account whose margins apply; undefined: those for all accounts. */
  readonly accountId: string | undefined
  /** True if only the margins that name the account apply, because a rate card sells the product too. */
  readonly isAccountOnly: boolean
  /** The requested services in the price, with their names in the card. */
  readonly services: ReadonlyMap<Service, string>
}

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
