import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type DutyParts,
  type DutyRate,
  formatDutyParts,
  formatDutyRate,
  formatPercent,
  formatSpecific,
  isMeursingTerm,
  parseDutyParts,
  parseDutyRate,
} from '../../../../src/core/customs/tariff/duty-text.ts'
import { caseCount } from '../../../support/random/case-count.ts'
import { REFUSED_EU, UNDERSTOOD_EU } from './duty-texts-eu.ts'
import { REFUSED_GB, UNDERSTOOD_GB } from './duty-texts-gb.ts'
import { REFUSED_US, UNDERSTOOD_US } from './duty-texts-us.ts'

function written({ base, minimum, maximum }: DutyRate): string {
  const limits = [
    minimum && ` MIN ${formatDutyParts(minimum)}`,
    maximum && ` MAX ${formatDutyParts(maximum)}`,
  ]
  return `${formatDutyParts(base)}${limits.join('')}`
}

/** The rate in Waybill's form; undefined if the text cannot be parsed. */
function canonical(text: string, currency: string): string | undefined {
  const rate = parseDutyRate(text, currency)
  return rate && written(rate)
}

describe('a published duty rate', () => {
  test.each([
    ['12%', { base: { adValoremPpm: 120_000, specifics: [], open: [] } }],
    [
      '4.50% MIN 0.30 EUR / item MAX 0.80 EUR / item',
      {
        base: { adValoremPpm: 45_000, specifics: [], open: [] },
        minimum: { specifics: [{ amountMicros: 300_000, currency: 'EUR', unit: 'item' }], open: [] },
        maximum: { specifics: [{ amountMicros: 800_000, currency: 'EUR', unit: 'item' }], open: [] },
      },
    ],
    [
      '10.20% + 1,093.10 EUR / 100 kg',
      {
        base: {
          adValoremPpm: 102_000,
          specifics: [{ amountMicros: 1_093_100_000, currency: 'EUR', unit: '100 kg' }],
          open: [],
        },
      },
    ],
    [
      '9.00% +  EA MAX 18.70%  + ADSZ',
      {
        base: { adValoremPpm: 90_000, specifics: [], open: ['EA'] },
        maximum: { adValoremPpm: 187_000, specifics: [], open: ['AD S/Z'] },
      },
    ],
    [
      '13.8% MAX 15.0/100kg - 7.0/100kg',
      {
        base: { adValoremPpm: 138_000, specifics: [], open: [] },
        maximum: {
          specifics: [
            { amountMicros: 15_000_000, currency: 'EUR', unit: '100 kg' },
            { amountMicros: -7_000_000, currency: 'EUR', unit: '100 kg' },
          ],
          open: [],
        },
      },
    ],
    [
      '51¢ each + 6.25% on the case',
      {
        base: {
          specifics: [{ amountMicros: 510_000, currency: 'USD', unit: 'item' }],
          open: ['6.25% on the case'],
        },
      },
    ],
    ['Free', { base: { adValoremPpm: 0, specifics: [], open: [] } }],
    ['NIHIL', { base: { adValoremPpm: 0, specifics: [], open: [] } }],
  ] satisfies [string, DutyRate][])('reads %s', (text, rate) => {
    expect(parseDutyRate(text)).toEqual(rate)
  })

  test.each(UNDERSTOOD_EU)('of the EU: %s is %s', (text, form) => {
    expect(canonical(text, 'EUR')).toBe(form)
  })

  test.each(UNDERSTOOD_GB)('of the United Kingdom: %s is %s', (text, form) => {
    expect(canonical(text, 'GBP')).toBe(form)
  })

  test.each(UNDERSTOOD_US)('of the United States: %s is %s', (text, form) => {
    expect(canonical(text, 'USD')).toBe(form)
  })

  test.each([
    ...REFUSED_EU,
    ...REFUSED_GB,
    ...REFUSED_US,
  ])('that is not a rate is not guessed: %s', (text) => {
    expect(parseDutyRate(text)).toBeUndefined()
  })

  test.each([
    ['nothing', ''],
    ['two percentages', '3% + 4%'],
    ['a percentage taken off', '7 EUR/kg - 3%'],
    ['a subtracted term without an amount', '9% - EA'],
    ['a number alone', '12'],
    ['a number before a cap', '24 MAX 5 EUR/kg'],
    ['an amount without a quantity', '5 EUR'],
    ['an unknown unit', '5 EUR/widget'],
    ['a unit instead of a currency', '5 KGM/kg'],
    ['a TARIC unit that is not a currency', '43.860 EUC DTN'],
    ['two currencies', '€5 GBP/kg'],
    ['two caps', '4.5 % MAX 9.4 % MAX 35.150 EUR DTN'],
    ['a price condition', 'Cond: V 52.600 EUR/DTN(01):12.000 %'],
    ['a season', '15.00% (01 JAN-14 FEB)'],
    ['a decimal comma', '9,5%'],
    ['a point for thousands', '5 EUR/1.000 kg'],
    ['an exponent', '1e3 EUR/kg'],
    ['a number over a unit', '5 EUR/100/kg'],
    ['a plus with nothing after it', '5% + '],
    ['a plus with nothing before it', '+ 5%'],
    ['a floor with nothing before it', 'MIN 5%'],
    ['a percentage per quantity', '5%/kg'],
    ['a share that depends on something', '6% on the case but not on the battery'],
    ['a percentage finer than 10^-4', '1.23456%'],
    ['an amount finer than 10^-6', '1.2345678 EUR/kg'],
    ['cents finer than 10^-6 of a dollar', '0.12345¢/kg'],
    ['an amount too large to be exact', '9007199255 EUR/kg'],
    ['a default currency that is not a currency', '5/kg', 'pounds'],
    ['more terms than a rate may have', Array(9).fill('1 EUR/kg').join(' + ')],
    ['a text that is too long', `${' '.repeat(4000)}5%`],
  ])('that cannot be parsed is not guessed: %s', (_what, text, currency = 'EUR') => {
    expect(parseDutyRate(text, currency)).toBeUndefined()
  })
})

