/** Converts endpoints of webhooks and their deliveries to the types of the schema. */
import type { LoggedDelivery, WebhookEndpoint } from '../../operations/ports/webhooks.ts'
import type { ResolversParentTypes, WebhookEndpointState } from '../generated.ts'

const STATES: Readonly<Record<WebhookEndpoint['state'], WebhookEndpointState>> = {
  active: 'ACTIVE',
  failing: 'FAILING',
  disabled: 'DISABLED',
}

export function presentEndpoint(endpoint: WebhookEndpoint): ResolversParentTypes['WebhookEndpoint'] {
  const { endpointId: id, url, types, state, waiting, nextTryAt, createdAt } = endpoint
  return {
    id,
    url,
    types: types ?? null,
    state: STATES[state],
    waiting,
    createdAt,
    nextTryAt: nextTryAt ?? null,
  }
}

export function presentDelivery(delivery: LoggedDelivery): ResolversParentTypes['WebhookDelivery'] {
  const { deliveryId: id, sequence, at: endedAt, durationMs, event } = delivery
  return {
    id,
    sequence,
    endedAt,
    durationMs,
    type: event?.type ?? null,
    shipmentId: event?.shipmentId ?? null,
    status: delivery.status ?? null,
    failure: delivery.failure ?? null,
  }
}
