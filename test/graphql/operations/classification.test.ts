/** HS codes from descriptions: alternatives with their estimates, and second opinions. */
import { beforeEach, describe, expect, test } from 'vitest'
import { lexiconClassifier } from '../../../src/classifiers/classifiers.ts'
import { compileCustoms } from '../../../src/core/customs/compiled-customs.ts'
import type { HsCandidate } from '../../../src/core/hs-candidate.ts'
import type { Classifier } from '../../../src/operations/ports/ports.ts'
import { customsRows, fee, jurisdiction, measure, tax, taxRate } from '../../support/customs/customs-rows.ts'
import { plainLexicon } from '../../support/customs/plain-lexicon.ts'
import { fakePorts } from '../fake-ports.ts'
import { openInstance } from '../instance.ts'

/** Spain is "AA": duty depends on the fibre of a T-shirt; there is a fee and a tax. */
const tables = compileCustoms(
  customsRows({
    jurisdictions: [jurisdiction('AA'), jurisdiction('BB')],
    territories: [
      { dataSet: 'test', country: 'ES', postalFrom: '', postalTo: '', name: 'ES', jurisdiction: 'AA' },
      { dataSet: 'test', country: 'NL', postalFrom: '', postalTo: '', name: 'NL', jurisdiction: 'BB' },
    ],
    hsSuccessors: [
      {
        ...{ dataSet: 'test', endedCode: '610900', endedEdition: 'HS 2017' },
        ...{ code: '610910', edition: 'HS 2022', isMain: true },
      },
    ],
    measures: [measure('610910', 12), measure('610990', 8), measure('910211', 4), measure('851713', 0)],
    taxes: [tax('VAT', { name: 'Value added tax' })],
    taxRates: [taxRate('VAT', 20)],
    fees: [fee('per_consignment', { amount: '10', name: 'Declaration' })],
  }),
)

const lexicon = lexiconClassifier({
  ...plainLexicon([
    { code: '910211', label: 'Wrist-watches', terms: ['watch', 'wrist watch'], possibleTerms: [] },
    { code: '610910', label: 'T-shirts of cotton', terms: [], possibleTerms: [] },
    { code: '610990', label: 'T-shirts of other fibres', terms: [], possibleTerms: [] },
  ]),
  dimensions: [
    {
      ...{ name: 'fibre', question: 'Of which fibre mostly?', appliesAnywhere: false, ranked: false },
      values: ['cotton', 'polyester'].map((name) => ({ name, words: [name] })),
    },
  ],
  families: [
    {
      ...{ name: 'T-shirts', decides: ['fibre'] },
      rows: [
        { code: '610910', values: new Map([['fibre', ['cotton']]]) },
        { code: '610990', values: new Map([['fibre', ['polyester']]]) },
      ],
      names: [
        {
          usual: new Map([['fibre', { value: 'cotton', fixed: false }]]),
          ...{ terms: ['t-shirt'], possibleTerms: [] },
        },
      ],
    },
  ],
  headings: new Map([['6109', 'T-shirts and vests, knitted']]),
  notes: [
    {
      ...{ id: 'knitted', citation: 'Note 1 to chapter 61', summary: 'Chapter 61 is for knitted articles.' },
      ...{ codes: ['61'], words: [] },
    },
  ],
})

const candidate = (code: string, confidence: number): HsCandidate => ({
  ...{ code, label: `Goods of ${code}`, confidence, matchedTerms: ['goods'], questions: [] },
})
/** The candidates for these descriptions. Other descriptions use the lexicon. */
const FIXED: Readonly<Record<string, readonly HsCandidate[]>> = {
  'surely a cotton t-shirt': [
    { ...candidate('610910', 0.9), questions: ['Really of cotton?'] },
    candidate('910211', 0.04),
  ],
  'perhaps a t-shirt': [candidate('610910', 0.4), candidate('910211', 0.2)],
}
const classified: (readonly string[])[] = []
const classifier: Classifier = {
  ...lexicon,
  classify: async (descriptions, limit) => {
    classified.push(descriptions)
    const found = await lexicon.classify(descriptions, limit)
    return descriptions.map((description, index) => FIXED[description] ?? found[index] ?? [])
  },
}
beforeEach(() => void classified.splice(0))

