/** The cost of operations is an upper bound of their responses, and is charged before the work. */

import { buildSchema, getOperationAST, parse } from 'graphql'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { compiledClassifier } from '../../../src/classifiers/classifiers.ts'
import type { CompiledCustoms } from '../../../src/core/customs/compiled-customs.ts'
import { lineCodes } from '../../../src/core/customs/tariff/tariff.ts'
import { createCostCalculator, type OperationCost } from '../../../src/graphql/cost/operation-cost.ts'
import { coerceVariables } from '../../../src/graphql/execution/variables.ts'
import { EXAMPLES } from '../../../src/graphql/playground/examples.ts'
import { readSchemaText } from '../../../src/graphql/schema-files.ts'
import {
  dutiesUnits,
  pointsFor,
  ratesUnits,
  responseUnits,
  servicesUnits,
  unitsOf,
} from '../../../src/operations/points.ts'
import type { Classifier } from '../../../src/operations/ports/ports.ts'
import { UNLIMITED_TURNS } from '../../../src/operations/ports/work.ts'
import { loadLexicon } from '../../../src/reference/lexicon-reader/lexicon.ts'
import { shippedTables } from '../../support/customs/shipped-tables.ts'
import { fakePorts } from '../fake-ports.ts'
import { openInstance } from '../instance.ts'

const schema = buildSchema(readSchemaText())
const calculate = createCostCalculator(schema)

/** The cost of an operation before it runs. Throws if the operation is invalid. */
function costOf(query: string, variables: object = {}): OperationCost {
  const document = parse(query)
  const operation = getOperationAST(document)!
  const coerced = coerceVariables(schema, operation, variables as Record<string, unknown>)
  if ('errors' in coerced) throw coerced.errors[0]
  const cost = calculate(document, operation, coerced.values)
  if (cost instanceof Error) throw cost
  return cost
}

const pointsOf = (query: string, variables?: object): number => costOf(query, variables).points

const PARCEL = { count: 1, weightKg: 5, lengthCm: 40, widthCm: 30, heightCm: 20 }
const ROUTE = { from: { country: 'NL' }, to: { country: 'ES' } }
const rates = (rows: number, more: object = {}) => ({
  ...ROUTE,
  recipientType: 'BUSINESS',
  parcels: { boxes: Array(rows).fill(PARCEL) },
  ...more,
})
const WORDS = [
  'cotton t-shirt',
  'leather shoes',
  'smartphone',
  'ceramic mug',
  'wooden chair',
  'watch',
  'laptop',
]
const goods = (count: number, more: object = {}) =>
  Array.from({ length: count }, (_, index) => ({
    description: `${WORDS[index % WORDS.length]} ${'abcdefghijklmno'[Math.floor(index / WORDS.length)]}`,
    ...{ count: 2, value: { amount: String(10 + index) }, originCountry: 'CN', weightKg: '0.5', ...more },
  }))

const MONEY = '{ amount currency }'
const PROBLEM = '... on InputProblem { code message retryable fields { path code message } }'
const option = (
  inputs: string,
) => `badges product { id name carrier { id name } } price ${MONEY} listPrice ${MONEY}
  rateCardVersion transit { minWorkingDays maxWorkingDays }
  breakdown { kind name amount ${MONEY} reason rule { ruleId rateCardVersion formula validFrom ${inputs} } }
  chargeable { parcelIndex count actual { kilograms } volumetric { kilograms } chargeable { kilograms } divisor }`
const DECLINED = 'declined { product { id name carrier { id name } } code message limit actual unit }'
const quote = (inputs = 'figures { name value }') => `__typename
  ... on RateQuote { rateCardVersions options { ${option(inputs)} } filteredOut ${DECLINED} } ${PROBLEM}`
const TAXES = `taxes { hsCode kind name amount ${MONEY} base ${MONEY} ratePercent description calculated formula items { index contentItem { description count value { amount } hsCode originCountry weight { kilograms } quantities { unit amount } } amount ${MONEY} }
  rule { type hsCodePrefix origin agreement publishedRate publishedRange { lowestPercent highestPercent } validFrom validTo reliability
    dataSet { name title source date } } }`
