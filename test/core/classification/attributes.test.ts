/** Which attributes a text mentions, and which mention is used if there are several. */
import { describe, expect, it, test } from 'vitest'
import {
  type Attributes,
  compileAttributes,
  findMentions,
  groupMentions,
  mentionsOf,
  proximity,
} from '../../../src/core/classification/attributes.ts'
import type { Dimension, DimensionValue } from '../../../src/core/classification/lexicon.ts'
import { goodsWords } from '../../../src/core/classification/text/goods-text.ts'

const value = (name: string, words: readonly string[], parent?: string): DimensionValue => ({
  name,
  words,
  ...(parent !== undefined && { parent }),
})

const dimension = (
  name: string,
  values: readonly DimensionValue[],
  rest: Partial<Dimension> = {},
): Dimension => ({ name, question: `Which ${name}?`, appliesAnywhere: false, ranked: false, values, ...rest })

const FIBRES = ['cotton', 'wool', 'silk', 'polyester'].map((name) => value(name, [name]))
const FIBRE = dimension('fibre', FIBRES)
const MAKE = dimension('make', [value('knitted', ['knitted', 'jersey']), value('woven', ['woven', 'denim'])])

/** The mentions of a text, as "dimension: value". */
function mentionsIn(attributes: Attributes, text: string): string[] {
  return findMentions(attributes, goodsWords(text)).map((mention) => {
    const { name, valueNames } = attributes.dimensions[mention.dimension]!
    return `${name}: ${valueNames[mention.value]}`
  })
}

/** The values that a text mentions for the goods, best first. `name` has the words that name the goods. */
function allValuesFor(
  attributes: Attributes,
  dimension: string,
  text: string,
  head: string,
  name: readonly string[] = [head],
): (string | undefined)[] {
  const words = goodsWords(text)
  const number = attributes.numberOf.get(dimension)!
  const headAt = words.findIndex((word) => word.text === head)
  expect(headAt, `${head} in ${text}`).not.toBe(-1)
  const at = name.map((text) => words.findIndex((word) => word.text === text))
  const mentions = mentionsOf(attributes, groupMentions(attributes, words), number, { at, headAt })
  return mentions.map((mention) => attributes.dimensions[number]!.valueNames[mention.value])
}

/** The first of `allValuesFor`. */
const valueFor = (
  attributes: Attributes,
  dimension: string,
  text: string,
  head: string,
): string | undefined => allValuesFor(attributes, dimension, text, head)[0]

describe('dimensions with the same name', () => {
  const merged = compileAttributes([
    dimension('fibre', [value('wool', ['wool']), value('cotton', ['cotton'])]),
    MAKE,
    dimension('fibre', [value('cashmere', ['cashmere'], 'wool'), value('cotton', ['denim', 'cotton'])], {
      question: 'Another question?',
      ranked: true,
    }),
  ])

  it('are merged, with the values of both in order', () => {
    expect(merged.dimensions.map(({ name }) => name)).toEqual(['fibre', 'make'])
    expect(merged.dimensions[0]?.valueNames).toEqual(['wool', 'cotton', 'cashmere'])
    expect(merged.numberOf.get('make')).toBe(1)
  })

  it('match the words of both', () => {
    expect(mentionsIn(merged, 'cotton')).toEqual(['fibre: cotton'])
    expect(mentionsIn(merged, 'denim')).toEqual(['fibre: cotton', 'make: woven'])
  })

  it('keep the question and the flags of the first', () => {
    expect(merged.dimensions[0]).toMatchObject({ question: 'Which fibre?', ranked: false })
  })

  it('may have values below values of the other', () => {
    const [wool, cotton, cashmere] = merged.dimensions[0]!.valuesUnder
    expect([...wool!]).toEqual([0, 2])
    expect([...cotton!]).toEqual([1])
    expect([...cashmere!]).toEqual([2])
  })
})

