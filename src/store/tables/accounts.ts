/** Row types of the tables of accounts (migration 0001). */
import type { Generated } from 'kysely'
import type { Caller } from '../../operations/ports/caller.ts'

/** The tables of accounts. `digest` is the SHA-256 of a secret: 32 bytes. */
export interface AccountTableRows {
  account: {
    account_id: string
    name: string
    transit_form: Generated<Caller['transitForm']>
    price_breakdown: Generated<boolean>
    created_at: Generated<Date>
  }
  api_key: {
    key_id: string
    account_id: string
    created_at: Generated<Date>
    revoked_at: Date | null
  }
  api_secret: {
    secret_id: Generated<number>
    key_id: string
    digest: Buffer
    created_at: Generated<Date>
    revoked_at: Date | null
  }
}

// Row type of the table that marks a production database (migration 0008).

/** One row. `since` is the first start in production; null on a database that had none. */
export interface ProductionUseTableRows {
  production_use: { only_row: Generated<boolean>; since: Date | null }
}
