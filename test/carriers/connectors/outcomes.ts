/**
 * Runs every script of the fakes against a connector: the expected results of three cancellations of one parcel, and
 * the state of the parcel at the carrier afterwards.
 */
import { describe, expect, test, vi } from 'vitest'
import { type FakeParcel, SCRIPTS, type Script } from '../fakes/fake-carrier.ts'

/** Cancelled by this call. */
export const now = { kind: 'cancelled', how: 'now' }
/** Cancelled before. */
export const already = { kind: 'cancelled', how: 'already' }
export const unknown = { kind: 'unknown', cause: expect.any(String) }
export const refusedAs = (reason: string) => ({ kind: 'refused', reason })
/** The connector throws. The gateway turns this into `unknown`. */
export const CUT = 'rejected'

/**
 * By script: the results of three consecutive calls, the state of the parcel afterwards, and the number of calls that
 * reached the parcel if it is not three.
 */
export type Outcomes = Readonly<
  Record<Script, readonly [answers: readonly unknown[], state: FakeParcel['state'], calls?: number]>
>

/** Scripts whose results do not depend on the carrier's codes. */
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

const TIMEOUT_MS = 5_000

/** Adds one test per script. `add` announces the parcel; `cancel` sends the cancellation number `sends`. */
export function testOutcomes(
  outcomes: Outcomes,
  add: (script: Script) => FakeParcel,
  cancel: (sends: number, signal: AbortSignal) => Promise<unknown>,
): void {
  describe('returns the expected results for three cancellations of one parcel', () => {
    test.each(SCRIPTS)('%s', async (script) => {
      const [answers, state, calls = answers.length] = outcomes[script]
      const parcel = add(script)
      for (const [index, expected] of answers.entries()) {
        const call =
          script === 'slow' && index === 0
            ? abandoned(parcel, (signal) => cancel(1, signal))
            : cancel(index + 1, AbortSignal.timeout(TIMEOUT_MS))
        if (expected === CUT) await expect(call).rejects.toThrow()
        else expect(await call).toMatchObject(expected as object)
        if (script === 'late-accept')
          await vi.waitFor(() => expect(parcel.state).toBe('cancelled'), { timeout: 60_000, interval: 5 })
      }
      expect(parcel.state).toBe(state)
      expect(parcel.cancelCalls).toBe(calls)
    })
  })
}

/** A call that is given up when its request has reached the carrier. */
async function abandoned(parcel: FakeParcel, call: (signal: AbortSignal) => Promise<unknown>) {
  const giveUp = new AbortController()
  const result = call(giveUp.signal)
  result.catch(() => {})
  await vi.waitFor(() => expect(parcel.cancelCalls).toBe(1), { timeout: 60_000, interval: 5 })
  giveUp.abort()
  return result
}
