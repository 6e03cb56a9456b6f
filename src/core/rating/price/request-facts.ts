/**
 * Caches what products of one request share: zone, areas, surcharges, extra days and weights. Each is computed when a
 * product first needs it.
 */
import type { RateSource } from '../../customs/data/exchange-rate.ts'
import type { ProductGroup, RouteTables } from '../book/book-card.ts'
import { areaDays, laneKey, type TransitTime } from '../book/book-product.ts'
import { type ChargeableParcel, type WeighingRule, weighRow } from '../book/chargeable-weight.ts'
import {
  type Decline,
  type Extremes,
  extremesOf,
  FREIGHT_CLASS_REQUIRED,
  NO_FUEL_RATE,
} from '../book/limits.ts'
import { fuelRateOn, type RateBook } from '../book/rate-book.ts'
import { valueOfPlace, zoneOfLane } from '../book/route.ts'
import { inputFactsOf } from '../book/service-input-facts.ts'
import { chargesOfServices, offersOf } from '../book/service-offer.ts'
import { chargedRows, dayNumber, type Surcharge, type SurchargeFacts } from '../book/surcharge.ts'
import type { ShipmentFacts } from '../book/trigger.ts'
import { type Exchange, rateOn, valueInCurrency } from '../currency/conversion.ts'
import type { Parcel, RatesRequest } from '../request.ts'
import type { Service } from '../sender-service.ts'
import { type ApplicableSurcharge, type PriceLine, surchargeLine } from './price-line.ts'

/** The facts about a route that depend on a zone chart and an area list. */
export type RouteFacts = {
  /** Undefined if the zone chart does not serve the lane. */
  readonly zoneNumber: number | undefined
  /** See `laneKey`. */
  readonly laneName: string
  readonly surchargeFacts: SurchargeFacts
}

/** A group of products and what a request needs to be priced with it. */
export type OpenGroup = {
  readonly facts: RequestFacts
  readonly group: ProductGroup
  /** Undefined if the card is in euro without VAT. */
  readonly exchange: Exchange | undefined
  /** See `groupFactsOf`. */
  shared: GroupFacts | undefined
}

/** The facts about a request that all products of a group have in common. */
export type GroupFacts = {
  readonly group: ProductGroup
  readonly route: RouteFacts
  /** The surcharges that apply, in the order in which they are charged. With services, see `withServices`. */
  readonly charges: readonly ApplicableSurcharge[]
  /** Present if a surcharge needs a fuel figure of an index table, or a freight class, that is not known. */
  readonly declined: Decline | undefined
  readonly extraDays: TransitTime
}

/** A request on a day, with the figures computed so far. */
export type RequestFacts = {
  readonly book: RateBook
  readonly request: RatesRequest
  /** 'YYYY-MM-DD'. */
  readonly date: string
  readonly rateSource: RateSource
  readonly extremes: Extremes
  readonly routes: Map<RouteTables, RouteFacts>
  readonly groups: Map<ProductGroup, OpenGroup>
  readonly weights: Map<WeighingRule, readonly ChargeableParcel[]>
}

export function openRequestFacts(
  book: RateBook,
  request: RatesRequest,
  date: string,
  rateSource: RateSource,
): RequestFacts {
  return {
    book,
    request,
    date,
    rateSource,
    extremes: extremesOf(request),
    routes: new Map(),
    groups: new Map(),
    weights: new Map(),
  }
}

function exchangeOf({ rateSource, date }: RequestFacts, { priceTerms }: ProductGroup): Exchange | undefined {
  return (
    priceTerms && {
      terms: priceTerms,
      rate: rateOn(rateSource.exchangeRates, priceTerms, date),
    }
  )
}

/** The weights of all parcel rows by a rule. `shipment` is that of a product with the rule. */
export function weighParcels(
  facts: RequestFacts,
  rule: WeighingRule,
  shipment: ShipmentFacts,
): readonly ChargeableParcel[] {
  let rows = facts.weights.get(rule)
  if (rows === undefined) {
    rows = facts.request.parcels.map((parcel, index) => weighRow(rule, parcel, index, shipment))
    facts.weights.set(rule, rows)
  }
  return rows
}

export function openGroup(facts: RequestFacts, group: ProductGroup): OpenGroup {
  let found = facts.groups.get(group)
  if (found === undefined) {
    found = { facts, group, exchange: exchangeOf(facts, group), shared: undefined }
    facts.groups.set(group, found)
  }
  return found
}

/** The facts of a group. Computed on the first call, so a request never computes those of groups that decline it. */
export function groupFactsOf(open: OpenGroup): GroupFacts {
  open.shared ??= computeGroupFacts(open.facts, open.group)
  return open.shared
}

