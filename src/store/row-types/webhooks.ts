/** Row types of webhooks. See migrations/018-webhooks.ts. */
import type { Generated } from 'kysely'
import type { EventType } from '../../core/shipments/event.ts'

export interface WebhookTableRows {
  webhook_endpoint: {
    endpoint_id: string
    account_id: string
    url: string
    types: EventType[] | null
    secret: string
    old_secret: string | null
    old_secret_until: Date | null
    created_at: Generated<Date>
    sequence: number
    failures: Generated<number>
    failing_since: Date | null
    next_try_at: Generated<Date>
    lease_until: Generated<Date>
    fence: Generated<number>
    disabled_at: Date | null
  }
  webhook_delivery: {
    delivery_id: Generated<number>
    endpoint_id: string
    sequence: number
    at: Generated<Date>
    duration_ms: number
    status: number | null
    failure: string | null
  }
}
