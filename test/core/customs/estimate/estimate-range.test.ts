/**
 * The range of the total: its order on the shipped data, its ends by hand, and that it contains the total of every
 * national line that a six-digit code may stand for.
 */
import { describe, expect, test } from 'vitest'
import { compileCustoms } from '../../../../src/core/customs/compiled-customs.ts'
import type { CustomsRows } from '../../../../src/core/customs/data/rows.ts'
import { estimateRequest, givenCode } from '../../../../src/core/customs/estimate/estimate.ts'
import {
  type EstimateRange,
  estimateRange,
} from '../../../../src/core/customs/estimate/explain/estimate-range.ts'
import type { DutiesRequest } from '../../../../src/core/customs/request.ts'
import { findTariffEntry, lineCodes } from '../../../../src/core/customs/tariff/tariff.ts'
import {
  average,
  BASE_TYPE,
  conditionalDuty,
  customsRows,
  fee,
  jurisdiction,
  measure,
  measureType,
  tax,
  taxRate,
  threshold,
} from '../../../support/customs/customs-rows.ts'
import { shippedTables } from '../../../support/customs/shipped-tables.ts'
import { randomCustomsRows } from '../../../support/random/customs.ts'
import { randomCustomsRequest, withPlainCodes } from '../../../support/random/customs-request.ts'
import { diceOf } from '../../../support/random/seeded-dice.ts'

const shipped = shippedTables()
const DAY = '2026-11-28'

type Question = {
  readonly from?: string
  readonly to: string
  /** None: the item has no code. */
  readonly code?: string
  readonly euro: number
  readonly originCountry?: string
  readonly rest?: Partial<DutiesRequest>
}

function rangeOf(question: Question, tables = shipped): EstimateRange {
  const { from = 'CN', to, code, euro, originCountry, rest } = question
  const item = { description: 'goods', numberOfItems: 1, costSteps: euro * 1_000_000 }
  const request: DutiesRequest = {
    from: { country: from },
    to: { country: to },
    items: [originCountry === undefined ? item : { ...item, originCountry }],
    ...rest,
  }
  const codes = [code === undefined ? undefined : givenCode(code)]
  return estimateRange({ tables, request, codes, date: DAY }, estimateRequest(tables, request, codes, DAY))
}

/** "least / likely / most" in cents. */
function ends({ leastCents, likelyCents, mostCents = Number.NaN }: EstimateRange): string {
  return `${leastCents} / ${likelyCents} / ${mostCents}`
}

/** On goods of EUR 100 from "BB" to "AA", with a tax of 10% on value, duty and fees. */
function small(rest: Partial<CustomsRows>, question: Partial<Question> = {}): EstimateRange {
  const rows = customsRows({
    measureTypes: [BASE_TYPE],
    jurisdictions: [jurisdiction('AA'), jurisdiction('BB')],
    taxes: [tax('VAT')],
    taxRates: [taxRate('VAT', 10)],
    measures: [measure('610910', 10)],
    ...rest,
  })
  return rangeOf({ from: 'BB', to: 'AA', code: '610910', euro: 100, ...question }, compileCustoms(rows))
}

const BUSINESS = { recipient: 'business' } as const
const COURIER = { importScheme: 'COURIER' } as const

