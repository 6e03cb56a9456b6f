/** Carriers without cancellations (DHL Express, DPD): a shipment is released only if the carrier has not scanned it. */

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Connector } from '../../../src/carriers/connector.ts'
import { type Existence, releaseIfUnscanned } from '../../../src/carriers/connectors/parcel-history.ts'
import { CONNECTORS } from '../../../src/carriers/registry.ts'
import type { CarrierTrackAnswer } from '../../../src/core/shipments/tracking.ts'
import {
  checkpoint,
  EXPRESS_CREDENTIALS,
  type ExpressFake,
  expressShipment,
  NO_DATA,
  NO_IMAGES,
  piece,
  startExpressFake,
  type TrackingFake,
} from '../fakes/dhl-express.ts'
import { DPD_CREDENTIALS, dpdParcel, dpdState, notAcknowledged, startDpdFake } from '../fakes/dpd.ts'
import { type FakeReply, SCRIPTS, type Script } from '../fakes/fake-carrier.ts'

const { 'dhl-express': dhlExpress, dpd } = CONNECTORS

const released = { kind: 'cancelled', how: 'released' }
const unknown = { kind: 'unknown', cause: expect.any(String) }
const misconfigured = { ...unknown, configuration: true }
const refused = { kind: 'refused', reason: 'SCANNED', code: expect.any(String), message: expect.any(String) }
const announced = { kind: 'announced' }
const CUT = 'rejected'
const AT = '2026-11-20T09:15:00.000Z'
const scanned = (code: string, at = AT) => ({ kind: 'scanned', scan: { eventId: `${at}/${code}`, at } })

function cancelWith(connector: Connector, carrierRef: string, signal = AbortSignal.timeout(5_000)) {
  const request = { carrierCode: 'any', carrierRef, idempotencyKey: 'key', sends: 1, ageMs: 0 }
  return connector.cancel(request, signal)
}

describe('a cancellation by lookup', () => {
  const scan = { eventId: 'e1', at: AT }
  const table: readonly (readonly [CarrierTrackAnswer, unknown])[] = [
    [{ kind: 'announced' }, released],
    [{ kind: 'cancelled' }, { kind: 'cancelled', how: 'already' }],
    [
      { kind: 'scanned', scan },
      { ...refused, code: 'e1', message: `The carrier scanned the parcel at ${AT}` },
    ],
    [
      { kind: 'unknown', cause: 'HTTP 404' },
      { kind: 'unknown', cause: 'HTTP 404' },
    ],
  ]
  test.each(table)('maps the lookup result %j', async (state, answer) => {
    expect(
      await cancelWith(
        releaseIfUnscanned(async () => state),
        'P1',
      ),
    ).toMatchObject(answer as object)
  })

  test('makes one lookup, of this parcel, with the signal of the cancellation', async () => {
    const calls: (readonly [string, AbortSignal])[] = []
    const connector = releaseIfUnscanned(async (carrierRef, signal) => {
      calls.push([carrierRef, signal])
      return { kind: 'announced' }
    })
    const { signal } = new AbortController()
    await connector.cancel(
      { carrierCode: 'c', carrierRef: 'P1', idempotencyKey: 'k', sends: 3, ageMs: 0 },
      signal,
    )
    expect(calls).toEqual([['P1', signal]])
    expect(calls[0]?.[1]).toBe(signal)
  })

  test.each<[Existence, unknown]>([
    ['proven', released],
    ['not proven', { kind: 'unknown', cause: 'none', repeatAfterMs: 60_000 }],
    [
      { kind: 'unknown', cause: 'HTTP 403', configuration: true, status: 403 },
      { kind: 'unknown', cause: 'none; HTTP 403', configuration: true, repeatAfterMs: 60_000 },
    ],
  ])('releases a parcel without data only if its label exists: %j', async (existence, answer) => {
    const connector = releaseIfUnscanned(
      async () => ({ kind: 'no_data', cause: 'none' }),
      async () => existence,
    )
    expect(await cancelWith(connector, 'P1')).toEqual(answer)
    expect(await connector.track('P1', AbortSignal.timeout(5_000))).toEqual({
      kind: 'unknown',
      cause: 'none',
    })
  })

  test('does not release the shipment if the lookup throws', async () => {
    const connector = releaseIfUnscanned(() => Promise.reject(new Error('ECONNRESET')))
    await expect(cancelWith(connector, 'P1')).rejects.toThrow('ECONNRESET')
  })
})

