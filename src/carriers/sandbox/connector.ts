/**
 * The connector to the sandbox carrier, which runs in this process or as a separate one. Any program with the same HTTP
 * interface can take its place. A reply that docs/sandbox-carrier.md does not list is `unknown`.
 */
import { parseInstant } from '../../core/input.ts'
import { SERVICES, type Service } from '../../core/rating/sender-service.ts'
import type { BookedNumbers, BookingLookup, CarrierBookAnswer } from '../../core/shipments/booking.ts'
import type { CarrierCancelAnswer } from '../../core/shipments/cancellation.ts'
import type { RefusalCode, Shipment } from '../../core/shipments/shipment.ts'
import type { CarrierTrackAnswer } from '../../core/shipments/tracking.ts'
import type { Connector, ConnectorType } from '../connector.ts'
import {
  ACCEPTED,
  refused,
  type Unknown,
  unknown,
  unknownReply,
  unlistedError,
} from '../connectors/judgement.ts'
import { exchange, type HttpReply, type HttpRequest, textAt, valueAt } from '../http-exchange.ts'
import { type SandboxCarrier, sandboxCarrier } from './carrier.ts'

/** Sends a request to the carrier. Throws if there is no reply. */
export type Exchange = (request: HttpRequest, signal: AbortSignal) => Promise<HttpReply>

const PASSED_ON: ReadonlySet<Service> = new Set(SERVICES)

/** The sandbox as a separate process at a base URL. */
export const sandbox: ConnectorType = {
  credentials: [],
  cancels: 'parcel',
  books: true,
  bookedServices: PASSED_ON,
  liveUrl: 'http://127.0.0.1:4010',
  open: ({ baseUrl }) => sandboxConnector(baseUrl),
}

/** `baseUrl` has no trailing slash. */
export function sandboxConnector(baseUrl: string, send: Exchange = exchange): Connector {
  // Retries once after a 401, like the connectors whose tokens may have expired.
  const ask: Exchange = async (request, signal) => {
    const reply = await send(request, signal)
    if (reply.status !== 401) return reply
    signal.throwIfAborted()
    return send(request, signal)
  }
  const parcels = `${baseUrl}/parcels`
  const lookUp = (carrierRef: string, signal: AbortSignal) =>
    ask({ method: 'GET', url: `${parcels}/${inPath(carrierRef)}` }, signal)
  return {
    async check(signal) {
      const answer = trackAnswer(NO_PARCEL, await lookUp(NO_PARCEL, signal))
      return answer.kind === 'unknown' ? answer : ACCEPTED
    },
    async cancel({ carrierRef, idempotencyKey }, signal) {
      const url = `${parcels}/${inPath(carrierRef)}/cancel`
      const headers = { 'idempotency-key': idempotencyKey }
      return cancelAnswer(carrierRef, await ask({ method: 'POST', url, headers }, signal))
    },
    async track(carrierRef, signal) {
      return trackAnswer(carrierRef, await lookUp(carrierRef, signal))
    },
    bookings: {
      services: PASSED_ON,
      async book(shipment, signal) {
        const headers = { 'idempotency-key': shipment.shipmentId }
        return bookAnswer(
          await ask({ method: 'POST', url: parcels, headers, body: bookingOf(shipment) }, signal),
        )
      },
      async find(shipmentId, signal) {
        return foundBooking(
          await ask({ method: 'GET', url: `${baseUrl}/shipments/${inPath(shipmentId)}` }, signal),
        )
      },
    },
  }
}

/** The sandbox answers for every number. */
const NO_PARCEL = 'waybill-access-test'

/** A connector to a carrier in this process, without a socket. */
export function sandboxInProcess(carrier: SandboxCarrier = sandboxCarrier()): Connector {
  return sandboxConnector('http://sandbox', inProcess(carrier))
}

export function inProcess(carrier: SandboxCarrier): Exchange {
  return async ({ method, url, headers = {}, body = '' }, signal) => {
    signal.throwIfAborted()
    const { pathname: path } = new URL(url)
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const reply = await carrier.answer({ method, path, headers, text }, signal)
    if (reply === 'cut') throw new Error('ECONNRESET')
    return { status: reply.status, json: asReceived(reply.body), header: () => undefined }
  }
}

/** The body as it would arrive over HTTP. */
function asReceived(body: unknown): unknown {
  try {
    return JSON.parse(typeof body === 'string' ? body : JSON.stringify(body))
  } catch {
    return undefined
  }
}

/** `.`, `..` and an empty text cannot be path segments, even percent-encoded. */
function inPath(carrierRef: string): string {
  if (/^\.{0,2}$/.test(carrierRef)) throw new Error('this tracking number cannot be part of a URL')
  return encodeURIComponent(carrierRef)
}

function bookingOf({ shipmentId, from, to, contacts, services, serviceInputs }: Shipment): object {
  return {
    shipmentId,
    from,
    to,
    ...(services !== undefined && { services }),
    ...(serviceInputs !== undefined && { serviceInputs }),
    ...contacts,
  }
}

