import { describe, expect, test, vi } from 'vitest'
import type { InputProblem } from '../../../src/core/problem.ts'
import type { SelectedQuote } from '../../../src/core/rating/selection.ts'
import { quoteRates } from '../../../src/operations/quote-rates.ts'
import { fixedOption } from '../../support/rates/fixed-option.ts'
import { openInstance } from '../instance.ts'
import { faultAt, PROBLEM } from './input-problem.ts'

const { ask } = openInstance()

const ROUTE = 'from: { country: "NL" }, to: { country: "ES" }'

describe('rates', () => {
  const QUERY = `query ($input: RatesInput!) { rates(input: $input) { __typename ${PROBLEM} ... on RateQuote {
    rateCardVersions filteredOut
    options {
      product { id name carrier { id name } } price { amount currency } listPrice { amount } rateCardVersion badges
      breakdown { kind name amount { amount } reason } transit { minWorkingDays maxWorkingDays }
      chargeable { parcelIndex count divisor actual { kilograms } volumetric { kilograms } chargeable { kilograms } }
    }
    declined { product { id carrier { name } } code message limit actual }
  } } }`
  const INPUT = {
    from: { country: 'NL' },
    to: { country: 'ES', postalCode: '28013', city: null },
    parcels: { boxes: [{ count: 2, weightKg: 12.5, lengthCm: 40, widthCm: 30, heightCm: 20 }] },
    insured: true,
    totalValue: { amount: '99.9' },
    recipientType: 'BUSINESS',
    asOf: '2026-11-20T12:00:00Z',
  }
  const QUOTE: SelectedQuote = {
    kind: 'RateQuote',
    rateCardVersions: ['demo@1'],
    options: [
      fixedOption({
        product: {
          productId: 1201,
          productName: 'Classic',
          carrierCode: 'rondeel',
          carrierName: 'Rondeel Parcel',
        },
        priceCents: 1250,
        listPriceCents: 1300,
        lines: [
          { kind: 'BASE', item: 'Freight', amountCents: 1200 },
          { kind: 'FUEL', item: 'Fuel surcharge', amountCents: 50, reason: '4.2%' },
        ],
        transit: { minDays: 2, maxDays: 4 },
        chargeable: [
          {
            parcelIndex: 0,
            count: 2,
            actualGrams: 12500,
            volumetricGrams: 4800,
            chargeableGrams: 12500,
            divisor: 5000,
          },
        ],
      }),
    ],
    filteredOut: 3,
    declined: [
      {
        product: {
          productId: 1301,
          productName: 'Parcel Tracked',
          carrierCode: 'polderpost',
          carrierName: 'Polderpost',
        },
        decline: { code: 'OVER_WEIGHT', measure: 'unit weight', limit: 30_000, actual: 31_500 },
      },
    ],
  }

  test('returns money to the cent, weights in kilograms, and null for missing values', async () => {
    vi.mocked(quoteRates).mockReturnValueOnce(QUOTE)
    const { data, errors } = await ask(QUERY, { input: INPUT })
    expect(errors).toEqual([])
    expect(data).toEqual({
      rates: {
        __typename: 'RateQuote',
        rateCardVersions: ['demo@1'],
        filteredOut: 3,
        options: [
          {
            product: { id: '1201', name: 'Classic', carrier: { id: 'rondeel', name: 'Rondeel Parcel' } },
            price: { amount: '12.50', currency: 'EUR' },
            listPrice: { amount: '13.00' },
            rateCardVersion: 'demo@1',
            badges: ['CHEAPEST', 'FASTEST', 'BEST_VALUE'],
            breakdown: [
              { kind: 'BASE', name: 'Freight', amount: { amount: '12.00' }, reason: null },
              { kind: 'FUEL', name: 'Fuel surcharge', amount: { amount: '0.50' }, reason: '4.2%' },
            ],
            transit: { minWorkingDays: 2, maxWorkingDays: 4 },
            chargeable: [
              {
                parcelIndex: 0,
                count: 2,
                divisor: 5000,
                actual: { kilograms: '12.5' },
                volumetric: { kilograms: '4.8' },
                chargeable: { kilograms: '12.5' },
              },
            ],
          },
        ],
        declined: [
          {
            product: { id: '1301', carrier: { name: 'Polderpost' } },
            code: 'OVER_WEIGHT',
            message: 'The unit weight is 31.5 kg; the limit is 30 kg',
            limit: '30',
            actual: '31.5',
          },
        ],
      },
    })
  })

  test('passes the input to the operation with the field names of core', async () => {
    vi.mocked(quoteRates).mockReturnValueOnce(QUOTE)
    await ask(QUERY, { input: INPUT })
    expect(vi.mocked(quoteRates).mock.lastCall?.[2]).toMatchObject({
      from: { country: 'NL' },
      to: { country: 'ES', zipcode: '28013', city: null },
      parcels: [{ type: 'NONDOC', count: 2, exactWeight: '12.5', length: 40, width: 30, height: 20 }],
      insured: true,
      totalValue: '99.9',
      recipientType: 'business',
      asOf: '2026-11-20T12:00:00Z',
    })
  })

  test('passes filter, sort and caller to the operation; the default order is by price', async () => {
    vi.mocked(quoteRates).mockReturnValue(QUOTE)
    const filter = {
      carrierIds: ['rondeel'],
      productIds: [1201],
      maxPrice: { amount: 12.5 },
      maxWorkingDays: 4,
    }
    await ask(QUERY, { input: { ...INPUT, filter, sort: 'VALUE' } })
    const [, caller, , selection] = vi.mocked(quoteRates).mock.lastCall ?? []
    expect(caller).toMatchObject({ accountId: 'demo' })
    expect(selection).toEqual({
      filter: { carriers: ['rondeel'], products: ['1201'], maxPrice: '12.5', maxTransitDays: 4 },
      sort: 'VALUE',
    })
    await ask(QUERY, { input: INPUT })
    expect(vi.mocked(quoteRates).mock.lastCall?.[3]).toEqual({ filter: undefined, sort: 'PRICE' })
  })

  test('passes decimals on as exact text, without zeros at the end', async () => {
    const weights = [
      ...[
        ['1.10', '1.1'],
        ['"1.10"', '1.1'],
        ['5.00', '5'],
        ['"-5.00"', '-5'],
        ['"5.005"', '5.005'],
      ],
      ...[
        ['100', '100'],
        ['"0.00"', '0'],
        ['12345678901234567.89', '12345678901234567.89'],
        ['-1', '-1'],
      ],
      ...['1e999', 'heavy', '.50', '5.', '5,50', ' 5.00 '].map((text) => [`"${text}"`, text]),
    ] as const
    for (const [weight, passed] of weights) {
      vi.mocked(quoteRates).mockReturnValueOnce(QUOTE)
      await ask(
        `{ rates(input: { ${ROUTE}, parcels: { boxes: [{ weightKg: ${weight}, lengthCm: 1, widthCm: 1, heightCm: 1 }] } }) { __typename } }`,
      )
      expect(vi.mocked(quoteRates).mock.lastCall?.[2].parcels).toMatchObject([
        { type: 'NONDOC', count: 1, exactWeight: passed },
      ])
    }
  })

  test.each([
    ['{ boxes: [], documents: [] }', ''],
    ['{}', ''],
    ['{ boxes: null }', ''],
    ['{ boxes: $b }', '($b: [BoxInput!])'],
    ['{ boxes: $b }', '($b: [BoxInput!] = [])'],
    ['{ boxes: [], documents: $d }', '($d: [DocumentInput!])'],
    ['$p', '($p: ParcelsInput = { boxes: [] })'],
  ])('refuses parcels that are not exactly one list: %s with %s', async (parcels, variables) => {
    vi.mocked(quoteRates).mockClear()
    const query = `query ${variables} { rates(input: { ${ROUTE}, parcels: ${parcels} }) { __typename } }`
    for (const values of [{}, { b: null, d: null, p: null }]) {
      if (values.b === undefined && /= /.test(variables)) continue
      const { status, errors } = await ask(query, values)
      expect(status).toBe(400)
      expect(errors[0]?.message).not.toBe('Internal error')
    }
    expect(quoteRates).not.toHaveBeenCalled()
  })

  test('refuses a decimal that is neither a number nor text', async () => {
    vi.mocked(quoteRates).mockClear()
    for (const amount of [true, {}, ['1']]) {
      const { status, errors } = await ask(QUERY, { input: { ...INPUT, totalValue: { amount } } })
      expect(status).toBe(400)
      expect(errors[0]).toMatchObject({ extensions: { code: 'BAD_USER_INPUT' } })
    }
    expect(quoteRates).not.toHaveBeenCalled()
  })

  test('reports faults with the paths of the GraphQL input', async () => {
    const problem = { ...faultAt('parcels', 0, 'weight'), fields: [] as InputProblem['fields'] }
    const paths = [
      ['parcels', 0, 'weight'],
      ['parcels', 11, 'length'],
      ['from', 'country'],
      ['from', 'zipcode'],
      ['totalValue'],
      ['parcels'],
    ]
    vi.mocked(quoteRates).mockReturnValueOnce({
      ...problem,
      fields: paths.map((path) => ({ path, code: 'REQUIRED', message: 'required' })),
    })
    const { data } = await ask(QUERY, { input: INPUT })
    const field = (...path: string[]) => ({ path, code: 'REQUIRED', message: 'required' })
    expect(data).toMatchObject({
      rates: {
        __typename: 'InputProblem',
        code: 'INVALID_INPUT',
        retryable: false,
        fields: [
          field('parcels', 'boxes', '0', 'weightKg'),
          field('parcels', 'boxes', '11', 'lengthCm'),
          field('from', 'country'),
          field('from', 'postalCode'),
          field('totalValue'),
          field('parcels', 'boxes'),
        ],
      },
    })
  })

  test('names the list of parcels that is given, and the amount of money', async () => {
    const lists = ['boxes', 'documents', 'pallets']
    for (const list of lists) {
      const input = { from: { country: 'NL' }, to: { country: 'ES' }, parcels: { [list]: [] } }
      vi.mocked(quoteRates).mockReturnValueOnce({
        ...faultAt('parcels', 0, 'count'),
        fields: [
          { path: ['parcels', 0, 'count'], code: 'OUT_OF_RANGE', message: 'x' },
          { path: ['totalValue'], code: 'MALFORMED', message: 'x' },
          { path: ['filter', 'maxPrice'], code: 'MALFORMED', message: 'x' },
        ],
      })
      const { data } = await ask(QUERY, { input })
      expect(data).toMatchObject({
        rates: {
          fields: [
            { path: ['parcels', list, '0', 'count'] },
            { path: ['totalValue', 'amount'] },
            { path: ['filter', 'maxPrice', 'amount'] },
          ],
        },
      })
    }
  })

  test.each([
    [
      'boxes',
      '{ weightKg: 1, lengthCm: 2, widthCm: 3, heightCm: 4 }',
      { type: 'NONDOC', count: 1, exactWeight: '1', length: 2, width: 3, height: 4 },
    ],
    ['documents', '{}', { type: 'DOC', count: 1 }],
    ['documents', '{ count: 7 }', { type: 'DOC', count: 7 }],
    ['documents', '{ weightKg: "0.075" }', { type: 'DOC', count: 1, exactWeight: '0.075' }],
    [
      'boxes',
      '{ weightKg: "0.075", lengthCm: 2, widthCm: 3, heightCm: 4, shape: TUBE, packaging: CRATE, freightClass: 70 }',
      {
        ...{ type: 'NONDOC', count: 1, exactWeight: '0.075', length: 2, width: 3, height: 4 },
        ...{ shape: 'TUBE', packaging: 'CRATE', freightClass: '70' },
      },
    ],
    [
      'pallets',
      '{ count: 2, weightKg: 1, lengthCm: 2, widthCm: 3, heightCm: 4, stackable: false }',
      { type: 'PALLET', count: 2, exactWeight: '1', length: 2, width: 3, height: 4, stackable: false },
    ],
    [
      'pallets',
      '{ weightKg: 1, lengthCm: 2, widthCm: 3, heightCm: 4, stackable: false, shape: ROLL, packaging: EURO_PALLET, freightClass: "77.5" }',
      {
        ...{ type: 'PALLET', count: 1, exactWeight: '1', length: 2, width: 3, height: 4, stackable: false },
        ...{ shape: 'ROLL', packaging: 'EURO_PALLET', freightClass: '77.5' },
      },
    ],
  ])('passes %s on with their type: %s', async (list, row, passed) => {
    vi.mocked(quoteRates).mockReturnValueOnce(QUOTE)
    await ask(`{ rates(input: { ${ROUTE}, parcels: { ${list}: [${row}] } }) { __typename } }`)
    expect(vi.mocked(quoteRates).mock.lastCall?.[2].parcels).toEqual([passed])
  })
})
