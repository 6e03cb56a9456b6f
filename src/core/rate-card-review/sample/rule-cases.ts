/**
 * Requests that surcharges and services are charged for: one for each amount of a rule, on a route to each zone. They
 * are found by trial among requests with the figures, words and days of the rule, because conditions are expressions.
 * Surcharges that none of them triggers are named.
 */
import { visit } from '../../expressions/syntax.ts'
import { groupBy } from '../../group-by.ts'
import type { Listing, RateBook } from '../../rating/book/rate-book.ts'
import { offersOf } from '../../rating/book/service-offer.ts'
import { dayNumber, type Surcharge } from '../../rating/book/surcharge.ts'
import { isDecline, priceOption } from '../../rating/option.ts'
import { openGroup, openRequestFacts } from '../../rating/price/request-facts.ts'
import type { BookTerms } from '../../rating/rate-card.ts'
import { RECIPIENTS, type Recipient } from '../../rating/request.ts'
import { isService as isServiceName } from '../../rating/sender-service.ts'
import { evenlyChosen } from './evenly-chosen.ts'
import type { RatesOfDay } from './newest-rates.ts'
import { daysOfRule } from './rule-days.ts'
import { figuresOf, type RuleFigures } from './rule-figures.ts'
import { unitsOfRule } from './rule-units.ts'
import type { SampleParcel } from './sample-parcels.ts'
import { isServed, type ListingPair, type Route, routesOfRule } from './sample-routes.ts'
import { type SampleServices, sampleServices } from './sample-services.ts'

/** A surcharge or service of a product. `code` as in discounts: a service has its own name. */
export type ProductRule = { readonly productId: number; readonly code: string }

/** A request of a day whose price in one of the listings includes the surcharge or service. */
export type RuleCase = ProductRule & {
  readonly isService: boolean
  /** In the first listing of the pair. */
  readonly zone: number
  readonly day: string
  readonly route: Route
  readonly parcel: SampleParcel
}

export type RuleCases = {
  readonly cases: readonly RuleCase[]
  /** The rules without a request. */
  readonly uncovered: readonly ProductRule[]
  /** False if some rule was tried with fewer requests than usual: there are very many rules, or long expressions. */
  readonly isComplete: boolean
}

/** Requests that are tried for a rule, those that are tried on every route of it, and those that are kept. */
const [MAX_TRIES, FEW_REQUESTS, MAX_CASES] = [3_000, 10, 100]
/** Parts of expressions that all tries evaluate. Each try prices a product with all its rules. */
const MAX_PARTS = 200_000_000
/** Amounts of a rule that does not depend on the route, and routes that they are looked for on. */
const [MAX_KEPT, FEW_ROUTES] = [12, 6]

/** What requests are tried with. */
export type RuleSearch = {
  readonly book: RateBook
  readonly pairs: readonly ListingPair[]
  readonly day: string
  readonly ratesOf: RatesOfDay
}

/** For several days. A rule is uncovered if no request of any day has it. */
export function ruleCasesOnDays(searches: readonly RuleSearch[]): RuleCases {
  const searched: { readonly search: RuleSearch; readonly found: RuleCases }[] = []
  const ofDays = searches.map((search) => {
    const known = searched.find((other) => hasSamePairs(other.search, search))
    const found = known?.found ?? ruleCases(search)
    if (known === undefined) searched.push({ search, found })
    // The requests of a day are made for the next one too, and those of a season are not.
    return known === undefined ? found.cases : found.cases.flatMap((one) => onDay(one, known.search, search))
  })
  const keyOf = ({ productId, code }: ProductRule): string => `${productId} ${code}`
  const covered = new Set(ofDays.flat().map(keyOf))
  const uncovered = searched.flatMap(({ found }) => found.uncovered)
  return {
    cases: ofDays.flat(),
    uncovered: [...new Map(uncovered.map((rule) => [keyOf(rule), rule])).values()].filter(
      (rule) => !covered.has(keyOf(rule)),
    ),
    isComplete: searched.every(({ found }) => found.isComplete),
  }
}

function hasSamePairs({ pairs }: RuleSearch, { pairs: others }: RuleSearch): boolean {
  const isSame = (pair: ListingPair, other: ListingPair | undefined): boolean =>
    pair.every(({ product }, at) => product === other?.[at]?.product)
  return pairs.length === others.length && pairs.every((pair, at) => isSame(pair, others[at]))
}

function onDay(one: RuleCase, { day: known }: RuleSearch, { day }: RuleSearch): readonly RuleCase[] {
  return one.day === known ? [{ ...one, day }] : []
}

