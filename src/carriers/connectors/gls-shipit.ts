/**
 * GLS ShipIT (ShipIT Farm): cancels a parcel by its TrackID, which is the tracking number, and looks it up in GLS Track
 * And Trace V1.
 *
 * GLS accepts most cancellations and carries them out later. It answers a second call for the same parcel with a 500,
 * so a 500 after a repeated send leads to a lookup. ShipIT sends errors in the response headers `error` and `message`
 * with an empty body; the API gateway in front of it sends them as JSON.
 *
 * Sources: GLS ShipIT REST documentation 5.0.11 of April 2026 (the authoritative one, according to GLS), and the
 * specifications "ShipIT API v1", "Track And Trace V1" 1.0.7 and "Authentication API v2" of the developer portal;
 * copies read in November 2026. Not tested with the live interface.
 */
import type { CarrierCancelAnswer } from '../../core/shipments/cancellation.ts'
import type { RefusalCode } from '../../core/shipments/shipment.ts'
import type { CarrierTrackAnswer } from '../../core/shipments/tracking.ts'
import type { CancelRequest, ConnectorType } from '../connector.ts'
import { at, basicAuthorization, type HttpReply, listAt, textAt } from '../http-exchange.ts'
import { readOAuthToken, tokenSource } from '../token-source.ts'
import { refused, unknown, unknownReply, unlistedError } from './judgement.ts'
import { type EventMeaning, type ParcelEvent, parcelStateOf, utcTime } from './parcel-history.ts'

/** `Result` in the specification, `result` in the documentation. */
const RESULT_FIELDS = ['Result', 'result'] as const

/** "A parcel with the given ID does not exist" (cancelParcelById). */
const NO_SUCH_PARCEL = /given ID does not exist/i

/**
 * Faults that are not about the parcel: no access with these credentials, or a malformed request.
 */
const INCONCLUSIVE_FAULTS = new Set([
  'ACCESS_TO_SHIPPER_DENIED',
  'INSUFFICIENT_PERMISSION',
  'MANDATORY_PARAMETER_NOT_SET',
  'INVALID_FIELD_VALUE',
])

/** HTTP status of GLS for a backend that is switched off. */
const BACKEND_INACTIVE = 490

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
  ['DELIVERED', 'scan'],
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
  ['DELIVD', 'scan'],
])

export const glsShipit: ConnectorType = {
  credentials: ['clientId', 'clientSecret'],
  liveUrl: 'https://api.gls-group.net',
  open({ baseUrl, credentials, tokenLimiter }) {
    const { clientId = '', clientSecret = '' } = credentials
    const tokens = tokenSource(
      {
        method: 'POST',
        url: `${baseUrl}/oauth2/v2/token`,
        headers: {
          authorization: basicAuthorization(clientId, clientSecret),
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: 'grant_type=client_credentials',
      },
      readOAuthToken,
      { limiter: tokenLimiter },
    )

    async function track(carrierRef: string, signal: AbortSignal): Promise<CarrierTrackAnswer> {
      const path = `/track-and-trace-v1/tracking/simple/references/${encodeURIComponent(carrierRef)}`
      const reply = await tokens.send(
        (token) => ({
          method: 'GET',
          url: `${baseUrl}${path}?showEvents=true`,
          headers: { authorization: `Bearer ${token}` },
        }),
        signal,
      )
      return judgeTracking(reply, carrierRef)
    }

    return {
      track,
      async cancel({ carrierRef, sends }: CancelRequest, signal: AbortSignal): Promise<CarrierCancelAnswer> {
        const path = `/shipit-farm/v1/backend/rs/shipments/cancel/${encodeURIComponent(carrierRef)}`
        const reply = await tokens.send(
          (token) => ({
            method: 'POST',
            url: `${baseUrl}${path}`,
            headers: {
              authorization: `Bearer ${token}`,
              accept: 'application/glsVersion1+json, application/json',
              'content-type': 'application/glsVersion1+json',
            },
          }),
          signal,
        )
        if (reply.status === 500 && sends > 1) return afterSecondCall(await track(carrierRef, signal))
        return reply.status === 200 ? judgeResult(reply.json, carrierRef) : judgeFault(reply)
      },
    }
  },
}

function judgeResult(json: unknown, carrierRef: string): CarrierCancelAnswer {
  if (textAt(json, 'TrackID') !== carrierRef) return unknown('HTTP 200 without this parcel')
  const results = RESULT_FIELDS.map((field) => at(json, field)).filter((result) => result !== undefined)
  if (results.length !== 1) return unknown('no single result')
  switch (results[0]) {
    case 'CANCELLED':
      return { kind: 'cancelled', how: 'now' }
    case 'CANCELLATION_PENDING':
      return { kind: 'cancelled', how: 'accepted' }
    case 'SCANNED':
      return refused('SCANNED', 'SCANNED', 'The parcel has been scanned')
    case 'ERROR':
      // GLS documents no reasons: this may be a refusal or a failure of GLS.
      return unknown('ERROR')
    default:
      return unknown('unknown result')
  }
}

function judgeFault(reply: HttpReply): CarrierCancelAnswer {
  const { code, message } = faultOf(reply)
  if (reply.status === BACKEND_INACTIVE) return unknown(`HTTP ${BACKEND_INACTIVE}`)
  const reason = refusalOf(reply.status, code, message)
  if (reason !== undefined) return refused(reason, code ?? '', message ?? '')
  if (code !== undefined && INCONCLUSIVE_FAULTS.has(code)) return unknownReply(reply, code)
  return unlistedError(reply, code, message)
}

type Fault = { readonly code: string | undefined; readonly message: string | undefined }

/** Reads the JSON of the API gateway, or the headers of ShipIT. The header `message` counts only with `error`. */
function faultOf(reply: HttpReply): Fault {
  const [error] = listAt(reply.json, 'errors')
  if (error !== undefined) return { code: textAt(error, 'code'), message: textAt(error, 'message') }
  const code = reply.header('error')
  return { code, message: code === undefined ? undefined : reply.header('message') }
}

function refusalOf(status: number, code: string | undefined, message = ''): RefusalCode | undefined {
  const isUnknown = status === 400 && code === 'INVALID_FIELD_VALUE' && NO_SUCH_PARCEL.test(message)
  return isUnknown ? 'UNKNOWN_PARCEL' : undefined
}

/** "A second call with the same parcel identifier will respond with error 500", so a lookup decides. */
function afterSecondCall(lookup: CarrierTrackAnswer): CarrierCancelAnswer {
  if (lookup.kind === 'cancelled') return { kind: 'cancelled', how: 'already' }
  if (lookup.kind === 'scanned') return refused('SCANNED', lookup.scan.eventId, 'The parcel has been scanned')
  return unknown('HTTP 500, perhaps for a second call')
}

/** GLS finds a parcel only after the end of the day on which it was created, so E_404_01 (unknown) is inconclusive. */
function judgeTracking(reply: HttpReply, carrierRef: string): CarrierTrackAnswer {
  const { status, json } = reply
  if (status !== 200) return unknownReply(reply)
  const parcels = listAt(json, 'parcels').filter((parcel) => textAt(parcel, 'requested') === carrierRef)
  if (parcels.length !== 1) return unknown(`${parcels.length} parcels with this number`)
  const [parcel] = parcels
  if (at(parcel, 'errorCode') !== undefined) return unknown(textAt(parcel, 'errorCode') ?? 'unreadable error')
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
