/**
 * The lookups of the sweeper: routine tracking, and the verification of refusals, of cancellations that the carrier
 * accepted for later, and of what only a lookup has reported. See docs/cancellation.md#background-work.
 */
import type { CancelTicket, NotSent } from '../../core/shipments/cancellation.ts'
import {
  afterReport,
  type CarrierTrackAnswer,
  combineLookups,
  type ParcelLookup,
  type Scan,
} from '../../core/shipments/tracking.ts'
import type { CancelPolicy } from '../ask-carrier/policy.ts'
import type { BookPorts } from '../book-shipment.ts'
import type { Ports } from '../ports/ports.ts'
import type { Lookup, ReportToVerify, Verification } from '../ports/recovery.ts'
import { applyLookup, lookUpShipment, recordScans } from '../record-scans.ts'
import { rotated } from './rotated.ts'

type LookupPorts = BookPorts & Pick<Ports, 'recovery'>

/** Failed lookups of a refused attempt after which an alert is raised. Verification continues. */
const LOOKUPS_BEFORE_ALERT = 6
const FIRST_LOOKUP_RETRY_MS = 15_000
const SLOWEST_LOOKUP_RETRY_MS = 3_600_000
const DAY_MS = 86_400_000
/** Age of an attempt up to which a cancellation that the carrier accepted for later is looked up, once a day. */
const VERIFY_ACCEPTED_UP_TO_MS = 5 * DAY_MS

/** Verifies the outcome of an attempt by a lookup. */
export async function verify(
  ports: LookupPorts,
  verification: Verification,
  { leaseMs }: Pick<CancelPolicy, 'leaseMs'>,
): Promise<void> {
  const { parcels } = verification.ticket
  // The numbers are looked up one after the other, which takes longer than the lease of one lookup.
  if (parcels !== undefined)
    await ports.recovery.settleVerification(verification, leaseMs * parcels.length, undefined)
  await (verification.phase === 'accepted'
    ? verifyAccepted(ports, verification)
    : verifyRefused(ports, verification))
}

/**
 * Verifies a refusal that followed an unconfirmed send. If the carrier has cancelled the parcel, the attempt is
 * accepted after all. If the lookup fails, it is repeated at growing intervals.
 */
async function verifyRefused(ports: LookupPorts, verification: Verification): Promise<void> {
  const { carriers, recovery, shipments, alert } = ports
  const { ticket, lookups } = verification
  const { carrierCode, shipmentId } = ticket
  const notVerified = (detail: string) =>
    alert({ kind: 'REFUSAL_NOT_VERIFIED', carrierCode, shipmentId, detail })
  if (!carriers.canLookUp(carrierCode)) {
    const detail = 'refused after an unconfirmed send, and this carrier has no lookup'
    notVerified(detail)
    return recovery.settleVerification(verification, undefined, detail)
  }
  const { answer, carrierRef } = await lookUpShipment(carriers, lookupOf(ticket))
  switch (answer.kind) {
    case 'cancelled':
      // The alert comes first. After the statement below, nothing looks this attempt up again and could repeat it.
      alert({
        kind: 'CANCELLED_AT_CARRIER',
        carrierCode,
        shipmentId,
        detail: 'the carrier had refused before',
      })
      await shipments.acceptCancellation(ticket, 'carrier', undefined, true)
      return
    case 'announced':
      return recovery.settleVerification(verification, undefined, undefined)
    case 'scanned':
      await applyLookup(ports, ticket, answer, carrierRef)
      return recovery.settleVerification(verification, undefined, undefined)
    case 'unknown':
    case 'not_sent': {
      if (lookups === LOOKUPS_BEFORE_ALERT) notVerified(`looked up ${lookups} times; last: ${answer.cause}`)
      const againInMs = Math.min(SLOWEST_LOOKUP_RETRY_MS, FIRST_LOOKUP_RETRY_MS * 2 ** (lookups - 1))
      return recovery.settleVerification(verification, againInMs, undefined)
    }
  }
}

/**
 * Looks up a parcel whose cancellation the carrier has accepted for later, or that an operator has settled as
 * cancelled, once a day for five days. A scan raises the alert SCANNED_AFTER_CANCELLATION. A parcel that the carrier
 * does not list is as expected: it may never have been transmitted.
 */
