/**
 * How a request that asks for much lets others through. Decided here: large pieces of an answer are made one per
 * turn of the event loop, and all of one request stand in one queue.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'

/** Resolves in a turn of the event loop of its own. */
export type TakeTurn = () => Promise<void>

/** The queue of one request. */
export function openTurns(): TakeTurn {
  let last: Promise<void> = Promise.resolve()
  return () => {
    last = last.then(() => nextTurn())
    return last
  }
}

/**
 * Presents one item per turn. What is asked of an item is worked out when it is there, so a long list in full
 * detail (half a second for a batch of rates) would otherwise hold up everybody else.
 */
export function oneATurn<Item, Presented>(
  takeTurn: TakeTurn,
  items: readonly Item[],
  present: (item: Item) => Presented,
): Promise<Presented>[] {
  return items.map((item) => takeTurn().then(() => present(item)))
}
