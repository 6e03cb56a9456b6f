/**
 * Duties of the United States on ordinary goods, calculated by hand from the schedule of 2026-06-08, its chapter 99 and
 * the notices in the Federal Register. Goods of EUR 1,000.00 on 2026-11-23, unless a case gives another day.
 */
import { describe, expect, test } from 'vitest'
import {
  type DutiesEstimate,
  estimateRequest,
  givenCode,
} from '../../../../src/core/customs/estimate/estimate.ts'
import { lineSource } from '../../../../src/core/customs/estimate/explain/line.ts'
import { shippedTables } from '../../../support/customs/shipped-tables.ts'
import { lineTexts } from '../../../support/customs/small-estimate.ts'

const tables = shippedTables()

type Item = readonly [code: string, originCountry?: string]

function estimate(from: string, items: readonly Item[], date = '2026-11-23'): DutiesEstimate {
  const request = {
    from: { country: from },
    to: { country: 'US' },
    items: items.map(([tariff, originCountry]) => ({
      description: 'goods',
      numberOfItems: 1,
      costSteps: 1_000_000_000,
      tariff,
      ...(originCountry !== undefined && { originCountry }),
    })),
  }
  const codes = items.map(([code]) => givenCode(code))
  return estimateRequest(tables, request, codes, date)
}

/** The duties above zero as "name cents", with their range if there is one. */
function duties(answer: DutiesEstimate): readonly string[] {
  return answer.taxes
    .filter(({ kind, amountCents, computed }) => kind === 'DUTY' && (amountCents > 0 || !computed))
    .map((line) => {
      const range = lineSource(answer.consignment, line)?.range
      const name = line.name
        .replace('Most-favoured-nation duty', 'MFN')
        .replace(/^Section (\d+) duty /, '$1 ')
      const suffix = range === undefined ? '' : ` [${range.lowestPercent}–${range.highestPercent}%]`
      return `${name} ${line.amountCents}${suffix}`
    })
}

const METALS = '232 on steel, aluminium and copper'
const FORCED_LABOUR = '301 (forced labour)'
const CHINA = '301 (China)'
const DUMPING = 'Anti-dumping duty (not estimated) 0'
const SUBSIDIES = 'Countervailing duty (not estimated) 0'

describe('goods on the exempt lists', () => {
  test.each([
    ['a laptop from China', 'CN', '84713001'],
    ['a laptop by six digits from Viet Nam', 'VN', '847130'],
    ['a laptop from Taiwan', 'TW', '84713001'],
    ['a telephone from China', 'CN', '85171300'],
    ['a monitor from Viet Nam', 'VN', '85285200'],
    ['a book from the United Kingdom', 'GB', '49019900'],
    ['a painting from Italy', 'IT', '97012100'],
    ['coffee from Brazil', 'BR', '09012100'],
    ['cocoa beans from Ghana', 'GH', '18010000'],
  ])('%s owes no duty', (_name, from, code) => {
    expect(duties(estimate(from, [[code]]))).toEqual([])
  })

  test('a book owes no duty under section 122, but a toy does', () => {
    expect(duties(estimate('GB', [['49019900']], '2026-05-01'))).toEqual([])
    expect(duties(estimate('GB', [['95030000']], '2026-05-01'))).toEqual(['Section 122 duty 10000'])
  })
})

describe('metals', () => {
  test.each([
    ['steel screws from Germany', 'DE', '73181520', '2026-11-23', [`${METALS} 50000`]],
    ['steel screws from the United Kingdom', 'GB', '73181520', '2026-11-23', [`${METALS} 25000 [25–50%]`]],
    [
      'steel threaded rod from China',
      'CN',
      '73181520',
      '2026-11-23',
      [`${METALS} 50000`, `${CHINA} 25000`, DUMPING, SUBSIDIES],
    ],
    // 3.9%, topped up to 10%. The frame is on no annex.
    ['a bicycle frame from Germany', 'DE', '87149130', '2026-11-23', ['MFN 3900', `${FORCED_LABOUR} 6100`]],
    [
      'a bicycle frame from China',
      'CN',
      '87149130',
      '2026-11-23',
      ['MFN 3900', `${CHINA} 25000`, `${FORCED_LABOUR} 12500`],
    ],
    // Free, on annex 1b: owed unless less than 15% of the weight is metal.
    ['a forklift from Japan', 'JP', '84272080', '2026-06-07', [`${METALS} 25000 [0–25%]`]],
    ['a forklift from Japan under annex 1c', 'JP', '84272080', '2026-06-08', [`${METALS} 15000 [0–15%]`]],
    [
      'a forklift from China',
      'CN',
      '84272080',
      '2026-06-08',
      [`${METALS} 25000 [0–25%]`, `${CHINA} 25000`, DUMPING],
    ],
    // Annex 3: 3.1% is topped up to 15%.
    ['a mould part of annex 3', 'DE', '8480490010', '2026-11-23', ['MFN 3100', `${METALS} 11900 [0–15%]`]],
    // On no annex, and exempt from the duty on forced labour.
    ['pig iron from Germany', 'DE', '72011000', '2026-11-23', []],
    [
      'aluminium bars from Russia',
      'RU',
      '76041010',
      '2026-11-23',
      ['Import duty (not estimated) 0', `${METALS} 200000`],
    ],
  ])('%s', (_name, from, code, date, expected) => {
    expect(duties(estimate(from, [[code]], date))).toEqual(expected)
  })

  test('a line says that a share of metal is assumed', () => {
    const text = lineTexts(estimate('CN', [['84272080']])).find((line) => line.includes('metal'))
    expect(text).toContain('Rates for this code range from 0% to 25%.')
    expect(text).toContain(
      'Goods with less than 15% of the metal by weight are not subject to it. A share of at least 15% is assumed.',
    )
  })
})

