/** An estimate and HS candidates in the schema's shape. */
import type { HsCandidate } from '../../core/customs/classify.ts'
import type { DutiesEstimate, ItemEstimate } from '../../core/customs/estimate.ts'
import type { TaxLine } from '../../core/customs/tax-line.ts'
import type { ResolversParentTypes } from '../generated.ts'
import { type Typed, typed } from '../typed.ts'
import { presentInputProblem } from './input-problem.ts'
import { presentMoney } from './money.ts'

type Presented = ResolversParentTypes['DutiesEstimate'] & Pick<Typed<DutiesEstimate>, '__typename'>

/** The estimate for `DutiesEstimateResult`. */
export function presentEstimate(estimate: DutiesEstimate): Presented {
  return typed({
    kind: estimate.kind,
    estimate: presentMoney(estimate.estimateCents),
    hsCode: estimate.hsCode,
    taxes: estimate.taxes.map(presentTax),
    items: estimate.items.map(presentItem),
    complete: estimate.complete,
  })
}

/** A candidate with `description` for its label. */
export function presentCandidate(candidate: HsCandidate): ResolversParentTypes['HsCandidate'] {
  const { code, label, confidence, matchedTerms } = candidate
  return { code, description: label, confidence: presentConfidence(confidence), matchedTerms }
}

/** Three decimals: more would claim a precision that a guess does not have. */
function presentConfidence(confidence: number): number {
  return Math.round(confidence * 1000) / 1000
}

function presentTax(line: TaxLine): ResolversParentTypes['TaxLine'] {
  const { harmonizedCode, kind, name, description, computed } = line
  return {
    harmonizedCode,
    kind,
    name,
    amount: presentMoney(line.amountCents),
    base: presentMoney(line.baseCents),
    rate: line.ratePercent ?? null,
    description,
    computed,
  }
}

function presentItem(item: ItemEstimate): ResolversParentTypes['ItemEstimate'] {
  const { index, customsValueCents, classification, problem } = item
  return {
    index,
    customsValue: presentMoney(customsValueCents),
    classification:
      classification === undefined
        ? null
        : {
            code: classification.code,
            source: classification.source,
            confidence:
              classification.confidence === undefined ? null : presentConfidence(classification.confidence),
            alternatives: classification.alternatives.map(presentCandidate),
          },
    problem: problem === undefined ? null : presentInputProblem(problem),
  }
}
