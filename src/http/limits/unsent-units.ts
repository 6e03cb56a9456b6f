/** The units of shared budgets that the store does not know yet, see shared-budgets.ts. */
import { SPENDING_WINDOW_MS } from '../../operations/ports/spending.ts'
import type { Budget } from './budget.ts'

/** Names in one exchange. */
const BATCH_MAX = 500
/** Names of a budget that wait to be sent. Others are counted by this process only. */
const NAMES_MAX = 20_000
const HALF_WINDOW_MS = SPENDING_WINDOW_MS / 2

/** A shared budget, and what its names have spent that the store does not know yet. */
export type Source = { readonly id: string; readonly budget: Budget; readonly unsent: Map<string, Unsent> }

export type Unsent = {
  readonly source: Source
  readonly name: string
  /** Since `sinceMs`, which is less than half a window ago when units are added. */
  units: number
  sinceMs: number
  /** Of the half window before. Only during an outage, after which the units of the last window are sent. */
  unitsBefore: number
  /** It is sent in the next exchange. */
  isUrgent: boolean
}

export type Queue = ReturnType<typeof openQueue>

/** What is to be sent: in each budget the oldest first, except what was put back. */
export function openQueue(now: () => number) {
  const sources: Source[] = []
  const urgent = new Set<Unsent>()
  const remove = (entry: Unsent): void => {
    urgent.delete(entry)
    entry.source.unsent.delete(entry.name)
  }
  const hurry = (entry: Unsent): void => {
    entry.isUrgent = true
    urgent.add(entry)
  }
  const isFull = ({ unsent }: Source): boolean => unsent.size >= NAMES_MAX
  return {
    open(id: string, budget: Budget): Source {
      const source: Source = { id, budget, unsent: new Map() }
      sources.push(source)
      return source
    },
    /** Returns whether the time of the next exchange may have changed. */
    add(source: Source, name: string, units: number, block: number): boolean {
      const known = source.unsent.get(name)
      const isNew = known === undefined
      if (isNew && isFull(source)) return false
      const at = now()
      const entry = known ?? { source, name, units: 0, sinceMs: at, unitsBefore: 0, isUrgent: false }
      if (isNew) source.unsent.set(name, entry)
      else if (at - entry.sinceMs >= HALF_WINDOW_MS) beginHalfWindow(entry, at)
      entry.units += units
      if (entry.isUrgent || Math.abs(entry.units) < block) return isNew
      hurry(entry)
      return true
    },
    urge(source: Source, name: string): void {
      const entry = source.unsent.get(name)
      if (entry !== undefined) hurry(entry)
    },
    hasUrgent: (): boolean => urgent.size > 0,
    /** When the oldest units were spent; undefined if there are none. Those that were put back may be older. */
    oldestMs: (): number | undefined => oldestOf(sources),
    /** Drops what no longer counts. Call it before `take`, and during an outage, when it would take places. */
    dropOld(): void {
      for (const entry of oldestInTurns(sources, now() - SPENDING_WINDOW_MS)) remove(entry)
    },
    /** Removes what is urgent, and then what was spent `leastMs` ago. */
    take(leastMs: number): Unsent[] {
      const at = now()
      const batch: Unsent[] = []
      for (const entries of [urgent, oldestInTurns(sources, at - leastMs)])
        for (const entry of entries) {
          if (batch.length >= BATCH_MAX) return batch
          remove(entry)
          if (at - entry.sinceMs >= HALF_WINDOW_MS) entry.unitsBefore = 0
          batch.push(entry)
        }
      return batch
    },
    /** After a failed exchange. They are counted twice if the store has received them. */
    putBack(batch: readonly Unsent[]): void {
      for (const entry of batch) {
        const { source, name } = entry
        const later = source.unsent.get(name)
        if (later !== undefined) remove(later)
        else if (isFull(source)) continue
        const both = { ...entry, units: entry.units + (later?.units ?? 0) }
        source.unsent.set(name, both)
        hurry(both)
      }
    },
  }
}

function oldestOf(sources: readonly Source[]): number | undefined {
  const since = sources.flatMap(({ unsent }) => unsent.values().next().value?.sinceMs ?? [])
  return since.length === 0 ? undefined : Math.min(...since)
}

/** What was spent until `lastMs`. Budgets take turns: many addresses with wrong credentials do not delay keys. */
function* oldestInTurns(sources: readonly Source[], lastMs: number): Generator<Unsent> {
  let remaining = sources.map(({ unsent }) => unsent.values())
  while (remaining.length > 0) {
    const next: typeof remaining = []
    for (const entries of remaining) {
      const { value: entry } = entries.next()
      if (entry === undefined || entry.sinceMs > lastMs) continue
      yield entry
      next.push(entries)
    }
    remaining = next
  }
}

/** Forgets the half window before, and moves the entry to the end, because it is now one of the newest. */
function beginHalfWindow(entry: Unsent, at: number): void {
  const { source, name, units, sinceMs } = entry
  entry.unitsBefore = at - sinceMs < SPENDING_WINDOW_MS ? units : 0
  entry.units = 0
  entry.sinceMs = at
  source.unsent.delete(name)
  source.unsent.set(name, entry)
}
