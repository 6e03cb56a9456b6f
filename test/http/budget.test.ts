/** Rate limits over a sliding window. docs/decisions/security.md#d103 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openBudget } from '../../src/http/limits/budget.ts'

describe('a budget', () => {
  test('makes units available one window after they were spent, and rounds the wait up', () => {
    let now = 1_000
    const budget = openBudget({ limit: 2, windowMs: 60_000, now: () => now })
    expect(budget.spend('a')).toBeUndefined()
    now = 31_000
    expect(budget.spend('a')).toBeUndefined()
    expect(budget.exhausted('a')).toBe(31)
    expect(budget.spend('a')).toBe(31)
    expect(budget.spend('b')).toBeUndefined()
    now = 61_500
    expect(budget.spend('a')).toBe(1)
    now = 62_000
    expect(budget.exhausted('a')).toBeUndefined()
    expect(budget.spend('a')).toBeUndefined()
    expect(budget.spend('a')).toBe(30)
  })

  test('spends several units at once, or none of them', () => {
    let now = 0
    const budget = openBudget({ limit: 10, windowMs: 60_000, now: () => now })
    expect(budget.spend('a', 6)).toBeUndefined()
    now = 10_000
    expect(budget.spend('a', 3)).toBeUndefined()
    expect(budget.spend('a', 5)).toBe(51)
    expect(budget.state('a')).toEqual({ limit: 10, remaining: 1, resetSeconds: 61 })
    expect(budget.spend('a', 1)).toBeUndefined()
    expect(budget.state('a').remaining).toBe(0)
    now = 61_000
    expect(budget.spend('a', 5)).toBeUndefined()
  })

  test('starts empty, and is empty again after a window without requests', () => {
    let now = 5_000_000
    const budget = openBudget({ limit: 3, windowMs: 60_000, now: () => now })
    expect(budget.state('a')).toEqual({ limit: 3, remaining: 3, resetSeconds: 0 })
    budget.spend('a', 3)
    now += 10_000_000
    expect(budget.state('a')).toEqual({ limit: 3, remaining: 3, resetSeconds: 0 })
  })

  test('spends nothing when asked whether a name is exhausted', () => {
    const budget = openBudget({ limit: 1, windowMs: 1_000, now: () => 0 })
    for (let i = 0; i < 5; i++) expect(budget.exhausted('a')).toBeUndefined()
    expect(budget.spend('a')).toBeUndefined()
  })

  test('never allows more than its limit in any window, and allows a request after the wait that it returned', () => {
    const step = fc.record({
      afterMs: fc.integer({ min: 0, max: 9_000 }),
      units: fc.integer({ min: 1, max: 5 }),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        let now = 0
        const budget = openBudget({ limit: 8, windowMs: 10_000, now: () => now })
        const spent: { at: number; units: number }[] = []
        for (const { afterMs, units } of steps) {
          now += afterMs
          const wait = budget.spend('a', units)
          if (wait === undefined) spent.push({ at: now, units })
          const recent = spent.filter(({ at }) => at > now - 10_000)
          expect(recent.reduce((sum, one) => sum + one.units, 0)).toBeLessThanOrEqual(8)
          if (wait === undefined) continue
          now += wait * 1_000
          expect(budget.spend('a', units)).toBeUndefined()
          spent.push({ at: now, units })
        }
      }),
    )
  })
})

describe('a budget by name', () => {
  test('drops the least recently used name above maxNames', () => {
    const budget = openBudget({ limit: 1, windowMs: 60_000, maxNames: 1_000, now: () => 0 })
    budget.spend('first')
    for (let i = 0; i < 1_000; i++) budget.spend(`name ${i}`)
    expect(budget.exhausted('first')).toBeUndefined()
    expect(budget.exhausted('name 999')).toBe(61)
  })

  test('never drops a name without maxNames', () => {
    const budget = openBudget({ limit: 1, windowMs: 60_000, now: () => 0 })
    budget.spend('first')
    for (let i = 0; i < 60_000; i++) budget.spend(`name ${i}`)
    expect(budget.exhausted('first')).toBe(61)
  })
})

test('counts units that another process has admitted, even beyond the limit', () => {
  const budget = openBudget({ limit: 10, windowMs: 60_000, now: () => 5_000 })
  budget.addSpent('key', 7)
  expect(budget.spend('key', 4)).toBeGreaterThan(0)
  expect(budget.spend('key', 3)).toBeUndefined()
  budget.addSpent('key', 5)
  expect(budget.state('key')).toMatchObject({ limit: 10, remaining: 0 })
  expect(budget.spend('other', 10)).toBeUndefined()
})

describe('what a store knows', () => {
  test('never leads to negative units, when units were given back that it does not know yet', () => {
    let now = 100_000
    const budget = openBudget({ limit: 100, windowMs: 60_000, now: () => now })
    budget.raise('a', [{ ageMs: 2_000, units: 90 }], -50)
    expect(budget.state('a').remaining).toBe(60)
    for (let second = 0; second < 70; second++) {
      now += 1_000
      budget.state('a')
    }
    expect(budget.state('a').remaining).toBe(100)
    expect(budget.spend('a', 101)).toBeGreaterThan(0)
  })

  test('is forgotten after a window, however large it is', () => {
    let now = 100_000
    const budget = openBudget({ limit: 100, windowMs: 60_000, now: () => now })
    const ages = [0, 0, 5_000, 55_000]
    budget.raise(
      'a',
      ages.map((ageMs) => ({ ageMs, units: Number.MAX_SAFE_INTEGER })),
      3,
    )
    for (let second = 0; second < 62; second++) {
      expect(budget.spend('a')).toBeGreaterThan(0)
      now += 1_000
      if (second === 60) break
    }
    expect(budget.state('a').remaining).toBe(100)
  })
})
