/**
 * Channels: each set of credentials at a carrier has its own circuit breakers and slots. Failures and slow calls of one
 * account's own credentials do not affect other accounts.
 */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Connector } from '../../../src/carriers/connector.ts'
import {
  CARRIER_TIMEOUT_MS,
  carrierGateway,
  type GatewayOptions,
} from '../../../src/carriers/gateway/gateway.ts'
import { CONNECTORS, openCarriers } from '../../../src/carriers/registry.ts'
import { carrierSettings } from '../../../src/carriers/settings.ts'
import type { CancelTicket, CarrierCancelAnswer } from '../../../src/core/shipments/cancellation.ts'
import type { CarrierGateway } from '../../../src/operations/ports/carriers.ts'
import type { Alert } from '../../../src/operations/ports/ports.ts'
import { type FakeCarrier, startFake } from '../fakes/fake-carrier.ts'

const CANCELLED: CarrierCancelAnswer = { kind: 'cancelled', how: 'now' }
const PAUSED = { kind: 'not_sent', cause: 'calls to this carrier are paused after several failures' }
const BUSY = { kind: 'not_sent', cause: 'too many calls are running' }

/** "acme" and "globex" have separate credentials at carrier c. "bravo" and "charlie" use the shared ones. */
const SETTINGS = {
  c: {
    baseUrl: 'http://shared',
    accounts: { acme: { baseUrl: 'http://acme' }, globex: { baseUrl: 'http://globex' } },
  },
}

function ticket(accountId: string, carrierRef: string): CancelTicket {
  const attempt = { attemptId: 'key', shipmentId: 'shp_1', fence: 1, sends: 1, ageMs: 0 }
  return { ...attempt, accountId, carrierCode: 'c', carrierRef }
}

const gatewayTo = (settings: object, options: GatewayOptions = {}): CarrierGateway =>
  carrierGateway(
    openCarriers(() => 'sandbox', { sandboxUrl: undefined, settings: carrierSettings(settings) }),
    options,
  )

