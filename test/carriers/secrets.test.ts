/**
 * No credential or token may be in a cause, message or record, because these go to the database, the log and partners.
 * Tests every connector to a real carrier through the gateway while the carrier fails in many ways.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Connector } from '../../src/carriers/connector.ts'
import { carrierGateway } from '../../src/carriers/gateway/gateway.ts'
import { CONNECTORS } from '../../src/carriers/registry.ts'
import { CONNECTOR_NAMES } from '../../src/core/connector-names.ts'
import type { Alert } from '../../src/operations/ports/ports.ts'
import { EXPRESS_CREDENTIALS, startExpressFake } from './fakes/dhl-express.ts'
import { DHL_CREDENTIALS, startDhlParcelFake } from './fakes/dhl-parcel-de.ts'
import { DPD_CREDENTIALS, startDpdFake } from './fakes/dpd.ts'
import {
  type FakeCarrier,
  type FakeParcels,
  type FakeReply,
  type FakeRequest,
  SCRIPTS,
  startFake,
} from './fakes/fake-carrier.ts'
import { FEDEX_CREDENTIALS, FEDEX_TRACK_CREDENTIALS, startFedexFake } from './fakes/fedex.ts'
import { GLS_CREDENTIALS, startGlsFake } from './fakes/gls-shipit.ts'
import { startUpsFake, UPS_CREDENTIALS } from './fakes/ups.ts'

type Fake = FakeCarrier & {
  readonly parcels: FakeParcels
  answerWith(reply: FakeReply | undefined): void
}

type Credentials = Readonly<Record<string, string>>

const CARRIERS: readonly (readonly [name: keyof typeof CONNECTORS, Credentials, () => Promise<Fake>])[] = [
  ['ups', UPS_CREDENTIALS, startUpsFake],
  ['fedex', { ...FEDEX_CREDENTIALS, ...FEDEX_TRACK_CREDENTIALS }, startFedexFake],
  ['dhl-parcel-de', DHL_CREDENTIALS, startDhlParcelFake],
  ['gls-shipit', GLS_CREDENTIALS, startGlsFake],
  ['dhl-express', EXPRESS_CREDENTIALS, startExpressFake],
  ['dpd', DPD_CREDENTIALS, startDpdFake],
]

/** A credential in every encoding in which it can be sent. */
function formsOf(value: string, credentials: Credentials): string[] {
  const pairs = Object.values(credentials).flatMap((other) => [`${value}:${other}`, `${other}:${value}`])
  const encoded = pairs.map((pair) => Buffer.from(pair).toString('base64'))
  return [
    value,
    encodeURIComponent(value),
    new URLSearchParams({ '': value }).toString().slice(1),
    ...encoded,
  ]
}

const WHO = { accountId: 'acme', carrierCode: 'c', carrierRef: 'PARCEL7' }

const credentialsOf = new WeakMap<Connector, Credentials>()

/** The records of all calls of a test. */
const records: object[] = []

/** The results for one parcel. Every call uses a new gateway, so that no circuit is open. */
async function answersOf(connector: Connector, sends = 2, carrierRef = WHO.carrierRef, timeoutMs = 5_000) {
  const gateway = carrierGateway(
    {
      connectorOf: () => connector,
      channelOf: () => ({ key: 'carrier' }),
      cancelsEachParcel: () => false,
      canLookUp: () => true,
      lookupLagMs: () => 60_000,
      secretsOf: () => Object.values(credentialsOf.get(connector) ?? {}),
    },
    { timeoutMs, record: (call) => records.push(call) },
  )
  const who = { ...WHO, carrierRef }
  const ticket = { ...who, attemptId: 'key', shipmentId: 'shp_1', fence: sends, sends, ageMs: 0 }
  return Promise.all([gateway.cancel(ticket), gateway.track(who)])
}

test('every connector to a real carrier is tested', () => {
  const names = CONNECTOR_NAMES.filter((name) => name !== 'sandbox')
  expect(CARRIERS.map(([name]) => name)).toEqual(names)
})

