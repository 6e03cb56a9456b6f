/**
 * The shipments of a campaign, drawn from a seed: drafts, and booked shipments for every script of the
 * sandbox carrier that reaches a final answer.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { type SandboxCarrier, sandboxCarrier } from '../../../src/carriers/sandbox/carrier.ts'
import type { Database } from '../../../src/store/database/database.ts'
import { DRAFT, insertShipment } from '../../store/shipments/shipment-rows.ts'
import type { Dice } from '../../support/random/seeded-dice.ts'

/** A shipment and the answers that its callers got. */
export type Trial = {
  readonly shipmentId: string
  /** Absent for a draft. */
  readonly carrierRef?: string
  /** Whether a cancellation can succeed. */
  readonly cancels: boolean
  /** Status of each answer, in order of arrival. */
  readonly answers: number[]
  /** Number of requests. May exceed the number of answers, since some callers give up. */
  requests: number
  /** When the first confirmation arrived, in milliseconds since 1970. */
  confirmedAt?: number
}

const SCRIPTS: readonly (readonly [share: number, prefix: string])[] = [
  [15, 'draft'],
  [45, 'SBX-OK'],
  [8, 'SBX-SLOW-400'],
  [4, 'SBX-SLOW-2500'],
  [8, 'SBX-LOST'],
  [6, 'SBX-503-TWICE'],
  [5, 'SBX-LATE-700'],
  [4, 'SBX-PENDING'],
  [5, 'SBX-WINDOW-CLOSED'],
]

/** Draws `count` shipments. */
export function drawTrials(dice: Dice, count: number): Trial[] {
  const bag = SCRIPTS.flatMap(([share, prefix]) => Array<string>(share).fill(prefix))
  return Array.from({ length: count }, (_unused, index) => {
    const script = dice.pick(bag)
    const shipmentId = `storage-${index}`
    const common = { shipmentId, cancels: script !== 'SBX-WINDOW-CLOSED', answers: [], requests: 0 }
    return script === 'draft' ? common : { ...common, carrierRef: `${script}-${index}` }
  })
}

/** Inserts the trials as shipments of the demo account. */
export async function insertTrials(db: Kysely<Database>, trials: readonly Trial[]): Promise<void> {
  const account = { account_id: 'demo-shop' }
  for (const { shipmentId, carrierRef } of trials)
    await insertShipment(
      db,
      shipmentId,
      carrierRef === undefined ? { ...account, ...DRAFT } : { ...account, carrier_ref: carrierRef },
    )
}

/** Answers take up to 40 ms, and one in forty up to two seconds longer. */
export function unevenCarrier(dice: Dice): SandboxCarrier {
  const carrier = sandboxCarrier()
  return {
    ...carrier,
    async answer(request, signal) {
      await pause(dice.int(0, 40) + (dice.chance(1 / 40) ? dice.int(0, 2_000) : 0))
      const reply = await carrier.answer(request, signal)
      await pause(dice.int(0, 20))
      return reply
    },
  }
}
