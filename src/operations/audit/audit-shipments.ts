/**
 * Operation: compares every booked shipment with its carrier and updates Waybill where they differ. Operators run it
 * daily, and after a restore or failover. Concurrent lookups and the wait for failing carriers are limited.
 * See docs/audit.md.
 */
import { groupBy } from '../../core/group-by.ts'
import type { CarrierTrackAnswer, UnknownAnswer } from '../../core/shipments/tracking.ts'
import type { Ports } from '../ports/ports.ts'
import type { Lookup } from '../ports/recovery.ts'
import { applyLookup, type LookupEffect, lookUpShipment } from '../record-scans.ts'
import { forgetOldScans } from '../sweep/expire-drafts.ts'

export type AuditPorts = Pick<Ports, 'tracking' | 'carriers' | 'alert'>

export type AuditOptions = {
  /** Only look parcels up, and change nothing. */
  readonly dryRun: boolean
  /** Longest total wait for the open circuit of a channel. Default: one minute. */
  readonly patienceMs?: number
}

/** A count, and the first 20 items. */
export type FirstOf<Item> = { readonly count: number; readonly first: readonly Item[] }

/** A shipment whose state at its carrier could not be determined. */
export type UnknownShipment = {
  readonly shipmentId: string
  readonly carrierCode: string
  readonly cause: string
}

/** The result. `checked` is the sum of all counts that follow, except `forgottenScans`. */
export type AuditReport = {
  readonly dryRun: boolean
  readonly checked: number
  readonly unchanged: number
  /** Shipments that a scan moved to in transit (in a dry run: would move). */
  readonly inTransit: FirstOf<string>
  /** Shipments that the carrier had cancelled, now cancelled in Waybill (in a dry run: would be). */
  readonly cancelled: FirstOf<string>
  readonly unknown: FirstOf<UnknownShipment>
  /** Shipments that were not looked up, by carrier and cause (the carrier is not set up, or its circuit is open). */
  readonly notAsked: readonly { carrierCode: string; cause: string; shipments: number }[]
  /** Carriers without a conclusive lookup: the interface is down, or the settings are wrong. */
  readonly silentCarriers: readonly string[]
  /** How many scans of parcels that are not booked here were deleted. The next run, or the sweeper, deletes others. */
  readonly forgottenScans: number
}

/** Shipments, or lines of a log, that are compared at a time. */
export const PAGE = 500
/** Concurrent lookups in one channel (a set of carrier credentials). Fewer than its background slots. */
const AT_ONCE = 8
/**
 * A 404 is normal for new parcels. A carrier that returns it for this many parcels and finds none is reported as
 * silent.
 */
const SUSPICIOUS = 10
const NOT_KNOWN_YET = 404
/** Items listed of each kind. */
const LISTED = 20
export const PATIENCE_MS = 60_000
const LOOK_AGAIN_MS = 100

/** Throws if the store is unreachable. Changes made until then remain. */
export async function auditShipments(
  ports: AuditPorts,
  { dryRun, patienceMs = PATIENCE_MS }: AuditOptions,
): Promise<AuditReport> {
  const tally = openTally()
  const pauseFor = openPatience(patienceMs)
  const compare = async (lookup: Lookup): Promise<void> => {
    const { answer, carrierRef } = await lookUpPatiently(ports, lookup, pauseFor)
    if (answer.kind === 'not_sent') return tally.notAsked(lookup, answer.cause)
    const effect = dryRun ? WOULD_BE[answer.kind] : await applyLookup(ports, lookup, answer, carrierRef)
    tally.compared(lookup, effect, answer.kind === 'unknown' ? answer : undefined)
  }
  let place: Pick<Lookup, 'accountId' | 'shipmentId'> = { accountId: '', shipmentId: '' }
  for (;;) {
    const page = await ports.tracking.bookedAfter(place, PAGE)
    await compareAll(ports, page, compare)
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) break
    place = last
  }
  const forgottenScans = dryRun ? 0 : await forgetOldScans(ports)
  return { dryRun, ...tally.result(), forgottenScans }
}

const WOULD_BE: Readonly<Record<CarrierTrackAnswer['kind'], LookupEffect>> = {
  announced: 'unchanged',
  scanned: 'in_transit',
  cancelled: 'cancelled',
  unknown: 'unknown',
}

/**
 * Looks up a parcel. While the circuit of its channel is open, it waits and tries again, up to the total wait of the
 * channel. A few parcels that the carrier cannot process are enough to open the circuit.
 */
