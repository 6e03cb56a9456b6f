/** Lookups in sorted codes give the same as a search through all of them. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { codeKey, codeOfKey } from '../../../../src/core/customs/data/packed-rows.ts'
import {
  codeSet,
  endOfPrefix,
  hasPrefixOf,
  lowerBound,
  prefixKey,
  sortedRun,
} from '../../../../src/core/customs/tariff/code-run.ts'

/** Few digits, so that codes are often prefixes of each other. */
const code = fc.stringMatching(/^[019]{0,10}$/)

test('the codes below a prefix are those that begin with it', () => {
  fc.assert(
    fc.property(fc.array(code), code, (codes, prefix) => {
      const { keys } = codeSet(codes)
      const key = codeKey(prefix)
      const below = Array.from(keys.subarray(lowerBound(keys, key), endOfPrefix(keys, key)), codeOfKey)
      expect(below).toEqual([...new Set(codes)].filter((one) => one.startsWith(prefix)).sort())
    }),
  )
})

test('a code has a prefix on a list if it begins with one of its codes', () => {
  fc.assert(
    fc.property(fc.array(code), code, (codes, whole) => {
      const expected = codes.some((one) => whole.startsWith(one))
      expect(hasPrefixOf(codeSet(codes), codeKey(whole))).toBe(expected)
    }),
  )
})

test('the key of a prefix is the key of the first digits', () => {
  fc.assert(
    fc.property(code, fc.nat({ max: 10 }), (whole, length) => {
      const prefix = whole.slice(0, length)
      expect(prefixKey(codeKey(whole), prefix.length)).toBe(codeKey(prefix))
    }),
  )
})

test('rows of one code are sorted by precedence and then keep their order', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(code, fc.nat({ max: 2 }))), (entries) => {
      const rows = entries.map((_, row) => row)
      const run = sortedRun(
        entries.map(([one]) => codeKey(one)),
        rows,
        (row, other) => entries[other]![1] - entries[row]![1],
      )
      const expected = rows.toSorted(
        (a, b) =>
          codeKey(entries[a]![0]) - codeKey(entries[b]![0]) || entries[b]![1] - entries[a]![1] || a - b,
      )
      expect([...run.rows]).toEqual(expected)
    }),
  )
})
