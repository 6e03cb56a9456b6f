/** `waybill connector check`: the example passes it; faulty files and connectors do not. docs/connectors.md */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { runCommand } from '../../src/cli/program.ts'
import { readPage } from '../docs/pages.ts'

// A check waits for time limits of seconds, and plays hundreds of cases.
vi.setConfig({ testTimeout: 300_000 })

const EXAMPLE = path.resolve(import.meta.dirname, '../../examples/connector-royal-mail')
const folder = mkdtempSync(path.join(tmpdir(), 'waybill-connector-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Without a database: the command needs none. */
async function check(...words: string[]) {
  const out: string[] = []
  const err: string[] = []
  const code = await runCommand(
    ['connector', 'check', ...words],
    () => Promise.reject(new Error('the command has opened the database')),
    { line: (text) => void out.push(text), error: (text) => void err.push(text) },
  )
  return { code, out: out.join('\n').split('\n'), err: err.join('\n') }
}

const FIXTURES = ['--fixtures', path.join(EXAMPLE, 'fixtures')]

test.concurrent('Royal Mail, the example, passes with its fixtures', async () => {
  const { code, out, err } = await check(path.join(EXAMPLE, 'royal-mail.mjs'), ...FIXTURES)
  expect(out.filter((line) => line.startsWith('FAULT'))).toEqual([])
  expect([code, err]).toEqual([0, ''])
  expect(out).toContain('ok     fixture deleted: cancelled now')
  expect(out).toContain('ok     fixture no-order: refused UNKNOWN_PARCEL')
  expect(out).toContain('ok     repeated cancel, 404 of another server: unknown (HTTP 404)')
  expect(out.at(-1)).toMatch(/^[34]\d\d cases, 0 faults\.$/)
})

test.concurrent('a fault makes the exit code 1, also in JSON', async () => {
  const faulty = path.join(folder, 'faulty.mjs')
  const text = readFileSync(path.join(EXAMPLE, 'royal-mail.mjs'), 'utf8')
  const unguarded = text.replace('return isOwn ?', 'return true ?')
  expect(unguarded).not.toBe(text)
  writeFileSync(faulty, unguarded)
  const { code, out } = await check(faulty, ...FIXTURES, '--json')
  expect(code).toBe(1)
  const { connector, results } = JSON.parse(out.join('\n')) as {
    connector: string
    results: { name: string; outcome: string; fault?: string }[]
  }
  expect(connector).toBe('royal-mail')
  expect(results).toContainEqual({
    name: 'cancel, 404 without a body',
    outcome: 'refused UNKNOWN_PARCEL',
    fault: 'only unknown is allowed',
  })
})

test.concurrent('the connector of the page passes with the fixture of the page', async () => {
  const { blocks } = readPage('docs/connectors.md')
  const [whole] = blocks.filter(({ language }) => language === 'js')
  const file = path.join(folder, 'page.mjs')
  writeFileSync(file, whole?.text ?? '')
  const fixtures = mkdtempSync(path.join(folder, 'page-'))
  const [fixture] = blocks.filter(({ language }) => language === 'json')
  writeFileSync(path.join(fixtures, 'cancelled.json'), fixture?.text ?? '')
  const { code, out } = await check(file, '--fixtures', fixtures)
  expect([code, out.filter((line) => line.startsWith('FAULT'))]).toEqual([0, []])
  expect(out).toContain('ok     fixture cancelled: cancelled now')
})

test.concurrent.each([
  ['no path', 'token: { request: () => ({ body: "" }) }', 'expected a path that begins with /'],
  ['an error', 'token: { request() { throw new Error("no key") } }', 'no key'],
])('a request for a token that gives %s names the file', async (what, token, fault) => {
  const file = path.join(folder, `token-${what.replace(' ', '-')}.mjs`)
  writeFileSync(
    file,
    `export default { apiVersion: 1, name: 'x', settings: {}, hosts: { live: 'https://x.example' }, cancels: 'parcel',
      cancel: async () => undefined, track: async () => undefined, headers: () => ({}), ${token} }`,
  )
  expect(await check(file)).toMatchObject({
    code: 1,
    err: `waybill: the connector ${file} is refused:\n  token.request: ${fault}`,
  })
})

test.concurrent('works without fixtures', async () => {
  const { code, out } = await check(path.join(EXAMPLE, 'royal-mail.mjs'))
  expect([code, out.some((line) => line.includes('fixture'))]).toEqual([0, false])
})

test.concurrent.each([
  [['none.mjs'], 'waybill: the connector none.mjs cannot be loaded: there is no such file'],
  [[path.join(EXAMPLE, 'royal-mail.mjs'), '--fixtures', folder], `waybill: ${folder} has no fixtures`],
])('%s is refused', async (words, message) => {
  expect(await check(...words)).toMatchObject({ code: 1, err: message })
})
