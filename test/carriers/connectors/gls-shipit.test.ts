/** The GLS connector against a fake: the interpretation of every reply, and no leak of secrets. */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Connector } from '../../../src/carriers/connector.ts'
import { CONNECTORS } from '../../../src/carriers/registry.ts'
import { type CarrierCancelAnswer, retryDelayMs } from '../../../src/core/shipments/cancellation.ts'
import { afterAnswer } from '../../../src/core/shipments/parcels.ts'
import { type FakeReply, SCRIPTS } from '../fakes/fake-carrier.ts'
import {
  fault,
  GLS_CREDENTIALS,
  type GlsFake,
  glsEvent,
  glsParcel,
  inHeaders,
  noSuchParcel,
  notListed,
  result,
  startGlsFake,
} from '../fakes/gls-shipit.ts'
import { already, COMMON_OUTCOMES, now, refusedAs, testOutcomes, unknown } from './outcomes.ts'

const { 'gls-shipit': glsShipit } = CONNECTORS

const NUMBER = 'YZ8YPH2Q'
let fake: GlsFake
let connector: Connector

beforeAll(async () => {
  fake = await startGlsFake()
})
afterAll(() => fake.close())
beforeEach(() => {
  fake.answerWith(undefined)
  fake.trackWith(undefined)
  fake.spellResult('result')
  fake.removeCancelled(false)
  fake.parcels.add(NUMBER)
  connector = open()
})

function open(credentials: Record<string, string> = GLS_CREDENTIALS, baseUrl = fake.baseUrl): Connector {
  return glsShipit.open({ baseUrl, credentials })
}

function cancel(carrierRef = NUMBER, sends = 1, signal = AbortSignal.timeout(5_000), ageMs = 0) {
  const request = { carrierCode: 'gls', carrierRef, idempotencyKey: 'key', sends, ageMs }
  return connector.cancel(request, signal)
}

function track(carrierRef = NUMBER) {
  return connector.track?.(carrierRef, AbortSignal.timeout(5_000))
}

/** Tracking lists another parcel of the shipper first, so "not listed" is evidence from then on. */
async function listAnother() {
  fake.parcels.add('OTHER001')
  expect(await track('OTHER001')).toMatchObject({ kind: 'announced' })
}

const accepted = { kind: 'cancelled', how: 'accepted' }
const scannedOnce = refusedAs('SCANNED')

describe.each(['result', 'Result'] as const)('the spelling `%s`', (field) => {
  testOutcomes(
    {
      ...COMMON_OUTCOMES,
      // A 500 is only looked up after the first send.
      already: [[unknown, already, already], 'cancelled'],
      scanned: [[scannedOnce, scannedOnce, scannedOnce], 'scanned'],
      'window-closed': [[unknown, unknown, unknown], 'announced'],
      pending: [[accepted, already, already], 'cancelled'],
    },
    (script) => {
      fake.spellResult(field)
      return fake.parcels.add(NUMBER, script)
    },
    (sends, signal) => cancel(NUMBER, sends, signal),
  )
})

