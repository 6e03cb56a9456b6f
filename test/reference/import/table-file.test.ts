/** CSV files and sheets as people keep them: decimal commas, titles, day numbers, cells for several rows. */
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { day, euros, kilograms, rate, text } from '../../../src/reference/import/csv-cells.ts'
import { plainTable, readTableFile } from '../../../src/reference/import/csv-rows.ts'
import { describeImportFault } from '../../../src/reference/import/import-fault.ts'
import { csvFile, onlySheet, sheetFile, type TableFile } from '../../../src/reference/import/table-file.ts'
import { readWorkbook } from '../../../src/reference/import/workbook-sheet.ts'
import { makeWorkbook, type TestCell, type WorkbookOptions } from '../tariff-import/make-workbook.ts'

type Row = { readonly code: string; readonly grams: number; readonly cents: number; readonly from: string }

const SPEC = plainTable<Row>('prices.csv', true, {
  code: text('code'),
  grams: kilograms('kg'),
  cents: euros('price'),
  from: day('valid_from'),
})
const HEADER = ['code', 'kg', 'price', 'valid_from']

function read(file: TableFile) {
  const { rows, log } = readTableFile(SPEC, file)
  return { rows, faults: log.faults().map(describeImportFault), warnings: log.warnings() }
}

const csv = (content: string) => read(csvFile('prices.csv', new TextEncoder().encode(content)))

function sheet(rows: readonly (readonly TestCell[])[], options: WorkbookOptions = {}) {
  const workbook = readWorkbook(makeWorkbook({ Prices: rows }, options))
  const isHeader = (names: readonly string[]) => names.includes('price')
  return read(sheetFile(workbook.sheets[0]!, workbook, { isHeader, continued: 'code' }))
}

