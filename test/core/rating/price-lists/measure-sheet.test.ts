// Rules about sizes, shapes and units of published price lists, one for each product. Prices are calculated by hand.
// Where a rate is 1.00 per kilogram or pound, the freight shows the weight billed.
import { describe, expect, test } from 'vitest'
import { explainLine } from '../../../../src/core/rating/explain/explain.ts'
import { quote } from '../../../../src/core/rating/quote.ts'
import type { ServiceRow } from '../../../../src/core/rating/rate-card.ts'
import {
  documents,
  EARLY_DAY,
  openPriceList,
  pallets,
  parcels,
  readPriceList,
  requestOf,
  route,
} from '../../../support/rates/price-list.ts'
import { bookOf } from '../../../support/rates/rate-cards.ts'

const { bill, option, refusal, findings } = openPriceList('measure-sheet')
const BOX = '40x30x20'
type Rows = Parameters<typeof route>[2]

const inland = (...rows: Rows) => route('NL', 'NL', rows)
const price = (productId: number, ...rows: Rows) => bill(productId, inland(...rows)).price
const billed = (productId: number, ...rows: Rows) => bill(productId, inland(...rows)).kg
const explained = (productId: number, rows: Rows, line = 0) => {
  const { formula, inputs } = explainLine(option(productId, inland(...rows)), line)
  return [formula, ...inputs.map(({ name, value }) => `${name}: ${value}`)]
}

test('the list has no findings', () => {
  expect(findings).toEqual({ faults: [], warnings: [] })
})

describe('smallest weights', () => {
  test('UPS: a large package, length and girth above 300 cm, counts as at least 40 kg', () => {
    // 120 + 2 × (60 + 30) = 300; 121 + 180 = 301. 121 × 60 × 30 / 5000 = 43.56 kg.
    expect(billed(2901, parcels(10, '120x60x30'))).toEqual([43.5]) // 43.2 kg
    expect(billed(2901, parcels(10, '180x40x20'))).toEqual([29]) // 180 + 120 = 300; 28.8 kg
    expect(billed(2901, parcels(10, '181x40x20', 2), parcels(50, '181x40x20'))).toEqual([40, 50])
    expect(price(2901, parcels(10, '181x40x20', 2), parcels(50, '181x40x20'))).toBe('130.00')
    expect(explained(2901, [parcels(10, '181x40x20', 2)])).toEqual(
      expect.arrayContaining([
        '2 × (100.00 EUR per 100 kg (up to 2000 kg in zone 0) × 40 kg)',
        ...['row 1 actual weight: 10 kg', 'row 1 volumetric weight: 28.96 kg'],
        'row 1 smallest weight: 40 kg',
        'row 1 smallest weight by: Large package: 40 kg if longest + girth > 300 cm',
        'row 1 chargeable weight: 40 kg',
      ]),
    )
  })

  test('200 kg for each started pallet place of 120 x 80 cm', () => {
    expect(billed(2902, pallets(150, '120x80x50'))).toEqual([200]) // 159.84 kg by volume
    expect(billed(2902, pallets(150, '80x120x50'), pallets(150, '120x100x50'))).toEqual([200, 400])
    expect(price(2902, pallets(150, '120x100x50', 2))).toBe('808.00') // and 4.00 each for the packaging
    expect(billed(2902, pallets(150, '120x80x100'))).toEqual([320]) // 319.68 kg by volume
    expect(explained(2902, [pallets(150, '120x100x50')])).toContain(
      'row 1 smallest weight by: Pallet place of 120 x 80 cm: 200 kg * ceil(longest * second / 0.96 m2)',
    )
  })

  test('by packaging', () => {
    const packed = (packaging: string) => ({ ...parcels(5, BOX), packaging })
    expect(billed(2903, packed('CRATE'), packed('BOX'), parcels(5, BOX))).toEqual([20, 5, 5])
    expect(price(2903, packed('CRATE'), packed('BOX'), parcels(5, BOX))).toBe('30.00')
  })
})

