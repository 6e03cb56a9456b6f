/**
 * The demonstration as a whole: accounts, rate book, shipments. Both functions are one transaction that begins with the
 * check for a production database, and they are the only ones that insert demo data.
 */
import type { Kysely } from 'kysely'
import type { Database } from '../database.ts'
import { inTransaction } from '../in-transaction.ts'
import { refuseProductionDatabase } from '../production-use.ts'
import { resetDemoAccounts, seedDemoAccounts } from './accounts.ts'
import { resetDemoRateBook, seedDemoRateBook } from './rate-book.ts'
import { resetDemoShipments, seedDemoShipments } from './shipments.ts'

/**
 * Adds what of the demonstration is missing; what is there stays as it is. Throws `DemoRefusal` on a database that has
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
 * `DemoRefusal` on a database that has been opened in production.
 */
export async function resetDemo(db: Kysely<Database>): Promise<void> {
  await inTransaction(db, async (trx) => {
    await refuseProductionDatabase(trx)
    await resetDemoAccounts(trx)
    await resetDemoRateBook(trx)
    await resetDemoShipments(trx)
  })
}
