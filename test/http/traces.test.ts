/** The traceparent header. docs/operations.md#traces */
import { afterEach, expect, test } from 'vitest'
import { traceOf } from '../../src/http/request-ids.ts'
import { GOOD_HEADER, listen, probeDoor, rawRequest, talk, testServer } from './test-socket.ts'

const open: { close(): Promise<unknown> }[] = []
afterEach(async () => {
  for (const app of open.splice(0)) await app.close()
})

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c'
const PARENT_ID = 'b7ad6b7169203331'
const VALID = `00-${TRACE_ID}-${PARENT_ID}-01`

async function ask(traceparent: string | undefined, credentials = GOOD_HEADER) {
  const { app, lines } = testServer([probeDoor()])
  open.push(app)
  const answer = await app.inject({
    method: 'POST',
    url: '/probe',
    headers: { 'x-pp-api': credentials, ...(traceparent !== undefined && { traceparent }) },
  })
  const line = lines.map((text) => JSON.parse(text)).find(({ msg }) => msg === 'request completed')
  return { answered: answer.headers['traceparent'], line, status: answer.statusCode }
}

test('a trace continues: the response and the log have its id, and a new span id', async () => {
  const { answered, line } = await ask(VALID)
  const [, spanId] = /^00-0af7651916cd43dd8448eb211c80319c-([0-9a-f]{16})-01$/.exec(String(answered)) ?? []
  expect(spanId).toBeDefined()
  expect(spanId).not.toBe(PARENT_ID)
  expect(line).toMatchObject({ traceId: TRACE_ID, spanId, status: 200, requestId: expect.any(String) })
})

test('a refused request is part of the trace too', async () => {
  const { answered, line, status } = await ask(VALID, 'a-key@wrong')
  expect(status).toBe(401)
  expect(answered).toContain(TRACE_ID)
  expect(line).toMatchObject({ traceId: TRACE_ID, status: 401 })
})

test('without a traceparent, neither the response nor the log has one', async () => {
  const { answered, line } = await ask(undefined)
  expect(answered).toBeUndefined()
  expect(Object.keys(line)).not.toContain('traceId')
})

test.each([
  ['the sampled flag', '01', '01'],
  ['no flag', '00', '00'],
  ['the random flag', '02', '02'],
  ['reserved flags, which are cleared', 'ff', '03'],
  ['a reserved flag, which is cleared', '08', '00'],
])('accepts %s', (_what, flags, answered) => {
  expect(traceOf(`00-${TRACE_ID}-${PARENT_ID}-${flags}`)).toMatchObject({
    traceId: TRACE_ID,
    flags: answered,
  })
})

test.each([
  `cc-${TRACE_ID}-${PARENT_ID}-01`,
  `01-${TRACE_ID}-${PARENT_ID}-01-and-more`,
  `fe-${TRACE_ID}-${PARENT_ID}-01-`,
])('reads the known fields of a later version: %s', (header) => {
  expect(traceOf(header)).toMatchObject({ traceId: TRACE_ID, flags: '01' })
})

test.each([
  '',
  '00',
  `00-${TRACE_ID}-${PARENT_ID}`,
  `00-${TRACE_ID}-${PARENT_ID}-1`,
  `00-${TRACE_ID}-${PARENT_ID}-01-`,
  `00-${TRACE_ID}-${PARENT_ID}-01-more`,
  `01-${TRACE_ID}-${PARENT_ID}-01.more`,
  `ff-${TRACE_ID}-${PARENT_ID}-01`,
  `0-${TRACE_ID}-${PARENT_ID}-01`,
  `zz-${TRACE_ID}-${PARENT_ID}-01`,
  `00-${'0'.repeat(32)}-${PARENT_ID}-01`,
  `00-${TRACE_ID}-${'0'.repeat(16)}-01`,
  `00-${TRACE_ID.toUpperCase()}-${PARENT_ID}-01`,
  `00-${TRACE_ID.slice(1)}-${PARENT_ID}-01`,
  `00-${TRACE_ID}-${PARENT_ID}-0g`,
  `${VALID}, ${VALID}`,
  ` ${VALID}`,
  `${VALID}\n`,
])('ignores the invalid traceparent %j', (header) => {
  expect(traceOf(header)).toBeUndefined()
})

test('ignores a traceparent that was sent twice', async () => {
  const { app } = testServer([probeDoor()])
  open.push(app)
  const port = await listen(app)
  const headers = [`X-PP-API: ${GOOD_HEADER}`, `traceparent: ${VALID}`]
  expect(await talk(port, rawRequest('POST /probe', headers))).toMatch(/^traceparent: 00-/m)
  expect(await talk(port, rawRequest('POST /probe', [...headers, `traceparent: ${VALID}`]))).not.toMatch(
    /^traceparent:/m,
  )
})
