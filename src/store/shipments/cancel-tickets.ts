/** Tickets of cancellations, read from the rows of shipments and attempts. */
import { type RawBuilder, sql } from 'kysely'
import type { CancelTicket, Doubt, TicketParcel } from '../../core/shipments/cancellation.ts'
import type { RefusalCode } from '../../core/shipments/shipment.ts'
import { ageMs } from '../database/times.ts'
import type { ParcelRecords } from '../row-types/shipments.ts'

/** The columns of a shipment and its attempt that make a ticket. Attempt columns are null in rows without a lease. */
export type TicketRow = {
  carrier_code: string
  carrier_ref: string | null
  parcel_refs: string[] | null
  cancelled_refs: string[] | null
  carrier_order_ref: string | null
  /** When the shipment was booked, or else created. */
  booked_since: Date
  attempt_id: string | null
  parcel_records: ParcelRecords | null
  fence: number | null
  sends: number | null
  age_ms: number | null
  doubt_code: RefusalCode | null
  doubt_reason: string | null
  doubt_carrier_code: string | null
  doubt_age_ms: number | null
  is_part_alerted: boolean | null
  /** Only of claimed attempts. */
  trace_parent?: string | null
}

/** The columns of an attempt in a `TicketRow`, for SELECT and RETURNING. `attempt` is the name of the table or CTE. */
export function ticketColumns(attempt: string): RawBuilder<unknown> {
  const column = (name: string) => sql.ref(`${attempt}.${name}`)
  return sql`${column('attempt_id')}, ${column('fence')}, ${column('sends')}, ${ageMs(`${attempt}.begun_at`)} AS age_ms,
    ${column('doubt_code')}, ${column('doubt_reason')}, ${column('doubt_carrier_code')},
    ${ageMs(`${attempt}.doubted_at`)} AS doubt_age_ms, ${column('parcels')} AS parcel_records,
    ${column('partly_alerted_at')} IS NOT NULL AS is_part_alerted`
}

/** Undefined for rows without a lease. */
export function ticketOf(accountId: string, shipmentId: string, row: TicketRow): CancelTicket | undefined {
  const { attempt_id: attemptId, carrier_code: carrierCode, carrier_ref: carrierRef, fence, sends } = row
  if (attemptId === null || carrierRef === null || fence === null || sends === null) return undefined
  const ageMs = Math.max(0, row.age_ms ?? 0)
  const doubt = doubtOf(row)
  return {
    attemptId,
    shipmentId,
    accountId,
    carrierCode,
    carrierRef,
    fence,
    sends,
    ageMs,
    bookedAt: row.booked_since.toISOString(),
    ...(row.carrier_order_ref !== null && { orderRef: row.carrier_order_ref }),
    ...(doubt !== undefined && { doubt }),
    ...(row.parcel_refs !== null && {
      parcels: row.parcel_refs.map((number) => parcelOf(row, number, doubt)),
    }),
    ...(row.is_part_alerted === true && { isPartAlerted: true }),
    ...(row.trace_parent != null && { traceParent: row.trace_parent }),
  }
}

/** An older version records a doubt about the shipment. It has asked for the first parcel only. */
function parcelOf(
  { carrier_ref, cancelled_refs, parcel_records, age_ms }: TicketRow,
  carrierRef: string,
  shipmentDoubt: Doubt | undefined,
): TicketParcel {
  const {
    refusal,
    doubt,
    doubtedAtAgeMs = 0,
    unsent = 0,
    isLater = false,
    isFound = false,
  } = parcel_records?.[carrierRef] ?? {}
  const inDoubt =
    doubt === undefined
      ? carrierRef === carrier_ref
        ? shipmentDoubt
        : undefined
      : { refusal: doubt, ageMs: Math.max(0, (age_ms ?? 0) - doubtedAtAgeMs) }
  return {
    carrierRef,
    isCancelled: cancelled_refs?.includes(carrierRef) ?? false,
    unsent,
    ...(isLater && { isLater }),
    ...(isFound && { isFound }),
    ...(refusal !== undefined && { refusal }),
    ...(inDoubt !== undefined && { doubt: inDoubt }),
  }
}

function doubtOf(row: TicketRow): Doubt | undefined {
  const { doubt_code: reason, doubt_reason: message, doubt_carrier_code: code, doubt_age_ms: ageMs } = row
  if (reason === null || message === null || code === null) return undefined
  return { refusal: { kind: 'refused', reason, code, message }, ageMs: Math.max(0, ageMs ?? 0) }
}
