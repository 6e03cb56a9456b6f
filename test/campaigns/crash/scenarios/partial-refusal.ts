/**
 * Shipments with two to four parcels of which the carrier cancels some and refuses the others, and the round is
 * interrupted when every answer is recorded: by a kill, or because the database's answers do not arrive.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { cancelNow, type Script } from '../../outages/carrier.ts'
import type { Stage, TestReplica } from '../../outages/stage.ts'
import { examine, numbersOf, type ParcelThere, rowOf } from './oracle.ts'
import type { CrashScenario, Finding } from './scenario.ts'

const TIMES = { policy: { firstPartLookupMs: 4_000, partLookupMs: 4_000 } }
/** Longer than a lease, the retry and two lookups of the refused parcels. */
const RECOVERY_MS = 16_000
/** How much longer recovery may take on a busy machine. */
const PATIENCE_MS = 60_000

const REFUSED: Script = {
  cancel: (parcel) =>
    parcel.state === 'cancelled'
      ? cancelNow(parcel)
      : { status: 409, body: { code: 'WINDOW_CLOSED', message: 'The time has passed' } },
}

/** Interrupts the rounds of `replica` when all shipments are at the point. */
type Interruption = (replica: TestReplica) => Promise<void>

const INTERRUPTIONS: Readonly<Record<string, Interruption>> = {
  none: async (replica) => replica.go(),
  'killed before release': (replica) => replica.kill(),
  async 'answers held'(replica) {
    replica.link.fail('answers held')
    replica.go()
    await pause(6_000)
    replica.link.heal('lose')
  },
}

async function drawParcels(stage: Stage): Promise<string> {
  const count = stage.dice.int(2, 4)
  const refused = stage.dice.int(1, count - 1)
  return stage.bookedParcels(
    Array.from({ length: count }, (_unused, index) => (index < refused ? REFUSED : {})),
  )
}

export function truthOf(stage: Stage): (number: string) => ParcelThere {
  return (number) => {
    const parcel = stage.carrier.parcel(number)
    return { number, state: parcel?.state ?? 'unknown', cancels: parcel?.sends.length ?? 0 }
  }
}

/** What is still wrong when nothing is wrong any more, or after `PATIENCE_MS`. */
async function examinePatiently(stage: Stage, ids: readonly string[]): Promise<readonly Finding[]> {
  const startedAt = performance.now()
  for (;;) {
    const found = await examine(stage, ids, truthOf(stage))
    if (found.length === 0 || performance.now() - startedAt > PATIENCE_MS) return found
    await pause(1_000)
  }
}

export const partialRefusal: CrashScenario = {
  about: 'the carrier cancels some of two to four parcels and refuses the others; the round is interrupted',
  shipments: 15,
  async run(stage, shipments) {
    const found: Finding[] = []
    const survivor = await stage.replica(TIMES)
    const ids: string[] = []
    const names = Object.keys(INTERRUPTIONS)
    for (const name of names) {
      const replica = await stage.replica(TIMES)
      const share = Math.ceil(shipments / names.length)
      const own = await Promise.all(Array.from({ length: share }, () => drawParcels(stage)))
      ids.push(...own)
      const held = replica.hold(['before shipments.releaseCancellation'], share)
      const asked = own.map((id) => replica.ask('cancel', id).catch(() => undefined))
      await held
      await INTERRUPTIONS[name]?.(replica)
      await Promise.all(asked)
    }
    await pause(RECOVERY_MS)
    await Promise.all(ids.map((id) => survivor.ask('cancel', id)))
    found.push(...(await examinePatiently(stage, ids)))
    // The carrier cancels the rest of every second shipment, so its attempt can be settled.
    const completed = ids.filter((_id, index) => index % 2 === 0)
    for (const id of completed)
      for (const number of numbersOf(await rowOf(stage, id))) {
        const parcel = stage.carrier.parcel(number)
        if (parcel !== undefined) parcel.state = 'cancelled'
      }
    await Promise.all(completed.map((id) => survivor.askUntilFinal(id, 800, RECOVERY_MS)))
    const settled = await examine(stage, completed, truthOf(stage))
    return [...found, ...settled.map(({ kind, what }) => ({ kind, what: `completed later: ${what}` }))]
  },
}
