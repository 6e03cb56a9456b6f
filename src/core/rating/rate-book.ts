/**
 * The rate book: all published rate cards, compiled into what a quote reads. One immutable object, swapped as
 * a whole; quoting never touches the database.
 */
import { compileBands, type WeightBands } from './base-charge.ts'
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
  readonly transit: TransitRow
}

/** A product with all that prices it. */
export type BookProduct = {
  readonly terms: ProductTerms
  readonly carrierName: string
  readonly zones: ReadonlyMap<number, ProductZone>
  readonly surcharges: readonly Surcharge[]
  readonly palletClasses: readonly PalletClassRow[]
  readonly areaTransit: readonly AreaTransitRow[]
  readonly insurance?: InsuranceRow
}

/** The products of one rate card, which share its lanes and areas. */
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
  const surcharges = groupBy(card.surcharges, ({ carrierCode }) => carrierCode)
  const products = card.products.map((terms): BookProduct => {
    const insurance = card.insurance.find(({ carrierCode }) => carrierCode === terms.carrierCode)
    return {
      terms,
      carrierName: carrierNames.get(terms.carrierCode) ?? terms.carrierCode,
      zones: compileZones(prices.get(terms.productId) ?? [], transit),
      surcharges: compileSurcharges(surcharges.get(terms.carrierCode) ?? []),
      palletClasses: card.palletClasses
        .filter(({ carrierCode }) => carrierCode === terms.carrierCode)
        .sort(bySize),
      areaTransit: card.areaTransit.filter((row) => ['*', terms.carrierCode].includes(row.carrierCode)),
      ...(insurance !== undefined && { insurance }),
    }
  })
  return {
    version: card.version,
    lanes: compileLanes(card.countryGroups, card.lanes),
    areas: compileAreas(card.areas),
    products: products.sort((a, b) => a.terms.productId - b.terms.productId),
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
          transit: days,
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

function groupBy<Row, Key>(rows: readonly Row[], keyOf: (row: Row) => Key): Map<Key, Row[]> {
  const groups = new Map<Key, Row[]>()
  for (const row of rows) {
    const key = keyOf(row)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [row])
    else group.push(row)
  }
  return groups
}
