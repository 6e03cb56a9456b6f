/** Exchange rates and tax rates in all layouts. */
import { describe, expect, test } from 'vitest'
import { detectFormat } from '../../../src/reference/tariff-import/formats.ts'
import { faultsOf, fixture, leftOut, readFile } from './read-fixture.ts'

const rates = (content: string | Uint8Array): readonly string[] =>
  (readFile('exchange-rates', content).tables.exchangeRates ?? []).map(
    ({ currency, unitsPerEuro, validFrom }) => `${validFrom} ${currency} ${unitsPerEuro}`,
  )

describe('exchange rates', () => {
  test('are read from the layout of the European Central Bank', () => {
    const bytes = fixture('eurofxref-hist.csv')
    expect(detectFormat('x', bytes)).toBe('exchange-rates')
    expect(rates(bytes)).toEqual([
      '2026-05-08 USD 1.1761',
      '2026-05-08 JPY 184.37',
      '2026-05-08 GBP 0.8642',
      '2026-05-07 USD 1.173',
      '2026-05-07 JPY 183.9',
      '2026-05-07 GBP 0.865',
    ])
    expect(leftOut(readFile('exchange-rates', bytes), 'N/A')).toBe(2)
    expect(rates('Date, USD, JPY, \n08 May 2026, 1.1761, 184.37, \n')).toEqual([
      '2026-05-08 USD 1.1761',
      '2026-05-08 JPY 184.37',
    ])
  })

  test('per pound of HM Revenue & Customs become rates per euro by the euro rate of the month', () => {
    const bytes = fixture('pound-rates.csv')
    expect(detectFormat('x', bytes)).toBe('exchange-rates')
    // 1 / 1.1564 = 0.86475268…, 1.3404 / 1.1564 = 1.15911449…, 214.8908 / 1.1564 = 185.82739536…
    expect(rates(bytes)).toEqual([
      '2026-07-01 GBP 0.864753',
      '2026-07-01 USD 1.159114',
      '2026-07-01 JPY 185.827395',
    ])
    expect(leftOut(readFile('exchange-rates', bytes), 'same currency and rate')).toBe(1)
  })

  test('are rounded to six decimals, half up', () => {
    const header = 'Currency Code,Currency Units per £1,Start date\n'
    // 0.000003 / 2 is 0.0000015.
    expect(rates(`${header}EUR,2,01/07/2026\nUSD,0.000003,01/07/2026\n`)).toEqual([
      '2026-07-01 GBP 0.5',
      '2026-07-01 USD 0.000002',
    ])
  })

  test('per pound are faults without a euro rate, or with two rates of one currency', () => {
    const header = 'Country,Currency Code,Currency Units per £1,Start date\n'
    expect(faultsOf(readFile('exchange-rates', `${header}USA,USD,1.34,01/07/2026\n`))).toEqual([
      'file, row 2, column Currency Code: expected a row for the euro (EUR) of 2026-07-01, which converts rates per pound to rates per euro',
    ])
    const twice = `${header}E,EUR,1.15,01/07/2026\nUSA,USD,1.34,01/07/2026\nX,USD,1.35,01/07/2026\n`
    expect(faultsOf(readFile('exchange-rates', twice))).toEqual([
      'file, row 4, column Currency Units per £1: expected one rate per currency and month; row 3 has 1.34, found "1.35"',
    ])
  })

  test('are faults if they are 0, not a number, or of a day that occurs twice', () => {
    expect(
      faultsOf(
        readFile('exchange-rates', 'Date,USD\n2026-05-08,0.000\n2026-05-07,x\n2026-05-07,1\n2026-13-01,1\n'),
      ),
    ).toEqual([
      'file, row 2, column USD: expected a rate above 0 with at most 6 decimals, found "0.000"',
      'file, row 3, column USD: expected a rate above 0 with at most 6 decimals, found "x"',
      'file, row 4, column Date: expected a day that occurs once in the file; row 3 has the same, found "2026-05-07"',
      'file, row 5, column Date: expected a day of the calendar such as 2026-01-31 or 31-01-2026, found "2026-13-01"',
    ])
  })

  test('are read from Waybill’s own columns', () => {
    expect(rates('currency,units_per_euro,valid_from\nUSD,1.17610,2026-05-08\n')).toEqual([
      '2026-05-08 USD 1.1761',
    ])
    expect(
      faultsOf(readFile('exchange-rates', 'currency,units_per_euro,valid_from\nUSD,,2026-05-08\n')),
    ).toHaveLength(1)
  })
})

describe('tax rates', () => {
  test('are rates of value added tax without the column `tax`', () => {
    const bytes = fixture('vat-rates.csv')
    expect(detectFormat('x', bytes)).toBe('tax-rates')
    const read = readFile('tax-rates', bytes)
    expect(faultsOf(read)).toEqual([])
    expect(read.tables.taxRates).toEqual([
      {
        dataSet: 'mine',
        jurisdiction: 'DE',
        tax: 'VAT',
        codePrefix: '',
        ratePpm: 190_000,
        kind: 'standard',
        validFrom: '2021-01-01',
        validTo: null,
        confidence: 'high',
        note: '',
      },
      {
        dataSet: 'mine',
        jurisdiction: 'DE',
        tax: 'VAT',
        codePrefix: '4901',
        ratePpm: 70_000,
        kind: 'books',
        validFrom: '2021-01-01',
        validTo: null,
        confidence: 'high',
        note: 'Invented note',
      },
      {
        dataSet: 'mine',
        jurisdiction: 'CH',
        tax: 'VAT',
        codePrefix: '',
        ratePpm: 77_000,
        kind: 'standard',
        validFrom: '2018-01-01',
        validTo: '2024-01-01',
        confidence: 'high',
        note: '',
      },
    ])
  })

  test('are faults with a decimal comma', () => {
    expect(faultsOf(readFile('tax-rates', 'jurisdiction;code_prefix;rate_percent\nCH;;7,7\n'))).toEqual([
      'file, row 2, column rate_percent: expected a number with at most 4 decimals, written with a point, found "7,7"',
    ])
  })
})
