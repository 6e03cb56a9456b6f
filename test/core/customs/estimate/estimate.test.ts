/** Estimates on the shipped data, calculated by hand in comments. Dates are chosen so that the tested rule applies. */

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  classifyItems,
  type DutiesEstimate,
  estimateRequest,
} from '../../../../src/core/customs/estimate/estimate.ts'
import { describeLine, lineRatePercent } from '../../../../src/core/customs/estimate/explain/line.ts'
import { checkDutiesRequest, type DutiesRequest } from '../../../../src/core/customs/request.ts'
import { lineCodes } from '../../../../src/core/customs/tariff/tariff.ts'
import { isCountryCode } from '../../../../src/core/place.ts'
import { shippedTables } from '../../../support/customs/shipped-tables.ts'
import { lineTexts } from '../../../support/customs/small-estimate.ts'

/** Before the expected start of the handling fee of the EU, which is not estimated. */
const DAY = '2026-10-21'
const tables = shippedTables()
const find = () => []

/** [tariff, numberOfItems, cost, originCountry]. '' means no tariff. */
type Item = readonly [string, number, number, string?]

/** `from` and `to`: a country, or country and postal code ("ES 35001"). */
function estimate(
  from: string,
  to: string,
  items: readonly Item[],
  date = DAY,
  recipient?: 'business',
): DutiesEstimate {
  const request = checkDutiesRequest({
    from: place(from),
    to: place(to),
    contentItems: items.map(([tariff, numberOfItems, cost, originCountry]) => ({
      description: 'goods',
      tariff,
      numberOfItems,
      cost,
      originCountry,
    })),
  })
  if ('kind' in request) throw new Error(JSON.stringify(request.fields))
  return estimateOf(recipient === undefined ? request : { ...request, recipient }, date)
}

function estimateOf(request: DutiesRequest, date: string): DutiesEstimate {
  return estimateRequest(tables, request, classifyItems(request.items, find), date)
}

function place(text: string) {
  const [country, zipcode] = text.split(' ', 2)
  return { country, zipcode }
}

/** Lines as "code name cents", with "?" where not computed. */
function lines({ taxes }: DutiesEstimate): readonly string[] {
  return taxes.map(
    ({ harmonizedCode, name, amountCents, computed }) =>
      `${harmonizedCode} ${name} ${amountCents}${computed ? '' : '?'}`,
  )
}

const MFN = 'Most-favoured-nation duty'
const FLAT = 'Flat-rate customs duty'
const VAT = 'Value added tax'
const UNKNOWN = 'Import duty (not estimated)'

describe('a consignment to the European Union up to EUR 150', () => {
  test('five T-shirts are one tariff item: EUR 3, then VAT on value and duty', () => {
    // 21% of 50.00 + 3.00 = 11.13
    const answer = estimate('CN', 'NL', [['610910', 5, 10]])
    expect(lines(answer)).toEqual([`61091000 ${FLAT} 300`, `61091000 ${VAT} 1113`])
    expect([answer.estimateCents, answer.hsCode, answer.complete]).toEqual([1413, '610910', true])
  })

  test('shoes, dolls and T-shirts are three tariff items', () => {
    const answer = estimate('CN', 'DE', [
      ['640399', 1, 50],
      ['950300', 2, 10],
      ['610910', 5, 10],
    ])
    expect(lines(answer)).toEqual([
      `640399 ${FLAT} 300`,
      `950300 ${FLAT} 300`,
      `61091000 ${FLAT} 300`,
      `640399 ${VAT} 1007`,
      `950300 ${VAT} 437`,
      `61091000 ${VAT} 1007`,
    ])
  })

  test('the flat duty applies to goods that are free in the tariff', () => {
    const answer = estimate('CN', 'NL', [
      ['960810', 4, 2],
      ['490199', 1, 10],
    ])
    expect(lines(answer).filter((text) => text.includes(FLAT))).toEqual([
      `960810 ${FLAT} 300`,
      `49019900 ${FLAT} 300`,
    ])
  })

  test('one code of two given origins is two items, and a missing origin adds none', () => {
    const items: Item[] = [
      ['610910', 1, 10, 'CN'],
      ['610910', 1, 10, 'BD'],
      ['61091000', 1, 10],
    ]
    expect(lines(estimate('CN', 'NL', items))[0]).toBe(`61091000 ${FLAT} 600`)
  })

  test.each([
    ['2026-06-30', `61091000 ${MFN} 0`],
    ['2026-07-01', `61091000 ${FLAT} 300`],
    ['2028-06-30', `61091000 ${FLAT} 300`],
    ['2028-07-01', `61091000 ${MFN} 1800`],
  ])('of exactly EUR 150 gets the rule of %s', (date, duty) => {
    expect(lines(estimate('CN', 'NL', [['610910', 1, 150]], date))[0]).toBe(duty)
  })

  test('of a tenth of a cent above EUR 150 gets the tariff', () => {
    expect(lines(estimate('CN', 'NL', [['610910', 1, 150.001]]))[0]).toBe(`61091000 ${MFN} 1800`)
  })

  test('the earlier relief does not apply to alcohol, perfume and tobacco', () => {
    const answer = estimate(
      'CN',
      'NL',
      [
        ['33072000', 1, 20],
        ['24022090', 1, 20],
      ],
      '2026-06-30',
    )
    // 57.6% of 20.00
    expect(lines(answer).slice(0, 2)).toEqual([`33072000 ${MFN} 0`, `24022090 ${MFN} 1152`])
    expect(lineTexts(answer)[0]).toContain('free of import duty until 2026-06-30')
  })
})