/**
 * By script: the results of three cancellations, the same for both carriers except for parcels without data
 * (`already`). The state of the parcel never changes.
 */
const PLAYED: Record<Script, readonly unknown[]> = {
  ok: [released, released, released],
  already: [],
  scanned: [refused, refused, refused],
  'window-closed': [released, released, released],
  pending: [released, released, released],
  partial: [unknown, unknown, unknown],
  slow: [CUT, CUT, CUT],
  down: [CUT, CUT, CUT],
  '503-twice': [unknown, unknown, released],
  '429': [unknown, unknown, unknown],
  '401-once': [unknown, released, released],
  garbage: [unknown, unknown, unknown],
  meaningless: [unknown, unknown, unknown],
  'reply-lost': [CUT, released, released],
  'late-accept': [CUT, released, released],
}

const HOSTILE = [
  'null',
  '[]',
  '""',
  '"string"',
  '{}',
  '1',
  '{"shipments":null}',
  '{"Ack":true,"OrderStatus":[]}',
]

type Carrier = {
  readonly number: string
  readonly credentials: Readonly<Record<string, string>>
  start(): Promise<TrackingFake>
  open(baseUrl: string, credentials: Readonly<Record<string, string>>): Connector
  /** The result of a cancellation if the carrier has no data about the parcel. */
  readonly noData: unknown
  /** Replies to a lookup, and the expected results. */
  readonly lookups: readonly (readonly [string, FakeReply, unknown])[]
}

const EXPRESS = '1234567890'
const pickUp = checkpoint('PU', '2026-11-20', '18:15:00', '+09:00')
const unclear = checkpoint('SD', '2026-11-20', '18:15:00', '+09:00')
const pieces = (events: unknown, list: unknown, numberOfPieces: unknown = 1) =>
  expressShipment(EXPRESS, events, { pieces: list, numberOfPieces })
const one = (code: string) => expressShipment(EXPRESS, [checkpoint(code, '2026-11-20', '09:15:00', '+00:00')])
const EXPRESS_SCANS = 'PU SA PL AF DF AR WC OK DD PD ND NH CA BA CM RD RT CC FD TP TR MC MS MD DS'.split(' ')
const EXPRESS_UNCLEAR = 'AD BN BR CD CR CS HP IC OH RR SC SS UD SD XX pu'.split(' ')

