/** The playground in Chromium, on the real app with demo data. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { groupedExamples } from '../../src/graphql/playground/example-groups.ts'
import { resetDemo } from '../../src/store/demo/reset.ts'
import { openTestApp, type TestApp } from '../support/app/test-app.ts'
import { axeViolations, DESKTOP, describeInBrowser, type OpenPage, PHONE } from '../support/browser.ts'

/** Two cores may be shared by many tests. */
const SLOW = 120_000
const NAMES = groupedExamples().flatMap(({ examples }) => examples.map(({ name }) => name))
const CARRIERS = '{ carriers { name } }'

let app: TestApp
let origin = ''
beforeAll(async () => {
  app = await openTestApp()
  origin = await app.app.server.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => app.close())

type Opened = Awaited<ReturnType<OpenPage>>

describeInBrowser('the playground', (open) => {
  async function openPlayground(path = '/graphql', options?: Parameters<OpenPage>[1]): Promise<Opened> {
    const opened = await open(`${origin}${path}`, options)
    // An editor has an accessible name when it is ready.
    for (const name of ['Query', 'Variables', 'Response'])
      await editor(opened.page, name).first().waitFor({ state: 'attached' })
    await opened.page.getByRole('button', { name: 'Run' }).waitFor()
    // The first request of the page is for the schema.
    await expect.poll(() => opened.page.evaluate<boolean>(HAS_FETCHED)).toBe(true)
    return opened
  }

  test(
    'lists the examples, and each of them runs',
    async () => {
      const { page, troubles } = await openPlayground()
      const list = page.getByRole('navigation', { name: 'Examples' })
      expect(await list.getByRole('button').allTextContents()).toEqual(NAMES)
      for (const name of NAMES) {
        const button = list.getByRole('button', { name, exact: true })
        expect((await button.boundingBox())?.y).toBeLessThan(DESKTOP.height)
        await button.click()
        await button.and(page.locator('[aria-current=true]')).waitFor()
        expect(JSON.parse(await run(page)).errors, name).toBeUndefined()
      }
      expect(troubles).toEqual([])
      await page.close()
    },
    SLOW,
  )

  test(
    'fills in the query and variables of a link, and does not run them',
    async () => {
      const query =
        'query Few($countries: [CountryCode!]) { carriers { id } customsCoverage(countries: $countries) { __typename } }'
      const parameters = new URLSearchParams({ query, variables: '{"countries":["CH"]}' })
      for (const separator of ['?', '#']) {
        const { page, troubles } = await openPlayground(`/graphql${separator}${parameters}`)
        const sent: string[] = []
        page.on('request', (request) => sent.push(request.postData() ?? ''))
        await expect.poll(() => shown(page, '.query')).toContain('query Few')
        await expect.poll(() => shown(page, '.small-editor')).toContain('"CH"')
        expect(sent.join()).not.toContain('Few')
        const answer = await run(page)
        expect(JSON.parse(answer).data.customsCoverage.__typename).toBe('CustomsCoverage')
        expect(troubles).toEqual([])
        await page.close()
      }
    },
    SLOW,
  )

  test(
    'copies a link that opens the query again',
    async () => {
      const { page } = await openPlayground(`/graphql#${new URLSearchParams({ query: CARRIERS })}`, {
        permissions: ['clipboard-read', 'clipboard-write'],
      })
      await page.getByRole('button', { name: 'Copy link' }).click()
      await page.getByText('Copied').waitFor()
      const link = new URL(await page.evaluate<string>('navigator.clipboard.readText()'))
      expect(link.pathname).toBe('/graphql')
      expect(new URLSearchParams(link.hash.slice(1)).get('query')).toBe(CARRIERS)
      await page.close()
    },
    SLOW,
  )

  test(
    'repeats a query until it is switched off, so that a slow cancellation is seen to end',
    async () => {
      const { page, troubles } = await openPlayground()
      await resetDemo(app.clone.db)
      await page.getByRole('button', { name: 'Cancel slowly' }).click()
      expect(await run(page)).toContain('CancellationPending')
      await page.getByLabel('Repeat').check()
      await page.locator('.response').getByText('"CANCELLED"').first().waitFor({ timeout: 90_000 })
      await page.getByRole('button', { name: 'Carriers' }).click()
      await expect.poll(() => page.getByLabel('Repeat').isChecked()).toBe(false)
      expect(troubles).toEqual([])
      await page.close()
    },
    SLOW,
  )

  test(
    'is operated with the keyboard: few stops before the query, and Tab leaves the editors',
    async () => {
      const { page } = await openPlayground()
      const stops: string[] = []
      for (let count = 0; count < 60 && stops.at(-1) !== 'Response'; count += 1) {
        await page.keyboard.press('Tab')
        stops.push(await page.evaluate<string>(FOCUSED))
      }
      const query = stops.findIndex((stop) => stop.startsWith('Query'))
      expect(stops.slice(query)).toEqual([
        ...['Query', 'Run', 'Repeat', 'Format', 'Copy link', 'Variables', 'Variables', 'Headers', 'Response'],
      ])
      // One for each example, the schema, the reset and the theme. A skip link leads past the examples.
      expect(query).toBeLessThanOrEqual(NAMES.length + 4)
      expect(stops[0]).toBe('Skip to the query')
      expect(await shown(page, '.query')).not.toContain('\t')
      await page.close()
    },
    SLOW,
  )

  test(
    'resets the demo with the keyboard, after a question',
    async () => {
      const { page, troubles } = await openPlayground()
      const state = async () => {
        const { data } = await app.graphql('{ shipment(id: "demo-draft") { state } }')
        return data?.['shipment']
      }
      await app.rest('/shipments/demo-draft/cancel')
      expect(await state()).toEqual({ state: 'CANCELLED' })
      await page.getByRole('button', { name: 'Reset demo' }).focus()
      await page.keyboard.press('Enter')
      await page.getByRole('dialog', { name: 'Reset the demo?' }).waitFor()
      expect(await page.evaluate<string>(FOCUSED)).toBe('Cancel')
      await page.keyboard.press('Escape')
      expect(await page.evaluate<string>(FOCUSED)).toBe('Reset demo')
      expect(await state()).toEqual({ state: 'CANCELLED' })
      await page.keyboard.press('Enter')
      await page.keyboard.press('Tab')
      expect(await page.evaluate<string>(FOCUSED)).toBe('Reset')
      await page.keyboard.press('Enter')
      await page.getByText('The demo is reset').waitFor()
      expect(await state()).toEqual({ state: 'DRAFT' })
      expect(troubles).toEqual([])
      await page.close()
    },
    SLOW,
  )

  test(
    'shows the description of the schema',
    async () => {
      const { page, troubles } = await openPlayground()
      await page.getByRole('button', { name: 'Schema' }).click()
      await page.getByText('shipments of several carriers').waitFor()
      await page.getByRole('link', { name: 'Query', exact: true }).click()
      await page.getByText('Shipping options of all carriers').waitFor()
      await page.keyboard.press('Escape')
      await expect.poll(() => page.evaluate<string>(FOCUSED)).toBe('Schema')
      expect(troubles).toEqual([])
      await page.close()
    },
    SLOW,
  )

  test(
    'keeps the query over a reload, and never stores credentials',
    async () => {
      const { page } = await openPlayground()
      await editor(page, 'Query').focus()
      await page.keyboard.type('# Mine ')
      await expect.poll(() => page.evaluate<string>('JSON.stringify(localStorage)')).toContain('# Mine')
      await page.reload()
      await expect.poll(() => shown(page, '.query')).toContain('# Mine')
      await expect.poll(() => shown(page, '.small-editor')).toContain('Amsterdam')
      await page.getByRole('button', { name: 'Carriers' }).click()
      await run(page)
      // The editors store their text after half a second.
      await expect.poll(() => page.evaluate<string>('JSON.stringify(localStorage)')).toContain('Carriers')
      await expect
        .poll(() => page.evaluate<string>("localStorage.getItem('graphiql:variables')"))
        .not.toContain('Amsterdam')
      await page.reload()
      await page.getByRole('button', { name: 'Carriers' }).and(page.locator('[aria-current]')).waitFor()
      expect(await run(page)).toContain('Rondeel Parcel')
      expect(await page.evaluate<string>('JSON.stringify(localStorage)')).not.toContain('demo-secret')
      await page.close()
    },
    SLOW,
  )

  test(
    'completes names and checks the query within the content security policy',
    async () => {
      const { page, troubles } = await openPlayground()
      await page.getByText('Theme').locator('select').selectOption('dark')
      await editor(page, 'Query').focus()
      await page.keyboard.press('Control+a')
      await page.keyboard.type('{ car', { delay: 50 })
      await page.locator('.suggest-widget').getByText('carriers').first().waitFor()
      await page.keyboard.press('Enter')
      await page.keyboard.type(' { nam } }')
      await page.locator('.query .squiggly-error').first().waitFor()
      expect(troubles).toEqual([])
      await page.close()
    },
    SLOW,
  )

  test(
    'fits a phone: example, query, button and response below each other',
    async () => {
      const { page, troubles } = await openPlayground('/graphql', { viewport: PHONE, hasTouch: true })
      await page.getByRole('combobox', { name: 'Example' }).selectOption('Carriers')
      await run(page)
      await page.locator('.response').getByText('"carriers"').waitFor()
      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(PHONE.width)
      const boxes = await Promise.all(
        ['.examples', '.query', '.run', '.response'].map((part) => page.locator(part).boundingBox()),
      )
      const tops = boxes.map((box) => box?.y ?? Number.NaN)
      expect(tops).toEqual(tops.toSorted((one, other) => one - other))
      expect(boxes[1]?.width).toBeGreaterThan(380)
      expect(boxes[3]?.width).toBeGreaterThan(380)
      expect(troubles).toEqual([])
      await page.close()
    },
    SLOW,
  )

  // Each size and each colour scheme once. The colours do not depend on the size.
  test.each([
    ['desktop', 'light', DESKTOP],
    ['phone', 'dark', PHONE],
  ] as const)(
    'has no violations that axe finds: %s, %s',
    async (_size, colorScheme, viewport) => {
      const { page } = await openPlayground('/graphql', { viewport, colorScheme })
      await run(page)
      await page.locator('.response').getByText('rateCardVersions').waitFor()
      expect(await violations(page)).toEqual([])
      await page.getByRole('button', { name: 'Schema' }).click()
      await page.getByRole('link', { name: 'Query', exact: true }).waitFor()
      expect(await violations(page)).toEqual([])
      await page.close()
    },
    SLOW,
  )
})

const HAS_FETCHED = `performance.getEntriesByType('resource').some(
  ({ initiatorType, responseEnd }) => initiatorType === 'fetch' && responseEnd > 0
)`

/** The name of what has the focus. Editors are text areas with a label. */
const FOCUSED = `(() => {
  const { activeElement: element } = document
  return (element.ariaLabel ?? element.labels?.[0]?.innerText ?? element.innerText).trim().split(/[;\\n]/)[0]
})()`

function editor(page: Page, name: string) {
  return page.getByRole('textbox', { name: new RegExp(`^${name}`) })
}

/** The visible text of an editor. Monaco writes blanks as no-break spaces. */
async function shown(page: Page, place: string): Promise<string> {
  const text = await page.locator(`${place} .view-lines`).first().innerText()
  return text.replaceAll('\u00a0', ' ')
}

async function run(page: Page): Promise<string> {
  const answered = page.waitForResponse((response) => response.request().method() === 'POST')
  await page.getByRole('button', { name: 'Run' }).click()
  return (await answered).text()
}

const violations = (page: Page): Promise<string[]> => axeViolations(page, 'label', 'button-name')
