/** Services that the sender chooses: where they are offered, what they cost, and what can be added. */
import { describe, expect, test } from 'vitest'
import { formatCents } from '../../../src/core/money.ts'
import { checkRateCard } from '../../../src/core/rate-card-review/check/card-check.ts'
import { availableServices, servicePriceIn } from '../../../src/core/rating/available-services.ts'
import { describeDecline } from '../../../src/core/rating/book/limits.ts'
import type { RateBook } from '../../../src/core/rating/book/rate-book.ts'
import { chargesOfServices } from '../../../src/core/rating/book/service-offer.ts'
import { explainLine } from '../../../src/core/rating/explain/explain.ts'
import { quote, type RateOption } from '../../../src/core/rating/quote.ts'
import { checkRatesRequest } from '../../../src/core/rating/request.ts'
import { SERVICES, type Service } from '../../../src/core/rating/sender-service.ts'
import { requiredInput } from '../../../src/core/rating/service-inputs.ts'
import { readRateCard } from '../../../src/reference/rate-cards/rate-card-csv.ts'
import { filesOf, SMALL_CARD } from '../../support/rates/card-files.ts'
import { exchangeRates } from '../../support/rates/exchange-rates.ts'
import { bookOf } from '../../support/rates/rate-cards.ts'

const HEADER =
  'carrier_code,service,method,amount,formula,per,fuelable,products,to_countries,zones,min_shipment_kg,max_shipment_kg,max_piece_kg,condition,requires,excludes'

const row = (fields: Readonly<Record<string, string>>): string =>
  HEADER.split(',')
    .map(
      (name) =>
        ({ carrier_code: 'duinpost', per: 'shipment', fuelable: 'no', method: 'flat', ...fields })[name] ??
        '',
    )
    .map((cell) => (cell.includes(',') ? `"${cell}"` : cell))
    .join(',')

/** A book of the small card with fuel, and with services. */
function bookWith(
  services: readonly Readonly<Record<string, string>>[],
  files: Record<string, string> = {},
): RateBook {
  const surcharges = `${SMALL_CARD['surcharges.csv']}duinpost,FUEL,Fuel,Fuel,percent,pct,10,,shipment,always,no,,,2026-01-01,\n`
  const { card, faults, warnings } = readRateCard(
    filesOf({
      ...SMALL_CARD,
      'surcharges.csv': surcharges,
      'services.csv': `${HEADER}\n${services.map(row).join('\n')}\n`,
      ...files,
    }),
  )
  if (card === undefined) throw new Error(JSON.stringify([faults, warnings]))
  expect(checkRateCard(card).faults).toEqual([])
  return bookOf(card)
}

type Shipment = { readonly to?: string; readonly weights?: readonly number[] }

function quoted(book: RateBook, services: readonly Service[], { to = 'NL', weights = [4] }: Shipment = {}) {
  const request = checkRatesRequest({
    ...{ from: { country: 'NL' }, to: { country: to }, services },
    parcels: weights.map((weight) => ({
      type: 'NONDOC',
      weight,
      length: 20,
      width: 20,
      height: 10,
      count: 1,
    })),
  })
  if ('kind' in request) throw new Error(JSON.stringify(request.fields))
  const source = exchangeRates(['GBP', '2026-11-20', '0.8'])
  return quote(book, request, '2026-11-20', undefined, source)
}

function optionOf(...args: Parameters<typeof quoted>): RateOption {
  const { options, declined } = quoted(...args)
  if (options[0] === undefined) throw new Error(JSON.stringify(declined.map(({ decline }) => decline)))
  return options[0]
}

const linesOf = ({ lines }: RateOption): string[] =>
  lines.map(({ item, amountCents }) => `${item} ${formatCents(amountCents)}`)
const addedTo = (option: RateOption): string[] =>
  availableServices(option).map(({ service, slot, price }) =>
    [
      service,
      ...(slot === undefined ? [] : [slot]),
      price === undefined ? 'unknown' : formatCents(price.cents),
    ].join(' '),
  )
