/** Decision tables give the same result as applying the rules one by one, for every combination of values. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  cellOf,
  expandRules,
  NO_RULE,
  offsetAt,
  type Rule,
} from '../../../src/core/classification/decision-table.ts'

const VALUES = [3, 5, 2]

const rule: fc.Arbitrary<Rule> = fc.record({
  code: fc.nat(9),
  values: fc.tuple(
    ...VALUES.map((count) =>
      fc.option(
        fc.array(fc.nat(count - 1)).map((values): ReadonlySet<number> => new Set(values)),
        { nil: undefined },
      ),
    ),
  ),
})

/** All combinations of values. -1 means no value. */
const combinations = [-1, 0, 1, 2].flatMap((first) =>
  [-1, 0, 1, 2, 3, 4].flatMap((second) => [-1, 0, 1].map((third) => [first, second, third])),
)

const firstThatFits = (rules: readonly Rule[], values: readonly number[]): number =>
  rules.find((rule) => rule.values.every((set, position) => set === undefined || set.has(values[position]!)))
    ?.code ?? NO_RULE

describe('a decision table', () => {
  it('has the code of the first matching rule for every combination of values', () => {
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 6 }), (rules) => {
        const table = expandRules('family Tops', rules, VALUES)
        for (const values of combinations)
          expect(table.codes[cellOf(table, values)], values.join()).toBe(firstThatFits(rules, values))
      }),
    )
  })

  it('computes the cell of a combination as a sum over positions', () => {
    const table = expandRules(
      'family Tops',
      [{ code: 7, values: [new Set([1]), new Set([0, 4]), undefined] }],
      VALUES,
    )
    const values = [1, 4, -1]
    const parts = values.map((_, position) => offsetAt(table, values, position))
    expect(parts.reduce((sum, part) => sum + part, 0)).toBe(cellOf(table, values))
    expect(table.codes[cellOf(table, values)]).toBe(7)
  })

  it('shares a cell between values that the same rules name', () => {
    expect(
      expandRules('family Tops', [{ code: 7, values: [undefined, undefined, undefined] }], VALUES).codes,
    ).toHaveLength(1)
    const rules = [{ code: 7, values: [new Set([0, 2]), undefined, undefined] }]
    expect(expandRules('family Tops', rules, VALUES).codes).toHaveLength(2)
  })

  it('refuses more than 100,000 combinations', () => {
    const one = (position: number, value: number): Rule => ({
      code: value,
      values: [0, 1].map((index) => (index === position ? new Set([value]) : undefined)),
    })
    const rules = (count: number) =>
      [0, 1].flatMap((position) => Array.from({ length: count }, (_, value) => one(position, value)))
    expect(expandRules('family Tops', rules(300), [400, 400]).codes).toHaveLength(301 * 301)
    expect(() => expandRules('family Tops', rules(320), [400, 400])).toThrow(
      'family Tops: 103041 combinations of values are more than 100000',
    )
  })
})
