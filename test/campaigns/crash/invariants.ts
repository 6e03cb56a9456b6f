/**
 * What must hold at the end, whatever died. Decided here: each invariant is judged by the carrier's journal, the states
 * and events, and what callers were told; none takes it for granted that attempts exist, since a design without them
 * has to fail here.
 */
import type { CarrierJournal } from './processes/carrier-truth.ts'
import type { ShipmentRecord } from './record.ts'
import type { Invariant, Violation } from './violation.ts'

/** Says what is wrong with a shipment, if anything. */
type Check = (record: ShipmentRecord) => readonly string[]

/** Every breach of every shipment, and of what nobody announced to the carrier. */
export function findViolations(records: readonly ShipmentRecord[], { strays }: CarrierJournal): Violation[] {
  const found = records.flatMap((record) =>
    Object.entries(CHECKS).flatMap(([invariant, check]) =>
      check(record).map((what) => ({
        invariant: invariant as Invariant,
        shipmentId: record.asked.plan.shipmentId,
        what,
      })),
    ),
  )
  return [...found, ...strays.map((what) => ({ invariant: 'ONE_KEY' as const, what }))]
}

function sameEnd({ row, parcel, attempts }: ShipmentRecord): string[] {
  if (row === undefined) return ['its row is gone']
  const here = row.state
  const there = parcel?.state
  const found: string[] = []
  if (there === 'cancelled' && here !== 'cancelled') found.push(`cancelled at the carrier, ${here} here`)
  if (here === 'cancelled' && parcel !== undefined && there !== 'cancelled')
    found.push(`cancelled here, ${there} at the carrier`)
  if (here === 'in_transit' && there !== 'scanned') found.push(`in transit here, ${there} at the carrier`)
  for (const { anomaly } of attempts) if (anomaly !== null) found.push(`an attempt is marked "${anomaly}"`)
  return found
}

const LAWFUL = ['null draft', 'draft booked', 'draft cancelled', 'booked cancelled', 'booked in_transit']

function oneChange({ row, events, attempts }: ShipmentRecord): string[] {
  if (row === undefined) return []
  const found: string[] = []
  const cancels = events.filter(({ to_state }) => to_state === 'cancelled').length
  if (cancels !== (row.state === 'cancelled' ? 1 : 0))
    found.push(`${cancels} events say cancelled, it is ${row.state}`)
  let state: string | null = null
  for (const { from_state, to_state } of events) {
    if (from_state !== state || !LAWFUL.includes(`${from_state} ${to_state}`))
      found.push(`${from_state} -> ${to_state} after ${state}`)
    state = to_state
  }
  if (state !== row.state) found.push(`its last event is ${state}, it is ${row.state}`)
  // A booking that comes to light after the draft was cancelled changes the row once more, but not its state.
  const wasWithdrawn =
    events.at(-1)?.from_state === 'draft' && row.state === 'cancelled' && row.carrier_ref !== null
  const expected = events.length + (wasWithdrawn ? 1 : 0)
  if (row.version !== expected) found.push(`its version is ${row.version}, not ${expected}`)
  if ((row.state === 'cancelled') !== (row.cancelled_at !== null))
    found.push('cancelled_at does not fit its state')
  if (attempts.filter(({ phase }) => phase === 'accepted').length > 1)
    found.push('two attempts were accepted')
  return found
}

function noWrongAnswer({ asked, row, parcel }: ShipmentRecord): string[] {
  const isCancelled = row?.state === 'cancelled' && (parcel === undefined || parcel.state === 'cancelled')
  return asked.told.flatMap(({ kind, caller, detail }) => {
    if (kind === 'cancelled' && !isCancelled)
      return [`caller ${caller} got 200; it is ${row?.state} here, ${parcel?.state} at the carrier`]
    if (kind === 'refused' && (row?.state === 'cancelled' || parcel?.state === 'cancelled'))
      return [
        `caller ${caller} got 409 (${detail}); it is ${row?.state} here, ${parcel?.state} at the carrier`,
      ]
    return []
  })
}

function noContradiction({ asked }: ShipmentRecord): string[] {
  const kinds = new Set(asked.told.map(({ kind }) => kind))
  return kinds.has('cancelled') && kinds.has('refused') ? ['callers got both 200 and 409'] : []
}

