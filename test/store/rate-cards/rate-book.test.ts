/** Loading the rate book, and the days that each version prices. */
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { BookCard } from '../../../src/core/rating/book/book-card.ts'
import type { BookProduct } from '../../../src/core/rating/book/book-product.ts'
import { cardsOn, type RateBook } from '../../../src/core/rating/book/rate-book.ts'
import { quote } from '../../../src/core/rating/quote.ts'
import { migrate } from '../../../src/store/database/migrate.ts'
import { seedDemoRateBook } from '../../../src/store/demo/reset.ts'
import { setContract } from '../../../src/store/rate-cards/contracts.ts'
import { setFuelRates } from '../../../src/store/rate-cards/fuel.ts'
import { loadRateBook, reloadRateBook } from '../../../src/store/rate-cards/rate-book.ts'
import { importRateCard, rollBackRateCard, withdrawRateCard } from '../../../src/store/rate-cards/versions.ts'
import { type ClonedDatabase, cloneDatabase, emptyDatabase } from '../../support/database/clone-database.ts'
import {
  demoRateBook,
  figuresOf,
  ORDINARY_DAY,
  parcelInput,
  requestOf,
} from '../../support/rates/demo-rate-book.ts'
import { bookOf } from '../../support/rates/rate-cards.ts'
import { newCard, sell, smallCard } from './small-rate-card.ts'

const heronOn = (book: RateBook, day: string) =>
  cardsOn(book, day)
    .filter(({ code }) => code === 'heron')
    .map(({ code, versionNo }) => `${code}@${versionNo}`)

describe('the demo rate book', () => {
  let clone: ClonedDatabase
  beforeAll(async () => {
    clone = await cloneDatabase()
  })
  afterAll(() => clone.drop())

  test('equals the shipped files', async () => {
    const request = requestOf(parcelInput())
    const loaded = await loadRateBook(clone.db)
    expect(loaded.products).toEqual(demoRateBook().products)
    expect(loaded.carriers).toEqual(demoRateBook().carriers)
    expect(figuresOf(quote(loaded, request, ORDINARY_DAY))).toEqual(
      figuresOf(quote(demoRateBook(), request, ORDINARY_DAY)),
    )
  })

  test('is seeded once when several processes start at the same time', async () => {
    const empty = await emptyDatabase({ statementTimeoutMs: 0 })
    await migrate(empty.source)
    await Promise.all([1, 2, 3].map(() => seedDemoRateBook(empty.db)))
    const versions = await empty.db.selectFrom('rate_card_version').select(['version_no', 'status']).execute()
    expect(versions).toEqual([{ version_no: 1, status: 'published' }])
    await empty.drop()
  })
})

