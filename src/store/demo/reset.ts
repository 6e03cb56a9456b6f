/**
 * Seeds and resets the demo data, and keeps its public secrets out of production databases. Only these functions insert
 * demo data. The first start in production marks the database in the row of `production_use`. A marked database refuses
 * demo data regardless of the settings of the process. Seeds, resets and production starts lock that row first, so demo
 * data and a production mark cannot be written at the same time. See docs/operations.md#production-databases.
 */
import { type Kysely, sql, type Transaction } from 'kysely'
import { type Database, inTransaction, OperatorError } from '../database/database.ts'
import { demoSecretsPresent, resetDemoAccounts, seedDemoAccounts } from './accounts.ts'
import { resetDemoRateBook, seedDemoRateBook } from './rate-book.ts'
import { resetDemoShipments, seedDemoShipments } from './shipments.ts'

/** Adds missing demo data. Throws OperatorError if the database was used in production. */
export function seedDemo(db: Kysely<Database>): Promise<void> {
  return changeDemo(db, [seedDemoAccounts, seedDemoRateBook, seedDemoShipments])
}

/** Restores the demo data. Throws OperatorError if the database was used in production. */
export function resetDemo(db: Kysely<Database>): Promise<void> {
  return changeDemo(db, [resetDemoAccounts, resetDemoRateBook, resetDemoShipments])
}

/** Runs the steps in one transaction, in this order. */
async function changeDemo(
  db: Kysely<Database>,
  steps: readonly ((trx: Transaction<Database>) => Promise<void>)[],
): Promise<void> {
  await inTransaction(db, async (trx) => {
    await refuseProductionDatabase(trx)
    for (const step of steps) await step(trx)
  })
}

/**
 * Marks the database as used in production. Throws without marking it if a demo secret is valid. A development database
 * that is started in production mode by mistake can therefore still be used for development.
 */
export async function markProductionUse(db: Kysely<Database>): Promise<void> {
  // READ COMMITTED, because the check must see what was committed while this transaction waited for the lock.
  await db
    .transaction()
    .setIsolationLevel('read committed')
    .execute(async (trx) => {
      // Waits for transactions that insert demo data.
      await sql`
        INSERT INTO production_use (since) VALUES (clock_timestamp())
        ON CONFLICT (only_row) DO UPDATE SET since = coalesce(production_use.since, excluded.since)`.execute(
        trx,
      )
      if (await demoSecretsPresent(trx))
        throw new Error(
          'production refuses this database: it contains demo accounts, whose secrets are public',
        )
    })
}

/**
 * Throws OperatorError if the database is marked. Call it first in a transaction that inserts demo data: a production
 * start waits until that transaction ends.
 */
export async function refuseProductionDatabase(trx: Transaction<Database>): Promise<void> {
  const row = await trx.selectFrom('production_use').select('since').forUpdate().executeTakeFirst()
  // A missing row counts as marked.
  if (row === undefined || row.since !== null)
    throw new OperatorError(
      'demo data is refused because the database was used in production: the demo secrets are public',
    )
}
