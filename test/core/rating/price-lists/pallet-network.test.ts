// A pallet network's list, with prices calculated by hand: pallet classes, tail lift, remote areas per pallet, toll in
// percent.
import { describe, expect, test } from 'vitest'
import { briefly, openPriceList, pallets, parcels, route } from '../../../support/rates/price-list.ts'

const { bill, freight, refusal, findings } = openPriceList('pallet-network')
const [ECONOMY, NEXT_DAY] = [2401, 2402]
const HALF = '120x80x110'

test('the list has no faults, and a warning that the next-day product has no oversize pallets', () => {
  expect(findings.faults).toEqual([])
  expect(briefly(findings.warnings)).toEqual(['prices 14 palletClass', 'prices 17 palletClass'])
})

describe('freight', () => {
  test('of a half pallet uses the capital for both ends if only the country is given', () => {
    // Zone 1, half: 52.40. Fuel 11.4% = 5.9736. Toll 3.1% of the freight too, not of the fuel = 1.6244.
    expect(bill(ECONOMY, route('DE', 'DE', [pallets(240, HALF)]))).toEqual({
      price: '59.99',
      lines: [
        ['Freight', '52.40'],
        ['Fuel surcharge', '5.97'],
        ['Toll', '1.62'],
      ],
      kg: [240],
      days: '2-3',
    })
    // 69.20 + 7.8888 + 2.1452.
    expect(bill(NEXT_DAY, route('DE', 'DE', [pallets(240, HALF)]))).toMatchObject({
      price: '79.24',
      days: '1',
    })
  })

  test.each([
    ['120x100x80', 300, '41.50'], // a quarter, at its bounds
    ['100x120x80', 300, '41.50'], // turned
    ['120x100x81', 300, '52.40'], // half
    ['120x80x80', 301, '52.40'],
    ['120x100x120', 600, '52.40'],
    ['120x100x121', 600, '68.90'], // full
    ['120x100x120', 601, '68.90'],
    ['120x100x220', 1200, '68.90'],
    ['121x100x80', 100, '143.00'], // oversize takes two spaces: 2 × 71.50
    ['240x120x220', 1500, '143.00'],
    ['120x240x100', 500, '143.00'],
    ['120x100x200', 1201, '143.00'], // too heavy for a full one
  ])('of a pallet of %s cm and %d kg is %s', (size, weight, price) => {
    expect(freight(ECONOMY, route('DE', 'DE', [pallets(weight, size)]))).toBe(price)
  })

  test.each([
    ['DE', 'DE 79999', '52.40'],
    ['DE', 'DE 80000', '64.80'], // from 80 to 89: the other half of the country
    ['DE', 'DE 89999', '64.80'],
    ['DE', 'DE 90000', '52.40'],
    ['DE 80331', 'DE', '64.80'],
    ['DE 80331', 'DE 87000', '52.40'], // both in the same half
    ['DE', 'DE/Nirgendwo', '52.40'], // an unknown city has the country's default
    ['DE', 'AT', '98.60'],
    ['DE 80331', 'AT', '98.60'],
  ])('of a half pallet from %s to %s is %s', (from, to, price) => {
    expect(freight(ECONOMY, route(from, to, [pallets(240, HALF)]))).toBe(price)
  })
})