describe('the reply to a cancellation', () => {
  const gone = noSuchParcel(NUMBER)
  const table: readonly (readonly [string, FakeReply, answer: unknown])[] = [
    ['CANCELLED', result(NUMBER, 'CANCELLED'), now],
    ['CANCELLED, the other spelling', result(NUMBER, 'CANCELLED', 'Result'), now],
    [
      'CANCELLED in both spellings',
      { status: 200, body: { TrackID: NUMBER, Result: 'CANCELLED', result: 'CANCELLED' } },
      now,
    ],
    ['the id spelled `trackID`', { status: 200, body: { trackID: NUMBER, result: 'CANCELLED' } }, now],
    ['the id spelled `trackId`', { status: 200, body: { trackId: NUMBER, Result: 'SCANNED' } }, scannedOnce],
    ['the id in lower case', result(NUMBER.toLowerCase(), 'CANCELLED'), now],
    [
      'two different ids',
      { status: 200, body: { TrackID: NUMBER, trackID: 'YZ8YPH2R', result: 'CANCELLED' } },
      unknown,
    ],
    [
      'a second id that is unreadable',
      { status: 200, body: { TrackID: NUMBER, trackId: null, result: 'CANCELLED' } },
      unknown,
    ],
    ['the parcel number in place of the id', result('93835368025', 'CANCELLED'), unknown],
    ['CANCELLATION_PENDING', result(NUMBER, 'CANCELLATION_PENDING'), accepted],
    ['SCANNED', result(NUMBER, 'SCANNED'), { ...scannedOnce, code: 'SCANNED' }],
    ['ERROR', result(NUMBER, 'ERROR'), unknown],
    ['a new result', result(NUMBER, 'CANCELLED_LATER'), unknown],
    ['another parcel', result('YZ8YPH2R', 'CANCELLED'), unknown],
    [
      'a contradiction',
      { status: 200, body: { TrackID: NUMBER, Result: 'CANCELLED', result: 'ERROR' } },
      unknown,
    ],
    ['CANCELLED under 201', { status: 201, body: { TrackID: NUMBER, result: 'CANCELLED' } }, unknown],
    ['CANCELLED under 400', { status: 400, body: { TrackID: NUMBER, result: 'CANCELLED' } }, unknown],
    [
      'no such parcel',
      fault(400, 'INVALID_FIELD_VALUE', gone),
      { ...refusedAs('UNKNOWN_PARCEL'), message: gone },
    ],
    ['no such parcel under 500', fault(500, 'INVALID_FIELD_VALUE', gone), unknown],
    ['another invalid field', fault(400, 'INVALID_FIELD_VALUE', 'Invalid field TrackID.'), unknown],
    [
      'no such parcel, about another one',
      fault(400, 'INVALID_FIELD_VALUE', noSuchParcel('ZZZZZZZZ')),
      unknown,
    ],
    [
      'ACCESS_TO_SHIPPER_DENIED',
      fault(400, 'ACCESS_TO_SHIPPER_DENIED', 'access to shipper denied'),
      { ...unknown, configuration: true },
    ],
    [
      'INSUFFICIENT_PERMISSION',
      fault(400, 'INSUFFICIENT_PERMISSION', 'no'),
      { ...unknown, configuration: true },
    ],
    ['MANDATORY_PARAMETER_NOT_SET', fault(400, 'MANDATORY_PARAMETER_NOT_SET', 'not set'), unknown],
    [
      'an unlisted code',
      fault(400, 'PARCEL_CLOSED', 'too late'),
      { kind: 'unknown', cause: 'HTTP 400 PARCEL_CLOSED' },
    ],
    ['an unlisted code without a message', fault(400, 'PARCEL_CLOSED', ' '), unknown],
    ['490, the backend is inactive', fault(490, 'INACTIVE', 'The backend is not active'), unknown],
    ['403', fault(403, '403', 'Credential not allowed to access API'), { ...unknown, configuration: true }],
    ['408', fault(408, '408', 'timeout'), unknown],
    ['429', fault(429, '429', 'too many'), unknown],
    ['500', fault(500, '500', 'error'), unknown],
    ['503', fault(503, '503', 'error'), unknown],
    ['a redirect', { status: 307, headers: { location: 'http://127.0.0.1:1/' } }, unknown],
  ]
  test.each(table)('%s', async (_, reply, answer) => {
    fake.answerWith(reply)
    expect(await cancel()).toMatchObject(answer as object)
  })

  const hostile: readonly unknown[] = [
    { TrackID: NUMBER },
    { result: 'CANCELLED' },
    { TrackID: NUMBER, result: null },
    { TrackID: NUMBER, result: ['CANCELLED'] },
    { TrackID: NUMBER, result: true },
    { TrackID: [NUMBER], result: 'CANCELLED' },
    { TrackID: { [NUMBER]: NUMBER }, result: 'CANCELLED' },
    [{ TrackID: NUMBER, result: 'CANCELLED' }],
    { data: { TrackID: NUMBER, result: 'CANCELLED' } },
  ]
  test.each(
    hostile.map((body) => [JSON.stringify(body), body]),
  )('is unknown for 200 with %s', async (_, body) => {
    fake.answerWith({ status: 200, body })
    expect(await cancel(NUMBER, 2)).toMatchObject(unknown)
  })

  test('is a refusal for a number that GLS does not know', async () => {
    const message = noSuchParcel('NOSUCH00')
    expect(await cancel('NOSUCH00')).toEqual({
      ...refusedAs('UNKNOWN_PARCEL'),
      code: 'INVALID_FIELD_VALUE',
      message,
    })
  })
})

