/** Random initial states of sequences: shipments in any state, with attempts, events and scans. */
import fc from 'fast-check'
import {
  ACCOUNTS,
  CARRIERS,
  hasNumber,
  type Model,
  type ModelAttempt,
  type ModelParcel,
  type ModelShipment,
  noteScan,
  OWNERS,
  START,
} from './state.ts'

/** Few tracking numbers, so that they collide, since carriers reuse them. */
export const NUMBERS = ['R0', 'R1', 'R2'] as const
export type ModelNumber = (typeof NUMBERS)[number]

/** So many different numbers, `first` first. */
export function numbersFrom(first: ModelNumber, count: number): readonly string[] {
  const start = NUMBERS.indexOf(first)
  return [...NUMBERS.slice(start), ...NUMBERS.slice(0, start)].slice(0, count)
}

const KINDS = [
  'draft',
  'draft being booked',
  'draft being booked that is to be cancelled',
  'booked',
  'booked long ago',
  'booked before that was recorded',
  'in transit',
  'cancelled draft',
  'cancelled while it was booked',
  'cancelled by its carrier',
] as const
type Kind = (typeof KINDS)[number]

const DAY_MS = 86_400_000
const BOOKED_AGO_MS = 500
/** Milliseconds from the start of the clock; negative ones are in the past. */
const offset = fc.constantFrom(-1_000, 0, 1, 5_000)

const REFUSAL = { kind: 'refused', reason: 'WINDOW_CLOSED', code: 'X8', message: 'Closed' } as const
const PARCEL_RECORDS = {
  nothing: null,
  refusal: { refusal: REFUSAL, unsent: 1 },
  doubt: { doubt: { refusal: REFUSAL, at: START } },
  later: { isLater: true },
  found: { isFound: true },
} as const satisfies Readonly<Record<string, ModelParcel | null>>

/** Initial state of one shipment. */
type ShipmentFacts = {
  readonly kind: Kind
  readonly account: (typeof ACCOUNTS)[number]
  readonly carrier: (typeof CARRIERS)[number]
  readonly number: ModelNumber
  readonly parcelCount: number
  /** The positions of the parcels that are cancelled. */
  readonly cancelledParcels: readonly number[]
  /** What the attempt records about the last of several parcels. */
  readonly lastParcel: keyof typeof PARCEL_RECORDS
  readonly createdAgoMs: number
  readonly trackIn: number
  readonly bookingIn: number
  readonly refusedAgoMs: number | null
  readonly attempt: 'none' | 'open' | 'refused' | 'refused twice'
  readonly owner: (typeof OWNERS)[number] | null
  readonly leaseIn: number
  readonly tryIn: number
  readonly verifyIn: number | null
  readonly fence: number
  readonly sends: number
  readonly begunAgoMs: number
}

const shipmentFacts: fc.Arbitrary<ShipmentFacts> = fc.record({
  kind: fc.constantFrom(...KINDS, 'booked', 'booked', 'booked'),
  account: fc.constantFrom(ACCOUNTS[0], ACCOUNTS[0], ACCOUNTS[1]),
  carrier: fc.constantFrom(CARRIERS[0], CARRIERS[0], CARRIERS[1]),
  number: fc.constantFrom(...NUMBERS),
  parcelCount: fc.constantFrom(1, 1, 1, 2, 3),
  cancelledParcels: fc.constantFrom([], [], [], [0], [1], [2, 0], [0, 1, 2]),
  lastParcel: fc.constantFrom('nothing', 'refusal', 'refusal', 'doubt', 'later', 'found'),
  createdAgoMs: fc.constantFrom(1_000, 1_000, DAY_MS),
  trackIn: offset,
  bookingIn: offset,
  refusedAgoMs: fc.constantFrom(null, null, 0, 29_999, 30_000),
  attempt: fc.constantFrom('none', 'open', 'open', 'refused', 'refused twice'),
  owner: fc.constantFrom(null, ...OWNERS),
  leaseIn: offset,
  tryIn: offset,
  verifyIn: fc.constantFrom(null, -1_000, 0, 1, 60_000),
  fence: fc.integer({ min: 1, max: 2 }),
  sends: fc.integer({ min: 1, max: 2 }),
  begunAgoMs: fc.constantFrom(0, 899_999, 900_000),
})

