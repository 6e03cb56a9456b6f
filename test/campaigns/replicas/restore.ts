/**
 * A restore from a base backup and archived WAL, to a second before a cancellation. `waybill audit` must find the
 * shipment whose cancellation is lost, and with the journal also a lost booking and a lost cancellation of a draft.
 * Prints how long the restore takes.
 *
 * 1. A service books shipments, and half of them are cancelled. A base backup is taken in between.
 * 2. Three changes follow: a cancellation, a booking and the cancellation of a draft. Then the server is lost.
 * 3. The backup is restored to a second before the first of them, the audit runs, and the service starts again.
 *
 * `npm run test:restore -- --shipments 60 --filled 100000`: `filled` shipments are in the database from the
 * beginning, so that the backup has a size. Needs PostgreSQL with pg_basebackup; `--programs <folder>` is the folder
 * that contains `bin`.
 */
import { execFile } from 'node:child_process'
import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sandboxCarrier, sandboxTrackingNumber } from '../../../src/carriers/sandbox/carrier.ts'
import { startSandboxServer } from '../../../src/carriers/sandbox/server.ts'
import { asServerUser, runToEnd } from '../../../src/store/embedded-postgres/run-as.ts'
import { makeThrowAwayFolder } from '../../support/app/throw-away-folder.ts'
import { runStatements, urlOf } from '../../support/database/test-server.ts'
import { postTo } from '../concurrency/doors.ts'
import {
  type DatabaseServer,
  findPrograms,
  type Programs,
  startPrimary,
  startRestored,
  until,
} from '../storage/database-server.ts'
import { printFirst } from '../storage/ends.ts'
import { environmentWith, type Replica, startReplica } from '../storage/replica.ts'
import { readSettings } from '../storage/settings.ts'
import { runCampaign, type Undo } from '../storage/undo.ts'
import { keepLedger, type Ledger } from './ledger.ts'
import { findPostgres, makeServerFolder } from './programs.ts'

const settings = readSettings({ shipments: 60, filled: 100_000 }, [], ['programs'])
const repository = path.resolve(import.meta.dirname, '../../..')

/** Folder of the base backup. */
const BACKUP = 'backup'

/** What happens after the time of the restore. */
const LOST = { cancelled: 'restore-1', booked: 'restore-draft-1', cancelledDraft: 'restore-draft-2' } as const

/** Cancelled shipments, which no audit looks up. */
const FILL = `INSERT INTO shipment (shipment_id, account_id, state, product_id, carrier_code, carrier_ref, from_country,
    to_country, parcel_type, parcels, recipient, price_cents, tariff_version, cancelled_at)
  SELECT 'filled-' || n, 'demo-shop', 'cancelled', 1201, 'rondeel', 'SBX-OK-filled-' || n, 'NL', 'DE', 'NONDOC', '[]',
      'business', 985, 'demo@1', now()
    FROM generate_series(1, ${settings.filled}) AS n`

const DRAFTS = `INSERT INTO shipment (shipment_id, account_id, state, product_id, carrier_code, from_country, to_country,
    parcel_type, parcels, recipient, price_cents, tariff_version)
  SELECT id, 'demo-shop', 'draft', 1201, 'rondeel', 'NL', 'DE', 'NONDOC', '[]', 'business', 985, 'demo@1'
    FROM (SELECT 'restore-' || generate_series(1, ${settings.shipments}) UNION ALL
      VALUES ('${LOST.booked}'), ('${LOST.cancelledDraft}')) AS draft (id)`

await runCampaign(restore)

type Stage = {
  readonly undo: Undo
  readonly place: string
  readonly programs: Programs
  readonly archive: string
  readonly ledger: Ledger
  readonly sandboxUrl: string
  readonly violations: string[]
}