describe('a rate book', () => {
  let clone: ClonedDatabase
  beforeEach(async () => {
    clone = await cloneDatabase({ statementTimeoutMs: 0 })
  })
  afterEach(() => clone.drop())

  const productsOf = (card: BookCard) => card.groups.flatMap(({ products }) => products)
  /** Compiled conditions and weights are closures, which differ; their rows are the same. */
  const withRows = ({ weighing, sizeClasses, ...product }: BookProduct) => ({
    ...product,
    weighing: { ...weighing, minimums: weighing.minimums?.map(({ row }) => row) },
    sizeClasses: sizeClasses.map(({ row }) => row),
  })

  test('holds the prices that were imported: plain bands, steps, rates per 100 kg and pallets', async () => {
    await sell(clone.db, newCard())
    const [loaded] = (await loadRateBook(clone.db)).cards.flat().filter(({ code }) => code === 'heron')
    const [compiled] = bookOf(smallCard(), { code: 'heron' }).cards.flat()
    expect(productsOf(loaded!).map(withRows)).toEqual(productsOf(compiled!).map(withRows))
  })

  test('prices a day with the newest published version that is valid then', async () => {
    await sell(clone.db, newCard({ validFrom: '2026-01-01' }))
    await sell(clone.db, newCard({ validFrom: '2026-03-01', validTo: '2026-04-01' }))
    await importRateCard(clone.db, newCard({ validFrom: '2026-01-01' }))
    const book = await loadRateBook(clone.db)
    const days = ['2025-12-31', '2026-02-28', '2026-03-01', '2026-03-31', '2026-04-01']
    expect(days.map((day) => heronOn(book, day))).toEqual([
      [],
      ['heron@1'],
      ['heron@2'],
      ['heron@2'],
      ['heron@1'],
    ])
  })

  /** Publishes a draft and withdraws it, at the given times. */
  async function publishThenWithdraw(
    versionNo: number,
    publishedAt: string,
    withdrawnAt: string,
  ): Promise<void> {
    const one = sql`rate_card_code = 'heron' and version_no = ${versionNo}`
    await sql`update rate_card_version set status = 'published', published_at = ${publishedAt} where ${one}`.execute(
      clone.db,
    )
    await sql`update rate_card_version set status = 'withdrawn', withdrawn_at = ${withdrawnAt} where ${one}`.execute(
      clone.db,
    )
  }

  test('prices the days on which a withdrawn version was published, in UTC', async () => {
    await sell(clone.db, newCard({ validFrom: '2026-01-01' }))
    await importRateCard(clone.db, newCard({ validFrom: '2026-02-01', validTo: '2026-06-01' }))
    await importRateCard(clone.db, newCard({ validFrom: '2026-02-01', validTo: '2026-03-03' }))
    await publishThenWithdraw(2, '2026-03-01T23:30:00-01:00', '2026-03-05T00:30:00+01:00')
    await publishThenWithdraw(3, '2026-02-10T12:00:00Z', '2026-03-05T12:00:00Z')
    const book = await loadRateBook(clone.db)
    const days = ['2026-02-09', '2026-02-10', '2026-03-02', '2026-03-03', '2026-03-04', '2026-06-02']
    expect(days.map((day) => heronOn(book, day))).toEqual([
      ['heron@1'], // valid, but not yet published
      ['heron@3'],
      ['heron@3'],
      ['heron@2'], // 3 is no longer valid
      ['heron@1'], // 2 was withdrawn on this day in UTC
      ['heron@1'],
    ])
  })

  test('leaves out a version that was withdrawn on the day of its publication', async () => {
    await importRateCard(clone.db, newCard({ validFrom: '2026-12-01' }))
    await publishThenWithdraw(1, '2026-03-01T12:00:00Z', '2026-03-09T12:00:00Z')
    await sell(clone.db, newCard())
    await withdrawRateCard(clone.db, { code: 'heron', versionNo: 2 })
    expect((await loadRateBook(clone.db)).cards.flat().map(({ code }) => code)).toEqual(['demo'])
  })

  test('reuses the compiled versions of the previous book', async () => {
    await sell(clone.db, newCard())
    const first = await reloadRateBook(clone.db)
    const card = ({ book }: { book: RateBook }, code: string) =>
      book.cards.flat().find((c) => c.code === code)
    await setFuelRates(clone.db, [
      { carrierCode: 'heron', code: 'DIESEL', validFrom: '2026-05-01', rateBps: 5 },
    ])
    await sell(clone.db, newCard({ code: 'egret', card: smallCard(9500, 'egret') }))
    const second = await reloadRateBook(clone.db, first)
    expect(second.book.revision).toBe(first.book.revision + 2)
    expect(card(second, 'heron')).toBe(card(first, 'heron'))
    expect(card(second, 'demo')).toBe(card(first, 'demo'))
    expect(card(second, 'egret')).toBeDefined()
  })

  test('leaves out a version that newer ones have replaced on all its days', async () => {
    await sell(clone.db, newCard({ validFrom: '2026-03-01' }))
    await sell(clone.db, newCard())
    const heron = (await loadRateBook(clone.db)).cards.flat().filter(({ code }) => code === 'heron')
    expect(heron.map(({ versionNo }) => versionNo)).toEqual([2])
  })

  test('includes the last `historyDays` days', async () => {
    await sell(clone.db, newCard({ validFrom: '2015-01-01', validTo: '2020-01-01' }))
    await sell(clone.db, newCard())
    const versionsFor = async (historyDays: number) => {
      const { book } = await reloadRateBook(clone.db, undefined, historyDays)
      return book.cards.flat().filter(({ code }) => code === 'heron').length
    }
    expect([await versionsFor(30), await versionsFor(36_500)]).toEqual([1, 2])
  })

  test('recompiles a version when its carrier is renamed or its dates change, and reuses its prices', async () => {
    await sell(clone.db, newCard({ code: 'old', card: smallCard(9100) }))
    await sell(clone.db, newCard())
    await sell(clone.db, newCard({ validFrom: '2026-06-01' }))
    const first = await reloadRateBook(clone.db)
    const renamed = [{ code: 'heron', name: 'Grey Heron', connector: 'sandbox' }]
    await sell(clone.db, newCard({ code: 'new', card: { ...smallCard(9300), carriers: renamed } }))
    const second = await reloadRateBook(clone.db, first)
    const old = ({ book }: { book: RateBook }) => book.cards.flat().find(({ code }) => code === 'old')!
    expect(new Set(productsOf(old(second)).map(({ name }) => name.carrierName))).toEqual(
      new Set(['Grey Heron']),
    )
    const cellsOf = (book: { book: RateBook }) => productsOf(old(book))[0]?.zones.find((zone) => zone)?.cells
    expect(cellsOf(second)).toBeDefined()
    expect(cellsOf(second)).toBe(cellsOf(first))
    await rollBackRateCard(clone.db, 'heron')
    const third = await reloadRateBook(clone.db, second)
    expect(third.book.cards.flat().filter(({ code }) => code === 'heron')).toHaveLength(1)
    expect(second.book.cards.flat().filter(({ code }) => code === 'heron')).toHaveLength(2)
  })

  test('matches its revision during concurrent changes', async () => {
    const changes = Array.from({ length: 8 }, (_, n) =>
      setContract(clone.db, {
        accountId: 'demo-shop',
        validFrom: `2026-01-0${n + 1}`,
        freightBps: -n,
        fuelBps: 0,
        hidden: false,
      }),
    )
    const start = (await loadRateBook(clone.db)).revision
    const seen: RateBook[] = []
    for (let n = 0; n < 12; n++) seen.push(await loadRateBook(clone.db))
    await Promise.all(changes)
    const last = await loadRateBook(clone.db)
    seen.push(last)
    const rows = (book: RateBook) => book.contracts.get('demo-shop')?.general.length ?? 0
    for (const book of seen) expect(rows(book) - book.revision).toBe(rows(last) - last.revision)
    expect(last.revision).toBeGreaterThanOrEqual(start)
  })
})
