// A forwarder's list, with prices calculated by hand: a flat first band, rates per 100 kg, deficit weight, loading
// metres.
import { describe, expect, test } from 'vitest'
import { briefly, openPriceList, pallets, parcels, route } from '../../../support/rates/price-list.ts'

const { bill, freight, refusal, findings } = openPriceList('groupage')
const [PALLETS, CARTONS] = [2501, 2502]
const EURO = '120x80x110' // 1.056 m³ × 333 = 351.648 kg; 0.4 loading metres × 1750 = 700 kg, stackable half of it

test('the list has no faults, and a warning that the price in zone 3 falls above 50 kg', () => {
  expect(findings.faults).toEqual([])
  expect(briefly(findings.warnings)).toEqual(['prices 27 priceCents'])
})

describe('chargeable weight', () => {
  test('of a stackable pallet is its volumetric weight', () => {
    // 240 kg, 351.648 kg by volume, 350 kg by half its loading metres: 352 kg.
    // Zone 1: 3.52 × 82.00 = 288.64; 500 kg at 61.00 would be 305.00.
    // Fuel 9.8% = 28.28672. Toll 7.25% = 20.9264.
    expect(bill(PALLETS, route('NL', 'DE 40210', [pallets(240, EURO)]))).toEqual({
      price: '345.36',
      lines: [
        ['Freight', '288.64'],
        ['Fuel surcharge', '28.29'],
        ['Toll', '20.93'],
        ['Waybill fee', '7.50'],
      ],
      kg: [352],
      days: '2-3',
    })
  })

  test('of a pallet that cannot be stacked is the weight of its loading metres', () => {
    // 700 kg × 61.00 = 427.00; 1000 kg at 47.50 would be 475.00. Fuel 41.846. Toll 30.9575.
    expect(bill(PALLETS, route('NL', 'DE 40210', [pallets(240, EURO, 1, false)]))).toEqual({
      price: '507.31',
      lines: [
        ['Freight', '427.00'],
        ['Fuel surcharge', '41.85'],
        ['Toll', '30.96'],
        ['Waybill fee', '7.50'],
      ],
      kg: [700],
      days: '2-3',
    })
  })

  test('is rounded per unit, then added up', () => {
    // 2 × 352 = 704 kg × 61.00 = 429.44.
    expect(bill(PALLETS, route('NL', 'DE 40210', [pallets(240, EURO, 2)]))).toMatchObject({ kg: [352] })
    expect(freight(PALLETS, route('NL', 'DE 40210', [pallets(240, EURO, 2)]))).toBe('429.44')
  })

  test('of cartons uses cubic metres and whole loading metres, in steps of 10 kg', () => {
    // 0.096 m³ × 250 = 24 kg; 0.1 loading metres × 300 = 30 kg; 12 kg on the scales. 3 × 30 = 90 kg.
    // 0.9 × 99.00 = 89.10, so 100 kg at 83.00 are billed. Fuel 8.134. Toll 6.0175.
    expect(bill(CARTONS, route('NL', 'BE', [parcels(12, '60x40x40', 3)]))).toEqual({
      price: '104.65',
      lines: [
        ['Freight', '83.00'],
        ['Fuel surcharge', '8.13'],
        ['Toll', '6.02'],
        ['Waybill fee', '7.50'],
      ],
      kg: [30],
      days: '2-3',
    })
    expect(freight(CARTONS, route('NL', 'BE', [parcels(30, '60x40x40')]))).toBe('28.50') // flat up to 30 kg
    expect(bill(CARTONS, route('NL', 'BE', [parcels(30.1, '60x40x40')]))).toMatchObject({ kg: [40] })
    expect(freight(CARTONS, route('NL', 'BE', [parcels(30.1, '60x40x40')]))).toBe('39.60') // 0.4 × 99.00
  })
})

