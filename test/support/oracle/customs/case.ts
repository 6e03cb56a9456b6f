/**
 * What the reference estimate knows of a consignment before any duty: both jurisdictions, the day, the goods by
 * code and origin, and their values. Decided here: territory, movement, values, and money of other currencies.
 * Source: the customs design and the finer rules of customs.md; plain scans over the rows.
 */
import type { CustomsRows, JurisdictionRow, MeasureRow } from '../../../../src/core/customs/data/rows.ts'
import { normalisePostalCode, type Place, postalInterval } from '../../../../src/core/place.ts'
import { decidingLine, type ReferenceCode, referenceCode } from './code.ts'
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

/** One kind of goods of a request. */
export type ReferenceItem = {
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
}

/** A duties request as core/customs/request.ts leaves it; `tariff` may still have its dots. */
export type ReferenceRequest = {
  readonly from: Place
  readonly to: Place
  readonly items: readonly ReferenceItem[]
  readonly date?: string
  readonly shippingCents?: number
  readonly insuranceCents?: number
  readonly recipient?: 'individual' | 'business'
  readonly preferences?: boolean
}

/** Items of one code and one given origin (or none given). Values in euro. */
export type Goods = {
  readonly code: string
  /** The base measure that decides, before anything else is looked at. */
  readonly line: MeasureRow | undefined
  readonly origin: string | undefined
  readonly items: readonly ReferenceItem[]
  readonly goodsValue: Fraction
  /** Its share of freight and insurance. */
  readonly freight: Fraction
  readonly customsValue: Fraction
}

/** A consignment on a day. */
export type Consignment = {
  readonly rows: CustomsRows
  readonly request: ReferenceRequest
  readonly date: string
  readonly from: JurisdictionRow
  readonly to: JurisdictionRow
  /** The customs area whose tariff and reliefs apply. */
  readonly area: string
  readonly movement: 'inside' | 'tax_only' | 'import'
  /** In items' order of the first item of each code, then of each origin and line. */
  readonly goods: readonly Goods[]
  /** Of all items, with and without a code. */
  readonly goodsValue: Fraction
  readonly customsValue: Fraction
  /** The code of the goods that has the item of the greatest value; absent when no item has a code. */
  readonly mainCode: string | undefined
}

/** Collects all that is known of a request on a day. */
export function consignmentOf(rows: CustomsRows, request: ReferenceRequest, date: string): Consignment {
  const from = jurisdictionOf(rows, request.from)
  const to = jurisdictionOf(rows, request.to)
  const area = to.customsAreas[0] ?? to.code
  const shared = (a: readonly string[], b: readonly string[]): boolean => a.some((one) => b.includes(one))
  const sameCustoms = shared(from.customsAreas, to.customsAreas)
  const sameTax = shared(from.taxAreas, to.taxAreas)
  const codes = request.items.map(({ tariff, originCountry }) =>
    tariff === undefined
      ? undefined
      : referenceCode(rows, area, tariff, originCountry ?? request.from.country, date),
  )
  const goodsValue = sum(request.items.map(itemValue))
  const freight = freightOf(request)
  const lineOf = (index: number): MeasureRow | undefined => {
    const origin = request.items[index]!.originCountry ?? request.from.country
    return decidingLine(rows, area, codes[index]!.tariffCode, origin, date)
  }
  return {
    rows,
    request,
    date,
    from,
    to,
    area,
    movement: sameCustoms ? (sameTax ? 'inside' : 'tax_only') : 'import',
    goods: goodsByCode(request, codes, to, lineOf),
    goodsValue,
    customsValue: to.valuation === 'CIF' ? plus(goodsValue, freight) : goodsValue,
    mainCode: mainCodeOf(
      request,
      codes.map((one) => one?.code),
    ),
  }
}

function itemValue({ costSteps, numberOfItems }: ReferenceItem): Fraction {
  return fraction(BigInt(costSteps) * BigInt(numberOfItems), 1_000_000)
}

function freightOf({ shippingCents = 0, insuranceCents = 0 }: ReferenceRequest): Fraction {
  return fraction(shippingCents + insuranceCents, 100)
}