describe('an error in response headers, as ShipIT sends it', () => {
  const gone = noSuchParcel(NUMBER)
  const beside = (body: unknown): FakeReply => ({
    status: 400,
    body,
    headers: { error: 'PARCEL_CLOSED', message: 'in a header' },
  })
  const table: readonly (readonly [string, FakeReply, answer: unknown])[] = [
    [
      'no such parcel',
      inHeaders(400, 'INVALID_FIELD_VALUE', `  ${gone} `),
      { ...refusedAs('UNKNOWN_PARCEL'), code: 'INVALID_FIELD_VALUE', message: gone },
    ],
    ['no such parcel under 500', inHeaders(500, 'INVALID_FIELD_VALUE', gone), unknown],
    ['another invalid field', inHeaders(400, 'INVALID_FIELD_VALUE', 'Invalid field TrackID.'), unknown],
    ['ACCESS_TO_SHIPPER_DENIED', inHeaders(400, 'ACCESS_TO_SHIPPER_DENIED', 'denied'), unknown],
    ['INSUFFICIENT_PERMISSION', inHeaders(400, 'INSUFFICIENT_PERMISSION', 'no'), unknown],
    ['MANDATORY_PARAMETER_NOT_SET', inHeaders(400, 'MANDATORY_PARAMETER_NOT_SET', 'not set'), unknown],
    [
      'no such parcel, in `args` only',
      {
        status: 400,
        headers: {
          error: 'INVALID_FIELD_VALUE',
          args: `["TrackID","${NUMBER}","A parcel with the given ID does not exist"]`,
        },
      },
      refusedAs('UNKNOWN_PARCEL'),
    ],
    [
      'an unlisted code',
      inHeaders(400, 'PARCEL_CLOSED', 'too late'),
      { kind: 'unknown', cause: 'HTTP 400 PARCEL_CLOSED' },
    ],
    ['an unlisted code without a message', inHeaders(400, 'PARCEL_CLOSED', ' '), unknown],
    ['a message without a code', inHeaders(400, undefined, 'too late'), unknown],
    ['a message with an empty code', inHeaders(400, ' ', 'too late'), unknown],
    ['490, the backend is inactive', inHeaders(490, 'INACTIVE', 'The backend is not active'), unknown],
    ['401', inHeaders(401, 'PARCEL_CLOSED', 'too late'), unknown],
    ['403', inHeaders(403, 'PARCEL_CLOSED', 'too late'), unknown],
    ['429', inHeaders(429, 'PARCEL_CLOSED', 'too late'), unknown],
    [
      '500',
      inHeaders(500, 'PARCEL_CLOSED', 'too late'),
      { kind: 'unknown', cause: 'HTTP 500 PARCEL_CLOSED' },
    ],
    ['302', inHeaders(302, 'PARCEL_CLOSED', 'too late'), unknown],
    ['a success without a body', inHeaders(200, 'PARCEL_CLOSED', 'too late'), unknown],
    [
      'the body takes precedence',
      beside({ errors: [{ code: 'INSUFFICIENT_PERMISSION', message: 'no' }] }),
      unknown,
    ],
    ['an unreadable error in the body takes precedence', beside({ errors: [{}] }), unknown],
    [
      'a body without errors does not take precedence',
      beside({ errors: [] }),
      { kind: 'unknown', cause: 'HTTP 400 PARCEL_CLOSED' },
    ],
  ]
  test.each(table)('%s', async (_, reply, answer) => {
    fake.answerWith(reply)
    expect(await cancel()).toMatchObject(answer as object)
  })

  test('is looked up if it is a 500 and the request may have been sent before', async () => {
    fake.answerWith(inHeaders(500, 'INVALID_FIELD_VALUE', gone))
    fake.trackWith(glsParcel(NUMBER, 'CANCELED', []))
    expect(await cancel(NUMBER, 2)).toEqual(already)
  })
})

