/** The parcels of an input: which of the lists is given, and its rows with the type that core gives them. */
import type { ParcelType } from '../core/rating/request.ts'
import type { ParcelsInput } from './generated.ts'

/** The names of the lists of `ParcelsInput`. */
export type ParcelList = 'boxes' | 'documents' | 'pallets'

type Rows<List extends ParcelList> = NonNullable<ParcelsInput[List]>

export type GivenParcels =
  | { readonly list: 'boxes'; readonly type: 'NONDOC'; readonly rows: Rows<'boxes'> }
  | { readonly list: 'documents'; readonly type: 'DOC'; readonly rows: Rows<'documents'> }
  | { readonly list: 'pallets'; readonly type: 'PALLET'; readonly rows: Rows<'pallets'> }

/** The schema makes sure that exactly one list is given. */
export function parcelsIn({ boxes, documents, pallets }: ParcelsInput): GivenParcels {
  if (boxes != null) return { list: 'boxes', type: 'NONDOC', rows: boxes }
  if (documents != null) return { list: 'documents', type: 'DOC', rows: documents }
  if (pallets != null) return { list: 'pallets', type: 'PALLET', rows: pallets }
  throw new Error('the input has no parcels, although its type requires them')
}

/** The rows as core reads them. */
export function parcelsInput(input: ParcelsInput): readonly object[] {
  const given = parcelsIn(input)
  switch (given.list) {
    case 'boxes':
      return given.rows.map((row) => ({
        type: given.type,
        ...measuresOf(row),
        ...kindOf(row),
      }))
    case 'documents':
      return given.rows.map(({ count, weightKg }) => ({ type: given.type, count, exactWeight: weightKg }))
    case 'pallets':
      return given.rows.map((row) => ({
        type: given.type,
        ...measuresOf(row),
        ...kindOf(row),
        stackable: row.stackable,
      }))
  }
}

type Measured = Rows<'boxes'>[number] | Rows<'pallets'>[number]

function measuresOf({ count, weightKg, lengthCm, widthCm, heightCm }: Measured) {
  return { count, exactWeight: weightKg, length: lengthCm, width: widthCm, height: heightCm }
}

function kindOf({ shape, packaging, freightClass }: Measured) {
  return { shape, packaging, freightClass }
}

export const PARCEL_TYPES = { NONDOC: 'BOX', DOC: 'DOCUMENT', PALLET: 'PALLET' } as const satisfies Readonly<
  Record<ParcelType, string>
>
