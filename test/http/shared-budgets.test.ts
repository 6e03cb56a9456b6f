/** Budgets that processes share through a store. docs/limits.md#shared-limits */
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { demandCredentials } from '../../src/http/credentials.ts'
import { type Budget, openBudget } from '../../src/http/limits/budget.ts'
import { openSharedBudgets, type SharedBudgets } from '../../src/http/limits/shared-budgets.ts'
import type { Allowance } from '../../src/operations/ports/work.ts'
import { type MemorySpending, memorySpending } from '../support/limits/memory-spending.ts'

const WINDOW_MS = 60_000

let store: MemorySpending
let events: string[]
let opened: SharedBudgets[]

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  store = memorySpending(() => performance.now())
  events = []
  opened = []
})
afterEach(async () => {
  const closing = Promise.all(opened.map((shared) => shared.close()))
  await vi.advanceTimersByTimeAsync(2_000)
  await closing
  vi.useRealTimers()
})

type Process = { readonly shared: SharedBudgets; readonly budget: Budget }

/** A process with one budget of its own on the store. */
function openProcess(limit: number, id = 'requests'): Process {
  const shared = openSharedBudgets(store, {
    onLost: (error) => events.push(`lost: ${(error as Error).message}`),
    onLasting: () => events.push('lasting'),
    onAvailable: () => events.push('available'),
  })
  opened.push(shared)
  return { shared, budget: shared.share(id, openBudget({ limit, windowMs: WINDOW_MS })) }
}

const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds)

/** Spends single units at the processes in turn. Returns how many were admitted. */
async function spendInTurn(
  processes: readonly Process[],
  attempts: number,
  everyMs: number,
): Promise<number> {
  let admitted = 0
  for (let nth = 0; nth < attempts; nth++) {
    if (processes[nth % processes.length]!.budget.spend('key') === undefined) admitted++
    await pass(everyMs)
  }
  return admitted
}

describe('processes with one store', () => {
  test('admit one limit together, and less than a block of 2% more for each of them', async () => {
    const processes = [openProcess(1_000), openProcess(1_000)]
    // A block is 20 units, and a process admits at most 4 units during an exchange and the pause before it.
    const admitted = await spendInTurn(processes, 3_000, 2)
    expect(admitted).toBeGreaterThanOrEqual(1_000)
    expect(admitted).toBeLessThanOrEqual(1_000 + 2 * (19 + 4))
  })

  test('exceed the limit only by blocks and by what they admit during an exchange', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ at: fc.integer({ min: 0, max: 2 }), units: fc.integer({ min: 1, max: 4 }) }), {
          minLength: 200,
          maxLength: 300,
        }),
        fc.integer({ min: 1, max: 20 }),
        async (steps, latencyMs) => {
          store = memorySpending(() => performance.now())
          store.latencyMs = latencyMs
          const processes = [openProcess(200), openProcess(200), openProcess(200)]
          let admitted = 0
          for (const { at, units } of steps) {
            if (processes[at]!.budget.spend('key', units) === undefined) admitted += units
            await pass(1)
          }
          // A block is 4 units. At most 4 units are spent in a millisecond, by one of the three. An exchange may have
          // begun just before, and another one follows after 5 milliseconds.
          expect(admitted).toBeLessThanOrEqual(200 + 3 * 3 + 4 * (2 * latencyMs + 6))
        },
      ),
      { numRuns: 20 },
    )
  })

  test('know what others have spent within a second, also below a block', async () => {
    const [first, second] = [openProcess(1_000), openProcess(1_000)]
    first.budget.spend('key', 5)
    await pass(1_010)
    second.budget.spend('key', 1)
    await pass(1_010)
    expect(second.budget.state('key').remaining).toBe(994)
  })

  test('count the units of others for a window after the end of their slot', async () => {
    const [first, second] = [openProcess(100), openProcess(100)]
    first.budget.spend('key', 100)
    await pass(20)
    // Learns it with its own first block.
    second.budget.spend('key', 3)
    await pass(20)
    const wait = second.budget.spend('key') ?? 0
    expect(wait).toBeGreaterThanOrEqual(60)
    expect(wait).toBeLessThanOrEqual(66)
    await pass(55_000)
    expect(second.budget.spend('key')).toBeGreaterThan(0)
    await pass(12_000)
    expect(second.budget.spend('key', 97)).toBeUndefined()
  })

  test('keep budgets and names apart', async () => {
    const [first, second] = [openProcess(10), openProcess(10, 'points')]
    first.budget.spend('key', 10)
    second.budget.spend('key', 4)
    await pass(50)
    expect(second.budget.state('key').remaining).toBe(6)
    expect(first.budget.spend('other', 10)).toBeUndefined()
  })

  test('know at once what other processes spent before they started', async () => {
    const first = openProcess(100)
    first.budget.spend('key', 90)
    await pass(20)
    const second = openProcess(100)
    expect(second.budget.spend('key', 9)).toBeUndefined()
    await pass(20)
    expect(second.budget.spend('key', 9)).toBeGreaterThan(0)
  })
})

