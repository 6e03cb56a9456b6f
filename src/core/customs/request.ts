/**
 * Validates a duties and taxes request, and lists every fault at once.
 * See docs/rest-contract.md#duties-and-taxes, and points R7 and R13 there.
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
import { type FieldPath, type InputProblem, inputProblem, within } from '../problem.ts'
import { IMPORT_SCHEMES, type ImportScheme } from './data/tables/thresholds.ts'
import { readHsCode } from './tariff/hs-code.ts'

/** Unvalidated input of a door; `contentItems` should be a list of objects. */
export type DutiesInput = {
  readonly from: PlaceInput
  readonly to: PlaceInput
  readonly contentItems: unknown
  /** ISO 8601 instant. */
  readonly asOf?: unknown
  /** `shippingCost` and `insurance`: to the border, in euro. */
  readonly shippingCost?: unknown
  readonly insurance?: unknown
  /** 'individual' or 'business'. */
  readonly recipientType?: unknown
  readonly preferences?: unknown
  /** 'IOSS', 'POSTAL', 'COURIER' or 'UNKNOWN'. */
  readonly importScheme?: unknown
  readonly countAverages?: unknown
}

export type ContentItem = {
  readonly description: string
  readonly numberOfItems: number
  /** Value of one item, in 10^-6 euro. */
  readonly costSteps: number
  /** 6 to 10 digits; longer codes are cut to 10. */
  readonly tariff?: string
  readonly originCountry?: string
  /** Net weight of one item. */
  readonly weightGrams?: number
  /** Of one item, in the units that tariffs charge by. */
  readonly quantities?: readonly ItemQuantity[]
  /** Alcohol by volume in parts per million: 40% vol is 400,000. */
  readonly alcoholPpm?: number
  /** Of TARIC or the UK tariff, in capitals. */
  readonly additionalCode?: string
}

/** 0.75 l is { unit: "l", amountMicros: 750000 }. */
export type ItemQuantity = { readonly unit: string; readonly amountMicros: number }

export type DutiesRequest = {
  readonly from: Place
  readonly to: Place
  readonly items: readonly ContentItem[]
  /** The day whose rules apply, UTC. Absent: today. */
  readonly date?: string
  /** Freight and insurance to the border. Absent: not given. */
  readonly shippingCents?: number
  readonly insuranceCents?: number
  /** Absent: an individual, since most parcels are sales to consumers. */
  readonly recipient?: 'individual' | 'business'
  /** False: no preference is claimed. Absent: preferences are claimed for items with an origin. */
  readonly preferences?: boolean
  /** Absent: unknown. The scheme of the first rule that depends on it is assumed. */
  readonly importScheme?: ImportScheme
  /** False: averages of groups of goods have lines, but are not part of the estimate. Absent: they are. */
  readonly countAverages?: boolean
}

type ImportFacts = {
  readonly [Name in keyof Omit<DutiesRequest, 'from' | 'to' | 'items'>]-?: DutiesRequest[Name] | undefined
}

/** Settings of an account for what its requests leave open. */
export type AccountSettings = Pick<DutiesRequest, 'countAverages'>

const NO_SETTINGS: AccountSettings = {}

const RECIPIENTS = ['individual', 'business'] as const
const GIVEN_SCHEMES = [...IMPORT_SCHEMES, 'UNKNOWN'] as const
/** Decimals of `costSteps`. */
export const COST_PLACES = 6

/** The maximum number of content items in one request. */
export const MAX_ITEMS = 99
/** Decimals that the input may have. `costSteps` has two more, for the published calculations in the tests. */
const COST_DECIMALS = 4
const STEPS_PER_DECIMAL = 10 ** (COST_PLACES - COST_DECIMALS)
const COST = { places: COST_DECIMALS, max: 1_000_000_000, min: 0 }
const CHARGE = { places: 2, max: 1_000_000_000, min: 0 }
const WEIGHT = { places: 3, max: 1_000_000 }
const MAX_QUANTITIES = 10
const AMOUNT = { places: 6, max: 1_000_000 }
const ALCOHOL = { places: 4, max: 100 }
const COUNT = { places: 0, max: 1_000_000 }
/** Euro per content item. Keeps the cents of the largest request within the safe integers. */
const MAX_VALUE = 10_000_000_000

/** Validates the input, and lists every fault. `settings` decide what the input leaves open. */
export function checkDutiesRequest(
  input: DutiesInput,
  settings: AccountSettings = NO_SETTINGS,
): DutiesRequest | InputProblem {
  const problems: ProblemList = []
  const items = readContentItems(problems, ['contentItems'], input.contentItems)
  const from = readPlace(problems, ['from'], input.from)
  const to = readPlace(problems, ['to'], input.to)
  const facts = readImportFacts(problems, input, settings)
  if (problems.length > 0 || from === undefined || to === undefined || items === undefined)
    return inputProblem(problems)
  return withFacts({ from, to, items }, facts)
}

/** Objects are built field by field, because spreading an object is several times slower. */
type Changeable<Type> = { -readonly [Name in keyof Type]: Type[Name] }

/** A required list of 1 to `MAX_ITEMS` content items. Undefined if the list itself is invalid. */
export function readContentItems(
  problems: ProblemList,
  path: FieldPath,
  value: unknown,
): readonly ContentItem[] | undefined {
  const list = readList(problems, path, value, MAX_ITEMS)
  if (list === undefined) return undefined
  const items: ContentItem[] = []
  for (let index = 0; index < list.length; index++) {
    const item = readItem(problems, within(path, index), list[index])
    if (item !== undefined) items.push(item)
  }
  return items
}

