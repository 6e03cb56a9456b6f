// The same express list: surcharges, areas at both ends, dated fuel and demand, insurance, with prices calculated by
// hand.
import { describe, expect, test } from 'vitest'
import { documents, openPriceList, parcels, route } from '../../../support/rates/price-list.ts'

const { bill, freight, refusal } = openPriceList('integrator')
const [EXPRESS, DOCUMENT, ECONOMY] = [2101, 2102, 2103]
const BOX = '40x30x20' // 24,000 cm³: 4.8 kg at 5000, 6.0 kg at 4000

describe('handling fees', () => {
  test('charge a piece for oversize or for additional handling, not for both', () => {
    const rows = [
      parcels(20, '210x40x30'), // 252,000 / 5000 = 50.4, so 50.5 kg; longer than 200: oversize, not handling
      parcels(10, '80x77x40', 2), // 246,400 / 5000 = 49.28, so 49.5 kg each; second side 77: handling
      parcels(10, '80x76x40'), // 243,200 / 5000 = 48.64, so 49.0 kg; second side 76: neither
    ]
    // 50.5 + 2 × 49.5 + 49 = 198.5 kg in zone 1: × 2.60 = 516.10.
    // Fuel 22.5% of 516.10 + 75.00 + 39.00 = 630.10: 141.7725.
    expect(bill(EXPRESS, route('NL', 'BE', rows))).toEqual({
      price: '771.87',
      lines: [
        ['Freight', '516.10'],
        ['Oversize piece', '75.00'],
        ['Additional handling', '39.00'],
        ['Fuel surcharge', '141.77'],
      ],
      kg: [50.5, 49.5, 49],
      days: '1',
    })
  })

  test('charge a piece of 60 kg for handling, and one of 60.1 kg for oversize', () => {
    // 60 × 2.85 = 171.00 + 19.50; fuel 22.5% of 190.50 = 42.8625.
    expect(bill(EXPRESS, route('NL', 'BE', [parcels(60, '60x40x40')]))).toMatchObject({
      price: '233.36',
      lines: [
        ['Freight', '171.00'],
        ['Additional handling', '19.50'],
        ['Fuel surcharge', '42.86'],
      ],
    })
    // 60.5 × 2.85 = 172.425 + 75.00; fuel 22.5% of 247.43 = 55.67175.
    expect(bill(EXPRESS, route('NL', 'BE', [parcels(60.1, '60x40x40')]))).toMatchObject({
      price: '303.10',
      lines: [
        ['Freight', '172.43'],
        ['Oversize piece', '75.00'],
        ['Fuel surcharge', '55.67'],
      ],
    })
  })

  test('do not matter above 70 kg, where a piece is declined', () => {
    expect(refusal(EXPRESS, route('NL', 'BE', [parcels(70.1, '60x40x40')]))).toEqual({
      code: 'OVER_WEIGHT',
      limit: '70',
      actual: '70.1',
    })
  })
})

describe('remote areas', () => {
  test.each([
    ['AE/Fujairah', '133.59', '4-6'],
    ['AE/ras al-khaimah', '133.59', '4-6'],
    ['AE 00000/Fujairah', '133.59', '4-6'], // the list has no postal ranges for the country
    ['AE 00000', '104.19', '3-4'],
    ['AE', '104.19', '3-4'], // Abu Dhabi
    ['AE/Dubai', '104.19', '3-4'],
    ['HK/Lantau Island', '133.59', '4-6'],
    ['HK', '104.19', '3-4'],
  ])('are found by city in countries without postal codes: %s costs %s, %s days', (to, price, days) => {
    // 5.0 kg in zone 6: 79.75. Remote 5 × 0.55 = 2.75, at least 24.00. Declaration 6.50.
    // Fuel 22.5% of 103.75 = 23.34375; of 79.75 alone 17.94375. 1 to 2 days more.
    expect(bill(EXPRESS, route('NL', to, [parcels(5, BOX)]))).toMatchObject({ price, days })
  })

  test.each([
    ['IE/Achill Island', '83.55', '2-4'],
    ['IE F28 X0X0', '83.55', '2-4'],
    ['IE D02/Achill Island', '54.15', '1-2'], // the code decides
    ['IE F29', '54.15', '1-2'],
    ['IE', '54.15', '1-2'], // Dublin
  ])('are found by postal code, or by city if no code is given: %s costs %s, %s days', (to, price, days) => {
    // 5.0 kg in zone 2: 44.20. Fuel 22.5% of 68.20 = 15.345; of 44.20 alone 9.945.
    expect(bill(EXPRESS, route('NL', to, [parcels(5, BOX)]))).toMatchObject({ price, days })
  })

  test('at both ends are charged twice', () => {
    const rows = [parcels(20, '50x40x40', 3)]
    const input = route('NL 1791', 'NO 9750', rows, { recipientType: 'individual' })
    // 80,000 cm³: 16 kg, so 3 × 20 kg. 60 × 4.95 = 297.00 in zone 3. Each end 60 × 0.55 = 33.00.
    // Fuel 22.5% of 297.00 + 66.00 + 4.10 = 367.10: 82.5975. Days 2-3, and 1-2 at each end.
    expect(bill(EXPRESS, input)).toEqual({
      price: '456.20',
      lines: [
        ['Freight', '297.00'],
        ['Remote area pick-up', '33.00'],
        ['Remote area delivery', '33.00'],
        ['Residential delivery', '4.10'],
        ['Fuel surcharge', '82.60'],
        ['Export declaration', '6.50'],
      ],
      kg: [20],
      days: '4-7',
    })
    // The economy list has only the end in Norway. 80,000 / 4000 = 20 kg; 35.70 + 50 × 1.30 = 100.70.
    // Road fuel 12% of 100.70 + 33.00 + 4.10 = 137.80: 16.536. Days 3-5 and 1-2.
    expect(bill(ECONOMY, input)).toEqual({
      price: '154.34',
      lines: [
        ['Freight', '100.70'],
        ['Remote area delivery', '33.00'],
        ['Residential delivery', '4.10'],
        ['Road fuel surcharge', '16.54'],
      ],
      kg: [20],
      days: '4-7',
    })
  })

  test('differ between the two area lists', () => {
    const majorca = route('NL', 'ES 07001', [parcels(5, BOX)])
    expect(bill(EXPRESS, majorca)).toMatchObject({ price: '54.15', days: '1-2' })
    // 6 kg: 29.10 + island 31.00; road fuel 12% of 60.10 = 7.212. Days 3-5 and 2-3.
    expect(bill(ECONOMY, majorca)).toEqual({
      price: '67.31',
      lines: [
        ['Freight', '29.10'],
        ['Island delivery', '31.00'],
        ['Road fuel surcharge', '7.21'],
      ],
      kg: [6],
      days: '5-8',
    })
    const days = (productId: number, code: string) =>
      bill(productId, route('NL', `NO ${code}`, [parcels(5, BOX)])).days
    expect([days(EXPRESS, '7999'), days(ECONOMY, '7999')]).toEqual(['2-3', '3-5'])
    expect([days(EXPRESS, '8000'), days(ECONOMY, '8000')]).toEqual(['2-3', '4-7'])
    expect([days(EXPRESS, '9100'), days(EXPRESS, '9099')]).toEqual(['3-5', '2-3'])
    expect([days(EXPRESS, '9990'), days(EXPRESS, '9991')]).toEqual(['3-5', '2-3'])
  })
})

