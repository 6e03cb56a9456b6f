/**
 * The sandbox carrier. It works offline, and the tracking number selects the outcome, so every outcome of a
 * cancellation can be tried without a contract. It implements the HTTP interface of docs/sandbox-carrier.md without a
 * socket, and stores its parcels in memory.
 */
import { createHash } from 'node:crypto'
import { textAt, valueAt } from '../http-exchange.ts'
import { newParcel, type Parcel, play, type SandboxReply, SCANNED } from './scripts.ts'

export type SandboxRequest = {
  readonly method: string
  /** Without the query; percent-encoded. */
  readonly path: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** The body; empty if there is none. */
  readonly text: string
}

export type SandboxCarrier = {
  /**
   * Returns `'cut'` if the connection must be cut without a reply. Rejects if `signal` is aborted during a slow reply.
   */
  answer(request: SandboxRequest, signal?: AbortSignal): Promise<SandboxReply>
  /** Picks the parcel up, unless it is cancelled. Later requests to cancel it are refused. */
  scan(carrierRef: string): void
  /** The number of requests to cancel a parcel, or all parcels if no number is given. For tests. */
  cancelCalls(carrierRef?: string): number
  isCancelled(carrierRef: string): boolean
}

/** Longer tracking numbers are refused; they would only use memory. */
const LONGEST_NUMBER = 200

/**
 * Opens a carrier that stores at most `remembered` parcels with a scan or a request to cancel, and drops the oldest
 * ones; bookings likewise. All other numbers count as announced. `now` is in milliseconds since 1970.
 */
export function sandboxCarrier({ remembered = 100_000, now = Date.now } = {}): SandboxCarrier {
  const parcels = new Map<string, Parcel>()
  /** The numbers of each booked shipment, by its id. */
  const bookings = new Map<string, readonly string[]>()
  const openedAt = now()
  let calls = 0
  const parcelOf = (carrierRef: string): Parcel => {
    const parcel = parcels.get(carrierRef) ?? newParcel(carrierRef, openedAt)
    const { cancelsAt } = parcel
    if (cancelsAt !== undefined && cancelsAt <= now() && parcel.state === 'announced')
      parcel.state = 'cancelled'
    return parcel
  }
  const storedParcel = (carrierRef: string): Parcel => {
    const parcel = parcelOf(carrierRef)
    const [oldest] = parcels.keys()
    if (!parcels.has(carrierRef) && parcels.size >= remembered && oldest !== undefined) parcels.delete(oldest)
    parcels.set(carrierRef, parcel)
    return parcel
  }
  const scan = (carrierRef: string): void => {
    const parcel = storedParcel(carrierRef)
    if (parcel.state !== 'announced') return
    parcel.state = 'scanned'
    parcel.scannedAt = now()
  }
  const cancel = async (carrierRef: string, signal: AbortSignal | undefined): Promise<SandboxReply> => {
    const parcel = storedParcel(carrierRef)
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
      const method = route.kind === 'parcel' || route.kind === 'shipment' ? 'GET' : 'POST'
      if (request.method !== method) return problem(405, 'METHOD_NOT_ALLOWED', `This path requires ${method}`)
      switch (route.kind) {
        case 'parcels':
          return book(request, (shipmentId, numbers) => {
            const [oldest] = bookings.keys()
            if (!bookings.has(shipmentId) && bookings.size >= remembered && oldest !== undefined)
              bookings.delete(oldest)
            bookings.set(shipmentId, numbers)
          })
        case 'shipment': {
          const numbers = bookings.get(route.shipmentId)
          return numbers === undefined
            ? problem(404, 'NO_BOOKING', 'No parcel was booked under this id')
            : { status: 200, body: bookedBody(numbers) }
        }
        case 'cancel':
          return cancel(route.carrierRef, signal)
        case 'scan':
          scan(route.carrierRef)
          return parcelReply(route.carrierRef, parcelOf(route.carrierRef))
        case 'parcel':
          return parcelReply(route.carrierRef, parcelOf(route.carrierRef))
      }
    },
    scan,
    cancelCalls: (carrierRef) => (carrierRef === undefined ? calls : (parcels.get(carrierRef)?.calls ?? 0)),
    isCancelled: (carrierRef) => parcelOf(carrierRef).state === 'cancelled',
  }
}

/**
 * The tracking number of a booked shipment, derived from its id, so it is the same in every process. `script` is the
 * prefix that selects the outcome of a cancellation.
 */
export function sandboxTrackingNumber(shipmentId: string, script = 'SBX-OK'): string {
  return `${script}-${createHash('sha256').update(shipmentId).digest('hex').slice(0, 16).toUpperCase()}`
}

type Route =
  | { readonly kind: 'parcels' }
  | { readonly kind: 'shipment'; readonly shipmentId: string }
  | { readonly kind: 'parcel' | 'cancel' | 'scan'; readonly carrierRef: string }

function routeOf(path: string): Route | undefined {
  if (path === '/parcels') return { kind: 'parcels' }
  const [, shipment] = /^\/shipments\/([^/]+)$/.exec(path) ?? []
  const shipmentId = shipment === undefined ? undefined : decoded(shipment)
  if (shipmentId !== undefined) return { kind: 'shipment', shipmentId }
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

/** The tracking number is derived from the key, so repeats return the same number. */
function book(
  { headers, text }: SandboxRequest,
  remember: (shipmentId: string, numbers: readonly string[]) => void,
): SandboxReply {
  const key = headers['idempotency-key']
  if (typeof key !== 'string' || key === '')
    return problem(400, 'KEY_MISSING', 'The header Idempotency-Key is missing')
  const body = parsed(text)
  for (const path of [['shipmentId'], ['from', 'country'], ['to', 'country']])
    if (textAt(body, ...path) === undefined)
      return problem(400, 'INVALID', `The body has no ${path.join('.')}`)
  if (valueAt(body, 'shipmentId') !== key)
    return problem(400, 'INVALID', 'The header Idempotency-Key differs from shipmentId')
  const numbers = sandboxParcelNumbers(key, textAt(body, 'to', 'city'), textAt(body, 'recipient', 'company'))
  remember(key, numbers)
  return { status: 201, body: bookedBody(numbers) }
}

function bookedBody(numbers: readonly string[]): object {
  const [trackingNumber] = numbers
  return { trackingNumber, ...(numbers.length > 1 && { parcelNumbers: numbers }) }
}

const SEVERAL_PARCELS = /^SBX-(\d{1,2})-PARCELS(-ONE-REFUSED)?$/

const SCRIPT = /^SBX-[0-9A-Z-]{1,30}$/

/**
 * The numbers of a booking. The city of its destination can ask for several, and for one that cannot be cancelled. The
 * company of the recipient can select the prefix.
 */
function sandboxParcelNumbers(
  shipmentId: string,
  city: string | undefined,
  company: string | undefined,
): string[] {
  const script = company !== undefined && SCRIPT.test(company) ? company : 'SBX-OK'
  const first = sandboxTrackingNumber(shipmentId, script)
  const [, count = '1', oneRefused] = SEVERAL_PARCELS.exec(city ?? '') ?? []
  const numbers = Array.from({ length: Math.max(1, Number(count)) }, (_, index) =>
    index === 0 ? first : `${first}-${index + 1}`,
  )
  if (oneRefused === undefined || numbers.length === 1) return numbers
  return [...numbers.slice(0, -1), `${first}-${numbers.length}`.replace(script, 'SBX-WINDOW-CLOSED')]
}

function parcelReply(trackingNumber: string, { state, scannedAt }: Parcel): SandboxReply {
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
