/** services.csv of a rate card: the services that the sender can choose. See docs/rate-card-files.md#services. */
import { MAX_LENGTH } from '../../core/expressions/lexer.ts'
import { SERVICE_METHODS, type ServiceRow, type SurchargePer } from '../../core/rating/rate-card.ts'
import { SERVICE_NAMES, SERVICES } from '../../core/rating/sender-service.ts'
import {
  choice,
  country,
  euros,
  figure,
  kilograms,
  listOf,
  optional,
  optionalOr,
  text,
  whole,
  word,
  zoneList,
} from '../import/csv-cells.ts'
import type { Report, WritableTableSpec } from '../import/csv-rows.ts'

/** What a price is for. The first word of each meaning is written. */
export const COUNTED_BY: Readonly<Record<string, SurchargePer>> = {
  shipment: 'shipment',
  piece: 'unit',
  parcel: 'unit',
  pallet: 'unit',
}

type RawService = Omit<ServiceRow, 'amount' | 'name'> & { readonly amount?: number; readonly name?: string }

const services = (column: string) =>
  optionalOr(listOf(word(column, SERVICES), 'services such as SIGNATURE|APPOINTMENT'), [])
const countries = (column: string) => optional(listOf(country(column), 'country codes such as NL|BE'))

/** services.csv */
export const SERVICE_OFFERS: WritableTableSpec<RawService, ServiceRow> = {
  file: 'services.csv',
  required: false,
  fields: {
    carrierCode: text('carrier_code'),
    service: word('service', SERVICES),
    name: optional(text('name')),
    method: word('method', SERVICE_METHODS),
    // Cents, cents per kilogram, or basis points: two decimals in each case.
    amount: optional(figure('amount', 2, 0)),
    minimumCents: optionalOr(euros('min_eur'), 0),
    maximumCents: optional(euros('max_eur', 1)),
    per: choice('per', COUNTED_BY),
    formula: optional(text('formula', MAX_LENGTH)),
    fuelable: choice('fuelable', { yes: true, no: false }),
    products: optional(listOf(whole('products'), 'product ids such as 1101|1103')),
    fromCountries: countries('from_countries'),
    toCountries: countries('to_countries'),
    zones: optional(zoneList('zones')),
    minShipmentGrams: optional(kilograms('min_shipment_kg')),
    maxShipmentGrams: optional(kilograms('max_shipment_kg')),
    maxUnitGrams: optional(kilograms('max_piece_kg')),
    condition: optional(text('condition', MAX_LENGTH)),
    requires: services('requires'),
    excludes: services('excludes'),
  },
  build: ({ amount, name, ...row }, report) => {
    if (!isPriced(row, amount, report)) return undefined
    return { ...row, name: name ?? SERVICE_NAMES[row.service], amount: amount ?? 0 }
  },
  rawOf: ({ amount, ...row }) => (row.method === 'formula' ? row : { ...row, amount }),
}

/** A row has an amount, or the method `formula` and a formula. */
function isPriced(
  { method, formula }: Pick<RawService, 'method' | 'formula'>,
  amount: number | undefined,
  report: Report,
): boolean {
  const faults: (readonly [column: string, expected: string, found?: string])[] = []
  if (method === 'formula') {
    if (formula === undefined) faults.push(['formula', 'an expression, because the method is formula', ''])
    if (amount !== undefined) faults.push(['amount', 'an empty cell: the method is formula'])
  } else {
    if (formula !== undefined) faults.push(['method', 'formula, because the row has a formula', method])
    if (amount === undefined) faults.push(['amount', `an amount, because the method is ${method}`, ''])
  }
  for (const [column, expected, found] of faults) report(column, expected, found)
  return faults.length === 0
}
