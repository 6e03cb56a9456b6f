/** How long drafts and their prices last. */
import { describe, expect, test } from 'vitest'
import { draftQuotaFault, priceValidUntil } from '../../../src/core/shipments/draft-terms.ts'
import { DRAFT_TERMS } from '../../support/app/draft-terms.ts'

type Versions = Parameters<typeof priceValidUntil>[1]['cards'][number]

const version = (versionNo: number, validFrom: string, validTo?: string): Versions[number] => ({
  ...{ code: 'demo', versionNo, audience: 'everyone', validFrom, groups: [] },
  ...(validTo !== undefined && { validTo }),
})
/** Newest first, as in the book. */
const bookOf = (...versions: Versions) => ({ cards: [versions], contractCards: new Map(), costCards: [] })
const draft = { createdAt: '2026-11-20T09:30:00.000Z', rateCardVersion: { code: 'demo', versionNo: 2 } }
const FOURTEEN = { priceDays: 14 }

describe('the price of a draft ends', () => {
  test.each([
    ['after the days of the setting', bookOf(version(2, '2026-01-01')), '2026-12-04T09:30:00.000Z'],
    [
      'with the last day of its rate card version',
      bookOf(version(2, '2026-01-01', '2026-12-01')),
      '2026-12-01T00:00:00.000Z',
    ],
    [
      'when a newer version begins',
      bookOf(version(3, '2026-11-25'), version(2, '2026-01-01')),
      '2026-11-25T00:00:00.000Z',
    ],
    [
      'no earlier because of a correction of the day on which it was created',
      bookOf(version(3, '2026-11-01'), version(2, '2026-01-01')),
      '2026-12-04T09:30:00.000Z',
    ],
    [
      'no earlier because of older versions and other cards',
      {
        cards: [
          [{ ...version(9, '2026-11-21'), code: 'other' }],
          [version(2, '2026-01-01'), version(1, '2026-11-22')],
        ],
        contractCards: new Map(),
        costCards: [],
      },
      '2026-12-04T09:30:00.000Z',
    ],
    [
      'with a card of a contract',
      {
        ...bookOf(),
        cards: [],
        contractCards: new Map([['demo', [version(2, '2026-01-01', '2026-11-30')]]]),
      },
      '2026-11-30T00:00:00.000Z',
    ],
    [
      'when a newer version of the cost card begins, if it is a price at a margin',
      { ...bookOf(), cards: [], costCards: [[version(3, '2026-11-28'), version(2, '2026-01-01')]] },
      '2026-11-28T00:00:00.000Z',
    ],
    ['after the days of the setting if the version is no longer known', bookOf(), '2026-12-04T09:30:00.000Z'],
  ])('%s', (_rule, book, end) => {
    expect(priceValidUntil(draft, book, FOURTEEN)).toBe(end)
  })

  test('never for imported shipments', () => {
    expect(priceValidUntil({ createdAt: draft.createdAt }, bookOf(), FOURTEEN)).toBeUndefined()
  })
})

test('the quota of drafts is a number and a size', () => {
  const terms = { ...DRAFT_TERMS, countMax: 2, bytesMax: 1_000 }
  expect(draftQuotaFault({ count: 1, bytes: 999 }, terms)).toBeUndefined()
  expect(draftQuotaFault({ count: 2, bytes: 0 }, terms)?.message).toContain('2 unbooked shipments')
  expect(draftQuotaFault({ count: 1, bytes: 1_000 }, terms)?.message).toContain('1000 bytes')
})
