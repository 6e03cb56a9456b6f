/**
 * Every connector to a real carrier through the gateway, while the carrier fails in many ways: causes and messages go
 * to the database, the log and partners, and no credential or token may be in one of them.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Connector } from '../../src/carriers/connector.ts'
import { carrierGateway } from '../../src/carriers/gateway.ts'
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

/** A credential in every form that it may be sent in. */
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

/** What the gateway answers about one parcel; each is asked by a gateway of its own, so that all calls go out. */
async function answersOf(connector: Connector, sends = 2, carrierRef = WHO.carrierRef, timeoutMs = 5_000) {
  const gateway = carrierGateway(
    { connectorOf: () => connector, channelOf: () => ({ key: 'carrier' }), canLookUp: () => true },
    { timeoutMs },
  )
  const who = { ...WHO, carrierRef }
  const ticket = { ...who, attemptId: 'key', shipmentId: 'shp_1', fence: sends, sends, ageMs: 0 }
  return Promise.all([gateway.cancel(ticket), gateway.track(who)])
}

test('every connector to a real carrier is here', () => {
  const names = CONNECTOR_NAMES.filter((name) => name !== 'sandbox')
  expect(CARRIERS.map(([name]) => name)).toEqual(names)
})

describe.each(CARRIERS)('%s', (name, credentials, start) => {
  let fake: Fake
  /** A server that does as the test says. */
  let other: FakeCarrier
  let answer: (request: FakeRequest) => FakeReply
  const said: object[] = []

  beforeAll(async () => {
    fake = await start()
    other = await startFake((request) => answer(request))
  })
  afterAll(() => Promise.all([fake.close(), other.close()]))
  afterEach(() => {
    fake.answerWith(undefined)
    // Whatever a test made it say.
    expect(said.length).toBeGreaterThan(0)
    const text = JSON.stringify(said.splice(0))
    expect(text).not.toContain('canary')
    for (const value of Object.values(credentials))
      for (const form of formsOf(value, credentials)) expect(text).not.toContain(form)
  })

  const open = (baseUrl = fake.baseUrl, given: Credentials = credentials) =>
    CONNECTORS[name].open({ baseUrl, credentials: given })

  /** The path that the fake's base URL has, at another address. */
  const below = (address: string) => `${address}${new URL(fake.baseUrl).pathname.replace(/\/$/, '')}`

  test('every script, asked once and again', async () => {
    const connector = open()
    fake.parcels.add(WHO.carrierRef)
    said.push(...(await answersOf(connector)))
    // The forms that are looked for are those in which they are sent.
    const sent = fake.requests.map(({ headers, text }) => `${JSON.stringify(headers)} ${text}`).join('\n')
    for (const value of Object.values(credentials))
      expect(formsOf(value, credentials).some((form) => sent.includes(form))).toBe(true)
    for (const script of SCRIPTS) fake.parcels.add(script, script)
    for (const sends of [1, 2])
      said.push(
        ...(await Promise.all(SCRIPTS.map((script) => answersOf(connector, sends, script, 60)))).flat(),
      )
  })

  test.each([200, 204, 302, 400, 401, 404, 429, 503])('HTTP %i with any body', async (status) => {
    const connector = open()
    const bodies = status === 204 ? [undefined] : [undefined, '<html>', '[]', { errors: [{ code: 'C' }] }]
    for (const body of bodies) {
      fake.answerWith({ status, body })
      said.push(...(await answersOf(connector)))
    }
  })

  test('a connection that is cut', async () => {
    fake.answerWith('cut')
    said.push(...(await answersOf(open())))
  })

  test('credentials that are wrong, or that no header can hold, one by one', async () => {
    const bad = ['canary-wrong', 'canary\nbroken', 'canary\0broken', 'canaryключ']
    const connectors = Object.keys(credentials).flatMap((key) =>
      bad.map((value) => open(undefined, { ...credentials, [key]: value })),
    )
    said.push(...(await Promise.all(connectors.map((connector) => answersOf(connector)))).flat())
  })

  /** Replies with all that it was sent, in the fields that errors have. */
  function echo(status: number, { headers, text }: FakeRequest): FakeReply {
    const words = JSON.stringify([headers, text])
    const problem = { title: words, detail: words, message: words, error_description: words }
    const errors = [{ ...problem, code: 'CODE' }]
    return { status, body: { ...problem, errors, response: { errors } } }
  }

  const isForToken = ({ path }: FakeRequest) => path.endsWith('token')

  // A 4xx about the parcel is not here: its words are the carrier's answer to the partner.
  test.each([200, 302, 401, 403, 429, 503])('all that was sent comes back with HTTP %i', async (status) => {
    const before = other.requests.length
    answer = (request) => echo(status, request)
    said.push(...(await answersOf(open(below(other.baseUrl)))))
    const token = { status: 200, body: { access_token: 'canary-token', expires_in: 3_600 } }
    answer = (request) => (isForToken(request) ? token : echo(status, request))
    said.push(...(await answersOf(open(below(other.baseUrl)))))
    expect(other.requests.length).toBeGreaterThan(before)
  })

  test('all that was sent for a token comes back with HTTP 400', async () => {
    answer = (request) => echo(isForToken(request) ? 400 : 500, request)
    said.push(...(await answersOf(open(below(other.baseUrl)))))
  })

  test('a carrier that is not there, or something else is', async () => {
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
    for (const address of addresses) said.push(...(await answersOf(open(below(address)))))
    expect(said).toEqual(
      Array(2 * addresses.length).fill({ kind: 'unknown', cause: expect.stringMatching(/./) }),
    )
  })

  test('the alert when it is left alone', async () => {
    const connector = open('http://127.0.0.1:1')
    const alerts: Alert[] = []
    const gateway = carrierGateway(
      { connectorOf: () => connector, channelOf: () => ({ key: 'carrier' }), canLookUp: () => true },
      { alert: (alert) => alerts.push(alert) },
    )
    for (let number = 1; number <= 8; number += 1)
      said.push(await gateway.track({ ...WHO, carrierRef: `P${number}` }))
    expect(alerts).toHaveLength(1)
    said.push(...alerts)
  })
})
