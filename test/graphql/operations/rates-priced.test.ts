/** `rates` with the real engine: contracts, rules, filters, and one rate book per request. */
import { describe, expect, test, vi } from 'vitest'
import type { ContractRow } from '../../../src/core/rating/contract.ts'
import { explainLine } from '../../../src/core/rating/explain/explain.ts'
import { readDemoRateBook } from '../../../src/reference/rate-cards/rate-card-csv.ts'
import { demoRateBook } from '../../support/rates/demo-rate-book.ts'
import { bookOf } from '../../support/rates/rate-cards.ts'
import { fakePorts } from '../fake-ports.ts'
import { openInstance } from '../instance.ts'

/** The account of the fake ports pays 10% less with Rondeel and is not offered 1301. */
const CONTRACTS: readonly ContractRow[] = [
  {
    accountId: 'demo',
    carrierCode: 'rondeel',
    validFrom: '2026-01-01',
    freightBps: -1000,
    fuelBps: 0,
    hidden: false,
  },
  {
    accountId: 'demo',
    productId: 1301,
    validFrom: '2026-01-01',
    freightBps: 0,
    fuelBps: 0,
    hidden: true,
  },
]
const contractBook = bookOf(readDemoRateBook(), { code: 'demo' }, CONTRACTS)

const { ask: askListed } = openInstance()
const { ask: askContract, faults } = openInstance({
  ports: fakePorts({ reference: { rateBook: () => contractBook } }),
})

const PARCEL = { count: 1, weightKg: 5, lengthCm: 40, widthCm: 30, heightCm: 20 }
const INPUT = {
  from: { country: 'NL' },
  to: { country: 'ES' },
  parcels: { boxes: [PARCEL] },
  recipientType: 'BUSINESS',
  asOf: '2026-10-20T12:00:00Z',
}
const PROBLEM = '... on InputProblem { message fields { path code message } }'

function ratesQuery(fields: string): string {
  return `query ($input: RatesInput!) { rates(input: $input) { __typename ${PROBLEM} ... on RateQuote { ${fields} } } }`
}

type Quote = {
  readonly options: readonly (Readonly<Record<string, unknown>> & {
    readonly product: { readonly id: string }
  })[]
}

async function quoteOf(ask: typeof askListed, fields: string, input: object = {}): Promise<Quote> {
  const { data, errors } = await ask(ratesQuery(fields), { input: { ...INPUT, ...input } })
  expect(errors).toEqual([])
  return (data as { rates: Quote }).rates
}

const ids = ({ options }: Quote) => options.map(({ product }) => product.id)

describe('an account with a contract', () => {
  test('sees its price, the list price, the discount and its rule', async () => {
    const { options } = await quoteOf(
      askContract,
      `options { product { id } price { amount } listPrice { amount currency } rateCardVersion
        breakdown { kind name amount { amount } rule { ruleId rateCardVersion formula validFrom figures { name value } } } }`,
    )
    expect(options[0]).toMatchObject({
      product: { id: '1201' },
      price: { amount: '14.26' },
      listPrice: { amount: '15.81', currency: 'EUR' },
      rateCardVersion: 'demo@1',
      breakdown: [
        {
          kind: 'BASE',
          amount: { amount: '14.25' },
          rule: { rateCardVersion: 'demo@1', formula: expect.stringMatching(/./), validFrom: '2026-01-01' },
        },
        {
          kind: 'DISCOUNT',
          name: 'Contract discount',
          amount: { amount: '-1.42' },
          rule: { formula: expect.stringContaining('14.25'), figures: expect.any(Array) },
        },
        { kind: 'FUEL', amount: { amount: '1.22' } },
        { kind: 'OTHER', amount: { amount: '0.21' } },
      ],
    })
    const other = options.find(({ product }) => product.id === '1103')
    expect(other).toMatchObject({ price: { amount: '34.11' }, listPrice: null })
  })

  test('sees which products its contract excludes', async () => {
    expect(
      await quoteOf(askContract, 'options { product { id } } declined { product { id } code message }'),
    ).toMatchObject({
      declined: expect.arrayContaining([
        { product: { id: '1301' }, code: 'NOT_ON_ACCOUNT', message: "Not part of this account's contract" },
      ]),
    })
    expect(faults).toEqual([])
  })
})

describe('a rule', () => {
  test('is not calculated if it is not selected', async () => {
    await quoteOf(
      askListed,
      'options { product { id } price { amount } badges rateCardVersion breakdown { kind name amount { amount } reason } }',
    )
    expect(vi.mocked(explainLine)).not.toHaveBeenCalled()
  })

  test('is calculated once for each line', async () => {
    const { options } = await quoteOf(
      askListed,
      'options { product { id } breakdown { rule { formula } } }',
      { filter: { productIds: ['1201'] } },
    )
    const breakdown = options[0]?.['breakdown'] as { rule: { formula: string } }[]
    expect(breakdown).toHaveLength(3)
    expect(breakdown.every(({ rule }) => rule.formula.length > 0)).toBe(true)
    expect(vi.mocked(explainLine)).toHaveBeenCalledTimes(3)
  })

  test('is not calculated if a directive removes it', async () => {
    await quoteOf(askListed, 'options { product { id } breakdown { name rule @skip(if: true) { formula } } }')
    expect(vi.mocked(explainLine)).not.toHaveBeenCalled()
  })
})

