/**
 * A carrier that a scenario controls: each parcel follows a script that decides about every cancellation and
 * lookup. It speaks the sandbox protocol (docs/sandbox-carrier.md) and counts what it received.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** `cut`: the connection is closed without an answer. */
export type Reply = { readonly status: number; readonly body: object } | 'cut'

export type Parcel = {
  readonly number: string
  state: 'announced' | 'scanned' | 'cancelled'
  /** Idempotency keys of the cancellations that arrived. */
  readonly sends: string[]
  lookups: number
  readonly script: Script
}

/** `nth` counts the calls for the parcel from 1. */
export type Script = {
  cancel?(parcel: Parcel, nth: number): Reply | Promise<Reply>
  look?(parcel: Parcel, nth: number): Reply
}

export type ScriptedCarrier = {
  readonly origin: string
  announce(number: string, script?: Script): Parcel
  parcel(number: string): Parcel | undefined
  /** The parcel that was booked for a shipment. */
  booking(shipmentId: string): Parcel | undefined
  close(): Promise<void>
}

/** Cancels the parcel, or refuses if it was scanned. */
export function cancelNow(parcel: Parcel): Reply {
  if (parcel.state === 'scanned') return { status: 409, body: { code: 'SCANNED', message: 'Picked up' } }
  const status = parcel.state === 'cancelled' ? 'already_cancelled' : 'cancelled'
  parcel.state = 'cancelled'
  return { status: 200, body: { status } }
}

/** A truthful lookup. */
export function lookNow({ number, state }: Parcel): Reply {
  return lookUpAs(number, state)
}

export function lookUpAs(number: string, state: Parcel['state']): Reply {
  return { status: 200, body: { trackingNumber: number, status: state } }
}

export const NOTHING_TO_CANCEL: Reply = {
  status: 409,
  body: { code: 'NOT_CANCELLABLE', message: 'There is nothing to cancel' },
}
export const UNAVAILABLE: Reply = { status: 503, body: { code: 'UNAVAILABLE', message: 'Try again later' } }

export async function startScriptedCarrier(): Promise<ScriptedCarrier> {
  const parcels = new Map<string, Parcel>()
  const bookings = new Map<string, Parcel>()
  const announce = (number: string, script: Script = {}): Parcel => {
    const parcel: Parcel = { number, state: 'announced', sends: [], lookups: 0, script }
    parcels.set(number, parcel)
    return parcel
  }
  const book = (shipmentId: string): Reply => {
    const parcel = bookings.get(shipmentId) ?? announce(`BOOKED-${shipmentId}`)
    bookings.set(shipmentId, parcel)
    return { status: 201, body: { trackingNumber: parcel.number } }
  }
  const bookingOf = (shipmentId: string): Reply => {
    const parcel = bookings.get(shipmentId)
    if (parcel === undefined) return { status: 404, body: { code: 'NO_BOOKING', message: 'No booking' } }
    return { status: 200, body: { trackingNumber: parcel.number } }
  }
  const answer = async (incoming: IncomingMessage): Promise<Reply> => {
    incoming.resume()
    const key = String(incoming.headers['idempotency-key'] ?? 'no key')
    if (incoming.url === '/parcels') return book(key)
    const [, bookedFor] = /^\/shipments\/([^/]+)$/.exec(incoming.url ?? '') ?? []
    if (bookedFor !== undefined) return bookingOf(decodeURIComponent(bookedFor))
    const [, number = '', step] = /^\/parcels\/([^/]+)(\/cancel)?$/.exec(incoming.url ?? '') ?? []
    const parcel = parcels.get(decodeURIComponent(number))
    if (parcel === undefined) return { status: 404, body: { code: 'UNKNOWN_PARCEL', message: 'Unknown' } }
    const { script } = parcel
    if (step === undefined) {
      parcel.lookups += 1
      return (script.look ?? lookNow)(parcel, parcel.lookups)
    }
    parcel.sends.push(key)
    return (script.cancel ?? cancelNow)(parcel, parcel.sends.length)
  }
  const server = createServer((incoming, outgoing) => {
    answer(incoming).then(
      (reply) => send(outgoing, reply),
      () => outgoing.destroy(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    announce,
    parcel: (number) => parcels.get(number),
    booking: (shipmentId) => bookings.get(shipmentId),
    async close() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

function send(outgoing: ServerResponse, reply: Reply): void {
  if (reply === 'cut') outgoing.destroy()
  else {
    outgoing.writeHead(reply.status, { 'content-type': 'application/json' })
    outgoing.end(JSON.stringify(reply.body))
  }
}
