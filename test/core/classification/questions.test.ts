/** Questions about goods, and the effect of answers. */
import { describe, expect, it } from 'vitest'
import { interview } from '../../../src/core/classification/classify.ts'
import type { GoodsAnswer } from '../../../src/core/hs-candidate.ts'
import { loadLexicon } from '../../../src/reference/lexicon-reader/lexicon.ts'

const lexicon = loadLexicon()
const ask = (text: string, ...answers: GoodsAnswer[]) => interview(lexicon, { description: text, answers }, 5)
const TEXTS = [
  't-shirt',
  'sweater',
  'leather cap',
  'argan oil shampoo bar',
  'cable',
  'wine',
  'boots',
  'drone',
]

describe('the questions about a description', () => {
  it('have at least two options with different codes', () => {
    for (const text of TEXTS)
      for (const { id, options } of ask(text).questions)
        expect(new Set(options.map(({ code }) => code)).size, `${text}: ${id}`).toBeGreaterThan(1)
  })

  it('begin with the one that decides between the first two candidates', () => {
    for (const text of TEXTS) {
      const { candidates, questions } = ask(text)
      const codes = questions[0]?.options.map(({ code }) => code)
      if (codes !== undefined) expect(codes, text).toEqual(expect.arrayContaining([candidates[0]!.code]))
    }
    const { candidates, questions } = ask('t-shirt')
    expect(questions[0]?.options.map(({ code }) => code)).toEqual(
      expect.arrayContaining(candidates.slice(0, 2).map(({ code }) => code)),
    )
  })

  it('are not about what the description says', () => {
    const ids = (text: string) => ask(text).questions.map(({ id }) => id)
    expect(ids('t-shirt')).toContain('fibre')
    for (const text of ['cotton t-shirt', 't-shirt 98% cotton 2% elastane', 't-shirt 100% viscose'])
      expect(ids(text)).not.toContain('fibre')
    // The name of the goods can say it, too.
    expect(ids('chocolate bar')).not.toContain('chocolate shape')
  })

  it('are none if nothing is found', () => {
    expect(ask('asdfgh')).toEqual({ candidates: [], questions: [], hasConflict: false })
  })
})

describe('an answer', () => {
  it('leads to the code of its option, and is not asked about again', () => {
    for (const text of TEXTS) {
      const [question] = ask(text).questions
      if (question === undefined) continue
      for (const { value, code } of question.options) {
        const after = ask(text, { id: question.id, value })
        expect(after.candidates[0]?.code, `${text}: ${question.id} ${value}`).toBe(code)
        expect(after.questions.map(({ id }) => id)).not.toContain(question.id)
      }
    }
  })

  it('takes precedence over the description', () => {
    expect(ask('cotton t-shirt').candidates[0]?.code).toBe('610910')
    expect(ask('cotton t-shirt', { id: 'fibre', value: 'synthetic' }).candidates[0]?.code).toBe('610990')
  })

  it('is ignored if it does not apply to the goods', () => {
    const plain = ask('t-shirt')
    for (const answer of [
      { id: 'nothing', value: 'cotton' },
      { id: 'fibre', value: 'nothing' },
      { id: 'goods', value: '999999' },
      { id: 'drone weight', value: 'up to 250 g' },
    ])
      expect(ask('t-shirt', answer).candidates, answer.id).toEqual(plain.candidates)
  })
})