const ports = fakePorts({ reference: { customsTables: () => tables }, classifier })
const { ask, faults } = openInstance({ ports })

type Item = {
  readonly description: string
  readonly hsCode?: string
  readonly facts?: Readonly<Record<string, string>>
  readonly answers?: readonly { readonly question: string; readonly value: string }[]
  readonly value?: { readonly amount: string }
}
type Money = { readonly amount: string }
type Estimate = { readonly total: Money; readonly difference: Money; readonly taxes: readonly unknown[] }
type Found = { readonly hsCode: string; readonly questions: readonly string[]; readonly estimate: Estimate }
type Opinion = { readonly level: string; readonly message: string; readonly alternatives: readonly Found[] }
type Answer = {
  readonly total: Money
  readonly taxes: readonly unknown[]
  readonly items: readonly {
    readonly classification: Record<string, unknown> & {
      readonly alternatives: readonly Found[]
      readonly secondOpinion: Opinion | null
    }
  }[]
}

const TAXES = 'taxes { hsCode kind name amount { amount } base { amount } ratePercent items { index } }'
const ESTIMATE = `total { amount } complete ${TAXES}`
const FOUND = `hsCode description heading confidence matchedTerms questions
  estimate { total { amount currency } difference { amount currency } complete ${TAXES} }`
const OPINION = `secondOpinion { message level confidence alternatives { ${FOUND} } }`
const CLASSIFICATION = `items { classification { hsCode source confidence questions alternatives { ${FOUND} } ${OPINION} } }`

async function estimate(items: readonly Item[], fields = `${ESTIMATE} ${CLASSIFICATION}`): Promise<Answer> {
  const query = `query ($input: DutiesEstimateInput!) { dutiesEstimate(input: $input) {
    ... on DutiesEstimate { ${fields} } ... on InputProblem { message } } }`
  const contentItems = items.map((item) => ({ count: 1, value: { amount: '100' }, ...item }))
  const input = { from: { country: 'NL' }, to: { country: 'ES' }, contentItems }
  const { data, errors } = await ask(query, { input })
  expect(errors).toEqual([])
  return (data as { dutiesEstimate: Answer }).dutiesEstimate
}

const WATCH = { description: 'watch', hsCode: '910211', value: { amount: '60' } }
const cents = ({ amount }: Money): number => Math.round(Number(amount) * 100)

/**
 * Checks that the estimate of each alternative equals an estimate in which the second item has the code of the
 * alternative.
 */
async function expectOutcomes(
  answer: Answer,
  found: readonly Found[],
  items: readonly Item[],
): Promise<void> {
  expect(found.length).toBeGreaterThan(0)
  for (const { hsCode, estimate: other } of found) {
    const given = await estimate(items.with(1, { ...items[1]!, hsCode }), ESTIMATE)
    const { difference, ...rest } = other
    expect(rest, hsCode).toEqual({ ...given, total: { ...given.total, currency: 'EUR' } })
    expect(cents(difference), hsCode).toBe(cents(given.total) - cents(answer.total))
  }
}

