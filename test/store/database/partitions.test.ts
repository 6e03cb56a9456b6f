/**
 * The tables of shipments can be partitioned by account (docs/distribution.md): the account is in each key, and each
 * statement about the shipments of one account reads one partition. `npm run test:partitioned` runs the other tests on
 * partitioned tables.
 */
import { readFileSync } from 'node:fs'
import { type Kysely, sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { CancelTicket } from '../../../src/core/shipments/cancellation.ts'
import type { NewDraftShipment } from '../../../src/core/shipments/draft-shipment.ts'
import type { Scan } from '../../../src/core/shipments/tracking.ts'
import type { Lookup } from '../../../src/operations/ports/recovery.ts'
import type { Database } from '../../../src/store/database/database.ts'
import { migrate } from '../../../src/store/database/migrate.ts'
import { eventLog, numberEvents } from '../../../src/store/events/event-log.ts'
import { recoveryStore } from '../../../src/store/shipments/recovery.ts'
import { restoreStore } from '../../../src/store/shipments/restores.ts'
import { shipmentStore } from '../../../src/store/shipments/shipments.ts'
import { trackingStore } from '../../../src/store/shipments/tracking.ts'
import { webhookLog } from '../../../src/store/webhooks/log.ts'
import { type ClonedDatabase, emptyDatabase } from '../../support/database/clone-database.ts'
import { PARTITIONED_TABLES, PARTITIONS, partitionByAccount } from '../../support/database/partition.ts'
import { urlOf } from '../../support/database/test-server.ts'
import {
  inSeconds,
  insertAttempt,
  insertParties,
  insertReport,
  insertShipment,
} from '../shipments/shipment-rows.ts'

/** Methods whose statements cross accounts, by store. The page describes each and its bound. */
const CROSSING = {
  shipments: ['expireDrafts', 'expireDraftKeys', 'releaseLeases'],
  tracking: ['bookedAfter', 'forgetUnmatchedScans'],
  recovery: [
    ...['dueWork', 'claimAttempts', 'claimVerifications', 'claimReports', 'claimBookings', 'claimLookups'],
    ...['eraseShipments', 'overdueAttempts', 'recordOverdueAlerts'],
  ],
  restores: ['archived', 'suspectDraftsAfter', 'missingAttempts'],
} as const

let whole: ClonedDatabase
let divided: ClonedDatabase
let client: pg.Client
beforeAll(async () => {
  ;[whole, divided] = await Promise.all([emptyDatabase(), emptyDatabase()])
  await Promise.all([migrate(whole.source), migrate(divided.source)])
  await insertParties(divided.db)
  await insertShipment(divided.db, 'before')
  await partitionByAccount(divided.source)
  client = new pg.Client({ connectionString: urlOf(divided.source) })
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await Promise.all([whole.drop(), divided.drop()])
})

type Key = { readonly table: string; readonly name: string; readonly columns: readonly string[] }

/** Primary, unique and foreign keys of the tables; of foreign keys, those that refer to one of the tables. */
async function keysOf(db: Kysely<Database>): Promise<readonly Key[]> {
  const { rows } = await sql<Key>`
    WITH key AS (
      SELECT indrelid AS relid, indexrelid::regclass::text AS name, indkey::int2[] AS numbers FROM pg_index WHERE indisunique
      UNION ALL
      SELECT conrelid, conname, conkey FROM pg_constraint
        WHERE contype = 'f' AND confrelid::regclass::text = ANY (${PARTITIONED_TABLES}::text[])
    )
    SELECT relid::regclass::text AS table, name, array_agg(attname::text ORDER BY attname) AS columns
      FROM key JOIN pg_attribute ON attrelid = relid AND attnum = ANY (numbers)
      WHERE relid::regclass::text = ANY (${PARTITIONED_TABLES}::text[])
      GROUP BY relid, name ORDER BY 1, 2`.execute(db)
  return rows
}

describe('each key of the tables of shipments', () => {
  test('has the account', async () => {
    const keys = await keysOf(whole.db)
    expect(new Set(keys.map(({ table }) => table))).toEqual(new Set(PARTITIONED_TABLES))
    expect(keys.filter(({ columns }) => !columns.includes('account_id'))).toEqual([])
  })

  test('is the same in partitioned tables, whose rows are kept', async () => {
    expect(await keysOf(divided.db)).toEqual(await keysOf(whole.db))
    expect(await shipmentStore(divided.db, 'one').find('acme', 'before')).toMatchObject({ state: 'booked' })
  })
})

type Plan = { readonly Plans?: readonly Plan[]; readonly 'Relation Name'?: string }

/** The partitions that a statement reads or changes, for example `shipment_2`. */
async function partitionsOf(text: string, values: readonly unknown[]): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ 'QUERY PLAN': readonly [{ readonly Plan: Plan }] }>(
    `EXPLAIN (FORMAT JSON) ${text}`,
    [...values],
  )
  const found = new Set<string>()
  const visit = ({ Plans = [], 'Relation Name': name = '' }: Plan): void => {
    if (
      PARTITIONED_TABLES.some(
        (table) => name.startsWith(`${table}_`) && /^\d$/.test(name.slice(table.length + 1)),
      )
    )
      found.add(name)
    Plans.forEach(visit)
  }
  visit(rows[0]!['QUERY PLAN'][0].Plan)
  return found
}

