/**
 * Shipments and attempts in memory for the tests of the operations. They follow the statements in
 * src/store/shipments/cancellation-statements.ts and bookings.ts, whose own tests run on PostgreSQL.
 */
import type {
  CancelBegun,
  CancelledBy,
  CancelTicket,
  CarrierRefusal,
  TicketParcel,
} from '../../src/core/shipments/cancellation.ts'
import type { NewDraftShipment } from '../../src/core/shipments/draft-shipment.ts'
import type { CancelAttemptPhase, Refusal, Shipment } from '../../src/core/shipments/shipment.ts'
import type { Scan } from '../../src/core/shipments/tracking.ts'
import type { DraftKey, KeyedDraft, ShipmentStore } from '../../src/operations/ports/shipments.ts'

/** A stored shipment with its account and the columns that recovery needs. Instants in milliseconds. */
export type StoredShipment = { -readonly [Key in keyof Shipment]: Shipment[Key] } & {
  accountId: string
  cancelledBy?: CancelledBy
  cancelledRefs?: string[]
  refusedAt?: number
  refusal?: Refusal
  bookingUntil?: number
  bookingTries?: number
  bookingNo?: number
  bookingLease?: string
  /** Set only while a draft is being booked. */
  cancelWantedAt?: number
  /** Absent: no lookup is due. */
  nextTrackAt?: number
  draft?: NewDraftShipment
  /** Set if the draft is suspect: the lineage in which it was found. */
  suspectLineage?: string
}

export type StoredAttempt = {
  attemptId: string
  shipmentId: string
  accountId: string
  carrierCode: string
  phase: CancelAttemptPhase
  fence: number
  /** A refusal that is in doubt, and when it arrived. */
  doubt?: { refusal: CarrierRefusal; at: number }
  /** By number. */
  parcels?: Record<
    string,
    {
      refusal?: CarrierRefusal
      doubt?: CarrierRefusal
      doubtedAt?: number
      unsent?: number
      isLater?: boolean
      isFound?: boolean
    }
  >
  sends: number
  begunAt: number
  owner?: string
  leaseUntil: number
  retryAt: number
  lastCause?: string
  refusal?: Refusal
  carrierRefusalCode?: string
  verifyAt?: number
  lookups: number
  anomaly?: string
  alerted?: boolean
  isPartAlerted?: boolean
}

/** What only a lookup has reported. */
export type StoredReport = {
  shipmentId: string
  accountId: string
  carrierCode: string
  reported: 'cancelled' | 'scanned'
  at: number
  carrierRef?: string
  verifyAt?: number
  contradiction?: string
}

/** A scan, with its shipment if that is known. */
export type StoredScan = Scan & { shipmentId?: string }

/** The data that all processes of a world share. */
export type Memory = {
  readonly shipments: Map<string, StoredShipment>
  readonly attempts: StoredAttempt[]
  readonly scans: StoredScan[]
  readonly reports: StoredReport[]
  /** Idempotency keys of drafts, by account and key. */
  readonly keys: Map<string, { readonly shipmentId: string; readonly input: string; readonly at: number }>
  /** Milliseconds since the start of the test. */
  now: number
}

export function openAttempt({ attempts }: Memory, shipmentId: string): StoredAttempt | undefined {
  return attempts.find((attempt) => attempt.shipmentId === shipmentId && attempt.phase === 'pending')
}

export function cancelInMemory({ now }: Memory, shipment: StoredShipment, cancelledBy: CancelledBy): void {
  shipment.state = 'cancelled'
  shipment.cancelledAt = new Date(now).toISOString()
  shipment.cancelledBy = cancelledBy
}

/** Records what only a lookup has reported. With `carrierRef`: the number that was scanned. */
export function reportInMemory(memory: Memory, shipment: StoredShipment, carrierRef?: string): void {
  const { shipmentId, accountId, carrierCode } = shipment
  memory.reports.push({
    ...{ shipmentId, accountId, carrierCode, at: memory.now, verifyAt: memory.now + 60_000 },
    ...(carrierRef === undefined ? { reported: 'cancelled' } : { reported: 'scanned', carrierRef }),
  })
}

/** Stores a new attempt without a lease. */
export function newAttempt(memory: Memory, shipment: StoredShipment): StoredAttempt {
  const attempt: StoredAttempt = {
    attemptId: `attempt-${memory.attempts.length + 1}`,
    shipmentId: shipment.shipmentId,
    accountId: shipment.accountId,
    carrierCode: shipment.carrierCode,
    phase: 'pending',
    fence: 0,
    sends: 0,
    begunAt: memory.now,
    leaseUntil: 0,
    retryAt: 0,
    lookups: 0,
  }
  memory.attempts.push(attempt)
  return attempt
}

