/**
 * For each root field: how much work its arguments request, and how long the lists in its response can become. Work is
 * measured in the units of operations/points.ts, so REST and GraphQL charge the same for it. Input that core refuses,
 * such as a thousand parcel rows, is charged as if it were accepted, because it must be read.
 */
import { MAX_CANDIDATES } from '../../core/customs/classification/classify.ts'
import { MAX_ITEMS, MAX_QUANTITIES } from '../../core/customs/request.ts'
import { MAX_TEXT_LENGTH } from '../../core/input.ts'
import { COUNTRY_CODES } from '../../core/place.ts'
import { RATES_LIMITS } from '../../core/rating/request.ts'
import type { ContentSizes } from '../../core/shipments/shipment.ts'
import { CODES_PER_ITEM } from '../../operations/estimate-duties.ts'
import { PAGE_DEFAULT, PAGE_MAX } from '../../operations/list-shipments.ts'
import {
  type CostedItem,
  classificationUnits,
  dutiesUnits,
  hasTariff,
  ratesUnits,
  repeatedEstimateUnits,
  responseUnits,
} from '../../operations/points.ts'
import type {
  ContentItemInput,
  MutationCreateCheckoutTokenArgs,
  MutationCreateDraftShipmentArgs,
  MutationResolvers,
  Query_EntitiesArgs,
  QueryClassifyArgs,
  QueryCustomsCoverageArgs,
  QueryDutiesEstimateArgs,
  QueryLandedCostArgs,
  QueryRatesArgs,
  QueryRatesBatchArgs,
  QueryResolvers,
  QueryShipmentsArgs,
  RatesInput,
} from '../generated.ts'
import { parcelsIn } from '../parcels.ts'
import { MAX_FAULTS } from '../presenters/typed.ts'
import type { BookBounds, QuoteBounds } from './book-bounds.ts'
import { ASSUMED_CONTENTS, NO_SIZES, type Sizes } from './sizes.ts'

export type Extent = {
  /** Work, in units of operations/points.ts, without the response. */
  readonly units: number
  readonly sizes: Sizes
}

/**
 * Returns one extent, or one per request of a batch. `args` are the coerced arguments of the field.
 *
 * Declared as a method so that TypeScript accepts functions whose parameter has the argument type of their field.
 * graphql-js types the arguments as a record.
 */
export type ReadExtents = {
  read(args: Readonly<Record<string, unknown>>, bounds: BookBounds): readonly Extent[]
}['read']

