/** The UPS connector against a fake: the interpretation of every reply, and no leak of secrets. */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Connector } from '../../../src/carriers/connector.ts'
import { CONNECTORS } from '../../../src/carriers/registry.ts'
import { type FakeReply, SCRIPTS } from '../fakes/fake-carrier.ts'
import {
  activity,
  startUpsFake,
  trackResponse,
  UPS_CREDENTIALS,
  type UpsFake,
  upsError,
  voidResponse,
} from '../fakes/ups.ts'
import { already, COMMON_OUTCOMES, now, type Outcomes, refusedAs, testOutcomes, unknown } from './outcomes.ts'

const { ups } = CONNECTORS

const NUMBER = '1ZISDE016691676846'
let fake: UpsFake
let connector: Connector

beforeAll(async () => {
  fake = await startUpsFake()
})
afterAll(() => fake.close())
beforeEach(() => {
  fake.answerWith(undefined)
  connector = open()
})

function open(credentials: Record<string, string> = UPS_CREDENTIALS, from = fake): Connector {
  return ups.open({ baseUrl: from.baseUrl, credentials })
}

function cancel(carrierRef = NUMBER, sends = 1, signal = AbortSignal.timeout(5_000)) {
  const request = { carrierCode: 'ups', carrierRef, idempotencyKey: 'canary-key', sends, ageMs: 0 }
  return connector.cancel(request, signal)
}

function track(carrierRef = NUMBER) {
  return connector.track?.(carrierRef, AbortSignal.timeout(5_000))
}

const OUTCOMES = {
  ...COMMON_OUTCOMES,
  already: [[already, already, already], 'cancelled'],
  scanned: [[refusedAs('SCANNED'), refusedAs('SCANNED'), refusedAs('SCANNED')], 'scanned'],
  'window-closed': [
    [refusedAs('WINDOW_CLOSED'), refusedAs('WINDOW_CLOSED'), refusedAs('WINDOW_CLOSED')],
    'announced',
  ],
} satisfies Outcomes

testOutcomes(
  OUTCOMES,
  (script) => fake.parcels.add(NUMBER, script),
  (sends, signal) => cancel(NUMBER, sends, signal),
)

describe('with package results as in recorded replies', () => {
  let recorded: UpsFake
  beforeAll(async () => {
    recorded = await startUpsFake({ packageField: 'PackageLevelResult' })
  })
  afterAll(() => recorded.close())
  beforeEach(() => {
    connector = open(UPS_CREDENTIALS, recorded)
  })

  testOutcomes(
    OUTCOMES,
    (script) => recorded.parcels.add(NUMBER, script),
    (sends, signal) => cancel(NUMBER, sends, signal),
  )
})

const code = (value: string) => upsError(400, value, 'The reason')
/** Nobody has to correct anything. */
const inconclusive = { ...unknown, configuration: undefined }
/** An operator has to correct the credentials or settings. */
const misconfigured = { ...unknown, configuration: true }

