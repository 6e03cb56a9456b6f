/**
 * Calls of which nothing left, seen through the gateway: their answers, alerts and circuits, and admissions without a
 * token.
 */
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Connector } from '../../../src/carriers/connector.ts'
import { unknown } from '../../../src/carriers/connectors/judgement.ts'
import { carrierGateway } from '../../../src/carriers/gateway/gateway.ts'
import { exchange } from '../../../src/carriers/http-exchange.ts'
import { NotSentError } from '../../../src/carriers/not-sent.ts'
import { readOAuthToken, TokenError, tokenSource } from '../../../src/carriers/token-source.ts'
import type { CancelTicket, CarrierCancelAnswer } from '../../../src/core/shipments/cancellation.ts'
import type { Alert } from '../../../src/operations/ports/ports.ts'
import { startFake } from '../fakes/fake-carrier.ts'

const CANCELLED: CarrierCancelAnswer = { kind: 'cancelled', how: 'now' }
const PAUSED = { kind: 'not_sent', cause: 'calls to this carrier are paused after several failures' }
const about = { accountId: 'acme', carrierCode: 'c' }

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  vi.useRealTimers()
  for (const close of closing.splice(0)) await close()
})

function ticket(carrierRef: string): CancelTicket {
  return { ...about, attemptId: 'key', shipmentId: 'shp_1', carrierRef, fence: 1, sends: 1, ageMs: 0 }
}

function gatewayTo(connector: Partial<Connector>, timeoutMs = 8_000) {
  const alerts: Alert[] = []
  const gateway = carrierGateway(
    {
      connectorOf: () => ({ cancel: async () => CANCELLED, ...connector }),
      channelOf: (carrierCode) => ({ key: carrierCode }),
      cancelsEachParcel: () => false,
      canLookUp: () => true,
      lookupLagMs: () => 60_000,
    },
    { timeoutMs, alert: (alert) => alerts.push(alert) },
  )
  return { gateway, alerts, kinds: () => alerts.map(({ kind }) => kind) }
}

async function closedUrl(): Promise<string> {
  const { baseUrl, close } = await startFake(() => 'cut')
  await close()
  return baseUrl
}

const failing = (error: Error) => ({ cancel: () => Promise.reject(error) })

describe('a call of which nothing left', () => {
  test('is not sent, and opens the circuit after 8 parcels', async () => {
    const url = await closedUrl()
    const { gateway, kinds } = gatewayTo({
      cancel: async (_request, signal) => {
        await exchange({ method: 'DELETE', url }, signal)
        return CANCELLED
      },
    })
    for (let number = 0; number < 8; number += 1)
      expect(await gateway.cancel(ticket(`P${number}`))).toEqual({ kind: 'not_sent', cause: 'ECONNREFUSED' })
    expect(await gateway.cancel(ticket('P9'))).toEqual(PAUSED)
    expect(kinds()).toEqual(['CIRCUIT_OPENED'])
  })

  test('because of rejected credentials raises the alert about the configuration', async () => {
    const error = new TokenError('HTTP 401', { isRejection: true })
    const { gateway, alerts } = gatewayTo(failing(error))
    const unsent = { kind: 'not_sent', cause: 'no access token: HTTP 401' }
    expect(await gateway.cancel(ticket('P'))).toEqual(unsent)
    expect(alerts).toEqual([
      { kind: 'CARRIER_CONFIGURATION', carrierCode: 'c', detail: 'no access token: HTTP 401' },
    ])
    for (let number = 1; number < 8; number += 1) await gateway.cancel(ticket('P'))
    expect(await gateway.cancel(ticket('P'))).toEqual(PAUSED)
  })

  test('is unknown if an earlier request of the call may have arrived', async () => {
    const up = await startFake(() => ({ status: 404 }))
    closing.push(up.close)
    const second = await closedUrl()
    const { gateway } = gatewayTo({
      cancel: async (_request, signal) => {
        await exchange({ method: 'DELETE', url: up.baseUrl }, signal)
        await exchange({ method: 'DELETE', url: second }, signal)
        return CANCELLED
      },
    })
    expect(await gateway.cancel(ticket('P'))).toEqual({ kind: 'unknown', cause: 'ECONNREFUSED' })
  })

  test('is not sent if its time is over while it waits for a token, and unknown if it waits for a reply', async () => {
    const silent = await startFake(({ path }) =>
      path === '/slow-token' || path === '/parcel'
        ? new Promise(() => {})
        : { status: 200, body: { access_token: 'canary', expires_in: 600 } },
    )
    closing.push(silent.close)
    const callWith = (tokenPath: string) => {
      const tokens = tokenSource({ method: 'POST', url: `${silent.baseUrl}${tokenPath}` }, readOAuthToken)
      const parcel = () => ({ method: 'DELETE', url: `${silent.baseUrl}/parcel` }) as const
      const cancel = async (_request: unknown, signal: AbortSignal) => {
        await tokens.send(parcel, signal)
        return CANCELLED
      }
      return gatewayTo({ cancel }, 100).gateway.cancel(ticket('P'))
    }
    expect(await callWith('/slow-token')).toEqual({
      ...{ kind: 'not_sent', cause: 'no access token: the call was aborted while it waited' },
    })
    expect(await callWith('/token')).toEqual({ kind: 'unknown', cause: 'no answer within 100 ms' })
    expect(silent.requests.map(({ path }) => path)).toEqual(['/slow-token', '/token', '/parcel'])
  })
})

