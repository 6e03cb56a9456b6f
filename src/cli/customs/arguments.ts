/** What words of the customs commands may be; a word that does not fit is refused with exit code 2. */
import { InvalidArgumentError } from 'commander'
import type { Kysely } from 'kysely'
import { CUSTOMS_TABLES } from '../../core/customs/data/layers.ts'
import type { CustomsTableName } from '../../core/customs/data/rows.ts'
import { loadCustomsData } from '../../store/customs/customs.ts'
import { type CustomsSet, listCustomsSets } from '../../store/customs/publication.ts'
import type { Database } from '../../store/database/database.ts'
import type { OpenDatabase, WithDatabase } from '../terminal/database.ts'
import { Refusal } from '../terminal/errors.ts'

/** The name of a data set. */
export function setName(text: string): string {
  if (!/^[a-z0-9-]{1,60}$/.test(text))
    throw new InvalidArgumentError('1 to 60 of a-z, 0-9 and - are allowed.')
  return text
}

/** A jurisdiction or customs area: "GB", "EU", "CH-SAMNAUN". */
export function jurisdiction(text: string): string {
  if (!/^[A-Z][A-Z-]{1,29}$/.test(text))
    throw new InvalidArgumentError('A code in capital letters such as GB or EU is expected.')
  return text
}

/** A table of the customs data: "taxRates" or "tax-rates". */
export function tableName(text: string): CustomsTableName {
  const table = parseTableName(text)
  if (table === undefined)
    throw new InvalidArgumentError(`It is one of ${CUSTOMS_TABLES.map(wordOfTable).join(', ')}.`)
  return table
}

/** The same for a text that may mean something else; undefined when it does. */
export function parseTableName(text: string): CustomsTableName | undefined {
  return CUSTOMS_TABLES.find((table) => table === text || wordOfTable(table) === text)
}

/** "taxRates" as "tax-rates". */
export function wordOfTable(table: CustomsTableName): string {
  return table.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

// The customs data as the commands find them. Decided here: a database that no service has started on yet gets the
// shipped sets first, since every comparison is with them; one that has them keeps them as they are, for they belong
// to the version of the services that run.

/** Opens the database with the shipped customs data in it. */
export type WithCustoms = WithDatabase

/** The database of the customs commands. */
export function withCustomsOf(withDatabase: WithDatabase): WithCustoms {
  return (use) =>
    withDatabase(async (database: OpenDatabase) => {
      const sets = await listCustomsSets(database.db)
      if (!sets.some(({ shipped }) => shipped)) await loadCustomsData(database.db)
      return use(database)
    })
}

/** A data set. Throws a Refusal when there is none of that name. */
export async function customsSet(db: Kysely<Database>, name: string): Promise<CustomsSet> {
  const set = (await listCustomsSets(db)).find((other) => other.name === name)
  if (set === undefined) throw new Refusal(`there is no data set ${name}`)
  return set
}