describe('above the limit the tariff applies', () => {
  test('tax is calculated on the unrounded duty', () => {
    // 12% of 150.62 = 18.0744; 21% of 168.6944 = 35.425824, where 21% of 168.69 would be 35.4249
    expect(lines(estimate('CN', 'NL', [['610910', 1, 150.62]]))).toEqual([
      `61091000 ${MFN} 1807`,
      `61091000 ${VAT} 3543`,
    ])
  })

  test('items of one code form one line, rounded once', () => {
    // 3 × 60.004 = 180.012 and 12% of it is 21.60144; 21% of 201.61344 = 42.3388224
    const items: Item[] = [
      ['610910', 1, 60.004],
      ['61091000', 1, 60.004],
      ['6109.10.00', 1, 60.004],
    ]
    expect(lines(estimate('CN', 'NL', items))).toEqual([`61091000 ${MFN} 2160`, `61091000 ${VAT} 4234`])
  })

  test('a six-digit code gets the rate of the residual line, and the line gives the range', () => {
    const answer = estimate('CN', 'NL', [['640399', 1, 200]])
    const [duty] = answer.taxes
    expect(duty).toMatchObject({ harmonizedCode: '640399', amountCents: 1400 })
    expect(duty && lineRatePercent(duty)).toBe('7')
    expect(lineTexts(answer)[0]).toContain(
      'The rate is between 5% and 8%, depending on material and use; 7% is used, the rate of 64039998 (11 lines under 640399).',
    )
  })

  test('an unknown end of a code is named in the line', () => {
    const answer = estimate('CN', 'NL', [['61091055', 1, 200]])
    expect([answer.hsCode, answer.taxes[0]?.harmonizedCode]).toEqual(['61091055', '61091000'])
    expect(lineTexts(answer)[0]).toContain('The tariff has code 610910, but no line for 61091055.')
  })

  test('a code of HS 2022 is shown with its six digits', () => {
    const answer = estimate('CN', 'NL', [['85249100', 1, 200]])
    const [duty] = answer.taxes
    expect(duty).toMatchObject({ harmonizedCode: '852491', computed: true })
    expect(lineTexts(answer)[0]).toContain(
      'The rate is known only for subheading 852491; national lines range from 0% to 9.7%.',
    )
  })

  test('a tax on the excess counts its duty, and says so', () => {
    const [, tax] = lineTexts(estimate('CN', 'UA', [['950300', 1, 200]]))
    expect(tax).toContain(
      '20% of EUR 55.00, the excess EUR 50.00 and import duty EUR 5.00. Value added tax is levied on',
    )
    const [, free] = lineTexts(estimate('CN', 'UA', [['950300', 1, 150]]))
    expect(free).toContain('20% of EUR 0.00. Value added tax is levied on what exceeds EUR 150')
  })

  test('an origin without an agreement has no preference', () => {
    const answer = estimate('CN', 'NL', [['610910', 1, 200, 'CN']])
    const [duty] = answer.taxes
    expect(duty?.amountCents).toBe(2400)
    expect(lineTexts(answer)[0]).toContain('No preference is claimed for origin CN')
  })
})

