/**
 * Parcels to consumers in many countries, calculated by hand with all of the shipped data. Sent from China if not
 * stated otherwise, on 2026-11-23. Values are in euro. Exchange rates are those of 2026-09-29.
 */
import { describe, expect, test } from 'vitest'
import { compileCustoms } from '../../../../src/core/customs/compiled-customs.ts'
import { estimateRequest, givenCode } from '../../../../src/core/customs/estimate/estimate.ts'
import type { DutiesRequest } from '../../../../src/core/customs/request.ts'
import { readShippedCustomsData } from '../../../../src/reference/customs.ts'

const tables = compileCustoms(readShippedCustomsData())

const TSHIRT = '610910'
const SHOES = '640399'
const BOOK = '490199'
const PHONE = '851713'
const COSMETICS = '330499'

const MFN = 'Most-favoured-nation duty'
const FLAT = 'Flat-rate customs duty'
const VAT = 'Value added tax'
const DTA = 'Customs processing fee'

type Options = { readonly from?: string; readonly recipient?: 'individual' | 'business' }

/** `place`: a country and an optional postal code ("CA M5V2T6"). Lines as "name cents", with "?" where not computed. */
function lines(
  place: string,
  tariff: string,
  cost: number,
  { from = 'CN', recipient }: Options = {},
): string[] {
  const [country = '', ...rest] = place.split(' ')
  const zipcode = rest.length === 0 ? undefined : rest.join(' ')
  const request: DutiesRequest = {
    from: { country: from },
    to: { country, ...(zipcode !== undefined && { zipcode }) },
    items: [{ description: 'goods', numberOfItems: 1, costSteps: cost * 1_000_000, tariff }],
    ...(recipient !== undefined && { recipient }),
  }
  const { taxes } = estimateRequest(tables, request, [givenCode(tariff)], '2026-11-23')
  return taxes.map(({ name, amountCents, computed }) => `${name} ${amountCents}${computed ? '' : '?'}`)
}

describe('Southern Africa', () => {
  test.each([
    // 45% of 400; 15% of 400 + 10% of 400 + 180 = 620
    ['ZA', TSHIRT, 400, [`${MFN} 18000`, `${VAT} 9300`]],
    // The flat rate up to ZAR 500 has ended: 45% of 20; 15% of 22 + 9 = 31
    ['ZA', TSHIRT, 20, [`${MFN} 900`, `${VAT} 465`]],
    // 30% of 120; 15% of 132 + 36 = 168
    ['NA', SHOES, 120, [`${MFN} 3600`, `${VAT} 2520`]],
    // Free; 14% of 600
    ['BW', PHONE, 600, [`${MFN} 0`, `${VAT} 8400`]],
  ])('%s, %s of EUR %d: %j', (place, code, cost, expected) => {
    expect(lines(place, code, cost)).toEqual(expected)
  })
  test('inside the customs union only tax is due', () => {
    // 14% of 400
    expect(lines('BW', TSHIRT, 400, { from: 'ZA' })).toEqual([`${VAT} 5600`])
  })
})

