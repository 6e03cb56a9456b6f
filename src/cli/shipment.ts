/**
 * `waybill shipment import`: registers shipments that were booked in another system, so that partners can cancel them.
 * See docs/shipment-import.md.
 */
import path from 'node:path'
import type { Command } from 'commander'
import { trackingNumberFault } from '../carriers/registry.ts'
import { openFaultLog } from '../reference/import/import-fault.ts'
import { readImportFile } from '../reference/import/import-limits.ts'
import { type ImportedShipment, readShipments, type ShipmentsReading } from '../reference/shipments-csv.ts'
import { readConnectorNames } from '../store/shipments/audit.ts'
import { importShipments, type ShipmentImport } from '../store/shipments/shipment-import.ts'
import { applyAllUnmatchedScans } from '../store/shipments/tracking.ts'
import type { WithDatabase } from './terminal/database.ts'
import { ImportFaults, refuseOnError, reportFaults, warningLines } from './terminal/errors.ts'
import { announce, counted, type Output, print, withProgress } from './terminal/output.ts'

/** Adds `import` to `waybill shipment`. */
export function shipmentCommands(shipment: Command, withDatabase: WithDatabase, output: Output): void {
  shipment
    .command('import')
    .description('register the shipments of a CSV file; shipments that are already registered do not change')
    .argument(
      '<file>',
      'a CSV file with the columns shipment_id, account, carrier, carrier_ref, … (see docs/shipment-import.md)',
    )
    .option('--json', 'print JSON')
    .action((file: string, { json }: { json?: boolean }) =>
      reportFaults(
        output,
        json,
        () => importFile(file, json, withDatabase, output),
        '; nothing was written',
        'the file has',
      ),
    )
}

async function importFile(
  location: string,
  json: boolean | undefined,
  withDatabase: WithDatabase,
  output: Output,
): Promise<void> {
  announce(output, json, `Reading ${location}`)
  const file = path.basename(location)
  const bytes = refuseOnError(() => readImportFile(location))
  const reading = readShipments(file, bytes)
  const { rows, faults, warnings } = reading
  if (rows === undefined) throw new ImportFaults(faults, warnings)
  const done = await withDatabase(async ({ db }) => {
    refuseNumbers(file, reading, rows, await readConnectorNames(db))
    const imported = await withProgress(output, json, 'Registering', (onProgress) =>
      importShipments(db, rows, onProgress),
    )
    // Carriers may have reported scans of these parcels before they were registered.
    await applyAllUnmatchedScans(db)
    return imported
  })
  refuseFindings(file, done, reading)
  const { registered, alreadyThere } = done
  if (json === true) output.line(JSON.stringify({ registered, alreadyThere, warnings }))
  else for (const line of warningLines(warnings)) output.error(line)
  print(output, json, resultLines(done, rows))
}

/** Throws ImportFaults if a tracking number cannot be one of its carrier. */
function refuseNumbers(
  file: string,
  reading: ShipmentsReading,
  rows: readonly ImportedShipment[],
  connectors: ReadonlyMap<string, string>,
): void {
  const log = openFaultLog(file)
  for (const [index, { carrierCode, carrierRef, parcelRefs }] of rows.entries()) {
    const connector = connectors.get(carrierCode)
    if (connector === undefined || carrierRef === undefined) continue
    for (const number of parcelRefs ?? [carrierRef]) {
      const fault = trackingNumberFault(connector, number)
      if (fault === undefined) continue
      const { row, column } = reading.locate(index, number === carrierRef ? 'carrierRef' : 'parcelRefs')
      log.fault(row, column, `a tracking number of ${connector}, which ${fault}`, number)
    }
  }
  const faults = log.faults()
  if (faults.length > 0) throw new ImportFaults(faults, reading.warnings)
}

/** Throws ImportFaults with the places in the file if the database refused rows. */
function refuseFindings(file: string, { findings }: ShipmentImport, reading: ShipmentsReading): void {
  if (findings.length === 0) return
  const log = openFaultLog(file)
  for (const { index, field, expected, found } of findings) {
    const { row, column } = reading.locate(index, field)
    log.fault(row, column, expected, found)
  }
  throw new ImportFaults(log.faults(), reading.warnings)
}

function resultLines(
  { registered, alreadyThere }: ShipmentImport,
  rows: readonly ImportedShipment[],
): string[] {
  const lines = [`Registered ${counted(registered, 'shipment')}.`]
  if (alreadyThere > 0)
    lines.push(`${alreadyThere} of ${rows.length} were already registered and did not change.`)
  return lines
}
