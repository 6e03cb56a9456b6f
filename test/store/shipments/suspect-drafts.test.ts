/**
 * Drafts whose booking may have been lost, on PostgreSQL: how a new lineage is noticed, and what statements do with it.
 */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { noteRecovery, recordRestore } from '../../../src/store/database/recovery-points.ts'
import { restoreStore, suspectDrafts } from '../../../src/store/shipments/restores.ts'
import { shipmentStore } from '../../../src/store/shipments/shipments.ts'
import { type ClonedDatabase, cloneDatabase } from '../../support/database/clone-database.ts'
import { DRAFT, insertParties, insertShipment } from './shipment-rows.ts'

let cloned: ClonedDatabase
beforeAll(async () => {
  cloned = await cloneDatabase()
  await insertParties(cloned.db)
})
afterAll(() => cloned.drop())
beforeEach(async () => {
  await sql`DELETE FROM shipment`.execute(cloned.db)
  await sql`DELETE FROM recovery_point`.execute(cloned.db)
})

const store = () => shipmentStore(cloned.db, 'one')
const TERMS = { mayOpen: true, leaseMs: 10_000, refusalMemoryMs: 30_000 }
const cancel = (shipmentId: string) => store().beginCancellation('acme', shipmentId, TERMS)

/** As if the draft had been stored before a standby was promoted: the statement reads the newer timeline. */
function fromTimeline(timeline: string) {
  return { ...DRAFT, lineage: `${timeline}.0` }
}

describe('a draft', () => {
  test('is cancelled at once in the lineage in which it was created', async () => {
    await insertShipment(cloned.db, 'fresh', DRAFT)
    expect(await cancel('fresh')).toMatchObject({ draftCancelled: true })
  })

  test('from before a failover is suspect in the first statement after it, before a process has noticed it', async () => {
    await noteRecovery(cloned.db)
    await insertShipment(cloned.db, 'old', fromTimeline('00000000'))
    const begun = await cancel('old')
    expect(begun).toMatchObject({
      ...{ state: 'draft', draftCancelled: false },
      suspectDraft: { accountId: 'acme', shipmentId: 'old', carrierCode: 'rondeel', lineage: '00000001.0' },
    })
    if (begun?.suspectDraft === undefined) throw new Error('not suspect')
    await store().confirmDraft(begun.suspectDraft)
    expect(await cancel('old')).toMatchObject({ draftCancelled: true })
  })

  test('is suspect after a restore that an operator has recorded, and its confirmation ends with the next one', async () => {
    await insertShipment(cloned.db, 'old', DRAFT)
    await recordRestore(cloned.db)
    const first = await cancel('old')
    await recordRestore(cloned.db)
    if (first?.suspectDraft === undefined) throw new Error('not suspect')
    await store().confirmDraft(first.suspectDraft)
    expect(await cancel('old')).toMatchObject({ draftCancelled: false })
    await insertShipment(cloned.db, 'fresh', DRAFT)
    expect(await cancel('fresh')).toMatchObject({ draftCancelled: true })
  })

  test('from before the migration counts as known at the first start', async () => {
    await insertShipment(cloned.db, 'old', { ...DRAFT, lineage: null })
    await insertShipment(cloned.db, 'older', { ...DRAFT, lineage: null })
    await noteRecovery(cloned.db)
    expect(await cancel('old')).toMatchObject({ draftCancelled: true })
    await recordRestore(cloned.db)
    expect(await cancel('older')).toMatchObject({ draftCancelled: false })
  })

  test('that is booked and found suspect is never marked as a draft again', async () => {
    await insertShipment(cloned.db, 'booked', { lineage: '00000000.0' })
    const draft = { accountId: 'acme', shipmentId: 'booked', carrierCode: 'rondeel', lineage: '00000001.0' }
    await store().confirmDraft(draft)
    expect(await store().find('acme', 'booked')).toMatchObject({ state: 'booked' })
  })

  test('that waits to be cancelled goes on waiting if its booking was not sent and it is suspect', async () => {
    await insertShipment(cloned.db, 'old', fromTimeline('00000000'))
    await insertShipment(cloned.db, 'fresh', DRAFT)
    for (const id of ['old', 'fresh']) {
      const booking = await store().beginBooking('acme', id, { mayOpen: true, leaseMs: 10_000 })
      await cancel(id)
      await store().settleBooking('acme', id, booking?.lease ?? '', undefined, false)
    }
    expect(await store().find('acme', 'old')).toMatchObject({
      state: 'draft',
      cancelRequestedAt: expect.any(String),
    })
    expect(await store().find('acme', 'fresh')).toMatchObject({ state: 'cancelled' })
  })
})

