/** Runs the program in docs/events.md, and compares the page with the code. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, openApp } from '../../src/app/app.ts'
import { readConfig } from '../../src/config/config.ts'
import { EVENT_TYPES } from '../../src/core/shipments/event.ts'
import { openTestApp, type TestApp } from '../support/app/test-app.ts'
import { makeThrowAwayFolder } from '../support/app/throw-away-folder.ts'
import { readPage } from './pages.ts'

const page = readPage('docs/events.md')

let first: TestApp
let folder: string
const children: ChildProcess[] = []
const later: App[] = []
beforeAll(async () => {
  first = await openTestApp()
  folder = makeThrowAwayFolder()
})
afterAll(async () => {
  for (const child of children) child.kill()
  for (const app of later) await app.close()
  await first.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Starts the program of the page. `printed` resolves with its lines when there are so many. */
function startProgram(address: string) {
  const program = path.join(folder, 'follow.mjs')
  const text = page.blocks.find((block) => block.text.startsWith('// follow.mjs'))?.text ?? ''
  writeFileSync(program, text.replaceAll('http://localhost:4000', address))
  const child = spawn('node', [program], { stdio: ['ignore', 'pipe', 'pipe'] })
  children.push(child)
  let output = ''
  let errors = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  child.stderr.on('data', (chunk) => (errors += chunk))
  return {
    child,
    errors: () => errors,
    printed: (count: number) =>
      new Promise<string[]>((resolve, reject) => {
        const lines = (): string[] => output.split('\n').slice(0, -1)
        child.once('exit', () => reject(new Error(`the program ended: ${errors}`)))
        const check = (): void => void (lines().length >= count && resolve(lines()))
        child.stdout.on('data', check)
        check()
      }),
  }
}

const cancel = (shipmentId: string) => first.rest(`/shipments/${shipmentId}/cancel`)

test('follow.mjs prints the events of the page, and continues at another process without missing one', async () => {
  const address = await first.app.server.listen({ port: 0, host: '127.0.0.1' })
  const program = startProgram(address)
  await program.printed(1)
  expect((await cancel('demo-booked')).status).toBe(200)
  const shown = page.blocks.find(
    ({ language, text }) => language === 'console' && text.includes('follow.mjs'),
  )
  expect(await program.printed(3)).toEqual(shown?.text.split('\n').slice(1))

  // Another process takes over the port. An event is recorded in between.
  await first.app.server.close()
  await first.clone.db
    .updateTable('shipment')
    .set({ state: 'in_transit' })
    .where('shipment_id', '=', 'demo-refused')
    .execute()
  const app = await openApp(readConfig({ LOG_LEVEL: 'silent', PORT: new URL(address).port }), {
    database: { source: first.clone.source, description: 'a test database', close: async () => {} },
  })
  later.push(app)
  await app.listen()
  expect((await program.printed(5)).slice(3)).toEqual([
    'following',
    'shipment.in_transit demo-refused IN_TRANSIT',
  ])
})

test('follow.mjs ends with the reason if the credentials are not valid', async () => {
  const { app, clone } = await openTestApp()
  const address = await app.server.listen({ port: 0, host: '127.0.0.1' })
  await clone.db.updateTable('api_key').set({ revoked_at: new Date() }).where('key_id', '=', 'demo').execute()
  const program = startProgram(address)
  const [code] = await once(program.child, 'exit')
  expect(code).toBe(1)
  expect(program.errors()).toContain('UNAUTHENTICATED')
  await app.close()
  await clone.drop()
})

test('docs/events.md lists every type', () => {
  const listed = [...page.text.matchAll(/^\| `(shipment\.\w+)` \|/gm)].map(([, type]) => type)
  expect(listed.sort()).toEqual([...EVENT_TYPES].sort())
})
