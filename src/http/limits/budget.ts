/**
 * Rate limits over a sliding window: within any window a name spends at most its limit. Each process counts for itself
 * and allows the full limit. The workers of one service report what they admit to each other, and replicas can share
 * their limits through a store (shared-budgets.ts).
 */
import { LRUCache } from 'lru-cache'
import type { SpentUnits } from '../../operations/ports/spending.ts'

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
  /** That of the rule. */
  readonly limit: number
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
  /**
   * Learns from the store what all processes have spent. `unsent` is what this process has spent and the store does
   * not know yet. From now on, the larger of this sum and the own count applies, because a store may lose its data.
   */
  raise(name: string, known: readonly SpentUnits[], unsent: number): void
  /** Makes units that were just spent available again. */
  giveBack(name: string, units: number): void
  /**
   * Undefined if the units that were just spent are within the limit after all. Otherwise gives them back and returns
   * the seconds until they are available, at least 1.
   */
  revoke(name: string, units: number, limit?: number): number | undefined
  /**
   * For units that were just spent, in a budget that replicas share: asks the store whether they are within the limit.
   * Undefined if there is nothing to ask. Resolves like `revoke`. Never rejects, and waits for a limited time.
   */
  confirm?(name: string, units: number, limit?: number): Promise<number | undefined> | undefined
}

/**
 * A window consists of slots. A slot that overlaps the window counts in full. The limit therefore holds in every
 * window, but spent units become available again up to one slot late.
 */
const SLOTS = 60

/** More than any limit. The sum of a window with this in each slot of a store fits into one of its own slots. */
const UNITS_MAX = 200_000_000

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
  /** Seconds until at most `allowed` units are spent, at least 1. */
  const waitFor = (window: Window, allowed: number, at: number): number =>
    Math.max(1, Math.ceil(msUntil(window, allowed, at, slotMs) / 1000))

  /** The window of a name, without what no longer counts. */
  const current = (name: string, at: number): Window => {
    const window = windows.get(name) ?? open(name)
    advance(window, Math.floor(at / slotMs))
    return window
  }

  return {
    limit: rule.limit,
    spend(name, units = 1, limit = rule.limit) {
      const at = now()
      const window = current(name, at)
      if (window.spent + units > limit) return waitFor(window, limit - units, at)
      add(window, units)
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
      const resetSeconds = Math.ceil(msUntil(window, 0, at, slotMs) / 1000)
      return { limit, remaining: Math.max(0, limit - window.spent), resetSeconds }
    },
    addSpent: (name, units) => add(current(name, now()), units),
    raise(name, known, unsent) {
      const at = now()
      const window = current(name, at)
      const all = withoutDebts([...known, { ageMs: 0, units: unsent }])
      const recent = all.filter(({ ageMs }) => ageMs < windowMs)
      const total = recent.reduce((sum, { units }) => sum + units, 0)
      if (total <= window.spent) return
      empty(window)
      for (const { ageMs, units } of recent) add(window, units, Math.floor((at - ageMs) / slotMs))
    },
    giveBack: (name, units) => takeBack(current(name, now()), units),
    revoke(name, units, limit = rule.limit) {
      const at = now()
      const window = current(name, at)
      if (window.spent <= limit) return undefined
      takeBack(window, units)
      return waitFor(window, limit - units, at)
    },
  }
}

/** Milliseconds until at most `allowed` units are spent. */
function msUntil(window: Window, allowed: number, at: number, slotMs: number): number {
  let counted = window.spent
  for (let slot = window.latest - SLOTS; slot <= window.latest; slot++) {
    if (counted <= allowed) break
    counted -= window.slots[positionOf(slot)] ?? 0
    if (counted <= allowed) return (slot + SLOTS + 1) * slotMs - at
  }
  return counted <= allowed ? 0 : SLOTS * slotMs
}

function empty(window: Window): void {
  window.slots.fill(0)
  window.spent = 0
}

function add(window: Window, units: number, slot = window.latest): void {
  window.spent += units
  window.slots[positionOf(slot)]! += units
}

/**
 * Moves what was given back in a later slot than it was spent to the slots before, so that no units are negative.
 * `known` becomes newest first.
 */
function withoutDebts(known: readonly SpentUnits[]): SpentUnits[] {
  let debt = 0
  return [...known]
    .sort((a, b) => a.ageMs - b.ageMs)
    .map(({ ageMs, units }) => {
      const left = units + debt
      debt = Math.min(0, left)
      return { ageMs, units: Math.min(UNITS_MAX, Math.max(0, left)) }
    })
}

/** Takes back the newest units. */
function takeBack(window: Window, units: number): void {
  let left = units
  for (let slot = window.latest; slot >= window.latest - SLOTS && left > 0; slot--) {
    const position = positionOf(slot)
    const taken = Math.min(left, window.slots[position] ?? 0)
    window.slots[position]! -= taken
    window.spent -= taken
    left -= taken
  }
}

/** Drops slots that are no longer in the window. */
function advance(window: Window, slot: number): void {
  if (slot - window.latest > SLOTS) {
    empty(window)
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
