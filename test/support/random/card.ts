/**
 * Random valid rate books as plain rows: one to three carriers, cards for everyone in several versions, contract cards
 * and dated fuel. Tables are small and varied, so that random requests hit their limits.
 */

import type { CardAudience } from '../../../src/core/rating/card-version.ts'
import type { ContractRow, DiscountRow, TurnoverRow } from '../../../src/core/rating/contract.ts'
import type { MarginRow } from '../../../src/core/rating/margin.ts'
import type { PriceCell } from '../../../src/core/rating/price-cell.ts'
import type {
  AreaTransitRow,
  CarrierRow,
  FuelRate,
  InsuranceBandRow,
  InsuranceRow,
  LaneTransitRow,
  PriceRow,
  ProductTerms,
  RateCardContent,
} from '../../../src/core/rating/rate-card.ts'
import { FUEL_UNITS } from '../../../src/core/rating/rate-card.ts'
import type { OracleCard, OracleSources } from '../oracle/rating/quote.ts'
import { randomAreas, randomCapitals, randomGroups, randomLanes } from './places.ts'
import {
  type ProductIdentity,
  randomMinimumWeights,
  randomPalletClasses,
  randomPrices,
  randomSizeClasses,
  randomTerms,
  randomTransit,
} from './products.ts'
import { type Dice, diceOf, withoutUndefined } from './seeded-dice.ts'
import { randomServices } from './services.ts'
import { DAYS, FUEL_CODES, randomSurcharges, randomValidity, SURCHARGE_CODES } from './surcharges.ts'

/** The accounts with random contracts. Some requests have no account. */
export const ACCOUNTS = ['acme', 'bolt'] as const

/** A random rate book. The same seed makes the same book. */
export function randomSources(seed: number): OracleSources {
  const dice = diceOf(seed)
  const carriers = randomCarriers(dice)
  const products = randomIdentities(dice, carriers)
  const shared = dice.chance(0.7) ? products : dice.some(products, 1, products.length)
  const cards: OracleCard[] = []
  // Two cards for everyone must not contain the same product.
  const split = dice.chance(0.3) ? dice.int(1, shared.length) : shared.length
  cards.push(...randomVersions(dice, 'list', 'everyone', shared.slice(0, split), carriers))
  if (split < shared.length)
    cards.push(...randomVersions(dice, 'extra', 'everyone', shared.slice(split), carriers))
  for (const code of dice.pick([[], ['agreed'], ['agreed', 'special']]))
    cards.push(...randomVersions(dice, code, 'contract', dice.some(products, 1, 6), carriers))
  const fuel = randomFuel(dice, carriers)
  const capitals = randomCapitals(dice)
  const contracts = randomContracts(dice, products, cards)
  if (dice.chance(0.6))
    cards.push(...randomVersions(dice, 'bought', 'cost', dice.some(products, 1, 6), carriers))
  const turnovers = randomTurnovers(dice, carriers)
  return { carriers, cards, fuel, capitals, contracts, turnovers, margins: randomMargins(dice, products) }
}

/** One to three carriers. */
export function randomCarriers(dice: Dice): readonly CarrierRow[] {
  return dice
    .some(['noord', 'zuid', 'west'], 1, 3)
    .map((code) => ({ code, name: `Carrier ${code}`, connector: 'sandbox' }))
}

/** One to six products of those carriers, most of one parcel type. */
export function randomIdentities(dice: Dice, carriers: readonly CarrierRow[]): readonly ProductIdentity[] {
  const main = dice.pick(['NONDOC', 'NONDOC', 'NONDOC', 'PALLET', 'PALLET', 'DOC'] as const)
  return Array.from({ length: dice.int(1, 6) }, (_, index) => ({
    productId: 1101 + index * dice.pick([1, 7]) * 10 + index,
    carrierCode: dice.pick(carriers).code,
    parcelType: dice.chance(0.85) ? main : dice.pick(['NONDOC', 'PALLET', 'DOC'] as const),
  })).filter(({ productId }, index, all) => all.findIndex((row) => row.productId === productId) === index)
}

