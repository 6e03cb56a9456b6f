import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatUnits } from '../../../../src/core/money.ts'
import {
  convert,
  convertParts,
  limitInEuro,
  product,
  rateOn,
  toEuro,
  valueInCurrency,
  withoutVat,
} from '../../../../src/core/rating/currency/conversion.ts'
import { conversionFaults, exactEuro, nearest } from '../../../support/oracle/rating/conversion.ts'
import { exchangeRates } from '../../../support/rates/exchange-rates.ts'

const { exchangeRates: RATES } = exchangeRates(
  ['GBP', '2026-08-28', '0.8641'],
  ['GBP', '2026-08-27', '0.87'],
  ['GBP', '2026-06-01', '0.85'],
  ['ITL', '2026-08-28', '0'],
)
const rateOf = (unitsPerEuro: string) =>
  rateOn(exchangeRates(['XXX', '2026-01-01', unitsPerEuro]).exchangeRates, ANY, '2026-01-01')!
const ANY = { currency: 'XXX', rateDays: 7 }

describe('the exchange rate of a day', () => {
  test.each([
    ['2026-08-28', '0.8641'],
    ['2026-08-27', '0.87'],
    ['2026-09-04', '0.8641'],
    // Older than seven days.
    ['2026-09-05', undefined],
    ['2026-08-26', undefined],
    ['2026-06-08', '0.85'],
    ['2026-06-09', undefined],
    // Before the first rate.
    ['2026-05-31', undefined],
  ])('%s is the latest one, unless it is too old: %s', (day, expected) => {
    expect(rateOn(RATES, { currency: 'GBP', rateDays: 7 }, day)?.unitsPerEuro).toBe(expected)
  })

  test('may be as old as the card states', () => {
    expect(rateOn(RATES, { currency: 'GBP', rateDays: 31 }, '2026-07-02')?.unitsPerEuro).toBe('0.85')
    expect(rateOn(RATES, { currency: 'GBP', rateDays: 31 }, '2026-07-03')).toBeUndefined()
  })

  test('is 1 for the euro, and missing for an unknown currency and for a rate of 0', () => {
    expect(rateOn(RATES, { currency: 'EUR', rateDays: 1 }, '2026-08-28')?.unitsPerEuro).toBe('1')
    expect(rateOn(RATES, { currency: 'CHF', rateDays: 7 }, '2026-08-28')).toBeUndefined()
    expect(rateOn(RATES, { currency: 'ITL', rateDays: 7 }, '2026-08-28')).toBeUndefined()
  })
})

const rates = fc.integer({ min: 1, max: 2_000_000_000 }).map((millionths) => formatUnits(millionths, 6))
const vat = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 10_000 }))
const lines = fc.array(fc.integer({ min: -500_000, max: 5_000_000 }), { minLength: 1, maxLength: 12 })
/** Many lines with the same remainder. */
const equalLines = fc
  .tuple(fc.integer({ min: 0, max: 5_000 }), fc.integer({ min: 1, max: 12 }))
  .map(([cents, count]) => Array.from({ length: count }, () => cents))

describe('converting a price', () => {
  test('rounds the sum once, and distributes it over the lines by the largest remainders', () => {
    fc.assert(
      fc.property(fc.oneof(lines, equalLines), rates, vat, (cents, unitsPerEuro, vatBps) => {
        const factor = product(withoutVat(vatBps), toEuro(rateOf(unitsPerEuro)))
        const euro = convertParts(cents, factor)
        expect(conversionFaults(cents, euro, { unitsPerEuro, vatBps })).toEqual([])
        const total = cents.reduce((sum, line) => sum + line, 0)
        expect(convert(total, factor)).toBe(euro.reduce((sum, line) => sum + line, 0))
      }),
    )
  })

  test('does not make a higher price lower', () => {
    fc.assert(
      fc.property(fc.nat(5_000_000), fc.nat(1_000), rates, vat, (cents, more, unitsPerEuro, vatBps) => {
        const factor = product(withoutVat(vatBps), toEuro(rateOf(unitsPerEuro)))
        expect(convert(cents + more, factor)).toBeGreaterThanOrEqual(convert(cents, factor))
        expect(convert(cents, factor)).toBe(nearest(exactEuro(cents, { unitsPerEuro, vatBps })))
      }),
    )
  })

  test('changes nothing in euro without VAT', () => {
    expect(convertParts([335, -29, 0], product(withoutVat(0), toEuro(rateOf('1'))))).toEqual([335, -29, 0])
  })
})

describe('an insured value', () => {
  test('is converted to the currency of the card, and its limit to euro', () => {
    // 500.00 × 0.8641 = 432.05. 1000.00 / 0.8641 = 1157.2734…
    expect(valueInCurrency(50_000, rateOf('0.8641'))).toBe(43_205)
    expect(limitInEuro(100_000, rateOf('0.8641'))).toBe(115_727)
  })

  test('is within the limit if and only if its converted value is not above it', () => {
    fc.assert(
      fc.property(fc.nat(10_000_000), fc.nat(10_000_000), rates, (value, limit, unitsPerEuro) => {
        const rate = rateOf(unitsPerEuro)
        const millionths = BigInt(Math.round(Number(unitsPerEuro) * 1e6))
        const isWithin = BigInt(value) * millionths <= BigInt(limit) * 1_000_000n
        expect(value <= limitInEuro(limit, rate)).toBe(isWithin)
      }),
    )
  })
})