/** Takes over the lease of an attempt, and counts a send. */
export function takeOver(
  memory: Memory,
  attempt: StoredAttempt,
  owner: string,
  leaseMs: number,
): CancelTicket {
  attempt.fence += 1
  if (attempt.doubt === undefined) attempt.sends += 1
  attempt.owner = owner
  attempt.leaseUntil = memory.now + leaseMs
  attempt.retryAt = attempt.leaseUntil
  return ticketFor(memory, attempt)
}

export function ticketFor(memory: Memory, attempt: StoredAttempt): CancelTicket {
  const { attemptId, shipmentId, accountId, carrierCode, fence, sends, begunAt } = attempt
  const { carrierRef = '', parcelRefs, cancelledRefs = [] } = memory.shipments.get(shipmentId) ?? {}
  const shipmentDoubt = attempt.doubt
  return {
    ...{ attemptId, shipmentId, accountId, carrierCode, carrierRef, fence, sends },
    ageMs: memory.now - begunAt,
    ...(attempt.doubt !== undefined && {
      doubt: { refusal: attempt.doubt.refusal, ageMs: memory.now - attempt.doubt.at },
    }),
    ...(parcelRefs !== undefined && {
      parcels: parcelRefs.map((number): TicketParcel => {
        const {
          refusal,
          doubt = number === carrierRef ? shipmentDoubt?.refusal : undefined,
          doubtedAt = shipmentDoubt?.at ?? 0,
          unsent = 0,
          isLater,
          isFound,
        } = attempt.parcels?.[number] ?? {}
        return {
          ...{ carrierRef: number, isCancelled: cancelledRefs.includes(number), unsent },
          ...(isLater === true && { isLater }),
          ...(isFound === true && { isFound }),
          ...(refusal !== undefined && { refusal }),
          ...(doubt !== undefined && { doubt: { refusal: doubt, ageMs: memory.now - doubtedAt } }),
        }
      }),
    }),
    ...(attempt.isPartAlerted === true && { isPartAlerted: true }),
  }
}

/** The shipment store of one process. */
export function shipmentStoreOf(memory: Memory, owner: string): ShipmentStore {
  const { shipments } = memory
  return {
    ...bookingOf(memory, owner),
    ...confirmingOf(memory),
    ...beginningOf(memory, owner),
    ...settlingOf(memory, owner),
    find: async (accountId, shipmentId) => {
      const shipment = shipmentOf(memory, accountId, shipmentId)
      return shipment && { ...shipment }
    },
    findMany: async () => [],
    list: async () => ({ kind: 'Page', edges: [], hasNextPage: false, hasPreviousPage: false }),
    count: async () => 0,
    contentSizes: async () => new Map(),
    contents: async () => [],
    attempts: async () => [],
    trackingEvents: async () => new Map(),
    draftUsage: async (accountId) => {
      const unbooked = [...shipments.values()].filter(
        (shipment) =>
          shipment.accountId === accountId && shipment.draft !== undefined && !shipment.carrierRef,
      )
      return {
        count: unbooked.length,
        bytes: unbooked.reduce((sum, { draft }) => sum + JSON.stringify(draft?.parcels).length, 0),
      }
    },
    pricedRequest: async (accountId, shipmentId) => shipmentOf(memory, accountId, shipmentId)?.draft,
    expireDrafts: async (keptDays, limit) => {
      const due = [...shipments.values()].filter(
        ({ draft, carrierRef, createdAt }) =>
          draft !== undefined && !carrierRef && Date.parse(createdAt) < memory.now - keptDays * 86_400_000,
      )
      for (const shipment of due.slice(0, limit)) {
        delete shipment.draft
        if (shipment.state === 'draft') cancelInMemory(memory, shipment, 'draft')
      }
      return Math.min(limit, due.length)
    },
    insertDraft: async (accountId, draft) => insertInMemory(memory, accountId, draft),
    keyedDraft: async (accountId, key) => keyedDraftOf(memory, accountId, key),
    insertKeyedDraft: async (accountId, key, draft) => {
      const earlier = keyedDraftOf(memory, accountId, key)
      if (earlier !== undefined) return earlier
      const { shipmentId } = insertInMemory(memory, accountId, draft)
      memory.keys.set(JSON.stringify([accountId, key.key]), { shipmentId, input: key.input, at: memory.now })
      return { shipment: { ...shipments.get(shipmentId)! }, isSameInput: true, isNew: true }
    },
    expireDraftKeys: async (limit) => {
      const due = [...memory.keys].filter(([, { at }]) => at < memory.now - 86_400_000).slice(0, limit)
      for (const [key] of due) memory.keys.delete(key)
      return due.length
    },
  }
}

