/** What API keys may do, through both doors: scopes, expiry, last use, publishable keys and checkout tokens. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SCOPES, type Scope } from '../../src/operations/ports/key-rules.ts'
import { checkoutTokens } from '../../src/store/accounts/checkout-tokens.ts'
import { openCredentialStore } from '../../src/store/accounts/credentials.ts'
import {
  createKey,
  createPublishableKey,
  type KeyProperties,
  listKeys,
  type PublishableKeyProperties,
  renewCheckoutSecret,
} from '../../src/store/accounts/keys.ts'
import { addRegistration } from '../../src/store/accounts/registrations.ts'
import { setContract } from '../../src/store/rate-cards/contracts.ts'
import { openTestApp, TEST_CLOCK, type TestApp } from '../support/app/test-app.ts'

const ORIGIN = 'https://shop.example'
const ACCOUNT = 'other-shop'

let now = TEST_CLOCK()
let app: TestApp
beforeAll(async () => {
  const environment = { WAYBILL_TRUSTED_PROXIES: '127.0.0.1', WAYBILL_AUTH_FAILURES_PER_MINUTE: '1000' }
  app = await openTestApp(environment, () => now, {
    prepare: async (db) => {
      const terms = { accountId: ACCOUNT, validFrom: '2026-01-01', fuelBps: 0 }
      await setContract(db, { ...terms, freightBps: -2_000, hidden: false })
      await setContract(db, { ...terms, productId: 1201, freightBps: 0, hidden: true })
    },
  })
})
afterAll(() => app.close())

/** The header value of a new key with a secret. */
async function secretKey(properties?: KeyProperties): Promise<string> {
  const issued = await createKey(app.clone.db, ACCOUNT, properties)
  return `${issued?.keyId}@${issued?.secret}`
}

async function publishableKey(properties: Partial<PublishableKeyProperties> = {}): Promise<string> {
  const keyId = await createPublishableKey(app.clone.db, ACCOUNT, {
    scopes: ['rates', 'duties'],
    origins: [ORIGIN],
    addressRequestsPerMinute: 1_000,
    needsCheckoutToken: false,
    ...properties,
  })
  return keyId ?? ''
}

type Headers = Readonly<Record<string, string>>

const fromPage = (key: string, headers: Headers = {}): Headers => ({
  'x-pp-api': key,
  origin: ORIGIN,
  ...headers,
})

async function ask(query: string, headers: Headers, variables: object = {}) {
  const reply = await app.app.server.inject({
    method: 'POST',
    url: '/graphql',
    headers: { 'content-type': 'application/json', ...headers },
    payload: JSON.stringify({ query, variables }),
  })
  // biome-ignore lint/suspicious/noExplicitAny: the tests compare what they read.
  return { status: reply.statusCode, headers: reply.headers, ...(JSON.parse(reply.body) as any) }
}

const RATES_BODY = {
  fromCountry: 'NL',
  toCountry: 'DE',
  parcels: [{ type: 'NONDOC', count: 1, weight: 5, length: 30, width: 20, height: 10 }],
}
const DUTIES_BODY = {
  fromCountry: 'NL',
  toCountry: 'GB',
  contentItems: [{ description: 'cotton t-shirt', numberOfItems: 1, cost: 20, tariff: '610910' }],
}

const RATES = {
  from: { country: 'NL' },
  to: { country: 'DE' },
  parcels: { boxes: [{ weightKg: '5', lengthCm: 30, widthCm: 20, heightCm: 10 }] },
}
const ITEMS = [{ description: 'cotton t-shirt', count: 1, value: { amount: '20' }, hsCode: '610910' }]

const RATES_QUERY = `query ($input: RatesInput!) { rates(input: $input) { ... on RateQuote {
  options { product { id } price { amount } listPrice { amount } breakdown { kind amount { amount } } }
  declined { code }
} ... on InputProblem { fields { path code } } } }`

const LANDED_QUERY = `query ($input: LandedCostInput!) { landedCost(input: $input) {
  ... on LandedCost { options { total { amount } } } ... on InputProblem { fields { path } } } }`

