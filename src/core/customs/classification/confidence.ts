/**
 * How sure the first answer is: the share of texts like this one for which it was right. A logistic curve over a few
 * plain signs, fitted on the development set (npm run bench:classify prints how well it holds).
 */
import type { ClassifierWeights } from './classifier-weights.ts'
import type { CodeHit } from './phrases.ts'

/** What the confidence is read from. */
export type Evidence = {
  /** Of all candidates, best first; at least one. */
  readonly scores: readonly number[]
  /** Their codes. */
  readonly codes: readonly string[]
  /** The share of the text's information that the best code's terms cover, 0 to 1. */
  readonly coverage: number
  /** The best term of the best code; undefined where only single words led to it. */
  readonly hit: CodeHit | undefined
  /** How many words the text has. */
  readonly words: number
}

/** The signs, each about 0 to 1. In the order of the weights. */
export function signsOf({ scores, codes, coverage, hit, words }: Evidence): readonly number[] {
  const [first = 0, second = 0] = scores
  const heading = codes[0]?.slice(0, 4)
  const rival = scores.find((_, nth) => codes[nth]?.slice(0, 4) !== heading) ?? 0
  const hasTerm = hit !== undefined
  return [
    Math.min(3, Math.log(first / Math.max(second, 0.01))) / 3,
    Math.min(3, Math.log(first / Math.max(rival, 0.01))) / 3,
    coverage,
    hasTerm && hit.code.share === 1 && !hit.hit.phrase.goods.possible ? 1 : 0,
    Math.min(5, Math.log(1 + first)) / 5,
    hasTerm ? Math.min(4, hit.hit.at.length) / 4 : 0,
    hasTerm && hit.code.differsIn.length > 0 ? 1 : 0,
    Math.min(30, words) / 30,
  ]
}

/** The confidences of the candidates, each 0 to 1, together at most 1. */
export function confidenceOf(
  { confidence }: Pick<ClassifierWeights, 'confidence'>,
  evidence: Evidence,
): readonly number[] {
  const signs = signsOf(evidence)
  const sum = signs.reduce((total, sign, nth) => total + confidence.signs[nth]! * sign, confidence.bias)
  const first = 1 / (1 + Math.exp(-sum))
  const [, ...others] = evidence.scores.map((score) => score ** confidence.sharpness)
  const rest = others.reduce((total, other) => total + other, 0)
  return [first, ...others.map((other) => Math.min(first, ((1 - first) * other) / rest))]
}
