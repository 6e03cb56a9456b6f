/** Goods whose code depends on attributes: rows of a family, default values, and alternative codes. */
import { describe, expect, it } from 'vitest'
import { compileAttributes, groupMentions } from '../../../src/core/classification/attributes.ts'
import { classify } from '../../../src/core/classification/classify.ts'
import { compileLexicon } from '../../../src/core/classification/compile-lexicon.ts'
import {
  codesOfFamily,
  compileFamily,
  compileUsual,
  type FamilyWeights,
  usualCode,
} from '../../../src/core/classification/families.ts'
import type {
  Dimension,
  FamilyNames,
  FamilyRow,
  GoodsFamily,
  LexiconSource,
} from '../../../src/core/classification/lexicon.ts'
import { goodsWords } from '../../../src/core/classification/text/goods-text.ts'
import { plainLexicon } from '../../support/customs/plain-lexicon.ts'

const value = (name: string, parent?: string) => ({
  name,
  words: [name],
  ...(parent !== undefined && { parent }),
})
const dimension = (name: string, question: string, values: Dimension['values']): Dimension => ({
  ...{ name, question, appliesAnywhere: false, ranked: false, values },
})
const MAKE = dimension('make', 'Knitted or woven?', [value('knitted'), value('woven')])
const FIBRE = dimension('fibre', 'Of which fibre?', [
  value('cotton'),
  value('wool'),
  value('cashmere', 'wool'),
  value('silk'),
])
const attributes = compileAttributes([MAKE, FIBRE])

const row = (code: string, values: Record<string, readonly string[]>): FamilyRow => ({
  code,
  values: new Map(Object.entries(values)),
})

/** A name of the family with default values. In `usual`, "value!" is a fixed value. */
function named(usual: Record<string, string>, terms: readonly string[] = []): FamilyNames {
  const values = Object.entries(usual).map(
    ([name, value]) => [name, { value: value.replace('!', ''), fixed: value.endsWith('!') }] as const,
  )
  return { usual: new Map(values), terms, possibleTerms: [] }
}

/** A family without a row for woven silk. */
const TOPS: GoodsFamily = {
  name: 'Tops',
  decides: ['make', 'fibre'],
  rows: [
    row('611011', { make: ['knitted'], fibre: ['wool'] }),
    row('611020', { make: ['knitted'], fibre: ['cotton'] }),
    row('611090', { make: ['knitted'] }),
    row('620190', { make: ['woven'], fibre: ['wool'] }),
    row('620130', { make: ['woven'], fibre: ['cotton'] }),
  ],
  names: [named({ make: 'knitted', fibre: 'cotton' }, ['sweater'])],
}
const compiled = compileFamily(attributes, TOPS, Number)
const codeWhere = (usual: Record<string, string>) =>
  usualCode(compileUsual(attributes, compiled, named(usual)))

describe('the rows of a family', () => {
  it('the first matching row gives the code', () => {
    expect(codeWhere({ make: 'knitted', fibre: 'wool' })).toBe(611011)
    expect(codeWhere({ make: 'knitted', fibre: 'cotton' })).toBe(611020)
    expect(codeWhere({ make: 'woven', fibre: 'cotton' })).toBe(620130)
  })

  it('match any value and none in dimensions that they do not name', () => {
    expect(codeWhere({ make: 'knitted', fibre: 'silk' })).toBe(611090)
    expect(codeWhere({ make: 'knitted' })).toBe(611090)
  })

  it('match the values below a value that they name', () => {
    expect(codeWhere({ make: 'knitted', fibre: 'cashmere' })).toBe(611011)
    expect(codeWhere({ make: 'woven', fibre: 'cashmere' })).toBe(620190)
  })

  it('do not match the parent of a value that they name', () => {
    const rows = [row('611012', { fibre: ['cashmere'] }), row('611011', { fibre: ['wool'] })]
    const family = compileFamily(attributes, { ...TOPS, rows }, Number)
    expect(usualCode(compileUsual(attributes, family, named({ fibre: 'wool' })))).toBe(611011)
    expect(usualCode(compileUsual(attributes, family, named({ fibre: 'cashmere' })))).toBe(611012)
  })

  it('may name several values', () => {
    const rows = [row('500700', { fibre: ['silk', 'wool'] }), row('520800', {})]
    const family = compileFamily(attributes, { ...TOPS, rows }, Number)
    const codes = ['silk', 'cashmere', 'cotton'].map((fibre) =>
      usualCode(compileUsual(attributes, family, named({ fibre }))),
    )
    expect(codes).toEqual([500700, 500700, 520800])
  })
})

