/**
 * Contracts of accounts (docs/rate-cards.md#contracts). An account has at most one contract per scope (a product, a
 * carrier, or everything) and first day. Setting it again replaces it. A term that a row does not state is inherited.
 */
import { type Kysely, sql, type Transaction } from 'kysely'
import { groupBy, mapValues } from '../../core/group-by.ts'
import {
  type ContractRow,
  type DiscountRow,
  FREIGHT,
  scopeText,
  type TurnoverRow,
} from '../../core/rating/contract.ts'
import { type Database, OperatorError } from '../database/database.ts'
import { changeRevisioned, RATE_BOOK } from '../database/revision.ts'
import { refuseUnknownCarrier } from './fuel.ts'

/** The names of terms in the column `inherited`, which lists those that a row does not state. */
const INHERITABLE = ['freight', 'fuel', 'hidden', 'card'] as const
const TERM_OF = { freight: 'freightBps', fuel: 'fuelBps', hidden: 'hidden', card: 'cardCode' } as const

export type ContractKey = Pick<ContractRow, 'accountId' | 'productId' | 'carrierCode' | 'validFrom'>

/**
 * Throws OperatorError if the account, product, carrier or rate card is unknown, or if both a product and a carrier are
 * given.
 */
export async function setContract(db: Kysely<Database>, row: ContractRow, previewed?: number): Promise<void> {
  const change = async (trx: Transaction<Database>, note: (what: string) => void): Promise<void> => {
    await refuseUnknownParts(trx, row)
    const terms = {
      valid_to: row.validTo ?? null,
      freight_bps: row.freightBps ?? 0,
      fuel_bps: row.fuelBps ?? 0,
      hidden: row.hidden ?? false,
      rate_card_code: row.cardCode ?? null,
      inherited: INHERITABLE.filter((name) => row[TERM_OF[name]] === undefined),
      minimum_cents: row.minimumCents ?? null,
    }
    const { contract_id } = await trx
      .insertInto('contract')
      .values({
        account_id: row.accountId,
        product_id: row.productId ?? null,
        carrier_code: row.carrierCode ?? null,
        valid_from: row.validFrom,
        ...terms,
      })
      .onConflict((conflict) => conflict.constraint('contract_scope').doUpdateSet(terms))
      .returning('contract_id')
      .executeTakeFirstOrThrow()
    await replaceDiscounts(trx, contract_id, row.discounts ?? [])
    note(`set the contract of ${contractName(row)}`)
  }
  await changeRevisioned(db, RATE_BOOK, change, previewed)
}

async function replaceDiscounts(
  trx: Transaction<Database>,
  contractId: number,
  discounts: readonly DiscountRow[],
): Promise<void> {
  await trx.deleteFrom('contract_discount').where('contract_id', '=', contractId).execute()
  if (discounts.length === 0) return
  await trx
    .insertInto('contract_discount')
    .values(
      discounts.map(({ appliesTo, zones, overGrams, upToGrams, turnoverCents, bps }) => ({
        contract_id: contractId,
        applies_to: appliesTo,
        zones: zones === undefined ? null : [...zones],
        over_grams: overGrams,
        up_to_grams: upToGrams ?? null,
        turnover_cents: turnoverCents,
        change_bps: bps,
      })),
    )
    .execute()
}

/** False if there was no such contract. */
export async function removeContract(
  db: Kysely<Database>,
  key: ContractKey,
  previewed?: number,
): Promise<boolean> {
  const change = async (trx: Transaction<Database>, note: (what: string) => void): Promise<boolean> => {
    const { numDeletedRows } = await trx
      .deleteFrom('contract')
      .where('account_id', '=', key.accountId)
      .where('product_id', 'is not distinct from', key.productId ?? null)
      .where('carrier_code', 'is not distinct from', key.carrierCode ?? null)
      .where('valid_from', '=', key.validFrom)
      .executeTakeFirst()
    if (numDeletedRows === 0n) return false
    note(`removed the contract of ${contractName(key)}`)
    return true
  }
  return changeRevisioned(db, RATE_BOOK, change, previewed)
}

