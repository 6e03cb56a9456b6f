/**
 * The invariants at the end of a campaign. They use only the journal of the carrier, states, events and the
 * answers to callers. They do not assume that attempts exist, because a design without attempts must fail
 * them.
 */
import type { CarrierJournal, CarrierParcel, JournalEntry } from './processes/carrier-truth.ts'
import type { ShipmentRecord } from './record.ts'
import type { Invariant, Violation } from './violation.ts'

/** Describes what is wrong with a shipment; empty if nothing is. */
type Check = (record: ShipmentRecord) => readonly string[]

/** The violations of all shipments, and calls to the carrier for unknown parcels. */
export function findViolations(records: readonly ShipmentRecord[], { strays }: CarrierJournal): Violation[] {
  const found = records.flatMap((record) =>
    Object.entries(CHECKS).flatMap(([invariant, check]) =>
      check(record).map((what) => ({
        invariant: invariant as Invariant,
        shipmentId: record.called.plan.shipmentId,
        what,
      })),
    ),
  )
  return [...found, ...strays.map((what) => ({ invariant: 'ONE_KEY' as const, what }))]
}

/** What the parcels of a shipment are at the carrier, together. Undefined without a parcel. */
export function stateThere(
  parcels: readonly Pick<CarrierParcel, 'state'>[],
): CarrierParcel['state'] | 'partly cancelled' | undefined {
  const states = new Set(parcels.map(({ state }) => state))
  if (states.size > 1 && states.has('cancelled')) return 'partly cancelled'
  return (['scanned', 'cancelled', 'announced'] as const).find((state) => states.has(state))
}

function sameEnd({ row, parcels, attempts }: ShipmentRecord): string[] {
  if (row === undefined) return ['its row is gone']
  const here = row.state
  const there = stateThere(parcels)
  const found: string[] = []
  if (there === 'cancelled' && here !== 'cancelled') found.push(`cancelled at the carrier, ${here} here`)
  if (here === 'cancelled' && there !== undefined && there !== 'cancelled')
    found.push(`cancelled here, ${there} at the carrier`)
  if (here === 'in_transit' && !parcels.some(({ state }) => state === 'scanned'))
    found.push(`in transit here, ${there} at the carrier`)
  for (const { anomaly } of attempts) if (anomaly !== null) found.push(`an attempt is marked "${anomaly}"`)
  return found
}

/** Each parcel of a shipment with several, and the attempt and the alert of a partial cancellation. */
function eachParcel({ row, parcels, attempts, alerts }: ShipmentRecord): string[] {
  if (row === undefined || row.parcel_refs === null) return []
  const recorded = row.cancelled_refs ?? []
  const found = parcels.flatMap(({ number, state }) => {
    const isCancelled = state === 'cancelled'
    if (isCancelled === recorded.includes(number) || (isCancelled && row.state === 'in_transit')) return []
    return [`${number} is ${state} at the carrier, and ${isCancelled ? 'not ' : ''}recorded as cancelled`]
  })
  if (!isPartlyCancelled({ row, parcels })) return found
  const open = attempts.filter(({ phase }) => phase === 'pending').length
  if (open !== 1) found.push(`partly cancelled with ${open} open attempts`)
  if (!alerts.has('PARTLY_CANCELLED')) found.push('partly cancelled without an alert')
  return found
}

/** It stays open until a parcel is scanned or an operator settles it. */
function isPartlyCancelled({ row, parcels }: Pick<ShipmentRecord, 'row' | 'parcels'>): boolean {
  return row?.state === 'booked' && stateThere(parcels) === 'partly cancelled'
}

const ALLOWED_CHANGES = [
  'null draft',
  'draft booked',
  'draft cancelled',
  'booked cancelled',
  'booked in_transit',
]

function oneChange({ row, events, attempts }: ShipmentRecord): string[] {
  if (row === undefined) return []
  const found: string[] = []
  const cancels = events.filter(({ to_state }) => to_state === 'cancelled').length
  if (cancels !== (row.state === 'cancelled' ? 1 : 0))
    found.push(`${cancels} events say cancelled, it is ${row.state}`)
  let state: string | null = null
  for (const { from_state, to_state } of events) {
    if (from_state !== state || !ALLOWED_CHANGES.includes(`${from_state} ${to_state}`))
      found.push(`${from_state} -> ${to_state} after ${state}`)
    state = to_state
  }
  if (state !== row.state) found.push(`its last event is ${state}, it is ${row.state}`)
  // A booking that is found after the draft was cancelled increments the version without changing the state.
  const wasWithdrawn =
    events.at(-1)?.from_state === 'draft' && row.state === 'cancelled' && row.carrier_ref !== null
  const expected = events.length + (wasWithdrawn ? 1 : 0)
  if (row.version !== expected) found.push(`its version is ${row.version}, expected ${expected}`)
  if ((row.state === 'cancelled') !== (row.cancelled_at !== null))
    found.push('cancelled_at does not match its state')
  if (attempts.filter(({ phase }) => phase === 'accepted').length > 1)
    found.push('two attempts were accepted')
  return found
}

