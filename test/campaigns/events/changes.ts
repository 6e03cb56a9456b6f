/** Writes changes of shipments, as the statements of the service do. A trigger records an event for each. */
import { setTimeout as pause } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../../../src/store/database/database.ts'
import type { Dice } from '../../support/random/seeded-dice.ts'

export const ACCOUNT = 'demo-shop'

/** Two of three shipments are booked, and half of these are scanned. A tenth of the changes are rolled back. */
async function changeShipment(db: Kysely<Database>, id: string, dice: Dice): Promise<void> {
  await sql`INSERT INTO shipment (shipment_id, account_id, product_id, carrier_code, from_country, to_country,
      parcel_type, parcels, recipient, price_cents, tariff_version)
    VALUES (${id}, ${ACCOUNT}, 1201, 'rondeel', 'NL', 'DE', 'NONDOC', '[]', 'business', 985, 'demo@1')`.execute(
    db,
  )
  if (dice.chance(0.1)) await rollBack(db, id)
  if (dice.chance(1 / 3)) return
  await sql`UPDATE shipment SET state = 'booked', carrier_ref = ${id}, next_track_at = now() + interval '1 day'
    WHERE shipment_id = ${id}`.execute(db)
  if (dice.chance(0.5))
    await sql`UPDATE shipment SET state = 'in_transit' WHERE shipment_id = ${id}`.execute(db)
}

/** A change that must not be seen. */
async function rollBack(db: Kysely<Database>, id: string): Promise<void> {
  const undone = new Error('rolled back')
  await db
    .transaction()
    .execute(async (trx) => {
      await sql`UPDATE shipment SET state = 'booked', carrier_ref = 'never', next_track_at = now() + interval '1 day'
        WHERE shipment_id = ${id}`.execute(trx)
      throw undone
    })
    .catch((error: unknown) => {
      if (error !== undone) throw error
    })
}

export type Writing = {
  /** Stops, and resolves when the last change is committed. */
  stop(): Promise<void>
}

/** Several writers at the same time, so that transactions commit in another order than they begin. */
export function writeChanges(db: Kysely<Database>, dice: Dice, pauseMs: number): Writing {
  let isWriting = true
  let count = 0
  const write = async (): Promise<void> => {
    while (isWriting) {
      await changeShipment(db, `live-${count++}`, dice)
      await pause(pauseMs)
    }
  }
  const writers = Array.from({ length: 4 }, write)
  return {
    async stop() {
      isWriting = false
      await Promise.all(writers)
    },
  }
}

export type StoredEvent = { readonly sequence: number; readonly shipmentId: string; readonly type: string }

/** The numbered events of the account. `hasAll` is false as long as events wait for their numbers. */
export async function storedEvents(db: Kysely<Database>): Promise<{
  readonly events: readonly StoredEvent[]
  readonly hasAll: boolean
}> {
  const rows = await db
    .selectFrom('account_event')
    .select(['sequence', 'shipment_id', 'type'])
    .where('account_id', '=', ACCOUNT)
    .orderBy('sequence')
    .execute()
  const events = rows.flatMap(({ sequence, shipment_id: shipmentId, type }) =>
    sequence === null ? [] : [{ sequence, shipmentId, type }],
  )
  return { events, hasAll: events.length === rows.length }
}
