/**
 * Sends 5,000 malformed requests. None may get a 5xx or no response, and the process must survive. MALFORMED_REQUESTS
 * and MALFORMED_SEED set another number and seed.
 */
import { connect } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { checkDutiesRequest } from '../../src/core/customs/request.ts'
import { estimateDuties } from '../../src/operations/estimate-duties.ts'
import type { Ports } from '../../src/operations/ports/ports.ts'
import { restDoor } from '../../src/rest/routes.ts'
import { ESTIMATE } from '../contract/rest-outcomes.ts'
import { portsWithout } from '../support/app/fake-ports.ts'
import { demoRateBook } from '../support/rates/demo-rate-book.ts'
import { NO_RATES } from '../support/rates/exchange-rates.ts'
import { malformedRequest, seeded } from './malformed-requests.ts'
import { keysInMemory, listen, type TestServer, testServer } from './test-socket.ts'

const COUNT = Number(process.env['MALFORMED_REQUESTS'] ?? 5_000)
const SEED = Number(process.env['MALFORMED_SEED'] ?? 20_260_302)
const AT_ONCE = 32

let server: TestServer
let port: number
// The duties engine has its own tests with such values. Here only its validation runs.
beforeEach(() => {
  vi.mocked(estimateDuties).mockImplementation(async (_ports, _caller, draft) => {
    const checked = checkDutiesRequest(draft)
    return 'kind' in checked ? checked : ESTIMATE
  })
})
beforeAll(async () => {
  const book = demoRateBook()
  const ports: Ports = {
    ...portsWithout({}),
    credentials: keysInMemory(),
    reference: { rateBook: () => book, customsTables: () => NO_RATES },
    shipments: { ...portsWithout({}).shipments, beginCancellation: async () => undefined },
  }
  server = testServer([restDoor(ports)], {
    ports,
    limits: { requestsPerMinute: 1e9, failuresPerMinute: 1e9 },
  })
  port = await listen(server.app)
})
afterAll(() => server.app.close())

/**
 * Sends bytes, ends the sending side, and returns the whole response. A complete request can wait for its turn when the
 * end arrives, on a busy machine. The server then takes its client for disconnected, so it is sent again.
 */
async function send(bytes: Buffer): Promise<string> {
  const response = await exchange(bytes, 0)
  return response === '' ? exchange(bytes, 1_000) : response
}

/** Ends the sending side after `endMs`. */
function exchange(bytes: Buffer, endMs: number): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }, () => {
      socket.write(bytes)
      if (endMs === 0) socket.end()
      else setTimeout(() => socket.end(), endMs)
    })
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('end', () => socket.destroy())
    socket.on('error', () => {})
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('latin1')))
    socket.setTimeout(5_000, () => socket.destroy())
  })
}

test(
  `responds to ${COUNT} malformed requests without a 5xx`,
  async () => {
    const random = seeded(SEED)
    const statuses = new Map<string, number>()
    for (let done = 0; done < COUNT; done += AT_ONCE) {
      const requests = Array.from({ length: Math.min(AT_ONCE, COUNT - done) }, () => malformedRequest(random))
      const answers = await Promise.all(requests.map(send))
      for (const [index, answer] of answers.entries()) {
        const seen = [...answer.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => match[1] ?? '')
        const what = JSON.stringify(requests[index]?.toString('latin1'))
        expect(
          seen.filter((status) => status >= '500'),
          what,
        ).toEqual([])
        expect(seen.length, `no answer to ${what}`).toBeGreaterThan(0)
        for (const status of seen) statuses.set(status, (statuses.get(status) ?? 0) + 1)
        expect(answer.match(/x-request-id: /gi)?.length, what).toBe(
          seen.filter((status) => status !== '100').length,
        )
      }
    }
    // Checks that the generator still causes all of these statuses. A short run may miss the rare ones.
    const rare = COUNT < 5_000 ? [] : ['401', '415', '417']
    for (const status of ['200', '400', '404', '405', ...rare])
      expect(statuses.get(status) ?? 0, `answers with ${status}`).toBeGreaterThan(5)
    // One warning is expected: some requests have X-Forwarded-For.
    const alarming = server.lines.filter((line) => /"level":"(warn|error|fatal)"/.test(line))
    expect(alarming.filter((line) => !line.includes('WAYBILL_TRUSTED_PROXIES'))).toEqual([])
    expect((await server.app.inject('/healthz')).statusCode).toBe(200)
  },
  60_000 + COUNT * 5,
)
