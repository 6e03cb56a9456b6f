/**
 * The sheets of an Excel workbook as rows of text. Decided here: a number is written without an exponent and without
 * superfluous decimals; a cell that spans several rows or columns says the same in all of them; formulas count by the
 * value stored with them.
 */
import { withoutTrailingZeros } from '../../core/quantity.ts'
import { isZip, readXml, unzipFiles, type WorkbookFiles } from './workbook-xml.ts'

/** One row; `line` is its number in the sheet, cells without content are empty. */
export type SheetRow = { readonly line: number; readonly cells: readonly string[] }

/** The rows of a sheet that have any content. */
export type WorkbookSheet = { readonly name: string; readonly rows: readonly SheetRow[] }

/** A workbook; `countsFrom1904`: its day numbers begin four years and a day later than others'. */
export type Workbook = { readonly sheets: readonly WorkbookSheet[]; readonly countsFrom1904: boolean }

type Row = { line: number; cells: string[] }
type Merge = { top: number; bottom: number; left: number; right: number }

/** No published tariff is wider. */
const MAX_COLUMNS = 200
/** So that a merge over a whole empty column costs nothing. */
const MAX_MERGED_ROWS = 10_000

/** Reads the sheets in the order of the workbook; undefined when it is none, or damaged. */
export function readWorkbook(bytes: Uint8Array): Workbook | undefined {
  if (!isZip(bytes)) return undefined
  const files = unzipFiles(
    bytes,
    (name) => /\.(xml|rels)$/.test(name) && !/(style|theme|drawing)/i.test(name),
  )
  const main = files?.['xl/workbook.xml']
  if (files === undefined || main === undefined) return undefined
  const strings = readSharedStrings(files)
  const targets = readTargets(files)
  if (strings === undefined || targets === undefined) return undefined
  const named: { name: string; id: string }[] = []
  let countsFrom1904 = false
  const sound = readXml(main, {
    open(tag, attributes) {
      if (tag === 'workbookPr') countsFrom1904 = /^(1|true)$/.test(attributes['date1904'] ?? '')
      if (tag === 'sheet') named.push({ name: attributes['name'] ?? '', id: idOf(attributes) })
    },
  })
  if (!sound) return undefined
  const sheets: WorkbookSheet[] = []
  for (const { name, id } of named) {
    const file = files[targets.get(id) ?? '']
    if (file === undefined) continue
    const rows = readSheetRows(file, strings)
    if (rows === undefined) return undefined
    sheets.push({ name, rows })
  }
  return { sheets, countsFrom1904 }
}

function idOf(attributes: Readonly<Record<string, string>>): string {
  const key = Object.keys(attributes).find((name) => name.endsWith(':id'))
  return key === undefined ? '' : attributes[key]!
}

/** Which file a sheet's id stands for. */
function readTargets(files: WorkbookFiles): ReadonlyMap<string, string> | undefined {
  const targets = new Map<string, string>()
  const file = files['xl/_rels/workbook.xml.rels']
  if (file === undefined) return undefined
  const sound = readXml(file, {
    open(tag, { Id: id = '', Target: target = '' }) {
      if (tag === 'Relationship') targets.set(id, target.startsWith('/') ? target.slice(1) : `xl/${target}`)
    },
  })
  return sound ? targets : undefined
}

/** The texts that cells name by number; a workbook may have none. */
function readSharedStrings(files: WorkbookFiles): readonly string[] | undefined {
  const file = files['xl/sharedStrings.xml']
  if (file === undefined) return []
  const strings: string[] = []
  let text = ''
  let inText = false
  let inPhonetic = false
  const sound = readXml(file, {
    open(tag) {
      if (tag === 'si') text = ''
      if (tag === 'rPh') inPhonetic = true
      inText = tag === 't' && !inPhonetic
    },
    text(piece) {
      if (inText) text += piece
    },
    close(tag) {
      if (tag === 't') inText = false
      if (tag === 'rPh') inPhonetic = false
      if (tag === 'si') strings.push(cleanText(text))
    },
  })
  return sound ? strings : undefined
}

