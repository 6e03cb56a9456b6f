import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatCents } from '../../../src/core/money.ts'
import { describeDecline } from '../../../src/core/rating/book/limits.ts'
import type { RatesInput } from '../../../src/core/rating/request.ts'
import { optionOf, pallet, parcelInput, quoteInput } from '../../support/rates/demo-rate-book.ts'

const prices = (input: RatesInput, day?: string): [number, string][] =>
  quoteInput(input, day).options.map(({ product, priceCents }) => [
    product.productId,
    formatCents(priceCents),
  ])
const linesOf = (input: RatesInput, productId: number, day?: string): [string, string][] =>
  (optionOf(quoteInput(input, day), productId)?.lines ?? []).map(({ item, amountCents }) => [
    item,
    formatCents(amountCents),
  ])
const parcel = (overrides: object = {}) => ({
  type: 'NONDOC',
  weight: 5,
  length: 40,
  width: 30,
  height: 20,
  count: 1,
  ...overrides,
})
const domestic = (parcels: unknown, overrides: Partial<RatesInput> = {}): RatesInput =>
  parcelInput({ to: { country: 'NL' }, parcels, ...overrides })

describe('the engine reproduces the hand-calculated examples of the demo book:', () => {
  test('one parcel of 5 kg from the Netherlands to Spain for a business', () => {
    expect(prices(parcelInput())).toEqual([
      [1201, '15.81'],
      [1301, '19.50'],
      [1202, '21.29'],
      [1103, '34.11'],
      [1101, '64.12'],
    ])
    expect(linesOf(parcelInput(), 1201)).toEqual([
      ['Freight', '14.25'],
      ['Fuel surcharge', '1.35'],
      ['Toll', '0.21'],
    ])
  })

  test('two insured parcels from Germany to Corsica for an individual', () => {
    const input: RatesInput = {
      from: { country: 'DE' },
      to: { country: 'FR', zipcode: '20000' },
      parcels: [parcel({ weight: 12.4, length: 60, width: 40, height: 40, count: 2 })],
      recipientType: 'individual',
      insured: true,
      totalValue: 900,
    }
    expect(formatCents(optionOf(quoteInput(input), 1201)?.priceCents ?? 0)).toBe('96.77')
    expect(linesOf(input, 1201)).toEqual([
      ['Freight', '31.90'],
      ['Island surcharge', '60.00'],
      ['Residential surcharge', '1.30'],
      ['Fuel surcharge', '3.15'],
      ['Toll', '0.42'],
      ['Insurance', '0.00'],
    ])
  })

  test('one pallet within the Netherlands', () => {
    const quote = quoteInput(domestic([pallet()]))
    expect(quote.options.map(({ product, priceCents }) => [product.productId, priceCents])).toEqual([
      [1501, 7107],
      [1502, 9238],
      [1601, 11_352],
    ])
    expect(optionOf(quote, 1601)?.chargeable).toEqual([
      { parcelIndex: 0, count: 1, actualGrams: 240_000, volumetricGrams: 370_000, chargeableGrams: 370_000 },
    ])
  })
})

