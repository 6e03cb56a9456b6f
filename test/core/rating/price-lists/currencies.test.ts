// Lists in pounds without VAT, in euro with 19% of VAT inside the EU, and in francs with 8.1%, rounded to 0.05. Prices
// are calculated by hand.
import { describe, expect, test } from 'vitest'
import { explainLine } from '../../../../src/core/rating/explain/explain.ts'
import { priceIn } from '../../../../src/core/rating/price/price-in-currency.ts'
import type { RateOption } from '../../../../src/core/rating/quote.ts'
import { exchangeRates } from '../../../support/rates/exchange-rates.ts'
import { openPriceList, parcels, route } from '../../../support/rates/price-list.ts'

const RATES = exchangeRates(
  ['GBP', '2026-08-28', '0.8641'],
  ['CHF', '2026-08-03', '0.9156'],
  ['USD', '2026-08-31', '1.1761'],
  ['JPY', '2026-08-31', '184.37'],
)
const BOX = '40x30x20'
const inCard = ({ cardPrice }: RateOption) => ({
  total: cardPrice?.totalCents,
  lines: cardPrice?.lines.map(({ item, amountCents }) => [item, amountCents]),
})
const shown = (option: RateOption, currency?: string) => {
  const { exchangeRates: used, ...price } = priceIn(option, currency)
  return { ...price, rates: used.map((rate) => `${rate.currency} ${rate.unitsPerEuro} ${rate.validFrom}`) }
}

test.each(['net-pounds', 'gross-euro', 'gross-francs'])('%s has no findings', (name) => {
  expect(openPriceList(name, RATES).findings).toEqual({ faults: [], warnings: [] })
})

