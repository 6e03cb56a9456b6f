/**
 * Converts amounts between the currency of a rate card, euro and other currencies, with and without VAT. An amount is
 * an exact fraction that is rounded once, half up. Rules: docs/rate-cards.md#currency-and-vat.
 */
import { EURO, type ExchangeRate, type ExchangeRates } from '../../customs/data/exchange-rate.ts'
import { roundHalfUp } from '../../money.ts'
import { latestOn } from '../../validity.ts'
import type { PriceTerms } from '../rate-card.ts'

/** A fraction that amounts are multiplied by. The denominator is above 0. */
export type Factor = { readonly numerator: bigint; readonly denominator: bigint }

/** How many days old an exchange rate may be, unless a rate card states another number. */
export const DEFAULT_RATE_DAYS = 7

/** The terms of a card that is not in euro without VAT, and the exchange rate of the day if there is one. */
export type Exchange = { readonly terms: PriceTerms; readonly rate: ExchangeRate | undefined }

/**
 * The exchange rate of a currency on a day: the latest one that starts on or before the day. Undefined if there is
 * none, or if it is older than `rateDays`. The rate of the euro is 1.
 */
export function rateOn(
  rates: ExchangeRates,
  { currency, rateDays }: Pick<PriceTerms, 'currency' | 'rateDays'>,
  date: string,
): ExchangeRate | undefined {
  if (currency === 'EUR') return EURO
  const newest = latestOn(rates.get(currency) ?? [], date)
  if (newest === undefined || newest.perEuro.numerator === 0) return undefined
  return daysBetween(newest.validFrom, date) > rateDays ? undefined : newest
}

function daysBetween(first: string, last: string): number {
  return (Date.parse(last) - Date.parse(first)) / 86_400_000
}

/** Removes VAT of `vatBps` basis points that an amount includes. */
export function withoutVat(vatBps: number): Factor {
  return { numerator: 10_000n, denominator: BigInt(10_000 + vatBps) }
}

/** Adds VAT of `vatBps` basis points. */
export function withVat(vatBps: number): Factor {
  return { numerator: BigInt(10_000 + vatBps), denominator: 10_000n }
}

/** From the currency of the rate to euro. */
export function toEuro({ perEuro }: ExchangeRate): Factor {
  return { numerator: BigInt(perEuro.denominator), denominator: BigInt(perEuro.numerator) }
}

/** From euro to the currency of the rate. */
export function fromEuro({ perEuro }: ExchangeRate): Factor {
  return { numerator: BigInt(perEuro.numerator), denominator: BigInt(perEuro.denominator) }
}

export function product(one: Factor, other: Factor): Factor {
  return {
    numerator: one.numerator * other.numerator,
    denominator: one.denominator * other.denominator,
  }
}

/** An amount times a factor, rounded half up. Throws a RangeError above 2^53. */
export function convert(cents: number, { numerator, denominator }: Factor): number {
  return roundHalfUp(BigInt(cents) * numerator, denominator)
}

/**
 * Converts the parts of a sum, so that they add up to the converted sum, which is rounded once, half up. Each part is
 * rounded down, and the cents that are then missing go to the parts with the largest remainders; among equals, to the
 * first. A part therefore differs from its exact value by less than one cent, and an exact one does not change.
 */
export function convertParts(parts: readonly number[], factor: Factor): number[] {
  const { numerator, denominator } = factor
  const exact = parts.map((cents) => BigInt(cents) * numerator)
  const total = roundHalfUp(
    exact.reduce((sum, part) => sum + part, 0n),
    denominator,
  )
  const remainders = exact.map((part) => ((part % denominator) + denominator) % denominator)
  const converted = exact.map((part, index) => Number((part - remainders[index]!) / denominator))
  const missing = total - converted.reduce((sum, cents) => sum + cents, 0)
  const largestFirst = [...parts.keys()].sort((a, b) => compareBigInts(remainders[b]!, remainders[a]!))
  for (const index of largestFirst.slice(0, missing)) converted[index]! += 1
  return converted
}

function compareBigInts(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Euro cents in cents of another currency, rounded half up. */
export function valueInCurrency(euroCents: number, rate: ExchangeRate): number {
  return convert(euroCents, fromEuro(rate))
}

/** The largest number of euro cents that is not above an amount in another currency. */
export function limitInEuro(cents: number, rate: ExchangeRate): number {
  const { numerator, denominator } = toEuro(rate)
  return Number((BigInt(cents) * numerator) / denominator)
}
