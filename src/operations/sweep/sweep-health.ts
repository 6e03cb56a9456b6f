/**
 * Whether the rounds of the sweeper succeed. If they have failed for a minute, or one has not ended for a minute,
 * attempts, bookings and verifications are not continued by this process, so an alert is raised, once. See
 * docs/operations.md#health-checks.
 */
import type { Ports } from '../ports/ports.ts'

/** Rounds that fail for this long, and a round that takes this long, raise an alert. */
export const FAILING_MS = 60_000

export type SweepStatus = {
  /** Since the last round that succeeded, or since the start, in milliseconds. */
  readonly sinceSuccessMs: number
  /** For how long rounds have failed or one has hung; 0 if the last one succeeded. */
  readonly failingMs: number
}

export type SweepHealth = {
  /** A round begins. It ends with `failed` or `succeeded`. */
  began(): void
  /** To be called from time to time during rounds: finds one that does not end. */
  check(): void
  failed(error: unknown): void
  succeeded(): void
  status(): SweepStatus
}

type HealthPorts = Pick<Ports, 'monotonicMs' | 'alert' | 'reportFault'>

/** `onRecovery` is called with the time of the failures when rounds succeed again after an alert. */
export function openSweepHealth(
  { monotonicMs, alert, reportFault }: HealthPorts,
  onRecovery: (failedMs: number) => void = () => {},
): SweepHealth {
  let succeededAt = monotonicMs()
  /** When the running round began. Undefined between rounds. */
  let begunAt: number | undefined
  let failingSince: number | undefined
  let isReported = false
  let isAlerted = false
  const raise = (detail: string): void => {
    if (!isAlerted) alert({ kind: 'SWEEP_FAILING', detail })
    isAlerted = true
  }
  return {
    began() {
      begunAt = monotonicMs()
    },
    check() {
      const runningMs = begunAt === undefined ? 0 : monotonicMs() - begunAt
      if (runningMs < FAILING_MS) return
      failingSince ??= begunAt
      const seconds = Math.round(runningMs / 1_000)
      raise(`a round has not ended for ${seconds} s`)
    },
    failed(error) {
      // Of failures in a row, only the first is reported.
      if (!isReported) reportFault(error)
      isReported = true
      failingSince ??= monotonicMs()
      begunAt = undefined
      const failingMs = monotonicMs() - failingSince
      if (failingMs < FAILING_MS) return
      const cause = error instanceof Error ? error.message : String(error)
      const seconds = Math.round(failingMs / 1_000)
      raise(`rounds have failed for ${seconds} s; last: ${cause}`)
    },
    succeeded() {
      if (isAlerted && failingSince !== undefined) onRecovery(monotonicMs() - failingSince)
      succeededAt = monotonicMs()
      begunAt = undefined
      failingSince = undefined
      isReported = false
      isAlerted = false
    },
    status() {
      const now = monotonicMs()
      return {
        sinceSuccessMs: now - succeededAt,
        failingMs: failingSince === undefined ? 0 : now - failingSince,
      }
    },
  }
}