function ruleCases(search: RuleSearch): RuleCases {
  const cases = new Map<string, RuleCase>()
  const uncovered = new Map<string, ProductRule>()
  const covered = new Set<string>()
  const services = sampleServices(new Set(search.pairs.flat().map(({ group }) => group))).sets
  const routesFor = openRuleRoutes(search)
  const ofPairs = search.pairs.map((pair) => ({ pair, rules: rulesOf(pair, search.day) }))
  const tries = triesFor(ofPairs.map(({ rules }) => rules.map(({ rule }) => rule)))
  let isComplete = true
  for (const { pair, rules } of ofPairs) {
    const { terms } = pair[0].product
    const { productId } = terms
    for (const alike of groupBy(rules, requestsKey).values()) {
      const shared = { ...search, ...openRequests({ ...search, pair, services }), pair, tries }
      for (const { rule, figures } of alike) {
        const { found, isEvery } = casesOf({ ...shared, rule, figures }, routesFor)
        if (!isEvery) isComplete = false
        for (const one of found) cases.set(JSON.stringify([one.day, one.route, one.parcel, productId]), one)
        const code = rule.service ?? rule.code
        const key = `${productId} ${code}`
        if (found.length > 0) covered.add(key)
        else if (canApply(figures, terms)) uncovered.set(key, { productId, code })
      }
    }
  }
  return {
    cases: [...cases.values()],
    uncovered: [...uncovered].flatMap(([key, rule]) => (covered.has(key) ? [] : [rule])),
    isComplete,
  }
}

/** How many requests are tried for each rule, fewer if the rules of the products have long expressions. */
export function triesFor(
  rulesOfPairs: readonly (readonly Pick<Surcharge, 'condition' | 'formula'>[])[],
): number {
  let parts = 0
  for (const rules of rulesOfPairs) {
    let ofTry = 0
    for (const { condition, formula } of rules) {
      ofTry += 1
      for (const rule of [condition, formula]) if (rule !== undefined) visit(rule.syntax, () => (ofTry += 1))
    }
    parts += rules.length * ofTry
  }
  return Math.max(1, Math.min(MAX_TRIES, Math.floor(MAX_PARTS / Math.max(1, parts))))
}

/** False for sizes of documents, which have none, and for recipients that a product is not for. */
function canApply({ names, lengths, volumes }: RuleFigures, { parcelType, recipient }: BookTerms): boolean {
  if (parcelType === 'DOC' && lengths.length + volumes.length > 0) return false
  return recipient === 'any' || RECIPIENTS.every((other) => other === recipient || !names.has(other))
}

type Rule = { readonly rule: Surcharge; readonly figures: RuleFigures }

/** Countries of a service's row at either end. */
const COUNTRIES_OF_SERVICE = 3

/** The surcharges and services of both listings that can apply on the day or later. */
function rulesOf(pair: ListingPair, day: string): readonly Rule[] {
  const found = new Map<Surcharge, RuleFigures>()
  for (const { group, product } of pair) {
    for (const rule of group.surcharges) found.set(rule, figuresOf(rule))
    for (const { row, charge } of offersOf(group.services, product.terms.productId)) {
      const countries = [row.fromCountries, row.toCountries].flatMap((codes) =>
        (codes ?? []).slice(0, COUNTRIES_OF_SERVICE),
      )
      const figures = figuresOf(charge)
      found.set(charge, { ...figures, names: new Set([...figures.names, ...countries]) })
    }
  }
  return [...found].flatMap(([rule, figures]) => (rule.endDay > dayNumber(day) ? [{ rule, figures }] : []))
}

type RoutesOfRule = (pair: ListingPair, figures: RuleFigures) => readonly Route[]

/** Many rules depend on the same areas, and many pairs have the same charts. */
function openRuleRoutes({ book }: RuleSearch): RoutesOfRule {
  const known = new Map<string, readonly Route[]>()
  const ids = new Map<object, number>()
  const idOf = (table: object): number => {
    const id = ids.get(table) ?? ids.size
    ids.set(table, id)
    return id
  }
  return (pair, { names }) => {
    const usesAreas = AREA_NAMES.some((name) => names.has(name))
    const words = new Set([...names].filter((name) => name !== name.toLowerCase()))
    const kinds = pair.map(({ group, product: { terms } }) => [
      idOf(group.route),
      terms.scope,
      terms.fromCountries ?? null,
    ])
    const key = JSON.stringify([kinds, usesAreas, [...words].sort()])
    const routes = known.get(key) ?? routesOfRule(pair, { usesAreas, words }, book.capitals)
    known.set(key, routes)
    return routes
  }
}

