/**
 * Random checkouts on a real database: prices are published, buyers have two tabs, click twice and repeat requests
 * whose result was lost. What a buyer has seen is what is booked, or nothing is.
 */
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RateBook } from '../../src/core/rating/book/rate-book.ts'
import { compileContracts } from '../../src/core/rating/contract.ts'
import type { CreateDraftShipmentOutcome } from '../../src/core/shipments/draft-shipment.ts'
import { bookShipment } from '../../src/operations/book-shipment.ts'
import { createDraftShipment } from '../../src/operations/create-draft-shipment.ts'
import { optionToken } from '../../src/operations/option-tokens.ts'
import { quoteRates } from '../../src/operations/quote-rates.ts'
import { shipmentStore } from '../../src/store/shipments/shipments.ts'
import { shipmentWorld } from '../operations/shipment-world.ts'
import { type ClonedDatabase, cloneDatabase } from '../support/database/clone-database.ts'
import { caseCount } from '../support/random/case-count.ts'
import { demoRateBook, parcelInput } from '../support/rates/demo-rate-book.ts'
import { NO_RATES } from '../support/rates/exchange-rates.ts'

const CALLER = { accountId: 'demo-shop' }
const MINUTE_MS = 60_000
const TOKEN_MS = 30 * MINUTE_MS

let clone: ClonedDatabase
beforeAll(async () => {
  clone = await cloneDatabase()
})
afterAll(() => clone.drop())

type Tab = 0 | 1
type Cart = 0 | 1
type Step =
  | { readonly kind: 'publish'; readonly freightBps: number }
  | { readonly kind: 'wait'; readonly minutes: number }
  | { readonly kind: 'look'; readonly tab: Tab; readonly cart: Cart; readonly product: number }
  | { readonly kind: 'order'; readonly tab: Tab; readonly way: 'once' | 'double' | 'lost' | 'not sent' }
  | { readonly kind: 'order in both tabs' }
  | { readonly kind: 'book'; readonly cart: Cart }

const TAB = fc.constantFrom<Tab>(0, 1)
const CART = fc.constantFrom<Cart>(0, 1)
const STEP: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('publish'),
      freightBps: fc.integer({ min: -5_000, max: 9_000 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('wait'), minutes: fc.constantFrom(1, 10, 29, 31) }) },
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('look'), tab: TAB, cart: CART, product: fc.constantFrom(0, 1) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('order'),
      tab: TAB,
      way: fc.constantFrom('once', 'double', 'lost', 'not sent'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('order in both tabs') }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('book'), cart: CART }) },
)

/** What a tab shows. */
type Seen = {
  readonly cart: Cart
  readonly token: string
  readonly priceCents: number
  readonly untilMs: number
}

/** The order of a cart, as the model has it: the token that was sent first, and its draft. */
type Order = { readonly seen: Seen; readonly shipmentId: string }

let runs = 0

