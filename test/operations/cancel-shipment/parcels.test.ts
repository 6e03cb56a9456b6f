/**
 * Cancelling a shipment with several parcels at a carrier that numbers each of them: with a scripted carrier, and with
 * the connectors of GLS and DHL against their fakes.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Connector } from '../../../src/carriers/connector.ts'
import { carrierGateway } from '../../../src/carriers/gateway/gateway.ts'
import { CONNECTORS } from '../../../src/carriers/registry.ts'
import type { CarrierTrackAnswer } from '../../../src/core/shipments/tracking.ts'
import { cancelShipment } from '../../../src/operations/cancel-shipment.ts'
import type { CarrierGateway } from '../../../src/operations/ports/carriers.ts'
import { recordScans } from '../../../src/operations/record-scans.ts'
import { reportOverdue, sweep } from '../../../src/operations/sweep/sweep.ts'
import { DHL_CREDENTIALS, startDhlParcelFake } from '../../carriers/fakes/dhl-parcel-de.ts'
import type { FakeParcels, Script } from '../../carriers/fakes/fake-carrier.ts'
import { GLS_CREDENTIALS, startGlsFake } from '../../carriers/fakes/gls-shipit.ts'
import type { StoredShipment } from '../shipment-memory.ts'
import { aShipment, type CarrierReply, type Process, shipmentWorld } from '../shipment-world.ts'

const { 'gls-shipit': glsShipit, 'dhl-parcel-de': dhlParcelDe } = CONNECTORS

const ACME = { accountId: 'acme' }
const NUMBERS = ['P1', 'P2', 'P3']
const NOW: CarrierReply = { kind: 'cancelled', how: 'now' }
const ALREADY: CarrierReply = { kind: 'cancelled', how: 'already' }
const LATER: CarrierReply = { kind: 'cancelled', how: 'accepted' }
const RELEASED: CarrierReply = { kind: 'cancelled', how: 'released' }
const UNKNOWN: CarrierReply = { kind: 'unknown', cause: 'HTTP 503' }
const BUSY: CarrierReply = { kind: 'not_sent', cause: 'too many calls are running' }
const TOO_LATE: CarrierReply = { kind: 'refused', reason: 'WINDOW_CLOSED', code: 'X1', message: 'Too late' }
const PENDING = { kind: 'CancellationPending', code: 'CARRIER_UNREACHABLE' }
const CANCELLED = { kind: 'ShipmentCancelled', carrierNotified: true, labelMustBeDestroyed: false }
const THREE_HOURS_MS = 3 * 3_600_000

type World = ReturnType<typeof shipmentWorld>

/** A shipment with three parcels. Each parcel gets its replies in turn; the last one repeats. */
function threeParcels(
  replies: Readonly<Record<string, readonly CarrierReply[]>>,
  gateway: Partial<CarrierGateway> = {},
) {
  const calls = new Map<string, number>()
  const carrier = async ({ carrierRef }: { carrierRef: string }): Promise<CarrierReply> => {
    const list = replies[carrierRef] ?? [NOW]
    const call = calls.get(carrierRef) ?? 0
    calls.set(carrierRef, call + 1)
    return list[Math.min(call, list.length - 1)] ?? NOW
  }
  const stored = aShipment({ carrierRef: 'P1', parcelRefs: NUMBERS })
  const world = shipmentWorld([stored], carrier, { cancelsEachParcel: () => true, ...gateway })
  const ports = world.process()
  const shipment = world.shipments.get('shp_1') as StoredShipment
  const cancel = () => cancelShipment(ports, ACME, 'shp_1', world.policy)
  const sent = () => world.asked.map(({ carrierRef, sends }) => `${carrierRef} ${sends}`)
  return { world, ports, shipment, cancel, sent }
}

async function round(world: World, ports: Process): Promise<void> {
  await sweep(ports, world.policy)
  await ports.inFlight.drain()
}

