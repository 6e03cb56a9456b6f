/** What a campaign checks, by name, and how a breach of it is told. */

/** The invariants. */
export const INVARIANTS = {
  SAME_END: 'cancelled here exactly when cancelled at the carrier; in transit here only if scanned there',
  ONE_CHANGE: 'one change to cancelled, a lawful chain of events, a version that counts them',
  NO_WRONG_ANSWER: 'a 200 only for what ends cancelled, a 409 only for what does not',
  NO_CONTRADICTION: 'never both 200 and 409 for one shipment',
  NOBODY_ELSE:
    'no call to the carrier for drafts or for strangers, who are told that there is no such shipment',
  ONE_KEY: 'every call to the carrier belongs to an attempt that was on record, under its key',
  NOTHING_LEFT: 'nothing is pending and nobody without an answer a minute after the faults stopped',
  KNOWN_ANSWERS: 'no answers but 200, 409, 404, 503 and 504, with their bodies and headers',
  CONTROLS: 'what nobody touched is untouched',
  BOOKINGS: 'no booking is lost, and none is left at the carrier for what is cancelled here',
  REPLICAS_LIVE: 'no replica ends by itself, and one that is asked to stop does',
} as const

/** The name of an invariant. */
export type Invariant = keyof typeof INVARIANTS

/** One breach. `shipmentId` is absent for what is not about a shipment. */
export type Violation = {
  readonly invariant: Invariant
  readonly shipmentId?: string
  readonly what: string
}

/** How many of each there are, for people. */
export function countByInvariant(violations: readonly Violation[]): Map<Invariant, number> {
  const counts = new Map<Invariant, number>()
  for (const { invariant } of violations) counts.set(invariant, (counts.get(invariant) ?? 0) + 1)
  return counts
}

const TOLD = 10
const TOLD_OF_EACH = 3

/** The first ones, a few of each invariant, for people. */
export function worthTelling(violations: readonly Violation[]): readonly Violation[] {
  const invariants = Object.keys(INVARIANTS)
  return invariants
    .flatMap((name) => violations.filter(({ invariant }) => invariant === name).slice(0, TOLD_OF_EACH))
    .slice(0, TOLD)
}
