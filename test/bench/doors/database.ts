/** The databases of the benchmark: customs data, an account with a key, drafts, and one of two rate books. */
import { type Kysely, sql } from 'kysely'
import type { RateCardImport } from '../../../src/core/rating/rate-card.ts'
import { createAccount } from '../../../src/store/accounts/accounts.ts'
import { createKey } from '../../../src/store/accounts/keys.ts'
import type { Database } from '../../../src/store/database/database.ts'
import { openDatabase } from '../../../src/store/database/open.ts'
import { seedDemoRateBook } from '../../../src/store/demo/reset.ts'
import { importRateCard, publishRateCard } from '../../../src/store/rate-cards/versions.ts'
import type { TestSource } from '../../support/database/test-server.ts'
import { generatedCard, offering } from '../generated-book.ts'

/** `demo`: the demo book. `generated`: 900,000 prices. Each quote of the benchmark has 12 options in both. */
export const BOOKS = ['demo', 'generated'] as const
export type Book = (typeof BOOKS)[number]

const ACCOUNT = 'bench'

/** The demo book offers 7 options for the route of the benchmark. */
const OPTIONS = 12
const DEMO_OPTIONS = 7

/** Fills a migrated database. Returns the value of X-PP-API for the account. */
export async function fillDatabase(source: TestSource, book: Book, drafts: number): Promise<string> {
  const db = openDatabase(source, { poolSize: 2, statementTimeoutMs: 0 })
  try {
    if (book === 'demo') await seedDemoRateBook(db)
    const card = book === 'demo' ? smallCard(OPTIONS - DEMO_OPTIONS) : offering(generatedCard(), OPTIONS)
    const head = { code: 'bench', name: 'Bench', audience: 'everyone', validFrom: '2026-01-01' } as const
    await publishRateCard(db, await importRateCard(db, { ...head, card }))
    await createAccount(db, ACCOUNT, { accountName: 'Bench', priceBreakdown: true })
    await insertDrafts(db, drafts)
    const key = await createKey(db, ACCOUNT)
    if (key === undefined) throw new Error('the account is missing')
    return `${key.keyId}@${key.secret}`
  } finally {
    await db.destroy()
  }
}

/** The generated card with only this number of products. */
function smallCard(options: number): RateCardImport {
  const card = offering(generatedCard(), options)
  const products = card.content.products.slice(0, options)
  const ids = new Set(products.map(({ productId }) => productId))
  const isIncluded = ({ productId }: { readonly productId: number }): boolean => ids.has(productId)
  const content = {
    ...card.content,
    products,
    prices: card.content.prices.filter(isIncluded),
    transit: card.content.transit.filter(isIncluded),
  }
  return { ...card, content }
}

/** The drafts have the ids '00000000', '00000001' and so on. */
async function insertDrafts(db: Kysely<Database>, count: number): Promise<void> {
  const { carrier_code } = await db.selectFrom('carrier').select('carrier_code').executeTakeFirstOrThrow()
  await sql`
    INSERT INTO shipment (shipment_id, account_id, product_id, carrier_code, from_country, to_country,
        parcel_type, parcels, recipient, price_cents, tariff_version)
      SELECT lpad(n::text, 8, '0'), ${ACCOUNT}, 1, ${carrier_code}, 'NL', 'DE', 'NONDOC', '[]', 'business', 985,
          'bench@1'
        FROM generate_series(0, ${count}::integer - 1) n`.execute(db)
  await sql`VACUUM ANALYZE`.execute(db)
}
