/**
 * Questions whose answers change the code, and the answers. The first question decides between the first two
 * candidates. An option shows the code that it leads to. See docs/hs-classification.md#questions.
 */
import type { GoodsAnswer, GoodsQuestion, HsCandidate } from '../hs-candidate.ts'
import type { Attributes } from './attributes.ts'
import { codesByValue, isContradicted, type ValueByDimension } from './families.ts'
import type { CodeHit } from './phrases.ts'

/** The questions which goods are sold, and which kind of them. Their options are codes. */
const GOODS = 'goods'
const KIND = 'kind'

/** The answer that none of the values applies. */
const OTHER = 'other'

/** Answers in the form that ranking needs. Those with an unknown name or value are ignored. */
export type ReadAnswers = {
  /** The value of each dimension, by number. */
  readonly values: ValueByDimension
  /** The code of the goods. */
  readonly code: string | undefined
}

export const NO_ANSWERS: ReadAnswers = { values: new Map(), code: undefined }

export function readAnswers(attributes: Attributes, answers: readonly GoodsAnswer[]): ReadAnswers {
  const values = new Map<number, number>()
  for (const { id, value } of answers) {
    const dimension = attributes.numberOf.get(id)
    if (dimension === undefined) continue
    const number = attributes.dimensions[dimension]!.valueNames.indexOf(value)
    if (number !== -1 || value === OTHER) values.set(dimension, number)
  }
  return { values, code: answers.findLast(({ id }) => id === GOODS || id === KIND)?.value }
}

export type QuestionTables = {
  readonly attributes: Attributes
  readonly codes: readonly string[]
  readonly labels: readonly string[]
}

/** A candidate below this share of the first one's confidence is not asked about. */
const MIN_RIVAL_SHARE = 0.15
const MAX_GOODS = 5
const MAX_QUESTIONS = 4
const MAX_OPTIONS = 12

/**
 * The questions about a description, at most four. `chosen` are the hits of the first candidate. A question has at
 * least two options with different codes.
 */
export function questionsAbout(
  tables: QuestionTables,
  candidates: readonly HsCandidate[],
  chosen: readonly CodeHit[],
  answers: ReadAnswers,
): readonly GoodsQuestion[] {
  const [first, second] = candidates
  if (first === undefined) return []
  const decisive = chosen.find(({ code }) => code.share === 1)
  const possible = new Set(decisive?.hit.codes.map(({ code }) => tables.codes[code]))
  const inFamily = new Set(decisive?.hit.phrase.goods.family?.family.codes.map((code) => tables.codes[code]))
  // Codes of the family that an answer excluded are not asked about again.
  const isPossible = ({ code }: HsCandidate): boolean => possible.has(code) || !inFamily.has(code)
  const between = decisive?.hit.codes.find(
    (found) => tables.codes[found.code] === second?.code && !isContradicted(found),
  )
  const open = [...(between?.differsIn ?? []), ...(decisive?.code.differsIn ?? [])]
  const dimensions = [...new Set(open)].filter((dimension) => !answers.values.has(dimension))
  const ofFamily = dimensions.flatMap((dimension) => questionOn(tables, decisive!, dimension) ?? [])
  const ofGoods = goodsQuestion(candidates.filter(isPossible), answers).filter(
    (question) => !ofFamily.some(isDecidedBy(question)),
  )
  const inOrder = between === undefined ? [ofGoods, ofFamily] : [ofFamily, ofGoods]
  return inOrder.flat().slice(0, MAX_QUESTIONS)
}

/** Returns a function that is true for a question that leads to all codes of `question`. */
function isDecidedBy(question: GoodsQuestion): (other: GoodsQuestion) => boolean {
  return (other) => question.options.every(({ code }) => other.options.some((option) => option.code === code))
}

/**
 * Which of the first candidates the goods are: the first two, and one of each further heading. If that is answered:
 * which of the candidates in its heading.
 */
function goodsQuestion(
  candidates: readonly HsCandidate[],
  { code: answered }: ReadAnswers,
): readonly GoodsQuestion[] {
  const [first] = candidates
  const headings = new Set<string>()
  const isOption = ({ code, confidence }: HsCandidate, nth: number): boolean => {
    const heading = code.slice(0, 4)
    if (answered !== undefined) return heading === answered.slice(0, 4)
    if (confidence < MIN_RIVAL_SHARE * first!.confidence || (nth > 1 && headings.has(heading))) return false
    headings.add(heading)
    return true
  }
  const options = candidates
    .filter(isOption)
    .slice(0, MAX_GOODS)
    .map(({ code, label }) => ({ value: code, label, code }))
  if (options.length < 2) return []
  return answered === undefined
    ? [{ id: GOODS, text: 'Which of these is it?', options }]
    : [{ id: KIND, text: 'Which of these exactly?', options }]
}

function questionOn(
  { attributes, codes }: QuestionTables,
  { hit }: CodeHit,
  dimension: number,
): GoodsQuestion | undefined {
  const { name, question, valueNames } = attributes.dimensions[dimension]!
  const options = codesByValue(hit.phrase.goods.family!, hit.values, dimension)
    .map(({ value, code }) => {
      const name = valueNames[value] ?? OTHER
      return { value: name, label: name, code: codes[code]! }
    })
    .slice(0, MAX_OPTIONS)
  return new Set(options.map(({ code }) => code)).size < 2 ? undefined : { id: name, text: question, options }
}
