/** Where the example shop is served, what its server half refuses and passes on, and its documents. */
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { promisify } from 'node:util'
import { buildSchema, parse, validate } from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as client from '../../client/src/index.ts'
import { apiSchemaText } from '../../src/graphql/api-schema.ts'
import { readSchemaText } from '../../src/graphql/schema-files.ts'
import { openTestApp, type TestApp } from '../support/app/test-app.ts'

const HTML = { accept: 'text/html' }
const ROOT = path.resolve(import.meta.dirname, '../..')
const SHOP = path.join(ROOT, 'examples/checkout')

let app: TestApp
let origin = ''
beforeAll(async () => {
  app = await openTestApp()
  origin = await app.app.server.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => app.close())

function post(path: string, body: string, headers: Readonly<Record<string, string>> = {}) {
  return fetch(`${origin}/demo/api/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin, ...headers },
    body,
  })
}

describe('the route', () => {
  test('serves the page with its files, and only these', async () => {
    const redirect = await app.app.server.inject({ url: '/demo', headers: HTML })
    expect([redirect.statusCode, redirect.headers.location]).toEqual([308, 'demo/'])
    const page = await app.app.server.inject({ url: '/demo/', headers: HTML })
    expect(page.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    })
    const files = [...page.body.matchAll(/(?:src|href)="\.\/([^"]+)"/g)].map(([, file = '']) => file)
    expect(files.length).toBeGreaterThan(1)
    for (const file of files)
      expect((await app.app.server.inject({ url: `/demo/${file}` })).headers).toMatchObject({
        'cache-control': 'public, max-age=31536000, immutable',
      })
    for (const file of ['nope.js', '../../../package.json', '..%2fshop.ts'])
      expect((await app.app.server.inject({ url: `/demo/${file}` })).statusCode, file).toBe(404)
  })

  test('does not exist in production', async () => {
    // Production refuses a database with demo secrets.
    const prepare = (db: TestApp['clone']['db']) => db.deleteFrom('api_secret').execute()
    const other = await openTestApp({ NODE_ENV: 'production' }, undefined, { prepare })
    for (const [method, url] of [
      ['GET', '/demo'],
      ['GET', '/demo/'],
      ['GET', '/demo/server.js'],
      ['POST', '/demo/api/checkout'],
    ] as const) {
      const headers = { origin: 'http://localhost:4000', 'content-type': 'application/json' }
      const { statusCode } = await other.app.server.inject({
        ...{ method, url, headers },
        ...(method === 'POST' && { payload: '{"cart":{"boots":1}}' }),
      })
      expect([url, statusCode]).toEqual([url, 404])
    }
    expect((await other.app.server.inject({ url: '/' })).json().links).not.toHaveProperty('shop')
    await other.close()
  })
})

describe('the server half', () => {
  test('signs a token for the cart, with which the key of the page sees prices', async () => {
    const checkout = async () =>
      (await (await post('checkout', '{"cart":{"teapot":2}}')).json()) as Readonly<Record<string, string>>
    const { token = '', publishableKey = '' } = await checkout()
    expect((await checkout())['publishableKey']).toBe(publishableKey)
    const box = { weightKg: '2.5', lengthCm: 40, widthCm: 30, heightCm: 25 }
    const ask = (weightKg: string) =>
      fetch(`${origin}/graphql`, {
        method: 'POST',
        headers: {
          ...{ 'content-type': 'application/json', origin },
          'x-pp-api': publishableKey,
          'x-checkout-token': token,
        },
        body: JSON.stringify({
          query: 'query ($input: RatesInput!) { rates(input: $input) { __typename } }',
          variables: {
            input: {
              from: { country: 'NL', postalCode: '1012 LG', city: 'Amsterdam' },
              to: { country: 'FR' },
              ...{ recipientType: 'INDIVIDUAL', parcels: { boxes: [{ ...box, weightKg }] } },
            },
          },
        }),
      })
    expect(await (await ask('2.5')).json()).toEqual({ data: { rates: { __typename: 'RateQuote' } } })
    expect((await ask('2.6')).status).toBe(403)
  })

  test.each([
    ['another site', '{"cart":{"boots":1}}', { origin: 'https://shop.example' }, 403],
    ['a form', 'cart=boots', { 'content-type': 'text/plain' }, 415],
    ['text that is not JSON', '{', {}, 400],
    ['an article that is not sold', '{"cart":{"yacht":1}}', {}, 400],
    ['a large body', JSON.stringify({ cart: { boots: 1 }, more: 'x'.repeat(17_000) }), {}, 413],
  ])('refuses %s', async (_what, body, headers, status) => {
    expect((await post('checkout', body, headers)).status).toBe(status)
  })

  test('cancels only orders that it has placed', async () => {
    const answer = await post('cancellations', '{"orderId":"0b1de2a4-90f2-4c2e-9c19-1f6b3c5a7d21"}')
    expect(await answer.json()).toMatchObject({ __typename: 'ShipmentNotFound' })
    expect((await post('cancellations', '{"orderId":"demo-booked"}')).status).toBe(400)
    expect((await post('shipments', '{}')).status).toBe(404)
  })

  test('passes on the status and Retry-After of the service, but not what concerns its own key', async () => {
    const answers = [
      { status: 429, headers: { 'retry-after': '7' }, code: 'RATE_LIMITED', passed: [429, '7'] },
      { status: 503, headers: { 'retry-after': '2' }, code: 'OVERLOADED', passed: [503, '2'] },
      { status: 401, headers: {}, code: 'UNAUTHENTICATED', passed: [500, null] },
    ]
    for (const { status, headers, code, passed } of answers) {
      const service = createServer((_request, response) => {
        response.writeHead(status, { 'content-type': 'application/json', ...headers })
        response.end(JSON.stringify({ errors: [{ message: 'No', extensions: { code } }] }))
      })
      await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
      // A variable, because the file is built.
      const built = path.join(ROOT, 'src/pages/shop/server.js')
      const { shopServer } = await import(built)
      const handle: (request: Request) => Promise<Response> = shopServer({
        url: `http://127.0.0.1:${(service.address() as AddressInfo).port}`,
        ...{ apiKey: 'key@secret', publicUrl: '/graphql', publishableKey: 'pk_1' },
      })
      const response = await handle(
        new Request('http://shop.example/api/checkout', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: '{"cart":{"boots":1}}',
        }),
      )
      expect([response.status, response.headers.get('retry-after')]).toEqual(passed)
      await new Promise((resolve) => service.close(resolve))
    }
  })
})

