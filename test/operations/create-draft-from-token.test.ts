/** Drafts from tokens of rate options, and drafts with idempotency keys. */
import { describe, expect, test } from 'vitest'
import type { RateBook } from '../../src/core/rating/book/rate-book.ts'
import { compileContracts } from '../../src/core/rating/contract.ts'
import type { RatesInput } from '../../src/core/rating/request.ts'
import {
  type CreateDraftShipmentInput,
  createDraftShipment,
} from '../../src/operations/create-draft-shipment.ts'
import { optionToken } from '../../src/operations/option-tokens.ts'
import type { Caller } from '../../src/operations/ports/caller.ts'
import { quoteRates } from '../../src/operations/quote-rates.ts'
import { openOptionTokens } from '../../src/store/accounts/option-tokens.ts'
import { fixedSecrets } from '../support/app/option-token-ports.ts'
import { demoRateBook, ORDINARY_DAY, parcelInput } from '../support/rates/demo-rate-book.ts'
import { NO_RATES } from '../support/rates/exchange-rates.ts'
import { shipmentWorld } from './shipment-world.ts'

type Page = NonNullable<Caller['page']>
type ShopCaller = { readonly accountId: string; readonly page?: Page }

const ACME: ShopCaller = { accountId: 'acme' }
const PRODUCT = '1201'
const MINUTE_MS = 60_000

/** A book with a contract of the account: basis points on freight, or the product is hidden. */
function bookWith(revision: number, freightBps: number, hidden = false): RateBook {
  const row = { accountId: 'acme', validFrom: '2026-01-01', freightBps, fuelBps: 0, hidden }
  return { ...demoRateBook(), revision, contracts: compileContracts([row], []) }
}

/** A shop whose book and clock can be changed. */
function openShop() {
  const world = shipmentWorld([], async () => ({ kind: 'unknown', cause: 'not asked' }))
  const now = { book: bookWith(1, 0), ms: Date.parse(`${ORDINARY_DAY}T12:00:00Z`) }
  const reference = {
    rateBook: () => now.book,
    customsTables: () => NO_RATES,
  }
  const ports = { ...world.process(), reference, clock: () => new Date(now.ms) }
  const see = (caller = ACME, rates: Partial<RatesInput> = {}) => {
    const quote = quoteRates(ports, caller, parcelInput(rates))
    if (quote.kind !== 'RateQuote') throw new Error(JSON.stringify(quote.fields))
    const option = quote.options.find(({ product }) => String(product.productId) === PRODUCT)
    if (option === undefined) throw new Error('the product is not offered')
    return { priceCents: option.priceCents, token: optionToken(ports, caller, option) }
  }
  const create = (input: Partial<CreateDraftShipmentInput>, caller = ACME) =>
    createDraftShipment(ports, caller, { rates: parcelInput(), ...input })
  return { now, ports, see, create, drafts: world.shipments }
}

const fieldsOf = (outcome: Awaited<ReturnType<typeof createDraftShipment>>) =>
  outcome.kind === 'InputProblem' ? outcome.fields.map(({ path, code }) => [path.join('.'), code]) : outcome

