/**
 * The rate book: all published rate cards, compiled into what a quote reads. One immutable object, swapped as
 * a whole; quoting never touches the database.
 */
import { groupBy } from '../group-by.ts'
import { compileBands, type WeightBands } from './base-charge.ts'
import type { WeighingRule } from './chargeable-weight.ts'
import type {
  AreaTransitRow,
  CapitalRow,
  CarrierRow,
  FuelRate,
  InsuranceRow,
  PalletClassRow,
  PriceRow,
  ProductTerms,
  RateCard,
  TransitRow,
} from './rate-card.ts'
import { compileSurcharges, type Surcharge } from './surcharge.ts'
import type { TransitTime } from './transit-time.ts'
import {
  type AreaTable,
  type CapitalTable,
  compileAreas,
  compileCapitals,
  compileLanes,
  type LaneTable,
} from './zone.ts'

/** What a product costs and how long it takes in one zone. */
export type ProductZone = {
  readonly bands: WeightBands
  readonly palletCents: ReadonlyMap<string, number>
  readonly transit: TransitTime
}

/** What the products of a carrier share. */
export type BookCarrier = {
  readonly code: string
  readonly name: string
  readonly surcharges: readonly Surcharge[]
  /** Smallest first. */
  readonly palletClasses: readonly PalletClassRow[]
  readonly areaTransit: readonly AreaTransitRow[]
  readonly insurance: InsuranceRow | undefined
}

/** How a quote names a product and the carrier that performs it. */
export type QuotedProduct = {
  readonly productId: number
  readonly productName: string
  readonly carrierCode: string
  readonly carrierName: string
}

/** A product with all that prices it. */
export type BookProduct = {
  readonly name: QuotedProduct
  readonly terms: ProductTerms
  readonly carrier: BookCarrier
  /** By zone number. */
  readonly zones: ReadonlyMap<number, ProductZone>
  /** Products with the same rule object weigh alike. */
  readonly weighing: WeighingRule
}

/** A version of a rate card: its products (by id) share its lanes and areas. */
export type BookCard = Pick<RateCard, 'code' | 'versionNo' | 'validFrom' | 'validTo'> & {
  readonly lanes: LaneTable
  readonly areas: AreaTable
  readonly products: readonly BookProduct[]
}

/** All that is on offer, now and on other days. */
export type RateBook = {
  readonly carriers: readonly CarrierRow[]
  readonly products: readonly {
    readonly productId: number
    readonly name: string
    readonly carrierCode: string
  }[]
  /** The versions of each card, newest first, in the order of the cards' codes. */
  readonly cards: readonly (readonly BookCard[])[]
  readonly capitals: CapitalTable
  /** By carrier, newest first. */
  readonly fuel: ReadonlyMap<string, readonly FuelRate[]>
}

/** What a rate book is compiled from. */
export type RateBookSources = {
  readonly carriers: readonly CarrierRow[]
  readonly cards: readonly RateCard[]
  readonly fuel: readonly FuelRate[]
  readonly capitals: readonly CapitalRow[]
}

/**
 * Compiles a rate book. Throws on a card that does not hold together (unknown trigger, zone without transit),
 * and on a product that two cards sell.
 */
export function compileRateBook({ carriers, cards, fuel, capitals }: RateBookSources): RateBook {
  const names = new Map(carriers.map(({ code, name }) => [code, name]))
  const byCode = groupBy(
    cards
      .map((card) => compileCard(card, names))
      .sort((a, b) => (a.code < b.code ? -1 : a.code > b.code ? 1 : b.versionNo - a.versionNo)),
    ({ code }) => code,
  )
  return {
    carriers: [...carriers].sort((a, b) => (a.name < b.name ? -1 : 1)),
    products: productsOf([...byCode.values()]),
    cards: [...byCode.values()],
    capitals: compileCapitals(capitals),
    fuel: groupBy(
      [...fuel].sort((a, b) => (a.validFrom < b.validFrom ? 1 : -1)),
      ({ carrierCode }) => carrierCode,
    ),
  }
}

/** The version of each card that prices on a day: the newest that is valid then. */
export function cardsOn({ cards }: RateBook, date: string): readonly BookCard[] {
  return cards.flatMap(
    (versions) =>
      versions.find(
        ({ validFrom, validTo }) => validFrom <= date && (validTo === undefined || date < validTo),
      ) ?? [],
  )
}

