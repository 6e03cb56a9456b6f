/**
 * `GET /events`: the events of the caller's account as server-sent events (docs/events.md). The door limits the
 * connections of a key and of the process, and ends them when the process stops or the key is revoked.
 */
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { EVENT_TYPES, type EventPosition, type EventType, readEventId } from '../core/shipments/event.ts'
import { sendJson } from '../http/json-response.ts'
import { whenOver } from '../http/when-over.ts'
import { identifyCaller, readCredentials } from '../operations/identify-caller.ts'
import type { Ports } from '../operations/ports/ports.ts'
import { type EventFilter, type Stream, type StreamPorts, startStream } from './stream.ts'

export type StreamLimits = {
  /** Open connections of one API key. */
  readonly perKey: number
  /** Open connections of this process. */
  readonly total: number
}

type EventPorts = StreamPorts & Pick<Ports, 'credentials' | 'secrets' | 'clock'>

export function eventsDoor(ports: EventPorts, limits: StreamLimits): FastifyPluginAsync {
  const streams = openStreams(limits)
  return async (app) => {
    app.addHook('preClose', async () => streams.endAll())
    app.get(
      '/events',
      {
        // A response without a body would have to end at once.
        exposeHeadRoute: false,
        config: {
          operation: 'events',
          scopes: ['shipments:read'],
          isStream: true,
          envelope: (code, message) => ({ code, message }),
        },
      },
      async (request, reply) => {
        const input = readRequest(request)
        if (input.kind === 'UnusableRequest')
          return sendJson(reply, { status: 400, body: { code: 'BAD_REQUEST', message: input.message } })
        const keyId = readCredentials(headerOf(request))?.keyId ?? ''
        const refusal = streams.refusalOf(keyId)
        if (refusal !== undefined) return sendJson(reply, refusal)
        streams.add(keyId, reply.raw, openStream(ports, request, reply, input))
        return reply
      },
    )
  }
}

type StreamRequest = {
  readonly kind: 'StreamRequest'
  readonly filter: EventFilter
  /** Undefined: from now on. */
  readonly resumeAfter: EventPosition | undefined
}

/** Unknown parameters are refused, because a misspelt filter would let everything through. */
function readRequest(
  request: FastifyRequest,
): StreamRequest | { readonly kind: 'UnusableRequest'; readonly message: string } {
  const unusable = (message: string) => ({ kind: 'UnusableRequest', message }) as const
  const { types, shipmentId, ...others } = request.query as Readonly<Record<string, unknown>>
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) return unusable(`${unknown.slice(0, 100)}: unknown parameter`)
  if (shipmentId !== undefined && typeof shipmentId !== 'string')
    return unusable('shipmentId: must be given once')
  if (types !== undefined && typeof types !== 'string')
    return unusable('types: must be given once, with commas between the types')
  const wanted = types?.split(',').map((name) => EVENT_TYPES.find((type) => type === name))
  if (wanted?.includes(undefined) === true)
    return unusable(`types: must be a list with commas of ${EVENT_TYPES.join(', ')}`)
  const lastId = request.headers['last-event-id']
  const resumeAfter = lastId === undefined ? undefined : readEventId(String(lastId))
  if (lastId !== undefined && resumeAfter === undefined)
    return unusable('Last-Event-ID: must be the id of an event')
  return {
    kind: 'StreamRequest',
    filter: {
      ...(wanted !== undefined && {
        types: new Set(wanted.filter((type): type is EventType => type !== undefined)),
      }),
      ...(shipmentId !== undefined && { shipmentId }),
    },
    resumeAfter,
  }
}

/** The X-PP-API header. The server refuses requests that do not have exactly one. */
function headerOf({ headers }: FastifyRequest): string {
  return String(headers['x-pp-api'])
}

/** Sends the head of the response, and starts the stream. */
function openStream(
  ports: EventPorts,
  request: FastifyRequest,
  reply: FastifyReply,
  { filter, resumeAfter }: StreamRequest,
): Stream {
  const { caller } = request
  if (caller === null) throw new Error('the route has no caller')
  // The response does not end, so the hooks for responses do not apply.
  reply.hijack()
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) reply.raw.setHeader(name, value)
  reply.raw.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    // nginx collects responses otherwise.
    'x-accel-buffering': 'no',
  })
  const header = headerOf(request)
  return startStream(ports, reply.raw, {
    accountId: caller.accountId,
    filter,
    resumeAfter,
    isStillAllowed: async () => (await identifyCaller(ports, header)) !== undefined,
  })
}

const RETRY_AFTER_SECONDS = 10

type Refusal = {
  readonly status: 429 | 503
  readonly body: { readonly code: string; readonly message: string }
  readonly retryAfterSeconds: number
}

/** The open streams of the process. */
function openStreams(limits: StreamLimits) {
  const open = new Set<Stream>()
  const byKey = new Map<string, number>()
  let closing = false
  const refuse = (status: Refusal['status'], code: string, message: string): Refusal => ({
    status,
    body: { code, message },
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })
  return {
    refusalOf(keyId: string): Refusal | undefined {
      if (closing) return refuse(503, 'OVERLOADED', 'The service is stopping; connect again')
      if ((byKey.get(keyId) ?? 0) >= limits.perKey)
        return refuse(
          429,
          'RATE_LIMITED',
          `The API key has ${limits.perKey} open event streams, the most it may have`,
        )
      if (open.size >= limits.total)
        return refuse(503, 'OVERLOADED', 'The service has as many event streams as it can serve')
      return undefined
    },
    add(keyId: string, response: FastifyReply['raw'], stream: Stream): void {
      open.add(stream)
      byKey.set(keyId, (byKey.get(keyId) ?? 0) + 1)
      // A response that waits behind another one of its connection has no event of its own.
      whenOver(response, () => {
        stream.stop()
        open.delete(stream)
        const left = (byKey.get(keyId) ?? 1) - 1
        if (left > 0) byKey.set(keyId, left)
        else byKey.delete(keyId)
      })
    },
    endAll(): void {
      closing = true
      for (const stream of open) stream.end()
    },
  }
}
