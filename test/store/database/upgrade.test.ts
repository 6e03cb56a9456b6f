/**
 * Statements of an earlier version on a database that this version has migrated: during an upgrade, replicas of both
 * versions run. `npm run test:upgrade` is the long form.
 */
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate } from '../../../src/store/database/migrate.ts'
import { MIGRATIONS } from '../../../src/store/migrations/index.ts'
import { type ClonedDatabase, emptyDatabase } from '../../support/database/clone-database.ts'
import { runStatements, urlOf } from '../../support/database/test-server.ts'
import { insertParties, insertShipment } from '../shipments/shipment-rows.ts'
import { STATEMENTS_OF_004 } from './statements-of-004.ts'

const LEVEL_004 = Object.fromEntries(Object.entries(MIGRATIONS).filter(([name]) => name <= '004-customs'))
const ACCOUNT = 'acme'
const LEASE_MS = 15_000

let empty: ClonedDatabase
const clients: pg.Client[] = []
beforeAll(async () => {
  empty = await emptyDatabase()
  await migrate(empty.source, { migrations: LEVEL_004, columns: {} })
  await insertParties(empty.db)
})
afterAll(async () => {
  for (const client of clients) await client.end()
  await empty.drop()
})

type Run = (
  name: keyof typeof STATEMENTS_OF_004,
  ...values: unknown[]
) => Promise<Record<string, unknown> | undefined>

/** A connection of the old version. It prepares each statement at its first use, as the store does. */
async function connect(): Promise<Run> {
  const client = new pg.Client({ connectionString: urlOf(empty.source) })
  clients.push(client)
  await client.connect()
  return async (name, ...values) => {
    const { rows } = await client.query({ name, text: STATEMENTS_OF_004[name], values })
    return rows[0]
  }
}

async function createDraft(run: Run, shipmentId: string): Promise<void> {
  const places = ['NL', null, null, 'DE', null, null]
  const offer = ['NONDOC', '[]', 'business', null, 985, 'demo@1']
  const draft = await run('insertDraft', shipmentId, ACCOUNT, 1201, 'rondeel', null, ...places, ...offer)
  expect(draft).toMatchObject({ state: 'draft' })
}

function beginCancellation(run: Run, shipmentId: string) {
  return run('beginCancellation', shipmentId, ACCOUNT, 30_000, ACCOUNT, 'a process', LEASE_MS, LEASE_MS)
}

/** Creates, books, cancels and reads shipments. */
async function work(run: Run, prefix: string): Promise<void> {
  const [cancelled, booked] = [`${prefix}-draft`, `${prefix}-booked`]
  await createDraft(run, cancelled)
  expect(await beginCancellation(run, cancelled)).toMatchObject({ state: 'cancelled', draft_cancelled: true })

  await createDraft(run, booked)
  expect(await run('beginBooking', booked, ACCOUNT, LEASE_MS)).toMatchObject({ state: 'draft', tries: 1 })
  const ref = `SBX-OK-${booked}`
  const booking = [booked, ACCOUNT, ref, ref, ACCOUNT, 'a process', LEASE_MS, LEASE_MS]
  expect(await run('markBooked', ...booking)).toMatchObject({ state: 'booked', booked: true })
  const begun = await beginCancellation(run, booked)
  expect(begun).toMatchObject({ state: 'booked', carrier_ref: ref, fence: 1, sends: 1 })
  const progress = await run('cancelProgress', 30_000, 30_000, booked, ACCOUNT)
  expect(progress).toMatchObject({ state: 'booked', working: true })
  const settled = await run('acceptCancellation', booked, begun?.['attempt_id'], 'carrier')
  expect(settled).toEqual({ state: 'cancelled' })
  expect(await run('attempts', [booked], ACCOUNT)).toMatchObject({ phase: 'accepted', sends: 1 })
  expect(await run('list', ACCOUNT, 1)).toMatchObject({ shipment_id: booked, state: 'cancelled' })
}

