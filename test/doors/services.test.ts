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
    readonly slot: string | null
    readonly requiredInput: string | null
    readonly maxAmount: { readonly amount: string } | null
    readonly price: { readonly amount: string } | null
  }[]
}
type Declined = { readonly product: { readonly id: string }; readonly service: string | null }
type Quote = { readonly options: readonly Option[]; readonly declined: readonly Declined[] }

const QUOTE = `query ($input: RatesInput!) {
  rates(input: $input) {
    ... on RateQuote {
      options {
        token product { id } price { amount } breakdown { kind name amount { amount } }
        availableServices { service slot requiredInput maxAmount { amount } price { amount } priceIn(currency: "EUR") { amount amountWithVat } }
      }
      declined { product { id } code service message }
    }
    ... on InputProblem { fields { path code message } }
  }
}`

const BOX = { weightKg: '5', lengthCm: 40, widthCm: 30, heightCm: 20, count: 1 }
type Chosen = string | { readonly service: string; readonly slot?: string | null }

const entryOf = (service: Chosen) => (typeof service === 'string' ? { service } : service)
const within = (services?: readonly Chosen[]) => ({
  ...{ from: { country: 'NL' }, to: { country: 'NL' }, recipientType: 'BUSINESS' },
  parcels: { boxes: [BOX] },
  ...(services && { services: services.map(entryOf) }),
})

