/**
 * Who pays which part of a landed cost, and when, under the terms DAP and DDP of Incoterms 2020. The price of transport
 * is part of the order. What the seller does not collect at the checkout is paid by the recipient on delivery (DAP), or
 * invoiced to the sender (DDP). See docs/import-schemes.md#who-pays.
 */

export const DELIVERY_TERMS = ['DAP', 'DDP'] as const

export type DeliveryTerms = (typeof DELIVERY_TERMS)[number]

export type Payment = {
  readonly purpose: 'GOODS' | 'TRANSPORT' | 'INSURANCE' | 'DUTIES_AND_TAXES' | 'CLEARANCE_FEES'
  readonly payer: 'SENDER' | 'RECIPIENT'
  readonly moment: 'AT_CHECKOUT' | 'INVOICED_TO_SENDER' | 'ON_DELIVERY'
  readonly amountCents: number
}

/** The parts of a landed cost, in cents. */
export type CostParts = {
  readonly goodsCents: number
  readonly priceCents: number
  readonly insuranceCents: number
  readonly dutiesCents: number
  /** The part of the duties that the seller collects. */
  readonly checkoutCents: number
  readonly feeCents: number
}

/** The payments that are not zero. They add up to the sum of the parts. */
export function paymentsOf(terms: DeliveryTerms, parts: CostParts): readonly Payment[] {
  const order = { payer: 'RECIPIENT', moment: 'AT_CHECKOUT' } as const
  const later =
    terms === 'DAP'
      ? ({ payer: 'RECIPIENT', moment: 'ON_DELIVERY' } as const)
      : ({ payer: 'SENDER', moment: 'INVOICED_TO_SENDER' } as const)
  const { goodsCents, priceCents, insuranceCents, dutiesCents, checkoutCents, feeCents } = parts
  const payments: readonly Payment[] = [
    { purpose: 'GOODS', ...order, amountCents: goodsCents },
    { purpose: 'TRANSPORT', ...order, amountCents: priceCents },
    { purpose: 'INSURANCE', ...order, amountCents: insuranceCents },
    { purpose: 'DUTIES_AND_TAXES', ...order, amountCents: checkoutCents },
    { purpose: 'DUTIES_AND_TAXES', ...later, amountCents: dutiesCents - checkoutCents },
    { purpose: 'CLEARANCE_FEES', ...later, amountCents: feeCents },
  ]
  return payments.filter(({ amountCents }) => amountCents !== 0)
}

/** The sum of the payments at one moment, in cents. */
export function dueAt(payments: readonly Payment[], moment: Payment['moment']): number {
  let sum = 0
  for (const payment of payments) if (payment.moment === moment) sum += payment.amountCents
  return sum
}
