import { describe, expect, test } from 'vitest'
import { checkRateCard } from '../../../src/core/rate-card-review/check/card-check.ts'
import type { CardFinding } from '../../../src/core/rate-card-review/check/findings.ts'
import type { RateCardContent, RateCardImport, SurchargeRow } from '../../../src/core/rating/rate-card.ts'
import type { Service } from '../../../src/core/rating/sender-service.ts'
import { readDemoRateBook } from '../../../src/reference/rate-cards/rate-card-csv.ts'
import { readPriceList } from '../../support/rates/price-list.ts'
import { SMALL_CARD, withCopy, withoutRows, withRow, withTable } from '../../support/rates/small-card.ts'

/** `expected` may be a matcher of vitest. */
type Expected = Partial<Omit<CardFinding, 'expected'>> & { readonly expected?: unknown }

type Case = readonly [name: string, card: RateCardImport, ...findings: Expected[]]

/** One test for each case. The findings must be exactly these; only the given fields are compared. */
function testEach(
  cases: readonly Case[],
  findingsOf: (card: RateCardImport) => readonly CardFinding[],
): void {
  for (const [name, card, ...findings] of cases)
    test(name, () => {
      expect(findingsOf(card)).toEqual(findings.map((finding) => expect.objectContaining(finding)))
    })
}

const faultsOf = (card: RateCardImport) => checkRateCard(card).faults
const warningsOf = (card: RateCardImport) => checkRateCard(card).warnings

test('a valid card has no findings', () => {
  expect(checkRateCard(SMALL_CARD)).toEqual({ faults: [], warnings: [] })
})

test('the demo rate book has no findings', () => {
  expect(checkRateCard(readDemoRateBook())).toEqual({ faults: [], warnings: [] })
})

const price = (index: number, field: string, expected: string, found?: string): CardFinding => ({
  ...{ table: 'prices', index, field, expected },
  ...(found !== undefined && { found }),
})

describe('checking currency and VAT finds', () => {
  const VAT = { zoneChart: 'VAT' }
  const withVat = withRow('priceTerms', 0, { vatIncluded: true })
  testEach(
    [
      [
        'zones with prices that include VAT, but without a rate',
        withVat,
        {
          table: 'vatRates',
          expected:
            'a rate for zone 1 of the common zone chart, because prices include VAT and 1 Classic has prices there',
        },
        { table: 'vatRates', expected: expect.stringContaining('zone 2 of the common zone chart') },
      ],
      [
        'a second row of terms',
        withCopy('priceTerms', 0, { currency: 'GBP' }),
        { table: 'priceTerms', index: 1, expected: 'one row' },
      ],
      [
        'a zone twice',
        withCopy('vatRates', 0, { rateBps: 0 }),
        { table: 'vatRates', index: 1, expected: 'one row for each zone' },
      ],
      [
        'a zone that no lane leads to',
        withRow('vatRates', 0, { zone: 9 }),
        { table: 'vatRates', index: 0, field: 'zone', found: '9' },
      ],
      [
        'a zone of the VAT chart without a rate',
        withCopy(
          'lanes',
          1,
          { zoneChart: 'VAT', zone: 5 },
          withCopy('countryGroups', 0, VAT, withCopy('countryGroups', 1, VAT)),
        ),
        { table: 'vatRates', expected: 'a rate for zone 5 of the zone chart "VAT", which a lane leads to' },
      ],
      [
        'figures that are too large',
        withRow(
          'vatRates',
          0,
          { rateBps: 10_001 },
          withRow('priceTerms', 0, { roundToCents: 10_001, rateDays: 401 }),
        ),
        { table: 'priceTerms', field: 'roundToCents', expected: 'at most 100' },
        { table: 'priceTerms', field: 'rateDays', expected: 'at most 400' },
        { table: 'vatRates', field: 'rateBps', expected: 'at most 100' },
      ],
    ],
    faultsOf,
  )

  test('amounts in the currency of the card', () => {
    const inPounds = withRow('prices', 1, { priceCents: 400 }, withRow('priceTerms', 0, { currency: 'GBP' }))
    expect(warningsOf(inPounds)).toEqual([
      expect.objectContaining({ expected: 'at least 5.00 GBP, the price of 5 kg', found: '4.00 GBP' }),
    ])
  })
})

describe('checking prices finds', () => {
  const band = withRow('prices', 1, { overGrams: 5000, upToGrams: 10_000 })
  const cases: Case[] = [
    [
      'a gap between bands',
      withRow('prices', 1, { overGrams: 6000 }),
      price(1, 'overGrams', 'over 5 kg, where the band before it ends', '6 kg'),
    ],
    [
      'an overlap of bands',
      withRow('prices', 1, { overGrams: 4500 }),
      price(1, 'overGrams', 'over 5 kg, where the band before it ends', '4.5 kg'),
    ],
    [
      'a first band that does not begin at 0',
      withRow('prices', 0, { overGrams: 1000 }),
      price(0, 'overGrams', 'over 0 kg in the first band', '1 kg'),
    ],
    [
      'a band that ends where it begins',
      withRow('prices', 1, { upToGrams: 5000 }),
      price(1, 'upToGrams', 'up_to above over (5 kg)', '5 kg'),
    ],
    [
      'bands out of order',
      withTable('prices', ([one, two, three, ...others]) => [one!, three!, two!, ...others]),
      price(2, 'overGrams', 'bands in ascending order, here from 10 kg on', '5 kg'),
    ],
    [
      'a duplicate band',
      withTable('prices', ([one, two, ...others]) => [one!, two!, two!, ...others]),
      {
        table: 'prices',
        index: 2,
        expected: 'one price for each band',
        found: '5 kg to 10 kg a second time',
      },
    ],
    [
      'a duplicate pallet class',
      withCopy('prices', 7),
      price(12, 'palletClass', 'one price for each class of a zone', 'HALF a second time'),
    ],
    [
      'a product that the card does not have, once',
      withCopy('prices', 0, { productId: 9 }, withCopy('prices', 1, { productId: 9, zone: 3 })),
      price(12, 'productId', 'a product of the card', '9, in 2 prices'),
    ],
    [
      'a pallet class for a product priced by parcel',
      withCopy('prices', 7, { productId: 1 }),
      price(
        12,
        'unit',
        'KG or PER100KG, as 1 Classic is priced by weight (parcel)',
        'PALLET:HALF, in 1 zone',
      ),
    ],
    [
      'a weight band for a product priced by pallet class',
      withCopy('prices', 0, { productId: 2 }),
      price(12, 'unit', 'prices of pallet classes, as 2 Pallet is priced by pallet class', 'KG, in 1 zone'),
    ],
    [
      'a pallet class that the carrier does not have',
      withCopy('prices', 7, { palletClass: 'QUARTER' }),
      price(12, 'palletClass', 'a pallet class of dok (HALF, FULL)', 'QUARTER'),
    ],
    [
      'a rate per 100 kg with a step',
      withRow('prices', 10, { stepGrams: 1000, stepCents: 10 }),
      price(10, 'stepGrams', 'no step with a rate per 100 kg', '1 kg'),
    ],
    [
      'a step of 0 kg',
      withRow('prices', 2, { stepGrams: 0, stepCents: 10 }),
      price(2, 'stepGrams', 'a step above 0 kg', '0 kg'),
    ],
    [
      'a price below 0',
      withRow('prices', 7, { priceCents: -1 }, withRow('prices', 2, { stepGrams: 1000, stepCents: -5 })),
      price(2, 'stepCents', 'no price below 0', '-0.05 EUR'),
      price(7, 'priceCents', 'no price below 0', '-0.01 EUR'),
    ],
    [
      'a zone that the product does not declare',
      withRow('products', 0, { zones: [0, 1] }),
      price(5, 'zone', 'one of the zones of 1 Classic (0, 1)', 'zone 2'),
    ],
    [
      'a zone without a transit time',
      withoutRows('transit', ({ productId, zone }) => productId === 1 && zone === 2),
      price(5, 'zone', 'a transit time of 1 Classic in zone 2, which has prices'),
    ],
  ]
  testEach(cases, faultsOf)

  test('no fault in bands of a zone that are not adjacent rows', () => {
    const apart = withTable('prices', ([one, two, three, ...others]) => [one!, ...others, two!, three!], band)
    expect(faultsOf(apart)).toEqual([])
  })

  test('more than twenty faults of a kind, and lists only the first twenty', () => {
    const lanes = Array.from({ length: 25 }, () => SMALL_CARD.content.lanes[1]!)
    const faults = faultsOf(withTable('lanes', (rows) => [...rows, ...lanes]))
    expect(faults).toHaveLength(20)
    expect(faults[18]).not.toHaveProperty('more')
    expect(faults[19]).toEqual({
      ...{ table: 'lanes', index: 22 },
      ...{ expected: 'one row for each lane of a chart', found: 'A to B a second time', more: 5 },
    })
  })
})

