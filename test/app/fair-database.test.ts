/**
 * Statements of one account that do not end leave connections for other accounts (docs/limits.md#database-connections).
 */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEMO, OTHER, openTestApp, type TestApp } from '../support/app/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

test('while cancellations of one account wait for locks, another account lists and cancels', async () => {
  const { db } = app.clone
  await sql`INSERT INTO shipment (shipment_id, account_id, product_id, carrier_code, from_country, to_country,
      parcel_type, parcels, recipient, price_cents, tariff_version)
    SELECT 'flood-' || number, 'demo-shop', 1201, 'rondeel', 'NL', 'ES', 'NONDOC', '[]', 'business', 100, 'demo@1'
      FROM generate_series(1, 40) AS number`.execute(db)
  const answers = await db.connection().execute(async (connection) => {
    await sql`BEGIN`.execute(connection)
    await sql`SELECT FROM shipment WHERE shipment_id LIKE 'flood-%' FOR UPDATE`.execute(connection)
    const flood = Array.from({ length: 40 }, (_unused, index) =>
      app.rest(`/shipments/flood-${index + 1}/cancel`, undefined, { 'x-pp-api': DEMO }),
    )
    // As many as can run do, when two counts in a row are the same.
    let running = 0
    for (let before = -1; running !== before || running === 0; ) {
      before = running
      await new Promise((resolve) => setTimeout(resolve, 100))
      const { rows } = await sql<{ n: number }>`SELECT count(*)::integer AS n FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(db)
      running = rows[0]?.n ?? 0
    }
    const others = await Promise.all([
      app.graphql('{ shipments(first: 1) { __typename } }', {}, OTHER),
      app.rest('/shipments/no-such-shipment/cancel', undefined, { 'x-pp-api': OTHER }),
    ])
    await sql`ROLLBACK`.execute(connection)
    await Promise.all(flood)
    return others
  })
  expect(answers[0]).toEqual({ data: { shipments: { __typename: 'ShipmentConnection' } } })
  expect(answers[1]).toMatchObject({ status: 404 })
})
