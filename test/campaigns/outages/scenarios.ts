/**
 * The directed scenarios: each puts one fault between two steps of the protocol. Timings vary with the seed.
 * A scenario returns what is wrong; see judge.ts. README.md lists them.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { cancelNow, lookNow, lookUpAs, NOTHING_TO_CANCEL, type Reply, UNAVAILABLE } from './carrier.ts'
import { judge } from './judge.ts'
import { type Stage, type TestReplica, TIMES } from './stage.ts'

export type Scenario = (stage: Stage) => Promise<string[]>

/** Half of them are for one account. */
const SLOTS = 8
/** How long a call waits for a slot. */
const SLOT_WAIT_MS = 1_000

const BEGIN_CANCELLATION = 'before shipments.beginCancellation'
const BEGIN_BOOKING = 'before shipments.beginBooking'

/** Fills all slots of the account. The returned function lets the calls end. */
async function fillSlots(stage: Stage, replica: TestReplica): Promise<() => Promise<void>> {
  let release = (): void => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  let hanging = 0
  const answers: Promise<unknown>[] = []
  for (let slot = 0; slot < SLOTS / 2; slot += 1) {
    const shipmentId = await stage.booked({
      async cancel(parcel) {
        hanging += 1
        await released
        return cancelNow(parcel)
      },
    })
    answers.push(replica.ask('cancel', shipmentId))
  }
  while (hanging < SLOTS / 2) await pause(10)
  return async () => {
    release()
    await Promise.all(answers)
  }
}

function slotsFull(fault: 'answers held' | 'stall'): Scenario {
  return async (stage) => {
    const { dice } = stage
    const replica = await stage.replica({ slots: { slots: SLOTS, waitMs: SLOT_WAIT_MS } })
    const freeSlots = await fillSlots(stage, replica)
    const asked = replica.ask('cancel', await stage.booked())
    await pause(dice.int(100, SLOT_WAIT_MS - 200))
    replica.link.fail(fault)
    await asked
    await pause(dice.int(0, 1_000))
    replica.link.heal(dice.pick(['deliver', 'lose']))
    await freeSlots()
    return [...reached(replica.link.heldAnswers() > 0 || fault === 'stall'), ...(await judge(stage))]
  }
}

/** The slots become free before, during or after the pause. */
async function processPaused(stage: Stage): Promise<string[]> {
  const { dice } = stage
  const replica = await stage.replica({ slots: { slots: SLOTS, waitMs: SLOT_WAIT_MS } })
  const freeSlots = await fillSlots(stage, replica)
  const asked = replica.ask('cancel', await stage.booked())
  await pause(dice.int(100, SLOT_WAIT_MS - 200))
  const frozen = replica.freeze(TIMES.deadlineMs + dice.int(200, 1_200))
  const isFreedMeanwhile = dice.chance(0.3)
  const freed = isFreedMeanwhile ? pause(dice.int(100, 2_000)).then(freeSlots) : undefined
  await frozen
  await asked
  await (freed ?? freeSlots())
  return judge(stage)
}

async function circuitOpen(stage: Stage): Promise<string[]> {
  const { dice } = stage
  const replica = await stage.replica()
  const parcels = await Promise.all(
    Array.from({ length: 9 }, () => {
      return stage.booked({ cancel: (parcel, nth) => (nth === 1 ? UNAVAILABLE : cancelNow(parcel)) })
    }),
  )
  const shipmentId = await stage.booked()
  await Promise.all(parcels.map((id) => replica.ask('cancel', id)))
  const held = replica.hold(['before shipments.withdrawCancellation', 'before shipments.cancelProgress'])
  const asked = replica.ask('cancel', shipmentId)
  await held
  replica.link.fail('answers held')
  replica.go()
  while (replica.link.heldAnswers() === 0) await pause(5)
  await pause(dice.int(20, 200))
  replica.link.heal('lose')
  replica.link.fail('reset')
  await pause(dice.int(600, 1_500))
  replica.link.heal('lose')
  await asked
  return judge(stage, { settleMs: 40_000 })
}

