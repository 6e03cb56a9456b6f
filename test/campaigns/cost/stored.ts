/** The largest shipments that a caller can store, and many small ones, all of one account. */
import type { Kysely } from 'kysely'
import type { NewDraftShipment } from '../../../src/core/shipments/draft-shipment.ts'
import { createAccount } from '../../../src/store/accounts/accounts.ts'
import { createKey } from '../../../src/store/accounts/keys.ts'
import type { Database } from '../../../src/store/database/database.ts'
import { openDatabase } from '../../../src/store/database/open.ts'
import { seedDemoRateBook } from '../../../src/store/demo/reset.ts'
import { insertDraftAs } from '../../../src/store/shipments/shipments.ts'
import type { TestSource } from '../../support/database/test-server.ts'

export type Stored = {
  /** One for each document, as values of X-PP-API. */
  readonly keys: readonly string[]
  /** 99 parcel rows, 99 items, 10 quantities for each item. */
  readonly large: readonly string[]
  /** 99 items with no text or quantities. */
  readonly long: readonly string[]
  readonly small: readonly string[]
}

export type StoredCounts = { readonly [Kind in keyof Stored]: number }

export async function store(source: TestSource, counts: StoredCounts): Promise<Stored> {
  const db = openDatabase(source, { poolSize: 2, statementTimeoutMs: 0 })
  try {
    await seedDemoRateBook(db)
    await createAccount(db, 'acme', { accountName: 'acme' })
    return {
      keys: await createKeys(db, counts.keys),
      // Small ones last, because lists start with the newest.
      small: await insert(db, 'small', counts.small, SMALL),
      long: await insert(db, 'long', counts.long, LONG),
      large: await insert(db, 'large', counts.large, LARGE),
    }
  } finally {
    await db.destroy()
  }
}

async function createKeys(db: Kysely<Database>, count: number): Promise<readonly string[]> {
  const keys: string[] = []
  while (keys.length < count) {
    const issued = await createKey(db, 'acme')
    if (issued === undefined) throw new Error('no key was created')
    keys.push(`${issued.keyId}@${issued.secret}`)
  }
  return keys
}

async function insert(
  db: Kysely<Database>,
  name: string,
  count: number,
  draft: NewDraftShipment,
): Promise<readonly string[]> {
  const ids = Array.from({ length: count }, (_, index) => `${name}-${index}`)
  for (const id of ids) await insertDraftAs(db, id, 'acme', draft)
  return ids
}

const PARCEL = { count: 1, weightGrams: 5_000, lengthCm: 40, widthCm: 30, heightCm: 20, stackable: false }
const SMALL: NewDraftShipment = {
  ...{ productId: 1201, carrierCode: 'rondeel', priceCents: 985, rateCardVersion: 'demo@1' },
  ...{ from: { country: 'NL' }, to: { country: 'DE', city: 'Berlin' } },
  ...{ parcelType: 'NONDOC', parcels: [PARCEL], recipient: 'business' },
  contentItems: [{ description: 'cotton t-shirt', numberOfItems: 2, costSteps: 12_500_000 }],
}

const MANY = 99
/** 500 characters, different in each item, so that they are not compressed well. */
const description = (item: number): string =>
  Array.from({ length: 500 }, (_, index) =>
    String.fromCharCode(0x4e00 + ((item * 7_919 + index * 104_729) % 20_000)),
  ).join('')
const QUANTITIES = Array.from({ length: 10 }, (_, index) => ({ unit: 'kg', amountMicros: 1_234_567 + index }))

const LARGE: NewDraftShipment = {
  ...SMALL,
  parcels: Array(MANY).fill(PARCEL),
  contentItems: Array.from({ length: MANY }, (_, item) => ({
    ...{ description: description(item), numberOfItems: 999, costSteps: 12_345_678, tariff: '6109100010' },
    ...{ originCountry: 'CN', weightGrams: 1_234, quantities: QUANTITIES },
  })),
}

const LONG: NewDraftShipment = {
  ...SMALL,
  contentItems: Array(MANY).fill({ description: 'x', numberOfItems: 1, costSteps: 1 }),
}
