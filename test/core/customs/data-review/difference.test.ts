/** Comparisons of customs data: rows added, removed and changed, the largest changes of rates first. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { MeasureRow } from '../../../../src/core/customs/data/row-types/measures.ts'
import type { ThresholdRow } from '../../../../src/core/customs/data/row-types/thresholds.ts'
import type { CustomsRows } from '../../../../src/core/customs/data/rows.ts'
import { compareCustomsData, type LineChange } from '../../../../src/core/customs/data-review/difference.ts'
import { caseCount } from '../../../support/random/case-count.ts'
import { dollarOf, dutyOf, referenceOf, vatOf } from './small-reference.ts'

const LAYERS = { old: 0, new: 1 }
const duties = (...measures: MeasureRow[]): CustomsRows => referenceOf(LAYERS, { measures })

const linesOf = (changes: readonly LineChange[]): string[] =>
  changes.map(({ kind, owner, key, before, after }) => `${kind} ${owner} ${key}: ${before} -> ${after}`)

describe('duties', () => {
  test('are matched by code and listed with the largest change first', () => {
    const before = duties(
      dutyOf('old', '61091000', 120_000),
      dutyOf('old', '42022100', 30_000),
      dutyOf('old', '01012100', 0),
      dutyOf('old', '99', 10_000),
    )
    const after = duties(
      dutyOf('new', '61091000', 100_000),
      dutyOf('new', '42022100', 80_000),
      dutyOf('new', '01012100', 0),
      dutyOf('new', '98', 5_000),
    )
    const { counts, changes } = compareCustomsData(before, after)
    expect(counts).toEqual([
      { table: 'measures', owner: 'GB', added: 1, removed: 1, changed: 2, redated: 0, unchanged: 1 },
    ])
    expect(linesOf(changes)).toEqual([
      'changed GB 42022100: 3% -> 8%',
      'changed GB 61091000: 12% -> 10%',
      'removed GB 99: 1% -> undefined',
      'added GB 98: undefined -> 0.5%',
    ])
    expect(changes[1]?.movePpm).toBe(-20_000)
  })

  test('are counted separately if only their days change', () => {
    const before = duties(dutyOf('old', '6109', 120_000, { validFrom: '2021-01-01' }))
    const after = duties(dutyOf('new', '6109', 120_000, { validFrom: '2026-01-01' }))
    const { counts, changes } = compareCustomsData(before, after)
    expect(counts).toEqual([
      { table: 'measures', owner: 'GB', added: 0, removed: 0, changed: 0, redated: 1, unchanged: 0 },
    ])
    expect(changes).toEqual([])
  })

  test('with several periods are matched by their first day', () => {
    const period = (dataSet: string, ppm: number, validFrom: string): MeasureRow =>
      dutyOf(dataSet, '6109', ppm, { validFrom })
    const before = duties(period('old', 10_000, '2025-01-01'), period('old', 20_000, '2026-01-01'))
    const after = duties(period('new', 25_000, '2026-01-01'), period('new', 10_000, '2025-01-01'))
    const { counts, changes } = compareCustomsData(before, after)
    expect(counts[0]).toMatchObject({ added: 0, removed: 0, changed: 1, unchanged: 1 })
    expect(linesOf(changes)).toEqual(['changed GB 6109: 2% -> 2.5%'])
  })

  test('are separate lines for each origin and agreement', () => {
    const preference = { measureType: 'preference', originGroup: 'VN', agreement: 'UK-Vietnam' }
    const { changes } = compareCustomsData(duties(), duties(dutyOf('new', '6109', 0, preference)))
    expect(linesOf(changes)).toEqual(['added GB 6109 preference VN UK-Vietnam: undefined -> 0%'])
  })

  test.each([
    [{ specific: '9 EUR/100 kg' }, '4.5% + 9 EUR/100 kg'],
    [{ specific: '-7 GBP/100 kg' }, '4.5% - 7 GBP/100 kg'],
    [{ minimum: '0.3 EUR/item', maximum: '0.8 EUR/item' }, '4.5% MIN 0.3 EUR/item MAX 0.8 EUR/item'],
    [{ adValoremPpm: null, specific: '1 EUR/item' }, '1 EUR/item'],
    [{ adValoremPpm: null, text: 'See note 4', condition: 'not_parsed' }, 'See note 4 (not parsed)'],
  ] as const)('show the rate of %o', (parts, words) => {
    const { changes } = compareCustomsData(duties(), duties(dutyOf('new', '6109', 45_000, parts)))
    expect(changes[0]?.after).toBe(words)
  })

  test('with the same rate show the fields that differ', () => {
    const after = dutyOf('new', '6109', 10_000, { excludedOrigins: ['CU', 'KP'], note: 'since then' })
    const { changes } = compareCustomsData(duties(dutyOf('old', '6109', 10_000)), duties(after))
    expect(linesOf(changes)).toEqual([
      'changed GB 6109: excluded origins none, note none -> excluded origins CU KP, note since then',
    ])
  })
})

describe('other tables', () => {
  test('show tax rates like duties', () => {
    const { changes } = compareCustomsData(
      referenceOf(LAYERS, { taxRates: [vatOf('old', '', 200_000), vatOf('old', '4901', 0)] }),
      referenceOf(LAYERS, { taxRates: [vatOf('new', '', 210_000), vatOf('new', '4901', 0)] }),
    )
    expect(linesOf(changes)).toEqual(['changed GB VAT: 20% -> 21%'])
  })

  test('compare a new day of a currency with the rate before it', () => {
    const known = [dollarOf('old', '2026-10-01', '1.1'), dollarOf('old', '2026-11-01', '1.2')]
    const added = [dollarOf('new', '2026-11-02', '1.25'), dollarOf('new', '2026-11-03', '1.26')]
    const { counts, changes } = compareCustomsData(
      referenceOf(LAYERS, { exchangeRates: known }),
      referenceOf(LAYERS, { exchangeRates: [...known, ...added] }),
    )
    expect(counts).toEqual([
      { table: 'exchangeRates', owner: 'USD', added: 2, removed: 0, changed: 0, redated: 0, unchanged: 0 },
    ])
    expect(linesOf(changes)).toEqual([
      'added USD from 2026-11-03: 1.2 -> 1.26',
      'added USD from 2026-11-02: undefined -> 1.25',
    ])
    expect(changes[0]?.movePpm).toBe(50_000)
  })

  test('show the fields of a threshold that differ', () => {
    const threshold = (dataSet: string, limitAmount: string): ThresholdRow => ({
      ...{ dataSet, jurisdiction: 'GB', appliesTo: 'duty', kind: 'relief_up_to', limitAmount },
      ...{
        valueBasis: 'goods',
        currency: 'GBP',
        flatAmount: '',
        deductAmount: '',
        ratePpm: null,
        itemDigits: null,
      },
      ...{ recipient: 'any', sentFrom: [], importSchemes: [], includedPrefixes: [], excludedPrefixes: [] },
      ...{ yieldsToPreference: false, replacesTaxes: false, reason: 'a reason', enabled: true },
      ...{ validFrom: null, validTo: null, confidence: 'high' },
    })
    const { changes } = compareCustomsData(
      referenceOf(LAYERS, { thresholds: [threshold('old', '135')] }),
      referenceOf(LAYERS, { thresholds: [threshold('new', '150')] }),
    )
    expect(linesOf(changes)).toEqual([
      'changed GB duty relief_up_to GBP: limit amount 135 -> limit amount 150',
    ])
  })
})

test('scopes with the same rows on both sides are not counted', () => {
  const european = dutyOf('old', '6109', 1, { jurisdiction: 'EU' })
  const { counts } = compareCustomsData(
    duties(european, dutyOf('old', '6109', 1)),
    duties(european, dutyOf('new', '6109', 1)),
  )
  expect(counts.map(({ owner, unchanged }) => `${owner} ${unchanged}`)).toEqual(['GB 1'])
})

describe('any two tariffs', () => {
  const anyTariff = (dataSet: string): fc.Arbitrary<readonly MeasureRow[]> =>
    fc.uniqueArray(
      fc
        .tuple(
          fc.constantFrom('61', '6109', '62', '6201'),
          fc.constantFrom(null, '2025-01-01', '2026-01-01'),
          fc.integer({ min: 0, max: 3 }),
        )
        .map(([code, validFrom, step]) => dutyOf(dataSet, code, step * 10_000, { validFrom })),
      { selector: ({ codePrefix, validFrom }) => `${codePrefix} ${validFrom}`, maxLength: 10 },
    )

  test('count every line once, and the reverse comparison is the inverse', () => {
    fc.assert(
      fc.property(anyTariff('old'), anyTariff('new'), (before, after) => {
        const there = compareCustomsData(duties(...before), duties(...after))
        const back = compareCustomsData(duties(...after), duties(...before))
        const [counts] = there.counts
        const same = (counts?.changed ?? 0) + (counts?.redated ?? 0) + (counts?.unchanged ?? 0)
        expect(same + (counts?.removed ?? 0)).toBe(before.length)
        expect(same + (counts?.added ?? 0)).toBe(after.length)
        expect(back.counts[0]?.added).toBe(counts?.removed)
        expect(back.counts[0]?.removed).toBe(counts?.added)
        expect(back.counts[0]?.unchanged).toBe(counts?.unchanged)
        const moves = there.changes.map(({ movePpm }) => Math.abs(movePpm ?? 0))
        expect(moves).toEqual([...moves].sort((a, b) => b - a))
      }),
      { numRuns: caseCount(500, 20_000) },
    )
  })

  test('have no differences if they are equal', () => {
    fc.assert(
      fc.property(anyTariff('old'), (before) => {
        const renamed = before.map((row) => ({ ...row, dataSet: 'new' })).reverse()
        const { counts, changes } = compareCustomsData(duties(...before), duties(...renamed))
        expect(changes).toEqual([])
        expect(counts.every(({ redated }) => redated === 0)).toBe(true)
      }),
      { numRuns: 500 },
    )
  })
})
