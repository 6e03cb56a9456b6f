/**
 * Operation: takes in what carriers say about parcels, told by them or looked up. Told twice, or in another order,
 * it comes to the same. Source: specification section 3; design/cancellation.md.
 */
import type { CarrierTrackAnswer, Scan, ScanEffect } from '../core/shipments/tracking.ts'
import type { Ports } from './ports/ports.ts'
import type { LookUp } from './ports/recovery.ts'

/** How many scans had which effect. */
export type ScansRecorded = Readonly<Record<ScanEffect, number>>

/**
 * Keeps scans and moves their shipments on. What was kept before a failure of the store stays so: telling all of them
 * again is safe.
 */
export async function recordScans(
  ports: Pick<Ports, 'tracking' | 'alert'>,
  scans: readonly Scan[],
): Promise<ScansRecorded> {
  const counts = { moved: 0, known: 0, anomaly: 0, kept: 0, stale: 0 }
  for (const scan of scans) {
    const effect = await ports.tracking.recordScan(scan)
    counts[effect] += 1
    // A booking that was written down in between has looked for kept scans already.
    if (effect === 'kept') await ports.tracking.applyUnmatchedScans(scan)
    if (effect === 'anomaly')
      ports.alert({
        kind: 'SCANNED_AFTER_CANCELLATION',
        carrierCode: scan.carrierCode,
        detail: `parcel ${scan.carrierRef} was scanned at ${scan.at}`,
      })
  }
  return counts
}

/** What a look-up led to here. */
export type LookUpEffect = 'unchanged' | 'in_transit' | 'cancelled' | 'unknown'

/**
 * Brings a shipment that is booked here in line with what its carrier says, and tells people when the carrier had
 * cancelled it without anybody here knowing.
 */
export async function applyLookUp(
  ports: Pick<Ports, 'tracking' | 'alert'>,
  lookUp: LookUp,
  answer: CarrierTrackAnswer,
): Promise<LookUpEffect> {
  const { carrierCode, carrierRef, shipmentId } = lookUp
  switch (answer.kind) {
    case 'announced':
      return 'unchanged'
    case 'unknown':
      return 'unknown'
    case 'scanned': {
      const { moved } = await recordScans(ports, [{ carrierCode, carrierRef, ...answer.scan }])
      return moved > 0 ? 'in_transit' : 'unchanged'
    }
    case 'cancelled': {
      const changed = await ports.tracking.recordCancelledAtCarrier(lookUp)
      if (changed) ports.alert({ kind: 'CANCELLED_AT_CARRIER', carrierCode, shipmentId })
      return changed ? 'cancelled' : 'unchanged'
    }
  }
}
