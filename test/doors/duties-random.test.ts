/**
 * Duties on random customs data through HTTP: GraphQL returns the same bytes whether a query is compiled or not, and
 * both doors return the money of the engine.
 */
import type { FastifyInstance } from 'fastify'
import { afterAll, expect, test } from 'vitest'
import { type CompiledCustoms, compileCustoms } from '../../src/core/customs/compiled-customs.ts'
import {
  type DutiesEstimate,
  estimateRequest,
  givenCode,
  otherSchemeOf,
} from '../../src/core/customs/estimate/estimate.ts'
import { dutyBasis, lineLeastCents, lineRatePercent } from '../../src/core/customs/estimate/explain/line.ts'
import { graphqlDoor } from '../../src/graphql/plugin.ts'
import { openLog } from '../../src/http/log.ts'
import { buildServer } from '../../src/http/server.ts'
import { restDoor } from '../../src/rest/routes.ts'
import { fakePorts } from '../graphql/fake-ports.ts'
import { CREDENTIALS } from '../graphql/instance.ts'
import type { OracleItem, OracleRequest } from '../support/oracle/customs/estimate.ts'
import { caseCount } from '../support/random/case-count.ts'
import { randomCustomsRows } from '../support/random/customs.ts'
import { randomCustomsRequest, withPlainCodes } from '../support/random/customs-request.ts'
import { diceOf } from '../support/random/seeded-dice.ts'

const WORLDS = caseCount(20, 1000)
const REQUESTS = 5

let tables: CompiledCustoms
let day = '2026-11-20'
const ports = {
  ...fakePorts({
    reference: { customsTables: () => tables },
    classifier: { classify: async (descriptions) => descriptions.map(() => []) },
  }),
  clock: () => new Date(`${day}T12:00:00Z`),
}

function openServer(compiledQueries: boolean): FastifyInstance {
  const isOutage = () => false
  const logFault = ({ error }: { error: unknown }) => {
    throw error
  }
  const server = buildServer({
    ports,
    doors: [
      graphqlDoor({
        ports,
        introspection: true,
        compiledQueries,
        isOutage,
        logFault: (error) => logFault({ error }),
      }),
      restDoor(ports),
    ],
    isOutage,
    ready: async () => true,
    limits: { requestsPerMinute: 1e9, lameDuckMs: 0, overloadWaitMs: 60_000 },
    log: openLog({ level: 'silent' }),
  })
  afterAll(() => server.close())
  return server
}

const compiled = openServer(true)
const executed = openServer(false)

async function post(server: FastifyInstance, url: string, payload: object): Promise<string> {
  const headers = { 'content-type': 'application/json', 'x-pp-api': CREDENTIALS }
  const { statusCode, body } = await server.inject({
    method: 'POST',
    url,
    headers,
    payload: JSON.stringify(payload),
  })
  expect(statusCode, body).toBe(200)
  return body
}

const LINE = `hsCode kind name amount { amount currency } base { amount } ratePercent description calculated
  leastAmount { amount } basis rateRange { lowestPercent highestPercent } formula
  rule { type hsCodePrefix origin agreement publishedRate publishedRange { lowestPercent highestPercent } validFrom validTo
    reliability dataSet { name title source date } }
  quotas { orderNumber name ratePercent rule { publishedRate reliability } } items { index amount { amount } }`
const QUERY = `query ($input: DutiesEstimateInput!) { dutiesEstimate(input: $input) { __typename
  ... on DutiesEstimate { total { amount currency } hsCode complete customsValue { amount } date taxes { ${LINE} }
    items { index customsValue { amount } total { amount } classification { hsCode source } problem { message }
      taxes { amount { amount } line { name } }
      contentItem { additionalCode alcoholPercent quantities { unit amount } } }
    underOtherScheme { importScheme total { amount } difference { amount } complete taxes { ${LINE} } } }
  ... on Problem { code message } } }`

type Money = { readonly amount: string }
type Answer = {
  readonly total: Money
  readonly complete: boolean
  readonly taxes: readonly {
    readonly name: string
    readonly amount: Money
    readonly calculated: boolean
    readonly leastAmount: Money | null
    readonly basis: string | null
    readonly ratePercent: string | null
    readonly items: readonly { readonly amount: Money }[]
  }[]
  readonly items: readonly { readonly total: Money }[]
  readonly underOtherScheme: {
    readonly importScheme: string
    readonly total: Money
    readonly difference: Money
    readonly complete: boolean
  } | null
}

const centsOf = ({ amount }: Money): number => Math.round(Number(amount) * 100)
const sumOf = (list: readonly Money[]): number => list.reduce((sum, one) => sum + centsOf(one), 0)

/**
 * Steps of a ten-thousandth of a euro, which is the smallest that the doors accept. Registrations are those of the
 * account, which has none.
 */
function inDoorSteps({ registrations: _, ...request }: OracleRequest): OracleRequest {
  const items = request.items.map((item) => ({ ...item, costSteps: item.costSteps - (item.costSteps % 100) }))
  return withPlainCodes({ ...request, items })
}

function estimate(request: OracleRequest): DutiesEstimate {
  const codes = request.items.map(({ tariff }) => (tariff === undefined ? undefined : givenCode(tariff)))
  return estimateRequest(tables, request, codes, day)
}

const euro = (costSteps: number): string => (costSteps / 1_000_000).toFixed(4)

