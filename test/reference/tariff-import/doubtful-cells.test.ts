/** What can be read but will hardly be meant: warnings at the row and column. */
import { describe, expect, test } from 'vitest'
import { whyUndetected } from '../../../src/reference/tariff-import/formats.ts'
import { makeWorkbook } from './make-workbook.ts'
import { faultsOf, readFile, warningsOf } from './read-fixture.ts'

describe('names that nobody has', () => {
  test('a currency, a country of origin and an excluded one are warned of', () => {
    const header = 'code,measure type id,duty,origin,excluded origins\n'
    const row = '61091000,142,5.00 XXQ / item,ZZ,JP QQ\n'
    expect(warningsOf(readFile('uk-csv', `${header}${row}`))).toEqual([
      'file, row 2, column origin: expected a country, or a group of origins that is loaded, found "ZZ"',
      'file, row 2, column origin: expected a country, or a group of origins that is loaded, found "QQ"',
      'file, row 2, column duty: expected a currency of ISO 4217, found "XXQ"',
    ])
    const own = 'jurisdiction,code_prefix,specific,origin_group\nGB,61091000,5 XXQ/item,ZZ\n'
    expect(warningsOf(readFile('waybill-csv', own, { table: 'measures' }))).toEqual([
      'file, row 2, column origin_group: expected a country, or a group of origins that is loaded, found "ZZ"',
      'file, row 2, column specific: expected a currency of ISO 4217, found "XXQ"',
    ])
  })

  test('a tax that no taxes have is warned of', () => {
    const known = { origins: new Set<string>(), taxes: new Set(['DE VAT']) }
    const rows = 'jurisdiction,tax,code_prefix,rate_percent\nDE,VAT,,19\nDE,GST,,19\n'
    expect(warningsOf(readFile('tax-rates', rows, { known }))).toEqual([
      'file, row 3, column tax: expected a tax of DE that the taxes have; nobody levies this one, found "GST"',
    ])
  })
})

test('codes that lost their zero are counted, and one that then has no heading of the HS is named', () => {
  expect(warningsOf(readFile('uk-csv', 'code,duty\n101210000,1%\n201100000,2%\n302110000,3%\n'))).toEqual([
    'file, row 2, column code: expected an even number of digits; 3 such codes got a zero in front, found "101210000"',
  ])
  expect(warningsOf(readFile('uk-csv', 'code,duty\n999910000,1%\n'))).toEqual([
    'file, row 2, column code: expected a heading of the HS; 0999 is none, found "999910000"',
    expect.stringContaining('1 such codes'),
  ])
})

describe('files that are none', () => {
  test('say why', () => {
    const text = (content: string) => whyUndetected('file', new TextEncoder().encode(content))
    expect(text('')).toBe('is empty')
    expect(text('\n \n')).toBe('is empty')
    expect(text('Dear Sir,x\n')).toContain('has the columns Dear Sir, x: of none of the formats')
    expect(whyUndetected('file', new Uint8Array([0x61, 0xe9, 0x2c]))).toMatch(/^is not in UTF-8/)
    const workbook = makeWorkbook({ A: [['x']] })
    expect(whyUndetected('file', workbook.subarray(0, workbook.length >> 1))).toContain('damaged')
  })

  test('a workbook without one of its columns is told which', () => {
    const header = ['Goods code', 'Start date', 'Origin code', 'Meas. type code']
    const bytes = makeWorkbook({ A: [header, ['0101210000', '01-01-2020', '1011', '103']] })
    expect(faultsOf(readFile('taric-workbook', bytes))).toEqual([
      'file, row 1, column Duty: expected a column with one of these names: Duty, Duty expression, Duty rate',
    ])
  })
})
