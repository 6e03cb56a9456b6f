/**
 * Operation: shipping options for a route and parcels, at the prices of the caller's account.
 * Source: specification 4.1; the model of contracts in src/reference/README.md.
 */
import { note, type ProblemList } from '../core/draft.ts'
import { type InputProblem, inputProblem } from '../core/problem.ts'
import { quote } from '../core/rating/quote.ts'
import type { RateBook } from '../core/rating/rate-book.ts'
import { checkRatesRequest, type RatesDraft } from '../core/rating/request.ts'
import { type SelectedQuote, selectFrom } from '../core/rating/selection.ts'
import { catalogueFor, readSelection, type SelectionDraft } from '../core/rating/selection-request.ts'
import type { Caller, Ports } from './ports.ts'
import { today } from './today.ts'

/** What decides a price beside the request itself: the book, the day and the account. */
export type Pricing = {
  readonly book: RateBook
  /** The day, 'YYYY-MM-DD', where a request names none. */
  readonly date: string
  readonly accountId: string
}

/** What prices requests of a caller at this instant. */
export function openPricing(
  { reference, clock }: Pick<Ports, 'reference' | 'clock'>,
  { accountId }: Pick<Caller, 'accountId'>,
): Pricing {
  return { book: reference.rateBook(), date: today(clock), accountId }
}

/**
 * Prices a draft with the rate book of this instant and the contracts of the caller's account; reads memory only.
 * Without a selection every option is there, cheapest first. Faults of draft and selection are told together.
 */
export function quoteRates(
  ports: Pick<Ports, 'reference' | 'clock'>,
  caller: Pick<Caller, 'accountId'>,
  draft: RatesDraft,
  selection?: SelectionDraft,
): SelectedQuote | InputProblem {
  return quoteWith(openPricing(ports, caller), draft, selection)
}

/** `quoteRates` where the book, the day and the account are settled. */
export function quoteWith(
  { book, date, accountId }: Pricing,
  draft: RatesDraft,
  selectionDraft: SelectionDraft = {},
): SelectedQuote | InputProblem {
  const problems: ProblemList = []
  const request = checkRatesRequest(draft)
  const selection = readSelection(problems, selectionDraft, catalogueFor(book, accountId))
  if ('kind' in request) return inputProblem([...request.fields, ...problems])
  const day = request.date ?? date
  if (day < book.since) note(problems, ['asOf'], 'OUT_OF_RANGE', `prices are kept back to ${book.since} only`)
  if (problems.length > 0) return inputProblem(problems)
  return selectFrom(quote(book, request, day, accountId), selection)
}