describe('a family is refused', () => {
  it('if a dimension is not declared', () => {
    expect(() => compileFamily(attributes, { ...TOPS, decides: ['make', 'colour'] }, Number)).toThrow(
      'family Tops: colour is not a dimension',
    )
  })

  it('if a row has an unknown value', () => {
    const rows = [row('611020', { fibre: ['cotton', 'nettle'] })]
    expect(() => compileFamily(attributes, { ...TOPS, rows }, Number)).toThrow(
      'family Tops: nettle is not a value of fibre',
    )
  })

  it('if a default value is unknown or matches no row', () => {
    expect(() => codeWhere({ make: 'felted' })).toThrow('family Tops: felted is not a value of make')
    expect(() => codeWhere({ make: 'woven', fibre: 'silk' })).toThrow('family Tops: no row fits woven, silk')
    expect(() => codeWhere({})).toThrow('family Tops: no row fits')
  })
})

const WEIGHTS: FamilyWeights = { notMentioned: 0.5, contradicted: 0.1 }

/** The codes for a sweater, as [code, share, dimensions in which it differs], and the words that were used. */
function codesIn(text: string, usual: Record<string, string> = { make: 'knitted', fibre: 'cotton' }) {
  const words = goodsWords(text)
  const headAt = words.findIndex((word) => word.key === 'sweater')
  const { codes, used } = codesOfFamily(
    attributes,
    compileUsual(attributes, compiled, named(usual)),
    groupMentions(attributes, words),
    { at: [headAt], headAt },
    WEIGHTS,
  )
  return {
    codes: codes.map(({ code, share, differsIn }) => [
      code,
      share,
      // The order is not specified.
      differsIn
        .map((number) => attributes.dimensions[number]!.name)
        .sort()
        .join(' '),
    ]),
    used: used.map(({ first }) => words[first]!.text),
  }
}

describe('the codes of goods in a text', () => {
  it('begin with the default code if the text mentions nothing, and list the open dimensions', () => {
    expect(codesIn('blue sweater')).toEqual({
      codes: [
        [611020, 1, 'fibre make'],
        [611011, 0.5, 'fibre'],
        [620130, 0.5, 'make'],
        [620190, 0.25, 'fibre make'],
      ],
      used: [],
    })
  })

  it('begin with the code of the mentions; contradicted codes have a small share', () => {
    expect(codesIn('woven sweater')).toEqual({
      codes: [
        [620130, 1, 'fibre'],
        [620190, 0.5, 'fibre'],
        [611020, 0.1, 'make'],
      ],
      used: ['woven'],
    })
  })

  it('leave nothing open if the text mentions everything', () => {
    expect(codesIn('woven cashmere sweater')).toEqual({
      codes: [
        [620190, 1, ''],
        [611011, 0.1, 'make'],
        [620130, 0.1, 'fibre'],
      ],
      used: ['woven', 'cashmere'],
    })
  })

  it('keep the default value if no row matches the mention', () => {
    const { codes, used } = codesIn('woven silk sweater')
    expect(codes[0]).toEqual([620130, 1, 'fibre'])
    expect(used).toEqual(['woven'])
  })

  it('use the next mention if no row matches the best one', () => {
    expect(codesIn('wool p woven silk sweater')).toMatchObject({
      codes: [
        [620190, 1, ''],
        [611011, 0.1, 'make'],
        [620130, 0.1, 'fibre'],
      ],
      used: ['woven', 'wool'],
    })
  })

  it('keep fixed values whatever the text mentions, and do not ask for them', () => {
    expect(codesIn('woven wool sweater', { make: 'knitted!', fibre: 'cotton' })).toEqual({
      codes: [
        [611011, 1, ''],
        [611020, 0.1, 'fibre'],
      ],
      used: ['wool'],
    })
    expect(codesIn('woven wool sweater', { make: 'woven!', fibre: 'cotton!' })).toEqual({
      codes: [[620130, 1, '']],
      used: [],
    })
  })

  it('use mentions close to the goods, not those of other goods after "with"', () => {
    expect(codesIn('sweater with wool').codes[0]).toEqual([611020, 1, 'fibre make'])
    expect(codesIn('cotton shirt, wool sweater').used).toEqual(['wool'])
  })

  it('contain each code once, with its largest share', () => {
    // 611090 is an alternative for another fibre alone, and for another fibre and make.
    const { codes } = codesIn('sweater', { make: 'knitted' })
    expect(codes.map(([code]) => code)).toEqual([611090, 611011, 611020, 620130, 620190])
    expect(codes.map(([, share]) => share)).toEqual([1, 0.5, 0.5, 0.25, 0.25])
  })
})

