/** Exact fractions, for the constants and ranges of expressions. */

/** In lowest terms. The denominator is above 0. */
export type Rational = { readonly numerator: bigint; readonly denominator: bigint }

/** Throws a RangeError if the denominator is 0. */
export function rational(numerator: bigint, denominator = 1n): Rational {
  const divisor = greatestCommonDivisor(numerator, denominator)
  const sign = denominator < 0n ? -1n : 1n
  return { numerator: (sign * numerator) / divisor, denominator: (sign * denominator) / divisor }
}

/** A decimal such as "2.25". It must consist of digits and at most one point between them. */
export function rationalOfDecimal(text: string): Rational {
  const [whole = '', fraction = ''] = text.split('.')
  return rational(BigInt(whole + fraction), 10n ** BigInt(fraction.length))
}

export function times(a: Rational, b: Rational): Rational {
  return rational(a.numerator * b.numerator, a.denominator * b.denominator)
}

/** Throws a RangeError if `b` is 0. */
export function dividedBy(a: Rational, b: Rational): Rational {
  return rational(a.numerator * b.denominator, a.denominator * b.numerator)
}

/** Exact decimals of a fraction: "0.4"; "5/12" if its decimals do not end. */
export function rationalText({ numerator, denominator }: Rational): string {
  let rest = denominator
  let places = 0
  let scale = 1n
  while (rest !== 1n && places < MAX_PLACES) {
    places += 1
    scale *= 10n
    rest = denominator / greatestCommonDivisor(denominator, scale)
  }
  if (rest !== 1n) return `${numerator}/${denominator}`
  const sign = numerator < 0n ? '-' : ''
  const digits = String((magnitude(numerator) * scale) / denominator).padStart(places + 1, '0')
  if (places === 0) return sign + digits
  return `${sign}${digits.slice(0, -places)}.${digits.slice(-places)}`
}

/** The fraction of a pound in grams has eight decimals, that of an ounce twelve. */
const MAX_PLACES = 12

export function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  let [larger, smaller] = [magnitude(a), magnitude(b)]
  while (smaller !== 0n) [larger, smaller] = [smaller, larger % smaller]
  if (larger === 0n) throw new RangeError('a fraction without a denominator')
  return larger
}

export function magnitude(number: bigint): bigint {
  return number < 0n ? -number : number
}