describe('West, Central and East Africa', () => {
  test.each([
    // USD 22.72 is below USD 300
    ['NG', TSHIRT, 20, [`${MFN} 0`, `${VAT} 0`]],
    // 20% of 400; 0.5% of 400; 7.5% of 400 + 80 + 2 = 482
    [
      'NG',
      TSHIRT,
      400,
      [`${MFN} 8000`, 'ECOWAS community levy 200', 'Import charges (not estimated) 0?', `${VAT} 3615`],
    ],
    // 20%, 0.5% and 0.2% of 400; 15% and twice 2.5% of 482.80
    [
      'GH',
      TSHIRT,
      400,
      [
        `${MFN} 8000`,
        'ECOWAS community levy 200',
        'African Union levy 80',
        'Other import levies (not estimated) 0?',
        `${VAT} 7242`,
        'National health insurance levy 1207',
        'Education trust fund levy 1207',
      ],
    ],
    // Free; 0.5%, 0.8% and 1% of 30; 18% of 30.69
    [
      'CI',
      BOOK,
      30,
      [
        `${MFN} 0`,
        'ECOWAS community levy 15',
        'Community solidarity levy (UEMOA) 24',
        'Statistical fee 30',
        `${VAT} 552`,
      ],
    ],
    // 30%, 1%, 0.05% and 0.4% of 400; 19.25% of 525.80
    [
      'CM',
      TSHIRT,
      400,
      [
        `${MFN} 12000`,
        'Community integration tax (CEMAC) 400',
        'OHADA levy 20',
        'Community contribution (CEEAC) 160',
        `${VAT} 10122`,
      ],
    ],
    // 35%, 2.5% and 2% of 400; 16% of 540
    [
      'KE',
      TSHIRT,
      400,
      [`${MFN} 14000`, 'Import declaration fee 1000', 'Railway development levy 800', `${VAT} 8640`],
    ],
  ])('%s, %s of EUR %d: %j', (place, code, cost, expected) => {
    expect(lines(place, code, cost)).toEqual(expected)
  })
  test('members of ECOWAS charge duty on goods from each other', () => {
    expect(lines('GH', TSHIRT, 400, { from: 'NG' })[0]).toBe(`${MFN} 8000`)
  })
})

describe('the Gulf and Kazakhstan', () => {
  test.each([
    // AED 83.44 is below AED 300; 5% of 20
    ['AE', TSHIRT, 20, [`${MFN} 0`, `${VAT} 100`]],
    // 5% of 400 and of 420
    ['AE', TSHIRT, 400, [`${MFN} 2000`, `${VAT} 2100`]],
    // SAR 85.23 is below SAR 1000; SAR 15 are 3.52; 15% of 20
    ['SA', TSHIRT, 20, [`${MFN} 0`, 'Customs service fee 352', `${VAT} 300`]],
    // BHD 170.87 is below BHD 300
    ['BH', TSHIRT, 400, [`${MFN} 0`, `${VAT} 0`]],
    // BHD 341.73: 5% of 800; 10% of 840
    ['BH', TSHIRT, 800, [`${MFN} 4000`, `${VAT} 8400`]],
    // Free; 5% of 30
    ['OM', BOOK, 30, [`${MFN} 0`, `${VAT} 150`]],
    // 5% of 60; no tax
    ['QA', COSMETICS, 60, [`${MFN} 300`, `${VAT} 0`]],
    ['KZ', TSHIRT, 200, [`${MFN} 0`, `${VAT} 0`]],
    // 5% of 400; 16% of 420
    ['KZ', TSHIRT, 400, [`${FLAT} 2000`, `${VAT} 6720`]],
  ])('%s, %s of EUR %d: %j', (place, code, cost, expected) => {
    expect(lines(place, code, cost)).toEqual(expected)
  })
  test('inside the Gulf only tax is due', () => {
    expect(lines('OM', TSHIRT, 400, { from: 'AE' })).toEqual([`${VAT} 2000`])
  })
})

describe('East and South Asia', () => {
  const GST = 'Goods and services tax'
  test.each([
    // 70% of 13%, and of 9%
    ['CN', COSMETICS, 60, [`${FLAT} 546`, `${VAT} 0`], 'US'],
    ['CN', BOOK, 30, [`${FLAT} 189`, `${VAT} 0`], 'US'],
    // 30.98% of 400
    ['IN', TSHIRT, 400, [`${FLAT} 12392`, `${GST} 0`]],
    // 30.98% of 2 euro are INR 67.64, below INR 100
    ['IN', TSHIRT, 2, [`${FLAT} 0`, `${GST} 0`]],
    // JPY 5,367 is below JPY 10,000
    ['JP', BOOK, 30, [`${MFN} 0`, 'Consumption tax 0']],
    // JPY 17,890, cut to 17,000: 1,700 yen are 9.5022… euro
    ['JP', BOOK, 100, [`${MFN} 0`, 'Consumption tax 950']],
    ['MO', TSHIRT, 400, [`${MFN} 0`, `${VAT} 0`]],
  ])('%s, %s of EUR %d: %j', (place, code, cost, expected, from = 'CN') => {
    expect(lines(place, code, cost, { from })).toEqual(expected)
  })
  test('a business in India pays the duty and tax of the goods', () => {
    expect(lines('IN', PHONE, 400, { recipient: 'business' })[0]).not.toContain(FLAT)
  })
})

