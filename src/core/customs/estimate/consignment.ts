/**
 * A consignment on its way into a jurisdiction: what all its goods have in common. Decided here: in whose currency,
 * and to which unit, amounts are rounded before they become cents. Source: design note on customs, "Exactness".
 */
import { decimal } from '../../quantity.ts'
import { type ExchangeRate, findExchangeRate, fromEuro, toEuro } from '../data/exchange-rate.ts'
import type { JurisdictionRow } from '../data/rows.ts'
import { centsOf, cutToUnit, type Exact, exactOf, roundToUnit } from '../exact.ts'
import type { CustomsTables } from '../tables.ts'

/** Where goods are imported, on which day, and as part of what. */
export type Consignment = {
  readonly tables: CustomsTables
  readonly date: string
  readonly to: JurisdictionRow
  /** Where they are sent from: the jurisdiction, and the country that stands for an origin that is not given. */
  readonly from: JurisdictionRow
  readonly sendingCountry: string
  readonly recipient: 'individual' | 'business'
  /** False: the request does not say who receives the goods. */
  readonly isRecipientGiven: boolean
  readonly claimsPreferences: boolean
  /** Of all items, with a code or without. */
  readonly goodsValue: Exact
  readonly freight: Exact
  readonly customsValue: Exact
  /** False: the request says nothing of freight or insurance. */
  readonly isFreightGiven: boolean
  readonly rounding: Rounding | undefined
}

/** The customs area whose tariff and reliefs apply. */
export function customsAreaOf(to: JurisdictionRow): string {
  return to.customsAreas[0] ?? to.code
}

/** How a jurisdiction with units of its own rounds; amounts in units of its currency. */
export type Rounding = {
  readonly rate: ExchangeRate
  readonly unit: Exact | undefined
  readonly isCutDown: boolean
  readonly valueUnit: Exact | undefined
}

/** The rounding of a jurisdiction on a day; undefined where lines are simply rounded to cents. */
export function roundingOf(tables: CustomsTables, to: JurisdictionRow, date: string): Rounding | undefined {
  if (to.roundingUnit === '' && to.valueUnit === '') return undefined
  const rate = findExchangeRate(tables.exchangeRates, to.currency, date)
  if (rate === undefined) return undefined
  return {
    rate,
    unit: unitOf(to.roundingUnit),
    isCutDown: to.roundingMode === 'down',
    valueUnit: unitOf(to.valueUnit),
  }
}

function unitOf(text: string): Exact | undefined {
  return text === '' ? undefined : exactOf(decimal(text, 6), 6)
}

/** What a rate is applied to: the value, cut down to the jurisdiction's unit where it has one. In euro. */
export function assessedValue({ rounding }: Consignment, value: Exact): Exact {
  if (rounding?.valueUnit === undefined) return value
  return toEuro(cutToUnit(fromEuro(value, rounding.rate), rounding.valueUnit), rounding.rate)
}

/** The cents of a line: rounded once, or first to the jurisdiction's unit in its currency. */
export function lineCents({ rounding }: Consignment, amount: Exact): number {
  if (rounding?.unit === undefined) return centsOf(amount)
  return centsOf(toEuro(chargedAmount(rounding, rounding.unit, amount), rounding.rate))
}

const HUNDREDTH = exactOf(1, 2)

/** An amount as the authority charges it, in a currency: to its own unit there, otherwise to a hundredth. */
export function amountCharged({ to, rounding }: Consignment, amount: Exact, rate: ExchangeRate): Exact {
  if (rounding?.unit !== undefined && to.currency === rate.currency)
    return chargedAmount(rounding, rounding.unit, amount)
  return roundToUnit(fromEuro(amount, rate), HUNDREDTH)
}

function chargedAmount({ rate, isCutDown }: Rounding, unit: Exact, amount: Exact): Exact {
  const own = fromEuro(amount, rate)
  return isCutDown ? cutToUnit(own, unit) : roundToUnit(own, unit)
}

/** What a description says of a jurisdiction with units of its own. */
export function describeRounding({ to, rounding }: Consignment): string {
  if (rounding === undefined) return ''
  const value =
    to.valueUnit === '' ? '' : ` on a value cut down to a multiple of ${to.currency} ${to.valueUnit}`
  if (to.roundingUnit === '') return `Worked out${value}.`
  const way = to.roundingMode === 'down' ? 'cut down to' : 'rounded to'
  return `Worked out in ${to.currency}${value}, ${way} ${to.roundingUnit}.`
}