describe('checking products and lanes finds', () => {
  const cases: Case[] = [
    [
      'a duplicate product',
      withCopy('products', 0),
      { table: 'products', index: 3, field: 'productId', found: '1 a second time' },
    ],
    [
      'a product without prices',
      withoutRows('prices', ({ productId }) => productId === 3),
      { table: 'products', index: 2, expected: 'prices for 3 Groupage' },
    ],
    [
      'a declared zone that a lane leads to, without prices',
      withRow('products', 2, { zones: [0, 1, 2, 7] }),
      { table: 'products', index: 2, field: 'zones', found: 'none in zone 1, 2' },
    ],
    [
      'a product priced per 100 kg without such a price',
      withoutRows('prices', ({ unit }) => unit === 'PER100KG'),
      { table: 'products', index: 2, field: 'pricingBasis' },
    ],
    [
      'a product whose chart does not exist',
      withRow('products', 2, { zoneChart: 'road' }),
      {
        ...{ table: 'products', index: 2, field: 'zoneChart' },
        expected: 'lanes and country groups in the zone chart "road", which 3 Groupage uses',
      },
    ],
    [
      'a volumetric rule on documents',
      withRow('products', 0, { parcelType: 'DOC', documentGrams: 500 }),
      { table: 'products', index: 0, field: 'volumetricDivisor', found: '5000' },
    ],
    [
      'pallet classes for parcels',
      withRow('products', 1, { parcelType: 'NONDOC' }),
      { table: 'products', index: 1, field: 'parcelType', found: 'NONDOC' },
    ],
    [
      'a country of dispatch that does not exist',
      withRow('products', 2, { fromCountries: ['NL', 'XX'] }),
      { table: 'products', index: 2, field: 'fromCountries', found: 'XX' },
    ],
    [
      'a carrier that is not listed',
      withoutRows('carriers', ({ code }) => code === 'dok'),
      { table: 'products', index: 1, field: 'carrierCode', found: 'dok' },
    ],
    [
      'a lane to a zone without prices',
      withCopy('lanes', 1, { toGroup: 'A', zone: 5 }),
      {
        ...{ table: 'lanes', index: 3, field: 'zone' },
        expected: 'a product of the common zone chart with prices in zone 5, which this lane leads to',
      },
    ],
    [
      'a chart that no product uses',
      withTable('lanes', (rows) => [...rows, { ...rows[0]!, zoneChart: 'air' }]),
      { table: 'lanes', index: 3, field: 'zoneChart' },
    ],
    [
      'a lane with a group that the chart does not have',
      withCopy('lanes', 1, { toGroup: 'C' }),
      { table: 'lanes', index: 3, field: 'toGroup', found: 'C' },
    ],
    [
      'a lane within one country at one end only',
      withCopy('lanes', 1, { fromGroup: '=' }),
      { table: 'lanes', index: 3, field: 'toGroup', found: '= to B' },
    ],
    [
      'a minimum transit time above the maximum',
      withRow('transit', 1, { minDays: 4 }),
      {
        ...{ table: 'transit', index: 1, field: 'maxDays' },
        ...{ expected: 'at least the minimum of 4 days', found: '3' },
      },
    ],
    ['a duplicate transit time', withCopy('transit', 0), { table: 'transit', index: 5 }],
    [
      'a transit time of an unknown product',
      withCopy('transit', 0, { productId: 9 }),
      { table: 'transit', index: 5, field: 'productId', found: '9' },
    ],
    [
      'a lane transit of an unknown product',
      withCopy('laneTransit', 0, { productId: 9 }),
      { table: 'laneTransit', index: 1, field: 'productId', found: '9' },
    ],
    [
      'a lane transit of an unknown group',
      withCopy('laneTransit', 0, { toGroup: '=' }),
      { table: 'laneTransit', index: 1, field: 'toGroup', found: '=' },
    ],
    [
      'a minimum lane transit above the maximum',
      withRow('laneTransit', 0, { minDays: 3 }),
      { table: 'laneTransit', index: 0, field: 'maxDays', found: '2' },
    ],
    ['a duplicate lane transit', withCopy('laneTransit', 0), { table: 'laneTransit', index: 1 }],
  ]
  testEach(cases, faultsOf)

  test('a card without products', () => {
    expect(faultsOf(withTable('products', () => []))).toContainEqual({
      table: 'products',
      expected: 'at least one product',
    })
  })
})

