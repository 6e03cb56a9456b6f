/** The confidence of answers: properties for any evidence, and what raises the confidence of the first candidate. */
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { classifierWeights } from '../../../src/core/classification/classifier-weights.ts'
import { classify, evidenceOf } from '../../../src/core/classification/classify.ts'
import { compileLexicon } from '../../../src/core/classification/compile-lexicon.ts'
import {
  confidenceOf,
  type Evidence,
  FEATURES,
  featuresOf,
  isWrittenAsTitle,
  type ModelOpinion,
} from '../../../src/core/classification/models/confidence.ts'
import type { CodeHit } from '../../../src/core/classification/phrases.ts'
import { plainLexicon } from '../../support/customs/plain-lexicon.ts'

/** A hit of a term with `words` words. */
function termHit(words: number, { share = 1, possible = false, open = 0, headWeight = 1 } = {}): CodeHit {
  const code = { code: 0, share, differsIn: Array.from({ length: open }, (_, number) => number) }
  const goods = { code: 0, terms: ['term'], possible, family: undefined }
  const phrase = { goods, term: 'term', words: [0], head: 0, information: 5 }
  const at = Array.from({ length: words }, (_, place) => place)
  return {
    hit: { phrase, at, nameAt: at, score: 3, headWeight, codes: [code], values: [] },
    code,
    score: 3 * share,
  }
}

/** The same weight for every feature. */
function curve(bias: number, weight: number, sharpness: number) {
  const same = { bias, features: FEATURES.map(() => weight) }
  return { confidence: { titles: same, others: same, sharpness } }
}

const { titles, others, sharpness } = classifierWeights.confidence

const EVIDENCE: Evidence = {
  scores: [6, 3, 2],
  codes: ['610910', '610990', '620520'],
  hit: termHit(1),
  words: 4,
  unknownWords: 0,
  isTitle: false,
  opinion: undefined,
}

const OPINION: ModelOpinion = { chance: 0.5, rival: 0.2 }

const first = (changed: Partial<Evidence> = {}): number =>
  confidenceOf(classifierWeights, { ...EVIDENCE, ...changed })[0]!

const code = fc.constantFrom('610910', '610990', '620520', '851713', '851714', '950300', '010121')
const score = fc.double({ min: 1e-6, max: 300, noNaN: true })
const hit = fc
  .record({ words: fc.integer({ min: 1, max: 9 }), share: fc.constantFrom(1, 0.32, 0.02), open: fc.nat(3) })
  .chain(({ words, ...rest }) => fc.boolean().map((possible) => termHit(words, { ...rest, possible })))

const share = fc.double({ min: 0, max: 1, noNaN: true })
const opinion: fc.Arbitrary<ModelOpinion> = fc.record({
  chance: share,
  rival: share,
})

/** Random evidence: at most twenty candidates, best first. */
const evidence: fc.Arbitrary<Evidence> = fc
  .array(fc.tuple(code, score), { minLength: 1, maxLength: 20 })
  .chain((candidates) => {
    const ranked = candidates.toSorted(([, one], [, other]) => other - one)
    return fc.record({
      scores: fc.constant(ranked.map(([, score]) => score)),
      codes: fc.constant(ranked.map(([code]) => code)),
      hit: fc.option(hit, { nil: undefined }),
      words: fc.constant(120),
      unknownWords: fc.nat(120),
      isTitle: fc.boolean(),
      opinion: fc.option(opinion, { nil: undefined }),
    })
  })

describe('the confidences of any answer', () => {
  const weights = fc.constantFrom(classifierWeights, curve(9, 4, 0.5), curve(-9, 0, 5))

  it('are between 0 and 1 and add up to 1 at most', () => {
    fc.assert(
      fc.property(weights, evidence, (fitted, found) => {
        const confidences = confidenceOf(fitted, found)
        expect(confidences).toHaveLength(found.scores.length)
        expect(confidences.filter((confidence) => !(confidence >= 0 && confidence <= 1))).toEqual([])
        expect(confidences.reduce((sum, confidence) => sum + confidence, 0)).toBeLessThan(1 + 1e-9)
      }),
    )
  })

  it('never increase', () => {
    fc.assert(
      fc.property(weights, evidence, (fitted, found) => {
        const confidences = confidenceOf(fitted, found)
        expect(confidences).toEqual(confidences.toSorted((a, b) => b - a))
      }),
    )
  })

  it('come from features within their bounds', () => {
    fc.assert(
      fc.property(evidence, (found) => {
        const features = featuresOf(found, sharpness)
        for (const { features: weightsOfFeatures } of [titles, others])
          expect(features).toHaveLength(weightsOfFeatures.length)
        expect(features.filter((feature) => Number.isNaN(feature) || feature > 1)).toEqual([])
        // The odds of what is improbable are below 0.
        const positive = FEATURES.map((name) => !['share', 'odds', 'rival'].includes(name))
        expect(features.filter((feature, nth) => positive[nth] && feature < 0)).toEqual([])
      }),
    )
  })
})

