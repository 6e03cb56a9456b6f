/**
 * The log: JSON lines with time, level and request id, and one line per response. The X-PP-API header, cookies, bodies
 * and query strings are not logged. If an error message quotes text of a request, that text is masked.
 * Also the ids of requests: `X-Request-Id`, and the caller's trace (`traceparent` of W3C Trace Context, level 2). See
 * docs/operations.md#logs, docs/operations.md#traces, docs/rest-contract.md#r24 and docs/rest-contract.md#r25.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import {
  type FastifyBaseLogger,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  fastify,
  LogController,
} from 'fastify'
import { quote } from '../core/json-text.ts'
import { openBudget } from './budget.ts'
import { LazyLog } from './lazy-log.ts'

/** Carries the request id in requests and responses. */
export const REQUEST_ID_HEADER = 'x-request-id'

const ACCEPTABLE_ID = /^[A-Za-z0-9_-]{1,200}$/

/** A new UUID. */
export function newRequestId(): string {
  return randomUUID()
}

/** The id from the caller if it is acceptable and was sent once, otherwise a new one. */
export function requestIdOf(message: Pick<IncomingMessage, 'headers'>): string {
  const given = message.headers[REQUEST_ID_HEADER]
  return typeof given === 'string' && ACCEPTABLE_ID.test(given) ? given : newRequestId()
}

const TRACEPARENT = 'traceparent'

/** Version, trace id, parent id, flags. Later versions may append more fields. */
const FORMAT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

/** Sampled and random-trace-id. The other flags are reserved and must be 0. */
const KNOWN_FLAGS = 0x03

export type Trace = {
  /** 32 hexadecimal digits. */
  readonly traceId: string
  /** Of this request, 16 hexadecimal digits. */
  readonly spanId: string
  /** The caller's flags, as two hexadecimal digits. */
  readonly flags: string
}

/** Undefined if the header is absent or invalid. */
export function traceOf(header: unknown): Trace | undefined {
  if (typeof header !== 'string') return undefined
  const [, version, traceId = '', parentId = '', flags = '', rest] = FORMAT.exec(header) ?? []
  if (version === undefined || version === 'ff' || (version === '00' && rest !== undefined)) return undefined
  if (isZero(traceId) || isZero(parentId)) return undefined
  const known = Number.parseInt(flags, 16) & KNOWN_FLAGS
  return { traceId, spanId: randomBytes(8).toString('hex'), flags: `0${known}` }
}

function isZero(digits: string): boolean {
  return /^0+$/.test(digits)
}

/**
 * If a request has a valid `traceparent`, its log lines have the trace id and a new span id, and the response has a
 * `traceparent` with both.
 */
export function joinTrace(request: FastifyRequest, reply: FastifyReply): void {
  const header = request.headers[TRACEPARENT]
  if (header === undefined) return
  const trace = traceOf(header)
  if (trace === undefined) return
  const { traceId, spanId, flags } = trace
  request.trace = trace
  request.log = request.log.child({ traceId, spanId })
  reply.log = request.log
  reply.header(TRACEPARENT, `00-${traceId}-${spanId}-${flags}`)
}

export type LogOptions = {
  readonly level: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent'
  /** Default: standard output. */
  readonly stream?: { write(line: string): void }
  /** One in this many successful requests is logged. Default: 1. */
  readonly sampleEvery?: number
  /** The number of the worker process, for every line. */
  readonly worker?: number
}

export type ErrorRecord = {
  readonly type: string
  readonly code?: string
  readonly message: string
  readonly stack?: string
  readonly cause?: ErrorRecord
}

const MAX_PATH_LENGTH = 200
const MAX_STACK_LENGTH = 4_000
const MAX_CAUSES = 3
const MAX_TEXTS = 5_000
/** Masking shorter texts ("NL", "1") would make messages unreadable, and they identify no person. */
const MIN_TEXT_LENGTH = 3

/** Fastify's options for the log. Its own request lines are off, because they contain the whole URL. */
export function logging(
  options: LogOptions,
): Pick<FastifyServerOptions, 'logger' | 'logController' | 'childLoggerFactory'> {
  return {
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    childLoggerFactory: (parent, bindings, childOptions) => new LazyLog(parent, bindings, childOptions),
    logger: {
      level: options.level,
      base: options.worker === undefined ? null : { worker: options.worker },
      timestamp,
      formatters: { level: (level: string) => ({ level }) },
      // For lines that Fastify writes itself.
      serializers: {
        req: ({ method }) => ({ method }),
        res: ({ statusCode }) => ({ statusCode }),
        err: (error) => withoutMessage(describeError(error, [])),
      },
      stream: options.stream ?? standardOutput,
    },
  }
}

