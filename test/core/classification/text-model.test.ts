/** The text model: its bytes, its training, and how it is combined with the scores of terms. */
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { classify, interview } from '../../../src/core/classification/classify.ts'
import { compileLexicon } from '../../../src/core/classification/compile-lexicon.ts'
import { combine } from '../../../src/core/classification/models/combine.ts'
import {
  BUCKETS,
  encodeTextModel,
  MAX_WEIGHTS,
  openTextModel,
  PROPOSED,
  pointsTo,
  textChances,
  type WeightTable,
  wordBucket,
} from '../../../src/core/classification/models/text-model.ts'
import { loadLexicon } from '../../../src/reference/lexicon-reader/lexicon.ts'
import { readTextModel } from '../../../src/reference/text-model/read-text-model.ts'
import { exponential, isHeldBack, readLabelledTexts, trainTextModel } from '../../../tools/train-words.ts'
import { plainLexicon } from '../../support/customs/plain-lexicon.ts'
import { diceOf } from '../../support/random/seeded-dice.ts'

const entry = (code: string, label: string, ...terms: string[]) => ({ code, label, terms, possibleTerms: [] })
const SOURCE = plainLexicon([
  entry('330499', 'Skin care', 'face cream', 'body lotion'),
  entry('330510', 'Shampoo', 'shampoo'),
  entry('420221', 'Handbags, leather', 'leather handbag'),
  entry('420222', 'Handbags, textile', 'handbag', 'tote bag'),
  entry('660199', 'Umbrellas', 'umbrella'),
])
const TEXTS = [
  { text: 'sunvale aftersun', code: '330499', weight: 1 },
  { text: 'sunvale lotion', code: '330499', weight: 1 },
  { text: 'canvas carrier', code: '420222', weight: 0.4 },
  { text: 'suede carrier', code: '420221', weight: 1 },
  { text: 'brolly', code: '6601', weight: 1 },
]
const trained = trainTextModel(SOURCE, TEXTS)
const lexicon = compileLexicon(SOURCE, undefined, trained.bytes)
const codesOf = (text: string): string[] => classify(lexicon, text, 20).map(({ code }) => code)
const hash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** A table with one weight: of one bucket for one group. */
function tableWith(bucket: number, group: number, weight: number): WeightTable {
  const starts = Uint32Array.from({ length: BUCKETS + 1 }, (_, nth) => (nth > bucket ? 1 : 0))
  return { starts, groups: Uint16Array.of(group), weights: Int8Array.of(weight) }
}

describe('training', () => {
  it('gives the same bytes for the same texts', () => {
    expect(hash(trainTextModel(SOURCE, TEXTS).bytes)).toBe(hash(trained.bytes))
  })

  it('gives the same bytes on every machine and version of Node', () => {
    expect(hash(trained.bytes)).toBe('2acf4a150d86ed0a46b9e1b5be660d88ea39041231a191eddd498c263b08a742')
  })

  it('gives other bytes for other texts', () => {
    expect(hash(trainTextModel(SOURCE, TEXTS.slice(1)).bytes)).not.toBe(hash(trained.bytes))
  })

  it('leaves out texts of headings that the lexicon does not have', () => {
    const more = [...TEXTS, { text: 'locomotive', code: '860110', weight: 1 }]
    expect(trainTextModel(SOURCE, more).texts).toBe(trained.texts)
  })

  it('has an exponential of its own', () => {
    for (const power of [0, -0.001, -0.5, -1, -7.3, -20, -29.9])
      expect(exponential(power) / Math.exp(power)).toBeCloseTo(1, 5)
    expect(exponential(-31)).toBe(0)
  })

  it('reads labelled texts, and reports a malformed line', () => {
    const read = (line: string) => readLabelledTexts('a.tsv', `text\tcode\tweight\n${line}\n`)
    expect(read('mug\t6912\t0.4')).toEqual([{ text: 'mug', code: '6912', weight: 0.4 }])
    for (const line of ['mug\t69\t1', 'mug\t6912', '\t6912\t1', 'mug\t691200\t-1'])
      expect(() => read(line)).toThrow('a.tsv, line 2: expected text, code (4 or 6 digits) and weight')
  })

  it('holds back about a fifth of texts', () => {
    const held = Array.from({ length: 1000 }, (_, nth) => `text ${nth}`).filter(isHeldBack)
    expect(held.length).toBeGreaterThan(170)
    expect(held.length).toBeLessThan(250)
  })
})

