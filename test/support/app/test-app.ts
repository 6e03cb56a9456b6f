/** The real app on a cloned database, called without a socket. */
import { devNull } from 'node:os'
import { type App, openApp } from '../../../src/app/app.ts'
import type { AppOptions } from '../../../src/app/context.ts'
import { readConfig } from '../../../src/config/config.ts'
import type { Clock } from '../../../src/operations/ports/ports.ts'
import { type ClonedDatabase, cloneDatabase } from '../database/clone-database.ts'
import { contractFaults } from '../partner-api.ts'
import { customsWorker } from './compiled-programs.ts'

/** The X-PP-API values of the two demo accounts. */
export const DEMO = 'demo@demo-secret'
export const OTHER = 'other@other-secret'

/** A day without seasonal surcharges, after the EU's change of July 2026. */
export const TEST_CLOCK: Clock = () => new Date('2026-10-20T12:00:00Z')

/** `text` is the exact body. */
export type RestAnswer = {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
  readonly json: unknown
}

/** The app, with a function for each door. */
export type TestApp = {
  readonly app: App
  readonly clone: ClonedDatabase
  /**
   * POST below /partners-api/v1. A string is sent as raw text; undefined sends no body. Rejects if the answer is not as
   * the OpenAPI document says.
   */
  rest(path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<RestAnswer>
  /** POST /graphql. Returns the decoded answer. */
  graphql(
    query: string,
    variables?: object,
    credentials?: string,
  ): Promise<{
    readonly data?: Record<string, unknown> | null
    readonly errors?: readonly { message: string }[]
  }>
  close(): Promise<void>
}

export type TestAppOptions = Pick<AppOptions, 'log' | 'wrapPorts'> & {
  /** Changes the clone before the app opens it. */
  readonly prepare?: (db: ClonedDatabase['db']) => Promise<unknown>
}

/** Opens the app on a new clone of the demo database. */
export async function openTestApp(
  environment: Readonly<Record<string, string>> = {},
  clock: Clock = TEST_CLOCK,
  { prepare, ...options }: TestAppOptions = {},
): Promise<TestApp> {
  const clone = await cloneDatabase()
  await prepare?.(clone.db)
  const database = { source: clone.source, description: 'a test database', close: async () => {} }
  const config = readConfig({
    LOG_LEVEL: 'silent',
    WAYBILL_JOURNAL: devNull,
    WAYBILL_RATE_LIMIT_PER_MINUTE: '1000000',
    // Other tests may occupy the processor.
    WAYBILL_OVERLOAD_WAIT_MS: '60000',
    ...environment,
  })
  const app = await openApp(config, { database, clock, customsWorker: customsWorker(), ...options })
  return {
    app,
    clone,
    async rest(path, body, headers = {}) {
      const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body)
      const url = `/partners-api/v1${path}`
      const reply = await app.server.inject({
        method: 'POST',
        url,
        headers: { 'x-pp-api': DEMO, 'content-type': 'application/json', ...headers },
        ...(text !== undefined && { payload: text }),
      })
      const answer = { status: reply.statusCode, headers: reply.headers }
      const faults = contractFaults({ ...answer, method: 'POST', url, body: reply.body })
      if (faults.length > 0) throw new Error(faults.join('\n'))
      return { ...answer, text: reply.body, json: JSON.parse(reply.body) }
    },
    async graphql(query, variables = {}, credentials = DEMO) {
      const reply = await app.server.inject({
        method: 'POST',
        url: '/graphql',
        headers: { 'x-pp-api': credentials, 'content-type': 'application/json' },
        payload: JSON.stringify({ query, variables }),
      })
      return JSON.parse(reply.body)
    },
    async close() {
      await app.close()
      await clone.drop()
    },
  }
}
