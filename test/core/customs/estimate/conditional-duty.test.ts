/**
 * Entry prices, anti-dumping duties by additional code, and quotas of an imported TARIC file. The rows of the file are
 * invented. Figures are calculated by hand.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { compileCustoms } from '../../../../src/core/customs/compiled-customs.ts'
import type {
  ConditionalDutyRow,
  MeasureRow,
  MeasureTypeRow,
} from '../../../../src/core/customs/data/row-types/measures.ts'
import { lineQuotas, lineRateRange, lineSource } from '../../../../src/core/customs/estimate/explain/line.ts'
import type { ContentItem } from '../../../../src/core/customs/request.ts'
import { findConditionalDuties } from '../../../../src/core/customs/tariff/conditional-duty.ts'
import { readFile } from '../../../reference/tariff-import/read-fixture.ts'
import {
  BASE_TYPE,
  conditionalDuty,
  customsRows,
  exchangeRate,
  jurisdiction,
  measure,
  measureType,
} from '../../../support/customs/customs-rows.ts'
import { lineTexts, shortLines, smallEstimate } from '../../../support/customs/small-estimate.ts'

const file = readFile('taric-workbook', readFileSync('test/fixtures/customs/taric-duties.csv'), {
  jurisdiction: 'AA',
})
const rows = customsRows({
  jurisdictions: [jurisdiction('AA'), jurisdiction('CN'), jurisdiction('CL')],
  measures: file.tables.measures ?? [],
  conditionalDuties: file.tables.conditionalDuties ?? [],
  measureTypes: [BASE_TYPE, ...(file.tables.measureTypes ?? [])],
  exchangeRates: [exchangeRate('USD', '1')],
})

function estimate(code: string, cost: number, item: Partial<ContentItem> = {}, from = 'CN') {
  return smallEstimate(rows, [[code, 1, cost, item]], { from: { country: from } })
}

/** Duty lines without code. */
function duties(result: ReturnType<typeof estimate>): readonly string[] {
  return shortLines(result).flatMap((line) =>
    line.includes('Import tax') ? [] : [line.slice(line.indexOf(' ') + 1)],
  )
}

const MFN = 'Most-favoured-nation duty'

describe('anti-dumping and countervailing duties on an electric bicycle from China', () => {
  test('are charged by the additional code', () => {
    // EUR 1,000: 6% = 60.00, 9.9% = 99.00, 3.9% = 39.00.
    const result = estimate('8711601000', 1000, { additionalCode: 'C383' })
    expect(duties(result)).toEqual([`${MFN} 6000`, 'Anti-dumping duty 9900', 'Countervailing duty 3900'])
    expect(lineTexts(result)[1]).toContain('Additional code C383.')
  })
  test('are charged at the residual rate if its code is given', () => {
    expect(duties(estimate('8711601000', 1000, { additionalCode: 'C999' }))).toEqual([
      `${MFN} 6000`,
      'Anti-dumping duty 70100',
      'Countervailing duty 17200',
    ])
  })
  test.each([
    ['without a code', {}, 'which is not given'],
    ['with another code', { additionalCode: 'C000' }, 'and C000 is not one of them'],
  ])('have a range %s', (_name, item, text) => {
    const result = estimate('8711601000', 1000, item)
    expect(duties(result)).toEqual([
      `${MFN} 6000`,
      'Anti-dumping duty (not estimated) 0?',
      'Countervailing duty (not estimated) 0?',
    ])
    expect(result.complete).toBe(false)
    expect(lineTexts(result)[1]).toContain(text)
    expect(lineTexts(result)[1]).toContain('The rates range from 9.9% to 70.1%.')
    const line = result.taxes[1]!
    const range = { lowestPercent: '9.9', highestPercent: '70.1' }
    expect(lineSource(result.consignment, line)?.range).toEqual(range)
    expect(lineRateRange(line)).toEqual(range)
  })
  test('are charged by item, if items have different codes', () => {
    const items = ['C383', 'C999'].map(
      (additionalCode) => ['8711601000', 1, 1000, { additionalCode }] as const,
    )
    // 9.9% + 70.1% of EUR 1,000 each.
    expect(shortLines(smallEstimate(rows, items, { from: { country: 'CN' } }))[1]).toBe(
      '87116010 Anti-dumping duty 80000',
    )
  })
  test('are not due on goods of another origin', () => {
    expect(duties(estimate('8711601000', 1000, {}, 'CL'))).toEqual([`${MFN} 6000`])
    expect(duties(estimate('8711601000', 1000, { originCountry: 'CL' }))).toEqual([`${MFN} 6000`])
  })
})

