/**
 * Confidence: the estimated probability that the first candidate is right, which is a logistic function of a few
 * features of the text, the terms and the text model. Titles have a function of their own. `npm run fit:confidence`
 * fits both, and `npm run bench:classify` compares them with the share of right answers.
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
  /** Whether the text is written like a title, with capital and small letters. */
  readonly isTitle: boolean
  /** Of the text model on the best code. Undefined without a text model. */
  readonly opinion: ModelOpinion | undefined
}

export type ModelOpinion = {
  /** The probability of the code, 0 to 1. */
  readonly chance: number
  /** The highest probability that any other code has, 0 to 1. */
  readonly rival: number
}

/** Declarations of parcels are mostly written without capital letters, or only with them. */
export function isWrittenAsTitle(description: string): boolean {
  return /\p{Lu}/u.test(description) && /\p{Ll}/u.test(description)
}

/** The names of the features, in the order of the weights. Each is at most about 1. */
export const FEATURES = ['share', 'odds', 'rival', 'terms', 'late', 'unknown words', 'words'] as const

/** `sharpness`: the share of a candidate grows with its score to this power. */
export function featuresOf(evidence: Evidence, sharpness: number): readonly number[] {
  const { scores, hit, words, unknownWords, opinion } = evidence
  const [first = 1, ...others] = powersOf(scores, sharpness)
  return [
    oddsOf(first / (first + sum(others))),
    opinion === undefined ? 0 : oddsOf(opinion.chance),
    opinion === undefined ? 0 : oddsOf(opinion.rival),
    hit === undefined ? 0 : (certaintyOf(hit) * Math.min(4, hit.hit.at.length)) / 4,
    // Titles of shops begin with the goods. Where the goods come late, other goods are often in front of them.
    hit === undefined ? 0 : (hit.hit.nameAt.at(-1)! + 1) / words,
    Math.min(4, unknownWords) / 4,
    Math.min(20, words) / 20,
  ]
}

/** What a possible term counts, relative to a usual one. */
const POSSIBLE = 0.4

/**
 * How surely a term leads to a code, 0 to 1. Lower if the spelling of its head was corrected, if the head comes after
 * "with" or "for", if the term is only a possible one, or if the text does not decide between the codes of a family.
 */
function certaintyOf({ hit, code }: CodeHit): number {
  return hit.headWeight * code.share * (hit.phrase.goods.possible ? POSSIBLE : 1)
}

/** Of scores relative to the first, which is the highest. */
function powersOf(scores: readonly number[], power: number): readonly number[] {
  return scores.map((score) => (score / scores[0]!) ** power)
}

function sum(list: readonly number[]): number {
  return list.reduce((total, value) => total + value, 0)
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
  { confidence: { titles, others, sharpness } }: Pick<ClassifierWeights, 'confidence'>,
  evidence: Evidence,
): readonly number[] {
  const { bias, features: weights } = evidence.isTitle ? titles : others
  const logOdds = featuresOf(evidence, sharpness).reduce(
    (total, feature, nth) => total + weights[nth]! * feature,
    bias,
  )
  const first = 1 / (1 + Math.exp(-logOdds))
  const [, ...rest] = powersOf(evidence.scores, sharpness)
  const total = sum(rest)
  return [first, ...rest.map((other) => Math.min(first, ((1 - first) * other) / total))]
}
