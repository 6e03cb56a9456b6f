// Lists by freight class, as carriers of part loads in the USA print them, with prices calculated by hand: rates per
// 100 pounds by class and weight band, deficit weight, freight all kinds, classes by density, and a minimum charge.
import { describe, expect, test } from 'vitest'
import { explainLine } from '../../../../src/core/rating/explain/explain.ts'
import { quote } from '../../../../src/core/rating/quote.ts'
import {
  briefly,
  EARLY_DAY,
  openPriceList,
  pallets,
  parcels,
  readPriceList,
  requestOf,
  route,
} from '../../../support/rates/price-list.ts'
import { bookOf } from '../../../support/rates/rate-cards.ts'

const { bill, freight, option, refusal, findings } = openPriceList('freight-classes')
const [BY_CLASS, ALL_KINDS, BY_DENSITY, OWN] = [3001, 3002, 3003, 3004]
const EURO = '120x80x100' // 0.96 m³, which are 33.9021 ft³
type Rows = Parameters<typeof route>[2]

const classed = (kg: number, freightClass?: string, count = 1) => ({
  ...pallets(kg, EURO, count),
  ...(freightClass !== undefined && { freightClass }),
})
const inland = (...rows: Rows) => route('US', 'US', rows)

test('the list has no faults, and warnings that rates without deficit weight fall', () => {
  expect(findings.faults).toEqual([])
  expect(briefly(findings.warnings)).toEqual(['prices 56 priceCents', 'prices 58 priceCents'])
})

describe('rates by class and weight', () => {
  test.each([
    // 220.46 lb are 221 lb × 0.50; 500 lb at the next rate would be 200.00.
    [100, '70', '110.50'],
    [100, '77.5', '119.34'], // 221 × 0.54
    [100, '100', '154.70'], // 221 × 0.70
    [190, '70', '200.00'], // 419 × 0.50 = 209.50; 500 × 0.40
    [226.7, '70', '200.00'], // 500 lb
    [226.9, '70', '200.40'], // 501 × 0.40; 1000 × 0.32 = 320.00
    [400, '70', '320.00'], // 882 × 0.40 = 352.80; 1000 × 0.32
    [2267.9, '70', '1250.00'], // 5000 × 0.25
  ])('%d kg of class %s cost %s', (kg, freightClass, price) => {
    expect(freight(BY_CLASS, inland(classed(kg, freightClass)))).toBe(price)
  })

  test('the sum of the weights decides the band of all classes', () => {
    // 300 and 45 lb: 150.00 + 31.50; 120.00 + 25.20 + 155 lb of deficit weight × 0.40 = 207.20.
    expect(freight(BY_CLASS, inland(classed(136, '70'), classed(20, '100')))).toBe('181.50')
    // 300 and 199 lb: 150.00 + 139.30 = 289.30; 120.00 + 111.44 + 1 lb × 0.40.
    expect(freight(BY_CLASS, inland(classed(136, '70'), classed(90, '100')))).toBe('231.84')
    // Two of 199 lb and 300 lb, 698 lb: 2 × 111.44 + 120.00.
    expect(freight(BY_CLASS, inland(classed(90, '100', 2), classed(136, '70')))).toBe('342.88')
    // Zone 2: 300 × 0.60 + 199 × 0.84 + 1 × 0.60.
    expect(freight(BY_CLASS, route('US', 'CA', [classed(136, '70'), classed(90, '100')]))).toBe('347.76')
  })

  test('other classes and zones', () => {
    // 552 and 221 lb: 552 × 0.43 + 221 × 0.56; with 227 lb of deficit weight at 0.35 it would be 372.10.
    expect(freight(BY_CLASS, inland(classed(250, '77.5'), classed(100, '100')))).toBe('361.12')
    // 882 and 111 lb: 441.42; 882 × 0.35 + 111 × 0.45 + 7 × 0.35.
    expect(freight(BY_CLASS, inland(classed(400, '77.5'), classed(50, '100')))).toBe('361.10')
    // Zone 2, 221 lb each: 132.60 + 142.545 + 58 × 0.60 = 309.945.
    expect(freight(BY_CLASS, route('US', 'CA', [classed(100, '70'), classed(100, '77.5')]))).toBe('309.95')
  })

  test('the explanation has the classes, the rates and the deficit weight', () => {
    const { formula, inputs } = explainLine(
      option(BY_CLASS, inland(classed(136, '70'), classed(90, '100'))),
      0,
    )
    expect(formula).toBe(
      '(40.00 EUR per 100 lb for class 70 × 300 lb + 56.00 EUR per 100 lb for class 100 × 199 lb + ' +
        '40.00 EUR per 100 lb × 1 lb of deficit weight) = 231.84 EUR (over 500 lb up to 1000 lb in zone 1)',
    )
    expect(inputs.map(({ name, value }) => `${name}: ${value}`)).toEqual(
      expect.arrayContaining([
        'pricing basis: a rate per 100 lb by freight class, in the band of the weight of the shipment',
        ...['chargeable weight: 499 lb', 'weight billed: 500 lb', 'band: up to 500 lb'],
        ...['next band: over 500 lb up to 1000 lb', 'row 1 freight class: 70', 'row 2 freight class: 100'],
        ...['row 1 rate per 100 lb: 40.00 EUR', 'row 2 rate per 100 lb: 56.00 EUR'],
      ]),
    )
  })

  test('a list can leave the deficit weight out', () => {
    const box = (kg: number) => inland(parcels(kg, '50x40x50'))
    expect(freight(OWN, box(90))).toBe('72.00') // 100 kg at 60.00 would be 60.00
    expect(freight(OWN, box(101))).toBe('60.60')
  })
})

