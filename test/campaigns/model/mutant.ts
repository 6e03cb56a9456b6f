/**
 * Mutants: statements with a missing or weaker clause, which some sequence must reveal. A mutant names the
 * exact text that it changes (whitespace counts as one blank, `$#` is any parameter). The run fails if the
 * text no longer occurs, so outdated mutants are noticed.
 */

export type Mutant = {
  readonly name: string
  /** Kinds of commands that can reveal it. */
  readonly preferred: readonly string[]
  /** Text that occurs only in the statements to change. */
  readonly marker: string
  /** Replaced wherever they occur in these statements. */
  readonly changes: readonly (readonly [from: string, to: string])[]
  /** Why no sequence can reveal it. Such a mutant must survive. */
  readonly equivalent?: string
}

/** Reason for an equivalent mutant that omits a lock. */
export const LOCKS = 'a lock has an effect only on concurrent callers, and sequences have none'

export type Change = readonly [from: string, to: string]
/**
 * Reason for an equivalent mutant that updates a row a second time. The cancellation runs first, because its rows are
 * read.
 */
export const ONCE = 'a statement updates a row once, and the cancellation comes first'

/** Name, changes, and the reason if it is equivalent. */
export type MutantEntry = readonly [name: string, change: Change | readonly Change[], equivalent?: string]

/** Makes a clause always true. Its parameters stay, since the server infers their types from it. */
export const always = (clause: string): Change => [clause, `(${clause} OR true)`]
/** Removes a text. */
export const gone = (text: string): Change => [text, '']
/** Removes all rows of a SELECT that ends with this text. */
export const none = (end: string): Change => [end, `${end} WHERE false`]
/** Changes a clause that only its context identifies. */
export const within = (
  before: string,
  clause: string,
  after: string,
  replacement = `(${clause} OR true)`,
): Change => [`${before}${clause}${after}`, `${before}${replacement}${after}`]

/** Returns NULL for a selected column. */
export const nothing = (column: string, type: string): Change => {
  const name = column.split('.').at(-1)
  return [`${column},`, ` NULL::${type} AS ${name},`]
}

/** The columns from which a ticket gets its parcels. `shipment` and `attempt` are the names of the CTEs. */
export const parcelsOfTicket = (shipment: string, attempt: string): readonly MutantEntry[] => [
  ['returns a ticket without its parcels', nothing(`${shipment}.parcel_refs`, 'text[]')],
  ['returns cancelled parcels as not cancelled', nothing(`${shipment}.cancelled_refs`, 'text[]')],
  [
    'returns no records of parcels',
    [`"${attempt}"."parcels" AS parcel_records`, 'NULL::jsonb AS parcel_records'],
  ],
]

/** The mutants of the statement that contains `marker`. `prepare` names commands that create suitable rows. */
export function listed(
  statement: string,
  marker: string,
  mutants: readonly MutantEntry[],
  prepare: readonly string[] = [],
): Mutant[] {
  return mutants.map(([name, change, equivalent]) => ({
    name: `${statement}: ${name}`,
    preferred: [statement, ...prepare],
    marker,
    changes: (Array.isArray(change[0]) ? change : [change]) as readonly Change[],
    ...(equivalent !== undefined && { equivalent }),
  }))
}
