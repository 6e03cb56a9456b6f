/**
 * The demonstration as a whole: accounts, rate book, shipments. Both functions are one transaction that begins with the
 * check for a production database, and they are the only ones that insert demo data.
 */
import { type Kysely, sql, type Transaction } from 'kysely'
import { type Database, inTransaction, OperatorError } from '../database/database.ts'
import { demoSecretsPresent, resetDemoAccounts, seedDemoAccounts } from './accounts.ts'
import { resetDemoRateBook, seedDemoRateBook } from './rate-book.ts'
import { resetDemoShipments, seedDemoShipments } from './shipments.ts'

/**
 * Adds what of the demonstration is missing; what is there stays as it is. Throws `OperatorError` on a database that has
 * been opened in production.
 */
export async function seedDemo(db: Kysely<Database>): Promise<void> {
  await inTransaction(db, async (trx) => {
    await refuseProductionDatabase(trx)
    await seedDemoAccounts(trx)
    await seedDemoRateBook(trx)
    await seedDemoShipments(trx)
  })
}

/**
 * Puts the demonstration back to its beginning. Other accounts and other rate cards stay as they are. Throws
 * `OperatorError` on a database that has been opened in production.
 */
export async function resetDemo(db: Kysely<Database>): Promise<void> {
  await inTransaction(db, async (trx) => {
    await refuseProductionDatabase(trx)
    await resetDemoAccounts(trx)
    await resetDemoRateBook(trx)
    await resetDemoShipments(trx)
  })
}

// Keeps the public demo secrets out of production databases. The first start in production marks the database, in the
// row of `production_use`; from then on nothing inserts demo data into it, whatever the environment of the process
// says. Both sides lock that row before they look, so a demo reset and a production start at the same time cannot
// both succeed.

/**
 * Marks the database as opened in production. Throws when a demo secret works in it; it is then not marked, so a
 * development database that somebody starts in production by mistake stays usable for development.
 */
export async function markProductionUse(db: Kysely<Database>): Promise<void> {
  // Read committed, whatever the server's default: the check has to see what was committed while the lock was awaited.
  await db
    .transaction()
    .setIsolationLevel('read committed')
    .execute(async (trx) => {
      // Locks the row. A transaction that is inserting demo data ends first, and the check below sees what it did.
      await sql`
      insert into production_use (since) values (clock_timestamp())
      on conflict (only_row) do update set since = coalesce(production_use.since, excluded.since)`.execute(
        trx,
      )
      if (await demoSecretsPresent(trx))
        throw new Error(
          'the database holds the demo accounts, whose secrets are public: production refuses it',
        )
    })
}

/**
 * Throws `OperatorError` on a marked database. To be called at the beginning of every transaction that inserts demo
 * data: until it ends, a production start waits.
 */
export async function refuseProductionDatabase(trx: Transaction<Database>): Promise<void> {
  const row = await trx.selectFrom('production_use').select('since').forUpdate().executeTakeFirst()
  // Without its row nothing is known about the database, so it is treated as marked.
  if (row === undefined || row.since !== null)
    throw new OperatorError(
      'this database has been opened in production, so it takes no demo data: the demo secrets are public',
    )
}
