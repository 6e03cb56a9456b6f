/** Deliveries to local servers, with the real store. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { sql } from 'kysely'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { EventType } from '../../src/core/shipments/event.ts'
import type { WebhookAlert } from '../../src/operations/ports/webhooks.ts'
import { eventLog, numberEvents } from '../../src/store/events/event-log.ts'
import { webhookStore } from '../../src/store/webhooks/deliveries.ts'
import {
  addEndpoint,
  ENDPOINTS_MAX,
  listEndpoints,
  readDeliveries,
  removeEndpoint,
  replayEvents,
  rotateSecret,
} from '../../src/store/webhooks/endpoints.ts'
import {
  pauseMs,
  startWebhooks,
  type WebhookOptions,
  type WebhookRunner,
} from '../../src/webhooks/deliver.ts'
import { checkedLookup } from '../../src/webhooks/target.ts'
import { type ClonedDatabase, cloneDatabase } from '../support/database/clone-database.ts'

let clone: ClonedDatabase
const runners: WebhookRunner[] = []
const servers: Server[] = []
beforeAll(async () => {
  clone = await cloneDatabase()
  await sql`INSERT INTO account (account_id, name) VALUES ('acme', 'Acme'), ('other', 'Other')`.execute(
    clone.db,
  )
})
beforeEach(async () => {
  await sql`TRUNCATE account_event, account_event_head, webhook_endpoint CASCADE`.execute(clone.db)
})
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
  for (const runner of runners.splice(0)) await runner.stop()
})
afterAll(() => clone.drop())

type Received = { readonly headers: IncomingMessage['headers']; readonly body: string; readonly at: number }

/** A receiver. `answer` gets the number of the request, from 1. */
async function receiver(
  answer: (response: ServerResponse, count: number) => void = (response) => response.end(),
) {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    received.push({ headers: request.headers, body: await textOf(request), at: performance.now() })
    answer(response, received.length)
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { received, port, url: `http://127.0.0.1:${port}/hook`, ids: () => received.map(shipmentIn) }
}

const shipmentIn = ({ body }: Received): string => JSON.parse(body).data.shipmentId

async function endpoint(url: string, types?: readonly EventType[], accountId = 'acme') {
  const added = await addEndpoint(clone.db, accountId, url, types)
  if (added === undefined || added === 'full') throw new Error('no endpoint')
  return added
}

async function record(
  shipmentId: string,
  type: EventType = 'shipment.booked',
  accountId = 'acme',
): Promise<void> {
  await sql`INSERT INTO account_event (account_id, shipment_id, type, state)
    VALUES (${accountId}, ${shipmentId}, ${type}, 'booked')`.execute(clone.db)
  await numberEvents(clone.db)
}

function start(options: Partial<WebhookOptions> = {}) {
  const alerts: WebhookAlert[] = []
  const faults: unknown[] = []
  const runner = startWebhooks(
    {
      ...{
        clock: () => new Date(),
        random: () => 0,
        reportFault: (error: unknown) => void faults.push(error),
      },
      ...{ events: eventLog(clone.db), webhooks: webhookStore(clone.db) },
      alert: (alert) => void alerts.push(alert),
    },
    { allowPrivate: true, keptDays: 30, roundMs: 10, ...options },
  )
  runners.push(runner)
  return { runner, alerts, faults }
}

/** Makes the next try due. */
const retryNow = () => sql`UPDATE webhook_endpoint SET next_try_at = clock_timestamp()`.execute(clone.db)
const stateOf = async (endpointId: string) =>
  (await listEndpoints(clone.db)).find((listed) => listed.endpointId === endpointId)
const logOf = async (endpointId: string) =>
  (await readDeliveries(clone.db, endpointId, 100)).map(({ sequence, status, failure }) =>
    [sequence, status, failure].join(' '),
  )
const settled = (check: () => Promise<void> | void) => vi.waitFor(check, { timeout: 60_000, interval: 20 })

