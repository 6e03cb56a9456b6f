/** The secrets of option tokens in the database: created once, shared, and rotated with an overlap. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { digest } from '../../../src/store/accounts/signature.ts'
import { openTokenSecrets, rotateTokenSecret } from '../../../src/store/accounts/token-secrets.ts'
import { openDatabase } from '../../../src/store/database/open.ts'
import { type ClonedDatabase, cloneDatabase } from '../../support/database/clone-database.ts'

let clone: ClonedDatabase
beforeAll(async () => {
  clone = await cloneDatabase()
})
afterAll(() => clone.drop())
beforeEach(async () => {
  await sql`DELETE FROM token_secret`.execute(clone.db)
  await sql`INSERT INTO token_secret (secret_no) VALUES (1)`.execute(clone.db)
})

test('the migration creates a random secret, which all processes read', async () => {
  const other = openDatabase(clone.source)
  try {
    const [one] = (await openTokenSecrets(clone.db)).current()
    const [same] = (await openTokenSecrets(other)).current()
    expect(one).toHaveLength(32)
    expect(same).toEqual(one)
  } finally {
    await other.destroy()
  }
})

test('a rotation keeps the previous secret and deletes older ones', async () => {
  const [first] = (await openTokenSecrets(clone.db)).current()
  expect(await rotateTokenSecret(clone.db)).toBe(2)
  const [second, previous, ...others] = (await openTokenSecrets(clone.db)).current()
  expect(second).not.toEqual(first)
  expect([previous, others]).toEqual([first, []])
  expect(await rotateTokenSecret(clone.db)).toBe(3)
  const [third, ...older] = (await openTokenSecrets(clone.db)).current()
  expect(third).not.toEqual(second)
  expect(older).toEqual([second])
  const { rows } = await sql`SELECT secret_no FROM token_secret`.execute(clone.db)
  expect(rows).toHaveLength(2)
})

test('a database without a secret is refused, until one is created', async () => {
  await sql`DELETE FROM token_secret`.execute(clone.db)
  await expect(openTokenSecrets(clone.db)).rejects.toThrow('waybill token rotate')
  expect(await rotateTokenSecret(clone.db)).toBe(1)
  expect((await openTokenSecrets(clone.db)).current()).toHaveLength(1)
})

describe('a process', () => {
  test('reads the secrets again at most once a second', async () => {
    let now = 0
    const secrets = await openTokenSecrets(clone.db, [], () => now)
    const [first] = secrets.current()
    await rotateTokenSecret(clone.db)
    now = 999
    expect(await secrets.refresh()).toBe(false)
    expect(secrets.current()[0]).toEqual(first)
    now = 1_000
    expect(await Promise.all([secrets.refresh(), secrets.refresh()])).toEqual([true, true])
    expect(secrets.current()[1]).toEqual(first)
    now = 2_000
    expect(await secrets.refresh()).toBe(false)
  })

  test('signs with a new secret after a minute', async () => {
    let now = 0
    const secrets = await openTokenSecrets(clone.db, [], () => now)
    const [first] = secrets.current()
    await rotateTokenSecret(clone.db)
    now = 60_001
    expect(secrets.current()[0]).toEqual(first)
    await expect.poll(() => secrets.current()[1]).toEqual(first)
  })

  test('with configured secrets does not read the database', async () => {
    const [newest, previous] = ['n'.repeat(32), 'p'.repeat(32)]
    await sql`DELETE FROM token_secret`.execute(clone.db)
    const secrets = await openTokenSecrets(clone.db, [newest, previous])
    expect(secrets.current()).toEqual([digest(newest), digest(previous)])
    expect(await secrets.refresh()).toBe(false)
  })
})
