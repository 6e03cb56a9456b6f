/** Decision 24: what is thrown is answered in the envelope, without a word about the inside, and logged. */
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
  '{"kind":"INTERNAL_SERVER_ERROR","message":"An internal error occurred; the request id identifies it"}'

test('a fault is 500 with a general message; the details are in the log under the request id', async () => {
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

test('an outage is 503 with Retry-After, logged as a warning', async () => {
  const { answer, lines } = await failWith(new Outage('timeout exceeded when trying to connect'))
  expect(answer.statusCode).toBe(503)
  expect(answer.headers['retry-after']).toBe('2')
  expect(lines.filter((line) => line['level'] === 'error')).toEqual([])
  expect(lines.find((line) => line['level'] === 'warn')).toMatchObject({ requestId: 'id-17' })
})

test.each([
  ['a text', 'thrown text'],
  ['nothing', undefined],
  ['null', null],
  ['an error that claims a status', Object.assign(new Error('x'), { statusCode: 418 })],
  ['an error that claims to be small', Object.assign(new Error('x'), { statusCode: 400, code: 'EVIL' })],
  ['an error with headers', Object.assign(new Error('x'), { headers: { 'set-cookie': 'a=b' } })],
])('%s thrown is a fault of ours', async (_name, thrown) => {
  const { answer } = await failWith(thrown)
  expect(answer.statusCode).toBe(500)
  expect(answer.body).toBe(INTERNAL)
  expect(answer.headers['set-cookie']).toBeUndefined()
})

test('what the caller sent is masked where an error repeats it', async () => {
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

test('a body nested a hundred thousand deep is no harm to the log', async () => {
  const { answer } = await failWith(new Error('boom'), `${'['.repeat(100_000)}${']'.repeat(100_000)}`)
  expect(answer.statusCode).toBe(500)
})
