/**
 * Normalised caches of clients return the same data as the response. Both caches use their default settings. Apollo
 * also gets `possibleTypes`, and graphcache `keys`, as docs/graphql-clients.md#caches says.
 */
import { InMemoryCache } from '@apollo/client/cache'
import { Client, fetchExchange } from '@urql/core'
import { cacheExchange } from '@urql/exchange-graphcache'
import fc from 'fast-check'
import {
  buildSchema,
  type DocumentNode,
  getOperationAST,
  isAbstractType,
  isObjectType,
  OperationTypeNode,
  parse,
  print,
  visit,
} from 'graphql'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { graphcacheKeys } from '../../client/src/index.ts'
import { EXAMPLES } from '../../src/graphql/playground/examples.ts'
import { readSchemaText } from '../../src/graphql/schema-files.ts'
import { DEMO_ACCOUNT } from '../../src/store/demo/accounts.ts'
import { resetDemo } from '../../src/store/demo/reset.ts'
import { readDocuments } from '../docs/pages.ts'
import { openTestApp, type TestApp } from '../support/app/test-app.ts'
import type { ClonedDatabase } from '../support/database/clone-database.ts'
import { caseCount } from '../support/random/case-count.ts'
import { type RandomRoot, randomDocument } from './random-document.ts'

const schema = buildSchema(readSchemaText())

const possibleTypes = Object.fromEntries(
  Object.values(schema.getTypeMap())
    .filter(isAbstractType)
    .map((type) => [type.name, schema.getPossibleTypes(type).map(({ name }) => name)]),
)

let app: TestApp
/** An endpoint whose log has deliveries. */
const WEBHOOK = 'whk_0123456789abcdef'
beforeAll(async () => {
  app = await openTestApp({ WAYBILL_POINTS_PER_MINUTE: '1000000' }, undefined, { prepare: addWebhook })
})
afterAll(() => app.close())

/** Disabled, so that nothing is sent. */
async function addWebhook(db: ClonedDatabase['db']): Promise<void> {
  await sql`
    INSERT INTO webhook_endpoint (endpoint_id, account_id, url, secret, sequence, disabled_at)
      VALUES (${WEBHOOK}, ${DEMO_ACCOUNT}, 'https://partner.example', 'whsec_x', 3, now())`.execute(db)
  await sql`
    INSERT INTO webhook_delivery (endpoint_id, sequence, duration_ms, status, failure)
      VALUES (${WEBHOOK}, 1, 20, 204, NULL), (${WEBHOOK}, 2, 30, 500, 'HTTP 500'), (${WEBHOOK}, 2, 25, 200, NULL)
    `.execute(db)
}

const isMutation = (document: DocumentNode) => getOperationAST(document)?.operation === 'mutation'

/** InMemoryCache reads queries only. It stores the fields of a mutation in the same way. */
const asQuery = (document: DocumentNode): DocumentNode =>
  visit(document, { OperationDefinition: (node) => ({ ...node, operation: OperationTypeNode.QUERY }) })

type Response = Awaited<ReturnType<TestApp['graphql']>>

/**
 * Sends the query with `__typename` in every selection, as both clients do, and reads the response from both caches.
 */
async function readThroughCaches(query: string, variables: object) {
  const apollo = new InMemoryCache({ possibleTypes })
  const document = apollo.transformDocument(parse(query))
  const response = await app.graphql(print(document), variables)
  const { data } = response
  if (data == null) return { response, apollo: data, urql: data }
  const cached = asQuery(document)
  apollo.writeQuery({ query: cached, variables, data })
  return {
    response,
    apollo: apollo.readQuery({ query: cached, variables }),
    urql: await readThroughGraphcache(print(document), variables, response),
  }
}

async function readThroughGraphcache(query: string, variables: object, response: Response) {
  const client = new Client({
    url: 'http://localhost/graphql',
    preferGetMethod: false,
    exchanges: [cacheExchange({ keys: graphcacheKeys, logger: noteTypesWithoutKey }), fetchExchange],
    fetch: async () =>
      new globalThis.Response(JSON.stringify(response), { headers: { 'content-type': 'application/json' } }),
  })
  if (isMutation(parse(query))) return (await client.mutation(query, variables).toPromise()).data
  await client.query(query, variables, { requestPolicy: 'network-only' }).toPromise()
  return (await client.query(query, variables, { requestPolicy: 'cache-only' }).toPromise()).data
}

