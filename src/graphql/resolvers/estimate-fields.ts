/** The fields of estimates and landed costs that are calculated only if they are selected. */

import { type DutiesEstimate, shareByItem, shareOfItems } from '../../core/customs/estimate/estimate.ts'
import {
  describeLine,
  dutyBasis,
  firstPart,
  lineFormula,
  lineQuotas,
  lineRatePercent,
  lineRateRange,
  lineSource,
} from '../../core/customs/estimate/explain/line.ts'
import {
  estimateReliability,
  groundReliability,
  lineReliability,
} from '../../core/customs/estimate/explain/reliability.ts'
import { summarizeLine } from '../../core/customs/estimate/explain/summary.ts'
import type { ContentItem } from '../../core/customs/request.ts'
import { landedRange } from '../../core/landed-cost/landed-cost.ts'
import { sumCents } from '../../core/money.ts'
import { badgesOf } from '../../core/rating/selection.ts'
import { openQuestions } from '../../operations/open-questions.ts'
import { classificationUnits, rangeUnits, repeatedEstimateUnits } from '../../operations/points.ts'
import type { Resolvers } from '../generated.ts'
import { goodsKey } from '../loaders.ts'
import {
  presentAlternative,
  presentClassification,
  presentOpinion,
  presentQuestion,
} from '../presenters/classification.ts'
import {
  orNull,
  presentEstimateRange,
  presentItem,
  presentItemAt,
  presentRange,
  presentReliability,
  presentRestriction,
  presentSource,
  presentTax,
  presentTaxes,
  presentVariant,
} from '../presenters/duties.ts'
import { presentLandedOption } from '../presenters/landed-cost.ts'
import { presentDeclined } from '../presenters/rates.ts'
import { presentMoney } from '../presenters/typed.ts'

type Shares = ReturnType<typeof shareByItem>

const knownShares = new WeakMap<DutiesEstimate, Shares>()

/** The shares of an item. Those of all items are calculated together, once per estimate. */
function sharesOf(estimate: DutiesEstimate, index: number): Shares[number] {
  const shares = knownShares.get(estimate) ?? shareByItem(estimate)
  knownShares.set(estimate, shares)
  return shares[index] ?? []
}

export const estimateFields: Pick<
  Resolvers,
  | 'DutiesEstimate'
  | 'OtherSchemeEstimate'
  | 'AlternativeEstimate'
  | 'TaxLine'
  | 'TaxedItem'
  | 'ItemEstimate'
  | 'ItemTax'
  | 'Classification'
  | 'HsAlternative'
  | 'LandedCostOption'
  | 'HsCandidates'
  | 'LandedCost'
