/** How measures are combined. Figures are calculated by hand. By default the request has one item of EUR 1,000.00. */
import { describe, expect, test } from 'vitest'
import type { MeasureRow } from '../../../../src/core/customs/data/row-types/measures.ts'
import type { CustomsRows } from '../../../../src/core/customs/data/rows.ts'
import type { ContentItem } from '../../../../src/core/customs/request.ts'
import {
  BASE_TYPE,
  customsRows,
  exchangeRate,
  jurisdiction,
  measure,
  measureType,
  tax,
  taxRate,
} from '../../../support/customs/customs-rows.ts'
import {
  lineTexts,
  type SmallItem,
  shortLines,
  smallEstimate,
} from '../../../support/customs/small-estimate.ts'

const MFN = 'Most-favoured-nation duty'
const TYPES = [
  BASE_TYPE,
  measureType('pref', 'preference', { name: 'Preference' }),
  measureType('steel', 'additional'),
  measureType('extra', 'additional', { notWith: ['steel'] }),
  measureType('top', 'additional'),
]
const GOODS: SmallItem = ['61091000', 1, 1000]

/** The duty lines with these measures and a base duty of 3%. */
function duties(
  measures: readonly MeasureRow[],
  items: readonly SmallItem[] = [GOODS],
  rest: Partial<CustomsRows> = {},
) {
  const rows = customsRows({ measureTypes: TYPES, measures: [measure('61091000', 3), ...measures], ...rest })
  return shortLines(smallEstimate(rows, items)).filter((line) => !line.includes('Import tax'))
}

function additional(
  measureTypeCode: string,
  rate: number | string,
  rest: Partial<MeasureRow> = {},
): MeasureRow {
  return measure('', rate, { measureType: measureTypeCode, ...rest })
}

