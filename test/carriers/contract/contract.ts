/**
 * The parts of a carrier's contract test: the recorded replies (`fixtures/<connector>/<name>.json`), the table of
 * expected judgements (`<connector>.ts`), and a server that sends one fixture's replies.
 */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { ConnectorType } from '../../../src/carriers/connector.ts'
import { carrierGateway } from '../../../src/carriers/gateway/gateway.ts'
import { CONNECTORS, openCarriers } from '../../../src/carriers/registry.ts'
import type { ConnectorName } from '../../../src/core/connector-names.ts'
import type { CarrierCancelAnswer, NotSent } from '../../../src/core/shipments/cancellation.ts'
import type { CarrierTrackAnswer } from '../../../src/core/shipments/tracking.ts'
import { type FakeCarrier, type FakeReply, type FakeRequest, startFake } from '../fakes/fake-carrier.ts'

/** A reply of a carrier. A text in `body` is sent as it is, anything else as JSON. */
export type Reply = {
  readonly status: number
  readonly headers?: Record<string, string>
  readonly body?: unknown
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
  /** The reply of the carrier's tracking during a cancellation. Without it, tracking is unavailable (503). */
  readonly track?: Reply
  /** The reply of DHL Parcel DE to `GET /orders`. Without it, that call is unavailable (503). */
  readonly orders?: Reply
  /** Where the reply comes from: a repository or page, its commit, the path in it. */
  readonly source: string
  readonly commit: string
  readonly path: string
  /** How much the reply proves: recorded, an official example, a fixture of an SDK, or built from the schema. */
  readonly kind: string
}

/**
 * The expected judgement of a fixture. Cancellations: `cancelled` with `how`, `refused` with the reason, or `unknown`.
 * Lookups: `announced`, `scanned` with the time in UTC, `cancelled` or `unknown`.
 */
export type Judgement =
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

export type FixtureServer = {
  /** Sends the fixture's request through a new gateway. Returns the judgement and the calls outside the contract. */
  judge(connector: ConnectorName, fixture: Fixture): Promise<{ judgement: string; unexpected: string[] }>
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
      reply = (request) => {
        const answer = answerTo(request, fixture, contract)
        if (answer === undefined) unexpected.push(`${request.method} ${request.path}`)
        return answer ?? { status: 404 }
      }
      return { judgement: await judgementOf(connector, fixture, server), unexpected }
    },
    close: () => server.close(),
  }
}

const TOKEN: Reply = { status: 200, body: { access_token: 'token', token_type: 'Bearer', expires_in: 3_600 } }
const UNAVAILABLE: Reply = { status: 503 }

function answerTo(
  { method, path: requested }: FakeRequest,
  fixture: Fixture,
  { calls }: CarrierContract,
): FakeReply | undefined {
  const isCall = (call: RegExp | undefined) => call?.test(`${method} ${requested}`) ?? false
  if (isCall(calls.token)) return TOKEN
  if (isCall(calls.cancel)) return fixture.op === 'cancel' ? replyOf(fixture) : UNAVAILABLE
  if (isCall(calls.orders)) return fixture.orders ?? UNAVAILABLE
  if (!isCall(calls.track)) return undefined
  const isTested = fixture.op === 'track' || calls.cancel === undefined
  return isTested ? replyOf(fixture) : (fixture.track ?? UNAVAILABLE)
}

/** Without the fields that describe the fixture. */
function replyOf({ status, headers, body }: Fixture): Reply {
  return { status, ...(headers !== undefined && { headers }), ...(body !== null && { body }) }
}

async function judgementOf(
  connector: ConnectorName,
  { op, ref: carrierRef, sends, ageMs = 0 }: Fixture,
  { baseUrl }: FakeCarrier,
): Promise<string> {
  const settings = new Map([
    ['carrier', { baseUrl, credentials: credentialsOf(CONNECTORS[connector]), accounts: new Map() }],
  ])
  const gateway = carrierGateway(openCarriers(() => connector, { sandboxUrl: undefined, settings }))
  const parcel = { accountId: 'shop', carrierCode: 'carrier', carrierRef }
  if (op === 'track') return textOf(await gateway.track(parcel))
  const ticket = { ...parcel, attemptId: 'attempt', shipmentId: 'shipment', fence: 1, sends, ageMs }
  return textOf(await gateway.cancel(ticket))
}

function credentialsOf({ credentials }: ConnectorType): Record<string, string> {
  return Object.fromEntries(credentials.map((name) => [name, `test-${name}`]))
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
      return `not sent: ${answer.cause}`
    case 'announced':
    case 'unknown':
      return answer.kind
  }
}
