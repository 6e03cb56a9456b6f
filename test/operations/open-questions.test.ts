/** Questions about items of estimates, and what their answers cost. */
import { expect, test, vi } from 'vitest'
import { compiledClassifier } from '../../src/classifiers/classifiers.ts'
import { type DatedEstimate, estimateDuties } from '../../src/operations/estimate-duties.ts'
import { openQuestions } from '../../src/operations/open-questions.ts'
import type { ReferenceData } from '../../src/operations/ports/ports.ts'
import { loadLexicon } from '../../src/reference/lexicon-reader/lexicon.ts'
import { shippedTables } from '../support/customs/shipped-tables.ts'

const tables = shippedTables()
const reference: ReferenceData = {
  customsTables: () => tables,
  rateBook: () => {
    throw new Error('an estimate needs no rate book')
  },
}
const ports = {
  reference,
  classifier: compiledClassifier(loadLexicon()),
  clock: () => new Date('2026-11-21T00:00:00Z'),
}

async function estimateOf(item: object): Promise<DatedEstimate> {
  const estimate = await estimateDuties(
    ports,
    { countAverages: true },
    {
      ...{ from: { country: 'US' }, to: { country: 'NL' } },
      contentItems: [
        { description: 'cotton t-shirt', numberOfItems: 1, cost: 10 },
        { description: 'goods', numberOfItems: 3, cost: 80, ...item },
      ],
    },
  )
  if (estimate.kind !== 'DutiesEstimate') throw new Error(estimate.message)
  return estimate
}

const spies = () => ({ asking: vi.fn(), estimating: vi.fn() })

test('an option has the difference to the estimate with its code', async () => {
  const estimate = await estimateOf({ description: 'women’s boots' })
  const before = spies()
  const questions = await openQuestions(ports, estimate, 1, before)
  const options = questions.flatMap((question) => question.options)
  expect(options.length).toBeGreaterThan(3)
  expect(new Set(options.map(({ differenceCents }) => differenceCents)).size).toBeGreaterThan(1)
  for (const { code, differenceCents } of options) {
    const other = await estimateOf({ description: 'boots', tariff: code })
    expect(differenceCents, code).toBe(other.estimateCents - estimate.estimateCents)
  }
  // One estimate for each code other than that of the item, however many options lead to it.
  const others = new Set(options.map(({ code }) => code))
  others.delete(estimate.items[1]?.classification?.code ?? '')
  expect(before.estimating).toHaveBeenCalledTimes(others.size)
  expect(before.asking).toHaveBeenCalledOnce()
})

test('the question that decides the most money comes first', async () => {
  for (const description of ['women’s boots', 'dress', 'handbag', 'boots', 'sweater']) {
    const questions = await openQuestions(ports, await estimateOf({ description }), 1, spies())
    const decided = questions.map(({ options }) => {
      const cents = options.map(({ differenceCents }) => differenceCents ?? 0)
      return Math.max(...cents) - Math.min(...cents)
    })
    expect(decided, description).toEqual(decided.toSorted((a, b) => b - a))
  }
})

test('an answer removes the question, and the estimate changes by its difference', async () => {
  const item = { description: 'women’s boots' }
  const estimate = await estimateOf(item)
  const [question] = await openQuestions(ports, estimate, 1, spies())
  for (const { value, differenceCents } of question!.options) {
    const answered = await estimateOf({ ...item, answers: [{ question: question!.id, value }] })
    expect(answered.estimateCents - estimate.estimateCents, value).toBe(differenceCents)
    const left = await openQuestions(ports, answered, 1, spies())
    expect(left.map(({ id }) => id)).not.toContain(question!.id)
  }
})

test('there is no difference if an amount is not calculated', async () => {
  const estimate = await estimateOf({ description: 'women’s boots' })
  const lines = estimate.taxes.map((line) => ({ ...line, computed: line.kind !== 'DUTY' }))
  const [question] = await openQuestions(ports, { ...estimate, taxes: lines }, 1, spies())
  expect(new Set(question?.options.map(({ differenceCents }) => differenceCents))).toEqual(
    new Set([undefined]),
  )
})

test('what is not calculated on other goods must be the same in both estimates', async () => {
  const estimate = await estimateOf({ description: 'women’s boots' })
  const notCalculated = (tax: DatedEstimate): DatedEstimate['taxes'] =>
    tax.taxes.map((line) => ({
      ...line,
      computed: line.computed && (line.items.includes(1) || line.kind !== 'DUTY'),
    }))
  const one = { ...estimate, taxes: notCalculated(estimate) }
  const missing = one.taxes.filter(({ computed, items }) => !computed && !items.includes(1))
  expect(missing.length).toBeGreaterThan(0)
  const [differing] = await openQuestions(ports, one, 1, spies())
  const known = differing!.options.filter(({ differenceCents }) => differenceCents !== undefined)
  expect(known.map(({ code }) => code)).toEqual(known.map(() => estimate.items[1]?.classification?.code))
  const ifCode: DatedEstimate['ifCode'] = (index, code) => {
    const other = { ...estimate, ...estimate.ifCode(index, code) }
    return { ...other, taxes: notCalculated(other) }
  }
  const [equal] = await openQuestions(ports, { ...one, ifCode }, 1, spies())
  const [whole] = await openQuestions(ports, estimate, 1, spies())
  expect(equal).toEqual(whole)
})

test('there are none about a given code, or if nothing is found', async () => {
  for (const item of [{ description: 'boots', tariff: '640391' }, { description: 'asdfgh' }]) {
    const before = spies()
    expect(await openQuestions(ports, await estimateOf(item), 1, before)).toEqual([])
    expect(before.asking).not.toHaveBeenCalled()
  }
})

test('what is announced and refused is not done', async () => {
  const estimate = await estimateOf({ description: 'women’s boots' })
  const refuse = () => {
    throw new Error('refused')
  }
  const ifCode = vi.fn(estimate.ifCode)
  const asked = openQuestions(ports, { ...estimate, ifCode }, 1, { asking: () => {}, estimating: refuse })
  await expect(asked).rejects.toThrow('refused')
  expect(ifCode).not.toHaveBeenCalled()
})