describe('an admission of a connector that has to prepare', () => {
  test('is given when it is ready, and the slot is kept for the call', async () => {
    const { gateway } = gatewayTo({ prepare: async () => {} })
    const admission = await gateway.admit(about)
    if (admission.kind !== 'admitted') throw new Error(admission.cause)
    expect(await gateway.cancel(ticket('P'), admission)).toEqual(CANCELLED)
  })

  test('is not given if that fails: the slots are free again, the circuit opens, and there is an alert', async () => {
    let isReady = false
    const { gateway, kinds } = gatewayTo({
      prepare: async () => {
        if (!isReady) throw new TokenError('HTTP 401', { isRejection: true })
      },
    })
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
    const unsent = { kind: 'not_sent', cause: 'no access token: HTTP 401' }
    for (let number = 0; number < 8; number += 1)
      expect(await gateway.admit({ ...about, carrierRef: `P${number}` })).toEqual(unsent)
    expect(await gateway.admit(about)).toEqual(PAUSED)
    expect(kinds()).toEqual(['CARRIER_CONFIGURATION', 'CIRCUIT_OPENED'])
    // The trial.
    isReady = true
    vi.advanceTimersByTime(60_000)
    expect(gateway.room('c', 'acme', 'command')).toBe(1)
    const admission = await gateway.admit(about)
    if (admission.kind !== 'admitted') throw new Error(admission.cause)
    expect(await gateway.cancel(ticket('P'), admission)).toEqual(CANCELLED)
    expect(gateway.room('c', 'acme', 'command')).toBe(32)
  })

  test('is not given if that takes too long, also if the connector ignores its signal', async () => {
    const { gateway } = gatewayTo({ prepare: () => new Promise(() => {}) }, 20)
    expect(await gateway.admit(about)).toEqual({ kind: 'not_sent', cause: 'not ready within 20 ms' })
  })
})

describe('a carrier that asks for a pause of a day', () => {
  const DAY_MS = 86_400_000

  test.each<[string, Connector['cancel']]>([
    ['in its reply', async () => unknown('HTTP 429', { retryAfterMs: DAY_MS })],
    ['before there is a token', () => Promise.reject(new NotSentError('HTTP 429', { retryAfterMs: DAY_MS }))],
  ])('%s gets one trial cancellation after 15 minutes', async (_name, pausing) => {
    vi.useFakeTimers({ toFake: ['performance'] })
    let calls = 0
    const { gateway } = gatewayTo({
      cancel: (...given) => {
        calls += 1
        return pausing(...given)
      },
    })
    await gateway.cancel(ticket('P'))
    vi.advanceTimersByTime(899_999)
    expect(await gateway.cancel(ticket('P'))).toEqual(PAUSED)
    vi.advanceTimersByTime(1)
    await Promise.all([gateway.cancel(ticket('P')), gateway.cancel(ticket('Q'))])
    expect(calls).toBe(2)
    expect(await gateway.cancel(ticket('P'))).toEqual(PAUSED)
  })
})
