/**
 * The source of the classifier: everyday terms for goods, families of goods whose code depends on attributes, and words
 * of other languages. The shipped lexicon is in src/reference/lexicon (our own words; codes of HS 2022). See
 * docs/lexicon.md.
 */

import type { MeasureRange } from './text/measures.ts'

/** A subheading with its label and the everyday terms that lead to it. Alternatives are expanded. */
export type LexiconEntry = {
  /** Six digits. */
  readonly code: string
  /** A short name of the subheading, in our own words. */
  readonly label: string
  /** Terms that usually have this code. Empty if only families lead to the code. */
  readonly terms: readonly string[]
  /** Terms that may have this code, but usually have another one. */
  readonly possibleTerms: readonly string[]
}

/**
 * An attribute of goods, such as the fibre, with its values and the question to ask if the text does not mention it.
 */
export type Dimension = {
  readonly name: string
  /** For the sender, for example "Knitted or woven?". */
  readonly question: string
  /** True if mentions after "for" and "with" count. Otherwise only mentions in the same phrase as the goods count. */
  readonly appliesAnywhere: boolean
  /** True if the value that is listed first wins over the others: silver with pearls is silver jewellery. */
  readonly ranked: boolean
  /** True if the value that is listed last wins over others with the same percentage. Default: false. */
  readonly lastOfEquals?: boolean
  readonly values: readonly DimensionValue[]
}

/** A value of a dimension. A row for its parent ("ceramic") also accepts the value ("porcelain"). */
export type DimensionValue = {
  readonly name: string
  readonly parent?: string
  /** The words by which a text mentions it. */
  readonly words: readonly string[]
  /** Words that give way to `words` of other values: "0-3 months" to "men". Default: none. */
  readonly possibleWords?: readonly string[]
  /** Quantities by which a text mentions it: "249 g". */
  readonly ranges?: readonly MeasureRange[]
}

/** Goods of one kind whose code depends on attributes. */
export type GoodsFamily = {
  readonly name: string
  /** Names of dimensions, most important first. */
  readonly decides: readonly string[]
  /** The first matching row gives the code. */
  readonly rows: readonly FamilyRow[]
  readonly names: readonly FamilyNames[]
}

/** A code and the values it requires, by dimension. A dimension that is not named may have any value or none. */
export type FamilyRow = { readonly code: string; readonly values: ReadonlyMap<string, readonly string[]> }

/** Terms of a family with the same default values. */
export type FamilyNames = {
  /** The default value by dimension. A `fixed` value applies even if the text mentions another one. */
  readonly usual: ReadonlyMap<string, { readonly value: string; readonly fixed: boolean }>
  readonly terms: readonly string[]
  readonly possibleTerms: readonly string[]
}

/**
 * Codes of parts and accessories, and of the things they belong to. A prefix of 2 to 6 digits covers all codes below.
 */
export type Accessories = { readonly parts: readonly string[]; readonly things: readonly string[] }

/** A legal note, and the codes for which it is a reason. */
export type NoteRule = {
  readonly id: string
  /** For example "Note 11 to chapter 71". */
  readonly citation: string
  /** What it says, in one sentence of our own. */
  readonly summary: string
  /** Prefixes of 2 to 6 digits. Empty for a note that only sets of goods name. */
  readonly codes: readonly string[]
  /** The note applies if the text has all words of one of these phrases. Empty: it always applies to its codes. */
  readonly words: readonly string[]
  /** The note does not apply if the text has all words of one of these phrases. Default: none. */
  readonly unless?: readonly string[]
}

/** Goods that give a retail set its code, and goods that come with them. Prefixes of codes, as in `Accessories`. */
export type SetRule = {
  readonly essential: readonly string[]
  readonly others: readonly string[]
  /** The id of the note, whose words say that the goods are a set. */
  readonly note: string
}

/** How words and codes describe the goods that a title names. */
export type Roles = {
  /** Words that begin the description of a component: "steel" in "leather belt steel buckle". */
  readonly qualifiers: readonly string[]
  /** Components by which titles describe goods: "buckle". */
  readonly features: readonly string[]
  /** Components that are also sold under such names. They describe goods only after a number: "18V battery". */
  readonly countedFeatures: readonly string[]
  /** The outside of goods: its material is that of the goods ("mesh upper"). */
  readonly outside: readonly string[]
  /** In a text with one of these words, components are the goods: "replacement". */
  readonly soldAlone: readonly string[]
  /** Codes of materials and ingredients, as in `Accessories`. In front of goods, they say what the goods contain. */
  readonly materials: readonly string[]
}

/** Phrases of another language with their English translation, both as senders write them. */
export type LanguageWords = {
  readonly language: string
  readonly phrases: readonly { readonly foreign: string; readonly english: string }[]
}

export type LexiconSource = {
  readonly entries: readonly LexiconEntry[]
  readonly dimensions: readonly Dimension[]
  readonly families: readonly GoodsFamily[]
  readonly languages: readonly LanguageWords[]
  readonly accessories: readonly Accessories[]
  readonly roles: Roles
  /** The first one that applies is given as the reason for a code. Default: none. */
  readonly notes?: readonly NoteRule[]
  readonly sets?: readonly SetRule[]
  /** Terms with brands that people use as the name of the goods: "lego". Default: none. */
  readonly productNames?: readonly string[]
  /** The label of every heading, by its four digits. */
  readonly headings: ReadonlyMap<string, string>
}
