import { describe, expect, test } from 'vitest'
import { compileLanes, zoneOfLane } from '../../../../src/core/rating/book/zone.ts'

const lane = (fromGroup: string, toGroup: string, zone: number) => ({
  zoneChart: '',
  fromGroup,
  toGroup,
  zone,
})
const between = (fromGroup: string, toGroup: string) => ({ sameCountry: false, fromGroup, toGroup })
const within = (fromGroup: string, toGroup: string) => ({ sameCountry: true, fromGroup, toGroup })

describe('a zone', () => {
  const lanes = compileLanes([lane('=', '=', 0), lane('A', 'A', 1), lane('A', 'B', 2)])

  test('is decided by the groups of both ends', () => {
    expect(zoneOfLane(lanes, between('A', 'A'))).toBe(1)
    expect(zoneOfLane(lanes, between('A', 'B'))).toBe(2)
    expect(zoneOfLane(lanes, between('B', 'A'))).toBeUndefined()
    expect(zoneOfLane(lanes, { sameCountry: false, fromGroup: undefined, toGroup: 'A' })).toBeUndefined()
  })

  test('is none for a country without a group, not even within itself', () => {
    expect(zoneOfLane(lanes, { sameCountry: true, fromGroup: undefined, toGroup: undefined })).toBeUndefined()
  })

  test('within one country is the domestic one, unless its parts have a lane of their own', () => {
    expect(zoneOfLane(lanes, within('A', 'A'))).toBe(0)
    expect(zoneOfLane(lanes, within('A', 'B'))).toBe(2)
    expect(zoneOfLane(lanes, within('B', 'A'))).toBe(0)
  })

  test('within one country is a lane like any other where the chart has no domestic one', () => {
    const without = compileLanes([lane('A', 'A', 1)])
    expect(zoneOfLane(without, within('A', 'A'))).toBe(1)
    expect(zoneOfLane(without, within('A', 'B'))).toBeUndefined()
  })
})
