/**
 * GraphQL documents with large answers: nested lists under as many aliases as allowed. Each document is
 * valid, and each generator uses one way of multiplying with sizes drawn from the dice.
 */
import type { Dice } from '../../../support/random/seeded-dice.ts'
import { costlyDescriptions, ordinaryDescription } from './descriptions.ts'
import { ROUTES } from './rest-bodies.ts'

/** A document with its variables, and its name in reports. */
export type GraphQLBody = { readonly label: string; readonly body: string }

export type GraphQLMaker = (dice: Dice) => GraphQLBody

const MONEY = '{ amount currency }'
const RULE = `{ type hsCodePrefix origin agreement publishedRate publishedRange { lowestPercent highestPercent } validFrom validTo reliability
  dataSet { name title source date } }`
const TAX_LINE = `hsCode kind name amount ${MONEY} base ${MONEY} ratePercent description calculated formula
  rule ${RULE} items { index amount ${MONEY} }`
const ALTERNATIVE = 'hsCode description heading confidence matchedTerms questions'
const PROBLEM = '... on InputProblem { code message retryable fields { path code message } }'
const PRODUCT = '{ id name carrier { id name } }'
const RATE_OPTION = `product ${PRODUCT} price ${MONEY} listPrice ${MONEY} rateCardVersion badges
  breakdown { kind name amount ${MONEY} reason
    rule { ruleId rateCardVersion formula figures { name value } validFrom } }
  transit { minWorkingDays maxWorkingDays }
  chargeable { parcelIndex count actual { kilograms } volumetric { kilograms } chargeable { kilograms } divisor }`
const QUOTE = `rateCardVersions options { ${RATE_OPTION} } filteredOut
  declined { product ${PRODUCT} code message limit actual }`
const ESTIMATE = `total ${MONEY} hsCode complete customsValue ${MONEY} date taxes { ${TAX_LINE} }
  items { index customsValue ${MONEY} total ${MONEY} taxes { line { hsCode name items { index } } amount ${MONEY} }
    classification { hsCode source confidence questions alternatives { ${ALTERNATIVE} } } }`

const MAX_ITEMS = 99
/** With so few goods, the widest documents cost less than an operation may cost, so they are answered. */
const FEW_ITEMS = 8

/** Goods for an estimate, without codes. */
export function goods(dice: Dice, count: number, describe: () => string): object[] {
  return Array.from({ length: count }, () => ({
    description: describe(),
    count: dice.int(1, 9),
    value: { amount: String(dice.int(1, 200)) },
    originCountry: dice.pick(['CN', 'VN', 'TR', 'US', 'IN']),
  }))
}

function ends(dice: Dice): object {
  const { from, to } = dice.pick(ROUTES)
  return { from: { country: from }, to: { country: to } }
}

function parcels(dice: Dice, rows: number): object {
  const boxes = Array.from({ length: rows }, () => ({
    ...{ count: 1, weightKg: `${dice.int(1, 20)}.5` },
    ...{ lengthCm: dice.int(10, 60), widthCm: dice.int(10, 40), heightCm: dice.int(5, 40) },
  }))
  return { boxes }
}

function rates(dice: Dice, rows: number): object {
  const to = dice.pick(['ES', 'US', 'BE', 'FR'])
  return { from: { country: 'NL' }, to: { country: to }, parcels: parcels(dice, rows) }
}

/** `n` aliases for one selection: "a0:x a1:x …". */
function renamed(selection: string, n: number, prefix = 'a'): string {
  return Array.from({ length: n }, (_unused, index) => `${prefix}${index}:${selection}`).join(' ')
}

function body(label: string, query: string, variables: object): GraphQLBody {
  return { label, body: JSON.stringify({ query: query.replace(/\s+/g, ' '), variables }) }
}

function estimateOf(dice: Dice, selection: string, label: string, items: number): GraphQLBody {
  const input = { ...ends(dice), contentItems: goods(dice, items, () => ordinaryDescription(dice)) }
  const query = `query($i:DutiesEstimateInput!){dutiesEstimate(input:$i){...on DutiesEstimate{${selection}} ${PROBLEM}}}`
  return body(`${label}, ${items} items`, query, { i: input })
}

const inAlternatives = (fields: string): string => `items{classification{alternatives{${fields}}}}`

/** One field of the tax lines of every alternative, under many aliases. */
export const estimateUnderAliases: GraphQLMaker = (dice) => {
  const field = dice.pick(['description', 'name', 'formula', 'hsCode', 'items{index}'])
  const aliases = dice.int(8, 15)
  const selection = inAlternatives(`estimate{taxes{${renamed(field, aliases)}}}`)
  return estimateOf(dice, selection, `estimate.taxes.${field} × ${aliases}`, dice.int(60, MAX_ITEMS))
}

