// A ground network's list, with prices calculated by hand: priced per parcel, nested areas, handling fees that exclude
// each other.
import { describe, expect, test } from 'vitest'
import { openPriceList, parcels, route } from '../../../support/rates/price-list.ts'

const { bill, freight, refusal, findings } = openPriceList('parcel-network')
const [CLASSIC, EARLY] = [2201, 2202]
const BOX = '40x30x20'
const private_ = { recipientType: 'individual' }

test('the list has no findings', () => {
  expect(findings).toEqual({ faults: [], warnings: [] })
})

describe('freight and limits', () => {
  test('price each parcel by its own weight', () => {
    const rows = [parcels(2, '30x20x15'), parcels(10.1, '40x30x30', 2)]
    // Zone 0: up to 2 kg 4.30; over 10 to 15 kg 2 × 7.60. Fuel 8.2% of 19.50 = 1.599. Toll 3 × 0.19.
    expect(bill(CLASSIC, route('DE', 'DE', rows))).toEqual({
      price: '21.67',
      lines: [
        ['Freight', '19.50'],
        ['Fuel surcharge', '1.60'],
        ['Toll', '0.57'],
      ],
      kg: [2, 10.1],
      days: '1-2',
    })
    // 7.35 + 2 × 12.15 = 31.65. Fuel 2.5953.
    expect(bill(EARLY, route('DE', 'DE', rows))).toMatchObject({ price: '34.82', days: '1' })
  })

  test('include the maximum weight, and ignore the volume', () => {
    expect(freight(CLASSIC, route('DE', 'DE', [parcels(31.5, '100x60x60')]))).toBe('11.90')
    expect(refusal(CLASSIC, route('DE', 'DE', [parcels(31.6, BOX)]))).toEqual({
      code: 'OVER_WEIGHT',
      limit: '31.5',
      actual: '31.6',
    })
  })

  test('include the maximum length plus girth', () => {
    expect(freight(CLASSIC, route('DE', 'DE', [parcels(5, '160x60x40')]))).toBe('5.20') // 160 + 2 × 100 = 360
    expect(refusal(CLASSIC, route('DE', 'DE', [parcels(5, '160x61x40')]))).toEqual({
      code: 'OVER_SIZE',
      limit: '360',
      actual: '362',
    })
  })

  test('allow ten parcels but not eleven, in any number of rows', () => {
    // 10 × 3.95 = 39.50. Fuel 3.239. Toll 1.90.
    expect(bill(CLASSIC, route('DE', 'DE', [parcels(1, BOX, 10)])).price).toBe('44.64')
    expect(refusal(CLASSIC, route('DE', 'DE', [parcels(1, BOX, 6), parcels(1, BOX, 5)]))).toEqual({
      code: 'TOO_MANY_UNITS',
      limit: '10',
      actual: '11',
    })
  })

  test('exclude places and recipients that are not served', () => {
    const box = [parcels(5, BOX)]
    expect(refusal(EARLY, route('DE', 'DE', box, private_))).toEqual({ code: 'RECIPIENT_NOT_SERVED' })
    expect(refusal(EARLY, route('DE', 'FR', box))).toEqual({ code: 'ROUTE_NOT_SERVED' }) // zone 2 has no prices
    expect(refusal(CLASSIC, route('DE', 'GB', box))).toEqual({ code: 'ROUTE_NOT_SERVED' }) // not listed
  })
})

