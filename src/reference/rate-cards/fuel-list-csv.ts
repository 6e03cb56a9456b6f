/** Reads the file of `waybill fuel import`, which has the columns of fuel.csv. See docs/fuel.md#enter-figures. */
import type { FuelRate } from '../../core/rating/rate-card.ts'
import { hasNeeded, readTableFile } from '../import/csv-rows.ts'
import type { FaultPlace, ImportFault } from '../import/import-fault.ts'
import { atMost, figureText, MAX_FUEL_ROWS } from '../import/import-limits.ts'
import { onlySheet, type TableFile } from '../import/table-file.ts'
import type { Workbook } from '../import/workbook-sheet.ts'
import { FUEL } from './rate-card-files.ts'

export type FuelListReading = {
  /** Undefined when there are faults. */
  readonly rows: readonly FuelRate[] | undefined
  readonly faults: readonly ImportFault[]
  readonly warnings: readonly ImportFault[]
  /** The place in the file of a row of `rows`, or of one of its fields. */
  locate(index: number, field?: string): FaultPlace
}

/** The sheet of a workbook that is a fuel list. Throws ImportRefusal if it cannot be told which sheet is meant. */
export function fuelSheet(workbook: Workbook): TableFile {
  return onlySheet(workbook, 'carrier_code, code, valid_from and rate_pct', {
    isHeader: (names) => hasNeeded(FUEL, names),
  })
}

/** Does not throw: problems of the file are faults. */
export function readFuelList(file: TableFile): FuelListReading {
  const seen = new Set<string>()
  const { rows, log, placeOf } = readTableFile(
    {
      ...FUEL,
      required: true,
      build(raw, report) {
        const rate = FUEL.build(raw, report)
        if (rate === undefined) return undefined
        const key = `${rate.carrierCode} ${rate.code} from ${rate.validFrom}`
        if (seen.has(key)) return report('valid_from', 'one percentage for each carrier, code and day', key)
        seen.add(key)
        return rate
      },
    },
    file,
  )
  if (rows.length > MAX_FUEL_ROWS)
    log.fault(undefined, undefined, atMost(MAX_FUEL_ROWS, 'rows'), figureText(rows.length))
  const faults = log.faults()
  return {
    rows: faults.length > 0 ? undefined : rows,
    faults,
    warnings: log.warnings(),
    locate: (index, field) => placeOf(index, field),
  }
}
