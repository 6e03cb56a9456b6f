/**
 * Replies that no carrier documents but any may send: contradictory bodies, other spellings and types, HTML, empty
 * lists, and errors of proxies. Each judgement is `cancelled` or `refused` only if the reply leaves no doubt.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ConnectorName } from '../../../src/core/connector-names.ts'
import {
  type Fixture,
  type FixtureServer,
  type Judgement,
  type Reply,
  startFixtureServer,
} from './contract.ts'
import { CONTRACTS } from './contracts.ts'

let server: FixtureServer
beforeAll(async () => {
  server = await startFixtureServer(CONTRACTS)
})
afterAll(() => server.close())

type Case = readonly [name: string, reply: Reply, judgement: Judgement, more?: Partial<Fixture>]

const BUILT = { source: 'built', commit: '-', path: '-', kind: 'built' }

const HTML = '<html><body>Your request could not be processed</body></html>'
/** Replies that mean nothing at any carrier. */
const MEANINGLESS: readonly (readonly [name: string, reply: Reply])[] = [
  ['HTML with 200', { status: 200, body: HTML }],
  ['HTML with 400', { status: 400, body: HTML }],
  ['HTML with 404', { status: 404, body: HTML }],
  ['HTML with 403', { status: 403, body: HTML }],
  ['an empty 200', { status: 200 }],
  ['an empty 204', { status: 204 }],
  ['an empty 400', { status: 400 }],
  ['an empty 404', { status: 404 }],
  ['an empty 410', { status: 410 }],
  ['null', { status: 200, body: 'null' }],
  ['an empty list', { status: 200, body: [] }],
  ['an empty object', { status: 200, body: {} }],
  ['true', { status: 200, body: 'true' }],
  ['a number', { status: 200, body: '1' }],
  ['an empty text', { status: 200, body: '""' }],
  ['a text', { status: 200, body: '"CANCELLED"' }],
  ['a redirect', { status: 302, headers: { location: '/login' } }],
  ['a conflict without a reason', { status: 409 }],
]

const UPS_ID = '1ZISDE016691676846'
const upsResult = (code: unknown, description: string) => ({
  Status: { Code: code, Description: description },
})
const upsVoid = (parts: object) => ({
  status: 200,
  body: {
    VoidShipmentResponse: {
      Response: { ResponseStatus: { Code: '1', Description: 'Success' } },
      SummaryResult: upsResult('1', 'Voided'),
      ...parts,
    },
  },
})
const upsWith = (more: object): Reply => {
  const { status, body } = upsVoid({})
  return { status, body: { ...body, ...more } }
}
const upsAlert = (Alert: unknown) => ({
  Response: { ResponseStatus: { Code: '1', Description: 'Success' }, Alert },
})
const upsPackage = (TrackingNumber: unknown, code: unknown, description: string) => ({
  TrackingNumber,
  ...upsResult(code, description),
})
const upsErrors = (status: number, ...codes: unknown[]) => ({
  status,
  body: { response: { errors: codes.map((code) => ({ code, message: 'text' })) } },
})

const upsTrack = (activity: readonly object[], more: object = {}) => ({
  status: 200,
  body: { trackResponse: { shipment: [{ package: [{ trackingNumber: UPS_ID, activity, ...more }] }] } },
})
const upsActivity = (status: object, gmtTime: string) => ({ status, gmtDate: '20261120', gmtTime })
const LOOKUP = { op: 'track' } as const

const FEDEX_ID = '794953555571'
const fedexErrors = (status: number, ...codes: unknown[]) => ({
  status,
  body: { errors: codes.map((code) => ({ code, message: 'text' })) },
})
const fedexOutput = (output: object, more: object = {}) => ({ status: 200, body: { output, ...more } })
const fedexAlert = (alertType: string) => ({
  cancelledShipment: true,
  alerts: [{ code: 'X', alertType, message: 'text' }],
})
const fedexTrack = (...trackResults: object[]) =>
  fedexOutput({ completeTrackResults: [{ trackingNumber: FEDEX_ID, trackResults }] })
const fedexEvents = (...types: string[]) => ({
  trackingNumberInfo: { trackingNumber: FEDEX_ID },
  scanEvents: types.map((eventType) => ({ eventType, date: '2026-11-20T10:00:00Z' })),
})

