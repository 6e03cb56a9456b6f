/** Plays the fixtures of a connector, and compares the requests and the outcome with the expected ones. */
import { isDeepStrictEqual } from 'node:util'
import type { Exchange, ExpectedRequest, Fixture } from './fixture.ts'
import { type GivenReply, type Reaction, type ReceivedRequest, startGenericFake } from './generic-fake.ts'
import { type CallInput, type Outcome, play, type Subject } from './play.ts'

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
export const TIMEOUT_MS = 5_000

export const OAUTH_TOKEN: GivenReply = {
  status: 200,
  body: JSON.stringify({ access_token: 'test-token', token_type: 'Bearer', expires_in: 3_600 }),
}

/** The reply to a request for an access token; undefined for another request. */
export function tokenReplyTo(
  { tokenReplies }: Pick<Subject, 'tokenReplies'>,
  { method, path }: Pick<ExpectedRequest, 'method' | 'path'>,
): GivenReply | undefined {
  return method === 'POST' ? tokenReplies.get(path) : undefined
}

export async function playFixture(subject: Subject, fixture: Fixture): Promise<CheckResult> {
  const { outcome, requests, requestFaults } = await playExchanges(subject, fixture, fixture.exchanges)
  const faults = [
    ...requestFaults,
    ...(requests === 0 && outcome.words.startsWith('cancelled') ? ['cancelled without a request'] : []),
    ...(isUnfounded(fixture, outcome)
      ? ['a parcel that is not found at the first send is not cancelled']
      : []),
    ...(outcome.words === fixture.expect ? [] : [`expected ${fixture.expect}`]),
  ]
  return resultOf(`fixture ${fixture.name}`, outcome, faults)
}

/** A release can be founded on other replies than those about the parcel. */
function isUnfounded({ call, sends, exchanges }: Fixture, { words }: Outcome): boolean {
  const isCancelled = words === 'cancelled now' || words === 'cancelled already'
  const isNotFound = ({ reply }: Exchange) => reply !== 'reset' && [404, 410].includes(reply.status)
  return (
    call === 'cancel' && sends === 1 && isCancelled && exchanges.length > 0 && exchanges.every(isNotFound)
  )
}

export function resultOf(name: string, { words, cause }: Outcome, faults: readonly string[]): CheckResult {
  return {
    name,
    outcome: words,
    ...(cause !== undefined && { cause }),
    ...(faults.length > 0 && { fault: faults.join('; ') }),
  }
}

/**
 * Plays the fixture with these exchanges. A call `beside` it is made at the same time. It gets a 503 to requests about
 * its number, and to others, such as for a session, the reply of the fixture. `requests`: their number, without those
 * for access tokens. `requestFaults`: requests that the fixture does not have, or that were not sent.
 */
export async function playExchanges(
  subject: Subject,
  fixture: Fixture,
  exchanges: readonly Exchange[],
  beside?: CallInput,
): Promise<{
  readonly outcome: Outcome
  readonly besideOutcome?: Outcome
  readonly requests: number
  readonly requestFaults: readonly string[]
}> {
  const own = exchanges.flatMap(({ times, ...exchange }) => Array.from({ length: times }, () => exchange))
  const left = beside === undefined ? own : [...own, ...own]
  const requestFaults: string[] = []
  let requests = 0
  const react = (request: ReceivedRequest): Reaction => {
    if (beside !== undefined && isAbout(request, beside)) return { status: 503 }
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
      // Never an answer about a parcel.
      return { status: 503 }
    }
    requests += 1
    left.splice(left.indexOf(next), 1)
    requestFaults.push(...differencesOf(next.request, request))
    return next.reply
  }
  const fake = await startGenericFake(react)
  try {
    const [outcome, besideOutcome] = await Promise.all(
      [fixture, ...(beside === undefined ? [] : [beside])].map((one) =>
        play(subject, one, fake.baseUrl, TIMEOUT_MS),
      ),
    )
    const missing = left.map(({ request: { method, path } }) => `${method} ${path} was not sent`)
    return {
      outcome: outcome ?? { words: 'unknown' },
      ...(besideOutcome !== undefined && { besideOutcome }),
      requests,
      requestFaults: [...requestFaults, ...missing],
    }
  } finally {
    await fake.close()
  }
}

/**
 * Whether a request contains one of the numbers, with or without leading zeros. Short numbers are left out, because
 * they may mean something else.
 */
export function isAbout(
  { path, query, body }: ReceivedRequest,
  { number, orderNumber = '' }: Pick<CallInput, 'number' | 'orderNumber'>,
): boolean {
  const text = `${path} ${query} ${JSON.stringify(body)}`
  const numbers = [number, orderNumber].map((one) => one.replace(/^0+/, ''))
  return numbers.some((one) => one.length > 3 && text.includes(one))
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
