/** Who pays which part of a landed cost under DAP and DDP. */
import { describe, expect, test } from 'vitest'
import { type CostParts, DELIVERY_TERMS, dueAt, paymentsOf } from '../../../src/core/landed-cost/payment.ts'

const PARTS: CostParts = {
  goodsCents: 5000,
  priceCents: 900,
  insuranceCents: 100,
  dutiesCents: 1884,
  checkoutCents: 1250,
  feeCents: 850,
}

const short = (terms: (typeof DELIVERY_TERMS)[number], parts: CostParts): readonly string[] =>
  paymentsOf(terms, parts).map((one) => Object.values(one).join(' '))

describe('payments', () => {
  const order = ['GOODS RECIPIENT AT_CHECKOUT 5000', 'TRANSPORT RECIPIENT AT_CHECKOUT 900']

  test('DAP: the recipient pays the rest on delivery', () => {
    expect(short('DAP', PARTS)).toEqual([
      ...order,
      'INSURANCE RECIPIENT AT_CHECKOUT 100',
      'DUTIES_AND_TAXES RECIPIENT AT_CHECKOUT 1250',
      'DUTIES_AND_TAXES RECIPIENT ON_DELIVERY 634',
      'CLEARANCE_FEES RECIPIENT ON_DELIVERY 850',
    ])
  })

  test('DDP: the carrier invoices the rest to the sender', () => {
    expect(short('DDP', { ...PARTS, insuranceCents: 0, checkoutCents: 0 })).toEqual([
      ...order,
      'DUTIES_AND_TAXES SENDER INVOICED_TO_SENDER 1884',
      'CLEARANCE_FEES SENDER INVOICED_TO_SENDER 850',
    ])
  })

  test('add up to the total by moment and by payer', () => {
    const total = 5000 + 900 + 100 + 1884 + 850
    for (const terms of DELIVERY_TERMS) {
      const payments = paymentsOf(terms, PARTS)
      const moments = ['AT_CHECKOUT', 'ON_DELIVERY', 'INVOICED_TO_SENDER'] as const
      expect(moments.reduce((sum, moment) => sum + dueAt(payments, moment), 0)).toBe(total)
      const paidBy = (payer: string): number =>
        payments.filter((one) => one.payer === payer).reduce((sum, { amountCents }) => sum + amountCents, 0)
      expect(paidBy('SENDER') + paidBy('RECIPIENT')).toBe(total)
      expect(paidBy('SENDER')).toBe(terms === 'DAP' ? 0 : 634 + 850)
    }
  })
})
