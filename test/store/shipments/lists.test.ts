/** Lists of shipments in pages, in both directions, with filters; their count; changes between two pages. */
import fc from 'fast-check'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Shipment, ShipmentState } from '../../../src/core/shipments/shipment.ts'
import {
  COUNT_MAX,
  IDS_MAX,
  type ListShipmentsInput,
  listShipments,
  type ShipmentList,
} from '../../../src/operations/list-shipments.ts'
import type { ShipmentStore } from '../../../src/operations/ports/shipments.ts'
import type { Database } from '../../../src/store/database/database.ts'
import { shipmentStore } from '../../../src/store/shipments/shipments.ts'
import { type ClonedDatabase, cloneDatabase } from '../../support/database/clone-database.ts'
import { caseCount } from '../../support/random/case-count.ts'
import { DRAFT, insertParties, insertShipment } from './shipment-rows.ts'

let clone: ClonedDatabase
let store: ShipmentStore
beforeAll(async () => {
  clone = await cloneDatabase()
  await insertParties(clone.db)
  store = shipmentStore(clone.db, 'test')
})
afterAll(() => clone.drop())
beforeEach(async () => {
  await clone.db.deleteFrom('shipment').execute()
})

const CALLER = { accountId: 'acme' }

async function listed(input: ListShipmentsInput): Promise<ShipmentList> {
  const outcome = await listShipments({ shipments: store }, CALLER, input)
  if (outcome.kind === 'InputProblem') throw new Error(JSON.stringify(outcome.fields))
  return outcome
}

const idsOf = ({ page }: ShipmentList): string[] => page.edges.map(({ node }) => node.shipmentId)

const faultsOf = async (input: ListShipmentsInput) => {
  const outcome = await listShipments({ shipments: store }, CALLER, input)
  return outcome.kind === 'InputProblem' ? outcome.fields : []
}

const minute = (count: number) => new Date(Date.UTC(2026, 0, 1, 0, count))

/** Five shipments, three of them created at the same time, and one of another account. */
async function insertFive(): Promise<void> {
  const rows = [
    ['l1', 1, { reference: 'PO-1' }],
    ['l2', 2, {}],
    ['l3', 2, { ...DRAFT, reference: 'PO-1' }],
    ['l4', 2, { state: 'in_transit' }],
    ['l5', 3, { reference: 'PO-1' }],
  ] as const
  for (const [id, minutes, more] of rows)
    await insertShipment(clone.db, id, { created_at: minute(minutes), ...more })
  await insertShipment(clone.db, 'foreign', { account_id: 'other', reference: 'PO-1' })
}

const NEWEST = ['l5', 'l4', 'l3', 'l2', 'l1']