describe('size classes', () => {
  test('InPost: A 16.99 (8 x 38 x 64 cm), B 18.99, C 20.99', () => {
    const of = (size: string, kg = 5) => price(2904, parcels(kg, size))
    expect(['64x38x8', '8x64x38', '38x8x64'].map((size) => of(size))).toEqual(['16.99', '16.99', '16.99'])
    expect(['64x38x9', '64x38x19', '64x38x20', '41x38x64'].map((size) => of(size))).toEqual([
      ...['18.99', '18.99', '20.99', '20.99'],
    ])
    expect(of('64x38x8', 25)).toBe('16.99')
    expect(price(2904, parcels(1, '30x20x5', 2), parcels(1, '60x35x30'))).toBe('54.97')
    expect(refusal(2904, inland(parcels(1, '65x10x5')))).toEqual({ code: 'OVER_SIZE' })
    expect(refusal(2904, inland(parcels(1, '30x20x5'), parcels(25.1, '30x20x5')))).toEqual({
      code: 'OVER_SIZE',
    })
  })

  test('Yamato: the larger of size and weight class', () => {
    const of = (kg: number, size: string) => price(2905, parcels(kg, size))
    expect([of(2, '30x20x10'), of(2.1, '30x20x10'), of(2, '30x20x11')]).toEqual(['5.00', '7.00', '7.00'])
    expect([of(5.1, '30x20x10'), of(1, '40x30x30')]).toEqual(['9.00', '9.00'])
    expect(explained(2905, [parcels(2.1, '30x20x10', 2)])).toEqual(
      expect.arrayContaining([
        '2 × 7.00 EUR for size class 80 in zone 0',
        ...['pricing basis: each parcel by its size class', 'row 1 units: 2', 'row 1 actual weight: 2.1 kg'],
        ...['row 1 size: 30 × 20 × 10 cm', 'row 1 size class: 80'],
        ...['row 1 class condition: sum <= 80 cm and kg <= 5', 'row 1 class price: 7.00 EUR'],
      ]),
    )
  })

  test('Swiss Post: a small and a bulky parcel cost 8.36 and 28.78', () => {
    expect(price(2906, parcels(2, BOX), parcels(2, '101x20x20'))).toBe('37.14')
    expect(price(2906, parcels(2.1, BOX))).toBe('10.36')
  })
})

describe('the total of the volumetric weights', () => {
  test('is compared with the total of the actual weights', () => {
    // 10 kg and 0.2 kg by volume; 1 kg and 20 kg by volume. One by one 10 + 20 = 30 kg; totals 11 and 20.2 kg.
    const rows = [parcels(10, '10x10x10'), parcels(1, '50x50x40')]
    expect(price(2907, ...rows)).toBe('20.50')
    expect(price(2907, parcels(25, '10x10x10'), parcels(1, '50x50x40'))).toBe('26.00')
    expect(explained(2907, rows)).toEqual(
      expect.arrayContaining([
        '100.00 EUR per 100 kg (up to 2000 kg in zone 0) × 20.5 kg',
        ...['total actual weight: 11 kg', 'total volumetric weight: 20.2 kg', 'weight billed: 20.5 kg'],
      ]),
    )
  })

  test('is rounded once', () => {
    // 13 × 641 × 1 = 8,333 cm³, 1.6666 kg. Three are 4.9998 kg; rounded to the gram first, they would be 5.001.
    expect(price(2907, parcels(0.1, '13x641x1', 3))).toBe('5.00')
  })

  test('is exact in pounds', () => {
    // 8,333 cm³ are 508.51 in³, 3.658 lb. Three are 10.975 lb, and rounded one by one 12 lb.
    expect(price(2915, parcels(0.1, '13x641x1', 3))).toBe('11.00')
    expect(explained(2915, [parcels(0.1, '13x641x1', 3)])).toEqual(
      expect.arrayContaining(['total actual weight: 0.662 lb', 'total volumetric weight: 10.976 lb']),
    )
  })
})