describe('checking places finds', () => {
  const spain = { country: 'ES', from: '35000', to: '35999' }
  const cases: Case[] = [
    [
      'an unknown country',
      withCopy('countryGroups', 0, { country: 'XX' }),
      {
        ...{ table: 'countryGroups', index: 4, field: 'country', found: 'XX' },
        expected: 'an ISO 3166-1 country code, or * for all others',
      },
    ],
    [
      'an area of all other countries',
      withCopy('areas', 0, { country: '*' }),
      { table: 'areas', index: 3, field: 'country', expected: 'an ISO 3166-1 country code', found: '*' },
    ],
    [
      'a country twice in a chart',
      withCopy('countryGroups', 0, { group: 'B' }),
      {
        ...{ table: 'countryGroups', index: 4, field: 'country' },
        ...{
          expected: 'each country once in the common zone chart',
          found: 'NL is B, and A in an earlier row',
        },
      },
    ],
    [
      'a part of all other countries',
      withCopy('countryGroups', 2, { country: '*' }),
      { table: 'countryGroups', index: 4, field: 'from' },
    ],
    [
      'ranges that overlap',
      withCopy('countryGroups', 2, { ...spain, from: '35500', to: '36000' }),
      {
        ...{ table: 'countryGroups', index: 4, field: 'from', found: '35500 to 36000' },
        expected: 'a range within 35000 to 35999, or one that does not overlap it',
      },
    ],
    [
      'a postal code of another country, and several codes in a cell',
      withTable('countryGroups', (rows) => [
        ...rows,
        { zoneChart: '', country: 'DE', from: '1012 AB', to: '1012 AB', group: 'EU' },
        { zoneChart: '', country: 'DE', from: '10115', to: '10117, 10119', group: 'EU' },
      ]),
      {
        ...{ table: 'countryGroups', index: SMALL_CARD.content.countryGroups.length, field: 'from' },
        expected: 'a postal code of DE (99999) or its beginning, and one code in a cell',
        found: '1012 AB',
      },
      { index: SMALL_CARD.content.countryGroups.length + 1, field: 'to', found: '10117, 10119' },
    ],
    [
      'the same range in two groups',
      withCopy('countryGroups', 2, { ...spain, group: 'A' }),
      {
        ...{ table: 'countryGroups', index: 4, found: 'A' },
        expected: 'B for 35000 to 35999, as in an earlier row',
      },
    ],
    [
      'a range written backwards',
      withRow('areas', 1, { from: '9179', to: '9170' }),
      { table: 'areas', index: 1, field: 'to', expected: 'a code not before 9179', found: '9170' },
    ],
    [
      'a postal code without letters or digits',
      withRow('areas', 1, { from: '-' }),
      { table: 'areas', index: 1, field: 'from', found: '-' },
    ],
    [
      'a range without a beginning',
      withRow('areas', 1, { from: undefined }),
      { table: 'areas', index: 1, field: 'from', found: 'to 9179' },
    ],
    [
      'a range and a city in one row',
      withRow('areas', 2, { from: '85100' }),
      { table: 'areas', index: 2, field: 'city', expected: 'a postal range or a city, not both' },
    ],
    [
      'a city without letters or digits',
      withRow('areas', 2, { city: '--' }),
      { table: 'areas', index: 2, field: 'city', found: '--' },
    ],
    [
      'the same city in another spelling',
      withCopy('areas', 2, { city: 'RHÓDES', areaClass: 'REMOTE' }),
      { table: 'areas', index: 3, field: 'city', found: 'GR RHÓDES is REMOTE, and ISLAND in an earlier row' },
    ],
  ]
  testEach(cases, faultsOf)

  test('no fault in ranges that are nested, adjacent or in different lists', () => {
    const areas = [
      { areaList: '', country: 'NO', from: '8000', to: '8999', areaClass: 'ISLAND' },
      { areaList: '', country: 'NO', from: '8500', areaClass: 'NORMAL' },
      { areaList: '', country: 'NO', from: '100', to: '101', areaClass: 'REMOTE' },
      { areaList: 'air', country: 'NO', from: '85', to: '95', areaClass: 'REMOTE' },
      { areaList: '', country: 'SE', from: '85', to: '995', areaClass: 'REMOTE' },
    ] as const
    expect(faultsOf(withTable('areas', (rows) => [...areas, ...rows]))).toEqual([])
  })
})

describe('checking surcharges finds', () => {
  const toll = (fields: Parameters<typeof withRow<'surcharges'>>[2]) => withRow('surcharges', 3, fields)
  const cases: Case[] = [
    [
      'an unknown trigger',
      toll({ trigger: 'moon=full' }),
      {
        ...{ table: 'surcharges', index: 3, field: 'trigger' },
        found: 'unknown condition: moon=full',
        expected: expect.stringMatching(/always, .*area=NORMAL\|REMOTE\|ISLAND\|OVERSEAS, .*, volume_l>1/),
      },
    ],
    [
      'a group that no chart has, and a country that does not exist',
      toll({ trigger: 'to_group=A|Q|domestic&from_group=A|to_country=NL|XX&pieces>2|area=ISLAND' }),
      { table: 'surcharges', index: 3, field: 'trigger', found: 'to_group=Q, to_country=XX' },
    ],
    [
      'a condition whose units do not fit',
      toll({ condition: 'longest > 200' }),
      {
        ...{ table: 'surcharges', index: 3, field: 'condition' },
        expected:
          'an expression of a condition (character 9: units that do not fit: a length such as 200 cm with a number without a unit)',
        found: 'longest > 200',
      },
    ],
    [
      'a fault at the end of a long condition, whose beginning is not shown',
      toll({ condition: 'longest > 48 in or second > 30 in or longest + girth > 105 in or volume > 10368' }),
      {
        ...{ table: 'surcharges', index: 3, field: 'condition' },
        expected: expect.stringMatching(/\(character 73: units that do not fit: .*volume.*\)$/),
        found: '…gest > 48 in or second > 30 in or longest + girth > 105 in or volume > 10368',
      },
    ],
    [
      'a fault at the beginning of a long condition, whose end is not shown',
      toll({ condition: `longest > 48 or ${'second > 30 in or '.repeat(100)}kg > 5` }),
      {
        ...{ table: 'surcharges', index: 3, field: 'condition' },
        expected: expect.stringContaining('(character 9: units that do not fit'),
        found: 'longest > 48 or second > 30 in or second > 30 in or second > 30 in or second…',
      },
    ],
    [
      'a condition with a group that no chart has',
      toll({ condition: 'to_group = Q' }),
      {
        ...{ table: 'surcharges', index: 3, field: 'condition' },
        expected: 'an expression of a condition (character 12: expected a group of the zone chart)',
        found: 'to_group = Q',
      },
    ],
    [
      'a formula without a case for a zone of the card',
      toll({ method: 'formula', amount: 0, formula: 'by zone {0: 1, 1: 2.50}' }),
      {
        ...{ table: 'surcharges', index: 3, field: 'formula' },
        expected: 'an expression of an amount (character 1: no case for 2; add one, or an else)',
        found: 'by zone {0: 1, 1: 2.50}',
      },
    ],
    [
      'a formula in the phase percent',
      toll({ method: 'formula', amount: 0, formula: '1', phase: 'percent' }),
      { table: 'surcharges', index: 3, field: 'method', found: 'formula' },
    ],
    [
      'a code with a separator',
      toll({ code: 'A|B' }),
      { table: 'surcharges', index: 3, field: 'code', found: 'A|B' },
    ],
    [
      'the same code from the same day',
      withCopy('surcharges', 3),
      { table: 'surcharges', index: 4, found: 'ring TOLL from 2026-01-01 a second time' },
    ],
    [
      'an excluded code that the carrier does not have',
      toll({ excludes: ['LONG', 'WIDE'] }),
      { table: 'surcharges', index: 3, field: 'excludes', found: 'WIDE' },
    ],
    [
      'a surcharge that excludes itself',
      toll({ excludes: ['TOLL'] }),
      { table: 'surcharges', index: 3, field: 'excludes', expected: 'codes of other surcharges' },
    ],
    [
      'a circle of exclusions',
      withRow('surcharges', 2, { excludes: ['TOLL'] }, toll({ excludes: ['OVERSIZE'] })),
      {
        ...{ table: 'surcharges', index: 1, field: 'excludes' },
        found: 'OVERSIZE excludes LONG excludes TOLL excludes OVERSIZE',
      },
    ],
    [
      'a product of another carrier',
      toll({ products: [1, 2] }),
      {
        ...{ table: 'surcharges', index: 3, field: 'products' },
        ...{ expected: 'products of ring in the card', found: '2' },
      },
    ],
    [
      'an end before its beginning',
      toll({ validTo: '2026-01-01' }),
      { table: 'surcharges', index: 3, field: 'validTo', expected: 'a day after 2026-01-01, its first day' },
    ],
    [
      'a flat amount in the phase percent',
      toll({ phase: 'percent' }),
      { table: 'surcharges', index: 3, field: 'method', found: 'flat' },
    ],
    [
      'a negative percentage',
      toll({ method: 'pct', amount: -250 }),
      { table: 'surcharges', index: 3, field: 'amount', found: '-2.5%' },
    ],
    [
      'a negative minimum',
      toll({ minimumCents: -100 }),
      { table: 'surcharges', index: 3, field: 'minimumCents', found: '-1.00 EUR' },
    ],
    [
      'a maximum below the minimum',
      toll({ method: 'pct', minimumCents: 200, maximumCents: 199 }),
      {
        ...{ table: 'surcharges', index: 3, field: 'maximumCents' },
        ...{ expected: 'at least the minimum, 2.00 EUR', found: '1.99 EUR' },
      },
    ],
    [
      'a maximum of 0',
      toll({ method: 'per_kg', maximumCents: 0 }),
      { table: 'surcharges', index: 3, field: 'maximumCents', expected: 'a maximum above 0' },
    ],
    [
      'a maximum of a service below its minimum',
      withRow('services', 1, { method: 'per_kg', minimumCents: 200, maximumCents: 199 }),
      { table: 'services', index: 1, field: 'maximumCents', found: '1.99 EUR' },
    ],
    [
      'a carrier without products in the card',
      withCopy('surcharges', 3, { carrierCode: 'none', products: [1] }),
      { table: 'surcharges', index: 4, field: 'carrierCode', found: 'none' },
    ],
  ]
  testEach(cases, faultsOf)
})

