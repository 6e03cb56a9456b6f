/**
 * How the resolvers of one request share its turns (operations/ports/work.ts). graphql-js starts them all at once, so
 * what takes long is queued: each piece of work starts when the one before has been given the event loop, in a turn
 * that is not over. After the request was stopped no piece starts any more.
 */
import type { Turns } from '../operations/ports.ts'

/**
 * Resolves when the next piece of work may start; pieces start in the order of the calls. Rejects, from then on, with
 * what `Turns.next` rejects with.
 */
export type Pause = () => Promise<void>

/** The queue of one request. */
export function openPause(turns: Turns): Pause {
  let last: Promise<void> = Promise.resolve()
  return () => {
    last = last.then(() => (turns.over() ? turns.next() : undefined))
    return last
  }
}

/** Lines of a price or of an estimate that are presented at once: a promise for each would cost more than they do. */
const SMALL = 32

/** The weight of entries that are only presented at once when there is one of them. */
export const SEVERAL = SMALL

/**
 * Presents a list. What is asked of an entry is worked out when it is there, so a long list in full detail would
 * hold up everybody else: its entries are presented one by one. `weight` is how many lines an entry is as large as.
 */
export function presentInTurns<Item, Presented>(
  pause: Pause,
  items: readonly Item[],
  weight: number,
  present: (item: Item) => Presented,
): readonly (Presented | Promise<Presented>)[] {
  if (items.length * weight <= SMALL) return items.map(present)
  return items.map((item) => pause().then(() => present(item)))
}
