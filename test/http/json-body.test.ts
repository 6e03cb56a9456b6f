/** Reading of request bodies, the same for all doors. docs/rest-contract.md#r6 */
import { describe, expect, test } from 'vitest'
import { readJsonBody } from '../../src/http/json-body.ts'

const JSON_HEADERS = { 'content-type': 'application/json' }
const TYPE = '415 Content-Type must be application/json'
const CHARSET = '415 The charset in Content-Type must be utf-8'
const ENCODING = '415 Content-Encoding is not supported'

function read(headers: Readonly<Record<string, string>>, body: Buffer | undefined = Buffer.from('{"a":1}')) {
  const result = readJsonBody({ headers, body })
  return result.kind === 'JsonBody' ? result.fields : `${result.status} ${result.message}`
}

describe('the headers of a body', () => {
  test.each([
    'application/json',
    'Application/JSON',
    ' application/json ',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'application/json; charset = utf-8',
    'application/json; version=1',
    'application/json; version=1; charset=utf-8',
  ])('accepts Content-Type %j', (type) => {
    expect(read({ 'content-type': type })).toEqual({ a: 1 })
  })

  test.each([
    ['', TYPE],
    ['text/plain', TYPE],
    ['application/jsonp', TYPE],
    [`application/json; x=${'1'.repeat(200)}`, TYPE],
    ['application/json; charset=latin1', CHARSET],
    ['application/json; charset=utf-8; charset=utf-16', CHARSET],
    ['application/json; charset', CHARSET],
  ])('refuses Content-Type %j', (type, message) => {
    expect(read({ 'content-type': type })).toBe(message)
  })

  test('requires a Content-Type', () => {
    expect(read({})).toBe(TYPE)
  })

  test('accepts Content-Encoding identity only', () => {
    expect(read({ ...JSON_HEADERS, 'content-encoding': 'Identity' })).toEqual({ a: 1 })
    expect(read({ ...JSON_HEADERS, 'content-encoding': 'gzip' })).toBe(ENCODING)
    expect(read({ ...JSON_HEADERS, 'content-encoding': '' })).toBe(ENCODING)
  })
})

describe('the bytes of a body', () => {
  test.each([
    ['{"a":', '400 body: must be valid JSON'],
    ['', '400 body: must be valid JSON'],
    ['[{"a":1}]', '400 body: must be a JSON object'],
    ['null', '400 body: must be a JSON object'],
    ['"a"', '400 body: must be a JSON object'],
  ])('refuses %j', (text, message) => {
    expect(read(JSON_HEADERS, Buffer.from(text))).toBe(message)
  })

  test('refuses a missing body and invalid UTF-8', () => {
    expect(readJsonBody({ headers: JSON_HEADERS, body: undefined })).toMatchObject({
      message: 'body: must be valid JSON',
    })
    expect(read(JSON_HEADERS, Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))).toBe(
      '400 body: must be encoded in UTF-8',
    )
  })

  test('drops a byte order mark, and keeps the last of repeated keys', () => {
    expect(read(JSON_HEADERS, Buffer.from('\ufeff{"a":1,"a":2}'))).toEqual({ a: 2 })
  })
})
