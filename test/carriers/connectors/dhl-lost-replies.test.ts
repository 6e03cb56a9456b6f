/**
 * Cancellations at DHL whose first reply is lost, played to their end: the operation, the sweeper, the gateway and the
 * connector, against the fakes.
 */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { carrierGateway } from '../../../src/carriers/gateway/gateway.ts'
import { openCarriers } from '../../../src/carriers/registry.ts'
import type { ConnectorName } from '../../../src/core/connector-names.ts'
import { cancelShipment } from '../../../src/operations/cancel-shipment.ts'
import { sweep } from '../../../src/operations/sweep/sweep.ts'
import { aShipment, shipmentWorld } from '../../operations/shipment-world.ts'
import { EXPRESS_CREDENTIALS, expressShipment, startExpressFake } from '../fakes/dhl-express.ts'
import {
  DHL_CREDENTIALS,
  type DhlDialect,
  dhlEvent,
  shipments,
  startDhlParcelFake,
} from '../fakes/dhl-parcel-de.ts'

const ACME = { accountId: 'acme' }
const NUMBER = '00340434161094042557'
const EXPRESS = '1234567890'

const closing: (() => Promise<void>)[] = []
// 12:00 in Germany: an account closes its day later.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-24T11:00:00Z') }))
afterEach(async () => {
  vi.useRealTimers()
  for (const close of closing.splice(0)) await close()
})

/** A booked shipment whose carrier is reached through the real gateway. */
function worldOf(
  connector: ConnectorName,
  baseUrl: string,
  credentials: Record<string, string>,
  carrierRef: string,
) {
  const settings = new Map([['rondeel', { baseUrl, credentials, accounts: new Map() }]])
  const gateway = carrierGateway(openCarriers(() => connector, { sandboxUrl: undefined, settings }))
  const world = shipmentWorld([aShipment({ carrierRef })], (ticket) => gateway.cancel(ticket), {
    track: (parcel, timeoutMs) => gateway.track(parcel, timeoutMs),
  })
  const ports = world.process()
  return {
    state: () => world.shipments.get('shp_1')?.state,
    attempt: () => world.attempts[0],
    asked: world.asked,
    cancel: () => cancelShipment(ports, ACME, 'shp_1', world.policy),
    /** Runs rounds of the sweeper, five minutes apart. */
    async sweep(rounds = 1) {
      for (let round = 0; round < rounds; round += 1) {
        world.pass(300_000)
        await sweep(ports, world.policy)
        await ports.inFlight.drain()
      }
    },
  }
}

async function parcelDe(dialect: DhlDialect) {
  const fake = await startDhlParcelFake({ dialect })
  closing.push(() => fake.close())
  return { fake, world: worldOf('dhl-parcel-de', fake.baseUrl, DHL_CREDENTIALS, NUMBER) }
}

describe.each<DhlDialect>(['recorded', 'specification'])('DHL Parcel DE (%s)', (dialect) => {
  test('cancels a shipment whose first reply was lost', async () => {
    const { fake, world } = await parcelDe(dialect)
    fake.parcels.add(NUMBER, 'reply-lost')
    expect((await world.cancel()).kind).toBe('CancellationPending')
    await world.sweep()
    expect(world.state()).toBe('cancelled')
    expect(world.asked).toHaveLength(2)
    expect(await world.cancel()).toMatchObject({ kind: 'ShipmentCancelled', alreadyCancelled: true })
  })

  test('cancels it once the order lookup works again', async () => {
    const { fake, world } = await parcelDe(dialect)
    fake.parcels.add(NUMBER, 'reply-lost')
    await world.cancel()
    fake.orderWith({ status: 503 })
    await world.sweep(6)
    expect([world.state(), world.attempt()?.phase]).toEqual(['booked', 'pending'])
    fake.orderWith(undefined)
    await world.sweep()
    expect(world.state()).toBe('cancelled')
  })

  test('cancels it although tracking still has the announcement', async () => {
    const { fake, world } = await parcelDe(dialect)
    fake.parcels.add(NUMBER, 'reply-lost')
    fake.trackWith(shipments(NUMBER, [dhlEvent('pre-transit', '2026-11-19T18:00:00')]))
    await world.cancel()
    await world.sweep()
    expect(world.state()).toBe('cancelled')
  })

  test('refuses the cancellation of an order that was closed before a request arrived', async () => {
    const { fake, world } = await parcelDe(dialect)
    fake.parcels.add(NUMBER)
    fake.answerWith('cut')
    await world.cancel()
    fake.answerWith(undefined)
    fake.closeOrder(NUMBER, '2026-11-24')
    await world.sweep(3)
    expect([world.state(), world.attempt()?.phase]).toEqual(['booked', 'refused'])
  })

  test('leaves the attempt open while the manifests cannot be read', async () => {
    const { fake, world } = await parcelDe(dialect)
    fake.parcels.add(NUMBER, 'reply-lost')
    await world.cancel()
    fake.manifestWith({ status: 503 })
    await world.sweep(6)
    expect([world.state(), world.attempt()?.phase]).toEqual(['booked', 'pending'])
    fake.manifestWith(undefined)
    await world.sweep()
    expect(world.state()).toBe('cancelled')
  })

  test('refuses the cancellation of a scanned parcel whose order is gone', async () => {
    const { fake, world } = await parcelDe(dialect)
    fake.answerWith('cut')
    await world.cancel()
    fake.answerWith(undefined)
    fake.trackWith(shipments(NUMBER, [dhlEvent('transit', '2026-11-20T09:15:00')]))
    await world.sweep()
    expect([world.state(), world.attempt()?.phase]).toEqual(['booked', 'refused'])
  })

  test('refuses the cancellation of an unknown number at the first send', async () => {
    const { world } = await parcelDe(dialect)
    expect(await world.cancel()).toMatchObject({
      ...{ kind: 'ShipmentNotCancelled', code: 'CARRIER_REFUSED' },
      refusal: { code: 'UNKNOWN_PARCEL', reason: 'Unknown shipment number.' },
    })
    expect(world.asked).toHaveLength(1)
  })
})

describe('DHL Express', () => {
  async function express() {
    const fake = await startExpressFake()
    closing.push(() => fake.close())
    return { fake, world: worldOf('dhl-express', fake.baseUrl, EXPRESS_CREDENTIALS, EXPRESS) }
  }

  test('releases an unscanned shipment after a failed lookup', async () => {
    const { fake, world } = await express()
    fake.answerWith('cut')
    expect((await world.cancel()).kind).toBe('CancellationPending')
    fake.answerWith(expressShipment(EXPRESS, []))
    await world.sweep()
    expect(world.state()).toBe('cancelled')
  })

  test('neither refuses nor releases a shipment without data, until DHL knows it', async () => {
    const { fake, world } = await express()
    expect((await world.cancel()).kind).toBe('CancellationPending')
    await world.sweep(5)
    expect([world.state(), world.attempt()?.phase]).toEqual(['booked', 'pending'])
    fake.answerWith(expressShipment(EXPRESS, []))
    await world.sweep(2)
    expect(world.state()).toBe('cancelled')
  })
})