describe('paging', () => {
  beforeEach(insertFive)

  const cases = [1, 2, 3, 4, 5, 100].flatMap((size) =>
    (['newest', 'oldest'] as const).flatMap((sort) =>
      (['forward', 'backward'] as const).map((direction) => ({ size, sort, direction })),
    ),
  )
  test.each(cases)('returns every shipment once: $sort first, $direction, in pages of $size', async ({
    size,
    sort,
    direction,
  }) => {
    const isForward = direction === 'forward'
    let seen: string[] = []
    let cursor: string | undefined
    for (let pages = 0; pages < 6; pages += 1) {
      const position = isForward ? { first: size, after: cursor } : { last: size, before: cursor }
      const list = await listed({ sort, ...position })
      const { edges, hasNextPage, hasPreviousPage } = list.page
      seen = isForward ? [...seen, ...idsOf(list)] : [...idsOf(list), ...seen]
      const [ahead, behind] = isForward ? [hasNextPage, hasPreviousPage] : [hasPreviousPage, hasNextPage]
      expect(behind).toBe(cursor !== undefined)
      expect(ahead).toBe(seen.length < 5)
      cursor = edges.at(isForward ? -1 : 0)?.cursor
      if (!ahead) break
    }
    expect(seen).toEqual(sort === 'newest' ? NEWEST : NEWEST.toReversed())
  })

  test('has 20 shipments per page by default, and leads back with `last` and `before`', async () => {
    for (let index = 0; index < 20; index += 1)
      await insertShipment(clone.db, `m${index}`, { created_at: minute(10 + index) })
    const first = await listed({})
    expect(first.page.edges).toHaveLength(20)
    const second = await listed({ after: first.page.edges.at(-1)?.cursor })
    expect(idsOf(second)).toEqual(NEWEST)
    const back = await listed({ last: 2, before: second.page.edges[0]?.cursor })
    expect(idsOf(back)).toEqual(idsOf(first).slice(-2))
    expect(back.page).toMatchObject({ hasPreviousPage: true, hasNextPage: true })
  })

  test('has no previous page if the shipment of the cursor was deleted and no other precedes it', async () => {
    const { page } = await listed({ first: 1 })
    await clone.db.deleteFrom('shipment').where('shipment_id', '=', 'l5').execute()
    const rest = await listed({ first: 2, after: page.edges[0]?.cursor })
    expect(idsOf(rest)).toEqual(['l4', 'l3'])
    expect(rest.page).toMatchObject({ hasPreviousPage: false, hasNextPage: true })
  })

  test('skips and repeats no shipment if others are created between two pages', async () => {
    const first = await listed({ first: 2 })
    // Newer, older, and in the middle of the list.
    for (const [id, minutes] of [
      ['new', 9],
      ['old', 0],
      ['l3a', 2],
    ] as const)
      await insertShipment(clone.db, id, { created_at: minute(minutes) })
    const second = await listed({ first: 100, after: first.page.edges.at(-1)?.cursor })
    expect([...idsOf(first), ...idsOf(second)].filter((id) => NEWEST.includes(id))).toEqual(NEWEST)
  })

  test('returns no shipments of another account for a cursor of that account', async () => {
    const outcome = await listShipments({ shipments: store }, { accountId: 'other' }, {})
    if (outcome.kind === 'InputProblem') throw new Error(outcome.message)
    const list = await listed({ after: outcome.page.edges[0]?.cursor })
    expect(idsOf(list)).not.toContain('foreign')
  })
})