const CODE = 'hsCode description heading confidence matchedTerms questions'
const estimate = (other = '') => `total ${MONEY} hsCode complete date customsValue ${MONEY} ${TAXES}
  items { index customsValue ${MONEY} total ${MONEY} problem { code message fields { path code message } }
    classification { hsCode source confidence questions alternatives { ${CODE} ${other} }
      secondOpinion { message level confidence alternatives { ${CODE} ${other} } } }
    taxes { line { hsCode name items { index } } amount ${MONEY} } }`

const RATES = `query ($input: RatesInput!) { rates(input: $input) { ${quote()} } }`
const batch = (fields: string) =>
  `query ($inputs: [RatesInput!]!) { ratesBatch(inputs: $inputs) { ... on RatesBatch { results { ${fields} } } } }`
const duties = (fields: string) =>
  `query ($input: DutiesEstimateInput!) { dutiesEstimate(input: $input) { ... on DutiesEstimate { ${fields} } ${PROBLEM} } }`
const landed = (fields: string) =>
  `query ($input: LandedCostInput!) { landedCost(input: $input) { ... on LandedCost { ${fields} } ${PROBLEM} } }`
const LANDED = landed(`rateCardVersions filteredOut ${DECLINED}
  options { rateOption { ${option('figures { name value }')} } goodsValue ${MONEY} total ${MONEY} duties { ${estimate()} } }`)

let tables: CompiledCustoms
let classifier: Classifier
beforeAll(() => {
  tables = shippedTables()
  classifier = compiledClassifier(loadLexicon())
})
const ports = fakePorts({
  reference: { customsTables: () => tables },
  classifier: { classify: (...asked) => classifier.classify(...asked) },
})
const charged: number[] = []
const { ask, faults } = openInstance({
  ports,
  allowance: { charge: (points) => void charged.push(points), overdraw: () => {} },
  // Without a deadline.
  turns: () => UNLIMITED_TURNS,
})

/** Executes an operation, and returns what was charged in total. */
async function chargedFor(query: string, variables: object = {}) {
  charged.length = 0
  const { status, data, errors } = await ask(query, variables)
  return { status, data, errors, points: charged.reduce((sum, points) => sum + points, 0) }
}