describe('an exchange', () => {
  test('has at most 500 names, which are digests, and others follow later', async () => {
    const { budget } = openProcess(100)
    for (let nth = 0; nth < 1_200; nth++) budget.spend(`192.0.2.1 ${'long '.repeat(20)}${nth}`)
    await pass(2_000)
    const sent = store.exchanges.filter((spendings) => spendings.length > 0)
    expect(sent.map((spendings) => spendings.length)).toEqual([500, 500, 200])
    expect(new Set(sent.flat().map(({ name }) => name)).size).toBe(1_200)
    for (const { name } of sent.flat()) expect(name).toMatch(/^[\w-]{22}$/)
  })

  test('has names of each budget, so that one with many names does not delay or displace the others', async () => {
    const { budget, shared } = openProcess(100, 'failures')
    const keys = shared.share('requests', openBudget({ limit: 100, windowMs: WINDOW_MS }))
    for (let nth = 0; nth < 60_000; nth++) budget.spend(`invented ${nth}`)
    keys.spend('key')
    await pass(1_100)
    const other = openProcess(100)
    other.budget.spend('key', 3)
    await pass(50)
    expect(other.budget.state('key').remaining).toBe(96)
    await pass(60_000)
    const sent = store.exchanges.flat()
    // 20,000 names wait at most, and the one of the other budget.
    expect(new Set(sent.map(({ name }) => name)).size).toBe(20_001)
  })

  test('is not repeated for each unit: a name that spends its limit causes about 50', async () => {
    const { budget } = openProcess(1_000)
    for (let nth = 0; nth < 1_000; nth++) {
      budget.spend('key')
      await pass(10)
    }
    expect(store.exchanges.length).toBeLessThan(70)
  })

  test('happens every five seconds while nothing is spent', async () => {
    openProcess(1_000)
    await pass(30_000)
    expect(store.exchanges.length).toBe(5)
    expect(new Set(store.exchanges.map((spendings) => spendings.length))).toEqual(new Set([0]))
  })

  test('sends what is left when the process ends', async () => {
    const { budget, shared } = openProcess(1_000)
    budget.spend('key', 2)
    const closing = shared.close()
    await pass(10)
    await closing
    expect(store.exchanges.at(-1)).toMatchObject([{ units: 2 }])
  })
})

describe('a store that is not available', () => {
  test('leaves each process with what it knows, and is reported once', async () => {
    const processes = [openProcess(100), openProcess(100)]
    await spendInTurn(processes, 60, 10)
    await pass(1_000)
    store.latencyMs = undefined
    // Both continue: together they have used 60, so each has 40 left, and 2 more that the other had not told.
    const admitted = await spendInTurn(processes, 300, 10)
    expect(admitted).toBeGreaterThan(60)
    expect(admitted).toBeLessThanOrEqual(84)
    await pass(10_000)
    expect(events.toSorted()).toEqual([
      ...['lasting', 'lasting', 'lost: no connection', 'lost: no connection'],
    ])
  })

  test('gets the units of the last minute when it returns, and frees no budget if it has lost the others', async () => {
    const [first, second] = [openProcess(100), openProcess(100)]
    first.budget.spend('key', 50)
    await pass(20)
    store.latencyMs = undefined
    first.budget.spend('key', 20)
    await pass(5_000)
    store.clear()
    store.latencyMs = 1
    await pass(3_000)
    expect(events).toContain('available')
    expect(first.budget.state('key').remaining).toBe(30)
    second.budget.spend('key', 3)
    await pass(50)
    expect(second.budget.state('key').remaining).toBe(77)
  })

  test('does not get units that no longer count', async () => {
    const { budget } = openProcess(100)
    await pass(10)
    store.latencyMs = undefined
    budget.spend('key', 60)
    await pass(70_000)
    store.latencyMs = 1
    await pass(3_000)
    expect(store.exchanges.at(-1)).toEqual([])
    expect(budget.spend('key', 100)).toBeUndefined()
  })

  test('gets the units of the last minute also after a longer outage, but none before', async () => {
    const [first, second] = [openProcess(1_000), openProcess(1_000)]
    await pass(10)
    store.latencyMs = undefined
    first.budget.spend('key', 400)
    for (let second = 0; second < 124; second++) {
      first.budget.spend('key', 4)
      await pass(1_000)
    }
    store.latencyMs = 1
    await pass(3_000)
    second.budget.spend('key', 20)
    await pass(50)
    // 240 units of the last 60 seconds, of which the first half may be missing.
    const { remaining } = second.budget.state('key')
    expect(remaining).toBeLessThanOrEqual(980 - 120)
    expect(remaining).toBeGreaterThanOrEqual(980 - 240)
  })

  test('keeps no places for units that no longer count', async () => {
    const { budget } = openProcess(1_000)
    const other = openProcess(1_000)
    await pass(10)
    store.latencyMs = undefined
    for (let nth = 0; nth < 20_000; nth++) budget.spend(`invented ${nth}`)
    await pass(70_000)
    budget.spend('key', 100)
    store.latencyMs = 1
    await pass(3_000)
    other.budget.spend('key', 20)
    await pass(50)
    expect(other.budget.state('key').remaining).toBe(880)
  })

  test('that loses its answers counts units twice at most, however often it is tried', async () => {
    const { budget, shared } = openProcess(1_000)
    await pass(10)
    store.losesAnswers = true
    budget.spend('key', 100)
    await pass(20_000)
    expect(shared.isAvailable()).toBe(false)
    store.losesAnswers = false
    await pass(3_000)
    expect(shared.isAvailable()).toBe(true)
    expect(budget.state('key').remaining).toBeGreaterThanOrEqual(800)
  })

  test('is asked once a second, and holds nobody up', async () => {
    const { budget } = openProcess(1_000)
    await pass(10)
    store.latencyMs = undefined
    budget.spend('key', 500)
    await pass(10)
    const before = store.exchanges.length
    expect(budget.confirm?.('key', 500)).toBeUndefined()
    await pass(5_000)
    expect(store.exchanges.length - before).toBe(5)
  })

  test('counts as lost when it does not answer within a second', async () => {
    const { budget, shared } = openProcess(1_000)
    store.latencyMs = Number.POSITIVE_INFINITY
    budget.spend('key', 500)
    await pass(900)
    expect(shared.isAvailable()).toBe(true)
    await pass(200)
    expect(events).toEqual(['lost: no answer within 1000 ms'])
    expect(shared.isAvailable()).toBe(false)
  })
})

