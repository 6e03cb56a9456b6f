/**
 * Operation: compares every shipment that is booked here with its carrier and takes over what it finds, so that nothing
 * stays apart for long, also after a database was restored or a standby took over. For operators, who run it daily.
 * Decided here: how hard carriers are pressed, and for how long one that fails is waited for.
 * Source: design/cancellation.md, step 5.
 */
import { groupBy } from '../core/group-by.ts'
import type { NotSent } from '../core/shipments/cancellation.ts'
import type { CarrierTrackAnswer } from '../core/shipments/tracking.ts'
import type { LookUp, Ports } from './ports.ts'
import { applyLookUp, type LookUpEffect } from './record-scans.ts'

/** What the audit needs from outside. */
export type AuditPorts = Pick<Ports, 'tracking' | 'carriers' | 'alert'>

/** How it is done. */
export type AuditTerms = {
  /** Looks, and changes nothing. */
  readonly dryRun: boolean
  /** How long a carrier that fails is waited for, over the whole audit, in milliseconds; default a minute. */
  readonly patienceMs?: number
}

/** Some of many: how many, and the first of them. */
export type FirstOf<Item> = { readonly count: number; readonly first: readonly Item[] }

/** A shipment about which its carrier said nothing. */
export type UnknownShipment = {
  readonly shipmentId: string
  readonly carrierCode: string
  readonly cause: string
}

/** What was found. `checked` is the sum of all that follows, `forgottenScans` apart. */
export type AuditReport = {
  readonly dryRun: boolean
  readonly checked: number
  readonly unchanged: number
  /** Scanned: in transit here now (in a dry run: would be). */
  readonly inTransit: FirstOf<string>
  /** Cancelled at the carrier without anybody here knowing: cancelled here now. */
  readonly cancelled: FirstOf<string>
  readonly unknown: FirstOf<UnknownShipment>
  /** Not asked about, by carrier and cause: it is not set up, or fails call after call. */
  readonly notAsked: readonly { carrierCode: string; cause: string; shipments: number }[]
  /** Carriers that told nothing about any shipment: their interface is down, or the settings are wrong. */
  readonly silentCarriers: readonly string[]
  /** Scans of parcels that nobody booked here, forgotten. */
  readonly forgottenScans: number
}

/** Shipments read at once. */
const PAGE = 500
/** Look-ups that run at once at one carrier: a part of what the service itself may use. */
const AT_ONCE = 8
/** That single parcels are not known yet is ordinary; that so many are, and no other one, is not. */
const SUSPICIOUS = 10
const NOT_KNOWN_YET = /^HTTP 404\b/
/** Listed at most of each kind. */
const LISTED = 20
const PATIENCE_MS = 60_000
const LOOK_AGAIN_MS = 100
/** A scan of a parcel that is not booked here by then never will be. */
const FORGET_AFTER_MS = 30 * 24 * 3_600_000

/** Compares all of them. Throws when the store is out of reach; what was taken over until then stays. */
export async function auditShipments(
  ports: AuditPorts,
  { dryRun, patienceMs = PATIENCE_MS }: AuditTerms,
): Promise<AuditReport> {
  const tally = openTally()
  const pauseFor = openPatience(patienceMs)
  const compare = async (lookUp: LookUp): Promise<void> => {
    const answer = await patientLook(ports, lookUp, pauseFor)
    if (answer.kind === 'not_sent') return tally.notAsked(lookUp, answer.cause)
    const effect = dryRun ? WOULD_BE[answer.kind] : await applyLookUp(ports, lookUp, answer)
    tally.compared(lookUp, effect, answer.kind === 'unknown' ? answer.cause : '')
  }
  let after = ''
  for (;;) {
    const page = await ports.tracking.bookedAfter(after, PAGE)
    await compareAll(page, compare)
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) break
    after = last.shipmentId
  }
  const forgottenScans = dryRun ? 0 : await ports.tracking.forgetKeptScans(FORGET_AFTER_MS)
  return { dryRun, ...tally.result(), forgottenScans }
}

const WOULD_BE: Readonly<Record<CarrierTrackAnswer['kind'], LookUpEffect>> = {
  announced: 'unchanged',
  scanned: 'in_transit',
  cancelled: 'cancelled',
  unknown: 'unknown',
}

