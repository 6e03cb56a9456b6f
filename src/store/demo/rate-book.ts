/** The demo rate book: six invented carriers, published as version 1 of the card "demo". */
import type { Kysely } from 'kysely'
import { readDemoRateBook } from '../../reference/rate-card-csv.ts'
import type { Database } from '../database.ts'
import { publishRateCard } from '../rate-book.ts'

const DEMO_CARD = 'demo'

/** Publishes the demo rate book unless some version of it is there. */
export async function seedDemoRateBook(db: Kysely<Database>): Promise<void> {
  const present = await db
    .selectFrom('rate_card_version')
    .select('version_id')
    .where('rate_card_code', '=', DEMO_CARD)
    .executeTakeFirst()
  if (present !== undefined) return
  const folder = readDemoRateBook()
  await publishRateCard(db, { code: DEMO_CARD, name: 'Demo rate book', validFrom: '2026-01-01', folder })
}

/** Removes every version of the demo rate book and publishes it anew as version 1. */
export async function resetDemoRateBook(db: Kysely<Database>): Promise<void> {
  await db.deleteFrom('rate_card_version').where('rate_card_code', '=', DEMO_CARD).execute()
  await seedDemoRateBook(db)
}
