/**
 * Finds prices below the cost: prices of each product, zone and weight in a rate book, of each account with terms of
 * its own and of everyone else, next to the prices of the cost cards. See docs/rate-cards.md#prices-below-cost.
 */
import type { ExchangeRates } from '../../customs/data/exchange-rate.ts'
import type { BookCard } from '../../rating/book/book-card.ts'
import { billedShipmentGrams } from '../../rating/book/chargeable-weight.ts'
import { costsOn, type Listing, listingsIn, type RateBook, versionOn } from '../../rating/book/rate-book.ts'
import { hasMargin } from '../../rating/margin.ts'
import { bandOf } from '../../rating/price/base-charge.ts'
import type { PriceCell } from '../../rating/price-cell.ts'
import { quote, type RateOption } from '../../rating/quote.ts'
import type { Parcel } from '../../rating/request.ts'
import { costOptionOf } from '../../rating/sale.ts'
import type { Service } from '../../rating/sender-service.ts'
import { type ServiceInputs, serviceInputsText } from '../../rating/service-inputs.ts'
import { evenlyChosen } from '../sample/evenly-chosen.ts'
import { openNewestRates, type RatesOfDay } from '../sample/newest-rates.ts'
import { mostRequests, type RequestLimit } from '../sample/request-limit.ts'
import { type ProductRule, type RuleCase, type RuleCases, ruleCasesOnDays } from '../sample/rule-cases.ts'
import { type SampleParcel, sampleParcels } from '../sample/sample-parcels.ts'
import {
  type ListingPair,
  placeName,
  type Route,
  routesOfServices,
  sampleRoutes,
} from '../sample/sample-routes.ts'

/** A price that is below the cost. Amounts are euro cents without VAT. */
export type BelowCost = {
  /** Absent: the price of everyone without terms of their own. */
  readonly accountId?: string
  readonly productId: number
  readonly productName: string
  /** The zone of the card that the price comes from. */
  readonly zone: number
  /** Of one of the units that have this price; 0 for documents. */
  readonly weightGrams: number
  readonly units: number
  /** Services that the price includes. Absent: none. */
  readonly services?: readonly Service[]
  /** The inputs of `services`. Absent: they have none. */
  readonly serviceInputs?: ServiceInputs
  /** The value that the price insures, in euro cents. Absent: none. */
  readonly insuredValueCents?: number
  /** Surcharges that cost more than they are sold for. Absent: there are none. */
  readonly surcharges?: readonly string[]
  /** "ES", or "ES:07" if the ends are in a part of their countries. */
  readonly from: string
  readonly to: string
  readonly day: string
  readonly priceCents: number
  readonly costCents: number
}

export type BelowCostReport = {
  /**
   * One for each account, product, zone, weight band, and surcharges or services with their slots and goods, where it
   * loses most; those that lose most first.
   */
  readonly cells: readonly BelowCost[]
  /** How many there are, of which `cells` has at most `MAX_CELLS`. */
  readonly found: number
  /** Products that a cost card has, but not for every route and weight that they are sold for. */
  readonly withoutCost: readonly number[]
  /** Surcharges and services that none of the requests has. */
  readonly uncovered: readonly ProductRule[]
  /** False if there are too many prices to check all. */
  readonly isComplete: boolean
}

export const MAX_CELLS = 10_000
/** Of one check, and of its surcharges. Each price takes a few microseconds. */
const MAX_QUOTES: RequestLimit = { requests: 100_000, prices: 3_000_000 }
const MAX_RULE_QUOTES: RequestLimit = { requests: 50_000, prices: 1_500_000 }

/** What is checked. `accounts`: undefined stands for everyone without terms of their own. */
export type CheckedPrices = {
  readonly after: RateBook
  /** Prices that were as far below the cost in this book are left out. Undefined: none are. */
  readonly before?: RateBook
  readonly accounts: readonly (string | undefined)[]
  readonly days: readonly string[]
  /** The bounds of discounts and margins. */
  readonly cells: readonly PriceCell[]
  readonly exchangeRates: ExchangeRates
  /** The exchange rates of `before`. Absent: they are `exchangeRates` too. */
  readonly exchangeRatesBefore?: ExchangeRates
}

