/**
 * Reads the sheets of an Excel workbook as rows of text. Numbers have no exponent and no trailing zeros. Percentages,
 * days and times are written as such: "13%", "2027-01-31", "17:00". All cells of a merged area have its text. Formulas
 * are represented by their stored values, errors by their names: "#REF!", and logical values as "TRUE" and "FALSE".
 */
import { withoutTrailingZeros } from '../../core/quantity.ts'
import { composed } from './csv-table.ts'
import {
  atMost,
  figureText,
  ImportRefusal,
  MAX_CELL_LENGTH,
  MAX_COLUMNS,
  MAX_MERGES,
  MAX_SHARED_STRINGS,
  MAX_SHEETS,
  MAX_TABLE_CELLS,
  MAX_TABLE_ROWS,
  MAX_WORKBOOK_CHARACTERS,
} from './import-limits.ts'
import { type NumberKind, readNumberKinds, textOfKind } from './number-format.ts'
import { damaged, openWorkbookFiles, type WorkbookFiles } from './workbook-xml.ts'

/** A row. `line` is its number in the sheet. */
export type SheetRow = { readonly line: number; readonly cells: readonly string[] }

/** A sheet, without its empty rows. */
export type WorkbookSheet = { readonly name: string; readonly rows: readonly SheetRow[] }

/** `countsFrom1904` is true if day numbers count from 1904 instead of 1900. */
export type Workbook = { readonly sheets: readonly WorkbookSheet[]; readonly countsFrom1904: boolean }

type Row = { line: number; cells: string[] }
type Merge = { top: number; bottom: number; left: number; right: number }

/** Merged areas with more rows, such as a whole empty column, are ignored. */
const MAX_MERGED_ROWS = 10_000
/** Longer texts are not converted as numbers. */
const MAX_NUMBER_LENGTH = 40

/** Reads the sheets in their order. Throws ImportRefusal if the workbook is damaged or above a limit. */
export function readWorkbook(bytes: Uint8Array): Workbook {
  const files = openWorkbookFiles(bytes)
  const { named, countsFrom1904, lacksResults } = readDirectory(files)
  const targets = readTargets(files)
  const strings = readSharedStrings(files)
  const kinds = readNumberKinds(files)
  const facts: WorkbookFacts = { strings, kinds, countsFrom1904, lacksResults }
  const amount: Amount = { rows: 0, cells: 0, characters: 0 }
  const sheets: WorkbookSheet[] = []
  for (const { name, id } of named) {
    // The sheets of old macros have no file.
    if (id === '') continue
    const file = targets.get(id)
    if (file === undefined || !files.has(file)) throw damaged(`no file of the sheet ${name}`)
    sheets.push({ name, rows: readSheetRows(files, file, facts, amount) })
  }
  return { sheets, countsFrom1904 }
}

/** The names of the sheets, without reading them. Throws ImportRefusal as `readWorkbook` does. */
export function sheetNames(bytes: Uint8Array): readonly string[] {
  return readDirectory(openWorkbookFiles(bytes)).named.map(({ name }) => name)
}

function readDirectory(files: WorkbookFiles) {
  const named: { name: string; id: string }[] = []
  let countsFrom1904 = false
  let lacksResults = false
  const isTrue = (value = ''): boolean => /^(1|true)$/.test(value)
  files.read('xl/workbook.xml', {
    open(tag, attributes) {
      if (tag === 'workbookPr') countsFrom1904 = isTrue(attributes['date1904'])
      if (tag === 'calcPr') lacksResults = isTrue(attributes['fullCalcOnLoad'])
      if (tag === 'sheet') named.push({ name: composed(attributes['name'] ?? ''), id: idOf(attributes) })
    },
  })
  if (named.length > MAX_SHEETS) throw tooMany(MAX_SHEETS, 'sheets', named.length)
  return { named, countsFrom1904, lacksResults }
}

/** The size of a workbook in memory. */
type Amount = { rows: number; cells: number; characters: number }

function tooMany(limit: number, what: string, found: number): ImportRefusal {
  return new ImportRefusal(`at most ${figureText(limit)} ${what}`, figureText(found))
}

function idOf(attributes: Readonly<Record<string, string>>): string {
  const key = Object.keys(attributes).find((name) => name.endsWith(':id'))
  return key === undefined ? '' : attributes[key]!
}

/** The files of sheets by their ids. */
function readTargets(files: WorkbookFiles): ReadonlyMap<string, string> {
  const targets = new Map<string, string>()
  files.read('xl/_rels/workbook.xml.rels', {
    open(tag, { Id: id = '', Target: target = '' }) {
      if (tag === 'Relationship') targets.set(id, target.startsWith('/') ? target.slice(1) : `xl/${target}`)
    },
  })
  return targets
}

