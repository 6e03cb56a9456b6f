/** What records of exchanges keep of URLs and bodies. test/carriers/secrets.test.ts covers all connectors. */
import { describe, expect, test } from 'vitest'
import { recordOf } from '../../src/carriers/redaction.ts'
import type { SentExchange } from '../../src/carriers/sent-exchange.ts'

const SENT: SentExchange = {
  ...{ method: 'POST', url: 'https://carrier.example/void/1Z', durationMs: 12, status: 200 },
  ...{ carrierIds: { transId: 'abc' }, headerValues: [], requestBody: undefined, reply: undefined },
}

const recorded = (change: Partial<SentExchange>, secrets: readonly string[] = []) =>
  recordOf({ ...SENT, ...change }, secrets, { bodies: true })

test('an exchange without bodies is kept as it is', () => {
  expect(recorded({})).toEqual({
    ...{ method: 'POST', url: 'https://carrier.example/void/1Z', durationMs: 12, status: 200 },
    ...{ carrierIds: { transId: 'abc' }, request: null, reply: null },
  })
})

describe('a body keeps', () => {
  test('codes, states, texts, numbers and ids, but no people, places, documents and accounts', () => {
    const { reply } = recorded({
      reply: {
        response: { errors: [{ code: '190117', message: 'The Pickup Request cannot be voided' }] },
        shipmentStatus: { name: 'Ada Lovelace', serviceName: 'Express', statusCode: 'DE', stops: 5 },
        packageAddress: [{ type: 'DESTINATION', line: 'Main St 1' }],
        delivery: { receivedByName: 'C. Babbage', signedForBy: 'C. Babbage', deliveryTime: '10:40' },
        accountNumber: { value: '740561073' },
        documents: [{ content: 'JVBERi0xLjQ=' }],
        label: { url: 'https://carrier.example/labels?token=x' },
        items: [{ shipmentNo: '00340', trackingNumber: '00341', returnDetail: 'kept' }],
        notes: 'ring twice at Jane Doe',
      },
    })
    expect(JSON.parse(reply ?? '')).toEqual({
      response: { errors: [{ code: '190117', message: 'The Pickup Request cannot be voided' }] },
      shipmentStatus: { name: '[redacted]', serviceName: '[redacted]', statusCode: 'DE', stops: 5 },
      packageAddress: '[redacted]',
      delivery: { receivedByName: '[redacted]', signedForBy: '[redacted]', deliveryTime: '[redacted]' },
      accountNumber: '[redacted]',
      documents: '[redacted]',
      label: { url: '[redacted]' },
      items: [{ shipmentNo: '[redacted]', trackingNumber: '[redacted]', returnDetail: '[redacted]' }],
      notes: '[redacted]',
    })
  })

  test('at most 8,000 characters', () => {
    expect(recorded({ requestBody: { codes: Array(5_000).fill('code') } }).request).toHaveLength(8_000)
  })

  test('nothing below 20 levels', () => {
    let reply: object = { code: 'deep' }
    for (let level = 0; level < 5_000; level += 1) reply = { inner: reply }
    expect(recorded({ reply }).reply).not.toContain('deep')
  })

  test('only the length if it is not JSON', () => {
    expect(recorded({ reply: '<Name>Jane Doe</Name>' }).reply).toBe('[text of 21 characters]')
  })
})

describe('credentials are replaced', () => {
  test('in the URL, in both bodies, in faults and in the ids of the carrier', () => {
    const text = JSON.stringify(
      recorded(
        {
          url: 'https://carrier.example/track?key=s3cr%2Ft',
          requestBody: { code: 's3cr/t' },
          reply: { errors: [{ message: 'the key "s3cr/t" is wrong' }] },
          fault: 'no s3cr/t',
          carrierIds: { 'X-Request-Id': 's3cr/t-1' },
        },
        ['s3cr/t'],
      ),
    )
    expect(text).not.toMatch(/s3cr/)
    expect(text.match(/\[redacted\]/g)).toHaveLength(5)
  })

  test('that are in the headers of the request, such as the access token', () => {
    const { reply } = recorded({
      headerValues: ['Bearer eyJhbGciOi'],
      reply: { message: 'Bearer: the token eyJhbGciOi has expired' },
    })
    expect(reply).toBe('{"message":"Bearer: the token [redacted] has expired"}')
  })

  test('in the form of a form, of XML, and with half a surrogate pair', () => {
    const secrets = ["it's(x) y~", 'a&b"c', 'half\ud800']
    const message = 'it%27s%28x%29+y%7E a&amp;b&quot;c half\ud800'
    expect(recorded({ reply: { message } }, secrets).reply).toBe(
      '{"message":"[redacted] [redacted] [redacted]"}',
    )
  })

  test('but not short ones, such as a country code, which are part of other words', () => {
    expect(recorded({ reply: { code: 'CODE' } }, ['DE']).reply).toBe('{"code":"CODE"}')
  })
})

test('without bodies, both are null', () => {
  const record = recordOf({ ...SENT, requestBody: { a: 1 }, reply: { b: 2 } }, [], { bodies: false })
  expect(record).toMatchObject({ request: null, reply: null, status: 200 })
})
