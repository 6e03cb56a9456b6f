/** The compiled rate book and customs tables, and the classifier of descriptions. Types only. */

import type { HsCandidate } from '../../core/customs/classification/classify.ts'
import type { CustomsTables } from '../../core/customs/tables.ts'
import type { RateBook } from '../../core/rating/book/rate-book.ts'
import type { Turns } from './work.ts'

/**
 * Reference data in memory. Each method returns an immutable edition, which may be replaced between two calls. For
 * several consistent answers, call once and keep the result.
 */
export interface ReferenceData {
  rateBook(): RateBook
  customsTables(): CustomsTables
}

/**
 * Finds HS codes from descriptions. The built-in classifier (classifiers/lexicon-classifier.ts) uses no network.
 * Operators can configure another one (docs/hs-classification.md).
 */
export interface Classifier {
  /**
   * Returns at most `limit` candidates for each description, in the order of the descriptions; best first, empty if
   * nothing fits. Yields between `turns`; without them it runs uninterrupted. Rejects if `turns.next` rejects.
   */
  classify(
    descriptions: readonly string[],
    limit: number,
    turns?: Turns,
  ): Promise<readonly (readonly HsCandidate[])[]>
}
