/** Limits of customs files, and files that a naive algorithm would read slowly. */
import { describe, expect, test } from 'vitest'
import { faultsOf, leftOut, measureLines, readFile, warningsOf } from './read-fixture.ts'

const UK_HEADER =
  'commodity code,duty,measure type id,start date,end date,origin code,additional code,excluded origins'

/** The date `days` days after 1 January 1800. */
const dayAt = (days: number): string => new Date(Date.UTC(1800, 0, 1 + days)).toISOString().slice(0, 10)

function ukFile(rows: number, rowOf: (index: number) => readonly (string | number)[]): string {
  return [UK_HEADER, ...Array.from({ length: rows }, (_, index) => rowOf(index).join(','))].join('\n')
}

describe('rows', () => {
  test('above the limit of a table are refused', () => {
    expect(faultsOf(readFile('uk-csv', `${UK_HEADER}\n${'1,,,,,,,\n'.repeat(300_001)}`))).toEqual([
      'file: expected at most 300,000 rows, found "300,001"',
    ])
  })

  test('with more cells than a table may have are refused', () => {
    const wide = `${','.repeat(1_999)}\n`
    expect(faultsOf(readFile('tax-rates', `a${wide}${`1${wide}`.repeat(4_001)}`))).toContain(
      'file: expected at most 8,000,000 cells, found "8,002,000"',
    )
  })

  test('that would make too many rows are refused', () => {
    const currencies = Array.from({ length: 600 }, (_, index) =>
      [index, Math.floor(index / 26), Math.floor(index / 676)].map((part) =>
        String.fromCharCode(65 + (part % 26)),
      ),
    ).map((letters) => letters.join(''))
    const days = Array.from({ length: 900 }, (_, index) => `${dayAt(index)}${',1.5'.repeat(600)}`)
    expect(
      faultsOf(readFile('exchange-rates', `Date,${currencies.join(',')}\n${days.join('\n')}\n`)),
    ).toEqual(['file: expected at most 500,000 rows made of one file, found "500,400 or more"'])
  })
})

// With work proportional to the square of the rows, these tests would take minutes.
describe('many rows for the same goods', () => {
  const ROWS = 60_000

  test('are read quickly if each has another day', () => {
    const read = readFile(
      'uk-csv',
      ukFile(ROWS, (row) => [
        '6109100000',
        '5%',
        103,
        dayAt(row),
        dayAt(row),
        1011,
        row % 2 === 0 ? '' : 'A123',
        '',
      ]),
    )
    expect([faultsOf(read), read.counts.rowsUsed]).toEqual([[], ROWS])
  })

  test('are read quickly if each has another unknown origin', () => {
    const origins = Array.from({ length: ROWS }, (_, row) => row.toString(36).toUpperCase().padStart(4, '0'))
    const read = readFile(
      'uk-csv',
      ukFile(ROWS, (row) => ['6109100000', '5%', 142, '2021-01-01', '', origins[row]!, '', '']),
    )
    expect(warningsOf(read).at(-1)).toMatch(
      /at most 10000 warnings; the others are not listed, found "599\d\d"/,
    )
  })

  test('with additional codes make the highest duty, with a note that names some of the codes', () => {
    const read = readFile(
      'uk-csv',
      ukFile(ROWS, (row) => ['6109100000', `${row % 100}%`, 103, '2021-01-01', '', 1011, `C${row}`, '']),
    )
    expect(measureLines(read)).toEqual(['61091000 third_country_duty ALL 99% 2021-01-01..'])
    expect(read.tables.measures?.[0]).toMatchObject({ lowestPpm: 0, highestPpm: 990_000, lineCount: ROWS })
    expect(read.tables.measures?.[0]?.note).toMatch(/, and 59980 more\)\.$/)
  })

  test('of unknown types are counted together', () => {
    const read = readFile(
      'uk-csv',
      ukFile(3_000, (row) => ['6109100000', '5%', `T${row}`, '2021-01-01', '', 1011, '', '']),
    )
    expect(read.counts.rowsLeftOut).toHaveLength(1_001)
    expect(leftOut(read, 'other reasons')).toBe(2_000)
  })
})

