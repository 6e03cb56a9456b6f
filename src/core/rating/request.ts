/**
 * Validation of a rates request.
 * Rules: docs/rest-contract.md#request, and there R1, R7, R9 and R17 to R19.
 */
import {
  isAbsent,
  isJsonObject,
  type JsonObject,
  type NumberRule,
  note,
  type PlaceInput,
  type ProblemList,
  readBoolean,
  readDay,
  readInstant,
  readList,
  readNumber,
  readOneOf,
  readPlace,
} from '../input.ts'
import type { Place } from '../place.ts'
import { type FieldPath, type InputProblem, inputProblem } from '../problem.ts'
import { formatDecimal } from '../quantity.ts'
import type { Service } from './sender-service.ts'
import { readServices, type ServiceInputs } from './service-inputs.ts'

export const PARCEL_TYPES = ['NONDOC', 'DOC', 'PALLET'] as const
export const RECIPIENTS = ['individual', 'business'] as const

/** NONDOC is a parcel with goods, DOC a document. */
export type ParcelType = (typeof PARCEL_TYPES)[number]

export type Recipient = (typeof RECIPIENTS)[number]

/** The shape of a parcel, if it is stated. TUBE: a cylinder of cardboard. ROLL: rolled goods without a box. */
export const SHAPES = ['RECTANGULAR', 'TUBE', 'ROLL', 'IRREGULAR'] as const
export type Shape = (typeof SHAPES)[number]

/**
 * The freight classes of the National Motor Freight Classification of the USA, in tenths: 775 is class 77.5. Dense
 * goods have low classes.
 */
export const FREIGHT_CLASS_TENTHS: readonly number[] = [
  500, 550, 600, 650, 700, 775, 850, 925, 1000, 1100, 1250, 1500, 1750, 2000, 2500, 3000, 4000, 5000,
]

/** "77.5". */
export function freightClassText(tenths: number): string {
  return formatDecimal(tenths, 1)
}

/** What a parcel is packed in, if it is stated. */
export const PACKAGINGS = ['ENVELOPE', 'BOX', 'CRATE', 'PALLET', 'EURO_PALLET', 'MESH_BOX'] as const
export type Packaging = (typeof PACKAGINGS)[number]

/**
 * A row of equal parcels. Measures are those of one unit. The sides of a document are 0, and so is its weight if it is
 * not stated.
 */
export type Parcel = {
  readonly count: number
  readonly weightGrams: number
  readonly lengthCm: number
  readonly widthCm: number
  readonly heightCm: number
  readonly stackable: boolean
  /** Absent: not stated. */
  readonly shape?: Shape
  /** Absent: not stated. */
  readonly packaging?: Packaging
  /** One of FREIGHT_CLASS_TENTHS. Absent: not stated. */
  readonly freightClassTenths?: number
}

/** The actual weight of a unit. A document without a stated weight counts as `documentGrams`. */
export function actualGramsOf({ weightGrams }: Parcel, documentGrams: number | undefined): number {
  return documentGrams !== undefined && weightGrams === 0 ? documentGrams : weightGrams
}

/** A validated rates request. */
export type RatesRequest = {
  readonly from: Place
  readonly to: Place
  readonly parcelType: ParcelType
  readonly parcels: readonly Parcel[]
  readonly recipient: Recipient
  /** Present if the shipment is to be insured for this value. */
  readonly insuredValueCents?: number
  /** Chosen by the sender: each once, in the order of SERVICES. Absent: none. */
  readonly services?: readonly Service[]
  /** Present if any of the services has inputs. */
  readonly serviceInputs?: ServiceInputs
  /** The UTC day to price for, 'YYYY-MM-DD'; absent: today. */
  readonly date?: string
  /** The day from which the shipment can be picked up, 'YYYY-MM-DD'; absent: today. Has no effect on prices. */
  readonly shippingDate?: string
}

export type RatesInput = {
  readonly from: PlaceInput
  readonly to: PlaceInput
  readonly parcels: unknown
  readonly insured?: unknown
  readonly totalValue?: unknown
  readonly recipientType?: unknown
  readonly services?: unknown
  readonly asOf?: unknown
  readonly shippingDate?: unknown
}

