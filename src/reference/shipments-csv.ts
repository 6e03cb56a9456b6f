/**
 * Reads the CSV file of `waybill shipment import` and checks it without the database. The store checks accounts,
 * carriers and shipments that are already registered. See docs/shipment-import.md.
 */
import { isCountryCode, type Place } from '../core/place.ts'
import { PARCELS_MAX } from '../core/shipments/parcels.ts'
import { isShipmentId, MAX_REFERENCE_LENGTH, type ShipmentState } from '../core/shipments/shipment.ts'
import { TRACKING_NUMBER_FORMAT } from '../core/shipments/tracking.ts'
import { cellOf, euros, optional, optionalOr, type SureCell, text, whole, word } from './import/csv-cells.ts'
import { type Fields, type Report, readTable, type TableSpec } from './import/csv-rows.ts'
import type { FaultLog, FaultPlace, ImportFault } from './import/import-fault.ts'

/** A row of the file. */
export type ImportedShipment = {
  readonly shipmentId: string
  readonly accountId: string
  readonly carrierCode: string
  /** The carrier's tracking number. Absent if and only if the shipment is a draft. */
  readonly carrierRef?: string
  /** All numbers, the one of `carrierRef` first. Present if there are several. */
  readonly parcelRefs?: readonly string[]
  /** The number of the carrier's order, for carriers that cancel by it. */
  readonly orderRef?: string
  /** The number of pieces. Compared with the numbers, and not stored. */
  readonly pieces?: number
  /** The account's own reference. */
  readonly reference?: string
  readonly productId: number
  readonly state: Exclude<ShipmentState, 'cancelled'>
  readonly from: Place
  readonly to: Place
  readonly priceCents: number
}

export type ShipmentsReading = {
  /** Undefined when there are faults. */
  readonly rows: readonly ImportedShipment[] | undefined
  readonly faults: readonly ImportFault[]
  readonly warnings: readonly ImportFault[]
  /** The place in the file of a row of `rows`, or of one of its fields. */
  locate(index: number, field?: string): FaultPlace
}

type RawShipment = {
  readonly shipmentId: string
  readonly accountId: string
  readonly carrierCode: string
  readonly carrierRef?: string
  readonly otherRefs?: readonly string[]
  readonly orderRef?: string
  readonly pieces?: number
  readonly reference?: string
  readonly productId: number
  readonly state: ImportedShipment['state']
  readonly fromCountry: string
  readonly fromZipcode?: string
  readonly fromCity?: string
  readonly toCountry: string
  readonly toZipcode?: string
  readonly toCity?: string
  readonly priceCents: number
}

const OTHER_REFS = 'other_carrier_refs'
const ORDER_REF = 'carrier_order_ref'

const FIELDS: Fields<RawShipment> = {
  shipmentId: cellOf(
    'shipment_id',
    (id) => (isShipmentId(id) ? id : undefined),
    '1 to 64 characters of A-Z, a-z, 0-9, _ and -',
  ),
  accountId: text('account', 40),
  carrierCode: text('carrier'),
  carrierRef: optional(
    cellOf(
      'carrier_ref',
      (number) => (TRACKING_NUMBER_FORMAT.test(number) ? number : undefined),
      'a tracking number of at most 64 characters, without spaces',
    ),
  ),
  otherRefs: optional(
    cellOf(
      OTHER_REFS,
      numbersOf,
      `at most ${PARCELS_MAX - 1} tracking numbers of at most 64 characters, separated by spaces`,
      (numbers) => numbers.join(' '),
    ),
  ),
  orderRef: optional(
    cellOf(
      ORDER_REF,
      (number) => (TRACKING_NUMBER_FORMAT.test(number) ? number : undefined),
      "the number of the carrier's order, at most 64 characters, without spaces",
    ),
  ),
  pieces: optional(whole('pieces')),
  reference: optional(text('reference', MAX_REFERENCE_LENGTH)),
  productId: whole('product_id'),
  state: optionalOr(word('state', ['draft', 'booked', 'in_transit']), 'booked'),
  fromCountry: isoCountry('from_country'),
  fromZipcode: optional(text('from_zipcode')),
  fromCity: optional(text('from_city')),
  toCountry: isoCountry('to_country'),
  toZipcode: optional(text('to_zipcode')),
  toCity: optional(text('to_city')),
  priceCents: euros('price'),
}

