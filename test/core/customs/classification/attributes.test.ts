/** What a text says of the goods: which words say it, and which saying counts where there are several. */
import { describe, expect, it } from 'vitest'
import {
  type Attributes,
  compileAttributes,
  findMentions,
  groupMentions,
  mentionsOf,
  proximity,
} from '../../../../src/core/customs/classification/attributes.ts'
import { goodsWords } from '../../../../src/core/customs/classification/goods-text.ts'
import type { Dimension, DimensionValue } from '../../../../src/core/customs/classification/lexicon.ts'

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

/** What is observed in a text, as "dimension: value". */
function heard(attributes: Attributes, text: string): string[] {
  return findMentions(attributes, goodsWords(text)).map((each) => {
    const { name, valueNames } = attributes.dimensions[each.dimension]!
    return `${name}: ${valueNames[each.value]}`
  })
}

/** The values that are said of goods at a word of a text, the likeliest first; `name` are the words that name them. */
function allSaidOf(
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
  const at = name.map((each) => words.findIndex((word) => word.text === each))
  const sayings = mentionsOf(attributes, groupMentions(attributes, words), number, { at, headAt })
  return sayings.map((saying) => attributes.dimensions[number]!.valueNames[saying.value])
}

/** The likeliest of them. */
const saidOf = (attributes: Attributes, dimension: string, text: string, head: string): string | undefined =>
  allSaidOf(attributes, dimension, text, head)[0]

describe('dimensions of the same name', () => {
  const merged = compileAttributes([
    dimension('fibre', [value('wool', ['wool']), value('cotton', ['cotton'])]),
    MAKE,
    dimension('fibre', [value('cashmere', ['cashmere'], 'wool'), value('cotton', ['denim', 'cotton'])], {
      question: 'Another question?',
      ranked: true,
    }),
  ])

  it('become one with the values of both, in their order', () => {
    expect(merged.dimensions.map(({ name }) => name)).toEqual(['fibre', 'make'])
    expect(merged.dimensions[0]?.valueNames).toEqual(['wool', 'cotton', 'cashmere'])
    expect(merged.numberOf.get('make')).toBe(1)
  })

  it('say a value by the words of either', () => {
    expect(heard(merged, 'cotton')).toEqual(['fibre: cotton'])
    expect(heard(merged, 'denim')).toEqual(['fibre: cotton', 'make: woven'])
  })

  it('keep the question and the manner of the first', () => {
    expect(merged.dimensions[0]).toMatchObject({ question: 'Which fibre?', ranked: false })
  })

  it('may put a value below one of the other', () => {
    const [wool, cotton, cashmere] = merged.dimensions[0]!.valuesUnder
    expect([...wool!]).toEqual([0, 2])
    expect([...cotton!]).toEqual([1])
    expect([...cashmere!]).toEqual([2])
  })
})

describe('the values of a dimension', () => {
  it('hold for all that is below them, however deep', () => {
    const { dimensions } = compileAttributes([
      dimension('fibre', [
        value('pashmina', ['pashmina'], 'cashmere'),
        value('cashmere', ['cashmere'], 'wool'),
        value('wool', ['wool']),
      ]),
    ])
    expect(dimensions[0]!.valuesUnder.map((below) => [...below].sort())).toEqual([[0], [0, 1], [0, 1, 2]])
  })

  it('must stand below a value that there is in their dimension', () => {
    const orphan = dimension('fibre', [value('wool', ['wool']), value('cashmere', ['cashmere'], 'hair')])
    const astray = dimension('make', [value('crochet', ['crochet'], 'wool')])
    expect(() => compileAttributes([orphan])).toThrow('fibre: cashmere is below hair, which is no value')
    expect(() => compileAttributes([FIBRE, astray])).toThrow('make: crochet is below wool')
  })

  it('that share a word leave it to the one listed first', () => {
    const shared = dimension('fibre', [value('modal', ['soft']), value('silk', ['soft', 'silk'])])
    expect(heard(compileAttributes([shared]), 'soft silk')).toEqual(['fibre: modal', 'fibre: silk'])
  })
})

