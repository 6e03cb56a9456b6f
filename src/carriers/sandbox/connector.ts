/**
 * The connector to a carrier that speaks the sandbox's HTTP script: our own sandbox, in this process or in another
 * one, or anybody's stand-in for a carrier. Decided here: what each of its answers means; an answer that the script
 * does not have is `unknown`. Source: README, "The sandbox carrier".
 */
import type { CarrierBookAnswer } from '../../core/shipments/booking.ts'
import type { CarrierCancelAnswer } from '../../core/shipments/cancellation.ts'
import type { RefusalCode, Shipment } from '../../core/shipments/shipment.ts'
import type { CarrierTrackAnswer } from '../../core/shipments/tracking.ts'
import type { Connector, ConnectorType } from '../connector.ts'
import { refused, type Unknown, unknown, unlistedError } from '../connectors/judgement.ts'
import { at, exchange, type HttpReply, type HttpRequest, textAt } from '../http-exchange.ts'
import { type SandboxCarrier, sandboxCarrier } from './carrier.ts'

/** One request to the carrier and its reply, over HTTP or not. Throws when there is no reply. */
export type Exchange = (request: HttpRequest, signal: AbortSignal) => Promise<HttpReply>

/** The sandbox as configuration meets it: a process of its own at a base URL, without credentials. */
export const sandbox: ConnectorType = {
  credentials: [],
  liveUrl: 'http://127.0.0.1:4010',
  open: ({ baseUrl }) => sandboxConnector(baseUrl),
}

/** A connector to the carrier at `baseUrl`, which has no slash at its end. */
export function sandboxConnector(baseUrl: string, send: Exchange = exchange): Connector {
  // Like the connectors that hold tokens: not let in once may mean that the token was old.
  const ask: Exchange = async (request, signal) => {
    const reply = await send(request, signal)
    if (reply.status !== 401) return reply
    signal.throwIfAborted()
    return send(request, signal)
  }
  const parcels = `${baseUrl}/parcels`
  return {
    async cancel({ carrierRef, idempotencyKey }, signal) {
      const url = `${parcels}/${inPath(carrierRef)}/cancel`
      const headers = { 'idempotency-key': idempotencyKey }
      return cancelAnswer(carrierRef, await ask({ method: 'POST', url, headers }, signal))
    },
    async track(carrierRef, signal) {
      return trackAnswer(
        carrierRef,
        await ask({ method: 'GET', url: `${parcels}/${inPath(carrierRef)}` }, signal),
      )
    },
    async book(shipment, signal) {
      const headers = { 'idempotency-key': shipment.shipmentId }
      return bookAnswer(
        await ask({ method: 'POST', url: parcels, headers, body: bookingOf(shipment) }, signal),
      )
    },
  }
}

/** A connector to a carrier in this process: the same bodies and the same judgement, without a socket between. */
export function sandboxInProcess(carrier: SandboxCarrier = sandboxCarrier()): Connector {
  return sandboxConnector('http://sandbox', inProcess(carrier))
}

/** Exchanges with a carrier in this process; `signal` ends a slow one. */
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

/** What a body is after it went over the wire. */
function asReceived(body: unknown): unknown {
  try {
    return JSON.parse(typeof body === 'string' ? body : JSON.stringify(body))
  } catch {
    return undefined
  }
}

/** A URL takes one dot or two for steps of its path, and nothing for no step at all. */
function inPath(carrierRef: string): string {
  if (/^\.{0,2}$/.test(carrierRef)) throw new Error('no tracking number that a URL can hold')
  return encodeURIComponent(carrierRef)
}

function bookingOf({ shipmentId, from, to }: Shipment): object {
  return { shipmentId, from, to }
}

/** The script's list of final refusals. */
const REFUSALS: ReadonlyMap<string | undefined, RefusalCode> = new Map([
  ['SCANNED', 'SCANNED'],
  ['WINDOW_CLOSED', 'WINDOW_CLOSED'],
  ['NOT_CANCELLABLE', 'NOT_CANCELLABLE'],
])

function cancelAnswer(carrierRef: string, reply: HttpReply): CarrierCancelAnswer {
  const { status, json } = reply
  // The number need not be repeated, but another one is another parcel's.
  if ((at(json, 'trackingNumber') ?? carrierRef) !== carrierRef) return unknown('another tracking number')
  const said = at(json, 'status')
  if (status === 200 && said === 'cancelled') return { kind: 'cancelled', how: 'now' }
  if (status === 200 && said === 'already_cancelled') return { kind: 'cancelled', how: 'already' }
  if ((status === 200 || status === 202) && said === 'accepted') return { kind: 'cancelled', how: 'accepted' }
  const code = textAt(json, 'code')
  const message = textAt(json, 'message')
  if (status === 404 && code === 'UNKNOWN_PARCEL') return refused('UNKNOWN_PARCEL', code, message ?? '')
  if (status !== 409) return unlisted(reply)
  const reason = REFUSALS.get(code)
  if (code === undefined || reason === undefined) return unlistedError(reply, code, message)
  return refused(reason, code, message ?? '')
}

function trackAnswer(carrierRef: string, reply: HttpReply): CarrierTrackAnswer {
  const { status, json } = reply
  if (status !== 200 || at(json, 'trackingNumber') !== carrierRef) return unlisted(reply)
  switch (at(json, 'status')) {
    case 'announced':
      return { kind: 'announced' }
    case 'cancelled':
      return { kind: 'cancelled' }
    case 'scanned': {
      const scannedAt = scanTime(at(json, 'scannedAt'))
      // The script tells of one scan per parcel, so the number names it, whatever its time is said to be.
      return scannedAt === undefined
        ? unlisted(reply)
        : { kind: 'scanned', scan: { eventId: `${carrierRef}/scanned`, at: scannedAt } }
    }
    default:
      return unlisted(reply)
  }
}

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/

/** In UTC; a scan without a time is one that was seen now. Undefined for anything that is no time of our days. */
function scanTime(scannedAt: unknown): string | undefined {
  if (scannedAt === undefined || scannedAt === null) return new Date().toISOString()
  const milliseconds =
    typeof scannedAt === 'string' && INSTANT.test(scannedAt) ? Date.parse(scannedAt) : Number.NaN
  if (Number.isNaN(milliseconds)) return undefined
  const instant = new Date(milliseconds).toISOString()
  return /^[12]\d{3}-/.test(instant) ? instant : undefined
}

function bookAnswer(reply: HttpReply): CarrierBookAnswer {
  const { status, json } = reply
  const carrierRef = textAt(json, 'trackingNumber')
  if ((status === 200 || status === 201) && carrierRef !== undefined) return { kind: 'booked', carrierRef }
  const code = textAt(json, 'code')
  if (code === undefined) return unlisted(reply)
  const answer = unlistedError(reply, code, textAt(json, 'message'))
  return answer.kind === 'unknown' ? answer : { kind: 'refused', code, message: answer.message }
}

/** An answer that the script does not have. */
function unlisted({ status, json }: HttpReply): Unknown {
  const word = textAt(json, 'code') ?? textAt(json, 'status')
  return unknown(`HTTP ${status}${word === undefined ? '' : ` ${word}`}`)
}
