/**
 * The requests of a definition: their URL, headers and access token. What fails before a request is sent is a
 * `NotSentError`, so that it does not count as a send.
 */
import { isDeepStrictEqual } from 'node:util'
import type { CarrierAccess } from '../../connector.ts'
import { exchange, type HttpReply, type HttpRequest } from '../../http-exchange.ts'
import { NotSentError, withinLimit } from '../../not-sent.ts'
import { withoutTrailingSlashes } from '../../settings.ts'
import {
  isTokenText,
  readOAuthToken,
  type Token,
  TokenError,
  type TokenSource,
  tokenSource,
} from '../../token-source.ts'
import type { CarrierRequest, ConnectorDefinition, TokenDefinition } from './definition.ts'

/** The largest body of a reply that a definition can ask for, in bytes. */
const REPLY_MAX_BYTES = 4 * 1024 * 1024

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** What `make` returns. Throws a NotSentError if it throws. */
export function requestMade<Made>(make: () => Made): Made {
  try {
    return make()
  } catch (error) {
    throw new NotSentError(messageOf(error))
  }
}

/** The access tokens of one of `otherTokens`, or those of `token`. Undefined for a carrier without the latter. */
export type TokensOf = (name?: string) => TokenSource | undefined

export function tokensOf({ token, otherTokens = {} }: ConnectorDefinition, access: CarrierAccess): TokensOf {
  /** Equal requests share a token. */
  const opened: { readonly request: HttpRequest; readonly read: unknown; readonly source: TokenSource }[] = []
  const open = (wanted: TokenDefinition): TokenSource => {
    const { read } = wanted
    const request = tokenRequestOf(wanted, access)
    const known = opened.find((one) => one.read === read && isDeepStrictEqual(one.request, request))
    if (known !== undefined) return known.source
    const { tokenLimiter: limiter, sharedTokens: shared } = access
    const reader = read === undefined ? readOAuthToken : tokenReader(read)
    const source = tokenSource(request, reader, { limiter, shared })
    opened.push({ request, read, source })
    return source
  }
  const main = token && openedLate(() => open(token))
  const others = new Map(
    Object.entries(otherTokens).map(([name, other]) => [name, openedLate(() => open(other))]),
  )
  return (name) => {
    if (name === undefined) return main
    const other = others.get(name)
    if (other === undefined) throw new Error('tokenFrom must name one of otherTokens')
    return other
  }
}

/** Opened by the first call, because the definition may throw. */
function openedLate(open: () => TokenSource): TokenSource {
  let opened: TokenSource | undefined
  const tokens = (): TokenSource => {
    try {
      opened ??= open()
      return opened
    } catch (error) {
      throw new TokenError(messageOf(error))
    }
  }
  return {
    ready: async (signal) => tokens().ready(signal),
    send: async (request, signal) => tokens().send(request, signal),
  }
}

function tokenRequestOf({ request }: TokenDefinition, { baseUrl, credentials }: CarrierAccess): HttpRequest {
  const { path, headers = {}, body } = request(credentials)
  const type = typeof body === 'string' ? { 'content-type': 'application/x-www-form-urlencoded' } : {}
  return { method: 'POST', url: urlOf(baseUrl, path), headers: { ...type, ...textsOf(headers) }, body }
}

/** Errors are not quoted: they may contain the token. */
function tokenReader(read: (json: unknown) => Token | undefined): (json: unknown) => Token | undefined {
  return (json) => {
    try {
      const { token, lifetimeMs } = read(json) ?? {}
      const isLifetime = typeof lifetimeMs === 'number' && Number.isFinite(lifetimeMs) && lifetimeMs > 0
      return isTokenText(token) && isLifetime ? { token, lifetimeMs } : undefined
    } catch {
      throw new TokenError('the reply cannot be read')
    }
  }
}

/** Sends one request. Throws if there is no reply; a NotSentError if nothing has left. */
export type Send = (
  request: CarrierRequest,
  signal: AbortSignal,
  limitMs?: number | undefined,
) => Promise<HttpReply>

export function senderOf(
  { headers: headersOf = () => ({}) }: ConnectorDefinition,
  { baseUrl, credentials: settings }: CarrierAccess,
  tokensFrom: TokensOf,
): Send {
  const prepared = (given: CarrierRequest) => {
    const { path, query, headers, baseUrlFrom, tokenFrom, replyMaxBytes, ...request } = given
    // The settings check the URLs of such settings, and production refuses test interfaces in them.
    if (baseUrlFrom !== undefined && !baseUrlFrom.endsWith('Url'))
      throw new Error('baseUrlFrom must name a setting that ends with Url')
    if (replyMaxBytes !== undefined && !(Number.isSafeInteger(replyMaxBytes) && replyMaxBytes > 0))
      throw new Error('replyMaxBytes must be a whole number from 1')
    const base = withoutTrailingSlashes((baseUrlFrom && settings[baseUrlFrom]) || baseUrl)
    const url = urlOf(base, path, query)
    const withToken = (token: string): HttpRequest =>
      requestMade(() => ({
        ...request,
        url,
        headers: textsOf({ ...headersOf(settings, token), ...headers }),
        ...(replyMaxBytes !== undefined && { replyMaxBytes: Math.min(replyMaxBytes, REPLY_MAX_BYTES) }),
      }))
    return { withToken, tokens: tokensFrom(tokenFrom) }
  }
  return async (request, signal, limitMs) => {
    const { withToken, tokens } = requestMade(() => prepared(request))
    const sendWith = async (part: AbortSignal) =>
      tokens === undefined ? exchange(withToken(''), part) : tokens.send(withToken, part)
    return limitMs === undefined ? sendWith(signal) : withinLimit(signal, limitMs, sendWith)
  }
}

/** Without those that are undefined. */
function textsOf(texts: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(texts).flatMap(([name, text]) => (text === undefined ? [] : [[name, text] as const])),
  )
}

/** The message contains no value: a path may contain a number, and a query a secret. */
function urlOf(base: string, path: string, query: Readonly<Record<string, string>> = {}): string {
  if (typeof path !== 'string' || !path.startsWith('/'))
    throw new Error('the path of a request must begin with /')
  // A blank as %20, which every server reads. A plus sign of a value is encoded already.
  const parameters = new URLSearchParams(textsOf(query)).toString().replaceAll('+', '%20')
  return `${base}${path}${parameters === '' ? '' : `${path.includes('?') ? '&' : '?'}${parameters}`}`
}
