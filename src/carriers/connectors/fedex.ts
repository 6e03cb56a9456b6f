/**
 * FedEx: cancels shipments and looks parcels up. FedEx reports some successes as errors.
 *
 * Sources, read in November 2026: the specifications of the Ship and Track interfaces of developer.fedex.com
 * (ship-api.json, track.json, tracking status codes; copies in public clients), the Delete Shipment page of the older web
 * services, and public clients for Ship-Common-ErrorMapping.json. Not tested with the live interface. FedEx documents no
 * idempotency keys (`x-customer-transaction-id` only matches replies to requests), so none is sent.
 */
import type { CarrierCancelAnswer } from '../../core/shipments/cancellation.ts'
import type { RefusalCode } from '../../core/shipments/shipment.ts'
import type { CarrierTrackAnswer } from '../../core/shipments/tracking.ts'
import type { CarrierAccess, Connector, ConnectorType } from '../connector.ts'
import { at, type HttpReply, type HttpRequest, listAt, textAt } from '../http-exchange.ts'
import { readOAuthToken, tokenSource } from '../token-source.ts'
import { type CancelErrors, listedErrors, unknown, unknownReply, unlistedError } from './judgement.ts'
import { type EventMeaning, type ParcelEvent, parcelStateOf, utcTime } from './parcel-history.ts'

/**
 * FedEx has separate keys for projects that ship and projects that track. Without `trackClientId` and
 * `trackClientSecret`, `clientId` and `clientSecret` are used for both.
 */
export const fedex: ConnectorType = {
  credentials: ['clientId', 'clientSecret', 'accountNumber'],
  optionalCredentials: ['trackClientId', 'trackClientSecret'],
  liveUrl: 'https://apis.fedex.com',
  trackingNumberFault: (carrierRef) =>
    TRACKING_NUMBER.test(carrierRef) ? undefined : 'has to be 12, 15, 20 or 22 digits',
  open: openFedex,
}

/** 12 digits at FedEx Express and Ground; 15, 20 or 22 at FedEx Ground and Ground Economy. */
const TRACKING_NUMBER = /^(?:\d{12}|\d{15}|\d{20}|\d{22})$/

/** Errors that mean the shipment is cancelled. SHIPMENT.CANCELEDWITHOUTPICKUP.FAILURE is a refusal. */
const CANCELLED: ReadonlyMap<string, 'now' | 'already'> = new Map([
  ['CANCELSHIPMENT.TRACKINGNUMBER.DELETED', 'already'],
  ['MASTERTRACKINGID.TRACKINGNUMBER.CANCELLED', 'already'],
  ['SHIPMENT.CANCELEDWITHOUTPICKUP.SUCCESS', 'now'],
])

/**
 * Final refusals of a cancellation, from Ship-Common-ErrorMapping.json as quoted by public clients. The code for a
 * tendered parcel is not published. It is treated like any unlisted error with a message.
 */
const REFUSALS: ReadonlyMap<string, RefusalCode> = new Map([
  ['TRACKINGIDS.TRACKINGNUMBER.CLOSED', 'WINDOW_CLOSED'], // the shipping day is closed
  ['SHIPMENT.CANCELEDWITHOUTPICKUP.FAILURE', 'NOT_CANCELLABLE'],
])

/**
 * Errors that are inconclusive even in a 400 with a message: those of the gateway (NOT.AUTHORIZED.ERROR,
 * FORBIDDEN.ERROR, NOT.FOUND.ERROR, INTERNAL.SERVER.ERROR, …), the system, the user and the account.
 */
const INCONCLUSIVE = /\.ERROR$|^SYSTEM\.|^SHIPMENT\.USER\.|^ACCOUNT/

const CANCEL_ERRORS: CancelErrors = { cancelled: CANCELLED, refusals: REFUSALS, inconclusive: INCONCLUSIVE }

function openFedex({ baseUrl, credentials, tokenLimiter }: CarrierAccess): Connector {
  const { clientId = '', clientSecret = '', accountNumber = '' } = credentials
  const { trackClientId, trackClientSecret } = credentials
  const tokensOf = (client_id: string, client_secret: string) =>
    tokenSource(
      {
        method: 'POST',
        url: `${baseUrl}/oauth/token`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: `${new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret })}`,
      },
      readOAuthToken,
      { limiter: tokenLimiter },
    )
  const shipTokens = tokensOf(clientId, clientSecret)
  const isOneProject = trackClientId === undefined && trackClientSecret === undefined
  const trackTokens = isOneProject
    ? shipTokens
    : tokensOf(trackClientId ?? clientId, trackClientSecret ?? clientSecret)
  const request = (method: HttpRequest['method'], path: string, body: object) => (token: string) => ({
    method,
    url: `${baseUrl}${path}`,
    headers: { authorization: `Bearer ${token}` },
    body,
  })
  return {
    async cancel({ carrierRef }, signal) {
      const body = {
        accountNumber: { value: accountNumber },
        trackingNumber: carrierRef,
        deletionControl: 'DELETE_ALL_PACKAGES',
      }
      return cancelAnswer(await shipTokens.send(request('PUT', '/ship/v1/shipments/cancel', body), signal))
    },
    async track(carrierRef, signal) {
      const body = {
        includeDetailedScans: true,
        trackingInfo: [{ trackingNumberInfo: { trackingNumber: carrierRef } }],
      }
      return trackAnswer(
        await trackTokens.send(request('POST', '/track/v1/trackingnumbers', body), signal),
        carrierRef,
      )
    },
  }
}

