/**
 * Exact amounts as fractions of two integers. Amounts are rounded only when they become lines, so taxes are charged on
 * the unrounded duty. Integers are plain numbers while they are safe and BigInt beyond, so that a typical estimate
 * needs no BigInt. See docs/decisions/customs.md#d51.
 */
import { formatCents } from '../money.ts'
import { formatDecimal } from '../quantity.ts'

export type Whole = number | bigint

/** A fraction. `denominator` is above zero; the fraction need not be in lowest terms. */
export type Exact = { readonly numerator: Whole; readonly denominator: Whole }

export const ZERO: Exact = { numerator: 0, denominator: 1 }

/** `steps` × 10^-`places`, with trailing zeros removed in pairs. (1250, 2) is 1250/100, (2_500_000, 6) is 250/100. */
export function exactOf(steps: Whole, places: number): Exact {
  let numerator = steps
  let left = places
  // In pairs, since most amounts are whole cents or whole units.
  while (left >= 2 && typeof numerator === 'number') {
    // Exact for safe integers, and faster than the remainder.
    const hundredth = numerator / 100
    if (!Number.isInteger(hundredth)) break
    numerator = hundredth
    left -= 2
  }
  return { numerator, denominator: POWERS[left] ?? 10n ** BigInt(left) }
}

const POWERS = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000]

/** In lowest terms. For figures that are compiled once and used often, such as rates. */
export function reducedFraction(numerator: number, denominator: number): Exact {
  const factor = commonFactor(numerator, denominator)
  return { numerator: numerator / factor, denominator: denominator / factor }
}

/** In lowest terms, unless a part is a BigInt. For a factor of many products. */
export function reduced(fraction: Exact): Exact {
  const { numerator, denominator } = fraction
  return typeof numerator === 'number' && typeof denominator === 'number'
    ? reducedFraction(numerator, denominator)
    : fraction
}

function multiply(a: Whole, b: Whole): Whole {
  if (typeof a === 'number' && typeof b === 'number') {
    const product = a * b
    if (Number.isSafeInteger(product)) return product
  }
  return BigInt(a) * BigInt(b)
}

function add(a: Whole, b: Whole): Whole {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b
    if (Number.isSafeInteger(sum)) return sum
  }
  return BigInt(a) + BigInt(b)
}

export function plus(a: Exact, b: Exact): Exact {
  if (a.numerator === 0) return b
  if (b.numerator === 0) return a
  if (a.denominator === b.denominator)
    return { numerator: add(a.numerator, b.numerator), denominator: a.denominator }
  if (typeof a.denominator === 'number' && typeof b.denominator === 'number') {
    if (b.denominator % a.denominator === 0) return plusFiner(a, b, b.denominator / a.denominator)
    if (a.denominator % b.denominator === 0) return plusFiner(b, a, a.denominator / b.denominator)
  }
  return {
    numerator: add(multiply(a.numerator, b.denominator), multiply(b.numerator, a.denominator)),
    denominator: multiply(a.denominator, b.denominator),
  }
}

/** The sum of two fractions. The denominator of `fine` is `factor` times that of `coarse`. */
function plusFiner(coarse: Exact, fine: Exact, factor: number): Exact {
  return { numerator: add(multiply(coarse.numerator, factor), fine.numerator), denominator: fine.denominator }
}

export function sumOf(amounts: readonly Exact[]): Exact {
  let sum = ZERO
  for (const amount of amounts) sum = plus(sum, amount)
  return sum
}

export function times(a: Exact, b: Exact): Exact {
  if (a.numerator === 0 || b.numerator === 0) return ZERO
  return quotient(a.numerator, b.numerator, a.denominator, b.denominator)
}

/** (`a` × `b`) ÷ (`c` × `d`). Common factors are only removed where that avoids a BigInt. */
function quotient(a: Whole, b: Whole, c: Whole, d: Whole): Exact {
  if (typeof a === 'number' && typeof b === 'number' && typeof c === 'number' && typeof d === 'number') {
    const [above, below] = [a * b, c * d]
    if (Number.isSafeInteger(above) && Number.isSafeInteger(below))
      return { numerator: above, denominator: below }
    // An amount that was converted from another currency is converted back.
    if (b > 0 && c % b === 0) return { numerator: a, denominator: multiply(c / b, d) }
    const factorAc = commonFactor(a, c)
    const factorAd = commonFactor(a / factorAc, d)
    const factorBc = commonFactor(b, c / factorAc)
    const factorBd = commonFactor(b / factorBc, d / factorAd)
    return {
      numerator: multiply(a / factorAc / factorAd, b / factorBc / factorBd),
      denominator: multiply(c / factorAc / factorBc, d / factorAd / factorBd),
    }
  }
  return { numerator: multiply(a, b), denominator: multiply(c, d) }
}