describe('shape and packaging', () => {
  const shaped = (shape?: string, count = 1) => ({ ...parcels(1, BOX, count), shape })

  test('a tube, a roll or an irregular parcel pays a surcharge, and the list states what an unknown shape pays', () => {
    const shapes = ['TUBE', 'ROLL', 'IRREGULAR', 'RECTANGULAR', undefined]
    expect(shapes.map((shape) => price(2908, shaped(shape)))).toEqual([
      ...['25.50', '25.50', '25.50', '10.00', '12.00'],
    ])
    expect(price(2908, shaped('TUBE', 2), shaped('RECTANGULAR'), shaped())).toBe('43.00')
    expect(explained(2908, [shaped('TUBE', 2), shaped()], 1)).toEqual([
      '2 parcels × 15.50 EUR',
      ...['trigger: always', 'condition: shape in (TUBE, ROLL, IRREGULAR)', 'row 1 shape: TUBE'],
      ...[
        'method: flat, for each parcel that triggers it',
        'row 1 units: 2',
        'units: 2',
        'amount: 15.50 EUR',
      ],
    ])
  })

  test('documents are in envelopes, and pallets on pallets if a request states nothing else', () => {
    expect(price(2908, { ...shaped('RECTANGULAR'), packaging: 'ENVELOPE' })).toBe('11.00')
    expect(price(2913, documents(1))).toBe('6.00')
    expect(price(2902, pallets(200, '120x80x10'))).toBe('204.00')
    expect(price(2902, { ...pallets(200, '120x80x10'), packaging: 'PALLET' })).toBe('204.00')
    expect(price(2902, { ...pallets(200, '120x80x10'), packaging: 'MESH_BOX', shape: 'ROLL' })).toBe('200.00')
  })
})

