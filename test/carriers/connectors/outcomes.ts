/**
 * The table of outcomes that each connector's tests hold: for every script, what three cancellations of one parcel are
 * taken for, and how the parcel stands at the carrier behind them.
 */
import { describe, expect, test, vi } from 'vitest'
import { type FakeParcel, SCRIPTS, type Script } from '../fakes/fake-carrier.ts'

/** Cancelled by this very call. */
export const now = { kind: 'cancelled', how: 'now' }
/** Cancelled before. */
export const already = { kind: 'cancelled', how: 'already' }
/** In doubt. */
export const unknown = { kind: 'unknown', cause: expect.any(String) }
/** Refused for good. */
export const refusedAs = (reason: string) => ({ kind: 'refused', reason })
/** No answer at all: the connector throws, and the gateway makes doubt of it. */
export const CUT = 'rejected'

/**
 * Per script: the answers to three calls in a row, the state of the parcel afterwards, and how many calls got as far as
 * the parcel where those are not three.
 */
export type Outcomes = Readonly<
  Record<Script, readonly [answers: readonly unknown[], state: FakeParcel['state'], calls?: number]>
>

/** What does not hang on the carrier's own codes. */
export const COMMON_OUTCOMES = {
  ok: [[now, already, already], 'cancelled'],
  pending: [[now, already, already], 'cancelled'],
  partial: [[unknown, unknown, unknown], 'announced'],
  slow: [[CUT, already, already], 'cancelled'],
  down: [[CUT, CUT, CUT], 'announced'],
  '503-twice': [[unknown, unknown, now], 'cancelled'],
  '429': [[unknown, unknown, unknown], 'announced'],
  '401-once': [[now, already, already], 'cancelled'],
  garbage: [[unknown, unknown, unknown], 'announced'],
  meaningless: [[unknown, unknown, unknown], 'announced'],
  'reply-lost': [[CUT, already, already], 'cancelled'],
  'late-accept': [[CUT, already, already], 'cancelled'],
} as const satisfies Partial<Outcomes>

/** Shorter than the fakes' `slow`, for the one call that is to be given up. */
const IMPATIENT_MS = 60
const PATIENT_MS = 5_000

/** One test per script: `add` announces the parcel, `cancel` asks for the `sends`th time within a time. */
export function testOutcomes(
  outcomes: Outcomes,
  add: (script: Script) => FakeParcel,
  cancel: (sends: number, timeoutMs: number) => Promise<unknown>,
): void {
  describe('a cancellation asked three times', () => {
    test.each(SCRIPTS)('%s', async (script) => {
      const [answers, state, calls = answers.length] = outcomes[script]
      const parcel = add(script)
      for (const [index, expected] of answers.entries()) {
        const call = cancel(index + 1, script === 'slow' && index === 0 ? IMPATIENT_MS : PATIENT_MS)
        if (expected === CUT) await expect(call).rejects.toThrow()
        else expect(await call).toMatchObject(expected as object)
        if (script === 'late-accept')
          await vi.waitFor(() => expect(parcel.state).toBe('cancelled'), { interval: 5 })
      }
      expect(parcel.state).toBe(state)
      expect(parcel.cancelCalls).toBe(calls)
    })
  })
}
