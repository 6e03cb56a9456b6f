/**
 * Keeps the answers of a request true that records something before it calls a carrier, when its time is over or the
 * result of a statement is lost: "nothing was sent" only if nothing is, or may be, recorded; otherwise "pending".
 * See docs/cancellation.md#lost-results.
 */
import type { Callers } from '../core/shipments/cancel-steps.ts'
import type { Ports } from './ports/ports.ts'
import { NotExecuted } from './ports/shipments.ts'

/** The state of one run of a request, which its callers share. */
export type Recording = {
  /** Whether the request is, or may be, recorded. */
  mayBeRecorded: boolean
  /** "pending": the request has to be recorded. "nothing was sent": nothing may be recorded any more. */
  callers: Callers
}

export function openRecording(callers: Callers = 'waiting'): Recording {
  return { mayBeRecorded: false, callers }
}

/** What a caller whose time is over gets. The run has to act accordingly. */
export function answerLate(recording: Recording): 'pending' | 'nothing sent' {
  if (!recording.mayBeRecorded) recording.callers = 'got nothing sent'
  else if (recording.callers === 'waiting') recording.callers = 'got pending'
  return recording.mayBeRecorded ? 'pending' : 'nothing sent'
}

/** Pauses between the tries, in milliseconds; the last one repeats. */
const PAUSES_MS = [50, 400, 1_000, 5_000]

export type RecordOptions = {
  /** Stop after this much time in pauses, in milliseconds. */
  readonly withinMs: number
  /** Called after each failure. */
  onFailure?(): void
}

/**
 * Runs a statement that may record the request. If it was certainly not executed, tries once more and then throws. If
 * it may have been executed, or a caller got "pending", repeats it until its result is known, so it must be safe to
 * repeat.
 */
export async function record<Result>(
  { sleep }: Pick<Ports, 'sleep'>,
  recording: Recording,
  statement: () => Promise<Result>,
  { withinMs, onFailure }: RecordOptions,
): Promise<Result> {
  const wasRecorded = recording.mayBeRecorded
  let isUncertain = false
  let waitedMs = 0
  // If a caller's time is over while the statement runs, or before it is repeated, the answer is "pending".
  recording.mayBeRecorded = true
  for (let tries = 1; ; tries += 1) {
    try {
      return await statement()
    } catch (error) {
      onFailure?.()
      isUncertain ||= !(error instanceof NotExecuted)
      const mustRecord = isUncertain || recording.callers === 'got pending'
      if (mustRecord ? waitedMs >= withinMs : tries === 2) {
        if (!mustRecord) recording.mayBeRecorded = wasRecorded
        throw error
      }
    }
    const pauseMs = PAUSES_MS[Math.min(tries, PAUSES_MS.length) - 1] ?? 0
    waitedMs += pauseMs
    await sleep(pauseMs)
  }
}
