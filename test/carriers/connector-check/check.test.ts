/**
 * The check of connectors: those of this repository pass it, also with variants of their recorded replies, and it finds
 * faults of others.
 */
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test, vi } from 'vitest'
import type { CancelRequest } from '../../../src/carriers/connector.ts'
import { checkConnector, subjectOf } from '../../../src/carriers/connector-check/check.ts'
import { playContradictions } from '../../../src/carriers/connector-check/contradictions.ts'
import type { Exchange, Fixture } from '../../../src/carriers/connector-check/fixture.ts'
import { playFixture, tokenReplyTo } from '../../../src/carriers/connector-check/fixtures-check.ts'
import { type GivenReply, startGenericFake } from '../../../src/carriers/connector-check/generic-fake.ts'
import { play, type Subject } from '../../../src/carriers/connector-check/play.ts'
import { playVariants } from '../../../src/carriers/connector-check/variants.ts'
import type { ConnectorDefinition, Conversation } from '../../../src/carriers/connectors/define/definition.ts'
import { dhlExpress } from '../../../src/carriers/connectors/dhl-express.ts'
import { dhlParcelDe } from '../../../src/carriers/connectors/dhl-parcel-de/dhl-parcel-de.ts'
import { dpd } from '../../../src/carriers/connectors/dpd.ts'
import { fedex } from '../../../src/carriers/connectors/fedex.ts'
import { glsShipit } from '../../../src/carriers/connectors/gls-shipit.ts'
import { reportsError, unknown, unlistedError } from '../../../src/carriers/connectors/judgement.ts'
import { ups } from '../../../src/carriers/connectors/ups.ts'
import { type HttpReply, textAt, valueAt } from '../../../src/carriers/http-exchange.ts'
import { BUILT_IN } from '../../../src/carriers/registry.ts'
import type { CarrierBookAnswer } from '../../../src/core/shipments/booking.ts'
import type { Shipment } from '../../../src/core/shipments/shipment.ts'
import { EXAMPLE } from '../connectors/define/example.ts'
import { fixturesOf, type Fixture as RecordedFixture, type Reply } from '../contract/contract.ts'
import { CONTRACTS } from '../contract/contracts.ts'

// Each check waits for time limits of seconds, and plays hundreds of cases.
vi.setConfig({ testTimeout: 300_000, maxConcurrency: 20 })

const subjectWith = (definition: ConnectorDefinition): Subject =>
  subjectOf(definition, { settings: {}, fixtures: [] })

/** The connectors of this repository, with a number in the format of the carrier. */
const KNOWN: readonly (readonly [ConnectorDefinition, number: string])[] = [
  [ups, '1ZISDE016691676846'],
  [fedex, '794953555571'],
  [dhlParcelDe, '00340434292135100056'],
  [glsShipit, 'ABCD1234'],
  [dhlExpress, '1234567890'],
  [dpd, '01234567890123'],
]

const faultsIn = (results: readonly { readonly name: string; readonly fault?: string }[]) =>
  results.flatMap(({ name, fault }) => (fault === undefined ? [] : [`${name}: ${fault}`]))

/**
 * A fixture of the check, with the requests that the connector makes for a recorded reply. Requests for the same path,
 * such as those for the manifests of several days, get the same reply, and are one exchange.
 */