describe('filters', () => {
  beforeEach(insertFive)

  test('tell delivered shipments from others in transit', async () => {
    const delivered = { state: 'in_transit', delivered_at: minute(9), reference: 'PO-1' } as const
    await insertShipment(clone.db, 'l6', { ...delivered, created_at: minute(4) })
    const shown = async (filter: NonNullable<ListShipmentsInput['filter']>) => {
      const list = await listed({ filter })
      expect(await list.countShipments()).toBe(idsOf(list).length)
      return idsOf(list)
    }
    expect(await shown({ states: ['delivered'] })).toEqual(['l6'])
    expect(await shown({ states: ['in_transit'] })).toEqual(['l4'])
    expect(await shown({ states: ['in_transit', 'delivered'] })).toEqual(['l6', 'l4'])
    expect(await shown({ states: ['delivered'], reference: 'PO-1' })).toEqual(['l6'])
    expect(await shown({ reference: 'PO-1' })).toEqual(['l6', 'l5', 'l3', 'l1'])
    expect(await shown({ states: ['delivered', 'booked'], ids: ['l1', 'l4', 'l6'] })).toEqual(['l6', 'l1'])
    expect(await shown({})).toEqual(['l6', ...NEWEST])
  })

  test.each<[NonNullable<ListShipmentsInput['filter']>, readonly string[]]>([
    [{}, NEWEST],
    [{ states: [], ids: [], reference: ' ' }, NEWEST],
    [{ states: ['draft'] }, ['l3']],
    [{ states: ['in_transit', 'booked', 'booked'] }, ['l5', 'l4', 'l2', 'l1']],
    [{ states: ['draft', 'booked', 'in_transit', 'cancelled'] }, NEWEST],
    [{ states: ['cancelled'] }, []],
    [{ ids: ['l1', 'l5', 'foreign', 'nobody', 'l5', '', 'a\u0000'] }, ['l5', 'l1']],
    [{ ids: ['a\u0000'] }, []],
    [{ ids: ['l1', 'l3'], states: ['draft'] }, ['l3']],
    [{ reference: ' PO-1 ' }, ['l5', 'l3', 'l1']],
    [{ reference: 'po-1' }, []],
    [{ reference: 'PO-1', states: ['booked'] }, ['l5', 'l1']],
    [{ reference: 'PO-1', ids: ['l1', 'l2'] }, ['l1']],
    [{ createdFrom: '2026-01-01T00:02:00Z' }, ['l5', 'l4', 'l3', 'l2']],
    [{ createdBefore: '2026-01-01T01:02:00+01:00' }, ['l1']],
    [
      { createdFrom: '2026-01-01T00:02:00Z', createdBefore: '2026-01-01T00:03:00Z', states: ['booked'] },
      ['l2'],
    ],
    [{ createdFrom: '0000-01-01T00:00:00Z', createdBefore: '9999-12-31T23:59:59Z' }, NEWEST],
    [{ createdFrom: '2026-01-01T00:02:00.000001Z' }, ['l5']],
    [{ createdBefore: '2026-01-01T00:02:00.000000001Z' }, ['l4', 'l3', 'l2', 'l1']],
    [{ createdBefore: '2026-01-01T00:02:00.000000Z' }, ['l1']],
    [{ createdBefore: '9999-12-31T23:59:59.999999Z' }, NEWEST],
  ])('%j', async (filter, expected) => {
    const list = await listed({ filter })
    expect(idsOf(list)).toEqual(expected)
    expect(await list.countShipments()).toBe(expected.length)
    expect(idsOf(await listed({ filter, sort: 'oldest', last: 100 }))).toEqual(expected.toReversed())
  })

  test('agree with a simple filter of all shipments, in every sort and direction', async () => {
    const states = ['draft', 'booked', 'in_transit', 'cancelled'] as const
    const all: (Pick<Shipment, 'shipmentId' | 'state'> & { reference: string | null; at: number })[] = []
    for (let index = 0; index < 40; index += 1) {
      const state: ShipmentState = states[index % 4]!
      const row = { shipmentId: `r${index}`, state, reference: index % 3 === 0 ? 'R' : null, at: index % 7 }
      all.push(row)
      await insertShipment(clone.db, row.shipmentId, {
        ...{ account_id: 'acme', state, reference: row.reference, created_at: minute(100 + row.at) },
        ...(state === 'draft' && { carrier_ref: null }),
        ...(state === 'cancelled' && { cancelled_at: new Date() }),
      })
    }
    const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined })
    const request = fc.record({
      states: optional(fc.uniqueArray(fc.constantFrom(...states), { minLength: 1 })),
      ids: optional(
        fc.uniqueArray(
          fc.nat(40).map((index) => `r${index}`),
          { minLength: 1 },
        ),
      ),
      reference: optional(fc.constant('R')),
      from: fc.nat(7),
      isOldest: fc.boolean(),
      isBackward: fc.boolean(),
      size: fc.integer({ min: 1, max: 12 }),
    })
    const check = async ({
      from,
      isOldest,
      isBackward,
      size,
      ...given
    }: typeof request extends fc.Arbitrary<infer Value> ? Value : never) => {
      const { states, ids, reference } = given
      const expected = all
        .filter(({ state }) => states?.includes(state) ?? true)
        .filter(({ shipmentId }) => ids?.includes(shipmentId) ?? true)
        .filter((row) => reference === undefined || row.reference === reference)
        .filter(({ at }) => at >= from)
        .sort((a, b) => b.at - a.at || (a.shipmentId < b.shipmentId ? 1 : -1))
        .map(({ shipmentId }) => shipmentId)
      if (isOldest) expected.reverse()
      const filter = { ...given, createdFrom: minute(100 + from).toISOString() }
      const terms = { filter, sort: isOldest ? 'oldest' : 'newest' }
      const seen: string[] = []
      for (let cursor: string | undefined; ; ) {
        const list = await listed({
          ...terms,
          ...(isBackward ? { last: size, before: cursor } : { first: size, after: cursor }),
        })
        const ids = idsOf(list)
        if (isBackward) seen.unshift(...ids)
        else seen.push(...ids)
        cursor = list.page.edges.at(isBackward ? 0 : -1)?.cursor
        if (!(isBackward ? list.page.hasPreviousPage : list.page.hasNextPage)) break
      }
      expect(seen).toEqual(expected)
    }
    await fc.assert(fc.asyncProperty(request, check), { numRuns: caseCount(40, 1_000) })
  })
})

