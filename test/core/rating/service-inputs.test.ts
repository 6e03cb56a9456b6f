/**
 * The inputs of services: slots, amounts to collect and dangerous goods. The prices are worked out by hand from the
 * rows at the top.
 */
import { describe, expect, test } from 'vitest'
import { formatCents } from '../../../src/core/money.ts'
import { checkRateCard } from '../../../src/core/rate-card-review/check/card-check.ts'
import { availableServices } from '../../../src/core/rating/available-services.ts'
import { describeDecline } from '../../../src/core/rating/book/limits.ts'
import type { RateBook } from '../../../src/core/rating/book/rate-book.ts'
import { explainLine } from '../../../src/core/rating/explain/explain.ts'
import { quote, type RateOption } from '../../../src/core/rating/quote.ts'
import { checkRatesRequest } from '../../../src/core/rating/request.ts'
import { readRateCard } from '../../../src/reference/rate-cards/rate-card-csv.ts'
import { filesOf, SMALL_CARD } from '../../support/rates/card-files.ts'
import { exchangeRates } from '../../support/rates/exchange-rates.ts'
import { bookOf } from '../../support/rates/rate-cards.ts'

const HEADER =
  'carrier_code,service,name,method,amount,formula,per,fuelable,to_countries,slot,weekdays,max_cod_eur,un_numbers,refused_un_numbers,condition,requires'

type Fields = Readonly<Record<string, string>>

const csv = (rows: readonly Fields[]): string =>
  [HEADER, ...rows.map((row) => HEADER.split(',').map((name) => cell(cellOf(row, name))))]
    .join('\n')
    .concat('\n')
