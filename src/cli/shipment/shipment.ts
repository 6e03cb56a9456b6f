/**
 * `waybill shipment …`: registers shipments that were booked in another system, so that partners can cancel them, and
 * adds tracking and order numbers that were missing. See docs/shipment-import.md.
 */
import path from 'node:path'
import type { Command } from 'commander'
import { type ConnectorTypes, orderRefFault, trackingNumberFault } from '../../carriers/registry.ts'
import { PARCELS_MAX } from '../../core/shipments/parcels.ts'
import { TRACKING_NUMBER_FORMAT } from '../../core/shipments/tracking.ts'
import { type ImportFault, openFaultLog } from '../../reference/import/import-fault.ts'
import { readImportFile } from '../../reference/import/import-limits.ts'
import { type ImportedShipment, readShipments, type ShipmentsReading } from '../../reference/shipments-csv.ts'
import { readConnectorNames } from '../../store/shipments/operators/audit.ts'
import {
  addNumbers,
  type NamedByOperator,
  type NumberedShipment,
  setOrderNumber,
} from '../../store/shipments/operators/corrections.ts'
import { importShipments, type ShipmentImport } from '../../store/shipments/operators/shipment-import.ts'
import { applyAllUnmatchedScans } from '../../store/shipments/tracking.ts'
import { configuredConnectors } from '../connectors.ts'
import { plainText } from '../terminal/arguments.ts'
import type { WithDatabase } from '../terminal/database.ts'
import { ImportFaults, Refusal, refuseOnError, reportFaults, warningLines } from '../terminal/errors.ts'
import { announce, counted, type Output, print, report, withProgress } from '../terminal/output.ts'
import { systemUser } from '../terminal/system-user.ts'

type CorrectionOptions = { readonly account?: string; readonly by?: string; readonly json?: boolean }

/** Adds `import`, `add-numbers` and `set-order-number` to `waybill shipment`. */
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
  shipment
    .command('add-numbers')
    .description('add tracking numbers of further parcels to a booked shipment')
    .argument('<shipment>', 'the id of the shipment')
    .argument('<number...>', 'the numbers that it lacks')
    .option('--account <account>', 'the account of the shipment, if several have one with this id')
    .option('--by <name>', 'who corrects it; default: the user of the operating system', plainText)
    .option('--json', 'print JSON')
    .action((shipmentId: string, numbers: readonly string[], options: CorrectionOptions) =>
      addMissing(shipmentId, numbers, options, withDatabase, output),
    )
  shipment
    .command('set-order-number')
    .description("set the number of the carrier's order of a booked shipment that lacks it")
    .argument('<shipment>', 'the id of the shipment')
    .argument('<number>', "the number of the carrier's order")
    .option('--account <account>', 'the account of the shipment, if several have one with this id')
    .option('--by <name>', 'who corrects it; default: the user of the operating system', plainText)
    .option('--json', 'print JSON')
    .action((shipmentId: string, orderRef: string, options: CorrectionOptions) =>
      setMissingOrder(shipmentId, orderRef, options, withDatabase, output),
    )
}

function namedBy(shipmentId: string, account: string | undefined): NamedByOperator {
  return { shipmentId, ...(account !== undefined && { accountId: account }) }
}

async function addMissing(
  shipmentId: string,
  numbers: readonly string[],
  { account, by = systemUser(), json }: CorrectionOptions,
  withDatabase: WithDatabase,
  output: Output,
): Promise<void> {
  const types = await configuredConnectors()
  const done = await withDatabase(async ({ db }) => {
    const connectors = await readConnectorNames(db)
    const corrector = { by, systemUser: systemUser() }
    const added = await addNumbers(db, namedBy(shipmentId, account), numbers, corrector, (shipment) =>
      additionFault(shipmentId, numbers, shipment, types, connectors),
    )
    // The carrier may have reported scans of these parcels.
    if (added.kind === 'Corrected') await applyAllUnmatchedScans(db)
    return added
  })
  if (done.kind === 'NotCorrected') throw new Refusal(`nothing was added: ${done.why}`)
  for (const other of done.sharedWith)
    output.error(`warning: the shipment ${other} of the same carrier has one of these numbers too`)
  const { numbers: all, sharedWith } = done
  report(output, json, { shipmentId, numbers: all, sharedWith }, [
    `${shipmentId} has the numbers ${all.join(' ')}.`,
  ])
}

