/**
 * Rules that all connectors share. An inconclusive reply is `unknown`. An unlisted code is a refusal only if the reply
 * is clearly about the request. See docs/carriers.md#write-a-connector.
 */
import type { RefusalCode } from '../../core/shipments/shipment.ts'
import type { UnknownAnswer } from '../../core/shipments/tracking.ts'
import type { CheckAnswer } from '../connector.ts'
import { type HttpReply, retryAfterMs, valueAt } from '../http-exchange.ts'

export type Unknown = UnknownAnswer

export type Refused = {
  readonly kind: 'refused'
  readonly reason: RefusalCode
  readonly code: string
  readonly message: string
}

/** The reply to the read of `Connector.check` is the carrier's own. */
export const ACCEPTED: CheckAnswer = { kind: 'accepted' }

export function unknown(cause: string, details: Omit<Unknown, 'kind' | 'cause'> = {}): Unknown {
  return { kind: 'unknown', cause, ...details }
}

/**
 * The answer of `ask`, without its status, or `unknown` if it throws. For a further request, which adds to the reply to
 * another one: if it fails, that reply must remain usable. `what` is the name of the request.
 */
export async function orUnknown<Answer>(what: string, ask: () => Promise<Answer>): Promise<Answer | Unknown> {
  try {
    return withoutStatus(await ask())
  } catch (error) {
    return unknown(`${what}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/**
 * Removes the status from an inconclusive answer to a further request. Otherwise its failure would count as a failure
 * of the whole carrier, and pause the calls for all parcels.
 */
export function withoutStatus<Answer>(answer: Answer): Answer {
  return isUnknown(answer) ? { ...answer, status: undefined } : answer
}

function isUnknown(answer: unknown): answer is Unknown {
  return typeof answer === 'object' && answer !== null && 'kind' in answer && answer.kind === 'unknown'
}

/**
 * An inconclusive reply: `HTTP` with the status, and `detail`, which is the carrier's own code or text. Passes on the
 * `Retry-After` of a 429 or 503. A 404 without `detail` comes from another server or path: the URL in the settings is
 * wrong.
 */
export function unknownReply(reply: HttpReply, detail?: string): Unknown {
  const { status } = reply
  const pauseMs = status === 429 || status === 503 ? retryAfterMs(reply) : undefined
  return unknown(`HTTP ${status}${detail === undefined ? '' : ` ${detail}`}`, {
    status,
    ...(pauseMs !== undefined && { retryAfterMs: pauseMs }),
    ...(status === 404 && detail === undefined && { configuration: true }),
  })
}

/**
 * For carriers without access tokens: a 401 or 403 rejects the configured credentials. Undefined for any other status.
 */
export function credentialFault(reply: HttpReply): Unknown | undefined {
  const isRejected = reply.status === 401 || reply.status === 403
  return isRejected ? { ...unknownReply(reply), configuration: true } : undefined
}

export function refused(reason: RefusalCode, code: string, message: string): Refused {
  return { kind: 'refused', reason, code, message }
}

/**
 * Judges an error with an unlisted code: a refusal if it has a message and its status is in `aboutParcel`, else
 * `unknown`. `aboutParcel` has the statuses with which the carrier documents answers about a parcel. Gateways and
 * firewalls in front of the carrier send other ones.
 */
export function unlistedError(
  reply: HttpReply,
  aboutParcel: ReadonlySet<number>,
  code: string | undefined,
  message: string | undefined,
): Refused | Unknown {
  if (!aboutParcel.has(reply.status) || message === undefined) return unknownReply(reply, code)
  return refused('NOT_CANCELLABLE', code ?? `HTTP ${reply.status}`, message)
}

/** The fields in which carriers and their gateways report errors. */
const ERROR_FIELDS = ['errors', 'Errors', 'error', 'Error', 'faults', 'fault', 'Fault'] as const

/** True if the body reports an error. A success beside it is a contradiction. */
export function reportsError(json: unknown): boolean {
  return ERROR_FIELDS.some((field) => hasContent(valueAt(json, field)))
}

/** False for null, false, zero, and empty texts, lists and objects. */
export function hasContent(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() !== ''
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0
  return Boolean(value)
}

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

/** For repeats that bring nothing new soon: rarer with the age of the attempt, from a minute up to an hour. */
export function slowRepeatMs(ageMs: number): number {
  return Math.min(HOUR_MS, Math.max(MINUTE_MS, ageMs / 4))
}

/** True if the whole carrier fails or limits requests, so that the call counts for the circuit breaker. */
export function isCarrierFault({ status = 0 }: Unknown): boolean {
  return status === 429 || status >= 500
}
