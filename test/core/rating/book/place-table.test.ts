import { describe, expect, test } from 'vitest'
import { compileCapitals, compilePlaces, valueOfPlace } from '../../../../src/core/rating/book/place-table.ts'
import type { AreaRow } from '../../../../src/core/rating/rate-card.ts'

const areaRow = (row: Omit<AreaRow, 'areaList'>): AreaRow => ({ areaList: '', ...row })
const areas = compilePlaces(
  [
    areaRow({ country: 'DK', from: '3700', to: '3790', areaClass: 'ISLAND' }),
    areaRow({ country: 'NO', from: '80', to: '99', areaClass: 'REMOTE' }),
    areaRow({ country: 'NO', from: '9170', to: '9179', areaClass: 'OVERSEAS' }),
    areaRow({ country: 'NO', city: 'Finnøy', areaClass: 'ISLAND' }),
    areaRow({ country: 'GB', from: 'PO30', to: 'PO41', areaClass: 'ISLAND' }),
    areaRow({ country: 'AE', city: 'Al Ain', areaClass: 'REMOTE' }),
    areaRow({ country: 'AE', city: 'Abu Dhabi', areaClass: 'OVERSEAS' }),
  ],
  ({ areaClass }) => areaClass,
)
const capitals = compileCapitals([
  { country: 'NO', city: 'Oslo', postalCode: '0150' },
  { country: 'AE', city: 'Abu Dhabi', postalCode: '' },
])
const area = (country: string, zipcode?: string, city?: string) =>
  valueOfPlace(areas, capitals, {
    country,
    ...(zipcode !== undefined && { zipcode }),
    ...(city !== undefined && { city }),
  })

describe('an area', () => {
  test.each([
    ['NO', '8000', 'REMOTE'],
    ['NO', '9169', 'REMOTE'],
    ['NO', '9170', 'OVERSEAS'],
    ['NO', '9179', 'OVERSEAS'],
    ['NO', '9180', 'REMOTE'],
    ['NO', '917', 'REMOTE'], // cut off: not in the range of four digits, but in the one around it
    ['NO', '7999', undefined],
    ['DK', '3700', 'ISLAND'],
    ['DK', '3790', 'ISLAND'],
    ['DK', '3791', undefined],
    ['DK', '379', undefined],
    ['GB', 'PO30 1AA', 'ISLAND'],
    ['GB', 'PO3 1AA', undefined],
    ['SE', '98010', undefined],
  ])('of %s %s is %s', (country, zipcode, expected) => expect(area(country, zipcode)).toBe(expected))

  test('without a postal code is that of a listed city, else of the capital where that is meant', () => {
    expect(area('NO')).toBeUndefined()
    expect(area('NO', undefined, 'OSLO')).toBeUndefined()
    expect(area('NO', undefined, 'finnøy')).toBe('ISLAND')
    expect(area('NO', undefined, 'Tromsø')).toBeUndefined()
  })

  test('with a postal code is the code’s, whatever the city', () => {
    expect(area('NO', '9170', 'Oslo')).toBe('OVERSEAS')
    expect(area('NO', '0150', 'Finnøy')).toBeUndefined()
  })

  test('is the city’s where the list knows no postal codes of the country', () => {
    expect(area('AE', '00000', 'AL-AIN')).toBe('REMOTE')
    expect(area('AE', '00000', 'Dubai')).toBeUndefined()
    expect(area('AE')).toBe('OVERSEAS')
  })
})

describe('a group', () => {
  const groups = compilePlaces(
    [
      { country: 'ES', group: 'IBERIA' },
      { country: 'ES', group: 'CANARIES', from: '35000', to: '35999' },
      { country: 'ES', group: 'CANARIES', city: 'Las Palmas' },
      { country: '*', group: 'WORLD' },
    ],
    ({ group }) => group,
  )
  const group = (country: string, zipcode?: string, city?: string) =>
    valueOfPlace(groups, capitals, {
      country,
      ...(zipcode !== undefined && { zipcode }),
      ...(city !== undefined && { city }),
    })

  test('is that of the narrowest range, else of the country, else of all that are not listed', () => {
    expect(group('ES', '35001')).toBe('CANARIES')
    expect(group('ES', '36000')).toBe('IBERIA')
    expect(group('ES', undefined, 'LAS PALMAS')).toBe('CANARIES')
    expect(group('ES', undefined, 'Nowhere')).toBe('IBERIA')
    expect(group('ES')).toBe('IBERIA')
    expect(group('BR', '35001')).toBe('WORLD')
  })
})
