/** The audit: effects of carrier answers, limits on parallel lookups, and giving up. */
import { describe, expect, test } from 'vitest'
import type { NotSent } from '../../src/core/shipments/cancellation.ts'
import type { CarrierTrackAnswer } from '../../src/core/shipments/tracking.ts'
import { type AuditPorts, auditShipments } from '../../src/operations/audit/audit-shipments.ts'
import type { CarrierGateway } from '../../src/operations/ports/carriers.ts'
import type { Alert } from '../../src/operations/ports/ports.ts'
import type { Lookup, TrackingStore } from '../../src/operations/ports/recovery.ts'

const SCANNED: CarrierTrackAnswer = {
  kind: 'scanned',
  scan: { eventId: 'picked-up', at: '2026-11-20T09:00:00.000Z' },
}
const UNKNOWN: CarrierTrackAnswer = { kind: 'unknown', cause: 'HTTP 404', status: 404 }
const NOT_SET_UP: NotSent = { kind: 'not_sent', cause: 'this carrier is not configured' }
const LEFT_ALONE: NotSent = {
  kind: 'not_sent',
  cause: 'calls to this carrier are paused after several failures',
}

/** Booked shipments of a carrier with ascending ids. */
function booked(count: number, carrierCode = 'rondeel'): Lookup[] {
  return Array.from({ length: count }, (_, index) => {
    const shipmentId = `${carrierCode}-${String(index).padStart(4, '0')}`
    return { shipmentId, accountId: 'acme', carrierCode, carrierRef: `REF-${shipmentId}` }
  })
}

/** A store and carriers in memory; `track` returns the answer to a lookup. */
function world(
  shipments: readonly Lookup[],
  track: (lookup: Lookup) => Promise<CarrierTrackAnswer | NotSent> | CarrierTrackAnswer | NotSent,
  channelOf: CarrierGateway['channelOf'] = (carrierCode) => carrierCode,
) {
  const ordered = [...shipments].sort((a, b) => (a.shipmentId < b.shipmentId ? -1 : 1))
  const written: string[] = []
  const alerts: Alert[] = []
  const pages: number[] = []
  let room = 1
  const tracking: TrackingStore = {
    recordScan: async ({ carrierRef }) => {
      written.push(`scan ${carrierRef}`)
      return carrierRef.endsWith('stale') ? 'stale' : 'moved'
    },
    recordDelivery: async () => {},
    applyUnmatchedScans: async () => {},
    recordCancelledAtCarrier: async ({ shipmentId }) => {
      written.push(`cancelled ${shipmentId}`)
      return !shipmentId.endsWith('open')
    },
    bookedAfter: async ({ shipmentId }, size) => {
      const page = ordered.filter((one) => one.shipmentId > shipmentId).slice(0, size)
      pages.push(page.length)
      return page
    },
    forgetUnmatchedScans: async (ageMs) => {
      written.push(`forget ${ageMs / 86_400_000} days`)
      return 4
    },
  }
  const carriers: Pick<CarrierGateway, 'track' | 'room' | 'channelOf'> = {
    track: async (parcel) => track(parcel as Lookup),
    channelOf: channelOf,
    room: () => room,
  }
  const ports: AuditPorts = {
    tracking,
    carriers: carriers as CarrierGateway,
    alert: (alert) => void alerts.push(alert),
  }
  const setRoom = (slots: number): void => {
    room = slots
  }
  return { ports, written, alerts, pages, setRoom }
}

const NOTHING = { count: 0, first: [] }
const named = (shipmentId: string, carrierCode = 'rondeel'): Lookup => ({
  ...{ shipmentId, accountId: 'acme', carrierCode, carrierRef: `REF-${shipmentId}` },
})