describe('duties that are not only a percentage of the value', () => {
  test('a minimum and a maximum per item apply to all items of the code', () => {
    // 4.5% of 500.00 = 22.50, at most 0.80 each
    expect(lines(estimate('US', 'DE', [['910111', 3, 500]]))[0]).toBe(`91011100 ${MFN} 240`)
    // 4.5% of 205.00 = 9.225, at most 0.80 for each of the three
    const items: Item[] = [
      ['910111', 1, 5],
      ['910111', 2, 100],
    ]
    expect(lines(estimate('US', 'DE', items))[0]).toBe(`91011100 ${MFN} 240`)
  })

  test('an amount per item in pounds is converted', () => {
    // 3 × 0.20 GBP at 0.858176 = 0.6991… euro
    expect(lines(estimate('US', 'GB', [['910111', 3, 500]]))[0]).toBe(`91011100 ${MFN} 70`)
  })

  test.each([
    ['an amount per kilogram and a percentage', '02013000', [`02013000 ${MFN} 2560`], '303.4 EUR/100 kg'],
    ['an amount per hectolitre alone', '2204211110', [], '13.1 EUR/hl'],
    ['the agricultural component', '18063290', [`18063290 ${MFN} 1660`], 'EA MAX 18.7'],
    ['the entry price', '07020000', [], 'Entry price'],
  ])('%s gets a separate line', (_name, code, before, rate) => {
    const answer = estimate('US', 'NL', [[code, 1, 200]])
    const specific = `${code} ${MFN}${before.length > 0 ? ', part not estimated' : ' (not estimated)'} 0?`
    expect(lines(answer).slice(0, before.length + 1)).toEqual([...before, specific])
    expect(lineTexts(answer)[before.length]).toContain(rate)
    expect(answer.complete).toBe(false)
  })

  test('a rate that depends on the season is the rate of the day', () => {
    // Roses: 8.5% from November to May, 12% from June to October.
    const answer = estimate('US', 'NL', [['06031100', 1, 200]], '2026-11-21')
    expect(lines(answer)[0]).toBe(`06031100 ${MFN} 1700`)
    expect(lineTexts(answer)[0]).toContain('8.5% of the goods value EUR 200.00')
    expect(lineTexts(answer)[0]).toContain(
      'Seasonal duty: 8.50% (01 JAN-31 MAY, 1 NOV-31 DEC), 12.00% (01 JUN-31 OCT).',
    )
  })
  test('a rate whose season is not published is not estimated', () => {
    const answer = estimate('US', 'NL', [['07041000', 1, 200]])
    expect(lines(answer)[0]).toBe(`07041000 ${MFN} (not estimated) 0?`)
    expect(lineTexts(answer)[0]).toContain('the rate of the season cannot be calculated')
    expect(answer.complete).toBe(false)
  })

  test('a lost leading zero of a nine-digit code is restored', () => {
    // roasted coffee 0901210000, 7.5%
    const answer = estimate('US', 'NL', [['901210000', 1, 200]])
    const [duty] = answer.taxes
    expect(duty).toMatchObject({ harmonizedCode: '09012100', amountCents: 1500 })
    expect(lineTexts(answer)[0]).toContain('Code 901210000 was read as 0901210000')
  })

  test('an agreement is used for goods that are free if it avoids another duty', () => {
    const toys: Item[] = [['95030000', 1, 200, 'MX']]
    const claimed = lines(estimate('MX', 'US', toys)).filter(
      (line) => line.endsWith('0') && !line.includes('?'),
    )
    expect(claimed[0]).toBe('95030000 Preferential duty (USMCA) 0')
    expect(estimate('MX', 'US', toys).estimateCents).toBe(0)
    // 10% of 200.00 without it
    expect(lines(estimate('MX', 'US', [['95030000', 1, 200]]))).toContain(
      '95030000 Section 301 duty (forced labour) 2000',
    )
  })
})

