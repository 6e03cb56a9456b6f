/**
 * Contracts of accounts (docs/rate-cards.md#contracts). An account has at most one contract per scope (a product, a
 * carrier, or everything) and first day. Setting it again replaces it. A term that a row does not state is inherited.
 */
import { type Kysely, sql, type Transaction } from 'kysely'
import { type ContractRow, scopeText } from '../../core/rating/contract.ts'
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
    }
    await trx
      .insertInto('contract')
      .values({
        account_id: row.accountId,
        product_id: row.productId ?? null,
        carrier_code: row.carrierCode ?? null,
        valid_from: row.validFrom,
        ...terms,
      })
      .onConflict((conflict) => conflict.constraint('contract_scope').doUpdateSet(terms))
      .execute()
    note(`set the contract of ${contractName(row)}`)
  }
  await changeRevisioned(db, RATE_BOOK, change, previewed)
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
}

export async function refuseUnknownAccount(db: Kysely<Database>, accountId: string): Promise<void> {
  const account = await db
    .selectFrom('account')
    .select('account_id')
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  if (account === undefined) throw new OperatorError(`there is no account ${accountId}`)
}

async function refuseUnknownProduct(db: Kysely<Database>, productId: number): Promise<void> {
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
    .select('rate_card_code')
    .where('rate_card_code', '=', cardCode)
    .executeTakeFirst()
  if (known === undefined) throw new OperatorError(`there is no rate card ${cardCode}`)
}

function contractName(key: ContractKey): string {
  return `${key.accountId} for ${scopeText(key)} from ${key.validFrom}`
}
