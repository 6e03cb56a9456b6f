/**
 * Converts estimates, landed costs and HS codes to the types of the schema. Fields that need more work than the amounts
 * are functions, which graphql-js calls only if the field is selected.
 */
import type { HsCandidate, SecondOpinion } from '../../core/customs/classification/classify.ts'
import type { CountryCoverage } from '../../core/customs/coverage.ts'
import type { DataSetRow } from '../../core/customs/data/rows.ts'
import type { Confidence } from '../../core/customs/data/tables/table.ts'
import { dutyBasis } from '../../core/customs/estimate/basis.ts'
import {
  type Classification,
  type DutiesEstimate,
  type ItemEstimate,
  type ItemShare,
  shareByItem,
  shareOfItems,
} from '../../core/customs/estimate/estimate.ts'
import { lineQuotas } from '../../core/customs/estimate/explain/additional-code.ts'
import {
  describeLine,
  lineBaseCents,
  lineFormula,
  lineLeastCents,
  lineRatePercent,
  lineRateRange,
  lineSource,
} from '../../core/customs/estimate/explain/line.ts'
import type { LineSource, RateRange } from '../../core/customs/estimate/explain/text.ts'
import type { TaxLine } from '../../core/customs/estimate/tax-line.ts'
import { COST_PLACES, type ContentItem } from '../../core/customs/request.ts'
import { percentOf } from '../../core/customs/tariff/duty-text.ts'
import { ALL_ORIGINS } from '../../core/customs/tariff/measure.ts'
import { sumCents } from '../../core/money.ts'
import { formatDecimal, withoutTrailingZeros } from '../../core/quantity.ts'
import { badgesOf } from '../../core/rating/selection.ts'
import type { DatedEstimate } from '../../operations/estimate-duties.ts'
import type { LandedCost } from '../../operations/landed-cost.ts'
import { LINES_PER_TURN, once, type Pause, presentInTurns } from '../context.ts'
import type { Reliability, ResolversParentTypes } from '../generated.ts'
import { type Badges, presentDeclined, presentOption } from './rates.ts'
import { presentInputProblem, presentMoney, presentWeight, type Typed } from './typed.ts'

type Presented = ResolversParentTypes['DutiesEstimate'] & Pick<Typed<DutiesEstimate>, '__typename'>

const RELIABILITY: Readonly<Record<Confidence, Reliability>> = {
  high: 'HIGH',
  medium: 'MEDIUM',
  low: 'LOW',
}

/** Presenting an item takes as much work as presenting this many tax lines. */
const LINES_PER_ITEM = 4

export function presentEstimate(estimate: DatedEstimate, pause: Pause): Presented {
  const { kind, estimateCents, hsCode, taxes, items, complete, customsValueCents, date, contentItems } =
    estimate
  return {
    __typename: kind,
    total: presentMoney(estimateCents),
    hsCode,
    taxes: () => presentInTurns(pause, taxes, 1, (line) => presentTax(line, estimate, contentItems)),
    items: () => {
      const sharesFor = createShareReader(estimate)
      return presentInTurns(pause, items, LINES_PER_ITEM, (item) =>
        presentItem(item, estimate, sharesFor, pause),
      )
    },
    complete,
    customsValue: presentMoney(customsValueCents),
    date,
    underOtherScheme: async () => {
      await pause()
      const other = estimate.underOtherScheme()
      return other === undefined
        ? null
        : { importScheme: other.importScheme, ...presentVariant(other.estimate, estimate, pause) }
    },
  }
}

export function presentCandidate(candidate: HsCandidate) {
  const { code, label, heading = null, confidence, matchedTerms, questions } = candidate
  return {
    hsCode: code,
    description: label,
    heading,
    confidence: presentConfidence(confidence),
    matchedTerms,
    questions,
  }
}

/** Rounds to three decimals. A confidence is not more precise than that. */
function presentConfidence(confidence: number): number {
  return Math.round(confidence * 1000) / 1000
}