function randomVersions(
  dice: Dice,
  code: string,
  audience: CardAudience,
  products: readonly ProductIdentity[],
  carriers: readonly CarrierRow[],
): readonly OracleCard[] {
  const versions = dice.pick([1, 1, 2, 3])
  return Array.from({ length: versions }, (_, index) => ({
    code,
    audience,
    versionNo: index + 1,
    ...(index === 0 && dice.chance(0.8) ? { validFrom: DAYS[0] } : randomValidity(dice)),
    ...randomContent(dice, index === 0 ? products : dice.some(products, 1, products.length), carriers),
  }))
}

function randomContent(
  dice: Dice,
  identities: readonly ProductIdentity[],
  carriers: readonly CarrierRow[],
): RateCardContent {
  const areaLists = dice.chance(0.3) ? ['', 'sea'] : ['']
  const sellers = carriers.filter(({ code }) => identities.some(({ carrierCode }) => carrierCode === code))
  const palletClasses = sellers.flatMap(({ code }) => randomPalletClasses(dice, code))
  const sizeClasses = sellers.flatMap(({ code }) => randomSizeClasses(dice, code))
  const charts = dice.chance(0.3) ? ['', 'sea'] : ['']
  const undeclared = identities.map((identity) => randomTerms(dice, identity, charts, areaLists))
  const prices = undeclared.flatMap((terms) => randomPrices(dice, terms, palletClasses, sizeClasses))
  const products = undeclared.map((terms) => (dice.chance(0.3) ? declared(terms, prices) : terms))
  const zoneCharts = charts.filter((chart) => products.some(({ zoneChart }) => zoneChart === chart))
  const countryGroups = zoneCharts.flatMap((chart) => randomGroups(dice, chart))
  const groupsOf = (chart: string): string[] => [
    ...new Set(countryGroups.filter(({ zoneChart }) => zoneChart === chart).map(({ group }) => group)),
  ]
  const pricedZones = (chart: string): number[] => {
    const ids = products.filter(({ zoneChart }) => zoneChart === chart).map(({ productId }) => productId)
    return [...new Set(prices.filter(({ productId }) => ids.includes(productId)).map(({ zone }) => zone))]
  }
  const lanes = zoneCharts.flatMap((chart) => randomLanes(dice, chart, groupsOf(chart), pricedZones(chart)))
  const insurance = sellers.filter(() => dice.chance(0.85)).map(({ code }) => randomInsurance(dice, code))
  const insuranceBands = insurance.flatMap((terms) => randomInsuranceBands(dice, terms))
  const banded = new Set(insuranceBands.map(({ carrierCode }) => carrierCode))
  const rules = { groups: [...new Set(countryGroups.map(({ group }) => group))] }
  return {
    products,
    countryGroups,
    lanes,
    prices,
    palletClasses,
    sizeClasses,
    minimumWeights: randomMinimumWeights(dice, products),
    areas: areaLists.flatMap((list) => randomAreas(dice, list)),
    areaTransit: randomAreaTransit(dice, sellers),
    surcharges: sellers.flatMap(({ code }) => {
      const productsOfCarrier = products.filter(({ carrierCode }) => carrierCode === code)
      return randomSurcharges(
        dice,
        code,
        productsOfCarrier.map(({ productId }) => productId),
        rules,
      )
    }),
    services: sellers.flatMap(({ code }) => {
      const own = products.filter(({ carrierCode }) => carrierCode === code)
      // The zones of the charts of any single product.
      const zones = lanes.filter((lane) => own.every(({ zoneChart }) => zoneChart === lane.zoneChart))
      const ids = own.map(({ productId }) => productId)
      return randomServices(dice, code, ids, [...new Set(zones.map(({ zone }) => zone))])
    }),
    insurance: insurance.map((row) => (banded.has(row.carrierCode) ? { ...row, rateBps: 0 } : row)),
    insuranceBands,
    transit: products.flatMap(({ productId }) => randomTransit(dice, prices, productId)),
    laneTransit: products.flatMap((terms) =>
      randomLaneTransit(dice, terms.productId, groupsOf(terms.zoneChart)),
    ),
    priceTerms: [],
    vatRates: [],
  }
}

