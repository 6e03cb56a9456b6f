/** Random services of a carrier, with every restriction, and combinations that are required or excluded. */
import type { ServiceRow } from '../../../src/core/rating/rate-card.ts'
import { SERVICES, type Service } from '../../../src/core/rating/sender-service.ts'
import { hasSlots, type ServiceInputs } from '../../../src/core/rating/service-inputs.ts'
import { CARD_COUNTRIES } from './places.ts'
import { type Dice, withoutUndefined } from './seeded-dice.ts'
import { KILOGRAM_BOUNDS } from './surcharges.ts'

/** `products` are the ids of the carrier's products, `zones` those of their zone charts. */
export function randomServices(
  dice: Dice,
  carrierCode: string,
  products: readonly number[],
  zones: readonly number[],
): readonly ServiceRow[] {
  // All products offer the first service with all others, so that these can require it.
  const [first, ...others] = dice.some(SERVICES, 0, 4)
  if (first === undefined) return []
  const row = (service: ServiceRow['service']): ServiceRow => {
    const method = dice.pick(['flat', 'flat', 'per_kg', 'pct'] as const)
    const minimumCents = method !== 'flat' && dice.chance(0.4) ? dice.int(1, 2000) : 0
    return withoutUndefined({
      ...{ carrierCode, service, method, name: `${service} of ${carrierCode}` },
      amount: dice.int(0, 2000),
      minimumCents,
      maximumCents: method !== 'flat' && dice.chance(0.3) ? minimumCents + dice.int(1, 1500) : undefined,
      per: method === 'pct' ? 'shipment' : dice.pick(['shipment', 'unit'] as const),
      fuelable: dice.chance(0.5),
      ...{ requires: [], excludes: [] },
    })
  }
  const restricted = (service: ServiceRow['service']): ServiceRow => {
    const grams = (chance: number): number | undefined =>
      dice.maybe(chance, () => Math.round(Number(dice.pick(KILOGRAM_BOUNDS)) * 1000))
    const [one, other] = [grams(0.3), grams(0.3)]
    return withoutUndefined({
      ...row(service),
      products: dice.maybe(0.3, () => dice.some(products, 1, 2)),
      fromCountries: dice.maybe(0.3, () => dice.some(CARD_COUNTRIES, 1, 5)),
      // Every restricted row has a restriction.
      toCountries: dice.some(CARD_COUNTRIES, 1, 6),
      zones: zones.length === 0 ? undefined : dice.maybe(0.3, () => dice.some(zones, 1, 3)),
      minShipmentGrams: one !== undefined && other !== undefined ? Math.min(one, other) : one,
      maxShipmentGrams: one !== undefined && other !== undefined ? Math.max(one, other) : undefined,
      maxUnitGrams: grams(0.2),
      ...inputLimits(dice, service),
      requires: dice.chance(0.2) ? [first] : [],
    })
  }
  const rows = others.flatMap((service) => [
    ...Array.from({ length: dice.pick([0, 1, 1, 2]) }, () => restricted(service)),
    { ...row(service), excludes: dice.chance(0.3) ? others.filter((other) => other !== service) : [] },
  ])
  return [row(first), ...rows.filter(({ toCountries }) => toCountries !== undefined || dice.chance(0.7))]
}

export const RANDOM_SLOTS = ['evening', '08:00-10:00'] as const

function inputLimits(dice: Dice, service: Service): Partial<ServiceRow> {
  if (hasSlots(service)) return withoutUndefined({ slot: dice.maybe(0.5, () => dice.pick(RANDOM_SLOTS)) })
  if (service === 'CASH_ON_DELIVERY')
    return withoutUndefined({ maxCollectedCents: dice.maybe(0.6, () => dice.pick([5_000, 20_000])) })
  if (service !== 'DANGEROUS_GOODS') return {}
  return withoutUndefined({
    unNumbers: dice.maybe(0.4, () => ['UN3480', 'UN3481']),
    refusedUnNumbers: dice.maybe(0.4, () => ['UN1203']),
  })
}

/** Undefined if the services take none. */
export function randomInputs(dice: Dice, services: readonly Service[]): ServiceInputs | undefined {
  const slots: Record<string, string> = {}
  for (const service of services)
    if (hasSlots(service) && dice.chance(0.5)) slots[service] = dice.pick(RANDOM_SLOTS)
  const inputs: ServiceInputs = withoutUndefined({
    slots: Object.keys(slots).length === 0 ? undefined : slots,
    cashOnDelivery: services.includes('CASH_ON_DELIVERY')
      ? { currency: 'EUR', hundredths: dice.pick([1, 4_999, 5_000, 5_001, 20_000, 20_001]) }
      : undefined,
    dangerousGoods: services.includes('DANGEROUS_GOODS')
      ? dice
          .some(['UN3480', 'UN1203', 'UN1950'], 1, 2)
          .map((unNumber) => ({ unNumber, limitedQuantity: dice.chance(0.5) }))
      : undefined,
  })
  return Object.keys(inputs).length === 0 ? undefined : inputs
}