async function followerAtDeadline(stage: Stage): Promise<string[]> {
  const { dice } = stage
  const slow = await stage.replica({ slots: { slots: SLOTS, waitMs: SLOT_WAIT_MS } })
  const follower = await stage.replica()
  const freeSlots = await fillSlots(stage, slow)
  const shipmentId = await stage.booked()
  const asked = slow.ask('cancel', shipmentId)
  await pause(dice.int(100, SLOT_WAIT_MS - 400))
  const frozen = slow.freeze(TIMES.deadlineMs + dice.int(400, 900))
  await pause(50)
  await follower.ask('cancel', shipmentId)
  await frozen
  await asked
  await freeSlots()
  return judge(stage)
}

/** The holder stops after it has begun, so the follower's time ends. */
async function holderPaused(stage: Stage): Promise<string[]> {
  const { dice } = stage
  const holder = await stage.replica()
  const follower = await stage.replica()
  const shipmentId = await stage.booked()
  const held = holder.hold(['before carriers.cancel'])
  const asked = holder.ask('cancel', shipmentId)
  await held
  await follower.ask('cancel', shipmentId)
  // Before or after the end of the lease.
  await pause(dice.int(0, TIMES.leaseMs))
  holder.go()
  await asked
  return judge(stage)
}

type BeginFault = 'result lost' | 'statement lost'

/** A cancellation, the cancellation of a draft and a booking, all at the same moment. */
function beginFails(fault: BeginFault): Scenario {
  return async (stage) => {
    const { dice } = stage
    const replica = await stage.replica()
    const booked = await stage.booked()
    const cancelledDraft = await stage.draft()
    const bookedDraft = await stage.draft()
    // A probe begins nothing, except for a draft, which it cancels.
    const isProbe = dice.chance(0.3)
    const probes = isProbe ? [`${BEGIN_CANCELLATION} (probe)`, `${BEGIN_BOOKING} (probe)`] : []
    const points = [BEGIN_CANCELLATION, `${BEGIN_CANCELLATION} (probe) of ${cancelledDraft}`, BEGIN_BOOKING]
    const held = replica.hold([...points, ...probes], 3)
    const draftAsked = replica.ask('cancel', cancelledDraft)
    const others = [replica.ask('cancel', booked), replica.ask('book', bookedDraft)]
    await held
    replica.link.fail(fault === 'result lost' ? 'answers held' : 'stall')
    replica.go()
    await pause(dice.int(fault === 'result lost' ? 2_600 : 300, 4_000))
    replica.link.heal('lose')
    await Promise.all([draftAsked, ...others])
    return judge(stage)
  }
}

/** No connection can be had, so 503 is expected and nothing may be done. */
async function noConnection(stage: Stage): Promise<string[]> {
  const replica = await stage.replica()
  const shipments = [await stage.booked(), await stage.draft()]
  const draft = await stage.draft()
  const warm = await stage.booked()
  await replica.ask('cancel', warm)
  replica.link.fail('reset')
  await Promise.all([...shipments.map((id) => replica.ask('cancel', id)), replica.ask('book', draft)])
  await pause(stage.dice.int(0, 500))
  replica.link.heal('lose')
  const others = stage.asked.filter(({ shipmentId, answer }) => {
    return shipmentId !== warm && answer.kind !== 'unavailable'
  })
  return [
    ...reached(replica.link.resets() > 0),
    ...others.map(
      ({ shipmentId, ask, answer }) => `${shipmentId}: ${ask} was answered ${answer.kind}, not 503`,
    ),
    ...(await judge(stage)),
  ]
}