/** The shared texts, to which cells refer by number. */
function readSharedStrings(files: WorkbookFiles): readonly string[] {
  const strings: string[] = []
  let text = ''
  let inText = false
  let inPhonetic = false
  if (!files.has('xl/sharedStrings.xml')) return strings
  files.read('xl/sharedStrings.xml', {
    open(tag) {
      if (tag === 'si') text = ''
      if (tag === 'rPh') inPhonetic = true
      inText = tag === 't' && !inPhonetic
    },
    text(piece) {
      if (inText) text = appended(text, piece)
    },
    close(tag) {
      if (tag === 't') inText = false
      if (tag === 'rPh') inPhonetic = false
      if (tag !== 'si') return
      strings.push(detached(cleanText(text)))
      if (strings.length > MAX_SHARED_STRINGS)
        throw new ImportRefusal(atMost(MAX_SHARED_STRINGS, 'shared texts'), 'more')
    },
  })
  return strings
}

function appended(text: string, piece: string): string {
  const length = text.length + piece.length
  if (length > MAX_CELL_LENGTH) throw tooMany(MAX_CELL_LENGTH, 'characters in a cell', length)
  return text + piece
}

/** Copies a text. A slice would keep the whole piece of the file in memory. */
function detached(text: string): string {
  return Buffer.from(text).toString()
}

/** What the cells of all sheets refer to. */
type WorkbookFacts = {
  readonly strings: readonly string[]
  readonly kinds: readonly (NumberKind | undefined)[]
  readonly countsFrom1904: boolean
  /** Whether all formulas are to be calculated when the workbook is opened. */
  readonly lacksResults: boolean
}

function readSheetRows(
  files: WorkbookFiles,
  file: string,
  { strings, kinds, countsFrom1904, lacksResults }: WorkbookFacts,
  amount: Amount,
): readonly SheetRow[] {
  const rows: Row[] = []
  const merges: Merge[] = []
  const knownTexts = new Map<string, string>()
  let row: Row = { line: 0, cells: [] }
  let column = -1
  let type = ''
  let kind: NumberKind | undefined
  let text = ''
  let inValue = false
  let isFormula = false
  let hasValue = false
  files.read(file, {
    open(tag, attributes) {
      if (tag === 'row') row = { line: lineAfter(row.line, attributes['r']), cells: [] }
      else if (tag === 'c') {
        column = columnOf(attributes['r']) ?? column + 1
        type = attributes['t'] ?? 'n'
        kind = type === 'n' ? kinds[Number(attributes['s'])] : undefined
        text = ''
        isFormula = false
        hasValue = false
      } else if (tag === 'mergeCell') addMerge(attributes['ref'] ?? '', merges)
      isFormula ||= tag === 'f'
      inValue = tag === 'v' || tag === 't'
      hasValue ||= inValue
    },
    text(piece) {
      if (inValue) text = appended(text, piece)
    },
    close(tag) {
      if (tag === 'v' || tag === 't') inValue = false
      else if (tag === 'c') {
        const shown = kind && textOfKind(kind, text.trim(), countsFrom1904)
        const value = type === 's' ? sharedText(strings, text) : cellText(type, shown ?? text, knownTexts)
        if (isFormula && !isCalculated(type, hasValue ? text.trim() : undefined, lacksResults))
          setCell(row.cells, column, NOT_CALCULATED, amount)
        else if (value !== '') setCell(row.cells, column, value, amount)
      } else if (tag === 'row') {
        column = -1
        if (row.cells.length > 0) addRow(rows, row, amount)
      }
    },
  })
  fillMerges(rows, merges, amount)
  return rows
}

/** The line of a row. A row without a number follows the previous one. Rows must be in ascending order. */
function lineAfter(before: number, declared: string | undefined): number {
  const line = Number.parseInt(declared ?? '', 10) || before + 1
  if (line <= before) throw new ImportRefusal(`rows in ascending order, after row ${before}`, `row ${line}`)
  return line
}

function addRow(rows: Row[], row: Row, amount: Amount): void {
  rows.push(row)
  amount.rows += 1
  if (amount.rows > MAX_TABLE_ROWS) throw new ImportRefusal(atMost(MAX_TABLE_ROWS, 'rows'), 'more')
}

