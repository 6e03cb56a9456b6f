/** Which rules on restricted goods concern a request: by route, code, words, value and day. */
import { describe, expect, test } from 'vitest'
import { type CompiledCustoms, compileCustoms } from '../../../src/core/customs/compiled-customs.ts'
import { unpackRows } from '../../../src/core/customs/data/packed-rows.ts'
import type { RestrictionRow } from '../../../src/core/customs/data/row-types/restrictions.ts'
import { estimateRequest, givenCode } from '../../../src/core/customs/estimate/estimate.ts'
import type { DutiesRequest } from '../../../src/core/customs/request.ts'
import { restrictionsOn } from '../../../src/core/restrictions/restrictions.ts'
import { shippedCustoms } from '../../../src/reference/customs.ts'
import { customsRows, jurisdiction } from '../../support/customs/customs-rows.ts'
import { shippedTables } from '../../support/customs/shipped-tables.ts'

type Goods = readonly [description: string, code?: string | undefined, value?: number]

const TODAY = '2026-11-28'

/** The rules on goods as "severity rule items". */
function rulesOn(
  tables: CompiledCustoms,
  from: string,
  to: string,
  goods: readonly Goods[],
  date = TODAY,
): readonly string[] {
  const request: DutiesRequest = {
    from: { country: from },
    to: { country: to },
    items: goods.map(([description, tariff, value = 100]) => ({
      ...{ description, numberOfItems: 1, costSteps: value * 1_000_000, tariff },
    })),
  }
  const codes = goods.map(([, code]) => (code === undefined ? undefined : givenCode(code)))
  const estimate = estimateRequest(tables, request, codes, date)
  return restrictionsOn(estimate, request).map(
    ({ row, items }) => `${row.severity} ${row.rule} ${items.join(',')}`,
  )
}

function rule(name: string, rest: Partial<RestrictionRow>): RestrictionRow {
  return {
    dataSet: 'test',
    rule: name,
    destinations: [],
    excludedDestinations: [],
    sentFrom: [],
    excludedSenders: [],
    codePrefixes: [],
    words: '',
    exceptWords: '',
    itemValueAbove: '',
    severity: 'prohibited',
    text: `The text of ${name}.`,
    validFrom: null,
    validTo: null,
    source: '',
    readOn: null,
    confidence: 'low',
    note: '',
    ...rest,
  }
}

function tablesOf(...restrictions: readonly RestrictionRow[]): CompiledCustoms {
  return compileCustoms(
    customsRows({
      jurisdictions: [
        jurisdiction('AA', { customsAreas: ['UNION'] }),
        jurisdiction('AB', { customsAreas: ['UNION'] }),
        jurisdiction('BB'),
        jurisdiction('CC'),
      ],
      originGroups: [{ dataSet: 'test', originGroup: 'GROUP', country: 'CC' }],
      restrictions,
    }),
  )
}

describe('a rule concerns a route', () => {
  const names = (tables: CompiledCustoms, from: string, to: string): readonly string[] =>
    rulesOn(tables, from, to, [['shirt', '610910']]).map((text) => text.split(' ')[1]!)

  test('by country, customs area or group of the destination', () => {
    const tables = tablesOf(
      rule('country', { destinations: ['AA'] }),
      rule('area', { destinations: ['UNION'] }),
      rule('group', { destinations: ['GROUP'] }),
      rule('other', { destinations: ['BB'] }),
      rule('except', { codePrefixes: ['61'], excludedDestinations: ['UNION'] }),
    )
    expect(names(tables, 'BB', 'AA')).toEqual(['country', 'area'])
    expect(names(tables, 'BB', 'CC')).toEqual(['group', 'except'])
  })
  test('by country, customs area or group of the sender', () => {
    const tables = tablesOf(
      rule('area', { sentFrom: ['UNION'] }),
      rule('group', { sentFrom: ['GROUP'] }),
      rule('not-from-area', { destinations: ['BB'], excludedSenders: ['UNION'] }),
    )
    expect(names(tables, 'AA', 'BB')).toEqual(['area'])
    expect(names(tables, 'CC', 'BB')).toEqual(['not-from-area', 'group'])
  })
  test('only across a customs border, unless it names neither destination nor sender', () => {
    const tables = tablesOf(
      rule('import', { destinations: ['UNION'] }),
      rule('export', { sentFrom: ['UNION'] }),
      rule('everywhere', { codePrefixes: ['61'] }),
    )
    expect(names(tables, 'AB', 'AA')).toEqual(['everywhere'])
    expect(names(tables, 'AA', 'AA')).toEqual(['everywhere'])
  })
  test('on the days that it is in force', () => {
    const tables = tablesOf(
      rule('dated', { destinations: ['AA'], validFrom: '2026-01-01', validTo: '2026-06-01' }),
    )
    const on = (date: string) => rulesOn(tables, 'BB', 'AA', [['shirt']], date)
    expect(on('2025-12-31')).toEqual([])
    expect(on('2026-01-01')).toHaveLength(1)
    expect(on('2026-06-01')).toEqual([])
  })
})

