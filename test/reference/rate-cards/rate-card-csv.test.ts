/** The import format of rate cards: the rows of each file, and the permitted variants. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { checkRateCard } from '../../../src/core/rate-card-review/check/card-check.ts'
import type { RateCardImport } from '../../../src/core/rating/rate-card.ts'
import { describeImportFault } from '../../../src/reference/import/import-fault.ts'
import {
  type CardReading,
  openRateCardFiles,
  readDemoRateBook,
  readRateCard,
  writeRateCard,
} from '../../../src/reference/rate-cards/rate-card-csv.ts'
import { filesOf, SMALL_CARD } from '../../support/rates/card-files.ts'

const readWith = (texts: Readonly<Record<string, string>>): CardReading =>
  readRateCard(filesOf({ ...SMALL_CARD, ...texts }))
const productsWith = (pickupDays: string, cutOff: string): string =>
  'product_id,carrier_code,name,service_level,parcel_type,pricing_basis,round_kg,scope,recipient,pickup_days,cut_off\n' +
  `7101,duinpost,Parcel,economy,NONDOC,parcel,0.1,any,any,${pickupDays},${cutOff}\n`
const faultsOf = (reading: CardReading): string[] => reading.faults.map(describeImportFault)
const warningsOf = (reading: CardReading): string[] => reading.warnings.map(describeImportFault)

describe('the demo rate book', () => {
  test('is read row by row without faults or warnings', () => {
    const { content, ...shared } = readDemoRateBook()
    const counts = Object.entries({ ...content, ...shared }).map(([table, rows]) => [table, rows.length])
    expect(Object.fromEntries(counts)).toEqual({
      carriers: 6,
      products: 14,
      countryGroups: 133,
      lanes: 225,
      prices: 888,
      transit: 72,
      laneTransit: 0,
      priceTerms: 0,
      vatRates: 12,
      palletClasses: 6,
      sizeClasses: 0,
      minimumWeights: 0,
      areas: 60,
      areaTransit: 3,
      surcharges: 27,
      services: 21,
      fuel: 5,
      insurance: 6,
      insuranceBands: 0,
      capitals: 58,
    })
  })

  test('is read without names of surcharges: the reason is used instead', () => {
    const { card, faults, warnings } = readWith({
      'surcharges.csv':
        'carrier_code,code,phase,method,amount,min_eur,per,trigger,fuelable,reason,valid_from\n' +
        'duinpost,FUEL,percent,pct,9.50,,shipment,always,no,Road fuel surcharge,2026-01-01\n' +
        'duinpost,TOLL,fixed,flat,0.21,,parcel,always,no,Road toll,2026-01-01\n',
    })
    expect({ faults, warnings }).toEqual({ faults: [], warnings: [] })
    expect(card?.content.surcharges.map(({ name, reason }) => [name, reason])).toEqual([
      ['Road fuel surcharge', 'Road fuel surcharge'],
      ['Road toll', 'Road toll'],
    ])
  })

  test('has its limits, origins, zones and steps in grams, centimetres and cents', () => {
    const { content } = readDemoRateBook()
    expect(content.products.find(({ productId }) => productId === 1401)).toEqual({
      productId: 1401,
      carrierCode: 'kwiklijn',
      name: 'Next Day',
      serviceLevel: 'priority',
      parcelType: 'NONDOC',
      pricingBasis: 'parcel',
      zoneChart: '',
      areaList: '',
      zones: [0, 1],
      volumetricDivisor: 6000,
      weightStepGrams: 100,
      maxUnitGrams: 30_000,
      maxLengthCm: 120,
      maxWidthCm: 80,
      maxHeightCm: 60,
      maxLengthPlusGirthCm: 250,
      scope: 'any',
      fromCountries: ['NL', 'BE', 'LU', 'DE'],
      recipient: 'any',
      maxInsuredCents: 500_000,
      pickupDays: [1, 2, 3, 4, 5],
      cutOffMinutes: 1080,
    })
    expect(content.prices.find(({ stepGrams }) => stepGrams !== undefined)).toMatchObject({
      unit: 'KG',
      stepGrams: expect.any(Number),
      stepCents: expect.any(Number),
    })
    expect(content.prices.find(({ unit }) => unit === 'PALLET')).toEqual({
      productId: 1501,
      zone: 0,
      unit: 'PALLET',
      palletClass: 'MINI',
      overGrams: 0,
      upToGrams: 0,
      priceCents: 4200,
    })
    expect(content.palletClasses[0]).toMatchObject({ longSideCm: 120, shortSideCm: 80, maxGrams: 150_000 })
  })

  test('has the percentages of fuel listed in surcharges.csv in its fuel table', () => {
    const { content, fuel } = readDemoRateBook()
    expect(fuel[0]).toEqual({
      carrierCode: 'noordster',
      code: 'FUEL',
      validFrom: '2026-01-01',
      rateBps: 2450,
    })
    expect(content.surcharges[0]).toMatchObject({ code: 'FUEL', method: 'fuel', amount: 0, excludes: [] })
    expect(content.surcharges[7]).toMatchObject({ code: 'TOLL', method: 'flat', amount: 21, per: 'unit' })
  })
})

describe('a file', () => {
  test('may have semicolons, tabs, a byte order mark and Windows line ends', () => {
    const plain = readWith({}).card
    expect(plain).toBeDefined()
    const as = (change: (text: string) => string): unknown =>
      readWith(Object.fromEntries(Object.entries(SMALL_CARD).map(([file, text]) => [file, change(text)])))
        .card
    expect(as((text) => text.replaceAll(',', ';'))).toEqual(plain)
    expect(as((text) => text.replaceAll(',', '\t'))).toEqual(plain)
    expect(as((text) => `\ufeff${text}`)).toEqual(plain)
    expect(as((text) => text.replaceAll('\n', '\r\n'))).toEqual(plain)
    expect(as((text) => text.replaceAll(',', ' , '))).toEqual(plain)
    expect(as((text) => `${text}\n,,\n`)).toEqual(plain)
  })

  test('may have commas and line breaks in quotes; faults below name the right row', () => {
    const reading = readWith({
      'carriers.csv':
        'carrier_code,name,connector,note\nduinpost,Duinpost,sandbox,"of the\n""dunes"""\nb,,sandbox,\n',
    })
    expect(faultsOf(reading)).toEqual([
      'carriers.csv, row 4, column name: expected a value, found an empty cell',
    ])
    const sound = readWith({
      'carriers.csv': 'carrier_code,name,connector\nduinpost,"Duinpost, the ""dunes""",sandbox\n',
    })
    expect(sound.card?.carriers[0]?.name).toBe('Duinpost, the "dunes"')
  })

  test('may have remark columns without a warning', () => {
    const reading = readWith({
      'carriers.csv': 'carrier_code,name,archetype,note,connector\nd,Duinpost,postal,new,sandbox\n',
    })
    expect([faultsOf(reading), warningsOf(reading)]).toEqual([[], []])
  })

  test('may have services, which are written as they were read', () => {
    const { card, faults } = readWith({
      'services.csv':
        'carrier_code,service,name,method,amount,min_eur,max_eur,formula,per,fuelable,products,from_countries,to_countries,zones,min_shipment_kg,max_shipment_kg,max_piece_kg,condition,requires,excludes\n' +
        'duinpost,SATURDAY,,per_kg,1.5,12,90.5,,parcel,yes,7101,NL|BE,DE,0-1,0.5,100,31.5,,SIGNATURE|APPOINTMENT,TIME_SLOT\n' +
        'duinpost,SIGNATURE,Sign,formula,,,,"max(1, 2)",shipment,no,,,,,,,,kg <= 20,,\n',
    })
    expect(faults).toEqual([])
    expect(card?.content.services).toEqual([
      {
        ...{ carrierCode: 'duinpost', service: 'SATURDAY', name: 'Saturday delivery', method: 'per_kg' },
        ...{
          amount: 150,
          minimumCents: 1200,
          maximumCents: 9050,
          per: 'unit',
          fuelable: true,
          products: [7101],
        },
        ...{ fromCountries: ['NL', 'BE'], toCountries: ['DE'], zones: [0, 1] },
        ...{ minShipmentGrams: 500, maxShipmentGrams: 100_000, maxUnitGrams: 31_500 },
        ...{ requires: ['SIGNATURE', 'APPOINTMENT'], excludes: ['TIME_SLOT'] },
      },
      {
        ...{ carrierCode: 'duinpost', service: 'SIGNATURE', name: 'Sign', method: 'formula', amount: 0 },
        ...{ minimumCents: 0, formula: 'max(1, 2)', per: 'shipment', fuelable: false, condition: 'kg <= 20' },
        ...{ requires: [], excludes: [] },
      },
    ])
    const again = readRateCard(filesOf(Object.fromEntries(writeRateCard(card!))))
    expect(again.card?.content.services).toEqual(card?.content.services)
  })

  test('may have insurance bands, which are written as they were read', () => {
    const { card, faults } = readWith({
      'insurance_band.csv':
        'carrier_code,over_eur,up_to_eur,price_eur,step_eur,step_price_eur\n' +
        'duinpost,0,1000,1,,\n' +
        'duinpost,1000,50000,1.5,500,3.50\n',
    })
    expect(faults).toEqual([])
    const bands = [
      { carrierCode: 'duinpost', overCents: 0, upToCents: 100_000, priceCents: 100 },
      {
        ...{ carrierCode: 'duinpost', overCents: 100_000, upToCents: 5_000_000, priceCents: 150 },
        ...{ valueStepCents: 50_000, stepPriceCents: 350 },
      },
    ]
    expect(card?.content.insuranceBands).toEqual(bands)
    const again = readRateCard(filesOf(Object.fromEntries(writeRateCard(card!))))
    expect(again.card?.content.insuranceBands).toEqual(bands)
  })

  test('may have steps and smallest weights of products, which are written as they were read', () => {
    const header =
      'product_id,carrier_code,name,service_level,parcel_type,pricing_basis,round_kg,scope,recipient,' +
      'heavy_over_kg,heavy_round_kg,min_billed_piece_kg,round_shipment_kg,min_billed_shipment_kg\n'
    const { card, faults } = readWith({
      'products.csv': `${header}7101,duinpost,Parcel,economy,NONDOC,shipment,0.5,any,any,20,1,0.75,1,68\n`,
    })
    expect(faults).toEqual([])
    const weights = {
      ...{ weightStepGrams: 500, heavyOverGrams: 20_000, heavyStepGrams: 1000, minBilledUnitGrams: 750 },
      ...{ shipmentStepGrams: 1000, minBilledShipmentGrams: 68_000 },
    }
    expect(card?.content.products[0]).toMatchObject(weights)
    const again = readRateCard(filesOf(Object.fromEntries(writeRateCard(card!))))
    expect(again.card?.content.products).toEqual(card?.content.products)
    const half = readWith({
      'products.csv':
        `${header}7101,duinpost,Parcel,economy,NONDOC,shipment,0.5,any,any,20,,,,\n` +
        '7102,duinpost,Parcel,economy,NONDOC,shipment,0.5,any,any,,1,,,0\n' +
        '7103,duinpost,Parcel,economy,NONDOC,shipment,0.5,any,any,,1,,,\n',
    })
    expect(faultsOf(half)).toEqual([
      'products.csv, row 2, column heavy_round_kg: expected a weight, because the row has a heavy_over_kg, found an empty cell',
      'products.csv, row 3, column min_billed_shipment_kg: expected a number with at most 3 decimals, above 0, found "0"',
      'products.csv, row 4, column heavy_over_kg: expected a weight, because the row has a heavy_round_kg, found an empty cell',
    ])
  })

  test('may have units, size classes and smallest weights, which are written as they were read', () => {
    const header =
      'product_id,carrier_code,name,service_level,parcel_type,pricing_basis,units,round_sides,vol_per,round_kg,scope,recipient\n'
    const { card, faults } = readWith({
      'products.csv':
        `${header}7101,duinpost,Parcel,economy,NONDOC,size-class,lb-in,half-up,,1,any,any\n` +
        '7102,duinpost,Totals,economy,NONDOC,shipment,,,shipment,1,any,any\n',
      'size_class.csv':
        'carrier_code,class,condition,products\nduinpost,S,sum <= 60 cm,7101\nduinpost,L,kg <= 30,\n',
      'min_weight.csv':
        'carrier_code,condition,min_weight,products\nduinpost,longest > 84 in,20 lb,7101\nduinpost,,5,\n',
    })
    expect(faults).toEqual([])
    expect(card?.content.products).toMatchObject([
      { pricingBasis: 'size-class', units: 'lb-in', sideRounding: 'half-up' },
      { volumetricPer: 'shipment' },
    ])
    expect(card?.content.sizeClasses).toEqual([
      { carrierCode: 'duinpost', sizeClass: 'S', condition: 'sum <= 60 cm', products: [7101] },
      { carrierCode: 'duinpost', sizeClass: 'L', condition: 'kg <= 30' },
    ])
    const name = 'Smallest weight'
    expect(card?.content.minimumWeights).toEqual([
      { carrierCode: 'duinpost', name, condition: 'longest > 84 in', weight: '20 lb', products: [7101] },
      { carrierCode: 'duinpost', name, weight: '5' },
    ])
    const again = readRateCard(filesOf(Object.fromEntries(writeRateCard(card!))))
    expect(again.card?.content).toEqual(card?.content)
    const faulty = readWith({
      'products.csv':
        `${header}7101,duinpost,Parcel,economy,NONDOC,parcel,stone,,lorry,1,any,any\n` +
        '7102,duinpost,Totals,economy,NONDOC,parcel,,up,,1,any,any\n',
      'min_weight.csv': 'carrier_code,condition,min_weight\nduinpost,longest > 84 in,\n',
    })
    expect(faultsOf(faulty)).toEqual([
      'products.csv, row 2, column units: expected one of lb-in, oz-in, found "stone"',
      'products.csv, row 2, column vol_per: expected one of shipment, found "lorry"',
      'products.csv, row 3, column round_sides: expected an empty cell: sides are rounded to inches, and the row has no units',
      'min_weight.csv, row 2, column min_weight: expected a value, found an empty cell',
    ])
  })

  test('cannot have insurance bands with half a step', () => {
    const bands =
      'carrier_code,over_eur,up_to_eur,price_eur,step_eur,step_price_eur\n' +
      'duinpost,0,1000,1,500,\n' +
      'duinpost,1000,2000,1,,3.50\n' +
      'duinpost,2000,3000,1,0,3.50\n'
    expect(faultsOf(readWith({ 'insurance_band.csv': bands }))).toEqual([
      'insurance_band.csv, row 2, column step_price_eur: expected a price, because the row has a step_eur, found an empty cell',
      'insurance_band.csv, row 3, column step_eur: expected an amount, because the row has a step_price_eur, found an empty cell',
      'insurance_band.csv, row 4, column step_eur: expected a number with at most 2 decimals, above 0, found "0"',
    ])
  })

  test('cannot have services with cells that cannot be read or do not fit together', () => {
    const services =
      'carrier_code,service,method,amount,formula,per,fuelable,requires\n' +
      'duinpost,SUNDAY,flat,1,,parcel,no,\n' +
      'duinpost,SATURDAY,fuel,1,,parcel,no,\n' +
      'duinpost,SATURDAY,flat,,,parcel,no,\n' +
      'duinpost,SATURDAY,flat,1,kg,parcel,no,\n' +
      'duinpost,SATURDAY,formula,1,,parcel,no,\n' +
      'duinpost,SATURDAY,flat,-1,,parcel,no,SIGN\n'
    expect(faultsOf(readWith({ 'services.csv': services }))).toEqual([
      expect.stringContaining('services.csv, row 2, column service: expected one of SATURDAY, TIME_SLOT'),
      'services.csv, row 3, column method: expected one of flat, per_kg, pct, formula, found "fuel"',
      'services.csv, row 4, column amount: expected an amount, because the method is flat, found an empty cell',
      'services.csv, row 5, column method: expected formula, because the row has a formula, found "flat"',
      'services.csv, row 6, column formula: expected an expression, because the method is formula, found an empty cell',
      'services.csv, row 6, column amount: expected an empty cell: the method is formula',
      expect.stringContaining('services.csv, row 7, column amount: expected a number'),
      'services.csv, row 7, column requires: expected services such as SIGNATURE|APPOINTMENT, found "SIGN"',
    ])
  })

  test.each([
    ['Mon-Fri', [1, 2, 3, 4, 5]],
    ['Wed|Mon | Fri', [1, 3, 5]],
    ['Sat - Mon', [1, 6, 7]],
    ['Sun|Sun-Tue', [1, 2, 7]],
    ['Mon', [1]],
  ])('may have the pick-up days %s', (cell, days) => {
    const { card, faults } = readWith({ 'products.csv': productsWith(cell, '09:05') })
    expect(faults).toEqual([])
    expect(card?.content.products[0]).toMatchObject({ pickupDays: days, cutOffMinutes: 545 })
    const again = readRateCard(filesOf(Object.fromEntries(writeRateCard(card!))))
    expect(again.card?.content.products).toEqual(card?.content.products)
  })

  test.each([
    'mon',
    'Mon,Tue',
    'Mon-',
    '-Fri',
    'Mon-Wed-Fri',
    'Monday',
    '1-5',
    'Mon||Fri',
  ])('cannot have the pick-up days %s', (cell) => {
    expect(faultsOf(readWith({ 'products.csv': productsWith(`"${cell}"`, '') }))).toEqual([
      'products.csv, row 2, column pickup_days: expected weekdays such as Mon-Fri or Mon|Wed|Fri ' +
        `(Mon, Tue, Wed, Thu, Fri, Sat, Sun), found "${cell}"`,
    ])
  })

  test.each(['24:00', '9:00', '16.00', '16:60', '4pm'])('cannot have the cut-off %s', (cell) => {
    expect(faultsOf(readWith({ 'products.csv': productsWith('', cell) }))).toEqual([
      `products.csv, row 2, column cut_off: expected a time such as 16:00, found "${cell}"`,
    ])
  })

  test('may have every optional column', () => {
    const { card, faults } = readWith({
      'country_group.csv':
        'country,group,from,to,city,zone_chart\nNL,A,,,,air\nES,C,35000,35999,,\nES,C,,,Ceuta,\n*,B,,,,\n',
      'transit_lane.csv': 'product_id,from_group,to_group,min_days,max_days\n7101,A,B,2,3\n',
      'areas.csv': 'country,class,from,to,city,area_list\nNL,ISLAND,1790,1797,,own\nGR,ISLAND,,,Ios,\n',
      'transit_area_extra.csv': 'carrier_code,class,extra_min,extra_max\n*,ISLAND,1,2\n',
      'pallet_class.csv':
        'carrier_code,class,max_footprint_cm,max_height_cm,max_kg,spaces\nduinpost,FULL,80x120,220,1000.5,2\n',
      'insurance.csv':
        'carrier_code,free_cover_eur,rate_pct_of_value,min_eur,max_value_eur,free_cover_per\nduinpost,500,0.55,2.5,13000,parcel\n',
      'capitals.csv': 'country,capital,postal_code\nIE,Dublin,\n',
      'fuel.csv': 'carrier_code,code,valid_from,rate_pct\nduinpost,FUEL,2026-11-02,9.75\n',
      'surcharges.csv':
        'carrier_code,code,name,reason,phase,method,amount,min_eur,per,trigger,fuelable,excludes,products,valid_from,valid_to\n' +
        'duinpost,FUEL,Fuel,Fuel,percent,fuel,,,shipment,always,no,,,2026-01-01,\n' +
        'duinpost,OVERSIZE,Oversize,Too long,accessorial,per_kg,1,20,parcel,longest_cm>100,yes,HEAVY|LONG,7101|7102,2026-01-01,2027-01-01\n',
    })
    expect(faults).toEqual([])
    expect(card?.content.countryGroups.slice(0, 3)).toEqual([
      { country: 'NL', group: 'A', zoneChart: 'air' },
      { country: 'ES', group: 'C', from: '35000', to: '35999', zoneChart: '' },
      { country: 'ES', group: 'C', city: 'Ceuta', zoneChart: '' },
    ])
    expect(card?.content.areas).toEqual([
      { country: 'NL', areaClass: 'ISLAND', from: '1790', to: '1797', areaList: 'own' },
      { country: 'GR', areaClass: 'ISLAND', city: 'Ios', areaList: '' },
    ])
    expect(card?.content.laneTransit).toEqual([
      { productId: 7101, fromGroup: 'A', toGroup: 'B', minDays: 2, maxDays: 3 },
    ])
    expect(card?.content.palletClasses[0]).toMatchObject({
      longSideCm: 120,
      shortSideCm: 80,
      maxGrams: 1_000_500,
    })
    expect(card?.content.insurance[0]).toMatchObject({ rateBps: 55, minimumCents: 250, freeCoverPer: 'unit' })
    expect(card?.capitals).toEqual([{ country: 'IE', city: 'Dublin', postalCode: '' }])
    expect(card?.fuel).toEqual([
      { carrierCode: 'duinpost', code: 'FUEL', validFrom: '2026-11-02', rateBps: 975 },
    ])
    expect(card?.content.surcharges[1]).toMatchObject({
      excludes: ['HEAVY', 'LONG'],
      products: [7101, 7102],
      minimumCents: 2000,
      validTo: '2027-01-01',
    })
  })
})

describe('currency and VAT', () => {
  test.each([
    [
      'currency,vat_included',
      'GBP,no',
      { currency: 'GBP', vatIncluded: false, roundToCents: 1, rateDays: 7 },
    ],
    [
      'currency,vat_included',
      'JPY,yes',
      { currency: 'JPY', vatIncluded: true, roundToCents: 100, rateDays: 7 },
    ],
    [
      'currency,vat_included,round_to,rate_days',
      'CHF,yes,0.05,31',
      { currency: 'CHF', vatIncluded: true, roundToCents: 5, rateDays: 31 },
    ],
    [
      'currency,vat_included,round_percentages',
      'GBP,no,together',
      { currency: 'GBP', vatIncluded: false, roundToCents: 1, rateDays: 7, percentagesTogether: true },
    ],
    [
      'currency,vat_included,round_percentages',
      'GBP,no,each',
      { currency: 'GBP', vatIncluded: false, roundToCents: 1, rateDays: 7 },
    ],
  ])('%s: %s', (header, row, expected) => {
    const { card, faults } = readWith({
      'price_terms.csv': `${header}\n${row}\n`,
      'vat_rate.csv': 'zone,rate_pct\n0,8.1\n1,0\n',
    })
    expect(faults).toEqual([])
    expect(card?.content.priceTerms).toEqual([expected])
    expect(card?.content.vatRates).toEqual([
      { zoneChart: '', zone: 0, rateBps: 810 },
      { zoneChart: '', zone: 1, rateBps: 0 },
    ])
  })

  test.each(['gbp', 'GPB', 'KWD', '£'])('the currency %s is refused', (currency) => {
    const reading = readWith({ 'price_terms.csv': `currency,vat_included\n${currency},no\n` })
    expect(faultsOf(reading)).toEqual([
      `price_terms.csv, row 2, column currency: expected a currency code such as GBP, of a currency with at most two decimals, found "${currency}"`,
    ])
  })
})

describe('a card that is written as files', () => {
  const cards = [
    ...['groupage', 'integrator', 'pallet-network', 'parcel-network', 'postal', 'regional-next-day'],
    ...['net-pounds', 'gross-euro', 'gross-francs', 'measure-sheet', 'rule-sheet'],
  ]
  const folders = cards.map((card) => new URL(`../../fixtures/rate-cards/${card}`, import.meta.url).pathname)
  const written = (card: RateCardImport) => readRateCard(filesOf(Object.fromEntries(writeRateCard(card))))

  test.each(folders)('is read back unchanged: %s', (folder) => {
    const { card } = readRateCard(openRateCardFiles(folder))
    const again = written(card!)
    expect([faultsOf(again), warningsOf(again)]).toEqual([[], []])
    expect(again.card).toEqual(card)
  })

  test('keeps quotes, delimiters and formulas in texts', () => {
    const card = readDemoRateBook()
    const [first, ...others] = card.carriers
    const [second, ...rest] = others
    const carriers = [
      { ...first!, name: 'Rondeel "Zuid", Goes and Breda; partly' },
      { ...second!, name: '=HYPERLINK("http://x")' },
      ...rest,
    ]
    expect(writeRateCard({ ...card, carriers }).get('carriers.csv')).toContain(`,"'=HYPERLINK(`)
    expect(written({ ...card, carriers }).card?.carriers).toEqual(carriers)
  })
})

describe('the example of docs/rate-card-files.md', () => {
  /** The files of the example. A file begins with an unindented line that has its name and header. */
  function exampleFiles(): Record<string, string> {
    const page = readFileSync(new URL('../../../docs/rate-card-files.md', import.meta.url), 'utf8')
    const [, example = ''] = /## Example\n[^`]*```\n([^`]*)```/.exec(page) ?? []
    return Object.fromEntries(
      example.split('\n\n').map((block) => {
        const [, name = '', header = ''] = /^(\S+)\s+(.*)$/m.exec(block) ?? []
        const [, ...rows] = block.split('\n').map((line) => line.trim())
        return [name, [header, ...rows].join('\n')]
      }),
    )
  }

  test('is valid and causes no warning', () => {
    const files = exampleFiles()
    expect(Object.keys(files)).toHaveLength(7)
    const reading = readRateCard(filesOf(files))
    expect([faultsOf(reading), warningsOf(reading)]).toEqual([[], []])
    expect(checkRateCard(reading.card!)).toEqual({ faults: [], warnings: [] })
  })
})
