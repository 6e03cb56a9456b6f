/** Converts a landed cost to the types of the schema. */
import type { RateOption } from '../../core/rating/quote.ts'
import { badgesOf, type RateBadge } from '../../core/rating/selection.ts'
import type { LandedCost } from '../../operations/landed-cost.ts'
import { LINES_PER_TURN, type Pause, presentInTurns } from '../context.ts'
import type { ResolversParentTypes } from '../generated.ts'
import { presentEstimate } from './duties.ts'
import { presentDeclined, presentOption } from './rates.ts'
import { presentMoney, type Typed, typed } from './typed.ts'

type Presented = ResolversParentTypes['LandedCost'] & Pick<Typed<LandedCost>, '__typename'>

export function presentLandedCost(landedCost: LandedCost, pause: Pause): Presented {
  const { kind, rateCardVersions, options, filteredOut, declined } = landedCost
  const badges = badgesOf(options.map(({ rate }) => rate))
  return typed({
    kind,
    rateCardVersions,
    // An option may have 99 items in full detail.
    options: () =>
      presentInTurns(pause, options, LINES_PER_TURN, (option) => presentLandedOption(option, badges, pause)),
    filteredOut,
    declined: declined.map(presentDeclined),
  })
}

function presentLandedOption(
  { rate, duties, goodsCents, totalCents }: LandedCost['options'][number],
  badges: ReadonlyMap<RateOption, readonly RateBadge[]>,
  pause: Pause,
): ResolversParentTypes['LandedCostOption'] {
  return {
    rateOption: presentOption(rate, badges.get(rate) ?? []),
    duties: presentEstimate(duties, pause),
    goodsValue: presentMoney(goodsCents),
    total: presentMoney(totalCents),
  }
}