describe('a response never contains more than was charged', () => {
  /** Counts fields and list entries as the cost calculation does. */
  const fieldsIn = (value: unknown): number => {
    if (Array.isArray(value)) return value.reduce((sum, entry) => sum + 1 + fieldsIn(entry), 0)
    if (typeof value !== 'object' || value === null) return 0
    return Object.values(value).reduce((sum: number, inner) => sum + 1 + fieldsIn(inner), 0)
  }

  const BOX = '{ number name value }'
  const given = { hsCode: '6109100010' }
  const requests: readonly (readonly [string, string, object])[] = [
    ['rates of one row', RATES, { input: rates(1, { insured: true, totalValue: { amount: '500' } }) }],
    ['rates of 99 rows', RATES, { input: rates(99) }],
    [
      'rates of pallets',
      RATES,
      {
        input: rates(9, {
          parcels: { pallets: Array(9).fill({ ...PARCEL, stackable: true, weightKg: 200 }) },
        }),
      },
    ],
    ['rates of documents', RATES, { input: rates(1, { parcels: { documents: [{ count: 1 }] } }) }],
    ['rates of one product', RATES, { input: rates(20, { filter: { productIds: ['1202'] } }) }],
    [
      'rates with every field invalid',
      RATES,
      {
        input: rates(99, {
          parcels: {
            boxes: Array(99).fill({ count: 0, weightKg: 'x', lengthCm: 0, widthCm: 0, heightCm: 0 }),
          },
          totalValue: { amount: 'x' },
          asOf: 'x',
          filter: { carrierIds: Array(100).fill('?'), productIds: Array(100).fill('?') },
        }),
      },
    ],
    ['a batch', batch(quote('')), { inputs: Array(50).fill(rates(20)) }],
    [
      'an estimate to Germany',
      duties(estimate()),
      { input: { ...ROUTE, to: { country: 'DE' }, from: { country: 'CN' }, contentItems: goods(99) } },
    ],
    [
      'an estimate to the United States',
      duties(estimate()),
      { input: { ...ROUTE, to: { country: 'US' }, contentItems: goods(99) } },
    ],
    [
      'an estimate of given codes',
      duties(estimate()),
      { input: { ...ROUTE, to: { country: 'US' }, contentItems: goods(99, given) } },
    ],
    [
      'an estimate with invalid items',
      duties(estimate()),
      {
        input: {
          ...ROUTE,
          contentItems: goods(99, {
            value: { amount: 'x' },
            quantities: Array(10).fill({ unit: 'l', amount: 'x' }),
          }),
        },
      },
    ],
    [
      'estimates of alternatives',
      duties(estimate(`estimate { total ${MONEY} difference ${MONEY} complete ${TAXES} }`)),
      { input: { ...ROUTE, to: { country: 'US' }, contentItems: goods(9) } },
    ],
    [
      'a landed cost',
      LANDED,
      { input: { rates: rates(2, { to: { country: 'US' } }), contentItems: goods(20) } },
    ],
    [
      'candidates',
      `{ classify(description: "cotton t-shirt", first: 20) { ... on HsCandidates { candidates { ${CODE} } } } }`,
      {},
    ],
    [
      'a declaration',
      `query ($input: CustomsDeclarationInput!) { customsDeclaration(input: $input) { ... on CustomsDeclaration {
        boxes ${BOX} h7 { elements ${BOX} } missing { document number name path required requiredBy }
        items { index boxes ${BOX} h7Elements ${BOX} descriptionProblem { code message terms } } } } }`,
      {
        input: {
          ...ROUTE,
          ...{ from: { country: 'CN' }, to: { country: 'DE' }, category: 'SALE_OF_GOODS' },
          items: goods(99, given).map((item) => ({ goods: { ...item, value: { amount: '1' }, count: 1 } })),
        },
      },
    ],
    ['carriers', '{ carriers { id name products { id name carrier { id name } } } }', {}],
  ]
  for (const [name, query, variables] of requests)
    test(`for ${name}`, async () => {
      const { errors, data, points } = await chargedFor(query, variables)
      expect(errors).toEqual([])
      expect(points).toBeGreaterThanOrEqual(pointsFor(responseUnits(fieldsIn(data))))
    })

  /** Selects a list under fifteen aliases, so that its length dominates the cost. */
  const repeat = (list: string) => Array.from({ length: 15 }, (_, index) => `l${index}: ${list}`).join(' ')
  const lists: readonly (readonly [string, (field: string) => string])[] = [
    ['taxes { name }', duties],
    ['taxes { items { index } }', duties],
    ['taxes { amount { amount } }', (list) => duties(`items { ${list} }`)],
    [
      // Once, because fifteen such lists exceed the maximum.
      '__typename',
      (list) => duties(list === '__typename' ? list : 'items { taxes { line { items { index } } } }'),
    ],
    ['questions', (list) => duties(`items { classification { ${list} } }`)],
    ['alternatives { hsCode }', (list) => duties(`items { classification { ${list} } }`)],
    ['matchedTerms', (list) => duties(`items { classification { alternatives { ${list} } } }`)],
    ['questions', (list) => duties(`items { classification { alternatives { ${list} } } }`)],
    ['fields { path }', (list) => duties(`items { problem { ${list} } }`)],
    ['breakdown { name }', (list) => RATES.replace(quote(), `... on RateQuote { options { ${list} } }`)],
    [
      'figures { name }',
      (list) => RATES.replace(quote(), `... on RateQuote { options { breakdown { rule { ${list} } } } }`),
    ],
    ['chargeable { count }', (list) => RATES.replace(quote(), `... on RateQuote { options { ${list} } }`)],
    ['declined { code }', (list) => RATES.replace(quote(), `... on RateQuote { ${list} }`)],
    ['products { id }', (list) => `{ carriers { ${list} } }`],
  ]
  test('for each list alone, with many different codes and weights', async () => {
    const codes = lineCodes(tables.tariffs.get('US')!).filter((code) => code.length >= 8)
    const contentItems = goods(99).map((item, index) =>
      index % 8 === 0 ? item : { ...item, originCountry: 'CN', hsCode: codes[index * 115] },
    )
    const rows = rates(99).parcels.boxes.map((row, index) => ({ ...row, weightKg: 1 + (index % 20) }))
    for (const [list, write] of lists) {
      const query = write(repeat(list))
      const input = query.includes('RatesInput')
        ? rates(99, { parcels: { boxes: rows } })
        : { ...ROUTE, to: { country: 'US' }, contentItems }
      const { errors, data, points } = await chargedFor(query, query.includes('$input') ? { input } : {})
      expect(errors, query).toEqual([])
      // Points for work do not depend on the list, so they are subtracted. The 2 allows for rounding of both numbers.
      const work = query.includes('$input') ? pointsOf(write('__typename'), { input }) - 2 : 0
      expect(points - work, query).toBeGreaterThanOrEqual(pointsFor(responseUnits(fieldsIn(data))))
    }
  })

  test('and logs no request as a fault', () => {
    expect(faults).toEqual([])
  })
})

