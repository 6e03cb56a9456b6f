/** Each statement that claims background work. Every test has its own carriers. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ClaimRoom, RecoveryStore, WorkKind } from '../../../src/operations/ports/recovery.ts'
import type { ShipmentStore } from '../../../src/operations/ports/shipments.ts'
import { dueWorkReader } from '../../../src/store/shipments/due-work.ts'
import { recoveryStore } from '../../../src/store/shipments/recovery.ts'
import { shipmentStore } from '../../../src/store/shipments/shipments.ts'
import { type ClonedDatabase, cloneDatabase } from '../../support/database/clone-database.ts'
import {
  DRAFT,
  inSeconds,
  insertAttempt,
  insertCarrier,
  insertParties,
  insertReport,
  insertShipmentOf,
  REFUSED,
  whileLocked,
} from './shipment-rows.ts'

let clone: ClonedDatabase
let one: RecoveryStore
let two: RecoveryStore
let shipments: ShipmentStore
beforeAll(async () => {
  clone = await cloneDatabase()
  await insertParties(clone.db)
  one = recoveryStore(clone.db, 'one')
  two = recoveryStore(clone.db, 'two')
  shipments = shipmentStore(clone.db, 'caller')
})
afterAll(() => clone.drop())

const LEASE_MS = 600_000
const roomFor = (carrierCode: string, room = 10, accountId = 'acme') => [{ carrierCode, accountId, room }]
const claimed = async (carrierCode: string, room = 10, store = one) =>
  (await store.claimAttempts(roomFor(carrierCode, room), LEASE_MS)).map(({ shipmentId }) => shipmentId)
/** The work that is due at a carrier. */
const dueAt = async (carrierCode: string, countedUpTo = 10) =>
  (await one.dueWork(countedUpTo))
    .filter((due) => due.carrierCode === carrierCode)
    .map(({ work, accountId, count }) => ({ work, accountId, count }))
const attemptsOf = (shipmentId: string) =>
  clone.db.selectFrom('cancel_attempt').selectAll().where('shipment_id', '=', shipmentId).execute()
const shipmentRow = (shipmentId: string) =>
  clone.db.selectFrom('shipment').selectAll().where('shipment_id', '=', shipmentId).executeTakeFirstOrThrow()
/** Milliseconds from now until an instant, to the nearest minute. */
const minutesUntil = (instant: Date | null | undefined) =>
  Math.round((Number(instant ?? Number.NaN) - Date.now()) / 60_000)