describe('areas', () => {
  // 5.0 kg for a private address: 5.20 + 0.85. Remote 3.50 is fuelled, island 14.00 is not.
  // Fuel 8.2% of 6.05 = 0.4961; with remote of 9.55 = 0.7831. Toll 0.19.
  const [NORMAL, REMOTE, ISLAND] = [
    ['6.74', '1-2'],
    ['10.52', '1-3'],
    ['20.74', '2-4'],
  ] as const
  test.each([
    ['25799', NORMAL],
    ['25800', REMOTE], // from here to 25999
    ['25812', REMOTE],
    ['25813', NORMAL], // a town in it
    ['25814', REMOTE],
    ['25938', ISLAND], // islands in it
    ['25939', REMOTE],
    ['25979', REMOTE],
    ['25980', ISLAND],
    ['25999', ISLAND],
    ['26000', NORMAL],
    ['18565', ISLAND],
    ['D-25980', ISLAND],
  ])('in DE %s cost and take %j', (code, [price, days]) => {
    expect(bill(CLASSIC, route('DE', `DE ${code}`, [parcels(5, BOX)], private_))).toMatchObject({
      price,
      days,
    })
  })

  test('charge two islands once, but add their days twice', () => {
    // Zone 2: 13.20 + 14.00. Fuel 8.2% of 13.20 = 1.0824. Lane HOME > FAR 2-4 days, and 1-2 at each end.
    expect(bill(CLASSIC, route('DE 25980', 'FR 20000', [parcels(5, BOX)]))).toEqual({
      price: '28.47',
      lines: [
        ['Freight', '13.20'],
        ['Island surcharge', '14.00'],
        ['Fuel surcharge', '1.08'],
        ['Toll', '0.19'],
      ],
      kg: [5],
      days: '4-8',
    })
  })

  test('charge both for a remote origin and an island as destination', () => {
    // Fuel 8.2% of 13.20 + 3.50 = 1.3694. Days 2-4, 0-1 and 1-2.
    expect(bill(CLASSIC, route('DE 25800', 'FR 20000', [parcels(5, BOX)]))).toEqual({
      price: '32.26',
      lines: [
        ['Freight', '13.20'],
        ['Island surcharge', '14.00'],
        ['Remote area surcharge', '3.50'],
        ['Fuel surcharge', '1.37'],
        ['Toll', '0.19'],
      ],
      kg: [5],
      days: '3-7',
    })
  })

  test.each([
    ['DE', 'DK', '2-4'], // the lane's own days; zone 2 has 3-5
    ['NL', 'DK', '3-5'],
    ['DK', 'DE', '3-5'], // the opposite lane has no days of its own
    ['NL', 'BE', '1-2'], // the lane's own days; zone 1 has 2-3
    ['DE', 'NL', '2-3'],
    ['FR', 'IT 07100', '5-8'], // zone 3 has 4-6; Sardinia
    ['NL', 'NL', '1-2'], // within a country
  ])('from %s to %s give %s days', (from, to, days) => {
    expect(bill(CLASSIC, route(from, to, [parcels(5, BOX)])).days).toBe(days)
  })
})

