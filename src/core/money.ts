/**
 * Money is an integer number of euro cents, everywhere. A figure is rounded once, half-up, where it becomes
 * a line of its own; sums are sums of such lines and never round again.
 */

/**
 * `factor × numerator / denominator`, rounded half-up to an integer (towards +∞ at exactly one half).
 * Exact for any safe integers: it goes through BigInt where the product would pass 2^53.
 * @throws RangeError when the result itself is no safe integer.
 */
export function mulDivHalfUp(factor: number, numerator: number, denominator: number): number {
  const product = factor * numerator
  if (Number.isSafeInteger(product) && Number.isSafeInteger(2 * product + denominator))
    return Math.floor((2 * product + denominator) / (2 * denominator))
  return roundHalfUp(BigInt(factor) * BigInt(numerator), BigInt(denominator))
}

/** `numerator / denominator` (denominator > 0), rounded half-up to a safe integer; RangeError past that. */
export function roundHalfUp(numerator: bigint, denominator: bigint): number {
  const doubled = 2n * numerator + denominator
  const divisor = 2n * denominator
  const quotient = doubled >= 0n ? doubled / divisor : -((-doubled + divisor - 1n) / divisor)
  const rounded = Number(quotient)
  if (!Number.isSafeInteger(rounded)) throw new RangeError('amount out of range')
  return rounded
}

/** A share of an amount: cents in, cents out, the rate in basis points (1% = 100). Rounded half-up. */
export function shareOf(amountCents: number, rateBps: number): number {
  return mulDivHalfUp(amountCents, rateBps, 10_000)
}

/** Adds up cents. */
export function sumCents(amounts: readonly number[]): number {
  return amounts.reduce((sum, cents) => sum + cents, 0)
}

/** Cents as decimal text with two places: 1250 is "12.50". */
export function formatCents(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0')
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}