describe('the United Kingdom', () => {
  test('charges VAT but no duty up to GBP 135, and zero VAT on books', () => {
    // 130 euro are 112.33 pounds
    const answer = estimate('US', 'GB', [
      ['610910', 1, 100],
      ['490199', 1, 30],
    ])
    expect(lines(answer)).toEqual([
      `61091000 ${MFN} 0`,
      `49019900 ${MFN} 0`,
      `61091000 ${VAT} 2000`,
      `49019900 ${VAT} 0`,
    ])
    expect(lineTexts(answer)[3]).toContain('zero rate for books')
  })
  test('applies the tariff above GBP 135, and to perfume at any value', () => {
    // 158 euro are 135.59 pounds; 12% = 18.96, 20% of 176.96 = 35.392
    expect(lines(estimate('US', 'GB', [['610910', 1, 158]]))).toEqual([
      `61091000 ${MFN} 1896`,
      `61091000 ${VAT} 3539`,
    ])
    expect(lineTexts(estimate('US', 'GB', [['33030010', 1, 20]]))[0]).toContain('UK tariff')
  })
  test('Northern Ireland charges EU duty and UK tax on imports, and nothing from Great Britain or the EU', () => {
    // 12% of 200.00 = 24.00, 20% of 224.00
    expect(lines(estimate('CN', 'GB BT1 1AA', [['610910', 1, 200]]))).toEqual([
      `61091000 ${MFN} 2400`,
      `61091000 ${VAT} 4480`,
    ])
    expect(lines(estimate('CN', 'GB BT1 1AA', [['610910', 1, 20]]))[0]).toBe(`61091000 ${FLAT} 300`)
    expect(lines(estimate('GB', 'GB BT1 1AA', [['610910', 1, 200]]))).toEqual([])
    expect(lines(estimate('IE', 'GB BT1 1AA', [['610910', 1, 200]]))).toEqual([])
  })
})

describe('special territories', () => {
  test('nothing is due inside one customs and tax area, and the code is still returned', () => {
    const answer = estimate('NL', 'DE', [['6109.10', 1, 200]])
    expect(answer).toMatchObject({ taxes: [], estimateCents: 0, hsCode: '610910', complete: true })
  })
  test.each([
    ['DE', 'AX', [`61091000 ${VAT} 5100`]],
    [
      'ES',
      'ES 35001',
      [
        '61091000 Canary Islands general indirect tax 1400',
        '61091000 Canary Islands import levy (not estimated) 0?',
      ],
    ],
    ['FR', 'RE', [`61091000 ${VAT} 1700`, '61091000 Dock dues (not estimated) 0?']],
    ['FR', 'GF', [`61091000 ${VAT} 0`, '61091000 Dock dues (not estimated) 0?']],
    ['GB', 'JE', ['61091000 Goods and services tax 1000']],
    ['GB', 'GG', [`61091000 ${VAT} 0`]],
    ['CN', 'DE 27498', [`610910 ${UNKNOWN} 0?`, `610910 ${VAT} 0`]],
    ['ES', 'ES 52001', [`610910 ${UNKNOWN} 0?`, '610910 Local sales tax (not estimated) 0?']],
    ['CN', 'PT 9000', [`61091000 ${MFN} 2400`, `61091000 ${VAT} 4928`]],
    ['CN', 'MC', [`61091000 ${MFN} 2400`, `61091000 ${VAT} 4480`]],
    ['DE', 'DE 78266', [`610910 ${MFN} 0`, `610910 ${VAT} 1621`]],
  ])('%s to %s', (from, to, expected) => {
    expect(lines(estimate(from, to, [['610910', 1, 200]]))).toEqual(expected)
  })
})