describe('an additional duty', () => {
  const base = `61091000 ${MFN} 3000`

  test.each([
    ['is added to the base duty', additional('extra', 10), ['61091000 extra 10000']],
    [
      'tops the base duty up to its rate',
      additional('extra', 10, { kind: 'cap_total' }),
      ['61091000 extra 7000'],
    ],
    [
      'adds nothing if the base duty is higher',
      additional('extra', 2, { kind: 'cap_total' }),
      ['61091000 extra 0'],
    ],
    [
      'is a share of the duties before it if its basis is duty',
      additional('extra', 10, { basis: 'duty' }),
      ['61091000 extra 300'],
    ],
    ['applies to its origin', additional('extra', 10, { originGroup: 'BB' }), ['61091000 extra 10000']],
    ['does not apply to another origin', additional('extra', 10, { originGroup: 'CN' }), []],
    ['does not apply to an excluded origin', additional('extra', 10, { excludedOrigins: ['BB'] }), []],
    ['does not apply from its end date on', additional('extra', 10, { validTo: '2026-11-21' }), []],
    [
      'applies from its first day on',
      additional('extra', 10, { validFrom: '2026-11-21' }),
      ['61091000 extra 10000'],
    ],
    ['does not apply before its first day', additional('extra', 10, { validFrom: '2026-11-22' }), []],
  ])('%s', (_name, row, lines) => {
    expect(duties([row])).toEqual([base, ...lines])
  })

  test('can replace the base duty', () => {
    expect(duties([additional('steel', 25, { kind: 'replace_base' })])).toEqual(['61091000 steel 25000'])
  })

  test('counts all duties before it if it is a floor; if it is a cap, only the base duty or the types it names', () => {
    const both = [additional('steel', 5), additional('top', 15, { kind: 'floor_total' })]
    expect(duties(both)).toEqual([base, '61091000 steel 5000', '61091000 top 7000'])
    const cap = additional('top', 15, { kind: 'cap_total' })
    expect(duties([additional('steel', 5), cap]).at(-1)).toBe('61091000 top 12000')
    const against = { ...cap, against: ['third_country_duty', 'steel'] }
    expect(duties([additional('steel', 5), against]).at(-1)).toBe('61091000 top 7000')
  })

  test('is not charged if its type excludes an earlier type', () => {
    expect(duties([additional('extra', 10), additional('steel', 50)])).toEqual([base, '61091000 steel 50000'])
  })

  test('applies by the longest prefix, then by the narrower origin', () => {
    const rows = [
      additional('extra', 10),
      additional('extra', 20, { codePrefix: '61' }),
      additional('extra', 15, { originGroup: 'BB' }),
      additional('extra', 30, { codePrefix: '61', originGroup: 'BB' }),
    ]
    expect(duties(rows.slice(0, 1)).at(-1)).toBe('61091000 extra 10000')
    expect(duties([rows[0]!, rows[2]!]).at(-1)).toBe('61091000 extra 15000')
    expect(duties(rows.slice(0, 3)).at(-1)).toBe('61091000 extra 20000')
    expect(duties(rows).at(-1)).toBe('61091000 extra 30000')
  })

  test('applies to the codes of a list, except those of another list', () => {
    const lists = {
      codeLists: [
        { dataSet: 'test', codeList: 'shirts', codePrefix: '6109' },
        { dataSet: 'test', codeList: 'exempt', codePrefix: '61091000' },
      ],
    }
    const shirts = additional('extra', 10, { scopeList: 'shirts' })
    const goods: SmallItem[] = [
      ['61091000', 1, 100],
      ['61099020', 1, 100],
      ['62010000', 1, 100],
    ]
    const named = (rows: readonly MeasureRow[]) =>
      duties(rows, goods, lists).filter((line) => line.includes('extra'))
    expect(named([shirts])).toEqual(['61091000 extra 1000', '61099020 extra 1000'])
    expect(named([{ ...shirts, exemptList: 'exempt' }])).toEqual(['61099020 extra 1000'])
  })

  test('is not estimated if its list is not loaded, and the line names the list', () => {
    const goods: SmallItem[] = [['61091000', 1, 1000]]
    const unloaded = [
      additional('extra', 10, { scopeList: 'shirts' }),
      additional('extra', 10, { exemptList: 'shirts' }),
    ]
    for (const row of unloaded) {
      expect(duties([row], goods)).toEqual([base, '61091000 extra (not estimated) 0?'])
      expect(duties([{ ...row, kind: 'replace_base' }], goods)).toHaveLength(2)
      const rows = customsRows({ measureTypes: TYPES, measures: [measure('61091000', 3), row] })
      const estimate = smallEstimate(rows, goods)
      expect(estimate.complete).toBe(false)
      expect(lineTexts(estimate).join('\n')).toMatch(
        /10% (except )?on the goods of the code list shirts, which is not loaded/,
      )
    }
    const elsewhere = additional('extra', 10, { codePrefix: '64', scopeList: 'shoes' })
    expect(duties([elsewhere], goods)).toEqual([base])
  })

  test('has a line that is not estimated if it cannot be calculated', () => {
    const rows = [additional('extra', 0, { adValoremPpm: null, condition: 'not_loaded', text: '25% or 50%' })]
    expect(duties(rows)).toEqual([base, '61091000 extra (not estimated) 0?'])
  })
})

test('a base duty can apply to all codes', () => {
  const rows = customsRows({ measures: [measure('', 5), measure('61', 12)] })
  expect(shortLines(smallEstimate(rows, [['95030000', 1, 100], GOODS])).slice(0, 2)).toEqual([
    `95030000 ${MFN} 500`,
    `61091000 ${MFN} 12000`,
  ])
})

test('two countries can share a tariff without free circulation', () => {
  const sharing = (code: string) => jurisdiction(code, { tariffOf: 'UNION' })
  const rows = customsRows({
    jurisdictions: [sharing('AA'), sharing('BB')],
    measures: [measure('61', 20, { jurisdiction: 'UNION' }), measure('61', 5)],
    thresholds: [],
  })
  expect(shortLines(smallEstimate(rows, [GOODS]))[0]).toBe(`61091000 ${MFN} 20000`)
})