const DHL_ID = '00340434292135100056'
const dhlItem = (sstatus: object, shipmentNo: unknown = DHL_ID) => ({ shipmentNo, sstatus })
const dhlItems = (status: number, whole: object, ...items: object[]) => ({
  status,
  body: { status: whole, items },
})
const UNKNOWN_SHIPMENT = {
  title: 'UnknownShipmentNumber',
  statusCode: 204,
  detail: 'Unknown shipment number.',
}
const DHL_OK = { title: 'OK', statusCode: 200 }
const dhlUnknown = dhlItems(400, { title: 'Bad Request', statusCode: 400 }, dhlItem(UNKNOWN_SHIPMENT))
const DHL_NO_ORDER: Reply = {
  status: 404,
  body: { title: 'Not Found', statusCode: 404, detail: 'Shipment not found.' },
}

const NO_MANIFEST: Reply = {
  status: 404,
  body: { title: 'Not Found', statusCode: 404, detail: 'No manifest found.' },
}
const dhlProblem = (status: number, detail: string): Reply => ({
  status,
  body: { title: 'text', statusCode: status, detail },
})
const dhlWithFault: Reply = {
  status: 200,
  body: { status: DHL_OK, items: [dhlItem(DHL_OK)], fault: { faultstring: 'text' } },
}
const dhlTrack = (statusCode: string, service = 'parcel-de'): Reply => {
  const event = { statusCode, timestamp: '2026-11-20T10:00:00Z' }
  return { status: 200, body: { shipments: [{ id: DHL_ID, service, status: event, events: [event] }] } }
}
const dhlManifest = (...items: object[]): Reply => ({ status: 200, body: { status: DHL_OK, items } })

const GLS_ID = 'ZTESTX01'
const gls = (body: object): Reply => ({ status: 200, body })
const NO_SUCH_PARCEL: Reply = {
  status: 400,
  headers: { error: 'INVALID_FIELD_VALUE', message: 'A parcel with the given ID does not exist', args: '[]' },
}
const glsTrack = (parcel: object): Reply => gls({ parcels: [{ requested: GLS_ID, ...parcel }] })
const NOT_LISTED = glsTrack({ errorCode: 'E_404_01', errorMessage: 'Resource Not Found' })

const LISTED_EARLIER = {
  ref: 'ZOTHER01',
  reply: gls({ parcels: [{ requested: 'ZOTHER01', status: 'PREADVICE' }] }),
}

const EXPRESS_ID = '1234567890'
const express = (parts: object): Reply => ({
  status: 200,
  body: {
    shipments: [
      { shipmentTrackingNumber: EXPRESS_ID, status: 'Success', events: [], numberOfPieces: 1, ...parts },
    ],
  },
})

const EXPRESS_NO_DATA: Reply = {
  status: 404,
  body: {
    title: 'Not data found',
    detail: `No Shipments Found for ShipmentTrackingNumber | ${EXPRESS_ID}`,
    status: '404',
  },
}
const expressWaybill = (shipmentTrackingNumber: string): Reply => ({
  status: 200,
  body: {
    documents: [{ shipmentTrackingNumber, typeCode: 'waybill', encodingFormat: 'PDF', content: 'JVBERi0=' }],
  },
})

const DPD_ID = '01234567890123'
const dpd = (LastStatusInfo: unknown, more: object = {}): Reply => ({
  status: 200,
  body: { Ack: true, OrderStatus: { ParcelNo: DPD_ID, LastStatusInfo, StatusInfoContainer: {}, ...more } },
})
const dpdState = (StatusID: string, StatusReached: unknown = true) => ({
  StatusID,
  StatusReached,
  StatusDate: '2026-11-20T09:15:00',
})