describe('the spelling of a rate', () => {
  test.each([
    ['24 + 4.2 EUR/100 kg', '24% + 4.2 EUR/100 kg'],
    ['7.2 MIN 0.36 EUR/100 kg', '7.2% MIN 0.36 EUR/100 kg'],
    ['6% MAX 3% MIN 1 EUR/kg', '6% MIN 1 EUR/kg MAX 3%'],
    ['1.23450 %', '1.2345%'],
    ['.5¢/kg', '0.005 USD/kg'],
    ['5 CHF per 100 kg gross', '5 CHF/100 kg gross'],
    ['EUR 5 / kg', '5 EUR/kg'],
    ['1.1 €/100 kg/net', '1.1 EUR/100 kg'],
    ['15/kg − 7/kg', '15 EUR/kg - 7 EUR/kg'],
    ['- 7 GBP/kg', '-7 GBP/kg'],
    ['1 EUR/kg - 0 EUR/kg', '1 EUR/kg + 0 EUR/kg'],
    ['9% + AC MAX 5% + SD (reduced)', '9% + EA MAX 5% + AD S/ZR'],
    ['EA + 9%', '9% + EA'],
    ['4% on case and strap', '4% on the case and strap'],
    ['5 EUR DTN/S', '5 EUR/100 kg raw sugar'],
  ])('%s is written %s', (text, form) => {
    expect(canonical(text, 'EUR')).toBe(form)
  })

  test.each([
    ['EUR', '5/kg', 'EUR'],
    ['GBP', '5/kg', 'GBP'],
    ['USD', '$5/kg', 'USD'],
    ['EUR', '$5/kg', 'USD'],
    ['CAD', '$5/kg', 'CAD'],
    ['CAD', '500¢/kg', 'CAD'],
    ['USD', '£5/kg', 'GBP'],
    ['GBP', '€5/kg', 'EUR'],
  ])('in a tariff in %s, %s is an amount in %s', (tariff, text, currency) => {
    expect(parseDutyParts(text, tariff)?.specifics).toEqual([
      { amountMicros: 5_000_000, currency, unit: 'kg' },
    ])
  })

  test('of a Meursing component is recognised in the spelling of both tariffs', () => {
    const terms = [
      'EA',
      'EAR',
      'AC',
      'AC (reduced)',
      'ADSZ',
      'AD S/Z',
      'AD S/ZR',
      'SD',
      'AD F/M',
      'ADFMR',
      'FD',
    ]
    expect(terms.filter((term) => !isMeursingTerm(term))).toEqual([])
    expect(['', 'E', 'EAT', 'constructor', '6% on the case', '5 EUR/kg'].filter(isMeursingTerm)).toEqual([])
  })
})

