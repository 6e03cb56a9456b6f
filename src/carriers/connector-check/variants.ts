/** Variants of fixtures that contradict themselves, or prove nothing any more. */
import { isJsonObject } from '../../core/input.ts'
import type { Fixture } from './fixture.ts'
import {
  type CheckResult,
  isAbout,
  playExchanges,
  resultOf,
  TIMEOUT_MS,
  tokenReplyTo,
} from './fixtures-check.ts'
import { type GivenReply, type Reaction, type ReceivedRequest, startGenericFake } from './generic-fake.ts'
import { type Outcome, playTogether, type Subject } from './play.ts'

/** What a connector may say about replies that settle nothing. */
export const SETTLES_NOTHING: ReadonlySet<string> = new Set(['unknown'])

/** The same about a number that the check has made up. Its check digit may be wrong, so that nothing is sent. */
const SAYS_NOTHING: ReadonlySet<string> = new Set(['unknown', 'not sent'])

/** A variant of a reply; undefined if it does not apply to this reply. */
type Variant = readonly [
  name: string,
  change: (reply: GivenReply, fixture: Fixture) => GivenReply | 'reset' | undefined,
]

const withStatus = (status: number): Variant => [
  `with status ${status}`,
  (reply) => (reply.status === status ? undefined : { ...reply, status }),
]

/** Only for replies whose body says something: carriers may have the answer in the headers. */
const instead = (name: string, other: GivenReply | 'reset'): Variant => [
  name,
  (reply) => (hasBody(reply) ? other : undefined),
]

/** Only for successes in JSON objects without such a field. */
const withError = (name: string, field: string, error: unknown): Variant => [
  name,
  (reply, { expect }) => {
    const { status, body = '' } = reply
    const isObject = body.startsWith('{') && body.endsWith('}') && !body.includes(`"${field}"`)
    if (status >= 300 || !isObject || expect.startsWith('refused')) return undefined
    const rest = body.slice(1) === '}' ? '}' : `,${body.slice(1)}`
    return { ...reply, body: `{"${field}":${JSON.stringify(error)}${rest}` }
  },
]

const ERROR = { code: 'TEST', message: 'the request failed' }
const HTML = { headers: { 'content-type': 'text/html' }, body: '<html><body>Request blocked</body></html>' }

const VARIANTS: readonly Variant[] = [
  ...[202, 302, 401, 403, 429, 500, 503].map(withStatus),
  ['cut in half', (reply) => (hasBody(reply) ? { ...reply, cut: true } : undefined)],
  ['with half of its text', halved],
  ['about another number', aboutAnother],
  ['without its number', withoutNumber],
  ['with its state negated', negated],
  withError('with an error beside it', 'errors', [ERROR]),
  withError('with an error text beside it', 'error', ERROR.message),
  withError('with a fault beside it', 'fault', ERROR),
  ['with an empty object', (reply) => (hasBody(reply) ? { ...reply, body: '{}' } : undefined)],
  instead('as an empty 200', { status: 200 }),
  instead('as a 404 of another server', { status: 404, ...HTML }),
  instead('as a closed connection', 'reset'),
]

function hasBody({ body = '' }: GivenReply): boolean {
  return body.length > 2
}

function halved(reply: GivenReply): GivenReply | undefined {
  const { body = '' } = reply
  return hasBody(reply) ? { ...reply, body: body.slice(0, Math.ceil(body.length / 2)) } : undefined
}

/** Without leading zeros, because carriers leave them out too. Short numbers may mean something else. */
function numbersOf({ call, number, orderNumber = '' }: Fixture): readonly string[] {
  if (call !== 'cancel' && call !== 'track') return []
  return [number, orderNumber].map((text) => text.replace(/^0+/, '')).filter((text) => text.length > 3)
}

/** The numbers differ in their last character. */
function aboutAnother(reply: GivenReply, fixture: Fixture): GivenReply | undefined {
  const { body = '' } = reply
  const other = numbersOf(fixture).reduce((text, one) => text.replaceAll(one, differentFrom(one)), body)
  return other === body ? undefined : { ...reply, body: other }
}

function differentFrom(number: string): string {
  return `${number.slice(0, -1)}${number.endsWith('1') ? '2' : '1'}`
}

/** A reply in JSON without the fields that have one of the numbers. */
function withoutNumber(reply: GivenReply, fixture: Fixture): GivenReply | undefined {
  const numbers = numbersOf(fixture)
  return changedJson(reply, (value) => {
    const isNumber = typeof value === 'string' || typeof value === 'number'
    return isNumber && numbers.includes(String(value).replace(/^0+/, '')) ? undefined : value
  })
}

/** Words of states that settle something. */
const STATE = /cancel|void|delete|announce/i
/** Texts of several words may be for people only, and others may be URLs. */
const NO_STATE = /[\s/:]/

/** Scans and refusals may be founded on other values: an earlier event, or an error code that is not listed. */
function negated(reply: GivenReply, { call, expect }: Fixture): GivenReply | undefined {
  if (call !== 'cancel' && call !== 'track') return undefined
  if (!expect.startsWith('cancelled') && expect !== 'announced') return undefined
  return changedJson(reply, (value) =>
    typeof value === 'string' && STATE.test(value) && !NO_STATE.test(value) ? `not ${value}` : value,
  )
}