describe('scopes', () => {
  /** For each operation, the scopes that it needs. */
  const GRAPHQL: readonly [field: string, query: string, variables: object, needed: readonly Scope[]][] = [
    ['Query.rates', RATES_QUERY, { input: RATES }, ['rates']],
    [
      'Query.ratesBatch',
      'query ($inputs: [RatesInput!]!) { ratesBatch(inputs: $inputs) { __typename } }',
      { inputs: [RATES] },
      ['rates'],
    ],
    ['Query.carriers', '{ carriers { id } }', {}, []],
    ['Query.carrier', '{ carrier(id: "rondeel") { id } }', {}, []],
    ['Query.product', '{ product(id: "1201") { id } }', {}, []],
    [
      'Query.dutiesEstimate',
      'query ($input: DutiesEstimateInput!) { dutiesEstimate(input: $input) { __typename } }',
      { input: { from: { country: 'NL' }, to: { country: 'GB' }, contentItems: ITEMS } },
      ['duties'],
    ],
    ['Query.classify', '{ classify(description: "cotton t-shirt") { __typename } }', {}, ['duties']],
    [
      'Query.customsDeclaration',
      'query ($input: CustomsDeclarationInput!) { customsDeclaration(input: $input) { __typename } }',
      {
        input: {
          from: { country: 'NL' },
          to: { country: 'GB' },
          category: 'GIFT',
          items: ITEMS.map((goods) => ({ goods })),
        },
      },
      ['duties'],
    ],
    ['Query.keptEstimate', '{ keptEstimate(id: "none") { id } }', {}, ['duties']],
    ['Query.sellerRegistrations', '{ sellerRegistrations { scheme } }', {}, ['duties']],
    ['Query.customsCoverage', '{ customsCoverage(countries: ["NL"]) { __typename } }', {}, ['duties']],
    ['Query.landedCost', LANDED_QUERY, { input: { rates: RATES, contentItems: ITEMS } }, ['rates', 'duties']],
    ['Query.shipment', '{ shipment(id: "none") { id } }', {}, ['shipments:read']],
    ['Query.shipments', '{ shipments { __typename } }', {}, ['shipments:read']],
    ['Query.webhookEndpoints', '{ webhookEndpoints { id } }', {}, ['webhooks']],
    ['Query.webhookEndpoint', '{ webhookEndpoint(id: "none") { id } }', {}, ['webhooks']],
    ['Query._service', '{ _service { sdl } }', {}, []],
    [
      'Query._entities',
      '{ _entities(representations: [{ __typename: "Carrier", id: "rondeel" }]) { __typename } }',
      {},
      ['shipments:read'],
    ],
    [
      'Mutation.saveEstimate',
      'mutation ($input: SaveEstimateInput!) { saveEstimate(input: $input) { __typename } }',
      { input: { estimate: { from: { country: 'NL' }, to: { country: 'GB' }, contentItems: [] } } },
      ['duties'],
    ],
    [
      'Mutation.createDraftShipment',
      `mutation ($input: CreateDraftShipmentInput!) { createDraftShipment(input: $input) { __typename } }`,
      { input: { rates: RATES, preferredShippingOption: 'none' } },
      ['shipments:write'],
    ],
    [
      'Mutation.bookShipment',
      'mutation { bookShipment(input: { shipmentId: "none" }) { __typename } }',
      {},
      ['shipments:write'],
    ],
    [
      'Mutation.cancelShipment',
      'mutation { cancelShipment(input: { shipmentId: "none" }) { __typename } }',
      {},
      ['cancel'],
    ],
    [
      'Mutation.replayWebhook',
      'mutation { replayWebhook(input: { endpointId: "none" }) { __typename } }',
      {},
      ['webhooks'],
    ],
    [
      'Mutation.createCheckoutToken',
      'mutation ($input: CreateCheckoutTokenInput!) { createCheckoutToken(input: $input) { __typename } }',
      { input: { publishableKey: 'none', rates: RATES } },
      ['rates'],
    ],
  ]
  const keys = new Map<Scope, string>()
  let unrestricted = ''
  beforeAll(async () => {
    for (const scope of SCOPES) keys.set(scope, await secretKey({ scopes: [scope] }))
    unrestricted = await secretKey()
  })

  test.each(GRAPHQL)('%s needs its scopes', async (field, query, variables, needed) => {
    const all = await ask(query, { 'x-pp-api': unrestricted }, variables)
    expect(all.errors).toBeUndefined()
    expect(all.status).toBe(200)
    for (const [scope, key] of keys) {
      const missing = needed.filter((name) => name !== scope)
      const answer = await ask(query, { 'x-pp-api': key }, variables)
      expect(answer.status, `${field} with ${scope}`).toBe(missing.length === 0 ? 200 : 403)
      const errors = (answer.errors ?? []) as { message: string; extensions: object }[]
      expect(errors.map(({ extensions }) => extensions)).toEqual(
        missing.map((name) => ({ code: 'FORBIDDEN', scope: name, field, requestId: expect.any(String) })),
      )
      for (const { message } of errors)
        expect(message).toMatch(/^The API key lacks the scope "[a-z:]+", which [A-Za-z_.]+ needs$/)
      if (missing.length > 0) expect(answer).not.toHaveProperty('data')
    }
  })

  test.each([
    ['/rates', RATES_BODY, 'rates', { errors: true, message: '…', data: [] }],
    [
      '/duties-taxes-estimate',
      DUTIES_BODY,
      'duties',
      { hasErrors: true, message: '…', taxDetails: [], estimate: 0, hsCode: '' },
    ],
    ['/shipments/none/cancel', undefined, 'cancel', { cancelled: false, message: '…' }],
  ] as const)('%s through REST needs its scope, in the error body of the endpoint', async (path, body, needed, fault) => {
    for (const [scope, key] of keys) {
      const { status, json } = await app.rest(path, body, { 'x-pp-api': key })
      if (scope === needed) expect([200, 404]).toContain(status)
      else {
        expect(status).toBe(403)
        expect(json).toEqual({ ...fault, message: `The API key lacks the scope "${needed}"` })
      }
    }
  })

  test('count also in fragments, with aliases, and in compiled queries', async () => {
    const key = await secretKey({ scopes: ['rates'] })
    const query = `query Q { ...Lists } fragment Lists on Query { mine: shipments { __typename } }`
    for (let time = 0; time < 5; time++)
      expect((await ask(query, { 'x-pp-api': unrestricted })).status).toBe(200)
    const { status, errors } = await ask(query, { 'x-pp-api': key })
    expect(status).toBe(403)
    expect(errors[0].extensions).toMatchObject({ scope: 'shipments:read', field: 'Query.shipments' })
  })

  test('of the operation that is executed count, not those of others in the document', async () => {
    const key = await secretKey({ scopes: ['rates'] })
    const reply = await app.app.server.inject({
      method: 'POST',
      url: '/graphql',
      headers: { 'content-type': 'application/json', 'x-pp-api': key },
      payload: {
        query: 'query A { carriers { id } } query B { shipments { __typename } }',
        operationName: 'A',
      },
    })
    expect(reply.statusCode).toBe(200)
  })
})

