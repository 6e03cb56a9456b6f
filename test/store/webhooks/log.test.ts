/** The log of deliveries in pages, and replays that can be repeated. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { PageRequest } from '../../../src/operations/ports/pages.ts'
import type { WebhookLog } from '../../../src/operations/ports/webhooks.ts'
import { numberEvents } from '../../../src/store/events/event-log.ts'
import { webhookStore } from '../../../src/store/webhooks/deliveries.ts'
import { addEndpoint } from '../../../src/store/webhooks/endpoints.ts'
import { webhookLog } from '../../../src/store/webhooks/log.ts'
import { type ClonedDatabase, cloneDatabase } from '../../support/database/clone-database.ts'

let clone: ClonedDatabase
let log: WebhookLog
beforeAll(async () => {
  clone = await cloneDatabase()
  await sql`INSERT INTO account (account_id, name) VALUES ('acme', 'Acme'), ('other', 'Other')`.execute(
    clone.db,
  )
  log = webhookLog(clone.db)
})
beforeEach(async () => {
  await sql`TRUNCATE account_event, account_event_head, webhook_endpoint CASCADE`.execute(clone.db)
})
afterAll(() => clone.drop())

async function endpoint(accountId = 'acme'): Promise<string> {
  const added = await addEndpoint(clone.db, accountId, 'https://shop.example/hooks', undefined)
  if (added === undefined || added === 'full') throw new Error('no endpoint')
  return added.endpointId
}

async function events(count: number): Promise<void> {
  await sql`INSERT INTO account_event (account_id, shipment_id, type, state)
    SELECT 'acme', 's' || n, 'shipment.booked', 'booked' FROM generate_series(1, ${count}::integer) AS n`.execute(
    clone.db,
  )
  await numberEvents(clone.db)
}

const LEASE_MS = 60_000
const store = () => webhookStore(clone.db)

/** Delivers the events that wait, as the runner does. Returns the ids of the new entries of the log, oldest first. */
async function deliver(endpointId: string): Promise<readonly string[]> {
  const before = new Set((await entries(endpointId)).map(({ deliveryId }) => deliveryId))
  const [claimed] = await store().claim(1, LEASE_MS)
  if (claimed === undefined) return []
  const { rows } = await sql<{ sequence: number }>`
    SELECT sequence FROM account_event WHERE sequence > ${claimed.sequence} ORDER BY sequence`.execute(
    clone.db,
  )
  for (const { sequence } of rows)
    await store().delivered(claimed, { sequence, durationMs: 5, status: 204 }, LEASE_MS)
  await store().release(claimed, rows.at(-1)?.sequence ?? claimed.sequence)
  return (await entries(endpointId))
    .map(({ deliveryId }) => deliveryId)
    .filter((id) => !before.has(id))
    .toReversed()
}

async function page(endpointId: string, request: PageRequest, accountId = 'acme') {
  const pages = await log.deliveries(accountId, [endpointId], request)
  if ('kind' in pages) throw new Error('the cursor was refused')
  return pages.get(endpointId)
}

const entries = async (endpointId: string) =>
  (await page(endpointId, { size: 100, direction: 'forward' }))?.edges.map(({ node }) => node) ?? []

const stateOf = async (endpointId: string) =>
  (await log.endpoints('acme')).find((listed) => listed.endpointId === endpointId)

describe('the log', () => {
  test.each([
    1, 2, 5, 7,
  ])('has every delivery once in pages of %s, newest first, in both directions', async (size) => {
    const id = await endpoint()
    await events(7)
    await deliver(id)
    for (const direction of ['forward', 'backward'] as const) {
      const seen: number[][] = []
      let cursor: string | undefined
      do {
        const found = await page(id, { size, direction, ...(cursor !== undefined && { cursor }) })
        seen.push(found?.edges.map(({ node }) => node.sequence) ?? [])
        const isForward = direction === 'forward'
        const hasMore = isForward ? found?.hasNextPage : found?.hasPreviousPage
        expect(isForward ? found?.hasPreviousPage : found?.hasNextPage).toBe(seen.length > 1)
        cursor = hasMore ? found?.edges.at(isForward ? -1 : 0)?.cursor : undefined
      } while (cursor !== undefined)
      const whole = (direction === 'forward' ? seen : seen.toReversed()).flat()
      expect(whole).toEqual([7, 6, 5, 4, 3, 2, 1])
    }
  })

  test('names the event of a delivery as long as the event is kept', async () => {
    const id = await endpoint()
    await events(2)
    await deliver(id)
    await sql`DELETE FROM account_event WHERE sequence = 1`.execute(clone.db)
    expect(await entries(id)).toMatchObject([
      { sequence: 2, status: 204, durationMs: 5, event: { type: 'shipment.booked', shipmentId: 's2' } },
      { sequence: 1 },
    ])
    expect((await entries(id))[1]).not.toHaveProperty('event')
  })

  test('of another account is empty', async () => {
    const id = await endpoint()
    await events(1)
    await deliver(id)
    expect(await page(id, { size: 10, direction: 'forward' }, 'other')).toBeUndefined()
    expect(await log.endpoints('other')).toEqual([])
  })

  test.each([
    '',
    'x',
    '\u0000',
    Buffer.from('delivery 0').toString('base64url'),
    'a'.repeat(5_000),
  ])('refuses the cursor %j', async (cursor) => {
    expect(await log.deliveries('acme', ['x'], { size: 1, direction: 'forward', cursor })).toEqual({
      kind: 'InvalidCursor',
      reason: 'malformed',
    })
  })
})