/** Declares the zones of a product: those with prices, and one without a lane. */
function declared(terms: ProductTerms, prices: readonly PriceRow[]): ProductTerms {
  const rows = prices.filter(({ productId }) => productId === terms.productId)
  return { ...terms, zones: [...new Set(rows.map(({ zone }) => zone)), 9] }
}

/** Extra days of area classes, for all carriers and for some of them. */
export function randomAreaTransit(dice: Dice, carriers: readonly CarrierRow[]): readonly AreaTransitRow[] {
  return ['*', ...carriers.map(({ code }) => code)].flatMap((carrierCode) =>
    dice
      .some(['NORMAL', 'REMOTE', 'ISLAND', 'OVERSEAS'] as const, 0, carrierCode === '*' ? 4 : 1)
      .map((areaClass) => {
        const extraMinDays = dice.int(0, 2)
        return { carrierCode, areaClass, extraMinDays, extraMaxDays: extraMinDays + dice.int(0, 3) }
      }),
  )
}

function randomInsurance(dice: Dice, carrierCode: string): InsuranceRow {
  return withoutUndefined({
    carrierCode,
    freeCoverCents: dice.pick([0, 10_000, 52_000]),
    freeCoverPer: dice.pick([undefined, undefined, 'shipment', 'unit'] as const),
    rateBps: dice.pick([35, 55, 90]),
    minimumCents: dice.pick([0, 195, 1250]),
    maxValueCents: dice.pick([60_000, 500_000, 2_500_000]),
  })
}

/** Bands that begin at 0 or at the free cover, some with steps, and none for half of the carriers. */
function randomInsuranceBands(
  dice: Dice,
  { carrierCode, freeCoverCents, maxValueCents }: InsuranceRow,
): readonly InsuranceBandRow[] {
  if (dice.chance(0.5)) return []
  const first = dice.pick([0, freeCoverCents])
  const bounds = [20_000, 52_000, 60_000, 99_999].filter((cents) => cents > first && cents < maxValueCents)
  const ends = [...dice.some(bounds, 0, bounds.length), maxValueCents]
  let premium = 0
  return ends.map((upToCents, index) => {
    const overCents = ends[index - 1] ?? first
    const valueStepCents = dice.maybe(0.5, () => dice.pick([1000, 33_333, 50_000]))
    const stepPriceCents = valueStepCents && dice.int(0, 350)
    const priceCents = premium + dice.int(0, 900)
    premium = priceCents
    if (valueStepCents !== undefined)
      premium += Math.ceil((upToCents - overCents) / valueStepCents) * stepPriceCents!
    return withoutUndefined({ carrierCode, overCents, upToCents, priceCents, valueStepCents, stepPriceCents })
  })
}

function randomLaneTransit(
  dice: Dice,
  productId: number,
  groups: readonly string[],
): readonly LaneTransitRow[] {
  if (dice.chance(0.6)) return []
  const pairs = groups.flatMap((fromGroup) => groups.map((toGroup) => ({ fromGroup, toGroup })))
  return dice.some(pairs, 1, 6).map((pair) => {
    const minDays = dice.int(1, 9)
    return { productId, ...pair, minDays, maxDays: minDays + dice.int(0, 5) }
  })
}

function randomFuel(dice: Dice, carriers: readonly CarrierRow[]): readonly FuelRate[] {
  return carriers.flatMap(({ code: carrierCode }) =>
    FUEL_CODES.flatMap((code) =>
      dice.some(DAYS, 0, 3).map((validFrom) => ({
        carrierCode,
        code,
        validFrom,
        rateBps: dice.pick([0, 950, 1450, 2450, 3333]),
        ...(dice.chance(0.3) && { per: dice.pick(FUEL_UNITS) }),
      })),
    ),
  )
}