/** An earlier scan, of a shipment with its number or not yet matched. */
type ScanFacts = {
  readonly owned: boolean
  readonly carrier: (typeof CARRIERS)[number]
  readonly number: ModelNumber
  readonly agoMs: number
}

const scanFacts: fc.Arbitrary<ScanFacts> = fc.record({
  owned: fc.boolean(),
  carrier: fc.constantFrom(CARRIERS[0], CARRIERS[0], CARRIERS[1]),
  number: fc.constantFrom(...NUMBERS),
  agoMs: fc.constantFrom(0, DAY_MS, 90 * DAY_MS + BOOKED_AGO_MS, 180 * DAY_MS),
})

export type Beginning = { readonly shipments: readonly ShipmentFacts[]; readonly scans: readonly ScanFacts[] }

/** One to four shipments, and up to two scans. */
export const beginnings: fc.Arbitrary<Beginning> = fc.record({
  shipments: fc.array(shipmentFacts, { minLength: 1, maxLength: 4, size: 'max' }),
  scans: fc.array(scanFacts, { maxLength: 2, size: 'max' }),
})

/** The model at the start of its clock. Open attempts have tickets, including stale ones. */
export function newModel({ shipments, scans }: Beginning): Model {
  const model: Model = {
    ...{
      now: START,
      shipments: [],
      attempts: [],
      events: [],
      scans: [],
      anomalies: new Map(),
      reports: [],
      tickets: [],
    },
    everCancelled: new Set(),
  }
  for (const [index, facts] of shipments.entries()) {
    const shipment = shipmentOf(`m${index}`, facts)
    model.shipments.push(shipment)
    recordHistory(model, shipment)
    if (shipment.carrierRef === null || facts.attempt === 'none') continue
    const id = `00000000-0000-4000-8000-00000000000${index}`
    if (facts.attempt === 'refused twice')
      model.attempts.push({ ...attemptOf(`1${id.slice(1)}`, shipment, facts), begunAt: START - 2 * DAY_MS })
    const attempt = attemptOf(id, shipment, facts)
    model.attempts.push(attempt)
    const { accountId, carrierCode, carrierRef } = shipment
    for (let fence = 1; fence <= attempt.fence; fence++)
      model.tickets.push({
        ...{ attemptId: attempt.id, shipmentId: shipment.id, accountId, carrierCode, carrierRef },
        ...{ fence, sends: attempt.sends, ageMs: facts.begunAgoMs },
      })
  }
  for (const [index, { owned, carrier: carrierCode, number: carrierRef, agoMs }] of scans.entries()) {
    const hasParcel = (one: ModelShipment): boolean =>
      owned && one.carrierCode === carrierCode && hasNumber(one, carrierRef)
    const owner = model.shipments.find(hasParcel)
    model.scans.push({
      ...{ carrierCode, carrierRef, eventId: `e${index}` },
      ...{ occurredAt: START - agoMs, receivedAt: START },
      ...{ accountId: owner?.accountId ?? '', receipts: 1, shipmentId: owner?.id ?? null },
      isDelivery: false,
    })
  }
  for (const scan of model.scans) noteScan(model, scan)
  return model
}

const HAS_NUMBER: readonly Kind[] = [
  'booked',
  'booked long ago',
  'booked before that was recorded',
  'in transit',
  'cancelled by its carrier',
]

