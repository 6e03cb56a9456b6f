/** `ratesBatch`: order of results, faults, limits, and turns. */
import { describe, expect, test } from 'vitest'
import { openInstance, SHORT_TURNS } from '../instance.ts'

const { ask, faults } = openInstance({ turns: () => SHORT_TURNS })

const PARCEL = { count: 1, weightKg: 5, lengthCm: 40, widthCm: 30, heightCm: 20 }
const INPUT = {
  from: { country: 'NL' },
  to: { country: 'ES' },
  parcels: { boxes: [PARCEL] },
  recipientType: 'BUSINESS',
}

type Batch = { readonly ratesBatch: { readonly results: readonly unknown[] } }

const QUERY = `query ($inputs: [RatesInput!]!) { ratesBatch(inputs: $inputs) {
  ... on RatesBatch { results { __typename
    ... on RateQuote { rateCardVersions options { product { id } price { amount } } }
    ... on InputProblem { fields { path message } } } }
  ... on InputProblem { code fields { path message } } } }`

/** All fields of a quote. */
const IN_FULL = `__typename
  ... on RateQuote { rateCardVersions filteredOut
    options { product { id name carrier { id name } } price { amount currency } listPrice { amount currency }
      rateCardVersion badges transit { minWorkingDays maxWorkingDays }
      breakdown { kind name amount { amount currency } reason
        rule { ruleId rateCardVersion formula validFrom figures { name value } } }
      chargeable { parcelIndex count divisor
        actual { kilograms } volumetric { kilograms } chargeable { kilograms } } }
    declined { product { id name carrier { id name } } code message limit actual unit } }
  ... on InputProblem { code message retryable fields { path code message } }`

describe('a batch', () => {
  test('returns results in the order of its inputs, also if one is invalid', async () => {
    const { data, errors } = await ask(QUERY, {
      inputs: [
        INPUT,
        {
          ...INPUT,
          parcels: { boxes: [{ ...PARCEL, weightKg: '1.2345' }] },
          filter: { carrierIds: ['nobody'] },
        },
        { ...INPUT, filter: { productIds: ['1202'] } },
      ],
    })
    expect(errors).toEqual([])
    expect(data).toMatchObject({
      ratesBatch: {
        results: [
          { __typename: 'RateQuote', options: [{ product: { id: '1201' } }, {}, {}, {}, {}] },
          {
            __typename: 'InputProblem',
            fields: [
              { path: ['parcels', 'boxes', '0', 'weightKg'] },
              { path: ['filter', 'carrierIds', '0'], message: 'there is no carrier "nobody"' },
            ],
          },
          { __typename: 'RateQuote', options: [{ product: { id: '1202' } }] },
        ],
      },
    })
  })

  test('may have 50 requests; 51 or none are an InputProblem, which does not affect other fields', async () => {
    const { data } = await ask(QUERY, { inputs: Array(50).fill(INPUT) })
    expect((data as Batch).ratesBatch.results).toHaveLength(50)
    for (const [count, message] of [
      [51, 'must have at most 50 entries'],
      [0, 'must have at least one entry'],
    ] as const) {
      const { status, data, errors } = await ask(QUERY.replace(/\}$/, ' carriers { __typename } }'), {
        inputs: Array(count).fill(INPUT),
      })
      expect(status).toBe(200)
      expect(errors).toEqual([])
      expect(data).toMatchObject({
        ratesBatch: { code: 'INVALID_INPUT', fields: [{ path: ['inputs'], message }] },
        carriers: expect.arrayContaining([expect.anything()]),
      })
    }
    expect(faults).toEqual([])
  })

  test('in full detail does not block other requests', async () => {
    const ended: string[] = []
    const inFull = `query ($inputs: [RatesInput!]!) { ratesBatch(inputs: $inputs) { ... on RatesBatch { results { ${IN_FULL} } } } }`
    const batch = ask(inFull, { inputs: Array(50).fill(INPUT) }).then(() => ended.push('batch'))
    const other = ask('{ carriers { id } }').then(() => ended.push('other'))
    await Promise.all([batch, other])
    expect(ended).toEqual(['other', 'batch'])
  })

  test('may occur several times in a query', async () => {
    const small = `ratesBatch(inputs: $inputs) { ... on RatesBatch { results { __typename } } }`
    const query = `query ($inputs: [RatesInput!]!) { ${small} ...F } fragment F on Query { b: ${small} }`
    const { data, errors } = await ask(query, { inputs: [INPUT, INPUT] })
    expect(errors).toEqual([])
    const { ratesBatch, b } = data as Batch & { b: unknown }
    expect(ratesBatch.results).toHaveLength(2)
    expect(b).toEqual(ratesBatch)
  })

  test('with more than 1,000 parcel rows is refused, also if all requests use the rows of one variable', async () => {
    const inputs = Array(50)
      .fill('{ from: { country: "NL" } to: { country: "ES" } parcels: { boxes: $rows } }')
      .join()
    const { data, errors } = await ask(
      `query ($rows: [BoxInput!]!) { ratesBatch(inputs: [${inputs}]) { ... on InputProblem { fields { path code message } } } }`,
      { rows: Array(99).fill(PARCEL) },
    )
    expect(errors).toEqual([])
    expect(data).toEqual({
      ratesBatch: {
        fields: [
          { path: ['inputs'], code: 'TOO_MANY', message: 'must have at most 1000 parcel rows in total' },
        ],
      },
    })
  })
})

test('a batch returns the same as `rates`, with all fields', async () => {
  const single = await ask(`query ($input: RatesInput!) { rates(input: $input) { ${IN_FULL} } }`, {
    input: INPUT,
  })
  expect(single.errors).toEqual([])
  const inputs = [INPUT, { ...INPUT, parcels: { boxes: [] } }]
  const batch = await ask(
    `query ($inputs: [RatesInput!]!) { ratesBatch(inputs: $inputs) { ... on RatesBatch { results { ${IN_FULL} } } } }`,
    {
      inputs,
    },
  )
  expect(batch.errors).toEqual([])
  expect((batch.data as Batch).ratesBatch.results).toEqual([
    (single.data as { rates: unknown }).rates,
    expect.objectContaining({ __typename: 'InputProblem' }),
  ])
})
