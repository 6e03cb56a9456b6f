import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { classify, evidenceOf } from '../../../src/core/classification/classify.ts'
import { compileLexicon } from '../../../src/core/classification/compile-lexicon.ts'
import type { LexiconEntry } from '../../../src/core/classification/lexicon.ts'
import { readLexicon } from '../../../src/reference/lexicon-reader/lexicon.ts'
import { plainLexicon } from '../../support/customs/plain-lexicon.ts'

const lexicon = compileLexicon(readLexicon())
const best = (description: string): string | undefined => classify(lexicon, description, 5)[0]?.code

/** Everyday words and the subheading that a customs clerk would choose. */
const everyday: readonly (readonly [string, string])[] = [
  ["men's cotton t-shirt", '610910'],
  ['Mens T Shirt, size XL, black', '610910'],
  ['2 x tshirts cotton', '610910'],
  ['polyester running t-shirt', '610990'],
  ['womens jeans', '620462'],
  ["men's denim jeans blue", '620342'],
  ['leggings', '610463'],
  ['wool sweater', '611011'],
  ['cashmere jumper', '611012'],
  ['hoodie', '611020'],
  ['hoodies new with tags', '611020'],
  ['summer dress', '620443'],
  ['linen shirt', '620590'],
  ['silk tie', '621510'],
  ['silk scarf', '621410'],
  ['baby romper', '611120'],
  ['bra', '621210'],
  ['cotton socks (3 pairs)', '611595'],
  ['wetsuit', '611300'],
  ["women's swimsuit", '611241'],
  ['mens leather jacket', '420310'],
  ['leather belt', '420330'],
  ['leather wallet', '420231'],
  ['leather handbag', '420221'],
  ['nylon backpack', '420292'],
  ['suitcase', '420212'],
  ['dog collar', '420100'],
  ['trainers', '640411'],
  ['flip-flops', '640220'],
  ['rubber wellington boots', '640192'],
  ['steel toe boots', '640340'],
  ['baseball cap', '650500'],
  ['bicycle helmet', '650610'],
  ['folding umbrella', '660191'],
  ['synthetic wig', '670411'],
  ['artificial flowers', '670210'],
  ['lipstick', '330410'],
  ['mascara', '330420'],
  ['nail polish', '330430'],
  ['shampoo', '330510'],
  ['toothpaste', '330610'],
  ['eau de parfum', '330300'],
  ['soap bar', '340111'],
  ['wristwatch', '910211'],
  ['silver necklace', '711311'],
  ['gold ring', '711319'],
  ['imitation jewellery', '711719'],
  ['smartphone', '851713'],
  ['laptop', '847130'],
  ['headphones', '851830'],
  ['lithium ion battery', '850760'],
  ['USB cable', '854442'],
  ['electric kettle', '851679'],
  ['hair dryer', '851631'],
  ['vacuum cleaner', '850811'],
  ['LED television', '852872'],
  ['printed book', '490199'],
  ['jigsaw puzzle', '950300'],
  ['playing cards', '950440'],
  ['fishing rod', '950710'],
  ['ballpoint pen', '960810'],
  ['toothbrush', '960321'],
  ['sunglasses', '900410'],
  ['cotton bed sheet', '630231'],
  ['cotton towel', '630260'],
  ['mattress', '940429'],
  ['roasted coffee beans', '090121'],
  ['green tea', '090210'],
  ['olive oil', '150920'],
  ['milk chocolate bar', '180632'],
  ['red wine', '220421'],
  ['dog food', '230910'],
  ['bicycle', '871200'],
  ['acoustic guitar', '920290'],
]

describe('a description in everyday words', () => {
  it.each(everyday)('%s is %s', (description, code) => {
    expect(best(description)).toBe(code)
  })

  it('may be written with hyphens, accents, apostrophes, capitals or in the plural', () => {
    for (const text of ['T-SHIRT', 't shirts', 'tshirt', 'Tee-Shirts', 't‑shirt', 'T-shírt']) {
      expect(best(text), text).toBe('610910')
    }
    expect(best('women’s jeans')).toBe(best('womens jean'))
    expect(best('pajamas')).toBe(best('pyjamas'))
  })

  it('ignores colour, size, number and praise', () => {
    for (const text of [
      'leather belt',
      'NEW hot sale leather belt black 110cm',
      '3 pcs large brown leather belt',
    ]) {
      expect(best(text), text).toBe('420330')
    }
  })

  it('chooses between sibling codes by material and sex', () => {
    expect(best('jacket for women')).toBe('620433')
    expect(best('jacket for men')).toBe('620333')
    expect(best('cardigan, 100% cashmere')).toBe('611012')
    expect(best('wallet made of leather')).toBe('420231')
    expect(best('nylon wallet')).toBe('420232')
  })
})