const express: Carrier = {
  number: EXPRESS,
  credentials: EXPRESS_CREDENTIALS,
  noData: { kind: 'unknown', cause: 'not known to DHL Express yet', repeatAfterMs: 60_000 },
  start: startExpressFake,
  open: (baseUrl, credentials) => dhlExpress.open({ baseUrl, credentials }),
  lookups: [
    ['no checkpoints', expressShipment(EXPRESS, []), announced],
    ['checkpoints missing', expressShipment(EXPRESS, undefined), unknown],
    ['checkpoints that are not a list', expressShipment(EXPRESS, {}), unknown],
    ['no success', expressShipment(EXPRESS, [], { status: 'Failure' }), unknown],
    ['no list of pieces', expressShipment(EXPRESS, [], {}), announced],
    [
      'no list of pieces and no number of pieces',
      expressShipment(EXPRESS, [], { numberOfPieces: undefined }),
      announced,
    ],
    ['several pieces, which are not listed', pieces([], undefined, 2), unknown],
    ['several pieces, of which one is missing', pieces([], [piece(EXPRESS, [])], 2), unknown],
    [
      'several pieces without checkpoints',
      pieces([], [piece(EXPRESS, []), piece(EXPRESS, undefined)], 2),
      announced,
    ],
    ['pieces that are not a list', pieces([], {}), unknown],
    ['a number of pieces that is not a number', pieces([], [piece(EXPRESS, [])], '1'), unknown],
    ['checkpoints of a piece that are not a list', pieces([], [piece(EXPRESS, 'none')]), unknown],
    ['a piece of another shipment', pieces([], [piece('9999999999', [pickUp])]), unknown],
    ['a piece that was picked up', pieces([], [piece(EXPRESS, [pickUp])]), scanned('PU')],
    [
      'a picked-up piece while another one is missing',
      pieces([], [piece(EXPRESS, [pickUp])], 3),
      scanned('PU'),
    ],
    ['a piece with an unclear checkpoint', pieces([], [piece(EXPRESS, [unclear])]), unknown],
    [
      'a piece that was scanned before the shipment',
      pieces([checkpoint('OK', '2026-11-21', '09:00:00', '+01:00')], [piece(EXPRESS, [pickUp])]),
      scanned('PU'),
    ],
    ['another shipment', expressShipment('1234567891', []), unknown],
    ['a number that is not a string', expressShipment(1234567890, []), unknown],
    ...EXPRESS_SCANS.map((code) => [code, one(code), scanned(code)] as const),
    ...EXPRESS_UNCLEAR.map((code) => [`unclear: ${code}`, one(code), unknown] as const),
    ['a checkpoint without a code', expressShipment(EXPRESS, [{}]), unknown],
    ['a checkpoint that is null', expressShipment(EXPRESS, [null]), unknown],
    ['a time with an offset', expressShipment(EXPRESS, [pickUp]), scanned('PU')],
    [
      'a time with a negative offset',
      expressShipment(EXPRESS, [checkpoint('PU', '2026-11-20', '03:45:00', '-05:30')]),
      scanned('PU'),
    ],
    [
      'a time with an offset of the day before',
      expressShipment(EXPRESS, [checkpoint('PU', '2026-11-20', '00:30:00', '+14:00')]),
      scanned('PU', '2026-11-19T10:30:00.000Z'),
    ],
    [
      'the earliest scan by its instant, not by its local time',
      expressShipment(EXPRESS, [checkpoint('DF', '2026-11-20', '17:00:00', '+00:00'), pickUp]),
      scanned('PU'),
    ],
    [
      'an unreadable offset',
      expressShipment(EXPRESS, [checkpoint('PU', '2026-11-20', '09:15:00', 'CET')]),
      unknown,
    ],
    [
      'a time without an offset, read as UTC',
      expressShipment(EXPRESS, [checkpoint('PU', '2026-11-20', '09:15:00')]),
      scanned('PU'),
    ],
    ['an unreadable time', expressShipment(EXPRESS, [checkpoint('PU', '20.11.2026', '9')]), unknown],
    [
      'the earliest of several scans',
      expressShipment(EXPRESS, [
        checkpoint('OK', '2026-11-21', '09:00:00', '+01:00'),
        checkpoint('OH', '2026-11-20', '01:00:00', '+00:00'),
        pickUp,
      ]),
      scanned('PU'),
    ],
    [
      'two shipments with the number',
      {
        status: 200,
        body: {
          shipments: [1, 2].map(() => ({ shipmentTrackingNumber: EXPRESS, status: 'Success', events: [] })),
        },
      },
      unknown,
    ],
    ['404', NO_DATA, unknown],
  ],
}

const PARCEL = '01234567890123'
const last = (id: string, reached: unknown = true) =>
  dpdParcel(PARCEL, dpdState(id, '2026-11-20T09:15:00', reached))
const announcement = dpdState('DATA_TRANSMITTED', '2026-11-19T18:00:00')
const DPD_SCANS =
  'COLLECTED AT_SENDING_DEPOT ON_THE_ROAD AT_DELIVERY_DEPOT SORTED SORTED_TO_PICKUP_LOCATION OUT_FOR_DELIVERY IN_DELIVERY DELIVERY_ATTEMPT AT_PARCELSHOP DELIVERED PICKED_UP RETURN_TO_SENDER'.split(
    ' ',
  )
const DPD_UNCLEAR = ['START', 'NO_TRACKINGDATA', 'PARCEL_PROCESSING', 'delivered', 'NEW', '']

