import { describe, expect, test } from 'vitest'
import { checkDutiesRequest } from '../../../src/core/customs/request.ts'

const tee = { description: 'Cotton T-shirt', numberOfItems: 5, cost: 10 }
const route = { from: { country: 'cn' }, to: { country: 'NL', zipcode: '1012 AB' } }

function faults(contentItems: unknown, rest: object = {}): readonly string[] {
  const checked = checkDutiesRequest({ ...route, contentItems, ...rest })
  return 'kind' in checked ? checked.fields.map((field) => `${field.path.join('.')} ${field.code}`) : []
}

test('reads every field of a valid request exactly', () => {
  const quantities = [{ unit: 'hl', amount: '0.0075' }]
  const items = [
    {
      ...tee,
      cost: 0.0001,
      tariff: ' 6109.10 00',
      originCountry: 'bd',
      weight: '0.25',
      quantities,
      colour: 'red',
    },
  ]
  const facts = {
    asOf: '2026-07-01T00:30:00+02:00',
    shippingCost: 12.5,
    insurance: 0,
    recipientType: 'business',
    preferences: false,
  }
  expect(checkDutiesRequest({ ...route, contentItems: items, ...facts })).toEqual({
    from: { country: 'CN' },
    to: { country: 'NL', zipcode: '1012 AB' },
    items: [
      {
        description: 'Cotton T-shirt',
        numberOfItems: 5,
        costSteps: 100,
        tariff: '61091000',
        originCountry: 'BD',
        weightGrams: 250,
        quantities: [{ unit: 'hl', amountMicros: 7500 }],
      },
    ],
    date: '2026-06-30',
    shippingCents: 1250,
    insuranceCents: 0,
    recipient: 'business',
    preferences: false,
  })
})

test('accepts goods without value', () => {
  expect(faults([{ ...tee, cost: 0 }])).toEqual([])
})

test('reports every fault at once, in the order of the request', () => {
  const items = [
    'socks',
    { description: '  ', numberOfItems: 0.5, cost: -1, tariff: '12345', originCountry: 'EU' },
    { description: 7, numberOfItems: 1_000_001, cost: 1.23456, tariff: '61.09-10' },
    {},
    { ...tee, tariff: '1234567890123', weight: 0.0001, quantities: [{ unit: '', amount: -1 }, 'kg'] },
  ]
  const checked = {
    from: { country: 'ZZ' },
    to: {},
    asOf: 'yesterday',
    shippingCost: -1,
    insurance: 'much',
    recipientType: 'company',
    preferences: 'yes',
  }
  expect(faults(items, checked)).toEqual([
    'contentItems.0 WRONG_TYPE',
    'contentItems.1.description REQUIRED',
    'contentItems.1.numberOfItems MALFORMED',
    'contentItems.1.cost OUT_OF_RANGE',
    'contentItems.1.tariff MALFORMED',
    'contentItems.1.originCountry UNKNOWN_VALUE',
    'contentItems.2.description WRONG_TYPE',
    'contentItems.2.numberOfItems OUT_OF_RANGE',
    'contentItems.2.cost MALFORMED',
    'contentItems.2.tariff MALFORMED',
    'contentItems.3.description REQUIRED',
    'contentItems.3.numberOfItems REQUIRED',
    'contentItems.3.cost REQUIRED',
    'contentItems.4.tariff MALFORMED',
    'contentItems.4.weight MALFORMED',
    'contentItems.4.quantities.0.unit REQUIRED',
    'contentItems.4.quantities.0.amount OUT_OF_RANGE',
    'contentItems.4.quantities.1 WRONG_TYPE',
    'from.country UNKNOWN_VALUE',
    'to.country REQUIRED',
    'asOf MALFORMED',
    'shippingCost OUT_OF_RANGE',
    'insurance MALFORMED',
    'recipientType UNKNOWN_VALUE',
    'preferences WRONG_TYPE',
  ])
})

const litres = (amount: number) => ({ unit: 'l', amount })

describe('limits', () => {
  test.each([
    ['no items', [], 'contentItems REQUIRED'],
    ['no list', 'socks', 'contentItems WRONG_TYPE'],
    ['a hundred items', Array.from({ length: 100 }, () => tee), 'contentItems TOO_MANY'],
    ['a long description', [{ ...tee, description: 'x'.repeat(501) }], 'contentItems.0.description TOO_LONG'],
    ['a cost above a billion', [{ ...tee, cost: 1_000_000_001 }], 'contentItems.0.cost OUT_OF_RANGE'],
    [
      'a value that would leave exact cents',
      [{ ...tee, cost: 1_000_000_000, numberOfItems: 1_000 }],
      'contentItems.0.cost OUT_OF_RANGE',
    ],
    [
      'a weight that would leave exact cents',
      [{ ...tee, weight: 100_001, numberOfItems: 1_000 }],
      'contentItems.0.weight OUT_OF_RANGE',
    ],
    [
      'a quantity that would leave exact cents, in another unit',
      [{ ...tee, quantities: [litres(100), { unit: 'hl', amount: 1_001 }], numberOfItems: 1_000 }],
      'contentItems.0.quantities.1.amount OUT_OF_RANGE',
    ],
    [
      'litres of pure alcohol that would be too many litres of the goods',
      [{ ...tee, quantities: [{ unit: 'l pure alcohol', amount: 101 }], alcoholPercent: 0.0001 }],
      'contentItems.0.quantities.0.amount OUT_OF_RANGE',
    ],
  ])('rejects %s', (_name, items, fault) => {
    expect(faults(items)).toEqual([fault])
  })
  test('accepts 99 items of the greatest value and quantities', () => {
    const item = { ...tee, cost: 1_000_000_000, numberOfItems: 10, weight: 1_000_000 }
    const quantities = [{ unit: 'hl', amount: 100_000 }]
    expect(faults(Array.from({ length: 99 }, () => ({ ...item, quantities })))).toEqual([])
  })
})

test('cuts a code of 11 or 12 digits to 10', () => {
  const checked = checkDutiesRequest({ ...route, contentItems: [{ ...tee, tariff: '6109.10.00.00.12' }] })
  expect('items' in checked && checked.items[0]?.tariff).toBe('6109100000')
})
