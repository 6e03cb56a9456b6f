/**
 * Oracle for estimates, the facts that duties depend on: both jurisdictions, the day, the goods by code and origin,
 * their values, and other currencies. Plain scans over the rows. Shares no code with the engine, only the types of
 * rows. Rules: docs/customs-data.md#how-an-estimate-is-calculated; docs/customs-data.md#taxes-fees-and-territories.
 */

import type { MeasureRow } from '../../../../src/core/customs/data/row-types/measures.ts'
import type { JurisdictionRow, TerritoryRow } from '../../../../src/core/customs/data/row-types/places.ts'
import type { CustomsRows } from '../../../../src/core/customs/data/rows.ts'
import type { GivenScheme } from '../../../../src/core/customs/request.ts'
import type { SellerRegistration } from '../../../../src/core/customs/seller-registration.ts'
import { oraclePostalCode } from '../rating/place.ts'
import { type BaseLine, baseLine, type LeftOut, type OracleCode, oracleCode, rowsBesideBase } from './code.ts'
import {
  centsOf,
  compare,
  decimal,
  type Fraction,
  fraction,
  multipleOf,
  ONE,
  over,
  plus,
  shareOf,
  sum,
  times,
  ZERO,
} from './fraction.ts'

export type OracleItem = {
  readonly description: string
  readonly numberOfItems: number
  /** Value of one item, 10^-6 euro. */
  readonly costSteps: number
  readonly tariff?: string
  readonly originCountry?: string
  /** Net weight of one item. */
  readonly weightGrams?: number
  /** Of one item, in units of a tariff. */
  readonly quantities?: readonly { readonly unit: string; readonly amountMicros: number }[]
  /** Alcohol by volume in parts per million. */
  readonly alcoholPpm?: number
  readonly additionalCode?: string
}

/** An end of the route. */
export type OraclePlace = { readonly country: string; readonly zipcode?: string }

/** A validated duties request, except that a `tariff` may still have its dots. */
export type OracleRequest = {
  readonly from: OraclePlace
  readonly to: OraclePlace
  readonly items: readonly OracleItem[]
  readonly date?: string
  readonly shippingCents?: number
  readonly insuranceCents?: number
  readonly recipient?: 'individual' | 'business'
  readonly preferences?: boolean
  /** Absent: unknown. */
  readonly importScheme?: GivenScheme
  /** Of the account, for schemes under which the seller collects the tax. */
  readonly registrations?: readonly SellerRegistration[]
  readonly countAverages?: boolean
}

/** Items of one code, one given origin (or none) and the same measures. Values in euro. */
export type Goods = {
  readonly code: string
  /** The code to look up in lists. Items with other preferences or additional measures are other goods. */
  readonly listedCode: string
  /** The base measure for the code, or the average of a group of goods. */
  readonly line: MeasureRow | undefined
  /** The line has one of several rates. */
  readonly isUsual: boolean
  readonly additionalCode: string | undefined
  readonly origin: string | undefined
  readonly items: readonly OracleItem[]
  readonly goodsValue: Fraction
  /** Its share of freight and insurance. */
  readonly freight: Fraction
  readonly customsValue: Fraction
}

export type Consignment = {
  readonly rows: CustomsRows
  readonly request: OracleRequest
  readonly date: string
  readonly from: Jurisdiction
  readonly to: Jurisdiction
  /** The customs area whose reliefs and fees apply. */
  readonly area: string
  /** The customs area whose tariff applies. */
  readonly tariffArea: string
  readonly movement: 'inside' | 'tax_only' | 'import'
  /** In the order of the first item of each code, then of each origin and line. */
  readonly goods: readonly Goods[]
  /** Of all items, with and without a code. */
  readonly goodsValue: Fraction
  readonly customsValue: Fraction
  /** The code of the most valuable item; undefined if no item has a code. */
  readonly mainCode: string | undefined
}

export function consignmentOf(rows: CustomsRows, request: OracleRequest, date: string): Consignment {
  const from = jurisdictionOf(rows, request.from)
  const to = jurisdictionOf(rows, request.to)
  const area = to.customsAreas[0] ?? to.code
  const tariffArea = to.tariffOf || area
  const shared = (a: readonly string[], b: readonly string[]): boolean => a.some((area) => b.includes(area))
  const sameCustoms = shared(from.customsAreas, to.customsAreas)
  const sameTax = shared(from.taxAreas, to.taxAreas)
  const codes = request.items.map(({ tariff, originCountry }, index) =>
    tariff === undefined
      ? undefined
      : oracleCode(
          ...([rows, tariffArea, tariff, originCountry ?? request.from.country, date] as const),
          leftOutOf(rows, request.items[index]!, date),
        ),
  )
  const goodsValue = sum(request.items.map(itemValue))
  const freight = freightOf(request)
  const lineOf = (index: number): BaseLine => {
    const origin = request.items[index]!.originCountry ?? request.from.country
    const isLeftOut = leftOutOf(rows, request.items[index]!, date)
    return baseLine(rows, tariffArea, codes[index]!, origin, date, isLeftOut)
  }
  const othersOf = (index: number): readonly object[] => {
    const origin = request.items[index]!.originCountry ?? request.from.country
    return rowsBesideBase(rows, tariffArea, date, codes[index]!.listedCode, origin)
  }
  return {
    rows,
    request,
    date,
    from,
    to,
    area,
    tariffArea,
    movement: sameCustoms ? (sameTax ? 'inside' : 'tax_only') : 'import',
    goods: goodsByCode(request, codes, to, lineOf, othersOf),
    goodsValue,
    customsValue: to.valuation === 'CIF' ? plus(goodsValue, freight) : goodsValue,
    mainCode: mainCodeOf(
      request,
      codes.map((one) => one?.code),
    ),
  }
}

