/**
 * What is written to the log: JSON lines with time, level, request id; one line per answer. What is not: the
 * X-PP-API header, cookies, bodies, query strings, and anything a caller sent that an error repeats.
 * Source: design/security-and-limits.md; decisions 24 and 25 of the README.
 */
import { type FastifyReply, type FastifyRequest, type FastifyServerOptions, LogController } from 'fastify'
import { openBudget } from './budget.ts'

/** How much is logged, and where to (default: standard output). */
export type LogOptions = {
  readonly level: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent'
  readonly stream?: { write(line: string): void }
}

/** An error as it is logged. */
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
/** Shorter texts ("NL", "1") would take words out of every message; they identify nobody. */
const MIN_TEXT_LENGTH = 3

/** Fastify's own options for all this: pino, and none of its request lines, which carry the whole URL. */
export function logging(options: LogOptions): Pick<FastifyServerOptions, 'logger' | 'logController'> {
  return {
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    logger: {
      level: options.level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (level: string) => ({ level }) },
      // What the framework may log of its own accord is cut down to what identifies it.
      serializers: {
        req: ({ method }) => ({ method }),
        res: ({ statusCode }) => ({ statusCode }),
        err: (error) => withoutMessage(describeError(error, [])),
      },
      ...(options.stream !== undefined && { stream: options.stream }),
    },
  }
}

/** Lines per minute about requests that were refused without reaching a route. Anybody can cause these. */
const REFUSAL_LINES_PER_MINUTE = 120

/** Writes the line of an answered (or abandoned) request. Most of a flood of refused requests is only counted. */
export function answerLog(): (request: FastifyRequest, reply: FastifyReply) => void {
  const refusals = openBudget({ limit: REFUSAL_LINES_PER_MINUTE, windowMs: 60_000 })
  let leftOut = 0
  return (request, reply) => {
    const isPublic = request.routeOptions.config.access === 'public'
    const isRefusal = !isPublic && (request.sender === '' || reply.raw.statusCode === 429)
    if (isRefusal && refusals.spend('all') !== undefined) {
      leftOut++
      return
    }
    if (isRefusal && leftOut > 0) {
      request.log.warn(
        { leftOut },
        'requests were refused faster than they are logged; these lines were left out',
      )
      leftOut = 0
    }
    logAnswer(request, reply)
  }
}

/** Public routes, such as health, on level debug. */
function logAnswer(request: FastifyRequest, reply: FastifyReply): void {
  const line = {
    method: request.method,
    path: pathOf(request),
    status: reply.raw.statusCode,
    durationMs: Math.round(reply.elapsedTime * 10) / 10,
    ...(request.caller !== null && { account: request.caller.accountId }),
    ...(!reply.raw.writableEnded && { abandoned: true }),
  }
  if (request.routeOptions.config.access === 'public') request.log.debug(line, 'answered')
  else request.log.info(line, 'answered')
}

function pathOf(request: FastifyRequest): string {
  const [path = ''] = request.url.split('?', 1)
  return path.length > MAX_PATH_LENGTH ? `${path.slice(0, MAX_PATH_LENGTH)}…` : path
}

/**
 * An error for the log, with its causes. Wherever it repeats one of `texts` (see textsOf), the text is
 * masked: messages of databases and libraries quote the values they choke on.
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

/** Every text of a request that must not show up in its log lines, the longest first: headers that prove or
 * identify a caller, query values, and all texts in a JSON body. */
export function textsOf(request: FastifyRequest): string[] {
  const { headers } = request
  const proofs = [
    headers['x-pp-api'],
    headers['x-waybill-signature'],
    headers.authorization,
    headers.cookie,
  ].flatMap((value) => value ?? [])
  const secrets = proofs.map((proof) => proof.slice(proof.indexOf('@') + 1))
  const query = [...new URLSearchParams(request.url.split('?')[1] ?? '').values()]
  return [...proofs, ...secrets, ...textsIn(query), ...textsIn(bodyOf(request))]
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

/** Not recursive: a body may nest a hundred thousand deep. */
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

/** A GraphQL document, or JSON within a text: what is in quotes there are texts too. */
function literalsIn(text: string): string[] {
  return [...text.matchAll(/"([^"\\]+)"/g)].flatMap(([, literal]) => literal ?? [])
}
