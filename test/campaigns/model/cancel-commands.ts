/** Commands that cancel and book, with any ticket ever issued. */
import fc from 'fast-check'
import type { ParcelResult } from '../../../src/core/shipments/parcels.ts'
import { NotExecuted } from '../../../src/operations/ports/shipments.ts'
import { BEGIN_VALID_MS } from '../../../src/store/shipments/cancellations.ts'
import { NUMBERS, numbersFrom } from './beginnings.ts'
import {
  accept,
  attemptsOf,
  begin,
  beginBooking,
  leaseOf,
  markBooked,
  progress,
  recordParcel,
  recordPartAlert,
  refuse,
  release,
  releaseLeases,
  settleBooking,
} from './cancelling.ts'
import {
  aboutOf,
  chosen,
  commandsOf,
  hasTickets,
  leaseMs,
  MEMORY_MS,
  owner,
  target,
  ticketChoice,
  ticketOf,
} from './command.ts'
import { expectSame } from './rows.ts'
import { asRead, CARRIERS, COMMON, owned, shipmentOf } from './state.ts'

const times = fc.record({
  retryInMs: fc.constantFrom(1, 1_000, 5_000),
  callerWaitMs: fc.constantFrom(1, 1_000, 5_000),
})
const memoryMs = fc.constantFrom(MEMORY_MS, MEMORY_MS, MEMORY_MS, 1)
const mayOpen = fc.constantFrom(true, true, true, false)
/** How long before its execution a statement that begins was made. */
const delayMs = fc.constantFrom(0, 0, 0, BEGIN_VALID_MS - 1, BEGIN_VALID_MS, 40_000)
const LATE = 'late' as const
/** Placeholder if the database returned no attempt id. */
const NO_ID = 'no id'

const beginCancellation = commandsOf({
  name: 'begin',
  weight: 4,
  args: fc.record({ target, owner, leaseMs, refusalMemoryMs: memoryMs, mayOpen, delayMs }),
  async run(model, { processes, delay }, { target: choice, owner: who, delayMs: late, ...terms }) {
    const about = aboutOf(model, choice)
    const { shipments } = processes[who]!
    // A result tells the process the time of the database. This one changes nothing.
    const other = model.shipments.find(({ state }) => state !== 'draft')
    if (other !== undefined)
      await shipments.beginCancellation(other.accountId, other.id, { ...terms, mayOpen: false })
    const delayedMs = other === undefined ? 0 : late
    delay(delayedMs)
    const begun = shipments.beginCancellation(about.accountId, about.shipmentId, terms)
    const found = await begun.catch((error) => {
      if (error instanceof NotExecuted) return LATE
      throw error
    })
    // Another account's shipment is not found, however late the statement is.
    const isLate =
      delayedMs >= BEGIN_VALID_MS && owned(model, about.accountId, about.shipmentId) !== undefined
    if (isLate || found === LATE) return expectSame('late begin', found, isLate ? LATE : 'in time')
    const newId = found?.ticket?.attemptId ?? NO_ID
    expectSame('begin', found, begin(model, about, who, terms, newId))
  },
})

const cancelProgress = commandsOf({
  name: 'cancelProgress',
  args: fc.record({ target, memoryMs }),
  async run(model, { processes }, { target: choice, memoryMs: memory }) {
    const about = aboutOf(model, choice)
    const { shipments } = processes['process-a']!
    const found = await shipments.cancelProgress(about.accountId, about.shipmentId, memory)
    expectSame('cancelProgress', found, progress(model, about, memory))
  },
})

const acceptCancellation = commandsOf({
  name: 'accept',
  weight: 2,
  args: fc.record({
    ticket: ticketChoice,
    by: fc.constantFrom('carrier', 'release'),
    verifyInMs: fc.constantFrom(undefined, 1, 60_000),
    isFound: fc.boolean(),
  }),
  ready: hasTickets,
  async run(model, { processes }, { ticket: choice, by, verifyInMs, isFound }) {
    const ticket = ticketOf(model, choice)
    const { shipments } = processes['process-a']!
    const found = await shipments.acceptCancellation(ticket, by, verifyInMs, isFound)
    expectSame('accept', found, accept(model, ticket, by, verifyInMs, isFound))
  },
})

const refuseCancellation = commandsOf({
  name: 'refuse',
  weight: 3,
  args: fc.record({
    ticket: ticketChoice,
    code: fc.constantFrom('SCANNED', 'WINDOW_CLOSED'),
    verifyInMs: fc.constantFrom(undefined, 1, 60_000),
  }),
  ready: hasTickets,
  async run(model, { processes }, { ticket: choice, code, verifyInMs }) {
    const ticket = ticketOf(model, choice)
    const refusal = { code, reason: 'The carrier says no' }
    const { shipments } = processes['process-a']!
    const found = await shipments.refuseCancellation(ticket, refusal, 'C-17', verifyInMs)
    expectSame('refuse', found, refuse(model, ticket, refusal, 'C-17', verifyInMs))
  },
})