describe('the cost', () => {
  test('of the playground examples is at most 10 points', () => {
    for (const { query, variables } of EXAMPLES)
      expect(pointsOf(query, variables), query).toBeLessThanOrEqual(10)
  })

  test('is the same as for REST if the selected fields are similar', () => {
    const options = `options { product { id name carrier { name } } price { amount }
      transit { minWorkingDays maxWorkingDays } breakdown { name amount { amount } } }`
    const like = `query ($input: RatesInput!) { rates(input: $input) { ... on RateQuote { ${options} } ${PROBLEM} } }`
    expect(pointsOf(like, { input: rates(1) })).toBe(pointsFor(ratesUnits(1)))
    // Whole points, so the difference of two sums of units is rounded either way.
    const services = Array(9).fill({ service: 'SIGNATURE' })
    const more = pointsOf(like, { input: rates(99, { services }) }) - pointsOf(like, { input: rates(99) })
    expect(Math.abs(more - servicesUnits(9, 99) / unitsOf(1))).toBeLessThan(1)
    expect(more).toBeGreaterThan(0)
    const likeDuties = duties('total { amount } hsCode taxes { hsCode name amount { amount } description }')
    const contentItems = goods(2)
    expect(pointsOf(likeDuties, { input: { ...ROUTE, contentItems } })).toBe(
      pointsFor(dutiesUnits(contentItems)),
    )
  })

  test.each([
    ['a landed cost', LANDED, { input: { rates: rates(4), contentItems: goods(20) } }],
    ['a batch', batch(quote('')), { inputs: Array(50).fill(rates(20)) }],
    [
      'an estimate',
      duties(estimate()),
      { input: { ...ROUTE, to: { country: 'US' }, contentItems: goods(99) } },
    ],
  ])('of a large realistic request is below the maximum: %s', async (_name, query, variables) => {
    expect(await chargedFor(query, variables)).toMatchObject({ status: 200, errors: [] })
  })

  const points = async (query: string, variables?: object): Promise<number> => {
    const { errors, ...answer } = await chargedFor(query, variables)
    expect(errors).toEqual([])
    return answer.points
  }
  const increasing: readonly (readonly [string, (size: number) => Promise<number>, readonly number[]])[] = [
    ['rows', (size) => points(RATES, { input: rates(size) }), [1, 20, 99]],
    ['requests', (size) => points(batch(quote()), { inputs: Array(size).fill(rates(1)) }), [1, 10, 50]],
    [
      'items',
      (size) => points(duties(estimate()), { input: { ...ROUTE, contentItems: goods(size) } }),
      [1, 20, 99],
    ],
    [
      'products',
      (size) => {
        const filter = { productIds: ['1201', '1202', '1301'].slice(0, size) }
        return points(LANDED, { input: { rates: rates(1, { filter }), contentItems: goods(9) } })
      },
      [1, 2, 3],
    ],
    [
      'shipments',
      async (size) =>
        pointsOf(
          `{ shipments(first: ${size}) { edges { node { id price ${MONEY} from { country } to { country } product { id name } } } } }`,
        ),
      [1, 60, 100],
    ],
  ]
  test.each(increasing)('grows with %s', async (_name, costFor, sizes) => {
    const costs: number[] = []
    for (const size of sizes) costs.push(await costFor(size))
    expect(costs).toEqual(costs.toSorted((a, b) => a - b))
    expect(new Set(costs).size).toBe(costs.length)
  })

  test('of alternatives includes an estimate of all items per alternative', async () => {
    const cost = (count: number) =>
      points(duties('items { classification { alternatives { estimate { complete } } } }'), {
        input: { ...ROUTE, contentItems: goods(count) },
      })
    expect((await cost(80)) / (await cost(40))).toBeGreaterThan(3)
  })

  test('of second opinions includes one classification per description, regardless of the number of options', async () => {
    const contentItems = goods(99, { hsCode: '610910' }).map((item, index) => ({
      ...item,
      description: `${'xyz'.repeat(160)} ${index}`,
    }))
    const cost = (productIds: readonly string[]) =>
      points(landed('options { duties { items { classification { secondOpinion { level } } } } }'), {
        input: { rates: rates(1, { filter: { productIds } }), contentItems },
      })
    const one = await cost(['1201'])
    expect(one).toBeGreaterThan(480)
    expect(await cost(['1201', '1202'])).toBeLessThan(one * 1.1)
  })

  test('counts a fragment each time it is spread, and a list under each alias', () => {
    const once = pointsOf(batch(quote()), { inputs: Array(10).fill(rates(1)) })
    const fragment = `fragment F on RateQuote { options { ${option('figures { name value }')} } ${DECLINED} }`
    const spread = batch('...F ... on RateQuote { ...F } ... on RatesResult { ...F }')
    expect(pointsOf(`${spread} ${fragment}`, { inputs: Array(10).fill(rates(1)) })).toBeGreaterThan(
      once * 2.5,
    )
  })

  test('does not include selections that @skip or @include removes', async () => {
    const input = rates(99)
    const query = `query ($input: RatesInput!, $no: Boolean!) { rates(input: $input) {
      ... on RateQuote { rateCardVersions options @include(if: $no) { ${option('figures { name value }')} } }
      ... on RateQuote @skip(if: true) { options { ${option('figures { name value }')} } } } }`
    expect(pointsOf(query, { input, no: false })).toBe(pointsFor(ratesUnits(99) + responseUnits(4)))
    expect(await points(query, { input, no: false })).toBe(pointsOf(query, { input, no: false }))
    expect(await points(query, { input, no: true })).toBeGreaterThan(20)
  })

  test('of a union is the cost of its most expensive member, not the sum', () => {
    const shipment = 'shipment { id cancelAttempts { createdAt sends } }'
    const all = `mutation { cancelShipment(input: { shipmentId: "x" }) { ... on ShipmentCancelled { ${shipment} }
      ... on ShipmentNotCancelled { ${shipment} } ... on CancellationPending { ${shipment} } } }`
    expect(pointsOf(all)).toBe(1)
  })

  test('of input far above the limits includes reading it', () => {
    expect(pointsOf(RATES, { input: rates(1_500) })).toBeGreaterThan(pointsFor(ratesUnits(1_500)) - 1)
    expect(pointsOf(batch('__typename'), { inputs: Array(1_500).fill(rates(0)) })).toBeGreaterThan(50)
  })

  test('includes introspection', () => {
    const { points, introspectionPoints } = costOf(
      '{ __schema { types { name fields { name } } } carriers { id } }',
    )
    expect(introspectionPoints).toBeGreaterThan(0)
    expect(points).toBeGreaterThanOrEqual(introspectionPoints)
  })
})

