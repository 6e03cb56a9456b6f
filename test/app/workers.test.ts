/** A service with two worker processes. docs/decisions/security.md#d167 */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEMO_CREDENTIALS } from '../../src/store/demo/accounts.ts'
import { programArguments } from '../support/app/compiled-programs.ts'
import { type ClonedDatabase, cloneDatabase } from '../support/database/clone-database.ts'
import { urlOf } from '../support/database/test-server.ts'
import { samplesIn } from '../support/prometheus.ts'

const LIMIT = 30

const clean = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(WAYBILL_|NODE_ENV|VITEST)/.test(name)),
)

let clone: ClonedDatabase
let service: ChildProcess
let printed = ''
let warned = ''
const folder = mkdtempSync(path.join(tmpdir(), 'waybill-workers-'))
const carriersFile = path.join(folder, 'carriers.json')

beforeAll(async () => {
  clone = await cloneDatabase({ statementTimeoutMs: 0 })
  writeFileSync(carriersFile, '{}', { mode: 0o600 })
  service = spawn(process.execPath, programArguments('src/main.ts'), {
    cwd: path.resolve(import.meta.dirname, '../..'),
    env: {
      ...clean,
      DATABASE_URL: urlOf(clone.source),
      PORT: '0',
      WAYBILL_WORKERS: '2',
      WAYBILL_METRICS_PORT: '0',
      WAYBILL_CARRIERS: carriersFile,
      WAYBILL_DEMO_DATA: 'true',
      WAYBILL_RATE_LIMIT_PER_MINUTE: String(LIMIT),
      WAYBILL_OVERLOAD_WAIT_MS: '60000',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  service.stderr!.on('data', (chunk) => {
    warned += chunk
  })
  service.stdout!.on('data', (chunk) => {
    printed += chunk
  })
  while (!printed.includes('/cancel')) {
    if (service.exitCode !== null) throw new Error(`the service ended: ${printed}`)
    await pause(50)
  }
})

afterAll(async () => {
  service.kill('SIGKILL')
  rmSync(folder, { recursive: true })
  await clone.drop()
})

const origin = () => /GraphQL\s+(\S+)\/graphql/.exec(printed)![1]!

const workerPids = (): number[] =>
  readFileSync(`/proc/${service.pid}/task/${service.pid}/children`, 'utf8').trim().split(' ').map(Number)

/** Sends a request on a connection of its own, so that the primary assigns it to the next worker. */
async function send(credentials = DEMO_CREDENTIALS): Promise<number> {
  const reply = await fetch(`${origin()}/partners-api/v1/shipments/unknown/cancel`, {
    method: 'POST',
    headers: { 'X-PP-API': credentials, Connection: 'close' },
  })
  await reply.arrayBuffer()
  return reply.status
}

test('divides connections among the workers, and names the worker in log lines', async () => {
  for (let nth = 0; nth < 4; nth++) expect(await send()).toBe(404)
  await expect.poll(() => printed).toMatch(/"worker":1,.*"status":404/)
  await expect.poll(() => printed).toMatch(/"worker":2,.*"status":404/)
})

test('adds up the metrics of the workers in one scrape', async () => {
  const [, port] = /"port":(\d+),"msg":"metrics are served"/.exec(printed) ?? []
  const scraped = async () => samplesIn(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text())
  const labels = { door: 'rest', operation: 'cancelShipment', status: '404' }
  // The four requests of the test before, two by each worker.
  await expect.poll(async () => (await scraped()).value('waybill_http_requests_total', labels)).toBe(4)
  expect((await scraped()).sum('waybill_build_info')).toBe(1)
  // Of the oldest worker. A rule of deploy/prometheus counts the alerts of a start by it.
  const startedAt = (await scraped()).value('waybill_process_start_time_seconds')
  expect(Math.abs(Date.now() / 1_000 - startedAt)).toBeLessThan(3_600)
})

test('has the metrics of the other workers while one does not respond', async () => {
  const [, port] = /"port":(\d+),"msg":"metrics are served"/.exec(printed) ?? []
  const scrape = async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`)
    const samples = samplesIn(await answer.text())
    return [answer.status, samples.value('waybill_workers'), samples.value('waybill_workers_reporting')]
  }
  expect(await scrape()).toEqual([200, 2, 2])
  const [stopped] = workerPids()
  process.kill(stopped!, 'SIGSTOP')
  try {
    expect(await scrape()).toEqual([200, 2, 1])
  } finally {
    process.kill(stopped!, 'SIGCONT')
  }
  await expect.poll(scrape, { timeout: 60_000 }).toEqual([200, 2, 2])
})

test('a scrape fails if no worker responds, and scrapes at the same time share its messages', async () => {
  const [, port] = /"port":(\d+),"msg":"metrics are served"/.exec(printed) ?? []
  const scrape = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).status
  const pids = workerPids()
  for (const pid of pids) process.kill(pid, 'SIGSTOP')
  try {
    const many = await Promise.all(Array.from({ length: 20 }, scrape))
    expect(new Set(many)).toEqual(new Set([503]))
  } finally {
    for (const pid of pids) process.kill(pid, 'SIGCONT')
  }
  await expect.poll(scrape, { timeout: 60_000 }).toBe(200)
  expect(warned).not.toContain('MaxListenersExceededWarning')
})

test('shares the request limit of a key among the workers', async () => {
  let accepted = 4
  while ((await send()) !== 429) {
    accepted++
    // Time for the workers to report to each other. Without reports, twice the limit would be accepted.
    if (accepted >= LIMIT - 2) await pause(100)
    expect(accepted).toBeLessThan(2 * LIMIT)
  }
  expect(accepted).toBeLessThan(2 * LIMIT - 4)
})

test('reads the settings of the carriers again in each worker on SIGHUP', async () => {
  service.kill('SIGHUP')
  for (const worker of [1, 2])
    await expect
      .poll(() => printed, { timeout: 60_000 })
      .toMatch(new RegExp(`"worker":${worker},.*"msg":"the settings of the carriers were read again"`))
})

test('replaces a worker that ended, with the settings of the carriers that were accepted last', async () => {
  writeFileSync(carriersFile, '{"nowhere":{"baseUrl":"http://127.0.0.1:9"}}')
  service.kill('SIGHUP')
  await expect.poll(() => printed.split('CARRIERS_FILE_REFUSED').length - 1, { timeout: 60_000 }).toBe(2)
  const [victim, other] = workerPids()
  process.kill(victim!, 'SIGKILL')
  await expect.poll(() => workerPids().filter((pid) => pid !== victim).length, { timeout: 60_000 }).toBe(2)
  expect(workerPids()).toContain(other)
  // Its replacement is starting.
  const [, port] = /"port":(\d+),"msg":"metrics are served"/.exec(printed) ?? []
  const metrics = await fetch(`http://127.0.0.1:${port}/metrics`)
  const reporting = samplesIn(await metrics.text()).value('waybill_workers_reporting')
  expect([metrics.status, reporting]).toEqual([200, 1])
  await expect.poll(() => printed, { timeout: 60_000 }).toContain('a worker ended; it will be replaced')
  await expect.poll(() => printed, { timeout: 60_000 }).toMatch(/"worker":3,.*"service\.configured"/)
  expect([401, 429]).toContain(await send('0000:wrong'))
})

test('tests the carriers after a reload in the worker that has run longest', async () => {
  writeFileSync(carriersFile, '{"rondeel":{"baseUrl":"http://127.0.0.1:9"}}')
  service.kill('SIGHUP')
  await expect
    .poll(() => printed, { timeout: 60_000 })
    .toMatch(/"worker":3,.*"msg":"the settings of the carriers were read again"/)
  await expect.poll(() => printed, { timeout: 60_000 }).toMatch(/"worker":2,.*"event":"carriers\.tested"/)
  expect(printed).not.toMatch(/"worker":[13],.*"event":"carriers\.tested"/)
  expect(printed.split('a worker ended').length - 1).toBe(1)
})

test('stops all workers on SIGTERM', async () => {
  const pids = workerPids()
  const ended = once(service, 'exit')
  service.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
  for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow('ESRCH')
})
