/** Both doors, with one format of answers. */
import type { Door } from './crowd.ts'

/** Sends a POST with the demo credentials. Returns status and decoded body. */
export type Post = (
  path: string,
  body?: object,
) => Promise<{ readonly status: number; readonly json: unknown }>

const MUTATION = `mutation ($id: ID!) { cancelShipment(input: { shipmentId: $id }) { __typename
  ... on ShipmentCancelled { message } ... on CancellationPending { message } ... on Problem { message retryable } } }`

/** REST status by GraphQL type. An answer that may be repeated is 503. */
const STATUS: Readonly<Record<string, number>> = {
  ShipmentCancelled: 200,
  ShipmentNotCancelled: 409,
  CancellationPending: 504,
  ShipmentNotFound: 404,
}

/** The REST and GraphQL doors of one service. */
export function doorsOf(post: Post): readonly [rest: Door, graphql: Door] {
  return [
    async (shipmentId) => {
      const { status, json } = await post(`/partners-api/v1/shipments/${shipmentId}/cancel`)
      const { message } = json as { message?: string }
      return `${status} ${message ?? JSON.stringify(json)}`
    },
    async (shipmentId) => {
      const { status, json } = await post('/graphql', { query: MUTATION, variables: { id: shipmentId } })
      const { data } = json as { data?: { cancelShipment?: Answer } | null }
      const answer = data?.cancelShipment
      if (answer === undefined) return `${status} ${JSON.stringify(json)}`
      const unsent = answer.__typename === 'ShipmentNotCancelled' && answer.retryable === true
      return `${unsent ? 503 : STATUS[answer.__typename]} ${answer.message}`
    },
  ]
}

type Answer = { readonly __typename: string; readonly message: string; readonly retryable?: boolean }

/** Over the network, with connections kept alive. */
export function postTo(origin: string, send: typeof fetch = fetch): Post {
  return async (path, body) => {
    const reply = await send(`${origin}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-pp-api': 'demo@demo-secret' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: reply.status, json: await reply.json() }
  }
}
