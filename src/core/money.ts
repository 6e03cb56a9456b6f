/**
 * Money is an integer number of cents: of euro, or hundredths of the currency of a rate card. Each line of a price is
 * rounded once, half up; sums of lines are not rounded again.
 */

/**
 * `factor × numerator / denominator`, rounded half up to an integer (towards +∞ at exactly one half). Exact for any
 * safe integers: products above 2^53 are calculated with BigInt.
 * @throws RangeError if the result is not a safe integer.
 */
export function mulDivHalfUp(factor: number, numerator: number, denominator: number): number {
  const product = factor * numerator
  if (Number.isSafeInteger(product) && Number.isSafeInteger(2 * product + denominator))
    return Math.floor((2 * product + denominator) / (2 * denominator))
  return roundHalfUp(BigInt(factor) * BigInt(numerator), BigInt(denominator))
}

/** `numerator / denominator`, rounded half up. The denominator must be positive. RangeError above 2^53. */
export function roundHalfUp(numerator: bigint, denominator: bigint): number {
  const doubled = 2n * numerator + denominator
  const divisor = 2n * denominator
  const quotient = doubled >= 0n ? doubled / divisor : -((-doubled + divisor - 1n) / divisor)
  const rounded = Number(quotient)
  if (!Number.isSafeInteger(rounded)) throw new RangeError('amount out of range')
  return rounded
}

/** The largest amount that rules calculate with, in cents. */
export const MAX_CENTS = 1e15

/** `factor × numerator / denominator`, rounded half up to a multiple of `step`. */
export function mulDivToStep(factor: number, numerator: number, denominator: number, step: number): number {
  return mulDivHalfUp(factor, numerator, denominator * step) * step
}

export function sumCents(amounts: readonly number[]): number {
  return amounts.reduce((sum, cents) => sum + cents, 0)
}

/** ".00" to ".99" */
const DECIMALS = Array.from({ length: 100 }, (_, rest) => `.${String(rest).padStart(2, '0')}`)

/** Units of 10^-`decimals` as text with that number of decimals: (1250, 2) is "12.50", (1250, 0) is "1250". */
export function formatUnits(units: number, decimals: number): string {
  const sign = units < 0 ? '-' : ''
  const digits = String(Math.abs(units)).padStart(decimals + 1, '0')
  if (decimals === 0) return sign + digits
  return `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

/** Cents as text with two decimals: 1250 is "12.50". */
export function formatCents(cents: number): string {
  if (cents < 0) return `-${formatCents(-cents)}`
  const rest = cents % 100
  return `${(cents - rest) / 100}${DECIMALS[rest]}`
}
