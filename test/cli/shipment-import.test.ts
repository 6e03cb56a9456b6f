/** `waybill shipment import`: imported and unchanged shipments, and reported faults. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { readShipments } from '../../src/reference/shipments-csv.ts'
import { readCorrections } from '../../src/store/shipments/operators/corrections.ts'
import { importShipments } from '../../src/store/shipments/operators/shipment-import.ts'
import { recoveryStore } from '../../src/store/shipments/recovery.ts'
import { shipmentStore } from '../../src/store/shipments/shipments.ts'
import { trackingStore } from '../../src/store/shipments/tracking.ts'
import { insertAttempt, insertParties, insertShipment } from '../store/shipments/shipment-rows.ts'
import { type ClonedDatabase, cloneDatabase } from '../support/database/clone-database.ts'
import { runWaybill } from './run-waybill.ts'

let cloned: ClonedDatabase
let folder: string
beforeAll(async () => {
  cloned = await cloneDatabase({ statementTimeoutMs: 0 })
  folder = await mkdtemp(path.join(tmpdir(), 'waybill-shipments-'))
  await insertParties(cloned.db)
})
beforeEach(async () => {
  await sql`DELETE FROM shipment WHERE account_id IN ('acme', 'other')`.execute(cloned.db)
  await sql`DELETE FROM shipment_correction`.execute(cloned.db)
})
afterAll(async () => {
  await cloned.drop()
  await rm(folder, { recursive: true, force: true })
})

const HEADER =
  'shipment_id,account,carrier,carrier_ref,product_id,state,from_country,from_zipcode,from_city,to_country,to_zipcode,to_city,price'

/** Writes a file of these rows and imports it. */
async function importRows(rows: readonly string[], options = '', header = HEADER) {
  const file = path.join(folder, 'shipments.csv')
  await writeFile(file, [header, ...rows, ''].join('\n'))
  const { code, out, err } = await runWaybill(cloned, `shipment import '${file}' ${options}`)
  return { code, out, err }
}

