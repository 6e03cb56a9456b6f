/**
 * GraphQL over HTTP at /graphql, and the playground. Credentials, limits and request ids are handled in src/http, which
 * writes its errors with the `envelope` that is declared here. See docs/graphql.md#send-a-request.
 * Source: GraphQL over HTTP specification, draft of 2025.
 */
import { HeaderMap, type HTTPGraphQLRequest } from '@apollo/server'
import type { FastifyContextConfig, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { type GraphQLError, parse } from 'graphql'
import { isAbsent, isJsonObject, type JsonObject } from '../core/input.ts'
import { readJsonBody } from '../http/json-body.ts'
import {
  CACHEABLE_METHODS,
  JSON_TYPE,
  sendCacheable,
  sendJson,
  sendText,
  type TextResponse,
} from '../http/json-response.ts'
import type { Caller } from '../operations/ports/caller.ts'
import type { Ports } from '../operations/ports/ports.ts'
import { isStatic, writeAnswer } from './answer.ts'
import { apiSchemaText } from './api-schema.ts'
import { type Context, createContext, type RequestScope } from './context.ts'
import { checkText } from './document-text.ts'
import { METHOD_NOT_ALLOWED, withRequestId } from './errors.ts'
import type { CompiledResult, QueryRequest } from './execution/compiled-queries.ts'
import { type PlaygroundOptions, playgroundRoutes } from './playground/routes.ts'
import { readSchemaText } from './schema-files.ts'
import { createServer, type GraphqlServer, resultIn } from './server.ts'
import { resolveBody, resolveSearch, type TrustedDocuments } from './trusted-documents.ts'

export type DoorOptions = {
  readonly ports: Ports
  /** The playground needs introspection for its documentation pane. */
  readonly introspection: boolean
  /** Whether repeated queries are executed with compiled functions. Responses are the same without. */
  readonly compiledQueries: boolean
  /** Serves a playground at GET /graphql if given. */
  readonly playground?: PlaygroundOptions
  readonly trustedDocuments?: TrustedDocuments | undefined
  /** True for errors that are temporary and answered with 503, such as an unreachable database. */
  isOutage(error: unknown): boolean
  /** Logs an error that is hidden from the caller, under the request id. */
  logFault(error: unknown, request: FastifyRequest): void
}

const PATH = '/graphql'
const SCHEMA_PATH = '/graphql/schema.graphql'

/** Error kinds of http/faults.ts that have a different name in GraphQL. */
const CODES: Readonly<Record<string, string>> = { UNAVAILABLE: 'SERVICE_UNAVAILABLE' }

export function graphqlDoor(options: DoorOptions): FastifyPluginAsync {
  return async (app) => {
    const server = createServer({ ...options, log: app.log })
    await server.apollo.start()
    app.addHook('onClose', () => server.apollo.stop())
    const config: FastifyContextConfig = {
      compress: true,
      envelope: (kind, message, request) => errorBody(request, CODES[kind] ?? kind, message),
      faultType,
      methodFault: (message, request) => errorBody(request, METHOD_NOT_ALLOWED, message),
    }

    // Not async, because compiled queries usually wait for nothing.
    app.post(PATH, { config }, (request, reply) => {
      const body = readJsonBody(request)
      if (body.kind === 'UnreadableBody') {
        const code = body.status === 415 ? 'UNSUPPORTED_MEDIA_TYPE' : 'BAD_REQUEST'
        return void refuse(request, reply, body.status, code, body.message)
      }
      // Where only trusted documents are accepted, the answer says so.
      if (Object.keys(body.fields).length === 0 && options.trustedDocuments?.isExclusive !== true)
        return void refuse(request, reply, 400, 'BAD_REQUEST', 'The body must have a document in `query`')
      return answer(server, options, request, reply, { body: body.fields, search: '' })
    })
    // HEAD executes the query too, because its headers are those of GET. Node leaves out the body.
    app.route({
      method: CACHEABLE_METHODS,
      url: PATH,
      config,
      handler: (request, reply) =>
        answer(server, options, request, reply, { body: undefined, search: queryString(request.url) }),
    })
    const subgraphSchema = readSchemaText()
    const apiSchema = apiSchemaText(subgraphSchema)
    app.route({
      method: CACHEABLE_METHODS,
      url: SCHEMA_PATH,
      config: { ...config, compress: 'once' },
      handler: async (request, reply) => {
        const isSubgraph = new URLSearchParams(queryString(request.url)).has('federation')
        const text = isSubgraph ? subgraphSchema : apiSchema
        return sendCacheable(reply, { text, type: 'text/plain; charset=utf-8', scope: 'private' })
      },
    })
    if (options.playground !== undefined) await app.register(playgroundRoutes(PATH, options.playground))
  }
}

/** Where the parameters of a GraphQL request are: in the body, or for GET in the query string. */
type Parameters = { readonly body: JsonObject | undefined; readonly search: string }

/** Returns undefined if it has sent the response. */
function answer(
  server: GraphqlServer,
  options: DoorOptions,
  request: FastifyRequest,
  reply: FastifyReply,
  given: Parameters,
): Promise<FastifyReply> | undefined {
  const { caller } = request
  if (caller === null) throw new Error('the credentials hook did not run')
  // Checked here, because Apollo checks `Accept` after execution, when a mutation has already taken effect.
  if (responseType(request.headers.accept) === undefined) {
    const message = 'Accept must allow application/json or application/graphql-response+json'
    return void refuse(request, reply, 406, 'BAD_REQUEST', message)
  }
  const resolved = resolveDocument(options.trustedDocuments, given)
  if (resolved.kind === 'Refused') return void refuse(request, reply, 400, resolved.code, resolved.message)
  const context = createContext(requestScope(options, request, caller))
  const execution = { server, request, reply, resolved, context }
  const compiled = executeCompiled(server, resolved, request, context)
  if (compiled instanceof Promise)
    return compiled.then((response) =>
      response === undefined ? askApollo(execution) : send(reply, response),
    )
  return compiled === undefined ? askApollo(execution) : void send(reply, compiled)
}

type GraphqlResponse = Omit<TextResponse, 'text' | 'type'> & {
  readonly text: string
  readonly type: string
  /** Whether caches may store it. */
  readonly isCacheable: boolean
}

function send(reply: FastifyReply, { isCacheable, ...response }: GraphqlResponse): FastifyReply {
  const { text, type } = response
  if (!isCacheable) return sendText(reply, response)
  // Also of 304.
  reply.header('content-type', type)
  return sendCacheable(reply, { text, type, scope: 'private', vary: ['accept', 'x-pp-api'] })
}

type ApolloExecution = {
  readonly server: GraphqlServer
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly resolved: Parameters
  readonly context: Context
}

async function askApollo({
  server,
  request,
  reply,
  resolved,
  context,
}: ApolloExecution): Promise<FastifyReply> {
  const query = readQuery(resolved)
  context.restart()
  const excesses = checkText(query)
  if (excesses.length > 0) return refuseText(request, reply, excesses)
  const response = await server.apollo.executeHTTPGraphQLRequest({
    httpGraphQLRequest: httpRequest(request, resolved),
    context: async () => context,
  })
  const result = resultIn(response)
  const written = await writeAnswer(result, context)
  const { text, status = response.status ?? 200, retryAfterSeconds } = written
  const type = response.headers.get('content-type') ?? JSON_TYPE
  if (status === 200) server.chosenTypes.set(`${request.headers.accept}`, type)
  reply.headers(Object.fromEntries(response.headers))
  const isComplete = status === 200 && result.errors === undefined
  const isCacheable =
    isComplete &&
    CACHEABLE_METHODS.includes(request.method) &&
    isStatic(parse(query), operationName(resolved))
  return send(reply, { status, text, type, retryAfterSeconds, isCacheable })
}

function requestScope(
  { ports, logFault }: DoorOptions,
  request: FastifyRequest,
  caller: Caller,
): RequestScope {
  const { turns, allowance, log } = request
  return {
    requestId: request.id,
    caller,
    ports,
    turns,
    allowance,
    logFault: (error) => logFault(error, request),
    logDeadline: () => log.warn({ event: 'request.deadline' }, 'the request reached its deadline'),
    logDeprecated: (deprecated) =>
      log.info(
        { event: 'graphql.deprecated', account: caller.accountId, deprecated },
        'the request uses deprecated elements',
      ),
    logged: request,
    effects: {
      hasMutated: false,
      isAdmitted: false,
      cost: undefined,
      points: 0,
      refusal: undefined,
      startedMutation: undefined,
    },
  }
}

/** Undefined if Apollo must answer the request. */
function executeCompiled(
  { compiledQueries, chosenTypes }: GraphqlServer,
  parameters: Parameters,
  { headers }: FastifyRequest,
  context: Context,
): GraphqlResponse | undefined | Promise<GraphqlResponse | undefined> {
  const queries = compiledQueries()
  const type = chosenTypes.get(`${headers.accept}`)
  if (queries === undefined || type === undefined) return undefined
  const request = queryRequestIn(parameters, headers['content-type'])
  if (request === undefined) return undefined
  const isCacheable = request.isGet && queries.isStatic(request)
  const respond = (given: CompiledResult | undefined): ReturnType<typeof executeCompiled> => {
    if (given === undefined) return undefined
    if (typeof given === 'string') return { status: 200, text: given, type, isCacheable }
    return writeAnswer(given, context).then(({ text, status = 200, retryAfterSeconds }) => ({
      status,
      text,
      type,
      retryAfterSeconds,
      isCacheable: false,
    }))
  }
  const result = queries.execute(request, context)
  return result instanceof Promise ? result.then(respond) : respond(result)
}

/**
 * The parameters for compiled queries. Undefined if they have an unusual form: Apollo then reads the request itself,
 * and refuses it if it is invalid. `contentType` is that of the request.
 */
function queryRequestIn(
  { body, search }: Parameters,
  contentType: string | undefined,
): QueryRequest | undefined {
  // Apollo refuses GET requests with most types.
  if (body === undefined) return contentType === undefined ? requestInSearch(search) : undefined
  const { query, operationName, variables, extensions } = body
  return requestOf({ query, operationName, variables, extensions }, false)
}

type GivenParameters = Readonly<Record<'query' | 'operationName' | 'variables' | 'extensions', unknown>>

function requestOf(given: GivenParameters, isGet: boolean): QueryRequest | undefined {
  const { query, operationName, variables, extensions } = given
  if (typeof query !== 'string' || !hasNoEffect(extensions)) return undefined
  if (!isAbsent(operationName) && !isName(operationName)) return undefined
  if (variables !== undefined && variables !== null && !isJsonObject(variables)) return undefined
  return {
    query,
    operationName: isName(operationName) ? operationName : undefined,
    variables: variables ?? {},
    isGet,
  }
}

/** Apollo reads no extension but `persistedQuery`. Apollo Client 4 sends its name and version with every request. */
function hasNoEffect(extensions: unknown): boolean {
  return isJsonObject(extensions)
    ? extensions['persistedQuery'] === undefined
    : extensions === undefined || extensions === null
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && /^[_A-Za-z][_0-9A-Za-z]*$/.test(value)
}

function requestInSearch(search: string): QueryRequest | undefined {
  const parameters = new URLSearchParams(search)
  const seen = new Set<string>()
  for (const name of parameters.keys()) {
    if (seen.has(name)) return undefined
    seen.add(name)
  }
  const variables = jsonIn(parameters, 'variables')
  const extensions = jsonIn(parameters, 'extensions')
  if (variables === null || extensions === null) return undefined
  const [query, operationName] = [parameters.get('query'), parameters.get('operationName')]
  return requestOf({ query, operationName, variables, extensions }, true)
}

/** Undefined if there is no such parameter, null if it is not valid JSON. */
function jsonIn(parameters: URLSearchParams, name: string): unknown {
  const text = parameters.get(name)
  if (text === null) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Replaces the id of a trusted document by its text. */
function resolveDocument(trusted: TrustedDocuments | undefined, { body, search }: Parameters) {
  if (trusted === undefined) return { kind: 'Resolved', body, search } as const
  if (body === undefined) return { body, ...resolveSearch(trusted, search) }
  return { search, ...resolveBody(trusted, body) }
}

/** Returns empty text if the request has no document. Apollo refuses such requests. */
function readQuery({ body, search }: Parameters): string {
  const query = body === undefined ? new URLSearchParams(search).get('query') : body['query']
  return typeof query === 'string' ? query : ''
}

/** Of a GET request. */
function operationName({ search }: Parameters): string | undefined {
  return new URLSearchParams(search).get('operationName') || undefined
}

/** Does not use `URL`, which throws if the Host header is invalid. */
function httpRequest({ method, headers }: FastifyRequest, { body, search }: Parameters): HTTPGraphQLRequest {
  const map = new HeaderMap()
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && !(name === 'accept' && String(value).trim() === ''))
      map.set(name, String(value))
  const named = search.replace(/([?&])operationName=(?=&|$)/, '$1')
  // Apollo refuses HEAD.
  const executed = method === 'HEAD' ? 'GET' : method
  return { method: executed, headers: map, search: named, body: withoutEmptyName(body) }
}

/** Some clients send an empty `operationName` if they have none. */
function withoutEmptyName(body: JsonObject | undefined): JsonObject | undefined {
  if (body?.['operationName'] !== '') return body
  const { operationName: _, ...rest } = body
  return rest
}

function queryString(url: string): string {
  const start = url.indexOf('?')
  return start === -1 ? '' : url.slice(start)
}

const RESPONSE_TYPES: ReadonlyMap<string, string> = new Map([
  ['application/json', JSON_TYPE],
  ['application/graphql-response+json', 'application/graphql-response+json; charset=utf-8'],
  ['application/*', JSON_TYPE],
  ['*/*', JSON_TYPE],
])

/** The first supported response type in `Accept`; undefined if there is none. */
function responseType(accept = ''): string | undefined {
  for (const range of (accept.trim() === '' ? '*/*' : accept).split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    const supported = RESPONSE_TYPES.get(type)
    if (supported !== undefined && !parameters.some(excludes)) return supported
  }
  return undefined
}

/** Whether a parameter of a range excludes responses in UTF-8. */
function excludes(parameter: string): boolean {
  return /^q=0(\.0*)?$/.test(parameter) || /^charset=(?!"?utf-8"?$)/.test(parameter)
}

/** The Content-Type header of responses that are written without Apollo. */
function faultType({ headers }: FastifyRequest): string {
  return responseType(headers.accept) ?? JSON_TYPE
}

function refuse(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  code: string,
  message: string,
): FastifyReply {
  return sendJson(reply, { status, body: errorBody(request, code, message), type: faultType(request) })
}

function refuseText(
  request: FastifyRequest,
  reply: FastifyReply,
  excesses: readonly GraphQLError[],
): FastifyReply {
  const errors = excesses.map((error) => withRequestId(error.toJSON(), request.id))
  return sendJson(reply, { status: 400, body: { errors }, type: faultType(request) })
}

function errorBody({ id }: FastifyRequest, code: string, message: string) {
  return { errors: [withRequestId({ message, extensions: { code } }, id)] }
}