describe('checking billed weights finds', () => {
  const cases: readonly Case[] = [
    [
      'a heavy weight between two steps',
      withRow('products', 0, { heavyOverGrams: 20_050, heavyStepGrams: 1000 }),
      {
        ...{ table: 'products', index: 0, field: 'heavyOverGrams', found: '20.05 kg' },
        expected: 'a multiple of the weight step, 0.1 kg',
      },
    ],
    [
      'a weight of the shipment that is not priced',
      withRow('products', 0, { shipmentStepGrams: 1000, minBilledShipmentGrams: 5000 }),
      {
        ...{ table: 'products', index: 0, field: 'shipmentStepGrams', found: '1 kg' },
        expected: 'no weight of the shipment with the basis parcel',
      },
      { table: 'products', index: 0, field: 'minBilledShipmentGrams', found: '5 kg' },
    ],
    [
      'a smallest weight above the last band',
      withRow('products', 2, { minBilledUnitGrams: 500_001, minBilledShipmentGrams: 500_000 }),
      {
        ...{ table: 'products', index: 2, field: 'minBilledUnitGrams', found: '500.001 kg' },
        expected: 'at most 500 kg, the end of the last weight band of 3 Groupage in zone 0',
      },
    ],
    [
      'a smallest weight above the last band of one zone',
      withRow('products', 0, { minBilledUnitGrams: 10_001 }),
      {
        ...{ table: 'products', index: 0, field: 'minBilledUnitGrams', found: '10.001 kg' },
        expected: expect.stringMatching(/^at most 10 kg, .* in zone 1$/),
      },
    ],
    [
      'a smallest weight of the shipment above the last band',
      withRow('products', 2, { minBilledShipmentGrams: 500_001 }),
      { table: 'products', index: 2, field: 'minBilledShipmentGrams', found: '500.001 kg' },
    ],
  ]
  testEach(cases, faultsOf)
})

describe('checking measures finds', () => {
  const minimum = (fields: Parameters<typeof withRow<'minimumWeights'>>[2]) =>
    withRow('minimumWeights', 0, fields)
  const sizes = (condition: string, products?: readonly number[]) =>
    withTable(
      'sizeClasses',
      () => [{ carrierCode: 'ring', sizeClass: 'S', condition, ...(products && { products }) }],
      withRow('products', 0, { pricingBasis: 'size-class' }),
    )
  const size = (palletClass: string) =>
    ({ zone: 0, unit: 'SIZE', palletClass, overGrams: 0, upToGrams: 0, priceCents: 500 }) as const
  const sized = (palletClass: string) =>
    withTable(
      'prices',
      (rows) => [
        ...[0, 1, 2].map((zone) => ({ ...size(palletClass), productId: 1, zone })),
        ...rows.filter(({ productId }) => productId !== 1),
      ],
      sizes('kg <= 30'),
    )
  const cases: readonly Case[] = [
    [
      'a faulty smallest weight',
      minimum({ condition: 'longest > 300', weight: '2 m' }),
      {
        ...{
          table: 'minimumWeights',
          index: 0,
          field: 'condition',
          expected: expect.stringContaining('units that do not fit'),
        },
        found: 'longest > 300',
      },
      {
        ...{ table: 'minimumWeights', index: 0, field: 'weight', found: '2 m' },
        expected:
          'an expression of a weight (character 1: expected a weight such as 20 kg, found a length such as 200 cm)',
      },
    ],
    [
      'a smallest weight that depends on a price',
      minimum({ weight: '2 * billed_kg' }),
      {
        ...{ table: 'minimumWeights', index: 0, field: 'weight' },
        expected: expect.stringContaining('not available in smallest weights'),
      },
    ],
    [
      'a smallest weight of products of another carrier',
      minimum({ products: [1] }),
      { table: 'minimumWeights', index: 0, field: 'products', found: '1' },
    ],
    [
      'a smallest weight of a carrier without products',
      minimum({ carrierCode: 'nobody' }),
      { table: 'minimumWeights', index: 0, field: 'carrierCode', found: 'nobody' },
    ],
    [
      'totals with other rules',
      withRow('products', 2, {
        ...{ volumetricPer: 'shipment', kilogramsPerCubicMetre: undefined, minBilledUnitGrams: 2000 },
      }),
      { table: 'products', index: 2, field: 'volumetricPer', found: '0' },
      { table: 'products', index: 2, field: 'volumetricPer', found: '2 kg' },
      { table: 'products', index: 2, field: 'volumetricPer', found: 'Long pallet (500 kg)' },
    ],
    [
      'totals of parcels that are priced one by one',
      withRow('products', 0, { volumetricPer: 'shipment', volumetricDivisor: 5000 }),
      {
        ...{ table: 'products', index: 0, field: 'volumetricPer', found: 'parcel' },
        expected: 'the basis shipment or per-100kg with totals of the shipment',
      },
    ],
    [
      'kilograms in a list in pounds',
      withRow('products', 2, { units: 'lb-in' }),
      {
        ...{ table: 'products', index: 2, field: 'kilogramsPerCubicMetre', found: '333' },
        expected: 'only a vol_divisor, because the units are lb-in',
      },
    ],
    [
      'a formula with kilograms for a list in pounds',
      withRow('products', 0, { units: 'lb-in' }),
      {
        ...{ table: 'services', index: 2, field: 'formula' },
        expected: expect.stringContaining(
          'the weights of this price list are in lb, so the name is billed_lb',
        ),
      },
    ],
    [
      'a product without size classes, and its bands',
      withRow('products', 0, { pricingBasis: 'size-class' }),
      { table: 'products', index: 0, field: 'pricingBasis' },
      {
        ...{ table: 'prices', index: 0, field: 'unit', found: 'KG, in 3 zones' },
        expected: 'prices of size classes, as 1 Classic is priced by size class',
      },
    ],
    [
      'a size class that the card does not have',
      sized('M'),
      {
        ...{ table: 'prices', index: 0, field: 'palletClass', found: 'M' },
        expected: 'a size class of ring (S)',
      },
    ],
    [
      'a faulty condition of a size class',
      withTable('sizeClasses', (rows) => rows.map((row) => ({ ...row, condition: 'sum <= 60' })), sized('S')),
      { table: 'sizeClasses', index: 0, field: 'condition' },
    ],
    [
      'pallets with size classes',
      withRow('products', 1, { pricingBasis: 'size-class' }),
      { table: 'products', index: 1, field: 'parcelType', found: 'PALLET' },
      { table: 'products', index: 1, field: 'pricingBasis' },
      { table: 'prices', index: 7, field: 'unit', found: 'PALLET:HALF, in 1 zone' },
      { table: 'prices', index: 7, field: 'palletClass', found: 'HALF' },
      { table: 'prices', index: 8, field: 'palletClass', found: 'FULL' },
    ],
    [
      'too many smallest weights of a carrier',
      withTable('minimumWeights', ([first]) => Array.from({ length: 201 }, () => first!)),
      {
        ...{ table: 'minimumWeights', index: 200, field: 'carrierCode' },
        ...{ expected: 'at most 200 smallest weights of a carrier', found: '201 of dok' },
      },
    ],
  ]
  testEach(cases, faultsOf)

  test('a size class that no product uses is a warning', () => {
    const unused = withTable('sizeClasses', () => [
      { carrierCode: 'ring', sizeClass: 'S', condition: 'sum <= 60 cm' },
    ])
    expect(checkRateCard(unused)).toMatchObject({
      ...{ faults: [], warnings: [{ table: 'sizeClasses', index: 0, field: 'sizeClass', found: 'S' }] },
    })
  })
})

