/**
 * The HS codes that accounts have agreed on for their products. Requests read them from memory: an API key brings the
 * revision of its account (credentials.ts), and the codes are read again when the revision is another one. See
 * docs/hs-classification.md#agreed-codes.
 */
import { type Kysely, sql, type Transaction } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { CodesBySku } from '../../operations/ports/caller.ts'
import { type Database, inTransaction, OperatorError } from '../database/database.ts'

type Db = Kysely<Database>

export type AgreedCode = {
  readonly sku: string
  /** 6 to 10 digits. */
  readonly code: string
  /** Of the goods when the code was agreed. */
  readonly description: string
}

/** ISO 8601 in UTC. */
export type ListedCode = AgreedCode & { readonly agreedAt: string }

/** Of one account. About 12 MB in memory. */
export const MAX_CODES = 100_000

/**
 * Stores codes. A code of the same product is replaced. Returns how many products have a new code; undefined if the
 * account does not exist. Each product must occur once. Throws OperatorError if the account would have too many codes.
 * Takes effect in all processes within 5 seconds.
 */
export async function agreeCodes(
  db: Db,
  accountId: string,
  codes: readonly AgreedCode[],
  maxCodes = MAX_CODES,
): Promise<number | undefined> {
  return changeCodes(db, accountId, async (trx) => {
    const { rows } = await sql<{ readonly sku: string }>`
      INSERT INTO agreed_code (account_id, sku, hs_code, description)
      SELECT ${accountId}, agreed.*
      FROM unnest(
        ${codes.map(({ sku }) => sku)}::text[],
        ${codes.map(({ code }) => code)}::text[],
        ${codes.map(({ description }) => description)}::text[]
      ) AS agreed
      ON CONFLICT (account_id, sku)
        DO UPDATE SET hs_code = EXCLUDED.hs_code, description = EXCLUDED.description, agreed_at = now()
        WHERE agreed_code.hs_code <> EXCLUDED.hs_code
      RETURNING sku`.execute(trx)
    const { count } = await trx
      .selectFrom('agreed_code')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow()
    if (count > maxCodes)
      throw new OperatorError(`account ${accountId} would have ${count} agreed codes; at most ${maxCodes}`)
    return rows.length
  })
}

/** Removes the code of a product. False if there is none. Takes effect like `agreeCodes`. */
export async function removeAgreedCode(db: Db, accountId: string, sku: string): Promise<boolean> {
  const removed = await changeCodes(db, accountId, async (trx) => {
    const rows = await trx
      .deleteFrom('agreed_code')
      .where('account_id', '=', accountId)
      .where('sku', '=', sku)
      .returning('sku')
      .execute()
    return rows.length
  })
  return (removed ?? 0) > 0
}

/**
 * A revision is a time in microseconds, so that a database that was restored to an earlier state never repeats one with
 * other codes.
 */
const NEXT_REVISION = sql<number>`greatest(
  agreed_revision + 1, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint)`

/** Runs a change and sets a new revision. Changes of an account run one after the other, because they lock it. */
async function changeCodes(
  db: Db,
  accountId: string,
  change: (trx: Transaction<Database>) => Promise<number>,
): Promise<number | undefined> {
  return inTransaction(db, async (trx) => {
    const account = await trx
      .updateTable('account')
      .set({ agreed_revision: NEXT_REVISION })
      .where('account_id', '=', accountId)
      .returning('account_id')
      .executeTakeFirst()
    return account && change(trx)
  })
}

/** Ordered by sku. */
export async function listAgreedCodes(db: Db, accountId: string): Promise<ListedCode[]> {
  const rows = await db
    .selectFrom('agreed_code')
    .select(['sku', 'hs_code', 'description', 'agreed_at'])
    .where('account_id', '=', accountId)
    .orderBy('sku')
    .execute()
  return rows.map((row) => ({
    sku: row.sku,
    code: row.hs_code,
    description: row.description,
    agreedAt: row.agreed_at.toISOString(),
  }))
}

/** Maximum number of codes in memory, of all accounts. The accounts that were used least recently are dropped. */
const MAX_IN_MEMORY = 400_000

/** The codes of accounts in memory. */
export type AgreedCodes = {
  /** The codes of an account at a revision, or newer ones. Not a promise if they are in memory. */
  codesOf(accountId: string, revision: number): CodesBySku | Promise<CodesBySku>
}

type Loaded = { readonly revision: number; readonly codes: CodesBySku }

/**
 * The key of a request may bring the revision before a change or before a restore of the database for 5 seconds. For so
 * long, it gets the codes that were read for it.
 */
const OTHER_REVISION_MS = 5_000

/** Needs no closing: there is no timer. */
export function openAgreedCodes(db: Db, maxInMemory = MAX_IN_MEMORY): AgreedCodes {
  /** By account and revision. */
  const known = new LRUCache<string, CodesBySku>({ maxSize: maxInMemory })
  const loading = new Map<string, Promise<Loaded>>()

  const load = async (accountId: string): Promise<Loaded> => {
    try {
      const loaded = await readCodes(db, accountId)
      const { revision, codes } = loaded
      known.set(`${accountId} ${revision}`, codes, { size: 1 + codes.size })
      return loaded
    } finally {
      loading.delete(accountId)
    }
  }
  const newest = async (accountId: string, revision: number): Promise<CodesBySku> => {
    const shared = loading.get(accountId)
    const running = shared ?? load(accountId)
    if (shared === undefined) loading.set(accountId, running)
    const loaded = await running
    if (loaded.revision === revision) return loaded.codes
    // A statement that another request has started may be older than this revision.
    if (shared !== undefined) return newest(accountId, revision)
    known.set(`${accountId} ${revision}`, loaded.codes, { size: 1, ttl: OTHER_REVISION_MS })
    return loaded.codes
  }
  return {
    codesOf: (accountId, revision) => known.get(`${accountId} ${revision}`) ?? newest(accountId, revision),
  }
}

/** One statement, so that the codes are those of the revision. */
async function readCodes(db: Db, accountId: string): Promise<Loaded> {
  const rows = await db
    .selectFrom('account')
    .leftJoin('agreed_code', 'agreed_code.account_id', 'account.account_id')
    .select(['account.agreed_revision', 'agreed_code.sku', 'agreed_code.hs_code'])
    .where('account.account_id', '=', accountId)
    .execute()
  const codes = new Map<string, string>()
  for (const { sku, hs_code } of rows) if (sku !== null && hs_code !== null) codes.set(sku, hs_code)
  return { revision: rows[0]?.agreed_revision ?? 0, codes }
}
