/**
 * OAuth access tokens of one set of credentials. Concurrent calls share one request for a token, which is cached until
 * shortly before it expires, and processes share the token through a store (shared-tokens.ts). Carriers block clients
 * that request tokens too often: FedEx blocks an IP address for ten minutes after 3 requests per second for 5 s, or 1
 * per second for 2 minutes (rate limit guide of developer.fedex.com). So rejected credentials lead to growing pauses,
 * and all credentials share one limit per host.
 * See docs/carriers.md#access-tokens.
 */
import { exchange, type HttpReply, type HttpRequest, retryAfterMs } from './http-exchange.ts'
import { discountRequest, NotSentError, type SendFault } from './not-sent.ts'
import type { SharedPause, SharedTokens, TokenShare } from './shared-tokens.ts'

export type Token = { readonly token: string; readonly lifetimeMs: number }

export type TokenSource = {
  /** Resolves when a token is at hand. Throws a TokenError if there is none, or if `signal` is aborted before. */
  ready(signal: AbortSignal): Promise<void>
  /**
   * Sends the request made by `request` with a token. After a 401 it tries once more with a new token, unless that was
   * done recently. Otherwise the 401 is returned, and the token is kept: it may be good for other requests. Throws a
   * TokenError if there is no token, or if `signal` is aborted before there is one.
   */
  send(request: (token: string) => HttpRequest, signal: AbortSignal): Promise<HttpReply>
}

/** There is no access token, so the request was not sent. */
export class TokenError extends NotSentError {
  constructor(reason: string, fault?: SendFault) {
    super(`no access token: ${reason}`, fault)
  }
}

/** Limits the token requests to a host, across all credentials. */
export type TokenLimiter = {
  /** Resolves when a token request to `url` may be sent. Throws a TokenError if too many are waiting. */
  enter(url: string): Promise<void>
}

export type TokenSourceOptions = {
  /** Absent: no limit. */
  readonly limiter?: TokenLimiter | undefined
  /** Absent: this process fetches its own tokens. */
  readonly shared?: SharedTokens | undefined
  /** A monotonic clock in milliseconds. */
  readonly now?: () => number
}

/** A token is replaced this long before it expires, but not before half of its lifetime. */
const EXPIRES_EARLIER_MS = 60_000
/** In characters. */
const TOKEN_MAX = 8_192
/** A longer lifetime is not believed, and could be beyond the times of the store. */
const LIFETIME_MAX_MS = 86_400_000
/**
 * The limit is independent of the signals of the calls, because other calls with more time left may wait for the same
 * token.
 */
const FETCH_LIMIT_MS = 6_000
/** How long one process may fetch a token while others wait for it. Longer than the limit. */
const LEASE_MS = FETCH_LIMIT_MS + 2_000
/** How often a process that waits for another one looks for the token. */
const LOOK_EVERY_MS = 100
/** After a rejection, no process requests a token for this long, or for as long as the carrier asks. */
const SHARED_PAUSE_MS = 60_000
/** How long a failure is returned without a new request. */
const FAILURE_PAUSE_MS = 2_000
/** The same if the carrier rejects the credentials, and between renewals after a 401. Doubles with each failure. */
const REJECTION_PAUSE_MS = { first: 60_000, longest: 900_000 }
/** The longest pause that a carrier can cause with `Retry-After`, because no cancellation is sent without a token. */
const RETRY_AFTER_MAX_MS = 900_000

/** Replies to a token request that reject the credentials (RFC 6749, section 5.2, allows 400 and 401). */
const REJECTIONS = new Set([400, 401, 403])

/** Replies whose `Retry-After` counts. */
const MAY_PAUSE = new Set([429, 503])

function rejectionPauseMs(rejections: number): number {
  return Math.min(REJECTION_PAUSE_MS.longest, REJECTION_PAUSE_MS.first * 2 ** (rejections - 1))
}

type CachedToken = {
  readonly token: string
  readonly until: number
  /** Of the shared token; 0 for a token that this process fetched for itself. */
  readonly version: number
  /** It replaced another token after a 401, and got a 401 as well. */
  rejected: boolean
}

type TokenCache = {
  /** The cached token, or a new one. Throws a TokenError. */
  current(): Promise<CachedToken>
  isCurrent(token: CachedToken): boolean
  /** The carrier has rejected the cached token. */
  drop(): void
}

/** Obtains a token that is newer than the version `after`. Throws a TokenError. */
type Obtain = (after: number) => Promise<FoundToken>
type FoundToken = { readonly token: string; readonly usableMs: number; readonly version: number }

