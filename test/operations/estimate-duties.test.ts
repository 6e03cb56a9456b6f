import { expect, test } from 'vitest'
import { compileLexicon } from '../../src/core/customs/classification/classify.ts'
import { compileCustomsTables } from '../../src/core/customs/tables.ts'
import { classifyGoods } from '../../src/operations/classify-goods.ts'
import { estimateDuties } from '../../src/operations/estimate-duties.ts'
import type { Ports, ReferenceData } from '../../src/operations/ports.ts'
import { readCustomsReference } from '../../src/reference/customs.ts'

const tables = compileCustomsTables(readCustomsReference())
const lexicon = compileLexicon([
  { code: '610910', label: 'cotton T-shirts', terms: ['cotton t-shirt', 't-shirt'], possibleTerms: [] },
])

function portsOn(now: string): Pick<Ports, 'reference' | 'clock'> {
  const reference: ReferenceData = {
    customsTables: () => tables,
    lexicon: () => lexicon,
    rateBook: () => {
      throw new Error('an estimate needs no rate book')
    },
  }
  return { reference, clock: () => new Date(now) }
}

const route = { from: { country: 'CN' }, to: { country: 'NL' } }
const tee = { description: 'Cotton T-shirt', numberOfItems: 5, cost: 10, tariff: '6109.10' }

test('without a date the rules of today apply, in UTC', () => {
  const draft = { ...route, contentItems: [tee] }
  expect(estimateDuties(portsOn('2026-06-30T23:59:59Z'), draft)).toMatchObject({ estimateCents: 1050 })
  expect(estimateDuties(portsOn('2026-07-01T00:00:00Z'), draft)).toMatchObject({ estimateCents: 1413 })
})

test('a date is honoured, whatever the clock says', () => {
  const draft = { ...route, contentItems: [tee], asOf: '2026-06-30T12:00:00Z' }
  expect(estimateDuties(portsOn('2026-11-21T00:00:00Z'), draft)).toMatchObject({ estimateCents: 1050 })
})

test('goods without a code get the one their description points to', () => {
  const { tariff: _given, ...described } = tee
  const answer = estimateDuties(portsOn('2026-11-21T00:00:00Z'), { ...route, contentItems: [described] })
  expect(answer).toMatchObject({
    kind: 'DutiesEstimate',
    hsCode: '610910',
    estimateCents: 1413,
    items: [
      { index: 0, customsValueCents: 5000, classification: { code: '610910', source: 'FROM_DESCRIPTION' } },
    ],
  })
})

test('a faulty request is answered with its faults', () => {
  expect(estimateDuties(portsOn('2026-11-21T00:00:00Z'), { ...route, contentItems: [] })).toMatchObject({
    kind: 'InputProblem',
    code: 'INVALID_INPUT',
    fields: [{ path: ['contentItems'], code: 'REQUIRED' }],
  })
})

test('a description is classified with the lexicon in memory', () => {
  const codes = classifyGoods(portsOn('2026-11-21T00:00:00Z'), 'Cotton T-shirt', 5)
  expect(codes[0]?.code).toBe('610910')
})