/**
 * A 200 confirms the cancellation only with `cancelledShipment: true` and without errors. It contains no tracking
 * number.
 */
function cancelAnswer(reply: HttpReply): CarrierCancelAnswer {
  const errors = listAt(reply.json, 'errors')
  if (errors.length > 0) return errorAnswer(reply, errors)
  if (reply.status !== 200) return unlistedError(reply, undefined, undefined)
  const isPlain = Array.isArray(at(reply.json, 'errors') ?? [])
  return isPlain && at(reply.json, 'output', 'cancelledShipment') === true
    ? { kind: 'cancelled', how: 'now' }
    : unknown('HTTP 200 without a cancellation')
}

function errorAnswer(reply: HttpReply, errors: readonly unknown[]): CarrierCancelAnswer {
  const codes = errors.map((error) => textAt(error, 'code'))
  const [code] = codes
  const message = textAt(errors[0], 'message')
  const verdict = unlistedError(reply, code, message ?? code)
  // A 200 may contain errors. If another status is not about the parcel, its codes are ignored.
  if (code === undefined || (verdict.kind === 'unknown' && reply.status !== 200)) return verdict
  return listedErrors(reply, codes, message, CANCEL_ERRORS) ?? verdict
}

/** Label created: OC (order created) and its derived status IN (initiated). */
const LABEL_ONLY = new Set(['OC', 'IN'])

/**
 * Events and statuses of a parcel that FedEx or its partner has or had. Not included, because they may precede the
 * pick-up: enroute to or at the pick-up (EP, AP), pick-up delay (PD), vehicle dispatched (DS, DR), forecasts (AO, AE),
 * delays (DY, DD), shipment exception (SE), customs (CC, CD, CP), requests of the receiver (RR, RM, RC), and EA, which
 * means both "enroute to airport" and "export approved".
 */
const IN_FEDEX_HANDS = new Set(
  // Picked up, arrived, departed, in transit, in the air.
  [
    'PU',
    'PX',
    'AR',
    'AF',
    'OF',
    'FD',
    'SF',
    'DP',
    'LO',
    'IT',
    'IX',
    'OW',
    'AA',
    'EO',
    'PF',
    'PL',
    'TR',
  ].concat(
    // At partners, out for delivery, attempted, held for pick-up, delivered, on its way back.
    ['AC', 'AX', 'OD', 'ED', 'AD', 'DE', 'HL', 'HP', 'DL', 'RS'],
  ),
)

/** `derived` is the status that FedEx derives from `code`. Either may be missing. */
function meaningOf(code: string | undefined, derived: string | undefined): EventMeaning {
  const main = (code ?? derived ?? '').toUpperCase()
  const isLabel = derived === undefined || LABEL_ONLY.has(derived)
  if (LABEL_ONLY.has(main)) return isLabel ? 'announcement' : 'unclear'
  if (main === 'CA') return 'cancellation'
  return IN_FEDEX_HANDS.has(main) && derived !== 'IN' ? 'scan' : 'unclear'
}

/**
 * A number that FedEx cannot find is inconclusive: a new label takes up to a day to appear. FedEx reuses numbers; if
 * several shipments have the same one, the right one cannot be identified.
 */
function trackAnswer(reply: HttpReply, carrierRef: string): CarrierTrackAnswer {
  if (reply.status !== 200) return unknownReply(reply)
  const results = listAt(reply.json, 'output', 'completeTrackResults')
    .filter((complete) => textAt(complete, 'trackingNumber') === carrierRef)
    .flatMap((complete) => listAt(complete, 'trackResults'))
  const [result] = results
  if (result === undefined || results.length > 1)
    return unknown(result === undefined ? 'not found' : 'not unique')
  const repeated = textAt(result, 'trackingNumberInfo', 'trackingNumber') ?? carrierRef
  if (at(result, 'error') !== undefined || repeated !== carrierRef)
    return unknown(textAt(result, 'error', 'code') ?? 'not found')
  const status = at(result, 'latestStatusDetail')
  return parcelStateOf(
    listAt(result, 'scanEvents').map(eventOf),
    status === undefined ? undefined : eventOfStatus(status),
  )
}

/** FedEx sends local times with an offset. Some pick-ups of FedEx Ground have no offset; their times count as UTC. */
function eventOf(event: unknown): ParcelEvent {
  const code = textAt(event, 'eventType')
  const derived = textAt(event, 'derivedStatusCode')
  const when = utcTime(textAt(event, 'date'))
  return { meaning: meaningOf(code, derived), code: code ?? derived ?? '', at: when }
}

function eventOfStatus(status: unknown): ParcelEvent {
  const code = textAt(status, 'code')
  const derived = textAt(status, 'derivedCode')
  return { meaning: meaningOf(code, derived), code: code ?? derived ?? '', at: undefined }
}
