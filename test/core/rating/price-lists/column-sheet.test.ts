// Rules that a column of the rate card files states, one for each product. The freight is 10.00 unless a test says
// otherwise; prices are calculated by hand.
import { describe, expect, test } from 'vitest'
import { explainLine } from '../../../../src/core/rating/explain/explain.ts'
import { openPriceList, parcels, route } from '../../../support/rates/price-list.ts'

const { bill, option, refusal, findings } = openPriceList('column-sheet')
const BOX = '40x30x20' // 4.8 kg by volume
const ISLAND = 'ES 07001'
type Rows = Parameters<typeof route>[2]

/** The lines after the freight. */
const charges = (
  productId: number,
  to: string,
  rows: Rows,
  more: { day?: string; [name: string]: unknown } = {},
) => {
  const { day, ...fields } = more
  return bill(productId, route('NL', to, rows, fields), day).lines.slice(1)
}

const explained = (productId: number, to: string, rows: Rows, line = 1, more: object = {}) => {
  const { formula, inputs } = explainLine(option(productId, route('NL', to, rows, more)), line)
  return [formula, ...inputs.map(({ name, value }) => `${name}: ${value}`)]
}

test('the list has one finding: cash on delivery is a percentage of the freight', () => {
  expect(findings).toEqual({
    faults: [],
    warnings: [expect.objectContaining({ table: 'services', index: 1, field: 'method', found: 'pct' })],
  })
})

describe('maximum of a charge', () => {
  test('TNT RO: remote area 2.25 per kg, at least 110, at most 560', () => {
    const remote = (...rows: Rows) => charges(2801, ISLAND, rows)
    expect(remote(parcels(300, BOX))).toEqual([['Remote area', '560.00']]) // not 675.00
    expect(remote(parcels(100, BOX, 2))).toEqual([['Remote area', '450.00']])
    expect(remote(parcels(249, BOX))).toEqual([['Remote area', '560.00']]) // 560.25
    expect(remote(parcels(248.5, BOX))).toEqual([['Remote area', '559.13']]) // 559.125
    expect(remote(parcels(10, BOX))).toEqual([['Remote area', '110.00']])
    expect(explained(2801, ISLAND, [parcels(300, BOX)])).toEqual([
      '2.25 EUR × 300 kg, at least 110.00 EUR, at most 560.00 EUR',
      ...[
        'trigger: to_area=REMOTE',
        'method: per kilogram of the shipment, at least 110.00 EUR, at most 560.00 EUR',
      ],
      ...[
        'row 1 units: 1',
        'row 1 chargeable weight: 300 kg',
        'weight billed: 300 kg',
        'rate per kg: 2.25 EUR',
      ],
      ...['minimum: 110.00 EUR', 'maximum: 560.00 EUR'],
    ])
  })

  test('for each parcel', () => {
    // 21 kg: 8.40, at least 9.00. 40 kg: 16.00. 60 kg: 24.00, at most 20.00.
    const rows = [parcels(21, BOX), parcels(40, BOX), parcels(60, BOX, 2), parcels(20, BOX)]
    expect(charges(2802, 'NL', rows)).toEqual([['Heavier than 20 kg', '65.00']])
    expect(explained(2802, 'NL', rows)[0]).toBe(
      '(0.40 EUR × 21 kg, at least 9.00 EUR, at most 20.00 EUR)' +
        ' + (0.40 EUR × 40 kg, at least 9.00 EUR, at most 20.00 EUR)' +
        ' + 2 × (0.40 EUR × 60 kg, at least 9.00 EUR, at most 20.00 EUR)',
    )
  })

  test('of a percentage and of fuel', () => {
    const rows = [parcels(5, BOX)]
    expect(charges(2803, ISLAND, rows)).toEqual([
      ['Island', '4.00'], // not 5.00
      ['Fuel', '1.20'],
    ])
    expect(charges(2803, ISLAND, rows, { day: '2026-10-01' })).toEqual([
      ['Island', '4.00'],
      ['Fuel', '1.25'], // not 1.30
    ])
    expect(explained(2803, ISLAND, rows)[0]).toBe('50% of 10.00 EUR (freight), at most 4.00 EUR')
    expect(explained(2803, ISLAND, rows, 2)[0]).toBe('12% of 10.00 EUR (freight), at most 1.25 EUR')
  })

  test('of services', () => {
    const services = (kg: number) =>
      charges(2801, 'NL', [parcels(kg, BOX)], {
        services: [
          'TAIL_LIFT',
          { service: 'CASH_ON_DELIVERY', cashOnDelivery: { amount: 250, currency: 'EUR' } },
        ],
      })
    expect([700, 300, 100].map((kg) => services(kg).map(([, euro]) => euro))).toEqual([
      ['60.00', '2.50'], // 70.00, 3.00
      ['30.00', '2.50'],
      ['15.00', '2.50'],
    ])
  })
})

