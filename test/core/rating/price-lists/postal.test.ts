// A postal list, with prices calculated by hand: weight steps, no volumetric weight, letters, small limits; files with
// semicolons.
import { describe, expect, test } from 'vitest'
import { documents, openPriceList, pallets, parcels, route } from '../../../support/rates/price-list.ts'

const { bill, freight, refusal, findings } = openPriceList('postal')
const [PARCEL, PACKET, LETTER] = [2301, 2302, 2303]
const BOX = '40x30x20'

test('the list has no findings', () => {
  expect(findings).toEqual({ faults: [], warnings: [] })
})

describe('parcels', () => {
  test('are priced by actual weight, even if they are large', () => {
    // 240 l, and still 2.1 kg: over 2 to 4 kg in zone 1. Energy 3.4% of 12.60 = 0.4284. 100 + 2 × 100 = 300 cm.
    expect(bill(PARCEL, route('AT', 'DE', [parcels(2.1, '100x60x40')]))).toEqual({
      price: '13.03',
      lines: [
        ['Freight', '12.60'],
        ['Energy surcharge', '0.43'],
      ],
      kg: [2.1],
      days: '2-4',
    })
    expect(freight(PARCEL, route('AT', 'DE', [parcels(2, BOX)]))).toBe('10.90')
  })

  test('pay a fee for bulky goods above 100 cm', () => {
    // 101 + 2 × 99 = 299 cm. Energy 3.4% of 12.60 + 3.20 = 0.5372.
    expect(bill(PARCEL, route('AT', 'DE', [parcels(2.1, '101x60x39')]))).toMatchObject({
      price: '16.34',
      lines: [
        ['Freight', '12.60'],
        ['Bulky goods', '3.20'],
        ['Energy surcharge', '0.54'],
      ],
    })
    expect(refusal(PARCEL, route('AT', 'DE', [parcels(2.1, '101x60x40')]))).toEqual({
      code: 'OVER_SIZE',
      limit: '300',
      actual: '301',
    })
  })

  test('to the rest of the world use the zone of `*`', () => {
    // Zone 4 to 10 kg: 60.10. Energy 2.0434. Customs form 1.75, without energy surcharge.
    expect(bill(PARCEL, route('AT', 'JP', [parcels(10, BOX)]))).toEqual({
      price: '63.89',
      lines: [
        ['Freight', '60.10'],
        ['Energy surcharge', '2.04'],
        ['Customs form', '1.75'],
      ],
      kg: [10],
      days: '6-15',
    })
    // Over 10 to 20 kg: 99.60. Energy 3.3864.
    expect(bill(PARCEL, route('AT', 'JP/Tokyo', [parcels(10.1, BOX)])).price).toBe('104.74')
  })

  test('within the country have no energy surcharge', () => {
    expect(bill(PARCEL, route('AT', 'AT', [parcels(5, BOX)]))).toEqual({
      price: '5.75',
      lines: [['Freight', '5.75']],
      kg: [5],
      days: '1-2',
    })
  })

  test('to an island cost more and take longer', () => {
    // 14.30 + 5.50; energy 3.4% of 14.30 = 0.4862. Days 2-4 and 1-2.
    expect(bill(PARCEL, route('AT', 'DE 25980', [parcels(5, BOX)]))).toMatchObject({
      price: '20.29',
      days: '3-6',
    })
    // A remote area takes longer at the same price: 23.00 + 0.782 + 1.75.
    expect(bill(PARCEL, route('AT', 'NO 9990', [parcels(5, BOX)]))).toMatchObject({
      price: '25.53',
      days: '6-11',
    })
    expect(bill(PARCEL, route('AT', 'NO', [parcels(5, BOX)]))).toMatchObject({ price: '25.53', days: '4-7' })
  })
})