describe('the bytes of a model', () => {
  const codes = ['330499', '420222', '660199']
  const bucket = wordBucket('brolli')
  const bytes = encodeTextModel({
    codes,
    headings: tableWith(bucket, 2, 100),
    subheadings: tableWith(bucket, 2, -3),
  })

  it('can be read back, also as a part of a larger buffer', () => {
    const larger = new Uint8Array(bytes.length + 16)
    larger.set(bytes, 5)
    for (const given of [bytes, Buffer.from(bytes), larger.subarray(5, 5 + bytes.length)]) {
      const model = openTextModel(given, codes)
      expect([...model.headings.weights, ...model.subheadings.weights]).toEqual([100, -3])
      expect([...model.firstOf]).toEqual([0, 1, 2, 3])
      expect(pointsTo(model, 'brolli', 2)).toBe(true)
      expect(pointsTo(model, 'brolli', 1)).toBe(false)
    }
  })

  it('are refused if they are damaged', () => {
    for (const damaged of [bytes.subarray(1), bytes.subarray(0, -1), new Uint8Array(3), new Uint8Array(0)])
      expect(() => openTextModel(damaged, codes)).toThrow('the text model is damaged')
  })

  it('may have other codes than the lexicon', () => {
    const model = openTextModel(bytes, ['420222', '640411', '660199'])
    const { proposed, chanceOf } = textChances(model, lexicon.read('brolly'))
    expect(proposed).toEqual([2, 0])
    expect(chanceOf(1)).toBeUndefined()
    expect(pointsTo(model, 'brolli', 1)).toBe(false)
  })
})

describe('probabilities', () => {
  it('of all headings add up to 1, and of the subheadings of a heading', () => {
    const { chanceOf } = textChances(lexicon.textModel!, lexicon.read('suede carrier'))
    const [cream, shampoo, leather, textile, umbrella] = [0, 1, 2, 3, 4].map((code) => chanceOf(code)!)
    const headings = [cream!, shampoo!, leather!, umbrella!].map(({ heading }) => Math.exp(heading))
    expect(headings.reduce((sum, chance) => sum + chance)).toBeCloseTo(1, 9)
    expect(Math.exp(leather!.subheading) + Math.exp(textile!.subheading)).toBeCloseTo(1, 9)
    expect(leather!.subheading).toBeGreaterThan(textile!.subheading)
  })

  it('exist for a text without words', () => {
    expect(textChances(lexicon.textModel!, []).proposed).toHaveLength(5)
  })

  it('are limited to twelve proposed codes for the longest text', () => {
    const shipped = loadLexicon()
    const words = shipped.read('aa bb cc dd ee '.repeat(33))
    expect(textChances(shipped.textModel!, words).proposed).toHaveLength(PROPOSED)
  })
})

describe('the text model in an answer', () => {
  it('proposes codes for words that no term has', () => {
    expect(codesOf('sunvale')[0]).toBe('330499')
    expect(classify(lexicon, 'sunvale aftersun', 1)[0]).toMatchObject({
      ...{ code: '330499', matchedTerms: ['sunvale', 'aftersun'] },
    })
    expect(classify(compileLexicon(SOURCE), 'sunvale', 20)).toEqual([])
  })

  it('proposes nothing for words that it has not seen', () => {
    expect(codesOf('frobnicator')).toEqual([])
    expect(codesOf('')).toEqual([])
  })

  it('gives way to facts, and to what the text says about the goods', () => {
    const ranked = [
      { code: 3, score: 5 },
      { code: 2, score: 4 },
    ]
    const chanceOf = (code: number) => ({ heading: -1, subheading: code === 2 ? -0.1 : -3 })
    const firstOf = (decidedBy: 'facts' | undefined, ...contradicted: readonly number[]) =>
      combine(ranked, { proposed: [], chanceOf }, lexicon.weights, {
        byCode: new Set<number>(),
        contradicted: new Set(contradicted),
        decidedBy,
      })[0]!.code
    expect([firstOf(undefined), firstOf('facts'), firstOf(undefined, 2)]).toEqual([2, 3, 3])
  })

  it('counts less for the codes after the first', () => {
    const ranked = [
      { code: 1, score: 10 },
      { code: 2, score: 6 },
      { code: 3, score: 2 },
    ]
    const chanceOf = (code: number) => ({ heading: code === 3 ? 0 : -2, subheading: 0 })
    const weights = { textModel: { ...lexicon.weights.textModel, heading: 1, alternatives: 0.5 } }
    const terms = { byCode: new Set<number>(), contradicted: new Set<number>(), decidedBy: undefined }
    const scored = combine(ranked, { proposed: [], chanceOf }, weights, terms)
    // By the whole power: 10 / e² = 1.4, 6 / e² = 0.8 and 2. By half of it: 10 / e = 3.7, 6 / e = 2.2 and 2.
    expect(scored.map(({ code }) => code)).toEqual([3, 1, 2])
    expect(scored[0]!.score).toBeCloseTo(3.68)
    expect(scored[1]!.score).toBeCloseTo(3.68)
    expect(scored[2]!.score).toBeCloseTo(2.21)
  })

  it('does not answer on its own if there are facts', () => {
    expect(interview(lexicon, { description: 'sunvale', facts: { use: 'home' } }, 5).candidates).toEqual([])
  })

  it('is the same after other texts', () => {
    const before = classify(lexicon, 'suede carrier', 20)
    codesOf('umbrella shampoo')
    expect(classify(lexicon, 'suede carrier', 20)).toEqual(before)
  })
})