const refusalOf = (...args: Parameters<typeof quoted>): readonly (string | undefined)[] => {
  const { options, declined } = quoted(...args)
  expect(options).toEqual([])
  const { decline } = declined[0]!
  return [decline.code, 'service' in decline ? decline.service : undefined, describeDecline(decline).message]
}

describe('a requested service', () => {
  test.each([
    ['flat, for the shipment', { amount: '12.00' }, 'Saturday delivery 12.00'],
    ['flat, for each parcel', { amount: '1.50', per: 'parcel' }, 'Saturday delivery 3.00'],
    ['free', { amount: '0' }, 'Saturday delivery 0.00'],
    ['percent of the freight', { method: 'pct', amount: '10' }, 'Saturday delivery 0.90'],
    ['per kilogram billed', { method: 'per_kg', amount: '0.33' }, 'Saturday delivery 2.64'],
    ['a formula', { method: 'formula', formula: 'max(4, 1.10 * billed_kg)' }, 'Saturday delivery 8.80'],
  ])('is a line of the price: %s', (_, price, line) => {
    const option = optionOf(bookWith([{ service: 'SATURDAY', ...price }]), ['SATURDAY'], { weights: [4, 4] })
    expect(linesOf(option)).toContain(line)
    expect(option.priceCents).toBe(option.lines.reduce((sum, { amountCents }) => sum + amountCents, 0))
  })

  test('comes after the other accessorials and before fuel, which is charged on it if the row says so', () => {
    const book = bookWith([
      { service: 'SIGNATURE', amount: '2.00' },
      { service: 'SATURDAY', amount: '10.00', fuelable: 'yes' },
    ])
    expect(linesOf(optionOf(book, ['SATURDAY', 'SIGNATURE'], { weights: [21] }))).toEqual([
      ...['Freight 11.80', 'Heavy 2.10', 'Signature 2.00', 'Saturday delivery 10.00', 'Fuel 2.39'],
    ])
  })

  test('is explained', () => {
    const book = bookWith([
      { service: 'SATURDAY', amount: '12.00', to_countries: 'BE' },
      { service: 'SATURDAY', method: 'formula', formula: 'max(4, 1.10 * billed_kg)', condition: 'kg <= 20' },
    ])
    const rule = explainLine(optionOf(book, ['SATURDAY']), 1)
    expect(rule).toMatchObject({
      id: 'card@1/duinpost/service SATURDAY 2',
      formula: 'max(4, 1.10 * 4 kg)',
      validFrom: '2026-01-01',
    })
    expect(rule.inputs.map(({ name, value }) => `${name}: ${value}`)).toEqual([
      ...['trigger: service=SATURDAY', 'condition: kg <= 20', 'row 1 kg: 4 kg'],
      ...['method: formula, once for the shipment', 'formula: max(4, 1.10 * billed_kg)', 'billed_kg: 4 kg'],
    ])
  })

  test('has the price of the first row that fits', () => {
    const book = bookWith([
      { service: 'TAIL_LIFT', amount: '10.00', max_shipment_kg: '10' },
      { service: 'TAIL_LIFT', amount: '25.00', max_shipment_kg: '20' },
      { service: 'TAIL_LIFT', amount: '40.00' },
    ])
    const price = (weight: number) =>
      linesOf(optionOf(book, ['TAIL_LIFT'], { weights: [weight] })).find((line) => line.startsWith('Tail'))
    expect([10, 10.1, 20, 20.1].map(price)).toEqual([
      ...['Tail lift 10.00', 'Tail lift 25.00', 'Tail lift 25.00', 'Tail lift 40.00'],
    ])
  })
})

