/** Reads a file whose rows are for zones and weights: the discounts of a contract, or margins. */
import { percentText } from '../../core/rating/explain/figure-text.ts'
import { ambiguousRows, type PriceCell } from '../../core/rating/price-cell.ts'
import { readTableFile, type TableSpec } from '../import/csv-rows.ts'
import type { FaultPlace, ImportFault } from '../import/import-fault.ts'
import { atMost, figureText } from '../import/import-limits.ts'
import type { TableFile } from '../import/table-file.ts'

export type CellList<Raw, Row> = {
  readonly spec: TableSpec<Raw, Row>
  /** The most rows. */
  readonly most: number
  /** Rows of one scope must not have a zone and a weight in common. */
  scopeOf(row: Row): readonly unknown[]
  /** What there is one of, such as "one margin for each zone and weight". */
  readonly unique: string
  /** The percentage of a row, and its column. Undefined if the row has none. A fraction of 1% is probably a mistake. */
  readonly percentage: {
    readonly column: string
    readonly example: string
    bpsOf(row: Row): number | undefined
  }
}

export type CellListReading<Row> = {
  /** Undefined when there are faults. */
  readonly rows: readonly Row[] | undefined
  readonly faults: readonly ImportFault[]
  readonly warnings: readonly ImportFault[]
  /** The place in the file of a row of `rows`, or of one of its fields. */
  locate(index: number, field?: string): FaultPlace
}

/** Does not throw: problems of the file are faults. */
export function readCellList<Raw, Row extends PriceCell>(
  { spec, most, scopeOf, unique, percentage }: CellList<Raw, Row>,
  file: TableFile,
): CellListReading<Row> {
  const { rows, log, placeOf } = readTableFile(spec, file)
  if (rows.length > most) log.fault(undefined, undefined, atMost(most, 'rows'), figureText(rows.length))
  else
    for (const [second, first] of ambiguousRows(rows, (row) => JSON.stringify(scopeOf(row))))
      log.fault(placeOf(second).row, undefined, `${unique}; row ${placeOf(first).row} has one of these`)
  rows.forEach((row, index) => {
    const bps = percentage.bpsOf(row) ?? 0
    if (bps !== 0 && Math.abs(bps) < 100)
      log.warn(placeOf(index).row, percentage.column, `a percentage: ${percentage.example}`, percentText(bps))
  })
  const faults = log.faults()
  return {
    rows: faults.length > 0 ? undefined : rows,
    faults,
    warnings: log.warnings(),
    locate: (index, field) => placeOf(index, field),
  }
}
