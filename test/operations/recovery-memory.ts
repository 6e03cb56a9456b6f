/**
 * The recovery store and the tracking store in memory. They follow the statements in
 * src/store/shipments/recovery.ts and tracking.ts, whose own tests run on PostgreSQL.
 */
import { groupBy } from '../../src/core/group-by.ts'
import type {
  ClaimRoom,
  DueWork,
  Lookup,
  RecoveryStore,
  TrackingStore,
  WorkKind,
} from '../../src/operations/ports/recovery.ts'
import {
  cancelInMemory,
  type Memory,
  newAttempt,
  newLease,
  openAttempt,
  reportInMemory,
  type StoredAttempt,
  type StoredReport,
  type StoredShipment,
  takeOver,
  ticketFor,
} from './shipment-memory.ts'

/** The recovery store of one process. */
export function recoveryStoreOf(memory: Memory, owner: string): RecoveryStore {
  const { attempts, shipments } = memory
  const isDue = (instant: number | undefined) => instant !== undefined && instant <= memory.now
  const open = (attempt: StoredAttempt) => attempt.phase === 'pending' && isDue(attempt.retryAt)
  const unverified = (attempt: StoredAttempt) => isDue(attempt.verifyAt)
  const unconfirmed = (report: StoredReport) => isDue(report.verifyAt)
  const underWay = (shipment: StoredShipment) => isDue(shipment.bookingUntil)
  const unseen = (shipment: StoredShipment) =>
    (shipment.state === 'booked' ||
      (shipment.state === 'in_transit' && shipment.deliveredAt === undefined)) &&
    isDue(shipment.nextTrackAt)
  return {
    dueWork: async (countedUpTo) => {
      const kept = [...shipments.values()]
      const due = [
        ...counted('attempts', attempts.filter(open)),
        ...counted('verifications', attempts.filter(unverified)),
        ...counted('reports', memory.reports.filter(unconfirmed)),
        ...counted('bookings', kept.filter(underWay)),
        ...counted('lookups', kept.filter(unseen)),
      ]
      return due.map((one) => ({ ...one, count: Math.min(one.count, countedUpTo) }))
    },
    claimAttempts: async (rooms, leaseMs) => {
      const free = attempts.filter((attempt) => open(attempt) && isDue(attempt.leaseUntil))
      return within(rooms, free).map((attempt) => takeOver(memory, attempt, owner, leaseMs))
    },
    claimVerifications: async (rooms, leaseMs) =>
      within(rooms, attempts.filter(unverified)).map((attempt) => {
        attempt.verifyAt = memory.now + leaseMs
        attempt.lookups += 1
        const phase = attempt.phase === 'accepted' ? 'accepted' : 'refused'
        return { phase, ticket: ticketFor(memory, attempt), lookups: attempt.lookups }
      }),
    settleVerification: async ({ phase, ticket: { attemptId } }, againInMs, anomaly) => {
      const attempt = attempts.find((one) => one.attemptId === attemptId && one.phase === phase)
      if (attempt === undefined) return
      if (againInMs === undefined) delete attempt.verifyAt
      else attempt.verifyAt = memory.now + againInMs
      if (anomaly !== undefined) attempt.anomaly = anomaly
    },
    claimReports: async (rooms, leaseMs) =>
      within(rooms, memory.reports.filter(unconfirmed)).map((report) => {
        report.verifyAt = memory.now + leaseMs
        const { shipmentId, accountId, carrierCode, reported } = report
        const { carrierRef = '', parcelRefs } = shipments.get(shipmentId) ?? {}
        const numbers = report.carrierRef === undefined ? parcelRefs : undefined
        const lookup = {
          ...{ shipmentId, accountId, carrierCode, carrierRef: report.carrierRef ?? carrierRef },
          ...(numbers !== undefined && { parcelRefs: numbers }),
        }
        return { reported, lookup, ageMs: memory.now - report.at }
      }),
    settleReport: async ({ lookup: { shipmentId } }, againInMs, contradiction) => {
      const report = memory.reports.find((one) => one.shipmentId === shipmentId)
      if (report === undefined) return
      if (againInMs === undefined) delete report.verifyAt
      else report.verifyAt = memory.now + againInMs
      if (contradiction !== undefined) report.contradiction = contradiction
    },
    claimBookings: async (rooms, leaseMs) =>
      within(rooms, [...shipments.values()].filter(underWay)).map((shipment) => {
        shipment.bookingUntil = memory.now + leaseMs
        shipment.bookingTries = (shipment.bookingTries ?? 0) + 1
        const lease = newLease()
        shipment.bookingLease = lease
        const { accountId, bookingTries: tries } = shipment
        return { shipment: { ...shipment }, accountId, tries, lease }
      }),
    claimLookups: async (rooms, everyMs, { inTransitEveryMs } = {}) =>
      within(rooms, [...shipments.values()].filter(unseen)).flatMap((shipment) => {
        const afterMs = shipment.state === 'booked' ? everyMs : inTransitEveryMs
        if (afterMs === undefined) delete shipment.nextTrackAt
        else shipment.nextTrackAt = memory.now + afterMs
        return afterMs === undefined ? [] : lookupOf(shipment)
      }),
    eraseShipments: async () => 0,
    overdueAttempts: async (ageMs) =>
      attempts
        .filter(
          ({ phase, alerted, begunAt }) => phase === 'pending' && !alerted && begunAt <= memory.now - ageMs,
        )
        .map((attempt) => {
          const { attemptId, shipmentId, carrierCode, sends, begunAt, lastCause } = attempt
          return { attemptId, shipmentId, carrierCode, sends, ageMs: memory.now - begunAt, lastCause }
        }),
    recordOverdueAlerts: async (attemptIds) => {
      for (const attempt of attempts) if (attemptIds.includes(attempt.attemptId)) attempt.alerted = true
    },
  }
}