describe('South-East Asia and Oceania', () => {
  const UNKNOWN_DUTY = 'Import duty (not estimated) 0?'
  test.each([
    // VND 589,571 is below VND 1,000,000; 8% of 20
    ['VN', TSHIRT, 20, [`${MFN} 0`, `${VAT} 160`]],
    // 7% of 120
    ['TH', SHOES, 120, [UNKNOWN_DUTY, `${VAT} 840`]],
    // Below MYR 500; 10% of 20
    ['MY', TSHIRT, 20, [`${MFN} 0`, 'Sales tax 200']],
    // 25% of 20; 11% and 5% of 25
    ['ID', TSHIRT, 20, [`${FLAT} 500`, `${VAT} 275`, 'Income tax on imports (article 22) 125']],
    // 7.5% of 600; 11% of 645
    ['ID', PHONE, 600, [`${FLAT} 4500`, `${VAT} 7095`]],
    // Books are free of duty and tax
    ['ID', BOOK, 30, [`${FLAT} 0`, `${VAT} 0`]],
    ['PH', SHOES, 120, [`${MFN} 0`, `${VAT} 0`]],
    // Above PHP 10,000; 12% of 400
    ['PH', TSHIRT, 400, [UNKNOWN_DUTY, `${VAT} 4800`]],
    // Below AUD 1000; 10% of 20
    ['AU', TSHIRT, 20, [`${MFN} 0`, 'Goods and services tax 200']],
    ['AU 2899', TSHIRT, 20, [UNKNOWN_DUTY, 'Goods and services tax 0']],
  ])('%s, %s of EUR %d: %j', (place, code, cost, expected) => {
    expect(lines(place, code, cost)).toEqual(expected)
  })
})

describe('Latin America', () => {
  const ICMS = 'State value added tax (ICMS)'
  test.each([
    // Below USD 500; 19% of 20
    ['CL', TSHIRT, 20, [`${MFN} 0`, `${VAT} 380`]],
    // USD 681.64: 6% of 600; 19% of 636
    ['CL', PHONE, 600, [`${MFN} 3600`, `${VAT} 12084`]],
    // USD 136.33 is below USD 200; 19% of 120
    ['CO', SHOES, 120, [`${MFN} 0`, `${VAT} 2280`]],
    ['CO', SHOES, 120, [`${MFN} 0`, `${VAT} 0`], 'US'],
    // 10% of 400; 19% of 440
    ['CO', TSHIRT, 400, [`${FLAT} 4000`, `${VAT} 8360`]],
    ['PE', SHOES, 120, [`${MFN} 0`, `${VAT} 0`]],
    // 4% of 400; 18% of 416
    ['PE', TSHIRT, 400, [`${FLAT} 1600`, `${VAT} 7488`]],
    // 21% of 20
    ['AR', TSHIRT, 20, [`${MFN} 0`, `${VAT} 420`]],
    // 33.5% of 400
    ['MX', TSHIRT, 400, [`${FLAT} 13400`, `${DTA} 0`, `${VAT} 0`]],
    // USD 45.44 is below USD 50
    ['MX', TSHIRT, 40, [`${MFN} 0`, `${DTA} 0`, `${VAT} 0`], 'US'],
    // USD 22.72 is below USD 50; 17/83 of 20, and 20/80 of 20
    ['BR 01310-100', TSHIRT, 20, [`${MFN} 0`, `${ICMS} 410`]],
    ['BR 30110-000', TSHIRT, 20, [`${MFN} 0`, `${ICMS} 500`]],
    // 60% of 400 less USD 20 (17.6045… euro) = 222.3954…; 17/83 and 20/80 of 622.3954…
    ['BR 01310-100', TSHIRT, 400, [`${FLAT} 22240`, `${ICMS} 12748`]],
    ['BR 30110-000', TSHIRT, 400, [`${FLAT} 22240`, `${ICMS} 15560`]],
  ])('%s, %s of EUR %d: %j', (place, code, cost, expected, from = 'CN') => {
    expect(lines(place, code, cost, { from })).toEqual(expected)
  })
})

