/**
 * How long the lists of an answer can become, and what its dearer fields cost, by field. Bounds follow from the
 * arguments, from the limits of core and from the rate book; where the data sets none there is an assumption, which
 * says so. A list that were longer all the same would be answered, at a price that is too low.
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
import { repeatedEstimateUnits } from '../../operations/points.ts'

/** What the lengths of lists depend on: of one root field, or of one request of a batch. */
export type Sizes = {
  readonly carriers: number
  readonly productsOfCarrier: number
  readonly options: number
  readonly declined: number
  readonly lines: number
  /** Inputs of a rule, on the average of the rules of an option. */
  readonly ruleInputs: number
  readonly rows: number
  readonly items: number
  /** Other codes of an item, on the average of the items. */
  readonly alternatives: number
  /** Units for the second opinion on an item: shared out, since a description is looked up once per request. */
  readonly opinionUnits: number
  /** Candidates of `classify`. */
  readonly candidates: number
  /** Shipments of a page. */
  readonly edges: number
  /** Faults of the input, and segments of the path of each. */
  readonly faults: number
  readonly pathSegments: number
}

/** Assumption: tax lines of one item; the shipped data has six at most, with the fees of the consignment. */
const LINES_PER_ITEM = 6
/** Assumption: lines that are for the consignment as a whole, such as a processing fee. */
const LINES_PER_CONSIGNMENT = 4
/** Assumption: questions about a code; the shipped lexicon has four at most. */
const QUESTIONS = 6
/** The shipped classifier names no more; assumed of other ones. */
const MATCHED_TERMS = 5
/** Assumption: attempts to cancel one shipment. A second one follows a refusal only. */
const ATTEMPTS = 10
const BADGES = 3
/** One for each code that is looked for (operations/estimate-duties.ts). */
const OPINION_CANDIDATES = 6

/** The entries of each list, by type and field; `field of a field` where the same list is shorter at that place. */
export const LIST_SIZES: Readonly<Record<string, (sizes: Sizes) => number>> = {
  'Query.carriers': ({ carriers }) => carriers,
  // Each request of a batch is counted by itself.
  'Query.ratesBatch': () => 1,
  'Query.classify': ({ candidates }) => candidates,
  'Carrier.products': ({ productsOfCarrier }) => productsOfCarrier,
  'RateQuote.options': ({ options }) => options,
  'RateQuote.declined': ({ declined }) => declined,
  'RateOption.badges': () => BADGES,
  'RateOption.breakdown': ({ lines }) => lines,
  'RateOption.chargeable': ({ rows }) => rows,
  'AppliedRule.inputs': ({ ruleInputs }) => ruleInputs,
  'LandedCost.options': ({ options }) => options,
  'LandedCost.declined': ({ declined }) => declined,
  'DutiesEstimate.taxes': taxLines,
  'DutiesEstimate.items': ({ items }) => items,
  // Lines of the consignment are for all items, the others each item's own: on the average of the lines.
  'TaxLine.items': (sizes) =>
    ((LINES_PER_ITEM + LINES_PER_CONSIGNMENT) * sizes.items) / Math.max(1, taxLines(sizes)),
  'ItemEstimate.taxes': () => LINES_PER_ITEM + LINES_PER_CONSIGNMENT,
  'ItemEstimate.problem.fields': () => 1,
  'Classification.questions': () => QUESTIONS,
  'Classification.alternatives': ({ alternatives }) => alternatives,
  'SecondOpinion.candidates': () => OPINION_CANDIDATES,
  'HsAlternative.matchedTerms': () => MATCHED_TERMS,
  'HsAlternative.questions': () => QUESTIONS,
  'AlternativeOutcome.taxes': taxLines,
  'HsCandidate.matchedTerms': () => MATCHED_TERMS,
  'HsCandidate.questions': () => QUESTIONS,
  'InputProblem.fields': ({ faults }) => faults,
  'FieldProblem.path': ({ pathSegments }) => pathSegments,
  'ShipmentConnection.edges': ({ edges }) => edges,
  'Shipment.cancellations': () => ATTEMPTS,
}

function taxLines({ items }: Sizes): number {
  return items === 0 ? 0 : LINES_PER_ITEM * items + LINES_PER_CONSIGNMENT
}

/** Units of putting a rule in words, and of each of its inputs. */
const RULE_UNITS = 0.5
const RULE_INPUT_UNITS = 0.1

/** Units of work behind a field, beside writing it, by type and field; of root fields see extents.ts. */
export const FIELD_UNITS: Readonly<Record<string, (sizes: Sizes) => number>> = {
  'PriceLine.rule': ({ ruleInputs }) => RULE_UNITS + ruleInputs * RULE_INPUT_UNITS,
  'HsAlternative.outcome': ({ items }) => repeatedEstimateUnits(items, 1),
  'Classification.secondOpinion': ({ opinionUnits }) => opinionUnits,
}

// How long the lists of introspection are: facts of the schema. All types have `fields` on the average; a type that
// is asked for by name, or that another leads to, may be the one with the most.

/** The entries of each list of introspection, by type and field, or by the field around it and field. */
export function introspectionSizes(schema: GraphQLSchema): ReadonlyMap<string, number> {
  const types = Object.values(schema.getTypeMap())
  const lists: Readonly<Record<string, (type: GraphQLNamedType) => number>> = {
    fields: (type) => fieldsOf(type).length,
    inputFields: (type) => (isInputObjectType(type) ? Object.keys(type.getFields()).length : 0),
    enumValues: (type) => (isEnumType(type) ? type.getValues().length : 0),
    interfaces: (type) => (isObjectType(type) || isInterfaceType(type) ? type.getInterfaces().length : 0),
    possibleTypes: (type) => (isAbstractType(type) ? schema.getPossibleTypes(type).length : 0),
  }
  const sizes = new Map([
    ['__Schema.types', types.length],
    ['__Schema.directives', schema.getDirectives().length],
    ['__Directive.locations', most(schema.getDirectives(), ({ locations }) => locations.length)],
    ['__Directive.args', most(schema.getDirectives(), ({ args }) => args.length)],
    // On the average of a type's fields, which are always listed together.
    ['__Field.args', most(types, argumentsPerField)],
  ])
  for (const [name, count] of Object.entries(lists)) {
    sizes.set(`__Type.${name}`, most(types, count))
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

function most<Item>(items: readonly Item[], count: (item: Item) => number): number {
  return items.reduce((highest, item) => Math.max(highest, count(item)), 0)
}
