/** GET / and the documentation at /docs. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { VERSION } from '../../src/version.ts'
import { openTestApp, type TestApp } from '../support/app/test-app.ts'
import { axeViolations, describeInBrowser, PHONE } from '../support/browser.ts'

const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const DOCS = path.resolve(import.meta.dirname, '../../docs')

let full: TestApp
let bare: TestApp
beforeAll(async () => {
  full = await openTestApp()
  bare = await openTestApp({ WAYBILL_PLAYGROUND: 'false', WAYBILL_DOCS: 'false' })
})
afterAll(() => Promise.all([full.close(), bare.close()]))

function get({ app }: TestApp, url: string, headers: Readonly<Record<string, string>> = {}) {
  return app.server.inject({ method: 'GET', url, headers })
}

function linksIn(html: string): string[] {
  return [...html.matchAll(/<a href="([^"]+)"/g)].map(([, href = '']) => href)
}

describe('GET /', () => {
  test('returns a page to browsers, without credentials and external resources', async () => {
    const answer = await get(full, '/', HTML)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'public, no-cache',
      'x-content-type-options': 'nosniff',
      vary: 'accept, accept-encoding',
    })
    // The address in the command is text.
    expect(answer.body.replace('http://localhost:', '')).not.toMatch(/https?:\/\/|<script|<img|javascript:/)
  })

  test('allows only its own style', async () => {
    const answer = await get(full, '/', HTML)
    const [, style = ''] = /<style>([\s\S]*)<\/style>/.exec(answer.body) ?? []
    const hash = createHash('sha256').update(style).digest('base64')
    expect(answer.headers['content-security-policy']).toContain("default-src 'none'")
    expect(answer.headers['content-security-policy']).toContain(`style-src 'sha256-${hash}'`)
    expect(answer.body).not.toMatch(/ style="/)
  })

  test('has only links that work', async () => {
    for (const [app, count] of [
      [full, 10],
      [bare, 3],
    ] as const) {
      const links = linksIn((await get(app, '/', HTML)).body)
      expect(links).toHaveLength(count)
      for (const link of links) {
        const answer = await get(app, `/${link}`, { ...HTML, 'x-pp-api': 'demo@demo-secret' })
        expect(answer.statusCode, link).toBe(200)
      }
    }
  })

  test('names the playground and the documentation only if they are on', async () => {
    const { body } = await get(bare, '/', HTML)
    expect(body).not.toContain('Playground')
    expect(body).toContain('The documentation is in the folder <code>docs</code> of the source code.')
    expect((await get(full, '/', HTML)).body).not.toContain('The documentation is in the folder')
  })

  test('returns the same addresses as JSON to other clients', async () => {
    const answer = await get(full, '/')
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(answer.headers['vary']).toBe('accept, accept-encoding')
    expect(answer.json()).toEqual({
      name: 'Waybill',
      version: VERSION,
      links: {
        playground: '/graphql',
        reference: '/reference',
        shop: '/demo/',
        firstSteps: '/docs/graphql-first-steps.html',
        client: '/docs/project/client/index.html',
        graphqlDocs: '/docs/graphql.html',
        restDocs: '/docs/rest-contract.html',
        docs: '/docs/index.html',
        health: '/healthz',
        readiness: '/readyz',
        schema: '/graphql/schema.graphql',
        openapi: '/partners-api/v1/openapi.json',
        graphql: '/graphql',
        rates: '/partners-api/v1/rates',
        dutiesTaxesEstimate: '/partners-api/v1/duties-taxes-estimate',
        cancelShipment: '/partners-api/v1/shipments/:shipmentId/cancel',
      },
    })
    const bareLinks = Object.keys((await get(bare, '/')).json().links)
    expect(bareLinks).not.toEqual(expect.arrayContaining(['playground']))
    expect(bareLinks).not.toEqual(expect.arrayContaining(['docs']))
  })

  test.each([
    ['text/html', 'html'],
    ['TEXT/HTML', 'html'],
    ['application/xhtml+xml, text/html;q=0.9, */*;q=0.8', 'html'],
    ['text/html, application/json', 'html'],
    ['text/html;q=0, application/json', 'json'],
    ['text/html;q=0', 'json'],
    ['application/json, text/html;q=0.1', 'json'],
    ['text/html;q=x, */*', 'json'],
    ['text/htmlx', 'json'],
    ['*/*', 'json'],
    ['', 'json'],
  ])('answers Accept: %s with %s', async (accept, kind) => {
    const { headers } = await get(full, '/', { accept })
    expect(headers['content-type']).toContain(kind)
  })

  test.each([
    '/',
    '/docs/README.md',
    '/graphql/schema.graphql',
    '/partners-api/v1/openapi.json',
    '/reference',
  ])('%s answers a conditional HEAD without Content-Length, as caches require', async (url) => {
    const head = (headers: Readonly<Record<string, string>> = {}) =>
      full.app.server.inject({ method: 'HEAD', url, headers: { 'x-pp-api': 'demo@demo-secret', ...headers } })
    const whole = await head()
    const { body } = await get(full, url, { 'x-pp-api': 'demo@demo-secret' })
    expect([whole.statusCode, whole.body]).toEqual([200, ''])
    expect(whole.headers['content-length']).toBe(String(Buffer.byteLength(body)))
    const unchanged = await head({ 'if-none-match': String(whole.headers.etag) })
    expect(unchanged.statusCode).toBe(304)
    expect(unchanged.headers).not.toHaveProperty('content-length')
    expect(unchanged.headers).toMatchObject({ etag: whole.headers.etag, vary: whole.headers['vary'] })
  })

  test('has an ETag, answers HEAD, and refuses POST', async () => {
    const { etag } = (await get(full, '/', HTML)).headers
    expect((await get(full, '/', { ...HTML, 'if-none-match': String(etag) })).statusCode).toBe(304)
    expect((await get(full, '/', { 'if-none-match': String(etag) })).statusCode).toBe(200)
    const head = await full.app.server.inject({ method: 'HEAD', url: '/', headers: HTML })
    expect([head.statusCode, head.body, head.headers.etag]).toEqual([200, '', etag])
    expect((await full.app.server.inject({ method: 'POST', url: '/' })).statusCode).toBe(405)
  })
})

