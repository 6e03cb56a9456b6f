/**
 * What the classifier is compiled from: everyday terms of goods, families of goods whose code depends on what the text
 * says of them, and the words of other languages. Source: our own words, src/reference/lexicon; the codes are HS 2022.
 */

/** One subheading with our own label and the everyday terms that lead to it, alternatives already expanded. */
export type LexiconEntry = {
  /** Six digits. */
  readonly code: string
  /** Our own short words for the subheading. */
  readonly label: string
  /** Terms whose usual code this is. None where only families lead to the code. */
  readonly terms: readonly string[]
  /** Terms for which this code is possible, but not the usual one. */
  readonly possibleTerms: readonly string[]
}

/** What may be said of goods, such as the fibre: the values, and the question that is left where nothing is said. */
export type Dimension = {
  readonly name: string
  /** A short plain question for the sender: "Knitted or woven?". */
  readonly question: string
  /** True where it is also heard after "for" and "with"; otherwise only in the goods' own phrase. */
  readonly anywhere: boolean
  /** True where the value listed first wins when the text says several: silver with pearls is silver jewellery. */
  readonly ranked: boolean
  readonly values: readonly DimensionValue[]
}

/** One value; what holds for the parent ("ceramic") holds for it ("porcelain") too. */
export type DimensionValue = {
  readonly name: string
  readonly parent?: string
  /** The words that say it. */
  readonly words: readonly string[]
}

/** Goods of one kind whose code depends on what is said of them. */
export type GoodsFamily = {
  readonly name: string
  /** Names of dimensions, the most important first. */
  readonly decides: readonly string[]
  /** The first row that fits gives the code. */
  readonly rows: readonly FamilyRow[]
  readonly names: readonly FamilyNames[]
}

/** A code and, by dimension, the values it is for; a dimension that is not named may have any value, or none. */
export type FamilyRow = { readonly code: string; readonly values: ReadonlyMap<string, readonly string[]> }

/** Terms of a family that share what is usual for them. */
export type FamilyNames = {
  /** The value of a dimension where the text is silent; `fixed`: whatever the text says. */
  readonly usual: ReadonlyMap<string, { readonly value: string; readonly fixed: boolean }>
  readonly terms: readonly string[]
  readonly possibleTerms: readonly string[]
}

/** Parts, accessories and supplies, and the things they are for; codes of two to six digits stand for all below. */
export type Accessories = { readonly parts: readonly string[]; readonly things: readonly string[] }

/** Words of another language and what they are in English, both as a sender writes them. */
export type LanguageWords = {
  readonly language: string
  readonly phrases: readonly { readonly foreign: string; readonly english: string }[]
}

/** All that the classifier knows. */
export type LexiconSource = {
  readonly entries: readonly LexiconEntry[]
  readonly dimensions: readonly Dimension[]
  readonly families: readonly GoodsFamily[]
  readonly languages: readonly LanguageWords[]
  readonly accessories: readonly Accessories[]
  /** Our own label of every heading, by its four digits. */
  readonly headings: ReadonlyMap<string, string>
}
