/** Replicas on one database, and a client that follows events while one replica is killed and another one stops. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EventClient, follow } from '../events/event-stream.ts'
import { type Replica, startReplica, stopReplica } from '../support/app/replica.ts'
import { type ClonedDatabase, cloneDatabase } from '../support/database/clone-database.ts'

const CREDENTIALS = { 'x-pp-api': 'demo@demo-secret' }

let clone: ClonedDatabase
let replicas: readonly Replica[]

beforeAll(async () => {
  clone = await cloneDatabase({ statementTimeoutMs: 0 })
  replicas = await Promise.all([
    startReplica(clone),
    startReplica(clone, { WAYBILL_LISTEN: 'false' }),
    startReplica(clone),
  ])
})

afterAll(async () => {
  await Promise.all((replicas ?? []).map((replica) => stopReplica(replica)))
  await clone.drop()
})

/** Inserts a shipment and changes it twice, as the statements of the service do. */
async function changeShipment(id: string): Promise<void> {
  await sql`INSERT INTO shipment (shipment_id, account_id, product_id, carrier_code, from_country, to_country,
      parcel_type, parcels, recipient, price_cents, tariff_version)
    VALUES (${id}, 'demo-shop', 1201, 'rondeel', 'NL', 'DE', 'NONDOC', '[]', 'business', 985, 'demo@1')`.execute(
    clone.db,
  )
  await sql`UPDATE shipment SET state = 'booked', carrier_ref = ${id}, next_track_at = now() + interval '1 day'
    WHERE shipment_id = ${id}`.execute(clone.db)
  await sql`UPDATE shipment SET state = 'in_transit' WHERE shipment_id = ${id}`.execute(clone.db)
}

/** Follows from the last id of the earlier connection. */
async function connect({ origin }: Replica, earlier?: EventClient): Promise<EventClient> {
  const lastId = earlier?.blocks.findLast((block) => 'id' in block)?.['id']
  return follow(origin, {
    headers: { ...CREDENTIALS, ...(lastId !== undefined && { 'last-event-id': lastId }) },
  })
}

const eventsIn = (client: EventClient) =>
  client.blocks.flatMap(({ event, data }) =>
    event?.startsWith('shipment.') === true
      ? [{ type: event, ...(JSON.parse(data ?? '').data as { sequence: number; shipmentId: string }) }]
      : [],
  )

test('no event is missed and none comes twice, though a replica is killed and another one stops', async () => {
  const [one, two, three] = replicas
  if (one === undefined || two === undefined || three === undefined) throw new Error('no replicas')
  const first = await connect(one)
  const [ready] = await first.arrived('event', 1)
  const start = Number(ready?.['id']?.split('-')[0])
  let isWriting = true
  let written = 0
  const writing = (async () => {
    while (isWriting) await changeShipment(`live-${written++}`)
  })()

  await first.arrived('event', 40)
  await stopReplica(one, 'SIGKILL')
  expect(await first.ended).toBe(false)
  const second = await connect(two, first)
  await second.arrived('event', 40)
  await stopReplica(two)
  expect(await second.ended).toBe(true)
  isWriting = false
  await writing
  const third = await connect(three, second)
  const received = () => [first, second, third].flatMap(eventsIn)
  const total = 3 * written
  await third.arrived('event', total - eventsIn(first).length - eventsIn(second).length + 1)
  third.close()

  expect(received().map(({ sequence }) => sequence)).toEqual(
    Array.from({ length: total }, (_, index) => start + 1 + index),
  )
  expect(received().map(({ shipmentId, type }) => `${shipmentId} ${type}`)).toEqual(
    Array.from({ length: written }, (_, index) =>
      ['created', 'booked', 'in_transit'].map((type) => `live-${index} shipment.${type}`),
    ).flat(),
  )
})
