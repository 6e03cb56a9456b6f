import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { quote } from '../../src/core/rating/quote.ts'
import { checkRatesRequest } from '../../src/core/rating/request.ts'
import { readDemoRateBook } from '../../src/reference/rate-card-csv.ts'
import { resetDemoRateBook, seedDemoRateBook } from '../../src/store/demo/rate-book.ts'
import { loadRateBook, publishRateCard } from '../../src/store/rate-book.ts'
import { type ClonedDatabase, cloneDatabase } from '../support/clone-database.ts'
import { demoRateBook, ORDINARY_DAY, parcelDraft } from '../support/demo-rate-book.ts'

let clone: ClonedDatabase
beforeAll(async () => {
  clone = await cloneDatabase({ statementTimeoutMs: 0 })
  await seedDemoRateBook(clone.db)
})
afterAll(() => clone.drop())

describe('the rate book in the database', () => {
  test('is the one in the files', async () => {
    const request = checkRatesRequest(parcelDraft())
    if ('kind' in request) throw new Error('the request is valid')
    const loaded = await loadRateBook(clone.db, ORDINARY_DAY)
    expect(loaded.products).toEqual(demoRateBook().products)
    expect(quote(loaded, request, ORDINARY_DAY)).toEqual(quote(demoRateBook(), request, ORDINARY_DAY))
  })

  test('is seeded once', async () => {
    await seedDemoRateBook(clone.db)
    expect((await loadRateBook(clone.db, ORDINARY_DAY)).version).toBe('demo@1')
  })

  test('holds the newest published version that is valid on the day', async () => {
    const later = {
      code: 'demo',
      name: 'Demo rate book',
      validFrom: '2026-12-01',
      folder: readDemoRateBook(),
    }
    expect(await publishRateCard(clone.db, later)).toBe('demo@2')
    expect((await loadRateBook(clone.db, '2026-11-30')).version).toBe('demo@1')
    expect((await loadRateBook(clone.db, '2026-12-01')).version).toBe('demo@2')
    expect((await loadRateBook(clone.db, '2025-12-31')).products).toEqual([])
  })

  test('is restored to version 1 by a reset', async () => {
    await resetDemoRateBook(clone.db)
    expect((await loadRateBook(clone.db, '2026-12-01')).version).toBe('demo@1')
  })

  test('refuses a card that breaks a constraint, as a whole', async () => {
    const folder = readDemoRateBook()
    const [first, ...rest] = folder.card.transit
    const broken = {
      ...folder,
      card: { ...folder.card, transit: [{ ...first!, minDays: 5, maxDays: 1 }, ...rest] },
    }
    const card = { code: 'broken', name: 'Broken', validFrom: '2026-01-01', folder: broken }
    await expect(publishRateCard(clone.db, card)).rejects.toThrow('transit')
    const left = await clone.db
      .selectFrom('rate_card')
      .select('name')
      .where('rate_card_code', '=', 'broken')
      .execute()
    expect(left).toEqual([])
  })
})