describe('periods of rows with an additional code', () => {
  const read = (...rows: readonly (readonly [start: string, end: string, code: string])[]) =>
    readFile(
      'uk-csv',
      ukFile(rows.length, (row) => [
        '6109100000',
        `${row}%`,
        103,
        rows[row]![0],
        rows[row]![1],
        1011,
        rows[row]![2],
        '',
      ]),
    )

  test('are imported if no duty without a code applies on the same days', () => {
    const result = read(
      ['2020-01-01', '2030-12-31', ''],
      ['2021-01-01', '2021-12-31', ''],
      ['2031-01-01', '', 'A123'],
      ['2029-06-01', '2029-06-30', 'A123'],
      ['', '2019-12-31', 'A123'],
    )
    expect(measureLines(result)).toEqual([
      '61091000 third_country_duty ALL 0% 2020-01-01..2031-01-01',
      '61091000 third_country_duty ALL 1% 2021-01-01..2022-01-01',
      '61091000 third_country_duty ALL 2% 2031-01-01..',
      '61091000 third_country_duty ALL 4% ..2020-01-01',
    ])
    expect(leftOut(result, 'a duty without one is used')).toBe(1)
  })
})

describe('JSON', () => {
  const lines = (count: number): string =>
    `[${Array.from({ length: count }, (_, index) => `{"htsno":"${String(1_000_000 + index)}"}`).join()}]`

  test('with too many entries is refused before they are parsed', () => {
    expect(faultsOf(readFile('usitc-json', `[${'[],'.repeat(1_100_000)}{}]`))).toEqual([
      'file: expected at most 300,000 entries, found "1,100,001"',
    ])
  })

  test('with an entry that is too long is refused before it is parsed', () => {
    expect(faultsOf(readFile('usitc-json', `[[${'[],'.repeat(1_100_000)}{}]]`))).toEqual([
      'file: expected at most 1 MiB in an entry, found "3,300,004 bytes"',
    ])
  })

  test('is counted without commas and brackets in texts', () => {
    const description = `\\"[{,${',['.repeat(400_000)}`
    const entry = { htsno: '0101.21.00', general: '5%', special: '', other: '', description }
    const many = JSON.stringify([entry])
    expect(faultsOf(readFile('usitc-json', many))).toEqual([])
  })

  test('is refused with too many entries or too long texts', () => {
    expect(faultsOf(readFile('usitc-json', lines(300_001)))).toEqual([
      'file: expected at most 300,000 entries, found "300,001"',
    ])
    const long = { htsno: '0101.21.00', general: 'x'.repeat(32_768), special: '', other: '' }
    expect(faultsOf(readFile('usitc-json', JSON.stringify([long])))).toEqual([
      'file, row 1: expected at most 32,767 characters in a text, found "32,768"',
    ])
  })

  test('is refused if its programmes would make too many rows', () => {
    const special = '(AU,BH,CL,CO,IL,JO,JP,KR,MA,OM,P,PA,PE,S,SG,E)'
    const many = Array.from({ length: 35_000 }, (_, index) => ({
      htsno: `${10_000_000 + index}`,
      ...{ general: `${index % 90}%`, special, other: '' },
    }))
    expect(faultsOf(readFile('usitc-json', JSON.stringify(many)))).toEqual([
      'file: expected at most 500,000 rows made of one file, found "500,004 or more"',
    ])
  })

  test('is read quickly if a rate follows thousands of separators', () => {
    const entries = Array.from({ length: 300 }, (_, index) => ({
      htsno: `${10_000_000 + 2 * index}`,
      ...{ general: `${',;'.repeat(16_000)}x`, special: '', other: '' },
    }))
    expect(readFile('usitc-json', JSON.stringify(entries)).counts.textsNotParsed).toBe(300)
  })

  test('has line breaks and control characters in rates replaced by spaces', () => {
    const entry = { htsno: '0101.21.00', general: 'see\u0000note\n1 \u202e', special: '', other: '' }
    expect(readFile('usitc-json', JSON.stringify([entry])).tables.measures?.[0]?.text).toBe('see note 1')
  })
})
