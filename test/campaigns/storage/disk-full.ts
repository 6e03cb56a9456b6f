/**
 * Fills PostgreSQL's disk while shipments are cancelled, and empties it again. In the first round tables
 * cannot grow. In the second round the write-ahead log cannot grow either. This stops the server; it is
 * restarted when there is room. No cancellation may be lost, no answer may be a 500, and the service must keep
 * running. `npm run test:disk-full -- --shipments 600 --rounds 2 --seconds 8 --seed 0`.
 */
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { startSandboxServer } from '../../../src/carriers/sandbox/server.ts'
import { openDatabase } from '../../../src/store/database/open.ts'
import {
  type EmbeddedServer,
  type ServerAddress,
  startEmbeddedServer,
} from '../../../src/store/embedded-postgres/server.ts'
import { runStatements } from '../../support/database/test-server.ts'
import { diceOf } from '../../support/random/seeded-dice.ts'
import { type Callers, startCallers, type Tally } from './callers.ts'
import { nothingOpen, printFirst, repeatRequests, wrongEnds } from './ends.ts'
import { drawTrials, insertTrials, unevenCarrier } from './population.ts'
import { type Replica, startReplica } from './replica.ts'
import { readSettings, seedOf } from './settings.ts'
import { mountSmallDisk, runAgainWithOwnMounts, type SmallDisk } from './small-disk.ts'
import { runCampaign, type Undo } from './undo.ts'

const RECOVERY_MS = 60_000
const MEGABYTES = 320
/** Time limit for filling the write-ahead log. */
const LOG_MS = 15_000

const settings = readSettings({ shipments: 600, rounds: 2, seconds: 8, crowd: 16, seed: 0 }, [], ['on'])
const folder = settings.text('on')
if (folder !== undefined) await runCampaign((undo) => fillAndEmpty(undo, folder))
else await runAgainWithOwnMounts(fileURLToPath(import.meta.url), process.argv.slice(2))

/** The server, which may need a restart. */
type Server = {
  readonly address: ServerAddress
  panics(): number
  restarts(): number
  revive(): Promise<void>
}

async function fillAndEmpty(undo: Undo, place: string) {
  const seed = seedOf(settings.seed)
  console.log(`seed ${seed}: ${settings.shipments} shipments, ${settings.rounds} rounds`)
  const dice = diceOf(seed)
  const disk = mountSmallDisk(place, MEGABYTES)
  undo.add(() => disk.unmount())
  const server = await startServer(undo, join(place, 'data'))
  // The server may need room to stop, so empty the disk first.
  undo.add(() => disk.empty())
  const carrier = unevenCarrier(dice)
  const sandbox = await startSandboxServer({ carrier })
  undo.add(() => sandbox.close())
  // No lookups: they would repair a lost cancellation and hide it.
  const replica = await startReplica(undo, urlOf(server.address), {
    WAYBILL_SANDBOX_URL: sandbox.address,
    WAYBILL_TRACK_MINUTES: '0',
  })
  const db = openDatabase(server.address)
  undo.add(() => db.destroy())
  const trials = drawTrials(dice, settings.shipments)
  await insertTrials(db, trials)

  const tally: Tally = { answers: {}, violations: [] }
  const callers = startCallers(replica.origin, { crowd: settings.crowd, dice, carrier, tally })
  const fullMs = settings.seconds * 1_000
  const parts = settings.rounds * 2 + 1
  const part = (n: number) => trials.filter((_trial, index) => index % parts === n)
  for (let round = 0; round < settings.rounds; round += 1) {
    callers.give(part(round * 2), fullMs / 2)
    await pause(fullMs / 2)
    callers.give(part(round * 2 + 1), fullMs + 2_000)
    await fullDisk(round % 2 === 1, { disk, server, replica, callers })
  }
  callers.give(part(parts - 1), 1_000)
  const readyMs = await untilReady(replica, tally)
  await pause(3_000)
  await callers.stop()
  const healthy = performance.now()
  await repeatRequests(replica.origin, trials, carrier, tally, RECOVERY_MS)
  const settled = await nothingOpen(db, Math.max(1_000, RECOVERY_MS - (performance.now() - healthy)))
  const recoveryMs = Math.round(performance.now() - healthy)
  if (settled === undefined) tally.violations.push(`attempts are still open after ${recoveryMs} ms`)
  tally.violations.push(...(await wrongEnds(db, trials, carrier)))
  const end = replica.ended()
  if (end !== undefined) tally.violations.push(`the service ${end}`)

  printFirst('violations', tally.violations)
  printFirst('errors in the log of the service', replica.errors, 5)
  return {
    seed,
    shipments: trials.length,
    asked: trials.filter(({ requests }) => requests > 0).length,
    answers: tally.answers,
    errorsOfTheDatabase: replica.codes,
    panics: server.panics(),
    restarts: server.restarts(),
    readyMs,
    recoveryMs,
    carrierCalls: carrier.cancelCalls(),
    violations: tally.violations.length,
  }
}

