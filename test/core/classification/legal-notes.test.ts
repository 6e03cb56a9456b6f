/** Which legal note is given as the reason for a code, and the goods that give a set its code. */
import { describe, expect, it, test } from 'vitest'
import { classify, interview } from '../../../src/core/classification/classify.ts'
import { compileLexicon } from '../../../src/core/classification/compile-lexicon.ts'
import type { LexiconEntry, LexiconSource, NoteRule } from '../../../src/core/classification/lexicon.ts'
import { plainLexicon } from '../../support/customs/plain-lexicon.ts'

const entry = (code: string, ...terms: string[]): LexiconEntry => ({
  ...{ code, label: terms[0]!, terms, possibleTerms: [] },
})
const note = (id: string, codes: readonly string[], ...words: string[]): NoteRule => ({
  ...{ id, citation: `Note ${id}`, summary: `What ${id} says.`, codes, words },
})

const SOURCE: LexiconSource = {
  ...plainLexicon([
    entry('220850', 'gin'),
    entry('701337', 'drinking glass', 'glasses', 'gin glasses'),
    entry('610910', 't-shirt'),
    entry('711719', 'brass ring'),
    entry('950510', 'christmas tree'),
    entry('691200', 'ceramic mug'),
  ]),
  dimensions: [
    {
      ...{ name: 'fibre', question: 'Of which fibre mostly?', appliesAnywhere: false, ranked: false },
      values: ['cotton', 'linen'].map((name) => ({ name, words: [name] })),
    },
  ],
  notes: [
    note('set', [], 'set', 'gift box'),
    note('festive', ['69'], 'christmas', 'santa claus'),
    { ...note('vehicle', ['7117'], 'car'), unless: ['shape', 'toy car'] },
    note('shares', ['61'], '%'),
    note('knitted', ['61']),
    note('jewellery', ['7117']),
  ],
  sets: [{ essential: ['22'], others: ['7013'], note: 'set' }],
}
const lexicon = compileLexicon(SOURCE)

const reason = (description: string): string | undefined =>
  classify(lexicon, description, 5)[0]?.becauseOf?.citation

describe('the reason for a code', () => {
  it('is the first note of the code that applies', () => {
    expect(reason('t-shirt 60% cotton')).toBe('Note shares')
    expect(reason('t-shirt')).toBe('Note knitted')
    // Goods of one fibre are no mixture.
    expect(reason('t-shirt 100% cotton')).toBe('Note knitted')
    // A percentage that is not that of a fibre.
    expect(reason('cotton t-shirt 50% off')).toBe('Note knitted')
  })

  it('has the citation and the summary of the note', () => {
    expect(classify(lexicon, 'brass ring', 1)[0]?.becauseOf).toEqual({
      ...{ citation: 'Note jewellery', summary: 'What jewellery says.' },
    })
  })

  test.each([
    ['ceramic mug', undefined],
    ['Christmas ceramic mug', 'Note festive'],
    ['ceramic mug with Santa Claus', 'Note festive'],
    // All words of a phrase are needed.
    ['ceramic mug Santa', undefined],
    ['christmas tree', undefined],
    ['brass ring for car', 'Note vehicle'],
    ['brass ring in the shape of a car', 'Note jewellery'],
    ['brass ring, toy car', 'Note jewellery'],
  ])('of "%s" is %s', (description, expected) => {
    expect(reason(description)).toBe(expected)
  })

  it('takes the shares of the fact into account', () => {
    const goods = { description: 't-shirt', facts: { composition: '60% cotton 40% linen' } }
    expect(interview(lexicon, goods, 1).candidates[0]?.becauseOf?.citation).toBe('Note shares')
    const pure = { description: 't-shirt', facts: { composition: '100% cotton' } }
    expect(interview(lexicon, pure, 1).candidates[0]?.becauseOf?.citation).toBe('Note knitted')
  })

  it('is given for every candidate', () => {
    const reasons = classify(lexicon, 'brass ring and t-shirt', 5).map(({ code, becauseOf }) => [
      code,
      becauseOf?.citation,
    ])
    expect(reasons).toEqual([
      ['711719', 'Note jewellery'],
      ['610910', 'Note knitted'],
    ])
  })
})

describe('a set', () => {
  const codes = (description: string, source = SOURCE): readonly string[] =>
    classify(compileLexicon(source), description, 5).map(({ code }) => code)

  it('has the code of the goods that give it its character', () => {
    expect(codes('set drinking glass, gin', { ...SOURCE, sets: [] })[0]).toBe('701337')
    expect(codes('set drinking glass, gin')[0]).toBe('220850')
    expect(reason('set drinking glass, gin')).toBe('Note set')
  })

  it('is one only with a word for it', () => {
    expect(codes('drinking glass, gin')[0]).toBe('701337')
    expect(reason('gin, drinking glass')).toBeUndefined()
    expect(reason('gift box gin, drinking glass')).toBe('Note set')
  })

  it('does not have the code of goods that only name others', () => {
    expect(codes('gin glasses gift box')[0]).toBe('701337')
    expect(reason('gin glasses gift box')).toBeUndefined()
    expect(codes('gift box: gin and glasses')[0]).toBe('220850')
    expect(codes('gin gift box with gin glasses')[0]).toBe('220850')
  })

  it('has no other reason if it has nothing else in it', () => {
    expect(reason('gin set')).toBeUndefined()
    expect(codes('set of glasses')[0]).toBe('701337')
  })
})

test('a set with an unknown note is refused', () => {
  expect(() => compileLexicon({ ...SOURCE, notes: [] })).toThrow(
    'a set names the note set, which is not declared',
  )
})