describe('duties by additional code among other additional duties', () => {
  const coded = (additionalCode: string, percent: number, rest: Partial<ConditionalDutyRow> = {}) =>
    conditionalDuty({ measureType: 'dumping', additionalCode, adValoremPpm: percent * 10_000, ...rest })
  const dumping = measureType('dumping', 'additional')
  const surcharge = measureType('surcharge', 'additional')
  const lines = (
    conditionalDuties: readonly ConditionalDutyRow[],
    types: readonly MeasureTypeRow[],
    measures: readonly MeasureRow[],
    item: Partial<ContentItem> = {},
  ): readonly string[] =>
    shortLines(
      smallEstimate(
        customsRows({
          measureTypes: [BASE_TYPE, ...types],
          measures: [measure('87', 10), ...measures],
          conditionalDuties,
        }),
        [['871160', 1, 100, item]],
      ),
    ).slice(1, -1)

  test('are charged in the order of the types', () => {
    // 30% of EUR 100, then 10% of the duties before it: 10 + 30.
    const onDuties = measure('', 10, { measureType: 'surcharge', basis: 'duty' })
    const c001 = { additionalCode: 'C001' }
    expect(lines([coded('C001', 30)], [dumping, surcharge], [onDuties], c001)).toEqual([
      '871160 dumping 3000',
      '871160 surcharge 400',
    ])
    expect(lines([coded('C001', 30), coded('C002', 50)], [dumping, surcharge], [onDuties])).toEqual([
      '871160 dumping (not estimated) 0?',
      '871160 surcharge 100',
    ])
  })
  test('exclude later types and are excluded by earlier ones, like other duties', () => {
    const plain = measure('', 20, { measureType: 'surcharge' })
    const exclusive = (type: MeasureTypeRow, name: string): MeasureTypeRow => ({ ...type, notWith: [name] })
    const two = [coded('C001', 30), coded('C002', 50)]
    const c001 = { additionalCode: 'C001' }
    expect(lines(two, [dumping, exclusive(surcharge, 'dumping')], [plain], c001)).toEqual([
      '871160 dumping 3000',
    ])
    expect(lines(two, [dumping, exclusive(surcharge, 'dumping')], [plain])).toEqual([
      '871160 dumping (not estimated) 0?',
    ])
    for (const item of [{}, c001])
      expect(lines(two, [surcharge, exclusive(dumping, 'surcharge')], [plain], item)).toEqual([
        '871160 surcharge 2000',
      ])
  })
  test('leave goods of other codes to the duty without a code', () => {
    const plain = measure('', 70, { measureType: 'dumping' })
    expect(lines([coded('C001', 30)], [dumping], [plain])).toEqual(['871160 dumping 7000'])
    expect(lines([coded('C001', 30)], [dumping], [plain], { additionalCode: 'C001' })).toEqual([
      '871160 dumping 3000',
    ])
  })
  test('apply by the narrowest origin', () => {
    const rows = [coded('C001', 30), coded('C001', 50, { originGroup: 'BB' })]
    for (const duties of [rows, rows.toReversed()])
      expect(lines(duties, [dumping], [], { additionalCode: 'C001' })).toEqual(['871160 dumping 5000'])
  })
})

