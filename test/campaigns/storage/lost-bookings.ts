/**
 * Bookings in the tail that a failover to an asynchronous standby loses. Their labels are paid, so no request to cancel
 * one may be answered with 200 while the carrier would carry the parcel, and the audit must restore the others from the
 * log.
 */
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import type { SandboxCarrier } from '../../../src/carriers/sandbox/carrier.ts'
import { sandboxTrackingNumber } from '../../../src/carriers/sandbox/carrier.ts'
import { openDatabase } from '../../../src/store/database/open.ts'
import { DRAFT, insertShipment } from '../../store/shipments/shipment-rows.ts'
import { askFor, type Tally } from './callers.ts'
import type { DatabaseServer } from './database-server.ts'
import type { Replica } from './replica.ts'

const PER_ROUND = 12
const PATIENCE_MS = 30_000

const idsOf = (round: number): string[] =>
  Array.from({ length: PER_ROUND }, (_, index) => `booking-${round}-${index}`)

/** Inserts the drafts of a round. */
export async function insertDrafts(primary: DatabaseServer, round: number): Promise<void> {
  const db = openDatabase(primary.address, { poolSize: 1 })
  try {
    for (const id of idsOf(round)) await insertShipment(db, id, { ...DRAFT, account_id: 'demo-shop' })
  } finally {
    await db.destroy()
  }
}

/** Books them. Returns the ids of those that were confirmed to the caller. */
export async function bookAll({ origin }: Replica, round: number): Promise<readonly string[]> {
  const outcomes = await Promise.all(
    idsOf(round).map(async (shipmentId) => {
      const query = 'mutation ($id: ID!) { bookShipment(input: { shipmentId: $id }) { __typename } }'
      const reply = await fetch(`${origin}/graphql`, {
        method: 'POST',
        headers: { 'x-pp-api': 'demo@demo-secret', 'content-type': 'application/json' },
        body: JSON.stringify({ query, variables: { id: shipmentId } }),
      })
      return (await reply.text()).includes('"ShipmentBooked"') ? [shipmentId] : []
    }),
  )
  return outcomes.flat()
}

/** The ids whose booking the new primary does not have. */
export async function lostOf(primary: DatabaseServer, booked: readonly string[]): Promise<string[]> {
  const db = openDatabase(primary.address, { poolSize: 1 })
  try {
    const rows = await db
      .selectFrom('shipment')
      .select(['shipment_id', 'state'])
      .where('shipment_id', 'like', 'booking-%')
      .execute()
    const states = new Map(rows.map((row) => [row.shipment_id, row.state]))
    return booked.filter((id) => states.get(id) === 'draft')
  } finally {
    await db.destroy()
  }
}

/** Cancels every second lost booking. `askFor` reports a 200 while the carrier has not cancelled. */
export async function cancelHalf(
  { origin }: Replica,
  lost: readonly string[],
  carrier: SandboxCarrier,
  tally: Tally,
): Promise<void> {
  for (const shipmentId of lost.filter((_, index) => index % 2 === 0)) {
    const trial = {
      ...{ shipmentId, carrierRef: sandboxTrackingNumber(shipmentId), cancels: true, requests: 0 },
      answers: [] as number[],
    }
    const endsAt = performance.now() + PATIENCE_MS
    while (!trial.answers.includes(200) && performance.now() < endsAt)
      await askFor(origin, trial, carrier, tally)
    if (!trial.answers.includes(200)) tally.violations.push(`${shipmentId} was not cancelled`)
  }
}

/** Runs `waybill audit --log --repair`. Returns how many bookings it has restored, from the carrier or from the log. */
export async function repairFromLog(
  { journal }: Replica,
  place: string,
  settings: Readonly<Record<string, string>>,
): Promise<number> {
  const log = path.join(place, 'service.log')
  writeFileSync(log, journal.join('\n'))
  const program = ['--import', 'tsx', 'src/cli/waybill.ts', 'audit', '--json', '--repair', '--log', log]
  const out = await new Promise<string>((resolve) => {
    // It exits with 1, because other losses need attention.
    execFile(process.execPath, program, { env: { ...process.env, ...settings } }, (_error, stdout) =>
      resolve(stdout),
    )
  })
  const { suspectDrafts, lostBookings } = JSON.parse(out)
  return suspectDrafts.booked.count + lostBookings.drafts.count
}