describe('the values of a dimension', () => {
  it('include all values below them at any depth', () => {
    const { dimensions } = compileAttributes([
      dimension('fibre', [
        value('pashmina', ['pashmina'], 'cashmere'),
        value('cashmere', ['cashmere'], 'wool'),
        value('wool', ['wool']),
      ]),
    ])
    expect(dimensions[0]!.valuesUnder.map((below) => [...below].sort())).toEqual([[0], [0, 1], [0, 1, 2]])
  })

  it('must have a parent that exists in their dimension', () => {
    const orphan = dimension('fibre', [value('wool', ['wool']), value('cashmere', ['cashmere'], 'hair')])
    const astray = dimension('make', [value('crochet', ['crochet'], 'wool')])
    expect(() => compileAttributes([orphan])).toThrow('fibre: cashmere is below hair, which is not a value')
    expect(() => compileAttributes([FIBRE, astray])).toThrow('make: crochet is below wool')
  })

  it('that share a word use the one that is listed first', () => {
    const shared = dimension('fibre', [value('modal', ['soft']), value('silk', ['soft', 'silk'])])
    expect(mentionsIn(compileAttributes([shared]), 'soft silk')).toEqual(['fibre: modal', 'fibre: silk'])
  })
})

test('words with other words between them are a mention in their order', () => {
  const attributes = compileAttributes([dimension('wearer', [value('baby', ['kids … size 80'])])])
  expect(mentionsIn(attributes, 'kids rain jacket, size 80 cm')).toEqual(['wearer: baby'])
  expect(mentionsIn(attributes, 'kids size 80')).toEqual(['wearer: baby'])
  for (const text of ['size 80 for kids', 'kids size 90', 'kids jacket 80 size', 'jacket size 80'])
    expect(mentionsIn(attributes, text)).toEqual([])
})

test('a material after "in" counts, also after "for"', () => {
  const attributes = compileAttributes([dimension('material', [value('wood', ['wood'])])])
  const materials = (text: string) =>
    [...groupMentions(attributes, goodsWords(text)).byDimension.values()].flat()
  expect(materials('table for the garden in wood')).toHaveLength(1)
  expect(materials('oil for wood')).toEqual([])
})

describe('the mentions of a text', () => {
  const attributes = compileAttributes([
    dimension('fibre', [
      value('bamboo', ['bamboo']),
      value('artificial', ['bamboo fibre']),
      value('fine', ['bamboo fibre blend']),
      value('cotton', ['cotton', 'denim']),
    ]),
    dimension('material', [value('wood', ['bamboo'])]),
    MAKE,
  ])

  it('are empty if no word matches', () => {
    expect([...mentionsIn(attributes, 'fibre blend shirt'), ...mentionsIn(attributes, '')]).toEqual([])
  })

  it('use the longest phrase of a dimension at a position', () => {
    expect(mentionsIn(attributes, 'bamboo shirt')).toEqual(['fibre: bamboo', 'material: wood'])
    expect(mentionsIn(attributes, 'bamboo fibre shirt')).toEqual(['fibre: artificial', 'material: wood'])
    expect(mentionsIn(attributes, 'bamboo fibre blend')).toEqual(['fibre: fine', 'material: wood'])
  })

  it('need all words of a phrase in order', () => {
    expect(mentionsIn(attributes, 'fibre bamboo')).toEqual(['fibre: bamboo', 'material: wood'])
    expect(mentionsIn(attributes, 'bamboo soft fibre')).toEqual(['fibre: bamboo', 'material: wood'])
  })

  it('may give one word a value in several dimensions', () => {
    expect(mentionsIn(attributes, 'denim shirt')).toEqual(['fibre: cotton', 'make: woven'])
  })

  it('match any spelling, but not words that describe an appearance only', () => {
    const materials = compileAttributes([
      dimension('stuff', [
        value('gold', ['gold']),
        value('leather', ['leather']),
        value('alu', ['aluminum']),
      ]),
    ])
    expect(mentionsIn(materials, 'GOLD ring, Aluminium box')).toEqual(['stuff: gold', 'stuff: alu'])
    expect(mentionsIn(materials, 'gold colour ring, PU leather')).toEqual([])
  })

  it('have the positions of their words and the percentages next to them', () => {
    const text = goodsWords('shirt 60 bamboo fibre 40 cotton 300')
    expect(findMentions(attributes, text)).toMatchObject([
      { first: 2, last: 3, percentBefore: 60, percentAfter: 40 },
      { first: 2, last: 2, percentBefore: 60, percentAfter: undefined },
      { first: 5, last: 5, percentBefore: 40, percentAfter: undefined },
    ])
  })
})

