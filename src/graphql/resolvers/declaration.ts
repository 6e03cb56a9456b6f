/** The resolver of `customsDeclaration`. */
import { declareCustoms } from '../../operations/declare-customs.ts'
import type { QueryResolvers } from '../generated.ts'
import { presentDeclaration } from '../presenters/declaration.ts'
import { presentInputProblem } from '../presenters/typed.ts'
import { codeFinder, itemInput } from './duties.ts'
import { placeInput, recipientInput } from './rates.ts'

export const declarationQueries: Required<Pick<QueryResolvers, 'customsDeclaration'>> = {
  customsDeclaration: async (_root, { input }, { ports, caller, loaders }) => {
    const { from, to, items, recipientType, shippingCost, insuranceCost, ...rest } = input
    const outcome = await declareCustoms(
      ports,
      caller,
      {
        ...rest,
        from: placeInput(from),
        to: placeInput(to),
        items: items.map(({ goods, ...product }) => ({ ...product, goods: itemInput(goods) })),
        recipientType: recipientInput(recipientType),
        shippingCost: shippingCost?.amount,
        insurance: insuranceCost?.amount,
      },
      codeFinder(loaders),
    )
    switch (outcome.kind) {
      case 'CustomsDeclaration':
        return presentDeclaration(outcome)
      case 'InputProblem':
        return presentInputProblem(outcome)
    }
  },
}
