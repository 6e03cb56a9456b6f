/**
 * Which thrown errors mean "the database cannot serve this now" (a door answers 503 and invites a retry), as
 * against a fault in Waybill (500). Source: PostgreSQL manual, appendix A; messages of pg and pg-pool 8.23,
 * which give their own errors no code.
 */

const unreachable = new Set([
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

const outageStates = new Set([
  '57014', // query_canceled: the statement time-out
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now: starting up, or a standby not ready
  '57P04', // database_dropped
  '57P05', // idle_session_timeout
  '55P03', // lock_not_available
  '25P03', // idle_in_transaction_session_timeout
  '25P04', // transaction_timeout
  '25006', // read_only_sql_transaction: the primary moved and this is a standby now
])

/** 08 connection exception, 53 insufficient resources (connections, memory, disk), 58 system error. */
const outageClasses = new Set(['08', '53', '58'])

const driverMessages = [
  'timeout exceeded when trying to connect', // pool wait
  'Connection terminated', // also "unexpectedly" and "due to connection timeout"
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'Query read timeout',
  'Cannot use a pool after calling end on the pool',
  'driver has already been destroyed',
  'timeout expired', // pg's own connection time-out
]

/**
 * Thrown in place of queueing more work for the database than it can answer soon. An outage to callers: they get 503
 * and may try again.
 */
export class Overload extends Error {
  override readonly name = 'Overload'
}

/**
 * True when the error says that the database is unreachable, overloaded, shutting down or too slow to answer.
 * A connection lost during COMMIT is among these: whether it was committed is then unknown.
 */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof Overload) return true
  const { code, syscall, severity } = error as { code?: unknown; syscall?: unknown; severity?: unknown }
  if (typeof code === 'string') {
    if (unreachable.has(code)) return true
    // A unix socket that is not there, or is closed to us; from any other call these are faults.
    if (code === 'ENOENT' || code === 'EACCES') return syscall === 'connect'
    // protocol_violation is what PgBouncer says, fatally, when it has no server; from PostgreSQL it is a bug.
    if (code === '08P01') return severity === 'FATAL'
    if (outageStates.has(code) || (code.length === 5 && outageClasses.has(code.slice(0, 2)))) return true
  }
  if (driverMessages.some((message) => error.message.startsWith(message))) return true
  return error.cause !== undefined && isOutage(error.cause)
}