const releaseCancellation = commandsOf({
  name: 'release',
  weight: 4,
  args: fc.record({
    ticket: ticketChoice,
    times,
    end: fc.constantFrom('unconfirmed', 'unsent', 'doubt', 'other doubt'),
  }),
  ready: hasTickets,
  async run(model, { processes }, { ticket: choice, times: args, end }) {
    const ticket = ticketOf(model, choice)
    // A ticket with a doubt has not counted a send, so none is subtracted.
    const unsent = end === 'unsent' && ticket.doubt === undefined
    const terms = {
      cause: 'HTTP 503',
      times: args,
      unsent,
      ...(end === 'doubt' && { doubt: REFUSAL }),
      ...(end === 'other doubt' && { doubt: OTHER_REFUSAL }),
    }
    const found = await processes['process-a']!.shipments.releaseCancellation(ticket, terms)
    expectSame('release', found, release(model, ticket, terms))
  },
})

const OTHER_REFUSAL = { kind: 'refused', reason: 'SCANNED', code: 'X10', message: 'Too late' } as const
const REFUSAL = { kind: 'refused', reason: 'UNKNOWN_PARCEL', code: 'X9', message: 'No such parcel' } as const

const parcelResult: fc.Arbitrary<ParcelResult> = fc.oneof(
  fc.record({ kind: fc.constant('cancelled'), isLater: fc.boolean(), isFound: fc.boolean() }),
  fc.record({ kind: fc.constant('refused'), refusal: fc.constantFrom(REFUSAL, OTHER_REFUSAL) }),
  fc.record({ kind: fc.constant('doubted'), refusal: fc.constantFrom(REFUSAL, OTHER_REFUSAL) }),
  fc.record({ kind: fc.constant('unsent'), total: fc.integer({ min: 1, max: 3 }) }),
)

const recordOneParcel = commandsOf({
  name: 'recordParcel',
  weight: 4,
  args: fc.record({
    ticket: ticketChoice,
    /** A position among the numbers of the shipment, or any number. */
    parcel: fc.oneof(fc.nat(2), fc.nat(2), fc.nat(2), fc.constantFrom(...NUMBERS)),
    result: parcelResult,
  }),
  ready: hasTickets,
  async run(model, { processes }, { ticket: choice, parcel, result }) {
    const ticket = ticketOf(model, choice)
    const { carrierRef, parcelRefs } = shipmentOf(model, ticket.shipmentId)
    const numbers = parcelRefs ?? [carrierRef ?? NUMBERS[0]]
    const number = typeof parcel === 'string' ? parcel : numbers[parcel % numbers.length]!
    const { shipments } = processes['process-a']!
    const found = await shipments.recordParcel(ticket, number, result).catch((error: Error) => {
      if (error.message === `attempt ${ticket.attemptId} does not exist`) return undefined
      throw error
    })
    expectSame('recordParcel', found, recordParcel(model, ticket, number, result))
  },
})

const alertParts = commandsOf({
  name: 'recordPartAlert',
  args: fc.record({ ticket: ticketChoice }),
  ready: hasTickets,
  async run(model, { processes }, { ticket: choice }) {
    const ticket = ticketOf(model, choice)
    await processes['process-a']!.shipments.recordPartAlert(ticket)
    recordPartAlert(model, ticket)
  },
})

const giveUpLeases = commandsOf({
  name: 'releaseLeases',
  args: fc.record({ owner }),
  async run(model, { processes }, { owner: who }) {
    expectSame('releaseLeases', await processes[who]!.shipments.releaseLeases(), releaseLeases(model, who))
  },
})

const beginToBook = commandsOf({
  name: 'beginBooking',
  weight: 2,
  args: fc.record({ target, leaseMs, mayOpen, bookingsSince: fc.constantFrom(undefined, 0, 1) }),
  async run(model, { processes }, { target: choice, bookingsSince, ...given }) {
    const about = aboutOf(model, choice)
    const bookingNo = chosen(model, choice).bookingNo - (bookingsSince ?? 0)
    const terms = bookingsSince === undefined ? given : { ...given, bookingNo }
    const { shipments } = processes['process-a']!
    const found = await shipments.beginBooking(about.accountId, about.shipmentId, terms)
    expectSame('beginBooking', found, beginBooking(model, about, terms))
  },
})

