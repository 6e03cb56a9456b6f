/** Versions of rate cards: content, status changes, and concurrent changes. */
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { fuelRateOn } from '../../../src/core/rating/book/rate-book.ts'
import type { PriceRow, RateCardImport } from '../../../src/core/rating/rate-card.ts'
import { readDemoRateBook } from '../../../src/reference/rate-cards/rate-card-csv.ts'
import { OperatorError } from '../../../src/store/database/database.ts'
import { RATE_BOOK, readRevision } from '../../../src/store/database/revision.ts'
import { hashContent } from '../../../src/store/rate-cards/draft.ts'
import { setFuelRates } from '../../../src/store/rate-cards/fuel.ts'
import { loadRateBook } from '../../../src/store/rate-cards/rate-book.ts'
import {
  discardRateCard,
  importRateCard,
  listRateCards,
  openStoredCard,
  publishRateCard,
  readRateCard,
  rollBackRateCard,
  withdrawRateCard,
} from '../../../src/store/rate-cards/versions.ts'
import { type ClonedDatabase, cloneDatabase } from '../../support/database/clone-database.ts'
import { newCard, sell, smallCard } from './small-rate-card.ts'

let clone: ClonedDatabase
beforeEach(async () => {
  clone = await cloneDatabase({ statementTimeoutMs: 0 })
})
afterEach(() => clone.drop())

const heron = (versionNo: number) => ({ code: 'heron', versionNo })
/** The versions in the rate book, and its revision. */
const sold = async () => {
  const { cards, contractCards, revision } = await loadRateBook(clone.db)
  const versions = [...cards, ...contractCards.values()].flat()
  return { revision, versions: versions.map(({ code, versionNo }) => `${code}@${versionNo}`) }
}
/** For comparisons: only the order of surcharges is defined. */
const inAnyOrder = (card: RateCardImport | undefined) => {
  const parts = Object.entries<readonly object[]>(card?.content ?? {})
  const sets = parts.map(([part, rows]) => [part, part === 'surcharges' ? rows : new Set(rows)])
  return { ...card, content: Object.fromEntries(sets) as object }
}
const statuses = async () =>
  (await listRateCards(clone.db, 'heron')).map(({ version, status }) => `${version} ${status}`)
const log = async () =>
  (await clone.db.selectFrom('rate_book_change').select('what').orderBy('revision').execute()).map(
    ({ what }) => what,
  )

