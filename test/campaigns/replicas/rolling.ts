/**
 * Restarts and upgrades replicas behind nginx, then behind HAProxy, with the files of `deploy`, under a steady load
 * on both doors. No request may fail, and no cancellation may be sent twice.
 *
 * 1. Rolling restart: each replica gets SIGTERM in turn, and is started again at the same address.
 * 2. Rolling upgrade: a newer version with a migration starts at the free address. An old replica is stopped, which
 *    frees the next address, and so on.
 *
 * `npm run test:rolling -- --replicas 3 --rate 40 --rounds 1`. `--proxy nginx` or `--proxy haproxy` runs one of them.
 * The rate is that of all requests in a second. Needs nginx and haproxy. The last line has `requests` and `failed`.
 */
import { chmodSync, rmSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sandboxCarrier } from '../../../src/carriers/sandbox/carrier.ts'
import type { SandboxServer } from '../../../src/carriers/sandbox/server.ts'
import { startSandboxServer } from '../../../src/carriers/sandbox/server.ts'
import { type EmbeddedServer, startEmbeddedServer } from '../../../src/store/embedded-postgres/server.ts'
import { MIGRATIONS } from '../../../src/store/migrations/index.ts'
import { makeThrowAwayFolder } from '../../support/app/throw-away-folder.ts'
import { runStatements, sourceFor, urlOf } from '../../support/database/test-server.ts'
import { postTo } from '../concurrency/doors.ts'
import { printFirst } from '../storage/ends.ts'
import { type Replica, startReplica } from '../storage/replica.ts'
import { readSettings } from '../storage/settings.ts'
import { runCampaign, type Undo } from '../storage/undo.ts'
import { withMigration } from '../upgrade/builds.ts'
import { keepLedger, type Ledger } from './ledger.ts'
import { type Load, startLoad } from './load.ts'
import { findProgram, freePorts } from './programs.ts'
import { PORTS, type ProxyKind, startProxy } from './proxies.ts'

/** Addresses in the configuration of the proxies. */
const SLOTS = PORTS.length
const KINDS = 4
/** Above the time after which nginx tries a server again (`fail_timeout`). */
const SETTLE_MS = 6_000
const MOST_SHIPMENTS = 40_000

const settings = readSettings({ replicas: 3, rate: 40, rounds: 1 }, [], ['proxy'])
const newest = Object.keys(MIGRATIONS).sort().at(-1) ?? ''

type Stage = {
  readonly databaseUrl: string
  readonly ports: readonly number[]
  readonly load: Load
  /** The replica at each port; undefined: free. */
  readonly replicas: (Replica | undefined)[]
  readonly violations: string[]
  start(slot: number, codeFolder?: string): Promise<Replica>
}

await runCampaign(roll)

async function roll(undo: Undo) {
  const chosen = settings.text('proxy')
  const kinds = (['nginx', 'haproxy'] as const).filter((kind) => chosen === undefined || kind === chosen)
  if (kinds.length === 0) throw new Error('--proxy: expected nginx or haproxy')
  if (settings.replicas < 1 || settings.replicas >= SLOTS) throw new Error(`--replicas: 1 to ${SLOTS - 1}`)
  for (const kind of kinds) findProgram(kind)
  const place = makeThrowAwayFolder()
  undo.add(() => rmSync(place, { recursive: true, force: true }))
  chmodSync(place, 0o755)
  const server = await startEmbeddedServer({ dataDir: path.join(place, 'data'), durable: false })
  undo.add(() => server.stop())
  const ledger = keepLedger(sandboxCarrier())
  const sandbox = await startSandboxServer({ carrier: ledger.carrier })
  undo.add(() => sandbox.close())
  const next = withMigration(
    path.join(place, 'next'),
    '900-next',
    ['ALTER TABLE shipment ADD COLUMN later text'],
    newest,
  )
  const results: Awaited<ReturnType<typeof rollBehind>>[] = []
  for (const kind of kinds)
    results.push(await rollBehind(undo, { kind, place, server, ledger, sandbox, next }))
  const sum = (name: 'requests' | 'failed' | 'violations' | 'cancelled') =>
    results.reduce((total, result) => total + result[name], 0)
  return {
    replicas: settings.replicas,
    requests: sum('requests'),
    failed: sum('failed'),
    cancelled: sum('cancelled'),
    violations: sum('violations'),
  }
}

type Parts = {
  readonly kind: ProxyKind
  readonly place: string
  readonly server: EmbeddedServer
  readonly ledger: Ledger
  readonly sandbox: SandboxServer
  /** Folder of the newer version. */
  readonly next: string
}