describe('freight', () => {
  test('includes the upper bound of a band', () => {
    expect(linesOf(domestic([parcel({ weight: 2 })]), 1201)[0]).toEqual(['Freight', '5.95'])
    expect(linesOf(domestic([parcel({ weight: 2.1 })]), 1201)[0]).toEqual(['Freight', '6.45'])
  })

  test('adds a price for each started step', () => {
    const heavy = (weight: number) => linesOf(domestic([parcel({ weight })]), 1101)[0]
    expect(heavy(30)).toEqual(['Freight', '38.05'])
    expect(heavy(30.5)).toEqual(['Freight', '39.00'])
    expect(heavy(31)).toEqual(['Freight', '39.00'])
    expect(heavy(31.5)).toEqual(['Freight', '39.95'])
  })

  test('is priced per shipment or per parcel, depending on the product', () => {
    const two = domestic([parcel({ count: 2 })])
    expect(linesOf(two, 1101)[0]).toEqual(['Freight', '25.05']) // 10 kg
    expect(linesOf(two, 1201)[0]).toEqual(['Freight', '12.90']) // 2 × 5 kg
  })

  test('uses the volumetric weight if it exceeds the actual weight', () => {
    const bulky = domestic([parcel({ weight: 1, length: 50, width: 40, height: 30 })])
    expect(optionOf(quoteInput(bulky), 1101)?.chargeable[0]).toMatchObject({
      volumetricGrams: 12_000,
      chargeableGrams: 12_000,
      divisor: 5000,
    })
    expect(optionOf(quoteInput(bulky), 1201)?.chargeable[0]).toMatchObject({ chargeableGrams: 1000 })
  })

  test('counts half a kilogram for each document', () => {
    const documents = (count: number) => domestic([{ type: 'DOC', count }])
    expect(prices(documents(1))).toEqual([
      [1302, '3.95'],
      [1102, '16.06'], // 12.90 + 24.5% fuel
    ])
    expect(linesOf(documents(3), 1102)[0]).toEqual(['Freight', '13.70'])
    expect(linesOf(documents(3), 1302)[0]).toEqual(['Freight', '11.85'])
    expect(optionOf(quoteInput(documents(6)), 1102)).toBeUndefined() // 3.0 kg, the list ends at 2.5
  })

  test('uses the smallest class that a pallet fits, in either orientation', () => {
    const freight = (overrides: object) => linesOf(domestic([pallet(overrides)]), 1501)[0]?.[1]
    expect(freight({ length: 80, width: 60, height: 80, weight: 150 })).toBe('42.00')
    expect(freight({ length: 80, width: 120, height: 80, weight: 151 })).toBe('49.00')
    expect(freight({ height: 121 })).toBe('79.00')
    expect(freight({ length: 240, width: 120 })).toBe('158.00') // two spaces
  })

  test('is capped by the next lower rate per 100 kg (deficit weight)', () => {
    const groupage = (weight: number) => linesOf(domestic([pallet({ weight, height: 10 })]), 1601)[0]?.[1]
    expect(groupage(460)).toBe('97.50') // 4.6 × 26.00 = 119.60, but 500 kg × 19.50 is less
    expect(groupage(510)).toBe('99.45')
  })
})

describe('surcharges', () => {
  test('include fuel on a fuelable percentage of the freight', () => {
    expect(linesOf(domestic([pallet({ stackable: false })]), 1501)).toEqual([
      ['Freight', '61.00'],
      ['Not stackable surcharge', '15.25'],
      ['Fuel surcharge', '10.68'], // 14% of 76.25 = 10.675
      ['Toll', '1.91'], // 2.5% of 76.25 = 1.90625
    ])
  })

  test('per kilogram have a minimum', () => {
    const remote = (weight: number) =>
      linesOf(
        parcelInput({ to: { country: 'SE', zipcode: '98010' }, parcels: [parcel({ weight })] }),
        1101,
      )[1]
    expect(remote(5)).toEqual(['Remote area surcharge', '22.00'])
    expect(remote(60)).toEqual(['Remote area surcharge', '36.00'])
  })

  test('per parcel apply only to the parcels that trigger them', () => {
    const rows = [parcel({ length: 130, count: 2 }), parcel()]
    expect(linesOf(domestic(rows), 1201)[1]).toEqual(['Not conveyable surcharge', '5.00'])
    expect(linesOf(domestic([parcel({ height: 2 })]), 1201)[1]).toEqual(['Not conveyable surcharge', '2.50'])
  })

  test('have a reason; freight and insurance do not', () => {
    const option = optionOf(quoteInput(parcelInput({ insured: true, totalValue: 2000 })), 1201)
    expect(option?.lines.map(({ kind, reason }) => [kind, reason])).toEqual([
      ['BASE', undefined],
      ['FUEL', 'Road fuel surcharge'],
      ['OTHER', 'Road toll'],
      ['INSURANCE', undefined],
    ])
  })

  test.each([
    ['2026-11-14', 0],
    ['2026-11-15', 1],
    ['2027-01-05', 1],
    ['2027-01-06', 0],
  ])('of a season: on %s they apply %i times', (day, times) => {
    const items = linesOf(domestic([parcel()], { recipientType: 'individual' }), 1201, day)
    expect(items.filter(([item]) => item === 'Peak season surcharge')).toHaveLength(times)
  })

  test.each([
    ['2026-09-30', 0],
    ['2026-10-01', 1],
  ])('apply from their first day: on %s %i times', (day, times) => {
    const items = linesOf(parcelInput({ to: { country: 'US' } }), 1101, day)
    expect(items.filter(([item]) => item === 'Demand surcharge')).toHaveLength(times)
  })

  test('for an island at either end are charged once', () => {
    const texel = { country: 'NL', zipcode: '1791' }
    const both = domestic([parcel()], { from: texel, to: { country: 'NL', zipcode: '8881' } })
    expect(linesOf(both, 1201).filter(([item]) => item === 'Island surcharge')).toEqual([
      ['Island surcharge', '15.00'],
    ])
  })
})