describe('Canada', () => {
  const GST = 'Goods and services tax'
  const HST = 'Provincial part of the harmonized sales tax'
  test.each([
    // CAD 32.24 is above CAD 20: 18% of 20; 5% and 8% of 23.60
    ['CA M5V 2T6', TSHIRT, 20, [`${MFN} 360`, `${GST} 118`, `${HST} 189`], 'CN'],
    // From the United States it is below CAD 40
    ['CA M5V 2T6', TSHIRT, 20, [`${MFN} 0`, `${GST} 0`, `${HST} 0`], 'US'],
    // 5% and 9% of 600
    ['CA B3H 1A1', PHONE, 600, [`${MFN} 0`, `${GST} 3000`, `${HST} 5400`], 'CN'],
    // 5% and 9.975% of 600
    ['CA H2X 1Y4', PHONE, 600, [`${MFN} 0`, `${GST} 3000`, 'Quebec sales tax 5985'], 'CN'],
    // 5% and 7% of 600
    ['CA V6B 1A1', PHONE, 600, [`${MFN} 0`, `${GST} 3000`, 'Provincial sales tax 4200'], 'CN'],
    ['CA T2P 1J9', PHONE, 600, [`${MFN} 0`, `${GST} 3000`, 'Provincial sales tax 0'], 'CN'],
    ['CA', PHONE, 600, [`${MFN} 0`, `${GST} 3000`, 'Provincial sales tax (not estimated) 0?'], 'CN'],
  ])('%s, %s of EUR %d: %j from %s', (place, code, cost, expected, from) => {
    expect(lines(place, code, cost, { from })).toEqual(expected)
  })
  test('businesses pay no provincial tax at the border', () => {
    expect(lines('CA M5V2T6', PHONE, 600, { recipient: 'business' })).toEqual([`${MFN} 0`, `${GST} 3000`])
  })
})

describe('goods of the United States in Canada, whose counter-tariff list is not loaded', () => {
  const complete = (cost: number): boolean => {
    const request: DutiesRequest = {
      from: { country: 'US' },
      to: { country: 'CA', zipcode: 'M5V2T6' },
      items: [
        {
          description: 'goods',
          numberOfItems: 1,
          costSteps: cost * 1_000_000,
          tariff: PHONE,
          originCountry: 'US',
        },
      ],
    }
    return estimateRequest(tables, request, [givenCode(PHONE)], '2026-11-23').complete
  }

  // CAD 1.611903 per euro: EUR 24 are CAD 38.69, and EUR 93 are CAD 149.91.
  test.each([24, 93])('have a complete estimate up to CAD 150: EUR %i', (cost) => {
    expect(complete(cost)).toBe(true)
  })
  test('have an incomplete estimate above CAD 150', () => {
    expect(complete(94)).toBe(false)
    expect(lines('CA M5V2T6', PHONE, 94, { from: 'US' })).toContain(
      'Counter-tariff on goods of the United States (not estimated) 0?',
    )
  })
})
