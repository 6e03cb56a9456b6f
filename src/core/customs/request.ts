/**
 * What a duties and taxes request must hold before anything is worked out: every fault is named at once.
 * Source: specification 2.5 and 2.6; decisions 7, 13, 16 and 19 of the README; design note on customs.
 */
import {
  isAbsent,
  isJsonObject,
  note,
  type PlaceInput,
  type ProblemList,
  readBoolean,
  readCountry,
  readInstant,
  readList,
  readNumber,
  readOneOf,
  readPlace,
  readText,
} from '../input.ts'
import type { Place } from '../place.ts'
import { type FieldPath, type InputProblem, inputProblem } from '../problem.ts'
import { readHsCode } from './tariff/hs-code.ts'

/** A duties and taxes request as a door received it; `contentItems` should be a list of objects. */
export type DutiesInput = {
  readonly from: PlaceInput
  readonly to: PlaceInput
  readonly contentItems: unknown
  /** ISO 8601 instant. */
  readonly asOf?: unknown
  /** Freight and insurance to the border, in euro. */
  readonly shippingCost?: unknown
  readonly insurance?: unknown
  /** 'individual' or 'business'. */
  readonly recipientType?: unknown
  /** Whether preferences are claimed. */
  readonly preferences?: unknown
}

/** One kind of goods; `costSteps` is the value of one item in 10^-6 euro. */
export type ContentItem = {
  readonly description: string
  readonly numberOfItems: number
  readonly costSteps: number
  /** 6 to 10 digits; of longer ones the first 10. */
  readonly tariff?: string
  readonly originCountry?: string
  /** Net weight of one item. */
  readonly weightGrams?: number
  /** Of one item, in units of tariffs. */
  readonly quantities?: readonly ItemQuantity[]
}

/** A quantity of one item that a tariff may charge by: 0.75 "l" is 750,000. */
export type ItemQuantity = { readonly unit: string; readonly amountMicros: number }

/** A request that can be worked out. */
export type DutiesRequest = {
  readonly from: Place
  readonly to: Place
  readonly items: readonly ContentItem[]
  /** The day whose rules apply, UTC. Absent: today. */
  readonly date?: string
  /** Freight and insurance to the border. Absent: none is known of. */
  readonly shippingCents?: number
  readonly insuranceCents?: number
  /** Who receives the goods. Absent: an individual, as parcels of a sale to a consumer are the rule. */
  readonly recipient?: 'individual' | 'business'
  /** False: no preference is claimed. Absent: claimed where an item names its origin. */
  readonly preferences?: boolean
}

type ImportFacts = Omit<DutiesRequest, 'from' | 'to' | 'items'>

const RECIPIENTS = ['individual', 'business'] as const
/** Decimals of `costSteps`. */
export const COST_PLACES = 6

/** Content items of one request, at most. */
export const MAX_ITEMS = 99
/** Decimals a cost may be given with; the finer steps behind them only keep sums of published cases exact. */
const COST_DECIMALS = 4
const COST = { places: COST_DECIMALS, max: 1_000_000_000, min: 0 }
const CHARGE = { places: 2, max: 1_000_000_000, min: 0 }
const WEIGHT = { places: 3, max: 1_000_000 }
const MAX_QUANTITIES = 10
const AMOUNT = { places: 6, max: 1_000_000 }
const COUNT = { places: 0, max: 1_000_000 }
/** Keeps the total of the largest request within exact cents; in euro per content item. */
const MAX_VALUE = 10_000_000_000

/** Checks a draft. */
export function checkDutiesRequest(input: DutiesInput): DutiesRequest | InputProblem {
  const problems: ProblemList = []
  const list = readList(problems, ['contentItems'], input.contentItems, MAX_ITEMS)
  const items = list?.map((item, index) => readItem(problems, ['contentItems', index], item))
  const from = readPlace(problems, ['from'], input.from)
  const to = readPlace(problems, ['to'], input.to)
  const circumstances = readImportFacts(problems, input)
  if (problems.length > 0 || from === undefined || to === undefined || items === undefined)
    return inputProblem(problems)
  return { from, to, items: items.filter(isItem), ...circumstances }
}

/** What a request may say beside the route and the goods. */
function readImportFacts(problems: ProblemList, input: DutiesInput): ImportFacts {
  const date = readInstant(problems, ['asOf'], input.asOf)
  const shippingCents = readNumber(problems, ['shippingCost'], input.shippingCost, CHARGE)
  const insuranceCents = readNumber(problems, ['insurance'], input.insurance, CHARGE)
  const recipient = readOneOf(problems, ['recipientType'], input.recipientType, RECIPIENTS)
  const preferences = readBoolean(problems, ['preferences'], input.preferences)
  return {
    ...(date !== undefined && { date }),
    ...(shippingCents !== undefined && { shippingCents }),
    ...(insuranceCents !== undefined && { insuranceCents }),
    ...(recipient !== undefined && { recipient }),
    ...(preferences !== undefined && { preferences }),
  }
}

function isItem(item: ContentItem | undefined): item is ContentItem {
  return item !== undefined
}

function readItem(problems: ProblemList, path: FieldPath, value: unknown): ContentItem | undefined {
  if (!isJsonObject(value)) return note(problems, path, 'WRONG_TYPE', 'must be an object')
  const description = required(problems, [...path, 'description'], value['description'], readText)
  const numberOfItems = required(problems, [...path, 'numberOfItems'], value['numberOfItems'], readCount)
  const costSteps = required(problems, [...path, 'cost'], value['cost'], readCost)
  const tariff = readHsCode(problems, [...path, 'tariff'], value['tariff'])
  const originCountry = readCountry(problems, [...path, 'originCountry'], value['originCountry'], false)
  const weightGrams = readNumber(problems, [...path, 'weight'], value['weight'], WEIGHT)
  const quantities = readQuantities(problems, [...path, 'quantities'], value['quantities'])
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
    ...(weightGrams !== undefined && { weightGrams }),
    ...(quantities !== undefined && { quantities }),
  }
}

function readQuantities(problems: ProblemList, path: FieldPath, value: unknown): ItemQuantity[] | undefined {
  if (isAbsent(value)) return undefined
  const list = readList(problems, path, value, MAX_QUANTITIES)
  return list?.flatMap((entry, index) => readQuantity(problems, [...path, index], entry) ?? [])
}

function readQuantity(problems: ProblemList, path: FieldPath, value: unknown): ItemQuantity | undefined {
  if (!isJsonObject(value)) return note(problems, path, 'WRONG_TYPE', 'must be an object')
  const unit = required(problems, [...path, 'unit'], value['unit'], readText)
  const amountMicros = required(problems, [...path, 'amount'], value['amount'], (into, at, amount) =>
    readNumber(into, at, amount, AMOUNT),
  )
  return unit === undefined || amountMicros === undefined ? undefined : { unit, amountMicros }
}

function readCount(problems: ProblemList, path: FieldPath, value: unknown): number | undefined {
  return readNumber(problems, path, value, COUNT)
}

function readCost(problems: ProblemList, path: FieldPath, value: unknown): number | undefined {
  const steps = readNumber(problems, path, value, COST)
  return steps === undefined ? undefined : steps * 10 ** (COST_PLACES - COST_DECIMALS)
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
