/**
 * Responses to requests that match no route: invalid HTTP, headers that are too large or too slow, an unknown or
 * undecodable path, a wrong method, an unsupported `Expect`. An unknown path is 404, a known path with another method
 * is 405 with `Allow`, both before credentials are checked. See docs/rest-contract.md#r23.
 */
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type {
  FastifyContextConfig,
  FastifyError,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
} from 'fastify'
import { JSON_TYPE, sendJson } from './json-response.ts'
import { sendNotFound } from './not-found.ts'
import { newRequestId, REQUEST_ID_HEADER, requestIdOf } from './request-ids.ts'

const STATUS_BY_CODE: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
}

/** Responds on a connection whose bytes Node could not parse, and closes it. */
export function refuseBrokenConnection(error: Error & { code?: string }, socket: Socket): void {
  // The response in progress, if any. A second head would corrupt it. Node's default handler reads the same field.
  const { _httpMessage: response } = socket as Socket & { _httpMessage?: ServerResponse | null }
  if (socket.writable && !response?.headersSent) {
    const status = STATUS_BY_CODE[error.code ?? ''] ?? 400
    const body = JSON.stringify(STATUS_CODES[status])
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Connection: close',
      `Content-Type: ${JSON_TYPE}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${newRequestId()}`,
    ]
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  }
  socket.destroy(error)
}

/** Responds to a path that the router cannot decode. */
export function refuseBadPath(_error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  reply.header(REQUEST_ID_HEADER, request.id)
  sendNotFound(reply)
}

/** Responds to `Expect` with a value other than 100-continue. Node would respond without our headers. */
export function refuseExpectations(server: Server): void {
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const body = JSON.stringify(STATUS_CODES[417])
    response
      .writeHead(417, { 'content-type': JSON_TYPE, [REQUEST_ID_HEADER]: requestIdOf(request) })
      .end(body)
  })
}

type KnownPath = {
  readonly segments: readonly string[]
  readonly methods: Set<string>
  /** Those of routes that need an API key. */
  readonly keyMethods: Set<string>
  config: FastifyContextConfig | undefined
}

export type UnknownPaths = {
  /** Responds 404 or 405. */
  refuse(request: FastifyRequest, reply: FastifyReply): FastifyReply
  /** The methods that need an API key at the path of a request. */
  keyMethods(request: FastifyRequest): ReadonlySet<string>
}

const NO_METHODS: ReadonlySet<string> = new Set()

/** Collects the routes of `app` as they are added, so call it before the doors are registered. */
export function unknownPaths(app: FastifyInstance): UnknownPaths {
  const known = new Map<string, KnownPath>()
  app.addHook('onRoute', ({ url, method, config }) => {
    const path: KnownPath = known.get(url) ?? {
      segments: url.split('/'),
      methods: new Set<string>(),
      keyMethods: new Set<string>(),
      config: undefined,
    }
    if (config?.methodFault !== undefined) path.config = config
    for (const name of [method].flat()) {
      path.methods.add(name)
      if (config?.access === undefined) path.keyMethods.add(name)
    }
    known.set(url, path)
  })
  const find = ({ url }: FastifyRequest): KnownPath | undefined => {
    const [path = ''] = url.split('?', 1)
    const segments = path.split('/')
    return [...known.values()].find((candidate) => matches(candidate.segments, segments))
  }
  return {
    refuse(request, reply) {
      const allowed = find(request)
      if (allowed === undefined || allowed.methods.has(request.method)) return sendNotFound(reply)
      reply.header('allow', [...allowed.methods].sort().join(', '))
      const message = 'Method not allowed'
      const { methodFault, faultType } = allowed.config ?? {}
      const body = methodFault?.(message, request) ?? message
      return sendJson(reply, { status: 405, body, type: faultType?.(request) })
    },
    keyMethods: (request) => find(request)?.keyMethods ?? NO_METHODS,
  }
}

/** Whether a path matches a route. Wildcard routes are ignored, because they match every file name. */
function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  if (pattern.length !== segments.length) return false
  return pattern.every((part, index) => {
    const segment = segments[index]
    return part.startsWith(':') ? segment !== '' : part !== '*' && part === segment
  })
}
