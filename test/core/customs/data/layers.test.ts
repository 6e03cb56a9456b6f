/** Which rows apply: within a scope, only those of the highest layer. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  effectiveRows,
  replacedScopes,
  withoutSet,
  withSet,
} from '../../../../src/core/customs/data/layers.ts'
import type { MeasureRow } from '../../../../src/core/customs/data/row-types/measures.ts'
import { type CustomsRows, scopeOf } from '../../../../src/core/customs/data/rows.ts'
import { dollarOf, dutyOf, referenceOf, vatOf } from '../data-review/small-reference.ts'

/** The measures that apply, as "set code". */
const measuresOf = (rows: CustomsRows): string[] =>
  effectiveRows(rows).measures.map(({ dataSet, codePrefix }) => `${dataSet} ${codePrefix}`)

describe('the scope of a row', () => {
  test.each([
    ['measures', dutyOf('a', '61091000', 1), 'GB third_country_duty'],
    ['taxRates', vatOf('a', '4901', 0), 'GB VAT'],
    ['exchangeRates', dollarOf('a', '2026-11-02', '1.2'), 'USD 2026-11-02'],
    [
      'territories',
      { dataSet: 'a', country: 'ES', postalFrom: '35000', postalTo: '35999', name: '', jurisdiction: 'X' },
      'ES',
    ],
    ['originGroups', { dataSet: 'a', originGroup: 'EU', country: 'NL' }, 'EU'],
    ['codeLists', { dataSet: 'a', codeList: 'us-1', codePrefix: '6109' }, 'us-1'],
  ] as const)('of %s', (table, row, scope) => {
    expect(scopeOf(table, row)).toBe(scope)
  })
})

describe('the rows that apply', () => {
  test('are all rows of a scope if its sets are of one layer', () => {
    const rows = referenceOf(
      { tariff: 0, fill: 0 },
      { measures: [dutyOf('tariff', '6109', 1), dutyOf('fill', '6110', 1)] },
    )
    expect(effectiveRows(rows)).toEqual(rows)
  })

  test('are only those of the highest layer, also if it has fewer rows', () => {
    const rows = referenceOf(
      { tariff: 0, operator: 1 },
      { measures: [dutyOf('tariff', '6109', 1), dutyOf('tariff', '6110', 1), dutyOf('operator', '6109', 2)] },
    )
    expect(measuresOf(rows)).toEqual(['operator 6109'])
  })

  test('include other scopes: another type, area, or day of a currency', () => {
    const rows = referenceOf(
      { tariff: 0, operator: 1 },
      {
        measures: [
          dutyOf('tariff', '1', 1, { jurisdiction: 'EU' }),
          dutyOf('tariff', '2', 1, { measureType: 'preference' }),
          dutyOf('tariff', '3', 1),
          dutyOf('operator', '4', 1),
        ],
        exchangeRates: [
          dollarOf('tariff', '2026-11-01', '1.1'),
          dollarOf('tariff', '2026-11-02', '1.2'),
          dollarOf('operator', '2026-11-02', '1.3'),
        ],
      },
    )
    expect(measuresOf(rows)).toEqual(['tariff 1', 'tariff 2', 'operator 4'])
    expect(effectiveRows(rows).exchangeRates.map((row) => row.unitsPerEuro)).toEqual(['1.1', '1.3'])
  })

  test('stay at the position of their scope: a renamed measure type does not move behind the others', () => {
    const type = (dataSet: string, measureType: string) =>
      ({ dataSet, measureType, name: dataSet, role: 'additional', notWith: [] }) as const
    const rows = referenceOf(
      { shipped: 0, operator: 1 },
      {
        measureTypes: [
          type('shipped', 'a'),
          type('shipped', 'b'),
          type('operator', 'a'),
          type('operator', 'c'),
        ],
      },
    )
    const order = effectiveRows(rows).measureTypes.map((row) => `${row.measureType} ${row.dataSet}`)
    expect(order).toEqual(['a operator', 'b shipped', 'c operator'])
  })

  test('must name a listed data set', () => {
    const rows = referenceOf({ tariff: 0 }, { measures: [dutyOf('another', '6109', 1)] })
    expect(() => effectiveRows(rows)).toThrow(/unknown data set: another/)
  })
})

describe('the scopes that a set replaces', () => {
  const rows = referenceOf(
    { tariff: 0, fill: 0, first: 1, second: 2 },
    {
      measures: [
        ...[dutyOf('tariff', '6109', 1), dutyOf('tariff', '6110', 1), dutyOf('fill', '6111', 1)],
        ...[
          dutyOf('first', '6109', 2),
          dutyOf('second', '6109', 3),
          dutyOf('second', '7', 3, { measureType: 'x' }),
        ],
      ],
    },
  )

  test('name the sets that would apply otherwise; new scopes are left out', () => {
    expect(replacedScopes(rows, 'second')).toEqual([
      {
        ...{ table: 'measures', scope: 'GB third_country_duty', rowCount: 1 },
        from: [{ dataSet: 'first', rowCount: 1 }],
      },
    ])
    expect(replacedScopes(withoutSet(rows, 'second'), 'first')[0]?.from).toEqual([
      { dataSet: 'tariff', rowCount: 2 },
      { dataSet: 'fill', rowCount: 1 },
    ])
  })

  test('are empty if a set above it replaces them already', () => {
    expect(replacedScopes(rows, 'first')).toEqual([])
  })
})

describe('any layers', () => {
  const layers = { a: 0, b: 0, c: 1, d: 2 }
  const anyMeasure: fc.Arbitrary<MeasureRow> = fc
    .tuple(
      fc.constantFrom('a', 'b', 'c', 'd'),
      fc.constantFrom('GB', 'EU'),
      fc.constantFrom('third_country_duty', 'preference'),
      fc.constantFrom('61', '6109', '62'),
    )
    .map(([dataSet, jurisdiction, measureType, code]) =>
      dutyOf(dataSet, code, 1, { jurisdiction, measureType }),
    )
  const anyRows = fc.array(anyMeasure, { maxLength: 12 }).map((measures) => referenceOf(layers, { measures }))

  test('keep exactly the rows of the highest layer of every scope', () => {
    fc.assert(
      fc.property(anyRows, (rows) => {
        const layerOf = (row: MeasureRow): number => layers[row.dataSet as keyof typeof layers]
        const expected = rows.measures.filter((row) =>
          rows.measures.every(
            (other) =>
              scopeOf('measures', other) !== scopeOf('measures', row) || layerOf(other) <= layerOf(row),
          ),
        )
        const deciding = effectiveRows(rows).measures
        expect(new Set(deciding)).toEqual(new Set(expected))
        expect(deciding).toHaveLength(expected.length)
      }),
      { numRuns: 2_000 },
    )
  })

  test('give the same rows when applied twice, and when a set is added and removed', () => {
    fc.assert(
      fc.property(anyRows, fc.array(anyMeasure, { maxLength: 4 }), (rows, added) => {
        const once = effectiveRows(rows)
        expect(effectiveRows(once)).toEqual(once)
        const measures = added.map((row) => ({ ...row, dataSet: 'new' }))
        const head = { name: 'new', title: 'new', source: 'new', date: '2026-11-01', cycleDays: null }
        const above = withSet(rows, head, { measures })
        expect(new Set(effectiveRows(above).measures.filter((row) => row.dataSet === 'new'))).toEqual(
          new Set(measures),
        )
        expect(withoutSet(above, 'new')).toEqual(rows)
      }),
      { numRuns: 1_000 },
    )
  })
})