const small: readonly LexiconEntry[] = [
  {
    code: '420232',
    label: 'Phone cases',
    terms: ['case', 'phone case', 'case for phone'],
    possibleTerms: [],
  },
  { code: '851713', label: 'Phones', terms: ['phone', 'smartphone'], possibleTerms: [] },
  { code: '910211', label: 'Watches', terms: ['watch'], possibleTerms: ['clock'] },
  { code: '910511', label: 'Alarm clocks', terms: ['alarm clock', 'clock'], possibleTerms: [] },
  { code: '911390', label: 'Watch straps', terms: ['strap'], possibleTerms: [] },
  { code: '420310', label: 'Leather jackets', terms: ['leather jacket'], possibleTerms: [] },
  { code: '620333', label: 'Jackets', terms: ['jacket'], possibleTerms: [] },
  { code: '010121', label: 'Twins, first', terms: ['twin'], possibleTerms: [] },
  { code: '010129', label: 'Twins, second', terms: ['twin'], possibleTerms: [] },
]
const tiny = compileLexicon(plainLexicon(small))

describe('the head noun', () => {
  it.each([
    ['phone case', '420232'],
    ['case for phone', '420232'],
    ['watch strap', '911390'],
    ['strap for watch', '911390'],
    ['strap (watch)', '911390'],
    ['watch with leather strap', '910211'],
    ['smartphone with case', '851713'],
    ['case of smartphone', '420232'],
  ])('decides %s', (description, code) => {
    expect(classify(tiny, description, 3)[0]?.code).toBe(code)
  })

  it('of a longer term wins over the shorter term inside it', () => {
    const [first, second] = classify(tiny, 'brown leather jacket', 5)
    expect(first).toMatchObject({
      code: '420310',
      label: 'Leather jackets',
      matchedTerms: ['leather jacket'],
    })
    expect(second?.code).toBe('620333')
    const [longer = 0, shorter = 0] = evidenceOf(tiny, 'brown leather jacket')!.scores
    expect(longer).toBeGreaterThan(2 * shorter)
  })
})

describe('a description that names no goods', () => {
  it.each([
    '',
    '   ',
    '---',
    'asdfgh qwerty',
    'xyz',
    'goods',
    'item',
    'stuff',
    'gift',
    'birthday gift',
    'various items',
    'new',
    'black',
    'XL',
    '12345',
    '3 pcs',
    'accessories',
    'for with of',
    'sample product, no commercial value',
    '漢字',
    '🎁🎁',
  ])('gets no code: %s', (description) => {
    expect(classify(lexicon, description, 5)).toEqual([])
  })
})

describe('the answer', () => {
  it('is best first, within the limit, without duplicate codes', () => {
    const candidates = classify(lexicon, 'leather jacket or belt', 5)
    expect(candidates.length).toBeGreaterThan(1)
    expect(candidates.length).toBeLessThanOrEqual(5)
    expect(new Set(candidates.map(({ code }) => code)).size).toBe(candidates.length)
    expect(classify(lexicon, 'leather jacket or belt', 1)).toEqual(candidates.slice(0, 1))
    expect(classify(lexicon, 'leather jacket or belt', 0)).toEqual([])
  })

  it('sorts equal scores by code', () => {
    const candidates = classify(tiny, 'twin', 5)
    expect(candidates.map(({ code }) => code).slice(0, 2)).toEqual(['010121', '010129'])
    expect(candidates[0]!.confidence).toBeGreaterThanOrEqual(candidates[1]!.confidence)
  })

  it('does not depend on the order of the entries', () => {
    const turned = compileLexicon(plainLexicon([...small].reverse()))
    for (const text of ['phone case', 'twin', 'clock', 'watch strap']) {
      expect(classify(turned, text, 5)).toEqual(classify(tiny, text, 5))
    }
  })

  it('lists a possible term as an alternative after the usual one', () => {
    expect(
      classify(tiny, 'clock', 5)
        .map(({ code }) => code)
        .slice(0, 2),
    ).toEqual(['910511', '910211'])
  })

  it('is more confident if the text begins with the goods', () => {
    const [early] = classify(tiny, 'leather jacket frobnicator gizmotron', 5)
    const [late] = classify(tiny, 'frobnicator gizmotron leather jacket', 5)
    expect(early!.confidence).toBeGreaterThan(late!.confidence)
  })

  it('is deterministic and sorted, with confidences that add up to 1 at most, for any text', () => {
    const words = fc.constantFrom(
      'leather',
      'jacket',
      'for',
      'women',
      'phone',
      'case',
      'of',
      'steel',
      ',',
      '(',
      '.*',
      '\\',
    )
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 500 }),
      fc.array(words).map((list) => list.join(' ')),
    )
    fc.assert(
      fc.property(text, (description) => {
        const candidates = classify(lexicon, description, 5)
        expect(classify(lexicon, description, 5)).toEqual(candidates)
        const confidences = candidates.map(({ confidence }) => confidence)
        expect([...confidences]).toEqual([...confidences].sort((a, b) => b - a))
        expect(confidences.every((confidence) => confidence >= 0 && confidence <= 1)).toBe(true)
        expect(confidences.reduce((sum, confidence) => sum + confidence, 0)).toBeLessThan(1.000001)
      }),
    )
  })
})