describe('a found code', () => {
  test('has questions, and so has each alternative', async () => {
    const { items } = await estimate([{ description: 'T-shirt' }])
    const { alternatives, ...found } = items[0]!.classification
    expect(found).toMatchObject({
      hsCode: '610910',
      source: 'FROM_DESCRIPTION',
      questions: ['Of which fibre mostly?'],
    })
    expect(alternatives).toMatchObject([
      {
        hsCode: '610990',
        description: 'T-shirts of other fibres',
        heading: 'T-shirts and vests, knitted',
        matchedTerms: ['t shirt'],
        questions: ['Of which fibre mostly?'],
      },
    ])
  })

  test('has the note that decides it, and so has each alternative', async () => {
    const NOTE = { becauseOf: 'Note 1 to chapter 61', becauseOfText: 'Chapter 61 is for knitted articles.' }
    const NO_NOTE = { becauseOf: null, becauseOfText: null }
    const fields = 'becauseOf becauseOfText'
    const { items } = await estimate(
      [{ description: 'T-shirt' }, { description: 'watch' }, { description: 'T-shirt', hsCode: '610910' }],
      `items { classification { ${fields} alternatives { ${fields} } } }`,
    )
    expect(items.map(({ classification }) => classification)).toEqual([
      { ...NOTE, alternatives: [NOTE] },
      { ...NO_NOTE, alternatives: [] },
      { ...NO_NOTE, alternatives: [] },
    ])
  })

  test('has no questions if the description answers them', async () => {
    const { items } = await estimate([{ description: 'polyester T-shirt' }])
    expect(items[0]?.classification).toMatchObject({ hsCode: '610990', questions: [] })
  })

  test('has alternatives, each with its estimate', async () => {
    const items = [WATCH, { description: 'T-shirt for the watch' }]
    const answer = await estimate(items)
    const { hsCode, alternatives } = answer.items[1]!.classification
    expect([hsCode, alternatives.map((alternative) => alternative.hsCode)]).toEqual([
      '610910',
      ['610990', '910211'],
    ])
    await expectOutcomes(answer, alternatives, items)
    // 12% of 100, 4% of 60, the fee, and 20% of 174.40. With 8% instead of 12%, it is 4.80 less.
    expect(answer.total.amount).toBe('59.28')
    expect(alternatives[0]?.estimate).toMatchObject({
      total: { amount: '54.48', currency: 'EUR' },
      difference: { amount: '-4.80', currency: 'EUR' },
    })
  })

  test('has no second opinion', async () => {
    const { items } = await estimate([{ description: 'surely a cotton t-shirt' }, { description: 'T-shirt' }])
    expect(items.map(({ classification }) => classification.secondOpinion)).toEqual([null, null])
  })
})

describe('the second opinion on a given code', () => {
  const opinion = async (hsCode: string, description = 'surely a cotton t-shirt') =>
    (await estimate([WATCH, { description, hsCode }])).items[1]!.classification.secondOpinion

  test.each([
    ['is the first candidate', '610910', undefined],
    ['is the first candidate with more digits and dots', '6109.10.0010', undefined],
    ['became the first candidate in a later edition', '610900', undefined],
    ['differs from a candidate of low confidence', '610990', 'perhaps a t-shirt'],
    ['has a description that no term matches', '851713', 'asdfgh'],
  ])('is null if the code %s', async (_, hsCode, description) => {
    expect(await opinion(hsCode, description)).toBeNull()
  })

  test('reports another heading', async () => {
    expect(await opinion('85171300')).toMatchObject({
      level: 'HEADING',
      message:
        'The description matches 610910 (Goods of 610910) better than 85171300; the given code was used.',
      confidence: 0.9,
      alternatives: [
        { hsCode: '610910', questions: ['Really of cotton?'] },
        { hsCode: '910211', questions: [] },
      ],
    })
  })

  test('reports another subheading', async () => {
    expect(await opinion('610990')).toMatchObject({
      level: 'SUBHEADING',
      message:
        'The description matches 610910 (Goods of 610910) better than 610990; the given code was used.',
    })
  })

  test('has alternatives, each with its estimate', async () => {
    const items = [WATCH, { description: 'surely a cotton t-shirt', hsCode: '85171300' }]
    const answer = await estimate(items)
    const { alternatives } = answer.items[1]!.classification.secondOpinion!
    expect(alternatives.map(({ hsCode }) => hsCode)).toEqual(['610910', '910211'])
    await expectOutcomes(answer, alternatives, items)
    // 12% of 100, and 20% of that. The given code is free of duty.
    expect(alternatives[0]?.estimate.difference.amount).toBe('14.40')
  })

  test('does not change the estimate', async () => {
    const items = [WATCH, { description: 'surely a cotton t-shirt', hsCode: '851713' }]
    const plain = [WATCH, { description: 'asdfgh', hsCode: '851713' }]
    const { items: coded, ...figures } = await estimate(items)
    expect(coded[1]?.classification.secondOpinion?.level).toBe('HEADING')
    expect(coded[1]?.classification).toMatchObject({
      ...{ hsCode: '851713', source: 'GIVEN', confidence: null, questions: [], alternatives: [] },
    })
    expect(figures).toEqual(await estimate(plain, ESTIMATE))
    expect(figures).toEqual(await estimate(items, ESTIMATE))
  })
})

