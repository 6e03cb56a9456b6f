/** Runs the GraphQL door on the real HTTP server with fake ports, and sends requests to it. */
import type { FastifyInstance } from 'fastify'
import { afterAll } from 'vitest'
import { type DoorOptions, graphqlDoor } from '../../src/graphql/plugin.ts'
import { openLog } from '../../src/http/log.ts'
import { buildServer } from '../../src/http/server.ts'
import type { Allowance, Turns } from '../../src/operations/ports/work.ts'
import { fakePorts } from './fake-ports.ts'

/** The credentials of the fake ports. */
export const CREDENTIALS = 'demo@demo-secret'

/** Instances treat this error as an outage of the database. */
export class Outage extends Error {}

export type Answer = {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
  readonly data: unknown
  /** Without the request id, which is compared with the header. */
  readonly errors: readonly {
    readonly message: string
    readonly path?: readonly (string | number)[]
    readonly extensions: { readonly code: string } & Readonly<Record<string, unknown>>
  }[]
}

export type InstanceOptions = Partial<DoorOptions> & {
  /** The turns of a request. Default: those of the server. */
  readonly turns?: () => Turns
  /** The allowance of all keys. Default: unlimited. */
  readonly allowance?: Allowance
  /** Default: `warn`. */
  readonly logLevel?: 'info'
}

/** Turns that end after every piece of work, so that other requests run in between. */
export const SHORT_TURNS: Turns = {
  over: () => true,
  next: () => new Promise((resolve) => setImmediate(resolve)),
}

export type Instance = {
  readonly app: FastifyInstance
  /** Warnings and errors in the log, or all lines from `logLevel`. */
  readonly lines: Readonly<Record<string, unknown>>[]
  readonly faults: { readonly error: unknown; readonly requestId: string }[]
  ask(query: string, variables?: unknown, headers?: Record<string, string>): Promise<Answer>
}

/** Throws if an error does not contain the request id of the response. */
function withoutRequestId(error: Answer['errors'][number], expected: unknown): Answer['errors'][number] {
  const { requestId, ...extensions } = error.extensions
  if (requestId !== expected) throw new Error(`requestId ${requestId}, but X-Request-Id ${expected}`)
  return { ...error, extensions }
}

/** Closes the instance after the tests of the file. */
export function openInstance({ turns, allowance, logLevel, ...options }: InstanceOptions = {}): Instance {
  const lines: Readonly<Record<string, unknown>>[] = []
  const faults: { error: unknown; requestId: string }[] = []
  const ports = options.ports ?? fakePorts()
  const isOutage = (error: unknown) => error instanceof Outage
  const door = graphqlDoor({
    ports,
    introspection: true,
    compiledQueries: true,
    isOutage,
    logFault: (error, request) => faults.push({ error, requestId: request.id }),
    ...options,
  })
  const app = buildServer({
    ports,
    doors: [door],
    isOutage,
    ready: async () => true,
    // Other tests may occupy the processor, so no wait counts as an overload.
    limits: { requestsPerMinute: 1e6, lameDuckMs: 0, overloadWaitMs: 60_000 },
    log: openLog({ level: logLevel ?? 'warn', stream: { write: (line) => lines.push(JSON.parse(line)) } }),
  })
  // After the server has set the turns and allowance of the request.
  app.addHook('preHandler', async (request) => {
    if (turns !== undefined) request.turns = turns()
    if (allowance !== undefined) request.allowance = allowance
  })
  afterAll(() => app.close())
  return {
    app,
    faults,
    lines,
    ask: async (query, variables, headers) => {
      const {
        statusCode,
        body,
        headers: answered,
      } = await app.inject({
        method: 'POST',
        url: '/graphql',
        headers: { 'content-type': 'application/json', 'x-pp-api': CREDENTIALS, ...headers },
        payload: JSON.stringify({ query, variables }),
      })
      const { data, errors = [] }: Pick<Answer, 'data'> & Partial<Pick<Answer, 'errors'>> = JSON.parse(body)
      return {
        ...{ status: statusCode, headers: answered, text: body, data },
        errors: errors.map((error) => withoutRequestId(error, answered['x-request-id'])),
      }
    },
  }
}