describe('other destinations', () => {
  test('Switzerland does not levy tax of CHF 5 or less on a consignment', () => {
    // 8.1% of 65.00 euro = 5.265 euro = 4.984… francs, rounded to 5.00
    const little = estimate('US', 'CH', [['610910', 1, 65]])
    expect(lines(little)).toEqual([`610910 ${MFN} 0`, `610910 ${VAT} 0`])
    expect(lineTexts(little)[1]).toContain('CHF 5')
    // 5.508 euro = 5.214… francs, so it is levied; each line 2.754 euro = 2.6074… francs, charged as 2.60, 2.7461… euro
    expect(
      lines(
        estimate('US', 'CH', [
          ['610910', 1, 34],
          ['950300', 1, 34],
        ]),
      ).slice(2),
    ).toEqual([`610910 ${VAT} 275`, `950300 ${VAT} 275`])
  })
  test('Norway charges no duty on industrial goods, none on clothing under VOEC, and nothing is known of food', () => {
    expect(
      lines(
        estimate('CN', 'NO', [
          ['950300', 1, 100],
          ['610910', 1, 100],
          ['180631', 1, 100],
        ]),
      ).slice(0, 3),
    ).toEqual([`950300 ${MFN} 0`, `610910 ${MFN} 0`, `180631 ${UNKNOWN} 0?`])
  })
  test.each([
    [
      'Ukraine taxes the value above EUR 150 and its duty',
      'UA',
      200,
      [`950300 ${FLAT} 500`, `950300 ${VAT} 1100`],
    ],
    ['Ukraine taxes nothing up to EUR 150', 'UA', 150, [`950300 ${FLAT} 0`, `950300 ${VAT} 0`]],
    // 60% of 100.00 less USD 20 (17.6045… euro); 17/83 of 142.3954… = 29.1653…
    [
      'Brazil charges a flat rate less a deduction, and a tax inside its own base',
      'BR',
      100,
      [`950300 ${FLAT} 4240`, '950300 State value added tax (ICMS) 2917'],
    ],
    // 15% of 110.00 and of the duty
    [
      'South Africa raises the taxable value by a tenth',
      'ZA',
      100,
      [`950300 ${MFN} 0`, `950300 ${VAT} 1650`],
    ],
    // 54 euro are 9,660.89 yen
    [
      'Japan charges nothing up to JPY 10,000',
      'JP',
      54,
      [`950300000 ${MFN} 0`, '950300000 Consumption tax 0'],
    ],
    [
      'Australia charges tax but no duty up to AUD 1,000',
      'AU',
      600,
      [`950300 ${MFN} 0`, '950300 Goods and services tax 6000'],
    ],
    [
      'Sellers collect the tax of Singapore up to SGD 400',
      'SG',
      268,
      [`950300 ${MFN} 0`, '950300 Goods and services tax 2412'],
    ],
    [
      'the Emirates charge the duty of the Gulf states',
      'AE',
      100,
      [`950300 ${MFN} 500`, `950300 ${VAT} 525`],
    ],
    [
      'the United States charge an additional duty, no fee on a courier parcel, and no federal tax',
      'US',
      100,
      [
        `95030000 ${MFN} 0`,
        '95030000 Section 301 duty (forced labour) 1250',
        '95030000 Merchandise processing fee 0',
        `95030000 ${VAT} 0`,
      ],
    ],
    ['Hong Kong charges neither duty nor tax', 'HK', 100, [`950300 ${MFN} 0`, `950300 ${VAT} 0`]],
    [
      'a country without data is not estimated',
      'MZ',
      100,
      [`950300 ${UNKNOWN} 0?`, '950300 Import tax (not estimated) 0?'],
    ],
  ])('%s (%s, %d)', (_name, to, cost, expected) => {
    expect(lines(estimate('CN', to, [['950300', 1, cost]]))).toEqual(expected)
  })
  test('Brazil charges a business PIS and Cofins, which are in the base of the state tax', () => {
    const answer = estimate('CN', 'BR', [['851713', 1, 400]], DAY, 'business')
    // 16%, 2.1% and 9.65% of 400, and 17/83 of 511
    expect(lines(answer)).toEqual([
      `851713 ${MFN} 6400`,
      '851713 PIS contribution on import 840',
      '851713 Cofins contribution on import 3860',
      '851713 State value added tax (ICMS) 10466',
      '851713 Tax on industrial products (IPI) (not estimated) 0?',
    ])
    expect(lineTexts(answer)[1]).toContain('2.1%, on a customs value of EUR 400.00.')
    expect(lines(estimate('CN', 'BR', [['851713', 1, 400]])).map((line) => line.split(' ')[1])).toEqual([
      'Flat-rate',
      'State',
    ])
  })
  test('China has a line without an amount for goods of the United States', () => {
    const counter = '61103000 Counter-tariff on goods of the United States (not estimated) 0?'
    expect(lines(estimate('US', 'CN', [['611030', 1, 100, 'US']], DAY, 'business'))).toContain(counter)
    expect(lines(estimate('US', 'CN', [['611030', 1, 100, 'IT']], DAY, 'business')).join()).not.toContain(
      'Counter',
    )
  })
  test('Japan excludes knitwear from its relief by code', () => {
    expect(lines(estimate('CN', 'JP', [['610910', 1, 30]]))).toEqual([
      // 30 euro are 5,367.1 yen, cut to 5,000: 10.9% are 545 yen, cut to 500, which are 2.7947… euro
      `610910 ${MFN} 168`,
      // 5,912.1 yen, cut to 5,000: 500 yen are 2.7947… euro
      '610910 Consumption tax 279',
    ])
  })
})

