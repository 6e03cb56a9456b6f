/**
 * Rate limits over a sliding window: within any window a name spends at most its limit. Each replica counts for itself
 * and allows the full limit. The workers of one service report what they admit to each other.
 */
import { LRUCache } from 'lru-cache'

export type BudgetRule = {
  /** Units per window. */
  readonly limit: number
  readonly windowMs: number
  /**
   * The maximum number of names in memory, for names that callers can invent. When it is exceeded, the least recently
   * used name is dropped and starts again with a full budget. Absent for API keys and other names whose number is
   * limited.
   */
  readonly maxNames?: number
  /** A monotonic clock in milliseconds; default `performance.now`. */
  readonly now?: () => number
}

export type BudgetState = {
  readonly limit: number
  readonly remaining: number
  /** Whole seconds until the full limit is available again; 0 if nothing is spent. */
  readonly resetSeconds: number
}

export interface Budget {
  /**
   * Takes `units` (default 1) if they are available. Otherwise takes nothing and returns the seconds until they are, at
   * least 1. `limit` replaces that of the rule.
   */
  spend(name: string, units?: number, limit?: number): number | undefined
  /** The seconds (at least 1) until a unit is available; undefined if one is available now. Takes nothing. */
  exhausted(name: string): number | undefined
  state(name: string, limit?: number): BudgetState
  /** Adds units even beyond the limit: another process has admitted them, or they cannot be refused. */
  addSpent(name: string, units: number): void
}

/**
 * A window consists of slots. A slot that overlaps the window counts in full. The limit therefore holds in every
 * window, but spent units become available again up to one slot late.
 */
const SLOTS = 60

/** The units that one name spent, in a ring of slots. `latest` is the number of the newest slot. */
type Window = { readonly slots: Uint32Array; latest: number; spent: number }

type Windows = { get(name: string): Window | undefined; set(name: string, window: Window): unknown }

export function openBudget(rule: BudgetRule): Budget {
  const { windowMs, maxNames, now = () => performance.now() } = rule
  const slotMs = windowMs / SLOTS
  // With `max`, the cache would allocate all places at once.
  const windows: Windows =
    maxNames === undefined
      ? new Map()
      : new LRUCache<string, Window>({ maxSize: maxNames, sizeCalculation: () => 1 })

  const open = (name: string): Window => {
    const fresh = { slots: new Uint32Array(SLOTS + 1), latest: 0, spent: 0 }
    windows.set(name, fresh)
    return fresh
  }
  /** Milliseconds until at most `allowed` units are spent. */
  const msUntil = (window: Window, allowed: number, at: number): number => {
    let counted = window.spent
    for (let slot = window.latest - SLOTS; slot <= window.latest; slot++) {
      if (counted <= allowed) break
      counted -= window.slots[positionOf(slot)] ?? 0
      if (counted <= allowed) return (slot + SLOTS + 1) * slotMs - at
    }
    return counted <= allowed ? 0 : windowMs
  }
  /** Seconds until at most `allowed` units are spent, at least 1. */
  const waitFor = (window: Window, allowed: number, at: number): number =>
    Math.max(1, Math.ceil(msUntil(window, allowed, at) / 1000))

  return {
    spend(name, units = 1, limit = rule.limit) {
      const at = now()
      const window = windows.get(name) ?? open(name)
      advance(window, Math.floor(at / slotMs))
      if (window.spent + units > limit) return waitFor(window, limit - units, at)
      window.spent += units
      window.slots[positionOf(window.latest)]! += units
      return undefined
    },
    exhausted(name) {
      const window = windows.get(name)
      if (window === undefined) return undefined
      const at = now()
      advance(window, Math.floor(at / slotMs))
      return window.spent < rule.limit ? undefined : waitFor(window, rule.limit - 1, at)
    },
    state(name, limit = rule.limit) {
      const window = windows.get(name)
      if (window === undefined) return { limit, remaining: limit, resetSeconds: 0 }
      const at = now()
      advance(window, Math.floor(at / slotMs))
      const resetSeconds = Math.ceil(msUntil(window, 0, at) / 1000)
      return { limit, remaining: Math.max(0, limit - window.spent), resetSeconds }
    },
    addSpent(name, units) {
      const window = windows.get(name) ?? open(name)
      advance(window, Math.floor(now() / slotMs))
      window.spent += units
      window.slots[positionOf(window.latest)]! += units
    },
  }
}

/** Drops slots that are no longer in the window. */
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