export function findPricesBelowCost(prices: CheckedPrices): BelowCostReport {
  const { accounts, days, exchangeRates, exchangeRatesBefore = exchangeRates } = prices
  const ratesOf = openNewestRates(exchangeRates)
  const ratesBefore = openNewestRates(exchangeRatesBefore)
  const works = days.map((day) => workOn(prices, day))
  const total = works.reduce((sum, { routes, parcels }) => sum + routes.length * parcels.length, 0)
  const step = stepFor(total * accounts.length, mostRequests(MAX_QUOTES, prices.after))
  const findings: Findings = { found: new Map(), withoutCost: new Set(), tightest: new Map() }
  let position = 0
  for (const { day, routes, parcels } of works)
    for (const accountId of accounts)
      for (const route of routes)
        for (const parcel of parcels) {
          position += 1
          if (position % step === 0)
            check(
              { ...prices, day, accountId, route, parcel, isOfRule: false, ratesOf, ratesBefore },
              findings,
            )
        }
  const { cases, uncovered, isComplete: isEveryTried } = casesOf(works, prices, ratesOf)
  const requests = requestsOf(cases, findings)
  const most = Math.ceil(mostRequests(MAX_RULE_QUOTES, prices.after) / accounts.length)
  const checked = evenlyChosen(requests, most)
  for (const accountId of accounts)
    for (const request of checked)
      check({ ...prices, ...request, accountId, isOfRule: true, ratesOf, ratesBefore }, findings)
  const cells = [...findings.found.values()].sort(
    (a, b) => a.priceCents - a.costCents - (b.priceCents - b.costCents) || a.productId - b.productId,
  )
  return {
    cells: cells.slice(0, MAX_CELLS),
    found: cells.length,
    withoutCost: [...findings.withoutCost].sort((a, b) => a - b),
    uncovered,
    isComplete:
      step === 1 &&
      isEveryTried &&
      checked.length === requests.length &&
      works.every(({ isComplete }) => isComplete),
  }
}

/** What is found. `tightest`: the plain parcel of each product and zone with the smallest margin. */
type Findings = {
  readonly found: Map<string, BelowCost>
  readonly withoutCost: Set<number>
  readonly tightest: Map<string, { readonly parcel: SampleParcel; readonly marginCents: number }>
}

/** Requests with each surcharge on all days. A rule is uncovered if no request of any day has it. */
function casesOf(works: readonly Work[], { after }: CheckedPrices, ratesOf: RatesOfDay): RuleCases {
  const searches = works.map(({ day, soldPairs }) => ({ book: after, pairs: soldPairs, day, ratesOf }))
  return ruleCasesOnDays(searches)
}

type RuleRequest = Pick<RuleCase, 'day' | 'route' | 'parcel'>

/** Each case, and the same with the weight at which the product earns least in its zone. Each request once. */
function requestsOf(cases: readonly RuleCase[], { tightest }: Findings): readonly RuleRequest[] {
  const found = new Map<string, RuleRequest>()
  for (const { productId, zone, day, route, parcel } of cases) {
    const tight = tightest.get(`${productId} ${zone}`)?.parcel.parcels[0]
    const unit = parcel.parcels[0]!
    for (const parcels of tight === undefined ? [[unit]] : [[unit], [{ ...unit, ...weightOf(tight) }]]) {
      const request = { day, route, parcel: { ...parcel, parcels } }
      found.set(JSON.stringify(request), request)
    }
  }
  return [...found.values()]
}

function weightOf({ weightGrams, count }: Parcel): Pick<Parcel, 'weightGrams' | 'count'> {
  return { weightGrams, count }
}

/** Every nth price is checked. A prime number, so that it does not always skip the same weights. */
function stepFor(total: number, most: number): number {
  const least = Math.ceil(total / most)
  if (least <= 1) return 1
  let step = least
  while (
    Array.from({ length: Math.floor(Math.sqrt(step)) - 1 }, (_, at) => at + 2).some((n) => step % n === 0)
  )
    step += 1
  return step
}