/** Compares the value of one unit with the bounds of a line: per item or pair, or per kilogram. */
function leftOutOf(rows: CustomsRows, item: OracleItem, date: string): LeftOut {
  const { numberOfItems, weightGrams } = item
  const amounts: Readonly<Record<string, Fraction | undefined>> = {
    ...{ item: fraction(numberOfItems), pair: fraction(numberOfItems) },
    kg: weightGrams === undefined ? undefined : fraction(weightGrams * numberOfItems, 1000),
  }
  return ({ unitValueAbove, unitValueUpTo, unitValueCurrency, unitValuePer }) => {
    if (`${unitValueAbove}${unitValueUpTo}` === '') return false
    const rate = unitsPerEuro(rows, unitValueCurrency, date)
    const amount = amounts[unitValuePer]
    if (rate === undefined || amount === undefined) return false
    const value = over(times(itemValue(item), rate), amount)
    if (unitValueAbove !== '' && compare(value, decimal(unitValueAbove)) <= 0) return true
    return unitValueUpTo !== '' && compare(value, decimal(unitValueUpTo)) > 0
  }
}

function itemValue({ costSteps, numberOfItems }: OracleItem): Fraction {
  return fraction(BigInt(costSteps) * BigInt(numberOfItems), 1_000_000)
}

function freightOf({ shippingCents = 0, insuranceCents = 0 }: OracleRequest): Fraction {
  return fraction(shippingCents + insuranceCents, 100)
}

function goodsByCode(
  request: OracleRequest,
  codes: readonly (OracleCode | undefined)[],
  { valuation }: Jurisdiction,
  lineOf: (index: number) => BaseLine,
  othersOf: (index: number) => readonly object[],
): readonly Goods[] {
  const { items } = request
  const groups: {
    code: string
    listedCode: string
    origin: string | undefined
    additionalCode: string | undefined
    line: BaseLine
    others: readonly object[]
    indexes: number[]
  }[] = []
  for (const [index, item] of items.entries()) {
    const code = codes[index]?.code
    if (code === undefined) continue
    const { listedCode } = codes[index]!
    const line = lineOf(index)
    const others = othersOf(index)
    const same = groups.find(
      (one) =>
        one.code === code &&
        one.origin === item.originCountry &&
        one.additionalCode === item.additionalCode &&
        one.line.row === line.row &&
        one.others.length === others.length &&
        one.others.every((row) => others.includes(row)),
    )
    if (same !== undefined) same.indexes.push(index)
    else {
      const { originCountry: origin, additionalCode } = item
      groups.push({ code, listedCode, origin, additionalCode, line, others, indexes: [index] })
    }
  }
  const whole = sum(items.map(itemValue))
  const goods = groups.map(({ code, listedCode, origin, additionalCode, line, indexes }): Goods => {
    const members = indexes.map((index) => items[index]!)
    const value = sum(members.map(itemValue))
    const freight = sum(
      members.map((item) => shareOf(freightOf(request), itemValue(item), whole, items.length)),
    )
    const customsValue = valuation === 'CIF' ? plus(value, freight) : value
    return {
      ...{ code, listedCode, origin, additionalCode, items: members },
      ...{ line: line.row, isUsual: line.isUsual },
      ...{ goodsValue: value, freight, customsValue },
    }
  })
  const order = [...new Set(goods.map(({ code }) => code))]
  return order.flatMap((code) => goods.filter((one) => one.code === code))
}

/** The code of the most valuable item. Of equal values, the first. */
function mainCodeOf(request: OracleRequest, codes: readonly (string | undefined)[]): string | undefined {
  let main: number | undefined
  for (const [index, item] of request.items.entries())
    if (codes[index] !== undefined)
      if (main === undefined || compare(itemValue(item), itemValue(request.items[main]!)) > 0) main = index
  return main === undefined ? undefined : codes[main]
}

