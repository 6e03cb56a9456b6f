/**
 * What a data set changes in the totals of requests, before it is published. The same requests are priced without and
 * with the set, by the rules of the same day. See docs/customs-data.md#try-a-set.
 */
import type { DutiesEstimate } from '../estimate/estimate.ts'

/** A request that was priced twice. Amounts are in cents of a euro. */
export type TriedRequest = {
  /** The id of a kept estimate, or the name of the request in its file. */
  readonly request: string
  /** "CN → DE". */
  readonly lane: string
  readonly oldTotalCents: number
  readonly newTotalCents: number
  readonly differenceCents: number
  readonly wasComplete: boolean
  readonly isComplete: boolean
}

export type Trial = {
  readonly requests: number
  /** Requests whose total or completeness changes. */
  readonly changed: number
  readonly unchanged: number
  /** Requests that are not complete with the set, and those that are complete only without it. */
  readonly incomplete: number
  readonly newlyIncomplete: number
  readonly oldTotalCents: number
  readonly newTotalCents: number
  readonly differenceCents: number
  /** The changed requests, the largest difference first. */
  readonly changes: readonly TriedRequest[]
}

type Priced = Pick<DutiesEstimate, 'estimateCents' | 'complete'>

/** The prices of one request. */
export function triedRequest(
  { request, lane }: Pick<TriedRequest, 'request' | 'lane'>,
  before: Priced,
  after: Priced,
): TriedRequest {
  return {
    request,
    lane,
    oldTotalCents: before.estimateCents,
    newTotalCents: after.estimateCents,
    differenceCents: after.estimateCents - before.estimateCents,
    wasComplete: before.complete,
    isComplete: after.complete,
  }
}

export function summarizeTrial(tried: readonly TriedRequest[]): Trial {
  const changes = tried
    .filter(isChanged)
    .sort((a, b) => Math.abs(b.differenceCents) - Math.abs(a.differenceCents))
  const sum = (amountOf: (one: TriedRequest) => number): number =>
    tried.reduce((total, one) => total + amountOf(one), 0)
  return {
    requests: tried.length,
    changed: changes.length,
    unchanged: tried.length - changes.length,
    incomplete: tried.filter(({ isComplete }) => !isComplete).length,
    newlyIncomplete: tried.filter(({ wasComplete, isComplete }) => wasComplete && !isComplete).length,
    oldTotalCents: sum(({ oldTotalCents }) => oldTotalCents),
    newTotalCents: sum(({ newTotalCents }) => newTotalCents),
    differenceCents: sum(({ differenceCents }) => differenceCents),
    changes,
  }
}

function isChanged({ differenceCents, wasComplete, isComplete }: TriedRequest): boolean {
  return differenceCents !== 0 || wasComplete !== isComplete
}