/** What is priced on a day. Empty if no product that is sold has a cost. */
type Work = {
  readonly day: string
  readonly routes: readonly Route[]
  readonly parcels: readonly SampleParcel[]
  /** Products that are sold, next to their cost. */
  readonly soldPairs: readonly ListingPair[]
  readonly isComplete: boolean
}

function workOn({ after, cells }: CheckedPrices, day: string): Work {
  const costs = costsOn(after, day)
  const sold = [...after.cards, ...after.contractCards.values()]
    .flatMap((versions) => versionOn(versions, day) ?? [])
    .flatMap((card: BookCard) => [...listingsIn(card)])
    .filter(([productId]) => costs.has(productId))
  // A product is also sold at a margin, with the zones of the cost card.
  const pairOf = ([productId, listing]: readonly [number, Listing]): ListingPair => [
    listing,
    costs.get(productId)!,
  ]
  const pairs = [...sold, ...costs].map(pairOf)
  const { forAll, byAccount } = after.margins
  const atMargin = [...costs].filter(([, { product }]) =>
    [forAll, ...byAccount.values()].some((scope) => hasMargin(scope, product.terms)),
  )
  const listings = [...sold, ...costs].map(([, listing]) => listing)
  const routes = sampleRoutes(pairs, after.capitals)
  const groups = new Set(listings.map(({ group }) => group))
  const more = routesOfServices(groups, routes, after.capitals)
  return {
    day,
    routes: [...routes, ...more],
    soldPairs: [...sold, ...atMargin].map(pairOf),
    ...sampleParcels(listings, { cells }),
  }
}

/** A price that is checked. */
type Checked = CheckedPrices & {
  readonly day: string
  readonly accountId: string | undefined
  readonly route: Route
  readonly parcel: SampleParcel
  /** True for a request that surcharges are charged for. */
  readonly isOfRule: boolean
  readonly ratesOf: RatesOfDay
  readonly ratesBefore: RatesOfDay
}

function check(checked: Checked, findings: Findings): void {
  for (const option of optionsIn(checked.after, checked)) addIfBelow(option, checked, findings)
}

function optionsIn(
  book: RateBook,
  { route: [from, to], parcel, day, accountId, ratesOf }: Checked,
): readonly RateOption[] {
  return quote(book, { from, to, ...parcel }, day, accountId, ratesOf(day)).options
}

function addIfBelow(option: RateOption, checked: Checked, findings: Findings): void {
  const { after, day, parcel, isOfRule } = checked
  const { productId } = option.product
  if (!costsOn(after, day).has(productId)) return
  const cost = costOptionOf(option)
  if (cost === undefined) {
    findings.withoutCost.add(productId)
    return
  }
  const costCents = cost.priceCents
  const { services, insuredValueCents, serviceInputs } = parcel
  const isPlain = services === undefined && insuredValueCents === undefined
  if (isPlain && !isOfRule) noteMargin(option, costCents, checked, findings)
  if (option.priceCents >= costCents || wasAsLow(option, costCents, checked)) return
  if (!isPlain && !isOfRule && losesAsMuchPlain(option, costCents, checked)) return
  const surcharges = dearerSurcharges(option, cost)
  const cell = cellOf(option, costCents, checked, surcharges)
  const place = [cell.accountId, productId, cell.zone, bandText(option)]
  const plain = findings.found.get(JSON.stringify([place, []]))
  if (isOfRule && plain !== undefined && lossOf(cell) <= lossOf(plain) + ROUNDED_CENTS) return
  // Of several amounts to collect, the one that loses most is kept.
  const { cashOnDelivery: _, ...keptInputs } = serviceInputs ?? {}
  const inputs = serviceInputsText(keptInputs)
  const extras = [
    ...(services ?? []),
    inputs,
    insuredValueCents ?? '',
    ...(isOfRule ? surcharges : []),
  ].filter(Boolean)
  const key = JSON.stringify([place, extras])
  const known = findings.found.get(key)
  if (known === undefined || lossOf(cell) > lossOf(known)) findings.found.set(key, cell)
}

