/** Maintenance of the sweeper that fails. docs/operations.md#alerts */
import { expect, test } from 'vitest'
import type { Alert } from '../../src/operations/ports/ports.ts'
import { MAINTENANCE_FAILING_MS, openMaintenance } from '../../src/operations/sweep/maintenance.ts'

function opened() {
  const [alerts, faults, done]: [Alert[], unknown[], string[]] = [[], [], []]
  const clock = { now: 1_000 }
  const failures = new Map<string, Error>()
  const work = (name: string) => ({
    name,
    run: async () => {
      const failure = failures.get(name)
      if (failure !== undefined) throw failure
      done.push(name)
    },
  })
  const maintain = openMaintenance(
    {
      monotonicMs: () => clock.now,
      alert: (alert) => void alerts.push(alert),
      reportFault: (error) => void faults.push(error),
    },
    [work('the first work'), work('the second work'), work('the third work')],
  )
  return { maintain, alerts, faults, done, clock, failures }
}

test('work that fails does not stop the other work, and is reported once', async () => {
  const { maintain, alerts, faults, done, failures } = opened()
  const [one, three] = [new Error('no disk'), new Error('locked')]
  failures.set('the first work', one).set('the third work', three)
  for (let times = 0; times < 2; times += 1) await maintain()
  expect([done, faults, alerts]).toEqual([['the second work', 'the second work'], [one, three], []])
})

test('work that fails for ten minutes raises one alert, which names it, until it has succeeded', async () => {
  const { maintain, alerts, faults, clock, failures } = opened()
  const failFor = async (milliseconds: number) => {
    failures.set('the second work', new Error('statement timeout'))
    const end = clock.now + milliseconds
    for (; clock.now < end; clock.now += 30_000) await maintain()
    clock.now = end
    await maintain()
  }
  await failFor(MAINTENANCE_FAILING_MS - 1)
  expect([alerts, faults.length]).toEqual([[], 1])
  failures.clear()
  await maintain()
  await failFor(MAINTENANCE_FAILING_MS - 1)
  expect([alerts, faults.length]).toEqual([[], 2])
  await failFor(20 * 60_000)
  expect(alerts).toEqual([
    {
      kind: 'MAINTENANCE_FAILING',
      detail: 'the second work has failed for 10 minutes; last: statement timeout',
    },
  ])
  failures.clear()
  await maintain()
  await failFor(MAINTENANCE_FAILING_MS)
  expect(alerts).toHaveLength(2)
})