describe('a parcel number in place of the TrackID', () => {
  const PARCEL_NUMBER = '93835368025'

  test('is answered with the TrackID', async () => {
    fake.answerWith(result(NUMBER, 'CANCELLED'))
    expect(await cancel(PARCEL_NUMBER)).toEqual(now)
  })

  test.each([
    ['no id', { status: 200, body: { result: 'CANCELLED' } }],
    ['another parcel number', result('93835368026', 'CANCELLED')],
    ['something else', result('ZX61QJIXFA653N', 'CANCELLED')],
  ])('is not answered with %s', async (_, reply) => {
    fake.answerWith(reply)
    expect(await cancel(PARCEL_NUMBER)).toMatchObject(unknown)
  })

  test('that does not exist is not a cancelled parcel after a repeated request', async () => {
    fake.trackWith(notListed(PARCEL_NUMBER))
    expect(await cancel(PARCEL_NUMBER, 1)).toMatchObject(refusedAs('UNKNOWN_PARCEL'))
    expect(await cancel(PARCEL_NUMBER, 2)).toMatchObject(unknown)
  })

  test.each([
    [NUMBER, true],
    ['12345678', true],
    [PARCEL_NUMBER, false],
    ['938353680251', false],
    [NUMBER.toLowerCase(), false],
    [`${NUMBER}9`, false],
    ['FA653N', false],
  ])('is not a tracking number of GLS: %s', (carrierRef, isValid) => {
    const expected = isValid ? undefined : 'must be the TrackID: 8 digits or upper-case letters'
    expect(glsShipit.trackingNumberFault?.(carrierRef)).toBe(expected)
  })
})

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