const mark = commandsOf({
  name: 'markBooked',
  weight: 2,
  args: fc.record({
    ...{ target, owner, leaseMs },
    number: fc.constantFrom(...NUMBERS),
    count: fc.constantFrom(1, 1, 2, 3),
  }),
  async run(model, { processes }, { target: choice, owner: who, leaseMs: lease, number, count }) {
    const about = aboutOf(model, choice)
    const { shipments } = processes[who]!
    const numbers = numbersFrom(number, count)
    const several = count > 1 ? numbers : undefined
    const found = await shipments.markBooked(about.accountId, about.shipmentId, number, lease, several)
    const newId = found?.withdrawal?.attemptId ?? NO_ID
    expectSame('markBooked', found, markBooked(model, about, numbers, { owner: who, leaseMs: lease }, newId))
  },
})

const settle = commandsOf({
  name: 'settleBooking',
  weight: 2,
  args: fc.record({
    target,
    olderByMs: fc.constantFrom(0, 0, 0, 1),
    retryInMs: fc.constantFrom(undefined, 1, 5_000),
  }),
  async run(model, { processes }, { target: choice, olderByMs, retryInMs }) {
    const about = aboutOf(model, choice)
    const lease = leaseOf((chosen(model, choice).bookingUntil ?? model.now) - olderByMs)
    const { shipments } = processes['process-a']!
    expectSame(
      'settleBooking',
      await shipments.settleBooking(about.accountId, about.shipmentId, lease, retryInMs),
      settleBooking(model, about, lease, retryInMs),
    )
  },
})

const read = commandsOf({
  name: 'read',
  args: fc.record({ target }),
  async run(model, { processes }, { target: choice }) {
    const { accountId, shipmentId } = aboutOf(model, choice)
    const { shipments } = processes['process-a']!
    const ids = [...model.shipments.map(({ id }) => id), 'not-there']
    const ownedShipment = owned(model, accountId, shipmentId)
    expectSame('find', await shipments.find(accountId, shipmentId), ownedShipment && asRead(ownedShipment))
    const byId = (a: { shipmentId: string }, b: { shipmentId: string }) =>
      a.shipmentId < b.shipmentId ? -1 : 1
    expectSame(
      'findMany',
      [...(await shipments.findMany(accountId, ids))].sort(byId),
      model.shipments
        .filter((one) => one.accountId === accountId)
        .map(asRead)
        .sort(byId),
    )
    expectSame('attempts', await shipments.attempts(accountId, ids), attemptsOf(model, accountId, ids))
  },
})

const insertDraft = commandsOf({
  name: 'insertDraft',
  args: fc.record({ carrierCode: fc.constantFrom(...CARRIERS) }),
  // At most one draft, because the order of two random ids is not defined.
  ready: ({ shipments }) => !shipments.some(({ id }) => id.startsWith('shp_')),
  async run(model, { processes }, { carrierCode }) {
    const { shipments } = processes['process-a']!
    // The account of the first shipment.
    const { accountId } = model.shipments[0]!
    const found = await shipments.insertDraft(accountId, { ...DRAFT, carrierCode })
    const id = found.shipmentId
    model.shipments.push({
      ...{ id, accountId, carrierCode, state: 'draft', carrierRef: null, createdAt: model.now },
      ...{ parcelRefs: null, cancelledRefs: null },
      ...{ bookedAt: null, cancelledAt: null, cancelledBy: null, refusedAt: null, refusal: null },
      ...{ refusalCode: null, bookingUntil: null, bookingTries: 0, bookingNo: 0, wantedAt: null },
      ...{
        nextTrackAt: model.now,
        scheduledAt: model.now,
        requestedAt: model.now,
        deliveredAt: null,
        updatedAt: null,
        version: 1,
      },
    })
    model.events.push({ shipmentId: id, from: null, to: 'draft', at: model.now, attempt: null })
    expectSame('insertDraft', found, asRead(model.shipments.at(-1)!))
  },
})

const DRAFT = {
  ...COMMON,
  parcelType: 'NONDOC',
  parcels: [],
  recipient: 'business',
  rateCardVersion: 'model@1',
} as const

/** The commands by the names that sequences and mutants use. */
export const CANCEL_COMMANDS = {
  begin: beginCancellation,
  cancelProgress,
  accept: acceptCancellation,
  refuse: refuseCancellation,
  release: releaseCancellation,
  recordParcel: recordOneParcel,
  recordPartAlert: alertParts,
  releaseLeases: giveUpLeases,
  beginBooking: beginToBook,
  markBooked: mark,
  settleBooking: settle,
  read,
  insertDraft: insertDraft,
}
