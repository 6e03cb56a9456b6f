// Figures that are possible but probably mistyped: each is a warning, or a fault, with its row and field. The figure
// next to it that lists do have is none.
import { describe, expect, test } from 'vitest'
import { checkRateCard } from '../../../src/core/rate-card-review/check/card-check.ts'
import type { PriceRow, RateCardImport, SizeClassRow } from '../../../src/core/rating/rate-card.ts'
import { readDemoRateBook } from '../../../src/reference/rate-cards/rate-card-csv.ts'
import { readPriceList } from '../../support/rates/price-list.ts'
import { SMALL_CARD, withCopy, withoutRows, withRow, withTable } from '../../support/rates/small-card.ts'

/** "prices 3 priceCents 0.00 EUR" for each warning; the row counts from 0. */
function warned(card: RateCardImport): string[] {
  const { faults, warnings } = checkRateCard(card)
  expect(faults).toEqual([])
  return warnings.map(({ table, index, field, found }) => [table, index, field, found].join(' '))
}

const surcharge = (fields: Parameters<typeof withRow<'surcharges'>>[2]) => withRow('surcharges', 1, fields)
const price = (index: number, fields: Parameters<typeof withRow<'prices'>>[2]) =>
  withRow('prices', index, fields)
const product = (fields: Parameters<typeof withRow<'products'>>[2]) => withRow('products', 0, fields)

/** The first product with these bands in all zones. */
function banded(bounds: readonly number[], card = SMALL_CARD): RateCardImport {
  const rows = [0, 1, 2].flatMap((zone) =>
    bounds.map(
      (upToGrams, at): PriceRow => ({
        ...{ productId: 1, zone, unit: 'KG', overGrams: bounds[at - 1] ?? 0, upToGrams },
        priceCents: 500 + 10 * zone + at,
      }),
    ),
  )
  return withTable(
    'prices',
    (prices) => [...rows, ...prices.filter(({ productId }) => productId !== 1)],
    card,
  )
}

const dollars = withRow('priceTerms', 0, { currency: 'USD' })
const kilograms = (...bounds: number[]) => bounds.map((bound) => 1000 * bound)

