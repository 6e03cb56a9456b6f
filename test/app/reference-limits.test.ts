/** Whole tables are read without the time limits of requests, because a busy machine needs longer. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { LogOptions } from '../../src/http/log.ts'
import { CUSTOMS, changeRevisioned, RATE_BOOK } from '../../src/store/database/revision.ts'
import { openTestApp, TEST_CLOCK } from '../support/app/test-app.ts'
import type { ClonedDatabase } from '../support/database/clone-database.ts'

/** Makes reading some tables fail in sessions with a time limit of 10 seconds or less. */
async function requireLongLimits(db: ClonedDatabase['db']): Promise<void> {
  await sql`CREATE FUNCTION has_long_limits() RETURNS boolean LANGUAGE plpgsql AS $$
    DECLARE setting text;
    BEGIN
      FOREACH setting IN ARRAY ARRAY['statement_timeout', 'idle_in_transaction_session_timeout'] LOOP
        IF current_setting(setting) <> '0' AND current_setting(setting)::interval <= '10 s' THEN
          RAISE '% is only %', setting, current_setting(setting);
        END IF;
      END LOOP;
      RETURN true;
    END $$`.execute(db)
  for (const table of ['capital', 'customs_data_set', 'api_secret']) {
    const stored = `stored_${table}`
    await sql`ALTER TABLE ${sql.table(table)} RENAME TO ${sql.table(stored)}`.execute(db)
    await sql`CREATE VIEW ${sql.table(table)} AS
      SELECT * FROM ${sql.table(stored)} WHERE has_long_limits()`.execute(db)
  }
}

test('prices, customs data and the list of keys are read with longer limits, at start and after a change', async () => {
  const lines: string[] = []
  const log: LogOptions = { level: 'info', stream: { write: (line) => void lines.push(line) } }
  const app = await openTestApp({}, TEST_CLOCK, { prepare: requireLongLimits, log })
  for (const data of [RATE_BOOK, CUSTOMS])
    await changeRevisioned(app.clone.db, data, async (_trx, note) => note('a change'))
  const messages = () => lines.map((line) => (JSON.parse(line) as { msg: string }).msg)
  await expect
    .poll(messages, { timeout: 60_000 })
    .toEqual(expect.arrayContaining(['the rate book was updated', 'the customs tables were updated']))
  // At the start, and after the change of the customs data.
  const overdue = () => lines.flatMap((line) => (JSON.parse(line) as { overdue?: string[] }).overdue ?? [])
  await expect
    .poll(() => overdue().filter((set) => set === 'tariff-eu (due 2021-02-01)').length, { timeout: 60_000 })
    .toBe(2)
  await app.close()
})

test('the service stops while reading a whole table waits for the database', async () => {
  const { app, clone } = await openTestApp()
  const isWaiting = async () => {
    const { rows } = await sql<{ waiting: number }>`
      SELECT count(*)::integer AS waiting FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(clone.db)
    return rows[0]?.waiting === 1
  }
  await clone.db.transaction().execute(async (transaction) => {
    await sql`LOCK TABLE capital IN ACCESS EXCLUSIVE MODE`.execute(transaction)
    await changeRevisioned(clone.db, RATE_BOOK, async (_trx, note) => note('a change'))
    await expect.poll(isWaiting, { timeout: 60_000 }).toBe(true)
    await app.close()
    expect(await isWaiting()).toBe(true)
  })
  await clone.drop()
})