describe('the shipped model', () => {
  const shipped = loadLexicon()
  const model = openTextModel(readTextModel(), shipped.codes)

  it('knows nearly all codes of the lexicon', () => {
    const known = model.subheadingOf.filter((subheading) => subheading !== -1)
    expect(known.length / shipped.codes.length).toBeGreaterThan(0.97)
  })

  it('has a limited number of weights per feature, so that the work for a text is limited', () => {
    for (const { starts } of [model.headings, model.subheadings])
      for (let bucket = 0; bucket < BUCKETS; bucket++)
        if (starts[bucket + 1]! - starts[bucket]! > MAX_WEIGHTS) expect.fail(`bucket ${bucket}`)
  })

  it('decides where the terms are weak, and not where they are strong', () => {
    const terms = { ...shipped, textModel: undefined }
    const firstOf = (lexicon: typeof shipped, text: string) => classify(lexicon, text, 1)[0]?.code
    for (const text of ['lynx leather belt', 'fenty umbrella', "Chef's knife stainless steel 20 cm"])
      expect(firstOf(shipped, text), text).toBe(firstOf(terms, text))
    expect(firstOf(terms, 'always discreet liners')).toBeUndefined()
    expect(firstOf(shipped, 'always discreet liners')).toBe('961900')
  })

  it('rarely names goods in letters at random, with or without a number', () => {
    const dice = diceOf(7)
    const letters = [...'abcdefghijklmnopqrstuvwxyz']
    const words = Array.from({ length: 3_000 }, () =>
      Array.from({ length: dice.int(5, 8) }, () => dice.pick(letters)).join(''),
    )
    const named = (texts: readonly string[]) => texts.filter((text) => classify(shipped, text, 1).length > 0)
    // Unknown words share weights with known ones, so some point to goods by chance.
    expect(named(words).length).toBeLessThan(0.02 * words.length)
    expect(named(words.map((word, nth) => `${word} ${nth}`)).length).toBeLessThan(0.01 * words.length)
  })

  it('names goods by brands that texts were labelled with', () => {
    expect(classify(shipped, 'soltan aftersun', 1)[0]?.code).toBe('330499')
  })
})

describe('a word of terms that names no goods', () => {
  const source = plainLexicon([
    entry('330499', 'Skin care', 'cream'),
    entry('902000', 'Gas masks', 'face mask'),
  ])
  const labelled = ['face', 'face oil', 'face gel', 'face wash']
  const { bytes } = trainTextModel(
    source,
    labelled.map((text) => ({ text, code: '330499', weight: 1 })),
  )
  const texts = ['face', 'face qwerty']

  it.each(texts)('leads to the codes of the text model, not to all goods with the word: %s', (text) => {
    const [first] = classify(compileLexicon(source, undefined, bytes), text, 5)
    expect(first).toMatchObject({ code: '330499', matchedTerms: ['face'] })
  })

  it.each(texts)('leads to no code without a text model: %s', (text) => {
    expect(classify(compileLexicon(source), text, 5)).toEqual([])
  })
})