/** All fields of the tax lines of every alternative, twice. */
export const estimateTwice: GraphQLMaker = (dice) =>
  estimateOf(
    dice,
    inAlternatives(`estimate{total${MONEY} taxes{${TAX_LINE}}} again:estimate{taxes{${TAX_LINE}}}`),
    'two estimates with all fields',
    dice.int(FEW_ITEMS, MAX_ITEMS),
  )

/** The most expensive request of the original report: everything twice, under as many aliases as allowed. */
export const estimateOfTheReport: GraphQLMaker = (dice) => {
  const items = goods(dice, MAX_ITEMS, () => ordinaryDescription(dice))
  const input = { from: { country: 'CN' }, to: { country: 'US' }, contentItems: items }
  const query = `query($i:DutiesEstimateInput!){dutiesEstimate(input:$i){...on DutiesEstimate{${inAlternatives(
    `estimate{taxes{${TAX_LINE}}} again:estimate{taxes{${renamed('description', 14)}}}`,
  )}}}}`
  return body('two estimates and 14 names for descriptions', query, { i: input })
}

/** The same through fragments, which define a selection once and spread it in several places. */
export const estimateThroughFragments: GraphQLMaker = (dice) => {
  const input = {
    ...ends(dice),
    contentItems: goods(dice, dice.int(FEW_ITEMS, MAX_ITEMS), () => ordinaryDescription(dice)),
  }
  const aliases = dice.int(3, 6)
  const query = `query($i:DutiesEstimateInput!){dutiesEstimate(input:$i){...E}}
    fragment E on DutiesEstimate{taxes{...T} items{classification{alternatives{...A}}}}
    fragment A on HsAlternative{estimate{total${MONEY} taxes{...T}} ${ALTERNATIVE}}
    fragment T on TaxLine{${TAX_LINE} ${renamed('description', aliases)}}`
  return body(`fragments with ${aliases} names`, query, { i: input })
}

/** The same through nested inline fragments. */
export const estimateThroughInlineFragments: GraphQLMaker = (dice) => {
  const nested = dice.int(2, 5)
  const taxes = `${'... on TaxLine{'.repeat(nested)}${TAX_LINE} ${renamed('name', dice.int(4, 12))}${'}'.repeat(nested)}`
  const selection = inAlternatives(
    `... on HsAlternative{estimate{... on AlternativeEstimate{taxes{${taxes}}}}}`,
  )
  return estimateOf(dice, selection, `${nested} inline fragments`, dice.int(FEW_ITEMS, MAX_ITEMS))
}

/** Only the total of each alternative: a small answer with the same work. */
export const estimateDifference: GraphQLMaker = (dice) =>
  estimateOf(
    dice,
    inAlternatives(`estimate{difference${MONEY}}`),
    'estimate.difference',
    dice.int(80, MAX_ITEMS),
  )

/** Codes that contradict the descriptions lead to alternatives, which have estimates too. */
export const estimateOfAlternatives: GraphQLMaker = (dice) => {
  const items = goods(dice, dice.int(60, MAX_ITEMS), () => ordinaryDescription(dice))
  const input = { ...ends(dice), contentItems: items.map((item) => ({ ...item, hsCode: '870323' })) }
  const query = `query($i:DutiesEstimateInput!){dutiesEstimate(input:$i){...on DutiesEstimate{items{classification{
    secondOpinion{message level alternatives{${ALTERNATIVE} estimate{taxes{${TAX_LINE} ${renamed('description', 12)}}}}}}}}}}`
  return body('estimate of alternatives', query, { i: input })
}

/** Several estimates with all fields in one document, with one variable. */
export const manyEstimates: GraphQLMaker = (dice) => {
  const roots = dice.int(4, 7)
  const input = {
    ...ends(dice),
    contentItems: goods(dice, dice.int(80, MAX_ITEMS), () => ordinaryDescription(dice)),
  }
  const query = `query($i:DutiesEstimateInput!){${renamed('dutiesEstimate(input:$i){...E}', roots, 'r')}}
    fragment E on DutiesEstimate{${ESTIMATE}}`
  return body(`${roots} estimates`, query, { i: input })
}

/** Estimates with descriptions that are costly to classify. All goods of one estimate cost half of what is allowed. */
export const manyClassifications: GraphQLMaker = (dice) => {
  const roots = dice.int(1, 3)
  const items = dice.int(45, MAX_ITEMS)
  const input = { ...ends(dice), contentItems: goods(dice, items, costlyDescriptions(dice)) }
  const query = `query($i:DutiesEstimateInput!){${renamed(
    `dutiesEstimate(input:$i){...on DutiesEstimate{total${MONEY}}}`,
    roots,
    'r',
  )}}`
  return body(`${roots} × ${items} costly descriptions`, query, { i: input })
}

