/**
 * The carrier that is there by default: offline, with ends scripted by the tracking number, so that every end of a
 * cancellation can be seen without a contract. It answers the requests of the sandbox's HTTP script (README, "The
 * sandbox carrier"), but has no socket of its own; what it knows lies in this process's memory.
 */
import { createHash } from 'node:crypto'
import { at, textAt } from '../http-exchange.ts'
import { newParcel, type Parcel, play, type SandboxReply, SCANNED } from './scripts.ts'

/** A request as the carrier reads it. */
export type SandboxRequest = {
  readonly method: string
  /** The path alone, as it was sent: tracking numbers are percent-encoded. */
  readonly path: string
  /** Names in small letters. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** The body; '' when there is none. */
  readonly text: string
}

/** The carrier, with what tests want to know of it. */
export type SandboxCarrier = {
  /** `'cut'`: the connection is cut without an answer. `signal` ends a slow answer, which then is thrown away. */
  answer(request: SandboxRequest, signal?: AbortSignal): Promise<SandboxReply>
  /** The parcel is picked up now: cancelling it is refused from here on, unless it is cancelled already. */
  scan(carrierRef: string): void
  /** How often cancelling this number was asked; without a number, all of them together. */
  cancelCalls(carrierRef?: string): number
  /** Whether the carrier holds it as cancelled. */
  isCancelled(carrierRef: string): boolean
}

/** No carrier prints longer ones; they would only fill the memory. */
const LONGEST_NUMBER = 200

/**
 * Opens a carrier that remembers its newest `remembered` numbers: those that were cancelled, asked to be, or scanned.
 * All others are announced, so there is nothing to remember of them. `now` is in milliseconds since 1970.
 */
export function sandboxCarrier({ remembered = 100_000, now = Date.now } = {}): SandboxCarrier {
  const parcels = new Map<string, Parcel>()
  const openedAt = now()
  let calls = 0
  const look = (carrierRef: string): Parcel => {
    const parcel = parcels.get(carrierRef) ?? newParcel(carrierRef, openedAt)
    const { cancelsAt } = parcel
    if (cancelsAt !== undefined && cancelsAt <= now() && parcel.state === 'announced')
      parcel.state = 'cancelled'
    return parcel
  }
  const keep = (carrierRef: string): Parcel => {
    const parcel = look(carrierRef)
    const [oldest] = parcels.keys()
    if (!parcels.has(carrierRef) && parcels.size >= remembered && oldest !== undefined) parcels.delete(oldest)
    parcels.set(carrierRef, parcel)
    return parcel
  }
  const scan = (carrierRef: string): void => {
    const parcel = keep(carrierRef)
    if (parcel.state !== 'announced') return
    parcel.state = 'scanned'
    parcel.scannedAt = now()
  }
  const cancel = async (carrierRef: string, signal: AbortSignal | undefined): Promise<SandboxReply> => {
    const parcel = keep(carrierRef)
    parcel.calls += 1
    calls += 1
    if (parcel.state === 'cancelled') return { status: 200, body: { status: 'already_cancelled' } }
    if (parcel.state === 'scanned') return SCANNED
    return play(carrierRef, parcel, now(), signal)
  }
  return {
    async answer(request, signal) {
      const route = routeOf(request.path)
      if (route === undefined) return problem(404, 'NO_SUCH_PATH', 'There is no such path')
      const method = route.kind === 'parcel' ? 'GET' : 'POST'
      if (request.method !== method)
        return problem(405, 'METHOD_NOT_ALLOWED', `This path is asked with ${method}`)
      switch (route.kind) {
        case 'parcels':
          return book(request)
        case 'cancel':
          return cancel(route.carrierRef, signal)
        case 'scan':
          scan(route.carrierRef)
          return standing(route.carrierRef, look(route.carrierRef))
        case 'parcel':
          return standing(route.carrierRef, look(route.carrierRef))
      }
    },
    scan,
    cancelCalls: (carrierRef) => (carrierRef === undefined ? calls : (parcels.get(carrierRef)?.calls ?? 0)),
    isCancelled: (carrierRef) => look(carrierRef).state === 'cancelled',
  }
}

/** The tracking number of a shipment booked here: the same for the same shipment, whichever process books it. */
export function sandboxTrackingNumber(shipmentId: string): string {
  return `SBX-OK-${createHash('sha256').update(shipmentId).digest('hex').slice(0, 16).toUpperCase()}`
}

type Route =
  | { readonly kind: 'parcels' }
  | { readonly kind: 'parcel' | 'cancel' | 'scan'; readonly carrierRef: string }

function routeOf(path: string): Route | undefined {
  if (path === '/parcels') return { kind: 'parcels' }
  const [, encoded, step] = /^\/parcels\/([^/]+)(?:\/(cancel|scan))?$/.exec(path) ?? []
  const carrierRef = encoded === undefined ? undefined : decoded(encoded)
  if (carrierRef === undefined || carrierRef.length > LONGEST_NUMBER) return undefined
  return { kind: step === 'cancel' || step === 'scan' ? step : 'parcel', carrierRef }
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Nothing is kept: the number comes from the key alone, so the same key has the same one for ever. */
function book({ headers, text }: SandboxRequest): SandboxReply {
  const key = headers['idempotency-key']
  if (typeof key !== 'string' || key === '')
    return problem(400, 'KEY_MISSING', 'The header Idempotency-Key is missing')
  const body = parsed(text)
  for (const path of [['shipmentId'], ['from', 'country'], ['to', 'country']])
    if (textAt(body, ...path) === undefined)
      return problem(400, 'INVALID', `The body names no ${path.join('.')}`)
  if (at(body, 'shipmentId') !== key)
    return problem(400, 'INVALID', 'The header Idempotency-Key is not the shipmentId')
  return { status: 201, body: { trackingNumber: sandboxTrackingNumber(key) } }
}

function standing(trackingNumber: string, { state, scannedAt }: Parcel): SandboxReply {
  const scan = scannedAt === undefined ? {} : { scannedAt: new Date(scannedAt).toISOString() }
  return { status: 200, body: { trackingNumber, status: state, ...scan } }
}

function problem(status: number, code: string, message: string): SandboxReply {
  return { status, body: { code, message } }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
