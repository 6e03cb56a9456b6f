/**
 * What several products ask of one request on one day, each worked out once when it is first asked: zone, areas,
 * surcharges, days, weights.
 */
import type { ProductGroup, RouteTables } from '../book/book-card.ts'
import { areaDays, laneKey, type TransitTime } from '../book/book-product.ts'
import { type ChargeableParcel, type WeighingRule, weighRow } from '../book/chargeable-weight.ts'
import { type Extremes, extremesOf } from '../book/limits.ts'
import { valueOfPlace } from '../book/place-table.ts'
import { fuelRateOn, type RateBook } from '../book/rate-book.ts'
import { dayNumber, rowsCharged, type Surcharge, type SurchargeFacts } from '../book/surcharge.ts'
import type { ShipmentFacts } from '../book/trigger.ts'
import { zoneOfLane } from '../book/zone.ts'
import type { Parcel, RatesRequest } from '../request.ts'
import { type ApplicableSurcharge, type PriceLine, surchargeLine } from './price-line.ts'

/** A route as a zone chart and an area list see it. */
export type RouteFacts = {
  /** Undefined where the zone chart does not serve the lane. */
  readonly zoneNumber: number | undefined
  /** The lane as `laneKey` names it. */
  readonly laneName: string
  readonly surchargeFacts: SurchargeFacts
}

/** What the products of a group share for one request. */
export type GroupFacts = {
  readonly group: ProductGroup
  readonly route: RouteFacts
  /** The surcharges that apply, in the order they are charged. */
  readonly charges: readonly ApplicableSurcharge[]
  /** Working days that the areas at both ends add. */
  readonly extraDays: TransitTime
}

/** A request on a day, and what has been worked out for its products so far. */
export type RequestFacts = {
  readonly book: RateBook
  readonly request: RatesRequest
  /** 'YYYY-MM-DD'. */
  readonly date: string
  readonly extremes: Extremes
  readonly routes: Map<RouteTables, RouteFacts>
  readonly groups: Map<ProductGroup, GroupFacts>
  readonly weights: Map<WeighingRule, readonly ChargeableParcel[]>
}

/** Opens a request on a day; nothing is worked out yet. */
export function openRequestFacts(book: RateBook, request: RatesRequest, date: string): RequestFacts {
  return {
    book,
    request,
    date,
    extremes: extremesOf(request),
    routes: new Map(),
    groups: new Map(),
    weights: new Map(),
  }
}

/** The parcels as a rule weighs them, row by row. */
export function weighParcels(facts: RequestFacts, rule: WeighingRule): readonly ChargeableParcel[] {
  let rows = facts.weights.get(rule)
  if (rows === undefined) {
    rows = facts.request.parcels.map((parcel, index) => weighRow(rule, parcel, index))
    facts.weights.set(rule, rows)
  }
  return rows
}

/** What a group's products share, worked out once however often it is asked. */
export function groupFactsOf(facts: RequestFacts, group: ProductGroup): GroupFacts {
  let found = facts.groups.get(group)
  if (found === undefined) {
    found = computeGroupFacts(facts, group)
    facts.groups.set(group, found)
  }
  return found
}

/** What a group's products share, for one who asks once. */
export function computeGroupFacts(facts: RequestFacts, group: ProductGroup): GroupFacts {
  const route = routeIn(facts, group.route)
  const { surcharges, carrier } = group
  const charges: ApplicableSurcharge[] = []
  for (const surcharge of surcharges) {
    const rows = rowsCharged(surcharge, surcharges, route.surchargeFacts)
    if (rows.length > 0) charges.push(chargeOf(facts, carrier.code, surcharge, rows))
  }
  const { fromArea, toArea } = route.surchargeFacts.shipment
  return { group, route, charges, extraDays: areaDays(carrier.areaTransit, fromArea, toArea) }
}

function routeIn(facts: RequestFacts, tables: RouteTables): RouteFacts {
  let found = facts.routes.get(tables)
  if (found === undefined) {
    found = workOutRoute(facts, tables)
    facts.routes.set(tables, found)
  }
  return found
}

function workOutRoute({ book, request, date, extremes }: RequestFacts, tables: RouteTables): RouteFacts {
  const { from, to, parcels, recipient, parcelType } = request
  const { lanes, groups, areas } = tables
  const fromGroup = valueOfPlace(groups, book.capitals, from)
  const toGroup = valueOfPlace(groups, book.capitals, to)
  const domestic = from.country === to.country
  const shipment: ShipmentFacts = {
    domestic,
    isPallet: parcelType === 'PALLET',
    recipient,
    fromCountry: from.country,
    toCountry: to.country,
    fromArea: valueOfPlace(areas, book.capitals, from) ?? 'NORMAL',
    toArea: valueOfPlace(areas, book.capitals, to) ?? 'NORMAL',
    fromGroup,
    toGroup,
    date,
    units: extremes.units,
    shipmentGrams: actualGrams(parcels),
  }
  return {
    zoneNumber: zoneOfLane(lanes, { sameCountry: domestic, fromGroup, toGroup }),
    laneName: laneKey(fromGroup ?? '', toGroup ?? ''),
    surchargeFacts: { shipment, day: dayNumber(date), parcels, allRows: parcels.map((_, index) => index) },
  }
}

function actualGrams(parcels: readonly Parcel[]): number {
  let grams = 0
  for (const { weightGrams, count } of parcels) grams += weightGrams * count
  return grams
}

function chargeOf(
  { book, request, date }: RequestFacts,
  carrierCode: string,
  surcharge: Surcharge,
  rows: readonly number[],
): ApplicableSurcharge {
  const { method, code, amount, per } = surcharge
  const times = per === 'shipment' ? 1 : countUnits(request.parcels, rows)
  const fuel = method === 'fuel' ? fuelRateOn(book, carrierCode, code, date) : undefined
  const rateBps = method === 'fuel' ? fuel?.rateBps : amount
  const charge: ApplicableSurcharge & { flatLine: PriceLine | undefined } = {
    kind: 'surcharge',
    surcharge,
    rows,
    times,
    rateBps,
    fuelSince: fuel?.validFrom,
    flatLine: undefined,
  }
  if (method === 'flat') charge.flatLine = surchargeLine(charge, amount * times)
  return charge
}

function countUnits(parcels: readonly Parcel[], rows: readonly number[]): number {
  let units = 0
  for (const row of rows) units += parcels[row]!.count
  return units
}