type Sent = { readonly text: string; readonly values: readonly unknown[] }

/** Runs `work`, and returns the statements that it has sent. */
async function statementsOf(work: () => Promise<unknown>): Promise<readonly Sent[]> {
  const sent: Sent[] = []
  const query = pg.Client.prototype.query as (...given: unknown[]) => unknown
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
    this: pg.Client,
    ...given: unknown[]
  ) {
    const [config] = given as [{ text?: string; values?: unknown[] }]
    if (typeof config === 'object' && config.text !== undefined)
      sent.push({ text: config.text, values: config.values ?? [] })
    return query.apply(this, given) as never
  } as never)
  try {
    await work()
  } finally {
    spy.mockRestore()
  }
  return sent.filter(({ text }) => /^[\s(]*(with|select|insert|update|delete)\b/i.test(text))
}

const DRAFT: NewDraftShipment = {
  ...{ productId: 1201, carrierCode: 'rondeel', priceCents: 1_050, rateCardVersion: 'demo@1' },
  ...{ from: { country: 'NL' }, to: { country: 'DE' }, parcelType: 'DOC', recipient: 'business' },
  parcels: [{ count: 1, weightGrams: 0, lengthCm: 0, widthCm: 0, heightCm: 0, stackable: false }],
}
const PAGE = { size: 10, direction: 'forward' } as const
const TERMS = { mayOpen: true, leaseMs: 12_000, refusalMemoryMs: 30_000 }
const REFUSAL = { kind: 'refused', reason: 'SCANNED', code: 'S', message: 'scanned' } as const

type Call = () => Promise<unknown>
type Calls<Store> = { readonly [Method in keyof Store]: Call }

let count = 0
/** A new booked shipment of "acme" with two parcels. */
async function booked(): Promise<Lookup> {
  count += 1
  const shipmentId = `booked-${count}`
  const [carrierRef, other] = [`N${count}`, `M${count}`]
  await insertShipment(divided.db, shipmentId, { carrier_ref: carrierRef, parcel_refs: [carrierRef, other] })
  return {
    accountId: 'acme',
    shipmentId,
    carrierCode: 'rondeel',
    carrierRef,
    bookedAt: new Date().toISOString(),
  }
}

async function pending(): Promise<CancelTicket> {
  const { shipmentId } = await booked()
  const begun = await shipmentStore(divided.db, 'one').beginCancellation('acme', shipmentId, TERMS)
  if (begun?.ticket === undefined) throw new Error('no ticket')
  return begun.ticket
}

async function draftId(): Promise<string> {
  return (await shipmentStore(divided.db, 'one').insertDraft('acme', DRAFT)).shipmentId
}

