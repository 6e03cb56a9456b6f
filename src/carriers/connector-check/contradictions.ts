/**
 * Failures and replies that mean nothing at any carrier, for every call of a connector. The right outcome is `unknown`,
 * or `not sent` if no connection could be opened.
 */
import { CARRIER_TIMEOUT_MS } from '../gateway/gateway.ts'
import { type CheckResult, tokenReplyTo } from './fixtures-check.ts'
import {
  closedServer,
  type GenericFake,
  type Reaction,
  type ReceivedRequest,
  startGenericFake,
  startMuteServer,
} from './generic-fake.ts'
import { type CallInput, play, type Subject } from './play.ts'
import { SETTLES_NOTHING } from './variants.ts'

type Case = {
  readonly name: string
  /** Opens the carrier. `react` answers everything but requests for access tokens. */
  open(subject: Subject): Promise<GenericFake>
  readonly allowed: ReadonlySet<string>
  readonly timeoutMs: number
}

const NEVER_LEFT: ReadonlySet<string> = new Set(['not sent'])

const TIMEOUT_MS = 5_000
/** Longer than the time limit of a connection. */
const CONNECT_TIMEOUT_MS = 7_000

function answering(name: string, reaction: Reaction, timeoutMs = TIMEOUT_MS): Case {
  return {
    name,
    open: (subject) => startGenericFake((request) => tokenReplyTo(subject, request) ?? reaction),
    allowed: SETTLES_NOTHING,
    timeoutMs,
  }
}

function json(name: string, status: number, body?: string, headers?: Record<string, string>): Case {
  return answering(name, {
    status,
    ...(body !== undefined && { body }),
    ...(headers !== undefined && { headers }),
  })
}

function html(name: string, status: number): Case {
  return json(name, status, '<html><body>Request blocked</body></html>', { 'content-type': 'text/html' })
}

const CASES: readonly Case[] = [
  {
    name: 'connection refused',
    open: closedServer,
    allowed: NEVER_LEFT,
    timeoutMs: TIMEOUT_MS,
  },
  {
    name: 'timeout before the request was sent',
    open: () => startMuteServer(),
    allowed: NEVER_LEFT,
    timeoutMs: CONNECT_TIMEOUT_MS,
  },
  // The limit of the service, because a connector may set shorter ones itself.
  answering('timeout after the request was sent', 'silence', CARRIER_TIMEOUT_MS),
  answering('reset without a reply', 'reset'),
  answering('reset while the reply is read', { status: 200, body: '{"status":"cancelled"}', cut: true }),
  ...[400, 401, 405, 422, 501].map((status) => json(String(status), status)),
  html('400 with HTML', 400),
  json('400 with JSON', 400, '{"message":"bad request"}'),
  json('401 with JSON', 401, '{"code":"UNAUTHORIZED","message":"the token has expired"}'),
  json('403', 403),
  json('403 of a gateway', 403, '{"message":"Forbidden"}'),
  html('403 of a firewall', 403),
  json('404 without a body', 404),
  html('404 of another server', 404),
  json('404 with JSON', 404, '{}'),
  json('404 of a gateway', 404, '{"message":"no Route matched with those values"}'),
  json('408', 408),
  json('409 without a reason', 409),
  json('410 without a body', 410),
  json('429', 429),
  json('429 with JSON', 429, '{"code":"RATE_LIMIT","message":"too many requests"}'),
  json('429 with Retry-After', 429, '{}', { 'retry-after': '30' }),
  json('500', 500),
  json('500 with JSON', 500, '{"message":"internal error"}'),
  html('502 with HTML', 502),
  json('503 with Retry-After', 503, undefined, { 'retry-after': '30' }),
  json('504', 504),
  json('an empty 200', 200),
  json('201', 201, '{}'),
  json('202', 202, '{}'),
  json('204', 204),
  json('206', 206, '{}'),
  html('200 with HTML', 200),
  json('200 with a part of JSON', 200, '{"status":"canc'),
  ...['null', '[]', '{}', 'true', '""', '"cancelled"', '0'].map((body) =>
    json(`200 with ${body}`, 200, body),
  ),
  json('200 with XML', 200, '<reply/>', { 'content-type': 'application/xml' }),
  json('200 with an error', 200, '{"errors":[{"code":"TEST","message":"the request failed"}]}'),
  json('a body above the limit', 200, `{"status":"${'x'.repeat(5 * 1024 * 1024)}"}`),
  json('a redirect', 302, undefined, { location: 'redirected' }),
  json('a redirect that keeps the method', 307, undefined, { location: 'redirected' }),
]

