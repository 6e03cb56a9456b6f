/** Storing a rate option as a draft. */
import { expect, test } from 'vitest'
import { createDraftShipment } from '../../src/operations/create-draft-shipment.ts'
import type { ReferenceData } from '../../src/operations/ports/ports.ts'
import { DRAFT_TERMS } from '../support/app/draft-terms.ts'
import {
  demoRateBook,
  ORDINARY_DAY,
  optionOf,
  parcelInput,
  quoteInput,
} from '../support/rates/demo-rate-book.ts'
import { NO_RATES } from '../support/rates/exchange-rates.ts'
import { shipmentWorld } from './shipment-world.ts'

const ACME = { accountId: 'acme' }
const book = demoRateBook()
const reference: ReferenceData = { rateBook: () => book, customsTables: () => NO_RATES }

const input = (rates: object = {}, more: object = {}) => ({
  rates: parcelInput(rates),
  preferredShippingOption: '1201',
  ...more,
})

function ports() {
  const world = shipmentWorld([], async () => ({ kind: 'unknown', cause: 'not asked' }))
  return { ...world.process(), reference, clock: () => new Date(`${ORDINARY_DAY}T12:00:00Z`), world }
}

test('stores the option with its price, route and parcels', async () => {
  const at = ports()
  const outcome = await createDraftShipment(at, ACME, input())
  if (outcome.kind !== 'DraftShipmentCreated') throw new Error(outcome.message)
  const priceCents = optionOf(quoteInput(parcelInput()), 1201)?.priceCents
  expect(outcome.shipment).toMatchObject({
    shipmentId: outcome.shipmentId,
    state: 'draft',
    productId: 1201,
    carrierCode: 'rondeel',
    priceCents,
    from: { country: 'NL' },
    to: { country: 'ES' },
  })
  expect(at.world.shipments.get(outcome.shipmentId)).toMatchObject({
    accountId: 'acme',
    draft: {
      rateCardVersion: 'demo@1',
      parcelType: 'NONDOC',
      parcels: [{ count: 1, weightGrams: 5000, lengthCm: 40, widthCm: 30, heightCm: 20 }],
      recipient: 'business',
    },
  })
})

test('refuses a product that was declined, with its reason', async () => {
  const heavy = parcelInput({
    parcels: [{ type: 'NONDOC', weight: 60, length: 40, width: 30, height: 20, count: 1 }],
  })
  expect(await createDraftShipment(ports(), ACME, { ...input(), rates: heavy })).toEqual({
    kind: 'OptionNotAvailable',
    code: 'OPTION_NOT_AVAILABLE',
    message:
      'Rondeel Parcel Classic is not offered for this request: The unit weight is 60 kg; the limit is 31.5 kg',
    retryable: false,
    declined: {
      product: expect.objectContaining({ productId: 1201 }),
      decline: expect.objectContaining({ code: 'OVER_WEIGHT' }),
    },
  })
})

test.each(['9999', 'abc', '1e3', ' 1201', '12010000000000'])('refuses the option "%s"', async (option) => {
  expect(
    await createDraftShipment(ports(), ACME, input({}, { preferredShippingOption: option })),
  ).toMatchObject({
    kind: 'OptionNotAvailable',
    message: 'There is no such shipping option',
  })
})

test('reports the faults of a request as for rates', async () => {
  const outcome = await createDraftShipment(ports(), ACME, input({ to: {} }))
  expect(outcome).toMatchObject({ kind: 'InputProblem', fields: [{ path: ['rates', 'to', 'country'] }] })
})

test.each(['', '  '])('reports a missing option (%j) together with the other faults', async (option) => {
  const at = (rates: object) =>
    createDraftShipment(ports(), ACME, input(rates, { preferredShippingOption: option, reference: '\u0000' }))
  const missing = { path: ['preferredShippingOption'], code: 'REQUIRED' }
  expect(await at({ to: {} })).toMatchObject({
    fields: [{ path: ['rates', 'to', 'country'] }, missing, { path: ['reference'] }],
  })
  expect(
    await createDraftShipment(ports(), ACME, input({}, { preferredShippingOption: option })),
  ).toMatchObject({
    kind: 'InputProblem',
    fields: [missing],
  })
})

