/**
 * Shipments that were booked elsewhere, as a CSV file that an operator registers. Decided here: what a row may say,
 * and that an id stands in a file once. Whether accounts and carriers exist, and what is registered already, is for
 * the database to say. Source: README, "Registering shipments".
 */
import { isCountryCode, type Place } from '../core/place.ts'
import { isShipmentId, type ShipmentState } from '../core/shipments/shipment.ts'
import { cellOf, euros, optional, optionalOr, type SureCell, text, whole, word } from './import/csv-cells.ts'
import { type Fields, type Report, readTable, type TableSpec } from './import/csv-rows.ts'
import type { FaultLog, FaultPlace, ImportFault } from './import/import-fault.ts'

/** A shipment as a row of the file says it. Money in cents. */
export type ImportedShipment = {
  readonly shipmentId: string
  readonly accountId: string
  readonly carrierCode: string
  /** The carrier's tracking number; absent for a draft, and for a draft alone. */
  readonly carrierRef?: string
  readonly productId: number
  readonly state: Exclude<ShipmentState, 'cancelled'>
  readonly from: Place
  readonly to: Place
  readonly priceCents: number
}

/** What reading the file came to. */
export type ShipmentsReading = {
  /** Undefined when there are faults. */
  readonly rows: readonly ImportedShipment[] | undefined
  readonly faults: readonly ImportFault[]
  readonly warnings: readonly ImportFault[]
  /** Where a row of `rows` stands in the file, and the cell of one of its fields. */
  locate(index: number, field?: string): FaultPlace
}

type RawShipment = {
  readonly shipmentId: string
  readonly accountId: string
  readonly carrierCode: string
  readonly carrierRef?: string
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

const FIELDS: Fields<RawShipment> = {
  shipmentId: cellOf(
    'shipment_id',
    (id) => (isShipmentId(id) ? id : undefined),
    '1 to 64 of A-Z, a-z, 0-9, _ and -',
  ),
  accountId: text('account', 40),
  carrierCode: text('carrier'),
  carrierRef: optional(
    // What the gateway to carriers takes as a number, and nothing else.
    cellOf(
      'carrier_ref',
      (number) => (/^[\x21-\x7e]{1,64}$/.test(number) ? number : undefined),
      'a tracking number of at most 64 characters, without blanks',
    ),
  ),
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

/** Reads the file. Never throws on what it holds. */
export function readShipments(file: string, bytes: Uint8Array): ShipmentsReading {
  const spec: TableSpec<RawShipment, ImportedShipment> = { file, required: true, fields: FIELDS, build }
  const { rows, log, placeOf } = readTable(spec, bytes)
  const locate = (index: number, field?: string): FaultPlace => placeOf(index, field)
  noIdTwice(rows, locate, log)
  const faults = log.faults()
  if (faults.length > 0) return { rows: undefined, faults, warnings: log.warnings(), locate }
  warnOfSharedNumbers(rows, locate, log)
  return { rows, faults, warnings: log.warnings(), locate }
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
    return report('carrier_ref', 'nothing, since a draft has no tracking number yet', carrierRef)
  if (state !== 'draft' && carrierRef === undefined)
    return report('carrier_ref', `the tracking number, which every shipment that is ${state} has`, '')
  return {
    shipmentId,
    accountId,
    carrierCode,
    ...(carrierRef !== undefined && { carrierRef }),
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

function noIdTwice(rows: readonly ImportedShipment[], locate: Locate, log: FaultLog): void {
  for (const { index, first, key } of secondOnes(rows, ({ shipmentId }) => shipmentId))
    log.fault(locate(index).row, 'shipment_id', `each id once; row ${locate(first).row} has it`, key)
}

/** Some goods of two shipments travel as one parcel; yet a scan of it is put down to one of them. */
function warnOfSharedNumbers(rows: readonly ImportedShipment[], locate: Locate, log: FaultLog): void {
  const numberOf = ({ carrierCode, carrierRef }: ImportedShipment): string | undefined =>
    carrierRef === undefined ? undefined : `${carrierRef} of ${carrierCode}`
  for (const { index, first, key } of secondOnes(rows, numberOf)) {
    const expected = `a tracking number of its own; row ${locate(first).row} has the same`
    log.warn(locate(index).row, 'carrier_ref', expected, key)
  }
}

/** The rows whose key an earlier one has, with the first that has it. */
function secondOnes(
  rows: readonly ImportedShipment[],
  keyOf: (row: ImportedShipment) => string | undefined,
): { readonly index: number; readonly first: number; readonly key: string }[] {
  const firsts = new Map<string, number>()
  return rows.flatMap((row, index) => {
    const key = keyOf(row)
    if (key === undefined) return []
    const first = firsts.get(key)
    if (first !== undefined) return [{ index, first, key }]
    firsts.set(key, index)
    return []
  })
}
