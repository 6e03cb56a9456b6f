/**
 * surcharges.csv and fuel.csv of a rate card. Decided here: fuel may be listed with the surcharges, as carriers
 * print it; its percentages go to the dated fuel table all the same.
 * Source: the format described in this folder's README.md.
 */
import type { FuelRate, SurchargeMethod, SurchargePer, SurchargeRow } from '../core/rating/rate-card.ts'
import {
  choice,
  day,
  euros,
  figure,
  listOf,
  mayBeEmpty,
  optional,
  optionalOr,
  percent,
  text,
  whole,
  word,
} from './csv-cells.ts'
import { type CardTableSpec, plainTable, type Report } from './csv-rows.ts'

/** The surcharge that is fuel whatever its method says. */
const FUEL_CODE = 'FUEL'
const METHODS: readonly SurchargeMethod[] = ['flat', 'per_kg', 'pct', 'fuel']
const COUNTED_BY: Readonly<Record<string, SurchargePer>> = {
  shipment: 'shipment',
  piece: 'unit',
  parcel: 'unit',
  pallet: 'unit',
}
/** A trigger may name many countries, and `excludes` many codes. */
const MAX_LIST_LENGTH = 4_000

type RawSurcharge = Omit<SurchargeRow, 'amount' | 'name'> & {
  readonly amount?: number
  readonly name?: string
}

/** A surcharge, with the percentage that its row gives for fuel, in basis points. */
export type ListedSurcharge = { readonly surcharge: SurchargeRow; readonly fuelBps?: number }

/** fuel.csv */
export const FUEL = plainTable<FuelRate>('fuel.csv', false, {
  carrierCode: text('carrier_code'),
  code: text('code'),
  validFrom: day('valid_from'),
  rateBps: percent('rate_pct'),
})

/** surcharges.csv */
export const SURCHARGES: CardTableSpec<RawSurcharge, ListedSurcharge> = {
  file: 'surcharges.csv',
  required: false,
  fields: {
    carrierCode: text('carrier_code'),
    code: text('code'),
    name: optional(text('name')),
    reason: text('reason'),
    phase: word('phase', ['accessorial', 'percent', 'fixed']),
    method: word('method', METHODS),
    // Cents, cents per kilogram and basis points: all are two decimals.
    amount: mayBeEmpty(figure('amount', 2, 0)),
    minimumCents: optionalOr(euros('min_eur'), 0),
    per: choice('per', COUNTED_BY),
    trigger: text('trigger', MAX_LIST_LENGTH),
    fuelable: choice('fuelable', { yes: true, no: false }),
    excludes: optionalOr(listOf(text('excludes'), 'surcharge codes such as HANDLING|OVERSIZE'), []),
    products: optional(listOf(whole('products'), 'product ids such as 1101|1103')),
    validFrom: day('valid_from'),
    validTo: optional(day('valid_to')),
  },
  build: (row, report) =>
    row.code === FUEL_CODE || row.method === 'fuel' ? buildFuel(row, report) : buildPlain(row, report),
  rawOf: ({ surcharge: { amount, ...row } }) => (row.method === 'fuel' ? row : { ...row, amount }),
}

/** A surcharge without a name is called by its reason. */
function nameOf({ name, reason }: RawSurcharge): string {
  return name ?? reason
}

function buildPlain({ amount, ...row }: RawSurcharge, report: Report): ListedSurcharge | undefined {
  if (amount === undefined) return report('amount', `an amount, since the method is ${row.method}`, '')
  return { surcharge: { ...row, name: nameOf(row), amount } }
}

function buildFuel({ amount, ...row }: RawSurcharge, report: Report): ListedSurcharge | undefined {
  const { method } = row
  const surcharge: SurchargeRow = { ...row, name: nameOf(row), method: 'fuel', amount: 0 }
  if (method === 'fuel') {
    if (amount === undefined) return { surcharge }
    return report('amount', 'an empty cell: with method fuel the percentages are in fuel.csv')
  }
  if (method !== 'pct') return report('method', `pct or fuel, since the code is ${FUEL_CODE}`, method)
  return { surcharge, ...(amount !== undefined && { fuelBps: amount }) }
}