describe('a request that may have been sent before', () => {
  const announcement = glsEvent('INTIAL.PREADVICE', '2026-11-19T18:00:00+0100')
  const replies: readonly (readonly [string, FakeReply])[] = [
    ['500', { status: 500 }],
    ['500 with a body', { status: 500, body: '<html>' }],
    ['ERROR', result(NUMBER, 'ERROR')],
    ['no such parcel', inHeaders(400, 'INVALID_FIELD_VALUE', noSuchParcel(NUMBER))],
  ]
  const lookups: readonly (readonly [string, FakeReply, answer: unknown])[] = [
    ['cancelled at GLS', glsParcel(NUMBER, 'CANCELED', [announcement]), already],
    ['in transit at GLS', glsParcel(NUMBER, 'INTRANSIT', [announcement]), scannedOnce],
    ['still announced', glsParcel(NUMBER, 'PREADVICE', [announcement]), unknown],
    [
      'another error of tracking',
      { status: 200, body: { parcels: [{ requested: NUMBER, errorCode: 'E_500_01' }] } },
      unknown,
    ],
    ['not listed, about another parcel', notListed('ZZZZZZZZ'), unknown],
    ['tracking unavailable', { status: 503 }, unknown],
    ['tracking not allowed', { status: 403 }, { ...unknown, configuration: true }],
  ]
  for (const [name, reply] of replies)
    test.each(lookups)(`is looked up after ${name}: %s`, async (_, tracking, answer) => {
      fake.answerWith(reply)
      fake.trackWith(tracking)
      expect(await cancel(NUMBER, 2, undefined, 6 * DAY_MS)).toMatchObject(answer as object)
    })

  test('is cancelled if ShipIT no longer has the TrackID and tracking does not list it', async () => {
    await listAnother()
    fake.answerWith(inHeaders(400, 'INVALID_FIELD_VALUE', noSuchParcel(NUMBER)))
    fake.trackWith(notListed(NUMBER))
    expect(await cancel(NUMBER, 2)).toEqual(already)
  })

  test.each([
    ['500', { status: 500 }],
    ['ERROR', result(NUMBER, 'ERROR')],
  ])('is cancelled after %s if tracking does not list the parcel five days later', async (_, reply) => {
    await listAnother()
    fake.answerWith(reply)
    fake.trackWith(notListed(NUMBER))
    expect(await cancel(NUMBER, 2, undefined, 5 * DAY_MS - 1)).toMatchObject(unknown)
    expect(await cancel(NUMBER, 2, undefined, 5 * DAY_MS)).toEqual(already)
  })

  test.each(
    replies,
  )('is unknown after %s while tracking has listed no parcel of the app', async (_, reply) => {
    fake.answerWith(reply)
    fake.trackWith(notListed(NUMBER))
    expect(await cancel(NUMBER, 2, undefined, 6 * DAY_MS)).toMatchObject(unknown)
  })

  test.each<[string, FakeReply]>([
    ['an error in the headers', inHeaders(500, 'INTERNAL_ERROR', 'Database not available')],
    ['a JSON body', { status: 500, body: { fault: 'x' } }],
    ['a page', { status: 500, headers: { 'content-type': 'text/html' }, body: '<html>' }],
  ])('is unknown after a 500 with %s, which is not the one for a second call', async (_, reply) => {
    await listAnother()
    fake.answerWith(reply)
    fake.trackWith(notListed(NUMBER))
    expect(await cancel(NUMBER, 2, undefined, 6 * DAY_MS)).toMatchObject(unknown)
  })

  test('counts as a failure of GLS after a 500 that is not the one for a second call', async () => {
    fake.answerWith({ status: 500, body: { fault: 'x' } })
    fake.trackWith(notListed(NUMBER))
    expect(await cancel(NUMBER, 2)).toMatchObject({ ...unknown, status: 500 })
  })

  test.each([
    [0, 60_000],
    [HOUR_MS, HOUR_MS / 4],
    [2 * DAY_MS, HOUR_MS],
  ])('is repeated less often when it is %i ms old', async (ageMs, repeatAfterMs) => {
    fake.answerWith({ status: 500 })
    fake.trackWith(notListed(NUMBER))
    expect(await cancel(NUMBER, 2, undefined, ageMs)).toMatchObject({ ...unknown, repeatAfterMs })
  })

  test.each(replies)('is not looked up after %s at the first send', async (_, reply) => {
    fake.answerWith(reply)
    const before = fake.requests.length
    expect(await cancel(NUMBER, 1, undefined, 6 * DAY_MS)).not.toMatchObject(already)
    expect(fake.requests.slice(before).filter(({ method }) => method === 'GET')).toEqual([])
  })

  test.each([
    ['no id', { status: 200, body: { result: 'CANCELLED' } }],
    ['503', { status: 503 }],
    ['490', inHeaders(490, 'INACTIVE', 'The backend is not active')],
    ['ACCESS_TO_SHIPPER_DENIED', inHeaders(400, 'ACCESS_TO_SHIPPER_DENIED', 'denied')],
  ])('is not looked up after %s', async (_, reply) => {
    fake.answerWith(reply)
    fake.trackWith(notListed(NUMBER))
    expect(await cancel(NUMBER, 2, undefined, 6 * DAY_MS)).toMatchObject(unknown)
  })
})