function insertInMemory(
  { shipments, now }: Memory,
  accountId: string,
  draft: NewDraftShipment,
): StoredShipment {
  const { productId, carrierCode, from, to, priceCents, services } = draft
  const createdAt = new Date(now).toISOString()
  const [code = '', versionNo] = draft.rateCardVersion.split('@')
  const shipment: StoredShipment = {
    ...{ shipmentId: `shp_new${shipments.size}`, accountId, state: 'draft', draft },
    ...(services !== undefined && { services }),
    ...{ productId, carrierCode, from, to, priceCents, createdAt, updatedAt: createdAt },
    rateCardVersion: { code, versionNo: Number(versionNo) },
  }
  shipments.set(shipment.shipmentId, shipment)
  return shipment
}

function keyedDraftOf(
  { shipments, keys, now }: Memory,
  accountId: string,
  { key, input }: DraftKey,
): KeyedDraft | undefined {
  const found = keys.get(JSON.stringify([accountId, key]))
  if (found === undefined || found.at < now - 86_400_000) return undefined
  return {
    shipment: { ...shipments.get(found.shipmentId)! },
    isSameInput: found.input === input,
    isNew: false,
  }
}

function shipmentOf(
  { shipments }: Memory,
  accountId: string,
  shipmentId: string,
): StoredShipment | undefined {
  const shipment = shipments.get(shipmentId)
  return shipment?.accountId === accountId ? shipment : undefined
}

/** Whether a draft has a booking that began and has not ended. */
function beingBooked({ state, bookingUntil }: StoredShipment): boolean {
  return state === 'draft' && bookingUntil !== undefined
}

let leases = 0

/** A different text on every call, as every lease ends at another microsecond. */
export function newLease(): string {
  leases += 1
  return `lease ${leases}`
}

function bookingOf(
  memory: Memory,
  owner: string,
): Pick<ShipmentStore, 'beginBooking' | 'markBooked' | 'settleBooking'> {
  return {
    beginBooking: async (accountId, shipmentId, { mayOpen, leaseMs, bookingNo }) => {
      const shipment = shipmentOf(memory, accountId, shipmentId)
      if (shipment === undefined) return undefined
      const { state, bookingUntil } = shipment
      const isLeased = bookingUntil !== undefined && bookingUntil > memory.now
      const earlier = isLeased ? 'working' : bookingUntil === undefined ? 'none' : 'waiting'
      const before = shipment.bookingNo ?? 0
      const begun = mayOpen && state === 'draft' && !isLeased && before === (bookingNo ?? before)
      if (begun) {
        shipment.bookingNo = before + 1
        shipment.bookingUntil = memory.now + leaseMs
        shipment.bookingTries = (shipment.bookingTries ?? 0) + 1
        shipment.bookingLease = newLease()
      }
      const { bookingTries = 0, bookingLease = '' } = shipment
      const given = begun ? { tries: bookingTries, lease: bookingLease } : { tries: 0, lease: '' }
      return { shipment: { ...shipment }, begun, earlier, bookingNo: before, ...given }
    },
    markBooked: async (accountId, shipmentId, carrierRef, leaseMs, parcelRefs) => {
      const shipment = shipmentOf(memory, accountId, shipmentId)
      if (shipment === undefined) return undefined
      const booked = shipment.state === 'draft'
      const orphan = shipment.state === 'cancelled' && shipment.carrierRef === undefined
      const withdraws = orphan || (booked && shipment.cancelWantedAt !== undefined)
      if (booked) shipment.state = 'booked'
      if (booked || orphan) {
        shipment.carrierRef = carrierRef
        if (parcelRefs !== undefined) shipment.parcelRefs = parcelRefs
        delete shipment.bookingUntil
        delete shipment.cancelWantedAt
      }
      const withdrawal = withdraws
        ? takeOver(memory, newAttempt(memory, shipment), owner, leaseMs)
        : undefined
      return {
        ...{ state: shipment.state, booked },
        ...(shipment.carrierRef !== undefined && { carrierRef: shipment.carrierRef }),
        ...(withdrawal !== undefined && { withdrawal }),
      }
    },
    settleBooking: async (accountId, shipmentId, lease, retryInMs, wasAsked = true) => {
      const shipment = shipmentOf(memory, accountId, shipmentId)
      if (shipment?.bookingUntil === undefined || shipment.carrierRef !== undefined) return
      if (shipment.bookingLease !== lease) return
      const { suspectLineage, cancelWantedAt } = shipment
      if (
        retryInMs === undefined &&
        !wasAsked &&
        cancelWantedAt !== undefined &&
        suspectLineage !== undefined
      )
        return
      delete shipment.bookingLease
      if (retryInMs !== undefined) shipment.bookingUntil = memory.now + retryInMs
      else {
        const wanted = shipment.cancelWantedAt !== undefined
        delete shipment.bookingUntil
        delete shipment.cancelWantedAt
        shipment.bookingTries = 0
        if (wanted) cancelInMemory(memory, shipment, 'draft')
      }
    },
  }
}

