/** A database from before versions could be changed under a running service: nothing of it is lost. */
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fuelRateOn } from '../../../src/core/rating/book/rate-book.ts'
import { quote, type RateQuote } from '../../../src/core/rating/quote.ts'
import { readDemoRateBook } from '../../../src/reference/rate-cards/rate-card-csv.ts'
import type { Database } from '../../../src/store/database/database.ts'
import { migrate } from '../../../src/store/database/migrate.ts'
import { seedDemoAccounts } from '../../../src/store/demo/accounts.ts'
import { resetDemoRateBook, seedDemoRateBook } from '../../../src/store/demo/rate-book.ts'
import { migrations } from '../../../src/store/migrations/index.ts'
import { CARD_TABLES } from '../../../src/store/rate-cards/card-tables.ts'
import { loadRateBook } from '../../../src/store/rate-cards/rate-book.ts'
import {
  importRateCard,
  listRateCards,
  publishRateCard,
  readRateCard,
} from '../../../src/store/rate-cards/versions.ts'
import { type ClonedDatabase, emptyDatabase } from '../../support/database/clone-database.ts'
import { demoRateBook, ORDINARY_DAY, parcelInput, requestOf } from '../../support/rates/demo-rate-book.ts'

let old: ClonedDatabase
beforeAll(async () => {
  old = await emptyDatabase({ statementTimeoutMs: 0 })
  const before = Object.entries(migrations).filter(([name]) => name < '0005')
  await migrate(old.source, Object.fromEntries(before))
  await publishAsBefore(old.db)
  expect(await migrate(old.source)).toContain('0005-rate-card-versions')
})
afterAll(() => old.drop())

/** Writes the demonstration into the tables of 0004; columns they do not have are passed over. */
async function publishAsBefore(db: Kysely<Database>): Promise<void> {
  const { content, carriers, capitals, fuel } = readDemoRateBook()
  const fill = (table: string, rows: readonly object[]) =>
    sql`insert into ${sql.table(table)}
      select * from json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)})`.execute(db)
  await fill(
    'carrier',
    carriers.map(({ code, ...row }) => ({ carrier_code: code, ...row })),
  )
  await fill(
    'capital',
    capitals.map(({ postalCode, ...row }) => ({ postal_code: postalCode, ...row })),
  )
  await fill(
    'fuel_rate',
    fuel.map((row) => ({
      carrier_code: row.carrierCode,
      valid_from: row.validFrom,
      rate_bps: row.rateBps,
    })),
  )
  await sql`insert into rate_card values ('demo', 'Demo rate book')`.execute(db)
  await sql`insert into rate_card_version (rate_card_code, version_no, status, valid_from, published_at) values
    ('demo', 1, 'published', '2026-01-01', '2026-01-01'), ('demo', 2, 'draft', '2026-01-01', '2026-01-01'),
    ('demo', 3, 'withdrawn', '2026-01-01', '2026-01-01')`.execute(db)
  for (const [part, { table, columns, blank }] of Object.entries(CARD_TABLES)) {
    if (part === 'laneTransit') continue
    const rows = (content[part as keyof typeof content] as readonly Record<string, unknown>[]).map(
      (row, index) => {
        const named = Object.entries<string>(columns).map(([field, column]) => [
          column,
          row[field] ?? (field === blank ? '' : undefined),
        ])
        return { version_id: 1, sort_no: index, ...Object.fromEntries(named) }
      },
    )
    await fill(table, rows)
  }
}

/** What a partner sees of a quote. */
function priced({ options, declined, tariffVersion }: RateQuote): object {
  const offers = options.map(({ product, priceCents, lines, transit }) => ({
    product,
    priceCents,
    lines,
    transit,
  }))
  return { offers, declined, tariffVersion }
}

test('a card published before quotes the same after', async () => {
  const book = await loadRateBook(old.db)
  for (const draft of [
    parcelInput(),
    parcelInput({ to: { country: 'NL' } }),
    parcelInput({ insured: true, totalValue: 900 }),
  ]) {
    const request = requestOf(draft)
    const quoted = quote(book, request, ORDINARY_DAY)
    expect(quoted.options.length).toBeGreaterThan(0)
    expect(priced(quoted)).toEqual(priced(quote(demoRateBook(), request, ORDINARY_DAY)))
  }
  expect(fuelRateOn(book, 'rondeel', 'FUEL', ORDINARY_DAY)).toEqual(
    fuelRateOn(demoRateBook(), 'rondeel', 'FUEL', ORDINARY_DAY),
  )
})

test('its versions keep their states, and what was published cannot change any more', async () => {
  const versions = await listRateCards(old.db, 'demo')
  expect(versions.map(({ version, status, hash }) => `${version} ${status} ${hash}`)).toEqual([
    'demo@3 withdrawn null',
    'demo@2 draft null',
    'demo@1 published null',
  ])
  await expect(sql`update zone_price set price_cents = 1`.execute(old.db)).rejects.toThrow(
    'demo@1 is published',
  )
})

test('it can be read as an import, with its carriers, capitals and fuel, and sold anew', async () => {
  const { content, ...shared } = (await readRateCard(old.db, { code: 'demo', versionNo: 1 }))!
  const shipped = readDemoRateBook()
  const byText = (rows: readonly object[]) =>
    rows.map((row) => JSON.stringify(Object.entries(row).sort())).sort()
  expect(byText(shared.carriers)).toEqual(byText(shipped.carriers))
  expect(byText(shared.capitals)).toEqual(byText(shipped.capitals))
  expect(byText(shared.fuel)).toEqual(byText(shipped.fuel))
  const again = { code: 'demo', name: 'Demo', audience: 'everyone', validFrom: '2026-01-01' } as const
  const version = await importRateCard(old.db, { ...again, card: { content, ...shared } })
  await publishRateCard(old.db, version)
  expect((await listRateCards(old.db, 'demo'))[0]).toMatchObject({ version: 'demo@4', status: 'published' })
})

test('the demonstration is seeded no second time, and a reset finds or publishes what is shipped', async () => {
  await seedDemoAccounts(old.db)
  await seedDemoRateBook(old.db)
  expect(await listRateCards(old.db, 'demo')).toHaveLength(4)
  await resetDemoRateBook(old.db)
  const versions = await listRateCards(old.db, 'demo')
  expect(versions.filter(({ status }) => status === 'draft')).toEqual([])
  const request = requestOf(parcelInput())
  const book = await loadRateBook(old.db)
  const { offers } = priced(quote(book, request, ORDINARY_DAY)) as { offers: object }
  expect(priced(quote(demoRateBook(), request, ORDINARY_DAY))).toMatchObject({ offers })
})
