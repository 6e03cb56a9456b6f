/**
 * The store of the limits that replicas share: what each name has spent in the last window, by all processes. `store/`
 * implements it on PostgreSQL and on Valkey or Redis. See docs/limits.md#shared-limits.
 */

/** The limits are for any 60 seconds. */
export const SPENDING_WINDOW_MS = 60_000

/** The store counts in slots of this length. What was spent in a slot counts for a window after the slot has ended. */
export const SPENDING_SLOT_SECONDS = 5

/** The slots that can contain something that counts: the current one, and those of a window before. */
export const SPENDING_SLOTS = SPENDING_WINDOW_MS / 1_000 / SPENDING_SLOT_SECONDS + 1

/** Names are digests, so that they have one length, and the store contains no addresses. */
export type Spending = { readonly name: string; readonly units: number }

/** Units that were spent at most `ageMs` ago, 0 for the current slot. Negative if more was given back than spent. */
export type SpentUnits = { readonly ageMs: number; readonly units: number }

export interface SpendingStore {
  /**
   * Adds units, and returns what was spent in the last window for each of the names, these units included. Units are
   * whole numbers; 0 only reads, and negative ones are given back. One round trip. Names occur once. An empty list
   * tests whether the store is available. Rejects if it is not.
   */
  exchange(spendings: readonly Spending[]): Promise<ReadonlyMap<string, readonly SpentUnits[]>>
  close(): Promise<void>
}