async function restore(undo: Undo) {
  const folder = findPostgres(settings.text('programs'))
  const place = makeThrowAwayFolder()
  undo.add(() => rmSync(place, { recursive: true, force: true }))
  chmodSync(place, 0o755)
  const programs = await findPrograms(place, folder)
  console.log(`${programs.version}: ${settings.shipments} shipments, ${settings.filled} more in the database`)
  const ledger = keepLedger(sandboxCarrier())
  const sandbox = await startSandboxServer({ carrier: ledger.carrier })
  undo.add(() => sandbox.close())
  const archive = makeServerFolder(path.join(place, 'archive'))
  const stage: Stage = { undo, place, programs, archive, ledger, sandboxUrl: sandbox.address, violations: [] }
  const before = await loseServer(stage)
  const startedAt = performance.now()
  const restored = await restoreServer(stage, before.target)
  const restoredMs = Math.round(performance.now() - startedAt)
  await findLosses(stage, restored, before.journal)
  const auditedMs = Math.round(performance.now() - startedAt)
  await serveAgain(stage, restored)
  const servedMs = Math.round(performance.now() - startedAt)
  printFirst('violations', stage.violations)
  const megabytes = Math.round(before.bytes / 1e6)
  console.log(
    `minutes: ${minutes(restoredMs)} until the database accepts writes, ${minutes(auditedMs)} until the audit has repaired ` +
      `it, ${minutes(servedMs)} until the service answers (database of ${megabytes} MB)`,
  )
  return {
    ...{ megabytes, restoredTo: before.target, cancelledAt: before.cancelledAt },
    ...{
      minutesToDatabase: minutes(restoredMs),
      minutesToAudit: minutes(auditedMs),
      minutesToService: minutes(servedMs),
    },
    violations: stage.violations.length,
  }
}

function minutes(milliseconds: number): number {
  return Math.round(milliseconds / 600) / 100
}

/** Steps 1 and 2. Returns the time to restore to and the journal of the service. */
async function loseServer(stage: Stage) {
  const { undo, programs, place, archive } = stage
  const primary = await startPrimary(undo, programs, 'primary', {
    archive_mode: 'on',
    archive_command: `test ! -f ${archive}/%f && cp %p ${archive}/%f`,
  })
  const replica = await serve(stage, primary)
  await runStatements(primary.address, FILL, DRAFTS)
  const ids = Array.from({ length: settings.shipments }, (_unused, index) => `restore-${index + 1}`)
  const half = Math.floor(ids.length / 2)
  for (const id of ids.slice(0, half)) await book(replica, id)
  const backup = path.join(place, BACKUP)
  const words = [
    '-D',
    backup,
    '-h',
    primary.address.host,
    '-p',
    String(primary.address.port),
    '-U',
    primary.address.user,
  ]
  const command = [
    path.join(programs.folder, 'bin/pg_basebackup'),
    ...words,
    '--checkpoint=fast',
    '-X',
    'none',
    '--no-sync',
  ]
  const { status, stderr } = await runToEnd(asServerUser(command))
  if (status !== 0) throw new Error(`pg_basebackup: ${stderr}`)
  for (const id of ids.slice(half)) await book(replica, id)
  // Every second one, without the first.
  for (const id of ids.filter((_id, index) => index % 2 === 1)) await cancel(replica, id)
  await pause(2_000)

  await cancel(replica, LOST.cancelled)
  await book(replica, LOST.booked)
  await cancel(replica, LOST.cancelledDraft)
  const [row] = await runStatements(
    primary.address,
    `SELECT at::text AS "cancelledAt", (at - interval '1 second')::text AS target,
        pg_database_size(current_database()) AS bytes
      FROM shipment_event WHERE shipment_id = '${LOST.cancelled}' AND to_state = 'cancelled'`,
  )
  await archiveAll(primary)
  await replica.stop()
  await primary.kill()
  const { cancelledAt, target, bytes } = row ?? {}
  console.log(`the server is lost; ${LOST.cancelled} was cancelled at ${cancelledAt}, restoring to ${target}`)
  return {
    ...{ cancelledAt: String(cancelledAt), target: String(target), bytes: Number(bytes) },
    journal: replica.journal,
  }
}

function serve({ undo, sandboxUrl }: Stage, { address }: DatabaseServer): Promise<Replica> {
  return startReplica(undo, urlOf(address), { WAYBILL_SANDBOX_URL: sandboxUrl, WAYBILL_TRACK_MINUTES: '0' })
}

async function book({ origin }: Replica, shipmentId: string): Promise<void> {
  const query = 'mutation ($id: ID!) { bookShipment(input: { shipmentId: $id }) { __typename } }'
  const { json } = await postTo(origin)('/graphql', { query, variables: { id: shipmentId } })
  const { data } = json as { data?: { bookShipment?: { __typename: string } } }
  if (data?.bookShipment?.__typename !== 'ShipmentBooked')
    throw new Error(`${shipmentId}: ${JSON.stringify(json)}`)
}