describe('of several mentions of a dimension', () => {
  const attributes = compileAttributes([FIBRE])
  const fibreOf = (text: string, head: string) => valueFor(attributes, 'fibre', text, head)

  it('none gives nothing, and a single one counts at any distance', () => {
    expect(fibreOf('blue shirt', 'shirt')).toBeUndefined()
    expect(fibreOf('silk p q r s t u v, w y z shirt', 'shirt')).toBe('silk')
  })

  it('the one with the largest percentage counts even if another is closer', () => {
    expect(fibreOf('60% cotton 40% polyester shirt', 'shirt')).toBe('cotton')
    expect(fibreOf('shirt 40% cotton 60% polyester', 'shirt')).toBe('polyester')
    expect(fibreOf('shirt, cotton 30% polyester 70%', 'shirt')).toBe('polyester')
    expect(fibreOf('shirt, 50% silk 50% wool', 'shirt')).toBe('silk')
  })

  it('percentages count only if all of them have one', () => {
    expect(fibreOf('silk 95 shirts p q wool', 'shirts')).toBe('silk')
    expect(fibreOf('wool p q r s silk shirt 100% polyester', 'shirt')).toBe('silk')
  })

  it('one with a number above 100 has no percentage', () => {
    expect(fibreOf('120 wool 110 silk shirt', 'shirt')).toBe('silk')
  })

  it('the closest counts', () => {
    const text = 'wool sweater blue striped silk scarf'
    expect(fibreOf(text, 'sweater')).toBe('wool')
    expect(fibreOf(text, 'scarf')).toBe('silk')
  })

  it('one before the goods wins over a slightly closer one after them', () => {
    expect(fibreOf('cotton p q r shirt s t silk', 'shirt')).toBe('cotton')
    expect(fibreOf('cotton p q r shirt silk', 'shirt')).toBe('silk')
  })

  it('one in the same phrase wins over a closer one in another phrase', () => {
    expect(fibreOf('silk, shirt red blue cotton', 'shirt')).toBe('cotton')
    expect(fibreOf('silk shirt red blue cotton', 'shirt')).toBe('silk')
    expect(fibreOf('wool p q shirt, silk', 'shirt')).toBe('wool')
  })

  it('all are returned, best first', () => {
    const all = (text: string) => allValuesFor(attributes, 'fibre', text, 'shirt')
    expect(all('wool p silk shirt cotton, polyester')).toEqual(['silk', 'cotton', 'wool', 'polyester'])
    expect(all('10% wool 70% silk 20% cotton shirt')).toEqual(['silk', 'cotton', 'wool'])
    expect(all('blue shirt')).toEqual([])
  })
})

describe('a value that is mentioned more than once', () => {
  const attributes = compileAttributes([FIBRE])
  const all = (text: string) => allValuesFor(attributes, 'fibre', text, 'shirt')

  it('is returned once, with its best mention', () => {
    expect(all('silk, wool p silk shirt')).toEqual(['silk', 'wool'])
    expect(all('silk p q wool shirt p silk')).toEqual(['wool', 'silk'])
    expect(all('10% silk 30% wool 60% silk shirt')).toEqual(['silk', 'wool'])
  })

  it('keeps the first of two equal mentions', () => {
    const words = goodsWords('50% silk 50% silk 20% wool shirt')
    const mentions = mentionsOf(attributes, groupMentions(attributes, words), 0, { at: [6], headAt: 6 })
    expect(mentions.map(({ first }) => words[first]!.text)).toEqual(['silk', 'wool'])
    expect(mentions[0]!.first).toBe(1)
  })

  it('comes after an equal value that is mentioned before it', () => {
    expect(all('20% silk 50% wool 50% silk shirt')).toEqual(['wool', 'silk'])
  })
})

describe("a word of the goods' own name", () => {
  const attributes = compileAttributes([
    dimension('make', [value('knitted', ['knitted', 'cable knit']), value('woven', ['denim', 'woven'])]),
  ])
  const makes = (text: string, head: string, name: readonly string[]) =>
    allValuesFor(attributes, 'make', text, head, name)

  it('is not a mention', () => {
    expect(makes('denim jacket', 'jacket', ['jacket'])).toEqual(['woven'])
    expect(makes('denim jacket', 'jacket', ['denim', 'jacket'])).toEqual([])
    expect(makes('knitted denim jacket', 'jacket', ['denim', 'jacket'])).toEqual(['knitted'])
  })

  it('is part of a mention together with other words', () => {
    expect(makes('cable knit', 'cable', ['cable'])).toEqual(['knitted'])
    expect(makes('cable knit', 'knit', ['cable', 'knit'])).toEqual([])
  })
})

