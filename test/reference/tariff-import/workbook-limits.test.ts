/** The limits of workbooks. A file above a limit is refused early, with the limit and the actual value. */
import { createHash } from 'node:crypto'
import { deflateSync, Inflate, strToU8, unzipSync, zipSync } from 'fflate'
import { SaxesParser } from 'saxes'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { MAX_CELL_LENGTH, MAX_WORKBOOK_BYTES } from '../../../src/reference/import/import-limits.ts'
import { readWorkbook, type WorkbookSheet } from '../../../src/reference/import/workbook-sheet.ts'
import { detectFormat, whyUndetected } from '../../../src/reference/tariff-import/formats.ts'
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

describe('a document type declaration', () => {
  afterEach(() => {
    vi.restoreAllMocks()
  })

  const refusal = (file: string): string =>
    'file: expected XML without a document type declaration, which no spreadsheet program writes, ' +
    `found "<!DOCTYPE in ${file}"`

  /** A workbook whose file `name` begins with `prolog`. */
  function beginningWith(prolog: string, name = 'xl/workbook.xml'): Uint8Array {
    const files = unzipSync(makeWorkbook({ A: [HEADER] }))
    const xml = Buffer.from(files[name]!)
      .toString()
      .replace(/^<\?xml.*?\?>\s*/, '')
    return zipSync({ ...files, [name]: strToU8(prolog + xml) })
  }

  const files = [
    'xl/workbook.xml',
    'xl/_rels/workbook.xml.rels',
    'xl/sharedStrings.xml',
    'xl/worksheets/sheet1.xml',
  ]
  test.each(files)('is refused in %s', (name) => {
    expect(faultOf(beginningWith('<!DOCTYPE a>', name))).toEqual([refusal(name)])
  })

  const comment = '<!-- <a/> <!DOCTYPE a> ?> -->'
  test.each([
    ['after an XML declaration', '<?xml version="1.0"?>\n'],
    ['after a byte order mark', '\uFEFF'],
    ['after comments and processing instructions', `<?a <b ?>\t${comment}\r\n<?c?>${comment}`],
    ['after white space of XML 1.1', '<?xml version="1.1"?>\u0085\u2028'],
  ])('is refused %s', (_, before) => {
    expect(faultOf(beginningWith(`${before}<!DOCTYPE a [<!ENTITY b "c">]>`))).toEqual([
      refusal('xl/workbook.xml'),
    ])
  })

  test.each([
    '<!doctype a>',
    'x<!DOCTYPE a>',
    '&a;<!DOCTYPE a>',
    '<!DOCTYP',
  ])('is refused in other forms: %s', (prolog) => {
    expect(faultOf(beginningWith(prolog))).toEqual([
      expect.stringMatching(/not damaged or protected, found "xl\/workbook.xml is not well-formed XML"$/),
    ])
  })

  test('is refused in other encodings', () => {
    for (const encoding of ['utf16le', 'latin1'] as const) {
      const text = `\uFEFF<?xml version="1.0"?><!DOCTYPE é><workbook/>`
      const bytes = zipSync({ ...PLAIN, 'xl/workbook.xml': new Uint8Array(Buffer.from(text, encoding)) })
      expect(faultOf(bytes)[0]).toMatch(/xl\/workbook.xml is not in UTF-8"$/)
    }
  })

  const digests = Array.from({ length: 2_000 }, (_, index) =>
    createHash('sha256').update(String(index)).digest('hex'),
  ).join('')
  /** A text of up to 128,000 characters that does not pack well. */
  const noise = (length: number): string => digests.slice(0, length)

  test('is refused before more of the file is unpacked or parsed', () => {
    const unpacked = vi.spyOn(Inflate.prototype, 'push')
    const parsed = vi.spyOn(SaxesParser.prototype, 'write')
    const entities = `<!ENTITY a "${noise(100)}">`.repeat(50_000) + noise(100_000)
    expect(faultOf(beginningWith(`<!DOCTYPE a [${entities}]>`))).toEqual([refusal('xl/workbook.xml')])
    const pieces = unpacked.mock.calls.map(([piece]) => piece.length)
    expect(pieces).toEqual([16 * 1024])
    expect(parsed).not.toHaveBeenCalled()
  })

  test('is refused if a piece of the file ends within its first characters', () => {
    const firstPieceOf = (xml: string): number => {
      let length = 0
      const stream = new Inflate((piece) => {
        length = piece.length
      })
      stream.push(deflateSync(strToU8(xml)).subarray(0, 16 * 1024))
      return length
    }
    const around = firstPieceOf(`<!--${noise(60_000)}-->`)
    let cut = 0
    for (let length = around - 40; length < around + 40; length++) {
      const before = `<!--${noise(length)}-->`
      const prolog = `${before}<!DOCTYPE a [${noise(30_000)}]>`
      const end = firstPieceOf(prolog)
      if (end <= before.length || end >= before.length + '<!DOCTYPE'.length) continue
      cut++
      expect(faultOf(beginningWith(prolog))).toEqual([refusal('xl/workbook.xml')])
    }
    expect(cut).toBeGreaterThan(0)
  })

  test('is only a text in a comment or a cell', () => {
    const cell = '<row><c t="inlineStr"><is><t><![CDATA[<!DOCTYPE a>]]></t></is></c></row>'
    expect(rowsOf(workbookWith(cell))[1]!.cells).toEqual(['<!DOCTYPE a>'])
    expect(faultOf(beginningWith(comment))).toEqual(faultOf(makeWorkbook({ A: [HEADER] })))
  })

  test('would have to begin in the first 65,536 characters', () => {
    expect(faultOf(beginningWith(`<!--${'x'.repeat(70_000)}--><!DOCTYPE a>`))[0]).toMatch(
      /found "xl\/workbook.xml has no element in its first 65,536 characters"$/,
    )
  })
})
