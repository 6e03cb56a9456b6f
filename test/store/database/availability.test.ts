/** Waiting for a database that is unavailable when the service starts. */
import { createServer, type Server, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { type DatabaseHome, whenAvailable } from '../../../src/store/database/database-home.ts'
import { cloneDatabase } from '../../support/database/clone-database.ts'

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const homeOf = (source: DatabaseHome['source']): DatabaseHome => ({
  source,
  description: 'PostgreSQL at db.example:5432/waybill',
  close: async () => {},
})

/** Nothing listens on this port. */
const UNREACHABLE = homeOf('postgres://someone:s3cret@127.0.0.1:1/waybill')

/** Collects what a wait reports. */
function recorder() {
  const reasons: string[] = []
  const available: number[] = []
  return {
    reasons,
    available,
    onWait: (reason: string) => void reasons.push(reason),
    onAvailable: (waitedMs: number) => void available.push(waitedMs),
  }
}

function failWith(code: string): Promise<never> {
  return Promise.reject(Object.assign(new Error('the server says: role "someone"'), { code }))
}

test('an available database is prepared at once and without reports', async () => {
  const clone = await cloneDatabase()
  closers.push(() => clone.drop())
  const { reasons, available, ...reports } = recorder()
  expect(await whenAvailable(homeOf(clone.source), async () => 'ready', { limitMs: 0, ...reports })).toBe(
    'ready',
  )
  expect({ reasons, available }).toEqual({ reasons: [], available: [] })
})

test('the preparation is repeated while it fails because of an outage, with one report at each end', async () => {
  const clone = await cloneDatabase()
  closers.push(() => clone.drop())
  const { reasons, available, ...reports } = recorder()
  const failures = ['57P03', 'ECONNRESET']
  const prepare = async () => {
    const code = failures.shift()
    return code === undefined ? 'ready' : failWith(code)
  }
  expect(await whenAvailable(homeOf(clone.source), prepare, { limitMs: 20_000, ...reports })).toBe('ready')
  expect(reasons).toEqual(['57P03'])
  expect(available).toEqual([expect.any(Number)])
})

test('other errors are thrown at once', async () => {
  const clone = await cloneDatabase()
  closers.push(() => clone.drop())
  const { reasons, available, ...reports } = recorder()
  const failed = whenAvailable(homeOf(clone.source), () => failWith('42P01'), { limitMs: 20_000, ...reports })
  await expect(failed).rejects.toMatchObject({ code: '42P01' })
  expect({ reasons, available }).toEqual({ reasons: [], available: [] })
})

test('the wait ends at its limit with an error that names the host and no credentials', async () => {
  const { reasons, ...reports } = recorder()
  const failed = whenAvailable(UNREACHABLE, async () => 'ready', { limitMs: 300, ...reports })
  await expect(failed).rejects.toThrow(
    'PostgreSQL at db.example:5432/waybill was unavailable for 0.3 s: ECONNREFUSED',
  )
  expect(reasons).toEqual(['ECONNREFUSED'])
})

test('without a limit there is one try', async () => {
  const { reasons, ...reports } = recorder()
  const failed = whenAvailable(UNREACHABLE, async () => 'ready', { limitMs: 0, ...reports })
  await expect(failed).rejects.toThrow('PostgreSQL at db.example:5432/waybill is unavailable: ECONNREFUSED')
  expect(reasons).toEqual([])
})

test('a signal ends the wait at once, also during a connect that hangs', async () => {
  const held: Socket[] = []
  const silent: Server = createServer((socket) => void held.push(socket.on('error', () => {})))
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  closers.push(async () => {
    for (const socket of held) socket.destroy()
    silent.close()
  })
  const { port } = silent.address() as { port: number }
  for (const home of [UNREACHABLE, homeOf(`postgres://someone@127.0.0.1:${port}/waybill`)]) {
    const stop = new AbortController()
    const { reasons: _, available: __, ...reports } = recorder()
    const waiting = whenAvailable(home, async () => 'ready', {
      limitMs: 3_600_000,
      signal: stop.signal,
      ...reports,
    })
    setTimeout(() => stop.abort(new Error('stopped')), 50)
    await expect(waiting).rejects.toThrow('stopped')
  }
})