/** `classify` with the most candidates, several times. */
export const manyClassify: GraphQLMaker = (dice) => {
  const roots = dice.int(5, 10)
  const describe = costlyDescriptions(dice)
  const names = Array.from({ length: roots }, (_unused, n) => `d${n}`)
  const query = `query(${names.map((name) => `$${name}:String!`).join()}){${names
    .map(
      (name) =>
        `${name}:classify(description:$${name},first:20){...on HsCandidates{candidates{hsCode description heading matchedTerms questions}}}`,
    )
    .join(' ')}}`
  return body(`${roots} × classify`, query, Object.fromEntries(names.map((name) => [name, describe()])))
}

/** A landed cost with estimates for all options. */
export const landedCosts: GraphQLMaker = (dice) => {
  const roots = dice.int(1, 3)
  const to = dice.pick(['US', 'GB', 'ES'])
  const input = {
    rates: { from: { country: 'NL' }, to: { country: to }, parcels: parcels(dice, dice.int(1, 20)) },
    contentItems: goods(dice, dice.int(60, MAX_ITEMS), () => ordinaryDescription(dice)),
  }
  const query = `query($i:LandedCostInput!){${renamed('landedCost(input:$i){...L}', roots, 'r')}}
    fragment L on LandedCost{options{rateOption{${RATE_OPTION}} duties{${ESTIMATE}} goodsValue${MONEY} total${MONEY}}
      declined{product${PRODUCT} code message}}`
  return body(`${roots} × landedCost`, query, { i: input })
}

/** Fifty requests for rates with all figures of every price. */
export const ratesBatch: GraphQLMaker = (dice) => {
  const inputs = Array.from({ length: 50 }, () => rates(dice, 20))
  const more = dice.int(1, 7)
  const query = `query($i:[RatesInput!]!,$j:RatesInput!){ratesBatch(inputs:$i){...on RatesBatch{results{...Q ${PROBLEM}}}}
    ${renamed('rates(input:$j){...Q}', more, 'r')}} fragment Q on RateQuote{${QUOTE}}`
  return body(`ratesBatch 50 × 20 rows and ${more} × rates`, query, { i: inputs, j: rates(dice, MAX_ITEMS) })
}

/** The products of the carrier of each option. */
export const productsOfCarriers: GraphQLMaker = (dice) => {
  const inputs = Array.from({ length: 50 }, () => rates(dice, 1))
  const products = renamed('products{id name}', dice.int(3, 7), 'p')
  const query = `query($i:[RatesInput!]!){ratesBatch(inputs:$i){...on RatesBatch{results{...on RateQuote{
    options{product{carrier{${products}}}} declined{product{carrier{${products}}}}}}}}}`
  return body('products of carriers of options', query, { i: inputs })
}

/** Carriers with their products, the carrier of each product, and so on. */
export const carriersOfProducts: GraphQLMaker = (dice) => {
  const levels = dice.int(2, 6)
  const query = `{${renamed(`${'carriers{products{carrier{'}${'products{carrier{'.repeat(levels)}name${'}}'.repeat(levels)}}}}`, dice.int(1, 10), 'c')}}`
  return body(`carriers and products, ${levels} deep`, query, {})
}

/** The largest pages of shipments with all their fields. */
export const pagesOfShipments: GraphQLMaker = (dice) => {
  const roots = dice.int(3, 10)
  const node = `id state carrier{id name products{id name}} product${PRODUCT} trackingNumber from{country} to{country}
    price${MONEY} createdAt cancellable cancelAttempts{createdAt outcome refusalCode carrierReason sends settledAt}`
  const query = `{${renamed(`shipments(first:100){edges{cursor node{...N}} pageInfo{hasNextPage endCursor}}`, roots, 's')}}
    fragment N on Shipment{${node}}`
  return body(`${roots} pages of shipments`, query, {})
}

/** Generators of large answers. */
export const WIDE: readonly GraphQLMaker[] = [
  estimateOfTheReport,
  estimateUnderAliases,
  estimateTwice,
  estimateThroughFragments,
  estimateThroughInlineFragments,
  estimateOfAlternatives,
  manyEstimates,
  landedCosts,
  ratesBatch,
  productsOfCarriers,
  carriersOfProducts,
  pagesOfShipments,
]

/** Generators of expensive work. */
export const HEAVY: readonly GraphQLMaker[] = [
  estimateDifference,
  manyClassifications,
  manyClassify,
  manyEstimates,
  landedCosts,
  ratesBatch,
]
