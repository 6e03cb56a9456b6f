/** What callers saw in one phase, and the requirements that it must meet. */
import { percentile, round } from '../../bench/percentile.ts'

/** One response, or the lack of one. Times in milliseconds from the moment the request was due. */
export type Outcome =
  | { readonly kind: 'served' | 'shed'; readonly ms: number }
  /** `reason` is a status, an error code, or a fault of a 503. */
  | { readonly kind: 'failed'; readonly ms: number; readonly reason: string }

export type Figures = {
  readonly offeredPerSecond: number
  readonly servedPerSecond: number
  readonly shedShare: number
  readonly served: Times
  readonly shed: Times
  /** Numbers of failures by reason. */
  readonly failures: Readonly<Record<string, number>>
}

export type Times = { readonly p50Ms: number; readonly p99Ms: number; readonly maxMs: number }

export function figuresOf(outcomes: readonly Outcome[], seconds: number): Figures {
  const timesOf = (kind: Outcome['kind']): number[] =>
    outcomes.filter((outcome) => outcome.kind === kind).map(({ ms }) => ms)
  const [served, shed] = [timesOf('served'), timesOf('shed')]
  const failures: Record<string, number> = {}
  for (const outcome of outcomes)
    if (outcome.kind === 'failed') failures[outcome.reason] = (failures[outcome.reason] ?? 0) + 1
  return {
    offeredPerSecond: round(outcomes.length / seconds),
    servedPerSecond: round(served.length / seconds),
    shedShare: Math.round((1_000 * shed.length) / Math.max(1, outcomes.length)) / 1_000,
    served: timesIn(served),
    shed: timesIn(shed),
    failures,
  }
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
 * The requirements that were not met. `slackMs` is added to the limits on time: other processes on the machine can
 * delay the service and its callers.
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
  check(factor <= 1.5 || load.shedShare > 0, 'no request was refused')
  check(
    load.shed.p99Ms <= MAX_SHED_MS + slackMs,
    `the p99 of refusals is ${load.shed.p99Ms} ms, and the limit ${MAX_SHED_MS} ms`,
  )
  for (const [reason, count] of Object.entries(load.failures))
    found.push(`${count} requests of the load failed: ${reason}`)
  for (const [name, figures] of Object.entries(others)) {
    check(figures.shedShare === 0, `${name}: ${round(100 * figures.shedShare)}% were refused`)
    for (const [reason, count] of Object.entries(figures.failures))
      found.push(`${name}: ${count} failed: ${reason}`)
    check(
      !name.startsWith('/') || figures.served.p99Ms <= MAX_HEALTH_MS + slackMs,
      `${name}: the p99 is ${figures.served.p99Ms} ms, and the limit ${MAX_HEALTH_MS} ms`,
    )
  }
  check(
    afterwards.shedShare === 0 && Object.keys(afterwards.failures).length === 0,
    `two seconds after the load, not all requests were served: ${JSON.stringify(afterwards)}`,
  )
  return found
}
