/** The compiled rate book and customs tables, and the classifier of descriptions. Types only. */

import type { HsCandidate } from '../../core/customs/classification/classify.ts'
import type { CustomsTables } from '../../core/customs/tables.ts'
import type { RateBook } from '../../core/rating/book/rate-book.ts'
import type { Turns } from './work.ts'

/**
 * Reference data in memory. Each method returns an immutable edition, which may be replaced between two calls. Call once
 * if you need several consistent answers.
 */
export interface ReferenceData {
  rateBook(): RateBook
  customsTables(): CustomsTables
}

/**
 * Finds HS codes from descriptions. The built-in one (classifiers/lexicon-classifier.ts) uses no network; an operator may
 * configure another one (docs/hs-classification.md).
 */
export interface Classifier {
  /**
   * For each description, in the same order: at most `limit` candidates, best first; empty if nothing fits. Computes in
   * the turns of the request (default: without interruption). Rejects if `turns.next` rejects.
   */
  classify(
    descriptions: readonly string[],
    limit: number,
    turns?: Turns,
  ): Promise<readonly (readonly HsCandidate[])[]>
}