describe('a draft from a token', () => {
  test('has the product and the price of the token', async () => {
    const { see, create, drafts } = openShop()
    const { token, priceCents } = see()
    const outcome = await create({ optionToken: token })
    expect(outcome).toMatchObject({
      kind: 'DraftShipmentCreated',
      alreadyCreated: false,
      shipment: { priceCents, productId: 1201, carrierCode: 'rondeel' },
    })
    expect([...drafts.values()]).toMatchObject([{ accountId: 'acme', draft: { rateCardVersion: 'demo@1' } }])
  })

  test.each<[string, (revision: number) => RateBook]>([
    ['has another price since', (revision) => bookWith(revision, 5_000)],
    ['is not offered any more', (revision) => bookWith(revision, 0, true)],
    ['is in no rate card any more', (revision) => ({ ...bookWith(revision, 0), cards: [] })],
  ])('has that price if the product %s', async (_name, publish) => {
    const { now, see, create } = openShop()
    const { token, priceCents } = see()
    now.book = publish(2)
    expect(await create({ optionToken: token })).toMatchObject({ shipment: { priceCents } })
    const current = await create({ preferredShippingOption: PRODUCT })
    if (current.kind === 'DraftShipmentCreated')
      expect(current.shipment.priceCents).toBeGreaterThan(priceCents)
    else expect(current.kind).toBe('OptionNotAvailable')
  })

  test('is created until the last moment of the token, and then refused with both prices', async () => {
    const { now, see, create, drafts } = openShop()
    const { token, priceCents } = see()
    now.book = bookWith(2, 5_000)
    now.ms += 30 * MINUTE_MS - 1
    expect(await create({ optionToken: token })).toMatchObject({ shipment: { priceCents } })
    now.ms += 1
    const current = see()
    expect(current.priceCents).toBeGreaterThan(priceCents)
    expect(await create({ optionToken: token })).toMatchObject({
      ...{ kind: 'OptionExpired', code: 'PRICE_EXPIRED', retryable: false },
      ...{ quotedPriceCents: priceCents, expiredAt: `${ORDINARY_DAY}T12:30:00.000Z` },
      current: { priceCents: current.priceCents },
    })
    expect(drafts.size).toBe(1)
    expect(await create({ optionToken: current.token })).toMatchObject({
      shipment: { priceCents: current.priceCents },
    })
  })

  test('is refused after the token has expired also if the price is the same', async () => {
    const { now, see, create } = openShop()
    const { token, priceCents } = see()
    now.ms += 31 * MINUTE_MS
    expect(await create({ optionToken: token })).toMatchObject({
      ...{ kind: 'OptionExpired', quotedPriceCents: priceCents, current: { priceCents } },
    })
  })

  test('is refused without a current price if the token has expired and the product is not offered', async () => {
    const { now, see, create } = openShop()
    const { token } = see()
    now.ms += 31 * MINUTE_MS
    now.book = bookWith(2, 0, true)
    const outcome = await create({ optionToken: token })
    expect(outcome.kind).toBe('OptionExpired')
    expect(outcome).not.toHaveProperty('current')
  })

  test.each<[string, Partial<RatesInput>]>([
    ['rates.from', { from: { country: 'BE' } }],
    ['rates.to', { to: { country: 'ES', zipcode: '28001' } }],
    [
      'rates.parcels',
      { parcels: [{ type: 'NONDOC', weight: 6, length: 40, width: 30, height: 20, count: 1 }] },
    ],
    ['rates.totalValue', { insured: true, totalValue: 100 }],
    ['rates.recipientType', { recipientType: 'individual' }],
    ['rates.services', { services: ['SIGNATURE'] }],
  ])('is refused for another request: %s', async (path, rates) => {
    const { see, create, drafts } = openShop()
    expect(fieldsOf(await create({ optionToken: see().token, rates: parcelInput(rates) }))).toEqual([
      [path, 'CONFLICT'],
    ])
    expect(drafts.size).toBe(0)
  })

  test('has the services of the token, whatever their order in the request', async () => {
    const { see, create, drafts } = openShop()
    const { token, priceCents } = see(ACME, { services: ['SIGNATURE'] })
    expect(priceCents).toBe(see().priceCents + 110)
    const rates = parcelInput({ services: ['SIGNATURE', 'SIGNATURE'] })
    expect(await create({ optionToken: token, rates })).toMatchObject({
      kind: 'DraftShipmentCreated',
      shipment: { priceCents, services: ['SIGNATURE'] },
    })
    expect([...drafts.values()]).toMatchObject([{ draft: { services: ['SIGNATURE'] } }])
    expect(fieldsOf(await create({ optionToken: token }))).toEqual([['rates.services', 'CONFLICT']])
  })

  test('is refused if the token has the price of another day', async () => {
    const { see, create } = openShop()
    const { token } = see(ACME, { asOf: '2026-09-01T00:00:00Z' })
    expect(fieldsOf(await create({ optionToken: token }))).toEqual([['optionToken', 'CONFLICT']])
    const rates = parcelInput({ asOf: '2026-09-01T00:00:00Z' })
    expect(fieldsOf(await create({ optionToken: token, rates }))).toEqual([['rates.asOf', 'CONFLICT']])
  })

  test('is refused if another product is preferred', async () => {
    const { see, create } = openShop()
    const { token, priceCents } = see()
    const wrong = await create({ optionToken: token, preferredShippingOption: '1202' })
    expect(fieldsOf(wrong)).toEqual([['preferredShippingOption', 'CONFLICT']])
    expect(await create({ optionToken: token, preferredShippingOption: PRODUCT })).toMatchObject({
      shipment: { priceCents },
    })
  })
})

