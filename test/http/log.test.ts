/** The log: one line per response, without secrets, bodies and queries. docs/operations.md#logs */
import { connect } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { openLog } from '../../src/http/log.ts'
import { NotExecuted } from '../../src/operations/ports/shipments.ts'
import { restDoor } from '../../src/rest/routes.ts'
import { secretMatcher } from '../../src/store/accounts/credentials.ts'
import { portsWithout } from '../support/app/fake-ports.ts'
import {
  CALLER,
  GOOD_HEADER,
  keysInMemory,
  listen,
  Outage,
  probeDoor,
  rawRequest,
  talk,
  testServer,
} from './test-socket.ts'

const CANARY = {
  secret: 'canary-5ecret-Zx81',
  name: 'Canary van der Personal',
  city: 'Canaryville-on-Sea',
  zipcode: 'CN4RY',
  cookie: 'session=canary-cookie',
  query: 'canary-query',
}

const open: { close(): Promise<unknown> }[] = []
afterEach(async () => {
  for (const app of open.splice(0)) await app.close()
})

/** A valid body with canaries in every field that can hold one. */
const FULL_BODY = JSON.stringify({
  fromCountry: 'NL',
  toCountry: 'DE',
  toCity: CANARY.city,
  toZipcode: CANARY.zipcode,
  parcels: [{ type: 'DOC', count: 1, remark: CANARY.name }],
  contentItems: [{ description: CANARY.name, numberOfItems: 1, cost: 5 }],
  note: CANARY.secret,
})

/**
 * Causes every kind of response: refusals, malformed requests, an outage, and a bug with the request in its message.
 */
async function causeEveryResponse(): Promise<{ text: string; lines: string[] }> {
  const repeated = `${CANARY.name}, ${CANARY.city} (${CANARY.zipcode}) ${CANARY.secret} ${CANARY.cookie} ${GOOD_HEADER}`
  const ports = portsWithout({
    shipments: () => new NotExecuted(new Error(`no route for ${repeated}`, { cause: new Error(repeated) })),
    reference: () => new Outage(`no answer about ${repeated}`),
  })
  const { app, lines } = testServer([restDoor(ports)], {
    ports: { ...ports, credentials: keysInMemory() },
  })
  open.push(app)
  const bodies = [
    FULL_BODY,
    JSON.stringify({
      toCity: CANARY.city,
      toZipcode: CANARY.zipcode,
      fromCountry: CANARY.name,
      note: CANARY.secret,
    }),
    `{"toCity":"${CANARY.city}",`,
    `\xff${CANARY.name}`,
  ]
  const headers = { cookie: CANARY.cookie, 'user-agent': CANARY.name, 'content-type': 'application/json' }
  for (const path of ['rates', 'duties-taxes-estimate', 'shipments/s-1/cancel', 'nowhere'])
    for (const payload of path.endsWith('cancel') ? [FULL_BODY] : bodies)
      for (const key of [GOOD_HEADER, `a-key@${CANARY.secret}`, `${CANARY.secret}@x`, CANARY.secret])
        await app.inject({
          method: 'POST',
          url: `/partners-api/v1/${path}?q=${CANARY.query}`,
          headers: { ...headers, 'x-pp-api': key },
          payload,
        })
  const port = await listen(app)
  await talk(port, rawRequest('POST /partners-api/v1/rates', [`X-PP-API: ${CANARY.secret}`, 'Bad Header: x']))
  await talk(port, `${CANARY.secret} ${CANARY.name}\r\n\r\n`)
  return { text: lines.join(''), lines }
}

test('contains neither secrets nor personal data', async () => {
  const { text, lines } = await causeEveryResponse()
  expect(lines.length).toBeGreaterThan(50)
  for (const canary of Object.values(CANARY)) expect(text).not.toContain(canary)
  for (const part of ['5ecret', 'Personal', 'Canaryville', 'canary', GOOD_HEADER, 's3cret'])
    expect(text).not.toContain(part)
})

test('contains the errors that repeat the canaries, so the test above tests something', async () => {
  const { text } = await causeEveryResponse()
  expect(text).toContain('"msg":"request failed"')
  expect(text).toContain('request failed: a dependency is unavailable')
  expect(text).toContain('no route for [masked]')
})

test('has one JSON line per response with id, method, path, status, time and account', async () => {
  const { app, lines } = testServer([restDoor(portsWithout({}))])
  open.push(app)
  await app.inject({
    method: 'POST',
    url: '/partners-api/v1/rates?q=1',
    headers: { 'x-pp-api': GOOD_HEADER, 'x-request-id': 'id-1' },
  })
  await app.inject({ method: 'GET', url: '/healthz', headers: { 'x-request-id': 'id-2' } })
  const [first, second] = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(first).toEqual({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    event: 'request.completed',
    requestId: 'id-1',
    method: 'POST',
    path: '/partners-api/v1/rates',
    operation: 'rates',
    status: 415,
    durationMs: expect.any(Number),
    account: 'a-shop',
    msg: 'request completed',
  })
  expect(second).toMatchObject({ level: 'debug', requestId: 'id-2', path: '/healthz', status: 200 })
  expect(second).not.toHaveProperty('account')
  expect(lines).toHaveLength(2)
})

