/**
 * Finds prices below the cost: prices of each product, zone and weight in a rate book, of each account with terms of
 * its own and of everyone else, next to the prices of the cost cards. See docs/rate-cards.md#prices-below-cost.
 */
import type { RateSource } from '../../customs/data/exchange-rate.ts'
import type { BookCard } from '../../rating/book/book-card.ts'
import { billedShipmentGrams } from '../../rating/book/chargeable-weight.ts'
import { costsOn, type Listing, listingsIn, type RateBook, versionOn } from '../../rating/book/rate-book.ts'
import { bandOf } from '../../rating/price/base-charge.ts'
import type { PriceCell } from '../../rating/price-cell.ts'
import { quote, type RateOption } from '../../rating/quote.ts'
import { costOptionOf } from '../../rating/sale.ts'
import type { Service } from '../../rating/sender-service.ts'
import { type ServiceInputs, serviceInputsText } from '../../rating/service-inputs.ts'
import { type SampleParcel, sampleParcels } from './sample-parcels.ts'
import { type BoughtAndSold, type Route, routesOfServices, sampleRoutes } from './sample-routes.ts'

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
  readonly from: string
  readonly to: string
  readonly day: string
  readonly priceCents: number
  readonly costCents: number
}

export type BelowCostReport = {
  /**
   * One for each account, product, zone, weight band, and services with their slots and goods, where it loses most;
   * those that lose most first.
   */
  readonly cells: readonly BelowCost[]
  /** How many there are, of which `cells` has at most `MAX_CELLS`. */
  readonly found: number
  /** Products that a cost card has, but not for every route and weight that they are sold for. */
  readonly withoutCost: readonly number[]
  /** False if there are too many prices to check all. */
  readonly isComplete: boolean
}

export const MAX_CELLS = 10_000
/** Quotes of one check. Each takes about 10 µs. */
const MAX_QUOTES = 100_000

/** What is checked. `accounts`: undefined stands for everyone without terms of their own. */
export type CheckedPrices = {
  readonly after: RateBook
  /** Prices that were as far below the cost in this book are left out. Undefined: none are. */
  readonly before?: RateBook
  readonly accounts: readonly (string | undefined)[]
  readonly days: readonly string[]
  /** The bounds of discounts and margins. */
  readonly cells: readonly PriceCell[]
  readonly rateSource: RateSource
  /** The exchange rates of `before`. Absent: they are `rateSource` too. */
  readonly rateSourceBefore?: RateSource
}

export function findPricesBelowCost(prices: CheckedPrices): BelowCostReport {
  const { after, accounts, days } = prices
  const works = days.map((day) => workOn(prices, day))
  const total = works.reduce((sum, { routes, parcels }) => sum + routes.length * parcels.length, 0)
  const step = stepFor(total * accounts.length)
  const found = new Map<string, BelowCost>()
  const withoutCost = new Set<number>()
  let position = 0
  for (const { day, routes, parcels } of works)
    for (const accountId of accounts)
      for (const route of routes)
        for (const parcel of parcels) {
          position += 1
          if (position % step !== 0) continue
          const checked = { ...prices, day, accountId, route, parcel }
          for (const option of optionsIn(after, checked)) addIfBelow(option, checked, found, withoutCost)
        }
  const cells = [...found.values()].sort(
    (a, b) => a.priceCents - a.costCents - (b.priceCents - b.costCents) || a.productId - b.productId,
  )
  return {
    cells: cells.slice(0, MAX_CELLS),
    found: cells.length,
    withoutCost: [...withoutCost].sort((a, b) => a - b),
    isComplete: step === 1 && works.every(({ isComplete }) => isComplete),
  }
}

/** Every nth price is checked. A prime number, so that it does not always skip the same weights. */
function stepFor(total: number): number {
  const least = Math.ceil(total / MAX_QUOTES)
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
  readonly isComplete: boolean
}