describe('checking insurance bands finds', () => {
  const band = (fields: Parameters<typeof withRow<'insuranceBands'>>[2]) =>
    withRow('insuranceBands', 1, fields)
  const cases: readonly Case[] = [
    [
      'a rate beside them',
      withRow('insurance', 1, { rateBps: 55 }),
      {
        ...{ table: 'insurance', index: 1, field: 'rateBps', found: '0.55%' },
        expected: '0, because dok has insurance bands',
      },
    ],
    [
      'no terms of the carrier',
      withTable('insurance', (rows) => rows.slice(0, 1)),
      {
        ...{ table: 'insuranceBands', index: 0, field: 'carrierCode' },
        expected: 'insurance terms of dok, with free cover and highest value',
      },
    ],
    [
      'a gap',
      band({ overCents: 100_001 }),
      {
        ...{ table: 'insuranceBands', index: 1, field: 'overCents', found: '1000.01 EUR' },
        expected: '1000.00 EUR, where the band before it ends',
      },
    ],
    [
      'values above the free cover without a band',
      withRow('insuranceBands', 0, { overCents: 10_001 }),
      {
        ...{ table: 'insuranceBands', index: 0, field: 'overCents', found: '100.01 EUR' },
        expected: 'at most 100.00 EUR, the free cover, because it is the first band',
      },
    ],
    [
      'an end below the highest value',
      band({ upToCents: 499_999 }),
      {
        ...{ table: 'insuranceBands', index: 1, field: 'upToCents', found: '4999.99 EUR' },
        expected: 'at least 5000.00 EUR, the highest value, because it is the last band',
      },
    ],
    [
      'a premium that is too large to calculate with',
      band({ valueStepCents: 1, stepPriceCents: 2_147_483_647 }),
      { table: 'insuranceBands', index: 1, field: 'stepPriceCents' },
    ],
    [
      'a carrier without products',
      withTable(
        'insuranceBands',
        (rows) => [{ ...rows[0]!, carrierCode: 'none' }, ...rows],
        withCopy('insurance', 1, { carrierCode: 'none' }),
      ),
      { table: 'insuranceBands', index: 0, field: 'upToCents', found: '1000.00 EUR' },
      { table: 'insurance', index: 2, field: 'carrierCode', found: 'none' },
      { table: 'insuranceBands', index: 0, field: 'carrierCode', found: 'none' },
    ],
    [
      'too many of a carrier',
      withTable('insuranceBands', ([first]) =>
        Array.from({ length: 201 }, (_, index) => ({
          ...first!,
          ...{ overCents: index * 10_000, upToCents: (index + 1) * 10_000 },
        })),
      ),
      {
        ...{ table: 'insuranceBands', index: 200, field: 'carrierCode' },
        ...{ expected: 'at most 200 insurance bands of a carrier', found: '201 of dok' },
      },
    ],
  ]
  testEach(cases, faultsOf)

  test('a band that ends where it begins', () => {
    expect(faultsOf(band({ overCents: 500_000, upToCents: 500_000 }))).toContainEqual(
      expect.objectContaining({
        field: 'upToCents',
        expected: 'more than 5000.00 EUR, where the band begins',
      }),
    )
  })

  test('no premium that falls where the free cover shortens a band with steps', () => {
    // 900.00 above the free cover of 100.00 are 18 steps of 50.00, at 0.90 each.
    const fields = { priceCents: 0, valueStepCents: 5000, stepPriceCents: 90 }
    const from = (priceCents: number) =>
      withRow('insuranceBands', 1, { priceCents, stepPriceCents: 0 }, withRow('insuranceBands', 0, fields))
    expect(checkRateCard(from(1620)).warnings).toEqual([])
    expect(checkRateCard(from(1619)).warnings).toHaveLength(1)
  })

  test('a carrier without percentage, minimum and bands, as a warning', () => {
    const none = withoutRows('insuranceBands', () => true)
    expect(checkRateCard(none)).toMatchObject({
      faults: [],
      warnings: [
        {
          ...{ table: 'insurance', index: 1, field: 'rateBps', found: '0%' },
          expected:
            'a percentage, a minimum or insurance bands of dok: above the free cover, the premium is 0',
        },
      ],
    })
    expect(warningsOf(withRow('insurance', 1, { minimumCents: 100 }, none))).toEqual([])
    expect(warningsOf(withRow('insurance', 1, { maxValueCents: 10_000 }, none))).toEqual([])
  })

  test('a premium that falls, as a warning', () => {
    const { faults, warnings } = checkRateCard(withRow('insuranceBands', 0, { priceCents: 851 }))
    expect(faults).toEqual([])
    expect(warnings).toMatchObject([
      {
        ...{ table: 'insuranceBands', index: 1, field: 'priceCents', found: '8.50 EUR' },
        expected: 'at least 8.51 EUR, the premium at the end of the band before it',
      },
    ])
  })
})

describe('checking the sizes of a card finds', () => {
  const [fuel, , , toll] = SMALL_CARD.content.surcharges
  const added = (count: number, fieldsOf: (index: number) => Partial<SurchargeRow>) =>
    withTable('surcharges', (rows) => [
      ...rows,
      ...Array.from({ length: count }, (_, index) => ({ ...toll!, code: `S${index}`, ...fieldsOf(index) })),
    ])
  const codes = Array.from({ length: 101 }, (_, index) => `S${index}`)
  const conditions = (count: number) => Array.from({ length: count }, () => 'domestic').join('|')
  // Product 1 has four surcharges already: those of the carrier, and LONG.
  const cases: Case[] = [
    ['no fault in 500 surcharges of a product', added(496, () => ({}))],
    [
      'more than 500 surcharges of a product',
      added(497, (index) => (index < 200 ? {} : { products: [1, 1] })),
      {
        table: 'products',
        index: 0,
        expected: 'at most 500 surcharges of a product',
        found: '501 for 1 Classic',
      },
    ],
    [
      'more than 5,000 exclusions of a product',
      added(101, (index) => ({ excludes: codes.slice(index + 1) })),
      {
        ...{ table: 'products', index: 0, found: '5051 for 1 Classic' },
        expected: 'at most 5000 codes in excludes of the surcharges of a product',
      },
    ],
    [
      'more than 5,000 conditions of a product',
      added(10, () => ({ trigger: `${conditions(250)}&${conditions(250)}` })),
      {
        ...{ table: 'products', index: 0, found: '5012 for 1 Classic' },
        expected: 'at most 5000 conditions, or names and numbers in expressions, of a product',
      },
    ],
    [
      'more than 2,000 surcharges of a carrier, and no circles among them',
      withTable('surcharges', () =>
        Array.from({ length: 2001 }, (_, index) => ({
          ...fuel!,
          ...{ code: 'FUEL', validFrom: `${1000 + index}-01-01`, excludes: ['FUEL'] },
        })),
      ),
      {
        table: 'surcharges',
        index: 2000,
        expected: 'at most 2000 surcharges of a carrier',
        found: '2001 of ring',
      },
      { table: 'products', index: 0, found: '2001 for 1 Classic' },
    ],
    [
      'more than 200 pallet classes of a carrier',
      withTable('palletClasses', (rows) => [
        ...rows,
        ...Array.from({ length: 199 }, (_, index) => ({ ...rows[0]!, maxGrams: 1000 + index })),
      ]),
      {
        table: 'palletClasses',
        index: 200,
        expected: 'at most 200 pallet classes of a carrier',
        found: '201 of dok',
      },
    ],
  ]
  testEach(cases, faultsOf)

  test('at most one circle for each code, if all codes exclude each other', () => {
    const twenty = codes.slice(0, 20)
    const faults = faultsOf(
      added(20, (index) => ({ excludes: twenty.filter((code) => code !== twenty[index]) })),
    )
    expect(faults.map(({ found }) => found)).toContain('S0 excludes S1 excludes S0')
    expect(faults.length).toBeLessThanOrEqual(20)
    expect(faults.every(({ more }) => more === undefined)).toBe(true)
  })
})

