/** What new fuel figures change, and which changes an operator has to confirm. See docs/fuel.md. */
import { groupBy } from '../../group-by.ts'
import { fuelText } from '../../rating/explain/fuel.ts'
import type { FuelInForce } from '../../rating/fuel/fuel-table.ts'
import type { FuelRate, FuelUnit } from '../../rating/rate-card.ts'

/** The figure of a day before and after a change, as in `FuelRate`. Undefined: no figure applies. */
export type FuelChange = Omit<FuelRate, 'rateBps' | 'per'> & {
  readonly beforeBps: number | undefined
  readonly beforePer?: FuelUnit
  readonly afterBps: number | undefined
  readonly afterPer?: FuelUnit
}

type FuelKey = Pick<FuelRate, 'carrierCode' | 'code'>

/** Larger changes are confirmed. */
const [MAX_POINTS_BPS, MAX_RELATIVE_PERCENT] = [500, 30]

/** The figure of a carrier and code on a day. */
export function fuelOn(rates: readonly FuelInForce[], key: FuelKey, day: string): FuelInForce | undefined {
  let latest: FuelInForce | undefined
  for (const rate of rates)
    if (isSameFuel(rate, key) && rate.validFrom <= day && (latest?.validFrom ?? '') <= rate.validFrom)
      latest = rate
  return latest
}

export function isSameFuel(one: FuelKey, other: FuelKey): boolean {
  return one.carrierCode === other.carrierCode && one.code === other.code
}

/**
 * What `added` changes on the first day of each of its rates, earliest first. Each rate is compared with `figures` and
 * with the earlier ones of `added`.
 */
export function fuelChanges(figures: readonly FuelInForce[], added: readonly FuelRate[]): FuelChange[] {
  const known = [...figures]
  const earliestFirst = [...added].sort((a, b) =>
    a.validFrom < b.validFrom ? -1 : a.validFrom > b.validFrom ? 1 : 0,
  )
  return earliestFirst.map((rate) => {
    const before = fuelOn(known, rate, rate.validFrom)
    known.push(rate)
    return changeOf(rate, before, rate)
  })
}

function changeOf(
  { carrierCode, code, validFrom }: Omit<FuelRate, 'rateBps'>,
  before: FuelInForce | undefined,
  after: FuelInForce | undefined,
): FuelChange {
  return {
    carrierCode,
    code,
    validFrom,
    beforeBps: before?.rateBps,
    ...(before?.per !== undefined && { beforePer: before.per }),
    afterBps: after?.rateBps,
    ...(after?.per !== undefined && { afterPer: after.per }),
  }
}

/** The first days on which the figures of `after` differ from those of `before`, by carrier and code. */
export function fuelDifferences(before: readonly FuelInForce[], after: readonly FuelInForce[]): FuelChange[] {
  const bySurcharge = (figures: readonly FuelInForce[]): ReadonlyMap<string, FuelInForce[]> =>
    groupBy(figures, ({ carrierCode, code }) => JSON.stringify([carrierCode, code]))
  const [old, now] = [bySurcharge(before), bySurcharge(after)]
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((surcharge) => {
    const [was, becomes] = [old.get(surcharge) ?? [], now.get(surcharge) ?? []]
    const known = new Map([...was, ...becomes].map((figure) => [figure.validFrom, figure]))
    const changes = [...known.values()].map((figure) =>
      changeOf(figure, fuelOn(was, figure, figure.validFrom), fuelOn(becomes, figure, figure.validFrom)),
    )
    const earliestFirst = changes.sort((a, b) => (a.validFrom < b.validFrom ? -1 : 1))
    return earliestFirst.filter(
      (change, at) => isChange(change) && !isSameChange(change, earliestFirst[at - 1]),
    )
  })
}

/** A change that continues on a later day is listed once. */
function isSameChange(one: FuelChange, other: FuelChange | undefined): boolean {
  return other !== undefined && fuelChangeText(one) === fuelChangeText(other)
}

/** False if a change leaves the figure as it is. */
export function isChange(change: FuelChange): boolean {
  return change.beforeBps !== change.afterBps || change.beforePer !== change.afterPer
}

/** The change if the figure of a day is removed. `remaining` are all other figures. */
export function fuelRemoval(remaining: readonly FuelInForce[], removed: FuelRate): FuelChange {
  return changeOf(removed, removed, fuelOn(remaining, removed, removed.validFrom))
}

/** Why a change has to be confirmed. `surcharges` are the fuel surcharges of all rate cards. */
export function fuelWarnings(change: FuelChange, today: string, surcharges: readonly FuelKey[]): string[] {
  const { carrierCode, code, validFrom, beforeBps = 0, afterBps } = change
  if (!isChange(change)) return []
  const isOtherKind =
    change.beforeBps !== undefined && afterBps !== undefined && change.beforePer !== change.afterPer
  // Figures of different kinds cannot be compared.
  const points = afterBps === undefined || isOtherKind ? 0 : Math.abs(afterBps - beforeBps)
  const isLargeShare = change.beforeBps !== undefined && points * 100 > beforeBps * MAX_RELATIVE_PERCENT
  const reasons = [
    ...(afterBps === undefined ? ['no figure applies'] : []),
    ...(isOtherKind ? ['a figure of another kind'] : []),
    ...(points > MAX_POINTS_BPS && change.afterPer === undefined
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
export function fuelChangeText({ beforeBps, beforePer, afterBps, afterPer }: FuelChange): string {
  const before = { rateBps: beforeBps, ...(beforePer !== undefined && { per: beforePer }) }
  return `${fuelText(before)} -> ${fuelText({ rateBps: afterBps, ...(afterPer !== undefined && { per: afterPer }) })}`
}