describe('a key', () => {
  test('with an end is refused from that time on, by the clock of the service', async () => {
    const end = new Date(now.getTime() + 60_000)
    const key = await secretKey({ expiresAt: end })
    const page = await publishableKey({ expiresAt: end })
    const statuses = async () => [
      (await app.rest('/rates', RATES_BODY, { 'x-pp-api': key })).status,
      (await ask('{ carriers { id } }', fromPage(page))).status,
    ]
    expect(await statuses()).toEqual([200, 200])
    const before = now
    now = new Date(end.getTime() - 1)
    expect(await statuses()).toEqual([200, 200])
    now = end
    expect(await statuses()).toEqual([401, 401])
    now = before
  })

  test('has its own limit of requests, which the headers show', async () => {
    const key = await secretKey({ requestsPerMinute: 2 })
    const statuses = []
    for (let request = 0; request < 3; request++) {
      const { status, headers } = await app.rest('/rates', RATES_BODY, { 'x-pp-api': key })
      expect(headers['ratelimit-policy']).toBe('2;w=60, 10000;w=60')
      statuses.push(status)
    }
    expect(statuses).toEqual([200, 200, 429])
  })
})

describe('a publishable key', () => {
  test('works on pages of its origins only', async () => {
    const key = await publishableKey({ origins: [ORIGIN, 'http://localhost:5173'] })
    const statusOf = async (headers: Headers) =>
      (await app.rest('/rates', RATES_BODY, { 'x-pp-api': key, ...headers })).status
    expect(await statusOf({ origin: ORIGIN })).toBe(200)
    expect(await statusOf({ origin: 'http://localhost:5173' })).toBe(200)
    for (const origin of [
      'http://shop.example',
      'https://shop.example:8443',
      'https://shop.example/',
      'https://SHOP.example',
      'https://a.shop.example',
      'https://shop.example.evil.example',
      'null',
      '',
      `${ORIGIN}, ${ORIGIN}`,
    ])
      expect(await statusOf({ origin }), origin).toBe(403)
    // As a stolen key from a program.
    const stolen = await app.rest('/rates', RATES_BODY, { 'x-pp-api': key })
    expect(stolen.status).toBe(403)
    expect(stolen.json).toEqual({
      errors: true,
      message: 'The API key may not be used for this request',
      data: [],
    })
    const graphql = await ask('{ carriers { id } }', { 'x-pp-api': key })
    expect([graphql.status, graphql.errors[0].extensions.code]).toEqual([403, 'FORBIDDEN'])
  })

  test('is not accepted with a secret, and a key with secrets not without one', async () => {
    const key = await publishableKey()
    const [secretId] = (await secretKey()).split('@')
    for (const header of [`${key}@`, `${key}@x`, `${key}@${key}`, secretId ?? '', 'pk_00000000000000000'])
      expect((await ask('{ carriers { id } }', fromPage(header))).status).toBe(401)
  })

  test('sees no shipments and changes nothing', async () => {
    const key = await publishableKey()
    for (const query of [
      '{ shipments { __typename } }',
      '{ shipment(id: "demo-booked") { id } }',
      '{ _entities(representations: [{ __typename: "Shipment", id: "demo-booked" }]) { __typename } }',
      'mutation { bookShipment(input: { shipmentId: "none" }) { __typename } }',
      'mutation { cancelShipment(input: { shipmentId: "none" }) { __typename } }',
    ])
      expect((await ask(query, fromPage(key))).status, query).toBe(403)
    expect((await app.rest('/shipments/none/cancel', undefined, fromPage(key))).status).toBe(403)
  })

  test.each([
    ['PriceLine.rule', 'breakdown { rule { formula } }'],
    ['RateOption.chargeable', 'chargeable { divisor }'],
  ])('may not select %s, also in a fragment', async (name, selection) => {
    const query = `query ($input: RatesInput!) { rates(input: $input) { ...Quote } }
      fragment Quote on RateQuote { options { ... on RateOption { ${selection} } } }`
    const answer = await ask(query, fromPage(await publishableKey()), { input: RATES })
    expect(answer.status).toBe(403)
    expect(answer.errors).toMatchObject([
      {
        message: `${name} is not available to publishable keys`,
        extensions: { code: 'FORBIDDEN', field: name },
      },
    ])
    expect((await ask(query, { 'x-pp-api': await secretKey() }, { input: RATES })).status).toBe(200)
  })

  test('does not see the registrations of its account, which a key with a secret sees', async () => {
    const registration = { scheme: 'VOEC', number: '2012345', validFrom: '2026-01-01', validTo: null }
    await addRegistration(app.clone.db, ACCOUNT, registration)
    const query = '{ sellerRegistrations { scheme number validFrom validTo } }'
    const refused = await ask(query, fromPage(await publishableKey()))
    expect([refused.status, refused.data]).toEqual([403, undefined])
    const { data } = await ask(query, { 'x-pp-api': await secretKey() })
    expect(data).toEqual({ sellerRegistrations: [registration] })
  })

  test('may not ask for declarations, which have the addresses of people', async () => {
    const query = `query ($input: CustomsDeclarationInput!) { customsDeclaration(input: $input) { __typename } }`
    const input = {
      ...{ from: { country: 'NL' }, to: { country: 'GB' }, category: 'GIFT' },
      items: ITEMS.map((goods) => ({ goods })),
    }
    const answer = await ask(query, fromPage(await publishableKey()), { input })
    expect(answer.status).toBe(403)
    expect(answer.errors).toMatchObject([
      { extensions: { code: 'FORBIDDEN', field: 'Query.customsDeclaration' } },
    ])
  })

  test('is quoted list prices of today, without the contract', async () => {
    const key = await publishableKey()
    const listed = await app.graphql(RATES_QUERY, { input: RATES })
    const page = await ask(RATES_QUERY, fromPage(key), { input: RATES })
    // The demo account has no contract.
    expect(page.data).toEqual(listed.data)
    const dated = { ...RATES, asOf: '2026-10-01T00:00:00Z' }
    expect((await ask(RATES_QUERY, fromPage(key), { input: dated })).data.rates.fields).toEqual([
      { path: ['asOf'], code: 'CONFLICT' },
    ])
    const rest = await app.rest('/rates', RATES_BODY, fromPage(key))
    expect(rest.text).toBe((await app.rest('/rates', RATES_BODY)).text)
  })

  test('is limited by address, and then as a whole', async () => {
    const key = await publishableKey({ addressRequestsPerMinute: 2, requestsPerMinute: 5 })
    const from = async (address: string) => {
      const { status, headers } = await ask(
        '{ carriers { id } }',
        fromPage(key, { 'x-forwarded-for': address }),
      )
      return [status, headers['ratelimit-remaining'], headers['access-control-allow-origin']]
    }
    expect(await from('192.0.2.1')).toEqual([200, '1', ORIGIN])
    expect(await from('192.0.2.1')).toEqual([200, '0', ORIGIN])
    for (let request = 0; request < 5; request++) expect(await from('192.0.2.1')).toEqual([429, '0', ORIGIN])
    // What the first address was refused does not count against the key.
    expect(await from('192.0.2.2')).toEqual([200, '1', ORIGIN])
    expect(await from('192.0.2.3')).toEqual([200, '1', ORIGIN])
    expect(await from('192.0.2.4')).toEqual([200, '1', ORIGIN])
    expect((await from('192.0.2.5'))[0]).toBe(429)
  })

  test('gives one address a share of the points', async () => {
    const key = await publishableKey()
    const items = Array.from({ length: 99 }, () => ({
      description: 'x'.repeat(500),
      numberOfItems: 1,
      cost: 1,
    }))
    const from = async (address: string) =>
      (
        await app.rest(
          '/duties-taxes-estimate',
          { ...DUTIES_BODY, contentItems: items },
          fromPage(key, { 'x-forwarded-for': address }),
        )
      ).status
    expect([await from('192.0.2.9'), await from('192.0.2.9'), await from('192.0.2.10')]).toEqual([
      200, 429, 200,
    ])
  })
})

