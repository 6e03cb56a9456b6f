/**
 * Validates a duties and taxes request, and lists every fault at once.
 * See docs/rest-contract.md#duties-and-taxes, and points R7 and R13 there.
 */
import { type DescribedGoods, MAX_SKU_LENGTH, readFacts, readGoodsAnswers } from '../goods-facts.ts'
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
import { type FieldPath, type InputProblem, inputProblem, pathsWithin, within } from '../problem.ts'
import { IMPORT_SCHEMES, type ImportScheme } from './data/row-types/thresholds.ts'
import type { SellerRegistration } from './seller-registration.ts'
import { readHsCode } from './tariff/hs-code.ts'
import { PURE_ALCOHOL, readQuantityUnit } from './tariff/quantity-unit.ts'

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
  /** One of `IMPORT_SCHEMES`, 'SELLER_COLLECTS' or 'UNKNOWN'. */
  readonly importScheme?: unknown
  readonly countAverages?: unknown
}

export type ContentItem = DescribedGoods & {
  readonly numberOfItems: number
  /** Value of one item, in 10^-6 euro. */
  readonly costSteps: number
  /** 6 to 10 digits; longer codes are cut to 10. */
  readonly tariff?: string | undefined
  readonly originCountry?: string | undefined
  /** Net weight of one item. */
  readonly weightGrams?: number | undefined
  /** Of one item, in the units that tariffs charge by. */
  readonly quantities?: readonly ItemQuantity[] | undefined
  /** Alcohol by volume in parts per million: 40% vol is 400,000. */
  readonly alcoholPpm?: number | undefined
  /** Of TARIC or the UK tariff, in capitals. */
  readonly additionalCode?: string | undefined
  /** The number of the product in the shop. Agreed codes are stored under it. */
  readonly sku?: string | undefined
}

/** 0.75 l is { unit: "l", amountMicros: 750000 }. */
export type ItemQuantity = { readonly unit: string; readonly amountMicros: number }

export type DutiesRequest = {
  readonly from: Place
  readonly to: Place
  readonly items: readonly ContentItem[]
  /** The day whose rules apply, UTC. Absent: today. */
  readonly date?: string | undefined
  /** Freight and insurance to the border. Absent: not given. */
  readonly shippingCents?: number | undefined
  readonly insuranceCents?: number | undefined
  /** Absent: an individual, since most parcels are sales to consumers. */
  readonly recipient?: 'individual' | 'business' | undefined
  /** False: no preference is claimed. Absent: preferences are claimed for items with an origin. */
  readonly preferences?: boolean | undefined
  /** Absent: unknown. The scheme of the first rule that depends on it is assumed. */
  readonly importScheme?: GivenScheme | undefined
  /** Of the account, for schemes under which the seller collects the tax. Absent: none. */
  readonly registrations?: readonly SellerRegistration[] | undefined
  /** False: averages of groups of goods have lines, but are not part of the estimate. Absent: they are. */
  readonly countAverages?: boolean | undefined
}

/** `SELLER_COLLECTS`: under the scheme of the destination by which the seller collects the tax. */
export type GivenScheme = ImportScheme | 'SELLER_COLLECTS'

/** Settings of an account for what its requests leave open. */
export type AccountSettings = Pick<DutiesRequest, 'countAverages' | 'registrations'>

const NO_SETTINGS: AccountSettings = {}

const RECIPIENTS = ['individual', 'business'] as const
const GIVEN_SCHEMES = [...IMPORT_SCHEMES, 'SELLER_COLLECTS', 'UNKNOWN'] as const
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
export const MAX_QUANTITIES = 10
const AMOUNT = { places: 6, max: 1_000_000 }
const ALCOHOL = { places: 4, max: 100 }
const COUNT = { places: 0, max: 1_000_000 }
/** Euro per content item. Keeps the cents of the largest request within the safe integers. */
const MAX_VALUE = 10_000_000_000
const MAX_VALUE_STEPS = MAX_VALUE * 10 ** COST_PLACES
/**
 * Of each quantity of a content item, in kilograms, litres and so on. Keeps duties per quantity within the safe
 * integers.
 */
const MAX_QUANTITY = 100_000_000

/** Validates the input, and lists every fault. `settings` decide what the input leaves open. */
export function checkDutiesRequest(
  input: DutiesInput,
  settings: AccountSettings = NO_SETTINGS,
): DutiesRequest | InputProblem {
  const problems: ProblemList = []
  const items = readContentItems(problems, input.contentItems)
  const from = readPlace(problems, 'from', input.from)
  const to = readPlace(problems, 'to', input.to)
  const date = readInstant(problems, PATHS.asOf, input.asOf)
  const shippingCents = readNumber(problems, PATHS.shippingCost, input.shippingCost, CHARGE)
  const insuranceCents = readNumber(problems, PATHS.insurance, input.insurance, CHARGE)
  const recipient = readOneOf(problems, PATHS.recipientType, input.recipientType, RECIPIENTS)
  const preferences = readBoolean(problems, PATHS.preferences, input.preferences)
  const scheme = readOneOf(problems, PATHS.importScheme, input.importScheme, GIVEN_SCHEMES)
  const countAverages =
    readBoolean(problems, PATHS.countAverages, input.countAverages) ?? settings.countAverages
  if (problems.length > 0 || from === undefined || to === undefined || items === undefined)
    return inputProblem(problems)
  const importScheme = scheme === 'UNKNOWN' ? undefined : scheme
  // Absent fields are undefined, so that all requests have one shape.
  return {
    from,
    to,
    items,
    date,
    shippingCents,
    insuranceCents,
    recipient,
    preferences,
    importScheme,
    registrations: settings.registrations,
    countAverages,
  }
}

