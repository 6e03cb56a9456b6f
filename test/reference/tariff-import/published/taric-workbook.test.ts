/** The "Duties Import" workbook of TARIC: all kinds of cells, and the resulting measures. */
import { describe, expect, test } from 'vitest'
import { detectFormat } from '../../../../src/reference/tariff-import/formats.ts'
import { makeWorkbook, type TestCell } from '../make-workbook.ts'
import { faultsOf, fixture, leftOut, measureLines, readFile } from '../read-fixture.ts'

const HEADER = [
  ...['Goods code', 'Add code', 'Order No.', 'Start date', 'End date', 'RED_IND'],
  ...['Origin', ' Measure type', 'Legal base', 'Duty', 'Origin code', ' Meas. type code'],
]

/** A row of the sheet. Default: a third-country duty of all origins. */
const row = (
  code: TestCell,
  duty: string,
  {
    type = '103',
    origin = '1011',
    start = '01-01-2020',
    end = null,
    add = null,
    order = null,
  }: Partial<Record<'type' | 'origin' | 'start' | 'end' | 'add' | 'order', TestCell>> = {},
): readonly TestCell[] => [code, add, order, start, end, null, 'x', 'y', 'R0001/20', duty, origin, type]

const read = (...rows: readonly (readonly TestCell[])[]) =>
  readFile('taric-workbook', makeWorkbook({ Sheet1: [HEADER, ...rows] }))