/** Why the numbers cannot be added; undefined if they can. */
function additionFault(
  shipmentId: string,
  added: readonly string[],
  shipment: NumberedShipment | undefined,
  types: ConnectorTypes,
  connectors: ReadonlyMap<string, string>,
): string | undefined {
  if (shipment === undefined) return `there is no shipment ${shipmentId}`
  const { carrierCode, carrierRef, parcelRefs, cancelledRefs, state, hasOpenAttempt } = shipment
  if (state !== 'booked' || carrierRef === null) return `the shipment is ${state}, and must be booked`
  if (hasOpenAttempt) return 'an attempt to cancel the shipment is open'
  if (cancelledRefs !== null) return `the carrier has cancelled ${cancelledRefs.join(', ')}`
  const numbers = [...(parcelRefs ?? [carrierRef]), ...added]
  const repeated = numbers.find((number, index) => numbers.indexOf(number) !== index)
  if (repeated !== undefined) return `${repeated} would be a number of the shipment twice`
  if (numbers.length > PARCELS_MAX) return `a shipment has at most ${PARCELS_MAX} numbers`
  for (const number of added) {
    if (!TRACKING_NUMBER_FORMAT.test(number))
      return `"${number}" is no tracking number of at most 64 characters without spaces`
    const connector = connectors.get(carrierCode)
    const fault = trackingNumberFault(connector, number, types)
    if (fault !== undefined) return `a tracking number of ${connector} ${fault}: ${number}`
  }
  return undefined
}

async function setMissingOrder(
  shipmentId: string,
  orderRef: string,
  { account, by = systemUser(), json }: CorrectionOptions,
  withDatabase: WithDatabase,
  output: Output,
): Promise<void> {
  const types = await configuredConnectors()
  const done = await withDatabase(async ({ db }) => {
    const connectors = await readConnectorNames(db)
    const corrector = { by, systemUser: systemUser() }
    return setOrderNumber(db, namedBy(shipmentId, account), orderRef, corrector, (shipment) =>
      orderNumberFault(shipmentId, orderRef, shipment, types, connectors),
    )
  })
  if (done.kind === 'NotCorrected') throw new Refusal(`nothing was set: ${done.why}`)
  const { wasSet, sharedWith } = done
  for (const other of sharedWith)
    output.error(
      `warning: the shipment ${other} of the same carrier has this order number too, and is cancelled with the order`,
    )
  report(output, json, { shipmentId, orderNumber: orderRef, wasSet, sharedWith }, [
    `${shipmentId} ${wasSet ? 'already has' : 'has'} the order number ${orderRef}.`,
  ])
}

/**
 * Why the order number cannot be set; undefined if it can. An open attempt is no reason: without the number, nothing
 * was sent for it, and it continues with the number.
 */
