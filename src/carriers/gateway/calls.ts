/**
 * One call of a connector: takes a slot, applies the time limit, turns every failure into `unknown` or `not_sent`,
 * reports to the circuit how the call ended, and makes its record.
 */
import type { NotSent } from '../../core/shipments/cancellation.ts'
import type { CallPurpose, CarrierCall } from '../../operations/ports/carrier-calls.ts'
import type { CarrierCallKind } from '../../operations/ports/carriers.ts'
import type { Alert } from '../../operations/ports/ports.ts'
import { withTimeout } from '../../operations/ports/work.ts'
import { isCarrierFault, type Unknown, unknown } from '../connectors/judgement.ts'
import { NotSentError, openCallSignal } from '../not-sent.ts'
import { hiding, recordOf } from '../redaction.ts'
import type { SentExchange } from '../sent-exchange.ts'
import { cleanText, notSent } from './answers.ts'
import { type Carriers, channelAlert, type SlotRequest, type Slots } from './channels.ts'
import type { CallEnd } from './circuit-breaker.ts'

export type Call<Answer> = SlotRequest & {
  /** What the call is about: the (first) tracking number of a shipment, or the shipment's id for a booking. */
  readonly subject: string
  readonly purpose: CallPurpose
  /** The tracking number that the record names. Default: `subject`. */
  readonly carrierRef?: string
  /** See `CarrierCall.attemptId`. */
  readonly attemptId?: string
  readonly limitMs: number
  /** Called when the call has a slot. Returns why it may not be sent. */
  spend?(): string | undefined
  send(signal: AbortSignal): Promise<Answer>
}

export type Run = <Answer extends { readonly kind: string }>(
  call: Call<Answer>,
) => Promise<Answer | Unknown | NotSent>

/** What a runner reports to. */
export type CallObservers = {
  readonly alert: (alert: Alert) => void
  /** Gets the record of each call that had a slot. */
  readonly record: ((call: CarrierCall) => void) | undefined
}

