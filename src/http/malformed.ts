/**
 * What does not get as far as a route: bytes that are no HTTP, headers too large or too slow, a path that
 * cannot be decoded, an expectation nobody can meet. Answered shortly, with a request id and nothing about
 * the inside. Source: decisions 23 and 25 of the README; design/security-and-limits.md.
 */
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { JSON_TYPE } from './envelope.ts'
import { newRequestId, REQUEST_ID_HEADER, requestIdOf } from './request-id.ts'
import { answerNotFound } from './unknown-path.ts'

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
