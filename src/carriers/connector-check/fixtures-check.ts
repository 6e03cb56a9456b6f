/** Plays the fixtures of a connector, and variants of them that contradict themselves. */
import { isDeepStrictEqual } from 'node:util'
import type { Exchange, ExpectedRequest, Fixture } from './fixture.ts'
import { type GivenReply, type Reaction, type ReceivedRequest, startGenericFake } from './generic-fake.ts'
import { type Outcome, play, type Subject } from './play.ts'

/** What was found in one case. */
export type CheckResult = {
  /** Such as `fixture deleted` or `cancel, an empty 200`. */
  readonly name: string
  /** Such as `cancelled now`. */
  readonly outcome: string
  /** Why the outcome is `unknown` or `not sent`. */
  readonly cause?: string
  /** What the fixtures do not show. */
  readonly warning?: string
  /** Present if the connector failed the case. */
  readonly fault?: string
}

/** Longer than any reply of the fake takes. */
const TIMEOUT_MS = 5_000

const OAUTH_TOKEN: GivenReply = {
  status: 200,
  body: JSON.stringify({ access_token: 'test-token', token_type: 'Bearer', expires_in: 3_600 }),
}

type Addressed = Pick<ExpectedRequest, 'method' | 'path'>

export function isTokenRequest({ method, path }: Addressed, tokenPath: string | undefined): boolean {
  return tokenPath !== undefined && method === 'POST' && path === tokenPath
}

/** The reply to a request for an access token; undefined for another request. */
export function tokenReplyTo(
  { tokenPath, tokenReply = OAUTH_TOKEN }: Subject,
  request: ReceivedRequest,
): GivenReply | undefined {
  return isTokenRequest(request, tokenPath) ? tokenReply : undefined
}

export async function playFixture(subject: Subject, fixture: Fixture): Promise<CheckResult> {
  const { outcome, requests, requestFaults } = await playExchanges(subject, fixture, fixture.exchanges)
  const faults = [
    ...requestFaults,
    ...(requests === 0 && outcome.words.startsWith('cancelled') ? ['cancelled without a request'] : []),
    ...(outcome.words === fixture.expect ? [] : [`expected ${fixture.expect}`]),
  ]
  return resultOf(`fixture ${fixture.name}`, outcome, faults)
}

function resultOf(name: string, { words, cause }: Outcome, faults: readonly string[]): CheckResult {
  return {
    ...{ name, outcome: words },
    ...(cause !== undefined && { cause }),
    ...(faults.length > 0 && { fault: faults.join('; ') }),
  }
}

/**
 * `requests`: their number, without those for access tokens. `requestFaults`: requests that the fixture does not have,
 * or that were not sent.
 */
async function playExchanges(
  subject: Subject,
  fixture: Fixture,
  exchanges: readonly Exchange[],
): Promise<{
  readonly outcome: Outcome
  readonly requests: number
  readonly requestFaults: readonly string[]
}> {
  const left = exchanges.flatMap(({ times, ...exchange }) => Array.from({ length: times }, () => exchange))
  const requestFaults: string[] = []
  let requests = 0
  const react = (request: ReceivedRequest): Reaction => {
    const isFor = ({ request: { method, path } }: { request: ExpectedRequest }) =>
      method === request.method && path === request.path
    const candidates = left.filter(isFor)
    const found = candidates.find((exchange) => differencesOf(exchange.request, request).length === 0)
    const next = found ?? candidates[0]
    if (next === undefined) {
      const token = tokenReplyTo(subject, request)
      if (token !== undefined) return token
      requests += 1
      requestFaults.push(`unexpected request ${request.method} ${request.path}`)
      return { status: 500 }
    }
    requests += 1
    left.splice(left.indexOf(next), 1)
    requestFaults.push(...differencesOf(next.request, request))
    return next.reply
  }
  const fake = await startGenericFake(react)
  try {
    const outcome = await play(subject, fixture, fake.baseUrl, TIMEOUT_MS)
    const missing = left.map(({ request: { method, path } }) => `${method} ${path} was not sent`)
    return { outcome, requests, requestFaults: [...requestFaults, ...missing] }
  } finally {
    await fake.close()
  }
}

