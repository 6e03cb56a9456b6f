/** The one wording for "Waybill's own PostgreSQL cannot run here". Decided here: it always names the way out. */

/**
 * The error to throw when the bundled server cannot run in this place at all.
 * `reason` is a clause without a full stop; the message goes on to say what to set instead.
 */
export function unavailable(reason: string): Error {
  return new Error(
    `Waybill cannot start its own PostgreSQL: ${reason}. ` +
      'Set DATABASE_URL to the address of a PostgreSQL server (15 or newer) instead.',
  )
}