let latestSecond = Number.NaN
let latestSecondText = ''

/** Formatting a date takes long, so only the milliseconds are written for every line. */
function timestamp(): string {
  const now = Date.now()
  const milliseconds = now % 1000
  if (now - milliseconds !== latestSecond) {
    latestSecond = now - milliseconds
    latestSecondText = `,"time":"${new Date(latestSecond).toISOString().slice(0, 'YYYY-MM-DDTHH:MM:SS.'.length)}`
  }
  return `${latestSecondText}${String(milliseconds).padStart(3, '0')}Z"`
}

const BATCH_CHARACTERS = 16 * 1024
const BATCH_MS = 20

/** Ends the lines of completed requests. */
const COMPLETED_END = '"msg":"request completed"}\n'

/** The messages of the journal (operations/journal.ts), by kind of line. Wait for `logWritten` after each one. */
export const JOURNAL = {
  draftCancelled: 'a draft is cancelled',
  booked: 'a carrier has booked a shipment',
  opened: 'an attempt to cancel is open',
  settled: 'an attempt to cancel is settled',
} as const
const JOURNAL_ENDS = Object.values(JOURNAL).map((message) => `"msg":"${message}"}\n`)

export type BatchedOutput = {
  write(line: string): void
  flush(): void
  /** Resolves when all lines so far are written, except those of completed requests. */
  written(): Promise<void>
}

const WRITTEN = Promise.resolve()

/**
 * Writes lines in batches, because a system call for each line takes as long as pricing a request. Lines are written in
 * the order in which they were logged:
 *
 * - A completed request: within BATCH_MS, or when the process exits. If it is killed before, the line is lost.
 * - A line of the journal: at the end of the current iteration of the event loop.
 * - Any other line: at once, with all lines before it.
 */
export function batchedOutput(write: (text: string) => void): BatchedOutput {
  let batch = ''
  let timer: ReturnType<typeof setTimeout> | undefined
  let endOfIteration: Promise<void> | undefined
  const flush = (): void => {
    clearTimeout(timer)
    timer = undefined
    const text = batch
    batch = ''
    if (text !== '') write(text)
  }
  const flushAtEndOfIteration = (): Promise<void> =>
    new Promise((resolve) => {
      setImmediate(() => {
        endOfIteration = undefined
        // Before `flush`, which may throw. The callers continue after it in any case.
        resolve()
        flush()
      })
    })
  return {
    flush,
    write(line) {
      batch += line
      if (batch.length >= BATCH_CHARACTERS) flush()
      else if (line.endsWith(COMPLETED_END)) timer ??= setTimeout(flush, BATCH_MS).unref()
      else if (JOURNAL_ENDS.some((end) => line.endsWith(end))) endOfIteration ??= flushAtEndOfIteration()
      else flush()
    },
    written: () => endOfIteration ?? WRITTEN,
  }
}

const standardOutput = batchedOutput((text) => void process.stdout.write(text))
process.on('exit', standardOutput.flush)

/** Resolves when all lines so far are written to standard output, except those of completed requests. */
export function logWritten(): Promise<void> {
  return standardOutput.written()
}

/** A log of the same form, for the time before the server is built. */
export function openLog(options: LogOptions): FastifyBaseLogger {
  return fastify(logging(options)).log
}

/**
 * Limit for requests that were refused before they reached a route, because anonymous clients can cause these lines.
 */
const REFUSAL_LINES_PER_MINUTE = 120

/** Logs each response. `isSent` is false if the client disconnected before it was sent completely. Beyond the limit on lines, refused requests are only counted. */
export function responseLog(options: LogOptions) {
  const { sampleEvery = 1 } = options
  const writeLine = completedLines(options)
  let succeeded = 0
  const refusals = openBudget({ limit: REFUSAL_LINES_PER_MINUTE, windowMs: 60_000 })
  let leftOut = 0
  return (request: FastifyRequest, reply: FastifyReply, isSent: boolean): void => {
    if (isSent && reply.raw.statusCode < 400 && succeeded++ % sampleEvery !== 0) return
    const isPublic = request.routeOptions.config.access === 'public'
    const isRefusal = !isPublic && (request.sender === '' || request.isShed || reply.raw.statusCode === 429)
    if (isRefusal && refusals.spend('all') !== undefined) {
      leftOut++
      return
    }
    if (isRefusal && leftOut > 0) {
      request.log.warn({ leftOut }, 'more requests were refused than are logged; leftOut lines were left out')
      leftOut = 0
    }
    writeLine(request, reply, { isSent, lineLevel: isPublic ? 'debug' : 'info' })
  }
}

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