describe('a token that is not valid is refused in the same words', () => {
  const NOT_VALID = {
    kind: 'InputProblem',
    fields: [{ path: ['optionToken'], code: 'UNKNOWN_VALUE', message: 'the token is not valid' }],
  }

  test('if it is of another account', async () => {
    const { see, create } = openShop()
    expect(await create({ optionToken: see({ accountId: 'other' }).token })).toMatchObject(NOT_VALID)
  })

  test('if it is of another secret', async () => {
    const { ports, see, create } = openShop()
    const { token } = see()
    ports.optionTokens = openOptionTokens(fixedSecrets(Buffer.alloc(32, 9)))
    expect(await create({ optionToken: token })).toMatchObject(NOT_VALID)
  })

  test.each(['', 'x', 'a.b.c'])('if it is altered or malformed (%j)', async (text) => {
    const { see, create } = openShop()
    expect(await create({ optionToken: text })).toMatchObject(NOT_VALID)
    expect(await create({ optionToken: `${see().token}${text || 'x'}` })).toMatchObject(NOT_VALID)
    // Never a silent price of today.
    expect(await create({ optionToken: text, preferredShippingOption: PRODUCT })).toMatchObject(NOT_VALID)
  })
})

test('a product or a token is required', async () => {
  const { create } = openShop()
  expect(fieldsOf(await create({}))).toEqual([['preferredShippingOption', 'REQUIRED']])
})

describe('a token of a web page', () => {
  const visitor: Page = { needsCheckoutToken: false }
  const permitted: Page = {
    needsCheckoutToken: false,
    permission: { kind: 'CheckoutPermission', coversCart: () => true, coversGoods: () => true },
  }

  test('has the price of the contract if the page has a checkout token', async () => {
    const { now, see, create } = openShop()
    now.book = bookWith(2, 5_000)
    const { token, priceCents } = see({ ...ACME, page: permitted })
    expect(priceCents).toBe(see().priceCents)
    expect(await create({ optionToken: token })).toMatchObject({ shipment: { priceCents } })
  })

  test.each([5_000, -5_000])('has a list price otherwise, which is not the contract with %i', async (bps) => {
    const { now, see, create, drafts } = openShop()
    now.book = bookWith(2, bps)
    const { token, priceCents } = see({ ...ACME, page: visitor })
    const current = see()
    expect(current.priceCents).not.toBe(priceCents)
    expect(await create({ optionToken: token })).toMatchObject({
      kind: 'OptionExpired',
      quotedPriceCents: priceCents,
      current: { priceCents: current.priceCents },
    })
    expect(drafts.size).toBe(0)
  })

  test('has a list price that holds for an account without other prices', async () => {
    const { now, see, create } = openShop()
    const { token, priceCents } = see({ ...ACME, page: visitor })
    expect(await create({ optionToken: token })).toMatchObject({ shipment: { priceCents } })
    now.ms += 30 * MINUTE_MS
    expect(await create({ optionToken: token })).toMatchObject({ kind: 'OptionExpired' })
  })
})

