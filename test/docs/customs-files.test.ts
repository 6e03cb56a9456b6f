/** Compares the tables of docs/customs-files.md with the shipped files and with the columns that the importer reads. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { CUSTOMS_TABLE_NAMES } from '../../src/core/customs/data/rows.ts'
import { tableCells } from '../../src/reference/tariff-import/waybill/cells.ts'
import { ROOT, readPage } from './pages.ts'

const { prose } = readPage('docs/customs-files.md')
const folder = path.join(ROOT, 'src/reference/customs')

/** The rows of a shipped file: its lines without the header. No cell spans several lines. */
function rowsOf(file: string): number {
  return readFileSync(path.join(folder, file), 'utf8').trimEnd().split('\n').length - 1
}

describe('docs/customs-files.md', () => {
  test('lists the shipped files with the number of their rows', () => {
    const listed = prose.flatMap(({ text }) => {
      const [, file, rows] = /^\| `([\w-]+\.csv)` \| ([\d,]+) \|/.exec(text) ?? []
      return file === undefined || rows === undefined ? [] : [[file, Number(rows.replaceAll(',', ''))]]
    })
    const shipped = readdirSync(folder)
      .filter((file) => file !== 'data-sets.csv')
      .map((file) => [file, rowsOf(file)])
    expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(shipped))
  })

  test('lists the columns of every table that can be imported, the optional ones in brackets', () => {
    const listed = prose.flatMap(({ text }) => {
      const [, table, columns] = /^\| ([a-z-]+) \| ((?:\[?`[a-z_]+`\]?(?:, )?)+) \|$/.exec(text) ?? []
      if (table === undefined || columns === undefined) return []
      return [[table, columns.replaceAll('`', '').split(', ').sort()]]
    })
    const read = CUSTOMS_TABLE_NAMES.map((table) => [
      table.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
      Object.values(tableCells(table))
        .map(({ column, needs }) => (needs === 'nothing' ? `[${column}]` : column))
        .sort(),
    ])
    expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(read))
  })
})
