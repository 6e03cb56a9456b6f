/** Reading the CSV tables of a rate card. A fault names file, row and column. */
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { parse } from 'csv-parse/sync'
import { parseDecimal } from '../core/quantity.ts'

/** One row of a CSV file; every reader throws an error that names file, row, column and what was expected. */
export type CsvRow = {
  /** The text of a cell; it may be empty only where `orEmpty`. */
  text(column: string, orEmpty?: 'orEmpty'): string
  /** One of the given words. */
  word<Word extends string>(column: string, words: readonly Word[]): Word
  /** A decimal as an integer of 10^-places. */
  number(column: string, places: number): number
  /** The same, or undefined when the cell is empty or the column is missing. */
  maybeNumber(column: string, places: number): number | undefined
  /** A fault of this row, to throw. */
  fault(column: string, expected: string): Error
}

/** Reads a CSV file with a header row. Throws where the file is missing or no CSV. */
export function readCsv(file: string | URL): CsvRow[] {
  const name = basename(file instanceof URL ? file.pathname : file)
  const records: Record<string, string>[] = parse(readFileSync(file), {
    columns: true,
    bom: true,
    trim: true,
  })
  return records.map((record, index) => csvRow(name, index + 2, record))
}

function csvRow(file: string, row: number, record: Readonly<Record<string, string>>): CsvRow {
  const fault = (column: string, expected: string): Error =>
    new Error(
      `${file}, row ${row}, column ${column}: expected ${expected}, got ${JSON.stringify(record[column])}`,
    )
  const maybeNumber = (column: string, places: number): number | undefined => {
    const cell = record[column] ?? ''
    if (cell === '') return undefined
    const value = parseDecimal(cell, places)
    if (value === undefined) throw fault(column, `a number with at most ${places} decimals`)
    return value
  }
  return {
    fault,
    maybeNumber,
    text(column, orEmpty) {
      const cell = record[column]
      if (cell === undefined || (cell === '' && orEmpty === undefined)) throw fault(column, 'a value')
      return cell
    },
    word(column, words) {
      const word = words.find((allowed) => allowed === record[column])
      if (word === undefined) throw fault(column, `one of ${words.join(', ')}`)
      return word
    },
    number(column, places) {
      const value = maybeNumber(column, places)
      if (value === undefined) throw fault(column, 'a number')
      return value
    },
  }
}