test('names the account whose key has used up its limit', async () => {
  const { app, lines } = testServer([probeDoor()], { limits: { requestsPerMinute: 1 } })
  open.push(app)
  const ask = (key: string) => app.inject({ method: 'POST', url: '/probe', headers: { 'x-pp-api': key } })
  for (const key of [GOOD_HEADER, GOOD_HEADER, 'a-key@wrong']) await ask(key)
  expect(lines.map((line) => JSON.parse(line)).map(({ status, account }) => [status, account])).toEqual([
    [200, 'a-shop'],
    [429, 'a-shop'],
    [401, undefined],
  ])
})

describe('marks the line of a response as abandoned', () => {
  const lineOf = async (answer: () => unknown, requests: number) => {
    const { app, lines } = testServer([probeDoor(answer)])
    open.push(app)
    const port = await listen(app)
    const request = `POST /probe HTTP/1.1\r\nHost: test\r\nX-PP-API: ${GOOD_HEADER}\r\n\r\n`
    const socket = connect(port, '127.0.0.1', () => socket.pause().write(request.repeat(requests)))
    setTimeout(() => socket.destroy(), 100)
    const completed = () =>
      lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request completed')
    await expect.poll(completed).toHaveLength(requests)
    return completed().at(-1)
  }

  test('without a status if it had not begun', async () => {
    const line = await lineOf(() => new Promise(() => {}), 1)
    expect(line).toMatchObject({ level: 'info', abandoned: true, path: '/probe', account: 'a-shop' })
    expect(line).not.toHaveProperty('status')
  })

  test('if a part of it was not sent', async () => {
    expect(await lineOf(() => 'x'.repeat(40_000_000), 1)).toMatchObject({ status: 200, abandoned: true })
  })

  test('if it waited for an earlier response of its connection', async () => {
    let first = true
    const answer = () => {
      if (!first) return 'done'
      first = false
      return new Promise(() => {})
    }
    expect(await lineOf(answer, 2)).toMatchObject({ status: 200, abandoned: true })
  })
})

test('callers can add neither lines nor fields', async () => {
  const forged = '","level":"fatal","x":"'
  const { app, lines } = testServer([probeDoor()], {
    ports: { credentials: keysInMemory({ ...CALLER, accountId: `a${forged}\n` }), secrets: secretMatcher },
  })
  open.push(app)
  const port = await listen(app)
  const bytes = String.fromCharCode(...Array.from({ length: 256 }, (_unused, code) => code).slice(0x21))
  const values = [
    forged,
    '\\',
    '\\u000a',
    '%0a%22',
    '\u007f\u0080\u009b',
    '\ud83d\ude00',
    bytes,
    'x'.repeat(400),
  ]
  const texts = values.flatMap((value) => [value, Buffer.from(value, 'utf8').toString('latin1')])
  for (const text of texts) {
    const headers = [
      `X-PP-API: ${GOOD_HEADER}`,
      `X-Request-Id: ${text}`,
      `Traceparent: 00-${'a'.repeat(32)}-${'b'.repeat(16)}-01${text}`,
      `User-Agent: ${text}`,
    ]
    for (const line of [`POST /probe?${text}`, `POST /${text}`, `M-SEARCH /${text}`])
      await talk(port, Buffer.from(rawRequest(line, headers), 'latin1'))
  }
  const completed = lines.filter((line) => line.includes('"status"'))
  expect(completed.length).toBeGreaterThan(texts.length)
  for (const line of completed) {
    const written: Record<string, unknown> = JSON.parse(line)
    expect(line.indexOf('\n')).toBe(line.length - 1)
    expect(JSON.stringify(written)).toBe(line.trim())
    expect(written['level']).toBe('info')
    expect(written['requestId']).toMatch(/^[A-Za-z0-9_-]{1,200}$/)
    expect(Object.keys(written)).toEqual(
      expect.arrayContaining(['level', 'time', 'requestId', 'method', 'path', 'status', 'durationMs', 'msg']),
    )
    expect(written).not.toHaveProperty('x')
  }
})

test('cuts long paths', async () => {
  const { app, lines } = testServer([])
  open.push(app)
  await app.inject(`/${'x'.repeat(5_000)}`)
  expect((JSON.parse(lines[0] ?? '') as { path: string }).path).toHaveLength(201)
})

test('logs one in several successful requests, and all others', async () => {
  const lines: string[] = []
  const log = openLog({ level: 'info', stream: { write: (line: string) => lines.push(line) } })
  const { app } = testServer([probeDoor()], { log, logSampleEvery: 3 })
  open.push(app)
  const statuses = async (headers: Record<string, string>) => {
    lines.length = 0
    for (let request = 0; request < 6; request++) await app.inject({ method: 'POST', url: '/probe', headers })
    return lines.map((line) => JSON.parse(line).status)
  }
  expect(await statuses({ 'x-pp-api': GOOD_HEADER })).toEqual([200, 200])
  expect(await statuses({ 'x-pp-api': 'a-key@guess' })).toEqual(Array(6).fill(401))
})
