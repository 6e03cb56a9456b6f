/** The landed cost of options in the schema's shape. */

import type { RateOption } from '../../core/rating/quote.ts'
import { badgesOf, type RateBadge } from '../../core/rating/selection.ts'
import type { LandedCost } from '../../operations/landed-cost.ts'
import { type Pause, presentInTurns, SEVERAL } from '../context.ts'
import type { ResolversParentTypes } from '../generated.ts'
import { presentEstimate } from './duties.ts'
import { presentDeclined, presentOption } from './rates.ts'
import { presentMoney, type Typed, typed } from './typed.ts'

type Presented = ResolversParentTypes['LandedCost'] & Pick<Typed<LandedCost>, '__typename'>

/** The landed cost for `LandedCostResult`; an option may have 99 items in full detail. */
export function presentLandedCost(landed: LandedCost, pause: Pause): Presented {
  const { kind, tariffVersion, options, filteredOut, declined } = landed
  const badges = badgesOf(options.map(({ rate }) => rate))
  return typed({
    kind,
    tariffVersion,
    options: () => presentInTurns(pause, options, SEVERAL, (option) => presentLanded(option, badges, pause)),
    filteredOut,
    declined: declined.map(presentDeclined),
  })
}

function presentLanded(
  { rate, duties, goodsCents, totalCents }: LandedCost['options'][number],
  badges: ReadonlyMap<RateOption, readonly RateBadge[]>,
  pause: Pause,
): ResolversParentTypes['LandedCostOption'] {
  return {
    rate: presentOption(rate, badges.get(rate) ?? []),
    duties: presentEstimate(duties, pause),
    goods: presentMoney(goodsCents),
    total: presentMoney(totalCents),
  }
}
