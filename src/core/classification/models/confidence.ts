/**
 * Confidence: the estimated probability that the first candidate is right, which is a logistic function of a few
 * features of the text, the terms and the text model. `npm run fit:confidence` fits it, and `npm run bench:classify`
 * compares it with the share of right answers.
 */
import type { ClassifierWeights } from '../classifier-weights.ts'
import type { CodeHit } from '../phrases.ts'

export type Evidence = {
  /** Scores of all candidates, best first; at least one. */
  readonly scores: readonly number[]
  /** Their codes. */
  readonly codes: readonly string[]
  /** The best term of the best code. Undefined if only the text model led to it. */
  readonly hit: CodeHit | undefined
  /** The number of words of the text. */
  readonly words: number
  /** Of them, those that the lexicon does not contain, without colours, sizes, numbers and praise. */
  readonly unknownWords: number
  /** Of the text model on the best code. Undefined without a text model. */
  readonly opinion: ModelOpinion | undefined
}

export type ModelOpinion = {
  /** The probability of the code, 0 to 1. */
  readonly chance: number
  /** Whether the code is the first one both for the terms and for the text model. */
  readonly agrees: boolean
  /** The scores of the terms alone. Undefined if their first code is another one, so the text model chose it. */
  readonly scoresByTerms: readonly number[] | undefined
}

/** The names of the features, in the order of `classifierWeights.confidence.features`. Each is at most 1. */
export const FEATURES = ['lead', 'decided', 'terms', 'late', 'odds', 'unknown words', 'agreement'] as const

export function featuresOf(evidence: Evidence): readonly number[] {
  const { scores, hit, words, unknownWords, opinion } = evidence
  return [
    // Codes that the text model adds do not lower the lead of the terms.
    leadOf(opinion?.scoresByTerms ?? scores),
    // The head has less weight if its spelling was corrected, and after "with" or "for".
    hit !== undefined && isDecided(hit) ? hit.hit.headWeight : 0,
    hit === undefined ? 0 : Math.min(4, hit.hit.at.length) / 4,
    // Titles of shops begin with the goods. Where the goods come late, other goods are often in front of them.
    hit === undefined ? 0 : (hit.hit.nameAt.at(-1)! + 1) / words,
    opinion === undefined ? 0 : oddsOf(opinion.chance),
    // Brands are a sign of titles of shops, which are clearer than other texts.
    Math.min(4, unknownWords) / 4,
    opinion?.agrees === true ? 1 : 0,
  ]
}

/** How far the first candidate is ahead of the second, 0 to 1. Below 0 if all scores are close to 0. */
function leadOf([first = 0, second = 0]: readonly number[]): number {
  return Math.min(3, Math.log(first / Math.max(second, 0.01))) / 3
}

/** True if a term decides the best code. */
function isDecided({ hit, code }: CodeHit): boolean {
  return code.share === 1 && !hit.phrase.goods.possible
}

/** Keeps the odds of certain and of impossible codes finite. */
const LEAST_CHANCE = 0.02
const ODDS_SCALE = 4

/** The logarithm of the odds of a probability, about -1 to 1. */
function oddsOf(chance: number): number {
  return Math.log((chance + LEAST_CHANCE) / (1 + LEAST_CHANCE - chance)) / ODDS_SCALE
}

/** The confidences of the candidates, each 0 to 1, together at most 1. */
export function confidenceOf(
  { confidence: { bias, features: weights, sharpness } }: Pick<ClassifierWeights, 'confidence'>,
  evidence: Evidence,
): readonly number[] {
  const logOdds = featuresOf(evidence).reduce((sum, feature, nth) => sum + weights[nth]! * feature, bias)
  const first = 1 / (1 + Math.exp(-logOdds))
  const [, ...others] = evidence.scores.map((score) => score ** sharpness)
  const rest = others.reduce((total, other) => total + other, 0)
  return [first, ...others.map((other) => Math.min(first, ((1 - first) * other) / rest))]
}