describe('what a text says', () => {
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

  it('is nothing where no word says anything', () => {
    expect([...heard(attributes, 'fibre blend shirt'), ...heard(attributes, '')]).toEqual([])
  })

  it('is the longest saying of a dimension at a place, wherever it is listed', () => {
    expect(heard(attributes, 'bamboo shirt')).toEqual(['fibre: bamboo', 'material: wood'])
    expect(heard(attributes, 'bamboo fibre shirt')).toEqual(['fibre: artificial', 'material: wood'])
    expect(heard(attributes, 'bamboo fibre blend')).toEqual(['fibre: fine', 'material: wood'])
  })

  it('needs all words of a saying in their order', () => {
    expect(heard(attributes, 'fibre bamboo')).toEqual(['fibre: bamboo', 'material: wood'])
    expect(heard(attributes, 'bamboo soft fibre')).toEqual(['fibre: bamboo', 'material: wood'])
  })

  it('may be of several dimensions by one word', () => {
    expect(heard(attributes, 'denim shirt')).toEqual(['fibre: cotton', 'make: woven'])
  })

  it('is heard whatever the spelling, but not where it only says how goods look', () => {
    const looks = compileAttributes([
      dimension('stuff', [
        value('gold', ['gold']),
        value('leather', ['leather']),
        value('alu', ['aluminum']),
      ]),
    ])
    expect(heard(looks, 'GOLD ring, Aluminium box')).toEqual(['stuff: gold', 'stuff: alu'])
    expect(heard(looks, 'gold colour ring, PU leather')).toEqual([])
  })

  it('has the places of its words and the percentages beside them', () => {
    const text = goodsWords('shirt 60 bamboo fibre 40 cotton 300')
    expect(findMentions(attributes, text)).toMatchObject([
      { first: 2, last: 3, percentBefore: 60, percentAfter: 40 },
      { first: 2, last: 2, percentBefore: 60, percentAfter: undefined },
      { first: 5, last: 5, percentBefore: 40, percentAfter: undefined },
    ])
  })
})

describe('of several sayings', () => {
  const attributes = compileAttributes([FIBRE])
  const fibreOf = (text: string, head: string) => saidOf(attributes, 'fibre', text, head)

  it('none is none and one is that one, however far', () => {
    expect(fibreOf('blue shirt', 'shirt')).toBeUndefined()
    expect(fibreOf('silk p q r s t u v, w y z shirt', 'shirt')).toBe('silk')
  })

  it('the greatest share counts, though another is nearer', () => {
    expect(fibreOf('60% cotton 40% polyester shirt', 'shirt')).toBe('cotton')
    expect(fibreOf('shirt 40% cotton 60% polyester', 'shirt')).toBe('polyester')
    expect(fibreOf('shirt, cotton 30% polyester 70%', 'shirt')).toBe('polyester')
    expect(fibreOf('shirt, 50% silk 50% wool', 'shirt')).toBe('silk')
  })

  it('shares count only where all have one', () => {
    expect(fibreOf('silk 95 shirts p q wool', 'shirts')).toBe('silk')
    expect(fibreOf('wool p q r s silk shirt 100% polyester', 'shirt')).toBe('silk')
  })

  it('a number above 100 is no share', () => {
    expect(fibreOf('120 wool 110 silk shirt', 'shirt')).toBe('silk')
  })

  it('the nearest to the goods counts', () => {
    const text = 'wool sweater blue striped silk scarf'
    expect(fibreOf(text, 'sweater')).toBe('wool')
    expect(fibreOf(text, 'scarf')).toBe('silk')
  })

  it('one before the goods counts rather than one a little nearer after them', () => {
    expect(fibreOf('cotton p q r shirt s t silk', 'shirt')).toBe('cotton')
    expect(fibreOf('cotton p q r shirt silk', 'shirt')).toBe('silk')
  })

  it('one in the phrase of the goods counts rather than a nearer one in another', () => {
    expect(fibreOf('silk, shirt red blue cotton', 'shirt')).toBe('cotton')
    expect(fibreOf('silk shirt red blue cotton', 'shirt')).toBe('silk')
    expect(fibreOf('wool p q shirt, silk', 'shirt')).toBe('wool')
  })

  it('all are kept, the likeliest first', () => {
    const all = (text: string) => allSaidOf(attributes, 'fibre', text, 'shirt')
    expect(all('wool p silk shirt cotton, polyester')).toEqual(['silk', 'cotton', 'wool', 'polyester'])
    expect(all('10% wool 70% silk 20% cotton shirt')).toEqual(['silk', 'cotton', 'wool'])
    expect(all('blue shirt')).toEqual([])
  })
})

