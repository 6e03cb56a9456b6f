/** Fractions of BigInt in lowest terms for the oracle: slow, exact, and independent of the engine. */
/** `n` over `d`, in lowest terms, `d` above 0. */
export type Fraction = { readonly n: bigint; readonly d: bigint }

/** A fraction in lowest terms; throws on a denominator of 0. */
export function fraction(n: bigint | number, d: bigint | number = 1): Fraction {
  let [above, below] = [BigInt(n), BigInt(d)]
  if (below === 0n) throw new Error('division by zero')
  if (below < 0n) [above, below] = [-above, -below]
  let [a, b] = [above < 0n ? -above : above, below]
  while (b > 0n) [a, b] = [b, a % b]
  return a === 0n ? { n: 0n, d: 1n } : { n: above / a, d: below / a }
}

export const ZERO: Fraction = fraction(0)
export const ONE: Fraction = fraction(1)

export function sum(values: readonly Fraction[]): Fraction {
  return values.reduce((a, b) => fraction(a.n * b.d + b.n * a.d, a.d * b.d), ZERO)
}

export function plus(a: Fraction, b: Fraction): Fraction {
  return sum([a, b])
}

export function minus(a: Fraction, b: Fraction): Fraction {
  return fraction(a.n * b.d - b.n * a.d, a.d * b.d)
}

export function times(a: Fraction, b: Fraction): Fraction {
  return fraction(a.n * b.n, a.d * b.d)
}

/** a / b; throws when b is 0. */
export function over(a: Fraction, b: Fraction): Fraction {
  return fraction(a.n * b.d, a.d * b.n)
}

/** Negative, 0 or positive if a is less than, equal to, or greater than b. */
export function compare(a: Fraction, b: Fraction): number {
  const difference = a.n * b.d - b.n * a.d
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

export function greater(a: Fraction, b: Fraction): Fraction {
  return compare(a, b) >= 0 ? a : b
}

export function lesser(a: Fraction, b: Fraction): Fraction {
  return compare(a, b) <= 0 ? a : b
}

export function isZero(a: Fraction): boolean {
  return a.n === 0n
}

/** A decimal number as text: "12", "0.05", "-3.5"; throws on anything else. */
export function decimal(text: string): Fraction {
  const [, sign = '', whole = '', digits = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? []
  if (whole === '') throw new Error(`not a decimal number: '${text}'`)
  const value = fraction(BigInt(whole + digits), 10n ** BigInt(digits.length))
  return sign === '-' ? minus(ZERO, value) : value
}

/** Parts per million. */
export function ppm(parts: number): Fraction {
  return fraction(parts, 1_000_000)
}

function floor(value: Fraction): bigint {
  const cut = value.n / value.d
  return value.n < 0n && cut * value.d !== value.n ? cut - 1n : cut
}

/** The next lower multiple of a unit, or the nearest, half up. */
export function multipleOf(value: Fraction, unit: Fraction, mode: 'half_up' | 'down'): Fraction {
  const count = over(value, unit)
  return times(fraction(floor(mode === 'down' ? count : plus(count, fraction(1, 2)))), unit)
}

/** Euro as whole cents, half up. */
export function centsOf(euro: Fraction): number {
  return Number(multipleOf(times(euro, fraction(100)), ONE, 'half_up').n)
}

/** The part of an amount for a share of a whole; one of `count` equal parts if the whole is zero. */
export function shareOf(amount: Fraction, share: Fraction, whole: Fraction, count: number): Fraction {
  return isZero(whole) ? over(amount, fraction(count)) : over(times(amount, share), whole)
}
