/** Reads the file of `waybill fuel import`, which has the columns of fuel.csv. See docs/rate-cards.md#fuel. */
import type { FuelRate } from '../../core/rating/rate-card.ts'
import { readTable } from '../import/csv-rows.ts'
import type { FaultPlace, ImportFault } from '../import/import-fault.ts'
import { atMost, figureText, MAX_FUEL_ROWS } from '../import/import-limits.ts'
import { FUEL } from './rate-card-files.ts'

export type FuelListReading = {
  /** Undefined when there are faults. */
  readonly rows: readonly FuelRate[] | undefined
  readonly faults: readonly ImportFault[]
  readonly warnings: readonly ImportFault[]
  /** The place in the file of a row of `rows`, or of one of its fields. */
  locate(index: number, field?: string): FaultPlace
}

/** Does not throw: problems of the file are faults. */
export function readFuelList(file: string, bytes: Uint8Array): FuelListReading {
  const seen = new Set<string>()
  const { rows, log, placeOf } = readTable(
    {
      ...FUEL,
      file,
      required: true,
      build(rate, report) {
        const key = `${rate.carrierCode} ${rate.code} from ${rate.validFrom}`
        if (seen.has(key)) return report('valid_from', 'one percentage for each carrier, code and day', key)
        seen.add(key)
        return rate
      },
    },
    bytes,
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
