/**
 * Distinguishes requests that certainly never left this machine from those that a carrier may have received. A send
 * that never left is not counted, so that a later "unknown parcel" is not taken for "already cancelled".
 *
 * One call of a connector may send several requests. They are counted by the call's signal: if an earlier one may have
 * left, a later one that did not leave does not make the call unsent. See docs/carriers.md#requests-that-never-left.
 * The signal also collects what was exchanged, for the record of the call.
 */
import { subscribe } from 'node:diagnostics_channel'
import type { SentExchange } from './sent-exchange.ts'

/** What the failure of a request says about the credentials and the carrier. */
export type SendFault = {
  /** The carrier rejects the credentials. */
  readonly isRejection?: boolean
  /** The carrier's `Retry-After`, in milliseconds. */
  readonly retryAfterMs?: number
  /** The HTTP status of the reply to the request for a token. */
  readonly status?: number
  /** No connection could be opened, or the settings make no valid request. Absent: another reason. */
  readonly reason?: 'no_connection' | 'invalid_request'
}

/** A request certainly never left this machine. The message contains no credentials. */
export class NotSentError extends Error {
  readonly #fault: SendFault

  constructor(reason: string, fault: SendFault = {}) {
    super(reason)
    this.#fault = fault
  }

  get fault(): SendFault {
    return this.#fault
  }
}

/**
 * The errors of connections that could not be opened: name resolution, TCP and the TLS handshake. The error codes alone
 * would not do, because ECONNRESET and the codes of TLS may also follow a request. Documented by undici:
 * https://github.com/nodejs/undici/blob/main/docs/docs/api/DiagnosticsChannel.md
 */
const connectErrors = new WeakSet<object>()
subscribe('undici:client:connectError', (message) => {
  const { error } = message as { readonly error?: unknown }
  if (typeof error === 'object' && error !== null) connectErrors.add(error)
})

/** Whether `fetch` failed because no connection could be opened. */
export function isConnectError(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (connectErrors.has(cause)) return true
  return false
}

type CallRequests = {
  /** The number of requests that a carrier may have executed. */
  count: number
  readonly exchanges: SentExchange[]
}

const requestsOf = new WeakMap<AbortSignal, CallRequests>()

/** The signal of one call of a connector. */
export type CallSignal = {
  readonly signal: AbortSignal
  abort(): void
  /** Whether a carrier may have executed a request that was sent with this signal. */
  mayHaveSent(): boolean
  /** What was exchanged until now. Without the requests for access tokens. */
  exchanges(): readonly SentExchange[]
}

export function openCallSignal(): CallSignal {
  const controller = new AbortController()
  const sent: CallRequests = { count: 0, exchanges: [] }
  requestsOf.set(controller.signal, sent)
  return {
    signal: controller.signal,
    abort: () => controller.abort(),
    mayHaveSent: () => sent.count > 0,
    exchanges: () => [...sent.exchanges],
  }
}

/** The signal of a part of a call. */
export type PartSignal = { readonly signal: AbortSignal; abort(reason?: unknown): void }

/**
 * A signal for a part of a call, which is aborted with that of the call, or before. Its requests count for the call,
 * unlike those with a signal of `AbortSignal.any`.
 */
export function partSignal(call: AbortSignal): PartSignal {
  const controller = new AbortController()
  const { signal } = controller
  const onAbort = () => abort(call.reason)
  const abort = (reason?: unknown): void => {
    call.removeEventListener('abort', onAbort)
    controller.abort(reason)
  }
  const sent = requestsOf.get(call)
  if (sent !== undefined) requestsOf.set(signal, sent)
  if (call.aborted) abort(call.reason)
  else call.addEventListener('abort', onAbort)
  return { signal, abort }
}

/**
 * Runs a part of a call with a signal that is also aborted after `limitMs`, and when the part has ended. It has a timer
 * of its own: `AbortSignal.any` of Node 20 may lose an `AbortSignal.timeout` when memory is collected.
 */
export async function withinLimit<Result>(
  call: AbortSignal,
  limitMs: number,
  part: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const { signal, abort } = partSignal(call)
  const late = () => abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'))
  const timer = setTimeout(late, limitMs).unref()
  try {
    return await part(signal)
  } finally {
    clearTimeout(timer)
    // Also removes the listener from the signal of the call, which may have many parts.
    abort(new Error('this part of the call has ended'))
  }
}

/** Counts a request that is about to be sent. */
export function countRequest(signal: AbortSignal): void {
  const sent = requestsOf.get(signal)
  if (sent !== undefined) sent.count += 1
}

/** Takes a request back that the carrier has certainly not executed. Call it once for a request. */
export function discountRequest(signal: AbortSignal): void {
  const sent = requestsOf.get(signal)
  if (sent !== undefined) sent.count -= 1
}

/**
 * Adds a request to the record of its call. Returns the function that replaces the entry when the request has ended.
 * Nothing is recorded for a signal of something else, such as a token request.
 */
export function beginExchange(signal: AbortSignal, begun: SentExchange): (ended: SentExchange) => void {
  const { exchanges = [] } = requestsOf.get(signal) ?? {}
  const index = exchanges.push(begun) - 1
  return (ended) => {
    exchanges[index] = ended
  }
}