test('reports an option that does not exist together with the other faults', async () => {
  const fields = async (option: string) => {
    const outcome = await createDraftShipment(
      ports(),
      ACME,
      input({ to: {} }, { preferredShippingOption: option }),
    )
    return outcome.kind === 'InputProblem'
      ? outcome.fields.map(({ path, code }) => [path.join('.'), code])
      : []
  }
  const country = ['rates.to.country', 'REQUIRED']
  expect(await fields('9999')).toEqual([country, ['preferredShippingOption', 'UNKNOWN_VALUE']])
  expect(await fields('1201')).toEqual([country])
})

test('refuses an option with the price of another day', async () => {
  const outcome = await createDraftShipment(ports(), ACME, input({ asOf: '2026-01-02T00:00:00Z' }))
  expect(outcome).toMatchObject({
    kind: 'InputProblem',
    fields: [{ path: ['rates', 'asOf'], code: 'CONFLICT' }],
  })
})

const GOODS = { description: 'cotton t-shirt', numberOfItems: 3, cost: '12.5', weight: '0.2' }

test('stores the reference without blanks at its ends, and the content items', async () => {
  const at = ports()
  const outcome = await createDraftShipment(
    at,
    ACME,
    input({}, { reference: ' PO-7 \t', contentItems: [GOODS] }),
  )
  if (outcome.kind !== 'DraftShipmentCreated') throw new Error(outcome.message)
  expect(at.world.shipments.get(outcome.shipmentId)?.draft).toMatchObject({
    reference: 'PO-7',
    contentItems: [
      { description: 'cotton t-shirt', numberOfItems: 3, costSteps: 12_500_000, weightGrams: 200 },
    ],
  })
})

test.each([
  {},
  { reference: null, contentItems: null },
  { reference: '  ', contentItems: [] },
])('stores a draft without reference and content items for %j', async (more) => {
  const at = ports()
  const outcome = await createDraftShipment(at, ACME, input({}, more))
  if (outcome.kind !== 'DraftShipmentCreated') throw new Error(outcome.message)
  const draft = at.world.shipments.get(outcome.shipmentId)?.draft
  expect(draft).not.toHaveProperty('reference')
  expect(draft).not.toHaveProperty('contentItems')
})

test('reports the faults of the rates, the selection, the reference and the content items together', async () => {
  const outcome = await createDraftShipment(
    ports(),
    ACME,
    input(
      { to: {} },
      {
        selection: { filter: { products: ['1201'] } },
        reference: 'x'.repeat(101),
        contentItems: [GOODS, { ...GOODS, numberOfItems: 0 }],
      },
    ),
  )
  expect(outcome).toMatchObject({
    kind: 'InputProblem',
    fields: [
      { path: ['rates', 'to', 'country'] },
      { path: ['rates', 'filter'] },
      { path: ['reference'], code: 'TOO_LONG', message: 'must have at most 100 characters' },
      { path: ['contentItems', 1, 'numberOfItems'] },
    ],
  })
})

test.each(['a\u0000b', 'a\u001b[2J', '\ud800'])('refuses the reference %j', async (reference) => {
  expect(await createDraftShipment(ports(), ACME, input({}, { reference }))).toMatchObject({
    kind: 'InputProblem',
    fields: [{ path: ['reference'], code: 'MALFORMED' }],
  })
})

test('refuses another draft when the account has reached its limit, and does not store it', async () => {
  const at = { ...ports(), draftTerms: { ...DRAFT_TERMS, countMax: 2 } }
  for (let number = 0; number < 2; number += 1)
    expect((await createDraftShipment(at, ACME, input())).kind).toBe('DraftShipmentCreated')
  expect(await createDraftShipment(at, ACME, input())).toMatchObject({
    kind: 'DraftQuotaExceeded',
    code: 'QUOTA_EXCEEDED',
    retryable: false,
  })
  expect(at.world.shipments.size).toBe(2)
  expect((await createDraftShipment(at, { accountId: 'other' }, input())).kind).toBe('DraftShipmentCreated')
})
