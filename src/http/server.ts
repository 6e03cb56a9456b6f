/**
 * The HTTP server. It checks a request in this order: path and method, headers, credentials, request rate, overload,
 * bodies in transit, body size, requests in flight. Then the request waits for its first turn and its route runs. The
 * doors are plugins that the caller passes in. See docs/architecture.md#how-a-request-flows and docs/limits.md.
 */
import type { Server } from 'node:http'
import {
  type FastifyBaseLogger,
  type FastifyHttpOptions,
  type FastifyInstance,
  type FastifyPluginAsync,
  type FastifyRequest,
  type FastifyServerOptions,
  fastify,
} from 'fastify'
import type { Ports } from '../operations/ports/ports.ts'
import { UNLIMITED_ALLOWANCE } from '../operations/ports/work.ts'
import { type CrossOrigin, crossOrigin } from './cors.ts'
import { addRateLimitHeaders, type CallerLimits, demandCredentials, type Sharing } from './credentials.ts'
import { errorHandler, sendFault } from './faults.ts'
import { type DrainTimes, drainable, healthRoutes, type Readiness } from './health.ts'
import { type AdmissionLimits, limitAdmission } from './limits/admission.ts'
import { type OverloadLimits, shedOverload } from './limits/overload.ts'
import { takeTurns, turnScheduler } from './limits/turns.ts'
import { logging, openLog, responseLog } from './log.ts'
import { refuseBadPath, refuseBrokenConnection, refuseExpectations, unknownPaths } from './malformed.ts'
import { compressResponses, limitUnreadResponses, OUTBOX_LIMITS } from './outbox.ts'
import { type BeginSpan, joinTrace, REQUEST_ID_HEADER, requestIdOf } from './request-ids.ts'
import { whenOver } from './when-over.ts'

export type ServerLimits = CallerLimits &
  AdmissionLimits &
  OverloadLimits &
  DrainTimes & {
    readonly bodyBytes: number
    /**
     * Time limit for the computation of a request, counted from the end of its body. Calls to carriers and the database
     * have their own limits.
     */
    readonly workMs: number
    /** A connection without a byte sent or received for this long is closed, unless it is idle (`keepAliveMs`). */
    readonly stalledMs: number
    /** From the first byte, or from connecting, to the end of the headers. */
    readonly headersMs: number
    /** From the first byte to the end of the body. */
    readonly requestMs: number
    /** How long an idle connection is kept. It must be longer than the idle time of a proxy in front. */
    readonly keepAliveMs: number
    /** How often connections are checked for exceeded time limits. */
    readonly checkEveryMs: number
  }

export const DEFAULT_LIMITS: ServerLimits = {
  requestsPerMinute: 600,
  pointsPerMinute: 10_000,
  failuresPerMinute: 120,
  bodyBytes: 256 * 1024,
  inFlight: 512,
  signedBodyMs: 3_000,
  overloadWaitMs: 250,
  workMs: 5_000,
  stalledMs: 30_000,
  headersMs: 5_000,
  requestMs: 10_000,
  keepAliveMs: 65_000,
  checkEveryMs: 1_000,
  lameDuckMs: 2_500,
  closingMs: 15_000,
}

/** More headers than any client or proxy sends. Node's own limit would silently drop the rest. */
const MAX_HEADERS = 200

export type ServerOptions = {
  readonly ports: Pick<Ports, 'credentials' | 'secrets' | 'clock' | 'checkoutTokens'>
  /** Plugins with routes, such as `restDoor(ports)`. Each route declares its envelope (faults.ts). */
  readonly doors: readonly FastifyPluginAsync[]
  /** True for an error that means an outage (503), false for a bug (500). */
  isOutage(error: unknown): boolean
  /** True if the database responds. Called for /readyz. */
  ready(): Promise<boolean>
  /** For /readyz?verbose. */
  readonly backgroundWork?: Readiness['backgroundWork']
  readonly limits?: Partial<ServerLimits>
  /** Which proxies may set the caller's address, in Fastify's format. Default: none. */
  readonly trustProxy?: FastifyServerOptions['trustProxy']
  /** Origins of web pages that may read responses, besides those of publishable keys. Default: none. */
  readonly corsOrigins?: readonly string[]
  /** Default: lines of level info and above, on standard output. */
  readonly log?: FastifyBaseLogger
  /** One in this many successful requests is logged. Default: 1. */
  readonly logSampleEvery?: number
  /** Absent without traces. */
  readonly beginSpan?: BeginSpan | undefined
  /** Absent if the service has one process. */
  readonly sharing?: Sharing | undefined
}

