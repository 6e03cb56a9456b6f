/**
 * Decimals without floating point: text such as "12.5" becomes an integer of its smallest step, and back.
 */

const DECIMAL = /^(-?)(\d{1,15})(?:\.(\d{1,15}))?$/

/**
 * The integer that `text` is in steps of 10^-`places`: ("12.5", 1) is 125, ("3", 2) is 300. Trailing zeros
 * count as places ("1.50" has two). Undefined when the text is no plain decimal (no exponent, blank, sign +),
 * has more places than asked for, or leaves the safe integers.
 */
export function parseDecimal(text: string, places: number): number | undefined {
  const match = DECIMAL.exec(text)
  if (match === null) return undefined
  const [, sign = '', whole = '', fraction = ''] = match
  if (fraction.length > places) return undefined
  const steps = Number(whole + fraction.padEnd(places, '0'))
  if (!Number.isSafeInteger(steps)) return undefined
  return sign === '-' && steps !== 0 ? -steps : steps
}

/** `parseDecimal` for figures we ship or stored ourselves: a fault is a bug, so it throws. */
export function decimal(text: string, places: number): number {
  const steps = parseDecimal(text, places)
  if (steps === undefined) throw new Error(`not a decimal of ${places} places: ${JSON.stringify(text)}`)
  return steps
}

/** Steps of 10^-`places` as decimal text without superfluous zeros: (1250, 2) is "12.5", (300, 2) is "3". */
export function formatDecimal(steps: number, places: number): string {
  const digits = String(Math.abs(steps)).padStart(places + 1, '0')
  const whole = digits.slice(0, digits.length - places)
  const fraction = withoutTrailingZeros(digits.slice(digits.length - places))
  return `${steps < 0 ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`
}

/** Text without the zeros at its end: "1250" is "125", "000" is empty. A loop, since `/0+$/` takes quadratic time. */
export function withoutTrailingZeros(text: string): string {
  let end = text.length
  while (text[end - 1] === '0') end -= 1
  return text.slice(0, end)
}

/** The smallest multiple of `step` that is at least `numerator / denominator` (all positive integers). */
export function ceilToStep(numerator: number, denominator: number, step: number): number {
  return Math.ceil(numerator / (denominator * step)) * step
}

/** Grams as kilograms, in the fewest places: 12400 is "12.4". */
export function formatKilograms(grams: number): string {
  return formatDecimal(grams, 3)
}
