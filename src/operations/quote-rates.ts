/**
 * Operation: shipping options for a route and parcels, at the prices of the caller's account.
 * Source: specification 4.1; the model of contracts in src/reference/README.md.
 */
import { note, type ProblemList, readList } from '../core/input.ts'
import { type InputProblem, inputProblem } from '../core/problem.ts'
import type { RateBook } from '../core/rating/book/rate-book.ts'
import { quote } from '../core/rating/quote.ts'
import { checkRatesRequest, RATES_LIMITS, type RatesInput } from '../core/rating/request.ts'
import {
  catalogueFor,
  readSelection,
  type SelectedQuote,
  type SelectionInput,
  selectFrom,
} from '../core/rating/selection.ts'
import type { Caller } from './ports/caller.ts'
import type { Ports } from './ports/ports.ts'
import { today } from './ports/ports.ts'

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
  input: RatesInput,
  selection?: SelectionInput,
): SelectedQuote | InputProblem {
  return quoteWith(openPricing(ports, caller), input, selection)
}

/** `quoteRates` where the book, the day and the account are settled. */
export function quoteWith(
  { book, date, accountId }: Pricing,
  input: RatesInput,
  selectionDraft: SelectionInput = {},
): SelectedQuote | InputProblem {
  const problems: ProblemList = []
  const request = checkRatesRequest(input)
  const selection = readSelection(problems, selectionDraft, catalogueFor(book, accountId))
  if ('kind' in request) return inputProblem([...request.fields, ...problems])
  const day = request.date ?? date
  if (day < book.since) note(problems, ['asOf'], 'OUT_OF_RANGE', `prices are kept back to ${book.since} only`)
  if (problems.length > 0) return inputProblem(problems)
  return selectFrom(quote(book, request, day, accountId), selection)
}

// Operation: several rates requests at once, to compare what-ifs. Source: schema/rates.graphql (`ratesBatch`).

/** One request of a batch, and what to show of its quote. */
export type BatchEntry = { readonly input: RatesInput; readonly selection?: SelectionInput }

/** Limits of one batch. The rows are those of about ten requests of the largest size. */
export const BATCH_LIMITS = { requests: 50, parcelRows: 1_000 } as const

/**
 * Prices each draft as `quoteRates` does, in their order, all with the same book on the same day: what differs
 * between two answers is due to the requests. One draft at fault does not touch the others. A batch past a limit,
 * or of nothing, is refused as a whole under the name `inputs`. Awaits `pause` before each request, so that others are
 * let through: a thousand rows are some 20 ms. Rejects with what `pause` rejects with.
 */
export async function quoteRatesBatch(
  ports: Pick<Ports, 'reference' | 'clock'>,
  caller: Pick<Caller, 'accountId'>,
  entries: readonly BatchEntry[],
  pause: () => Promise<void>,
): Promise<readonly (SelectedQuote | InputProblem)[] | InputProblem> {
  const problems: ProblemList = []
  readList(problems, ['inputs'], entries, BATCH_LIMITS.requests)
  if (pricedRows(entries) > BATCH_LIMITS.parcelRows)
    note(problems, ['inputs'], 'TOO_MANY', `at most ${BATCH_LIMITS.parcelRows} parcel rows in all`)
  if (problems.length > 0) return inputProblem(problems)
  const pricing = openPricing(ports, caller)
  const quoted: (SelectedQuote | InputProblem)[] = []
  for (const { input: draft, selection } of entries) {
    await pause()
    quoted.push(quoteWith(pricing, draft, selection))
  }
  return quoted
}

/** A draft with more rows than a request may have is refused by itself and costs nothing. */
function pricedRows(entries: readonly BatchEntry[]): number {
  let rows = 0
  for (const { input: draft } of entries)
    if (Array.isArray(draft.parcels) && draft.parcels.length <= RATES_LIMITS.parcelRows)
      rows += draft.parcels.length
  return rows
}
