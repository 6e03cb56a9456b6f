import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { applicableVersions, type RateCardHead } from '../../../src/core/rating/card-version.ts'

const version = (versionNo: number, validFrom: string, validTo?: string): RateCardHead => ({
  code: 'card',
  versionNo,
  audience: 'everyone',
  validFrom,
  ...(validTo !== undefined && { validTo }),
})
const numbersOf = (versions: readonly RateCardHead[], since = '2026-01-01') =>
  applicableVersions(versions, since).map(({ versionNo }) => versionNo)

describe('applicableVersions', () => {
  test('returns the versions that apply on some day', () => {
    expect(numbersOf([version(1, '2026-01-01'), version(2, '2026-02-01')])).toEqual([2, 1])
    expect(numbersOf([version(1, '2026-02-01'), version(2, '2026-02-01')])).toEqual([2])
    expect(numbersOf([version(1, '2026-02-01'), version(2, '2026-01-01', '2026-03-01')])).toEqual([2, 1])
    expect(numbersOf([version(1, '2026-02-01', '2026-03-01'), version(2, '2026-01-01')])).toEqual([2])
  })

  test('leaves out versions that only applied before `since`', () => {
    const versions = [version(1, '2020-01-01'), version(2, '2021-01-01'), version(3, '2026-06-01')]
    expect(numbersOf(versions)).toEqual([3, 2])
    expect(numbersOf(versions, '2026-06-01')).toEqual([3])
  })

  test('compares versions of the same card only', () => {
    const other = { ...version(7, '2026-01-01'), code: 'other' }
    expect(numbersOf([version(1, '2026-01-01'), other])).toEqual([1, 7])
  })

  test('returns exactly the versions that are the newest valid one on some day', () => {
    const day = fc.integer({ min: 1, max: 28 }).map((number) => `2026-02-${String(number).padStart(2, '0')}`)
    const head = fc.record({ validFrom: day, validTo: fc.option(day, { nil: undefined }) })
    fc.assert(
      fc.property(fc.array(head, { maxLength: 6 }), day, (heads, since) => {
        const versions = heads
          .filter(({ validFrom, validTo }) => validTo === undefined || validFrom < validTo)
          .map(({ validFrom, validTo }, index) => version(index + 1, validFrom, validTo))
        const pricing = new Set<number>()
        for (let number = 1; number <= 31; number++) {
          const on = `2026-02-${String(number).padStart(2, '0')}`
          const valid = versions.filter(
            ({ validFrom, validTo }) => validFrom <= on && (validTo === undefined || on < validTo),
          )
          const newest = valid.at(-1)
          if (on >= since && newest !== undefined) pricing.add(newest.versionNo)
        }
        expect(new Set(numbersOf(versions, since))).toEqual(pricing)
      }),
      { numRuns: 500 },
    )
  })
})