describe('a British list in pounds without VAT', () => {
  const { bill, option, refusal } = openPriceList('net-pounds', RATES)
  const home = route('GB', 'GB', [parcels(1, BOX)])

  test('is converted at the rate of the day', () => {
    // Volume 24,000 / 5000 = 4.8 kg: over 2 to 5 kg. 4.95; fuel 8.75% = 0.433125 → 0.43; together GBP 5.38.
    // 5.38 / 0.8641 = 6.226131… → 6.23. Freight 5.728503…, fuel 0.497627…: 5.72 + 0.49 = 6.21. Both get a cent.
    expect(bill(2401, home)).toEqual({
      price: '6.23',
      lines: [
        ['Freight', '5.73'],
        ['Fuel surcharge', '0.50'],
      ],
      kg: [4.8],
      days: '1-2',
    })
    expect(inCard(option(2401, home))).toEqual({
      total: 538,
      lines: [
        ['Freight', 495],
        ['Fuel surcharge', 43],
      ],
    })
  })

  test('has lines that add up, although one is rounded down', () => {
    // 15 × 15 × 15 / 5000 = 0.675 → 0.7 kg; 1 kg counts. 3.35; fuel 0.293125 → 0.29; together GBP 3.64.
    // 3.64 / 0.8641 = 4.212475… → 4.21. Freight 3.876866…, fuel 0.335609…: 3.87 + 0.33 = 4.20. The cent that is
    // missing goes to the freight, whose remainder is larger. Alone, the fuel would be 0.34.
    const small = route('GB', 'GB', [parcels(1, '15x15x15')])
    expect(bill(2401, small)).toMatchObject({
      price: '4.21',
      lines: [
        ['Freight', '3.88'],
        ['Fuel surcharge', '0.33'],
      ],
    })
    const { formula, inputs } = explainLine(option(2401, small), 1)
    expect(formula).toBe(
      '8.75% of 3.35 GBP (freight), rounded half up to the cent; 0.29 GBP at 0.8641 GBP per EUR, ' +
        'rounded down, so that the lines add up to the price',
    )
    expect(inputs.slice(-5)).toEqual([
      { name: 'card amount', value: '0.29 GBP' },
      { name: 'exchange rate', value: '0.8641 GBP per EUR' },
      { name: 'exchange rate of', value: '2026-08-28' },
      { name: 'card total', value: '3.64 GBP' },
      { name: 'price', value: '4.21 EUR' },
    ])
  })

  test('charges surcharges in pounds', () => {
    // 101 × 10 × 10 / 5000 = 2.02 → 2.1 kg, zone 1: 12.40. Long 2.15. Fuel 8.75% of 14.55 = 1.273125 → 1.27.
    // Together GBP 15.82: 18.308066… → 18.31. 14.350190… + 2.488137… + 1.469737…: 14.35 + 2.48 + 1.46 = 18.29.
    expect(bill(2401, route('GB', 'FR', [parcels(2, '101x10x10')]))).toMatchObject({
      price: '18.31',
      lines: [
        ['Freight', '14.35'],
        ['Long parcel', '2.49'],
        ['Fuel surcharge', '1.47'],
      ],
    })
  })

  test('insures the value in pounds', () => {
    // EUR 500.00 × 0.8641 = GBP 432.05; 1.5% = 6.48075 → 6.48. 3.35 + 0.29 + 6.48 = GBP 10.12: 11.711607… → 11.71.
    const insured = (totalValue: number) =>
      route('GB', 'GB', [parcels(1, '15x15x15')], { insured: true, totalValue })
    expect(bill(2401, insured(500))).toMatchObject({
      price: '11.71',
      lines: [
        ['Freight', '3.88'],
        ['Fuel surcharge', '0.33'],
        ['Insurance', '7.50'],
      ],
    })
    // GBP 1000.00 / 0.8641 = 1157.273463…
    expect(bill(2401, insured(1157.27)).lines[2]?.[0]).toBe('Insurance')
    expect(refusal(2401, insured(1157.28))).toEqual({
      code: 'VALUE_NOT_INSURABLE',
      limit: '1157.27',
      actual: '1157.28',
    })
  })

  test('is shown in pounds and other currencies, with the VAT that the card states', () => {
    const small = option(2401, route('GB', 'GB', [parcels(1, '15x15x15')]))
    // 3.64 + 20% = 4.368.
    expect(shown(small)).toEqual({
      ...{
        currency: 'GBP',
        decimals: 2,
        netUnits: 364,
        grossUnits: 437,
        vatBps: 2000,
        missing: [],
        rates: [],
      },
    })
    // 4.368 / 0.8641 = 5.054970…
    expect(shown(small, 'EUR')).toMatchObject({
      ...{ netUnits: 421, grossUnits: 505, rates: ['GBP 0.8641 2026-08-28'] },
    })
    // 3.64 / 0.8641 × 1.1761 = 4.954292…; 4.368 / 0.8641 × 184.37 = 931.98… yen, which have no decimals.
    expect(shown(small, 'USD')).toMatchObject({
      ...{ netUnits: 495, rates: ['GBP 0.8641 2026-08-28', 'USD 1.1761 2026-08-31'] },
    })
    expect(shown(small, 'JPY')).toMatchObject({ decimals: 0, grossUnits: 932 })
    expect(shown(small, 'NOK')).toMatchObject({
      ...{ netUnits: undefined, grossUnits: undefined, missing: ['EXCHANGE_RATE'], rates: [] },
    })
  })

  test('is not offered without a rate of the last seven days', () => {
    expect(bill(2401, home, '2026-09-04').price).toBe('6.23')
    expect(refusal(2401, home, '2026-09-05')).toEqual({ code: 'NO_EXCHANGE_RATE' })
    expect(refusal(2401, home, '2026-08-27')).toEqual({ code: 'NO_EXCHANGE_RATE' })
    expect(openPriceList('net-pounds').refusal(2401, home)).toEqual({ code: 'NO_EXCHANGE_RATE' })
    // A parcel that the product does not carry is declined for that.
    expect(refusal(2401, route('GB', 'GB', [parcels(21, BOX)]), '2026-09-05').code).toBe('OVER_WEIGHT')
  })
})