/**
 * Limits of one request (docs/rest-contract.md#r7). The limits of weight and size only keep the arithmetic exact;
 * products have their own.
 */
export const RATES_LIMITS = {
  parcelRows: 99,
  totalCount: 999,
  weightKg: 1_000_000,
  sideCm: 100_000,
  totalValueEuro: 1_000_000_000,
} as const

const RULES = {
  totalValue: { places: 2, min: 0, max: RATES_LIMITS.totalValueEuro },
  weight: { places: 1, max: RATES_LIMITS.weightKg },
  exactWeight: { places: 3, max: RATES_LIMITS.weightKg },
  side: { places: 0, max: RATES_LIMITS.sideCm },
  count: { places: 0, max: RATES_LIMITS.totalCount },
  freightClass: { places: 1, max: 1000 },
} as const satisfies Readonly<Record<string, NumberRule>>

/** Returns the validated request, or a problem that lists every fault. */
export function checkRatesRequest(input: RatesInput): RatesRequest | InputProblem {
  const problems: ProblemList = []
  const parcels = readParcels(problems, input.parcels)
  const from = readPlace(problems, 'from', input.from)
  const to = readPlace(problems, 'to', input.to)
  const insuredValueCents = readInsuredValue(problems, input)
  const recipient = readRecipient(problems, input.recipientType, hasPallet(input.parcels))
  const { services, serviceInputs } = readServices(problems, input.services)
  const date = readInstant(problems, ['asOf'], input.asOf)
  const shippingDate = readDay(problems, ['shippingDate'], input.shippingDate)
  if (problems.length > 0 || parcels === undefined || from === undefined || to === undefined)
    return inputProblem(problems)
  // Written out, because spreading an object is several times slower.
  const request: { -readonly [Field in keyof RatesRequest]: RatesRequest[Field] } = {
    from,
    to,
    parcelType: parcels.parcelType,
    parcels: parcels.parcels,
    recipient,
  }
  if (insuredValueCents !== undefined) request.insuredValueCents = insuredValueCents
  if (services !== undefined) request.services = services
  if (serviceInputs !== undefined) request.serviceInputs = serviceInputs
  if (date !== undefined) request.date = date
  if (shippingDate !== undefined) request.shippingDate = shippingDate
  return request
}

function readInsuredValue(problems: ProblemList, input: RatesInput): number | undefined {
  const insured = readBoolean(problems, ['insured'], input.insured)
  const valueCents = readNumber(problems, ['totalValue'], input.totalValue, RULES.totalValue)
  if (insured !== true) return undefined
  if (isAbsent(input.totalValue)) note(problems, ['totalValue'], 'REQUIRED', 'required when insured is true')
  return valueCents
}

/** Defaults to the recipient type that can only add surcharges, so that a price is never too low (R9). */
function readRecipient(problems: ProblemList, value: unknown, palletSent: boolean): Recipient {
  if (isAbsent(value) && palletSent) note(problems, ['recipientType'], 'REQUIRED', 'required for PALLET')
  return readOneOf(problems, ['recipientType'], value, RECIPIENTS) ?? 'individual'
}

/** True if any row has the type PALLET, even if the rows have other faults. */
function hasPallet(rows: unknown): boolean {
  return Array.isArray(rows) && rows.some((row: { readonly type?: unknown } | null) => row?.type === 'PALLET')
}

type ParcelRows = { readonly parcelType: ParcelType; readonly parcels: readonly Parcel[] }

function readParcels(problems: ProblemList, value: unknown): ParcelRows | undefined {
  const rows = readList(problems, ['parcels'], value, RATES_LIMITS.parcelRows)
  if (rows === undefined) return undefined
  const parcels: Parcel[] = []
  const types: ParcelType[] = []
  let units = 0
  for (let index = 0; index < rows.length; index++) {
    const read = readParcel(problems, index, rows[index])
    if (read === undefined) continue
    if (!types.includes(read.type)) types.push(read.type)
    parcels.push(read.parcel)
    units += read.parcel.count
  }
  if (types.length > 1)
    note(problems, ['parcels'], 'CONFLICT', `must all have the same type, found ${types.join(' and ')}`)
  if (units > RATES_LIMITS.totalCount)
    note(problems, ['parcels'], 'TOO_MANY', `must have at most ${RATES_LIMITS.totalCount} units in total`)
  const [parcelType] = types
  return parcelType === undefined ? undefined : { parcelType, parcels }
}

