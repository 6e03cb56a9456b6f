/** The requests of the benchmark. Each workload has several bodies, so that no cache can answer all of them. */
import { MARK } from '../http-bytes.ts'

export type Workload = {
  readonly path: string
  readonly bodies: readonly string[]
  /** For GraphQL: the type of the root field's result, which bare servers return as a constant. */
  readonly result?: { readonly root: 'Query' | 'Mutation'; readonly field: string; readonly type: string }
}

export type WorkloadName =
  | 'graphql_rates'
  | 'graphql_duties'
  | 'graphql_landed_cost'
  | 'graphql_cancel'
  | 'rest_rates'
  | 'rest_duties'

const WEIGHTS = ['1', '2.5', '3.2', '4', '5.7', '6', '7.1', '8']

const FROM = { country: 'BE', postalCode: '1000', city: 'Brussels' }
const TO = { country: 'DE', postalCode: '10115', city: 'Berlin' }
const TO_BRITAIN = { country: 'GB', postalCode: 'SW1A 1AA', city: 'London' }

const OPTION = `{
  product { id name carrier { id name } }
  price { amount currency }
  transit { minWorkingDays maxWorkingDays }
  badges
  breakdown { kind name amount { amount currency } reason }
}`

const ESTIMATE = `{
  total { amount currency }
  customsValue { amount }
  hsCode
  complete
  taxes { hsCode kind name amount { amount } base { amount } ratePercent description }
  items { index total { amount } classification { hsCode source } }
}`

const PROBLEM = '... on InputProblem { message fields { path code message } }'

const RATES = `query Rates($input: RatesInput!) {
  rates(input: $input) { ... on RateQuote { rateCardVersions options ${OPTION} filteredOut } ${PROBLEM} }
}`

const DUTIES = `query Duties($input: DutiesEstimateInput!) {
  dutiesEstimate(input: $input) { ... on DutiesEstimate ${ESTIMATE} ${PROBLEM} }
}`

const LANDED_COST = `query LandedCost($input: LandedCostInput!) {
  landedCost(input: $input) {
    ... on LandedCost {
      rateCardVersions
      options {
        rateOption { product { id name carrier { id name } } price { amount currency } transit { minWorkingDays maxWorkingDays } }
        duties { total { amount } complete taxes { hsCode name amount { amount } } }
        goodsValue { amount }
        total { amount currency }
      }
    }
    ${PROBLEM}
  }
}`

const CANCEL = `mutation Cancel($input: CancelShipmentInput!) {
  cancelShipment(input: $input) {
    ... on ShipmentCancelled { message alreadyCancelled shipment { id state } }
    ... on Problem { code message retryable }
  }
}`

/** Five items, each with the code of its goods. */
const GOODS = [
  { description: "women's ankle boots of suede", count: 2, value: 90, hsCode: '640391' },
  { description: 'cotton t-shirts', count: 10, value: 12.5, hsCode: '610910' },
  { description: 'smartphone', count: 1, value: 450, hsCode: '851713' },
  { description: 'ceramic mugs', count: 6, value: 7.95, hsCode: '691200' },
  { description: 'toy cars', count: 4, value: 14, hsCode: '950300' },
]

/** The goods in the words of each door. The values differ by weight. */
function goodsFor(weight: string) {
  const goods = GOODS.map(({ value, ...item }) => ({ ...item, value: value + Number(weight) }))
  const originCountry = 'CN'
  return {
    graphql: goods.map(({ value, ...item }) => ({ ...item, value: { amount: value }, originCountry })),
    rest: goods.map(({ description, count, value, hsCode }) => ({
      ...{ description, numberOfItems: count, cost: value, tariff: hsCode, originCountry },
    })),
  }
}

function ratesInput(weightKg: string, to = TO) {
  const parcels = { boxes: [{ count: 1, weightKg, lengthCm: 40, widthCm: 30, heightCm: 20 }] }
  return { from: FROM, to, parcels, recipientType: 'BUSINESS' }
}

function graphql(
  query: string,
  field: string,
  type: string,
  inputs: readonly object[],
  root: 'Query' | 'Mutation' = 'Query',
): Workload {
  const bodies = inputs.map((input) => JSON.stringify({ query, variables: { input } }))
  return { path: '/graphql', bodies, result: { root, field, type } }
}

export const WORKLOADS: Readonly<Record<WorkloadName, Workload>> = {
  graphql_rates: graphql(
    RATES,
    'rates',
    'RateQuote',
    WEIGHTS.map((weight) => ratesInput(weight)),
  ),
  graphql_duties: graphql(
    DUTIES,
    'dutiesEstimate',
    'DutiesEstimate',
    WEIGHTS.map((weight) => ({ from: { country: 'CN' }, to: TO, contentItems: goodsFor(weight).graphql })),
  ),
  graphql_landed_cost: graphql(
    LANDED_COST,
    'landedCost',
    'LandedCost',
    WEIGHTS.map((weight) => ({
      rates: ratesInput(weight, TO_BRITAIN),
      contentItems: goodsFor(weight).graphql,
    })),
  ),
  graphql_cancel: graphql(CANCEL, 'cancelShipment', 'ShipmentCancelled', [{ shipmentId: MARK }], 'Mutation'),
  rest_rates: {
    path: '/partners-api/v1/rates',
    bodies: WEIGHTS.map((weight) =>
      JSON.stringify({
        ...{ fromCountry: FROM.country, fromZipcode: FROM.postalCode, fromCity: FROM.city },
        ...{ toCountry: TO.country, toZipcode: TO.postalCode, toCity: TO.city },
        recipientType: 'business',
        parcels: [{ type: 'NONDOC', count: 1, weight, length: 40, width: 30, height: 20 }],
      }),
    ),
  },
  rest_duties: {
    path: '/partners-api/v1/duties-taxes-estimate',
    bodies: WEIGHTS.map((weight) =>
      JSON.stringify({
        ...{ fromCountry: 'CN', toCountry: TO.country, toZipcode: TO.postalCode },
        contentItems: goodsFor(weight).rest,
      }),
    ),
  },
}