describe('a replay', () => {
  const replay = (endpointId: string, deliveryId?: string, max = 100, accountId = 'acme') =>
    log.replay(accountId, endpointId, deliveryId, max)

  test('of a delivery sends its event and the later ones again, once', async () => {
    const id = await endpoint()
    await events(4)
    const [, second] = await deliver(id)
    expect(await replay(id, second)).toBe('replayed')
    expect((await stateOf(id))?.waiting).toBe(3)
    // A double click: before and after the events were sent again.
    expect(await replay(id, second)).toBe('replayed')
    expect((await stateOf(id))?.waiting).toBe(3)
    const again = await deliver(id)
    expect(again).toHaveLength(3)
    expect(await replay(id, second)).toBe('already_replayed')
    expect(await stateOf(id)).toMatchObject({ state: 'active', waiting: 0 })
    // The newer entry of the log can be used for another replay.
    expect(await replay(id, again[0])).toBe('replayed')
    expect((await stateOf(id))?.waiting).toBe(3)
  })

  test('of two concurrent calls moves the position once', async () => {
    const id = await endpoint()
    await events(3)
    const [first] = await deliver(id)
    const results = await Promise.all(Array.from({ length: 8 }, () => replay(id, first)))
    expect(new Set(results)).toEqual(new Set(['replayed']))
    expect((await stateOf(id))?.waiting).toBe(3)
    const { rows } = await sql<{ fence: number }>`SELECT fence FROM webhook_endpoint`.execute(clone.db)
    // One for the delivery above, and one for the replay.
    expect(rows).toEqual([{ fence: 2 }])
  })

  test('without a delivery sends what waits at once, and enables a disabled endpoint', async () => {
    const id = await endpoint()
    await events(1)
    const [claimed] = await store().claim(1, LEASE_MS)
    if (claimed === undefined) throw new Error('nothing to deliver')
    const delivery = { sequence: 1, durationMs: 5, status: 500, failure: 'status 500' }
    expect(await store().failed(claimed, delivery, { retryInMs: 3_600_000, giveUpAfterMs: 3_600_000 })).toBe(
      'recorded',
    )
    const failing = await stateOf(id)
    expect(failing).toMatchObject({ state: 'failing', waiting: 1, nextTryAt: expect.any(String) })
    expect(await store().claim(1, LEASE_MS)).toEqual([])
    expect(await replay(id)).toBe('replayed')
    expect(await stateOf(id)).toMatchObject({ state: 'active', waiting: 1 })
    expect(await stateOf(id)).not.toHaveProperty('nextTryAt')
    expect(await store().claim(1, LEASE_MS)).toHaveLength(1)
    await sql`UPDATE webhook_endpoint SET disabled_at = now(), failures = 9, failing_since = now()`.execute(
      clone.db,
    )
    // The event of the delivery still waits.
    expect(await replay(id, (await entries(id))[0]?.deliveryId)).toBe('replayed')
    expect(await stateOf(id)).toMatchObject({ state: 'active', waiting: 1 })
    expect(await store().claim(1, LEASE_MS)).toHaveLength(1)
  })

  test('does not disturb a delivery that is running', async () => {
    const id = await endpoint()
    await events(1)
    const [claimed] = await store().claim(1, LEASE_MS)
    if (claimed === undefined) throw new Error('nothing to deliver')
    expect(await replay(id)).toBe('replayed')
    expect(await store().delivered(claimed, { sequence: 1, durationMs: 5, status: 204 }, LEASE_MS)).toBe(true)
  })

  test('of more events than permitted changes nothing', async () => {
    const id = await endpoint()
    await events(4)
    const [first, second] = await deliver(id)
    expect(await replay(id, first, 3)).toBe('too_many')
    expect((await stateOf(id))?.waiting).toBe(0)
    expect(await replay(id, second, 3)).toBe('replayed')
    expect((await stateOf(id))?.waiting).toBe(3)
  })

  test('finds only endpoints of the account and deliveries of the endpoint', async () => {
    const [id, foreign] = [await endpoint(), await endpoint('other')]
    await events(2)
    const [first] = await deliver(id)
    const before = await sql`SELECT * FROM webhook_endpoint ORDER BY endpoint_id`.execute(clone.db)
    for (const [endpointId, deliveryId, accountId] of [
      [id, undefined, 'other'],
      [id, first, 'other'],
      [foreign, first, 'other'],
      [foreign, undefined, 'acme'],
      [id, '999999', 'acme'],
      [id, '-1', 'acme'],
      [id, `${first}x`, 'acme'],
      [id, '9'.repeat(30), 'acme'],
      ['whk_0', undefined, 'acme'],
      ['\u0000', undefined, 'acme'],
    ] as const)
      expect(await replay(endpointId, deliveryId, 100, accountId)).toBe('not_found')
    const after = await sql`SELECT * FROM webhook_endpoint ORDER BY endpoint_id`.execute(clone.db)
    expect(after.rows).toEqual(before.rows)
  })
})
