/**
 * Operation: quotes shipping options for a route and parcels, at the prices of the caller's account. Takes one request
 * or a batch. See docs/rate-cards.md and schema/rates.graphql (`ratesBatch`).
 */
import type { CompiledCustoms } from '../core/customs/compiled-customs.ts'
import { isAbsent, note, type ProblemList, readDay, readInstant, readList } from '../core/input.ts'
import { type InputProblem, inputProblem } from '../core/problem.ts'
import type { RateBook } from '../core/rating/book/rate-book.ts'
import { dayNumber, dayText } from '../core/rating/delivery/work-calendar.ts'
import { withoutTerms } from '../core/rating/public-quote.ts'
import { quote, type RateQuote } from '../core/rating/quote.ts'
import {
  checkRatesRequest,
  RATES_LIMITS,
  type RatesInput,
  type RatesRequest,
} from '../core/rating/request.ts'
import {
  catalogueFor,
  readSelection,
  type SelectedQuote,
  type SelectionInput,
  selectFrom,
} from '../core/rating/selection.ts'
import { cartText } from './cart.ts'
import type { Caller } from './ports/caller.ts'
import { Forbidden, type WebPage } from './ports/key-rules.ts'
import type { Ports } from './ports/ports.ts'
import { today } from './ports/ports.ts'
import { inTurns, type Turns } from './ports/work.ts'

/** What determines a price besides the request. */
export type Pricing = {
  readonly book: RateBook
  /** Also for an estimate of the same request. */
  readonly tables: CompiledCustoms
  /** 'YYYY-MM-DD', for requests that name no day. */
  readonly date: string
  /** Undefined: list prices. */
  readonly accountId: string | undefined
  /** The result has no terms of contracts then. */
  readonly page: WebPage | undefined
}

export function openPricing(
  { reference, clock }: Pick<Ports, 'reference' | 'clock'>,
  caller: PricedCaller,
): Pricing {
  return {
    book: reference.rateBook(),
    tables: reference.customsTables(),
    date: today(clock),
    page: caller.page,
    accountId: seesContract(caller) ? caller.accountId : undefined,
  }
}

/** Whether prices are those of the account's contract. Otherwise they are list prices. */
export function seesContract({ page }: Pick<Caller, 'page'>): boolean {
  return page === undefined || page.permission !== undefined
}

/** All options of an account for a request, at the prices of today. */
export function quoteToday(
  { reference, clock }: Pick<Ports, 'reference' | 'clock'>,
  request: RatesRequest,
  accountId: string,
): RateQuote {
  return quote(reference.rateBook(), request, today(clock), accountId, reference.customsTables())
}

export type PricedCaller = Pick<Caller, 'accountId' | 'page'>

/**
 * Prices a request with the current rate book and the contracts of the caller's account. Reads memory only. Without a
 * selection it returns all options, cheapest first. Faults of the request and the selection are reported together.
 * Throws Forbidden if the caller is a web page whose checkout token is missing or for another cart.
 */
export function quoteRates(
  ports: QuotePorts,
  caller: PricedCaller,
  input: RatesInput,
  selection?: SelectionInput,
): SelectedQuote | InputProblem {
  return quoteObserved(ports, openPricing(ports, caller), input, selection)
}

type QuotePorts = Pick<Ports, 'reference' | 'clock' | 'observer'>

function quoteObserved(
  { observer }: QuotePorts,
  pricing: Pricing,
  input: RatesInput,
  selection?: SelectionInput,
): SelectedQuote | InputProblem {
  if (observer === undefined) return quoteWith(pricing, input, selection)
  const begunAt = observer.now()
  const outcome = observer.within('rates', () => quoteWith(pricing, input, selection))
  observer.ended('rates', outcome, begunAt)
  if (outcome.kind === 'RateQuote') observer.quoted(outcome)
  return outcome
}

