/** Fills the template with reference data and demo data, as on a first start. */
import type { Kysely } from 'kysely'
import { loadCustomsData } from '../../../src/store/customs/customs.ts'
import type { Database } from '../../../src/store/database/database.ts'
import { seedDemo } from '../../../src/store/demo/reset.ts'

/** Fills the migrated template once per test run. */
export async function seedTemplate(db: Kysely<Database>): Promise<void> {
  await loadCustomsData(db)
  await seedDemo(db)
}