describe('a recovery point', () => {
  const causes = async () => {
    const { rows } = await sql<{ cause: string }>`
      SELECT cause FROM recovery_point ORDER BY recovery_id`.execute(cloned.db)
    return rows.map(({ cause }) => cause)
  }
  const change = (column: 'timeline' | 'origin', value: string) =>
    sql`UPDATE recovery_point SET ${sql.ref(column)} = ${value}`.execute(cloned.db)

  test('is recorded once when the timeline or the origin of the database has changed', async () => {
    expect(await noteRecovery(cloned.db)).toBeUndefined()
    expect(await noteRecovery(cloned.db)).toBeUndefined()
    await change('timeline', '00000000')
    expect(await noteRecovery(cloned.db)).toMatchObject({ cause: 'failover' })
    await change('origin', 'another server')
    const found = await Promise.all([noteRecovery(cloned.db), noteRecovery(cloned.db)])
    expect(found.filter((point) => point?.cause === 'restore')).toHaveLength(1)
    expect(await causes()).toEqual(['first', 'failover', 'restore'])
  })

  test('of another server makes drafts suspect that have the same timeline', async () => {
    await noteRecovery(cloned.db)
    await insertShipment(cloned.db, 'old', DRAFT)
    await change('origin', 'another server')
    await noteRecovery(cloned.db)
    expect(await cancel('old')).toMatchObject({ draftCancelled: false })
  })
})

test('an ordinary role can read the lineage', async () => {
  const { rows } = await cloned.db.transaction().execute(async (trx) => {
    await sql`CREATE ROLE lineage_reader`.execute(trx)
    await sql`GRANT SELECT ON recovery_point TO lineage_reader`.execute(trx)
    await sql`SET LOCAL ROLE lineage_reader`.execute(trx)
    const found = await sql<{ lineage: string }>`SELECT database_lineage() AS lineage`.execute(trx)
    await sql`RESET ROLE`.execute(trx)
    await sql`DROP OWNED BY lineage_reader`.execute(trx)
    await sql`DROP ROLE lineage_reader`.execute(trx)
    return found
  })
  expect(rows[0]?.lineage).toMatch(/^0000000[1-9]\.0$/)
})

describe('the pages of suspect drafts', () => {
  test('have each draft of an older lineage once, by account and id', async () => {
    await insertShipment(cloned.db, 'b', fromTimeline('00000000'))
    await insertShipment(cloned.db, 'a', { ...fromTimeline('00000000'), account_id: 'other' })
    await insertShipment(cloned.db, 'c', fromTimeline('00000000'))
    await insertShipment(cloned.db, 'fresh', DRAFT)
    await insertShipment(cloned.db, 'running', { ...fromTimeline('00000000'), booking_until: new Date() })
    await insertShipment(cloned.db, 'booked', { lineage: '00000000.0' })
    const restores = restoreStore(cloned.db)
    const found: string[] = []
    let place = { accountId: '', shipmentId: '' }
    for (;;) {
      const [draft] = await restores.suspectDraftsAfter(place, 1)
      if (draft === undefined) break
      found.push(`${draft.accountId} ${draft.shipmentId}`)
      place = draft
    }
    expect(found).toEqual(['acme b', 'acme c', 'other a'])
  })

  // The index of a partition has another name, and small partitions are read without it.
  const isWhole = process.env['TEST_PARTITIONED'] === undefined
  test.runIf(isWhole)(
    'are read from an index of drafts, however many other shipments there are',
    async () => {
      await sql`INSERT INTO shipment (shipment_id, account_id, state, product_id, carrier_code, carrier_ref, from_country,
        to_country, parcel_type, parcels, recipient, price_cents, tariff_version)
      SELECT 'many-' || n, 'acme', CASE WHEN n % 1000 = 0 THEN 'draft' ELSE 'in_transit' END, 1201, 'rondeel',
          CASE WHEN n % 1000 > 0 THEN 'M' || n END, 'NL', 'DE', 'NONDOC', '[]', 'business', 985, 'demo@1'
        FROM generate_series(1, 5000) AS n`.execute(cloned.db)
      await sql`ANALYZE shipment`.execute(cloned.db)
      const { rows } = await sql<{ 'QUERY PLAN': string }>`
      EXPLAIN ${suspectDrafts({ accountId: 'acme', shipmentId: 'many-2' }, 500)}`.execute(cloned.db)
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
      expect(plan).toContain('shipment_drafts')
      expect(plan).not.toContain('Seq Scan on shipment')
    },
  )
})