describe('an endpoint', () => {
  test('gets the events after it was added, in their order, signed so that the library accepts them', async () => {
    const { url, received, ids } = await receiver()
    await sql`INSERT INTO account_event (account_id, shipment_id, type, state)
      VALUES ('acme', 'before', 'shipment.booked', 'booked')`.execute(clone.db)
    const { endpointId, secret } = await endpoint(url)
    for (const id of ['a', 'b', 'c']) await record(id)
    await record('foreign', 'shipment.booked', 'other')
    start()
    await settled(() => expect(ids()).toEqual(['a', 'b', 'c']))
    const [first] = received
    const headers = first?.headers as Record<string, string>
    expect(new Webhook(secret).verify(first?.body ?? '', headers)).toEqual({
      ...{ id: headers['webhook-id'], type: 'shipment.booked', timestamp: expect.stringMatching(/Z$/) },
      data: { sequence: 2, shipmentId: 'a', state: 'BOOKED', trackingNumber: null },
    })
    expect(() => new Webhook(secret).verify(`${first?.body} `, headers)).toThrow()
    await settled(async () =>
      expect(await stateOf(endpointId)).toMatchObject({ state: 'active', waiting: 0 }),
    )
    expect(await logOf(endpointId)).toEqual(['4 200 ', '3 200 ', '2 200 '])
  })

  test('gets only the types that it wants', async () => {
    const { url, ids } = await receiver()
    const { endpointId } = await endpoint(url, ['shipment.cancelled'])
    await record('a')
    await record('b', 'shipment.cancelled')
    await record('c')
    start()
    await settled(async () => expect((await stateOf(endpointId))?.waiting).toBe(0))
    expect(ids()).toEqual(['b'])
  })

  test('gets a signature with each secret while the secret is replaced', async () => {
    const { url, received } = await receiver()
    const { endpointId, secret } = await endpoint(url)
    const next = await rotateSecret(clone.db, endpointId)
    await record('a')
    start()
    await settled(() => expect(received).toHaveLength(1))
    const headers = received[0]?.headers as Record<string, string>
    for (const valid of [secret, next ?? ''])
      expect(new Webhook(valid).verify(received[0]?.body ?? '', headers)).toBeDefined()
    await sql`UPDATE webhook_endpoint SET old_secret_until = clock_timestamp()`.execute(clone.db)
    await record('b')
    await settled(() => expect(received).toHaveLength(2))
    expect(received[1]?.headers['webhook-signature']).not.toContain(' ')
  })

  test('gets an event again after a failure, and later events only after it', async () => {
    const { url, ids } = await receiver((response, count) => response.writeHead(count <= 2 ? 500 : 204).end())
    const { endpointId } = await endpoint(url)
    for (const id of ['a', 'b']) await record(id)
    start()
    await settled(async () =>
      expect(await stateOf(endpointId)).toMatchObject({ state: 'failing', waiting: 2 }),
    )
    expect(ids()).toEqual(['a'])
    await retryNow()
    await settled(async () => expect(await logOf(endpointId)).toHaveLength(2))
    await retryNow()
    await settled(async () =>
      expect(await stateOf(endpointId)).toMatchObject({ state: 'active', waiting: 0 }),
    )
    expect(ids()).toEqual(['a', 'a', 'a', 'b'])
    expect(await logOf(endpointId)).toEqual(['2 204 ', '1 204 ', '1 500 HTTP 500', '1 500 HTTP 500'])
  })

  test('is disabled with an alert after three days of failures, and enabled by a replay', async () => {
    let isDown = true
    const { url, ids } = await receiver((response) => response.writeHead(isDown ? 503 : 200).end())
    const { endpointId } = await endpoint(url)
    await record('a')
    const { alerts } = start()
    await settled(async () => expect((await stateOf(endpointId))?.state).toBe('failing'))
    await sql`UPDATE webhook_endpoint SET failing_since = clock_timestamp() - interval '71 hours'`.execute(
      clone.db,
    )
    await retryNow()
    await settled(async () => expect(await logOf(endpointId)).toHaveLength(2))
    expect((await stateOf(endpointId))?.state).toBe('failing')
    await sql`UPDATE webhook_endpoint SET failing_since = clock_timestamp() - interval '73 hours'`.execute(
      clone.db,
    )
    await retryNow()
    await settled(() =>
      expect(alerts).toEqual([
        {
          ...{ kind: 'WEBHOOK_DISABLED', accountId: 'acme', endpointId },
          detail: 'failed for three days; last: HTTP 503',
        },
      ]),
    )
    expect((await stateOf(endpointId))?.state).toBe('disabled')
    await record('b')
    await retryNow()
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(ids()).toEqual(['a', 'a', 'a'])
    isDown = false
    expect(await replayEvents(clone.db, endpointId, undefined)).toBe(true)
    await settled(async () =>
      expect(await stateOf(endpointId)).toMatchObject({ state: 'active', waiting: 0 }),
    )
    expect(ids().slice(3)).toEqual(['a', 'b'])
  })

  test('gets delivered events again if an operator replays them', async () => {
    const { url, ids } = await receiver()
    const { endpointId } = await endpoint(url)
    for (const id of ['a', 'b', 'c']) await record(id)
    start()
    await settled(async () => expect((await stateOf(endpointId))?.waiting).toBe(0))
    await replayEvents(clone.db, endpointId, 1)
    await settled(() => expect(ids()).toEqual(['a', 'b', 'c', 'b', 'c']))
  })
})