describe('a possible word', () => {
  const wearers = compileAttributes([
    dimension('wearer', [
      { name: 'men', words: ['men'], possibleWords: ['boys'] },
      { name: 'baby', words: ['newborn'], possibleWords: ['0-3 months'] },
    ]),
  ])

  it.each([
    ['coat 0-3 months', 'baby'],
    ['men coat 0-3 months', 'men'],
    ['boys newborn coat', 'baby'],
    // Of two possible words, the nearer one counts.
    ['boys coat 0-3 months', 'men'],
  ])('gives way to other words: %s', (text, expected) => {
    expect(valueFor(wearers, 'wearer', text, 'coat')).toBe(expected)
  })
})

describe('a ranked dimension', () => {
  const JEWELS = ['silver', 'steel', 'pearl'].map((name) => value(name, [name]))
  const ranked = compileAttributes([dimension('stuff', JEWELS, { ranked: true })])

  it('uses the value that is listed first at any position', () => {
    const text = 'pearl ring, steel, silver'
    const nearest = compileAttributes([dimension('stuff', JEWELS)])
    expect(valueFor(nearest, 'stuff', text, 'ring')).toBe('pearl')
    expect(allValuesFor(ranked, 'stuff', text, 'ring')).toEqual(['silver', 'steel', 'pearl'])
  })

  it('uses percentages if they are given', () => {
    expect(valueFor(ranked, 'stuff', 'ring 10% silver 90% steel', 'ring')).toBe('steel')
  })
})

describe('a mention after "for" or "with"', () => {
  const nearGoods = compileAttributes([FIBRE])
  const anywhere = compileAttributes([dimension('fibre', FIBRES, { appliesAnywhere: true })])

  it.each([
    'shampoo for wool',
    'case with silk',
    'bag without cotton',
  ])('does not apply to the goods, unless the dimension applies anywhere: %s', (text) => {
    const [head = ''] = text.split(' ')
    expect(valueFor(nearGoods, 'fibre', text, head)).toBeUndefined()
    expect(valueFor(anywhere, 'fibre', text, head)).toBeDefined()
  })

  it('loses against a mention that applies to the goods', () => {
    expect(valueFor(nearGoods, 'fibre', 'silk p q r case with wool', 'case')).toBe('silk')
    expect(valueFor(nearGoods, 'fibre', '10% silk case with 90% wool', 'case')).toBe('silk')
    expect(valueFor(anywhere, 'fibre', '10% silk case with 90% wool', 'case')).toBe('wool')
  })

  it('differs from one after "of" or "in", or after a wearer', () => {
    for (const text of ['shirt of silk', 'shirt in silk', 'shirt for women silk'])
      expect(valueFor(nearGoods, 'fibre', text, 'shirt'), text).toBe('silk')
  })
})

describe('nearness', () => {
  const attributes = compileAttributes([FIBRE])
  const near = (text: string, headAt: number): number => {
    const words = goodsWords(text)
    return proximity(findMentions(attributes, words)[0]!, groupMentions(attributes, words).phraseEnds, headAt)
  }

  it('is 1 next to the goods and falls with the distance', () => {
    expect(near('silk', 0)).toBe(1)
    const byDistance = [near('silk shirt', 1), near('silk p shirt', 2), near('silk p q shirt', 3)]
    expect(byDistance).toEqual([...byDistance].sort((a, b) => b - a))
    expect(new Set([...byDistance, 1]).size).toBe(4)
  })

  it('is halved once across the end of a phrase, and multiplied by the weight of the words', () => {
    expect(near('silk, shirt', 1)).toBeCloseTo(near('silk shirt', 1) / 2)
    expect(near('silk, p; shirt', 2)).toBeCloseTo(near('silk p shirt', 2) / 2)
    expect(near('shirt in silk', 0)).toBeCloseTo(near('shirt, silk', 0) / 2)
  })
})