export const ROOT_EXTENTS: {
  readonly Query: Readonly<Record<keyof QueryResolvers, ReadExtents>>
  readonly Mutation: Readonly<Record<keyof MutationResolvers, ReadExtents>>
} = {
  Query: {
    rates: ({ input }: QueryRatesArgs, bounds) => [ratesExtent(input, bounds)],
    ratesBatch: ({ inputs }: QueryRatesBatchArgs, bounds) =>
      // An empty batch is answered with an InputProblem.
      inputs.length === 0
        ? [{ units: 0, sizes: baseSizes(bounds) }]
        : inputs.map((input) => ratesExtent(input, bounds)),
    dutiesEstimate: ({ input }: QueryDutiesEstimateArgs, bounds) => {
      const { contentItems } = input
      const sizes = { ...baseSizes(bounds), ...goodsSizes(contentItems, 1) }
      return [{ units: dutiesUnits(contentItems.map(costedItem)), sizes }]
    },
    landedCost: ({ input }: QueryLandedCostArgs, bounds) => [landedCostExtent(input, bounds)],
    classify: ({ description, first }: QueryClassifyArgs, bounds) => {
      const candidates = clamp(first, MAX_CANDIDATES)
      return [{ units: classificationUnits(description), sizes: { ...baseSizes(bounds), candidates } }]
    },
    customsCoverage: ({ countries }: QueryCustomsCoverageArgs, bounds) => [
      {
        units: COVERAGE_UNITS,
        sizes: {
          ...baseSizes(bounds),
          countries: Math.min(countries?.length ?? COUNTRY_CODES.length, COUNTRY_CODES.length),
        },
      },
    ],
    carriers: (_args, bounds) => [{ units: 0, sizes: baseSizes(bounds) }],
    shipment: (_args, bounds) => [{ units: 0, sizes: baseSizes(bounds) }],
    _service: (_args, bounds) => [{ units: 0, sizes: baseSizes(bounds) }],
    _entities: ({ representations }: Query_EntitiesArgs, bounds) => {
      const { length } = representations
      // The same cost as a root field for each entity.
      return [{ units: responseUnits(length), sizes: { ...baseSizes(bounds), representations: length } }]
    },
    carrier: (_args, bounds) => [{ units: 0, sizes: baseSizes(bounds) }],
    product: (_args, bounds) => [{ units: 0, sizes: baseSizes(bounds) }],
    shipments: ({ first, last }: QueryShipmentsArgs, bounds) => [
      {
        units: LIST_UNITS,
        sizes: { ...baseSizes(bounds), edges: clamp(last ?? first ?? PAGE_DEFAULT, PAGE_MAX) },
      },
    ],
  },
  Mutation: {
    createDraftShipment: ({ input }: MutationCreateDraftShipmentArgs, bounds) => {
      const quote = ratesExtent(input.rates, bounds)
      const items = input.contentItems ?? []
      const { faults, pathSegments } = goodsSizes(items, 1)
      const sizes = {
        ...quote.sizes,
        faults: Math.min(MAX_FAULTS, quote.sizes.faults + faults + CONTACT_FAULTS),
        pathSegments: Math.max(PATH_SEGMENTS.rates + 1, pathSegments),
        contents: storedContents(input),
      }
      return [{ units: quote.units + items.length * STORED_ITEM_UNITS, sizes }]
    },
    createCheckoutToken: ({ input }: MutationCreateCheckoutTokenArgs, bounds) => {
      // Nothing is priced or classified. The rows and items are checked and hashed.
      const items = input.contentItems ?? []
      const rates = ratesExtent(input.rates, bounds)
      const goods = goodsSizes(items, 1)
      const sizes = {
        ...rates.sizes,
        faults: Math.min(MAX_FAULTS, rates.sizes.faults + goods.faults),
        pathSegments: Math.max(PATH_SEGMENTS.rates + 1, goods.pathSegments),
      }
      return [{ units: rates.units + items.length * STORED_ITEM_UNITS, sizes }]
    },
    bookShipment: (_args, bounds) => [{ units: 0, sizes: { ...baseSizes(bounds), contents: MAX_CONTENTS } }],
    cancelShipment: (_args, bounds) => [
      { units: 0, sizes: { ...baseSizes(bounds), contents: MAX_CONTENTS } },
    ],
  },
}

/** Upper bounds for the number of faults in an input: without its lists, and per entry of a list. */
const FAULTS = { base: 12, perRow: 9, perItem: 8, perQuantity: 2 }

/** Of the fields of a sender and a recipient. */
const CONTACT_FAULTS = 14

/**
 * Path segments of a fault: from `parcels` and its list to a field of a row, and from `contentItems` to a field of a
 * quantity.
 */
const PATH_SEGMENTS = { rates: 4, goods: 5 }

/** The maximum number of alternatives to a code that was found from a description. */
const ALTERNATIVES = CODES_PER_ITEM - 1

/** Units for the statement that reads a page of shipments, the database's work included. */
const LIST_UNITS = 50

/** Units of work for checking and storing one content item of a draft. */
const STORED_ITEM_UNITS = 1

/** Units of work for the coverage of countries. The measures are read once a day, or after a change of the data. */
const COVERAGE_UNITS = 200

/** Units of work for looking up one carrier or product of the filter. */
const FILTER_NAME_UNITS = 1

/** The sizes of a response whose lists do not depend on the arguments. */
function baseSizes({ carriers, productsOfCarrier }: BookBounds): Sizes {
  return {
    ...{ ...NO_SIZES, carriers, productsOfCarrier, contents: ASSUMED_CONTENTS },
    ...{ faults: FAULTS.base, pathSegments: PATH_SEGMENTS.rates },
  }
}

/** Bytes of stored text: of a parcel row, of an item without its description, and of a quantity. */
const STORED_BYTES = { perRow: 160, perItem: 250, perQuantity: 60 }

/** In UTF-8. */
const BYTES_PER_CHARACTER = 3

function contentSizes(
  parcelRows: number,
  items: number,
  quantities: number,
  characters: number,
): ContentSizes {
  const bytes =
    parcelRows * STORED_BYTES.perRow +
    items * STORED_BYTES.perItem +
    quantities * STORED_BYTES.perQuantity +
    characters * BYTES_PER_CHARACTER
  return { parcelRows, items, quantities, bytes }
}

/**
 * The largest contents of a shipment. A mutation that returns a stored shipment is charged for them in advance, because
 * it cannot be refused any more when their sizes are known.
 */
