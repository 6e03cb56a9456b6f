/**
 * Hears announcements of the database (LISTEN) on a connection of its own. Decided here: a lost connection is
 * made again, and whoever listens is told to look for himself then, since announcements may have been missed.
 */
import { Client } from 'pg'
import type { DatabaseSource } from './open.ts'

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