describe('products that are declined', () => {
  test.each([
    [[classed(100)], { code: 'FREIGHT_CLASS_REQUIRED' }],
    [[classed(100, '70'), classed(100)], { code: 'FREIGHT_CLASS_REQUIRED' }],
    [[classed(100, '85')], { code: 'ROUTE_NOT_SERVED' }],
    [[classed(2268, '70')], { code: 'OVER_WEIGHT', limit: '2267.962', actual: '2268.416' }],
  ])('%j: %j', (rows, reason) => {
    expect(refusal(BY_CLASS, inland(...rows))).toEqual(reason)
  })

  test('a class that the table of the list does not have', () => {
    expect(refusal(ALL_KINDS, inland(classed(100, '250')))).toEqual({ code: 'FREIGHT_CLASS_NOT_CARRIED' })
    expect(refusal(ALL_KINDS, inland(classed(100)))).toEqual({ code: 'FREIGHT_CLASS_REQUIRED' })
  })

  test('surcharges by class need a class too', () => {
    const card = readPriceList('freight-classes')
    const surcharges = card.content.surcharges
      .filter(({ code }) => code === 'SPACE')
      .map((row) => ({ ...row, products: [OWN], validFrom: '2026-10-01' }))
    const book = bookOf({ ...card, content: { ...card.content, surcharges } })
    const of = (row: object, day = '2026-10-01') => {
      const { options, declined } = quote(book, requestOf(inland(row)), day)
      return (
        options.find(({ product }) => product.productId === OWN)?.priceCents ??
        declined.find(({ product }) => product.productId === OWN)?.decline.code
      )
    }
    const box = parcels(90, '50x40x50')
    expect(of(box)).toBe('FREIGHT_CLASS_REQUIRED')
    expect(of({ ...box, freightClass: '110' })).toBe(7200)
    expect(of({ ...box, freightClass: '125' })).toBe(10_200)
    expect(of(box, EARLY_DAY)).toBe(7200)
  })
})

describe('freight all kinds', () => {
  test('rates classes 50 to 85 as 60, and 92.5 to 150 as 100', () => {
    // 882 lb: 882 × 0.36 = 317.52; 1000 × 0.30.
    const of = (freightClass: string) => freight(ALL_KINDS, inland(classed(400, freightClass)))
    expect(['50', '77.5', '85'].map(of)).toEqual(['300.00', '300.00', '300.00'])
    expect(['92.5', '150'].map(of)).toEqual(['450.00', '450.00']) // 1000 × 0.45
  })

  test('the minimum charge is fuelable, and applies after the discount of a contract', () => {
    const of = (kg: number, freightClass: string) => bill(ALL_KINDS, inland(classed(kg, freightClass))).lines
    // 111 lb × 0.45 = 49.95; 95.00 at least. Fuel: 20% of 95.00.
    expect(of(50, '70')).toEqual([
      ['Freight', '49.95'],
      ['Minimum charge', '45.05'],
      ['Fuel', '19.00'],
    ])
    // 111 lb × 0.70 = 77.70. Fuel: 20% of 95.00 + 30.00.
    expect(of(50, '125')).toEqual([
      ['Freight', '77.70'],
      ['Minimum charge', '17.30'],
      ['Class 125 or higher', '30.00'],
      ['Fuel', '25.00'],
    ])
    expect(of(400, '70')).toEqual([
      ['Freight', '300.00'],
      ['Minimum charge', '0.00'],
      ['Fuel', '60.00'],
    ])
  })
})

describe('classes by density', () => {
  // The density scale with 13 subs of the National Motor Freight Traffic Association (docket 2025-1, 2025-07-19).
  // 0.96 m³ × 16.018463 kg/m³ = 15.37772 kg for each pound per cubic foot. The rate of a class is its number.
  test.each([
    ['15.377', '400'],
    ['15.378', '300'], // 1 lb per ft³
    ['30.755', '300'],
    ['30.756', '250'], // 2
    ['61.511', '175'], // 4
    ['92.267', '125'], // 6
    ['123.022', '100'], // 8
    ['153.778', '92.5'], // 10
    ['184.533', '85'], // 12
    ['230.666', '70'], // 15
    ['345.998', '70'],
    ['345.999', '65'], // 22.5
    ['461.332', '60'], // 30
    ['538.221', '55'], // 35
    ['768.887', '50'], // 50
  ])('%s kg on 0.96 m³ are of class %s', (exactWeight, name) => {
    const { inputs } = explainLine(option(BY_DENSITY, inland({ ...pallets(1, EURO), exactWeight })), 0)
    expect(inputs.find((input) => input.name === 'row 1 freight class')?.value).toBe(name)
    const pounds = Math.ceil(Number(exactWeight) / 0.45359237)
    expect(freight(BY_DENSITY, inland({ ...pallets(1, EURO), exactWeight }))).toBe(
      (Math.round(pounds * Number(name)) / 100).toFixed(2),
    )
  })

  test('in kilograms per cubic metre', () => {
    // 0.1 m³: 25 kg are 250 kg/m³.
    expect(freight(OWN, inland(parcels(25, '50x40x50')))).toBe('20.00')
    expect(freight(OWN, inland(parcels(24.9, '50x40x50')))).toBe('30.00') // 25 × 1.20
  })
})
