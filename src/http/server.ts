/**
 * The HTTP server. It judges a request in this order: path and method, headers, credentials, request rate, body size,
 * requests in flight; then the request waits for its first turn, and the route reads the body. The doors come from
 * outside.
 */
import type { Server } from 'node:http'
import {
  type FastifyHttpOptions,
  type FastifyInstance,
  type FastifyPluginAsync,
  type FastifyRequest,
  type FastifyServerOptions,
  fastify,
} from 'fastify'
import type { Ports } from '../operations/ports/ports.ts'
import { UNLIMITED_ALLOWANCE } from '../operations/ports/work.ts'
import { type AdmissionLimits, boundAdmission, whenOver } from './admission.ts'
import { type CallerLimits, demandCredentials, tellLimits } from './credentials.ts'
import { answerFault, REQUEST_ID_HEADER, requestIdOf } from './envelope.ts'
import { errorHandler } from './errors.ts'
import { type DrainTimes, drainable, healthRoutes } from './health.ts'
import { answerLog, type LogOptions, logging } from './log.ts'
import { answerBadPath, answerBrokenConnection, refuseExpectations, unknownPaths } from './malformed.ts'
import { boundUnread, OUTBOX_LIMITS } from './outbox.ts'
import { takeTurns } from './turns.ts'

/** Every limit of the socket. Times in milliseconds, sizes in bytes. */
export type ServerLimits = CallerLimits &
  AdmissionLimits &
  DrainTimes & {
    readonly bodyBytes: number
    /** How long a request may compute, from its complete body; carriers and the database have limits of their own. */
    readonly workMs: number
    /** After so long without a byte sent or received a connection is closed, unless it is idle (`keepAliveMs`). */
    readonly stalledMs: number
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
  pointsPerMinute: 10_000,
  failuresPerMinute: 120,
  bodyBytes: 256 * 1024,
  inFlight: 512,
  signedBodyMs: 3_000,
  workMs: 5_000,
  stalledMs: 30_000,
  headersMs: 5_000,
  requestMs: 10_000,
  keepAliveMs: 65_000,
  checkEveryMs: 1_000,
  lameDuckMs: 2_500,
  closingMs: 15_000,
}

/** More headers than any client or proxy sends; Node's own limit drops what is beyond it. */
const MAX_HEADERS = 200

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
  // No headers are dropped unseen; their number is checked below.
  app.server.maxHeadersCount = 0

  // Every door reads its own bodies: the framework only collects the bytes, up to the limit.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

  const answerUnknownPath = unknownPaths(app)
  for (const name of ['caller', 'bodyArrived', 'limitState', 'turns', 'allowance'] as const)
    app.decorateRequest(name, null)
  app.decorateRequest('sender', '')
  const logAnswer = answerLog()
  app.addHook('onRequest', async (request, reply) => {
    reply.header(REQUEST_ID_HEADER, request.id).header('x-content-type-options', 'nosniff')
    request.allowance = UNLIMITED_ALLOWANCE
    whenOver(reply.raw, () => logAnswer(request, reply))
  })
  warnOfUntrustedProxies(app, options.trustProxy)
  app.addHook('onRequest', async (request, reply) => {
    if (request.is404) return answerUnknownPath(request, reply)
    if (request.raw.rawHeaders.length > MAX_HEADERS * 2) return answerFault(reply, 'TOO_MANY_HEADERS')
    return isHostWrong(request) ? answerFault(reply, 'BAD_REQUEST') : undefined
  })
  app.addHook('onRequest', demandCredentials(options.ports, limits))
  boundAdmission(app, limits)
  takeTurns(app, limits.workMs)
  app.addHook('onSend', tellLimits(limits))
  boundUnread(app, OUTBOX_LIMITS)
  app.setNotFoundHandler(answerUnknownPath)
  app.setErrorHandler(errorHandler(options.isOutage))
  const draining = drainable(app, limits)

  app.register(healthRoutes({ ready: options.ready, draining }))
  for (const door of options.doors) app.register(door)
  return app
}

/** Behind a proxy that is not trusted all callers share the proxy's address, and so its limits. Says so once. */
function warnOfUntrustedProxies(app: FastifyInstance, trusted: FastifyServerOptions['trustProxy']): void {
  if (trusted !== undefined && trusted !== false && !(Array.isArray(trusted) && trusted.length === 0)) return
  let isWarned = false
  app.addHook('onRequest', async (request) => {
    if (isWarned || request.headers['x-forwarded-for'] === undefined) return
    isWarned = true
    app.log.warn(
      'requests carry X-Forwarded-For, but no proxy is trusted, so all callers behind the proxy count as one ' +
        'address; set WAYBILL_TRUSTED_PROXIES',
    )
  })
}

/** HTTP/1.1 demands exactly one (RFC 9112, 3.2); Node's own check would answer without a request id. */
function isHostWrong({ raw }: FastifyRequest): boolean {
  const { host } = raw.headers
  if (host === undefined) return raw.httpVersionMajor === 1 && raw.httpVersionMinor === 1
  let hosts = 0
  for (let index = 0; index < raw.rawHeaders.length; index += 2)
    if (raw.rawHeaders[index]?.length === 4 && raw.rawHeaders[index]?.toLowerCase() === 'host') hosts++
  return hosts > 1
}

function protocol(
  limits: ServerLimits,
  trustProxy: FastifyServerOptions['trustProxy'],
): FastifyHttpOptions<Server> {
  return {
    bodyLimit: limits.bodyBytes,
    requestTimeout: limits.requestMs,
    connectionTimeout: limits.stalledMs,
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
