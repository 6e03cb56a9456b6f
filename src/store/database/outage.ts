/**
 * Distinguishes errors of an unavailable database (503, the caller can retry) from bugs (500). Sources: appendix A of
 * the PostgreSQL manual, and the messages of pg and pg-pool 8.23, whose errors have no codes.
 */

const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])

/** The account is being moved to another cell, and takes no changes. See migrations/056-account-moves.ts. */
export const ACCOUNT_IS_MOVED = 'WB001'

const OUTAGE_STATES = new Set([
  '57014', // query_canceled: the statement timeout
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now: starting up, or a standby not ready
  '57P04', // database_dropped
  '57P05', // idle_session_timeout
  '55P03', // lock_not_available
  '25P03', // idle_in_transaction_session_timeout
  '25P04', // transaction_timeout
  '25006', // read_only_sql_transaction: this server has become a standby
  ACCOUNT_IS_MOVED,
])

/** 08 connection exception, 53 insufficient resources (connections, memory, disk), 58 system error. */
const OUTAGE_CLASSES = new Set(['08', '53', '58'])

const DRIVER_MESSAGES = [
  'timeout exceeded when trying to connect', // pool wait
  'Connection terminated', // also "unexpectedly" and "due to connection timeout"
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'Query read timeout',
  'Cannot use a pool after calling end on the pool',
  'driver has already been destroyed',
  'timeout expired', // the connection timeout of pg
]

/** Thrown instead of queueing more work than the database can do soon. Callers get 503 and can retry. */
export class Overload extends Error {
  override readonly name = 'Overload'
}

/**
 * Whether the database is unreachable, overloaded, shutting down or too slow. This includes a connection that was lost
 * during COMMIT: the transaction may or may not have been committed.
 */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof Overload) return true
  const { code, syscall, severity } = error as { code?: unknown; syscall?: unknown; severity?: unknown }
  if (typeof code === 'string') {
    if (UNREACHABLE.has(code)) return true
    // The unix socket does not exist or denies access. From other system calls, these codes are bugs.
    if (code === 'ENOENT' || code === 'EACCES') return syscall === 'connect'
    // PgBouncer sends a fatal protocol_violation if it has no server. Otherwise the code is a bug.
    if (code === '08P01') return severity === 'FATAL'
    if (OUTAGE_STATES.has(code) || (code.length === 5 && OUTAGE_CLASSES.has(code.slice(0, 2)))) return true
  }
  if (DRIVER_MESSAGES.some((message) => error.message.startsWith(message))) return true
  return error.cause !== undefined && isOutage(error.cause)
}

/** Whether a change was refused only because its account is being moved. */
export function isOfMovedAccount(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return (error as { code?: unknown }).code === ACCOUNT_IS_MOVED || isOfMovedAccount(error.cause)
}

/** Errors of connections that were not established, so no statement was sent. */
const withoutConnection = new WeakSet<object>()

/** Marks an error of opening, or waiting for, a connection. */
export function markWithoutConnection(error: unknown): void {
  if (typeof error === 'object' && error !== null) withoutConnection.add(error)
}

const NOT_SENT_MESSAGES = [
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'Cannot use a pool after calling end on the pool',
  'driver has already been destroyed',
  'query_wait_timeout', // PgBouncer had no server connection
]

/**
 * Whether the statement of this error was certainly not executed: there was no connection, or the server rejected the
 * statement and rolled it back. False if the connection was lost, or the result did not arrive in time.
 */
export function wasNotExecuted(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (withoutConnection.has(error)) return true
  if (NOT_SENT_MESSAGES.some((message) => error.message.startsWith(message))) return true
  const { code, severity } = error as { code?: unknown; severity?: unknown }
  return severity === 'ERROR' && typeof code === 'string' && !CONNECTION_LOST.test(code)
}

/**
 * Codes of poolers that have lost the server while the statement ran, with severity ERROR instead of FATAL. PgBouncer
 * before 1.16 sends 08P01 ("server conn crashed?"). 40003 is statement_completion_unknown.
 */
const CONNECTION_LOST = /^(?:08|57P|40003)/
