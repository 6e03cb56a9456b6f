/**
 * Many concurrent callers for each of many shipments, through several doors, and the checks afterwards: the
 * same answer for all callers, one call to the carrier, one change. Used by the campaign and by its short
 * form.
 */
import { type Kysely, sql } from 'kysely'
import type { Database } from '../../../src/store/database/database.ts'
import type { Dice } from '../../support/random/seeded-dice.ts'

/** Cancels a shipment. Returns `<REST status> <message>`, for both doors. */
export type Door = (shipmentId: string) => Promise<string>

/** `refused`: whether the carrier refuses the cancellation. */
export type CrowdShipment = { readonly id: string; readonly carrierRef: string; readonly refused: boolean }

const REFUSED_SHARE = 0.15

const CANCELLED = '200 The shipment is cancelled'
const REFUSED = '409 The carrier refused the cancellation: The time for cancelling this parcel has passed'

/** Inserts booked shipments of the demo account. The carrier refuses some of them. */
export async function insertShipments(
  db: Kysely<Database>,
  count: number,
  dice: Dice,
): Promise<readonly CrowdShipment[]> {
  const shipments = Array.from({ length: count }, (_unused, n) => {
    const refused = dice.chance(REFUSED_SHARE)
    return { id: `crowd-${n}`, carrierRef: `SBX-${refused ? 'WINDOW-CLOSED' : 'OK'}-CROWD-${n}`, refused }
  })
  await insertRows(
    db,
    'booked',
    shipments.map(({ id, carrierRef }) => ({ id, carrierRef })),
  )
  return shipments
}

/** Inserts shipments of the demo account in one state. */
export async function insertRows(
  db: Kysely<Database>,
  state: 'draft' | 'booked',
  rows: readonly { readonly id: string; readonly carrierRef: string | null }[],
): Promise<void> {
  await sql`
    INSERT INTO shipment (shipment_id, account_id, state, product_id, carrier_code, carrier_ref, from_country,
        to_country, parcel_type, parcels, recipient, price_cents, tariff_version, booked_at)
      SELECT r.id, 'demo-shop', ${state}::text, 1201, 'rondeel', r."carrierRef", 'NL', 'DE', 'NONDOC', '[]',
          'business', 985, 'demo@1', CASE WHEN r."carrierRef" IS NOT NULL THEN now() END
        FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r (id text, "carrierRef" text)`.execute(db)
}

export type CrowdTerms = {
  readonly callers: number
  /** Shipments that are asked for at the same time. */
  readonly atOnce: number
}

/** Runs the callers and checks their answers. Caller n uses door n, modulo the number of doors. */
export async function callAll(
  shipments: readonly CrowdShipment[],
  doors: readonly Door[],
  { callers, atOnce }: CrowdTerms,
): Promise<{ readonly violations: string[]; readonly answers: Readonly<Record<string, number>> }> {
  const violations: string[] = []
  const answers: Record<string, number> = {}
  const waiting = [...shipments.entries()]
  const callForOne = async (index: number, { id, refused }: CrowdShipment): Promise<void> => {
    const received = await Promise.all(
      Array.from({ length: callers }, (_unused, n) => doors[(index + n) % doors.length]!(id)),
    )
    for (const answer of received) answers[answer] = (answers[answer] ?? 0) + 1
    const odd = received.filter((answer) => answer !== (refused ? REFUSED : CANCELLED))
    if (odd.length > 0)
      violations.push(`${id} (${refused ? 'refused' : 'cancelled'}): ${odd.length} callers got ${odd[0]}`)
  }
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await callForOne(...next)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return { violations, answers }
}

/** Checks the database and the carrier after the run. */
export async function checkRecords(
  db: Kysely<Database>,
  shipments: readonly CrowdShipment[],
  carrierCalls: (carrierRef: string) => number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string; summary: string }>`
    SELECT s.shipment_id AS id, concat_ws(' ', s.state,
        (SELECT count(*) FROM shipment_event e WHERE e.shipment_id = s.shipment_id AND to_state = 'cancelled'),
        'events', (SELECT string_agg(concat(phase, ' after ', sends), ', ') FROM cancel_attempt c
          WHERE c.shipment_id = s.shipment_id)) AS summary
      FROM shipment s WHERE s.shipment_id LIKE 'crowd-%'`.execute(db)
  const summaries = new Map(rows.map(({ id, summary }) => [id, summary]))
  return shipments.flatMap(({ id, carrierRef, refused }) => {
    const summary = summaries.get(id)
    const calls = carrierCalls(carrierRef)
    const expected = refused ? 'booked 0 events refused after 1' : 'cancelled 1 events accepted after 1'
    return [
      ...(summary === expected ? [] : [`${id}: ${summary}, not ${expected}`]),
      ...(calls === 1 ? [] : [`${id}: its carrier was asked ${calls} times`]),
    ]
  })
}