describe('lists of statistical lines', () => {
  const WOOD = '232 on wood products'
  test.each([
    ['an upholstered sofa', 'VN', '9401616011', [`${WOOD} 25000`]],
    ['a seat for children', 'VN', '9401616005', [`${FORCED_LABOUR} 12500`]],
    ['a line of which half is listed', 'VN', '94016160', [`${WOOD} 25000 [0–25%]`]],
    [
      'a kitchen cabinet',
      'CN',
      '9403409060',
      ['232 on kitchen cabinets and vanities 25000', `${CHINA} 25000`, DUMPING, SUBSIDIES],
    ],
    ['a sofa from Germany, 15% in total', 'DE', '9401616011', [`${WOOD} 15000`]],
  ])('%s', (_name, from, code, expected) => {
    expect(duties(estimate(from, [[code]]))).toEqual(expected)
  })

  test('a line of which few are listed owes nothing, and says what the others owe', () => {
    const answer = estimate('CN', [['94034090']])
    const line = answer.taxes.find(({ name }) => name.includes('some goods'))!
    expect(line.amountCents).toBe(0)
    expect(lineSource(answer.consignment, line)?.range).toEqual({ lowestPercent: '0', highestPercent: '25' })
    expect(lineTexts(answer).join(' ')).toContain('kitchen cabinets, vanities and their parts')
  })

  test('items of one line that owe different duties are calculated apart', () => {
    const answer = estimate('VN', [['9401616011'], ['9401616005']])
    expect(duties(answer)).toEqual([`${WOOD} 25000`, `${FORCED_LABOUR} 12500`])
  })
})

describe('medicines', () => {
  const PATENTED = '232 on patented medicines'
  test.each([
    ['from Ireland, 15% in total', 'IE', '2026-11-23', [`${PATENTED} 15000 [0–15%]`]],
    ['from India', 'IN', '2026-11-23', [`${PATENTED} 100000 [0–100%]`]],
    ['from the United Kingdom', 'GB', '2026-11-23', [`${PATENTED} 10000 [0–10%]`]],
    ['from India before the duty', 'IN', '2026-09-28', []],
  ])('%s', (_name, from, date, expected) => {
    expect(duties(estimate(from, [['3004909260']], date))).toEqual(expected)
  })
})

test('a T-shirt from Bangladesh owes the base duty and 10%', () => {
  expect(duties(estimate('BD', [['61091000']]))).toEqual(['MFN 16500', `${FORCED_LABOUR} 10000`])
})

describe('goods of Canada', () => {
  test('on the list of section 338 owe 50%, but perhaps nothing under the USMCA', () => {
    const section338 = '338 on goods of Canada 50000 [0–50%]'
    expect(duties(estimate('CA', [['61102020', 'CA']]))).toEqual([section338])
    expect(duties(estimate('CA', [['61102020']]))).toEqual([
      'MFN 16500',
      section338,
      `${FORCED_LABOUR} 10000`,
    ])
    expect(duties(estimate('CA', [['61102020', 'CA']], '2026-08-21'))).toEqual([])
  })
  test('on other lines owe nothing under the USMCA', () => {
    expect(duties(estimate('CA', [['64039960', 'CA']]))).toEqual([])
    expect(duties(estimate('CA', [['64039960']]))).toEqual(['MFN 8500', `${FORCED_LABOUR} 10000`])
  })
})

test('a car part from Germany owes 15% in total, from Canada under the USMCA nothing', () => {
  expect(duties(estimate('DE', [['87083050']]))).toEqual(['MFN 2500', '232 on vehicle parts 12500'])
  expect(duties(estimate('CA', [['87083050', 'CA']]))).toEqual([])
})
