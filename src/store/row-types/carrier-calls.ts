/** Row types of the records of calls to carriers. See migrations/028-carrier-calls.ts. */
import type { ColumnType, Generated } from 'kysely'
import type { CallPurpose, CarrierExchange } from '../../operations/ports/carrier-calls.ts'

export interface CarrierCallTableRows {
  carrier_call: {
    call_id: Generated<number>
    begun_at: ColumnType<Date, string, never>
    duration_ms: number
    purpose: CallPurpose
    carrier_code: string
    account_id: string
    subject: string
    attempt_id: string | null
    outcome: string
    cause: string | null
    exchanges: ColumnType<readonly CarrierExchange[], string, never>
  }
}
