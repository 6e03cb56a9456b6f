/** Numbering, reading and removing the events of accounts, also by several processes at the same time. */
import { type Kysely, sql, type Transaction } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { BEFORE_FIRST } from '../../../src/core/shipments/event.ts'
import type { EventLog } from '../../../src/operations/ports/events.ts'
import type { Database } from '../../../src/store/database/database.ts'
import { eventLog, numberEvents, removeOldEvents } from '../../../src/store/events/event-log.ts'
import { type ClonedDatabase, cloneDatabase } from '../../support/database/clone-database.ts'

let clone: ClonedDatabase
let log: EventLog
beforeAll(async () => {
  clone = await cloneDatabase()
  log = eventLog(clone.db)
})
afterAll(() => clone.drop())
beforeEach(async () => {
  await sql`TRUNCATE account_event, account_event_head`.execute(clone.db)
})

/** Inserts an event as a trigger does. */
async function record(
  db: Kysely<Database>,
  shipmentId: string,
  { accountId = 'acme', daysAgo = 0 } = {},
): Promise<void> {
  await db
    .insertInto('account_event')
    .values({
      ...{ account_id: accountId, sequence: null, shipment_id: shipmentId, type: 'shipment.booked' },
      ...{ state: 'booked', tracking_number: null, refusal_code: null },
      occurred_at: new Date(Date.now() - daysAgo * 86_400_000),
    })
    .execute()
}

/** Runs `during` while a transaction has recorded an event and is not committed. */
async function whileOpen(shipmentId: string, during: () => Promise<unknown>): Promise<void> {
  await clone.db.transaction().execute(async (trx: Transaction<Database>) => {
    await record(trx, shipmentId)
    await during()
  })
}

const read = async (accountId = 'acme', sequence = 0, limit = 100) =>
  (await log.after(accountId, sequence, limit)).map((event) => `${event.sequence} ${event.shipmentId}`)

describe('numbers', () => {
  test('are 1, 2, 3 within each account, in the order in which the events were recorded', async () => {
    for (const id of ['a', 'b']) await record(clone.db, id)
    await record(clone.db, 'x', { accountId: 'other' })
    await record(clone.db, 'c')
    expect(await numberEvents(clone.db)).toEqual(new Set(['acme', 'other']))
    await record(clone.db, 'd')
    expect(await numberEvents(clone.db)).toEqual(new Set(['acme']))
    expect(await numberEvents(clone.db)).toEqual(new Set())
    expect(await read()).toEqual(['1 a', '2 b', '3 c', '4 d'])
    expect(await read('other')).toEqual(['1 x'])
    expect(await read('acme', 2, 1)).toEqual(['3 c'])
  })

  test('of a transaction that commits late are higher than those that were read before', async () => {
    await whileOpen('early', async () => {
      await record(clone.db, 'late')
      await numberEvents(clone.db)
      expect(await read()).toEqual(['1 late'])
    })
    // "early" has the lower event_id. A reader that continues after number 1 still gets it.
    await numberEvents(clone.db)
    expect(await read('acme', 1)).toEqual(['2 early'])
  })

  test('are given once if several processes number at the same time', async () => {
    const total = 2_500
    await sql`INSERT INTO account_event (account_id, shipment_id, type, state)
      SELECT 'account-' || n % 7, 's' || n, 'shipment.booked', 'booked' FROM generate_series(1, ${total}) AS n`.execute(
      clone.db,
    )
    await Promise.all(Array.from({ length: 6 }, () => numberEvents(clone.db)))
    const { rows } = await sql<{ account_id: string; events: number; newest: number; ordered: boolean }>`
      SELECT event.account_id, count(DISTINCT event.sequence) AS events, head.sequence AS newest,
          array_agg(event_id ORDER BY event.sequence) = array_agg(event_id ORDER BY event_id) AS ordered
        FROM account_event AS event JOIN account_event_head AS head USING (account_id)
        GROUP BY event.account_id, head.sequence`.execute(clone.db)
    expect(rows).toHaveLength(7)
    expect(rows.reduce((sum, { events }) => sum + events, 0)).toBe(total)
    for (const { events, newest, ordered } of rows) expect([newest, ordered]).toEqual([events, true])
  })

  test('become visible in their order while events are recorded, numbered and read', async () => {
    let recording = true
    const writers = Array.from({ length: 3 }, async (_, writer) => {
      for (let index = 0; index < 40; index += 1)
        await clone.db.transaction().execute(async (trx) => {
          await record(trx, `${writer}-${index}`)
          if (index % 5 === writer) await sql`SELECT pg_sleep(0.005)`.execute(trx)
        })
    })
    const numbering = Array.from({ length: 2 }, async () => {
      while (recording) await numberEvents(clone.db)
    })
    const seen: string[] = []
    const reader = (async () => {
      for (let last = 0; seen.length < 120; ) {
        const events = await log.after('acme', last, 7)
        for (const { sequence, shipmentId } of events) {
          expect(sequence).toBe(last + 1)
          last = sequence
          seen.push(shipmentId)
        }
      }
    })()
    await Promise.all([...writers, reader])
    recording = false
    await Promise.all(numbering)
    expect(new Set(seen).size).toBe(120)
    for (const writer of [0, 1, 2])
      expect(seen.filter((id) => id.startsWith(`${writer}-`))).toEqual(
        Array.from({ length: 40 }, (_, index) => `${writer}-${index}`),
      )
  })
})

describe('a position', () => {
  test('is that of the newest event, or the place before the first one', async () => {
    expect(await log.newest('acme')).toEqual(BEFORE_FIRST)
    await record(clone.db, 'a')
    expect(await log.newest('acme')).toEqual(BEFORE_FIRST)
    await numberEvents(clone.db)
    const [event] = await log.after('acme', 0, 1)
    expect(await log.newest('acme')).toEqual({ sequence: 1, key: event?.key })
  })

  test('is held only with the key of its event, by its account', async () => {
    await record(clone.db, 'a')
    await numberEvents(clone.db)
    const newest = await log.newest('acme')
    expect(await log.holds('acme', newest)).toBe(true)
    expect(await log.holds('acme', { ...newest, key: 'ffffffffffff' })).toBe(false)
    expect(await log.holds('other', newest)).toBe(false)
  })
})

describe('old events', () => {
  test('are removed, but not the newest one of an account and none without a number', async () => {
    await record(clone.db, 'a', { daysAgo: 40 })
    await record(clone.db, 'b', { daysAgo: 31 })
    await record(clone.db, 'c', { daysAgo: 29 })
    await record(clone.db, 'x', { accountId: 'other', daysAgo: 40 })
    await numberEvents(clone.db)
    await record(clone.db, 'late', { daysAgo: 35 })
    await removeOldEvents(clone.db, 30)
    await numberEvents(clone.db)
    expect(await read()).toEqual(['3 c', '4 late'])
    expect(await read('other')).toEqual(['1 x'])
  })

  test('are removed in batches', async () => {
    await sql`INSERT INTO account_event (account_id, shipment_id, type, state, occurred_at)
      SELECT 'acme', 's' || n, 'shipment.booked', 'booked', now() - interval '40 days'
        FROM generate_series(1, 2501) AS n`.execute(clone.db)
    await numberEvents(clone.db)
    await removeOldEvents(clone.db, 30)
    expect(await read()).toEqual(['2501 s2501'])
  })
})
