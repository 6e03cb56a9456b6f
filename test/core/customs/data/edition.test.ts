/** When data sets are overdue, and what their age costs, by the days around each boundary. */
import { describe, expect, test } from 'vitest'
import {
  agedConfidence,
  isOverdue,
  lowestConfidence,
  nextEditionDue,
  overdueSets,
} from '../../../../src/core/customs/data/edition.ts'
import type { Confidence } from '../../../../src/core/customs/data/row-types/table.ts'

const monthly = { date: '2026-01-01', cycleDays: 31 }
const fiveYearly = { date: '2020-01-01', cycleDays: 1826 }
const lasting = { date: '2001-01-01', cycleDays: null }

describe('the next edition', () => {
  test('is due one cycle after the edition', () => {
    expect([monthly, fiveYearly, lasting].map(nextEditionDue)).toEqual([
      '2026-02-01',
      '2024-12-31',
      undefined,
    ])
  })

  test('is overdue from the day after', () => {
    expect(isOverdue(monthly, '2026-02-01')).toBe(false)
    expect(isOverdue(monthly, '2026-02-02')).toBe(true)
    expect(isOverdue(lasting, '2099-01-01')).toBe(false)
    expect(overdueSets([monthly, fiveYearly, lasting], '2026-01-15')).toEqual([fiveYearly])
  })
})

describe('the age of an edition', () => {
  test.each([
    ['2026-01-01', 'high', 'medium'],
    ['2026-03-04', 'high', 'medium'],
    // 63 days: more than two cycles.
    ['2026-03-05', 'medium', 'low'],
    ['2028-01-02', 'medium', 'low'],
    // 732 days: more than two years.
    ['2028-01-03', 'low', 'low'],
    // Before the edition, as for a past day of an estimate.
    ['2025-01-01', 'high', 'medium'],
  ] as const)('on %s makes high %s and medium %s', (day, high, medium) => {
    expect(agedConfidence('high', monthly, day)).toBe(high)
    expect(agedConfidence('medium', monthly, day)).toBe(medium)
    expect(agedConfidence('low', monthly, day)).toBe('low')
  })

  test('counts only once the edition is overdue', () => {
    expect(agedConfidence('high', fiveYearly, '2024-12-31')).toBe('high')
    expect(agedConfidence('high', fiveYearly, '2025-01-01')).toBe('low')
    expect(agedConfidence('high', lasting, '2099-01-01')).toBe('high')
    expect(agedConfidence('high', undefined, '2099-01-01')).toBe('high')
  })
})

test('the lowest of several is the least reliable, and high if there is none', () => {
  const lowest = (...confidences: Confidence[]) => lowestConfidence(confidences, (confidence) => confidence)
  expect(lowest('high', 'low', 'medium')).toBe('low')
  expect(lowest('high', 'medium', 'high')).toBe('medium')
  expect(lowest()).toBe('high')
})