type Row = { readonly carrierCode: string; readonly accountId: string }

/** The number of rows by carrier and account. */
function counted(work: WorkKind, rows: readonly Row[]): DueWork[] {
  const keyOf = ({ carrierCode, accountId }: Row) => JSON.stringify([carrierCode, accountId])
  return [...groupBy(rows, keyOf).values()].flatMap((group) =>
    group.slice(0, 1).map(({ carrierCode, accountId }) => ({
      ...{ work, carrierCode, accountId, count: group.length },
    })),
  )
}

/** The first rows of each carrier and account, as many as its room allows. */
function within<One extends Row>(rooms: readonly ClaimRoom[], all: One[]): One[] {
  return rooms.flatMap(({ carrierCode, accountId, room }) =>
    all.filter((one) => one.carrierCode === carrierCode && one.accountId === accountId).slice(0, room),
  )
}

function lookupOf(shipment: StoredShipment): Lookup {
  const { shipmentId, accountId, carrierCode, carrierRef = '', parcelRefs, cancelledRefs } = shipment
  const left = parcelRefs?.filter((number) => cancelledRefs?.includes(number) !== true)
  return {
    ...{ shipmentId, accountId, carrierCode, carrierRef },
    ...(left !== undefined && left.length > 0 && { parcelRefs: left }),
  }
}

/** Refuses the attempt of a partly cancelled shipment when a refused parcel is scanned. */
function endIfRefused(memory: Memory, shipment: StoredShipment, carrierRef: string): void {
  const attempt = openAttempt(memory, shipment.shipmentId)
  const refusal = attempt?.parcels?.[carrierRef]?.refusal
  const { parcelRefs = [], cancelledRefs = [] } = shipment
  if (attempt === undefined || refusal === undefined || cancelledRefs.length === 0) return
  if (cancelledRefs.includes(carrierRef)) return
  const isDecided = (number: string) =>
    cancelledRefs.includes(number) || attempt.parcels?.[number]?.refusal !== undefined
  if (!parcelRefs.every(isDecided)) return
  const { reason: code, message: reason, code: carrierRefusalCode } = refusal
  Object.assign(attempt, { phase: 'refused', refusal: { code, reason }, carrierRefusalCode })
}