describe('insurance by value', () => {
  const insured = (totalValue: number) => ({ insured: true, totalValue })
  const premium = (productId: number, value: number, rows: Rows = [parcels(5, BOX)]) =>
    charges(productId, 'NL', rows, insured(value))[0]?.[1]

  test('by value: cover to 1,000 1.00; to 5,000 1.60; to 10,000 3.50; to 50,000 6.50', () => {
    const of = (value: number) => premium(2804, value)
    expect([0.01, 1000, 1000.01, 5000, 10_000, 50_000].map(of)).toEqual([
      ...['1.00', '1.00', '1.60', '1.60', '3.50', '6.50'],
    ])
    expect(refusal(2804, route('NL', 'NL', [parcels(5, BOX)], insured(50_000.01)))).toMatchObject({
      ...{ code: 'VALUE_NOT_INSURABLE', limit: '50000.00' },
    })
    expect(explained(2804, 'NL', [parcels(5, BOX)], 1, insured(1000.01))).toEqual([
      '1.60 EUR for a value over 1000.00 EUR up to 5000.00 EUR',
      ...['value: 1000.01 EUR', 'free cover: 0.00 EUR', 'covers: 1'],
      ...['band: over 1000.00 EUR up to 5000.00 EUR', 'band price: 1.60 EUR', 'minimum: 0.00 EUR'],
    ])
  })

  test('3.50 per started 500 above the free cover of 500, at least 5.00; above 5,000 5.00 per started 1,000', () => {
    const of = (value: number) => premium(2805, value)
    expect([500, 500.01, 1000, 1000.01, 1500, 5000].map(of)).toEqual([
      ...['0.00', '5.00', '5.00', '7.00', '7.00', '31.50'],
    ])
    expect([5000.01, 6000, 6000.01, 25_000].map(of)).toEqual(['36.50', '36.50', '41.50', '131.50'])
    expect(explained(2805, 'NL', [parcels(5, BOX)], 1, insured(1200))).toEqual([
      '0.00 EUR for a value up to 5000.00 EUR + 2 started steps of 500.00 EUR above 500.00 EUR × 3.50 EUR, at least 5.00 EUR',
      ...[
        'value: 1200.00 EUR',
        'free cover: 500.00 EUR',
        'covers: 1',
        'band: up to 5000.00 EUR',
        'band price: 0.00 EUR',
      ],
      ...[
        'step: 500.00 EUR',
        'steps above: 500.00 EUR',
        'started steps: 2',
        'step price: 3.50 EUR',
        'minimum: 5.00 EUR',
      ],
    ])
    expect(explained(2805, 'NL', [parcels(5, BOX)], 1, insured(500))[0]).toBe(
      '0.00 EUR: 500.00 EUR is within the free cover of 500.00 EUR',
    )
  })

  test('counts steps above the free cover of all parcels', () => {
    const of = (value: number) => premium(2806, value, [parcels(5, BOX, 3)])
    // The free cover is 1,500.
    expect([1500, 1500.01, 2500, 2500.01, 5000.01].map(of)).toEqual([
      '0.00',
      '5.00',
      '7.00',
      '10.50',
      '36.50',
    ])
  })
})

describe('steps of weights', () => {
  test('UPS CN: below 20 kg to 0.5 kg, from 20 kg to 1 kg, and again on the total', () => {
    // 2.00 per kg, so that the freight shows the weight billed.
    const rows = [parcels(20.1, BOX), parcels(22, BOX), parcels(16.2, BOX)]
    expect(bill(2807, route('NL', 'NL', rows))).toMatchObject({ kg: [21, 22, 16.5], price: '120.00' }) // 59.5 is 60
    const one = (kg: number) => {
      const { kg: billed, price } = bill(2807, route('NL', 'NL', [parcels(kg, BOX)]))
      return [...billed, price]
    }
    expect([19.6, 20, 20.1, 4.8].map(one)).toEqual([
      ...[
        [20, '40.00'],
        [20, '40.00'],
        [21, '42.00'],
        [5, '10.00'],
      ],
    ])
    // By volume: 20 kg, and 20.1 kg.
    const ofSize = (size: string) => bill(2807, route('NL', 'NL', [parcels(1, size)])).kg
    expect(['50x50x40', '67x50x30'].map(ofSize)).toEqual([[20], [21]])
    expect(explained(2807, 'NL', rows, 0)).toEqual(
      expect.arrayContaining([
        '200.00 EUR per 100 kg (up to 2000 kg in zone 0) × 60 kg',
        ...['weight rounded up to: 0.5 kg', 'heavy above: 20 kg', 'heavy weight rounded up to: 1 kg'],
        ...['weight of the shipment rounded up to: 1 kg', 'weight billed: 60 kg'],
      ]),
    )
  })

  test('a smallest weight of a parcel, and of a shipment', () => {
    // 3.00 for each kilogram of a parcel, which counts as at least 2 kg.
    expect(bill(2808, route('NL', 'NL', [parcels(0.4, '10x10x10', 3), parcels(2.1, BOX)]))).toMatchObject({
      ...{ kg: [2, 5], price: '33.00' },
    })
    // 0.50 per kg, at least 68 kg.
    const freight = (...rows: Rows) => bill(2809, route('NL', 'NL', rows)).price
    expect(freight(parcels(30, BOX), parcels(30, BOX))).toBe('40.80') // 34.00, and a toll of 0.10 per kg
    expect(freight(parcels(34, BOX, 2))).toBe('40.80')
    expect(freight(parcels(34.1, BOX, 2))).toBe('41.40') // 34.5 kg each
    expect(explained(2809, 'NL', [parcels(30, BOX)], 1)).toEqual([
      '0.10 EUR × 68 kg',
      ...['trigger: always', 'method: per kilogram of the shipment'],
      ...['row 1 units: 1', 'row 1 chargeable weight: 30 kg'],
      ...['weight of the shipment rounded up to: 1 kg', 'smallest weight of the shipment: 68 kg'],
      ...['weight billed: 68 kg', 'rate per kg: 0.10 EUR'],
    ])
  })
})
