/**
 * A compiled version of a rate card. Products with the same carrier, zone chart, area list and surcharges form a
 * group, so that a quote determines zone, areas and surcharges once per group.
 */
import { groupBy } from '../../group-by.ts'
import type {
  AreaClass,
  AreaTransitRow,
  BookTerms,
  CarrierRow,
  InsuranceRow,
  PalletClassRow,
  RateCardContent,
  RateCardHead,
} from '../rate-card.ts'
import type { BookProduct } from './book-product.ts'
import { compileLanes, compilePlaces, type LaneTable, type PlaceTable } from './route.ts'
import { compileSurcharges, type Surcharge } from './surcharge.ts'

export type BookCarrier = {
  readonly code: string
  readonly name: string
  /** Smallest first. */
  readonly palletClasses: readonly PalletClassRow[]
  /** The rows of the carrier before the rows for all carriers. */
  readonly areaTransit: readonly AreaTransitRow[]
  readonly insurance: InsuranceRow | undefined
}

/** The tables that determine the zone and the areas of a route: a zone chart and an area list. */
export type RouteTables = {
  readonly lanes: LaneTable
  readonly groups: PlaceTable<string>
  readonly areas: PlaceTable<AreaClass>
}

/** Products that have zone, areas and surcharges in common, sorted by id. */
export type ProductGroup = {
  readonly card: RateCardHead
  readonly carrier: BookCarrier
  /** Groups of a card with the same zone chart and area list share one object. */
  readonly route: RouteTables
  readonly surcharges: readonly Surcharge[]
  readonly products: readonly BookProduct[]
}

/** A compiled version of a rate card. */
export type BookCard = RateCardHead & { readonly groups: readonly ProductGroup[] }

export function productsIn({ groups }: BookCard): readonly BookProduct[] {
  return groups.flatMap(({ products }) => products)
}

export type CardContent = Omit<RateCardContent, 'products' | 'prices' | 'transit' | 'laneTransit'>

/**
 * Compiles a version from its compiled products. Throws on an unknown trigger and on surcharges that exclude each
 * other in a circle; `checkRateCard` reports the rows.
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
  const carrierFor = memoized((carrierCode: string) => compileCarrier(content, carrierCode, names))
  const lanesFor = memoized((chart: string) =>
    compileLanes(content.lanes.filter(({ zoneChart }) => zoneChart === chart)),
  )
  const groupsFor = memoized((chart: string) =>
    compilePlaces(
      content.countryGroups.filter(({ zoneChart }) => zoneChart === chart),
      ({ group }) => group,
    ),
  )
  const areasFor = memoized((list: string) =>
    compilePlaces(
      content.areas.filter(({ areaList }) => areaList === list),
      ({ areaClass }) => areaClass,
    ),
  )
  const routeFor = memoized((key: string): RouteTables => {
    const [chart, list] = JSON.parse(key) as [string, string]
    return { lanes: lanesFor(chart), groups: groupsFor(chart), areas: areasFor(list) }
  })
  const byId = [...products].sort((a, b) => a.terms.productId - b.terms.productId)
  const productGroups = groupBy(byId, ({ terms }) => groupKey(content, terms))
  const groups = [...productGroups.values()].map((members): ProductGroup => {
    const { terms } = members[0]!
    const { carrierCode, zoneChart, areaList } = terms
    return {
      card,
      carrier: carrierFor(carrierCode),
      route: routeFor(JSON.stringify([zoneChart, areaList])),
      surcharges: compileSurcharges(surchargesOf(content, terms)),
      products: members,
    }
  })
  return { ...card, groups }
}

/** The surcharges that can apply to a product. */
function surchargesOf({ surcharges }: CardContent, terms: BookTerms) {
  return surcharges.filter(
    ({ carrierCode, products }) =>
      carrierCode === terms.carrierCode && (products === undefined || products.includes(terms.productId)),
  )
}

function groupKey(content: CardContent, terms: BookTerms): string {
  const codes = surchargesOf(content, terms).map(({ code, validFrom }) => `${code}@${validFrom}`)
  return JSON.stringify([terms.carrierCode, terms.zoneChart, terms.areaList, codes])
}

function compileCarrier(content: CardContent, code: string, names: ReadonlyMap<string, string>): BookCarrier {
  const isOfCarrier = ({ carrierCode }: { readonly carrierCode: string }): boolean => carrierCode === code
  return {
    code,
    name: names.get(code) ?? code,
    palletClasses: content.palletClasses.filter(isOfCarrier).sort(bySize),
    areaTransit: [
      ...content.areaTransit.filter(isOfCarrier),
      ...content.areaTransit.filter(({ carrierCode }) => carrierCode === '*'),
    ],
    insurance: content.insurance.find(isOfCarrier),
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

function memoized<Value>(make: (key: string) => Value): (key: string) => Value {
  const made = new Map<string, Value>()
  return (key) => {
    const known = made.get(key)
    if (known !== undefined) return known
    const value = make(key)
    made.set(key, value)
    return value
  }
}
