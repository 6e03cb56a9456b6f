/**
 * Kills the database server while shipments are cancelled, and promotes its standby, several times. Before each kill
 * the replication link stalls, so the last commits do not reach the standby. With a synchronous standby no cancellation
 * may be lost. With `--asynchronous` some are, and the campaign counts how many are repaired by lookups. It also books
 * shipments while the link stalls: see lost-bookings.ts. `npm run test:failover -- --shipments 600 --rounds 2 --seconds
 * 4 --seed 0`. `--programs <folder>` uses another PostgreSQL (the folder that contains its `bin`).
 */
import { chmodSync, rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { SandboxCarrier } from '../../../src/carriers/sandbox/carrier.ts'
import { type SandboxServer, startSandboxServer } from '../../../src/carriers/sandbox/server.ts'
import type { Database } from '../../../src/store/database/database.ts'
import { openDatabase } from '../../../src/store/database/open.ts'
import { makeThrowAwayFolder } from '../../support/app/throw-away-folder.ts'
import { runStatements } from '../../support/database/test-server.ts'
import { type Dice, diceOf } from '../../support/random/seeded-dice.ts'
import { startCallers, type Tally } from './callers.ts'
import {
  type DatabaseServer,
  findPrograms,
  type Programs,
  startPrimary,
  startStandby,
  until,
} from './database-server.ts'
import { finalStates, foundByLookups, nothingOpen, printFirst, repeatRequests, wrongEnds } from './ends.ts'
import { type Forwarder, openForwarder } from './forwarder.ts'
import { bookAll, cancelHalf, insertDrafts, lostOf, repairFromLog } from './lost-bookings.ts'
import { drawTrials, insertTrials, type Trial, unevenCarrier } from './population.ts'
import { type Replica, startReplica } from './replica.ts'
import { readSettings, seedOf } from './settings.ts'
import { runCampaign, type Undo } from './undo.ts'

const RECOVERY_MS = 60_000
/** Lookups run every minute. */
const REPAIR_MS = 120_000

const settings = readSettings(
  { shipments: 600, rounds: 2, seconds: 4, crowd: 16, lag: 400, seed: 0 },
  ['asynchronous'],
  ['programs'],
)
const CAUGHT_UP = `exists (select from pg_stat_replication where replay_lsn >= pg_current_wal_flush_lsn())`
const synchronous = !settings.flag('asynchronous')
await runCampaign(failOver)

type Stage = {
  readonly undo: Undo
  readonly programs: Programs
  readonly dice: Dice
  readonly trials: readonly Trial[]
  /** The address of the database for the service. */
  readonly front: Forwarder
  /** The address of the primary for a standby. */
  readonly link: Forwarder
}

async function failOver(undo: Undo) {
  const seed = seedOf(settings.seed)
  const dice = diceOf(seed)
  const place = makeThrowAwayFolder()
  undo.add(() => rmSync(place, { recursive: true, force: true }))
  chmodSync(place, 0o755)
  const programs = await findPrograms(place, settings.text('programs'))
  const kind = synchronous ? 'a synchronous' : 'an asynchronous'
  console.log(
    `seed ${seed}: ${settings.shipments} shipments, ${settings.rounds} failovers to ${kind} standby`,
  )
  console.log(programs.version)

  const carrier = unevenCarrier(dice)
  const sandbox = await startSandboxServer({ carrier })
  undo.add(() => sandbox.close())
  const trials = drawTrials(dice, settings.shipments)
  const front = await openForwarder(undo)
  const link = await openForwarder(undo)
  const stage: Stage = { undo, programs, dice, trials, front, link }
  let primary = await startPrimary(undo, programs, 'server-0')
  front.pointTo(primary.socketPath)
  const replica = await serve(stage, sandbox)
  const db = openDatabase(urlOf(front))
  undo.add(() => db.destroy())
  await insertTrials(db, trials)

  const tally: Tally = { answers: {}, violations: [] }
  const lostBookings: string[] = []
  const callers = startCallers(replica.origin, { crowd: settings.crowd, dice, carrier, tally })
  const lost = new Set<string>()
  for (let round = 0; round < settings.rounds; round += 1) {
    const standby = await addStandby(stage, `server-${round + 1}`, primary)
    // Some requests arrive between the end of one server and the start of the next.
    callers.give(partOf(trials, round), settings.seconds * 1_000 + 1_500)
    await pause(settings.seconds * 1_000)
    const booked: string[] = []
    if (!synchronous) {
      await insertDrafts(primary, round)
      await until(primary.address, CAUGHT_UP)
    }
    const tail = async (): Promise<void> => {
      if (!synchronous) booked.push(...(await bookAll(replica, round)))
    }
    primary = await takeOver(stage, primary, standby, lost, tail)
    const lostNow = await lostOf(primary, booked)
    lostBookings.push(...lostNow)
    front.pointTo(primary.socketPath)
    await cancelHalf(replica, lostNow, carrier, tally)
    console.log(`failover ${round + 1}: ${lost.size} lost so far; ${callers.left()} are not cancelled yet`)
  }
  callers.give(partOf(trials, settings.rounds), settings.seconds * 1_000)
  await pause(settings.seconds * 1_000 + 500)
  await callers.stop()
  const confirmed = trials.filter(({ answers }) => answers.includes(200)).length
  const restored = synchronous ? undefined : await repair(stage, replica, sandbox, place, lostBookings, tally)
  const end = await settle({ db, trials, carrier, replica, tally, lost })
  const bookings = { lostBookings: lostBookings.length, restoredBookings: restored }
  return {
    ...bookings,
    seed,
    synchronous,
    rounds: settings.rounds,
    shipments: trials.length,
    confirmed,
    ...end,
  }
}

/** The half of the lost bookings that nobody has cancelled must be booked again. */
async function repair(
  { front }: Stage,
  replica: Replica,
  sandbox: SandboxServer,
  place: string,
  lostBookings: readonly string[],
  tally: Tally,
): Promise<number> {
  const settings = { DATABASE_URL: urlOf(front), WAYBILL_SANDBOX_URL: sandbox.address }
  const restored = await repairFromLog(replica, place, settings)
  const db = openDatabase(urlOf(front), { poolSize: 1 })
  const drafts = await db
    .selectFrom('shipment')
    .select('shipment_id')
    .where('shipment_id', 'in', ['', ...lostBookings])
    .where('state', '=', 'draft')
    .execute()
    .finally(() => db.destroy())
  tally.violations.push(...drafts.map((row) => `${row.shipment_id} is still a draft after the audit`))
  return restored
}

/** One part for each round, and one for the time afterwards. */
function partOf(trials: readonly Trial[], round: number): readonly Trial[] {
  return trials.filter((_trial, index) => index % (settings.rounds + 1) === round)
}

function serve({ undo, front }: Stage, sandbox: SandboxServer): Promise<Replica> {
  return startReplica(undo, urlOf(front), {
    WAYBILL_SANDBOX_URL: sandbox.address,
    // Lookups would repair a loss. With a synchronous standby there must be none.
    WAYBILL_TRACK_MINUTES: synchronous ? '0' : '1',
  })
}

function urlOf({ port }: Forwarder): string {
  return `postgres://waybill@127.0.0.1:${port}/postgres?sslmode=disable`
}

async function addStandby(
  { undo, programs, link }: Stage,
  name: string,
  primary: DatabaseServer,
): Promise<DatabaseServer> {
  link.pointTo(primary.socketPath)
  const standby = await startStandby(undo, programs, name, primary, link.port)
  const streaming = `exists (select from pg_stat_replication where state = 'streaming')`
  await until(primary.address, streaming)
  if (synchronous) {
    await runStatements(
      primary.address,
      `alter system set synchronous_standby_names = '*'`,
      'select pg_reload_conf()',
    )
    await until(primary.address, `exists (select from pg_stat_replication where sync_state = 'sync')`)
    // Commits from before it became synchronous must have arrived too.
    await until(
      primary.address,
      `exists (select from pg_stat_replication where flush_lsn >= pg_current_wal_flush_lsn()) or pg_is_in_recovery()`,
    )
  }
  return standby
}

/**
 * Stalls the replication of the primary, kills it shortly after `tail`, and promotes the standby. Returns the
 * new primary, which the service cannot reach yet.
 */
async function takeOver(
  { dice, trials, front, link }: Stage,
  primary: DatabaseServer,
  standby: DatabaseServer,
  lost: Set<string>,
  tail: () => Promise<void>,
): Promise<DatabaseServer> {
  link.stall()
  await tail()
  await pause(dice.int(0, settings.lag))
  front.pointTo(undefined)
  front.cut()
  await primary.kill()
  link.pointTo(undefined)
  link.cut()
  await runStatements(standby.address, 'select pg_promote(true, 60)')
  // Compare with the answers before the new primary accepts writes, so that nothing is repaired yet.
  const db = openDatabase(standby.address, { poolSize: 1 })
  const found = await finalStates(db).finally(() => db.destroy())
  for (const { shipmentId, answers } of trials)
    if (answers.includes(200) && found.get(shipmentId)?.state !== 'cancelled') lost.add(shipmentId)
  return standby
}

type Outcome = {
  readonly db: Kysely<Database>
  readonly trials: readonly Trial[]
  readonly carrier: SandboxCarrier
  readonly replica: Replica
  readonly tally: Tally
  readonly lost: ReadonlySet<string>
}

function differsFromCarrier(line: string): boolean {
  return line.endsWith('cancelled at its carrier')
}

async function settle({ db, trials, carrier, replica, tally, lost }: Outcome) {
  const startedAt = performance.now()
  await repeatRequests(replica.origin, trials, carrier, tally, RECOVERY_MS)
  const open = await nothingOpen(db, Math.max(1_000, RECOVERY_MS - (performance.now() - startedAt)))
  if (open === undefined) tally.violations.push('attempts are still open')
  let wrong = await wrongEnds(db, trials, carrier)
  // A lookup can only repair a cancellation that the carrier has.
  const atFirst = wrong.filter(differsFromCarrier).length
  while (!synchronous && wrong.some(differsFromCarrier) && performance.now() - startedAt < REPAIR_MS) {
    await pause(1_000)
    wrong = await wrongEnds(db, trials, carrier)
  }
  const found = await finalStates(db)
  const repaired = [...lost].filter((id) => found.get(id)?.state === 'cancelled').length
  // The cancellation of a draft was recorded only on the lost server.
  const drafts = trials.filter(
    ({ shipmentId, carrierRef }) => lost.has(shipmentId) && carrierRef === undefined,
  )
  const end = replica.ended()
  if (end !== undefined) tally.violations.push(`the service ${end}`)
  if (synchronous)
    tally.violations.push(...[...lost].map((id) => `${id} was answered 200 and lost`), ...wrong)
  else {
    printFirst('wrong ends', wrong)
    tally.violations.push(...wrong.filter(differsFromCarrier))
  }
  printFirst('violations', tally.violations)
  printFirst('errors in the log of the service', replica.errors, 5)
  return {
    answers: tally.answers,
    errorsOfTheDatabase: replica.codes,
    lost: lost.size,
    lostDrafts: drafts.length,
    repaired,
    foundByLookUps: await foundByLookups(db),
    atOddsBeforeRepair: atFirst,
    recoveryMs: Math.round(performance.now() - startedAt),
    carrierCalls: carrier.cancelCalls(),
    violations: tally.violations.length,
  }
}