describe('the TARIC duties workbook', () => {
  test('imports third-country duties, preferences and the customs union', () => {
    const result = read(
      row('0101210000 80', '0.000 %'),
      row('0102291000', '10.200 % + 93.100 EUR DTN'),
      row('6109100010', '12.000 %'),
      row('6109100010', '0.000 %', { type: '142', origin: 'JP' }),
      row('6109100010', '0.000 %', { type: '106', origin: 'TR' }),
      row('0405201000', '9.000 % + EA'),
      row('0713100000', '50.000 %', { origin: 'BY' }),
    )
    expect(faultsOf(result)).toEqual([])
    expect(measureLines(result)).toEqual([
      '01012100 third_country_duty ALL 0% 2020-01-01..',
      '01022910 third_country_duty ALL 10.2% 93.1 EUR/100 kg 2020-01-01..',
      '6109100010 third_country_duty ALL 12% 2020-01-01..',
      '6109100010 preference JP 0% 2020-01-01..',
      '6109100010 customs_union TR 0% 2020-01-01..',
      '04052010 third_country_duty ALL 9% EA meursing 2020-01-01..',
      '07131000 third_country_duty BY 50% 2020-01-01..',
    ])
    expect(result.tables.measures?.[0]?.jurisdiction).toBe('EU')
    expect(result.tables.measures?.[3]?.agreement).toBe('R0001/20')
  })

  test('restores leading zeros of goods codes that became numbers, and reads day numbers', () => {
    const result = read(row(101210000, '0.000 %', { start: 44197, end: 46387, type: 103, origin: 1011 }))
    expect(measureLines(result)).toEqual(['01012100 third_country_duty ALL 0% 2021-01-01..2027-01-01'])
    const from1904 = makeWorkbook(
      { A: [HEADER, row('0101210000', '0.000 %', { start: 42735 })] },
      { countsFrom1904: true },
    )
    expect(measureLines(readFile('taric-workbook', from1904))).toEqual([
      '01012100 third_country_duty ALL 0% 2021-01-01..',
    ])
  })

  test('counts suspensions, conditional dumping duties and groups of lines as left out', () => {
    const result = read(
      row('7208100000', '8.000 %', { type: '112' }),
      row('7208100000', '0.000 %', { type: '112', order: '094001' }),
      row('7208100000', 'Cond:  A cert: D-008 (01):10.000 % ; A (01):30.000 %', {
        type: '554',
        origin: 'CN',
      }),
      row('7208100000 10', '1.000 %'),
      row(null, '1.000 %'),
    )
    expect(result.tables).toEqual({})
    expect(result.counts.rowsUsed).toBe(0)
    const words = ['certificate or condition', 'suffix', 'no goods code']
    for (const word of words) expect([word, leftOut(result, word)]).toEqual([word, 1])
    expect(leftOut(result, 'suspension')).toBe(2)
  })

  test('names origin groups by jurisdiction and number', () => {
    const result = read(
      row('6109100010', '9.600 %', { type: '142', origin: '2020' }),
      row('6109100010', '0.000 %', { type: '142', origin: '1013' }),
      row('6109100010', '12.000 %', { origin: '1011' }),
    )
    expect(result.tables.measures?.map(({ originGroup }) => originGroup)).toEqual([
      'EU-2020',
      'EU-1013',
      'ALL',
    ])
    expect(result.tables.originGroups).toContainEqual({
      dataSet: 'mine',
      originGroup: 'EU-1013',
      country: 'IE',
    })
  })

  test('stores conditional duties as text, and entry prices with their condition', () => {
    const result = read(
      row('0713100000', 'Cond:  Y cert: Y-155 (01):0.000 % ; Y (01):50.000 %'),
      row('0702000000', 'Cond:  V 84.600 EUR DTN(01):as agreed'),
    )
    expect(measureLines(result)).toEqual([
      '07131000 third_country_duty ALL not_parsed 2020-01-01..',
      '07020000 third_country_duty ALL entry_price 2020-01-01..',
    ])
    expect(result.tables.measures?.[0]?.text).toContain('Y-155')
    expect(result.counts.textsNotParsed).toBe(2)
  })

  test('imports quotas, and additional duties by additional code, as conditional duties', () => {
    const result = read(
      row('7208100000', '0.000 %', { type: '122', order: '094001' }),
      row('7208100000', '1.000 %', { type: '122', order: '094001' }),
      row('7208100000', '0.000 %', { type: '146', order: '094002', origin: 'CL' }),
      row('7208100000', '36.100 %', { type: '552', origin: 'CN', add: 'C158' }),
    )
    expect(result.tables.measures).toBeUndefined()
    expect(
      result.tables.conditionalDuties?.map(
        ({ codePrefix, measureType, dependsOn, originGroup, additionalCode, orderNumber, adValoremPpm }) =>
          [codePrefix, measureType, dependsOn, originGroup, additionalCode, orderNumber, adValoremPpm].join(
            ' ',
          ),
      ),
    ).toEqual([
      '72081000 tariff_quota quota ALL  094001 0',
      '720810 preferential_quota quota CL  094002 0',
      '720810 anti_dumping additional_code CN C158  361000',
    ])
    expect(result.tables.conditionalDuties?.[1]?.note).toBe('Only for goods under authorised use.')
    expect(result.tables.measureTypes?.map(({ measureType }) => measureType)).toEqual(['anti_dumping'])
    expect(result.counts.rowsUsed).toBe(3)
    expect(leftOut(result, 'a second duty for the same quota')).toBe(1)
  })

  test('uses the highest duty of several additional codes, with the range, after a duty without a code', () => {
    const result = read(
      row('2905440000', '0.000 %', { add: '2500' }),
      row('2905440000', '9.600 %', { add: '2501' }),
      row('2936210000', '2.000 %', { add: '2500' }),
      row('2936210000', '4.000 %'),
    )
    expect(measureLines(result)).toEqual([
      '29054400 third_country_duty ALL 9.6% 2020-01-01..',
      '29362100 third_country_duty ALL 4% 2020-01-01..',
    ])
    expect(result.tables.measures?.[0]).toMatchObject({
      lowestPpm: 0,
      highestPpm: 96_000,
      lineCount: 2,
      confidence: 'medium',
      note: 'Depends on the additional code (2501 9.600 %, 2500 0.000 %).',
    })
    expect(leftOut(result, 'a duty without one is used')).toBe(1)
  })

  test('reads titles above the header, empty rows, merged cells, inline texts and several sheets', () => {
    const first = [
      ['Duties'],
      [],
      HEADER,
      row('0101210000', '1.000 %'),
      [],
      row(null, '0.000 %', { type: '142', origin: 'CL' }),
    ]
    const bytes = makeWorkbook(
      { '01-50': first, Notes: [['nothing here']], '51-99': [HEADER, row('6109100000', '12.000 %')] },
      { inline: true, merges: ['A4:A6'] },
    )
    const result = readFile('taric-workbook', bytes)
    expect(detectFormat('Duties Import 01-99.xlsx', bytes)).toBe('taric-workbook')
    expect(measureLines(result)).toEqual([
      '01012100 third_country_duty ALL 1% 2020-01-01..',
      '010121 preference CL 0% 2020-01-01..',
      '61091000 third_country_duty ALL 12% 2020-01-01..',
    ])
  })

  test('reads a sheet saved as CSV in the same way', () => {
    const bytes = fixture('taric-duties.csv')
    expect(detectFormat('x.csv', bytes)).toBe('taric-workbook')
    expect(measureLines(readFile('taric-workbook', bytes)).slice(0, 2)).toEqual([
      '01012100 third_country_duty ALL 0% 2010-01-01..',
      '01022910 third_country_duty ALL 10.2% 93.1 EUR/100 kg 2015-07-01..2026-01-01',
    ])
  })

  test('reports faults with row and column of the sheet', () => {
    expect(
      faultsOf(
        read(row('0101210000', '0%'), [], row('abc', '0%'), row('0101300000', '0%', { start: '31-02-2020' })),
      ),
    ).toEqual([
      'file, row 4, column Goods code: expected a goods code of 2 to 10 digits, found "abc"',
      'file, row 5, column Start date: expected a day of the calendar such as 2026-01-31 or 31-01-2026, found "31-02-2020"',
    ])
    const shorter = makeWorkbook({
      A: [
        ['Goods code', 'Duty', 'Origin code', 'Start date'],
        ['0101210000', '0 %', '1011', '01-01-2020'],
      ],
    })
    expect(faultsOf(readFile('taric-workbook', shorter))).toEqual([
      'file, row 1, column Meas. type code: expected a column with one of these names: Meas. type code, Measure type code, Meas type',
    ])
    expect(faultsOf(readFile('taric-workbook', makeWorkbook({ A: [['Something', 'else']] })))).toEqual([
      'file: expected a sheet with the header row of the format among its first rows',
    ])
  })

  test('reports a damaged workbook', () => {
    const bytes = makeWorkbook({ A: [HEADER, row('0101210000', '0 %')] })
    expect(readFile('taric-workbook', bytes.subarray(0, bytes.length >> 1)).faults).toHaveLength(1)
  })
})