const PATHS = pathsWithin(
  [],
  [
    ...(['contentItems', 'asOf', 'shippingCost', 'insurance', 'recipientType'] as const),
    ...(['preferences', 'importScheme', 'countAverages'] as const),
  ],
)

const ITEM_FIELDS = [
  ...(['description', 'numberOfItems', 'cost', 'tariff', 'originCountry'] as const),
  ...(['weight', 'quantities', 'alcoholPercent', 'additionalCode', 'sku', 'facts', 'answers'] as const),
]

/** The paths of items, and of their fields, by index. */
const ITEM_PATHS = Array.from({ length: MAX_ITEMS }, (_, index) => {
  const item = within(PATHS.contentItems, index)
  return { item, fields: pathsWithin(item, ITEM_FIELDS) }
})

/**
 * The content items at the path `contentItems`: a required list of 1 to `MAX_ITEMS`. Undefined if the list itself is
 * invalid.
 */
export function readContentItems(problems: ProblemList, value: unknown): readonly ContentItem[] | undefined {
  const list = readList(problems, PATHS.contentItems, value, MAX_ITEMS)
  if (list === undefined) return undefined
  const items: ContentItem[] = []
  for (let index = 0; index < list.length; index++) {
    const item = readItem(problems, ITEM_PATHS[index]!, list[index])
    if (item !== undefined) items.push(item)
  }
  return items
}

function readItem(
  problems: ProblemList,
  { item: path, fields }: (typeof ITEM_PATHS)[number],
  value: unknown,
): ContentItem | undefined {
  if (!isJsonObject(value)) return note(problems, path, 'WRONG_TYPE', 'must be an object')
  const description = required(problems, fields.description, value['description'], readText)
  const numberOfItems = required(problems, fields.numberOfItems, value['numberOfItems'], readCount)
  const costSteps = required(problems, fields.cost, value['cost'], readCost)
  const tariff = readHsCode(problems, fields.tariff, value['tariff'])
  const originCountry = readCountry(problems, fields.originCountry, value['originCountry'], false)
  const weightGrams = readNumber(problems, fields.weight, value['weight'], WEIGHT)
  const quantities = readQuantities(problems, fields.quantities, value['quantities'])
  const alcoholPpm = readNumber(problems, fields.alcoholPercent, value['alcoholPercent'], ALCOHOL)
  const additionalCode = readAdditionalCode(problems, fields.additionalCode, value['additionalCode'])
  const sku = readText(problems, fields.sku, value['sku'], MAX_SKU_LENGTH)
  const facts = readFacts(problems, fields.facts, value['facts'])
  const answers = readGoodsAnswers(problems, fields.answers, value['answers'])
  if (description === undefined || numberOfItems === undefined || costSteps === undefined) return undefined
  if (costSteps * numberOfItems > MAX_VALUE_STEPS)
    return note(
      problems,
      fields.cost,
      'OUT_OF_RANGE',
      `cost times numberOfItems must be at most ${MAX_VALUE}`,
      `value times count must be at most ${MAX_VALUE}`,
    )
  // Absent fields are undefined, so that all items have one shape.
  const item: ContentItem = {
    description,
    numberOfItems,
    costSteps,
    tariff,
    originCountry,
    weightGrams,
    quantities,
    alcoholPpm,
    additionalCode,
    sku,
    facts,
    answers,
  }
  if (weightGrams !== undefined || quantities !== undefined) noteQuantities(problems, fields, item)
  return item
}

/** Notes the quantities that are too large for all units together. */
function noteQuantities(
  problems: ProblemList,
  paths: (typeof ITEM_PATHS)[number]['fields'],
  { numberOfItems, weightGrams = 0, quantities = [], alcoholPpm }: ContentItem,
): void {
  if (weightGrams * numberOfItems > MAX_QUANTITY * 10 ** WEIGHT.places)
    noteExcess(problems, paths.weight, ['weight', 'weightKg'], 'kg')
  for (const [index, { unit, amountMicros }] of quantities.entries()) {
    const { quantity, per } = readQuantityUnit(unit)
    const micros = (amountMicros * numberOfItems * per.denominator) / per.numerator
    // The litres follow from the pure alcohol and the strength.
    const litres = quantity === PURE_ALCOHOL && alcoholPpm !== undefined ? (micros * 1e6) / alcoholPpm : 0
    if (Math.max(micros, litres) > MAX_QUANTITY * 10 ** AMOUNT.places)
      noteExcess(problems, [...paths.quantities, index, 'amount'], ['amount', 'amount'], quantity)
  }
}

function noteExcess(
  problems: ProblemList,
  path: FieldPath,
  [field, graphqlField]: readonly [string, string],
  quantity: string,
): void {
  const limit = `must be at most ${MAX_QUANTITY} ${quantity}`
  const message = `${field} times numberOfItems ${limit}`
  note(problems, path, 'OUT_OF_RANGE', message, `${graphqlField} times count ${limit}`)
}

function readAdditionalCode(problems: ProblemList, path: FieldPath, value: unknown): string | undefined {
  const code = readText(problems, path, value)?.toUpperCase()
  if (code === undefined || /^[A-Z0-9]{3,4}$/.test(code)) return code
  return note(problems, path, 'MALFORMED', 'must be 3 or 4 letters or digits')
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