function readImportFacts(problems: ProblemList, input: DutiesInput, settings: AccountSettings): ImportFacts {
  const date = readInstant(problems, ['asOf'], input.asOf)
  const shippingCents = readNumber(problems, ['shippingCost'], input.shippingCost, CHARGE)
  const insuranceCents = readNumber(problems, ['insurance'], input.insurance, CHARGE)
  const recipient = readOneOf(problems, ['recipientType'], input.recipientType, RECIPIENTS)
  const preferences = readBoolean(problems, ['preferences'], input.preferences)
  const scheme = readOneOf(problems, ['importScheme'], input.importScheme, GIVEN_SCHEMES)
  const countAverages =
    readBoolean(problems, ['countAverages'], input.countAverages) ?? settings.countAverages
  const importScheme = scheme === 'UNKNOWN' ? undefined : scheme
  return { date, shippingCents, insuranceCents, recipient, preferences, importScheme, countAverages }
}

function withFacts(request: Changeable<DutiesRequest>, facts: ImportFacts): DutiesRequest {
  if (facts.date !== undefined) request.date = facts.date
  if (facts.shippingCents !== undefined) request.shippingCents = facts.shippingCents
  if (facts.insuranceCents !== undefined) request.insuranceCents = facts.insuranceCents
  if (facts.recipient !== undefined) request.recipient = facts.recipient
  if (facts.preferences !== undefined) request.preferences = facts.preferences
  if (facts.importScheme !== undefined) request.importScheme = facts.importScheme
  if (facts.countAverages !== undefined) request.countAverages = facts.countAverages
  return request
}

function readItem(problems: ProblemList, path: FieldPath, value: unknown): ContentItem | undefined {
  if (!isJsonObject(value)) return note(problems, path, 'WRONG_TYPE', 'must be an object')
  const description = required(problems, within(path, 'description'), value['description'], readText)
  const numberOfItems = required(problems, within(path, 'numberOfItems'), value['numberOfItems'], readCount)
  const costSteps = required(problems, within(path, 'cost'), value['cost'], readCost)
  const tariff = readHsCode(problems, within(path, 'tariff'), value['tariff'])
  const originCountry = readCountry(problems, within(path, 'originCountry'), value['originCountry'], false)
  const weightGrams = readNumber(problems, within(path, 'weight'), value['weight'], WEIGHT)
  const quantities = readQuantities(problems, within(path, 'quantities'), value['quantities'])
  const alcoholPpm = readNumber(problems, within(path, 'alcoholPercent'), value['alcoholPercent'], ALCOHOL)
  const additionalCode = readAdditionalCode(problems, within(path, 'additionalCode'), value['additionalCode'])
  if (description === undefined || numberOfItems === undefined || costSteps === undefined) return undefined
  if (costSteps * numberOfItems > MAX_VALUE * 10 ** COST_PLACES)
    return note(
      problems,
      within(path, 'cost'),
      'OUT_OF_RANGE',
      `cost times numberOfItems must be at most ${MAX_VALUE}`,
      `value times count must be at most ${MAX_VALUE}`,
    )
  const item: Changeable<ContentItem> = { description, numberOfItems, costSteps }
  if (tariff !== undefined) item.tariff = tariff
  if (originCountry !== undefined) item.originCountry = originCountry
  if (weightGrams !== undefined) item.weightGrams = weightGrams
  if (quantities !== undefined) item.quantities = quantities
  if (alcoholPpm !== undefined) item.alcoholPpm = alcoholPpm
  if (additionalCode !== undefined) item.additionalCode = additionalCode
  return item
}

function readAdditionalCode(problems: ProblemList, path: FieldPath, value: unknown): string | undefined {
  const code = readText(problems, path, value)?.toUpperCase()
  if (code === undefined || /^[A-Z0-9]{3,4}$/.test(code)) return code
  return note(problems, path, 'MALFORMED', 'must be a code of 3 or 4 letters and digits')
}

function readQuantities(problems: ProblemList, path: FieldPath, value: unknown): ItemQuantity[] | undefined {
  if (isAbsent(value) || (Array.isArray(value) && value.length === 0)) return undefined
  const list = readList(problems, path, value, MAX_QUANTITIES)
  return list?.flatMap((entry, index) => readQuantity(problems, within(path, index), entry) ?? [])
}

function readQuantity(problems: ProblemList, path: FieldPath, value: unknown): ItemQuantity | undefined {
  if (!isJsonObject(value)) return note(problems, path, 'WRONG_TYPE', 'must be an object')
  const unit = required(problems, within(path, 'unit'), value['unit'], readText)
  const amountMicros = required(problems, within(path, 'amount'), value['amount'], (into, at, amount) =>
    readNumber(into, at, amount, AMOUNT),
  )
  return unit === undefined || amountMicros === undefined ? undefined : { unit, amountMicros }
}

function readCount(problems: ProblemList, path: FieldPath, value: unknown): number | undefined {
  return readNumber(problems, path, value, COUNT)
}

function readCost(problems: ProblemList, path: FieldPath, value: unknown): number | undefined {
  const steps = readNumber(problems, path, value, COST)
  return steps === undefined ? undefined : steps * STEPS_PER_DECIMAL
}

type Reader<Value> = (problems: ProblemList, path: FieldPath, value: unknown) => Value | undefined

/** Reads a required value. A value that `read` neither returns nor reports, such as a blank text, counts as missing. */
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