function readSheetRows(file: Uint8Array, strings: readonly string[]): readonly SheetRow[] | undefined {
  const rows: Row[] = []
  const merges: Merge[] = []
  const once = new Map<string, string>()
  let row: Row = { line: 0, cells: [] }
  let column = -1
  let type = ''
  let text = ''
  let inValue = false
  const sound = readXml(file, {
    open(tag, attributes) {
      if (tag === 'row') row = { line: Number.parseInt(attributes['r'] ?? '', 10) || row.line + 1, cells: [] }
      else if (tag === 'c') {
        column = columnOf(attributes['r']) ?? column + 1
        type = attributes['t'] ?? 'n'
        text = ''
      } else if (tag === 'mergeCell') addMerge(attributes['ref'] ?? '', merges)
      inValue = tag === 'v' || tag === 't'
    },
    text(piece) {
      if (inValue) text += piece
    },
    close(tag) {
      if (tag === 'v' || tag === 't') inValue = false
      else if (tag === 'c') {
        const value = type === 's' ? (strings[Number(text)] ?? '') : cellText(type, text, once)
        if (value !== '' && column < MAX_COLUMNS) setCell(row.cells, column, value)
      } else if (tag === 'row') {
        column = -1
        if (row.cells.length > 0) rows.push(row)
      }
    },
  })
  if (!sound) return undefined
  for (const merge of merges) fillMerge(rows, merge)
  return rows
}

function setCell(cells: string[], column: number, value: string): void {
  while (cells.length < column) cells.push('')
  cells[column] = value
}

/** The text of a cell that is no shared string; equal texts are kept once. */
function cellText(type: string, text: string, once: Map<string, string>): string {
  if (type === 'e') return ''
  const value = type === 'n' ? numberText(text.trim()) : cleanText(text)
  const known = once.get(value)
  if (known !== undefined) return known
  if (once.size < 100_000) once.set(value, value)
  return value
}

function numberText(text: string): string {
  if (/^-?\d+$/.test(text)) return text
  const [, whole, fraction = ''] = /^(-?\d+)\.(\d+)$/.exec(text) ?? []
  if (whole !== undefined) {
    const decimals = withoutTrailingZeros(fraction)
    return decimals === '' ? whole : `${whole}.${decimals}`
  }
  const value = Number(text)
  return text !== '' && Number.isSafeInteger(value) ? String(value) : text
}

/** Excel writes characters that XML has none for as _x000D_. */
function cleanText(text: string): string {
  return text.includes('_x')
    ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text
}

/** "C12" is column 2. */
function columnOf(reference: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(reference ?? '')?.[0]
  if (letters === undefined) return undefined
  let column = 0
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64
  return column - 1
}

function addMerge(reference: string, merges: Merge[]): void {
  const [, leftTop = '', top = '', rightBottom = '', bottom = ''] =
    /^([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})$/.exec(reference) ?? []
  const [left, right] = [columnOf(leftTop), columnOf(rightBottom)]
  if (left === undefined || right === undefined || right >= MAX_COLUMNS) return
  if (Number(bottom) - Number(top) > MAX_MERGED_ROWS) return
  merges.push({ top: Number(top), bottom: Number(bottom), left, right })
}

/** Rows without any other content stay away: they are not in `rows`. */
function fillMerge(rows: readonly Row[], { top, bottom, left, right }: Merge): void {
  let index = firstFrom(rows, top)
  const first = rows[index]
  const value = first?.line === top ? (first.cells[left] ?? '') : ''
  if (value === '') return
  for (let row = first; row !== undefined && row.line <= bottom; row = rows[index]) {
    for (let column = left; column <= right; column += 1)
      if ((row.cells[column] ?? '') === '') setCell(row.cells, column, value)
    index += 1
  }
}

/** The first row at or below a line. */
function firstFrom(rows: readonly Row[], line: number): number {
  let [low, high] = [0, rows.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (rows[middle]!.line < line) low = middle + 1
    else high = middle
  }
  return low
}
