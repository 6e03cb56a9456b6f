// A regional courier's list, with prices calculated by hand: collects in two districts of one country only, for
// businesses only.
import { describe, expect, test } from 'vitest'
import { briefly, openPriceList, parcels, route } from '../../../support/rates/price-list.ts'

const { bill, freight, refusal, findings } = openPriceList('regional-next-day')
const NEXT_DAY = 2601
const BOX = [parcels(4, '40x30x20')] // 24,000 / 4000 = 6.0 kg

test('the list has no faults, and a warning that Belgium outside the port has no lane', () => {
  expect(findings.faults).toEqual([])
  expect(briefly(findings.warnings)).toEqual(['countryGroups 6 group'])
})

describe('freight', () => {
  test('uses the volumetric weight if it exceeds the actual weight', () => {
    // From Amsterdam (the default of the country) to Rotterdam: NOORD > ZUID = zone 1, over 5 to 10 kg 6.80.
    // Fuel 9.5% = 0.646.
    expect(bill(NEXT_DAY, route('NL', 'NL 3011 AB', BOX))).toEqual({
      price: '7.60',
      lines: [
        ['Freight', '6.80'],
        ['Fuel surcharge', '0.65'],
        ['Toll', '0.15'],
      ],
      kg: [6],
      days: '1',
    })
    // 20,000 / 4000 = 5.0 kg: up to and including 5 kg. Fuel 0.532.
    expect(bill(NEXT_DAY, route('NL', 'NL 3011 AB', [parcels(4, '40x25x20')]))).toMatchObject({
      price: '6.28',
      kg: [5],
    })
  })

  test('prices each parcel by its own weight', () => {
    // 6000 / 4000 = 1.5 kg: 3 × 4.95. 2.1 kg, rounded up to 2.5: 5.60. Fuel 9.5% of 20.45 = 1.94275. Toll 4 × 0.15.
    const rows = [parcels(1.5, '30x20x10', 3), parcels(2.1, '30x20x10')]
    expect(bill(NEXT_DAY, route('NL', 'NL', rows))).toEqual({
      price: '22.99',
      lines: [
        ['Freight', '20.45'],
        ['Fuel surcharge', '1.94'],
        ['Toll', '0.60'],
      ],
      kg: [1.5, 2.5],
      days: '1',
    })
  })

  test('is higher to the rest of the country and to the port across the border', () => {
    // 8.30; fuel 0.7885.
    expect(bill(NEXT_DAY, route('NL', 'NL 5611', BOX)).price).toBe('9.24')
    // 12.40; fuel 1.178.
    expect(bill(NEXT_DAY, route('NL', 'BE 2000', BOX))).toEqual({
      price: '14.03',
      lines: [
        ['Freight', '12.40'],
        ['Fuel surcharge', '1.18'],
        ['Toll', '0.15'],
        ['Belgian toll', '0.30'],
      ],
      kg: [6],
      days: '1-2',
    })
  })
})

describe('places', () => {
  test.each([
    'NL',
    'NL 1000',
    'NL 1012 AB',
    'NL nl-1012ab',
    'NL 1399ZZ',
    'NL 3000',
    'NL 3399',
    'NL/Amsterdam', // the capital: its own code
    'NL/Rotterdam', // the city by its name
    'NL 1012/Utrecht',
  ])('include %s for collection', (from) => {
    expect(freight(NEXT_DAY, route(from, 'NL 3011', BOX))).toBe('6.80')
    expect(freight(NEXT_DAY, route(from, 'NL 5611', BOX))).toBe('8.30')
  })

  test.each([
    'NL 0999',
    'NL 1400',
    'NL 2999',
    'NL 3400',
    'NL 5611',
    'NL/Utrecht', // a city that the list does not name
    'NL 3511/Rotterdam', // the code decides
    'BE 2000',
  ])('exclude %s for collection', (from) => {
    expect(refusal(NEXT_DAY, route(from, 'NL 3011', BOX))).toEqual({ code: 'ROUTE_NOT_SERVED' })
  })

  test.each([
    ['BE 2999', '12.40'],
    ['NL/Utrecht', '8.30'],
    ['NL/rotterdam', '6.80'],
  ])('to %s cost %s', (to, price) => {
    expect(freight(NEXT_DAY, route('NL 3011', to, BOX))).toBe(price)
  })

  test.each(['BE', 'BE 1999', 'BE 3000', 'BE/Antwerp', 'DE'])('exclude %s for delivery', (to) => {
    expect(refusal(NEXT_DAY, route('NL', to, BOX))).toEqual({ code: 'ROUTE_NOT_SERVED' })
  })
})

describe('surcharges', () => {
  test.each([
    // 58 l: 14.5 kg. 9.20 + 1.95 from 20 kg; fuel 9.5% of 11.15 = 1.05925.
    [20, '50x40x29', ['Heavy parcel', '1.95'], '12.36'],
    // 60 l: 15.0 kg. 9.20 + 2.40 from 60 l; fuel 9.5% of 11.60 = 1.102.
    [19.9, '50x40x30', ['Bulky parcel', '2.40'], '12.85'],
    // Neither: fuel 9.5% of 9.20 = 0.874.
    [19.9, '50x40x29', ['Fuel surcharge', '0.87'], '10.22'],
  ])('of %d kg and %s cm are %j, and the total is %s', (weight, size, line, price) => {
    const parcel = bill(NEXT_DAY, route('NL', 'NL', [parcels(weight, size)]))
    expect(parcel.lines[1]).toEqual(line)
    expect(parcel.price).toBe(price)
  })

  test.each([
    [1, 250, '0.00'],
    [1, 251, '2.75'], // 0.65% = 1.6315
    [2, 500, '0.00'], // 250 for each parcel
    [2, 500.01, '3.25'],
  ])('%d parcels with a value of %d euro are insured for %s', (count, totalValue, premium) => {
    const input = route('NL', 'NL', [parcels(4, '40x30x20', count)], { insured: true, totalValue })
    expect(bill(NEXT_DAY, input).lines.at(-1)).toEqual(['Insurance', premium])
  })
})

describe('the courier declines', () => {
  test('private addresses', () => {
    expect(refusal(NEXT_DAY, route('NL', 'NL', BOX, { recipientType: 'individual' }))).toEqual({
      code: 'RECIPIENT_NOT_SERVED',
    })
  })

  test.each([
    [25.1, '30x30x30', { code: 'OVER_WEIGHT', limit: '25', actual: '25.1' }],
    [5, '121x10x10', { code: 'OVER_SIZE', limit: '120', actual: '121' }],
    [5, '120x60x31', { code: 'OVER_SIZE', limit: '300', actual: '302' }], // 120 + 2 × 91
    [5, '60x60x30', { code: 'OVER_WEIGHT', limit: '25', actual: '27' }], // 108,000 / 4000, beyond the list
  ])('parcels of %d kg and %s cm', (weight, size, refused) => {
    expect(refusal(NEXT_DAY, route('NL', 'NL', [parcels(weight, size)]))).toEqual(refused)
  })
})
