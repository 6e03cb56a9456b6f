/**
 * Door 1: GraphQL over HTTP at /graphql, and the playground for browsers. Credentials, limits and the request
 * id are the socket's affair (src/http); what the socket refuses goes out in the envelope declared here.
 * Source: GraphQL over HTTP (draft of 2025); decisions 5 to 8 and 24 of the README.
 */
import { type ApolloServer, HeaderMap, type HTTPGraphQLRequest } from '@apollo/server'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { GraphQLError } from 'graphql'
import type { Ports } from '../operations/ports/ports.ts'
import { writeAnswer } from './answer.ts'
import { type Context, openContext } from './context.ts'
import { checkText } from './document-text.ts'
import { type PlaygroundOptions, playgroundRoutes } from './playground/routes.ts'
import { createServer, resultOf } from './server.ts'

/** What the door needs from outside. */
export type DoorOptions = {
  readonly ports: Ports
  /** Whether the schema may be asked for; the playground's documentation needs it. */
  readonly introspection: boolean
  /** The page for browsers at GET /graphql; undefined for none. */
  readonly playground?: PlaygroundOptions
  /** True for an error that means "not now" (503) rather than "wrong". */
  isOutage(error: unknown): boolean
  /** Logs an error that the caller is not told about, under the request's id. */
  logFault(error: unknown, request: FastifyRequest): void
}

const PATH = '/graphql'

/** The socket's reasons under the codes that GraphQL clients know; those not named keep their own word. */
const CODES: Readonly<Record<string, string>> = { UNAVAILABLE: 'SERVICE_UNAVAILABLE' }

/** The routes of this door, as a plugin for the socket. */
export function graphqlDoor(options: DoorOptions): FastifyPluginAsync {
  return async (app) => {
    const server = createServer({ ...options, log: app.log })
    await server.start()
    app.addHook('onClose', () => server.stop())
    const config = { envelope: (kind: string, message: string) => errorBody(CODES[kind] ?? kind, message) }

    app.post(PATH, { config }, async (request, reply) => {
      if (!isJson(request.headers['content-type']))
        return refuse(reply, 415, 'UNSUPPORTED_MEDIA_TYPE', 'The Content-Type must be application/json')
      if (!['identity', undefined].includes(request.headers['content-encoding']))
        return refuse(reply, 415, 'UNSUPPORTED_MEDIA_TYPE', 'The body must not be compressed')
      const body = readJson(request.body)
      if (body === undefined) return refuse(reply, 400, 'BAD_REQUEST', 'The body must be JSON in UTF-8')
      return answer(server, options, request, reply, body)
    })
    // No HEAD: it would run the query only to throw its answer away.
    app.get(PATH, { config, exposeHeadRoute: false }, async (request, reply) =>
      answer(server, options, request, reply, undefined),
    )
    if (options.playground !== undefined) await app.register(playgroundRoutes(PATH, options.playground))
  }
}

async function answer(
  server: ApolloServer<Context>,
  { ports, logFault }: DoorOptions,
  request: FastifyRequest,
  reply: FastifyReply,
  body: unknown,
): Promise<FastifyReply> {
  const { caller } = request
  if (caller === null) throw new Error('the credentials hook did not run')
  // Apollo looks only when it has the result, so a mutation would be refused after it was carried out.
  if (answerType(request.headers.accept) === undefined)
    return refuse(
      reply,
      406,
      'BAD_REQUEST',
      'The answer is application/json or application/graphql-response+json',
    )
  const excesses = checkText(queryIn(request, body))
  if (excesses.length > 0) return refuseText(request, reply, excesses)
  const { turns, allowance, log } = request
  const asked = {
    ...{ caller, ports, turns, allowance },
    logFault: (error: unknown) => logFault(error, request),
    logDeadline: () => log.warn('the request reached its deadline'),
  }
  const response = await server.executeHTTPGraphQLRequest({
    httpGraphQLRequest: httpRequest(request, body),
    context: async () => openContext(asked),
  })
  const written = await writeAnswer(resultOf(response), asked)
  const { text, status = response.status ?? 200, retryAfterSeconds } = written
  reply.code(status).headers(Object.fromEntries(response.headers))
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds))
  return reply.header('cache-control', 'no-store').send(text)
}

/** The document of a request; empty where it has none, which is for Apollo to say. */
function queryIn({ url }: FastifyRequest, body: unknown): string {
  const query = body === undefined ? new URLSearchParams(searchOf(url)).get('query') : Object(body).query
  return typeof query === 'string' ? query : ''
}

/** Not through URL: a Host header that is no host would throw. */
function httpRequest({ method, headers, url }: FastifyRequest, body: unknown): HTTPGraphQLRequest {
  const map = new HeaderMap()
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) map.set(name, String(value))
  return { method, headers: map, search: searchOf(url), body }
}

function searchOf(url: string): string {
  const start = url.indexOf('?')
  return start === -1 ? '' : url.slice(start)
}

function isJson(contentType: string | undefined): boolean {
  return /^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(contentType ?? '')
}

const JSON_TYPE = 'application/json; charset=utf-8'

const ANSWERED_TYPES: ReadonlyMap<string, string> = new Map([
  ['application/json', JSON_TYPE],
  ['application/graphql-response+json', 'application/graphql-response+json; charset=utf-8'],
  ['application/*', JSON_TYPE],
  ['*/*', JSON_TYPE],
])

/** The first type that a client accepts and that there is; undefined for none. */
function answerType(accept = '*/*'): string | undefined {
  for (const range of accept.split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    const answered = ANSWERED_TYPES.get(type)
    if (answered !== undefined && !parameters.some(isZeroQuality)) return answered
  }
  return undefined
}

function isZeroQuality(parameter: string): boolean {
  return /^q=0(\.0*)?$/.test(parameter)
}

function refuse(reply: FastifyReply, status: number, code: string, message: string): FastifyReply {
  return reply.code(status).header('cache-control', 'no-store').send(errorBody(code, message))
}

function refuseText(
  request: FastifyRequest,
  reply: FastifyReply,
  excesses: readonly GraphQLError[],
): FastifyReply {
  const errors = excesses.map(({ message, extensions: { http: _, ...extensions } }) => ({
    message,
    extensions,
  }))
  return reply
    .code(400)
    .header('content-type', answerType(request.headers.accept) ?? JSON_TYPE)
    .header('cache-control', 'no-store')
    .send(JSON.stringify({ errors }))
}

function errorBody(code: string, message: string) {
  return { errors: [{ message, extensions: { code } }] }
}

// How a body becomes a value: UTF-8 without exceptions, JSON without exceptions.

const UTF8 = new TextDecoder('utf-8', { fatal: true })

/** The value in the bytes that the socket collected; undefined when they are not JSON in UTF-8. */
export function readJson(bytes: unknown): unknown {
  if (!Buffer.isBuffer(bytes)) return undefined
  try {
    return JSON.parse(UTF8.decode(bytes))
  } catch {
    return undefined
  }
}