/** The calls that a connector has. Cancellations also as a repeated send, where "not found" may mean "cancelled". */
function inputsOf(
  { type }: Subject,
  { lookedUpBefore: _, ...about }: Omit<CallInput, 'call'>,
): readonly (readonly [name: string, input: CallInput])[] {
  const { check, trackMany } = type.open({ baseUrl: 'http://127.0.0.1:9', credentials: {} })
  const calls: readonly CallInput['call'][] = [
    'track',
    ...(trackMany === undefined ? [] : (['trackMany'] as const)),
    ...(check === undefined ? [] : (['check'] as const)),
    ...(type.books === true ? (['book', 'find'] as const) : []),
  ]
  return [
    ['cancel', { ...about, call: 'cancel', sends: 1 }],
    ['repeated cancel', { ...about, call: 'cancel', sends: 2, ageMs: 60_000 }],
    ['third cancel', { ...about, call: 'cancel', sends: 3, ageMs: 600_000 }],
    ...calls.map((call) => [call, { ...about, call }] as const),
  ]
}

/** Plays every case for every call. `about` has numbers in the format of the carrier. */
export async function playContradictions(
  subject: Subject,
  about: Omit<CallInput, 'call'>,
): Promise<readonly CheckResult[]> {
  const inputs = inputsOf(subject, about)
  // At once: each call has a gateway and a carrier of its own, and some cases wait for a time limit.
  const playCase = (one: Case): Promise<readonly CheckResult[]> =>
    Promise.all(inputs.map(([name, input]) => resultOf(subject, one, name, input)))
  // Those that wait begin first, and the others follow one another meanwhile, so that they do not slow them down.
  const waiting = CASES.map((one) => (one.timeoutMs === TIMEOUT_MS ? undefined : playCase(one)))
  const results: CheckResult[] = []
  for (const [index, one] of CASES.entries())
    if (waiting[index] === undefined) results.push(...(await playCase(one)))
  return [...results, ...(await Promise.all(waiting)).flatMap((more) => more ?? [])]
}

async function resultOf(
  subject: Subject,
  one: Case,
  callName: string,
  input: CallInput,
): Promise<CheckResult> {
  const carrier = await one.open(subject)
  try {
    const { words, cause } = await play(subject, input, carrier.baseUrl, one.timeoutMs)
    const sent = carrier.requests.filter((request) => tokenReplyTo(subject, request) === undefined)
    const faults = [
      ...(one.allowed.has(words) ? [] : [`only ${[...one.allowed].join(', ')} is allowed`]),
      ...(one.name.startsWith('401') ? [] : sentFaults(input, sent)),
    ]
    return {
      name: `${callName}, ${one.name}`,
      outcome: words,
      ...(cause !== undefined && { cause }),
      ...(faults.length > 0 && { fault: faults.join('; ') }),
    }
  } finally {
    await carrier.close()
  }
}

/** What is wrong with the requests of one call. After a 401, a request may be repeated with a new token. */
function sentFaults({ call }: CallInput, sent: readonly ReceivedRequest[]): readonly string[] {
  if (call === 'cancel' || call === 'book') {
    const texts = sent
      .filter(({ method }) => method !== 'GET')
      .map(({ method, path, query, body }) => JSON.stringify([method, path, `${query}`, body]))
    const isRepeated = new Set(texts).size < texts.length
    return isRepeated ? ['a request is repeated in one call, which counts as one send'] : []
  }
  const changing = sent.find(({ method }) => method === 'DELETE' || method === 'PUT')
  return changing === undefined ? [] : [`a lookup sent ${changing.method}, which changes something`]
}
