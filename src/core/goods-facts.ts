/**
 * Facts about goods that a caller knows, next to the description: what they are made of, for whom, which brand. They
 * take precedence over the words of the description. See docs/hs-classification.md#facts.
 */
import type { GoodsAnswer } from './hs-candidate.ts'
import { isAbsent, isJsonObject, note, type ProblemList, readList, readText } from './input.ts'
import { type FieldPath, within } from './problem.ts'

/** By fact: the maximum length in characters. */
export const MAX_FACT_LENGTHS = {
  /** What the goods are made of: "leather". */
  material: 100,
  /** Components with percentages: "98% cotton 2% elastane". */
  composition: 200,
  /** Who or what the goods are for: "women", "iPhone 15". */
  madeFor: 100,
  /** The path of the shop, from wide to narrow: "Shoes > Women > Boots". */
  category: 200,
  brand: 100,
  /** What the goods are used for: "cycling". */
  use: 100,
  /** How the goods are made: "knitted". */
  construction: 100,
} as const

export type FactName = keyof typeof MAX_FACT_LENGTHS

export const FACT_NAMES = Object.keys(MAX_FACT_LENGTHS) as readonly FactName[]

export type GoodsFacts = { readonly [Name in FactName]?: string | undefined }

/** Goods to classify. */
export type DescribedGoods = {
  readonly description: string
  readonly facts?: GoodsFacts | undefined
  /** Answers to questions about the goods. They take precedence over facts. */
  readonly answers?: readonly GoodsAnswer[] | undefined
}

/** False for goods of which only the description is known. */
export function hasFacts({ facts, answers }: DescribedGoods): boolean {
  return facts !== undefined || answers !== undefined
}

/** The length of the number of a product in the shop, as in customs declarations. */
export const MAX_SKU_LENGTH = 70
export const MAX_ANSWERS = 20
const MAX_ANSWER_LENGTH = 100

/** An object with facts. Undefined if it has none. */
export function readFacts(problems: ProblemList, path: FieldPath, value: unknown): GoodsFacts | undefined {
  if (isAbsent(value)) return undefined
  if (!isJsonObject(value)) return note(problems, path, 'WRONG_TYPE', 'must be an object')
  const facts: { -readonly [Name in FactName]?: string } = {}
  for (const name of FACT_NAMES) {
    const text = readText(problems, within(path, name), value[name], MAX_FACT_LENGTHS[name])
    if (text !== undefined) facts[name] = text
  }
  const { composition } = facts
  if (composition !== undefined && percentagesIn(composition).some((percent) => percent > 100))
    note(problems, within(path, 'composition'), 'OUT_OF_RANGE', 'must have percentages of at most 100')
  return Object.keys(facts).length === 0 ? undefined : facts
}

function percentagesIn(composition: string): readonly number[] {
  return (composition.match(/\d{1,9} ?%/g) ?? []).map(Number.parseFloat)
}

/** A list of answers, with the fields `question` and `value`. Undefined if it is absent or empty. */
export function readGoodsAnswers(
  problems: ProblemList,
  path: FieldPath,
  value: unknown,
): readonly GoodsAnswer[] | undefined {
  if (isAbsent(value) || (Array.isArray(value) && value.length === 0)) return undefined
  const list = readList(problems, path, value, MAX_ANSWERS)
  return list?.flatMap((entry, index) => readAnswer(problems, within(path, index), entry) ?? [])
}

function readAnswer(problems: ProblemList, path: FieldPath, value: unknown): GoodsAnswer | undefined {
  if (!isJsonObject(value)) return note(problems, path, 'WRONG_TYPE', 'must be an object')
  const id = readAnswerText(problems, within(path, 'question'), value['question'])
  const answer = readAnswerText(problems, within(path, 'value'), value['value'])
  return id === undefined || answer === undefined ? undefined : { id, value: answer }
}

function readAnswerText(problems: ProblemList, path: FieldPath, value: unknown): string | undefined {
  const faults = problems.length
  const text = readText(problems, path, value, MAX_ANSWER_LENGTH)
  if (text === undefined && problems.length === faults) return note(problems, path, 'REQUIRED', 'required')
  return text
}