describe('a cancellation whose reply was lost', () => {
  /**
   * Plays an attempt like the core, until it is settled or ten days old. The end of day is four days after the start.
   */
  async function play(): Promise<{
    answer: CarrierCancelAnswer
    sends: number
    days: number
    lookups: number
  }> {
    const before = fake.requests.length
    let ageMs = 0
    for (let sends = 1; ; sends += 1) {
      const answer = await cancel(NUMBER, sends, undefined, ageMs).catch(
        (): CarrierCancelAnswer => ({ kind: 'unknown', cause: 'cut' }),
      )
      if (answer.kind !== 'unknown' || ageMs > 10 * DAY_MS) {
        const lookups = fake.requests.slice(before).filter(({ method }) => method === 'GET').length
        return { answer, sends, days: Math.floor(ageMs / DAY_MS), lookups }
      }
      ageMs += Math.max(retryDelayMs(sends, ageMs, 0.5), answer.repeatAfterMs ?? 0)
      if (ageMs >= 4 * DAY_MS) fake.endOfDay()
    }
  }

  test('ends as cancelled after five days if GLS answers repeats with 500', async () => {
    await listAnother()
    fake.addUntransmitted(NUMBER, 'reply-lost')
    const { answer, days, lookups } = await play()
    expect([answer, days]).toEqual([already, 5])
    expect(lookups).toBeLessThan(150)
  })

  test('ends as cancelled at the second send if GLS has removed the parcel', async () => {
    await listAnother()
    fake.removeCancelled(true)
    fake.addUntransmitted(NUMBER, 'reply-lost')
    expect(await play()).toMatchObject({ answer: already, sends: 2 })
  })

  test('ends as cancelled at once if tracking lists the cancellation', async () => {
    fake.parcels.add(NUMBER, 'reply-lost')
    expect(await play()).toMatchObject({ answer: already, sends: 2 })
  })

  test('ends as refused when the parcel is scanned', async () => {
    fake.answerWith({ status: 500 })
    const parcel = fake.addUntransmitted(NUMBER)
    const played = play()
    fake.parcels.scan(NUMBER)
    const { answer } = await played
    expect(answer).toMatchObject(scannedOnce)
    expect(afterAnswer(answer, 2)).toMatchObject({ kind: 'LookUp' })
    expect(await track()).toMatchObject({ kind: 'scanned' })
    expect(parcel.state).toBe('scanned')
  })

  test('never ends as cancelled if the parcel is transmitted at the end of day', async () => {
    fake.answerWith({ status: 500 })
    fake.addUntransmitted(NUMBER)
    expect(await play()).toMatchObject({ answer: unknown, days: 10 })
  })
})

describe('a batch lookup', () => {
  const trackMany = (...numbers: readonly string[]) =>
    connector.trackMany?.(
      numbers.map((carrierRef) => ({ carrierRef })),
      AbortSignal.timeout(5_000),
    )

  test('looks ten parcels up in one call', async () => {
    const numbers = Array.from({ length: 10 }, (_, index) => `BATCH00${index}`)
    for (const number of numbers.slice(0, 9)) fake.parcels.add(number)
    fake.parcels.scan('BATCH001')
    fake.parcels.add('BATCH002', 'already')
    await track()
    const before = fake.requests.length
    const tracked = await trackMany(...numbers)
    expect(fake.requests.length - before).toBe(1)
    expect(fake.requests.at(-1)?.path).toContain('/references/BATCH000,BATCH001,')
    if (tracked?.kind !== 'tracked') throw new Error('the call failed')
    expect([...tracked.parcels.values()].map(({ kind }) => kind)).toEqual([
      ...['announced', 'scanned', 'cancelled', 'announced', 'announced'],
      ...['announced', 'announced', 'announced', 'announced', 'unknown'],
    ])
    expect(glsShipit.tracking).toEqual({ tellsDeliveries: true, callsPerDay: 500, batch: 10 })
  })

  test('is unknown for parcels that are missing, double, or separated by a comma', async () => {
    fake.trackWith(glsParcel('BATCH001', 'PREADVICE', []))
    expect(await trackMany('BATCH001', 'BATCH002', 'A,B')).toEqual({
      kind: 'tracked',
      parcels: new Map<string, unknown>([
        ['BATCH001', { kind: 'announced' }],
        ['BATCH002', unknown],
      ]),
    })
    expect(await trackMany('A,B')).toEqual({ kind: 'tracked', parcels: new Map() })
  })

  test('is unknown as a whole if the call fails', async () => {
    fake.trackWith({ status: 429, headers: { 'retry-after': '30' } })
    expect(await trackMany('BATCH001')).toEqual({
      ...{ kind: 'unknown', cause: 'HTTP 429', status: 429, retryAfterMs: 30_000 },
    })
    fake.trackWith({ status: 403 })
    expect(await trackMany('BATCH001')).toEqual({
      ...{ kind: 'unknown', cause: 'HTTP 403', status: 403, configuration: true },
    })
  })
})

