/** The OpenAPI document of the REST contract: its examples, how it is served, and the page that shows it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../support/app/test-app.ts'
import { axeViolations, describeInBrowser, PHONE } from '../support/browser.ts'
import {
  contractFaults,
  faultsOf,
  type Operation,
  partnerApi,
  partnerApiText,
} from '../support/partner-api.ts'

const URL_PATH = '/partners-api/v1/openapi.json'
const CANCEL = '/partners-api/v1/shipments/{shipmentId}/cancel'
const SLOW = 120_000

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

type Sent = { readonly path: string; readonly name: string; readonly url: string; readonly body?: unknown }

/** The requests of the examples. A cancellation has examples of shipment ids instead of bodies. */
function requestsOf(path: string, { requestBody, parameters }: Operation): readonly Sent[] {
  const bodies = Object.entries(requestBody?.content['application/json'].examples ?? {})
  const ids = Object.entries(parameters.find(({ name }) => name === 'shipmentId')?.examples ?? {})
  return [
    ...bodies.map(([name, { value }]) => ({ path, name, url: path, body: value })),
    ...ids.map(([name, { value }]) => ({ path, name, url: path.replace('{shipmentId}', String(value)) })),
  ]
}

const REQUESTS = Object.entries(partnerApi.paths).flatMap(([path, { post }]) => requestsOf(path, post))

/** The responses with an example of this name. */
function examplesOf(path: string, name: string) {
  return Object.entries(partnerApi.paths[path]?.post.responses ?? {}).flatMap(([status, { content }]) => {
    const example = content['application/json'].examples?.[name]
    return example === undefined ? [] : [{ status: Number(status), body: example.value }]
  })
}

describe('the examples', () => {
  test.each(REQUESTS)('$path, $name: the service gives the documented answer', async (sent) => {
    const { url, path, name, body } = sent
    const answer = await app.rest(url.replace('/partners-api/v1', ''), body)
    const { status, text, headers } = answer
    expect(contractFaults({ method: 'POST', url, status, headers, body: text })).toEqual([])
    const examples = examplesOf(path, name)
    expect(status).toBe(examples[0]?.status ?? 200)
    if (examples.length > 0) expect([{ status, body: answer.json }]).toEqual(examples)
  })

  test('match their schemas', () => {
    const faults = Object.entries(partnerApi.paths).flatMap(([path, { post }]) => [
      ...exampleFaults(['paths', path, 'post', 'requestBody'], post.requestBody),
      ...Object.entries(post.responses).flatMap(([status, response]) =>
        exampleFaults(['paths', path, 'post', 'responses', status], response),
      ),
    ])
    expect(faults).toEqual([])
    expect(REQUESTS.filter(({ path }) => path === CANCEL)).toHaveLength(5)
  })
})

function exampleFaults(
  place: readonly string[],
  part: Pick<Operation['responses'][string], 'content'> | undefined,
) {
  const examples = part?.content['application/json'].examples ?? {}
  return Object.entries(examples).flatMap(([name, { value }]) =>
    faultsOf([...place, 'content', 'application/json', 'schema'], value).map((fault) => `${name}: ${fault}`),
  )
}

describe('the document', () => {
  const get = (method: 'GET' | 'HEAD' | 'POST', headers = {}) =>
    app.app.server.inject({ method, url: URL_PATH, headers })

  test('is public, and revalidated by its ETag', async () => {
    const answer = await get('GET')
    expect([answer.statusCode, answer.body]).toEqual([200, partnerApiText])
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'public, no-cache',
    })
    const etag = String(answer.headers.etag)
    expect((await get('GET', { 'if-none-match': etag })).statusCode).toBe(304)
    expect((await get('HEAD')).headers.etag).toBe(etag)
  })

  test('leaves other methods and paths as they are', async () => {
    const post = await get('POST')
    expect([post.statusCode, post.headers['allow'], post.body]).toEqual([
      ...[405, 'GET, HEAD', '"Method not allowed"'],
    ])
    for (const [method, url] of [
      ['GET', '/partners-api/v1/rates'],
      ['PUT', '/partners-api/v1/duties-taxes-estimate'],
      ['GET', '/partners-api/v1/shipments/s-17/cancel'],
      ['GET', '/partners-api/v1'],
      ['POST', '/partners-api/v1/openapi'],
    ] as const) {
      const { statusCode: status, headers, body } = await app.app.server.inject({ method, url })
      expect(contractFaults({ method, url, status, headers, body })).toEqual([])
    }
  })
})

describeInBrowser('the reference', (open) => {
  let origin = ''
  beforeAll(async () => {
    origin = await app.app.server.listen({ port: 0, host: '127.0.0.1' })
  })

  test(
    'sends a request of each endpoint with the demo key, on a phone too',
    async () => {
      for (const options of [{ colorScheme: 'dark' }, { viewport: PHONE, hasTouch: true }] as const) {
        const { page, troubles } = await open(`${origin}/reference`, options)
        for (const [name, answer] of [
          ['rates', 'shipping options found'],
          ['dutiesTaxesEstimate', 'Value added tax'],
          ['cancelShipment', 'The shipment is cancelled'],
        ] as const) {
          const endpoint = page.locator(`#operations-Endpoints-${name}`)
          await endpoint.locator('.opblock-summary-control').click()
          const answered = page.waitForResponse((response) => response.request().method() === 'POST')
          await endpoint.getByRole('button', { name: 'Execute' }).click()
          expect((await answered).status()).toBe(200)
          await endpoint.locator('.live-responses-table').getByText(answer).first().waitFor()
        }
        const width = await page.evaluate<number>('document.documentElement.scrollWidth')
        expect(width).toBe(page.viewportSize()?.width)
        // Swagger UI itself breaks other rules: selects without labels, and links inside of buttons.
        const unreadable = (await axeViolations(page)).filter((text) => text.includes('color-contrast'))
        expect([troubles, unreadable]).toEqual([[], []])
        await page.close()
      }
    },
    SLOW,
  )

  test('is light or dark as the browser asks, also when that changes', async () => {
    const { page } = await open(`${origin}/reference`, { colorScheme: 'dark' })
    await page.locator('#operations-Endpoints-rates').waitFor()
    const scheme = () => page.evaluate('getComputedStyle(document.documentElement).colorScheme')
    expect(await scheme()).toBe('dark')
    await page.emulateMedia({ colorScheme: 'light' })
    await expect.poll(scheme).not.toBe('dark')
    await page.emulateMedia({ colorScheme: 'dark' })
    await expect.poll(scheme).toBe('dark')
  })
})