describe('classifies descriptions', () => {
  const given = { description: 'surely a cotton t-shirt', hsCode: '851713' }
  const PLAIN = `${ESTIMATE} items { classification { hsCode source confidence questions alternatives { hsCode } } }`

  test('only if a code is missing or an opinion is selected', async () => {
    await estimate([WATCH, given], PLAIN)
    expect(classified).toEqual([])
  })

  test('only for items without a code', async () => {
    await estimate([WATCH, { description: 'T-shirt' }, given], PLAIN)
    expect(classified).toEqual([['T-shirt']])
  })

  test('once each, for any number of items and opinions', async () => {
    await estimate([WATCH, given, given, { description: 'watch' }, { description: 'T-shirt' }])
    expect(classified.flat().toSorted()).toEqual(['T-shirt', 'surely a cotton t-shirt', 'watch'])
  })
})

describe('classify', () => {
  const classify = async (description: string, fields: string): Promise<unknown> => {
    const query = `query ($description: String!) { classify(description: $description) { ... on HsCandidates { candidates { ${fields} } } } }`
    const { data, errors } = await ask(query, { description })
    expect(errors).toEqual([])
    return (data as { classify: { candidates: unknown } }).classify.candidates
  }

  test('returns headings and questions', async () => {
    expect(await classify('T-shirt', 'hsCode description heading questions matchedTerms')).toEqual([
      {
        ...{ hsCode: '610910', description: 'T-shirts of cotton', heading: 'T-shirts and vests, knitted' },
        ...{ questions: ['Of which fibre mostly?'], matchedTerms: ['t shirt'] },
      },
      {
        ...{
          hsCode: '610990',
          description: 'T-shirts of other fibres',
          heading: 'T-shirts and vests, knitted',
        },
        ...{ questions: ['Of which fibre mostly?'], matchedTerms: ['t shirt'] },
      },
    ])
  })

  test('returns the note that decides a code', async () => {
    expect(await classify('cotton T-shirt', 'hsCode becauseOf becauseOfText')).toContainEqual({
      ...{ hsCode: '610910', becauseOf: 'Note 1 to chapter 61' },
      becauseOfText: 'Chapter 61 is for knitted articles.',
    })
    expect(await classify('wrist watch', 'becauseOf becauseOfText')).toEqual([
      { becauseOf: null, becauseOfText: null },
    ])
  })

  test('returns null for an unknown heading, and no questions if nothing is open', async () => {
    expect(await classify('wrist watch', 'hsCode heading questions')).toEqual([
      { hsCode: '910211', heading: null, questions: [] },
    ])
  })
})

