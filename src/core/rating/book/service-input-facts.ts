/** The inputs of services as rules test them: the amount to collect is in the currency of the rate card. */
import { EURO, type ExchangeRate, type RateSource } from '../../customs/data/exchange-rate.ts'
import { MAX_CENTS, roundHalfUp } from '../../money.ts'
import { DEFAULT_RATE_DAYS, type Factor, fromEuro, product, rateOn, toEuro } from '../currency/conversion.ts'
import type { PriceTerms } from '../rate-card.ts'
import type { RatesRequest } from '../request.ts'
import type { CollectedAmount, DangerousGoods, ServiceInputs } from '../service-inputs.ts'

/** The amount to collect, with what it was converted with. */
export type Collected = {
  readonly stated: CollectedAmount
  /**
   * In cents of the card's currency, rounded half up. Amounts above `MAX_CENTS` are one more than that. Undefined if an
   * exchange rate is missing.
   */
  readonly cents: number | undefined
  /** From the stated currency to that of the card. */
  readonly factor: Factor | undefined
  /** The exchange rates that were used: none if the currencies are equal. */
  readonly rates: readonly ExchangeRate[]
  /** How many days old a rate may be. */
  readonly rateDays: number
}

export type InputFacts = {
  readonly slots: NonNullable<ServiceInputs['slots']>
  readonly collected: Collected | undefined
  /** All goods of the shipment. */
  readonly goods: readonly DangerousGoods[]
  /** Those that a condition is tested for: all, or one of them. */
  readonly tested: readonly DangerousGoods[]
}

export const NO_INPUTS: InputFacts = { slots: {}, collected: undefined, goods: [], tested: [] }

/** `terms` are those of the rate card. A card in euro has none. */
export function inputFactsOf(
  { serviceInputs }: Pick<RatesRequest, 'serviceInputs'>,
  terms: PriceTerms | undefined,
  { exchangeRates }: RateSource,
  date: string,
): InputFacts {
  if (serviceInputs === undefined) return NO_INPUTS
  const { slots = {}, cashOnDelivery, dangerousGoods = [] } = serviceInputs
  const collected = cashOnDelivery && collectedIn(cashOnDelivery, terms, exchangeRates, date)
  return { slots, collected, goods: dangerousGoods, tested: dangerousGoods }
}

function collectedIn(
  stated: CollectedAmount,
  terms: PriceTerms | undefined,
  exchangeRates: RateSource['exchangeRates'],
  date: string,
): Collected {
  const { currency = 'EUR', rateDays = DEFAULT_RATE_DAYS } = terms ?? {}
  if (stated.currency === currency)
    return { stated, cents: stated.hundredths, factor: ONE, rates: [], rateDays }
  const rateOf = (code: string): ExchangeRate | undefined =>
    rateOn(exchangeRates, { currency: code, rateDays }, date)
  const [from, to] = [rateOf(stated.currency), rateOf(currency)]
  if (from === undefined || to === undefined)
    return { stated, cents: undefined, factor: undefined, rates: [], rateDays }
  const factor = product(toEuro(from), fromEuro(to))
  const exact = BigInt(stated.hundredths) * factor.numerator
  const isTooHigh = exact > BigInt(MAX_CENTS) * factor.denominator
  const cents = isTooHigh ? MAX_CENTS + 1 : roundHalfUp(exact, factor.denominator)
  return { stated, cents, factor, rates: [from, to].filter((rate) => rate !== EURO), rateDays }
}

const ONE: Factor = { numerator: 1n, denominator: 1n }

/** The largest amount in the stated currency that is not above `cents` of the card's currency. In hundredths. */
export function limitInStated(cents: number, { numerator, denominator }: Factor): bigint {
  return (BigInt(cents) * denominator) / numerator
}

/**
 * The net weight of the goods in grams. If it is not stated for some of them, at least the weight of the shipment, so
 * that a price is never too low.
 */
export function netGramsOf({ goods }: InputFacts, shipmentGrams: number): number {
  const stated = goods.reduce((grams, { netGrams = 0 }) => grams + netGrams, 0)
  return goods.some(({ netGrams }) => netGrams === undefined) ? Math.max(stated, shipmentGrams) : stated
}

/** The packages with goods. If they are not stated for some of them, at least the units of the shipment. */
export function packagesOf({ goods }: InputFacts, units: number): number {
  const stated = goods.reduce((sum, { packages = 0 }) => sum + packages, 0)
  return goods.some(({ packages }) => packages === undefined) ? Math.max(stated, units) : stated
}
