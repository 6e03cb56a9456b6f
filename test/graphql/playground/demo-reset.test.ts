/** Who can reset the demo: the page of the playground, and programs with the key of the demo account. */
import { expect, test } from 'vitest'
import { openInstance } from '../instance.ts'

const CREDENTIALS = 'demo@demo-secret'
const PATH = '/graphql/reset-demo'

function open(accountId = 'demo') {
  let resets = 0
  const run = async (): Promise<void> => {
    resets += 1
    await new Promise((resolve) => setImmediate(resolve))
  }
  const { app } = openInstance({
    playground: { demoCredentials: CREDENTIALS, demoReset: { accountId, run } },
  })
  const post = (headers: Readonly<Record<string, string>> = {}) =>
    app.inject({
      method: 'POST',
      url: PATH,
      headers: { host: 'waybill.example', 'x-pp-api': CREDENTIALS, ...headers },
    })
  return { app, post, resets: () => resets }
}

test.each([
  ['the page', { origin: 'https://waybill.example', 'sec-fetch-site': 'same-origin' }],
  ['an older browser', { origin: 'http://waybill.example' }],
  ['a program', {}],
])('%s resets the demo', async (_who, headers) => {
  const { post, resets } = open()
  const { statusCode, body } = await post(headers as Readonly<Record<string, string>>)
  expect([statusCode, JSON.parse(body)]).toEqual([200, 'The demo data are restored'])
  expect(resets()).toBe(1)
})

test.each([
  ['another origin', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
  ['another origin of the site', { origin: 'https://shop.waybill.example', 'sec-fetch-site': 'same-site' }],
  ['another port', { origin: 'https://waybill.example:8443' }],
  ['a page without an origin', { origin: 'null' }],
  ['a link', { 'sec-fetch-site': 'none' }],
])('%s is refused', async (_who, headers) => {
  const { post, resets } = open()
  expect((await post(headers as Readonly<Record<string, string>>)).statusCode).toBe(403)
  expect(resets()).toBe(0)
})

test('no other account, no request without credentials, and no GET resets the demo', async () => {
  const { app, post, resets } = open('another')
  expect((await post()).statusCode).toBe(403)
  expect((await app.inject({ method: 'POST', url: PATH })).statusCode).toBe(401)
  expect(
    (await app.inject({ method: 'GET', url: PATH, headers: { 'x-pp-api': CREDENTIALS } })).statusCode,
  ).toBe(405)
  expect(resets()).toBe(0)
})

test('several requests at the same time reset once', async () => {
  const { post, resets } = open()
  const replies = await Promise.all([post(), post(), post()])
  expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
  expect(resets()).toBe(1)
})

test('without demo data there is no such address, and the page has no button', async () => {
  const { app } = openInstance({ playground: {} })
  expect(
    (await app.inject({ method: 'POST', url: PATH, headers: { 'x-pp-api': CREDENTIALS } })).statusCode,
  ).toBe(404)
  const page = await app.inject({ method: 'GET', url: '/graphql', headers: { accept: 'text/html' } })
  expect(page.body).not.toContain('reset-demo')
})
