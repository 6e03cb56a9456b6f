/**
 * The database server dies while shipments are being cancelled, and its standby takes over, again and again. Its
 * last moments are made hard: what it writes does not reach the standby any more. With a synchronous standby no
 * cancellation may be lost. With `--asynchronous` some are, and it is counted how many the look-ups at the carriers
 * bring back. `npm run test:failover -- --shipments 600 --rounds 2 --seconds 4 --seed 0`, and `--programs <folder>`
 * for another PostgreSQL than the one that Waybill brings along (the folder that holds its `bin`).
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
import { askOn, foundByLookUps, nothingOpen, printFirst, standings, wrongEnds } from './ends.ts'
import { type Forwarder, openForwarder } from './forwarder.ts'
import { drawTrials, insertTrials, type Trial, unevenCarrier } from './population.ts'
import { type Replica, startReplica } from './replica.ts'
import { readSettings, seedOf } from './settings.ts'
import { runCampaign, type Undo } from './undo.ts'

const RECOVERY_MS = 60_000
/** Look-ups come every minute, and take their time. */
const REPAIR_MS = 120_000

const settings = readSettings(
  { shipments: 600, rounds: 2, seconds: 4, crowd: 16, lag: 400, seed: 0 },
  ['asynchronous'],
  ['programs'],
)
const synchronous = !settings.flag('asynchronous')
await runCampaign(failOver)

/** Everything that a round touches. */
type Stage = {
  readonly undo: Undo
  readonly programs: Programs
  readonly dice: Dice
  readonly trials: readonly Trial[]
  /** What the service calls its database. */
  readonly front: Forwarder
  /** Where a standby finds its primary. */
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
  console.log(`${programs.version} as ${programs.runAs.kind}`)

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
  const callers = startCallers(replica.origin, { crowd: settings.crowd, dice, carrier, tally })
  const lost = new Set<string>()
  for (let round = 0; round < settings.rounds; round += 1) {
    const standby = await addStandby(stage, `server-${round + 1}`, primary)
    // Some come in while the one server is gone and the other one not there yet.
    callers.give(partOf(trials, round), settings.seconds * 1_000 + 1_500)
    await pause(settings.seconds * 1_000)
    primary = await takeOver(stage, primary, standby, lost)
    console.log(
      `failover ${round + 1}: ${lost.size} lost so far; ${callers.left()} are still to be asked for`,
    )
  }
  callers.give(partOf(trials, settings.rounds), settings.seconds * 1_000)
  await pause(settings.seconds * 1_000 + 500)
  await callers.stop()
  const told = trials.filter(({ told }) => told.includes(200)).length
  const end = await settle({ db, trials, carrier, replica, tally, lost })
  return { seed, synchronous, rounds: settings.rounds, shipments: trials.length, told, ...end }
}

/** A part for each round, and one for afterwards. */
function partOf(trials: readonly Trial[], round: number): readonly Trial[] {
  return trials.filter((_trial, index) => index % (settings.rounds + 1) === round)
}

function serve({ undo, front }: Stage, sandbox: SandboxServer): Promise<Replica> {
  return startReplica(undo, urlOf(front), {
    WAYBILL_SANDBOX_URL: sandbox.address,
    // Look-ups would repair what was lost; with a synchronous standby nothing may be.
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
    // What was committed before it counted has to be there as well.
    await until(
      primary.address,
      `exists (select from pg_stat_replication where flush_lsn >= pg_current_wal_flush_lsn()) or pg_is_in_recovery()`,
    )
  }
  return standby
}

/** The primary is cut off from its standby, goes on for a moment, and dies. Answers the new primary. */
async function takeOver(
  { dice, trials, front, link }: Stage,
  primary: DatabaseServer,
  standby: DatabaseServer,
  lost: Set<string>,
): Promise<DatabaseServer> {
  link.holdUp()
  await pause(dice.int(0, settings.lag))
  front.pointTo(undefined)
  front.cut()
  await primary.kill()
  link.pointTo(undefined)
  link.cut()
  await runStatements(standby.address, 'select pg_promote(true, 60)')
  // Who was told before the new primary takes writes; nothing repairs in between.
  const db = openDatabase(standby.address, { poolSize: 1 })
  const found = await standings(db).finally(() => db.destroy())
  for (const { shipmentId, told } of trials)
    if (told.includes(200) && found.get(shipmentId)?.state !== 'cancelled') lost.add(shipmentId)
  front.pointTo(standby.socketPath)
  return standby
}

type Last = {
  readonly db: Kysely<Database>
  readonly trials: readonly Trial[]
  readonly carrier: SandboxCarrier
  readonly replica: Replica
  readonly tally: Tally
  readonly lost: ReadonlySet<string>
}

function isAtOdds(line: string): boolean {
  return line.endsWith('cancelled at its carrier')
}

async function settle({ db, trials, carrier, replica, tally, lost }: Last) {
  const startedAt = performance.now()
  await askOn(replica.origin, trials, carrier, tally, RECOVERY_MS)
  const open = await nothingOpen(db, Math.max(1_000, RECOVERY_MS - (performance.now() - startedAt)))
  if (open === undefined) tally.violations.push('attempts are still open')
  let wrong = await wrongEnds(db, trials, carrier)
  // Look-ups can only repair what the carrier knows of.
  const atFirst = wrong.filter(isAtOdds).length
  while (!synchronous && wrong.some(isAtOdds) && performance.now() - startedAt < REPAIR_MS) {
    await pause(1_000)
    wrong = await wrongEnds(db, trials, carrier)
  }
  const found = await standings(db)
  const repaired = [...lost].filter((id) => found.get(id)?.state === 'cancelled').length
  // A draft's cancellation was known to nobody but the server that is gone.
  const drafts = trials.filter(
    ({ shipmentId, carrierRef }) => lost.has(shipmentId) && carrierRef === undefined,
  )
  const end = replica.ended()
  if (end !== undefined) tally.violations.push(`the service ${end}`)
  if (synchronous)
    tally.violations.push(...[...lost].map((id) => `${id} was told to be cancelled and lost`), ...wrong)
  else {
    printFirst('wrong ends', wrong)
    tally.violations.push(...wrong.filter(isAtOdds))
  }
  printFirst('violations', tally.violations)
  printFirst('errors in the log of the service', replica.errors, 5)
  return {
    answers: tally.answers,
    errorsOfTheDatabase: replica.codes,
    lost: lost.size,
    lostDrafts: drafts.length,
    repaired,
    foundByLookUps: await foundByLookUps(db),
    atOddsBeforeRepair: atFirst,
    recoveryMs: Math.round(performance.now() - startedAt),
    carrierCalls: carrier.cancelCalls(),
    violations: tally.violations.length,
  }
}
