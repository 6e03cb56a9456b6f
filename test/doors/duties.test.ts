/** Duties and taxes through both doors: the same request gets the same lines, codes, sums and faults. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../support/app/test-app.ts'
import { documentFor, toGraphqlInput, toRestBody } from './parity.ts'
import { PARITY, type Result } from './parity-table.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp() // on 2026-10-20: the EU's flat duty is in force
})
afterAll(() => app.close())

/** A content item of REST. */
type Item = {
  readonly description: string
  readonly numberOfItems: number
  readonly cost: number
  readonly tariff?: string
  readonly originCountry?: string
}
type Route = {
  readonly fromCountry: string
  readonly fromZipcode?: string
  readonly fromCity?: string
  readonly toCountry: string
  readonly toZipcode?: string
  readonly toCity?: string
}
type Line = {
  readonly harmonizedCode: string
  readonly name: string
  readonly amount: number
  readonly description: string
}
type Body = {
  readonly message?: string
  readonly estimate: number
  readonly hsCode: string
  readonly taxDetails: readonly Line[]
}

async function throughRest(route: Route, contentItems: readonly Item[]) {
  const { status, json } = await app.rest('/duties-taxes-estimate', { ...route, contentItems })
  return { status, body: json as Body }
}

const QUERY = documentFor(PARITY.duties)

/** The result of GraphQL for the same request, and the REST body that it corresponds to. */
async function throughGraphql(route: Route, contentItems: readonly Item[], more: object = {}) {
  const input = toGraphqlInput(PARITY.duties.request, { ...route, contentItems })
  const result = (await app.graphql(QUERY, { input: { ...input, ...more } })).data?.[
    'dutiesEstimate'
  ] as Result
  return { result, body: toRestBody(PARITY.duties, result) }
}

const shirts = (numberOfItems: number, cost: number): Item => ({
  description: 'cotton t-shirt',
  numberOfItems,
  cost,
  tariff: '610910',
})
const shoes: Item = { description: 'leather shoes', numberOfItems: 1, cost: 50, tariff: '640399' }
const dolls: Item = { description: 'dolls', numberOfItems: 2, cost: 10, tariff: '950300' }

const MFN = 'Most-favoured-nation duty'
const FLAT = 'Flat-rate customs duty'
const VAT = 'Value added tax'

/** Estimates calculated by hand: route, items, lines (code, name, euro), HS code. */
const ESTIMATES: readonly [
  string,
  Route,
  readonly Item[],
  readonly (readonly [string, string, number])[],
  string,
][] = [
  [
    'five T-shirts of EUR 50 in total to the EU: EUR 3 of duty, and VAT',
    { fromCountry: 'CN', toCountry: 'NL' },
    [shirts(5, 10)],
    [
      ['61091000', FLAT, 3],
      ['61091000', VAT, 11.13],
    ],
    '610910',
  ],
  [
    'shoes, dolls and T-shirts of EUR 120 to the EU: EUR 9 of duty, and VAT',
    { fromCountry: 'CN', toCountry: 'DE' },
    [shoes, dolls, shirts(5, 10)],
    [
      ['640399', FLAT, 3],
      ['950300', FLAT, 3],
      ['61091000', FLAT, 3],
      ['640399', VAT, 10.07],
      ['950300', VAT, 4.37],
      ['61091000', VAT, 10.07],
    ],
    '640399',
  ],
  [
    'goods above EUR 150 to the EU: duty by the tariff',
    { fromCountry: 'US', toCountry: 'NL' },
    [shirts(5, 40)],
    [
      ['61091000', MFN, 24],
      ['61091000', VAT, 47.04],
    ],
    '610910',
  ],
  [
    'goods below the threshold of the UK: VAT but no duty',
    { fromCountry: 'US', toCountry: 'GB' },
    [shirts(1, 100)],
    [
      ['61091000', MFN, 0],
      ['61091000', VAT, 20],
    ],
    '610910',
  ],
  [
    'goods above the threshold of the UK: duty and VAT',
    { fromCountry: 'US', toCountry: 'GB' },
    [shirts(1, 500)],
    [
      ['61091000', MFN, 60],
      ['61091000', VAT, 112],
    ],
    '610910',
  ],
  [
    'goods to Japan: duty and tax on values that are cut to whole thousands',
    { fromCountry: 'NL', toCountry: 'JP' },
    [shirts(1, 500)],
    [
      // JPY 89,452 is cut to 89,000, of which 7.4% is cut to 6,500, at 178.905547 per euro.
      ['610910', 'Most-favoured-nation duty', 36.33],
      // JPY 96,038 is cut to 96,000, of which 10% is 9,600.
      ['610910', 'Consumption tax', 53.66],
    ],
    '610910',
  ],
  [
    'goods to a country without a tariff: tax, and a line that names the missing duty',
    { fromCountry: 'NL', toCountry: 'IL' },
    [shirts(1, 500)],
    [
      ['610910', 'Import duty (not estimated)', 0],
      ['610910', 'Value added tax', 90],
    ],
    '610910',
  ],
  [
    'goods from mainland Spain to the Canaries: their tax but no duty',
    { fromCountry: 'ES', toCountry: 'ES', toZipcode: '35001' },
    [shirts(1, 200)],
    [
      ['61091000', 'Canary Islands general indirect tax', 14],
      ['61091000', 'Canary Islands import levy (not estimated)', 0],
    ],
    '610910',
  ],
  ['goods within the EU: no charges', { fromCountry: 'NL', toCountry: 'DE' }, [shirts(1, 500)], [], '610910'],
]