function workOn({ after, cells }: CheckedPrices, day: string): Work {
  const costs = costsOn(after, day)
  const sold = [...after.cards, ...after.contractCards.values()]
    .flatMap((versions) => versionOn(versions, day) ?? [])
    .flatMap((card: BookCard) => [...listingsIn(card)])
    .filter(([productId]) => costs.has(productId))
  // A product is also sold at a margin, with the zones of the cost card.
  const pairs = [...sold, ...costs].map(([productId, listing]) => ({
    sold: partOf(listing),
    bought: partOf(costs.get(productId)!),
  }))
  const listings = [...sold, ...costs].map(([, listing]) => listing)
  const routes = sampleRoutes(pairs, after.capitals)
  const groups = new Set(listings.map(({ group }) => group))
  const more = routesOfServices(groups, routes, after.capitals)
  return { day, routes: [...routes, ...more], ...sampleParcels(listings, cells) }
}

function partOf({ group, product }: Listing): BoughtAndSold['sold'] {
  return { route: group.route, terms: product.terms }
}

/** A price that is checked. */
type Checked = CheckedPrices & {
  readonly day: string
  readonly accountId: string | undefined
  readonly route: Route
  readonly parcel: SampleParcel
}

function optionsIn(
  book: RateBook,
  { route: [from, to], parcel, day, accountId, rateSource }: Checked,
): readonly RateOption[] {
  return quote(book, { from, to, ...parcel }, day, accountId, rateSource).options
}

function addIfBelow(
  option: RateOption,
  checked: Checked,
  found: Map<string, BelowCost>,
  withoutCost: Set<number>,
): void {
  const { after, day, accountId, route, parcel } = checked
  const { productId, productName } = option.product
  if (!costsOn(after, day).has(productId)) return
  const costCents = costOptionOf(option)?.priceCents
  if (costCents === undefined) {
    withoutCost.add(productId)
    return
  }
  const { priceCents, pricing } = option
  if (priceCents >= costCents || wasAsLow(option, costCents, checked)) return
  const [from, to] = route
  const { weightGrams, count: units } = parcel.parcels[0]!
  const { services, serviceInputs, insuredValueCents } = parcel
  if ((services ?? insuredValueCents) !== undefined && losesAsMuchPlain(option, costCents, checked)) return
  const cell: BelowCost = {
    ...(accountId !== undefined && { accountId }),
    productId,
    productName,
    zone: pricing.zoneNumber,
    weightGrams,
    units,
    ...(services !== undefined && { services }),
    ...(serviceInputs !== undefined && { serviceInputs }),
    ...(insuredValueCents !== undefined && { insuredValueCents }),
    from: from.country,
    to: to.country,
    day,
    priceCents,
    costCents,
  }
  // Of several amounts to collect, the one that loses most is kept.
  const { cashOnDelivery: _, ...keptInputs } = serviceInputs ?? {}
  const extras = `${services?.join('+') ?? ''} ${serviceInputsText(keptInputs)} ${insuredValueCents ?? ''}`
  const key = `${accountId ?? ''} ${productId} ${cell.zone} ${bandText(option)} ${extras}`
  const known = found.get(key)
  if (known === undefined || priceCents - costCents < known.priceCents - known.costCents) found.set(key, cell)
}

/** The weight band of the price, or the weight if it is not priced by weight. */
function bandText({ pricing }: RateOption): string {
  const grams = billedShipmentGrams(pricing.product.terms, pricing.chargeable)
  const band = bandOf(pricing.zone.bands, grams)
  return band === undefined ? `at ${grams}` : `band ${band}`
}

function wasAsLow(option: RateOption, costCents: number, checked: Checked): boolean {
  const { before, rateSource, rateSourceBefore = rateSource } = checked
  if (before === undefined) return false
  const old = marginIn(before, { ...checked, rateSource: rateSourceBefore }, option)
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
