/**
 * One HTTP exchange with a carrier: a request, a reply that is read up to a limit, and safe ways to look into its
 * JSON. Nothing in a reply is trusted: what has not the expected shape is as if it were not there.
 */

/** Longest body of a carrier that is read, in bytes. */
const BODY_MAX = 256 * 1024

/** What a carrier answered. */
export type HttpReply = {
  readonly status: number
  /** The parsed body; undefined when there is none, it is too long, or it is no JSON. */
  readonly json: unknown
  /** A header's text, trimmed; undefined when it is missing or empty. Capitals in `name` do not matter. */
  header(name: string): string | undefined
}

/** What is sent. `body` goes out as JSON unless it is text already. */
export type HttpRequest = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | object
}

/**
 * One try. Compressed bodies are unpacked, redirects are not followed (credentials would go with them). Throws when
 * there is no reply: no connection, reset, or `signal`.
 */
export async function exchange(request: HttpRequest, signal: AbortSignal): Promise<HttpReply> {
  const { method, url, headers = {}, body } = request
  const isObject = typeof body === 'object'
  const reply = await fetch(url, {
    method,
    headers: {
      accept: 'application/json',
      ...(isObject && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: isObject ? JSON.stringify(body) : body }),
    redirect: 'manual',
    signal,
  }).catch((error: unknown) => {
    throw new Error(reasonOf(error))
  })
  return {
    status: reply.status,
    json: parse(await bodyOf(reply)),
    header: (name) => reply.headers.get(name)?.trim() || undefined,
  }
}

/** The innermost reason: fetch's own message says only that it failed. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code } = error as { code?: unknown }
  if (error.cause !== undefined) return reasonOf(error.cause)
  if (typeof code === 'string') return code
  // A request that cannot be made: the message repeats the header or the URL, and what is secret in it.
  return error instanceof TypeError ? 'no request can be made of these settings' : error.message
}

async function bodyOf(reply: Response): Promise<string | undefined> {
  if (reply.body === null) return undefined
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of reply.body) {
    bytes += chunk.byteLength
    // Leaving the loop cancels the rest.
    if (bytes > BODY_MAX) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parse(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What lies at a path of a JSON value; undefined where the path leaves it. */
export function at(json: unknown, ...path: readonly (string | number)[]): unknown {
  let value = json
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    value = (value as Record<string | number, unknown>)[step]
  }
  return value
}

/** The text at a path, trimmed; undefined when it is anything else or empty. */
export function textAt(json: unknown, ...path: readonly (string | number)[]): string | undefined {
  const value = at(json, ...path)
  const text = typeof value === 'string' ? value.trim() : ''
  return text === '' ? undefined : text
}

/** The list at a path; empty when it is anything else. */
export function listAt(json: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const value = at(json, ...path)
  return Array.isArray(value) ? value : []
}

/** `user:password` for HTTP Basic, as the value of the `authorization` header. */
export function basicAuthorization(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
}
