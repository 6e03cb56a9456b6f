/** A seeded generator of malformed requests: wrong bytes, request line, headers, framing or values. */
import { GOOD_HEADER } from './test-socket.ts'

/** Numbers from 0 to 1; the same seed gives the same sequence (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const RATES = {
  parcels: [{ type: 'NONDOC', weight: '1.5', length: 30, width: 20, height: 10, count: 1, stackable: true }],
  fromCountry: 'NL',
  fromZipcode: '2611',
  toCountry: 'ES',
  toCity: 'Palma',
  insured: true,
  totalValue: 100,
  recipientType: 'business',
}
const ESTIMATE = {
  contentItems: [
    { description: 'cotton shirt', numberOfItems: 2, cost: 9.5, tariff: '610910', originCountry: 'BD' },
  ],
  fromCountry: 'US',
  toCountry: 'NL',
}
const PATHS = [
  ['/partners-api/v1/rates', RATES],
  ['/partners-api/v1/duties-taxes-estimate', ESTIMATE],
  ['/partners-api/v1/shipments/s-17/cancel', {}],
] as const

const VALUES: readonly string[] = [
  'null',
  'true',
  '[]',
  '{}',
  '""',
  '0',
  '-1',
  '1e999',
  '-1e999',
  '1e-7',
  '9007199254740993',
  '0.1',
  '-0',
  '"\\u0000"',
  '"\\ud800"',
  '"\\udfff\\ud800"',
  '"0x1F"',
  '" 1 "',
  '"1e3"',
  '"NaN"',
  '[[[[[[]]]]]]',
  '"\\u202e"',
  '{"__proto__":{"type":"DOC"}}',
  '{"constructor":{"prototype":{}}}',
  '{"length":1e9}',
  '{"toString":1}',
  `"${'x'.repeat(501)}"`,
  `"${'9'.repeat(400)}"`,
  '"__proto__"',
  '"💥"',
  '[1,"a",null]',
  '{"valueOf":null}',
]
const METHODS = [
  'GET',
  'PUT',
  'DELETE',
  'HEAD',
  'OPTIONS',
  'TRACE',
  'PATCH',
  'post',
  'P\u00d6ST',
  'PRI',
  '',
  'QUERY',
]
const TARGETS = [
  '*',
  '/',
  '//',
  '/..',
  '/%',
  '/%00',
  '/%ff%fe',
  '/partners-api/v1/rates/',
  '/partners-api/v1/shipments//cancel',
  '/partners-api/v1/shipments/%00/cancel',
  '/partners-api/v1/shipments/%f0%28/cancel',
  '/partners-api/v1/%72ates',
  'http://[::1/rates',
  'http://other/partners-api/v1/rates',
  '/partners-api/v1/rates?%',
  '/partners-api/v1/rates#x',
  `/${'a/'.repeat(3_000)}`,
  '/partners-api/v1/rates;a=b',
  'rates',
  '/constructor',
  '/__proto__',
  '\u00ff',
]
const HEADERS = [
  'Content-Length: -1',
  'Content-Length: 1e3',
  'Content-Length: 99999999999999999999',
  'Content-Length:',
  'Transfer-Encoding: gzip',
  'Transfer-Encoding: chunked, chunked',
  'Transfer-Encoding:\tchunked',
  'Host: other',
  'Content-Type: application/json; charset="',
  'Content-Type: \u00ff',
  'Content-Type: ;;;',
  'Content-Encoding: gzip',
  'Expect: 100-continue',
  'Expect: x',
  'Upgrade: websocket',
  'Upgrade: h2c',
  'Connection: upgrade',
  ': empty',
  'X-PP-API: @',
  'X-PP-API:',
  `X-PP-API: ${'a'.repeat(600)}@b`,
  'X-PP-API: \u00e9@\u00e9',
  'NoColon',
  ' folded: 1',
  'Accept-Version: 9.9.9',
  'X-Request-Id: \u0080',
  'X-Forwarded-For: ,,,',
  'Cookie: a=b',
  'X-HTTP-Method-Override: GET',
]

/** One request, which may be incomplete. */
export function malformedRequest(random: () => number): Buffer {
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item
  const [path, body] = pick(PATHS)
  const request = (line: string, headers: readonly string[], content: string | Buffer, length?: number) => {
    const bytes = Buffer.from(content)
    const head = [
      `${line} HTTP/1.1`,
      'Host: test',
      `X-PP-API: ${GOOD_HEADER}`,
      'Content-Type: application/json',
      `Content-Length: ${length ?? bytes.length}`,
      ...headers,
    ]
    return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), bytes])
  }
  const wrongValue = () => {
    const text = JSON.stringify(body)
    const places = [...text.matchAll(/(?<=[:[])("[^"]*"|[\d.]+|true|\[|\{)/g)]
    const place = places.length === 0 ? undefined : pick(places)
    if (place === undefined) return pick(VALUES)
    return `${text.slice(0, place.index)}${pick(VALUES)}${text.slice(place.index + place[0].length)}`
  }
  switch (Math.floor(random() * 7)) {
    case 0:
      return scrambled(request(`POST ${path}`, [], JSON.stringify(body)), random)
    case 1:
      return request(`${pick(METHODS)} ${pick([path, ...TARGETS])}`, [], JSON.stringify(body))
    case 2:
      return request(`POST ${pick(TARGETS)}`, [pick(HEADERS)], JSON.stringify(body))
    case 3:
      return request(`POST ${path}`, [pick(HEADERS), pick(HEADERS)], JSON.stringify(body))
    case 4:
      return request(`POST ${path}`, [], JSON.stringify(body), Math.floor(random() * 400))
    case 5:
      return request(`POST ${path}`, [], scrambled(Buffer.from(JSON.stringify(body)), random))
    default:
      return request(`POST ${path}`, [], wrongValue())
  }
}

/** Changes, inserts or deletes one to five bytes, or truncates. */
function scrambled(bytes: Buffer, random: () => number): Buffer {
  let result = bytes
  const changes = 1 + Math.floor(random() * 5)
  for (let change = 0; change < changes; change++) {
    const at = Math.floor(random() * result.length)
    const byte = Buffer.from([Math.floor(random() * 256)])
    const how = random()
    if (how < 0.1) result = result.subarray(0, at)
    else
      result = Buffer.concat([
        result.subarray(0, at),
        ...(how < 0.7 ? [byte] : []),
        result.subarray(how < 0.4 ? at : at + 1),
      ])
  }
  // A request of only line ends, or an empty one, would get no response.
  return /^[\r\n]*$/.test(result.toString('latin1')) ? bytes : result
}