describe('an operation', () => {
  const reads = { tables: 0 }
  const charged: number[] = []
  const wait = { seconds: undefined as number | undefined }
  const ports = fakePorts({
    reference: {
      customsTables: () => {
        reads.tables++
        throw new Error('unexpected read')
      },
    },
    classifier: {
      classify: async () => {
        throw new Error('unexpected call')
      },
    },
  })
  const allowance = {
    charge: (points: number) => {
      charged.push(points)
      return wait.seconds
    },
    overdraw: () => {},
  }
  const { ask, faults, lines } = openInstance({ ports, allowance })
  beforeEach(() => {
    charged.length = 0
    ports.calls.length = 0
    wait.seconds = undefined
  })

  // Without a limit, a request of 7.6 KB of the first kind got a response of 487 MB and took half a minute of CPU time.
  // A request for the complete estimates of two alternatives got 269 MB.
  const ALIASES = Array.from({ length: 14 }, (_, index) => `d${index}: description`).join(' ')
  const alternatives = (fields: string) =>
    `items { classification { alternatives { estimate { ${fields} } } } }`
  const contentItems = goods(99)
  const US = { from: { country: 'CN' }, to: { country: 'US' } }
  const destructive: readonly (readonly [string, string, object])[] = [
    [
      'texts of alternatives under 14 aliases',
      duties(alternatives(`taxes { ${ALIASES} }`)),
      { input: { ...US, contentItems } },
    ],
    [
      'alternatives twice in full',
      duties(`${alternatives(TAXES)} ${alternatives(TAXES)}`),
      { input: { ...US, contentItems } },
    ],
    [
      'estimates of second opinions',
      duties(`items { classification { secondOpinion { alternatives { estimate { ${TAXES} } } } } }`),
      { input: { ...US, contentItems: goods(99, { hsCode: '610910' }) } },
    ],
    [
      'alternatives of each option',
      landed(`options { duties { ${alternatives('difference { amount }')} } }`),
      { input: { rates: rates(1), contentItems } },
    ],
  ]
  test.each(
    destructive,
  )('with %s is refused, and charged for what it did', async (_name, query, variables) => {
    const { status, data, errors, points } = await chargedFor(query, variables)
    expect(status).toBe(400)
    expect(data).toBeUndefined()
    expect(errors).toHaveLength(1)
    expect(errors[0]?.extensions).toMatchObject({ code: 'OPERATION_TOO_LARGE' })
    expect(points).toBeGreaterThan(100)
    expect(points).toBeLessThanOrEqual(1_000)
  })

  test('with too much input is refused before execution, and not charged', async () => {
    const text = 'x'.repeat(500)
    const items = goods(99).map((item) => ({ ...item, description: text }))
    const roots = [1, 2].map((index) => `d${index}: dutiesEstimate(input: $input) { __typename }`)
    const { status, data, errors } = await ask(
      `query ($input: DutiesEstimateInput!) { ${roots.join(' ')} }`,
      { input: { ...US, contentItems: items } },
    )
    expect(status).toBe(400)
    expect(data).toBeUndefined()
    expect(errors[0]?.extensions).toMatchObject({ code: 'OPERATION_TOO_LARGE', limit: 'cost' })
    expect(charged).toEqual([])
    expect(reads.tables).toBe(0)
  })

  test('is charged once, before execution', async () => {
    const mutation = 'mutation { cancelShipment(input: { shipmentId: "demo-booked" }) { __typename } }'
    await ask(mutation)
    expect(charged).toEqual([1])
  })

  test('is refused with 429 and Retry-After if the key does not have the points', async () => {
    wait.seconds = 7
    const mutation = 'mutation { cancelShipment(input: { shipmentId: "demo-booked" }) { __typename } }'
    const { status, headers, data, errors } = await ask(mutation)
    expect(status).toBe(429)
    expect(headers['retry-after']).toBe('7')
    expect(data).toBeUndefined()
    expect(errors).toEqual([
      { message: 'Too many requests; try again later', extensions: { code: 'RATE_LIMITED' } },
    ])
    expect(ports.calls).toEqual([])
  })

  test('is not charged if the document or its variables are invalid', async () => {
    await ask('{ nope }')
    await ask('{ carriers {')
    await ask('query ($n: Int!) { shipments(first: $n) { edges { cursor } } }', { n: 'x' })
    await ask('query A { carriers { id } } query B { carriers { id } }')
    expect(charged).toEqual([])
  })

  test('is refused if introspection is too expensive', async () => {
    const list = 'types { name fields { name type { name fields { name } } } }'
    const types = (count: number) =>
      `{ __schema { ${Array.from({ length: count }, (_, index) => `t${index}: ${list}`).join(' ')} } }`
    expect((await ask(types(1))).errors).toEqual([])
    const { status, errors } = await ask(types(15))
    expect(status).toBe(400)
    expect(errors[0]?.extensions).toMatchObject({
      ...{ code: 'OPERATION_TOO_LARGE', limit: 'introspection cost', maximum: 150 },
    })
  })

  test('is never logged as a fault', () => {
    expect(faults).toEqual([])
    expect(lines).toEqual([])
  })
})

