/** Facts about goods: their effect on the code, the confidence and the questions. */
import { describe, expect, it, test } from 'vitest'
import { interview } from '../../../src/core/classification/classify.ts'
import type { GoodsFacts } from '../../../src/core/goods-facts.ts'
import type { GoodsAnswer } from '../../../src/core/hs-candidate.ts'
import { loadLexicon } from '../../../src/reference/lexicon-reader/lexicon.ts'

const lexicon = loadLexicon()
const ask = (description: string, facts?: GoodsFacts, answers?: readonly GoodsAnswer[]) =>
  interview(lexicon, { description, facts, answers }, 5)
const codeOf = (...goods: Parameters<typeof ask>) => ask(...goods).candidates[0]?.code

describe('a fact', () => {
  it.each<readonly [string, string, GoodsFacts, string]>([
    ['decides what the description leaves open', 't-shirt', { material: 'polyester' }, '610990'],
    ['may be in another language', 't-shirt', { material: 'Seide' }, '610990'],
    ['takes precedence over the description', 'women’s boots, suede', { material: 'PU' }, '640291'],
    ['takes precedence over a term', 'wooden spoon', { material: 'plastic' }, '392410'],
    ['is part of the term that it belongs to', 'mat', { use: 'yoga' }, '950691'],
    ['names the wearer', 'boxer shorts cotton', { madeFor: 'women' }, '610821'],
    ['names what the goods fit', 'clear soft cover', { madeFor: 'iPhone 15' }, '392690'],
    ['names the make', 'cotton dress', { construction: 'knitted' }, '610442'],
    ['may be less exact than the description', 'stainless steel bowl', { material: 'metal' }, '732393'],
    ['names the group of goods', 'Puma 38', { category: 'Shoes > Men > Trainers' }, '640399'],
    ['does not replace goods by their group', 'shoe laces', { category: 'Shoes > Men' }, '630790'],
  ])('%s', (_, description, facts, code) => {
    expect(codeOf(description, facts)).toBe(code)
  })

  it('is not asked about', () => {
    const ids = (facts: GoodsFacts) => ask('t-shirt', facts).questions.map(({ id }) => id)
    expect(ids({})).toEqual(expect.arrayContaining(['fibre', 'wearer']))
    expect(ids({ material: 'cotton' })).not.toContain('fibre')
    expect(ids({ composition: '98% cotton 2% elastane' })).not.toContain('fibre')
    expect(ids({ madeFor: 'men' })).not.toContain('wearer')
  })

  it.each([
    ['cut off behind a word of a longer text', `${'brass '.repeat(117)}phone`],
    ['beside a description without words', '!!!'],
  ])('may be %s', (_, description) => {
    for (const material of ['leather wallet', 'phone', 'steel'])
      expect(ask(description, { material, use: 'phone case', category: 'Shoes > Men' })).toBeDefined()
  })

  it('ends the text at any number of words', () => {
    for (let count = 100; count <= 120; count++)
      expect(
        ask('wooden phone case '.repeat(count).split(' ', count).join(' '), { material: 'leather' }),
      ).toBeDefined()
  })

  it('is replaced by an answer', () => {
    const answer = { id: 'fibre', value: 'cotton' }
    expect(codeOf('t-shirt', { material: 'polyester' }, [answer])).toBe('610910')
  })

  it('without a meaning for the goods changes nothing but the confidence', () => {
    const plain = ask('power bank').candidates[0]?.code
    expect(codeOf('power bank', { material: 'xyzzy', use: 'xyzzy', category: 'xyzzy' })).toBe(plain)
  })
})

describe('a composition', () => {
  it.each([
    ['98% cotton 2% elastane', '610910'],
    ['cotton 40%, polyester 60%', '610990'],
    ['2% elastane / 98 % Baumwolle', '610910'],
    ['cotton', '610910'],
  ])('decides by the largest share: %s', (composition, code) => {
    expect(codeOf('t-shirt', { composition })).toBe(code)
  })

  test('adds up the shares of man-made fibres', () => {
    expect(codeOf('sweater', { composition: '40% cotton 30% polyester 30% viscose' })).toBe('611030')
    expect(codeOf('sweater', { composition: '55% cotton 25% polyester 20% viscose' })).toBe('611020')
  })

  test('begins with the outside, and a lining does not decide', () => {
    const composition = 'Shell: 80% cotton 20% polyester; lining: 100% polyester'
    expect(codeOf('hoodie', { composition })).toBe('611020')
    expect(codeOf('hoodie', { composition: 'polyester 70%, cotton 30%; cotton 100%' })).toBe('611030')
  })

  test('takes precedence over the material', () => {
    expect(codeOf('t-shirt', { material: 'cotton', composition: '60% polyester 40% cotton' })).toBe('610990')
  })
})

describe('a brand', () => {
  it('is left out where the description has all its words', () => {
    const facts = { brand: 'Apple Valley' }
    expect(ask('Apple Valley iPhone case', facts).candidates.map(({ matchedTerms }) => matchedTerms)).toEqual(
      ask('iPhone case', {}).candidates.map(({ matchedTerms }) => matchedTerms),
    )
    expect(codeOf('Dove soap', { brand: 'Dove' })).toBe(codeOf('soap'))
    expect(codeOf('apple tree', facts)).toBe(codeOf('apple tree'))
  })

  it('is read if it is also the name of goods', () => {
    expect(codeOf('LEGO Technic excavator', { brand: 'Lego' })).toBe('950300')
    expect(codeOf('Technic excavator', { brand: 'Lego' })).not.toBe('950300')
  })

  it('is read if nothing else names goods', () => {
    expect(codeOf('Lego 42100', { brand: 'LEGO' })).toBe(codeOf('Lego 42100'))
    expect(codeOf('Lego 42100')).toBeDefined()
  })
})

test('the longest facts are read with bounded work', () => {
  const longest = (length: number) => 'cotton '.repeat(20).slice(0, length)
  const facts = {
    ...{ material: longest(100), composition: longest(200), madeFor: longest(100), category: longest(200) },
    ...{ brand: longest(100), use: longest(100), construction: longest(100) },
  }
  expect(codeOf('cotton t-shirt '.repeat(33).trim(), facts)).toBe('610910')
})