describe('a product is declined', () => {
  const book = bookWith([
    { service: 'SATURDAY', amount: '12.00', to_countries: 'NL', requires: 'SIGNATURE' },
    { service: 'SIGNATURE', amount: '2.00', excludes: 'ADULT_SIGNATURE' },
    { service: 'ADULT_SIGNATURE', amount: '4.00', max_piece_kg: '10' },
    { service: 'TAIL_LIFT', amount: '25.00', min_shipment_kg: '5', max_shipment_kg: '20' },
    { service: 'APPOINTMENT', amount: '5.00', zones: '1' },
    { service: 'TIME_SLOT', amount: '5.00', condition: 'kg > 2 and not service = TAIL_LIFT' },
  ])

  test.each<[string, Service[], Shipment, Service, string]>([
    [
      'without a row of the service',
      ['DUTIES_PAID'],
      {},
      'DUTIES_PAID',
      'Delivered duties paid is not offered with this product',
    ],
    [
      'to another country',
      ['SATURDAY', 'SIGNATURE'],
      { to: 'BE' },
      'SATURDAY',
      'Saturday delivery is offered to NL only',
    ],
    [
      'without the service that it requires',
      ['SATURDAY'],
      {},
      'SATURDAY',
      'Saturday delivery is offered together with Signature only',
    ],
    [
      'with a service that it excludes',
      ['ADULT_SIGNATURE', 'SIGNATURE'],
      {},
      'SIGNATURE',
      'Signature cannot be combined with Signature of an adult',
    ],
    [
      'with a parcel that is too heavy',
      ['ADULT_SIGNATURE'],
      { weights: [2, 10.1] },
      'ADULT_SIGNATURE',
      'Signature of an adult is offered up to 10 kg per unit; one weighs 10.1 kg',
    ],
    [
      'with a shipment that is too light',
      ['TAIL_LIFT'],
      {},
      'TAIL_LIFT',
      'Tail lift is offered from 5 kg on; the shipment weighs 4 kg',
    ],
    [
      'with a shipment that is too heavy',
      ['TAIL_LIFT'],
      { weights: [10, 11] },
      'TAIL_LIFT',
      'Tail lift is offered up to 20 kg; the shipment weighs 21 kg',
    ],
    [
      'in another zone',
      ['APPOINTMENT'],
      {},
      'APPOINTMENT',
      'Delivery by appointment is not offered on this route',
    ],
    [
      'if a parcel does not meet the condition',
      ['TIME_SLOT'],
      { weights: [3, 2] },
      'TIME_SLOT',
      'Delivery in a time slot is not offered for this shipment',
    ],
    [
      'if another service breaks the condition',
      ['TIME_SLOT', 'TAIL_LIFT'],
      { weights: [6] },
      'TIME_SLOT',
      'Delivery in a time slot is not offered for this shipment',
    ],
  ])('%s', (_, services, shipment, service, message) => {
    expect(refusalOf(book, services, shipment)).toEqual(['SERVICE_NOT_OFFERED', service, message])
  })

  test('without a limit in the reason if several rows of the service have one', () => {
    const several = bookWith([
      { service: 'TAIL_LIFT', amount: '10.00', max_shipment_kg: '10' },
      { service: 'TAIL_LIFT', amount: '25.00', max_shipment_kg: '20' },
    ])
    expect(refusalOf(several, ['TAIL_LIFT'], { weights: [21] })[2]).toBe(
      'Tail lift is not offered for this shipment',
    )
  })

  test('and is offered without the service', () => {
    expect(linesOf(optionOf(book, []))).toEqual(['Freight 4.50', 'Fuel 0.45'])
  })
})

test('a condition is evaluated once for all products of a request', () => {
  const book = bookWith([{ service: 'SATURDAY', amount: '12.00', condition: 'kg <= 20' }])
  const { facts, shared } = optionOf(book, ['SATURDAY']).pricing
  const [offer] = shared.group.services
  let evaluated = 0
  const holds = () => {
    evaluated++
    return false
  }
  const condition = { ...offer!.condition!, holds }
  const surchargeFacts = { ...shared.route.surchargeFacts, misfits: new Map() }
  expect(facts.request.services).toEqual(['SATURDAY'])
  const declined = { code: 'SERVICE_NOT_OFFERED', service: 'SATURDAY' }
  for (const _ of Array(3))
    expect(chargesOfServices([{ ...offer!, condition }], ['SATURDAY'], surchargeFacts)).toMatchObject(
      declined,
    )
  expect(evaluated).toBe(1)
})