describe('filter and sort', () => {
  const FIELDS = 'filteredOut options { product { id } badges } declined { product { id } }'

  test.each<[string, object, string[], number]>([
    ['carriers', { carrierIds: ['rondeel'] }, ['1201', '1202'], 3],
    ['products', { productIds: ['1301', 1101] }, ['1301', '1101'], 3],
    ['a price', { maxPrice: { amount: '21.29' } }, ['1201', '1301', '1202'], 2],
    ['working days', { maxWorkingDays: 2 }, ['1101'], 4],
    ['nothing', {}, ['1201', '1301', '1202', '1103', '1101'], 0],
  ])('select options by %s', async (_name, filter, expected, filteredOut) => {
    const shown = await quoteOf(askListed, FIELDS, { filter })
    expect(ids(shown)).toEqual(expected)
    expect(shown).toMatchObject({ filteredOut })
  })

  test('give badges among the options that are returned', async () => {
    const badgesIn = async (input: object) =>
      Object.fromEntries(
        (await quoteOf(askListed, FIELDS, input)).options.map(({ product, badges }) => [product.id, badges]),
      )
    expect(await badgesIn({})).toMatchObject({ 1201: expect.arrayContaining(['CHEAPEST']) })
    expect(await badgesIn({ filter: { productIds: ['1103'] } })).toEqual({
      1103: ['CHEAPEST', 'FASTEST', 'BEST_VALUE'],
    })
  })

  test.each(['PRICE', 'TRANSIT', 'VALUE'])('put the option with the badge first: %s', async (sort) => {
    const badge = { PRICE: 'CHEAPEST', TRANSIT: 'FASTEST', VALUE: 'BEST_VALUE' }[sort]
    const { options } = await quoteOf(askListed, FIELDS, { sort })
    expect(options[0]?.['badges']).toContain(badge)
    expect(options.filter(({ badges }) => (badges as string[]).includes(badge ?? ''))).toHaveLength(1)
  })

  test('report faults with their path in the input', async () => {
    const filter = {
      carrierIds: ['rondel'],
      productIds: ['1201', '7'],
      maxPrice: { amount: '-1' },
      maxWorkingDays: -1,
    }
    const { data } = await askListed(ratesQuery('rateCardVersions'), { input: { ...INPUT, filter } })
    expect(data).toMatchObject({
      rates: {
        __typename: 'InputProblem',
        fields: [
          { path: ['filter', 'carrierIds', '0'], message: 'there is no carrier "rondel"' },
          { path: ['filter', 'productIds', '1'], message: 'there is no product "7"' },
          { path: ['filter', 'maxPrice', 'amount'], message: 'must be at least 0' },
          { path: ['filter', 'maxWorkingDays'], message: 'must be at least 0' },
        ],
      },
    })
  })

  test('are refused when creating a draft shipment', async () => {
    const { data } = await askListed(
      `mutation ($rates: RatesInput!) { createDraftShipment(
        input: { rates: $rates, preferredShippingOption: "1201" }) { __typename ${PROBLEM} } }`,
      { rates: { ...INPUT, filter: { carrierIds: ['rondeel'] }, sort: 'VALUE' } },
    )
    expect(data).toMatchObject({
      createDraftShipment: {
        fields: [
          { path: ['rates', 'asOf'], code: 'CONFLICT' },
          { path: ['rates', 'filter'], code: 'CONFLICT' },
          { path: ['rates', 'sort'], code: 'CONFLICT' },
        ],
      },
    })
  })
})

describe('a request', () => {
  const twoVersions = () => {
    const { content, ...shared } = readDemoRateBook()
    const renamed = content.products.map((product) => ({ ...product, name: `New ${product.name}` }))
    const next = bookOf(
      { content: { ...content, products: renamed }, ...shared },
      {
        code: 'demo',
        versionNo: 2,
      },
    )
    return [demoRateBook(), next] as const
  }

  test('uses one rate book, even if it is replaced during the request; the next request uses the new one', async () => {
    const [before, after] = twoVersions()
    let current = before
    const swapping = fakePorts({
      reference: { rateBook: () => current },
      store: {
        // Called after the rates are calculated and before the product of the shipment is loaded.
        findMany: async () => {
          current = after
          return [(await fakePorts().shipments.find('demo', 'demo-booked'))!]
        },
      },
    })
    const { ask } = openInstance({ ports: swapping })
    const query = `query ($input: RatesInput!) {
      rates(input: $input) { ... on RateQuote { rateCardVersions } }
      shipment(id: "demo-booked") { product { name } }
    }`
    expect((await ask(query, { input: INPUT })).data).toEqual({
      rates: { rateCardVersions: ['demo@1'] },
      shipment: { product: { name: 'Classic' } },
    })
    expect(current).toBe(after)
    expect((await ask(query, { input: INPUT })).data).toEqual({
      rates: { rateCardVersions: ['demo@2'] },
      shipment: { product: { name: 'New Classic' } },
    })
  })
})