async function fixtureOf(subject: Subject, name: string, recorded: RecordedFixture): Promise<Fixture> {
  const { calls, judgements } = CONTRACTS[subject.name as keyof typeof CONTRACTS]
  const { op, ref, sends = 1, ageMs = 0, bookedAt, earlier } = recorded
  const [expected] = judgements[name]!
  const exchanges = new Map<string, Exchange>()
  const fake = await startGenericFake((request) => {
    const { method, path, query } = request
    const token = tokenReplyTo(subject, request)
    if (token !== undefined) return token
    const isCall = (call: keyof typeof calls) => calls[call]?.test(`${method} ${path}`) === true
    const role = (['orders', 'manifests', 'image', 'cancel', 'track'] as const).find(isCall)
    const isEarlier = earlier !== undefined && path.includes(earlier.ref)
    const isTested = role === op || (role === 'track' && calls.cancel === undefined)
    const other = role === undefined || role === 'cancel' ? undefined : recorded[role]
    const reply = isEarlier ? earlier.reply : isTested ? recorded : (other ?? { status: 503 })
    const key = `${method} ${path} ${query.get('trackingNumber')}`
    const decides =
      isEarlier || isTested || (reply.status !== 503 && !isAddition(subject, role, recorded, expected))
    const { times = 0 } = exchanges.get(key) ?? {}
    const given = givenReply(reply)
    const expectedRequest = { method, path, query: {}, headers: {} }
    exchanges.set(key, { request: expectedRequest, reply: given, times: times + 1, decides })
    return given
  })
  const input = {
    ...{ name, call: op, number: ref, sends, ageMs },
    ...(bookedAt !== undefined && { bookedAt }),
    ...(earlier !== undefined && { lookedUpBefore: [earlier.ref] }),
  }
  await play(subject, input, fake.baseUrl, 5_000)
  await fake.close()
  return { ...input, exchanges: [...exchanges.values()], expect: expected }
}

/** What only adds to the reply to a deletion at DHL Parcel DE. */
function isAddition(
  { name }: Subject,
  role: string | undefined,
  { sends }: RecordedFixture,
  expected: string,
) {
  if (name !== 'dhl-parcel-de') return false
  const isScanned = expected === 'refused SCANNED'
  return role === 'track' ? !isScanned : role === 'orders' && (sends === 1 || isScanned)
}

function givenReply({ status, headers = {}, body }: Reply): GivenReply {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return { status, headers, ...(body !== undefined && body !== null && { body: text }) }
}

// Concurrently, like all tests of this file, because each check waits for a connection that is not opened.
describe.concurrent.each(KNOWN)('$0.name', (definition, number) => {
  const subject = subjectWith(definition)

  test('says nothing about failures and replies that mean nothing', async () => {
    const results = await playContradictions(subject, { number, sends: 1, ageMs: 0 })
    expect(faultsIn(results)).toEqual([])
    expect(results.length).toBeGreaterThan(100)
  })

  test('judges its recorded replies as fixtures of the check, and says nothing about variants of them', async () => {
    // Tokens and compression are not the connector's.
    const recorded = [...fixturesOf(subject.name)].filter(
      ([, { next, tokens, gzip }]) => (next ?? tokens ?? gzip) === undefined,
    )
    const faults: string[] = []
    let variants = 0
    for (const [name, one] of recorded) {
      const fixture = await fixtureOf(subject, name, one)
      const results = [await playFixture(subject, fixture), ...(await playVariants(subject, fixture))]
      variants += results.length
      faults.push(...faultsIn(results))
    }
    expect(faults).toEqual([])
    expect(variants).toBeGreaterThan(70)
  })
})

const sandbox: Subject = {
  ...{ name: 'sandbox', type: BUILT_IN.get('sandbox')! },
  ...{ tokenReplies: new Map(), settings: {} },
}

test.concurrent('the sandbox, which books, says nothing about failures', async () => {
  const results = await playContradictions(sandbox, { number: 'N1', sends: 1, ageMs: 0 })
  expect(faultsIn(results)).toEqual([])
  expect(results.map(({ name }) => name)).toContain('find, 404 without a body')
})

const exchange = (status: number, body: unknown, method = 'DELETE', path = '/parcels/NUMBER1') => ({
  ...{ request: { method, path, query: {}, headers: {} }, times: 1, decides: true },
  reply: { status, headers: {}, body: JSON.stringify(body) },
})
const FIXTURE: Fixture = {
  ...{ name: 'cancelled', call: 'cancel', number: 'NUMBER1', sends: 1, ageMs: 0 },
  exchanges: [exchange(200, { number: 'NUMBER1', state: 'cancelled' })],
  expect: 'cancelled now',
}

const changedExample = (change: object): Subject =>
  subjectWith({ ...EXAMPLE, ...change } as ConnectorDefinition)

