/**
 * Overload in simulated time: the scheduler of turns with the control of overload, on a clock that the work advances.
 * `npm run test:overload` measures a real service.
 */
import { expect, test } from 'vitest'
import { overloadControl } from '../../src/http/limits/overload.ts'
import { turnScheduler } from '../../src/http/limits/turns.ts'
import { DEFAULT_LIMITS } from '../../src/http/server.ts'
import type { StopReason } from '../../src/operations/ports/work.ts'

/** Reading a request and refusing it. */
const READ_MS = 0.3
const DEADLINE_MS = 5_000
const SECONDS = 10

/** An account that sends a request of `workMs` every `everyMs`. */
type Load = { readonly account: string; readonly everyMs: number; readonly workMs: number }

type Result = { served: number; refused: number; stopped: number; longestMs: number }

async function simulate(loads: readonly Load[]) {
  let now = 0
  const scheduler = turnScheduler(() => now)
  const control = overloadControl(scheduler.waits, () => false, DEFAULT_LIMITS.overloadWaitMs)
  const results = new Map<string, Result>(
    loads.map(({ account }) => [account, { served: 0, refused: 0, stopped: 0, longestMs: 0 }]),
  )
  const nextAt = new Map(loads.map(({ account }) => [account, 0]))
  let running = 0

  const work = async (result: Result, { account, workMs }: Load, arrivedAt: number): Promise<void> => {
    const stopped = (): StopReason | undefined => (now > arrivedAt + DEADLINE_MS ? 'deadline' : undefined)
    const turns = scheduler.turnsFor(account, stopped)
    try {
      for (let doneMs = 0; doneMs < workMs; doneMs++) {
        if (turns.over()) await turns.next()
        now++
      }
      result.served++
      result.longestMs = Math.max(result.longestMs, now - arrivedAt)
    } catch {
      result.stopped++
    }
    running--
  }
  const arrive = (load: Load, arrivedAt: number): void => {
    const result = results.get(load.account)!
    now += READ_MS
    if (control.refuses(load.account, now)) {
      result.refused++
      return
    }
    running++
    scheduler.enter(load.account, () => {
      void work(result, load, arrivedAt)
      return false
    })
  }
  while (now < SECONDS * 1_000) {
    for (const load of loads)
      for (let at = nextAt.get(load.account)!; at <= now; at += load.everyMs) {
        arrive(load, at)
        nextAt.set(load.account, at + load.everyMs)
      }
    const before = now
    await new Promise((resolve) => setImmediate(resolve))
    if (now === before) now++
  }
  const endedAt = now
  while (running > 0) await new Promise((resolve) => setImmediate(resolve))
  return { results, drainedAfterMs: now - endedAt, control, endedAt }
}

test.each([
  ['small batches', 8, 1_000],
  ['large requests', 60, 2_000],
  ['the largest operations', 1_000, DEADLINE_MS],
])('at three times the capacity with %s, the capacity is served and the rest refused', async (_name, workMs, longestMs) => {
  const heavy = { account: 'heavy', everyMs: workMs / 3, workMs }
  const light = { account: 'light', everyMs: 50, workMs: 1 }
  const { results, drainedAfterMs, control, endedAt } = await simulate([heavy, light])
  const [hog, other] = [results.get('heavy')!, results.get('light')!]
  // Requests that were still running at the end count as served.
  expect((hog.served * workMs) / (SECONDS * 1_000)).toBeGreaterThan(0.8)
  expect(hog.refused).toBeGreaterThan(0)
  expect(hog.stopped).toBe(0)
  expect(hog.longestMs).toBeLessThan(longestMs)
  expect(other).toMatchObject({ refused: 0, stopped: 0 })
  expect(other.longestMs).toBeLessThan(60)
  expect(drainedAfterMs).toBeLessThan(DEADLINE_MS)
  expect(control.refuses('heavy', endedAt + drainedAfterMs)).toBe(false)
})

test('many small requests are served beside large requests of another account', async () => {
  const { results } = await simulate([
    { account: 'heavy', everyMs: 100, workMs: 200 },
    { account: 'light', everyMs: 3, workMs: 1 },
  ])
  const light = results.get('light')!
  expect(light).toMatchObject({ refused: 0, stopped: 0 })
  expect(light.longestMs).toBeLessThan(60)
})

test('below the capacity, nothing is refused', async () => {
  const { results } = await simulate([
    { account: 'a', everyMs: 20, workMs: 8 },
    { account: 'b', everyMs: 500, workMs: 200 },
  ])
  for (const result of results.values()) expect(result).toMatchObject({ refused: 0, stopped: 0 })
})
