/** Sends documents to the service with `fetch`. */
import type { TypedDocument } from './document.ts'
import { type GraphQLResponseError, WaybillError } from './error.ts'
import { isRepeatable, pauseBefore } from './repeat.ts'
import { abortable, type CallOptions, limitTime } from './time.ts'

export type WaybillClientOptions = {
  /** The address of the GraphQL API, such as "https://waybill.example.com/graphql". */
  readonly url: string
  /**
   * The value of the header `X-PP-API`, such as "demo@demo-secret". Never use a key with a secret in a browser: a page
   * uses a publishable key ("pk_…"), which stands alone. Omit it if the address is your own backend, which adds the
   * header.
   */
  readonly apiKey?: string | undefined
  /** Further headers of every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Default: the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined
  /** Time limit of a call in milliseconds, including its repeats. Default: 30,000. */
  readonly timeoutMs?: number | undefined
  /** Aborts all calls of this client. */
  readonly signal?: AbortSignal | undefined
  /**
   * How often a request is repeated if the service could not be reached or was overloaded. Default: 0. Queries,
   * `bookShipment`, `cancelShipment` and `createCheckoutToken` are repeated. `createDraftShipment` is repeated only
   * with an `idempotencyKey`, because the service may have created a draft already.
   */
  readonly retries?: number | undefined
}

export type RequestOptions = CallOptions & {
  /** Further headers, such as `X-Request-Id`. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** `variables` may be omitted if all of them are optional. */
type RequestArguments<Variables> =
  Record<string, never> extends Variables
    ? [variables?: Variables, options?: RequestOptions]
    : [variables: Variables, options?: RequestOptions]

export type WaybillClient = {
  /**
   * Sends a document and returns `data` of the response. Throws a `WaybillError` if the response has top-level errors,
   * or if there is no response. If a signal aborts the call, throws the reason of the signal.
   */
  request<Result, Variables>(
    document: TypedDocument<Result, Variables>,
    ...args: RequestArguments<Variables>
  ): Promise<Result>
}

const DEFAULT_TIMEOUT_MS = 30_000

export function createWaybillClient(options: WaybillClientOptions): WaybillClient {
  const { retries = 0, timeoutMs = DEFAULT_TIMEOUT_MS } = options
  return {
    async request<Result>(
      document: TypedDocument<Result, never>,
      variables?: unknown,
      call: RequestOptions = {},
    ): Promise<Result> {
      const query = document.toString()
      const body = JSON.stringify({ query, variables })
      const signals = [options.signal, call.signal].filter((signal) => signal !== undefined)
      return limitTime({ timeoutMs: call.timeoutMs ?? timeoutMs, signals }, async (signal) => {
        for (let repeats = 0; ; repeats++) {
          try {
            // The compiler cannot compare a response with the types of a document. They are generated from the schema.
            return (await send(options, call, body, signal)) as Result
          } catch (error) {
            const pauseMs = repeats < retries ? pauseBefore(repeats + 1, error) : undefined
            if (pauseMs === undefined || !isRepeatable(query, variables)) throw error
            await abortable(pauseMs, signal)
          }
        }
      })
    },
  }
}

async function send(
  { url, apiKey, headers, fetch = globalThis.fetch }: WaybillClientOptions,
  call: RequestOptions,
  body: string,
  signal: AbortSignal,
): Promise<unknown> {
  const response = await receive(fetch, url, {
    method: 'POST',
    headers: {
      accept: 'application/graphql-response+json, application/json;q=0.9',
      'content-type': 'application/json',
      ...(apiKey !== undefined && { 'x-pp-api': apiKey }),
      ...headers,
      ...call.headers,
    },
    body,
    signal,
    // A redirect would send the API key to another address.
    redirect: 'error',
  })
  const { status, requestId, retryAfterSeconds } = response
  const content = parseContent(response.text)
  if (content === undefined)
    throw new WaybillError(`The response is not a GraphQL response (HTTP status ${status})`, {
      code: status === 200 ? 'INVALID_RESPONSE' : 'HTTP_ERROR',
      ...{ status, requestId, retryAfterSeconds },
    })
  const { errors, data } = content
  const [first] = errors
  if (first === undefined) return data
  const { code, requestId: id } = first.extensions ?? {}
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : ''
  throw new WaybillError(`${first.message}${more}`, {
    code: typeof code === 'string' ? code : 'INTERNAL_SERVER_ERROR',
    requestId: typeof id === 'string' ? id : requestId,
    ...{ status, retryAfterSeconds, errors, data },
  })
}

type Received = {
  readonly status: number
  readonly requestId: string | undefined
  readonly retryAfterSeconds: number | undefined
  readonly text: string
}

async function receive(fetch: typeof globalThis.fetch, url: string, init: RequestInit): Promise<Received> {
  try {
    const response = await fetch(url, init)
    return {
      status: response.status,
      requestId: response.headers.get('x-request-id') ?? undefined,
      retryAfterSeconds: secondsFrom(response.headers.get('retry-after')),
      text: await response.text(),
    }
  } catch (cause) {
    if (init.signal?.aborted === true) throw init.signal.reason
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new WaybillError(`The service could not be reached: ${reason}`, { code: 'NETWORK_ERROR', cause })
  }
}

/** Reads `Retry-After`, which is a number of seconds or a date. */
function secondsFrom(header: string | null): number | undefined {
  if (header === null) return undefined
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1_000
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : undefined
}

type Content = { readonly errors: readonly GraphQLResponseError[]; readonly data: unknown }

/** The fields of a GraphQL response. Undefined if the text is something else. */
function parseContent(text: string): Content | undefined {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return undefined
  }
  if (typeof parsed !== 'object' || parsed === null) return undefined
  const { errors, data }: { errors?: unknown; data?: unknown } = parsed
  const list = Array.isArray(errors) ? errors.filter(isResponseError) : []
  if (list.length > 0) return { errors: list, data }
  return typeof data === 'object' && data !== null ? { errors: [], data } : undefined
}

function isResponseError(value: unknown): value is GraphQLResponseError {
  return (
    typeof value === 'object' && value !== null && 'message' in value && typeof value.message === 'string'
  )
}