/** What percentages of a surcharge differ by, because each line is rounded. */
const ROUNDED_CENTS = 2

function lossOf({ priceCents, costCents }: BelowCost): number {
  return costCents - priceCents
}

/** Those of the cost that the price has for less, or not at all. */
function dearerSurcharges(price: RateOption, cost: RateOption): readonly string[] {
  const sold = surchargesIn(price)
  return [...surchargesIn(cost)].flatMap(([code, figure]) => (figure > (sold.get(code) ?? 0) ? [code] : []))
}

/** The cents of each surcharge or, because its cents depend on the freight, its percentage. */
function surchargesIn({ lines }: RateOption): ReadonlyMap<string, number> {
  const figures = new Map<string, number>()
  for (const { cause, amountCents } of lines) {
    if (cause.kind !== 'surcharge' || cause.surcharge.service !== undefined) continue
    const { code, method, amount } = cause.surcharge
    figures.set(
      code,
      method === 'pct' ? amount : method === 'fuel' ? (cause.fuel?.rateBps ?? 0) : amountCents,
    )
  }
  return figures
}

function noteMargin(
  { product, priceCents, pricing }: RateOption,
  costCents: number,
  { parcel }: Checked,
  { tightest }: Findings,
): void {
  const key = `${product.productId} ${pricing.zoneNumber}`
  const marginCents = priceCents - costCents
  const known = tightest.get(key)
  if (known === undefined || marginCents < known.marginCents) tightest.set(key, { parcel, marginCents })
}

function cellOf(
  option: RateOption,
  costCents: number,
  { day, accountId, route, parcel }: Checked,
  surcharges: readonly string[],
): BelowCost {
  const { productId, productName } = option.product
  const [from, to] = route
  const { weightGrams, count: units } = parcel.parcels[0]!
  const { services, serviceInputs, insuredValueCents } = parcel
  return {
    ...(accountId !== undefined && { accountId }),
    productId,
    productName,
    zone: option.pricing.zoneNumber,
    weightGrams,
    units,
    ...(services !== undefined && { services }),
    ...(serviceInputs !== undefined && { serviceInputs }),
    ...(insuredValueCents !== undefined && { insuredValueCents }),
    ...(surcharges.length > 0 && { surcharges }),
    from: placeName(from),
    to: placeName(to),
    day,
    priceCents: option.priceCents,
    costCents,
  }
}

/** The weight band of the price, or the weight if it is not priced by weight. */
function bandText({ pricing }: RateOption): string {
  const grams = billedShipmentGrams(pricing.product.terms, pricing.chargeable)
  const band = bandOf(pricing.zone.bands, grams)
  return band === undefined ? `at ${grams}` : `band ${band}`
}

function wasAsLow(option: RateOption, costCents: number, checked: Checked): boolean {
  const { before, ratesBefore } = checked
  if (before === undefined) return false
  const old = marginIn(before, { ...checked, ratesOf: ratesBefore }, option)
  return old !== undefined && old <= option.priceCents - costCents
}

/** True if the loss is not due to the services or the insurance of the request. */
function losesAsMuchPlain(option: RateOption, costCents: number, checked: Checked): boolean {
  const { parcels, parcelType, recipient } = checked.parcel
  const plain = marginIn(checked.after, { ...checked, parcel: { parcels, parcelType, recipient } }, option)
  return plain !== undefined && plain <= option.priceCents - costCents
}

/** The price of the same product less its cost; undefined if one of them is not known. */
function marginIn(book: RateBook, checked: Checked, { product }: RateOption): number | undefined {
  const found = optionsIn(book, checked).find((other) => other.product.productId === product.productId)
  const cost = found && costOptionOf(found)?.priceCents
  return found === undefined || cost === undefined ? undefined : found.priceCents - cost
}

/** The accounts with terms of their own, and undefined for everyone else. */
export function accountsWithTerms({ contracts, margins }: RateBook): readonly (string | undefined)[] {
  return [undefined, ...new Set([...contracts.keys(), ...margins.byAccount.keys()])]
}
