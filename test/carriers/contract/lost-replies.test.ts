/**
 * Cancellations whose first reply is lost, played to their end at carriers with a cancellation call: the operation, the
 * sweeper, the gateway and the connector, against the official replies. An attempt that stays open has to be settled by
 * an operator. test/carriers/connectors/dhl-lost-replies.test.ts has the sequences of DHL.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { carrierGateway } from '../../../src/carriers/gateway/gateway.ts'
import { CONNECTORS, openCarriers } from '../../../src/carriers/registry.ts'
import { cancelShipment } from '../../../src/operations/cancel-shipment.ts'
import { sweep } from '../../../src/operations/sweep/sweep.ts'
import { aShipment, shipmentWorld } from '../../operations/shipment-world.ts'
import { type FakeCarrier, type FakeReply, type FakeRequest, startFake } from '../fakes/fake-carrier.ts'
import { CONTRACTS } from './contracts.ts'

let reply: (request: FakeRequest) => FakeReply = () => 'cut'
let server: FakeCarrier
beforeAll(async () => {
  server = await startFake((request) => reply(request))
})
afterAll(() => server.close())

type Connector = 'ups' | 'fedex' | 'gls-shipit'
type Sequence = {
  /** The replies to the cancellations after the lost one; the last one repeats. */
  readonly cancel: readonly FakeReply[]
  /** The replies to lookups; the last one repeats. */
  readonly track: readonly FakeReply[]
  /** Between two rounds of the sweeper. Default: 5 minutes. */
  readonly roundMs?: number
}

const ROUNDS = 24

/** Plays a sequence through 24 rounds. Returns the state of the shipment and the phase of its attempt after each. */
async function play(connector: Connector, carrierRef: string, sequence: Sequence): Promise<string[]> {
  const { calls } = CONTRACTS[connector]
  const cancels: FakeReply[] = ['cut', ...sequence.cancel]
  const tracks = [...sequence.track]
  const next = (replies: FakeReply[]): FakeReply =>
    (replies.length > 1 ? replies.shift() : replies[0]) ?? 'cut'
  reply = ({ method, path }) => {
    const call = `${method} ${path}`
    if (calls.token?.test(call))
      return { status: 200, body: { access_token: 'token', token_type: 'Bearer', expires_in: 3_600 } }
    if (calls.cancel?.test(call)) return next(cancels)
    if (path.endsWith('/ZOTHER01')) return glsParcel({ status: 'PREADVICE', events: [] }, 'ZOTHER01')
    return calls.track.test(call) ? next(tracks) : { status: 404 }
  }
  const credentials = Object.fromEntries(CONNECTORS[connector].credentials.map((name) => [name, 'test']))
  const settings = new Map([['rondeel', { baseUrl: server.baseUrl, credentials, accounts: new Map() }]])
  const gateway = carrierGateway(openCarriers(() => connector, { sandboxUrl: undefined, settings }))
  const world = shipmentWorld([aShipment({ carrierRef })], (ticket) => gateway.cancel(ticket), {
    track: (parcel, timeoutMs) => gateway.track(parcel, timeoutMs),
  })
  const ports = world.process()
  // GLS tracking lists another parcel of the shipper, so "not listed" is evidence.
  if (connector === 'gls-shipit')
    await gateway.track({ accountId: 'acme', carrierCode: 'rondeel', carrierRef: 'ZOTHER01' })
  const outcome = await cancelShipment(ports, { accountId: 'acme' }, 'shp_1', world.policy)
  expect(outcome.kind).toBe('CancellationPending')
  const states: string[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    world.pass(sequence.roundMs ?? 300_000)
    await sweep(ports, world.policy)
    await ports.inFlight.drain()
    states.push(`${world.shipments.get('shp_1')?.state} ${world.attempts[0]?.phase}`)
  }
  return states
}

const UPS_ID = '1ZISDE016691676846'
const upsError = (code: string): FakeReply => ({
  status: 400,
  body: { response: { errors: [{ code, message: 'text' }] } },
})
const upsParcel = (...statuses: object[]): FakeReply => ({
  status: 200,
  body: {
    trackResponse: {
      shipment: [
        {
          package: [
            {
              trackingNumber: UPS_ID,
              activity: statuses.map((status) => ({ status, gmtDate: '20261120', gmtTime: '09:15:00' })),
            },
          ],
        },
      ],
    },
  },
})
const UPS_LABEL = { type: 'M', code: 'MP', statusCode: '003' }
const UPS_NOT_FOUND: FakeReply = {
  status: 200,
  body: { trackResponse: { shipment: [{ warnings: [{ code: 'TW0001' }] }] } },
}

const FEDEX_ID = '794953555571'
const fedexError = (status: number, code: string): FakeReply => ({
  status,
  body: { errors: [{ code, message: 'text' }] },
})
const fedexParcel = (result: object): FakeReply => ({
  status: 200,
  body: { output: { completeTrackResults: [{ trackingNumber: FEDEX_ID, trackResults: [result] }] } },
})
const fedexEvents = (...types: string[]) =>
  fedexParcel({ scanEvents: types.map((eventType) => ({ eventType, date: '2026-11-20T09:15:00Z' })) })
const FEDEX_NOT_FOUND = fedexParcel({ error: { code: 'TRACKING.TRACKINGNUMBER.NOTFOUND' } })

