/**
 * Limits of carriers, seen through the gateway: rejected credentials, `Retry-After`, quotas of lookups, and batches.
 * The tests control the clock.
 */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { BatchParcel, Connector, ManyTracked, TrackingLimits } from '../../../src/carriers/connector.ts'
import { unknown } from '../../../src/carriers/connectors/judgement.ts'
import type { CarrierChannel } from '../../../src/carriers/gateway/channels.ts'
import { carrierGateway } from '../../../src/carriers/gateway/gateway.ts'
import { CONNECTORS, openCarriers } from '../../../src/carriers/registry.ts'
import { carrierSettings } from '../../../src/carriers/settings.ts'
import type { CarrierTrackAnswer } from '../../../src/core/shipments/tracking.ts'
import type { CarrierGateway } from '../../../src/operations/ports/carriers.ts'
import type { Alert } from '../../../src/operations/ports/ports.ts'
import { type FakeCarrier, startFake } from '../fakes/fake-carrier.ts'

const ANNOUNCED: CarrierTrackAnswer = { kind: 'announced' }
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** 08:00 UTC. */
const MORNING = Date.UTC(2026, 10, 23, 8)

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'Date'], now: MORNING })
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const parcel = (carrierRef: string, accountId = 'acme') => ({ accountId, carrierCode: 'c', carrierRef })

function ticket(carrierRef: string) {
  const attempt = { attemptId: 'key', shipmentId: 'shp_1', fence: 1, sends: 1, ageMs: 0 }
  return { ...attempt, ...parcel(carrierRef) }
}

/** A gateway to one connector. Every account has its own channel; all share the credentials of the lookups. */
function gatewayTo(
  connector: Partial<Connector>,
  tracking: TrackingLimits = {},
  alerts: Alert[] = [],
): CarrierGateway {
  const cancel = () => Promise.reject(new Error('not asked for'))
  const channelOf = (_code: string, accountId: string): CarrierChannel => ({
    ...{ key: accountId, accountId, tracking, trackingKey: 'lookups' },
  })
  const carriers = {
    connectorOf: () => ({ cancel, ...connector }),
    canLookUp: () => true,
    lookupLagMs: () => 0,
  }
  return carrierGateway(
    { ...carriers, channelOf, ...{ cancelsEachParcel: () => false } },
    { alert: (alert) => alerts.push(alert) },
  )
}

describe('a carrier that answers 401 for an hour', () => {
  let fake: FakeCarrier
  let alerts: Alert[]
  let gateway: CarrierGateway
  let isRejecting: boolean

  beforeEach(async () => {
    alerts = []
    isRejecting = true
    fake = await startFake(({ path }) => {
      if (path.endsWith('/token'))
        return { status: 200, body: { access_token: 'canary-token', expires_in: 14_400 } }
      return isRejecting ? { status: 401, body: {} } : { status: 503 }
    })
    const access = {
      baseUrl: fake.baseUrl,
      credentials: { clientId: 'canary-id', clientSecret: 'canary-secret' },
    }
    gateway = carrierGateway(
      openCarriers(() => 'ups', { sandboxUrl: undefined, settings: carrierSettings({ c: access }) }),
      { alert: (alert) => alerts.push(alert) },
    )
  })
  afterEach(() => fake.close())

  const requests = (isToken: boolean) =>
    fake.requests.filter(({ path }) => path.endsWith('/token') === isToken).length

  test('costs at most two token requests for sixty lookups at once', async () => {
    await Promise.all(Array.from({ length: 60 }, (_, number) => gateway.track(parcel(`P${number}`))))
    expect(requests(true)).toBeLessThanOrEqual(2)
  })

  test('costs a few token requests, opens the circuit, and raises one alert of each kind without secrets', async () => {
    for (let second = 0; second < 3_600; second += 10) {
      await gateway.track(parcel(`P${second}`))
      vi.advanceTimersByTime(10_000)
    }
    expect(requests(true)).toBeLessThanOrEqual(8)
    // 8 calls open the circuit. Then there are trials after 1, 2, 4, 8, 15, … minutes. A renewed token is tried as
    // well.
    expect(requests(false)).toBeLessThanOrEqual(24)
    expect(gateway.room('c', 'acme', 'lookup')).toBe(0)
    expect(alerts.map(({ kind, carrierCode }) => [kind, carrierCode])).toEqual([
      ['CARRIER_CONFIGURATION', 'c'],
      ['CIRCUIT_OPENED', 'c'],
    ])
    expect(JSON.stringify(alerts)).not.toContain('canary')
  })

  test('opens the circuit also if all calls are about one parcel', async () => {
    for (let number = 0; number < 8; number += 1) await gateway.track(parcel('P'))
    expect(await gateway.track(parcel('P'))).toMatchObject({ kind: 'not_sent' })
  })

  test('repeats the alert about the configuration after an hour', async () => {
    for (let minute = 0; minute < 130; minute += 1) {
      await gateway.track(parcel(`P${minute}`))
      vi.advanceTimersByTime(MINUTE_MS)
    }
    expect(alerts.filter(({ kind }) => kind === 'CARRIER_CONFIGURATION')).toHaveLength(3)
  })
})

