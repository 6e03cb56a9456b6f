/**
 * The parts of a carrier's contract test: the recorded replies (`fixtures/<connector>/<name>.json`), the table of
 * expected judgements (`<connector>.ts`), and a server that sends one fixture's replies.
 */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import type { ConnectorType } from '../../../src/carriers/connector.ts'
import { carrierGateway } from '../../../src/carriers/gateway/gateway.ts'
import { CONNECTORS, openCarriers } from '../../../src/carriers/registry.ts'
import type { ConnectorName } from '../../../src/core/connector-names.ts'
import type { CarrierCancelAnswer, NotSent } from '../../../src/core/shipments/cancellation.ts'
import type { CarrierTrackAnswer } from '../../../src/core/shipments/tracking.ts'
import { type FakeCarrier, type FakeReply, type FakeRequest, startFake } from '../fakes/fake-carrier.ts'

/** A reply of a carrier. A `body` that is a string is sent unchanged; any other value is sent as JSON. */
export type Reply = {
  readonly status: number
  readonly headers?: Record<string, string>
  readonly body?: unknown
  /** The body is sent compressed. */
  readonly gzip?: boolean
}

/** A fixture file. `op` names the call that is tested; status, headers and body are the reply to it. */
export type Fixture = Reply & {
  readonly op: 'cancel' | 'track'
  /** The tracking number. */
  readonly ref: string
  /** The number of the send of a cancellation. */
  readonly sends: number
  /** The time since the first send. Default: 0. */
  readonly ageMs?: number
  /** When the shipment was booked or imported, ISO 8601. */
  readonly bookedAt?: string
  /** The reply to all further calls of `op`, such as the repeat with a new token. */
  readonly next?: Reply
  /** The replies to the first and to the second request for a token. Default: a token. */
  readonly tokens?: readonly Reply[]
  /** The reply of the carrier's tracking during a cancellation. Without it, tracking is unavailable (503). */
  readonly track?: Reply
  /** The reply of DHL Parcel DE to `GET /orders`. Without it, that call is unavailable (503). */
  readonly orders?: Reply
  /** The reply of DHL Parcel DE to `GET /manifests`, for every day. Without it, that call is unavailable (503). */
  readonly manifests?: Reply
  /** The reply of DHL Express to `get-image`, for every month. Without it, that call is unavailable (503). */
  readonly image?: Reply
  /** A parcel that the same app has looked up before, with the reply. */
  readonly earlier?: { readonly ref: string; readonly reply: Reply }
  /** Where the reply comes from: a repository or page, its commit, the path in it. */
  readonly source: string
  readonly commit: string
  readonly path: string
  /** How much the reply proves: recorded, an official example, a fixture of an SDK, or built from the schema. */
  readonly kind: string
}

/**
 * The expected judgement of a fixture. Cancellations: `cancelled` with `how`, `refused` with the reason, `unknown`, or
 * `not sent` if the carrier has certainly not executed the request.
 * Lookups: `announced`, `scanned` with the time in UTC, `cancelled` or `unknown`.
 */
export type Judgement =
  | 'not sent'
  | `cancelled ${'now' | 'already' | 'accepted' | 'released'}`
  | `refused ${string}`
  | 'announced'
  | `scanned ${string}`
  | 'cancelled'
  | 'unknown'

/** By fixture: the judgement, and the reason for it in one sentence. */
export type Judgements = Readonly<Record<string, readonly [judgement: Judgement, reason: string]>>

export type CarrierContract = {
  /**
   * The carrier's official calls that the connector may make, as method and path without the query. Carriers without a
   * cancellation call have no `cancel`; their tracking gets the reply to a cancellation.
   */
  readonly calls: {
    readonly token?: RegExp
    readonly cancel?: RegExp
    readonly track: RegExp
    readonly orders?: RegExp
    readonly manifests?: RegExp
    readonly image?: RegExp
  }
  readonly judgements: Judgements
}

const folder = path.join(import.meta.dirname, 'fixtures')

/** The fixtures of a connector by name. */
export function fixturesOf(connector: string): ReadonlyMap<string, Fixture> {
  if (!connectorsWithFixtures().includes(connector)) return new Map()
  const files = readdirSync(path.join(folder, connector)).filter((file) => file.endsWith('.json'))
  return new Map(
    files.sort().map((file) => {
      const fixture = JSON.parse(readFileSync(path.join(folder, connector, file), 'utf8')) as Fixture
      return [path.basename(file, '.json'), fixture]
    }),
  )
}

/** The connectors that have fixtures. */
export function connectorsWithFixtures(): string[] {
  return readdirSync(folder).sort()
}

export type Judged = { judgement: string; unexpected: string[]; alerts: string[] }

export type FixtureServer = {
  /**
   * Sends the fixture's request through a new gateway. Returns the judgement, the calls outside the contract and the
   * kinds of alerts.
   */
  judge(connector: ConnectorName, fixture: Fixture): Promise<Judged>
  close(): Promise<void>
}

