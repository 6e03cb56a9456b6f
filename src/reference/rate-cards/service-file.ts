/** services.csv of a rate card: the services that the sender can choose. See docs/rate-card-files.md#services. */
import { MAX_LENGTH } from '../../core/expressions/lexer.ts'
import { SERVICE_METHODS, type ServiceRow, type SurchargePer } from '../../core/rating/rate-card.ts'
import { SERVICE_NAMES, SERVICES, type Service } from '../../core/rating/sender-service.ts'
import {
  hasSlots,
  isSlot,
  isUnNumber,
  SLOT_FORM,
  SLOT_SERVICES,
  UN_NUMBER_FORM,
} from '../../core/rating/service-inputs.ts'
import {
  cellOf,
  choice,
  country,
  euros,
  figure,
  kilograms,
  listOf,
  optional,
  optionalOr,
  text,
  weekdays,
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

/** Far more than the numbers of lithium batteries; longer lists are better written as a condition. */
const MAX_UN_NUMBERS = 500

const UN_NUMBER = cellOf('', (number) => (isUnNumber(number) ? number : undefined), UN_NUMBER_FORM)

function unNumbers(column: string) {
  const list = listOf(UN_NUMBER, '')
  const parse = (value: string): readonly string[] | undefined => {
    const numbers = list.parse(value)
    return numbers === undefined || numbers.length > MAX_UN_NUMBERS ? undefined : numbers
  }
  const expected = `UN numbers such as UN3480|UN3481 (at most ${MAX_UN_NUMBERS})`
  return optional(cellOf(column, parse, expected, (numbers) => numbers.join('|')))
}

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
    slot: optional(cellOf('slot', (slot) => (isSlot(slot) ? slot : undefined), SLOT_FORM)),
    weekdays: optional(weekdays('weekdays')),
    maxCollectedCents: optional(euros('max_cod_eur', 1)),
    unNumbers: unNumbers('un_numbers'),
    refusedUnNumbers: unNumbers('refused_un_numbers'),
    condition: optional(text('condition', MAX_LENGTH)),
    requires: services('requires'),
    excludes: services('excludes'),
  },
  build: ({ amount, name, ...row }, report) => {
    if (!isPriced(row, amount, report) || !takesInputs(row, report)) return undefined
    return { ...row, name: name ?? SERVICE_NAMES[row.service], amount: amount ?? 0 }
  },
  rawOf: ({ amount, ...row }) => (row.method === 'formula' ? row : { ...row, amount }),
}

/** Columns about an input are filled only for services that have the input. */
function takesInputs(row: RawService, report: Report): boolean {
  const {
    service,
    slot,
    weekdays: days,
    maxCollectedCents,
    unNumbers: accepted,
    refusedUnNumbers: refused,
  } = row
  const misplaced = (services: readonly Service[], columns: Readonly<Record<string, unknown>>): boolean => {
    if (services.includes(service)) return false
    const filled = Object.keys(columns).filter((column) => columns[column] !== undefined)
    for (const column of filled) report(column, `an empty cell: only ${services.join(' and ')} can have it`)
    return filled.length > 0
  }
  const faults = [
    misplaced(SLOT_SERVICES, { slot, weekdays: days }),
    misplaced(['CASH_ON_DELIVERY'], { max_cod_eur: maxCollectedCents }),
    misplaced(['DANGEROUS_GOODS'], { un_numbers: accepted, refused_un_numbers: refused }),
  ]
  if (days === undefined || slot !== undefined || !hasSlots(service)) return !faults.includes(true)
  report('slot', 'the slot that is delivered in on these weekdays', '')
  return false
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
