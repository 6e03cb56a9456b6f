/**
 * The rate book in memory, following the one in the database: whenever its revision moves, a new book is read
 * beside the old one and the reference is swapped. Announcements make that quick; the poll alone suffices, since
 * a transaction pooler drops announcements.
 */
import type { Kysely } from 'kysely'
import type { RateBook } from '../core/rating/rate-book.ts'
import type { Database } from './database.ts'
import { listenTo } from './listener.ts'
import type { DatabaseSource } from './open.ts'
import { type LoadedBook, reloadRateBook } from './rate-book.ts'
import { REVISION_CHANNEL, readRevision } from './rate-book-revision.ts'

/** The book that quotes are made from. */
export type LiveRateBook = {
  /** The newest book that was read; one immutable object. */
  current(): RateBook
  /** Looks for a newer one now; resolves when it is in place. Throws when the database is out of reach. */
  refresh(): Promise<void>
  /** Stops following; the last book stays. */
  close(): Promise<void>
}

/** How a live book follows the database. */
export type LiveRateBookOptions = {
  readonly db: Kysely<Database>
  readonly source: DatabaseSource
  /** False where announcements cannot arrive. */
  readonly listen: boolean
  readonly pollMs: number
  /** How far back the book reaches, in days; absent: ten years. */
  readonly historyDays?: number
  /** Told of each book that took another's place. */
  readonly onSwap?: (book: RateBook) => void
  /** Told when a newer book could not be read; the old one stays, and the next poll tries again. */
  readonly onFault?: (error: unknown) => void
}

/** Reads the book and follows it. Throws when it cannot be read the first time. */
export async function openLiveRateBook(options: LiveRateBookOptions): Promise<LiveRateBook> {
  const { db, source, listen, pollMs, historyDays, onSwap = () => {}, onFault = () => {} } = options
  let loaded: LoadedBook = await reloadRateBook(db, undefined, historyDays)
  let closed = false

  const look = async (): Promise<void> => {
    if (closed || (await readRevision(db)) === loaded.book.revision) return
    const next = await reloadRateBook(db, loaded, historyDays)
    if (closed) return
    loaded = next
    onSwap(next.book)
  }
  const oneAtATime = serialised(look)
  const follow = (): void => {
    if (!closed) oneAtATime().catch(onFault)
  }
  const listener = listen
    ? listenTo(source, REVISION_CHANNEL, { onNews: follow, onFault: (error) => onFault(error) })
    : undefined
  const poll = setInterval(follow, pollMs)
  poll.unref()
  return {
    current: () => loaded.book,
    refresh: oneAtATime,
    async close() {
      closed = true
      clearInterval(poll)
      await listener?.close()
      await oneAtATime().catch(() => {})
    },
  }
}

/** Runs work one at a time; who asks while it runs waits for the run after it, which has seen all until then. */
function serialised(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined
  const start = (): Promise<void> => {
    running = work().finally(() => {
      running = undefined
    })
    return running
  }
  return () => {
    if (running === undefined) return start()
    next ??= running
      .catch(() => {})
      .then(() => {
        next = undefined
        return start()
      })
    return next
  }
}
