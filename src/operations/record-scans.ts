/**
 * Operation: records what carriers report about parcels, by scan events or lookups. Idempotent and order-independent.
 * See docs/scan-events.md.
 */
import type { NotSent } from '../core/shipments/cancellation.ts'
import {
  type CarrierTrackAnswer,
  combineLookups,
  type ParcelLookup,
  type Scan,
  type ScanEffect,
} from '../core/shipments/tracking.ts'
import type { Ports } from './ports/ports.ts'
import { AccountClosed, type Lookup } from './ports/recovery.ts'

/** How many scans had which effect. */
export type ScansRecorded = Readonly<Record<ScanEffect, number>>

/**
 * Records scans and moves their shipments. If the store fails half way, send all of them again. A closed account does
 * not hold up the scans of others: its AccountClosed is thrown after them. `isFound`: only a lookup has reported them,
 * and it is verified by later ones.
 */
export async function recordScans(
  ports: Pick<Ports, 'tracking' | 'alert'>,
  scans: readonly Scan[],
  isFound = false,
): Promise<ScansRecorded> {
  const counts = { moved: 0, known: 0, anomaly: 0, unmatched: 0, stale: 0 }
  let closed: AccountClosed | undefined
  for (const scan of scans) {
    try {
      counts[await recordOne(ports, scan, isFound)] += 1
    } catch (error) {
      if (!(error instanceof AccountClosed)) throw error
      closed = error
    }
  }
  if (closed !== undefined) throw closed
  return counts
}

async function recordOne(
  ports: Pick<Ports, 'tracking' | 'alert'>,
  scan: Scan,
  isFound: boolean,
): Promise<ScanEffect> {
  const effect = await ports.tracking.recordScan(scan, isFound)
  if (scan.isDelivery === true && (effect === 'moved' || effect === 'known'))
    await ports.tracking.recordDelivery(scan)
  // If the booking was recorded in the meantime, it applied the unmatched scans before this one was stored.
  if (effect === 'unmatched') await ports.tracking.applyUnmatchedScans(scan)
  if (effect === 'anomaly')
    ports.alert({
      kind: 'SCANNED_AFTER_CANCELLATION',
      carrierCode: scan.carrierCode,
      detail: `parcel ${scan.carrierRef} was scanned at ${scan.at}`,
    })
  return effect
}

/**
 * Looks up the numbers of a shipment, one after the other, until one is scanned or cannot be looked
 * up. `carrierRef` is the number that the answer is about: the first one, unless a scan names another.
 */
export async function lookUpShipment(
  carriers: Pick<Ports['carriers'], 'track'>,
  lookup: Lookup,
  whenMixed: 'unknown' | 'announced' = 'unknown',
): Promise<{ readonly carrierRef: string; readonly answer: CarrierTrackAnswer | NotSent }> {
  const lookups: ParcelLookup[] = []
  for (const carrierRef of lookup.parcelRefs ?? [lookup.carrierRef]) {
    const answer = await carriers.track({ ...lookup, carrierRef }, undefined, 'background')
    if (answer.kind === 'not_sent') return { carrierRef, answer }
    lookups.push({ carrierRef, answer })
    if (answer.kind === 'scanned') break
  }
  return combineLookups(lookups, whenMixed)
}

/** What a lookup changed. `unknown`: the lookup was inconclusive. */
export type LookupEffect = 'unchanged' | 'in_transit' | 'cancelled' | 'unknown'

/** Moves a booked shipment to the state that its carrier reports. `carrierRef` is the number that was scanned. */
export async function applyLookup(
  ports: Pick<Ports, 'tracking' | 'alert'>,
  lookup: Lookup,
  answer: CarrierTrackAnswer,
  carrierRef = lookup.carrierRef,
): Promise<LookupEffect> {
  const { carrierCode, shipmentId } = lookup
  switch (answer.kind) {
    case 'announced':
      return 'unchanged'
    case 'unknown':
      return 'unknown'
    case 'scanned': {
      const { moved } = await recordScans(ports, [{ carrierCode, carrierRef, ...answer.scan }], true)
      return moved > 0 ? 'in_transit' : 'unchanged'
    }
    case 'cancelled': {
      const changed = await ports.tracking.recordCancelledAtCarrier(lookup)
      if (changed) ports.alert({ kind: 'CANCELLED_AT_CARRIER', carrierCode, shipmentId })
      return changed ? 'cancelled' : 'unchanged'
    }
  }
}
