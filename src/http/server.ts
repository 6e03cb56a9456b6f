/**
 * The one socket. Decided here: the order in which a request is judged (path and method, room, credentials,
 * rate, then the route with its body), and every limit of the protocol. The doors come from outside.
 * Source: decisions 5 to 8 and 23 to 25 of the README; design/security-and-limits.md.
 */
import type { Server } from 'node:http'
import {
  type FastifyHttpOptions,
  type FastifyInstance,
  type FastifyPluginAsync,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  fastify,
} from 'fastify'
import { UNLIMITED_ALLOWANCE, UNLIMITED_TURNS } from '../operations/ports/work.ts'
import type { Ports } from '../operations/ports.ts'
import { type CallerLimits, demandCredentials } from './credentials.ts'
import { type DrainTimes, drainable } from './drain.ts'
import { answerFault } from './envelope.ts'
import { errorHandler } from './errors.ts'
import { healthRoutes } from './health.ts'
import { type LogOptions, logAnswer, logging } from './log.ts'
import { answerBadPath, answerBrokenConnection, refuseExpectations } from './malformed.ts'
import { boundInFlight, whenOver } from './overload.ts'
import { REQUEST_ID_HEADER, requestIdOf } from './request-id.ts'
import { unknownPaths } from './unknown-path.ts'

/** Every limit of the socket. Times in milliseconds, sizes in bytes. */
export type ServerLimits = CallerLimits &
  DrainTimes & {
    readonly bodyBytes: number
    /** Requests that may be worked on at once. */
    readonly inFlight: number
    /** From the first byte (or from connecting) to the end of the headers. */
    readonly headersMs: number
    /** From the first byte to the end of the body. */
    readonly requestMs: number
    /** How long an idle connection is kept; above the idle time of a proxy in front. */
    readonly keepAliveMs: number
    /** How often slow connections are looked for. */
    readonly checkEveryMs: number
  }

/** What holds where nothing else is configured. */
export const DEFAULT_LIMITS: ServerLimits = {
  requestsPerMinute: 600,
  failuresPerMinute: 120,
  bodyBytes: 256 * 1024,
  inFlight: 512,
  headersMs: 5_000,
  requestMs: 10_000,
  keepAliveMs: 65_000,
  checkEveryMs: 1_000,
  lameDuckMs: 2_500,
  closingMs: 15_000,
}

/** Everything the socket needs from outside. */
export type ServerOptions = {
  readonly ports: Pick<Ports, 'credentials' | 'secrets'>
  /**
   * Plugins with routes: `restDoor(ports)`, the GraphQL door. Each route declares its envelope (envelope.ts).
   */
  readonly doors: readonly FastifyPluginAsync[]
  /** True for an error that means "not now" (503) rather than "wrong" (500). */
  isOutage(error: unknown): boolean
  /** True when the database answers; asked by /readyz. */
  ready(): Promise<boolean>
  readonly limits?: Partial<ServerLimits>
  /** Which proxies may name the caller's address, as Fastify takes it; default none. */
  readonly trustProxy?: FastifyServerOptions['trustProxy']
  readonly log?: LogOptions
}

/**
 * The server with its doors, not yet listening. `listen`, `inject`, `close` are Fastify's; see also `drain`.
 */
export function buildServer(options: ServerOptions): FastifyInstance {
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  const app = fastify({
    ...protocol(limits, options.trustProxy),
    ...logging(options.log ?? { level: 'info' }),
  })
  refuseExpectations(app.server)

  // Every door reads its own bodies: the framework only collects the bytes, up to the limit.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

  const answerUnknownPath = unknownPaths(app)
  app.decorateRequest('caller', null)
  app.addHook('onRequest', async (request, reply) => openExchange(request, reply))
  app.addHook('onRequest', async (request, reply) => {
    if (request.is404) return answerUnknownPath(request, reply)
    return isHostMissing(request) ? answerFault(reply, 'BAD_REQUEST') : undefined
  })
  app.addHook('onRequest', boundInFlight(limits.inFlight))
  app.addHook('onRequest', demandCredentials(options.ports, limits))
  app.setNotFoundHandler(answerUnknownPath)
  app.setErrorHandler(errorHandler(options.isOutage))
  const draining = drainable(app, limits)

  app.register(healthRoutes({ ready: options.ready, draining }))
  for (const door of options.doors) app.register(door)
  return app
}

/** What comes first for every request: its id on the answer, and a log line when the answer is out. */
function openExchange(request: FastifyRequest, reply: FastifyReply): void {
  request.turns = UNLIMITED_TURNS
  request.allowance = UNLIMITED_ALLOWANCE
  reply.header(REQUEST_ID_HEADER, request.id)
  whenOver(reply.raw, () => logAnswer(request, reply))
}

/** HTTP/1.1 demands it (RFC 9112, 3.2); Node's own check would answer without a request id. */
function isHostMissing({ raw }: FastifyRequest): boolean {
  return raw.headers.host === undefined && raw.httpVersionMajor === 1 && raw.httpVersionMinor === 1
}

function protocol(
  limits: ServerLimits,
  trustProxy: FastifyServerOptions['trustProxy'],
): FastifyHttpOptions<Server> {
  return {
    bodyLimit: limits.bodyBytes,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    http: {
      headersTimeout: limits.headersMs,
      connectionsCheckingInterval: limits.checkEveryMs,
      requireHostHeader: false,
    },
    // While closing, a request that is already here is served like any other.
    return503OnClosing: false,
    genReqId: requestIdOf,
    clientErrorHandler: answerBrokenConnection,
    frameworkErrors: answerBadPath,
    routerOptions: {
      caseSensitive: true,
      ignoreTrailingSlash: false,
      ignoreDuplicateSlashes: false,
      // An id too long for any shipment is for the operation to call unknown, not for the router.
      maxParamLength: 16 * 1024,
    },
    ...(trustProxy !== undefined && { trustProxy }),
  }
}