async function rollBehind(undo: Undo, { kind, place, server, ledger, sandbox, next }: Parts) {
  await runStatements(server.connection, `create database "${kind}"`)
  const source = sourceFor(server.connection, kind)
  const databaseUrl = urlOf(source)
  const ports = await freePorts(SLOTS)
  const violations: string[] = []
  const start = (slot: number, codeFolder?: string) =>
    startReplica(
      undo,
      databaseUrl,
      {
        PORT: String(ports[slot]),
        WAYBILL_SANDBOX_URL: sandbox.address,
        WAYBILL_TRUSTED_PROXIES: '127.0.0.1',
        WAYBILL_POINTS_PER_MINUTE: '100000000',
        // The defaults of production. Campaigns run with demo data, which production refuses.
        WAYBILL_LAME_DUCK_MS: '2500',
        // Replicas start on the same processors. Refusals because of that say nothing about proxies.
        WAYBILL_OVERLOAD_WAIT_MS: '10000',
        WAYBILL_TRACK_MINUTES: '0',
      },
      codeFolder,
    )
  // The first one migrates.
  const replicas: (Replica | undefined)[] = [await start(0)]
  for (let slot = 1; slot < SLOTS; slot += 1)
    replicas.push(slot < settings.replicas ? await start(slot) : undefined)
  await runStatements(databaseUrl, shipments(kind))
  const proxy = await startProxy(undo, kind, place, ports)
  let given = 0
  const load = startLoad(postTo(proxy.origin, proxy.fetch), (KINDS * 1_000) / settings.rate, () => {
    given += 1
    if (given > MOST_SHIPMENTS) throw new Error('there are no shipments left')
    return idOf(kind, given)
  })
  const stage: Stage = { databaseUrl, ports, load, replicas, violations, start }
  load.phase(`${kind}: all replicas`)
  await pause(2_000)
  for (let round = 0; round < settings.rounds; round += 1) await restartAll(stage, kind)
  await upgradeAll(stage, kind, next)
  await load.stop()
  await proxy.stop()
  for (const replica of replicas) if (replica !== undefined) await takeOut(stage, replica)
  violations.push(...(await atOdds(databaseUrl, kind, load, ledger)))
  return report(kind, load, violations)
}

function idOf(kind: ProxyKind, number: number): string {
  return `rolling-${kind}-${number}`
}

function shipments(kind: ProxyKind): string {
  return `INSERT INTO shipment (shipment_id, account_id, state, product_id, carrier_code,
    carrier_ref, from_country, to_country, parcel_type, parcels, recipient, price_cents, tariff_version)
  SELECT 'rolling-${kind}-' || n, 'demo-shop', 'booked', 1201, 'rondeel',
      -- Every tenth carrier call takes two seconds, so that some run when their replica gets SIGTERM.
      CASE WHEN n % 10 = 0 THEN 'SBX-SLOW-2000-' ELSE 'SBX-OK-' END || 'rolling-${kind}-' || n,
      'NL', 'DE', 'NONDOC', '[]', 'business', 985, 'demo@1'
    FROM generate_series(1, ${MOST_SHIPMENTS}) AS n`
}

async function restartAll(stage: Stage, kind: ProxyKind): Promise<void> {
  const { load, replicas } = stage
  for (const [slot, replica] of replicas.entries()) {
    if (replica === undefined) continue
    load.phase(`${kind}: restart of replica ${slot + 1}`)
    await takeOut(stage, replica)
    replicas[slot] = await stage.start(slot)
    await pause(SETTLE_MS)
  }
}

/** Each new process starts at the address that the previous step has freed. */
async function upgradeAll(stage: Stage, kind: ProxyKind, next: string): Promise<void> {
  const { load, replicas } = stage
  let free = replicas.indexOf(undefined)
  for (const [slot, replica] of [...replicas.entries()]) {
    if (replica === undefined) continue
    load.phase(`${kind}: upgrade of replica ${slot + 1}`)
    replicas[free] = await stage.start(free, next)
    await pause(SETTLE_MS)
    await takeOut(stage, replica)
    replicas[slot] = undefined
    free = slot
  }
}

async function takeOut({ violations }: Stage, replica: Replica): Promise<void> {
  await replica.stop()
  const end = replica.ended()
  if (end !== 'ended with 0') violations.push(`a replica ${end}`)
  violations.push(...replica.errors.map((line) => `error in a log: ${line}`))
}

/** Compares the answers with the database and with the carrier. */
async function atOdds(databaseUrl: string, kind: ProxyKind, load: Load, ledger: Ledger): Promise<string[]> {
  const rows = await runStatements(
    databaseUrl,
    `SELECT shipment_id, carrier_ref FROM shipment WHERE state = 'cancelled' AND shipment_id LIKE 'rolling-${kind}-%'`,
  )
  const refs = new Map(rows.map((row) => [String(row['shipment_id']), String(row['carrier_ref'])]))
  const lost = load.confirmed
    .filter((id) => !refs.has(id))
    .map((id) => `${id} was confirmed and is not cancelled`)
  const wrong = [...refs].flatMap(([id, ref]) => {
    const calls = ledger.carrier.cancelCalls(ref)
    const isCancelled = ledger.carrier.isCancelled(ref)
    return calls === 1 && isCancelled
      ? []
      : [`${id}: ${calls} calls, cancelled at the carrier: ${isCancelled}`]
  })
  return [...lost, ...wrong]
}

function report(kind: ProxyKind, load: Load, violations: readonly string[]) {
  const phases = Object.entries(load.totals)
  for (const [phase, { requests, failed, longestMs }] of phases)
    console.log(`${phase}: ${requests} requests, ${failed} failed, longest ${longestMs} ms`)
  printFirst(`${kind}: failed requests`, load.failures)
  printFirst(`${kind}: violations`, violations)
  const failed = load.failures.length
  const requests = phases.reduce((total, [, phase]) => total + phase.requests, 0)
  return { requests, failed, cancelled: load.confirmed.length, violations: failed + violations.length }
}