function confirmingOf(memory: Memory): Pick<ShipmentStore, 'confirmDraft'> {
  return {
    confirmDraft: async ({ accountId, shipmentId, lineage }) => {
      const shipment = shipmentOf(memory, accountId, shipmentId)
      if (shipment?.suspectLineage === lineage) delete shipment.suspectLineage
    },
  }
}

function beginningOf(
  memory: Memory,
  owner: string,
): Pick<ShipmentStore, 'beginCancellation' | 'cancelProgress'> {
  const open = (shipment: StoredShipment, leaseMs: number): CancelTicket | undefined => {
    const attempt = openAttempt(memory, shipment.shipmentId) ?? newAttempt(memory, shipment)
    return attempt.leaseUntil > memory.now ? undefined : takeOver(memory, attempt, owner, leaseMs)
  }
  const recentOf = ({ refusedAt, refusal }: StoredShipment, memoryMs: number) =>
    refusedAt !== undefined && refusedAt > memory.now - memoryMs ? refusal : undefined
  return {
    beginCancellation: async (accountId, shipmentId, { mayOpen, leaseMs, refusalMemoryMs }) => {
      const shipment = shipmentOf(memory, accountId, shipmentId)
      if (shipment === undefined) return undefined
      const { suspectLineage: lineage } = shipment
      if (shipment.state === 'draft' && !beingBooked(shipment) && lineage !== undefined) {
        const suspectDraft = { accountId, shipmentId, carrierCode: shipment.carrierCode, lineage }
        return { state: 'draft', draftCancelled: false, suspectDraft }
      }
      const draftCancelled = shipment.state === 'draft' && !beingBooked(shipment)
      if (draftCancelled) cancelInMemory(memory, shipment, 'draft')
      if (beingBooked(shipment)) shipment.cancelWantedAt ??= memory.now
      const { state, cancelledBy } = shipment
      const recentRefusal = recentOf(shipment, refusalMemoryMs)
      const asks = state === 'booked' && recentRefusal === undefined
      const earlier = openAttempt(memory, shipmentId)
      const isLeased = earlier !== undefined && earlier.leaseUntil > memory.now
      const ticket = asks && mayOpen ? open(shipment, leaseMs) : undefined
      const { carrierCode, carrierRef = '' } = shipment
      const cancellable =
        asks && ticket === undefined && !isLeased
          ? { accountId, carrierCode, carrierRef, attemptIsOpen: earlier !== undefined }
          : undefined
      const begun: CancelBegun = {
        ...{ state, draftCancelled },
        ...(cancelledBy !== undefined && { cancelledBy }),
        ...(recentRefusal !== undefined && { recentRefusal }),
        ...(ticket !== undefined && { ticket }),
        ...(cancellable !== undefined && { cancellable }),
      }
      return begun
    },
    cancelProgress: async (accountId, shipmentId, refusalMemoryMs) => {
      const shipment = shipmentOf(memory, accountId, shipmentId)
      if (shipment === undefined) return undefined
      const attempt = openAttempt(memory, shipmentId)
      const leased = attempt?.owner !== undefined && attempt.leaseUntil > memory.now
      const working = leased || beingBooked(shipment)
      const { state, cancelledBy } = shipment
      const recentRefusal = recentOf(shipment, refusalMemoryMs)
      return {
        ...{ state, attempt: working ? 'working' : attempt === undefined ? 'none' : 'waiting' },
        ...(attempt !== undefined && { dueInMs: attempt.retryAt - memory.now }),
        ...(cancelledBy !== undefined && { cancelledBy }),
        ...(recentRefusal !== undefined && { recentRefusal }),
      }
    },
  }
}

type Settling = Pick<
  ShipmentStore,
  | 'acceptCancellation'
  | 'refuseCancellation'
  | 'releaseCancellation'
  | 'recordParcel'
  | 'recordPartAlert'
  | 'releaseLeases'