/** Every product once, by id, as its newest version names it. */
function productsOf(cards: readonly (readonly BookCard[])[]): RateBook['products'] {
  const seen = new Map<number, { readonly card: string; readonly product: RateBook['products'][number] }>()
  for (const { code, products } of cards.flat())
    for (const { terms } of products) {
      const { productId, name, carrierCode } = terms
      const other = seen.get(productId)?.card ?? code
      if (other !== code) throw new Error(`product ${productId} is in two rate cards, ${other} and ${code}`)
      if (!seen.has(productId)) seen.set(productId, { card: code, product: { productId, name, carrierCode } })
    }
  return [...seen.values()].map(({ product }) => product).sort((a, b) => a.productId - b.productId)
}

/** The fuel surcharge of a carrier on a day, in basis points; undefined when none is in force. */
export function fuelRateOn(book: RateBook, carrierCode: string, date: string): number | undefined {
  return book.fuel.get(carrierCode)?.find(({ validFrom }) => validFrom <= date)?.rateBps
}

function compileCard(card: RateCard, carrierNames: ReadonlyMap<string, string>): BookCard {
  const prices = groupBy(card.prices, ({ productId }) => productId)
  const transit = new Map(card.transit.map((row) => [`${row.productId}/${row.zone}`, row]))
  const carriers = new Map<string, BookCarrier>()
  for (const { carrierCode } of card.products)
    if (!carriers.has(carrierCode)) {
      const name = carrierNames.get(carrierCode) ?? carrierCode
      carriers.set(carrierCode, compileCarrier(card, carrierCode, name))
    }
  const weighings = new Map<string, WeighingRule>()
  const products = card.products.map((terms): BookProduct => {
    const weighing = weighingOf(terms)
    const key = JSON.stringify(weighing)
    if (!weighings.has(key)) weighings.set(key, weighing)
    const carrier = carriers.get(terms.carrierCode)!
    const { productId, name: productName } = terms
    return {
      name: { productId, productName, carrierCode: carrier.code, carrierName: carrier.name },
      terms,
      carrier,
      zones: compileZones(prices.get(terms.productId) ?? [], transit),
      weighing: weighings.get(key)!,
    }
  })
  const { code, versionNo, validFrom, validTo } = card
  return {
    code,
    versionNo,
    validFrom,
    ...(validTo !== undefined && { validTo }),
    lanes: compileLanes(card.countryGroups, card.lanes),
    areas: compileAreas(card.areas),
    products: products.sort((a, b) => a.terms.productId - b.terms.productId),
  }
}

function compileCarrier(card: RateCard, code: string, name: string): BookCarrier {
  const isOwn = ({ carrierCode }: { readonly carrierCode: string }): boolean => carrierCode === code
  return {
    code,
    name,
    surcharges: compileSurcharges(card.surcharges.filter(isOwn)),
    palletClasses: card.palletClasses.filter(isOwn).sort(bySize),
    areaTransit: card.areaTransit.filter((row) => row.carrierCode === '*' || isOwn(row)),
    insurance: card.insurance.find(isOwn),
  }
}

function weighingOf(terms: ProductTerms): WeighingRule {
  const { weightStepGrams, volumetricDivisor, kilogramsPerCubicMetre } = terms
  const { kilogramsPerLoadingMetre, documentGrams } = terms
  return {
    weightStepGrams,
    ...(volumetricDivisor !== undefined && { volumetricDivisor }),
    ...(kilogramsPerCubicMetre !== undefined && { kilogramsPerCubicMetre }),
    ...(kilogramsPerLoadingMetre !== undefined && { kilogramsPerLoadingMetre }),
    ...(documentGrams !== undefined && { documentGrams }),
  }
}

function compileZones(
  prices: readonly PriceRow[],
  transit: ReadonlyMap<string, TransitRow>,
): ReadonlyMap<number, ProductZone> {
  const byZone = groupBy(prices, ({ zone }) => zone)
  return new Map(
    [...byZone].map(([zone, rows]) => {
      const days = transit.get(`${rows[0]!.productId}/${zone}`)
      if (days === undefined)
        throw new Error(`product ${rows[0]!.productId} has no transit time in zone ${zone}`)
      const pallets = rows.filter(({ unit }) => unit === 'PALLET')
      return [
        zone,
        {
          bands: compileBands(rows.filter(({ unit }) => unit !== 'PALLET')),
          palletCents: new Map(pallets.map((row) => [row.palletClass ?? '', row.priceCents])),
          transit: { minDays: days.minDays, maxDays: days.maxDays },
        },
      ]
    }),
  )
}

/** Smallest class first: by spaces, then footprint, height and weight. */
function bySize(a: PalletClassRow, b: PalletClassRow): number {
  return (
    a.spaces - b.spaces ||
    a.longSideCm * a.shortSideCm - b.longSideCm * b.shortSideCm ||
    a.maxHeightCm - b.maxHeightCm ||
    a.maxGrams - b.maxGrams
  )
}
