/** Goods whose code hangs on what is said of them: the rows of a family, what is usual, and the codes beside it. */
import { describe, expect, it } from 'vitest'
import { compileAttributes, groupMentions } from '../../../../src/core/customs/classification/attributes.ts'
import { classify } from '../../../../src/core/customs/classification/classify.ts'
import { compileLexicon } from '../../../../src/core/customs/classification/compile-lexicon.ts'
import {
  codesOfFamily,
  compileFamily,
  compileUsual,
  type FamilyWeights,
  usualCode,
} from '../../../../src/core/customs/classification/families.ts'
import { goodsWords } from '../../../../src/core/customs/classification/goods-text.ts'
import type {
  Dimension,
  FamilyNames,
  FamilyRow,
  GoodsFamily,
  LexiconSource,
} from '../../../../src/core/customs/classification/lexicon.ts'
import { plainLexicon } from '../../../support/customs/plain-lexicon.ts'

const said = (name: string, parent?: string) => ({
  name,
  words: [name],
  ...(parent !== undefined && { parent }),
})
const dimension = (name: string, question: string, values: Dimension['values']): Dimension => ({
  ...{ name, question, appliesAnywhere: false, ranked: false, values },
})
const MAKE = dimension('make', 'Knitted or woven?', [said('knitted'), said('woven')])
const FIBRE = dimension('fibre', 'Of which fibre?', [
  said('cotton'),
  said('wool'),
  said('cashmere', 'wool'),
  said('silk'),
])
const attributes = compileAttributes([MAKE, FIBRE])

const row = (code: string, values: Record<string, readonly string[]>): FamilyRow => ({
  code,
  values: new Map(Object.entries(values)),
})

/** What is usual, as "value", or "value!" where it is fixed. */
function named(usual: Record<string, string>, terms: readonly string[] = []): FamilyNames {
  const values = Object.entries(usual).map(
    ([name, value]) => [name, { value: value.replace('!', ''), fixed: value.endsWith('!') }] as const,
  )
  return { usual: new Map(values), terms, possibleTerms: [] }
}

/** Woven silk has no row of its own. */
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
  it('give the code of the first that fits', () => {
    expect(codeWhere({ make: 'knitted', fibre: 'wool' })).toBe(611011)
    expect(codeWhere({ make: 'knitted', fibre: 'cotton' })).toBe(611020)
    expect(codeWhere({ make: 'woven', fibre: 'cotton' })).toBe(620130)
  })

  it('fit anything, and nothing, in what they do not name', () => {
    expect(codeWhere({ make: 'knitted', fibre: 'silk' })).toBe(611090)
    expect(codeWhere({ make: 'knitted' })).toBe(611090)
  })

  it('for a value fit what is below it', () => {
    expect(codeWhere({ make: 'knitted', fibre: 'cashmere' })).toBe(611011)
    expect(codeWhere({ make: 'woven', fibre: 'cashmere' })).toBe(620190)
  })

  it('for a value do not fit what it is below', () => {
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
  it('for a dimension that is not declared', () => {
    expect(() => compileFamily(attributes, { ...TOPS, decides: ['make', 'colour'] }, Number)).toThrow(
      'family Tops: colour is no dimension',
    )
  })

  it('for a row with an unknown value', () => {
    const rows = [row('611020', { fibre: ['cotton', 'nettle'] })]
    expect(() => compileFamily(attributes, { ...TOPS, rows }, Number)).toThrow(
      'family Tops: nettle is no value of fibre',
    )
  })

  it('for an unknown usual value, and for one that no row fits', () => {
    expect(() => codeWhere({ make: 'felted' })).toThrow('family Tops: felted is no value of make')
    expect(() => codeWhere({ make: 'woven', fibre: 'silk' })).toThrow('family Tops: no row fits woven, silk')
    expect(() => codeWhere({})).toThrow('family Tops: no row fits')
  })
})

const WEIGHTS: FamilyWeights = { notMentioned: 0.5, contradicted: 0.1 }

/** The codes for a sweater in a text, each as [code, share, what it differs in], and the words that were used. */
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
      // In no order that is promised.
      differsIn
        .map((number) => attributes.dimensions[number]!.name)
        .sort()
        .join(' '),
    ]),
    used: used.map(({ first }) => words[first]!.text),
  }
}