describe('on the shipped data, the range', () => {
  test('of shoes is that of the lines, and names what decides', () => {
    const range = rangeOf({ from: 'PT', to: 'US', code: '640411', euro: 70, rest: COURIER })
    expect(range.leastCents).toBeLessThan(range.likelyCents)
    expect(range.mostCents).toBe(range.likelyCents)
    expect(range.decision).toMatch(
      /^The material and the price decide: the duty on 640411 is between [\d.]+% and [\d.]+%\.$/,
    )
  })

  test('of goods under the USMCA begins without section 338', () => {
    const range = rangeOf({
      from: 'CA',
      to: 'US',
      code: '610910',
      euro: 50,
      originCountry: 'CA',
      rest: COURIER,
    })
    expect(ends(range)).toBe('0 / 2500 / 2500')
    expect(range.decision).toContain('Section 338 duty on goods of Canada decides')
  })

  test('of an electric bicycle from China has no upper bound, and says so', () => {
    const range = rangeOf({ to: 'DE', code: '871160', euro: 1500, rest: BUSINESS })
    expect(range).toMatchObject({ mostCents: undefined, leastCents: range.likelyCents })
    expect(range.withoutBound).toEqual(['Anti-dumping duty', 'Countervailing duty'])
    expect(range.decision).toBe(
      'No upper bound is known, because a part is not estimated: Anti-dumping duty, Countervailing duty.',
    )
  })

  test('covers the import schemes if none is given', () => {
    const sweater = { from: 'GB', to: 'IE', code: '61101100', euro: 80, originCountry: 'GB' }
    const open = rangeOf(sweater)
    expect([open.leastCents, open.likelyCents]).toEqual([1840, 2209])
    expect(open.decision).toMatch(
      /^Whether the seller is registered for IOSS.*: under IOSS EUR 22\.09, with a/,
    )
    expect(rangeOf({ ...sweater, rest: { importScheme: 'IOSS' } }).leastCents).toBe(2209)
  })

  test('of a national line with one rate is a single amount', () => {
    const range = rangeOf({ to: 'DE', code: '61091000', euro: 300, rest: BUSINESS })
    expect(ends(range)).toBe([range.likelyCents, range.likelyCents, range.likelyCents].join(' / '))
    expect(range.decision).toBeUndefined()
  })

  test('is ordered for every country, and null at the top exactly if a part has no bound', () => {
    const codes = ['610910', '640411', '851713', '940360', '220830', '871160', undefined]
    const faults: string[] = []
    for (const { code: to } of shipped.jurisdictions.values()) {
      if (!/^[A-Z]{2}$/.test(to)) continue
      for (const code of codes)
        for (const euro of [20, 140, 1500]) {
          const question = code === undefined ? { to, euro } : { to, code, euro }
          const { leastCents, likelyCents, mostCents, withoutBound } = rangeOf(question)
          const isOrdered = leastCents <= likelyCents && likelyCents <= (mostCents ?? likelyCents)
          const isWhole = [leastCents, likelyCents, mostCents ?? 0].every(Number.isSafeInteger)
          const isExplained = (mostCents === undefined) === withoutBound.length > 0
          if (!isOrdered || !isWhole || !isExplained) faults.push(JSON.stringify(question))
        }
    }
    expect(faults).toEqual([])
  })
})

/** Every tenth national line, and fewer of the United States, whose lines have most additional duties. */
const STEPS: Readonly<Record<string, number>> = { US: 40 }
const STEP = 10

describe('the range of six digits contains the total of each national line', () => {
  test.each([
    ['DE', 'EU'],
    ['GB', 'GB'],
    ['JP', 'JP'],
    ['ZA', 'SACU'],
    ['CN', 'CN'],
    ['BR', 'BR'],
    ['US', 'US'],
  ])('to %s', (to, area) => {
    const tariff = shipped.tariffs.get(area)
    const lines = tariff === undefined ? [] : lineCodes(tariff).filter((code) => code.length > 6)
    expect(lines.length).toBeGreaterThan(STEP)
    const faults = lines.flatMap((code, index) => {
      if (index % (STEPS[to] ?? STEP) !== 0) return []
      // A line for another unit value than that of the goods is not one of theirs.
      const row = tariff && findTariffEntry(tariff, code, DAY, 'AR')?.measure.row
      if (row === undefined || row.unitValueAbove !== '' || row.unitValueUpTo !== '') return []
      const sample = { to, from: to === 'US' ? 'BR' : 'AR', euro: 300, rest: BUSINESS }
      const { leastCents, mostCents } = rangeOf({ ...sample, code: code.slice(0, 6) })
      const { likelyCents } = rangeOf({ ...sample, code })
      const isInside = leastCents <= likelyCents && likelyCents <= (mostCents ?? likelyCents)
      return isInside ? [] : [`${code}: ${likelyCents} is not in ${leastCents} to ${mostCents}`]
    })
    expect(faults).toEqual([])
  })
})