/**
 * Graphcache warns of types without an id and without an entry in `keys`. It also warns if a document does not select
 * the id of an object, which is the document's choice. It would not respond if its logger threw.
 */
const typesWithoutKey = new Set<string>()

function noteTypesWithoutKey(_severity: string, message: string): void {
  const [, name = ''] = /^Invalid key[\s\S]* custom `keys` config for `(\w+)`/.exec(message) ?? []
  const type = schema.getType(name)
  if (isObjectType(type) && type.getFields()['id'] === undefined) typesWithoutKey.add(name)
}

async function expectSameData(query: string, variables: object): Promise<Response> {
  const { response, apollo, urql } = await readThroughCaches(query, variables)
  expect(apollo, query).toEqual(response.data)
  expect(urql, query).toEqual(response.data)
  expect([...typesWithoutKey]).toEqual([])
  return response
}

/** Whether the page shows a value for each variable. */
function hasItsVariables(document: DocumentNode, variables: object): boolean {
  const declared = getOperationAST(document)?.variableDefinitions ?? []
  return declared.every(({ variable }) => variable.name.value in variables)
}

describe('an example document', () => {
  beforeEach(() => resetDemo(app.clone.db))

  test.each(
    EXAMPLES,
  )('of the playground is read from the cache as in the response: $query', async (example) => {
    const { errors } = await expectSameData(example.query, example.variables)
    expect(errors).toBeUndefined()
  })

  // Cut ids come from an earlier response of the page.
  const documented = readDocuments().filter(
    ({ text, variables, isRefused }) =>
      !isRefused && !JSON.stringify(variables).includes('…') && hasItsVariables(parse(text), variables),
  )
  test.each(documented)('of $page, line $line, is read from the cache as in the response', async ({
    text,
    variables,
  }) => {
    const { errors } = await expectSameData(text, variables)
    expect(errors).toBeUndefined()
  })
})

const PARCEL = { count: 1, weightKg: '5', lengthCm: 40, widthCm: 30, heightCm: 20 }
const WITHIN_EU = { from: { country: 'NL' }, to: { country: 'ES' }, recipientType: 'BUSINESS' }
const RATES = [
  { ...WITHIN_EU, parcels: { boxes: [PARCEL] } },
  {
    ...WITHIN_EU,
    parcels: { boxes: [PARCEL, { ...PARCEL, weightKg: '31', count: 2 }] },
    insured: true,
    totalValue: { amount: '750' },
  },
  { ...WITHIN_EU, parcels: { boxes: [{ ...PARCEL, count: 0 }] } },
]
const GOODS = [
  { description: 'cotton t-shirt', count: 3, value: { amount: '20' } },
  { description: 'leather shoes', count: 1, value: { amount: '80' }, hsCode: '610910', originCountry: 'CN' },
  { description: '', count: 1, value: { amount: '80' } },
]
const TO_LONDON = { from: { country: 'NL' }, to: { country: 'GB' } }

const KEPT_ID = `est_${'2'.repeat(22)}`

