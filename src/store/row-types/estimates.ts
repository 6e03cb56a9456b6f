/** Row types of kept estimates. See migrations/021-kept-estimates.ts. */
import type { ColumnType, Generated } from 'kysely'
import type { EstimateSnapshot, KeptEstimate } from '../../core/customs/kept-estimate.ts'

export interface EstimateTableRows {
  kept_estimate: {
    estimate_id: string
    account_id: string
    created_at: Generated<Date>
    expires_at: Date
    idempotency_key: string | null
    input_digest: Buffer | null
    shipment_id: string | null
    reference: string | null
    content: ColumnType<EstimateSnapshot, string, never>
    content_bytes: number
  }
}

export type EstimateRow = {
  readonly estimate_id: string
  readonly created_at: Date
  readonly expires_at: Date
  readonly shipment_id: string | null
  readonly reference: string | null
  readonly content: EstimateSnapshot
}

export function estimateOf(row: EstimateRow): KeptEstimate {
  return {
    ...row.content,
    estimateId: row.estimate_id,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    ...(row.shipment_id !== null && { shipmentId: row.shipment_id }),
    ...(row.reference !== null && { reference: row.reference }),
  }
}
