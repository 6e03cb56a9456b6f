// Rules of published price lists that only expressions can state, one for each product. All amounts are those of the
// lists, taken as euro; prices are calculated by hand. The freight is 10.00, and 10.54 for product 2705.
import { describe, expect, test } from 'vitest'
import { explainLine } from '../../../../src/core/rating/explain/explain.ts'
import { openPriceList, parcels, route } from '../../../support/rates/price-list.ts'

const { bill, option, findings } = openPriceList('rule-sheet')
const BOX = '40x30x20' // 4.8 kg by volume
type Rows = Parameters<typeof route>[2]

/** The amounts of the surcharges, in euro. */
const charges = (productId: number, to: string, rows: Rows, day?: string) =>
  bill(productId, route('NL', to, rows), day)
    .lines.slice(1)
    .map(([, euro]) => euro)

test('the list has no findings', () => {
  expect(findings).toEqual({ faults: [], warnings: [] })
})

describe('UPS additional handling 2024: by zone, above 105 in of length and girth or 50 lb', () => {
  test.each([
    ['BE', '18.50'],
    ['FR', '20.50'],
    ['ES', '20.50'],
    ['PL', '23.50'],
  ])('to %s', (to, euro) => {
    // 105 in are 266.7 cm. 107 + 2 × (50 + 30) = 267; 106 + 160 = 266. 50 lb are 22.68 kg.
    expect(charges(2701, to, [parcels(10, '107x50x30')])).toEqual([euro])
    expect(charges(2701, to, [parcels(10, '106x50x30')])).toEqual([])
    expect(charges(2701, to, [parcels(22.7, BOX)])).toEqual([euro])
    expect(charges(2701, to, [parcels(22.6, BOX)])).toEqual([])
  })

  test('for each parcel', () => {
    const rows = [parcels(10, '107x50x30', 2), parcels(1, BOX), parcels(30, BOX)]
    expect(charges(2701, 'FR', rows)).toEqual(['61.50'])
  })
})

test('TNT RO: 2.25 per kg, at least 110 and at most 560', () => {
  const to = 'ES 07001'
  expect(charges(2702, to, [parcels(300, BOX)])).toEqual(['560.00']) // not 675.00
  expect(charges(2702, to, [parcels(100, BOX, 2)])).toEqual(['450.00'])
  expect(charges(2702, to, [parcels(10, BOX)])).toEqual(['110.00'])
  expect(charges(2702, to, [parcels(60.3, BOX)])).toEqual(['136.13']) // 60.5 × 2.25 = 136.125
  expect(charges(2702, 'ES 28001', [parcels(300, BOX)])).toEqual([])
})

test('120.00 for each started 100 cm above 200', () => {
  expect(charges(2703, 'BE', [parcels(10, '310x20x20')])).toEqual(['240.00'])
  expect(charges(2703, 'BE', [parcels(10, '300x20x20'), parcels(10, '301x20x20', 2)])).toEqual(['600.00'])
  expect(charges(2703, 'BE', [parcels(10, '200x20x20')])).toEqual([])
})

test('4.00 per kg above 50', () => {
  expect(charges(2704, 'BE', [parcels(58, BOX)])).toEqual(['32.00'])
  expect(charges(2704, 'BE', [parcels(50, BOX)])).toEqual([])
})

test('Correos: one exceeded limit 35%, two 70%', () => {
  const price = (size: string, kg: number) => bill(2705, route('NL', 'BE', [parcels(kg, size)])).price
  expect([price(BOX, 5), price(BOX, 21), price('130x20x20', 21)]).toEqual(['10.54', '14.23', '17.92'])
})

test('TNT AU: diagonal above 1,200 mm, length below 200 mm, or below 250 g', () => {
  expect(charges(2706, 'BE', [parcels(5, '118x20x10')])).toEqual(['15.50']) // 1,201.0 mm
  expect(charges(2706, 'BE', [parcels(5, '117x20x10')])).toEqual([]) // 1,191.2 mm
  expect(charges(2706, 'BE', [parcels(5, '19x10x10')])).toEqual(['15.50'])
  expect(charges(2706, 'BE', [parcels(0.2, '30x10x10')])).toEqual(['15.50'])
})

