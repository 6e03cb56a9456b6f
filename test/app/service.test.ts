/** The service as a process: welcome text, the commands in it, restart, and refused configurations. */

import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { programArguments } from '../support/app/compiled-programs.ts'

const run = promisify(execFile)
const repository = path.resolve(import.meta.dirname, '../..')
const clean = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(WAYBILL_|NODE_ENV|VITEST)/.test(name)),
)
const hasCurl = spawnSync('curl', ['--version']).status === 0
if (!hasCurl) console.log('skipped: pasting the greeting into a shell, for there is no curl on this machine')
let dataDir: string
let service: ChildProcess | undefined

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'waybill-service-'))
})
afterEach(async () => {
  await stop()
})
afterAll(() => rm(dataDir, { recursive: true, force: true }))

const environment = (extra: object = {}) => ({
  ...clean,
  DATABASE_URL: '',
  DATA_DIR: dataDir,
  PORT: '0',
  LOG_LEVEL: 'warn',
  ...extra,
})

const SERVICE = programArguments('src/main.ts')
/** As `npm start` does. */
const SERVICE_BY_TSX = ['--import', 'tsx', 'src/main.ts']

/** Starts the service and returns its welcome text. */
async function start(program = SERVICE): Promise<string> {
  const child = spawn(process.execPath, program, {
    cwd: repository,
    env: environment(),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  service = child
  return new Promise((resolve, reject) => {
    let printed = ''
    child.stdout.on('data', (chunk) => {
      printed += chunk
      if (printed.includes('/cancel')) resolve(printed)
    })
    child.once('exit', (code) => reject(new Error(`the service ended with ${code}: ${printed}`)))
  })
}

async function stop(): Promise<number | null> {
  if (service === undefined || service.exitCode !== null) return service?.exitCode ?? null
  service.kill('SIGTERM')
  await once(service, 'exit')
  return service.exitCode
}

const linesToPaste = (greeting: string): string[] =>
  greeting
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith('curl'))

const originOf = (greeting: string): string => /GraphQL\s+(\S+)\/graphql/.exec(greeting)?.[1] ?? ''

async function ask(origin: string, query: string, credentials = 'demo@demo-secret'): Promise<unknown> {
  const answer = await fetch(`${origin}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-pp-api': credentials },
    body: JSON.stringify({ query }),
  })
  return answer.json()
}

async function stateOfDemoBooked(origin: string): Promise<unknown> {
  const answer = await ask(origin, '{ shipment(id: "demo-booked") { state } }')
  return (answer as { data: { shipment: { state: string } } }).data.shipment.state
}

/** Runs a line in a shell. */
async function paste(line: string): Promise<unknown> {
  const { stdout } = await run('sh', ['-c', line])
  return JSON.parse(stdout)
}

const waybill = (...words: string[]) =>
  run(process.execPath, [...programArguments('src/cli/waybill.ts'), ...words], {
    cwd: repository,
    env: environment(),
  })

describe('the service', () => {
  test.skipIf(!hasCurl)(
    'prints example commands that work, keeps its data, and is restored by demo reset',
    // Starts the service three times.
    { timeout: 300_000 },
    async () => {
      const [rates = '', duties = '', cancel = ''] = linesToPaste(await start(SERVICE_BY_TSX))
      expect(await paste(rates)).toMatchObject({
        errors: false,
        data: [{ product: 'Classic', price: 15.81 }, {}, {}, {}, {}],
      })
      expect(await paste(duties)).toMatchObject({ hasErrors: false, hsCode: '610910' })
      expect(await paste(cancel)).toEqual({ cancelled: true, message: expect.any(String) })
      expect(await stop()).toBe(0)

      const greeting = await start()
      const origin = originOf(greeting)
      const [, , again = ''] = linesToPaste(greeting)
      expect(await stateOfDemoBooked(origin)).toBe('CANCELLED')
      await waybill('demo', 'reset')
      expect(await stateOfDemoBooked(origin)).toBe('BOOKED')
      expect(await paste(again)).toEqual({ cancelled: true, message: expect.any(String) })
    },
  )

  test('accepts keys that a command creates while it runs', async () => {
    const origin = originOf(await start())
    await waybill('account', 'create', 'cli-shop', '--name', 'CLI Shop')
    const { stdout } = await waybill('key', 'create', 'cli-shop', '--json')
    const { keyId, secret } = JSON.parse(stdout)
    const answer = await ask(origin, '{ shipments { edges { cursor } } }', `${keyId}@${secret}`)
    expect(answer).toEqual({ data: { shipments: { edges: [] } } })
  })

  test.each([
    ['demo secrets in production', { NODE_ENV: 'production' }, 'production refuses this database'],
    ['a bad value, named in the message', { LOG_LEVEL: 'loud' }, 'LOG_LEVEL'],
    ['an unknown setting, named in the message', { WAYBILL_COLOUR: 'red' }, 'WAYBILL_COLOUR'],
    [
      'a database that is unavailable for longer than the wait',
      { DATABASE_URL: 'postgres://localhost:1/none', WAYBILL_DATABASE_WAIT_SECONDS: '0' },
      'could not start: PostgreSQL at localhost:1/none is unavailable',
    ],
  ])('refuses to start with %s', async (_what, extra, reason) => {
    const refused = run(process.execPath, SERVICE, {
      cwd: repository,
      env: environment(extra),
    })
    await expect(refused).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining(reason) })
  })

  test('waits for a database that is unavailable until SIGTERM, and logs no credentials', async () => {
    const child = spawn(process.execPath, SERVICE, {
      cwd: repository,
      env: environment({ DATABASE_URL: 'postgres://someone:s3cret@127.0.0.1:1/waybill' }),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const printed: string[] = []
    const waiting = new Promise<void>((resolve) => {
      child.stdout.on('data', (chunk) => {
        printed.push(String(chunk))
        resolve()
      })
    })
    child.stderr.on('data', (chunk) => printed.push(String(chunk)))
    await waiting
    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([0, null])
    expect(JSON.parse(printed.join(''))).toEqual({
      level: 'warn',
      time: expect.any(String),
      event: 'database.waiting',
      database: 'PostgreSQL at 127.0.0.1:1/waybill',
      reason: 'ECONNREFUSED',
      limitSeconds: 60,
      msg: 'the database is unavailable; waiting for it',
    })
  })
})
