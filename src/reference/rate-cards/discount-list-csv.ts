/**
 * The file of the discounts of a contract, which `waybill contract set --discounts` reads and `contract export` writes.
 * See docs/rate-cards.md#discounts-by-zone-and-weight.
 */
import { type DiscountRow, FREIGHT } from '../../core/rating/contract.ts'
import {
  emptyOr,
  euros,
  kilograms,
  mayBeEmpty,
  optionalOr,
  signedPercent,
  text,
  zoneList,
} from '../import/csv-cells.ts'
import { hasNeeded, type WritableTableSpec, writeTable } from '../import/csv-rows.ts'
import { MAX_DISCOUNT_ROWS } from '../import/import-limits.ts'
import { onlySheet, type TableFile } from '../import/table-file.ts'
import type { Workbook } from '../import/workbook-sheet.ts'
import { type CellListReading, readCellList } from './cell-list.ts'

export const DISCOUNTS: WritableTableSpec<DiscountRow, DiscountRow> = {
  file: 'discounts.csv',
  required: true,
  fields: {
    // A missing column would make a discount wider, so all except the last but one are required.
    appliesTo: emptyOr(text('applies_to'), FREIGHT),
    zones: mayBeEmpty(zoneList('zones')),
    overGrams: emptyOr(kilograms('over_kg', 0), 0),
    upToGrams: mayBeEmpty(kilograms('up_to_kg')),
    turnoverCents: optionalOr(euros('turnover_from_eur'), 0),
    bps: signedPercent('change_pct', 'at least -100'),
  },
  build(row, report) {
    const { overGrams, upToGrams } = row
    return upToGrams !== undefined && upToGrams <= overGrams
      ? report('up_to_kg', 'a weight above over_kg')
      : row
  },
  rawOf: (row) => row,
}

export type DiscountReading = CellListReading<DiscountRow>

/** The sheet of a workbook that has discounts. Throws ImportRefusal if it cannot be told which sheet is meant. */
export function discountSheet(workbook: Workbook): TableFile {
  return onlySheet(workbook, 'change_pct', { isHeader: (names) => hasNeeded(DISCOUNTS, names) })
}

/** Does not throw: problems of the file are faults. */
export function readDiscountList(file: TableFile): DiscountReading {
  return readCellList(
    {
      spec: DISCOUNTS,
      most: MAX_DISCOUNT_ROWS,
      scopeOf: ({ appliesTo, turnoverCents }) => [appliesTo, turnoverCents],
      unique: 'one discount for each zone, weight and turnover',
      percentage: { column: 'change_pct', example: '-5 is 5% off', bpsOf: ({ bps }) => bps },
    },
    file,
  )
}

export function writeDiscountList(rows: readonly DiscountRow[]): string {
  return writeTable(DISCOUNTS, rows)
}