function shipmentOf(id: string, facts: ShipmentFacts): ModelShipment {
  const { kind, account, carrier, number, createdAgoMs, refusedAgoMs, bookingIn } = facts
  const state = kind.startsWith('in transit') ? 'in_transit' : kind.split(' ')[0]
  const isNumbered = HAS_NUMBER.includes(kind)
  const parcelRefs = isNumbered && facts.parcelCount > 1 ? numbersFrom(number, facts.parcelCount) : null
  const bookedAgoMs = kind === 'booked long ago' ? 30 * DAY_MS : BOOKED_AGO_MS
  const refused = isNumbered && refusedAgoMs !== null
  return {
    ...{ id, accountId: account, carrierCode: carrier, state: state as ModelShipment['state'] },
    carrierRef: isNumbered ? number : null,
    parcelRefs,
    cancelledRefs: parcelRefs && cancelledAmong(parcelRefs, state === 'cancelled', facts),
    createdAt: START - createdAgoMs,
    bookedAt: isNumbered && kind !== 'booked before that was recorded' ? START - bookedAgoMs : null,
    cancelledAt: state === 'cancelled' ? START - 100 : null,
    // Not recorded before the migration that added the column.
    cancelledBy: state === 'cancelled' && bookingIn > 0 ? (isNumbered ? 'carrier' : 'draft') : null,
    refusedAt: refused ? START - refusedAgoMs : null,
    refusal: refused ? 'Too late' : null,
    refusalCode: refused && bookingIn > 0 ? 'WINDOW_CLOSED' : null,
    bookingUntil: /being booked|while it was booked/.test(kind) ? START + bookingIn : null,
    bookingTries: /being booked|while it was booked/.test(kind) ? 1 : 0,
    bookingNo: /being booked|while it was booked/.test(kind) ? 1 : 0,
    wantedAt: kind === 'draft being booked that is to be cancelled' ? START - 200 : null,
    nextTrackAt: START + (state === 'in_transit' ? DAY_MS : facts.trackIn),
    scheduledAt: START,
    requestedAt: START + (state === 'in_transit' ? DAY_MS : facts.trackIn),
    deliveredAt: null,
    updatedAt: null,
    version: 1,
  }
}

function cancelledAmong(
  parcelRefs: readonly string[],
  areAll: boolean,
  { cancelledParcels }: ShipmentFacts,
): readonly string[] | null {
  if (areAll) return parcelRefs
  const cancelled = cancelledParcels.flatMap((position) => parcelRefs[position] ?? [])
  return cancelled.length > 0 ? cancelled : null
}

function recordHistory(model: Model, { id: shipmentId, state, carrierRef, createdAt }: ModelShipment): void {
  const booked = carrierRef === null ? [] : (['booked'] as const)
  const last = state === 'draft' || state === 'booked' ? [] : [state]
  const states = ['draft', ...booked, ...last] as const
  for (const [index, to] of states.entries())
    model.events.push({ shipmentId, from: states[index - 1] ?? null, to, at: createdAt, attempt: null })
}

function attemptOf(id: string, shipment: ModelShipment, facts: ShipmentFacts): ModelAttempt {
  const { fence, sends, verifyIn, leaseIn, tryIn, begunAgoMs } = facts
  const open = facts.attempt === 'open' && shipment.state !== 'cancelled'
  return {
    ...{ id, shipmentId: shipment.id, accountId: shipment.accountId, carrierCode: shipment.carrierCode },
    ...{ fence, sends, phase: open ? 'pending' : 'refused', owner: open ? facts.owner : null },
    ...{ begunAt: START - begunAgoMs, leaseUntil: START + leaseIn, nextTryAt: START + tryIn },
    verifyAt: open || verifyIn === null ? null : START + verifyIn,
    settledAt: open ? null : START - 50,
    reason: open ? null : 'No',
    refusalCode: open || sends === 1 ? null : 'NOT_CANCELLABLE',
    ...{
      carrierRefusalCode: null,
      lastCause: null,
      lookups: 0,
      alertedAt: null,
      partlyAlertedAt: null,
      promised: false,
      doubt: null,
      parcels: recordsOf(shipment, facts),
      anomaly: null,
    },
  }
}

function recordsOf(
  { parcelRefs }: ModelShipment,
  { lastParcel }: ShipmentFacts,
): Readonly<Record<string, ModelParcel>> | null {
  const record = PARCEL_RECORDS[lastParcel]
  const number = parcelRefs?.at(-1)
  return record === null || number === undefined ? null : { [number]: record }
}
