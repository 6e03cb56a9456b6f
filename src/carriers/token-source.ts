/**
 * Access tokens of one set of credentials: fetched once for all who wait (single flight), kept until shortly before
 * they expire, dropped when the carrier says 401. Where there is none to be had, nobody asks again for a moment: FedEx
 * locks out an address that asks too often. Source: design/cancellation.md, "Carriers".
 */
import { exchange, type HttpReply, type HttpRequest } from './http-exchange.ts'

/** A token and how long it may be used, in milliseconds. */
export type Token = { readonly token: string; readonly lifetimeMs: number }

/** Calls a carrier with a token. */
export type TokenSource = {
  /**
   * Sends what `request` makes of a token. A 401 drops the token and tries once more with a new one; a second 401 is
   * the reply. Throws when there is no token to be had, without a word of the credentials.
   */
  send(request: (token: string) => HttpRequest, signal: AbortSignal): Promise<HttpReply>
}

const EXPIRES_EARLIER_MS = 60_000
/** Longest token that is used, in characters. */
const TOKEN_MAX = 8_192
/** Nobody's own signal: those who wait for the same token may have more time than the one who asked first. */
const FETCH_LIMIT_MS = 6_000
/** How long a failure is the answer to all who ask. */
const FAILURE_PAUSE_MS = 2_000

/**
 * Tokens by `tokenRequest`, read by `readToken` (undefined: no token in this reply).
 */
export function tokenSource(
  tokenRequest: HttpRequest,
  readToken: (json: unknown) => Token | undefined,
  now: () => number = () => performance.now(),
): TokenSource {
  let held: (Token & { readonly until: number }) | undefined
  let fetching: Promise<string> | undefined
  let failed: { readonly error: unknown; readonly until: number } | undefined

  async function fetchToken(): Promise<string> {
    const reply = await exchange(tokenRequest, AbortSignal.timeout(FETCH_LIMIT_MS)).catch((error: Error) => {
      throw new Error(`no access token: ${error.message}`)
    })
    const token = reply.status === 200 ? readToken(reply.json) : undefined
    if (token === undefined) throw new Error(`no access token: HTTP ${reply.status}`)
    held = { ...token, until: now() + token.lifetimeMs - EXPIRES_EARLIER_MS }
    return token.token
  }

  function currentToken(): Promise<string> {
    if (held !== undefined && now() < held.until) return Promise.resolve(held.token)
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
      // Another call may have put a newer one there already.
      if (held?.token === token) held = undefined
      const fresh = await currentToken()
      signal.throwIfAborted()
      return exchange(request(fresh), signal)
    },
  }
}

/** Reads `{ access_token, expires_in }` (RFC 6749, 5.1); some carriers send the seconds as text. */
export function readOAuthToken(json: unknown): Token | undefined {
  if (typeof json !== 'object' || json === null) return undefined
  const { access_token: token, expires_in: seconds } = json as Record<string, unknown>
  if (typeof token !== 'string' || token.length > TOKEN_MAX || !/^[\x21-\x7e]+$/.test(token)) return undefined
  const lifetimeMs = Number(seconds) * 1_000
  return { token, lifetimeMs: Number.isFinite(lifetimeMs) && lifetimeMs > 0 ? lifetimeMs : 300_000 }
}
