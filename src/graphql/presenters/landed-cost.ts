/** Presents landed cost: the options of a quote with duties and taxes. */
import { dueAt } from '../../core/landed-cost/payment.ts'
import type { LandedCost } from '../../operations/landed-cost.ts'
import type { ResolversParentTypes } from '../generated.ts'
import { presentEstimate } from './duties.ts'
import { type Badges, presentOption } from './rates.ts'
import { presentMoney, type Typed } from './typed.ts'

type PresentedLandedCost = ResolversParentTypes['LandedCost'] & Pick<Typed<LandedCost>, '__typename'>

export function presentLandedCost(landedCost: LandedCost): PresentedLandedCost {
  const { kind, rateCardVersions, filteredOut } = landedCost
  return { __typename: kind, rateCardVersions, filteredOut, landedCost }
}

export function presentLandedOption(
  landedOption: LandedCost['options'][number],
  badges: Badges,
): ResolversParentTypes['LandedCostOption'] {
  const { rate, duties, goodsCents, insuranceCents, clearanceFees, totalCents, payments } = landedOption
  return {
    rateOption: presentOption(rate, badges),
    duties: presentEstimate(duties),
    goodsValue: presentMoney(goodsCents),
    insuranceCost: presentMoney(insuranceCents),
    clearanceFees: clearanceFees.map(({ row, amountCents, description, computed }) => ({
      name: row.name,
      amount: presentMoney(amountCents),
      description,
      calculated: computed,
    })),
    total: presentMoney(totalCents),
    landedOption,
    dueAtCheckout: presentMoney(dueAt(payments, 'AT_CHECKOUT')),
    dueOnDelivery: presentMoney(dueAt(payments, 'ON_DELIVERY')),
    invoicedToSender: presentMoney(dueAt(payments, 'INVOICED_TO_SENDER')),
    payments: payments.map(({ purpose, payer, moment, amountCents }) => ({
      purpose,
      payer,
      moment,
      amount: presentMoney(amountCents),
    })),
  }
}