/** `quoteRates` with a given book, day and account. */
export function quoteWith(
  { book, tables, date, accountId, page }: Pricing,
  input: RatesInput,
  selectionInput: SelectionInput = {},
): SelectedQuote | InputProblem {
  const problems: ProblemList = []
  const request = checkRatesRequest(input)
  const selection = readSelection(problems, selectionInput, catalogueFor(book, accountId))
  // Also read if the request has other faults, so that all faults are reported together.
  const day = isAbsent(input.asOf) ? date : (readInstant([], ['asOf'], input.asOf) ?? date)
  if (day < book.since)
    note(problems, ['asOf'], 'OUT_OF_RANGE', `must not be before ${book.since}: earlier prices are not kept`)
  checkShippingDate(problems, input.shippingDate, date)
  if (page !== undefined && !isAbsent(input.asOf))
    note(
      problems,
      ['asOf'],
      'CONFLICT',
      'must be left out, because a publishable key gets the prices of today',
    )
  if ('kind' in request) return inputProblem([...request.fields, ...problems])
  if (problems.length > 0) return inputProblem(problems)
  if (page !== undefined) demandPermission(page, request)
  const selected = selectFrom(quote(book, request, day, accountId, tables), selection)
  return page === undefined ? selected : withoutTerms(selected)
}

function demandPermission({ needsCheckoutToken, permission }: WebPage, request: RatesRequest): void {
  if (permission === undefined) {
    if (!needsCheckoutToken) return
    throw new Forbidden('CHECKOUT_TOKEN_REJECTED', 'Prices need a checkout token in X-Checkout-Token')
  }
  const { toCountry } = permission
  if (toCountry !== undefined && toCountry !== request.to.country)
    throw new Forbidden('CHECKOUT_TOKEN_REJECTED', 'The checkout token is for another country')
  if (!permission.coversCart(cartText(request)))
    throw new Forbidden(
      'CHECKOUT_TOKEN_REJECTED',
      'The checkout token is for other parcels, or another sender',
    )
}

/**
 * A shipping date can be at most a year ahead, and not in the past. The day before `today` (UTC) is the current day in
 * some countries.
 */
function checkShippingDate(problems: ProblemList, value: unknown, today: string): void {
  const day = readDay([], ['shippingDate'], value)
  if (day === undefined) return
  const [first, last] = [dayText(dayNumber(today) - 1), dayText(dayNumber(today) + 365)]
  if (day < first) note(problems, ['shippingDate'], 'OUT_OF_RANGE', 'must not be in the past')
  if (day > last)
    note(problems, ['shippingDate'], 'OUT_OF_RANGE', `must be at most a year ahead, not after ${last}`)
}

export type BatchEntry = { readonly input: RatesInput; readonly selection?: SelectionInput }

/** `results` has the order of the requests. */
export type RatesBatch = {
  readonly kind: 'RatesBatch'
  readonly results: readonly (SelectedQuote | InputProblem)[]
}

/** `parcelRows` limits the rows of a whole batch, to about ten requests of maximum size. */
export const BATCH_LIMITS = { requests: 50, parcelRows: 1_000 } as const

/**
 * Prices each request like `quoteRates`, in order, all with the same book and day. An invalid request does not affect
 * the others. A batch that is empty or exceeds a limit is refused as a whole, with the path `inputs`. A thousand rows
 * take about 20 ms. Rejects if `turns.next` rejects.
 */
export async function quoteRatesBatch(
  ports: QuotePorts,
  caller: PricedCaller,
  entries: readonly BatchEntry[],
  turns: Turns,
): Promise<RatesBatch | InputProblem> {
  const problems: ProblemList = []
  readList(problems, ['inputs'], entries, BATCH_LIMITS.requests)
  if (pricedRows(entries) > BATCH_LIMITS.parcelRows)
    note(
      problems,
      ['inputs'],
      'TOO_MANY',
      `must have at most ${BATCH_LIMITS.parcelRows} parcel rows in total`,
    )
  if (problems.length > 0) return inputProblem(problems)
  const pricing = openPricing(ports, caller)
  const results = await inTurns(entries, turns, ({ input, selection }) =>
    quoteObserved(ports, pricing, input, selection),
  )
  return { kind: 'RatesBatch', results }
}

/** Requests with too many rows do not count: they are refused without being priced. */
function pricedRows(entries: readonly BatchEntry[]): number {
  let rows = 0
  for (const { input } of entries)
    if (Array.isArray(input.parcels) && input.parcels.length <= RATES_LIMITS.parcelRows)
      rows += input.parcels.length
  return rows
}