describe('the reply to a void', () => {
  test.each<[string, FakeReply, object]>([
    ['190117', code('190117'), already],
    ['190119', code('190119'), now],
    ['190100', code('190100'), refusedAs('UNKNOWN_PARCEL')],
    ['190101', code('190101'), refusedAs('WINDOW_CLOSED')],
    ['190102', code('190102'), { ...refusedAs('WINDOW_CLOSED'), code: '190102' }],
    ['190103', code('190103'), refusedAs('SCANNED')],
    ['190104', code('190104'), refusedAs('NOT_CANCELLABLE')],
    ['190109', code('190109'), refusedAs('UNKNOWN_PARCEL')],
    ['190118', code('190118'), refusedAs('NOT_CANCELLABLE')],
    ['190124', code('190124'), refusedAs('WINDOW_CLOSED')],
    ['190001: not available', code('190001'), inconclusive],
    ['190002: registration', code('190002'), misconfigured],
    ['190107: pick-up cancelled earlier', code('190107'), inconclusive],
    ['190116: return shipment already voided', code('190116'), inconclusive],
    ['190101 with a status that is not about a void', upsError(409, '190101', 'The reason'), unknown],
    ['404', upsError(404, '404', 'No API found'), misconfigured],
    ['404 without a body', { status: 404 }, misconfigured],
    ['10002: malformed request', code('10002'), misconfigured],
    ['20001: general failure', code('20001'), inconclusive],
    ['20012: client information', code('20012'), misconfigured],
    ['10429: rate limit', code('10429'), inconclusive],
    ['250003: credentials', code('250003'), misconfigured],
    ['a code of another service', code('120100'), inconclusive],
    ['a code with letters', code('NOT_VOIDED'), inconclusive],
    ['an unlisted code', code('190999'), { ...refusedAs('NOT_CANCELLABLE'), code: '190999' }],
    ['an unlisted code without a message', upsError(400, '190999', ''), unknown],
    ['a listed code without a message', upsError(400, '190101', ''), refusedAs('WINDOW_CLOSED')],
    ['a number for a code', { status: 400, body: errors({ code: 190117, message: 'x' }) }, already],
    ['a message without a code', { status: 400, body: errors({ message: 'No' }) }, inconclusive],
    ['an empty list of errors', { status: 400, body: errors() }, unknown],
    [
      'a void and an unclear error',
      { status: 400, body: errors({ code: '190117' }, { code: '190001' }) },
      unknown,
    ],
    ['a void and a refusal', { status: 400, body: errors({ code: '190117' }, { code: '190102' }) }, unknown],
    ['403', upsError(403, '250009', 'Blocked Merchant'), misconfigured],
    ['408', upsError(408, '1', 'Time-out'), unknown],
    ['429', upsError(429, '1', 'Rate Limit Exceeded'), unknown],
    ['a refusal with a 429', upsError(429, '190101', 'The reason'), unknown],
    ['voided with a 403', upsError(403, '190117', 'The reason'), unknown],
    ['a refusal with a 500', upsError(500, '190101', 'The reason'), unknown],
    ['voided with a 502', upsError(502, '190117', 'The reason'), unknown],
  ])('%s', async (_name, reply, expected) => {
    fake.answerWith(reply)
    expect({ configuration: undefined, ...(await cancel()) }).toMatchObject(expected)
  })

  test.each([
    ['The reason', /^The reason \(the time for voiding is over, or UPS has no shipment with this number;/],
    ['', /^the time for voiding is over, or UPS has no shipment with this number;/],
  ])('190102 mentions an unknown number as well: %j', async (message, expected) => {
    fake.answerWith(upsError(400, '190102', message))
    expect(await cancel()).toMatchObject({ message: expect.stringMatching(expected) })
  })

  test('is unknown after two 401s, with one retry', async () => {
    fake.answerWith(upsError(401, '250002', 'Invalid Authentication Information.'))
    const before = fake.requests.length
    expect(await cancel()).toEqual({ ...misconfigured, status: 401, cause: 'HTTP 401 250002' })
    const paths = fake.requests.slice(before).map(({ method }) => method)
    expect(paths).toEqual(['POST', 'DELETE', 'POST', 'DELETE'])
  })

  function errors(...list: readonly object[]): object {
    return { response: { errors: list } }
  }
})

/** The body of a successful void with one value replaced. */
function changed(path: readonly string[], value: unknown): object {
  const body = structuredClone(voidResponse('Voided')) as Record<string, unknown>
  const [last = ''] = path.slice(-1)
  let inner = body
  for (const step of path.slice(0, -1)) inner = inner[step] as Record<string, unknown>
  inner[last] = value
  return body
}

const RESPONSE = 'VoidShipmentResponse'
const PLURAL = 'PackageLevelResults'
const SINGULAR = 'PackageLevelResult'
const VOIDED = packageResult(NUMBER, '1')
/** The response to a void without package results. */
const BARE = (voidResponse('Voided') as Record<string, object>)[RESPONSE]

function packageResult(
  number: string,
  value: string,
  text = value === '1' ? 'Voided' : 'Not Voided',
): object {
  return { TrackingNumber: number, Status: { Code: value, Description: text } }
}

function withPackages(field: string, packages: unknown): object {
  return changed([RESPONSE, field], packages)
}

describe('a reply to a void with 200', () => {
  test.each<[string, object]>([
    ['no packages', voidResponse('Voided')],
    ['the package of the call', voidResponse('Voided', [[NUMBER, '1']])],
    ['the package of the call in the singular', voidResponse('Voided', [[NUMBER, '1']], SINGULAR)],
    ['a list in the singular', withPackages(SINGULAR, [VOIDED])],
    ['an empty list', withPackages(PLURAL, [])],
    ['already voided', withPackages(PLURAL, [packageResult(NUMBER, '1', 'Already Voided')])],
    ['a package without a description', withPackages(PLURAL, [{ ...VOIDED, Status: { Code: '1' } }])],
    [
      'several packages, with that of the call',
      voidResponse('Voided', [
        ['1Z2', '1'],
        [NUMBER, '1'],
      ]),
    ],
  ])('is a cancellation: %s', async (_name, body) => {
    fake.answerWith({ status: 200, body })
    expect(await cancel()).toEqual(now)
  })

  test.each<[string, unknown]>([
    ['an empty response', { [RESPONSE]: {} }],
    ['a string for the response', { [RESPONSE]: 'Voided' }],
    ['a list for the response', { [RESPONSE]: [voidResponse('Voided')] }],
    ['no summary', changed([RESPONSE, 'SummaryResult'], undefined)],
    ['a summary of 0', changed([RESPONSE, 'SummaryResult', 'Status', 'Code'], '0')],
    ['a number for the summary', changed([RESPONSE, 'SummaryResult', 'Status', 'Code'], 1)],
    ['a partial summary', changed([RESPONSE, 'SummaryResult', 'Status', 'Description'], 'Partially Voided')],
    ['a status of 0', changed([RESPONSE, 'Response', 'ResponseStatus', 'Code'], '0')],
    ['an example value', changed([RESPONSE, 'Response', 'ResponseStatus', 'Code'], 'string')],
    ['a package that is not voided', voidResponse('Voided', [[NUMBER, '0']])],
    [
      'another package that is not voided',
      voidResponse('Voided', [
        [NUMBER, '1'],
        ['1Z2', '0'],
      ]),
    ],
    ['another number', voidResponse('Voided', [['1Z2', '1']])],
    ['a description that contradicts the summary', voidResponse('Not Voided')],
    [
      'a description that contradicts the package',
      withPackages(PLURAL, [packageResult(NUMBER, '1', 'Not Voided')]),
    ],
    ['a partially voided package', withPackages(PLURAL, [packageResult(NUMBER, '1', 'Partially Voided')])],
    ['a package that is voided and not voided', withPackages(PLURAL, [VOIDED, packageResult(NUMBER, '0')])],
    ['a package with a number for its code', withPackages(PLURAL, [{ ...VOIDED, Status: { Code: 1 } }])],
    ['a package without a status', withPackages(PLURAL, [VOIDED, { TrackingNumber: '1Z2' }])],
    ['a package without a number', withPackages(PLURAL, [VOIDED, { Status: { Code: '1' } }])],
    ['both fields', { [RESPONSE]: { ...BARE, [PLURAL]: [VOIDED], [SINGULAR]: VOIDED } }],
    ['both fields, one of them null', { [RESPONSE]: { ...BARE, [PLURAL]: [VOIDED], [SINGULAR]: null } }],
    ['another number in the singular', voidResponse('Voided', [['1Z2', '1']], SINGULAR)],
    ['a package that is not voided in the singular', voidResponse('Voided', [[NUMBER, '0']], SINGULAR)],
    [
      'another package that is not voided in the singular',
      withPackages(SINGULAR, [VOIDED, packageResult('1Z2', '0')]),
    ],
    ...[PLURAL, SINGULAR].flatMap((field): [string, unknown][] => [
      [`a string for ${field}`, withPackages(field, 'all')],
      [`null for ${field}`, withPackages(field, null)],
      [`a list of lists for ${field}`, withPackages(field, [[VOIDED]])],
      [`a list with null for ${field}`, withPackages(field, [VOIDED, null])],
      [`an empty object for ${field}`, withPackages(field, {})],
    ]),
    ['a void in a body above the size limit', { ...voidResponse('Voided'), pad: 'x'.repeat(300_000) }],
  ])('is unknown: %s', async (_name, body) => {
    fake.answerWith({ status: 200, body })
    expect(await cancel()).toEqual(unknown)
  })
})

test('escapes the tracking number in the URL', async () => {
  fake.answerWith(code('190100'))
  await cancel('../1Z?trackingnumber=1Z2#x')
  await track('1Z/2')
  expect(fake.requests.slice(-2).map(({ path, query }) => [path, query.size])).toEqual([
    ['/api/shipments/v2409/void/cancel/../1Z?trackingnumber=1Z2#x', 0],
    ['/api/track/v1/details/1Z/2', 0],
  ])
})

describe('the state of a parcel', () => {
  const label = activity('M', 'MP', '003', '2026-11-19T20:00:00Z')
  const pickedUp = activity('I', 'XD', '038', '2026-11-20T09:15:00Z')
  const departed = activity('I', 'DP', '005', '2026-11-20T18:00:00Z')
  const voided = activity('MV', 'VP', '007', '2026-11-19T21:00:00Z')
  const announced = { kind: 'announced' }
  const scanned = (at: string, id: string) => ({ kind: 'scanned', scan: { at, eventId: `${at}/${id}` } })
  const cancelled = { kind: 'cancelled' }

  test('follows the fake from label to pick-up or void', async () => {
    fake.parcels.add(NUMBER)
    expect(await track()).toEqual(announced)
    await cancel()
    expect(await track()).toEqual(cancelled)
    fake.parcels.add(NUMBER)
    fake.parcels.scan(NUMBER)
    expect(await track()).toMatchObject(scanned('2026-11-20T09:15:00.000Z', 'XD') as object)
    expect(await track('1Z-NOT-THERE')).toEqual({ kind: 'unknown', cause: 'not found' })
  })

  const physical = ['005', '006', '021', '022', '038', '072', '160', '167']
  const beforeHandOver = ['044', '045', '065', '077', '079', '131', '133']
  test.each<[string, readonly unknown[], object | undefined, object]>([
    ['a label', [label], { code: '003' }, announced],
    ['a label, no current status', [label], undefined, announced],
    ['a manifest without a status code', [{ status: { type: 'M' } }], undefined, announced],
    ['no activity, announced in its current status', [], { code: '003' }, announced],
    [
      'several scans: the earliest counts, in any order',
      [departed, pickedUp, label],
      { code: '005' },
      scan(),
    ],
    [
      'several scans: the earliest counts, in another order',
      [pickedUp, label, departed],
      { code: '005' },
      scan(),
    ],
    ['delivered', [activity('D', 'FS', '011', '2026-11-20T09:15:00Z')], undefined, scan('FS')],
    ['picked up', [activity('P', 'PU', '', '2026-11-20T09:15:00Z'), label], undefined, scan('PU')],
    ['a scan before the void', [voided, pickedUp, label], { code: '007' }, scan()],
    ['voided', [voided, label], { code: '007' }, cancelled],
    ['voided in its current status only', [label], { statusCode: '007', type: 'MV' }, cancelled],
    ['voided by the type only', [{ status: { type: 'MV' } }, label], undefined, cancelled],
    ['voided by the code only', [label], { code: '007' }, cancelled],
    [
      'voided by the manifest code only',
      [{ status: { type: 'M', code: 'VP' } }, label],
      undefined,
      cancelled,
    ],
    ['voided by the manifest code in its current status', [label], { type: 'M', code: 'VP' }, cancelled],
    [
      'voided by the manifest code and announced again',
      [label, { status: { type: 'M', code: 'VP' } }],
      undefined,
      unknown,
    ],
    [
      'voided and scanned in one activity',
      [activity('MV', 'VP', '038', '2026-11-20T09:15:00Z'), label],
      undefined,
      unknown,
    ],
    ['voided and announced again', [label, voided], { code: '003' }, unknown],
    ['only an exception', [activity('X', 'SR', '003', '2026-11-20T09:15:00Z'), label], undefined, unknown],
    [
      'in transit with an unlisted code',
      [activity('I', 'ZZ', '199', '2026-11-20T09:15:00Z')],
      undefined,
      unknown,
    ],
    [
      'a delivery attempt',
      [activity('X', '48', '022', '2026-11-20T09:15:00Z'), label],
      undefined,
      scan('48'),
    ],
    ['only a logical scan', [{ ...pickedUp, logicalScan: true }, label], undefined, unknown],
    ['a scan without a time', [{ status: { type: 'I', statusCode: '005' } }, label], undefined, unknown],
    ['a scan in its current status only', [label], { code: '005' }, unknown],
    ['no activity and no status', [], undefined, unknown],
    ['activity that is not an object', ['x', null, 3], undefined, unknown],
    ...physical.map((statusCode) => on('I', statusCode, scan('AB'))),
    ...beforeHandOver.map((statusCode) => on('I', statusCode, unknown)),
  ])('%s', async (_name, activities, current, expected) => {
    fake.answerWith({ status: 200, body: trackResponse(NUMBER, activities, current) })
    expect(await track()).toMatchObject(expected as object)
  })

  function scan(id = 'XD') {
    return scanned('2026-11-20T09:15:00.000Z', id)
  }

  function on(type: string, statusCode: string, expected: object): [string, object[], undefined, object] {
    return [
      `${type} ${statusCode}`,
      [activity(type, 'AB', statusCode, '2026-11-20T09:15:00Z'), label],
      undefined,
      expected,
    ]
  }

  test.each([
    ['UTC with colons', { gmtDate: '20261120', gmtTime: '09:15:00' }, '2026-11-20T09:15:00.000Z'],
    [
      'UTC without colons and without a leading zero',
      { gmtDate: '20261120', gmtTime: '91500' },
      '2026-11-20T09:15:00.000Z',
    ],
    [
      'local with an offset',
      { date: '20261120', time: '201500', gmtOffset: '-05:00' },
      '2026-11-21T01:15:00.000Z',
    ],
    ['local without an offset', { date: '20261120', time: '201500' }, '2026-11-20T20:15:00.000Z'],
    [
      'unreadable UTC, and local',
      { gmtDate: 'x', date: '20261120', time: '201500', gmtOffset: '+01:00' },
      '2026-11-20T19:15:00.000Z',
    ],
  ])('has the time of the scan: %s', async (_name, time, at) => {
    const body = trackResponse(NUMBER, [{ status: { type: 'D', code: 'FS' }, ...time }])
    fake.answerWith({ status: 200, body })
    expect(await track()).toMatchObject(scanned(at, 'FS') as object)
  })

  test.each<[string, FakeReply, number?]>([
    ['another number', { status: 200, body: trackResponse('1Z2', [label]) }],
    ['the number twice', { status: 200, body: twice() }],
    ['404', upsError(404, 'TW0001', 'Not found'), 404],
    ['500', { status: 500, body: trackResponse(NUMBER, [label]) }, 500],
    ['a string', { status: 200, body: '"string"' }],
    ['not JSON', { status: 200, body: '<html>' }],
    ['nothing', { status: 200, body: {} }],
    ['a string for the shipments', { status: 200, body: { trackResponse: { shipment: 'x' } } }],
  ])('is unknown after the reply: %s', async (_name, reply, status) => {
    fake.answerWith(reply)
    expect(await track()).toEqual({ ...unknown, status })
  })

  test('is unknown with an alert if the URL is wrong', async () => {
    fake.answerWith(upsError(404, '404', 'No API found'))
    expect(await track()).toEqual({ ...misconfigured, status: 404 })
  })

  function twice(): object {
    const one = { inquiryNumber: NUMBER, package: [{ trackingNumber: NUMBER, activity: [label] }] }
    return { trackResponse: { shipment: [one, one] } }
  }
})

describe('the format of a shipment id', () => {
  test.each(['1ZISDE016691676846', '1Z2220060292634221'])('accepts %s', (carrierRef) => {
    expect(ups.trackingNumberFault?.(carrierRef)).toBeUndefined()
  })

  test.each([
    ['lower case', '1zisde016691676846'],
    ['a character too few', '1ZISDE01669167684'],
    ['a character too many', '1ZISDE0166916768460'],
    ['a blank', '1Z ISDE0166916768'],
    ['a line break', '1ZISDE016691676846\n'],
    ['a number of another carrier', '794953555571'],
    ['nothing', ''],
  ])('rejects %s', (_name, carrierRef) => {
    expect(ups.trackingNumberFault?.(carrierRef)).toBe('must be 1Z and 16 digits or upper-case letters')
  })
})

describe('tokens', () => {
  test('are shared by ten concurrent calls, and replaced once after 401s', async () => {
    const before = fake.tokensIssued()
    const numbers = Array.from({ length: 10 }, (_, index) => `1Z${index}`)
    for (const number of numbers) fake.parcels.add(number)
    expect(await Promise.all(numbers.map((number) => cancel(number)))).toEqual(numbers.map(() => now))
    expect(fake.tokensIssued() - before).toBe(1)
    fake.revokeTokens()
    expect(await Promise.all(numbers.map((number) => cancel(number)))).toEqual(numbers.map(() => already))
    expect(fake.tokensIssued() - before).toBe(2)
  })

  test('are not available with wrong credentials: nothing is sent, and the error contains no secret', async () => {
    connector = open({ clientId: 'canary-id', clientSecret: 'canary-other' })
    const parcel = fake.parcels.add(NUMBER)
    const error = await cancel().catch((thrown: unknown) => thrown)
    expect(error).toEqual(new Error('no access token: HTTP 401'))
    expect(parcel.cancelCalls).toBe(0)
  })

  test('and secrets do not occur in results and errors, and the idempotency key is not sent', async () => {
    const texts: unknown[] = []
    for (const script of SCRIPTS) {
      fake.parcels.add(NUMBER, script)
      texts.push(
        await cancel(NUMBER, 1, AbortSignal.timeout(60)).catch(textsOf),
        await track()?.catch(textsOf),
      )
    }
    expect(texts).toHaveLength(2 * SCRIPTS.length)
    expect(JSON.stringify(texts)).not.toContain('canary')
    const sent = fake.requests.map((request) => ({ ...request, query: `${request.query}` }))
    expect(JSON.stringify(sent)).not.toContain('canary-key')
  })

  function textsOf(error: unknown): unknown {
    return error instanceof Error ? [error.message, error.stack, textsOf(error.cause)] : String(error)
  }
})
