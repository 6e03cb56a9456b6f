/** Changes that the database itself refuses: changes of published versions, and invalid rows. */
import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RateCardContent } from '../../../src/core/rating/rate-card.ts'
import { CARD_TABLES } from '../../../src/store/rate-cards/card-columns.ts'
import {
  discardRateCard,
  importRateCard,
  rollBackRateCard,
  withdrawRateCard,
} from '../../../src/store/rate-cards/versions.ts'
import { type ClonedDatabase, cloneDatabase } from '../../support/database/clone-database.ts'
import { newCard, sell, smallCard } from './small-rate-card.ts'

let clone: ClonedDatabase
let published: number
let draft: number
/** A published version that has only products, so that tests can try to insert any other row. */
let bare: number
beforeAll(async () => {
  clone = await cloneDatabase({ statementTimeoutMs: 0 })
  await sell(clone.db, newCard())
  await importRateCard(clone.db, newCard())
  const { content, ...shared } = smallCard()
  const onlyProducts: RateCardContent = {
    products: content.products,
    ...{
      countryGroups: [],
      lanes: [],
      prices: [],
      palletClasses: [],
      sizeClasses: [],
      minimumWeights: [],
      areas: [],
      areaTransit: [],
    },
    ...{
      surcharges: [],
      services: [],
      insurance: [],
      insuranceBands: [],
      transit: [],
      laneTransit: [],
      priceTerms: [],
      vatRates: [],
    },
  }
  await importRateCard(clone.db, newCard({ card: { ...shared, content: onlyProducts } }))
  const rows = await clone.db
    .selectFrom('rate_card_version')
    .select('version_id')
    .where('rate_card_code', '=', 'heron')
    .orderBy('version_no')
    .execute()
  ;[published, draft, bare] = rows.map(({ version_id }) => version_id) as [number, number, number]
  await sql`update rate_card_version set status = 'published', published_at = now()
    where version_id = ${bare}`.execute(clone.db)
})
afterAll(() => clone.drop())

/** Runs a statement and rolls it back. Returns the message of its error, or the number of changed rows. */
async function attempt(statement: RawBuilder<unknown>): Promise<string | number> {
  const undone = new Error('undone')
  let changed = 0
  try {
    await clone.db.transaction().execute(async (trx) => {
      changed = Number((await statement.execute(trx)).numAffectedRows)
      throw undone
    })
  } catch (error) {
    return error === undone ? changed : (error as Error).message
  }
  return changed
}

describe.each(Object.values(CARD_TABLES).map(({ table }) => table))('the rows of %s', (table) => {
  const rows = sql.table(table)

  test('cannot change once their version is published', async () => {
    const refused = /^heron@1 is published and cannot change/
    expect(await attempt(sql`delete from ${rows} where version_id = ${published}`)).toMatch(refused)
    const update = sql`update ${rows} set version_id = version_id where version_id = ${published}`
    expect(await attempt(update)).toMatch(refused)
    const other = { version_id: bare, ...(table === 'product' && { product_id: 9999 }) }
    const copy = sql`insert into ${rows} select (json_populate_record(r, ${JSON.stringify(other)})).*
      from ${rows} r where version_id = ${draft} limit 1`
    expect(await attempt(copy)).toMatch(/^heron@3 is published and cannot change: insert/)
    expect(await attempt(sql`truncate ${rows} cascade`)).toMatch(/does not allow truncate/)
  })

  test('can be deleted while it is a draft', async () => {
    expect(await attempt(sql`delete from ${rows} where version_id = ${draft}`)).toBeGreaterThan(0)
  })
})

test('a row cannot be moved out of or into a published version', async () => {
  const leaving = sql`update lane_zone set version_id = ${draft}, zone_chart = 'other' where version_id = ${published}`
  expect(await attempt(leaving)).toMatch(
    /^heron@1 is published and cannot change: update of rows in lane_zone/,
  )
  const coming = sql`update lane_zone set version_id = ${bare} where version_id = ${draft}`
  expect(await attempt(coming)).toMatch(
    /^heron@3 is published and cannot change: update of rows in lane_zone/,
  )
})

test('a row added to a draft that is being published waits, and is refused', async () => {
  const version = await importRateCard(clone.db, newCard({ code: 'egret', card: smallCard(9700) }))
  const { version_id } = await clone.db
    .selectFrom('rate_card_version')
    .select('version_id')
    .where('rate_card_code', '=', 'egret')
    .executeTakeFirstOrThrow()
  const added = await clone.db.transaction().execute(async (trx) => {
    await trx
      .updateTable('rate_card_version')
      .set({ status: 'published', published_at: new Date() })
      .where('version_id', '=', version_id)
      .execute()
    return {
      end: attempt(
        sql`insert into lane_zone (version_id, from_group, to_group, zone) values (${version_id}, 'X', 'Y', 1)`,
      ),
    }
  })
  expect(await added.end).toMatch(/egret@1 is published and cannot change/)
  await withdrawRateCard(clone.db, version)
})

