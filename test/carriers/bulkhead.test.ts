/** How many calls run at a carrier at once, and who gets a place that becomes free. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { BULKHEAD_TERMS, bulkhead } from '../../src/carriers/bulkhead.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** What those who ask for a place were told so far, in the order of the telling. */
function line(entered: ReturnType<typeof bulkhead>) {
  const told: [name: string, entered: boolean][] = []
  const ask = (name: string) => void entered.enter().then((isIn) => told.push([name, isIn]))
  return { told, ask }
}

test('as many as there are places enter at once', async () => {
  const places = bulkhead({ places: 2, waitMs: 10 })
  expect(places.free()).toBe(2)
  expect(await Promise.all([places.enter(), places.enter()])).toEqual([true, true])
  expect(places.free()).toBe(0)
  expect(vi.getTimerCount()).toBe(0)
})

test('who finds it full is told no when the wait is over, not before', async () => {
  const places = bulkhead({ places: 1, waitMs: 10 })
  await places.enter()
  const { told, ask } = line(places)
  ask('late')
  await vi.advanceTimersByTimeAsync(9)
  expect(told).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(told).toEqual([['late', false]])
  expect(places.free()).toBe(0)
})

test('a place that is given back goes to the first in line', async () => {
  const places = bulkhead({ places: 1, waitMs: 10 })
  await places.enter()
  const { told, ask } = line(places)
  for (const name of ['a', 'b', 'c']) ask(name)
  places.leave()
  await vi.advanceTimersByTimeAsync(0)
  expect(told).toEqual([['a', true]])
  // Passed on, it was never free: nobody overtakes the line.
  expect(places.free()).toBe(0)
  places.leave()
  await vi.advanceTimersByTimeAsync(0)
  expect(told).toEqual([
    ['a', true],
    ['b', true],
  ])
  await vi.advanceTimersByTimeAsync(10)
  expect(told.at(-1)).toEqual(['c', false])
})

test('who left the line gets no place any more', async () => {
  const places = bulkhead({ places: 1, waitMs: 10 })
  await places.enter()
  const { told, ask } = line(places)
  ask('early')
  await vi.advanceTimersByTimeAsync(5)
  ask('later')
  await vi.advanceTimersByTimeAsync(5)
  expect(told).toEqual([['early', false]])
  places.leave()
  await vi.advanceTimersByTimeAsync(0)
  expect(told).toEqual([
    ['early', false],
    ['later', true],
  ])
  places.leave()
  expect(places.free()).toBe(1)
})

test('the wait of who got in says nothing about who came later', async () => {
  const places = bulkhead({ places: 1, waitMs: 10 })
  await places.enter()
  const { told, ask } = line(places)
  ask('early')
  await vi.advanceTimersByTimeAsync(5)
  places.leave()
  ask('later')
  await vi.advanceTimersByTimeAsync(7)
  places.leave()
  await vi.advanceTimersByTimeAsync(0)
  expect(told).toEqual([
    ['early', true],
    ['later', true],
  ])
})

test('nothing is lost in a crowd: never too many inside, and empty at the end', async () => {
  const terms = { places: 3, waitMs: 50 }
  const places = bulkhead(terms)
  let inside = 0
  let most = 0
  const answers = Array.from({ length: 40 }, async (_, index) => {
    await new Promise((resolve) => setTimeout(resolve, index % 7))
    if (!(await places.enter())) return false
    inside += 1
    most = Math.max(most, inside)
    await new Promise((resolve) => setTimeout(resolve, 5 + (index % 5)))
    inside -= 1
    places.leave()
    return true
  })
  await vi.runAllTimersAsync()
  const entered = (await Promise.all(answers)).filter((isIn) => isIn).length
  expect(most).toBe(terms.places)
  expect(entered).toBeGreaterThan(10)
  expect(entered).toBeLessThan(40)
  expect(places.free()).toBe(terms.places)
})

test('without terms it is that of every carrier', async () => {
  const places = bulkhead()
  for (let taken = 0; taken < BULKHEAD_TERMS.places; taken += 1) expect(await places.enter()).toBe(true)
  const { told, ask } = line(places)
  ask('one more')
  await vi.advanceTimersByTimeAsync(BULKHEAD_TERMS.waitMs)
  expect(told).toEqual([['one more', false]])
})