test('statements of a version with the migrations up to 004 work before and after this version migrates', async () => {
  const before = await connect()
  await work(before, 'before')
  expect(await migrate(empty.source)).toEqual(Object.keys(MIGRATIONS).filter((name) => name > '004-customs'))
  // Statements that were prepared before, and new connections.
  await work(before, 'after')
  await work(await connect(), 'new')
  const [states] = await runStatements(
    empty.source,
    `SELECT count(*)::int AS n FROM shipment WHERE state = 'cancelled' AND shipment_id ~ '^(before|after|new)-'`,
  )
  expect(states).toEqual({ n: 6 })
})

/** As the store of versions up to 006 inserted customs rows: new columns are null. */
async function insertCustomsRows(table: string, rows: readonly object[]): Promise<void> {
  const json = JSON.stringify(rows)
  await runStatements(
    empty.source,
    `INSERT INTO ${table} SELECT * FROM json_populate_recordset(null::${table}, '${json}'::json)`,
  )
}

test('a version without the new customs columns can insert rows, which have the values of empty cells', async () => {
  const [set] = await runStatements(
    empty.source,
    `INSERT INTO customs_data_set (data_set, table_names, title, source, published_on, content_hash, sort_no, is_shipped,
        state, layer, published_at)
      VALUES ('old', '{measures}', 'Old', 'us', '2026-01-01', repeat('0', 64), 0, true, 'published', 0, now())
      RETURNING set_id`,
  )
  const head = { set_id: set?.['set_id'], sort_no: 0, jurisdiction: 'XX' }
  const always = { valid_from: null, valid_to: null, confidence: 'high' }
  const rate = { specific: '', minimum: '', maximum: '', condition: '', text: '', agreement: '', note: '' }
  await insertCustomsRows('customs_measure', [
    {
      ...{
        ...head,
        ...always,
        ...rate,
        code_prefix: '61',
        measure_type: 'third_country_duty',
        kind: 'additive',
      },
      ...{ origin_group: 'ALL', excluded_origins: [], scope_list: '', exempt_list: '', basis: 'value' },
      ...{ against: [], ad_valorem_ppm: 100_000 },
    },
  ])
  await insertCustomsRows('customs_threshold', [
    {
      ...{
        ...head,
        ...always,
        applies_to: 'duty',
        kind: 'relief_up_to',
        limit_amount: '10',
        value_basis: 'goods',
      },
      ...{ currency: 'EUR', flat_amount: '', deduct_amount: '', recipient: 'any', sent_from: [] },
      ...{ included_prefixes: [], excluded_prefixes: [], yields_to_preference: false, replaces_taxes: false },
      ...{ reason: 'a rule', enabled: true },
    },
  ])
  await insertCustomsRows('customs_tax', [
    {
      ...{
        ...head,
        tax: 'VAT',
        name: 'VAT',
        kind: 'VAT',
        status: 'levied',
        base: 'value_and_duty',
        uplift_ppm: 0,
      },
      ...{
        includes_freight: false,
        rates_of: 'XX',
        reason: '',
        note: '',
        note_prefixes: [],
        code_prefixes: [],
      },
    },
  ])
  await insertCustomsRows('customs_fee', [
    {
      ...{
        ...head,
        ...always,
        fee: 'F',
        name: 'Fee',
        kind: 'per_consignment',
        status: 'levied',
        currency: 'EUR',
      },
      ...{ amount: '1', minimum: '', maximum: '', not_levied_below: '', value_above: '', value_up_to: '' },
      ...{ recipient: 'any', in_tax_base: false, waived_by_preference: false, reason: '', enabled: true },
    },
  ])
  const { jurisdiction: _, ...place } = head
  await insertCustomsRows('customs_jurisdiction', [
    {
      ...{ ...place, code: 'XX', name: 'XX', currency: 'EUR', customs_areas: ['XX'], tax_areas: ['XX'] },
      ...{ valuation: 'CIF', rounding_unit: '', rounding_mode: 'half_up', value_unit: '', note: '' },
      reliefs: 'considered',
    },
  ])
  const [filled] = await runStatements(
    empty.source,
    `SELECT level, goods, r.import_schemes, t.recipient, exempt_origins, tariff_of,
        unit_value_above, unit_value_up_to, unit_value_currency, unit_value_per,
        r.item_digits, f.import_schemes AS fee_schemes, paid_by_carrier
      FROM customs_measure, customs_threshold AS r, customs_tax AS t, customs_fee AS f, customs_jurisdiction`,
  )
  expect(filled).toEqual({
    ...{ level: 'line', goods: '', import_schemes: [], recipient: 'any', exempt_origins: [], tariff_of: '' },
    ...{ unit_value_above: '', unit_value_up_to: '', unit_value_currency: '', unit_value_per: '' },
    ...{ item_digits: null, fee_schemes: [], paid_by_carrier: false },
  })
})

