import { expect, test } from 'vitest'
import { growthPer10Minutes, lowestSamples, type Sample } from './growth.ts'

/** Memory that rises by 9 MB within ten samples and falls back, on top of a growth per sample. */
function sawTooth(mbPerSample: number): Sample[] {
  return Array.from({ length: 30 }, (_unused, index) => ({
    minutes: index + 1,
    mb: 100 + (index % 10) + index * mbPerSample,
  }))
}

test('a cache that fills and empties is not growth, if each part is as long as its cycle', () => {
  const samples = sawTooth(0)
  expect(growthPer10Minutes(samples)).toBeGreaterThan(0.5)
  expect(growthPer10Minutes(lowestSamples(samples, 3))).toBe(0)
})

test('growth beneath the cycle of a cache is found', () => {
  expect(growthPer10Minutes(lowestSamples(sawTooth(0.2), 3))).toBeCloseTo(2)
})