describe.each([
  true,
  false,
])('an operation with too few points while it runs, compiled: %s', (compiledQueries) => {
  let left = 0
  const short = openInstance({
    ...{ ports, compiledQueries },
    allowance: {
      charge: (points) => {
        if (points > left) return 7
        left -= points
        return undefined
      },
      overdraw: () => {},
    },
  })
  const items = goods(40, { hsCode: '6109100010' })
  test.each([
    [
      'repeated estimates',
      landed('filteredOut'),
      { input: { rates: rates(1), contentItems: goods(99, items[0]) } },
    ],
    ['long lists', duties(estimate()), { input: { ...ROUTE, to: { country: 'US' }, contentItems: items } }],
    [
      'figures of rules',
      RATES.replace(quote(), '... on RateQuote { options { breakdown { rule { formula } } } }'),
      { input: rates(99) },
    ],
    [
      'services that can be added',
      RATES.replace(quote(), '... on RateQuote { options { availableServices { service } } }'),
      { input: rates(99) },
    ],
  ])('is refused with 429 and not logged: %s', async (_name, query, variables) => {
    // Often enough that the query is compiled.
    for (let time = 0; time < 4; time++) {
      left = pointsOf(query, variables)
      const { status, headers, data, errors } = await short.ask(query, variables)
      expect({ status, data, left, retryAfter: headers['retry-after'] }).toEqual({
        ...{ status: 429, data: undefined, left: 0, retryAfter: '7' },
      })
      expect(errors).toEqual([
        { message: 'Too many requests; try again later', extensions: { code: 'RATE_LIMITED' } },
      ])
    }
    expect(short.faults).toEqual([])
  })
})

