/** Random requests near the limits of a rate book: weights at band bounds, sides at limits, codes at ends of ranges. */
import type { RatesRequest } from '../../../src/core/rating/request.ts'
import { type Service, servicesIn } from '../../../src/core/rating/sender-service.ts'
import type { OracleSources } from '../oracle/rating/quote.ts'
import { ACCOUNTS } from './card.ts'
import { CARD_COUNTRIES, OTHER_COUNTRIES, randomPlace } from './places.ts'
import { type Dice, withoutUndefined } from './seeded-dice.ts'
import { randomInputs } from './services.ts'
import { DAYS, KILOGRAM_BOUNDS, SIDE_BOUNDS } from './surcharges.ts'

export type RandomCall = {
  readonly request: RatesRequest
  readonly date: string
  readonly accountId?: string
}

/** The figures at which prices of a rate book change, and its parcel types. */
export type Edges = {
  readonly grams: readonly number[]
  readonly sidesCm: readonly number[]
  readonly valuesCents: readonly number[]
  readonly types: readonly RatesRequest['parcelType'][]
  /** Those that a card offers. */
  readonly services: readonly Service[]
}

export function edgesOf({ cards }: OracleSources): Edges {
  const products = cards.flatMap((card) => card.products)
  const classes = cards.flatMap((card) => card.palletClasses)
  const distinct = (values: readonly (number | undefined)[]): number[] => [
    ...new Set(values.filter((value): value is number => value !== undefined && value > 0)),
  ]
  return {
    grams: distinct([
      ...cards.flatMap((card) => card.prices.map(({ upToGrams }) => upToGrams)),
      ...products.flatMap((terms) => [terms.maxUnitGrams, terms.maxShipmentGrams]),
      ...classes.map(({ maxGrams }) => maxGrams),
      ...KILOGRAM_BOUNDS.map((bound) => Math.round(Number(bound) * 1000)),
    ]),
    sidesCm: distinct([
      ...SIDE_BOUNDS,
      ...products.flatMap((terms) => [terms.maxLengthCm, terms.maxWidthCm, terms.maxHeightCm]),
      ...classes.flatMap((row) => [row.longSideCm, row.shortSideCm, row.maxHeightCm]),
    ]),
    valuesCents: distinct([
      ...cards.flatMap((card) => card.insurance.flatMap((row) => [row.freeCoverCents, row.maxValueCents])),
      ...products.map(({ maxInsuredCents }) => maxInsuredCents),
    ]),
    types: products.map(({ parcelType }) => parcelType),
    services: cards.flatMap((card) => card.services.map(({ service }) => service)),
  }
}

export function randomCall(dice: Dice, edges: Edges): RandomCall {
  const country = (): string => dice.pick(dice.chance(0.93) ? CARD_COUNTRIES : OTHER_COUNTRIES)
  const from = randomPlace(dice, country())
  const to = randomPlace(dice, dice.chance(0.3) ? from.country : country())
  const parcelType = edges.types.length === 0 ? 'NONDOC' : dice.pick(edges.types)
  const parcels = Array.from({ length: dice.pick([1, 1, 1, 2, 3]) }, () =>
    randomParcel(dice, parcelType, edges),
  )
  const units = parcels.reduce((sum, { count }) => sum + count, 0)
  const services =
    edges.services.length === 0
      ? undefined
      : dice.maybe(0.3, () => servicesIn(dice.some(edges.services, 1, 3)))
  const request: RatesRequest = withoutUndefined({
    from,
    to,
    parcelType,
    parcels,
    recipient: dice.pick(['individual', 'business'] as const),
    insuredValueCents: dice.maybe(0.3, () => randomValue(dice, edges, units)),
    services,
    serviceInputs: services && randomInputs(dice, services),
  })
  return withoutUndefined({
    request,
    date: dice.pick(DAYS),
    accountId: dice.maybe(0.6, () => dice.pick(ACCOUNTS)),
  })
}

function randomValue(dice: Dice, { valuesCents }: Edges, units: number): number {
  if (valuesCents.length === 0 || dice.chance(0.3)) return dice.pick([0, 1, 90_000, 123_456])
  return Math.max(0, dice.pick(valuesCents) * dice.pick([1, 1, units]) + dice.int(-1, 1))
}

function randomParcel(
  dice: Dice,
  parcelType: RatesRequest['parcelType'],
  { grams, sidesCm }: Edges,
): RatesRequest['parcels'][number] {
  const count = dice.chance(0.02) ? 300 : dice.pick([1, 1, 1, 2, 3, 7])
  if (parcelType === 'DOC')
    // Some documents have a weight.
    return {
      count,
      weightGrams: { 2: 501, 3: 20 }[count] ?? 0,
      lengthCm: 0,
      widthCm: 0,
      heightCm: 0,
      stackable: false,
    }
  // For a third of the rows, the total weight of all units is at an edge.
  const edge = dice.pick(grams) / (dice.chance(0.35) ? count : 1)
  const weight = dice.chance(0.6) ? edge : dice.int(100, parcelType === 'PALLET' ? 900_000 : 40_000)
  const heaviest = dice.chance(0.9) && parcelType === 'NONDOC' ? 31_500 : 1_200_000
  const steps = Math.round(Math.min(weight, heaviest) / 100) + (dice.chance(0.4) ? dice.int(-1, 1) : 0)
  const side = (): number =>
    dice.chance(0.5) ? dice.int(1, parcelType === 'PALLET' ? 125 : 70) : dice.pick(sidesCm) + dice.int(-1, 1)
  return {
    count,
    weightGrams: Math.max(1, steps) * 100,
    lengthCm: Math.max(1, side()),
    widthCm: Math.max(1, side()),
    heightCm: Math.max(1, side()),
    stackable: parcelType === 'PALLET' && dice.chance(0.5),
    ...(dice.chance(0.6) && { freightClassTenths: dice.pick([500, 775, 1000, 1000, 1250, 3000]) }),
  }
}

/** The same call with a heavier or larger row, a higher count, or one more row. */
export function enlarged(dice: Dice, call: RandomCall): RandomCall {
  const { parcels } = call.request
  const index = dice.int(0, parcels.length - 1)
  const row = parcels[index]!
  const isDocument = call.request.parcelType === 'DOC'
  const change = isDocument ? dice.pick(['count', 'row'] as const) : dice.pick(CHANGES)
  const more = dice.pick([1, 1, 5, 30])
  const larger = {
    weightGrams: { ...row, weightGrams: row.weightGrams + more * 100 },
    lengthCm: { ...row, lengthCm: row.lengthCm + more },
    widthCm: { ...row, widthCm: row.widthCm + more },
    heightCm: { ...row, heightCm: row.heightCm + more },
    count: { ...row, count: row.count + 1 },
    row,
  }[change]
  const rows = parcels.map((parcel, at) => (at === index ? larger : parcel))
  return { ...call, request: { ...call.request, parcels: change === 'row' ? [...rows, { ...row }] : rows } }
}

const CHANGES = ['weightGrams', 'weightGrams', 'lengthCm', 'widthCm', 'heightCm', 'count', 'row'] as const
