/** Operation: sends events to an endpoint of the caller's account again. See docs/webhooks.md#the-log-and-replays. */
import { type InputProblem, inputProblem, type ProblemCode } from '../core/problem.ts'
import type { Caller } from './ports/caller.ts'
import type { Ports } from './ports/ports.ts'
import type { WebhookEndpoint } from './ports/webhooks.ts'

/** The most events that one request sends again. */
export const REPLAYED_MAX = 10_000

export type WebhookReplayed = {
  readonly kind: 'WebhookReplayed'
  readonly endpoint: WebhookEndpoint
  /** Whether the event of the delivery had been sent again before, so that nothing was changed. */
  readonly alreadyReplayed: boolean
}

export type WebhookNotFound = {
  readonly kind: 'WebhookNotFound'
  readonly code: ProblemCode & 'NOT_FOUND'
  readonly message: string
  readonly retryable: false
}

export async function replayWebhook(
  { webhookLog }: Pick<Ports, 'webhookLog'>,
  { accountId }: Pick<Caller, 'accountId'>,
  endpointId: string,
  deliveryId?: string,
): Promise<WebhookReplayed | WebhookNotFound | InputProblem> {
  const result = await webhookLog.replay(accountId, endpointId, deliveryId, REPLAYED_MAX)
  if (result === 'not_found') return webhookNotFound()
  if (result === 'too_many') {
    const message = `at most ${REPLAYED_MAX} events can be sent again`
    return inputProblem([{ path: ['deliveryId'], code: 'OUT_OF_RANGE', message }])
  }
  const endpoints = await webhookLog.endpoints(accountId)
  const endpoint = endpoints.find((listed) => listed.endpointId === endpointId)
  // Removed meanwhile.
  if (endpoint === undefined) return webhookNotFound()
  return { kind: 'WebhookReplayed', endpoint, alreadyReplayed: result === 'already_replayed' }
}

function webhookNotFound(): WebhookNotFound {
  return {
    kind: 'WebhookNotFound',
    code: 'NOT_FOUND',
    retryable: false,
    message: 'Endpoint or delivery not found',
  }
}