/**
 * Looks a parcel up. While its carrier is left alone (a few parcels that it does not know are enough for that), waits
 * for it, as long as patience lasts.
 */
async function patientLook(
  { carriers }: AuditPorts,
  lookUp: LookUp,
  pauseFor: Patience,
): Promise<CarrierTrackAnswer | NotSent> {
  const { carrierCode } = lookUp
  for (;;) {
    const answer = await carriers.track(lookUp, undefined, 'background')
    if (answer.kind !== 'not_sent' || carriers.room(carrierCode, 'lookUp') > 0) return answer
    const pause = pauseFor(carrierCode)
    if (pause === undefined) return answer
    await pause
  }
}

/** A moment to wait for a carrier, the same for all who wait; undefined when its time is used up. */
type Patience = (carrierCode: string) => Promise<void> | undefined

function openPatience(patienceMs: number): Patience {
  const left = new Map<string, number>()
  const pauses = new Map<string, Promise<void>>()
  return (carrierCode) => {
    const running = pauses.get(carrierCode)
    if (running !== undefined) return running
    const leftMs = left.get(carrierCode) ?? patienceMs
    if (leftMs <= 0) return undefined
    left.set(carrierCode, leftMs - LOOK_AGAIN_MS)
    const pause = new Promise<void>((resolve) => {
      setTimeout(() => {
        pauses.delete(carrierCode)
        resolve()
      }, LOOK_AGAIN_MS)
    })
    pauses.set(carrierCode, pause)
    return pause
  }
}

/** All of a page, `AT_ONCE` of each carrier at a time. After a failure nothing more is begun. */
async function compareAll(
  page: readonly LookUp[],
  compare: (lookUp: LookUp) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = []
  const worker = async (line: Iterator<LookUp>): Promise<void> => {
    for (let next = line.next(); !next.done && failures.length === 0; next = line.next()) {
      try {
        await compare(next.value)
      } catch (error) {
        failures.push(error)
      }
    }
  }
  const byCarrier = groupBy(page, ({ carrierCode }) => carrierCode)
  await Promise.all(
    [...byCarrier.values()].flatMap((lookUps) => {
      const line = lookUps.values()
      return Array.from({ length: AT_ONCE }, () => worker(line))
    }),
  )
  if (failures.length > 0) throw failures[0]
}

type MutableFirst<Item> = { count: number; first: Item[] }

function openTally() {
  let checked = 0
  let unchanged = 0
  const inTransit: MutableFirst<string> = { count: 0, first: [] }
  const cancelled: MutableFirst<string> = { count: 0, first: [] }
  const unknown: MutableFirst<UnknownShipment> = { count: 0, first: [] }
  const notAsked = new Map<string, { carrierCode: string; cause: string; shipments: number }>()
  const heard = new Map<string, { known: number; unknown: number; odd: number }>()
  return {
    compared({ shipmentId, carrierCode }: LookUp, effect: LookUpEffect, cause: string): void {
      checked += 1
      const of = heard.get(carrierCode) ?? { known: 0, unknown: 0, odd: 0 }
      heard.set(carrierCode, of)
      of[effect === 'unknown' ? 'unknown' : 'known'] += 1
      if (effect === 'unknown' && !NOT_KNOWN_YET.test(cause)) of.odd += 1
      if (effect === 'unchanged') unchanged += 1
      else if (effect === 'in_transit') list(inTransit, shipmentId)
      else if (effect === 'cancelled') list(cancelled, shipmentId)
      else list(unknown, { shipmentId, carrierCode, cause })
    },
    notAsked({ carrierCode }: LookUp, cause: string): void {
      checked += 1
      const key = JSON.stringify([carrierCode, cause])
      const known = notAsked.get(key) ?? { carrierCode, cause, shipments: 0 }
      known.shipments += 1
      notAsked.set(key, known)
    },
    result: () => ({
      ...{ checked, unchanged, inTransit, cancelled, unknown, notAsked: [...notAsked.values()] },
      silentCarriers: [...heard]
        .filter(([, of]) => of.known === 0 && (of.odd > 0 || of.unknown >= SUSPICIOUS))
        .map(([carrierCode]) => carrierCode),
    }),
  }
}

function list<Item>(to: MutableFirst<Item>, item: Item): void {
  to.count += 1
  if (to.first.length < LISTED) to.first.push(item)
}
