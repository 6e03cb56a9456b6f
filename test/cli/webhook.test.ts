/** `waybill webhook`: what operators see, and what is refused. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ClonedDatabase, cloneDatabase } from '../support/database/clone-database.ts'
import { runWaybill } from './run-waybill.ts'

let clone: ClonedDatabase
beforeAll(async () => {
  clone = await cloneDatabase()
})
beforeEach(async () => {
  await sql`TRUNCATE webhook_endpoint CASCADE`.execute(clone.db)
})
afterAll(() => clone.drop())

const waybill = (words: string) => runWaybill(clone, `webhook ${words}`)
const json = async (words: string) => JSON.parse((await waybill(`${words} --json`)).out)

test('adds, lists, rotates, replays and removes an endpoint', async () => {
  const { endpointId, secret } = await json(
    'add demo-shop https://shop.example/hooks --types shipment.booked',
  )
  expect(endpointId).toMatch(/^whk_[0-9a-f]{16}$/)
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(await json('list demo-shop')).toEqual([
    {
      ...{
        endpointId,
        accountId: 'demo-shop',
        url: 'https://shop.example/hooks',
        types: ['shipment.booked'],
      },
      ...{ state: 'active', waiting: 0, createdAt: expect.stringMatching(/Z$/), nextTryAt: null },
    },
  ])
  const next = await json(`rotate ${endpointId}`)
  expect(next.secret).not.toBe(secret)
  await sql`UPDATE webhook_endpoint SET disabled_at = now(), failures = 9, failing_since = now()`.execute(
    clone.db,
  )
  expect((await waybill('list')).out).toMatch(/disabled +0 +shipment\.booked +https:/)
  expect((await waybill(`replay ${endpointId} --after 0`)).out).toBe(`Endpoint ${endpointId} is active.`)
  expect(await json('list')).toMatchObject([{ state: 'active' }])
  await sql`INSERT INTO webhook_delivery (endpoint_id, sequence, duration_ms, status, failure)
    VALUES (${endpointId}, 1, 12, 500, 'HTTP 500'), (${endpointId}, 1, 10000, NULL, 'no response')`.execute(
    clone.db,
  )
  expect(
    (await waybill(`log ${endpointId}`)).out
      .split('\n')
      .slice(1)
      .map((line) => line.replace(/^\S+ +/, '')),
  ).toEqual([
    expect.stringMatching(/^1 +- +10000 +no response$/),
    expect.stringMatching(/^1 +500 +12 +HTTP 500$/),
  ])
  expect((await waybill(`remove ${endpointId}`)).out).toBe(`Endpoint ${endpointId} removed.`)
  expect(await json('list')).toEqual([])
})

describe('refuses', () => {
  test.each([
    ['add demo-shop http://shop.example/', 2, 'expected https://'],
    ['add demo-shop https://10.0.0.1/', 2, 'the address 10.0.0.1 is not public'],
    ['add demo-shop ftp://shop.example/ --private', 2, 'expected https://'],
    ['add demo-shop https://shop.example/ --types shipment.lost', 2, 'Expected types of shipment.created'],
    ['add nobody https://shop.example/', 1, 'there is no account nobody'],
    ['rotate whk_0', 1, 'there is no endpoint whk_0'],
    ['replay whk_0', 1, 'there is no endpoint whk_0'],
    ['replay whk_0 --after x', 2, 'Expected the number of an event'],
    ['remove whk_0', 1, 'there is no endpoint whk_0'],
  ])('%s', async (words, code, message) => {
    const ran = await waybill(words)
    expect(ran.code).toBe(code)
    expect(ran.err).toContain(message)
  })

  test('an eleventh endpoint', async () => {
    for (let index = 0; index < 10; index += 1)
      await waybill(`add demo-shop http://127.0.0.1:${index + 1}/ --private`)
    const ran = await waybill('add demo-shop https://shop.example/')
    expect([ran.code, ran.err]).toEqual([
      1,
      'waybill: account demo-shop has 10 endpoints, the most it may have',
    ])
  })
})
