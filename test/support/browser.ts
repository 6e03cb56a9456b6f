/** Headless Chromium for tests. Where it is not installed, `describeInBrowser` skips its tests and prints a line. */
import { existsSync } from 'node:fs'
import { AxeBuilder } from '@axe-core/playwright'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect } from 'vitest'

const executablePath = [process.env['CHROMIUM_PATH'], '/usr/bin/chromium', '/usr/bin/chromium-browser'].find(
  (path) => path !== undefined && existsSync(path),
)

/**
 * The lists of suggestions below the address bar, which Chromium loads as two pages of its own for each window: a third
 * of the CPU time of a short test. The others are those that Playwright disables, because this list replaces its own.
 */
const DISABLED_FEATURES = [
  ...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'],
  ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades'],
  ...['HttpsFirstBalancedModeAutoEnable', 'LensOverlay', 'MediaRouter', 'PaintHolding', 'AimEnabled'],
  ...[
    'ThirdPartyStoragePartitioning',
    'OptimizationHints',
    'NetworkTimeServiceQuerying',
    'PreconnectToSearch',
  ],
]

const ARGUMENTS = [
  '--no-sandbox',
  '--headless',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${DISABLED_FEATURES}`,
]

/** How long to wait for a state of a page on a busy machine. */
const PATIENCE_MS = 90_000

export const DESKTOP = { width: 1440, height: 900 }
export const PHONE = { width: 390, height: 844 }

/** Opens a page, and records its errors and its requests to other origins than that of its address. */
export type OpenPage = (
  url: string,
  options?: BrowserContextOptions,
) => Promise<{ readonly page: Page; readonly troubles: string[] }>

export function describeInBrowser(name: string, tests: (open: OpenPage) => void): void {
  if (executablePath === undefined) console.log(`${name}: skipped, no Chromium (set CHROMIUM_PATH)`)
  describe.skipIf(executablePath === undefined)(name, () => {
    let browser: Browser | undefined
    beforeAll(async () => {
      browser = await chromium.launch({
        args: ARGUMENTS,
        ...(executablePath !== undefined && { executablePath }),
      })
    })
    afterAll(() => browser?.close())
    tests(async (url, options) => {
      if (browser === undefined) throw new Error('no browser')
      const context = await browser.newContext({ viewport: DESKTOP, ...options })
      const page = await context.newPage()
      page.setDefaultTimeout(PATIENCE_MS)
      // The browser may be closed first, which closes the context too.
      page.once('close', () => context.close().catch(() => {}))
      const troubles = recordTroubles(page, new URL(url).origin)
      await page.goto(url)
      return { page, troubles }
    })
  })
}

/** What axe finds wrong in the page as it is now. Fails if axe did not check the page by the rules of `checked`. */
export async function axeViolations(page: Page, ...checked: readonly string[]): Promise<string[]> {
  const { violations, passes } = await new AxeBuilder({ page }).analyze()
  expect(passes.map(({ id }) => id)).toEqual(expect.arrayContaining(['color-contrast', ...checked]))
  return violations.map(
    ({ impact, id, nodes }) => `${impact} ${id}: ${nodes.map(({ html }) => html).join(' ')}`,
  )
}

function recordTroubles(page: Page, origin: string): string[] {
  const troubles: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) troubles.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => troubles.push(`error: ${error.message}`))
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText
    // A page cancels requests whose answer it no longer needs.
    if (reason !== 'net::ERR_ABORTED') troubles.push(`failed: ${request.url()} ${reason}`)
  })
  page.on('response', (response) => {
    if (response.status() >= 400) troubles.push(`${response.status()}: ${response.url()}`)
  })
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(`${origin}/`) && !url.startsWith('data:')) troubles.push(`elsewhere: ${url}`)
  })
  return troubles
}
