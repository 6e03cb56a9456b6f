/**
 * Oracle for estimates: the amount of one duty rate, as far as it can be calculated. Parses only Waybill's form of rates
 * ("9 EUR/100 kg + 2 EUR/hl"). The minimum applies before the maximum.
 * Rules: docs/customs-files.md; docs/decisions/customs.md#d53.
 */
import type { MeasureRow } from '../../../../src/core/customs/data/tables/measures.ts'
import { type Consignment, type Goods, inEuro } from './case.ts'
import {
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
  'kg net drained wt': ['kg net drained wt', 1],
  '100 kg net drained wt': ['kg net drained wt', 100],
}

export function rateAmount(
  consignment: Consignment,
  goods: Goods,
  row: MeasureRow,
  base: Fraction,
): RateAmount {
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
function terms(consignment: Consignment, goods: Goods, base: Fraction, texts: readonly string[]): RateAmount {
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
  goods: Goods,
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
function countOf({ items }: Goods, unit: string): Fraction | undefined {
  const [quantity, size] = UNITS[unit] ?? [unit, 1]
  const counts: Fraction[] = []
  for (const { numberOfItems, weightGrams, quantities = [] } of items) {
    const given = quantities.find((one) => (UNITS[one.unit]?.[0] ?? one.unit) === quantity)
    let perItem: Fraction | undefined
    if (quantity === 'items') perItem = fraction(1)
    else if (given !== undefined)
      perItem = fraction(given.amountMicros * (UNITS[given.unit]?.[1] ?? 1), 1_000_000)
    else if (quantity === 'kg' && weightGrams !== undefined) perItem = fraction(weightGrams, 1000)
    if (perItem === undefined) return undefined
    counts.push(times(perItem, fraction(numberOfItems)))
  }
  return over(sum(counts), fraction(size))
}
