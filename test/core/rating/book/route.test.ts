import { describe, expect, test } from 'vitest'
import {
  compileCapitals,
  compileLanes,
  compilePlaces,
  valueOfPlace,
  zoneOfLane,
} from '../../../../src/core/rating/book/route.ts'
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
const place = (country: string, zipcode?: string, city?: string) => ({
  country,
  ...(zipcode !== undefined && { zipcode }),
  ...(city !== undefined && { city }),
})
const area = (...args: Parameters<typeof place>) => valueOfPlace(areas, capitals, place(...args))

describe('area lookup', () => {
  test.each([
    ['NO', '8000', 'REMOTE'],
    ['NO', '9169', 'REMOTE'],
    ['NO', '9170', 'OVERSEAS'],
    ['NO', '9179', 'OVERSEAS'],
    ['NO', '9180', 'REMOTE'],
    ['NO', '917', 'REMOTE'], // Too short for the four-digit range, but within the outer one.
    ['NO', '7999', undefined],
    ['DK', '3700', 'ISLAND'],
    ['DK', '3790', 'ISLAND'],
    ['DK', '3791', undefined],
    ['DK', '379', undefined],
    ['GB', 'PO30 1AA', 'ISLAND'],
    ['GB', 'PO3 1AA', undefined],
    ['SE', '98010', undefined],
  ])('finds that %s %s is %s', (country, zipcode, expected) => {
    expect(area(country, zipcode)).toBe(expected)
  })

  test('uses a listed city, or the capital, if there is no postal code', () => {
    expect(area('NO')).toBeUndefined()
    expect(area('NO', undefined, 'OSLO')).toBeUndefined()
    expect(area('NO', undefined, 'finnøy')).toBe('ISLAND')
    expect(area('NO', undefined, 'Tromsø')).toBeUndefined()
  })

  test('prefers the postal code to the city', () => {
    expect(area('NO', '9170', 'Oslo')).toBe('OVERSEAS')
    expect(area('NO', '0150', 'Finnøy')).toBeUndefined()
  })

  test('uses the city if the list has no postal ranges of the country', () => {
    expect(area('AE', '00000', 'AL-AIN')).toBe('REMOTE')
    expect(area('AE', '00000', 'Dubai')).toBeUndefined()
    expect(area('AE')).toBe('OVERSEAS')
  })
})

test('group lookup uses the narrowest range, then the country, then the rest of the world', () => {
  const groups = compilePlaces(
    [
      { country: 'ES', group: 'IBERIA' },
      { country: 'ES', group: 'CANARIES', from: '35000', to: '35999' },
      { country: 'ES', group: 'CANARIES', city: 'Las Palmas' },
      { country: '*', group: 'WORLD' },
    ],
    ({ group }) => group,
  )
  const group = (...args: Parameters<typeof place>) => valueOfPlace(groups, capitals, place(...args))
  expect(group('ES', '35001')).toBe('CANARIES')
  expect(group('ES', '36000')).toBe('IBERIA')
  expect(group('ES', undefined, 'LAS PALMAS')).toBe('CANARIES')
  expect(group('ES', undefined, 'Nowhere')).toBe('IBERIA')
  expect(group('ES')).toBe('IBERIA')
  expect(group('BR', '35001')).toBe('WORLD')
})

describe('zone lookup', () => {
  const lane = (fromGroup: string, toGroup: string, zone: number) => ({
    zoneChart: '',
    fromGroup,
    toGroup,
    zone,
  })
  const between = (fromGroup: string, toGroup: string) => ({ sameCountry: false, fromGroup, toGroup })
  const within = (fromGroup: string, toGroup: string) => ({ sameCountry: true, fromGroup, toGroup })
  const lanes = compileLanes([lane('=', '=', 0), lane('A', 'A', 1), lane('A', 'B', 2)])

  test('uses the groups of both ends', () => {
    expect(zoneOfLane(lanes, between('A', 'A'))).toBe(1)
    expect(zoneOfLane(lanes, between('A', 'B'))).toBe(2)
    expect(zoneOfLane(lanes, between('B', 'A'))).toBeUndefined()
    expect(zoneOfLane(lanes, { sameCountry: false, fromGroup: undefined, toGroup: 'A' })).toBeUndefined()
  })

  test('finds no zone for a country without a group, not even within the country', () => {
    expect(zoneOfLane(lanes, { sameCountry: true, fromGroup: undefined, toGroup: undefined })).toBeUndefined()
  })

  test('uses the domestic zone within a country, unless its parts have their own lane', () => {
    expect(zoneOfLane(lanes, within('A', 'A'))).toBe(0)
    expect(zoneOfLane(lanes, within('A', 'B'))).toBe(2)
    expect(zoneOfLane(lanes, within('B', 'A'))).toBe(0)
  })

  test('uses an ordinary lane within a country if the chart has no domestic zone', () => {
    const withoutDomestic = compileLanes([lane('A', 'A', 1)])
    expect(zoneOfLane(withoutDomestic, within('A', 'A'))).toBe(1)
    expect(zoneOfLane(withoutDomestic, within('A', 'B'))).toBeUndefined()
  })
})