> = {
  DutiesEstimate: {
    taxes: ({ estimate }) => presentTaxes(estimate, estimate.contentItems),
    items: ({ estimate }) => estimate.items.map((item) => presentItem(item, estimate)),
    reliability: ({ estimate }) => presentReliability(estimateReliability(estimate)),
    range: ({ estimate }, _arguments, { meter }) => {
      meter.require(rangeUnits(estimate.items.length))
      return presentEstimateRange(estimate.range())
    },
    restrictions: ({ estimate }) =>
      estimate.restrictions().map((restriction) => presentRestriction(restriction, estimate.date)),
    underOtherScheme: ({ estimate }, _arguments, { meter }) => {
      meter.require(repeatedEstimateUnits(estimate.items.length))
      const other = estimate.underOtherScheme()
      if (other === undefined) return null
      return { importScheme: other.importScheme, ...presentVariant(other.estimate, estimate) }
    },
  },
  OtherSchemeEstimate: {
    taxes: ({ variant, contentItems }) => presentTaxes(variant, contentItems),
  },
  AlternativeEstimate: {
    taxes: ({ variant, contentItems }) => presentTaxes(variant, contentItems),
  },
  TaxLine: {
    ratePercent: ({ line }) => lineRatePercent(line) ?? null,
    summary: ({ line, estimate }) => summarizeLine(estimate.consignment, line),
    description: ({ line, estimate }) => describeLine(estimate.consignment, line),
    reliability: ({ line, estimate }) => presentReliability(lineReliability(estimate.consignment, line)),
    basis: ({ line }) => dutyBasis(line) ?? null,
    rateRange: ({ line }) => {
      const range = lineRateRange(line)
      return range === undefined ? null : presentRange(range)
    },
    formula: ({ line, estimate }) => lineFormula(estimate.consignment, line) || null,
    rule: ({ line, estimate: { consignment } }) => {
      const source = lineSource(consignment, line)
      if (source === undefined) return null
      return presentSource(source, consignment, lineReliability(consignment, firstPart(line)))
    },
    quotas: ({ line, estimate: { consignment } }) =>
      lineQuotas(line).map(({ orderNumber, name, ratePercent, source }) => ({
        orderNumber: orNull(orderNumber),
        name,
        ratePercent: ratePercent ?? null,
        rule: presentSource(source, consignment, groundReliability(consignment, source)),
      })),
    items: ({ line, estimate, contentItems }) =>
      shareOfItems(line, estimate.items).map(({ itemIndex, amountCents }) => ({
        index: itemIndex,
        amount: presentMoney(amountCents),
        contentItems,
      })),
  },
  TaxedItem: {
    contentItem: ({ index, contentItems }) => presentItemAt(contentItems, index),
  },
  ItemEstimate: {
    contentItem: ({ index, estimate }) => presentItemAt(estimate.contentItems, index),
    classification: ({ item, estimate }) => presentClassification(item, estimate),
    total: ({ index, estimate }) =>
      presentMoney(sumCents(sharesOf(estimate, index).map(({ amountCents }) => amountCents))),
    taxes: ({ index, estimate }) =>
      sharesOf(estimate, index).map(({ lineIndex, amountCents }) => ({
        amount: presentMoney(amountCents),
        lineIndex,
        estimate,
      })),
  },
  ItemTax: {
    line: ({ lineIndex, estimate }) => {
      const line = estimate.taxes[lineIndex]
      if (line === undefined) throw new Error(`the estimate has no line ${lineIndex}`)
      return presentTax(line, estimate, estimate.contentItems)
    },
  },
  Classification: {
    alternatives: ({ classification, itemIndex, estimate }) =>
      classification.alternatives.map((candidate) => presentAlternative(candidate, itemIndex, estimate)),
    openQuestions: async ({ itemIndex, estimate }, _arguments, { meter, ports }) => {
      const before = {
        asking: (goods: ContentItem) => meter.require(classificationUnits(goods)),
        estimating: () => meter.require(repeatedEstimateUnits(estimate.items.length)),
      }
      const questions = await openQuestions(ports, estimate, itemIndex, before)
      return questions.map(presentQuestion)
    },
    secondOpinion: async ({ itemIndex, estimate }, _arguments, { meter }) => {
      const item = estimate.contentItems[itemIndex]
      // Equal goods are classified once per request.
      if (item?.tariff !== undefined) meter.require(classificationUnits(item), goodsKey(item))
      const opinion = await estimate.secondOpinion(itemIndex)
      return opinion === undefined ? null : presentOpinion(opinion, itemIndex, estimate)
    },
  },
  HsAlternative: {
    estimate: ({ hsCode, itemIndex, actual }, _arguments, { meter }) => {
      meter.require(repeatedEstimateUnits(actual.items.length))
      return presentVariant(actual.ifCode(itemIndex, hsCode), actual)
    },
  },
  LandedCostOption: {
    range: ({ landedOption }, _arguments, { meter }) => {
      const { duties } = landedOption
      meter.require(rangeUnits(duties.items.length))
      return presentEstimateRange(landedRange(landedOption, duties.range()))
    },
  },
  HsCandidates: {
    questions: async ({ described, ask }, _arguments, { meter }) => {
      meter.require(classificationUnits(described))
      const questions = await ask()
      return questions.map(presentQuestion)
    },
  },
  LandedCost: {
    options: ({ landedCost: { options } }) => {
      const badges = badgesOf(options.map(({ rate }) => rate))
      return options.map((option) => presentLandedOption(option, badges))
    },
    restrictions: ({ landedCost }) =>
      landedCost.restrictions().map((restriction) => presentRestriction(restriction, landedCost.date)),
    declined: ({ landedCost }) => landedCost.declined.map(presentDeclined),
  },
}