function goodsByCode(
  request: ReferenceRequest,
  codes: readonly (ReferenceCode | undefined)[],
  { valuation }: JurisdictionRow,
  lineOf: (index: number) => MeasureRow | undefined,
): readonly Goods[] {
  const { items } = request
  const groups: { code: string; origin: string | undefined; line: MeasureRow | undefined; own: number[] }[] =
    []
  for (const [index, item] of items.entries()) {
    const code = codes[index]?.code
    if (code === undefined) continue
    const line = lineOf(index)
    const same = groups.find(
      (one) => one.code === code && one.origin === item.originCountry && one.line === line,
    )
    if (same !== undefined) same.own.push(index)
    else groups.push({ code, origin: item.originCountry, line, own: [index] })
  }
  const whole = sum(items.map(itemValue))
  const goods = groups.map(({ code, origin, line, own }): Goods => {
    const mine = own.map((index) => items[index]!)
    const value = sum(mine.map(itemValue))
    const freight = sum(mine.map((item) => shareOf(freightOf(request), itemValue(item), whole, items.length)))
    const customsValue = valuation === 'CIF' ? plus(value, freight) : value
    return { code, line, origin, items: mine, goodsValue: value, freight, customsValue }
  })
  const order = [...new Set(goods.map(({ code }) => code))]
  return order.flatMap((code) => goods.filter((one) => one.code === code))
}

/** Of equal values the first. */
function mainCodeOf(request: ReferenceRequest, codes: readonly (string | undefined)[]): string | undefined {
  let main: number | undefined
  for (const [index, item] of request.items.entries())
    if (codes[index] !== undefined)
      if (main === undefined || compare(itemValue(item), itemValue(request.items[main]!)) > 0) main = index
  return main === undefined ? undefined : codes[main]
}

function jurisdictionOf(rows: CustomsRows, { country, zipcode }: Place): JurisdictionRow {
  const own = rows.territories.filter((row) => row.country === country)
  const whole = own.find(({ postalFrom }) => postalFrom === '')?.jurisdiction ?? country
  const code = zipcode === undefined ? undefined : normalisePostalCode(country, zipcode)
  let narrowest: { width: number; jurisdiction: string } | undefined
  for (const { postalFrom, postalTo, jurisdiction } of own) {
    if (postalFrom === '' || code === undefined) continue
    const first = normalisePostalCode(country, postalFrom)
    const last = normalisePostalCode(country, postalTo)
    if (code < first || (code > last && !code.startsWith(last))) continue
    const [low, high] = postalInterval(country, postalFrom, postalTo)
    if (narrowest === undefined || high - low < narrowest.width)
      narrowest = { width: high - low, jurisdiction }
  }
  const name = narrowest?.jurisdiction ?? whole
  return rows.jurisdictions.find((row) => row.code === name) ?? unlisted(name)
}

/** A country without a row: CIF, nothing else known. */
function unlisted(code: string): JurisdictionRow {
  return {
    dataSet: '',
    code,
    name: code,
    currency: '',
    customsAreas: [code],
    taxAreas: [code],
    valuation: 'CIF',
    roundingUnit: '',
    roundingMode: 'half_up',
    valueUnit: '',
    reliefs: 'not_considered',
    note: '',
  }
}

/** Units of a currency for a euro on the day: the latest rate, the earliest of all when all are later. */
export function unitsPerEuro(rows: CustomsRows, currency: string, date: string): Fraction | undefined {
  if (currency === 'EUR') return ONE
  const own = rows.exchangeRates
    .filter((row) => row.currency === currency)
    .sort((a, b) => (a.validFrom < b.validFrom ? -1 : 1))
  const row = own.findLast(({ validFrom }) => validFrom <= date) ?? own[0]
  return row && decimal(row.unitsPerEuro)
}

/** An amount of a currency (decimal text) in euro; undefined without a rate. */
export function inEuro({ rows, date }: Consignment, amount: string, currency: string): Fraction | undefined {
  const rate = unitsPerEuro(rows, currency, date)
  return rate && over(decimal(amount), rate)
}

/** Euro as a multiple of a unit of a currency; the euro as they are when unit or rate is not known. */
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

/** What a rate is applied to: cut down to a multiple of the jurisdiction's value unit. */
export function cutToUnit(consignment: Consignment, euro: Fraction): Fraction {
  return multipleIn(consignment, euro, consignment.to.valueUnit, 'down')
}

/** The amount of a line in cents: in the jurisdiction's own unit first, where it has one. */
export function roundedCents(consignment: Consignment, euro: Fraction): number {
  const { roundingUnit, roundingMode } = consignment.to
  return centsOf(multipleIn(consignment, euro, roundingUnit, roundingMode))
}

/** The customs value of all goods with a code. */
export function valueOfGoods({ goods }: Consignment): Fraction {
  return sum([ZERO, ...goods.map(({ customsValue }) => customsValue)])
}
