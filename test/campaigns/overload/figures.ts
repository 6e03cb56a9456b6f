/** What callers saw in one phase, and the requirements that it must meet. */
import { percentile, round } from '../../bench/percentile.ts'

/**
 * One response, or the lack of one. Times in milliseconds from the moment the request was due. `ownMs` is the time that
 * the main thread of the service had a processor meanwhile, for any request.
 */
export type Outcome =
  | { readonly kind: 'served' | 'shed'; readonly ms: number; readonly ownMs?: number }
  /** `reason` is a status, an error code, or a fault of a 503. */
  | { readonly kind: 'failed'; readonly ms: number; readonly reason: string }

export type Figures = {
  readonly offeredPerSecond: number
  readonly servedPerSecond: number
  readonly shedShare: number
  readonly served: Times
  readonly shed: Times
  /** Of served requests: the time that the main thread of the service had a processor meanwhile. */
  readonly own?: Times
  /** Numbers of failures by reason. */
  readonly failures: Readonly<Record<string, number>>
  /** Of the requests that were due in the first second, when connections are opened. Only of an open loop. */
  readonly firstSecond?: { readonly served: Times; readonly shed: Times }
}

export type Times = { readonly p50Ms: number; readonly p99Ms: number; readonly maxMs: number }

export function figuresOf(outcomes: readonly Outcome[], seconds: number): Figures {
  const timesOf = (kind: Outcome['kind']): number[] =>
    outcomes.filter((outcome) => outcome.kind === kind).map(({ ms }) => ms)
  const [served, shed] = [timesOf('served'), timesOf('shed')]
  const own = outcomes.flatMap((outcome) => (outcome.kind === 'served' ? (outcome.ownMs ?? []) : []))
  const failures: Record<string, number> = {}
  for (const outcome of outcomes)
    if (outcome.kind === 'failed') failures[outcome.reason] = (failures[outcome.reason] ?? 0) + 1
  return {
    offeredPerSecond: round(outcomes.length / seconds),
    servedPerSecond: round(served.length / seconds),
    shedShare: Math.round((1_000 * shed.length) / Math.max(1, outcomes.length)) / 1_000,
    served: timesIn(served),
    shed: timesIn(shed),
    ...(own.length > 0 && { own: timesIn(own) }),
    failures,
  }
}

/** The figures of an open loop. `outcomes` are in the order in which the requests were due. */
export function openFiguresOf(outcomes: readonly Outcome[], perSecond: number, seconds: number): Figures {
  const { served, shed } = figuresOf(outcomes.slice(0, Math.round(perSecond)), 1)
  return { ...figuresOf(outcomes, seconds), firstSecond: { served, shed } }
}

function timesIn(values: readonly number[]): Times {
  if (values.length === 0) return { p50Ms: 0, p99Ms: 0, maxMs: 0 }
  return {
    p50Ms: round(percentile(values, 0.5)),
    p99Ms: round(percentile(values, 0.99)),
    maxMs: round(Math.max(...values)),
  }
}

/** The figures of one overload. */
export type Overload = {
  /** Responses per second in a closed loop. */
  readonly capacity: number
  /** How much faster the service would have been on a processor of its own: during the closed loop and the load. */
  readonly slowdown: { readonly closed: number; readonly load: number }
  /**
   * CPU time of the service, all its threads included: per served request of the closed loop, and per refusal of the
   * load.
   */
  readonly cpuMs: { readonly served: number; readonly refused: number }
  readonly factor: number
  readonly load: Figures
  /** Requests of others meanwhile, by name: health checks, scan events, another account. */
  readonly others: Readonly<Record<string, Figures>>
  /** Requests of the same account, sent one after the other from two seconds after the end of the load. */
  readonly afterwards: Figures
}

const MAX_HEALTH_MS = 100
const MAX_SHED_MS = 100
const MIN_GOODPUT = 0.8
/** With more, the measured capacity was too low to compare with. */
const MAX_GOODPUT = 1.2
/** With less load, nothing was tested. */
const MIN_OFFERED = 0.9

/**
 * The share of the capacity that was served during the load. Both are compared as on a processor of its own, because
 * other processes may use the processors more during one of the measurements.
 */
export function goodputOf({
  capacity,
  slowdown,
  load,
}: Pick<Overload, 'capacity' | 'slowdown' | 'load'>): number {
  return (load.servedPerSecond * slowdown.load) / (capacity * slowdown.closed)
}

/**
 * The requirements that were not met. Health checks are judged by the time that the service had a processor, and the
 * limit for refusals is multiplied by its slowdown, because other processes delay both. `slackMs` is added to the
 * limits.
 */
export function violationsOf(
  { capacity, slowdown, factor, load, others, afterwards }: Overload,
  slackMs: number,
): string[] {
  const found: string[] = []
  const check = (isMet: boolean, violation: string): void => {
    if (!isMet) found.push(violation)
  }
  check(
    load.offeredPerSecond >= MIN_OFFERED * factor * capacity,
    `only ${load.offeredPerSecond} requests per second were offered instead of ${round(factor * capacity)}`,
  )
  const goodput = goodputOf({ capacity, slowdown, load })
  check(goodput >= MIN_GOODPUT, `the goodput is ${round(100 * goodput)}% of the capacity`)
  check(goodput <= MAX_GOODPUT, `the goodput is ${round(100 * goodput)}%: the capacity was measured wrongly`)
  check(factor <= 1.5 || load.shedShare > 0, 'no request was refused')
  const maxShedMs = round(MAX_SHED_MS * slowdown.load + slackMs)
  check(
    load.shed.p99Ms <= maxShedMs,
    `the p99 of refusals is ${load.shed.p99Ms} ms, and the limit ${maxShedMs} ms`,
  )
  for (const [reason, count] of Object.entries(load.failures))
    found.push(`${count} requests of the load failed: ${reason}`)
  for (const [name, figures] of Object.entries(others)) {
    check(figures.shedShare === 0, `${name}: ${round(100 * figures.shedShare)}% were refused`)
    for (const [reason, count] of Object.entries(figures.failures))
      found.push(`${name}: ${count} failed: ${reason}`)
    const { p99Ms } = figures.own ?? figures.served
    check(
      !name.startsWith('/') || p99Ms <= MAX_HEALTH_MS + slackMs,
      `${name}: the p99 is ${p99Ms} ms of the service's own time, and the limit ${MAX_HEALTH_MS} ms`,
    )
  }
  check(
    afterwards.shedShare === 0 && Object.keys(afterwards.failures).length === 0,
    `two seconds after the load, not all requests were served: ${JSON.stringify(afterwards)}`,
  )
  return found
}