test('Toll: 826.20 on Good Friday and Christmas Day; InPost: 20.00 on Saturdays', () => {
  const on = (day: string) => charges(2707, 'BE', [parcels(1, BOX)], day)
  expect(on('2026-04-03')).toEqual(['826.20'])
  expect(on('2026-12-25')).toEqual(['826.20'])
  expect(on('2027-12-25')).toEqual(['826.20', '20.00']) // a Saturday
  expect(on('2027-03-26')).toEqual(['826.20'])
  expect(on('2027-04-03')).toEqual(['20.00']) // a Saturday, and Good Friday of the year before
  expect(on('2026-12-26')).toEqual(['20.00'])
  expect(on('2026-12-27')).toEqual([])
  // The day of the quote counts: Sunday 27 December, for a shipment of Saturday 2 January.
  const later = { shippingDate: '2027-01-02' }
  expect(bill(2707, route('NL', 'BE', [parcels(1, BOX)], later), '2026-12-27').lines).toHaveLength(1)
})

test('InPost pick-up: 4.30 for one, 2.20 each for two, 1.50 for three, 1.20 for four', () => {
  const of = (count: number) => charges(2708, 'BE', [parcels(1, BOX, count)])
  expect([1, 2, 3, 4, 10].map(of)).toEqual([['4.30'], ['4.40'], ['4.50'], ['4.80'], ['12.00']])
})

test('UPS: an average above 50 lb', () => {
  expect(charges(2709, 'BE', [parcels(30, BOX), parcels(15.4, BOX)])).toEqual(['9.00']) // 22.7 kg
  expect(charges(2709, 'BE', [parcels(30, BOX), parcels(15.3, BOX)])).toEqual([]) // 22.65 kg; 50 lb are 22.68 kg
})

test('UPS CN: 94 per piece, at most 274 per shipment', () => {
  const of = (count: number) => charges(2710, 'ES 07001', [parcels(1, BOX, count)])
  expect([1, 2, 3].map(of)).toEqual([['94.00'], ['188.00'], ['274.00']])
})

test('cover in steps: to 1,000 1.00; to 5,000 1.60; to 10,000 3.50; to 50,000 6.50', () => {
  const of = (totalValue: number) => {
    const request = { ...route('NL', 'BE', [parcels(1, BOX)]), insured: true, totalValue }
    return bill(2711, request).lines.find(([item]) => item === 'Cover')?.[1]
  }
  expect([1000, 1000.01, 5000, 10_000, 50_000].map(of)).toEqual(['1.00', '1.60', '1.60', '3.50', '6.50'])
  expect(charges(2711, 'BE', [parcels(1, BOX)])).toEqual([])
})

test('DHL CN: 155 from 24 to 68 kg, and not with oversize', () => {
  expect(charges(2712, 'BE', [parcels(24, BOX)])).toEqual(['155.00'])
  expect(charges(2712, 'BE', [parcels(68, BOX)])).toEqual(['155.00'])
  expect(charges(2712, 'BE', [parcels(68.1, BOX)])).toEqual(['800.00'])
  expect(charges(2712, 'BE', [parcels(23.9, BOX)])).toEqual([])
})

describe('the explanation', () => {
  const rule = (productId: number, to: string, rows: Rows) => {
    const { formula, inputs } = explainLine(option(productId, route('NL', to, rows)), 1)
    return { formula, inputs: inputs.map(({ name, value }) => `${name}: ${value}`) }
  }

  test('is the formula with its figures', () => {
    expect(rule(2702, 'ES 07001', [parcels(60.3, BOX)])).toEqual({
      formula: 'max(110, min(560, 2.25 * 60.5 kg)), rounded half up to the cent',
      inputs: [
        'trigger: always',
        'condition: to_area = REMOTE',
        'to_area: REMOTE',
        'method: formula, once for the shipment',
        'formula: max(110, min(560, 2.25 * billed_kg))',
        'billed_kg: 60.5 kg',
      ],
    })
  })

  test('has a term for each charged row', () => {
    expect(
      rule(2703, 'BE', [parcels(10, '300x20x20'), parcels(5, BOX), parcels(10, '301x20x20', 2)]),
    ).toEqual({
      formula: '(120 * ceil((300 cm - 200 cm) / 100 cm)) + 2 × (120 * ceil((301 cm - 200 cm) / 100 cm))',
      inputs: [
        'trigger: always',
        'condition: longest > 200 cm',
        'row 1 longest: 300 cm',
        'row 3 longest: 301 cm',
        'method: formula, for each parcel that triggers it',
        'formula: 120 * ceil((longest - 200 cm) / 100 cm)',
        'row 1 units: 1',
        'row 3 units: 2',
      ],
    })
  })

  test('names the zone of a case', () => {
    expect(rule(2701, 'PL', [parcels(30, BOX)]).formula).toBe('by zone 5 {2: 18.50, 3..4: 20.50, 5..: 23.50}')
  })
})
