/** Row types of the events of accounts. See migrations/017-events.ts. */
import type { Generated } from 'kysely'
import type { EventType } from '../../core/shipments/event.ts'
import type { RefusalCode, ShownState } from '../../core/shipments/shipment.ts'

export interface EventTableRows {
  account_event: {
    event_id: Generated<number>
    account_id: string
    sequence: number | null
    key: Generated<string>
    shipment_id: string
    type: EventType
    occurred_at: Generated<Date>
    state: ShownState
    tracking_number: string | null
    refusal_code: RefusalCode | null
  }
  account_event_head: {
    account_id: string
    sequence: number
  }
}