describe('GET / with a command to paste', () => {
  test('has the key and the address of the demo', async () => {
    const { body } = await get(full, '/', HTML)
    expect(body).toContain('X-PP-API: demo@demo-secret')
    const [, data = ''] = /-d &#39;|-d '([^']+)'/.exec(body) ?? []
    const request = data.replaceAll('&quot;', '"')
    const answer = await full.app.server.inject({
      method: 'POST',
      url: '/partners-api/v1/rates',
      headers: { 'x-pp-api': 'demo@demo-secret', 'content-type': 'application/json' },
      payload: request,
    })
    expect(answer.statusCode).toBe(200)
    expect(answer.json().data.length).toBeGreaterThan(0)
  })

  test('has no demo key without demo data', async () => {
    const own = await openTestApp({ WAYBILL_DEMO_DATA: 'false' })
    expect((await get(own, '/', HTML)).body).not.toContain('demo')
    const reset = await own.app.server.inject({ method: 'POST', url: '/graphql/reset-demo' })
    expect(reset.statusCode).toBe(404)
    await own.close()
  })
})

describe('an unknown address', () => {
  test('is a page for browsers and a JSON string for other clients', async () => {
    const page = await get(full, '/nope', HTML)
    expect([page.statusCode, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
    expect(page.body).toContain('<h1>Not found</h1>')
    expect(page.headers['content-security-policy']).toContain("default-src 'none'")
    const answer = await get(full, '/nope')
    expect([answer.statusCode, answer.body]).toEqual([404, '"Not found"'])
    const posted = await full.app.server.inject({ method: 'POST', url: '/nope', headers: HTML })
    expect(posted.body).toBe('"Not found"')
  })
})

describe('GET /docs', () => {
  test('redirects to the list of pages', async () => {
    const answer = await get(full, '/docs', HTML)
    expect([answer.statusCode, answer.headers['location']]).toEqual([308, 'docs/'])
    const index = await get(full, '/docs/', HTML)
    expect([index.statusCode, index.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(index.body).toContain('<title>Waybill documentation</title>')
  })

  test('lists its pages for language models', async () => {
    const { body } = await get(full, '/llms.txt')
    for (const [, address = ''] of body.matchAll(/\]\(([^)]+)\)/g))
      expect((await get(full, `/${address}`)).statusCode, address).toBe(200)
    expect(body).toContain('](docs/rest-contract.md)')
  })

  test('returns every page of the documentation as Markdown', async () => {
    const pages = readdirSync(DOCS, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.md'),
    )
    expect(pages.length).toBeGreaterThan(20)
    for (const page of pages) {
      const answer = await get(full, `/docs/${page}`)
      expect(answer.headers['content-type']).toBe('text/markdown; charset=utf-8')
      expect(answer.body, page).toBe(readFileSync(path.join(DOCS, page), 'utf8'))
    }
  })

  test.each([
    'nope.md',
    '../package.json',
    '..%2fpackage.json',
    '%2e%2e/package.json',
    'decisions',
    'site',
    '/graphql.md',
    '__proto__',
  ])('has no page %j', async (page) => {
    const answer = await get(full, `/docs/${page}`)
    expect([answer.statusCode, answer.body]).toEqual([404, '"Not found"'])
  })

  test('has no page at all if the documentation is off', async () => {
    expect((await get(bare, '/docs/README.md')).statusCode).toBe(404)
  })
})

describeInBrowser('the overview and the page of an unknown address', (open) => {
  let origin = ''
  beforeAll(async () => {
    origin = await full.app.server.listen({ port: 0, host: '127.0.0.1' })
  })

  test.each([
    ['/', /^$/],
    // The browser reports the status of the page itself.
    ['/nope', /^404: .*\/nope$|status of 404/],
  ])('%s has no violations that axe finds, and is not wider than a phone', async (url, expected) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page, troubles } = await open(`${origin}${url}`, { colorScheme, viewport: PHONE })
      expect(await axeViolations(page, 'document-title')).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width)
      expect(troubles.filter((trouble) => !expected.test(trouble))).toEqual([])
      await page.close()
    }
  })
})
