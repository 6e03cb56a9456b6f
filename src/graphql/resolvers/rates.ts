/** The query `rates`, and rates input as the operations take it. */
import type { RatesDraft } from '../../core/rating/request.ts'
import { quoteRates } from '../../operations/quote-rates.ts'
import type { ParcelInput, QueryResolvers, RatesInput, RecipientType } from '../generated.ts'
import { presentInputProblem } from '../presenters/input-problem.ts'
import { presentQuote } from '../presenters/rates.ts'

/** `Query.rates`. */
export const ratesQueries: Required<Pick<QueryResolvers, 'rates'>> = {
  rates: (_root, { input }, { ports }) => {
    const outcome = quoteRates(ports, ratesDraft(input))
    switch (outcome.kind) {
      case 'RateQuote':
        return presentQuote(outcome)
      case 'InputProblem':
        return presentInputProblem(outcome)
    }
  },
}

const RECIPIENTS: Readonly<Record<RecipientType, string>> = { INDIVIDUAL: 'individual', BUSINESS: 'business' }

/** The input in core's words. */
export function ratesDraft({
  from,
  to,
  parcels,
  recipientType,
  insured,
  totalValue,
  asOf,
}: RatesInput): RatesDraft {
  return {
    from,
    to,
    parcels: parcels.map(parcelDraft),
    insured,
    totalValue,
    recipientType: recipientType == null ? undefined : RECIPIENTS[recipientType],
    asOf,
  }
}

function parcelDraft({ type, count, weightKg, lengthCm, widthCm, heightCm, stackable }: ParcelInput) {
  return { type, count, weight: weightKg, length: lengthCm, width: widthCm, height: heightCm, stackable }
}
