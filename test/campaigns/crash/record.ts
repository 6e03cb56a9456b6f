/** Reads the database's rows and the carrier's journal of every shipment, and prints both as one history. */
import type { CalledShipment } from './callers.ts'
import type { CampaignDatabase } from './database.ts'
import type { CarrierBooking, CarrierJournal, CarrierParcel } from './processes/carrier-truth.ts'

export type ShipmentRow = {
  readonly shipment_id: string
  readonly state: 'draft' | 'booked' | 'in_transit' | 'cancelled'
  readonly carrier_ref: string | null
  readonly parcel_refs: readonly string[] | null
  readonly cancelled_refs: readonly string[] | null
  readonly version: number
  readonly booking_until: Date | null
  readonly cancelled_at: Date | null
  readonly cancelled_by: string | null
}

/** As JSON, so times are text. */
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

/** As JSON, so times are text. */
export type EventRow = {
  readonly shipment_id: string
  readonly at: string
  readonly from_state: string | null
  readonly to_state: string
  readonly attempt_id: string | null
}

export type ShipmentRecord = {
  readonly called: CalledShipment
  readonly row: ShipmentRow | undefined
  readonly attempts: readonly AttemptRow[]
  readonly events: readonly EventRow[]
  /** The announced parcels, or the one that was booked with the shipment's id. */
  readonly parcels: readonly CarrierParcel[]
  /** Kinds of the alerts about the shipment. */
  readonly alerts: ReadonlySet<string>
  readonly booking: CarrierBooking | undefined
}

type WholeRow = ShipmentRow & { readonly attempts: AttemptRow[] | null; readonly events: EventRow[] | null }

const WHOLE = `SELECT s.*,
  (SELECT json_agg(c ORDER BY c.begun_at) FROM cancel_attempt c WHERE c.shipment_id = s.shipment_id) AS attempts,
  (SELECT json_agg(e ORDER BY e.event_id) FROM shipment_event e WHERE e.shipment_id = s.shipment_id) AS events
  FROM shipment s WHERE s.shipment_id = any($1::text[])`

const PAGE = 1_000

export async function readRecords(
  database: CampaignDatabase,
  journal: CarrierJournal,
  called: readonly CalledShipment[],
  alertsAbout: (shipmentId: string) => ReadonlySet<string>,
): Promise<ShipmentRecord[]> {
  const parcels = new Map(journal.parcels.map((parcel) => [parcel.number, parcel]))
  const bookings = new Map(journal.bookings.map((booking) => [booking.key, booking]))
  const records: ShipmentRecord[] = []
  for (let start = 0; start < called.length; start += PAGE) {
    const page = called.slice(start, start + PAGE)
    const ids = page.map(({ plan }) => plan.shipmentId)
    // One statement, so that a row and its events are consistent while replicas continue lookups.
    const rows = await database.query<WholeRow>(WHOLE, [ids])
    const rowOf = new Map(rows.map((row) => [row.shipment_id, row]))
    for (const shipment of page) {
      const { shipmentId } = shipment.plan
      const booking = bookings.get(shipmentId)
      const row = rowOf.get(shipmentId)
      records.push({
        called: shipment,
        row,
        attempts: row?.attempts ?? [],
        events: row?.events ?? [],
        parcels: [...shipment.plan.parcels, ...(booking === undefined ? [] : [booking])].flatMap(
          ({ number }) => parcels.get(number) ?? [],
        ),
        alerts: alertsAbout(shipmentId),
        booking,
      })
    }
  }
  return records
}

/** Both sides of a shipment in order of time, one line per event. */
export function historyOf({
  called,
  row,
  attempts,
  events,
  parcels,
  alerts,
  booking,
}: ShipmentRecord): string[] {
  const { shipmentId, accountId, kind, callers } = called.plan
  const time = (at: Date | string | number | null): string =>
    at === null ? '-' : new Date(at).toISOString().slice(11, 23)
  const lines = [
    `${shipmentId} of ${accountId}, ${kind}; ${callers.length} callers, ${called.unanswered.size} without an answer`,
    row === undefined
      ? 'here: no such row'
      : `here: ${row.state}, version ${row.version}, reference ${row.carrier_ref}, parcels cancelled: ${row.cancelled_refs?.join(' ') ?? 'none'}, booking until ${time(row.booking_until)}`,
    ...parcels.map(({ number, state, fate }) => `carrier: ${number} is ${state}, ${fate}`),
    ...(alerts.size === 0 ? [] : [`alerts: ${[...alerts].join(', ')}`]),
    ...(booking === undefined ? [] : [`carrier: booked as ${booking.number}, called ${booking.calls} times`]),
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
    ...parcels.flatMap(({ number, journal }) =>
      journal.map(({ at, what, key, fault, reply }) => ({
        at,
        line: ['carrier ', number, what, key, fault && `(${fault})`, reply]
          .filter((part) => part !== undefined)
          .join(' '),
      })),
    ),
    ...called.answers.map(({ at, caller, kind: answer, detail, origin }) => ({
      at,
      line: `caller ${caller} (${plannedCaller(called, caller)}) got ${answer} ${detail ?? ''} from ${origin}`,
    })),
  ]
  dated.sort((a, b) => a.at - b.at)
  return [...lines, ...dated.map(({ at, line }) => `${time(at)} ${line}`)]
}

function plannedCaller({ plan }: CalledShipment, index: number): string {
  const caller = plan.callers[index]
  if (caller === undefined) return 'nobody'
  const whose = caller.accountId === plan.accountId ? 'owner' : 'stranger'
  const waits = caller.asksOnce ? 'asks once' : 'waits'
  const patience = caller.givesUpMs === undefined ? waits : `gives up after ${caller.givesUpMs} ms`
  return `${whose}, ${caller.ask}, ${caller.door}, ${patience}`
}
