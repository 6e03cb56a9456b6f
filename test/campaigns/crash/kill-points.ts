/**
 * Where a replica dies by its own hand: before, during or after a call of a port, so that every gap of the protocol
 * between two steps is hit. Decided here: each life has one point and a number of crossings, dealt from a shuffled
 * deck, for a small chance at each crossing would leave the rare points (verifications, withdrawals) without a death.
 */
import { writeSync } from 'node:fs'
import type { Ports } from '../../../src/operations/ports/ports.ts'
import type { Dice } from '../../support/random/seeded-dice.ts'

/** The ports whose calls are death's opportunity. */
type DeadlyPorts = Pick<Ports, 'shipments' | 'recovery' | 'tracking' | 'carriers'>

const PORTS = ['shipments', 'recovery', 'tracking', 'carriers'] as const

/** When in its life a replica kills itself. */
export type Killing = {
  /** Such as "after carriers.cancel". */
  readonly point: string
  /** At this crossing of the point, from 1 on. */
  readonly crossing: number
  /** How far into a call that dies during it, in milliseconds. */
  readonly delayMs: number
}

/** The methods on the way of a cancellation or booking, and how many cards of the deck each has per moment. */
const CARDS: Readonly<Record<string, number>> = {
  'shipments.beginCancellation': 4,
  'carriers.cancel': 6,
  'shipments.acceptCancellation': 5,
  'shipments.refuseCancellation': 3,
  'shipments.releaseCancellation': 3,
  'shipments.cancelProgress': 1,
  'shipments.withdrawCancellation': 1,
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
  'recovery.claimLookUps': 1,
  'carriers.track': 2,
  'tracking.recordScan': 1,
  'tracking.applyUnmatchedScans': 1,
  'tracking.recordCancelledAtCarrier': 1,
}

/** Called once per request or more: a life that ends at the first crossing would serve nobody. */
const BUSY = /beginCancellation|carriers\.cancel|acceptCancellation|cancelProgress|dueWork/

/**
 * Deals the deaths of one life after the other; a new shuffled deck whenever one is through. A busy point is crossed
 * `busyCrossings` times at most.
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

/** The ports with death in them; `killingOf` says what is planned, as it may be called off. */
export function deadly(ports: Ports, killingOf: () => Killing | undefined): Ports {
  const crossings = new Map<string, number>()
  /** Whether this crossing of the point is the one. */
  const isFatal = (point: string): boolean => {
    const killing = killingOf()
    if (killing?.point !== point) return false
    const crossed = (crossings.get(point) ?? 0) + 1
    crossings.set(point, crossed)
    return crossed >= killing.crossing
  }
  const wrapped = Object.fromEntries(PORTS.map((name) => [name, wrap(ports[name], name, isFatal, killingOf)]))
  return { ...ports, ...(wrapped as unknown as DeadlyPorts) }
}

type AnyMethod = (...given: unknown[]) => unknown

function wrap(
  port: object,
  portName: string,
  isFatal: (point: string) => boolean,
  killingOf: () => Killing | undefined,
): object {
  const methods = Object.entries(port as Record<string, AnyMethod>).map(([name, method]) => {
    const about = `${portName}.${name}`
    // These answer at once from memory, so there are no two steps to die between.
    if (['carriers.room', 'carriers.canTrack', 'carriers.channelOf'].includes(about)) return [name, method]
    const deadlyMethod: AnyMethod = async (...given) => {
      if (isFatal(`before ${about}`)) die(`before ${about}`)
      const duringMs = isFatal(`during ${about}`) ? (killingOf()?.delayMs ?? 0) : undefined
      const call = Promise.resolve(method.apply(port, given))
      if (duringMs !== undefined) setTimeout(() => die(`during ${about}`), duringMs)
      const result = await call
      if (isFatal(`after ${about}`)) die(`after ${about}`)
      return result
    }
    return [name, deadlyMethod]
  })
  return Object.fromEntries(methods)
}

/** Says where, past every buffer, and is gone. */
function die(point: string): void {
  writeSync(1, `died ${point}\n`)
  process.kill(process.pid, 'SIGKILL')
}
