/** Cancellation through both doors, with equivalent results. docs/cancellation.md */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { resetDemo } from '../../src/store/demo/reset.ts'
import { trackingStore } from '../../src/store/shipments/tracking.ts'
import { DEMO, OTHER, openTestApp, TEST_CLOCK, type TestApp } from '../support/app/test-app.ts'
import { documentFor, toGraphqlInput, toRestBody } from './parity.ts'
import { PARITY, type Result } from './parity-table.ts'

/** How much faster than real time followers poll, and so reach their deadline. */
let speed = 1
let app: TestApp
beforeAll(async () => {
  app = await openTestApp({}, TEST_CLOCK, {
    wrapPorts: (ports) => ({ ...ports, sleep: (milliseconds) => ports.sleep(milliseconds / speed) }),
  })
  // The carrier remembers cancellations after a reset of the demo data, and lookups would report them. So only
  // shipments that a test makes due are looked up.
  await sql`ALTER TABLE shipment ALTER COLUMN next_track_at SET DEFAULT clock_timestamp() + interval '1 hour'`.execute(
    app.clone.db,
  )
})
beforeEach(() => resetDemo(app.clone.db))
afterAll(() => app.close())

const MUTATION = `mutation ($id: ID!) { cancelShipment(input: { shipmentId: $id }) { __typename
  ... on ShipmentCancelled { message alreadyCancelled carrierNotified labelMustBeDestroyed shipment { id state } }
  ... on ShipmentNotCancelled { code message retryable refusalCode carrierReason shipment { id state } }
  ... on CancellationPending { message retryAfterSeconds shipment { id state } }
  ... on ShipmentNotFound { code message } } }`

async function throughGraphql(id: string, credentials = DEMO) {
  const { data } = await app.graphql(MUTATION, { id }, credentials)
  return data?.['cancelShipment'] as { __typename: string; message: string; shipment?: { state: string } }
}
const throughRest = (id: string, credentials = DEMO) =>
  app.rest(`/shipments/${id}/cancel`, undefined, { 'x-pp-api': credentials })

async function stateOf(id: string): Promise<string> {
  const row = await app.clone.db
    .selectFrom('shipment')
    .select('state')
    .where('shipment_id', '=', id)
    .executeTakeFirstOrThrow()
  return row.state
}

describe.each([
  // shipment, REST status, GraphQL type, state afterwards
  ['demo-draft', 200, 'ShipmentCancelled', 'cancelled'],
  ['demo-booked', 200, 'ShipmentCancelled', 'cancelled'],
  ['demo-refused', 409, 'ShipmentNotCancelled', 'booked'],
  ['demo-in-transit', 409, 'ShipmentNotCancelled', 'in_transit'],
  ['demo-cancelled', 200, 'ShipmentCancelled', 'cancelled'],
])('cancelling %s', (id, status, typename, after) => {
  test(`answers ${status} in REST, ${typename} in GraphQL, with the same message`, async () => {
    const rest = await throughRest(id)
    expect(rest.status).toBe(status)
    expect(await stateOf(id)).toBe(after)
    await resetDemo(app.clone.db)
    const graphql = await throughGraphql(id)
    expect(graphql).toMatchObject({ __typename: typename, shipment: { id, state: after.toUpperCase() } })
    expect(rest.json).toEqual({ cancelled: status === 200, message: graphql.message })
  })
})