describe('insurance', () => {
  const premium = (totalValue: number, productId: number, count = 1) =>
    linesOf(domestic([parcel({ count })], { insured: true, totalValue }), productId).at(-1)?.[1]

  test('is free up to the free cover, which counts per parcel for products that price parcels', () => {
    expect(premium(520, 1201)).toBe('0.00')
    expect(premium(520.01, 1201)).toBe('2.86') // 0.55% of the whole value
    expect(premium(1040, 1201, 2)).toBe('0.00')
    expect(premium(100, 1101)).toBe('12.50') // minimum
    expect(premium(200.01, 1301, 2)).toBe('1.95') // the minimum, once
  })

  test('has a maximum value, above which the product is declined', () => {
    const quote = quoteInput(domestic([parcel()], { insured: true, totalValue: 13_000.01 }))
    expect(quote.declined.find(({ product }) => product.productId === 1201)?.decline).toMatchObject({
      code: 'VALUE_NOT_INSURABLE',
      limit: 1_300_000,
      actual: 1_300_001,
    })
  })
})

describe('places', () => {
  test('use the capital for an end without postal code and city', () => {
    const capital = prices(parcelInput({ to: { country: 'ES', zipcode: '28013' } }))
    expect(prices(parcelInput())).toEqual(capital)
    expect(prices(parcelInput({ to: { country: 'ES', city: 'Somewhere' } }))).toEqual(capital)
  })

  test('prefer the postal code to the city', () => {
    const palma = parcelInput({ to: { country: 'ES', zipcode: '07001', city: 'Madrid' } })
    expect(linesOf(palma, 1301)).toContainEqual(['Island surcharge', '4.50'])
  })

  test('add extra days for areas', () => {
    const days = (zipcode: string) =>
      optionOf(quoteInput(parcelInput({ to: { country: 'ES', zipcode } })), 1201)?.transit
    expect(days('28013')).toEqual({ minDays: 3, maxDays: 5 })
    expect(days('07001')).toEqual({ minDays: 4, maxDays: 7 })
    expect(days('35001')).toEqual({ minDays: 5, maxDays: 10 })
  })
})