const MAX_CONTENTS = contentSizes(
  RATES_LIMITS.parcelRows,
  MAX_ITEMS,
  MAX_ITEMS * MAX_QUANTITIES,
  MAX_ITEMS * MAX_TEXT_LENGTH,
)

/** The contents of the draft that the input describes, or larger ones. */
function storedContents({
  rates: { parcels },
  contentItems,
}: MutationCreateDraftShipmentArgs['input']): ContentSizes {
  const items = (contentItems ?? []).slice(0, MAX_ITEMS)
  return contentSizes(
    Math.min(parcelsIn(parcels).rows.length, RATES_LIMITS.parcelRows),
    items.length,
    items.reduce((sum, { quantities }) => sum + Math.min(quantities?.length ?? 0, MAX_QUANTITIES), 0),
    items.reduce((sum, { description }) => sum + Math.min(description.length, MAX_TEXT_LENGTH), 0),
  )
}

function ratesExtent(input: RatesInput, bounds: BookBounds): Extent {
  const { filter } = input
  const parcelRows = parcelsIn(input.parcels).rows.length
  const rows = Math.min(parcelRows, RATES_LIMITS.parcelRows)
  const filterNames = (filter?.carrierIds?.length ?? 0) + (filter?.productIds?.length ?? 0)
  const { options, lines, ruleInputs, ruleInputsPerRow } = quoteBounds(input, bounds)
  return {
    // A request without rows is charged like one row.
    units: ratesUnits(Math.max(1, parcelRows)) + filterNames * FILTER_NAME_UNITS,
    sizes: {
      ...baseSizes(bounds),
      options,
      declined: bounds.products,
      lines,
      ruleInputs: (ruleInputs + rows * ruleInputsPerRow) / Math.max(1, lines),
      rows,
      faults: Math.min(MAX_FAULTS, FAULTS.base + rows * FAULTS.perRow + filterNames),
    },
  }
}

/**
 * If the filter names products, each of them is assumed to have the highest bounds.
 */
function quoteBounds({ parcels, filter }: RatesInput, { byParcelType, anyOption }: BookBounds): QuoteBounds {
  const { type, rows } = parcelsIn(parcels)
  if (rows.length === 0) return { ...anyOption, options: 0 }
  const allOptions = byParcelType[type]
  const filtered = filter?.productIds?.length ?? 0
  return filtered === 0 ? allOptions : { ...anyOption, options: Math.min(filtered, allOptions.options) }
}

function landedCostExtent({ rates, contentItems }: QueryLandedCostArgs['input'], bounds: BookBounds): Extent {
  const quote = ratesExtent(rates, bounds)
  const { options, faults } = quote.sizes
  const goods = goodsSizes(contentItems, options)
  return {
    units:
      quote.units + dutiesUnits(contentItems.map(costedItem)) + repeatedEstimateUnits(goods.items, options),
    sizes: { ...quote.sizes, ...goods, faults: Math.min(MAX_FAULTS, faults + goods.faults) },
  }
}

/**
 * The sizes of one estimate for these items. `estimates` is the number of estimates in the response. They share the
 * cost of second opinions, because each description is classified once per request.
 */
function goodsSizes(
  items: readonly ContentItemInput[],
  estimates: number,
): Pick<Sizes, 'items' | 'alternatives' | 'opinionUnits' | 'faults' | 'pathSegments'> {
  const accepted = items.slice(0, MAX_ITEMS)
  const withCode = accepted.filter((item) => hasTariff(costedItem(item)))
  const opinionUnits = withCode.reduce((sum, { description }) => sum + classificationUnits(description), 0)
  const divisor = Math.max(1, accepted.length)
  return {
    items: accepted.length,
    alternatives: (ALTERNATIVES * (accepted.length - withCode.length)) / divisor,
    opinionUnits: opinionUnits / divisor / Math.max(1, estimates),
    faults: Math.min(
      MAX_FAULTS,
      accepted.reduce((sum, item) => sum + maxFaults(item), FAULTS.base),
    ),
    pathSegments: PATH_SEGMENTS.goods,
  }
}

/** The item with the field names of REST, by which points.ts charges. */
function costedItem({ description, hsCode }: ContentItemInput): CostedItem {
  return { description, tariff: hsCode }
}

function maxFaults({ quantities }: ContentItemInput): number {
  return FAULTS.perItem + (quantities?.length ?? 0) * FAULTS.perQuantity
}

function clamp(requested: number | null | undefined, maximum: number): number {
  return Math.min(Math.max(requested ?? maximum, 0), maximum)
}
