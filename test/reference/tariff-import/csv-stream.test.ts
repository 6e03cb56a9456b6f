/** CSV files are imported row by row: memory holds the rows of the tables, and not the rows of the file. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { readCustomsFile } from '../../../src/reference/tariff-import/formats.ts'
import { faultsOf, readFile } from './read-fixture.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const HEADER =
  'commodity code,duty,measure type id,start date,end date,origin code,trade direction,regulation'

/** A list of duties on exports, which are left out. */
function exportDuties(rows: number): Buffer {
  const lines = Array.from(
    { length: rows },
    (_, row) => `${1_000_000_000 + row},${row % 90}%,103,2021-01-01,2021-12-31,1011,export,regulation ${row}`,
  )
  return Buffer.from([HEADER, ...lines].join('\n'))
}

/** Bytes that are used at the end of the reading, beyond those of the file. */
function bytesKept(rows: number): number {
  const file = exportDuties(rows)
  const used = (): number => {
    collectGarbage()
    return process.memoryUsage().heapUsed
  }
  const before = used()
  let after = 0
  const read = readCustomsFile('uk-csv', 'file', file, { dataSet: 'set' }, (count) => {
    if (count === rows) after = used()
  })
  expect(read.counts).toMatchObject({ rowsRead: rows, rowsUsed: 0 })
  return after - before
}

describe('a CSV file', () => {
  test('does not stay in memory as cells', () => {
    bytesKept(1_000)
    // The cells of the rows alone would take more than 300 bytes each.
    expect(bytesKept(40_000)).toBeLessThan(4_000_000)
  })

  test('has the faults of the rows before the one that ends the reading, with lines and columns', () => {
    const file = `${HEADER}\n6109100000,5%,103,2021-01-01,,1011,,\nABC,5%,103,2021-01-01,,1011,,\n6109100010,"5%`
    expect(faultsOf(readFile('uk-csv', file))).toEqual([
      'file, row 3, column commodity code: expected a goods code of 2 to 10 digits, found "ABC"',
      'file, row 4: expected a closing quote',
    ])
  })
})