describe('surcharges', () => {
  test('for a tail lift are per shipment, for remote areas per pallet, and for pallets that cannot be stacked a percentage', () => {
    const rows = [pallets(240, HALF, 2), pallets(400, '120x80x180', 1, false)]
    // Zone 3: 2 × 98.60 + 129.50 = 326.70. Remote 3 × 22.50. One pallet cannot be stacked: 30% of 326.70 = 98.01.
    // Fuelable: 326.70 + 28.00 + 67.50 + 98.01 = 520.21. Fuel 11.4% = 59.30394, toll 3.1% = 16.12651.
    expect(bill(ECONOMY, route('DE', 'AT 6764', rows, { recipientType: 'individual' }))).toEqual({
      price: '599.64',
      lines: [
        ['Freight', '326.70'],
        ['Tail-lift', '28.00'],
        ['Remote area', '67.50'],
        ['Not stackable', '98.01'],
        ['Fuel surcharge', '59.30'],
        ['Toll', '16.13'],
        ['Notice by telephone', '4.00'],
      ],
      kg: [240, 400],
      days: '4-6',
    })
  })

  test('for a remote area at both ends are charged once, but its days are added twice', () => {
    // 52.40 + 22.50 = 74.90; fuel 8.5386; toll 2.3219. Days 2-3, 1 for remote, 2-3 for the island.
    expect(bill(ECONOMY, route('DE 17420', 'DE 25980', [pallets(240, HALF)]))).toEqual({
      price: '85.76',
      lines: [
        ['Freight', '52.40'],
        ['Remote area', '22.50'],
        ['Fuel surcharge', '8.54'],
        ['Toll', '2.32'],
      ],
      kg: [240],
      days: '5-7',
    })
  })

  test.each([
    ['AT 6763', '3-5'],
    ['AT 6764', '4-6'],
    ['AT 6767', '4-6'],
    ['AT 6768', '3-5'],
    ['DE 87560', '2-4'],
    ['DE 87561', '3-5'],
    ['DE 87569', '3-5'],
    ['DE 87570', '2-4'],
  ])('delivery to %s takes %s days', (to, days) => {
    expect(bill(ECONOMY, route('DE', to, [pallets(240, HALF)])).days).toBe(days)
  })

  // 59.99 without. The free cover of 100 counts for the shipment; then 0.5%, at least 12.00.
  test.each([
    [100, '0.00', '59.99'],
    [100.01, '12.00', '71.99'],
    [1000, '12.00', '71.99'],
    [5000, '25.00', '84.99'],
  ])('insurance of %d costs %s, and the total is %s', (totalValue, premium, price) => {
    const insured = bill(ECONOMY, route('DE', 'DE', [pallets(240, HALF)], { insured: true, totalValue }))
    expect(insured.lines.at(-1)).toEqual(['Insurance', premium])
    expect(insured.price).toBe(price)
  })
})

describe('the network declines', () => {
  test.each([
    [ECONOMY, [pallets(240, '120x80x221')], { code: 'OVER_SIZE', limit: '220', actual: '221' }],
    [ECONOMY, [pallets(1500.1, '120x80x100')], { code: 'OVER_WEIGHT', limit: '1500', actual: '1500.1' }],
    [ECONOMY, [pallets(100, HALF, 7)], { code: 'TOO_MANY_UNITS', limit: '6', actual: '7' }],
    [ECONOMY, [pallets(1201, HALF, 5)], { code: 'OVER_WEIGHT', limit: '6000', actual: '6005' }],
    [NEXT_DAY, [pallets(240, '120x101x100')], { code: 'OVER_SIZE', limit: '100', actual: '101' }],
    [ECONOMY, [parcels(5, '40x30x20')], { code: 'TYPE_NOT_CARRIED' }],
  ])('product %i, %j: %o', (productId, rows, refused) => {
    expect(refusal(productId, route('DE', 'DE', rows))).toEqual(refused)
  })

  test('next-day delivery abroad or to individuals, and everything that is sent from abroad', () => {
    const half = [pallets(240, HALF)]
    expect(refusal(NEXT_DAY, route('DE', 'AT', half))).toEqual({ code: 'ROUTE_NOT_SERVED' })
    expect(refusal(NEXT_DAY, route('DE', 'DE', half, { recipientType: 'individual' }))).toEqual({
      code: 'RECIPIENT_NOT_SERVED',
    })
    expect(refusal(ECONOMY, route('AT', 'DE', half))).toEqual({ code: 'ROUTE_NOT_SERVED' })
  })
})