describe('attempts', () => {
  test('that are due are claimed once, with the same idempotency key', async () => {
    const carrier = await insertCarrier(clone.db)
    const id = await insertShipmentOf(clone.db, carrier)
    const attemptId = await insertAttempt(clone.db, id, { begun_at: inSeconds(-90), sends: 4, fence: 7 })
    const tickets = await one.claimAttempts(roomFor(carrier), LEASE_MS)
    expect(tickets).toEqual([
      {
        ...{ attemptId, shipmentId: id, accountId: 'acme', carrierCode: carrier },
        ...{ carrierRef: `SBX-OK-${id}`, fence: 8, sends: 5, ageMs: expect.any(Number) },
        bookedAt: expect.stringMatching(/^\d{4}-/),
      },
    ])
    expect(tickets[0]?.ageMs).toBeGreaterThanOrEqual(89_000)
    const [attempt] = await attemptsOf(id)
    expect(attempt).toMatchObject({ lease_owner: 'one', fence: 8, sends: 5 })
    expect([minutesUntil(attempt?.lease_until), minutesUntil(attempt?.next_try_at)]).toEqual([10, 10])
    expect(await claimed(carrier, 10, two)).toEqual([])
  })

  test.each([
    ['not due yet', { next_try_at: inSeconds(60) }],
    ['held by another process, however long overdue', { lease_until: inSeconds(60) }],
    ['accepted', { phase: 'accepted' as const, settled_at: new Date() }],
    ['refused', REFUSED],
  ])('that are %s are not claimed', async (_name, overrides) => {
    const carrier = await insertCarrier(clone.db)
    const id = await insertShipmentOf(clone.db, carrier)
    await insertAttempt(clone.db, id, overrides)
    const before = await attemptsOf(id)
    expect(await claimed(carrier)).toEqual([])
    expect(await attemptsOf(id)).toEqual(before)
  })

  test('that withdraw the booking of a cancelled draft are claimed too', async () => {
    const carrier = await insertCarrier(clone.db)
    const cancelled = { state: 'cancelled', cancelled_at: new Date(), cancelled_by: 'draft' } as const
    const id = await insertShipmentOf(clone.db, carrier, cancelled)
    await insertAttempt(clone.db, id, { sends: 0 })
    expect(await one.claimAttempts(roomFor(carrier), LEASE_MS)).toMatchObject([{ shipmentId: id, sends: 1 }])
  })

  test('are claimed up to the free slots of the carrier, the longest due first', async () => {
    const [carrier, other, unasked] = [
      await insertCarrier(clone.db),
      await insertCarrier(clone.db),
      await insertCarrier(clone.db),
    ]
    const ids: string[] = []
    for (const seconds of [-10, -30, -20]) {
      const id = await insertShipmentOf(clone.db, carrier)
      await insertAttempt(clone.db, id, { next_try_at: inSeconds(seconds) })
      ids.push(id)
    }
    const [newest, oldest, middle] = ids
    for (const code of [other, other, unasked])
      await insertAttempt(clone.db, await insertShipmentOf(clone.db, code))
    const rooms = [...roomFor(carrier, 2), ...roomFor(other, 1)]
    const taken = await one.claimAttempts(rooms, LEASE_MS)
    expect(
      taken
        .filter(({ carrierCode }) => carrierCode === carrier)
        .map(({ shipmentId }) => shipmentId)
        .sort(),
    ).toEqual([oldest, middle].sort())
    expect(taken.filter(({ carrierCode }) => carrierCode === other)).toHaveLength(1)
    expect(taken).toHaveLength(3)
    expect(await claimed(carrier)).toEqual([newest])
    expect(await one.claimAttempts([], LEASE_MS)).toEqual([])
  })

  test('whose shipment is locked are skipped until the next pass', async () => {
    const carrier = await insertCarrier(clone.db)
    const [locked, free] = [
      await insertShipmentOf(clone.db, carrier),
      await insertShipmentOf(clone.db, carrier),
    ]
    for (const id of [locked, free]) await insertAttempt(clone.db, id)
    await whileLocked(clone.db, locked, async () => {
      expect(await claimed(carrier)).toEqual([free])
    })
    expect(await claimed(carrier)).toEqual([locked])
  })

  test('are claimed by one of several replicas', async () => {
    const carrier = await insertCarrier(clone.db)
    const ids = await Promise.all(Array.from({ length: 24 }, () => insertShipmentOf(clone.db, carrier)))
    await Promise.all(ids.map((id) => insertAttempt(clone.db, id)))
    const replicas = Array.from({ length: 6 }, (_unused, index) =>
      recoveryStore(clone.db, `replica-${index}`),
    )
    const taken: string[] = []
    for (let rounds = 0; taken.length < 24 && rounds < 24; rounds += 1)
      taken.push(...(await Promise.all(replicas.map((store) => claimed(carrier, 8, store)))).flat())
    expect(taken.sort()).toEqual(ids.sort())
    expect((await Promise.all(ids.map(attemptsOf))).flat().every(({ sends }) => sends === 2)).toBe(true)
  })
})