function graphqlInput({
  items,
  shippingCents,
  insuranceCents,
  recipient,
  from,
  to,
  ...rest
}: OracleRequest): object {
  return {
    ...rest,
    from: placeInput(from),
    to: placeInput(to),
    ...(shippingCents !== undefined && { shippingCost: { amount: (shippingCents / 100).toFixed(2) } }),
    ...(insuranceCents !== undefined && { insuranceCost: { amount: (insuranceCents / 100).toFixed(2) } }),
    ...(recipient !== undefined && { recipientType: recipient.toUpperCase() }),
    contentItems: items.map(
      ({ numberOfItems, costSteps, tariff, weightGrams, quantities, alcoholPpm, ...item }) => ({
        ...item,
        count: numberOfItems,
        value: { amount: euro(costSteps) },
        ...(tariff !== undefined && { hsCode: tariff }),
        ...(weightGrams !== undefined && { weightKg: (weightGrams / 1000).toFixed(3) }),
        ...(alcoholPpm !== undefined && { alcoholPercent: (alcoholPpm / 10_000).toFixed(4) }),
        ...(quantities !== undefined && {
          quantities: quantities.map(({ unit, amountMicros }) => ({
            unit,
            amount: (amountMicros / 1_000_000).toFixed(6),
          })),
        }),
      }),
    ),
  }
}

function placeInput({ zipcode, ...place }: OracleRequest['from']): object {
  return { ...place, ...(zipcode !== undefined && { postalCode: zipcode }) }
}

function expectMoney(answer: Answer, request: OracleRequest): void {
  const expected = estimate(request)
  expect(centsOf(answer.total)).toBe(expected.estimateCents)
  expect(sumOf(answer.taxes.map(({ amount }) => amount))).toBe(expected.estimateCents)
  expect(sumOf(answer.items.map(({ total }) => total))).toBe(expected.estimateCents)
  expect(answer.complete).toBe(expected.complete)
  const lines = answer.taxes.map((line) => ({
    name: line.name,
    cents: centsOf(line.amount),
    shared: sumOf(line.items.map(({ amount }) => amount)),
    calculated: line.calculated,
    least: line.leastAmount === null ? undefined : centsOf(line.leastAmount),
    basis: line.basis ?? undefined,
    percent: line.ratePercent ?? undefined,
  }))
  expect(lines).toEqual(
    expected.taxes.map((line) => ({
      name: line.name,
      cents: line.amountCents,
      shared: line.amountCents,
      calculated: line.computed,
      least: lineLeastCents(line),
      basis: dutyBasis(line),
      percent: lineRatePercent(line),
    })),
  )
  const importScheme = otherSchemeOf(expected)
  if (importScheme === undefined) {
    expect(answer.underOtherScheme).toBeNull()
    return
  }
  const other = estimate({ ...request, importScheme })
  if (answer.underOtherScheme === null) {
    const linesOf = ({ checkoutCents, taxes }: DutiesEstimate) => [
      checkoutCents,
      ...taxes.map(({ name, amountCents }) => `${name} ${amountCents}`),
    ]
    expect(linesOf(other)).toEqual(linesOf(expected))
    return
  }
  expect(answer.underOtherScheme.importScheme).toBe(importScheme)
  expect(centsOf(answer.underOtherScheme.total)).toBe(other.estimateCents)
  expect(centsOf(answer.underOtherScheme.difference)).toBe(other.estimateCents - expected.estimateCents)
  expect(answer.underOtherScheme.complete).toBe(other.complete)
}

/** The fields that REST accepts. */
function restBody({ from, to, items }: OracleRequest): object {
  return {
    ...{ fromCountry: from.country, toCountry: to.country },
    ...(from.zipcode !== undefined && { fromZipcode: from.zipcode }),
    ...(to.zipcode !== undefined && { toZipcode: to.zipcode }),
    contentItems: items.map(({ description, numberOfItems, costSteps, tariff, originCountry }) => ({
      ...{ description, numberOfItems, cost: Number(euro(costSteps)) },
      ...(tariff !== undefined && { tariff }),
      ...(originCountry !== undefined && { originCountry }),
    })),
  }
}

function restRequest({ from, to, items }: OracleRequest): OracleRequest {
  const kept = items.map(
    ({ description, numberOfItems, costSteps, tariff, originCountry }): OracleItem => ({
      ...{ description, numberOfItems, costSteps },
      ...(tariff !== undefined && { tariff }),
      ...(originCountry !== undefined && { originCountry }),
    }),
  )
  return { from, to, items: kept }
}

test(`${WORLDS * REQUESTS} random requests get the same answer through all ways`, async () => {
  for (let seed = 1; seed <= WORLDS; seed++) {
    const dice = diceOf(seed)
    const rows = randomCustomsRows(dice)
    tables = compileCustoms(rows)
    for (let count = 0; count < REQUESTS; count++) {
      const random = randomCustomsRequest(dice, rows)
      const request = inDoorSteps(random.request)
      day = random.date
      const body = { query: QUERY, variables: { input: graphqlInput(request) } }
      const text = await post(compiled, '/graphql', body)
      expect(text).toBe(await post(executed, '/graphql', body))
      expectMoney((JSON.parse(text) as { data: { dutiesEstimate: Answer } }).data.dutiesEstimate, request)

      const rest = JSON.parse(
        await post(compiled, '/partners-api/v1/duties-taxes-estimate', restBody(request)),
      )
      const expected = estimate(restRequest(request))
      expect(Math.round(rest.estimate * 100)).toBe(expected.estimateCents)
      expect(
        rest.taxDetails.map(({ name, amount }: { name: string; amount: number }) => [
          name,
          Math.round(amount * 100),
        ]),
      ).toEqual(expected.taxes.map(({ name, amountCents }) => [name, amountCents]))
    }
  }
}, 240_000)
