/** Compares tables of docs/carriers.md, docs/cancellation.md and docs/operations.md with the code. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { CALLER_LIMITS } from '../../src/carriers/gateway/bulkhead.ts'
import { CARRIER_TIMEOUT_MS } from '../../src/carriers/gateway/gateway.ts'
import { CONNECTORS } from '../../src/carriers/registry.ts'
import { CANCEL_POLICY } from '../../src/operations/ask-carrier/policy.ts'
import type { WebhookAlert } from '../../src/operations/ports/webhooks.ts'
import { OVERDUE_MS } from '../../src/operations/sweep/sweep.ts'
import { ROOT, readPage } from './pages.ts'

/** The cells of the table rows of a page, without code marks. */
function rowsOf(page: string): string[][] {
  return readPage(page).prose.flatMap(({ text }) =>
    text.startsWith('| ')
      ? [
          text
            .slice(1, -1)
            .split('|')
            .map((cell) => cell.replaceAll('`', '').trim()),
        ]
      : [],
  )
}

const namesIn = (cell: string): string[] => (cell === '' ? [] : cell.split(', '))

test('docs/carriers.md lists the connectors with their credentials and addresses', () => {
  const listed = rowsOf('docs/carriers.md').filter(([, , , url]) => url?.startsWith('http'))
  const shown = listed.map(([name, credentials = '', optional = '', liveUrl]) => ({
    ...{ name, liveUrl },
    credentials: namesIn(credentials),
    optionalCredentials: namesIn(optional),
  }))
  const real = Object.entries(CONNECTORS).map(
    ([name, { credentials, optionalCredentials = [], liveUrl }]) => ({
      ...{ name, liveUrl, credentials, optionalCredentials },
    }),
  )
  const byName = (a: { name: string | undefined }, b: { name: string | undefined }) =>
    String(a.name) < String(b.name) ? -1 : 1
  expect(shown.sort(byName)).toEqual(real.sort(byName))
})

test.each([
  ["a carrier's answer", CARRIER_TIMEOUT_MS],
  ['waiting for a slot at a carrier', CALLER_LIMITS.waitMs],
  ['the lookup of a refusal in doubt', CANCEL_POLICY.lookupTimeoutMs],
  ['the lease on an attempt', CANCEL_POLICY.leaseMs],
  ['a caller waits', CANCEL_POLICY.deadlineMs],
  ['a repeated request asks the carrier again', CANCEL_POLICY.callerWaitMs],
  ['a refusal is remembered', CANCEL_POLICY.refusalMemoryMs],
  ['a refusal is verified', CANCEL_POLICY.verifyAfterMs],
  ['alert for an open attempt', OVERDUE_MS],
])('docs/cancellation.md says how long: %s', (name, milliseconds) => {
  const shown = rowsOf('docs/cancellation.md').find(([what]) => what === name)?.[1] ?? ''
  const [, figure, unit] = /([\d.]+) (s|min)\b/.exec(shown) ?? []
  expect(Number(figure) * (unit === 'min' ? 60_000 : 1_000)).toBe(milliseconds)
})

test('docs/operations.md lists every alert', () => {
  const source = readFileSync(path.join(ROOT, 'src/operations/ports/ports.ts'), 'utf8')
  const [, kinds = ''] = /export type Alert = \{\n([\s\S]*?)readonly carrierCode/.exec(source) ?? []
  const ofWebhooks: WebhookAlert['kind'] = 'WEBHOOK_DISABLED'
  const real = [...kinds.matchAll(/'([A-Z_]+)'/g)].map(([, kind]) => kind)
  const shown = rowsOf('docs/operations.md').flatMap(([kind = '']) => (/^[A-Z_]+$/.test(kind) ? [kind] : []))
  expect(real.length).toBeGreaterThan(5)
  expect(shown.sort()).toEqual([...real, ofWebhooks].sort())
})