/** A shop with its buyers. Every step checks its outcome against what was seen. */
function openShop() {
  runs += 1
  const name = `run ${runs}`
  const demo = demoRateBook()
  let book: RateBook = demo
  let nowMs = Date.now()
  const carried: { readonly shipmentId: string; readonly priceCents: number }[] = []
  const world = shipmentWorld([], async () => ({ kind: 'unknown', cause: 'not asked' }), {
    book: async (_accountId, { shipmentId, priceCents }) => {
      carried.push({ shipmentId, priceCents })
      return { kind: 'booked', carrierRef: `REF-${shipmentId}` }
    },
  })
  const shipments = shipmentStore(clone.db, name)
  const ports = {
    ...world.process(),
    shipments,
    reference: {
      rateBook: () => book,
      customsTables: () => NO_RATES,
    },
    clock: () => new Date(nowMs),
  }
  const tabs: [Seen | undefined, Seen | undefined] = [undefined, undefined]
  const orders: [Order | undefined, Order | undefined] = [undefined, undefined]

  const rates = (cart: Cart) =>
    parcelInput({
      parcels: [{ type: 'NONDOC', weight: 2 + 3 * cart, length: 40, width: 30, height: 20, count: 1 }],
    })

  const options = (cart: Cart) => {
    const quote = quoteRates(ports, CALLER, rates(cart))
    if (quote.kind !== 'RateQuote') throw new Error(quote.message)
    return quote.options
  }

  const look = (cart: Cart, product: number): Seen => {
    const option = options(cart)[product]
    if (option === undefined) throw new Error('not offered')
    const untilMs = Math.floor(nowMs / 1000) * 1000 + TOKEN_MS
    return { cart, token: optionToken(ports, CALLER, option), priceCents: option.priceCents, untilMs }
  }

  const send = ({ cart, token }: Seen, store = shipments): Promise<CreateDraftShipmentOutcome> =>
    createDraftShipment({ ...ports, shipments: store }, CALLER, {
      ...{ rates: rates(cart), optionToken: token, idempotencyKey: `${name} cart ${cart}` },
    })

  /** A result that is lost before or after the statement. The buyer then repeats the request. */
  const sendAndLose = async (seen: Seen, isExecuted: boolean): Promise<CreateDraftShipmentOutcome> => {
    const insertKeyedDraft: typeof shipments.insertKeyedDraft = async (...given) => {
      if (isExecuted) await shipments.insertKeyedDraft(...given)
      throw new Error('connection lost')
    }
    await send(seen, { ...shipments, insertKeyedDraft }).catch(() => undefined)
    return send(seen)
  }

  /** Checks the outcomes of requests with what one tab shows, and records their draft. */
  const check = (seen: Seen, outcomes: readonly CreateDraftShipmentOutcome[]): void => {
    const order = orders[seen.cart]
    for (const outcome of outcomes)
      if (order !== undefined && order.seen.token !== seen.token)
        expect(outcome.kind).toBe('IdempotencyConflict')
      else if (order !== undefined)
        expect(outcome).toMatchObject({ alreadyCreated: true, shipmentId: order.shipmentId })
      else if (nowMs >= seen.untilMs) {
        expect(outcome).toMatchObject({ kind: 'OptionExpired', quotedPriceCents: seen.priceCents })
        if (outcome.kind !== 'OptionExpired' || outcome.current === undefined) throw new Error('no price')
        const { product, priceCents } = outcome.current
        const now = options(seen.cart).find((option) => option.product.productId === product.productId)
        expect(priceCents).toBe(now?.priceCents)
      } else expect(outcome).toMatchObject({ shipment: { state: 'draft', priceCents: seen.priceCents } })
    const ids = outcomes.flatMap((outcome) => ('shipmentId' in outcome ? [outcome.shipmentId] : []))
    expect(new Set(ids).size).toBeLessThanOrEqual(1)
    if (ids[0] !== undefined) orders[seen.cart] = { seen, shipmentId: ids[0] }
  }

  const orderIn = async (seen: Seen, way: 'once' | 'double' | 'lost' | 'not sent'): Promise<void> => {
    switch (way) {
      case 'once':
        return check(seen, [await send(seen)])
      case 'double':
        return check(seen, await Promise.all([send(seen), send(seen)]))
      case 'lost':
      case 'not sent':
        return check(seen, [await sendAndLose(seen, way === 'lost')])
    }
  }

  /**
   * Both tabs at once: one of them may create the draft, and the other one must not create another. An expired option
   * is refused before the draft exists, or found to be in conflict with it.
   */
  const orderInBoth = async (one: Seen, two: Seen): Promise<void> => {
    const outcomes = await Promise.all([send(one), send(two)])
    const place = (outcome: CreateDraftShipmentOutcome): number => {
      if (outcome.kind === 'OptionExpired') return 0
      return outcome.kind === 'DraftShipmentCreated' && !outcome.alreadyCreated ? 1 : 2
    }
    const inOrder = [
      { seen: one, outcome: outcomes[0] },
      { seen: two, outcome: outcomes[1] },
    ].toSorted((a, b) => place(a.outcome) - place(b.outcome))
    for (const { seen, outcome } of inOrder) check(seen, [outcome])
  }

  const run = async (step: Step): Promise<void> => {
    switch (step.kind) {
      case 'publish': {
        const { accountId } = CALLER
        const row = {
          accountId,
          validFrom: '2026-01-01',
          freightBps: step.freightBps,
          fuelBps: 0,
          hidden: false,
        }
        book = { ...demo, revision: book.revision + 1, contracts: compileContracts([row], []) }
        return
      }
      case 'wait':
        nowMs += step.minutes * MINUTE_MS
        return
      case 'look':
        tabs[step.tab] = look(step.cart, step.product)
        return
      case 'order': {
        const seen = tabs[step.tab]
        return seen && orderIn(seen, step.way)
      }
      case 'order in both tabs': {
        const [one, two] = tabs
        return one && two && orderInBoth(one, two)
      }
      case 'book': {
        const order = orders[step.cart]
        if (order === undefined) return
        expect(await bookShipment(ports, CALLER, order.shipmentId)).toMatchObject({ kind: 'ShipmentBooked' })
        return
      }
    }
  }

  /** One draft for each ordered cart, at the price that its buyer saw, and bookings at this price. */
  const checkAll = async (): Promise<void> => {
    const { rows } = await sql<{ shipmentId: string; priceCents: number }>`
      SELECT shipment_id AS "shipmentId", price_cents AS "priceCents" FROM shipment
        WHERE account_id = ${CALLER.accountId}`.execute(clone.db)
    const expected = orders.flatMap((order) =>
      order === undefined ? [] : [{ shipmentId: order.shipmentId, priceCents: order.seen.priceCents }],
    )
    expect(sorted(rows)).toEqual(sorted(expected))
    for (const booked of carried) expect(expected).toContainEqual(booked)
    expect(new Set(carried.map(({ shipmentId }) => shipmentId)).size).toBe(carried.length)
  }
  return { run, checkAll }
}

function sorted<Row extends { readonly shipmentId: string }>(rows: readonly Row[]): Row[] {
  return [...rows].sort((a, b) => (a.shipmentId < b.shipmentId ? -1 : 1))
}

test('what a buyer has seen is what is booked', { timeout: 60_000 }, async () => {
  const property = fc.asyncProperty(fc.array(STEP, { minLength: 5, maxLength: 25 }), async (steps) => {
    await sql`DELETE FROM shipment WHERE account_id = ${CALLER.accountId}`.execute(clone.db)
    const { run, checkAll } = openShop()
    for (const step of steps) await run(step)
    await checkAll()
  })
  await fc.assert(property, { numRuns: caseCount(30, 1_000) })
})