test('rows from before the account was in the keys get it, and so do rows of the former version', async () => {
  const former = Object.fromEntries(Object.entries(MIGRATIONS).filter(([name]) => name < '039'))
  const database = await emptyDatabase()
  const run = (...statements: readonly string[]) => runStatements(database.source, ...statements)
  const scan = (ref: string, eventId: string, shipmentId: string) => `
    INSERT INTO carrier_scan AS scan (carrier_code, event_id, carrier_ref, occurred_at, shipment_id)
      VALUES ('rondeel', '${eventId}', '${ref}', now(), ${shipmentId})
      ON CONFLICT (carrier_code, carrier_ref, event_id) DO UPDATE
        SET shipment_id = coalesce(scan.shipment_id, excluded.shipment_id)`
  const event = (state: string) =>
    `INSERT INTO shipment_event (shipment_id, to_state) VALUES ('one', '${state}')`
  const reported = `
    INSERT INTO lookup_report (shipment_id, account_id, carrier_code, reported) VALUES ('one', 'acme', 'rondeel', 'cancelled')
      ON CONFLICT (shipment_id) DO UPDATE SET reported = excluded.reported`
  try {
    await migrate(database.source, { migrations: former, columns: {} })
    await insertParties(database.db)
    await insertShipment(database.db, 'one')
    await insertShipment(database.db, 'two', { carrier_ref: 'A', parcel_refs: ['A', 'B', 'A'] })
    await run(event('draft'), scan('SBX-OK-one', 'e1', `'one'`), scan('SBX-OK-three', 'e1', 'NULL'), reported)
    await migrate(database.source)
    await run(event('booked'), scan('SBX-OK-one', 'e2', `'one'`), scan('SBX-OK-one', 'e2', `'one'`), reported)
    await insertShipment(database.db, 'three')
    await run(`UPDATE carrier_scan SET shipment_id = 'three' WHERE carrier_ref = 'SBX-OK-three'`)
    expect(await run('SELECT account_id, to_state FROM shipment_event ORDER BY event_id')).toEqual([
      { account_id: 'acme', to_state: 'draft' },
      { account_id: 'acme', to_state: 'booked' },
    ])
    expect(
      await run('SELECT account_id, event_id, shipment_id FROM carrier_scan ORDER BY shipment_id, event_id'),
    ).toEqual([
      { account_id: 'acme', event_id: 'e1', shipment_id: 'one' },
      { account_id: 'acme', event_id: 'e2', shipment_id: 'one' },
      { account_id: 'acme', event_id: 'e1', shipment_id: 'three' },
    ])
    expect(
      await run('SELECT carrier_ref, account_id, shipment_id FROM carrier_number ORDER BY 3, 1'),
    ).toEqual([
      { carrier_ref: 'SBX-OK-one', account_id: 'acme', shipment_id: 'one' },
      { carrier_ref: 'SBX-OK-three', account_id: 'acme', shipment_id: 'three' },
      { carrier_ref: 'A', account_id: 'acme', shipment_id: 'two' },
      { carrier_ref: 'B', account_id: 'acme', shipment_id: 'two' },
    ])
    await expect(insertShipment(database.db, 'one', { account_id: 'other' })).rejects.toMatchObject({
      constraint: 'shipment_former_key',
    })
  } finally {
    await database.drop()
  }
})
