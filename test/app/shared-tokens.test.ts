/** Workers and replicas that use one access token of a carrier. docs/carriers.md#access-tokens */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEMO_CREDENTIALS } from '../../src/store/demo/accounts.ts'
import { startUpsFake, UPS_CREDENTIALS, type UpsFake } from '../carriers/fakes/ups.ts'
import { type Replica, startReplica, stopReplica } from '../support/app/replica.ts'
import { type ClonedDatabase, cloneDatabase } from '../support/database/clone-database.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'waybill-tokens-'))
let clone: ClonedDatabase
let ups: UpsFake
let replicas: Replica[] = []

beforeAll(async () => {
  clone = await cloneDatabase({ statementTimeoutMs: 0 })
  ups = await startUpsFake()
  ups.parcels.add('1Z0000000000000001', '401-once')
  const { db } = clone
  await db.updateTable('carrier').set({ connector: 'ups' }).where('carrier_code', '=', 'rondeel').execute()
  await db
    .updateTable('shipment')
    .set({ carrier_ref: '1Z0000000000000001' })
    .where('shipment_id', '=', 'demo-booked')
    .execute()
})
afterAll(async () => {
  await Promise.all(replicas.map((replica) => stopReplica(replica)))
  await ups.close()
  await clone.drop()
  rmSync(folder, { recursive: true })
})

const tokenRequests = (): number => ups.requests.filter(({ path }) => path.endsWith('/token')).length

/** Each process with its own test of the credentials needs a token when it starts. */
async function start(
  settings: Readonly<Record<string, string>> = {},
  { credentials = UPS_CREDENTIALS, logged = '"verdict":"credentials accepted"' } = {},
): Promise<Replica> {
  const carriersFile = path.join(folder, 'carriers.json')
  const carriers = { rondeel: { baseUrl: ups.baseUrl, credentials } }
  writeFileSync(carriersFile, JSON.stringify(carriers), { mode: 0o600 })
  const replica = await startReplica(clone, {
    ...{ LOG_LEVEL: 'debug', WAYBILL_CARRIERS: carriersFile, WAYBILL_TRACK_MINUTES: '0' },
    ...settings,
  })
  await expect.poll(replica.printed, { timeout: 30_000 }).toContain(logged)
  return replica
}

test('replicas and workers that start at the same time, and later ones, request one token', async () => {
  replicas = await Promise.all([start(), start({ WAYBILL_WORKERS: '2' })])
  expect(tokenRequests()).toBe(1)
  await Promise.all(replicas.map((replica) => stopReplica(replica)))
  replicas = [await start(), await start()]
  expect(tokenRequests()).toBe(1)
})

test('a token that the carrier rejects is replaced once, for all', async () => {
  const cancel = async (replica: Replica) => {
    const reply = await fetch(`${replica.origin}/partners-api/v1/shipments/demo-booked/cancel`, {
      method: 'POST',
      headers: { 'X-PP-API': DEMO_CREDENTIALS },
    })
    await reply.arrayBuffer()
    return reply.status
  }
  expect(await cancel(replicas[0]!)).toBe(200)
  expect(tokenRequests()).toBe(2)
  replicas.push(await start())
  expect(tokenRequests()).toBe(2)
})

test('no token is in the log, or readable in the database', async () => {
  const rows = await clone.db.selectFrom('carrier_token').selectAll().execute()
  expect(rows.length).toBe(1)
  const stored = rows.map(({ token }) => token?.toString('latin1')).join()
  const printed = replicas.map((replica) => replica.printed()).join('')
  for (const secret of ['canary-ups-token', UPS_CREDENTIALS.clientSecret])
    expect(`${stored}${printed}`).not.toContain(secret)
})

test('every replica reports rejected credentials at start, after one token request', async () => {
  const credentials = { ...UPS_CREDENTIALS, clientSecret: 'canary-wrong' }
  const before = tokenRequests()
  const logged = '"detail":"credentials rejected: no access token: '
  for (const cause of ['HTTP 401', 'another process was refused one: HTTP 401'])
    replicas.push(await start({}, { credentials, logged: `${logged}${cause}"` }))
  expect(tokenRequests()).toBe(before + 1)
})