describe('checking services finds', () => {
  // SATURDAY requires SIGNATURE, which excludes ADULT_SIGNATURE of product 1.
  const [saturday, signature, adult] = [0, 1, 2]
  const serviceFault = (
    index: number,
    field: string,
    found: string,
    expected: unknown = expect.any(String),
  ) => ({
    ...{ table: 'services' as const, index, field, found, expected },
  })
  const cases: Case[] = [
    [
      'a carrier without products',
      withRow(
        'services',
        signature,
        { carrierCode: 'none' },
        withRow('services', saturday, { requires: [] }),
      ),
      serviceFault(signature, 'carrierCode', 'none'),
    ],
    [
      'a product of another carrier',
      withRow('services', adult, { products: [1, 3, 9] }),
      serviceFault(adult, 'products', '3, 9', 'products of ring in the card'),
    ],
    [
      'countries that do not exist, and zones that no lane leads to',
      withRow('services', saturday, { toCountries: ['NL', 'XX'], fromCountries: ['QQ'], zones: [1, 7] }),
      serviceFault(saturday, 'fromCountries', 'QQ'),
      serviceFault(saturday, 'toCountries', 'XX'),
      serviceFault(saturday, 'zones', '7'),
    ],
    [
      'a highest weight below the lowest',
      withRow('services', saturday, { minShipmentGrams: 2000, maxShipmentGrams: 1999 }),
      serviceFault(saturday, 'maxShipmentGrams', '1.999 kg', 'at least the lowest weight, 2 kg'),
    ],
    [
      'faulty expressions',
      withRow('services', adult, { condition: 'service = SUNDAY', formula: '1 cm' }),
      serviceFault(
        adult,
        'condition',
        'service = SUNDAY',
        expect.stringContaining('expected a service: SATURDAY,') as never,
      ),
      serviceFault(adult, 'formula', '1 cm', expect.stringContaining('expected an amount') as never),
    ],
    [
      'a required service that is never offered',
      withRow('services', saturday, { requires: ['SIGNATURE', 'TIME_SLOT'] }),
      serviceFault(saturday, 'requires', 'TIME_SLOT', 'services that 1 Classic offers'),
    ],
    [
      'a service that is both required and excluded',
      withRow('services', saturday, { excludes: ['SIGNATURE'] }),
      serviceFault(saturday, 'excludes', 'SIGNATURE', 'services that the row does not require'),
    ],
    [
      'a required service that excludes the other',
      withRow('services', signature, { excludes: ['SATURDAY'] }),
      serviceFault(saturday, 'requires', 'SIGNATURE', 'services of 1 Classic that do not exclude SATURDAY'),
    ],
    [
      'services that require each other',
      withRow('services', signature, { requires: ['SATURDAY'] }),
      serviceFault(saturday, 'requires', 'SIGNATURE'),
      serviceFault(signature, 'requires', 'SATURDAY', 'services of 1 Classic that do not require SIGNATURE'),
    ],
    [
      'a service that requires or excludes itself',
      withRow('services', saturday, { requires: ['SATURDAY'], excludes: ['SATURDAY'] }),
      serviceFault(saturday, 'requires', 'SATURDAY', 'other services'),
      serviceFault(saturday, 'excludes', 'SATURDAY', 'other services'),
      serviceFault(saturday, 'excludes', 'SATURDAY', 'services that the row does not require'),
    ],
    [
      'a row that no shipment can use, because an earlier one fits all',
      withCopy('services', signature, { maxUnitGrams: 5000, products: [1] }),
      serviceFault(3, 'service', 'SIGNATURE of 1 Classic', 'an earlier row that does not fit every shipment'),
    ],
    [
      'more than 500 services of a carrier',
      withTable('services', (rows) => Array.from({ length: 501 }, () => rows[2]!)),
      { table: 'services', index: 500, found: '501 of ring', expected: 'at most 500 services of a carrier' },
    ],
  ]
  testEach(cases, faultsOf)

  test('no fault in a row that one of its products can use', () => {
    const { services, products } = SMALL_CARD.content
    // The carrier of the services sells two products, and only the first has an earlier row for all shipments.
    const sold = withCopy('products', 0, { productId: 4, name: 'Plus' })
    expect(
      products.filter(({ carrierCode }) => carrierCode === 'ring').map(({ productId }) => productId),
    ).toEqual([1])
    const faultsWith = (...rows: RateCardContent['services']) =>
      checkRateCard(withTable('services', () => rows, sold)).faults.filter(
        ({ table }) => table === 'services',
      )
    const plain = { ...services[signature]!, excludes: [] }
    const ofFirst = { ...plain, products: [1] }
    expect(faultsWith({ ...ofFirst, amount: 10 }, plain)).toEqual([])
    expect(faultsWith({ ...ofFirst, amount: 10 }, ofFirst)).toMatchObject([
      { index: 1, field: 'service', found: 'SIGNATURE of 1 Classic' },
    ])
    expect(faultsWith(services[saturday]!, ofFirst)).toEqual([])
    expect(faultsWith({ ...services[saturday]!, products: [4] }, ofFirst)).toMatchObject([
      { index: 0, field: 'requires', found: 'SIGNATURE', expected: 'services that 4 Plus offers' },
    ])
  })

  test('a warning for a service that the connector does not pass on, once', () => {
    const card = withCopy('services', saturday, { maxUnitGrams: 1000 })
    const { connector } = card.carriers.find(({ code }) => code === 'ring')!
    const sold = card.content.services.map(({ service }) => service)
    const warningsWith = (booked: readonly Service[]) =>
      checkRateCard(card, [], [connector], new Map([[connector, new Set(booked)]]))
        .warnings.filter(({ table }) => table === 'services')
        .map(({ index, field, found }) => [index, field, found])
    expect(warningsWith(sold)).toEqual([])
    expect(warningsWith(sold.filter((service) => service !== 'SATURDAY'))).toEqual([
      [saturday, 'service', 'SATURDAY'],
    ])
    expect(warningsWith([])).toHaveLength(new Set(sold).size)
    // A connector that books nothing.
    expect(checkRateCard(card, [], [connector]).warnings.filter(({ table }) => table === 'services')).toEqual(
      [],
    )
  })

  const unusual: Case[] = [
    [
      'a percentage for each parcel',
      withRow('services', signature, { method: 'pct', amount: 500 }),
      { table: 'services', index: signature, field: 'per' },
    ],
    [
      'a minimum of a flat amount',
      withRow('services', signature, { minimumCents: 100 }),
      { table: 'services', index: signature, field: 'minimumCents', found: '1.00 EUR' },
    ],
  ]
  testEach(unusual, warningsOf)
})