test('a connector can report a fault of the configuration, which raises an alert and opens no circuit', async () => {
  const alerts: Alert[] = []
  const track = async () => unknown('HTTP 400 ACCOUNT.INVALID', { configuration: true })
  const gateway = gatewayTo({ track }, {}, alerts)
  for (let number = 0; number < 20; number += 1)
    expect(await gateway.track(parcel(`P${number}`))).toEqual({
      kind: 'unknown',
      cause: 'HTTP 400 ACCOUNT.INVALID',
    })
  expect(alerts).toEqual([
    {
      kind: 'CARRIER_CONFIGURATION',
      carrierCode: 'c',
      accountId: 'acme',
      detail: 'HTTP 400 ACCOUNT.INVALID',
    },
  ])
})

describe('a 429 with Retry-After', () => {
  const PAUSED = { kind: 'not_sent', cause: 'calls to this carrier are paused after several failures' }
  let retryAfter: string
  let fake: FakeCarrier
  let gateway: CarrierGateway
  let alerts: Alert[]

  beforeEach(async () => {
    alerts = []
    retryAfter = '600'
    fake = await startFake(({ method }) =>
      method === 'GET'
        ? { status: 429, headers: { 'retry-after': retryAfter } }
        : { status: 200, body: { status: 'cancelled' } },
    )
    gateway = carrierGateway(
      openCarriers(() => 'sandbox', {
        sandboxUrl: undefined,
        settings: carrierSettings({ c: { baseUrl: fake.baseUrl } }),
      }),
      { alert: (alert) => alerts.push(alert) },
    )
  })
  afterEach(() => fake.close())

  const lookups = () => fake.requests.filter(({ method }) => method === 'GET').length

  test('pauses calls of this kind until then, after one reply, and no other calls', async () => {
    expect(await gateway.track(parcel('P1'))).toEqual({ kind: 'unknown', cause: 'HTTP 429', status: 429 })
    vi.advanceTimersByTime(599_999)
    expect(await gateway.track(parcel('P2'))).toEqual(PAUSED)
    expect(await gateway.cancel(ticket('P1'))).toMatchObject({ kind: 'cancelled' })
    vi.advanceTimersByTime(1)
    expect(await gateway.track(parcel('P2'))).toMatchObject({ kind: 'unknown' })
    expect(lookups()).toBe(2)
    expect(alerts).toEqual([{ kind: 'CIRCUIT_OPENED', carrierCode: 'c', detail: 'HTTP 429' }])
  })

  test('for a few seconds raises no alert', async () => {
    retryAfter = '5'
    await gateway.track(parcel('P1'))
    expect(await gateway.track(parcel('P2'))).toEqual(PAUSED)
    expect(alerts).toEqual([])
  })

  test('pauses calls for at most a day', async () => {
    retryAfter = '999999999999'
    await gateway.track(parcel('P1'))
    vi.advanceTimersByTime(DAY_MS)
    await gateway.track(parcel('P1'))
    expect(lookups()).toBe(2)
  })

  test('that is malformed counts as one failure', async () => {
    retryAfter = 'soon'
    for (let number = 0; number < 9; number += 1) await gateway.track(parcel(`P${number}`))
    expect(lookups()).toBe(8)
  })
})

