/** Converts kept estimates to the types of the schema. */
import type { KeptEstimate } from '../../core/customs/kept-estimate.ts'
import type { ResolversParentTypes } from '../generated.ts'
import { orNull } from './duties.ts'
import { presentPlace } from './shipments.ts'
import { presentMoney } from './typed.ts'

export function presentKeptEstimate(estimate: KeptEstimate): ResolversParentTypes['KeptEstimate'] {
  const { estimateId, createdAt, expiresAt, date, complete, customsRevision, request, lines } = estimate
  return {
    id: estimateId,
    createdAt,
    expiresAt,
    date,
    complete,
    customsRevision,
    shipmentId: orNull(estimate.shipmentId),
    reference: orNull(estimate.reference),
    from: presentPlace(request.from),
    to: presentPlace(request.to),
    hsCode: orNull(estimate.hsCode),
    total: presentMoney(estimate.totalCents),
    customsValue: presentMoney(estimate.customsValueCents),
    lines: lines.map(({ amountCents, ...line }) => ({ ...line, amount: presentMoney(amountCents) })),
  }
}
