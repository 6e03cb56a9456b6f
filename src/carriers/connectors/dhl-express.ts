/**
 * DHL Express (MyDHL API). It cancels pick-ups but not shipments, so an unscanned shipment is released.
 *
 * Tracking may have no data about a label that nobody has scanned. Then the image of its waybill proves that DHL has
 * issued it. See docs/decisions/shipments.md#d208.
 *
 * Sources: DHL's specification "DHL Express APIs (MyDHL API)" 3.1.1 and its list of Express checkpoints, copies read in
 * November 2026. Not tested with the live interface. Authentication: HTTP Basic.
 */
import {
  ACCEPTED,
  basicAuthorization,
  type CancelRequest,
  type CarrierRequest,
  type CarrierTrackAnswer,
  type CheckAnswer,
  type Conversation,
  credentialFault,
  defineConnector,
  type Existence,
  type HttpReply,
  listAt,
  type NoData,
  orUnknown,
  type ParcelEvent,
  parcelStateOf,
  reportsError,
  textAt,
  unknown,
  unknownReply,
  utcTime,
  valueAt,
} from './define/api.ts'

/**
 * Checkpoints that prove a scan. Checkpoints about documents, payments and orders (AD, BN, BR, CD, CR, CS, HP, IC, OH,
 * RR, SC, SS, UD) are not listed. They may occur before DHL has the parcel, so they are unclear. An announced shipment
 * has no checkpoints.
 */
const SCANS = new Set([
  'PU', // picked up
  'SA', // accepted
  'PL', // processed at a location
  'AF', // arrived at a facility
  'DF', // left a facility
  'AR', // arrived at the delivery facility
  'WC', // with the courier
  'PD', // delivered in part
  'ND', // not delivered
  'NH', // nobody home
  'CA', // closed on arrival
  'BA', // bad address
  'CM', // consignee moved
  'RD', // refused
  'RT', // returned
  'CC', // awaits collection
  'FD', // forwarded
  'TP', // handed to a third party
  'TR', // transferred
  'MC', // miscoded
  'MS', // missorted
  'MD', // missed the delivery cycle
  'DS', // destroyed
])

const DELIVERIES = new Set([
  'OK', // delivered
  'DD', // delivered damaged
])

/** "Interface version - do not change this field value". Source: specification 3.1.1, where it is the default. */
const INTERFACE_VERSION = '3.1.0'

/** Without the last parameter, the checkpoints have no `GMTOffset`. */
const TRACKING_QUERY = 'trackingView=all-checkpoints&levelOfDetail=all&requestGMTOffsetPerEvent=true'

/** `shipperAccountNumber`: the number of the account that the labels are billed to; not a secret. */
export const dhlExpress = defineConnector({
  apiVersion: 1,
  name: 'dhl-express',
  settings: { user: {}, password: {}, shipperAccountNumber: { required: false } },
  hosts: { live: 'https://express.api.dhl.com/mydhlapi', test: ['express.api.dhl.com/mydhlapi/test'] },
  cancels: 'shipment',
  tracking: { tellsDeliveries: true },
  trackingNumber: { pattern: /^\d{10}$/, mustBe: '10 digits' },
  headers: ({ user = '', password = '' }) => ({
    authorization: basicAuthorization(user, password),
    'x-version': INTERFACE_VERSION,
  }),
  cancel: { release: { exists: waybillOf } },
  track: {
    request: ({ carrierRef }) => trackingOf(carrierRef),
    answers: 'all',
    judge: (reply, { carrierRef }) =>
      isNotFound(reply, NO_TRACKING_DATA) ? NO_DATA : judgeTracking(reply, carrierRef),
  },
  check: { request: () => trackingOf(NO_SHIPMENT), answers: 'all', judge: checkAnswer },
})

function trackingOf(carrierRef: string): CarrierRequest {
  return { method: 'GET', path: `/shipments/${encodeURIComponent(carrierRef)}/tracking?${TRACKING_QUERY}` }
}

async function waybillOf(
  { carrierRef }: CancelRequest,
  { settings, send }: Conversation,
): Promise<Existence> {
  const { shipperAccountNumber } = settings
  if (shipperAccountNumber === undefined) return 'not proven'
  const lookUp = async (pickupYearAndMonth: string): Promise<Existence> => {
    const path = `/shipments/${encodeURIComponent(carrierRef)}/get-image`
    const query = { shipperAccountNumber, typeCode: 'waybill', pickupYearAndMonth }
    const request = { method: 'GET', path, query, replyMaxBytes: WAYBILL_MAX_BYTES } as const
    return judgeWaybill(await send(request, { limitMs: WAYBILL_LIMIT_MS }), carrierRef)
  }
  return orUnknown('waybill', async () => {
    const found = await Promise.all(pickupMonths(Date.now()).map(lookUp))
    if (found.includes('proven')) return 'proven'
    return found.find((existence) => existence !== 'not proven') ?? 'not proven'
  })
}

/** The format of a tracking number. */
const NO_SHIPMENT = '0000000000'