/** A call of every method, about shipments of "acme". */
function shipmentCalls(): Calls<ReturnType<typeof shipmentStore>> {
  const store = shipmentStore(divided.db, 'one')
  const ids = ['booked-1', 'before']
  const newest = { sort: 'newest', ...PAGE } as const
  return {
    find: () => store.find('acme', 'before'),
    findMany: () => store.findMany('acme', ids),
    list: async () => {
      await store.list('acme', { filter: {}, ...newest })
      await store.list('acme', {
        filter: { states: ['booked', 'delivered'], ids, reference: 'x' },
        ...newest,
      })
    },
    count: () => store.count('acme', { states: ['draft', 'in_transit'] }, 100),
    contentSizes: () => store.contentSizes('acme', ids),
    contents: () => store.contents('acme', ids),
    attempts: () => store.attempts('acme', ids),
    trackingEvents: () => store.trackingEvents('acme', ids, PAGE),
    draftUsage: () => store.draftUsage('acme'),
    pricedRequest: () => store.pricedRequest('acme', 'before'),
    expireDrafts: () => store.expireDrafts(90, 10),
    insertDraft: () => store.insertDraft('acme', DRAFT),
    keyedDraft: () => store.keyedDraft('acme', { key: 'k', input: 'i' }),
    insertKeyedDraft: async () => {
      for (let time = 0; time < 2; time += 1)
        await store.insertKeyedDraft('acme', { key: 'k', input: 'i' }, DRAFT)
    },
    expireDraftKeys: () => store.expireDraftKeys(10),
    beginBooking: async () => store.beginBooking('acme', await draftId(), { mayOpen: true, leaseMs: 1_000 }),
    markBooked: async () =>
      store.markBooked('acme', await draftId(), `L${(await booked()).carrierRef}`, 1_000),
    settleBooking: async () => {
      for (const retryInMs of [1_000, undefined]) {
        const id = await draftId()
        const begun = await store.beginBooking('acme', id, { mayOpen: true, leaseMs: 1_000 })
        await store.settleBooking('acme', id, begun?.lease ?? '', retryInMs)
      }
    },
    confirmDraft: async () =>
      store.confirmDraft({
        accountId: 'acme',
        shipmentId: await draftId(),
        carrierCode: 'rondeel',
        lineage: '1',
      }),
    beginCancellation: async () => {
      await pending()
      await store.beginCancellation('acme', await draftId(), { ...TERMS, withShipment: true })
    },
    cancelProgress: () => store.cancelProgress('acme', 'before', 1_000),
    acceptCancellation: async () => store.acceptCancellation(await pending(), 'carrier', 1_000, true),
    refuseCancellation: async () =>
      store.refuseCancellation(await pending(), { code: 'SCANNED', reason: 'scanned' }, 'S', 1_000),
    releaseCancellation: async () =>
      store.releaseCancellation(await pending(), {
        ...{ cause: 'HTTP 503', times: { retryInMs: 0, callerWaitMs: 0 }, unsent: true, doubt: REFUSAL },
      } as never),
    recordParcel: async () => {
      const ticket = await pending()
      for (const result of [
        { kind: 'unsent', total: 1 },
        { kind: 'doubted', refusal: REFUSAL },
        { kind: 'refused', refusal: REFUSAL },
        { kind: 'cancelled', isLater: false },
      ] as const)
        await store.recordParcel(ticket, ticket.carrierRef, result)
    },
    recordPartAlert: async () => store.recordPartAlert(await pending()),
    releaseLeases: () => store.releaseLeases(),
  }
}

let scans = 0
function scanOf({ carrierRef }: Pick<Lookup, 'carrierRef'>): Scan {
  scans += 1
  return { carrierCode: 'rondeel', carrierRef, eventId: `e${scans}`, at: new Date().toISOString() }
}

function trackingCalls(): Calls<ReturnType<typeof trackingStore>> {
  const store = trackingStore(divided.db)
  return {
    recordScan: async () => {
      const lookup = await booked()
      const scan = scanOf(lookup)
      for (const isFound of [true, false])
        expect(await store.recordScan(scan, isFound)).toMatch(/moved|known/)
      expect(await store.recordScan(scanOf({ carrierRef: 'nobody' }))).toBe('unmatched')
    },
    recordDelivery: async () => store.recordDelivery(await booked()),
    applyUnmatchedScans: async () => {
      await store.recordScan(scanOf({ carrierRef: 'waiting' }))
      await insertShipment(divided.db, 'waiting', { carrier_ref: 'waiting' })
      await store.applyUnmatchedScans({ carrierCode: 'rondeel', carrierRef: 'waiting' })
      expect(await shipmentStore(divided.db, 'one').find('acme', 'waiting')).toMatchObject({
        state: 'in_transit',
      })
    },
    recordCancelledAtCarrier: async () => store.recordCancelledAtCarrier(await booked()),
    bookedAfter: () => store.bookedAfter({ accountId: '', shipmentId: '' }, 10),
    forgetUnmatchedScans: () => store.forgetUnmatchedScans(1_000_000, 10),
  }
}