>

function settlingOf(memory: Memory, owner: string): Settling {
  const { attempts, shipments } = memory
  const attemptWithLease = ({ attemptId, fence }: CancelTicket) =>
    attempts.find((one) => one.attemptId === attemptId && one.fence === fence && one.phase === 'pending')
  const putBack = (attempt: StoredAttempt, waitMs: number, retryInMs: number, cause: string) => {
    delete attempt.owner
    attempt.leaseUntil = memory.now + waitMs
    attempt.retryAt = memory.now + retryInMs
    attempt.lastCause = cause
  }
  return {
    acceptCancellation: async ({ attemptId, shipmentId }, cancelledBy, verifyInMs, isFound) => {
      const shipment = shipments.get(shipmentId)
      if (shipment === undefined) throw new Error('no such attempt')
      const attempt = attempts.find((one) => one.attemptId === attemptId && one.phase !== 'accepted')
      if (attempt === undefined) return shipment.state
      attempt.phase = 'accepted'
      if (verifyInMs === undefined) delete attempt.verifyAt
      else attempt.verifyAt = memory.now + verifyInMs
      if (shipment.state === 'in_transit') attempt.anomaly = 'carrier accepted, shipment in transit'
      if (shipment.state === 'booked') {
        cancelInMemory(memory, shipment, cancelledBy)
        if (isFound === true) reportInMemory(memory, shipment)
      }
      return shipment.state
    },
    refuseCancellation: async (ticket, refusal, carrierRefusalCode, verifyInMs) => {
      const attempt = attemptWithLease(ticket)
      const shipment = shipments.get(ticket.shipmentId)
      if (attempt === undefined || shipment === undefined) return undefined
      const known = (ticket.parcels ?? []).filter(({ isCancelled }) => isCancelled)
      const isNews = (number: string) => !known.some(({ carrierRef }) => carrierRef === number)
      if (shipment.cancelledRefs?.some(isNews) === true) return undefined
      Object.assign(attempt, { phase: 'refused', refusal, carrierRefusalCode })
      if (attempt.sends > 1 && verifyInMs !== undefined) attempt.verifyAt = memory.now + verifyInMs
      if (shipment.state === 'cancelled') attempt.anomaly = 'carrier refused, shipment is cancelled here'
      Object.assign(shipment, { refusedAt: memory.now, refusal })
      return shipment.state
    },
    releaseCancellation: async (ticket, { cause, times, unsent, doubt }) => {
      const attempt = attemptWithLease(ticket)
      if (attempt === undefined) return undefined
      if (unsent === true && attempt.owner !== undefined) attempt.sends -= 1
      if (doubt !== undefined) attempt.doubt ??= { refusal: doubt, at: memory.now }
      putBack(attempt, times.callerWaitMs, times.retryInMs, cause)
      return shipments.get(ticket.shipmentId)?.state
    },
    recordParcel: async (ticket, carrierRef, result) => {
      const attempt = attempts.find((one) => one.attemptId === ticket.attemptId)
      const shipment = shipments.get(ticket.shipmentId)
      if (attempt === undefined || shipment === undefined) throw new Error('no such attempt')
      if (result.kind === 'cancelled')
        shipment.cancelledRefs = [...new Set([...(shipment.cancelledRefs ?? []), carrierRef])]
      const isCounted = result.kind === 'cancelled' || attempt.fence === ticket.fence
      if (attempt.phase === 'pending' && isCounted) {
        attempt.parcels ??= {}
        const parcel = attempt.parcels[carrierRef] ?? {}
        attempt.parcels[carrierRef] = parcel
        if (result.kind === 'cancelled') {
          if (result.isLater) parcel.isLater = true
          if (result.isFound === true) parcel.isFound = true
        } else if (result.kind === 'refused') parcel.refusal = result.refusal
        else if (result.kind === 'unsent') parcel.unsent = result.total
        else if (parcel.doubt === undefined)
          Object.assign(parcel, { doubt: result.refusal, doubtedAt: memory.now })
      }
      return attempt.phase
    },
    recordPartAlert: async ({ attemptId }) => {
      const attempt = attempts.find((one) => one.attemptId === attemptId)
      if (attempt !== undefined) attempt.isPartAlerted = true
    },
    releaseLeases: async () => {
      const leased = attempts.filter((attempt) => attempt.phase === 'pending' && attempt.owner === owner)
      for (const attempt of leased) putBack(attempt, 0, 0, 'shutdown')
      return leased.length
    },
  }
}
