/**
 * Data in memory that follows the database. When the revision changes, the new state is read in full and then replaces
 * the old one. Notifications make this fast; polling works without them, because a transaction pooler drops
 * notifications.
 */
import type { Kysely } from 'kysely'
import { Client } from 'pg'
import type { Database } from './database.ts'
import { clientConfig, type DatabaseSource } from './open.ts'
import { type Revisioned, readRevision } from './revision.ts'

export type LiveReference<State> = {
  /** The newest state that was read; one immutable object. */
  current(): State
  /** Reads a newer state if there is one. Throws when the database is unreachable. */
  refresh(): Promise<void>
  /** Stops following. `current` keeps returning the last state. */
  close(): Promise<void>
}

/** How to follow the database; independent of the data. */
export type FollowOptions<State> = {
  readonly source: DatabaseSource
  /** False where notifications cannot arrive. */
  readonly listen: boolean
  readonly pollMs: number
  /** Where the state is read, with time limits for whole tables. Default: the database that is polled. */
  readonly wholeTables?: Kysely<Database>
  /** Called with each state that replaces another one. */
  readonly onSwap?: (state: State) => void
  /** Called when a newer state could not be read. The old one stays in use until the next poll succeeds. */
  readonly onFault?: (error: unknown) => void
}

/** The data to follow. */
export type Followed<State> = {
  /** Polled for the revision. */
  readonly db: Kysely<Database>
  readonly revisioned: Revisioned
  revisionOf(state: State): number
  /**
   * Reads the current state; parts of `previous` that are unchanged can be reused. `closed` is aborted when the result
   * is not needed any more.
   */
  read(db: Kysely<Database>, previous: State | undefined, closed: AbortSignal): Promise<State>
}

/** Reads the state and follows it. Throws when the first read fails. */
export async function openLiveReference<State>(
  { db, revisioned, revisionOf, read }: Followed<State>,
  { source, listen, pollMs, wholeTables = db, onSwap = () => {}, onFault = () => {} }: FollowOptions<State>,
): Promise<LiveReference<State>> {
  const closing = new AbortController()
  const closed = closing.signal
  let state = await read(wholeTables, undefined, closed)

  const update = async (): Promise<void> => {
    if (closed.aborted || (await readRevision(db, revisioned)) === revisionOf(state)) return
    const next = await read(wholeTables, state, closed)
    if (closed.aborted) return
    state = next
    onSwap(next)
  }
  const refresh = serialised(update)
  const follow = (): void => {
    if (closed.aborted) return
    refresh().catch((error: unknown) => {
      if (!closed.aborted) onFault(error)
    })
  }
  const listener = listen
    ? listenTo(source, revisioned.channel, { onNews: () => follow(), onFault })
    : undefined
  const poll = setInterval(follow, pollMs)
  poll.unref()
  return {
    current: () => state,
    refresh,
    async close() {
      closing.abort()
      clearInterval(poll)
      await listener?.close()
      await refresh().catch(() => {})
    },
  }
}

/** Runs `work` one at a time. Calls during a run share the next run, which sees everything committed before them. */
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

/** A connection that listens for notifications; `close` ends it. */
export type Listener = { close(): Promise<void> }

export type ListenerEvents = {
  /**
   * Called with the payload of each notification. Also called after each connect, without a payload, because
   * notifications may have been missed before it.
   */
  readonly onNews: (payload?: string) => void
  readonly onFault: (error: Error) => void
}

/** Delay before reconnecting, and the time limit of a connect. */
const RETRY_MS = 1_000
const CONNECT_MS = 5_000

/** Listens until closed, and reconnects when the connection is lost. Never throws: errors go to `onFault`. */
export function listenTo(
  source: DatabaseSource,
  channel: string,
  { onNews, onFault }: ListenerEvents,
): Listener {
  let client: Client | undefined
  let retry: NodeJS.Timeout | undefined
  let closed = false

  const connect = async (): Promise<void> => {
    const opened = new Client({
      ...clientConfig(source),
      application_name: 'waybill listener',
      connectionTimeoutMillis: CONNECT_MS,
      keepAlive: true,
    })
    client = opened
    // One connection may emit both events. Only the first one has an effect.
    opened.once('error', (error) => lose(opened, error))
    opened.once('end', () => lose(opened, new Error('the connection ended')))
    opened.on('notification', ({ payload }) => onNews(payload))
    try {
      await opened.connect()
      await opened.query(`LISTEN ${opened.escapeIdentifier(channel)}`)
      onNews()
    } catch (error) {
      lose(opened, error instanceof Error ? error : new Error(String(error)))
    }
  }
  const lose = (lost: Client, error: Error): void => {
    // pg may emit further errors, and an error event without a handler ends the process.
    lost.on('error', () => {})
    if (closed || client !== lost) return
    client = undefined
    onFault(error)
    lost.end().catch(() => {})
    retry = setTimeout(connect, RETRY_MS)
    retry.unref()
  }
  void connect()
  return {
    async close() {
      closed = true
      clearTimeout(retry)
      await client?.end().catch(() => {})
    },
  }
}