const REFUSALS: ReadonlyMap<string | undefined, RefusalCode> = new Map([
  ['SCANNED', 'SCANNED'],
  ['WINDOW_CLOSED', 'WINDOW_CLOSED'],
  ['NOT_CANCELLABLE', 'NOT_CANCELLABLE'],
])

/** The status of a final refusal of a cancellation. */
const ABOUT_PARCEL = new Set([409])
/** Statuses about access, load or the URL. */
const NOT_ABOUT_BOOKING = new Set([401, 402, 403, 404, 405, 407, 408, 415, 421, 425, 429])
/** All other 4xx are final refusals of a booking. */
const ABOUT_BOOKING = new Set(
  Array.from({ length: 100 }, (_, index) => 400 + index).filter((status) => !NOT_ABOUT_BOOKING.has(status)),
)

function cancelAnswer(carrierRef: string, reply: HttpReply): CarrierCancelAnswer {
  const { status, json } = reply
  // The reply may omit the number, but must not contain another one.
  if ((valueAt(json, 'trackingNumber') ?? carrierRef) !== carrierRef)
    return unknown('another tracking number')
  const result = valueAt(json, 'status')
  if (status === 200 && result === 'cancelled') return { kind: 'cancelled', how: 'now' }
  if (status === 200 && result === 'already_cancelled') return { kind: 'cancelled', how: 'already' }
  if ((status === 200 || status === 202) && result === 'accepted')
    return { kind: 'cancelled', how: 'accepted' }
  const code = textAt(json, 'code')
  const message = textAt(json, 'message')
  if (status === 404 && code === 'UNKNOWN_PARCEL') return refused('UNKNOWN_PARCEL', code, message ?? '')
  if (status !== 409) return unlisted(reply)
  const reason = REFUSALS.get(code)
  if (code === undefined || reason === undefined) return unlistedError(reply, ABOUT_PARCEL, code, message)
  return refused(reason, code, message ?? '')
}

function trackAnswer(carrierRef: string, reply: HttpReply): CarrierTrackAnswer {
  const { status, json } = reply
  if (status !== 200 || valueAt(json, 'trackingNumber') !== carrierRef) return unlisted(reply)
  switch (valueAt(json, 'status')) {
    case 'announced':
      return { kind: 'announced' }
    case 'cancelled':
      return { kind: 'cancelled' }
    case 'scanned': {
      const scannedAt = scanTime(valueAt(json, 'scannedAt'))
      // The sandbox has one scan per parcel, so the tracking number identifies the scan, even if its time changes.
      return scannedAt === undefined
        ? unlisted(reply)
        : { kind: 'scanned', scan: { eventId: `${carrierRef}/scanned`, at: scannedAt } }
    }
    default:
      return unlisted(reply)
  }
}

/** The time of a scan in UTC; now, if it is missing. Undefined if it is malformed or outside the years 1000 to 2999. */
function scanTime(scannedAt: unknown): string | undefined {
  if (scannedAt === undefined || scannedAt === null) return new Date().toISOString()
  const milliseconds = parseInstant(scannedAt)
  if (milliseconds === undefined) return undefined
  const instant = new Date(milliseconds).toISOString()
  return /^[12]\d{3}-/.test(instant) ? instant : undefined
}

function bookAnswer(reply: HttpReply): CarrierBookAnswer {
  const { status, json } = reply
  const booking = status === 200 || status === 201 ? bookedNumbers(json) : undefined
  if (booking !== undefined) return booking
  const code = textAt(json, 'code')
  if (code === undefined) return unlisted(reply)
  const answer = unlistedError(reply, ABOUT_BOOKING, code, textAt(json, 'message'))
  return answer.kind === 'unknown' ? answer : { kind: 'refused', code, message: answer.message }
}

function foundBooking(reply: HttpReply): BookingLookup {
  const { status, json } = reply
  if (status === 404 && valueAt(json, 'code') === 'NO_BOOKING') return { kind: 'none' }
  return (status === 200 ? bookedNumbers(json) : undefined) ?? unlisted(reply)
}

/** Undefined if the body has no tracking number. */
function bookedNumbers(json: unknown): ({ readonly kind: 'booked' } & BookedNumbers) | Unknown | undefined {
  const carrierRef = textAt(json, 'trackingNumber')
  if (carrierRef === undefined) return undefined
  const numbers = valueAt(json, 'parcelNumbers')
  if (numbers === undefined) return { kind: 'booked', carrierRef }
  return Array.isArray(numbers) && numbers.every((number) => typeof number === 'string')
    ? { kind: 'booked', carrierRef, parcelRefs: numbers }
    : unknown('unreadable parcel numbers')
}

/** A reply that is not documented. */
function unlisted(reply: HttpReply): Unknown {
  return unknownReply(reply, textAt(reply.json, 'code') ?? textAt(reply.json, 'status'))
}