/** By account and scope, newest first. */
export async function listContracts(db: Kysely<Database>, accountId?: string): Promise<ContractRow[]> {
  const rows = await db
    .selectFrom('contract')
    .selectAll()
    .$if(accountId !== undefined, (query) => query.where('account_id', '=', accountId!))
    .orderBy('account_id')
    .orderBy(sql`product_id NULLS LAST`)
    .orderBy(sql`carrier_code NULLS LAST`)
    .orderBy('valid_from', 'desc')
    .execute()
  const discounts = await listDiscounts(
    db,
    rows.map(({ contract_id }) => contract_id),
  )
  return rows.map((row) => ({
    accountId: row.account_id,
    ...(row.product_id !== null && { productId: row.product_id }),
    ...(row.carrier_code !== null && { carrierCode: row.carrier_code }),
    validFrom: row.valid_from,
    ...(row.valid_to !== null && { validTo: row.valid_to }),
    ...(!row.inherited.includes('freight') && { freightBps: row.freight_bps }),
    ...(!row.inherited.includes('fuel') && { fuelBps: row.fuel_bps }),
    ...(!row.inherited.includes('hidden') && { hidden: row.hidden }),
    ...(!row.inherited.includes('card') && { cardCode: row.rate_card_code }),
    ...(row.minimum_cents !== null && { minimumCents: row.minimum_cents }),
    ...(discounts.has(row.contract_id) && { discounts: discounts.get(row.contract_id)! }),
  }))
}

/** By contract. */
async function listDiscounts(
  db: Kysely<Database>,
  contractIds: readonly number[],
): Promise<ReadonlyMap<number, readonly DiscountRow[]>> {
  const rows = await db
    .selectFrom('contract_discount')
    .selectAll()
    .where('contract_id', '=', sql<number>`any(${contractIds}::bigint[])`)
    .orderBy('contract_id')
    .orderBy('applies_to')
    .orderBy(sql`zones NULLS LAST`)
    .orderBy('over_grams')
    .orderBy('up_to_grams')
    .orderBy('turnover_cents')
    .execute()
  return mapValues(
    groupBy(rows, ({ contract_id }) => contract_id),
    (group) =>
      group.map(
        (row): DiscountRow => ({
          appliesTo: row.applies_to,
          ...(row.zones !== null && { zones: row.zones }),
          overGrams: row.over_grams,
          ...(row.up_to_grams !== null && { upToGrams: row.up_to_grams }),
          turnoverCents: row.turnover_cents,
          bps: row.change_bps,
        }),
      ),
  )
}

export type TurnoverKey = Omit<TurnoverRow, 'turnoverCents'>

/** Sets or replaces the turnover of a day. Throws OperatorError if the account or carrier is unknown. */
export async function setTurnover(db: Kysely<Database>, row: TurnoverRow, previewed?: number): Promise<void> {
  const change = async (trx: Transaction<Database>, note: (what: string) => void): Promise<void> => {
    await refuseUnknownAccount(trx, row.accountId)
    if (row.carrierCode !== undefined) await refuseUnknownCarrier(trx, row.carrierCode)
    await trx
      .insertInto('contract_turnover')
      .values({
        account_id: row.accountId,
        carrier_code: row.carrierCode ?? null,
        valid_from: row.validFrom,
        turnover_cents: row.turnoverCents,
      })
      .onConflict((conflict) =>
        conflict.constraint('contract_turnover_scope').doUpdateSet({ turnover_cents: row.turnoverCents }),
      )
      .execute()
    note(`set the turnover of ${contractName(row)}`)
  }
  await changeRevisioned(db, RATE_BOOK, change, previewed)
}

/** False if there was no such turnover. */
export async function removeTurnover(
  db: Kysely<Database>,
  key: TurnoverKey,
  previewed?: number,
): Promise<boolean> {
  const change = async (trx: Transaction<Database>, note: (what: string) => void): Promise<boolean> => {
    const { numDeletedRows } = await trx
      .deleteFrom('contract_turnover')
      .where('account_id', '=', key.accountId)
      .where('carrier_code', 'is not distinct from', key.carrierCode ?? null)
      .where('valid_from', '=', key.validFrom)
      .executeTakeFirst()
    if (numDeletedRows === 0n) return false
    note(`removed the turnover of ${contractName(key)}`)
    return true
  }
  return changeRevisioned(db, RATE_BOOK, change, previewed)
}

