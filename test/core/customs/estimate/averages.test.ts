/** Duties of groups of goods and of subheadings: basis, range, sentences, and whether averages count. */
import { describe, expect, test } from 'vitest'
import { compileCustoms } from '../../../../src/core/customs/compiled-customs.ts'
import type { MeasureRow } from '../../../../src/core/customs/data/row-types/measures.ts'
import type { CustomsRows } from '../../../../src/core/customs/data/rows.ts'
import type { DutiesEstimate } from '../../../../src/core/customs/estimate/estimate.ts'
import { estimateRequest, givenCode } from '../../../../src/core/customs/estimate/estimate.ts'
import {
  dutyBasis,
  lineFormula,
  lineRateRange,
  lineSource,
} from '../../../../src/core/customs/estimate/explain/line.ts'
import type { DutiesRequest } from '../../../../src/core/customs/request.ts'
import {
  average,
  BASE_TYPE,
  customsRows,
  jurisdiction,
  measure,
  measureType,
  tax,
  taxRate,
  threshold,
} from '../../../support/customs/customs-rows.ts'
import {
  lineTexts,
  type SmallItem,
  shortLines,
  smallEstimate,
} from '../../../support/customs/small-estimate.ts'
import { caseCount } from '../../../support/random/case-count.ts'
import { randomCustomsRows } from '../../../support/random/customs.ts'
import { randomCustomsRequest, withPlainCodes } from '../../../support/random/customs-request.ts'
import { diceOf } from '../../../support/random/seeded-dice.ts'

const MFN = 'Most-favoured-nation duty'
const SHIRTS: SmallItem = ['610910', 1, 100]

const CLOTHING = average('61', 19.8, 'clothing')
const RANGE: MeasureRow = average('', 0, 'all goods', {
  ...{ adValoremPpm: null, condition: 'range_only', lowestPpm: 42_000, highestPpm: 115_000 },
})

function estimate(
  measures: readonly MeasureRow[],
  items: readonly SmallItem[] = [SHIRTS],
  request: Partial<DutiesRequest> = {},
  rest: Partial<CustomsRows> = {},
): DutiesEstimate {
  const rows = customsRows({
    measureTypes: [BASE_TYPE, measureType('preference', 'preference', { name: 'Preference' })],
    jurisdictions: [jurisdiction('AA', { name: 'Nigeria' }), jurisdiction('BB')],
    taxes: [tax('VAT')],
    taxRates: [taxRate('VAT', 10)],
    measures,
    ...rest,
  })
  return smallEstimate(rows, items, request)
}

const basesOf = ({ taxes }: DutiesEstimate) => taxes.map(dutyBasis)
const rangesOf = ({ taxes }: DutiesEstimate) => taxes.map(lineRateRange)

describe('an average', () => {
  test('is charged on goods without a rate, and says what it is the average of', () => {
    const answer = estimate([CLOTHING])
    expect(shortLines(answer)).toEqual([`610910 ${MFN} (average) 1980`, '610910 VAT 1198'])
    expect(lineTexts(answer)[0]).toBe(
      'Average duty on clothing in Nigeria: 19.8% of the goods value EUR 100.00 (freight and insurance not given). ' +
        'Individual rates range from 5% to 20% (112 codes). ' +
        'Test data of 2026-01-01, confidence low.',
    )
    expect(basesOf(answer)).toEqual(['GROUP_AVERAGE', undefined])
    expect(rangesOf(answer)).toEqual([{ lowestPercent: '5', highestPercent: '20' }, undefined])
    expect(answer).toMatchObject({ estimateCents: 3178, complete: true })
  })

  test('has low reliability, whatever its row says', () => {
    const { taxes, consignment } = estimate([{ ...CLOTHING, confidence: 'high' }])
    expect(taxes[0] && lineSource(consignment, taxes[0])).toMatchObject({
      confidence: 'low',
      rateText: '19.8%',
      range: { lowestPercent: '5', highestPercent: '20' },
    })
  })

  test('of a longer prefix applies before one of a shorter prefix', () => {
    const measures = [average('', 8, 'all goods'), CLOTHING, average('6109', 15, 'T-shirts')]
    expect(shortLines(estimate(measures))[0]).toBe(`610910 ${MFN} (average) 1500`)
    expect(shortLines(estimate(measures, [['950300', 1, 100]]))[0]).toBe(`950300 ${MFN} (average) 800`)
  })

  test.each([
    ['a line', measure('61091000', 12)],
    ['a subheading', measure('610910', 12, { level: 'subheading' })],
    ['a rule for a chapter', measure('61', 12)],
    ['a rule for all goods', measure('', 12)],
  ])('does not apply where there is %s, whatever the length of the prefixes', (_, rate) => {
    const answer = estimate([CLOTHING, average('610910', 15, 'T-shirts'), rate])
    expect(answer.taxes[0]).toMatchObject({ name: MFN, amountCents: 1200 })
    expect(basesOf(answer)[0]).not.toBe('GROUP_AVERAGE')
  })

  test('does not take part in the usual rate of the lines below a heading', () => {
    const lines = [measure('61091010', 12), average('61091020', 5, 'x'), average('61091030', 5, 'y')]
    expect(shortLines(estimate(lines))[0]).toBe(`61091010 ${MFN} 1200`)
  })

  test('does not hide a line whose rate is not loaded', () => {
    const line = measure('610910', 0, { adValoremPpm: null, condition: 'not_loaded', text: 'see notes' })
    expect(shortLines(estimate([CLOTHING, line]))[0]).toBe(`610910 ${MFN} (not estimated) 0?`)
  })

  test('gives way to the rate of an agreement, even a higher one', () => {
    const preference = measure('61', 25, { measureType: 'preference', originGroup: 'CC', agreement: 'AA-CC' })
    const answer = estimate([CLOTHING, preference], [['610910', 1, 100, { originCountry: 'CC' }]])
    expect(shortLines(answer)[0]).toBe('610910 Preference (AA-CC) 2500')
    expect(basesOf(answer)[0]).toBe('NATIONAL_LINE')
  })
})

