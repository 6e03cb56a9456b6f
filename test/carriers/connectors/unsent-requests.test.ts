/**
 * Cancellations whose first requests never reached the carrier, played to their end: the operation, the sweeper, the
 * gateway and the connectors, against the fakes. The carrier's first reply is then "unknown parcel". It must not be
 * taken for "already cancelled".
 */
import { afterEach, describe, expect, test } from 'vitest'
import type { Connector } from '../../../src/carriers/connector.ts'
import { carrierGateway } from '../../../src/carriers/gateway/gateway.ts'
import { CONNECTORS } from '../../../src/carriers/registry.ts'
import { TokenError, type TokenLimiter } from '../../../src/carriers/token-source.ts'
import type { ConnectorName } from '../../../src/core/connector-names.ts'
import { bookShipment } from '../../../src/operations/book-shipment.ts'
import { cancelShipment } from '../../../src/operations/cancel-shipment.ts'
import { sweep } from '../../../src/operations/sweep/sweep.ts'
import type { StoredShipment } from '../../operations/shipment-memory.ts'
import { aShipment, shipmentWorld } from '../../operations/shipment-world.ts'
import { DHL_CREDENTIALS, startDhlParcelFake } from '../fakes/dhl-parcel-de.ts'
import { type FakeCarrier, startFake } from '../fakes/fake-carrier.ts'
import { FEDEX_CREDENTIALS, fedexError, startFedexFake } from '../fakes/fedex.ts'
import { GLS_CREDENTIALS, startGlsFake } from '../fakes/gls-shipit.ts'
import { startUpsFake, UPS_CREDENTIALS } from '../fakes/ups.ts'

const ACME = { accountId: 'acme' }
const UNAVAILABLE = { kind: 'ShipmentNotCancelled', code: 'CARRIER_UNAVAILABLE', retryable: true }
const REFUSED = { kind: 'ShipmentNotCancelled', code: 'CARRIER_REFUSED' }

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function opened<Fake extends FakeCarrier>(fake: Promise<Fake>): Promise<Fake> {
  const { close } = await fake
  closing.push(close)
  return fake
}

/** FedEx without any parcel. */
async function startFedex(): Promise<FakeCarrier> {
  const fake = await startFedexFake()
  fake.answerWith(fedexError(400, 'TRACKINGNUMBER.NOT.FOUND', 'Tracking number not found'))
  return fake
}

/** The URL of a port that refuses connections. */
async function closedUrl(): Promise<string> {
  const { baseUrl, close } = await startFake(() => 'cut')
  await close()
  return baseUrl
}

/** A shipment whose carrier is reached through the real gateway. `connect` replaces the connector. */
function worldOf(connector: Connector, shipment: Partial<StoredShipment>) {
  let current = connector
  const gateway = carrierGateway({
    connectorOf: () => current,
    channelOf: (carrierCode) => ({ key: carrierCode }),
    cancelsEachParcel: () => shipment.parcelRefs !== undefined,
    canLookUp: () => true,
    lookupLagMs: () => 60_000,
  })
  const { admit, book, track, cancelsEachParcel } = gateway
  const world = shipmentWorld(
    [aShipment(shipment)],
    (ticket, terms) => gateway.cancel(ticket, 'caller', terms),
    { admit, book, track, cancelsEachParcel },
  )
  const ports = world.process()
  return {
    ...world,
    ports,
    connect(other: Connector) {
      current = other
    },
    cancel: () => cancelShipment(ports, ACME, 'shp_1', world.policy),
    /** Opens the attempt as if the caller's token had expired after the admission. */
    async cancelAdmitted() {
      const admitted = { ...ports.carriers, admit: async () => ({ kind: 'admitted', leave() {} }) as const }
      return cancelShipment({ ...ports, carriers: admitted }, ACME, 'shp_1', world.policy)
    },
    async sweep(rounds: number) {
      for (let round = 0; round < rounds; round += 1) {
        world.pass(300_000)
        await sweep(ports, world.policy)
        await ports.inFlight.drain()
      }
    },
  }
}

const WITH_TOKENS: readonly (readonly [
  ConnectorName,
  Record<string, string>,
  string,
  () => Promise<FakeCarrier>,
])[] = [
  ['gls-shipit', GLS_CREDENTIALS, 'ABCD1234', startGlsFake],
  ['ups', UPS_CREDENTIALS, '1Z0000000000000001', startUpsFake],
  ['fedex', FEDEX_CREDENTIALS, '794953555571', startFedex],
]