describe('a failure is', () => {
  const failureOf = async (
    url: string,
    options: Partial<WebhookOptions> = {},
  ): Promise<string | undefined> => {
    const { endpointId } = await endpoint(url)
    await record('a')
    start(options)
    await settled(async () => expect(await logOf(endpointId)).toHaveLength(1))
    return (await logOf(endpointId))[0]
  }

  test('a redirect, which is not followed', async () => {
    const target = await receiver()
    const { url } = await receiver((response) => response.writeHead(307, { location: target.url }).end())
    expect(await failureOf(url)).toBe('1 307 HTTP 307')
    expect(target.received).toEqual([])
  })

  test('a response that does not come in time', async () => {
    const { url } = await receiver(() => {})
    expect(await failureOf(url, { limitMs: 200 })).toBe('1  no response within 0.2 s')
  })

  test('a closed port', async () => {
    const { url } = await receiver()
    servers.at(-1)?.close()
    expect(await failureOf(url)).toBe('1  no connection: ECONNREFUSED')
  })

  test('a URL without https', async () => {
    const { url, received } = await receiver()
    expect(await failureOf(url, { allowPrivate: false })).toBe('1  expected https://')
    expect(received).toEqual([])
  })

  test('a public name with a private address, to which nothing is connected', async () => {
    const { received, port } = await receiver()
    const lookup = checkedLookup(false, async () => [{ address: '127.0.0.1', family: 4 }])
    expect(await failureOf(`https://shop.example:${port}/`, { allowPrivate: false, lookup })).toBe(
      '1  the address 127.0.0.1 is not public',
    )
    expect(received).toEqual([])
  })
})

test('a name is resolved once for each connection, which goes to that address', async () => {
  const { port, received } = await receiver()
  let lookups = 0
  const lookup = checkedLookup(true, async () => {
    lookups += 1
    // A second answer would lead elsewhere.
    return [{ address: lookups === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }]
  })
  await endpoint(`http://shop.example:${port}/`)
  await record('a')
  start({ lookup })
  await settled(() => expect(received).toHaveLength(1))
  expect(lookups).toBe(1)
  expect(received[0]?.headers.host).toBe(`shop.example:${port}`)
})

test('an endless response body is not read', async () => {
  let written = 0
  const { url } = await receiver((response) => {
    response.writeHead(200)
    const write = (): void => {
      while (response.write('x'.repeat(65_536))) written += 65_536
    }
    response.on('drain', write).on('error', () => {})
    write()
  })
  const { endpointId } = await endpoint(url)
  await record('a')
  start()
  await settled(async () => expect(await logOf(endpointId)).toEqual(['1 200 ']))
  expect(written).toBeLessThan(20_000_000)
})

