/**
 * Decimals without floating point. A decimal is stored as an integer number of steps of 10^-`places`.
 */

const DECIMAL = /^(-?)(\d{1,15})(?:\.(\d{1,15}))?$/

/**
 * The steps of a decimal: ("12.5", 1) is 125, ("3", 2) is 300. Undefined if the text is not a plain decimal (no
 * exponent, blank or plus sign), has more than `places` decimals ("1.50" has two), or is not a safe integer.
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

const POWERS = Array.from({ length: 16 }, (_, places) => 10 ** places)

/** 10^`places`. A table, because calculating powers is slow. */
export function powerOfTen(places: number): number {
  return POWERS[places] ?? 10 ** places
}

/** Multiples of 10^-places below this number have different doubles. */
const MAX_DISTINCT_STEPS = 1e15

/** Like `parseDecimal` of the shortest text of a number, but much faster. */
export function stepsOf(value: number, places: number): number | undefined {
  const scale = powerOfTen(places)
  const steps = Math.round(value * scale)
  // The quotient of two integers is the double closest to it, so it is `value` only if `value` has that many decimals.
  if (Math.abs(steps) < MAX_DISTINCT_STEPS && Math.abs(value) < MAX_DISTINCT_STEPS)
    return steps / scale === value ? steps + 0 : undefined
  return parseDecimal(String(value), places)
}

/** Like `parseDecimal`, but throws. For shipped and stored figures, in which a fault is a bug. */
export function decimal(text: string, places: number): number {
  const steps = parseDecimal(text, places)
  if (steps === undefined)
    throw new Error(`not a decimal with at most ${places} places: ${JSON.stringify(text)}`)
  return steps
}

/** The decimal text of steps, without trailing zeros: (1250, 2) is "12.5", (300, 2) is "3". */
export function formatDecimal(steps: number, places: number): string {
  const scale = powerOfTen(places)
  const absolute = Math.abs(steps)
  const rest = absolute % scale
  const whole = `${steps < 0 ? '-' : ''}${(absolute - rest) / scale}`
  if (rest === 0) return whole
  return `${whole}.${withoutTrailingZeros(String(rest).padStart(places, '0'))}`
}

/** Removes zeros at the end: "1250" is "125", "000" is empty. A loop, because `/0+$/` takes quadratic time. */
export function withoutTrailingZeros(text: string): string {
  let end = text.length
  while (text[end - 1] === '0') end -= 1
  return text.slice(0, end)
}

/** The smallest multiple of `step` that is at least `numerator / denominator`. All are positive integers. */
export function ceilToStep(numerator: number, denominator: number, step: number): number {
  return Math.ceil(numerator / (denominator * step)) * step
}

/** Grams as kilograms: 12400 is "12.4". */
export function formatKilograms(grams: number): string {
  return formatDecimal(grams, 3)
}