describe('invalid arguments', () => {
  beforeEach(insertFive)

  test.each<[ListShipmentsInput, string, string]>([
    ...[0, -1, 101, 1.5, Number.NaN, '5'].flatMap((size): [ListShipmentsInput, string, string][] => [
      [{ first: size }, 'first', 'OUT_OF_RANGE'],
      [{ last: size }, 'last', 'OUT_OF_RANGE'],
    ]),
    [{ first: 1, last: 1 }, 'first', 'CONFLICT'],
    [{ last: 1, after: 'x' }, 'after', 'CONFLICT'],
    [{ first: 1, before: 'x' }, 'before', 'CONFLICT'],
    [{ after: 'x', before: 'x' }, 'before', 'CONFLICT'],
    [{ before: 'x' }, 'last', 'REQUIRED'],
    [{ sort: 'cheapest' }, 'sort', 'UNKNOWN_VALUE'],
    [{ filter: { states: ['lost'] } }, 'filter.states.0', 'UNKNOWN_VALUE'],
    [{ filter: { states: 'draft' } }, 'filter.states', 'WRONG_TYPE'],
    [{ filter: { ids: Array.from({ length: IDS_MAX + 1 }, (_, id) => `s${id}`) } }, 'filter.ids', 'TOO_MANY'],
    [{ filter: { reference: 'x'.repeat(101) } }, 'filter.reference', 'TOO_LONG'],
    [{ filter: { createdFrom: '2026-02-30T00:00:00Z' } }, 'filter.createdFrom', 'MALFORMED'],
    [{ filter: { createdBefore: '2026-01-01' } }, 'filter.createdBefore', 'MALFORMED'],
    [
      { filter: { createdFrom: '2026-01-01T00:00:00Z', createdBefore: '2026-01-01T01:00:00+01:00' } },
      'filter.createdBefore',
      'CONFLICT',
    ],
  ])('%j has a fault at %s: %s', async (input, path, code) => {
    const faults = await faultsOf(input)
    expect(faults.map((fault) => [fault.path.join('.'), fault.code])).toEqual([[path, code]])
  })

  test('are reported with the argument that they contradict', async () => {
    const messages = async (input: ListShipmentsInput) =>
      (await faultsOf(input)).map(({ message }) => message)
    expect(await messages({ after: 'x', before: 'y' })).toEqual(['cannot be combined with `after`'])
    expect(await messages({ first: 1, before: 'y' })).toEqual(['cannot be combined with `first`'])
    expect(await messages({ first: 1, last: 1 })).toEqual(['cannot be combined with `last`'])
  })

  test('are reported together', async () => {
    const faults = await faultsOf({ first: 0, last: 5, filter: { states: ['lost'], createdFrom: 'x' } })
    expect(faults.map(({ path }) => path.join('.'))).toEqual([
      'filter.states.0',
      'filter.createdFrom',
      'first',
    ])
  })

  const encoded = (text: string) => Buffer.from(text).toString('base64url')
  test.each([
    '',
    '!!',
    'x'.repeat(10_000),
    encoded('0123456789.1.'),
    encoded('0123456789.x.shp_1'),
    encoded('0123456789.99999999999999999.shp_1'),
    encoded('0123456789.1.a\u0000'),
    encoded('1.shp_1'),
  ])('include the cursor %j', async (cursor) => {
    expect(await faultsOf({ after: cursor })).toMatchObject([{ path: ['after'], code: 'MALFORMED' }])
    expect(await faultsOf({ last: 1, before: cursor })).toMatchObject([
      { path: ['before'], code: 'MALFORMED' },
    ])
  })

  test('include a cursor of a list with another filter or sort', async () => {
    const filter = { states: ['booked', 'in_transit'], ids: ['l1', 'l2', 'l4'], reference: undefined }
    const { page } = await listed({ first: 1, filter })
    const after = page.edges[0]?.cursor
    for (const other of [
      {},
      { filter: { ...filter, states: ['booked'] } },
      { filter: { ...filter, ids: ['l1', 'l2'] } },
      { filter: { ...filter, reference: 'R' } },
      { filter: { ...filter, createdFrom: '2020-01-01T00:00:00Z' } },
      { filter, sort: 'oldest' },
    ])
      expect(await faultsOf({ ...other, after }), JSON.stringify(other)).toMatchObject([
        { path: ['after'], code: 'CONFLICT' },
      ])
    // The same filter in other words, and in the other direction.
    const same = { states: ['in_transit', 'booked', 'booked'], ids: ['l4', 'l2', 'l1', 'l1'], reference: ' ' }
    expect(idsOf(await listed({ filter: same, after }))).toEqual(['l2', 'l1'])
    expect(idsOf(await listed({ filter: same, sort: 'newest', last: 5, before: after }))).toEqual([])
  })

  test('do not include a cursor with the largest possible time', async () => {
    const { page } = await listed({ first: 1 })
    const [key] = Buffer.from(page.edges[0]!.cursor, 'base64url').toString().split('.')
    expect(idsOf(await listed({ after: encoded(`${key}.99999999999999.shp_1`) }))).toEqual(NEWEST)
  })
})

