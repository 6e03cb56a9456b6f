/**
 * Step tables of fuel surcharges, and the values of their indexes (docs/fuel.md). Entries are only added. The newest
 * one for each table or value applies, and an entry without content revokes the earlier ones.
 */
import { type Kysely, sql, type Transaction } from 'kysely'
import type { FuelIndexValue, FuelSources, FuelTable } from '../../core/rating/fuel/fuel-table.ts'
import type { Database } from '../database/database.ts'
import { changeRevisioned, RATE_BOOK } from '../database/revision.ts'
import { type FuelKey, listFuelRates, refuseUnknownCarrier } from './fuel.ts'

/** Everything that fuel figures follow from. */
export async function readFuel(db: Kysely<Database>): Promise<FuelSources> {
  const rates = (await listFuelRates(db)).map(({ enteredAt: _, ...rate }) => rate)
  return { rates, tables: await listFuelTables(db), values: await listIndexValues(db) }
}

/** The tables in force, by carrier and code, latest first day first. */
export async function listFuelTables(db: Kysely<Database>): Promise<FuelTable[]> {
  const rows = await db
    .selectFrom('fuel_table')
    .distinctOn(['carrier_code', 'fuel_code', 'valid_from'])
    .select(['carrier_code', 'fuel_code', 'valid_from', 'terms'])
    .orderBy('carrier_code')
    .orderBy('fuel_code')
    .orderBy('valid_from', 'desc')
    .orderBy('entry_id', 'desc')
    .execute()
  return rows.flatMap(({ carrier_code: carrierCode, fuel_code: code, valid_from: validFrom, terms }) =>
    terms === null ? [] : { carrierCode, code, validFrom, ...terms },
  )
}

/** The values in force, by index, latest first. */
export async function listIndexValues(db: Kysely<Database>): Promise<FuelIndexValue[]> {
  const rows = await db
    .selectFrom('fuel_index_value')
    .distinctOn(['index_code', 'day'])
    .select(['index_code', 'day', 'value_e4'])
    .orderBy('index_code')
    .orderBy('day', 'desc')
    .orderBy('entry_id', 'desc')
    .execute()
  return rows.flatMap(({ index_code: indexCode, day, value_e4: valueE4 }) =>
    valueE4 === null ? [] : { indexCode, day, valueE4 },
  )
}

/** Sets a table. Without terms, revokes the one of its day. Throws OperatorError for an unknown carrier. */
export async function setFuelTable(
  db: Kysely<Database>,
  { carrierCode, code, validFrom }: FuelKey,
  terms: Omit<FuelTable, keyof FuelKey> | undefined,
  previewed: number,
): Promise<void> {
  const change = async (trx: Transaction<Database>, note: (what: string) => void): Promise<void> => {
    await refuseUnknownCarrier(trx, carrierCode)
    const entry = { carrier_code: carrierCode, fuel_code: code, valid_from: validFrom }
    const stored = terms === undefined ? null : sql<string>`${JSON.stringify(terms)}::jsonb`
    await trx
      .insertInto('fuel_table')
      .values({ ...entry, terms: stored })
      .execute()
    const name = `fuel table ${carrierCode} ${code} from ${validFrom}`
    note(
      terms === undefined
        ? `revoked ${name}`
        : `set ${name}: ${terms.steps.length} steps of ${terms.indexCode}`,
    )
  }
  await changeRevisioned(db, RATE_BOOK, change, previewed)
}

/** A value, or undefined to revoke that of its index and day. */
export type IndexEntry = Omit<FuelIndexValue, 'valueE4'> & { readonly valueE4: number | undefined }

/** Sets all values or none. */
export async function setIndexValues(
  db: Kysely<Database>,
  entries: readonly IndexEntry[],
  previewed: number,
): Promise<void> {
  const change = async (trx: Transaction<Database>, note: (what: string) => void): Promise<void> => {
    for (const { indexCode, day, valueE4 } of entries) {
      await trx
        .insertInto('fuel_index_value')
        .values({ index_code: indexCode, day, value_e4: valueE4 ?? null })
        .execute()
      const name = `value of ${indexCode} of ${day}`
      note(valueE4 === undefined ? `revoked the ${name}` : `set the ${name} to ${valueE4} ten-thousandths`)
    }
  }
  await changeRevisioned(db, RATE_BOOK, change, previewed)
}
