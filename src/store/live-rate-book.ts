/** The rate book in memory, following the one in the database (see live-reference.ts). */
import type { Kysely } from 'kysely'
import type { RateBook } from '../core/rating/rate-book.ts'
import type { Database } from './database.ts'
import { type FollowOptions, type LiveReference, openLiveReference } from './live-reference.ts'
import { type LoadedBook, reloadRateBook } from './rate-book.ts'
import { REVISION_CHANNEL, readRevision } from './rate-book-revision.ts'

/** The book that quotes are made from. */
export type LiveRateBook = LiveReference<RateBook>

/** How a live book follows the database. */
export type LiveRateBookOptions = FollowOptions<RateBook> & {
  readonly db: Kysely<Database>
  /** How far back the book reaches, in days; absent: ten years. */
  readonly historyDays?: number
}

/** Reads the book and follows it. Throws when it cannot be read the first time. */
export async function openLiveRateBook(options: LiveRateBookOptions): Promise<LiveRateBook> {
  const { db, historyDays, onSwap, ...follow } = options
  const live = await openLiveReference<LoadedBook>(
    {
      channel: REVISION_CHANNEL,
      revisionOf: ({ book }) => book.revision,
      readRevision: () => readRevision(db),
      read: (previous) => reloadRateBook(db, previous, historyDays),
    },
    { ...follow, ...(onSwap && { onSwap: ({ book }) => onSwap(book) }) },
  )
  return { ...live, current: () => live.current().book }
}
