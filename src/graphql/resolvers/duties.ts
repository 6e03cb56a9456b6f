/** Resolvers of `dutiesEstimate`, `landedCost` and `classify`, and the conversion of content items to core's input. */
import type { DutiesInput } from '../../core/customs/request.ts'
import { classifyGoods } from '../../operations/classify-goods.ts'
import { readCustomsCoverage } from '../../operations/customs-coverage.ts'
import { estimateDuties, type FindCodes } from '../../operations/estimate-duties.ts'
import { landedCost } from '../../operations/landed-cost.ts'
import { repeatedEstimateUnits } from '../../operations/points.ts'
import type { ContentItemInput, DutiesEstimateInput, QueryResolvers } from '../generated.ts'
import type { Loaders } from '../loaders.ts'
import { parcelsIn } from '../parcels.ts'
import { presentCandidate } from '../presenters/classification.ts'
import { presentCoverage, presentEstimate } from '../presenters/duties.ts'
import { presentLandedCost } from '../presenters/landed-cost.ts'
import { presentInputProblem, typed } from '../presenters/typed.ts'
import { placeInput, ratesInput, recipientInput, selectionInput } from './rates.ts'

const DEFAULT_CANDIDATES = 5

export const dutiesQueries: Required<
  Pick<
    QueryResolvers,
    'dutiesEstimate' | 'landedCost' | 'classify' | 'customsCoverage' | 'sellerRegistrations'
  >
> = {
  sellerRegistrations: (_root, _arguments, { caller }) => caller.registrations ?? [],
  dutiesEstimate: async (_root, { input }, { ports, caller, loaders }) => {
    const outcome = await estimateDuties(ports, caller, dutiesInput(input), codeFinder(loaders))
    switch (outcome.kind) {
      case 'DutiesEstimate':
        return presentEstimate(outcome)
      case 'InputProblem':
        return presentInputProblem(outcome)
    }
  },
  landedCost: async (_root, { input }, { ports, caller, loaders, turns, meter }) => {
    const { rates, contentItems, insuranceCost, preferences, importScheme, countAverages, terms } = input
    const beforeEstimate = (): void => meter.require(repeatedEstimateUnits(contentItems.length))
    const tools = { find: codeFinder(loaders), turns, beforeEstimate }
    const outcome = await landedCost(ports, caller, tools, {
      rates: ratesInput(rates),
      selection: selectionInput(rates),
      contentItems: contentItems.map(itemInput),
      insurance: insuranceCost?.amount,
      preferences,
      importScheme,
      countAverages,
      ...(terms != null && { terms }),
    })
    switch (outcome.kind) {
      case 'LandedCost':
        return presentLandedCost(outcome)
      case 'InputProblem':
        return presentInputProblem(outcome, parcelsIn(rates.parcels).list)
    }
  },
  customsCoverage: (_root, { countries }, { ports }) => {
    const outcome = readCustomsCoverage(ports, countries)
    switch (outcome.kind) {
      case 'CustomsCoverage':
        return typed({
          kind: outcome.kind,
          countries: outcome.countries.map((country) => presentCoverage(country, outcome.date)),
        })
      case 'InputProblem':
        return presentInputProblem(outcome)
    }
  },
  classify: async (_root, { description, first, facts, answers }, { ports }) => {
    const limit = first ?? DEFAULT_CANDIDATES
    const outcome = await classifyGoods(ports, { description, limit, facts, answers })
    switch (outcome.kind) {
      case 'HsCandidates':
        return typed({
          kind: outcome.kind,
          candidates: outcome.candidates.map(presentCandidate),
          described: { description, facts },
          ask: outcome.questions,
        })
      case 'InputProblem':
        return presentInputProblem(outcome)
    }
  },
}

/** Classifies through the loader of the request, so equal goods are classified only once. */
export function codeFinder({ codes }: Pick<Loaders, 'codes'>): FindCodes {
  return (goods) => Promise.all(goods.map((item) => codes.load(item)))
}

// Both are written out, because copying the rest of an object is several times slower.

export function dutiesInput({
  from,
  to,
  contentItems,
  asOf,
  shippingCost,
  insuranceCost,
  recipientType,
  preferences,
  importScheme,
  countAverages,
}: DutiesEstimateInput): DutiesInput {
  return {
    from: placeInput(from),
    to: placeInput(to),
    contentItems: contentItems.map(itemInput),
    asOf,
    shippingCost: shippingCost?.amount,
    insurance: insuranceCost?.amount,
    recipientType: recipientInput(recipientType),
    preferences,
    importScheme,
    countAverages,
  }
}

export function itemInput({
  description,
  count,
  value,
  hsCode,
  originCountry,
  weightKg,
  quantities,
  alcoholPercent,
  additionalCode,
  sku,
  facts,
  answers,
}: ContentItemInput) {
  return {
    description,
    numberOfItems: count,
    cost: value.amount,
    tariff: hsCode,
    originCountry,
    weight: weightKg,
    quantities,
    alcoholPercent,
    additionalCode,
    sku,
    facts,
    answers,
  }
}