/**
 * Writes the line of a response. Public routes, such as health checks, are logged on level debug. The line is in the form
 * of the other lines, but not written by their logger, which takes several times as long.
 */
function completedLines({ level, stream = standardOutput, worker }: LogOptions) {
  const base = worker === undefined ? '' : `,"worker":${worker}`
  const lowest = LEVELS.indexOf(level)
  return (
    request: FastifyRequest,
    reply: FastifyReply,
    { isSent, lineLevel }: { readonly isSent: boolean; readonly lineLevel: 'debug' | 'info' },
  ): void => {
    if (LEVELS.indexOf(lineLevel) < lowest) return
    const { trace, caller, method } = request
    const { headersSent, statusCode } = reply.raw
    const traced = trace === null ? '' : `,"traceId":"${trace.traceId}","spanId":"${trace.spanId}"`
    // The status is undecided if the client disconnected before the response began.
    const status = headersSent ? `,"status":${statusCode}` : ''
    const account = caller === null ? '' : `,"account":${quote(caller.accountId)}`
    stream.write(
      `{"level":"${lineLevel}"${timestamp()}${base},"requestId":"${request.id}"${traced},"method":"${method}"` +
        `,"path":${quote(pathOf(request))}${status}` +
        `,"durationMs":${Math.round(reply.elapsedTime * 10) / 10}${account}` +
        `${isSent ? '' : ',"abandoned":true'},${COMPLETED_END}`,
    )
  }
}

function pathOf(request: FastifyRequest): string {
  const { url } = request
  const end = url.indexOf('?')
  const path = end < 0 ? url : url.slice(0, end)
  return path.length > MAX_PATH_LENGTH ? `${path.slice(0, MAX_PATH_LENGTH)}…` : path
}

/**
 * An error for the log, with its causes. Occurrences of `texts` (see textsOf) are masked, because messages of databases
 * and libraries quote the values that caused them.
 */
export function describeError(error: unknown, texts: readonly string[], depth = 0): ErrorRecord {
  if (!(error instanceof Error)) return { type: typeof error, message: mask(String(error), texts) }
  const { code } = error as { code?: unknown }
  return {
    type: error.name,
    ...(typeof code === 'string' && { code }),
    message: mask(error.message, texts),
    ...(error.stack !== undefined && { stack: mask(error.stack, texts).slice(0, MAX_STACK_LENGTH) }),
    ...(error.cause !== undefined &&
      depth < MAX_CAUSES && { cause: describeError(error.cause, texts, depth + 1) }),
  }
}

function withoutMessage({ type, code, stack = '' }: ErrorRecord) {
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line))
  return { type, ...(code !== undefined && { code }), message: '[withheld]', stack: frames.join('\n') }
}

function mask(text: string, secrets: readonly string[]): string {
  return secrets.reduce((masked, secret) => masked.replaceAll(secret, '[masked]'), text)
}

/**
 * The texts of a request that must not appear in the log, the longest first: headers with credentials, query values,
 * and all strings of a JSON body.
 */
export function textsOf(request: FastifyRequest): string[] {
  const { headers } = request
  const credentials = [
    headers['x-pp-api'],
    headers['x-waybill-signature'],
    headers.authorization,
    headers.cookie,
  ].flatMap((value) => value ?? [])
  const secrets = credentials.map((credential) => credential.slice(credential.indexOf('@') + 1))
  const query = [...new URLSearchParams(request.url.split('?')[1] ?? '').values()]
  return [...credentials, ...secrets, ...textsIn(query), ...textsIn(bodyOf(request))]
    .filter((text) => text.length >= MIN_TEXT_LENGTH)
    .sort((a, b) => b.length - a.length)
}

function bodyOf({ body }: FastifyRequest): unknown {
  if (!Buffer.isBuffer(body)) return body
  const text = body.toString('utf8')
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Not recursive: a body can be nested a hundred thousand levels deep. */
function textsIn(root: unknown): string[] {
  const texts: string[] = []
  const pending: unknown[] = [root]
  while (pending.length > 0 && texts.length < MAX_TEXTS) {
    const value = pending.pop()
    if (typeof value === 'string') texts.push(value, value.trim(), ...literalsIn(value))
    else if (typeof value === 'object' && value !== null)
      for (const inner of Object.values(value)) pending.push(inner)
  }
  return texts
}

/** The string literals in a text that is itself a GraphQL document or JSON. */
function literalsIn(text: string): string[] {
  return [...text.matchAll(/"([^"\\]+)"/g)].flatMap(([, literal]) => literal ?? [])
}
