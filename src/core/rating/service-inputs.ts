/**
 * What the sender states about services: the slot of a delivery, the amount to collect, and the dangerous goods. Reads
 * the services of a request. See docs/rate-cards.md#inputs-of-services.
 */
import {
  isAbsent,
  isJsonObject,
  type JsonObject,
  note,
  type ProblemList,
  readBoolean,
  readList,
  readNumber,
  readOneOf,
} from '../input.ts'
import type { FieldPath } from '../problem.ts'
import { decimalPlaces } from './currency/currency-decimals.ts'
import { isService, SERVICES, type Service, servicesIn } from './sender-service.ts'

/** The services whose rows in a rate card may state slots. */
export const SLOT_SERVICES = ['TIME_SLOT', 'APPOINTMENT'] as const satisfies readonly Service[]
export type SlotService = (typeof SLOT_SERVICES)[number]

export function hasSlots(service: Service): service is SlotService {
  return SLOT_SERVICES.some((other) => other === service)
}

/** Classes and divisions of dangerous goods. Source: UN Recommendations, Model Regulations, chapter 2.0. */
export const HAZARD_CLASSES = [
  ...(['CLASS_1', 'CLASS_1_1', 'CLASS_1_2', 'CLASS_1_3', 'CLASS_1_4', 'CLASS_1_5', 'CLASS_1_6'] as const),
  ...(['CLASS_2', 'CLASS_2_1', 'CLASS_2_2', 'CLASS_2_3', 'CLASS_3'] as const),
  ...(['CLASS_4_1', 'CLASS_4_2', 'CLASS_4_3', 'CLASS_5_1', 'CLASS_5_2', 'CLASS_6_1', 'CLASS_6_2'] as const),
  ...(['CLASS_7', 'CLASS_8', 'CLASS_9'] as const),
] as const
export type HazardClass = (typeof HAZARD_CLASSES)[number]

/** The degree of danger: great, medium, minor. */
export const PACKING_GROUPS = ['I', 'II', 'III'] as const
export type PackingGroup = (typeof PACKING_GROUPS)[number]

/** Goods with one UN number. An absent field is not stated. */
export type DangerousGoods = {
  /** "UN3480". */
  readonly unNumber: string
  readonly hazardClass?: HazardClass
  readonly packingGroup?: PackingGroup
  readonly limitedQuantity: boolean
  /** Net weight of the goods in all packages. */
  readonly netGrams?: number
  readonly packages?: number
}

/** What the carrier collects: hundredths of a currency (ISO 4217), also of one with other decimals. */
export type CollectedAmount = { readonly currency: string; readonly hundredths: number }

/** The inputs of the services of a request. Also the form in which a shipment stores them. */
export type ServiceInputs = {
  readonly slots?: Readonly<Partial<Record<SlotService, string>>>
  readonly cashOnDelivery?: CollectedAmount
  /** At least one entry. */
  readonly dangerousGoods?: readonly DangerousGoods[]
}

/**
 * Limits of one request. The amount to collect only keeps the arithmetic exact; rate cards have their own maximum. It
 * is in units of its currency.
 */
export const SERVICE_LIMITS = {
  collected: 100_000_000,
  goods: 10,
  netKg: 1_000_000,
  packages: 999,
} as const

/** A name such as `evening`, or a time window such as `08:00-10:00`, whose end is after its start. */
export function isSlot(text: string): boolean {
  const [, from, to] = /^(\d\d:\d\d)-(\d\d:\d\d)$/.exec(text) ?? []
  if (from === undefined || to === undefined) return /^[a-z][a-z0-9-]{0,29}$/.test(text)
  return isTime(from) && isTime(to) && from < to
}

function isTime(text: string): boolean {
  return /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(text)
}

/** Completes "must be …" and "expected …". */
export const SLOT_FORM = 'a slot such as evening or 08:00-10:00'

export function isUnNumber(text: string): boolean {
  return /^UN\d{4}$/.test(text)
}

/** Completes "must be …" and "expected …". */
export const UN_NUMBER_FORM = 'a UN number such as UN3480'

