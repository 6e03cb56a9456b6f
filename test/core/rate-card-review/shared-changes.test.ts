import { describe, expect, test } from 'vitest'
import { sharedChanges } from '../../../src/core/rate-card-review/difference/card-difference.ts'

const carrier = { code: 'heron', name: 'Heron', connector: 'sandbox' }
const capital = { country: 'NL', city: 'Amsterdam', postalCode: '1012' }
const fuel = { carrierCode: 'heron', code: 'FUEL', validFrom: '2026-01-01', rateBps: 950 }

describe('what a version says of the shared tables', () => {
  test('is all of it where it is the first', () => {
    const first = { carriers: [carrier], capitals: [capital], fuel: [fuel] }
    expect(sharedChanges(first, undefined)).toBe(first)
  })

  test('is nothing where the version before said the same, whatever the order of fields', () => {
    const { rateBps, ...rest } = fuel
    const before = { carriers: [carrier], capitals: [capital], fuel: [fuel] }
    const now = { carriers: [carrier], capitals: [capital], fuel: [{ rateBps, ...rest }] }
    expect(sharedChanges(now, before)).toEqual({ carriers: [], capitals: [], fuel: [] })
  })

  test('is what has changed', () => {
    const before = { carriers: [carrier], capitals: [capital], fuel: [fuel] }
    const dearer = { ...fuel, rateBps: 1000 }
    const renamed = { ...carrier, name: 'Grey Heron' }
    const now = { carriers: [renamed], capitals: [capital], fuel: [fuel, dearer] }
    expect(sharedChanges(now, before)).toEqual({ carriers: [renamed], capitals: [], fuel: [dearer] })
  })
})
