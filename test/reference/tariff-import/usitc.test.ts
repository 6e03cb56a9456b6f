/** The two exports of the Harmonized Tariff Schedule of the United States. */
import { describe, expect, test } from 'vitest'
import { detectFormat } from '../../../src/reference/tariff-import/formats.ts'
import { splitSpecialRates } from '../../../src/reference/tariff-import/usitc/programmes.ts'
import { faultsOf, fixture, leftOut, measureLines, readFile, warningsOf } from './read-fixture.ts'

const usual = (lines: readonly string[]): readonly string[] =>
  lines.filter((line) => line.includes('third_country'))

describe('the schedule as JSON', () => {
  const read = readFile('usitc-json', fixture('hts.json'), { validFrom: '2025-01-01' })

  test('has third-country duties in the columns general and 2, on the lines that print them', () => {
    expect(faultsOf(read)).toEqual([])
    expect(usual(measureLines(read))).toEqual([
      '61091000 third_country_duty ALL 16.5% 2025-01-01..',
      '61091000 third_country_duty US-COLUMN-2 90% 2025-01-01..',
      '87038000 third_country_duty ALL 2.5% 2025-01-01..',
      '87038000 third_country_duty US-COLUMN-2 10% 2025-01-01..',
      '91011140 third_country_duty ALL 0.51 USD/item + 6.25% on the case and strap, band or bracelet + 5.3% on the battery 2025-01-01..',
      '91011140 third_country_duty US-COLUMN-2 65% 4.5 USD/item 2025-01-01..',
      '17019905 third_country_duty ALL not_parsed 2025-01-01..',
      '17019905 third_country_duty US-COLUMN-2 not_parsed 2025-01-01..',
    ])
    expect(read.tables.measures?.[0]).toMatchObject({
      jurisdiction: 'US',
      excludedOrigins: ['BY', 'CU', 'KP', 'RU'],
    })
    expect(read.tables.originGroups?.filter(({ originGroup }) => originGroup === 'US-COLUMN-2')).toHaveLength(
      4,
    )
  })

  test('has preferences in the special column; those of the USMCA are for Canada and Mexico', () => {
    const cars = measureLines(read).filter((line) => line.startsWith('87038000 preference'))
    expect(cars).toEqual([
      '87038000 preference US-CBERA 0% not_loaded 2025-01-01..',
      '87038000 preference US-USMCA 0% 2025-01-01..',
      '87038000 preference JP 1.3% 2025-01-01..',
    ])
    const members = read.tables.originGroups?.filter(({ originGroup }) => originGroup === 'US-USMCA')
    expect(members?.map(({ country }) => country)).toEqual(['CA', 'MX'])
    expect([
      leftOut(read, 'programme A'),
      leftOut(read, 'programme D'),
      leftOut(read, 'programme B'),
    ]).toEqual([2, 1, 1])
  })

  test('has code lists made from footnotes that refer to chapter 99', () => {
    expect(read.tables.codeLists?.map(({ codeList, codePrefix }) => `${codeList} ${codePrefix}`)).toEqual([
      'us-9903.88.15 61091000',
      'us-9903.88.15 6109100004',
      'us-9903.94.01 87038000',
      'us-9903.88.69 87038000',
    ])
  })

  test('has lines without rates, headings and chapter 98 counted as left out', () => {
    expect(read.counts).toMatchObject({ rowsRead: 10, rowsUsed: 5, textsNotParsed: 2 })
    for (const [words, count] of [
      ['line above it applies', 3],
      ['without a number', 1],
      ['chapter 98', 1],
    ] as const)
      expect([words, leftOut(read, words)]).toEqual([words, count])
    expect(warningsOf(read)[1]).toBe(
      'file, row 9, column other: expected a duty that can be parsed; it is stored as text and not charged, found "See note"',
    )
  })

  test('has a measure for a statistical line with another rate than the line above', () => {
    const json = JSON.stringify([
      { htsno: '0101.21.00', general: '5%', special: '', other: '9%' },
      { htsno: '0101.21.00.10', general: '5%', special: '', other: '9%' },
      { htsno: '0101.21.00.20', general: '6%', special: '', other: '9%' },
      { htsno: '2501.00.00.00', general: 'Free 1/', special: null, other: 'Free' },
    ])
    expect(usual(measureLines(readFile('usitc-json', json))).filter((line) => line.includes('ALL'))).toEqual([
      '01012100 third_country_duty ALL 5% ..',
      '0101210020 third_country_duty ALL 6% ..',
      '25010000 third_country_duty ALL 0% ..',
    ])
  })

  test('has the rate of a line that is printed with ten digits alone on its eight digits', () => {
    const json = JSON.stringify([
      { htsno: '0305.59.00.01', general: 'Free', special: '', other: '2.8¢/kg' },
      { htsno: '0714.40.10.01', general: '2.3%', special: '', other: '50%' },
      { htsno: '0714.40.10.02', general: '2.4%', special: '', other: '50%' },
    ])
    expect(usual(measureLines(readFile('usitc-json', json))).filter((line) => line.includes('ALL'))).toEqual([
      '03055900 third_country_duty ALL 0% ..',
      '0714401001 third_country_duty ALL 2.3% ..',
      '0714401002 third_country_duty ALL 2.4% ..',
    ])
  })

  test('is a fault if it is not a schedule', () => {
    expect(faultsOf(readFile('usitc-json', '[{"htsno":"0101'))).toEqual([
      'file: expected JSON that is complete and not damaged',
    ])
    expect(faultsOf(readFile('usitc-json', '{"a":1}'))).toEqual([
      'file: expected an array with an entry for each line of the schedule',
    ])
    expect(faultsOf(readFile('usitc-json', '[7,{"htsno":"01.0"}]'))).toEqual([
      'file, row 1, column htsno: expected an entry with the text fields htsno, general, special and other',
      'file, row 2, column htsno: expected a number such as 0101.21.00, found "01.0"',
    ])
  })

  test('is a fault if a number has two rates, with both rows named', () => {
    const line = (general: string) => ({ htsno: '0101.21.00', general, special: '', other: '' })
    expect(faultsOf(readFile('usitc-json', JSON.stringify([line('1%'), line('2%')])))).toEqual([
      'file, row 2, column htsno: expected a number that occurs once in the file; row 1 has the same, found "0101.21.00"',
    ])
  })
})

