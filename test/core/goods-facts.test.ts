/** Validation of facts and answers. */
import { describe, expect, it } from 'vitest'
import { FACT_NAMES, MAX_FACT_LENGTHS, readFacts, readGoodsAnswers } from '../../src/core/goods-facts.ts'
import type { ProblemList } from '../../src/core/input.ts'

function reading<Value>(read: (problems: ProblemList) => Value) {
  const problems: ProblemList = []
  const value = read(problems)
  return { value, faults: problems.map(({ path, code }) => [path.join('.'), code]) }
}
const facts = (value: unknown) => reading((problems) => readFacts(problems, ['facts'], value))
const answers = (value: unknown) => reading((problems) => readGoodsAnswers(problems, ['answers'], value))

describe('facts', () => {
  it('are texts up to their maximum length', () => {
    const longest = Object.fromEntries(FACT_NAMES.map((name) => [name, 'x'.repeat(MAX_FACT_LENGTHS[name])]))
    expect(facts(longest)).toEqual({ value: longest, faults: [] })
    for (const name of FACT_NAMES)
      expect(facts({ ...longest, [name]: `${longest[name]}x` }).faults).toEqual([
        [`facts.${name}`, 'TOO_LONG'],
      ])
  })

  it('are undefined if none is given', () => {
    for (const none of [undefined, null, {}, { brand: '' }, { brand: null, use: ' ' }, { colour: 'red' }])
      expect(facts(none)).toEqual({ value: undefined, faults: [] })
  })

  it('are refused with the name of the field', () => {
    expect(facts('cotton').faults).toEqual([['facts', 'WRONG_TYPE']])
    expect(facts({ material: 1, use: 'a\u0000' }).faults).toEqual([
      ['facts.material', 'WRONG_TYPE'],
      ['facts.use', 'MALFORMED'],
    ])
  })

  it('have percentages of at most 100', () => {
    expect(facts({ composition: '100% cotton, lining 100 % polyester' }).faults).toEqual([])
    for (const composition of ['101% cotton', '98% cotton 200 % wool', `${'9'.repeat(190)}%`])
      expect(facts({ composition }).faults).toEqual([['facts.composition', 'OUT_OF_RANGE']])
  })
})

describe('answers', () => {
  it('have a question and a value', () => {
    expect(answers([{ question: 'fibre', value: 'cotton' }])).toEqual({
      value: [{ id: 'fibre', value: 'cotton' }],
      faults: [],
    })
    expect(answers([{ question: 'fibre' }, 7, { question: 'x'.repeat(101), value: 'y' }]).faults).toEqual([
      ['answers.0.value', 'REQUIRED'],
      ['answers.1', 'WRONG_TYPE'],
      ['answers.2.question', 'TOO_LONG'],
    ])
  })

  it('are at most 20', () => {
    const many = (count: number) => Array(count).fill({ question: 'fibre', value: 'cotton' })
    expect(answers(many(20)).faults).toEqual([])
    expect(answers(many(21)).faults).toEqual([['answers', 'TOO_MANY']])
    expect(answers([]).value).toBeUndefined()
  })
})
