// An express carrier's list, with prices calculated by hand: export zones from one country, two zone charts, two area
// lists.
import { describe, expect, test } from 'vitest'
import { briefly, documents, openPriceList, parcels, route } from '../../../support/rates/price-list.ts'

const { bill, freight, refusal, findings } = openPriceList('integrator')
const [EXPRESS, DOCUMENT, ECONOMY] = [2101, 2102, 2103]
const BOX = '40x30x20' // 24,000 cm³: 4.8 kg at 5000, 6.0 kg at 4000

test('the list has no faults, and warnings for a group without a lane and for falling prices per kilogram', () => {
  // In each of the 8 zones, 24 rows: the last two are the price per kilogram above 70 and above 300 kg.
  const falls = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((zone) => [24 * zone + 24, 24 * zone + 25])
  expect(findings.faults).toEqual([])
  expect(briefly(findings.warnings)).toEqual([
    'countryGroups 34 group', // OFF: not served by road
    ...falls.map((line) => `prices ${line} priceCents`),
  ])
})

describe('freight', () => {
  test('of a parcel to Spain uses the capital if only the country is given', () => {
    // 30 × 25 × 20 = 15,000 cm³ / 5000 = 3.0 kg; actual 3.2 kg, rounded up to 3.5 kg. NL HOME > ES EU = zone 2.
    // Over 3.0 to 3.5 kg: 39.40. Fuel 22.5% of 39.40 = 8.865, half-up 8.87. No border: no declaration.
    expect(bill(EXPRESS, route('NL', 'ES', [parcels(3.2, '30x25x20')]))).toEqual({
      price: '48.27',
      lines: [
        ['Freight', '39.40'],
        ['Fuel surcharge', '8.87'],
      ],
      kg: [3.5],
      days: '1-2',
    })
    // Economy has its own chart: HOME > ROAD2 = zone 2. 15,000 / 4000 = 3.75 kg, rounded up to 4 kg: 25.80.
    // Road fuel 12% = 3.096.
    expect(bill(ECONOMY, route('NL', 'ES', [parcels(3.2, '30x25x20')]))).toEqual({
      price: '28.90',
      lines: [
        ['Freight', '25.80'],
        ['Road fuel surcharge', '3.10'],
      ],
      kg: [4],
      days: '3-5',
    })
  })

  test.each([
    [3.5, '39.40'], // over 3.0 up to and including 3.5
    [3.6, '41.00'], // 4.0 kg
    [10, '60.20'], // the last band
    [10.1, '61.55'], // 10.5 kg: 60.20 + the first step of 1.35
    [10.5, '61.55'],
    [10.6, '62.90'], // 60.20 + 2 × 1.35
    [25, '100.70'], // 60.20 + 30 × 1.35
  ])('of a parcel of %d kg to Spain is %s', (weight, price) => {
    expect(freight(EXPRESS, route('NL', 'ES', [parcels(weight, '30x25x20')]))).toBe(price)
  })

  test.each([
    [[15, 15], '114.20'], // 30.0 kg is still stepped: 60.20 + 40 × 1.35
    [[15, 15.1], '117.43'], // 30.5 kg × 3.85 a kilogram = 117.425
    [[16, 16, 16, 16.5], '248.33'], // 64.5 × 3.85 = 248.325
    [[17.5, 17.5, 17.5, 17.5], '269.50'], // 70 × 3.85: deficit weight (70 × 3.55) is for the basis per-100kg alone
    [[17.5, 17.5, 17.5, 18], '250.28'], // 70.5 × 3.55 = 250.275
  ])('of pieces of %j kg to Spain is priced by their sum: %s', (weights, price) => {
    const rows = weights.map((weight) => parcels(weight, BOX))
    expect(freight(EXPRESS, route('NL', 'ES', rows))).toBe(price)
  })

  test('of documents has its own bands and no residential fee', () => {
    // 3 × 0.5 kg: over 1.0 to 1.5 kg in zone 2: 27.70. Fuel 22.5% = 6.2325.
    const three = route('NL', 'ES', [documents(3)], { recipientType: 'individual' })
    expect(bill(DOCUMENT, three)).toEqual({
      price: '33.93',
      lines: [
        ['Freight', '27.70'],
        ['Fuel surcharge', '6.23'],
      ],
      kg: [0.5],
      days: '1-2',
    })
    expect(freight(DOCUMENT, route('NL', 'ES', [documents(4)]))).toBe('29.60') // 2.0 kg, the limit
    expect(refusal(DOCUMENT, route('NL', 'ES', [documents(5)]))).toEqual({
      code: 'OVER_WEIGHT',
      limit: '2',
      actual: '2.5',
    })
  })
})

