/** How many calls run concurrently, and which queued call gets a returned slot. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Bulkhead, bulkhead, CALLER_LIMITS } from '../../../src/carriers/gateway/bulkhead.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** Starts calls and records which were admitted, in the order of the decisions. */
function recorder(slots: Bulkhead) {
  const answers: [name: string, entered: boolean][] = []
  const ask = (name: string, accountId = 'acme') =>
    void slots.enter(accountId).then((entered) => answers.push([name, entered]))
  return { answers, ask }
}

/** Waits until pending promises have settled. */
const settle = () => vi.advanceTimersByTimeAsync(0)

describe('the limit on concurrent calls', () => {
  test('admits as many calls as there are slots', async () => {
    const slots = bulkhead({ slots: 2, waitMs: 10 })
    expect(slots.free()).toBe(2)
    expect(await Promise.all([slots.enter('acme'), slots.enter('acme')])).toEqual([true, true])
    expect(slots.free()).toBe(0)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('rejects a call after the maximum wait, and not earlier', async () => {
    const slots = bulkhead({ slots: 1, waitMs: 10 })
    await slots.enter('acme')
    const { answers, ask } = recorder(slots)
    ask('late')
    await vi.advanceTimersByTimeAsync(9)
    expect(answers).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(answers).toEqual([['late', false]])
    expect(slots.free()).toBe(0)
  })

  test('passes a returned slot to the call that has waited longest', async () => {
    const slots = bulkhead({ slots: 1, waitMs: 10 })
    await slots.enter('acme')
    const { answers, ask } = recorder(slots)
    for (const name of ['a', 'b', 'c']) ask(name)
    slots.leave('acme')
    await settle()
    expect(answers).toEqual([['a', true]])
    // The slot went to a queued call and was never free, so no new call can overtake the queue.
    expect(slots.free()).toBe(0)
    slots.leave('acme')
    await settle()
    expect(answers).toEqual([
      ['a', true],
      ['b', true],
    ])
    await vi.advanceTimersByTimeAsync(10)
    expect(answers.at(-1)).toEqual(['c', false])
  })

  test('gives no slot to a call that has given up', async () => {
    const slots = bulkhead({ slots: 1, waitMs: 10 })
    await slots.enter('acme')
    const { answers, ask } = recorder(slots)
    ask('early')
    await vi.advanceTimersByTimeAsync(5)
    ask('later')
    await vi.advanceTimersByTimeAsync(5)
    expect(answers).toEqual([['early', false]])
    slots.leave('acme')
    await settle()
    expect(answers).toEqual([
      ['early', false],
      ['later', true],
    ])
    slots.leave('acme')
    expect(slots.free()).toBe(1)
  })

  test('measures the wait of every call from the start of that call', async () => {
    const slots = bulkhead({ slots: 1, waitMs: 10 })
    await slots.enter('acme')
    const { answers, ask } = recorder(slots)
    ask('early')
    await vi.advanceTimersByTimeAsync(5)
    slots.leave('acme')
    ask('later')
    await vi.advanceTimersByTimeAsync(7)
    slots.leave('acme')
    await settle()
    expect(answers).toEqual([
      ['early', true],
      ['later', true],
    ])
  })

  test('loses no slot under load from several accounts', async () => {
    const slots = bulkhead({ slots: 4, slotsPerAccount: 2, waitMs: 50 })
    const inside = new Map<string, number>()
    let mostOfOne = 0
    let most = 0
    const calls = Array.from({ length: 60 }, async (_, index) => {
      const accountId = `account-${index % 3}`
      await new Promise((resolve) => setTimeout(resolve, index % 7))
      if (!(await slots.enter(accountId))) return false
      inside.set(accountId, (inside.get(accountId) ?? 0) + 1)
      mostOfOne = Math.max(mostOfOne, ...inside.values())
      most = Math.max(
        most,
        [...inside.values()].reduce((sum, count) => sum + count, 0),
      )
      await new Promise((resolve) => setTimeout(resolve, 5 + (index % 5)))
      inside.set(accountId, (inside.get(accountId) ?? 0) - 1)
      slots.leave(accountId)
      return true
    })
    await vi.runAllTimersAsync()
    const entered = (await Promise.all(calls)).filter((isIn) => isIn).length
    expect([most, mostOfOne]).toEqual([4, 2])
    expect(entered).toBeGreaterThan(10)
    expect(entered).toBeLessThan(60)
    expect(slots.free()).toBe(4)
  })

  test('has the default value if none is given', async () => {
    const slots = bulkhead()
    for (let taken = 0; taken < CALLER_LIMITS.slots; taken += 1) expect(await slots.enter('acme')).toBe(true)
    const { answers, ask } = recorder(slots)
    ask('one more')
    await vi.advanceTimersByTimeAsync(CALLER_LIMITS.waitMs)
    expect(answers).toEqual([['one more', false]])
  })
})

describe('the limit on the slots of one account', () => {
  test('keeps slots free for other accounts, even while calls of the first account queue', async () => {
    const slots = bulkhead({ slots: 4, slotsPerAccount: 2, waitMs: 10 })
    const { answers, ask } = recorder(slots)
    for (const name of ['a1', 'a2', 'a3', 'a4']) ask(name, 'acme')
    await settle()
    expect(answers).toEqual([
      ['a1', true],
      ['a2', true],
    ])
    expect(slots.free()).toBe(2)
    ask('b1', 'bravo')
    await settle()
    expect(answers.at(-1)).toEqual(['b1', true])
    await vi.advanceTimersByTimeAsync(10)
    expect(answers.slice(3)).toEqual([
      ['a3', false],
      ['a4', false],
    ])
  })

  test('admits a queued call when the same account returns a slot', async () => {
    const slots = bulkhead({ slots: 4, slotsPerAccount: 1, waitMs: 10 })
    const { answers, ask } = recorder(slots)
    ask('a1', 'acme')
    ask('b1', 'bravo')
    ask('a2', 'acme')
    slots.leave('bravo')
    await settle()
    expect(answers).toEqual([
      ['a1', true],
      ['b1', true],
    ])
    slots.leave('acme')
    await settle()
    expect(answers.at(-1)).toEqual(['a2', true])
    expect(slots.free()).toBe(3)
  })

  test('passes a returned slot to the account that uses the fewest, however long others have queued', async () => {
    const slots = bulkhead({ slots: 4, slotsPerAccount: 3, waitMs: 10 })
    const { answers, ask } = recorder(slots)
    for (const name of ['a1', 'a2', 'a3']) ask(name, 'acme')
    ask('b1', 'bravo')
    ask('b2', 'bravo')
    ask('c1', 'charlie')
    // After this, charlie uses no slot, bravo one and acme two.
    slots.leave('acme')
    await settle()
    expect(answers.at(-1)).toEqual(['c1', true])
    slots.leave('acme')
    await settle()
    expect(answers.at(-1)).toEqual(['b2', true])
  })

  test('counts only running calls of an account', async () => {
    const slots = bulkhead({ slots: 2, slotsPerAccount: 1, waitMs: 10 })
    for (let index = 0; index < 100; index += 1) {
      expect(await slots.enter(`account-${index}`)).toBe(true)
      slots.leave(`account-${index}`)
    }
    expect(slots.free()).toBe(2)
    expect(await slots.enter('account-7')).toBe(true)
  })
})
