/**
 * Follows the events of accounts: numbers those that are committed, tells subscribers about them, and removes old ones.
 * Notifications reach the other processes at once. A poll finds what a lost notification announced, and works alone
 * where notifications cannot arrive.
 */
import type { Kysely } from 'kysely'
import type { EventWatch } from '../../operations/ports/events.ts'
import type { Database } from '../database/database.ts'
import { listenTo } from '../database/live-reference.ts'
import type { DatabaseSource } from '../database/open.ts'
import { EVENT_CHANNEL, newestNumbers, numberEvents, removeOldEvents } from './event-log.ts'

export type FollowedEvents = EventWatch & {
  /** Stops following. Subscribers are not called any more. */
  close(): Promise<void>
}

export type EventFollowOptions = {
  readonly source: DatabaseSource
  /** False where notifications cannot arrive. */
  readonly listen: boolean
  /** For how many days events are kept. */
  readonly keptDays: number
  readonly onFault: (error: unknown) => void
  /** Interval at which committed events are numbered. Default: NUMBER_EVERY_MS. */
  readonly numberEveryMs?: number
  /** Interval at which subscribed accounts are compared. Default: with notifications 5 s, otherwise 500 ms. */
  readonly pollEveryMs?: number
}

/** An event arrives this long after its commit at the latest, on an idle machine. */
const NUMBER_EVERY_MS = 250
const POLL_WITH_NOTIFICATIONS_MS = 5_000
const POLL_ALONE_MS = 500
const REMOVE_EVERY_MS = 30_000

export function followEvents(
  db: Kysely<Database>,
  { source, listen, keptDays, onFault, ...options }: EventFollowOptions,
): FollowedEvents {
  const {
    numberEveryMs = NUMBER_EVERY_MS,
    pollEveryMs = listen ? POLL_WITH_NOTIFICATIONS_MS : POLL_ALONE_MS,
  } = options
  const subscribers = new Map<string, Set<() => void>>()
  /** The highest number of each subscribed account at the last poll. */
  let known: ReadonlyMap<string, number> = new Map()
  const tell = (accountId: string): void => {
    for (const onNews of subscribers.get(accountId) ?? []) onNews()
  }
  const number = async (): Promise<void> => {
    for (const accountId of await numberEvents(db)) tell(accountId)
  }
  const compare = async (): Promise<void> => {
    if (subscribers.size === 0) return
    const newest = await newestNumbers(db, [...subscribers.keys()])
    const changed = [...newest].filter(([accountId, sequence]) => known.get(accountId) !== sequence)
    known = newest
    for (const [accountId] of changed) tell(accountId)
  }
  const numbering = repeat(number, numberEveryMs, onFault)
  const polling = repeat(compare, pollEveryMs, onFault)
  const removing = repeat(() => removeOldEvents(db, keptDays), REMOVE_EVERY_MS, onFault)
  const listener = listen
    ? listenTo(source, EVENT_CHANNEL, {
        // Without an account after a connect: notifications may have been missed.
        onNews: (accountId) => (accountId === undefined ? void compare().catch(onFault) : tell(accountId)),
        onFault,
      })
    : undefined
  return {
    subscribe(accountId, onNews) {
      const callbacks = subscribers.get(accountId) ?? new Set()
      subscribers.set(accountId, callbacks.add(onNews))
      return () => {
        callbacks.delete(onNews)
        if (callbacks.size === 0) subscribers.delete(accountId)
      }
    },
    async close() {
      subscribers.clear()
      await Promise.all([numbering.stop(), polling.stop(), removing.stop(), listener?.close()])
    },
  }
}

/** Runs `work` again and again, with a pause after each run. Of faults in a row, only the first is reported. */
function repeat(
  work: () => Promise<void>,
  everyMs: number,
  onFault: (error: unknown) => void,
): { stop(): Promise<void> } {
  let stopped = false
  let failing = false
  let running: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout
  const run = async (): Promise<void> => {
    try {
      await work()
      failing = false
    } catch (error) {
      if (!failing && !stopped) onFault(error)
      failing = true
    }
    if (!stopped) schedule()
  }
  const schedule = (): void => {
    timer = setTimeout(() => {
      running = run()
    }, everyMs)
    timer.unref()
  }
  schedule()
  return {
    stop() {
      stopped = true
      clearTimeout(timer)
      return running
    },
  }
}
