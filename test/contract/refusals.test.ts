/** Responses of the server in the error body of each endpoint, byte for byte. docs/rest-contract.md#status-codes */
import { describe, expect, test, vi } from 'vitest'
import { cancelShipment } from '../../src/operations/cancel-shipment.ts'
import { estimateDuties } from '../../src/operations/estimate-duties.ts'
import { quoteRates } from '../../src/operations/quote-rates.ts'
import { Outage } from '../http/test-socket.ts'
import { type Asking, ask, type Endpoint, ordinaryOutcomes, PATHS } from './rest-door.ts'

ordinaryOutcomes()

const ENDPOINTS: Endpoint[] = ['rates', 'estimate', 'cancel']

/** Each endpoint's own error body. */
function envelope(endpoint: Endpoint, message: string): string {
  const text = JSON.stringify(message)
  switch (endpoint) {
    case 'rates':
      return `{"errors":true,"message":${text},"data":[]}`
    case 'estimate':
      return `{"hasErrors":true,"message":${text},"taxDetails":[],"estimate":0,"hsCode":""}`
    case 'cancel':
      return `{"cancelled":false,"message":${text}}`
  }
}

async function refusal(endpoint: Endpoint, asking: Asking) {
  const answer = await ask(endpoint, asking)
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(answer.headers['cache-control']).toBe('no-store')
  expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  return answer
}

describe.each(ENDPOINTS)('%s', (endpoint) => {
  test.each([
    undefined,
    'nonsense',
    'a-key@wrong',
    'no-key@wrong',
  ])('responds 401 to credentials %s (R5)', async (header) => {
    const answer = await refusal(endpoint, { headers: { 'x-pp-api': header } })
    expect(answer.statusCode).toBe(401)
    expect(answer.headers['www-authenticate']).toBe('X-PP-API realm="waybill"')
    expect(answer.body).toBe(
      envelope(endpoint, 'The X-PP-API header must contain a valid API key and secret'),
    )
  })

  test('responds 413 to a body above 256 KiB (R7)', async () => {
    const answer = await refusal(endpoint, { raw: Buffer.alloc(256 * 1024 + 1, 0x20) })
    expect(answer.statusCode).toBe(413)
    expect(answer.body).toBe(envelope(endpoint, 'The body is too large'))
  })

  test('responds 429 with Retry-After above the rate limit (R8)', async () => {
    const answer = await refusal(endpoint, { options: { limits: { requestsPerMinute: 0 } } })
    expect(answer.statusCode).toBe(429)
    expect(answer.headers['retry-after']).toBe('60')
    expect(answer.body).toBe(envelope(endpoint, 'Too many requests; try again later'))
  })

  test('responds 503 with Retry-After when too many requests are in flight', async () => {
    const answer = await refusal(endpoint, { options: { limits: { inFlight: 0 } } })
    expect(answer.statusCode).toBe(503)
    expect(answer.headers['retry-after']).toBe('1')
    expect(answer.body).toBe(envelope(endpoint, 'The service is busy; try again shortly'))
  })

  test.each([
    [
      new Error('select * from secrets'),
      500,
      'An internal error occurred; quote the request id when you report it',
    ],
    [new Outage('10.0.0.7'), 503, 'The service is temporarily unavailable; try again shortly'],
  ])('hides a thrown %s (R24)', async (error, status, message) => {
    const fail = () => {
      throw error
    }
    for (const operation of [quoteRates, estimateDuties, cancelShipment])
      vi.mocked(operation as () => never).mockImplementation(fail)
    const answer = await refusal(endpoint, {})
    expect(answer.statusCode).toBe(status)
    expect(answer.body).toBe(envelope(endpoint, message))
  })

  test('keeps the request id of the caller (R25)', async () => {
    const answer = await ask(endpoint, { headers: { 'x-request-id': 'Order_17-b' } })
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['x-request-id']).toBe('Order_17-b')
  })

  test.each(['/', 'x'])('requires the exact path, without a trailing "%s" (R23)', async (end) => {
    const answer = await ask(endpoint, { url: `${PATHS[endpoint]}${end}` })
    expect(`${answer.statusCode} ${answer.body}`).toBe('404 "Not found"')
  })

  test('ignores an empty query, which is no part of the path (R23)', async () => {
    const plain = await ask(endpoint, {})
    const answer = await ask(endpoint, { url: `${PATHS[endpoint]}?` })
    expect(answer.statusCode).toBe(200)
    expect(answer.body).toBe(plain.body)
  })
})

describe.each(['rates', 'estimate'] as const)('the Content-Type of %s (R6)', (endpoint) => {
  const TYPE = 'Content-Type must be application/json'
  const CHARSET = 'The charset in Content-Type must be utf-8'
  test.each<[Record<string, string | undefined>, string]>([
    [{ 'content-type': undefined }, TYPE],
    [{ 'content-type': 'text/plain' }, TYPE],
    [{ 'content-type': 'application/jsonp' }, TYPE],
    [{ 'content-type': 'application/json-patch+json' }, TYPE],
    [{ 'content-type': 'application/x-www-form-urlencoded' }, TYPE],
    [{ 'content-type': 'application/json; charset=latin1' }, CHARSET],
    [{ 'content-type': 'application/json;charset="utf-16"' }, CHARSET],
    [{ 'content-type': 'application/json; a=b; CHARSET=iso-8859-1' }, CHARSET],
    [{ 'content-encoding': 'gzip' }, 'Content-Encoding is not supported'],
    [{ 'content-encoding': 'identity, br' }, 'Content-Encoding is not supported'],
  ])('responds 415 to %j', async (headers, message) => {
    const answer = await refusal(endpoint, { headers })
    expect(`${answer.statusCode} ${answer.body}`).toBe(`415 ${envelope(endpoint, message)}`)
  })

  test('responds 415 if it is not a media type', async () => {
    const answer = await refusal(endpoint, { headers: { 'content-type': 'json' } })
    expect(`${answer.statusCode} ${answer.body}`).toBe(`415 ${envelope(endpoint, TYPE)}`)
  })

  test.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'application/json; x=1; charset=utf-8',
  ])('can be %s', async (type) => {
    const answer = await ask(endpoint, {
      headers: { 'content-type': type, 'content-encoding': 'identity' },
    })
    expect(answer.statusCode).toBe(200)
  })

  test('is checked before the body', async () => {
    const answer = await refusal(endpoint, { headers: { 'content-type': 'text/xml' }, raw: '{' })
    expect(answer.statusCode).toBe(415)
  })
})