/** The reply with its values in JSON changed; without those for which `change` returns undefined. */
function changedJson(reply: GivenReply, change: (value: unknown) => unknown): GivenReply | undefined {
  const changed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(changed).filter((one) => one !== undefined)
    if (!isJsonObject(value)) return change(value)
    return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, changed(field)]))
  }
  try {
    const json: unknown = JSON.parse(reply.body ?? '')
    const body = JSON.stringify(changed(json))
    return body === undefined || body === JSON.stringify(json) ? undefined : { ...reply, body }
  } catch {
    return undefined
  }
}

/**
 * Plays a fixture whose outcome is certain with one reply changed at a time. No variant settles anything, so its
 * outcome must be `unknown`; or that of the fixture, if the reply decides nothing.
 */
export async function playVariants(subject: Subject, fixture: Fixture): Promise<readonly CheckResult[]> {
  if (fixture.expect === 'unknown' || fixture.expect === 'not sent') return []
  const results: CheckResult[] = []
  for (const [index, exchange] of fixture.exchanges.entries()) {
    const { request, reply, decides } = exchange
    // Without an access token, the call is not sent.
    if (tokenReplyTo(subject, request) !== undefined) continue
    for (const [name, change] of VARIANTS) {
      const changed = reply === 'reset' ? undefined : change(reply, fixture)
      if (changed === undefined) continue
      const exchanges = fixture.exchanges.with(index, { ...exchange, reply: changed })
      const { outcome } = await playExchanges(subject, fixture, exchanges)
      const isAllowed = SETTLES_NOTHING.has(outcome.words) || (!decides && outcome.words === fixture.expect)
      const which = fixture.exchanges.length > 1 ? `, reply ${index + 1},` : ''
      results.push(
        resultOf(`${fixture.name}${which} ${name}`, outcome, isAllowed ? [] : ['only unknown is allowed']),
      )
    }
  }
  return [
    ...results,
    ...(await asFirstSend(subject, fixture)),
    ...(await together(subject, fixture)),
    ...(await atTheSameTime(subject, fixture)),
  ]
}

/** A fixture of a repeated send shows what the connector believes only because an earlier send may have arrived. */
async function asFirstSend(subject: Subject, fixture: Fixture): Promise<readonly CheckResult[]> {
  const { name, call, sends, expect, exchanges } = fixture
  if (call !== 'cancel' || sends === 1 || expect !== 'cancelled already') return []
  const { outcome } = await playExchanges(subject, { ...fixture, sends: 1 }, exchanges)
  const faults = outcome.words.startsWith('cancelled')
    ? ['nothing was sent before, so it is not cancelled']
    : []
  return [resultOf(`${name} as a first send`, outcome, faults)]
}

/** A lookup of two parcels that gets the reply about one of them says nothing about the other. */
async function together(subject: Subject, fixture: Fixture): Promise<readonly CheckResult[]> {
  const { name, call, number, exchanges } = fixture
  const { trackMany } = subject.type.open({ baseUrl: 'http://127.0.0.1:9', credentials: {} })
  const last = exchanges.at(-1)?.reply
  if (call !== 'track' || trackMany === undefined || last === undefined) return []
  const other = differentFrom(number)
  const answerTo = (request: ReceivedRequest): Reaction =>
    // The carrier may be asked for one parcel at a time.
    isAbout(request, { number: other }) && !isAbout(request, { number }) ? { status: 503 } : last
  const fake = await startGenericFake((request) => tokenReplyTo(subject, request) ?? answerTo(request))
  try {
    const results: CheckResult[] = []
    for (const [where, numbers] of [
      ['before', [number, other]],
      ['after', [other, number]],
    ] as const) {
      const outcomes = await playTogether(subject, fixture, numbers, fake.baseUrl, TIMEOUT_MS)
      const outcome: Outcome = outcomes[numbers.indexOf(other)] ?? { words: 'unknown' }
      const faults = SAYS_NOTHING.has(outcome.words) ? [] : ['only unknown is allowed']
      results.push(resultOf(`${name} ${where} a parcel that the reply does not have`, outcome, faults))
    }
    return results
  } finally {
    await fake.close()
  }
}

/**
 * While the call of the fixture waits for its first reply, the connector makes one about another number, which fails. A
 * connector that keeps something of a call in a variable confuses the two.
 */
async function atTheSameTime(subject: Subject, fixture: Fixture): Promise<readonly CheckResult[]> {
  const { name, call, number, orderNumber, exchanges, expect } = fixture
  if (call !== 'cancel' && call !== 'track') return []
  const other = {
    call,
    number: differentFrom(number),
    sends: 1,
    ageMs: 0,
    ...(orderNumber !== undefined && { orderNumber: differentFrom(orderNumber) }),
  }
  const { outcome, besideOutcome } = await playExchanges(subject, fixture, exchanges, other)
  const faults = [
    ...(outcome.words === expect ? [] : [`expected ${expect}`]),
    ...(besideOutcome === undefined || SAYS_NOTHING.has(besideOutcome.words)
      ? []
      : [`${besideOutcome.words} for the other parcel`]),
  ]
  return [resultOf(`${name} with another call at the same time`, outcome, faults)]
}