/** Does not throw: problems of the file are faults. */
export function readShipments(file: string, bytes: Uint8Array): ShipmentsReading {
  const columns = { parcelRefs: OTHER_REFS, orderRef: ORDER_REF }
  const spec: TableSpec<RawShipment, ImportedShipment> = {
    file,
    required: true,
    fields: FIELDS,
    columns,
    build,
  }
  const { rows, log, placeOf } = readTable(spec, bytes)
  const locate = (index: number, field?: string): FaultPlace => placeOf(index, field)
  reportDuplicateIds(rows, locate, log)
  const faults = log.faults()
  if (faults.length > 0) return { rows: undefined, faults, warnings: log.warnings(), locate }
  warnOfDuplicateNumbers(rows, locate, log)
  return { rows, faults, warnings: log.warnings(), locate }
}

function numbersOf(cell: string): readonly string[] | undefined {
  const numbers = cell.split(/ +/, PARCELS_MAX)
  const isValid =
    numbers.length < PARCELS_MAX && numbers.every((number) => TRACKING_NUMBER_FORMAT.test(number))
  return isValid ? numbers : undefined
}

function isoCountry(column: string): SureCell<string> {
  return cellOf(
    column,
    (code) => (isCountryCode(code) ? code : undefined),
    'an ISO 3166-1 country code of two capital letters',
  )
}

function build(raw: RawShipment, report: Report): ImportedShipment | undefined {
  const { shipmentId, accountId, carrierCode, carrierRef, productId, state, priceCents } = raw
  if (state === 'draft' && carrierRef !== undefined)
    return report('carrier_ref', 'an empty cell, because a draft has no tracking number', carrierRef)
  if (state !== 'draft' && carrierRef === undefined)
    return report('carrier_ref', `a tracking number, because the state is ${state}`, '')
  const others = raw.otherRefs ?? []
  if (carrierRef === undefined && others.length > 0)
    return report(OTHER_REFS, 'an empty cell, because a draft has no tracking number', others.join(' '))
  if (carrierRef === undefined && raw.orderRef !== undefined)
    return report(ORDER_REF, 'an empty cell, because a draft has no order at the carrier', raw.orderRef)
  const numbers = carrierRef === undefined ? [] : [carrierRef, ...others]
  const repeated = numbers.find((number, index) => numbers.indexOf(number) !== index)
  if (repeated !== undefined) return report(OTHER_REFS, 'each number of the shipment once', repeated)
  return {
    shipmentId,
    accountId,
    carrierCode,
    ...(carrierRef !== undefined && { carrierRef }),
    ...(numbers.length > 1 && { parcelRefs: numbers }),
    ...(raw.orderRef !== undefined && { orderRef: raw.orderRef }),
    ...(raw.pieces !== undefined && { pieces: raw.pieces }),
    ...(raw.reference !== undefined && { reference: raw.reference }),
    productId,
    state,
    from: placeOf(raw.fromCountry, raw.fromZipcode, raw.fromCity),
    to: placeOf(raw.toCountry, raw.toZipcode, raw.toCity),
    priceCents,
  }
}

function placeOf(country: string, zipcode: string | undefined, city: string | undefined): Place {
  return { country, ...(zipcode !== undefined && { zipcode }), ...(city !== undefined && { city }) }
}

type Locate = ShipmentsReading['locate']

function reportDuplicateIds(rows: readonly ImportedShipment[], locate: Locate, log: FaultLog): void {
  for (const { index, first, key } of duplicatesOf(rows, ({ shipmentId }) => [shipmentId]))
    log.fault(
      locate(index).row,
      'shipment_id',
      `an id that is unique in the file; row ${locate(first).row} has the same`,
      key,
    )
}

/** Only a warning: two shipments may travel as one parcel. Its scans are recorded for one of them. */
function warnOfDuplicateNumbers(rows: readonly ImportedShipment[], locate: Locate, log: FaultLog): void {
  const numbersIn = ({
    carrierCode,
    carrierRef = '',
    parcelRefs = [carrierRef],
  }: ImportedShipment): string[] =>
    parcelRefs.flatMap((number) => (number === '' ? [] : `${number} of ${carrierCode}`))
  for (const { index, first, key } of duplicatesOf(rows, numbersIn)) {
    const expected = `a tracking number that is unique in the file; row ${locate(first).row} has the same`
    log.warn(locate(index).row, 'carrier_ref', expected, key)
  }
}

/** Duplicate rows, each with the first row that has its key. */
function duplicatesOf(
  rows: readonly ImportedShipment[],
  keysOf: (row: ImportedShipment) => readonly string[],
): { readonly index: number; readonly first: number; readonly key: string }[] {
  const firsts = new Map<string, number>()
  return rows.flatMap((row, index) =>
    keysOf(row).flatMap((key) => {
      const first = firsts.get(key)
      if (first !== undefined) return [{ index, first, key }]
      firsts.set(key, index)
      return []
    }),
  )
}