describe('verifications', () => {
  test('are claimed when they are due, and counted', async () => {
    const carrier = await insertCarrier(clone.db)
    const id = await insertShipmentOf(clone.db, carrier)
    const attemptId = await insertAttempt(clone.db, id, { ...REFUSED, verify_at: inSeconds(-1) })
    // A later attempt of the same shipment does not affect the verification.
    await insertAttempt(clone.db, id, { next_try_at: inSeconds(60) })
    expect(await one.claimVerifications(roomFor(carrier), LEASE_MS)).toMatchObject([
      {
        phase: 'refused',
        ticket: { attemptId, shipmentId: id, carrierRef: `SBX-OK-${id}`, sends: 2 },
        lookups: 1,
      },
    ])
    const attempts = await attemptsOf(id)
    expect(attempts.map(({ verify_at }) => verify_at && minutesUntil(verify_at)).sort()).toEqual([10, null])
    expect(await two.claimVerifications(roomFor(carrier), LEASE_MS)).toEqual([])
  })

  test.each([
    ['later', { ...REFUSED, verify_at: inSeconds(60) }],
    ['never', REFUSED],
  ])('that are due %s are not claimed', async (_name, overrides) => {
    const carrier = await insertCarrier(clone.db)
    await insertAttempt(clone.db, await insertShipmentOf(clone.db, carrier), overrides)
    expect(await one.claimVerifications(roomFor(carrier), LEASE_MS)).toEqual([])
  })

  test('are claimed up to the free slots, and not while their shipment is locked', async () => {
    const carrier = await insertCarrier(clone.db)
    const [first, second] = [
      await insertShipmentOf(clone.db, carrier),
      await insertShipmentOf(clone.db, carrier),
    ]
    await insertAttempt(clone.db, first, { ...REFUSED, verify_at: inSeconds(-20) })
    await insertAttempt(clone.db, second, { ...REFUSED, verify_at: inSeconds(-10) })
    const taken = async (room: number) =>
      (await one.claimVerifications(roomFor(carrier, room), LEASE_MS)).map(({ ticket }) => ticket.shipmentId)
    await whileLocked(clone.db, first, async () => expect(await taken(10)).toEqual([second]))
    expect(await taken(0)).toEqual([])
    expect(await taken(1)).toEqual([first])
  })

  test('are settled or postponed, and keep their anomaly', async () => {
    const carrier = await insertCarrier(clone.db)
    const id = await insertShipmentOf(clone.db, carrier)
    await insertAttempt(clone.db, id, { ...REFUSED, verify_at: inSeconds(-1) })
    const [verification] = await one.claimVerifications(roomFor(carrier), LEASE_MS)
    if (verification === undefined) throw new Error('nothing was taken on')
    await one.settleVerification(verification, 120_000, undefined)
    const [again] = await attemptsOf(id)
    expect([minutesUntil(again?.verify_at), again?.anomaly]).toEqual([2, null])
    await one.settleVerification(verification, undefined, 'look at this')
    await one.settleVerification(verification, undefined, undefined)
    expect(await attemptsOf(id)).toMatchObject([
      { phase: 'refused', verify_at: null, anomaly: 'look at this', lookups: 1 },
    ])
  })

  test('of attempts that were accepted in the meantime have no effect', async () => {
    const carrier = await insertCarrier(clone.db)
    const id = await insertShipmentOf(clone.db, carrier)
    await insertAttempt(clone.db, id, { ...REFUSED, verify_at: inSeconds(-1) })
    const [verification] = await one.claimVerifications(roomFor(carrier), LEASE_MS)
    if (verification === undefined) throw new Error('nothing was taken on')
    expect(await shipments.acceptCancellation(verification.ticket, 'carrier')).toBe('cancelled')
    await one.settleVerification(verification, 1_000, 'too late')
    expect(await attemptsOf(id)).toMatchObject([{ phase: 'accepted', verify_at: null, anomaly: null }])
  })

  test('of accepted attempts are claimed, postponed and settled', async () => {
    const carrier = await insertCarrier(clone.db)
    const id = await insertShipmentOf(clone.db, carrier)
    await insertAttempt(clone.db, id, { next_try_at: inSeconds(-1), lease_until: inSeconds(-1) })
    const [ticket] = await one.claimAttempts(roomFor(carrier), LEASE_MS)
    if (ticket === undefined) throw new Error('nothing was taken on')
    expect(await shipments.acceptCancellation(ticket, 'carrier', -1)).toBe('cancelled')
    const [verification] = await one.claimVerifications(roomFor(carrier), LEASE_MS)
    if (verification === undefined) throw new Error('nothing was taken on')
    expect(verification).toMatchObject({ phase: 'accepted', ticket: { shipmentId: id }, lookups: 1 })
    await one.settleVerification(verification, 120_000, 'look at this')
    const [again] = await attemptsOf(id)
    expect([minutesUntil(again?.verify_at), again?.anomaly]).toEqual([2, 'look at this'])
    await one.settleVerification(verification, undefined, undefined)
    expect(await attemptsOf(id)).toMatchObject([{ phase: 'accepted', verify_at: null, lookups: 1 }])
  })
})

