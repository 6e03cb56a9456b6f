/**
 * OAuth access tokens of one set of credentials. Concurrent calls share one request for a token. A token is cached
 * until shortly before it expires, and dropped after a 401. After a failed token request there is a pause, because
 * FedEx blocks clients that request tokens too often.
 */
import { exchange, type HttpReply, type HttpRequest } from './http-exchange.ts'

export type Token = { readonly token: string; readonly lifetimeMs: number }

export type TokenSource = {
  /**
   * Sends the request made by `request` with a token. After a 401 it tries once more with a new token; a second 401 is
   * returned. Throws if there is no token; the message contains no credentials.
   */
  send(request: (token: string) => HttpRequest, signal: AbortSignal): Promise<HttpReply>
}

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

/** Limits the token requests to a host, across all credentials. */
export type TokenLimiter = {
  /** Resolves when a token request to `url` may be sent. Throws if that would take too long. */
  enter(url: string, signal: AbortSignal): Promise<void>
}

export type TokenSourceOptions = {
  /** Absent: no limit. */
  readonly limiter?: TokenLimiter | undefined
  /** A monotonic clock in milliseconds. */
  readonly now?: () => number
}

/** Requests tokens with `tokenRequest`. `readToken` returns undefined if the reply contains no valid token. */
export function tokenSource(
  tokenRequest: HttpRequest,
  readToken: (json: unknown) => Token | undefined,
  { limiter, now = () => performance.now() }: TokenSourceOptions = {},
): TokenSource {
  let cached: (Token & { readonly until: number }) | undefined
  let fetching: Promise<string> | undefined
  let failed: { readonly error: unknown; readonly until: number } | undefined

  async function fetchToken(): Promise<string> {
    const signal = AbortSignal.timeout(FETCH_LIMIT_MS)
    await limiter?.enter(tokenRequest.url, signal)
    const reply = await exchange(tokenRequest, signal).catch((error: Error) => {
      throw new Error(`no access token: ${error.message}`)
    })
    const token = reply.status === 200 ? readToken(reply.json) : undefined
    if (token === undefined) throw new Error(`no access token: HTTP ${reply.status}`)
    cached = { ...token, until: now() + token.lifetimeMs - EXPIRES_EARLIER_MS }
    return token.token
  }

  function currentToken(): Promise<string> {
    if (cached !== undefined && now() < cached.until) return Promise.resolve(cached.token)
    if (failed !== undefined && now() < failed.until) return Promise.reject(failed.error)
    fetching ??= fetchToken()
      .catch((error: unknown) => {
        failed = { error, until: now() + FAILURE_PAUSE_MS }
        throw error
      })
      .finally(() => {
        fetching = undefined
      })
    return fetching
  }

  return {
    async send(request, signal) {
      const token = await currentToken()
      signal.throwIfAborted()
      const reply = await exchange(request(token), signal)
      if (reply.status !== 401) return reply
      // Another call may already have fetched a newer token.
      if (cached?.token === token) cached = undefined
      const fresh = await currentToken()
      signal.throwIfAborted()
      return exchange(request(fresh), signal)
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
