/** Resolver of `landedCost`: rates, each with its duties and taxes. */
import { landedCost } from '../../operations/landed-cost.ts'
import type { QueryResolvers } from '../generated.ts'
import { presentInputProblem } from '../presenters/input-problem.ts'
import { presentLandedCost } from '../presenters/landed-cost.ts'
import { codeFinder, itemInput } from './duties.ts'
import { ratesInput, selectionInput } from './rates.ts'

export const landedCostQueries: Required<Pick<QueryResolvers, 'landedCost'>> = {
  landedCost: async (_root, { input }, { ports, caller, loaders, pause }) => {
    const { rates, contentItems, insuranceCost, preferences } = input
    await pause()
    const tools = { find: codeFinder(loaders), pause }
    const outcome = await landedCost(ports, caller, tools, {
      rates: ratesInput(rates),
      selection: selectionInput(rates),
      contentItems: contentItems.map(itemInput),
      insurance: insuranceCost,
      preferences,
    })
    switch (outcome.kind) {
      case 'LandedCost':
        return presentLandedCost(outcome, pause)
      case 'InputProblem':
        return presentInputProblem(outcome)
    }
  },
}