/** Concurrent calls share one request. After a failed request there is a pause. */
function tokenCache(obtain: Obtain, now: () => number): TokenCache {
  let cached: CachedToken | undefined
  let fetching: Promise<CachedToken> | undefined
  let failed: { readonly error: unknown; readonly until: number } | undefined
  /** Token requests in a row that the carrier rejected. */
  let rejections = 0
  /** Shared tokens up to this version were rejected. */
  let rejectedVersion = 0

  async function newToken(): Promise<CachedToken> {
    const { token, usableMs, version } = await obtain(rejectedVersion)
    rejections = 0
    cached = { token, until: now() + usableMs, version, rejected: false }
    return cached
  }

  function pauseAfter(error: unknown): number {
    const { isRejection = false, retryAfterMs: askedMs } = error instanceof TokenError ? error.fault : {}
    // The carrier asked for it, or it is that of another process whose request was rejected.
    if (askedMs !== undefined) return Math.max(FAILURE_PAUSE_MS, askedMs)
    if (!isRejection) return FAILURE_PAUSE_MS
    rejections += 1
    return rejectionPauseMs(rejections)
  }

  return {
    current() {
      if (cached !== undefined && now() < cached.until) return Promise.resolve(cached)
      if (failed !== undefined && now() < failed.until) return Promise.reject(failed.error)
      fetching ??= newToken()
        .catch((error: unknown) => {
          failed = { error, until: now() + pauseAfter(error) }
          throw error
        })
        .finally(() => {
          fetching = undefined
        })
      return fetching
    },
    isCurrent: (token) => cached === token,
    drop() {
      rejectedVersion = Math.max(rejectedVersion, cached?.version ?? 0)
      cached = undefined
    },
  }
}

type Fetch = {
  readonly tokenRequest: HttpRequest
  readonly readToken: (json: unknown) => Token | undefined
  readonly limiter: TokenLimiter | undefined
}

/** Requests a token, within the limits of the host. Throws a TokenError. */
async function fetchToken({ tokenRequest, readToken }: Fetch, version: number): Promise<FoundToken> {
  const signal = AbortSignal.timeout(FETCH_LIMIT_MS)
  const reply = await exchange(tokenRequest, signal).catch((error: Error) => {
    throw new TokenError(error.message, error instanceof NotSentError ? error.fault : undefined)
  })
  const token = reply.status === 200 ? readToken(reply.json) : undefined
  if (token === undefined) throw tokenErrorOf(reply)
  const lifetimeMs = Math.min(token.lifetimeMs, LIFETIME_MAX_MS)
  return { token: token.token, usableMs: Math.max(lifetimeMs - EXPIRES_EARLIER_MS, lifetimeMs / 2), version }
}

function ownTokens(fetch: Fetch): Obtain {
  return async () => {
    await fetch.limiter?.enter(fetch.tokenRequest.url)
    return fetchToken(fetch, 0)
  }
}

/**
 * Obtains the token that another process has fetched, or fetches one for all. A process fetches one for itself if the
 * store is unavailable, or if the others take too long.
 */
function sharedObtain(fetch: Fetch, share: TokenShare): Obtain {
  const fetchForAll = async (version: number): Promise<FoundToken> => {
    try {
      const found = await fetchToken(fetch, version)
      await share.keep(version, found.token, found.usableMs)
      return found
    } catch (error) {
      await share.release(sharedPauseMs(error), error instanceof TokenError ? error.fault.status : undefined)
      throw error
    }
  }
  return async (after) => {
    const known = await share.claim(after)
    if (known === undefined) return ownTokens(fetch)(after)
    if (known.kind === 'token') return known
    if (known.kind === 'paused') throw pausedError(known)
    // Before the lease, because others would wait for it during the wait for the limiter.
    await fetch.limiter?.enter(fetch.tokenRequest.url)
    for (let waitedMs = 0; waitedMs < LEASE_MS; waitedMs += LOOK_EVERY_MS) {
      const claim = await share.claim(after, LEASE_MS)
      if (claim?.kind === 'token') return claim
      if (claim?.kind === 'paused') throw pausedError(claim)
      if (claim?.kind === 'none') return fetchForAll(claim.version)
      if (claim === undefined) break
      await pause(LOOK_EVERY_MS)
    }
    return fetchToken(fetch, 0)
  }
}

/** The error of the process that was refused a token, for this one. */
function pausedError({ forMs, status }: SharedPause): TokenError {
  const reply = status === undefined ? '' : `: HTTP ${status}`
  return new TokenError(`another process was refused one${reply}`, {
    isRejection: status !== undefined && REJECTIONS.has(status),
    retryAfterMs: Math.min(forMs, RETRY_AFTER_MAX_MS),
  })
}

/** Other processes may reach the carrier if this one could not. */
function sharedPauseMs(error: unknown): number {
  const { isRejection = false, retryAfterMs: askedMs = 0 } = error instanceof TokenError ? error.fault : {}
  return Math.max(isRejection ? SHARED_PAUSE_MS : 0, askedMs)
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds).unref()
  })
}