describe('the confidence of further candidates', () => {
  it('follows their scores', () => {
    const flat = curve(0, 0, 1)
    const shared = confidenceOf(flat, { ...EVIDENCE, scores: [9, 3, 2], codes: EVIDENCE.codes })
    expect(shared[0]).toBe(0.5)
    expect(shared[1]).toBeCloseTo(0.3)
    expect(shared[2]).toBeCloseTo(0.2)
    expect(confidenceOf(flat, { ...EVIDENCE, scores: [9, 9, 9] })).toEqual([0.5, 0.25, 0.25])
  })

  it('favours higher scores more with a higher sharpness', () => {
    const sharp = curve(0, 0, 2)
    const shared = confidenceOf(sharp, { ...EVIDENCE, scores: [9, 3, 1] })
    expect(shared[1]).toBeCloseTo(0.45)
    expect(shared[2]).toBeCloseTo(0.05)
  })

  it('does not exist without further candidates', () => {
    expect(confidenceOf(classifierWeights, { ...EVIDENCE, scores: [6] })).toHaveLength(1)
  })
})

describe('the first answer is more confident', () => {
  it('with a larger lead over the others', () => {
    expect(first({ scores: [6, 1, 1] })).toBeGreaterThan(first({ scores: [6, 3, 1] }))
    expect(first({ scores: [6, 3, 1] })).toBeGreaterThan(first({ scores: [6, 5, 1] }))
  })

  it('with a longer term, of at most four words', () => {
    expect(first({ words: 9, hit: termHit(3) })).toBeGreaterThan(first({ words: 9, hit: termHit(1) }))
    const terms = FEATURES.indexOf('terms')
    expect(featuresOf({ ...EVIDENCE, hit: termHit(4) }, sharpness)[terms]).toBe(1)
    expect(featuresOf({ ...EVIDENCE, hit: termHit(7) }, sharpness)[terms]).toBe(1)
  })

  it('with a term that decides than with a possible term, an alternative code or a head with less weight', () => {
    for (const isTitle of [true, false])
      for (const weaker of [{ possible: true }, { share: 0.3 }, { headWeight: 0.7 }])
        expect(first({ isTitle, hit: termHit(1, weaker) })).toBeLessThan(first({ isTitle, hit: termHit(1) }))
  })

  it('if the goods are named early in the text', () => {
    const hit = termHit(1)
    const late = { ...hit, hit: { ...hit.hit, at: [6], nameAt: [6] } }
    for (const isTitle of [true, false])
      expect(first({ words: 9, isTitle, hit })).toBeGreaterThan(first({ words: 9, isTitle, hit: late }))
  })

  it('in a title, and in a text of few words', () => {
    expect(first({ isTitle: true })).toBeGreaterThan(first())
    for (const isTitle of [true, false])
      expect(featuresOf({ ...EVIDENCE, isTitle, words: 30 }, sharpness)[FEATURES.indexOf('words')]).toBe(1)
  })
})

describe('the text model', () => {
  it('raises the confidence with the probability of the code', () => {
    const withChance = (chance: number): number => first({ opinion: { ...OPINION, chance } })
    expect(withChance(0.9)).toBeGreaterThan(withChance(0.5))
    expect(withChance(0.5)).toBeGreaterThan(withChance(0.01))
  })

  it('lowers the confidence of titles with the probability of another code', () => {
    const withRival = (rival: number): number => first({ isTitle: true, opinion: { ...OPINION, rival } })
    expect(withRival(0.5)).toBeLessThan(withRival(0.2))
    expect(withRival(0.2)).toBeLessThan(withRival(0.01))
  })
})

test.each([
  ['Women\u2019s ankle boots', true],
  ['iPhone case', true],
  ['Hülle für Handy', true],
  ['womens ankle boots', false],
  ['COTTON T-SHIRT', false],
  ['4 x 10', false],
])('"%s" is written as a title: %s', (text, expected) => {
  expect(isWrittenAsTitle(text)).toBe(expected)
})

describe('the evidence of a description', () => {
  const lexicon = compileLexicon(
    plainLexicon([
      { code: '660199', label: 'Umbrellas', terms: ['umbrella', 'beach umbrella'], possibleTerms: [] },
      { code: '640411', label: 'Trainers', terms: ['trainers'], possibleTerms: ['beach shoe'] },
    ]),
  )

  it('determines the confidences', () => {
    for (const text of ['beach umbrella', 'umbrella for trainers', 'beach frobnicator']) {
      const evidenced = evidenceOf(lexicon, text)
      const confidences = evidenced === undefined ? [] : confidenceOf(lexicon.weights, evidenced)
      const answered = classify(lexicon, text, 20).map(({ confidence }) => confidence)
      expect(answered, text).toEqual(confidences)
    }
  })

  it('is undefined without an answer', () => {
    expect(evidenceOf(lexicon, 'asdfgh')).toBeUndefined()
    expect(evidenceOf(lexicon, '')).toBeUndefined()
    expect(evidenceOf(lexicon, 'umbrella')).toMatchObject({ words: 1, codes: ['660199'] })
  })
})
