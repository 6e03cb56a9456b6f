/**
 * The shipments of a campaign: drafts, and booked ones with every script of the sandbox carrier that comes to an end,
 * drawn from a seed. The carrier answers in its own time, now and then slowly.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { type SandboxCarrier, sandboxCarrier } from '../../../src/carriers/sandbox/carrier.ts'
import type { Database } from '../../../src/store/database/database.ts'
import { DRAFT, insertShipment } from '../../store/shipments/shipment-rows.ts'
import type { Dice } from '../../support/random/seeded-dice.ts'

/** A shipment, and what its callers were told. */
export type Trial = {
  readonly shipmentId: string
  /** Absent on a draft. */
  readonly carrierRef?: string
  /** Whether its carrier would cancel it; a draft is cancelled here. */
  readonly cancels: boolean
  /** The status of each answer, in the order in which they came. */
  readonly told: number[]
  /** How often it was asked for; more than was told, since some callers give up. */
  asked: number
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
    const common = { shipmentId, cancels: script !== 'SBX-WINDOW-CLOSED', told: [], asked: 0 }
    return script === 'draft' ? common : { ...common, carrierRef: `${script}-${index}` }
  })
}

/** Writes them down as shipments of the demonstration's account. */
export async function insertTrials(db: Kysely<Database>, trials: readonly Trial[]): Promise<void> {
  const account = { account_id: 'demo-shop' }
  for (const { shipmentId, carrierRef } of trials)
    await insertShipment(
      db,
      shipmentId,
      carrierRef === undefined ? { ...account, ...DRAFT } : { ...account, carrier_ref: carrierRef },
    )
}

/** A carrier whose answers take up to 40 ms, one in forty up to two seconds longer. */
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
