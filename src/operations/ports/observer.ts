/** What operations report for metrics. `metrics/` implements it; absent if metrics are off. */
import type { SelectedQuote } from '../../core/rating/selection.ts'

/** The operations whose time and outcomes are measured, named as in GraphQL. */
export type ObservedOperation = 'rates' | 'dutiesEstimate' | 'cancelShipment' | 'bookShipment'

export type Observer = {
  /** Milliseconds since some point in the past. */
  now(): number
  /** An operation that began at `begunAt` has ended with an outcome of this kind. */
  ended(operation: ObservedOperation, outcome: { readonly kind: string }, begunAt: number): void
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
  const outcome = run()
  return outcome instanceof Promise ? outcome.then(report) : report(outcome)
}