describe('a CSV file', () => {
  test('may have decimal commas', () => {
    const { rows, faults } = csv('code;kg;price;valid_from\nA;0,5;12,50;2026-01-01\nB;1,2500;3;2026-01-01\n')
    expect(faults).toEqual([
      'prices.csv, row 3, column kg: expected a number with at most 3 decimals, written with a point, found "1,2500"',
    ])
    expect(rows).toEqual([{ code: 'A', grams: 500, cents: 1250, from: '2026-01-01' }])
  })

  test.each([
    ['a semicolon', 'sep=;\n', ';'],
    ['a tab', 'sep=\t\n', '\t'],
    ['a comma, in quotes, with CR and LF', '\ufeff"SEP=,"\r\n', ','],
    ['a semicolon, from a program that fills the row', 'sep=;;;;\n', ';'],
  ])('may name its delimiter in a first line: %s', (_, line, delimiter) => {
    const rows = [HEADER, ['A', '0.5', 'x', '2026-01-01'], ['B,;', '2', '3', '2026-01-01']]
    const { faults, rows: read } = csv(
      line + rows.map((cells) => cells.map((cell) => `"${cell}"`).join(delimiter)).join('\n'),
    )
    expect(read).toEqual([{ code: 'B,;', grams: 2000, cents: 300, from: '2026-01-01' }])
    expect(faults).toEqual([expect.stringMatching(/^prices\.csv, row 3, column price: /)])
  })

  test('may name a delimiter that the header has less often than another one', () => {
    const { rows } = csv('sep=;\ncode;kg;price;valid_from;a,b,c,d,e,f\nA;1;2,50;2026-01-01;\n')
    expect(rows).toEqual([{ code: 'A', grams: 1000, cents: 250, from: '2026-01-01' }])
  })

  test('must not name another delimiter, and needs a header below the line', () => {
    expect(csv('sep=|\ncode|kg|price|valid_from\n').faults).toEqual([
      'prices.csv, row 1: expected sep= with a comma, a semicolon or a tab, found "sep=|"',
    ])
    expect(csv('sep=;\n').faults).toEqual(['prices.csv: expected a header row with the names of the columns'])
  })

  describe('that is not UTF-8', () => {
    const bytes = (content: Buffer) => read(csvFile('prices.csv', content)).faults
    const ROWS = 'code;kg;price;valid_from\n"A\nB";1;2;2026-01-01\nC;1;12 €;2026-01-01\nÄ;1;2;2026-01-01\n'
    /** In Windows-1252, the euro sign is byte 128. */
    const windows = (text: string) => Buffer.from(text.replaceAll('€', '\x80'), 'latin1')
    const SAVE_AS = 'save it as "CSV UTF-8" in Excel, or with the character set UTF-8 elsewhere'

    test('is refused with the row, the column and the first cell of Windows-1252', () => {
      const other = `expected text in UTF-8, and this is probably Windows-1252: ${SAVE_AS}`
      expect(bytes(windows(ROWS))).toEqual([`prices.csv, row 4, column price: ${other}, found "12 €"`])
      expect(bytes(windows(`sep=;\n${ROWS}`))).toEqual([
        `prices.csv, row 5, column price: ${other}, found "12 €"`,
      ])
      expect(bytes(windows('code;kg;größe\nA;1;2\n'))).toEqual([`prices.csv, row 1: ${other}, found "größe"`])
      expect(bytes(windows('code;kg\nA;"1\nÄ;2\n'))).toEqual([`prices.csv, row 3: ${other}`])
    })

    test.each([
      ['UTF-16', Buffer.from(`\ufeff${ROWS}`, 'utf16le')],
      ['UTF-16', Buffer.from(`\ufeff${ROWS}`, 'utf16le').swap16()],
      ['UTF-16', Buffer.from('code;kg\nA;1\n', 'utf16le')],
      ['UTF-16', Buffer.from('code;kg\nA;1\n', 'utf16le').swap16()],
      ['not text', makeWorkbook({ Prices: [HEADER] })],
    ])('is refused as %s', (kind, content) => {
      expect(bytes(Buffer.from(content))).toEqual([
        `prices.csv: expected text in UTF-8, and this is ${kind}: ${SAVE_AS}`,
      ])
    })
  })

  test('must not have a comma before three digits, which may separate thousands', () => {
    expect(csv('code;kg;price;valid_from\nA;1,250;5;2026-01-01\n').faults).toEqual([
      'prices.csv, row 2, column kg: expected a number with at most 3 decimals, written with a point, found "1,250"',
    ])
  })

  test('must not have a point before three digits beside decimal commas', () => {
    const file = 'code;kg;price;valid_from\nA;1.250;5;2026-01-01\nB;2;4,90;2026-01-01\n'
    expect(csv(file).faults).toEqual([
      'prices.csv, row 2, column kg: expected a decimal comma, as in other cells: this point may separate thousands, found "1.250"',
    ])
    expect(csv(file.replace('4,90', '4.90')).rows).toHaveLength(2)
  })

  test('may have rates with a comma before three digits beside other decimal commas', () => {
    const spec = plainTable<{ readonly rate: number; readonly kg: number }>('rates.csv', true, {
      rate: rate('rate', 4),
      kg: kilograms('kg'),
    })
    const rates = (...lines: readonly string[]) => {
      const { rows, log } = readTableFile(
        spec,
        csvFile('rates.csv', new TextEncoder().encode(['rate;kg', ...lines].join('\n'))),
      )
      return { values: rows.map((row) => row.rate), faults: log.faults().map(describeImportFault) }
    }
    expect(rates('1,500;1', '1,62;1', '1,6255;1')).toEqual({ values: [15_000, 16_200, 16_255], faults: [] })
    expect(rates('1,500;0,5')).toEqual({ values: [15_000], faults: [] })
    expect(rates('1;2', '1,500;1').faults).toEqual([
      'rates.csv, row 3, column rate: expected a decimal point, because no other cell has a decimal comma: this comma may separate thousands, found "1,500"',
    ])
    expect(rates('1,62;1,500').faults).toEqual([
      'rates.csv, row 2, column kg: expected a number with at most 3 decimals, written with a point, found "1,500"',
    ])
    expect(rates('1.500;1', '1,62;1').faults).toEqual([
      'rates.csv, row 2, column rate: expected a decimal comma, as in other cells: this point may separate thousands, found "1.500"',
    ])
  })

  test('has composed texts, as a workbook has', () => {
    const decomposed = 'Päckchen'.normalize('NFD')
    expect(decomposed).not.toBe('Päckchen')
    expect(csv(`code;kg;price;valid_from\n${decomposed};1;5;2026-01-01\n`).rows).toMatchObject([
      { code: 'Päckchen' },
    ])
    expect(sheet([HEADER, [decomposed, 1, 5, '2027-01-01']]).rows).toMatchObject([{ code: 'Päckchen' }])
  })
})

