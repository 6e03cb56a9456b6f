/** Lexicons of a few entries, for tests that need nothing else. */
import type { LexiconEntry, LexiconSource } from '../../../src/core/classification/lexicon.ts'

/** A source without families, languages and labels of headings. */
export function plainLexicon(entries: readonly LexiconEntry[]): LexiconSource {
  return {
    ...{ entries, dimensions: [], families: [], languages: [], accessories: [], headings: new Map() },
    roles: { qualifiers: [], features: [], countedFeatures: [], outside: [], soldAlone: [], materials: [] },
  }
}
