/** The REST door on a test server, with mocked operations. Every answer is compared with the OpenAPI document. */
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import { checkDutiesRequest } from '../../src/core/customs/request.ts'
import { checkRatesRequest } from '../../src/core/rating/request.ts'
import { shipmentCancelled } from '../../src/core/shipments/cancellation.ts'
import { cancelShipment } from '../../src/operations/cancel-shipment.ts'
import { estimateDuties } from '../../src/operations/estimate-duties.ts'
import type { Caller } from '../../src/operations/ports/caller.ts'
import { quoteRates } from '../../src/operations/quote-rates.ts'
import { restDoor } from '../../src/rest/routes.ts'
import { CALLER, GOOD_HEADER, keysInMemory, testServer } from '../http/test-socket.ts'
import { portsWithout } from '../support/app/fake-ports.ts'
import { contractFaults } from '../support/partner-api.ts'
import { ESTIMATE, TWO_OPTIONS } from './rest-outcomes.ts'

export const PATHS = {
  rates: '/partners-api/v1/rates',
  estimate: '/partners-api/v1/duties-taxes-estimate',
  cancel: '/partners-api/v1/shipments/s-17/cancel',
} as const

export type Endpoint = keyof typeof PATHS

/** A valid rates request. */
export const RATES_BODY = {
  parcels: [{ type: 'NONDOC', weight: '1.5', length: '30', width: 20, height: '10', count: '1' }],
  fromCountry: 'NL',
  toCountry: 'DE',
}

/** A valid estimate request. */
export const ESTIMATE_BODY = {
  contentItems: [{ description: 'Cotton T-shirt', numberOfItems: 1, cost: 2.42 }],
  fromCountry: 'US',
  toCountry: 'NL',
}

/** Changes to a valid request. */
export type Asking = {
  readonly body?: unknown
  /** Sent instead of `body`, byte for byte; null for no body. */
  readonly raw?: string | Buffer | null
  readonly headers?: Readonly<Record<string, string | undefined>>
  readonly caller?: Partial<Caller>
  readonly options?: Parameters<typeof testServer>[1]
  readonly url?: string
}

const open: FastifyInstance[] = []

/** Gives every mocked operation a successful outcome before each test. Requests are validated by core. */
export function ordinaryOutcomes(): void {
  beforeEach(() => {
    vi.mocked(quoteRates).mockImplementation((_ports, _caller, draft) => {
      const checked = checkRatesRequest(draft)
      return 'kind' in checked ? checked : TWO_OPTIONS
    })
    vi.mocked(estimateDuties).mockImplementation(async (_ports, _caller, draft) => {
      const checked = checkDutiesRequest(draft)
      return 'kind' in checked ? checked : ESTIMATE
    })
    vi.mocked(cancelShipment).mockImplementation(async (_ports, _caller, shipmentId) =>
      shipmentCancelled(shipmentId, 'carrier', false),
    )
  })
  afterEach(async () => {
    for (const app of open.splice(0)) await app.close()
  })
}

/** Sends a request to an endpoint. Default: a valid request of CALLER. */
export async function ask(endpoint: Endpoint, asking: Asking = {}): Promise<LightMyRequestResponse> {
  const ports = {
    ...portsWithout({}),
    credentials: keysInMemory({ ...CALLER, ...asking.caller }),
  }
  const { app } = testServer([restDoor(ports)], { ports, ...asking.options })
  open.push(app)
  const ordinary = { rates: RATES_BODY, estimate: ESTIMATE_BODY, cancel: undefined }[endpoint]
  const payload = asking.raw === undefined ? JSON.stringify(asking.body ?? ordinary) : asking.raw
  const headers: Record<string, string> = {}
  const wanted = { 'x-pp-api': GOOD_HEADER, 'content-type': 'application/json', ...asking.headers }
  for (const [name, value] of Object.entries(wanted)) if (value !== undefined) headers[name] = value
  const url = asking.url ?? PATHS[endpoint]
  const answer = await app.inject({
    ...{ method: 'POST', url, headers },
    ...(payload !== undefined && payload !== null && { payload }),
  })
  const { statusCode: status, body } = answer
  expect(contractFaults({ method: 'POST', url, status, headers: answer.headers, body })).toEqual([])
  return answer
}
