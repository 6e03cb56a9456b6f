/** What the lexicon of everyday goods holds. Source: our own words, src/reference/lexicon; the codes are HS 2022. */

/** One subheading with our own label and the everyday terms that lead to it, alternatives already expanded. */
export type LexiconEntry = {
  /** Six digits. */
  readonly code: string
  /** Our own short words for the subheading. */
  readonly label: string
  /** Terms whose usual code this is. */
  readonly terms: readonly string[]
  /** Terms for which this code is possible, but not the usual one. */
  readonly possibleTerms: readonly string[]
}
