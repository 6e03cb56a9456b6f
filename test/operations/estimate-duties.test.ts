import { expect, test } from 'vitest'
import { lexiconClassifier } from '../../src/classifiers/classifiers.ts'
import { classifyGoods } from '../../src/operations/classify-goods.ts'
import { estimateDuties } from '../../src/operations/estimate-duties.ts'
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
