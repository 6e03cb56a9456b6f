/**
 * The carrier that is there by default: offline, with ends scripted by the tracking number, so that every end
 * of a cancellation can be seen without a contract. What it knows lies in this process's memory.
 *
 * | tracking number | cancelling it |
 * |---|---|
 * | SBX-OK-…, any other | cancelled; asked again: already |
 * | SBX-ALREADY-… | already cancelled |
 * | SBX-SCANNED-… | refused: picked up |
 * | SBX-WINDOW-CLOSED-… | refused: too late |
 * | SBX-PENDING-… | accepted, the carrier will carry it out |
 * | SBX-PARTIAL-… | unknown: only some parcels were cancelled |
 * | SBX-SLOW-2000-… | cancelled, the answer takes 2,000 ms; asked again: already, at once |
 * | SBX-DOWN-… | unknown: no connection |
 * | SBX-503-TWICE-… | unknown twice, then cancelled |
 * | SBX-429-… | unknown: too many requests |
 * | SBX-GARBAGE-… | unknown: an unreadable body |
 * | SBX-LOST-… | cancelled, but the answer is lost; asked again: already |
 */
import { createHash } from 'node:crypto'
import type { CarrierCancelAnswer } from '../core/shipments/cancellation.ts'
import type { Connector } from './connector.ts'

/** The sandbox with what tests want to know of it. */
export interface SandboxCarrier extends Connector {
  /** The parcel is picked up now: cancelling it is refused from here on, unless it is cancelled already. */
  scan(carrierRef: string): void
  /** How often cancelling this number was asked; without a number, all of them together. */
  cancelCalls(carrierRef?: string): number
  /** Whether the carrier holds it as cancelled. */
  isCancelled(carrierRef: string): boolean
}

type Parcel = { calls: number; state: 'announced' | 'scanned' | 'cancelled' }

/** What a number does, given its parcel and the end of the number behind the script's name. */
type Script = (parcel: Parcel, rest: string, signal: AbortSignal) => Promise<CarrierCancelAnswer>

/** Opens a sandbox that remembers its newest `remembered` numbers. */
export function sandboxCarrier({ remembered = 100_000 } = {}): SandboxCarrier {
  const parcels = new Map<string, Parcel>()
  let calls = 0
  const parcelOf = (carrierRef: string): Parcel => {
    const known = parcels.get(carrierRef)
    if (known !== undefined) return known
    const [oldest] = parcels.keys()
    if (parcels.size >= remembered && oldest !== undefined) parcels.delete(oldest)
    const fresh: Parcel = { calls: 0, state: 'announced' }
    parcels.set(carrierRef, fresh)
    return fresh
  }
  return {
    async cancel({ carrierRef }, signal) {
      const parcel = parcelOf(carrierRef)
      parcel.calls += 1
      calls += 1
      if (parcel.state === 'cancelled') return ALREADY
      if (parcel.state === 'scanned') return SCANNED
      const [script, rest] = scriptOf(carrierRef)
      return script(parcel, rest, signal)
    },
    book: async ({ shipmentId }) => ({ kind: 'booked', carrierRef: sandboxReference(shipmentId) }),
    scan(carrierRef) {
      const parcel = parcelOf(carrierRef)
      if (parcel.state === 'announced') parcel.state = 'scanned'
    },
    cancelCalls: (carrierRef) => (carrierRef === undefined ? calls : (parcels.get(carrierRef)?.calls ?? 0)),
    isCancelled: (carrierRef) => parcels.get(carrierRef)?.state === 'cancelled',
  }
}

/** The tracking number of a shipment booked here: the same for the same shipment, whichever process books it. */
export function sandboxReference(shipmentId: string): string {
  return `SBX-OK-${createHash('sha256').update(shipmentId).digest('hex').slice(0, 16).toUpperCase()}`
}

const ALREADY: CarrierCancelAnswer = { kind: 'cancelled', how: 'already' }

const SCANNED: CarrierCancelAnswer = {
  kind: 'refused',
  reason: 'SCANNED',
  code: 'SBX.SCANNED',
  message: 'The parcel has already been picked up',
}

const WINDOW_CLOSED: CarrierCancelAnswer = {
  kind: 'refused',
  reason: 'WINDOW_CLOSED',
  code: 'SBX.WINDOW_CLOSED',
  message: 'The time for cancelling this parcel has passed',
}

function cancelNow(parcel: Parcel): CarrierCancelAnswer {
  parcel.state = 'cancelled'
  return { kind: 'cancelled', how: 'now' }
}

const unknown = (cause: string): CarrierCancelAnswer => ({ kind: 'unknown', cause })

const SCRIPTS: readonly (readonly [prefix: string, script: Script])[] = [
  ['SBX-ALREADY-', async () => ALREADY],
  ['SBX-SCANNED-', async () => SCANNED],
  ['SBX-WINDOW-CLOSED-', async () => WINDOW_CLOSED],
  [
    'SBX-PENDING-',
    async (parcel) => {
      cancelNow(parcel)
      return { kind: 'cancelled', how: 'accepted' }
    },
  ],
  ['SBX-PARTIAL-', async () => unknown('1 of 2 parcels cancelled')],
  ['SBX-SLOW-', slow],
  [
    'SBX-DOWN-',
    async () => {
      throw new Error('connect ECONNREFUSED')
    },
  ],
  ['SBX-503-TWICE-', async (parcel) => (parcel.calls <= 2 ? unknown('HTTP 503') : cancelNow(parcel))],
  ['SBX-429-', async () => unknown('HTTP 429')],
  // Throws as reading such a body does.
  ['SBX-GARBAGE-', async () => JSON.parse('<html>Bad gateway</html>') as CarrierCancelAnswer],
  [
    'SBX-LOST-',
    async (parcel) => {
      cancelNow(parcel)
      throw new Error('read ECONNRESET')
    },
  ],
]

function scriptOf(carrierRef: string): readonly [Script, string] {
  const found = SCRIPTS.find(([prefix]) => carrierRef.startsWith(prefix))
  if (found === undefined) return [async (parcel) => cancelNow(parcel), '']
  return [found[1], carrierRef.slice(found[0].length)]
}

/** A slow carrier cancels when it is asked; it is the answer that takes its time. */
async function slow(parcel: Parcel, rest: string, signal: AbortSignal): Promise<CarrierCancelAnswer> {
  const answer = cancelNow(parcel)
  const milliseconds = Math.min(60_000, Number(/^\d{1,6}/.exec(rest)?.[0] ?? 0))
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(new Error('aborted'))
    })
  })
  return answer
}