/** Each call takes a slot. Afterwards it is reported to the circuit and recorded, and may raise alerts. */
export function runner(slots: Slots, carriers: Pick<Carriers, 'secretsOf'>, observers: CallObservers): Run {
  const { alert, record } = observers
  const report = record && reporter(record)
  const isFirst = oncePerHour()
  return async (call) => {
    const slot = await slots.take(call)
    if (slot.kind === 'not_sent') return slot
    try {
      const begunAt = new Date()
      // Before the call: the settings may be read again while it runs.
      const secrets = carriers.secretsOf?.(call.carrierCode, call.accountId) ?? []
      const refusal = call.spend?.()
      if (refusal !== undefined) {
        slot.call.dropped()
        return notSent(refusal)
      }
      const { answer, end, isRejection, exchanges } = await callWithTimeout(call)
      report?.(call, begunAt, answer, exchanges, secrets)
      const about = (kind: Alert['kind']) =>
        channelAlert(kind, call.carrierCode, slot.channel, causeOf(answer))
      if (slot.call.ended(call.subject, end) && isReported(end)) alert(about('CIRCUIT_OPENED'))
      if ((isRejection || isConfigurationFault(answer)) && isFirst(`${slot.channel.key} ${causeOf(answer)}`))
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

function reporter(record: (call: CarrierCall) => void) {
  return (
    call: Call<unknown>,
    begunAt: Date,
    answer: { readonly kind: string },
    exchanges: readonly SentExchange[],
    secrets: readonly string[],
  ): void => {
    const { purpose, carrierCode, accountId, subject, carrierRef = subject, attemptId } = call
    // A record that cannot be made must not change the answer.
    try {
      const cause = hiding(secrets)(causeOf(answer))
      record({
        purpose,
        carrierCode,
        accountId,
        subject: carrierRef,
        ...(attemptId !== undefined && { attemptId }),
        begunAt: begunAt.toISOString(),
        durationMs: Date.now() - begunAt.getTime(),
        outcome: answer.kind,
        ...(cause !== '' && { cause }),
        exchanges: exchanges.map((sent) => recordOf(sent, secrets, { bodies: purpose !== 'tracking' })),
      })
    } catch {}
  }
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

type CallResult<Answer> = CallOutcome<Answer> & { readonly exchanges: readonly SentExchange[] }

type CallOutcome<Answer> = {
  readonly answer: Answer | Unknown | NotSent
  /** How the circuit breaker counts the call. */
  readonly end: CallEnd
  /** True if the carrier rejected the credentials before anything was sent. */
  readonly isRejection: boolean
}

/** If the connector ignores the abort signal, its late answer is dropped. */
async function callWithTimeout<Answer extends { readonly kind: string }>(
  call: Call<Answer>,
): Promise<CallResult<Answer>> {
  const { signal, abort, mayHaveSent, exchanges } = openCallSignal()
  const result = resultOf(call, signal, mayHaveSent)
  const timedOut: CallOutcome<Answer> = {
    answer: unknown(`no answer within ${call.limitMs} ms`),
    end: { kind: 'failed' },
    isRejection: false,
  }
  // A call that was waiting for its access token ends at once with `not_sent`.
  const late = async (): Promise<CallOutcome<Answer>> => {
    abort()
    const last = await Promise.race([result, reactionsDone()])
    return last?.answer.kind === 'not_sent' ? last : timedOut
  }
  const outcome = await withTimeout<CallOutcome<Answer> | Promise<CallOutcome<Answer>>>(
    result,
    call.limitMs,
    late,
  )
  return { ...outcome, exchanges: exchanges() }
}

/** Resolves when the reactions to promises that are settled now have run. */
function reactionsDone(): Promise<undefined> {
  return new Promise((resolve) => {
    queueMicrotask(() => process.nextTick(resolve))
  })
}

/** Never rejects. */
async function resultOf<Answer extends { readonly kind: string }>(
  call: Call<Answer>,
  signal: AbortSignal,
  mayHaveSent: () => boolean,
): Promise<CallOutcome<Answer>> {
  try {
    const answer = await call.send(signal)
    const end: CallEnd = isUnknown(answer) ? endOf(answer, call.kind) : { kind: 'ok' }
    return { answer, end, isRejection: false }
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error)
    if (!(error instanceof NotSentError))
      return { answer: unknown(cause), end: { kind: 'failed' }, isRejection: false }
    const { isRejection = false, retryAfterMs } = error.fault
    const answer = mayHaveSent() ? unknown(cause) : notSent(cleanText(cause))
    const end: CallEnd =
      retryAfterMs === undefined
        ? { kind: isRejection ? 'rejected' : 'failed' }
        : pausedFor(retryAfterMs, call.kind)
    return { answer, end, isRejection }
  }
}

/** An inconclusive answer about a single parcel, such as one that is not in the carrier's system yet, is no failure. */
function endOf(answer: Unknown, kind: CarrierCallKind): CallEnd {
  if (answer.retryAfterMs !== undefined) return pausedFor(answer.retryAfterMs, kind)
  if (answer.status === 401) return { kind: 'rejected' }
  return { kind: isCarrierFault(answer) || answer.status === 403 ? 'failed' : 'ok' }
}

/** The longest pause that a carrier can cause. After it, one trial call finds out whether it is over. */
const PAUSE_MAX_MS: Readonly<Record<CarrierCallKind, number>> = { command: 900_000, lookup: 86_400_000 }

function pausedFor(pauseMs: number, kind: CarrierCallKind): CallEnd {
  return { kind: 'paused', pauseMs: Math.min(pauseMs, PAUSE_MAX_MS[kind]) }
}

function isConfigurationFault(answer: { readonly kind: string }): boolean {
  return (
    isUnknown(answer) && (answer.configuration === true || answer.status === 401 || answer.status === 403)
  )
}

export function isUnknown(answer: { readonly kind: string }): answer is Unknown {
  return answer.kind === 'unknown'
}

function causeOf(answer: { readonly kind: string; readonly cause?: unknown }): string {
  return cleanText(String(answer.cause ?? ''))
}