describe('the schedule as CSV', () => {
  test('is read like the JSON export', () => {
    const bytes = fixture('hts.csv')
    const read = readFile('usitc-csv', bytes)
    expect([detectFormat('a', bytes), detectFormat('b', fixture('hts.json'))]).toEqual([
      'usitc-csv',
      'usitc-json',
    ])
    expect(faultsOf(read)).toEqual([])
    expect(usual(measureLines(read))).toEqual([
      '01012100 third_country_duty ALL 0% ..',
      '01012100 third_country_duty US-COLUMN-2 0% ..',
      '01013000 third_country_duty ALL 6.8% ..',
      '01013000 third_country_duty US-COLUMN-2 15% ..',
      '04061028 third_country_duty ALL 1.509 USD/kg ..',
      '04061028 third_country_duty US-COLUMN-2 1.775 USD/kg ..',
    ])
    expect(measureLines(read).slice(-3)).toEqual([
      '04061028 preference JP 1.207 USD/kg ..',
      '04061028 preference US-USMCA not_parsed ..',
      '04061028 preference AU 0% ..',
    ])
    expect(leftOut(read, 'chapter 99')).toBe(1)
  })
})

describe('the special column', () => {
  test('may have several rates with their programmes', () => {
    expect(splitSpecialRates('Free (A, AU,E*) 2.5% (JP)See 9823.01.01 (S+)')).toEqual([
      { rateText: 'Free', programmes: ['A', 'AU', 'E*'] },
      { rateText: '2.5%', programmes: ['JP'] },
      { rateText: 'See 9823.01.01', programmes: ['S+'] },
    ])
    expect(splitSpecialRates('')).toEqual([])
    expect(splitSpecialRates('The rate (as stated) applies')).toEqual([
      { rateText: 'The rate (as stated) applies', programmes: [] },
    ])
  })
})

test('superscripts after a metre are part of the unit, those with a slash are footnotes, and others stay in the text', () => {
  const header = 'HTS Number,General Rate of Duty\n'
  const read = readFile(
    'usitc-csv',
    `${header}5702.10.90,5¢/m<sup>2</sup>\n4407.11.00,8¢/m<sup>3</sup>\n0101.21.00,6.5%<sup>1/</sup>\n0101.30.00,6.5%<sup>2</sup>\n`,
  )
  expect(measureLines(read)).toEqual([
    '57021090 third_country_duty ALL 0.05 USD/m2 ..',
    '44071100 third_country_duty ALL 0.08 USD/m3 ..',
    '01012100 third_country_duty ALL 6.5% ..',
    '01013000 third_country_duty ALL not_parsed ..',
  ])
})

describe('unit values in the descriptions of the schedule', () => {
  /** Lines of heading 6404 as exported, with the descriptions that bound the value of a pair. */
  const line = (htsno: string | null, indent: number, description: string, general = '') => ({
    ...{ htsno, indent: String(indent), description, general, special: '', other: '', footnotes: [] },
  })
  const schedule = JSON.stringify([
    line('6404.11', 1, 'Sports footwear:'),
    line(null, 2, 'Valued over $3 but not over $6.50/pair:'),
    line('6404.11.51', 3, 'With textile soles', '7.5%'),
    line(null, 2, 'Other:'),
    line('6404.11.79', 3, 'Valued not over $12/pair', '90&cent;/pr. + 20%'),
    line('6404.11.90', 3, 'Valued over $12/pair', '20%'),
    line('6404.19', 1, 'Other:'),
    line('6404.19.15', 2, 'Valued over $3, with soles of leather', '10.5%'),
  ])

  test('become bounds of the lines that print them, and of the lines below', () => {
    const { tables } = readFile('usitc-json', schedule)
    const bands = tables.measures?.map((row) =>
      [row.codePrefix, row.unitValueAbove, row.unitValueUpTo, row.unitValueCurrency, row.unitValuePer].join(
        ' ',
      ),
    )
    expect(bands).toEqual([
      '64041151 3 6.5 USD pair',
      '64041179  12 USD pair',
      '64041190 12  USD pair',
      '64041915    ',
    ])
  })
})