async function ids(): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT shipment_id AS id FROM shipment WHERE account_id IN ('acme', 'other') ORDER BY 1`.execute(
    cloned.db,
  )
  return rows.map(({ id }) => id)
}

async function eventsOf(shipmentId: string): Promise<string[]> {
  const rows = await cloned.db
    .selectFrom('shipment_event')
    .select(['from_state', 'to_state'])
    .where('shipment_id', '=', shipmentId)
    .orderBy('event_id')
    .execute()
  return rows.map(({ from_state, to_state }) => `${from_state ?? ''}>${to_state}`)
}

const BOOKED = 'shp-1,acme,rondeel,SBX-OK-1,1201,booked,NL,1012 LG,Amsterdam,DE,10115,Berlin,9.85'
const DRAFT = 'shp-2,acme,rondeel,,1201,draft,NL,,,BE,,,0'
const MOVING = 'shp-3,other,rondeel,SBX-SCANNED-1,1202,in_transit,NL,,,FR,,Paris,12.4'

describe('importing shipments', () => {
  test('registers them with their states and the events that lead to these', async () => {
    expect(await importRows([BOOKED, DRAFT, MOVING])).toEqual({
      code: 0,
      out: 'Registered 3 shipments.',
      err: '',
    })
    const store = shipmentStore(cloned.db, 'test')
    const createdAt = expect.any(String)
    expect(await store.find('acme', 'shp-1')).toEqual({
      shipmentId: 'shp-1',
      state: 'booked',
      productId: 1201,
      carrierCode: 'rondeel',
      carrierRef: 'SBX-OK-1',
      from: { country: 'NL', zipcode: '1012 LG', city: 'Amsterdam' },
      to: { country: 'DE', zipcode: '10115', city: 'Berlin' },
      priceCents: 985,
      ...{ createdAt, bookedAt: createdAt, updatedAt: createdAt },
    })
    expect(await store.find('acme', 'shp-2')).toEqual({
      shipmentId: 'shp-2',
      state: 'draft',
      productId: 1201,
      carrierCode: 'rondeel',
      from: { country: 'NL' },
      to: { country: 'BE' },
      priceCents: 0,
      ...{ createdAt, updatedAt: createdAt },
    })
    expect(await store.find('other', 'shp-3')).toMatchObject({ state: 'in_transit', priceCents: 1240 })
    expect(await eventsOf('shp-2')).toEqual(['>draft'])
    expect(await eventsOf('shp-1')).toEqual(['>draft', 'draft>booked'])
    expect(await eventsOf('shp-3')).toEqual(['>draft', 'draft>booked', 'booked>in_transit'])
    const { rows } = await sql`SELECT parcel_type, parcels, recipient, tariff_version,
      booked_at IS NOT NULL AS is_booked, created_at > now() - interval '1 hour' AS is_new
      FROM shipment WHERE account_id IN ('acme', 'other') ORDER BY shipment_id`.execute(cloned.db)
    const common = {
      parcel_type: 'NONDOC',
      parcels: [],
      recipient: 'business',
      tariff_version: 'imported',
      is_new: true,
    }
    expect(rows).toEqual([true, false, true].map((is_booked) => ({ ...common, is_booked })))
  })

  test('accepts a file without the optional columns', async () => {
    const header = 'shipment_id;account;carrier;carrier_ref;product_id;from_country;to_country;price;note'
    const { code, err } = await importRows(['shp-1;acme;rondeel;R1;1201;NL;DE;9.85;by Ann'], '--json', header)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(await shipmentStore(cloned.db, 'test').find('acme', 'shp-1')).toMatchObject({
      state: 'booked',
      carrierRef: 'R1',
    })
  })

  const SEVERAL = `${HEADER},other_carrier_refs`

  test('registers all numbers of a shipment, and recognises them when the file is imported again', async () => {
    expect(await importRows([`${BOOKED},SBX-OK-2 SBX-OK-3`], '', SEVERAL)).toMatchObject({ code: 0, err: '' })
    const parcelRefs = ['SBX-OK-1', 'SBX-OK-2', 'SBX-OK-3']
    expect(await shipmentStore(cloned.db, 'test').find('acme', 'shp-1')).toMatchObject({
      ...{ carrierRef: 'SBX-OK-1', parcelRefs },
    })
    expect((await importRows([`${BOOKED},SBX-OK-2 SBX-OK-3`], '', SEVERAL)).out).toContain('Registered 0')
    expect((await importRows([`${BOOKED},SBX-OK-2`], '', SEVERAL)).err).toContain(
      'column other_carrier_refs: expected "SBX-OK-2 SBX-OK-3", as in the registered shipment, found "SBX-OK-2"',
    )
    expect((await importRows([BOOKED])).code).toBe(1)
  })

  test('registers the reference of a shipment, which need not be unique', async () => {
    const header = `${HEADER},reference`
    expect(await importRows([`${BOOKED},PO 1`, `${DRAFT},PO 1`, `${MOVING},`], '', header)).toMatchObject({
      ...{ code: 0, err: '' },
    })
    const found = await shipmentStore(cloned.db, 'test').findMany('acme', await ids())
    expect(found.map(({ shipmentId, reference }) => [shipmentId, reference]).sort()).toEqual([
      ['shp-1', 'PO 1'],
      ['shp-2', 'PO 1'],
    ])
    const other = await shipmentStore(cloned.db, 'test').find('other', 'shp-3')
    expect(other).not.toHaveProperty('reference')
    // A registered shipment does not change.
    expect((await importRows([`${BOOKED},PO 2`], '', header)).out).toContain('Registered 0')
    expect((await importRows([`${DRAFT},${'x'.repeat(101)}`], '', header)).err).toContain(
      'column reference: expected at most 100 characters',
    )
  })

  test('refuses numbers that cannot belong together, and warns of a number in two shipments', async () => {
    const tooMany = Array.from({ length: 20 }, (_, index) => `P${index}`).join(' ')
    const faulty = [`${BOOKED},SBX-OK-2 SBX-OK-1`, `${DRAFT},SBX-OK-2`, `${MOVING},${tooMany}`]
    const { code, err } = await importRows(faulty, '', SEVERAL)
    expect(code).toBe(1)
    expect(err.split('\n')).toEqual([
      'shipments.csv, row 2, column other_carrier_refs: expected each number of the shipment once, found "SBX-OK-1"',
      'shipments.csv, row 3, column other_carrier_refs: expected an empty cell, because a draft has no tracking number, found "SBX-OK-2"',
      expect.stringContaining('row 4, column other_carrier_refs: expected at most 19 tracking numbers'),
      'waybill: the file has 3 faults; nothing was written',
    ])
    const twice = [`${BOOKED},SBX-OK-2`, `${MOVING.replace('SBX-SCANNED-1', 'SBX-OK-2')},`]
    expect((await importRows(twice, '', SEVERAL)).err).toContain(
      'a tracking number that is unique in the file',
    )
  })

  test('refuses numbers that cannot be those of the carrier', async () => {
    await sql`INSERT INTO carrier (carrier_code, name, connector) VALUES ('brown', 'Brown', 'ups')
      ON CONFLICT DO NOTHING`.execute(cloned.db)
    const rows = [
      'shp-1,acme,brown,1Z999AA10123456784,1201,booked,NL,,,DE,,,9.85,1Z999',
      'shp-2,acme,brown,999,1201,booked,NL,,,DE,,,9.85,',
    ]
    const { code, err } = await importRows(rows, '', SEVERAL)
    expect(code).toBe(1)
    expect(err.split('\n')).toEqual([
      'shipments.csv, row 2, column other_carrier_refs: expected a tracking number of ups, which must be 1Z and 16 digits or upper-case letters, found "1Z999"',
      'shipments.csv, row 3, column carrier_ref: expected a tracking number of ups, which must be 1Z and 16 digits or upper-case letters, found "999"',
      'waybill: the file has 2 faults; nothing was written',
    ])
    expect(await ids()).toEqual([])
  })

  test('makes them cancellable like other shipments', async () => {
    await importRows([BOOKED])
    const store = shipmentStore(cloned.db, 'one')
    const begun = await store.beginCancellation('acme', 'shp-1', {
      mayOpen: true,
      leaseMs: 60_000,
      refusalMemoryMs: 0,
    })
    expect(begun?.ticket).toMatchObject({ carrierRef: 'SBX-OK-1', sends: 1 })
  })

  test('puts a shipment in transit if its carrier has reported a scan before', async () => {
    const tracking = trackingStore(cloned.db)
    const scan = {
      carrierCode: 'rondeel',
      carrierRef: 'SBX-OK-1',
      eventId: 'e1',
      at: new Date().toISOString(),
    }
    expect(await tracking.recordScan(scan)).toBe('unmatched')
    await importRows([BOOKED])
    expect(await eventsOf('shp-1')).toEqual(['>draft', 'draft>booked', 'booked>in_transit'])
    await sql`DELETE FROM carrier_scan`.execute(cloned.db)
  })

  test('changes nothing if the file is imported again', async () => {
    await importRows([BOOKED, DRAFT])
    await cloned.db
      .updateTable('shipment')
      .set({ state: 'in_transit', price_cents: 1 })
      .where('shipment_id', '=', 'shp-1')
      .execute()
    expect(await importRows([BOOKED, DRAFT, MOVING])).toEqual({
      code: 0,
      out: 'Registered 1 shipment.\n2 of 3 were already registered and did not change.',
      err: '',
    })
    const store = shipmentStore(cloned.db, 'test')
    expect(await store.find('acme', 'shp-1')).toMatchObject({ state: 'in_transit', priceCents: 1 })
    expect(await eventsOf('shp-1')).toEqual(['>draft', 'draft>booked'])
    expect(await importRows([BOOKED, DRAFT, MOVING], '--json')).toEqual({
      code: 0,
      out: '{"registered":0,"alreadyThere":3,"warnings":[]}',
      err: '',
    })
  })

  test('recognises a draft that was booked since', async () => {
    await importRows([DRAFT])
    await cloned.db
      .updateTable('shipment')
      .set({ state: 'booked', carrier_ref: 'R9', booked_at: new Date() })
      .where('shipment_id', '=', 'shp-2')
      .execute()
    expect((await importRows([DRAFT], '--json')).out).toBe('{"registered":0,"alreadyThere":1,"warnings":[]}')
    expect((await shipmentStore(cloned.db, 'test').find('acme', 'shp-2'))?.state).toBe('booked')
  })

  test('warns of two shipments with the same tracking number', async () => {
    const { code, out, err } = await importRows([BOOKED, BOOKED.replace('shp-1', 'shp-9')])
    expect({ code, out }).toEqual({ code: 0, out: 'Registered 2 shipments.' })
    expect(err).toBe(
      'warning: shipments.csv, row 3, column carrier_ref: expected a tracking number that is unique in the file; row 2 has the same, found "SBX-OK-1 of rondeel"',
    )
  })
})

describe('faults', () => {
  test('in cells are reported all at once, and nothing is written', async () => {
    const { code, out, err } = await importRows([
      BOOKED,
      'shp 4,acme,rondeel,R4,x,booked,NL,,,DE,,,9.85',
      'shp-5,acme,rondeel,R 5,1201,lost,NL,,,XX,,,"9,85"',
      'shp-6,acme,rondeel,,1201,booked,NL,,,DE,,,9.855',
      'shp-7,acme,rondeel,,1201,,NL,,,DE,,,9.85',
      'shp-8,acme,rondeel,R8,1201,draft,NL,,,DE,,,9.85',
      `shp-9,acme,rondeel,${'R'.repeat(65)},1201,booked,nl,,,DE,,,-1`,
      BOOKED,
    ])
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err.split('\n')).toEqual([
      'shipments.csv, row 3, column shipment_id: expected 1 to 64 characters of A-Z, a-z, 0-9, _ and -, found "shp 4"',
      'shipments.csv, row 3, column product_id: expected a whole number, found "x"',
      'shipments.csv, row 4, column carrier_ref: expected a tracking number of at most 64 characters, without spaces, found "R 5"',
      'shipments.csv, row 4, column state: expected one of draft, booked, in_transit, found "lost"',
      'shipments.csv, row 4, column to_country: expected an ISO 3166-1 country code of two capital letters, found "XX"',
      'shipments.csv, row 4, column price: expected a number with at most 2 decimals, written with a point, found "9,85"',
      'shipments.csv, row 5, column price: expected a number with at most 2 decimals, found "9.855"',
      'shipments.csv, row 6, column carrier_ref: expected a tracking number, because the state is booked, found an empty cell',
      'shipments.csv, row 7, column carrier_ref: expected an empty cell, because a draft has no tracking number, found "R8"',
      expect.stringMatching(/^shipments\.csv, row 8, column carrier_ref: .*, found "R+"$/),
      'shipments.csv, row 8, column from_country: expected an ISO 3166-1 country code of two capital letters, found "nl"',
      'shipments.csv, row 8, column price: expected a number with at most 2 decimals, not below 0, found "-1"',
      'shipments.csv, row 9, column shipment_id: expected an id that is unique in the file; row 2 has the same, found "shp-1"',
      'waybill: the file has 13 faults; nothing was written',
    ])
    expect(await ids()).toEqual([])
  })

  test('found in the database are reported all at once, and nothing is written', async () => {
    await insertShipment(cloned.db, 'shp-3', { account_id: 'other' })
    await insertShipment(cloned.db, 'shp-4', { state: 'draft', carrier_ref: null })
    const { code, out } = await importRows(
      [
        BOOKED,
        'shp-2,nobody,tortoise,R2,1201,booked,NL,,,DE,,,1',
        'shp-3,acme,rondeel,R3,1201,booked,NL,,,DE,,,1',
        'shp-4,acme,rondeel,R4,1201,booked,NL,,,DE,,,1',
      ],
      '--json',
    )
    expect(code).toBe(1)
    const at = (row: number, column: string) => ({ file: 'shipments.csv', row, column })
    expect(JSON.parse(out)).toEqual({
      faults: [
        { ...at(3, 'account'), expected: 'an existing account', found: 'nobody' },
        { ...at(3, 'carrier'), expected: 'a carrier of an imported rate card', found: 'tortoise' },
        { ...at(4, 'account'), expected: '"other", as in the registered shipment', found: 'acme' },
        { ...at(4, 'carrier_ref'), expected: '"SBX-OK-shp-3", as in the registered shipment', found: 'R3' },
        {
          ...at(5, 'carrier_ref'),
          expected: 'no tracking number, as in the registered shipment',
          found: 'R4',
        },
      ],
      warnings: [],
    })
    expect(await ids()).toEqual(['shp-3', 'shp-4'])
  })

  test.each([
    ['shipment_id,account', /row 1, column carrier: expected this column in the header\n(.*\n)*/],
    [HEADER, /expected at least one row below the header/],
    ['', /expected a header row/],
  ])('are reported for a file without rows: "%s"', async (header, message) => {
    const { code, err } = await importRows([], '', header)
    expect(code).toBe(1)
    expect(err).toMatch(message)
  })

  test('do not include unknown columns, which cause a warning', async () => {
    const { code, err } = await importRows([`${BOOKED},x`], '', `${HEADER},weight`)
    expect(code).toBe(0)
    expect(err).toMatch(/^warning: shipments\.csv, row 1, column weight: /)
  })

  test('do not include a missing file or invalid arguments, which have separate messages', async () => {
    expect(await runWaybill(cloned, 'shipment import nowhere.csv')).toMatchObject({
      code: 1,
      err: 'waybill: nowhere.csv does not exist',
    })
    expect((await runWaybill(cloned, 'shipment import')).code).toBe(2)
    expect((await runWaybill(cloned, 'sandbox --port 65536')).code).toBe(2)
  })
})

describe('many rows', () => {
  const many = (count: number, prefix = 'many'): string[] =>
    Array.from({ length: count }, (_unused, index) => {
      const state = ['booked', 'in_transit', 'draft'][index % 3] ?? ''
      const number = state === 'draft' ? '' : `R-${prefix}-${index}`
      return `${prefix}-${index},acme,rondeel,${number},1201,${state},NL,1012 LG,Amsterdam,DE,10115,Berlin,9.85`
    })

  test('are imported with few statements; a fault in the last row leaves none registered', async () => {
    const rows = many(20_000)
    const bad = [...rows, 'last,acme,tortoise,R,1201,booked,NL,,,DE,,,1']
    expect((await importRows(bad)).code).toBe(1)
    expect(await ids()).toEqual([])
    const sent = vi.spyOn(Client.prototype, 'query')
    expect((await importRows(rows)).out).toBe('Registered 20000 shipments.')
    expect(sent.mock.calls.length).toBeLessThan(rows.length / 50)
    const { rows: counts } = await sql<{ shipments: number; events: number }>`
      SELECT count(DISTINCT shipment_id)::int AS shipments, count(*)::int AS events
        FROM shipment_event WHERE shipment_id LIKE 'many-%'`.execute(cloned.db)
    expect(counts).toEqual([{ shipments: 20_000, events: 6_667 * 2 + 6_667 * 3 + 6_666 }])
  })

  test('are registered once if several processes import the same file', async () => {
    const lines = many(300, 'race')
    const read = (rows: readonly string[]) =>
      readShipments('f.csv', Buffer.from([HEADER, ...rows].join('\n'))).rows ?? []
    const done = await Promise.all(
      [lines, lines.toReversed(), lines].map((rows) => importShipments(cloned.db, read(rows))),
    )
    expect(done.flatMap(({ findings }) => findings)).toEqual([])
    expect(done.reduce((sum, { registered }) => sum + registered, 0)).toBe(300)
    expect(done.reduce((sum, { alreadyThere }) => sum + alreadyThere, 0)).toBe(600)
    expect(await eventsOf('race-1')).toHaveLength(3)
  })
})

describe('the number of pieces', () => {
  const WITH_PIECES = `${HEADER},other_carrier_refs,pieces`

  test('is compared with the tracking numbers if the carrier cancels each parcel', async () => {
    const rows = [`${BOOKED},SBX-OK-2,3`, `${MOVING},,1`, `${DRAFT},,2`]
    const warning =
      'warning: shipments.csv, row 2, column pieces: expected as many pieces as tracking numbers (2), ' +
      'because sandbox cancels each parcel by its number, found "3"'
    expect(await importRows(rows, '', WITH_PIECES)).toEqual({
      ...{ code: 0, out: 'Registered 3 shipments.', err: warning },
    })
    expect(JSON.parse((await importRows(rows, '--json', WITH_PIECES)).out).warnings).toHaveLength(1)
    const refused = await importRows(
      [...rows, `${DRAFT.replace('shp-2,acme', 'shp-4,nobody')},,2`],
      '',
      WITH_PIECES,
    )
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining(warning) })
  })
})

describe('waybill shipment add-numbers', () => {
  const add = async (words: string) => {
    const { code, out, err } = await runWaybill(cloned, `shipment add-numbers ${words}`)
    return { code, out, err }
  }
  const numbersOf = async (shipmentId: string) =>
    (await shipmentStore(cloned.db, 'one').find('acme', shipmentId))?.parcelRefs

  test('adds the numbers that an import of the corrected file names, and the file then matches', async () => {
    await importRows([BOOKED])
    const corrected = [`${BOOKED},SBX-OK-2 SBX-OK-3`]
    const { err } = await importRows(corrected, '', `${HEADER},other_carrier_refs`)
    expect(err).toContain(
      'expected no other number, as in the registered shipment ' +
        '(to add the others: waybill shipment add-numbers shp-1 SBX-OK-2 SBX-OK-3), found "SBX-OK-2 SBX-OK-3"',
    )
    expect(await add('shp-1 SBX-OK-2')).toEqual({
      ...{ code: 0, out: 'shp-1 has the numbers SBX-OK-1 SBX-OK-2.', err: '' },
    })
    expect((await add('shp-1 SBX-OK-3')).code).toBe(0)
    expect(await numbersOf('shp-1')).toEqual(['SBX-OK-1', 'SBX-OK-2', 'SBX-OK-3'])
    expect((await importRows(corrected, '', `${HEADER},other_carrier_refs`)).code).toBe(0)
  })

  test('applies scans of the added parcels', async () => {
    await insertShipment(cloned.db, 'shp-1')
    const at = '2026-11-20T10:00:00.000Z'
    await trackingStore(cloned.db).recordScan({
      carrierCode: 'rondeel',
      carrierRef: 'SBX-LATE-2',
      eventId: 'e',
      at,
    })
    await add('shp-1 SBX-LATE-2')
    expect(await shipmentStore(cloned.db, 'one').find('acme', 'shp-1')).toMatchObject({ state: 'in_transit' })
  })

  test('warns of a number that another shipment of the carrier has', async () => {
    await insertShipment(cloned.db, 'shp-1')
    await insertShipment(cloned.db, 'shp-2')
    expect(await add('shp-1 SBX-OK-shp-2')).toMatchObject({
      code: 0,
      err: 'warning: the shipment shp-2 of the same carrier has one of these numbers too',
    })
  })

  test.each([
    ['shp-none X', 'there is no shipment shp-none'],
    ['shp-draft X', 'the shipment is draft, and must be booked'],
    ['shp-moving X', 'the shipment is in_transit, and must be booked'],
    ['shp-open X', 'an attempt to cancel the shipment is open'],
    ['shp-part X', 'the carrier has cancelled B'],
    ['shp-1 A SBX-OK-shp-1', 'SBX-OK-shp-1 would be a number of the shipment twice'],
    ['shp-1 A A', 'A would be a number of the shipment twice'],
    [
      `shp-1 ${Array.from({ length: 20 }, (_, index) => `N${index}`).join(' ')}`,
      'a shipment has at most 20 numbers',
    ],
    ['shp-1 é', '"é" is no tracking number of at most 64 characters without spaces'],
    ['shp-ups 1Z999', 'a tracking number of ups must be 1Z and 16 digits'],
  ])('refuses %s and changes nothing', async (words, why) => {
    await sql`INSERT INTO carrier (carrier_code, name, connector) VALUES ('brown', 'Brown', 'ups')
      ON CONFLICT DO NOTHING`.execute(cloned.db)
    await insertShipment(cloned.db, 'shp-1')
    await insertShipment(cloned.db, 'shp-draft', { state: 'draft', carrier_ref: null })
    await insertShipment(cloned.db, 'shp-moving', { state: 'in_transit' })
    await insertShipment(cloned.db, 'shp-open')
    await insertAttempt(cloned.db, 'shp-open')
    await insertShipment(cloned.db, 'shp-part', {
      ...{ carrier_ref: 'A', parcel_refs: ['A', 'B'], cancelled_refs: ['B'] },
    })
    await insertShipment(cloned.db, 'shp-ups', { carrier_code: 'brown', carrier_ref: '1Z999AA10123456784' })
    const { code, err } = await add(words)
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(`nothing was added: ${why}`) })
    expect(await numbersOf('shp-1')).toBeUndefined()
  })
})

describe("the number of the carrier's order", () => {
  const ROYAL_MAIL = path.resolve(import.meta.dirname, '../../examples/connector-royal-mail/royal-mail.mjs')
  const WITH_ORDER = HEADER.replace('product_id', 'carrier_order_ref,product_id')
  const row = (orderRef: string, state = 'booked', number = 'TT1GB') =>
    `shp-1,acme,post,${number},${orderRef},1201,${state},NL,,,GB,,,9.85`

  beforeAll(async () => {
    await sql`INSERT INTO carrier (carrier_code, name, connector) VALUES ('post', 'Post', 'royal-mail')`.execute(
      cloned.db,
    )
  })
  beforeEach(() => vi.stubEnv('WAYBILL_CONNECTORS', ROYAL_MAIL))
  afterEach(() => vi.unstubAllEnvs())

  test('is registered, and compared when the file is imported again', async () => {
    expect(await importRows([row('1000123')], '', WITH_ORDER)).toMatchObject({ code: 0, err: '' })
    const { rows } =
      await sql`SELECT carrier_ref, carrier_order_ref FROM shipment WHERE shipment_id = 'shp-1'`.execute(
        cloned.db,
      )
    expect(rows).toEqual([{ carrier_ref: 'TT1GB', carrier_order_ref: '1000123' }])
    expect((await importRows([row('1000123')], '', WITH_ORDER)).code).toBe(0)
    expect((await importRows([row('1000124')], '', WITH_ORDER)).err).toContain(
      'column carrier_order_ref: expected "1000123", as in the registered shipment, found "1000124"',
    )
  })

  test.each([
    ['is missing', row(''), 'which is required: the connector cancels by it'],
    ['has another format', row('A1'), 'which must be 1 to 10 digits'],
    [
      'belongs to a draft',
      row('7', 'draft', ''),
      'an empty cell, because a draft has no order at the carrier',
    ],
    [
      'is not used',
      row('7').replace(',post,', ',rondeel,'),
      'must be empty: the connector uses no order numbers',
    ],
  ])('is a fault if it %s', async (_, line, fault) => {
    const { code, err } = await importRows([line], '', WITH_ORDER)
    expect([code, err]).toEqual([1, expect.stringContaining(fault)])
    expect(await ids()).toEqual([])
  })

  const set = async (words: string) => {
    const { code, out, err } = await runWaybill(cloned, `shipment set-order-number ${words}`)
    return { code, out, err }
  }
  const insertPosted = (id: string, columns: Parameters<typeof insertShipment>[2] = {}) =>
    insertShipment(cloned.db, id, { carrier_code: 'post', carrier_ref: 'TT1GB', ...columns })
  const orderOf = async (id: string) =>
    (
      await cloned.db
        .selectFrom('shipment')
        .select('carrier_order_ref')
        .where('shipment_id', '=', id)
        .executeTakeFirstOrThrow()
    ).carrier_order_ref

  test('is set by a command that the import names, once, and the correction is recorded', async () => {
    await insertPosted('shp-1')
    const { err } = await importRows([row('1000123')], '', WITH_ORDER)
    expect(err).toContain(
      'expected no order number, as in the registered shipment ' +
        '(to set it: waybill shipment set-order-number shp-1 1000123), found "1000123"',
    )
    const done = { code: 0, err: '' }
    expect(await set("shp-1 1000123 --by 'Ann Bell'")).toEqual({
      ...done,
      out: 'shp-1 has the order number 1000123.',
    })
    expect(await set('shp-1 1000123')).toEqual({
      ...done,
      out: 'shp-1 already has the order number 1000123.',
    })
    expect(await importRows([row('1000123')], '', WITH_ORDER)).toMatchObject(done)
    expect(await readCorrections(cloned.db, 60_000)).toEqual([
      {
        ...{ shipmentId: 'shp-1', accountId: 'acme', carrierCode: 'post', at: expect.any(String) },
        ...{ field: 'order number', added: ['1000123'], by: 'Ann Bell', systemUser: expect.any(String) },
      },
    ])
    const report = await runWaybill(cloned, 'audit --dry-run')
    expect(report.out).toMatch(
      /Corrected by operators:\n.*\nshp-1 +acme +post +\S+ +order number +1000123 +Ann Bell/,
    )
  })

  test('is set while an attempt is open, which then continues with it', async () => {
    await insertPosted('shp-1')
    await insertAttempt(cloned.db, 'shp-1')
    expect(await set('shp-1 1000123')).toMatchObject({ code: 0 })
    const rooms = [{ carrierCode: 'post', accountId: 'acme', room: 1 }]
    expect(await recoveryStore(cloned.db, 'one').claimAttempts(rooms, 12_000)).toMatchObject([
      { shipmentId: 'shp-1', orderRef: '1000123' },
    ])
  })

  test('of another shipment causes a warning', async () => {
    await insertPosted('shp-1')
    await insertPosted('shp-2', { carrier_order_ref: '1000123' })
    const { code, err } = await set('shp-1 1000123')
    expect([code, err]).toEqual([
      0,
      expect.stringContaining('warning: the shipment shp-2 of the same carrier has'),
    ])
  })

  test.each([
    ['shp-none 1', 'there is no shipment shp-none'],
    ['shp-other 1000124', 'the shipment has the order number 1000123'],
    ['shp-draft 1000123', 'the shipment is draft, and must be booked'],
    ['shp-moving 1000123', 'the shipment is in_transit, and must be booked'],
    ['shp-1 é', '"é" is no order number of at most 64 characters without spaces'],
    ['shp-1 x1', 'an order number of royal-mail must be 1 to 10 digits: x1'],
    ['shp-plain 1', 'an order number of sandbox must be empty: the connector uses no order numbers: 1'],
  ])('is not set by %j', async (words, why) => {
    await insertPosted('shp-1')
    await insertPosted('shp-other', { carrier_order_ref: '1000123' })
    await insertPosted('shp-draft', { state: 'draft', carrier_ref: null })
    await insertPosted('shp-moving', { state: 'in_transit' })
    await insertShipment(cloned.db, 'shp-plain')
    const { code, err } = await set(words)
    expect([code, err]).toEqual([1, `waybill: nothing was set: ${why}`])
    expect([await orderOf('shp-1'), await orderOf('shp-other'), await orderOf('shp-plain')]).toEqual([
      null,
      '1000123',
      null,
    ])
  })
})