describe('an idempotency key', () => {
  test('is refused with other services', async () => {
    const { create } = openShop()
    const input = { preferredShippingOption: PRODUCT, idempotencyKey: 'cart 8' }
    await create(input)
    expect(await create({ ...input, rates: parcelInput({ services: [] }) })).toMatchObject({
      alreadyCreated: true,
    })
    const other = await create({ ...input, rates: parcelInput({ services: ['SIGNATURE'] }) })
    expect(other).toMatchObject({ kind: 'IdempotencyConflict' })
  })

  test('returns the draft of the first request, also when the token has expired since', async () => {
    const { now, see, create, drafts } = openShop()
    const { token, priceCents } = see()
    const input = { optionToken: token, idempotencyKey: 'cart 7', reference: 'order 7' }
    const first = await create(input)
    expect(first).toMatchObject({ kind: 'DraftShipmentCreated', alreadyCreated: false })
    now.ms += 60 * MINUTE_MS
    now.book = bookWith(2, 5_000)
    expect(await create(input)).toMatchObject({ alreadyCreated: true, shipment: { priceCents } })
    expect(drafts.size).toBe(1)
  })

  test('returns one draft for a double click, and for a retry after a lost result', async () => {
    const { ports, see, create, drafts } = openShop()
    const input = { optionToken: see().token, idempotencyKey: 'k' }
    const both = await Promise.all([create(input), create(input)])
    expect(both.map((outcome) => 'alreadyCreated' in outcome && outcome.alreadyCreated)).toEqual([
      false,
      true,
    ])
    const { insertKeyedDraft } = ports.shipments
    ports.shipments.insertKeyedDraft = async (...given) => {
      await insertKeyedDraft(...given)
      throw new Error('connection lost')
    }
    const other = { ...input, idempotencyKey: 'other' }
    await expect(create(other)).rejects.toThrow('connection lost')
    expect(await create(other)).toMatchObject({ kind: 'DraftShipmentCreated', alreadyCreated: true })
    expect(drafts.size).toBe(2)
  })

  test.each<[string, Partial<CreateDraftShipmentInput>]>([
    ['reference', { reference: 'order 8' }],
    ['request', { rates: parcelInput({ to: { country: 'FR' } }) }],
    ['content items', { contentItems: [{ description: 'Shirt', numberOfItems: 1, cost: 10 }] }],
    ['sender', { sender: { name: 'Ada' } }],
    ['product', { preferredShippingOption: '1202' }],
  ])('with another %s is a conflict, and creates nothing', async (_name, change) => {
    const { create, drafts } = openShop()
    const input = { preferredShippingOption: PRODUCT, idempotencyKey: 'k', reference: 'order 7' }
    await create(input)
    expect(await create({ ...input, ...change })).toEqual({
      kind: 'IdempotencyConflict',
      code: 'IDEMPOTENCY_CONFLICT',
      message: 'The idempotency key was used with another input in the last 24 hours',
      retryable: false,
    })
    expect(drafts.size).toBe(1)
  })

  test('with another token is a conflict, because the prices may differ', async () => {
    const { now, see, create } = openShop()
    await create({ optionToken: see().token, idempotencyKey: 'k' })
    now.ms += 1_000
    expect(await create({ optionToken: see().token, idempotencyKey: 'k' })).toMatchObject({
      kind: 'IdempotencyConflict',
    })
  })

  test('does not depend on the spelling of the input', async () => {
    const { create } = openShop()
    const input = { preferredShippingOption: PRODUCT, idempotencyKey: 'k' }
    await create({ ...input, reference: ' order 7 ' })
    const rates = parcelInput({ from: { country: 'nl', city: '' } })
    expect(await create({ ...input, rates, reference: 'order 7', contentItems: [] })).toMatchObject({
      alreadyCreated: true,
    })
  })

  test('is not used by a request that creates nothing', async () => {
    const { now, see, create } = openShop()
    const { token } = see()
    now.ms += 31 * MINUTE_MS
    expect(await create({ optionToken: token, idempotencyKey: 'k' })).toMatchObject({ kind: 'OptionExpired' })
    expect(await create({ optionToken: see().token, idempotencyKey: 'k' })).toMatchObject({
      kind: 'DraftShipmentCreated',
      alreadyCreated: false,
    })
  })

  test('works although the account has reached its quota with that draft', async () => {
    const { ports, create } = openShop()
    Object.assign(ports, { draftTerms: { ...ports.draftTerms, countMax: 1 } })
    const input = { preferredShippingOption: PRODUCT, idempotencyKey: 'k' }
    await create(input)
    expect(await create({ ...input, idempotencyKey: 'other' })).toMatchObject({ kind: 'DraftQuotaExceeded' })
    expect(await create(input)).toMatchObject({ alreadyCreated: true })
  })

  test.each(['k', 'x'.repeat(64), ' ~', 'a b'])('may be %j', async (idempotencyKey) => {
    const outcome = await openShop().create({ preferredShippingOption: PRODUCT, idempotencyKey })
    expect(outcome.kind).toBe('DraftShipmentCreated')
  })

  test.each([
    ['', 'MALFORMED'],
    ['x'.repeat(65), 'TOO_LONG'],
    ['a\nb', 'MALFORMED'],
    ['\u0000', 'MALFORMED'],
    ['é', 'MALFORMED'],
    [7, 'WRONG_TYPE'],
  ])('may not be %j', async (idempotencyKey, code) => {
    const { create, drafts } = openShop()
    const outcome = await create({ preferredShippingOption: PRODUCT, idempotencyKey })
    expect(fieldsOf(outcome)).toEqual([['idempotencyKey', code]])
    expect(drafts.size).toBe(0)
  })
})