describe('bookings', () => {
  test('whose lease has expired are claimed, also for cancelled drafts, and counted', async () => {
    const carrier = await insertCarrier(clone.db)
    const draft = await insertShipmentOf(clone.db, carrier, {
      ...DRAFT,
      ...{ booking_until: inSeconds(-1), booking_tries: 3 },
    })
    const cancelled = await insertShipmentOf(clone.db, carrier, {
      ...{ state: 'cancelled', carrier_ref: null, cancelled_at: new Date(), account_id: 'other' },
      booking_until: inSeconds(-2),
    })
    const rooms = [...roomFor(carrier), ...roomFor(carrier, 10, 'other')]
    const due = await one.claimBookings(rooms, LEASE_MS)
    const lease = expect.stringMatching(/^\d+$/)
    expect(new Map(due.map((booking) => [booking.shipment.shipmentId, booking]))).toEqual(
      new Map([
        [draft, { shipment: await shipments.find('acme', draft), accountId: 'acme', tries: 4, lease }],
        [
          cancelled,
          { shipment: await shipments.find('other', cancelled), accountId: 'other', tries: 1, lease },
        ],
      ]),
    )
    expect(minutesUntil((await shipmentRow(draft)).booking_until)).toBe(10)
    expect(await two.claimBookings(roomFor(carrier), LEASE_MS)).toEqual([])
  })

  test('with a requested cancellation are claimed as drafts and keep the request', async () => {
    const carrier = await insertCarrier(clone.db)
    const wanted = inSeconds(-30)
    const id = await insertShipmentOf(clone.db, carrier, {
      ...DRAFT,
      ...{ booking_until: inSeconds(-1), booking_tries: 1, cancel_requested_at: wanted },
    })
    expect(await dueAt(carrier)).toEqual([{ work: 'bookings', accountId: 'acme', count: 1 }])
    expect(await one.claimBookings(roomFor(carrier), LEASE_MS)).toMatchObject([
      { shipment: { shipmentId: id, state: 'draft' }, tries: 2 },
    ])
    expect((await shipmentRow(id)).cancel_requested_at).toEqual(wanted)
  })

  test('that were never begun or whose lease still runs are not claimed', async () => {
    const carrier = await insertCarrier(clone.db)
    await insertShipmentOf(clone.db, carrier, { ...DRAFT, booking_until: inSeconds(60) })
    await insertShipmentOf(clone.db, carrier, DRAFT)
    await insertShipmentOf(clone.db, carrier)
    expect(await one.claimBookings(roomFor(carrier), LEASE_MS)).toEqual([])
  })

  test('are claimed up to the free slots, and not while they are locked', async () => {
    const carrier = await insertCarrier(clone.db)
    const first = await insertShipmentOf(clone.db, carrier, { ...DRAFT, booking_until: inSeconds(-20) })
    const second = await insertShipmentOf(clone.db, carrier, { ...DRAFT, booking_until: inSeconds(-10) })
    const taken = async (room: number) =>
      (await one.claimBookings(roomFor(carrier, room), LEASE_MS)).map(({ shipment }) => shipment.shipmentId)
    await whileLocked(clone.db, first, async () => expect(await taken(10)).toEqual([second]))
    expect(await taken(0)).toEqual([])
    expect(await taken(1)).toEqual([first])
  })
})