/** By connector: the tracking number and the cases. */
const CASES: Readonly<Record<Exclude<ConnectorName, 'sandbox'>, readonly [ref: string, readonly Case[]]>> = {
  ups: [
    UPS_ID,
    [
      [
        'a package with code 01',
        upsVoid({ PackageLevelResults: [upsPackage(UPS_ID, '01', 'Voided')] }),
        'unknown',
      ],
      [
        'a void and errors beside it',
        upsWith({ response: { errors: [{ code: '190101', message: 'text' }] } }),
        'unknown',
      ],
      ['a void and a fault', upsWith({ Fault: { faultcode: 'Client' } }), 'unknown'],
      ['a void and an empty list of errors', upsWith({ response: { errors: [] } }), 'cancelled now'],
      ['a void with an alert that it is too late', upsVoid(upsAlert([{ Code: '190101' }])), 'unknown'],
      [
        'a void with an alert that the pick-up remains',
        upsVoid(upsAlert([{ Code: '190119' }])),
        'cancelled now',
      ],
      ['a void with another alert', upsVoid(upsAlert({ Code: '120900' })), 'cancelled now'],
      ['a refusal with a 404', upsErrors(404, '190101'), 'unknown'],
      ['a refusal with a 401', upsErrors(401, '190101'), 'unknown'],
      ['a blank code', upsErrors(400, ' '), 'unknown'],
      [
        'a lookup with a void and a later scan',
        upsTrack([
          upsActivity({ type: 'I', code: 'DP', statusCode: '005' }, '11:00:00'),
          upsActivity({ type: 'M', code: 'VP' }, '10:00:00'),
        ]),
        'scanned 2026-11-20T11:00:00.000Z',
        LOOKUP,
      ],
      [
        'a lookup with a void and a later label',
        upsTrack([
          upsActivity({ type: 'M', code: 'MP', statusCode: '003' }, '11:00:00'),
          upsActivity({ type: 'M', code: 'VP' }, '10:00:00'),
        ]),
        'unknown',
        LOOKUP,
      ],
      [
        'a lookup whose only sign of a void is the current status',
        upsTrack([upsActivity({ type: 'M', code: 'MP', statusCode: '003' }, '10:00:00')], {
          currentStatus: { code: '007', description: 'Shipment Voided' },
        }),
        'cancelled',
        LOOKUP,
      ],
      ['a lookup without activities', upsTrack([]), 'unknown', LOOKUP],
      [
        'a lookup with an error beside the parcel',
        {
          status: 200,
          body: {
            ...upsTrack([upsActivity({ type: 'MV' }, '10:00:00')]).body,
            response: { errors: [{ code: '1' }] },
          },
        },
        'unknown',
        LOOKUP,
      ],
    ],
  ],
  fedex: [
    FEDEX_ID,
    [
      ['true and errors as an object', fedexOutput({ cancelledShipment: true }, { errors: {} }), 'unknown'],
      ['true and a fault', fedexOutput({ cancelledShipment: true }, { fault: { code: 'X' } }), 'unknown'],
      ['true with an alert of type ERROR', fedexOutput(fedexAlert('ERROR')), 'unknown'],
      ['true with alerts as a text', fedexOutput({ cancelledShipment: true, alerts: 'failed' }), 'unknown'],
      [
        'false with a history, for a parcel that is only announced',
        fedexOutput({ cancelledShipment: false, cancelledHistory: true }),
        'unknown',
        { track: fedexTrack(fedexEvents('OC')) },
      ],
      [
        'false with a history at the first send, not found by tracking',
        fedexOutput({ cancelledShipment: false, cancelledHistory: true }),
        'unknown',
        { track: fedexTrack({ error: { code: 'TRACKING.TRACKINGNUMBER.NOTFOUND' } }) },
      ],
      [
        'false with a history at the second send, not found by tracking',
        fedexOutput({ cancelledShipment: false, cancelledHistory: true }),
        'cancelled already',
        { sends: 2, track: fedexTrack({ error: { code: 'TRACKING.TRACKINGNUMBER.NOTFOUND' } }) },
      ],
      ['true with 202', { ...fedexOutput({ cancelledShipment: true }), status: 202 }, 'unknown'],
      [
        'a deleted shipment in lower case',
        fedexErrors(400, 'cancelshipment.trackingnumber.deleted'),
        'unknown',
      ],
      ['an unlisted code', fedexErrors(400, 'SHIPMENT.TENDERED'), 'unknown'],
      [
        'an unlisted code for a parcel that was picked up',
        fedexErrors(400, 'SHIPMENT.TENDERED'),
        'refused SCANNED',
        { track: fedexTrack(fedexEvents('PU', 'OC')) },
      ],
      [
        'an unlisted code for a parcel that tracking shows as cancelled',
        fedexErrors(422, 'INVALID.INPUT.EXCEPTION'),
        'cancelled already',
        { track: fedexTrack(fedexEvents('CA', 'OC')) },
      ],
      [
        'false for a parcel that is only announced',
        fedexOutput({ cancelledShipment: false }),
        'refused NOT_CANCELLABLE',
        { track: fedexTrack(fedexEvents('OC')) },
      ],
      [
        'an unknown number at the second send, not found by tracking',
        fedexErrors(400, 'TRACKINGNUMBER.NOT.FOUND'),
        'unknown',
        { sends: 2, track: fedexTrack({ error: { code: 'TRACKING.TRACKINGNUMBER.NOTFOUND' } }) },
      ],
      [
        'a lookup with a cancellation and an earlier scan',
        fedexTrack(fedexEvents('CA', 'PU', 'OC')),
        'scanned 2026-11-20T10:00:00.000Z',
        LOOKUP,
      ],
      ['a lookup with a label after a cancellation', fedexTrack(fedexEvents('OC', 'CA')), 'unknown', LOOKUP],
      [
        'a lookup with two results that differ',
        fedexTrack(fedexEvents('OC'), fedexEvents('PU')),
        'unknown',
        LOOKUP,
      ],
      ['a lookup with an empty list', fedexTrack(), 'unknown', LOOKUP],
    ],
  ],
  'dhl-parcel-de': [
    DHL_ID,
    [
      [
        'item OK under a whole "Bad Request"',
        dhlItems(207, { title: 'Bad Request', statusCode: 400 }, dhlItem(DHL_OK)),
        'unknown',
      ],
      [
        'item OK under a whole with code "400" as a text',
        dhlItems(207, { title: 'Bad Request', statusCode: '400' }, dhlItem(DHL_OK)),
        'unknown',
      ],
      ['item OK with HTTP 400', dhlItems(400, { statusCode: 400 }, dhlItem(DHL_OK)), 'unknown'],
      [
        'item OK with an error text',
        dhlItems(200, DHL_OK, dhlItem({ ...UNKNOWN_SHIPMENT, statusCode: 200 })),
        'unknown',
      ],
      [
        'two items for one order',
        dhlItems(207, DHL_OK, dhlItem(DHL_OK), dhlItem(UNKNOWN_SHIPMENT)),
        'unknown',
      ],
      [
        'an item for another order',
        dhlItems(200, DHL_OK, dhlItem(DHL_OK, '00340434292135100063')),
        'unknown',
      ],
      ['an empty list of items', dhlItems(200, DHL_OK), 'unknown'],
      [
        '204 with another title',
        dhlItems(400, { statusCode: 400 }, dhlItem({ title: 'OK', statusCode: 204 })),
        'unknown',
      ],
      [
        'two codes that differ',
        dhlItems(200, DHL_OK, dhlItem({ title: 'OK', status: 200, statusCode: 400 })),
        'unknown',
      ],
      [
        'the second send: unknown, and the order lookup does not find it',
        dhlUnknown,
        'cancelled already',
        { sends: 2, orders: DHL_NO_ORDER, manifests: NO_MANIFEST, track: { status: 404 } },
      ],
      [
        'the second send: unknown, and the manifest lists it',
        dhlUnknown,
        'refused WINDOW_CLOSED',
        {
          sends: 2,
          orders: DHL_NO_ORDER,
          manifests: dhlManifest({ shipmentNo: DHL_ID, sheetNo: '1' }),
          track: { status: 404 },
        },
      ],
      [
        'the second send: unknown, and the manifests list other orders',
        dhlUnknown,
        'cancelled already',
        {
          ...{ sends: 2, ageMs: 172_800_000, orders: DHL_NO_ORDER, track: { status: 404 } },
          manifests: dhlManifest({ shipmentNo: '00340434292135100063', sheetNo: '1' }),
        },
      ],
      [
        'the second send: unknown, and the manifest is that of a proxy',
        dhlUnknown,
        'unknown',
        { sends: 2, orders: DHL_NO_ORDER, manifests: { status: 404, body: HTML }, track: { status: 404 } },
      ],
      [
        'the second send: unknown, and the manifest is unavailable',
        dhlUnknown,
        'unknown',
        { sends: 2, orders: DHL_NO_ORDER, track: { status: 404 } },
      ],
      [
        'the second send: unknown, and tracking announces the parcel on the next day',
        dhlUnknown,
        'unknown',
        {
          ...{ sends: 2, ageMs: 86_400_000, orders: DHL_NO_ORDER, manifests: NO_MANIFEST },
          track: dhlTrack('pre-transit'),
        },
      ],
      ['a conflict with a message', dhlProblem(409, 'Request is already being processed.'), 'unknown'],
      ['a page of a firewall', dhlProblem(451, 'Blocked'), 'unknown'],
      [
        'item OK and "0 von 1"',
        dhlItems(200, { ...DHL_OK, detail: '0 von 1 Sendung storniert' }, dhlItem(DHL_OK)),
        'unknown',
      ],
      ['item OK of a reply with a fault', dhlWithFault, 'unknown'],
      ['item with a conflict', dhlItems(207, DHL_OK, dhlItem({ title: 'Conflict', status: 409 })), 'unknown'],
      ['a lookup of another division', dhlTrack('transit', 'express'), 'unknown', LOOKUP],
      [
        'a lookup of this division',
        dhlTrack('transit', 'parcel-de'),
        'scanned 2026-11-20T10:00:00.000Z',
        LOOKUP,
      ],
      [
        'the second send: unknown, and the order lookup sends HTML',
        dhlUnknown,
        'unknown',
        { sends: 2, orders: { status: 404, body: HTML }, track: { status: 404 } },
      ],
      [
        'the second send: unknown, and the order lookup fails',
        dhlUnknown,
        'unknown',
        { sends: 2, orders: { status: 401 }, track: { status: 404 } },
      ],
      [
        'the second send: unknown, and the order lookup finds another order',
        dhlUnknown,
        'unknown',
        { sends: 2, orders: dhlItems(200, DHL_OK, dhlItem(DHL_OK, '1')), track: { status: 404 } },
      ],
      [
        'the second send: unknown, and the order is there',
        dhlUnknown,
        'unknown',
        { sends: 2, orders: dhlItems(200, DHL_OK, dhlItem(DHL_OK)), track: { status: 404 } },
      ],
    ],
  ],
  'gls-shipit': [
    GLS_ID,
    [
      [
        'CANCELLED with an error in the headers',
        { ...gls({ TrackID: GLS_ID, result: 'CANCELLED' }), headers: { error: 'INTERNAL_ERROR' } },
        'unknown',
      ],
      [
        'CANCELLED with an error in the body',
        gls({ TrackID: GLS_ID, result: 'CANCELLED', errors: [{ code: 'E_500' }] }),
        'unknown',
      ],
      ['a result in lower case', gls({ TrackID: GLS_ID, result: 'cancelled' }), 'unknown'],
      ['an undocumented fault', { status: 400, headers: { error: 'NEW', message: 'text' } }, 'unknown'],
      [
        'the second send: 500, and the parcel is scanned',
        { status: 500 },
        'refused SCANNED',
        {
          sends: 2,
          track: glsTrack({
            status: 'INTRANSIT',
            events: [{ code: 'INTIAL.NORMAL', eventDateTime: '2026-11-20T10:00:00+0100' }],
          }),
        },
      ],
      [
        'the second send: 500, and tracking lists another parcel',
        { status: 500 },
        'unknown',
        { sends: 2, track: gls({ parcels: [{ requested: 'ZTESTX02', status: 'CANCELED' }] }) },
      ],
      [
        'the second send: 500, not listed on the first day',
        { status: 500 },
        'unknown',
        { sends: 2, track: NOT_LISTED },
      ],
      [
        'the second send: unknown id, not listed, and tracking never listed a parcel',
        NO_SUCH_PARCEL,
        'unknown',
        { sends: 2, track: NOT_LISTED },
      ],
      [
        'the second send: unknown id, not listed, and tracking listed another parcel',
        NO_SUCH_PARCEL,
        'cancelled already',
        { sends: 2, track: NOT_LISTED, earlier: LISTED_EARLIER },
      ],
      [
        'days later: 500 with an internal error, not listed',
        { status: 500, headers: { error: 'INTERNAL_ERROR' } },
        'unknown',
        { sends: 9, ageMs: 864_000_000, track: NOT_LISTED, earlier: LISTED_EARLIER },
      ],
      [
        'days later: 500 with a body, not listed',
        { status: 500, body: { message: 'Internal Server Error' } },
        'unknown',
        { sends: 9, ageMs: 864_000_000, track: NOT_LISTED, earlier: LISTED_EARLIER },
      ],
      [
        'days later: an empty 500, not listed',
        { status: 500 },
        'cancelled already',
        { sends: 9, ageMs: 864_000_000, track: NOT_LISTED, earlier: LISTED_EARLIER },
      ],
      ['the second send: 502, not listed', { status: 502 }, 'unknown', { sends: 2, track: NOT_LISTED }],
      [
        'the second send: unknown id, and tracking fails',
        NO_SUCH_PARCEL,
        'unknown',
        { sends: 2, track: { status: 429 } },
      ],
      [
        'a lookup of a cancelled parcel with a scan',
        glsTrack({
          status: 'CANCELED',
          events: [{ code: 'INBOUD.NORMAL', eventDateTime: '2026-11-20T10:00:00+0100' }],
        }),
        'scanned 2026-11-20T09:00:00.000Z',
        LOOKUP,
      ],
      [
        'a lookup with a state in lower case',
        glsTrack({ status: 'canceled', events: [] }),
        'unknown',
        LOOKUP,
      ],
      [
        'a lookup with an error and a state',
        glsTrack({ status: 'CANCELED', errorCode: 'E_500_01', events: [] }),
        'unknown',
        LOOKUP,
      ],
    ],
  ],
  'dhl-express': [
    EXPRESS_ID,
    [
      ['events as an object', express({ events: {} }), 'unknown'],
      ['no events field', express({ events: undefined }), 'unknown'],
      ['another status', express({ status: 'Failure' }), 'unknown'],
      [
        'two shipments with the number',
        {
          status: 200,
          body: {
            shipments: [1, 2].map(() => ({
              shipmentTrackingNumber: EXPRESS_ID,
              status: 'Success',
              events: [],
            })),
          },
        },
        'unknown',
      ],
      ['another shipment', express({ shipmentTrackingNumber: '1234567891' }), 'unknown'],
      [
        'an unlisted checkpoint',
        express({ events: [{ typeCode: 'ZZ', date: '2026-11-20', time: '10:00:00' }] }),
        'unknown',
      ],
      ['a checkpoint without a time', express({ events: [{ typeCode: 'PU' }] }), 'unknown'],
      ['pieces as a text', express({ pieces: 'none' }), 'unknown'],
      ['a 404 of a proxy', { status: 404, body: { message: 'no route' } }, 'unknown'],
      ['no data about a label', EXPRESS_NO_DATA, 'unknown'],
      [
        'no data about a label whose waybill exists',
        EXPRESS_NO_DATA,
        'cancelled released',
        { image: expressWaybill(EXPRESS_ID) },
      ],
      [
        'no data about a label, and the waybill of another one',
        EXPRESS_NO_DATA,
        'unknown',
        { image: expressWaybill('1234567891') },
      ],
      [
        'an unscanned shipment with an error beside it',
        {
          status: 200,
          body: {
            shipments: [
              { shipmentTrackingNumber: EXPRESS_ID, status: 'Success', events: [], numberOfPieces: 1 },
            ],
            error: 'x',
          },
        },
        'unknown',
      ],
    ],
  ],
  dpd: [
    DPD_ID,
    [
      ['data transmitted', dpd(dpdState('DATA_TRANSMITTED')), 'cancelled released'],
      [
        'data transmitted, without milestones',
        dpd(dpdState('DATA_TRANSMITTED'), { StatusInfoContainer: undefined }),
        'unknown',
      ],
      [
        'data transmitted, with milestones as a list',
        dpd(dpdState('DATA_TRANSMITTED'), { StatusInfoContainer: [] }),
        'unknown',
      ],
      [
        'data transmitted, and an unlisted milestone is reached',
        dpd(dpdState('DATA_TRANSMITTED'), { StatusInfoContainer: { ParcelShop: dpdState('AT_PARCELSHOP') } }),
        'unknown',
      ],
      [
        'data transmitted, and an unlisted milestone is ahead',
        dpd(dpdState('DATA_TRANSMITTED'), {
          StatusInfoContainer: { ParcelShop: dpdState('AT_PARCELSHOP', false) },
        }),
        'cancelled released',
      ],
      [
        'data transmitted, acknowledged with an error',
        {
          status: 200,
          body: {
            Ack: true,
            ErrorDataList: [{ ErrorID: 1 }],
            OrderStatus: {
              ParcelNo: DPD_ID,
              LastStatusInfo: dpdState('DATA_TRANSMITTED'),
              StatusInfoContainer: {},
            },
          },
        },
        'unknown',
      ],
      ['handed to DPD', dpd(dpdState('ACCEPTED')), 'unknown'],
      ['delivered, not reached yet', dpd(dpdState('DELIVERED', false)), 'unknown'],
      [
        'data transmitted, on the road',
        dpd(dpdState('DATA_TRANSMITTED'), { StatusInfoContainer: { OnTheRoad: dpdState('ON_THE_ROAD') } }),
        'refused SCANNED',
      ],
      [
        'data transmitted, with an unreadable milestone',
        dpd(dpdState('DATA_TRANSMITTED'), { StatusInfoContainer: { Delivered: 'yes' } }),
        'unknown',
      ],
      ['no state', dpd(null), 'unknown'],
      [
        'not acknowledged',
        { status: 200, body: { Ack: false, OrderStatus: { ParcelNo: DPD_ID } } },
        'unknown',
      ],
      [
        'acknowledged as a text',
        {
          status: 200,
          body: { Ack: 'true', OrderStatus: { ParcelNo: DPD_ID, LastStatusInfo: dpdState('SHIPMENT') } },
        },
        'unknown',
      ],
      [
        'another parcel',
        {
          status: 200,
          body: {
            Ack: true,
            OrderStatus: { ParcelNo: '01234567890124', LastStatusInfo: dpdState('SHIPMENT') },
          },
        },
        'unknown',
      ],
    ],
  ],
}