describe('a confirmation', () => {
  test('admits expensive work of two processes only once if the budget has room for one', async () => {
    const processes = [openProcess(1_000), openProcess(1_000)]
    const confirming = processes.map(async ({ budget }) => {
      expect(budget.spend('key', 900)).toBeUndefined()
      return budget.confirm?.('key', 900)
    })
    await pass(100)
    const waits = await Promise.all(confirming)
    expect(waits.filter((wait) => wait === undefined).length).toBe(1)
    await pass(100)
    // The refused one has given its points back.
    expect(processes[1]!.budget.spend('key', 100)).toBeUndefined()
    expect(await Promise.all([processes[1]!.budget.confirm?.('key', 100), pass(100)])).toEqual([
      undefined,
      expect.anything(),
    ])
  })

  test('of several operations of one process shares exchanges', async () => {
    const { budget } = openProcess(10_000)
    const confirming = Array.from({ length: 9 }, () => {
      budget.spend('key', 1_000)
      return budget.confirm?.('key', 1_000)
    })
    await pass(100)
    expect(await Promise.all(confirming)).toEqual(Array(9).fill(undefined))
    expect(store.exchanges.length).toBe(1)
  })

  test('takes at most 50 milliseconds, and then none is made until the store is fast again', async () => {
    const { budget } = openProcess(10_000)
    store.latencyMs = 400
    budget.spend('key', 500)
    let isSettled = false
    const confirming = budget.confirm?.('key', 500)?.then((wait) => {
      isSettled = true
      return wait
    })
    await pass(49)
    expect(isSettled).toBe(false)
    await pass(2)
    expect(isSettled).toBe(true)
    expect(await confirming).toBeUndefined()
    budget.spend('key', 500)
    expect(budget.confirm?.('key', 500)).toBeUndefined()
    store.latencyMs = 1
    await pass(2_000)
    budget.spend('key', 500)
    expect(budget.confirm?.('key', 500)).toBeInstanceOf(Promise)
    await pass(100)
  })
})

test('a web page that its address refuses after an exchange gives the points of the key back, too', async () => {
  const key = {
    keyId: 'pk_abcdefghijklmnopq',
    caller: {},
    secretDigests: [],
    publishable: { origins: ['https://shop.test'] },
  }
  const ports = {
    credentials: { findKey: () => key, isKnown: () => true, noteUse: () => {} },
    ...{ secrets: { matches: () => false }, clock: () => new Date(0), checkoutTokens: {} },
  }
  const limits = { requestsPerMinute: 600, pointsPerMinute: 10_000, failuresPerMinute: 10 }
  const allowances = [1, 2].map((): Allowance => {
    const shared = openSharedBudgets(store, { onLost() {}, onLasting() {}, onAvailable() {} })
    opened.push(shared)
    const request = {
      ...{ ip: '192.0.2.1', routeOptions: { config: { access: 'key' } } },
      raw: { rawHeaders: ['X-PP-API', key.keyId], headers: { origin: 'https://shop.test' } },
    } as unknown as FastifyRequest
    demandCredentials(ports as never, limits, { replicas: shared })(request, {} as FastifyReply, () => {})
    return request.allowance
  })
  // The address has 1,000 points.
  const confirming = allowances.map((allowance) => {
    expect(allowance.charge(900)).toBeUndefined()
    return allowance.confirm?.(900)
  })
  await pass(100)
  const waits = await Promise.all(confirming)
  expect(waits.filter((wait) => wait === undefined)).toHaveLength(1)
  await pass(2_000)
  const name = createHash('sha256').update(`points ${key.keyId}`).digest('base64url').slice(0, 22)
  const exchanging = store.exchange([{ name, units: 0 }])
  await pass(10)
  const spent = (await exchanging).get(name) ?? []
  expect(spent.reduce((sum, { units }) => sum + units, 0)).toBe(900)
})