describe('inches and pounds', () => {
  test('sides are rounded half up, to the next inch, or not at all', () => {
    // 41 × 31 × 21 cm are 16.14 × 12.20 × 8.27 in. 16 × 12 × 8 / 139 = 11.05; 17 × 13 × 9 / 139 = 14.31;
    // exactly 1,628.79 in³ / 139 = 11.72 lb.
    const row = parcels(1, '41x31x21')
    expect([2909, 2910, 2911].map((productId) => billed(productId, row)[0])).toEqual([12, 15, 12])
    // 50 × 40 × 30 cm: 20 × 16 × 12 / 139 = 27.63, exactly 26.34 lb.
    const other = parcels(1, '50x40x30')
    expect([2909, 2910, 2911].map((productId) => billed(productId, other)[0])).toEqual([28, 28, 27])
    // 99 × 65 × 1 cm: 39 × 26 × 1 / 139 = 7.29, since no side is rounded to 0 in; exactly 2.83 lb.
    const flat = parcels(1, '99x65x1')
    expect([2909, 2910, 2911].map((productId) => billed(productId, flat)[0])).toEqual([8, 8, 3])
  })

  test('weights are converted exactly and rounded up to the pound', () => {
    const of = (weight: number) => billed(2909, parcels(weight, '10x10x10'))[0]
    expect([0.4, 0.5, 4.5, 4.6, 68].map(of)).toEqual([1, 2, 10, 11, 150]) // 0.88, 1.10, 9.92, 10.14, 149.91 lb
    const exact = (exactWeight: string) =>
      billed(2909, { type: 'NONDOC', count: 1, length: 10, width: 10, height: 10, exactWeight })[0]
    expect([exact('0.453'), exact('0.454')]).toEqual([1, 2]) // 1 lb is 453.59 g
  })

  test('a price is per pound, and explained in pounds and inches', () => {
    expect(price(2909, parcels(5, '50x40x30', 2), parcels(20, '10x10x10'))).toBe('101.00') // 2 × 28 + 45 lb
    expect(explained(2909, [parcels(5, '50x40x30', 2)])).toEqual([
      '2 × (100.00 EUR per 100 lb (up to 2000 lb in zone 0) × 28 lb)',
      ...['product: 2909 Inches half up', 'pricing basis: each unit by its chargeable weight'],
      ...['pricing day: 2026-09-01', 'from: NL', 'to: NL', 'lane: within one country (HOME>HOME)', 'zone: 0'],
      ...['weight rounded up to: 1 lb', 'sides rounded: half up to whole inches'],
      ...['volumetric divisor: 139 in³/lb', 'row 1 actual weight: 11.024 lb', 'row 1 size: 50 × 40 × 30 cm'],
      ...['row 1 size in inches: 20 × 16 × 12', 'row 1 volumetric weight: 27.626 lb', 'row 1 units: 2'],
      ...['row 1 chargeable weight: 28 lb', 'row 1 band: up to 2000 lb', 'row 1 rate per 100 lb: 100.00 EUR'],
    ])
  })

  test('deficit weight is in pounds', () => {
    // 460 lb × 0.4515 = 207.69; 500 lb × 0.40 = 200.00.
    expect(price(2911, parcels(52, '10x10x10', 4))).toBe('200.00') // 114.64 lb, 115 each
    expect(explained(2911, [parcels(52, '10x10x10', 4)])[0]).toBe(
      '40.00 EUR per 100 lb (over 500 lb up to 2000 lb in zone 0) × 500 lb: billed as 500 lb at the rate of the ' +
        'next band, which is cheaper than 460 lb at 45.15 EUR per 100 lb',
    )
  })

  test('surcharges per kilogram are per pound, formulas use billed_lb, and fuel per kilogram is', () => {
    // 15 lb: freight 15.00, 0.25 × 5 = 1.25, and 0.10 per lb. 15 lb are 6.8039 kg, and 6.804 × 0.20 = 1.3608.
    expect(bill(2910, inland(parcels(1, '41x31x21'))).lines).toEqual([
      ['Freight', '15.00'],
      ['Above 10 lb', '1.25'],
      ['Fuel', '1.36'],
      ['Energy', '1.50'],
    ])
    expect(explained(2910, [parcels(1, '41x31x21')], 2)).toEqual([
      '6.804 kg × 0.2 EUR, rounded half up to the cent',
      ...['trigger: always', 'method: fuel amount per kilogram'],
      ...['weight billed: 6.804 kg', 'fuel per kg: 0.2 EUR', 'rate since: 2026-01-01'],
    ])
    expect(explained(2910, [parcels(1, '41x31x21')], 3)).toEqual([
      '0.10 EUR × 15 lb',
      ...['trigger: always', 'method: per pound of the shipment', 'row 1 units: 1'],
      ...['row 1 chargeable weight: 15 lb', 'weight billed: 15 lb', 'rate per lb: 0.10 EUR'],
    ])
  })

  test('conditions use the rounded sides', () => {
    // 107 + 2 × (50 + 30) = 267 cm, 105.12 in. In whole inches 42 + 2 × (20 + 12) = 106 and 41 + 64 = 105.
    const handling = (productId: number, size: string) =>
      bill(productId, inland(parcels(1, size))).lines.length
    expect([handling(2909, '107x50x30'), handling(2909, '104x50x30')]).toEqual([2, 1])
    expect([handling(2911, '107x50x30'), handling(2911, '106x50x30')]).toEqual([2, 1])
    expect([handling(2911, '104x51x31'), handling(2909, '104x51x31')]).toEqual([2, 1]) // 268 cm, and 105 in
  })

  test('conditions of services use the rounded sides of each product', () => {
    const list = readPriceList('measure-sheet')
    const service: ServiceRow = {
      ...{ carrierCode: 'pond', service: 'SIGNATURE', name: 'Signature', method: 'flat', amount: 100 },
      ...{ minimumCents: 0, per: 'shipment', fuelable: false, requires: [], excludes: [] },
      condition: 'longest <= 40 in',
    }
    const book = bookOf({ ...list, content: { ...list.content, services: [service] } })
    const request = requestOf(inland(parcels(1, '102x20x20'))) // 40.16 in
    const { options } = quote(book, { ...request, services: ['SIGNATURE'] }, EARLY_DAY)
    // Half up, 40 in; up, 41 in; exactly, 40.16 in.
    expect(options.map(({ product }) => product.productId).filter((id) => id < 2912)).toEqual([2909])
  })

  test('limits are in pounds and in rounded inches', () => {
    expect(refusal(2909, inland(parcels(68.1, '10x10x10')))).toEqual({
      ...{ code: 'OVER_WEIGHT', limit: '68.038', actual: '68.1' }, // 150 lb
    })
    // 275 cm are 108.27 in, which is 108 half up and 109 rounded up.
    expect(bill(2909, inland(parcels(1, '275x10x10'))).kg).toEqual([13])
    expect(refusal(2910, inland(parcels(1, '275x10x10')))).toEqual({
      ...{ code: 'OVER_SIZE', limit: '274.32', actual: '276.86' },
    })
    expect(refusal(2911, inland(parcels(1, '275x10x10')))).toEqual({
      ...{ code: 'OVER_SIZE', limit: '274.32', actual: '275' },
    })
  })

  test('USPS: whole ounces up to a pound, then whole pounds; a balloon counts as 20 lb', () => {
    const letter = (exactWeight: string, size = '10x10x10') => {
      const [length, width, height] = size.split('x').map(Number)
      return { type: 'NONDOC', count: 1, length, width, height, exactWeight }
    }
    // 113.4 g are 4.0001 oz; 113.3 g 3.997 oz. 453 g are 15.98 oz, 454 g 16.01 oz, which are 2 lb.
    const weights = ['0.113', '0.114', '0.2', '0.453', '0.454', '0.908']
    expect(weights.map((kg) => billed(2912, letter(kg))[0])).toEqual([4, 5, 8, 16, 32, 48])
    expect(weights.map((kg) => price(2912, letter(kg)))).toEqual([
      ...['4.00', '4.50', '4.50', '6.00', '7.00', '8.00'],
    ])
    // 84 in are 213.36 cm. 33 + 2 × (12 + 13) = 83 in, and 35 + 2 × (12 + 13) = 85 in.
    expect(price(2912, letter('0.9', '84x31x33'))).toBe('7.00')
    expect(price(2912, letter('0.9', '89x31x33'))).toBe('15.00')
    expect(billed(2912, letter('0.9', '89x31x33'))).toEqual([320])
    expect(explained(2912, [letter('0.9', '89x31x33')])).toContain(
      'row 1 smallest weight by: Balloon: 20 lb if longest + girth > 84 in',
    )
  })
})