const AREA_NAMES = ['area', 'from_area', 'to_area']
const ROUTE_NAMES = [
  ...AREA_NAMES,
  ...['from_group', 'to_group', 'from_country', 'to_country', 'zone', 'domestic', 'international'],
]

type Trial = RuleSearch &
  Rule &
  OpenRequests & {
    readonly pair: ListingPair
    readonly tries: number
  }

/** One request for each amount, on a route to each zone. `isEvery` is false if fewer requests were tried than usual. */
function casesOf(
  trial: Trial,
  routesFor: RoutesOfRule,
): { readonly found: readonly RuleCase[]; readonly isEvery: boolean } {
  const { rule, figures, pair, book, tries, requestsFor } = trial
  const isLimited = tries < MAX_TRIES
  let isEvery = true
  const routes = routesFor(pair, figures).filter((route) => isServed(pair, route, book.capitals))
  const isOfRoute = rule.service !== undefined || ROUTE_NAMES.some((name) => figures.names.has(name))
  const few = isOfRoute ? routes : evenlyChosen(routes, FEW_ROUTES)
  for (const isWide of [false, true]) {
    const requests = requestsFor(trial, isWide)
    const usual = Math.max(FEW_REQUESTS, MAX_TRIES / Math.max(1, few.length))
    const most = isLimited ? Math.max(1, tries / Math.max(1, few.length)) : usual
    const some = evenlyChosen(requests, most)
    if (some.length < Math.floor(Math.min(requests.length, usual))) isEvery = false
    const hits = tryAll(trial, some, few)
    if (hits.length === 0) continue
    const ofAmounts = distinctBy(hits, ({ amounts }) => amounts)
    const mostKept = isLimited
      ? Math.max(1, Math.min(MAX_KEPT, tries / Math.max(1, routes.length)))
      : MAX_KEPT
    const kept = evenlyChosen(ofAmounts, mostKept)
    if (!isOfRoute && kept.length < Math.min(ofAmounts.length, MAX_KEPT)) isEvery = false
    const all = isOfRoute
      ? hits
      : tryAll(
          trial,
          kept.map(({ request }) => request),
          routes,
        )
    const cases = distinctBy(all, ({ found, amounts }) => `${found.zone} ${amounts}`)
    return { found: evenlyChosen(cases, MAX_CASES).map(({ found }) => found), isEvery }
  }
  return { found: [], isEvery }
}

type Request = SampleParcel & { readonly day: string }

/** `amounts` of the surcharges and services in both listings. */
type Hit = { readonly request: Request; readonly found: RuleCase; readonly amounts: string }

function distinctBy(hits: readonly Hit[], keyOf: (hit: Hit) => string): readonly Hit[] {
  const first = new Map<string, Hit>()
  for (const hit of hits) if (!first.has(keyOf(hit))) first.set(keyOf(hit), hit)
  return [...first.values()]
}

function tryAll(trial: Trial, requests: readonly Request[], routes: readonly Route[]): readonly Hit[] {
  return requests.flatMap((request) => routes.flatMap((route) => hitOf(trial, request, route) ?? []))
}

/** Undefined if a listing declines the request, or neither charges the rule for it. */
function hitOf({ rule, pair, pricesFor }: Trial, request: Request, route: Route): Hit | undefined {
  const prices = pricesFor(request, route)
  if (prices?.rules.has(rule) !== true) return undefined
  const { zone, amounts } = prices
  const { day, ...parcel } = request
  const { productId } = pair[0].product.terms
  const isService = rule.service !== undefined
  const code = rule.service ?? rule.code
  return { request, amounts, found: { productId, code, isService, zone, day, route, parcel } }
}

/** `rules` are charged in one of the listings, `amounts` are those of both, `zone` is that of the first. */
type Prices = { readonly rules: ReadonlySet<Surcharge>; readonly amounts: string; readonly zone: number }

/** The requests of rules with the same `requestsKey`, and their prices in both listings of a pair. */
type OpenRequests = {
  requestsFor(rule: Rule, isWide: boolean): readonly Request[]
  /** Undefined if a listing declines the request. */
  pricesFor(request: Request, route: Route): Prices | undefined
}

/** What `requestsOf` makes requests from. It is the same for a rule in both listings of a pair. */
function requestsKey({ rule: { service, validFrom }, figures }: Rule): string {
  return JSON.stringify([service, validFrom, { ...figures, names: [...figures.names] }])
}

