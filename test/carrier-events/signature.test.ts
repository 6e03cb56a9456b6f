/**
 * Signatures of scan events: a valid, recent signature of the body, and the same 401 otherwise.
 * docs/scan-events.md#signature
 */
import { connect } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { listen, rawRequest, talk } from '../http/test-socket.ts'
import { anEvent, digestOf, eventsDoor, NOW, SECRET, sendEvents, signatureOf } from './signed-events.ts'

const open: { close(): Promise<unknown> }[] = []
afterEach(async () => {
  for (const app of open.splice(0)) await app.close()
})

function door(...given: Parameters<typeof eventsDoor>) {
  const opened = eventsDoor(...given)
  open.push(opened.app)
  return opened
}

const BODY = JSON.stringify({ events: [anEvent()] })
const SECONDS = NOW / 1_000
const OTHER_SECRET = 'another-secret-0123456789-0123456789'
const REFUSED =
  '{"message":"The X-Waybill-Signature header must contain a valid, recent signature of the body"}'

const GOOD: [string, string][] = [
  ['signed now', signatureOf(BODY)],
  ['signed five minutes ago', signatureOf(BODY, SECRET, SECONDS - 300)],
  ['signed by a clock that is five minutes fast', signatureOf(BODY, SECRET, SECONDS + 300)],
  ['with its digest in capitals', `t=${SECONDS},v1=${digestOf(BODY).toUpperCase()}`],
  [
    'with digests by a new secret and the current one',
    `t=${SECONDS},v1=${digestOf(BODY, OTHER_SECRET)},v1=${digestOf(BODY)}`,
  ],
  [
    'with digests by the current secret and a new one',
    `t=${SECONDS},v1=${digestOf(BODY)},v1=${digestOf(BODY, OTHER_SECRET)}`,
  ],
]

const BAD: [string, string | undefined][] = [
  ['missing', undefined],
  ['empty', ''],
  ['made with another secret', signatureOf(BODY, OTHER_SECRET)],
  ['of another body', signatureOf(`${BODY} `)],
  ['of the body without the time', `t=${SECONDS},v1=${digestOf(BODY, SECRET, '')}`],
  ['older than five minutes', signatureOf(BODY, SECRET, SECONDS - 301)],
  ['more than five minutes in the future', signatureOf(BODY, SECRET, SECONDS + 301)],
  ['with a time that was not signed', `t=${SECONDS + 1},v1=${digestOf(BODY)}`],
  ['without a time', `v1=${digestOf(BODY, SECRET, '')}`],
  ['with a time that is not a number', signatureOf(BODY, SECRET, 'now')],
  ['with a time in milliseconds', signatureOf(BODY, SECRET, NOW)],
  ['without a digest', `t=${SECONDS}`],
  ['with a truncated digest', signatureOf(BODY).slice(0, -2)],
  ['with a digest that is not hexadecimal', `t=${SECONDS},v1=${'z'.repeat(64)}`],
  ['with a digest under another name', `t=${SECONDS},v0=${digestOf(BODY)}`],
  ['with a space', signatureOf(BODY).replace(',', ', ')],
  ['with another field at its end', `${signatureOf(BODY)},v2=1`],
  ['with six digests', `t=${SECONDS}${`,v1=${digestOf(BODY)}`.repeat(6)}`],
  ['with two times', `t=${SECONDS},${signatureOf(BODY)}`],
]

describe('accepts a signature', () => {
  test.each(GOOD)('%s', async (_name, signature) => {
    const { app, recorded } = door()
    const answer = await sendEvents(app, BODY, { 'x-waybill-signature': signature })
    expect(answer.statusCode).toBe(200)
    expect(recorded).toHaveLength(1)
  })
})

