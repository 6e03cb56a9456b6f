/** Warnings for values that can be read but are probably wrong. */
import { describe, expect, test } from 'vitest'
import { whyUndetected } from '../../../src/reference/tariff-import/formats.ts'
import { makeWorkbook } from './make-workbook.ts'
import { faultsOf, readFile, warningsOf } from './read-fixture.ts'

describe('a warning', () => {
  test('names an unknown currency, origin or excluded origin', () => {
    const header = 'code,measure type id,duty,origin,excluded origins\n'
    const row = '61091000,142,5.00 XXQ / item,ZZ,JP QQ\n'
    expect(warningsOf(readFile('uk-csv', `${header}${row}`))).toEqual([
      'file, row 2, column origin: expected a country or a loaded origin group, found "ZZ"',
      'file, row 2, column origin: expected a country or a loaded origin group, found "QQ"',
      'file, row 2, column duty: expected a currency of ISO 4217, found "XXQ"',
    ])
    const csv = 'jurisdiction,code_prefix,specific,origin_group\nGB,61091000,5 XXQ/item,ZZ\n'
    expect(warningsOf(readFile('waybill-csv', csv, { table: 'measures' }))).toEqual([
      'file, row 2, column origin_group: expected a country or a loaded origin group, found "ZZ"',
      'file, row 2, column specific: expected a currency of ISO 4217, found "XXQ"',
    ])
  })

  test('names an unknown tax', () => {
    const known = { origins: new Set<string>(), taxes: new Set(['DE VAT']) }
    const rows = 'jurisdiction,tax,code_prefix,rate_percent\nDE,VAT,,19\nDE,GST,,19\n'
    expect(warningsOf(readFile('tax-rates', rows, { known }))).toEqual([
      'file, row 3, column tax: expected a tax of DE that is in the customs data, found "GST"',
    ])
  })
})

test('counts restored leading zeros, and names a code whose heading does not exist then', () => {
  expect(warningsOf(readFile('uk-csv', 'code,duty\n101210000,1%\n201100000,2%\n302110000,3%\n'))).toEqual([
    'file, row 2, column code: expected an even number of digits; a leading zero was added to 3 such codes, found "101210000"',
  ])
  expect(warningsOf(readFile('uk-csv', 'code,duty\n999910000,1%\n'))).toEqual([
    'file, row 2, column code: expected a code in a heading of the HS (there is no heading 0999), found "999910000"',
    expect.stringContaining('1 such codes'),
  ])
})

describe('a file in no known format', () => {
  test('is refused with the reason', () => {
    const text = (content: string) => whyUndetected('file', new TextEncoder().encode(content))
    expect(text('')).toBe('is empty')
    expect(text('\n \n')).toBe('is empty')
    expect(text('Dear Sir,x\n')).toContain('has the columns Dear Sir, x, which no format has')
    expect(whyUndetected('file', new Uint8Array([0x61, 0xe9, 0x2c]))).toMatch(/^is not in UTF-8/)
    const workbook = makeWorkbook({ A: [['x']] })
    expect(whyUndetected('file', workbook.subarray(0, workbook.length >> 1))).toContain('damaged')
  })

  test('may be a workbook without a column, which is named', () => {
    const header = ['Goods code', 'Start date', 'Origin code', 'Meas. type code']
    const bytes = makeWorkbook({ A: [header, ['0101210000', '01-01-2020', '1011', '103']] })
    expect(faultsOf(readFile('taric-workbook', bytes))).toEqual([
      'file, row 1, column Duty: expected a column with one of these names: Duty, Duty expression, Duty rate',
    ])
  })
})
