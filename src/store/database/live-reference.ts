/**
 * Reference data in memory, following the ones in the database: whenever their revision moves, the new state is read
 * beside the old one and the reference is swapped. Announcements make that quick; the poll alone suffices, since a
 * transaction pooler drops announcements.
 */

import { Client } from 'pg'
import type { DatabaseSource } from './open.ts'

/** What is kept in memory, at its newest. */
export type LiveData<State> = {
  /** The newest state that was read; one immutable object. */
  current(): State
  /** Looks for a newer one now; resolves when it is in place. Throws when the database is out of reach. */
  refresh(): Promise<void>
  /** Stops following; the last state stays. */
  close(): Promise<void>
}

/** How a live reference follows the database, whatever it holds. */
export type FollowOptions<State> = {
  readonly source: DatabaseSource
  /** False where announcements cannot arrive. */
  readonly listen: boolean
  readonly pollMs: number
  /** Told of each state that took another's place. */
  readonly onSwap?: (state: State) => void
  /** Told when a newer state could not be read; the old one stays, and the next poll tries again. */
  readonly onFault?: (error: unknown) => void
}

/** What is followed. */
export type Followed<State> = {
  /** Where a new revision is announced. */
  readonly channel: string
  revisionOf(state: State): number
  /** The revision that the database is at. */
  readRevision(): Promise<number>
  /** Reads the state as it is now; `previous` has what need not be read again. */
  read(previous: State | undefined): Promise<State>
}

/** Reads the state and follows it. Throws when it cannot be read the first time. */
export async function openLiveData<State>(
  { channel, revisionOf, readRevision, read }: Followed<State>,
  { source, listen, pollMs, onSwap = () => {}, onFault = () => {} }: FollowOptions<State>,
): Promise<LiveData<State>> {
  let state = await read(undefined)
  let closed = false

  const look = async (): Promise<void> => {
    if (closed || (await readRevision()) === revisionOf(state)) return
    const next = await read(state)
    if (closed) return
    state = next
    onSwap(next)
  }
  const oneAtATime = serialised(look)
  const follow = (): void => {
    if (!closed) oneAtATime().catch(onFault)
  }
  const listener = listen
    ? listenTo(source, channel, { onNews: follow, onFault: (error) => onFault(error) })
    : undefined
  const poll = setInterval(follow, pollMs)
  poll.unref()
  return {
    current: () => state,
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

// Hears announcements of the database (LISTEN) on a connection of its own. Decided here: a lost connection is
// made again, and whoever listens is told to look for himself then, since announcements may have been missed.

/** A listener; `close` ends its connection. */
export type Listener = { close(): Promise<void> }

/** What a listener reports. */
export type ListenerEvents = {
  /** Something was announced, or may have been while the connection was away. */
  readonly onNews: () => void
  readonly onFault: (error: Error) => void
}

/** How long after a lost connection the next one is tried, and how long that may take, in milliseconds. */
const RETRY_MS = 1_000
const CONNECT_MS = 5_000

/** Listens until closed. Never throws: a database that is away is reported, and tried again. */
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
      ...(typeof source === 'string' ? { connectionString: source } : { ...source, ssl: false }),
      application_name: 'waybill listener',
      connectionTimeoutMillis: CONNECT_MS,
      keepAlive: true,
    })
    client = opened
    // One connection may report both; the first one counts.
    opened.once('error', (error) => lost(opened, error))
    opened.once('end', () => lost(opened, new Error('the connection ended')))
    opened.on('notification', onNews)
    try {
      await opened.connect()
      await opened.query(`listen ${opened.escapeIdentifier(channel)}`)
      onNews()
    } catch (error) {
      lost(opened, error instanceof Error ? error : new Error(String(error)))
    }
  }
  const lost = (which: Client, error: Error): void => {
    // pg may report more than once; an error without a listener would end the process.
    which.on('error', () => {})
    if (closed || client !== which) return
    client = undefined
    onFault(error)
    which.end().catch(() => {})
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
