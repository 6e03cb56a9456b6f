/**
 * GLS ShipIT (ShipIT Farm): cancels a parcel by its TrackID, which is the tracking number, and looks it up in GLS Track
 * And Trace V1.
 *
 * GLS schedules most cancellations and carries them out later. It answers a second call for the same parcel with a 500.
 * Track And Trace lists a parcel only after the end-of-day run that transmits it, so a parcel that was cancelled before
 * is never listed. docs/decisions/shipments.md#d131 explains the judgement of repeated requests. ShipIT sends errors in
 * the response headers `error`, `message` and `args` with an empty body; the API gateway in front of it sends them as
 * JSON.
 *
 * Sources: GLS ShipIT REST documentation 5.0.11 of April 2026 (the authoritative one, according to GLS), operations
 * cancelParcelById and getEndOfDayReport, and the specifications "ShipIT API v1", "Track And Trace V1" 1.0.7 and
 * "Authentication API v2" of the developer portal; copies read in November 2026. Not tested with the live interface.
 */
import {
  ACCEPTED,
  type BatchParcel,
  basicAuthorization,
  type CancelRequest,
  type CarrierCancelAnswer,
  type CarrierRequest,
  type CarrierTrackAnswer,
  type CheckAnswer,
  type Conversation,
  defineConnector,
  type EventMeaning,
  type HttpReply,
  hasContent,
  type LookupInput,
  listAt,
  type ManyTracked,
  type ParcelEvent,
  parcelStateOf,
  refused,
  reportsError,
  type Settings,
  slowRepeatMs,
  textAt,
  type Unknown,
  unknown,
  unknownReply,
  utcTime,
  valueAt,
} from './define/api.ts'

/** `Result` in the specification, `result` in the documentation. */
const RESULT_FIELDS = ['Result', 'result'] as const

/**
 * `TrackID` in the specification and the documentation. Their path parameter is `trackID`, and clients use `trackId`.
 */
const ID_FIELDS = ['TrackID', 'trackID', 'trackId'] as const

const TRACK_ID = /^[0-9A-Z]{8}$/
/** The other number of a parcel. GLS prints both on the label. */
const PARCEL_NUMBER = /^\d{11,12}$/

/** "A parcel with the given ID does not exist" (cancelParcelById). */
const NO_SUCH_PARCEL = /given ID does not exist/i
const NAMED_VALUE = /value (\S+) is not a valid/i

/** Faults of the credentials or of the account. */
const CONFIGURATION_FAULTS = new Set(['ACCESS_TO_SHIPPER_DENIED', 'INSUFFICIENT_PERMISSION'])

/** Track And Trace: "Resource Not Found". */
const NOT_LISTED = 'E_404_01'

const HOUR_MS = 3_600_000
/**
 * The age of an attempt after which the parcel has been transmitted if it exists. GLS runs the end of day at the latest
 * 4 days after the label was created (getEndOfDayReport); one more day for Track And Trace to list the parcel.
 */
const TRANSMITTED_AFTER_MS = 5 * 24 * HOUR_MS

/**
 * These are unclear and not listed: INPICKUP ("will be picked up by a driver", perhaps now), NOTPICKEDUP (by the
 * driver, or by the consignee), FINAL ("history closed"). Source: Track And Trace V1 1.0.7.
 */
const STATE_MEANINGS: ReadonlyMap<string, EventMeaning> = new Map([
  ['PREADVICE', 'announcement'],
  ['PLANNEDPICKUP', 'announcement'],
  ['INTRANSIT', 'scan'],
  ['INWAREHOUSE', 'scan'],
  ['INDELIVERY', 'scan'],
  ['DELIVEREDPS', 'scan'],
  ['DELIVERED', 'delivery'],
  ['NOTDELIVERED', 'scan'],
  ['CANCELED', 'cancellation'],
])

/**
 * By the event's code, or its part before the dot. INTIAL is the spelling of GLS. Source: examples in Track And Trace
 * V1.
 */