describe('a warning names the row and the field of', () => {
  const cases: readonly (readonly [name: string, card: RateCardImport, ...warnings: string[]])[] = [
    [
      'a percentage written as a fraction',
      surcharge({ method: 'pct', amount: 8, per: 'shipment' }),
      'surcharges 1 amount 0.08%',
    ],
    [
      'a percentage without its point',
      surcharge({ method: 'pct', amount: 82_500, per: 'shipment' }),
      'surcharges 1 amount 825%',
    ],
    ['no percentage of 1', surcharge({ method: 'pct', amount: 100, per: 'shipment' })],
    ['no percentage of 100', surcharge({ method: 'pct', amount: 10_000, per: 'shipment' })],
    [
      'a percentage of a service',
      withRow('services', 0, { method: 'pct', amount: 50 }),
      'services 0 amount 0.5%',
    ],
    ['a surcharge of 0', surcharge({ amount: 0 }), 'surcharges 1 amount 0'],
    ['a fuel percentage of 102.5', withRow('fuel', 0, { rateBps: 10_250 }), 'fuel 0 rateBps 102.5%'],
    ['a fuel percentage of 0.1', withRow('fuel', 0, { rateBps: 10 }), 'fuel 0 rateBps 0.1%'],
    ['no fuel percentage of 0', withRow('fuel', 0, { rateBps: 0 })],
    ['no fuel amount per parcel', withRow('fuel', 0, { rateBps: 35, per: 'parcel' })],
    ['a VAT rate of 0.21', withRow('vatRates', 0, { rateBps: 21 }), 'vatRates 0 rateBps 0.21%'],
    ['a VAT rate of 210', withRow('vatRates', 0, { rateBps: 10_000 }), 'vatRates 0 rateBps 100%'],
    ['a premium of 55%', withRow('insurance', 0, { rateBps: 5_500 }), 'insurance 0 rateBps 55%'],
    [
      'a highest value below the free cover',
      withRow('insurance', 0, { maxValueCents: 1_300 }),
      'insurance 0 maxValueCents 13.00 EUR',
    ],
    ['a price of 0', price(0, { priceCents: 0 }), 'prices 0 priceCents 0.00 EUR'],
    [
      'a step wider than its band',
      price(2, { stepGrams: 10_000, stepCents: 50 }),
      'prices 2 stepGrams 10 kg',
    ],
    ['a step without a price', price(2, { stepGrams: 1000, stepCents: 0 }), 'prices 2 stepCents 0'],
    ['no step as wide as its band', price(2, { stepGrams: 5000, stepCents: 50 })],
    [
      'a rate per kilogram in a list per 100 kg',
      withTable('prices', (rows) =>
        rows.map((row) => (row.unit === 'PER100KG' ? { ...row, priceCents: row.priceCents / 100 } : row)),
      ),
      // The first one: less than the flat band before it.
      ...['prices 10 priceCents 0.25 EUR', 'prices 10 priceCents 0.50 EUR', 'prices 11 priceCents 0.40 EUR'],
    ],
    [
      'a volumetric divisor of inches in a list in kilograms',
      product({ volumetricDivisor: 139 }),
      'products 0 volumetricDivisor 139',
    ],
    [
      'a product with the name of another one',
      withRow('products', 2, { name: 'Pallet' }),
      'products 2 name Pallet',
    ],
    ['bands in pounds', banded(kilograms(1, 50, 150), dollars), 'products 0 units kilograms'],
    ['no bands of 150 kg in euro', banded(kilograms(1, 50, 150))],
    ['no bands of 70 kg in dollars', banded(kilograms(1, 50, 70), dollars)],
    ['bands in grams', banded(kilograms(20, 50, 100, 500, 2000)), 'products 0 pricingBasis 2000 kg'],
    ['no heavy parcels', banded(kilograms(20, 50, 100, 500))],
    ['transit in hours', withRow('transit', 0, { maxDays: 72 }), 'transit 0 maxDays 72'],
    [
      'a year with exchanged digits',
      surcharge({ validFrom: '2062-01-01' }),
      'surcharges 1 validFrom 2062-01-01',
    ],
    ['no year five years away', surcharge({ validFrom: '2031-01-01' })],
    [
      'areas without a surcharge or extra days',
      withTable('areaTransit', (rows) => rows.slice(0, 1)),
      ...['areas 1 areaClass OVERSEAS', 'areas 2 areaClass ISLAND'],
    ],
    [
      'no areas of a condition',
      withTable(
        'areaTransit',
        (rows) => rows.slice(0, 1),
        surcharge({ condition: 'to_area in (OVERSEAS, ISLAND)' }),
      ),
    ],
    [
      'a fuelable surcharge without fuel',
      withTable(
        'fuel',
        () => [],
        withoutRows('surcharges', ({ code }) => code === 'FUEL', surcharge({ fuelable: true })),
      ),
      'surcharges 0 fuelable yes',
    ],
  ]
  for (const [name, card, ...warnings] of cases)
    test(name, () => {
      expect(warned(card)).toEqual(warnings)
    })

  test('a sheet that was copied and not changed', () => {
    const copy = withTable('prices', (rows) => [
      ...rows,
      ...rows.filter(({ productId }) => productId === 1).map((row) => ({ ...row, productId: 4 })),
    ])
    const both = withCopy('products', 0, { productId: 4, name: 'Classic Plus' }, copy)
    const transit = (card: RateCardImport) =>
      withTable(
        'transit',
        (rows) => [
          ...rows,
          ...rows.filter(({ productId }) => productId === 1).map((row) => ({ ...row, productId: 4 })),
        ],
        card,
      )
    // Seven prices can be equal; with a longer list, they are probably a copy.
    expect(warned(transit(both))).toEqual([])
    const long = readPriceList('parcel-network')
    const { products, prices, transit: days } = long.content
    const { productId } = products[0]!
    const twin = <Row extends { readonly productId: number }>(rows: readonly Row[]) => [
      ...rows,
      ...rows.filter((row) => row.productId === productId).map((row) => ({ ...row, productId: 9999 })),
    ]
    const content = { ...long.content, products: twin(products), prices: twin(prices), transit: twin(days) }
    const found = warned({ ...long, content })
    expect(found).toEqual(
      expect.arrayContaining([expect.stringMatching(/^prices \d+ productId \d+ equal prices of 9999/)]),
    )
    expect(found).toEqual(expect.arrayContaining([expect.stringMatching(/^products \d+ name /)]))
  })
})