function readParcel(
  problems: ProblemList,
  index: number,
  input: unknown,
): { readonly type: ParcelType; readonly parcel: Parcel } | undefined {
  const at = (field: string): FieldPath => ['parcels', index, field]
  if (!isJsonObject(input)) return note(problems, ['parcels', index], 'WRONG_TYPE', 'must be an object')
  const type = readOneOf(problems, at('type'), input['type'], PARCEL_TYPES)
  if (type === undefined && isAbsent(input['type'])) note(problems, at('type'), 'REQUIRED', 'required')
  const isMeasured = type !== 'DOC'
  const parcel: { -readonly [Field in keyof Parcel]: Parcel[Field] } = {
    weightGrams: readWeight(problems, at('weight'), input, type),
    lengthCm: isMeasured ? readMeasure(problems, at('length'), input['length'], type, RULES.side) : 0,
    widthCm: isMeasured ? readMeasure(problems, at('width'), input['width'], type, RULES.side) : 0,
    heightCm: isMeasured ? readMeasure(problems, at('height'), input['height'], type, RULES.side) : 0,
    count: readCount(problems, at('count'), input['count']),
    stackable: readStackable(problems, at('stackable'), input['stackable'], type),
  }
  // Absent fields are left out, so that most parcels have the same fields and are read faster.
  if (!isAbsent(input['shape'])) {
    const shape = readOneOf(problems, at('shape'), input['shape'], SHAPES)
    if (shape !== undefined) parcel.shape = shape
  }
  if (!isAbsent(input['packaging'])) {
    const packaging = readOneOf(problems, at('packaging'), input['packaging'], PACKAGINGS)
    if (packaging !== undefined) parcel.packaging = packaging
  }
  if (!isAbsent(input['freightClass'])) {
    const tenths = readFreightClass(problems, at('freightClass'), input['freightClass'])
    if (tenths !== undefined) parcel.freightClassTenths = tenths
  }
  return type === undefined ? undefined : { type, parcel }
}

/** In tenths. */
function readFreightClass(problems: ProblemList, path: FieldPath, value: unknown): number | undefined {
  const tenths = readNumber(problems, path, value, RULES.freightClass)
  if (tenths === undefined || FREIGHT_CLASS_TENTHS.includes(tenths)) return tenths
  const classes = FREIGHT_CLASS_TENTHS.map(freightClassText).join(', ')
  return note(problems, path, 'UNKNOWN_VALUE', `must be one of ${classes}`)
}

/**
 * Grams. A door that accepts grams passes `exactWeight` in kilograms instead of `weight`, which has one decimal. The
 * weight of a document is optional, and only `exactWeight` is read.
 */
function readWeight(
  problems: ProblemList,
  path: FieldPath,
  { weight, exactWeight }: JsonObject,
  type: ParcelType | undefined,
): number {
  if (type === 'DOC') return readNumber(problems, path, exactWeight, RULES.exactWeight) ?? 0
  return isAbsent(exactWeight)
    ? 100 * readMeasure(problems, path, weight, type, RULES.weight)
    : readMeasure(problems, path, exactWeight, type, RULES.exactWeight)
}

/** A weight or side. Its absence is not reported if the type is missing or unknown. */
function readMeasure(
  problems: ProblemList,
  path: FieldPath,
  value: unknown,
  type: ParcelType | undefined,
  rule: NumberRule,
): number {
  if (isAbsent(value) && type !== undefined)
    note(problems, path, 'REQUIRED', `required for ${type}`, 'required')
  return readNumber(problems, path, value, rule) ?? 0
}

function readCount(problems: ProblemList, path: FieldPath, value: unknown): number {
  if (isAbsent(value)) note(problems, path, 'REQUIRED', 'required')
  return readNumber(problems, path, value, RULES.count) ?? 0
}

function readStackable(
  problems: ProblemList,
  path: FieldPath,
  value: unknown,
  type: ParcelType | undefined,
): boolean {
  if (type !== 'PALLET') return false
  if (isAbsent(value)) note(problems, path, 'REQUIRED', 'required for PALLET')
  return readBoolean(problems, path, value) ?? false
}
