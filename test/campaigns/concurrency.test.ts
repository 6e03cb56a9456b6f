/** A short run of `npm run test:concurrency`: many callers at both doors of two services on one database. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type App, openApp } from '../../src/app/app.ts'
import { sandboxCarrier } from '../../src/carriers/sandbox/carrier.ts'
import { type SandboxServer, startSandboxServer } from '../../src/carriers/sandbox/server.ts'
import { readConfig } from '../../src/config/config.ts'
import { DEMO } from '../support/app/test-app.ts'
import { type ClonedDatabase, cloneDatabase } from '../support/database/clone-database.ts'
import { diceOf } from '../support/random/seeded-dice.ts'
import { callAll, checkRecords, type Door, insertShipments } from './concurrency/crowd.ts'
import { doorsOf, type Post } from './concurrency/doors.ts'
import { deadlocksSoFar } from './concurrency/sessions.ts'
import { slowed } from './concurrency/slowed-carrier.ts'

const SEED = 1
const carrier = sandboxCarrier()

let clone: ClonedDatabase
let server: SandboxServer
let apps: readonly App[]
beforeAll(async () => {
  clone = await cloneDatabase()
  server = await startSandboxServer({ carrier: slowed(carrier, 10, SEED) })
  const config = readConfig({
    LOG_LEVEL: 'silent',
    WAYBILL_RATE_LIMIT_PER_MINUTE: '1000000',
    WAYBILL_OVERLOAD_WAIT_MS: '60000',
    WAYBILL_SANDBOX_URL: server.address,
    WAYBILL_TRACK_MINUTES: '0',
  })
  const database = { source: clone.source, description: 'a test database', close: async () => {} }
  apps = await Promise.all([openApp(config, { database }), openApp(config, { database })])
})
afterAll(async () => {
  await Promise.all((apps ?? []).map((app) => app.close()))
  await server?.close()
  await clone.drop()
})

const postTo =
  ({ server: http }: App): Post =>
  async (url, body) => {
    const reply = await http.inject({
      method: 'POST',
      url,
      headers: { 'x-pp-api': DEMO, 'content-type': 'application/json' },
      ...(body !== undefined && { payload: JSON.stringify(body) }),
    })
    return { status: reply.statusCode, json: reply.json() }
  }

const MAX_TRIES = 5

/** Repeats refused requests, as callers do: a machine that stalls makes the service refuse some for a moment. */
const patient =
  (door: Door): Door =>
  async (shipmentId) => {
    for (let tries = 1; ; tries++) {
      const answer = await door(shipmentId)
      if (tries === MAX_TRIES || !/^50[34] /.test(answer)) return answer
    }
  }

describe('8 callers for each of 60 shipments, at both doors of two services,', () => {
  test('get the same answer, with one call to the carrier and one change per shipment', async () => {
    const shipments = await insertShipments(clone.db, 60, diceOf(SEED))
    const doors = apps.flatMap((app) => doorsOf(postTo(app)).map(patient))
    const { violations } = await callAll(shipments, doors, { callers: 8, atOnce: 20 })
    expect(violations).toEqual([])
    expect(await checkRecords(clone.db, shipments, carrier.cancelCalls)).toEqual([])
    expect(await deadlocksSoFar(clone.db)).toBe(0)
  })
})
