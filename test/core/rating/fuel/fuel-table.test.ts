import { describe, expect, test } from 'vitest'
import { fuelOn } from '../../../../src/core/rate-card-review/difference/fuel-changes.ts'
import { explainLine } from '../../../../src/core/rating/explain/explain.ts'
import {
  type FuelIndexValue,
  type FuelSources,
  type FuelTable,
  fuelInForce,
  periodAfter,
  periodOf,
} from '../../../../src/core/rating/fuel/fuel-table.ts'
import { quote } from '../../../../src/core/rating/quote.ts'
import type { FuelRate } from '../../../../src/core/rating/rate-card.ts'
import { recompute } from '../../../support/oracle/rating/recompute-rule.ts'
import { diceOf } from '../../../support/random/seeded-dice.ts'
import { parcels, readPriceList, requestOf, route } from '../../../support/rates/price-list.ts'
import { bookOf } from '../../../support/rates/rate-cards.ts'

const KEY = { carrierCode: 'morgenhaas', code: 'FUEL' }

/** The weekly form of air carriers: the value of the week two weeks before, "at least" and "below". */
const WEEKLY: FuelTable = {
  ...KEY,
  validFrom: '2026-09-07',
  indexCode: 'jet',
  period: 'week',
  lag: 2,
  bounds: 'at least',
  steps: [
    { upperE4: 2_4400, rateBps: 2000 },
    { lowerE4: 2_4400, upperE4: 2_5000, rateBps: 2050 },
    { lowerE4: 2_5000, rateBps: 2100, stepE4: 600, stepRateBps: 50 },
  ],
}
/** The monthly form of road carriers: the value of two months before, "above" and "up to". */
const MONTHLY: FuelTable = {
  ...KEY,
  validFrom: '2026-09-01',
  indexCode: 'diesel',
  period: 'month',
  lag: 2,
  bounds: 'over',
  steps: [
    { upperE4: 120_0000, rateBps: 800 },
    { lowerE4: 120_0000, rateBps: 800, stepE4: 5_0000, stepRateBps: 25 },
  ],
}

const value = (indexCode: string, day: string, valueE4: number): FuelIndexValue => ({
  indexCode,
  day,
  valueE4,
})

function on(day: string, sources: Partial<FuelSources>) {
  return fuelOn(fuelInForce({ rates: [], tables: [], values: [], ...sources }), KEY, day)
}

describe('a weekly table', () => {
  const values = [value('jet', '2026-08-24', 2_4400), value('jet', '2026-08-31', 2_4399)]

  test('takes the value of the week two weeks before, and changes on Monday', () => {
    // Monday 7 September: the week of 24 August, 2.44 is at least 2.44.
    expect(on('2026-09-07', { tables: [WEEKLY], values })).toMatchObject({
      rateBps: 2050,
      validFrom: '2026-09-07',
      index: { indexCode: 'jet', valueE4: 2_4400, day: '2026-08-24', step: 'at least 2.44 and below 2.5' },
    })
    expect(on('2026-09-13', { tables: [WEEKLY], values })?.rateBps).toBe(2050)
    // The week of 31 August, 2.4399 is below 2.44.
    expect(on('2026-09-14', { tables: [WEEKLY], values })?.rateBps).toBe(2000)
    expect(on('2026-09-06', { tables: [WEEKLY], values })).toBeUndefined()
  })

  test.each([
    // 21% from 2.50, and 0.5 points for each full 0.06 above it.
    [2_5000, 2100],
    [2_5599, 2100],
    [2_5600, 2150],
    [2_6200, 2200],
    [0, 2000],
  ])('has the step of the value %i', (valueE4, rateBps) => {
    const tables = [WEEKLY]
    expect(on('2026-09-07', { tables, values: [value('jet', '2026-08-30', valueE4)] })?.rateBps).toBe(rateBps)
  })

  test('takes the latest value of a week', () => {
    const twice = [value('jet', '2026-08-24', 2_5000), value('jet', '2026-08-28', 2_4400)]
    expect(on('2026-09-07', { tables: [WEEKLY], values: twice })?.rateBps).toBe(2050)
  })
})

describe('a monthly table', () => {
  test.each([
    // Colissimo's form: 8.00% up to 120, and 0.25 points for each started 5 points above.
    [120_0000, 800],
    [120_0001, 825],
    [125_0000, 825],
    [125_1000, 850],
  ])('takes the value of two months before: %i', (valueE4, rateBps) => {
    const sources = { tables: [MONTHLY], values: [value('diesel', '2026-07-15', valueE4)] }
    expect(on('2026-09-01', sources)?.rateBps).toBe(rateBps)
    expect(on('2026-09-30', sources)?.rateBps).toBe(rateBps)
  })
})