describe('rates per 100 kg', () => {
  // 40 × 30 cm stackable: 0.05 loading metres, half of them 43.75 kg, so that the scales decide.
  test.each([
    [10, '62.00'], // 44 kg by loading metres: the flat price
    [50, '62.00'], // flat up to and including 50 kg; deficit weight does not apply
    [50.1, '65.28'], // 51 × 1.28
    [81, '103.68'],
    [82, '104.00'], // 82 × 1.28 = 104.96; 100 × 1.04 = 104.00
    [100, '104.00'], // 100 × 1.28 = 128.00
    [101, '105.04'],
    [197, '204.88'],
    [198, '205.00'], // 198 × 1.04 = 205.92; 250 × 0.82
    [250, '205.00'],
    [371, '304.22'],
    [372, '305.00'], // 372 × 0.82 = 305.04; 500 × 0.61
    [500, '305.00'],
    [501, '305.61'],
    [2500, '975.00'], // 2500 × 0.475 = 1187.50; 2500 × 0.39
  ])('price %d kg in zone 1 at %s', (weight, price) => {
    expect(freight(PALLETS, route('NL', 'BE', [pallets(weight, '40x30x30')]))).toBe(price)
  })

  test('apply without deficit weight in the last band', () => {
    // 4 × 2500 = 10,000 kg × 33.50.
    expect(freight(PALLETS, route('NL', 'BE', [pallets(2500, '40x30x30', 4)]))).toBe('3350.00')
    // 4999 kg: 39.00 a 100 kg = 1949.61, so 5000 kg at 33.50 = 1675.00 are billed.
    expect(
      freight(PALLETS, route('NL', 'BE', [pallets(2499.5, '40x30x30'), pallets(2499, '40x30x30')])),
    ).toBe('1675.00')
  })

  test('may be cheaper than the flat first band of the farthest zone', () => {
    expect(freight(PALLETS, route('NL', 'DE 80331', [pallets(50, '40x30x30')]))).toBe('88.00')
    expect(freight(PALLETS, route('NL', 'DE 80331', [pallets(51, '40x30x30')]))).toBe('86.70') // 51 × 1.70
  })

  test.each([
    ['NL 9700', '197.12'], // zone 0: 3.52 × 56.00
    ['BE', '288.64'],
    ['DE', '341.44'], // Berlin, zone 2: 3.52 × 97.00
    ['DE 39999', '341.44'],
    ['DE 40000', '288.64'], // 40 to 48
    ['DE 48999', '288.64'],
    ['DE 49000', '341.44'],
    ['DE 50000', '288.64'], // 50 to 53
    ['DE 53999', '288.64'],
    ['DE 54000', '341.44'],
    ['DE 79999', '341.44'],
    ['DE 80000', '418.88'], // 80 to 87, zone 3: 3.52 × 119.00
    ['DE 87999', '418.88'],
    ['DE 88000', '341.44'],
  ])('price a pallet of 352 kg to %s at %s', (to, price) => {
    expect(freight(PALLETS, route('NL', to, [pallets(240, EURO)]))).toBe(price)
  })
})

