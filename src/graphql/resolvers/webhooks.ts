/** Resolvers of the endpoints of webhooks. */
import { replayWebhook } from '../../operations/replay-webhook.ts'
import type { MutationResolvers, QueryResolvers, WebhookEndpointResolvers } from '../generated.ts'
import { presentPage } from '../presenters/pages.ts'
import { presentInputProblem, typed } from '../presenters/typed.ts'
import { presentDelivery, presentEndpoint } from '../presenters/webhooks.ts'
import { loadPage } from './pages.ts'

export const webhookQueries: Required<Pick<QueryResolvers, 'webhookEndpoints' | 'webhookEndpoint'>> = {
  webhookEndpoints: async (_root, _arguments, { ports, caller }) =>
    (await ports.webhookLog.endpoints(caller.accountId)).map(presentEndpoint),
  webhookEndpoint: async (_root, { id }, { ports, caller }) => {
    const endpoints = await ports.webhookLog.endpoints(caller.accountId)
    const endpoint = endpoints.find(({ endpointId }) => endpointId === id)
    return endpoint === undefined ? null : presentEndpoint(endpoint)
  },
}

export const webhookMutations = {
  replayWebhook: async (_root, { input: { endpointId, deliveryId } }, { ports, caller, effects }) => {
    const outcome = await replayWebhook(ports, caller, endpointId, deliveryId ?? undefined)
    effects.hasMutated = true
    switch (outcome.kind) {
      case 'WebhookReplayed':
        return typed({ ...outcome, endpoint: presentEndpoint(outcome.endpoint) })
      case 'WebhookNotFound':
        return typed(outcome)
      case 'InputProblem':
        return presentInputProblem(outcome)
    }
  },
} satisfies Required<Pick<MutationResolvers, 'replayWebhook'>>

export const webhookFields: Required<Pick<WebhookEndpointResolvers, 'deliveries'>> = {
  deliveries: async ({ id }, position, { loaders }) =>
    presentPage(await loadPage(loaders.deliveries, id, position), presentDelivery),
}
