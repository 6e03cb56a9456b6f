/**
 * Limits the calls that run at once with one set of carrier credentials, so that a slow carrier cannot use up the
 * sockets and memory of the process. When the limit is reached, calls queue briefly and then give up.
 */

/** The limits of a bulkhead. */
export type BulkheadLimits = {
  /** Calls at once. */
  readonly slots: number
  /** Calls of one account at once; default: all slots. */
  readonly slotsPerAccount?: number
  /** How long a call queues for a slot, in milliseconds. */
  readonly waitMs: number
}

/** The limits for callers. The lease of a cancellation has to cover `waitMs` (see CANCEL_TERMS). */
export const CALLER_LIMITS: BulkheadLimits = { slots: 128, waitMs: 1_000 }

/** A limit on the calls that run at once. */
export type Bulkhead = {
  /** True: a slot is taken and must be returned with `leave`. False: none became free within `waitMs`. */
  enter(accountId: string): Promise<boolean>
  /** Returns a slot that `enter` gave to the same account. */
  leave(accountId: string): void
  /** Slots that nobody uses. */
  free(): number
}

type QueuedCall = { readonly accountId: string; readonly settle: (entered: boolean) => void }

/**
 * Opens a bulkhead with all slots free. A returned slot goes to the queued call whose account uses the fewest slots,
 * and among equals to the one that has waited longest.
 */
export function bulkhead(terms: BulkheadLimits = CALLER_LIMITS): Bulkhead {
  const { slots, slotsPerAccount = slots, waitMs } = terms
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
