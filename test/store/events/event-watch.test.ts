/** Following events: by this process, by notifications of another one, and by polling. */
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { numberEvents } from '../../../src/store/events/event-log.ts'
import { type EventFollowOptions, followEvents } from '../../../src/store/events/event-watch.ts'
import { type ClonedDatabase, cloneDatabase } from '../../support/database/clone-database.ts'

let clone: ClonedDatabase
const open: { close(): Promise<void> }[] = []
beforeAll(async () => {
  clone = await cloneDatabase()
})
beforeEach(async () => {
  await sql`TRUNCATE account_event, account_event_head`.execute(clone.db)
})
afterEach(async () => {
  for (const watch of open.splice(0)) await watch.close()
})
afterAll(() => clone.drop())

const NEVER_MS = 3_600_000

/** Follows with the given ways only. */
function follow(options: Partial<EventFollowOptions>) {
  const faults: unknown[] = []
  const watch = followEvents(clone.db, {
    ...{ source: clone.source, listen: false, keptDays: 30, numberEveryMs: NEVER_MS, pollEveryMs: NEVER_MS },
    onFault: (error) => void faults.push(error),
    ...options,
  })
  open.push(watch)
  const news: string[] = []
  const stop = watch.subscribe('acme', () => void news.push('acme'))
  watch.subscribe('other', () => void news.push('other'))
  return { watch, news, stop, faults }
}

const record = (accountId: string) =>
  sql`INSERT INTO account_event (account_id, shipment_id, type, state)
    VALUES (${accountId}, 's1', 'shipment.booked', 'booked')`.execute(clone.db)

const isListening = async () => {
  const { rows } = await sql`SELECT 1 FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'waybill listener' AND query LIKE 'LISTEN%'
      AND state = 'idle'`.execute(clone.db)
  expect(rows).toHaveLength(1)
}

describe('a subscriber is called', () => {
  test('when its process has numbered an event of the account', async () => {
    const { news } = follow({ numberEveryMs: 10 })
    await record('acme')
    await vi.waitFor(() => expect(news).toEqual(['acme']), { timeout: 60_000 })
    const { rows } = await sql`SELECT sequence FROM account_event`.execute(clone.db)
    expect(rows).toEqual([{ sequence: 1 }])
  })

  test('when another process has numbered an event, by a notification', async () => {
    const { news } = follow({ listen: true })
    await vi.waitFor(isListening)
    await record('other')
    await numberEvents(clone.db)
    await vi.waitFor(() => expect(news).toContain('other'), { timeout: 60_000 })
    expect(news).not.toContain('acme')
  })

  test('after the connection for notifications was lost, also about what it missed', async () => {
    const { news, faults } = follow({ listen: true })
    await vi.waitFor(isListening)
    await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'waybill listener'`.execute(clone.db)
    await record('acme')
    await numberEvents(clone.db)
    await vi.waitFor(() => expect(news).toContain('acme'), { timeout: 60_000 })
    expect(faults).toHaveLength(1)
  })

  test('when a poll finds a new number, and not again', async () => {
    const { news } = follow({ pollEveryMs: 10 })
    await record('acme')
    await numberEvents(clone.db)
    await vi.waitFor(() => expect(news).toEqual(['acme']), { timeout: 60_000 })
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(news).toEqual(['acme'])
  })
})

test('nobody is called after the subscription has ended', async () => {
  const { news, stop } = follow({ numberEveryMs: 10 })
  stop()
  await record('acme')
  await record('other')
  await vi.waitFor(() => expect(news).toEqual(['other']), { timeout: 60_000 })
})

test('of faults in a row only the first is reported, and following continues', async () => {
  const { news, faults } = follow({ numberEveryMs: 10 })
  await sql`ALTER TABLE account_event RENAME TO away`.execute(clone.db)
  await vi.waitFor(() => expect(faults).toHaveLength(1), { timeout: 60_000 })
  await new Promise((resolve) => setTimeout(resolve, 100))
  await sql`ALTER TABLE away RENAME TO account_event`.execute(clone.db)
  await record('acme')
  await vi.waitFor(() => expect(news).toEqual(['acme']), { timeout: 60_000 })
  expect(faults).toHaveLength(1)
})