const germanDpd: Carrier = {
  number: PARCEL,
  credentials: DPD_CREDENTIALS,
  noData: unknown,
  start: startDpdFake,
  open: (baseUrl, credentials) => dpd.open({ baseUrl, credentials }),
  lookups: [
    ['SHIPMENT', last('SHIPMENT'), announced],
    ['DATA_TRANSMITTED', last('DATA_TRANSMITTED'), announced],
    ['ACCEPTED', last('ACCEPTED'), unknown],
    ['ACCEPTED, not reached', last('ACCEPTED', false), announced],
    ['ACCEPTED, with an unreadable `reached`', last('ACCEPTED', 'false'), unknown],
    [
      'ACCEPTED, and a later milestone',
      dpdParcel(PARCEL, dpdState('ACCEPTED'), { OnTheRoad: dpdState('ANY', '20.11.2026, 09:15') }),
      scanned('OnTheRoad'),
    ],
    ...DPD_SCANS.map((id) => [id, last(id), scanned(id)] as const),
    ...DPD_UNCLEAR.map((id) => [`unclear: ${id}`, last(id), unknown] as const),
    ['announced, not reached', last('DATA_TRANSMITTED', false), unknown],
    [
      'without the wrapper',
      {
        status: 200,
        body: { Ack: true, ParcelNo: PARCEL, LastStatusInfo: announcement, StatusInfoContainer: {} },
      },
      announced,
    ],
    [
      'without milestones',
      { status: 200, body: { Ack: true, OrderStatus: { ParcelNo: PARCEL, LastStatusInfo: announcement } } },
      unknown,
    ],
    ['an unlisted milestone', dpdParcel(PARCEL, announcement, { SendingDepot: dpdState('ANY') }), unknown],
    [
      'an unlisted milestone ahead',
      dpdParcel(PARCEL, announcement, { SendingDepot: dpdState('ANY', '', false) }),
      announced,
    ],
    [
      'a first milestone of another state',
      dpdParcel(PARCEL, announcement, { Start: dpdState('COLLECTED') }),
      unknown,
    ],
    [
      'acknowledged with an error',
      {
        status: 200,
        body: {
          Ack: true,
          OrderStatus: { ParcelNo: PARCEL, LastStatusInfo: announcement, StatusInfoContainer: {} },
          ErrorDataList: [{ ErrorID: 1, ErrorCode: 'CLOUD_INTERNAL' }],
        },
      },
      { kind: 'unknown', cause: 'CLOUD_INTERNAL' },
    ],
    [
      'another parcel, without the wrapper',
      { status: 200, body: { Ack: true, ParcelNo: '01234567890124', LastStatusInfo: announcement } },
      unknown,
    ],
    ['announced, with an unreadable `reached`', last('DATA_TRANSMITTED', 'true'), unknown],
    ...['OnTheRoad', 'DeliveryDepot', 'CarLoad', 'Delivered'].flatMap((name) => {
      const at = (reached: unknown) =>
        dpdParcel(PARCEL, announcement, { [name]: dpdState('ANY', '20.11.2026, 09:15', reached) })
      return [
        [`${name} reached`, at(true), scanned(name)],
        [`${name} ahead`, at(false), announced],
        [`${name} unreadable`, at('yes'), unknown],
      ] as const
    }),
    ['a milestone that is null', dpdParcel(PARCEL, announcement, { Delivered: null }), announced],
    [
      'the earliest of several scans',
      dpdParcel(PARCEL, dpdState('DELIVERED', '2026-11-21T09:00:00+01:00'), {
        OnTheRoad: dpdState('X', '2026-11-20T10:15:00+01:00'),
      }),
      scanned('OnTheRoad'),
    ],
    ['an unreadable time', dpdParcel(PARCEL, dpdState('DELIVERED', '11/20/2026')), unknown],
    ['no time', dpdParcel(PARCEL, dpdState('DELIVERED')), unknown],
    ['no last state', dpdParcel(PARCEL, null), unknown],
    ['another parcel', dpdParcel('01234567890124', announcement), unknown],
    [
      'not acknowledged',
      notAcknowledged('CLOUD_API_PARCELNO'),
      { kind: 'unknown', cause: 'CLOUD_API_PARCELNO' },
    ],
    [
      'the call limit',
      notAcknowledged('CLOUD_API_USERCALLLIMIT'),
      { kind: 'unknown', cause: 'CLOUD_API_USERCALLLIMIT', retryAfterMs: 600_000 },
    ],
    [
      'credentials that DPD rejects',
      notAcknowledged('CLOUD_API_NOLOGIN'),
      { kind: 'unknown', cause: 'CLOUD_API_NOLOGIN', configuration: true },
    ],
    [
      'acknowledged by a string',
      { status: 200, body: { Ack: 'true', OrderStatus: { ParcelNo: PARCEL, LastStatusInfo: announcement } } },
      unknown,
    ],
    ['404', { status: 404 }, misconfigured],
  ],
}

