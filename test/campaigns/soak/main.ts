/**
 * Measures whether the memory of the service grows under a constant load: `npm run test:soak -- [minutes] [requests per
 * second]`, by default 60 minutes at 200 requests per second. Starts the service with the embedded database, sends rates and
 * duties requests through both doors on loopback, and reads the heap after a full collection. Prints the growth in MB per
 * 10 minutes after a warm-up of a quarter of the time, and fails above 1 MB.
 */
import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { Agent, request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { DEMO_CREDENTIALS } from '../../../src/store/demo/accounts.ts'
import { seeded } from '../../bench/generated-book.ts'
import { makeThrowAwayFolder } from '../../support/app/throw-away-folder.ts'

const MAX_MB_PER_10_MINUTES = 1
const SAMPLES = 40
const MAX_MINUTES = 240
const MAX_PER_SECOND = 2_000
const TO = ['NL', 'ES', 'FR', 'DE', 'IT']

type Sample = { readonly minutes: number; readonly mb: number }

const [minutes = 60, perSecond = 200] = process.argv.slice(2).map(Number)
if (!(minutes > 0 && minutes <= MAX_MINUTES && perSecond > 0 && perSecond <= MAX_PER_SECOND)) {
  console.error('usage: npm run test:soak -- [minutes, at most 240] [requests per second, at most 2,000]')
  process.exit(2)
}

const root = new URL('../../..', import.meta.url).pathname
const folder = makeThrowAwayFolder()
// A module that is loaded before the service answers each message with its heap after a full collection.
const preload = `data:text/javascript,process.on('message',()=>{gc();gc();process.send({heap:process.memoryUsage().heapUsed})})`
const service = spawn(
  process.execPath,
  ['--expose-gc', '--import', 'tsx', '--import', preload, 'src/main.ts'],
  {
    cwd: root,
    env: {
      ...process.env,
      DATA_DIR: join(folder, 'data'),
      PORT: '0',
      LOG_LEVEL: 'warn',
      WAYBILL_RATE_LIMIT_PER_MINUTE: '1000000',
      WAYBILL_POINTS_PER_MINUTE: '100000000',
      WAYBILL_OVERLOAD_WAIT_MS: '60000',
    },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  },
)
const agent = new Agent({ keepAlive: true, maxSockets: 32 })
const next = seeded(1)
const statuses = new Map<number, number>()
try {
  const origin = await ready()
  const samples = await soak(origin)
  const growth = growthPer10Minutes(samples.slice(Math.floor(SAMPLES / 4)))
  console.log(`statuses: ${[...statuses].map(([status, count]) => `${status} × ${count}`).join(', ')}`)
  console.log(`the heap grows by ${growth.toFixed(2)} MB per 10 minutes`)
  console.log(JSON.stringify({ mb_per_10_minutes: Number(growth.toFixed(3)), minutes, perSecond }))
  if (growth > MAX_MB_PER_10_MINUTES) process.exitCode = 1
} finally {
  agent.destroy()
  const ended = new Promise((resolve) => service.once('exit', resolve))
  if (service.exitCode === null && service.kill('SIGTERM')) await ended
  rmSync(folder, { recursive: true, force: true })
}

function ready(): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = ''
    service.stdout!.on('data', (chunk) => {
      printed += chunk
      const origin = /GraphQL\s+(\S+)\/graphql/.exec(printed)?.[1]
      if (origin !== undefined && printed.includes('/cancel')) resolve(origin)
    })
    service.once('exit', (code) => reject(new Error(`the service ended with ${code}: ${printed}`)))
  })
}

async function soak(origin: string): Promise<Sample[]> {
  const samples: Sample[] = []
  const from = performance.now()
  const totalMs = minutes * 60_000
  let sent = 0
  while (samples.length < SAMPLES) {
    const elapsedMs = performance.now() - from
    for (const due = (elapsedMs / 1000) * perSecond; sent < due; sent++) void send(origin)
    if (elapsedMs >= (totalMs * (samples.length + 1)) / SAMPLES) {
      const sample = { minutes: elapsedMs / 60_000, mb: (await heapBytes()) / 1e6 }
      samples.push(sample)
      console.log(`${sample.minutes.toFixed(1)} min  ${sample.mb.toFixed(2)} MB`)
    }
    await delay(10)
  }
  return samples
}

function heapBytes(): Promise<number> {
  return new Promise((resolve) => {
    service.once('message', (message) => resolve((message as { readonly heap: number }).heap))
    service.send('heap')
  })
}

function send(origin: string): Promise<void> {
  const { path, body } = randomRequest()
  return new Promise((resolve) => {
    const count = (status: number): void => {
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      resolve()
    }
    const headers = { 'X-PP-API': DEMO_CREDENTIALS, 'Content-Type': 'application/json' }
    const request = httpRequest(`${origin}${path}`, { method: 'POST', headers, agent }, (response) => {
      response.resume()
      response.once('end', () => count(response.statusCode!))
    })
    request.once('error', () => count(0))
    request.end(JSON.stringify(body))
  })
}

/** A new parcel, or goods with one of 10,000 codes, most of which no tariff has. */
function randomRequest(): { readonly path: string; readonly body: object } {
  const toCountry = TO[next(TO.length)]!
  const weightKg = String(1 + next(20))
  switch (next(3)) {
    case 0: {
      const parcel = { type: 'NONDOC', weight: weightKg, length: 40, width: 30, height: 20, count: 1 }
      const body = { parcels: [parcel], fromCountry: 'NL', toCountry, recipientType: 'business' }
      return { path: '/partners-api/v1/rates', body }
    }
    case 1: {
      const tariff = String(6_100_000_000 + next(10_000) * 1_000)
      const item = { description: 'goods', numberOfItems: 1 + next(5), cost: 1 + next(400), tariff }
      const body = { contentItems: [item], fromCountry: 'US', toCountry }
      return { path: '/partners-api/v1/duties-taxes-estimate', body }
    }
    default: {
      const parcel = `{type: NONDOC, weightKg: "${weightKg}", lengthCm: 40, widthCm: 30, heightCm: 20, count: 1}`
      const input = `{from: {country: "NL"}, to: {country: "${toCountry}"}, recipientType: BUSINESS, parcels: [${parcel}]}`
      return { path: '/graphql', body: { query: `{ rates(input: ${input}) { __typename } }` } }
    }
  }
}

/** The slope of the line of least squares. */
function growthPer10Minutes(samples: readonly Sample[]): number {
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length
  const meanMinutes = mean(samples.map((sample) => sample.minutes))
  const meanMb = mean(samples.map((sample) => sample.mb))
  let [covariance, variance] = [0, 0]
  for (const sample of samples) {
    covariance += (sample.minutes - meanMinutes) * (sample.mb - meanMb)
    variance += (sample.minutes - meanMinutes) ** 2
  }
  return (10 * covariance) / variance
}
