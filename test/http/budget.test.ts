/** Counting in windows. */
import { expect, test } from 'vitest'
import { openBudget } from '../../src/http/budget.ts'

test('a window allows its limit, names the wait rounded up, and starts again', () => {
  let now = 1_000
  const budget = openBudget({ limit: 2, windowMs: 60_000, now: () => now })
  expect(budget.spend('a')).toBeUndefined()
  expect(budget.exhausted('a')).toBeUndefined()
  now += 10_500
  expect(budget.spend('a')).toBeUndefined()
  expect(budget.exhausted('a')).toBe(50)
  expect(budget.spend('a')).toBe(50)
  expect(budget.spend('b')).toBeUndefined()
  now = 60_999.5
  expect(budget.spend('a')).toBe(1)
  now = 61_000
  expect(budget.exhausted('a')).toBeUndefined()
  expect(budget.spend('a')).toBeUndefined()
})

test('asking whether a name is exhausted takes nothing', () => {
  const budget = openBudget({ limit: 1, windowMs: 1_000, now: () => 0 })
  for (let i = 0; i < 5; i++) expect(budget.exhausted('a')).toBeUndefined()
  expect(budget.spend('a')).toBeUndefined()
})

test('names that callers make up do not fill the memory: the oldest is forgotten', () => {
  const budget = openBudget({ limit: 1, windowMs: 60_000, now: () => 0 })
  budget.spend('first')
  for (let i = 0; i < 50_000; i++) budget.spend(`name ${i}`)
  expect(budget.exhausted('first')).toBeUndefined()
  expect(budget.exhausted('name 49999')).toBe(60)
})
