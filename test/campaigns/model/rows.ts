/** Converts the model to database rows, and compares both. */
import { isDeepStrictEqual } from 'node:util'
import {
  COMMON,
  isScheduled,
  type Model,
  type ModelAttempt,
  type ModelReport,
  type ModelScan,
  type ModelShipment,
  shipmentOf,
} from './state.ts'

export type Row = Record<string, unknown>

/** The database differs from the model. */
export class Mismatch extends Error {
  constructor(what: string, expected: unknown, found: unknown) {
    super(`${what}\n  expected ${JSON.stringify(expected)}\n  found    ${JSON.stringify(found)}`)
  }
}

export function expectSame(what: string, found: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(found, expected)) throw new Mismatch(what, expected, found)
}

/** Complete rows of a model's initial state. */
export function initialRows(model: Model): Readonly<Record<string, readonly Row[]>> {
  return {
    shipment: model.shipments.map(newShipmentRow),
    cancel_attempt: model.attempts.map(attemptRow),
    shipment_event: eventRows(model),
    carrier_scan: model.scans.map(scanRow),
    lookup_report: model.reports.map(reportRow),
  }
}

/** Columns that no command changes. */
const UNTOUCHED = {
  product_id: COMMON.productId,
  from_country: COMMON.from.country,
  from_zipcode: COMMON.from.zipcode,
  from_city: null,
  to_country: COMMON.to.country,
  to_zipcode: null,
  to_city: COMMON.to.city,
  parcel_type: 'NONDOC',
  parcels: [],
  recipient: 'business',
  insured_value_cents: null,
  price_cents: COMMON.priceCents,
  tariff_version: 'model@1',
  carrier_order_ref: null,
  reference: null,
  content_items: null,
  contacts: null,
  // Rows of a database without recovery points: no draft is suspect. See test/store/shipments/suspect-drafts.test.ts.
  lineage: null,
  services: [],
  service_inputs: null,
  erased_at: null,
  // Set by the database.
  parcel_rows: 0,
  item_count: 0,
  quantity_count: 0,
  content_bytes: 2,
}

/**
 * Throws a Mismatch unless the rows equal the model. An attempt whose id the model has not read is found by
 * its shipment.
 */
export function compareRows(model: Model, rows: Readonly<Record<string, readonly Row[]>>): void {
  const {
    shipment = [],
    cancel_attempt = [],
    shipment_event = [],
    carrier_scan = [],
    lookup_report = [],
    lookup_schedule = [],
    scan_anomaly = [],
  } = rows
  for (const attempt of model.attempts.filter(({ id }) => id === ''))
    attempt.id = String(
      cancel_attempt.find(
        (row) =>
          row['shipment_id'] === attempt.shipmentId &&
          !model.attempts.some(({ id }) => id === row['attempt_id']),
      )?.['attempt_id'] ?? '',
    )
  // The schedule has the time of the next lookup.
  const untouched = new Set([...Object.keys(UNTOUCHED), 'next_track_at'])
  const changing = (row: Row): Row =>
    Object.fromEntries(Object.entries(row).filter(([column]) => !untouched.has(column)))
  sameRows('shipments', shipment.map(changing), model.shipments.map(shipmentRow))
  sameRows('attempts', cancel_attempt, model.attempts.map(attemptRow))
  sameRows('the schedule', lookup_schedule, scheduleRows(model))
  sameRows('scan anomalies', scan_anomaly, anomalyRows(model))
  sameRows('reports', lookup_report, model.reports.map(reportRow))
  sameRows('scans', carrier_scan, model.scans.map(scanRow))
  // Events are ordered per shipment only.
  const events = shipment_event.map(({ event_id: _generated, ...row }) => row)
  for (const { id } of model.shipments)
    expectSame(
      `events of ${id}`,
      readable(events.filter((row) => row['shipment_id'] === id)),
      readable(eventRows(model).filter((row) => row['shipment_id'] === id)),
    )
}

function sameRows(what: string, found: readonly Row[], expected: readonly Row[]): void {
  const [left, right] = [new Set(readable(found)), new Set(readable(expected))]
  const missing = [...right].filter((row) => !left.has(row))
  const odd = [...left].filter((row) => !right.has(row))
  if (missing.length + odd.length > 0) throw new Mismatch(`rows of ${what} differ`, missing, odd)
}

/** Rows as comparable texts: sorted columns and keys, instants in milliseconds. */
function readable(rows: readonly Row[]): string[] {
  return rows.map((row) =>
    JSON.stringify(row, (key, value: unknown) => (isInstant(key) ? instant(value) : withSortedKeys(value))),
  )
}

function withSortedKeys(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}

function isInstant(column: string): boolean {
  return column === 'at' || column === 'since' || column.endsWith('_at') || column.endsWith('_until')
}

function instant(value: unknown): number | null {
  return value === null || value === undefined ? null : new Date(value as string).getTime()
}

function iso(milliseconds: number | null): string | null {
  return milliseconds === null ? null : new Date(milliseconds).toISOString()
}

