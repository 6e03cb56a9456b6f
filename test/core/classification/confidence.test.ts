/** The confidence of answers: properties for any evidence, and what raises the confidence of the first candidate. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { classifierWeights } from '../../../src/core/classification/classifier-weights.ts'
import { classify, evidenceOf } from '../../../src/core/classification/classify.ts'
import { compileLexicon } from '../../../src/core/classification/compile-lexicon.ts'
import {
  confidenceOf,
  type Evidence,
  featuresOf,
  type ModelOpinion,
  textKindOf,
} from '../../../src/core/classification/models/confidence.ts'
import type { CodeHit } from '../../../src/core/classification/phrases.ts'
import { plainLexicon } from '../../support/customs/plain-lexicon.ts'

/** A hit of a term with `words` words. */
function termHit(words: number, { share = 1, possible = false, open = 0 } = {}): CodeHit {
  const code = { code: 0, share, differsIn: Array.from({ length: open }, (_, number) => number) }
  const goods = { code: 0, terms: ['term'], possible, family: undefined }
  const phrase = { goods, term: 'term', words: [0], head: 0, information: 5 }
  const at = Array.from({ length: words }, (_, place) => place)
  return {
    hit: { phrase, at, nameAt: at, score: 3, headWeight: 1, codes: [code], values: [] },
    code,
    score: 3 * share,
  }
}

/** The same bias for all curves, and the same weight for every feature. */
function oneCurve(bias: number, weight: number) {
  const curve = (length: number) => ({ bias, features: Array.from({ length }, () => weight) })
  const opinion = { title: curve(2), parcel: curve(3), chosen: curve(2) }
  return { title: curve(9), parcel: curve(9), opinion }
}

const EVIDENCE: Evidence = {
  scores: [6, 3, 2],
  codes: ['610910', '610990', '620520'],
  coverage: 0.5,
  hit: termHit(1),
  words: 4,
  unknown: 0,
  opinion: undefined,
}

/** The opinion of a text model that agrees with the terms. */
const OPINION: ModelOpinion = { chance: 0.5, rival: 0, byTerms: EVIDENCE }

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
  byTerms: fc.option(
    fc.record({ scores: fc.array(score, { minLength: 1 }), codes: fc.constant(['610910']) }),
    {
      nil: undefined,
    },
  ),
})

/** Random evidence: at most twenty candidates, best first. */
const evidence: fc.Arbitrary<Evidence> = fc
  .array(fc.tuple(code, score), { minLength: 1, maxLength: 20 })
  .chain((candidates) => {
    const ranked = candidates.toSorted(([, one], [, other]) => other - one)
    return fc.record({
      scores: fc.constant(ranked.map(([, score]) => score)),
      codes: fc.constant(ranked.map(([code]) => code)),
      coverage: fc.double({ min: 0, max: 1, noNaN: true }),
      hit: fc.option(hit, { nil: undefined }),
      words: fc.integer({ min: 1, max: 120 }),
      unknown: fc.double({ min: 0, max: 1, noNaN: true }),
      opinion: fc.option(opinion, { nil: undefined }),
    })
  })

describe('the confidences of any answer', () => {
  const weights = fc.constantFrom(
    classifierWeights,
    { confidence: { ...oneCurve(9, 4), sharpness: 0.5 } },
    { confidence: { ...oneCurve(-9, 0), sharpness: 5 } },
  )

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
        const features = featuresOf(found)
        expect(features).toHaveLength(classifierWeights.confidence.title.features.length)
        expect(features.filter((feature) => Number.isNaN(feature) || feature > 1)).toEqual([])
        // The lead of the first candidate can be below 0 if all scores are close to 0.
        expect(features.slice(2).filter((feature) => feature < 0)).toEqual([])
      }),
    )
  })
})

describe('the confidence of further candidates', () => {
  it('follows their scores', () => {
    const flat = { confidence: { ...oneCurve(0, 0), sharpness: 1 } }
    const shared = confidenceOf(flat, { ...EVIDENCE, scores: [9, 3, 2], codes: EVIDENCE.codes })
    expect(shared[0]).toBe(0.5)
    expect(shared[1]).toBeCloseTo(0.3)
    expect(shared[2]).toBeCloseTo(0.2)
    expect(confidenceOf(flat, { ...EVIDENCE, scores: [9, 9, 9] })).toEqual([0.5, 0.25, 0.25])
  })

  it('favours higher scores more with a higher sharpness', () => {
    const sharp = { confidence: { ...oneCurve(0, 0), sharpness: 2 } }
    const shared = confidenceOf(sharp, { ...EVIDENCE, scores: [9, 3, 1] })
    expect(shared[1]).toBeCloseTo(0.45)
    expect(shared[2]).toBeCloseTo(0.05)
  })

  it('does not exist without further candidates', () => {
    expect(confidenceOf(classifierWeights, { ...EVIDENCE, scores: [6] })).toHaveLength(1)
  })
})

