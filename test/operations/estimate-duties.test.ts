import { beforeEach, describe, expect, test, vi } from 'vitest'
import { lexiconClassifier } from '../../src/classifiers/classifiers.ts'
import { classifyGoods } from '../../src/operations/classify-goods.ts'
import { estimateDuties, type FindCodes, findWith } from '../../src/operations/estimate-duties.ts'
import type { Caller, CodesBySku } from '../../src/operations/ports/caller.ts'
import type { Ports, ReferenceData } from '../../src/operations/ports/ports.ts'
import { plainLexicon } from '../support/customs/plain-lexicon.ts'
import { shippedTables } from '../support/customs/shipped-tables.ts'

const tables = shippedTables()
const classifier = lexiconClassifier(
  plainLexicon([
    { code: '610910', label: 'cotton T-shirts', terms: ['cotton t-shirt', 't-shirt'], possibleTerms: [] },
  ]),
)

function portsOn(now: string): Pick<Ports, 'reference' | 'classifier' | 'clock'> {
  const reference: ReferenceData = {
    customsTables: () => tables,
    rateBook: () => {
      throw new Error('an estimate needs no rate book')
    },
  }
  return { reference, classifier, clock: () => new Date(now) }
}

const CALLER = { countAverages: true }

const route = { from: { country: 'CN' }, to: { country: 'NL' } }
const tee = { description: 'Cotton T-shirt', numberOfItems: 5, cost: 10, tariff: '6109.10' }

test('applies the rules of today, in UTC, without a date', async () => {
  const draft = { ...route, contentItems: [tee] }
  expect(await estimateDuties(portsOn('2026-06-30T23:59:59Z'), CALLER, draft)).toMatchObject({
    estimateCents: 1050,
  })
  expect(await estimateDuties(portsOn('2026-07-01T00:00:00Z'), CALLER, draft)).toMatchObject({
    estimateCents: 1413,
  })
})

test('applies the rules of the given date', async () => {
  const draft = { ...route, contentItems: [tee], asOf: '2026-06-30T12:00:00Z' }
  expect(await estimateDuties(portsOn('2026-11-21T00:00:00Z'), CALLER, draft)).toMatchObject({
    estimateCents: 1050,
  })
})

test('uses the code found for the description if an item has none', async () => {
  const { tariff: _given, ...described } = tee
  const answer = await estimateDuties(portsOn('2026-11-21T00:00:00Z'), CALLER, {
    ...route,
    contentItems: [described],
  })
  expect(answer).toMatchObject({
    kind: 'DutiesEstimate',
    hsCode: '610910',
    estimateCents: 1413,
    items: [
      { index: 0, customsValueCents: 5000, classification: { code: '610910', source: 'FROM_DESCRIPTION' } },
    ],
  })
})

test('returns the faults of a faulty request', async () => {
  expect(
    await estimateDuties(portsOn('2026-11-21T00:00:00Z'), CALLER, { ...route, contentItems: [] }),
  ).toMatchObject({
    kind: 'InputProblem',
    code: 'INVALID_INPUT',
    fields: [{ path: ['contentItems'], code: 'REQUIRED' }],
  })
})

test('classifies a description with the lexicon in memory', async () => {
  const draft = { description: 'Cotton T-shirt', limit: 5 }
  expect(await classifyGoods({ classifier }, draft)).toMatchObject({ candidates: [{ code: '610910' }] })
})

describe('a product with an agreed code', () => {
  const item = { description: 'Cotton T-shirt', numberOfItems: 5, cost: 10, sku: 'TS-1' }
  const find = vi.fn<FindCodes>(async (goods) => goods.map(() => []))
  const estimate = (items: readonly object[], agreedCodes?: Caller['agreedCodes']) => {
    const caller = { ...CALLER, ...(agreedCodes !== undefined && { agreedCodes }) }
    return estimateDuties(portsOn('2026-11-21T00:00:00Z'), caller, { ...route, contentItems: items }, find)
  }
  beforeEach(() => void find.mockClear())

  test.each<readonly [string, () => CodesBySku | Promise<CodesBySku>]>([
    ['in memory', () => new Map([['TS-1', '6109909000']])],
    ['that is read first', async () => new Map([['TS-1', '6109909000']])],
  ])('%s is not classified', async (_, agreedCodes) => {
    expect(await estimate([item], agreedCodes)).toMatchObject({
      hsCode: '6109909000',
      items: [{ classification: { code: '6109909000', source: 'AGREED', alternatives: [], questions: [] } }],
    })
    expect(find).not.toHaveBeenCalled()
  })

  test('uses the given code, and other products are classified', async () => {
    const agreedCodes = () => new Map([['TS-1', '610990']])
    const items = [{ ...item, tariff: '640391' }, item, { ...item, sku: 'TS-2' }, { ...item, sku: undefined }]
    expect(await estimate(items, agreedCodes)).toMatchObject({
      items: [
        { classification: { code: '640391', source: 'GIVEN' } },
        { classification: { code: '610990', source: 'AGREED' } },
        { problem: { code: 'UNCLASSIFIABLE' } },
        { problem: { code: 'UNCLASSIFIABLE' } },
      ],
    })
    expect(find.mock.calls.map(([goods]) => goods.length)).toEqual([2])
  })

  test('is looked up only if an item has a number and no code', async () => {
    const agreedCodes = vi.fn(() => new Map<string, string>())
    await estimate(
      [
        { ...item, tariff: '610910' },
        { ...item, sku: undefined },
      ],
      agreedCodes,
    )
    expect(agreedCodes).not.toHaveBeenCalled()
    await estimate([item], agreedCodes)
    expect(agreedCodes).toHaveBeenCalledOnce()
  })

  test('fails if the codes cannot be read', async () => {
    await expect(estimate([item], () => Promise.reject(new Error('unreachable')))).rejects.toThrow(
      'unreachable',
    )
  })
})

test('an operator’s classifier that reads descriptions only is used for all goods', async () => {
  const { classify } = classifier
  const found = await findWith({ classify })([{ description: 'cotton t-shirt', facts: { material: 'silk' } }])
  expect(found[0]?.[0]?.code).toBe('610910')
})

test('goods with facts are found in their order', async () => {
  const goods = [
    { description: 'asdfgh' },
    { description: 'asdfgh', facts: { category: 't-shirt' } },
    { description: 'cotton t-shirt' },
  ]
  const codes = (await findWith(classifier)(goods)).map(([best]) => best?.code)
  expect(codes).toEqual([undefined, '610910', '610910'])
})
