/** The names that expressions can use. A rate card's own are in rating/book/rule-vocabulary.ts. */
import type { Dimension } from './units.ts'

/** A measure that an expression reads from the facts of a case. */
export type Measure<Facts> =
  | QuantityMeasure<Facts>
  | FlagMeasure<Facts>
  | WordMeasure<Facts>
  | DayMeasure<Facts>

export type QuantityMeasure<Facts> = {
  readonly type: 'quantity'
  readonly dimension: Dimension
  /** Values are integers: this many make one base unit of the dimension. */
  readonly perBaseUnit: number
  /** Values are limited to this range, which also bounds every result. Safe integers. */
  readonly min: number
  readonly max: number
  readonly read: (facts: Facts) => number
  /** All values that occur, if they are known. */
  readonly values?: ReadonlySet<number>
}

export type FlagMeasure<Facts> = { readonly type: 'flag'; readonly read: (facts: Facts) => boolean }

/** A name or code, or several of them: `area` is that of either end. */
export type WordMeasure<Facts> = {
  readonly type: 'word'
  readonly read: readonly ((facts: Facts) => string | undefined)[]
  readonly isWord: (word: string) => boolean
  /** Completes "expected …": "an area class: NORMAL, REMOTE". */
  readonly expected: string
}

/** A day as the number 20261121. */
export type DayMeasure<Facts> = { readonly type: 'day'; readonly read: (facts: Facts) => number }

export type Vocabulary<Facts> = {
  readonly measures: ReadonlyMap<string, Measure<Facts>>
  /** `sides[1]`: the elements of lists, from 1. */
  readonly lists: ReadonlyMap<string, readonly string[]>
  /** Why a name of this or a planned vocabulary cannot be used: "not available yet". */
  readonly unavailable: ReadonlyMap<string, string>
}
