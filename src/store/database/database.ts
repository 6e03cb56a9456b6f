/**
 * The Kysely types of the tables, transactions, and the error class for operators. Row types are used inside `store`
 * only.
 */
import type { Generated, Kysely, Transaction } from 'kysely'
import type { Caller } from '../../operations/ports/caller.ts'
import type { Scope } from '../../operations/ports/key-rules.ts'
import type { CarrierCallTableRows } from '../row-types/carrier-calls.ts'
import type { CustomsTableRows } from '../row-types/customs.ts'
import type { EstimateTableRows } from '../row-types/estimates.ts'
import type { EventTableRows } from '../row-types/events.ts'
import type { RateBookTableRows } from '../row-types/rate-book.ts'
import type { SharedLimitTableRows } from '../row-types/shared-limits.ts'
import type { ShipmentTableRows } from '../row-types/shipments.ts'
import type { WebhookTableRows } from '../row-types/webhooks.ts'

/** Table name to row type. Columns with a default are `Generated`; bigint is read as a number. */
export interface Database
  extends AccountTableRows,
    ProductionUseTableRows,
    TokenSecretTableRows,
    RateBookTableRows,
    ShipmentTableRows,
    CarrierCallTableRows,
    SharedLimitTableRows,
    EventTableRows,
    EstimateTableRows,
    WebhookTableRows,
    CustomsTableRows {}

/** See migrations/001-accounts.ts. */
interface AccountTableRows {
  account: {
    account_id: string
    name: string
    transit_form: Generated<Caller['transitForm']>
    price_breakdown: Generated<boolean>
    count_averages: Generated<boolean>
    created_at: Generated<Date>
    agreed_revision: Generated<number>
  }
  agreed_code: {
    account_id: string
    sku: string
    /** 6 to 10 digits. */
    hs_code: string
    /** Of the goods when the code was agreed. */
    description: string
    agreed_at: Generated<Date>
  }
  account_registration: {
    account_id: string
    scheme: string
    number: string
    valid_from: string | null
    valid_to: string | null
  }
  api_key: {
    key_id: string
    account_id: string
    created_at: Generated<Date>
    revoked_at: Date | null
    label: string | null
    /** Null: all scopes, also those of later versions. */
    scopes: Scope[] | null
    /** Null: the limit of the service. */
    requests_per_minute: number | null
    expires_at: Date | null
    last_used_at: Date | null
    /** Null: the key has secrets. The next three columns are for publishable keys. */
    origins: string[] | null
    address_requests_per_minute: number | null
    /** 32 random bytes, with which checkout tokens are signed. */
    checkout_secret: Buffer | null
    needs_checkout_token: Generated<boolean>
  }
  /** See migrations/056-account-moves.ts. */
  account_move: {
    account_id: string
    move_id: string
    role: 'leaving' | 'left' | 'arriving'
    begun_at: Generated<Date>
    digests: Generated<string[]>
    release_code: string | null
    release_digest: string
    import_id: string | null
    had_left: Generated<boolean>
  }
  account_arrival: {
    move_id: string
    account_id: string
    opened_at: Generated<Date>
  }
  api_secret: {
    secret_id: Generated<number>
    key_id: string
    /** SHA-256 of the secret, 32 bytes. */
    digest: Buffer
    created_at: Generated<Date>
    revoked_at: Date | null
  }
}

/** See migrations/016-checkout.ts. */
interface TokenSecretTableRows {
  token_secret: {
    secret_no: number
    /** 32 random bytes. */
    secret: Generated<Buffer>
    created_at: Generated<Date>
  }
}

/** One row. `since` is the time of the first start in production, null if there was none. */
interface ProductionUseTableRows {
  production_use: { only_row: Generated<boolean>; since: Date | null }
}

/**
 * The state of the database does not allow a command, such as publishing a version twice. It is thrown so that the
 * transaction is rolled back. The message is for the operator and is printed without a stack.
 */
export class OperatorError extends Error {
  override readonly name = 'OperatorError'
}

/**
 * Runs `compile`, and converts a plain Error into an OperatorError, because the data in the database is inconsistent.
 * Subclasses such as TypeError are bugs and are thrown unchanged.
 */
export function asOperatorError<Result>(prefix: string, compile: () => Result): Result {
  try {
    return compile()
  } catch (error) {
    if (error instanceof Error && error.name === 'Error')
      throw new OperatorError(`${prefix}${error.message}`, { cause: error })
    throw error
  }
}

/** Runs `work` in a new transaction, or as part of `db` if that is a transaction already. */
export async function inTransaction<Result>(
  db: Kysely<Database>,
  work: (trx: Transaction<Database>) => Promise<Result>,
): Promise<Result> {
  return isTransaction(db) ? work(db) : db.transaction().execute(work)
}

/**
 * Runs `read` in a new read-only transaction whose statements all see the same state of the database, or as part of
 * `db` if that is a transaction already.
 */
export async function inSnapshot<Result>(
  db: Kysely<Database>,
  read: (trx: Transaction<Database>) => Promise<Result>,
): Promise<Result> {
  if (isTransaction(db)) return read(db)
  return db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read)
}

function isTransaction(db: Kysely<Database>): db is Transaction<Database> {
  return db.isTransaction
}
