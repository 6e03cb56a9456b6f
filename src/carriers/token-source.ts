/**
 * OAuth access tokens of one set of credentials. Concurrent calls share one request for a token, which is cached until
 * shortly before it expires. Carriers block clients that request tokens too often: FedEx blocks an IP address for ten
 * minutes after 3 requests per second for 5 s, or 1 per second for 2 minutes (rate limit guide of developer.fedex.com).
 * So rejected credentials lead to growing pauses, and all credentials share one limit per host.
 * See docs/carriers.md#access-tokens.
 */
import { exchange, type HttpReply, type HttpRequest, retryAfterMs } from './http-exchange.ts'

export type Token = { readonly token: string; readonly lifetimeMs: number }

export type TokenSource = {
  /**
   * Sends the request made by `request` with a token. After a 401 it tries once more with a new token, unless that was
   * done recently. Otherwise the 401 is returned, and the token is kept: it may be good for other requests. Throws a
   * TokenError if there is no token.
   */
  send(request: (token: string) => HttpRequest, signal: AbortSignal): Promise<HttpReply>
}

/** Why a token request failed. */
export type TokenFault = {
  /** The carrier rejects the credentials. */
  readonly isRejection?: boolean
  /** The carrier's `Retry-After`, in milliseconds. */
  readonly retryAfterMs?: number
}

/** There is no access token. The message contains no credentials. */
export class TokenError extends Error {
  readonly #fault: TokenFault

  constructor(reason: string, fault: TokenFault = {}) {
    super(`no access token: ${reason}`)
    this.#fault = fault
  }

  get fault(): TokenFault {
    return this.#fault
  }
}

/** Limits the token requests to a host, across all credentials. */
export type TokenLimiter = {
  /** Resolves when a token request to `url` may be sent. Throws a TokenError if that would take too long. */
  enter(url: string): Promise<void>
}

export type TokenSourceOptions = {
  /** Absent: no limit. */
  readonly limiter?: TokenLimiter | undefined
  /** A monotonic clock in milliseconds. */
  readonly now?: () => number
}

/** A token is replaced this long before it expires, but not before half of its lifetime. */
const EXPIRES_EARLIER_MS = 60_000
/** In characters. */
const TOKEN_MAX = 8_192
/**
 * The limit is independent of the caller's signal, because other callers with more time left may wait for the same
 * token.
 */
const FETCH_LIMIT_MS = 6_000
/** How long a failure is returned without a new request. */
const FAILURE_PAUSE_MS = 2_000
/** The same if the carrier rejects the credentials, and between renewals after a 401. Doubles with each failure. */
const REJECTION_PAUSE_MS = { first: 60_000, longest: 900_000 }

/** Replies to a token request that reject the credentials (RFC 6749, section 5.2, allows 400 and 401). */
const REJECTIONS = new Set([400, 401, 403])

function rejectionPauseMs(rejections: number): number {
  return Math.min(REJECTION_PAUSE_MS.longest, REJECTION_PAUSE_MS.first * 2 ** (rejections - 1))
}

type CachedToken = {
  readonly token: string
  readonly until: number
  /** It replaced another token after a 401, and got a 401 as well. */
  rejected: boolean
}

type TokenCache = {
  /** The cached token, or a new one. Throws a TokenError. */
  current(): Promise<CachedToken>
  isCurrent(token: CachedToken): boolean
  drop(): void
}

/** Concurrent calls share one request. After a failed request there is a pause. */
function tokenCache(
  tokenRequest: HttpRequest,
  readToken: (json: unknown) => Token | undefined,
  limiter: TokenLimiter | undefined,
  now: () => number,
): TokenCache {
  let cached: CachedToken | undefined
  let fetching: Promise<CachedToken> | undefined
  let failed: { readonly error: unknown; readonly until: number } | undefined
  /** Token requests in a row that the carrier rejected. */
  let rejections = 0

  async function fetchToken(): Promise<CachedToken> {
    const signal = AbortSignal.timeout(FETCH_LIMIT_MS)
    await limiter?.enter(tokenRequest.url)
    const reply = await exchange(tokenRequest, signal).catch((error: Error) => {
      throw new TokenError(error.message)
    })
    const token = reply.status === 200 ? readToken(reply.json) : undefined
    if (token === undefined) throw tokenErrorOf(reply)
    rejections = 0
    const { lifetimeMs } = token
    const until = now() + Math.max(lifetimeMs - EXPIRES_EARLIER_MS, lifetimeMs / 2)
    cached = { token: token.token, until, rejected: false }
    return cached
  }

  function pauseAfter(error: unknown): number {
    const { isRejection = false, retryAfterMs: askedMs = 0 } = error instanceof TokenError ? error.fault : {}
    if (isRejection) rejections += 1
    return Math.max(isRejection ? rejectionPauseMs(rejections) : FAILURE_PAUSE_MS, askedMs)
  }

  return {
    current() {
      if (cached !== undefined && now() < cached.until) return Promise.resolve(cached)
      if (failed !== undefined && now() < failed.until) return Promise.reject(failed.error)
      fetching ??= fetchToken()
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
      cached = undefined
    },
  }
}