const source: LexiconSource = {
  ...plainLexicon([
    { code: '630900', label: 'Worn clothing', terms: ['worn clothing'], possibleTerms: ['sweater'] },
    { code: '611020', label: 'Cotton sweaters', terms: [], possibleTerms: [] },
  ]),
  dimensions: [MAKE, FIBRE],
  families: [TOPS],
  headings: new Map([['6110', 'Jerseys and the like']]),
}
const lexicon = compileLexicon(source)
const found = (text: string) => classify(lexicon, text, 9)
const questions = (text: string, code: string) =>
  found(text).find((candidate) => candidate.code === code)?.questions

describe('the questions of an answer', () => {
  it('name the open dimensions of the first code, and those that would decide for another code', () => {
    const [first] = found('sweater')
    expect(first?.code).toBe('611020')
    expect(first?.questions.toSorted()).toEqual(['Knitted or woven?', 'Of which fibre?'])
    expect(questions('sweater', '620130')).toEqual(['Knitted or woven?'])
    expect(questions('sweater', '611011')).toEqual(['Of which fibre?'])
    expect(questions('sweater', '620190')).toEqual(['Knitted or woven?', 'Of which fibre?'])
  })

  it('become fewer with more mentions', () => {
    expect(found('knitted sweater')[0]).toMatchObject({ code: '611020', questions: ['Of which fibre?'] })
    expect(found('woven sweater')[0]).toMatchObject({ code: '620130', questions: ['Of which fibre?'] })
    expect(found('knitted wool sweater')[0]).toMatchObject({ code: '611011', questions: [] })
  })

  it('are empty for a code of other goods, and if the first code belongs to no family', () => {
    expect(questions('sweater', '630900')).toEqual([])
    expect(found('worn clothing')[0]).toMatchObject({ code: '630900', questions: [] })
  })
})

describe('an answer of a family', () => {
  it('shows the words that were used', () => {
    expect(found('Sweater in blue, of WOOL')[0]).toMatchObject({
      code: '611011',
      matchedTerms: ['sweater wool'],
    })
  })

  it('is more confident with more mentions', () => {
    const [silent] = found('sweater')
    const [wordy] = found('knitted cotton sweater')
    expect(wordy?.code).toBe(silent?.code)
    expect(wordy!.confidence).toBeGreaterThan(silent!.confidence)
  })

  it('has the label of its entry, otherwise of its heading, otherwise its code', () => {
    const labels = new Map(found('sweater').map(({ code, label }) => [code, label]))
    expect(labels.get('611020')).toBe('Cotton sweaters')
    expect(labels.get('611011')).toBe('Jerseys and the like')
    expect(labels.get('620130')).toBe('620130')
  })

  it('has the label of its heading if it is known', () => {
    expect(found('woven sweater').map(({ code, heading }) => [code, heading])).toContainEqual([
      '620130',
      undefined,
    ])
    expect(found('sweater')[0]?.heading).toBe('Jerseys and the like')
  })

  it('is not possible if the lexicon is refused', () => {
    expect(() => compileLexicon({ ...source, dimensions: [MAKE] })).toThrow('fibre is not a dimension')
  })
})