test('a charge without an amount under another scheme leaves the upper end open', () => {
  const byPost = fee('per_consignment', {
    status: 'not_estimated',
    name: 'Mail fee',
    importSchemes: ['POSTAL'],
  })
  const byCourier = fee('per_consignment', { amount: '1', fee: 'courier', importSchemes: ['COURIER'] })
  const range = small({ fees: [byCourier, byPost] })
  expect([range.mostCents, ...range.withoutBound]).toEqual([undefined, 'Mail fee'])
})

describe('duties on some of the national lines', () => {
  const extra = measureType('extra', 'additional', { name: 'Extra duty' })
  const lines = [measure('61091010', 10), measure('61091090', 10)]
  const onOne = measure('61091010', 30, { measureType: 'extra' })
  const measureTypes = [BASE_TYPE, extra]

  test('are part of the upper end, and the sentence names them', () => {
    const range = small({ measureTypes, measures: [...lines, onOne] })
    // 10 of duty, 30 more on one line, and 10% of both.
    expect(ends(range)).toBe('2100 / 2100 / 5400')
    expect(range.decision).toBe(
      'The national line decides: the Extra duty applies to some of the goods under 610910.',
    )
  })

  test('leave the upper end open if their rate is not known', () => {
    const unknown = { ...onOne, adValoremPpm: null, condition: 'not_loaded' as const }
    const range = small({ measureTypes, measures: [...lines, unknown] })
    expect([range.mostCents, ...range.withoutBound]).toEqual([undefined, 'Extra duty'])
  })

  test('are certain for the national code', () => {
    expect(ends(small({ measureTypes, measures: [...lines, onOne] }, { code: '61091010' }))).toBe(
      '5400 / 5400 / 5400',
    )
  })
})

