/** Services of the demo card from the quote to the booking: what is offered, what it costs, and what is stored. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../support/app/test-app.ts'

/** A Thursday. */
const clock = () => new Date('2026-10-01T12:00:00Z')

let app: TestApp
beforeAll(async () => {
  app = await openTestApp({}, clock)
})
afterAll(() => app.close())

type Option = {
  readonly token: string
  readonly product: { readonly id: string }
  readonly price: { readonly amount: string }
  readonly breakdown: readonly {
    readonly kind: string
    readonly name: string
    readonly amount: { readonly amount: string }
  }[]
  readonly availableServices: readonly {
    readonly service: string
    readonly price: { readonly amount: string }
  }[]
}
type Declined = { readonly product: { readonly id: string }; readonly service: string | null }
type Quote = { readonly options: readonly Option[]; readonly declined: readonly Declined[] }

const QUOTE = `query ($input: RatesInput!) {
  rates(input: $input) {
    ... on RateQuote {
      options {
        token product { id } price { amount } breakdown { kind name amount { amount } }
        availableServices { service price { amount } priceIn(currency: "EUR") { amount amountWithVat } }
      }
      declined { product { id } code service message }
    }
    ... on InputProblem { fields { path code message } }
  }
}`

const BOX = { weightKg: '5', lengthCm: 40, widthCm: 30, heightCm: 20, count: 1 }
const within = (services?: readonly string[]) => ({
  ...{ from: { country: 'NL' }, to: { country: 'NL' }, recipientType: 'BUSINESS' },
  parcels: { boxes: [BOX] },
  ...(services && { services: services.map((service) => ({ service })) }),
})

async function rates(services?: readonly string[]): Promise<Quote> {
  const { data, errors } = await app.graphql(QUOTE, { input: within(services) })
  expect(errors).toBeUndefined()
  return data?.['rates'] as Quote
}

const cents = (amount: string): number => Math.round(Number(amount) * 100)
const optionFor = ({ options }: Quote, id: string): Option =>
  options.find(({ product }) => product.id === id)!

describe('GraphQL', () => {
  test('has the price of each service that can be added, which is what a request with it costs more', async () => {
    let added = 0
    for (const before of [await rates(), await rates(['SIGNATURE'])])
      for (const option of before.options)
        for (const { service, price } of option.availableServices) {
          const chosen = option.breakdown.some(({ kind }) => kind === 'SERVICE')
            ? ['SIGNATURE', service]
            : [service]
          const after = optionFor(await rates(chosen), option.product.id)
          expect(cents(after.price.amount) - cents(option.price.amount)).toBe(cents(price.amount))
          expect(after.breakdown.reduce((sum, { amount }) => sum + cents(amount.amount), 0)).toBe(
            cents(after.price.amount),
          )
          added++
        }
    expect(added).toBeGreaterThan(5)
  })

  test('states the VAT of the route', async () => {
    const [signature] = optionFor(await rates(), '1201').availableServices
    expect(signature).toEqual({
      service: 'SIGNATURE',
      price: { amount: '1.10' },
      priceIn: { amount: '1.10', amountWithVat: '1.33' },
    })
  })

  test('declines products that do not offer the services, with the service', async () => {
    const { options, declined } = await rates(['SATURDAY', 'SIGNATURE'])
    expect(options.map(({ product }) => product.id).sort()).toEqual(['1101', '1202'])
    expect(
      optionFor({ options, declined }, '1202').breakdown.map(({ kind, name, amount }) => [
        kind,
        name,
        amount.amount,
      ]),
    ).toEqual([
      ['BASE', 'Freight', expect.any(String)],
      ['SERVICE', 'Saturday delivery', '6.50'],
      ['SERVICE', 'Signature', '1.10'],
      ['FUEL', 'Fuel surcharge', expect.any(String)],
      ['OTHER', 'Toll', '0.21'],
    ])
    expect(declined.find(({ product }) => product.id === '1201')).toEqual({
      product: { id: '1201' },
      ...{ code: 'SERVICE_NOT_OFFERED', service: 'SATURDAY' },
      message: 'Saturday delivery is not offered with this product',
    })
    expect(declined.find(({ product }) => product.id === '1501')?.service).toBeNull()
    const alone = await rates(['SATURDAY'])
    expect(alone.declined.find(({ product }) => product.id === '1202')).toMatchObject({
      message: 'Saturday delivery is offered together with Signature only',
    })
  })

  test('refuses more services than there are', async () => {
    const { data } = await app.graphql(QUOTE, {
      input: within(Array.from({ length: 10 }, () => 'SIGNATURE')),
    })
    expect(data?.['rates']).toEqual({
      fields: [{ path: ['services'], code: 'TOO_MANY', message: 'must have at most 9 entries' }],
    })
  })

  test('stores the services of a draft, and books it with them', async () => {
    const { token, price } = optionFor(await rates(['SIGNATURE', 'SATURDAY']), '1202')
    const draft = await app.graphql(
      `mutation ($input: CreateDraftShipmentInput!) { createDraftShipment(input: $input) { __typename
        ... on DraftShipmentCreated { shipment { id services { service slot } price { amount } } } } }`,
      { input: { rates: within(['SATURDAY', 'SIGNATURE']), optionToken: token } },
    )
    const { shipment } = draft.data?.['createDraftShipment'] as { shipment: { id: string } }
    expect(shipment).toEqual({
      id: expect.any(String),
      services: [
        { service: 'SATURDAY', slot: null },
        { service: 'SIGNATURE', slot: null },
      ],
      price,
    })
    const booked = await app.graphql(
      `mutation ($id: ID!) { bookShipment(input: { shipmentId: $id }) { __typename
        ... on ShipmentBooked { shipment { services { service } state } } } }`,
      { id: shipment.id },
    )
    expect(booked.data?.['bookShipment']).toEqual({
      __typename: 'ShipmentBooked',
      shipment: { services: [{ service: 'SATURDAY' }, { service: 'SIGNATURE' }], state: 'BOOKED' },
    })
  })

  test('does not book a draft with a service that the carrier is not told', async () => {
    await app.clone.db
      .updateTable('shipment')
      .set({ services: ['CASH_ON_DELIVERY'] })
      .where('shipment_id', '=', 'demo-draft')
      .execute()
    const { data } =
      await app.graphql(`mutation { bookShipment(input: { shipmentId: "demo-draft" }) { __typename
      ... on ShipmentNotBooked { code message carrierRefusalCode carrierReason retryable shipment { state } } } }`)
    expect(data?.['bookShipment']).toEqual({
      __typename: 'ShipmentNotBooked',
      ...{ code: 'NOT_BOOKABLE', carrierRefusalCode: 'SERVICE_NOT_OFFERED', retryable: false },
      message: 'Waybill cannot pass CASH_ON_DELIVERY on to this carrier; nothing was sent',
      carrierReason: null,
      shipment: { state: 'DRAFT' },
    })
  })
})

test('REST ignores the field, and has the prices without services', async () => {
  const body = {
    ...{ fromCountry: 'NL', toCountry: 'NL', insured: false, recipientType: 'business' },
    parcels: [{ type: 'NONDOC', count: 1, weight: 5, length: 40, width: 30, height: 20 }],
  }
  const plain = await app.rest('/rates', body)
  const asking = await app.rest('/rates', { ...body, services: ['SIGNATURE', 'SUNDAY'] })
  expect(plain.status).toBe(200)
  expect([asking.status, asking.text]).toEqual([plain.status, plain.text])
})
