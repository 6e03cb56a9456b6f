import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { quote } from '../../src/core/rating/quote.ts'
import { cardsOn } from '../../src/core/rating/rate-book.ts'
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
    const loaded = await loadRateBook(clone.db)
    expect(loaded.products).toEqual(demoRateBook().products)
    expect(quote(loaded, request, ORDINARY_DAY)).toEqual(quote(demoRateBook(), request, ORDINARY_DAY))
  })

  const versionOn = async (day: string) =>
    cardsOn(await loadRateBook(clone.db), day).map(({ code, versionNo }) => `${code}@${versionNo}`)

  test('is seeded once', async () => {
    await seedDemoRateBook(clone.db)
    expect(await versionOn(ORDINARY_DAY)).toEqual(['demo@1'])
  })

  test('prices a day with the newest published version that is valid then', async () => {
    const later = {
      code: 'demo',
      name: 'Demo rate book',
      validFrom: '2026-12-01',
      folder: readDemoRateBook(),
    }
    expect(await publishRateCard(clone.db, later)).toBe('demo@2')
    expect(await versionOn('2026-11-30')).toEqual(['demo@1'])
    expect(await versionOn('2026-12-01')).toEqual(['demo@2'])
    expect(await versionOn('2025-12-31')).toEqual([])
  })

  test('is restored to version 1 by a reset', async () => {
    await resetDemoRateBook(clone.db)
    expect(await versionOn('2026-12-01')).toEqual(['demo@1'])
  })

  test('refuses a product that another card sells', async () => {
    const card = { code: 'second', name: 'Second', validFrom: '2026-01-01', folder: readDemoRateBook() }
    await expect(publishRateCard(clone.db, card)).rejects.toThrow('product 1101 is in two rate cards')
    expect(await versionOn(ORDINARY_DAY)).toEqual(['demo@1'])
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