function computeGroupFacts(facts: RequestFacts, group: ProductGroup): GroupFacts {
  const route = routeFactsOf(facts, group)
  const { surcharges, carrier } = group
  const charges: ApplicableSurcharge[] = []
  let declined: Decline | undefined
  for (const surcharge of surcharges) {
    if (surcharge.needsFreightClass && isUnclassed(surcharge, route.surchargeFacts)) {
      declined = FREIGHT_CLASS_REQUIRED
      continue
    }
    const rows = chargedRows(surcharge, surcharges, route.surchargeFacts)
    if (rows.length === 0) continue
    const charge = chargeOf(facts, carrier.code, surcharge, rows)
    charges.push(charge)
    if (charge.fuel?.missing !== undefined) declined = NO_FUEL_RATE
  }
  const { fromArea, toArea } = route.surchargeFacts.shipment
  return { group, route, charges, declined, extraDays: areaDays(carrier.areaTransit, fromArea, toArea) }
}

/** True on the days of the surcharge, if a unit has no freight class. */
function isUnclassed({ firstDay, endDay }: Surcharge, { day, parcels }: SurchargeFacts): boolean {
  const isInForce = day >= firstDay && day < endDay
  return isInForce && parcels.some(({ freightClassTenths }) => freightClassTenths === undefined)
}

/** The facts for a product, whose services are charged after the other accessorials; or why it does not offer them. */
export function withServices(
  facts: RequestFacts,
  { group, route, charges, declined, extraDays }: GroupFacts,
  services: readonly Service[],
  productId: number,
): GroupFacts | Decline {
  const { surchargeFacts } = route
  const chosen = chargesOfServices(offersOf(group.services, productId), services, surchargeFacts)
  if ('code' in chosen) return chosen
  const others = charges.findIndex(({ surcharge }) => surcharge.phase !== 'accessorial')
  const at = others === -1 ? charges.length : others
  const added = chosen.map((charge) => chargeOf(facts, group.carrier.code, charge, surchargeFacts.allRows))
  return { group, route, charges: charges.toSpliced(at, 0, ...added), declined, extraDays }
}

/** Groups with the same tables are of one card, so they have the same currency. */
function routeFactsOf(facts: RequestFacts, group: ProductGroup): RouteFacts {
  let found = facts.routes.get(group.route)
  if (found === undefined) {
    found = computeRouteFacts(facts, group)
    facts.routes.set(group.route, found)
  }
  return found
}

function computeRouteFacts(facts: RequestFacts, group: ProductGroup): RouteFacts {
  const { book, request, date, extremes, rateSource } = facts
  const { from, to, parcels, recipient, parcelType } = request
  const { lanes, groups, areas } = group.route
  const fromGroup = valueOfPlace(groups, book.capitals, from)
  const toGroup = valueOfPlace(groups, book.capitals, to)
  const domestic = from.country === to.country
  const zoneNumber = zoneOfLane(lanes, { sameCountry: domestic, fromGroup, toGroup })
  const day = dayNumber(date)
  const shipment: ShipmentFacts = {
    domestic,
    isPallet: parcelType === 'PALLET',
    parcelType,
    recipient,
    fromCountry: from.country,
    toCountry: to.country,
    fromArea: valueOfPlace(areas, book.capitals, from) ?? 'NORMAL',
    toArea: valueOfPlace(areas, book.capitals, to) ?? 'NORMAL',
    fromGroup,
    toGroup,
    zone: zoneNumber ?? -1,
    dayOfYear: date.slice(5),
    day,
    units: extremes.units,
    shipmentGrams: actualGrams(parcels),
    valueCents: insuredCents(facts, group),
    services: request.services ?? NO_SERVICES,
    inputs: inputFactsOf(request, group.priceTerms, rateSource, date),
  }
  return {
    zoneNumber,
    laneName: laneKey(fromGroup ?? '', toGroup ?? ''),
    surchargeFacts: {
      shipment,
      day,
      parcels,
      allRows: parcels.map((_, index) => index),
      excluders: new Map(),
      misfits: new Map(),
    },
  }
}

const NO_SERVICES: readonly Service[] = []

/** The insured value in the card's currency. 0 if there is none, or no exchange rate: products are then declined. */
function insuredCents(facts: RequestFacts, group: ProductGroup): number {
  const { insuredValueCents } = facts.request
  if (insuredValueCents === undefined) return 0
  const exchange = exchangeOf(facts, group)
  if (exchange === undefined) return insuredValueCents
  return exchange.rate === undefined ? 0 : valueInCurrency(insuredValueCents, exchange.rate)
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
  const charge: ApplicableSurcharge & { flatLine: PriceLine | undefined } = {
    kind: 'surcharge',
    surcharge,
    rows,
    times,
    fuel,
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
