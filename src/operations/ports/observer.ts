/** What operations report. `metrics/` and `tracing/` implement it; absent if metrics and traces are off. */
import type { SelectedQuote } from '../../core/rating/selection.ts'

/** The operations whose time and outcomes are measured, named as in GraphQL. */
export type ObservedOperation = 'rates' | 'dutiesEstimate' | 'cancelShipment' | 'bookShipment'

type Ended = { readonly kind: string }

export type Observer = {
  /** Milliseconds since some point in the past. */
  now(): number
  /** An operation that began at `begunAt` has ended with an outcome of this kind. */
  ended(operation: ObservedOperation, outcome: Ended, begunAt: number): void
  /** Runs an operation, in a span of its own if there are traces. */
  within<Result extends Ended | Promise<Ended>>(operation: ObservedOperation, run: () => Result): Result
  /** The current span, for `background`; absent without traces. */
  traceParent?(): string | undefined
  /** Runs background work in a trace of its own, with a link to the request that started it. Absent without traces. */
  background?(work: string, startedBy: string | undefined, run: () => Promise<unknown>): Promise<unknown>
  /** A request was priced. */
  quoted(quote: SelectedQuote): void
}

type Observing = { readonly observer?: Observer | undefined }

/** Runs an operation and reports how it ended. One that throws is not reported: its request gets 500 or 503. */
export function observed<Outcome extends { readonly kind: string }>(
  { observer }: Observing,
  operation: ObservedOperation,
  run: () => Promise<Outcome>,
): Promise<Outcome>
export function observed<Outcome extends { readonly kind: string }>(
  { observer }: Observing,
  operation: ObservedOperation,
  run: () => Outcome | Promise<Outcome>,
): Outcome | Promise<Outcome>
export function observed<Outcome extends { readonly kind: string }>(
  { observer }: Observing,
  operation: ObservedOperation,
  run: () => Outcome | Promise<Outcome>,
): Outcome | Promise<Outcome> {
  if (observer === undefined) return run()
  const begunAt = observer.now()
  const report = (outcome: Outcome): Outcome => {
    observer.ended(operation, outcome, begunAt)
    return outcome
  }
  const outcome = observer.within(operation, run)
  return outcome instanceof Promise ? outcome.then(report) : report(outcome)
}
