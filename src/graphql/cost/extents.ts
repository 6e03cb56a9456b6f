/**
 * What the arguments of a root field ask for: how large its answer can become, and the work before it is presented.
 * Figures of work are those of operations/points.ts, so that both doors charge the same. Of what core refuses (a
 * thousand rows, say) nothing is priced, but it has been read: it is charged like what is accepted.
 */
import { RATES_LIMITS } from '../../core/rating/request.ts'
import {
  classificationUnits,
  dutiesUnits,
  hasTariff,
  ratesUnits,
  repeatedEstimateUnits,
} from '../../operations/points.ts'
import type {
  ContentItemInput,
  MutationCreateDraftShipmentArgs,
  MutationResolvers,
  QueryClassifyArgs,
  QueryDutiesEstimateArgs,
  QueryLandedCostArgs,
  QueryRatesArgs,
  QueryRatesBatchArgs,
  QueryResolvers,
  QueryShipmentsArgs,
  RatesInput,
} from '../generated.ts'
import { MAX_FAULTS } from '../presenters/input-problem.ts'
import type { BookBounds, QuoteBounds } from './book-bounds.ts'
import type { Sizes } from './sizes.ts'

/** Work in units, and the sizes of the answer that it makes. */
export type Extent = { readonly units: number; readonly sizes: Sizes }

/** The extents of a root field's arguments: one, or one per request of a batch. Arguments are coerced. */
export type ReadExtents = (args: never, bounds: BookBounds) => readonly Extent[]

/** By type and field: every root field there is. */
export const ROOT_EXTENTS: {
  readonly Query: Readonly<Record<keyof QueryResolvers, ReadExtents>>
  readonly Mutation: Readonly<Record<keyof MutationResolvers, ReadExtents>>
} = {
  Query: {
    rates: ({ input }: QueryRatesArgs, bounds) => [ratesExtent(input, bounds)],
    ratesBatch: ({ inputs }: QueryRatesBatchArgs, bounds) =>
      inputs.map((input) => ratesExtent(input, bounds)),
    dutiesEstimate: ({ input }: QueryDutiesEstimateArgs, bounds) => {
      const { contentItems } = input
      const sizes = { ...smallest(bounds), ...goodsSizes(contentItems, 1) }
      return [{ units: dutiesUnits(contentItems), sizes }]
    },
    landedCost: ({ input }: QueryLandedCostArgs, bounds) => [landedExtent(input, bounds)],
    classify: ({ description, limit }: QueryClassifyArgs, bounds) => {
      const candidates = clamp(limit, MOST_CANDIDATES)
      return [{ units: classificationUnits(description), sizes: { ...smallest(bounds), candidates } }]
    },
    carriers: (_args, bounds) => [{ units: 0, sizes: smallest(bounds) }],
    shipment: (_args, bounds) => [{ units: 0, sizes: smallest(bounds) }],
    shipments: ({ first }: QueryShipmentsArgs, bounds) => [
      { units: 0, sizes: { ...smallest(bounds), edges: clamp(first, MOST_EDGES) } },
    ],
  },
  Mutation: {
    createDraftShipment: ({ input }: MutationCreateDraftShipmentArgs, bounds) => {
      const { units, sizes } = ratesExtent(input.rates, bounds)
      return [{ units, sizes: { ...sizes, pathSegments: RATES_PATH + 1 } }]
    },
    bookShipment: (_args, bounds) => [{ units: 0, sizes: smallest(bounds) }],
    cancelShipment: (_args, bounds) => [{ units: 0, sizes: smallest(bounds) }],
  },
}

/** The most that core accepts (core/customs/request.ts, operations/classify-goods.ts, list-shipments.ts). */
const MOST_ITEMS = 99
const MOST_CANDIDATES = 20
const MOST_EDGES = 100

/** The least an input can be at fault in: both ends, the day, the recipient and so on. */
const FAULTS = 12
const FAULTS_PER_ROW = 9
const FAULTS_PER_ITEM = 8
const FAULTS_PER_QUANTITY = 2

