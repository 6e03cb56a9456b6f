/**
 * Whether the rounds of the sweeper succeed. If they have failed for a minute, attempts, bookings and verifications are
 * not continued by this process, so an alert is raised, once. See docs/operations.md#health-checks.
 */
import type { Ports } from '../ports/ports.ts'

/** Rounds that fail for this long raise an alert. */
export const FAILING_MS = 60_000

export type SweepStatus = {
  /** Since the last round that succeeded, or since the start, in milliseconds. */
  readonly sinceSuccessMs: number
  /** For how long rounds have failed; 0 if the last one succeeded. */
  readonly failingMs: number
}

export type SweepHealth = {
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
  let failingSince: number | undefined
  let isAlerted = false
  return {
    failed(error) {
      // Of failures in a row, only the first is reported.
      if (failingSince === undefined) reportFault(error)
      failingSince ??= monotonicMs()
      const failingMs = monotonicMs() - failingSince
      if (isAlerted || failingMs < FAILING_MS) return
      isAlerted = true
      const cause = error instanceof Error ? error.message : String(error)
      const detail = `rounds have failed for ${Math.round(failingMs / 1_000)} s; last: ${cause}`
      alert({ kind: 'SWEEP_FAILING', detail })
    },
    succeeded() {
      if (isAlerted && failingSince !== undefined) onRecovery(monotonicMs() - failingSince)
      succeededAt = monotonicMs()
      failingSince = undefined
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
