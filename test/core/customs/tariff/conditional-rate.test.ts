/** Seasonal duties and entry prices, read from published texts. */
import { describe, expect, test } from 'vitest'
import {
  isInSeason,
  parseEntryPrices,
  parseSeasons,
} from '../../../../src/core/customs/tariff/conditional-rate.ts'
import { formatDutyParts } from '../../../../src/core/customs/tariff/duty-text.ts'
import { readShippedCustomsData } from '../../../../src/reference/customs.ts'

/** The rates in force on a day. */
function ratesOn(text: string, date: string): readonly string[] | undefined {
  return parseSeasons(text)?.flatMap((season) =>
    isInSeason(season, date) ? [formatDutyParts(season.rate.base)] : [],
  )
}

describe('a seasonal duty', () => {
  const fish = '15.00% (01 JAN-14 FEB, 16 JUN-31 DEC), 0.00% (15 FEB-15 JUN)'

  test.each([
    ['2026-01-01', '15%'],
    ['2026-02-14', '15%'],
    ['2026-02-15', '0%'],
    ['2024-02-29', '0%'],
    ['2026-06-15', '0%'],
    ['2026-06-16', '15%'],
    ['2026-12-31', '15%'],
  ])('on %s is %s', (date, rate) => {
    expect(ratesOn(fish, date)).toEqual([rate])
  })
  test('may have a period over the end of the year, long names of months, and one month for both days', () => {
    expect(ratesOn('5% (01 NOV-28 FEB), 9% (01 MAR-30 JUNE)', '2026-01-15')).toEqual(['5%'])
    expect(ratesOn('5% (01 NOV-28 FEB), 9% (01 MAR-30 JUNE)', '2026-06-30')).toEqual(['9%'])
    expect(ratesOn('4.00% (01 JAN-31 MAR, 01-31 DEC), 5.10% (01 JUN-30 NOV)', '2026-12-31')).toEqual(['4%'])
    expect(ratesOn('4.00% (01 JAN-31 MAR, 01-31 DEC), 5.10% (01 JUN-30 NOV)', '2026-04-15')).toEqual([])
  })
  test.each([
    'in summer more',
    '5% (summer)',
    '5% (01 ABC-31 DEC)',
    '',
    '5%',
  ])('%j is not understood', (text) => {
    expect(parseSeasons(text)).toBeUndefined()
  })
  test('of the shipped tariffs of the EU and the UK is understood, except one without its second period', () => {
    const texts = readShippedCustomsData().measures.flatMap(
      ({ jurisdiction, condition, text, codePrefix }) =>
        ['EU', 'GB'].includes(jurisdiction) && condition === 'seasonal' && parseSeasons(text) === undefined
          ? [codePrefix]
          : [],
    )
    expect(new Set(texts)).toEqual(new Set(['07041000']))
  })
})

describe('an entry price', () => {
  test('has the duties from the highest price to the lowest', () => {
    const text =
      'Cond:  V 0.000 EUR DTN(01):8.800 % + 29.800 EUR DTN ; V 84.600 EUR/DTN (01):8.800 % ; V 82.900 EUR DTN(01):8.800 % + 1.700 EUR DTN'
    expect(
      parseEntryPrices(text)?.map(({ price, rate }) => [price.amountMicros, formatDutyParts(rate.base)]),
    ).toEqual([
      [84_600_000, '8.8%'],
      [82_900_000, '8.8% + 1.7 EUR/100 kg'],
      [0, '8.8% + 29.8 EUR/100 kg'],
    ])
  })
  test.each([
    '',
    'Entry price',
    'Cond:  V 84.600 EUR DTN(01):as agreed',
    'Cond:  Y cert: Y-155 (01):0.000 %',
  ])('%j is not understood', (text) => {
    expect(parseEntryPrices(text)).toBeUndefined()
  })
})