describe('a German list in euro with VAT', () => {
  const { bill, option } = openPriceList('gross-euro')

  test('has prices without 19% of VAT inside the EU', () => {
    // 5.49; toll 1.5% = 0.08235 → 0.08; together 5.57. 5.57 / 1.19 = 4.680672… → 4.68. 4.613445… + 0.067226….
    const home = route('DE', 'DE', [parcels(2, BOX)])
    expect(bill(2501, home)).toMatchObject({
      price: '4.68',
      lines: [
        ['Freight', '4.61'],
        ['Toll', '0.07'],
      ],
    })
    expect(explainLine(option(2501, home), 0)).toMatchObject({
      formula: '5.49 EUR for up to 2 kg in zone 0; 5.49 EUR without VAT of 19%, rounded to the cent',
      inputs: expect.arrayContaining([
        { name: 'card amount', value: '5.49 EUR' },
        { name: 'VAT included', value: '19%' },
        { name: 'card total', value: '5.57 EUR' },
      ]),
    })
    // 16.49 / 1.19 = 13.857142…
    expect(bill(2501, route('DE', 'FR', [parcels(5, BOX)])).price).toBe('13.86')
    // 6.99 + 4.00 + toll 0.10485 → 0.10 = 11.09. 11.09 / 1.19 = 9.319327… → 9.32. 5.873949…, 3.361344…,
    // 0.084033…: 5.87 + 3.36 + 0.08 = 9.31, and the toll has the largest remainder.
    expect(bill(2501, route('DE', 'DE', [parcels(5, '121x30x20')]))).toMatchObject({
      price: '9.32',
      lines: [
        ['Freight', '5.87'],
        ['Bulky goods', '3.36'],
        ['Toll', '0.09'],
      ],
    })
  })

  test('has the prices of the list outside the EU', () => {
    expect(bill(2501, route('DE', 'CH', [parcels(5, BOX)])).price).toBe('27.99')
  })

  test('is shown with VAT as in the list', () => {
    const home = option(2501, route('DE', 'DE', [parcels(2, BOX)]))
    expect(shown(home)).toMatchObject({ currency: 'EUR', netUnits: 468, grossUnits: 557, vatBps: 1900 })
    const abroad = option(2501, route('DE', 'CH', [parcels(5, BOX)]))
    expect(shown(abroad)).toMatchObject({ netUnits: 2799, grossUnits: 2799, vatBps: 0, missing: [] })
  })
})

describe('a Swiss list in francs with VAT, rounded to 0.05', () => {
  const { bill, option, refusal } = openPriceList('gross-francs', RATES)

  test('is rounded in francs, and then converted', () => {
    // 10.50; energy 3.4% = 0.357 → 0.35; together CHF 10.85. 10.85 / 1.081 / 0.9156 = 10.962213… → 10.96.
    // 10.608593… + 0.353619…: 10.60 + 0.35 = 10.95, and a cent for the freight.
    const home = route('CH', 'CH', [parcels(2, BOX)])
    expect(bill(2601, home)).toMatchObject({
      price: '10.96',
      lines: [
        ['Freight', '10.61'],
        ['Energy surcharge', '0.35'],
      ],
    })
    expect(explainLine(option(2601, home), 1).formula).toBe(
      '3.4% of 10.50 CHF (freight), rounded half up to a multiple of 0.05 CHF; ' +
        '0.35 CHF without VAT of 8.1%, at 0.9156 CHF per EUR, rounded to the cent',
    )
    // The francs of the list, and 10.85 / 0.9156 = 11.850152….
    expect(shown(option(2601, home))).toMatchObject({ currency: 'CHF', netUnits: 1004, grossUnits: 1085 })
    expect(shown(option(2601, home), 'EUR')).toMatchObject({ netUnits: 1096, grossUnits: 1185 })
  })

  test('counts Liechtenstein as inland, and has no VAT to other countries', () => {
    expect(bill(2601, route('CH', 'LI', [parcels(2, BOX)])).price).toBe('10.96')
    // 46.00; energy 1.564 → 1.55; together CHF 47.55. 47.55 / 0.9156 = 51.933158…: 50.240279… + 1.692878….
    expect(bill(2601, route('CH', 'DE', [parcels(2, BOX)]))).toMatchObject({
      price: '51.93',
      lines: [
        ['Freight', '50.24'],
        ['Energy surcharge', '1.69'],
      ],
    })
  })

  test('is converted at a rate of up to 31 days, as the list states', () => {
    const home = route('CH', 'CH', [parcels(2, BOX)])
    expect(bill(2601, home, '2026-09-03').price).toBe('10.96')
    expect(refusal(2601, home, '2026-09-04')).toEqual({ code: 'NO_EXCHANGE_RATE' })
  })
})
