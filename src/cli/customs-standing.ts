/**
 * The customs data as the commands find them. Decided here: a database that no service has started on yet gets the
 * shipped sets first, since every comparison is with them; one that has them keeps them as they are, for they belong
 * to the version of the services that run.
 */
import type { Kysely } from 'kysely'
import { loadCustomsReference } from '../store/customs.ts'
import { type CustomsSet, listCustomsSets } from '../store/customs-publication.ts'
import type { Database } from '../store/database.ts'
import type { OpenDatabase, WithDatabase } from './database.ts'
import { Refusal } from './output.ts'

/** Opens the database with the shipped customs data in it. */
export type WithCustoms = WithDatabase

/** The database of the customs commands. */
export function withCustomsOf(withDatabase: WithDatabase): WithCustoms {
  return (use) =>
    withDatabase(async (database: OpenDatabase) => {
      const sets = await listCustomsSets(database.db)
      if (!sets.some(({ shipped }) => shipped)) await loadCustomsReference(database.db)
      return use(database)
    })
}

/** A data set. Throws a Refusal when there is none of that name. */
export async function customsSet(db: Kysely<Database>, name: string): Promise<CustomsSet> {
  const set = (await listCustomsSets(db)).find((other) => other.name === name)
  if (set === undefined) throw new Refusal(`there is no data set ${name}`)
  return set
}