describe('a rule concerns goods', () => {
  const names = (row: Partial<RestrictionRow>, ...goods: readonly Goods[]): readonly string[] =>
    rulesOn(tablesOf(rule('rule', row)), 'BB', 'AA', goods)

  test('by the beginning of their code', () => {
    expect(names({ codePrefixes: ['2203', '2208'] }, ['x', '610910'], ['x', '220830'])).toEqual([
      'prohibited rule 1',
    ])
    expect(names({ codePrefixes: ['2203'] }, ['beer'])).toEqual([])
  })
  test.each([
    ['pepper spray', true],
    ['Pepper Sprays, 2 pieces', true],
    ['self-defence PEPPER-SPRAY with holster', true],
    ['pepper mill and spray', false],
    ['spray pepper', false],
    ['pepper, spray', false],
    ['holster for pepper spray', false],
    ['pepper sprayer', false],
  ])('by whole words of their description: %s', (description, isConcerned) => {
    expect(names({ words: 'pepper spray' }, [description])).toHaveLength(isConcerned ? 1 : 0)
  })
  test('unless other words show that the goods are different', () => {
    const row = { words: 'ivory', exceptWords: 'ivory dress;faux' }
    expect(names(row, ['ivory dress'])).toEqual([])
    expect(names(row, ['faux ivory box'])).toEqual([])
    expect(names(row, ['antique box of ivory'])).toHaveLength(1)
  })
  test('by code and words together', () => {
    const row = { codePrefixes: ['8211'], words: 'knife' }
    expect(names(row, ['knife', '820551'], ['blade', '821192'])).toEqual([])
    expect(names(row, ['knife', '821192'])).toHaveLength(1)
  })
  test('by the value of each item', () => {
    const row = { codePrefixes: ['61'], itemValueAbove: '300' }
    expect(names(row, ['shirt', '610910', 300])).toEqual([])
    expect(names(row, ['shirt', '610910', 300.01])).toHaveLength(1)
  })
  test('all of them, if it names neither codes nor words', () => {
    expect(names({ destinations: ['AA'] }, ['a', '610910'], ['b'])).toEqual(['prohibited rule 0,1'])
  })
})

test('rows of one rule are one restriction, and the most severe rule comes first', () => {
  const tables = tablesOf(
    rule('batteries', { severity: 'carrier_restricted', codePrefixes: ['8507'] }),
    rule('batteries', { severity: 'carrier_restricted', words: 'power bank' }),
    rule('food', { severity: 'conditions_apply', codePrefixes: ['19'] }),
    rule('arms', { severity: 'prohibited', codePrefixes: ['93'] }),
    rule('plants', { severity: 'licence_required', codePrefixes: ['06'] }),
  )
  const goods: readonly Goods[] = [
    ['power bank'],
    ['battery pack', '850760'],
    ['bread', '190590'],
    ['rifle', '930330'],
    ['rose', '060240'],
  ]
  expect(rulesOn(tables, 'BB', 'AA', goods)).toEqual([
    'prohibited arms 3',
    'licence_required plants 4',
    'conditions_apply food 2',
    'carrier_restricted batteries 0,1',
  ])
})

