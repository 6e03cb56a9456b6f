/** Statements that are compiled once. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { compiledStatement } from '../../../src/store/database/compiled-statement.ts'
import { type ClonedDatabase, cloneDatabase } from '../../support/database/clone-database.ts'

let clone: ClonedDatabase
beforeAll(async () => {
  clone = await cloneDatabase()
})
afterAll(() => clone.drop())

type Row = { readonly text: string; readonly sum: number }

test('a compiled statement gets the values of each execution, and is built once', async () => {
  const build = vi.fn()
  const add = compiledStatement<{ left: number; right: number; name: string }, Row>(
    ['left', 'right', 'name'],
    ({ left, right, name }) => {
      build()
      return sql`SELECT ${name}::text || ${name}::text AS text, ${right}::integer * 10 + ${left}::integer AS sum`
    },
  )
  expect(await add(clone.db, { left: 1, right: 2, name: 'a' })).toEqual([{ text: 'aa', sum: 21 }])
  expect(await add(clone.db, { left: 4, right: 3, name: "'; --" })).toEqual([{ text: "'; --'; --", sum: 34 }])
  expect(build).toHaveBeenCalledOnce()
})

test('a compiled statement can run in a transaction', async () => {
  const insert = compiledStatement<{ id: string }, { account_id: string }>(
    ['id'],
    ({ id }) => sql`INSERT INTO account (account_id, name) VALUES (${id}, 'X') RETURNING account_id`,
  )
  const failed = clone.db.transaction().execute(async (transaction) => {
    expect(await insert(transaction, { id: 'x' })).toEqual([{ account_id: 'x' }])
    throw new Error('rolled back')
  })
  await expect(failed).rejects.toThrow('rolled back')
  expect(await clone.db.selectFrom('account').selectAll().where('account_id', '=', 'x').execute()).toEqual([])
})