async function lookUpPatiently(
  { carriers }: AuditPorts,
  lookup: Lookup,
  pauseFor: Patience,
): ReturnType<typeof lookUpShipment> {
  const { accountId, carrierCode } = lookup
  for (;;) {
    const found = await lookUpShipment(carriers, lookup)
    if (found.answer.kind !== 'not_sent' || carriers.room(carrierCode, accountId, 'lookup') > 0) return found
    const pause = pauseFor(carriers.channelOf(carrierCode, accountId))
    if (pause === undefined) return found
    await pause
  }
}

/** A short pause for a channel, shared by all lookups that wait; undefined if the channel's total wait is used up. */
export type Patience = (channel: string) => Promise<void> | undefined

export function openPatience(patienceMs: number): Patience {
  const left = new Map<string, number>()
  const pauses = new Map<string, Promise<void>>()
  return (channel) => {
    const running = pauses.get(channel)
    if (running !== undefined) return running
    const leftMs = left.get(channel) ?? patienceMs
    if (leftMs <= 0) return undefined
    left.set(channel, leftMs - LOOK_AGAIN_MS)
    const pause = new Promise<void>((resolve) => {
      setTimeout(() => {
        pauses.delete(channel)
        resolve()
      }, LOOK_AGAIN_MS)
    })
    pauses.set(channel, pause)
    return pause
  }
}

/** Compares a page, `AT_ONCE` shipments of each channel at a time. After a failure, no further comparison starts. */
export async function compareAll<Item extends Pick<Lookup, 'carrierCode' | 'accountId'>>(
  { carriers }: Pick<AuditPorts, 'carriers'>,
  page: readonly Item[],
  compare: (item: Item) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = []
  const worker = async (line: Iterator<Item>): Promise<void> => {
    for (let next = line.next(); !next.done && failures.length === 0; next = line.next()) {
      try {
        await compare(next.value)
      } catch (error) {
        failures.push(error)
      }
    }
  }
  const channels = groupBy(page, ({ carrierCode, accountId }) => carriers.channelOf(carrierCode, accountId))
  await Promise.all(
    [...channels.values()].flatMap((lookups) => {
      const line = lookups.values()
      return Array.from({ length: AT_ONCE }, () => worker(line))
    }),
  )
  if (failures.length > 0) throw failures[0]
}

export type MutableFirst<Item> = { count: number; first: Item[] }

function openTally() {
  let checked = 0
  let unchanged = 0
  const inTransit: MutableFirst<string> = { count: 0, first: [] }
  const cancelled: MutableFirst<string> = { count: 0, first: [] }
  const unknown: MutableFirst<UnknownShipment> = { count: 0, first: [] }
  const notAsked = new Map<string, { carrierCode: string; cause: string; shipments: number }>()
  const byCarrier = new Map<string, { conclusive: number; unknown: number; failed: number }>()
  return {
    compared({ shipmentId, carrierCode }: Lookup, effect: LookupEffect, answer?: UnknownAnswer): void {
      checked += 1
      const counts = byCarrier.get(carrierCode) ?? { conclusive: 0, unknown: 0, failed: 0 }
      byCarrier.set(carrierCode, counts)
      counts[effect === 'unknown' ? 'unknown' : 'conclusive'] += 1
      if (effect === 'unknown' && answer?.status !== NOT_KNOWN_YET) counts.failed += 1
      if (effect === 'unchanged') unchanged += 1
      else if (effect === 'in_transit') list(inTransit, shipmentId)
      else if (effect === 'cancelled') list(cancelled, shipmentId)
      else list(unknown, { shipmentId, carrierCode, cause: answer?.cause ?? '' })
    },
    notAsked({ carrierCode }: Lookup, cause: string): void {
      checked += 1
      const key = JSON.stringify([carrierCode, cause])
      const known = notAsked.get(key) ?? { carrierCode, cause, shipments: 0 }
      known.shipments += 1
      notAsked.set(key, known)
    },
    result: () => ({
      checked,
      unchanged,
      inTransit,
      cancelled,
      unknown,
      notAsked: [...notAsked.values()],
      silentCarriers: [...byCarrier]
        .filter(
          ([, { conclusive, failed, unknown }]) => conclusive === 0 && (failed > 0 || unknown >= SUSPICIOUS),
        )
        .map(([carrierCode]) => carrierCode),
    }),
  }
}

export function list<Item>(to: MutableFirst<Item>, item: Item): void {
  to.count += 1
  if (to.first.length < LISTED) to.first.push(item)
}
