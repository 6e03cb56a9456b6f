/** The timers of shared budgets, with the clock of the machine. docs/limits.md#shared-limits */
import { expect, test } from 'vitest'
import { openBudget } from '../../src/http/limits/budget.ts'
import { openSharedBudgets } from '../../src/http/limits/shared-budgets.ts'
import { memorySpending } from '../support/limits/memory-spending.ts'

const WINDOW_MS = 60_000

test('units below a block are sent in the first exchange after a second, although timers can be early', async () => {
  const store = memorySpending(() => performance.now())
  const processes = Array.from({ length: 40 }, () =>
    openSharedBudgets(store, { onLost: () => {}, onLasting: () => {}, onAvailable: () => {} }),
  )
  for (const [nth, shared] of processes.entries()) {
    shared.share('requests', openBudget({ limit: 1_000, windowMs: WINDOW_MS })).spend(`key ${nth}`)
    await new Promise((resolve) => setTimeout(resolve, 3.3))
  }
  await new Promise((resolve) => setTimeout(resolve, 1_100))
  // A timer that is early would cause an exchange without units.
  expect(store.exchanges.map((spendings) => spendings.length)).toEqual(Array(40).fill(1))
  await Promise.all(processes.map((shared) => shared.close()))
})