describe('weights to the gram', () => {
  const letter = (exactWeight: string) => ({
    ...{ type: 'NONDOC', count: 1, length: 20, width: 10, height: 1, exactWeight },
  })

  test('choose the price of a letter', () => {
    expect(['0.02', '0.021', '0.1', '0.101'].map((kg) => price(2914, letter(kg)))).toEqual([
      ...['1.25', '2.00', '2.00', '3.10'],
    ])
  })

  test('of documents are priced by the table of weights', () => {
    const of = (exactWeight?: string, count = 1) => price(2913, { type: 'DOC', count, exactWeight })
    // 1.00 is for the envelope of each document. Without a weight, a document counts as 0.5 kg.
    expect([of(), of('0.25'), of('0.501'), of('1.2')]).toEqual(['6.00', '6.00', '8.00', '10.00'])
    expect([of(undefined, 2), of('0.25', 2), of('0.21', 2)]).toEqual(['9.00', '9.00', '9.00'])
    expect(refusal(2913, inland({ type: 'DOC', count: 1, exactWeight: '5.001' }))).toEqual({
      ...{ code: 'OVER_WEIGHT', limit: '5', actual: '5.001' },
    })
    expect(explained(2913, [{ type: 'DOC', count: 1, exactWeight: '1.2' }])).toEqual(
      expect.arrayContaining(['weight of a document: 0.5 kg', 'row 1 actual weight: 1.2 kg']),
    )
  })

  test('weights and shapes of the REST contract are read as before', () => {
    const row = { type: 'DOC', count: 1, weight: 'heavy' }
    expect(price(2913, row)).toBe('6.00')
    expect(() => price(2914, parcels(0.25, BOX))).toThrow('at most 1 decimal')
  })
})