/** One server for all fixtures, which run one after the other. */
export async function startFixtureServer(
  contracts: Readonly<Partial<Record<ConnectorName, CarrierContract>>>,
): Promise<FixtureServer> {
  let reply: (request: FakeRequest) => FakeReply = () => ({ status: 503 })
  const server = await startFake((request) => reply(request))
  return {
    async judge(connector, fixture) {
      const contract = contracts[connector]
      if (contract === undefined) throw new Error(`there is no contract for ${connector}`)
      const unexpected: string[] = []
      const calls = { tokens: 0, tested: 0 }
      reply = (request) => {
        const answer = answerTo(request, fixture, contract, calls)
        if (answer === undefined) unexpected.push(`${request.method} ${request.path}`)
        return asSent(answer ?? { status: 404 })
      }
      return { ...(await judgementOf(connector, fixture, server)), unexpected }
    },
    close: () => server.close(),
  }
}

const TOKEN: Reply = { status: 200, body: { access_token: 'token', token_type: 'Bearer', expires_in: 3_600 } }
const UNAVAILABLE: Reply = { status: 503 }

/** `made` counts the calls for tokens and the tested ones. */
function answerTo(
  { method, path: requested }: FakeRequest,
  fixture: Fixture,
  { calls }: CarrierContract,
  made: { tokens: number; tested: number },
): Reply | undefined {
  const isCall = (call: RegExp | undefined) => call?.test(`${method} ${requested}`) ?? false
  const tested = () => (made.tested++ > 0 ? (fixture.next ?? fixture) : fixture)
  if (isCall(calls.token)) return fixture.tokens?.[made.tokens++] ?? TOKEN
  if (isCall(calls.cancel)) return fixture.op === 'cancel' ? tested() : UNAVAILABLE
  if (isCall(calls.orders)) return fixture.orders ?? UNAVAILABLE
  if (isCall(calls.manifests)) return fixture.manifests ?? UNAVAILABLE
  if (isCall(calls.image)) return fixture.image ?? UNAVAILABLE
  if (!isCall(calls.track)) return undefined
  if (fixture.earlier !== undefined && requested.includes(fixture.earlier.ref)) return fixture.earlier.reply
  const isTested = fixture.op === 'track' || calls.cancel === undefined
  return isTested ? tested() : (fixture.track ?? UNAVAILABLE)
}

/** Without the fields that describe the fixture. */
function asSent({ status, headers, body, gzip = false }: Reply): FakeReply {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return {
    status,
    headers: { ...headers, ...(gzip && { 'content-encoding': 'gzip' }) },
    ...(body !== null && { body: gzip ? gzipSync(text) : body }),
  }
}

async function judgementOf(
  connector: ConnectorName,
  { op, ref: carrierRef, sends, ageMs = 0, bookedAt, earlier }: Fixture,
  { baseUrl }: FakeCarrier,
): Promise<Pick<Judged, 'judgement' | 'alerts'>> {
  const settings = new Map([
    ['carrier', { baseUrl, credentials: credentialsOf(CONNECTORS[connector]), accounts: new Map() }],
  ])
  const carriers = openCarriers(() => connector, { sandboxUrl: undefined, settings })
  const alerts: string[] = []
  const gateway = carrierGateway(carriers, { alert: ({ kind }) => alerts.push(kind) })
  const account = { accountId: 'shop', carrierCode: 'carrier' }
  if (earlier !== undefined) await gateway.track({ ...account, carrierRef: earlier.ref })
  const parcel = { ...account, carrierRef, ...(bookedAt !== undefined && { bookedAt }) }
  if (op === 'track') return { judgement: textOf(await gateway.track(parcel)), alerts }
  const ticket = { ...parcel, attemptId: 'attempt', shipmentId: 'shipment', fence: 1, sends, ageMs }
  return { judgement: textOf(await gateway.cancel(ticket)), alerts }
}

/** With the account number of DHL Express, which is optional. */
function credentialsOf({ credentials, optionalCredentials = [] }: ConnectorType): Record<string, string> {
  const optional = optionalCredentials.filter((name) => name === 'shipperAccountNumber')
  return Object.fromEntries([...credentials, ...optional].map((name) => [name, `test-${name}`]))
}

/** Distinguishes `not_sent` from `unknown`, because a fixture must reach the connector. */
function textOf(answer: CarrierCancelAnswer | CarrierTrackAnswer | NotSent): string {
  switch (answer.kind) {
    case 'cancelled':
      return 'how' in answer ? `cancelled ${answer.how}` : 'cancelled'
    case 'refused':
      return `refused ${answer.reason}`
    case 'scanned':
      return `scanned ${answer.scan.at}`
    case 'not_sent':
      return 'not sent'
    case 'announced':
    case 'unknown':
      return answer.kind
  }
}
