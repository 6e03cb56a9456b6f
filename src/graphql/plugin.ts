/**
 * Door 1: GraphQL over HTTP at /graphql, and the playground for browsers. Credentials, limits and the request
 * id are the socket's affair (src/http); what the socket refuses goes out in the envelope declared here.
 * Source: GraphQL over HTTP (draft of 2025); decisions 5 to 8 and 24 of the README.
 */
import { type ApolloServer, HeaderMap, type HTTPGraphQLRequest } from '@apollo/server'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { GraphQLError } from 'graphql'
import type { JsonObject } from '../core/input.ts'
import { readJsonBody } from '../http/json-body.ts'
import { JSON_TYPE, sendJson, sendText } from '../http/json-response.ts'
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
      const body = readJsonBody(request)
      if (body.kind === 'UnreadableBody') {
        const code = body.status === 415 ? 'UNSUPPORTED_MEDIA_TYPE' : 'BAD_REQUEST'
        return refuse(reply, body.status, code, body.message)
      }
      return answer(server, options, request, reply, body.fields)
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
  body: JsonObject | undefined,
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
  const type = response.headers.get('content-type') ?? JSON_TYPE
  reply.headers(Object.fromEntries(response.headers))
  return sendText(reply, { status, text, type, retryAfterSeconds })
}

/** The document of a request; empty where it has none, which is for Apollo to say. */
function queryIn({ url }: FastifyRequest, body: JsonObject | undefined): string {
  const query = body === undefined ? new URLSearchParams(searchOf(url)).get('query') : body['query']
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
  return sendJson(reply, { status, body: errorBody(code, message) })
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
  const type = answerType(request.headers.accept) ?? JSON_TYPE
  return sendText(reply, { status: 400, text: JSON.stringify({ errors }), type })
}

function errorBody(code: string, message: string) {
  return { errors: [{ message, extensions: { code } }] }
}