function recoveryCalls(): Calls<ReturnType<typeof recoveryStore>> {
  const store = recoveryStore(divided.db, 'one')
  const rooms = ['acme', 'other'].map((accountId) => ({ carrierCode: 'rondeel', accountId, room: 5 }))
  return {
    dueWork: () => store.dueWork(10),
    claimAttempts: () => store.claimAttempts(rooms, 1_000),
    claimVerifications: () => store.claimVerifications(rooms, 1_000),
    settleVerification: async () =>
      store.settleVerification({ phase: 'accepted', ticket: await pending() }, 1_000, undefined),
    claimReports: () => store.claimReports(rooms, 1_000),
    settleReport: async () => {
      const lookup = await booked()
      await insertReport(divided.db, lookup.shipmentId)
      await store.settleReport({ reported: 'scanned', lookup, ageMs: 0 }, 1_000, 'announced')
    },
    claimBookings: () => store.claimBookings(rooms, 1_000),
    claimLookups: () => store.claimLookups(rooms, 1_000),
    eraseShipments: () => store.eraseShipments(99, 10),
    overdueAttempts: () => store.overdueAttempts(1_000),
    recordOverdueAlerts: async () => {
      const { shipmentId } = await booked()
      await store.recordOverdueAlerts([await insertAttempt(divided.db, shipmentId)])
    },
  }
}

function restoreCalls(): Calls<ReturnType<typeof restoreStore>> {
  const store = restoreStore(divided.db)
  const attempt = async () => ({
    ...(await booked()),
    ...{ attemptId: '00000000-0000-4000-8000-000000000000', at: new Date().toISOString() },
  })
  return {
    archived: async () => store.archived([await booked()]),
    suspectDraftsAfter: () => store.suspectDraftsAfter({ accountId: '', shipmentId: '' }, 10),
    missingAttempts: async () => store.missingAttempts([await attempt()]),
    reopenAttempt: async () => store.reopenAttempt(await attempt()),
  }
}

function eventCalls(): Readonly<Record<string, Call>> {
  const log = eventLog(divided.db)
  const hooks = webhookLog(divided.db)
  return {
    newest: () => log.newest('acme'),
    holds: () => log.holds('acme', { sequence: 1, key: 'x' }),
    after: () => log.after('acme', 0, 10),
    deliveries: () => hooks.deliveries('acme', ['whk_0123456789abcdef'], PAGE),
  }
}

