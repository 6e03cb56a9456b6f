/** The resolver of `createCheckoutToken`. */
import { createCheckoutToken } from '../../operations/create-checkout-token.ts'
import type { MutationResolvers } from '../generated.ts'
import { parcelsIn } from '../parcels.ts'
import { presentInputProblem, typed } from '../presenters/typed.ts'
import { itemInput } from './duties.ts'
import { ratesInput } from './rates.ts'

export const checkoutMutations = {
  createCheckoutToken: async (_root, { input }, { ports, caller }) => {
    const { publishableKey, rates, bindCountry, contentItems, expiresInMinutes } = input
    const outcome = await createCheckoutToken(ports, caller, {
      publishableKey,
      rates: ratesInput(rates),
      bindCountry,
      contentItems: contentItems?.map(itemInput),
      expiresInMinutes,
    })
    switch (outcome.kind) {
      case 'CheckoutToken':
        return typed(outcome)
      case 'InputProblem':
        return presentInputProblem(outcome, parcelsIn(rates.parcels).list)
    }
  },
} satisfies Required<Pick<MutationResolvers, 'createCheckoutToken'>>