describe('the source code of the shop', () => {
  const sources = ['server.ts', ...readdirSync(path.join(SHOP, 'src')).map((name) => `src/${name}`)]
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => readFileSync(path.join(SHOP, name), 'utf8'))

  test('uses documents that are valid for the served schema', () => {
    const schema = buildSchema(apiSchemaText(readSchemaText()))
    const names = new Set(sources.flatMap((text) => text.match(/\b[A-Z]\w+Document\b/g) ?? []))
    const documents = new Map<string, unknown>(Object.entries(client))
    expect(names.size).toBe(7)
    for (const name of names)
      expect([name, validate(schema, parse(String(documents.get(name))))]).toEqual([name, []])
    // Documents of its own would be texts like these.
    expect(sources.filter((text) => /\b(query|mutation)\s*[\w(]*\s*[({]/.test(text))).toEqual([])
  })

  test('has no type errors', async () => {
    const compiler = path.join(ROOT, 'node_modules/typescript/bin/tsc')
    // The second run checks only what has changed.
    const cache = [
      '--incremental',
      '--tsBuildInfoFile',
      path.join(ROOT, 'node_modules/.cache/shop.tsbuildinfo'),
    ]
    const checked = promisify(execFile)(process.execPath, [compiler, '-p', SHOP, ...cache])
    await checked.catch(({ stdout }) => {
      throw new Error(stdout)
    })
  }, 120_000)
})