describe('a quota of lookups', () => {
  const LIMITS: TrackingLimits = { callsPerDay: 10, perParcelPerDay: 3 }
  let asked: string[]
  let alerts: Alert[]
  let answer: CarrierTrackAnswer
  let gateway: CarrierGateway

  beforeEach(() => {
    asked = []
    alerts = []
    answer = ANNOUNCED
    const track = async (carrierRef: string) => {
      asked.push(carrierRef)
      return answer
    }
    gateway = gatewayTo({ track }, LIMITS, alerts)
  })

  /** Routine tracking: one lookup if there is room. */
  async function routine(carrierRef: string): Promise<unknown> {
    if (gateway.trackingRoom('c', 'acme').calls === 0) return 'no room'
    const [result] = await gateway.trackMany([parcel(carrierRef)])
    return result
  }

  test('is spread over the day by routine tracking, which leaves a fifth of it', async () => {
    let looked = 0
    for (let minute = 0; minute < 24 * 60; minute += 5) {
      if ((await routine(`P${minute}`)) === ANNOUNCED) looked += 1
      vi.advanceTimersByTime(5 * MINUTE_MS)
    }
    // 8 a day, so one every three hours. The count is one lower at the reset in between.
    expect(looked).toBe(8)
    expect(asked).toHaveLength(8)
  })

  test('stops routine tracking until midnight UTC, with one alert, and then all lookups', async () => {
    for (let number = 0; number < 8; number += 1) await gateway.track(parcel(`D${number}`))
    expect(await routine('R')).toBe('no room')
    expect(alerts).toEqual([
      { kind: 'LOOKUP_QUOTA_USED', carrierCode: 'c', accountId: 'acme', detail: '8 of 10 calls' },
    ])
    for (const number of [8, 9]) expect(await gateway.track(parcel(`D${number}`))).toEqual(ANNOUNCED)
    expect(await gateway.track(parcel('D10'))).toEqual({
      kind: 'not_sent',
      cause: "the carrier's quota of lookups is used up until 00:00 UTC",
    })
    expect(asked).toHaveLength(10)
    vi.advanceTimersByTime(16 * HOUR_MS - 1)
    expect(await routine('R')).toBe('no room')
    vi.advanceTimersByTime(1)
    expect(await routine('R')).toEqual(ANNOUNCED)
    expect(await gateway.track(parcel('D10'))).toEqual(ANNOUNCED)
    expect(alerts).toHaveLength(1)
  })

  test('is used up when the carrier answers a routine lookup with 429', async () => {
    answer = { kind: 'unknown', cause: 'HTTP 429', status: 429 }
    await routine('R')
    vi.advanceTimersByTime(12 * HOUR_MS)
    expect(await routine('R')).toBe('no room')
    expect(alerts.map(({ kind }) => kind)).toEqual(['LOOKUP_QUOTA_USED'])
    vi.advanceTimersByTime(4 * HOUR_MS)
    answer = ANNOUNCED
    expect(await routine('R')).toEqual(ANNOUNCED)
  })

  test('is shared by channels whose lookups use the same credentials', async () => {
    expect(await routine('R')).toEqual(ANNOUNCED)
    expect(gateway.trackingRoom('c', 'globex')).toMatchObject({ key: 'lookups', calls: 0 })
  })

  test('also limits the lookups of each parcel', async () => {
    for (let number = 0; number < 3; number += 1) expect(await gateway.track(parcel('P'))).toEqual(ANNOUNCED)
    expect(await gateway.track(parcel('P'))).toEqual({
      kind: 'not_sent',
      cause: 'the carrier allows no further lookup of this parcel until 00:00 UTC',
    })
    expect(await gateway.track(parcel('Q'))).toEqual(ANNOUNCED)
    vi.advanceTimersByTime(16 * HOUR_MS)
    expect(await gateway.track(parcel('P'))).toEqual(ANNOUNCED)
  })

  test('is not touched by a call that is not sent, and the next call is the trial', async () => {
    const failing = gatewayTo(
      { track: async () => ({ kind: 'unknown', cause: 'HTTP 500', status: 500 }) },
      { callsPerDay: 9 },
    )
    for (let number = 0; number < 12; number += 1) await failing.track(parcel(`P${number}`))
    // The circuit is open after 8 calls, so the ninth is left.
    vi.advanceTimersByTime(2_000)
    expect(await failing.track(parcel('P'))).toMatchObject({ kind: 'unknown' })
    vi.advanceTimersByTime(4_000)
    expect(await failing.track(parcel('P'))).toMatchObject({ cause: expect.stringContaining('quota') })
  })
})

