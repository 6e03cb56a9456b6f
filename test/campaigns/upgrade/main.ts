/**
 * Upgrades and rollbacks under load: every answer must be the one that a caller expects, whichever versions are
 * running.
 *
 * 1. An earlier commit serves a filled database while a transaction has locked all tables, as pg_dump does. This
 *    version starts beside it and migrates. Both serve, then this version alone.
 * 2. A newer version with a compatible migration starts beside this one. Both serve, this one is restarted (the
 *    rollback), and serves alone.
 * 3. A version with an incompatible migration starts. This one becomes not ready, and refuses to start again.
 *
 * `npm run test:upgrade -- --seconds 5 --shipments 100000 --callers 8 --from 159b36ed`. The commit must be in the
 * clone.
 */
import { chmodSync, rmSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { startSandboxServer } from '../../../src/carriers/sandbox/server.ts'
import { startEmbeddedServer } from '../../../src/store/embedded-postgres/server.ts'
import { MIGRATIONS } from '../../../src/store/migrations/index.ts'
import { makeThrowAwayFolder } from '../../support/app/throw-away-folder.ts'
import { runStatements, urlOf } from '../../support/database/test-server.ts'
import { printFirst } from '../storage/ends.ts'
import { type Replica, startReplica } from '../storage/replica.ts'
import { readSettings } from '../storage/settings.ts'
import { runCampaign, type Undo } from '../storage/undo.ts'
import { checkOut, withMigration } from './builds.ts'
import { type Callers, startCallers } from './callers.ts'

/** The last commit before the migration 057. Versions before 040 cannot run beside this one. */
const FROM = '159b36ed'

const settings = readSettings({ seconds: 5, shipments: 100_000, callers: 8 }, [], ['from'])
const newest = Object.keys(MIGRATIONS).sort().at(-1) ?? ''

/** The tables with rows that grow with the number of shipments. */
const FILL = (count: number) => [
  `INSERT INTO shipment (shipment_id, account_id, state, product_id, carrier_code, carrier_ref, from_country, to_country,
      parcel_type, parcels, recipient, price_cents, tariff_version, next_track_at)
    SELECT 'filled-' || n, 'demo-shop', 'booked', 1201, 'rondeel', 'SBX-OK-filled-' || n, 'NL', 'DE', 'NONDOC', '[]',
        'business', 985, 'demo@1', now() + interval '1 day'
      FROM generate_series(1, ${count}) AS n`,
  `INSERT INTO cancel_attempt (shipment_id, account_id, carrier_code, phase, lease_until, next_try_at, settled_at)
    SELECT 'filled-' || n, 'demo-shop', 'rondeel', 'accepted', now(), now(), now()
      FROM generate_series(1, ${count}) AS n`,
]

type Stage = {
  readonly undo: Undo
  readonly folder: string
  readonly databaseUrl: string
  readonly callers: Callers
  readonly violations: string[]
  start(codeFolder?: string): Promise<Replica>
}

await runCampaign(upgrade)

async function upgrade(undo: Undo) {
  const folder = makeThrowAwayFolder()
  undo.add(() => rmSync(folder, { recursive: true, force: true }))
  chmodSync(folder, 0o755)
  const server = await startEmbeddedServer({ dataDir: path.join(folder, 'data'), durable: true })
  undo.add(() => server.stop())
  const databaseUrl = urlOf(server.connection)
  const sandbox = await startSandboxServer()
  undo.add(() => sandbox.close())
  const start = (codeFolder?: string) =>
    startReplica(
      undo,
      databaseUrl,
      { WAYBILL_SANDBOX_URL: sandbox.address, WAYBILL_POINTS_PER_MINUTE: '100000000' },
      codeFolder,
    )
  const old = await start(checkOut(settings.text('from') ?? FROM, path.join(folder, 'old')))
  await runStatements(databaseUrl, ...FILL(settings.shipments))
  const callers = startCallers([old.origin], settings.callers)
  const stage: Stage = { undo, folder, databaseUrl, callers, violations: [], start }
  const current = await replaceOld(stage, old)
  const restarted = await rollBack(stage, current)
  await callers.stop()
  await refuseIncompatible(stage, restarted)
  printFirst('unexpected answers', callers.failures)
  printFirst('violations', stage.violations)
  const violations = callers.failures.length + stage.violations.length
  return { shipments: settings.shipments, phases: callers.totals, violations }
}

function seconds(): Promise<void> {
  return pause(settings.seconds * 1_000)
}

/** Returns the replica of this version. */
async function replaceOld(stage: Stage, old: Replica): Promise<Replica> {
  const { callers } = stage
  callers.phase('old')
  await seconds()
  callers.phase('old, while the new one migrates')
  const endRead = await openLongRead(stage)
  const starting = stage.start()
  if (await Promise.race([waitsForLock(stage), starting.then(() => false)])) {
    callers.phase('old, while the migration waits for a lock')
    // Several attempts of the migration fail.
    await pause(6_000)
  } else stage.violations.push('the migration did not wait for the long read')
  await endRead()
  const current = await starting
  callers.phase('old and new')
  await callers.direct([old.origin, current.origin])
  await seconds()
  await takeOut(stage, old, [current])
  callers.phase('new')
  await seconds()
  return current
}

/** Resolves to true when a migration waits for the lock of a table. */
async function waitsForLock({ databaseUrl }: Stage): Promise<boolean> {
  for (;;) {
    const rows = await runStatements(
      databaseUrl,
      `SELECT 1 FROM pg_locks JOIN pg_stat_activity USING (pid)
        WHERE application_name = 'waybill migrate' AND locktype = 'relation' AND NOT granted`,
    )
    if (rows.length > 0) return true
    await pause(50)
  }
}

/** Returns the replica of this version after its restart beside a newer one. */
async function rollBack(stage: Stage, current: Replica): Promise<Replica> {
  const { callers } = stage
  const statements = [
    'ALTER TABLE shipment ADD COLUMN later text',
    'ALTER TABLE cancel_attempt ADD COLUMN later text',
    'CREATE TABLE later (id bigint)',
  ]
  const code = withMigration(path.join(stage.folder, 'next'), '900-next', statements, newest)
  callers.phase('new, while the next one migrates')
  const next = await stage.start(code)
  callers.phase('new and next')
  await callers.direct([current.origin, next.origin])
  await seconds()
  await expectReady(stage, current, true)
  await takeOut(stage, current, [next])
  callers.phase('next')
  await seconds()
  const restarted = await stage.start()
  callers.phase('next and restarted')
  await callers.direct([next.origin, restarted.origin])
  await seconds()
  await takeOut(stage, next, [restarted])
  callers.phase('restarted')
  await seconds()
  return restarted
}

/** A version whose migration only later versions can use. */
async function refuseIncompatible(stage: Stage, current: Replica): Promise<void> {
  const folder = path.join(stage.folder, 'incompatible')
  const code = withMigration(
    folder,
    '901-contract',
    ['ALTER TABLE shipment DROP COLUMN later'],
    '901-contract',
  )
  const replacement = await stage.start(code).catch((error: Error) => error)
  // It does not include the migration 900-next, which is compatible with it.
  if (replacement instanceof Error) stage.violations.push(`the replacement: ${replacement.message}`)
  // The result of a check is reused for half a second.
  await pause(1_000)
  await expectReady(stage, current, false)
  const refused = await stage.start().catch((error: Error) => error)
  if (!(refused instanceof Error && refused.message.includes('901-contract')))
    stage.violations.push(
      `this version started on an incompatible schema, or failed otherwise: ${String(refused)}`,
    )
}

async function expectReady({ violations }: Stage, replica: Replica, expected: boolean): Promise<void> {
  if ((await replica.ready()) !== expected) violations.push(`a replica is ${expected ? 'not ' : ''}ready`)
}

/** Sends the callers to the remaining replicas, then stops this one. */
async function takeOut(
  { callers, violations }: Stage,
  replica: Replica,
  remaining: readonly Replica[],
): Promise<void> {
  await callers.direct(remaining.map(({ origin }) => origin))
  await replica.stop()
  violations.push(...replica.errors.map((line) => `error in a log: ${line}`))
}

/** Locks all tables in a transaction that stays open, as pg_dump does. Returns a function that ends it. */
async function openLongRead({ undo, databaseUrl }: Stage): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'a backup' })
  await client.connect()
  let ended: Promise<void> | undefined
  const end = () => {
    ended ??= client.end()
    return ended
  }
  undo.add(end)
  const { rows } = await client.query<{ tables: string }>(
    `SELECT string_agg(format('%I', tablename), ', ') AS tables FROM pg_tables WHERE schemaname = 'public'`,
  )
  await client.query('BEGIN')
  await client.query(`LOCK TABLE ${rows[0]?.tables} IN ACCESS SHARE MODE`)
  return end
}