describe('an average that does not count', () => {
  const answer = estimate([CLOTHING], [SHIRTS], { countAverages: false })

  test('has a line of zero, with what it would be in its description', () => {
    expect(shortLines(answer)).toEqual([`610910 ${MFN} (average, not counted) 0?`, '610910 VAT 1000'])
    expect(lineTexts(answer)[0]).toBe(
      'Not counted: averages are excluded from this estimate. ' +
        'Average duty on clothing in Nigeria: 19.8% of the goods value EUR 100.00 (freight and insurance not given), ' +
        'which is EUR 19.80. Individual rates range from 5% to 20% (112 codes). Test data of 2026-01-01, confidence low.',
    )
    expect(answer.taxes[0] && lineFormula(answer.consignment, answer.taxes[0])).toBe('')
  })

  test('is neither in the total nor in the base of the tax, and the estimate is incomplete', () => {
    expect(answer).toMatchObject({ estimateCents: 1000, complete: false })
    expect(lineTexts(answer)[1]).toContain('The import duty that could not be estimated is not in the base.')
    expect(basesOf(answer)[0]).toBe('GROUP_AVERAGE')
    expect(rangesOf(answer)[0]).toEqual({ lowestPercent: '5', highestPercent: '20' })
  })

  test('leaves other goods as they are', () => {
    const measures = [CLOTHING, measure('950300', 5)]
    const items: readonly SmallItem[] = [SHIRTS, ['950300', 1, 100]]
    expect(shortLines(estimate(measures, items, { countAverages: false }))).toContain(`950300 ${MFN} 500`)
  })
})

describe('the range of the averages of a country', () => {
  test('is shown next to a duty that is not estimated, and never charged', () => {
    const answer = estimate([RANGE])
    expect(shortLines(answer)[0]).toBe('610910 Import duty (not estimated) 0?')
    expect(lineTexts(answer)[0]).toBe(
      'No tariff is loaded for Nigeria. The average duty on all goods in Nigeria is between 4.2% and 11.5%. ' +
        'Test data of 2026-01-01, confidence low.',
    )
    expect(rangesOf(answer)[0]).toEqual({ lowestPercent: '4.2', highestPercent: '11.5' })
    expect(basesOf(answer)[0]).toBe('NOT_LOADED')
    expect(answer.complete).toBe(false)
  })

  test('is not shown where there is an average', () => {
    expect(shortLines(estimate([RANGE, CLOTHING]))[0]).toBe(`610910 ${MFN} (average) 1980`)
  })
})

describe('the basis of a duty', () => {
  const line = measure('61091000', 12)
  test.each<[string, readonly MeasureRow[], string | undefined, SmallItem?]>([
    ['the line of a full code', [line], 'NATIONAL_LINE', ['61091000', 1, 100]],
    ['the only line below a subheading', [line], 'NATIONAL_LINE'],
    ['lines below a subheading that agree', [line, measure('61091090', 12)], 'NATIONAL_LINE'],
    ['lines below a subheading that differ', [line, measure('61091090', 5)], 'SUBHEADING'],
    ['a rate of six digits', [measure('610910', 12, { level: 'subheading' })], 'SUBHEADING'],
    [
      'a rate of six digits that was calculated from several lines',
      [measure('610910', 12, { lowestPpm: 100_000, highestPpm: 120_000, lineCount: 3 })],
      'SUBHEADING',
    ],
    ['a rule for a chapter', [measure('61', 12)], 'NATIONAL_LINE'],
    [
      'a rate that is not loaded',
      [measure('61', 0, { adValoremPpm: null, condition: 'not_loaded', text: 'x' })],
      'NOT_LOADED',
    ],
    ['a duty by weight for goods without a weight', [measure('61', '9 EUR/100 kg')], 'NATIONAL_LINE'],
    ['no tariff', [], 'NOT_LOADED'],
  ])('of %s', (_, measures, basis, item = SHIRTS) => {
    expect(basesOf(estimate(measures, [item]))).toEqual([basis, undefined])
  })

  test('of goods under a low-value rule is that of a rule', () => {
    const thresholds = [threshold('flat_per_item', { limitAmount: '150', flatAmount: '3' })]
    expect(basesOf(estimate([CLOTHING], [SHIRTS], {}, { thresholds }))[0]).toBe('NATIONAL_LINE')
  })

  test('of a joined line is the less certain one', () => {
    const items: readonly SmallItem[] = [
      ['610910', 1, 100, { originCountry: 'CC' }],
      ['610910', 1, 100, { originCountry: 'DD' }],
    ]
    const measures = [
      measure('610910', 12, { level: 'subheading', originGroup: 'CC' }),
      measure('610910', 8, { originGroup: 'DD' }),
    ]
    expect(basesOf(estimate(measures, items))).toEqual(['SUBHEADING', undefined])
  })
})

