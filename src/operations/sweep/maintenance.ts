/**
 * The work of the sweeper that is not urgent: what only has to be done some time. Each kind fails by itself, so that a
 * statement that fails again and again does not stop the others. If one fails for ten minutes, an alert is raised,
 * once: otherwise personal data would be kept, or tables grow, unnoticed. See docs/cancellation.md#background-work.
 */
import type { Ports } from '../ports/ports.ts'

/** A kind of work that fails for this long raises an alert. */
export const MAINTENANCE_FAILING_MS = 10 * 60_000

export type MaintenanceWork = {
  /** A noun phrase for the alert, such as "the erasure of old shipments". */
  readonly name: string
  run(): Promise<unknown>
}

/** Returns the function that does all of it, one after the other. It never throws. */
export function openMaintenance(
  { monotonicMs, alert, reportFault }: Pick<Ports, 'monotonicMs' | 'alert' | 'reportFault'>,
  all: readonly MaintenanceWork[],
): () => Promise<void> {
  const failing = new Map<MaintenanceWork, { readonly since: number; isAlerted: boolean }>()
  const failed = (work: MaintenanceWork, error: unknown): void => {
    const known = failing.get(work)
    // Of failures in a row, only the first is reported.
    if (known === undefined) {
      reportFault(error)
      failing.set(work, { since: monotonicMs(), isAlerted: false })
      return
    }
    const failingMs = monotonicMs() - known.since
    if (known.isAlerted || failingMs < MAINTENANCE_FAILING_MS) return
    known.isAlerted = true
    const cause = error instanceof Error ? error.message : String(error)
    const minutes = Math.round(failingMs / 60_000)
    alert({
      kind: 'MAINTENANCE_FAILING',
      detail: `${work.name} has failed for ${minutes} minutes; last: ${cause}`,
    })
  }
  return async () => {
    for (const work of all) {
      try {
        await work.run()
        failing.delete(work)
      } catch (error) {
        failed(work, error)
      }
    }
  }
}