describe('a preference', () => {
  const zero = measure('', 0, { measureType: 'pref', originGroup: 'KH', agreement: 'Treaty' })
  const from = (originCountry: string): SmallItem => ['61091000', 1, 1000, { originCountry }]

  test('needs an origin in the request', () => {
    const rows = [{ ...zero, originGroup: 'BB' }]
    expect(duties(rows)).toEqual([`61091000 ${MFN} 3000`])
    expect(duties(rows, [from('BB')])).toEqual(['61091000 Preference (Treaty) 0'])
  })

  test('is the lowest one, and is not claimed if it saves nothing', () => {
    const group = { ...zero, originGroup: 'GSP', adValoremPpm: 20_000, agreement: 'GSP', measureType: 'pref' }
    const groups = { originGroups: [{ dataSet: 'test', originGroup: 'GSP', country: 'BD' }] }
    expect(duties([zero, group], [from('KH')], groups)).toEqual(['61091000 Preference (Treaty) 0'])
    expect(duties([zero, group], [from('BD')], groups)).toEqual(['61091000 Preference (GSP) 2000'])
    expect(duties([{ ...zero, adValoremPpm: 30_000 }], [from('KH')])).toEqual([`61091000 ${MFN} 3000`])
  })

  test('is not claimed if the request declines preferences', () => {
    const rows = customsRows({ measureTypes: TYPES, measures: [measure('61091000', 3), zero] })
    const lines = shortLines(smallEstimate(rows, [from('KH')], { preferences: false }))
    expect(lines[0]).toBe(`61091000 ${MFN} 3000`)
  })

  test('is mentioned but not charged if its rate is unknown', () => {
    const open = { ...zero, adValoremPpm: null, condition: 'not_loaded' as const, text: 'staged' }
    const rows = customsRows({ measureTypes: TYPES, measures: [measure('61091000', 3), open] })
    const answer = smallEstimate(rows, [from('KH')])
    expect(answer.taxes[0]?.amountCents).toBe(3000)
    expect(lineTexts(answer)[0]).toContain('A preference under Treaty may lower this duty')
  })

  test('is charged even if no tariff is loaded', () => {
    const rows = customsRows({ measureTypes: TYPES, measures: [zero] })
    expect(shortLines(smallEstimate(rows, [from('KH')]))[0]).toBe('61091000 Preference (Treaty) 0')
    expect(shortLines(smallEstimate(rows, [from('CN')]))[0]).toBe('61091000 Import duty (not estimated) 0?')
  })

  test('applies by origin, and lines with the same name are joined', () => {
    const items: SmallItem[] = [
      ['610910', 1, 100, { originCountry: 'KH' }],
      ['61091000', 1, 200, { originCountry: 'CN' }],
      ['61091000', 1, 50],
    ]
    const vat = { taxes: [tax('VAT')], taxRates: [taxRate('VAT', 20)] }
    const rows = customsRows({ measureTypes: TYPES, measures: [measure('61091000', 3), zero], ...vat })
    // 3% of 200 + 50; 20% of 350 + 7.50
    const lines = ['61091000 Preference (Treaty) 0', `61091000 ${MFN} 750`, '61091000 VAT 7150']
    expect(shortLines(smallEstimate(rows, items))).toEqual(lines)
  })
})