function commonFactor(a: number, b: number): number {
  let [one, other] = [Math.abs(a), b]
  while (other !== 0) [one, other] = [other, one % other]
  return one
}

export function timesWhole(a: Exact, factor: Whole): Exact {
  return { numerator: multiply(a.numerator, factor), denominator: a.denominator }
}

/** `a` ÷ `b`; `b` must be above zero. */
export function dividedBy(a: Exact, b: Exact): Exact {
  return quotient(a.numerator, b.denominator, a.denominator, b.numerator)
}

/** Negative if `a` is below `b`, zero if they are equal, positive if `a` is above `b`. */
export function compare(a: Exact, b: Exact): number {
  const left = multiply(a.numerator, b.denominator)
  const right = multiply(b.numerator, a.denominator)
  return left < right ? -1 : left > right ? 1 : 0
}

export function isZero(a: Exact): boolean {
  return a.numerator === 0 || a.numerator === 0n
}

/** `a` − `b`, or zero if `b` is larger. */
export function excess(a: Exact, b: Exact): Exact {
  if (compare(a, b) <= 0) return ZERO
  return plus(a, { numerator: multiply(b.numerator, -1), denominator: b.denominator })
}

export function largerOf(a: Exact, b: Exact): Exact {
  return compare(a, b) < 0 ? b : a
}

export function smallerOf(a: Exact, b: Exact): Exact {
  return compare(a, b) > 0 ? b : a
}

/**
 * Euro to whole cents, rounded half up (one half towards +∞).
 * @throws RangeError beyond the safe integers.
 */
export function centsOf({ numerator, denominator }: Exact): number {
  const cents = Number(nearestWhole(multiply(numerator, 100), denominator))
  if (!Number.isSafeInteger(cents)) throw new RangeError('amount out of range')
  return cents
}

/** Rounded half up. */
function nearestWhole(numerator: Whole, denominator: Whole): Whole {
  return flooredQuotient(add(multiply(numerator, 2), denominator), multiply(denominator, 2))
}

/** Rounded towards −∞. For safe integers, the floor of the floating-point quotient is exact. */
function flooredQuotient(a: Whole, b: Whole): Whole {
  if (typeof a === 'number' && typeof b === 'number') return Math.floor(a / b)
  const [dividend, divisor] = [BigInt(a), BigInt(b)]
  const quotient = dividend / divisor
  return dividend < 0n && quotient * divisor !== dividend ? quotient - 1n : quotient
}

/** The multiple of `unit` nearest to `a`, half up. `unit` must be above zero. */
export function roundToUnit(a: Exact, unit: Exact): Exact {
  const { numerator, denominator } = dividedBy(a, unit)
  return timesWhole(unit, nearestWhole(numerator, denominator))
}

/** The largest multiple of `unit` that is at most `a`. `unit` must be above zero. */
export function cutToUnit(a: Exact, unit: Exact): Exact {
  const { numerator, denominator } = dividedBy(a, unit)
  return timesWhole(unit, flooredQuotient(numerator, denominator))
}

const THOUSANDTHS = 1000

/** As decimal text with at most three places; for display only. */
export function formatQuantity({ numerator, denominator }: Exact): string {
  return formatDecimal(Number(nearestWhole(multiply(numerator, THOUSANDTHS), denominator)), 3)
}

/** "12.50" */
export function formatAmount(amount: Exact): string {
  return formatCents(centsOf(amount))
}

/** "EUR 12.50" */
export function formatEuro(amount: Exact): string {
  return formatMoney(amount, 'EUR')
}

/** `amount` is in units of the currency. */
export function formatMoney(amount: Exact, currency: string): string {
  return `${currency} ${formatAmount(amount)}`
}

const ONE = exactOf(1, 0)

/**
 * Splits whole cents in proportion to values, which must not be below zero. The parts add up to `cents`: remaining
 * cents go to the parts with the largest remainders, and of equal remainders to the first. If all values are zero, the
 * amount is split evenly.
 */
export function splitCents(cents: number, values: readonly Exact[]): readonly number[] {
  const [, second] = values
  if (second === undefined) return values.map(() => cents)
  const total = sumOf(values)
  const isEqual = isZero(total)
  const whole = isEqual ? exactOf(values.length, 0) : total
  const parts = values.map((value, position) => {
    const exact = dividedBy(timesWhole(isEqual ? ONE : value, cents), whole)
    const floor = cutToUnit(exact, ONE)
    return { position, cents: Number(floor.numerator), rest: plus(exact, timesWhole(floor, -1)) }
  })
  const left = cents - parts.reduce((sum, part) => sum + part.cents, 0)
  // Sorting is stable, so equal remainders keep the order of the items.
  const raised = parts.toSorted((a, b) => compare(b.rest, a.rest)).slice(0, left)
  const shares = parts.map((part) => part.cents)
  for (const { position } of raised) shares[position] = (shares[position] ?? 0) + 1
  return shares
}
