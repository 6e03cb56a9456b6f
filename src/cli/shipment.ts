/**
 * `waybill shipment …`: shipments that were booked elsewhere become known here, so that partners can cancel them.
 */
import path from 'node:path'
import type { Command } from 'commander'
import { openFaultLog } from '../reference/import/import-fault.ts'
import { readImportFile } from '../reference/import/import-limits.ts'
import { type ImportedShipment, readShipments, type ShipmentsReading } from '../reference/shipments-csv.ts'
import { importShipments, type ShipmentImport } from '../store/shipments/shipment-import.ts'
import { applyAllUnmatchedScans } from '../store/shipments/tracking.ts'
import type { WithDatabase } from './terminal/database.ts'
import { CardFaults, reportingFaults, warningLines } from './terminal/faults.ts'
import { announce, counted, type Output, orRefusal, say, withProgress } from './terminal/output.ts'

/** Adds the command `import`. */
export function shipmentCommands(shipment: Command, withDatabase: WithDatabase, output: Output): void {
  shipment
    .command('import')
    .description('register shipments of a CSV file; those that are registered already stay as they are')
    .argument('<file>', 'a CSV file with the columns shipment_id, account, carrier, carrier_ref, … (README)')
    .option('--json', 'print JSON')
    .action((file: string, { json }: { json?: boolean }) =>
      reportingFaults(
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
  const reading = readShipments(
    file,
    orRefusal(() => readImportFile(location)),
  )
  const { rows, faults, warnings } = reading
  if (rows === undefined) throw new CardFaults(faults, warnings)
  const done = await withDatabase(async ({ db }) => {
    const imported = await withProgress(output, json, 'Registering', (onProgress) =>
      importShipments(db, rows, onProgress),
    )
    // Their carriers may have told of scans already.
    await applyAllUnmatchedScans(db)
    return imported
  })
  refuseFindings(file, done, reading)
  const { registered, alreadyThere } = done
  if (json === true) output.line(JSON.stringify({ registered, alreadyThere, warnings }))
  else for (const line of warningLines(warnings)) output.complaint(line)
  say(output, json, sentences(done, rows))
}

function refuseFindings(file: string, { findings }: ShipmentImport, reading: ShipmentsReading): void {
  if (findings.length === 0) return
  const log = openFaultLog(file)
  for (const { index, field, expected, found } of findings) {
    const { row, column } = reading.locate(index, field)
    log.fault(row, column, expected, found)
  }
  throw new CardFaults(log.faults(), reading.warnings)
}

function sentences(
  { registered, alreadyThere }: ShipmentImport,
  rows: readonly ImportedShipment[],
): string[] {
  const lines = [`Registered ${counted(registered, 'shipment')}.`]
  if (alreadyThere > 0)
    lines.push(`${alreadyThere} of ${rows.length} were registered already and stay as they are.`)
  return lines
}
