/** Packed rows are the rows that were packed, also after joining and picking. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  codeKey,
  codeOfKey,
  joinPacked,
  packRows,
  pickRows,
  unpackRows,
} from '../../../../src/core/customs/data/packed-rows.ts'
import type { MeasureRow } from '../../../../src/core/customs/data/row-types/measures.ts'
import { measure } from '../../../support/customs/customs-rows.ts'

const code = fc.stringMatching(/^[0-9]{0,10}$/)
const rows: fc.Arbitrary<MeasureRow[]> = fc.array(
  fc
    .record({
      codePrefix: code,
      rate: fc.oneof(fc.nat({ max: 900 }), fc.constant('9 EUR/100 kg')),
      originGroup: fc.constantFrom('ALL', 'CN', 'GSP'),
      excludedOrigins: fc.subarray(['RU', 'BY']),
      validFrom: fc.constantFrom(null, '2026-01-01', '2026-07-01'),
      note: fc.string(),
    })
    .map(({ codePrefix, rate, ...rest }) => measure(codePrefix, rate, rest)),
  { maxLength: 40 },
)

/** `toEqual` is slow for many rows. */
const textOf = (list: readonly MeasureRow[]): string[] =>
  list.map((row) => JSON.stringify(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1))))

describe('packed rows', () => {
  test('are unpacked unchanged', () => {
    fc.assert(
      fc.property(rows, (list) => {
        expect(textOf(unpackRows(packRows('measures', list)))).toEqual(textOf(list))
      }),
    )
  })

  test('can be joined, and picked in any order', () => {
    fc.assert(
      fc.property(
        fc.array(rows, { minLength: 1, maxLength: 4 }),
        fc.infiniteStream(fc.nat()),
        (parts, dice) => {
          const joined = joinPacked(parts.map((part) => packRows('measures', part)))!
          const all = parts.flat()
          expect(textOf(unpackRows(joined))).toEqual(textOf(all))
          if (all.length === 0) return
          const picked = [...dice.take(10)].map((number) => number % all.length)
          expect(textOf(unpackRows(pickRows(joined, picked)))).toEqual(picked.map((row) => textOf(all)[row]))
        },
      ),
    )
  })

  test('of more than 256 and more than 65,536 distinct values are unpacked unchanged', () => {
    for (const count of [300, 70_000]) {
      const list = Array.from({ length: count }, (_, row) => ({
        dataSet: 'test',
        codeList: `list-${row}`,
        codePrefix: '6109',
      }))
      const names = unpackRows(packRows('codeLists', list)).map(({ codeList }) => codeList)
      expect(names.every((name, row) => name === `list-${row}`)).toBe(true)
    }
  })
})

test('keys of codes sort like the codes and give them back', () => {
  fc.assert(
    fc.property(code, code, (a, b) => {
      expect(codeOfKey(codeKey(a))).toBe(a)
      expect(codeKey(a) < codeKey(b)).toBe(a < b)
    }),
  )
})