describe('a size class', () => {
  const classes = (...conditions: string[]): RateCardImport => {
    const rows = conditions.map((condition, at): SizeClassRow => {
      return { carrierCode: 'ring', sizeClass: `C${at}`, condition }
    })
    const prices = conditions.map((_, at): PriceRow => {
      return {
        productId: 1,
        zone: 0,
        unit: 'SIZE',
        palletClass: `C${at}`,
        ...{ overGrams: 0, upToGrams: 0 },
        priceCents: 500 + at,
      }
    })
    const sized = withTable('sizeClasses', () => rows, product({ pricingBasis: 'size-class' }))
    return withTable(
      'prices',
      (others) => [
        ...[0, 1, 2].flatMap((zone) => prices.map((row) => ({ ...row, zone }))),
        ...others.filter(({ productId }) => productId !== 1),
      ],
      sized,
    )
  }
  const covered = (...conditions: string[]) =>
    warned(classes(...conditions)).filter((text) => text.startsWith('sizeClasses'))

  test.each([
    [
      ['kg <= 30', 'longest <= 64 cm and kg <= 25'],
      ['sizeClasses 1 condition longest <= 64 cm and kg <= 25'],
    ],
    [['longest <= 2 ft', 'longest <= 60 cm'], ['sizeClasses 1 condition longest <= 60 cm']],
    [['kg <= 20', 'kg < 20'], ['sizeClasses 1 condition kg < 20']],
    [['sum <= 60 cm', 'sum = 50 cm and domestic'], ['sizeClasses 1 condition sum = 50 cm and domestic']],
    [['kg between 5 and 20', 'kg between 6 and 20'], ['sizeClasses 1 condition kg between 6 and 20']],
  ])('%j is covered by the one before', (conditions, warnings) => {
    expect(covered(...conditions)).toEqual(warnings)
  })

  test.each([
    [['longest <= 64 cm and kg <= 25', 'kg <= 30']],
    [['kg < 20', 'kg <= 20']],
    [['kg <= 20 and domestic', 'kg <= 10']],
    [['kg <= 20 or sum <= 60 cm', 'kg <= 10']],
    [['kg <= 20', 'longest <= 10 cm']],
    [['kg >= 5 and kg <= 20', 'kg <= 10']],
    [['not kg > 20', 'kg <= 10']],
  ])('%j is not', ([...conditions]) => {
    expect(covered(...conditions)).toEqual([])
  })
})

describe('a smallest weight above the last band', () => {
  const minimum = (fields: Parameters<typeof withRow<'minimumWeights'>>[2]) =>
    checkRateCard(withRow('minimumWeights', 0, fields))
  const found = { table: 'minimumWeights', index: 0, field: 'weight' }

  test('is a fault for all units, and a warning with a condition', () => {
    expect(minimum({ condition: undefined, weight: '501 kg' })).toMatchObject({
      faults: [found],
      warnings: [],
    })
    expect(minimum({ weight: '501 kg' })).toMatchObject({ faults: [], warnings: [found] })
    expect(minimum({ weight: '500 kg' })).toEqual({ faults: [], warnings: [] })
    expect(minimum({ weight: 'max(501 kg, kg)' })).toEqual({ faults: [], warnings: [] })
  })
})