describe('checking the other tables finds', () => {
  const cases: Case[] = [
    [
      'insurance of a carrier without products',
      withCopy('insurance', 0, { carrierCode: 'none' }),
      { table: 'insurance', index: 2, field: 'carrierCode', found: 'none' },
    ],
    ['insurance of a carrier twice', withCopy('insurance', 0), { table: 'insurance', index: 2 }],
    [
      'a pallet class of a carrier without products',
      withCopy('palletClasses', 0, { carrierCode: 'none' }),
      { table: 'palletClasses', index: 2, field: 'carrierCode' },
    ],
    [
      'a pallet class of the same size twice',
      withCopy('palletClasses', 0),
      { table: 'palletClasses', index: 2, found: 'dok HALF 120x100 cm, 120 cm high, 600 kg a second time' },
    ],
    [
      'extra days for a carrier without products',
      withCopy('areaTransit', 0, { carrierCode: 'none' }),
      { table: 'areaTransit', index: 3, field: 'carrierCode', found: 'none' },
    ],
    ['extra days of an area class twice', withCopy('areaTransit', 0), { table: 'areaTransit', index: 3 }],
    [
      'minimum extra days above the maximum',
      withRow('areaTransit', 0, { extraMinDays: 3 }),
      { table: 'areaTransit', index: 0, field: 'extraMaxDays', found: '2' },
    ],
    ['a carrier twice', withCopy('carriers', 0), { table: 'carriers', index: 2 }],
    ['a capital twice', withCopy('capitals', 0), { table: 'capitals', index: 1 }],
    [
      'a capital of a country that does not exist',
      withRow('capitals', 0, { country: 'XX' }),
      { table: 'capitals', index: 0, field: 'country', found: 'XX' },
    ],
    [
      'fuel of an unknown carrier',
      withCopy('fuel', 0, { carrierCode: 'none' }),
      { table: 'fuel', index: 1, field: 'carrierCode', found: 'none' },
    ],
    [
      'two fuel percentages from the same day',
      withCopy('fuel', 0),
      { table: 'fuel', index: 1, found: 'ring FUEL from 2026-01-01 a second time' },
    ],
  ]
  testEach(cases, faultsOf)
})

describe('checking a card warns', () => {
  const cases: Case[] = [
    [
      'of a price that falls as the weight rises',
      withRow('prices', 1, { priceCents: 499 }),
      price(1, 'priceCents', 'at least 5.00 EUR, the price of 5 kg', '4.99 EUR'),
    ],
    [
      'of steps that end above the next band',
      withRow('prices', 0, { stepGrams: 1000, stepCents: 25 }),
      price(1, 'priceCents', 'at least 6.25 EUR, the price of 5 kg', '6.00 EUR'),
    ],
    [
      'of rates per 100 kg that fall by more than deficit weight compensates',
      withRow('prices', 10, { priceCents: 3000 }, withRow('prices', 11, { priceCents: 2500 })),
      price(10, 'priceCents', 'at least 20.00 EUR, the price of 50 kg', '15.00 EUR'),
    ],
    [
      'of a rate per 100 kg that is above both of its neighbours',
      withTable('prices', (rows) => [
        ...rows.slice(0, 11),
        { ...rows[11]!, upToGrams: 150_000 },
        { ...rows[11]!, overGrams: 150_000, upToGrams: 500_000, priceCents: 2000 },
      ]),
      price(11, 'priceCents', 'at least 40.00 EUR, the price of 100 kg', '30.00 EUR'),
    ],
    [
      'of transit times without prices',
      withCopy('transit', 0, { zone: 7 }),
      {
        table: 'transit',
        index: 5,
        field: 'zone',
        expected: 'prices of 1 in zone 7, which has a transit time',
      },
    ],
    [
      'of a pallet class without a price',
      withoutRows('prices', ({ palletClass }) => palletClass === 'FULL'),
      {
        ...{ table: 'prices', index: 7, field: 'palletClass', found: 'none for FULL' },
        expected: 'a price for each pallet class of dok in zone 0 of 2 Pallet',
      },
    ],
    [
      'of a connector that does not exist',
      withRow('carriers', 0, { connector: 'pigeon' }),
      { table: 'carriers', index: 0, field: 'connector', found: 'pigeon' },
    ],
    [
      'of a minimum with a flat amount',
      withRow('surcharges', 3, { minimumCents: 100 }),
      { table: 'surcharges', index: 3, field: 'minimumCents', found: '1.00 EUR' },
    ],
    [
      'of a maximum with a flat amount',
      withRow('surcharges', 3, { maximumCents: 100 }),
      {
        ...{ table: 'surcharges', index: 3, field: 'maximumCents' },
        ...{ expected: 'no maximum with a flat amount', found: '1.00 EUR' },
      },
    ],
    [
      'of a maximum with a formula',
      withRow('services', 2, { maximumCents: 100 }),
      {
        table: 'services',
        index: 2,
        field: 'maximumCents',
        expected: 'no maximum with a formula; use min()',
      },
    ],
    [
      'of a fuelable surcharge that is not an accessorial',
      withRow('surcharges', 3, { fuelable: true }),
      { table: 'surcharges', index: 3, field: 'fuelable', found: 'yes' },
    ],
    [
      'of a group without a lane',
      withCopy('countryGroups', 0, { country: 'BE', group: 'C' }),
      { table: 'countryGroups', index: 4, field: 'group', found: 'none for C' },
    ],
    [
      'of a carrier without products',
      withCopy('carriers', 0, { code: 'idle' }),
      { table: 'carriers', index: 2, field: 'code', expected: 'products of idle in the card' },
    ],
    [
      'of a fuel surcharge without a percentage',
      withTable('fuel', () => []),
      {
        ...{ table: 'surcharges', index: 0, field: 'method' },
        expected: 'a row of fuel.csv for ring FUEL, or a figure or table that is set with waybill fuel',
      },
    ],
    [
      'of a percentage for each parcel',
      withRow('surcharges', 3, { method: 'pct', phase: 'percent', amount: 500 }),
      {
        ...{ table: 'surcharges', index: 3, field: 'per' },
        expected: 'shipment, because a percentage is charged once and not for each parcel',
      },
    ],
    [
      'of fuel that no surcharge uses',
      withCopy('fuel', 0, { code: 'FEUL' }),
      {
        ...{ table: 'fuel', index: 1, field: 'code', found: 'FEUL' },
        expected: 'a surcharge of ring with this code and the method fuel',
      },
    ],
    [
      'of a postal code that has lost its leading zero',
      withTable('countryGroups', (rows) => [
        ...rows,
        { zoneChart: '', country: 'DE', group: 'B' },
        { zoneChart: '', country: 'DE', from: '1067', to: '1099', group: 'B' },
      ]),
      {
        ...{ table: 'countryGroups', index: 5, field: 'from', found: '1067' },
        expected: 'a whole code, or a shorter beginning of one; perhaps 01067, without its leading zero',
      },
    ],
    [
      'of a postal code with a part that does not count',
      withTable('countryGroups', (rows) => [
        ...rows,
        { zoneChart: '', country: 'GB', group: 'B' },
        { zoneChart: '', country: 'GB', from: 'PA20 7', to: 'PA20 9', group: 'B' },
        { zoneChart: '', country: 'GB', from: 'PA21', to: 'PA21', group: 'B' },
      ]),
      {
        ...{ table: 'countryGroups', index: 5, field: 'from', found: 'PA20 7' },
        expected: 'PA20, because only this part of the code counts and the row includes all of it',
      },
    ],
    [
      'of an area list without areas',
      withRow('products', 0, { areaList: 'air' }),
      {
        ...{ table: 'products', index: 0, field: 'areaList' },
        expected: 'areas in the area list "air", which 1 Classic uses',
      },
    ],
  ]
  testEach(cases, warningsOf)

  test('without reporting a fault', () => {
    for (const [, card] of cases) expect(faultsOf(card)).toEqual([])
  })
})

