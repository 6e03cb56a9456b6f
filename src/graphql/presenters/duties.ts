/**
 * An estimate and HS candidates in the schema's shape. What takes more work than the figures did (texts, sources,
 * shares of items) is a function: only called if asked for.
 */
import type { HsCandidate, SecondOpinion } from '../../core/customs/classification/classify.ts'
import type { Confidence as CoreConfidence, DataSetRow } from '../../core/customs/data/rows.ts'
import {
  type Classification,
  type DutiesEstimate,
  type ItemEstimate,
  type ItemShare,
  itemsOf,
  shareByItem,
} from '../../core/customs/estimate/estimate.ts'
import type { LineSource, RateRange, TaxLine } from '../../core/customs/estimate/tax-line.ts'
import { sumCents } from '../../core/money.ts'
import type { DatedEstimate } from '../../operations/estimate-duties.ts'
import { type Pause, presentInTurns } from '../context.ts'
import type { Confidence, ResolversParentTypes } from '../generated.ts'
import { presentInputProblem } from './input-problem.ts'
import { presentMoney, type Typed, typed } from './typed.ts'

type Presented = ResolversParentTypes['DutiesEstimate'] & Pick<Typed<DutiesEstimate>, '__typename'>

/** How much more there is to present of an item than of a line. */
const ITEM_WEIGHT = 4

/** The estimate for `DutiesEstimateResult`. */
export function presentEstimate(estimate: DatedEstimate, pause: Pause): Presented {
  const { kind, estimateCents, hsCode, taxes, items, complete, customsValueCents, date } = estimate
  return typed({
    kind,
    estimate: presentMoney(estimateCents),
    hsCode,
    taxes: () => presentInTurns(pause, taxes, 1, (line) => presentTax(line, estimate)),
    items: () => {
      const sharesOf = openShares(estimate)
      return presentInTurns(pause, items, ITEM_WEIGHT, (item) => presentItem(item, estimate, sharesOf, pause))
    },
    complete,
    customsValue: presentMoney(customsValueCents),
    date,
  })
}

/** A candidate with `description` for its label. */
export function presentCandidate(candidate: HsCandidate) {
  const { code, label, heading = null, confidence, matchedTerms, questions } = candidate
  return {
    code,
    description: label,
    heading,
    confidence: presentConfidence(confidence),
    matchedTerms,
    questions,
  }
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
  estimate: DatedEstimate,
  sharesOf: (index: number) => readonly ItemShare[],
  pause: Pause,
): ResolversParentTypes['ItemEstimate'] {
  const { index, customsValueCents, classification, problem } = item
  const alternative = (candidate: HsCandidate) => presentAlternative(candidate, index, estimate, pause)
  return {
    index,
    customsValue: presentMoney(customsValueCents),
    classification:
      classification === undefined
        ? null
        : presentClassification(classification, alternative, () => estimate.secondOpinion(index)),
    problem: problem === undefined ? null : presentInputProblem(problem),
    estimate: () => presentMoney(sumCents(sharesOf(index).map(({ amountCents }) => amountCents))),
    taxes: () => sharesOf(index).map((share) => presentShare(share, estimate.taxes)),
  }
}

type Alternative = ResolversParentTypes['HsAlternative']

function presentClassification(
  { code, source, confidence, questions, alternatives }: Classification,
  alternative: (candidate: HsCandidate) => Alternative,
  opinion: () => Promise<SecondOpinion | undefined>,
): ResolversParentTypes['Classification'] {
  return {
    code,
    source,
    confidence: confidence === undefined ? null : presentConfidence(confidence),
    questions,
    alternatives: alternatives.map(alternative),
    secondOpinion: async () => {
      const found = await opinion()
      if (found === undefined) return null
      const { message, level, candidates } = found
      const sureness = presentConfidence(candidates[0]?.confidence ?? 0)
      return { message, level, confidence: sureness, candidates: candidates.map(alternative) }
    },
  }
}

/**
 * The estimate that the code would lead to is only worked out if it is asked for, one after the other: 99 items have
 * almost five hundred alternatives.
 */
function presentAlternative(
  candidate: HsCandidate,
  index: number,
  estimate: DatedEstimate,
  pause: Pause,
): Alternative {
  return {
    ...presentCandidate(candidate),
    outcome: async () => {
      await pause()
      const other = estimate.ifCode(index, candidate.code)
      return {
        estimate: presentMoney(other.estimateCents),
        difference: presentMoney(other.estimateCents - estimate.estimateCents),
        taxes: () => presentInTurns(pause, other.taxes, 1, (line) => presentTax(line, other)),
        complete: other.complete,
      }
    },
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

// The published rule behind a line in the schema's shape: what is empty in the data is null there.

const CONFIDENCES: Readonly<Record<CoreConfidence, Confidence>> = {
  high: 'HIGH',
  medium: 'MEDIUM',
  low: 'LOW',
}

/** Core's word for goods of any origin. */
const ALL_ORIGINS = 'ALL'

/** A source for `TaxLine.measure`; `dataSets` are those that the estimate was worked out with. */
export function presentSource(
  source: LineSource,
  dataSets: ReadonlyMap<string, DataSetRow>,
): ResolversParentTypes['MeasureSource'] {
  const { measureType, codePrefix, origin, agreement, rateText, range, validFrom, validTo } = source
  const dataSet = dataSets.get(source.dataSet)
  return {
    type: measureType,
    codePrefix: orNull(codePrefix),
    origin: origin === ALL_ORIGINS ? null : orNull(origin),
    agreement: orNull(agreement),
    rate: orNull(rateText),
    range: range === undefined ? null : presentRange(range),
    validFrom,
    validTo,
    confidence: CONFIDENCES[source.confidence],
    dataSet: dataSet === undefined ? null : presentDataSet(dataSet),
  }
}

/** Lines that all have one rate have no range. */
function presentRange({
  lowestPercent,
  highestPercent,
}: RateRange): ResolversParentTypes['RateRange'] | null {
  return lowestPercent === highestPercent ? null : { lowest: lowestPercent, highest: highestPercent }
}

function presentDataSet({ name, title, source, date }: DataSetRow): ResolversParentTypes['DataSet'] {
  return { name, title, source, date }
}

function orNull(text: string | undefined): string | null {
  return text === undefined || text === '' ? null : text
}
