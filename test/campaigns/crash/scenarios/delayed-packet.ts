/**
 * One packet of one connection is late: the one with the statement that opens an attempt. Meanwhile another replica
 * gets a refusal and says so. The late statement must not open a second attempt. Uses the service's own times.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { cancelNow, NOTHING_TO_CANCEL, type Script } from '../../outages/carrier.ts'
import type { Stage, TestReplica } from '../../outages/stage.ts'
import { examine } from './oracle.ts'
import { truthOf } from './partial-refusal.ts'
import type { CrashScenario, Finding } from './scenario.ts'

const DELAY_MS = 40_000
/** A second attempt would be sent in this time. */
const AFTERWARDS_MS = 25_000

/** The parameter `mayOpen`, as PostgreSQL's protocol has it: four bytes with the length, then the text. */
const TRUE_PARAMETER = Buffer.from('\0\0\0\u0004true', 'latin1')

/** Refuses the first request, and would cancel at the second. */
const REFUSED_ONCE: Script = { cancel: (parcel, nth) => (nth === 1 ? NOTHING_TO_CANCEL : cancelNow(parcel)) }

export const delayedPacket: CrashScenario = {
  about: `the packet that opens an attempt arrives ${DELAY_MS / 1_000} s late, after a refusal at another replica`,
  // All stay held at once, and one account gets at most three connections of a replica.
  shipments: 3,
  async run(stage, shipments) {
    const slow = await stage.replica('real')
    const other = await stage.replica('real')
    const runs = Array.from({ length: shipments }, (_unused, index) =>
      delayOne(stage, slow, other, index % 2 === 0 ? 1 : 2),
    )
    const ids = (await Promise.all(runs)).map(({ shipmentId }) => shipmentId)
    await pause(DELAY_MS + AFTERWARDS_MS)
    const missed = (await Promise.all(runs)).filter(({ wasHeld }) => !wasHeld)
    return [
      ...missed.map(({ shipmentId }): Finding => ({ kind: 'NOT_REACHED', what: shipmentId })),
      ...(await examine(stage, ids, truthOf(stage))),
    ]
  },
}

type Delayed = { readonly shipmentId: string; readonly wasHeld: boolean }

async function delayOne(
  stage: Stage,
  slow: TestReplica,
  other: TestReplica,
  parcels: number,
): Promise<Delayed> {
  const shipmentId = await stage.bookedParcels(Array.from({ length: parcels }, () => REFUSED_ONCE))
  let wasHeld = false
  const held = slow.link
    .delayNext((packet) => packet.includes(shipmentId) && packet.includes(TRUE_PARAMETER), DELAY_MS)
    .then(() => {
      wasHeld = true
    })
  const asked = slow.ask('cancel', shipmentId)
  await Promise.race([held, asked])
  await other.askUntilFinal(shipmentId, 800, 10_000)
  await asked
  return { shipmentId, wasHeld }
}
