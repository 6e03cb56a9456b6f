/** What new fuel percentages change, and which changes an operator has to confirm. See docs/rate-cards.md#fuel. */
import { percentText } from '../../rating/explain/figure-text.ts'
import type { FuelRate } from '../../rating/rate-card.ts'

/** The percentage of a day before and after a change, in basis points. Undefined: no percentage applies. */
export type FuelChange = Omit<FuelRate, 'rateBps'> & {
  readonly beforeBps: number | undefined
  readonly afterBps: number | undefined
}

type FuelKey = Pick<FuelRate, 'carrierCode' | 'code'>

/** Larger changes are confirmed. */
const [MAX_POINTS_BPS, MAX_RELATIVE_PERCENT] = [500, 30]

/** The percentage of a carrier and code on a day. */
export function fuelOn(rates: readonly FuelRate[], key: FuelKey, day: string): number | undefined {
  let latest: FuelRate | undefined
  for (const rate of rates)
    if (isSameFuel(rate, key) && rate.validFrom <= day && (latest?.validFrom ?? '') <= rate.validFrom)
      latest = rate
  return latest?.rateBps
}

export function isSameFuel(one: FuelKey, other: FuelKey): boolean {
  return one.carrierCode === other.carrierCode && one.code === other.code
}

/**
 * What `added` changes on the first day of each of its rates, earliest first. Each rate is compared with `rates` and
 * with the earlier ones of `added`.
 */
export function fuelChanges(rates: readonly FuelRate[], added: readonly FuelRate[]): FuelChange[] {
  const known = [...rates]
  const earliestFirst = [...added].sort((a, b) =>
    a.validFrom < b.validFrom ? -1 : a.validFrom > b.validFrom ? 1 : 0,
  )
  return earliestFirst.map((rate) => {
    const { rateBps, ...key } = rate
    const beforeBps = fuelOn(known, key, key.validFrom)
    known.push(rate)
    return { ...key, beforeBps, afterBps: rateBps }
  })
}

/** What removing the rate of a day changes. */
export function fuelRemoval(rates: readonly FuelRate[], removed: FuelRate): FuelChange {
  const { rateBps, ...key } = removed
  const others = rates.filter((rate) => !(isSameFuel(rate, key) && rate.validFrom === key.validFrom))
  return { ...key, beforeBps: rateBps, afterBps: fuelOn(others, key, key.validFrom) }
}

/** Why a change has to be confirmed. `surcharges` are the fuel surcharges of all rate cards. */
export function fuelWarnings(change: FuelChange, today: string, surcharges: readonly FuelKey[]): string[] {
  const { carrierCode, code, validFrom, beforeBps = 0, afterBps } = change
  if (change.beforeBps === afterBps) return []
  const points = afterBps === undefined ? 0 : Math.abs(afterBps - beforeBps)
  const isLargeShare = change.beforeBps !== undefined && points * 100 > beforeBps * MAX_RELATIVE_PERCENT
  const reasons = [
    ...(afterBps === undefined ? ['no percentage applies'] : []),
    ...(points > MAX_POINTS_BPS
      ? ['a change of more than 5 points']
      : isLargeShare
        ? [`a change of more than ${MAX_RELATIVE_PERCENT}%`]
        : []),
    ...(validFrom < today ? ['prices of past days change'] : []),
    ...(surcharges.some((key) => isSameFuel(key, change)) ? [] : ['no surcharge uses this code']),
  ]
  return reasons.map(
    (reason) => `${carrierCode} ${code} from ${validFrom}, ${fuelChangeText(change)}: ${reason}`,
  )
}

/** "10.25% -> 102.5%". */
export function fuelChangeText({ beforeBps, afterBps }: Pick<FuelChange, 'beforeBps' | 'afterBps'>): string {
  return [beforeBps, afterBps].map((bps) => (bps === undefined ? 'none' : percentText(bps))).join(' -> ')
}