const GLS_ID = 'ZTESTX01'
const glsParcel = (parcel: object, requested = GLS_ID): FakeReply => ({
  status: 200,
  body: { parcels: [{ requested, ...parcel }] },
})
const GLS_NOT_LISTED = glsParcel({ errorCode: 'E_404_01' })
const GLS_ANNOUNCED = glsParcel({ status: 'PREADVICE', events: [] })
const GLS_NO_SUCH_ID: FakeReply = {
  status: 400,
  headers: { error: 'INVALID_FIELD_VALUE', message: 'A parcel with the given ID does not exist' },
}
const GLS_SCANNED = glsParcel({
  status: 'INTRANSIT',
  events: [{ code: 'INTIAL.NORMAL', eventDateTime: '2026-11-20T10:15:00+0100' }],
})
const HOUR_MS = 3_600_000

type Case = readonly [name: string, sequence: Sequence, end: string]

const SEQUENCES: Readonly<Record<Connector, readonly [carrierRef: string, cases: readonly Case[]]>> = {
  ups: [
    UPS_ID,
    [
      ['already voided', { cancel: [upsError('190117')], track: ['cut'] }, 'cancelled accepted'],
      [
        'failures, then already voided',
        { cancel: [upsError('190001'), { status: 503 }, upsError('190117')], track: ['cut'] },
        'cancelled accepted',
      ],
      [
        '190102, and tracking shows the void',
        { cancel: [upsError('190102')], track: [upsParcel({ type: 'M', code: 'VP' }, UPS_LABEL)] },
        'cancelled accepted',
      ],
      [
        '190102, and tracking shows the void after a while',
        { cancel: [upsError('190102')], track: [UPS_NOT_FOUND, UPS_NOT_FOUND, upsParcel({ type: 'MV' })] },
        'cancelled accepted',
      ],
      [
        '190102, and the parcel is scanned',
        { cancel: [upsError('190102')], track: [upsParcel({ type: 'P' }, UPS_LABEL)] },
        'booked refused',
      ],
      [
        '190102, and UPS only has the label',
        { cancel: [upsError('190102')], track: [upsParcel(UPS_LABEL)] },
        'booked refused',
      ],
      [
        'rejected credentials',
        { cancel: [{ status: 403, body: { response: { errors: [{ code: '250003' }] } } }], track: ['cut'] },
        'booked pending',
      ],
    ],
  ],
  fedex: [
    FEDEX_ID,
    [
      [
        'already deleted',
        { cancel: [fedexError(400, 'CANCELSHIPMENT.TRACKINGNUMBER.DELETED')], track: ['cut'] },
        'cancelled accepted',
      ],
      [
        'a 404, and tracking shows the cancellation',
        { cancel: [fedexError(404, 'NOT.FOUND.ERROR')], track: [fedexEvents('CA', 'OC')] },
        'cancelled accepted',
      ],
      [
        'a 404, and tracking shows the cancellation after a while',
        {
          cancel: [fedexError(404, 'NOT.FOUND.ERROR')],
          track: [FEDEX_NOT_FOUND, { status: 503 }, fedexEvents('CA', 'OC')],
        },
        'cancelled accepted',
      ],
      [
        'a 404, and FedEx only has the label',
        { cancel: [fedexError(404, 'NOT.FOUND.ERROR')], track: [fedexEvents('OC')] },
        'booked refused',
      ],
      [
        'a 404, and tracking never finds the number',
        { cancel: [fedexError(404, 'NOT.FOUND.ERROR')], track: [FEDEX_NOT_FOUND] },
        'booked pending',
      ],
      [
        'not cancelled, and the parcel is scanned',
        {
          cancel: [{ status: 200, body: { output: { cancelledShipment: false } } }],
          track: [fedexEvents('PU', 'OC')],
        },
        'booked refused',
      ],
    ],
  ],
  'gls-shipit': [
    GLS_ID,
    [
      [
        'an id that no longer exists',
        { cancel: [GLS_NO_SUCH_ID], track: [GLS_NOT_LISTED] },
        'cancelled accepted',
      ],
      [
        'a 500, and the parcel is not listed on the first days',
        { cancel: [{ status: 500 }], track: [GLS_NOT_LISTED], roundMs: 4 * HOUR_MS },
        'booked pending',
      ],
      [
        'a 500, and the parcel is not listed after its end of day',
        { cancel: [{ status: 500 }], track: [GLS_NOT_LISTED], roundMs: 6 * HOUR_MS },
        'cancelled accepted',
      ],
      [
        'a 500, and the parcel is scanned on the next day',
        {
          cancel: [{ status: 500 }],
          track: [GLS_NOT_LISTED, GLS_ANNOUNCED, GLS_SCANNED],
          roundMs: 6 * HOUR_MS,
        },
        'booked refused',
      ],
      [
        'a 500, and tracking is unavailable',
        { cancel: [{ status: 500 }], track: [{ status: 503 }], roundMs: 6 * HOUR_MS },
        'booked pending',
      ],
    ],
  ],
}

describe.each(Object.entries(SEQUENCES))('%s, after a lost reply', (connector, [carrierRef, cases]) => {
  test.each(cases)('%s', async (_name, sequence, end) => {
    const states = await play(connector as Connector, carrierRef, sequence)
    expect(states.at(-1)).toBe(end)
    // A final state does not change any more.
    const first = states.findIndex((state) => !state.endsWith('pending'))
    if (first >= 0) expect(new Set(states.slice(first))).toEqual(new Set([end]))
  })
})
