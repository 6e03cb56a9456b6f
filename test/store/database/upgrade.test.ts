/** Rows of an earlier version in a database that this version has migrated. `npm run test:upgrade` is the long form. */
import { expect, test } from 'vitest'
import { migrate } from '../../../src/store/database/migrate.ts'
import { MIGRATIONS } from '../../../src/store/migrations/index.ts'
import { emptyDatabase } from '../../support/database/clone-database.ts'
import { runStatements } from '../../support/database/test-server.ts'
import { insertParties, insertShipment } from '../shipments/shipment-rows.ts'

test('rows from before the account was in the keys get it, and their version refuses the database', async () => {
  const earlier = Object.fromEntries(Object.entries(MIGRATIONS).filter(([name]) => name < '039'))
  const database = await emptyDatabase()
  const run = (...statements: readonly string[]) => runStatements(database.source, ...statements)
  const scan = (ref: string, shipmentId: string) => `
    INSERT INTO carrier_scan (carrier_code, event_id, carrier_ref, occurred_at, shipment_id)
      VALUES ('rondeel', 'e1', '${ref}', now(), ${shipmentId})`
  try {
    await migrate(database.source, { migrations: earlier, columns: {} })
    await insertParties(database.db)
    await insertShipment(database.db, 'one')
    await insertShipment(database.db, 'two', { carrier_ref: 'A', parcel_refs: ['A', 'B', 'A'] })
    await run(
      `INSERT INTO shipment_event (shipment_id, to_state) VALUES ('one', 'draft')`,
      ...[scan('SBX-OK-one', `'one'`), scan('SBX-OK-three', 'NULL')],
    )
    await migrate(database.source)
    expect(await run('SELECT account_id, to_state FROM shipment_event')).toEqual([
      { account_id: 'acme', to_state: 'draft' },
    ])
    expect(await run('SELECT account_id, shipment_id FROM carrier_scan ORDER BY shipment_id')).toEqual([
      { account_id: 'acme', shipment_id: 'one' },
      { account_id: '', shipment_id: null },
    ])
    expect(
      await run('SELECT carrier_ref, account_id, shipment_id FROM carrier_number ORDER BY 3, 1'),
    ).toEqual([
      { carrier_ref: 'SBX-OK-one', account_id: 'acme', shipment_id: 'one' },
      { carrier_ref: 'A', account_id: 'acme', shipment_id: 'two' },
      { carrier_ref: 'B', account_id: 'acme', shipment_id: 'two' },
    ])
    await insertShipment(database.db, 'one', { account_id: 'other' })
    await expect(migrate(database.source, { migrations: earlier, columns: {} })).rejects.toThrow(
      'the migration 058-former-keys, which only versions with the migration 040-carrier-numbers can use',
    )
  } finally {
    await database.drop()
  }
})