async function verifyAccepted(ports: LookupPorts, verification: Verification): Promise<void> {
  const { carriers, recovery, alert } = ports
  const { ticket } = verification
  const { carrierCode, shipmentId } = ticket
  if (!carriers.canLookUp(carrierCode)) return recovery.settleVerification(verification, undefined, undefined)
  const { answer, carrierRef } = await lookUpShipment(carriers, lookupOf(ticket), 'announced')
  const nextInMs = ticket.ageMs < VERIFY_ACCEPTED_UP_TO_MS ? DAY_MS : undefined
  switch (answer.kind) {
    case 'cancelled':
      return recovery.settleVerification(verification, undefined, undefined)
    case 'scanned':
      await applyLookup(ports, ticket, answer, carrierRef)
      return recovery.settleVerification(verification, undefined, undefined)
    case 'announced': {
      const detail = 'the cancellation was accepted, and the carrier still lists the parcel as announced'
      alert({ kind: 'CANCELLATION_NOT_CARRIED_OUT', carrierCode, shipmentId, detail })
      return recovery.settleVerification(verification, nextInMs, detail)
    }
    case 'unknown':
      return recovery.settleVerification(verification, nextInMs, undefined)
    case 'not_sent':
      return recovery.settleVerification(verification, SLOWEST_LOOKUP_RETRY_MS, undefined)
  }
}

/**
 * Verifies what only a lookup has reported: after a minute and the next day. If the carrier now says something else, an
 * alert is raised and the audit lists the shipment, which stays as it is. Inconclusive lookups, such as of a parcel
 * that the carrier no longer lists, are repeated at growing intervals for five days.
 */
export async function verifyReport(ports: LookupPorts, report: ReportToVerify): Promise<void> {
  const { carriers, recovery, alert } = ports
  const { reported, lookup, ageMs } = report
  const { carrierCode, shipmentId } = lookup
  const { answer, carrierRef } = await lookUpShipment(carriers, lookup, 'announced')
  const step = afterReport(reported, answer, ageMs)
  switch (step.kind) {
    case 'Postponed':
      return recovery.settleReport(report, SLOWEST_LOOKUP_RETRY_MS, undefined)
    case 'Open':
    case 'Confirmed':
      return recovery.settleReport(report, step.againInMs, undefined)
    case 'Contradicted': {
      if (answer.kind === 'scanned') await applyLookup(ports, lookup, answer, carrierRef)
      const detail = `${carrierRef}: ${step.contradiction}`
      // Before the statement: it is repeated and not lost if the process dies in between.
      alert({ kind: 'LOOKUP_CONTRADICTED', carrierCode, shipmentId, detail })
      return recovery.settleReport(report, step.againInMs, detail)
    }
  }
}

/**
 * Routine tracking of a batch. One batch may need several calls of `size` numbers, and the carrier's quota may stop it
 * halfway. So the order is rotated at random, and one scan of a shipment counts even if its other numbers have no
 * answer. A fault of the store for one shipment does not affect the others.
 */
export async function lookUp(ports: LookupPorts, batch: readonly Lookup[], size: number): Promise<void> {
  const shipments = rotated(batch, ports.random()).map((lookup) => ({
    lookup,
    numbers: rotated(lookup.parcelRefs ?? [lookup.carrierRef], ports.random()),
  }))
  const parcels = shipments.flatMap(({ lookup, numbers }) =>
    numbers.map((carrierRef) => ({ ...lookup, carrierRef })),
  )
  const answers: (CarrierTrackAnswer | NotSent)[] = []
  for (let start = 0; start < parcels.length; start += size)
    answers.push(...(await ports.carriers.trackMany(parcels.slice(start, start + size))))
  for (const { lookup, numbers } of shipments) {
    const lookups = answers
      .splice(0, numbers.length)
      .flatMap((answer, index): ParcelLookup[] =>
        answer.kind === 'not_sent' ? [] : [{ carrierRef: numbers[index] ?? lookup.carrierRef, answer }],
      )
    const isComplete = lookups.length === numbers.length
    if (!isComplete && !lookups.some(({ answer }) => answer.kind === 'scanned')) continue
    const { answer, carrierRef } = combineLookups(lookups)
    await applyLookup(ports, lookup, answer, carrierRef)
      .then(() => recordScans(ports, deliveriesOf(lookup, lookups), true))
      .catch(ports.reportFault)
  }
}

/** A shipment is delivered when all its parcels are, so each delivery counts. */
function deliveriesOf({ carrierCode }: Lookup, lookups: readonly ParcelLookup[]): readonly Scan[] {
  return lookups.flatMap(({ carrierRef, answer }) =>
    answer.kind === 'scanned' && answer.delivery !== undefined
      ? [{ carrierCode, carrierRef, ...answer.delivery, isDelivery: true }]
      : [],
  )
}

/** All numbers of the shipment. */
function lookupOf(ticket: CancelTicket): Lookup {
  const { parcels } = ticket
  return parcels === undefined
    ? ticket
    : { ...ticket, parcelRefs: parcels.map(({ carrierRef }) => carrierRef) }
}
