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
}