/** The facts of a jurisdiction that amounts depend on. */
type Jurisdiction = Pick<
  JurisdictionRow,
  | 'code'
  | 'currency'
  | 'customsAreas'
  | 'tariffOf'
  | 'taxAreas'
  | 'valuation'
  | 'roundingUnit'
  | 'roundingMode'
  | 'valueUnit'
>

/**
 * The territory of a place: the narrowest postal range around its code, or else the whole country
 * (docs/customs-files.md, `territories.csv`). A country without rows is its own jurisdiction.
 */
function jurisdictionOf(rows: CustomsRows, { country, zipcode }: OraclePlace): Jurisdiction {
  const territories = rows.territories.filter((row) => row.country === country)
  const ranges = territories.filter(({ postalFrom }) => postalFrom !== '').map(rangeOf)
  const code = zipcode === undefined ? '' : oraclePostalCode(country, zipcode)
  const around = ranges.filter(({ first, last }) => first <= code && code.slice(0, last.length) <= last)
  // Ranges are nested or disjoint, so the narrowest one lies within all others around the code.
  const narrowest = around.find((inner) => around.every((outer) => isWithin(inner, outer)))
  const whole = territories.find(({ postalFrom }) => postalFrom === '')
  const name = (zipcode === undefined ? undefined : narrowest?.jurisdiction) ?? whole?.jurisdiction ?? country
  return rows.jurisdictions.find((row) => row.code === name) ?? standAlone(name)
}

/** A range includes all codes that begin with its upper end. */
type PostalRange = { readonly first: string; readonly last: string; readonly jurisdiction: string }

function rangeOf({ country, postalFrom, postalTo, jurisdiction }: TerritoryRow): PostalRange {
  return {
    first: oraclePostalCode(country, postalFrom),
    last: oraclePostalCode(country, postalTo),
    jurisdiction,
  }
}

function isWithin(inner: PostalRange, outer: PostalRange): boolean {
  return inner.first >= outer.first && inner.last.padEnd(10, '~') <= outer.last.padEnd(10, '~')
}

/** Values include freight, and nothing is rounded. */
function standAlone(code: string): Jurisdiction {
  const area = [code]
  const rounding = { roundingUnit: '', roundingMode: 'half_up', valueUnit: '' } as const
  return {
    code,
    customsAreas: area,
    tariffOf: '',
    taxAreas: area,
    currency: '',
    valuation: 'CIF',
    ...rounding,
  }
}

/** Units of a currency for one euro: the latest rate on the day, or the earliest rate if all are later. */
export function unitsPerEuro(rows: CustomsRows, currency: string, date: string): Fraction | undefined {
  // A rule without amounts needs no currency.
  if (currency === 'EUR' || currency === '') return ONE
  const rates = rows.exchangeRates
    .filter((row) => row.currency === currency)
    .sort((a, b) => (a.validFrom < b.validFrom ? -1 : 1))
  const row = rates.findLast(({ validFrom }) => validFrom <= date) ?? rates[0]
  return row && decimal(row.unitsPerEuro)
}

/** `amount` is decimal text. Undefined without an exchange rate. */
export function inEuro({ rows, date }: Consignment, amount: string, currency: string): Fraction | undefined {
  const rate = unitsPerEuro(rows, currency, date)
  return rate && over(decimal(amount), rate)
}

/** Rounds to a multiple of a unit of the destination's currency. Unchanged without a unit or rate. */
function multipleIn(
  { rows, date, to }: Consignment,
  euro: Fraction,
  unit: string,
  mode: 'half_up' | 'down',
): Fraction {
  const rate = unitsPerEuro(rows, to.currency, date)
  if (unit === '' || rate === undefined) return euro
  return over(multipleOf(times(euro, rate), decimal(unit), mode), rate)
}

/** The value that a rate is applied to: rounded down to the jurisdiction's value unit. */
export function cutToUnit(consignment: Consignment, euro: Fraction): Fraction {
  return multipleIn(consignment, euro, consignment.to.valueUnit, 'down')
}

/** The cents of a line: rounded to the jurisdiction's unit first, if it has one. */
export function roundedCents(consignment: Consignment, euro: Fraction): number {
  const { roundingUnit, roundingMode } = consignment.to
  return centsOf(multipleIn(consignment, euro, roundingUnit, roundingMode))
}

/** The value of all pieces of an item, with its share of freight and insurance if the destination counts them. */
export function customsValueOf({ request, to }: Consignment, item: OracleItem): Fraction {
  const value = itemValue(item)
  const whole = sum(request.items.map(itemValue))
  const freight = shareOf(freightOf(request), value, whole, request.items.length)
  return to.valuation === 'CIF' ? plus(value, freight) : value
}

/** The customs value of all goods with a code. */
export function valueOfGoods({ goods }: Consignment): Fraction {
  return sum([ZERO, ...goods.map(({ customsValue }) => customsValue)])
}