describe('lookups', () => {
  test('are claimed for due booked shipments, and become due again after the interval', async () => {
    const carrier = await insertCarrier(clone.db)
    const due = { next_track_at: inSeconds(-1) }
    const id = await insertShipmentOf(clone.db, carrier, due)
    await insertShipmentOf(clone.db, carrier)
    await insertShipmentOf(clone.db, carrier, { ...due, ...DRAFT })
    await insertShipmentOf(clone.db, carrier, { ...due, state: 'in_transit' })
    await insertShipmentOf(clone.db, carrier, { ...due, state: 'cancelled', cancelled_at: new Date() })
    expect(await one.claimLookups(roomFor(carrier), 1_800_000)).toEqual([
      {
        ...{ shipmentId: id, accountId: 'acme', carrierCode: carrier, carrierRef: `SBX-OK-${id}` },
        bookedAt: (await shipmentRow(id)).created_at.toISOString(),
      },
    ])
    const { due_at } = await clone.db
      .selectFrom('lookup_schedule')
      .select('due_at')
      .where('shipment_id', '=', id)
      .executeTakeFirstOrThrow()
    expect(minutesUntil(due_at)).toBe(30)
    expect(await two.claimLookups(roomFor(carrier), 1_800_000)).toEqual([])
  })

  describe('end some time after the booking or the first scan', () => {
    const DAY_MS = 86_400_000
    const TERMS = { inTransitEveryMs: DAY_MS, forMs: 90 * DAY_MS }
    const takenAt = async (carrier: string) =>
      (await one.claimLookups(roomFor(carrier), 1_800_000, TERMS)).map(({ shipmentId }) => shipmentId)
    /** Makes its lookup due, of a shipment that has been looked up for so many days. */
    const due = (id: string, days: number) =>
      clone.db
        .updateTable('lookup_schedule')
        .set({ since: inSeconds(-days * 86_400), due_at: inSeconds(-1) })
        .where('shipment_id', '=', id)
        .execute()
    const scheduled = async (id: string) =>
      (
        await sql<{ due: string }>`
          SELECT due_at::text AS due FROM lookup_schedule WHERE shipment_id = ${id}`.execute(clone.db)
      ).rows.map((row) => row.due)

    test('of a booked one with a last lookup, and with one that a later refusal requests', async () => {
      const carrier = await insertCarrier(clone.db)
      const id = await insertShipmentOf(clone.db, carrier)
      await due(id, 89)
      expect(await takenAt(carrier)).toEqual([id])
      expect(await scheduled(id)).not.toEqual(['infinity'])
      await due(id, 91)
      expect(await takenAt(carrier)).toEqual([id])
      expect(await scheduled(id)).toEqual(['infinity'])
      expect([await takenAt(carrier), await dueAt(carrier)]).toEqual([[], []])
      const terms = { mayOpen: true, leaseMs: LEASE_MS, refusalMemoryMs: 30_000 }
      const begun = await shipments.beginCancellation('acme', id, terms)
      if (begun?.ticket === undefined) throw new Error('no attempt was opened')
      await shipments.refuseCancellation(begun.ticket, { code: 'SCANNED', reason: 'scanned' }, 'X', undefined)
      expect(await takenAt(carrier)).toEqual([id])
      expect(await scheduled(id)).toEqual(['infinity'])
    })

    test('of one in transit without a further lookup', async () => {
      const carrier = await insertCarrier(clone.db)
      const id = await insertShipmentOf(clone.db, carrier, { state: 'in_transit' })
      await due(id, 89)
      expect(await takenAt(carrier)).toEqual([id])
      await due(id, 91)
      expect(await takenAt(carrier)).toEqual([])
      expect(await scheduled(id)).toEqual([])
    })
  })

  test('are claimed up to the free slots, also while the shipment is locked', async () => {
    const carrier = await insertCarrier(clone.db)
    const first = await insertShipmentOf(clone.db, carrier, { next_track_at: inSeconds(-20) })
    const second = await insertShipmentOf(clone.db, carrier, { next_track_at: inSeconds(-10) })
    const taken = async (room: number) =>
      (await one.claimLookups(roomFor(carrier, room), 60_000)).map(({ shipmentId }) => shipmentId)
    expect(await taken(0)).toEqual([])
    await whileLocked(clone.db, first, async () => expect(await taken(1)).toEqual([first]))
    expect(await taken(1)).toEqual([second])
    expect(await taken(1)).toEqual([])
  })

  test('are claimed once by several replicas', async () => {
    const carrier = await insertCarrier(clone.db)
    for (let count = 0; count < 12; count += 1)
      await insertShipmentOf(clone.db, carrier, { next_track_at: inSeconds(-1) })
    const claims = await Promise.all(
      Array.from({ length: 4 }, () => two.claimLookups(roomFor(carrier, 12), 60_000)),
    )
    const taken = claims.flat().map(({ shipmentId }) => shipmentId)
    expect([taken.length, new Set(taken).size]).toEqual([12, 12])
  })

  test('follow the state of the shipment and requests for a lookup', async () => {
    const carrier = await insertCarrier(clone.db)
    const id = await insertShipmentOf(clone.db, carrier, DRAFT)
    const scheduled = async () =>
      (await clone.db.selectFrom('lookup_schedule').selectAll().where('shipment_id', '=', id).execute()).map(
        ({ account_id, carrier_code, due_at }) => [account_id, carrier_code, minutesUntil(due_at)],
      )
    const update = (values: Record<string, unknown>) =>
      clone.db.updateTable('shipment').set(values).where('shipment_id', '=', id).execute()
    expect(await scheduled()).toEqual([])
    await update({ state: 'booked', carrier_ref: 'R', next_track_at: inSeconds(900) })
    expect(await scheduled()).toEqual([['acme', carrier, 15]])
    await update({ cancel_refused_at: new Date(), cancel_refusal: 'no', next_track_at: inSeconds(300) })
    expect(await scheduled()).toEqual([['acme', carrier, 5]])
    await update({ state: 'cancelled', cancelled_at: new Date() })
    expect(await scheduled()).toEqual([])
    const other = await insertShipmentOf(clone.db, carrier)
    await clone.db.deleteFrom('shipment').where('shipment_id', '=', other).execute()
    expect(await one.claimLookups(roomFor(carrier), 0)).toEqual([])
    expect(
      await clone.db.selectFrom('lookup_schedule').where('carrier_code', '=', carrier).selectAll().execute(),
    ).toEqual([])
  })
})

