/** `waybill carrier test`: its table, JSON and exit codes. docs/carriers.md#test-the-settings */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { startUpsFake, UPS_CREDENTIALS, type UpsFake } from '../carriers/fakes/ups.ts'
import { type ClonedDatabase, cloneDatabase } from '../support/database/clone-database.ts'
import { runWaybill } from './run-waybill.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'waybill-carrier-'))
let clone: ClonedDatabase
let ups: UpsFake
beforeAll(async () => {
  ;[clone, ups] = await Promise.all([cloneDatabase(), startUpsFake()])
  const { db } = clone
  await db
    .updateTable('carrier')
    .set({ connector: 'ups' })
    .where('carrier_code', 'in', ['rondeel', 'polderpost'])
    .execute()
})
afterEach(() => vi.unstubAllEnvs())
afterAll(async () => {
  await Promise.all([clone.drop(), ups.close()])
  rmSync(folder, { recursive: true })
})

function waybill(words: string, settings?: object) {
  const file = path.join(folder, 'carriers.json')
  writeFileSync(file, JSON.stringify(settings ?? {}), { mode: 0o600 })
  vi.stubEnv('WAYBILL_CARRIERS', settings === undefined ? '' : file)
  return runWaybill(clone, words)
}

const settings = (clientSecret: string) => ({
  rondeel: {
    baseUrl: ups.baseUrl,
    credentials: UPS_CREDENTIALS,
    accounts: { 'demo-shop': { credentials: { clientSecret } } },
  },
})

test('prints a line for each set of credentials, and cancels nothing', async () => {
  const { code, out, err } = await waybill('carrier test', settings('canary-wrong'))
  const host = new URL(ups.baseUrl).host
  expect([code, err]).toEqual([1, ''])
  const [heading = '', ...lines] = out.split('\n').map((line) => line.replace(/ {2,}/g, ' | '))
  expect(heading).toBe('CARRIER | ACCOUNT | CONNECTOR | HOST | DNS | TCP | TLS | TOKEN | READ | VERDICT')
  expect(lines).toEqual([
    `rondeel | ups | ${host} | ok | ok | ok | ok | credentials accepted`,
    `rondeel | demo-shop | ups | ${host} | ok | ok | failed | - | credentials rejected`,
    'rondeel, demo-shop: no access token: HTTP 401',
  ])
  expect(ups.requests.map(({ method }) => method)).not.toContain('DELETE')
})

test('accepts equal credentials once, as JSON', async () => {
  const { code, out } = await waybill('carrier test rondeel --json', settings(UPS_CREDENTIALS.clientSecret))
  expect(code).toBe(0)
  expect(JSON.parse(out)).toEqual([expect.objectContaining({ carrierCode: 'rondeel', verdict: 'accepted' })])
  // Also under a carrier that shares them with an earlier one.
  const right = settings(UPS_CREDENTIALS.clientSecret)
  const shared = await waybill('carrier test rondeel --json', { polderpost: right.rondeel, ...right })
  expect(JSON.parse(shared.out)).toEqual([expect.objectContaining({ carrierCode: 'rondeel' })])
})

test('says that there is nothing to test', async () => {
  expect(await waybill('carrier test')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^No carrier has settings/),
  })
  expect(await waybill('carrier test kwiklijn', settings('x'))).toMatchObject({
    code: 1,
    err: 'waybill: the settings have no credentials of carrier kwiklijn',
  })
  expect(await waybill('carrier test', { nobody: { baseUrl: 'https://x.example' } })).toMatchObject({
    code: 1,
    err: expect.stringContaining('nobody: no rate card has this carrier'),
  })
})