describe.each([
  true,
  false,
])('an operation whose points are confirmed by other replicas, compiled: %s', (compiledQueries) => {
  let left = 0
  let wait: number | undefined
  const confirmed: number[] = []
  const shared = openInstance({
    ...{ ports, compiledQueries },
    allowance: {
      charge(points) {
        if (points > left) return 5
        left -= points
        return undefined
      },
      async confirm(points) {
        confirmed.push(points)
        if (wait !== undefined) left = 0
        return wait
      },
      overdraw: () => {},
    },
  })
  const variables = { input: { ...ROUTE, to: { country: 'US' }, contentItems: goods(40) } }
  const query = duties('... on DutiesEstimate { total { amount } }')

  test('runs once they are confirmed, and is refused with 429 if they are not', async () => {
    const points = pointsOf(query, variables)
    // Often enough that the query is compiled.
    for (let time = 0; time < 4; time++) {
      for (wait of [undefined, 7]) {
        left = points
        confirmed.length = 0
        const { status, data, errors, headers } = await shared.ask(query, variables)
        expect(confirmed).toEqual([points])
        if (wait === undefined) expect([status, errors, left]).toEqual([200, [], 0])
        else {
          expect([status, data]).toEqual([429, undefined])
          expect(['5', '7']).toContain(headers['retry-after'])
          expect(errors).toMatchObject([{ extensions: { code: 'RATE_LIMITED' } }])
        }
      }
    }
    expect(shared.faults).toEqual([])
  })
})

test('no operation above is logged as a fault', () => {
  expect(faults).toEqual([])
})