describe('the state of a parcel', () => {
  const announced = { kind: 'announced' }
  const cancelled = { kind: 'cancelled' }
  const at = '2026-11-20T09:15:00.000Z'
  const scanned = (code: string, when = at) => ({
    kind: 'scanned',
    scan: { eventId: `${when}/${code}`, at: when },
  })
  // The fake's statusDateTime.
  const byState = (state: string) => scanned(state, '2026-11-20T11:00:00.000Z')
  const announcement = glsEvent('INTIAL.PREADVICE', '2026-11-19T18:00:00+0100')
  const event = (code: string) => glsEvent(code, '2026-11-20T10:15:00+0100')

  const states: readonly (readonly [string, unknown])[] = [
    ['PREADVICE', announced],
    ['PLANNEDPICKUP', announced],
    ...['INTRANSIT', 'INWAREHOUSE', 'INDELIVERY', 'DELIVEREDPS', 'DELIVERED', 'NOTDELIVERED'].map(
      (state) => [state, byState(state)] as const,
    ),
    ['CANCELED', cancelled],
    ...['INPICKUP', 'NOTPICKEDUP', 'FINAL', 'intransit', 'NEW', ''].map((state) => [state, unknown] as const),
  ]
  test.each(states)('state %s', async (state, answer) => {
    fake.trackWith(glsParcel(NUMBER, state, [announcement]))
    expect(await track()).toMatchObject(answer as object)
  })

  const events: readonly (readonly [string, unknown])[] = [
    ['INTIAL.PREADVICE', announced],
    ['INTIAL.E48_DATA', announced],
    ['INTIAL.NORMAL', scanned('INTIAL.NORMAL')],
    ...['INBOUD.NORMAL', 'OUTBOD.NORMAL', 'OUTDEL.NORMAL', 'DELIVD.PARCELSHOP'].map(
      (code) => [code, scanned(code)] as const,
    ),
    ...['INTIAL.OTHER', 'NEW.NORMAL', 'INBOUD', 'INBOUDX.NORMAL', ''].map(
      (code) => [code, code === 'INBOUD' ? scanned(code) : unknown] as const,
    ),
  ]
  test.each(events)('event %s', async (code, answer) => {
    fake.trackWith(glsParcel(NUMBER, 'PREADVICE', [event(code), announcement]))
    expect(await track()).toMatchObject(answer as object)
  })

  const parcels = (...list: readonly unknown[]) => ({ status: 200, body: { parcels: list } })
  const table: readonly (readonly [string, FakeReply, unknown])[] = [
    [
      'the earliest of several scans',
      glsParcel(NUMBER, 'DELIVERED', [
        glsEvent('OUTBOD.NORMAL', '2026-11-20T22:00:00+0100'),
        event('INTIAL.NORMAL'),
        announcement,
      ]),
      scanned('INTIAL.NORMAL'),
    ],
    [
      'cancelled and scanned: scanned',
      glsParcel(NUMBER, 'CANCELED', [event('INBOUD.NORMAL')]),
      scanned('INBOUD.NORMAL'),
    ],
    [
      'cancelled, with an unlisted event',
      glsParcel(NUMBER, 'CANCELED', [event('CANCEL.X'), announcement]),
      cancelled,
    ],
    [
      'a time without an offset, read as UTC',
      glsParcel(NUMBER, 'PREADVICE', [glsEvent('INTIAL.NORMAL', '2026-11-20T09:15:00')]),
      scanned('INTIAL.NORMAL'),
    ],
    ['a scan without a time', parcels({ requested: NUMBER, status: 'INTRANSIT', events: [] }), unknown],
    ['no events, state announced', parcels({ requested: NUMBER, status: 'PREADVICE' }), announced],
    ['not known (yet)', parcels({ requested: NUMBER, errorCode: 'E_404_01' }), unknown],
    ['an error and a state', parcels({ requested: NUMBER, status: 'PREADVICE', errorCode: 1 }), unknown],
    ['another parcel', glsParcel('YZ8YPH2R', 'PREADVICE', [announcement]), unknown],
    [
      'two parcels',
      parcels({ requested: NUMBER, status: 'PREADVICE' }, { requested: NUMBER, status: 'PREADVICE' }),
      unknown,
    ],
    ['none', parcels(), unknown],
    ['404', { status: 404, body: { title: 'Not Found', status: 404 } }, { ...unknown, configuration: true }],
    [
      'an error beside the parcel',
      {
        status: 200,
        headers: { error: 'X' },
        body: { parcels: [{ requested: NUMBER, status: 'CANCELED' }] },
      },
      unknown,
    ],
    ['429', { status: 429 }, unknown],
    ['500', { status: 500 }, unknown],
    ['garbage', { status: 200, body: '<html>' }, unknown],
    ['null', { status: 200, body: 'null' }, unknown],
  ]
  test.each(table)('%s', async (_, reply, answer) => {
    fake.trackWith(reply)
    expect(await track()).toMatchObject(answer as object)
  })

  test('is announced, then scanned or cancelled', async () => {
    expect(await track()).toEqual(announced)
    fake.parcels.scan(NUMBER)
    expect(await track()).toEqual(scanned('INTIAL.NORMAL'))
    fake.parcels.add(NUMBER)
    await cancel()
    expect(await track()).toEqual(cancelled)
  })
})

