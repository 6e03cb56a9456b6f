/** The shipped classifier: our own lexicon in memory, no network. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { classify } from '../core/customs/classification/classify.ts'
import { compileLexicon } from '../core/customs/classification/compile-lexicon.ts'
import type { LexiconSource } from '../core/customs/classification/lexicon.ts'
import type { Classifier } from '../operations/ports.ts'

/** Descriptions per turn of the event loop: each takes about half a millisecond, and others want to be answered. */
const SLICE = 16

/** Compiles the lexicon (some tenths of a second); the classifier keeps it. */
export function lexiconClassifier(source: LexiconSource): Classifier {
  const lexicon = compileLexicon(source)
  return {
    classify: async (descriptions, limit) => {
      const found = []
      for (const [index, description] of descriptions.entries()) {
        if (index > 0 && index % SLICE === 0) await nextTurn()
        found.push(classify(lexicon, description, limit))
      }
      return found
    },
  }
}
