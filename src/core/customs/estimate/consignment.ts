/**
 * The facts that all goods of one import share: route, day, recipient, values and rounding. Values are exact and in
 * euro. Freight and insurance are spread over the items in proportion to their value, and count towards the customs
 * value where the destination uses CIF. Some jurisdictions round in their own currency before an amount becomes cents.
 * See docs/customs-data.md#how-an-estimate-is-calculated and docs/decisions/customs.md#d51.
 */

import type { CompiledCustoms } from '../compiled-customs.ts'
import { type ExchangeRate, fromEuro } from '../data/exchange-rate.ts'
import type { Valuation } from '../data/row-types/places.ts'
import type { ImportScheme, ThresholdRow } from '../data/row-types/thresholds.ts'
import { findJurisdiction } from '../data/territory.ts'
import {
  cutToUnit,
  dividedBy,
  type Exact,
  exactOf,
  isZero,
  plus,
  reduced,
  roundToUnit,
  sumOf,
  times,
  timesWhole,
} from '../exact.ts'
import { COST_PLACES, type ContentItem, type DutiesRequest } from '../request.ts'
import { chooseScheme, ruleScheme, type SchemeChoice } from './import-schemes/scheme-choice.ts'
import { openRoute, type Recipient, type Route } from './route.ts'

export type Consignment = Pick<Route, 'tables' | 'date' | 'to' | 'from' | 'sendingCountry' | 'rounding'> & {
  readonly route: Route
  readonly recipient: Recipient
  /** False if `recipient` is a default. */
  readonly isRecipientGiven: boolean
  readonly claimsPreferences: boolean
  /** Whether averages of groups of goods are part of the estimate. */
  readonly countsAverages: boolean
  /** Given or assumed. Undefined if it is not given and no rule for the consignment depends on it. */
  readonly importScheme: ImportScheme | undefined
  /** False if `importScheme` is an assumption, and for a scheme that does not cover the goods. */
  readonly isImportSchemeGiven: boolean
  /** The low-value rules and fees for the goods that depend on the import scheme. */
  readonly schemeRules: readonly SchemeRule[]
  /** The scheme of the destination under which sellers collect the tax. Undefined if it has none for the recipient. */
  readonly sellerScheme: SchemeChoice | undefined
  /** Whether `sellerScheme` covers some of the goods, if it is used. */
  readonly coversGoods: boolean
  /** Of all items, including those without a code. */
  readonly goodsValue: Exact
  readonly freight: Exact
  readonly customsValue: Exact
  /** False if the request contains neither freight nor insurance. */
  readonly isFreightGiven: boolean
  /** The end of the range that is calculated. Undefined for the estimate itself. */
  readonly bound: Bound | undefined
}

/** The lowest or the highest total that fits a request. See explain/estimate-range.ts. */
export type Bound = 'least' | 'most'

/** A consignment whose import scheme may still be assumed (import-scheme.ts). */
export type OpenConsignment = Omit<
  Consignment,
  'importScheme' | 'isImportSchemeGiven' | 'schemeRules' | 'coversGoods'
> & {
  importScheme: Consignment['importScheme']
  isImportSchemeGiven: boolean
  schemeRules: Consignment['schemeRules']
  coversGoods: boolean
}

/** Values of a request in euro. `goods` and `freight` (with insurance) are per item, in the order of the request. */
export type ConsignmentValues = {
  readonly goods: readonly Exact[]
  readonly freight: readonly Exact[]
  readonly totalGoods: Exact
  readonly totalFreight: Exact
}

/** Calculates the values of all items. If no item has a value, they share the freight equally. */
export function valueItems({
  items,
  shippingCents = 0,
  insuranceCents = 0,
}: DutiesRequest): ConsignmentValues {
  const goods = items.map(goodsValue)
  const totalGoods = sumOf(goods)
  const totalFreight = exactOf(shippingCents + insuranceCents, 2)
  return { goods, freight: spread(totalFreight, goods, totalGoods), totalGoods, totalFreight }
}

function goodsValue({ costSteps, numberOfItems }: ContentItem): Exact {
  return timesWhole(exactOf(costSteps, COST_PLACES), numberOfItems)
}

/** Spreads an amount in proportion to shares whose sum is `total`; equally if the total is zero. */
export function spread(amount: Exact, shares: readonly Exact[], total: Exact): readonly Exact[] {
  if (isZero(amount)) return shares.map(() => amount)
  if (isZero(total)) return shares.map(() => dividedBy(amount, exactOf(shares.length, 0)))
  // In lowest terms, because the products would otherwise exceed the safe integers.
  const factor = reduced(dividedBy(amount, total))
  return shares.map((share) => times(share, factor))
}

export function customsValue(goods: Exact, freight: Exact, valuation: Valuation): Exact {
  return valuation === 'CIF' ? plus(goods, freight) : goods
}

/** A low-value rule or a fee that may depend on the import scheme. */
export type SchemeRule = Pick<ThresholdRow, 'importSchemes'>

export const NO_RULES: readonly SchemeRule[] = []

/** Opens the consignment of a request, by the rules of a day ('YYYY-MM-DD'). */
export function openConsignment(
  tables: CompiledCustoms,
  request: DutiesRequest,
  { totalGoods, totalFreight }: ConsignmentValues,
  date: string,
  bound?: Bound,
): OpenConsignment {
  const to = findJurisdiction(tables, request.to)
  const from = findJurisdiction(tables, request.from)
  const route = openRoute(tables, from, to, request.from.country, date)
  // Most parcels are sales to consumers.
  const recipient = request.recipient ?? 'individual'
  const sellerScheme = chooseScheme(route, request, recipient)
  const importScheme = ruleScheme(request.importScheme, sellerScheme)
  return {
    route,
    tables,
    date,
    to: route.to,
    from: route.from,
    sendingCountry: route.sendingCountry,
    rounding: route.rounding,
    recipient,
    isRecipientGiven: request.recipient !== undefined,
    claimsPreferences: request.preferences ?? true,
    countsAverages: request.countAverages ?? true,
    importScheme,
    isImportSchemeGiven: importScheme !== undefined,
    schemeRules: NO_RULES,
    sellerScheme,
    coversGoods: false,
    // An item without a code counts towards the limits of the consignment.
    goodsValue: totalGoods,
    freight: totalFreight,
    customsValue: customsValue(totalGoods, totalFreight, to.valuation),
    isFreightGiven: request.shippingCents !== undefined || request.insuranceCents !== undefined,
    bound,
  }
}

/** The value that a rate is applied to: rounded down to the jurisdiction's value unit if it has one. */
export function assessedValue({ rounding }: Consignment, value: Exact): Exact {
  return rounding?.valueUnit === undefined ? value : cutToUnit(value, rounding.valueUnit)
}

/** An amount that is due, in euro: rounded to the jurisdiction's unit if it has one. */
export function roundedAmount({ rounding }: Consignment, amount: Exact): Exact {
  if (rounding?.unit === undefined) return amount
  return rounding.isRoundedDown ? cutToUnit(amount, rounding.unit) : roundToUnit(amount, rounding.unit)
}

const HUNDREDTH = exactOf(1, 2)

/** Converts euro to the currency of `rate`, rounded as the authority does: to its unit, or to a hundredth. */
export function amountCharged(consignment: Consignment, amount: Exact, rate: ExchangeRate): Exact {
  const { to, rounding } = consignment
  return rounding?.unit !== undefined && to.currency === rate.currency
    ? fromEuro(roundedAmount(consignment, amount), rate)
    : roundToUnit(fromEuro(amount, rate), HUNDREDTH)
}