async function cancel({ origin }: Replica, shipmentId: string): Promise<void> {
  const { status, json } = await postTo(origin)(`/partners-api/v1/shipments/${shipmentId}/cancel`)
  if (status !== 200) throw new Error(`${shipmentId}: ${status} ${JSON.stringify(json)}`)
}

/** Waits until all WAL so far is in the archive. */
async function archiveAll({ address }: DatabaseServer): Promise<void> {
  const [row] = await runStatements(address, 'SELECT pg_walfile_name(pg_switch_wal()) AS file')
  await until(address, `(SELECT last_archived_wal >= '${row?.['file']}' FROM pg_stat_archiver)`)
}

async function restoreServer(
  { undo, programs, place, archive }: Stage,
  target: string,
): Promise<DatabaseServer> {
  const copy = ['cp', '-a', path.join(place, BACKUP), path.join(place, 'restored')]
  const { status, stderr } = await runToEnd(asServerUser(copy))
  if (status !== 0) throw new Error(`the backup cannot be copied: ${stderr}`)
  const restored = await startRestored(undo, programs, 'restored', { archive, time: target })
  await until(restored.address, 'NOT pg_is_in_recovery()')
  return restored
}

/** The audit lists the losses, then repairs them. */
async function findLosses(stage: Stage, restored: DatabaseServer, journal: readonly string[]): Promise<void> {
  const log = path.join(stage.place, 'journal.jsonl')
  writeFileSync(log, journal.join('\n'))
  const states = await statesOf(restored)
  expectSame(stage, 'after the restore', states, ['booked', 'draft', 'draft'])
  const listed = JSON.parse(await audit(stage, restored, '--dry-run', '--json', '--log', log))
  expectSame(stage, 'the audit lists cancellations', listed.cancelled.first, [LOST.cancelled])
  expectSame(stage, 'the audit lists bookings', idsOf(listed.lostBookings.drafts.first), [LOST.booked])
  expectSame(stage, 'the audit lists cancelled drafts', idsOf(listed.revivedDrafts.drafts.first), [
    LOST.cancelledDraft,
  ])
  console.log(await audit(stage, restored, '--repair', '--cancel-drafts', '--log', log))
  expectSame(stage, 'after the audit', await statesOf(restored), ['cancelled', 'booked', 'cancelled'])
}

function idsOf(found: readonly (string | { readonly shipmentId: string })[]): readonly string[] {
  return found.map((one) => (typeof one === 'string' ? one : one.shipmentId))
}

/** The states of the three shipments of LOST, in order. */
async function statesOf({ address }: DatabaseServer): Promise<readonly string[]> {
  const ids = Object.values(LOST)
  const rows = await runStatements(
    address,
    `SELECT shipment_id, state FROM shipment WHERE shipment_id IN ('${ids.join("', '")}')`,
  )
  const states = new Map(rows.map((row) => [row['shipment_id'], String(row['state'])]))
  return ids.map((id) => states.get(id) ?? 'missing')
}

/** What it prints. The exit code is 1 if something needs attention. */
function audit(
  { sandboxUrl }: Stage,
  { address }: DatabaseServer,
  ...options: readonly string[]
): Promise<string> {
  const env = environmentWith({ DATABASE_URL: urlOf(address), WAYBILL_SANDBOX_URL: sandboxUrl })
  const program = ['--import', 'tsx', 'src/cli/waybill.ts', 'audit', ...options]
  return new Promise((resolve, reject) => {
    execFile(process.execPath, program, { cwd: repository, env }, (error, stdout, stderr) =>
      stdout === '' ? reject(error ?? new Error(stderr)) : resolve(stdout),
    )
  })
}

/** A repeated cancellation succeeds without a second one at the carrier. */
async function serveAgain(stage: Stage, restored: DatabaseServer): Promise<void> {
  const replica = await serve(stage, restored)
  await cancel(replica, LOST.cancelled)
  const keys = stage.ledger.keysOf(sandboxTrackingNumber(LOST.cancelled)).size
  if (keys !== 1) stage.violations.push(`${LOST.cancelled} was sent to its carrier by ${keys} attempts`)
  stage.violations.push(...replica.errors.map((line) => `error in a log: ${line}`))
}

function expectSame(
  { violations }: Stage,
  what: string,
  found: readonly string[],
  expected: readonly string[],
): void {
  if (found.join() !== expected.join())
    violations.push(`${what}: ${found.join(' ')} instead of ${expected.join(' ')}`)
}