describe('a draft', () => {
  test('stores every field of the card, and does not affect quotes', async () => {
    const before = await sold()
    const seen: [number, number][] = []
    const version = await importRateCard(clone.db, newCard({ validTo: '2027-01-01' }), (done, total) =>
      seen.push([done, total]),
    )
    expect(version).toEqual(heron(1))
    expect(inAnyOrder(await readRateCard(clone.db, version))).toEqual(inAnyOrder(smallCard()))
    const rows = Object.values(smallCard().content).reduce((sum, part) => sum + part.length, 0)
    expect(seen.at(-1)).toEqual([rows, rows])
    expect(await sold()).toEqual(before)
    expect(await listRateCards(clone.db, 'heron')).toEqual([
      {
        version: 'heron@1',
        code: 'heron',
        versionNo: 1,
        name: 'Heron 2026',
        audience: 'everyone',
        status: 'draft',
        validFrom: '2026-01-01',
        validTo: '2027-01-01',
        publishedAt: null,
        withdrawnAt: null,
        hash: null,
        products: 5,
        prices: 12,
      },
    ])
  })

  test('is read with ascending weight bands, in whatever order the database returns its rows', async () => {
    const { content, ...shared } = smallCard()
    const prices = [...content.prices].sort((a, b) => b.overGrams - a.overGrams)
    const card = { ...shared, content: { ...content, prices } }
    const version = await importRateCard(clone.db, newCard({ card }))
    const read = (await readRateCard(clone.db, version))?.content.prices ?? []
    const laneOf = ({ productId, zone, palletClass }: PriceRow) => `${productId} ${zone} ${palletClass ?? ''}`
    for (const [index, row] of read.entries()) {
      const same = read.slice(0, index).filter((other) => laneOf(other) === laneOf(row))
      for (const before of same) expect(before.overGrams).toBeLessThanOrEqual(row.overGrams)
    }
    expect(read.length).toBe(prices.length)
  })

  test('is read with the bands of one freight class after the other', async () => {
    const { content, ...shared } = smallCard()
    const row = { productId: 9001, zone: 99, unit: 'CLASS' as const, priceCents: 100 }
    const classPrices = [0, 500].flatMap((overGrams) =>
      ['70', '100'].map((palletClass) => ({ ...row, palletClass, overGrams, upToGrams: overGrams + 500 })),
    )
    const card = { ...shared, content: { ...content, prices: [...content.prices, ...classPrices] } }
    const read = await readRateCard(clone.db, await importRateCard(clone.db, newCard({ card })))
    const ofZone = read?.content.prices.filter(({ zone }) => zone === 99)
    expect(ofZone?.map(({ palletClass, overGrams }) => `${palletClass} over ${overGrams}`)).toEqual([
      ...['100 over 0', '100 over 500'],
      ...['70 over 0', '70 over 500'],
    ])
  })

  test('is opened with the prices of each product, in the order of the whole version', async () => {
    const version = { code: 'demo', versionNo: 1 }
    const { content, ...shared } = (await readRateCard(clone.db, version))!
    const { pricesOf, content: terms, ...others } = (await openStoredCard(clone.db, version))!
    expect({ ...terms, prices: content.prices }).toEqual(content)
    expect(others).toEqual(shared)
    const read = []
    for (const { productId } of terms.products) read.push(...(await pricesOf(productId)))
    expect(read).toHaveLength(content.prices.length)
    for (const { productId } of terms.products)
      expect(read.filter((row) => row.productId === productId)).toEqual(
        content.prices.filter((row) => row.productId === productId),
      )
    expect(await pricesOf(1)).toEqual([])
    expect(await openStoredCard(clone.db, { code: 'demo', versionNo: 999 })).toBeUndefined()
  })

  test('has the same hash as the demo rate book that it was read from', async () => {
    const shipped = readDemoRateBook()
    const stored = await readRateCard(clone.db, { code: 'demo', versionNo: 1 })
    expect(hashContent(stored!.content)).toBe(hashContent(shipped.content))
    expect(stored?.fuel).toEqual(shipped.fuel)
  })

  test('is written completely or not at all', async () => {
    const { content, ...shared } = smallCard()
    const transit = [{ ...content.transit[0]!, minDays: 5, maxDays: 1 }]
    const broken = newCard({ card: { ...shared, content: { ...content, transit } } })
    await expect(importRateCard(clone.db, broken)).rejects.toThrow('transit')
    expect(await listRateCards(clone.db, 'heron')).toEqual([])
    const left = await clone.db
      .selectFrom('carrier')
      .selectAll()
      .where('carrier_code', '=', 'heron')
      .execute()
    expect(left).toEqual([])
  })

  test('can be discarded, a published version cannot', async () => {
    await sell(clone.db, newCard())
    const draft = await importRateCard(clone.db, newCard())
    await discardRateCard(clone.db, draft)
    expect(await statuses()).toEqual(['heron@1 published'])
    await expect(discardRateCard(clone.db, heron(1))).rejects.toThrow('heron@1 is published')
    await expect(discardRateCard(clone.db, heron(7))).rejects.toThrow('there is no heron@7')
  })

  test('cannot change the audience of a published card', async () => {
    await importRateCard(clone.db, newCard({ audience: 'contract' }))
    await sell(clone.db, newCard())
    await expect(importRateCard(clone.db, newCard({ audience: 'contract' }))).rejects.toThrow(OperatorError)
  })
})

