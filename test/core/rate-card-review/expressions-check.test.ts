/** Conditions that never hold and formulas that never charge anything are found, and none of those that do. */
import { describe, expect, test } from 'vitest'
import { checkRateCard } from '../../../src/core/rate-card-review/check/card-check.ts'
import type { SurchargeRow } from '../../../src/core/rating/rate-card.ts'
import { readDemoRateBook } from '../../../src/reference/rate-cards/rate-card-csv.ts'

const demo = readDemoRateBook()
const at = demo.content.surcharges.findIndex(
  ({ carrierCode, code }) => carrierCode === 'rondeel' && code === 'HEAVY',
)

/** The findings of the demo card with another row, which the demo card does not have. */
function findingsOf(change: Partial<SurchargeRow>): ReturnType<typeof checkRateCard> {
  const surcharges = demo.content.surcharges.map((row, index) =>
    index === at ? { ...row, trigger: 'always', ...change } : row,
  )
  return checkRateCard({ ...demo, content: { ...demo.content, surcharges } })
}

describe('a zone that the products do not have is a fault', () => {
  test.each([
    'zone = 9',
    'kg > 3 and zone != 12',
    'zone in (1, 9)',
    'zone in 9..12',
  ])('in %s', (condition) => {
    expect(findingsOf({ condition }).faults).toEqual([
      {
        ...{ table: 'surcharges', index: at, field: 'condition' },
        ...{ expected: 'zones of the products of the row (0, 1, 2, 3, 4, 5, 6, 7, 8)', found: condition },
      },
    ])
  })

  test('in a formula by zone', () => {
    const formula = 'by zone {0..8: 3, 9: 4, else: 2}'
    expect(findingsOf({ method: 'formula', amount: 0, formula }).faults).toMatchObject([
      { table: 'surcharges', index: at, field: 'formula', found: formula },
    ])
  })
})

describe('a condition that never holds is a warning', () => {
  test.each([
    'longest > 48 cm and longest < 20 cm',
    'kg >= 20 and (kg < 20 and domestic)',
    'longest > 4800 in',
    'kg < 0',
    'zone = 1 and zone = 2',
    ...['zone >= 12', 'zone in 12..', 'zone in ..-1 and domestic'],
    'pieces = 0 or longest > 101 m',
  ])('as %s', (condition) => {
    expect(findingsOf({ condition })).toMatchObject({
      faults: [],
      warnings: [{ table: 'surcharges', index: at, field: 'condition', found: condition }],
    })
  })

  test('also of a service', () => {
    const services = demo.content.services.map((row, index) =>
      index === 0 ? { ...row, condition: 'kg > 30 and kg < 5' } : row,
    )
    const { warnings } = checkRateCard({ ...demo, content: { ...demo.content, services } })
    expect(warnings).toMatchObject([{ table: 'services', index: 0, field: 'condition' }])
  })
})

test.each([
  '-2 * billed_kg',
  '0',
  'min(0, 3 - 2 * billed_kg)',
])('a formula that is never above 0 is a warning: %s', (formula) => {
  expect(findingsOf({ method: 'formula', per: 'unit', amount: 0, formula }).warnings).toMatchObject([
    { table: 'surcharges', index: at, field: 'formula', expected: 'an amount that can be above 0' },
  ])
})

test.each([
  ...['zone in 3..4', 'zone in 3..12', 'zone > 3', 'longest > 48 cm and longest < 49 cm'],
  ...['kg >= 20 and kg <= 20', 'longest >= 100 m', 'not (kg > 20 and kg < 5)', 'kg > 20 or kg < 5'],
])('a condition that can hold is none: %s', (condition) => {
  expect(findingsOf({ condition })).toMatchObject({ faults: [], warnings: [] })
})

test.each([
  '2 * billed_kg - 10',
  'by zone {0..3: 2, 4..: 3}',
])('a formula that can be above 0 is none: %s', (formula) => {
  expect(findingsOf({ method: 'formula', per: 'unit', amount: 0, formula })).toMatchObject({
    faults: [],
    warnings: [],
  })
})