/** The first answer is lost, the second one is "nothing to cancel", and lookups are outdated for a while. */
async function laggingLookup(stage: Stage): Promise<string[]> {
  const { dice } = stage
  const lagMs = dice.int(2_000, 3_500)
  const replica = await stage.replica({ lookupLagMs: 4_000 })
  let cancelledAt = Number.POSITIVE_INFINITY
  const shipmentId = await stage.booked({
    cancel(parcel): Reply {
      if (parcel.state === 'cancelled') return NOTHING_TO_CANCEL
      cancelNow(parcel)
      cancelledAt = performance.now()
      return 'cut'
    },
    look: (parcel) =>
      performance.now() < cancelledAt + lagMs ? lookUpAs(parcel.number, 'announced') : lookNow(parcel),
  })
  await replica.askUntilFinal(shipmentId, dice.int(200, 900), 9_000)
  return judge(stage)
}

/** The first send is lost, later ones are refused, and lookups fail. Afterwards either truth comes out. */
async function refusalInDoubt(stage: Stage): Promise<string[]> {
  const { dice } = stage
  const replica = await stage.replica({ lookupLagMs: 1_500 })
  const doubtMs = dice.int(5_000, 6_000)
  const isCancelled = dice.chance(0.5)
  let doubtFrom = Number.POSITIVE_INFINITY
  const isInDoubt = (): boolean => performance.now() < doubtFrom + doubtMs
  const shipmentId = await stage.booked({
    cancel(parcel, nth): Reply {
      if (nth > 1) return NOTHING_TO_CANCEL
      doubtFrom = performance.now()
      if (isCancelled) cancelNow(parcel)
      return 'cut'
    },
    look: (parcel) => (isInDoubt() ? UNAVAILABLE : lookNow(parcel)),
  })
  const last = await replica.askUntilFinal(shipmentId, dice.int(500, 900), 14_000)
  const expected = isCancelled ? 'cancelled' : 'refused'
  const found = last.kind === expected ? [] : [`the last answer is ${last.kind}, expected ${expected}`]
  return [...found, ...(await judge(stage, { sends: 2 }))]
}

/** The carrier has answered, and the database resets connections before the answer is recorded. */
async function answerInHand(stage: Stage): Promise<string[]> {
  const replica = await stage.replica({ policy: { leaseMs: 10_000 } })
  const shipmentId = await stage.booked()
  const held = replica.hold(['before shipments.acceptCancellation'])
  const asked = replica.ask('cancel', shipmentId)
  await held
  replica.link.fail('reset')
  replica.go()
  await pause(stage.dice.int(1_500, 3_000))
  replica.link.heal('lose')
  await asked
  return judge(stage, { sends: 1 })
}

/** The outcome is recorded, and the shipment that the GraphQL query selects cannot be read. */
async function shipmentNotRead(stage: Stage): Promise<string[]> {
  const replica = await stage.replica()
  const booked = await stage.booked()
  const [cancelledDraft, bookedDraft] = [await stage.draft(), await stage.draft()]
  // The statement that cancels a draft returns it. It is read only if the draft was cancelled before.
  await replica.ask('cancel', cancelledDraft)
  const held = replica.hold(['before shipments.findMany', 'before shipments.find'], 3)
  const asked = [
    replica.ask('cancel', booked, 'graphql'),
    replica.ask('cancel', cancelledDraft, 'graphql'),
    replica.ask('book', bookedDraft),
  ]
  await held
  replica.link.fail('reset')
  replica.go()
  await Promise.all(asked)
  await pause(stage.dice.int(0, 500))
  replica.link.heal('lose')
  return judge(stage)
}

function reached(isReached: boolean): string[] {
  return isReached ? [] : ['the fault was not reached']
}

/** By name; the names are in README.md too. */
export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  'slots full, database answers held': slotsFull('answers held'),
  'slots full, database stalled': slotsFull('stall'),
  'slots full, process paused': processPaused,
  'circuit open, connection lost': circuitOpen,
  'follower at its deadline, queued holder': followerAtDeadline,
  'follower at its deadline, paused holder': holderPaused,
  'result of begin lost': beginFails('result lost'),
  'begin lost': beginFails('statement lost'),
  'no connection': noConnection,
  'lagging lookup': laggingLookup,
  'refusal in doubt': refusalInDoubt,
  'answer in hand': answerInHand,
  'shipment not read': shipmentNotRead,
}