test('GLS: an index of 107.4 to 109.7 is 11%', () => {
  // The list states values with one decimal, so that the next step begins at 109.8.
  const steps = [
    { upperE4: 107_4000, rateBps: 1050 },
    { lowerE4: 107_4000, upperE4: 109_8000, rateBps: 1100 },
    { lowerE4: 109_8000, rateBps: 1150 },
  ]
  const table: FuelTable = { ...MONTHLY, bounds: 'at least', steps }
  const of = (valueE4: number) =>
    on('2026-09-01', { tables: [table], values: [value('diesel', '2026-07-15', valueE4)] })?.rateBps
  expect([107_3000, 107_4000, 109_7000, 109_8000].map(of)).toEqual([1050, 1100, 1100, 1150])
})

describe('a missing value', () => {
  test('is replaced by the one before it, for 31 days, and the figure says so', () => {
    const values = [value('jet', '2026-08-24', 2_4400)]
    // Week of 14 September: the week of 31 August has no value.
    expect(on('2026-09-14', { tables: [WEEKLY], values })).toMatchObject({
      rateBps: 2050,
      index: { day: '2026-08-24', keptSince: '2026-08-31' },
    })
    // Week of 5 October: the week of 21 September, 28 days after 24 August.
    expect(on('2026-10-11', { tables: [WEEKLY], values })?.rateBps).toBe(2050)
    // Week of 12 October: 35 days.
    expect(on('2026-10-12', { tables: [WEEKLY], values })).toMatchObject({
      rateBps: undefined,
      missing: 'the index jet has no value of the week of 2026-09-28',
    })
    expect(on('2030-01-01', { tables: [WEEKLY], values })?.rateBps).toBeUndefined()
  })

  test('of a month is replaced for one month', () => {
    const values = [value('diesel', '2026-07-01', 110_0000)]
    expect(on('2026-10-31', { tables: [MONTHLY], values })).toMatchObject({
      rateBps: 800,
      index: { keptSince: '2026-08-01' },
    })
    expect(on('2026-11-01', { tables: [MONTHLY], values })?.missing).toMatch(/month of 2026-09-01$/)
  })

  test('before the first one is not replaced', () => {
    const values = [value('jet', '2026-09-07', 2_4400)]
    expect(on('2026-09-07', { tables: [WEEKLY], values })?.missing).toMatch(/week of 2026-08-24$/)
    expect(on('2026-09-21', { tables: [WEEKLY], values })?.rateBps).toBe(2050)
    expect(on('2026-09-07', { tables: [WEEKLY] })?.missing).toBeDefined()
  })

  test('is not a value outside the steps, which has no figure either', () => {
    const [first, second] = WEEKLY.steps
    const tables = [{ ...WEEKLY, steps: [first!, second!] }]
    const values = [value('jet', '2026-08-24', 2_5000), value('jet', '2026-08-31', 2_4400)]
    expect(on('2026-09-07', { tables, values })?.missing).toBe(
      'the table has no step for 2.5, the value of jet of 2026-08-24',
    )
    expect(on('2026-09-14', { tables, values })?.rateBps).toBe(2050)
  })
})

describe('tables and entered figures', () => {
  const values = [value('jet', '2026-08-24', 2_4400), value('diesel', '2026-07-01', 110_0000)]
  const rate = (validFrom: string): FuelRate => ({ ...KEY, validFrom, rateBps: 999 })

  test('replace each other on their first days', () => {
    const rates = [rate('2026-01-01'), rate('2026-09-09')]
    const sources = { rates, tables: [WEEKLY], values }
    const figures = ['2026-09-06', '2026-09-07', '2026-09-08', '2026-09-09', '2026-09-14', '2027-01-01']
    expect(figures.map((day) => on(day, sources)?.rateBps)).toEqual([999, 2050, 2050, 999, 999, 999])
  })

  test('of the same day: the entered figure applies', () => {
    expect(on('2026-09-07', { rates: [rate('2026-09-07')], tables: [WEEKLY], values })?.rateBps).toBe(999)
  })

  test('a later table replaces an earlier one in the middle of its period', () => {
    const sources = { tables: [MONTHLY, { ...WEEKLY, validFrom: '2026-09-10' }], values }
    expect(['2026-09-09', '2026-09-10'].map((day) => on(day, sources)?.rateBps)).toEqual([800, 2050])
  })

  test('of other carriers and codes have no effect', () => {
    const other = { ...WEEKLY, carrierCode: 'other', validFrom: '2026-09-01' }
    expect(on('2026-09-07', { rates: [rate('2026-01-01')], tables: [other], values })?.rateBps).toBe(999)
  })
})

/** Day by day, from the definition. */
function slowly(table: FuelTable, values: readonly FuelIndexValue[], day: string): number | undefined {
  const wanted = periodAfter(table.period, periodOf(table.period, day), -table.lag)
  const end = periodAfter(table.period, wanted, 1)
  const before = values.filter(({ day: other }) => other < end).sort((a, b) => (a.day < b.day ? 1 : -1))[0]
  if (before === undefined) return undefined
  if ((Date.parse(wanted) - Date.parse(before.day)) / 86_400_000 > 31) return undefined
  return before.valueE4
}