/** The number of rows of shipments that this connection has read recently. */
async function rowsRead(transaction: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    SELECT (seq_tup_read + coalesce(idx_tup_fetch, 0))::integer AS n
      FROM pg_stat_xact_user_tables WHERE relname = 'shipment'`.execute(transaction)
  return rows[0]!.n
}

const insertMany = (rows: number) => sql`
  INSERT INTO shipment (shipment_id, account_id, state, product_id, carrier_code, carrier_ref, reference,
      from_country, to_country, parcel_type, parcels, recipient, price_cents, tariff_version, created_at)
    SELECT 'many-' || n, 'acme', 'booked', 1201, 'rondeel', 'N' || n, 'PO-1', 'NL', 'DE', 'NONDOC', '[]',
        'business', 985, 'demo@1', timestamptz '2026-01-01' + n * interval '1 second'
      FROM generate_series(1, ${rows}::integer) AS n`

test('a long list is counted up to 10,000', async () => {
  await insertMany(COUNT_MAX).execute(clone.db)
  const counts = (filter: ListShipmentsInput['filter'] = {}) =>
    listed({ first: 1, filter }).then((list) => list.countShipments())
  expect(await counts()).toBe(10_000)
  await insertShipment(clone.db, 'one-more')
  expect(await counts()).toBeUndefined()
  expect(await counts({ states: ['booked', 'draft'] })).toBeUndefined()
  expect(await counts({ reference: 'PO-1' })).toBe(10_000)
  expect(await counts({ states: ['draft'] })).toBe(0)
})

describe('a page of a long list', () => {
  // Of a database that is not emptied before each test.
  let long: ClonedDatabase
  beforeAll(async () => {
    long = await cloneDatabase()
    await insertParties(long.db)
    await insertMany(2_000).execute(long.db)
    await sql`ANALYZE shipment`.execute(long.db)
  })
  afterAll(() => long.drop())

  test.each<[string, ListShipmentsInput]>([
    ['all shipments', {}],
    ['the oldest shipments', { sort: 'oldest' }],
    ['shipments of one state', { filter: { states: ['booked'] } }],
    ['shipments of a state that none has', { filter: { states: ['cancelled'] } }],
    ['shipments of several states', { filter: { states: ['draft', 'booked'] }, sort: 'oldest' }],
    ['shipments with a reference', { filter: { reference: 'PO-1' } }],
    ['drafts with a reference', { filter: { reference: 'PO-1', states: ['draft'] } }],
    ['shipments with given ids', { filter: { ids: ['many-1', 'many-1500'] } }],
    [
      'shipments of ten minutes',
      { filter: { createdFrom: '2026-01-01T00:10:00Z', createdBefore: '2026-01-01T00:20:00Z' }, last: 5 },
    ],
  ])('of %s reads few rows', async (_name, input) => {
    const read = await long.db.transaction().execute(async (transaction) => {
      const before = await rowsRead(transaction)
      await listShipments({ shipments: shipmentStore(transaction, 'test') }, CALLER, {
        ...(input.last === undefined && { first: 10 }),
        ...input,
      })
      return (await rowsRead(transaction)) - before
    })
    expect(read).toBeLessThan(100)
  })
})