describe('a checkout token', () => {
  const CREATE = `mutation ($input: CreateCheckoutTokenInput!) { createCheckoutToken(input: $input) {
    ... on CheckoutToken { token expiresAt } ... on InputProblem { fields { path code message } } } }`

  async function tokenFor(publishableKey: string, more: object = {}): Promise<string> {
    const input = { publishableKey, rates: RATES, ...more }
    const { data } = await ask(CREATE, { 'x-pp-api': await secretKey() }, { input })
    return data.createCheckoutToken.token
  }

  const withToken = (key: string, token: string) => fromPage(key, { 'x-checkout-token': token })
  const statusOf = async (key: string, token: string, input: object = RATES) =>
    (await ask(RATES_QUERY, withToken(key, token), { input })).status

  test('shows the prices of the contract, but none of its terms', async () => {
    const key = await publishableKey({ needsCheckoutToken: true })
    const token = await tokenFor(key)
    const { data } = await ask(RATES_QUERY, { 'x-pp-api': await secretKey() }, { input: RATES })
    const page = (await ask(RATES_QUERY, withToken(key, token), { input: RATES })).data.rates
    type Option = (typeof page.options)[number]
    const priceOf = ({ product, price }: Option) => [product.id, price.amount]
    expect(page.options.map(priceOf)).toEqual(data.rates.options.map(priceOf))
    expect(data.rates.options.some(({ listPrice }: Option) => listPrice !== null)).toBe(true)
    expect(data.rates.declined).toContainEqual({ code: 'NOT_ON_ACCOUNT' })
    expect(page.declined).not.toContainEqual({ code: 'NOT_ON_ACCOUNT' })
    for (const { listPrice, breakdown, price } of page.options) {
      expect(listPrice).toBeNull()
      expect(breakdown.map(({ kind }: { kind: string }) => kind)).not.toContain('DISCOUNT')
      const cents = breakdown.map(({ amount }: Option) => Math.round(Number(amount.amount) * 100))
      expect(cents.reduce((a: number, b: number) => a + b, 0)).toBe(Math.round(Number(price.amount) * 100))
    }
    // REST has the same prices, and no line of the contract.
    const rest = await app.rest('/rates', RATES_BODY, withToken(key, token))
    expect(rest.status).toBe(200)
    expect(rest.text).not.toContain('Contract')
  })

  test('is demanded by a key with needsCheckoutToken, through both doors', async () => {
    const key = await publishableKey({ needsCheckoutToken: true })
    const { status, errors, data } = await ask(RATES_QUERY, fromPage(key), { input: RATES })
    expect([status, data]).toEqual([403, undefined])
    expect(errors).toMatchObject([{ extensions: { code: 'CHECKOUT_TOKEN_REJECTED' } }])
    const rest = await app.rest('/rates', RATES_BODY, fromPage(key))
    expect(rest.status).toBe(403)
    expect(rest.json).toEqual({
      errors: true,
      message: 'Prices need a checkout token in X-Checkout-Token',
      data: [],
    })
    const landed = { rates: RATES, contentItems: ITEMS }
    expect((await ask(LANDED_QUERY, fromPage(key), { input: landed })).status).toBe(403)
    // Duties are no terms of a contract.
    expect((await app.rest('/duties-taxes-estimate', DUTIES_BODY, fromPage(key))).status).toBe(200)
  })

  test('is for its parcels and sender, and any destination', async () => {
    const key = await publishableKey()
    const token = await tokenFor(key)
    const [box] = RATES.parcels.boxes
    expect(await statusOf(key, token)).toBe(200)
    expect(await statusOf(key, token, { ...RATES, parcels: { boxes: [{ ...box, weightKg: 5 }] } })).toBe(200)
    expect(await statusOf(key, token, { ...RATES, to: { country: 'FR', postalCode: '75001' } })).toBe(200)
    expect(await statusOf(key, token, { ...RATES, recipientType: 'BUSINESS' })).toBe(200)
    for (const other of [
      { ...RATES, from: { country: 'BE' } },
      { ...RATES, from: { country: 'NL', postalCode: '1012 JS' } },
      { ...RATES, parcels: { boxes: [{ ...box, weightKg: '5.1' }] } },
      { ...RATES, parcels: { boxes: [{ ...box, count: 2 }] } },
      { ...RATES, parcels: { boxes: [box, box] } },
    ])
      expect(await statusOf(key, token, other), JSON.stringify(other)).toBe(403)
    const batch = 'query ($inputs: [RatesInput!]!) { ratesBatch(inputs: $inputs) { __typename } }'
    const inputs = [RATES, { ...RATES, parcels: { boxes: [{ ...box, count: 2 }] } }]
    expect((await ask(batch, withToken(key, token), { inputs })).status).toBe(403)
    expect((await ask(batch, withToken(key, token), { inputs: [RATES, RATES] })).status).toBe(200)
  })

  test('can be bound to the country and the goods', async () => {
    const key = await publishableKey()
    const token = await tokenFor(key, { bindCountry: true, contentItems: ITEMS })
    expect(await statusOf(key, token)).toBe(200)
    expect(await statusOf(key, token, { ...RATES, to: { country: 'FR' } })).toBe(403)
    const landed = async (contentItems: object) =>
      (await ask(LANDED_QUERY, withToken(key, token), { input: { rates: RATES, contentItems } })).status
    expect(await landed(ITEMS)).toBe(200)
    expect(await landed([{ ...ITEMS[0], value: { amount: '21' } }])).toBe(403)
  })

  test('ends after at most 30 minutes', async () => {
    const key = await publishableKey()
    const before = now
    const [long, short] = [await tokenFor(key), await tokenFor(key, { expiresInMinutes: 1 })]
    now = new Date(before.getTime() + 59_000)
    expect([await statusOf(key, long), await statusOf(key, short)]).toEqual([200, 200])
    now = new Date(before.getTime() + 60_000)
    expect([await statusOf(key, long), await statusOf(key, short)]).toEqual([200, 403])
    now = new Date(before.getTime() + 30 * 60_000)
    const { status, errors } = await ask(RATES_QUERY, withToken(key, long), { input: RATES })
    expect([status, errors[0].message]).toEqual([403, 'The checkout token has expired'])
    now = before
  })

  test('is not valid for another key, changed, empty, or after its key was rotated', async () => {
    const [key, other] = [await publishableKey(), await publishableKey()]
    const token = await tokenFor(key)
    const [header = '', payload = '', signature = ''] = token.split('.')
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))
    const longer = Buffer.from(JSON.stringify({ ...claims, exp: claims.exp + 60 })).toString('base64url')
    const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')
    // The first character, because the last one has unused bits.
    const changed = `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`
    expect(await statusOf(other, token)).toBe(403)
    for (const forged of [
      '',
      'x',
      '..',
      `${header}.${longer}.${signature}`,
      `${none}.${payload}.`,
      `${none}.${payload}.${signature}`,
      `${header}.${payload}`,
      `${token}.x`,
      `${header}.${payload}.${changed}`,
      'x'.repeat(5_000),
      `${token}, ${token}`,
    ])
      expect(await statusOf(key, forged), forged.slice(0, 100)).toBe(403)
    expect(await statusOf(key, token)).toBe(200)
    expect(await renewCheckoutSecret(app.clone.db, key)).toBe(true)
    // The app has the key in its cache for four seconds.
    const stored = await (await openCredentialStore(app.clone.db)).findKey(key)
    const { checkoutSecret } = stored?.publishable ?? { checkoutSecret: Buffer.alloc(32) }
    const readBy = { keyId: key, accountId: ACCOUNT, checkoutSecret }
    expect(checkoutTokens.read(readBy, token, now)).toEqual({ kind: 'TokenInvalid' })
  })

  test('is issued for keys of the own account only, with all faults of the input', async () => {
    const foreign = await createPublishableKey(app.clone.db, 'demo-shop', {
      ...{ scopes: ['rates'], origins: [ORIGIN], addressRequestsPerMinute: 10, needsCheckoutToken: false },
    })
    const secret = await secretKey()
    const [secretId] = secret.split('@')
    for (const publishableKey of [foreign, secretId, 'pk_00000000000000000', 'none']) {
      const input = {
        publishableKey,
        rates: { ...RATES, parcels: { boxes: [] } },
        contentItems: [{ ...ITEMS[0], count: 0 }],
        expiresInMinutes: 31,
      }
      const { data } = await ask(CREATE, { 'x-pp-api': secret }, { input })
      expect(data.createCheckoutToken.fields.map(({ path }: { path: string[] }) => path.join('.'))).toEqual([
        'publishableKey',
        'expiresInMinutes',
        'rates.parcels.boxes',
        'contentItems.0.count',
      ])
    }
    const page = await publishableKey()
    const { status } = await ask(CREATE, fromPage(page), { input: { publishableKey: page, rates: RATES } })
    expect(status).toBe(403)
  })
})

test('the last use of a key is written when the service stops', async () => {
  const key = await secretKey({ label: 'Warehouse' })
  const [keyId] = key.split('@')
  const read = async () => (await listKeys(app.clone.db, ACCOUNT)).find((listed) => listed.keyId === keyId)
  await app.rest('/rates', RATES_BODY, { 'x-pp-api': key })
  await app.rest('/rates', RATES_BODY, { 'x-pp-api': `${keyId}@wrong` })
  expect((await read())?.lastUsedAt).toBeUndefined()
  await app.app.close()
  expect(Date.now() - Date.parse((await read())?.lastUsedAt ?? '')).toBeLessThan(600_000)
  expect(await read()).toMatchObject({ label: 'Warehouse' })
})