async function rates(services?: readonly Chosen[]): Promise<Quote> {
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
        for (const { service, slot, price } of option.availableServices) {
          if (price === null) continue
          const entry = { service, slot }
          const chosen = option.breakdown.some(({ kind }) => kind === 'SERVICE')
            ? ['SIGNATURE', entry]
            : [entry]
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
    const services = optionFor(await rates(), '1201').availableServices
    expect(services.find(({ service }) => service === 'SIGNATURE')).toEqual({
      ...{ service: 'SIGNATURE', slot: null, requiredInput: null, maxAmount: null },
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

  test('lists a slot with its price, and cash on delivery with its maximum', async () => {
    const services = optionFor(await rates(), '1201').availableServices
    expect(services.filter(({ requiredInput }) => requiredInput !== null)).toEqual([
      // 2.25 with fuel.
      {
        ...{ service: 'TIME_SLOT', slot: 'evening', requiredInput: 'SLOT', maxAmount: null },
        ...{ price: { amount: '2.47' }, priceIn: { amount: '2.47', amountWithVat: '2.99' } },
      },
      {
        ...{ service: 'CASH_ON_DELIVERY', slot: null, requiredInput: 'CASH_ON_DELIVERY' },
        ...{ maxAmount: { amount: '2500.00' }, price: null, priceIn: null },
      },
    ])
  })

  const COLLECTED = {
    service: 'CASH_ON_DELIVERY',
    cashOnDelivery: { amount: '1000', currency: 'EUR' },
  }
  const EVENING = { service: 'TIME_SLOT', slot: 'evening' }
  const BATTERIES = {
    service: 'DANGEROUS_GOODS',
    dangerousGoods: [{ unNumber: 'UN3481', hazardClass: 'CLASS_9', netWeightKg: '0.4', packages: 1 }],
  }

  test('prices services with their inputs, and declines a slot that is not offered', async () => {
    const priced = optionFor(await rates([COLLECTED, EVENING]), '1201')
    expect(priced.breakdown.filter(({ kind }) => kind === 'SERVICE')).toEqual([
      { kind: 'SERVICE', name: 'Delivery in the evening', amount: { amount: '2.25' } },
      { kind: 'SERVICE', name: 'Cash on delivery', amount: { amount: '15.00' } },
    ])
    expect(optionFor(await rates([BATTERIES]), '1101').breakdown).toContainEqual({
      ...{ kind: 'SERVICE', name: 'Lithium batteries', amount: { amount: '4.50' } },
    })
    const { declined } = await rates([{ ...EVENING, slot: 'night' }])
    expect(declined.find(({ product }) => product.id === '1201')).toMatchObject({
      ...{ code: 'SERVICE_NOT_OFFERED', service: 'TIME_SLOT' },
      message: 'Delivery in the evening is offered in the slots evening only',
    })
  })

  test('names the field of an input that is missing, misplaced or wrong', async () => {
    const { data } = await app.graphql(QUOTE, {
      input: within([
        { service: 'CASH_ON_DELIVERY' },
        { ...COLLECTED, service: 'SIGNATURE' },
        { service: 'DANGEROUS_GOODS', dangerousGoods: [{ unNumber: '3480' }] },
      ] as Chosen[]),
    })
    expect(data?.['rates']).toEqual({
      fields: [
        {
          ...{ path: ['services', '0', 'cashOnDelivery'], code: 'REQUIRED' },
          message: 'required for CASH_ON_DELIVERY',
        },
        {
          ...{ path: ['services', '1', 'cashOnDelivery'], code: 'CONFLICT' },
          message: 'must be left out for SIGNATURE',
        },
        {
          ...{ path: ['services', '2', 'dangerousGoods', '0', 'unNumber'], code: 'MALFORMED' },
          message: 'must be a UN number such as UN3480',
        },
      ],
    })
  })

  const CREATE = `mutation ($input: CreateDraftShipmentInput!) { createDraftShipment(input: $input) { __typename
    ... on DraftShipmentCreated { shipment { id price { amount } services { service slot
      cashOnDelivery { amount currency }
      dangerousGoods { unNumber hazardClass packingGroup limitedQuantity netWeightKg packages } } } }
    ... on InputProblem { fields { path code } } } }`

  test('creates and books a draft from a token with the same inputs only', async () => {
    const { token, price } = optionFor(await rates([COLLECTED, EVENING]), '1201')
    const create = async (services: readonly Chosen[]) => {
      const input = { rates: within(services), optionToken: token }
      return (await app.graphql(CREATE, { input })).data?.['createDraftShipment']
    }
    const lower = { ...COLLECTED, cashOnDelivery: { amount: '10', currency: 'EUR' } }
    for (const others of [[lower, EVENING], [COLLECTED], [COLLECTED, { ...EVENING, slot: 'night' }]])
      expect(await create(others)).toEqual({
        __typename: 'InputProblem',
        fields: [{ path: ['rates', 'services'], code: 'CONFLICT' }],
      })
    const same = { ...COLLECTED, cashOnDelivery: { amount: '1000.00', currency: 'EUR' } }
    const none = { slot: null, cashOnDelivery: null, dangerousGoods: [] }
    const { shipment } = (await create([EVENING, same])) as { shipment: { id: string } }
    expect(shipment).toEqual({
      ...{ id: expect.any(String), price },
      services: [
        { ...none, ...EVENING },
        { ...none, ...same },
      ],
    })
    const booked = await app.graphql(
      `mutation ($id: ID!) { bookShipment(input: { shipmentId: $id }) { __typename } }`,
      { id: shipment.id },
    )
    expect(booked.data?.['bookShipment']).toEqual({ __typename: 'ShipmentBooked' })
  })

  test('stores the dangerous goods of a draft', async () => {
    const input = { rates: within([BATTERIES]), preferredShippingOption: '1101' }
    const created = (await app.graphql(CREATE, { input })).data?.['createDraftShipment']
    expect(created).toMatchObject({
      shipment: {
        services: [
          {
            service: 'DANGEROUS_GOODS',
            dangerousGoods: [
              {
                ...{ unNumber: 'UN3481', hazardClass: 'CLASS_9', packingGroup: null },
                ...{ limitedQuantity: false, netWeightKg: '0.4', packages: 1 },
              },
            ],
          },
        ],
      },
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

  test('does not book a draft of a former version whose amount to collect is not known', async () => {
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

test('REST ignores services, their inputs and the freight class, and has the prices without them', async () => {
  const body = {
    ...{ fromCountry: 'NL', toCountry: 'NL', insured: false, recipientType: 'business' },
    parcels: [{ type: 'NONDOC', count: 1, weight: 5, length: 40, width: 30, height: 20 }],
  }
  const plain = await app.rest('/rates', body)
  const collected = { service: 'CASH_ON_DELIVERY', cashOnDelivery: { amount: '-1', currency: 'none' } }
  const [parcel] = body.parcels
  const ignored = [
    { services: ['SIGNATURE', 'SUNDAY'] },
    { services: [collected], serviceInputs: { slots: { TIME_SLOT: 'evening' } } },
    { parcels: [{ ...parcel, freightClass: '77', shape: 'TUBE', packaging: 'none' }] },
  ]
  expect(plain.status).toBe(200)
  for (const fields of ignored) {
    const asking = await app.rest('/rates', { ...body, ...fields })
    expect([asking.status, asking.text]).toEqual([plain.status, plain.text])
  }
})
