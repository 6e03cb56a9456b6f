/** The invariants of a campaign by name, and their violations. */

export const INVARIANTS = {
  SAME_END: 'cancelled here exactly when cancelled at the carrier; in transit here only if scanned there',
  EACH_PARCEL:
    'each of several parcels is recorded as it is at the carrier; a partial cancellation stays open and is alerted',
  ONE_CHANGE: 'one change to cancelled, an allowed chain of events, a version that counts them',
  NO_WRONG_ANSWER: 'a 200 only for what ends cancelled, a 409 only for what does not',
  NO_CONTRADICTION: 'never both 200 and 409 for one shipment',
  PENDING_KEPT: 'a cancellation after "pending" (504) is done or refused in the end, if the replica lives on',
  NOTHING_SENT: 'if callers got only "unavailable" (503), nothing was sent and nothing was done',
  NOBODY_ELSE: 'no call to the carrier for drafts or for strangers; strangers get "not found"',
  ONE_KEY: 'every call to the carrier has the key of a recorded attempt',
  NOTHING_LEFT: 'no open work and no caller without an answer a minute after the faults stopped',
  KNOWN_ANSWERS: 'no answers but 200, 409, 404, 503 and 504, with their bodies and headers',
  CONTROLS: 'shipments that no caller cancelled or booked are unchanged',
  BOOKINGS: 'no booking is lost, and none remains at the carrier for a shipment that is cancelled here',
  REPLICAS_LIVE: 'no replica ends by itself, and each stops on request',
} as const

export type Invariant = keyof typeof INVARIANTS

/** `shipmentId` is absent if the violation is not about one shipment. */
export type Violation = {
  readonly invariant: Invariant
  readonly shipmentId?: string
  readonly what: string
}

export function countByInvariant(violations: readonly Violation[]): Map<Invariant, number> {
  const counts = new Map<Invariant, number>()
  for (const { invariant } of violations) counts.set(invariant, (counts.get(invariant) ?? 0) + 1)
  return counts
}

const PRINTED = 10
const PRINTED_PER_INVARIANT = 3

/** The first violations, a few of each invariant. */
export function firstViolations(violations: readonly Violation[]): readonly Violation[] {
  const invariants = Object.keys(INVARIANTS)
  return invariants
    .flatMap((name) =>
      violations.filter(({ invariant }) => invariant === name).slice(0, PRINTED_PER_INVARIANT),
    )
    .slice(0, PRINTED)
}