/** The server with its doors, not yet listening. `drain` (health.ts) shuts it down gracefully. */
export function buildServer(options: ServerOptions): FastifyInstance {
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  const app = fastify({
    ...protocol(limits, options.trustProxy),
    ...logging(options.log ?? openLog({ level: 'info' })),
  })
  refuseExpectations(app.server)
  // Node must not drop headers silently. Their number is checked below.
  app.server.maxHeadersCount = 0

  // Fastify only collects the bytes of a body, up to the limit. The doors parse them (json-body.ts).
  app.removeAllContentTypeParsers()
  // Fastify remembers the parser of a type, but not that of '*'.
  app.addContentTypeParser(['application/json', '*'], { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  )

  const paths = unknownPaths(app)
  decorateRequests(app)
  const origins = crossOrigin(options.corsOrigins ?? [], options.ports.credentials.pageOrigins)
  const logResponse = responseLog(options.logSampleEvery ?? 1)
  const warnOfProxy = untrustedProxyWarning(app, options.trustProxy)
  // Hooks that wait for nothing have callbacks: a promise per hook would cost more than their work.
  app.addHook('onRequest', (request, reply, done) => {
    reply.header(REQUEST_ID_HEADER, request.id).header('x-content-type-options', 'nosniff')
    joinTrace(request, reply, options.beginSpan)
    request.allowance = UNLIMITED_ALLOWANCE
    whenOver(reply.raw, (isSent) => logResponse(request, reply, isSent))
    warnOfProxy(request)
    if (request.is404) origins.preflight(request, reply, paths)
    else if (request.raw.rawHeaders.length > MAX_HEADERS * 2) sendFault(reply, 'TOO_MANY_HEADERS')
    else if (isHostWrong(request)) sendFault(reply, 'BAD_REQUEST')
    else if (isBodyEncoded(request)) sendFault(reply, 'UNSUPPORTED_TRANSFER_ENCODING')
    else done()
  })
  app.addHook('onRequest', demandCredentials(options.ports, limits, options.sharing))
  const turns = turnScheduler()
  shedOverload(app, turns, limits)
  limitAdmission(app, limits)
  takeTurns(app, turns, limits.workMs)
  const draining = drainable(app, limits)
  completeResponses(app, origins, draining)
  app.setNotFoundHandler(paths.refuse)
  app.setErrorHandler(errorHandler(options.isOutage))

  app.register(healthRoutes({ ready: options.ready, backgroundWork: options.backgroundWork, draining }))
  for (const door of options.doors) app.register(door)
  return app
}

function decorateRequests(app: FastifyInstance): void {
  for (const name of ['caller', 'limitStates', 'turns', 'allowance'] as const) app.decorateRequest(name, null)
  for (const name of ['account', 'sender', 'signedFrom', 'operation'] as const) app.decorateRequest(name, '')
  for (const name of ['isShed', 'isInTransit', 'isInFlight', 'isStranger', 'isSignatureValid'] as const)
    app.decorateRequest(name, false)
  app.decorateRequest('isFromPage', false)
}

/** Adds the hook for responses. A single hook, because each one costs time in every request. */
function completeResponses(app: FastifyInstance, origins: CrossOrigin, draining: () => boolean): void {
  const compress = compressResponses()
  const limitUnread = limitUnreadResponses(OUTBOX_LIMITS)
  app.addHook('onSend', (request, reply, payload, done) => {
    addRateLimitHeaders(request, reply)
    origins.addHeaders(request, reply)
    if (draining()) reply.header('connection', 'close')
    compress(request, reply, payload, (sent) => {
      limitUnread(request, reply, sent)
      done(null, sent)
    })
  })
}

/**
 * Returns a function that warns once if the service runs behind a proxy that is not trusted, because all callers then
 * share the address of the proxy.
 */
function untrustedProxyWarning(app: FastifyInstance, trusted: FastifyServerOptions['trustProxy']) {
  const isTrusting =
    trusted !== undefined && trusted !== false && !(Array.isArray(trusted) && trusted.length === 0)
  let isDone = isTrusting
  return ({ headers }: FastifyRequest): void => {
    if (isDone || headers['x-forwarded-for'] === undefined) return
    isDone = true
    app.log.warn(
      { event: 'proxy.untrusted' },
      'requests have X-Forwarded-For, but no proxy is trusted, so all callers behind the proxy count as one ' +
        'address; set WAYBILL_TRUSTED_PROXIES',
    )
  }
}

/** HTTP/1.1 requires exactly one Host header (RFC 9112, 3.2). Node's own check would respond without a request id. */
function isHostWrong({ raw }: FastifyRequest): boolean {
  const { host } = raw.headers
  if (host === undefined) return raw.httpVersionMajor === 1 && raw.httpVersionMinor === 1
  let hosts = 0
  for (let index = 0; index < raw.rawHeaders.length; index += 2)
    if (raw.rawHeaders[index]?.length === 4 && raw.rawHeaders[index]?.toLowerCase() === 'host') hosts++
  return hosts > 1
}

/** Node decodes `chunked`. It would pass on a body with another coding as it is (RFC 9112, 6.1). */
function isBodyEncoded({ raw }: FastifyRequest): boolean {
  const coding = raw.headers['transfer-encoding']
  return coding !== undefined && coding.trim().toLowerCase() !== 'chunked'
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
    // While closing, requests that have already arrived are served.
    return503OnClosing: false,
    genReqId: requestIdOf,
    clientErrorHandler: refuseBrokenConnection,
    frameworkErrors: refuseBadPath,
    routerOptions: {
      caseSensitive: true,
      ignoreTrailingSlash: false,
      ignoreDuplicateSlashes: false,
      // The operation, not the router, refuses shipment ids that are too long.
      maxParamLength: 16 * 1024,
    },
    ...(trustProxy !== undefined && { trustProxy }),
  }
}
