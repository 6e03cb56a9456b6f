import { existsSync, mkdtempSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CREDENTIALS, openInstance } from '../graphql/instance.ts'

const executablePath = [process.env['CHROMIUM_PATH'], '/usr/bin/chromium', '/usr/bin/chromium-browser'].find(
  (path) => path !== undefined && existsSync(path),
)
if (executablePath === undefined) console.log('playground.test.ts: skipped, no Chromium (set CHROMIUM_PATH)')

const ARGUMENTS = [
  '--no-sandbox',
  '--headless',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const { app } = openInstance({ playground: { demoCredentials: CREDENTIALS } })
const pictures = mkdtempSync(join(tmpdir(), 'waybill-playground-'))
let browser: Browser | undefined
let origin = ''

beforeAll(async () => {
  if (executablePath === undefined) return
  await app.listen({ port: 0, host: '127.0.0.1' })
  origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  browser = await chromium.launch({ executablePath, args: ARGUMENTS })
})
afterAll(() => browser?.close())

/** A page that records all errors on it. */
async function openPlayground(): Promise<{ page: Page; troubles: string[] }> {
  if (browser === undefined) throw new Error('no browser')
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  const troubles: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) troubles.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => troubles.push(`error: ${error.message}`))
  page.on('requestfailed', (request) => troubles.push(`failed: ${request.url()}`))
  page.on('response', (response) => {
    if (response.status() >= 400) troubles.push(`${response.status()}: ${response.url()}`)
  })
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(`${origin}/`) && !url.startsWith('data:')) troubles.push(`elsewhere: ${url}`)
  })
  await page.goto(`${origin}/graphql`)
  await page.getByRole('button', { name: /execute query/i }).waitFor()
  return { page, troubles }
}

async function run(page: Page): Promise<string> {
  const answered = page.waitForResponse((response) => response.request().method() === 'POST')
  await page.getByRole('button', { name: /execute query/i }).click()
  return (await answered).text()
}

test.skipIf(executablePath === undefined)(
  'the first tab runs unchanged and shows prices',
  async () => {
    const { page, troubles } = await openPlayground()
    await page.waitForLoadState('networkidle')
    const tabs = await page.getByRole('tab').allTextContents()
    expect(tabs.map((tab) => tab.replace('close icon', ''))).toEqual([
      'Rates',
      'RatesExplained',
      'RatesBatch',
      'Duties',
      'DutiesExplained',
      'LandedCost',
      'CustomsCoverage',
      'Classify',
      'Carriers',
      'Shipments',
      'CreateDraft',
      'Book',
      'Cancel',
    ])
    expect(JSON.parse(await run(page)).errors).toBeUndefined()
    await page.locator('.result-window').getByText('rateCardVersions').waitFor()
    const file = join(pictures, 'rates.png')
    await page.screenshot({ path: file })
    console.log(`playground: ${file}`)
    expect(troubles).toEqual([])
    await page.close()
  },
  60_000,
)

test.skipIf(executablePath === undefined)(
  'the documentation opens, and the credentials survive a reload',
  async () => {
    const { page, troubles } = await openPlayground()
    await page.getByRole('button', { name: /show documentation/i }).click()
    await page.getByText('A GraphQL schema provides a root type').waitFor()
    await page.getByRole('link', { name: 'Query', exact: true }).click()
    await page.getByText('Shipping options of all carriers').waitFor()
    await page.screenshot({ path: join(pictures, 'documentation.png') })
    await page.getByRole('tab', { name: 'Carriers' }).click()
    // The playground writes the tabs to the browser's storage after half a second.
    await page.waitForTimeout(1_000)
    await page.reload()
    await page.getByRole('tab', { name: 'Carriers', selected: true }).waitFor()
    expect(await run(page)).toContain('Rondeel Parcel')
    expect(await page.evaluate<string>('JSON.stringify(localStorage)')).not.toContain('demo-secret')
    await page.screenshot({ path: join(pictures, 'carriers.png') })
    expect(troubles).toEqual([])
    await page.close()
  },
  60_000,
)

test.skipIf(executablePath === undefined)(
  'dialogs, completion and history comply with the content security policy of the page',
  async () => {
    const { page, troubles } = await openPlayground()
    await page.getByRole('button', { name: /settings/i }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Dark' }).click()
    await page.keyboard.press('Escape')
    await page.locator('.graphiql-query-editor .CodeMirror').click()
    await page.keyboard.press('Control+End')
    await page.keyboard.type('{ s', { delay: 100 })
    await page.locator('.CodeMirror-hints').waitFor()
    await page.screenshot({ path: join(pictures, 'dark.png') })
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /show history/i }).click()
    await page.locator('.graphiql-history').waitFor()
    expect(troubles).toEqual([])
    await page.close()
  },
  60_000,
)
