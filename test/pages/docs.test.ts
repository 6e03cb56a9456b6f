/** The documentation as rendered pages: every link and anchor, and what the pages do in a browser. */
import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { promisify } from 'node:util'
import { fastify } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { docsRoutes } from '../../src/pages/docs.ts'
import { ROOT, readPages } from '../docs/pages.ts'
import { makeThrowAwayFolder } from '../support/app/throw-away-folder.ts'
import { axeViolations, describeInBrowser, PHONE } from '../support/browser.ts'

const folder = path.join(makeThrowAwayFolder(), 'site')
let files: readonly string[] = []
beforeAll(async () => {
  await promisify(execFile)(process.execPath, [path.join(ROOT, 'tools/assets.mjs'), 'docs', folder], {
    cwd: ROOT,
  })
  files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(isFile)
})
afterAll(() => rmSync(path.dirname(folder), { recursive: true }))

const isFile = (file: string): boolean =>
  existsSync(path.join(folder, file)) && statSync(path.join(folder, file)).isFile()

const textOf = (file: string): string => readFileSync(path.join(folder, file), 'utf8')
const htmlFiles = () => files.filter((file) => file.endsWith('.html'))

describe('the rendered documentation', () => {
  test('has a page for every page of docs, with all its headings', () => {
    for (const { name, anchors } of readPages().filter((page) => page.name.startsWith('docs/'))) {
      const file = name
        .slice('docs/'.length)
        .replace(/README\.md$/, 'index.md')
        .replace(/\.md$/, '.html')
      const ids = idsIn(textOf(file))
      expect(
        [...anchors].filter((anchor) => !ids.has(anchor)),
        file,
      ).toEqual([])
    }
  })

  test('has only links that lead to a file and an anchor of the folder', () => {
    let checked = 0
    const broken: string[] = []
    for (const file of htmlFiles())
      for (const [, href = ''] of textOf(file).matchAll(/(?:href|src)="([^"]*)"/g)) {
        if (/^(https?|data|mailto):/.test(href)) continue
        checked++
        const [target = '', anchor] = href.split('#')
        const linked = target === '' ? file : path.posix.join(path.posix.dirname(file), target)
        if (
          !isFile(linked) ||
          (anchor !== undefined && linked.endsWith('.html') && !idsIn(textOf(linked)).has(anchor))
        )
          broken.push(`${file}: ${href}`)
      }
    expect(broken).toEqual([])
    expect(checked).toBeGreaterThan(2_000)
  })

  test('has no inline styles or scripts, which the pages forbid', () => {
    for (const file of htmlFiles())
      expect(textOf(file), file).not.toMatch(/ style="|<style|<script>| on\w+="/)
  })

  test('has the Markdown of every page beside it, and lists all in llms.txt', () => {
    const list = textOf('llms.txt')
    for (const file of htmlFiles()) {
      const [, markdown = ''] =
        /<link rel="alternate" type="text\/markdown" href="([^"]+)">/.exec(textOf(file)) ?? []
      const target = path.posix.join(path.posix.dirname(file), markdown)
      expect(files, file).toContain(target)
      const isSubpage = target.includes('/') && !target.endsWith('README.md')
      if (!isSubpage && target !== 'README.md' && !target.startsWith('project/'))
        expect(list).toContain(`](${target})`)
    }
  })

  test('shows each heading of a page once under "On this page"', () => {
    const [, contents = ''] = /<aside[^>]*>([\s\S]*?)<\/aside>/.exec(textOf('rate-cards.html')) ?? []
    const links = [...contents.matchAll(/href="#([^"]+)"/g)].map(([, anchor]) => anchor)
    expect(links).toEqual([...new Set(links)])
    expect(links).toContain('how-a-price-is-calculated')
    expect(links).not.toContain('folders')
  })
})

function idsIn(html: string): ReadonlySet<string> {
  return new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id))
}

describeInBrowser('the documentation in a browser', (open) => {
  const app = fastify()
  let origin = ''
  beforeAll(async () => {
    await app.register(docsRoutes())
    await app.listen({ port: 0, host: '127.0.0.1' })
    origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  })
  afterAll(() => app.close())

  test('the search finds a section, which the keyboard opens', async () => {
    const { page, troubles } = await open(`${origin}/docs`)
    await page.keyboard.press('/')
    await page.keyboard.type('chargeable weight')
    await page.locator('#results a').first().waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL(/rate-card|glossary/)
    await page
      .locator('main')
      .getByText(/chargeable weight/i)
      .first()
      .waitFor()
    expect(troubles).toEqual([])
  })

  test('a text that occurs nowhere is said to be found nowhere', async () => {
    const { page } = await open(`${origin}/docs/limits.html`)
    await page.getByRole('searchbox').fill('zzqxv')
    await page.locator('#results').getByText('Nothing found', { exact: true }).waitFor()
  })

  test('a code block is copied with its button', async () => {
    const { page, troubles } = await open(`${origin}/docs/graphql.html`, {
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    const block = page.locator('.code').first()
    await block.hover()
    await block.getByRole('button', { name: 'Copy' }).click()
    await block.getByRole('button', { name: 'Copied' }).waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(await block.locator('pre').innerText())
    expect(troubles).toEqual([])
  })

  test.each(['light', 'dark'] as const)('has no violations that axe finds: %s', async (colorScheme) => {
    const { page } = await open(`${origin}/docs`, { colorScheme })
    for (const name of ['index', 'checkout']) {
      await page.goto(`${origin}/docs/${name}.html`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      expect(await axeViolations(page, 'link-name', 'label')).toEqual([])
    }
  })

  test('a phone shows the navigation on demand, and nothing is wider than its screen', async () => {
    const { page, troubles } = await open(`${origin}/docs/rest-contract.html`, { viewport: PHONE })
    const navigation = page.getByRole('navigation', { name: 'Documentation' })
    expect(await navigation.isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Menu' }).click()
    await navigation.waitFor()
    await navigation.getByRole('link', { name: 'Rate cards' }).click()
    await page.waitForURL(/rate-cards\.html/)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width)
    expect(troubles).toEqual([])
  })

  test('names of settings are broken where the columns need it', async () => {
    const { page } = await open(`${origin}/docs/configuration.html`)
    const hidden = `[...document.querySelectorAll('.table')].map((table) => table.scrollWidth - table.clientWidth)`
    expect(new Set(await page.evaluate<number[]>(hidden))).toEqual(new Set([0]))
    await page.setViewportSize(PHONE)
    const rightOfValues = `document.querySelector('th:nth-child(2)').getBoundingClientRect().right`
    expect(await page.evaluate(rightOfValues)).toBeLessThan(PHONE.width)
  })
})
