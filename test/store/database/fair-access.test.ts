/** Sharing the connections of a pool between accounts. docs/limits.md#database-connections */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { NotExecuted } from '../../../src/operations/ports/shipments.ts'
import { isOutage } from '../../../src/store/database/outage.ts'
import { accountOfCall, fairAccess, withFairAccess } from '../../../src/store/database/pool/fair-access.ts'

// Statements that a test leaves waiting must not time out in another test.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const SHARES = { places: 3, perAccount: 2, waitingMax: 100, waitMs: 1_000 }

/** Statements that end when the test says so. `started` has their names, in the order in which they were started. */
function statements(shares = SHARES, queue = { waiting: 0 }) {
  const access = fairAccess(shares, queue)
  const started: string[] = []
  const ends: (() => void)[] = []
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  return {
    started,
    run: (account: string, name = account) =>
      access.run(account, () => {
        started.push(name)
        return new Promise<string>((resolve) => {
          ends.push(() => resolve(name))
        })
      }),
    /** Ends the oldest running statement. */
    end: async () => {
      ends.shift()?.()
      await settled()
    },
  }
}

describe('statements of an account', () => {
  test('run at most a few at once, and leave connections for other accounts', async () => {
    const { run, started, end } = statements()
    for (let number = 1; number <= 5; number += 1) run('acme', `acme-${number}`)
    run('bravo')
    expect(started).toEqual(['acme-1', 'acme-2', 'bravo'])
    await end()
    expect(started).toEqual(['acme-1', 'acme-2', 'bravo', 'acme-3'])
  })

  test('that wait are counted until they start or give up', async () => {
    const queue = { waiting: 0 }
    const { run, end } = statements({ ...SHARES, places: 1, perAccount: 1 }, queue)
    const gaveUp = ['acme', 'bravo', 'cargo'].map((account) => run(account).catch(() => 'gave up'))
    expect(queue.waiting).toBe(2)
    await end()
    expect(queue.waiting).toBe(1)
    vi.advanceTimersByTime(SHARES.waitMs)
    await vi.waitFor(() => expect(queue.waiting).toBe(0))
    expect(await gaveUp[2]).toBe('gave up')
  })

  test('that wait are started in rotation, and those of one account in their order', async () => {
    const { run, started, end } = statements({ ...SHARES, places: 1, perAccount: 1 })
    run('first')
    for (const name of ['a1', 'a2', 'a3']) run('a', name)
    for (const name of ['b1', 'b2']) run('b', name)
    run('c', 'c1')
    for (let ended = 0; ended < 6; ended += 1) await end()
    expect(started).toEqual(['first', 'a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
  })

  test('return their results and errors, and free their place in both cases', async () => {
    const access = fairAccess({ ...SHARES, places: 1, perAccount: 1 })
    await expect(access.run('acme', async () => Promise.reject(new Error('deadlock')))).rejects.toThrow(
      'deadlock',
    )
    expect(await access.run('acme', async () => 7)).toBe(7)
  })

  test('are refused if too many of the account wait; others are not', async () => {
    const { run, started, end } = statements({ ...SHARES, waitingMax: 2 })
    for (let number = 1; number <= 4; number += 1) run('acme')
    const refused = run('acme')
    await expect(refused).rejects.toThrow(NotExecuted)
    expect(await refused.catch(isOutage)).toBe(true)
    run('bravo')
    run('charlie')
    expect(started).toEqual(['acme', 'acme', 'bravo'])
    await end()
    await end()
    expect(started).toContain('charlie')
  })

  test('that waited too long are certainly not executed, and are not started later', async () => {
    const { run, started, end } = statements({ ...SHARES, places: 1, perAccount: 1 })
    run('acme', 'running')
    const late = run('acme', 'late')
    const outcome = late.catch((error: unknown) => error)
    vi.advanceTimersByTime(1_000)
    expect(await outcome).toBeInstanceOf(NotExecuted)
    await end()
    run('bravo')
    expect(started).toEqual(['running', 'bravo'])
  })

  test('that waited too long together are refused in different iterations of the event loop', async () => {
    const { run } = statements({ ...SHARES, places: 1, perAccount: 1 })
    run('acme')
    let iteration = 0
    const refusedIn: number[] = []
    const waiting = Array.from({ length: 20 }, () => run('acme').catch(() => refusedIn.push(iteration)))
    vi.advanceTimersByTime(1_000)
    for (; refusedIn.length < 20 && iteration < 100; iteration += 1)
      await new Promise((resolve) => setImmediate(resolve))
    await Promise.all(waiting)
    expect(new Set(refusedIn).size).toBe(20)
  })
})

test('a store with fair access counts each call for the account of its first argument', async () => {
  const counted: string[] = []
  const access = {
    run: <Result>(account: string, statement: () => Promise<Result>) => {
      counted.push(account)
      return statement()
    },
  }
  const store = {
    find: async (accountId: string, id: string) => `${accountId}/${id}`,
    settle: async (ticket: { readonly accountId: string }) => ticket,
    release: async () => 3,
  }
  const fair = withFairAccess(store, access, accountOfCall)
  expect(await fair.find('acme', 'shp_1')).toBe('acme/shp_1')
  await fair.settle({ accountId: 'bravo' })
  expect(await fair.release()).toBe(3)
  expect(counted).toEqual(['acme', 'bravo', ''])
})