describe('comparing booked shipments with their carriers', () => {
  const ANSWERS: Readonly<Record<string, CarrierTrackAnswer | NotSent>> = {
    waits: { kind: 'announced' },
    moved: SCANNED,
    stale: SCANNED,
    gone: { kind: 'cancelled' },
    open: { kind: 'cancelled' },
    silent: UNKNOWN,
    elsewhere: NOT_SET_UP,
  }
  const shipments = Object.keys(ANSWERS).map((name) => named(name, name === 'elsewhere' ? 'ups' : 'rondeel'))
  const answers = ({ shipmentId }: Lookup) => ANSWERS[shipmentId] ?? UNKNOWN

  test('records and counts the differences that it finds', async () => {
    const { ports, written, alerts } = world(shipments, answers)
    expect(await auditShipments(ports, { dryRun: false })).toEqual({
      dryRun: false,
      checked: 7,
      // Two of them: a scan of an earlier parcel, and a shipment that is left to its open attempt.
      unchanged: 3,
      inTransit: { count: 1, first: ['moved'] },
      cancelled: { count: 1, first: ['gone'] },
      unknown: { count: 1, first: [{ shipmentId: 'silent', carrierCode: 'rondeel', cause: 'HTTP 404' }] },
      notAsked: [{ carrierCode: 'ups', cause: 'this carrier is not configured', shipments: 1 }],
      silentCarriers: [],
      forgottenScans: 4,
    })
    expect([...written].sort()).toEqual([
      ...['cancelled gone', 'cancelled open', 'forget 30 days', 'scan REF-moved', 'scan REF-stale'],
    ])
    expect(alerts).toEqual([{ kind: 'CANCELLED_AT_CARRIER', carrierCode: 'rondeel', shipmentId: 'gone' }])
  })

  test('reports the differences but writes nothing in a dry run', async () => {
    const { ports, written, alerts } = world(shipments, answers)
    expect(await auditShipments(ports, { dryRun: true })).toMatchObject({
      ...{ dryRun: true, checked: 7, unchanged: 1, forgottenScans: 0 },
      ...{ inTransit: { count: 2 }, cancelled: { count: 2 }, unknown: { count: 1 } },
    })
    expect([written, alerts]).toEqual([[], []])
  })

  test.each<[string, number, (index: number) => CarrierTrackAnswer, readonly string[]]>([
    ['recognises none of a few parcels', 9, () => UNKNOWN, []],
    ['recognises none of many parcels', 10, () => UNKNOWN, ['rondeel']],
    ['rejects the credentials', 1, () => ({ kind: 'unknown', cause: 'HTTP 401', status: 401 }), ['rondeel']],
    [
      'fails on some lookups',
      20,
      (index) => (index === 0 ? SCANNED : { kind: 'unknown', cause: 'HTTP 503', status: 503 }),
      [],
    ],
  ])('reports a carrier as silent if it answered no lookup: it %s', async (_, count, answer, silent) => {
    let index = 0
    const { ports } = world(booked(count), () => answer(index++))
    expect((await auditShipments(ports, { dryRun: false })).silentCarriers).toEqual(silent)
  })

  test('reports no carrier as silent that recognises none of the parcels of a shipment', async () => {
    const [shipment] = booked(1)
    const { ports } = world([{ ...shipment!, parcelRefs: ['P1', 'P2'] }], () => UNKNOWN)
    expect(await auditShipments(ports, { dryRun: false })).toMatchObject({
      unknown: { count: 1, first: [{ cause: 'P1: HTTP 404; P2: HTTP 404' }] },
      silentCarriers: [],
    })
  })

  test('reports no carrier as silent that recognises only some of the parcels of a shipment', async () => {
    const [shipment] = booked(1)
    const { ports } = world([{ ...shipment!, parcelRefs: ['P1', 'P2'] }], ({ carrierRef }) =>
      carrierRef === 'P1' ? { kind: 'announced' } : UNKNOWN,
    )
    expect(await auditShipments(ports, { dryRun: false })).toMatchObject({
      unknown: { count: 1, first: [{ cause: 'P1: announced; P2: HTTP 404' }] },
      silentCarriers: [],
    })
  })

  test('finds nothing if no shipment is booked', async () => {
    const { ports } = world([], () => UNKNOWN)
    expect(await auditShipments(ports, { dryRun: false })).toEqual({
      ...{ dryRun: false, checked: 0, unchanged: 0, forgottenScans: 4 },
      ...{ inTransit: NOTHING, cancelled: NOTHING, unknown: NOTHING, notAsked: [], silentCarriers: [] },
    })
  })

  test('looks up each of many shipments once and lists the first twenty', async () => {
    const seen: string[] = []
    const { ports, pages } = world(booked(1_000), ({ shipmentId }) => {
      seen.push(shipmentId)
      return UNKNOWN
    })
    const { checked, unknown } = await auditShipments(ports, { dryRun: false })
    expect([checked, unknown.count, unknown.first.length]).toEqual([1_000, 1_000, 20])
    expect(new Set(seen).size).toBe(1_000)
    expect(seen).toHaveLength(1_000)
    expect(pages).toEqual([500, 500, 0])
  })
})