describe('the codes of goods in a text', () => {
  it('begin with the usual one where the text is silent, with all that is open', () => {
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

  it('begin with the one that is said; what is said otherwise is far', () => {
    expect(codesIn('woven sweater')).toEqual({
      codes: [
        [620130, 1, 'fibre'],
        [620190, 0.5, 'fibre'],
        [611020, 0.1, 'make'],
      ],
      used: ['woven'],
    })
  })

  it('leave nothing open where all is said', () => {
    expect(codesIn('woven cashmere sweater')).toEqual({
      codes: [
        [620190, 1, ''],
        [611011, 0.1, 'make'],
        [620130, 0.1, 'fibre'],
      ],
      used: ['woven', 'cashmere'],
    })
  })

  it('keep what is usual where no row is for what is said', () => {
    const { codes, used } = codesIn('woven silk sweater')
    expect(codes[0]).toEqual([620130, 1, 'fibre'])
    expect(used).toEqual(['woven'])
  })

  it('take the next saying where no row is for the likeliest', () => {
    expect(codesIn('wool p woven silk sweater')).toMatchObject({
      codes: [
        [620190, 1, ''],
        [611011, 0.1, 'make'],
        [620130, 0.1, 'fibre'],
      ],
      used: ['woven', 'wool'],
    })
  })

  it('keep to what is fixed, whatever is said, and do not ask for it', () => {
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

  it('hear what is said near these goods, not of others after "with"', () => {
    expect(codesIn('sweater with wool').codes[0]).toEqual([611020, 1, 'fibre make'])
    expect(codesIn('cotton shirt, wool sweater').used).toEqual(['wool'])
  })

  it('name each code once, at its nearest', () => {
    // 611090 is near by silence on the fibre alone, and by silence on both.
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
const questions = (text: string, code: string) => found(text).find((each) => each.code === code)?.questions

describe('the questions of an answer', () => {
  it('are of the first what is open, and of another what would decide for it', () => {
    const [first] = found('sweater')
    expect(first?.code).toBe('611020')
    expect(first?.questions.toSorted()).toEqual(['Knitted or woven?', 'Of which fibre?'])
    expect(questions('sweater', '620130')).toEqual(['Knitted or woven?'])
    expect(questions('sweater', '611011')).toEqual(['Of which fibre?'])
    expect(questions('sweater', '620190')).toEqual(['Knitted or woven?', 'Of which fibre?'])
  })

  it('are fewer the more is said', () => {
    expect(found('knitted sweater')[0]).toMatchObject({ code: '611020', questions: ['Of which fibre?'] })
    expect(found('woven sweater')[0]).toMatchObject({ code: '620130', questions: ['Of which fibre?'] })
    expect(found('knitted wool sweater')[0]).toMatchObject({ code: '611011', questions: [] })
  })

  it('are none for a code of other goods, nor where the first is of no family', () => {
    expect(questions('sweater', '630900')).toEqual([])
    expect(found('worn clothing')[0]).toMatchObject({ code: '630900', questions: [] })
  })
})

describe('an answer of a family', () => {
  it('shows the words that were found and used', () => {
    expect(found('Sweater in blue, of WOOL')[0]).toMatchObject({
      code: '611011',
      matchedTerms: ['sweater wool'],
    })
  })

  it('is surer of a code the more of it is said', () => {
    const [silent] = found('sweater')
    const [wordy] = found('knitted cotton sweater')
    expect(wordy?.code).toBe(silent?.code)
    expect(wordy!.confidence).toBeGreaterThan(silent!.confidence)
  })

  it('has the label of its entry, else of its heading, else its code', () => {
    const labels = new Map(found('sweater').map(({ code, label }) => [code, label]))
    expect(labels.get('611020')).toBe('Cotton sweaters')
    expect(labels.get('611011')).toBe('Jerseys and the like')
    expect(labels.get('620130')).toBe('620130')
  })

  it('has the words of its heading where they are known', () => {
    expect(found('woven sweater').map(({ code, heading }) => [code, heading])).toContainEqual([
      '620130',
      undefined,
    ])
    expect(found('sweater')[0]?.heading).toBe('Jerseys and the like')
  })

  it('is not given where a lexicon is refused', () => {
    expect(() => compileLexicon({ ...source, dimensions: [MAKE] })).toThrow('fibre is no dimension')
  })
})
