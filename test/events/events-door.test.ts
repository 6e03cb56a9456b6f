/** `GET /events`: the stream, resuming, filters, heartbeats, limits and its end. */
import { type AddressInfo, connect } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { eventsDoor, type StreamLimits } from '../../src/events/routes.ts'
import type { ServerOptions } from '../../src/http/server.ts'
import type { Caller, CredentialStore } from '../../src/operations/ports/caller.ts'
import { secretMatcher } from '../../src/store/accounts/credentials.ts'
import { CALLER, GOOD_HEADER, keysInMemory, probeDoor, testServer } from '../http/test-socket.ts'
import { type EventClient, eventsInMemory, follow } from './event-stream.ts'

const CREDENTIALS = { 'x-pp-api': GOOD_HEADER }
const OTHER_KEY = { 'x-pp-api': 'b-key@b-secret' }

const apps: FastifyInstance[] = []
const clients: EventClient[] = []
afterEach(async () => {
  vi.useRealTimers()
  for (const client of clients.splice(0)) client.close()
  for (const app of apps.splice(0)) await app.close()
})

type Setting = {
  readonly limits?: Partial<StreamLimits>
  readonly server?: Partial<ServerOptions>
  readonly caller?: Caller
}

async function openDoor({ limits = {}, server = {}, caller }: Setting = {}) {
  const memory = eventsInMemory()
  const faults: unknown[] = []
  const credentials: CredentialStore = keysInMemory(caller)
  const revoked = new Set<string>()
  const outage = { isOn: false }
  const ports = {
    ...{ events: memory.events, eventWatch: memory.eventWatch, secrets: secretMatcher },
    clock: () => new Date(),
    reportFault: (error: unknown) => void faults.push(error),
    credentials: {
      ...credentials,
      async findKey(keyId: string) {
        if (outage.isOn) throw new Error('no database')
        return revoked.has(keyId) ? undefined : credentials.findKey(keyId)
      },
    },
  }
  const { app, lines } = testServer([eventsDoor(ports, { perKey: 3, total: 4, ...limits }), probeDoor()], {
    ports: { credentials: ports.credentials, secrets: secretMatcher },
    ...server,
  })
  apps.push(app)
  await app.listen({ host: '127.0.0.1', port: 0 })
  const origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  return {
    ...{ app, memory, revoked, outage, faults, lines, origin },
    async follow(path = '/events', headers: Readonly<Record<string, string>> = {}): Promise<EventClient> {
      const client = await follow(origin, { path, headers: { ...CREDENTIALS, ...headers } })
      clients.push(client)
      return client
    },
  }
}

const idsOf = (client: EventClient) =>
  client.blocks.flatMap(({ event, id }) => (event === undefined ? [] : [id]))

