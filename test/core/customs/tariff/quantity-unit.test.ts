import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalUnit, readQuantityUnit } from '../../../../src/core/customs/tariff/quantity-unit.ts'

describe('a unit of quantity', () => {
  test.each([
    ['item', 'items', 1, 1],
    ['items', 'items', 1, 1],
    ['each', 'items', 1, 1],
    ['head', 'items', 1, 1],
    ['100 items', 'items', 1, 100],
    ['1,000 items', 'items', 1, 1000],
    ['dozen', 'items', 1, 12],
    ['doz.', 'items', 1, 12],
    ['gross', 'items', 1, 144],
    ['kg', 'kg', 1, 1],
    ['g', 'kg', 1000, 1],
    ['100 g', 'kg', 10, 1],
    ['100 kg', 'kg', 1, 100],
    ['tonne', 'kg', 1, 1000],
    ['l', 'l', 1, 1],
    ['hl', 'l', 1, 100],
    ['1000 l', 'l', 1, 1000],
    ['m', 'm', 1, 1],
    ['100 m', 'm', 1, 100],
    ['m2', 'm2', 1, 1],
    ['m²', 'm2', 1, 1],
    ['m3', 'm3', 1, 1],
    ['1000 m3', 'm3', 1, 1000],
  ])('%s measures %s: %i/%i units are one of it', (unit, quantity, numerator, denominator) => {
    expect(readQuantityUnit(unit)).toEqual({ quantity, per: { numerator, denominator } })
  })

  // An item of shoes is a pair, so an amount per pair is an amount per item.
  test.each([
    ['pair', 1],
    ['NPR', 1],
    ['pr.', 1],
    ['1000 pairs', 1000],
    ['doz. pr.', 12],
  ])('%s counts items, and a pair is one item', (unit, denominator) => {
    expect(readQuantityUnit(unit)).toEqual({ quantity: 'items', per: { numerator: 1, denominator } })
  })

  test.each([
    ['100 kg net drained wt', 'kg net drained wt', 100],
    ['tonne net drained wt', 'kg net drained wt', 1000],
    ['100 kg/% sacchar', 'kg/% sacchar', 100],
    ['100 kg gross', 'kg gross', 100],
    ['kg on lead content', 'kg on lead content', 1],
    ['1000 pins', 'pin', 1000],
  ])('%s is not measured by the net weight or the number of items', (unit, quantity, denominator) => {
    expect(readQuantityUnit(unit)).toEqual({ quantity, per: { numerator: 1, denominator } })
  })

  test.each([
    '% vol/hl',
    'l pure alcohol',
    'proof l',
    'barrel',
    'carat',
    'MWh',
    'TJ',
    'jewel over 7',
    'kg 90% dry substance',
    'tonne CO2 equivalent',
    '10 tonnes polarisation',
  ])('%s is a quantity of its own', (unit) => {
    expect(readQuantityUnit(unit)).toEqual({ quantity: unit, per: { numerator: 1, denominator: 1 } })
    expect(canonicalUnit(unit)).toBe(unit)
  })

  test.each([
    'Widget  Box',
    'M',
    '',
    '0 kg',
    '100/kg',
    '100 kg of joy',
    'DTN Q',
    'x'.repeat(200),
  ])('that is not known is a quantity of its own: %s', (unit) => {
    const expected = { quantity: unit.replace(/ +/g, ' '), per: { numerator: 1, denominator: 1 } }
    expect(readQuantityUnit(unit)).toEqual(expected)
    expect(canonicalUnit(unit)).toBeUndefined()
  })
})

describe('the canonical spelling of a unit', () => {
  test.each([
    ['NAR', 'item'],
    ['p/st', 'item'],
    ['CEN', '100 items'],
    ['MIL', '1000 items'],
    ['NPR', 'pair'],
    ['MPR', '1000 pairs'],
    ['GRM', 'g'],
    ['KGM', 'kg'],
    ['KGM A', 'kg total alcohol'],
    ['KGM P', 'kg lactic matter'],
    ['KGM T', 'kg dry lactic matter'],
    ['GKG', 'kg gross'],
    ['DTN', '100 kg'],
    ['DTNE', '100 kg net drained wt'],
    ['DTN F', '100 kg common wheat'],
    ['DTN G', '100 kg gross'],
    ['DTN L', '100 kg live weight'],
    ['DTN M', '100 kg net dry'],
    ['DTN R', '100 kg std qual'],
    ['DTN S', '100 kg raw sugar'],
    ['DTN Z', '100 kg/% sacchar'],
    ['TNE', 'tonne'],
    ['1,000 kg', 'tonne'],
    ['TNE I', 'tonne biodiesel'],
    ['LTR', 'l'],
    ['LPA', 'l pure alcohol'],
    ['l alc. 100%', 'l pure alcohol'],
    ['HLT', 'hl'],
    ['KLT', '1000 l'],
    ['ASV X', '% vol/hl'],
    ['MTR', 'm'],
    ['HMT', '100 m'],
    ['MTK', 'm2'],
    ['MTQ', 'm3'],
    ['MTQ C', '1000 m3'],
    ['TJO', 'TJ'],
    ['MWH', 'MWh'],
    ['1000 kWh', 'MWh'],
    ['CTM', 'carat'],
    ['c/k', 'carat'],
    ['NCL', 'cell'],
    ['CCT', 'tonne carrying capacity'],
    ['KAC', 'kg acesulfame potassium'],
    ['KCC', 'kg choline chloride'],
    ['kg C₅H₁₄ClNO', 'kg choline chloride'],
    ['KMA', 'kg methylamines'],
    ['KNI', 'kg nitrogen'],
    ['kg H₂O₂', 'kg hydrogen peroxide'],
    ['KSD', 'kg 90% dry substance'],
    ['100 kg/net eda', '100 kg net drained wt'],
    ['100kg mas', '100 kg net dry'],
    ['100 kg/br', '100 kg gross'],
    ['100 kg / net', '100 kg'],
    ['pf.liter', 'proof l'],
  ])('%s is %s', (text, unit) => {
    expect(canonicalUnit(text)).toBe(unit)
  })

  test('measures the same as the unit, and names the quantity by one of its units', () => {
    const words =
      'DTN,TNE,KGM, ,E,G,Z,100,1000,12,kg,items,pr.,doz.,gross,net,hl,/,m2,m3,% vol,each,jewel'.split(',')
    const texts = fc.oneof(
      fc.string(),
      fc.array(fc.constantFrom(...words), { maxLength: 5 }).map((found) => found.join(' ')),
      fc.array(fc.constantFrom(...words), { maxLength: 4 }).map((found) => found.join('')),
    )
    fc.assert(
      fc.property(texts, (text) => {
        const read = readQuantityUnit(text)
        const unit = canonicalUnit(text)
        if (unit === undefined) return
        expect(canonicalUnit(unit)).toBe(unit)
        expect(readQuantityUnit(unit)).toEqual(read)
        const one = { quantity: read.quantity, per: { numerator: 1, denominator: 1 } }
        expect(readQuantityUnit(read.quantity)).toEqual(one)
      }),
      { numRuns: 5_000 },
    )
  })
})