const EVENT_MEANINGS: ReadonlyMap<string, EventMeaning> = new Map([
  ['INTIAL.PREADVICE', 'announcement'], // "not yet handed over to GLS"
  ['INTIAL.E48_DATA', 'announcement'], // "provided by the sender for collection"
  ['INTIAL.NORMAL', 'scan'], // "handed over to GLS"
  ['INBOUD', 'scan'],
  ['OUTBOD', 'scan'],
  ['OUTDEL', 'scan'],
  ['DELIVD', 'delivery'],
])

/** `cancel` is a function, because its answer depends on why a lookup settles nothing, and on earlier lookups. */
export const glsShipit = defineConnector({
  apiVersion: 1,
  name: 'gls-shipit',
  settings: { clientId: {}, clientSecret: {} },
  hosts: { live: 'https://api.gls-group.net', test: ['api-sandbox.gls-group.net'] },
  cancels: 'parcel',
  trackingNumber: { pattern: TRACK_ID, mustBe: 'the TrackID: 8 digits or upper-case letters' },
  // "By default, clients are limited to 500 requests per day"; at most 10 references in a request.
  tracking: { tellsDeliveries: true, callsPerDay: 500, batch: 10 },
  token: {
    request: ({ clientId = '', clientSecret = '' }) => ({
      path: '/oauth2/v2/token',
      headers: { authorization: basicAuthorization(clientId, clientSecret) },
      body: 'grant_type=client_credentials',
    }),
  },
  headers: (_, token) => ({ authorization: `Bearer ${token}` }),
  cancel,
  track,
  trackMany,
  check: { request: () => lookupOf([NO_PARCEL]), answers: 'all', judge: checkAnswer },
})

function lookupOf(references: readonly string[]): CarrierRequest {
  const path = references.map(encodeURIComponent).join(',')
  return { method: 'GET', path: `/track-and-trace-v1/tracking/simple/references/${path}?showEvents=true` }
}

/**
 * The sets of credentials for which Track And Trace has listed a parcel since the start. Without the shipper's parcels,
 * an app would answer for every parcel that it is not listed.
 */
const LISTING = new WeakSet<Settings>()

async function lookUp(references: readonly string[], { settings, send }: Conversation): Promise<ManyTracked> {
  const tracked = judgeMany(await send(lookupOf(references)), references)
  const hasListed =
    tracked.kind === 'tracked' && [...tracked.parcels.values()].some(({ kind }) => kind !== 'unknown')
  if (hasListed) LISTING.add(settings)
  return tracked
}

async function track({ carrierRef }: LookupInput, conversation: Conversation): Promise<CarrierTrackAnswer> {
  const tracked = await lookUp([carrierRef], conversation)
  if (tracked.kind === 'unknown') return tracked
  return tracked.parcels.get(carrierRef) ?? unknown('no parcel with this number')
}

async function trackMany(parcels: readonly BatchParcel[], conversation: Conversation): Promise<ManyTracked> {
  // A comma would separate two numbers.
  const references = parcels.map(({ carrierRef }) => carrierRef).filter((text) => !text.includes(','))
  return references.length === 0 ? { kind: 'tracked', parcels: new Map() } : lookUp(references, conversation)
}

async function cancel(request: CancelRequest, conversation: Conversation): Promise<CarrierCancelAnswer> {
  const { carrierRef, sends } = request
  const reply = await conversation.send({
    method: 'POST',
    path: `/shipit-farm/v1/backend/rs/shipments/cancel/${encodeURIComponent(carrierRef)}`,
    headers: {
      accept: 'application/glsVersion1+json, application/json',
      'content-type': 'application/glsVersion1+json',
    },
  })
  const answer = reply.status === 200 ? judgeResult(reply, carrierRef) : judgeFault(reply, carrierRef)
  if (sends === 1 || !mayFollowCancellation(reply, answer)) return answer
  const lookup = await track(request, conversation)
  return afterRepeat(request, answer, lookup, whyNoEvidence(reply, LISTING.has(conversation.settings)))
}