describe('responds with the same 401 to a signature', () => {
  const refusal = async (signature: string | undefined, carrierCode = 'rondeel') => {
    const { app, recorded } = door()
    const answer = await app.inject({
      method: 'POST',
      url: `/carrier-events/${carrierCode}`,
      headers: {
        'content-type': 'application/json',
        ...(signature !== undefined && { 'x-waybill-signature': signature }),
      },
      payload: BODY,
    })
    expect(recorded).toEqual([])
    const { date: _date, 'x-request-id': _id, ...headers } = answer.headers
    return { status: answer.statusCode, body: answer.body, headers }
  }
  const EXPECTED = {
    status: 401,
    body: REFUSED,
    headers: {
      'cache-control': 'no-store',
      connection: 'keep-alive',
      'content-length': String(REFUSED.length),
      'content-type': 'application/json; charset=utf-8',
      'www-authenticate': 'X-Waybill-Signature realm="waybill"',
      'x-content-type-options': 'nosniff',
    },
  }

  test.each(BAD)('%s', async (_name, signature) => {
    expect(await refusal(signature)).toEqual(EXPECTED)
  })

  test.each([
    'nobody',
    'constructor',
    '__proto__',
    'RONDEEL',
    'rondeel%20',
  ])('of the carrier %s, which has no secret', async (carrierCode) => {
    expect(await refusal(signatureOf(BODY), carrierCode)).toEqual(EXPECTED)
    expect(await refusal(signatureOf(BODY, ''), carrierCode)).toEqual(EXPECTED)
  })

  test('that was sent twice, even if both are valid', async () => {
    const { app, recorded } = door()
    const port = await listen(app)
    const good = signatureOf(BODY)
    const bad = signatureOf(BODY, OTHER_SECRET)
    for (const pair of [
      [good, good],
      [good, bad],
      [bad, good],
      [good, digestOf(BODY)],
    ]) {
      const headers = pair.map((value) => `X-Waybill-Signature: ${value}`)
      const plain = ['Content-Type: application/json', `Content-Length: ${BODY.length}`]
      const text = await talk(port, rawRequest('POST /carrier-events/rondeel', [...plain, ...headers], BODY))
      expect(text).toContain('HTTP/1.1 401')
      expect(text).toContain(REFUSED)
    }
    expect(recorded).toEqual([])
  })

  test('that is wrong, whatever else is wrong with the request', async () => {
    const { app } = door()
    const bad = { 'x-waybill-signature': signatureOf('other') }
    expect((await sendEvents(app, 'no JSON', bad)).body).toBe(REFUSED)
    expect((await sendEvents(app, BODY, { ...bad, 'content-type': 'text/plain' })).body).toBe(REFUSED)
    expect((await app.inject({ method: 'POST', url: '/carrier-events/rondeel' })).body).toBe(REFUSED)
  })
})

describe('before the body is read,', () => {
  /** Sends headers without the body. Returns the response, or '' if the server waits for the body. */
  const answerTo = async (carrierCode: string, signature: string) => {
    const { app } = door()
    const headers = ['Content-Type: application/json', 'Content-Length: 5']
    const request = rawRequest(`POST /carrier-events/${carrierCode}`, [
      ...headers,
      `X-Waybill-Signature: ${signature}`,
    ])
    return talk(await listen(app), request, 400)
  }

  test('refuses a signature that cannot be valid', async () => {
    for (const signature of ['none', signatureOf(BODY, SECRET, SECONDS - 2 * 86_400 - 1)])
      expect(await answerTo('rondeel', signature)).toMatch(/^HTTP\/1.1 401 /)
    expect(await answerTo('nobody', signatureOf(BODY))).toMatch(/^HTTP\/1.1 401 /)
  })

  test('waits for the body of a plausible signature', async () => {
    expect(await answerTo('rondeel', signatureOf(BODY))).toBe('')
  })

  test('closes the connection without a response if the body is not complete in time', async () => {
    const { app } = door(undefined, { limits: { signedBodyMs: 20 } })
    const socket = connect(await listen(app), '127.0.0.1')
    const headers = [`X-Waybill-Signature: ${signatureOf(BODY)}`, 'Content-Length: 5']
    socket.write(rawRequest('POST /carrier-events/rondeel', headers))
    // Only the server ends this connection. Without its limit, the test would not end.
    expect(await socket.on('error', () => {}).toArray()).toEqual([])
  })

  test('allows eight bodies in transit for one address', async () => {
    const { app } = door()
    const port = await listen(app)
    const headers = [`X-Waybill-Signature: ${signatureOf(BODY)}`, 'Content-Length: 5']
    const request = rawRequest('POST /carrier-events/rondeel', headers)
    const answers = await Promise.all(Array.from({ length: 10 }, () => talk(port, request, 500)))
    expect(answers.filter((answer) => answer.startsWith('HTTP/1.1 503'))).toHaveLength(2)
    expect(answers.filter((answer) => answer === '')).toHaveLength(8)
  })

  test('keeps places for networks that have signed correctly, however many others hold bodies back', async () => {
    const { app } = door()
    const port = await listen(app)
    // The address of this socket is remembered as one of the carrier.
    const headers = ['Content-Type: application/json', `X-Waybill-Signature: ${signatureOf(BODY)}`]
    const genuine =
      rawRequest('POST /carrier-events/rondeel', [...headers, `Content-Length: ${BODY.length}`]) + BODY
    expect(await talk(port, genuine, 500)).toMatch(/^HTTP\/1.1 200 /)
    const held = rawRequest('POST /carrier-events/rondeel', [...headers, 'Content-Length: 5'])
    const sockets = Array.from({ length: 48 }, (_unused, index) => {
      const socket = connect({
        port,
        host: '127.0.0.1',
        localAddress: `127.0.0.${2 + Math.floor(index / 8)}`,
      })
      socket.on('error', () => {}).write(held)
      return socket
    })
    const refused = () => sockets.filter((socket) => socket.bytesRead > 0).length
    while (refused() < 32) await new Promise((resolve) => setTimeout(resolve, 5))
    expect(await talk(port, genuine, 500)).toMatch(/^HTTP\/1.1 200 /)
    for (const socket of sockets) socket.destroy()
  })
})

