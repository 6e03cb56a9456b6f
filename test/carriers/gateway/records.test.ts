/** The record that the gateway makes of each call: what was sent, what came back, and how it was judged. */
import { afterEach, describe, expect, test } from 'vitest'
import type { Connector } from '../../../src/carriers/connector.ts'
import { unknown } from '../../../src/carriers/connectors/judgement.ts'
import { carrierGateway } from '../../../src/carriers/gateway/gateway.ts'
import { exchange } from '../../../src/carriers/http-exchange.ts'
import type { CancelTicket, CarrierCancelAnswer } from '../../../src/core/shipments/cancellation.ts'
import type { CarrierTrackAnswer } from '../../../src/core/shipments/tracking.ts'
import type { CarrierCall } from '../../../src/operations/ports/carrier-calls.ts'
import { type FakeReply, startFake } from '../fakes/fake-carrier.ts'

const CANCELLED: CarrierCancelAnswer = { kind: 'cancelled', how: 'now' }
const ANNOUNCED: CarrierTrackAnswer = { kind: 'announced' }
const PARCEL = { accountId: 'acme', carrierCode: 'c', carrierRef: '1Z' }
const TICKET: CancelTicket = {
  ...PARCEL,
  ...{ attemptId: 'attempt-1', shipmentId: 'shp_1', fence: 1, sends: 1, ageMs: 0 },
}

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function urlOf(answer: () => FakeReply): Promise<string> {
  const fake = await startFake(answer)
  closing.push(fake.close)
  return fake.baseUrl
}

function recordingGateway(connector: Partial<Connector>, { timeoutMs = 8_000, fails = false } = {}) {
  const calls: CarrierCall[] = []
  const gateway = carrierGateway(
    {
      connectorOf: () => ({ cancel: async () => CANCELLED, ...connector }),
      channelOf: (carrierCode) => ({ key: carrierCode }),
      cancelsEachParcel: () => false,
      canLookUp: () => true,
      lookupLagMs: () => 60_000,
    },
    {
      timeoutMs,
      record: (call) => {
        calls.push(call)
        if (fails) throw new Error('cannot be kept')
      },
    },
  )
  return { gateway, calls }
}

describe('the record of a call', () => {
  test('has the attempt, the time, every request with its reply, and the answer', async () => {
    const replies: FakeReply[] = [
      { status: 500, body: { errors: [{ code: 'X' }] }, headers: { 'correlation-id': 'c-1' } },
      { status: 200, body: { voided: true }, headers: { 'correlation-id': 'c-2' } },
    ]
    const url = await urlOf(() => replies.shift() ?? 'cut')
    const { gateway, calls } = recordingGateway({
      cancel: async ({ carrierRef }, signal) => {
        await exchange({ method: 'POST', url: `${url}/void/${carrierRef}`, body: { reason: 'A' } }, signal)
        await exchange({ method: 'GET', url: `${url}/state/${carrierRef}` }, signal)
        return CANCELLED
      },
    })
    expect(await gateway.cancel(TICKET)).toEqual(CANCELLED)
    const sent = { durationMs: expect.any(Number), request: null }
    expect(calls).toEqual([
      {
        ...{ purpose: 'cancel', carrierCode: 'c', accountId: 'acme', subject: '1Z', attemptId: 'attempt-1' },
        ...{
          begunAt: expect.stringMatching(/^20.*Z$/),
          durationMs: expect.any(Number),
          outcome: 'cancelled',
        },
        exchanges: [
          {
            ...{ ...sent, method: 'POST', url: `${url}/void/1Z`, status: 500 },
            ...{ carrierIds: { 'Correlation-Id': 'c-1' } },
            ...{ request: '{"reason":"A"}', reply: '{"errors":[{"code":"X"}]}' },
          },
          {
            ...{ ...sent, method: 'GET', url: `${url}/state/1Z`, status: 200 },
            ...{ carrierIds: { 'Correlation-Id': 'c-2' }, reply: '{"voided":true}' },
          },
        ],
      },
    ])
  })

  test('names the parcel that is cancelled, not the one that the circuit counts', async () => {
    const { gateway, calls } = recordingGateway({})
    const [first, second] = ['1Z', '2Z'].map((carrierRef) => ({ carrierRef, isCancelled: false, unsent: 0 }))
    await gateway.cancel({ ...TICKET, carrierRef: '2Z', parcels: [first!, second!] })
    expect(calls).toMatchObject([{ subject: '2Z', exchanges: [] }])
  })

  test('of a request without a reply says why', async () => {
    const url = await urlOf(() => 'cut')
    const { gateway, calls } = recordingGateway({
      cancel: async (_request, signal) => {
        await exchange({ method: 'DELETE', url }, signal)
        return CANCELLED
      },
    })
    await gateway.cancel(TICKET)
    expect(calls).toMatchObject([
      {
        ...{ outcome: 'unknown', cause: 'UND_ERR_SOCKET' },
        exchanges: [{ method: 'DELETE', status: null, fault: 'UND_ERR_SOCKET', reply: null }],
      },
    ])
  })

  test('of a request that never left has no status', async () => {
    const fake = await startFake(() => 'cut')
    await fake.close()
    const { gateway, calls } = recordingGateway({
      track: async (_carrierRef, signal) => {
        await exchange({ method: 'GET', url: fake.baseUrl }, signal)
        return ANNOUNCED
      },
    })
    await gateway.track(PARCEL)
    expect(calls).toMatchObject([
      {
        ...{ purpose: 'lookup', outcome: 'not_sent', cause: 'ECONNREFUSED' },
        exchanges: [{ status: null, fault: 'ECONNREFUSED' }],
      },
    ])
    expect(calls[0]).not.toHaveProperty('attemptId')
  })

  test('of routine tracking has no bodies', async () => {
    const url = await urlOf(() => ({ status: 200, body: { state: 'announced' } }))
    const { gateway, calls } = recordingGateway({
      track: async (_carrierRef, signal) => {
        await exchange({ method: 'GET', url }, signal)
        return ANNOUNCED
      },
    })
    await gateway.trackMany([PARCEL])
    expect(calls).toMatchObject([{ purpose: 'tracking', exchanges: [{ status: 200, reply: null }] }])
  })

  test('of a lookup for a decision has the reply', async () => {
    const url = await urlOf(() => ({ status: 404, body: '<html>' }))
    const { gateway, calls } = recordingGateway({
      track: async (_carrierRef, signal) => {
        const { status } = await exchange({ method: 'GET', url }, signal)
        return unknown(`HTTP ${status}`)
      },
    })
    await gateway.track(PARCEL)
    expect(calls).toMatchObject([
      { cause: 'HTTP 404', exchanges: [{ status: 404, reply: '[text of 6 characters]' }] },
    ])
  })
})

test('a record that cannot be kept does not change the answer', async () => {
  const { gateway, calls } = recordingGateway({}, { fails: true })
  expect(await gateway.cancel(TICKET)).toEqual(CANCELLED)
  expect(calls).toHaveLength(1)
})
