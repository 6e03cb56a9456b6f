/**
 * Counting against a limit in windows of fixed length, per name. Memory is bounded: names come from callers,
 * so the least recently used one is forgotten rather than another one kept. Counts are this process's own.
 */
import { LRUCache } from 'lru-cache'

/** Names kept at most; a forgotten one starts a new window. */
const MAX_NAMES = 50_000

/** What a budget allows. */
export type BudgetRule = {
  /** Units per window. */
  readonly limit: number
  readonly windowMs: number
  /** A monotonic clock in milliseconds; default `performance.now`. */
  readonly now?: () => number
}

/**
 * A limit per name. Both answers are whole seconds (at least 1) until the window ends, or undefined: go on.
 */
export interface Budget {
  /** Takes one unit; the wait when none was left. */
  spend(name: string): number | undefined
  /** The wait when nothing is left; takes nothing. */
  exhausted(name: string): number | undefined
}

type Window = { readonly endsAt: number; spent: number }

/** A budget with every name unspent. */
export function openBudget({ limit, windowMs, now = () => performance.now() }: BudgetRule): Budget {
  const windows = new LRUCache<string, Window>({ max: MAX_NAMES })
  const current = (name: string, at: number): Window => {
    const known = windows.get(name)
    if (known !== undefined && at < known.endsAt) return known
    const fresh = { endsAt: at + windowMs, spent: 0 }
    windows.set(name, fresh)
    return fresh
  }
  const wait = (window: Window, at: number) => Math.max(1, Math.ceil((window.endsAt - at) / 1000))
  return {
    spend(name) {
      const at = now()
      const window = current(name, at)
      if (window.spent >= limit) return wait(window, at)
      window.spent++
      return undefined
    },
    exhausted(name) {
      const at = now()
      const window = windows.get(name)
      if (window === undefined || at >= window.endsAt || window.spent < limit) return undefined
      return wait(window, at)
    },
  }
}
