/** Decides whether a failed request is sent again, and when. */
import { WaybillError } from './error.ts'

/** Transient failures. A request that timed out is not repeated: the time limit of the caller has passed. */
const TEMPORARY: ReadonlySet<string> = /* @__PURE__ */ new Set([
  'NETWORK_ERROR',
  'RATE_LIMITED',
  'OVERLOADED',
  'SERVICE_UNAVAILABLE',
  'RESULT_UNAVAILABLE',
])
/** Statuses of proxies whose service is not available. */
const TEMPORARY_STATUSES: ReadonlySet<number | undefined> = /* @__PURE__ */ new Set([429, 502, 503, 504])

const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 20_000

/** The pause before the given repeat, counted from 1. Undefined if a repeat cannot help. */
export function pauseBefore(repeat: number, error: unknown): number | undefined {
  if (!(error instanceof WaybillError)) return undefined
  const { code, status, retryAfterSeconds } = error
  const isTemporary = TEMPORARY.has(code) || (code === 'HTTP_ERROR' && TEMPORARY_STATUSES.has(status))
  if (!isTemporary) return undefined
  if (retryAfterSeconds !== undefined) return retryAfterSeconds * 1_000
  const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** (repeat - 1), LONGEST_PAUSE_MS)
  // Clients that failed at the same time do not come back at the same time.
  return pauseMs * (0.5 + Math.random() / 2)
}

/**
 * Whether sending a document twice has the same effect as sending it once. Booking, cancelling, checkout tokens and
 * replays are safe to repeat, and so are drafts and kept estimates with an idempotency key in the variables. A mutation
 * that is not listed here counts as unsafe.
 */
export function isRepeatable(query: string, variables?: unknown): boolean {
  const code = query.replace(/#[^\n\r]*|"""[\s\S]*?"""|"(?:[^"\\\n]|\\.)*"/g, ' ')
  if (!/\bmutation\b/.test(code)) return true
  if (/\b(?:createDraftShipment|saveEstimate)\b/.test(code))
    return Object.values(Object(variables)).some(hasIdempotencyKey)
  return /\b(?:bookShipment|cancelShipment|createCheckoutToken|replayWebhook)\b/.test(code)
}

function hasIdempotencyKey(input: unknown): boolean {
  const { idempotencyKey } = Object(input) as { readonly idempotencyKey?: unknown }
  return typeof idempotencyKey === 'string' && idempotencyKey !== ''
}
