/**
 * How a campaign ends: whoever still wants an answer repeats, the rest is left to the service, and within a minute
 * nothing may be open. Then every shipment is held against its carrier and against what its callers were told.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { SandboxCarrier } from '../../../src/carriers/sandbox/carrier.ts'
import type { Database } from '../../../src/store/database/database.ts'
import { askFor, type Tally } from './callers.ts'
import type { Trial } from './population.ts'

/** A shipment as the database holds it. */
export type Standing = {
  readonly state: string
  readonly openAttempts: number
  readonly cancelledEvents: number
}

/** All shipments of the campaign by id. */
export async function standings(db: Kysely<Database>): Promise<ReadonlyMap<string, Standing>> {
  const { rows } = await sql<Standing & { shipment_id: string }>`
    SELECT s.shipment_id, s.state,
      (SELECT count(*) FROM cancel_attempt c WHERE c.shipment_id = s.shipment_id AND c.phase = 'pending')
        AS "openAttempts",
      (SELECT count(*) FROM shipment_event e WHERE e.shipment_id = s.shipment_id AND e.to_state = 'cancelled')
        AS "cancelledEvents"
      FROM shipment s WHERE s.shipment_id LIKE 'storage-%'`.execute(db)
  return new Map(rows.map((row) => [row.shipment_id, row]))
}

/** How many shipments were found cancelled at their carrier by looking them up. */
export async function foundByLookUps(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    SELECT count(*) AS n FROM cancel_attempt WHERE anomaly = 'found cancelled at the carrier'`.execute(db)
  return rows[0]?.n ?? 0
}

/** Whether somebody was told the end of this one. */
export const hasEnd = ({ told }: Trial): boolean => told.includes(200) || told.includes(409)

/** Every second one that has no end yet is asked for until it has one, or the time is over. */
export async function askOn(
  origin: string,
  trials: readonly Trial[],
  carrier: SandboxCarrier,
  tally: Tally,
  limitMs: number,
): Promise<void> {
  const until = performance.now() + limitMs
  const patient = trials
    .filter((trial) => trial.asked > 0 && !hasEnd(trial))
    .filter((_trial, n) => n % 2 === 0)
  const ask = async (trial: Trial): Promise<void> => {
    while (!hasEnd(trial) && performance.now() < until) {
      await askFor(origin, trial, carrier, tally)
      if (!hasEnd(trial)) await pause(500)
    }
    if (!hasEnd(trial)) tally.violations.push(`${trial.shipmentId} was never told its end: ${trial.told}`)
  }
  const channels = Array.from({ length: 16 }, async () => {
    for (let trial = patient.shift(); trial !== undefined; trial = patient.shift()) await ask(trial)
  })
  await Promise.all(channels)
}

/** Waits until no attempt is open; answers how many milliseconds that took, or undefined when it did not. */
export async function nothingOpen(db: Kysely<Database>, limitMs: number): Promise<number | undefined> {
  const startedAt = performance.now()
  for (;;) {
    const open = await sql<{ n: number }>`
      SELECT count(*) AS n FROM cancel_attempt WHERE phase = 'pending'`
      .execute(db)
      .catch(() => undefined)
    const passedMs = performance.now() - startedAt
    if (open?.rows[0]?.n === 0) return Math.round(passedMs)
    if (passedMs > limitMs) return undefined
    await pause(250)
  }
}

/** What is wrong with the ends, one sentence each. */
export async function wrongEnds(
  db: Kysely<Database>,
  trials: readonly Trial[],
  carrier: SandboxCarrier,
): Promise<string[]> {
  const found = await standings(db)
  return trials.flatMap((trial) => {
    const name = `${trial.shipmentId} (${trial.carrierRef ?? 'draft'}; told ${trial.told.join(' ')})`
    const standing = found.get(trial.shipmentId)
    if (standing === undefined) return [`${name} is gone`]
    return wrongEnd(trial, standing, carrier).map((what) => `${name} ${what}`)
  })
}

function wrongEnd(
  { carrierRef, cancels, told, asked }: Trial,
  { state, openAttempts, cancelledEvents }: Standing,
  carrier: SandboxCarrier,
): string[] {
  const here = state === 'cancelled'
  const wrong: string[] = []
  if (carrierRef !== undefined && carrier.isCancelled(carrierRef) !== here)
    wrong.push(`is ${state} here, and ${here ? 'not ' : ''}cancelled at its carrier`)
  if (carrierRef === undefined && state !== 'draft' && !here) wrong.push(`was a draft and is ${state}`)
  if (told.includes(200) && !here) wrong.push(`was told to be cancelled and is ${state}`)
  // Pending promises that the attempt is kept and driven to its end.
  if (told.includes(504) && cancels && !here) wrong.push(`was told to be pending and ended ${state}`)
  if (!cancels && here) wrong.push('was refused by its carrier and is cancelled')
  if (asked === 0 && here) wrong.push('is cancelled, and nobody had asked')
  if (openAttempts > 0) wrong.push('has an open attempt')
  if (cancelledEvents !== (here ? 1 : 0)) wrong.push(`has ${cancelledEvents} events of its cancellation`)
  return wrong
}

/** Prints how many there are and the first of them, the same ones once. */
export function printFirst(title: string, lines: readonly string[], limit = 10): void {
  if (lines.length === 0) return
  console.log(`${title}: ${lines.length}`)
  for (const line of [...new Set(lines)].slice(0, limit)) console.log(`  ${line}`)
}