test('of a shipment that was archived while it was booked is refused, and the carrier is not asked', async () => {
  const { db } = app.clone
  await db
    .insertInto('archived_shipment')
    .values({
      account_id: 'demo-shop',
      shipment_id: 'old',
      state: 'booked',
      cancelled_by: null,
      was_booked: true,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const rest = await throughRest('old')
  const message = 'The time for cancelling this shipment has passed'
  expect([rest.status, rest.json]).toEqual([409, { cancelled: false, message }])
  expect('retry-after' in rest.headers).toBe(false)
  const { data } = await app.graphql(
    `mutation { cancelShipment(input: { shipmentId: "old" }) { __typename
      ... on ShipmentNotCancelled { code message retryable refusalCode carrierReason } } }`,
    {},
    DEMO,
  )
  expect(data?.['cancelShipment']).toEqual({
    ...{ __typename: 'ShipmentNotCancelled', code: 'CARRIER_REFUSED', message, retryable: false },
    ...{ refusalCode: 'WINDOW_CLOSED', carrierReason: message },
  })
  const { errors } = await app.graphql(MUTATION, { id: 'old' })
  expect(errors).toMatchObject([{ extensions: { code: 'SHIPMENT_ARCHIVED' } }])
  expect((await throughRest('old', OTHER)).status).toBe(404)
  expect(
    await db.selectFrom('cancel_attempt').selectAll().where('shipment_id', '=', 'old').execute(),
  ).toEqual([])
})

/** Prepares a shipment for each outcome of the parity table, and returns its id. */
const SCENARIOS: Readonly<Record<OutcomeName, (run: string) => Promise<string>>> = {
  'cancelled now': async () => 'demo-booked',
  'already cancelled': async () => 'demo-cancelled',
  'in transit': async () => 'demo-in-transit',
  'refused by the carrier': async () => 'demo-refused',
  'not in this account': async () => 'other-booked',
  'nothing sent, the carrier is unavailable': async () => {
    await disconnect()
    return 'demo-booked'
  },
  'not confirmed by the carrier': async (run) => {
    await script(`SBX-DOWN-PARITY-${run}`)
    return 'demo-booked'
  },
}
type OutcomeName = (typeof PARITY.cancellation.outcomes)[number]['name']

describe.each(PARITY.cancellation.outcomes)('$name', ({ name, status, type, ...row }) => {
  test(`is ${status} in REST and ${type} in GraphQL, as in the parity table`, async () => {
    const shipmentId = await SCENARIOS[name]('rest')
    const rest = await throughRest(shipmentId)
    await resetDemo(app.clone.db)
    const input = toGraphqlInput(PARITY.cancellation.request, {
      shipmentId: await SCENARIOS[name]('graphql'),
    })
    const { data } = await app.graphql(documentFor(PARITY.cancellation), { input })
    const result = data?.['cancelShipment'] as Result
    const code = 'code' in row ? { code: row.code, retryable: status > 500 } : {}
    expect(result).toMatchObject({ __typename: type, ...code })
    expect(rest.status).toBe(status)
    const body = toRestBody(PARITY.cancellation, result)
    expect(rest.json).toEqual(status === 404 ? body['message'] : body)
    expect('retry-after' in rest.headers).toBe(status > 500)
  })
})

test('calls the carrier for booked shipments, never for drafts', async () => {
  expect(await throughGraphql('demo-draft')).toMatchObject({
    carrierNotified: false,
    alreadyCancelled: false,
  })
  expect(await throughGraphql('demo-booked')).toMatchObject({
    carrierNotified: true,
    labelMustBeDestroyed: false,
    alreadyCancelled: false,
  })
  const called = await app.clone.db.selectFrom('cancel_attempt').select('shipment_id').execute()
  expect(called).toEqual([{ shipment_id: 'demo-booked' }])
})

test('returns the reason of the carrier with a refusal', async () => {
  const { message, carrierReason, refusalCode } = (await throughGraphql('demo-refused')) as {
    message: string
    carrierReason?: string
    refusalCode?: string
  }
  expect(refusalCode).toBe('WINDOW_CLOSED')
  expect(carrierReason).toMatch(/./)
  expect(message).toContain(carrierReason)
})

test('returns the same outcome to a repeated cancellation', async () => {
  const first = await throughRest('demo-booked')
  const second = await throughRest('demo-booked')
  expect([first.status, second.status]).toEqual([200, 200])
  expect(second.text).toBe(first.text)
  expect(await throughGraphql('demo-booked')).toMatchObject({ alreadyCancelled: true })
})

test("returns the same for an unknown id and another account's shipment", async () => {
  const answers = await Promise.all(
    ['nope', 'other-booked', 'x'.repeat(300), '%00', 'a%2Fb', "'; drop table shipment"].map((id) =>
      throughRest(encodeURIComponent(decodeURIComponent(id))),
    ),
  )
  for (const { status, text } of answers) expect([status, text]).toEqual([404, '"Shipment not found"'])
  expect(await throughGraphql('other-booked')).toEqual(await throughGraphql('nope'))
  expect(await throughGraphql('nope')).toMatchObject({ __typename: 'ShipmentNotFound', code: 'NOT_FOUND' })
  expect(await stateOf('other-booked')).toBe('booked')
  expect((await throughRest('other-booked', OTHER)).status).toBe(200)
})

/** Gives the booked demo shipment a number that scripts the sandbox carrier. See docs/sandbox-carrier.md. */
const script = (carrier_ref: string) =>
  app.clone.db.updateTable('shipment').set({ carrier_ref }).where('shipment_id', '=', 'demo-booked').execute()
/** Gives the booked demo shipment a carrier without a connector. */
async function disconnect(): Promise<void> {
  await sql`INSERT INTO carrier (carrier_code, name, connector) VALUES ('unconnected', 'Unconnected', 'none')
    ON CONFLICT DO NOTHING`.execute(app.clone.db)
  await sql`UPDATE shipment SET carrier_code = 'unconnected' WHERE shipment_id = 'demo-booked'`.execute(
    app.clone.db,
  )
}
const attempts = () => app.clone.db.selectFrom('cancel_attempt').select(['phase', 'sends']).execute()

test('returns 504 if the carrier does not confirm, and the outcome when the call is repeated', async () => {
  await script('SBX-LOST-1')
  const first = await throughRest('demo-booked')
  expect(first.status).toBe(504)
  expect(first.text).toBe(
    '{"cancelled":false,"message":"The carrier has not confirmed the cancellation yet; repeat the same request"}',
  )
  expect(first.headers['retry-after']).toMatch(/^\d+$/)
  expect(await stateOf('demo-booked')).toBe('booked')
  // The repeated request does not call the carrier. It waits for the sweeper, which sends the cancellation again.
  expect(await throughGraphql('demo-booked')).toMatchObject({ __typename: 'ShipmentCancelled' })
  expect(await attempts()).toEqual([{ phase: 'accepted', sends: 2 }])
})

test('settles a lost reply with the sweeper within seconds', async () => {
  await script('SBX-LOST-2')
  expect((await throughRest('demo-booked')).status).toBe(504)
  await expect.poll(() => stateOf('demo-booked'), { timeout: 60_000, interval: 50 }).toBe('cancelled')
  expect(await attempts()).toEqual([{ phase: 'accepted', sends: 2 }])
  expect(await throughRest('demo-booked')).toMatchObject({ status: 200, json: { cancelled: true } })
})

test('leaves no attempt behind if the carrier cannot be called', async () => {
  await disconnect()
  const rest = await throughRest('demo-booked')
  expect(rest.status).toBe(503)
  expect(rest.headers['retry-after']).toMatch(/^\d+$/)
  const graphql = await throughGraphql('demo-booked')
  expect(graphql).toMatchObject({
    ...{ __typename: 'ShipmentNotCancelled', code: 'CARRIER_UNAVAILABLE', retryable: true },
    ...{ refusalCode: null, carrierReason: null, shipment: { id: 'demo-booked', state: 'BOOKED' } },
  })
  expect(rest.json).toEqual({ cancelled: false, message: graphql.message })
  expect(await attempts()).toEqual([])
})

test('keeps a shipment in transit that is scanned during the call, whatever the carrier responds', async () => {
  await script('SBX-SLOW-400-1')
  const asked = throughRest('demo-booked')
  await expect.poll(attempts, { interval: 10 }).toEqual([{ phase: 'pending', sends: 1 }])
  const scan = { carrierCode: 'rondeel', carrierRef: 'SBX-SLOW-400-1', eventId: 'e1' }
  const at = new Date().toISOString()
  expect(await trackingStore(app.clone.db).recordScan({ ...scan, at })).toBe('moved')
  const rest = await asked
  expect(rest.status).toBe(409)
  expect(await throughGraphql('demo-booked')).toMatchObject({
    ...{ code: 'ALREADY_IN_TRANSIT', message: (rest.json as { message: string }).message },
    ...{ retryable: false, refusalCode: null },
  })
  expect(await stateOf('demo-booked')).toBe('in_transit')
  expect(await attempts()).toEqual([{ phase: 'accepted', sends: 1 }])
})

test('looks up a parcel after a refusal that mentions a scan, and moves the shipment to in transit', async () => {
  await script('SBX-SCANNED-1')
  expect(await throughGraphql('demo-booked')).toMatchObject({
    ...{ code: 'CARRIER_REFUSED', refusalCode: 'SCANNED', shipment: { state: 'BOOKED' } },
  })
  await expect.poll(() => stateOf('demo-booked'), { timeout: 60_000, interval: 50 }).toBe('in_transit')
  expect(await throughGraphql('demo-booked')).toMatchObject({ code: 'ALREADY_IN_TRANSIT' })
})

describe('a draft that is being booked', () => {
  /** Another process began to book it and ended. The sweeper takes over after the given time. */
  const beingBooked = (milliseconds: number) =>
    sql`UPDATE shipment SET booking_until = clock_timestamp() + ${milliseconds} * interval '1 ms', booking_tries = 1
      WHERE shipment_id = 'demo-draft'`.execute(app.clone.db)
  const rowOf = () =>
    app.clone.db
      .selectFrom('shipment')
      .select(['state', 'cancel_requested_at', 'cancelled_by', 'carrier_ref'])
      .where('shipment_id', '=', 'demo-draft')
      .executeTakeFirstOrThrow()

  test('is cancelled at its carrier after the booking; both doors wait and return the same', async () => {
    await beingBooked(1_500)
    const [rest, graphql] = [throughRest('demo-draft'), throughGraphql('demo-draft')]
    await expect
      .poll(rowOf, { interval: 10 })
      .toMatchObject({ state: 'draft', cancel_requested_at: expect.any(Date), carrier_ref: null })
    const outcome = await graphql
    expect(outcome).toMatchObject({
      ...{ __typename: 'ShipmentCancelled', alreadyCancelled: false, carrierNotified: true },
      ...{ labelMustBeDestroyed: false, shipment: { id: 'demo-draft', state: 'CANCELLED' } },
    })
    expect(await rest).toMatchObject({ status: 200, json: { cancelled: true, message: outcome.message } })
    expect(await rowOf()).toEqual({
      ...{ state: 'cancelled', cancel_requested_at: null, cancelled_by: 'carrier' },
      carrier_ref: expect.stringMatching(/^SBX-/),
    })
    expect(await attempts()).toEqual([{ phase: 'accepted', sends: 1 }])
    const events = await app.clone.db
      .selectFrom('shipment_event')
      .select('to_state')
      .where('shipment_id', '=', 'demo-draft')
      .where('from_state', 'is not', null)
      .orderBy('event_id')
      .execute()
    expect(events).toEqual([{ to_state: 'booked' }, { to_state: 'cancelled' }])
    const { data } = await app.graphql(
      `mutation { bookShipment(input: { shipmentId: "demo-draft" }) { __typename
        ... on ShipmentNotBooked { code retryable } } }`,
    )
    expect(data?.['bookShipment']).toEqual({
      ...{ __typename: 'ShipmentNotBooked', code: 'NOT_BOOKABLE', retryable: false },
    })
  })

  test('is pending if the booking does not end in time, and the sweeper settles both', async () => {
    await beingBooked(3_600_000)
    speed = 50
    const [rest, graphql] = await Promise.all([throughRest('demo-draft'), throughGraphql('demo-draft')])
    speed = 1
    expect(rest.status).toBe(504)
    expect(rest.headers['retry-after']).toMatch(/^\d+$/)
    expect(graphql).toMatchObject({
      ...{ __typename: 'CancellationPending', retryAfterSeconds: 5 },
      shipment: { id: 'demo-draft', state: 'DRAFT' },
    })
    expect(rest.json).toEqual({ cancelled: false, message: graphql.message })
    expect(await attempts()).toEqual([])
    await beingBooked(0)
    await expect.poll(() => stateOf('demo-draft'), { timeout: 60_000, interval: 50 }).toBe('cancelled')
    expect(await rowOf()).toMatchObject({ cancelled_by: 'carrier', cancel_requested_at: null })
    expect(await attempts()).toEqual([{ phase: 'accepted', sends: expect.any(Number) }])
  })
})

test('lists attempts with their outcome, cause and next try', async () => {
  const cancellationsOf = async (id: string) => {
    const { data } = await app.graphql(
      `query ($id: ID!) { shipment(id: $id) { cancelAttempts {
        createdAt outcome refusalCode carrierReason carrierRefusalCode sends settledAt nextTryAt } } }`,
      { id },
    )
    return (data?.['shipment'] as { cancelAttempts: Record<string, string>[] }).cancelAttempts
  }
  const INSTANT = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  expect(await cancellationsOf('demo-refused')).toEqual([])
  await throughRest('demo-refused')
  expect(await cancellationsOf('demo-refused')).toEqual([
    {
      ...{ createdAt: INSTANT, outcome: 'REFUSED', sends: 1, settledAt: INSTANT, nextTryAt: null },
      ...{ refusalCode: 'WINDOW_CLOSED', carrierRefusalCode: 'WINDOW_CLOSED' },
      carrierReason: 'The time for cancelling this parcel has passed',
    },
  ])
  await script('SBX-DOWN-1')
  expect((await throughRest('demo-booked')).status).toBe(504)
  const [open] = await cancellationsOf('demo-booked')
  expect(open).toEqual({
    ...{ createdAt: INSTANT, outcome: 'PENDING', sends: 1, settledAt: null, nextTryAt: INSTANT },
    ...{ refusalCode: null, carrierRefusalCode: null, carrierReason: null },
  })
  expect(Date.parse(open?.['nextTryAt'] ?? '')).toBeGreaterThan(Date.parse(open?.['createdAt'] ?? ''))
})

test('makes one attempt for eight concurrent callers, and returns the same to all', async () => {
  const rest = await Promise.all(
    Array.from({ length: 8 }, (_, caller) =>
      caller % 2 === 0
        ? throughRest('demo-booked').then(({ json }) => (json as { message: string }).message)
        : throughGraphql('demo-booked').then(({ message }) => message),
    ),
  )
  expect([...new Set(rest)]).toEqual(['The shipment is cancelled'])
  const events = await app.clone.db
    .selectFrom('shipment_event')
    .select('to_state')
    .where('shipment_id', '=', 'demo-booked')
    .where('to_state', '=', 'cancelled')
    .execute()
  expect(events).toHaveLength(1)
  expect(await attempts()).toEqual([{ phase: 'accepted', sends: 1 }])
})

test('supports the whole life of a shipment in a front end', async () => {
  const created = await app.graphql(
    `mutation ($input: CreateDraftShipmentInput!) { createDraftShipment(input: $input) { __typename
      ... on DraftShipmentCreated { shipment { id state price { amount } product { id } trackingNumber } } } }`,
    {
      input: {
        preferredShippingOption: '1201',
        rates: {
          from: { country: 'NL' },
          to: { country: 'ES' },
          recipientType: 'BUSINESS',
          parcels: { boxes: [{ weightKg: '5', lengthCm: 40, widthCm: 30, heightCm: 20, count: 1 }] },
        },
      },
    },
  )
  expect(created.data?.['createDraftShipment']).toMatchObject({
    __typename: 'DraftShipmentCreated',
    shipment: { state: 'DRAFT', price: { amount: '15.81' }, product: { id: '1201' }, trackingNumber: null },
  })
  const id = (created.data?.['createDraftShipment'] as { shipment?: { id: string } } | undefined)?.shipment
    ?.id
  const booked = await app.graphql(
    `mutation ($id: ID!) { bookShipment(input: { shipmentId: $id }) { __typename
      ... on ShipmentBooked { alreadyBooked shipment { state trackingNumber } } } }`,
    { id },
  )
  expect(booked.data?.['bookShipment']).toEqual({
    __typename: 'ShipmentBooked',
    alreadyBooked: false,
    shipment: { state: 'BOOKED', trackingNumber: expect.stringMatching(/^SBX-/) },
  })
  expect((await throughRest(String(id))).json).toEqual({ cancelled: true, message: expect.any(String) })
  const read = await app.graphql(
    `query ($id: ID!) { shipment(id: $id) { state cancellable cancelAttempts { outcome sends } } }`,
    { id },
  )
  expect(read.data?.['shipment']).toEqual({
    state: 'CANCELLED',
    cancellable: false,
    cancelAttempts: [{ outcome: 'ACCEPTED', sends: 1 }],
  })
})
