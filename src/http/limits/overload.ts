/**
 * Refuses requests with 503 while the processor is overloaded. The measures are how long requests of the account wait
 * for their turns, and the delay of the event loop. An account is refused because of its own waiting requests only, so
 * other accounts are still served. Signed routes are not refused for this reason. See docs/limits.md#overload, and D127
 * in docs/decisions/security.md.
 */
import type { FastifyInstance } from 'fastify'
import { sendOverloaded } from '../faults.ts'
import type { TurnScheduler, Waits } from './turns.ts'

export type OverloadLimits = {
  /**
   * Requests of an account are refused if its earlier ones wait this long for their first turn, outside an overload.
   */
  readonly overloadWaitMs: number
}

/**
 * With fewer waiting requests, an account is not refused. The limit for requests that have not started is higher,
 * because each of them waits for one turn, and a started request may need many.
 */
const MIN_UNSTARTED = 8
const MIN_STARTED = 3

type WaitLimits = Pick<Waits, 'firstTurnMs' | 'laterTurnMs'>

/** The waits from which an account is refused. A short burst of requests stays below them. */
function burstLimits(overloadWaitMs: number): WaitLimits {
  return { firstTurnMs: overloadWaitMs, laterTurnMs: 2 * overloadWaitMs }
}

/** The limits for an account that was refused within the last CALM_MS, and for all accounts while the loop is late. */
function overloadLimits(overloadWaitMs: number): WaitLimits {
  return { firstTurnMs: 0.4 * overloadWaitMs, laterTurnMs: overloadWaitMs }
}

/** How long an account must not be refused until the burst limits apply again. */
const CALM_MS = 1_000

/** How often the delay of the event loop is measured. */
const SAMPLE_MS = 50

/** The loop is late once its delay has been at least LATE_MS for LATE_AFTER_MS, until it is below ON_TIME_MS. */
const LATE_MS = 100
const LATE_AFTER_MS = 200
const ON_TIME_MS = 50

/** An overload has ended when no request was refused for this long. Also limits the log lines about overload. */
const QUIET_MS = 5_000

export type LoopDelay = {
  observe(delayMs: number, at: number): void
  isLate(): boolean
}

/** Decides whether the event loop is late. A single long delay, such as a garbage collection, does not count. */
export function loopDelay(): LoopDelay {
  let lateSince: number | undefined
  let isLate = false
  return {
    observe(delayMs, at) {
      if (delayMs < ON_TIME_MS) isLate = false
      if (delayMs < LATE_MS) lateSince = undefined
      else lateSince ??= at
      if (lateSince !== undefined && at - lateSince >= LATE_AFTER_MS) isLate = true
    },
    isLate: () => isLate,
  }
}

/** Decides which accounts are refused. `at` is a monotonic time in milliseconds. */
export function overloadControl(
  waits: (account: string) => Waits,
  isLoopLate: () => boolean,
  overloadWaitMs: number,
) {
  const inBurst = burstLimits(overloadWaitMs)
  const inOverload = overloadLimits(overloadWaitMs)
  /** By account, oldest first. */
  const refusedAt = new Map<string, number>()
  return {
    refuses(account: string, at: number): boolean {
      if (refusedAt.size > 0) forgetCalm(refusedAt, at)
      const limits = isLoopLate() || refusedAt.has(account) ? inOverload : inBurst
      const { unstarted, started, firstTurnMs, laterTurnMs } = waits(account)
      const areFirstTurnsLate = unstarted >= MIN_UNSTARTED && firstTurnMs >= limits.firstTurnMs
      const areLaterTurnsLate = started >= MIN_STARTED && laterTurnMs >= limits.laterTurnMs
      if (!areFirstTurnsLate && !areLaterTurnsLate) return false
      refusedAt.delete(account)
      refusedAt.set(account, at)
      return true
    },
  }
}

/** Drops the accounts that were not refused for CALM_MS. */
function forgetCalm(refusedAt: Map<string, number>, at: number): void {
  for (const [name, time] of refusedAt) {
    if (at - time < CALM_MS) return
    refusedAt.delete(name)
  }
}

/** Reports the start and the end of an overload. Call `check` regularly. */
export function overloadReport(log: Pick<FastifyInstance['log'], 'info' | 'warn'>) {
  let current: { readonly since: number; last: number; refused: number } | undefined
  return {
    refused(sender: string, waits: Waits, isLoopLate: boolean, at: number): void {
      if (current === undefined)
        log.warn(
          { event: 'overload.began', sender, ...rounded(waits), isLoopLate },
          'overload: requests are refused with 503',
        )
      current ??= { since: at, last: at, refused: 0 }
      current.last = at
      current.refused++
    },
    check(at: number): void {
      if (current === undefined || at - current.last < QUIET_MS) return
      const { since, last, refused } = current
      log.info(
        { event: 'overload.ended', refused, durationMs: Math.round(last - since) },
        'the overload has ended',
      )
      current = undefined
    },
  }
}

function rounded(waits: Waits): Waits {
  const { firstTurnMs, laterTurnMs } = waits
  return { ...waits, firstTurnMs: Math.round(firstTurnMs), laterTurnMs: Math.round(laterTurnMs) }
}

/** Adds the hook. Call it after the hook that checks credentials. */
export function shedOverload(
  app: FastifyInstance,
  turns: Pick<TurnScheduler, 'waits'>,
  { overloadWaitMs }: OverloadLimits,
): void {
  const loop = loopDelay()
  const control = overloadControl(turns.waits, loop.isLate, overloadWaitMs)
  const report = overloadReport(app.log)
  let expectedAt = performance.now() + SAMPLE_MS
  const sampling = setInterval(() => {
    const at = performance.now()
    loop.observe(at - expectedAt, at)
    expectedAt = at + SAMPLE_MS
    report.check(at)
  }, SAMPLE_MS).unref()
  app.addHook('onClose', async () => clearInterval(sampling))

  app.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.config.access !== undefined) return done()
    const at = performance.now()
    if (!control.refuses(request.sender, at)) return done()
    report.refused(request.sender, turns.waits(request.sender), loop.isLate(), at)
    sendOverloaded(reply)
  })
}
