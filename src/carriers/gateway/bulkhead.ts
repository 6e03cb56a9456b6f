/**
 * Bulkhead: limits concurrent calls with one set of carrier credentials, so a slow carrier cannot exhaust the sockets
 * or memory of the process. When the limit is reached, calls queue briefly and then fail. See
 * docs/cancellation.md#protection-against-broken-carriers.
 */

export type BulkheadLimits = {
  /** Concurrent calls. */
  readonly slots: number
  /** Concurrent calls of one account. Default: all slots. */
  readonly slotsPerAccount?: number
  /** How long a call is queued. */
  readonly waitMs: number
}

/** The limits for callers. The lease of a cancellation must cover `waitMs` (see `CANCEL_POLICY`). */
export const CALLER_LIMITS: BulkheadLimits = { slots: 128, waitMs: 1_000 }

export type Bulkhead = {
  /** True: the call has a slot, which must be returned with `leave`. False: no slot became free within `waitMs`. */
  enter(accountId: string): Promise<boolean>
  /** Returns a slot of the same account. */
  leave(accountId: string): void
  free(): number
}

type QueuedCall = { readonly accountId: string; readonly settle: (entered: boolean) => void }

/**
 * A returned slot goes to the queued call whose account uses the fewest slots. Among several such calls, the one that
 * has waited longest gets it.
 */
export function bulkhead(limits: BulkheadLimits = CALLER_LIMITS): Bulkhead {
  const { slots, slotsPerAccount = slots, waitMs } = limits
  const queue: QueuedCall[] = []
  /** Only accounts that use slots have an entry. */
  const used = new Map<string, number>()
  let running = 0

  const usedBy = (accountId: string): number => used.get(accountId) ?? 0
  const mayEnter = (accountId: string): boolean => running < slots && usedBy(accountId) < slotsPerAccount
  const take = (accountId: string): void => {
    running += 1
    used.set(accountId, usedBy(accountId) + 1)
  }
  const nextCall = (): QueuedCall | undefined => {
    let best: QueuedCall | undefined
    for (const call of queue) {
      if (!mayEnter(call.accountId)) continue
      if (best === undefined || usedBy(call.accountId) < usedBy(best.accountId)) best = call
    }
    return best
  }

  return {
    enter(accountId) {
      if (mayEnter(accountId)) {
        take(accountId)
        return Promise.resolve(true)
      }
      return new Promise((resolve) => {
        const call: QueuedCall = {
          accountId,
          settle(entered) {
            clearTimeout(timer)
            queue.splice(queue.indexOf(call), 1)
            resolve(entered)
          },
        }
        const timer = setTimeout(() => call.settle(false), waitMs)
        queue.push(call)
      })
    },
    leave(accountId) {
      running -= 1
      if (usedBy(accountId) === 1) used.delete(accountId)
      else used.set(accountId, usedBy(accountId) - 1)
      // One slot was returned, so at most one queued call can start.
      const call = nextCall()
      if (call === undefined) return
      take(call.accountId)
      call.settle(true)
    },
    free: () => slots - running,
  }
}
