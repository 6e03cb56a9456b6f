/** Idempotency keys of drafts. A key and its draft are inserted by one statement. See docs/checkout.md. */
import { type Kysely, sql } from 'kysely'
import type { NewDraftShipment } from '../../core/shipments/draft-shipment.ts'
import type { Shipment } from '../../core/shipments/shipment.ts'
import type { DraftKey, KeyedDraft, ShipmentStore } from '../../operations/ports/shipments.ts'
import { digest } from '../accounts/signature.ts'
import type { Database } from '../database/database.ts'
import { SHIPMENT_COLUMNS, shipmentOf } from '../row-types/shipments.ts'

/** The part of the shipment store about keys. */
export type DraftKeyStore = Pick<ShipmentStore, 'keyedDraft' | 'insertKeyedDraft' | 'expireDraftKeys'>

/** A key as it is stored. `inputDigest` has 32 bytes. */
export type KeyDigest = { readonly key: string; readonly inputDigest: Buffer }

type InsertDraft = (accountId: string, draft: NewDraftShipment, key: KeyDigest) => Promise<Shipment>

const IS_EXPIRED = sql<boolean>`draft_key.created_at < clock_timestamp() - interval '24 hours'`

/** An expired key has to be deleted before it is used again, and another process may then be faster. */
const TRIES = 3

/** `insertDraft` rejects with a unique violation if the account has the key. */
export function draftKeyStore(db: Kysely<Database>, insertDraft: InsertDraft): DraftKeyStore {
  return {
    keyedDraft: (accountId, key) => keyedDraft(db, accountId, digestOf(key)),

    async insertKeyedDraft(accountId, draftKey, draft) {
      const key = digestOf(draftKey)
      for (let tries = 1; ; tries += 1)
        try {
          return { shipment: await insertDraft(accountId, draft, key), isSameInput: true, isNew: true }
        } catch (error) {
          if (!isKeyInUse(error) || tries === TRIES) throw error
          const existing = await keyedDraft(db, accountId, key)
          if (existing !== undefined) return existing
          await db
            .deleteFrom('draft_key')
            .where('account_id', '=', accountId)
            .where('idempotency_key', '=', key.key)
            .where(IS_EXPIRED)
            .execute()
        }
    },

    async expireDraftKeys(limit) {
      const { rows } = await sql`
        WITH due AS (
          SELECT account_id, idempotency_key FROM draft_key WHERE ${IS_EXPIRED}
            ORDER BY created_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
        )
        DELETE FROM draft_key USING due
          WHERE draft_key.account_id = due.account_id AND draft_key.idempotency_key = due.idempotency_key
          RETURNING 1`.execute(db)
      return rows.length
    },
  }
}

async function keyedDraft(
  db: Kysely<Database>,
  accountId: string,
  { key, inputDigest }: KeyDigest,
): Promise<KeyedDraft | undefined> {
  const row = await db
    .selectFrom('draft_key')
    .innerJoin('shipment', (join) =>
      join
        .onRef('shipment.shipment_id', '=', 'draft_key.shipment_id')
        .on('shipment.account_id', '=', accountId),
    )
    .select(SHIPMENT_COLUMNS.map((column) => `shipment.${column}` as const))
    .select('input_digest')
    .where('draft_key.account_id', '=', accountId)
    .where('idempotency_key', '=', key)
    .where(({ not }) => not(IS_EXPIRED))
    .executeTakeFirst()
  if (row === undefined) return undefined
  const isSameInput = row.input_digest.equals(inputDigest)
  return { shipment: shipmentOf(row), isSameInput, isNew: false }
}

function digestOf({ key, input }: DraftKey): KeyDigest {
  return { key, inputDigest: digest(input) }
}

/** unique_violation of the primary key. That of a partition or a shard has another name. */
function isKeyInUse(error: unknown): boolean {
  const { code, constraint } = Object(error) as { readonly code?: unknown; readonly constraint?: unknown }
  return code === '23505' && String(constraint).startsWith('draft_key_')
}