async function faultsOf(change: object, fixture: Partial<Fixture> = {}): Promise<string[]> {
  return faultsIn(await checkConnector(changedExample(change), { fixtures: [{ ...FIXTURE, ...fixture }] }))
}

/** Those that the fixture and its variants show: a few calls, while the whole check makes hundreds. */
async function fixtureFaultsOf(change: object, changes: Partial<Fixture> = {}): Promise<string[]> {
  const subject = changedExample(change)
  const fixture = { ...FIXTURE, ...changes }
  return faultsIn([await playFixture(subject, fixture), ...(await playVariants(subject, fixture))])
}

/** The part of the check that has this fault. The names of variants begin with that of the fixture. */
const faultsLike = (fault: string) => (/^(fixture |cancelled )/.test(fault) ? fixtureFaultsOf : faultsOf)

test.concurrent('the services of a booking are sent as its fixture says, and each has a fixture or a warning', async () => {
  const judge = ({ json }: HttpReply): CarrierBookAnswer => {
    const carrierRef = textAt(json, 'number')
    return carrierRef === undefined ? unknown('no number') : { kind: 'booked', carrierRef }
  }
  const bodyOf = ({ serviceInputs = {} }: Shipment) =>
    ({ method: 'POST', path: '/bookings', body: serviceInputs }) as const
  const bookings: ConnectorDefinition['bookings'] = {
    services: ['SATURDAY', 'SIGNATURE'],
    book: {
      request: ({ services }) => ({
        method: 'POST',
        path: '/bookings',
        query: { with: services?.join() ?? '' },
      }),
      judge,
    },
    find: {
      request: (id) => ({ method: 'GET', path: `/bookings/${id}` }),
      judge: () => unknown('no booking'),
    },
  }
  const subject = subjectOf({ ...EXAMPLE, bookings }, { settings: {}, fixtures: [] })
  const booked = exchange(200, { number: 'B1' }, 'POST', '/bookings')
  const fixture: Fixture = {
    ...{ name: 'saturday', call: 'book', number: 'B1', sends: 1, ageMs: 0, services: ['SATURDAY'] },
    exchanges: [{ ...booked, request: { ...booked.request, query: { with: 'SATURDAY' } } }],
    expect: 'booked B1',
  }
  const results = await checkConnector(subject, { fixtures: [fixture] })
  expect(results.filter(({ name }) => name === 'fixture saturday')).toEqual([
    { name: 'fixture saturday', outcome: 'booked B1' },
  ])
  expect(results.filter(({ warning }) => warning !== undefined).map(({ name }) => name)).toEqual([
    'service SIGNATURE',
  ])
  const withInputs = subjectOf(
    {
      ...EXAMPLE,
      bookings: {
        ...bookings,
        services: ['CASH_ON_DELIVERY', 'DANGEROUS_GOODS'],
        book: { judge, request: bodyOf },
      },
    },
    { settings: {}, fixtures: [] },
  )
  const body = {
    cashOnDelivery: { currency: 'EUR', hundredths: 10_000 },
    dangerousGoods: [
      { unNumber: 'UN3481', hazardClass: 'CLASS_9', limitedQuantity: false, netGrams: 400, packages: 1 },
    ],
  }
  expect(
    await playFixture(withInputs, {
      ...{ ...fixture, services: ['CASH_ON_DELIVERY', 'DANGEROUS_GOODS'] },
      exchanges: [{ ...booked, request: { ...booked.request, body } }],
    }),
  ).toMatchObject({ outcome: 'booked B1' })
  const untold = await playFixture(subject, { ...fixture, services: ['CASH_ON_DELIVERY'] })
  expect(untold).toMatchObject({ outcome: 'not sent', cause: 'SERVICE_NOT_OFFERED' })
})

