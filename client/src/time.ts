/** Time limits and aborts. */
import { WaybillError } from './error.ts'

export type CallOptions = {
  /** Time limit of this call in milliseconds, including its repeats. Default: that of the client. */
  readonly timeoutMs?: number | undefined
  /** Aborts this call. */
  readonly signal?: AbortSignal | undefined
}

type Limits = { readonly timeoutMs: number; readonly signals: readonly AbortSignal[] }

/**
 * Runs `work` with a signal that aborts at the time limit, or when one of `signals` aborts. Not `AbortSignal.any`,
 * which some supported browsers lack.
 */
export async function limitTime<Result>(
  { timeoutMs, signals }: Limits,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController()
  const timer = setTimeout(
    () =>
      controller.abort(new WaybillError(`There was no response within ${timeoutMs} ms`, { code: 'TIMEOUT' })),
    timeoutMs,
  )
  const removals = signals.map((signal) => {
    const abort = () => controller.abort(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort)
    return () => signal.removeEventListener('abort', abort)
  })
  try {
    controller.signal.throwIfAborted()
    return await work(controller.signal)
  } finally {
    clearTimeout(timer)
    for (const remove of removals) remove()
  }
}

/** Waits. Throws the reason of the signal when it aborts. */
export function abortable(pauseMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(signal.reason)
    const abort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, pauseMs)
    signal?.addEventListener('abort', abort, { once: true })
  })
}
