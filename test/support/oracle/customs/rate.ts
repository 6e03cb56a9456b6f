/**
 * Oracle for estimates: the amount of one duty rate, as far as it can be calculated. Parses only Waybill's form of
 * rates ("9 EUR/100 kg + 2 EUR/hl"). The minimum applies before the maximum. Rules: docs/customs-files.md;
 * docs/customs-data.md#duties, #excise and #seasons-prices-codes-and-quotas; docs/decisions/customs.md#d171.
 */
import type { MeasureRow } from '../../../../src/core/customs/data/row-types/measures.ts'
import { type Consignment, inEuro, type OracleItem } from './case.ts'
import {
  compare,
  decimal,
  type Fraction,
  fraction,
  greater,
  lesser,
  minus,
  over,
  ppm,
  sum,
  times,
  ZERO,
} from './fraction.ts'

/** Euro. `amount` is absent if no part can be calculated; `isOpen` is true if a part cannot. */
export type RateAmount = { readonly amount?: Fraction; readonly isOpen: boolean }

/** The quantity that a unit measures, and how much of it one unit is. */
export const UNITS: Readonly<Record<string, readonly [quantity: string, size: number]>> = {
  item: ['items', 1],
  '100 items': ['items', 100],
  '1000 items': ['items', 1000],
  pair: ['items', 1],
  dozen: ['items', 12],
  kg: ['kg', 1],
  '100 kg': ['kg', 100],
  tonne: ['kg', 1000],
  l: ['l', 1],
  hl: ['l', 100],
  m2: ['m2', 1],
  'l pure alcohol': ['l pure alcohol', 1],
  'hl pure alcohol': ['l pure alcohol', 100],
  'kg net drained wt': ['kg net drained wt', 1],
  '100 kg net drained wt': ['kg net drained wt', 100],
}

/** The columns that a rate is written in. */
export type RateColumns = Pick<
  MeasureRow,
  'adValoremPpm' | 'specific' | 'minimum' | 'maximum' | 'condition' | 'text'
>

/** What a rate is applied to. */
export type Counted = { readonly items: readonly OracleItem[]; readonly customsValue: Fraction }

/** The rate of the season or entry price that applies; the rate itself if it depends on neither. */
export function rateInForce(consignment: Consignment, goods: Counted, row: RateColumns): RateColumns {
  const parts = row.text.split(/, (?!\d+ [A-Z]{3}-)| ; /)
  if (row.condition === 'seasonal') return parts.map((part) => season(consignment, part)).find(isFound) ?? row
  if (row.condition !== 'entry_price') return row
  const prices = parts.flatMap((part) => {
    const [, price = '', currency = '', text = ''] = /^V ([\d.]+) ([A-Z]{3}) DTN\(01\):(.+)$/.exec(part) ?? []
    return price === '' ? [] : [{ price, currency, text }]
  })
  const reached = prices
    .sort((a, b) => compare(decimal(b.price), decimal(a.price)))
    .find(({ price, currency }) => {
      const weight = countOf(goods, '100 kg')
      const unit = inEuro(consignment, price, currency)
      return weight && unit && compare(goods.customsValue, times(unit, weight)) >= 0
    })
  return reached === undefined ? row : writtenRate(reached.text)
}

function isFound(rate: RateColumns | undefined): rate is RateColumns {
  return rate !== undefined
}

/** "8.5% (01 NOV-31 MAY)" if the day is in the season. */
function season({ date }: Consignment, part: string): RateColumns | undefined {
  const [, rate = '', periods = ''] = /^(.+) \((.+)\)$/.exec(part) ?? []
  const isIn = periods.split(', ').some((period) => {
    const [first = '', last = ''] = period.split('-').map(dayOfYear)
    const day = date.slice(5)
    return first <= last ? first <= day && day <= last : first <= day || day <= last
  })
  return rate !== '' && isIn ? writtenRate(rate) : undefined
}

/** "01 NOV" is "11-01". */
function dayOfYear(text: string): string {
  const [day = '', month = ''] = text.split(' ')
  const number = 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' ').indexOf(month) + 1
  return `${String(number).padStart(2, '0')}-${day}`
}

/** A sum of percentages and amounts. TARIC writes "8.800 % + 1.700 EUR DTN". */
function writtenRate(text: string): RateColumns {
  const specific = text.replace(/ %/g, '%').replace(/ ([A-Z]{3}) DTN/g, ' $1/100 kg')
  return { adValoremPpm: null, specific, minimum: '', maximum: '', condition: '', text: '' }
}

