/**
 * The end of a campaign. Half of the callers without an answer repeat, the rest is left to the service, and
 * after a minute no attempt may be open. Then each shipment is compared with its carrier and with the answers
 * to its callers.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { SandboxCarrier } from '../../../src/carriers/sandbox/carrier.ts'
import type { Database } from '../../../src/store/database/database.ts'
import { askFor, type Tally } from './callers.ts'
import type { Trial } from './population.ts'

export type FinalState = {
  readonly state: string
  readonly openAttempts: number
  readonly cancelledEvents: number
}

/** All shipments of the campaign by id. */
export async function finalStates(db: Kysely<Database>): Promise<ReadonlyMap<string, FinalState>> {
  const { rows } = await sql<FinalState & { shipment_id: string }>`
    SELECT s.shipment_id, s.state,
      (SELECT count(*) FROM cancel_attempt c WHERE c.shipment_id = s.shipment_id AND c.phase = 'pending')
        AS "openAttempts",
      (SELECT count(*) FROM shipment_event e WHERE e.shipment_id = s.shipment_id AND e.to_state = 'cancelled')
        AS "cancelledEvents"
      FROM shipment s WHERE s.shipment_id LIKE 'storage-%'`.execute(db)
  return new Map(rows.map((row) => [row.shipment_id, row]))
}

/** Number of shipments that a lookup found cancelled at their carrier. */
export async function foundByLookups(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    SELECT count(*) AS n FROM cancel_attempt WHERE anomaly = 'found cancelled at the carrier'`.execute(db)
  return rows[0]?.n ?? 0
}

/** Whether a caller got a final answer. */
export const hasFinalAnswer = ({ answers }: Trial): boolean => answers.includes(200) || answers.includes(409)

/** Repeats the request for every second shipment without a final answer, until it has one or the time is over. */
export async function repeatRequests(
  origin: string,
  trials: readonly Trial[],
  carrier: SandboxCarrier,
  tally: Tally,
  limitMs: number,
): Promise<void> {
  const until = performance.now() + limitMs
  const patient = trials
    .filter((trial) => trial.requests > 0 && !hasFinalAnswer(trial))
    .filter((_trial, n) => n % 2 === 0)
  const ask = async (trial: Trial): Promise<void> => {
    while (!hasFinalAnswer(trial) && performance.now() < until) {
      await askFor(origin, trial, carrier, tally)
      if (!hasFinalAnswer(trial)) await pause(500)
    }
    if (!hasFinalAnswer(trial))
      tally.violations.push(`${trial.shipmentId} never got a final answer: ${trial.answers}`)
  }
  const workers = Array.from({ length: 16 }, async () => {
    for (let trial = patient.shift(); trial !== undefined; trial = patient.shift()) await ask(trial)
  })
  await Promise.all(workers)
}

/** Waits until no attempt is open. Returns the milliseconds, or undefined after `limitMs`. */
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

/** What is wrong with the shipments, one sentence each. */
export async function wrongEnds(
  db: Kysely<Database>,
  trials: readonly Trial[],
  carrier: SandboxCarrier,
): Promise<string[]> {
  const found = await finalStates(db)
  return trials.flatMap((trial) => {
    const name = `${trial.shipmentId} (${trial.carrierRef ?? 'draft'}; answered ${trial.answers.join(' ')})`
    const finalState = found.get(trial.shipmentId)
    if (finalState === undefined) return [`${name} is gone`]
    return wrongEnd(trial, finalState, carrier).map((what) => `${name} ${what}`)
  })
}

function wrongEnd(
  { carrierRef, cancels, answers, requests }: Trial,
  { state, openAttempts, cancelledEvents }: FinalState,
  carrier: SandboxCarrier,
): string[] {
  const here = state === 'cancelled'
  const wrong: string[] = []
  if (carrierRef !== undefined && carrier.isCancelled(carrierRef) !== here)
    wrong.push(`is ${state} here, and ${here ? 'not ' : ''}cancelled at its carrier`)
  if (carrierRef === undefined && state !== 'draft' && !here) wrong.push(`was a draft and is ${state}`)
  if (answers.includes(200) && !here) wrong.push(`was answered 200 and is ${state}`)
  // A pending answer promises that the attempt is completed.
  if (answers.includes(504) && cancels && !here) wrong.push(`was answered 504 and ended ${state}`)
  if (!cancels && here) wrong.push('was refused by its carrier and is cancelled')
  if (requests === 0 && here) wrong.push('is cancelled, but no caller cancelled it')
  if (openAttempts > 0) wrong.push('has an open attempt')
  if (cancelledEvents !== (here ? 1 : 0)) wrong.push(`has ${cancelledEvents} events of its cancellation`)
  return wrong
}

/** Prints the number of lines and the first different ones. */
export function printFirst(title: string, lines: readonly string[], limit = 10): void {
  if (lines.length === 0) return
  console.log(`${title}: ${lines.length}`)
  for (const line of [...new Set(lines)].slice(0, limit)) console.log(`  ${line}`)
}
