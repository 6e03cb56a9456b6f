import { describe, expect, test } from 'vitest'
import { checkDutiesRequest } from '../../../src/core/customs/request.ts'

const tee = { description: 'Cotton T-shirt', numberOfItems: 5, cost: 10 }
const route = { from: { country: 'cn' }, to: { country: 'NL', zipcode: '1012 AB' } }

function faults(contentItems: unknown, rest: object = {}): readonly string[] {
  const checked = checkDutiesRequest({ ...route, contentItems, ...rest })
  return 'kind' in checked ? checked.fields.map((field) => `${field.path.join('.')} ${field.code}`) : []
}

test('a request with all it needs is read exactly', () => {
  const items = [{ ...tee, cost: 0.0001, tariff: ' 6109.10 00', originCountry: 'bd', colour: 'red' }]
  expect(checkDutiesRequest({ ...route, contentItems: items, asOf: '2026-07-01T00:30:00+02:00' })).toEqual({
    from: { country: 'CN' },
    to: { country: 'NL', zipcode: '1012 AB' },
    items: [
      {
        description: 'Cotton T-shirt',
        numberOfItems: 5,
        costSteps: 1,
        tariff: '61091000',
        originCountry: 'BD',
      },
    ],
    date: '2026-06-30',
  })
})

test('goods without value are goods', () => {
  expect(faults([{ ...tee, cost: 0 }])).toEqual([])
})

test('every fault is named at once, in the order of the request', () => {
  const items = [
    'socks',
    { description: '  ', numberOfItems: 0.5, cost: -1, tariff: '12345', originCountry: 'EU' },
    { description: 7, numberOfItems: 1_000_001, cost: 1.23456, tariff: '61.09-10' },
    {},
  ]
  const checked = { from: { country: 'ZZ' }, to: {}, asOf: 'yesterday' }
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
    'from.country UNKNOWN_VALUE',
    'to.country REQUIRED',
    'asOf MALFORMED',
  ])
})

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
  ])('%s is refused', (_name, items, fault) => {
    expect(faults(items)).toEqual([fault])
  })
  test('99 items of the greatest value are accepted', () => {
    expect(
      faults(Array.from({ length: 99 }, () => ({ ...tee, cost: 1_000_000_000, numberOfItems: 10 }))),
    ).toEqual([])
  })
})
