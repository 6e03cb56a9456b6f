/**
 * POST /partners-api/v1/shipments/{shipmentId}/cancel on the wire. A body, if there is one, is not looked at.
 * Source: specification 2.8, 4.3 and 7.1; decision 20 of the README.
 */
import { cancelShipment } from '../operations/cancel-shipment.ts'
import type { Caller } from '../operations/ports/caller.ts'
import type { Ports } from '../operations/ports/ports.ts'
import type { WireAnswer } from './wire.ts'

/** Seconds after which repeating the call is likely to tell how the cancellation ended. */
const RETRY_AFTER_SECONDS = 5

/**
 * Cancels for an identified caller. Throws what the operation throws, such as an outage before anything was
 * sent.
 */
export async function postCancelShipment(
  ports: Ports,
  caller: Caller,
  shipmentId: string,
): Promise<WireAnswer> {
  const outcome = await cancelShipment(ports, caller, shipmentId)
  switch (outcome.kind) {
    case 'ShipmentCancelled':
      return { status: 200, body: { cancelled: true, message: outcome.message } }
    case 'ShipmentNotCancelled':
      // Retryable means that nothing was sent: not the carrier's no, which a 409 would tell.
      return outcome.retryable
        ? { status: 503, body: cancelFault(outcome.message), retryAfterSeconds: RETRY_AFTER_SECONDS }
        : { status: 409, body: cancelFault(outcome.message) }
    case 'CancellationPending':
      // Neither 409, after which the partner would ship, nor success: nobody knows yet.
      return { status: 504, body: cancelFault(outcome.message), retryAfterSeconds: RETRY_AFTER_SECONDS }
    case 'ShipmentNotFound':
      // A plain JSON string, not an object (specification 7.1).
      return { status: 404, body: outcome.message }
  }
}

/** The body of every answer that is no cancellation, but for the 404. */
export function cancelFault(message: string) {
  return { cancelled: false, message }
}