describe('products that are not offered', () => {
  const declineOf = (input: RatesInput, productId: number) =>
    quoteInput(input).declined.find(({ product }) => product.productId === productId)?.decline

  test.each([
    [parcelInput(), 1401, 'ROUTE_NOT_SERVED'],
    [parcelInput({ from: { country: 'FR' }, to: { country: 'FR' } }), 1401, 'ROUTE_NOT_SERVED'],
    [parcelInput({ to: { country: 'US' } }), 1201, 'ROUTE_NOT_SERVED'],
    [domestic([pallet()]), 1503, 'ROUTE_NOT_SERVED'],
    [parcelInput({ parcels: [pallet()] }), 1501, 'ROUTE_NOT_SERVED'],
    [parcelInput(), 1501, 'TYPE_NOT_CARRIED'],
    [domestic([parcel()], { recipientType: 'individual' }), 1402, 'RECIPIENT_NOT_SERVED'],
    [domestic([parcel({ weight: 31.6 })]), 1201, 'OVER_WEIGHT'],
    [domestic([parcel({ length: 20, width: 121 })]), 1101, 'OVER_SIZE'],
    [domestic([parcel({ length: 170, width: 50, height: 50 })]), 1201, 'OVER_SIZE'],
    [domestic([pallet({ height: 221 })]), 1501, 'OVER_SIZE'],
    [domestic([pallet({ length: 240, width: 100, weight: 1201 })]), 1501, 'OVER_WEIGHT'],
    [domestic([parcel({ weight: 25, count: 5 })]), 1103, 'OVER_WEIGHT'],
  ])('%#: %o, product %i: %s', (input, productId, code) => {
    const declined = declineOf(input, productId)
    expect(declined?.code).toBe(code)
    expect(describeDecline(declined!).message).toMatch(/./)
    expect(optionOf(quoteInput(input), productId)).toBeUndefined()
  })

  test('have the limit and the actual figure', () => {
    const tooHeavy = declineOf(domestic([parcel({ weight: 31.6 })]), 1201)
    expect(describeDecline(tooHeavy!)).toEqual({
      message: 'The unit weight is 31.6 kg; the limit is 31.5 kg',
      limit: '31.5',
      actual: '31.6',
      unit: 'KILOGRAM',
    })
    const tooLong = declineOf(domestic([parcel({ length: 20, width: 121 })]), 1101)
    expect(describeDecline(tooLong!).message).toBe('The longest side is 121 cm; the limit is 120 cm')
  })

  test('are declined for the whole request if one parcel exceeds a limit', () => {
    expect(optionOf(quoteInput(domestic([parcel(), parcel({ weight: 40 })])), 1201)).toBeUndefined()
  })

  test('and offered products together are all products', () => {
    const quote = quoteInput(parcelInput())
    expect(quote.options.length + quote.declined.length).toBe(14)
  })
})

describe('any quote', () => {
  const countries = fc.constantFrom('NL', 'DE', 'FR', 'ES', 'GB', 'SE', 'NO', 'US', 'JP', 'BR')
  const zipcodes = fc.constantFrom(undefined, '1000', '20000', '07001', '98010', 'BT1 1AA', '35001')
  const place = fc.record({ country: countries, zipcode: zipcodes })
  const side = fc.integer({ min: 1, max: 180 })
  const parcels = fc.array(
    fc.record({
      type: fc.constant('NONDOC'),
      weight: fc.integer({ min: 1, max: 400 }).map((tenths) => tenths / 10),
      length: side,
      width: side,
      height: side,
      count: fc.integer({ min: 1, max: 4 }),
    }),
    { minLength: 1, maxLength: 3 },
  )
  const inputs = fc.record({
    from: place,
    to: place,
    parcels,
    recipientType: fc.constantFrom('individual', 'business'),
    insured: fc.boolean(),
    totalValue: fc.integer({ min: 0, max: 2_000_000 }).map((cents) => cents / 100),
  })

  test('has prices that are the sums of their lines, cheapest first', () => {
    fc.assert(
      fc.property(inputs, (input) => {
        const { options } = quoteInput(input)
        for (const { priceCents, lines } of options)
          expect(lines.reduce((sum, { amountCents }) => sum + amountCents, 0)).toBe(priceCents)
        const sorted = [...options].sort(
          (a, b) => a.priceCents - b.priceCents || a.product.productId - b.product.productId,
        )
        expect(options).toEqual(sorted)
      }),
    )
  })

  test('is never cheaper for a heavier shipment', () => {
    fc.assert(
      fc.property(inputs, fc.integer({ min: 1, max: 50 }), (input, tenths) => {
        const heavier = {
          ...input,
          parcels: input.parcels.map((row) => ({ ...row, weight: (row.weight * 10 + tenths) / 10 })),
        }
        const before = quoteInput(input)
        for (const { product, priceCents } of quoteInput(heavier).options)
          expect(priceCents).toBeGreaterThanOrEqual(optionOf(before, product.productId)?.priceCents ?? 0)
      }),
    )
  })

  test('is the same for numbers and quoted numbers', () => {
    fc.assert(
      fc.property(inputs, (input) => {
        const quoted = input.parcels.map(({ type, weight, length, width, height, count }) => ({
          type,
          weight: String(weight),
          length: String(length),
          width: String(width),
          height: String(height),
          count: String(count),
        }))
        expect(quoteInput({ ...input, parcels: quoted })).toEqual(quoteInput(input))
      }),
    )
  })
})
