/** Row types of accounts and of the production mark. See migrations/001-accounts.ts. */
import type { Generated } from 'kysely'
import type { Caller } from '../../operations/ports/caller.ts'

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
    /** SHA-256 of the secret, 32 bytes. */
    digest: Buffer
    created_at: Generated<Date>
    revoked_at: Date | null
  }
}

/** One row. `since` is the time of the first start in production, null if there was none. */
export interface ProductionUseTableRows {
  production_use: { only_row: Generated<boolean>; since: Date | null }
}