describe('the first answer is more confident', () => {
  it('with a larger lead over the second candidate and over other headings', () => {
    expect(first({ scores: [6, 1, 1] })).toBeGreaterThan(first({ scores: [6, 3, 1] }))
    expect(first({ scores: [6, 3, 1] })).toBeGreaterThan(first({ scores: [6, 3, 2.9] }))
    expect(first({ codes: ['610910', '610990', '610990'] })).toBeGreaterThan(
      first({ codes: ['610910', '620520', '620520'] }),
    )
  })

  it('if it covers more of the text, or with a longer term', () => {
    expect(first({ coverage: 0.9 })).toBeGreaterThan(first({ coverage: 0.5 }))
    expect(first({ hit: termHit(3) })).toBeGreaterThan(first({ hit: termHit(1) }))
    expect(first({ hit: termHit(4) })).toBe(first({ hit: termHit(7) }))
  })

  it('with a term than with single words, a possible term or an alternative code', () => {
    const sure = first({ hit: termHit(1) })
    for (const weaker of [undefined, termHit(1, { possible: true }), termHit(1, { share: 0.3 })]) {
      expect(first({ hit: weaker })).toBeLessThan(sure)
    }
  })

  it('if no dimension is open', () => {
    expect(first({ hit: termHit(1) })).toBeGreaterThan(first({ hit: termHit(1, { open: 1 }) }))
  })
})

describe('the text model', () => {
  const TEXTS: Readonly<Record<string, Partial<Evidence>>> = {
    title: { words: 5, unknown: 0 },
    'title with unknown words': { words: 8, unknown: 0.5 },
    parcel: { words: 2 },
  }

  it.each(Object.entries(TEXTS))('raises the confidence with the probability of the code: %s', (_, text) => {
    for (const byTerms of [EVIDENCE, undefined]) {
      const withChance = (chance: number): number =>
        first({ ...text, opinion: { ...OPINION, rival: 0.5, chance, byTerms } })
      expect(withChance(0.9)).toBeGreaterThan(withChance(0.5))
      expect(withChance(0.5)).toBeGreaterThan(withChance(0.01))
    }
  })

  it('lowers the confidence of a title if it finds another heading probable', () => {
    const withRival = (rival: number): number => first({ words: 5, opinion: { ...OPINION, rival } })
    expect(withRival(0.9)).toBeLessThan(withRival(0.4))
    expect(withRival(0.9)).toBeLessThan(first({ words: 5 }))
  })

  it('never lowers it if the lexicon knows all words, a term decides, and the heading is the same', () => {
    const opinion = { ...OPINION, chance: 0.001 }
    expect(first({ words: 5, opinion })).toBe(first({ words: 5 }))
    for (const unsettled of [{ unknown: 0.1 }, { hit: undefined }, { hit: termHit(1, { possible: true }) }]) {
      const text = { words: 8, ...unsettled }
      expect(first({ ...text, opinion })).toBeLessThan(first(text))
    }
  })

  it('does not change the confidence of titles by the candidates that it adds', () => {
    const scores = [6, 5.9, 5.8]
    expect(first({ words: 5, scores, opinion: OPINION })).toBe(first({ words: 5, opinion: OPINION }))
    expect(first({ words: 2, scores, opinion: OPINION })).toBeLessThan(first({ words: 2, opinion: OPINION }))
  })
})

describe('the kind of a text', () => {
  it.each([
    [{ words: 5, unknown: 0 }, 'title'],
    [{ words: 18, unknown: 0.5 }, 'title'],
    [{ words: 2, unknown: 0 }, 'parcel'],
    [{ words: 5, unknown: 0.4 }, 'parcel'],
  ] as const)('with %o is %s', (text, kind) => {
    expect(textKindOf(text)).toBe(kind)
  })

  it('selects the curve', () => {
    const curve = (bias: number) => ({ bias, features: Array.from({ length: 9 }, () => 0) })
    const { opinion } = classifierWeights.confidence
    const weights = { confidence: { title: curve(2), parcel: curve(-2), opinion, sharpness: 1 } }
    expect(confidenceOf(weights, { ...EVIDENCE, words: 5 })[0]).toBeCloseTo(0.881, 3)
    expect(confidenceOf(weights, { ...EVIDENCE, words: 2 })[0]).toBeCloseTo(0.119, 3)
  })
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
    expect(evidenceOf(lexicon, 'umbrella')).toMatchObject({ coverage: 1, words: 1, codes: ['660199'] })
  })
})