function presentTax(
  line: TaxLine,
  { consignment, items }: DutiesEstimate,
  contentItems: readonly ContentItem[],
): ResolversParentTypes['TaxLine'] {
  const { harmonizedCode, kind, name, computed } = line
  const leastCents = lineLeastCents(line)
  return {
    hsCode: harmonizedCode,
    kind,
    name,
    amount: presentMoney(line.amountCents),
    base: presentMoney(lineBaseCents(line)),
    ratePercent: () => lineRatePercent(line) ?? null,
    description: () => describeLine(consignment, line),
    calculated: computed,
    leastAmount: leastCents === undefined ? null : presentMoney(leastCents),
    basis: () => dutyBasis(line) ?? null,
    rateRange: () => {
      const range = lineRateRange(line)
      return range === undefined ? null : presentRange(range)
    },
    formula: () => lineFormula(consignment, line) || null,
    rule: () => {
      const source = lineSource(consignment, line)
      return source === undefined ? null : presentSource(source, consignment.tables.dataSets)
    },
    quotas: () =>
      lineQuotas(line).map(({ orderNumber, name: quotaName, ratePercent, source }) => ({
        orderNumber: orNull(orderNumber),
        name: quotaName,
        ratePercent: ratePercent ?? null,
        rule: presentSource(source, consignment.tables.dataSets),
      })),
    items: () =>
      shareOfItems(line, items).map(({ itemIndex, amountCents }) => ({
        index: itemIndex,
        contentItem: () => presentItemAt(contentItems, itemIndex),
        amount: presentMoney(amountCents),
      })),
  }
}

/** Calculates the shares of all items on the first call. */
function createShareReader(estimate: DutiesEstimate): (index: number) => readonly ItemShare[] {
  let shares: readonly (readonly ItemShare[])[] | undefined
  return (index) => {
    shares ??= shareByItem(estimate)
    return shares[index] ?? []
  }
}

function presentItem(
  item: ItemEstimate,
  estimate: DatedEstimate,
  sharesFor: (index: number) => readonly ItemShare[],
  pause: Pause,
): ResolversParentTypes['ItemEstimate'] {
  const { index, customsValueCents, classification, problem } = item
  const presentCode = (candidate: HsCandidate) => presentAlternative(candidate, index, estimate, pause)
  return {
    index,
    contentItem: () => presentItemAt(estimate.contentItems, index),
    customsValue: presentMoney(customsValueCents),
    classification: () =>
      classification === undefined
        ? null
        : presentClassification(classification, presentCode, () => estimate.secondOpinion(index)),
    problem: problem === undefined ? null : presentInputProblem(problem),
    total: () => presentMoney(sumCents(sharesFor(index).map(({ amountCents }) => amountCents))),
    taxes: () => sharesFor(index).map((share) => presentShare(share, estimate)),
  }
}

type Alternative = ResolversParentTypes['HsAlternative']

function presentClassification(
  { code, source, confidence, questions, alternatives }: Classification,
  presentCode: (candidate: HsCandidate) => Alternative,
  findOpinion: () => Promise<SecondOpinion | undefined>,
): ResolversParentTypes['Classification'] {
  return {
    hsCode: code,
    source,
    confidence: confidence === undefined ? null : presentConfidence(confidence),
    questions,
    alternatives: alternatives.map(presentCode),
    secondOpinion: async () => {
      const opinion = await findOpinion()
      if (opinion === undefined) return null
      const { message, level, candidates } = opinion
      return {
        message,
        level,
        confidence: presentConfidence(candidates[0]?.confidence ?? 0),
        alternatives: candidates.map(presentCode),
      }
    },
  }
}

/** Pauses before each estimate, because 99 items can have almost 500 alternatives. */
function presentAlternative(
  candidate: HsCandidate,
  index: number,
  estimate: DatedEstimate,
  pause: Pause,
): Alternative {
  return {
    ...presentCandidate(candidate),
    estimate: async () => {
      await pause()
      return presentVariant(estimate.ifCode(index, candidate.code), estimate, pause)
    },
  }
}

/** An estimate of the same goods under another assumption. */
function presentVariant(other: DutiesEstimate, actual: DatedEstimate, pause: Pause) {
  return {
    total: presentMoney(other.estimateCents),
    difference: presentMoney(other.estimateCents - actual.estimateCents),
    taxes: () =>
      presentInTurns(pause, other.taxes, 1, (line) => presentTax(line, other, actual.contentItems)),
    complete: other.complete,
  }
}

function presentShare(
  { lineIndex, amountCents }: ItemShare,
  estimate: DatedEstimate,
): ResolversParentTypes['ItemTax'] {
  const line = estimate.taxes[lineIndex]
  if (line === undefined) throw new Error(`the estimate has no line ${lineIndex}`)
  return { line: () => presentTax(line, estimate, estimate.contentItems), amount: presentMoney(amountCents) }
}

