/** The limits of workbooks. A file above a limit is refused early, with the limit and the actual value. */
import { strToU8, unzipSync, zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { MAX_CELL_LENGTH, MAX_WORKBOOK_BYTES } from '../../../src/reference/import/import-limits.ts'
import { detectFormat, whyUndetected } from '../../../src/reference/tariff-import/formats.ts'
import {
  readWorkbook,
  type WorkbookSheet,
} from '../../../src/reference/tariff-import/sheets/workbook-sheet.ts'
import { makeWorkbook } from './make-workbook.ts'
import { faultsOf, readFile } from './read-fixture.ts'

const HEADER = ['Goods code', 'Duty', 'Origin code', 'Start date', 'Meas. type code']
const PLAIN = unzipSync(makeWorkbook({ A: [HEADER] }))

/** A workbook with one sheet. `rows` is XML inside its data, `behind` is XML after them. */
function workbookWith(rows: string, { behind = '', strings = '' } = {}): Uint8Array {
  const header = HEADER.map((name) => `<c t="inlineStr"><is><t>${name}</t></is></c>`).join('')
  const sheet = `<worksheet><sheetData><row r="1">${header}</row>${rows}</sheetData>${behind}</worksheet>`
  return zipSync({
    ...PLAIN,
    'xl/worksheets/sheet1.xml': strToU8(sheet),
    'xl/sharedStrings.xml': strToU8(`<sst>${strings}</sst>`),
  })
}

const faultOf = (bytes: Uint8Array): readonly string[] => faultsOf(readFile('taric-workbook', bytes))
const rowsOf = (bytes: Uint8Array): WorkbookSheet['rows'] => readWorkbook(bytes).sheets[0]!.rows
const merged = (...references: readonly string[]) => ({
  behind: `<mergeCells>${references.map((reference) => `<mergeCell ref="${reference}"/>`).join('')}</mergeCells>`,
})

/** Overwrites the declared size of a file in the directory. */
function declaring(bytes: Uint8Array, name: string, size: number): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const found = Buffer.from(bytes).lastIndexOf(name)
  view.setUint32(found - 46 + 24, size, true)
  return bytes
}

describe('merged cells', () => {
  const numbers = (count: number): string => '<row><c><v>1</v></c></row>'.repeat(count)

  test('copy their text to the empty cells of their area', () => {
    const rows = '<row r="2"><c r="A2"><v>7</v></c></row><row r="4"><c r="B4"><v>8</v></c></row>'
    expect(rowsOf(workbookWith(rows, merged('A2:C5'))).slice(1)).toEqual([
      { line: 2, cells: ['7', '7', '7'] },
      { line: 4, cells: ['7', '8', '7'] },
    ])
  })

  test('are refused before any is filled if their areas overlap too much', () => {
    const areas = Array.from({ length: 3_000 }, () => 'A2:GR2001')
    expect(faultOf(workbookWith(numbers(2_000), merged(...areas)))).toEqual([
      'file: expected at most 8,000,000 cells in merged areas, found "1,200,000,000"',
    ])
  })

  test('are refused if a sheet has too many', () => {
    const areas = Array.from({ length: 100_001 }, () => 'A2:A3')
    expect(faultOf(workbookWith(numbers(2), merged(...areas)))).toEqual([
      'file: expected at most 100,000 merged areas in a sheet, found "more"',
    ])
  })
})