describe('a stream', () => {
  test('begins at the newest event, and sends later ones', async () => {
    const { memory, follow } = await openDoor()
    const before = memory.add()
    const client = await follow()
    expect(client.response.headers).toMatchObject({
      ...{ 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' },
      ...{ 'x-accel-buffering': 'no', 'x-content-type-options': 'nosniff' },
    })
    expect(client.response.headers['x-request-id']).toBeDefined()
    expect(await client.arrived('event', 1)).toEqual([{ id: before, event: 'ready', data: '{}' }])
    expect(client.blocks[0]).toEqual({ retry: '2000' })
    const id = memory.add({ type: 'shipment.cancellation_refused', refusalCode: 'SCANNED' })
    const [, event] = await client.arrived('event', 2)
    expect(event).toMatchObject({ id, event: 'shipment.cancellation_refused' })
    expect(JSON.parse(event?.['data'] ?? '')).toEqual({
      ...{ id, type: 'shipment.cancellation_refused', timestamp: '2026-03-02T10:00:00.000Z' },
      data: {
        ...{ sequence: 2, shipmentId: 'shp_1', state: 'BOOKED', trackingNumber: 'R-1' },
        refusalCode: 'SCANNED',
      },
    })
  })

  test('resumes after the event that the client names, in order and over many pages', async () => {
    const { memory, follow } = await openDoor()
    const ids = Array.from({ length: 450 }, () => memory.add())
    const client = await follow('/events', { 'last-event-id': ids[20] ?? '' })
    await client.arrived('event', 430)
    // The first block repeats the position of the client.
    expect(idsOf(client)).toEqual(ids.slice(20))
    ids.push(memory.add())
    await client.arrived('event', 431)
    expect(idsOf(client)).toEqual(ids.slice(20))
  })

  test('starts with the first event after the id of a client that has seen none', async () => {
    const { memory, follow } = await openDoor()
    const early = await follow()
    const [ready] = await early.arrived('event', 1)
    const id = memory.add()
    const late = await follow('/events', { 'last-event-id': ready?.['id'] ?? '' })
    expect((await late.arrived('event', 2)).map((block) => block['id'])).toEqual([ready?.['id'], id])
  })

  test.each([
    ['the event was removed', 2],
    ['the events after it were removed', 3],
  ])('tells the client to start afresh if %s', async (_case, forgotten) => {
    const { memory, follow } = await openDoor()
    const ids = [memory.add(), memory.add(), memory.add(), memory.add()]
    const lost = forgotten === 2 ? (ids[1] ?? '') : '0-000000000000'
    memory.forget(forgotten)
    const client = await follow('/events', { 'last-event-id': lost })
    const blocks = await client.arrived('event', forgotten === 2 ? 1 : 2)
    expect(blocks.at(-1)).toEqual({ id: ids[3], event: 'reset', data: '{}' })
    const next = memory.add()
    expect((await client.arrived('event', blocks.length + 1)).at(-1)).toMatchObject({ id: next })
  })

  test('tells the client to start afresh if the id belongs to another event with that number', async () => {
    const { memory, follow } = await openDoor()
    const newest = memory.add()
    const client = await follow('/events', { 'last-event-id': '1-ffffffffffff' })
    expect(await client.arrived('event', 1)).toEqual([{ id: newest, event: 'reset', data: '{}' }])
  })

  test('leaves out what the filters do not match, and moves the id past it', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const { memory, follow } = await openDoor()
    const client = await follow('/events?types=shipment.booked,shipment.cancelled&shipmentId=shp_2')
    await client.arrived('event', 1)
    const wanted = memory.add({ shipmentId: 'shp_2' })
    memory.add({ shipmentId: 'shp_1' })
    const last = memory.add({ shipmentId: 'shp_2', type: 'shipment.in_transit' })
    expect((await client.arrived('event', 2))[1]).toMatchObject({ id: wanted })
    vi.advanceTimersByTime(15_000)
    expect(await client.arrived('comment', 1)).toEqual([{ comment: '', id: last }])
    vi.advanceTimersByTime(15_000)
    expect((await client.arrived('comment', 2))[1]).toEqual({ comment: '' })
  })

  test('ends if the events cannot be read, and the fault is reported', async () => {
    const { memory, follow, faults } = await openDoor()
    const client = await follow()
    await client.arrived('event', 1)
    const outage = new Error('no database')
    memory.events.after = async () => {
      throw outage
    }
    memory.add()
    expect(await client.ended).toBe(true)
    expect(faults).toEqual([outage])
    await vi.waitFor(() => expect(memory.subscribers()).toBe(0), { timeout: 60_000 })
  })

  test('reads nothing more for a client that does not read, and cuts it off', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const { memory, follow } = await openDoor()
    const client = await follow()
    await client.arrived('event', 1)
    client.response.pause()
    // Larger than the buffers of both sockets.
    const trackingNumber = 'x'.repeat(100_000)
    for (let index = 0; index < 1_000; index += 1) memory.add({ trackingNumber })
    const steady = async (last: number): Promise<number> => {
      await new Promise((resolve) => setTimeout(resolve, 100))
      return memory.reads === last ? last : steady(memory.reads)
    }
    const reads = await steady(-1)
    expect(reads).toBeLessThan(5)
    vi.advanceTimersByTime(25_000)
    expect(memory.subscribers()).toBe(1)
    vi.advanceTimersByTime(5_000)
    expect(memory.subscribers()).toBe(0)
    client.response.resume()
    expect(await client.ended).toBe(false)
    expect(memory.reads).toBe(reads)
  })
})