/** Requests tokens with `tokenRequest`. `readToken` returns undefined if the reply contains no valid token. */
export function tokenSource(
  tokenRequest: HttpRequest,
  readToken: (json: unknown) => Token | undefined,
  { limiter, now = () => performance.now() }: TokenSourceOptions = {},
): TokenSource {
  const tokens = tokenCache(tokenRequest, readToken, limiter, now)
  /** Renewals in a row after a 401 that led to another 401. */
  let vainRenewals = 0
  let renewedAt = Number.NEGATIVE_INFINITY

  /**
   * After a 401: true if there is a newer token, or a new one may be requested. There is at most one such request per
   * pause, because it does not help if the credentials lack a permission.
   */
  function mayRenew(used: CachedToken): boolean {
    if (!tokens.isCurrent(used)) return true
    if (now() - renewedAt < rejectionPauseMs(Math.max(1, vainRenewals))) return false
    renewedAt = now()
    tokens.drop()
    return true
  }

  /** Several requests with the same token count once. */
  function countVainRenewal(fresh: CachedToken): void {
    if (!fresh.rejected) vainRenewals += 1
    fresh.rejected = true
  }

  return {
    async send(request, signal) {
      const used = await tokens.current()
      signal.throwIfAborted()
      const reply = await exchange(request(used.token), signal)
      // A token that another kind of request was rejected with does not end the pauses.
      if (reply.status !== 401 && !used.rejected) vainRenewals = 0
      if (reply.status !== 401 || !mayRenew(used)) return reply
      const fresh = await tokens.current()
      signal.throwIfAborted()
      const second = await exchange(request(fresh.token), signal)
      if (second.status === 401) countVainRenewal(fresh)
      return second
    },
  }
}

function tokenErrorOf(reply: HttpReply): TokenError {
  const pauseMs = reply.status === 429 ? retryAfterMs(reply) : undefined
  const isRejection = REJECTIONS.has(reply.status)
  return new TokenError(`HTTP ${reply.status}`, {
    isRejection,
    ...(pauseMs !== undefined && { retryAfterMs: pauseMs }),
  })
}

/** Token requests to one host: 3 at once, and then one every 2.5 s. That is far below the limits of FedEx. */
const TOKEN_REQUESTS = { burst: 3, everyMs: 2_500 }
/** Leaves time for the request within `FETCH_LIMIT_MS`. Bounds the queue to one request. */
const LONGEST_WAIT_MS = 3_000

/** A limiter for all token sources of a process. `now` is a monotonic clock in milliseconds. */
export function tokenLimiter(
  now: () => number = () => performance.now(),
  sleep: (ms: number) => Promise<void> = (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
): TokenLimiter {
  /** When the next request to a host would be due without a burst. The settings name the hosts, so they are few. */
  const dueAt = new Map<string, number>()
  const burstMs = (TOKEN_REQUESTS.burst - 1) * TOKEN_REQUESTS.everyMs
  return {
    async enter(url) {
      const { host } = new URL(url)
      const time = now()
      const due = Math.max(dueAt.get(host) ?? Number.NEGATIVE_INFINITY, time - burstMs)
      const waitMs = due - time
      if (waitMs > LONGEST_WAIT_MS) throw new TokenError('too many token requests to this host')
      dueAt.set(host, due + TOKEN_REQUESTS.everyMs)
      if (waitMs > 0) await sleep(waitMs)
    },
  }
}

/** Reads `{ access_token, expires_in }` (RFC 6749, section 5.1). Some carriers send the seconds as text. */
export function readOAuthToken(json: unknown): Token | undefined {
  if (typeof json !== 'object' || json === null) return undefined
  const { access_token: token, expires_in: seconds } = json as Record<string, unknown>
  if (typeof token !== 'string' || token.length > TOKEN_MAX || !/^[\x21-\x7e]+$/.test(token)) return undefined
  const lifetimeMs = Number(seconds) * 1_000
  return { token, lifetimeMs: Number.isFinite(lifetimeMs) && lifetimeMs > 0 ? lifetimeMs : 300_000 }
}