describe('tokens', () => {
  test('are shared by ten concurrent calls', async () => {
    const before = fake.tokensIssued()
    const numbers = Array.from({ length: 10 }, (_, index) => `SHARED0${index}`)
    for (const number of numbers) fake.parcels.add(number)
    expect(await Promise.all(numbers.map((number) => cancel(number)))).toEqual(numbers.map(() => now))
    expect(fake.tokensIssued() - before).toBe(1)
  })

  test('are replaced once after a 401', async () => {
    await track()
    const before = fake.tokensIssued()
    fake.revokeTokens()
    expect(await cancel()).toEqual(now)
    expect(await track()).toEqual({ kind: 'cancelled' })
    expect(fake.tokensIssued() - before).toBe(1)
  })

  test('are replaced only once: a second 401 is unknown', async () => {
    const before = fake.tokensIssued()
    fake.answerWith(fault(401, '401', 'Unauthorized'))
    expect(await cancel()).toMatchObject(unknown)
    expect(fake.tokensIssued() - before).toBe(2)
  })
})

describe('a request', () => {
  test('has the path of the base URL, and escaped numbers', async () => {
    const hostile = 'A?B#%26/../C'
    fake.answerWith(result(hostile, 'CANCELLED'))
    const before = fake.requests.length
    // The slashes are part of the number, so the fake does not find the path.
    expect(await cancel(hostile)).toMatchObject(unknown)
    expect(fake.requests.at(-1)?.path).toBe(`/shipit-farm/v1/backend/rs/shipments/cancel/${hostile}`)
    connector = open(GLS_CREDENTIALS, `${fake.baseUrl}/proxy`)
    await expect(cancel()).rejects.toThrow()
    expect(fake.requests.at(-1)?.path).toBe('/proxy/oauth2/v2/token')
    expect(fake.requests.length - before).toBe(3)
  })

  test('leaks no secret and no token in results and errors', async () => {
    const texts: string[] = []
    for (const script of SCRIPTS) {
      fake.parcels.add(NUMBER, script)
      for (const call of [cancel(NUMBER, 2, AbortSignal.timeout(60)), track()])
        texts.push(await Promise.resolve(call).then(JSON.stringify, String))
    }
    connector = open({ ...GLS_CREDENTIALS, clientSecret: 'canary-wrong' })
    texts.push(await cancel().then(JSON.stringify, String))
    connector = open(GLS_CREDENTIALS, 'http://127.0.0.1:1')
    texts.push(await cancel().then(JSON.stringify, String))
    const basic = Buffer.from(`${GLS_CREDENTIALS.clientId}:${GLS_CREDENTIALS.clientSecret}`).toString(
      'base64',
    )
    for (const secret of ['canary', basic]) expect(texts.join('\n')).not.toContain(secret)
    expect(texts).toHaveLength(2 * SCRIPTS.length + 2)
  })
})
