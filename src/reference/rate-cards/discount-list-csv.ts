/**
 * The file of the discounts of a contract, which `waybill contract set --discounts` reads and `contract export` writes.
 * See docs/rate-cards.md#discounts-by-zone-and-weight.
 */
import { type DiscountRow, FREIGHT } from '../../core/rating/contract.ts'
import { percentText } from '../../core/rating/explain/figure-text.ts'
import { ambiguousRows } from '../../core/rating/price-cell.ts'
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
import { hasNeeded, readTableFile, type WritableTableSpec, writeTable } from '../import/csv-rows.ts'
import type { FaultPlace, ImportFault } from '../import/import-fault.ts'
import { atMost, figureText, MAX_DISCOUNT_ROWS } from '../import/import-limits.ts'
import { onlySheet, type TableFile } from '../import/table-file.ts'
import type { Workbook } from '../import/workbook-sheet.ts'

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

export type DiscountReading = {
  /** Undefined when there are faults. */
  readonly rows: readonly DiscountRow[] | undefined
  readonly faults: readonly ImportFault[]
  readonly warnings: readonly ImportFault[]
  /** The place in the file of a row of `rows`, or of one of its fields. */
  locate(index: number, field?: string): FaultPlace
}

/** The sheet of a workbook that has discounts. Throws ImportRefusal if it cannot be told which sheet is meant. */
export function discountSheet(workbook: Workbook): TableFile {
  return onlySheet(workbook, 'change_pct', { isHeader: (names) => hasNeeded(DISCOUNTS, names) })
}

/** Does not throw: problems of the file are faults. */
export function readDiscountList(file: TableFile): DiscountReading {
  const { rows, log, placeOf } = readTableFile(DISCOUNTS, file)
  if (rows.length > MAX_DISCOUNT_ROWS)
    log.fault(undefined, undefined, atMost(MAX_DISCOUNT_ROWS, 'rows'), figureText(rows.length))
  else
    for (const [second, first] of ambiguousRows(rows, ({ appliesTo, turnoverCents }) =>
      JSON.stringify([appliesTo, turnoverCents]),
    ))
      log.fault(
        placeOf(second).row,
        undefined,
        `one discount for each zone, weight and turnover; row ${placeOf(first).row} has one of these`,
      )
  rows.forEach(({ bps }, index) => {
    if (bps !== 0 && Math.abs(bps) < 100)
      log.warn(placeOf(index).row, 'change_pct', 'a percentage: -5 is 5% off', percentText(bps))
  })
  const faults = log.faults()
  return {
    rows: faults.length > 0 ? undefined : rows,
    faults,
    warnings: log.warnings(),
    locate: (index, field) => placeOf(index, field),
  }
}

export function writeDiscountList(rows: readonly DiscountRow[]): string {
  return writeTable(DISCOUNTS, rows)
}
