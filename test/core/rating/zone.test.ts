import { describe, expect, test } from 'vitest'
import {
  areaOfPlace,
  compileAreas,
  compileCapitals,
  compileLanes,
  zoneOfLane,
} from '../../../src/core/rating/zone.ts'

const areas = compileAreas([
  { country: 'DK', from: '3700', to: '3790', areaClass: 'ISLAND' },
  { country: 'NO', from: '80', to: '99', areaClass: 'REMOTE' },
  { country: 'NO', from: '9170', to: '9179', areaClass: 'OVERSEAS' },
  { country: 'GB', from: 'PO30', to: 'PO41', areaClass: 'ISLAND' },
])
const capitals = compileCapitals([{ country: 'NO', city: 'Oslo', postalCode: '0150' }])
const area = (country: string, zipcode?: string, city?: string) =>
  areaOfPlace(areas, capitals, {
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
    ['NO', '7999', 'NORMAL'],
    ['DK', '3700', 'ISLAND'],
    ['DK', '3790', 'ISLAND'],
    ['DK', '3791', 'NORMAL'],
    ['DK', '379', 'NORMAL'],
    ['GB', 'PO30 1AA', 'ISLAND'],
    ['GB', 'PO3 1AA', 'NORMAL'],
    ['SE', '98010', 'NORMAL'],
  ])('of %s %s is %s', (country, zipcode, expected) => expect(area(country, zipcode)).toBe(expected))

  test('without a postal code is that of the capital, or of a city that is the capital', () => {
    expect(area('NO')).toBe('NORMAL')
    expect(area('NO', undefined, 'OSLO')).toBe('NORMAL')
    expect(area('NO', undefined, 'Tromsø')).toBe('NORMAL')
    expect(area('NO', '9170', 'Oslo')).toBe('OVERSEAS')
  })
})

describe('a zone', () => {
  const lanes = compileLanes(
    [
      { country: 'NL', group: 'A' },
      { country: 'BE', group: 'A' },
      { country: '*', group: 'B' },
    ],
    [
      { fromGroup: '=', toGroup: '=', zone: 0 },
      { fromGroup: 'A', toGroup: 'A', zone: 1 },
      { fromGroup: 'A', toGroup: 'B', zone: 2 },
    ],
  )

  test('is decided by the groups of both countries, or by being one country', () => {
    expect(zoneOfLane(lanes, 'NL', 'NL')).toBe(0)
    expect(zoneOfLane(lanes, 'NL', 'BE')).toBe(1)
    expect(zoneOfLane(lanes, 'NL', 'US')).toBe(2)
    expect(zoneOfLane(lanes, 'US', 'NL')).toBeUndefined()
  })
})