describe.each(CARRIERS)('%s', (name, credentials, start) => {
  let fake: Fake
  /** A server whose replies the test sets. */
  let other: FakeCarrier
  let answer: (request: FakeRequest) => FakeReply
  const results: { readonly kind: string; readonly cause?: string; readonly status?: number }[] = []

  beforeAll(async () => {
    fake = await start()
    other = await startFake((request) => answer(request))
  })
  afterAll(() => Promise.all([fake.close(), other.close()]))
  afterEach(() => {
    fake.answerWith(undefined)
    // Runs after every test, and checks its results.
    expect(results.length).toBeGreaterThan(0)
    const text = JSON.stringify([results.splice(0), records.splice(0)])
    expect(text).not.toContain('canary')
    for (const value of Object.values(credentials))
      for (const form of formsOf(value, credentials)) expect(text).not.toContain(form)
  })

  const open = (baseUrl = fake.baseUrl, given: Credentials = credentials) => {
    const connector = CONNECTORS[name].open({ baseUrl, credentials: given })
    credentialsOf.set(connector, given)
    return connector
  }

  /** The base URL of the fake, with another address. */
  const below = (address: string) => `${address}${new URL(fake.baseUrl).pathname.replace(/\/$/, '')}`

  test('leaks no secret in any script, sent once and repeated', async () => {
    const connector = open()
    fake.parcels.add(WHO.carrierRef)
    results.push(...(await answersOf(connector)))
    // The credentials were sent in one of the encodings that this test searches for.
    const sent = fake.requests.map(({ headers, text }) => `${JSON.stringify(headers)} ${text}`).join('\n')
    for (const value of Object.values(credentials))
      expect(formsOf(value, credentials).some((form) => sent.includes(form))).toBe(true)
    for (const script of SCRIPTS) fake.parcels.add(script, script)
    for (const sends of [1, 2])
      results.push(
        ...(await Promise.all(SCRIPTS.map((script) => answersOf(connector, sends, script, 60)))).flat(),
      )
  })

  test.each([
    200, 204, 302, 400, 401, 404, 429, 503,
  ])('leaks no secret if the reply is HTTP %i with any body', async (status) => {
    const connector = open()
    const bodies = status === 204 ? [undefined] : [undefined, '<html>', '[]', { errors: [{ code: 'C' }] }]
    for (const body of bodies) {
      fake.answerWith({ status, body })
      results.push(...(await answersOf(connector)))
    }
  })

  test('leaks no secret if the connection is closed', async () => {
    fake.answerWith('cut')
    results.push(...(await answersOf(open())))
  })

  test('leaks no credential, wrong or not allowed in a header', async () => {
    const bad = ['canary-wrong', 'canary\nbroken', 'canary\0broken', 'canaryключ']
    const connectors = Object.keys(credentials).flatMap((key) =>
      bad.map((value) => open(undefined, { ...credentials, [key]: value })),
    )
    results.push(...(await Promise.all(connectors.map((connector) => answersOf(connector)))).flat())
  })

  /** Echoes the request in the fields of errors. */
  function echo(status: number, { headers, text }: FakeRequest): FakeReply {
    const words = JSON.stringify([headers, text])
    const problem = { title: words, detail: words, message: words, error_description: words }
    const errors = [{ ...problem, code: 'CODE' }]
    return { status, body: { ...problem, errors, response: { errors } } }
  }

  const isForToken = ({ path }: FakeRequest) => path.endsWith('token')

  // Other 4xx are left out: their messages are the carrier's answer and go to the partner.
  test.each([
    200, 302, 401, 403, 429, 503,
  ])('leaks no secret if the reply is an echo of the request with HTTP %i', async (status) => {
    const before = other.requests.length
    answer = (request) => echo(status, request)
    results.push(...(await answersOf(open(below(other.baseUrl)))))
    const token = { status: 200, body: { access_token: 'canary-token', expires_in: 3_600 } }
    answer = (request) => (isForToken(request) ? token : echo(status, request))
    results.push(...(await answersOf(open(below(other.baseUrl)))))
    expect(other.requests.length).toBeGreaterThan(before)
  })

  test('leaks no secret if the reply is an echo of the token request with HTTP 400', async () => {
    answer = (request) => echo(isForToken(request) ? 400 : 500, request)
    results.push(...(await answersOf(open(below(other.baseUrl)))))
  })

  test('leaks no secret if the address has no carrier, or another server', async () => {
    const { port } = new URL(other.baseUrl)
    const gone = await startFake(() => 'cut')
    await gone.close()
    answer = () => ({ status: 404, body: '<html>Not found</html>' })
    const addresses = [
      gone.baseUrl,
      'http://127.0.0.1:1',
      `https://127.0.0.1:${port}`,
      `http://127.0.0.1:${port}/nowhere`,
      `http://:canary-password@127.0.0.1:${port}`,
      'http://canary.invalid:99999',
    ]
    for (const address of addresses) results.push(...(await answersOf(open(below(address)))))
    expect(results).toHaveLength(2 * addresses.length)
    for (const { status, ...result } of results)
      expect([result, status]).toEqual([
        { kind: expect.stringMatching(/^(unknown|not_sent)$/), cause: expect.stringMatching(/./) },
        result.cause?.startsWith('HTTP') ? 404 : undefined,
      ])
  })

  test('leaks no secret in the alert when a circuit opens', async () => {
    const connector = open('http://127.0.0.1:1')
    const alerts: Alert[] = []
    const gateway = carrierGateway(
      {
        connectorOf: () => connector,
        channelOf: () => ({ key: 'carrier' }),
        cancelsEachParcel: () => false,
        canLookUp: () => true,
        lookupLagMs: () => 60_000,
      },
      { alert: (alert) => alerts.push(alert) },
    )
    for (let number = 1; number <= 8; number += 1)
      results.push(await gateway.track({ ...WHO, carrierRef: `P${number}` }))
    expect(alerts).toHaveLength(1)
    results.push(...alerts)
  })
})