describe('with scripted connectors,', () => {
  /** The results by base URL. Other URLs cancel. */
  let answers: Map<string, () => Promise<CarrierCancelAnswer>>
  let asked: string[]
  let alerts: Alert[]
  let gateway: CarrierGateway

  beforeEach(() => {
    // The breaker and the time limit use these clocks.
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
    answers = new Map()
    asked = []
    alerts = []
    vi.spyOn(CONNECTORS.sandbox, 'open').mockImplementation(({ baseUrl }): Connector => {
      const answer = async () => {
        asked.push(baseUrl)
        return (await answers.get(baseUrl)?.()) ?? CANCELLED
      }
      return {
        cancel: answer,
        track: async () => ((await answer()).kind === 'cancelled' ? { kind: 'announced' } : FAILED),
      }
    })
    gateway = gatewayTo(SETTINGS, {
      bulkhead: { slots: 8, waitMs: 50 },
      alert: (alert) => alerts.push(alert),
    })
  })
  afterEach(() => {
    vi.restoreAllMocks()
    vi.useRealTimers()
  })

  const FAILED = { kind: 'unknown', cause: 'HTTP 429', status: 429 } as const
  const fails = async (): Promise<CarrierCancelAnswer> => FAILED

  /** Cancels different parcels, one after the other; the clock moves by `takesMs` during each call. */
  async function cancel(accountId: string, count: number, takesMs = 0): Promise<unknown[]> {
    const ends: unknown[] = []
    for (let number = 0; number < count; number += 1) {
      const call = gateway.cancel(ticket(accountId, `P${number}`))
      await vi.advanceTimersByTimeAsync(takesMs)
      ends.push(await call)
    }
    return ends
  }

  test.each<[string, () => Promise<CarrierCancelAnswer>, number, string]>([
    ['429', fails, 0, 'HTTP 429'],
    ['500', async () => ({ kind: 'unknown', cause: 'HTTP 500', status: 500 }), 0, 'HTTP 500'],
    ['a closed connection', async () => Promise.reject(new Error('ECONNRESET')), 0, 'ECONNRESET'],
    ['no answer', () => new Promise(() => {}), CARRIER_TIMEOUT_MS, 'no answer within 8000 ms'],
  ])("%s with one account's own credentials pauses the calls of that account only", async (_name, answer, takesMs, cause) => {
    answers.set('http://acme', answer)
    await cancel('acme', 8, takesMs)
    expect(await cancel('acme', 3)).toEqual([PAUSED, PAUSED, PAUSED])
    for (const accountId of ['bravo', 'globex', 'charlie'])
      expect(await cancel(accountId, 3)).toEqual([CANCELLED, CANCELLED, CANCELLED])
    expect(asked.filter((url) => url === 'http://acme')).toHaveLength(8)
    expect(alerts).toEqual([{ kind: 'CIRCUIT_OPENED', carrierCode: 'c', accountId: 'acme', detail: cause }])
  })

  test("failures of the carrier's credentials pause all accounts that share them, and no other", async () => {
    answers.set('http://shared', fails)
    await cancel('bravo', 7)
    // Failures of different accounts count together.
    await gateway.cancel(ticket('charlie', 'Q'))
    expect([await cancel('bravo', 1), await cancel('charlie', 1)]).toEqual([[PAUSED], [PAUSED]])
    expect([await cancel('acme', 1), await cancel('globex', 1)]).toEqual([[CANCELLED], [CANCELLED]])
    expect(alerts).toEqual([{ kind: 'CIRCUIT_OPENED', carrierCode: 'c', detail: 'HTTP 429' }])
  })

  test('each channel has its own background slots', async () => {
    const rooms = (kind: 'command' | 'lookup') =>
      ['acme', 'bravo', 'charlie', 'globex'].map((accountId) => gateway.room('c', accountId, kind))
    expect(rooms('command')).toEqual([8, 8, 8, 8])
    answers.set('http://acme', fails)
    await cancel('acme', 8)
    expect(rooms('command')).toEqual([0, 8, 8, 8])
    answers.set('http://shared', () => new Promise(() => {}))
    void gateway.cancel(ticket('bravo', 'slow'), 'background')
    expect(rooms('command')).toEqual([0, 7, 7, 8])
    vi.advanceTimersByTime(2_000)
    expect(rooms('command')).toEqual([1, 7, 7, 8])
  })

  test('each channel has its own pause and its own trial call', async () => {
    answers.set('http://acme', fails)
    answers.set('http://shared', fails)
    await cancel('acme', 8)
    vi.advanceTimersByTime(1_000)
    await cancel('bravo', 8)
    asked = []
    // Half-open for acme only. Its trial fails, and its pause doubles.
    vi.advanceTimersByTime(1_000)
    expect([await cancel('acme', 1), await cancel('bravo', 1)]).toEqual([[FAILED], [PAUSED]])
    // Half-open for the shared credentials: one trial for all accounts that share them.
    vi.advanceTimersByTime(1_000)
    answers.delete('http://shared')
    const crowd = ['bravo', 'charlie', 'acme'].map((accountId) => gateway.cancel(ticket(accountId, 'T')))
    expect(await Promise.all(crowd)).toEqual([CANCELLED, PAUSED, PAUSED])
    expect([await cancel('charlie', 2), await cancel('acme', 1)]).toEqual([[CANCELLED, CANCELLED], [PAUSED]])
    vi.advanceTimersByTime(3_000)
    answers.delete('http://acme')
    expect(await cancel('acme', 2)).toEqual([CANCELLED, CANCELLED])
    expect(asked.filter((url) => url === 'http://acme')).toHaveLength(3)
  })

  test('lookups of one channel do not pause those of another', async () => {
    answers.set('http://acme', fails)
    const track = (accountId: string, carrierRef: string) =>
      gateway.track({ accountId, carrierCode: 'c', carrierRef })
    for (let number = 0; number < 8; number += 1) await track('acme', `P${number}`)
    expect(await track('acme', 'P')).toEqual(PAUSED)
    expect(await track('globex', 'P')).toEqual({ kind: 'announced' })
    expect(await track('bravo', 'P')).toEqual({ kind: 'announced' })
  })

  test('an account uses all slots of its own credentials, and no shared slots', async () => {
    answers.set('http://acme', () => new Promise(() => {}))
    const calls = Array.from({ length: 9 }, (_, number) => gateway.cancel(ticket('acme', `P${number}`)))
    await vi.advanceTimersByTimeAsync(50)
    expect(await calls[8]).toEqual(BUSY)
    expect(asked).toHaveLength(8)
    answers.set('http://shared', () => new Promise(() => {}))
    const shared = ['bravo', 'bravo', 'bravo', 'bravo', 'bravo', 'charlie', 'charlie'].map(
      (accountId, number) => gateway.cancel(ticket(accountId, `P${number}`)),
    )
    await vi.advanceTimersByTimeAsync(50)
    // An account can use 4 of 8 shared slots.
    expect(await shared[4]).toEqual(BUSY)
    expect(asked.filter((url) => url === 'http://shared')).toHaveLength(6)
  })
})

describe('over HTTP,', () => {
  const fakes: FakeCarrier[] = []
  afterEach(async () => {
    for (const fake of fakes.splice(0)) await fake.close()
  })

  async function fake(answer: Parameters<typeof startFake>[0]): Promise<FakeCarrier> {
    const started = await startFake(answer)
    fakes.push(started)
    return started
  }

  test('a 429 for the credentials of one account does not prevent others from cancelling', async () => {
    const limited = await fake(() => ({ status: 429, body: { error: 'quota' } }))
    const healthy = await fake(() => ({ status: 200, body: { status: 'accepted' } }))
    const alerts: Alert[] = []
    const gateway = gatewayTo(
      { c: { baseUrl: healthy.baseUrl, accounts: { acme: { baseUrl: limited.baseUrl } } } },
      { alert: (alert) => alerts.push(alert) },
    )
    for (let number = 0; number < 10; number += 1) await gateway.cancel(ticket('acme', `P${number}`))
    expect(await gateway.cancel(ticket('acme', 'P10'))).toEqual(PAUSED)
    expect(limited.requests).toHaveLength(8)
    for (let number = 0; number < 3; number += 1)
      expect(await gateway.cancel(ticket('bravo', `P${number}`))).toMatchObject({ kind: 'cancelled' })
    expect(alerts).toMatchObject([{ kind: 'CIRCUIT_OPENED', carrierCode: 'c', accountId: 'acme' }])
  })
})
