/**
 * Faults and warnings of import files. Each names file, row and column as a spreadsheet shows them, what was expected
 * and what was found, so that an operator can correct the file.
 */
import { printable, visible } from '../../core/input.ts'

/** The place of a fault. `row` is the line of the file on which the row begins; the header is row 1. */
export type FaultPlace = { readonly file: string; readonly row?: number; readonly column?: string }

/**
 * A fault or a warning. `found` is text of the file, if there is any to show. `more` is the number of further faults of
 * the same kind that are not listed.
 */
export type ImportFault = FaultPlace & {
  readonly expected: string
  readonly found?: string
  readonly more?: number
}

/** Collects the faults and warnings of one file. `fault` and `warn` return undefined, for `return log.fault(...)`. */
export type FaultLog = {
  fault(row: number | undefined, column: string | undefined, expected: string, found?: string): undefined
  warn(row: number | undefined, column: string | undefined, expected: string, found?: string): undefined
  /** Sorted by row. Beyond a limit, one entry at the end has the total number. */
  faults(): readonly ImportFault[]
  warnings(): readonly ImportFault[]
}

/** One wrong column can cause a fault per row. */
const MAX_FAULTS_PER_FILE = 10_000

/** Characters of a cell or column name that a line of text shows. */
const MAX_FOUND_LENGTH = 80
/** Characters of a cell or column name that JSON shows. */
const MAX_STORED_LENGTH = 500
/** The expectation may quote another cell. */
const MAX_EXPECTED_LENGTH = 1_000

/**
 * `isFolded` names the columns in which faults with the same expectation are one fault with a number, because a mistake
 * of a grid repeats in every cell. Without a column, it is asked about faults of whole rows. `titleOf` gives the name
 * that a column has in the file, if that is another one.
 */
export function openFaultLog(
  file: string,
  isFolded: (column: string | undefined) => boolean = () => false,
  titleOf: (column: string) => string = (column) => column,
): FaultLog {
  const faults = openList(file, 'faults', isFolded, titleOf)
  const warnings = openList(file, 'warnings', () => false, titleOf)
  return { fault: faults.add, warn: warnings.add, faults: faults.all, warnings: warnings.all }
}

type FaultList = { readonly add: FaultLog['fault']; all(): readonly ImportFault[] }

function openList(
  file: string,
  what: 'faults' | 'warnings',
  isFolded: (column: string | undefined) => boolean,
  titleOf: (column: string) => string,
): FaultList {
  const list: ImportFault[] = []
  const folded = new Map<string, { readonly position: number; more: number }>()
  let count = 0
  return {
    add(row, column, expected, found) {
      if (isFolded(column)) {
        const first = folded.get(expected)
        if (first !== undefined) {
          first.more += 1
          return undefined
        }
        folded.set(expected, { position: list.length, more: 0 })
      }
      count += 1
      if (count > MAX_FAULTS_PER_FILE) return undefined
      list.push({
        file,
        ...(row !== undefined && { row }),
        ...(column !== undefined && { column: shortened(titleOf(column), MAX_STORED_LENGTH) }),
        expected: shortened(expected, MAX_EXPECTED_LENGTH),
        ...(found !== undefined && { found: shortened(found, MAX_STORED_LENGTH) }),
      })
      return undefined
    },
    all() {
      const counted = [...list]
      for (const { position, more } of folded.values()) {
        const first = counted[position]
        if (first !== undefined && more > 0) counted[position] = { ...first, more }
      }
      const byRow = counted.sort((a, b) => (a.row ?? 0) - (b.row ?? 0))
      if (count <= MAX_FAULTS_PER_FILE) return byRow
      return [
        ...byRow,
        {
          file,
          expected: `at most ${MAX_FAULTS_PER_FILE} ${what}; the others are not listed`,
          found: `${count}`,
        },
      ]
    },
  }
}

/**
 * A fault as one line: `rates.csv, row 12, column up_to: expected a number with at most 3 decimals, found "5.5x"`. Text
 * of the file is shortened, and characters that cannot be seen are escaped: `"39,25\u200b"`.
 */
export function describeImportFault({ file, row, column, expected, found }: ImportFault): string {
  const at = [printable(file)]
  if (row !== undefined) at.push(`row ${row}`)
  if (column !== undefined) at.push(`column ${printable(shortened(column, MAX_FOUND_LENGTH))}`)
  return `${at.join(', ')}: expected ${expected}${found === undefined ? '' : `, found ${quote(found)}`}`
}

function quote(found: string): string {
  return found === '' ? 'an empty cell' : visible(JSON.stringify(shortened(found, MAX_FOUND_LENGTH)))
}

function shortened(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text
}

/** Suggests the known name that is closest to a misspelled one: " (perhaps up_to)"; empty if none is close. */
export function nameHint(name: string, known: readonly string[]): string {
  const closest = closestName(name, known)
  return closest === undefined ? '' : ` (perhaps ${closest})`
}

/** The known name within two edits of `name`, or within one if `name` has fewer than 5 letters. */
function closestName(name: string, known: readonly string[]): string | undefined {
  const lower = name.toLowerCase()
  let closest: string | undefined
  let least = lower.length < 5 ? 1 : 2
  for (const candidate of known) {
    const distance = editDistance(lower, candidate, least)
    if (distance > least || (distance === least && closest !== undefined)) continue
    closest = candidate
    least = distance
  }
  return closest
}

/** Levenshtein distance. Distances above `limit` may be returned as `limit + 1`. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1
  let above = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = above[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      row.push(Math.min(replaced, above[j]! + 1, row[j - 1]! + 1))
    }
    above = row
  }
  return above[b.length]!
}