/** Requests tokens with `tokenRequest`. `readToken` returns undefined if the reply contains no valid token. */
export function tokenSource(
  tokenRequest: HttpRequest,
  readToken: (json: unknown) => Token | undefined,
  { limiter, shared, now = () => performance.now() }: TokenSourceOptions = {},
): TokenSource {
  const fetch = { tokenRequest, readToken, limiter }
  const obtain = shared === undefined ? ownTokens(fetch) : sharedObtain(fetch, shared(tokenRequest))
  const tokens = tokenCache(obtain, now)
  /** Renewals in a row after a 401 that led to another 401. */
  let failedRenewals = 0
  let renewedAt = Number.NEGATIVE_INFINITY

  /**
   * After a 401: true if there is a newer token, or a new one may be requested. There is at most one such request per
   * pause, because it does not help if the credentials lack a permission.
   */
  function mayRenew(used: CachedToken): boolean {
    if (!tokens.isCurrent(used)) return true
    if (now() - renewedAt < rejectionPauseMs(Math.max(1, failedRenewals))) return false
    renewedAt = now()
    tokens.drop()
    return true
  }

  /** Several requests with the same token count once. */
  function countVainRenewal(fresh: CachedToken): void {
    if (!fresh.rejected) failedRenewals += 1
    fresh.rejected = true
  }

  return {
    async ready(signal) {
      await unlessAborted(tokens.current(), signal)
    },
    async send(request, signal) {
      const used = await unlessAborted(tokens.current(), signal)
      const reply = await exchange(request(used.token), signal)
      // A success with a token that another kind of request was rejected with does not end the pauses.
      if (reply.status !== 401 && !used.rejected) failedRenewals = 0
      if (reply.status !== 401 || !mayRenew(used)) return reply
      // The carrier has rejected the request, so it has not executed it.
      discountRequest(signal)
      const fresh = await unlessAborted(tokens.current(), signal)
      const second = await exchange(request(fresh.token), signal)
      if (second.status === 401) countVainRenewal(fresh)
      return second
    },
  }
}

/** The token, unless the call that waits for it is aborted first. The request for the token continues. */
function unlessAborted(token: Promise<CachedToken>, signal: AbortSignal): Promise<CachedToken> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(new TokenError('the call was aborted while it waited'))
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    token.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}

function tokenErrorOf(reply: HttpReply): TokenError {
  const pauseMs = MAY_PAUSE.has(reply.status) ? retryAfterMs(reply) : undefined
  const isRejection = REJECTIONS.has(reply.status)
  const fault: SendFault = {
    status: reply.status,
    isRejection,
    ...(pauseMs !== undefined && { retryAfterMs: Math.min(pauseMs, RETRY_AFTER_MAX_MS) }),
  }
  return new TokenError(`HTTP ${reply.status}`, fault)
}

/** How many token requests to one host are sent at once, and the interval between later ones. */
export type TokenRequestLimits = { readonly burst: number; readonly everyMs: number }

/** For carriers that publish no limit. The figures are ours. */
const DEFAULT_LIMITS: TokenRequestLimits = { burst: 20, everyMs: 250 }
/** A set of credentials waits with one request at most, so only many sets can fill the queue of a host. */
const QUEUE_MAX = 500

type TokenQueue = {
  /** Ends when the last request in the queue may be sent. Never rejects. */
  last: Promise<void>
  length: number
  /** When the next request would be due without a burst. */
  dueAt: number
}

/**
 * A limiter for the token sources of one type of connector. Requests are sent in the order of their arrival. A call
 * does not have to wait for its turn: the token is kept for the next one. `now` is a monotonic clock in milliseconds.
 */
export function tokenLimiter(
  { burst, everyMs }: TokenRequestLimits = DEFAULT_LIMITS,
  now: () => number = () => performance.now(),
  sleep: (ms: number) => Promise<void> = pause,
): TokenLimiter {
  /** The settings name the hosts, so they are few. */
  const queues = new Map<string, TokenQueue>()

  /** Runs for one request after the other, so that a process that was paused does not send all waiting ones at once. */
  async function pass(queue: TokenQueue): Promise<void> {
    const due = Math.max(queue.dueAt, now() - (burst - 1) * everyMs)
    queue.dueAt = due + everyMs
    const waitMs = due - now()
    if (waitMs > 0) await sleep(waitMs)
    queue.length -= 1
  }

  return {
    async enter(url) {
      const { host } = new URL(url)
      const queue = queues.get(host) ?? {
        last: Promise.resolve(),
        length: 0,
        dueAt: Number.NEGATIVE_INFINITY,
      }
      queues.set(host, queue)
      if (queue.length >= QUEUE_MAX) throw new TokenError('too many token requests to this host are waiting')
      queue.length += 1
      queue.last = queue.last.then(() => pass(queue))
      await queue.last
    },
  }
}

/** Reads `{ access_token, expires_in }` (RFC 6749, section 5.1). Some carriers send the seconds as text. */
export function readOAuthToken(json: unknown): Token | undefined {
  if (typeof json !== 'object' || json === null) return undefined
  const { access_token: token, expires_in: seconds } = json as Record<string, unknown>
  if (!isTokenText(token)) return undefined
  const lifetimeMs = Number(seconds) * 1_000
  return { token, lifetimeMs: Number.isFinite(lifetimeMs) && lifetimeMs > 0 ? lifetimeMs : 300_000 }
}

/** A printable text without spaces, which can be part of a header. */
export function isTokenText(token: unknown): token is string {
  return typeof token === 'string' && token.length <= TOKEN_MAX && /^[\x21-\x7e]+$/.test(token)
}
