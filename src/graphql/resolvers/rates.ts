/** Resolvers of `rates` and `ratesBatch`, and the conversion of their input to core's input. */
import type { InputProblem } from '../../core/problem.ts'
import type { RatesInput as CoreRatesInput } from '../../core/rating/request.ts'
import type { SelectedQuote, SelectionInput } from '../../core/rating/selection.ts'
import { quoteRates, quoteRatesBatch } from '../../operations/quote-rates.ts'
import { LINES_PER_TURN, type Pause, presentInTurns } from '../context.ts'
import type { ParcelInput, QueryResolvers, RatesInput, RecipientType } from '../generated.ts'
import { presentQuote } from '../presenters/rates.ts'
import { presentInputProblem, typed } from '../presenters/typed.ts'

export const ratesQueries: Required<Pick<QueryResolvers, 'rates' | 'ratesBatch'>> = {
  rates: (_root, { input }, { ports, caller, turns, pause }) => {
    const answer = () =>
      presentOutcome(quoteRates(ports, caller, ratesInput(input), selectionInput(input)), pause)
    // Typical queries are answered without a pause. Only queries with several large `rates` fields need one.
    return turns.over() ? pause().then(answer) : answer()
  },
  ratesBatch: async (_root, { inputs }, { ports, caller, pause }) => {
    const entries = inputs.map((input) => ({ input: ratesInput(input), selection: selectionInput(input) }))
    const outcome = await quoteRatesBatch(ports, caller, entries, pause)
    switch (outcome.kind) {
      case 'RatesBatch':
        return typed({
          kind: outcome.kind,
          results: () =>
            presentInTurns(pause, outcome.results, LINES_PER_TURN, (result) => presentOutcome(result, pause)),
        })
      case 'InputProblem':
        return presentInputProblem(outcome)
    }
  },
}

function presentOutcome(outcome: SelectedQuote | InputProblem, pause: Pause) {
  switch (outcome.kind) {
    case 'RateQuote':
      return presentQuote(outcome, pause)
    case 'InputProblem':
      return presentInputProblem(outcome)
  }
}

const RECIPIENTS: Readonly<Record<RecipientType, string>> = { INDIVIDUAL: 'individual', BUSINESS: 'business' }

export function recipientInput(recipient: RecipientType | null | undefined): string | undefined {
  return recipient == null ? undefined : RECIPIENTS[recipient]
}

export function ratesInput({
  from,
  to,
  parcels,
  recipientType,
  insured,
  totalValue,
  asOf,
}: RatesInput): CoreRatesInput {
  return {
    from,
    to,
    parcels: parcels.map(parcelInput),
    insured,
    totalValue,
    recipientType: recipientInput(recipientType),
    asOf,
  }
}

export function selectionInput({ filter, sort }: RatesInput): SelectionInput {
  if (filter == null) return { sort }
  const { carrierIds, productIds, maxPrice, maxWorkingDays } = filter
  return {
    filter: { carriers: carrierIds, products: productIds, maxPrice, maxTransitDays: maxWorkingDays },
    sort,
  }
}

function parcelInput({ type, count, weightKg, lengthCm, widthCm, heightCm, stackable }: ParcelInput) {
  return { type, count, weight: weightKg, length: lengthCm, width: widthCm, height: heightCm, stackable }
}