/** ShipIT and its gateway report errors in a header or in the body. A result beside it is a contradiction. */
function judgeResult({ json, header }: HttpReply, carrierRef: string): CarrierCancelAnswer {
  if (header('error') !== undefined || reportsError(json)) return unknown('HTTP 200 with an error')
  const id = textIn(json, ID_FIELDS)
  if (id === undefined || !isSameParcel(id, carrierRef)) return unknown('HTTP 200 without this parcel')
  switch (textIn(json, RESULT_FIELDS)) {
    case 'CANCELLED':
      return { kind: 'cancelled', how: 'now' }
    case 'CANCELLATION_PENDING':
      return { kind: 'cancelled', how: 'accepted' }
    case 'SCANNED':
      return refused('SCANNED', 'SCANNED', 'The parcel has been scanned')
    case 'ERROR':
      // GLS documents no reasons: this may be a refusal or a failure of GLS.
      return unknown(ERROR_RESULT)
    case undefined:
      return unknown('no single result')
    default:
      return unknown('unknown result')
  }
}

const ERROR_RESULT = 'result ERROR'

/** The text of a field with several spellings; undefined if it is missing, unreadable, or has two values. */
function textIn(json: unknown, spellings: readonly string[]): string | undefined {
  const values = spellings
    .filter((field) => valueAt(json, field) !== undefined)
    .map((field) => textAt(json, field))
  return new Set(values).size === 1 ? values[0] : undefined
}

/** GLS answers with the TrackID, also to a request with the parcel number. */
function isSameParcel(id: string, carrierRef: string): boolean {
  if (id.toUpperCase() === carrierRef.toUpperCase()) return true
  return PARCEL_NUMBER.test(carrierRef) && TRACK_ID.test(id)
}

/** Of the faults that GLS documents, only an unknown TrackID is a refusal. */
function judgeFault(reply: HttpReply, carrierRef: string): CarrierCancelAnswer {
  const { code, message } = faultOf(reply)
  if (reply.status === 400 && code === 'INVALID_FIELD_VALUE' && isNoSuchParcel(message, carrierRef))
    return refused('UNKNOWN_PARCEL', code, message ?? '')
  // Without the message, which may repeat parts of the request.
  const answer = unknownReply(reply, code)
  const isConfiguration = reply.status === 403 || (code !== undefined && CONFIGURATION_FAULTS.has(code))
  return isConfiguration ? { ...answer, configuration: true } : answer
}

type Fault = { readonly code: string | undefined; readonly message: string | undefined }

/** Reads the JSON of the API gateway, or the headers of ShipIT. The other headers count only with `error`. */
function faultOf(reply: HttpReply): Fault {
  const [error] = listAt(reply.json, 'errors')
  if (error !== undefined) return { code: textAt(error, 'code'), message: textAt(error, 'message') }
  const code = reply.header('error')
  if (code === undefined) return { code, message: undefined }
  return { code, message: reply.header('message') ?? reply.header('args') }
}

/** False if the message names another number. */
function isNoSuchParcel(message = '', carrierRef: string): boolean {
  if (!NO_SUCH_PARCEL.test(message)) return false
  const [, named = carrierRef] = NAMED_VALUE.exec(message) ?? []
  return named.toUpperCase() === carrierRef.toUpperCase()
}

/** Whether the reply to a repeated request may mean that an earlier one has cancelled the parcel. */
function mayFollowCancellation({ status }: HttpReply, answer: CarrierCancelAnswer): boolean {
  switch (answer.kind) {
    case 'refused':
      return answer.reason === 'UNKNOWN_PARCEL'
    case 'unknown':
      return status === 500 || answer.cause === ERROR_RESULT
    case 'cancelled':
      return false
  }
}

/** Why it proves nothing that Track And Trace does not list a parcel; undefined if it may. */
function whyNoEvidence({ status, json, header }: HttpReply, hasListed: boolean): string | undefined {
  // The 500 for a second call is empty. One with an error or a page is a failure of GLS.
  const isPage = /html|plain|xml/i.test(header('content-type') ?? '') && header('content-length') !== '0'
  if (status === 500 && (header('error') !== undefined || hasContent(json) || isPage))
    return 'the 500 has contents'
  return hasListed ? undefined : 'tracking has listed no parcel since the start'
}

