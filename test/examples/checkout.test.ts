/** The example shop at /demo: in Chromium with the keyboard alone, and its server half. See docs/example-shop.md. */
import { sql } from 'kysely'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, TEST_CLOCK, type TestApp } from '../support/app/test-app.ts'
import { axeViolations, describeInBrowser, PHONE } from '../support/browser.ts'

/** Two cores may be shared by many tests. */
const SLOW = 240_000
const WAIT = { timeout: 60_000 }

let app: TestApp
let origin = ''
let nowMs = TEST_CLOCK().getTime()
beforeAll(async () => {
  app = await openTestApp({}, () => new Date(nowMs))
  origin = await app.app.server.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => app.close())

describeInBrowser('the example shop', (open) => {
  test(
    'leads from the basket to a cancelled order with the keyboard alone',
    async () => {
      const { page, troubles } = await open(`${origin}/demo`)
      await page.getByRole('heading', { name: 'Checkout' }).waitFor(WAIT)
      await choose(page, page.getByRole('button', { name: /If you cancel/ }), 'Is down twice')

      // Empty fields, then a postal code of another country: the errors are beside the fields, and have the focus.
      await press(page, page.getByRole('button', { name: 'Show delivery options' }))
      for (const error of ['Enter your name.', 'Choose a country.', 'Enter the city.'])
        await page.getByText(error).waitFor(WAIT)
      await untilFocused(page.getByLabel('Name'))
      expect(await violations(page)).toEqual([])
      await fillAddress(page, 'United States', 'SW1A 1AA')
      await page.keyboard.press('Enter')
      await page.getByText('Postal codes in United States look like 10001.').waitFor(WAIT)
      await untilFocused(page.getByLabel('Postal code'))
      await page.keyboard.press('Control+a')
      await page.keyboard.type('10001')
      await page.keyboard.press('Enter')

      // The card that is chosen has the focus of its group. The lines of a price add up to it.
      await untilFocused(page.getByRole('heading', { name: 'Delivery' }))
      const cards = page.getByRole('radiogroup', { name: 'Delivery' }).getByRole('radio')
      await cards.first().waitFor(WAIT)
      await tabTo(page, cards.first())
      await page.keyboard.press('ArrowDown')
      await expect.poll(() => cards.last().isChecked(), WAIT).toBe(true)
      const express = page.locator('.option').last()
      expect(await express.innerText()).toMatch(/Arrives \w{3} \d+ Oct to \w{3} \d+ Oct[\s\S]*Fastest/)
      await press(page, express.getByRole('button', { name: /What the price/ }))
      const lines = express.locator('tbody .amount')
      await lines.first().waitFor(WAIT)
      const [net = '', vat = '', gross = ''] = await express.locator('tfoot .amount').allInnerTexts()
      expect(sum(await lines.allInnerTexts())).toBe(sum([net]))
      expect([vat, gross]).toEqual(['€0.00', net])
      expect(await express.innerText()).toContain('incl. 0% VAT')
      expect(await violations(page)).toEqual([])
      await press(page, page.getByRole('button', { name: 'Continue', exact: true }))

      // The parts of the landed cost add up to the total, and the answer to the question changes it.
      const total = page.locator('.waterfall .total .amount')
      await page.getByRole('radiogroup', { name: /What is the upper made of/ }).waitFor(WAIT)
      const assumed = await total.innerText()
      expect(sum(await parts(page))).toBe(sum([assumed]))
      expect(await page.locator('.waterfall').innerText()).toMatch(/Value added tax\s+Not charged/)
      await tabTo(page, page.getByRole('radio', { name: /assumed for now/ }))
      await arrowTo(page, page.getByRole('radio', { name: /^Boots, rubber or plastic upper/ }))
      await expect.poll(() => total.innerText(), WAIT).not.toBe(assumed)
      // The rates of leather and of the assumed textile differ, but an additional duty makes up for it.
      await arrowTo(page, page.getByRole('radio', { name: /^Boots, leather upper/ }))
      await expect.poll(() => total.innerText(), WAIT).toBe(assumed)
      const landed = await total.innerText()
      expect(sum(await parts(page))).toBe(sum([landed]))
      await press(page, page.getByRole('button', { name: /Most-favoured-nation duty/ }))
      await page.getByText(/: 10% of the goods value EUR 189.00/).waitFor(WAIT)
      expect(await violations(page)).toEqual([])
      await press(page, page.getByRole('button', { name: 'Continue to review' }))

      // The token of the price expires, and meanwhile the price has changed: both are shown, and nothing is ordered.
      const place = page.getByRole('button', { name: 'Place order' })
      await place.waitFor(WAIT)
      expect(await page.locator('.step-body').innerText()).toContain(landed)
      await raisePrices()
      nowMs += 31 * 60_000
      await press(page, place)
      const prices = page.locator('.prices dd')
      await prices.first().waitFor(WAIT)
      const [seen = '', current = ''] = await prices.allInnerTexts()
      expect(sum([current])).toBeGreaterThan(sum([seen]))
      expect(await shipmentStates()).not.toContain('DRAFT of the shop')
      expect(await violations(page)).toEqual([])
      await press(page, page.getByRole('button', { name: `Order with delivery for ${current}` }))

      await untilFocused(page.getByRole('heading', { name: 'Thank you, your order is booked' }))
      expect(await shipmentStates()).toContain('BOOKED of the shop')
      const pending = page.getByText('The carrier has not confirmed yet').waitFor(WAIT)
      await press(page, page.getByRole('button', { name: 'Cancel order' }))
      await pending
      await page.getByRole('heading', { name: 'Your order is cancelled' }).waitFor(WAIT)
      await page.getByText('The carrier has confirmed.').waitFor(WAIT)
      expect(await shipmentStates()).toContain('CANCELLED of the shop')
      expect(await violations(page)).toEqual([])
      // The page asked with the old checkout token once, and then got a new one.
      expect(troubles.filter((trouble) => !/403/.test(trouble))).toEqual([])
      await page.close()
    },
    SLOW,
  )

  test(
    'shows the same price with VAT in every step',
    async () => {
      const { page, troubles } = await open(`${origin}/demo`)
      await toDelivery(page, 'Germany', '10115')
      const card = page.locator('.option').first()
      const shown = await card.locator('.option-choice .amount b').innerText()
      expect(await card.innerText()).toContain('incl. 21% VAT')
      await press(page, card.getByRole('button', { name: /What the price/ }))
      const [net = '', vat = '', gross = ''] = await card.locator('tfoot .amount').allInnerTexts()
      expect(sum([vat])).toBe(Math.round(sum([net]) * 0.21))
      expect([gross, sum([net, vat])]).toEqual([shown, sum([shown])])
      expect(await violations(page)).toEqual([])
      await press(page, page.getByRole('button', { name: 'Continue', exact: true }))

      const total = page.locator('.waterfall .total .amount')
      await total.waitFor(WAIT)
      const landed = await total.innerText()
      expect(sum(await parts(page))).toBe(sum([landed]))
      expect(await page.locator('.waterfall').innerText()).toMatch(/VAT on shipping\s+€/)
      const goods = await page.locator('.basket .sums dd').first().innerText()
      expect(sum([landed])).toBe(sum([goods, shown]))
      expect(await page.locator('.basket .sums').innerText()).toMatch(
        new RegExp(`incl\\. 21% VAT[\\s\\S]*${shown}[\\s\\S]*${landed}`),
      )
      await press(page, page.getByRole('button', { name: 'Continue to review' }))
      const place = page.getByRole('button', { name: 'Place order' })
      await place.waitFor(WAIT)
      expect(await page.locator('.step-body').innerText()).toContain(`You pay us ${landed} for goods and`)
      expect(await page.locator('.step-body').innerText()).toContain(`(${shown} incl. 21% VAT)`)

      // Both prices are with VAT too, and the current one is that of the new quote.
      nowMs += 31 * 60_000
      await press(page, place)
      const prices = page.locator('.prices dd')
      await prices.first().waitFor(WAIT)
      expect(await prices.allInnerTexts()).toEqual([shown, shown])
      await press(page, page.getByRole('button', { name: `Order with delivery for ${shown}` }))
      await untilFocused(page.getByRole('heading', { name: 'Thank you, your order is booked' }))
      const facts = page.locator('.facts')
      await facts.getByText('Total on arrival').waitFor(WAIT)
      expect(await facts.innerText()).toContain(`${shown} incl. 21% VAT`)
      expect(await facts.innerText()).toContain(landed)
      expect(troubles.filter((trouble) => !/403/.test(trouble))).toEqual([])
      await page.close()
    },
    SLOW,
  )

  test(
    'says that a price is without VAT where none is known',
    async () => {
      const { page, troubles } = await open(`${origin}/demo`, { viewport: PHONE })
      await toDelivery(page, 'United Kingdom', 'BT1 1AA')
      const card = page.locator('.option').first()
      expect(await card.innerText()).toContain('without VAT')
      expect(await page.locator('main').innerText()).not.toContain('incl.')
      await press(page, card.getByRole('button', { name: /What the price/ }))
      await card.getByText('Not known').waitFor(WAIT)
      expect(await violations(page)).toEqual([])
      await press(page, page.getByRole('button', { name: 'Continue', exact: true }))
      await page.getByText('This total is incomplete.').waitFor(WAIT)
      expect(await page.locator('.waterfall').innerText()).toMatch(
        /VAT on shipping\s+Not known[\s\S]*as far as known/,
      )
      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(PHONE.width)
      await press(page, page.getByRole('button', { name: 'Continue to review' }))
      await page
        .getByText(/You pay us €[\d.,]+ for goods and shipping \(€[\d.,]+ without VAT\)/)
        .waitFor(WAIT)
      expect(troubles).toEqual([])
      await page.close()
    },
    SLOW,
  )

  test(
    'says on a phone what is missing in a total, and that a carrier refuses',
    async () => {
      const { page, troubles } = await open(`${origin}/demo`, { viewport: PHONE, colorScheme: 'dark' })
      await page.getByRole('heading', { name: 'Checkout' }).waitFor(WAIT)
      await choose(page, page.getByRole('button', { name: /If you cancel/ }), 'Refuses: too late')
      await press(page, page.getByRole('button', { name: 'Your basket' }))
      await press(page, page.getByRole('button', { name: 'Add Dune merino jumper' }))
      await page.getByRole('textbox', { name: 'Quantity of Dune merino jumper' }).waitFor(WAIT)
      await tabTo(page, page.getByLabel('Name'))
      await fillAddress(page, 'Thailand', '10100')
      await page.keyboard.press('Enter')
      await untilFocused(page.getByRole('heading', { name: 'Delivery' }))
      await press(page, page.getByRole('button', { name: 'Continue', exact: true }))
      await page.getByText('This total is incomplete.').waitFor(WAIT)
      expect(await page.locator('.waterfall').innerText()).toMatch(
        /Import duty.*\s+Not known[\s\S]*as far as known/,
      )
      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(PHONE.width)
      expect(await violations(page)).toEqual([])
      await press(page, page.getByRole('button', { name: 'Continue to review' }))
      await press(page, page.getByRole('button', { name: 'Place order' }))
      await untilFocused(page.getByRole('heading', { name: 'Thank you, your order is booked' }))
      await press(page, page.getByRole('button', { name: 'Cancel order' }))
      await page.getByText('The time for cancelling this parcel has passed').waitFor(WAIT)
      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(PHONE.width)
      expect(await violations(page)).toEqual([])
      expect(troubles).toEqual([])
      await page.close()
    },
    SLOW,
  )
})

/** Enters an address in the first step, and waits for the options. */
async function toDelivery(page: Page, country: string, postalCode: string): Promise<void> {
  await page.getByRole('heading', { name: 'Checkout' }).waitFor(WAIT)
  await tabTo(page, page.getByLabel('Name'))
  await fillAddress(page, country, postalCode)
  await page.keyboard.press('Enter')
  await untilFocused(page.getByRole('heading', { name: 'Delivery' }))
  await page.locator('.option').first().waitFor(WAIT)
}

/** The states of all shipments of the account. Those that the shop has created have their order as the reference. */
async function shipmentStates(): Promise<string[]> {
  const { data } = await app.graphql('{ shipments(first: 50) { edges { node { state reference } } } }')
  const { edges } = data?.['shipments'] as { edges: { node: { state: string; reference: string | null } }[] }
  return edges.map(({ node: { state, reference } }) => `${state}${reference === null ? '' : ' of the shop'}`)
}

async function raisePrices(): Promise<void> {
  const express = async () => {
    const { data } = await app.graphql(`{ rates(input: { from: { country: "NL" } to: { country: "US" }
      filter: { productIds: ["1101"] } parcels: { boxes: [{ weightKg: "2", lengthCm: 9, widthCm: 9, heightCm: 9 }] } })
      { ... on RateQuote { options { price { amount } } } } }`)
    return JSON.stringify(data)
  }
  const before = await express()
  await sql`INSERT INTO contract (account_id, valid_from, freight_bps, fuel_bps, hidden)
    VALUES ('demo-shop', '2026-01-01', 1000, 0, false)`.execute(app.clone.db)
  await sql`UPDATE rate_book SET revision = revision + 1`.execute(app.clone.db)
  await expect.poll(express, WAIT).not.toBe(before)
}

/** The amounts of the waterfall, without its total. */
async function parts(page: Page): Promise<string[]> {
  const amounts = await page.locator('.waterfall li:not(.total) .amount').allInnerTexts()
  return amounts.filter((text) => text.startsWith('€'))
}

/** In cents. */
function sum(amounts: readonly string[]): number {
  return amounts.reduce((cents, text) => cents + Math.round(Number(text.replaceAll(/[€,]/g, '')) * 100), 0)
}

/** Types an address. The first field has the focus. */
async function fillAddress(page: Page, country: string, postalCode: string): Promise<void> {
  await page.keyboard.type('Ada Janssen')
  await page.keyboard.press('Tab')
  await page.keyboard.type('ada@example.com')
  await choose(page, page.getByRole('button', { name: /Country/ }), country)
  for (const text of ['Main Street 1', postalCode, 'Springfield']) {
    await page.keyboard.press('Tab')
    await page.keyboard.type(text)
  }
}

/** Chooses an entry of a menu by the beginning of its text. */
async function choose(page: Page, menu: Locator, text: string): Promise<void> {
  await tabTo(page, menu)
  await page.keyboard.press('Enter')
  const entry = page.getByRole('option', { name: text })
  await entry.waitFor(WAIT)
  const focused = page.locator('[role=option]:focus')
  for (;;) {
    await focused.waitFor(WAIT)
    const name = await focused.innerText()
    if (name.startsWith(text)) break
    await page.keyboard.press('ArrowDown')
    // Another press before the next entry has the focus could lead past the entry.
    await focused.filter({ hasNotText: name }).waitFor(WAIT)
  }
  await page.keyboard.press('Enter')
  await entry.waitFor({ ...WAIT, state: 'detached' })
  await untilFocused(menu)
}

async function press(page: Page, button: Locator): Promise<void> {
  await tabTo(page, button)
  await page.keyboard.press('Enter')
}

/** Presses Tab until the element has the focus. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor(WAIT)
  for (let presses = 0; !(await isFocused(target)); presses += 1) {
    if (presses === 60) throw new Error(`the keyboard does not reach ${target}`)
    await page.keyboard.press('Tab')
  }
}

/** Chooses a radio button of the group that has the focus. The last one is followed by the first. */
async function arrowTo(page: Page, target: Locator): Promise<void> {
  while (!(await target.isChecked())) await page.keyboard.press('ArrowDown')
}

function isFocused(target: Locator): Promise<boolean> {
  return target.evaluate((element) => element === element.ownerDocument.activeElement)
}

async function untilFocused(target: Locator): Promise<void> {
  await target.waitFor(WAIT)
  await expect.poll(() => isFocused(target), WAIT).toBe(true)
}

const violations = (page: Page): Promise<string[]> => axeViolations(page, 'button-name')