describe.each(Object.entries(CASES))('%s judges', (connector, [ref, cases]) => {
  for (const [name, reply, expected, more = {}] of cases)
    test(`${name}: ${expected}`, async () => {
      const fixture: Fixture = { op: 'cancel', ref, sends: 1, ...reply, ...BUILT, ...more }
      expect(await server.judge(connector as keyof typeof CASES, fixture)).toMatchObject({
        judgement: expected,
        unexpected: [],
      })
    })

  // The URL in the settings is wrong.
  for (const op of ['cancel', 'track'] as const)
    test(`a 404 of another server, with an alert: ${op}`, async () => {
      for (const body of [HTML, undefined, { timestamp: '-', status: 404, error: 'Not Found', path: '/x' }]) {
        const fixture: Fixture = { op, ref, sends: 1, status: 404, body, ...BUILT }
        const judged = await server.judge(connector as keyof typeof CASES, fixture)
        expect(judged).toMatchObject({ judgement: 'unknown', alerts: ['CARRIER_CONFIGURATION'] })
      }
    })

  // At a repeated send the parcel is looked up, without success.
  test.each<[sends: number, more: Partial<Fixture>]>([
    [1, {}],
    [3, { ageMs: 864_000_000, track: { status: 404 }, orders: { status: 404 } }],
  ])('replies without a meaning as unknown, at send %i', async (sends, more) => {
    const judged: [string, string][] = []
    for (const [name, reply] of MEANINGLESS) {
      const fixture: Fixture = { op: 'cancel', ref, sends, ...more, ...reply, ...BUILT }
      const { judgement, unexpected } = await server.judge(connector as keyof typeof CASES, fixture)
      if (sends === 1) expect(unexpected, name).toEqual([])
      judged.push([name, judgement])
    }
    expect(judged).toEqual(MEANINGLESS.map(([name]) => [name, 'unknown']))
  })
})
