/** Statements with plain parameters are sent by our own query. It must give what the query of pg gives. */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { isPlain } from '../../../src/store/database/compiled-statement.ts'
import type { Database } from '../../../src/store/database/database.ts'
import { openDatabase } from '../../../src/store/database/open.ts'
import { isOutage } from '../../../src/store/database/outage.ts'
import { type ClonedDatabase, cloneDatabase } from '../../support/database/clone-database.ts'

let clone: ClonedDatabase
const opened: Kysely<Database>[] = []
beforeAll(async () => {
  clone = await cloneDatabase()
})
afterEach(async () => {
  for (const db of opened.splice(0)) await db.destroy()
})
afterAll(() => clone.drop())

function openOne(statementTimeoutMs = 3_000): Kysely<Database> {
  const db = openDatabase(clone.source, { poolSize: 1, statementTimeoutMs })
  opened.push(db)
  return db
}

async function pidOf(db: Kysely<Database>): Promise<number | undefined> {
  return (await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(db)).rows[0]?.pid
}

test('dates, arrays, buffers and objects are left to pg', () => {
  expect(isPlain(['a', 1, true, null, undefined])).toBe(true)
  for (const value of [new Date(), ['a'], Buffer.from('a'), { a: 1 }])
    expect(isPlain(['a', value])).toBe(false)
})

describe('the result is that of pg for', () => {
  test.each([
    ['values of all types', "1 AS one, 'é€😀' AS text, true AS yes, null AS nothing, 1.10::numeric AS exact"],
    [
      'converted values',
      "9007199254740991::bigint AS big, date '2024-02-29' AS day, array[1, null]::bigint[] AS bigs",
    ],
    ['structures', `'{"a": [1, "b"]}'::jsonb AS json, ARRAY['x', null] AS texts, '\\x01ff'::bytea AS bytes`],
    ['times', "timestamptz '2024-02-29 23:30:00-05' AS moment, interval '1 day' AS length"],
    ['columns of the same name', '1 AS a, 2 AS b, 3 AS a'],
    ['an empty text', "'' AS empty"],
  ])('%s', async (_name, columns) => {
    const db = openOne()
    const select = (condition: RawBuilder<unknown>) =>
      sql`SELECT ${sql.raw(columns)} FROM generate_series(1, 3) WHERE ${condition}`.execute(db)
    const ofPg = await select(sql`${['x']}::text[] IS NOT NULL`)
    expect(ofPg.rows).toHaveLength(3)
    expect(await select(sql`${'x'}::text IS NOT NULL`)).toEqual(ofPg)
  })

  test('parameters', async () => {
    const db = openOne()
    const parameters = [`'; -- "é€😀"\n\\`, '', -0.5, 1e21, 30_000, true, false, null, undefined]
    const columns = parameters.map((value, index) => sql`${value}::text AS ${sql.ref(`c${index}`)}`)
    const ofPlain = await sql`SELECT ${sql.join(columns)}`.execute(db)
    const ofPg = await sql`SELECT ${sql.join(columns)} WHERE ${['x']}::text[] IS NOT NULL`.execute(db)
    expect(ofPlain.rows).toEqual(ofPg.rows)
    expect(Object.values(ofPlain.rows[0] ?? {}).slice(0, 3)).toEqual([`'; -- "é€😀"\n\\`, '', '-0.5'])
  })

  test('changes, with the number of changed rows', async () => {
    const db = openOne()
    await sql`CREATE TABLE boxes (id int, size int)`.execute(db)
    const insert = await sql`INSERT INTO boxes SELECT n, 1 FROM generate_series(1, ${12}::int) n`.execute(db)
    const update = await sql`UPDATE boxes SET size = 2 WHERE id > ${2}`.execute(db)
    const none = await sql`DELETE FROM boxes WHERE id > ${100}`.execute(db)
    const returned = await sql`DELETE FROM boxes WHERE id = ${1} RETURNING size`.execute(db)
    expect([insert, update, none, returned]).toEqual([
      { numAffectedRows: 12n, rows: [] },
      { numAffectedRows: 10n, rows: [] },
      { numAffectedRows: 0n, rows: [] },
      { numAffectedRows: 1n, rows: [{ size: 1 }] },
    ])
  })
})

describe('the connection stays usable after', () => {
  test('a value that cannot be converted, also if rows follow', async () => {
    const db = openOne()
    const pid = await pidOf(db)
    const failed =
      sql`SELECT 9007199254740993 - ${'5'}::bigint * n AS n FROM generate_series(0, 1) n`.execute(db)
    await expect(failed).rejects.toThrow(RangeError)
    expect(await pidOf(db)).toBe(pid)
  })

  test('an error, and the same statement runs again', async () => {
    const db = openOne()
    const pid = await pidOf(db)
    const divide = (by: number) => sql<{ n: number }>`SELECT 6 / ${by}::int AS n`.execute(db)
    await expect(divide(0)).rejects.toMatchObject({ code: '22012', severity: 'ERROR' })
    expect((await divide(2)).rows).toEqual([{ n: 3 }])
    await expect(divide(0)).rejects.toMatchObject({ code: '22012' })
    await expect(sql`SELEC ${1}::int`.execute(db)).rejects.toMatchObject({ code: '42601' })
    expect((await divide(3)).rows).toEqual([{ n: 2 }])
    expect(await pidOf(db)).toBe(pid)
  })
})

test('an error has the stack of the caller', async () => {
  const failed = async () => sql`SELECT 1 / ${0}::int`.execute(openOne())
  const error = await failed().catch((thrown: unknown) => thrown)
  expect(String((error as Error).stack)).toContain('plain-query.test.ts')
})

test('a result that does not arrive in time is an outage, and its connection is not used again', async () => {
  const db = openOne(100)
  const pid = await pidOf(db)
  await sql`SELECT set_config('statement_timeout', '0', false)`.execute(db)
  const error = await sql`SELECT ${'late'}::text, pg_sleep(5)`.execute(db).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ message: 'Query read timeout' })
  expect(isOutage(error)).toBe(true)
  expect(await pidOf(db)).not.toBe(pid)
  expect((await sql`SELECT ${'next'}::text AS text`.execute(db)).rows).toEqual([{ text: 'next' }])
})