test('a table has the figure of its definition on every day, for random values, lags and periods', () => {
  const dice = diceOf(48)
  for (let round = 0; round < 60; round++) {
    const lag = dice.int(0, 4)
    const period = dice.pick(['week', 'month'] as const)
    // The figure is the value: one step of 1 for each unit.
    const steps = [{ lowerE4: 0, rateBps: 0, stepE4: 1, stepRateBps: 1 }]
    const dayAt = (offset: number): string =>
      new Date(Date.UTC(2026, 0, 1 + offset)).toISOString().slice(0, 10)
    const table = { ...WEEKLY, validFrom: dayAt(dice.int(60, 200)), lag, period, steps }
    const days = new Set(Array.from({ length: dice.int(0, 25) }, () => dice.int(0, 400)))
    const values = [...days].map((offset) => value('jet', dayAt(offset), dice.int(1, 99_999)))
    const figures = fuelInForce({ rates: [], tables: [table], values })
    for (let offset = 0; offset < 600; offset++) {
      const day = dayAt(offset)
      const expected = day < table.validFrom ? undefined : slowly(table, values, day)
      expect(fuelOn(figures, KEY, day)?.rateBps, `${round} ${day}`).toBe(expected)
    }
  }
})

describe('the price', () => {
  const card = readPriceList('regional-next-day')
  // Three parcels of 1.5 kg: 3 × 4.95 = 14.85, and 5.60 for one of 2.5 kg. Toll 4 × 0.15.
  const ROWS = [parcels(1.5, '30x20x10', 3), parcels(2.1, '30x20x10')]
  const CONTRACT = { accountId: 'acme', validFrom: '2026-01-01', fuelBps: -5_000 }

  function priced(sources: Partial<FuelSources>, day = '2026-09-07', isAgreed = false) {
    const fuel = fuelInForce({ rates: [], tables: [], values: [], ...sources })
    const book = bookOf({ ...card, fuel: [] }, {}, isAgreed ? [CONTRACT] : [], fuel)
    const quoted = quote(book, requestOf(route('NL', 'NL', ROWS)), day, isAgreed ? 'acme' : undefined)
    const [option] = quoted.options
    const line = option?.lines.find(({ kind }) => kind === 'FUEL')
    const rule = option && line && explainLine(option, option.lines.indexOf(line))
    if (rule !== undefined) expect(recompute(rule.inputs)).toBe(line?.amountCents)
    return { cents: line?.amountCents, rule, declined: quoted.declined.map(({ decline }) => decline) }
  }

  test.each([
    // 0.35 × 4 parcels.
    ['parcel', 3500, 140, '4 parcels × 0.35 EUR'],
    // 0.0125 × 4 = 0.05.
    ['parcel', 125, 5, '4 parcels × 0.0125 EUR'],
    // 0.085 × (3 × 1.5 + 2.5) kg = 0.595.
    ['kg', 850, 60, '7 kg × 0.085 EUR, rounded half up to the cent'],
  ] as const)('has an amount per %s of %i', (per, rateBps, cents, formula) => {
    const rates = [{ ...KEY, validFrom: '2026-01-01', rateBps, per }]
    expect(priced({ rates })).toMatchObject({ cents, rule: { formula } })
  })

  test('has half the amount with a contract that halves fuel', () => {
    const rates = [{ ...KEY, validFrom: '2026-01-01', rateBps: 850, per: 'kg' as const }]
    // 0.0425 × 7 = 0.2975.
    expect(priced({ rates }, '2026-09-07', true)).toMatchObject({
      cents: 30,
      rule: {
        formula: '7 kg × 0.0425 EUR (0.085 EUR, changed by -50% by contract), rounded half up to the cent',
      },
    })
  })

  test('names index, value and step', () => {
    const sources = { tables: [WEEKLY], values: [value('jet', '2026-08-24', 2_4650)] }
    // 20.5% of 20.45 = 4.19225.
    const { cents, rule } = priced(sources)
    expect(cents).toBe(419)
    expect(rule?.inputs).toEqual(
      expect.arrayContaining([
        { name: 'rate', value: '20.5%' },
        { name: 'rate since', value: '2026-09-07' },
        { name: 'fuel index', value: 'jet' },
        { name: 'index value', value: '2.465 of 2026-08-24' },
        { name: 'index step', value: 'at least 2.44 and below 2.5' },
      ]),
    )
    expect(priced(sources, '2026-09-14').rule?.inputs).toContainEqual({
      name: 'index value missing since',
      value: '2026-08-31',
    })
  })

  test('does not exist while the figure is not known', () => {
    expect(priced({ tables: [WEEKLY] }).declined).toEqual([
      { code: 'NO_FUEL_RATE', reason: 'The fuel surcharge of this day is not known' },
    ])
  })

  test('of a table per parcel follows the index', () => {
    const steps = [{ lowerE4: 0, rateBps: 1200, stepE4: 10_0000, stepRateBps: 50 }]
    const sources = {
      tables: [{ ...MONTHLY, bounds: 'at least' as const, per: 'parcel' as const, steps }],
      values: [value('diesel', '2026-07-01', 115_0000)],
    }
    // 0.12 + 11 × 0.005 = 0.175 for each of 4 parcels.
    expect(priced(sources)).toMatchObject({ cents: 70, rule: { formula: '4 parcels × 0.175 EUR' } })
  })
})
