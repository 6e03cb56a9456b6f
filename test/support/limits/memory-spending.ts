/** A store of shared limits in memory, whose answers a test can delay or refuse. */
import {
  SPENDING_SLOT_SECONDS,
  SPENDING_SLOTS,
  type Spending,
  type SpendingStore,
} from '../../../src/operations/ports/spending.ts'

export type MemorySpending = SpendingStore & {
  /** The exchanges so far. */
  readonly exchanges: (readonly Spending[])[]
  /** Undefined: every exchange fails. Infinity: none is answered. */
  latencyMs: number | undefined
  /** Fails after it has added the units. */
  losesAnswers: boolean
  /** Loses what it knows. */
  clear(): void
}

const SLOT_MS = SPENDING_SLOT_SECONDS * 1_000

export function memorySpending(now: () => number): MemorySpending {
  /** Units by name and slot. */
  const spent = new Map<string, Map<number, number>>()
  const add = ({ name, units }: Spending) => {
    const at = now()
    const current = Math.floor(at / SLOT_MS)
    const slots = spent.get(name) ?? new Map<number, number>()
    spent.set(name, slots)
    if (units !== 0) slots.set(current, (slots.get(current) ?? 0) + units)
    return [...slots]
      .filter(([slot]) => slot > current - SPENDING_SLOTS)
      .map(([slot, units]) => ({ ageMs: Math.max(0, at - (slot + 1) * SLOT_MS), units }))
  }
  const store: MemorySpending = {
    exchanges: [],
    latencyMs: 1,
    losesAnswers: false,
    clear: () => spent.clear(),
    async exchange(spendings) {
      store.exchanges.push(spendings)
      const { latencyMs } = store
      if (latencyMs === undefined) throw new Error('no connection')
      if (latencyMs === Number.POSITIVE_INFINITY) await new Promise(() => {})
      await new Promise((resolve) => setTimeout(resolve, latencyMs / 2))
      const known = new Map(spendings.map((spending) => [spending.name, add(spending)]))
      await new Promise((resolve) => setTimeout(resolve, latencyMs / 2))
      if (store.losesAnswers) throw new Error('the connection was lost')
      return known
    },
    close: async () => {},
  }
  return store
}