const ROOTS: readonly RandomRoot[] = [
  { field: 'carriers', variables: {}, values: [{}] },
  { field: 'carrier', variables: { id: 'ID!' }, values: [{ id: 'rondeel' }, { id: 'nobody' }] },
  { field: 'product', variables: { id: 'ID!' }, values: [{ id: '1201' }, { id: '1' }] },
  { field: 'rates', variables: { input: 'RatesInput!' }, values: RATES.map((input) => ({ input })) },
  {
    field: 'ratesBatch',
    variables: { inputs: '[RatesInput!]!' },
    values: [{ inputs: RATES }, { inputs: [] }],
  },
  {
    field: 'dutiesEstimate',
    variables: { input: 'DutiesEstimateInput!' },
    values: [GOODS, GOODS.slice(0, 2), []].map((contentItems) => ({ input: { ...TO_LONDON, contentItems } })),
  },
  {
    field: 'landedCost',
    variables: { input: 'LandedCostInput!' },
    values: [GOODS.slice(0, 2), []].map((contentItems) => ({
      input: { rates: { ...RATES[0], ...TO_LONDON }, contentItems },
    })),
  },
  {
    field: 'customsDeclaration',
    variables: { input: 'CustomsDeclarationInput!' },
    values: [GOODS.slice(0, 2), []].map((goods) => ({
      input: {
        ...{ from: { country: 'CN' }, to: { country: 'DE' }, category: 'SALE_OF_GOODS' },
        items: goods.map((item) => ({ goods: item })),
      },
    })),
  },
  {
    field: 'keptEstimate',
    variables: { id: 'ID!' },
    values: [{ id: KEPT_ID }, { id: 'nothing' }],
  },
  {
    field: 'customsCoverage',
    variables: { countries: '[CountryCode!]' },
    values: [{ countries: ['NG', 'DE', 'US'] }, { countries: ['JP'] }, { countries: [] }],
  },
  {
    field: 'classify',
    variables: { description: 'String!', first: 'Int', answers: '[ClassificationAnswerInput!]' },
    values: [
      { description: 'cotton t-shirt' },
      { description: 'shoes', first: 20 },
      { description: 't-shirt', answers: [{ question: 'fibre', value: 'cotton' }] },
      { description: 'x', first: 0 },
    ],
  },
  {
    field: 'shipments',
    variables: { first: 'Int', last: 'Int', filter: 'ShipmentFilter', sort: 'ShipmentSort' },
    values: [
      {},
      { first: 2 },
      { last: 3, sort: 'OLDEST' },
      { filter: { states: ['CANCELLED', 'BOOKED'] } },
      { first: 0 },
    ],
  },
  {
    field: 'shipment',
    variables: { id: 'ID!' },
    values: [{ id: 'demo-booked' }, { id: 'demo-refused' }, { id: 'demo-draft' }, { id: 'nobody' }],
  },
  { field: 'webhookEndpoints', variables: {}, values: [{}] },
  { field: 'sellerRegistrations', variables: {}, values: [{}] },
  { field: 'webhookEndpoint', variables: { id: 'ID!' }, values: [{ id: WEBHOOK }, { id: 'nobody' }] },
]

describe('a random document', () => {
  test('is generated for every query except those for gateways', () => {
    expect([...ROOTS.map(({ field }) => field), '_entities', '_service'].sort()).toEqual(
      Object.keys(schema.getQueryType()!.getFields()).sort(),
    )
  })

  test('is read from the cache as in the response', { timeout: 300_000 }, async () => {
    await resetDemo(app.clone.db)
    const content = {
      request: { from: { country: 'NL' }, to: { country: 'GB' }, items: [] },
      ...{ date: '2026-11-21', customsRevision: 1, totalCents: 250, customsValueCents: 100, complete: true },
      lines: [{ hsCode: '610910', kind: 'DUTY', name: 'Duty', amountCents: 250, calculated: true }],
    }
    await app.clone.db
      .insertInto('kept_estimate')
      .values({
        ...{ estimate_id: KEPT_ID, account_id: 'demo-shop', content: JSON.stringify(content) },
        expires_at: new Date('2100-01-01'),
        content_bytes: 1,
      })
      .execute()
    let compared = 0
    const seen = new Set<string>()
    const expected = [
      'AppliedRule',
      'Product',
      'Carrier',
      'Shipment',
      'TaxLine',
      'HsCandidate',
      'KeptEstimate',
    ]
    // A hundred documents do not always read all of these types.
    for (let round = 0; round < 5 && !(round > 0 && expected.every((name) => seen.has(name))); round++)
      await fc.assert(
        fc.asyncProperty(randomDocument(schema, ROOTS), async ({ query, variables }) => {
          const { data } = await expectSameData(query, variables)
          if (data == null) return
          compared++
          JSON.stringify(data, (key, value) => (key === '__typename' ? seen.add(value) && value : value))
        }),
        { numRuns: caseCount(60, 3_000) },
      )
    expect(compared).toBeGreaterThan(50)
    // Otherwise the documents do not read what an object consists of.
    expect([...seen]).toEqual(expect.arrayContaining(expected))
  })
})