describe('dated rows', () => {
  // 5.0 kg to the United States: zone 5, 63.05. Demand 5 × 0.35 = 1.75, not fuelled. Declaration 6.50.
  // Fuel 22.5% = 14.18625, from 5 October 24.75% = 15.604875.
  test.each([
    ['2026-09-14', '83.74', 'no'],
    ['2026-09-15', '85.49', '1.75'],
    ['2026-10-04', '85.49', '1.75'],
    ['2026-10-05', '86.90', '1.75'],
    ['2027-01-14', '86.90', '1.75'],
    ['2027-01-15', '85.15', 'no'], // the first day after the demand surcharge
  ])('on %s the price is %s, with %s demand surcharge', (day, price, demand) => {
    const { lines, ...rest } = bill(EXPRESS, route('NL', 'US', [parcels(5, BOX)]), day)
    expect(rest.price).toBe(price)
    expect(lines.find(([item]) => item === 'Demand surcharge')?.[1] ?? 'no').toBe(demand)
  })

  test('limit the demand surcharge to its destinations, and give road fuel its own rates', () => {
    const spain = route('NL', 'ES', [parcels(3.2, '30x25x20')])
    expect(bill(EXPRESS, spain, '2026-10-04').price).toBe('48.27')
    expect(bill(EXPRESS, spain, '2026-10-05').price).toBe('49.15') // 24.75% of 39.40 = 9.7515
    expect(bill(ECONOMY, spain, '2026-10-04').price).toBe('28.90')
    expect(bill(ECONOMY, spain, '2026-10-05').price).toBe('29.22') // 13.25% of 25.80 = 3.4185
    // A document counts 0.5 kg: 31.80 + 0.175, half-up 0.18 + fuel 22.5% = 7.155, half-up 7.16.
    expect(bill(DOCUMENT, route('NL', 'US', [documents(1)]), '2026-09-15').price).toBe('39.14')
  })
})

describe('insurance', () => {
  const insured = (totalValue: number) =>
    route('NL', 'BE', [parcels(1, '10x10x10')], { insured: true, totalValue })

  // Over 0.5 to 1.0 kg in zone 1: 25.75 + fuel 5.79375. Insurance 9 per mille of the value, at least 11.50.
  test.each([
    [0, '0.00', '31.54'],
    [1000, '11.50', '43.04'], // 9.00
    [1278, '11.50', '43.04'], // 11.502
    [2000, '18.00', '49.54'],
    [50_000, '450.00', '481.54'],
  ])('of %d costs %s, and the total is %s', (value, premium, price) => {
    const { lines, ...rest } = bill(EXPRESS, insured(value))
    expect(lines.at(-1)).toEqual(['Insurance', premium])
    expect(rest.price).toBe(price)
  })

  test('has a maximum value', () => {
    expect(refusal(EXPRESS, insured(50_000.01))).toEqual({
      code: 'VALUE_NOT_INSURABLE',
      limit: '50000.00',
      actual: '50000.01',
    })
    expect(freight(EXPRESS, insured(50_000))).toBe('25.75')
  })
})