describe('the query for due work', () => {
  test.each<[string, (carrier: string) => Promise<unknown>, string | undefined]>([
    ['nothing at a carrier without shipments', async () => {}, undefined],
    ['nothing when no shipment is due', (carrier) => insertShipmentOf(clone.db, carrier), undefined],
    [
      'an attempt',
      async (carrier) => insertAttempt(clone.db, await insertShipmentOf(clone.db, carrier)),
      'attempts',
    ],
    [
      'no attempt before it is due',
      async (carrier) =>
        insertAttempt(clone.db, await insertShipmentOf(clone.db, carrier), { next_try_at: inSeconds(60) }),
      undefined,
    ],
    [
      'a refusal to verify',
      async (carrier) =>
        insertAttempt(clone.db, await insertShipmentOf(clone.db, carrier), {
          ...REFUSED,
          verify_at: inSeconds(-1),
        }),
      'verifications',
    ],
    [
      'a booking',
      (carrier) => insertShipmentOf(clone.db, carrier, { ...DRAFT, booking_until: inSeconds(-1) }),
      'bookings',
    ],
    [
      'a lookup',
      (carrier) => insertShipmentOf(clone.db, carrier, { next_track_at: inSeconds(-1) }),
      'lookups',
    ],
  ])('groups it by carrier and account: %s', async (_name, prepare, work) => {
    const carrier = await insertCarrier(clone.db)
    await prepare(carrier)
    expect(await dueAt(carrier)).toEqual(work === undefined ? [] : [{ work, accountId: 'acme', count: 1 }])
  })

  test('counts it for each account, up to the limit', async () => {
    const carrier = await insertCarrier(clone.db)
    for (const account_id of ['other', 'acme', 'other', 'acme', 'other'])
      await insertAttempt(clone.db, await insertShipmentOf(clone.db, carrier, { account_id }))
    // This attempt is not due, and is the last of its account.
    const waiting = await insertShipmentOf(clone.db, carrier)
    await insertAttempt(clone.db, waiting, { next_try_at: inSeconds(60) })
    const counts = async (countedUpTo: number) =>
      new Map((await dueAt(carrier, countedUpTo)).map(({ accountId, count }) => [accountId, count]))
    expect(await counts(10)).toEqual(new Map(Object.entries({ acme: 2, other: 3 })))
    expect(await counts(2)).toEqual(new Map(Object.entries({ acme: 2, other: 2 })))
  })

  test('finds it for the last of many accounts if the others have none', async () => {
    const carrier = await insertCarrier(clone.db)
    const accounts = Array.from({ length: 12 }, (_, index) => `many-${String(index).padStart(2, '0')}`)
    for (const account_id of accounts) {
      await clone.db.insertInto('account').values({ account_id, name: account_id }).execute()
      await insertShipmentOf(clone.db, carrier, {
        ...{ account_id, next_track_at: inSeconds(account_id === accounts.at(-1) ? -1 : 60) },
      })
    }
    expect(await dueAt(carrier)).toEqual([{ work: 'lookups', accountId: 'many-11', count: 1 }])
  })

  test('finds the work of each account within some rounds although one has a backlog', async () => {
    const carrier = await insertCarrier(clone.db)
    const accounts = Array.from({ length: 7 }, (_, index) => `backlog-${index}`)
    for (const account_id of accounts) {
      await clone.db.insertInto('account').values({ account_id, name: account_id }).execute()
      const isLarge = account_id === 'backlog-3'
      for (let count = 0; count < (isLarge ? 6 : 2); count += 1)
        for (const kind of ['lookup', 'attempt']) {
          const due = inSeconds(isLarge ? -60 : -1)
          const id = await insertShipmentOf(clone.db, carrier, {
            ...{ account_id, next_track_at: kind === 'lookup' ? due : inSeconds(60) },
          })
          if (kind === 'attempt') await insertAttempt(clone.db, id, { next_try_at: due })
        }
    }
    const dueWork = dueWorkReader(clone.db, { rows: 5, accounts: 3 })
    const rounds: string[][] = []
    for (let round = 0; round < 4; round += 1)
      rounds.push(
        (await dueWork(4))
          .filter((due) => due.carrierCode === carrier && due.work === 'attempts')
          .map(({ accountId, count }) => `${accountId} ${count}`)
          .sort(),
      )
    expect(rounds).toEqual([
      ['backlog-0 2', 'backlog-1 2', 'backlog-2 2', 'backlog-3 4'],
      ['backlog-3 4', 'backlog-4 2', 'backlog-5 2'],
      // The last account. The round after it begins again.
      ['backlog-3 4', 'backlog-6 2'],
      ['backlog-0 2', 'backlog-1 2', 'backlog-2 2', 'backlog-3 4'],
    ])
    const lookups = (await dueWork(4)).filter((due) => due.carrierCode === carrier && due.work === 'lookups')
    expect(lookups).toHaveLength(3)
    expect(lookups).toContainEqual({
      work: 'lookups',
      carrierCode: carrier,
      accountId: 'backlog-3',
      count: 4,
    })
  })
})

