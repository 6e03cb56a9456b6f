/** Runs the receiver in docs/webhooks.md against the service, and compares the page with the code. */
import { type ChildProcess, spawn } from 'node:child_process'
import { rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { addEndpoint, ENDPOINTS_MAX, readDeliveries } from '../../src/store/webhooks/endpoints.ts'
import { pauseMs } from '../../src/webhooks/deliver.ts'
import { openTestApp, type TestApp } from '../support/app/test-app.ts'
import { makeThrowAwayFolder } from '../support/app/throw-away-folder.ts'
import { ROOT, readPage } from './pages.ts'

const page = readPage('docs/webhooks.md')

let app: TestApp
let folder: string
let receiver: ChildProcess | undefined
beforeAll(async () => {
  app = await openTestApp({ WAYBILL_WEBHOOK_PRIVATE: 'true' })
  folder = makeThrowAwayFolder()
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'))
})
afterAll(async () => {
  receiver?.kill()
  await app.close()
  rmSync(folder, { recursive: true, force: true })
})

test('receive.mjs accepts what the service sends, and nothing else', async () => {
  const text = page.blocks.find((block) => block.text.startsWith('// receive.mjs'))?.text ?? ''
  const program = path.join(folder, 'receive.mjs')
  // The program prints no port, so this one adds the port that it got.
  writeFileSync(program, `${text}\nserver.on('listening', () => console.log(server.address().port))\n`)
  const { db } = app.clone
  // The port is known after the secret, so the endpoint gets its URL later.
  const added = await addEndpoint(db, 'demo-shop', 'http://127.0.0.1:9/', undefined)
  if (added === undefined || added === 'full') throw new Error('no endpoint')
  receiver = spawn('node', [program], {
    env: { ...process.env, PORT: '0', WEBHOOK_SECRET: added.secret },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  receiver.stdout?.on('data', (chunk) => (output += chunk))
  const lines = () => output.split('\n').slice(0, -1)
  await vi.waitFor(() => expect(lines()).toHaveLength(1), { timeout: 60_000 })
  const url = `http://127.0.0.1:${lines()[0]}/`
  await db.updateTable('webhook_endpoint').set({ url }).where('endpoint_id', '=', added.endpointId).execute()

  expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401)
  expect((await app.rest('/shipments/demo-booked/cancel')).status).toBe(200)
  await vi.waitFor(() => expect(lines()).toHaveLength(3), { timeout: 60_000 })
  expect(lines().slice(1)).toEqual([
    'shipment.cancellation_pending demo-booked BOOKED',
    'shipment.cancelled demo-booked CANCELLED',
  ])
  await vi.waitFor(async () =>
    expect((await readDeliveries(db, added.endpointId, 10)).map(({ status }) => status)).toEqual([204, 204]),
  )
})

test('the page gives the pauses after failures, and the number of endpoints', () => {
  const shown = [...page.text.matchAll(/^\| (\d) (?:or more )?\| (\d+) (s|min|h) \|$/gm)]
  expect(shown).toHaveLength(7)
  for (const [, failures, figure, unit] of shown)
    expect(pauseMs(Number(failures), 0)).toBe(
      Number(figure) * { s: 1_000, min: 60_000, h: 3_600_000 }[unit ?? '']!,
    )
  expect(page.text).toContain(`at most ${ENDPOINTS_MAX} for an account`)
})
