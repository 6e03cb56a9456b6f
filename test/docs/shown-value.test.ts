import { expect, test } from 'vitest'
import { differences } from './shown-value.ts'

test.each<[shown: unknown, real: unknown]>([
  [
    { a: 1, b: ['x'] },
    { a: 1, b: ['x'] },
  ],
  [
    { a: 1, '…': '…' },
    { a: 1, b: 2 },
  ],
  [
    ['x', '…'],
    ['x', 'y', 'z'],
  ],
  ['Duty of 12% …', 'Duty of 12% of the goods value'],
  ['…', 'any text'],
])('%j shows %j', (shown, real) => {
  expect(differences(shown, real)).toEqual([])
})

test.each<[shown: unknown, real: unknown]>([
  [{ a: 1 }, { a: 1, b: 2 }],
  [{ a: 1, b: 2 }, { a: 1 }],
  [
    { a: 1, '…': '…' },
    { a: 2, b: 2 },
  ],
  [['x', '…'], ['x']],
  [['x'], ['x', 'y']],
  [
    ['x', '…'],
    ['y', 'z'],
  ],
  ['Duty of 12% …', 'Duty of 8%'],
  ['…', 12],
  [12, '12'],
])('%j does not show %j', (shown, real) => {
  expect(differences(shown, real)).not.toEqual([])
})
