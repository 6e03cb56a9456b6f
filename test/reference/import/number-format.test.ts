/** Percentages, days and times of workbooks, which are numbers that only the format of their cell explains. */
import { describe, expect, test } from 'vitest'
import writeExcelFile from 'write-excel-file/node'
import { percent } from '../../../src/reference/import/csv-cells.ts'
import { readWorkbook } from '../../../src/reference/import/workbook-sheet.ts'

async function shown(value: number, format: string): Promise<string> {
  const bytes = await writeExcelFile([[{ value, type: Number, format }]]).toBuffer()
  return readWorkbook(bytes).sheets[0]!.rows[0]!.cells[0]!
}

describe('a number of a workbook', () => {
  test.each([
    [0.13, '0%', '13%'],
    [0.1025, '0.00%', '10.25%'],
    [0.07, '0.0\\ %', '7%'],
    [46_388, 'yyyy-mm-dd', '2027-01-01'],
    [46_388, '[$-407]d. mmmm yyyy', '2027-01-01'],
    [46_388.5, 'dd/mm/yy hh:mm', '2027-01-01'],
    [17 / 24, 'hh:mm', '17:00'],
    [0.5, 'h:mm AM/PM', '12:00'],
    [13, '0.00', '13'],
    [13.5, '#,##0.00 "Dollar (USD)"', '13.5'],
    [13.5, '[Red]#,##0.00', '13.5'],
    [13.5, 'General', '13.5'],
    [1350, '_-* #,##0.00 _D_M_-', '1350'],
  ])('%d with the format %s is %s', async (value, format, text) => {
    expect(await shown(value, format)).toBe(text)
  })
})

test('a percentage may end with its sign', () => {
  expect(percent('rate_pct').parse('13%')).toBe(1300)
  expect(percent('rate_pct').parse('10.25 %')).toBe(1025)
  expect(percent('rate_pct').parse('13%%')).toBeUndefined()
})