describe('the size of a workbook', () => {
  const longest = 'x'.repeat(MAX_CELL_LENGTH)
  const inline = (text: string): string => `<row><c t="inlineStr"><is><t>${text}</t></is></c></row>`

  test('may include a cell of the maximum length', () => {
    expect(rowsOf(workbookWith(inline(longest)))[1]!.cells).toEqual([longest])
  })

  test.each([
    ['a longer text', inline(`${longest}x`), '', 'at most 32,767 characters in a cell, found "32,768"'],
    [
      'a longer text in pieces',
      `<row><c t="inlineStr"><is>${`<r><t>${'x'.repeat(20_000)}</t></r>`.repeat(2)}</is></c></row>`,
      '',
      'at most 32,767 characters in a cell, found "40,000"',
    ],
    [
      'a longer shared text',
      '',
      `<si><t>${longest}x</t></si>`,
      'at most 32,767 characters in a cell, found "32,768"',
    ],
    [
      'a text without an end',
      inline('x'.repeat(1_200_000)),
      '',
      'texts and tags of at most 1 MiB, found "more in xl/worksheets/sheet1.xml"',
    ],
    [
      'a tag without an end',
      `<row${Array.from({ length: 90_000 }, (_, index) => ` a${index}="xx"`).join('')}/>`,
      '',
      'texts and tags of at most 1 MiB, found "more in xl/worksheets/sheet1.xml"',
    ],
    [
      'nested elements',
      '<a>'.repeat(200),
      '',
      'XML nested at most 100 deep, found "more in xl/worksheets/sheet1.xml"',
    ],
    ['too many rows', '<row><c><v>1</v></c></row>'.repeat(300_000), '', 'at most 300,000 rows, found "more"'],
    [
      'empty cells up to the last column',
      '<row><c r="GR"><v>1</v></c></row>'.repeat(40_000),
      '',
      'at most 8,000,000 cells, found "more"',
    ],
    [
      'one shared text in many cells',
      '<row><c t="s"><v>0</v></c></row>'.repeat(6_200),
      `<si><t>${longest}</t></si>`,
      'at most 201,326,592 characters in all cells, found "more"',
    ],
    ['too many shared texts', '', '<si/>'.repeat(1_000_001), 'at most 1,000,000 shared texts, found "more"'],
    [
      'rows in the wrong order',
      '<row r="9"/><row r="3"/>',
      '',
      'rows in ascending order, after row 9, found "row 3"',
    ],
  ])('is limited: %s', (_, rows, strings, expected) => {
    expect(faultOf(workbookWith(rows, { strings }))).toEqual([`file: expected ${expected}`])
  })

  test('does not make a number with many zeros slow', () => {
    const number = `1.${'0'.repeat(30_000)}1`
    expect(
      rowsOf(workbookWith(`<row><c><v>${number}</v></c><c><v>1.500</v></c></row>`.repeat(500)))[1]!.cells,
    ).toEqual([number, '1.5'])
  })

  test('is limited to a number of sheets', () => {
    const sheets = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`S${index}`, [['x']]]))
    expect(faultOf(makeWorkbook(sheets))).toEqual(['file: expected at most 100 sheets, found "101"'])
  })

  test('counts a sheet once for each name that refers to it', () => {
    const names = Array.from({ length: 99 }, (_, index) => `<sheet name="S${index}" r:id="rId1"/>`).join('')
    const rows = '<row><c><v>1</v></c></row>'.repeat(10_000)
    const bytes = zipSync({
      ...unzipSync(workbookWith(rows)),
      'xl/workbook.xml': strToU8(`<workbook><sheets>${names}</sheets></workbook>`),
    })
    expect(faultOf(bytes)).toEqual(['file: expected at most 300,000 rows, found "more"'])
  })
})

describe('the declared size of a workbook', () => {
  const sheet = 'xl/worksheets/sheet1.xml'
  const bytes = (): Uint8Array => workbookWith('<row><c><v>1</v></c></row>'.repeat(1_000))

  test('is limited, and checked before unpacking', () => {
    expect(faultOf(declaring(bytes(), sheet, MAX_WORKBOOK_BYTES))[0]).toMatch(
      /^file: expected at most 192 MiB of XML, unpacked, found "201,32\d,\d{3} bytes up to xl\/worksheets\/sheet1.xml"$/,
    )
  })

  test('is refused if it is wrong', () => {
    expect(faultOf(declaring(bytes(), sheet, 100))).toEqual([
      `file: expected a zip that is not damaged, found "${sheet}, which unpacks to more than the 100 bytes it declares"`,
    ])
    expect(faultOf(declaring(bytes(), sheet, 1_000_000))[0]).toContain(`${sheet}, which unpacks to 26,`)
  })

  test('includes the number of files, which is limited', () => {
    const files = Object.fromEntries(Array.from({ length: 1_001 }, (_, index) => [`f${index}`, strToU8('')]))
    const crowd = zipSync({ ...PLAIN, ...files })
    expect(detectFormat('x.xlsx', crowd)).toBeUndefined()
    expect(whyUndetected('x.xlsx', crowd)).toBe(
      'is refused: expected at most 1,000 entries in the zip, found 1,005',
    )
  })
})