describe('a request is refused', () => {
  const REFUSED: readonly [string, string, Readonly<Record<string, string>>, string][] = [
    ['without credentials', '/events', { 'x-pp-api': 'a-key@wrong' }, '401 {"code":"UNAUTHENTICATED"'],
    [
      'with an unknown type',
      '/events?types=shipment.lost',
      {},
      '400 {"code":"BAD_REQUEST","message":"types: must',
    ],
    ['with an empty type', '/events?types=', {}, '400 {"code":"BAD_REQUEST","message":"types: must'],
    [
      'with a type twice',
      '/events?types=a&types=b',
      {},
      '400 {"code":"BAD_REQUEST","message":"types: must be given',
    ],
    [
      'with two shipments',
      '/events?shipmentId=a&shipmentId=b',
      {},
      '400 {"code":"BAD_REQUEST","message":"shipmentId',
    ],
    ['with an unknown parameter', '/events?type=x', {}, '400 {"code":"BAD_REQUEST","message":"type: unknown'],
    [
      'with a malformed id',
      '/events',
      { 'last-event-id': '17' },
      '400 {"code":"BAD_REQUEST","message":"Last-Event-ID',
    ],
  ]
  test.each(REFUSED)('%s', async (_case, path, headers, expected) => {
    const { follow } = await openDoor()
    const error = await follow(path, headers).catch(String)
    expect(error).toContain(expected)
  })

  test('with a key that lacks the scope', async () => {
    const { follow } = await openDoor({ caller: { ...CALLER, scopes: new Set(['cancel'] as const) } })
    expect(await follow().catch(String)).toContain('403 {"code":"FORBIDDEN","message":"')
  })

  test('with another method', async () => {
    const { app } = await openDoor()
    for (const method of ['HEAD', 'POST'] as const) {
      const reply = await app.inject({ method, url: '/events', headers: CREDENTIALS })
      expect([reply.statusCode, reply.headers.allow]).toEqual([405, 'GET'])
    }
  })

  test('if the key has as many streams as it may have, until one is closed', async () => {
    const { memory, follow } = await openDoor()
    const [first] = await Promise.all([follow(), follow(), follow()])
    expect(await follow().catch(String)).toContain(
      '429 {"code":"RATE_LIMITED","message":"The API key has 3 open',
    )
    const other = await follow('/events', OTHER_KEY)
    expect(other.response.statusCode).toBe(200)
    first?.close()
    await vi.waitFor(() => expect(memory.subscribers()).toBe(3), { timeout: 60_000 })
    expect((await follow()).response.statusCode).toBe(200)
  })

  test('counts a stream that waits behind another on its connection, until that connection is closed', async () => {
    const { app, memory } = await openDoor()
    const { port } = app.server.address() as AddressInfo
    const request = `GET /events HTTP/1.1\r\nHost: test\r\nX-PP-API: ${GOOD_HEADER}\r\n\r\n`
    const socket = connect(port, '127.0.0.1', () => socket.write(request + request))
    await vi.waitFor(() => expect(memory.subscribers()).toBe(2), { timeout: 30_000 })
    socket.destroy()
    await vi.waitFor(() => expect(memory.subscribers()).toBe(0), { timeout: 30_000 })
  })

  test('with 503 and Retry-After if the process has as many streams as it may have', async () => {
    const { origin, follow } = await openDoor({ limits: { total: 2 } })
    await Promise.all([follow(), follow('/events', OTHER_KEY)])
    const reply = await fetch(`${origin}/events`, { headers: CREDENTIALS })
    expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '10'])
  })
})

describe('an open stream', () => {
  test('does not count as a request in flight', async () => {
    const { app, follow } = await openDoor({ server: { limits: { inFlight: 2 } } })
    await Promise.all([follow(), follow(), follow()])
    const reply = await app.inject({ method: 'POST', url: '/probe', headers: CREDENTIALS, payload: {} })
    expect(reply.statusCode).toBe(200)
  })

  test('survives the time limit of silent connections, because of its heartbeats', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const { app, memory, follow } = await openDoor({ server: { limits: { stalledMs: 400 } } })
    expect(app.server.timeout).toBe(400)
    const client = await follow()
    for (let beats = 1; beats <= 8; beats += 1) {
      vi.advanceTimersByTime(15_000)
      await client.arrived('comment', beats)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    const id = memory.add()
    expect((await client.arrived('event', 2))[1]).toMatchObject({ id })
  })

  test('ends when its key is revoked', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const { memory, revoked, follow } = await openDoor()
    const [client, other] = await Promise.all([follow(), follow('/events', OTHER_KEY)])
    await Promise.all([client.arrived('event', 1), other.arrived('event', 1)])
    revoked.add('a-key')
    vi.advanceTimersByTime(5_000)
    expect(await client.ended).toBe(true)
    const id = memory.add()
    expect((await other.arrived('event', 2))[1]).toMatchObject({ id })
    expect(await follow().catch(String)).toContain('401')
  })

  test('stays open while the store of keys is unreachable', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const { memory, outage, follow } = await openDoor()
    const client = await follow()
    await client.arrived('event', 1)
    outage.isOn = true
    vi.advanceTimersByTime(5_000)
    await new Promise((resolve) => setTimeout(resolve, 20))
    const id = memory.add()
    expect((await client.arrived('event', 2))[1]).toMatchObject({ id })
  })

  test('is served until the server closes, and then ends completely without delaying the shutdown', async () => {
    const { app, memory, follow } = await openDoor({
      server: { limits: { lameDuckMs: 150, closingMs: 60_000 } },
    })
    const client = await follow()
    await client.arrived('event', 1)
    const drained = app.drain()
    const id = memory.add()
    expect((await client.arrived('event', 2))[1]).toMatchObject({ id })
    expect(await client.ended).toBe(true)
    await drained
    expect(memory.subscribers()).toBe(0)
  })

  test('leaves nothing behind when its client disconnects', async () => {
    const { memory, follow, lines } = await openDoor()
    const client = await follow()
    await client.arrived('event', 1)
    client.close()
    await vi.waitFor(() => expect(memory.subscribers()).toBe(0), { timeout: 60_000 })
    memory.add()
    await vi.waitFor(() => expect(lines.join('')).toContain('"path":"/events"'), { timeout: 60_000 })
    expect(lines.filter((line) => /"level":"(warn|error)"/.test(line))).toEqual([])
  })
})
