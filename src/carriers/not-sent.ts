/**
 * Distinguishes requests that certainly never left this machine from those that a carrier may have received. A send
 * that never left is not counted, so that a later "unknown parcel" is not taken for "already cancelled".
 *
 * One call of a connector may send several requests. They are counted by the call's signal: if an earlier one may have
 * left, a later one that did not leave does not make the call unsent. See docs/carriers.md#requests-that-never-left.
 */
import { subscribe } from 'node:diagnostics_channel'

/** What the failure of a request says about the credentials and the carrier. */
export type SendFault = {
  /** The carrier rejects the credentials. */
  readonly isRejection?: boolean
  /** The carrier's `Retry-After`, in milliseconds. */
  readonly retryAfterMs?: number
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

/** The number of requests of a call that a carrier may have executed. */
type SentRequests = { count: number }

const sentRequests = new WeakMap<AbortSignal, SentRequests>()

/** The signal of one call of a connector. */
export type CallSignal = {
  readonly signal: AbortSignal
  abort(): void
  /** Whether a carrier may have executed a request that was sent with this signal. */
  mayHaveSent(): boolean
}

export function openCallSignal(): CallSignal {
  const controller = new AbortController()
  const sent: SentRequests = { count: 0 }
  sentRequests.set(controller.signal, sent)
  return {
    signal: controller.signal,
    abort: () => controller.abort(),
    mayHaveSent: () => sent.count > 0,
  }
}

/**
 * A signal for a part of a call, which is also aborted after `limitMs`. Its requests count for the call, unlike those
 * with a signal of `AbortSignal.any`.
 */
export function limitedSignal(signal: AbortSignal, limitMs: number): AbortSignal {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(limitMs)])
  const sent = sentRequests.get(signal)
  if (sent !== undefined) sentRequests.set(limited, sent)
  return limited
}

/** Counts a request that is about to be sent. */
export function countRequest(signal: AbortSignal): void {
  const sent = sentRequests.get(signal)
  if (sent !== undefined) sent.count += 1
}

/** Takes a request back that the carrier has certainly not executed. Call it once for a request. */
export function discountRequest(signal: AbortSignal): void {
  const sent = sentRequests.get(signal)
  if (sent !== undefined) sent.count -= 1
}