describe('items and codes', () => {
  test('the estimate has the code of the most valuable item; if values are equal, of the first', () => {
    expect(
      estimate('CN', 'NL', [
        ['950300', 1, 50],
        ['610910', 5, 10],
        ['640399', 1, 49],
      ]).hsCode,
    ).toBe('950300')
  })
  test('an item without a code has a problem and counts towards limits, and the others keep their lines', () => {
    const answer = estimate('CN', 'NL', [
      ['', 1, 100],
      ['610910', 1, 100],
    ])
    expect(lines(answer)).toEqual([`61091000 ${MFN} 1200`, `61091000 ${VAT} 2352`])
    expect(answer.items[0]?.problem).toMatchObject({
      code: 'UNCLASSIFIABLE',
      fields: [{ path: ['contentItems', 0, 'description'], code: 'UNCLASSIFIABLE' }],
    })
    expect([answer.complete, answer.hsCode]).toEqual([false, '610910'])
  })
  test('a lost leading zero is restored, and the line says so', () => {
    const answer = estimate('BR', 'NL', [['9012100', 1, 200]])
    expect(answer).toMatchObject({
      hsCode: '9012100',
      taxes: [{ harmonizedCode: '09012100', amountCents: 1500 }, {}],
    })
    expect(lineTexts(answer)[0]).toContain('leading zero')
  })
  test('one code in two spellings has one line', () => {
    expect(
      lines(
        estimate('CN', 'NL', [
          ['610910', 1, 100],
          ['6109100000', 1, 100],
        ]),
      ),
    ).toHaveLength(2)
  })
})

describe('every estimate', () => {
  const country = fc.constantFrom(
    ...'NL DE ES FR GB CH LI NO UA BR ZA JP US HK MZ AX RE SM AD JE MC CN'.split(' '),
  )
  const zipcode = fc.constantFrom('', '35001', '97150', 'BT1 1AA', '78266', '23041', 'x')
  const code = fc.oneof(
    fc.stringMatching(/^[0-9]{6,10}$/),
    fc.constantFrom(...lineCodes(tables.tariffs.get('EU')!)),
    fc.constant(''),
  )
  const item = fc.record({
    description: fc.constant('goods'),
    tariff: code,
    numberOfItems: fc.integer({ min: 1, max: 1000 }),
    cost: fc.integer({ min: 0, max: 10_000_000 }).map((steps) => steps / 10_000),
    originCountry: fc.constantFrom(undefined, 'CN', 'GB'),
  })
  const input = fc.record({
    from: fc.record({ country, zipcode }),
    to: fc.record({ country, zipcode }),
    contentItems: fc.array(item, { minLength: 1, maxLength: 8 }),
    asOf: fc.constantFrom(undefined, '2020-01-01', '2026-06-30', '2026-07-01', '2030-01-01'),
  })

  test('is the sum of distinct lines, and gives a reason for every zero', () => {
    fc.assert(
      fc.property(input, (given) => {
        const request = checkDutiesRequest(given)
        if ('kind' in request) throw new Error(JSON.stringify(request))
        const answer = estimateOf(request, request.date ?? '2026-11-21')
        const amounts = answer.taxes.map((line) => line.amountCents)
        expect(answer.estimateCents).toBe(amounts.reduce((a, b) => a + b, 0))
        for (const line of answer.taxes) {
          expect(describeLine(answer.consignment, line)).not.toBe('')
          expect(line.amountCents).toBeGreaterThanOrEqual(0)
          if (!line.computed) expect(line.amountCents).toBe(0)
        }
        const keys = answer.taxes.map((line) => `${line.harmonizedCode} ${line.name}`)
        expect(new Set(keys).size).toBe(keys.length)
        const firstTax = answer.taxes.findIndex((line) => line.kind !== 'DUTY')
        expect(answer.taxes.slice(Math.max(firstTax, 0)).some((line) => line.kind === 'DUTY')).toBe(
          firstTax === -1 && keys.length > 0,
        )
      }),
      { numRuns: 500 },
    )
  })

  test('exists for every country', () => {
    const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
    const countries = letters.flatMap((a) => letters.map((b) => a + b)).filter(isCountryCode)
    for (const to of countries) {
      if (to === 'CN') continue
      const answer = estimate('CN', to, [['610910', 1, 500]])
      expect(answer.taxes.length, to).toBeGreaterThanOrEqual(2)
    }
  })
})