function nobodyElse({ asked, parcel, booking, attempts }: ShipmentRecord): string[] {
  const { plan, told } = asked
  const found: string[] = []
  const calls = parcel?.journal.filter(({ what }) => what === 'cancel asked').length ?? 0
  const isPlainDraft = plan.parcel === undefined && plan.kind !== 'booking'
  if (isPlainDraft && (booking !== undefined || calls > 0)) found.push('the carrier was asked for a draft')
  if (plan.kind === 'strangers' && calls + attempts.length > 0)
    found.push(
      `strangers alone asked, yet there are ${calls} calls to the carrier, ${attempts.length} attempts`,
    )
  for (const { kind, caller, detail } of told) {
    const isStranger = plan.callers[caller]?.accountId !== plan.accountId
    if (isStranger && kind !== 'not found' && kind !== 'unavailable')
      found.push(`stranger ${caller} was told: ${kind} ${detail ?? ''}`)
    if (!isStranger && kind === 'not found') found.push(`owner ${caller} was told: not found`)
  }
  return found
}

function oneKey({ parcel, attempts }: ShipmentRecord): string[] {
  const found: string[] = []
  const calls = new Map<string, number>()
  for (const { what, key = 'no key' } of parcel?.journal ?? [])
    if (what === 'cancel asked') calls.set(key, (calls.get(key) ?? 0) + 1)
  const sends = new Map(attempts.map((attempt) => [attempt.attempt_id, attempt.sends]))
  for (const [key, count] of calls) {
    const onRecord = sends.get(key)
    if (onRecord === undefined) found.push(`${count} calls with key ${key}, of which there is no attempt`)
    // Each send is counted before it goes out, so that there may be more on record but never fewer.
    else if (count > onRecord) found.push(`${count} calls with key ${key}, ${onRecord} on record`)
  }
  for (const { attempt_id, phase } of attempts)
    if (phase !== 'pending' && !calls.has(attempt_id))
      found.push(`attempt ${attempt_id} is ${phase}, and the carrier was never asked under its key`)
  return found
}

function nothingLeft({ asked, row, attempts }: ShipmentRecord): string[] {
  const found: string[] = []
  for (const { attempt_id, phase, verify_at } of attempts) {
    if (phase === 'pending') found.push(`attempt ${attempt_id} is pending`)
    if (verify_at !== null) found.push(`the refusal of attempt ${attempt_id} has not been looked into`)
  }
  if (row !== undefined && row.booking_until !== null) found.push('a booking is pending')
  for (const caller of asked.unanswered) found.push(`caller ${caller} waited to the end without an answer`)
  return found
}

function knownAnswers({ asked }: ShipmentRecord): string[] {
  return asked.told.flatMap(({ kind, caller, detail, origin }) =>
    kind === 'odd' ? [`caller ${caller} was answered by ${origin}: ${detail}`] : [],
  )
}

function controls({ asked, row, parcel, events, attempts }: ShipmentRecord): string[] {
  const { kind, parcel: announced } = asked.plan
  if (kind !== 'control' && kind !== 'strangers') return []
  const state = announced === undefined ? 'draft' : 'booked'
  const asPlanned =
    row?.state === state &&
    row.version === events.length &&
    events.at(-1)?.to_state === state &&
    attempts.length === 0 &&
    (parcel?.state ?? 'announced') === 'announced'
  return asPlanned ? [] : [`it was left alone as ${state}, and is ${row?.state}, version ${row?.version}`]
}

function bookings({ asked, row, booking, parcel }: ShipmentRecord): string[] {
  if (asked.plan.kind !== 'booking' || row === undefined) return []
  const found: string[] = []
  if (booking !== undefined && row.carrier_ref !== booking.number)
    found.push(`the carrier booked ${booking.number}, on record is ${row.carrier_ref}`)
  if (booking === undefined && row.carrier_ref !== null)
    found.push(`${row.carrier_ref} is on record, and the carrier booked nothing`)
  if (row.state === 'cancelled' && parcel !== undefined && parcel.state !== 'cancelled')
    found.push(`cancelled here, and booking ${parcel.number} is ${parcel.state} at the carrier`)
  for (const { kind, caller, detail } of asked.told) {
    if (kind === 'booked' && detail !== row.carrier_ref)
      found.push(`caller ${caller} was told of booking ${detail}, on record is ${row.carrier_ref}`)
    if (kind === 'not booked' && row.state !== 'cancelled')
      found.push(`caller ${caller} was told that it cannot be booked (${detail}), and it is ${row.state}`)
  }
  return found
}

const CHECKS = {
  SAME_END: sameEnd,
  ONE_CHANGE: oneChange,
  NO_WRONG_ANSWER: noWrongAnswer,
  NO_CONTRADICTION: noContradiction,
  NOBODY_ELSE: nobodyElse,
  ONE_KEY: oneKey,
  NOTHING_LEFT: nothingLeft,
  KNOWN_ANSWERS: knownAnswers,
  CONTROLS: controls,
  BOOKINGS: bookings,
} satisfies Partial<Record<Invariant, Check>>
