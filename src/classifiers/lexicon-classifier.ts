/** The shipped classifier. It works in memory, with the lexicon in src/reference/lexicon. */
import { classify } from '../core/customs/classification/classify.ts'
import { compileLexicon } from '../core/customs/classification/compile-lexicon.ts'
import type { LexiconSource } from '../core/customs/classification/lexicon.ts'
import type { Classifier } from '../operations/ports/ports.ts'
import { UNLIMITED_TURNS } from '../operations/ports/work.ts'

/** Compiles the lexicon, which takes about half a second. */
export function lexiconClassifier(source: LexiconSource): Classifier {
  const lexicon = compileLexicon(source)
  return {
    classify: async (descriptions, limit, turns = UNLIMITED_TURNS) => {
      const found = []
      for (const description of descriptions) {
        // One description takes at most a few milliseconds, so a turn ends soon after its time is over.
        if (turns.over()) await turns.next()
        found.push(classify(lexicon, description, limit))
      }
      return found
    },
  }
}
