/** The customs tables in memory, following the ones in the database (see live-reference.ts). */
import type { Kysely } from 'kysely'
import type { CustomsTables } from '../core/customs/tables.ts'
import { type LoadedCustoms, reloadCustoms } from './customs.ts'
import { CUSTOMS_CHANNEL, readCustomsRevision } from './customs-revision.ts'
import type { Database } from './database.ts'
import { type FollowOptions, type LiveReference, openLiveReference } from './live-reference.ts'

/** The tables that estimates are made from. */
export type LiveCustoms = LiveReference<CustomsTables>

/** Reads the tables and follows them; `onSwap` is told the revision. Throws when they cannot be read the first time. */
export async function openLiveCustoms(
  db: Kysely<Database>,
  {
    onSwap,
    ...follow
  }: Omit<FollowOptions<unknown>, 'onSwap'> & { readonly onSwap?: (revision: number) => void },
): Promise<LiveCustoms> {
  const live = await openLiveReference<LoadedCustoms>(
    {
      channel: CUSTOMS_CHANNEL,
      revisionOf: ({ revision }) => revision,
      readRevision: () => readCustomsRevision(db),
      read: (previous) => reloadCustoms(db, previous),
    },
    { ...follow, ...(onSwap && { onSwap: ({ revision }) => onSwap(revision) }) },
  )
  return { ...live, current: () => live.current().tables }
}
