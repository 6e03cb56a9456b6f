/** The shares of items in a line: whole cents, in proportion to customs value, that add up to the line. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { itemsOf, shareByItem } from '../../../../src/core/customs/estimate/estimate.ts'
import { exactOf, splitCents } from '../../../../src/core/customs/exact.ts'
import { sumCents } from '../../../../src/core/money.ts'
import {
  customsRows,
  fee,
  jurisdiction,
  measure,
  tax,
  taxRate,
} from '../../../support/customs/customs-rows.ts'
import { smallEstimate } from '../../../support/customs/small-estimate.ts'

const euros = (...values: number[]) => values.map((value) => exactOf(Math.round(value * 100), 2))

describe('splitCents splits', () => {
  test.each<[string, number, number[], number[]]>([
    ['in proportion to the values', 1000, [30, 10], [750, 250]],
    ['with the cent left over to the largest remainder', 100, [1, 1, 1.3], [30, 30, 40]],
    ['with cents left over to the first of equal remainders', 200, [1, 1, 1], [67, 67, 66]],
    ['equally if all values are zero', 5, [0, 0, 0], [2, 2, 1]],
    ['with no cents for a value of zero', 7, [0, 3], [0, 7]],
    ['zero into zeros', 0, [1, 2], [0, 0]],
    ['everything to a single value', 123, [0], [123]],
    ['an amount into nothing without values', 0, [], []],
  ])('%s', (_name, cents, values, parts) => {
    expect(splitCents(cents, euros(...values))).toEqual(parts)
  })

  test('values beyond the safe integers', () => {
    const values = [exactOf(10n ** 30n, 0), exactOf(2n * 10n ** 30n, 0)]
    expect(splitCents(9_000_000_000_000_001, values)).toEqual([3_000_000_000_000_000, 6_000_000_000_000_001])
  })

  test('into parts that add up, each less than a cent from its proportion', () => {
    const value = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 1e12 }))
    const values = fc.array(value, { minLength: 1, maxLength: 99 })
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e14 }), values, (cents, steps) => {
        const parts = splitCents(
          cents,
          steps.map((step) => exactOf(step, 4)),
        )
        expect(sumCents(parts)).toBe(cents)
        const total = steps.reduce((sum, step) => sum + BigInt(step), 0n)
        const shares = total === 0n ? steps.map(() => 1n) : steps.map(BigInt)
        const whole = total === 0n ? BigInt(steps.length) : total
        for (const [index, part] of parts.entries()) {
          const off = BigInt(part) * whole - BigInt(cents) * (shares[index] ?? 0n)
          expect(off < whole && off > -whole).toBe(true)
        }
      }),
    )
  })
})

const rows = customsRows({
  jurisdictions: [jurisdiction('AA', { valuation: 'CIF' }), jurisdiction('BB')],
  measures: [measure('610910', 12), measure('640399', 8)],
  taxes: [tax('VAT')],
  taxRates: [taxRate('VAT', 21)],
  fees: [fee('per_consignment', { amount: '10' })],
})

describe('the items of an estimate', () => {
  const estimate = smallEstimate(
    rows,
    [
      ['610910', 1, 33.33],
      ['640399', 1, 100],
      ['610910', 2, 10],
    ],
    { shippingCents: 777 },
  )

  test('share the lines of their code, and a fee on all items', () => {
    const lines = estimate.taxes.map(({ harmonizedCode, name }) => `${harmonizedCode} ${name}`)
    const shared = shareByItem(estimate).map((shares) => shares.map(({ lineIndex }) => lines[lineIndex]))
    const duty = 'Most-favoured-nation duty'
    expect(shared).toEqual([
      [`610910 ${duty}`, '640399 Fee', '610910 VAT'],
      [`640399 ${duty}`, '640399 Fee', '640399 VAT'],
      [`610910 ${duty}`, '640399 Fee', '610910 VAT'],
    ])
  })

  test('have shares that add up to each line and to the estimate', () => {
    const shares = shareByItem(estimate)
    for (const [index, { amountCents }] of estimate.taxes.entries()) {
      const parts = shares.flat().filter(({ lineIndex }) => lineIndex === index)
      expect(sumCents(parts.map((part) => part.amountCents))).toBe(amountCents)
    }
    expect(sumCents(shares.flat().map(({ amountCents }) => amountCents))).toBe(estimate.estimateCents)
  })

  test('share by customs value with freight', () => {
    // 12% of 53.33 and its freight 2.7025: 6.72, of which 33.33 / 53.33; 8% of 100 and 5.0675: 8.41.
    expect(estimate.taxes[0]).toMatchObject({ name: 'Most-favoured-nation duty', amountCents: 672 })
    expect(shareByItem(estimate).map((shares) => shares[0]?.amountCents)).toEqual([420, 841, 252])
  })

  test('have no shares without a code', () => {
    const items = [{ ...estimate.items[0], customsValue: exactOf(1, 0) }]
    expect(shareByItem({ taxes: [], items: items as typeof estimate.items })).toEqual([[]])
  })

  test('are listed once and in order for a line of several origins', () => {
    const several = smallEstimate(rows, [
      ['610910', 1, 10, { originCountry: 'CN' }],
      ['610910', 1, 10, { originCountry: 'IN' }],
      ['610910', 1, 10, { originCountry: 'CN' }],
    ])
    const duty = several.taxes.find(({ kind }) => kind === 'DUTY')
    expect(duty?.items).toEqual([0, 2, 1])
    expect(duty && itemsOf(duty)).toEqual([0, 1, 2])
    expect(shareByItem(several).map((shares) => shares[0]?.amountCents)).toEqual([120, 120, 120])
  })
})