/** The rows that a test inserts by itself name the account in no condition. */
const OF_TEST = /^(insert into "(shipment|lookup_report|cancel_attempt)" \(|select "account_id")/

async function expectOnePartition(calls: Readonly<Record<string, Call>>, crossing: readonly string[]) {
  for (const [method, call] of Object.entries(calls)) {
    if (crossing.includes(method)) continue
    const sent = (await statementsOf(call)).filter(({ text }) => !OF_TEST.test(text))
    expect(sent, method).not.toEqual([])
    for (const { text, values } of sent) {
      // The number after the name of the table is that of the partition, which is the same in all tables.
      const numbers = new Set([...(await partitionsOf(text, values))].map((name) => name.slice(-1)))
      expect({ method, partitions: numbers.size, text }).toMatchObject({
        partitions: expect.toSatisfy((n) => n <= 1),
      })
    }
  }
}

describe('a statement about one account reads one partition:', () => {
  test('those of shipments', () => expectOnePartition({ ...shipmentCalls() }, CROSSING.shipments))
  test('those of scans and lookups', () => expectOnePartition({ ...trackingCalls() }, CROSSING.tracking))
  test('those that settle background work', () =>
    expectOnePartition({ ...recoveryCalls() }, CROSSING.recovery))
  test('those that repair from the journal', () =>
    expectOnePartition({ ...restoreCalls() }, CROSSING.restores))
  test('those of events', async () => {
    await numberEvents(divided.db)
    await expectOnePartition(eventCalls(), [])
  })
})

describe('a statement that crosses accounts', () => {
  const calls = (): readonly [string, Call][] => [
    ...CROSSING.shipments.map((name): [string, Call] => [name, shipmentCalls()[name]]),
    ...CROSSING.tracking.map((name): [string, Call] => [name, trackingCalls()[name]]),
    ...CROSSING.recovery.map((name): [string, Call] => [name, recoveryCalls()[name]]),
    ...CROSSING.restores.map((name): [string, Call] => [name, restoreCalls()[name]]),
  ]

  test('reads several partitions', async () => {
    for (const [method, call] of calls()) {
      const sizes: number[] = []
      for (const { text, values } of await statementsOf(call))
        sizes.push((await partitionsOf(text, values)).size)
      expect({ method, partitions: Math.max(...sizes) }).toMatchObject({
        partitions: expect.toSatisfy((n) => n >= PARTITIONS),
      })
    }
  })

  test('is on the page with its bound', () => {
    const page = readFileSync('docs/distribution.md', 'utf8')
    expect(calls().filter(([method]) => !page.includes(`\`${method}\``))).toEqual([])
  })
})

describe('two accounts with a shipment of the same id', () => {
  beforeAll(async () => {
    await insertShipment(divided.db, 'same', { carrier_ref: 'S1' })
    await insertShipment(divided.db, 'same', { account_id: 'other', carrier_ref: 'S2' })
  })
  const stateOf = async (accountId: string) =>
    (await shipmentStore(divided.db, 'one').find(accountId, 'same'))?.state

  test('each reads and cancels its own', async () => {
    const store = shipmentStore(divided.db, 'one')
    const begun = await store.beginCancellation('other', 'same', TERMS)
    expect(begun?.ticket).toMatchObject({ accountId: 'other', carrierRef: 'S2' })
    await store.acceptCancellation(begun!.ticket!, 'carrier')
    expect([await stateOf('acme'), await stateOf('other')]).toEqual(['booked', 'cancelled'])
    expect(await store.attempts('acme', ['same'])).toEqual([])
    await trackingStore(divided.db).recordScan(scanOf({ carrierRef: 'S1' }))
    expect([await stateOf('acme'), await stateOf('other')]).toEqual(['in_transit', 'cancelled'])
  })
})

describe('a number that the carrier has used for shipments of two accounts', () => {
  test('moves the newest one, and a scan that is received again stays where it was', async () => {
    const tracking = trackingStore(divided.db)
    await insertShipment(divided.db, 'older', { carrier_ref: 'R', created_at: inSeconds(-86_400) })
    const first = scanOf({ carrierRef: 'R' })
    expect(await tracking.recordScan(first)).toBe('moved')
    await insertShipment(divided.db, 'newer', { account_id: 'other', carrier_ref: 'R' })
    expect(await tracking.recordScan(first)).toBe('known')
    const store = shipmentStore(divided.db, 'one')
    expect(await store.find('other', 'newer')).toMatchObject({ state: 'booked' })
    expect(await tracking.recordScan(scanOf({ carrierRef: 'R' }))).toBe('moved')
    expect(await store.find('other', 'newer')).toMatchObject({ state: 'in_transit' })
  })

  test('is counted as received twice if two processes have stored a scan, one of them without an account', async () => {
    const tracking = trackingStore(divided.db)
    await insertShipment(divided.db, 'counted', { carrier_ref: 'C' })
    const scan = scanOf({ carrierRef: 'C' })
    await tracking.recordScan(scan)
    await sql`INSERT INTO carrier_scan (carrier_code, carrier_ref, event_id, occurred_at)
      VALUES (${scan.carrierCode}, 'C', ${scan.eventId}, now())`.execute(divided.db)
    await tracking.applyUnmatchedScans(scan)
    const { rows } =
      await sql`SELECT shipment_id, receipts FROM carrier_scan WHERE carrier_ref = 'C'`.execute(divided.db)
    expect(rows).toEqual([{ shipment_id: 'counted', receipts: 2 }])
  })

  test('keeps the scan of a shipment when the same one is forgotten that was stored without an account', async () => {
    const tracking = trackingStore(divided.db)
    await insertShipment(divided.db, 'scanned-twice', { carrier_ref: 'T' })
    const scan = scanOf({ carrierRef: 'T' })
    await tracking.recordScan(scan)
    // By a process that did not know the number yet.
    await sql`INSERT INTO carrier_scan (carrier_code, carrier_ref, event_id, occurred_at, received_at)
      VALUES (${scan.carrierCode}, 'T', ${scan.eventId}, now(), now() - interval '2 days')`.execute(
      divided.db,
    )
    expect(await tracking.forgetUnmatchedScans(86_400_000, 500)).toBe(1)
    const { rows } = await sql`SELECT shipment_id FROM carrier_scan WHERE carrier_ref = 'T'`.execute(
      divided.db,
    )
    expect(rows).toEqual([{ shipment_id: 'scanned-twice' }])
  })
})
