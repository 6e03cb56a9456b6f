/**
 * The log: JSON lines with time, level, event and request id, and one line per response. The X-PP-API header, cookies,
 * bodies and query strings are not logged, and masking.ts removes them from errors. See docs/operations.md#logs; its
 * table of events is compared with the code.
 */
import {
  type FastifyBaseLogger,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  LogController,
} from 'fastify'
import { pino } from 'pino'
import { openBudget } from './limits/budget.ts'
import { describeError, withoutMessage } from './masking.ts'

export type LogOptions = {
  readonly level: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent'
  /** Default: standard output. */
  readonly stream?: { write(line: string): void }
  /** The number of the worker process, for every line. */
  readonly worker?: number
}

/**
 * Standard output is used as a Node stream: if its reader stalls, lines wait in memory, while pino's own destination
 * would block the event loop. See docs/decisions/shipments.md#d245.
 */
export function openLog({ level, stream = standardOutput(), worker }: LogOptions): FastifyBaseLogger {
  return pino(
    {
      level,
      base: worker === undefined ? null : { worker },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      // For lines that Fastify writes itself.
      serializers: {
        req: ({ method }) => ({ method }),
        res: ({ statusCode }) => ({ statusCode }),
        err: (error) => withoutMessage(describeError(error, [])),
      },
    },
    stream,
  )
}

/** In characters. A pipe takes this many at once, so an entry of the journal does not wait behind them. */
const BATCH_MAX = 16_384

/** Writes the lines of a tick in few system calls, because one takes longer than everything else about a line. */
function standardOutput(): Required<LogOptions>['stream'] {
  let lines = ''
  const flush = (): void => {
    if (lines !== '') process.stdout.write(lines)
    lines = ''
  }
  process.once('exit', flush)
  return {
    write(line) {
      if (lines === '') process.nextTick(flush)
      lines += line
      if (lines.length >= BATCH_MAX) flush()
    },
  }
}

/** Fastify's options for the log. Its own request lines are off, because they contain the whole URL. */
export function logging(
  log: FastifyBaseLogger,
): Pick<FastifyServerOptions, 'logController'> & { readonly loggerInstance: FastifyBaseLogger } {
  return {
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    loggerInstance: log,
  }
}

/**
 * Limit for requests that were refused before they reached a route, because anonymous clients can cause these lines.
 */
const REFUSAL_LINES_PER_MINUTE = 120

/**
 * Logs each response, of the successful ones one in `sampleEvery`. `isSent` is false if the client disconnected before
 * the response was sent completely. Beyond the limit on lines, refused requests are only counted.
 */
export function responseLog(sampleEvery: number) {
  let succeeded = 0
  const refusals = openBudget({ limit: REFUSAL_LINES_PER_MINUTE, windowMs: 60_000 })
  let leftOut = 0
  return (request: FastifyRequest, reply: FastifyReply, isSent: boolean): void => {
    if (isSent && reply.raw.statusCode < 400 && succeeded++ % sampleEvery !== 0) return
    const isPreflight = request.method === 'OPTIONS' && reply.raw.statusCode === 204
    const isPublic = isPreflight || request.routeOptions.config.access === 'public'
    const isRefusal = !isPublic && (request.sender === '' || request.isShed || reply.raw.statusCode === 429)
    if (isRefusal && refusals.spend('all') !== undefined) {
      leftOut++
      return
    }
    if (isRefusal && leftOut > 0) {
      request.log.warn(
        { event: 'request.left_out', leftOut },
        'more requests were refused than are logged; leftOut lines were left out',
      )
      leftOut = 0
    }
    // Health checks and preflight requests are of little interest.
    request.log[isPublic ? 'debug' : 'info'](describeResponse(request, reply, isSent), 'request completed')
  }
}

function describeResponse(request: FastifyRequest, { raw, elapsedTime }: FastifyReply, isSent: boolean) {
  return {
    event: 'request.completed',
    method: request.method,
    path: pathOf(request),
    operation: request.operation || request.routeOptions.config.operation,
    // Undecided if the client disconnected before the response began.
    status: raw.headersSent ? raw.statusCode : undefined,
    durationMs: Math.round(elapsedTime * 10) / 10,
    account: request.account || undefined,
    abandoned: isSent ? undefined : true,
  }
}

const MAX_PATH_LENGTH = 200

function pathOf(request: FastifyRequest): string {
  const { url } = request
  const end = url.indexOf('?')
  const path = end < 0 ? url : url.slice(0, end)
  return path.length > MAX_PATH_LENGTH ? `${path.slice(0, MAX_PATH_LENGTH)}…` : path
}