describe('a rate of six digits says so', () => {
  test.each([
    [{}, 'The rate is known only for subheading 610910; codes within it may have other rates.'],
    [
      { lowestPpm: 50_000, highestPpm: 120_000, lineCount: 3 },
      'The rate is known only for subheading 610910; national lines range from 5% to 12%.',
    ],
    [
      { lowestPpm: 120_000, highestPpm: 120_000, lineCount: 3 },
      'The rate is known only for subheading 610910; all 3 national lines have this rate.',
    ],
    [
      { lowestPpm: 120_000, highestPpm: 120_000, lineCount: 1 },
      'The rate is known only for subheading 610910, from a single national line.',
    ],
  ])('with %j', (rest, sentence) => {
    expect(lineTexts(estimate([measure('610910', 12, { level: 'subheading', ...rest })]))[0]).toContain(
      sentence,
    )
  })
})

const REQUESTS = caseCount(1_500, 50_000)

describe(`on ${REQUESTS} generated requests with averages`, () => {
  test('totals are sums, every duty has a basis, and no average replaces a known rate', () => {
    const faults: string[] = []
    let averages = 0
    for (let seed = 1, count = 0; count < REQUESTS; seed++) {
      const dice = diceOf(seed)
      const rows = randomCustomsRows(dice)
      const areas = [...new Set(rows.jurisdictions.flatMap(({ customsAreas }) => customsAreas))]
      const added = areas.flatMap((area) =>
        ['', '6', '61', '6109', '8703'].map((prefix) =>
          average(prefix.length === 1 ? '95' : prefix, 10, 'goods', { jurisdiction: area }),
        ),
      )
      const plain = compileCustoms(rows)
      const withAverages = compileCustoms({ ...rows, measures: [...added, ...rows.measures] })
      for (let inWorld = 0; inWorld < 250; inWorld++, count++) {
        const { request, date } = randomCustomsRequest(dice, rows)
        const asked = { ...withPlainCodes(request), countAverages: dice.chance(0.7) }
        const codes = asked.items.map(({ tariff }) => (tariff === undefined ? undefined : givenCode(tariff)))
        const before = estimateRequest(plain, asked, codes, date)
        const after = estimateRequest(withAverages, asked, codes, date)
        averages += after.taxes.filter((line) => dutyBasis(line) === 'GROUP_AVERAGE').length
        const fault = faultOf(before, after, asked.countAverages)
        if (fault !== '') faults.push(`seed ${seed}, request ${inWorld}: ${fault}`)
      }
    }
    expect(faults.slice(0, 5)).toEqual([])
    expect(averages).toBeGreaterThan(REQUESTS / 20)
  }, 300_000)
})

/** The first fault of an estimate with averages, compared with the estimate without them; empty if there is none. */
function faultOf(before: DutiesEstimate, after: DutiesEstimate, isCounted: boolean): string {
  const sum = after.taxes.reduce((total, { amountCents }) => total + amountCents, 0)
  if (sum !== after.estimateCents) return `lines add up to ${sum}, the estimate is ${after.estimateCents}`
  for (const line of after.taxes) {
    const basis = dutyBasis(line)
    if ((basis !== undefined) !== (line.kind === 'DUTY' || line.kind === 'COMBINED'))
      return `${line.name} has the basis ${basis}`
    if (basis === 'NOT_LOADED' && line.computed && line.calculation.kind !== 'joined')
      return `${line.name} is computed and not loaded`
    if (basis === 'GROUP_AVERAGE' && line.calculation.kind !== 'joined' && line.computed !== isCounted)
      return `${line.name} counts: ${line.computed}`
  }
  if (!isCounted && after.complete && after.taxes.some((line) => dutyBasis(line) === 'GROUP_AVERAGE'))
    return 'complete without the averages'
  // Averages take the place of lines that were not estimated, and of nothing else.
  const known = before.taxes.filter(({ kind, computed }) => kind === 'DUTY' && computed)
  for (const { harmonizedCode, name } of known) {
    const same = after.taxes.some((line) => line.harmonizedCode === harmonizedCode && line.name === name)
    if (!same) return `${harmonizedCode} ${name} is missing`
  }
  return ''
}