function noWrongAnswer({ called, row, parcels }: ShipmentRecord): string[] {
  const there = stateThere(parcels)
  const isCancelled = row?.state === 'cancelled' && (there === undefined || there === 'cancelled')
  const isCancelledAnywhere =
    row?.state === 'cancelled' || there === 'cancelled' || isPartlyCancelled({ row, parcels })
  return called.answers.flatMap(({ kind, caller, detail }) => {
    if (kind === 'cancelled' && !isCancelled)
      return [`caller ${caller} got 200; it is ${row?.state} here, ${there} at the carrier`]
    if (kind === 'refused' && isCancelledAnywhere)
      return [`caller ${caller} got 409 (${detail}); it is ${row?.state} here, ${there} at the carrier`]
    return []
  })
}

function noContradiction({ called }: ShipmentRecord): string[] {
  const kinds = new Set(called.answers.map(({ kind }) => kind))
  return kinds.has('cancelled') && kinds.has('refused') ? ['callers got both 200 and 409'] : []
}

/** The kinds of the answers to the owners' requests of one kind, and whether each request was answered. */
function answersTo({ called }: ShipmentRecord, ask: 'cancel' | 'book') {
  const { plan, answers, withoutAnswer } = called
  const isTheirs = (caller: number): boolean =>
    plan.callers[caller]?.accountId === plan.accountId && plan.callers[caller]?.ask === ask
  const kinds = new Set(answers.filter(({ caller }) => isTheirs(caller)).map(({ kind }) => kind))
  return { kinds, allAnswered: ![...withoutAnswer].some(isTheirs) }
}

/**
 * So long a replica repeats a begin statement whose result was lost. If it dies before, the cancellation may not
 * be recorded; see docs/cancellation.md#lost-results.
 */
const REPEATED_FOR_MS = 130_000

function pendingKept({ called, row, parcels, attempts }: ShipmentRecord): string[] {
  const { plan, answers, diedAt } = called
  if (isPartlyCancelled({ row, parcels })) return []
  const isOpen =
    (row?.state === 'draft' || row?.state === 'booked') && !attempts.some(({ phase }) => phase !== 'pending')
  if (!isOpen) return []
  const kept = answers.filter(({ kind, caller, origin, at }) => {
    const { accountId, ask } = plan.callers[caller] ?? {}
    const isTheirs = accountId === plan.accountId && ask === 'cancel'
    return isTheirs && kind === 'pending' && (attempts.length > 0 || diedAt(origin) - at > REPEATED_FOR_MS)
  })
  return kept.length === 0 ? [] : [`callers got 504; it is ${row.state} with ${attempts.length} attempts`]
}

function cancelCalls(parcels: readonly CarrierParcel[]): JournalEntry[] {
  return parcels.flatMap(({ journal }) => journal.filter(({ what }) => what === 'cancel called'))
}

function nothingSent(record: ShipmentRecord): string[] {
  const { row, parcels, booking } = record
  const onlyUnavailable = (ask: 'cancel' | 'book'): boolean => {
    const { kinds, allAnswered } = answersTo(record, ask)
    return allAnswered && kinds.size === 1 && kinds.has('unavailable')
  }
  const found: string[] = []
  const calls = cancelCalls(parcels).length
  if (onlyUnavailable('cancel') && (row?.state === 'cancelled' || calls > 0))
    found.push(
      `all got 503; it is ${row?.state} here, ${stateThere(parcels)} at the carrier after ${calls} calls`,
    )
  if (onlyUnavailable('book') && booking !== undefined)
    found.push(`all got 503 for the booking; the carrier booked ${booking.number}`)
  return found
}

function nobodyElse({ called, parcels, booking, attempts }: ShipmentRecord): string[] {
  const { plan, answers } = called
  const found: string[] = []
  const calls = cancelCalls(parcels).length
  const isPlainDraft = plan.parcels.length === 0 && plan.kind !== 'booking'
  if (isPlainDraft && (booking !== undefined || calls > 0)) found.push('the carrier was called for a draft')
  if (plan.kind === 'strangers' && calls + attempts.length > 0)
    found.push(
      `only strangers called, but there are ${calls} calls to the carrier, ${attempts.length} attempts`,
    )
  for (const { kind, caller, detail } of answers) {
    const isStranger = plan.callers[caller]?.accountId !== plan.accountId
    // In an outage of the database, Waybill does not learn whose shipment it is.
    if (isStranger && !['not found', 'unavailable', 'pending'].includes(kind))
      found.push(`stranger ${caller} got: ${kind} ${detail ?? ''}`)
    if (!isStranger && kind === 'not found') found.push(`owner ${caller} got: not found`)
  }
  return found
}

