/**
 * Cells that a spreadsheet would run as formulas are written with an apostrophe, which is removed when they are read.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readCsvTable, writeCsv } from '../../../src/reference/import/csv-table.ts'
import { describeImportFault, openFaultLog } from '../../../src/reference/import/import-fault.ts'

/** The rows of a file, including the header. */
function readBack(text: string): readonly (readonly string[])[] {
  const log = openFaultLog('file')
  const table = readCsvTable(new TextEncoder().encode(text), log)
  expect(log.faults().map(describeImportFault)).toEqual([])
  return [table!.header, ...table!.records]
}

describe('a cell', () => {
  test.each([
    ['=HYPERLINK("http://x","y")', `"'=HYPERLINK(""http://x"",""y"")"`],
    ['+1+cmd|calc', "'+1+cmd|calc"],
    ['-2+3', "'-2+3"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['\r=1', `"'\r=1"`],
    ['-5,00', `"'-5,00"`],
    ["'=1", "''=1"],
  ])('that is a formula is written with an apostrophe: %j', (cell, written) => {
    expect(writeCsv([['h'], [cell]])).toBe(`h\n${written}\n`)
    expect(readBack(writeCsv([['h'], [cell]]))).toEqual([['h'], [cell]])
  })

  test.each([
    '-5.00',
    '+12',
    '0.5',
    '=',
    '-',
    "it's",
    "'quoted'",
    'a=b',
    '',
  ])('that is not a formula is written unchanged: %j', (cell) => {
    expect(
      writeCsv([
        ['h', 'i'],
        [cell, 'x'],
      ]),
    ).toBe(`h,i\n${cell},x\n`)
  })

  test('may have an apostrophe that a spreadsheet has put before a number', () => {
    expect(readBack("h\n'-5.00\n")).toEqual([['h'], ['-5.00']])
  })
})

describe('a file', () => {
  const text = fc
    .array(fc.constantFrom(...`=+-@\t\r\n'",;.19aé `, "'=", '\r\n', '-5.00'), { maxLength: 6 })
    .map((parts) => parts.join(''))

  test('is read back unchanged, and no cell begins like a formula', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constant('x'), text, text), { maxLength: 5 }), (rows) => {
        const table = [['a;b;c', 'd\te', 'f'], ...rows]
        expect(readBack(writeCsv(table))).toEqual(table)
        const plain = rows.flat().map((cell) => writeCsv([['h'], [cell]]).replace(/^h\n"?|"?\n$/g, ''))
        for (const cell of plain) expect(cell).not.toMatch(/^[=+\-@\t\r](?!$|[\d.]+$)/)
      }),
      { numRuns: 1_000 },
    )
  })
})
