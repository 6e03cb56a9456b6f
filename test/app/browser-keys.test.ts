/** A page in Chromium that calls the real service from another origin with a publishable key. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createKey, createPublishableKey } from '../../src/store/accounts/keys.ts'
import { openTestApp, type TestApp } from '../support/app/test-app.ts'
import { describeInBrowser, type OpenPage } from '../support/browser.ts'

let app: TestApp
let service = ''
let key = ''
const shops: Server[] = []
let shop = ''

/** A site with one empty page. Returns its origin. */
async function openSite(): Promise<string> {
  const site = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end('<title>Shop</title>')
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  shops.push(site)
  return `http://127.0.0.1:${(site.address() as AddressInfo).port}`
}

/** Replicas know the origin of a new key after two seconds at the latest (docs/browser-keys.md). */
async function untilOriginIsKnown(): Promise<void> {
  const headers = { origin: shop, 'access-control-request-method': 'POST' }
  const preflight = () => app.app.server.inject({ method: 'OPTIONS', url: '/graphql', headers })
  await vi.waitFor(async () => expect((await preflight()).statusCode).toBe(204), {
    timeout: 60_000,
    interval: 100,
  })
}

type PageAnswer = {
  readonly error?: string
  readonly status?: number
  readonly remaining?: string | null
  readonly retryAfter?: string | null
  readonly requestId?: string | null
  readonly body?: string
}

const QUERY = `query ($input: RatesInput!) { rates(input: $input) {
  ... on RateQuote { options { price { amount } } } } }`
const INPUT = {
  from: { country: 'NL' },
  to: { country: 'DE' },
  parcels: { boxes: [{ weightKg: '5', lengthCm: 30, widthCm: 20, heightCm: 10 }] },
}
const REST_BODY = {
  fromCountry: 'NL',
  toCountry: 'DE',
  parcels: [{ type: 'NONDOC', count: 1, weight: 5, length: 30, width: 20, height: 10 }],
}

/** Opens a page of the site, which sends requests one after the other. */
async function callFrom(
  open: OpenPage,
  origin: string,
  requests: readonly { path: string; key: string; body: object }[],
): Promise<readonly PageAnswer[]> {
  const { page } = await open(origin)
  const answers = await page.evaluate(
    async ({ service, requests }) => {
      const answers = []
      for (const { path, key, body } of requests)
        try {
          const response = await fetch(`${service}${path}`, {
            method: 'POST',
            headers: { 'content-type': 'application/json', 'x-pp-api': key },
            body: JSON.stringify(body),
          })
          answers.push({
            status: response.status,
            remaining: response.headers.get('ratelimit-remaining'),
            retryAfter: response.headers.get('retry-after'),
            requestId: response.headers.get('x-request-id'),
            body: await response.text(),
          })
        } catch (error) {
          answers.push({ error: String(error) })
        }
      return answers
    },
    { service, requests },
  )
  await page.close()
  return answers
}

const graphql = (withKey: string) => ({
  path: '/graphql',
  key: withKey,
  body: { query: QUERY, variables: { input: INPUT } },
})
const rest = (withKey: string) => ({ path: '/partners-api/v1/rates', key: withKey, body: REST_BODY })

describeInBrowser('a page with a publishable key', (open) => {
  beforeAll(async () => {
    app = await openTestApp({ PORT: '0' })
    service = await app.app.listen()
    shop = await openSite()
    const keyId = await createPublishableKey(app.clone.db, 'demo-shop', {
      scopes: ['rates'],
      origins: [shop],
      addressRequestsPerMinute: 6,
      needsCheckoutToken: false,
    })
    key = keyId ?? ''
    await untilOriginIsKnown()
  })
  afterAll(async () => {
    for (const site of shops) site.close()
    await app.close()
  })

  test('a page on another origin gets rates through both doors, and reads headers and errors', async () => {
    const [first, second, wrong, forbidden, ...more] = await callFrom(open, shop, [
      graphql(key),
      rest(key),
      graphql('pk_00000000000000000'),
      { path: '/graphql', key, body: { query: '{ shipments { totalCount } }' } },
      ...Array.from({ length: 4 }, () => rest(key)),
    ])
    expect(first).toMatchObject({ status: 200, remaining: '5', requestId: expect.any(String) })
    expect(first?.body).toContain('{"price":{"amount":')
    expect(second).toMatchObject({ status: 200, remaining: '4' })
    expect(second?.body).toContain('"errors":false')
    expect(wrong).toMatchObject({ status: 401, body: expect.stringContaining('UNAUTHENTICATED') })
    expect(forbidden).toMatchObject({
      status: 403,
      body: expect.stringContaining('"scope":"shipments:read"'),
    })
    expect(more.map(({ status }) => status)).toEqual([200, 200, 200, 429])
    expect(Number(more.at(-1)?.retryAfter)).toBeGreaterThan(0)
  })

  test('a page on a wrong origin cannot use the key, and a program without an origin gets 403', async () => {
    const answers = await callFrom(open, await openSite(), [graphql(key), rest(key)])
    expect(answers).toEqual([
      { error: 'TypeError: Failed to fetch' },
      { error: 'TypeError: Failed to fetch' },
    ])
    const stolen = await fetch(`${service}/partners-api/v1/rates`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-pp-api': key },
      body: JSON.stringify(REST_BODY),
    })
    expect(stolen.status).toBe(403)
  })

  test('a page gets the prices of the contract with the token of its server', async () => {
    const issued = await createKey(app.clone.db, 'demo-shop', { scopes: ['rates'] })
    const strict = await createPublishableKey(app.clone.db, 'demo-shop', {
      ...{ scopes: ['rates'], origins: [shop], addressRequestsPerMinute: 60, needsCheckoutToken: true },
    })
    const created = await fetch(`${service}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-pp-api': `${issued?.keyId}@${issued?.secret}` },
      body: JSON.stringify({
        query: `mutation ($input: CreateCheckoutTokenInput!) {
          createCheckoutToken(input: $input) { ... on CheckoutToken { token } } }`,
        variables: { input: { publishableKey: strict, rates: INPUT } },
      }),
    })
    const { data } = (await created.json()) as { data: { createCheckoutToken: { token: string } } }
    const { page } = await open(shop)
    const statuses = await page.evaluate(
      async ({ service, strict, token, body }) => {
        const statusWith = async (more: object) =>
          (
            await fetch(`${service}/graphql`, {
              method: 'POST',
              headers: { 'content-type': 'application/json', 'x-pp-api': `${strict}`, ...more },
              body,
            })
          ).status
        return [await statusWith({}), await statusWith({ 'x-checkout-token': token })]
      },
      {
        ...{ service, strict, token: data.createCheckoutToken.token },
        body: JSON.stringify({ query: QUERY, variables: { input: INPUT } }),
      },
    )
    expect(statuses).toEqual([403, 200])
  })
})
