/** Makes small Excel workbooks with the parts that spreadsheet programs write. */
import { strToU8, zipSync } from 'fflate'

export type TestCell = string | number | null

/** Optional features of a workbook. */
export type WorkbookOptions = {
  /** Stores texts in the cells instead of in the list of shared texts. */
  readonly inline?: boolean
  readonly countsFrom1904?: boolean
  /** Merged cells, such as "A2:A4". */
  readonly merges?: readonly string[]
}

/** Makes a workbook. Empty rows are left out, as spreadsheet programs do with rows that never had content. */
export function makeWorkbook(
  sheets: Readonly<Record<string, readonly (readonly TestCell[])[]>>,
  { inline = false, countsFrom1904 = false, merges = [] }: WorkbookOptions = {},
): Uint8Array {
  const shared: string[] = []
  const numbers = new Map<string, number>()
  const sharedNumber = (text: string): number => {
    const known = numbers.get(text)
    if (known !== undefined) return known
    numbers.set(text, shared.length)
    return shared.push(text) - 1
  }
  const cellXml = (cell: TestCell, column: number, row: number): string => {
    if (cell === null || cell === '') return ''
    const at = `r="${columnName(column)}${row}"`
    if (typeof cell === 'number') return `<c ${at}><v>${cell}</v></c>`
    if (inline) return `<c ${at} t="inlineStr"><is><t xml:space="preserve">${escaped(cell)}</t></is></c>`
    return `<c ${at} t="s"><v>${sharedNumber(cell)}</v></c>`
  }
  const names = Object.keys(sheets)
  const files: Record<string, Uint8Array> = {}
  names.forEach((name, index) => {
    const rows = sheets[name]!.map((cells, at) =>
      cells.length === 0
        ? ''
        : `<row r="${at + 1}">${cells.map((cell, column) => cellXml(cell, column, at + 1)).join('')}</row>`,
    )
    const merged = merges.map((ref) => `<mergeCell ref="${ref}"/>`).join('')
    files[`xl/worksheets/sheet${index + 1}.xml`] = strToU8(
      `${XML}<worksheet xmlns="${MAIN}"><sheetData>${rows.join('')}</sheetData>` +
        `${merged === '' ? '' : `<mergeCells>${merged}</mergeCells>`}</worksheet>`,
    )
  })
  files['xl/workbook.xml'] = strToU8(
    `${XML}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}">` +
      `<workbookPr${countsFrom1904 ? ' date1904="1"' : ''}/><sheets>` +
      names
        .map((name, at) => `<sheet name="${escaped(name)}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`)
        .join('') +
      '</sheets></workbook>',
  )
  files['xl/_rels/workbook.xml.rels'] = strToU8(
    `${XML}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` +
      names
        .map((_, at) => `<Relationship Id="rId${at + 1}" Target="worksheets/sheet${at + 1}.xml"/>`)
        .join('') +
      '</Relationships>',
  )
  if (!inline)
    files['xl/sharedStrings.xml'] = strToU8(
      `${XML}<sst xmlns="${MAIN}">${shared.map((text) => `<si><t xml:space="preserve">${escaped(text)}</t></si>`).join('')}</sst>`,
    )
  return zipSync(files)
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}

/** "A" to "Z", then "AA" to "ZZ". */
function columnName(column: number): string {
  const letter = String.fromCharCode(65 + (column % 26))
  return column < 26 ? letter : columnName(Math.floor(column / 26) - 1) + letter
}