describe('zones', () => {
  test.each([
    ['ES 34999', '39.40'],
    ['ES 35000', '63.60'], // the Canaries, zone 4: over 3.0 to 3.5 kg
    ['ES 35999', '63.60'],
    ['ES 36000', '39.40'],
    ['ES 37999', '39.40'],
    ['ES 38000', '63.60'],
    ['ES 38999', '63.60'],
    ['ES 39000', '39.40'],
    ['ES 50999', '39.40'],
    ['ES 51001', '63.60'], // the prefix 51: Ceuta
    ['ES 52899', '63.60'], // the prefix 52: Melilla
    ['ES 53000', '39.40'],
    ['ES/Ceuta', '63.60'], // the city, since there is no code
    ['ES/MELILLA', '63.60'],
    ['ES/Sevilla', '39.40'], // a city that the list does not name
    ['ES/Madrid', '39.40'],
    ['ES 28013/Ceuta', '39.40'], // the code decides
    ['ES 51001/Madrid', '63.60'],
  ])('from NL to %s give the freight %s', (to, price) => {
    expect(freight(EXPRESS, route('NL', to, [parcels(3.2, '30x25x20')]))).toBe(price)
  })

  test('treat the Canary Islands as another group of the same country', () => {
    // The lane EU > EDGE is zone 4, though `=` > `=` is zone 0. Declaration 6.50, not fuelled: 22.5% of 63.60.
    expect(bill(EXPRESS, route('ES 28013', 'ES 35010', [parcels(3.2, '30x25x20')]))).toEqual({
      price: '84.41',
      lines: [
        ['Freight', '63.60'],
        ['Fuel surcharge', '14.31'],
        ['Export declaration', '6.50'],
      ],
      kg: [3.5],
      days: '2-4',
    })
    expect(freight(EXPRESS, route('ES 35010', 'ES', [parcels(3.2, '30x25x20')]))).toBe('63.60')
    // Both ends in one group: `=` > `=`, zone 0. Fuel 22.5% of 16.90 = 3.8025.
    expect(bill(EXPRESS, route('ES 28013', 'ES 08001', [parcels(3.2, '30x25x20')]))).toMatchObject({
      price: '20.70',
      days: '1',
    })
    expect(freight(EXPRESS, route('ES 35010', 'ES 38001', [parcels(3.2, '30x25x20')]))).toBe('16.90')
  })

  test('use the zone of `*` for all other countries, if the chart has it', () => {
    // Zone 7, to 0.5 kg: 61.70 + 22.5% fuel 13.8825 + declaration 6.50.
    expect(bill(EXPRESS, route('NL', 'BR', [parcels(0.5, '10x10x10')]))).toMatchObject({
      price: '82.08',
      days: '3-6',
    })
    expect(refusal(ECONOMY, route('NL', 'BR', [parcels(0.5, '10x10x10')]))).toEqual({
      code: 'ROUTE_NOT_SERVED',
    })
  })

  test('do not serve a group without a lane, or a country that the product is not sent from', () => {
    const box = [parcels(3.2, BOX)]
    expect(refusal(ECONOMY, route('NL', 'ES 35999', box))).toEqual({ code: 'ROUTE_NOT_SERVED' })
    expect(freight(ECONOMY, route('NL', 'ES 36000', box))).toBe('29.10') // 6 kg
    expect(refusal(EXPRESS, route('FR', 'NL', box))).toEqual({ code: 'ROUTE_NOT_SERVED' })
    expect(refusal(ECONOMY, route('ES', 'NL', box))).toEqual({ code: 'ROUTE_NOT_SERVED' })
  })
})