const cell = (text: string): string => (/[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
const cellOf = (row: Fields, name: string): string =>
  ({ carrier_code: 'duinpost', per: 'shipment', fuelable: 'no', method: 'flat', ...row })[name] ?? ''

const readWith = (rows: readonly Fields[], files: Fields = {}) =>
  readRateCard(filesOf({ ...SMALL_CARD, 'services.csv': csv(rows), ...files }))

function bookWith(rows: readonly Fields[], files: Fields = {}): RateBook {
  const { card, faults } = readWith(rows, files)
  if (card === undefined) throw new Error(JSON.stringify(faults))
  expect(checkRateCard(card).faults).toEqual([])
  return bookOf(card)
}

const DAY = '2026-11-20'
const RATES = exchangeRates(
  ['GBP', '2026-11-20', '0.8'],
  ['PLN', '2026-11-19', '4.25'],
  ['HUF', '2026-11-01', '400'],
)

type Sent = { readonly to?: string; readonly count?: number; readonly freightClass?: string }

function quoted(
  book: RateBook,
  services: readonly object[],
  { to = 'NL', count = 1, freightClass }: Sent = {},
) {
  const request = checkRatesRequest({
    ...{ from: { country: 'NL' }, to: { country: to }, services },
    parcels: [{ type: 'NONDOC', weight: 4, length: 20, width: 20, height: 10, count, freightClass }],
  })
  if ('kind' in request) throw new Error(JSON.stringify(request.fields))
  return quote(book, request, DAY, undefined, RATES)
}

function optionOf(...args: Parameters<typeof quoted>): RateOption {
  const { options, declined } = quoted(...args)
  const [option] = options
  if (option === undefined) throw new Error(JSON.stringify(declined.map(({ decline }) => decline)))
  expect(option.priceCents).toBe(option.lines.reduce((sum, { amountCents }) => sum + amountCents, 0))
  return option
}

/** The name and the amount of the line of the service. */
const feeOf = (...args: Parameters<typeof quoted>): string => {
  const line = optionOf(...args).lines.find(({ kind }) => kind === 'SERVICE')!
  return `${line.item} ${formatCents(line.amountCents)}`
}
const refusalOf = (...args: Parameters<typeof quoted>): string => {
  const { options, declined } = quoted(...args)
  expect(options).toEqual([])
  const { decline } = declined[0]!
  return `${decline.code}: ${describeDecline(decline).message}`
}

const collect = (amount: string, currency = 'EUR') => [
  { service: 'CASH_ON_DELIVERY', cashOnDelivery: { amount, currency } },
]
const goods = (...dangerousGoods: readonly object[]) => [{ service: 'DANGEROUS_GOODS', dangerousGoods }]
const COD = { service: 'CASH_ON_DELIVERY', method: 'formula' }
const DG = { service: 'DANGEROUS_GOODS' }

describe('the fee of cash on delivery', () => {
  const PERCENT = { ...COD, formula: 'max(3.50, min(25, 1.5% * cod_amount))' }
  const TIERS = { ...COD, formula: 'by cod_amount {..100: 4.50, 100..500: 6.50, 500..: 1.4% * cod_amount}' }

  test.each([
    ['a fixed amount', { ...COD, method: 'flat', amount: '4.90' }, '250.00', '4.90'],
    ['the minimum', PERCENT, '233.33', '3.50'],
    // 1.5% of 233.67 is 3.50505.
    ['a percentage, rounded half up', PERCENT, '233.67', '3.51'],
    ['a percentage', PERCENT, '1000.00', '15.00'],
    ['the maximum', PERCENT, '1666.67', '25.00'],
    ['the first step up to its end', TIERS, '100.00', '4.50'],
    ['the next step above it', TIERS, '100.01', '6.50'],
    // 1.4% of 500.01 is 7.00014.
    ['the last step, a percentage', TIERS, '500.01', '7.00'],
  ])('is %s', (_, row, amount, fee) => {
    expect(feeOf(bookWith([row]), collect(amount))).toBe(`Cash on delivery ${fee}`)
  })

  test('is calculated from the amount in the currency of the card', () => {
    // 1000 PLN / 4.25 = 235.294… EUR, of which 10% are 23.53.
    const inEuro = bookWith([{ ...COD, formula: '10% * cod_amount' }])
    expect(feeOf(inEuro, collect('1000.00', 'PLN'))).toBe('Cash on delivery 23.53')
    // 1000 PLN / 4.25 * 0.8 = 188.235… GBP, of which 10% are GBP 18.82, which are EUR 23.53 (23.525).
    const inPounds = bookWith([{ ...COD, formula: '10% * cod_amount' }], {
      'price_terms.csv': 'currency,vat_included\nGBP,no\n',
    })
    const option = optionOf(inPounds, collect('1000.00', 'PLN'))
    expect(option.cardPrice?.lines.map(({ item, amountCents }) => [item, amountCents])).toContainEqual([
      'Cash on delivery',
      1882,
    ])
    // No rate is needed if the amount is in the currency of the card.
    expect(optionOf(inPounds, collect('188.24', 'GBP')).priceCents).toBe(option.priceCents)
  })

  test('is explained with the exchange rates and their days', () => {
    const option = optionOf(bookWith([{ ...COD, formula: '10% * cod_amount' }]), collect('1000.00', 'PLN'))
    const { formula, inputs } = explainLine(option, 1)
    expect(formula).toBe('10% * 235.29, rounded half up to the cent')
    expect(inputs.map(({ name, value }) => `${name}: ${value}`)).toEqual([
      ...['trigger: service=CASH_ON_DELIVERY', 'amount to collect: 1000.00 PLN'],
      ...['rate of PLN: 4.25 PLN per EUR', 'rate of PLN of: 2026-11-19'],
      ...['method: formula, once for the shipment', 'formula: 10% * cod_amount', 'cod_amount: 235.29'],
    ])
  })

  test('is not asked for above the maximum of the country', () => {
    const book = bookWith([
      { ...COD, formula: '5', to_countries: 'BE', max_cod_eur: '100.00' },
      { ...COD, formula: '7', to_countries: 'NL', max_cod_eur: '2500.00' },
    ])
    expect(feeOf(book, collect('2500.00'))).toBe('Cash on delivery 7.00')
    expect(refusalOf(book, collect('2500.01'))).toBe(
      'SERVICE_NOT_OFFERED: Cash on delivery is not offered for this shipment',
    )
    const one = bookWith([{ ...COD, formula: '7', max_cod_eur: '2500.00' }])
    expect(refusalOf(one, collect('2500.01'))).toBe(
      'SERVICE_NOT_OFFERED: Cash on delivery is offered up to 2500.00 EUR; 2500.01 EUR are to be collected',
    )
    // 10625.03 PLN are 2500.0071 EUR, rounded to 2500.01.
    expect(refusalOf(one, collect('10625.03', 'PLN'))).toBe(
      'SERVICE_NOT_OFFERED: Cash on delivery is offered up to 10625.00 PLN; 10625.03 PLN are to be collected',
    )
  })

  test('is not guessed without a recent exchange rate', () => {
    const book = bookWith([{ ...COD, method: 'flat', amount: '4.90' }])
    for (const currency of ['HUF', 'XXX'])
      expect(refusalOf(book, collect('10000', currency))).toBe(
        `NO_EXCHANGE_RATE: The amount to collect is in ${currency}, and there is no exchange rate of the last 7 days`,
      )
  })

  test('is not calculated for an amount that is too high for a currency', () => {
    const rates = exchangeRates(['ZWL', DAY, '0.000001'])
    const request = checkRatesRequest({
      ...{ from: { country: 'NL' }, to: { country: 'NL' }, services: collect('100000000', 'ZWL') },
      parcels: [{ type: 'NONDOC', weight: 4, length: 20, width: 20, height: 10, count: 1 }],
    })
    if ('kind' in request) throw new Error(JSON.stringify(request))
    const { options, declined } = quote(bookWith([{ ...COD, formula: '7' }]), request, DAY, undefined, rates)
    expect(options).toEqual([])
    expect(describeDecline(declined[0]!.decline).message).toBe(
      'Cash on delivery is not offered for such a high amount',
    )
  })
})

describe('a slot', () => {
  const book = bookWith([
    { service: 'TIME_SLOT', name: 'Morning', amount: '9.00', slot: '08:00-10:00', to_countries: 'NL' },
    { service: 'TIME_SLOT', name: 'Morning', amount: '12.00', slot: '08:00-10:00', to_countries: 'BE' },
    {
      service: 'TIME_SLOT',
      name: 'Evening',
      amount: '3.00',
      slot: 'evening',
      weekdays: 'Mon-Fri',
      to_countries: 'NL',
    },
    { service: 'APPOINTMENT', amount: '5.00' },
  ])
  const inSlot = (slot?: string) => [{ service: 'TIME_SLOT', slot }]

  test('has the price of its row', () => {
    expect(feeOf(book, inSlot('08:00-10:00'))).toBe('Morning 9.00')
    expect(feeOf(book, inSlot('08:00-10:00'), { to: 'BE' })).toBe('Morning 12.00')
    expect(feeOf(book, inSlot('evening'))).toBe('Evening 3.00')
  })

  test.each([
    [
      'that the card does not state',
      inSlot('10:00-12:00'),
      'Morning is offered in the slots 08:00-10:00, evening only',
    ],
    [
      'is needed if the card states slots',
      inSlot(),
      'Morning is offered in the slots 08:00-10:00, evening only',
    ],
    [
      'of a service without slots',
      [{ service: 'APPOINTMENT', slot: 'evening' }],
      'Delivery by appointment is offered without a slot only',
    ],
  ])('%s is declined with the reason', (_, services, reason) => {
    expect(refusalOf(book, services)).toBe(`SERVICE_NOT_OFFERED: ${reason}`)
  })

  test('to a country that its row does not serve is declined with the reason', () => {
    expect(refusalOf(book, inSlot('evening'), { to: 'BE' })).toBe(
      'SERVICE_NOT_OFFERED: Morning is offered to NL only',
    )
  })

  test('can be used in conditions', () => {
    const surcharges = `${SMALL_CARD['surcharges.csv']!.split('\n')[0]},condition\n`
    const columns = surcharges.trim().split(',')
    const values: Fields = {
      ...{
        carrier_code: 'duinpost',
        code: 'LATE',
        name: 'Late',
        reason: 'Late',
        phase: 'accessorial',
        method: 'flat',
      },
      ...{
        amount: '1.00',
        per: 'shipment',
        fuelable: 'no',
        valid_from: '2026-01-01',
        condition: 'slot = evening',
      },
    }
    const late = bookWith(
      [
        { service: 'TIME_SLOT', amount: '3.00', slot: 'evening' },
        { service: 'TIME_SLOT', amount: '4.00', slot: '08:00-10:00' },
      ],
      { 'surcharges.csv': `${surcharges}${columns.map((name) => values[name] ?? '').join(',')}\n` },
    )
    const names = (slot: string) => optionOf(late, inSlot(slot)).lines.map(({ item }) => item)
    expect(names('evening')).toContain('Late')
    expect(names('08:00-10:00')).not.toContain('Late')
  })
})

describe('dangerous goods', () => {
  const LITHIUM = { unNumber: 'UN3480', hazardClass: 'CLASS_9' }
  const PAINT = { unNumber: 'UN1263', hazardClass: 'CLASS_3', packingGroup: 'II' }
  const book = bookWith([
    { ...DG, name: 'Lithium', amount: '9.00', un_numbers: 'UN3480|UN3481|UN3090|UN3091' },
    { ...DG, name: 'Limited quantities', amount: '15.00', condition: 'limited_quantity' },
    {
      ...{
        ...DG,
        name: 'Dangerous goods',
        method: 'formula',
        formula: 'max(40, 1.20 * dg_net_kg) + 6 * dg_packages',
      },
      ...{
        refused_un_numbers: 'UN0081',
        condition: 'dg_class in (CLASS_3, CLASS_9) and packing_group in (II, III, UNKNOWN)',
      },
    },
  ])

  test.each([
    ['by UN number', [LITHIUM], 'Lithium 9.00'],
    ['by limited quantity', [{ ...PAINT, limitedQuantity: true }], 'Limited quantities 15.00'],
    // max(40, 12) + 6 * 2
    ['by net weight and packages', [{ ...PAINT, netWeightKg: '10', packages: 2 }], 'Dangerous goods 52.00'],
    // 1.20 * 50 + 6 * 1
    ['by a high net weight', [{ ...PAINT, netWeightKg: 50, packages: 1 }], 'Dangerous goods 66.00'],
    // One of them is not in a limited quantity, and only one of them is a battery: max(40, 3.6) + 6 * 3.
    [
      'as a whole if they are mixed',
      [
        { ...PAINT, limitedQuantity: true, netWeightKg: '1', packages: 1 },
        { ...LITHIUM, netWeightKg: '2', packages: 2 },
      ],
      'Dangerous goods 58.00',
    ],
  ])('are priced %s', (_, dangerous, fee) => {
    expect(feeOf(book, goods(...dangerous))).toBe(fee)
  })

  test('are declined if one of them is not accepted', () => {
    const explosive = { unNumber: 'UN0012', hazardClass: 'CLASS_1_4' }
    expect(refusalOf(book, goods(PAINT, explosive))).toBe(
      'SERVICE_NOT_OFFERED: Lithium is not offered for this shipment',
    )
  })

  test('without net weight and packages count as the whole shipment', () => {
    // 15 parcels of 4 kg: 1.20 * 60 + 6 * 15.
    expect(feeOf(book, goods(PAINT), { count: 15 })).toBe('Dangerous goods 162.00')
  })

  test.each([
    [{ unNumber: 'UN0081', hazardClass: 'CLASS_1_1' }, 'is not offered for this shipment'],
    // The class is not stated, so it may be any.
    [{ unNumber: 'UN1263', packingGroup: 'II' }, 'is not offered for this shipment'],
  ])('that no row accepts are declined: %j', (dangerous, reason) => {
    expect(refusalOf(book, goods(dangerous))).toBe(`SERVICE_NOT_OFFERED: Lithium ${reason}`)
  })

  test('that the only row refuses are declined with their UN numbers', () => {
    const one = bookWith([
      { ...DG, amount: '9.00', un_numbers: 'UN3480|UN3481', refused_un_numbers: 'UN1203' },
    ])
    expect(refusalOf(one, goods(LITHIUM, PAINT))).toBe(
      'SERVICE_NOT_OFFERED: Dangerous goods is not offered for UN1263',
    )
  })
})

describe('the services that can be added', () => {
  test('have one entry for each slot, and no price if they need an input', () => {
    const book = bookWith([
      { service: 'TIME_SLOT', name: 'Morning', amount: '9.00', slot: '08:00-10:00', weekdays: 'Mon|Sat' },
      { service: 'TIME_SLOT', name: 'Evening', amount: '3.00', slot: 'evening' },
      { service: 'TIME_SLOT', name: 'Far', amount: '3.00', slot: 'night', to_countries: 'BE' },
      { service: 'APPOINTMENT', amount: '5.00', slot: '12:00-18:00' },
      { service: 'APPOINTMENT', amount: '4.00' },
      { ...COD, name: 'COD', formula: '2% * cod_amount', max_cod_eur: '500.00' },
      { ...COD, name: 'COD', formula: '3% * cod_amount', max_cod_eur: '900.00' },
      { ...DG, amount: '9.00', condition: 'un_number = UN3480', requires: 'TIME_SLOT' },
    ])
    const before = optionOf(book, [])
    const list = availableServices(before)
    expect(
      list.map(({ service, slot, name, weekdays, needs, maxCollectedCents, price }) => [
        ...[service, slot, name, weekdays, needs, maxCollectedCents, price?.cents],
      ]),
    ).toEqual([
      ['TIME_SLOT', '08:00-10:00', 'Morning', [1, 6], 'slot', undefined, 900],
      ['TIME_SLOT', 'evening', 'Evening', [], 'slot', undefined, 300],
      ['APPOINTMENT', '12:00-18:00', 'Delivery by appointment', [], 'slot', undefined, 500],
      ['APPOINTMENT', undefined, 'Delivery by appointment', [], undefined, undefined, 400],
      ['CASH_ON_DELIVERY', undefined, 'COD', [], 'cashOnDelivery', 90_000, undefined],
    ])
    for (const { service, slot, price } of list)
      if (price !== undefined)
        expect(optionOf(book, [{ service, slot }]).priceCents).toBe(before.priceCents + price.cents)
    const evening = optionOf(book, [{ service: 'TIME_SLOT', slot: 'evening' }])
    expect(availableServices(evening).map(({ service, slot }) => [service, slot])).toEqual([
      ['APPOINTMENT', '12:00-18:00'],
      ['APPOINTMENT', undefined],
      ['CASH_ON_DELIVERY', undefined],
      ['DANGEROUS_GOODS', undefined],
    ])
    // The slot that was chosen is still part of the price.
    const both = availableServices(evening).find(({ slot }) => slot === '12:00-18:00')!
    expect(both.price!.after.lines.map(({ item }) => item)).toContain('Evening')
  })

  test('state the weekdays of the row that applies', () => {
    const slot = { service: 'TIME_SLOT', amount: '3.00', slot: 'evening' }
    const book = bookWith([
      { ...slot, to_countries: 'BE', weekdays: 'Mon' },
      { ...slot, weekdays: 'Fri-Sat' },
    ])
    const daysTo = (to: string) => availableServices(optionOf(book, [], { to }))[0]?.weekdays
    expect([daysTo('BE'), daysTo('NL')]).toEqual([[1], [5, 6]])
  })

  test('state the largest amount in euro', () => {
    const book = bookWith([{ ...COD, formula: '7', max_cod_eur: '100.01' }], {
      'price_terms.csv': 'currency,vat_included\nGBP,no\n',
    })
    // 100.01 / 0.8 = 125.0125
    expect(availableServices(optionOf(book, []))[0]?.maxCollectedCents).toBe(12_501)
  })
})

describe('the inputs of a request', () => {
  const read = (services: unknown) => {
    const request = checkRatesRequest({
      ...{ from: { country: 'NL' }, to: { country: 'NL' }, services },
      parcels: [{ type: 'DOC', count: 1 }],
    })
    return 'kind' in request ? request.fields.map(({ path, code }) => `${path.join('.')} ${code}`) : request
  }

  test('are read', () => {
    expect(
      read([
        ...collect('1000.50', 'PLN'),
        { service: 'TIME_SLOT', slot: 'evening' },
        ...goods({
          unNumber: 'UN1263',
          hazardClass: 'CLASS_3',
          packingGroup: 'II',
          netWeightKg: '0.25',
          packages: 2,
        }),
      ]),
    ).toMatchObject({
      services: ['TIME_SLOT', 'CASH_ON_DELIVERY', 'DANGEROUS_GOODS'],
      serviceInputs: {
        slots: { TIME_SLOT: 'evening' },
        cashOnDelivery: { currency: 'PLN', hundredths: 100_050 },
        dangerousGoods: [
          {
            ...{ unNumber: 'UN1263', hazardClass: 'CLASS_3', packingGroup: 'II' },
            ...{ limitedQuantity: false, netGrams: 250, packages: 2 },
          },
        ],
      },
    })
    expect(read(collect('5000', 'JPY'))).toMatchObject({
      serviceInputs: { cashOnDelivery: { currency: 'JPY', hundredths: 500_000 } },
    })
  })

  test.each([
    ['cash on delivery without an amount', ['CASH_ON_DELIVERY'], ['services.0.cashOnDelivery REQUIRED']],
    [
      'an amount without cash on delivery',
      [{ ...collect('5')[0], service: 'SIGNATURE' }],
      ['services.0.cashOnDelivery CONFLICT'],
    ],
    ['an amount of 0', collect('0'), ['services.0.cashOnDelivery.amount OUT_OF_RANGE']],
    ['an amount above the limit', collect('100000000.01'), ['services.0.cashOnDelivery.amount OUT_OF_RANGE']],
    ['too many decimals', collect('1.005'), ['services.0.cashOnDelivery.amount MALFORMED']],
    ['decimals of yen', collect('1.5', 'JPY'), ['services.0.cashOnDelivery.amount MALFORMED']],
    ['no amount', collect(''), ['services.0.cashOnDelivery.amount REQUIRED']],
    ['a currency in lower case', collect('5', 'pln'), ['services.0.cashOnDelivery.currency MALFORMED']],
    [
      'an amount that is no object',
      [{ service: 'CASH_ON_DELIVERY', cashOnDelivery: '5' }],
      ['services.0.cashOnDelivery WRONG_TYPE'],
    ],
    ['a slot of another service', [{ service: 'SATURDAY', slot: 'evening' }], ['services.0.slot CONFLICT']],
    [
      'a slot that ends first',
      [{ service: 'TIME_SLOT', slot: '10:00-08:00' }],
      ['services.0.slot MALFORMED'],
    ],
    ['a slot at no time', [{ service: 'TIME_SLOT', slot: '08:00-24:00' }], ['services.0.slot MALFORMED']],
    ['a slot in capitals', [{ service: 'TIME_SLOT', slot: 'Evening' }], ['services.0.slot MALFORMED']],
    ['dangerous goods without goods', ['DANGEROUS_GOODS'], ['services.0.dangerousGoods REQUIRED']],
    ['an empty list of goods', goods(), ['services.0.dangerousGoods REQUIRED']],
    [
      'more than ten goods',
      goods(...Array.from({ length: 11 }, () => ({ unNumber: 'UN1263' }))),
      ['services.0.dangerousGoods TOO_MANY'],
    ],
    ['goods without a UN number', goods({}), ['services.0.dangerousGoods.0.unNumber REQUIRED']],
    [
      'every fault of goods',
      goods(
        { unNumber: 'UN126', hazardClass: '3', packingGroup: 'IV', netWeightKg: '0.0001', packages: 1000 },
        { unNumber: 1263, limitedQuantity: 'yes' },
      ),
      [
        ...['unNumber MALFORMED', 'hazardClass UNKNOWN_VALUE', 'packingGroup UNKNOWN_VALUE'],
        ...['netWeightKg MALFORMED', 'packages OUT_OF_RANGE'],
      ]
        .map((fault) => `services.0.dangerousGoods.0.${fault}`)
        .concat(
          'services.0.dangerousGoods.1.unNumber WRONG_TYPE',
          'services.0.dangerousGoods.1.limitedQuantity WRONG_TYPE',
        ),
    ],
    ['an entry without a service', [{ slot: 'evening' }], ['services.0.service UNKNOWN_VALUE']],
    ['two entries of a service', [...collect('5'), ...collect('6')], ['services.1 CONFLICT']],
  ])('are refused: %s', (_, services, faults) => {
    expect(read(services)).toEqual(faults)
  })
})

describe('services.csv', () => {
  const faultsOf = (...rows: readonly Fields[]) =>
    readWith(rows).faults.map(({ row, column, expected }) => `row ${row}, ${column}: ${expected}`)

  test.each([
    [
      'a slot of another service',
      { service: 'SATURDAY', amount: '1', slot: 'evening' },
      'row 2, slot: an empty cell: only TIME_SLOT and APPOINTMENT can have it',
    ],
    [
      'a slot that is none',
      { service: 'TIME_SLOT', amount: '1', slot: '8-10' },
      'row 2, slot: a slot such as evening or 08:00-10:00',
    ],
    [
      'weekdays without a slot',
      { service: 'TIME_SLOT', amount: '1', weekdays: 'Mon-Fri' },
      'row 2, slot: the slot that is delivered in on these weekdays',
    ],
    [
      'a maximum of another service',
      { service: 'SATURDAY', amount: '1', max_cod_eur: '5' },
      'row 2, max_cod_eur: an empty cell: only CASH_ON_DELIVERY can have it',
    ],
    [
      'a maximum of 0',
      { ...COD, formula: '1', max_cod_eur: '0' },
      'row 2, max_cod_eur: a number with at most 2 decimals, above 0',
    ],
    [
      'a UN number of another service',
      { service: 'SATURDAY', amount: '1', un_numbers: 'UN3480' },
      'row 2, un_numbers: an empty cell: only DANGEROUS_GOODS can have it',
    ],
    [
      'a UN number without UN',
      { ...DG, amount: '1', refused_un_numbers: '3480' },
      'row 2, refused_un_numbers: UN numbers such as UN3480|UN3481 (at most 500)',
    ],
    [
      'too many UN numbers',
      { ...DG, amount: '1', un_numbers: Array(501).fill('UN3480').join('|') },
      'row 2, un_numbers: UN numbers such as UN3480|UN3481 (at most 500)',
    ],
  ])('has a fault for %s', (_, row, fault) => {
    expect(faultsOf(row)).toEqual([fault])
  })

  const checked = (...rows: readonly Fields[]) => {
    const { card } = readWith(rows)
    const { faults, warnings } = checkRateCard(card!)
    return [...faults, ...warnings]
      .filter(({ table }) => table === 'services')
      .map(({ index, field, found }) => `${index} ${field}: ${found}`)
  }

  test.each([
    ['an amount with a unit', 'cod_amount > 5 kg', 12],
    ['a word as an amount', '2 * cod_currency > 5', 5],
    ['a UN number without UN', 'un_number = 3480', 13],
    ['a class in figures', 'dg_class = 3', 12],
    ['an unknown slot form', 'slot = "8-10"', 8],
    ['a net weight with a length', 'dg_net_kg > 5 cm', 11],
  ])('has a fault for a condition with %s', (_, condition, character) => {
    const { card } = readWith([{ ...DG, amount: '1', condition }])
    expect(checkRateCard(card!).faults).toEqual([
      {
        ...{ table: 'services', index: 0, field: 'condition', found: condition },
        expected: expect.stringContaining(`(character ${character}: `),
      },
    ])
  })

  test('has a fault for a number that is accepted and refused, and for a slot that no request can use', () => {
    expect(checked({ ...DG, amount: '1', un_numbers: 'UN3480', refused_un_numbers: 'UN3480' })).toEqual([
      '0 refusedUnNumbers: UN3480',
    ])
    const slot = { service: 'TIME_SLOT', amount: '1', slot: 'evening' }
    expect(checked(slot, { ...slot, slot: 'night' }, { service: 'TIME_SLOT', amount: '1' })).toEqual([])
    expect(checked(slot, { ...slot, amount: '2' })).toEqual([
      expect.stringMatching(/^1 service: TIME_SLOT of /),
    ])
  })

  test('has a fault for more than 50 slots of a service', () => {
    const rows = Array.from({ length: 51 }, (_, at) => ({
      service: 'TIME_SLOT',
      amount: '1',
      slot: `slot-${at}`,
    }))
    expect(checked(...rows)).toEqual(['50 slot: slot-50'])
    expect(checked(...rows.slice(1))).toEqual([])
  })

  test('has a warning for cash on delivery in percent of the freight', () => {
    expect(checked({ ...COD, method: 'pct', amount: '2' })).toEqual(['0 method: pct'])
  })
})

describe('a service by freight class', () => {
  const book = bookWith([
    { ...DG, name: 'Bulky', amount: '50', to_countries: 'NL', condition: 'freight_class >= 100' },
    { ...DG, name: 'Other', amount: '10' },
    {
      service: 'TIME_SLOT',
      name: 'Morning',
      slot: 'morning',
      amount: '9',
      condition: 'freight_class >= 100',
    },
    { service: 'TIME_SLOT', name: 'Morning', slot: 'morning', amount: '2' },
  ])
  const needsClass = /^SERVICE_NOT_OFFERED: .* is offered only if the freight class of every unit is stated$/

  test('has the price of the first row that fits', () => {
    expect(feeOf(book, goods({ unNumber: 'UN1263' }), { freightClass: '100' })).toBe('Bulky 50.00')
    expect(feeOf(book, goods({ unNumber: 'UN1263' }), { freightClass: '92.5' })).toBe('Other 10.00')
  })

  test('is not cheaper without the class', () => {
    expect(refusalOf(book, goods({ unNumber: 'UN1263' }))).toMatch(needsClass)
    expect(refusalOf(book, [{ service: 'TIME_SLOT', slot: 'morning' }])).toMatch(needsClass)
    // The row with the class is not for the country.
    expect(feeOf(book, goods({ unNumber: 'UN1263' }), { to: 'BE' })).toBe('Other 10.00')
  })

  test('is listed with the price that a request with it has', () => {
    const slotsOf = (sent: Sent) =>
      availableServices(optionOf(book, [], sent)).flatMap(({ slot, price }) =>
        slot === undefined ? [] : [[slot, price?.cents]],
      )
    expect(slotsOf({ freightClass: '100' })).toEqual([['morning', 900]])
    expect(slotsOf({ freightClass: '50' })).toEqual([['morning', 200]])
    expect(slotsOf({})).toEqual([])
  })
})
