/**
 * A code that a classifier proposes. It is all that `core/customs` and `core/classification` share, and what another
 * classifier returns (docs/hs-classification.md).
 */

/** An HS code that a description may fall under. */
export type HsCandidate = {
  /** Six digits, HS 2022. */
  readonly code: string
  /** A short name of the subheading, in our own words. */
  readonly label: string
  /** A short name of its heading, if the classifier has one. */
  readonly heading?: string | undefined
  /** 0 to 1: see `classify`. */
  readonly confidence: number
  /** What was found in the description, best first: terms that name the goods, or single words. */
  readonly matchedTerms: readonly string[]
  /**
   * Questions to the sender. For the first candidate: about attributes that the text does not mention. For any other:
   * about the attributes in which it differs from the first.
   */
  readonly questions: readonly string[]
  /** A note that is a reason for the code, if the classifier knows one. */
  readonly becauseOf?: LegalNote | undefined
}

/** A legal note or a General Rule of the Harmonized System. */
export type LegalNote = {
  /** For example "Note 11 to chapter 71". */
  readonly citation: string
  /** What it says, in one sentence of our own. */
  readonly summary: string
}

/** A question whose answer changes the code. */
export type GoodsQuestion = {
  /** The name of a dimension of the lexicon, or `goods`. */
  readonly id: string
  readonly text: string
  /** At least two, with different codes. */
  readonly options: readonly GoodsOption[]
}

export type GoodsOption = {
  /** The client sends it back to choose this option. */
  readonly value: string
  readonly label: string
  /** The code that the answer leads to, six digits. */
  readonly code: string
}

/** The candidates of a description with answers to questions about it, and the questions that remain. */
export type Interview = {
  readonly candidates: readonly HsCandidate[]
  /** Most decisive first. */
  readonly questions: readonly GoodsQuestion[]
  /** True if the description names goods of two headings, and only one can be the head noun. */
  readonly hasConflict: boolean
}

/** An answer to a question: a fact that takes precedence over the words of the description. */
export type GoodsAnswer = { readonly id: string; readonly value: string }
