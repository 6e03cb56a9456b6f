/** Margins on cost cards (docs/rate-cards.md#buy-and-sell). They are replaced as a whole. */
import { type Kysely, sql, type Transaction } from 'kysely'
import { type MarginRow, marginName } from '../../core/rating/margin.ts'
import { type Database, OperatorError } from '../database/database.ts'
import { changeRevisioned, RATE_BOOK } from '../database/revision.ts'
import { refuseUnknownAccount, refuseUnknownProduct } from './contracts.ts'
import { refuseUnknownCarrier } from './fuel.ts'

/** Rows of one statement. The protocol permits 65,535 parameters, and a row has 12. */
const CHUNK = 5_000

/**
 * Replaces all margins. Throws OperatorError for an unknown account, product or carrier, and if the rate book has
 * another revision than `previewed`.
 */
export async function replaceMargins(
  db: Kysely<Database>,
  rows: readonly MarginRow[],
  previewed?: number,
): Promise<void> {
  const change = async (trx: Transaction<Database>, note: (what: string) => void): Promise<void> => {
    await refuseUnknownNames(trx, rows)
    await trx.deleteFrom('margin').execute()
    for (let at = 0; at < rows.length; at += CHUNK)
      await trx
        .insertInto('margin')
        .values(rows.slice(at, at + CHUNK).map(columnsOf))
        .execute()
    note(`set ${rows.length} margins`)
  }
  await changeRevisioned(db, RATE_BOOK, change, previewed)
}

function columnsOf(row: MarginRow) {
  return {
    account_id: row.accountId ?? null,
    product_id: row.productId ?? null,
    carrier_code: row.carrierCode ?? null,
    zones: row.zones === undefined ? null : [...row.zones],
    over_grams: row.overGrams,
    up_to_grams: row.upToGrams ?? null,
    percent_bps: row.percentBps,
    amount_cents: row.amountCents,
    minimum_cents: row.minimumCents,
    ending_cents: row.endingCents ?? null,
    valid_from: row.validFrom,
    valid_to: row.validTo ?? null,
  }
}

/** Throws OperatorError if the account, product or carrier of a row is unknown: the margin would never apply. */
async function refuseUnknownNames(db: Kysely<Database>, rows: readonly MarginRow[]): Promise<void> {
  const both = rows.find(({ productId, carrierCode }) => productId !== undefined && carrierCode !== undefined)
  if (both !== undefined)
    throw new OperatorError(
      `a margin is for a product, for a carrier, or for everything: ${marginName(both)}`,
    )
  for (const id of new Set(rows.flatMap(({ accountId }) => accountId ?? [])))
    await refuseUnknownAccount(db, id)
  for (const code of new Set(rows.flatMap(({ carrierCode }) => carrierCode ?? [])))
    await refuseUnknownCarrier(db, code)
  for (const id of new Set(rows.flatMap(({ productId }) => productId ?? [])))
    await refuseUnknownProduct(db, id)
}

/** The names that margins may have. */
export async function readNames(db: Kysely<Database>): Promise<{
  readonly accounts: ReadonlySet<string>
  readonly carriers: ReadonlySet<string>
  readonly products: ReadonlySet<number>
}> {
  const accounts = await db.selectFrom('account').select('account_id').execute()
  const carriers = await db.selectFrom('carrier').select('carrier_code').execute()
  const products = await db.selectFrom('product').select('product_id').distinct().execute()
  return {
    accounts: new Set(accounts.map((row) => row.account_id)),
    carriers: new Set(carriers.map((row) => row.carrier_code)),
    products: new Set(products.map((row) => row.product_id)),
  }
}

/** By account, scope, first day and cell. */
export async function listMargins(db: Kysely<Database>): Promise<MarginRow[]> {
  const rows = await db
    .selectFrom('margin')
    .selectAll()
    .orderBy(sql`account_id NULLS FIRST`)
    .orderBy(sql`product_id NULLS LAST`)
    .orderBy(sql`carrier_code NULLS LAST`)
    .orderBy('valid_from', 'desc')
    .orderBy(sql`zones NULLS LAST`)
    .orderBy('over_grams')
    .orderBy('up_to_grams')
    .execute()
  return rows.map(
    (row): MarginRow => ({
      ...(row.account_id !== null && { accountId: row.account_id }),
      ...(row.product_id !== null && { productId: row.product_id }),
      ...(row.carrier_code !== null && { carrierCode: row.carrier_code }),
      ...(row.zones !== null && { zones: row.zones }),
      overGrams: row.over_grams,
      ...(row.up_to_grams !== null && { upToGrams: row.up_to_grams }),
      percentBps: row.percent_bps,
      amountCents: row.amount_cents,
      minimumCents: row.minimum_cents,
      ...(row.ending_cents !== null && { endingCents: row.ending_cents }),
      validFrom: row.valid_from,
      ...(row.valid_to !== null && { validTo: row.valid_to }),
    }),
  )
}
