/**
 * What a mutant is: a statement with one clause missing or weaker, which some sequence has to find out. It names the
 * exact text that it changes (blanks count as one, `$#` is any parameter); the run fails when that text is gone, so that
 * no mutant rots unseen.
 */

/** One wrong statement. */
export type Mutant = {
  readonly name: string
  /** Kinds of commands that have a chance to find it. */
  readonly oftener: readonly string[]
  /** Text that only the statements meant contain. */
  readonly of: string
  /** What is replaced by what, wherever it stands in them. */
  readonly changes: readonly (readonly [from: string, to: string])[]
  /** Why no sequence of one caller at a time can tell; then it has to survive. */
  readonly equivalent?: string
}

/** Why a sequence does not see a missing lock. */
export const LOCKS = 'only callers at the same time meet a lock'

type Change = readonly [from: string, to: string]
/** A mutant of a statement: its name, what changes, and why it is equivalent where it is. */
export type Listed = readonly [name: string, change: Change | readonly Change[], equivalent?: string]

/** A clause that holds of everything; its parameters stay, or the server would not know their types. */
export const always = (clause: string): Change => [clause, `(${clause} OR true)`]
/** A clause that is gone, with what binds it. */
export const gone = (text: string): Change => [text, '']
/** Rows of a SELECT that ends so are not there. */
export const none = (end: string): Change => [end, `${end} WHERE false`]
/** A clause within a longer text, which tells it from others. */
export const within = (
  before: string,
  clause: string,
  after: string,
  instead = `(${clause} OR true)`,
): Change => [`${before}${clause}${after}`, `${before}${instead}${after}`]

/** The mutants of the statement that contains `of`; `prepare` are commands that bring about what it works on. */
export function listed(
  statement: string,
  of: string,
  mutants: readonly Listed[],
  prepare: readonly string[] = [],
): Mutant[] {
  return mutants.map(([name, change, equivalent]) => ({
    name: `${statement}: ${name}`,
    oftener: [statement, ...prepare],
    of,
    changes: (Array.isArray(change[0]) ? change : [change]) as readonly Change[],
    ...(equivalent !== undefined && { equivalent }),
  }))
}
