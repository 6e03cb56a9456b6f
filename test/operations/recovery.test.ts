/** The timing of the sweeper's rounds. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { startSweeper } from '../../src/operations/sweep/sweep.ts'
import { answers, shipmentWorld } from './shipment-world.ts'

describe('the rounds of the sweeper', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  function counting() {
    const world = shipmentWorld([], answers())
    const ports = world.process()
    const rounds: number[] = []
    const reports: number[] = []
    let failures = 0
    ports.recovery.dueWork = async () => {
      rounds.push(Date.now())
      if (failures-- > 0) throw new Error('database down')
      return []
    }
    ports.recovery.overdueAttempts = async () => {
      reports.push(rounds.length)
      return []
    }
    return { world, ports, rounds, reports, fail: (times: number) => (failures = times) }
  }

  test('run after a random pause of half a second to a second and a half', async () => {
    const { world, ports, rounds } = counting()
    const chances = [0, 1, 0.5]
    const startedAt = Date.now()
    const sweeper = startSweeper({ ...ports, random: () => chances.shift() ?? 0 }, world.policy)
    await vi.advanceTimersByTimeAsync(3_500)
    expect(rounds.map((at) => at - startedAt)).toEqual([500, 2_000, 3_000, 3_500])
    await sweeper.stop()
  })

  test('continue after a failure, which is reported once until a round succeeds', async () => {
    const { world, ports, rounds, fail } = counting()
    const sweeper = startSweeper(ports, world.policy)
    fail(5)
    await vi.advanceTimersByTimeAsync(5_000)
    expect(rounds).toHaveLength(10)
    expect(ports.faults).toEqual([new Error('database down')])
    fail(2)
    await vi.advanceTimersByTimeAsync(5_000)
    expect(rounds).toHaveLength(20)
    expect(ports.faults).toHaveLength(2)
    await sweeper.stop()
  })

  test('check for overdue work in the first round and then in every thirtieth', async () => {
    const { world, ports, reports } = counting()
    const sweeper = startSweeper(ports, world.policy)
    await vi.advanceTimersByTimeAsync(31_000)
    expect(reports).toEqual([1, 31, 61])
    await sweeper.stop()
  })

  test('erase what is old enough, in batches, if the operator has set an age', async () => {
    const { world, ports } = counting()
    const calls: [number, number][] = []
    const erased = [500, 500, 3]
    ports.recovery.eraseShipments = async (olderThanDays, limit) => {
      calls.push([olderThanDays, limit])
      return erased.shift() ?? 0
    }
    const never = startSweeper(ports, world.policy)
    await vi.advanceTimersByTimeAsync(2_000)
    await never.stop()
    expect(calls).toEqual([])
    const sweeper = startSweeper(ports, { ...world.policy, eraseAfterDays: 400 })
    await vi.advanceTimersByTimeAsync(2_000)
    expect(calls).toEqual([
      [400, 500],
      [400, 500],
      [400, 500],
    ])
    await sweeper.stop()
  })

  test('raise an alert if one does not end, but not during a stop', async () => {
    const { world, ports } = counting()
    let finish: () => void = () => {}
    ports.recovery.dueWork = () =>
      new Promise((resolve) => {
        finish = () => resolve([])
      })
    const sweeper = startSweeper({ ...ports, monotonicMs: () => Date.now() }, world.policy)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(ports.alerts).toEqual([])
    await vi.advanceTimersByTimeAsync(60_000)
    expect(ports.alerts).toEqual([
      { kind: 'SWEEP_FAILING', detail: expect.stringMatching(/^a round has not ended for [67]\d s$/) },
    ])
    finish()
    await vi.advanceTimersByTimeAsync(2_000)
    const stopping = sweeper.stop()
    await vi.advanceTimersByTimeAsync(120_000)
    expect(ports.alerts).toHaveLength(1)
    finish()
    await stopping
  })

  test('never overlap; a stop waits for the running round and prevents further ones', async () => {
    const { world, ports, rounds } = counting()
    let finish: () => void = () => {}
    const { dueWork } = ports.recovery
    ports.recovery.dueWork = async () => {
      await new Promise<void>((resolve) => {
        finish = resolve
      })
      return dueWork(1)
    }
    const sweeper = startSweeper(ports, world.policy)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(rounds).toEqual([])
    let stopped = false
    const stopping = sweeper.stop().then(() => {
      stopped = true
    })
    await vi.advanceTimersByTimeAsync(10_000)
    expect(stopped).toBe(false)
    finish()
    await stopping
    await vi.advanceTimersByTimeAsync(10_000)
    expect(rounds).toHaveLength(1)
  })
})