describe('prices by freight class', () => {
  const list = readPriceList('freight-classes')
  const findings = (change: (rows: readonly PriceRow[]) => readonly PriceRow[]) => {
    const { faults, warnings } = checkRateCard({
      ...list,
      content: { ...list.content, prices: change(list.content.prices) },
    })
    const brief = ({ table, index, field, found }: (typeof faults)[number]) =>
      [table, index, field, found].join(' ')
    return {
      faults: faults.map(brief),
      warnings: warnings.map(brief).filter((text) => !/prices 5[46] /.test(text)),
    }
  }

  test('have known classes', () => {
    expect(findings((rows) => rows.map((row, at) => (at < 4 ? { ...row, palletClass: '75' } : row)))).toEqual(
      { faults: ['prices 0 palletClass 75'], warnings: [] },
    )
  })

  test('have the same bands in a zone', () => {
    expect(findings((rows) => rows.toSpliced(7, 1)).faults).toEqual(['prices 4 upToGrams 3 bands'])
    expect(
      findings((rows) => rows.map((row, at) => (at === 7 ? { ...row, upToGrams: 6_000_000 } : row))).faults,
    ).toEqual(['prices 7 upToGrams up to 6000 lb'])
  })

  test('rise with the class', () => {
    expect(
      findings((rows) => rows.map((row, at) => (at === 4 ? { ...row, priceCents: 4900 } : row))),
    ).toEqual({ faults: [], warnings: ['prices 4 priceCents 49.00 EUR'] })
  })

  test('fall with the weight', () => {
    expect(
      findings((rows) => rows.map((row, at) => (at === 9 ? { ...row, priceCents: 56_000 } : row))).warnings,
    ).toEqual(['prices 9 priceCents 560.00 EUR'])
    expect(
      findings((rows) => rows.map((row, at) => (at === 9 ? { ...row, priceCents: 7_000 } : row))).warnings,
    ).toEqual([])
  })

  test.each([
    ['freight_class between 50 and 80', ['sizeClasses 0 condition none for 85']],
    ['freight_class between 50 and 70', ['sizeClasses 0 condition none for 77.5, 85']],
    // The first class and the last one are those of the list.
    ['freight_class between 60 and 85', []],
    // Goods of other classes can fit by density.
    ['freight_class between 50 and 80 or density > 300 kg_per_m3', []],
  ])('have rows for all classes: %s', (condition, expected) => {
    const sizeClasses = list.content.sizeClasses.map((row, at) => (at === 0 ? { ...row, condition } : row))
    const { warnings } = checkRateCard({ ...list, content: { ...list.content, sizeClasses } })
    const brief = warnings.map(({ table, index, field, found }) => [table, index, field, found].join(' '))
    expect(brief.filter((text) => text.startsWith('sizeClasses'))).toEqual(expected)
  })

  test('are not weight bands, and not those of other products', () => {
    expect(
      findings((rows) =>
        rows.map((row, at) => {
          const { palletClass: _, ...band } = row
          return at < 4 ? { ...band, unit: 'PER100KG' } : row
        }),
      ).faults,
    ).toContain('prices 0 unit PER100KG, in 1 zone')
    const classed = withRow('prices', 0, { unit: 'CLASS', palletClass: '70' })
    expect(checkRateCard(classed).faults).toMatchObject([{ table: 'prices', index: 0, field: 'unit' }])
  })

  test('are for parcels and pallets, and need the deficit weight only in their own lists', () => {
    expect(checkRateCard(product({ deficitWeight: 'no' })).faults).toMatchObject([
      { table: 'products', index: 0, field: 'deficitWeight', found: 'no' },
    ])
  })
})

describe('a figure of an input of a service', () => {
  const demo = readDemoRateBook()
  const found = (from: string, to: string): string[] => {
    const changed = (text: string) => text.replace(from, to)
    const services = demo.content.services.map(({ formula, ...row }) => ({
      ...row,
      ...(formula !== undefined && { formula: changed(formula) }),
    }))
    expect(services).not.toEqual(demo.content.services)
    return warned({ ...demo, content: { ...demo.content, services } })
  }

  test.each([
    ['1.5% *', '15% *', ['services 12 formula 15%']],
    ['1.5% *', '0.015% *', ['services 12 formula 0.015%']],
    ['1.5% *', '0.1% *', []],
    ['1.5% *', '10% *', []],
    ['1.5% * cod_amount', '15% * freight', []],
    ['UN3090', 'UN3098', ['services 6 formula UN3098']],
  ])('is probably mistyped: %s to %s', (from, to, warnings) => {
    expect(found(from, to)).toEqual(warnings)
  })
})