function oneKey({ row, parcels, attempts }: ShipmentRecord): string[] {
  const found = parcels.flatMap(({ number, journal }) => {
    const position = row?.parcel_refs?.indexOf(number)
    // At a shipment with several parcels, the key of each ends with its position.
    const suffix = position === undefined ? '' : `-${position + 1}`
    return keysOfParcel(journal, new Map(attempts.map((one) => [`${one.attempt_id}${suffix}`, one.sends])))
  })
  const calls = cancelCalls(parcels)
  for (const { attempt_id, phase } of attempts)
    if (phase !== 'pending' && !calls.some(({ key }) => key?.startsWith(attempt_id)))
      found.push(`attempt ${attempt_id} is ${phase}, but the carrier got no call with its key`)
  return found
}

/** `sends` has the recorded sends by key. */
function keysOfParcel(journal: readonly JournalEntry[], sends: ReadonlyMap<string, number>): string[] {
  const found: string[] = []
  const calls = new Map<string, number>()
  for (const { what, key = 'no key' } of journal)
    if (what === 'cancel called') calls.set(key, (calls.get(key) ?? 0) + 1)
  for (const [key, count] of calls) {
    const recorded = sends.get(key)
    if (recorded === undefined) found.push(`${count} calls with key ${key}, but no such attempt`)
    // A send is counted before it goes out, so the count may be higher but never lower than the number of
    // calls.
    else if (count > recorded)
      found.push(`${count} calls with key ${key}, but only ${recorded} recorded sends`)
  }
  const executed = journal.find(({ what }) => what === 'cancelled')
  for (const { what, key, at } of journal)
    if (what === 'cancel called' && executed !== undefined && at > executed.at && key !== executed.key)
      found.push(`a call with key ${key} after the execution with key ${executed.key}`)
  return found
}

function nothingLeft({ called, row, parcels, attempts }: ShipmentRecord): string[] {
  const found: string[] = []
  const staysOpen = isPartlyCancelled({ row, parcels })
  for (const { attempt_id, phase, verify_at } of attempts) {
    if (phase === 'pending' && !staysOpen) found.push(`attempt ${attempt_id} is pending`)
    if (phase === 'refused' && verify_at !== null)
      found.push(`the refusal of attempt ${attempt_id} has not been verified`)
  }
  if (row !== undefined && row.booking_until !== null) found.push('a booking is pending')
  for (const caller of called.unanswered) found.push(`caller ${caller} never got an answer`)
  return found
}

function knownAnswers({ called }: ShipmentRecord): string[] {
  return called.answers.flatMap(({ kind, caller, detail, origin }) =>
    kind === 'odd' ? [`caller ${caller} was answered by ${origin}: ${detail}`] : [],
  )
}

function controls({ called, row, parcels, events, attempts }: ShipmentRecord): string[] {
  const { kind, parcels: announced } = called.plan
  if (kind !== 'control' && kind !== 'strangers') return []
  const state = announced.length === 0 ? 'draft' : 'booked'
  const asPlanned =
    row?.state === state &&
    row.version === events.length &&
    events.at(-1)?.to_state === state &&
    attempts.length === 0 &&
    parcels.every((parcel) => parcel.state === 'announced')
  return asPlanned ? [] : [`it was untouched as ${state}, but is ${row?.state}, version ${row?.version}`]
}

function bookings({ called, row, booking, parcels: [parcel] }: ShipmentRecord): string[] {
  if (called.plan.kind !== 'booking' || row === undefined) return []
  const found: string[] = []
  if (booking !== undefined && row.carrier_ref !== booking.number)
    found.push(`the carrier booked ${booking.number}, but the row has ${row.carrier_ref}`)
  if (booking === undefined && row.carrier_ref !== null)
    found.push(`the row has ${row.carrier_ref}, but the carrier booked nothing`)
  if (row.state === 'cancelled' && parcel !== undefined && parcel.state !== 'cancelled')
    found.push(`cancelled here, and booking ${parcel.number} is ${parcel.state} at the carrier`)
  for (const { kind, caller, detail } of called.answers) {
    if (kind === 'booked' && detail !== row.carrier_ref)
      found.push(`caller ${caller} got booking ${detail}, but the row has ${row.carrier_ref}`)
    if (kind === 'not booked' && row.state !== 'cancelled')
      found.push(`caller ${caller} got "cannot be booked" (${detail}), but it is ${row.state}`)
  }
  return found
}

const CHECKS = {
  SAME_END: sameEnd,
  EACH_PARCEL: eachParcel,
  ONE_CHANGE: oneChange,
  NO_WRONG_ANSWER: noWrongAnswer,
  NO_CONTRADICTION: noContradiction,
  PENDING_KEPT: pendingKept,
  NOTHING_SENT: nothingSent,
  NOBODY_ELSE: nobodyElse,
  ONE_KEY: oneKey,
  NOTHING_LEFT: nothingLeft,
  KNOWN_ANSWERS: knownAnswers,
  CONTROLS: controls,
  BOOKINGS: bookings,
} satisfies Partial<Record<Invariant, Check>>