test.concurrent('the reply to a request for an access token is that of a fixture, and the numbers are those of a cancellation', async () => {
  const token: ConnectorDefinition['token'] = {
    request: () => ({ path: '/login', body: {} }),
    read: (json) => ({ token: textAt(json, 'ticket') ?? '', lifetimeMs: 60_000 }),
  }
  const definition: ConnectorDefinition = {
    ...{ ...EXAMPLE, token, headers: (_settings, ticket) => ({ ticket }) },
    orderNumber: { pattern: /^\d+$/, mustBe: 'digits' },
    check: { request: () => ({ method: 'GET', path: '/ping' }), judge: () => unknown('no reply') },
  }
  const login = exchange(200, { ticket: 'T1' }, 'POST', '/login')
  const cancelled: Fixture = { ...FIXTURE, orderNumber: '7', exchanges: [login, ...FIXTURE.exchanges] }
  const ping: Fixture = {
    ...{ name: 'ping', call: 'check', number: 'NUMBER1', sends: 1, ageMs: 0, expect: 'unknown' },
    exchanges: [exchange(200, {}, 'GET', '/ping')],
  }
  const faults = async (fixtures: readonly Fixture[]) =>
    faultsIn(await checkConnector(subjectOf(definition, { settings: {}, fixtures }), { fixtures }))
  expect(await faults([ping, cancelled])).toEqual([])
  // Without the exchange, no call gets beyond the token.
  const [{ exchanges, ...rest }] = [cancelled]
  expect((await faults([ping, { ...rest, exchanges: exchanges.slice(1) }])).length).toBeGreaterThan(50)
})