/**
 * Judges a repeated request by a lookup. If Track And Trace does not list the parcel, it is cancelled in two cases:
 * ShipIT no longer has its TrackID, or GLS would have transmitted it by now. `noEvidence` is why that proves nothing.
 */
function afterRepeat(
  { carrierRef, ageMs }: CancelRequest,
  answer: CarrierCancelAnswer,
  lookup: CarrierTrackAnswer,
  noEvidence: string | undefined,
): CarrierCancelAnswer {
  switch (lookup.kind) {
    case 'cancelled':
      return { kind: 'cancelled', how: 'already' }
    case 'scanned':
      return refused('SCANNED', lookup.scan.eventId, 'The parcel has been scanned')
    case 'announced':
      return repeatLater(answer, 'tracking lists the parcel as announced', ageMs)
    case 'unknown': {
      const isNotListed = lookup.cause === NOT_LISTED && TRACK_ID.test(carrierRef)
      const isDue = isNotListed && (answer.kind === 'refused' || ageMs >= TRANSMITTED_AFTER_MS)
      if (isDue && noEvidence === undefined) return { kind: 'cancelled', how: 'already' }
      const detail = isDue ? `${lookup.cause}, but ${noEvidence}` : lookup.cause
      const later = repeatLater(answer, `tracking: ${detail}`, ageMs)
      return lookup.configuration === true ? { ...later, configuration: true } : later
    }
  }
}

/** Repeats less often than other inconclusive requests, since each repeat costs a lookup. */
function repeatLater(answer: CarrierCancelAnswer, detail: string, ageMs: number): Unknown {
  const cause = answer.kind === 'unknown' ? answer.cause : 'no such parcel'
  return unknown(`${cause} for a repeated request; ${detail}`, {
    ...(answer.kind === 'unknown' && answer.status !== undefined && { status: answer.status }),
    repeatAfterMs: slowRepeatMs(ageMs),
  })
}

function judgeMany(reply: HttpReply, references: readonly string[]): ManyTracked {
  const { code } = faultOf(reply)
  if (reply.status === 403) return { ...unknownReply(reply), configuration: true }
  if (reply.status !== 200) return unknownReply(reply, code)
  if (code !== undefined || reportsError(reply.json)) return unknown('HTTP 200 with an error')
  const parcels = listAt(reply.json, 'parcels')
  return { kind: 'tracked', parcels: new Map(references.map((ref) => [ref, judgeParcel(parcels, ref)])) }
}

/** The format of a TrackID. */
const NO_PARCEL = 'ZZZZZZZZ'

function checkAnswer(reply: HttpReply): CheckAnswer {
  const tracked = judgeMany(reply, [NO_PARCEL])
  if (tracked.kind === 'unknown') return faultOf(reply).code === NOT_LISTED ? ACCEPTED : tracked
  return Array.isArray(valueAt(reply.json, 'parcels'))
    ? ACCEPTED
    : unknown('HTTP 200 without a list of parcels')
}

/** A reference may have several parcels, for example if it is not a parcel number. */
function judgeParcel(parcels: readonly unknown[], carrierRef: string): CarrierTrackAnswer {
  const found = parcels.filter(
    (parcel) => textAt(parcel, 'requested')?.toUpperCase() === carrierRef.toUpperCase(),
  )
  if (found.length !== 1) return unknown(`${found.length} parcels with this number`)
  const [parcel] = found
  if (valueAt(parcel, 'errorCode') !== undefined)
    return unknown(textAt(parcel, 'errorCode') ?? 'unreadable error')
  const state = textAt(parcel, 'status') ?? ''
  return parcelStateOf(listAt(parcel, 'events').map(eventOf), {
    meaning: STATE_MEANINGS.get(state) ?? 'unclear',
    code: state,
    at: utcTime(textAt(parcel, 'statusDateTime')),
  })
}

function eventOf(event: unknown): ParcelEvent {
  const code = textAt(event, 'code') ?? ''
  const family = code.slice(0, Math.max(0, code.indexOf('.')))
  const meaning = EVENT_MEANINGS.get(code) ?? EVENT_MEANINGS.get(family) ?? 'unclear'
  return { meaning, code, at: utcTime(textAt(event, 'eventDateTime')) }
}