describe('a value that is said more than once', () => {
  const attributes = compileAttributes([FIBRE])
  const all = (text: string) => allSaidOf(attributes, 'fibre', text, 'shirt')

  it('is listed once, where it is likeliest', () => {
    expect(all('silk, wool p silk shirt')).toEqual(['silk', 'wool'])
    expect(all('silk p q wool shirt p silk')).toEqual(['wool', 'silk'])
    expect(all('10% silk 30% wool 60% silk shirt')).toEqual(['silk', 'wool'])
  })

  it('keeps the first of two sayings that are equally likely', () => {
    const words = goodsWords('50% silk 50% silk 20% wool shirt')
    const sayings = mentionsOf(attributes, groupMentions(attributes, words), 0, { at: [6], headAt: 6 })
    expect(sayings.map(({ first }) => words[first]!.text)).toEqual(['silk', 'wool'])
    expect(sayings[0]!.first).toBe(1)
  })

  it('comes after an equally likely value that stands before its likeliest saying', () => {
    expect(all('20% silk 50% wool 50% silk shirt')).toEqual(['wool', 'silk'])
  })
})

describe('a word of the name itself', () => {
  const attributes = compileAttributes([
    dimension('make', [value('knitted', ['knitted', 'cable knit']), value('woven', ['denim', 'woven'])]),
  ])
  const makes = (text: string, head: string, name: readonly string[]) =>
    allSaidOf(attributes, 'make', text, head, name)

  it('says nothing of the goods', () => {
    expect(makes('denim jacket', 'jacket', ['jacket'])).toEqual(['woven'])
    expect(makes('denim jacket', 'jacket', ['denim', 'jacket'])).toEqual([])
    expect(makes('knitted denim jacket', 'jacket', ['denim', 'jacket'])).toEqual(['knitted'])
  })

  it('still says it together with words that are not', () => {
    expect(makes('cable knit', 'cable', ['cable'])).toEqual(['knitted'])
    expect(makes('cable knit', 'knit', ['cable', 'knit'])).toEqual([])
  })
})

describe('a ranked dimension', () => {
  const JEWELS = ['silver', 'steel', 'pearl'].map((name) => value(name, [name]))
  const ranked = compileAttributes([dimension('stuff', JEWELS, { ranked: true })])

  it('takes the value that is listed first, wherever it stands', () => {
    const text = 'pearl ring, steel, silver'
    const nearest = compileAttributes([dimension('stuff', JEWELS)])
    expect(saidOf(nearest, 'stuff', text, 'ring')).toBe('pearl')
    expect(allSaidOf(ranked, 'stuff', text, 'ring')).toEqual(['silver', 'steel', 'pearl'])
  })

  it('goes by the shares where they are given', () => {
    expect(saidOf(ranked, 'stuff', 'ring 10% silver 90% steel', 'ring')).toBe('steel')
  })
})

describe('a saying after "for" or "with"', () => {
  const own = compileAttributes([FIBRE])
  const anywhere = compileAttributes([dimension('fibre', FIBRES, { appliesAnywhere: true })])

  it.each([
    'shampoo for wool',
    'case with silk',
    'bag without cotton',
  ])('is not of the goods, unless the dimension is heard anywhere: %s', (text) => {
    const [head = ''] = text.split(' ')
    expect(saidOf(own, 'fibre', text, head)).toBeUndefined()
    expect(saidOf(anywhere, 'fibre', text, head)).toBeDefined()
  })

  it('gives way to one that is of the goods, though the shares or places are for it', () => {
    expect(saidOf(own, 'fibre', 'silk p q r case with wool', 'case')).toBe('silk')
    expect(saidOf(own, 'fibre', '10% silk case with 90% wool', 'case')).toBe('silk')
    expect(saidOf(anywhere, 'fibre', '10% silk case with 90% wool', 'case')).toBe('wool')
  })

  it('is told from one after "of" or "in", or after those the goods are for', () => {
    for (const text of ['shirt of silk', 'shirt in silk', 'shirt for women silk'])
      expect(saidOf(own, 'fibre', text, 'shirt'), text).toBe('silk')
  })
})

describe('nearness', () => {
  const attributes = compileAttributes([FIBRE])
  const near = (text: string, headAt: number): number => {
    const words = goodsWords(text)
    return proximity(findMentions(attributes, words)[0]!, groupMentions(attributes, words).phraseEnds, headAt)
  }

  it('is full beside or at the goods and falls with the words between', () => {
    expect(near('silk', 0)).toBe(1)
    const byDistance = [near('silk shirt', 1), near('silk p shirt', 2), near('silk p q shirt', 3)]
    expect(byDistance).toEqual([...byDistance].sort((a, b) => b - a))
    expect(new Set([...byDistance, 1]).size).toBe(4)
  })

  it('halves across a phrase end, once, and takes the say of the words', () => {
    expect(near('silk, shirt', 1)).toBeCloseTo(near('silk shirt', 1) / 2)
    expect(near('silk, p; shirt', 2)).toBeCloseTo(near('silk p shirt', 2) / 2)
    expect(near('shirt in silk', 0)).toBeCloseTo(near('shirt, silk', 0) / 2)
  })
})