describe('checking the ends of a zone warns', () => {
  const demo = readDemoRateBook()
  /** The demo card with another price of product 1201 (Classic) in zone 3. */
  const withPrice = (upToGrams: number, priceCents: number): RateCardImport => ({
    ...demo,
    content: {
      ...demo.content,
      prices: demo.content.prices.map((row) =>
        row.productId === 1201 && row.zone === 3 && row.upToGrams === upToGrams
          ? { ...row, priceCents }
          : row,
      ),
    },
  })
  const outliersOf = (card: RateCardImport) =>
    warningsOf(card).filter(({ expected }) => expected.endsWith('the other zones'))

  test.each([
    ['a last price that is ten times too high', 31_500, 32_450, '324.50 EUR'],
    ['a last price with a wrong first digit', 31_500, 52_45, '52.45 EUR'],
    ['a first price that is ten times too low', 2000, 124, '1.24 EUR'],
    ['a first price that is too low', 2000, 745, '7.45 EUR'],
  ])('of %s', (_, upToGrams, cents, found) => {
    expect(outliersOf(withPrice(upToGrams, cents))).toEqual([
      expect.objectContaining({ table: 'prices', field: 'priceCents', found }),
    ])
  })

  test('but not of a price that differs a little from the other zones', () => {
    expect(warningsOf(withPrice(31_500, 3645))).toEqual([])
    expect(warningsOf(withPrice(2000, 1145))).toEqual([])
  })

  test('but not of a first price that is equal in most zones, as those of letters are', () => {
    const zones = demo.content.prices.filter(
      ({ productId, overGrams }) => productId === 1201 && overGrams === 0,
    )
    const withLetters = (priceOf: (zone: number) => number) => ({
      ...demo,
      content: {
        ...demo.content,
        prices: demo.content.prices.map((row) =>
          zones.includes(row) ? { ...row, priceCents: priceOf(row.zone) } : row,
        ),
      },
    })
    expect(outliersOf(withLetters(() => 450))).toEqual([])
    // One of them is then a typing error.
    expect(outliersOf(withLetters((zone) => (zone === 3 ? 45 : 450)))).toMatchObject([{ found: '0.45 EUR' }])
  })

  test('of a price that rises faster than the weight, if there are no zones to compare with', () => {
    const last = SMALL_CARD.content.prices.findLastIndex(
      ({ productId, zone }) => productId === 1 && zone === 0,
    )
    const { priceCents } = SMALL_CARD.content.prices[last]!
    expect(warningsOf(withRow('prices', last, { priceCents: priceCents * 10 }))).toEqual([
      expect.objectContaining({ table: 'prices', index: last, field: 'priceCents' }),
    ])
  })
})

describe('figures that differ from those of other zones', () => {
  const demo = readDemoRateBook()
  type Prices = RateCardImport['content']['prices']
  const withPrices = (card: RateCardImport, prices: Prices): RateCardImport => ({
    ...card,
    content: { ...card.content, prices },
  })
  const changedIn = (card: RateCardImport, isChanged: (row: Prices[number]) => boolean, change: object) =>
    withPrices(
      card,
      card.content.prices.map((row) => (isChanged(row) ? { ...row, ...change } : row)),
    )
  /** The demo card whose last bands of product 1201 have steps. */
  const stepped = changedIn(demo, ({ productId, upToGrams }) => productId === 1201 && upToGrams === 31_500, {
    stepGrams: 1_000,
    stepCents: 40,
  })
  const foundIn = (card: RateCardImport) => {
    const known = warningsOf(stepped).map(({ expected }) => expected)
    return warningsOf(card)
      .filter(({ expected }) => !known.includes(expected))
      .map(({ field, found }) => `${field} ${found}`)
  }

  test.each<[string, RateCardImport, string]>([
    [
      'the first price of a list with steps',
      changedIn(stepped, (row) => row.productId === 1201 && row.zone === 3 && row.overGrams === 0, {
        priceCents: 130,
      }),
      'priceCents 1.30 EUR',
    ],
    [
      'the price of a step',
      changedIn(stepped, (row) => row.zone === 3 && row.stepGrams !== undefined, { stepCents: 400 }),
      'stepCents 4.00 EUR',
    ],
    [
      'a rate per 100 kg',
      changedIn(demo, (row) => row.productId === 1601 && row.zone === 2 && row.overGrams === 0, {
        priceCents: 100_000,
      }),
      'priceCents 1000.00 EUR',
    ],
    [
      'a flat price before rates per 100 kg',
      withPrices(
        demo,
        demo.content.prices.map((row) =>
          row.productId === 1601 && row.overGrams === 0
            ? { ...row, unit: 'KG', priceCents: row.zone === 2 ? 210 : 1_800 + 300 * row.zone }
            : row,
        ),
      ),
      'priceCents 2.10 EUR',
    ],
    [
      'the price of a pallet class',
      changedIn(demo, (row) => row.productId === 1503 && row.zone === 2 && row.palletClass === 'HALF', {
        priceCents: 61_000,
      }),
      'priceCents 610.00 EUR',
    ],
  ])('are warnings: %s', (_, card, found) => {
    expect(foundIn(card)).toContain(found)
  })

  test('no class whose price is equal in most zones is one, however the others rise', () => {
    const pallets = (miniIn: (zone: number) => number) =>
      withPrices(
        demo,
        demo.content.prices.map((row) => {
          if (row.productId !== 1503) return row
          if (row.palletClass === 'MINI') return { ...row, priceCents: miniIn(row.zone) }
          return row.zone < 4 ? row : { ...row, priceCents: 10 * row.priceCents }
        }),
      )
    expect(foundIn(pallets(() => 450))).toEqual([])
    expect(foundIn(pallets((zone) => (zone === 2 ? 45 : 450)))).toContain('priceCents 0.45 EUR')
  })

  test('a size class that is cheaper than the smaller one before it is a warning', () => {
    const sheet = readPriceList('measure-sheet')
    const changed = changedIn(sheet, ({ palletClass }) => palletClass === 'C', { priceCents: 329 })
    expect(warningsOf(changed).map(({ expected }) => expected)).toContain(
      'at least 18.99 EUR, the price of the smaller class B',
    )
  })

  test('a size class is compared with those that it contains, and not with larger ones of less weight', () => {
    const { content, ...sheet } = readPriceList('measure-sheet')
    const conditions = {
      A: 'longest <= 30 cm and kg + 125 g <= 1 kg',
      B: 'longest <= 60 cm and kg + 125 g <= 250 g',
      C: 'longest <= 60 cm and kg <= 5',
    }
    const sizeClasses = content.sizeClasses.map((row) => ({
      ...row,
      condition: conditions[row.sizeClass as 'A'] ?? row.condition,
    }))
    const card = { ...sheet, content: { ...content, sizeClasses } }
    const priced = (cents: number) =>
      changedIn(card, ({ palletClass }) => palletClass === 'C', { priceCents: cents })
    const below = (cents: number) =>
      warningsOf(changedIn(priced(cents), ({ palletClass }) => palletClass === 'B', { priceCents: 400 })).map(
        ({ expected }) => expected,
      )
    expect(below(1_699)).toEqual([])
    expect(below(1_698)).toEqual(['at least 16.99 EUR, the price of the smaller class A'])
  })

  test.each([
    ...['column-sheet', 'freight-classes', 'groupage', 'integrator', 'kind-sheet', 'measure-sheet'],
    ...['pallet-network', 'parcel-network', 'postal', 'regional-next-day', 'rule-sheet'],
  ])('no figure of a published list is one: %s', (name) => {
    const outliers = warningsOf(readPriceList(name)).filter(({ expected }) =>
      /other zones$|smaller class/.test(expected),
    )
    expect(outliers).toEqual([])
  })
})
