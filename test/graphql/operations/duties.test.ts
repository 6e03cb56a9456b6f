import { describe, expect, test, vi } from 'vitest'
import { exactOf } from '../../../src/core/customs/exact.ts'
import { classifyGoods } from '../../../src/operations/classify-goods.ts'
import { type DatedEstimate, estimateDuties } from '../../../src/operations/estimate-duties.ts'
import { customsRows, jurisdiction, tax, taxRate } from '../../support/customs/customs-rows.ts'
import { smallEstimate } from '../../support/customs/small-estimate.ts'
import { openInstance } from '../instance.ts'
import { faultAt, PROBLEM } from './input-problem.ts'

const { ask, faults } = openInstance()

const ROUTE = 'from: { country: "NL" }, to: { country: "ES" }'

describe('duties', () => {
  const QUERY = `{ dutiesEstimate(input: { ${ROUTE}, contentItems: [{ description: "t-shirts", count: 2, value: { amount: 10.5 } }] }) {
    __typename ${PROBLEM} ... on DutiesEstimate { total { amount currency } hsCode complete
      taxes { hsCode kind name amount { amount } base { amount } ratePercent description calculated }
      items { index customsValue { amount } problem { code fields { path } }
        classification { hsCode source confidence questions alternatives { hsCode description confidence matchedTerms questions } } } } } }`
  const CANDIDATE = {
    code: '610910',
    label: 'T-shirts, of cotton',
    confidence: 0.9,
    matchedTerms: ['t-shirt'],
    questions: ['Of which fibre mostly?'],
  }
  const notSelected = (): never => {
    throw new Error('calculated although it was not selected')
  }
  // A tax of 22% on EUR 21.00, and one that is not estimated.
  const { taxes, consignment } = smallEstimate(
    customsRows({
      jurisdictions: [jurisdiction('AA', { customsAreas: ['AA', 'BB'] }), jurisdiction('BB')],
      taxes: [
        tax('VAT', { name: 'Value added tax' }),
        tax('EXCISE', { kind: 'EXCISE', name: 'Excise', status: 'not_estimated', reason: 'not computed' }),
      ],
      taxRates: [taxRate('VAT', 22)],
    }),
    [['6109100010', 2, 10.5]],
  )
  const ESTIMATE: DatedEstimate = {
    kind: 'DutiesEstimate',
    contentItems: [],
    estimateCents: 462,
    checkoutCents: 0,
    hsCode: '610910',
    taxes,
    items: [
      {
        index: 0,
        customsValueCents: 2100,
        customsValue: exactOf(2100, 2),
        classification: {
          code: '610910',
          source: 'FROM_DESCRIPTION',
          confidence: 0.9,
          questions: [],
          alternatives: [CANDIDATE],
        },
      },
      {
        index: 1,
        customsValueCents: 0,
        customsValue: exactOf(0, 0),
        problem: faultAt('contentItems', 1, 'description'),
      },
    ],
    customsValueCents: 2100,
    complete: false,
    consignment,
    ifCode: notSelected,
    range: notSelected,
    underOtherScheme: notSelected,
    restrictions: () => [],
    secondOpinion: notSelected,
    date: '2026-11-20',
  }

  test('returns an estimate, and calculates only the selected fields', async () => {
    vi.mocked(estimateDuties).mockResolvedValueOnce(ESTIMATE)
    const { data, errors } = await ask(QUERY)
    expect(errors).toEqual([])
    expect(data).toMatchObject({
      dutiesEstimate: {
        __typename: 'DutiesEstimate',
        total: { amount: '4.62', currency: 'EUR' },
        complete: false,
        taxes: [
          {
            kind: 'VAT',
            amount: { amount: '4.62' },
            base: { amount: '21.00' },
            ratePercent: '22',
            calculated: true,
          },
          { kind: 'EXCISE', amount: { amount: '0.00' }, ratePercent: null, calculated: false },
        ],
        items: [
          {
            classification: {
              source: 'FROM_DESCRIPTION',
              confidence: 0.9,
              alternatives: [
                { hsCode: '610910', description: 'T-shirts, of cotton', matchedTerms: ['t-shirt'] },
              ],
            },
            problem: null,
          },
          { classification: null, problem: { fields: [{ path: ['contentItems', '1', 'description'] }] } },
        ],
      },
    })
    expect(vi.mocked(estimateDuties).mock.lastCall?.[2]).toMatchObject({
      contentItems: [{ description: 't-shirts', numberOfItems: 2, cost: '10.5' }],
    })
  })

  test('reports faults of the input', async () => {
    vi.mocked(estimateDuties).mockResolvedValueOnce(faultAt('contentItems', 1, 'cost'))
    const { data } = await ask(QUERY)
    expect(data).toMatchObject({
      dutiesEstimate: {
        __typename: 'InputProblem',
        fields: [{ path: ['contentItems', '1', 'value', 'amount'] }],
      },
    })
  })

  test('returns the candidates of `classify`, five by default', async () => {
    const found = { kind: 'HsCandidates', candidates: [CANDIDATE], questions: async () => [] } as const
    vi.mocked(classifyGoods).mockResolvedValueOnce(found).mockResolvedValueOnce(found)
    const { data } = await ask(
      '{ classify(description: "t-shirt") { ... on HsCandidates { candidates { hsCode description confidence matchedTerms questions } } } }',
    )
    const { code, label, ...rest } = CANDIDATE
    expect(data).toEqual({ classify: { candidates: [{ ...rest, hsCode: code, description: label }] } })
    expect(vi.mocked(classifyGoods).mock.lastCall?.[1]).toEqual({ description: 't-shirt', limit: 5 })
    await ask(
      '{ classify(description: "t-shirt", first: null) { ... on HsCandidates { candidates { hsCode } } } }',
    )
    expect(vi.mocked(classifyGoods).mock.lastCall?.[1]).toEqual({ description: 't-shirt', limit: 5 })
  })

  test('returns an invalid argument of `classify` as InputProblem, with its path', async () => {
    for (const [classify, path] of [
      ['"x", first: 0', 'first'],
      ['"x", first: 21', 'first'],
      ['""', 'description'],
      [`"${'x'.repeat(501)}"`, 'description'],
      [`"x", facts: { brand: "${'x'.repeat(101)}" }`, 'facts.brand'],
      ['"x", facts: { composition: "980% cotton" }', 'facts.composition'],
      [`"x", answers: [{ question: "fibre", value: "" }]`, 'answers.0.value'],
    ] as const) {
      const { data, errors, status } = await ask(
        `{ classify(description: ${classify}) { ... on InputProblem { code fields { path } } } carriers { __typename } }`,
      )
      expect(status).toBe(200)
      expect(errors).toEqual([])
      expect(data).toMatchObject({
        classify: { code: 'INVALID_INPUT', fields: [{ path: path.split('.') }] },
        carriers: expect.arrayContaining([expect.anything()]),
      })
    }
    expect(faults).toEqual([])
  })
})