describe('claims for one account at a carrier', () => {
  /** One due row of `kind` for the account. */
  async function insertDue(kind: WorkKind, carrier: string, account_id: string): Promise<string> {
    switch (kind) {
      case 'attempts': {
        const id = await insertShipmentOf(clone.db, carrier, { account_id })
        await insertAttempt(clone.db, id)
        return id
      }
      case 'verifications': {
        const id = await insertShipmentOf(clone.db, carrier, { account_id })
        await insertAttempt(clone.db, id, { ...REFUSED, verify_at: inSeconds(-1) })
        return id
      }
      case 'reports': {
        const id = await insertShipmentOf(clone.db, carrier, { account_id, state: 'in_transit' })
        await insertReport(clone.db, id, { verify_at: inSeconds(-1) })
        return id
      }
      case 'bookings':
        return insertShipmentOf(clone.db, carrier, { ...DRAFT, account_id, booking_until: inSeconds(-1) })
      case 'lookups':
        return insertShipmentOf(clone.db, carrier, { account_id, next_track_at: inSeconds(-1) })
    }
  }

  async function claim(kind: WorkKind, rooms: readonly ClaimRoom[]): Promise<string[]> {
    switch (kind) {
      case 'attempts':
        return (await one.claimAttempts(rooms, LEASE_MS)).map(({ shipmentId }) => shipmentId)
      case 'verifications':
        return (await one.claimVerifications(rooms, LEASE_MS)).map(({ ticket }) => ticket.shipmentId)
      case 'reports':
        return (await one.claimReports(rooms, LEASE_MS)).map(({ lookup }) => lookup.shipmentId)
      case 'bookings':
        return (await one.claimBookings(rooms, LEASE_MS)).map(({ shipment }) => shipment.shipmentId)
      case 'lookups':
        return (await one.claimLookups(rooms, LEASE_MS)).map(({ shipmentId }) => shipmentId)
    }
  }

  test.each<WorkKind>([
    'attempts',
    'verifications',
    'reports',
    'bookings',
    'lookups',
  ])('do not claim the %s of other accounts, and each account has its own slots', async (kind) => {
    const carrier = await insertCarrier(clone.db)
    const acme = [await insertDue(kind, carrier, 'acme'), await insertDue(kind, carrier, 'acme')]
    const other = [await insertDue(kind, carrier, 'other'), await insertDue(kind, carrier, 'other')]
    expect((await claim(kind, roomFor(carrier, 10, 'other'))).sort()).toEqual(other.sort())
    expect(await dueAt(carrier)).toEqual([{ work: kind, accountId: 'acme', count: 2 }])
    const rooms = [...roomFor(carrier, 10, 'other'), ...roomFor(carrier, 1, 'acme')]
    const first = await claim(kind, rooms)
    const second = await claim(kind, rooms)
    expect([first.length, second.length]).toEqual([1, 1])
    expect([...first, ...second].sort()).toEqual(acme.sort())
  })
})

