import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { RateBook } from '../../../src/core/rating/book/rate-book.ts'
import { quote } from '../../../src/core/rating/quote.ts'
import { readDemoRateBook } from '../../../src/reference/rate-cards/rate-card-csv.ts'
import { setFuelRates } from '../../../src/store/rate-cards/fuel.ts'
import { type LiveRateBook, openLiveRateBook } from '../../../src/store/rate-cards/rate-book.ts'
import { importRateCard, publishRateCard, rollBackRateCard } from '../../../src/store/rate-cards/versions.ts'
import { type ClonedDatabase, cloneDatabase } from '../../support/database/clone-database.ts'
import { ORDINARY_DAY, parcelInput, requestOf } from '../../support/rates/demo-rate-book.ts'

const NEVER_MS = 3_600_000
/** Long enough for a busy machine. */
const PATIENCE = { timeout: 60_000 }
let clone: ClonedDatabase
let live: LiveRateBook
const faults: unknown[] = []

beforeEach(async () => {
  clone = await cloneDatabase({ statementTimeoutMs: 0 })
  faults.length = 0
})
afterEach(async () => {
  await live.close()
  await clone.drop()
})

/** Opens a live rate book. The returned function waits for the next book. */
async function follow(how: { listen: boolean; pollMs: number }): Promise<() => Promise<RateBook>> {
  const waiting: ((book: RateBook) => void)[] = []
  live = await openLiveRateBook({
    ...how,
    db: clone.db,
    source: clone.source,
    onSwap: (book) => {
      for (const resolve of waiting.splice(0)) resolve(book)
    },
    onFault: (fault) => faults.push(fault),
  })
  return () => new Promise((resolve) => waiting.push(resolve))
}

/** Publishes a version of the demo card with every price one euro higher. */
async function publishHigherPrices(): Promise<void> {
  const card = readDemoRateBook()
  const prices = card.content.prices.map((row) => ({ ...row, priceCents: row.priceCents + 100 }))
  const head = { code: 'demo', name: 'Demo', audience: 'everyone', validFrom: '2026-01-01' } as const
  const version = await importRateCard(clone.db, {
    ...head,
    card: { ...card, content: { ...card.content, prices } },
  })
  await publishRateCard(clone.db, version)
}

const versionOf = (book: RateBook): string =>
  quote(book, requestOf(parcelInput()), ORDINARY_DAY).rateCardVersions.join(' ')

describe('the live rate book', () => {
  test('follows a publication by notifications alone', async () => {
    const nextBook = await follow({ listen: true, pollMs: NEVER_MS })
    const next = nextBook()
    await publishHigherPrices()
    expect(versionOf(await next)).toBe('demo@2')
    expect(versionOf(live.current())).toBe('demo@2')
  })

  test('follows publication, rollback and fuel by polling alone', async () => {
    const nextBook = await follow({ listen: false, pollMs: 50 })
    const published = nextBook()
    await publishHigherPrices()
    expect(versionOf(await published)).toBe('demo@2')
    const rolledBack = nextBook()
    await rollBackRateCard(clone.db, 'demo')
    expect(versionOf(await rolledBack)).toBe('demo@1')
    const fuelled = nextBook()
    await setFuelRates(clone.db, [
      {
        carrierCode: 'rondeel',
        code: 'FUEL',
        validFrom: '2026-10-01',
        rateBps: 5000,
      },
    ])
    const option = quote(await fuelled, requestOf(parcelInput()), ORDINARY_DAY).options.find(
      ({ product }) => product.productId === 1201,
    )
    expect(option?.lines.find(({ kind }) => kind === 'FUEL')?.amountCents).toBe(713)
  })

  test('does not change a book that is in use', async () => {
    await follow({ listen: false, pollMs: NEVER_MS })
    const held = live.current()
    await publishHigherPrices()
    await live.refresh()
    expect(live.current()).not.toBe(held)
    expect(versionOf(held)).toBe('demo@1')
    expect(versionOf(live.current())).toBe('demo@2')
  })

  test('reads again after a change during a read', async () => {
    await follow({ listen: false, pollMs: NEVER_MS })
    await publishHigherPrices()
    const first = live.refresh()
    await publishHigherPrices()
    await Promise.all([first, live.refresh()])
    expect(versionOf(live.current())).toBe('demo@3')
  })

  test('keeps its state while the database is unreachable, reports the error, and catches up', async () => {
    const nextBook = await follow({ listen: true, pollMs: 50 })
    const held = live.current()
    await sql`alter table rate_book rename to rate_book_away`.execute(clone.db)
    await expect.poll(() => faults.length, PATIENCE).toBeGreaterThan(0)
    expect(live.current()).toBe(held)
    const next = nextBook()
    await sql`alter table rate_book_away rename to rate_book`.execute(clone.db)
    await publishHigherPrices()
    expect(versionOf(await next)).toBe('demo@2')
  })
})

describe('the listener', () => {
  test('reconnects when its connection is lost, and misses nothing', async () => {
    const nextBook = await follow({ listen: true, pollMs: NEVER_MS })
    const ended = async (): Promise<boolean> => {
      const { rows } = await sql<{ ended: boolean }>`
        select pg_terminate_backend(pid) as ended from pg_stat_activity
        where datname = current_database() and application_name = 'waybill listener'`.execute(clone.db)
      return rows[0]?.ended === true
    }
    await expect.poll(ended, PATIENCE).toBe(true)
    await expect.poll(() => faults.length, PATIENCE).toBeGreaterThan(0)
    const next = nextBook()
    await publishHigherPrices()
    expect(versionOf(await next)).toBe('demo@2')
  })
})
