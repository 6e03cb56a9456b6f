/** Cancels a shipment, and waits until the carrier has confirmed or refused. */
import type { WaybillClient } from './client.ts'
import {
  CancelShipmentDocument,
  type CancelShipmentMutation,
  type CancelShipmentMutationVariables,
} from './generated.ts'
import { abortable, type CallOptions } from './time.ts'

export type CancelResult = CancelShipmentMutation['cancelShipment']

export type PendingCancellation = Extract<CancelResult, { readonly __typename: 'CancellationPending' }>

export type CancelOptions = CallOptions & {
  /**
   * How long to wait for the outcome, in milliseconds. Default: 15 minutes. After this time, the service alerts its
   * operator if the carrier leaves the outcome open.
   */
  readonly maxWaitMs?: number | undefined
  /** Called with each pending result, for example to show progress. */
  readonly onPending?: ((pending: PendingCancellation) => void) | undefined
}

const FIFTEEN_MINUTES_MS = 15 * 60 * 1_000

/**
 * Repeats `cancelShipment` while the result is `CancellationPending`, after the pauses that the service gives. Returns
 * the outcome, or the last pending result when `maxWaitMs` is over. `cancelShipment` is safe to repeat, so this
 * function may be called again after an error.
 */
export async function cancelAndWait(
  client: WaybillClient,
  input: CancelShipmentMutationVariables['input'],
  { maxWaitMs = FIFTEEN_MINUTES_MS, onPending, ...call }: CancelOptions = {},
): Promise<CancelResult> {
  const end = Date.now() + maxWaitMs
  for (;;) {
    const { cancelShipment: result } = await client.request(CancelShipmentDocument, { input }, call)
    if (result.__typename !== 'CancellationPending') return result
    onPending?.(result)
    const pauseMs = result.retryAfterSeconds * 1_000
    if (Date.now() + pauseMs > end) return result
    await abortable(pauseMs, call.signal)
  }
}