describe('a shipment with three parcels', () => {
  test('is cancelled once all parcels are, with a key for each', async () => {
    const { world, shipment, cancel, sent } = threeParcels({ P2: [ALREADY] })
    expect(await cancel()).toMatchObject(CANCELLED)
    expect([shipment.state, sent()]).toEqual(['cancelled', ['P1 1', 'P2 1', 'P3 1']])
    expect(world.keys).toEqual(['attempt-1-1', 'attempt-1-2', 'attempt-1-3'])
    expect(world.attempts[0]).not.toHaveProperty('verifyAt')
  })

  test('is verified a day later if the carrier accepted a parcel for later', async () => {
    const { world, cancel } = threeParcels({ P2: [LATER] })
    expect(await cancel()).toMatchObject(CANCELLED)
    expect(world.attempts[0]?.verifyAt).toBe(world.policy.verifyAcceptedAfterMs)
  })

  test('is asked for once at a carrier that cancels whole shipments', async () => {
    const { world, cancel } = threeParcels({}, { cancelsEachParcel: () => false })
    expect(await cancel()).toMatchObject(CANCELLED)
    expect([world.asked.map(({ carrierRef }) => carrierRef), world.keys]).toEqual([['P1'], ['attempt-1']])
  })

  test('is refused if the carrier refuses all parcels', async () => {
    const { shipment, cancel } = threeParcels({ P1: [TOO_LATE], P2: [TOO_LATE], P3: [TOO_LATE] })
    expect(await cancel()).toMatchObject({
      ...{ kind: 'ShipmentNotCancelled', code: 'CARRIER_REFUSED' },
      refusal: { code: 'WINDOW_CLOSED', reason: 'Too late' },
    })
    expect(shipment.state).toBe('booked')
  })

  test('is refused if a parcel is refused and the others only released', async () => {
    const { shipment, cancel } = threeParcels({ P1: [RELEASED], P2: [TOO_LATE], P3: [RELEASED] })
    expect(await cancel()).toMatchObject({ code: 'CARRIER_REFUSED' })
    expect(shipment.cancelledRefs).toBeUndefined()
  })

  test('is asked for again only where the carrier did not answer', async () => {
    const { world, ports, shipment, cancel, sent } = threeParcels({ P2: [UNKNOWN, ALREADY] })
    expect(await cancel()).toMatchObject(PENDING)
    world.pass(60_000)
    await round(world, ports)
    expect([shipment.state, sent()]).toEqual(['cancelled', ['P1 1', 'P2 1', 'P3 1', 'P2 2']])
    expect(world.keys.at(-1)).toBe('attempt-1-2')
  })

  test('counts no send for a parcel that got no slot', async () => {
    const { world, ports, shipment, cancel, sent } = threeParcels({
      P2: [BUSY, TOO_LATE],
      P3: [UNKNOWN, TOO_LATE],
    })
    expect(await cancel()).toMatchObject(PENDING)
    world.pass(60_000)
    await round(world, ports)
    // The second send for P3 is the second one for it, so its refusal is in doubt. That of P2 is final.
    expect(sent()).toEqual(['P1 1', 'P2 1', 'P3 1', 'P2 1', 'P3 2'])
    expect(world.attempts[0]?.parcels).toMatchObject({ P2: { refusal: TOO_LATE }, P3: { doubt: TOO_LATE } })
    expect(shipment.state).toBe('booked')
  })

  test('is not asked for again before the time that the carrier sets', async () => {
    const wait: CarrierReply = { kind: 'unknown', cause: 'not listed', repeatAfterMs: 900_000 }
    const { world, ports, shipment, cancel, sent } = threeParcels({ P2: [wait, ALREADY] })
    expect(await cancel()).toMatchObject(PENDING)
    world.pass(600_000)
    await round(world, ports)
    expect(await cancel()).toMatchObject(PENDING)
    expect(sent()).toEqual(['P1 1', 'P2 1', 'P3 1'])
    world.pass(300_000)
    await round(world, ports)
    expect([shipment.state, sent().length]).toEqual(['cancelled', 4])
  })

  test('keeps the sends of all parcels while an older version has a doubt about the shipment', async () => {
    const replies = [UNKNOWN, BUSY, BUSY, BUSY, TOO_LATE]
    const { world, ports, cancel } = threeParcels({ P1: [UNKNOWN], P2: replies, P3: replies })
    expect(await cancel()).toMatchObject(PENDING)
    // The older version sends the first number again, and its refusal is in doubt.
    const [attempt] = world.attempts
    if (attempt === undefined || TOO_LATE.kind !== 'refused') throw new Error('no attempt')
    Object.assign(attempt, { sends: 2, doubt: { refusal: TOO_LATE, at: world.now() } })
    for (let rounds = 0; rounds < 4; rounds += 1) {
      world.pass(20_000)
      await round(world, ports)
    }
    expect(attempt.parcels).toMatchObject({ P2: { doubt: TOO_LATE }, P3: { doubt: TOO_LATE } })
    expect(attempt).toMatchObject({ phase: 'pending', sends: 2 })
  })

  test('keeps the sends of a parcel without a slot while an older version has a doubt', async () => {
    const { world, ports, cancel } = threeParcels({
      ...{ P1: [UNKNOWN], P2: [UNKNOWN, BUSY, TOO_LATE], P3: [UNKNOWN] },
    })
    expect(await cancel()).toMatchObject(PENDING)
    const [attempt] = world.attempts
    if (attempt === undefined || TOO_LATE.kind !== 'refused') throw new Error('no attempt')
    Object.assign(attempt, { sends: 2, doubt: { refusal: TOO_LATE, at: world.now() } })
    for (let rounds = 0; rounds < 2; rounds += 1) {
      world.pass(20_000)
      await round(world, ports)
    }
    expect(attempt.parcels?.['P2']).toMatchObject({ doubt: TOO_LATE })
    expect(attempt.parcels?.['P2']).not.toHaveProperty('refusal')
  })

  test('is not asked for again if all parcels were cancelled before the process died', async () => {
    const { world, ports, shipment, sent } = threeParcels({})
    const dying = world.process()
    const { shipments } = dying
    const dead = {
      ...dying,
      shipments: { ...shipments, acceptCancellation: () => new Promise<never>(() => {}) },
    }
    void cancelShipment(dead, ACME, 'shp_1', world.policy)
    await world.until(() => shipment.cancelledRefs?.length === 3)
    world.pass(60_000)
    await round(world, ports)
    expect([shipment.state, sent()]).toEqual(['cancelled', ['P1 1', 'P2 1', 'P3 1']])
  })

  test('keeps every recorded parcel if the process dies between two of them', async () => {
    const { world, ports, shipment, sent } = threeParcels({ P2: [NOW, ALREADY] })
    const dying = world.process()
    const { shipments } = dying
    const recordParcel: typeof shipments.recordParcel = (ticket, carrierRef, result) =>
      carrierRef === 'P2' ? new Promise<never>(() => {}) : shipments.recordParcel(ticket, carrierRef, result)
    void cancelShipment({ ...dying, shipments: { ...shipments, recordParcel } }, ACME, 'shp_1', world.policy)
    await world.until(() => shipment.cancelledRefs?.length === 2)
    world.pass(60_000)
    await round(world, ports)
    expect([shipment.state, sent()]).toEqual(['cancelled', ['P1 1', 'P2 1', 'P3 1', 'P2 2']])
    expect(world.keys.filter((key) => key.endsWith('-2'))).toEqual(['attempt-1-2', 'attempt-1-2'])
  })
})