type Stage = {
  readonly disk: SmallDisk
  readonly server: Server
  readonly replica: Replica
  readonly callers: Callers
}

async function fullDisk(fillsLog: boolean, { disk, server, replica, callers }: Stage): Promise<void> {
  const free = Math.round(disk.freeBytes() / 2 ** 20)
  disk.fill()
  console.log(`the disk is full (${free} MB were free); ready: ${await replica.ready()}`)
  await pause(settings.seconds * 1_000)
  if (fillsLog) {
    await fillLog(server)
    await pause(3_000)
    console.log(`its log is full: ${server.panics()} panics; ready: ${await replica.ready()}`)
  }
  disk.empty()
  await server.revive()
  console.log(`the disk has room again; ${callers.left()} shipments are not cancelled yet`)
}

/** Writes to the write-ahead log, like an import, until that fails. */
async function fillLog(server: Server): Promise<void> {
  const before = server.panics()
  const until = performance.now() + LOG_MS
  let last: unknown
  while (server.panics() === before && performance.now() < until) {
    const client = new pg.Client({ ...server.address, ssl: false })
    // The server dies during the query.
    client.on('error', () => {})
    try {
      await client.connect()
      for (let megabytes = 0; megabytes < 100; megabytes += 1)
        await client.query(`select pg_logical_emit_message(false, 'campaign', repeat('x', 1000000))`)
    } catch (error) {
      last = error
    }
    await client.end().catch(() => {})
    await pause(100)
  }
  if (server.panics() === before) console.log('its log could not be filled:', last)
}

async function startServer(undo: Undo, dataDir: string): Promise<Server> {
  let panics = 0
  let restarts = 0
  let running: EmbeddedServer | undefined
  const start = async (): Promise<EmbeddedServer> => {
    const started = await startEmbeddedServer({
      dataDir,
      durable: true,
      log: (line) => {
        if (/PANIC/.test(line)) panics += 1
      },
      onUnexpectedEnd: () => {
        running = undefined
      },
    })
    running = started
    return started
  }
  undo.add(() => running?.stop())
  const { connection } = await start()
  // Otherwise the log alone could exceed the disk.
  await runStatements(
    connection,
    `alter system set max_wal_size = '48MB'`,
    `alter system set min_wal_size = '32MB'`,
    'select pg_reload_conf()',
  )
  return {
    address: connection,
    panics: () => panics,
    restarts: () => restarts,
    async revive() {
      if (running !== undefined) return
      restarts += 1
      const { host } = (await start()).connection
      if (host !== connection.host) throw new Error('the restarted server has another socket folder')
    },
  }
}

async function untilReady(replica: Replica, tally: Tally): Promise<number | undefined> {
  const startedAt = performance.now()
  while (performance.now() - startedAt < RECOVERY_MS) {
    if (await replica.ready()) return Math.round(performance.now() - startedAt)
    await pause(100)
  }
  tally.violations.push('the service did not become ready again')
  return undefined
}

function urlOf({ host, port, user, database }: ServerAddress): string {
  return `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`
}
