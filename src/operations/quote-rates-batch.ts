/** Operation: several rates requests at once, to compare what-ifs. Source: schema/rates.graphql (`ratesBatch`). */
import { note, type ProblemList, readList } from '../core/draft.ts'
import { type InputProblem, inputProblem } from '../core/problem.ts'
import { RATES_LIMITS, type RatesDraft } from '../core/rating/request.ts'
import type { SelectedQuote } from '../core/rating/selection.ts'
import type { SelectionDraft } from '../core/rating/selection-request.ts'
import type { Caller, Ports } from './ports.ts'
import { openPricing, quoteWith } from './quote-rates.ts'

/** One request of a batch, and what to show of its quote. */
export type BatchEntry = { readonly draft: RatesDraft; readonly selection?: SelectionDraft }

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
  for (const { draft, selection } of entries) {
    await pause()
    quoted.push(quoteWith(pricing, draft, selection))
  }
  return quoted
}

/** A draft with more rows than a request may have is refused by itself and costs nothing. */
function pricedRows(entries: readonly BatchEntry[]): number {
  let rows = 0
  for (const { draft } of entries)
    if (Array.isArray(draft.parcels) && draft.parcels.length <= RATES_LIMITS.parcelRows)
      rows += draft.parcels.length
  return rows
}
