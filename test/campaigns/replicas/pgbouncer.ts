/**
 * Cancels shipments through PgBouncer with deploy/pgbouncer.ini, in transaction mode and in session mode. In each,
 * PgBouncer is killed, and later stopped with SIGTERM, and started again each time. No cancellation may be lost or
 * carried out twice. `npm run test:pgbouncer -- --shipments 400 --seconds 12 --crowd 16 --seed 0`. `--mode
 * transaction` or `--mode session` runs one of them. Needs pgbouncer.
 */
import { chmodSync, rmSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { asServerUser, SERVER_ENVIRONMENT } from '../../../src/store/embedded-postgres/run-as.ts'
import { startEmbeddedServer } from '../../../src/store/embedded-postgres/server.ts'
import { makeThrowAwayFolder } from '../../support/app/throw-away-folder.ts'
import { runStatements, sourceFor, urlOf } from '../../support/database/test-server.ts'
import { openForwarder } from '../storage/forwarder.ts'
import { readSettings, seedOf } from '../storage/settings.ts'
import { runCampaign, type Undo } from '../storage/undo.ts'
import { cancelDuring } from './cancellations.ts'
import {
  deployed,
  findProgram,
  freePorts,
  makeServerFolder,
  type Running,
  startProgram,
  untilReady,
  writeServerFile,
} from './programs.ts'

const MODES = ['transaction', 'session'] as const
type Mode = (typeof MODES)[number]

const PASSWORD = 'a-password/with@signs'
/** How long PgBouncer is away. */
const AWAY_MS = 1_000

const settings = readSettings({ shipments: 400, seconds: 12, crowd: 16, seed: 0 }, [], ['mode'])
await runCampaign(pool)

async function pool(undo: Undo) {
  const chosen = settings.text('mode')
  const modes = MODES.filter((mode) => chosen === undefined || mode === chosen)
  if (modes.length === 0) throw new Error(`--mode: expected ${MODES.join(' or ')}`)
  findProgram('pgbouncer')
  const place = makeThrowAwayFolder()
  undo.add(() => rmSync(place, { recursive: true, force: true }))
  chmodSync(place, 0o755)
  const server = await startEmbeddedServer({ dataDir: path.join(place, 'data'), durable: true })
  undo.add(() => server.stop())
  // The server listens on a socket only, the pooler connects to a port.
  const port = await openForwarder(undo)
  port.pointTo(path.join(server.connection.host, `.s.PGSQL.${server.connection.port}`))
  const seed = seedOf(settings.seed)
  console.log(`seed ${seed}: ${settings.shipments} shipments in each mode`)
  const results: Partial<Record<Mode, unknown>> = {}
  let violations = 0
  for (const mode of modes) {
    const database = `waybill_${mode}`
    await runStatements(server.connection, `create database ${database}`)
    const directUrl = urlOf(sourceFor(server.connection, database))
    const pooler = await openPooler(undo, {
      mode,
      place,
      database,
      user: server.connection.user,
      port: port.port,
    })
    const result = await cancelDuring(
      undo,
      {
        ...{ seed, shipments: settings.shipments, crowd: settings.crowd, directUrl, serviceUrl: pooler.url },
        settings: { PGPASSWORD: PASSWORD, ...(mode === 'transaction' && { WAYBILL_POOLER: mode }) },
      },
      async ({ replica, give }) => {
        give(settings.shipments, settings.seconds * 1_000)
        await pause((settings.seconds * 1_000) / 3)
        await pooler.restart('SIGKILL')
        await pause((settings.seconds * 1_000) / 3)
        await pooler.restart('SIGTERM')
        await pause((settings.seconds * 1_000) / 3)
        if (!(await replica.ready())) throw new Error('the service is not ready again')
      },
    )
    await pooler.stop()
    console.log(`${mode} mode: ${JSON.stringify(result)}`)
    results[mode] = result
    violations += result.violations
  }
  return { ...results, violations }
}

type Wanted = {
  readonly mode: Mode
  readonly place: string
  readonly database: string
  readonly user: string
  readonly port: number
}

type Pooler = {
  readonly url: string
  restart(signal: NodeJS.Signals): Promise<void>
  stop(): Promise<void>
}

async function openPooler(undo: Undo, { mode, place, database, user, port }: Wanted): Promise<Pooler> {
  const folder = makeServerFolder(path.join(place, `pgbouncer-${mode}`))
  const users = writeServerFile(path.join(folder, 'userlist.txt'), `"${user}" "${PASSWORD}"\n`)
  const [listen = 0] = await freePorts(1)
  const text = deployed('pgbouncer.ini', [
    [
      'waybill = host=10.0.0.10 port=5432 dbname=waybill',
      `${database} = host=127.0.0.1 port=${port} dbname=${database}`,
    ],
    ['listen_port = 6432', `listen_port = ${listen}`],
    ['/etc/pgbouncer/userlist.txt', users],
    ['unix_socket_dir = /var/run/postgresql', `unix_socket_dir = ${folder}`],
    ['pool_mode = transaction', `pool_mode = ${mode}`],
  ])
  const file = writeServerFile(path.join(folder, 'pgbouncer.ini'), text)
  const url = `postgres://${user}@127.0.0.1:${listen}/${database}`
  const start = async (): Promise<Running> => {
    const running = startProgram(undo, asServerUser([findProgram('pgbouncer'), file]), {
      env: SERVER_ENVIRONMENT,
    })
    const asked = url.replace('@', `:${encodeURIComponent(PASSWORD)}@`)
    await untilReady(running, 'pgbouncer', async () => (await runStatements(asked, 'select 1')).length === 1)
    return running
  }
  let running = await start()
  return {
    url,
    async restart(signal) {
      await running.end(signal)
      await pause(AWAY_MS)
      running = await start()
    },
    stop: () => running.end('SIGTERM'),
  }
}