/** In the order of accounts and ids. */
function placeOf({ accountId, shipmentId }: Pick<Lookup, 'accountId' | 'shipmentId'>): string {
  return `${accountId} ${shipmentId}`
}

/** The tracking store that all processes share. */
export function trackingStoreOf(memory: Memory): TrackingStore {
  const { shipments, scans } = memory
  const bookedUnder = (carrierCode: string, carrierRef: string) =>
    [...shipments.values()].find(
      (one) =>
        one.carrierCode === carrierCode &&
        (one.carrierRef === carrierRef || one.parcelRefs?.includes(carrierRef) === true) &&
        one.state !== 'draft',
    )
  return {
    recordScan: async (scan, isFound) => {
      const shipment = bookedUnder(scan.carrierCode, scan.carrierRef)
      const known = scans.find((one) => one.carrierRef === scan.carrierRef && one.eventId === scan.eventId)
      const stored = known ?? { ...scan }
      if (known === undefined) scans.push(stored)
      if (shipment === undefined) return 'unmatched'
      stored.shipmentId = shipment.shipmentId
      if (shipment.state === 'cancelled' && known === undefined) return 'anomaly'
      const report = memory.reports.find((one) => one.shipmentId === shipment.shipmentId)
      if (report?.reported === 'scanned' && (known === undefined || isFound !== true)) delete report.verifyAt
      if (shipment.state !== 'booked') return 'known'
      shipment.state = 'in_transit'
      const others = scans.filter((one) => one.shipmentId === shipment.shipmentId && one !== stored)
      if (isFound === true && others.length === 0) reportInMemory(memory, shipment, scan.carrierRef)
      endIfRefused(memory, shipment, scan.carrierRef)
      return 'moved'
    },
    recordDelivery: async ({ carrierCode, carrierRef }) => {
      const shipment = bookedUnder(carrierCode, carrierRef)
      if (shipment?.state !== 'in_transit' || shipment.deliveredAt !== undefined) return
      const numbers = shipment.parcelRefs ?? [shipment.carrierRef]
      const deliveries = numbers.map((number) =>
        scans.find((one) => one.carrierRef === number && one.isDelivery === true),
      )
      const latest = deliveries.map((one) => one?.at ?? '').sort()
      if (latest[0] !== '') Object.assign(shipment, { deliveredAt: latest.at(-1) })
    },
    applyUnmatchedScans: async ({ carrierCode, carrierRef }) => {
      const shipment = bookedUnder(carrierCode, carrierRef)
      const kept = scans.filter((one) => one.carrierRef === carrierRef && one.shipmentId === undefined)
      if (shipment === undefined || kept.length === 0) return
      for (const scan of kept) scan.shipmentId = shipment.shipmentId
      if (shipment.state === 'booked') shipment.state = 'in_transit'
    },
    recordCancelledAtCarrier: async ({ shipmentId }) => {
      const shipment = shipments.get(shipmentId)
      if (shipment?.state !== 'booked' || openAttempt(memory, shipmentId) !== undefined) return false
      Object.assign(newAttempt(memory, shipment), {
        phase: 'accepted',
        anomaly: 'found cancelled at the carrier',
      })
      cancelInMemory(memory, shipment, 'carrier')
      reportInMemory(memory, shipment)
      return true
    },
    bookedAfter: async (place, size) =>
      [...shipments.values()]
        .filter((one) => one.state === 'booked' && placeOf(one) > placeOf(place))
        .sort((left, right) => (placeOf(left) < placeOf(right) ? -1 : 1))
        .slice(0, size)
        .map(lookupOf),
    forgetUnmatchedScans: async () => 0,
  }
}