describe('the limits of an audit', () => {
  test('allow eight lookups at once per channel, and run all channels in parallel', async () => {
    const running = new Map<string, number>()
    const most = new Map<string, number>()
    let together = 0
    const { ports } = world([...booked(30), ...booked(30, 'veluwe'), ...booked(3, 'waal')], async (one) => {
      const now = (running.get(one.carrierCode) ?? 0) + 1
      running.set(one.carrierCode, now)
      most.set(one.carrierCode, Math.max(now, most.get(one.carrierCode) ?? 0))
      together = Math.max(
        together,
        [...running.values()].reduce((sum, count) => sum + count, 0),
      )
      await new Promise((resolve) => setTimeout(resolve, 2))
      running.set(one.carrierCode, (running.get(one.carrierCode) ?? 0) - 1)
      return { kind: 'announced' }
    })
    expect(await auditShipments(ports, { dryRun: false })).toMatchObject({ checked: 63, unchanged: 63 })
    expect(Object.fromEntries(most)).toEqual({ rondeel: 8, veluwe: 8, waal: 3 })
    expect(together).toBe(19)
  })

  test('make the audit wait for a carrier that is paused', async () => {
    let asked = 0
    const { ports, setRoom } = world(booked(20), () => {
      asked += 1
      setRoom(asked < 25 ? 0 : 1)
      return asked < 25 ? LEFT_ALONE : { kind: 'announced' }
    })
    expect(await auditShipments(ports, { dryRun: false })).toMatchObject({ unchanged: 20, notAsked: [] })
  })

  test('end the wait when the patience is used up, and count the rest as not asked', async () => {
    const { ports, setRoom } = world([...booked(20), ...booked(2, 'veluwe')], ({ carrierCode }) =>
      carrierCode === 'veluwe' ? { kind: 'announced' } : LEFT_ALONE,
    )
    setRoom(0)
    expect(await auditShipments(ports, { dryRun: false, patienceMs: 300 })).toMatchObject({
      unchanged: 2,
      notAsked: [{ carrierCode: 'rondeel', cause: LEFT_ALONE.cause, shipments: 20 }],
    })
  })

  test('keep slow lookups of one channel from delaying another channel of the same carrier', async () => {
    const shipments = booked(40).map((one, index) => ({
      ...{ ...one, accountId: index % 2 === 0 ? 'acme' : 'bravo' },
    }))
    let bravoEnds: () => void = () => {}
    const bravoEnded = new Promise<void>((resolve) => {
      bravoEnds = resolve
    })
    let left = 20
    const { ports } = world(
      shipments,
      async ({ accountId }) => {
        if (accountId === 'acme') await bravoEnded
        else if (--left === 0) bravoEnds()
        return { kind: 'announced' }
      },
      (_carrierCode, accountId) => accountId,
    )
    expect(await auditShipments(ports, { dryRun: false })).toMatchObject({ unchanged: 40 })
  })

  test('apply the patience to each paused channel separately', async () => {
    const asked = { acme: 0, bravo: 0 }
    const shipments = [
      ...booked(1).map((one) => ({ ...one, accountId: 'acme' as const })),
      ...booked(1, 'rondeel-later').map((one) => ({
        ...one,
        carrierCode: 'rondeel',
        accountId: 'bravo' as const,
      })),
    ]
    // Bravo is paused only after the audit has given up on acme. After three pauses it gives up on bravo too.
    const { ports } = world(
      shipments,
      async (lookup) => {
        const account = lookup.accountId as keyof typeof asked
        asked[account] += 1
        while (account === 'bravo' && asked.acme < 4) await new Promise((resolve) => setTimeout(resolve, 1))
        return account === 'acme' || asked.bravo < 3 ? LEFT_ALONE : { kind: 'announced' }
      },
      (_carrierCode, accountId) => accountId,
    )
    const carriers = {
      ...ports.carriers,
      room: (_code: string, account: string) => (account === 'acme' || asked.bravo < 3 ? 0 : 1),
    }
    expect(await auditShipments({ ...ports, carriers }, { dryRun: false, patienceMs: 300 })).toMatchObject({
      unchanged: 1,
      notAsked: [{ cause: LEFT_ALONE.cause, shipments: 1 }],
    })
    expect(asked).toEqual({ acme: 4, bravo: 3 })
  })

  test('stop the audit when the store is out of reach', async () => {
    let asked = 0
    const { ports } = world(booked(100), () => {
      asked += 1
      return SCANNED
    })
    const outage = new Error('gone')
    const broken = { ...ports.tracking, recordScan: async () => Promise.reject(outage) }
    await expect(auditShipments({ ...ports, tracking: broken }, { dryRun: false })).rejects.toBe(outage)
    expect(asked).toBeLessThanOrEqual(8)
  })
})