function shipmentRow(shipment: ModelShipment): Row {
  return {
    shipment_id: shipment.id,
    account_id: shipment.accountId,
    state: shipment.state,
    carrier_code: shipment.carrierCode,
    carrier_ref: shipment.carrierRef,
    parcel_refs: shipment.parcelRefs,
    cancelled_refs: shipment.cancelledRefs,
    created_at: iso(shipment.createdAt),
    booked_at: iso(shipment.bookedAt),
    cancelled_at: iso(shipment.cancelledAt),
    delivered_at: iso(shipment.deliveredAt),
    cancelled_by: shipment.cancelledBy,
    cancel_refused_at: iso(shipment.refusedAt),
    cancel_refusal: shipment.refusal,
    cancel_refusal_code: shipment.refusalCode,
    booking_until: iso(shipment.bookingUntil),
    booking_tries: shipment.bookingTries,
    booking_no: shipment.bookingNo,
    cancel_requested_at: iso(shipment.wantedAt),
    updated_at: iso(shipment.updatedAt),
    version: shipment.version,
  }
}

/** Columns that a model's initial rows have in addition. Triggers copy `next_track_at` to the schedule. */
function newShipmentRow(shipment: ModelShipment): Row {
  return { ...UNTOUCHED, ...shipmentRow(shipment), next_track_at: iso(shipment.nextTrackAt) }
}

function scheduleRows({ shipments }: Model): Row[] {
  return shipments.filter(isScheduled).map((shipment) => ({
    account_id: shipment.accountId,
    shipment_id: shipment.id,
    carrier_code: shipment.carrierCode,
    due_at: iso(shipment.nextTrackAt),
    in_transit: shipment.state === 'in_transit',
    since: iso(shipment.scheduledAt),
  }))
}

function anomalyRows({ shipments, anomalies }: Model): Row[] {
  return shipments.flatMap((shipment) => {
    const at = anomalies.get(shipment.id)
    if (at === undefined) return []
    const { accountId: account_id, id: shipment_id, carrierCode: carrier_code } = shipment
    return { account_id, shipment_id, carrier_code, at: iso(at) }
  })
}

function attemptRow(attempt: ModelAttempt): Row {
  return {
    attempt_id: attempt.id,
    shipment_id: attempt.shipmentId,
    account_id: attempt.accountId,
    carrier_code: attempt.carrierCode,
    phase: attempt.phase,
    fence: attempt.fence,
    sends: attempt.sends,
    begun_at: iso(attempt.begunAt),
    lease_owner: attempt.owner,
    lease_until: iso(attempt.leaseUntil),
    next_try_at: iso(attempt.nextTryAt),
    verify_at: iso(attempt.verifyAt),
    settled_at: iso(attempt.settledAt),
    reason: attempt.reason,
    refusal_code: attempt.refusalCode,
    carrier_refusal_code: attempt.carrierRefusalCode,
    last_cause: attempt.lastCause,
    lookups: attempt.lookups,
    alerted_at: iso(attempt.alertedAt),
    partly_alerted_at: iso(attempt.partlyAlertedAt),
    // The campaign runs without traces.
    trace_parent: null,
    promised: attempt.promised,
    doubt_code: attempt.doubt?.refusal.reason ?? null,
    doubt_reason: attempt.doubt?.refusal.message ?? null,
    doubt_carrier_code: attempt.doubt?.refusal.code ?? null,
    doubted_at: iso(attempt.doubt?.at ?? null),
    parcels: parcelRecords(attempt),
    anomaly: attempt.anomaly,
    // No sequence has an operator.
    ...{ operator: null, operator_outcome: null, operator_reason: null, operator_at: null },
  }
}

function parcelRecords({ begunAt, parcels }: ModelAttempt): Row | null {
  if (parcels === null) return null
  return Object.fromEntries(
    Object.entries(parcels).map(([number, { doubt, ...record }]) => [
      number,
      {
        ...record,
        ...(doubt !== undefined && { doubt: doubt.refusal, doubtedAtAgeMs: doubt.at - begunAt }),
      },
    ]),
  )
}

function eventRows(model: Model): Row[] {
  return model.events.map(({ shipmentId, at, from, to, attempt }) => ({
    account_id: shipmentOf(model, shipmentId).accountId,
    shipment_id: shipmentId,
    at: iso(at),
    from_state: from,
    to_state: to,
    attempt_id: attempt?.id ?? null,
  }))
}

function scanRow(scan: ModelScan): Row {
  return {
    carrier_code: scan.carrierCode,
    event_id: scan.eventId,
    carrier_ref: scan.carrierRef,
    occurred_at: iso(scan.occurredAt),
    received_at: iso(scan.receivedAt),
    account_id: scan.accountId,
    receipts: scan.receipts,
    shipment_id: scan.shipmentId,
    is_delivery: scan.isDelivery,
  }
}

function reportRow(report: ModelReport): Row {
  return {
    shipment_id: report.id,
    account_id: report.accountId,
    carrier_code: report.carrierCode,
    reported: report.reported,
    reported_at: iso(report.reportedAt),
    carrier_ref: report.carrierRef,
    verify_at: iso(report.verifyAt),
    lookups: report.lookups,
    contradiction: report.contradiction,
    contradicted_at: iso(report.contradictedAt),
  }
}