describe('a batch of lookups', () => {
  let asked: (readonly BatchParcel[])[]
  let reply: ManyTracked
  const track = async (): Promise<CarrierTrackAnswer> => ({ kind: 'cancelled' })
  const trackMany = async (parcels: readonly BatchParcel[]) => {
    asked.push(parcels)
    return reply
  }
  beforeEach(() => {
    asked = []
  })

  test('is one call, and returns the answers in the order of the parcels', async () => {
    reply = {
      kind: 'tracked',
      parcels: new Map<string, CarrierTrackAnswer>([
        ['B', { kind: 'cancelled' }],
        ['A', ANNOUNCED],
        ['D', { kind: 'scanned', scan: { eventId: 'e', at: 'never' } }],
      ]),
    }
    const gateway = gatewayTo({ track, trackMany }, { batch: 30 })
    expect(gateway.trackingRoom('c', 'acme').batch).toBe(30)
    const answers = await gateway.trackMany(['A', 'B', '..', 'C', 'A', 'D'].map((ref) => parcel(ref)))
    expect(answers).toEqual([
      ANNOUNCED,
      { kind: 'cancelled' },
      { kind: 'not_sent', cause: 'this parcel cannot be looked up now' },
      { kind: 'unknown', cause: 'missing in the reply' },
      ANNOUNCED,
      { kind: 'unknown', cause: 'unusable scan' },
    ])
    expect(asked.map((parcels) => parcels.map(({ carrierRef }) => carrierRef))).toEqual([
      ['A', 'B', 'C', 'D'],
    ])
  })

  test('that fails is unknown for every parcel, and counts as one failure and one call of the quota', async () => {
    reply = { kind: 'unknown', cause: 'HTTP 500', status: 500 }
    const gateway = gatewayTo({ track, trackMany }, { batch: 30, callsPerDay: DAY_MS })
    for (let round = 0; round < 7; round += 1) {
      expect(await gateway.trackMany([parcel(`A${round}`), parcel('B')])).toEqual([reply, reply])
      vi.advanceTimersByTime(2)
    }
    expect(gateway.trackingRoom('c', 'acme').calls).toBe(1)
    await gateway.trackMany([parcel('A8'), parcel('B')])
    vi.advanceTimersByTime(2)
    expect(gateway.trackingRoom('c', 'acme').calls).toBe(0)
    expect(asked).toHaveLength(8)
  })

  test('of one parcel is an ordinary lookup, as are all lookups of a carrier without batches', async () => {
    const gateway = gatewayTo({ track, trackMany }, { batch: 30 })
    expect(await gateway.trackMany([parcel('A')])).toEqual([{ kind: 'cancelled' }])
    expect(await gateway.trackMany([])).toEqual([])
    const single = gatewayTo({ track }, { batch: 30 })
    expect(single.trackingRoom('c', 'acme').batch).toBe(1)
    expect(await single.trackMany([parcel('A'), parcel('B')])).toEqual([
      { kind: 'cancelled' },
      { kind: 'cancelled' },
    ])
    expect(asked).toEqual([])
  })
})

describe('the limits of tracking', () => {
  const dhl = { apiKey: 'key', user: 'u', password: 'p' }
  const limitsOf = (entry: object, accountId = 'other') =>
    openCarriers(() => 'dhl-parcel-de', {
      sandboxUrl: undefined,
      settings: carrierSettings({ c: { baseUrl: 'http://x', credentials: dhl, ...entry } }),
    }).channelOf('c', accountId)

  test('are those of the connector, with the quota of the settings and the longer interval', () => {
    const connector = CONNECTORS['dhl-parcel-de'].tracking
    expect(limitsOf({}).tracking).toEqual(connector)
    expect(limitsOf({ tracking: { callsPerDay: 5_000, everyMinutes: 1 } }).tracking).toEqual({
      ...connector,
      callsPerDay: 5_000,
    })
    expect(limitsOf({ tracking: { everyMinutes: 1_440 } }).tracking).toEqual({
      ...connector,
      everyMs: DAY_MS,
    })
  })

  test('of DHL keep a parcel below ten lookups a day', () => {
    expect(DAY_MS / (CONNECTORS['dhl-parcel-de'].tracking?.everyMs ?? 0)).toBeLessThan(10)
  })

  test('belong to the credentials of the lookups, so accounts with one API key share them', () => {
    const accounts = {
      acme: { credentials: { user: 'of acme' } },
      globex: { credentials: { apiKey: 'of globex' } },
    }
    const [shared, acme, globex] = ['other', 'acme', 'globex'].map((account) =>
      limitsOf({ accounts }, account),
    )
    expect(acme?.key).not.toBe(shared?.key)
    expect(acme?.trackingKey).toBe(shared?.trackingKey)
    expect(globex?.trackingKey).not.toBe(shared?.trackingKey)
  })
})
