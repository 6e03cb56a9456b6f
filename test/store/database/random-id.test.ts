import { expect, test } from 'vitest'
import { randomId } from '../../../src/store/database/random-id.ts'

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

test('an id has its prefix and characters of base58 only', () => {
  for (const length of [1, 17, 27])
    for (let round = 0; round < 200; round++)
      expect(randomId('shp', length)).toMatch(new RegExp(`^shp[${BASE58}]{${length}}$`))
})

test('every byte value gives the same share of the characters, or none', () => {
  const counts = new Map<string, number>()
  for (let byte = 0; byte < 256; byte++) {
    // A byte that is skipped is followed by 0.
    const bytes = (size: number) => Buffer.from([byte, ...Array(size - 1).fill(0)])
    const character = randomId('', 1, bytes)
    if (byte < 232) counts.set(character, (counts.get(character) ?? 0) + 1)
    else expect(character).toBe('1')
  }
  expect([...counts.keys()].join('')).toBe(BASE58)
  expect(new Set(counts.values())).toEqual(new Set([4]))
})

test('ids differ', () => {
  expect(new Set(Array.from({ length: 10_000 }, () => randomId('', 22))).size).toBe(10_000)
})
