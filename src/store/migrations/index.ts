/**
 * All migrations by name, in the order of their names. The list is written out so that the build includes the files.
 * From the first release on, migrations are only added; see "Change the database schema" in CONTRIBUTING.md.
 */
import { type Kysely, type Migration, sql } from 'kysely'
import { ACCOUNTS } from './001-accounts.ts'
import { RATE_CARDS } from './002-rate-cards.ts'
import { SHIPMENTS } from './003-shipments.ts'
import { CUSTOMS } from './004-customs.ts'
import { CANCELLATION_DOUBTS } from './005-cancellation-doubts.ts'

export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '001-accounts': statements(ACCOUNTS),
  '002-rate-cards': statements(RATE_CARDS),
  '003-shipments': statements(SHIPMENTS),
  '004-customs': statements(CUSTOMS),
  '005-cancellation-doubts': statements(CANCELLATION_DOUBTS),
}

function statements(list: readonly string[]): Migration {
  return {
    async up(db: Kysely<unknown>) {
      for (const statement of list) await sql.raw(statement).execute(db)
    },
  }
}
