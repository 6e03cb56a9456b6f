/** Errors thrown in a route: a general message to the caller, and details in the log. docs/rest-contract.md#r24 */
import { afterEach, expect, test } from 'vitest'
import { GOOD_HEADER, Outage, probeDoor, testServer } from './test-socket.ts'

const open: { close(): Promise<unknown> }[] = []
afterEach(async () => {
  for (const app of open.splice(0)) await app.close()
})

async function failWith(thrown: unknown, payload?: string, url = '/probe') {
  const { app, lines } = testServer([
    probeDoor(() => {
      throw thrown
    }),
  ])
  open.push(app)
  const headers = { 'x-pp-api': GOOD_HEADER, 'content-type': 'application/json', 'x-request-id': 'id-17' }
  const answer = await app.inject({ method: 'POST', url, headers, ...(payload !== undefined && { payload }) })
  return {
    answer,
    lines: lines.map((line) => JSON.parse(line) as Record<string, unknown>),
    text: lines.join(''),
  }
}

const INTERNAL =
  '{"kind":"INTERNAL_SERVER_ERROR","message":"An internal error occurred; quote the request id when you report it"}'

test('responds 500 with a general message to a bug, and logs the details with the request id', async () => {
  const { answer, lines } = await failWith(
    new TypeError('cannot read rate card 7', { cause: new Error('at line 3') }),
  )
  expect(answer.statusCode).toBe(500)
  expect(answer.body).toBe(INTERNAL)
  expect(answer.headers['x-request-id']).toBe('id-17')
  const fault = lines.find((line) => line['level'] === 'error')
  expect(fault).toMatchObject({
    requestId: 'id-17',
    error: { type: 'TypeError', message: 'cannot read rate card 7', cause: { message: 'at line 3' } },
    msg: 'request failed',
  })
})

test('responds 503 with Retry-After to an outage, and logs a warning', async () => {
  const { answer, lines } = await failWith(new Outage('timeout exceeded when trying to connect'))
  expect(answer.statusCode).toBe(503)
  expect(answer.headers['retry-after']).toBe('2')
  expect(lines.filter((line) => line['level'] === 'error')).toEqual([])
  expect(lines.find((line) => line['level'] === 'warn')).toMatchObject({ requestId: 'id-17' })
})

test.each([
  ['a thrown text', 'thrown text'],
  ['thrown undefined', undefined],
  ['thrown null', null],
  ['an error that claims status 418', Object.assign(new Error('x'), { statusCode: 418 })],
  ['an error that claims status 400', Object.assign(new Error('x'), { statusCode: 400, code: 'EVIL' })],
  ['an error with headers', Object.assign(new Error('x'), { headers: { 'set-cookie': 'a=b' } })],
])('treats %s as a bug', async (_name, thrown) => {
  const { answer } = await failWith(thrown)
  expect(answer.statusCode).toBe(500)
  expect(answer.body).toBe(INTERNAL)
  expect(answer.headers['set-cookie']).toBeUndefined()
})

test('masks text of the request that an error repeats', async () => {
  const payload = JSON.stringify({
    toCity: 'Delft',
    nested: [{ name: 'Jo van Dam' }],
    graph: 'q(a: "Kade 5") { b }',
  })
  const error = new Error(
    `bad value "Jo van Dam" in Delft, Kade 5, for ${GOOD_HEADER}, s3cret@with-at, ?queried`,
  )
  const { text } = await failWith(error, payload, '/probe?q=queried')
  expect(text).toContain('bad value')
  for (const private_ of ['Jo van Dam', 'Delft', 'Kade 5', 's3cret', 'queried'])
    expect(text).not.toContain(private_)
})

test('can log an error of a request with 100,000 nested arrays', async () => {
  const { answer } = await failWith(new Error('boom'), `${'['.repeat(100_000)}${']'.repeat(100_000)}`)
  expect(answer.statusCode).toBe(500)
})
