/**
 * Cancels shipments while something is done to the database, then compares the answers, the database and the carrier's
 * record. Lookups are off, so nothing repairs a lost cancellation.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { startSandboxServer } from '../../../src/carriers/sandbox/server.ts'
import type { Database } from '../../../src/store/database/database.ts'
import { openDatabase } from '../../../src/store/database/open.ts'
import { type Dice, diceOf } from '../../support/random/seeded-dice.ts'
import { type Callers, startCallers, type Tally } from '../storage/callers.ts'
import { nothingOpen, printFirst, repeatRequests, wrongEnds } from '../storage/ends.ts'
import { drawTrials, insertTrials, type Trial, unevenCarrier } from '../storage/population.ts'
import { type Replica, startReplica } from '../storage/replica.ts'
import type { Undo } from '../storage/undo.ts'
import { keepLedger, type Ledger } from './ledger.ts'

const RECOVERY_MS = 60_000

export type Cancelling = {
  readonly seed: number
  readonly shipments: number
  readonly crowd: number
  /** The database as the service reaches it. */
  readonly serviceUrl: string
  /** The database as the campaign reaches it. */
  readonly directUrl: string
  /** Further settings of the service. */
  readonly settings?: Readonly<Record<string, string>>
}

/** While shipments are cancelled. */
export type Cancellations = {
  readonly replica: Replica
  /** Cancels further shipments, spread over a time. */
  give(count: number, overMs: number): void
  /** The number of confirmed cancellations so far. */
  confirmed(): number
}

/** Runs `disturb` on a running service, then lets it recover. */
export async function cancelDuring(
  undo: Undo,
  { seed, shipments, crowd, serviceUrl, directUrl, settings }: Cancelling,
  disturb: (cancellations: Cancellations) => Promise<void>,
) {
  const dice: Dice = diceOf(seed)
  const ledger = keepLedger(unevenCarrier(dice))
  const { carrier } = ledger
  const sandbox = await startSandboxServer({ carrier })
  undo.add(() => sandbox.close())
  const replica = await startReplica(undo, serviceUrl, {
    WAYBILL_SANDBOX_URL: sandbox.address,
    WAYBILL_TRACK_MINUTES: '0',
    ...settings,
  })
  const db = openDatabase(directUrl)
  undo.add(() => db.destroy())
  const trials = drawTrials(dice, shipments)
  await insertTrials(db, trials)
  const tally: Tally = { answers: {}, violations: [] }
  const callers: Callers = startCallers(replica.origin, { crowd, dice, carrier, tally })
  let given = 0
  const confirmed = (): number => trials.filter(({ answers }) => answers.includes(200)).length
  await disturb({
    replica,
    confirmed,
    give(count, overMs) {
      callers.give(trials.slice(given, given + count), overMs)
      given += count
    },
  })
  // On a slow machine, callers need longer than they were given.
  const givenUpAt = performance.now() + RECOVERY_MS
  while (callers.left() > 0 && performance.now() < givenUpAt) await pause(100)
  if (callers.left() > 0) tally.violations.push(`${callers.left()} shipments were not cancelled by anybody`)
  await callers.stop()
  const startedAt = performance.now()
  await repeatRequests(replica.origin, trials, carrier, tally, RECOVERY_MS)
  const open = await nothingOpen(db, Math.max(1_000, RECOVERY_MS - (performance.now() - startedAt)))
  if (open === undefined) tally.violations.push('attempts are still open')
  const recoveryMs = Math.round(performance.now() - startedAt)
  const end = replica.ended()
  if (end !== undefined) tally.violations.push(`the service ${end}`)
  const wrong = await wrongEnds(db, trials, carrier)
  const lost = await lostOf(db, trials)
  const double = trials.flatMap((trial) => cancelledTwice(trial, ledger))
  printFirst('violations', [...tally.violations, ...wrong, ...lost, ...double])
  printFirst('errors in the log of the service', replica.errors, 5)
  return {
    ...{
      seed,
      shipments,
      cancelled: confirmed(),
      answers: tally.answers,
      errorsOfTheDatabase: replica.codes,
    },
    ...{ lost: lost.length, double: double.length, carrierCalls: carrier.cancelCalls(), recoveryMs },
    violations: tally.violations.length + wrong.length + lost.length + double.length,
  }
}

/**
 * Confirmed cancellations that the database does not have, or has only because somebody repeated the request: those
 * were recorded after the first confirmation. All processes have the clock of this machine.
 */
async function lostOf(db: Kysely<Database>, trials: readonly Trial[]): Promise<string[]> {
  const { rows } = await sql<{ shipment_id: string; at: Date }>`
    SELECT shipment_id, max(at) AS at FROM shipment_event WHERE to_state = 'cancelled' GROUP BY shipment_id`.execute(
    db,
  )
  const recorded = new Map(rows.map(({ shipment_id, at }) => [shipment_id, at.getTime()]))
  return trials.flatMap(({ shipmentId, confirmedAt }) => {
    const at = recorded.get(shipmentId)
    if (confirmedAt === undefined) return []
    if (at === undefined)
      return [`${shipmentId} was confirmed, and the database does not have its cancellation`]
    return at > confirmedAt ? [`${shipmentId} was confirmed, lost, and cancelled again`] : []
  })
}

/** A refused attempt may be followed by another one, with its own key. An accepted one may not. */
function cancelledTwice({ shipmentId, carrierRef, cancels }: Trial, ledger: Ledger): string[] {
  const keys = carrierRef === undefined || !cancels ? 0 : ledger.keysOf(carrierRef).size
  return keys > 1 ? [`${shipmentId} was sent to its carrier by ${keys} attempts`] : []
}