function setCell(cells: string[], column: number, value: string, amount: Amount): void {
  if (column >= MAX_COLUMNS) throw tooMany(MAX_COLUMNS, 'columns', column + 1)
  const before = cells.length
  while (cells.length < column) cells.push('')
  cells[column] = value
  amount.cells += cells.length - before
  amount.characters += value.length
  if (amount.cells > MAX_TABLE_CELLS) throw new ImportRefusal(atMost(MAX_TABLE_CELLS, 'cells'), 'more')
  if (amount.characters > MAX_WORKBOOK_CHARACTERS)
    throw new ImportRefusal(atMost(MAX_WORKBOOK_CHARACTERS, 'characters in all cells'), 'more')
}

/** The text of a formula whose value is not stored, in workbooks that a program has written. */
const NOT_CALCULATED = '(a formula that was never calculated)'

/**
 * Whether `value`, undefined if none is stored, is the result of a formula. The result of a type other than "str" is
 * never an empty text. Programs that let Excel calculate everything when the workbook is opened store 0 until then.
 */
function isCalculated(type: string, value: string | undefined, lacksResults: boolean): boolean {
  if (value === undefined || (value === '' && type !== 'str')) return false
  return !(lacksResults && type === 'n' && Number(value) === 0)
}

/** A cell without a number is empty. */
function sharedText(strings: readonly string[], figure: string): string {
  const text = figure === '' ? '' : strings[Number(figure)]
  if (text === undefined) throw damaged(`no shared text ${figure.slice(0, MAX_NUMBER_LENGTH)}`)
  return text
}

/** The text of a cell that is not a shared string. Equal texts are stored once. */
function cellText(type: string, text: string, knownTexts: Map<string, string>): string {
  if (type === 'b' && text !== '') return text.trim() === '1' ? 'TRUE' : 'FALSE'
  const value = type === 'n' ? numberText(text.trim()) : cleanText(text)
  const known = knownTexts.get(value)
  if (known !== undefined) return known
  const copy = detached(value)
  if (knownTexts.size < 100_000) knownTexts.set(copy, copy)
  return copy
}

function numberText(text: string): string {
  if (text.length > MAX_NUMBER_LENGTH) return text
  if (/^-?\d+$/.test(text)) return text
  if (text.length > EXACT_DIGITS || !/^-?\d+\.\d+$/.test(text)) return shownText(text)
  const [whole = '', fraction = ''] = text.split('.')
  const decimals = withoutTrailingZeros(fraction)
  return decimals === '' ? whole : `${whole}.${decimals}`
}

/** Excel shows 15 digits of a number, and stores 17: 12.3 may be stored as 12.300000000000001 or as 1.23E1. */
const EXACT_DIGITS = 15

function shownText(text: string): string {
  const value = Number(text)
  const shown = String(Number(value.toPrecision(EXACT_DIGITS)))
  return text === '' || !/^-?\d+(?:\.\d+)?$/.test(shown) ? text : shown
}

/** Excel writes characters that XML does not allow as _x000D_. */
function cleanText(text: string): string {
  const decoded = text.includes('_x')
    ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text
  return composed(decoded)
}

/** The column of a reference, counted from 0: 2 for "C12". */
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
  if (merges.length > MAX_MERGES)
    throw new ImportRefusal(atMost(MAX_MERGES, 'merged areas in a sheet'), 'more')
}

/**
 * Copies the text of the first cell of each merged area to its empty cells. Rows without content are not in `rows` and
 * are not added. Merged areas of a valid sheet do not overlap; if together they are too large, the sheet is refused
 * before any area is filled.
 */
function fillMerges(rows: readonly Row[], merges: readonly Merge[], amount: Amount): void {
  const areas = merges.map((merge) => {
    const [first, end] = [firstFrom(rows, merge.top), firstFrom(rows, merge.bottom + 1)]
    return { ...merge, first, end }
  })
  const cells = areas.reduce(
    (sum, { first, end, left, right }) => sum + sizeOf(end - first, right - left + 1),
    0,
  )
  if (cells > MAX_TABLE_CELLS) throw tooMany(MAX_TABLE_CELLS, 'cells in merged areas', cells)
  for (const { top, left, right, first, end } of areas) {
    const value = rows[first]?.line === top ? (rows[first].cells[left] ?? '') : ''
    if (value === '') continue
    for (let index = first; index < end; index += 1)
      for (let column = left; column <= right; column += 1)
        if ((rows[index]!.cells[column] ?? '') === '') setCell(rows[index]!.cells, column, value, amount)
  }
}

function sizeOf(rows: number, columns: number): number {
  return Math.max(rows, 0) * Math.max(columns, 0)
}

/** The position of the first row at or below a line. */
function firstFrom(rows: readonly Row[], line: number): number {
  let [low, high] = [0, rows.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (rows[middle]!.line < line) low = middle + 1
    else high = middle
  }
  return low
}
