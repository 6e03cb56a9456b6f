/** The demonstration as a whole: accounts, rate book, shipments. */
import type { Kysely } from 'kysely'
import type { Database } from '../database.ts'
import { resetDemoAccounts, seedDemoAccounts } from './accounts.ts'
import { resetDemoRateBook, seedDemoRateBook } from './rate-book.ts'
import { resetDemoShipments, seedDemoShipments } from './shipments.ts'

/** Adds what of the demonstration is missing; what is there stays as it is. */
export async function seedDemo(db: Kysely<Database>): Promise<void> {
  await seedDemoAccounts(db)
  await seedDemoRateBook(db)
  await seedDemoShipments(db)
}

/** Puts the demonstration back to its beginning. Other accounts and other rate cards stay as they are. */
export async function resetDemo(db: Kysely<Database>): Promise<void> {
  await resetDemoAccounts(db)
  await resetDemoRateBook(db)
  await resetDemoShipments(db)
}