describe('the shipped rules', () => {
  const tables = shippedTables()
  test.each([
    ['a laptop to North Korea', 'DE', 'KP', ['laptop', '847130'], 'prohibited eu-north-korea 0'],
    ['a drone to Russia', 'DE', 'RU', ['toy drone', '880621'], 'prohibited eu-russia-drones 0'],
    [
      'pepper spray to the United Kingdom',
      'US',
      'GB',
      ['pepper spray 50 ml'],
      'prohibited gb-pepper-spray 0',
    ],
    ['wine to Saudi Arabia', 'FR', 'SA', ['red wine', '220421'], 'prohibited alcohol-prohibited 0'],
    [
      'food to the United States',
      'IT',
      'US',
      ['biscuits', '190531'],
      'conditions_apply us-fda-prior-notice 0',
    ],
    ['cheese to Germany', 'US', 'DE', ['cheese', '040690'], 'prohibited eu-meat-and-milk 0'],
    [
      'a power bank',
      'CN',
      'FR',
      ['power bank 20000 mAh', '850760'],
      'carrier_restricted lithium-batteries-loose 0',
    ],
    ['perfume', 'FR', 'US', ['eau de parfum', '330300'], 'carrier_restricted perfume 0'],
    ['a vape to Singapore', 'CN', 'SG', ['vape pen', '854340'], 'prohibited vapes-prohibited 0'],
    ['a drone to Morocco', 'FR', 'MA', ['quadcopter', '880622'], 'prohibited drones-prohibited 0'],
    [
      'used clothing to Algeria',
      'FR',
      'DZ',
      ['used clothing', '630900'],
      'prohibited used-clothing-prohibited 0',
    ],
    ['an electric bicycle', 'CN', 'DE', ['e-bike', '871160'], 'carrier_restricted large-batteries 0'],
  ] as const)('have one for %s', (_name, from, to, goods, expected) => {
    expect(rulesOn(tables, from, to, [goods])).toContain(expected)
  })
  test.each([
    ['a T-shirt', 'CN', 'DE', ['cotton T-shirt', '610910']],
    ['a wine glass to Saudi Arabia', 'FR', 'SA', ['wine glass', '701328']],
    ['a phone case', 'CN', 'GB', ['phone case with stand for smartphone', '392690']],
    ['an ivory dress', 'CN', 'US', ['ivory dress', '620443']],
    ['cheese within the EU', 'FR', 'DE', ['cheese', '040690']],
    ['cheese from Switzerland', 'CH', 'DE', ['cheese', '040690']],
    ['a drone bag to Morocco', 'FR', 'MA', ['drone bag', '420292']],
    ['a cheap shirt to Germany', 'GB', 'DE', ['shirt', '610510']],
    ['a knife block', 'CN', 'GB', ['wooden knife block', '441990']],
  ] as const)('have none for %s', (_name, from, to, goods) => {
    expect(rulesOn(tables, from, to, [goods])).toEqual([])
  })
  test('a T-shirt to Russia is only to be checked; one of EUR 400 is a luxury', () => {
    expect(rulesOn(tables, 'DE', 'RU', [['T-shirt', '610910', 20]])).toEqual([
      'conditions_apply eu-russia-general 0',
    ])
    expect(rulesOn(tables, 'DE', 'RU', [['T-shirt', '610910', 400]])).toContain(
      'prohibited eu-russia-luxury 0',
    )
  })
  test('every row is found by a request for its route and goods', () => {
    const rows = unpackRows(shippedCustoms().tables.restrictions)
    expect(rows.length).toBeGreaterThan(150)
    const missing = rows.filter((row) => {
      const to = placeIn(row.destinations) ?? (row.sentFrom.includes('US') ? 'JP' : 'US')
      const from = placeIn(row.sentFrom) ?? ['AU', 'CL'].find((country) => country !== to)!
      const description = row.words.split(';')[0] || 'goods'
      const code = row.codePrefixes[0]?.padEnd(6, '0')
      const value = row.itemValueAbove === '' ? 1 : Number(row.itemValueAbove) + 1
      const date = row.validTo === null ? TODAY : (row.validFrom ?? '2020-01-01')
      const found = rulesOn(tables, from, to, [[description, code, value]], date)
      return !found.some((text) => text.split(' ')[1] === row.rule)
    })
    expect(missing.map(({ rule: name, words }) => `${name} ${words}`)).toEqual([])
  })
  test('rows of one rule have one text and one severity', () => {
    const texts = new Map<string, string>()
    for (const { rule: name, severity, text } of unpackRows(shippedCustoms().tables.restrictions)) {
      expect(texts.get(name) ?? `${severity} ${text}`).toBe(`${severity} ${text}`)
      texts.set(name, `${severity} ${text}`)
    }
  })
})

/** A country of the first place. */
function placeIn([place]: readonly string[]): string | undefined {
  return place === 'EU' ? 'DE' : place
}
