/**
 * A version of a rate card, compiled into what a quote reads. Products that share carrier, zone chart, area list
 * and surcharges form a group, so that a quote works out zone, areas and surcharges once for all of them.
 */
import { groupBy } from '../../group-by.ts'
import type {
  AreaClass,
  AreaTransitRow,
  CarrierRow,
  InsuranceRow,
  PalletClassRow,
  ProductTerms,
  RateCardContent,
  RateCardHead,
} from '../rate-card.ts'
import type { BookProduct } from './book-product.ts'
import { compilePlaces, type PlaceTable } from './place-table.ts'
import { compileSurcharges, type Surcharge } from './surcharge.ts'
import { compileLanes, type LaneTable } from './zone.ts'

/** What the products of a carrier share. */
export type BookCarrier = {
  readonly code: string
  readonly name: string
  /** Smallest first. */
  readonly palletClasses: readonly PalletClassRow[]
  /** The carrier's own rows before those for all carriers. */
  readonly areaTransit: readonly AreaTransitRow[]
  readonly insurance: InsuranceRow | undefined
}

/** A zone chart and an area list: what tells where a route lies. */
export type RouteTables = {
  readonly lanes: LaneTable
  readonly groups: PlaceTable<string>
  readonly areas: PlaceTable<AreaClass>
}

/** Products that a route and its parcels concern alike, by id. */
export type ProductGroup = {
  readonly card: RateCardHead
  readonly carrier: BookCarrier
  /** The same object for all groups of a card with the same chart and list. */
  readonly route: RouteTables
  readonly surcharges: readonly Surcharge[]
  readonly products: readonly BookProduct[]
}

/** A compiled version of a rate card. */
export type BookCard = RateCardHead & { readonly groups: readonly ProductGroup[] }

/** All products of a card. */
export function productsIn({ groups }: BookCard): readonly BookProduct[] {
  return groups.flatMap(({ products }) => products)
}

/** What a card is compiled from, apart from its products. */
export type CardContent = Omit<RateCardContent, 'products' | 'prices' | 'transit' | 'laneTransit'>

/**
 * Compiles a version out of its products. Throws on surcharges that do not hold together (an unknown trigger, a
 * circle of excludes); checkRateCard says more.
 */
export function compileRateCard(
  head: RateCardHead,
  content: CardContent,
  products: readonly BookProduct[],
  carriers: readonly CarrierRow[],
): BookCard {
  const { code, versionNo, audience, validFrom, validTo } = head
  const card: RateCardHead = {
    code,
    versionNo,
    audience,
    validFrom,
    ...(validTo !== undefined && { validTo }),
  }
  const names = new Map(carriers.map((row) => [row.code, row.name]))
  const carrierOf = memoised((carrierCode: string) => compileCarrier(content, carrierCode, names))
  const lanesOf = memoised((chart: string) =>
    compileLanes(content.lanes.filter(({ zoneChart }) => zoneChart === chart)),
  )
  const groupsOf = memoised((chart: string) =>
    compilePlaces(
      content.countryGroups.filter(({ zoneChart }) => zoneChart === chart),
      ({ group }) => group,
    ),
  )
  const areasOf = memoised((list: string) =>
    compilePlaces(
      content.areas.filter(({ areaList }) => areaList === list),
      ({ areaClass }) => areaClass,
    ),
  )
  const routeOf = memoised((key: string): RouteTables => {
    const [chart, list] = JSON.parse(key) as [string, string]
    return { lanes: lanesOf(chart), groups: groupsOf(chart), areas: areasOf(list) }
  })
  const byId = [...products].sort((a, b) => a.terms.productId - b.terms.productId)
  const alike = groupBy(byId, ({ terms }) => groupKey(content, terms))
  const groups = [...alike.values()].map((own): ProductGroup => {
    const { terms } = own[0]!
    const { carrierCode, zoneChart, areaList } = terms
    return {
      card,
      carrier: carrierOf(carrierCode),
      route: routeOf(JSON.stringify([zoneChart, areaList])),
      surcharges: compileSurcharges(surchargesOf(content, terms)),
      products: own,
    }
  })
  return { ...card, groups }
}

/** The surcharges that a product may pay. */
function surchargesOf({ surcharges }: CardContent, terms: ProductTerms) {
  return surcharges.filter(
    ({ carrierCode, products }) =>
      carrierCode === terms.carrierCode && (products === undefined || products.includes(terms.productId)),
  )
}

function groupKey(content: CardContent, terms: ProductTerms): string {
  const codes = surchargesOf(content, terms).map(({ code, validFrom }) => `${code}@${validFrom}`)
  return JSON.stringify([terms.carrierCode, terms.zoneChart, terms.areaList, codes])
}

function compileCarrier(content: CardContent, code: string, names: ReadonlyMap<string, string>): BookCarrier {
  const isOwn = ({ carrierCode }: { readonly carrierCode: string }): boolean => carrierCode === code
  return {
    code,
    name: names.get(code) ?? code,
    palletClasses: content.palletClasses.filter(isOwn).sort(bySize),
    areaTransit: [
      ...content.areaTransit.filter(isOwn),
      ...content.areaTransit.filter(({ carrierCode }) => carrierCode === '*'),
    ],
    insurance: content.insurance.find(isOwn),
  }
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

function memoised<Value>(make: (key: string) => Value): (key: string) => Value {
  const made = new Map<string, Value>()
  return (key) => {
    const known = made.get(key)
    if (known !== undefined) return known
    const value = make(key)
    made.set(key, value)
    return value
  }
}
