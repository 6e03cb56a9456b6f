/**
 * What a rates request must hold before anything is priced.
 * Source: specification 2.1, 2.2 and 4.1; decisions 1, 7, 9 and 17 to 19 of the README.
 */
import {
  isAbsent,
  note,
  type PlaceInput,
  type ProblemList,
  readBoolean,
  readInstant,
  readList,
  readNumber,
  readOneOf,
  readPlace,
} from '../input.ts'
import type { Place } from '../place.ts'
import { type FieldPath, type InputProblem, inputProblem } from '../problem.ts'

const PARCEL_TYPES = ['NONDOC', 'DOC', 'PALLET'] as const
const RECIPIENTS = ['individual', 'business'] as const

/** A parcel, documents, or a pallet. */
export type ParcelType = (typeof PARCEL_TYPES)[number]

/** Who receives the shipment. */
export type Recipient = (typeof RECIPIENTS)[number]

/** A row of equal parcels; the measures are of one unit. Documents have none: all their measures are 0. */
export type Parcel = {
  readonly count: number
  readonly weightGrams: number
  readonly lengthCm: number
  readonly widthCm: number
  readonly heightCm: number
  readonly stackable: boolean
}

/** A rates request that can be priced. */
export type RatesRequest = {
  readonly from: Place
  readonly to: Place
  readonly parcelType: ParcelType
  readonly parcels: readonly Parcel[]
  readonly recipient: Recipient
  /** Present when the shipment is to be insured for this value, in cents. */
  readonly insuredValueCents?: number
  /** The day it is priced for, UTC. Absent: today. */
  readonly date?: string
}

/** A rates request as a door received it. */
export type RatesInput = {
  readonly from: PlaceInput
  readonly to: PlaceInput
  readonly parcels: unknown
  readonly insured?: unknown
  readonly totalValue?: unknown
  readonly recipientType?: unknown
  readonly asOf?: unknown
}

/** Limits of one request (README decision 7). Weight and size only keep arithmetic exact; products have their own. */
export const RATES_LIMITS = {
  parcelRows: 99,
  totalCount: 999,
  weightKg: 1_000_000,
  sideCm: 100_000,
  totalValueEuro: 1_000_000_000,
} as const

/** The request a draft stands for, or every fault in it. */
export function checkRatesRequest(input: RatesInput): RatesRequest | InputProblem {
  const problems: ProblemList = []
  const parcels = readParcels(problems, input.parcels)
  const from = readPlace(problems, ['from'], input.from)
  const to = readPlace(problems, ['to'], input.to)
  const insuredValueCents = readInsuredValue(problems, input)
  const recipient = readRecipient(problems, input.recipientType, hasPallet(input.parcels))
  const date = readInstant(problems, ['asOf'], input.asOf)
  if (problems.length > 0 || parcels === undefined || from === undefined || to === undefined)
    return inputProblem(problems)
  return {
    from,
    to,
    ...parcels,
    recipient,
    ...(insuredValueCents !== undefined && { insuredValueCents }),
    ...(date !== undefined && { date }),
  }
}

function readInsuredValue(problems: ProblemList, input: RatesInput): number | undefined {
  const insured = readBoolean(problems, ['insured'], input.insured)
  const valueCents = readNumber(problems, ['totalValue'], input.totalValue, {
    places: 2,
    min: 0,
    max: RATES_LIMITS.totalValueEuro,
  })
  if (insured !== true) return undefined
  if (isAbsent(input.totalValue)) note(problems, ['totalValue'], 'REQUIRED', 'required when insured is true')
  return valueCents
}

/** Without a recipient type the dearer one is assumed, so that a price never understates (README decision 9). */
function readRecipient(problems: ProblemList, value: unknown, palletSent: boolean): Recipient {
  if (isAbsent(value) && palletSent) note(problems, ['recipientType'], 'REQUIRED', 'required for PALLET')
  return readOneOf(problems, ['recipientType'], value, RECIPIENTS) ?? 'individual'
}

/** True when any row says it is a pallet, whatever else is wrong with the rows. */
function hasPallet(rows: unknown): boolean {
  return Array.isArray(rows) && rows.some((row: { readonly type?: unknown } | null) => row?.type === 'PALLET')
}

type ParcelRows = { readonly parcelType: ParcelType; readonly parcels: readonly Parcel[] }

function readParcels(problems: ProblemList, value: unknown): ParcelRows | undefined {
  const rows = readList(problems, ['parcels'], value, RATES_LIMITS.parcelRows)
  if (rows === undefined) return undefined
  const read = rows.map((row, index) => readParcel(problems, ['parcels', index], row))
  const types = [...new Set(read.flatMap((row) => (row === undefined ? [] : [row.type])))]
  if (types.length > 1)
    note(problems, ['parcels'], 'CONFLICT', `types cannot be combined: ${types.join(' and ')}`)
  const parcels = read.flatMap((row) => (row === undefined ? [] : [row.parcel]))
  if (parcels.reduce((sum, parcel) => sum + parcel.count, 0) > RATES_LIMITS.totalCount)
    note(problems, ['parcels'], 'TOO_MANY', `at most ${RATES_LIMITS.totalCount} units in total`)
  const [parcelType] = types
  return parcelType === undefined ? undefined : { parcelType, parcels }
}

function readParcel(
  problems: ProblemList,
  path: FieldPath,
  row: unknown,
): { readonly type: ParcelType; readonly parcel: Parcel } | undefined {
  if (typeof row !== 'object' || row === null || Array.isArray(row))
    return note(problems, path, 'WRONG_TYPE', 'must be an object')
  const draft = row as Readonly<Record<string, unknown>>
  const type = readOneOf(problems, [...path, 'type'], draft['type'], PARCEL_TYPES)
  if (type === undefined && isAbsent(draft['type'])) note(problems, [...path, 'type'], 'REQUIRED', 'required')
  const measured = type !== 'DOC'
  const measure = (field: string, places: number, max: number): number =>
    measured ? readMeasure(problems, [...path, field], draft[field], type, places, max) : 0
  const weightTenths = measure('weight', 1, RATES_LIMITS.weightKg)
  const parcel: Parcel = {
    weightGrams: weightTenths * 100,
    lengthCm: measure('length', 0, RATES_LIMITS.sideCm),
    widthCm: measure('width', 0, RATES_LIMITS.sideCm),
    heightCm: measure('height', 0, RATES_LIMITS.sideCm),
    count: readCount(problems, [...path, 'count'], draft['count']),
    stackable: readStackable(problems, [...path, 'stackable'], draft['stackable'], type),
  }
  return type === undefined ? undefined : { type, parcel }
}

/** A weight or side; where the row's type is at fault its absence is not held against it as well. */
function readMeasure(
  problems: ProblemList,
  path: FieldPath,
  value: unknown,
  type: ParcelType | undefined,
  places: number,
  max: number,
): number {
  if (isAbsent(value) && type !== undefined) note(problems, path, 'REQUIRED', `required for ${type}`)
  return readNumber(problems, path, value, { places, max }) ?? 0
}

function readCount(problems: ProblemList, path: FieldPath, value: unknown): number {
  if (isAbsent(value)) note(problems, path, 'REQUIRED', 'required')
  return readNumber(problems, path, value, { places: 0, max: RATES_LIMITS.totalCount }) ?? 0
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