function presentItemAt(items: readonly ContentItem[], index: number): ResolversParentTypes['ContentItem'] {
  const item = items[index]
  if (item === undefined) throw new Error(`the estimate has no item ${index}`)
  return presentContentItem(item)
}

const QUANTITY_PLACES = 6

export function presentContentItem(item: ContentItem): ResolversParentTypes['ContentItem'] {
  const { description, numberOfItems, costSteps, weightGrams } = item
  return {
    description,
    count: numberOfItems,
    value: formatDecimal(costSteps, COST_PLACES),
    hsCode: item.tariff ?? null,
    originCountry: item.originCountry ?? null,
    weight: weightGrams === undefined ? null : presentWeight(weightGrams),
    quantities: (item.quantities ?? []).map(({ unit, amountMicros }) => ({
      unit,
      amount: formatDecimal(amountMicros, QUANTITY_PLACES),
    })),
    additionalCode: item.additionalCode ?? null,
    // From parts per million to percent.
    alcoholPercent:
      item.alcoholPpm === undefined ? null : withoutTrailingZeros(formatDecimal(item.alcoholPpm, 4)),
  }
}

function presentSource(
  source: LineSource,
  dataSets: ReadonlyMap<string, DataSetRow>,
): ResolversParentTypes['CustomsRule'] {
  const { measureType, codePrefix, origin, agreement, rateText, range, validFrom, validTo } = source
  const dataSet = dataSets.get(source.dataSet)
  return {
    type: measureType,
    hsCodePrefix: orNull(codePrefix),
    origin: origin === ALL_ORIGINS ? null : orNull(origin),
    agreement: orNull(agreement),
    publishedRate: orNull(rateText),
    publishedRange: range === undefined ? null : presentRange(range),
    validFrom,
    validTo,
    reliability: RELIABILITY[source.confidence],
    dataSet: dataSet === undefined ? null : presentDataSet(dataSet),
  }
}

function presentRange({
  lowestPercent,
  highestPercent,
}: RateRange): ResolversParentTypes['PercentRange'] | null {
  return lowestPercent === highestPercent ? null : { lowestPercent, highestPercent }
}

function presentDataSet({ name, title, source, date }: DataSetRow): ResolversParentTypes['DataSet'] {
  return { name, title, source, date }
}

function orNull(text: string | undefined): string | null {
  return text === undefined || text === '' ? null : text
}

type PresentedLandedCost = ResolversParentTypes['LandedCost'] & Pick<Typed<LandedCost>, '__typename'>

export function presentLandedCost(landedCost: LandedCost, pause: Pause): PresentedLandedCost {
  const { kind, rateCardVersions, options, filteredOut, declined } = landedCost
  const badges = once(() => badgesOf(options.map(({ rate }) => rate)))
  return {
    __typename: kind,
    rateCardVersions,
    // An option may have 99 items in full detail.
    options: () =>
      presentInTurns(pause, options, LINES_PER_TURN, (option) => presentLandedOption(option, badges, pause)),
    filteredOut,
    declined: () => declined.map(presentDeclined),
  }
}

function presentLandedOption(
  { rate, duties, goodsCents, clearanceFees, totalCents }: LandedCost['options'][number],
  badges: Badges,
  pause: Pause,
): ResolversParentTypes['LandedCostOption'] {
  return {
    rateOption: presentOption(rate, badges),
    duties: presentEstimate(duties, pause),
    goodsValue: presentMoney(goodsCents),
    clearanceFees: clearanceFees.map(({ row, amountCents, description, computed }) => ({
      name: row.name,
      amount: presentMoney(amountCents),
      description,
      calculated: computed,
    })),
    total: presentMoney(totalCents),
  }
}

export function presentCoverage(coverage: CountryCoverage): ResolversParentTypes['CountryCoverage'] {
  const { duties, taxes, confidence, ...rest } = coverage
  const { NATIONAL_LINE, SUBHEADING, GROUP_AVERAGE, NOT_LOADED } = duties.chapters
  return {
    ...rest,
    basis: duties.basis,
    chapters: {
      nationalLine: NATIONAL_LINE,
      subheading: SUBHEADING,
      groupAverage: GROUP_AVERAGE,
      notLoaded: NOT_LOADED,
    },
    dataSets: duties.dataSets.map(presentDataSet),
    taxes: taxes.map(({ name, status, ratePpm }) => ({
      name,
      ratePercent: ratePpm === undefined ? null : percentOf(ratePpm),
      levied: status !== 'none',
    })),
    reliability: RELIABILITY[confidence],
  }
}