describe.each(ESTIMATES)('%s', (_name, route, items, lines, hsCode) => {
  test('both doors return the same estimate', async () => {
    const { status, body: rest } = await throughRest(route, items)
    const graphql = await throughGraphql(route, items)
    expect([status, graphql.result.__typename]).toEqual([200, 'DutiesEstimate'])
    expect(rest).toEqual(graphql.body)
    expect(rest.taxDetails.map(({ harmonizedCode, name, amount }) => [harmonizedCode, name, amount])).toEqual(
      lines,
    )
    expect(rest.hsCode).toBe(hsCode)
    const cents = rest.taxDetails.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0)
    expect(Math.round(rest.estimate * 100)).toBe(cents)
    for (const { amount, description } of rest.taxDetails) if (amount === 0) expect(description).not.toBe('')
  })
})

test('finds a code of six digits from the description', async () => {
  const items = [{ description: "men's leather shoes", numberOfItems: 1, cost: 200 }]
  const route = { fromCountry: 'CN', toCountry: 'NL' }
  const { body } = await throughRest(route, items)
  expect(body).toEqual((await throughGraphql(route, items)).body)
  expect(body.hsCode).toBe('640399')
  // The code has several national lines, and the description does not say which.
  expect(body.taxDetails[0]?.harmonizedCode).toBe('640399')
})

test('keeps the other lines and names the item if an item has no code', async () => {
  const items = [{ description: 'asdfgh qwerty', numberOfItems: 1, cost: 1 }, shirts(5, 40)]
  const route = { fromCountry: 'US', toCountry: 'NL' }
  const { status, body } = await throughRest(route, items)
  expect(status).toBe(200)
  expect(body).toMatchObject({
    hasErrors: true,
    message: expect.stringMatching(/^contentItems\[0\]\.description: /),
    estimate: 71.04,
    hsCode: '610910',
  })
  const graphql = await throughGraphql(route, items)
  // GraphQL gives other advice, with the name of its own field.
  expect(graphql.body).toEqual({
    ...body,
    message: body.message?.replace(
      / \(describe .*$/,
      ': describe the goods in more detail, or give their `hsCode`',
    ),
  })
  expect(graphql.result).toMatchObject({
    __typename: 'DutiesEstimate',
    items: [{ problem: { code: 'UNCLASSIFIABLE' } }, { problem: null }],
  })
})

/** Requests with the faults expected of both doors. */
const FAULTY: readonly [string, Route, readonly Item[], readonly string[]][] = [
  [
    'an unknown country and origin',
    { fromCountry: 'NL', toCountry: 'XX' },
    [{ ...shirts(1, 10), originCountry: 'YY' }],
    [
      'contentItems[0].originCountry: must be an ISO 3166-1 alpha-2 country code',
      'toCountry: must be an ISO 3166-1 alpha-2 country code',
    ],
  ],
  [
    'faults in three fields of an item',
    { fromCountry: 'NL', toCountry: 'GB' },
    [shirts(1, 10), { description: '', numberOfItems: 0, cost: 1.00001, tariff: '61' }],
    [
      'contentItems[1].description: required',
      'contentItems[1].numberOfItems: must be greater than zero',
      'contentItems[1].cost: must be a number with at most 4 decimals',
      'contentItems[1].tariff: must have 6 to 12 digits (dots and spaces are ignored)',
    ],
  ],
]

describe.each(FAULTY)('%s', (_name, route, items, faults) => {
  test('both doors refuse it with the same faults', async () => {
    const { status, body } = await throughRest(route, items)
    expect([status, body.message?.split('; ')]).toEqual([400, faults])
    const graphql = await throughGraphql(route, items)
    expect(graphql.result).toMatchObject({ __typename: 'InputProblem', code: 'INVALID_INPUT' })
    expect(body).toEqual(graphql.body)
  })
})

test.each([
  ['2026-06-30T23:59:59Z', MFN, '0.00'],
  ['2026-07-01T00:00:00Z', FLAT, '3.00'],
  // The handling fee is not verified.
  ['2028-07-01T00:00:00Z', MFN, '6.00', 'Handling fee (not estimated)'],
])('applies the rules in force on %s to a parcel of EUR 50 to the EU', async (asOf, name, amount, fee?: string) => {
  const route = { fromCountry: 'CN', toCountry: 'NL' }
  expect((await throughGraphql(route, [shirts(5, 10)], { asOf })).result).toMatchObject({
    taxes: [{ name, amount: { amount } }, ...(fee === undefined ? [] : [{ name: fee }]), { name: VAT }],
  })
})