describe('amounts per quantity', () => {
  const rates = [exchangeRate('USD', '1.25')]
  const charged = (rate: string, rest: Partial<MeasureRow>, more: Partial<ContentItem>) => {
    const rows = customsRows({
      measures: [measure('22042100', rate, rest)],
      exchangeRates: rates,
      taxes: [tax('VAT', { status: 'none', reason: 'none' })],
    })
    return shortLines(smallEstimate(rows, [['22042100', 3, 10, more]])).slice(0, -1)
  }

  test.each<[string, string, Partial<MeasureRow>, Partial<ContentItem>, string[]]>([
    ['per item', '0.5 EUR/item', {}, {}, [`${MFN} 150`]],
    // 2 kg each, 6 kg in all: 6/100 × 9.00
    ['per 100 kg', '9 EUR/100 kg', {}, { weightGrams: 2000 }, [`${MFN} 54`]],
    ['without weight', '9 EUR/100 kg', {}, {}, [`${MFN} (not estimated) 0?`]],
    // 0.75 l each, 0.0225 hl: 13.10 × 0.0225 = 0.29475
    [
      'per hectolitre',
      '13.1 EUR/hl',
      {},
      { quantities: [{ unit: 'l', amountMicros: 750_000 }] },
      [`${MFN} 29`],
    ],
    // 6 kg × 1.50 USD = 9.00 USD = 7.20 EUR
    ['in another currency', '1.5 USD/kg', {}, { weightGrams: 2000 }, [`${MFN} 720`]],
    ['in a currency without a rate', '1.5 XXX/kg', {}, { weightGrams: 2000 }, [`${MFN} (not estimated) 0?`]],
    // 10% of 30.00 + 0.54
    ['compound', '9 EUR/100 kg', { adValoremPpm: 100_000 }, { weightGrams: 2000 }, [`${MFN} 354`]],
    [
      'compound without weight',
      '9 EUR/100 kg',
      { adValoremPpm: 100_000 },
      {},
      [`${MFN} 300`, `${MFN}, part not estimated 0?`],
    ],
    // 4.5% of 30.00 = 1.35; minimum 0.50 an item, maximum 0.30 an item
    ['at least', '', { adValoremPpm: 45_000, minimum: '0.5 EUR/item' }, {}, [`${MFN} 150`]],
    ['at most', '', { adValoremPpm: 45_000, maximum: '0.3 EUR/item' }, {}, [`${MFN} 90`]],
    [
      'with an unknown minimum or maximum',
      '',
      { adValoremPpm: 45_000, maximum: '9 EUR/100 kg' },
      {},
      [`${MFN} 135`, `${MFN}, part not estimated 0?`],
    ],
  ])('%s', (_name, rate, rest, more, lines) => {
    expect(charged(rate, rest, more)).toEqual(lines.map((line) => `22042100 ${line}`))
  })

  test('that exist only as text are not estimated', () => {
    expect(charged('', { text: '102.4 to 124.5 EUR/100 kg' }, {})).toEqual([
      `22042100 ${MFN} (not estimated) 0?`,
    ])
  })

  test('of a published compound rate with a subtraction are charged', () => {
    // 13.8% MIN 13.0/100kg MAX 15.0/100kg - 7.0/100kg on EUR 1,200 and 10,000 kg
    const rows = customsRows({
      measures: [
        measure('22042100', '', {
          adValoremPpm: 138_000,
          minimum: '13 EUR/100 kg',
          maximum: '15 EUR/100 kg - 7 EUR/100 kg',
        }),
      ],
    })
    const lines = shortLines(smallEstimate(rows, [['22042100', 1, 1200, { weightGrams: 10_000_000 }]]))
    expect(lines[0]).toBe(`22042100 ${MFN} 80000`)
  })
})

describe('freight and insurance', () => {
  const shipped = { shippingCents: 3000, insuranceCents: 1000 }
  const items: SmallItem[] = [
    ['61091000', 1, 300],
    ['61092000', 1, 100],
  ]
  const world = (valuation: 'CIF' | 'FOB', includesFreight: boolean) =>
    customsRows({
      jurisdictions: [jurisdiction('AA', { valuation }), jurisdiction('BB')],
      measures: [measure('6109', 10)],
      taxes: [tax('VAT', { includesFreight })],
      taxRates: [taxRate('VAT', 20)],
    })

  test.each([
    // 10% of 330 and 110; 20% of 363 and 121
    ['CIF', false, [3300, 1100, 7260, 2420]],
    // 10% of 300 and 100; 20% of 330 and 110
    ['FOB', false, [3000, 1000, 6600, 2200]],
    // 10% of 300 and 100; 20% of 360 and 120
    ['FOB', true, [3000, 1000, 7200, 2400]],
  ] as const)('%s, freight in the base of the tax: %s', (valuation, includesFreight, cents) => {
    const answer = smallEstimate(world(valuation, includesFreight), items, shipped)
    expect(answer.taxes.map((line) => line.amountCents)).toEqual(cents)
    expect(answer.customsValueCents).toBe(valuation === 'CIF' ? 44_000 : 40_000)
  })
})
