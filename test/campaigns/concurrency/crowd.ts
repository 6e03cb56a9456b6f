/**
 * Many callers for each of many shipments, all at once and through every door they are given, and what must be true
 * behind them: one answer for all, one call to the carrier, one change. Both the campaign and its short form run it.
 */
import { type Kysely, sql } from 'kysely'
import type { Database } from '../../../src/store/database/database.ts'
import type { Dice } from '../../support/random/seeded-dice.ts'

/** Asks for a cancellation and answers in words that are the same for both doors: `<REST status> <message>`. */
export type Door = (shipmentId: string) => Promise<string>

/** A shipment, and whether its carrier finally refuses. */
export type CrowdShipment = { readonly id: string; readonly carrierRef: string; readonly refused: boolean }

const REFUSED_SHARE = 0.15

const CANCELLED = '200 The shipment is cancelled'
const REFUSED = '409 The carrier refused the cancellation: The time for cancelling this parcel has passed'

/** Puts so many booked shipments of the demo account on record; some of them cannot be cancelled. */
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

/** Rows of the demo account and carrier, in one state. */
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

/** The size of a crowd. */
export type CrowdTerms = {
  readonly callers: number
  /** Shipments that are asked for at the same time. */
  readonly atOnce: number
}

/** Lets the crowd in; answers what was wrong with the callers' answers. Caller n goes through door n, and around. */
export async function callAll(
  shipments: readonly CrowdShipment[],
  doors: readonly Door[],
  { callers, atOnce }: CrowdTerms,
): Promise<{ readonly violations: string[]; readonly answers: Readonly<Record<string, number>> }> {
  const violations: string[] = []
  const answers: Record<string, number> = {}
  const waiting = [...shipments.entries()]
  const callForOne = async (index: number, { id, refused }: CrowdShipment): Promise<void> => {
    const told = await Promise.all(
      Array.from({ length: callers }, (_unused, n) => doors[(index + n) % doors.length]!(id)),
    )
    for (const answer of told) answers[answer] = (answers[answer] ?? 0) + 1
    const odd = told.filter((answer) => answer !== (refused ? REFUSED : CANCELLED))
    if (odd.length > 0)
      violations.push(
        `${id} (${refused ? 'refused' : 'cancelled'}): ${odd.length} callers were told ${odd[0]}`,
      )
  }
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await callForOne(...next)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return { violations, answers }
}

/** What the database and the carrier hold behind the crowd; answers what is wrong with it. */
export async function checkRecords(
  db: Kysely<Database>,
  shipments: readonly CrowdShipment[],
  carrierCalls: (carrierRef: string) => number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string; standing: string }>`
    SELECT s.shipment_id AS id, concat_ws(' ', s.state,
        (SELECT count(*) FROM shipment_event e WHERE e.shipment_id = s.shipment_id AND to_state = 'cancelled'),
        'events', (SELECT string_agg(concat(phase, ' after ', sends), ', ') FROM cancel_attempt c
          WHERE c.shipment_id = s.shipment_id)) AS standing
      FROM shipment s WHERE s.shipment_id LIKE 'crowd-%'`.execute(db)
  const standings = new Map(rows.map(({ id, standing }) => [id, standing]))
  return shipments.flatMap(({ id, carrierRef, refused }) => {
    const standing = standings.get(id)
    const calls = carrierCalls(carrierRef)
    const expected = refused ? 'booked 0 events refused after 1' : 'cancelled 1 events accepted after 1'
    return [
      ...(standing === expected ? [] : [`${id}: ${standing}, not ${expected}`]),
      ...(calls === 1 ? [] : [`${id}: its carrier was asked ${calls} times`]),
    ]
  })
}
