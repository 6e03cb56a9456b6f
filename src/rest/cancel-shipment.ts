/**
 * POST /partners-api/v1/shipments/{shipmentId}/cancel: one response per outcome. The request body is ignored.
 * See docs/rest-contract.md#cancellation and docs/rest-contract.md#r20.
 */
import { CANCEL_RETRY_AFTER_SECONDS } from '../core/shipments/cancellation.ts'
import type { JsonResponse } from '../http/json-response.ts'
import { type Canceller, cancelShipment } from '../operations/cancel-shipment.ts'
import type { Ports } from '../operations/ports/ports.ts'

export async function postCancelShipment(
  ports: Ports,
  by: Canceller,
  shipmentId: string,
): Promise<JsonResponse> {
  const outcome = await cancelShipment(ports, by, shipmentId)
  switch (outcome.kind) {
    case 'ShipmentCancelled':
      return { status: 200, body: { cancelled: true, message: outcome.message } }
    case 'ShipmentNotCancelled':
      // Retryable: nothing was sent to the carrier. 409 would mean that the carrier refused.
      return outcome.retryable
        ? { status: 503, body: cancelFault(outcome.message), retryAfterSeconds: CANCEL_RETRY_AFTER_SECONDS }
        : { status: 409, body: cancelFault(outcome.message) }
    case 'CancellationPending': {
      // The outcome is still unknown. A 200 would say that the parcel must not be sent, a 409 that it can be.
      const { message, retryAfterSeconds } = outcome
      return { status: 504, body: cancelFault(message), retryAfterSeconds }
    }
    case 'ShipmentNotFound':
      // The contract requires a JSON string here, not an object.
      return { status: 404, body: outcome.message }
  }
}

/** The error body of this endpoint, except for 404. */
export function cancelFault(message: string) {
  return { cancelled: false, message }
}