/** By account and carrier, newest first. */
export async function listTurnovers(db: Kysely<Database>, accountId?: string): Promise<TurnoverRow[]> {
  const rows = await db
    .selectFrom('contract_turnover')
    .selectAll()
    .$if(accountId !== undefined, (query) => query.where('account_id', '=', accountId!))
    .orderBy('account_id')
    .orderBy(sql`carrier_code NULLS LAST`)
    .orderBy('valid_from', 'desc')
    .execute()
  return rows.map((row) => ({
    accountId: row.account_id,
    ...(row.carrier_code !== null && { carrierCode: row.carrier_code }),
    validFrom: row.valid_from,
    turnoverCents: row.turnover_cents,
  }))
}

/**
 * Throws OperatorError for an unknown account, product, carrier or card, because a contract with a misspelt code would
 * never apply.
 */
export async function refuseUnknownParts(db: Kysely<Database>, row: ContractRow): Promise<void> {
  const { accountId, productId, carrierCode, cardCode } = row
  if (productId !== undefined && carrierCode !== undefined)
    throw new OperatorError('a contract is for a product, for a carrier, or for everything')
  await refuseUnknownAccount(db, accountId)
  if (carrierCode !== undefined) await refuseUnknownCarrier(db, carrierCode)
  if (productId !== undefined) await refuseUnknownProduct(db, productId)
  if (cardCode != null) await refuseUnknownCard(db, cardCode)
  await refuseUnknownSurcharges(db, row)
}

/** A fuel surcharge is changed by `fuelBps`. */
async function refuseUnknownSurcharges(
  db: Kysely<Database>,
  { discounts = [], carrierCode, productId }: ContractRow,
): Promise<void> {
  const codes = new Set(discounts.map(({ appliesTo }) => appliesTo))
  codes.delete(FREIGHT)
  if (codes.size === 0) return
  const { rows } = await sql<{ code: string; method: string }>`
    WITH open_version AS (SELECT version_id FROM rate_card_version WHERE status <> 'withdrawn'),
      concerned AS (SELECT DISTINCT version_id, carrier_code FROM product JOIN open_version USING (version_id)
        WHERE (${carrierCode ?? null}::text IS NULL OR carrier_code = ${carrierCode ?? null})
          AND (${productId ?? null}::integer IS NULL OR product_id = ${productId ?? null}))
    SELECT DISTINCT surcharge_code AS code, method FROM surcharge JOIN concerned USING (version_id, carrier_code)
    UNION
    SELECT DISTINCT service, 'service' FROM service JOIN concerned USING (version_id, carrier_code)`.execute(
    db,
  )
  for (const code of codes) {
    const known = rows.filter((row) => row.code === code)
    if (known.length === 0)
      throw new OperatorError(`no rate card has a surcharge or service ${code} for these products`)
    if (known.some(({ method }) => method === 'fuel'))
      throw new OperatorError(`${code} is a fuel surcharge: state its change with --fuel`)
  }
}

export async function refuseUnknownAccount(db: Kysely<Database>, accountId: string): Promise<void> {
  const account = await db
    .selectFrom('account')
    .select('account_id')
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  if (account === undefined) throw new OperatorError(`there is no account ${accountId}`)
}

/** Throws OperatorError if no version of a rate card has the product. */
export async function refuseUnknownProduct(db: Kysely<Database>, productId: number): Promise<void> {
  const known = await db
    .selectFrom('product')
    .select('product_id')
    .where('product_id', '=', productId)
    .limit(1)
    .executeTakeFirst()
  if (known === undefined) throw new OperatorError(`no rate card has a product ${productId}`)
}

async function refuseUnknownCard(db: Kysely<Database>, cardCode: string): Promise<void> {
  const known = await db
    .selectFrom('rate_card')
    .select('audience')
    .where('rate_card_code', '=', cardCode)
    .executeTakeFirst()
  if (known === undefined) throw new OperatorError(`there is no rate card ${cardCode}`)
  if (known.audience === 'cost')
    throw new OperatorError(
      `${cardCode} is a cost card: it has the prices that you pay, not those that you sell at`,
    )
}

function contractName(key: Omit<ContractKey, 'productId'> & Pick<ContractRow, 'productId'>): string {
  return `${key.accountId} for ${scopeText(key)} from ${key.validFrom}`
}
