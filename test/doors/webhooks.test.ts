/** Webhooks through GraphQL: the log of an account, and replays, with a receiver. See docs/webhooks.md. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import {
  ReplayWebhookDocument,
  WebhookDeliveriesDocument,
  WebhookEndpointsDocument,
} from '../../client/src/generated.ts'
import { addEndpoint } from '../../src/store/webhooks/endpoints.ts'
import { OTHER, openTestApp, type TestApp } from '../support/app/test-app.ts'

let app: TestApp
let receiver: Server
const received: string[] = []
beforeAll(async () => {
  receiver = createServer((request, response) => {
    received.push(String(request.headers['webhook-id']))
    request.resume()
    response.writeHead(204).end()
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  app = await openTestApp({ WAYBILL_WEBHOOK_PRIVATE: 'true' })
})
afterAll(async () => {
  await app.close()
  receiver.close()
})

const settled = (check: () => Promise<void> | void) => vi.waitFor(check, { timeout: 60_000, interval: 100 })

const ask = async (
  document: { toString(): string },
  variables: object = {},
  credentials?: string,
  // biome-ignore lint/suspicious/noExplicitAny: the tests compare what they read.
): Promise<any> => {
  const { data, errors } = await app.graphql(String(document), variables, credentials)
  expect(errors).toBeUndefined()
  return data
}

test('an account reads its log, and replays a delivery; another account finds nothing', async () => {
  const { port } = receiver.address() as AddressInfo
  const url = `http://127.0.0.1:${port}/hooks`
  const added = await addEndpoint(app.clone.db, 'demo-shop', url, undefined)
  if (added === undefined || added === 'full') throw new Error('no endpoint')
  const { endpointId: id } = added
  expect((await app.rest('/shipments/demo-booked/cancel')).status).toBe(200)
  const deliveries = async () =>
    (await ask(WebhookDeliveriesDocument, { id })).webhookEndpoint.deliveries.edges.map(
      ({ node }: { node: object }) => node,
    )
  await settled(async () => expect(await deliveries()).toHaveLength(2))
  const [cancelled, pending] = await deliveries()
  expect(cancelled).toEqual({
    ...{ id: expect.stringMatching(/^\d+$/), sequence: pending.sequence + 1, type: 'shipment.cancelled' },
    ...{ shipmentId: 'demo-booked', endedAt: expect.stringMatching(/Z$/), durationMs: expect.any(Number) },
    ...{ status: 204, failure: null },
  })
  expect((await ask(WebhookEndpointsDocument)).webhookEndpoints).toEqual([
    {
      ...{ id, url, types: null, state: 'ACTIVE', waiting: 0, nextTryAt: null },
      createdAt: expect.stringMatching(/Z$/),
    },
  ])

  const replay = (input: object, credentials?: string) => ask(ReplayWebhookDocument, { input }, credentials)
  const repeated = { endpointId: id, deliveryId: pending.id }
  expect((await replay(repeated)).replayWebhook).toMatchObject({
    ...{ __typename: 'WebhookReplayed', alreadyReplayed: false },
    endpoint: { id, state: 'ACTIVE' },
  })
  await settled(() => expect(received).toHaveLength(4))
  expect(received.slice(2)).toEqual(received.slice(0, 2))
  await settled(async () => expect(await deliveries()).toHaveLength(4))
  expect((await replay(repeated)).replayWebhook).toMatchObject({ alreadyReplayed: true })

  const notFound = {
    ...{ __typename: 'WebhookNotFound', code: 'NOT_FOUND', retryable: false },
    message: 'Endpoint or delivery not found',
  }
  expect((await replay({ endpointId: id, deliveryId: '999999' })).replayWebhook).toEqual(notFound)
  expect((await replay({ endpointId: id }, OTHER)).replayWebhook).toEqual(notFound)
  expect((await replay(repeated, OTHER)).replayWebhook).toEqual(notFound)
  expect(await ask(WebhookDeliveriesDocument, { id }, OTHER)).toEqual({ webhookEndpoint: null })
  expect(await ask(WebhookEndpointsDocument, {}, OTHER)).toEqual({ webhookEndpoints: [] })
})