describe('overdue attempts', () => {
  const QUARTER_MS = 15 * 60_000
  const overdue = async (carrier: string) =>
    (await one.overdueAttempts(QUARTER_MS)).filter(({ carrierCode }) => carrierCode === carrier)

  test('are read until it is recorded that they were reported, with sends and last cause', async () => {
    const carrier = await insertCarrier(clone.db)
    const [old, silent] = [
      await insertShipmentOf(clone.db, carrier),
      await insertShipmentOf(clone.db, carrier),
    ]
    await insertAttempt(clone.db, old, { begun_at: inSeconds(-1_000), sends: 9, last_cause: 'HTTP 503' })
    await insertAttempt(clone.db, silent, { begun_at: inSeconds(-960) })
    await insertAttempt(clone.db, await insertShipmentOf(clone.db, carrier), { begun_at: inSeconds(-840) })
    const settled = await insertShipmentOf(clone.db, carrier)
    await insertAttempt(clone.db, settled, { ...REFUSED, begun_at: inSeconds(-2_000) })
    const found = { attemptId: expect.any(String), carrierCode: carrier, ageMs: expect.any(Number) }
    const expected = [
      { ...found, shipmentId: old, sends: 9, lastCause: 'HTTP 503' },
      { ...found, shipmentId: silent, sends: 1, lastCause: undefined },
    ]
    expect(await overdue(carrier)).toEqual(expected)
    const reported = await overdue(carrier)
    expect(reported).toEqual(expected)
    expect(Math.round((reported[0]?.ageMs ?? 0) / 10_000)).toBe(100)
    await one.recordOverdueAlerts(reported.map(({ attemptId }) => attemptId))
    expect(await overdue(carrier)).toEqual([])
  })
})

describe('reports of lookups to be verified', () => {
  const reportOf = (shipmentId: string) =>
    clone.db
      .selectFrom('lookup_report')
      .selectAll()
      .where('shipment_id', '=', shipmentId)
      .executeTakeFirstOrThrow()

  test('are claimed once, with all numbers of a cancelled shipment', async () => {
    const carrier = await insertCarrier(clone.db)
    const id = await insertShipmentOf(clone.db, carrier, {
      ...{ carrier_ref: 'P1', parcel_refs: ['P1', 'P2'], cancelled_refs: ['P1', 'P2'] },
      ...{ state: 'cancelled', cancelled_at: inSeconds(0), cancelled_by: 'carrier' },
    })
    await insertReport(clone.db, id, {
      ...{ reported: 'cancelled', carrier_ref: null, verify_at: inSeconds(-1), reported_at: inSeconds(-60) },
    })
    const rooms = roomFor(carrier, 10)
    const [claimed, ...others] = await one.claimReports(rooms, LEASE_MS)
    const lookup = { accountId: 'acme', carrierCode: carrier, bookedAt: expect.any(String) }
    expect([claimed, others]).toMatchObject([
      {
        reported: 'cancelled',
        lookup: { ...lookup, shipmentId: id, carrierRef: 'P1', parcelRefs: ['P1', 'P2'] },
      },
      [],
    ])
    expect(Math.round((claimed?.ageMs ?? 0) / 10_000)).toBe(6)
    expect(await two.claimReports(rooms, LEASE_MS)).toEqual([])
    expect(await reportOf(id)).toMatchObject({ lookups: 1, contradiction: null })
  })

  test('of a scan are claimed with the number that was scanned', async () => {
    const carrier = await insertCarrier(clone.db)
    const id = await insertShipmentOf(clone.db, carrier, {
      ...{ carrier_ref: 'P1', parcel_refs: ['P1', 'P2'], state: 'in_transit' },
    })
    await insertReport(clone.db, id, { carrier_ref: 'P2', verify_at: inSeconds(-1) })
    const [claimed] = await one.claimReports(roomFor(carrier, 10), LEASE_MS)
    expect(claimed?.lookup).toMatchObject({ carrierRef: 'P2' })
    expect(claimed?.lookup).not.toHaveProperty('parcelRefs')
  })

  test('keep a contradiction, and are due again or not at all', async () => {
    const carrier = await insertCarrier(clone.db)
    const id = await insertShipmentOf(clone.db, carrier, { state: 'in_transit' })
    await insertReport(clone.db, id, { verify_at: inSeconds(-1) })
    const [claimed] = await one.claimReports(roomFor(carrier, 10), LEASE_MS)
    if (claimed === undefined) throw new Error('no report is due')
    await one.settleReport(claimed, 0, 'announced')
    expect(await dueAt(carrier)).toEqual([{ work: 'reports', accountId: 'acme', count: 1 }])
    await one.settleReport(claimed, undefined, undefined)
    expect(await reportOf(id)).toMatchObject({
      ...{ verify_at: null, contradiction: 'announced', contradicted_at: expect.any(Date) },
    })
    expect(await dueAt(carrier)).toEqual([])
  })
})