describe('a sheet', () => {
  test('may have a title above the header, and remarks beside the table', () => {
    const { rows, faults, warnings } = sheet([
      ['Prices 2027'],
      [],
      [...HEADER, null, null],
      ['A', 0.5, 12.5, '2027-01-01', null, 'checked'],
    ])
    expect(faults).toEqual([])
    expect(warnings).toEqual([])
    expect(rows).toEqual([{ code: 'A', grams: 500, cents: 1250, from: '2027-01-01' }])
  })

  test('names its own rows in faults', () => {
    expect(sheet([['Prices'], HEADER, ['A', 'x', 1, '2027-01-01']]).faults).toEqual([
      'sheet Prices, row 3, column kg: expected a number with at most 3 decimals, found "x"',
    ])
  })

  test('has days as numbers, counted from 1900 or 1904; a year alone is none', () => {
    const rows = [HEADER, ['A', 1, 1, 46_388]] as const
    expect(sheet(rows).rows).toMatchObject([{ from: '2027-01-01' }])
    expect(sheet([HEADER, ['A', 1, 1, 46_388 - 1_462]], { countsFrom1904: true }).rows).toMatchObject([
      { from: '2027-01-01' },
    ])
    expect(sheet([HEADER, ['A', 1, 1, 2027]]).faults).toEqual([
      'sheet Prices, row 2, column valid_from: expected a day such as 2026-01-31, found "2027"',
    ])
  })

  test('has the fifteen digits of a number that Excel shows', () => {
    expect(sheet([HEADER, ['A', 0.1 + 0.2, 4.1 * 3, '2027-01-01']]).rows).toMatchObject([
      { grams: 300, cents: 1230 },
    ])
  })

  test('may have decimal commas in cells of text', () => {
    expect(sheet([HEADER, ['A', '0,5', '1250,00', '2027-01-01']]).rows).toMatchObject([
      { grams: 500, cents: 125_000 },
    ])
  })

  test('continues the cell above in one column only', () => {
    const { rows, faults } = sheet([
      HEADER,
      ['A', 1, 1, '2027-01-01'],
      [null, 2, 2, '2027-01-01'],
      ['B', 3, 3, '2027-01-01'],
      [null, null, 4, '2027-01-01'],
    ])
    expect(rows.map(({ code, cents }) => `${code} ${cents}`)).toEqual(['A 100', 'A 200', 'B 300'])
    expect(faults).toEqual([
      'sheet Prices, row 5, column kg: expected a number with at most 3 decimals, found an empty cell',
    ])
  })

  test('must not have a point that may separate thousands beside decimal commas in cells of text', () => {
    const rows = [HEADER, ['A', '1.000', 5, '2027-01-01'], ['B', 2, '4,90', '2027-01-01']] as const
    expect(sheet(rows).faults).toEqual([
      'sheet Prices, row 2, column kg: expected a decimal comma, as in other cells: this point may separate thousands, found "1.000"',
    ])
    expect(sheet([HEADER, ['A', 0.125, '4,90', '2027-01-01']]).rows).toMatchObject([{ grams: 125 }])
  })
})

