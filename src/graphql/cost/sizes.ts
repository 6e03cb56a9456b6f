/**
 * The maximum length of each list in a response, and the cost of fields that need extra work. The lengths follow from
 * the arguments, from the limits of core and from the rate book. If none of these limits a list, its length is an
 * assumption. A longer list is still returned in full, but its cost is underestimated.
 */
import {
  type GraphQLNamedType,
  type GraphQLSchema,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
} from 'graphql'
import type { ContentSizes } from '../../core/shipments/shipment.ts'
import { CODES_PER_ITEM } from '../../operations/estimate-duties.ts'
import { repeatedEstimateUnits, textUnits } from '../../operations/points.ts'

/** The sizes that list lengths depend on, for one root field or one request of a batch. */
export type Sizes = {
  readonly carriers: number
  readonly productsOfCarrier: number
  readonly options: number
  readonly declined: number
  readonly lines: number
  /** Inputs per rule: the average over the rules of an option. */
  readonly ruleInputs: number
  readonly rows: number
  readonly items: number
  /** Alternative codes per item: the average over the items. */
  readonly alternatives: number
  /** Units per second opinion: an average, because each description is classified once per request. */
  readonly opinionUnits: number
  /** Candidates of `classify`. */
  readonly candidates: number
  /** Countries of `customsCoverage`. */
  readonly countries: number
  /** Representations of `_entities`. */
  readonly representations: number
  /** Shipments per page. */
  readonly edges: number
  /** What is in a shipment. */
  readonly contents: ContentSizes
  /** Fields of an `InputProblem`. */
  readonly faults: number
  /** Path segments per field of an `InputProblem`. */
  readonly pathSegments: number
}

export const NO_SIZES: Sizes = {
  carriers: 0,
  productsOfCarrier: 0,
  options: 0,
  declined: 0,
  lines: 0,
  ruleInputs: 0,
  rows: 0,
  items: 0,
  alternatives: 0,
  opinionUnits: 0,
  candidates: 0,
  countries: 0,
  representations: 0,
  edges: 0,
  contents: { parcelRows: 0, items: 0, quantities: 0, bytes: 0 },
  faults: 0,
  pathSegments: 0,
}

// Assumptions: docs/decisions/api.md#d117.

/** The shipped data has at most 6, including the fees of the consignment. */
const LINES_PER_ITEM = 6
/** Lines for the consignment as a whole, such as a processing fee. */
const LINES_PER_CONSIGNMENT = 4
/** The shipped lexicon has at most 4. */
const QUESTIONS = 6
/** The shipped classifier returns at most 5. */
const MATCHED_TERMS = 5
/** Attempts to cancel one shipment. Another attempt is made only after a refusal. */
const ATTEMPTS = 10
/** Most shipments have fewer, and a caller can read up to 50 of each. */
const TRACKING_EVENTS = 10
/** Most shipments have one number, and few have more than three. */
const PARCELS = 3
const CLEARANCE_FEES = 2
const QUOTAS = 1

/** Data sets and taxes of a country. The shipped data has at most 3. */
const COVERAGE_LISTS = 3

/**
 * What is in a stored shipment. Most items have no quantities. The contents of larger shipments are charged when their
 * sizes are known, before they are read (contents-cost.ts).
 */
export const ASSUMED_CONTENTS: ContentSizes = { parcelRows: 3, items: 5, quantities: 5, bytes: 1_500 }

const BADGES = 3
/** Rate cards that apply on a day, including those of contracts. */
const RATE_CARDS = 10

/** Number of entries by `Type.field`. An entry `Type.field.field` takes precedence below that field. */
export const LIST_SIZES: Readonly<Record<string, (sizes: Sizes) => number>> = {
  'Query.carriers': ({ carriers }) => carriers,
  'Query._entities': ({ representations }) => representations,
  'CustomsCoverage.countries': ({ countries }) => countries,
  'CountryCoverage.dataSets': () => COVERAGE_LISTS,
  'CountryCoverage.taxes': () => COVERAGE_LISTS,
  // Each request of a batch has its own sizes.
  'RatesBatch.results': () => 1,
  'HsCandidates.candidates': ({ candidates }) => candidates,
  'Carrier.products': ({ productsOfCarrier }) => productsOfCarrier,
  'RateQuote.rateCardVersions': () => RATE_CARDS,
  'RateQuote.options': ({ options }) => options,
  'RateQuote.declined': ({ declined }) => declined,
  'RateOption.badges': () => BADGES,
  'RateOption.breakdown': ({ lines }) => lines,
  'RateOption.chargeable': ({ rows }) => rows,
  'AppliedRule.figures': ({ ruleInputs }) => ruleInputs,
  'LandedCost.rateCardVersions': () => RATE_CARDS,
  'LandedCost.options': ({ options }) => options,
  'LandedCost.declined': ({ declined }) => declined,
  'LandedCostOption.clearanceFees': () => CLEARANCE_FEES,
  'TaxLine.quotas': () => QUOTAS,
  'DutiesEstimate.taxes': taxLines,
  'DutiesEstimate.items': ({ items }) => items,
  // Lines of the consignment apply to all items, other lines to one item. This is the average over all lines.
  'TaxLine.items': (sizes) =>
    ((LINES_PER_ITEM + LINES_PER_CONSIGNMENT) * sizes.items) / Math.max(1, taxLines(sizes)),
  'ItemEstimate.taxes': () => LINES_PER_ITEM + LINES_PER_CONSIGNMENT,
  // Most lines of an item apply to that item only.
  'ItemTax.line.items': ({ items }) =>
    (LINES_PER_ITEM + LINES_PER_CONSIGNMENT * items) / (LINES_PER_ITEM + LINES_PER_CONSIGNMENT),
  'ItemEstimate.problem.fields': () => 1,
  'Classification.questions': () => QUESTIONS,
  'Classification.alternatives': ({ alternatives }) => alternatives,
  'SecondOpinion.alternatives': () => CODES_PER_ITEM,
  'HsAlternative.matchedTerms': () => MATCHED_TERMS,
  'HsAlternative.questions': () => QUESTIONS,
  'AlternativeEstimate.taxes': taxLines,
  'OtherSchemeEstimate.taxes': taxLines,
  'HsCandidate.matchedTerms': () => MATCHED_TERMS,
  'HsCandidate.questions': () => QUESTIONS,
  'InputProblem.fields': ({ faults }) => faults,
  'FieldProblem.path': ({ pathSegments }) => pathSegments,
  'ShipmentConnection.edges': ({ edges }) => edges,
  'ShipmentConnection.nodes': ({ edges }) => edges,
  'Shipment.parcels': ({ contents }) => contents.parcelRows,
  'Shipment.contentItems': ({ contents }) => contents.items,
  // The average over the items.
  'ContentItem.quantities': ({ contents }) => contents.quantities / Math.max(1, contents.items),
  'Shipment.cancelAttempts': () => ATTEMPTS,
  'Shipment.trackingEvents': () => TRACKING_EVENTS,
  'Shipment.trackingNumbers': () => PARCELS,
  'CancelAttempt.parcels': () => PARCELS,
  'CancellationPending.parcels': () => PARCELS,
}