describe.concurrent('a connector', () => {
  test('without faults passes', async () => {
    expect(await faultsOf({})).toEqual([])
  })

  const judging = (judge: unknown, answers: unknown = [200]) => ({
    cancel: { ...EXAMPLE.cancel, judge, answers },
  })
  const now = { kind: 'cancelled', how: 'now' }
  const already = { kind: 'cancelled', how: 'already' }
  test.each<[what: string, change: object, found: string]>([
    [
      'that takes every 200 for a success',
      judging(() => now),
      'cancel, an empty 200: only unknown is allowed',
    ],
    [
      'that takes a repeated 404 for a success',
      judging(
        (reply: { status: number }, { sends }: { sends: number }) =>
          reply.status === 404 && sends > 1 ? already : now,
        [200, 404],
      ),
      'repeated cancel, 404 of another server: only unknown is allowed',
    ],
    [
      'that reads the body whatever the status is',
      judging(
        ({ json }: { json?: { state?: string } }) =>
          json?.state === 'cancelled' ? now : { kind: 'unknown', cause: 'x' },
        'all',
      ),
      'cancelled with status 500: only unknown is allowed',
    ],
    [
      'that does not compare the number',
      judging(({ json }: { json?: { state?: string } }) =>
        json?.state === 'cancelled' ? now : { kind: 'unknown', cause: 'x' },
      ),
      'cancelled about another number: only unknown is allowed',
    ],
    [
      'that ignores an error beside a success',
      judging(({ json }: { json?: { number?: string } }) =>
        json?.number === 'NUMBER1' ? now : { kind: 'unknown', cause: 'x' },
      ),
      'cancelled with an error beside it: only unknown is allowed',
    ],
    [
      'that refuses after a failure',
      {
        cancel: {
          ...EXAMPLE.cancel,
          answers: 'all',
          judge: ({ status }: { status: number }) =>
            status === 200 ? now : { kind: 'refused', reason: 'NOT_CANCELLABLE', code: 'X', message: 'x' },
        },
      },
      'cancel, 502 with HTML: only unknown is allowed',
    ],
    [
      'that takes a missing parcel for an announced one',
      { track: { ...EXAMPLE.track, judge: () => ({ kind: 'announced' }) } },
      'track, 200 with {}: only unknown is allowed',
    ],
    [
      'that accepts credentials without a reply of the carrier',
      { check: { request: () => ({ method: 'GET', path: '/' }), judge: () => ({ kind: 'accepted' }) } },
      'check, 200 with HTML: only unknown is allowed',
    ],
    [
      'that finds no booking in an empty reply',
      { bookings: { book: EXAMPLE.track, find: { ...EXAMPLE.track, judge: () => ({ kind: 'none' }) } } },
      'find, 200 with []: only unknown is allowed',
    ],
    [
      'that sends with its own means, and says that it failed before',
      { cancel: async () => Promise.reject(new TypeError('fetch failed')) },
      'cancel, connection refused: only not sent is allowed',
    ],
    [
      'that sends another request than the fixture has',
      { cancel: { ...EXAMPLE.cancel, request: () => ({ method: 'GET', path: '/other' }) } },
      'fixture cancelled: unexpected request GET /other; DELETE /parcels/NUMBER1 was not sent; expected cancelled now',
    ],
    [
      'that takes every success for a cancellation',
      judging(() => now, [200, 202]),
      'cancel, 202: only unknown is allowed',
    ],
    [
      'that refuses after every 400',
      judging(
        ({ status }: { status: number }) =>
          status === 400 ? { kind: 'refused', reason: 'NOT_CANCELLABLE', code: 'X', message: 'x' } : now,
        [200, 400],
      ),
      'cancel, 400 with JSON: only unknown is allowed',
    ],
    [
      'that refuses a 403 with a message',
      judging(
        ({ status }: { status: number }) =>
          status === 403 ? { kind: 'refused', reason: 'NOT_CANCELLABLE', code: 'X', message: 'x' } : now,
        'all',
      ),
      'cancel, 403 of a gateway: only unknown is allowed',
    ],
    [
      'that believes the third 404',
      judging(
        ({ status }: { status: number }, { sends }: { sends: number }) =>
          status === 404 && sends > 2 ? already : { kind: 'unknown', cause: 'x' },
        [200, 404],
      ),
      'third cancel, 404 with JSON: only unknown is allowed',
    ],
    [
      'whose settings have a format',
      {
        settings: {
          apiKey: { format: { pattern: /^\d+$/, mustBe: 'digits' } },
          trackUrl: { required: false },
        },
      },
      'setting apiKey: must be digits; give one in settings.json',
    ],
  ])('%s is found', async (_, change, found) => {
    expect(await faultsLike(found)(change)).toContain(found)
  })

  test('that cancels without a request is found', async () => {
    const faults = await faultsOf({ cancel: async () => now }, { exchanges: [] })
    expect(faults).toContain('fixture cancelled: cancelled without a request')
  })

  const TWO_REPLIES = [...FIXTURE.exchanges, exchange(200, { number: 'NUMBER1', open: false }, 'GET')]
  /** Deletes the parcel, and looks then whether it is gone. */
  const twoSteps =
    (isGone: (look: () => Promise<HttpReply>) => Promise<boolean>) =>
    async ({ carrierRef }: CancelRequest, { send }: Conversation) => {
      const path = `/parcels/${carrierRef}`
      const { status, json } = await send({ method: 'DELETE', path })
      const isOwn = status === 200 && textAt(json, 'number') === carrierRef && !reportsError(json)
      if (!isOwn || textAt(json, 'state') !== 'cancelled') return unknown('not deleted')
      return (await isGone(() => send({ method: 'GET', path }))) ? now : unknown('not gone')
    }
  let current = ''
  const NOT_FOUND = [exchange(404, { number: 'NUMBER1', code: 'NOT_FOUND' })]
  const notFound = (isCancelled: (sends: number) => boolean) =>
    judging(
      ({ json }: HttpReply, { carrierRef, sends }: CancelRequest) =>
        textAt(json, 'number') === carrierRef && textAt(json, 'code') === 'NOT_FOUND' && isCancelled(sends)
          ? already
          : unknown('x'),
      [404],
    )
  const deletedIf = (isDeleted: (json: unknown, carrierRef: string) => boolean, answers: unknown = [200]) =>
    judging(
      ({ json }: HttpReply, { carrierRef }: CancelRequest) =>
        isDeleted(json, carrierRef) && !reportsError(json) ? now : unknown('x'),
      answers,
    )
  const isOwn = (json: unknown, carrierRef: string) =>
    textAt(json, 'number') === carrierRef && textAt(json, 'state') === 'cancelled'

  test.each<[what: string, change: object, found: string, fixture?: Partial<Fixture>]>([
    [
      'that looks for errors in one field only',
      judging(({ json }: HttpReply, { carrierRef }: CancelRequest) =>
        isOwn(json, carrierRef) && valueAt(json, 'errors') === undefined ? now : unknown('x'),
      ),
      'cancelled with an error text beside it: only unknown is allowed',
    ],
    [
      'that takes its own time limit for a success',
      {
        cancel: async (request: CancelRequest, { send }: Conversation) => {
          try {
            await send({ method: 'DELETE', path: `/parcels/${request.carrierRef}` }, { limitMs: 3_000 })
            return unknown('x')
          } catch (error) {
            if (error instanceof Error && error.message.includes('timeout')) return already
            throw error
          }
        },
      },
      'cancel, timeout after the request was sent: only unknown is allowed',
    ],
    [
      'that believes a 404 at the first send',
      notFound(() => true),
      'fixture cancelled: a parcel that is not found at the first send is not cancelled',
      { exchanges: NOT_FOUND, expect: 'cancelled already' },
    ],
    [
      'that does not look at the number of the send',
      notFound(() => true),
      'cancelled as a first send: nothing was sent before, so it is not cancelled',
      { exchanges: NOT_FOUND, sends: 2, expect: 'cancelled already' },
    ],
    [
      'that repeats a cancellation itself',
      {
        cancel: async ({ carrierRef }: CancelRequest, { send }: Conversation) => {
          const request = { method: 'DELETE', path: `/parcels/${carrierRef}` } as const
          const { status } = await send(request)
          if (status === 500) await send(request)
          return unknown('x')
        },
      },
      'cancel, 500: a request is repeated in one call, which counts as one send',
    ],
    [
      'that cancels with a lookup',
      { track: { ...EXAMPLE.track, request: () => ({ method: 'DELETE', path: '/parcels' }) } },
      'track, 500: a lookup sent DELETE, which changes something',
    ],
    [
      'that compares the number only if there is one',
      deletedIf(
        (json, carrierRef) =>
          (textAt(json, 'number') ?? carrierRef) === carrierRef && textAt(json, 'state') === 'cancelled',
      ),
      'cancelled without its number: only unknown is allowed',
    ],
    [
      'that looks for a word in the state',
      deletedIf(
        (json, carrierRef) =>
          textAt(json, 'number') === carrierRef && /cancelled/.test(textAt(json, 'state') ?? ''),
      ),
      'cancelled with its state negated: only unknown is allowed',
    ],
    [
      'that takes "accepted" for a success',
      deletedIf(isOwn, [200, 202]),
      'cancelled with status 202: only unknown is allowed',
    ],
    [
      'that keeps the number in a variable',
      {
        cancel: {
          request({ carrierRef }: CancelRequest) {
            current = carrierRef
            return { method: 'DELETE', path: `/parcels/${carrierRef}` }
          },
          judge: ({ json }: HttpReply) => (isOwn(json, current) && !reportsError(json) ? now : unknown('x')),
        },
      },
      'cancelled with another call at the same time: expected cancelled now',
    ],
    [
      'that believes an empty second reply',
      { cancel: twoSteps(async (look) => valueAt((await look()).json, 'open') !== true) },
      'cancelled, reply 2, with an empty object: only unknown is allowed',
      { exchanges: TWO_REPLIES },
    ],
    [
      'that takes a second request without a reply for a success',
      {
        cancel: twoSteps(async (look) => {
          const reply = await look().catch(() => undefined)
          return reply === undefined || valueAt(reply.json, 'open') === false
        }),
      },
      'cancelled, reply 2, as a closed connection: only unknown is allowed',
      { exchanges: TWO_REPLIES },
    ],
    [
      'that gives all parcels the state of the first',
      {
        trackMany: {
          request: () => ({ method: 'GET', path: '/parcels' }),
          judge: ({ json }: HttpReply, parcels: readonly { readonly carrierRef: string }[]) => ({
            kind: 'tracked',
            parcels: new Map(
              parcels.flatMap(({ carrierRef }) =>
                textAt(json, 'state') === 'announced' ? [[carrierRef, { kind: 'announced' }]] : [],
              ),
            ),
          }),
        },
      },
      'cancelled before a parcel that the reply does not have: only unknown is allowed',
      {
        call: 'track',
        exchanges: [exchange(200, { number: 'NUMBER1', state: 'announced' }, 'GET', '/parcels')],
        expect: 'announced',
      },
    ],
  ])('%s is found', async (_, change, found, fixture) => {
    expect(await faultsLike(found)(change, fixture)).toContain(found)
  })

  test('whose parcel is not found at a repeated send passes', async () => {
    const fixture = { exchanges: NOT_FOUND, sends: 2, expect: 'cancelled already' }
    expect(
      await faultsOf(
        notFound((sends) => sends > 1),
        fixture,
      ),
    ).toEqual([])
  })

  test('that finds a scan behind an announcement passes', async () => {
    const scanned = { kind: 'scanned', scan: { eventId: 'PICKED_UP', at: '2026-11-02T08:00:00.000Z' } }
    const track = {
      ...EXAMPLE.track,
      judge: ({ json }: HttpReply, { carrierRef }: { carrierRef: string }) =>
        textAt(json, 'number') === carrierRef &&
        valueAt(json, 'events', 0) === 'PICKED_UP' &&
        !reportsError(json)
          ? scanned
          : unknown('x'),
    }
    const reply = { number: 'NUMBER1', events: ['PICKED_UP', 'ANNOUNCED'] }
    const fixture: Partial<Fixture> = {
      ...{ call: 'track', expect: `scanned ${scanned.scan.at}` },
      exchanges: [exchange(200, reply, 'GET', '/parcels')],
    }
    expect(await faultsOf({ track }, fixture)).toEqual([])
  })

  test('that refuses an error code that is not listed passes', async () => {
    const change = judging(
      (reply: HttpReply, { carrierRef }: CancelRequest) => {
        const { json } = reply
        const isAboutParcel = textAt(json, 'number') === carrierRef && !reportsError(json)
        if (!isAboutParcel) return unknown('x')
        return unlistedError(reply, new Set([409]), textAt(json, 'code'), textAt(json, 'message'))
      },
      [200, 409],
    )
    const reply = { number: 'NUMBER1', code: 'CANCEL_TOO_LATE', message: 'too late' }
    const fixture = { exchanges: [exchange(409, reply)], expect: 'refused NOT_CANCELLABLE' }
    expect(await faultsOf(change, fixture)).toEqual([])
  })

  test('whose reply has the URL of the cancellation passes', async () => {
    const reply = { number: 'NUMBER1', state: 'done', href: '/parcels/NUMBER1/cancellation' }
    const change = deletedIf(
      (json, carrierRef) => textAt(json, 'number') === carrierRef && textAt(json, 'state') === 'done',
    )
    expect(await faultsOf(change, { exchanges: [exchange(200, reply)] })).toEqual([])
  })

  test('that opens a session, leaves zeros out and checks the check digit passes', async () => {
    const cancel = async ({ carrierRef }: CancelRequest, { send }: Conversation) => {
      if (!carrierRef.endsWith('8')) return send({ method: 'GET', path: '' })
      const number = carrierRef.replace(/^0+/, '')
      const session = await send({ method: 'GET', path: '/session' })
      if (session.status !== 200 || textAt(session.json, 'id') !== 'S1' || reportsError(session.json))
        return unknown('no session')
      const { status, json } = await send({ method: 'DELETE', path: `/S1/${number}` })
      return status === 200 && isOwn(json, number) && !reportsError(json) ? now : unknown('x')
    }
    const exchanges = [
      exchange(200, { id: 'S1' }, 'GET', '/session'),
      exchange(200, { number: '12348', state: 'cancelled' }, 'DELETE', '/S1/12348'),
    ]
    expect(await faultsOf({ cancel }, { number: '0012348', exchanges })).toEqual([])
    const forAnother = async (request: CancelRequest, conversation: Conversation) =>
      cancel({ ...request, carrierRef: `${request.carrierRef.slice(0, -1)}8` }, conversation)
    expect(await fixtureFaultsOf({ cancel: forAnother }, { number: '0012348', exchanges })).toContain(
      'cancelled with another call at the same time: cancelled now for the other parcel',
    )
  })

  test('whose second reply decides nothing passes, if its fixture says so', async () => {
    const cancel = twoSteps((look) =>
      look().then(
        () => true,
        () => true,
      ),
    )
    const [first, second] = TWO_REPLIES
    const ignored = { exchanges: [first!, { ...second!, decides: false }] }
    expect(await faultsOf({ cancel }, ignored)).toEqual([])
    expect(await fixtureFaultsOf({ cancel }, { exchanges: TWO_REPLIES })).toContain(
      'cancelled, reply 2, with status 500: only unknown is allowed',
    )
  })

  test('that remembers lookups is checked after others', async () => {
    const known = new WeakSet<object>()
    const track = async ({ carrierRef }: { carrierRef: string }, { send, settings }: Conversation) => {
      const { status, json } = await send({ method: 'GET', path: `/parcels/${carrierRef}` })
      const isAnnounced =
        status === 200 &&
        textAt(json, 'number') === carrierRef &&
        textAt(json, 'state') === 'announced' &&
        !reportsError(json)
      if (isAnnounced && carrierRef === 'OTHER1') known.add(settings)
      return isAnnounced && known.has(settings) ? { kind: 'announced' } : unknown('x')
    }
    const announced = (number: string) =>
      exchange(200, { number, state: 'announced' }, 'GET', `/parcels/${number}`)
    const fixture: Partial<Fixture> = {
      ...{ call: 'track', expect: 'announced', lookedUpBefore: ['OTHER1'] },
      exchanges: [announced('OTHER1'), announced('NUMBER1')],
    }
    expect(await faultsOf({ track }, fixture)).toEqual([])
  })

  test('that does not judge one of several replies is found', async () => {
    const cancel = async (_: unknown, { send }: Conversation) => {
      await send({ method: 'GET', path: '/first' })
      const { status, json } = await send({ method: 'DELETE', path: '/parcels/NUMBER1' })
      const isCancelled = status === 200 && isDeepStrictEqual(json, { number: 'NUMBER1', state: 'cancelled' })
      return isCancelled ? now : { kind: 'unknown', cause: 'x' }
    }
    const exchanges = [exchange(200, { a: 1 }, 'GET', '/first'), ...FIXTURE.exchanges]
    const faults = await fixtureFaultsOf({ cancel }, { exchanges })
    expect(faults).toContain('cancelled, reply 1, with status 500: only unknown is allowed')
    expect(faults.filter((fault) => fault.includes('reply 2'))).toEqual([])
  })

  test('whose test of the credentials never ends is unclear', async () => {
    const { type, ...subject } = subjectOf(EXAMPLE, { settings: {}, fixtures: [] })
    const endless = () => new Promise<never>(() => {})
    const open: typeof type.open = (access) => ({ ...type.open(access), check: endless })
    const input = { call: 'check', number: 'N1', sends: 1, ageMs: 0 } as const
    expect(await play({ ...subject, type: { ...type, open } }, input, 'http://127.0.0.1:9', 50)).toEqual({
      ...{ words: 'unknown', cause: 'no answer within 50 ms' },
    })
  })

  test('whose request differs in its query, a header or its body is found', async () => {
    const request = {
      method: 'DELETE',
      path: '/parcels/NUMBER1',
      query: { a: '1' },
      headers: { 'api-key': 'x' },
      body: { b: 1 },
    }
    const faults = await faultsOf({}, { exchanges: [{ ...FIXTURE.exchanges[0]!, request }] })
    expect(faults[0]).toBe(
      'fixture cancelled: the query parameter a of DELETE /parcels/NUMBER1 is not 1; the header api-key of DELETE /parcels/NUMBER1 differs; the body of DELETE /parcels/NUMBER1 differs',
    )
  })
})