describe('the canonical form of a rate', () => {
  const part = fc.record({
    amountMicros: fc.integer({ min: -9_999_999_999, max: 9_999_999_999 }),
    currency: fc.constantFrom('EUR', 'GBP', 'USD', 'CHF'),
    unit: fc.constantFrom(
      'item',
      'pair',
      'dozen',
      '1000 items',
      '100 kg',
      'hl',
      'tonne',
      '% vol/hl',
      'gross',
    ),
  })
  const share = fc.integer({ min: 0, max: 9_999_999 })
  const parts: fc.Arbitrary<DutyParts> = fc
    .record({
      share: fc.option(share, { nil: undefined }),
      specifics: fc.array(part, { maxLength: 3 }),
      open: fc.array(fc.constantFrom('EA', 'EAR', 'AD S/Z', 'AD F/MR', '6.25% on the case'), {
        maxLength: 2,
      }),
    })
    .map(({ share, ...others }) => ({ ...(share !== undefined && { adValoremPpm: share }), ...others }))
    .filter((given) => given.adValoremPpm !== undefined || given.specifics.length + given.open.length > 0)

  test('reads back the same', () => {
    fc.assert(
      fc.property(parts, (given) => {
        expect(parseDutyParts(formatDutyParts(given), 'JPY')).toEqual(given)
      }),
    )
  })

  test('leaves out absent terms', () => {
    expect(formatPercent(65_000)).toBe('6.5%')
    expect(formatSpecific({ amountMicros: 300_000, currency: 'EUR', unit: 'item' })).toBe('0.3 EUR/item')
    expect(formatDutyParts({ specifics: [], open: [] })).toBe('')
  })
})

test.each([
  [{ adValoremPpm: 45_000, specific: '', minimum: '', maximum: '' }, '4.5%'],
  [{ adValoremPpm: 45_000, specific: '9 EUR/100 kg', minimum: '', maximum: '' }, '4.5% + 9 EUR/100 kg'],
  [{ adValoremPpm: 120_000, specific: '-7 GBP/100 kg', minimum: '', maximum: '' }, '12% - 7 GBP/100 kg'],
  [
    { adValoremPpm: 120_000, specific: '-7 EUR/100 kg + EA', minimum: '1 EUR/item', maximum: '18%' },
    '12% - 7 EUR/100 kg + EA MIN 1 EUR/item MAX 18%',
  ],
  [{ adValoremPpm: null, specific: '1 EUR/item', minimum: '', maximum: '' }, '1 EUR/item'],
  [{ adValoremPpm: null, specific: '', minimum: '', maximum: '' }, ''],
])('formats the rate columns %o as "%s"', (columns, text) => {
  expect(formatDutyRate(columns)).toBe(text)
})

describe('any text', () => {
  const published = [...UNDERSTOOD_EU, ...UNDERSTOOD_GB, ...UNDERSTOOD_US].flat()
  const words = (
    '5%|12.50 %|0.3|1,000|-7|3 EUR|¢|$|£5|€|GBP|EUC| + | - |+|-| MIN | MAX |EA|ADSZ|AD S/Z|Free|NIHIL|/|each|per ' +
    '| on the |case|, |100 kg|DTN|NAR|ASV X|hl|%vol|(|)|E|.|net|m2|dozen|gross|line|jewel over 7|liter|less'
  ).split('|')
  const mutated = fc
    .tuple(
      fc.constantFrom(...published),
      fc.constantFrom(...published, ...words),
      fc.nat(),
      fc.nat(),
      fc.nat(3),
    )
    .map(([text, other, at, from, cut]) => {
      const index = at % (text.length + 1)
      return text.slice(0, index) + other.slice(from % (other.length + 1)) + text.slice(index + cut)
    })
  const joined = fc
    .array(fc.tuple(fc.constantFrom(' + ', ' - ', ' MIN ', ' MAX ', '+'), fc.constantFrom(...published)), {
      minLength: 1,
      maxLength: 4,
    })
    .map((terms) => terms.flat().slice(1).join(''))
  const anyText = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: 'binary' }),
    fc.array(fc.constantFrom(...words), { maxLength: 12 }).map((found) => found.join('')),
    fc.array(fc.constantFrom(...words), { maxLength: 12 }).map((found) => found.join(' ')),
    mutated,
    joined,
  )

  test('is parsed without an error, and what is understood reads back the same', () => {
    let understood = 0
    fc.assert(
      fc.property(anyText, fc.constantFrom('EUR', 'GBP', 'USD', '', 'constructor'), (text, currency) => {
        const rate = parseDutyRate(text, currency)
        if (rate === undefined) return
        understood += 1
        // `expect` would take most of the time of this test.
        if (JSON.stringify(parseDutyRate(written(rate))) !== JSON.stringify(rate)) throw new Error(text)
        const amounts = rate.base.specifics.map((specific) => specific.amountMicros)
        if (!amounts.every((amount) => Number.isSafeInteger(amount))) throw new Error(text)
      }),
      { numRuns: caseCount(30_000, 300_000) },
    )
    expect(understood).toBeGreaterThan(3_000)
  })
})
