/**
 * The sweeper's clock: a round every second, give or take half, in every replica, so that they do not march in step.
 * A round that fails is reported once until one succeeds; the next one comes all the same.
 * Source: design/cancellation.md, step 4.
 */
import { reportOverdue, type SweepPorts, type SweepTerms, sweep } from './sweep.ts'

/** A sweeper that runs. */
export type Recovery = {
  /** No new rounds; resolves when the one that is running has taken on what it will. */
  stop(): Promise<void>
}

const EVERY_MS = 1_000
/** Overdue attempts are looked for once in so many rounds. */
const ROUNDS_BETWEEN_REPORTS = 30

/** Sweeps until stopped. */
export function startRecovery(ports: SweepPorts, terms: SweepTerms): Recovery {
  let round = 0
  let failing = false
  let stopped = false
  let running: Promise<void> = Promise.resolve()
  let timer: ReturnType<typeof setTimeout>

  const runRound = async (): Promise<void> => {
    try {
      await sweep(ports, terms)
      if (round++ % ROUNDS_BETWEEN_REPORTS === 0) await reportOverdue(ports, terms)
      failing = false
    } catch (error) {
      if (!failing) ports.reportFault(error)
      failing = true
    }
  }
  const schedule = (): void => {
    timer = setTimeout(
      () => {
        running = runRound().finally(() => {
          if (!stopped) schedule()
        })
      },
      EVERY_MS * (0.5 + terms.jitter()),
    )
  }
  schedule()
  return {
    stop() {
      stopped = true
      clearTimeout(timer)
      return running
    },
  }
}