describe('packets', () => {
  test.each([
    [0.1, '3.55'],
    [0.2, '4.50'],
    [0.3, '4.50'],
    [0.5, '5.45'],
    [0.6, '7.60'],
    [2, '11.30'],
  ])('of %d kg to the Netherlands cost %s', (weight, price) => {
    expect(freight(PACKET, route('AT', 'NL', [parcels(weight, '30x20x5')]))).toBe(price)
  })

  test('are priced one by one', () => {
    // 3 × 4.50 = 13.50; energy 0.459.
    expect(bill(PACKET, route('AT', 'NL', [parcels(0.3, '30x20x5', 3)])).price).toBe('13.96')
  })

  test.each([
    [2.1, '30x20x5', { code: 'OVER_WEIGHT', limit: '2', actual: '2.1' }],
    [1, '61x20x5', { code: 'OVER_SIZE', limit: '60', actual: '61' }],
    [1, '60x30x21', { code: 'OVER_SIZE', limit: '160', actual: '162' }], // 60 + 2 × 51
  ])('of %d kg and %s cm are declined', (weight, size, refused) => {
    expect(refusal(PACKET, route('AT', 'NL', [parcels(weight, size)]))).toEqual(refused)
  })

  test('at the limit of length plus girth are accepted, but not within the country', () => {
    expect(freight(PACKET, route('AT', 'NL', [parcels(1, '60x30x20')]))).toBe('7.60') // 60 + 2 × 50 = 160
    expect(refusal(PACKET, route('AT', 'AT', [parcels(1, '30x20x5')]))).toEqual({ code: 'ROUTE_NOT_SERVED' })
  })
})

describe('letters', () => {
  test('are priced one by one, without surcharges', () => {
    expect(bill(LETTER, route('AT', 'CH', [documents(4)]))).toEqual({
      price: '20.80',
      lines: [['Freight', '20.80']], // 4 × 5.20
      kg: [0.05],
      days: '4-7',
    })
    expect(bill(LETTER, route('AT', 'DE 25980', [documents(1)]))).toMatchObject({
      price: '4.65',
      days: '3-6',
    })
  })

  test('are limited to ten by their weight', () => {
    expect(freight(LETTER, route('AT', 'CH', [documents(10)]))).toBe('52.00')
    expect(refusal(LETTER, route('AT', 'CH', [documents(11)]))).toEqual({
      code: 'OVER_WEIGHT',
      limit: '0.5',
      actual: '0.55',
    })
  })
})

describe('insurance', () => {
  // The free cover of 50 counts for the shipment, though each parcel is priced. Then 1.2%, at least 1.80.
  test.each([
    [50, '0.00', '11.50'],
    [60, '1.80', '13.30'], // 0.72
    [200, '2.40', '13.90'],
    [2500, '30.00', '41.50'],
  ])('of %d for two parcels costs %s, and the total is %s', (totalValue, premium, price) => {
    const two = bill(PARCEL, route('AT', 'AT', [parcels(5, BOX, 2)], { insured: true, totalValue }))
    expect(two.lines.at(-1)).toEqual(['Insurance', premium])
    expect(two.price).toBe(price)
  })

  test('is limited by the carrier and by the product', () => {
    const insured = (totalValue: number) =>
      route('AT', 'NL', [parcels(1, '30x20x5')], { insured: true, totalValue })
    expect(refusal(PARCEL, insured(2500.01))).toMatchObject({ code: 'VALUE_NOT_INSURABLE', limit: '2500.00' })
    expect(refusal(PACKET, insured(100.01))).toEqual({
      code: 'VALUE_NOT_INSURABLE',
      limit: '100.00',
      actual: '100.01',
    })
    expect(bill(PACKET, insured(100)).lines.at(-1)).toEqual(['Insurance', '1.80']) // 1.20
  })
})

test('the post declines shipments outside its limits', () => {
  expect(refusal(PARCEL, route('AT', 'DE', [parcels(30.1, BOX)]))).toEqual({
    code: 'OVER_WEIGHT',
    limit: '30',
    actual: '30.1',
  })
  expect(refusal(PARCEL, route('DE', 'AT', [parcels(5, BOX)]))).toEqual({ code: 'ROUTE_NOT_SERVED' })
  expect(refusal(PARCEL, route('AT', 'DE', [pallets(100, '120x80x100')]))).toEqual({
    code: 'TYPE_NOT_CARRIED',
  })
  expect(refusal(LETTER, route('AT', 'DE', [parcels(5, BOX)]))).toEqual({ code: 'TYPE_NOT_CARRIED' })
})