/** Credentials are not printed. */
function differencesOf(
  expected: ExpectedRequest,
  { query, headers, body, method, path }: ReceivedRequest,
): string[] {
  const of = `of ${method} ${path}`
  return [
    ...Object.entries(expected.query).flatMap(([name, value]) =>
      query.get(name) === value ? [] : [`the query parameter ${name} ${of} is not ${value}`],
    ),
    ...Object.entries(expected.headers).flatMap(([name, value]) =>
      headers[name] === value ? [] : [`the header ${name} ${of} differs`],
    ),
    ...(expected.body === undefined || isDeepStrictEqual(body, expected.body)
      ? []
      : [`the body ${of} differs`]),
  ]
}

/** What a connector may say about replies that settle nothing. */
export const SETTLES_NOTHING: ReadonlySet<string> = new Set(['unknown'])

/** A variant of a reply; undefined if it does not apply to this reply. */
type Variant = readonly [
  name: string,
  change: (reply: GivenReply, fixture: Fixture) => GivenReply | undefined,
]

const withStatus = (status: number): Variant => [`with status ${status}`, (reply) => ({ ...reply, status })]

const VARIANTS: readonly Variant[] = [
  ...[302, 429, 500, 503].map(withStatus),
  ['cut in half', (reply) => (hasBody(reply) ? { ...reply, cut: true } : undefined)],
  ['with half of its text', halved],
  ['about another number', aboutAnother],
  ['with an error beside it', withError],
]

function hasBody({ body = '' }: GivenReply): boolean {
  return body.length > 2
}

function halved(reply: GivenReply): GivenReply | undefined {
  const { body = '' } = reply
  return hasBody(reply) ? { ...reply, body: body.slice(0, Math.ceil(body.length / 2)) } : undefined
}

/** The numbers differ in their last character. Leading zeros are left out, because carriers leave them out too. */
function aboutAnother(
  reply: GivenReply,
  { call, number, orderNumber = '' }: Fixture,
): GivenReply | undefined {
  if (call !== 'cancel' && call !== 'track') return undefined
  const { body = '' } = reply
  const own = [number, orderNumber].map((text) => text.replace(/^0+/, ''))
  const other = own.reduce(
    (text, one) => (one.length > 3 ? text.replaceAll(one, differentFrom(one)) : text),
    body,
  )
  return other === body ? undefined : { ...reply, body: other }
}

function differentFrom(number: string): string {
  return `${number.slice(0, -1)}${number.endsWith('1') ? '2' : '1'}`
}

/** Only for successes in JSON objects without errors. */
function withError(reply: GivenReply, { expect }: Fixture): GivenReply | undefined {
  const { status, body = '' } = reply
  const isObject = body.startsWith('{') && body.endsWith('}') && !body.includes('"errors"')
  if (status >= 300 || !isObject || expect.startsWith('refused')) return undefined
  const error = JSON.stringify({ code: 'TEST', message: 'the request failed' })
  const rest = body.slice(1) === '}' ? '}' : `,${body.slice(1)}`
  return { ...reply, body: `{"errors":[${error}]${rest}` }
}

/**
 * Plays a fixture whose outcome is certain with one reply changed at a time. No variant settles anything, so its
 * outcome must be `unknown`.
 */
export async function playVariants(subject: Subject, fixture: Fixture): Promise<readonly CheckResult[]> {
  if (fixture.expect === 'unknown' || fixture.expect === 'not sent') return []
  const results: CheckResult[] = []
  for (const [index, { request, reply }] of fixture.exchanges.entries()) {
    // Without an access token, the call is not sent.
    if (isTokenRequest(request, subject.tokenPath)) continue
    for (const [name, change] of VARIANTS) {
      const changed = reply === 'reset' ? undefined : change(reply, fixture)
      if (changed === undefined) continue
      const exchanges = fixture.exchanges.with(index, { ...fixture.exchanges[index]!, reply: changed })
      const { outcome } = await playExchanges(subject, fixture, exchanges)
      const fault = SETTLES_NOTHING.has(outcome.words) ? [] : ['only unknown is allowed']
      const which = fixture.exchanges.length > 1 ? `, reply ${index + 1},` : ''
      results.push(resultOf(`${fixture.name}${which} ${name}`, outcome, fault))
    }
  }
  return results
}
