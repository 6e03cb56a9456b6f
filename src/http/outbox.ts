/**
 * Compresses responses, and limits the memory of those that clients have not read.
 *
 * Routes with `compress: true` are compressed with brotli or gzip as `Accept-Encoding` asks. Small texts are compressed
 * at once, larger ones on other threads. If too much is being compressed already, the response is sent uncompressed.
 * Fixed pages (`compress: 'once'`) are compressed when they are first sent, and kept.
 * See docs/limits.md#compression and docs/decisions/api.md#d155.
 *
 * The kernel takes a small response at once, but a large one stays in memory until its client reads it. Large responses
 * are therefore limited in time and in bytes, for each account and in total. If a limit in bytes is exceeded, the
 * connection whose response has waited longest is closed.
 * See docs/limits.md#connections-and-bodies.
 */
import { promisify } from 'node:util'
import {
  type BrotliOptions,
  brotliCompress,
  brotliCompressSync,
  constants,
  gzip,
  gzipSync,
  type ZlibOptions,
} from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { whenOver } from './when-over.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether responses may be compressed. `once`: the bodies with status 200 are fixed texts, so they are kept. */
    compress?: boolean | 'once'
  }
}

/**
 * Shorter responses are not compressed, unless the client refuses uncompressed ones. In characters of a text or bytes.
 */
const MIN_LENGTH = 1_024

/** Up to this size (0.1 ms), compressing at once costs less than handing the text to another thread. */
const MAX_LENGTH_AT_ONCE = 8 * 1_024

/** Node has four threads for such work. The others remain free for name lookups and files. */
const THREADS = 2

/** Of texts that are compressed on other threads or wait for it. */
const MAX_LENGTH = 16_000_000

export type Coding = 'br' | 'gzip'

/** The whole body of a response. */
type Body = string | Buffer

function isBody(payload: unknown): payload is Body {
  return typeof payload === 'string' || Buffer.isBuffer(payload)
}

const GZIP_OPTIONS: ZlibOptions = { level: 5 }

/** A window of 256 KiB limits the memory of the encoder to about 2 MB. */
function brotliOptions(text: Body): BrotliOptions {
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN, BROTLI_PARAM_SIZE_HINT } = constants
  return {
    params: {
      [BROTLI_PARAM_QUALITY]: 4,
      [BROTLI_PARAM_LGWIN]: 18,
      [BROTLI_PARAM_SIZE_HINT]: text.length,
    },
  }
}

/** Returns a function that calls `send` with the compressed payload, or with the same payload. */
export function compressResponses() {
  const compressor = openCompressor()
  const kept = { br: new Map<Body, Buffer>(), gzip: new Map<Body, Buffer>() }
  // With a callback, because a promise would delay every response.
  return (
    request: FastifyRequest,
    reply: FastifyReply,
    payload: unknown,
    send: (payload: unknown) => void,
  ): void => {
    const { compress = false } = request.routeOptions.config
    const coding = compress === false ? undefined : codingFor(request, reply, payload)
    if (coding === undefined || !isBody(payload)) {
      send(payload)
      return
    }
    const sendCompressed = (compressed: Buffer): void => {
      reply.header('content-encoding', coding)
      send(compressed)
    }
    if (compress === 'once' && reply.statusCode === 200) {
      const compressed = kept[coding].get(payload) ?? compressAtOnce(payload, coding)
      kept[coding].set(payload, compressed)
      sendCompressed(compressed)
      return
    }
    if (payload.length <= MAX_LENGTH_AT_ONCE) {
      sendCompressed(compressAtOnce(payload, coding))
      return
    }
    compressor(payload, coding, () => reply.raw.destroyed).then(
      (compressed) => (compressed === undefined ? send(payload) : sendCompressed(compressed)),
      // Only if memory is short.
      () => send(payload),
    )
  }
}

/** Adds `Vary`. Undefined: send the response uncompressed. */
function codingFor(request: FastifyRequest, reply: FastifyReply, payload: unknown): Coding | undefined {
  addVary(reply, 'accept-encoding')
  const accepted = request.headers['accept-encoding']
  if (accepted === undefined || !isBody(payload)) return undefined
  if (reply.hasHeader('content-encoding')) return undefined
  const { coding, isIdentityRefused } = negotiate(accepted)
  return payload.length < MIN_LENGTH && !isIdentityRefused ? undefined : coding
}

/** Adds a name to the Vary header. */
export function addVary(reply: FastifyReply, name: string): void {
  const given = reply.getHeader('vary')
  if (given === undefined) reply.header('vary', name)
  else if (!String(given).toLowerCase().split(/, */).includes(name)) reply.header('vary', `${given}, ${name}`)
}

function compressAtOnce(text: Body, coding: Coding): Buffer {
  return coding === 'br' ? brotliCompressSync(text, brotliOptions(text)) : gzipSync(text, GZIP_OPTIONS)
}

const brotliOnThread = promisify<Body, BrotliOptions, Buffer>(brotliCompress)
const gzipOnThread = promisify<Body, ZlibOptions, Buffer>(gzip)