describe('the questions of classify', () => {
  const QUERY = `query ($answers: [ClassificationAnswerInput!]) {
    classify(description: "T-shirt", first: 1, answers: $answers) {
      ... on HsCandidates { candidates { hsCode } questions { name text options { value label hsCode } } }
      ... on InputProblem { fields { path } }
    }
  }`
  const questions = async (answers?: readonly { question: string; value: string }[]) => {
    const { data, errors } = await ask(QUERY, { answers })
    expect(errors).toEqual([])
    return (data as { classify: unknown }).classify
  }

  test('have options with their codes, and an answer is sent back', async () => {
    expect(await questions()).toEqual({
      candidates: [{ hsCode: '610910' }],
      questions: [
        {
          ...{ name: 'fibre', text: 'Of which fibre mostly?' },
          options: [
            { value: 'cotton', label: 'cotton', hsCode: '610910' },
            { value: 'polyester', label: 'polyester', hsCode: '610990' },
          ],
        },
      ],
    })
    expect(await questions([{ question: 'fibre', value: 'polyester' }])).toEqual({
      candidates: [{ hsCode: '610990' }],
      questions: [],
    })
  })

  test('take at most 20 answers', async () => {
    const answers = Array.from({ length: 21 }, () => ({ question: 'fibre', value: 'other' }))
    expect(await questions(answers)).toMatchObject({ fields: [{ path: ['answers'] }] })
  })
})

test('no request of this file is logged as a fault', () => {
  expect(faults).toEqual([])
})

describe('facts and answers', () => {
  const OPEN = `total { amount } items { contentItem { facts { composition brand } }
    classification { hsCode openQuestions { name text options { value hsCode difference { amount } } } } }`
  const shirt = { description: 'T-shirt' }

  test('decide the code, like the description', async () => {
    for (const known of [
      { facts: { composition: '70% polyester 30% cotton' } },
      { answers: [{ question: 'fibre', value: 'polyester' }] },
      { facts: { material: 'cotton' }, answers: [{ question: 'fibre', value: 'polyester' }] },
    ]) {
      const { items } = await estimate([{ ...shirt, ...known }], `${OPEN}`)
      expect(items[0]!.classification).toEqual({ hsCode: '610990', openQuestions: [] })
    }
    expect(faults).toEqual([])
  })

  test('are shown with the item', async () => {
    const { items } = await estimate([{ ...shirt, facts: { composition: '100% cotton' } }], `${OPEN}`)
    expect(items[0]).toMatchObject({ contentItem: { facts: { composition: '100% cotton', brand: null } } })
  })

  test('are asked for with what they cost', async () => {
    const { total, items } = await estimate([shirt], `${OPEN}`)
    const other = await estimate([{ ...shirt, hsCode: '610990' }], `${OPEN}`)
    const difference = (cents(other.total) - cents(total)) / 100
    expect(difference).toBeLessThan(0)
    expect(items[0]!.classification['openQuestions']).toEqual([
      {
        ...{ name: 'fibre', text: 'Of which fibre mostly?' },
        options: [
          { value: 'cotton', hsCode: '610910', difference: { amount: '0.00' } },
          { value: 'polyester', hsCode: '610990', difference: { amount: difference.toFixed(2) } },
        ],
      },
    ])
  })

  test('name the field of a fault', async () => {
    const query = `query ($input: DutiesEstimateInput!) { dutiesEstimate(input: $input) {
      ... on InputProblem { fields { path code } } } }`
    const item = { ...{ count: 1, value: { amount: '100' } }, ...shirt, sku: 'x'.repeat(71) }
    const contentItems = [
      { ...item, facts: { use: 'x'.repeat(101) }, answers: [{ question: '', value: 'x' }] },
    ]
    const { data } = await ask(query, {
      input: { from: { country: 'NL' }, to: { country: 'ES' }, contentItems },
    })
    expect(data).toEqual({
      dutiesEstimate: {
        fields: [
          { path: ['contentItems', '0', 'sku'], code: 'TOO_LONG' },
          { path: ['contentItems', '0', 'facts', 'use'], code: 'TOO_LONG' },
          { path: ['contentItems', '0', 'answers', '0', 'question'], code: 'REQUIRED' },
        ],
      },
    })
  })
})