/** The services of a request, each once, in the order of SERVICES, with their inputs. Absent: there are none. */
export type ChosenServices = {
  readonly services?: readonly Service[]
  readonly serviceInputs?: ServiceInputs
}

/** The inputs that the fields of an entry state, by service. */
const FIELDS = ['slot', 'cashOnDelivery', 'dangerousGoods'] as const
type InputField = (typeof FIELDS)[number]

function takes(service: Service, field: InputField): boolean {
  if (field === 'slot') return hasSlots(service)
  return service === (field === 'cashOnDelivery' ? 'CASH_ON_DELIVERY' : 'DANGEROUS_GOODS')
}

/** The input without which a service cannot be requested. Whether a slot is needed depends on the rate card. */
export function requiredInput(service: Service): 'cashOnDelivery' | 'dangerousGoods' | undefined {
  if (service === 'CASH_ON_DELIVERY') return 'cashOnDelivery'
  return service === 'DANGEROUS_GOODS' ? 'dangerousGoods' : undefined
}

/** The services of a list that lack the input that they need: in drafts that a former version stored. */
export function servicesWithoutInput({
  services = [],
  serviceInputs = {},
}: ChosenServices): readonly Service[] {
  return services.filter((service) => {
    const field = requiredInput(service)
    return field !== undefined && serviceInputs[field] === undefined
  })
}

/** The service of an entry of the input, not validated. */
export function serviceOf(entry: unknown): unknown {
  return isJsonObject(entry) ? entry['service'] : entry
}

/** An entry is the word of a service without inputs, or an object with the service and its inputs. */
export function readServices(problems: ProblemList, value: unknown): ChosenServices {
  const path = ['services']
  if (isAbsent(value)) return {}
  if (!Array.isArray(value)) return note(problems, path, 'WRONG_TYPE', 'must be a list') ?? {}
  if (value.length > SERVICES.length)
    return note(problems, path, 'TOO_MANY', `must have at most ${SERVICES.length} entries`) ?? {}
  const inputs: Inputs = {}
  const stated = new Map<Service, boolean>()
  for (const [index, entry] of value.entries()) {
    const service = readEntry(problems, [...path, index], entry, stated, inputs)
    if (service !== undefined) stated.set(service, isJsonObject(entry) && hasInputs(entry))
  }
  const services = servicesIn([...stated.keys()])
  if (services.length === 0) return {}
  return { services, ...(Object.keys(inputs).length > 0 && { serviceInputs: inputs }) }
}

type Inputs = { -readonly [Field in keyof ServiceInputs]: ServiceInputs[Field] }

function hasInputs(entry: JsonObject): boolean {
  return FIELDS.some((field) => !isAbsent(entry[field]))
}

/** Adds the inputs of an entry to `inputs`. A service may be repeated if no entry of it has inputs. */
function readEntry(
  problems: ProblemList,
  path: FieldPath,
  entry: unknown,
  stated: ReadonlyMap<Service, boolean>,
  inputs: Inputs,
): Service | undefined {
  const fields: JsonObject = isJsonObject(entry) ? entry : { service: entry }
  const service = serviceOf(entry)
  if (!isService(service))
    return note(
      problems,
      isJsonObject(entry) ? [...path, 'service'] : path,
      'UNKNOWN_VALUE',
      `must be one of ${SERVICES.join(', ')}`,
    )
  if (stated.has(service) && (stated.get(service) === true || hasInputs(fields)))
    return note(problems, path, 'CONFLICT', `${service} must have one entry only`)
  for (const field of FIELDS) {
    if (takes(service, field)) readInput(problems, [...path, field], service, field, fields[field], inputs)
    else if (!isAbsent(fields[field]))
      note(problems, [...path, field], 'CONFLICT', `must be left out for ${service}`)
  }
  return service
}