function taxLines({ items }: Sizes): number {
  return items === 0 ? 0 : LINES_PER_ITEM * items + LINES_PER_CONSIGNMENT
}

/** Units of work for explaining a rule, and for each of its inputs. */
const RULE_UNITS = 0.5
const RULE_INPUT_UNITS = 0.1

/** Units of work for writing the schema, about 60 KB, into a response. */
const SCHEMA_UNITS = 50

/** Units of work for counting up to 10,000 shipments of a list, the database's work included. */
const COUNT_UNITS = 200

/** Parcels and content items are read together, if either is selected. */
function readingUnits({ contents }: Sizes): number {
  return textUnits(contents.bytes)
}

/**
 * Units of work for fields that are calculated or read when selected, by `Type.field`. For root fields see extents.ts.
 */
export const FIELD_UNITS: Readonly<Record<string, (sizes: Sizes) => number>> = {
  'PriceLine.rule': ({ ruleInputs }) => RULE_UNITS + ruleInputs * RULE_INPUT_UNITS,
  'HsAlternative.estimate': ({ items }) => repeatedEstimateUnits(items, 1),
  'DutiesEstimate.underOtherScheme': ({ items }) => repeatedEstimateUnits(items, 1),
  '_Service.sdl': () => SCHEMA_UNITS,
  'Classification.secondOpinion': ({ opinionUnits }) => opinionUnits,
  'ShipmentConnection.totalCount': () => COUNT_UNITS,
  'Shipment.parcels': readingUnits,
  'Shipment.contentItems': readingUnits,
  // Each alias writes the description once more. The average over the items.
  'ContentItem.description': ({ contents }) => textUnits(contents.bytes / Math.max(1, contents.items)),
}

/**
 * Number of entries of introspection lists, by the same keys as LIST_SIZES. Below `__schema { types }` it is the
 * average, because all types are returned. Elsewhere it is the maximum.
 */
export function introspectionSizes(schema: GraphQLSchema): ReadonlyMap<string, number> {
  const types = Object.values(schema.getTypeMap())
  const directives = schema.getDirectives()
  const lists: Readonly<Record<string, (type: GraphQLNamedType) => number>> = {
    fields: (type) => fieldsOf(type).length,
    inputFields: (type) => (isInputObjectType(type) ? Object.keys(type.getFields()).length : 0),
    enumValues: (type) => (isEnumType(type) ? type.getValues().length : 0),
    interfaces: (type) => (isObjectType(type) || isInterfaceType(type) ? type.getInterfaces().length : 0),
    possibleTypes: (type) => (isAbstractType(type) ? schema.getPossibleTypes(type).length : 0),
  }
  const sizes = new Map([
    ['__Schema.types', types.length],
    ['__Schema.directives', directives.length],
    ['__Directive.locations', Math.max(...directives.map(({ locations }) => locations.length))],
    ['__Directive.args', Math.max(...directives.map(({ args }) => args.length))],
    // The average over a type's fields, because all of them are returned.
    ['__Field.args', Math.max(...types.map(argumentsPerField))],
  ])
  for (const [name, count] of Object.entries(lists)) {
    sizes.set(`__Type.${name}`, Math.max(...types.map(count)))
    sizes.set(`__Schema.types.${name}`, types.reduce((sum, type) => sum + count(type), 0) / types.length)
  }
  return sizes
}

function fieldsOf(type: GraphQLNamedType) {
  return isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : []
}

function argumentsPerField(type: GraphQLNamedType): number {
  const fields = fieldsOf(type)
  return fields.reduce((sum, { args }) => sum + args.length, 0) / Math.max(1, fields.length)
}
