/**
 * What does not get as far as a route: bytes that are no HTTP, headers too large or too slow, a path that
 * cannot be decoded, an expectation nobody can meet. Answered shortly, with a request id and nothing about
 * the inside. Source: decisions 23 and 25 of the README; design/security-and-limits.md.
 */
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { answerJson, JSON_TYPE, newRequestId, REQUEST_ID_HEADER, requestIdOf } from './envelope.ts'

const STATUS_BY_CODE: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
}

/** Answers a connection whose bytes Node could not turn into a request, and hangs up. */
export function answerBrokenConnection(error: Error & { code?: string }, socket: Socket): void {
  // The response that is being written, if any (Node's own handler looks at it the same way): a second head
  // in the middle of it would be garbage.
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

/** A path that the router cannot decode names nothing that exists. */
export function answerBadPath(_error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  reply.header(REQUEST_ID_HEADER, request.id)
  answerNotFound(reply)
}

/** `Expect` with anything but 100-continue; Node would answer without our headers. */
export function refuseExpectations(server: Server): void {
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const body = JSON.stringify(STATUS_CODES[417])
    response
      .writeHead(417, { 'content-type': JSON_TYPE, [REQUEST_ID_HEADER]: requestIdOf(request) })
      .end(body)
  })
}

// Requests that no route takes: an unknown path is 404, a known path with another method 405 with `Allow`,
// both as JSON strings and before anything else is looked at.
// Source: decision 23 of the README.

type KnownPath = { readonly segments: readonly string[]; readonly methods: Set<string> }

/** Answers 404 or 405. */
export type UnknownPathAnswer = (request: FastifyRequest, reply: FastifyReply) => FastifyReply

/** Collects the routes of an app as they are added (call it before the doors) and answers for all others. */
export function unknownPaths(app: FastifyInstance): UnknownPathAnswer {
  const known = new Map<string, KnownPath>()
  app.addHook('onRoute', ({ url, method }) => {
    const path = known.get(url) ?? { segments: url.split('/'), methods: new Set<string>() }
    for (const name of [method].flat()) path.methods.add(name)
    known.set(url, path)
  })
  return (request, reply) => {
    const [path = ''] = request.url.split('?', 1)
    const segments = path.split('/')
    const allowed = [...known.values()].find((candidate) => matches(candidate.segments, segments))
    if (allowed === undefined || allowed.methods.has(request.method)) return answerNotFound(reply)
    reply.header('allow', [...allowed.methods].sort().join(', '))
    return answerJson(reply, 405, 'Method not allowed')
  }
}

/** The 404 of an unknown path. */
export function answerNotFound(reply: FastifyReply): FastifyReply {
  return answerJson(reply, 404, 'Not found')
}

/** A route's pattern against a path; a wildcard takes any file name, so it makes no path known. */
function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  if (pattern.length !== segments.length) return false
  return pattern.every((part, index) => {
    const segment = segments[index]
    return part.startsWith(':') ? segment !== '' : part !== '*' && part === segment
  })
}