describe('a shipment of which one parcel cannot be cancelled', () => {
  test('stays pending with an alert, and nothing is sent again', async () => {
    const { world, ports, shipment, cancel, sent } = threeParcels({ P3: [TOO_LATE] })
    expect(await cancel()).toMatchObject(PENDING)
    const cause = '2 of 3 parcels cancelled; P3: refused (X1)'
    expect(ports.alerts).toEqual([
      { kind: 'PARTLY_CANCELLED', carrierCode: 'rondeel', shipmentId: 'shp_1', detail: cause },
    ])
    expect(world.attempts[0]).toMatchObject({ phase: 'pending', lastCause: cause })
    world.pass(10_000)
    expect(await cancel()).toMatchObject(PENDING)
    for (let lookups = 1; lookups <= 3; lookups += 1) {
      world.pass(THREE_HOURS_MS)
      await round(world, ports)
      expect(world.lookups.map(({ carrierRef }) => carrierRef)).toEqual(Array(lookups).fill('P3'))
    }
    expect([shipment.state, ports.alerts.length, sent()]).toEqual(['booked', 1, ['P1 1', 'P2 1', 'P3 1']])
    expect(world.attempts[0]?.sends).toBe(1)
  })

  test('raises the alert if the process dies before the round ends', async () => {
    const { world, ports, shipment } = threeParcels({ P3: [TOO_LATE] })
    const dying = world.process()
    const { shipments } = dying
    const dead = {
      ...dying,
      shipments: { ...shipments, releaseCancellation: () => new Promise<never>(() => {}) },
    }
    void cancelShipment(dead, ACME, 'shp_1', world.policy)
    await world.until(() => world.attempts[0]?.parcels?.['P3']?.refusal !== undefined)
    for (let rounds = 1; rounds <= 3; rounds += 1) {
      world.pass(60_000)
      await round(world, ports)
    }
    expect(shipment.state).toBe('booked')
    expect([dying.alerts, ports.alerts.map(({ kind }) => kind)]).toEqual([[], ['PARTLY_CANCELLED']])
  })

  test('repeats the alert if it is not known to have been raised, and then no more', async () => {
    const { world, ports } = threeParcels({ P3: [TOO_LATE] })
    const dying = world.process()
    const { shipments } = dying
    const dead = {
      ...dying,
      shipments: { ...shipments, recordPartAlert: () => new Promise<never>(() => {}) },
    }
    void cancelShipment(dead, ACME, 'shp_1', world.policy)
    await world.until(() => dying.alerts.length > 0)
    for (let rounds = 1; rounds <= 4; rounds += 1) {
      world.pass(rounds === 1 ? 60_000 : THREE_HOURS_MS)
      await round(world, ports)
    }
    expect([dying.alerts.length, ports.alerts.length]).toEqual([1, 1])
  })

  test('is refused once the carrier scans that parcel: no lookup follows, and no alert', async () => {
    const { world, ports, shipment, cancel } = threeParcels({ P3: [TOO_LATE] })
    expect(await cancel()).toMatchObject(PENDING)
    const at = '2026-11-02T08:00:00.000Z'
    await recordScans(ports, [{ carrierCode: 'rondeel', carrierRef: 'P3', eventId: 'e1', at }])
    expect([shipment.state, world.attempts[0]?.phase]).toEqual(['in_transit', 'refused'])
    world.pass(THREE_HOURS_MS)
    await round(world, ports)
    await reportOverdue(ports, world.policy)
    expect([world.lookups, ports.alerts.map(({ kind }) => kind)]).toEqual([[], ['PARTLY_CANCELLED']])
  })

  test('is refused in the next round if the parcel was scanned before the carrier refused it', async () => {
    const { world, ports, shipment, cancel } = threeParcels({ P3: [TOO_LATE] })
    const { recordParcel } = ports.shipments
    ports.shipments.recordParcel = (ticket, carrierRef, result) => {
      shipment.state = 'in_transit'
      return recordParcel(ticket, carrierRef, result)
    }
    expect(await cancel()).toMatchObject({ code: 'ALREADY_IN_TRANSIT' })
    world.pass(60_000)
    await round(world, ports)
    expect(world.attempts).toMatchObject([{ phase: 'refused', refusal: { code: 'WINDOW_CLOSED' } }])
  })

  test('is cancelled if the carrier cancels the parcel after all', async () => {
    let answer: CarrierTrackAnswer = { kind: 'announced' }
    const { world, ports, shipment, cancel } = threeParcels({ P3: [TOO_LATE] }, { track: async () => answer })
    expect(await cancel()).toMatchObject(PENDING)
    world.pass(60_000)
    await round(world, ports)
    expect(shipment.state).toBe('booked')
    answer = { kind: 'cancelled' }
    world.pass(THREE_HOURS_MS)
    await round(world, ports)
    expect([shipment.state, world.attempts[0]?.phase]).toEqual(['cancelled', 'accepted'])
    expect(await cancel()).toMatchObject({ ...CANCELLED, alreadyCancelled: true })
  })

  test('raises an alert if a parcel turns out to be cancelled after the attempt was refused', async () => {
    const { world, ports, shipment } = threeParcels({})
    const terms = { mayOpen: true, leaseMs: 1_000, refusalMemoryMs: 0 }
    const slow = world.process()
    const begun = slow.shipments.beginCancellation
    const paused: typeof begun = async (...given) => {
      const found = await begun(...given)
      if (found?.ticket === undefined) return found
      world.pass(terms.leaseMs)
      const other = (await ports.shipments.beginCancellation('acme', 'shp_1', terms))?.ticket
      if (other === undefined) throw new Error('no ticket')
      const refusal = { code: 'WINDOW_CLOSED', reason: 'Too late' } as const
      await ports.shipments.refuseCancellation(other, refusal, 'X1', undefined)
      return found
    }
    const policy = { ...world.policy, leaseMs: terms.leaseMs }
    await cancelShipment(
      { ...slow, shipments: { ...slow.shipments, beginCancellation: paused } },
      ACME,
      'shp_1',
      policy,
    )
    expect(slow.alerts.map(({ kind }) => kind)).toContain('PARTLY_CANCELLED')
    expect(shipment.cancelledRefs).toEqual(NUMBERS)
  })
})

