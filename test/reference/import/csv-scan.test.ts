/** The CSV scanner: the same records as csv-parse for any text, line numbers, and limits. */
import { type CsvError, parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type CsvFault, scanCsv } from '../../../src/reference/import/csv-scan.ts'
import { MAX_CELL_LENGTH, MAX_COLUMNS, MAX_ROWS } from '../../../src/reference/import/import-limits.ts'

type Scanned = { records: string[][]; lines: number[]; fault: CsvFault | undefined }

function scan(text: string | Buffer, delimiter = ','): Scanned {
  const records: string[][] = []
  const lines: number[] = []
  const fault = scanCsv(Buffer.from(text), delimiter.charCodeAt(0), (cells, line) => {
    records.push(cells)
    lines.push(line)
  })
  return { records, lines, fault }
}

/** The records according to csv-parse; undefined if it refuses the file. */
function parsed(text: string, delimiter: string): string[][] | undefined {
  try {
    return parse(text, {
      bom: true,
      delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      trim: true,
    })
  } catch (error) {
    expect((error as CsvError).code).toMatch(/QUOTE/)
    return undefined
  }
}

/** Only rows with text are compared, because the two differ in a last line of blanks. All readers skip such rows. */
const hasText = (cells: readonly string[]): boolean => cells.some((cell) => cell !== '')

describe('records', () => {
  // No blanks outside ASCII, because csv-parse refuses some of them after a quote.
  const pieces = fc.constantFrom(...'ab1"",;\t \n\r', '\r\n', '""', '"a"', 'é', '€', '😀')
  const text = fc.array(pieces, { maxLength: 30 }).map((parts) => parts.join(''))

  test('are the same as those of csv-parse, which refuses the same files', () => {
    fc.assert(
      fc.property(text, fc.constantFrom(',', ';', '\t'), fc.boolean(), (body, delimiter, hasMark) => {
        const whole = `${hasMark ? '\ufeff' : ''}${body}`
        const { records, fault } = scan(whole, delimiter)
        const expected = parsed(whole, delimiter)
        if (fault === undefined) expect(records.filter(hasText)).toEqual(expected?.filter(hasText))
        // Two quoted texts with blanks between them are a fault. csv-parse joins them into one cell.
        else if (expected !== undefined) expect(whole).toMatch(/"[ \t]+"/)
      }),
      { numRuns: 3_000 },
    )
  })

  test('have the right line numbers with all kinds of line ends, also in quoted cells', () => {
    expect(scan('h,i\r\n"a\r\nb",c\n\nd,"e\nf\rg"\rlast')).toEqual({
      records: [['h', 'i'], ['a\r\nb', 'c'], [''], ['d', 'e\nf\rg'], ['last']],
      lines: [1, 2, 4, 5, 8],
      fault: undefined,
    })
  })

  test('have cells without the whitespace around them, in all scripts', () => {
    expect(scan(' \u00a0a\u3000,\t"b "\u00a0,\u2028\n').records).toEqual([['a', 'b ', '']])
  })

  test('before a fault are passed to the callback', () => {
    expect(scan('a,b\nc,"d')).toEqual({
      records: [['a', 'b']],
      lines: [1],
      fault: { line: 2, expected: 'a closing quote' },
    })
  })
})

describe('the limits', () => {
  test('accept a cell of the maximum length and refuse a longer one', () => {
    const longest = 'x'.repeat(MAX_CELL_LENGTH)
    expect(scan(`h\n${longest}\n`).records).toEqual([['h'], [longest]])
    for (const cell of [`${longest}x`, `"${longest}x"`])
      expect(scan(`h\n${cell}\n`).fault).toEqual({
        line: 2,
        expected: 'at most 32,767 bytes in a cell',
        found: '32,768 bytes',
      })
  })

  test('refuse a row with too many columns, also over several lines', () => {
    expect(scan(`${','.repeat(MAX_COLUMNS - 1)}\n`).records[0]).toHaveLength(MAX_COLUMNS)
    const wide = { line: 2, expected: 'at most 2,000 columns', found: '5,001' }
    expect(scan(`h\n${','.repeat(5_000)}\n`).fault).toEqual(wide)
    expect(scan(`h\n${'"\n",'.repeat(5_000)}\n`).fault).toEqual(wide)
  })

  test('count rows above the limit without passing them on', () => {
    let given = 0
    const fault = scanCsv(Buffer.alloc(MAX_ROWS + 5, '\n'), 0x2c, () => {
      given += 1
    })
    expect(fault).toEqual({ expected: 'at most 2,000,000 rows', found: '2,000,005' })
    expect(given).toBe(MAX_ROWS)
  })
})