function checkAnswer(reply: HttpReply): CheckAnswer {
  if (isNotFound(reply, NO_TRACKING_DATA)) return ACCEPTED
  const isList = reply.status === 200 && Array.isArray(valueAt(reply.json, 'shipments'))
  return isList ? ACCEPTED : (credentialFault(reply) ?? unknownReply(reply))
}

const NO_DATA: NoData = { kind: 'no_data', cause: 'not known to DHL Express yet' }
/** For a wrong number, and for a label that nobody has scanned. */
const NO_TRACKING_DATA = /\b(?:no|not) (?:data|shipments?) found/i
/** "1504: No document images found for the provided search criteria." */
const NO_IMAGES = /\bno document images? found/i

/** DHL's own 404 with this text. */
function isNotFound({ status, json }: HttpReply, text: RegExp): boolean {
  const texts = [textAt(json, 'detail'), textAt(json, 'title')]
  return (
    status === 404 && String(valueAt(json, 'status')) === '404' && texts.some((own) => text.test(own ?? ''))
  )
}

/** A slow reply must not use up the time of the cancellation. */
const WAYBILL_LIMIT_MS = 4_000
/** The image is encoded as base64. */
const WAYBILL_MAX_BYTES = 2 * 1024 * 1024

const DAY_MS = 86_400_000
/** A label is ordered at most 10 days before its pick-up, and an unused one is rarely older than a month. */
const [PICKUP_AFTER_MS, PICKUP_BEFORE_MS] = [10 * DAY_MS, 31 * DAY_MS]

/**
 * The months in which the pick-up of a label may be planned, as YYYY-MM. An older shipment must not count as unscanned:
 * DHL deletes its checkpoints after some months.
 */
function pickupMonths(nowMs: number): readonly string[] {
  const days = [nowMs - PICKUP_BEFORE_MS, nowMs, nowMs + PICKUP_AFTER_MS]
  return [...new Set(days.map((ms) => new Date(ms).toISOString().slice(0, 7)))]
}

/** The image of this shipment's waybill proves that DHL has issued the label. */
function judgeWaybill(reply: HttpReply, carrierRef: string): Existence {
  const { status, json } = reply
  if (isNotFound(reply, NO_IMAGES)) return 'not proven'
  const doubt = credentialFault(reply) ?? unknownReply(reply)
  const isWaybill = (document: unknown): boolean =>
    textAt(document, NUMBER) === carrierRef &&
    textAt(document, 'typeCode') === 'waybill' &&
    textAt(document, 'content') !== undefined
  const isProof = status === 200 && !reportsError(json) && listAt(json, 'documents').some(isWaybill)
  return isProof ? 'proven' : { ...doubt, cause: `waybill: ${doubt.cause}` }
}

const NUMBER = 'shipmentTrackingNumber'

/**
 * A shipment is announced if the reply contains it with status "Success", and if it and its pieces have no checkpoints.
 */
function judgeTracking(reply: HttpReply, carrierRef: string): CarrierTrackAnswer {
  const { status, json } = reply
  if (status !== 200) return credentialFault(reply) ?? unknownReply(reply)
  if (reportsError(json)) return unknown('HTTP 200 with an error')
  const shipments = listAt(json, 'shipments').filter((shipment) => textAt(shipment, NUMBER) === carrierRef)
  const [shipment] = shipments
  if (shipments.length !== 1) return unknown(`${shipments.length} shipments with this number`)
  const events = valueAt(shipment, 'events')
  if (valueAt(shipment, 'status') !== 'Success' || !Array.isArray(events))
    return unknown('no list of checkpoints')
  const pieces = listAt(shipment, 'pieces')
  const hasOthers = pieces.some((piece) => (textAt(piece, NUMBER) ?? carrierRef) !== carrierRef)
  if (hasOthers) return unknown('a piece of another shipment')
  const all = [...events, ...pieces.flatMap((piece) => listAt(piece, 'events'))].map(eventOf)
  if (all.length > 0) return parcelStateOf(all)
  return hasAllPieces(shipment)
    ? { kind: 'announced' }
    : unknown('the checkpoints of some pieces are missing')
}

/** True if the reply has the checkpoints of every piece. For a shipment with one piece, its own checkpoints suffice. */
function hasAllPieces(shipment: unknown): boolean {
  const pieces = valueAt(shipment, 'pieces')
  const count = valueAt(shipment, 'numberOfPieces') ?? 1
  if (pieces === undefined) return count === 1
  return (
    Array.isArray(pieces) &&
    pieces.every((piece) => Array.isArray(valueAt(piece, 'events') ?? [])) &&
    typeof count === 'number' &&
    pieces.length >= count
  )
}

/** DHL sends local dates and times with an offset. Without one they count as UTC, which is wrong by up to 14 hours. */
function eventOf(event: unknown): ParcelEvent {
  const code = textAt(event, 'typeCode') ?? ''
  const local = `${textAt(event, 'date') ?? ''}T${textAt(event, 'time') ?? ''}${textAt(event, 'GMTOffset') ?? ''}`
  const meaning = DELIVERIES.has(code) ? 'delivery' : SCANS.has(code) ? 'scan' : 'unclear'
  return { meaning, code, at: utcTime(local) }
}
