/**
 * Kills a replica before, during or after the call of a port, so that every gap between two steps of the
 * protocol is hit. Each process gets one point and a number of crossings from a shuffled deck. A small
 * probability at each crossing would hardly ever hit the rare points, such as verifications.
 */
import { writeSync } from 'node:fs'
import type { Ports } from '../../../src/operations/ports/ports.ts'
import type { Dice } from '../../support/random/seeded-dice.ts'

type DeadlyPorts = Pick<Ports, 'shipments' | 'recovery' | 'tracking' | 'carriers'>

/** Such as "carriers.cancel". */
type PortMethod = {
  [Port in keyof DeadlyPorts]: `${Port}.${keyof DeadlyPorts[Port] & string}`
}[keyof DeadlyPorts]

const PORTS = ['shipments', 'recovery', 'tracking', 'carriers'] as const

/** When a replica kills itself. */
export type Killing = {
  /** Such as "after carriers.cancel". */
  readonly point: string
  /** The replica dies at this crossing of the point, counted from 1. */
  readonly crossing: number
  /** Milliseconds after the start of the call, for a death during it. */
  readonly delayMs: number
}

/**
 * The methods that cancel or book, and how many cards of the deck each has per moment (before, during,
 * after).
 */
const CARDS: { readonly [Method in PortMethod]?: number } = {
  'shipments.beginCancellation': 4,
  'carriers.admit': 2,
  'carriers.cancel': 6,
  'shipments.acceptCancellation': 5,
  'shipments.refuseCancellation': 3,
  'shipments.releaseCancellation': 3,
  'shipments.cancelProgress': 1,
  'shipments.beginBooking': 2,
  'carriers.book': 3,
  'shipments.markBooked': 3,
  'shipments.settleBooking': 1,
  'shipments.releaseLeases': 1,
  'recovery.dueWork': 1,
  'recovery.claimAttempts': 3,
  'recovery.claimVerifications': 1,
  'recovery.settleVerification': 1,
  'recovery.claimBookings': 2,
  'recovery.claimLookups': 1,
  'carriers.track': 2,
  'tracking.recordScan': 1,
  'tracking.applyUnmatchedScans': 1,
  'tracking.recordCancelledAtCarrier': 1,
}

/** The methods that do not return a promise. A wrapped one would return a promise to a caller that expects none. */
type SynchronousMethod = {
  [Port in keyof DeadlyPorts]: {
    [Method in keyof DeadlyPorts[Port] & string]: NonNullable<DeadlyPorts[Port][Method]> extends (
      ...args: never[]
    ) => Promise<unknown>
      ? never
      : `${Port}.${Method}`
  }[keyof DeadlyPorts[Port] & string]
}[keyof DeadlyPorts]

/** Not wrapped. The compiler reports a method that is missing. */
const SYNCHRONOUS: Readonly<Record<SynchronousMethod, true>> = {
  'carriers.canLookUp': true,
  'carriers.cancelsEachParcel': true,
  'carriers.channelOf': true,
  'carriers.lookupLagMs': true,
  'carriers.room': true,
  'carriers.trackingRoom': true,
}

/** Called at least once per request. A process that ends at the first crossing would hardly serve. */
const BUSY = /beginCancellation|carriers\.admit|carriers\.cancel|acceptCancellation|cancelProgress|dueWork/

/**
 * Returns the next death at each call, from a new shuffled deck whenever one is used up. A busy point is
 * crossed at most `busyCrossings` times.
 */
export function deckOfDeaths(dice: Dice, busyCrossings: number): () => Killing {
  let deck: string[] = []
  return () => {
    if (deck.length === 0) deck = shuffled(dice)
    const point = deck.pop() ?? ''
    return { point, crossing: dice.int(1, BUSY.test(point) ? busyCrossings : 2), delayMs: dice.int(0, 4) }
  }
}

function shuffled(dice: Dice): string[] {
  const deck = Object.entries(CARDS).flatMap(([method, count]) =>
    ['before', 'during', 'after'].flatMap((moment) => new Array<string>(count).fill(`${moment} ${method}`)),
  )
  for (let end = deck.length - 1; end > 0; end -= 1) {
    const other = dice.int(0, end)
    const card = deck[end] ?? ''
    deck[end] = deck[other] ?? ''
    deck[other] = card
  }
  return deck
}

/**
 * Wraps the ports so that the planned call kills the process. `killingOf` is read at each call, since the
 * plan may be cancelled.
 */
export function deadly(ports: Ports, killingOf: () => Killing | undefined): Ports {
  const crossings = new Map<string, number>()
  const isFatal = (point: string): boolean => {
    const killing = killingOf()
    if (killing?.point !== point) return false
    const crossed = (crossings.get(point) ?? 0) + 1
    crossings.set(point, crossed)
    return crossed >= killing.crossing
  }
  return wrapCalls(ports, async (method, call) => {
    if (isFatal(`before ${method}`)) die(`before ${method}`)
    const duringMs = isFatal(`during ${method}`) ? (killingOf()?.delayMs ?? 0) : undefined
    const running = call()
    if (duringMs !== undefined) setTimeout(() => die(`during ${method}`), duringMs)
    const result = await running
    if (isFatal(`after ${method}`)) die(`after ${method}`)
    return result
  })
}

/** Runs instead of a call. `method` is such as "carriers.cancel"; `call` makes the call and returns its result. */
export type AroundCall = (
  method: string,
  call: () => Promise<unknown>,
  args: readonly unknown[],
) => Promise<unknown>

/** The ports with `around` at every asynchronous call. */
export function wrapCalls(ports: Ports, around: AroundCall): Ports {
  const wrapped = Object.fromEntries(PORTS.map((name) => [name, wrap(ports[name], name, around)]))
  return { ...ports, ...(wrapped as DeadlyPorts) }
}

type AnyMethod = (...args: unknown[]) => unknown

function wrap(port: object, portName: string, around: AroundCall): object {
  const methods = Object.entries(port as Record<string, AnyMethod>).map(([name, method]) => {
    const point = `${portName}.${name}`
    if (Object.hasOwn(SYNCHRONOUS, point)) return [name, method]
    const wrapped: AnyMethod = (...args) =>
      around(point, () => Promise.resolve(method.apply(port, args)), args)
    return [name, wrapped]
  })
  return Object.fromEntries(methods)
}

/** Writes the point without buffering, then kills this process. */
function die(point: string): void {
  writeSync(1, `died ${point}\n`)
  process.kill(process.pid, 'SIGKILL')
}
