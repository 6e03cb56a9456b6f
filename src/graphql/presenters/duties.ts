/**
 * An estimate and HS candidates in the schema's shape. What takes more work than the figures did (texts, sources,
 * shares of items) is a function: only called if asked for.
 */
import type { HsCandidate } from '../../core/customs/classification/classify.ts'
import type { Classification, DutiesEstimate, ItemEstimate } from '../../core/customs/estimate.ts'
import { type ItemShare, itemsOf, shareByItem } from '../../core/customs/item-share.ts'
import type { TaxLine } from '../../core/customs/tax-line.ts'
import { sumCents } from '../../core/money.ts'
import type { DatedEstimate } from '../../operations/estimate-duties-shared.ts'
import type { ResolversParentTypes } from '../generated.ts'
import { type Typed, typed } from '../typed.ts'
import { presentInputProblem } from './input-problem.ts'
import { presentSource } from './measure-source.ts'
import { presentMoney } from './money.ts'

type Presented = ResolversParentTypes['DutiesEstimate'] & Pick<Typed<DutiesEstimate>, '__typename'>

/** The estimate for `DutiesEstimateResult`. */
export function presentEstimate(estimate: DatedEstimate): Presented {
  const { kind, estimateCents, hsCode, taxes, items, complete, customsValueCents, date } = estimate
  return typed({
    kind,
    estimate: presentMoney(estimateCents),
    hsCode,
    taxes: () => taxes.map((line) => presentTax(line, estimate)),
    items: () => {
      const sharesOf = openShares(estimate)
      return items.map((item) => presentItem(item, taxes, sharesOf))
    },
    complete,
    customsValue: presentMoney(customsValueCents),
    date,
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

function presentTax(line: TaxLine, { tables }: DutiesEstimate): ResolversParentTypes['TaxLine'] {
  const { harmonizedCode, kind, name, computed } = line
  return {
    harmonizedCode,
    kind,
    name,
    amount: presentMoney(line.amountCents),
    base: presentMoney(line.baseCents),
    rate: () => line.ratePercent ?? null,
    description: () => line.describe(),
    computed,
    formula: () => line.formula() || null,
    measure: () => {
      const { source } = line
      return source === undefined ? null : presentSource(source, tables.dataSets)
    },
    items: itemsOf(line),
  }
}

/** The shares of all items are worked out together, when the first is asked for. */
function openShares(estimate: DutiesEstimate): (index: number) => readonly ItemShare[] {
  let shares: readonly (readonly ItemShare[])[] | undefined
  return (index) => {
    shares ??= shareByItem(estimate)
    return shares[index] ?? []
  }
}

function presentItem(
  item: ItemEstimate,
  taxes: readonly TaxLine[],
  sharesOf: (index: number) => readonly ItemShare[],
): ResolversParentTypes['ItemEstimate'] {
  const { index, customsValueCents, classification, problem } = item
  return {
    index,
    customsValue: presentMoney(customsValueCents),
    classification: classification === undefined ? null : presentClassification(classification),
    problem: problem === undefined ? null : presentInputProblem(problem),
    estimate: () => presentMoney(sumCents(sharesOf(index).map(({ amountCents }) => amountCents))),
    taxes: () => sharesOf(index).map((share) => presentShare(share, taxes)),
  }
}

function presentClassification(classification: Classification): ResolversParentTypes['Classification'] {
  const { code, source, confidence, alternatives } = classification
  return {
    code,
    source,
    confidence: confidence === undefined ? null : presentConfidence(confidence),
    alternatives: alternatives.map(presentCandidate),
  }
}

function presentShare(
  { lineIndex, amountCents }: ItemShare,
  taxes: readonly TaxLine[],
): ResolversParentTypes['ItemTax'] {
  const line = taxes[lineIndex]
  return {
    line: lineIndex,
    harmonizedCode: line?.harmonizedCode ?? '',
    name: line?.name ?? '',
    amount: presentMoney(amountCents),
  }
}
