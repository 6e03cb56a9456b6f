/** Kept estimates on a real server, and `waybill customs compare` on top of them. */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type EstimateSnapshot, isEstimateId } from '../../../src/core/customs/kept-estimate.ts'
import type { NewEstimate } from '../../../src/operations/ports/estimates.ts'
import { estimateStore } from '../../../src/store/estimates/estimates.ts'
import { runWaybill } from '../../cli/run-waybill.ts'
import { type ClonedDatabase, cloneDatabase } from '../../support/database/clone-database.ts'

let clone: ClonedDatabase
let store: ReturnType<typeof estimateStore>
beforeAll(async () => {
  clone = await cloneDatabase()
  store = estimateStore(clone.db)
})
beforeEach(async () => {
  await sql`TRUNCATE kept_estimate`.execute(clone.db)
})
afterAll(() => clone.drop())

const SNAPSHOT: EstimateSnapshot = {
  request: { from: { country: 'CN' }, to: { country: 'DE' }, items: [] },
  ...{ date: '2026-11-21', customsRevision: 7, totalCents: 1_234, customsValueCents: 5_000 },
  ...{ hsCode: '610910', complete: true },
  lines: [{ hsCode: '610910', kind: 'DUTY', name: 'Duty', amountCents: 1_234, calculated: true }],
}
const [ONE, OTHER] = ['demo-shop', 'other-shop'] as const

const insert = (accountId: string, estimate: Partial<NewEstimate> = {}, days = 90) =>
  store.insertEstimate(accountId, { snapshot: SNAPSHOT, links: {}, key: undefined, ...estimate }, days)

/** Moves the end of an estimate into the past. */
const expire = (estimateId: string | undefined) =>
  sql`UPDATE kept_estimate SET expires_at = now() - interval '1 second' WHERE estimate_id = ${estimateId}`.execute(
    clone.db,
  )

describe('the store', () => {
  test('returns what was kept, to its account only', async () => {
    const links = { shipmentId: 'shp_1', reference: 'order 1' }
    const kept = await insert(ONE, { links })
    expect(kept).toMatchObject({ ...SNAPSHOT, ...links })
    expect(isEstimateId(kept?.estimateId ?? '')).toBe(true)
    const days = (Date.parse(kept?.expiresAt ?? '') - Date.parse(kept?.createdAt ?? '')) / 86_400_000
    expect(Math.round(days)).toBe(90)
    expect(await store.findEstimate(ONE, kept?.estimateId ?? '')).toEqual(kept)
    expect(await store.findEstimate(OTHER, kept?.estimateId ?? '')).toBeUndefined()
  })

  test('keeps one estimate for a key of an account, until it expires', async () => {
    const key = { key: 'k', input: 'one' }
    const kept = await insert(ONE, { key })
    expect(await insert(ONE, { key })).toBeUndefined()
    expect(await store.keyedEstimate(ONE, key)).toEqual({ estimate: kept, isSameInput: true })
    expect(await store.keyedEstimate(ONE, { ...key, input: 'two' })).toMatchObject({ isSameInput: false })
    expect(await store.keyedEstimate(OTHER, key)).toBeUndefined()
    expect(await insert(OTHER, { key })).toBeDefined()
    await expire(kept?.estimateId)
    expect(await store.keyedEstimate(ONE, key)).toBeUndefined()
    const again = await insert(ONE, { key })
    expect(again?.estimateId).not.toBe(kept?.estimateId)
    expect((await store.estimateUsage(ONE)).count).toBe(1)
  })

  test('stores one of several concurrent estimates with a key', async () => {
    const key = { key: 'k', input: 'one' }
    const stored = await Promise.all(Array.from({ length: 5 }, () => insert(ONE, { key })))
    expect(stored.filter((kept) => kept !== undefined)).toHaveLength(1)
  })

  test('counts estimates and their bytes, and deletes expired estimates in batches', async () => {
    const kept = await Promise.all([insert(ONE), insert(ONE), insert(ONE), insert(OTHER)])
    const bytes = Buffer.byteLength(JSON.stringify(SNAPSHOT))
    expect(await store.estimateUsage(ONE)).toEqual({ count: 3, bytes: 3 * bytes })
    for (const one of kept.slice(0, 3)) await expire(one?.estimateId)
    expect(await store.findEstimate(ONE, kept[0]?.estimateId ?? '')).toBeUndefined()
    expect(await store.expireEstimates(2)).toBe(2)
    expect(await store.expireEstimates(2)).toBe(1)
    expect(await store.expireEstimates(2)).toBe(0)
    expect((await store.estimateUsage(OTHER)).count).toBe(1)
    expect(await store.estimateUsage(ONE)).toEqual({ count: 0, bytes: 0 })
  })
})

describe('waybill customs compare', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'waybill-compare-'))
  const invoice = (text: string): string => {
    const file = path.join(folder, 'invoice.csv')
    writeFileSync(file, text)
    return file
  }
  const compare = (text: string, options = '') =>
    runWaybill(clone, `customs compare ${invoice(text)} ${options}`)

  test('finds estimates by id, shipment and reference, and prints lanes, errors and unmatched rows', async () => {
    const kept = await insert(ONE)
    await insert(ONE, { links: { shipmentId: 'shp_1' } })
    await insert(ONE, { links: { reference: 'r' } })
    await sql`UPDATE kept_estimate SET created_at = created_at - interval '1 hour'`.execute(clone.db)
    // The newest estimate of a reference counts, and only in the account.
    await insert(ONE, { links: { reference: 'r' }, snapshot: { ...SNAPSHOT, totalCents: 2_000 } })
    await insert(OTHER, { links: { reference: 'r' }, snapshot: { ...SNAPSHOT, totalCents: 9_999 } })
    const text = `estimate_id,shipment_id,reference,Due\n${kept?.estimateId},,,12.34\n,shp_1,,10\n,,r,10\n,,none,5\n`
    const options = `--account ${ONE} --column total=Due`
    const { code, out } = await compare(text, options)
    expect(code).toBe(0)
    expect(out).toContain('Compared 3 of 4 rows.')
    expect(out).toMatch(/CN → DE +3 +0 +4\.11 +2\.34 +1 of 3 +44\.68 +32\.34/)
    expect(out).toMatch(/5 +none +5\.00 +no kept estimate/)
    const json = JSON.parse((await compare(text, `${options} --json`)).out)
    expect(json.worst[0]).toMatchObject({ row: 4, by: 'reference', name: 'r', errorCents: 1_000 })
    expect(json.unmatched).toEqual([
      { row: 5, by: 'reference', name: 'none', chargedCents: 500, reason: 'NOT_KEPT' },
    ])
    const ofOther = JSON.parse((await compare(text, `--account ${OTHER} --column total=Due --json`)).out)
    expect(ofOther.worst).toMatchObject([{ row: 4, errorCents: 8_999 }])
    expect(ofOther.unmatched).toHaveLength(3)
  })

  test('refuses a file with faults, and references without an account', async () => {
    const faulty = await compare('reference,total\nr,x\n', `--account ${ONE}`)
    expect(faulty).toMatchObject({ code: 1, out: '' })
    expect(faulty.err).toContain('row 2, column total')
    const unsure = await compare('reference,total\nr,1\n')
    expect(unsure.code).toBe(1)
    expect(unsure.err).toContain('row 2, column reference')
  })

  test('refuses an unknown field of --column', async () => {
    expect((await compare('reference,total\nr,1\n', '--column amount=Due')).code).toBe(2)
  })
})