/**
 * Returns a function that compresses on other threads, at most THREADS texts at a time. It returns undefined if there
 * is too much to compress already, or if `isAbandoned` is true when the turn comes.
 */
export function openCompressor(maxLength = MAX_LENGTH) {
  let running = 0
  let length = 0
  const waiting: (() => void)[] = []

  return async (text: Body, coding: Coding, isAbandoned: () => boolean): Promise<Buffer | undefined> => {
    if (length + text.length > maxLength) return undefined
    length += text.length
    if (running < THREADS) running++
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      if (isAbandoned()) return undefined
      return await (coding === 'br'
        ? brotliOnThread(text, brotliOptions(text))
        : gzipOnThread(text, GZIP_OPTIONS))
    } finally {
      length -= text.length
      const next = waiting.shift()
      if (next === undefined) running--
      else next()
    }
  }
}

export type Negotiated = {
  /** Undefined: send the response uncompressed. */
  readonly coding: Coding | undefined
  readonly isIdentityRefused: boolean
}

const WEIGHT = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/

/** Selects a coding by the weights in `Accept-Encoding` (RFC 9110, 12.5.3). Brotli is preferred to gzip. */
export function negotiate(acceptEncoding: string): Negotiated {
  const weights = new Map<string, number>()
  for (const entry of acceptEncoding.split(',')) {
    const [name = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase())
    if (parameters.length === 0) weights.set(name, 1)
    // An entry that is not well-formed is ignored.
    else if (parameters.length === 1) {
      const weight = WEIGHT.exec(parameters[0] ?? '')?.[1]
      if (weight !== undefined) weights.set(name, Number(weight))
    }
  }
  const any = weights.get('*')
  const gzipWeight = weights.get('gzip') ?? weights.get('x-gzip') ?? any ?? 0
  const brotliWeight = weights.get('br') ?? any ?? 0
  // Uncompressed responses are acceptable unless they are refused.
  const identityWeight = weights.get('identity') ?? (any === 0 ? 0 : undefined)
  const best = Math.max(gzipWeight, brotliWeight)
  const coding =
    best === 0 || best < (identityWeight ?? 0) ? undefined : brotliWeight === best ? 'br' : 'gzip'
  return { coding, isIdentityRefused: identityWeight === 0 }
}

export type OutboxLimits = {
  readonly bytesPerAccount: number
  /** For all accounts together. */
  readonly bytes: number
  /**
   * Time limit until the last byte is read. A connection without any progress is closed earlier (`stalledMs` in
   * server.ts).
   */
  readonly responseMs: number
}

export const OUTBOX_LIMITS: OutboxLimits = {
  bytesPerAccount: 16 * 1024 * 1024,
  bytes: 64 * 1024 * 1024,
  responseMs: 120_000,
}

/** Smaller responses are not counted. */
const SMALL_BYTES = 64 * 1024

type Unread = { readonly account: string; readonly bytes: number; readonly close: () => void }

/** Returns a function that counts a response. Call it with the bytes or text that are sent. */
export function limitUnreadResponses(limits: OutboxLimits) {
  /** Oldest first. */
  const unread = new Set<Unread>()

  function track(reply: FastifyReply, account: string, bytes: number): void {
    // A pipelined response has no socket until the responses before it are sent.
    const socket = reply.raw.socket ?? reply.request.raw.socket
    if (socket.destroyed) return
    const response: Unread = { account, bytes, close: () => socket.destroy() }
    unread.add(response)
    const timer = setTimeout(response.close, limits.responseMs)
    whenOver(reply.raw, () => {
      clearTimeout(timer)
      unread.delete(response)
    })
    closeOldest(limits.bytesPerAccount, (other) => other.account === account)
    closeOldest(limits.bytes, () => true)
  }

  /** Closes the selected responses, oldest first, until the rest fit into `maxBytes`. */
  function closeOldest(maxBytes: number, isSelected: (response: Unread) => boolean): void {
    const counted = [...unread].filter(isSelected)
    let bytes = counted.reduce((sum, response) => sum + response.bytes, 0)
    for (const response of counted) {
      if (bytes <= maxBytes) return
      bytes -= response.bytes
      unread.delete(response)
      response.close()
    }
  }

  return (request: FastifyRequest, reply: FastifyReply, payload: unknown): void => {
    // Most responses are small. Counting the bytes of a text takes time.
    if (maxSizeOf(payload) <= SMALL_BYTES) return
    const bytes = sizeOf(payload)
    if (bytes > SMALL_BYTES) track(reply, request.sender, bytes)
  }
}

/** In UTF-8, a code unit has at most three bytes. */
function maxSizeOf(payload: unknown): number {
  return typeof payload === 'string' ? 3 * payload.length : sizeOf(payload)
}

function sizeOf(payload: unknown): number {
  if (typeof payload === 'string') return Buffer.byteLength(payload)
  return Buffer.isBuffer(payload) ? payload.byteLength : 0
}