/** From `parcels` to a field of a row; from `contentItems` to a field of a quantity. */
const RATES_PATH = 3
const GOODS_PATH = 5

/** Alternatives of a found code (operations/estimate-duties.ts). */
const ALTERNATIVES = 5

/** Looking a carrier or product of a filter up. */
const FILTER_NAME_UNITS = 1

/** The sizes of an answer without lists that depend on arguments. */
function smallest({ carriers, productsOfCarrier }: BookBounds): Sizes {
  return {
    carriers,
    productsOfCarrier,
    ...{ options: 0, declined: 0, lines: 0, ruleInputs: 0, rows: 0 },
    ...{ items: 0, alternatives: 0, opinionUnits: 0, candidates: 0, edges: 0 },
    faults: FAULTS,
    pathSegments: RATES_PATH,
  }
}

function ratesExtent(input: RatesInput, bounds: BookBounds): Extent {
  const { parcels, filter } = input
  const rows = Math.min(parcels.length, RATES_LIMITS.parcelRows)
  const names = (filter?.carriers?.length ?? 0) + (filter?.products?.length ?? 0)
  const { options, lines, ruleInputs, ruleInputsOfRow } = quoteBounds(input, bounds)
  return {
    // A request without rows is read all the same.
    units: ratesUnits(Math.max(1, parcels.length)) + names * FILTER_NAME_UNITS,
    sizes: {
      ...smallest(bounds),
      options,
      declined: bounds.products,
      lines,
      ruleInputs: (ruleInputs + rows * ruleInputsOfRow) / Math.max(1, lines),
      rows,
      faults: Math.min(MAX_FAULTS, FAULTS + rows * FAULTS_PER_ROW + names),
    },
  }
}

/** All rows are of one type, or nothing is offered. Where products are chosen, each may be the one with the most. */
function quoteBounds({ parcels, filter }: RatesInput, { ofType, ofOne }: BookBounds): QuoteBounds {
  const [first] = parcels
  if (first === undefined) return { ...ofOne, options: 0 }
  const ofAll = ofType[first.type]
  const chosen = filter?.products?.length ?? 0
  return chosen === 0 ? ofAll : { ...ofOne, options: Math.min(chosen, ofAll.options) }
}

function landedExtent({ rates, contentItems }: QueryLandedCostArgs['input'], bounds: BookBounds): Extent {
  const quoted = ratesExtent(rates, bounds)
  const { options, faults } = quoted.sizes
  const goods = goodsSizes(contentItems, options)
  return {
    units: quoted.units + dutiesUnits(contentItems) + repeatedEstimateUnits(goods.items, options),
    sizes: { ...quoted.sizes, ...goods, faults: Math.min(MAX_FAULTS, faults + goods.faults) },
  }
}

/** What goods make of each of `estimates` estimates. */
function goodsSizes(
  items: readonly ContentItemInput[],
  estimates: number,
): Pick<Sizes, 'items' | 'alternatives' | 'opinionUnits' | 'faults' | 'pathSegments'> {
  const accepted = items.slice(0, MOST_ITEMS)
  const given = accepted.filter(hasTariff)
  const opinions = given.reduce((sum, { description }) => sum + classificationUnits(description), 0)
  const each = Math.max(1, accepted.length)
  return {
    items: accepted.length,
    alternatives: (ALTERNATIVES * (accepted.length - given.length)) / each,
    opinionUnits: opinions / each / Math.max(1, estimates),
    faults: Math.min(
      MAX_FAULTS,
      accepted.reduce((sum, item) => sum + faultsOf(item), FAULTS),
    ),
    pathSegments: GOODS_PATH,
  }
}

function faultsOf({ quantities }: ContentItemInput): number {
  return FAULTS_PER_ITEM + (quantities?.length ?? 0) * FAULTS_PER_QUANTITY
}

/** A number of entries that was asked for, as far as core accepts it. */
function clamp(asked: number | null | undefined, most: number): number {
  return Math.min(Math.max(asked ?? most, 0), most)
}
