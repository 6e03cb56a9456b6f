/** Endpoints of webhooks on one local server. Each refuses some requests, and loses some answers. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import type { Dice } from '../../support/random/seeded-dice.ts'

export type Received = {
  readonly sequence: number
  readonly shipmentId: string
  readonly isAccepted: boolean
}

export type Receiver = {
  urlOf(name: string): string
  /** Requests to the endpoint with the signature of this secret are recorded. */
  expect(name: string, secret: string): readonly Received[]
  faults(): number
  close(): void
}

/** One request of so many fails, until the endpoint has had its failures. */
const FAILING_ONE_IN = 20

/** Of the failing requests, some are refused, and others are accepted without an answer. */
export async function startReceiver(dice: Dice, failuresPerEndpoint: number): Promise<Receiver> {
  const endpoints = new Map<
    string,
    { readonly webhook: Webhook; readonly received: Received[]; failures: number }
  >()
  let faults = 0
  const server = createServer(async (request, response) => {
    const text = await textOf(request)
    const endpoint = endpoints.get(request.url ?? '')
    try {
      if (endpoint === undefined) throw new Error('no endpoint')
      const event = endpoint.webhook.verify(text, request.headers as Record<string, string>)
      const { sequence, shipmentId } = (event as { data: Omit<Received, 'isAccepted'> }).data
      const fails = endpoint.failures < failuresPerEndpoint && dice.chance(1 / FAILING_ONE_IN)
      const isAccepted = !fails || dice.chance(0.5)
      endpoint.received.push({ sequence, shipmentId, isAccepted })
      if (fails) endpoint.failures += 1
      if (!fails) response.writeHead(204).end()
      else if (isAccepted) response.destroy()
      else response.writeHead(503).end()
    } catch {
      faults += 1
      response.writeHead(401).end()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    urlOf: (name) => `http://127.0.0.1:${port}/${name}`,
    expect(name, secret) {
      const received: Received[] = []
      endpoints.set(`/${name}`, { webhook: new Webhook(secret), received, failures: 0 })
      return received
    },
    faults: () => faults,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