describe('by hand', () => {
  const lines = [measure('61091010', 5), measure('61091090', 20), measure('61091099', 10)]

  test('the tax follows the duty at each end', () => {
    const range = small({ measures: lines })
    // 5, 10 and 20 of duty, and 10% of 105, 110 and 120.
    expect(ends(range)).toBe('1550 / 2100 / 3200')
    expect(range.decision).toBe('The material or the use decides: the duty on 610910 is between 5% and 20%.')
  })

  test('an amount that is too small to be levied may be levied at the upper end', () => {
    const smallDuty = threshold('not_levied_below', { limitAmount: '15', reason: 'small amounts' })
    expect(ends(small({ measures: lines, thresholds: [smallDuty] }))).toBe('1000 / 1000 / 3200')
  })

  test('lines with a duty by quantity leave the upper end open, and the lower end at zero', () => {
    const range = small({ measures: [measure('61091010', '3 EUR/kg'), measure('61091099', 10)] })
    expect(ends(range)).toBe('1000 / 2100 / NaN')
    expect(range.withoutBound).toEqual(['Most-favoured-nation duty'])
  })

  test('an average that does not count is part of the upper end', () => {
    const measures = [average('61', 12, 'clothing', { lowestPpm: 50_000, highestPpm: 200_000 })]
    expect(ends(small({ measures }))).toBe('1550 / 2320 / 3200')
    expect(ends(small({ measures }, { rest: { countAverages: false } }))).toBe('1000 / 1000 / 3200')
  })

  test('a fee that is not verified is charged at the upper end only', () => {
    const range = small({ fees: [fee('per_consignment', { amount: '7', name: 'New fee', enabled: false })] })
    expect(ends(range)).toBe('2100 / 2100 / 2800')
    expect(range.decision).toBe('Whether the New fee is in force decides, which is not verified.')
  })

  test('a low-value rule that is not verified applies at the lower end only', () => {
    const relief = threshold('relief_up_to', { limitAmount: '150', enabled: false, reason: 'gifts' })
    const range = small({ thresholds: [relief] })
    expect(ends(range)).toBe('1000 / 2100 / 2100')
    expect(range.decision).toContain('which is not verified: gifts.')
  })

  test('a fee without an amount has no upper bound', () => {
    const range = small({ fees: [fee('per_consignment', { status: 'not_estimated', name: 'Levy' })] })
    expect([range.mostCents, ...range.withoutBound]).toEqual([undefined, 'Levy'])
  })

  test('a duty by additional code is between nothing and the highest duty', () => {
    const dumping = measureType('anti_dumping', 'additional', { name: 'Anti-dumping duty' })
    const byCode = (additionalCode: string, percent: number) =>
      conditionalDuty({
        ...{ codePrefix: '61', measureType: 'anti_dumping', additionalCode },
        adValoremPpm: percent * 10_000,
      })
    const range = small({
      measureTypes: [BASE_TYPE, dumping],
      conditionalDuties: [byCode('C001', 20), byCode('C999', 70)],
    })
    // 10 and 70 of duty, and 10% of 180.
    expect(ends(range)).toBe('2100 / 2100 / 9800')
    expect(range.decision).toContain('The additional code decides about the Anti-dumping duty')
  })

  test('a quota may be open, and a preference without rates may free the goods', () => {
    const quota = conditionalDuty({
      ...{ codePrefix: '61', dependsOn: 'quota', measureType: 'quota', orderNumber: '090001' },
      adValoremPpm: 20_000,
    })
    const quotaType = measureType('quota', 'base', { name: 'Tariff quota' })
    expect(ends(small({ measureTypes: [BASE_TYPE, quotaType], conditionalDuties: [quota] }))).toBe(
      '1220 / 2100 / 2100',
    )
    const preference = measureType('preference', 'preference', { name: 'Preferential duty' })
    const agreed = measure('', 0, {
      ...{ measureType: 'preference', originGroup: 'BB', agreement: 'AA-BB', condition: 'not_loaded' },
    })
    const measures = [measure('610910', 10), agreed]
    const range = small({ measureTypes: [BASE_TYPE, preference], measures }, { originCountry: 'BB' })
    expect(ends(range)).toBe('1000 / 2100 / 2100')
  })

  test('an item without a code has no upper bound', () => {
    const { code: _, ...uncoded } = { to: 'AA', from: 'BB', euro: 100, code: '' }
    const range = rangeOf(uncoded, compileCustoms(customsRows({})))
    expect([range.mostCents, ...range.withoutBound]).toEqual([undefined, 'goods'])
  })
})

test('on generated data, the range is ordered, and a complete estimate without open points is a single amount', () => {
  const faults: string[] = []
  for (let seed = 1; seed <= 20; seed++) {
    const dice = diceOf(seed)
    const rows = randomCustomsRows(dice)
    const tables = compileCustoms(rows)
    for (let count = 0; count < 40; count++) {
      const drawn = randomCustomsRequest(dice, rows)
      const request = withPlainCodes(drawn.request)
      const codes = request.items.map(({ tariff }) => (tariff === undefined ? undefined : givenCode(tariff)))
      const inputs = { tables, request, codes, date: drawn.date }
      const estimate = estimateRequest(tables, request, codes, drawn.date)
      const { leastCents, likelyCents, mostCents, decision } = estimateRange(inputs, estimate)
      const isOrdered = leastCents <= likelyCents && likelyCents <= (mostCents ?? likelyCents)
      const isSingle = leastCents === likelyCents && mostCents === likelyCents
      if (!isOrdered || (decision === undefined && !isSingle)) faults.push(`seed ${seed}, request ${count}`)
    }
  }
  expect(faults).toEqual([])
})
