/**
 * What a duties and taxes request must hold before anything is worked out: every fault is named at once.
 * Source: specification 2.5 and 2.6; decisions 7, 13, 16 and 19 of the README.
 */
import {
  isAbsent,
  note,
  type PlaceDraft,
  type ProblemList,
  readCountry,
  readInstant,
  readList,
  readNumber,
  readPlace,
  readText,
} from '../draft.ts'
import type { Place } from '../place.ts'
import { type FieldPath, type InputProblem, inputProblem } from '../problem.ts'
import { COST_PLACES } from './customs-value.ts'
import { readHsCode } from './hs-code.ts'

/** A duties and taxes request as a door received it; `contentItems` should be a list of objects. */
export type DutiesDraft = {
  readonly from: PlaceDraft
  readonly to: PlaceDraft
  readonly contentItems: unknown
  /** ISO 8601 instant. */
  readonly asOf?: unknown
}

/** One kind of goods; `costSteps` is the value of one item in 10^-4 euro. */
export type ContentItem = {
  readonly description: string
  readonly numberOfItems: number
  readonly costSteps: number
  /** 6 to 10 digits. */
  readonly tariff?: string
  readonly originCountry?: string
}

/** A request that can be worked out. */
export type DutiesRequest = {
  readonly from: Place
  readonly to: Place
  readonly items: readonly ContentItem[]
  /** The day whose rules apply, UTC. Absent: today. */
  readonly date?: string
}

const MAX_ITEMS = 99
const COST = { places: COST_PLACES, max: 1_000_000_000, min: 0 }
const COUNT = { places: 0, max: 1_000_000 }
/** Keeps the total of the largest request within exact cents; in euro per content item. */
const MAX_VALUE = 10_000_000_000

/** Checks a draft. */
export function checkDutiesRequest(draft: DutiesDraft): DutiesRequest | InputProblem {
  const problems: ProblemList = []
  const list = readList(problems, ['contentItems'], draft.contentItems, MAX_ITEMS)
  const items = list?.map((item, index) => readItem(problems, ['contentItems', index], item))
  const from = readPlace(problems, ['from'], draft.from)
  const to = readPlace(problems, ['to'], draft.to)
  const date = readInstant(problems, ['asOf'], draft.asOf)
  if (problems.length > 0 || from === undefined || to === undefined || items === undefined)
    return inputProblem(problems)
  return { from, to, items: items.filter(isItem), ...(date !== undefined && { date }) }
}

function isItem(item: ContentItem | undefined): item is ContentItem {
  return item !== undefined
}

function readItem(problems: ProblemList, path: FieldPath, value: unknown): ContentItem | undefined {
  if (!isRecord(value)) return note(problems, path, 'WRONG_TYPE', 'must be an object')
  const description = required(problems, [...path, 'description'], value['description'], readText)
  const numberOfItems = required(problems, [...path, 'numberOfItems'], value['numberOfItems'], readCount)
  const costSteps = required(problems, [...path, 'cost'], value['cost'], readCost)
  const tariff = readHsCode(problems, [...path, 'tariff'], value['tariff'])
  const originCountry = readCountry(problems, [...path, 'originCountry'], value['originCountry'], false)
  if (description === undefined || numberOfItems === undefined || costSteps === undefined) return undefined
  if (costSteps * numberOfItems > MAX_VALUE * 10 ** COST_PLACES)
    return note(
      problems,
      [...path, 'cost'],
      'OUT_OF_RANGE',
      `cost times numberOfItems must be at most ${MAX_VALUE}`,
    )
  return {
    description,
    numberOfItems,
    costSteps,
    ...(tariff !== undefined && { tariff }),
    ...(originCountry !== undefined && { originCountry }),
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function readCount(problems: ProblemList, path: FieldPath, value: unknown): number | undefined {
  return readNumber(problems, path, value, COUNT)
}

function readCost(problems: ProblemList, path: FieldPath, value: unknown): number | undefined {
  return readNumber(problems, path, value, COST)
}

type Reader<Value> = (problems: ProblemList, path: FieldPath, value: unknown) => Value | undefined

/** A blank text is as good as none, so absence is what a reader found without a fault of its own. */
function required<Value>(
  problems: ProblemList,
  path: FieldPath,
  value: unknown,
  read: Reader<Value>,
): Value | undefined {
  if (isAbsent(value)) return note(problems, path, 'REQUIRED', 'required')
  const faults = problems.length
  const result = read(problems, path, value)
  if (result === undefined && problems.length === faults) return note(problems, path, 'REQUIRED', 'required')
  return result
}