describe('a quota', () => {
  const pork = { weightGrams: 100_000 }
  const quotas = (result: ReturnType<typeof estimate>) =>
    result.taxes.flatMap((line) =>
      lineQuotas(line).map(({ orderNumber, name, source }) => `${orderNumber} ${name}: ${source.rateText}`),
    )

  test('is shown beside the duty, which it does not change', () => {
    // 100 kg: EUR 77.80.
    const result = estimate('0203115000', 300, { ...pork, originCountry: 'CL' }, 'CL')
    expect(duties(result)).toEqual([`${MFN} 7780`])
    expect(quotas(result)).toEqual([
      '090123 Preferential tariff quota: 0%',
      '090038 Tariff quota: 20 EUR/100 kg',
    ])
  })
  test('is shown once on a line that joins goods of several origins', () => {
    const items = ['CL', undefined].map(
      (originCountry) =>
        ['0203115000', 1, 300, { ...pork, ...(originCountry !== undefined && { originCountry }) }] as const,
    )
    const result = smallEstimate(rows, items, { from: { country: 'CL' } })
    expect(duties(result)).toEqual([`${MFN} 15560`])
    expect(quotas(result)).toEqual([
      '090123 Preferential tariff quota: 0%',
      '090038 Tariff quota: 20 EUR/100 kg',
    ])
  })
  test('for one origin is not shown if no origin is given', () => {
    expect(quotas(estimate('0203115000', 300, pork, 'CL'))).toEqual(['090038 Tariff quota: 20 EUR/100 kg'])
  })
  test('is not shown for other goods', () => {
    expect(quotas(estimate('8711601000', 300))).toEqual([])
  })
})

test.each([
  ['2026-11-21', 1200, { lowestPercent: '5', highestPercent: '12' }],
  ['2026-07-01', 200, { lowestPercent: '2', highestPercent: '5' }],
])('the range of a six-digit code has the rates of the season on %s', (date, cents, range) => {
  const seasonal = { condition: 'seasonal', text: '12% (01 NOV-31 MAY), 2% (01 JUN-31 OCT)' } as const
  const lines = [measure('08044010', '', seasonal), measure('08044020', 5), measure('08044090', '', seasonal)]
  const data = customsRows({ measures: lines })
  const [line] = smallEstimate(data, [['080440', 1, 100]], {}, date).taxes
  expect(line?.amountCents).toBe(cents)
  expect(line && lineRateRange(line)).toEqual(range)
})

describe('an entry price', () => {
  const tomatoes = { weightGrams: 100_000 }

  test.each([
    // 100 kg of tomatoes. EUR 62.60: 8.8% = 5.5088.
    [62.6, 551],
    // EUR 62.00 per 100 kg reaches 61.3: 8.8% = 5.456, and 1.3.
    [62, 676],
    // EUR 50.00: 8.8% = 4.40, and 29.8.
    [50, 3420],
  ])('of EUR %d per 100 kg', (cost, cents) => {
    expect(duties(estimate('0702000007', cost, tomatoes))).toEqual([`${MFN} ${cents}`])
  })
  test('needs the net weight', () => {
    const result = estimate('0702000007', 62)
    expect(duties(result)).toEqual([`${MFN} (not estimated) 0?`])
    expect(lineTexts(result)[0]).toContain('depends on the price per net weight')
  })
})

test('a duty by additional code is compiled once, not for each day and origin', () => {
  const ofAnyOrigin = customsRows({
    measureTypes: [BASE_TYPE, measureType('anti_dumping', 'additional')],
    conditionalDuties: ['C100', 'C101'].map((additionalCode) =>
      conditionalDuty({ measureType: 'anti_dumping', additionalCode, adValoremPpm: 50_000 }),
    ),
  })
  const { conditional } = compileCustoms(ofAnyOrigin)
  const found = ['2026-11-20', '2026-11-21'].flatMap((day) =>
    ['BB', 'CC'].flatMap((origin) => findConditionalDuties(conditional.get('AA')!, '610910', day, origin)),
  )
  expect(found.length).toBe(8)
  expect(new Set(found).size).toBe(2)
})
