/** Failing rounds of the sweeper. docs/operations.md#health-checks */
import { expect, test } from 'vitest'
import type { Alert } from '../../src/operations/ports/ports.ts'
import { openSweepHealth } from '../../src/operations/sweep/sweep-health.ts'

function openHealth() {
  const [alerts, faults, recoveries]: [Alert[], unknown[], number[]] = [[], [], []]
  const clock = { now: 1_000 }
  const health = openSweepHealth(
    {
      monotonicMs: () => clock.now,
      alert: (alert) => void alerts.push(alert),
      reportFault: (error) => void faults.push(error),
    },
    (failedMs) => void recoveries.push(failedMs),
  )
  return { health, clock, alerts, faults, recoveries }
}

test('rounds that fail for a minute raise one alert, which ends with the first that succeeds', () => {
  const { health, clock, alerts, faults, recoveries } = openHealth()
  health.succeeded()
  for (clock.now = 2_000; clock.now < 62_000; clock.now += 1_000)
    health.failed(new Error('canceling statement'))
  expect([alerts, faults.length]).toEqual([[], 1])
  expect(health.status()).toEqual({ sinceSuccessMs: 61_000, failingMs: 60_000 })
  health.failed(new Error('canceling statement'))
  clock.now += 30_000
  health.failed('out of memory')
  expect(alerts).toEqual([
    { kind: 'SWEEP_FAILING', detail: 'rounds have failed for 60 s; last: canceling statement' },
  ])
  expect(faults).toHaveLength(1)
  clock.now += 1_000
  health.succeeded()
  expect(recoveries).toEqual([91_000])
  expect(health.status()).toEqual({ sinceSuccessMs: 0, failingMs: 0 })
  // A later failure counts from its own beginning.
  health.failed(new Error('again'))
  clock.now += 59_000
  health.failed(new Error('again'))
  expect([alerts.length, faults.length]).toEqual([1, 2])
  clock.now += 1_000
  health.failed(new Error('again'))
  expect(alerts).toHaveLength(2)
})

test('a short failure raises no alert and has no end in the log', () => {
  const { health, clock, alerts, recoveries } = openHealth()
  health.failed(new Error('connection refused'))
  clock.now += 59_999
  health.succeeded()
  expect([alerts, recoveries]).toEqual([[], []])
})

test('a round that does not end raises one alert, and the failure that ends it is reported', () => {
  const { health, clock, alerts, faults, recoveries } = openHealth()
  health.check()
  health.began()
  clock.now += 59_999
  health.check()
  expect([alerts, health.status().failingMs]).toEqual([[], 0])
  clock.now += 1
  health.check()
  clock.now += 10_000
  health.check()
  expect(alerts).toEqual([{ kind: 'SWEEP_FAILING', detail: 'a round has not ended for 60 s' }])
  expect(health.status()).toEqual({ sinceSuccessMs: 70_000, failingMs: 70_000 })
  health.failed(new Error('timeout'))
  expect([alerts.length, faults.length]).toEqual([1, 1])
  health.began()
  health.succeeded()
  expect(recoveries).toEqual([70_000])
  // Between rounds nothing hangs.
  clock.now += 600_000
  health.check()
  expect(alerts).toHaveLength(1)
})

test('rounds that fail and succeed in turn raise no alert', () => {
  const { health, clock, alerts, recoveries } = openHealth()
  for (let count = 0; count < 100; count += 1) {
    clock.now += 30_000
    if (count % 2 === 0) health.failed(new Error('deadlock'))
    else health.succeeded()
  }
  expect([alerts, recoveries]).toEqual([[], []])
})
