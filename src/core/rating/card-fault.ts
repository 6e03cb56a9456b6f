/**
 * What is wrong with a rate card, said so that an operator can mend it: where it lies, what was expected, what
 * was found. The same shape for a cell that cannot be read and for a rule that the card breaks as a whole.
 */
import type { RateCardContent, RateCardImport } from './rate-card.ts'

/** The tables of a rate card, and those that it shares with all others. */
export type CardTableName = keyof RateCardContent | Exclude<keyof RateCardImport, 'content'>

/** A fault or a warning of a rate card as core finds it; `index` counts the rows of `table` from 0. */
export type CardFinding = {
  readonly table: CardTableName
  /** Absent: the table as a whole. */
  readonly index?: number
  /** The field at fault; absent: the row as a whole. */
  readonly field?: string
  /** What was expected: "an `over` equal to the `up_to` before it (5 kg)". */
  readonly expected: string
  /** What was found, as text; absent where the row says it all. */
  readonly found?: string
  /** How many more of its kind there are that are not listed: with the last one that is, absent where all are. */
  readonly more?: number
}

/** The findings of a check. A card with faults cannot be kept; warnings are for the operator to judge. */
export type CardFindings = {
  readonly faults: readonly CardFinding[]
  readonly warnings: readonly CardFinding[]
}
