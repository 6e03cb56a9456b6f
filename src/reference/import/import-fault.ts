/**
 * What is wrong with an import file, said so that an operator can mend it in a spreadsheet: the file, the row
 * and the column as shown there, what was expected and what was found.
 */

import { printable } from '../../core/input.ts'

/** Where a fault lies. `row` is a line of the file, the header is 1; of a cell over several lines the first. */
export type FaultPlace = { readonly file: string; readonly row?: number; readonly column?: string }

/**
 * A fault or a warning. `found` is text of the file; absent where there is none to show. `more` counts those of the
 * same kind that are not listed; absent where all are.
 */
export type ImportFault = FaultPlace & {
  readonly expected: string
  readonly found?: string
  readonly more?: number
}

/** Gathers the faults and warnings of one file. Both methods answer undefined, for `return log.fault(...)`. */
export type FaultLog = {
  fault(row: number | undefined, column: string | undefined, expected: string, found?: string): undefined
  warn(row: number | undefined, column: string | undefined, expected: string, found?: string): undefined
  /** What was noted, from the top of the file; past the limit one at the end tells how many there are in all. */
  faults(): readonly ImportFault[]
  warnings(): readonly ImportFault[]
}

/** A column written in a wrong way is a fault per row; nobody reads a million of them. */
const MAX_FAULTS_PER_FILE = 10_000

const MAX_FOUND_LENGTH = 80
/** Characters that are kept of a cell or the name of a column, for JSON. */
const MAX_KEPT_LENGTH = 500
/** What is expected may repeat another cell. */
const MAX_EXPECTED_LENGTH = 1_000

/** Opens the log of a file. */
export function openFaultLog(file: string): FaultLog {
  const faults = openList(file, 'faults')
  const warnings = openList(file, 'warnings')
  return { fault: faults.add, warn: warnings.add, faults: faults.all, warnings: warnings.all }
}

type FaultList = { readonly add: FaultLog['fault']; all(): readonly ImportFault[] }

function openList(file: string, what: 'faults' | 'warnings'): FaultList {
  const list: ImportFault[] = []
  let count = 0
  return {
    add(row, column, expected, found) {
      count += 1
      if (count > MAX_FAULTS_PER_FILE) return undefined
      list.push({
        file,
        ...(row !== undefined && { row }),
        ...(column !== undefined && { column: shortened(column, MAX_KEPT_LENGTH) }),
        expected: shortened(expected, MAX_EXPECTED_LENGTH),
        ...(found !== undefined && { found: shortened(found, MAX_KEPT_LENGTH) }),
      })
      return undefined
    },
    all() {
      const byRow = [...list].sort((a, b) => (a.row ?? 0) - (b.row ?? 0))
      if (count <= MAX_FAULTS_PER_FILE) return byRow
      return [
        ...byRow,
        { file, expected: `no more than ${MAX_FAULTS_PER_FILE} ${what} to list`, found: `${count}` },
      ]
    },
  }
}

/**
 * One line of text: `rates.csv, row 12, column up_to: expected a number with at most 3 decimals, found "5.5x"`. What it
 * repeats of the file is cut, and control characters in it are written out.
 */
export function describeImportFault({ file, row, column, expected, found }: ImportFault): string {
  const at = [printable(file)]
  if (row !== undefined) at.push(`row ${row}`)
  if (column !== undefined) at.push(`column ${printable(shortened(column, MAX_FOUND_LENGTH))}`)
  return `${at.join(', ')}: expected ${expected}${found === undefined ? '' : `, found ${quote(found)}`}`
}

function quote(found: string): string {
  return found === '' ? 'an empty cell' : printable(JSON.stringify(shortened(found, MAX_FOUND_LENGTH)))
}

function shortened(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text
}