function orderNumberFault(
  shipmentId: string,
  orderRef: string,
  shipment: NumberedShipment | undefined,
  types: ConnectorTypes,
  connectors: ReadonlyMap<string, string>,
): string | undefined {
  if (shipment === undefined) return `there is no shipment ${shipmentId}`
  const { carrierCode, state, hasOpenAttempt } = shipment
  if (shipment.orderRef !== null && shipment.orderRef !== orderRef)
    return `the shipment has the order number ${shipment.orderRef}`
  if (shipment.orderRef === null && state !== 'booked' && !hasOpenAttempt)
    return `the shipment is ${state}, and must be booked`
  if (!TRACKING_NUMBER_FORMAT.test(orderRef))
    return `"${orderRef}" is no order number of at most 64 characters without spaces`
  const connector = connectors.get(carrierCode)
  const fault = orderRefFault(types.get(connector ?? ''), orderRef)
  return fault === undefined ? undefined : `an order number of ${connector} ${fault}: ${orderRef}`
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
  const { rows, faults } = reading
  const warnings = [...reading.warnings]
  if (rows === undefined) throw new ImportFaults(faults, warnings)
  const types = await configuredConnectors()
  const done = await withDatabase(async ({ db }) => {
    const connectors = await readConnectorNames(db)
    refuseNumbers(file, reading, rows, connectors, types)
    warnings.push(...missingNumbers(file, reading, rows, connectors, types))
    const imported = await withProgress(output, json, 'Registering', (onProgress) =>
      importShipments(db, rows, onProgress),
    )
    // Carriers may have reported scans of these parcels before they were registered.
    await applyAllUnmatchedScans(db)
    return imported
  })
  refuseFindings(file, done, reading, warnings)
  const { registered, alreadyThere } = done
  if (json === true) output.line(JSON.stringify({ registered, alreadyThere, warnings }))
  else for (const line of warningLines(warnings)) output.error(line)
  print(output, json, resultLines(done, rows))
}

/** Throws ImportFaults if a tracking or order number cannot be one of its carrier. */
function refuseNumbers(
  file: string,
  reading: ShipmentsReading,
  rows: readonly ImportedShipment[],
  connectors: ReadonlyMap<string, string>,
  types: ConnectorTypes,
): void {
  const log = openFaultLog(file)
  for (const [index, { carrierCode, carrierRef, parcelRefs, orderRef }] of rows.entries()) {
    const connector = connectors.get(carrierCode)
    if (connector === undefined || carrierRef === undefined) continue
    const orderFault = orderRefFault(types.get(connector), orderRef)
    if (orderFault !== undefined) {
      const { row, column } = reading.locate(index, 'orderRef')
      log.fault(row, column, `an order number of ${connector}, which ${orderFault}`, orderRef ?? '')
    }
    for (const number of parcelRefs ?? [carrierRef]) {
      const fault = trackingNumberFault(connector, number, types)
      if (fault === undefined) continue
      const { row, column } = reading.locate(index, number === carrierRef ? 'carrierRef' : 'parcelRefs')
      log.fault(row, column, `a tracking number of ${connector}, which ${fault}`, number)
    }
  }
  const faults = log.faults()
  if (faults.length > 0) throw new ImportFaults(faults, reading.warnings)
}

/** A carrier that cancels each parcel would not be asked to cancel a parcel whose number is missing. */
function missingNumbers(
  file: string,
  reading: ShipmentsReading,
  rows: readonly ImportedShipment[],
  connectors: ReadonlyMap<string, string>,
  types: ConnectorTypes,
): readonly ImportFault[] {
  const log = openFaultLog(file)
  for (const [index, { carrierCode, carrierRef, parcelRefs, pieces }] of rows.entries()) {
    const connector = connectors.get(carrierCode)
    if (pieces === undefined || carrierRef === undefined) continue
    const type = types.get(connector ?? '')
    const numbers = parcelRefs?.length ?? 1
    if (type?.cancels !== 'parcel' || numbers === pieces) continue
    const { row, column } = reading.locate(index, 'pieces')
    const expected = `as many pieces as tracking numbers (${numbers}), because ${connector} cancels each parcel by its number`
    log.warn(row, column, expected, String(pieces))
  }
  return log.warnings()
}

/** Throws ImportFaults with the places in the file if the database refused rows. */
function refuseFindings(
  file: string,
  { findings }: ShipmentImport,
  reading: ShipmentsReading,
  warnings: readonly ImportFault[],
): void {
  if (findings.length === 0) return
  const log = openFaultLog(file)
  for (const { index, field, expected, found } of findings) {
    const { row, column } = reading.locate(index, field)
    log.fault(row, column, expected, found)
  }
  throw new ImportFaults(log.faults(), warnings)
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
