/**
 * The pools of the service. Accounts share `reading` and `commands`. No account can hold up `own`: the lookups of API
 * keys, the health checks, the polling of reference data and the sweeper. See docs/limits.md#database-connections.
 */
import type { Kysely } from 'kysely'
import type { Database } from '../database.ts'
import { type DatabaseSource, type OpenOptions, openDatabase, type PoolCounts } from '../open.ts'
import type { Queue, Shares } from './fair-access.ts'

export type Pools = {
  /** For lists and single shipments, and for new drafts. */
  readonly reading: Kysely<Database>
  /** For cancellations, bookings and scans. */
  readonly commands: Kysely<Database>
  readonly own: Kysely<Database>
  /** See WHOLE_TABLES. */
  readonly wholeTables: Kysely<Database>
}

/** The statements of requests that wait for a connection of these pools. */
export type Queues = Readonly<Record<'reading' | 'commands', Queue>>

export function openQueues(): Queues {
  return { reading: { waiting: 0 }, commands: { waiting: 0 } }
}

/**
 * How accounts share `reading`, and separately `commands`. An account has at most half of the requests in flight, each
 * with about twenty statements, so others find room to wait.
 */
export const SHARES: Shares = { places: 5, perAccount: 3, waitingMax: 5_000, waitMs: 1_000 }

/** The sweeper's claims use one connection of `own`, so that no account can stop them. They are not urgent. */
export const SWEEPER_SHARES: Shares = { places: 1, perAccount: 1, waitingMax: 5_000, waitMs: 10_000 }

/** Event streams read with two connections of `reading`, and an account with one. They can wait: events are kept. */
export const EVENT_SHARES: Shares = { places: 2, perAccount: 1, waitingMax: 5_000, waitMs: 10_000 }

/** For reading whole tables, which takes longer on a busy machine than a request may. */
export const WHOLE_TABLES: OpenOptions = {
  connectionWaitMs: 30_000,
  statementTimeoutMs: 60_000,
  idleInTransactionMs: 60_000,
}

/** What pools report. `text` has parameters, no values. */
export type PoolObserver = {
  opened(pool: string, counts: PoolCounts): void
  statement(pool: string, milliseconds: number, isFailed: boolean, text: string): void
}

/** Without `observer`, statements are not timed. */
export function openPools(
  source: DatabaseSource,
  common: OpenOptions,
  queues: Queues,
  observer?: PoolObserver,
): Pools {
  const open = (name: keyof Pools, options: OpenOptions) =>
    openDatabase(source, {
      ...common,
      ...options,
      ...(observer !== undefined && {
        onPool: (counts) =>
          observer.opened(
            name,
            withQueue(counts, name === 'reading' || name === 'commands' ? queues[name] : undefined),
          ),
        onStatement: (...statement) => observer.statement(name, ...statement),
      }),
    })
  return {
    reading: open('reading', { poolSize: SHARES.places }),
    commands: open('commands', { poolSize: SHARES.places }),
    own: open('own', { poolSize: 3 }),
    wholeTables: open('wholeTables', { ...WHOLE_TABLES, poolSize: 2 }),
  }
}

function withQueue(counts: PoolCounts, queue: Queue | undefined): PoolCounts {
  return {
    get totalCount() {
      return counts.totalCount
    },
    get idleCount() {
      return counts.idleCount
    },
    get waitingCount() {
      return counts.waitingCount + (queue?.waiting ?? 0)
    },
  }
}
