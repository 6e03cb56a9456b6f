/** Presents HS codes that were found for goods: candidates, confidence, questions, notes and opinions. */
import type { SecondOpinion } from '../../core/classification/classify.ts'
import type { ItemEstimate } from '../../core/customs/estimate/estimate.ts'
import type { GoodsQuestion, HsCandidate, LegalNote } from '../../core/hs-candidate.ts'
import type { DatedEstimate } from '../../operations/estimate-duties.ts'
import type { ValuedQuestion } from '../../operations/open-questions.ts'
import type { ResolversParentTypes } from '../generated.ts'
import { presentMoney } from './typed.ts'

export function presentCandidate(candidate: HsCandidate) {
  const { code, label, heading = null, confidence, matchedTerms, questions, becauseOf } = candidate
  return {
    hsCode: code,
    description: label,
    heading,
    confidence: presentConfidence(confidence),
    matchedTerms,
    questions,
    ...presentNote(becauseOf),
  }
}

function presentNote(note: LegalNote | undefined) {
  return { becauseOf: note?.citation ?? null, becauseOfText: note?.summary ?? null }
}

/** Rounds to three decimals. A confidence is not more precise than that. */
export function presentConfidence(confidence: number): number {
  return Math.round(confidence * 1000) / 1000
}

export function presentClassification(
  { index, classification }: ItemEstimate,
  estimate: DatedEstimate,
): ResolversParentTypes['Classification'] | null {
  if (classification === undefined) return null
  const { code, source, confidence, questions, becauseOf } = classification
  return {
    hsCode: code,
    source,
    confidence: confidence === undefined ? null : presentConfidence(confidence),
    questions,
    ...presentNote(becauseOf),
    itemIndex: index,
    classification,
    estimate,
  }
}

export function presentOpinion(
  { message, level, candidates }: SecondOpinion,
  itemIndex: number,
  actual: DatedEstimate,
): ResolversParentTypes['SecondOpinion'] {
  return {
    message,
    level,
    confidence: presentConfidence(candidates[0]?.confidence ?? 0),
    alternatives: candidates.map((candidate) => presentAlternative(candidate, itemIndex, actual)),
  }
}

/** Without a difference, the destination or an amount is not known. */
export function presentQuestion({
  id,
  text,
  options,
}: GoodsQuestion | ValuedQuestion): ResolversParentTypes['ClassificationQuestion'] {
  return {
    name: id,
    text,
    options: options.map((option) => {
      const { value, label, code } = option
      const cents = 'differenceCents' in option ? option.differenceCents : undefined
      return { value, label, hsCode: code, difference: cents === undefined ? null : presentMoney(cents) }
    }),
  }
}

export function presentAlternative(
  candidate: HsCandidate,
  itemIndex: number,
  actual: DatedEstimate,
): ResolversParentTypes['HsAlternative'] {
  return { ...presentCandidate(candidate), itemIndex, actual }
}
