/** The fixed pages are compressed once, however often they are requested. Compressions are counted. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openTestApp, type TestApp } from '../support/app/test-app.ts'

const compressions = vi.hoisted(() => ({ count: 0 }))

vi.mock('node:zlib', async (load) => {
  const zlib = await load<typeof import('node:zlib')>()
  const counted = <Args extends unknown[], Result>(compress: (...args: Args) => Result) =>
    function countedCompression(...args: Args): Result {
      compressions.count++
      return compress(...args)
    }
  return {
    ...zlib,
    brotliCompress: counted(zlib.brotliCompress),
    brotliCompressSync: counted(zlib.brotliCompressSync),
    gzip: counted(zlib.gzip),
    gzipSync: counted(zlib.gzipSync),
  }
})

let service: TestApp
beforeAll(async () => {
  service = await openTestApp()
})
afterAll(() => service.close())

const HTML = 'text/html'
const CREDENTIALS = 'demo@demo-secret'

test.each([
  ['/', HTML],
  ['/graphql', HTML],
  ['/docs/limits.md', '*/*'],
  ['/docs/glossary.md', '*/*'],
  ['/graphql/schema.graphql', '*/*'],
])('%s is compressed once for each coding', async (url, accept) => {
  const get = async (coding?: string) => {
    const headers = { accept, 'x-pp-api': CREDENTIALS, ...(coding && { 'accept-encoding': coding }) }
    const answer = await service.app.server.inject({ method: 'GET', url, headers })
    expect([answer.statusCode, answer.headers['content-encoding']]).toEqual([200, coding])
    return answer.rawPayload
  }
  const plain = await get()
  compressions.count = 0
  const answers = await Promise.all(['br', 'gzip', 'br', 'gzip'].map(get))
  answers.push(await get('br'), await get('gzip'))
  expect(compressions.count).toBe(2)
  expect(
    answers.every((bytes, index) =>
      (index % 2 === 0 ? brotliDecompressSync : gunzipSync)(bytes).equals(plain),
    ),
  ).toBe(true)
})

test('an error on the route of a fixed page is not kept', async () => {
  const url = '/docs/unknown.md'
  const headers = { 'accept-encoding': 'gzip, identity;q=0' }
  compressions.count = 0
  for (let time = 0; time < 3; time++)
    expect((await service.app.server.inject({ method: 'GET', url, headers })).statusCode).toBe(404)
  expect(compressions.count).toBe(3)
})