describe('a process that is paused for longer than its lease', () => {
  test.each([true, false])('sends nothing (several parcels: %s)', async (several) => {
    const { world, ports, cancel: _cancel } = threeParcels({}, { cancelsEachParcel: () => several })
    const { beginCancellation } = ports.shipments
    const pausing: typeof beginCancellation = async (...given) => {
      const found = await beginCancellation(...given)
      if (found?.ticket !== undefined) world.pass(world.policy.leaseMs)
      return found
    }
    const paused = { ...ports, shipments: { ...ports.shipments, beginCancellation: pausing } }
    expect(await cancelShipment(paused, ACME, 'shp_1', world.policy)).toMatchObject(PENDING)
    expect([world.asked, world.attempts[0]?.sends]).toEqual([[], 0])
    world.pass(60_000)
    await round(world, ports)
    expect(world.shipments.get('shp_1')?.state).toBe('cancelled')
  })
})

describe('with the connector of a carrier', () => {
  let gls: Awaited<ReturnType<typeof startGlsFake>>
  let dhl: Awaited<ReturnType<typeof startDhlParcelFake>>
  beforeAll(async () => {
    gls = await startGlsFake()
    dhl = await startDhlParcelFake()
  })
  afterAll(() => Promise.all([gls.close(), dhl.close()]))

  const CARRIERS = {
    GLS: {
      fake: () => gls as { parcels: FakeParcels; baseUrl: string },
      open: (): Connector => glsShipit.open({ baseUrl: gls.baseUrl, credentials: GLS_CREDENTIALS }),
      numbers: ['YZ8YPH2Q', 'YZ8YPH2R', 'YZ8YPH2S'],
    },
    DHL: {
      fake: () => dhl as { parcels: FakeParcels; baseUrl: string },
      open: (): Connector => dhlParcelDe.open({ baseUrl: dhl.baseUrl, credentials: DHL_CREDENTIALS }),
      numbers: ['00340434161094042557', '00340434161094042558', '00340434161094042559'],
    },
  }

  function atCarrier(name: keyof typeof CARRIERS, scripts: readonly Script[]) {
    const { fake, open, numbers } = CARRIERS[name]
    const { parcels } = fake()
    const announced = numbers.map((number, index) => parcels.add(number, scripts[index]))
    const connector = open()
    const gateway = carrierGateway(
      {
        connectorOf: () => connector,
        channelOf: (key) => ({ key }),
        cancelsEachParcel: () => true,
        canLookUp: () => true,
        lookupLagMs: () => 60_000,
      },
      { timeoutMs: 2_000 },
    )
    const [carrierRef = ''] = numbers
    const world = shipmentWorld(
      [aShipment({ carrierRef, parcelRefs: numbers })],
      (ticket, terms) => gateway.cancel(ticket, 'background', terms),
      { ...gateway, cancelsEachParcel: () => true, room: () => 32 },
    )
    return { world, ports: world.process(), announced, numbers }
  }

  test.each([
    'GLS',
    'DHL',
  ] as const)('%s: one of three labels cannot be cancelled, also with lost replies', async (name) => {
    const { world, ports, announced, numbers } = atCarrier(name, ['reply-lost', 'scanned', 'ok'])
    expect(await cancelShipment(ports, ACME, 'shp_1', world.policy)).toMatchObject(PENDING)
    for (let minutes = 0; minutes < 30; minutes += 1) {
      world.pass(60_000)
      await round(world, ports)
    }
    const shipment = world.shipments.get('shp_1')
    expect(announced.map(({ state }) => state)).toEqual(['cancelled', 'scanned', 'cancelled'])
    expect(shipment?.cancelledRefs?.toSorted()).toEqual([numbers[0], numbers[2]])
    expect(shipment?.state).toBe('booked')
    expect(world.attempts).toMatchObject([{ phase: 'pending', lastCause: expect.stringContaining('2 of 3') }])
    expect(ports.alerts.map(({ kind }) => kind)).toEqual(['PARTLY_CANCELLED'])
    // One send for the parcels that answered; the lost reply is asked for again.
    expect(announced.map(({ cancelCalls }) => cancelCalls)).toEqual([2, 1, 1])
  })

  test.each([
    'GLS',
    'DHL',
  ] as const)('%s: three labels are cancelled although every reply is lost', async (name) => {
    const { world, ports, announced } = atCarrier(name, ['reply-lost', 'reply-lost', 'reply-lost'])
    expect(await cancelShipment(ports, ACME, 'shp_1', world.policy)).toMatchObject(PENDING)
    for (let minutes = 0; minutes < 30; minutes += 1) {
      world.pass(60_000)
      await round(world, ports)
    }
    expect(world.shipments.get('shp_1')?.state).toBe('cancelled')
    expect(announced.map(({ cancelCalls }) => cancelCalls)).toEqual([2, 2, 2])
  })
})
