/**
 * Limits per name over a sliding window: in any period of that length a name spends at most its limit. Counts are
 * this process's own; with several replicas each allows the limit.
 */
import { LRUCache } from 'lru-cache'

/** What a budget allows. */
export type BudgetRule = {
  /** Units per window. */
  readonly limit: number
  readonly windowMs: number
  /**
   * How many names are kept at most, for names that callers can make up; the least recently used one is then
   * forgotten. Absent for names that exist only in small numbers, such as API keys: none is ever forgotten.
   */
  readonly maxNames?: number
  /** A monotonic clock in milliseconds; default `performance.now`. */
  readonly now?: () => number
}

/** What is left of a name's budget. */
export type BudgetState = {
  readonly limit: number
  readonly remaining: number
  /** Whole seconds until everything is available again; 0 when nothing is spent. */
  readonly resetSeconds: number
}

/** A limit per name. Waits are whole seconds, at least 1. */
export interface Budget {
  /** Takes `units` (default 1) when they are left. Otherwise takes nothing and returns the wait until they are. */
  spend(name: string, units?: number): number | undefined
  /** The wait when not even one unit is left; takes nothing. */
  exhausted(name: string): number | undefined
  state(name: string): BudgetState
}

/**
 * The window is counted in slots. The slot in progress and all slots that the window touches count in full, so the
 * limit holds in every window; what was spent is available again at most one slot late.
 */
const SLOTS = 60

/** One name's spending: a ring of slots, of which `latest` is the number of the newest. */
type Window = { readonly slots: Uint32Array; latest: number; spent: number }

/** A map, or a cache that forgets. */
type Windows = { get(name: string): Window | undefined; set(name: string, window: Window): unknown }

/** A budget of which nothing is spent. */
export function openBudget({ limit, windowMs, maxNames, now = () => performance.now() }: BudgetRule): Budget {
  const slotMs = windowMs / SLOTS
  const windows: Windows =
    maxNames === undefined ? new Map() : new LRUCache<string, Window>({ max: maxNames })

  const open = (name: string): Window => {
    const fresh = { slots: new Uint32Array(SLOTS + 1), latest: 0, spent: 0 }
    windows.set(name, fresh)
    return fresh
  }
  /** Milliseconds until at most `allowed` units count. */
  const msUntil = (window: Window, allowed: number, at: number): number => {
    let counted = window.spent
    for (let slot = window.latest - SLOTS; slot <= window.latest; slot++) {
      if (counted <= allowed) break
      counted -= window.slots[positionOf(slot)] ?? 0
      if (counted <= allowed) return (slot + SLOTS + 1) * slotMs - at
    }
    return counted <= allowed ? 0 : windowMs
  }
  const waitFor = (window: Window, units: number, at: number): number =>
    Math.max(1, Math.ceil(msUntil(window, limit - units, at) / 1000))

  return {
    spend(name, units = 1) {
      const at = now()
      const window = windows.get(name) ?? open(name)
      advance(window, Math.floor(at / slotMs))
      if (window.spent + units > limit) return waitFor(window, units, at)
      window.spent += units
      window.slots[positionOf(window.latest)]! += units
      return undefined
    },
    exhausted(name) {
      const window = windows.get(name)
      if (window === undefined) return undefined
      const at = now()
      advance(window, Math.floor(at / slotMs))
      return window.spent < limit ? undefined : waitFor(window, 1, at)
    },
    state(name) {
      const window = windows.get(name)
      if (window === undefined) return { limit, remaining: limit, resetSeconds: 0 }
      const at = now()
      advance(window, Math.floor(at / slotMs))
      const resetSeconds = Math.ceil(msUntil(window, 0, at) / 1000)
      return { limit, remaining: limit - window.spent, resetSeconds }
    },
  }
}

/** Drops the slots that have left the window. */
function advance(window: Window, slot: number): void {
  if (slot - window.latest > SLOTS) {
    window.slots.fill(0)
    window.spent = 0
    window.latest = slot
  }
  while (window.latest < slot) {
    window.latest++
    const position = positionOf(window.latest)
    window.spent -= window.slots[position] ?? 0
    window.slots[position] = 0
  }
}

function positionOf(slot: number): number {
  return (slot + SLOTS + 1) % (SLOTS + 1)
}
