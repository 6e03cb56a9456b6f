/**
 * One call of a connector: takes a slot, applies the time limit, turns every failure into `unknown`, and reports to the
 * circuit how the call ended.
 */
import type { NotSent } from '../../core/shipments/cancellation.ts'
import type { Alert } from '../../operations/ports/ports.ts'
import { withTimeout } from '../../operations/ports/work.ts'
import { isCarrierFault, type Unknown, unknown } from '../connectors/judgement.ts'
import { TokenError } from '../token-source.ts'
import { cleanText, notSent } from './answers.ts'
import { channelAlert, type SlotRequest, type Slots } from './channels.ts'
import type { CallEnd } from './circuit-breaker.ts'

/** One call of a connector. */
export type Call<Answer> = SlotRequest & {
  /** What the call is about: the (first) tracking number of a shipment, or the shipment's id for a booking. */
  readonly subject: string
  readonly limitMs: number
  /** Called when the call has a slot. Returns why it may not be sent. */
  spend?(): string | undefined
  send(signal: AbortSignal): Promise<Answer>
}

export type Run = <Answer extends { readonly kind: string }>(
  call: Call<Answer>,
) => Promise<Answer | Unknown | NotSent>

/** Takes a slot for each call, reports how it ended to the circuit, and raises alerts. */
export function runner(slots: Slots, alert: (alert: Alert) => void): Run {
  const isFirst = oncePerHour()
  return async (call) => {
    const slot = await slots.take(call)
    if (slot.kind === 'not_sent') return slot
    try {
      const refusal = call.spend?.()
      if (refusal !== undefined) {
        slot.call.dropped()
        return notSent(refusal)
      }
      const { answer, end } = await callWithTimeout(call)
      const about = (kind: Alert['kind']) =>
        channelAlert(kind, call.carrierCode, slot.channel, causeOf(answer))
      if (slot.call.ended(call.subject, end) && isReported(end)) alert(about('CIRCUIT_OPENED'))
      if (isConfigurationFault(answer) && isFirst(`${slot.channel.key} ${causeOf(answer)}`))
        alert(about('CARRIER_CONFIGURATION'))
      return answer
    } finally {
      slot.leave()
    }
  }
}

/** Carriers that limit the rate of calls ask for pauses of a few seconds. These need no attention. */
const SHORT_PAUSE_MS = 15_000

function isReported(end: CallEnd): boolean {
  return end.kind !== 'paused' || end.pauseMs > SHORT_PAUSE_MS
}

const HOUR_MS = 3_600_000
const REMEMBERED_MAX = 1_000

/** Returns a function that is true for a text it has not been called with during the last hour. */
function oncePerHour(): (text: string) => boolean {
  /** The times, in ascending order. */
  const reportedAt = new Map<string, number>()
  return (text) => {
    const now = performance.now()
    for (const [known, at] of reportedAt) {
      if (now - at < HOUR_MS && reportedAt.size < REMEMBERED_MAX) break
      reportedAt.delete(known)
    }
    if (reportedAt.has(text)) return false
    reportedAt.set(text, now)
    return true
  }
}

/** `end`: how the circuit breaker counts the call. */
type CallResult<Answer> = { readonly answer: Answer | Unknown; readonly end: CallEnd }

/** If the connector ignores the abort signal, its late answer is dropped. */
function callWithTimeout<Answer extends { readonly kind: string }>(
  call: Call<Answer>,
): Promise<CallResult<Answer>> {
  const abort = new AbortController()
  return withTimeout<CallResult<Answer>>(answerOrCause(call, abort.signal), call.limitMs, () => {
    abort.abort()
    return { answer: unknown(`no answer within ${call.limitMs} ms`), end: { kind: 'failed' } }
  })
}

async function answerOrCause<Answer extends { readonly kind: string }>(
  call: Call<Answer>,
  signal: AbortSignal,
): Promise<CallResult<Answer>> {
  try {
    const answer = await call.send(signal)
    return { answer, end: isUnknown(answer) ? endOf(answer) : { kind: 'ok' } }
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error)
    if (!(error instanceof TokenError)) return { answer: unknown(cause), end: { kind: 'failed' } }
    const { isRejection = false, retryAfterMs } = error.fault
    const answer = unknown(cause, { configuration: isRejection })
    if (retryAfterMs !== undefined) return { answer, end: pausedFor(retryAfterMs) }
    return { answer, end: { kind: isRejection ? 'rejected' : 'failed' } }
  }
}

/** An inconclusive answer about a single parcel, such as one that is not in the carrier's system yet, is no failure. */
function endOf(answer: Unknown): CallEnd {
  if (answer.retryAfterMs !== undefined) return pausedFor(answer.retryAfterMs)
  if (/^HTTP 401\b/.test(answer.cause)) return { kind: 'rejected' }
  return { kind: isCarrierFault(answer) || /^HTTP 403\b/.test(answer.cause) ? 'failed' : 'ok' }
}

const PAUSE_MAX_MS = 86_400_000

function pausedFor(pauseMs: number): CallEnd {
  return { kind: 'paused', pauseMs: Math.min(pauseMs, PAUSE_MAX_MS) }
}

function isConfigurationFault(answer: { readonly kind: string }): boolean {
  return isUnknown(answer) && (answer.configuration === true || /^HTTP 40[13]\b/.test(answer.cause))
}

export function isUnknown(answer: { readonly kind: string }): answer is Unknown {
  return answer.kind === 'unknown'
}

function causeOf(answer: { readonly kind: string; readonly cause?: unknown }): string {
  return cleanText(String(answer.cause ?? ''))
}
