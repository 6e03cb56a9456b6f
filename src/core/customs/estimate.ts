/**
 * The answer to a duties and taxes request: one line per (commodity code, tax), their sum, and the code used.
 * Source: specification 2.7 and 4.2; decisions 11 to 16 of the README.
 */
import type { InputProblem } from '../problem.ts'
import type { HsCandidate } from './classify.ts'

/** What a tax line is. */
export type TaxKind = 'DUTY' | 'VAT' | 'GST' | 'EXCISE' | 'FEE'

/** One tax on one commodity code, in cents, rounded once. A line that cannot be computed is 0 and not `computed`. */
export type TaxLine = {
  readonly harmonizedCode: string
  readonly kind: TaxKind
  readonly name: string
  readonly amountCents: number
  /** What the rate was applied to, in cents, rounded for display only. */
  readonly baseCents: number
  /** Percent, as decimal text ("21", "4.5"); absent where the tax is no share of its base. */
  readonly ratePercent?: string
  /** Rate, basis, assumption, data set and date; or the reason why the amount is zero. */
  readonly description: string
  readonly computed: boolean
}

/** How an item came by its HS code. */
export type Classification = {
  readonly code: string
  readonly source: 'GIVEN' | 'FROM_DESCRIPTION'
  /** 0 to 1; absent for a given code. */
  readonly confidence?: number
  readonly alternatives: readonly HsCandidate[]
}

/** One content item of the request: its customs value and code, or why it has none. */
export type ItemEstimate = {
  readonly index: number
  /** `cost` × `numberOfItems`, in cents, rounded for display only. */
  readonly customsValueCents: number
  readonly classification?: Classification
  readonly problem?: InputProblem
}

/** The outcome of an estimate. `estimateCents` is exactly the sum of `taxes`; euro. */
export type DutiesEstimate = {
  readonly kind: 'DutiesEstimate'
  readonly estimateCents: number
  /** The code of the item with the greatest customs value (the first of equals); empty when none has a code. */
  readonly hsCode: string
  readonly taxes: readonly TaxLine[]
  readonly items: readonly ItemEstimate[]
  /** False when a line could not be computed or an item has no code. */
  readonly complete: boolean
}