describe.each(WITH_TOKENS)('%s', (name, credentials, carrierRef, start) => {
  const connectTo = (baseUrl: string, tokenLimiter?: TokenLimiter) =>
    CONNECTORS[name].open({ baseUrl, credentials, ...(tokenLimiter !== undefined && { tokenLimiter }) })

  test('answers that nothing was sent while there is no token, and records nothing', async () => {
    const outage = await opened(startFake(() => ({ status: 503 })))
    const world = worldOf(connectTo(outage.baseUrl), { carrierRef })
    expect(await world.cancel()).toMatchObject(UNAVAILABLE)
    expect([world.attempts, world.asked]).toEqual([[], []])
    const fake = await opened(start())
    world.connect(connectTo(fake.baseUrl))
    expect(await world.cancel()).toMatchObject(REFUSED)
    expect(world.attempts).toMatchObject([{ phase: 'refused', sends: 1 }])
  })

  test.each<[string, () => Promise<Connector>]>([
    [
      'an outage of the token endpoint',
      async () => connectTo((await opened(startFake(() => ({ status: 503 })))).baseUrl),
    ],
    [
      'rejected credentials',
      async () => connectTo((await opened(startFake(() => ({ status: 401 })))).baseUrl),
    ],
    ['a refused port', async () => connectTo(await closedUrl())],
    ['a failure of name resolution', async () => connectTo('http://carrier.invalid')],
    [
      'our own limit of token requests',
      async () =>
        connectTo('http://127.0.0.1:9', { enter: () => Promise.reject(new TokenError('too many')) }),
    ],
  ])('refuses an unknown parcel after %s, without a lookup', async (_name, broken) => {
    const world = worldOf(await broken(), { carrierRef })
    expect(await world.cancelAdmitted()).toMatchObject({ kind: 'CancellationPending' })
    await world.sweep(3)
    expect(world.attempts).toMatchObject([{ phase: 'pending', sends: 0 }])
    const fake = await opened(start())
    world.connect(connectTo(fake.baseUrl))
    await world.sweep(1)
    expect(world.shipments.get('shp_1')).toMatchObject({ state: 'booked' })
    expect(world.attempts).toMatchObject([{ phase: 'refused', sends: 1 }])
    expect(world.lookups).toEqual([])
  })
})

describe('dhl-parcel-de', () => {
  const NUMBER = '00340434161094042557'
  const connectTo = (baseUrl: string) =>
    CONNECTORS['dhl-parcel-de'].open({ baseUrl, credentials: DHL_CREDENTIALS })

  test.each([
    ['a refused port', closedUrl],
    ['a failure of name resolution', async () => 'http://carrier.invalid'],
  ])('refuses an unknown parcel after %s', async (_name, brokenUrl) => {
    const world = worldOf(connectTo(await brokenUrl()), { carrierRef: NUMBER })
    expect(await world.cancel()).toMatchObject({ kind: 'CancellationPending' })
    await world.sweep(3)
    const fake = await opened(startDhlParcelFake())
    world.connect(connectTo(fake.baseUrl))
    await world.sweep(1)
    expect(world.shipments.get('shp_1')).toMatchObject({ state: 'booked' })
    expect(world.attempts).toMatchObject([{ phase: 'refused', sends: 1 }])
    expect(await world.cancel()).toMatchObject(REFUSED)
  })

  test('still takes an unknown parcel for a cancelled one if a request may have arrived before', async () => {
    const cut = await opened(startFake(() => 'cut'))
    const world = worldOf(connectTo(cut.baseUrl), { carrierRef: NUMBER })
    expect(await world.cancel()).toMatchObject({ kind: 'CancellationPending' })
    world.connect(connectTo(await closedUrl()))
    await world.sweep(3)
    expect(world.attempts).toMatchObject([{ phase: 'pending', sends: 1 }])
    const fake = await opened(startDhlParcelFake())
    world.connect(connectTo(fake.baseUrl))
    await world.sweep(1)
    expect(world.shipments.get('shp_1')).toMatchObject({ state: 'cancelled' })
  })

  test('does not count requests for several parcels that never left', async () => {
    const parcelRefs = [NUMBER, '00340434161094042564', '00340434161094042571']
    const world = worldOf(connectTo(await closedUrl()), { carrierRef: NUMBER, parcelRefs })
    expect(await world.cancel()).toMatchObject({ kind: 'CancellationPending' })
    await world.sweep(3)
    expect(world.attempts).toMatchObject([{ phase: 'pending', sends: 0 }])
    const fake = await opened(startDhlParcelFake())
    world.connect(connectTo(fake.baseUrl))
    await world.sweep(1)
    expect(world.shipments.get('shp_1')).toMatchObject({ state: 'booked' })
    expect(world.shipments.get('shp_1')?.cancelledRefs ?? []).toEqual([])
    expect(world.attempts).toMatchObject([{ phase: 'refused', sends: 1 }])
  })
})

test('a booking that never left is not recorded, and its draft is unchanged', async () => {
  const connector = CONNECTORS.sandbox.open({ baseUrl: await closedUrl(), credentials: {} })
  const { carrierRef: _, ...draft } = aShipment({ state: 'draft' })
  const world = worldOf(connector, { ...draft })
  world.shipments.set('shp_1', draft)
  expect(await bookShipment(world.ports, ACME, 'shp_1', world.policy)).toMatchObject({
    ...{ kind: 'ShipmentNotBooked', code: 'CARRIER_UNAVAILABLE', retryable: true },
  })
  expect(world.shipments.get('shp_1')).toMatchObject({ state: 'draft', bookingTries: 0 })
  expect(world.shipments.get('shp_1')).not.toHaveProperty('bookingUntil')
})