type RequestSource = RuleSearch & {
  readonly pair: ListingPair
  readonly services: readonly SampleServices[]
}

/** Makes requests and prices each of them once. */
function openRequests(source: RequestSource): OpenRequests {
  const made = new Map<boolean, readonly Request[]>()
  const priced = new Map<Request, Map<Route, Prices | undefined>>()
  return {
    requestsFor(rule, isWide) {
      const requests = made.get(isWide) ?? requestsOf(rule, source, isWide)
      made.set(isWide, requests)
      return requests
    },
    pricesFor(request, route) {
      const known = priced.get(request) ?? new Map<Route, Prices | undefined>()
      priced.set(request, known)
      if (!known.has(route)) known.set(route, pricesOf(source, request, route))
      return known.get(route)
    },
  }
}

function pricesOf(
  { book, ratesOf, pair: [one, other] }: RequestSource,
  { day, ...parcel }: Request,
  [from, to]: Route,
): Prices | undefined {
  const facts = openRequestFacts(book, { from, to, ...parcel }, day, ratesOf(day))
  const priceIn = ({ group, product }: Listing) => priceOption(openGroup(facts, group), product, undefined)
  const first = priceIn(one)
  if (isDecline(first)) return undefined
  const second = other.product === one.product ? first : priceIn(other)
  if (isDecline(second)) return undefined
  const rules = new Set<Surcharge>()
  let amounts = ''
  for (const { lines } of [first, second]) {
    for (const { cause, amountCents } of lines) {
      if (cause.kind !== 'surcharge') continue
      const { surcharge } = cause
      rules.add(surcharge)
      // The amount of a percentage is left out, because it depends on the zone.
      amounts += `${surcharge.code} ${surcharge.phase === 'percent' ? '' : amountCents},`
    }
    amounts += ';'
  }
  return { rules, amounts, zone: first.pricing.zoneNumber }
}

/** Every combination of the units, recipients, days, services and values that the rule can depend on. */
function requestsOf(
  { rule, figures }: Rule,
  { pair, services, day }: RequestSource,
  isWide: boolean,
): readonly Request[] {
  const { terms } = pair[0].product
  const { parcelType } = terms
  const recipients = recipientsOf(figures, terms)
  const days = daysOfRule(rule, figures, { day, isWide })
  const chosen = servicesOf(rule, figures, services)
  const values = insuredValuesOf(figures)
  return unitsOfRule(figures, terms, isWide).flatMap((unit) =>
    recipients.flatMap((recipient) =>
      days.flatMap((date) =>
        chosen.flatMap((some) =>
          values.map((value) => ({ day: date, parcelType, parcels: [unit], recipient, ...some, ...value })),
        ),
      ),
    ),
  )
}

function recipientsOf({ names }: RuleFigures, { recipient }: BookTerms): readonly Recipient[] {
  if (names.has('recipient')) return RECIPIENTS
  return [recipient === 'individual' ? 'individual' : 'business']
}

/** Names of measures that a service has inputs for. */
const INPUT_NAMES = ['slot', 'cod_amount', 'cod_currency', 'un_number', 'dg_class', 'packing_group']
const MORE_INPUT_NAMES = ['limited_quantity', 'dg_net_kg', 'dg_packages']

function servicesOf(
  { service }: Surcharge,
  { names }: RuleFigures,
  sets: readonly SampleServices[],
): readonly SampleServices['chosen'][] {
  const ofName = (name: string) =>
    sets.flatMap(({ chosen }) => (chosen.services?.some((other) => other === name) === true ? chosen : []))
  if (service !== undefined) return ofName(service)
  const usesInputs = [...INPUT_NAMES, ...MORE_INPUT_NAMES].some((name) => names.has(name))
  const named = usesInputs
    ? sets.map(({ chosen }) => chosen)
    : [...names].filter(isServiceName).flatMap(ofName)
  return [{}, ...named]
}

/** In euro cents: those that the rule compares, and the next ones. */
function insuredValuesOf({
  names,
  numbers,
}: RuleFigures): readonly Pick<SampleParcel, 'insuredValueCents'>[] {
  if (!names.has('value')) return [{}]
  const cents = numbers.flatMap((thousandths) => [
    thousandths / 10 + 1,
    thousandths / 10,
    thousandths / 10 - 1,
  ])
  const possible = [...new Set(cents.map(Math.floor))].filter((value) => value > 0)
  return [{}, ...possible.map((insuredValueCents) => ({ insuredValueCents }))]
}