describe('handling fees', () => {
  const all3 = parcels(8, '130x50x30') // 195 l: bulky, long, not conveyable
  const long = parcels(8, '130x30x20') // 78 l: long, not conveyable
  const stiff = parcels(8, '110x30x20') // not conveyable

  test('do not exclude others if they are themselves excluded', () => {
    // Bulky excludes long; long would exclude not conveyable, but is not charged.
    // 6.40 + 21.00 + 2.60 = 30.00; fuel 2.46.
    expect(bill(CLASSIC, route('DE', 'DE', [all3]))).toMatchObject({
      price: '32.65',
      lines: [
        ['Freight', '6.40'],
        ['Bulky parcel', '21.00'],
        ['Not conveyable', '2.60'],
        ['Fuel surcharge', '2.46'],
        ['Toll', '0.19'],
      ],
    })
    // Long excludes not conveyable: 6.40 + 7.40 = 13.80; fuel 1.1316.
    expect(bill(CLASSIC, route('DE', 'DE', [long])).price).toBe('15.12')
    // 6.40 + 2.60 = 9.00; fuel 0.738.
    expect(bill(CLASSIC, route('DE', 'DE', [stiff])).price).toBe('9.93')
    expect(bill(EARLY, route('DE', 'DE', [stiff])).lines[1]).toEqual(['Not conveyable', '2.60'])
  })

  test('are charged for each parcel separately', () => {
    // 3 × 6.40 = 19.20; bulky 21.00; long 7.40; not conveyable 2 × 2.60; together 52.80; fuel 4.3296.
    expect(bill(CLASSIC, route('DE', 'DE', [all3, long, stiff]))).toMatchObject({
      price: '57.70',
      lines: [
        ['Freight', '19.20'],
        ['Bulky parcel', '21.00'],
        ['Long parcel', '7.40'],
        ['Not conveyable', '5.20'],
        ['Fuel surcharge', '4.33'],
        ['Toll', '0.57'],
      ],
    })
  })

  test('per shipment are dropped if all parcels that trigger them pay a fee that excludes them', () => {
    const bulky = parcels(26, '100x60x30') // 180 l
    const heavy = parcels(26, '40x40x40') // 64 l
    // 11.90 + 21.00 = 32.90; fuel 2.6978.
    expect(bill(CLASSIC, route('DE', 'DE', [bulky]))).toMatchObject({
      price: '35.79',
      lines: [
        ['Freight', '11.90'],
        ['Bulky parcel', '21.00'],
        ['Fuel surcharge', '2.70'],
        ['Toll', '0.19'],
      ],
    })
    // 23.80 + 21.00 = 44.80; two people 5.00, once and not fuelled; fuel 3.6736.
    expect(bill(CLASSIC, route('DE', 'DE', [bulky, heavy]))).toMatchObject({
      price: '53.85',
      lines: [
        ['Freight', '23.80'],
        ['Bulky parcel', '21.00'],
        ['Two people needed', '5.00'],
        ['Fuel surcharge', '3.67'],
        ['Toll', '0.38'],
      ],
    })
  })

  test('have exclusive bounds', () => {
    // 150 l, 100 cm, 60 cm, 25.0 kg, 3 cm: none of them. 10.10; fuel 0.8282.
    expect(bill(CLASSIC, route('DE', 'DE', [parcels(25, '100x60x25')])).price).toBe('11.12')
    expect(bill(CLASSIC, route('DE', 'DE', [parcels(5, '40x30x3')])).lines).toHaveLength(3)
    expect(bill(CLASSIC, route('DE', 'DE', [parcels(5, '40x30x2')])).lines[1]?.[0]).toBe('Not conveyable')
    expect(bill(CLASSIC, route('DE', 'DE', [parcels(5, '61x61x3')])).lines[1]?.[0]).toBe('Not conveyable')
  })
})

describe('days and values', () => {
  // 5.20 + 0.85 for a private address; fuel 8.2% 0.4961, from November 8.9% 0.53845; peak 0.45, not fuelled.
  test.each([
    ['2026-01-06', '7.19'],
    ['2026-01-07', '6.74'],
    ['2026-10-31', '6.74'],
    ['2026-11-01', '6.78'],
    ['2026-11-19', '6.78'],
    ['2026-11-20', '7.23'],
    ['2026-12-31', '7.23'],
    ['2027-01-01', '7.23'],
    ['2027-01-06', '7.23'],
    ['2027-01-07', '6.78'],
  ])('the season runs over New Year: on %s the price is %s', (day, price) => {
    expect(bill(CLASSIC, route('DE', 'DE', [parcels(5, BOX)], private_), day).price).toBe(price)
  })

  test.each([
    [1, 500, '0.00'],
    [1, 500.01, '3.00'], // 0.6% = 3.00006
    [1, 600, '3.60'],
    [2, 1000, '0.00'], // 500 for each parcel
    [2, 1000.01, '6.00'], // 0.6% of the whole value: 6.00006
    [1, 10_000, '60.00'],
  ])('%d parcels with a value of %d euro are insured for %s', (count, totalValue, premium) => {
    const input = route('DE', 'DE', [parcels(5, BOX, count)], { insured: true, totalValue })
    expect(bill(CLASSIC, input).lines.at(-1)).toEqual(['Insurance', premium])
  })

  test('the insured value has a maximum', () => {
    const input = route('DE', 'DE', [parcels(5, BOX)], { insured: true, totalValue: 10_000.01 })
    expect(refusal(CLASSIC, input)).toEqual({
      code: 'VALUE_NOT_INSURABLE',
      limit: '10000.00',
      actual: '10000.01',
    })
  })
})