function randomContracts(
  dice: Dice,
  products: readonly ProductIdentity[],
  cards: readonly OracleCard[],
): readonly ContractRow[] {
  const codes = [...new Set(cards.filter(({ audience }) => audience === 'contract').map(({ code }) => code))]
  const rows = ACCOUNTS.flatMap((accountId) =>
    Array.from({ length: dice.int(0, 6) }, (): ContractRow => {
      const { productId, carrierCode } = dice.pick(products)
      const hidden = dice.pick([undefined, undefined, false, dice.chance(0.5)])
      const scope = dice.pick([{ productId }, { productId }, { carrierCode }, {}])
      return withoutUndefined({
        accountId,
        ...scope,
        ...randomValidity(dice),
        freightBps: dice.pick([undefined, undefined, 0, -500, -1250, -3333, 700, dice.int(-5000, 2000)]),
        fuelBps: dice.pick([undefined, undefined, 0, -10_000, -2500, -333, 1000]),
        hidden,
        cardCode: dice.pick([undefined, null, ...codes, ...codes]),
        minimumCents: dice.pick([undefined, undefined, undefined, 0, 450, 1999, 60_000]),
        discounts: dice.maybe(0.4, () => Array.from({ length: dice.int(1, 8) }, () => randomDiscount(dice))),
      })
    }),
  )
  const keyOf = ({ accountId, productId, carrierCode, validFrom }: ContractRow): string =>
    `${accountId} ${productId} ${carrierCode} ${validFrom}`
  return [...new Map(rows.map((row) => [keyOf(row), row])).values()]
}

function randomDiscount(dice: Dice): DiscountRow {
  return withoutUndefined({
    appliesTo: dice.pick(['freight', 'freight', ...SURCHARGE_CODES, 'SIGNATURE', 'SATURDAY']),
    ...randomCell(dice),
    turnoverCents: dice.pick([0, 0, 1_000_000, 5_000_000]),
    bps: dice.pick([0, -500, -1450, -3333, -10_000, 250, dice.int(-9000, 1000)]),
  })
}

/** Zones and bounds of weight bands that random cards have. */
function randomCell(dice: Dice): PriceCell {
  const overGrams = dice.pick([0, 0, 0, 999, 2000, 5000, 30_000])
  return withoutUndefined({
    zones: dice.maybe(0.5, () => dice.some([0, 1, 2, 3, 4], 1, 3)),
    overGrams,
    upToGrams: dice.maybe(0.5, () => overGrams + dice.pick([1, 1000, 3000, 25_000, 500_000])),
  })
}

function randomTurnovers(dice: Dice, carriers: readonly CarrierRow[]): readonly TurnoverRow[] {
  return ACCOUNTS.flatMap((accountId) =>
    [undefined, ...carriers.map(({ code }) => code)].flatMap((carrierCode) =>
      dice.some(DAYS, 1, 3).map((validFrom) =>
        withoutUndefined({
          ...{ accountId, carrierCode, validFrom },
          turnoverCents: dice.pick([0, 999_999, 1_000_000, 7_500_000]),
        }),
      ),
    ),
  )
}

function randomMargins(dice: Dice, products: readonly ProductIdentity[]): readonly MarginRow[] {
  const rows = Array.from({ length: dice.int(0, 8) }, (): MarginRow => {
    const { productId, carrierCode } = dice.pick(products)
    return withoutUndefined({
      accountId: dice.pick([undefined, undefined, ...ACCOUNTS]),
      ...dice.pick([{ productId }, { carrierCode }, {}]),
      ...randomValidity(dice),
      ...randomCell(dice),
      percentBps: dice.pick([0, 1250, 3333, -500, dice.int(0, 9000)]),
      amountCents: dice.pick([0, 0, 50, 199]),
      minimumCents: dice.pick([0, 0, 100, 500]),
      endingCents: dice.pick([undefined, undefined, 95, 0, 49]),
    })
  })
  const keyOf = ({ percentBps: _, amountCents: __, ...row }: MarginRow): string => JSON.stringify(row)
  return [...new Map(rows.map((row) => [keyOf(row), row])).values()]
}