describe('surcharges', () => {
  test('for remote areas are charged per chargeable kilogram', () => {
    // 352 × 0.14 = 49.28. 418.88 + 49.28 + 42.00 = 510.16: fuel 49.99568, toll 36.9866. Days 3-5 and 1-2.
    const input = route('NL', 'DE 82467', [pallets(240, EURO)], { recipientType: 'individual' })
    expect(bill(PALLETS, input)).toEqual({
      price: '604.65',
      lines: [
        ['Freight', '418.88'],
        ['Remote area', '49.28'],
        ['Private address', '42.00'],
        ['Fuel surcharge', '50.00'],
        ['Toll', '36.99'],
        ['Waybill fee', '7.50'],
      ],
      kg: [352],
      days: '4-7',
    })
    expect(refusal(CARTONS, { ...input, parcels: [parcels(12, '60x40x40')] })).toEqual({
      code: 'RECIPIENT_NOT_SERVED',
    })
  })

  test('for remote areas have a minimum', () => {
    // 200 kg × 146.00 = 292.00 (250 × 1.19 = 297.50). Remote 28.00, so 38.00. Fuel 32.34, toll 23.925.
    expect(bill(PALLETS, route('NL', 'DE 82499', [pallets(200, '80x60x50')]))).toEqual({
      price: '393.77',
      lines: [
        ['Freight', '292.00'],
        ['Remote area', '38.00'],
        ['Fuel surcharge', '32.34'],
        ['Toll', '23.93'],
        ['Waybill fee', '7.50'],
      ],
      kg: [200],
      days: '4-7',
    })
    const days = (to: string) => bill(PALLETS, route('NL', to, [pallets(200, '80x60x50')])).days
    expect([days('DE 82466'), days('DE 82500')]).toEqual(['3-5', '3-5'])
  })

  test('for remote areas are charged once for both ends, but days are added for each', () => {
    const both = bill(PALLETS, route('NL 1791', 'DE 82467', [pallets(240, EURO)]))
    expect(both.lines[1]).toEqual(['Remote area', '49.28'])
    expect(both.days).toBe('6-9') // 3-5, 2 and 1-2
  })

  test('for long goods are charged per piece, without fuel', () => {
    // 240 × 120: 1.2 loading metres = 2100 kg: 21 × 47.50 = 997.50, so 2500 kg at 39.00 are billed.
    // Fuel 95.55. Toll 70.6875.
    expect(bill(PALLETS, route('NL', 'BE', [pallets(300, '240x120x60', 1, false)]))).toMatchObject({
      price: '1148.74',
      kg: [2100],
    })
    // 300 × 100: 1.25 loading metres = 2187.5, so 2188 kg: 2500 kg at 39.00 again, and 55.00.
    expect(bill(PALLETS, route('NL', 'BE', [pallets(300, '300x100x60', 1, false)]))).toEqual({
      price: '1203.74',
      lines: [
        ['Freight', '975.00'],
        ['Long goods', '55.00'],
        ['Fuel surcharge', '95.55'],
        ['Toll', '70.69'],
        ['Waybill fee', '7.50'],
      ],
      kg: [2188],
      days: '2-3',
    })
  })

  test('for fuel use the rate of the day', () => {
    const pallet = route('NL', 'DE 40210', [pallets(240, EURO)])
    expect(bill(PALLETS, pallet, '2026-10-31').price).toBe('345.36')
    expect(bill(PALLETS, pallet, '2026-11-01').price).toBe('347.67') // 10.6% of 288.64 = 30.59584
  })

  test.each([
    [5000, '20.00'], // 0.3% = 15.00, at least 20.00
    [10_000, '30.00'],
    [100_000, '300.00'],
  ])('insurance of %d costs %s', (totalValue, premium) => {
    const insured = route('NL', 'BE', [pallets(240, EURO)], { insured: true, totalValue })
    expect(bill(PALLETS, insured).lines.at(-1)).toEqual(['Insurance', premium])
  })
})

test('the forwarder declines shipments outside its limits', () => {
  expect(refusal(PALLETS, route('DE', 'NL', [pallets(240, EURO)]))).toEqual({ code: 'ROUTE_NOT_SERVED' })
  expect(refusal(CARTONS, route('NL', 'NL', [parcels(12, '60x40x40')]))).toEqual({ code: 'ROUTE_NOT_SERVED' })
  expect(refusal(PALLETS, route('NL', 'BE', [pallets(2500.1, EURO)]))).toEqual({
    code: 'OVER_WEIGHT',
    limit: '2500',
    actual: '2500.1',
  })
  // 4.8 loading metres each: 2 × 8400 kg, and the list ends at 10,000 kg.
  expect(refusal(PALLETS, route('NL', 'BE', [pallets(300, '480x240x60', 2, false)]))).toEqual({
    code: 'OVER_WEIGHT',
    limit: '10000',
    actual: '16800',
  })
})
