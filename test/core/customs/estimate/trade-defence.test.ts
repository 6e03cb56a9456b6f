/**
 * Trade defence measures whose rates are not loaded: which goods have a line, what it says, and that an imported duty
 * replaces it.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { unpackRows } from '../../../../src/core/customs/data/packed-rows.ts'
import type { TradeDefenceRow } from '../../../../src/core/customs/data/row-types/trade-defence.ts'
import { estimateRequest, givenCode } from '../../../../src/core/customs/estimate/estimate.ts'
import { describeLine, lineSource } from '../../../../src/core/customs/estimate/explain/line.ts'
import { shippedCustoms } from '../../../../src/reference/customs.ts'
import { readFile } from '../../../reference/tariff-import/read-fixture.ts'
import { BASE_TYPE, customsRows, jurisdiction, measure } from '../../../support/customs/customs-rows.ts'
import { shippedTables } from '../../../support/customs/shipped-tables.ts'
import {
  lineTexts,
  type SmallItem,
  shortLines,
  smallEstimate,
} from '../../../support/customs/small-estimate.ts'

function row(kind: TradeDefenceRow['kind'], rest: Partial<TradeDefenceRow> = {}): TradeDefenceRow {
  return {
    dataSet: 'test',
    jurisdiction: 'AA',
    kind,
    codePrefix: '871160',
    originGroup: 'CN',
    excludedOrigins: [],
    goods: 'electric bicycles',
    validFrom: '2019-01-19',
    validTo: null,
    source: 'Act 1',
    readOn: '2026-11-28',
    confidence: 'medium',
    note: '',
    ...rest,
  }
}

function estimate(
  tradeDefence: readonly TradeDefenceRow[],
  items: readonly SmallItem[],
  { from = 'CN', date = '2026-11-21' } = {},
) {
  const rows = customsRows({
    jurisdictions: [jurisdiction('AA'), jurisdiction('CN'), jurisdiction('CL')],
    measures: [measure('8711', 6)],
    tradeDefence,
  })
  return smallEstimate(rows, items, { from: { country: from } }, date)
}

const MFN = '871160 Most-favoured-nation duty'

describe('goods of a measure', () => {
  const rows = [row('countervailing'), row('anti_dumping')]
  const result = estimate(rows, [['871160', 1, 1500]])

  test('have a line without an amount for each kind, and the estimate is not complete', () => {
    expect(shortLines(result).slice(0, 3)).toEqual([
      `${MFN} 9000`,
      '871160 Anti-dumping duty (not estimated) 0?',
      '871160 Countervailing duty (not estimated) 0?',
    ])
    expect(result.complete).toBe(false)
  })
  test('have a text with the goods, the origin, what to do and the source', () => {
    expect(lineTexts(result)[1]).toBe(
      'May apply to goods of origin CN: electric bicycles. No origin is given, so the sending country counts as the ' +
        'origin. The rate is not loaded, and usually depends on the producer: ask the seller who made the goods, and ' +
        'a customs broker for the rate. Source: Act 1. Test data of 2026-01-01, confidence medium.',
    )
  })
  test('have a line of low reliability', () => {
    expect(lineSource(result.consignment, result.taxes[1]!)).toMatchObject({
      ...{ measureType: 'anti_dumping', codePrefix: '871160', origin: 'CN', confidence: 'low' },
    })
  })
  test('have one line if several measures of a kind name them', () => {
    const two = [row('anti_dumping'), row('anti_dumping', { goods: 'cargo bicycles', source: 'Act 2' })]
    const joined = estimate(two, [['871160', 1, 100]])
    expect(shortLines(joined).filter((line) => line.includes('Anti-dumping'))).toHaveLength(1)
    expect(lineTexts(joined)[1]).toContain('electric bicycles; cargo bicycles.')
    expect(lineTexts(joined)[1]).toContain('Source: Act 1; Act 2.')
  })
})

describe('the lines depend on', () => {
  const names = (result: ReturnType<typeof estimate>): readonly string[] =>
    result.taxes.map(({ name }) => name).filter((name) => name.includes('not estimated'))
  const ANTI_DUMPING = ['Anti-dumping duty (not estimated)']
  const defence = [row('anti_dumping')]

  test('the origin: the given one, otherwise the sending country', () => {
    const ofDefence = (item: SmallItem, from: string) =>
      names(estimate(defence, [item], { from })).filter((name) => name.startsWith('Anti-dumping'))
    expect(ofDefence(['871160', 1, 100, { originCountry: 'CN' }], 'CL')).toEqual(ANTI_DUMPING)
    expect(ofDefence(['871160', 1, 100, { originCountry: 'CL' }], 'CN')).toEqual([])
    expect(ofDefence(['871160', 1, 100], 'CL')).toEqual([])
  })
  test('the day', () => {
    const until2020 = [row('anti_dumping', { validTo: '2020-01-01' })]
    const on = (date: string) =>
      names(estimate(until2020, [['871160', 1, 100]], { date })).filter((name) => name.startsWith('Anti'))
    expect(on('2019-12-31')).toEqual(ANTI_DUMPING)
    expect(on('2020-01-01')).toEqual([])
    expect(on('2019-01-18')).toEqual([])
  })
  test('the code: a six-digit code leaves open whether a longer one applies', () => {
    const longer = [row('anti_dumping', { codePrefix: '87116010' })]
    const of = (code: string) =>
      names(estimate(longer, [[code, 1, 100]])).filter((name) => name.startsWith('Anti'))
    expect(of('871160')).toEqual(ANTI_DUMPING)
    expect(of('871150')).toEqual([])
  })
  test('the excluded origins of a measure for all origins', () => {
    const all = [row('safeguard', { originGroup: 'ALL', excludedOrigins: ['CL'] })]
    const from = (country: string) =>
      names(estimate(all, [['871160', 1, 100]], { from: country })).filter((name) => name.startsWith('Safe'))
    expect(from('CN')).toEqual(['Safeguard duty (not estimated)'])
    expect(from('CL')).toEqual([])
  })
})

test('lots of different origins are not joined, so the line is for the goods of the measure only', () => {
  const result = estimate(
    [row('anti_dumping')],
    [
      ['871160', 1, 100, { originCountry: 'CN' }],
      ['871160', 1, 50, { originCountry: 'CL' }],
    ],
  )
  const line = result.taxes.find(({ name }) => name.startsWith('Anti'))
  expect(line?.items).toEqual([0])
})

describe('an imported TARIC file', () => {
  const file = readFile('taric-workbook', readFileSync('test/fixtures/customs/taric-duties.csv'), {
    jurisdiction: 'AA',
  })
  const rows = customsRows({
    jurisdictions: [jurisdiction('AA'), jurisdiction('CN')],
    measures: file.tables.measures ?? [],
    conditionalDuties: file.tables.conditionalDuties ?? [],
    measureTypes: [BASE_TYPE, ...(file.tables.measureTypes ?? [])],
    tradeDefence: [
      row('anti_dumping'),
      row('countervailing'),
      row('safeguard'),
      row('anti_dumping', { codePrefix: '871200', goods: 'bicycles' }),
    ],
  })
  const linesOf = (code: string, additionalCode?: string) =>
    smallEstimate(rows, [[code, 1, 1000, { additionalCode }]], { from: { country: 'CN' } }).taxes.map(
      ({ name, amountCents }) => `${name} ${amountCents}`,
    )

  test('replaces the lines of its kinds for the same code and origin', () => {
    expect(linesOf('8711601000', 'C999').filter((line) => line.includes('nti-dumping'))).toEqual([
      'Anti-dumping duty 70100',
    ])
    expect(linesOf('8711601000').filter((line) => /dumping|vailing/.test(line))).toEqual([
      'Anti-dumping duty (not estimated) 0',
      'Countervailing duty (not estimated) 0',
    ])
  })
  test('leaves the lines of other kinds and of other goods', () => {
    expect(linesOf('8711601000', 'C999')).toContain('Safeguard duty (not estimated) 0')
    expect(linesOf('871200')).toContain('Anti-dumping duty (not estimated) 0')
  })
})

describe('the shipped measures', () => {
  const tables = shippedTables()
  const lines = (from: string, to: string, code: string, cost = 300) => {
    const request = {
      from: { country: from },
      to: { country: to },
      items: [{ description: 'goods', numberOfItems: 1, costSteps: cost * 1_000_000, tariff: code }],
    }
    const result = estimateRequest(tables, request, [givenCode(code)], '2026-11-28')
    const texts = result.taxes.map((line) => describeLine(result.consignment, line))
    const defence = result.taxes.map(({ name }) => name).filter((name) => / duty \(not/.test(name))
    return { defence, complete: result.complete, text: texts.join(' ') }
  }
  test.each([
    [
      'an electric bicycle',
      'CN',
      'DE',
      '871160',
      ['Anti-dumping', 'Countervailing'],
      'with an electric motor',
    ],
    ['a bicycle', 'CN', 'DE', '871200', ['Anti-dumping'], 'bicycles without a motor'],
    ['a bicycle of Cambodia', 'KH', 'FR', '871200', ['Anti-dumping'], 'bicycles without a motor'],
    ['porcelain', 'CN', 'DE', '691110', ['Anti-dumping'], 'ceramic tableware'],
    ['a folding bicycle', 'CN', 'GB', '871160', ['Anti-dumping', 'Countervailing'], 'folding bicycles'],
    ['a mattress', 'CN', 'US', '940429', ['Anti-dumping', 'Countervailing'], 'mattresses'],
    ['candles', 'CN', 'US', '340600', ['Anti-dumping'], 'petroleum wax'],
  ])('%s has a line', (_name, from, to, code, kinds, goods) => {
    const { defence, complete, text } = lines(from, to, code)
    expect(defence).toEqual(kinds.map((kind) => `${kind} duty (not estimated)`))
    expect(complete).toBe(false)
    expect(text).toContain(goods)
  })
  test.each([
    ['a T-shirt', 'CN', 'DE', '610910'],
    ['a bicycle of Taiwan', 'TW', 'DE', '871200'],
    ['a laptop', 'CN', 'US', '847130'],
    ['a cream', 'CN', 'DE', '330499'],
  ])('%s has no line and no sentence about such duties', (_name, from, to, code) => {
    const { defence, text } = lines(from, to, code)
    expect(defence).toEqual([])
    expect(text).not.toMatch(/dumping|countervailing|safeguard|suspension/i)
  })
  test('every row is found by a request for its code and origin on its day', () => {
    const rows = unpackRows(shippedCustoms().tables.tradeDefence)
    expect(rows.length).toBeGreaterThan(500)
    const missing = rows.filter(
      ({ jurisdiction: area, codePrefix, originGroup, validFrom, validTo, goods }) => {
        const origin = originGroup === 'ALL' ? 'CN' : originGroup
        const date = validTo === null ? '2026-11-28' : (validFrom ?? '2020-01-01')
        const code = codePrefix.padEnd(6, '0')
        const request = {
          from: { country: origin },
          to: { country: area === 'EU' ? 'DE' : area },
          items: [{ description: 'goods', numberOfItems: 1, costSteps: 2_000_000_000 }],
        }
        const { taxes, consignment } = estimateRequest(tables, request, [givenCode(code)], date)
        return !taxes.some((line) => !line.computed && describeLine(consignment, line).includes(goods))
      },
    )
    expect(missing.map(({ jurisdiction: area, codePrefix }) => `${area} ${codePrefix}`)).toEqual([])
  })
})
