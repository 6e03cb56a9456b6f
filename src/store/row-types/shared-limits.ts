/** Row types of what replicas share. See migrations/033-shared-limits.ts. */
import type { Generated } from 'kysely'

export interface SharedLimitTableRows {
  shared_spending: { name: string; slot: number; units: number }
  carrier_token: {
    /** A digest of the credentials, 32 bytes. */
    credentials: Buffer
    version: Generated<number>
    token: Buffer | null
    expires_at: Date | null
    fetching_until: Date | null
    paused_until: Date | null
    /** The HTTP status that caused the pause. */
    pause_status: number | null
    /** When a process last began to fetch a token. */
    claimed_at: Date
  }
}