describe('the services that can be added', () => {
  const book = bookWith([
    { service: 'SATURDAY', amount: '10.00', fuelable: 'yes', requires: 'SIGNATURE' },
    { service: 'SIGNATURE', amount: '2.00', excludes: 'ADULT_SIGNATURE' },
    { service: 'ADULT_SIGNATURE', amount: '4.00' },
    { service: 'TAIL_LIFT', amount: '25.00', min_shipment_kg: '5' },
  ])

  test('are those that fit the shipment and the services of the request, with what each adds', () => {
    expect(addedTo(optionOf(book, []))).toEqual(['SIGNATURE 2.00', 'ADULT_SIGNATURE 4.00'])
    expect(addedTo(optionOf(book, [], { weights: [5] }))).toContain('TAIL_LIFT 25.00')
    // 10.00, and 10% fuel on it.
    expect(addedTo(optionOf(book, ['SIGNATURE']))).toEqual(['SATURDAY 11.00'])
    expect(addedTo(optionOf(book, ['SATURDAY', 'SIGNATURE']))).toEqual([])
    expect(addedTo(optionOf(book, ['ADULT_SIGNATURE']))).toEqual([])
  })

  test('have the price in the currency of the card, with and without VAT, and in euro', () => {
    const inPounds = bookWith([{ service: 'SATURDAY', amount: '10.00' }], {
      'price_terms.csv': 'currency,vat_included\nGBP,yes\n',
      'vat_rate.csv': 'zone,rate_pct\n0,20\n1,20\n',
    })
    const [saturday] = availableServices(optionOf(inPounds, []))
    expect(servicePriceIn(saturday!.price!)).toMatchObject({
      currency: 'GBP',
      netUnits: 833,
      grossUnits: 1000,
    })
    expect(servicePriceIn(saturday!.price!, 'EUR')).toMatchObject({
      netUnits: saturday!.price!.cents,
      grossUnits: 1250,
    })
    expect(optionOf(inPounds, ['SATURDAY']).priceCents - optionOf(inPounds, []).priceCents).toBe(
      saturday!.price!.cents,
    )
  })

  test('are priced with the surcharges that depend on them', () => {
    const surcharges =
      'carrier_code,code,reason,phase,method,amount,per,trigger,condition,fuelable,valid_from\n' +
      'duinpost,STANDARD,Standard delivery,accessorial,flat,3.00,shipment,,"not service in (SATURDAY, TIME_SLOT)",no,2026-01-01\n'
    const replaced = bookWith([{ service: 'SATURDAY', amount: '2.00' }], { 'surcharges.csv': surcharges })
    expect(addedTo(optionOf(replaced, []))).toEqual(['SATURDAY -1.00'])
    expect(linesOf(optionOf(replaced, ['SATURDAY']))).toEqual(['Freight 4.50', 'Saturday delivery 2.00'])
  })
})

describe('the services of a request', () => {
  const WITHOUT_INPUT = SERVICES.filter((service) => requiredInput(service) === undefined)
  const read = (services: unknown) => {
    const request = checkRatesRequest({
      ...{ from: { country: 'NL' }, to: { country: 'NL' }, services },
      parcels: [{ type: 'DOC', count: 1 }],
    })
    return 'kind' in request ? request.fields : request.services
  }

  test.each([
    ['each once, in a fixed order', ['SIGNATURE', 'SATURDAY', 'SIGNATURE'], ['SATURDAY', 'SIGNATURE']],
    ['none in an empty list', [], undefined],
    ['none without a list', null, undefined],
    ['all that need no input', WITHOUT_INPUT, WITHOUT_INPUT],
  ])('are %s', (_, services, expected) => {
    expect(read(services)).toEqual(expected)
  })

  test.each([
    [
      [...SERVICES, 'SATURDAY'],
      { path: ['services'], code: 'TOO_MANY', message: 'must have at most 9 entries' },
    ],
    ['SATURDAY', { path: ['services'], code: 'WRONG_TYPE', message: 'must be a list' }],
    [
      ['SATURDAY', 'SUNDAY'],
      {
        path: ['services', 1],
        code: 'UNKNOWN_VALUE',
        message: expect.stringContaining('must be one of SATURDAY, '),
      },
    ],
  ])('are refused: %j', (services, fault) => {
    expect(read(services)).toEqual([fault])
  })
})