describe.each([
  ['DHL Express', express],
  ['DPD', germanDpd],
] as const)('%s', (_name, carrier) => {
  let fake: TrackingFake
  let connector: Connector

  beforeAll(async () => {
    fake = await carrier.start()
  })
  afterAll(() => fake.close())
  beforeEach(() => {
    fake.answerWith(undefined)
    fake.parcels.add(carrier.number)
    connector = carrier.open(fake.baseUrl, carrier.credentials)
  })
  const track = (carrierRef = carrier.number) => connector.track?.(carrierRef, AbortSignal.timeout(5_000))

  test.each(SCRIPTS)('returns the expected results for three cancellations: %s', async (script) => {
    const parcel = fake.parcels.add(carrier.number, script)
    const before = parcel.state
    const { noData } = carrier
    for (const expected of script === 'already' ? [noData, noData, noData] : PLAYED[script]) {
      const call = cancelWith(connector, carrier.number, AbortSignal.timeout(script === 'slow' ? 30 : 5_000))
      if (expected === CUT) await expect(call).rejects.toThrow()
      else expect(await call).toMatchObject(expected as object)
    }
    expect(parcel.state).toBe(before)
  })

  test.each(carrier.lookups)('reads the state of a parcel: %s', async (_, reply, answer) => {
    fake.answerWith(reply)
    expect(await track()).toMatchObject(answer as object)
  })

  test.each([
    ...HOSTILE.map((body) => [`200 ${body}`, { status: 200, body }] as const),
    ['200 <html>', { status: 200, body: '<html>' }] as const,
    ...[201, 204, 302, 400, 401, 403, 429, 500, 503].map((status) => [`${status}`, { status }] as const),
  ])('does not release a shipment after the reply %s', async (_, reply) => {
    fake.answerWith(reply)
    expect(await cancelWith(connector, carrier.number)).toMatchObject(unknown)
  })

  test('does not release an unknown parcel', async () => {
    expect(await cancelWith(connector, '99999999999999')).toEqual(carrier.noData)
  })

  test('releases a parcel until it is scanned', async () => {
    expect(await cancelWith(connector, carrier.number)).toEqual(released)
    fake.parcels.scan(carrier.number)
    expect(await cancelWith(connector, carrier.number)).toEqual(refused)
    expect(await track()).toMatchObject({ kind: 'scanned', scan: { at: AT } })
  })

  test('escapes the number in the path', async () => {
    const hostile = '../x?y#z%'
    fake.parcels.add(hostile)
    await cancelWith(connector, hostile)
    expect(fake.requests.at(-1)?.path).toContain(`/${hostile}/`)
  })

  test('leaks no secret in results and errors', async () => {
    const texts: string[] = []
    for (const script of SCRIPTS) {
      fake.parcels.add(carrier.number, script)
      texts.push(
        await cancelWith(connector, carrier.number, AbortSignal.timeout(60)).then(JSON.stringify, String),
      )
    }
    for (const name of Object.keys(carrier.credentials)) {
      connector = carrier.open(fake.baseUrl, { ...carrier.credentials, [name]: 'canary-wrong' })
      expect(await cancelWith(connector, carrier.number)).toMatchObject(unknown)
      texts.push(await cancelWith(connector, carrier.number).then(JSON.stringify, String))
    }
    connector = carrier.open('http://127.0.0.1:1', carrier.credentials)
    texts.push(await cancelWith(connector, carrier.number).then(JSON.stringify, String))
    expect(texts).toHaveLength(SCRIPTS.length + Object.keys(carrier.credentials).length + 1)
    const basic = Buffer.from(Object.values(carrier.credentials).join(':')).toString('base64')
    for (const secret of ['canary', basic]) expect(texts.join('\n')).not.toContain(secret)
  })
})

describe('a 404 of DHL Express', () => {
  const body = { title: 'Not found', detail: 'No shipments found', status: '404' }
  const noData = { kind: 'unknown', cause: 'not known to DHL Express yet' }
  const other = { kind: 'unknown', cause: 'HTTP 404', configuration: true }
  test.each<[string, unknown, object]>([
    ['in another wording', body, noData],
    ['with its status as a number', { ...body, status: 404 }, noData],
    ['with another status', { ...body, status: '500' }, other],
    ['without a status', { title: body.title, detail: body.detail }, other],
    ['for another reason', { ...body, detail: 'No route matched' }, other],
    ['of another server', '<html>No data found</html>', other],
    ['without a body', undefined, other],
  ])('is about the shipment only if DHL has no data: %s', async (_, json, answer) => {
    const fake = await startExpressFake()
    try {
      fake.answerWith({ status: 404, body: json })
      expect(await cancelWith(express.open(fake.baseUrl, EXPRESS_CREDENTIALS), EXPRESS)).toMatchObject(
        answer as object,
      )
    } finally {
      await fake.close()
    }
  })
})