/** Of a rate in force: see `rateInForce`. */
export function rateAmount(
  consignment: Consignment,
  goods: Counted,
  published: RateColumns,
  base: Fraction,
): RateAmount {
  const row = rateInForce(consignment, goods, published)
  const share = row.adValoremPpm === null ? '' : `${row.adValoremPpm} ppm`
  const plain = terms(consignment, goods, base, [share, row.specific])
  const minimum = terms(consignment, goods, base, [row.minimum])
  const maximum = terms(consignment, goods, base, [row.maximum])
  let amount = plain.amount
  if (minimum.amount !== undefined && !minimum.isOpen) amount = greater(amount ?? ZERO, minimum.amount)
  if (amount !== undefined && maximum.amount !== undefined && !maximum.isOpen)
    amount = lesser(amount, maximum.amount)
  return {
    ...(amount !== undefined && row.condition !== 'seasonal' && { amount }),
    isOpen: row.condition !== '' || plain.isOpen || minimum.isOpen || maximum.isOpen,
  }
}

/** The sum of the terms that can be calculated. */
function terms(
  consignment: Consignment,
  goods: Counted,
  base: Fraction,
  texts: readonly string[],
): RateAmount {
  const amounts: Fraction[] = []
  let isOpen = false
  for (const text of texts.filter((one) => one !== ''))
    for (const term of text.replaceAll(' - ', ' + -').split(' + ')) {
      const amount = termAmount(consignment, goods, base, term)
      if (amount === undefined) isOpen = true
      else amounts.push(amount)
    }
  return { ...(amounts.length > 0 && { amount: sum(amounts) }), isOpen }
}

function termAmount(
  consignment: Consignment,
  goods: Counted,
  base: Fraction,
  term: string,
): Fraction | undefined {
  const parts = /^(\d+) ppm$/.exec(term)
  if (parts !== null) return times(base, ppm(Number(parts[1])))
  const percent = /^([\d.]+)%$/.exec(term)
  if (percent !== null) return times(base, over(decimal(percent[1]!), fraction(100)))
  const [, sign = '', digits = '', currency = '', unit = ''] =
    /^(-?)([\d.]+) ([A-Z]{3})\/(.+)$/.exec(term) ?? []
  if (digits === '') return undefined
  const count = countOf(goods, unit)
  const price = inEuro(consignment, digits, currency)
  if (count === undefined || price === undefined) return undefined
  const amount = times(price, count)
  return sign === '-' ? minus(ZERO, amount) : amount
}

/** The quantity in a unit; undefined if it is not given for every item. */
function countOf({ items }: Counted, unit: string): Fraction | undefined {
  const [quantity, size] = UNITS[unit] ?? [unit, 1]
  const counts: Fraction[] = []
  for (const item of items) {
    const perItem = quantityOf(item, quantity)
    if (perItem === undefined) return undefined
    counts.push(times(perItem, fraction(item.numberOfItems)))
  }
  return over(sum(counts), fraction(size))
}

/** The quantity of one item, given or calculated from its alcohol. */
function quantityOf(item: OracleItem, quantity: string): Fraction | undefined {
  if (quantity === 'items') return fraction(1)
  const given = givenQuantity(item, quantity)
  if (given !== undefined) return given
  if (quantity === 'kg' && item.weightGrams !== undefined) return fraction(item.weightGrams, 1000)
  const strength = item.alcoholPpm === undefined ? undefined : ppm(item.alcoholPpm)
  const pure = givenQuantity(item, 'l pure alcohol')
  if (quantity === 'l') return pure && strength && over(pure, strength)
  if (quantity === 'l pure alcohol') {
    const litres = givenQuantity(item, 'l')
    return litres && strength && times(litres, strength)
  }
  // One litre of pure alcohol is one hectolitre at 1% vol, and two proof litres.
  const alcohol =
    quantity === '% vol/hl' || quantity === 'proof l' ? quantityOf(item, 'l pure alcohol') : undefined
  return alcohol && (quantity === 'proof l' ? times(alcohol, fraction(2)) : alcohol)
}

function givenQuantity({ quantities = [] }: OracleItem, quantity: string): Fraction | undefined {
  const given = quantities.find((one) => (UNITS[one.unit]?.[0] ?? one.unit) === quantity)
  return given && fraction(given.amountMicros * (UNITS[given.unit]?.[1] ?? 1), 1_000_000)
}

/** Alcohol by volume: given, or pure alcohol by litres. */
export function strengthOf(item: OracleItem): Fraction | undefined {
  if (item.alcoholPpm !== undefined) return ppm(item.alcoholPpm)
  const [litres, pure] = [givenQuantity(item, 'l'), givenQuantity(item, 'l pure alcohol')]
  return litres && pure && over(pure, litres)
}