test('an endpoint that does not answer delays no other endpoint', async () => {
  const slow = await receiver(() => {})
  const fast = await receiver()
  const { endpointId } = await endpoint(slow.url)
  await endpoint(fast.url)
  for (let index = 0; index < 20; index += 1) await record(`s${index}`)
  start({ limitMs: 600_000 })
  await settled(() => expect(fast.ids()).toHaveLength(20))
  await settled(() => expect(slow.ids()).toEqual(['s0']))
  expect(await logOf(endpointId)).toEqual([])
})

test('several processes deliver each event once', async () => {
  const receivers = await Promise.all(Array.from({ length: 4 }, () => receiver()))
  for (const { url } of receivers) await endpoint(url)
  const processes = Array.from({ length: 3 }, () => start())
  for (let index = 0; index < 30; index += 1) await record(`s${index}`)
  const expected = Array.from({ length: 30 }, (_, index) => `s${index}`)
  await settled(async () =>
    expect((await listEndpoints(clone.db)).every(({ waiting }) => waiting === 0)).toBe(true),
  )
  for (const { ids } of receivers) expect(ids()).toEqual(expected)
  for (const { faults } of processes) expect(faults).toEqual([])
})

test('another process continues after the lease of one that died, and the late result of that one has no effect', async () => {
  const { url, ids } = await receiver()
  await endpoint(url)
  for (const id of ['a', 'b']) await record(id)
  const store = webhookStore(clone.db)
  const [dead] = await store.claim(10, 60_000)
  expect(await store.claim(10, 60_000)).toEqual([])
  start()
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(ids()).toEqual([])
  await sql`UPDATE webhook_endpoint SET lease_until = clock_timestamp()`.execute(clone.db)
  await settled(() => expect(ids()).toEqual(['a', 'b']))
  if (dead === undefined) throw new Error('nothing was claimed')
  expect(await store.delivered(dead, { sequence: 1, durationMs: 1, status: 200 }, 60_000)).toBe(false)
  expect(await store.failed(dead, { sequence: 1, durationMs: 1 }, { retryInMs: 0, giveUpAfterMs: 0 })).toBe(
    'lost',
  )
  expect(await store.release(dead, 1)).toBe(false)
})

test('the pauses between tries grow, and 72 hours have more than 25 tries', () => {
  const pauses = Array.from({ length: 40 }, (_, index) => pauseMs(index + 1, 0))
  expect(pauses.slice(0, 8)).toEqual(
    [5, 30, 120, 600, 1800, 3600, 10800, 10800].map((seconds) => seconds * 1_000),
  )
  expect(pauseMs(1, 0.999)).toBeLessThanOrEqual(5_500)
  const elapsed = pauses.map((_, index) => pauses.slice(0, index + 1).reduce((sum, pause) => sum + pause, 0))
  expect(elapsed.filter((milliseconds) => milliseconds <= 72 * 3_600_000).length).toBeGreaterThan(25)
})

test('an account has a limited number of endpoints, and only an account that exists has any', async () => {
  for (let index = 0; index < ENDPOINTS_MAX; index += 1) await endpoint(`https://shop.example/${index}`)
  expect(await addEndpoint(clone.db, 'acme', 'https://shop.example/', undefined)).toBe('full')
  expect(await addEndpoint(clone.db, 'nobody', 'https://shop.example/', undefined)).toBeUndefined()
  const [first] = await listEndpoints(clone.db, 'acme')
  expect(await removeEndpoint(clone.db, first?.endpointId ?? '')).toBe(true)
  expect(await listEndpoints(clone.db, 'acme')).toHaveLength(ENDPOINTS_MAX - 1)
  expect(await listEndpoints(clone.db, 'other')).toEqual([])
})

test('old entries of the log are removed', async () => {
  const { endpointId } = await endpoint('https://shop.example/')
  await sql`INSERT INTO webhook_delivery (endpoint_id, sequence, duration_ms, at)
    SELECT ${endpointId}, days, 5, now() - days * interval '1 day' FROM unnest(ARRAY[1, 29, 31, 90]) AS days`.execute(
    clone.db,
  )
  start()
  await settled(async () => {
    const kept = await readDeliveries(clone.db, endpointId, 10)
    expect(kept.map(({ sequence }) => sequence).sort()).toEqual([1, 29])
  })
})