describe('a version', () => {
  const set = (change: RawBuilder<unknown>, versionId = published) =>
    attempt(sql`update rate_card_version set ${change} where version_id = ${versionId}`)

  test('keeps its dates, hash and number once it is published', async () => {
    const refused = /^heron@1 is published and cannot change/
    expect(await set(sql`valid_from = '2025-01-01'`)).toMatch(refused)
    expect(await set(sql`valid_to = '2028-01-01'`)).toMatch(refused)
    expect(await set(sql`published_at = now()`)).toMatch(refused)
    expect(await set(sql`content_hash = null`)).toMatch(refused)
    expect(await set(sql`shared = '{}'`)).toMatch(refused)
    expect(await set(sql`version_no = 99`)).toMatch(refused)
    expect(await set(sql`valid_to = '2028-01-01'`, draft)).toBe(1)
  })

  test('changes from draft to published to withdrawn and back to published only', async () => {
    expect(await set(sql`status = 'draft', published_at = null, content_hash = null`)).toMatch(
      /cannot become draft/,
    )
    expect(await set(sql`status = 'withdrawn', published_at = now(), withdrawn_at = now()`, draft)).toMatch(
      /heron@2 is draft and cannot become withdrawn/,
    )
    expect(await set(sql`status = 'withdrawn'`)).toMatch(/check constraint/)
    expect(await set(sql`status = 'published'`, draft)).toMatch(/check constraint/)
  })

  test('is deleted only as a draft, and its rows go with it', async () => {
    const refused = /^heron@1 is published and cannot be deleted/
    expect(await attempt(sql`delete from rate_card_version where version_id = ${published}`)).toMatch(refused)
    await withdrawRateCard(clone.db, { code: 'heron', versionNo: 1 })
    expect(await attempt(sql`delete from rate_card_version where version_id = ${published}`)).toMatch(
      /withdrawn/,
    )
    await rollBackRateCard(clone.db, 'heron', 1)
    const fourth = await importRateCard(clone.db, newCard())
    const products = () => clone.db.selectFrom('product').select('version_id').execute()
    const before = (await products()).length
    await discardRateCard(clone.db, fourth)
    expect((await products()).length).toBe(before - 5)
  })
})

describe('append-only tables', () => {
  test.each([
    'fuel_rate',
    'fuel_table',
    'fuel_index_value',
    'rate_book_change',
  ])('%s allows no update and no delete', async (table) => {
    expect(await attempt(sql`delete from ${sql.table(table)}`)).toBe(
      `the table ${table} does not allow delete`,
    )
    expect(await attempt(sql`truncate ${sql.table(table)}`)).toBe(
      `the table ${table} does not allow truncate`,
    )
    const column = table === 'rate_book_change' ? 'what' : 'entered_at'
    expect(await attempt(sql`update ${sql.table(table)} set ${sql.ref(column)} = null`)).toMatch(
      /does not allow update/,
    )
  })
})

describe('invalid rows are refused', () => {
  const nonsense: [string, keyof RateCardContent, object][] = [
    ['an area without range and city', 'areas', { from: undefined, to: undefined }],
    ['an area with range and city', 'areas', { city: 'Palma' }],
    ['half a postal range', 'areas', { to: undefined }],
    ['a part of all other countries', 'countryGroups', { from: '1', to: '2' }],
    ['a surcharge that ends before it begins', 'surcharges', { validTo: '2025-01-01' }],
    ['a surcharge on no products at all', 'surcharges', { products: [] }],
    ['a maximum below the minimum', 'surcharges', { minimumCents: 200, maximumCents: 199 }],
    ['a maximum of a service of 0', 'services', { maximumCents: 0 }],
    ['free cover for a word that is not known', 'insurance', { freeCoverPer: 'lorry' }],
    ['an insurance band that ends where it begins', 'insuranceBands', { overCents: 100_000 }],
    ['an insurance band with half a step', 'insuranceBands', { valueStepCents: 50_000 }],
    ['days of a lane that end before they begin', 'laneTransit', { minDays: 20 }],
    ['a currency in small letters', 'priceTerms', { currency: 'gbp' }],
    ['a rounding step of 0', 'priceTerms', { roundToCents: 0 }],
    ['VAT above 100%', 'vatRates', { rateBps: 10_001 }],
    ['a shipment of no units', 'products', { maxUnits: 0 }],
    ['units that are not known', 'products', { units: 'stone-feet' }],
    ['sides that are rounded to inches without inches', 'products', { sideRounding: 'up' }],
    ['totals of something else', 'products', { volumetricPer: 'lorry' }],
    ['a step of heavy weights without their weight', 'products', { heavyStepGrams: 1000 }],
    ['a heavy weight between two steps', 'products', { heavyOverGrams: 750, heavyStepGrams: 1000 }],
    ['a smallest weight of 0', 'products', { minBilledUnitGrams: 0 }],
    ['a zone below 0', 'products', { zones: [-1] }],
    ['no pick-up days', 'products', { pickupDays: [] }],
    ['a weekday above 7', 'products', { pickupDays: [1, 8] }],
    ['a cut-off after the day', 'products', { cutOffMinutes: 1440 }],
  ]
  test.each(nonsense)('%s', async (_, part, change) => {
    const card = smallCard()
    const [first, ...rest] = card.content[part]
    const content = { ...card.content, [part]: [{ ...first, ...change }, ...rest] }
    const refused = importRateCard(clone.db, newCard({ card: { ...card, content } }))
    await expect(refused).rejects.toThrow('violates check constraint')
  })

  test('twice the same place in one chart', async () => {
    const card = smallCard()
    const countryGroups = [...card.content.countryGroups, ...card.content.countryGroups.slice(-1)]
    const content = { ...card.content, countryGroups }
    const refused = importRateCard(clone.db, newCard({ card: { ...card, content } }))
    await expect(refused).rejects.toThrow('duplicate key')
  })
})