describe('publication', () => {
  test('applies carriers, capitals and fuel, stores the hash, increments the revision and writes the log', async () => {
    const { content, ...shared } = smallCard()
    await sell(clone.db, newCard())
    const revision = await readRevision(clone.db, RATE_BOOK)
    const next = {
      content,
      carriers: [{ code: 'heron', name: 'Grey Heron', connector: 'sandbox' }],
      capitals: [{ country: 'NL', city: 'Den Haag', postalCode: '2511' }],
      fuel: [...shared.fuel, { ...shared.fuel[0]!, rateBps: 1300 }],
    }
    await importRateCard(clone.db, newCard({ card: next }))
    expect((await loadRateBook(clone.db)).carriers.map(({ name }) => name)).toContain('Heron')
    await publishRateCard(clone.db, heron(2))
    const book = await loadRateBook(clone.db)
    expect(book.revision).toBe(revision + 1)
    expect(book.carriers.find(({ code }) => code === 'heron')).toEqual(next.carriers[0])
    expect(fuelRateOn(book, 'heron', 'DIESEL', '2026-01-01')?.rateBps).toBe(1300)
    const [newest] = await listRateCards(clone.db, 'heron')
    expect(newest?.hash).toBe(hashContent(content))
    expect(newest?.publishedAt).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/)
    expect((await log()).at(-1)).toContain('published heron@2')
  })

  test('keeps a fuel rate that was changed later if the fuel rates of the card are unchanged', async () => {
    await sell(clone.db, newCard())
    const [shipped] = smallCard().fuel
    await setFuelRates(clone.db, [{ ...shipped!, rateBps: 1300 }])
    await sell(clone.db, newCard())
    const rateIn = async () =>
      fuelRateOn(await loadRateBook(clone.db), shipped!.carrierCode, shipped!.code, '2026-06-01')?.rateBps
    expect(await rateIn()).toBe(1300)
    const dearer = { ...smallCard(), fuel: [{ ...shipped!, rateBps: 1400 }] }
    await sell(clone.db, newCard({ card: dearer }))
    expect(await rateIn()).toBe(1400)
  })

  test('renames the card to the name in the import', async () => {
    const names = async () =>
      (await listRateCards(clone.db, 'heron')).map(({ version, name }) => `${version} ${name}`)
    await sell(clone.db, newCard())
    await importRateCard(clone.db, newCard({ name: 'Grey Heron' }))
    expect(await names()).toEqual(['heron@2 Grey Heron', 'heron@1 Heron 2026'])
    await publishRateCard(clone.db, heron(2))
    expect(await names()).toEqual(['heron@2 Grey Heron', 'heron@1 Grey Heron'])
    await importRateCard(clone.db, newCard({ name: 'Night Heron' }))
    await discardRateCard(clone.db, heron(3))
    expect(await names()).toEqual(['heron@2 Grey Heron', 'heron@1 Grey Heron'])
  })

  test('sends a notification with its revision after the commit', async () => {
    const { source } = clone
    const listener = new pg.Client(typeof source === 'string' ? { connectionString: source } : { ...source })
    await listener.connect()
    await listener.query(`listen ${RATE_BOOK.channel}`)
    const notified = new Promise((resolve) =>
      listener.once('notification', ({ payload }) => resolve(payload)),
    )
    await sell(clone.db, newCard())
    expect(await notified).toBe(String(await readRevision(clone.db, RATE_BOOK)))
    await listener.end()
  })

  test('gives a hash that depends on prices and not on the order of rows', async () => {
    const { content, ...shared } = smallCard()
    const turned = { ...content, prices: content.prices.toReversed(), lanes: content.lanes.toReversed() }
    const [first, ...rest] = content.prices
    const dearer = { ...content, prices: [{ ...first!, priceCents: first!.priceCents + 1 }, ...rest] }
    await sell(clone.db, newCard())
    await sell(clone.db, newCard({ card: { ...shared, content: turned } }))
    await sell(clone.db, newCard({ card: { ...shared, content: dearer } }))
    const [three, two, one] = (await listRateCards(clone.db, 'heron')).map(({ hash }) => hash)
    expect(two).toBe(one)
    expect(three).not.toBe(one)
  })

  test('refuses a product that another card sells to everyone, and changes nothing', async () => {
    const before = await sold()
    const other = await importRateCard(clone.db, newCard({ code: 'second', card: readDemoRateBook() }))
    const refused = publishRateCard(clone.db, other)
    await expect(refused).rejects.toThrow(OperatorError)
    await expect(refused).rejects.toThrow('product 1101 is in two rate cards')
    expect(await sold()).toEqual(before)
    const forContracts = await importRateCard(
      clone.db,
      newCard({ code: 'third', audience: 'contract', card: readDemoRateBook() }),
    )
    await publishRateCard(clone.db, forContracts)
    expect([...(await loadRateBook(clone.db)).contractCards.keys()]).toEqual(['third'])
  })

  test('refuses versions that are not drafts', async () => {
    await sell(clone.db, newCard())
    await expect(publishRateCard(clone.db, heron(1))).rejects.toThrow('heron@1 is already published')
    await withdrawRateCard(clone.db, heron(1))
    await expect(publishRateCard(clone.db, heron(1))).rejects.toThrow('heron@1 was withdrawn')
    await expect(withdrawRateCard(clone.db, heron(1))).rejects.toThrow('heron@1 is withdrawn, not published')
    await expect(publishRateCard(clone.db, heron(2))).rejects.toThrow('there is no heron@2')
  })

  test('happens once when two operators publish the same draft at once', async () => {
    const draft = await importRateCard(clone.db, newCard())
    const revision = await readRevision(clone.db, RATE_BOOK)
    const ends = await Promise.allSettled([1, 2, 3].map(() => publishRateCard(clone.db, draft)))
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected'])
    expect(await readRevision(clone.db, RATE_BOOK)).toBe(revision + 1)
  })

  test('of two cards with the same product at once succeeds for only one of them', async () => {
    const one = await importRateCard(clone.db, newCard())
    const two = await importRateCard(clone.db, newCard({ code: 'egret' }))
    const ends = await Promise.allSettled([one, two].map((version) => publishRateCard(clone.db, version)))
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  test('of several cards at once gives each a revision of its own', async () => {
    const revision = await readRevision(clone.db, RATE_BOOK)
    const cards = [1, 2, 3, 4].map((n) => newCard({ code: `heron-${n}`, card: smallCard(9000 + n * 10) }))
    await Promise.all(cards.map((card) => sell(clone.db, card)))
    expect(await readRevision(clone.db, RATE_BOOK)).toBe(revision + 4)
    expect((await log()).slice(-4).filter((what) => what.includes('published'))).toHaveLength(4)
  })
})

describe('a rollback', () => {
  beforeEach(async () => {
    for (const _ of [1, 2, 3]) await sell(clone.db, newCard())
  })

  test('goes to the published version before the newest', async () => {
    expect(await rollBackRateCard(clone.db, 'heron')).toEqual({ withdrawn: [heron(3)], to: heron(2) })
    expect(await statuses()).toEqual(['heron@3 withdrawn', 'heron@2 published', 'heron@1 published'])
    expect((await log()).at(-1)).toBe('rolled heron back to heron@2, withdrew heron@3')
  })

  test('goes back to the version named, and forward again', async () => {
    expect(await rollBackRateCard(clone.db, 'heron', 1)).toEqual({
      withdrawn: [heron(3), heron(2)],
      to: heron(1),
    })
    expect(await rollBackRateCard(clone.db, 'heron', 3)).toEqual({ withdrawn: [], to: heron(3) })
    expect(await statuses()).toEqual(['heron@3 published', 'heron@2 withdrawn', 'heron@1 published'])
  })

  test('is refused to a draft or an expired version', async () => {
    await importRateCard(clone.db, newCard())
    await expect(rollBackRateCard(clone.db, 'heron', 4)).rejects.toThrow('heron@4 is a draft')
    await expect(rollBackRateCard(clone.db, 'heron', 9)).rejects.toThrow('there is no heron@9')
    await expect(rollBackRateCard(clone.db, 'heron', 3)).rejects.toThrow(
      'already the newest published version',
    )
    await expect(rollBackRateCard(clone.db, 'osprey')).rejects.toThrow('no earlier published version')
    await sell(
      clone.db,
      newCard({ code: 'egret', card: smallCard(9500), validFrom: '2020-01-01', validTo: '2020-02-01' }),
    )
    await sell(clone.db, newCard({ code: 'egret', card: smallCard(9500) }))
    await expect(rollBackRateCard(clone.db, 'egret', 1)).rejects.toThrow('has expired')
  })
})