function readInput(
  problems: ProblemList,
  path: FieldPath,
  service: Service,
  field: InputField,
  value: unknown,
  inputs: Inputs,
): void {
  if (isAbsent(value)) {
    if (field !== 'slot') note(problems, path, 'REQUIRED', `required for ${service}`)
    return
  }
  switch (field) {
    case 'slot':
      if (typeof value !== 'string') note(problems, path, 'WRONG_TYPE', 'must be a string')
      else if (isSlot(value)) inputs.slots = { ...inputs.slots, [service]: value }
      else note(problems, path, 'MALFORMED', `must be ${SLOT_FORM}`)
      return
    case 'cashOnDelivery': {
      const collected = readCollected(problems, path, value)
      if (collected !== undefined) inputs.cashOnDelivery = collected
      return
    }
    case 'dangerousGoods': {
      const rows = readList(problems, path, value, SERVICE_LIMITS.goods) ?? []
      const goods = rows.map((row, index) => readGoods(problems, [...path, index], row))
      inputs.dangerousGoods = goods.filter((row) => row !== undefined)
    }
  }
}

function readCollected(problems: ProblemList, path: FieldPath, value: unknown): CollectedAmount | undefined {
  if (!isJsonObject(value)) return note(problems, path, 'WRONG_TYPE', 'must be an object')
  const { currency, amount } = value
  if (typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency))
    return note(problems, [...path, 'currency'], 'MALFORMED', 'must be an ISO 4217 code such as EUR')
  const places = Math.min(2, decimalPlaces(currency))
  const rule = { places, max: SERVICE_LIMITS.collected }
  if (isAbsent(amount)) return note(problems, [...path, 'amount'], 'REQUIRED', 'required')
  const steps = readNumber(problems, [...path, 'amount'], amount, rule)
  return steps === undefined ? undefined : { currency, hundredths: steps * 10 ** (2 - places) }
}

function readGoods(problems: ProblemList, path: FieldPath, row: unknown): DangerousGoods | undefined {
  if (!isJsonObject(row)) return note(problems, path, 'WRONG_TYPE', 'must be an object')
  const at = (field: string): FieldPath => [...path, field]
  const unNumber = readUnNumber(problems, at('unNumber'), row['unNumber'])
  const hazardClass = readOneOf(problems, at('hazardClass'), row['hazardClass'], HAZARD_CLASSES)
  const packingGroup = readOneOf(problems, at('packingGroup'), row['packingGroup'], PACKING_GROUPS)
  const limitedQuantity = readBoolean(problems, at('limitedQuantity'), row['limitedQuantity']) ?? false
  const netGrams = readNumber(problems, at('netWeightKg'), row['netWeightKg'], NET_WEIGHT)
  const packages = readNumber(problems, at('packages'), row['packages'], PACKAGES)
  if (unNumber === undefined) return undefined
  return {
    unNumber,
    limitedQuantity,
    ...(hazardClass !== undefined && { hazardClass }),
    ...(packingGroup !== undefined && { packingGroup }),
    ...(netGrams !== undefined && { netGrams }),
    ...(packages !== undefined && { packages }),
  }
}

const NET_WEIGHT = { places: 3, max: SERVICE_LIMITS.netKg }
const PACKAGES = { places: 0, max: SERVICE_LIMITS.packages }

function readUnNumber(problems: ProblemList, path: FieldPath, value: unknown): string | undefined {
  if (isAbsent(value)) return note(problems, path, 'REQUIRED', 'required')
  if (typeof value !== 'string') return note(problems, path, 'WRONG_TYPE', 'must be a string')
  return isUnNumber(value) ? value : note(problems, path, 'MALFORMED', `must be ${UN_NUMBER_FORM}`)
}

/** Equal for equal inputs: the fields in a fixed order. '' if there are none. */
export function serviceInputsText({ slots, cashOnDelivery, dangerousGoods }: ServiceInputs = {}): string {
  if (slots === undefined && cashOnDelivery === undefined && dangerousGoods === undefined) return ''
  return JSON.stringify([
    SLOT_SERVICES.map((service) => slots?.[service] ?? null),
    cashOnDelivery === undefined ? null : [cashOnDelivery.currency, cashOnDelivery.hundredths],
    (dangerousGoods ?? []).map((row) => [
      ...[row.unNumber, row.hazardClass ?? null, row.packingGroup ?? null, row.limitedQuantity],
      ...[row.netGrams ?? null, row.packages ?? null],
    ]),
  ])
}
