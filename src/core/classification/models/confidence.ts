/**
 * Confidence: the estimated probability that the first candidate is right, which is a logistic function of a few
 * features. `npm run bench:classify` compares it with the share of right answers.
 *
 * A curve for titles and one for short texts use what the terms say (test/bench/fit-confidence.ts fits them). Then the
 * text model raises or lowers the result (test/bench/fit-opinion.ts).
 */
import type { ClassifierWeights } from '../classifier-weights.ts'
import type { CodeHit } from '../phrases.ts'

export type Evidence = {
  /** Scores of all candidates, best first; at least one. */
  readonly scores: readonly number[]
  /** Their codes. */
  readonly codes: readonly string[]
  /** The share of the text's information that the best code's terms cover, 0 to 1. */
  readonly coverage: number
  /** The best term of the best code. Undefined if only single words led to it. */
  readonly hit: CodeHit | undefined
  /** The number of words of the text. */
  readonly words: number
  /** The share of the words that the lexicon does not contain, 0 to 1. Noise words do not count. */
  readonly unknown: number
  /** Of the text model on the best code. Undefined without a text model. */
  readonly opinion: ModelOpinion | undefined
}

export type ModelOpinion = {
  /** The probability of the code, 0 to 1. */
  readonly chance: number
  /** The probability of the heading of the most probable code, 0 to 1. 0 if it is the heading of the best code. */
  readonly rival: number
  /** The candidates of the terms alone. Undefined if their first code is another one, so the text model chose it. */
  readonly byTerms: Pick<Evidence, 'scores' | 'codes'> | undefined
}

/** The features of the terms, each about 0 to 1, in the order of `classifierWeights.confidence.title.features`. */
export function featuresOf(evidence: Evidence): readonly number[] {
  const { scores, codes, coverage, hit, words, unknown } = evidence
  const [first = 0] = scores
  const heading = codes[0]?.slice(0, 4)
  const rival = scores.find((_, nth) => codes[nth]?.slice(0, 4) !== heading) ?? 0
  const hasTerm = hit !== undefined
  return [
    leadOf(evidence),
    Math.min(3, Math.log(first / Math.max(rival, 0.01))) / 3,
    coverage,
    isDecided(evidence) ? 1 : 0,
    Math.min(5, Math.log(1 + first)) / 5,
    hasTerm ? Math.min(4, hit.hit.at.length) / 4 : 0,
    hasTerm && hit.code.differsIn.length > 0 ? 1 : 0,
    Math.min(30, words) / 30,
    unknown,
  ]
}

/** How far the first candidate is ahead of the second, 0 to 1. */
function leadOf({ scores: [first = 0, second = 0] }: Evidence): number {
  return Math.min(3, Math.log(first / Math.max(second, 0.01))) / 3
}

/** True if a term decides the best code. */
function isDecided({ hit }: Evidence): boolean {
  return hit !== undefined && hit.code.share === 1 && !hit.hit.phrase.goods.possible
}

/** Titles of shops are clear. Texts of parcel declarations are short, or have many unknown words. */
export type TextKind = 'title' | 'parcel'

const MAX_PARCEL_WORDS = 6
const MAX_PARCEL_NOUNS = 2
const MAX_UNKNOWN_IN_TITLE = 0.15

export function textKindOf({ words, unknown }: Pick<Evidence, 'words' | 'unknown'>): TextKind {
  if (words > MAX_PARCEL_WORDS) return 'title'
  return words <= MAX_PARCEL_NOUNS || unknown > MAX_UNKNOWN_IN_TITLE ? 'parcel' : 'title'
}

/** Which curve takes the opinion of the text model into account: by the kind of the text, or `chosen` by the model. */
export type OpinionCurve = keyof ClassifierWeights['confidence']['opinion']

/** The curve, its features, and the logarithm of the odds that they are added to. */
export type WithOpinion = {
  readonly curve: OpinionCurve
  readonly features: readonly number[]
  readonly offset: number
}

export function withOpinion(
  { confidence }: Pick<ClassifierWeights, 'confidence'>,
  evidence: Evidence,
  { chance, rival, byTerms }: ModelOpinion,
): WithOpinion {
  const odds = oddsOf(chance)
  const lead = leadOf(evidence)
  if (byTerms === undefined) return { curve: 'chosen', features: [odds, lead], offset: 0 }
  if (textKindOf(evidence) === 'parcel')
    return { curve: 'parcel', features: [odds, lead, evidence.coverage], offset: 0 }
  const { scores, codes } = byTerms
  const offset = weigh(confidence.title, featuresOf({ ...evidence, scores, codes }))
  return { curve: 'title', features: [odds, rival], offset }
}

/** Keeps the odds of certain and of impossible codes finite. */
const LEAST_CHANCE = 0.02
const ODDS_SCALE = 4

/** The logarithm of the odds of a probability, about -1 to 1. */
function oddsOf(chance: number): number {
  return Math.log((chance + LEAST_CHANCE) / (1 + LEAST_CHANCE - chance)) / ODDS_SCALE
}

/**
 * True if the text model cannot lower the confidence: the lexicon knows all words of a title, a term decides, and the
 * text model agrees about the heading.
 */
export function isSettled(evidence: Evidence): boolean {
  return evidence.unknown === 0 && evidence.opinion?.rival === 0 && isDecided(evidence)
}

/** The confidences of the candidates, each 0 to 1, together at most 1. */
export function confidenceOf(
  { confidence }: Pick<ClassifierWeights, 'confidence'>,
  evidence: Evidence,
): readonly number[] {
  const first = 1 / (1 + Math.exp(-logOddsOf(confidence, evidence)))
  const [, ...others] = evidence.scores.map((score) => score ** confidence.sharpness)
  const rest = others.reduce((total, other) => total + other, 0)
  return [first, ...others.map((other) => Math.min(first, ((1 - first) * other) / rest))]
}

function logOddsOf(confidence: ClassifierWeights['confidence'], evidence: Evidence): number {
  const { opinion } = evidence
  if (opinion === undefined) return weigh(confidence[textKindOf(evidence)], featuresOf(evidence))
  const { curve, features, offset } = withOpinion({ confidence }, evidence, opinion)
  const sum = offset + weigh(confidence.opinion[curve], features)
  return curve === 'title' && isSettled(evidence) ? Math.max(offset, sum) : sum
}

type Curve = { readonly bias: number; readonly features: readonly number[] }

function weigh({ bias, features: weights }: Curve, features: readonly number[]): number {
  return features.reduce((total, feature, nth) => total + weights[nth]! * feature, bias)
}
