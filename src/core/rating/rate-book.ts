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

/** The products of one rate card, which share its lanes and areas; products by id. */
export type BookCard = {
  readonly version: string
  readonly lanes: LaneTable
  readonly areas: AreaTable
  readonly products: readonly BookProduct[]
}

/** All that is on offer. */
export type RateBook = {
  /** The versions of its cards, such as "demo@1". */
  readonly version: string
  readonly carriers: readonly CarrierRow[]
  readonly products: readonly {
    readonly productId: number
    readonly name: string
    readonly carrierCode: string
  }[]
  readonly cards: readonly BookCard[]
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

/** Compiles a rate book. Throws on a card that does not hold together (unknown trigger, zone without transit). */
export function compileRateBook({ carriers, cards, fuel, capitals }: RateBookSources): RateBook {
  const names = new Map(carriers.map(({ code, name }) => [code, name]))
  const compiled = cards.map((card) => compileCard(card, names))
  return {
    version: cards.map(({ version }) => version).join(' '),
    carriers: [...carriers].sort((a, b) => (a.name < b.name ? -1 : 1)),
    products: compiled
      .flatMap(({ products }) => products)
      .map(({ terms: { productId, name, carrierCode } }) => ({ productId, name, carrierCode }))
      .sort((a, b) => a.productId - b.productId),
    cards: compiled,
    capitals: compileCapitals(capitals),
    fuel: groupBy(
      [...fuel].sort((a, b) => (a.validFrom < b.validFrom ? 1 : -1)),
      ({ carrierCode }) => carrierCode,
    ),
  }
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
  return {
    version: card.version,
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
