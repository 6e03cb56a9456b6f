/** A database that dies while the service starts: the start waits for it and is repeated, whatever it was reading. */
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Server } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openApp } from '../../src/app/app.ts'
import { readConfig } from '../../src/config/config.ts'
import type { DatabaseHome } from '../../src/store/database/database-home.ts'
import { type ClonedDatabase, cloneDatabase } from '../support/database/clone-database.ts'
import type { TestSource } from '../support/database/test-server.ts'

let clone: ClonedDatabase
let server: Server
/** Connections so far, and those that end when the client has sent its first statement. */
let opened = 0
let cutAt: (connection: number) => boolean = () => false
beforeAll(async () => {
  clone = await cloneDatabase()
  server = createServer((near) => {
    opened += 1
    const isCut = cutAt(opened)
    const far = connect(addressOf(clone.source))
    const end = () => {
      near.destroy()
      far.destroy()
    }
    for (const socket of [near, far]) socket.on('error', end).on('close', end)
    let chunks = 0
    near.on('data', (chunk) => {
      chunks += 1
      // The first chunk opens the session.
      if (isCut && chunks > 1) end()
      else far.write(chunk)
    })
    far.pipe(near)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve))
  await clone.drop()
})

function addressOf(source: TestSource): NetConnectOpts {
  if (typeof source !== 'string') return { path: `${source.host}/.s.PGSQL.${source.port}` }
  const { hostname, port } = new URL(source)
  return { host: hostname, port: Number(port || 5432) }
}

function throughPort(source: TestSource, port: number): DatabaseHome['source'] {
  if (typeof source !== 'string') return { ...source, host: '127.0.0.1', port }
  const url = new URL(source)
  url.host = `127.0.0.1:${port}`
  return url.toString()
}

/** Returns how many connections the start has opened. */
async function startOnce(): Promise<number> {
  opened = 0
  const { port } = server.address() as AddressInfo
  const source = throughPort(clone.source, port)
  const home: DatabaseHome = { source, description: 'a test database', close: async () => {} }
  const config = readConfig({ LOG_LEVEL: 'silent' })
  const app = await openApp(config, { database: home })
  const connections = opened
  cutAt = () => false
  await app.close()
  return connections
}

test('does not end the process, whichever of its connections the database cuts', async () => {
  const connections = await startOnce()
  expect(connections).toBeGreaterThan(4)
  for (let number = 1; number <= connections; number += 1) {
    cutAt = (connection) => connection === number
    await startOnce()
  }
})