describe('a DHL Express label that tracking does not know', () => {
  const document = {
    shipmentTrackingNumber: EXPRESS,
    typeCode: 'waybill',
    encodingFormat: 'PDF',
    content: 'JVBERi0',
  }
  const documents = (...list: object[]): FakeReply => ({ status: 200, body: { documents: list } })
  const account = { ...EXPRESS_CREDENTIALS, shipperAccountNumber: '123456789' }
  let fake: ExpressFake
  beforeEach(async () => {
    fake = await startExpressFake()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-24T12:00:00Z') })
  })
  afterEach(async () => {
    vi.useRealTimers()
    await fake.close()
  })

  const notKnown = { kind: 'unknown', cause: expect.stringMatching(/^not known to DHL Express yet/) }
  test.each<[string, FakeReply, object]>([
    ['its waybill', documents(document), released],
    ['several documents', documents({ ...document, typeCode: 'customs-entry' }, document), released],
    ['no document', documents(), notKnown],
    ['the waybill of another shipment', documents({ ...document, shipmentTrackingNumber: '1' }), notKnown],
    ['another document', documents({ ...document, typeCode: 'commercial-invoice' }), notKnown],
    ['an empty document', documents({ ...document, content: '' }), notKnown],
    ['an error beside it', { status: 200, body: { documents: [document], errors: ['x'] } }, notKnown],
    ["DHL's own 404", NO_IMAGES, { ...notKnown, repeatAfterMs: 60_000 }],
    ['a 404 of another server', { status: 404, body: '<html>' }, { ...notKnown, configuration: true }],
    ['a 400', { status: 400 }, notKnown],
    ['a 403', { status: 403 }, { ...notKnown, configuration: true }],
    ['a 503', { status: 503, headers: { 'retry-after': '30' } }, { ...notKnown, retryAfterMs: 30_000 }],
    ['no reply', 'cut', notKnown],
  ])('is released only if DHL has the image of its waybill: %s', async (_, reply, answer) => {
    fake.imageWith(reply)
    const answered = await cancelWith(express.open(fake.baseUrl, account), EXPRESS)
    expect(answered).toMatchObject(answer as object)
    expect(answered.kind).not.toBe('refused')
  })

  test('is looked up in the months of its pick-up', async () => {
    fake.imageWith(NO_IMAGES)
    await cancelWith(express.open(fake.baseUrl, account), EXPRESS)
    const asked = fake.requests.filter(({ path }) => path.endsWith('/get-image'))
    expect(asked.map(({ query }) => query.get('pickupYearAndMonth')).sort()).toEqual([
      '2026-10',
      '2026-11',
      '2026-12',
    ])
    expect(asked[0]?.query.get('shipperAccountNumber')).toBe('123456789')
  })

  test('is released if one month has its waybill and another one fails', async () => {
    fake.imageWith({ status: 500 })
    fake.imageWith(documents(document), '2026-11')
    expect(await cancelWith(express.open(fake.baseUrl, account), EXPRESS)).toEqual(released)
  })

  test('is not looked up without the account number', async () => {
    fake.imageWith(documents(document))
    const connector = express.open(fake.baseUrl, EXPRESS_CREDENTIALS)
    expect(await cancelWith(connector, EXPRESS)).toMatchObject(notKnown)
    expect(fake.requests).toHaveLength(1)
  })

  test('is not released if it was scanned', async () => {
    fake.imageWith(documents(document))
    fake.answerWith(one('PU'))
    expect(await cancelWith(express.open(fake.baseUrl, account), EXPRESS)).toMatchObject({
      reason: 'SCANNED',
    })
  })
})

describe('the format of a DHL Express number', () => {
  test.each([
    ['1234567890', undefined],
    ['0034567890', undefined],
    ['123456789', 'must be 10 digits'],
    ['JD012345678901234567', 'must be 10 digits'],
    ['123456789X', 'must be 10 digits'],
  ])('%s', (number, fault) => expect(dhlExpress.trackingNumberFault?.(number)).toBe(fault))
})
