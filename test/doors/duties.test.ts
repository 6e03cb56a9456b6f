/** Duties and taxes through both doors: the same request gets the same lines, codes and sums. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../support/app/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp() // on 2026-10-20: the EU's flat duty is in force
})
afterAll(() => app.close())

const QUERY = `query ($input: DutiesEstimateInput!) { dutiesEstimate(input: $input) { __typename
  ... on DutiesEstimate { total { amount } hsCode complete
    taxes { hsCode name amount { amount } description calculated }
    items { index classification { hsCode source } problem { code message } } }
  ... on InputProblem { fields { path message } } } }`

type Item = {
  readonly description: string
  readonly numberOfItems: number
  readonly cost: number
  readonly tariff?: string
  readonly originCountry?: string
}
type Route = { readonly from: string; readonly to: string; readonly toZipcode?: string }
type Line = {
  readonly harmonizedCode: string
  readonly name: string
  readonly amount: number
  readonly description: string
}
type Story = { readonly estimate: number; readonly hsCode: string; readonly lines: readonly Line[] }

async function throughRest({ from, to, toZipcode }: Route, contentItems: readonly Item[]): Promise<Story> {
  const { json } = await app.rest('/duties-taxes-estimate', {
    fromCountry: from,
    toCountry: to,
    toZipcode,
    contentItems,
  })
  const { estimate, hsCode, taxDetails } = json as { estimate: number; hsCode: string; taxDetails: Line[] }
  return { estimate, hsCode, lines: taxDetails }
}

function graphqlItem({ numberOfItems, cost, tariff, ...rest }: Item): object {
  return { ...rest, count: numberOfItems, value: String(cost), hsCode: tariff }
}

async function throughGraphql({ from, to, toZipcode }: Route, items: readonly Item[]): Promise<Story> {
  const contentItems = items.map(graphqlItem)
  const input = { from: { country: from }, to: { country: to, zipcode: toZipcode }, contentItems }
  const result = (await app.graphql(QUERY, { input })).data?.['dutiesEstimate'] as {
    total: { amount: string }
    hsCode: string
    taxes: { hsCode: string; name: string; amount: { amount: string }; description: string }[]
  }
  return {
    estimate: Number(result.total.amount),
    hsCode: result.hsCode,
    lines: result.taxes.map((line) => ({
      harmonizedCode: line.hsCode,
      name: line.name,
      amount: Number(line.amount.amount),
      description: line.description,
    })),
  }
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
    { from: 'CN', to: 'NL' },
    [shirts(5, 10)],
    [
      ['61091000', FLAT, 3],
      ['61091000', VAT, 11.13],
    ],
    '610910',
  ],
  [
    'shoes, dolls and T-shirts of EUR 120 to the EU: EUR 9 of duty, and VAT',
    { from: 'CN', to: 'DE' },
    [shoes, dolls, shirts(5, 10)],
    [
      ['64039905', FLAT, 3],
      ['95030010', FLAT, 3],
      ['61091000', FLAT, 3],
      ['64039905', VAT, 10.07],
      ['95030010', VAT, 4.37],
      ['61091000', VAT, 10.07],
    ],
    '640399',
  ],
  [
    'goods above EUR 150 to the EU: duty by the tariff',
    { from: 'US', to: 'NL' },
    [shirts(5, 40)],
    [
      ['61091000', MFN, 24],
      ['61091000', VAT, 47.04],
    ],
    '610910',
  ],
  [
    'goods below the threshold of the UK: VAT but no duty',
    { from: 'US', to: 'GB' },
    [shirts(1, 100)],
    [
      ['61091000', MFN, 0],
      ['61091000', VAT, 20],
    ],
    '610910',
  ],
  [
    'goods above the threshold of the UK: duty and VAT',
    { from: 'US', to: 'GB' },
    [shirts(1, 500)],
    [
      ['61091000', MFN, 60],
      ['61091000', VAT, 112],
    ],
    '610910',
  ],
  [
    'goods to a country without a tariff: tax, and a line that names the missing duty',
    { from: 'NL', to: 'JP' },
    [shirts(1, 500)],
    [
      ['610910', 'Import duty (not estimated)', 0],
      // JPY 92,185 is cut to 92,000, of which 10% is 9,200, at 184.37 per euro.
      ['610910', 'Consumption tax', 49.9],
    ],
    '610910',
  ],
  [
    'goods from mainland Spain to the Canaries: their tax but no duty',
    { from: 'ES', to: 'ES', toZipcode: '35001' },
    [shirts(1, 200)],
    [
      ['61091000', 'Canary Islands general indirect tax', 14],
      ['61091000', 'Canary Islands import levy (not estimated)', 0],
    ],
    '610910',
  ],
  ['goods within the EU: no charges', { from: 'NL', to: 'DE' }, [shirts(1, 500)], [], '610910'],
]

describe.each(ESTIMATES)('%s', (_name, route, items, lines, hsCode) => {
  test('both doors return the same estimate', async () => {
    const rest = await throughRest(route, items)
    expect(rest).toEqual(await throughGraphql(route, items))
    expect(rest.lines.map(({ harmonizedCode, name, amount }) => [harmonizedCode, name, amount])).toEqual(
      lines,
    )
    expect(rest.hsCode).toBe(hsCode)
    const cents = rest.lines.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0)
    expect(Math.round(rest.estimate * 100)).toBe(cents)
    for (const { amount, description } of rest.lines) if (amount === 0) expect(description).not.toBe('')
  })
})

test('finds a code of six digits from the description', async () => {
  const items = [{ description: "men's leather shoes", numberOfItems: 1, cost: 200 }]
  const story = await throughRest({ from: 'CN', to: 'NL' }, items)
  expect(story).toEqual(await throughGraphql({ from: 'CN', to: 'NL' }, items))
  expect(story.hsCode).toBe('640399')
  expect(story.lines[0]?.harmonizedCode).toMatch(/^640399\d{2,4}$/)
})

test('keeps the other lines and names the item if an item has no code', async () => {
  const items = [{ description: 'asdfgh qwerty', numberOfItems: 1, cost: 1 }, shirts(5, 40)]
  const { status, json } = await app.rest('/duties-taxes-estimate', {
    fromCountry: 'US',
    toCountry: 'NL',
    contentItems: items,
  })
  expect(status).toBe(200)
  expect(json).toMatchObject({
    hasErrors: true,
    message: expect.stringMatching(/^contentItems\[0\]\.description: /),
    estimate: 71.04,
    hsCode: '610910',
  })
  const input = {
    from: { country: 'US' },
    to: { country: 'NL' },
    contentItems: items.map(graphqlItem),
  }
  expect((await app.graphql(QUERY, { input })).data?.['dutiesEstimate']).toMatchObject({
    __typename: 'DutiesEstimate',
    complete: false,
    total: { amount: '71.04' },
    items: [{ classification: null, problem: { code: 'UNCLASSIFIABLE' } }, { problem: null }],
  })
})

test.each([
  ['2026-06-30T23:59:59Z', MFN, '0.00'],
  ['2026-07-01T00:00:00Z', FLAT, '3.00'],
  ['2028-07-01T00:00:00Z', MFN, '6.00'],
])('applies the rules in force on %s to a parcel of EUR 50 to the EU', async (asOf, name, amount) => {
  const input = {
    from: { country: 'CN' },
    to: { country: 'NL' },
    contentItems: [graphqlItem(shirts(5, 10))],
    asOf,
  }
  expect((await app.graphql(QUERY, { input })).data?.['dutiesEstimate']).toMatchObject({
    taxes: [{ name, amount: { amount } }, { name: VAT }],
  })
})