describe('a cell of a workbook', () => {
  const XML_OF_CELL = '<c r="A1"><v>7</v></c>'
  const SHEET = 'xl/worksheets/sheet1.xml'

  /** The text of the cell whose XML is `cell`; undefined if it is empty. `calculation` stands below the sheets. */
  function shown(cell: string, calculation = ''): string | undefined {
    const files = unzipSync(makeWorkbook({ Prices: [[7, 'x']] }))
    const replaced = (name: string, from: string, to: string) => {
      const xml = strFromU8(files[name]!)
      expect(xml).toContain(from)
      return { [name]: strToU8(xml.replace(from, to)) }
    }
    const changed = {
      ...replaced(SHEET, XML_OF_CELL, cell),
      ...replaced('xl/workbook.xml', '</sheets>', `</sheets>${calculation}`),
    }
    return readWorkbook(zipSync({ ...files, ...changed })).sheets[0]!.rows[0]!.cells[0] || undefined
  }

  const NEVER = '(a formula that was never calculated)'
  const CALCULATES_LATER = '<calcPr calcId="124519" fullCalcOnLoad="1"/>'

  test.each([
    ['without a value', '<c r="A1"><f>B1*2</f></c>', NEVER],
    ['with an empty value', '<c r="A1"><f>B1*2</f><v></v></c>', NEVER],
    ['with an empty element', '<c r="A1"><f>B1*2</f><v/></c>', NEVER],
    ['without the value of a text', '<c r="A1" t="str"><f>B1</f></c>', NEVER],
    ['whose result is an empty text', '<c r="A1" t="str"><f>""</f><v></v></c>', undefined],
    ['whose result is 0', '<c r="A1"><f>B1*2</f><v>0</v></c>', '0'],
    ['whose result is a number', '<c r="A1"><f>B1*2</f><v>12.50</v></c>', '12.5'],
  ])('that is a formula %s', (_, cell, text) => {
    expect(shown(cell)).toBe(text)
  })

  test('that is a formula with 0 counts as never calculated if all formulas are calculated later', () => {
    expect(shown('<c r="A1"><f>B1*2</f><v>0</v></c>', CALCULATES_LATER)).toBe(NEVER)
    expect(shown('<c r="A1"><f>B1*2</f><v>12.5</v></c>', CALCULATES_LATER)).toBe('12.5')
    expect(shown('<c r="A1"><v>0</v></c>', CALCULATES_LATER)).toBe('0')
  })

  test('that is a logical value is no number', () => {
    expect(shown('<c r="A1" t="b"><v>1</v></c>')).toBe('TRUE')
    expect(shown('<c r="A1" t="b"><v>0</v></c>')).toBe('FALSE')
    expect(shown('<c r="A1" t="b"/>')).toBeUndefined()
  })

  test('refers to a shared text that exists', () => {
    expect(shown('<c r="A1" t="s"><v>0</v></c>')).toBe('x')
    expect(shown('<c r="A1" t="s"/>')).toBeUndefined()
    expect(() => shown('<c r="A1" t="s"><v>9</v></c>')).toThrow('found no shared text 9')
  })
})

test('a workbook without the file of a sheet is refused, because its rows would be missing', () => {
  const files = unzipSync(makeWorkbook({ Prices: [HEADER], Surcharges: [HEADER] }))
  delete files['xl/worksheets/sheet2.xml']
  expect(() => readWorkbook(zipSync(files))).toThrow('found no file of the sheet Surcharges')
})

describe('the only sheet of a workbook', () => {
  const isHeader = (names: readonly string[]) => names.includes('price')
  const only = (sheets: Readonly<Record<string, readonly (readonly TestCell[])[]>>) =>
    onlySheet(readWorkbook(makeWorkbook(sheets)), 'code and price', { isHeader }).name

  test('is the one with the header', () => {
    expect(only({ Notes: [['Valid from January']], Prices: [HEADER], Empty: [] })).toBe('sheet Prices')
  })

  test('is the one with content, whose faults are then listed', () => {
    expect(only({ Prices: [['code', 'amount']], Empty: [] })).toBe('sheet Prices')
  })

  test('is refused if it cannot be told', () => {
    expect(() => only({ A: [HEADER], B: [HEADER] })).toThrow(
      'expected one sheet with the columns code and price, found the sheets A, B',
    )
    expect(() => only({ A: [] })).toThrow('found no sheet with content')
  })
})
