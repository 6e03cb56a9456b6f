/** Which goods are classified if a text names several goods, or goods and a part of them. */
import { describe, expect, it } from 'vitest'
import { classify } from '../../../src/core/classification/classify.ts'
import { compileLexicon } from '../../../src/core/classification/compile-lexicon.ts'
import type { Accessories, LexiconEntry } from '../../../src/core/classification/lexicon.ts'
import { plainLexicon } from '../../support/customs/plain-lexicon.ts'

const entry = (code: string, ...terms: string[]): LexiconEntry => ({
  code,
  label: terms[0] ?? '',
  terms,
  possibleTerms: [],
})

const ENTRIES = [
  entry('851713', 'phone'),
  entry('420232', 'phone case', 'case'),
  entry('920290', 'acoustic guitar', 'electric guitar', 'ukulele'),
  entry('920992', 'pick', 'plectrum', 'tuning peg'),
  entry('610910', 't-shirt', 'shirt'),
  entry('650500', 'cap'),
  entry('821000', 'salt and pepper mill', 'pepper mill'),
  entry('250100', 'salt'),
  entry('090121', 'filter coffee'),
  entry('482320', 'coffee filter'),
  entry('170490', 'white chocolate bar'),
  entry('180632', 'chocolate bar', 'black and white chocolate bar'),
]

const best = (text: string, accessories: readonly Accessories[] = []): string | undefined =>
  classify(compileLexicon({ ...plainLexicon(ENTRIES), accessories }), text, 5)[0]?.code

describe('in a text with several goods,', () => {
  it.each([
    ['t-shirt and cap', '610910'],
    ['cap and t-shirt', '650500'],
    ['2 t-shirts and a cap', '610910'],
  ])('the first goods decide: %s', (text, code) => {
    expect(best(text)).toBe(code)
  })

  it('goods joined by "and" in one term count as one', () => {
    expect(best('salt and pepper mill')).toBe('821000')
  })

  it('a colour before "and" is not goods of its own', () => {
    expect(best('black and white chocolate bar')).toBe('180632')
  })

  it.each([
    ['coffee filters', '482320'],
    ['filter coffee', '090121'],
  ])('of two terms with the same words, the one in the order of the text decides: %s', (text, code) => {
    expect(best(text)).toBe(code)
  })
})

describe('goods that are only mentioned', () => {
  it.each([
    ['phone with case', '851713'],
    ['case for phone', '420232'],
    ['phone case', '420232'],
  ])('do not decide: %s', (text, code) => {
    expect(best(text)).toBe(code)
  })
})

describe('a thing next to its part', () => {
  const guitars: readonly Accessories[] = [{ parts: ['9209'], things: ['9202'] }]
  const title = 'plectrum pick acoustic guitar ukulele'

  it('scores less', () => {
    expect(best(title)).toBe('920290')
    expect(best(title, guitars)).toBe('920992')
  })

  it('wins if the part only comes with it', () => {
    expect(best('ukulele with pick', guitars)).toBe('920290')
    expect(best('acoustic guitar', guitars)).toBe('920290')
  })
})
