/** Both sides of every shipment as they stand at the end: the database's rows and the carrier's journal, side by side. */
import type { Asked } from './callers.ts'
import type { CampaignDatabase } from './database.ts'
import type { CarrierBooking, CarrierJournal, CarrierParcel } from './processes/carrier-truth.ts'

/** A shipment's row. */
export type ShipmentRow = {
  readonly shipment_id: string
  readonly state: 'draft' | 'booked' | 'in_transit' | 'cancelled'
  readonly carrier_ref: string | null
  readonly version: number
  readonly booking_until: Date | null
  readonly cancelled_at: Date | null
  readonly cancelled_by: string | null
}

/** An attempt's row, as JSON. */
export type AttemptRow = {
  readonly attempt_id: string
  readonly shipment_id: string
  readonly phase: 'pending' | 'accepted' | 'refused'
  readonly fence: number
  readonly sends: number
  readonly begun_at: string
  readonly settled_at: string | null
  readonly verify_at: string | null
  readonly reason: string | null
  readonly last_cause: string | null
  readonly anomaly: string | null
}

/** An event's row, as JSON. */
export type EventRow = {
  readonly shipment_id: string
  readonly at: string
  readonly from_state: string | null
  readonly to_state: string
  readonly attempt_id: string | null
}

/** All there is to know about one shipment. */
export type ShipmentRecord = {
  readonly asked: Asked
  readonly row: ShipmentRow | undefined
  readonly attempts: readonly AttemptRow[]
  readonly events: readonly EventRow[]
  /** Its parcel at the carrier: the announced one, or the one that was booked under its id. */
  readonly parcel: CarrierParcel | undefined
  readonly booking: CarrierBooking | undefined
}

type WholeRow = ShipmentRow & { readonly attempts: AttemptRow[] | null; readonly events: EventRow[] | null }

const WHOLE = `SELECT s.*,
  (SELECT json_agg(c ORDER BY c.begun_at) FROM cancel_attempt c WHERE c.shipment_id = s.shipment_id) AS attempts,
  (SELECT json_agg(e ORDER BY e.event_id) FROM shipment_event e WHERE e.shipment_id = s.shipment_id) AS events
  FROM shipment s WHERE s.shipment_id = any($1::text[])`

const PAGE = 1_000

/** Reads both sides. */
export async function readRecords(
  database: CampaignDatabase,
  journal: CarrierJournal,
  asked: readonly Asked[],
): Promise<ShipmentRecord[]> {
  const parcels = new Map(journal.parcels.map((parcel) => [parcel.number, parcel]))
  const bookings = new Map(journal.bookings.map((booking) => [booking.key, booking]))
  const records: ShipmentRecord[] = []
  for (let start = 0; start < asked.length; start += PAGE) {
    const page = asked.slice(start, start + PAGE)
    const ids = page.map(({ plan }) => plan.shipmentId)
    // One statement, since replicas still look parcels up: a row and its events have to be of one moment.
    const rows = await database.query<WholeRow>(WHOLE, [ids])
    const rowOf = new Map(rows.map((row) => [row.shipment_id, row]))
    for (const one of page) {
      const { shipmentId, parcel } = one.plan
      const booking = bookings.get(shipmentId)
      const row = rowOf.get(shipmentId)
      records.push({
        asked: one,
        row,
        attempts: row?.attempts ?? [],
        events: row?.events ?? [],
        parcel: parcels.get(parcel?.number ?? booking?.number ?? ''),
        booking,
      })
    }
  }
  return records
}

/** A shipment's history from both sides, line by line, for people. */
export function historyOf({ asked, row, attempts, events, parcel, booking }: ShipmentRecord): string[] {
  const { shipmentId, accountId, kind, callers } = asked.plan
  const time = (at: Date | string | number | null): string =>
    at === null ? '-' : new Date(at).toISOString().slice(11, 23)
  const lines = [
    `${shipmentId} of ${accountId}, ${kind}; ${callers.length} callers, ${asked.unanswered.size} without an answer`,
    row === undefined
      ? 'here: no such row'
      : `here: ${row.state}, version ${row.version}, reference ${row.carrier_ref}, booking until ${time(row.booking_until)}`,
    parcel === undefined
      ? 'carrier: no such parcel'
      : `carrier: ${parcel.number} is ${parcel.state}, ${parcel.fate}`,
    ...(booking === undefined ? [] : [`carrier: booked as ${booking.number}, asked ${booking.calls} times`]),
  ]
  const dated = [
    ...events.map(({ at, from_state, to_state, attempt_id }) => ({
      at: Date.parse(at),
      line: `here     ${from_state} -> ${to_state}${attempt_id === null ? '' : ` by ${attempt_id}`}`,
    })),
    ...attempts.map((attempt) => ({
      at: Date.parse(attempt.begun_at),
      line: `here     attempt ${attempt.attempt_id} ${attempt.phase}, sends ${attempt.sends}, fence ${attempt.fence}, \
settled ${time(attempt.settled_at)}, verify ${time(attempt.verify_at)}, ${attempt.reason ?? attempt.last_cause ?? ''}\
${attempt.anomaly === null ? '' : `, anomaly: ${attempt.anomaly}`}`,
    })),
    ...(parcel?.journal ?? []).map(({ at, what, key, fault, reply }) => ({
      at,
      line: ['carrier ', what, key, fault && `(${fault})`, reply]
        .filter((part) => part !== undefined)
        .join(' '),
    })),
    ...asked.told.map(({ at, caller, kind: told, detail, origin }) => ({
      at,
      line: `caller ${caller} (${plannedCaller(asked, caller)}) was told ${told} ${detail ?? ''} by ${origin}`,
    })),
  ]
  dated.sort((a, b) => a.at - b.at)
  return [...lines, ...dated.map(({ at, line }) => `${time(at)} ${line}`)]
}

function plannedCaller({ plan }: Asked, index: number): string {
  const caller = plan.callers[index]
  if (caller === undefined) return 'nobody'
  const whose = caller.accountId === plan.accountId ? 'owner' : 'stranger'
  const patience = caller.givesUpMs === undefined ? 'waits' : `gives up after ${caller.givesUpMs} ms`
  return `${whose}, ${caller.ask}, ${caller.door}, ${patience}`
}