describe('a request that was signed correctly at another time', () => {
  const hintsOf = (lines: readonly string[]) =>
    lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg.includes('compare the clocks'))

  test.each([
    -3_600, 301, 86_400,
  ])('%i s away is refused and causes one hint in the log', async (secondsOff) => {
    const { app, lines, recorded } = door()
    const late = { 'x-waybill-signature': signatureOf(BODY, SECRET, SECONDS + secondsOff) }
    for (let sent = 0; sent < 3; sent++) expect((await sendEvents(app, BODY, late)).statusCode).toBe(401)
    expect(recorded).toEqual([])
    const hints = hintsOf(lines)
    expect(hints).toHaveLength(1)
    expect(hints[0]).toMatchObject({ level: 'warn', carrierCode: 'rondeel', secondsOff })
    expect(JSON.stringify(hints)).not.toContain(digestOf(BODY, SECRET, SECONDS + secondsOff))
  })

  test('causes no hint if the digest is wrong too', async () => {
    const { app, lines } = door()
    const forged = { 'x-waybill-signature': signatureOf(BODY, OTHER_SECRET, SECONDS - 3_600) }
    expect((await sendEvents(app, BODY, forged)).statusCode).toBe(401)
    expect(hintsOf(lines)).toEqual([])
  })
})

describe('the server', () => {
  test('does not accept an API key instead of a signature', async () => {
    const { app } = door()
    const headers = { 'x-pp-api': 'a-key@s3cret@with-at', 'x-waybill-signature': 'none' }
    expect((await sendEvents(app, BODY, headers)).statusCode).toBe(401)
  })

  test('limits requests per address and carrier, and does not count implausible signatures', async () => {
    const { app } = door(undefined, { limits: { requestsPerMinute: 2 } })
    const implausible = { 'x-waybill-signature': 'none' }
    const wrong = { 'x-waybill-signature': signatureOf('another body') }
    const statuses: number[] = []
    for (const headers of [implausible, {}, implausible, wrong, {}])
      statuses.push((await sendEvents(app, BODY, headers)).statusCode)
    expect(statuses).toEqual([401, 200, 401, 401, 429])
    const refused = await sendEvents(app, BODY)
    expect(refused.json()).toEqual({ message: 'Too many requests; try again later' })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    // Another spelling of the same carrier shares its budget. Another carrier has its own budget.
    expect((await sendEvents(app, BODY, {}, '%72ondeel')).statusCode).toBe(429)
    expect((await sendEvents(app, BODY, {}, 'veluwe')).statusCode).toBe(401)
  })

  test('counts requests in flight, and logs them without signature and secret', async () => {
    const full = door(undefined, { limits: { inFlight: 0 } })
    expect((await sendEvents(full.app, BODY)).statusCode).toBe(503)
    const { app, lines } = door((scan) => {
      throw new Error(`no room for ${scan.eventId} signed ${signatureOf(BODY)}`)
    })
    expect((await sendEvents(app, BODY)).statusCode).toBe(500)
    await sendEvents(app, BODY, { 'x-waybill-signature': signatureOf(BODY, OTHER_SECRET) })
    const text = lines.join('')
    expect(text).toContain('"level":"info"')
    expect(text).toContain('"path":"/carrier-events/rondeel"')
    expect(text).toContain('no room for [masked]')
    for (const secret of [SECRET, digestOf(BODY), digestOf(BODY, OTHER_SECRET), 'evt-1', 'SBX-OK-1'])
      expect(text).not.toContain(secret)
  })
})
