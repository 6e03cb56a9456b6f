import { describe, expect, test } from 'vitest'
import { sharedChanges } from '../../../src/core/rate-card-review/difference/card-difference.ts'

const carrier = { code: 'heron', name: 'Heron', connector: 'sandbox' }
const capital = { country: 'NL', city: 'Amsterdam', postalCode: '1012' }
const fuel = { carrierCode: 'heron', code: 'FUEL', validFrom: '2026-01-01', rateBps: 950 }

describe('the changes of a version to shared tables', () => {
  test('are all rows of the first version', () => {
    const first = { carriers: [carrier], capitals: [capital], fuel: [fuel] }
    expect(sharedChanges(first, undefined)).toBe(first)
  })

  test('are empty if the version before has the same rows, in any order of fields', () => {
    const { rateBps, ...rest } = fuel
    const before = { carriers: [carrier], capitals: [capital], fuel: [fuel] }
    const now = { carriers: [carrier], capitals: [capital], fuel: [{ rateBps, ...rest }] }
    expect(sharedChanges(now, before)).toEqual({ carriers: [], capitals: [], fuel: [] })
  })

  test('are the rows that differ', () => {
    const before = { carriers: [carrier], capitals: [capital], fuel: [fuel] }
    const dearer = { ...fuel, rateBps: 1000 }
    const renamed = { ...carrier, name: 'Grey Heron' }
    const now = { carriers: [renamed], capitals: [capital], fuel: [fuel, dearer] }
    expect(sharedChanges(now, before)).toEqual({ carriers: [renamed], capitals: [], fuel: [dearer] })
  })
})
